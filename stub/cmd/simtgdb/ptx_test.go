package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// printed are the values that a transcript shows by number, but for addresses.
var printed = regexp.MustCompile(`(?m)^(?:Value returned is )?\$[0-9]+ = ([^(].*)$`)

// TestPTXValues compares what a script prints of a program in PTX with what it prints of the same source on
// gfx9.
func TestPTXValues(t *testing.T) {
	values := func(name string) (list []string) {
		text, err := os.ReadFile(filepath.Join(root, "testdata/gdb", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range printed.FindAllSubmatch(text, -1) {
			list = append(list, string(m[1]))
		}
		return list
	}
	want, got := values("calls"), values("ptx_calls")
	if len(want) < 6 {
		t.Fatalf("calls.txt has %d values", len(want))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("values of calls and ptx_calls (-want +got):\n%s", d)
	}
}
