package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuiteOfTestdata: the command runs a part of testdata, from the top of the repository.
func TestSuiteOfTestdata(t *testing.T) {
	program(t)
	c := simtgdbCommand(t, "test", "testdata", "--run",
		"launch/(vecadd|mandelbrot)|gdb/(demo|fault|words_ptx)[.]", "--tap", "-")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"gdb/demo.gdb", "gdb/fault.gdb", "gdb/words_ptx.gdb",
		"launch/mandelbrot.json", "launch/vecadd.json"} {
		if !strings.Contains(string(out), " - testdata/"+name+"\n") {
			t.Errorf("%s was not run:\n%s", name, out)
		}
	}
}

// TestSuite: what fails is said, with what differs; --update writes transcripts.
func TestSuite(t *testing.T) {
	program(t)
	folder := t.TempDir()
	object, err := filepath.Abs(object("vecadd", "gfx90a", "O0"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"want.bin": "\x00\x00\x00\x00",
		"wrong.json": `{"code_object": "` + object + `", "grid": [1], "block": [1], "args": [
 {"buffer": {"type": "f32", "init": [1]}}, {"buffer": {"type": "f32", "init": [2]}},
 {"buffer": {"type": "f32", "count": 1}, "expect": {"file": "want.bin"}}, {"i32": 1}]}`,
		"hello.gdb": "echo hello\\n\nprint 2 + 3\n",
		"hello.txt": "hello\n$1 = 6\n",
		"new.gdb":   "print 1\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := simtgdb(t, "test", folder)
	if r.status != statusUnexpected || !strings.Contains(r.out, "    -$1 = 6\n    +$1 = 5\n") ||
		!strings.Contains(r.out, "1 of 1 elements differ from ") ||
		!strings.Contains(r.out, "\n0 passed, 2 failed, in ") {
		t.Errorf("%+v", r)
	}
	if r := simtgdb(t, "test", "--update", "--run", "gdb$", folder); r.status != statusDone ||
		strings.Count(r.out, "updated ") != 2 {
		t.Errorf("%+v", r)
	}
	for name, want := range map[string]string{"hello.txt": "hello\n$1 = 5\n", "new.txt": "$1 = 1\n"} {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if r := simtgdb(t, "test", "--run", "gdb$", folder); r.status != statusDone ||
		strings.Count(r.out, "ok ") != 2 {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name folders"},
		{[]string{folder, "--run", "nothing"}, "nothing to run in "},
		{[]string{folder, "--gdb", "nogdb"}, "the scripts want a gdb"},
		{[]string{folder, "--shard", "3/2"}, "want I/N"},
	} {
		if r := simtgdbHere(append([]string{"test"}, c.args...)...); r.status != statusInput ||
			!strings.Contains(r.err, c.want) {
			t.Errorf("%v: %+v, want %q", c.args, r, c.want)
		}
	}
}
