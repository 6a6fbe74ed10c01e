package ptx

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// Translated code does not follow which registers have contents. It need not where those have that are read
// before they are written: all that it computes has contents then, and where it ends so have the registers
// that are read from there on; the others are nobody's concern. What it loads is another matter: it asks who
// wants to know of loads.

// A liveness has for each statement of a function the registers and predicates, numbered as known has them,
// that may be read from there on before they are written: a set of as many words, one after the other.
type liveness struct {
	start, words int32
	sets         []uint64
}

func (v *liveness) at(at int32) []uint64 {
	first := (at - v.start) * v.words
	return v.sets[first : first+v.words]
}

// liveness finds it out.
func (a *ISA) liveness(fn *function) *liveness {
	v := &liveness{start: fn.start, words: int32(fn.vectors+fn.preds+63) / 64}
	n := fn.end - fn.start
	v.sets = make([]uint64, int(n)*int(v.words))
	reads, writes := make([][]int32, n), make([][]int32, n)
	for i := range n {
		if in := &a.code[fn.start+i]; in.src != nil {
			reads[i], writes[i] = in.touches()
		}
	}
	now := make([]uint64, v.words)
	for changed := true; changed; {
		changed = false
		for at := fn.end - 1; at >= fn.start; at-- {
			clear(now)
			for _, to := range a.code[at].leadsTo(at) {
				if to >= fn.start && to < fn.end {
					for i, w := range v.at(to) {
						now[i] |= w
					}
				}
			}
			for _, r := range writes[at-fn.start] {
				now[r>>6] &^= 1 << (r & 63)
			}
			for _, r := range reads[at-fn.start] {
				now[r>>6] |= 1 << (r & 63)
			}
			for i, w := range v.at(at) {
				if w != now[i] {
					changed = true
					v.at(at)[i] = now[i]
				}
			}
		}
	}
	return v
}

// touches are the registers and predicates that a statement reads, and those that it writes in any case.
func (in *inst) touches() (reads, writes []int32) {
	fn := in.fn
	read := func(all []contents.Operand) {
		for _, o := range all {
			if o >= 0 && o < fn.fixed() {
				at, _ := (&values{act: &activation{fn: fn}}).place(o)
				reads = append(reads, int32(at))
			}
		}
	}
	does := in.contents()
	read(does.Address)
	read(does.Decides)
	read(does.Data)
	for _, m := range does.Moves {
		read(m.From)
		if in.guard < 0 && m.To >= 0 {
			writes = append(writes, int32(m.To))
		}
	}
	for _, o := range does.Loads {
		if in.guard < 0 && o >= 0 {
			writes = append(writes, int32(o))
		}
	}
	if in.call != nil {
		read(fn.operands(in.call.args...))
		read(fn.operands(in.call.target))
	}
	return reads, writes
}

// leadsTo are the statements of its function that may come behind one.
func (in *inst) leadsTo(at int32) []int32 {
	switch in.flow {
	case simt.FlowReturn, simt.FlowEnd:
		if in.guard < 0 {
			return nil
		}
	case simt.FlowJump:
		return in.targets
	case simt.FlowIndirect:
		return append(in.targets[:len(in.targets):len(in.targets)], at+1)
	case simt.FlowBranch:
		return []int32{in.target, at + 1}
	}
	return []int32{at + 1}
}

// whole reports whether the registers that may be read from a statement on have contents in some lanes.
func (v *liveness) whole(r *contents.Rows, at int32, lanes uint64) bool {
	for i, w := range v.at(at) {
		for ; w != 0; w &= w - 1 {
			if r.Lacks(contents.Operand(i*64+bits.TrailingZeros64(w)), lanes) != 0 {
				return false
			}
		}
	}
	return true
}

// fill notes that they have.
func (v *liveness) fill(r *contents.Rows, at int32, lanes uint64) {
	for i, w := range v.at(at) {
		for ; w != 0; w &= w - 1 {
			if o := contents.Operand(i*64 + bits.TrailingZeros64(w)); r.Lacks(o, lanes) != 0 {
				r.Set(o, lanes, 0, 0)
			}
		}
	}
}
