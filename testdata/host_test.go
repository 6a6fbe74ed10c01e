package testdata

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/reference"
	"simtgdb/testdata/sweep"
)

// waveKernel is the kernel whose lanes read each other's registers, which the
// threads of the host cannot do.
const waveKernel = "lanes"

// TestReferenceAgainstHost compiles an eighth of the kernels for the host, all with `make check-all`, and
// compares what they compute with the reference.
func TestReferenceAgainstHost(t *testing.T) {
	if err := exec.Command(clang, "--version").Run(); err != nil {
		t.Skipf("skipped: %s does not run: %v", clang, err)
	}
	if !compilesForHost(t) {
		t.Skipf("skipped: %s finds no C++ library of the host", clang)
	}
	for _, kernel := range sweep.Some(8, reference.Kernels()...) {
		if kernel == waveKernel {
			continue
		}
		t.Run(kernel, func(t *testing.T) {
			l, err := reference.ReadLaunch(filepath.Join("launch", kernel+".json"))
			if err != nil {
				t.Fatal(err)
			}
			got := runOnHost(t, l)
			if err := reference.Run(l); err != nil {
				t.Fatal(err)
			}
			for i, a := range l.Args {
				if diff := cmp.Diff(a.Buffer, got[i]); diff != "" {
					t.Errorf("argument %d (-reference +host):\n%s", i, diff)
				}
			}
		})
	}
}

// runOnHost returns the buffers after the run, by argument.
func runOnHost(t *testing.T, l *reference.Launch) map[int][]byte {
	t.Helper()
	program := compileForHost(t, l.Kernel)
	folder := t.TempDir()
	var words []string
	for _, extent := range append(l.Grid[:], l.Block[:]...) {
		words = append(words, fmt.Sprint(extent))
	}
	files := make(map[int]string)
	for i, a := range l.Args {
		switch {
		case a.Buffer != nil:
			files[i] = filepath.Join(folder, fmt.Sprint(i))
			if err := os.WriteFile(files[i], a.Buffer, 0o600); err != nil {
				t.Fatal(err)
			}
			words = append(words, "buffer:"+files[i])
		case a.Local > 0:
			words = append(words, fmt.Sprint("local:", a.Local))
		default:
			words = append(words, "value:"+hex.EncodeToString(a.Value))
		}
	}
	if out, err := exec.Command(program, words...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
	buffers := make(map[int][]byte)
	for i, file := range files {
		contents, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		buffers[i] = contents
	}
	return buffers
}

// localPointer is a __local pointer, in whose place C++ has a plain one.
var localPointer = regexp.MustCompile(`__local (\w+ \*)`)

// compileForHost copies the kernel away from src/gpu.h, so that it includes
// the host's header of that name.
func compileForHost(t *testing.T, kernel string) string {
	t.Helper()
	source := filepath.Join("src", kernel+".hip")
	if _, err := os.Stat(source); err != nil {
		source = filepath.Join("src", kernel+".cl")
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	text = localPointer.ReplaceAll(text, []byte("$1"))
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "kernel.h"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "program")
	compile := exec.Command(clang, "--driver-mode=g++", "-std=c++20", "-O1", "-w", "-pthread",
		"-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none",
		"-I", "host", "-I", folder, "-DKERNEL_NAME="+kernel, `-DKERNEL_FILE="kernel.h"`,
		"host/main.cpp", "-lm", "-o", program)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", compile, err, out)
	}
	return program
}

// compilesForHost reports whether a C++ program can be built at all.
func compilesForHost(t *testing.T) bool {
	t.Helper()
	source := filepath.Join(t.TempDir(), "empty.cpp")
	if err := os.WriteFile(source, []byte("#include <vector>\nint main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return exec.Command(clang, "--driver-mode=g++", source, "-o", source+".out").Run() == nil
}
