package hazards

import (
	"fmt"

	"simtgdb/simt/gcn/processor"
)

// A hazard is a row of the table: between an instruction that leaves something and one that needs it there
// must be wait states.
type hazard struct {
	after  Kind          // left
	before Kind          // needed
	on     processor.Set // the processors; 0 means all
	states int
	passes int    // wait states for each pass of the matrix instruction, besides
	more   int    // wait states of one with more than the fewest passes, besides
	by     []int  // wait states of a matrix instruction with fewer than 8 passes, and with more, instead
	same   bool   // exactly the registers that were left need none,
	short  int    // but after one with the fewest passes so many
	other  bool   // only instructions that are not the same
	what   string // with the register
}

func (h *hazard) String() string {
	return fmt.Sprintf("%d left, %d needed, on %v: %s", h.after, h.before, h.on, h.what)
}

// wait is how many wait states must lie between the two.
func (h *hazard) wait(left, need *Touch) int {
	const few, fewDoubles = 2, 4 // passes
	fewest := left.Count <= few || left.Kind == LeftDouble && left.Count <= fewDoubles
	switch {
	case h.same && left.First == need.First && left.N == need.N:
		if fewest {
			return h.short
		}
		return 0
	case h.by != nil && left.Count < 8:
		return h.by[0]
	case h.by != nil:
		return h.by[1]
	case fewest:
		return h.states + h.passes*int(left.Count)
	}
	return h.states + h.passes*int(left.Count) + h.more
}

// rows are the rows of gfx9 by what is left and what is needed.
type rows [touchesLeft][touchesNeeded]*hazard

// rowsOf are the rows of a processor.
func rowsOf(on processor.Set) *rows {
	var all rows
	for i := range hazards {
		if h := &hazards[i]; h.on == 0 || h.on&on != 0 {
			all[h.after][h.before] = h
		}
	}
	return &all
}

// longest is the longest wait after a touch.
func (r *rows) longest(left *Touch) (wait int) {
	for _, h := range r[left.Kind] {
		if h != nil {
			wait = max(wait, h.wait(left, &Touch{}), h.wait(left, left))
		}
	}
	return wait
}

// hazards are those between two instructions, with the sections that the package's comment names. One of
// gfx908 is between three: what it is between the last two of these the second leaves behind (LeftBeneath).
var hazards = []hazard{
	{after: LeftScalar, before: NeedAddress, states: 5,
		what: "a memory instruction reads %s, which a vector instruction has just written"},
	{after: LeftScalar, before: NeedLane, states: 4,
		what: "%s, which a vector instruction has just written, says which lane"},
	{after: LeftScalar, before: NeedMask, states: 4,
		what: "v_div_fmas reads %s, which a vector instruction has just written"},
	{after: LeftScalar, before: NeedZero, states: 5,
		what: "whether %s is 0 is read, which a vector instruction has just written"},
	{after: LeftScalar, before: NeedActive, states: 5,
		what: "lanes are read by DPP under %s, which a vector instruction has just written"},
	{after: LeftVector, before: NeedOther, states: 2,
		what: "other lanes of %s are read by DPP, which a vector instruction has just written"},
	{after: LeftM0, before: NeedM0, states: 1, what: "%s is read, which has just been written"},
	{after: LeftSetting, before: NeedGet, states: 2,
		what: "s_getreg reads %s, which s_setreg has just written"},
	{after: LeftSetting, before: NeedSet, states: 2,
		what: "s_setreg writes %s, which s_setreg has just written"},
	{after: LeftStored, before: NeedWrite, on: processor.GFX9 &^ processor.GFX942On, states: 1,
		what: "%s is written, which a store of more than 8 bytes may not have read yet"},
	{after: LeftStored, before: NeedWrite, on: processor.GFX942On, states: 2,
		what: "%s is written, which a store of more than 8 bytes may not have read yet"},

	{after: LeftScalar, before: NeedScalar, on: processor.GFX942On, states: 2,
		what: "a vector instruction reads %s, which another has just written"},
	{after: LeftScalar, before: NeedPresent, on: processor.GFX942On, states: 4,
		what: "a lane is read or written under %s, which a vector instruction has just written"},
	{after: LeftVector, before: NeedPick, on: processor.GFX942On, states: 1,
		what: "a lane of %s is read, which a vector instruction has just written"},
	{after: LeftSlow, before: NeedQuick, on: processor.GFX942On, states: 1,
		what: "%s is read, which a transcendental instruction has just written"},
	{after: LeftMoved, before: NeedRead, on: processor.GFX942On, states: 1,
		what: "%s is read, of which an instruction with SDWA or OP_SEL has just written a part"},

	{after: LeftDot, before: NeedRead, on: processor.GFX90AOn, states: 3, other: true,
		what: "%s is read, which a dot product has just written"},
	{after: LeftDot, before: NeedMemory, on: processor.GFX90AOn, states: 3,
		what: "a memory instruction reads %s, which a dot product has just written"},
	{after: LeftDot, before: NeedWrite, on: processor.GFX90AOn, states: 3, other: true,
		what: "%s is written, which a dot product has just written"},
	{after: LeftVector, before: NeedSwap, on: processor.GFX950, states: 2,
		what: "lanes of %s are swapped, which a vector instruction has just written"},
	{after: LeftScalar, before: NeedSwapping, on: processor.GFX950, states: 4,
		what: "lanes are swapped under %s, which a vector instruction has just written"},

	{after: LeftVector, before: NeedFactor, on: processor.GFX908On, states: 2, what: factorWritten},
	{after: LeftVector, before: NeedSum, on: processor.GFX90AOn, states: 2, what: factorWritten},
	{after: LeftVector, before: NeedSumPlain, on: processor.GFX90AOn, states: 2, what: factorWritten},
	{after: LeftVector, before: NeedSumD, on: processor.GFX90AOn, states: 2, what: factorWritten},
	{after: LeftScalar, before: NeedMatrix, on: processor.GFX908On, states: 4,
		what: "a matrix instruction follows a vector instruction that has just written %s"},

	{after: LeftProduct, before: NeedFactor, on: processor.GFX908, states: 4, what: productRead},
	{after: LeftProduct, before: NeedSum, on: processor.GFX908, states: 2, same: true, what: productRead},
	{after: LeftProduct, before: NeedAccRead, on: processor.GFX908, states: 2, passes: 1, what: productRead},
	{after: LeftProduct, before: NeedAccWrite, on: processor.GFX908, states: -1, passes: 1,
		what: productWritten},
	{after: LeftSum, before: NeedAccWrite, on: processor.GFX908, states: -3, passes: 1, what: sumWritten},
	{after: LeftAcc, before: NeedFactor, on: processor.GFX908, states: 3, what: accTooEarly},
	{after: LeftAcc, before: NeedSum, on: processor.GFX908, states: 1, what: accTooEarly},
	{after: LeftAcc, before: NeedAccRead, on: processor.GFX908, states: 3, what: accTooEarly},
	{after: LeftAccRead, before: NeedMemory, on: processor.GFX908, states: 2,
		what: "a memory instruction reads %s, which v_accvgpr_read has just written"},
	{after: LeftBeneath, before: NeedMemory, on: processor.GFX908, states: 1,
		what: "a memory instruction that follows " +
			"v_accvgpr_read or v_accvgpr_write reads %s, which the instruction before these has written"},

	{after: LeftProduct, before: NeedRead, on: processor.GFX90A | processor.GFX942, states: 3, passes: 1,
		what: productRead},
	{after: LeftProduct, before: NeedMemory, on: processor.GFX90A | processor.GFX942, states: 3, passes: 1,
		what: productRead},
	{after: LeftProduct, before: NeedWrite, on: processor.GFX90A | processor.GFX942, states: 3, passes: 1,
		what: productWritten},
	{after: LeftProduct, before: NeedFactor, on: processor.GFX90A | processor.GFX942, states: 3, passes: 1,
		what: productRead},
	{after: LeftProduct, before: NeedSum, on: processor.GFX90A, passes: 1, same: true, what: productRead},
	{after: LeftProduct, before: NeedSum, on: processor.GFX942, states: 1, passes: 1, same: true, short: 2,
		what: productRead},
	{after: LeftProduct, before: NeedSumPlain, on: processor.GFX942, states: 1, passes: 1, same: true,
		short: 2,
		what:  productRead},
	{after: LeftProduct, before: NeedSumD, on: processor.GFX90A | processor.GFX942, states: 1, passes: 1,
		same: true,
		what: productRead},
	{after: LeftSum, before: NeedWrite, on: processor.GFX90AOn, states: -1, passes: 1, what: sumWritten},

	{after: LeftProduct, before: NeedRead, on: processor.GFX950, states: 3, passes: 1, more: 1,
		what: productRead},
	{after: LeftProduct, before: NeedMemory, on: processor.GFX950, states: 3, passes: 1, more: 1,
		what: productRead},
	{after: LeftProduct, before: NeedWrite, on: processor.GFX950, states: 3, passes: 1, more: 1,
		what: productWritten},
	{after: LeftProduct, before: NeedFactor, on: processor.GFX950, states: 3, passes: 1, more: 1,
		what: productRead},
	{after: LeftProduct, before: NeedSum, on: processor.GFX950, states: 2, passes: 1, same: true, short: 2,
		what: productRead},
	{after: LeftProduct, before: NeedSumPlain, on: processor.GFX950, states: 1, passes: 1, more: 1,
		same: true, short: 2,
		what: productRead},
	{after: LeftProduct, before: NeedSumD, on: processor.GFX950, states: 1, passes: 1, more: 1, same: true,
		what: productRead},

	{after: LeftPlain, before: NeedRead, on: processor.GFX942On, states: 2, passes: 1, what: productRead},
	{after: LeftPlain, before: NeedMemory, on: processor.GFX942On, states: 2, passes: 1, what: productRead},
	{after: LeftPlain, before: NeedWrite, on: processor.GFX942On, states: 2, passes: 1, what: productWritten},
	{after: LeftPlain, before: NeedFactor, on: processor.GFX942On, states: 2, passes: 1, what: productRead},
	{after: LeftPlain, before: NeedSum, on: processor.GFX942On, same: true, short: 2, what: productRead},
	{after: LeftPlain, before: NeedSumPlain, on: processor.GFX942On, passes: 1, same: true, short: 2,
		what: productRead},
	{after: LeftPlain, before: NeedSumD, on: processor.GFX942On, passes: 1, same: true, what: productRead},

	{after: LeftDouble, before: NeedRead, on: processor.GFX90A | processor.GFX942, by: []int{6, 11},
		what: productRead},
	{after: LeftDouble, before: NeedMemory, on: processor.GFX90AOn, by: []int{9, 18}, what: productRead},
	{after: LeftDouble, before: NeedWrite, on: processor.GFX90AOn, by: []int{6, 11}, what: productWritten},
	{after: LeftDouble, before: NeedFactor, on: processor.GFX90A | processor.GFX942, by: []int{6, 11},
		what: productRead},
	{after: LeftDouble, before: NeedSumPlain, on: processor.GFX942, by: []int{4, 9}, what: productRead},
	{after: LeftDouble, before: NeedSumD, on: processor.GFX90A | processor.GFX942, by: []int{4, 9},
		same: true, short: 4,
		what: productRead},
	{after: LeftDouble, before: NeedRead, on: processor.GFX950, by: []int{6, 19}, what: productRead},
	{after: LeftDouble, before: NeedFactor, on: processor.GFX950, by: []int{6, 19}, what: productRead},
	{after: LeftDouble, before: NeedSumPlain, on: processor.GFX950, by: []int{4, 17}, what: productRead},
	{after: LeftDouble, before: NeedSumD, on: processor.GFX950, by: []int{4, 17}, same: true, short: 4,
		what: productRead},
}

const (
	productRead    = "%s is read, which a matrix instruction has yet to write"
	productWritten = "%s is written, which a matrix instruction has yet to write"
	factorWritten  = "a matrix instruction reads %s, which a vector instruction has just written"
	sumWritten     = "%s is written, which a matrix instruction may not have read yet"
	accTooEarly    = "%s is read, which v_accvgpr_write has just written"
)

// name is the first register that two touches have in common.
func (t *Touch) name(o *Touch, names Names) string {
	first := max(t.First, o.First)
	switch t.Kind {
	case LeftScalar, LeftM0:
		return names.Scalar(first, 1)
	case LeftSetting:
		return names.Setting(first)
	}
	return names.Vector(first)
}
