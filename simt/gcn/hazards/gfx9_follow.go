package hazards

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Following hazards of gfx9: a tail has the instructions that may still be followed too early.

// A leftBehind is an instruction that may be followed too early.
type leftBehind struct {
	age   int // wait states since
	in    *Inst
	which []Touch
}

// walkGFX9 is walk for gfx9.
func (f *Follower) walkGFX9(from *Tail, insts []Inst) (to *Tail, all []Early) {
	var last []leftBehind
	if from != nil {
		last = slices.Clone(from.last)
	}
	for i := range insts {
		in := &insts[i]
		if text, pc := f.tooEarlyFor(last, in); text != "" {
			all = append(all, Early{i, text, pc})
		}
		last = f.rows.executed(last, in)
	}
	return f.tail(last), all
}

// executed adds an instruction to those that have left something behind, and forgets those that are long ago.
func (r *rows) executed(last []leftBehind, in *Inst) []leftBehind {
	leaves := in.Leaves
	if in.Moves {
		leaves = append(slices.Clip(leaves), beneath(last)...)
	}
	if in.Far {
		return nil
	}
	kept := last[:0]
	for _, l := range last {
		if l.age += int(in.States); slices.ContainsFunc(l.which,
			func(t Touch) bool { return l.age < r.longest(&t) }) {
			kept = append(kept, l)
		}
	}
	for _, t := range leaves {
		if t.Count > 0 {
			for i := range kept {
				kept[i].supersede(t)
			}
		}
	}
	if slices.ContainsFunc(leaves, func(t Touch) bool { return r.longest(&t) > 0 }) {
		kept = append(kept, leftBehind{0, in, leaves})
	}
	return kept
}

// beneath is what v_accvgpr_read and v_accvgpr_write leave behind of what the instruction before has written.
func beneath(last []leftBehind) (t []Touch) {
	for _, l := range last {
		for _, left := range l.which {
			if l.age == 0 && left.Kind == LeftVector {
				left.Kind = LeftBeneath
				t = append(t, left)
			}
		}
	}
	return t
}

// supersede takes from what a matrix instruction has left what a later one leaves: that has waited for it.
func (l *leftBehind) supersede(by Touch) {
	if !slices.ContainsFunc(l.which, func(t Touch) bool { return t.supersededBy(&by) }) {
		return
	}
	var left []Touch
	for _, t := range l.which {
		if !t.supersededBy(&by) {
			left = append(left, t)
			continue
		}
		end, byEnd := t.First+t.N, by.First+by.N
		if below := t; t.First < by.First {
			below.N = by.First - t.First
			left = append(left, below)
		}
		if above := t; byEnd < end {
			above.First, above.N = byEnd, end-byEnd
			left = append(left, above)
		}
	}
	l.which = left
}

func (t *Touch) supersededBy(by *Touch) bool {
	return t.Count > 0 && (t.Kind == LeftSum) == (by.Kind == LeftSum) && t.overlaps(by)
}

// tail is the one tail of what was left behind.
func (f *Follower) tail(last []leftBehind) *Tail {
	if len(last) == 0 {
		return nil
	}
	var key []byte
	for _, l := range last {
		key = binary.AppendUvarint(binary.AppendUvarint(key, l.in.PC), uint64(l.age))
		for _, t := range l.which {
			key = append(key, byte(t.Kind), byte(t.First), byte(t.First>>8), byte(t.N))
		}
		key = append(key, byte(touchesLeft))
	}
	return f.oneTail(key, Tail{last: last})
}

// tooEarlyFor looks for what an instruction comes too early for: how it is said, and the instruction that it
// follows.
func (f *Follower) tooEarlyFor(last []leftBehind, in *Inst) (text string, from uint64) {
	for _, l := range slices.Backward(last) {
		for j := range l.which {
			left := &l.which[j]
			for k := range in.Needs {
				need := &in.Needs[k]
				h := f.rows[left.Kind][need.Kind]
				if h == nil || !left.overlaps(need) || h.other && l.in.Op == in.Op {
					continue
				}
				if wait := h.wait(left, need); l.age < wait {
					if f.Met != nil {
						f.Met(h.String())
					}
					return fmt.Sprintf(h.what+": needs %d wait states between, has %d", left.name(need,
							f.names), wait, l.age),
						l.in.PC
				}
			}
		}
	}
	return "", 0
}
