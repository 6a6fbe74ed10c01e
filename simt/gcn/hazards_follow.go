package gcn

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"simtgdb/simt"
)

// Following hazards. What lies between two instructions of a block is known when it is decoded; only what the
// blocks before have left behind is not, and it is one of few: what the last instructions of the paths to the
// block are. So a block keeps, for each that it has been entered with, which of its instructions come too
// early then, and what it leaves behind in its turn: an automaton that is made as it is needed. A wave looks
// at it when it enters a block, and an instruction is wrapped once it has been found to come too early.

// A leftBehind is an instruction that may be followed too early.
type leftBehind struct {
	age   int // wait states since
	in    *Inst
	which []touch
}

// A tail is what the last instructions that a wave has executed have left behind, the latest last. It does
// not change; nil is nothing.
type tail struct {
	last  []leftBehind
	later laterTail // the same of gfx10 and later
}

// An early is an instruction of a block that comes too early.
type early struct {
	index int
	text  string
	from  uint64 // the instruction that it follows
}

// An edge is a block entered with a tail.
type edge struct {
	from, to *tail
	early    []early // by index
}

// blockHazards is what a block keeps of hazards.
type blockHazards struct {
	touches []instTouches // of its instructions
	later   []laterInst   // the same of gfx10 and later
	edges   []*edge
	wrapped map[int]bool // instructions that tell of hazards
}

// instTouches are what an instruction leaves behind and needs.
type instTouches struct{ leaves, needs []touch }

// Bounds of what is kept: of a block's edges, and of a core's tails.
const (
	mostEdges = 16
	mostTails = 1 << 14
)

// hazardState is where a wave is.
type hazardState struct {
	tail  *tail  // when it entered the block
	block *block // nil before the first
	edge  *edge
	begun uint64 // Wave.Insts
}

// judged makes a block tell of hazards.
func (b *block) judged() {
	execute := b.insts[0].exec
	b.hazards = &blockHazards{}
	b.insts[0].exec = func(c *Core, in *Inst) {
		s := &c.r.hazards
		c.enter(s, b)
		if len(s.edge.early) == 0 || s.edge.early[0].index != 0 {
			execute(c, in)
			return
		}
		c.tooEarly(&s.edge.early[0], in, execute)
	}
}

// tooEarly executes an instruction that comes too early.
func (c *Core) tooEarly(e *early, in *Inst, execute func(*Core, *Inst)) {
	stop := c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.PC, Lanes: cmp.Or(c.w.Exec, c.w.Valid), From: e.from,
		Text: e.text})
	if execute(c, in); !c.faulted() {
		c.stopFollowing(stop, in)
	}
}

// enter notes that the wave begins a block.
func (c *Core) enter(s *hazardState, b *block) {
	t := s.tail
	if s.block != nil {
		switch n := c.w.Insts - s.begun; {
		case n == uint64(len(s.block.insts)):
			t = s.edge.to
		case n > uint64(len(s.block.insts)): // nobody has looked on meanwhile
			t = nil
		default:
			t, _ = c.walk(t, s.block, int(n))
		}
	}
	s.tail, s.block, s.edge, s.begun = t, b, c.edge(t, b), c.w.Insts
}

// edge is a block entered with a tail.
func (c *Core) edge(from *tail, b *block) *edge {
	h := b.hazards
	for _, e := range h.edges {
		if e.from == from {
			return e
		}
	}
	if len(h.edges) == mostEdges {
		h.edges = nil
	}
	e := &edge{from: from}
	e.to, e.early = c.walk(from, b, len(b.insts))
	h.edges = append(h.edges, e)
	for _, early := range e.early {
		if i := early.index; i > 0 && !h.wrapped[i] {
			b.wrapEarly(i)
		}
	}
	return e
}

// wrapEarly makes an instruction tell of it when it comes too early.
func (b *block) wrapEarly(i int) {
	if b.hazards.wrapped == nil {
		b.hazards.wrapped = map[int]bool{}
	}
	b.hazards.wrapped[i] = true
	execute := b.insts[i].exec
	b.insts[i].exec = func(c *Core, in *Inst) {
		all := c.r.hazards.edge.early
		at := slices.IndexFunc(all, func(e early) bool { return e.index == i })
		if at < 0 {
			execute(c, in)
			return
		}
		c.tooEarly(&all[at], in, execute)
	}
}

// walk goes through the first n instructions of a block with what was left behind before. It returns what is
// left behind then, and what comes too early on the way.
func (c *Core) walk(from *tail, b *block, n int) (to *tail, all []early) {
	if c.isa.Target.IsLater() {
		return c.walkLater(from, b, n)
	}
	h := b.hazards
	if h.touches == nil {
		h.touches = make([]instTouches, len(b.insts))
		for i := range b.insts {
			h.touches[i] = instTouches{b.insts[i].leaves(), b.insts[i].needs()}
		}
	}
	var last []leftBehind
	if from != nil {
		last = slices.Clone(from.last)
	}
	for i := range b.insts[:n] {
		in, t := &b.insts[i], &h.touches[i]
		if text, pc := tooEarlyFor(last, in, t.needs); text != "" {
			all = append(all, early{i, text, pc})
		}
		last = executed(last, in, t.leaves)
	}
	return c.tail(last), all
}

// executed adds an instruction to those that have left something behind, and forgets those that are long ago.
func executed(last []leftBehind, in *Inst, leaves []touch) []leftBehind {
	states := 1
	if in.on == GFX908 && (in.Op.Name == accRead || in.Op.Name == accWrite) {
		leaves = append(slices.Clip(leaves), beneath(last)...)
	}
	switch {
	case in.Op.farJump():
		return nil
	case in.Op.Enc == SOPP && in.Op.Code == codeNop:
		states = int(in.simm)&15 + 1
	}
	kept, rows := last[:0], hazardsBetween[in.on]
	for _, l := range last {
		if l.age += states; slices.ContainsFunc(l.which, func(t touch) bool { return l.age < rows.longest(&t) }) {
			kept = append(kept, l)
		}
	}
	for _, t := range leaves {
		if t.passes > 0 {
			for i := range kept {
				kept[i].supersede(t)
			}
		}
	}
	if slices.ContainsFunc(leaves, func(t touch) bool { return rows.longest(&t) > 0 }) {
		kept = append(kept, leftBehind{0, in, leaves})
	}
	return kept
}

// beneath is what v_accvgpr_read and v_accvgpr_write leave behind of what the instruction before has written.
func beneath(last []leftBehind) (t []touch) {
	for _, l := range last {
		for _, left := range l.which {
			if l.age == 0 && left.kind == leftVector {
				left.kind = leftBeneath
				t = append(t, left)
			}
		}
	}
	return t
}

// supersede takes from what a matrix instruction has left what a later one leaves: that has waited for it.
func (l *leftBehind) supersede(by touch) {
	if !slices.ContainsFunc(l.which, func(t touch) bool { return t.supersededBy(&by) }) {
		return
	}
	var left []touch
	for _, t := range l.which {
		if !t.supersededBy(&by) {
			left = append(left, t)
			continue
		}
		end, byEnd := t.first+t.n, by.first+by.n
		if below := t; t.first < by.first {
			below.n = by.first - t.first
			left = append(left, below)
		}
		if above := t; byEnd < end {
			above.first, above.n = byEnd, end-byEnd
			left = append(left, above)
		}
	}
	l.which = left
}

func (t *touch) supersededBy(by *touch) bool {
	return t.passes > 0 && (t.kind == leftSum) == (by.kind == leftSum) && t.overlaps(by)
}

// longest is the longest wait after a touch.
func (rows *hazardRows) longest(left *touch) (wait int) {
	for _, h := range rows[left.kind] {
		if h != nil {
			wait = max(wait, h.wait(left, &touch{}), h.wait(left, left))
		}
	}
	return wait
}

// tail is the one tail of what was left behind.
func (c *Core) tail(last []leftBehind) *tail {
	if len(last) == 0 {
		return nil
	}
	var key []byte
	for _, l := range last {
		key = binary.AppendUvarint(binary.AppendUvarint(key, l.in.PC), uint64(l.age))
		for _, t := range l.which {
			key = append(key, byte(t.kind), byte(t.first), byte(t.first>>8), byte(t.n))
		}
		key = append(key, byte(touchesLeft))
	}
	return c.oneTail(key, tail{last: last})
}

// oneTail is the tail that is kept for a key.
func (c *Core) oneTail(key []byte, made tail) *tail {
	t := c.tails[string(key)]
	if t == nil {
		if c.tails == nil || len(c.tails) >= mostTails {
			c.tails = map[string]*tail{}
		}
		t = &made
		c.tails[string(key)] = t
	}
	return t
}

// tooEarlyFor looks for what an instruction comes too early for: how it is said, and the instruction that it
// follows.
func tooEarlyFor(last []leftBehind, in *Inst, needs []touch) (text string, from uint64) {
	rows := hazardsBetween[in.on]
	for _, l := range slices.Backward(last) {
		for j := range l.which {
			left := &l.which[j]
			for k := range needs {
				need := &needs[k]
				h := rows[left.kind][need.kind]
				if h == nil || !left.overlaps(need) || h.other && l.in.Op == in.Op {
					continue
				}
				if wait := h.wait(left, need); l.age < wait {
					return fmt.Sprintf(h.what+": needs %d wait states between, has %d", left.name(need), wait, l.age),
						l.in.PC
				}
			}
		}
	}
	return "", 0
}
