package installed

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTool: a rustc that cannot say its version, as rustup's without a toolchain cannot, counts as absent.
func TestTool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	path := filepath.Join(dir, "rustc")
	for _, want := range []struct {
		script string
		there  bool
	}{
		{"#!/bin/sh\necho rustc 1.95.0\n", true},
		{"#!/bin/sh\necho 'error: rustup could not choose a version of rustc to run' >&2\nexit 1\n", false},
	} {
		if err := os.WriteFile(path, []byte(want.script), 0o777); err != nil {
			t.Fatal(err)
		}
		got, err := Tool("rustc")
		if there := err == nil; there != want.there || there && got != path {
			t.Errorf("%q: %q, %v", want.script, got, err)
		}
	}
	if _, err := Tool("none"); err == nil {
		t.Error("what is not there is found")
	}
}

func TestEach(t *testing.T) {
	const text = "a.o:\tfile format elf\n1\n\nVerifying b.o:\tfile format elf\n2\nb.o is said\n"
	got, err := Each(text, []string{"a.o", "b.o"})
	if err != nil || !slices.Equal(got, []string{"elf\n1\n\n", "elf\n2\nb.o is said\n"}) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := Each(text, []string{"a.o", "c.o"}); err == nil {
		t.Errorf("of c.o, %q", got)
	}
}
