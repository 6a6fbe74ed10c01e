package built

import (
	"os"
	"path/filepath"
	"testing"
)

// TestIdentity: a tool is the same on every processor, and another one if it says another version, or is
// another file.
func TestIdentity(t *testing.T) {
	of := func(said string) string {
		path := filepath.Join(t.TempDir(), "tool")
		if err := os.WriteFile(path, []byte("#!/bin/sh\ncat \"$0.says\"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".says", []byte(said), 0o666); err != nil {
			t.Fatal(err)
		}
		return identity(path)
	}
	const version, target = "LLVM version 22.1.8\n", "  Default target: x86_64-pc-linux-gnu\n"
	here := of(version + target + "  Host CPU: znver4\n")
	if there := of(version + target + "  Host CPU: (unknown)\n"); there != here {
		t.Error("a tool is another one on another processor")
	}
	for _, other := range []string{"LLVM version 22.1.7\n" + target, version + "  Default: aarch64\n"} {
		if of(other) == here {
			t.Errorf("what says %q is taken for another tool", other)
		}
	}
}
