package contents

import (
	"iter"
	"slices"
)

// Who changes a part of a number in memory may load it, put something in the place of the part and store
// it again: compilers do so with components of vectors, halves and fields of bits. What nothing has
// written there is not used, and still has no contents afterwards. Of such loads nothing is told: what
// they give is followed as what is loaded from memory of a lane's own. Of others it is told at once, where
// it is seen best.

// A Step is what an instruction does with the cells in which a machine keeps values, by its own numbers.
type Step struct {
	From, To []int
	Uses     []int // what addresses are computed from, and what decides whether lanes go on or execute
	Merges   bool  // To has bits of From, and nothing is computed of them
	Stores   bool  // From is stored
	At       any   // of loads and stores: what the address is besides Uses
}

// PutBack reports whether what a load gives is, by some instructions behind it, at most put together with
// others, and whether that is stored where it came from.
func PutBack(load *Step, rest iter.Seq[Step]) (unused, back bool) {
	held := map[int]bool{}
	hold := func(cells []int, is bool) {
		for _, c := range cells {
			if delete(held, c); is {
				held[c] = true
			}
		}
	}
	among := func(cells []int) bool { return slices.ContainsFunc(cells, func(c int) bool { return held[c] }) }
	hold(load.To, true)
	gone := among(load.Uses)
	for s := range rest {
		has := among(s.From)
		switch {
		case among(s.Uses):
			return false, back
		case has && s.Stores:
			if gone || s.At != load.At || !slices.Equal(s.Uses, load.Uses) {
				return false, back
			}
			back = true
		case has && !s.Merges:
			return false, back
		}
		hold(s.To, has)
		gone = gone || slices.ContainsFunc(s.To, func(c int) bool { return slices.Contains(load.Uses, c) })
	}
	return true, back
}

// FindBack notes of what an instruction loads, at a place, whether it is put back. All says that there are no
// instructions but the rest that use it: then a component of a vector need not be stored.
func (in *Inst) FindBack(at any, rest iter.Seq[Step], all bool) {
	load := Step{At: at, Uses: cells(in.Address)}
	is := func(loads []Operand) bool {
		load.To = cells(loads)
		unused, back := PutBack(&load, rest)
		return len(load.To) > 0 && unused && (back || all && len(in.Loads) > 1)
	}
	if !in.Each {
		if is(in.Loads) {
			in.Back = ^uint64(0)
		}
		return
	}
	for i := range min(len(in.Loads), 64) {
		if is(in.Loads[i : i+1]) {
			in.Back |= 1 << i
		}
	}
}

// backs reports whether that is so of its n-th access.
func (in *Inst) backs(n int) bool {
	if !in.Each {
		return in.Back != 0
	}
	return n < 64 && in.Back>>n&1 != 0
}

// Carries reports whether bits of sources are in a result as they are.
func (y Way) Carries() bool { return y == Moved || y == Placed || y == Shifted || y == Paired }

// Steps gives what an instruction does with cells, for machines whose operands are that in all of a block.
// All are its sources, which count where it does more than move bits; stores says that it stores its Data,
// and at where, besides Address. It reports whether yield has wanted all.
func (in *Inst) Steps(at any, stores bool, all []Operand, yield func(Step) bool) bool {
	s := Step{At: at, Stores: stores, Uses: cells(in.Address, in.Decides), From: cells(in.Data),
		To: cells(in.Loads)}
	moves := len(in.Moves) > 0
	for i := range in.Moves {
		moves = moves && in.Moves[i].Way.Carries() && len(in.Moves[i].From) > 0
	}
	if !moves && !stores && len(in.Loads) == 0 {
		s.From = cells(in.Data, all)
	}
	if !yield(s) {
		return false
	}
	for i := range in.Moves {
		v := &in.Moves[i]
		if !yield(Step{From: cells(v.From), To: []int{int(v.To)}, Merges: v.Way.Carries()}) {
			return false
		}
	}
	return true
}

// cells are those of operands.
func cells(lists ...[]Operand) (all []int) {
	for _, list := range lists {
		for _, o := range list {
			if o >= 0 {
				all = append(all, int(o))
			}
		}
	}
	return all
}
