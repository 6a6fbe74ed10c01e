package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeGDB is a script that stands for gdb: it says a version, or where and how it runs, and fails as a script
// with an error does.
const fakeGDB = `#!/bin/sh
[ "$1" = --version ] && { echo "$VERSION"; exit; }
[ -z "$DIES" ] || kill -9 $$
echo "in $(basename "$PWD"): $*"
echo "$LC_ALL $TERM $HOME [$DEBUGINFOD_URLS] $(basename "${PATH%%:*}")"
exit 1
`

// gdbIn is a gdb in a folder of its own.
func gdbIn(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "gdb")
	if err := os.WriteFile(name, []byte(fakeGDB), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestVersion: the first lines of gdbs of several distributions, and of what is no gdb.
func TestVersion(t *testing.T) {
	gdb := gdbIn(t)
	for line, want := range map[string]int{"GNU gdb (Debian 13.1-3) 13.1": 13, "GNU gdb (GDB) 16.3": 16,
		"GNU gdb (Ubuntu 15.0.50.20240403-0ubuntu1) 15.0.50.20240403-git": 15,
		"GNU gdb (Fedora Linux) 17.1-2.fc43":                              17, "no version": 0, "": 0} {
		t.Setenv("VERSION", line)
		if got := Version(gdb); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
	if got := Version("/nowhere/gdb"); got != 0 {
		t.Errorf("none: %d", got)
	}
}

// TestScripts: a script runs in the folder, without what the user's environment has for gdb, and what is
// printed is compared with the transcript for the gdb's version, or becomes it.
func TestScripts(t *testing.T) {
	t.Setenv("VERSION", "GNU gdb (GDB) 16.3")
	t.Setenv("DEBUGINFOD_URLS", "https://debuginfod.example")
	folder, bin := filepath.Join(t.TempDir(), "here"), filepath.Join(t.TempDir(), "bin")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const printed = "in here: -nx -batch -x a.gdb\nC dumb /nonexistent [] bin\n"
	c := []Case{{Name: file("a.gdb"), Kind: Script}}
	r := Runner{Program: filepath.Join(bin, "simtgdb"), GDB: gdbIn(t), Folder: folder}
	expect := func(what, failure string, updated bool) {
		t.Helper()
		got := r.Run(context.Background(), c)[0]
		if !strings.Contains(got.Failure, failure) || failure == "" && got.Failure != "" ||
			got.Updated != updated {
			t.Errorf("%s: %+v, want %q", what, got, failure)
		}
		if got.Failure == "the transcript differs" && got.Output != "-else\n+C dumb /nonexistent [] bin\n" {
			t.Errorf("%s: %q", what, got.Output)
		}
	}
	expect("without a transcript", "a.txt", false)
	write("a.txt", printed)
	expect("as the transcript is", "", false)
	write("a.gdb16.txt", "in here: -nx -batch -x a.gdb\nelse\n")
	expect("as that for the version is not", "the transcript differs", false)
	r.Update = true
	expect("written anew", "", true)
	if text, err := os.ReadFile(file("a.gdb16.txt")); string(text) != printed {
		t.Errorf("the transcript is %q, %v", text, err)
	}
	expect("written once more", "", false)
	if err := errors.Join(os.Remove(file("a.gdb16.txt")), os.Remove(file("a.txt"))); err != nil {
		t.Fatal(err)
	}
	expect("written for the first time", "", true)
	if err := errors.Join(os.Remove(file("a.txt")), os.Mkdir(file("a.txt"), 0o700)); err != nil {
		t.Fatal(err)
	}
	expect("in the place of a folder", "directory", false)
	t.Setenv("DIES", "1")
	expect("killed", "killed", false)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := r.Run(ctx, c)[0]; got.Failure != "interrupted" {
		t.Errorf("interrupted: %+v", got)
	}
}

// TestShown: as many lines of a difference are shown as there is room for.
func TestShown(t *testing.T) {
	for lines, more := range map[int]bool{mostShown: false, mostShown + 1: true} {
		got := Difference(strings.Repeat("x\n", lines), "")
		n := strings.Count(got, "-x\n")
		if n != mostShown || strings.Contains(got, "and 1 more lines") != more ||
			strings.Contains(got, "more lines") != more {
			t.Errorf("of %d lines %d are shown: %q", lines, n, got[len(got)-20:])
		}
	}
}

// TestFindIn: folders below the one that is named are searched, but for hidden ones; one that is named may be
// hidden.
func TestFindIn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), ".hidden")
	for _, name := range []string{"sub/deeper/a.json", ".git/b.json"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`{"code_object": "x", "expect": 1}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Find([]string{folder}, false)
	if err != nil || len(got) != 1 || got[0].Name != filepath.Join(folder, "sub/deeper/a.json") {
		t.Errorf("%v, %v", got, err)
	}
}

// TestWritten: what cannot be written is an error.
func TestWritten(t *testing.T) {
	if WriteJUnit(full{}, results) == nil || WriteTAP(full{}, results) == nil {
		t.Error("results are written to what takes nothing")
	}
	if err := WriteJUnit(&later{}, results); err == nil {
		t.Error("results are written to what takes the beginning alone")
	}
}

// full takes nothing, and later nothing after the first piece.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

type later struct{ begun bool }

func (l *later) Write(p []byte) (int, error) {
	if l.begun {
		return 0, errors.New("full")
	}
	l.begun = true
	return len(p), nil
}
