package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunOutput: --out N=- is standard output, with nothing besides; what run says goes to standard error.
// Where gdb is served standard output is not for results.
func TestRunOutput(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=iota", "--arg",
		"buf:i32[64]=zero", "--arg", "i32:64", object("demo", "gfx90a", "O0")}
	with := func(command string, more ...string) result {
		return simtgdb(t, append(append([]string{command}, more...), args...)...)
	}
	if r := with("run", "--out", "1="+out); r.status != 0 {
		t.Fatal(r.err)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	r := with("run", "--out", "1=-", "--expect", "1="+out, "--stats")
	if r.status != 0 || r.out != string(want) || !strings.Contains(r.err, "all 64 elements are as expected") {
		t.Errorf("status %d, %d bytes of %d, %s", r.status, len(r.out), len(want), r.err)
	}
	if !strings.Contains(
		r.err, "\ntranslated                    0.0  % of the wave instructions, with 0 interludes\n") {
		t.Errorf("--stats prints\n%s", r.err)
	}
	if r := with("serve", "--stdio", "--out", "1=-"); r.status != 2 || r.out != "" ||
		!strings.Contains(r.err, "standard output is not for results while gdb is served") {
		t.Errorf("serve: status %d, %q, %s", r.status, r.out, r.err)
	}
}

// TestHelpHyphens: help shows flags as the documents do, and each can be given so.
func TestHelpHyphens(t *testing.T) {
	for _, command := range []string{"run", "serve", "exec", "profile", "disasm", "replay", "info"} {
		r := simtgdb(t, "help", command)
		_, flags, _ := strings.Cut(r.out, "\nflags:\n")
		if !strings.HasPrefix(flags, "  --") || strings.Contains(flags, "\n  -") &&
			strings.Count(flags, "\n  -") != strings.Count(flags, "\n  --") {
			t.Errorf("%s: %s", command, r.out)
		}
	}
}

// TestSourceCache: with the script a gdb shows a source anew that was written anew before it connected again.
func TestSourceCache(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		if out, err := exec.Command(gdb, "-nx", "-batch", "-ex",
			"python print(1)").CombinedOutput(); err != nil || !strings.Contains(string(out), "1") {
			t.Skip("skipped: no Python in this gdb")
		}
		dir := t.TempDir()
		source, script := filepath.Join(dir, "demo.hip"), filepath.Join(dir, "script.py")
		lines := strings.Repeat("old\n", 30)
		for name, text := range map[string]string{source: lines, script: simtgdb(t, "gdbscript").out} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		address, program := serverOfCopy(t)
		connect := "target extended-remote " + address
		out := debug(t, gdb, "source "+script, "directory "+dir, connect, "list 7,7", "kill",
			"shell cp "+objectPath(t, "O2")+" "+program, "shell sed -i s/old/new/ "+source, connect,
			"list 7,7", "kill")
		contains(t, out, "7\told", "7\tnew")
	})
}
