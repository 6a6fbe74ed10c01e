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
}

// mostFilled is how often a wave begins anew since places of memory were not known yet.
const mostFilled = 64

// NewBulk makes code of the units of rows.Whole, which end at a number. Each wave begins with registers of
// unset that are 0. Rows and masks have lanes.
func NewBulk(units []rows.Unit, end int32, r []uint64, masks []uint32, unset []int32, lanes int) (*Bulk,
	error) {
	code, err := Translate(units, false, lanes)
	if err != nil {
		return nil, err
	}
	return &Bulk{Rows: r, Masks: masks, code: code, entry: code.Entry[units[0].At], end: int64(end),
		unset: unset, lanes: lanes}, nil
}

// Forget empties the slots.
func (b *Bulk) Forget() { b.code.Forget() }

// Run executes a wave, and says how many instructions and instructions of lanes that were; ok is false if it
// has done nothing. fill finds the memory of an access.
func (b *Bulk) Run(active, n uint64, fill func(a *rows.Access) rows.Slot) (insts, lanes uint64, ok bool) {
	budget := int64(min(n, math.MaxInt64))
	for range mostFilled {
		for _, r := range b.unset {
			clear(b.Rows[int(r)*b.lanes : int(r+1)*b.lanes])
		}
		clear(b.Masks)
		b.Active, b.Budget, b.Stop = active, budget, math.MinInt32
		b.code.RunAgain(&b.Context, b.entry, b.Rows, b.Masks)
		if b.At == b.end {
			insts = uint64(budget - b.Budget)
			return insts, insts*uint64(bits.OnesCount64(active)) - b.Off, true
		}
		if b.Miss == 0 {
			break
		}
		i := b.Miss - 1
		s := fill(&b.code.Accesses[i])
		if s == (rows.Slot{}) || s == b.code.Slots[i] {
			break
		}
		b.code.Slots[i] = s
	}
	return 0, 0, false
}
