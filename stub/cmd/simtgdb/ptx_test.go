package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

// asPointer are the words by which PTX says that a parameter is an address. Nvcc leaves them out.
var asPointer = regexp.MustCompile(` \.ptr( \.(global|const|shared|local))?( \.align \d+)?`)

// TestPTXPlainPointers launches a program whose parameters are plain numbers of 64 bits, with buffers.
func TestPTXPlainPointers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "testdata/ptx/co/demo.O2d.ptx"))
	if err != nil {
		t.Fatal(err)
	}
	plain := asPointer.ReplaceAll(text, nil)
	if string(plain) == string(text) {
		t.Fatal("the program has no .ptr")
	}
	file := filepath.Join(t.TempDir(), "plain.ptx")
	if err := os.WriteFile(file, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	demo := filepath.Join(root, "testdata/launch/demo.json")
	if r := simtgdb(t, "run", "--launch", demo, "--code-object", file); r.status != 0 {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
	r := simtgdb(t, "info", "--launch-template", file)
	if r.status != 0 || !strings.Contains(r.out, `"buffer"`) {
		t.Errorf("status %d, template: %s%s", r.status, r.out, r.err)
	}
	want := "argument 2 (n) is a buffer of i32[1], not a value of 4 bytes"
	r = simtgdb(t, "run", "--code-object", file, "--grid", "1", "--block", "1", "--arg", "buf:i32[1]=zero",
		"--arg", "buf:i32[1]=zero", "--arg", "buf:i32[1]=zero")
	if r.status == 0 || !strings.Contains(r.err, want) {
		t.Errorf("status %d, %s, want %s", r.status, r.err, want)
	}
}
