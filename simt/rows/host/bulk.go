package host

import (
	"math"
	"math/bits"

	"simtgdb/simt/rows"
)

// A Bulk is code of whole waves (see rows.Whole), with what they work on, one after the other.
type Bulk struct {
	rows.Context
	Rows  []uint64
	Masks []uint32

	code  *rows.Code
	entry uintptr
	end   int64
	unset []int32
	lanes int
	order *rows.Order // nil of waves that are given up where their lanes part

	Together func(lanes uint64) // is told which lanes go on, once some have parted, if it is not nil
}

// mostFilled is how often a wave begins anew since places of memory were not known yet.
const mostFilled = 64

// NewBulk has code of the units of rows.Whole, which begin at one number and end at another. Each wave
// begins with registers of unset that are 0. Rows and masks have lanes. Those go on in an order where they
// have parted; with nil they must not.
func NewBulk(code *rows.Code, entry, end int32, r []uint64, masks []uint32, unset []int32, lanes int,
	order *rows.Order) *Bulk {
	return &Bulk{Rows: r, Masks: masks, code: code, entry: code.Entry[entry], end: int64(end), unset: unset,
		lanes: lanes, order: order}
}

// Forget empties the slots.
func (b *Bulk) Forget() { b.code.Forget() }

// Run executes a wave, and says how many instructions and instructions of lanes that were; ok is false if it
// has done nothing. fill finds the memory of an access of the lanes that are Active.
func (b *Bulk) Run(active, n uint64, fill func(a *rows.Access) rows.Slot) (insts, lanes uint64, ok bool) {
	for range mostFilled {
		for _, r := range b.unset {
			clear(b.Rows[int(r)*b.lanes : int(r+1)*b.lanes])
		}
		clear(b.Masks)
		if insts, lanes, ok = b.run(active, n); ok || b.Miss == 0 {
			break
		}
		i := b.Miss - 1
		s := fill(&b.code.Accesses[i])
		if s == (rows.Slot{}) || s == b.code.Slots[i] {
			break
		}
		b.code.Slots[i] = s
	}
	return insts, lanes, ok
}

// run is Run as far as the code comes.
func (b *Bulk) run(active, n uint64) (insts, lanes uint64, ok bool) {
	budget := int64(min(n, math.MaxInt64))
	b.Active, b.Budget, b.Stop = active, budget, math.MinInt32
	if b.order != nil {
		return b.runParting(budget)
	}
	b.code.RunAgain(&b.Context, b.entry, b.Rows, b.Masks)
	insts = uint64(budget - b.Budget)
	return insts, insts*uint64(bits.OnesCount64(active)) - b.Off, b.At == b.end
}

// runParting is run of lanes that may part. While some wait who have not come to the end, nothing is stored:
// they might not come there.
func (b *Bulk) runParting(budget int64) (insts, lanes uint64, ok bool) {
	o, entry := b.order, b.entry
	stores := &b.Wanted[rows.Global][1]
	kept := *stores
	defer func() { *stores = kept }()
	o.Begin()
	for {
		var alone bool
		if b.Stop, alone = o.Stop(); !alone {
			*stores = 1
		} else {
			*stores = kept
		}
		before := b.Budget
		b.code.RunAgain(&b.Context, entry, b.Rows, b.Masks)
		lanes += uint64(before-b.Budget)*uint64(bits.OnesCount64(b.Active)) - b.Off
		switch {
		case b.Go == rows.Parted:
			lanes -= uint64(o.Part(int32(b.At), b.Active, b.Masks, b.lanes))
		case b.Miss == 0 && b.Go == 0 && b.At >= b.Stop:
			o.Wait(int32(b.At), b.Active)
		default:
			return 0, 0, false
		}
		at, active, some, ofLanes := o.Next()
		b.Active, b.Budget, lanes = active, b.Budget-int64(some), lanes+ofLanes
		if active == 0 {
			return uint64(budget - b.Budget), lanes, b.Budget >= 0
		}
		if b.Together != nil {
			b.Together(active)
		}
		if entry = b.code.Entry[at]; entry == 0 {
			return 0, 0, false
		}
	}
}
