package gcn

import (
	"strings"
	"testing"

	"simtgdb/simt"
)

// The tests of scalar and memory rows encode for a processor of gfx9. Later processors encode otherwise,
// which is judged by their text; what the rows do there is judged by the same tests, by instructions that are
// read as gfx9's and have the later rows put in their place.

// newHarnessFor is newHarness; of "gfx1100 as gfx90a" the rows of the first execute, encoded as for the
// second.
func newHarnessFor(t testing.TB, processors string) *harness {
	t.Helper()
	later, pen, as := strings.Cut(processors, " as ")
	if !as {
		return newHarness(t, processors)
	}
	h := newHarness(t, pen)
	isa, err := New(later, h.m.Mem, Kernel{VGPRs: 256, SGPRs: 102, WaveSize: simt.MaxLanes})
	if err != nil {
		t.Fatal(err)
	}
	h.later = isa
	h.core = isa.NewCore(h.m).(*Core)
	return h
}

// asLater are processors of each later generation, encoded as a processor of gfx9.
func asLater(pen string) []string {
	return []string{pen, "gfx1030 as " + pen, "gfx1100 as " + pen, "gfx1150 as " + pen, "gfx1200 as " + pen,
		"gfx1250 as " + pen}
}

// has reports whether the processor whose rows execute has one.
func (h *harness) has(enc Enc, name string) bool { return h.row(enc, name) != nil }

// row is the row that executes, nil if there is none.
func (h *harness) row(enc Enc, name string) *Op {
	isa := h.isa
	if h.later != nil {
		isa = h.later
	}
	for _, op := range isa.tables.rows[enc] {
		if op != nil && op.Name == name && op.Enc == enc {
			return op
		}
	}
	return nil
}

// runLater executes instructions by the rows of the later processor.
func (h *harness) runLater(insts ...[]uint32) simt.Event {
	h.t.Helper()
	b := &block{pc: codeBase, end: codeBase}
	for _, words := range insts {
		in, err := h.isa.Decode(wordsCode(words...), b.end)
		if err != nil {
			h.t.Fatal(err)
		}
		op := h.row(in.form, in.Op.Name)
		if op == nil {
			h.t.Fatalf("%v has no %v %s", h.later.Target, in.form, in.Op.Name)
		}
		in.Op, in.on = op, h.later.Target
		in.next, in.fast = nil, nil
		in.prepare()
		b.insts = append(b.insts, *in)
		b.end += uint64(in.Size)
		b.branch = op.ends()
		compared([]*Op{op}, path{}, partial(h.w))
	}
	h.w.PC, h.w.State = codeBase, simt.Ready
	c := h.core
	c.w, c.r, c.stop.Kind = h.w, h.regs, simt.NoEvent
	c.observeWhat()
	c.runInsts(b, b.insts)
	return c.stop
}

// hasEncoded reports whether the processor whose rows execute has that of an instruction.
func (h *harness) hasEncoded(words []uint32) bool {
	h.t.Helper()
	if h.later == nil {
		return true
	}
	in, err := h.isa.Decode(wordsCode(words...), codeBase)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.has(in.form, in.Op.Name)
}
