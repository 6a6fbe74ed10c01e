//go:build linux

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestExecAddresses runs a program that compares the addresses of variables that it is told with those that
// kernels have, plainly, captured, and in gdb, which has the same.
func TestExecAddresses(t *testing.T) {
	for _, level := range sweep.Some(2, "-O0", "-O3") {
		program := compileProgram(t, level, "addresses.hip", "addresses_other.hip")
		dir := filepath.Join(t.TempDir(), "captured")
		for _, flags := range [][]string{nil, {"--capture", dir}} {
			r := execute(t, flags, program)
			if r.status != 0 || r.out != "addresses: 0 wrong\n" || r.err != "" {
				t.Errorf("%s %q: status %d: %s%s", level, flags, r.status, r.out, r.err)
			}
		}
		for _, launch := range []string{"0001-take.json", "0002-load.json", "0003-same.json"} {
			if r := simtgdb(t, "run", "--launch", filepath.Join(dir, launch)); r.status != 0 {
				t.Errorf("%s: %s: status %d: %s%s", level, launch, r.status, r.out, r.err)
			}
		}
	}
	needGDB(t)
	program := compileProgram(t, "-O0", "addresses.hip", "addresses_other.hip")
	flags := append(gdbCommands("print w->value == &value", "print w->limit == &limit",
		"print pointer == &value", "info symbol w->value", "print *w->value", "set breakpoint pending on",
		"tbreak addresses_other.hip:6", "continue", "print &value == *where",
		"print value", "print **where", "info symbol *where"), "--break", "same#2")
	r := execute(t, flags, program)
	for _, want := range []string{"$1 = true\n", "$2 = true\n", "$3 = true\n", "value in section .data",
		"$4 = 8\n", "$5 = false\n",
		"$6 = 11\n", "$7 = 13\n", "No symbol matches *where."} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s%s", want, r.out, r.err)
		}
	}
}
