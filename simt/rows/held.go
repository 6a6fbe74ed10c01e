package rows

import (
	"math"
	"slices"
)

// Held is what the vector registers of a translator hold, by their numbers.
type Held struct {
	Of    []Holding
	clock int
}

// A Holding is what a vector register holds: a row or a number.
type Holding struct {
	used  int // when; 0 for nothing
	Reg   int32
	imm   uint64
	is    bool // imm
	Dirty bool // not yet in memory
	pin   bool
}

// noRow is the register of a vector register that holds none.
const noRow = math.MinInt32

// Find pins the vector register that holds an operand, if one does.
func (h *Held) Find(v Value) (z int, ok bool) {
	h.clock++
	for z := range h.Of {
		x := &h.Of[z]
		if x.used > 0 && x.is == v.Const && (v.Const && x.imm == v.Imm || !v.Const && x.Reg == v.Reg) {
			x.used, x.pin = h.clock, true
			return z, true
		}
	}
	return 0, false
}

// Oldest is the vector register that has not been used for longest, of those that may be taken.
func (h *Held) Oldest(keeps func(*Holding) bool) int {
	best := -1
	for z := range h.Of {
		if x := &h.Of[z]; !x.pin && (keeps == nil || !keeps(x)) && (best < 0 || x.used < h.Of[best].used) {
			best = z
		}
	}
	return best
}

// Take pins a vector register that holds nothing then.
func (h *Held) Take(z int) {
	h.clock++
	h.Of[z] = Holding{used: h.clock, pin: true, Reg: noRow}
}

// Fill notes that a vector register that has been taken holds an operand.
func (h *Held) Fill(z int, v Value) {
	x := &h.Of[z]
	if x.is, x.imm = v.Const, v.Imm; !v.Const {
		x.Reg = v.Reg
	}
}

// Result notes that a vector register holds what a row has got, which no other does then.
func (h *Held) Result(z int, reg int32) {
	for i := range h.Of {
		if x := &h.Of[i]; x.used > 0 && !x.is && x.Reg == reg {
			*x = Holding{}
		}
	}
	h.clock++
	h.Of[z] = Holding{used: h.clock, Reg: reg, Dirty: true, pin: true}
}

// Merge notes that what a vector register holds has become a part of what another does.
func (h *Held) Merge(z, into int) {
	h.Of[z] = Holding{}
	h.Of[into].Dirty = true
}

// Drop forgets the registers that an instruction has for itself, and those that are dead.
func (h *Held) Drop(dead []int32) {
	for z := range h.Of {
		if x := &h.Of[z]; !x.is && (x.Reg < 0 || slices.Contains(dead, x.Reg)) {
			*x = Holding{}
		}
	}
}

// Unpin lets all be taken.
func (h *Held) Unpin() {
	for z := range h.Of {
		h.Of[z].pin = false
	}
}
