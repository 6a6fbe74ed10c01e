package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPushNamed gives push constants by their names, in any order, on the command line and in a launch file:
// what comes of it is what their values in the block's order do.
func TestPushNamed(t *testing.T) {
	shader, err := filepath.Abs(filepath.Join(kernels, "spirv/mandel.Od.spv"))
	if err != nil {
		t.Fatal(err)
	}
	base := []string{"run", shader, "--groups", "2", "--binding", "0.0=u32[128]", "--print", "0.0,count=64"}
	plain := simtgdb(t, append(base, "--push", "u32:16", "--push", "u32:40")...)
	if plain.status != 0 || !strings.Contains(plain.out, "40") {
		t.Fatalf("%+v", plain)
	}
	named := simtgdb(t, append(base, "--push", "limit=u32:40", "--push", "width=16")...)
	if named != plain {
		t.Errorf("by name %+v, in order %+v", named, plain)
	}
	file := filepath.Join(t.TempDir(), "launch.json")
	text := `{"code_object": "` + shader + `", "groups": [2], "push": {"limit": {"u32": 40}, "width": 16},
 "bindings": [{"set": 0, "binding": 0, "kind": "storage", "type": "u32", "count": 128}]}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := simtgdb(t, "run", "--launch", file, "--print", "0.0,count=64"); r != plain {
		t.Errorf("of a file %+v, in order %+v", r, plain)
	}
	for push, want := range map[string]string{
		"limt=u32:4":    "push constant limt: the module has width (u32), limit (u32)",
		"limit=4.5":     `push constant limit: "4.5" is no number of type u32`,
		"limit=f32:4":   "push constant limit is u32, not f32",
		"limit=u32:4,5": "push constant limit is u32, not u32 with 2 values",
	} {
		if r := simtgdb(t, append(base, "--push", push)...); r.status != statusInput ||
			!strings.Contains(r.err, want) {
			t.Errorf("%s: %+v, want %q", push, r, want)
		}
	}
	if r := simtgdb(t, append(base, "--push", "u32:4", "--push", "limit=u32:4")...); r.status !=
		statusInput || !strings.Contains(r.err, "give all one way") {
		t.Errorf("%+v", r)
	}
}

// TestTemplatesRun runs launch files as --launch-template prints them, of programs of all kinds: they are
// launches, to which nothing needs to be added. What a kernel makes of zeroes is its own affair.
func TestTemplatesRun(t *testing.T) {
	for _, file := range []string{"co/calls.gfx90a.O0.co", "co/matmul.gfx90a.O0.co", "co/saxpy.gfx942.O2.co",
		"ptx/co/matmul.O0.ptx", "ptx/co/calls.O0.ptx", "spirv/mandel.Od.spv", "spirv/matmul.Od.spv",
		"spirv/nbody.Od.spv", "spirv/nodes.Od.spv", "spirv/cl_sum.cl.spv", "check/calls.far_fault.O0.zebin"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			module, err := filepath.Abs(filepath.Join(kernels, file))
			if err != nil {
				t.Fatal(err)
			}
			r := simtgdb(t, "info", "--launch-template", module)
			if r.status != 0 {
				t.Fatalf("%+v", r)
			}
			launch := filepath.Join(t.TempDir(), "launch.json")
			if err := os.WriteFile(launch, []byte(r.out), 0o666); err != nil {
				t.Fatal(err)
			}
			r = simtgdb(t, "run", "--launch", launch, "--max-instructions", "1000000")
			if r.status != statusDone && r.status != statusFault {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestPushAggregates: vectors, matrices and arrays of push constants are given by their names, a number after
// the other.
func TestPushAggregates(t *testing.T) {
	if _, err := exec.LookPath("glslangValidator"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	shader := filepath.Join(t.TempDir(), "k.comp")
	text := `#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer Out { float o[]; };
layout(push_constant) uniform P { mat4 m; ivec2 v; float a[3]; } p;
void main() { for (int i = 0; i < 16; i++) o[i] = p.m[i / 4][i % 4]; o[16] = p.v.y; for (int i = 0; i < 3; i++) o[17 + i] = p.a[i]; }
`
	if err := os.WriteFile(shader, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := simtgdb(t, "run", shader, "--groups", "1", "--binding", "0.0=f32[20]", "--push", "a=f32:17,18,19",
		"--push", "v=i32:5,16", "--push", "m=f32:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "--print",
		"0.0,columns=20")
	if want := "[0] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"; r.status != 0 ||
		!strings.Contains(strings.Join(strings.Fields(r.out), " "), want) {
		t.Errorf("%+v, want %s", r, want)
	}
}
