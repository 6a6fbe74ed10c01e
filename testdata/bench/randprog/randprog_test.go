package randprog

import (
	"strings"
	"testing"
)

// TestSame checks that a seed makes one program, and that others make others.
func TestSame(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(50) {
		text := File(New(seed))
		if text != File(New(seed)) {
			t.Errorf("seed %d makes two programs", seed)
		}
		seen[text] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d programs of 50 seeds", len(seen))
	}
}

// TestReduce reduces programs to what shows a fault: here a call of a function of the library.
func TestReduce(t *testing.T) {
	reduced := 0
	for seed := range uint64(60) {
		p := New(seed)
		fails := func(p *Program) bool { return strings.Contains(File(p)[len(prelude):], "mad24(") }
		before := len(File(p)) - len(prelude)
		if !fails(p) {
			continue
		}
		reduced++
		trials := 0
		Reduce(p, func(p *Program) bool { trials++; return fails(p) })
		text := File(p)[len(prelude):]
		if !fails(p) || strings.Count(text, "mad24(") != 1 || len(text) > 400 {
			t.Errorf("seed %d: %d bytes became, in %d trials,\n%s", seed, before, trials, text)
		}
		again := New(seed)
		Reduce(again, fails)
		if File(again)[len(prelude):] != text {
			t.Errorf("seed %d is reduced to something else the second time", seed)
		}
	}
	if reduced < 5 {
		t.Errorf("%d programs have what was looked for", reduced)
	}
}

// TestUnwrap checks that loops and branches go, and what is in them stays.
func TestUnwrap(t *testing.T) {
	inner := other.make("v0 = 7;")
	p := &Program{"k", listOf(other.make("for (;;) {\n@}", listOf(other.make("if (@) {\n@}",
		of(condition, "(@ < @)", func(int) *node { return uintExpr.make("v1") }, 0), listOf(inner)))))}
	Reduce(p, func(p *Program) bool { return strings.Contains(File(p)[len(prelude):], "v0 = 7;") })
	if got := strings.TrimSpace(File(p)[len(prelude):]); got != "v0 = 7;" {
		t.Errorf("left is %q", got)
	}
}
