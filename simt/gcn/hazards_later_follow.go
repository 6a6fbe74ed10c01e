package gcn

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Following hazards of gfx10 and later, block by block as hazards_follow.go does it for gfx9: a tail has what
// is pending at the end of a block.

// A pending is what an instruction has left behind, and what has been executed since.
type pending struct {
	laterTouch
	from    uint64
	between [betweenCounters]uint8
	slow    bool // the instruction is transcendental
	fresh   bool // the instruction that is being executed has left it
	told    bool
}

// laterTail is what a tail has of these processors.
type laterTail struct {
	pending []pending
	read    uint64 // pairs of scalar registers that vector instructions have read (gfx12): a bit for each
}

// laterInst is what an instruction is for hazards of gfx10 and later.
type laterInst struct {
	classes       classes
	leaves, needs []laterTouch
	writes        []laterTouch // scalar registers
	reads         uint64       // pairs of scalar registers, of a vector instruction
	states        uint8        // wait states
	far           bool
}

// laterState goes through the instructions of a block.
type laterState struct {
	rows *laterHazardRows
	laterTail
}

// walkLater is walk for gfx10 and later.
func (c *Core) walkLater(from *tail, b *block, n int) (to *tail, all []early) {
	h := b.hazards
	if h.later == nil {
		h.later = laterInsts(b.insts)
	}
	if c.laterRows == nil {
		c.laterRows = newLaterHazardRows(c.isa.Target, c.isa.WaveSize())
	}
	s := laterState{rows: c.laterRows}
	if from != nil {
		s.pending, s.read = slices.Clone(from.later.pending), from.later.read
	}
	for i := range b.insts[:n] {
		in, l := &b.insts[i], &h.later[i]
		if text, pc := s.comes(in, l); text != "" {
			all = append(all, early{i, text, pc})
		} else if text := in.defective(); text != "" {
			all = append(all, early{i, text, in.PC})
		}
		s.executed(in, l)
	}
	return c.laterTail(s.laterTail), all
}

// comes looks for what an instruction comes too early for, and makes what it comes to something else where
// that is what happens.
func (s *laterState) comes(in *Inst, l *laterInst) (text string, from uint64) {
	for k := range l.needs {
		need := &l.needs[k]
		for i := len(s.pending) - 1; i >= 0; i-- {
			p := &s.pending[i]
			h := s.rows.rows[p.kind][need.kind]
			if h == nil || !p.overlaps(need) || h.over(p) || h.also != nil && !h.also(s.pending, p, need, in) {
				continue
			}
			if h.becomes != nil {
				s.become(h.becomes, p, need, in)
				continue
			}
			if p.told = true; text == "" {
				text, from = h.text(p, need), p.from
			}
		}
	}
	return text, from
}

// over reports whether it is too late for a hazard.
func (h *laterHazard) over(p *pending) bool {
	if h.within == nil {
		return false
	}
	for c, most := range h.within {
		if most != endless && p.between[c] > most {
			return true
		}
	}
	return false
}

func (h *laterHazard) text(p *pending, need *laterTouch) string {
	what := h.what
	if p.n > 0 && need.n > 0 {
		what = fmt.Sprintf(what, laterName(p, need))
	} else if p.n > 0 && p.kind == leftScratchBase {
		what = fmt.Sprintf(what, laterScalar(p.first, 1))
	}
	return what + ": needs " + h.cure + " between"
}

// vectorKinds are those of vector registers.
var vectorKinds = []laterKind{leftSlowly, heldSlowly, leftResult, leftResultSwitched, usedByVector, usedByMemory,
	leftMatrix, leftQuickMatrix, leftSlowMatrix, leftQuickSparse, leftSlowSparse}

// laterName is the first register that what is left behind and what is come to have in common.
func laterName(p *pending, need *laterTouch) string {
	first := max(p.first, need.first)
	if slices.Contains(vectorKinds, p.kind) {
		return registerName(&operand{kind: vectorReg, reg: first}, 0)
	}
	if last := min(p.first+p.n, need.first+need.n); first == regExec && last == first+2 {
		return laterScalar(first, 2)
	}
	return laterScalar(first, 1)
}

// laterScalar is a scalar register of gfx10 and later, where those of flat_scratch have numbers.
func laterScalar(first uint16, n int) string {
	if first < laterSGPRs {
		return rangeText("s", first, n)
	}
	return scalarText(first, n)
}

// become makes something left behind something else: of a mask of lanes the registers that are come to.
func (s *laterState) become(to *change, p *pending, need *laterTouch, in *Inst) {
	if !to.anew {
		p.kind = to.kind
		return
	}
	end, needEnd := p.first+p.n, need.first+need.n
	made := pending{from: in.PC, fresh: true}
	made.kind, made.first = to.kind, max(p.first, need.first)
	made.n = min(end, needEnd) - made.first
	if p.first < need.first { // what of it is left
		p.n = need.first - p.first
	} else {
		p.first, p.n = min(end, needEnd), max(end, needEnd)-needEnd
	}
	p.told = p.n == 0
	s.pending = append(s.pending, made)
}

// executed ends what an instruction ends, counts it, and adds what it leaves behind.
func (s *laterState) executed(in *Inst, l *laterInst) {
	if l.far {
		s.pending = nil
		return
	}
	kept := s.pending[:0]
	for _, p := range s.pending {
		if p.fresh || !p.told && s.rows.ended[p.kind]&l.classes == 0 && !p.overwritten(l) &&
			p.count(l, &s.rows.kept[p.kind]) {
			p.fresh = false
			kept = append(kept, p)
		}
	}
	s.pending = kept
	s.read |= l.reads
	for _, t := range l.leaves {
		if s.rows.has[t.kind] && (t.kind < againByScalar || t.kind > againVCC || s.read>>(t.first/2&63)&1 != 0) {
			s.leave(pending{laterTouch: t, from: in.PC, slow: l.classes&anySlow != 0})
		}
	}
}

// count counts an instruction. It reports whether what is pending still counts.
func (p *pending) count(l *laterInst, most *within) bool {
	add := within{states(l.classes&anyVector != 0), states(l.classes&anySlow != 0), l.states,
		states(l.classes&toScalar != 0)}
	for c := range most {
		if most[c] == endless && !(c == ofAll && p.kind == inClause) && !(c == ofSlow && p.kind == usedByVector) {
			continue
		}
		p.between[c] = uint8(min(int(p.between[c])+int(add[c]), endless-1))
		if most[c] != endless && p.between[c] > most[c] {
			return false
		}
	}
	return p.kind != inClause || p.between[ofAll] <= p.most
}

func states(counts bool) uint8 {
	if counts {
		return 1
	}
	return 0
}

// overwritten reports whether an instruction writes a mask of lanes, after which no hazard is known of it.
func (p *pending) overwritten(l *laterInst) bool {
	if p.kind < heldMask || p.kind > maskVCC {
		return false
	}
	return slices.ContainsFunc(l.writes, func(t laterTouch) bool { return t.overlaps(&p.laterTouch) })
}

// leave adds what is pending, in the place of the same of earlier instructions.
func (s *laterState) leave(p pending) {
	same := func(q pending) bool {
		return p.replaces(&q) && (p.n == 0 || p.first <= q.first && q.first+q.n <= p.first+p.n)
	}
	s.pending = append(slices.DeleteFunc(s.pending, same), p)
}

func (p *pending) replaces(q *pending) bool {
	switch p.kind {
	case leftResult:
		return q.kind == leftResult || q.kind == leftResultSwitched
	case againVCC:
		return q.kind == againVCC || q.kind == againByScalar
	case againByScalar:
		return q.kind == againVCC || q.kind == againByScalar
	}
	return p.kind == q.kind
}

// laterTail is the one tail of what is pending.
func (c *Core) laterTail(l laterTail) *tail {
	if len(l.pending) == 0 && l.read == 0 {
		return nil
	}
	key := binary.AppendUvarint(nil, l.read)
	for i := range l.pending {
		p := &l.pending[i]
		key = binary.AppendUvarint(key, p.from)
		key = append(key, byte(p.kind), byte(p.first), byte(p.first>>8), byte(p.n), p.most, states(p.slow))
		key = append(key, p.between[:]...)
	}
	return c.oneTail(key, tail{later: l})
}
