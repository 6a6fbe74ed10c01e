package main

import (
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/testdata/forkedgdb"
)

// TestHints: what gdb's user is told once, at the first resumption, if gdb cannot show much. A gdb that was
// given the kernel's object, which it cannot read (13.1 dies of its call frame information), goes on.
func TestHints(t *testing.T) {
	program(t)
	const unread, bare = "gdb has not read this program's symbols", "The program has no debugging information"
	symbols := filepath.Join(t.TempDir(), "symbols")
	if r := simtgdb(t, "serve", "--demo", "--stdio", "--symbols", symbols); r.status != statusInput {
		t.Fatalf("serve to nobody: %+v", r)
	}
	const demo = "target remote | bin/simtgdb serve --demo" // gdb's own pipe needs no --stdio
	for _, c := range []struct {
		args []string
		told string
	}{
		{[]string{"-ex", demo}, ""},
		{[]string{"-ex", "set sysroot /", "-ex", demo}, unread},
		{[]string{symbols, "-ex", demo}, ""},
		{[]string{"testdata/co/demo.gfx90a.O0.co", "-ex", demo}, unread},
		{[]string{"-ex", "target remote | bin/simtgdb serve testdata/check/src/traps.ptx --kernel debug " +
			"--grid 64 --block 64 --arg buf:i32[64]=iota --arg buf:i32[64]=zero"}, bare},
	} {
		cmd := batchGDB(t.Context(), "gdb", append(c.args, "-ex", "stepi", "-ex", "stepi",
			"-ex", "print $_exitcode", "-ex", "kill")...)
		out, err := forkedgdb.CombinedOutput(t.Context(), cmd)
		if err != nil || !strings.Contains(string(out), "$1 = void") ||
			!strings.Contains(string(out), "killed]") {
			t.Errorf("%v: %v\n%s", c.args, err, out)
		}
		for _, hint := range []string{unread, bare} {
			want := 0
			if hint == c.told {
				want = 1
			}
			if got := strings.Count(string(out), hint); got != want {
				t.Errorf("%v: %q is said %d times, want %d\n%s", c.args, hint, got, want, out)
			}
		}
	}
}

// TestWaysOut: messages of what does not work say what does.
func TestWaysOut(t *testing.T) {
	shader := filepath.Join(kernels, "spirv/control.Od.spv")
	layout := filepath.Join(kernels, "spirv/layout.Od.spv")
	vecadd := filepath.Join(kernels, "ptx/co/vecadd.O0.ptx")
	cubin := make([]byte, 64)
	copy(cubin, "\x7fELF\x02\x01\x01")
	cubin[16], cubin[18], cubin[20] = 2, 190, 1
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{written(t, string(cubin))},
			"a cubin has machine code of one processor alone; want PTX: nvcc --ptx"},
		{[]string{written(t, "DXBC0123456789ab")}, "compile the HLSL to SPIR-V: dxc -spirv"},
		{[]string{written(t, "__kernel void f() {}\n")},
			"or a source, which is known by the end of its name: .hip, "},
		{[]string{shader, "--groups", "1", "--arg", "buf:i32[4]"},
			"are bindings, as --binding 0.0=i32[64]=zero"},
		{[]string{shader, "--groups", "1", "--arg", "y=buf:i32[4]"},
			"are bindings, as --binding 0.0=i32[64]=zero"},
		{[]string{shader, "--groups", "4"}, "has no buffer: give it, as --binding 0.0=i32[128]=zero"},
		{[]string{filepath.Join(kernels, "spirv/sobel.Od.spv"), "--groups", "1"},
			"and has none: give it, as --binding 0.0=image:"},
		{[]string{filepath.Join(kernels, "spirv/mandel.Od.spv"), "--groups", "2",
			"--binding", "0.0=u32[128]"},
			"the module has width (u32), limit (u32): give them, as --push width=u32:1 --push limit=u32:1"},
		{[]string{layout, "--groups", "1", "--binding", "0.1=u32[64]"},
			"the module has bias (f32 with 4 values), which (i32): give them, as --push bias=f32:1,1,1,1 " +
				"--push which=i32:1"},
		{[]string{layout, "--groups", "1", "--push", "bias=f32:1,2,3,4", "--push", "which=i32:1",
			"--binding", "0.0=u32[64]", "--binding", "0.1=u32[64]"},
			"is a uniform buffer, not a storage buffer: say so, as --binding " +
				"0.0=uniform:u8[148]=zero"},
		{[]string{written(t, "\x50\xed\x55\xba\x01\x00\x10\x00"+strings.Repeat("\x00", 64)), "--grid", "1"},
			"the fat binary has no PTX for sm_90 or below it; it has nothing; have it made with nvcc " +
				"-gencode"},
		{[]string{vecadd, "--grid", "2", "--block", "256", "--arg", "u64:0", "--arg", "u64:0", "--arg",
			"u64:0", "--arg", "i32:4"}, "--groups (\"groups\") counts blocks, as CUDA's <<<>>> does"},
		{[]string{vecadd, "--groups", "4", "--block", "64", "--arg", "n=256", "--arg", "a=1,2",
			"--arg", "b=0", "--arg", "c=0"},
			"argument 0 (a) is given as 1,2, but is a pointer (const float *): give a buffer, as " +
				"a=buf:f32[]=1,2, or"},
		{[]string{vecadd, "--groups", "4"}, "no workgroup size: give --block"},
		{[]string{written(t, ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() .reqnctapercluster "+
			"2, 1, 1 { ret; }\n"),
			"--groups", "3", "--block", "32"}, "[3 1 1] workgroups are no multiple of the cluster's [2 1 1]"},
	} {
		r := simtgdb(t, append([]string{"run"}, c.args...)...)
		if r.status != statusInput || !strings.Contains(r.err, c.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v, want %q", c.args, r, c.want)
		}
	}
}
