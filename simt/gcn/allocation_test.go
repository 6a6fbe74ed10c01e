package gcn

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// TestNoAllocation: code that has run before runs again without the garbage collector's memory, in every
// path, whatever it is made of.
func TestNoAllocation(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	measured := map[string]int{}
	for seed := range uint64(24) {
		processor := Targets()[seed%uint64(len(Targets()))]
		for _, p := range paths() {
			h := newHarness(t, processor)
			h.take(p)
			s := randomStream(h.isa, streamRows(h.isa), seed, 40)
			s.begin(h)
			if p.translated {
				h.translate()
			}
			again := func() simt.EventKind {
				h.w.PC, h.w.State = codeBase, simt.Ready
				h.regs.S[streamCounter] = 4
				h.exec(all64)
				return h.core.Run(h.w, 4000).Kind
			}
			// Twice: the second run is translated.
			if first := again(); first != simt.EndEvent || again() != first {
				continue // a fault, of which there is something to be told
			}
			before := h.w.Insts
			if n := testing.AllocsPerRun(5, func() { again() }); n != 0 {
				t.Errorf("seed %d, %v: %v allocations in %d instructions\n%s", seed, p, n,
					(h.w.Insts-before)/6, s.text(h.isa))
			}
			measured[p.String()]++
		}
	}
	for _, p := range paths() {
		if measured[p.String()] == 0 {
			t.Errorf("nothing was measured of %v", p)
		}
	}
}

// allocating are rows that compute with numbers of package big.
var allocating = map[string]bool{"v_div_fmas_f64": true, "v_trig_preop_f64": true}

// TestRowsDoNotAllocate: no row needs the garbage collector's memory when the interpreter runs it again.
func TestRowsDoNotAllocate(t *testing.T) {
	seen := map[string]bool{}
	for _, processor := range []string{"gfx950", "gfx90a", "gfx900"} {
		h := newHarness(t, processor)
		h.m.Interpret = true
		for enc, all := range h.isa.tables.rows {
			for _, op := range all {
				if op == nil || op.Enc != Enc(enc) || seen[op.Name] || op.ends() || allocating[op.Name] {
					continue
				}
				seen[op.Name] = true
				allocates(t, h, op)
			}
		}
	}
	if len(seen) < 700 {
		t.Errorf("%d rows were looked at", len(seen))
	}
}

// allocates measures an encoding of a row.
func allocates(t *testing.T, h *harness, op *Op) {
	r := rand.New(sweep.PCG(uint64(op.Code), 16))
	for range 20 {
		words := streamInst(r, op)
		if words == nil {
			return
		}
		in, err := h.isa.Decode(wordsCode(words...), codeBase)
		if err != nil || in.Op != op {
			continue
		}
		(&stream{mode: streamModes[0], seed: 5, code: [][]uint32{words}}).begin(h)
		h.exec(all64)
		again := func() simt.EventKind {
			h.w.PC, h.w.State = codeBase, simt.Ready
			return h.core.Run(h.w, 1).Kind
		}
		if first := again(); first != simt.NoEvent || again() != first {
			continue
		}
		if n := testing.AllocsPerRun(3, func() { again() }); n != 0 {
			t.Errorf("%v: %v allocations", in, n)
		}
		return
	}
}
