package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGDBCommand has the program start gdb: connected, with the lanes script, the demonstration's source and
// without a word about the connection. The program can be run again, and gdb's own status is the program's.
func TestGDBCommand(t *testing.T) {
	for _, debugger := range debuggers() {
		if _, err := exec.LookPath(debugger); err != nil {
			t.Skipf("skipped: %v", err)
		}
		r := simtgdb(t, "gdb", "--gdb", debugger, "--demo", "--", "-nx", "-batch", "-ex", "set width 0",
			"-ex", "break 19", "-ex", "continue", "-ex", "run", "-ex", "next", "-ex", "info lanes 0-1",
			"-ex", "python gdb.execute('quit 7')")
		out := r.out[:strings.Index(r.out+"\nBreakpoint 1", "\nBreakpoint 1")]
		if want := "demo (input=0x7e0010000000, output=0x7e0010020000, n=120) at ./demo.hip:13\n" +
			"13\tKERNEL demo(const int *input, int *output, int n) {"; out != want {
			t.Errorf("%s begins with %q, want %q", debugger, out, want)
		}
		for _, want := range []string{"19\t  if (value % 3 == 0) {\n",
			"\n20\t    int rounds = 1 + value % 4;\n", "  1   I      wave 0 lane 1 [1,0,0]  "} {
			if !strings.Contains(r.out, want) {
				t.Errorf("%s: %q does not say %q", debugger, r.out, want)
			}
		}
		if r.status != 7 {
			t.Errorf("%s: status %d, want gdb's; %s", debugger, r.status, r.err)
		}
	}
}

// TestGDBCommandEmbedded has gdb show the source that only the module has.
func TestGDBCommandEmbedded(t *testing.T) {
	r := simtgdb(t, "gdb", filepath.Join(kernels, "spirv/control.Od.spv"), "--groups", "1", "--binding",
		"0.0=storage:i32[64]", "--", "-nx", "-batch", "-ex", "list 1,3")
	if strings.Contains(r.out+r.err, "No such file") || !strings.Contains(r.out, "\n1\t#version 450\n") {
		t.Errorf("%+v", r)
	}
}

// TestGDBCommandRefuses: what is wrong is said before there is a gdb.
func TestGDBCommandRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"no.co"}, "simtgdb gdb: open no.co: no such file or directory\n"},
		{[]string{"--demo", "--gdb", "nogdb"}, "simtgdb gdb: exec: \"nogdb\": executable file not found in " +
			"$PATH (Debian: apt-get install gdb)\n"},
		{[]string{"--demo", "--stdio"}, "simtgdb gdb: flag provided but not defined: -stdio (gdb's own " +
			"flags stand behind the others, as simtgdb gdb FILE -- -stdio; simtgdb gdb --help lists the " +
			"flags)\n"},
	} {
		if r := simtgdbHere(append([]string{"gdb"}, c.args...)...); r.status != statusInput ||
			r.err != c.want || r.out != "" {
			t.Errorf("%v: %+v, want %q", c.args, r, c.want)
		}
	}
}

// TestGDBCommandEnded ends the program by a signal: gdb and the folder go with it.
func TestGDBCommandEnded(t *testing.T) {
	temporary := t.TempDir()
	c := simtgdbCommand(t, "gdb", "--demo", "--", "-nx", "-ex", "echo here\\n")
	c.Env = append(c.Env, "TMPDIR="+temporary)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out := &lineWait{want: "here", seen: make(chan struct{})}
	c.Stdout = out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-out.seen:
	case <-time.After(time.Minute):
		t.Fatal("gdb has not come to its prompt")
	}
	if err := c.Process.Signal(os.Kill); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left, err := filepath.Glob(filepath.Join(temporary, "*"))
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%v is left", left)
		}
	}
}

// A lineWait tells when a text has been written to it.
type lineWait struct {
	text, want string
	seen       chan struct{}
}

func (l *lineWait) Write(p []byte) (int, error) {
	was := strings.Contains(l.text, l.want)
	l.text += string(p)
	if !was && strings.Contains(l.text, l.want) {
		close(l.seen)
	}
	return len(p), nil
}

// TestInstall: make install puts a program where it is told to, which works from another folder.
func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	folder := t.TempDir()
	c := exec.Command("make", "-s", "install", "DESTDIR="+folder, "PREFIX=/usr")
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("make install: %v\n%s", err, out)
	}
	c = exec.Command(filepath.Join(folder, "usr/bin/simtgdb"), "run", "--demo")
	c.Dir = folder
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "as expected") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestHasPython: what a gdb is linked with says what it would say if it were asked, and one of which that
// says nothing is asked.
func TestHasPython(t *testing.T) {
	for _, debugger := range debuggers() {
		path, err := exec.LookPath(debugger)
		if err != nil {
			t.Skipf("skipped: %v", err)
		}
		asked, err := exec.Command(debugger, "--configuration").Output()
		if err != nil {
			t.Fatal(err)
		}
		with := strings.Contains(string(asked), "--with-python")
		has, links := hasPython(debugger), linksPython(path)
		if has != with || links && !with {
			t.Errorf("%s: Python: %v, linked: %v, of\n%s", debugger, has, links, asked)
		}
	}
	for says, want := range map[string]bool{"--with-python=/usr": true, "--without-python": false} {
		path := filepath.Join(t.TempDir(), "gdb")
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+says+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		if hasPython(path) != want || linksPython(path) {
			t.Errorf("%s: Python: %v, linked: %v", says, hasPython(path), linksPython(path))
		}
	}
}
