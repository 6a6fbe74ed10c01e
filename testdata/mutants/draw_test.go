package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const toDraw = `package p

const size = 4

func f(n int, p *int) bool {
	for i := 0; i < n; i++ {
		*p += 2
	}
	if n > 0 && p != nil {
		g()
	}
	if n == size {
		g()
		return true
	}
	return false
}
`

// TestChanges: each line says one change of the text, as what stands there and what stands there then.
func TestChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(path, []byte(toDraw), 0o666); err != nil {
		t.Fatal(err)
	}
	all, err := changes(path)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, m := range all {
		changed := strings.Replace(toDraw, m.from, m.to, 1)
		if n := strings.Count(toDraw, m.from); n != 1 {
			t.Errorf("%q is there %d times, expected once", m.from, n)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), path, changed, 0); err != nil {
			t.Errorf("%q for %q: %v", m.to, m.from, err)
		}
		before, after := strings.Split(toDraw, "\n"), strings.Split(changed, "\n")
		for i := range before {
			if before[i] != after[i] {
				got[strings.TrimSpace(before[i])+" => "+strings.TrimSpace(after[i])] = true
			}
		}
	}
	want := map[string]bool{}
	for _, s := range []string{
		"for i := 0; i < n; i++ { => for i := 1; i < n; i++ {",
		"for i := 0; i < n; i++ { => for i := 0; i <= n; i++ {",
		"for i := 0; i < n; i++ { => for i := 0; i < n;  {",
		"*p += 2 => ",
		"*p += 2 => *p += 3",
		"if n > 0 && p != nil { => if n >= 0 && p != nil {",
		"if n > 0 && p != nil { => if n > 1 && p != nil {",
		"if n > 0 && p != nil { => if n > 0 || p != nil {",
		"if n > 0 && p != nil { => if n > 0 && p == nil {",
		"if n > 0 && p != nil { => if !(n > 0 && p != nil) {",
		"g() => ",
		"if n == size { => if n != size {",
		"return true => return false",
		"return false => return true",
	} {
		want[s] = true
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("changes (-expected +got):\n%s", d)
	}
	g := 0
	for _, m := range all {
		if strings.Contains(m.from, "g()") && !strings.Contains(m.to, "g()") {
			g++
		}
	}
	if g != 2 {
		t.Errorf("%d changes leave a call out, expected one for each of the 2", g)
	}
}

// TestDraw: the same seed draws the same, another another.
func TestDraw(t *testing.T) {
	var drawn [3][]mutant
	for i, seed := range []uint64{1, 1, 2} {
		var err error
		if drawn[i], err = draw(".", seed); err != nil {
			t.Fatal(err)
		}
	}
	same := func(a, b []mutant) bool { return cmp.Equal(a, b, cmp.AllowUnexported(mutant{})) }
	if !same(drawn[0], drawn[1]) || same(drawn[0], drawn[2]) {
		t.Error("a seed does not say what is drawn")
	}
}
