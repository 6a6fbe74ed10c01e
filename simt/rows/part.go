package rows

import (
	"math"
	"math/bits"
	"slices"
)

// An Order is how lanes of a [Whole] go on that have parted: those first that are at the lowest number, and
// others wait. Where some come to where others wait they go on together. Numbers below 0 have no place in
// that order: nobody waits there for longer than others that have parted at the same time.
type Order struct {
	units []*Unit // by their numbers, from the lowest on
	first int32
	ends  []int32
	end   int32
	wait  []waiting // in their order
}

// A waiting is lanes that wait for an instruction.
type waiting struct {
	at    int32
	lanes uint64
}

// NewOrder is that of units made by Whole that end at a number. At those of ends lanes do nothing but end:
// they do so at once.
func NewOrder(units []Unit, ends []int32, end int32) *Order {
	o := &Order{ends: ends, end: end}
	last := int32(math.MinInt32)
	for i := range units {
		o.first, last = min(o.first, units[i].At), max(last, units[i].At)
	}
	o.units = make([]*Unit, max(int(last)-int(o.first)+1, 0))
	for i := range units {
		o.units[units[i].At-o.first] = &units[i]
	}
	return o
}

// unit is that at a number, nil if there is none.
func (o *Order) unit(at int32) *Unit {
	if i := int(at) - int(o.first); i >= 0 && i < len(o.units) {
		return o.units[i]
	}
	return nil
}

// Begin begins a wave.
func (o *Order) Begin() { o.wait = o.wait[:0] }

// Wait makes lanes wait for an instruction.
func (o *Order) Wait(at int32, lanes uint64) {
	if lanes == 0 {
		return
	}
	i := len(o.wait)
	for i > 0 && o.wait[i-1].at >= at {
		i--
	}
	if i < len(o.wait) && o.wait[i].at == at {
		o.wait[i].lanes |= lanes
		return
	}
	o.wait = append(o.wait, waiting{})
	for k := len(o.wait) - 1; k > i; k-- { // there are few of them
		o.wait[k] = o.wait[k-1]
	}
	o.wait[i] = waiting{at, lanes}
}

// Part lets active lanes go where the last instruction of the unit at a number sends them, by masks. off is
// how many lanes its guard has switched off.
func (o *Order) Part(at int32, active uint64, masks []uint32, lanes int) (off int) {
	u := o.unit(at)
	in := &u.Insts[len(u.Insts)-1]
	rest := active
	for c := range in.Cases() {
		m := maskOf(c.Cond, masks, lanes) & rest
		o.Wait(c.Target, m)
		rest &^= m
	}
	o.Wait(in.Else, rest)
	if in.Guarded {
		off = bits.OnesCount64(rest)
	}
	return off
}

// maskOf is a mask of so many lanes.
func maskOf(m Mask, masks []uint32, lanes int) uint64 {
	words := MaskWords(lanes)
	v := uint64(masks[int(m.N)*words])
	if words > 1 {
		v |= uint64(masks[int(m.N)*words+1]) << 32
	}
	if m.Not {
		return ^v
	}
	return v
}

// Next are the lanes that go on, and where; 0 if all have come to the end. What does nothing but go on is
// done for them: it is counted instructions, and those of lanes.
func (o *Order) Next() (at int32, lanes uint64, insts, laneInsts uint64) {
	for len(o.wait) > 0 {
		at, lanes = o.take()
		if at == o.end {
			return at, 0, insts, laneInsts
		}
		u := o.unit(at)
		if u == nil || len(u.Insts) != 1 || len(u.Insts[0].Ops) > 0 || u.Insts[0].Flow != Jump {
			return at, lanes, insts, laneInsts
		}
		n := uint64(u.Count(0))
		insts, laneInsts = insts+n, laneInsts+n*uint64(bits.OnesCount64(lanes))
		o.Wait(u.Insts[0].Target, lanes)
	}
	return o.end, 0, insts, laneInsts
}

// take gives the first who wait.
func (o *Order) take() (at int32, lanes uint64) {
	i := 0
	if len(o.ends) > 0 {
		i = max(0, slices.IndexFunc(o.wait, func(w waiting) bool { return slices.Contains(o.ends, w.at) }))
	}
	at, lanes = o.wait[i].at, o.wait[i].lanes
	o.wait = slices.Delete(o.wait, i, i+1)
	return at, lanes
}

// Stop is the number from which on code must not go, since lanes wait there; alone says that none do but at
// the end.
func (o *Order) Stop() (stop int64, alone bool) {
	if len(o.wait) == 0 {
		return int64(o.end), true
	}
	return int64(o.wait[0].at), o.wait[0].at == o.end
}
