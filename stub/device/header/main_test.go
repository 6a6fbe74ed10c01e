package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHeader: the header that clients are compiled with is what the service's constants come to.
func TestHeader(t *testing.T) {
	want, err := header("../protocol.go")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../client/src/protocol.h")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("client/src/protocol.h is out of date: go generate ./stub/device (-want +got):\n%s", diff)
	}
}

// asCommand is set in the environment of a process that is the command.
const asCommand = "SIMTGDB_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// command runs the command, and gives its status and what it says.
func command(args ...string) (status int, said string) {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	out, _ := c.CombinedOutput()
	return c.ProcessState.ExitCode(), string(out)
}

// TestCommand: the command writes what a file's constants come to, and says what is wrong.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.h")
	for _, c := range []struct {
		source string
		status int
		said   string
		lines  []string // of the header
	}{
		{"// The kinds.\n//\n//c:enum kind Kind K_\nconst (\n\tKindOne = iota + 1 // the first\n\tKindTwo\n" +
			"\tKindBig = 1 << 4\n)\n", 0, "", []string{"// The kinds.", "enum kind {",
			"K_ONE = 1, // the first", "K_TWO = 2,", "K_BIG = 16,"}},
		{"// Without a name.\nconst (\n\tA = 1\n)\n", 1, "//c:enum NAME TRIM PREFIX", nil},
		{"// A.\n//\n//c:enum - - -\nconst (\n\tA = 7 / 2\n)\n", 1, "a value wants numbers", nil},
		{"// A.\n//\n//c:enum - - -\nconst (\n\tA = f(1)\n)\n", 1, "a value wants numbers", nil},
		{"no Go", 1, "expected", nil},
	} {
		in := filepath.Join(dir, "in.go")
		if err := os.WriteFile(in, []byte("package p\n\n"+c.source), 0o600); err != nil {
			t.Fatal(err)
		}
		os.Remove(out)
		status, said := command(in, out)
		if status != c.status || !strings.Contains(said, c.said) {
			t.Errorf("%q: status %d, %q, want %d, %q", c.source, status, said, c.status, c.said)
		}
		text, _ := os.ReadFile(out)
		for _, line := range c.lines {
			if !strings.Contains(string(text), line) {
				t.Errorf("%q: no %q in\n%s", c.source, line, text)
			}
		}
		if c.status != 0 && text != nil {
			t.Errorf("%q: something is written", c.source)
		}
	}
	for _, args := range [][]string{nil, {"a"}, {"a", "b", "c"}} {
		if status, said := command(args...); status != 2 || !strings.Contains(said, "header GO-FILE C-FILE") {
			t.Errorf("%q: status %d, %q", args, status, said)
		}
	}
	if status, _ := command("../protocol.go", filepath.Join(dir, "nowhere", "out.h")); status != 1 {
		t.Errorf("where nothing can be written: status %d", status)
	}
}
