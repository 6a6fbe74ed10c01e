package gcn

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// Tests of execution run what they run twice: as they say, in the interpreter with what vector instructions
// the host has, and then in another path, the next each time. Both must come to the same.

// A harnessState is all that an instruction can change.
type harnessState struct {
	wave    simt.Wave
	regs    Regs
	vectors []Vector
	scratch []byte
	lds     []byte
	memory  [][]byte // of regions that can be written
}

func (h *harness) state() *harnessState {
	s := &harnessState{wave: *h.w, regs: *h.regs, vectors: slices.Clone(h.regs.V),
		scratch: slices.Clone(h.w.Scratch), lds: slices.Clone(h.group.LDS)}
	for _, r := range h.m.Mem.Regions() {
		s.memory = append(s.memory, slices.Clone(r.Data))
	}
	return s
}

// become makes the harness what it was.
func (h *harness) become(s *harnessState) {
	scratch, v := h.w.Scratch, h.regs.V
	*h.w, *h.regs = s.wave, s.regs
	h.regs.V = append(v[:0], s.vectors...)
	h.w.Scratch = append(scratch[:0], s.scratch...)
	copy(h.group.LDS, s.lds)
	for i, r := range h.m.Mem.Regions() {
		copy(r.Data, s.memory[i])
	}
}

// differsFromState says in what the harness is not what it was in another path, "" if in nothing.
func (h *harness) differsFromState(s *harnessState) string {
	o := &harness{m: h.m, w: &s.wave, regs: &s.regs, group: &simt.Workgroup{LDS: s.lds}}
	s.regs.V, s.wave.Scratch = s.vectors, s.scratch
	n := min(len(h.regs.V), len(s.vectors)) // registers that one does not hold are 0
	all, others := h.regs.V, s.regs.V
	h.regs.V, s.regs.V = all[:n], others[:n]
	d := h.differsInRegisters(o)
	h.regs.V, s.regs.V = all, others
	for i, r := range h.m.Mem.Regions() {
		if !bytes.Equal(r.Data, s.memory[i]) {
			d += " " + r.String()
		}
	}
	if !bytes.Equal(h.group.LDS, s.lds) {
		d += " LDS"
	}
	if n := min(len(h.w.Scratch), len(s.scratch)); !bytes.Equal(h.w.Scratch[:n], s.scratch[:n]) {
		d += " private memory"
	}
	return d
}

// elsewhere counts what was run in another path.
var elsewhere int

// nextPath is the path that comes next.
func nextPath() path {
	all := paths()
	elsewhere++
	return all[elsewhere%len(all)]
}

// runBoth runs n instructions that were loaded, here and in another path.
func (h *harness) runBoth(n int) simt.Event {
	h.t.Helper()
	if h.m.Observed() || h.w.Track != nil || h.regs.follow != nil { // who must not be told twice
		return h.core.Run(h.w, uint64(n))
	}
	before := h.state()
	ev := h.core.Run(h.w, uint64(n))
	after := h.state()
	p, was := nextPath(), vec.Current()
	defer vec.Use(was)

	h.become(before)
	own, interpret := h.core, h.m.Interpret
	h.core = h.isa.NewCore(h.m).(*Core)
	h.take(p)
	h.endAfter(n)
	if p.translated {
		h.translate()
	}
	other := h.core.Run(h.w, uint64(n))
	copy(h.code.Data, after.memory[slices.Index(h.m.Mem.Regions(), h.code)])
	if d := h.differsFromState(after); d != "" || other.Kind != ev.Kind || !sameFault(other.Fault, ev.Fault) {
		h.t.Errorf("%v: %v %v, not %v %v; what differs: %s", p, other.Kind, other.Fault, ev.Kind, ev.Fault, d)
	}
	h.core, h.m.Interpret = own, interpret
	h.become(after)
	h.m.Invalidate()
	return ev
}

// endAfter has a program end behind the n instructions at the PC, so that a translation of them is one of
// all.
func (h *harness) endAfter(n int) {
	at := h.w.PC
	for range n {
		in, err := h.isa.Decode(h.code.Data[at-codeBase:], at)
		if err != nil {
			return
		}
		at += uint64(in.Size)
	}
	binary.LittleEndian.PutUint32(h.code.Data[at-codeBase:], 0xbf810000) // s_endpgm
}

// manyRuns is how many runs of a row's instructions by themselves are all run in another path too; of more it
// is one of as many.
const manyRuns = 61

// runElsewhere runs an instruction again, as before, in another path, and compares.
func (r *vectorRun) runElsewhere(t testing.TB, in *Inst, before *harnessState) {
	t.Helper()
	if r.core.stop.Kind != simt.NoEvent {
		return
	}
	p, was := nextPath(), vec.Current()
	vec.Use(p.vec)
	defer vec.Use(was)
	h := &harness{m: &simt.Machine{Mem: simt.NewMemory(), Interpret: !p.translated}, w: r.w, regs: r.regs,
		group: r.w.Group}
	h.core = r.isa.NewCore(h.m).(*Core)
	after := h.state()
	h.become(before)
	other := *in
	other.next, other.fast = nil, nil
	other.prepare()
	b := &block{pc: in.PC, end: in.PC + uint64(in.Size), insts: []Inst{other}, vectors: other.vectors()}
	c := h.core
	c.w, c.r, c.blocks[b.pc] = h.w, h.regs, b
	if c.translates() {
		if made := c.translate(b); made != nil {
			c.adopt(made)
		}
	}
	done := uint64(0)
	if b.region != nil {
		done = c.runTranslated(b, 1)
	}
	if done == 0 {
		c.runInsts(b, b.insts)
	}
	h.w.PC, h.w.Insts, h.w.LaneInsts = after.wave.PC, after.wave.Insts, after.wave.LaneInsts // in.exec leaves them
	if d := h.differsFromState(after); d != "" || c.stop.Kind != simt.NoEvent {
		t.Errorf("%v, %v: %v; what differs: %s", in, p, c.stop.Kind, d)
	}
	h.become(after)
}
