package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestHouse: nothing in the project has become longer than the list allows.
func TestHouse(t *testing.T) {
	var out strings.Builder
	if err := run("../..", false, &out); err != nil {
		t.Errorf("%v:\n%s", err, &out)
	}
}

// TestMeasure: what is too long is found, and only that.
func TestMeasure(t *testing.T) {
	body := func(n int) string { return strings.Repeat("\tprintln()\n", n) }
	full := "// " + strings.Repeat("word ", 16) + "ends\n"
	text := "package p\n\n" + full + "// the\n" + full + full + "// the end.\n\n" +
		"func short() {\n" + body(58) + "}\n\n" +
		"func (t *T[K]) long() {\n" + body(59) + "}\n\n" +
		"func table() []int {\n\treturn []int{\n" + strings.Repeat("\t\t1,\n", 60) + "\t}\n}\n\n" +
		"// " + strings.Repeat("ä", 107) + "\n" +
		"var x = 1 // " + strings.Repeat("x", 98) + "\n" +
		"type T[K any] struct {\n\tx int // " + strings.Repeat("y", 104) + "\n}\n"
	got, err := measure(fstest.MapFS{
		"a/p.go":       {Data: []byte(text)},
		"a/p_test.go":  {Data: []byte("package p\n\nfunc test() {\n" + body(700) + "}\n")},
		".hidden/x.go": {Data: []byte("no Go")},
		"a/b.txt":      {Data: []byte("no Go")},

		"a/b.c":          {Data: []byte("// " + strings.Repeat("y", 108) + "\n")},
		clients + "/a.c": {Data: []byte("// " + strings.Repeat("y", 108) + "\n" + full + "// the\n" + full)},
		clients + "/b.h": {Data: []byte(generated + strings.Repeat("y", 108) + "\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := sizes{"function a T.long": 61, "file a/p_test.go": 704, "columns a": 2, "orphans a": 1,
		"columns " + clients: 1, "orphans " + clients: 1}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	again, err := parse(got.String())
	if d := cmp.Diff(got, again); err != nil || d != "" {
		t.Error(err, d)
	}
	var out strings.Builder
	if err := compare(got, sizes{"columns a": 3, "file a/p_test.go": 704}, &out); err == nil ||
		out.String() != "columns "+clients+": 1, at most 0\n"+
			"function a T.long: 61, at most 60\norphans a: 1, at most 0\norphans "+clients+": 1, at most 0\n"+
			"columns a: 2, no longer 3: go run ./testdata/lint -update\n" {
		t.Errorf("%v: %s", err, &out)
	}
	list := smaller(got, sizes{"columns a": 3, "file a/p_test.go": 700, "columns b": 2})
	if d := cmp.Diff(sizes{"columns a": 2, "file a/p_test.go": 700}, list); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"x", "x y", "x 0", "x -3"} {
		if _, err := parse(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	if _, err := measure(os.DirFS("nowhere")); err == nil {
		t.Error("nowhere is measured")
	}
}
