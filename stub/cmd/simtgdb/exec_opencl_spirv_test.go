//go:build linux

package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestExecSPIRV runs the scenarios of opencl_spirv.c.
func TestExecSPIRV(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "opencl_spirv.c")
	for s, files := range map[string][]string{"life": {"life.spv"}, "links": {"calls.spv", "part.spv"},
		"mixed": {"life.spv", "kernels.co"}} {
		t.Run(s, func(t *testing.T) {
			if _, err := exec.LookPath("spirv-link"); err != nil && s == "links" {
				t.Skipf("skipped: %v", err)
			}
			args := []string{program, s}
			for _, f := range files {
				args = append(args, hostPrograms+"/"+f)
			}
			if r := execute(t, nil, args...); r.status != 0 || r.out != s+": done\n" {
				t.Errorf("status %d: %q\n%s", r.status, r.out, r.err)
			}
		})
	}
}

// TestCaptureSPIRV: a launch that is captured has the variables of its program as they were then.
func TestCaptureSPIRV(t *testing.T) {
	program := buildOpenCLProgram(t, "opencl_spirv.c")
	dir := filepath.Join(t.TempDir(), "captured")
	if r := execute(t, []string{"--capture", dir}, program, "life", hostPrograms+"/life.spv"); r.status != 0 {
		t.Fatalf("status %d: %q\n%s", r.status, r.out, r.err)
	}
	launches, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(launches) != 15 {
		t.Fatalf("%d launches, %v", len(launches), err)
	}
	for _, l := range launches {
		if r := simtgdb(t, "run", "--launch", l); r.status != 0 {
			t.Errorf("%s: status %d: %s%s", filepath.Base(l), r.status, r.out, r.err)
		}
	}
}

// TestSPIRVLengths: in gdb, arrays are as long as the program's constants say.
func TestSPIRVLengths(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildOpenCLProgram(t, "opencl_spirv.c")
	flags := append(gdbCommands("break 8", "continue", "print sizeof(own)", "print own[3]",
		"print sizeof(table)", "print runs", "delete", "continue",
		"break 8", "continue", "print sizeof(own)", "print own[999]",
		"print sizeof(table)", "print table[999]", "print runs", "delete", "continue"),
		"--break", "count#3", "--break", "count#6")
	r := execute(t, flags, program, "life", hostPrograms+"/life.spv")
	want := []string{"$1 = 16\n$2 = 77\n$3 = 16\n$4 = 8\n", "$5 = 4000\n$6 = 77\n$7 = 4000\n$8 = 4\n$9 = 7\n",
		"life: done\n[Inferior 1 (Remote target) exited normally]"}
	if missing := inOrder(r.out, want); missing != "" || r.status != 0 {
		t.Errorf("status %d; no %q in its place in\n%s\n%s", r.status, missing, r.out, r.err)
	}
}
