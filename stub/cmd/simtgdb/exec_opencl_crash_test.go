//go:build linux

package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExecCrash: host programs that crash while kernels are under way, by themselves and with a gdb that
// stands in a kernel or is about to. The status is the signal's, it is said what it was, gdb hears how it
// ended, and nothing is left behind.
func TestExecCrash(t *testing.T) {
	program := buildOpenCLProgram(t, "opencl_crash.c")
	for _, s := range []struct {
		name, signal string
		status       int
		told         string // to gdb
	}{
		{"reads", "segmentation fault", 128 + 11, "exited with code 0213"},
		{"aborts", "aborted", 128 + 6, "exited with code 0206"},
		{"thread", "bus error", 128 + 7, "exited with code 0207"},
		{"callback", "aborted", 128 + 6, "exited with code 0206"},
	} {
		for way, flags := range map[string][]string{
			"alone": nil,
			"gdb":   append(gdbCommands("continue", "continue", "continue"), "--break", "add"),
		} {
			t.Run(s.name+" "+way, func(t *testing.T) {
				if way == "gdb" {
					needGDB(t)
				}
				temporary, mark := t.TempDir(), "SIMTGDB_TEST_MARK="+t.Name()
				c := execOn(t, flags, program, s.name, hostPrograms+"/kernels.co")
				c.Env = append(c.Env, mark, "TMPDIR="+temporary)
				var out, errs bytes.Buffer
				c.Stdout, c.Stderr = &out, &errs
				if _, ok := c.Run().(*exec.ExitError); !ok {
					t.Fatalf("it did not fail\n%s%s", out.String(), errs.String())
				}
				want := filepath.Base(program) + " was ended by a signal: " + s.signal
				if got := c.ProcessState.ExitCode(); got != s.status ||
					!strings.Contains(errs.String(), want) {
					t.Errorf("status %d, want %d and %q\n%s%s", got, s.status, want, out.String(),
						errs.String())
				}
				if way == "gdb" && !strings.Contains(out.String(), s.told) {
					t.Errorf("no %q in\n%s%s", s.told, out.String(), errs.String())
				}
				eventually(t, "all processes are gone", func() bool { return processOf(t, mark, "") == 0 })
				eventually(t, "all temporary files are gone", func() bool { return isEmpty(t, temporary) })
			})
		}
	}
}
