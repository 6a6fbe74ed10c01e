package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestPicture: the picture of the README is what the script's command writes where gdb stands in the function
// of the demonstration that some lanes call.
func TestPicture(t *testing.T) {
	drawn := filepath.Join(t.TempDir(), "map.svg")
	r := simtgdb(t, "gdb", "--demo", "--", "-nx", "-batch", "-ex", "break weigh", "-ex", "continue", "-ex",
		"next", "-ex", "next", "-ex", "map "+drawn)
	got, err := os.ReadFile(drawn)
	if err != nil {
		t.Fatalf("%v: %+v", err, r)
	}
	shown := filepath.Join(root, "docs/map.svg")
	if *update {
		if err := os.WriteFile(shown, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(shown); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/map.svg is another picture (%v): go test -run TestPicture -update draws it", err)
	}
}
