//go:build linux

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"simtgdb/stub/device/openclc"
	"simtgdb/testdata/sweep"
)

// debianLibraries is where Debian has the device libraries.
const debianLibraries = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"

// laterFolder is a folder of device libraries that the guide's script makes for gfx11 and later. It is kept
// for later runs, as programs are, until the script, Debian's libraries or the compiler are others.
var laterFolder = sync.OnceValues(func() (string, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if err := digestTools(h, "clang-22"); err != nil {
		return "", err
	}
	around, err := aroundPrograms()
	if err != nil {
		return "", err
	}
	fmt.Fprintln(h, around)
	folder := filepath.Join(caches, keptFolder, "later-"+hex.EncodeToString(h.Sum(nil)[:12]))
	return folder, keep(folder, func(work string) error {
		out, err := exec.Command("../../../docs/example/device_libs.sh", work).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	})
})

// deviceLibraries are those to compile HIP with for a processor, as places calls them.
func deviceLibraries(processor string) string {
	if openclc.WaveSize(processor, nil) == 64 || processor < "gfx11" {
		return debianLibraries
	}
	return "$LATER"
}

// TestExecLater runs the host program of the tests with the kernels of gfx1100 and gfx1200 of one bundle,
// whose waves have 32 lanes.
func TestExecLater(t *testing.T) {
	t.Parallel()
	program := buildProgram(t, "kernels.later.hipfb")
	for i, processor := range []string{"gfx1100", "gfx1200"} {
		t.Run(processor, func(t *testing.T) { testScenarios(t, 5+i, program, "--target", processor) })
	}
}

// TestExecLaterHIP compiles programs for later processors, as the guide says: what they are told of the
// device is what kernels see, and a kernel that is compiled at run time is compiled for it.
func TestExecLaterHIP(t *testing.T) {
	t.Parallel()
	const refused = "simtgdb: a source of the program does not compile: " +
		"bad.hip:1:23: error: use of undeclared identifier 'oops'\n" +
		"simtgdb: a module of the program cannot be loaded: it is of no known format\n"
	for _, c := range sweep.Some(4, []struct{ processor, source, out, err string }{
		{"gfx1200", "rtc.hip", "bad.hip:1:23: error: use of undeclared identifier 'oops'\nrtc: done\n",
			refused},
		{"gfx1030", "together.hip",
			"hipErrorCooperativeLaunchTooLarge, hipSuccess, hipSuccess, 0 wrong\n", ""},
		{"gfx1100", "attributes.hip", "gfx1100 (1100): waves of 32 lanes\nattributes: done\n", ""},
		{"gfx1250", "graphs.hip", "graphs: done\n", ""},
	}...) {
		r := execute(t, []string{"--target", c.processor}, compileFor(t, c.processor, "-O3", c.source))
		if r.status != 0 || r.out != c.out || r.err != c.err {
			t.Errorf("%s for %s: status %d: %s%s", c.source, c.processor, r.status, r.out, r.err)
		}
	}
}

// TestExecLaterOpenCL compiles OpenCL C at run time for later processors, with the device libraries'
// functions.
func TestExecLaterOpenCL(t *testing.T) {
	t.Parallel()
	if _, err := openclc.Find(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	language := buildOpenCLProgram(t, "opencl_language.c")
	library := buildOpenCLProgram(t, "library.c")
	want, err := os.ReadFile(hostPrograms + "/library.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, processor := range sweep.Some(2, "gfx1100", "gfx1200") {
		r := execute(t, []string{"--target", processor}, language, "conversions")
		if r.status != 0 || r.out != "conversions: done\n" {
			t.Errorf("%s: status %d: %q\n%s", processor, r.status, r.out, r.err)
		}
	}
	r := execute(t, []string{"--target", "gfx1250"}, library, hostPrograms+"/library.cl")
	if r.status != 0 || r.out != string(want) {
		t.Errorf("status %d: other results than PoCL's\n%s", r.status, r.err)
	}
}
