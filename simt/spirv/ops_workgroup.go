package spirv

import (
	"cmp"
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// Group instructions of a whole workgroup and asynchronous copies (sections 3.42.21, 3.42.19). A workgroup
// has several waves, so that such an instruction is two: each wave leaves what its lanes contribute in
// slots and waits for the others; then each combines what all have left.
//
// A wave that is through may come to the same instruction again while another still combines. It leaves
// what is new in the other of two places, and cannot go further than that before all have arrived.

// A meeting is where the waves of a workgroup leave the operands of one instruction.
type meeting struct {
	count int32    // slot: how often the wave has been here
	left  [2]int32 // slots: the operand's, then which lanes took part
	n     int32    // scalars of the operand
}

// wide reports whether an instruction with a scope as operand 0 is of more than a subgroup.
func (b *builder) wide() bool {
	const subgroup = 3
	scope, ok := b.p.constantUint(b.in.args[0])
	return ok && scope < subgroup
}

// meet makes the instruction that leaves operand v of the active lanes and waits, followed by one that
// combines.
func (b *builder) meet(v *value, combine func(c *core, in *inst, m *meeting)) (*inst, error) {
	n := int32(v.typ.slots)
	s, err := b.p.newSlots(b.in.word, 1+2*(int(n)+1))
	if err != nil {
		return nil, err
	}
	m := &meeting{count: s, left: [2]int32{s + 1, s + 2 + n}, n: n}
	b.p.meetings = append(b.p.meetings, s)
	then := &inst{n: n, exec: func(c *core, in *inst) { combine(c, in, m) }}
	return &inst{a: v.slot, flags: faults, then: then, exec: func(c *core, in *inst) {
		count := c.one(m.count)[0]
		c.fill(m.count, count+1)
		to := m.left[count&1]
		copy(c.slots(to, n), c.slots(in.a, n))
		took := c.one(to + n)
		for l := range took {
			took[l] = c.mask >> l & 1
		}
		if c.tracker != nil {
			c.leaveOrigins(to, in.a, n)
		}
		execBarrier(c, in)
	}}, nil
}

// each calls f for every lane of the workgroup that took part, in order, with the values of the operand.
func (m *meeting) each(c *core, f func(wave, lane int, scalar func(k int32) uint64)) {
	count := c.one(m.count)[0]
	for _, w := range c.w.Group.Waves {
		s, ok := w.Regs.(*State)
		if !ok || len(s.f) < len(c.f) {
			continue
		}
		at := func(slot int32, l int) uint64 { return s.f[int(slot)*s.lanes+l] }
		// The others are as far, or already here again; a wave that ended early is not.
		if n := at(m.count, 0); n != count && n != count+1 {
			continue
		}
		left := m.left[(count-1)&1]
		if c.tracker != nil {
			c.met = c.tracker.Union(c.met, s.left[left])
		}
		for l := range s.lanes {
			if at(left+m.n, l) != 0 {
				f(w.Index, l, func(k int32) uint64 { return at(left+k, l) })
			}
		}
	}
}

// wideVote makes GroupAll and GroupAny of a workgroup.
func (b *builder) wideVote(v *value, f func(votes, active uint64) bool) (*inst, error) {
	return b.meet(v, func(c *core, in *inst, m *meeting) {
		var votes, active uint64
		m.each(c, func(_, _ int, scalar func(int32) uint64) {
			votes += scalar(0)
			active++
		})
		c.fill(in.d, one(f(votes, active)))
	})
}

// buildGroupBroadcast makes GroupBroadcast: which lane is said by an index in a subgroup, and by a local id
// of one to three components in a workgroup.
func buildGroupBroadcast(b *builder) (*inst, error) {
	if !b.wide() {
		return lanewise(1, 2, func(_, id, _ uint64) uint64 { return id })(b)
	}
	v, id, err := b.pair(1)
	if err != nil {
		return nil, err
	}
	if b.typ == nil || v.typ.slots != b.typ.slots || id.typ.slots > 3 {
		return nil, b.errorf("has operands and a result that do not fit")
	}
	return b.meet(v, func(c *core, in *inst, m *meeting) {
		first := bits.TrailingZeros64(c.mask)
		var at, stride uint64 = 0, 1
		for k := range int32(id.typ.slots) {
			at += c.one(id.slot + k)[first] * stride
			stride *= uint64(c.w.Group.Size[k])
		}
		for k := range m.n {
			c.fill(in.d+k, 0)
		}
		m.each(c, func(wave, lane int, scalar func(int32) uint64) {
			if uint64(wave*c.lanes+lane) != at {
				return
			}
			for k := range m.n {
				c.fill(in.d+k, scalar(k))
			}
		})
	})
}

// wideReduction makes what combines values over a workgroup, in the order of its invocations.
func (b *builder) wideReduction(v *value, start uint64, f func(x, y uint64) uint64) (*inst, error) {
	op := b.in.args[1]
	if op > groupExclusive {
		return nil, b.errorf("has group operation %d", op)
	}
	return b.meet(v, func(c *core, in *inst, m *meeting) {
		for k := range m.n {
			d, sum := c.one(in.d+k), start
			m.each(c, func(wave, lane int, scalar func(int32) uint64) {
				before := sum
				sum = f(sum, scalar(k))
				switch {
				case wave != c.w.Index:
				case op == groupInclusive:
					d[lane] = sum
				case op == groupExclusive:
					d[lane] = before
				}
			})
			if op == groupReduce {
				c.fill(in.d+k, sum)
			}
		}
	})
}

// buildAsyncCopy makes GroupAsyncCopy. The first wave of a workgroup copies, there and then: who reads the
// copy, or writes what is copied, before it has waited for the event is wrong anyway. The event is the one
// that is given or, where that is none, where the instruction is.
func buildAsyncCopy(b *builder) (*inst, error) {
	to, t, err := b.access(1, true)
	if err != nil {
		return nil, err
	}
	from, s, err := b.access(2, false)
	if err != nil {
		return nil, err
	}
	count, stride, err := b.pair(3)
	if err != nil {
		return nil, err
	}
	event, err := b.value(5)
	if err != nil {
		return nil, err
	}
	if t.slots != s.slots {
		return nil, b.errorf("copies between objects of different types")
	}
	slot, err := b.p.newSlots(b.in.word, t.slots+2)
	if err != nil {
		return nil, err
	}
	y := &asyncCopy{to: to, from: from, size: t.size, count: count.slot, stride: stride.slot,
		event: event.slot, slot: slot,
		pointers: slot + int32(t.slots), wide: b.wide()}
	return &inst{mem: to, flags: faults, exec: y.exec}, nil
}

// An asyncCopy is GroupAsyncCopy: what is copied goes through slots, by pointers in two more.
type asyncCopy struct {
	to, from      *access
	size          uint64
	count, stride int32
	event         int32
	slot          int32
	pointers      int32
	wide          bool
}

func (y *asyncCopy) exec(c *core, in *inst) {
	whole := c.mask
	first := bits.TrailingZeros64(whole)
	event := cmp.Or(c.one(y.event)[first], in.pc)
	c.fill(in.d, event)
	to, from := *y.to, *y.from
	steps := [2]uint64{y.size, y.size}
	if stride := c.one(y.stride)[first]; to.space == lds {
		steps[1] *= stride
	} else {
		steps[0] *= stride
	}
	bases := [2]uint64{c.pointerOf(&to, first), c.pointerOf(&from, first)}
	count := c.one(y.count)[first]
	strip := func(m *access, i int) []simt.Strip {
		s, at := m.lane(bases[i])
		return []simt.Strip{{Space: simtSpaces[s], At: at, Size: y.size, Stride: steps[i], Count: count}}
	}
	told := simt.Copy{Wave: c.w, Lanes: whole & -whole, PC: in.pc, Event: event, To: strip(&to, 0),
		From: strip(&from, 1)}
	if y.wide {
		c.joins(&told, whole)
		if c.w.Index != 0 {
			return
		}
	}
	c.mask = whole & -whole
	defer func() { c.mask = whole }()
	load, store := *in, *in
	load.mem, load.d, load.dn = &from, y.slot, 0
	store.mem, store.a = &to, y.slot
	to.known, to.ptr, from.known, from.ptr = false, y.pointers, false, y.pointers+1
	for i := range count {
		c.one(y.pointers)[first] = bases[0] + i*steps[0]
		c.one(y.pointers + 1)[first] = bases[1] + i*steps[1]
		execLoad(c, &load)
		if c.stop.Kind == simt.FaultEvent {
			return
		}
		execStore(c, &store)
		if c.stop.Kind == simt.FaultEvent {
			return
		}
	}
	for o := range c.m.Copiers {
		o.Begun(&told)
	}
}

// joins tells of a copy that the workgroup makes together, and judges whether another wave of it has other
// operands.
func (c *core) joins(y *simt.Copy, lanes uint64) {
	for o := range c.m.Copiers {
		other, differs := o.Joined(y)
		if differs && c.m.Undefined(&simt.Undefined{Wave: c.w, PC: y.PC, Lanes: lanes,
			Text: "OpGroupAsyncCopy has operands that differ between the waves of its workgroup",
			Detail: fmt.Sprintf("Wave %d of the workgroup has others: all work-items must copy the same.",
				other)}) {
			c.stop = simt.Event{Kind: simt.WatchEvent, Wave: c.w, PC: y.PC, Lanes: lanes}
		}
	}
}

// pointerOf is where an access of a lane is.
func (c *core) pointerOf(m *access, lane int) uint64 {
	if m.known {
		return m.at | marks[m.space]
	}
	return c.one(m.ptr)[lane]
}

// buildWaitEvents makes GroupWaitEvents, a barrier: the copies have been made by whoever comes to it first.
func buildWaitEvents(b *builder) (*inst, error) {
	count, list, err := b.pair(1)
	if err != nil {
		return nil, err
	}
	wide := b.wide()
	i := &inst{flags: faults, order: simt.Acquire | simt.Release, scope: simt.GroupScope,
		spaces: simt.AllSpaces}
	i.exec = func(c *core, in *inst) {
		if c.m.Ordered() && c.mask != 0 {
			first := bits.TrailingZeros64(c.mask)
			for i := range min(c.one(count.slot)[first], mostEvents) {
				event := c.eventAt(c.one(list.slot)[first], first, i)
				for o := range c.m.Copiers {
					o.WaitedFor(c.w, event, wide)
				}
			}
		}
		if wide {
			execBarrier(c, in)
		}
	}
	return i, nil
}

// mostEvents is how many events of a list are looked at.
const mostEvents = 1 << 12

// eventAt is an event of a list that a lane points to.
func (c *core) eventAt(list uint64, lane int, i uint64) uint64 {
	const size = 8
	m := &access{space: generic}
	was := c.addr[lane]
	c.addr[lane] = list + i*size
	v := c.read(&window{}, m, lane, size)
	c.addr[lane] = was
	return v
}
