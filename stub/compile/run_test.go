package compile

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun: a compiler's commands run until one fails; shown are all of them, as a shell would take them, and
// what those that ran have said.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "tool")
	const script = "#!/bin/sh\necho \"says $*\"\n[ \"$1\" != fail ]\n"
	if err := os.WriteFile(tool, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		commands [][]string
		command  string
		said     string
		ok       bool
	}{
		{[][]string{{"tool", "one"}}, "tool one", "says one\n", true},
		{[][]string{{"tool", "one"}, {"tool", "two", "x"}}, "tool one && tool two x",
			"says one\nsays two x\n", true},
		{[][]string{{"tool", "one"}, {"tool", "fail"}, {"tool", "three"}},
			"tool one && tool fail && tool three", "says one\nsays fail\n", false},
	} {
		j := &job{work: dir, tool: tool}
		command, said, err := j.run(context.Background(), c.commands)
		if strings.Join(command, " ") != c.command || string(said) != c.said || (err == nil) != c.ok {
			t.Errorf("%q: %q, %q, %v", c.commands, command, said, err)
		}
	}
}

// TestDescribed: an object has debugging information or not; of what is no object others say what is wrong.
func TestDescribed(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.zebin")
	if err := os.WriteFile(none, []byte("no ELF"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]bool{none: true, "../../testdata/co/saxpy.gfx90a.O2.co": true,
		"../../testdata/igc/zebin/basic-O2.zebin": false} {
		if got := described(file); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}
