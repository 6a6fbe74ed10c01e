//go:build linux

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/device/openclc"
)

// sumModule is a kernel in SPIR-V that scenario "sums" of opencl.c launches.
const sumModule = kernels + "/spirv/cl_sum.cl.spv"

// gdbCommands are the flags that have gdb execute commands.
func gdbCommands(commands ...string) []string {
	flags := []string{"--gdb", "--gdb-ex", "set width 0"}
	for _, c := range commands {
		flags = append(flags, "--gdb-ex", c)
	}
	return flags
}

// TestExecOpenCLGDB debugs programs as they come to the device: as a binary, as a source that is compiled for
// gdb, and as SPIR-V. The second launch of a kernel stops, then one of another kernel.
func TestExecOpenCLGDB(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildOpenCLProgram(t, "opencl.c")
	for _, c := range []struct {
		name     string
		compiled bool // needs a compiler of OpenCL C
		flags    []string
		run      []string
		want     []string
	}{
		{"source", true, append(gdbCommands("backtrace", "list 8,9", "next", "next", "next", "print g",
			"print n", "print s",
			"print tile[3]", "print in[33]", "break says", "continue", "delete", "break 12 if l == 7",
			"continue", "print g", "print s.factor", "print tile[24]", "delete", "continue"),
			"--cl-options", "-cl-opt-disable", "--break", "reverse#2"),
			[]string{"rounds", hostPrograms + "/kernels.cl"},
			[]string{"#0  reverse (", "/simtgdb/opencl/program-", ".cl:7", "int g = get_global_id(0), l",
				"tile[l] = in[g];",
				"$1 = 0\n$2 = 64\n$3 = {factor = 2, more = 0.5}\n$4 = 28\n$5 = 62\n",
				"new program: /simtgdb/says-", "hit Breakpoint 1, says (out=0x2000",
				"new program: /simtgdb/reverse-", "hit Breakpoint 2, reverse (", "$6 = 7\n$7 = 3\n$8 = 48\n",
				"rounds: done\n[Inferior 1 (Remote target) exited normally]"}},
		{"optimized", true, append(gdbCommands("backtrace", "break 21", "continue", "delete", "break reverse",
			"info breakpoints",
			"continue", "delete", "continue"), "--break", "reverse#2"),
			[]string{"rounds", hostPrograms + "/kernels.cl"},
			[]string{"#0  reverse (out=0x2000", "out@entry=0x2000", "in@entry=0x2000", "n@entry=64",
				".cl:8\n", "hit Breakpoint 1, says (out=", "out@entry=0x2000",
				"2       breakpoint     keep y   0x000", "hit Breakpoint 2, reverse (",
				"rounds: done\n[Inferior 1 (Remote target) exited normally]"}},
		{"binary", false, append(gdbCommands("backtrace", "break 22", "continue", "delete", "continue"),
			"--break", "reverse#2"),
			[]string{"rounds", hostPrograms + "/kernels.co"},
			[]string{"reverse (out=0x2000", "out@entry=0x2000", "n@entry=64", "kernels.cl:8",
				"new program: /simtgdb/says-",
				"hit Breakpoint 1", "says (out=", "out@entry=0x2000",
				"rounds: done\n[Inferior 1 (Remote target) exited normally]"}},
		{"SPIR-V", false, append(gdbCommands("next", "next", "next", "info locals", "print n", "print a[2]",
			"break 17", "continue", "print part[0]", "print *part@2", "continue", "continue"),
			"--break", "cl_sum"),
			[]string{"sums", sumModule},
			[]string{"cl_sum (", "cl_sum.cl:1", "sum = 0\n", "$1 = 100\n$2 = 2\n",
				"hit Breakpoint 1, cl_sum (", "$3 = 1491\n$4 = {1491, 769}",
				"sums: done\n[Inferior 1 (Remote target) exited normally]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := openclc.Find(); err != nil && c.compiled {
				t.Skipf("skipped: %v", err)
			}
			r := execute(t, c.flags, append([]string{program}, c.run...)...)
			if missing := inOrder(r.out, c.want); missing != "" || r.status != 0 {
				t.Errorf("status %d; no %q in its place in\n%s\n%s", r.status, missing, r.out, r.err)
			}
		})
	}
}

// TestExecOpenCLCapture writes launches as launch files, which come to the same ends by themselves.
func TestExecOpenCLCapture(t *testing.T) {
	program := buildOpenCLProgram(t, "opencl.c")
	for _, c := range []struct {
		run      []string
		launches int
		elements string
	}{
		{[]string{"rounds", hostPrograms + "/kernels.co"}, 6, "all 64 elements are as expected"},
		{[]string{"sums", sumModule}, 1, "all 2 elements are as expected"},
	} {
		dir := filepath.Join(t.TempDir(), "captured")
		if r := execute(t, []string{"--capture", dir},
			append([]string{program}, c.run...)...); r.status != 0 {
			t.Fatalf("%s: status %d: %s", c.run[0], r.status, r.err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil || len(files) != c.launches {
			t.Fatalf("%s: %d launch files, %v", c.run[0], len(files), err)
		}
		for _, f := range files {
			r, want := simtgdb(t, "run", "--launch", f), c.elements
			if strings.Contains(f, "says") {
				want = "group 2 of 3\n"
			}
			if r.status != 0 || !strings.Contains(r.out, want) {
				t.Errorf("%s: status %d: %s%s", filepath.Base(f), r.status, r.out, r.err)
			}
		}
	}
}
