package hazards

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Following hazards of gfx10 and later, block by block as gfx9_follow.go does it: a tail has what
// is pending at the end of a block.

// A pending is what an instruction has left behind, and what has been executed since.
type pending struct {
	Touch
	from    uint64
	between [betweenCounters]uint8
	slow    bool // the instruction is transcendental
	fresh   bool // the instruction that is being executed has left it
	told    bool
}

// laterState goes through the instructions of a block.
type laterState struct {
	f       *Follower
	rows    *laterRows
	pending []pending
	read    uint64 // as in a Tail
}

// walkLater is walk for gfx10 and later.
func (f *Follower) walkLater(from *Tail, insts []Inst) (to *Tail, all []Early) {
	s := laterState{f: f, rows: f.later}
	if from != nil {
		s.pending, s.read = slices.Clone(from.pending), from.read
	}
	for i := range insts {
		in := &insts[i]
		if text, pc := s.comes(in); text != "" {
			all = append(all, Early{i, text, pc})
		} else if in.Defect != "" {
			all = append(all, Early{i, in.Defect, in.PC})
		}
		s.executed(in)
	}
	return s.tail(), all
}

// comes looks for what an instruction comes too early for, and makes what it comes to something else where
// that is what happens.
func (s *laterState) comes(in *Inst) (text string, from uint64) {
	for k := range in.Needs {
		need := &in.Needs[k]
		for i := len(s.pending) - 1; i >= 0; i-- {
			p := &s.pending[i]
			h := s.rows.rows[p.Kind][need.Kind]
			if h == nil || !p.overlaps(need) || h.over(p) || h.also != nil && !h.also(s.pending, p, need,
				in) {
				continue
			}
			if s.f.Met != nil {
				s.f.Met(h.String())
			}
			if h.becomes != nil {
				s.become(h.becomes, p, need, in)
				continue
			}
			if p.told = true; text == "" {
				text, from = h.text(p, need, s.f.names), p.from
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

func (h *laterHazard) text(p *pending, need *Touch, names Names) string {
	what := h.what
	if p.N > 0 && need.N > 0 {
		what = fmt.Sprintf(what, p.name(need, names))
	} else if p.N > 0 && p.Kind == LeftScratchBase {
		what = fmt.Sprintf(what, names.Scalar(p.First, 1))
	}
	return what + ": needs " + h.cure + " between"
}

// vectorKinds are those of vector registers.
var vectorKinds = []Kind{LeftSlowly, HeldSlowly, LeftResult, LeftResultSwitched, UsedByVector, UsedByMemory,
	LeftMatrix, LeftQuickMatrix, LeftSlowMatrix, LeftQuickSparse, LeftSlowSparse}

// name is the first register that what is left behind and what is come to have in common.
func (p *pending) name(need *Touch, names Names) string {
	const exec = 126
	first := max(p.First, need.First)
	if slices.Contains(vectorKinds, p.Kind) {
		return names.Vector(first)
	}
	if last := min(p.First+p.N, need.First+need.N); first == exec && last == first+2 {
		return names.Scalar(first, 2)
	}
	return names.Scalar(first, 1)
}

// become makes something left behind something else: of a mask of lanes the registers that are come to.
func (s *laterState) become(to *change, p *pending, need *Touch, in *Inst) {
	if !to.anew {
		p.Kind = to.kind
		return
	}
	end, needEnd := p.First+p.N, need.First+need.N
	made := pending{from: in.PC, fresh: true}
	made.Kind, made.First = to.kind, max(p.First, need.First)
	made.N = min(end, needEnd) - made.First
	if p.First < need.First { // what of it is left
		p.N = need.First - p.First
	} else {
		p.First, p.N = min(end, needEnd), max(end, needEnd)-needEnd
	}
	p.told = p.N == 0
	s.pending = append(s.pending, made)
}

// executed ends what an instruction ends, counts it, and adds what it leaves behind.
func (s *laterState) executed(in *Inst) {
	if in.Far {
		s.pending = nil
		return
	}
	kept := s.pending[:0]
	for _, p := range s.pending {
		if p.fresh || !p.told && s.rows.ended[p.Kind]&in.Is == 0 && !p.overwritten(in) &&
			p.count(in, &s.rows.kept[p.Kind]) {
			p.fresh = false
			kept = append(kept, p)
		}
	}
	s.pending = kept
	s.read |= in.Reads
	for _, t := range in.Leaves {
		if s.rows.has[t.Kind] &&
			(t.Kind < AgainByScalar || t.Kind > AgainVCC || s.read>>(t.First/2&63)&1 != 0) {
			s.leave(pending{Touch: t, from: in.PC, slow: in.Is&AnySlow != 0})
		}
	}
}

// count counts an instruction. It reports whether what is pending still counts.
func (p *pending) count(in *Inst, most *within) bool {
	add := within{states(in.Is&AnyVector != 0), states(in.Is&AnySlow != 0), in.States,
		states(in.Is&ToScalar != 0)}
	for c := range most {
		if most[c] == endless && !(c == ofAll && p.Kind == InClause) && !(c == ofSlow &&
			p.Kind == UsedByVector) {
			continue
		}
		p.between[c] = uint8(min(int(p.between[c])+int(add[c]), endless-1))
		if most[c] != endless && p.between[c] > most[c] {
			return false
		}
	}
	return p.Kind != InClause || p.between[ofAll] <= p.Count
}

func states(counts bool) uint8 {
	if counts {
		return 1
	}
	return 0
}

// overwritten reports whether an instruction writes a mask of lanes, after which no hazard is known of it.
func (p *pending) overwritten(in *Inst) bool {
	if p.Kind < HeldMask || p.Kind > MaskVCC {
		return false
	}
	return slices.ContainsFunc(in.Writes, func(t Touch) bool { return t.overlaps(&p.Touch) })
}

// leave adds what is pending, in the place of the same of earlier instructions.
func (s *laterState) leave(p pending) {
	same := func(q pending) bool {
		return p.replaces(&q) && (p.N == 0 || p.First <= q.First && q.First+q.N <= p.First+p.N)
	}
	s.pending = append(slices.DeleteFunc(s.pending, same), p)
}

func (p *pending) replaces(q *pending) bool {
	switch p.Kind {
	case LeftResult:
		return q.Kind == LeftResult || q.Kind == LeftResultSwitched
	case AgainVCC:
		return q.Kind == AgainVCC || q.Kind == AgainByScalar
	case AgainByScalar:
		return q.Kind == AgainVCC || q.Kind == AgainByScalar
	}
	return p.Kind == q.Kind
}

// tail is the one tail of what is pending.
func (s *laterState) tail() *Tail {
	if len(s.pending) == 0 && s.read == 0 {
		return nil
	}
	key := binary.AppendUvarint(nil, s.read)
	for i := range s.pending {
		p := &s.pending[i]
		key = binary.AppendUvarint(key, p.from)
		key = append(key, byte(p.Kind), byte(p.First), byte(p.First>>8), byte(p.N), p.Count, states(p.slow))
		key = append(key, p.between[:]...)
	}
	return s.f.oneTail(key, Tail{pending: s.pending, read: s.read})
}
