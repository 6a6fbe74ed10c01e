package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bugs are the tutorial's kernels, with what finds each bug and what is said of it.
var bugs = []struct {
	name, kernel string // of the file in HIP, and in OpenCL C
	flags        string
	found        string
}{
	{"sum", "sum", "--groups 1 --block 8 --arg buf:i32[32]=iota --arg buf:i32[8]",
		"nearest      0 bytes after the end of argument 0"},
	{"reverse", "reverse", "--groups 1 --block 128 --arg buf:i32[128]=iota --arg buf:i32[128] --check=race",
		"check race: data race"},
	{"smooth", "smooth", "--groups 1 --block 128 --arg buf:f32[128]=iota --arg buf:f32[128] --arg i32:100 --check=barrier",
		"check barrier: a barrier that only some lanes of the wave come to"},
	{"count", "count", "--groups 2 --block 64 --arg buf:i32[128]=iota --arg buf:i32[2] --arg i32:49 --check=uninit",
		"check uninit: nothing has written what is read"},
	{"length", "lengths", "--groups 1 --block 4 --arg buf:f32[]=3,4,2,5 --arg buf:f32[]=4,3,2,1 --arg buf:f32[4] --print 2",
		"[0] NaN NaN NaN NaN"},
	{"steps", "steps", "--groups 1 --block 8 --arg buf:i32[8]=iota --arg buf:i32[8] --max-instructions 100000",
		"stopped after 100000 instructions"},
}

// TestTutorialElsewhere: the tutorial's bugs, which its page shows for gfx9, are found on the other machines by the same
// commands: as CUDA and so PTX, as OpenCL C and so SPIR-V and Gen9.
func TestTutorialElsewhere(t *testing.T) {
	page := filepath.Join(root, "docs/tutorial")
	gen := func(t *testing.T, _ string) string {
		out := filepath.Join(t.TempDir(), "bugs")
		c := exec.Command("ocloc", "compile", "-q", "-file", "bugs.cl", "-device", "skl", "--format", "zebin", "-options",
			"-g -cl-opt-disable", "-output_no_suffix", "-output", out)
		c.Dir = page
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		files, err := filepath.Glob(out + "*.bin")
		if err != nil || len(files) == 0 {
			files = []string{out}
		}
		return files[0]
	}
	for _, way := range []struct {
		name, tool string
		file       func(t *testing.T, name string) string
		flags      []string
		kernels    bool // the file has all, by their names
	}{
		{"ptx", "clang++-22", func(t *testing.T, name string) string {
			text, err := os.ReadFile(filepath.Join(page, name+".hip"))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), name+".cu")
			if err := os.WriteFile(file, text, 0o666); err != nil {
				t.Fatal(err)
			}
			return file
		}, nil, false},
		{"spirv", "clang-22", func(*testing.T, string) string { return filepath.Join(page, "bugs.cl") },
			[]string{"--target", "spirv"}, true},
		{"gen9", "ocloc", gen, nil, true},
	} {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(way.tool); err != nil {
				t.Skipf("skipped: %v", err)
			}
			for _, b := range bugs {
				args := append([]string{"run", way.file(t, b.name)}, way.flags...)
				if way.kernels {
					args = append(args, "--kernel", b.kernel)
				}
				if r := simtgdb(t, append(args, strings.Fields(b.flags)...)...); !strings.Contains(r.out+r.err, b.found) {
					t.Errorf("%s: %+v, want %q", b.name, r, b.found)
				}
			}
		})
	}
}
