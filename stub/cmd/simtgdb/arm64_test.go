package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"simtgdb/testdata/sweep"
)

// smallRuns are the programs of testdata/bench with few work-items, and which argument they store to.
var smallRuns = []struct {
	kernel string
	out    int
	args   []string
}{
	{"vecadd", 2, []string{"--grid", "4096", "--block", "256", "--arg", "buf:f32[4096]=iota", "--arg",
		"buf:f32[4096]=iota", "--arg", "buf:f32[4096]=zero"}},
	{"hash", 0, []string{"--grid", "2048", "--block", "256", "--arg", "buf:i32[2048]=zero", "--arg",
		"i32:20"}},
	{"mandelbrot", 0, []string{"--grid", "64,64", "--block", "16,16", "--arg", "buf:u32[4096]=zero",
		"--arg", "i32:64", "--arg", "i32:64"}},
	{"matmul", 2, []string{"--grid", "64,64", "--block", "16,16", "--arg", "buf:f32[4096]=iota", "--arg",
		"buf:f32[4096]=iota", "--arg", "buf:f32[4096]=zero", "--arg", "i32:64"}},
	{"fir", 2, []string{"--grid", "4096", "--block", "256", "--arg", "buf:f32[4111]=iota", "--arg",
		"buf:f32[16]=iota", "--arg", "buf:f32[4096]=zero"}},
}

var translatedShare = regexp.MustCompile(`translated +([0-9.]+)  %`)

// share is what --stats says of code that has been translated.
func share(t *testing.T, stats string) float64 {
	t.Helper()
	m := translatedShare.FindStringSubmatch(stats)
	if m == nil {
		t.Fatalf("no share is told:\n%s", stats)
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	return n
}

// TestOnAArch64: on an emulated AArch64 programs come to the same results, by translated code.
func TestOnAArch64(t *testing.T) {
	if !sweep.All() {
		t.Skip("make check-all builds the program for AArch64 and runs it")
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no qemu-aarch64 (Debian: qemu-user): the program has not been run on AArch64")
	}
	dir := t.TempDir()
	program, got, want := filepath.Join(dir, "simtgdb"), filepath.Join(dir, "got"), filepath.Join(dir, "want")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, object := range []string{"bench.ptx", "bench.spv"} {
		for _, r := range smallRuns {
			args := append([]string{"run", "../../../testdata/bench/" + object, "--kernel", r.kernel},
				r.args...)
			with := func(out string) []string {
				return append(args, "--workers", "1", "--stats", "--out", fmt.Sprintf("%d=%s", r.out, out))
			}
			here := simtgdb(t, with(want)...)
			if here.status != 0 {
				t.Fatal(here.err)
			}
			there, err := exec.Command(qemu, append([]string{program}, with(got)...)...).CombinedOutput()
			if err != nil {
				t.Fatalf("%s %s: %v\n%s", object, r.kernel, err, there)
			}
			if a, b := contents(t, got), contents(t, want); !bytes.Equal(a, b) {
				t.Errorf("%s %s: other results than here", object, r.kernel)
			}
			if a, b := share(t, string(there)), share(t, here.out+here.err); a == 0 || a < 0.9*b {
				t.Errorf("%s %s: %v %% of what is executed is translated, here %v %%", object, r.kernel, a, b)
			}
		}
	}
}

// contents are a file's.
func contents(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
