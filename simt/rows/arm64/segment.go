package arm64

import (
	"math/bits"
	"unsafe"

	"simtgdb/simt/native/a64"
	"simtgdb/simt/rows"
)

// segment makes the code of a segment.
func (t *translator) segment(u *rows.Unit, s rows.Segment) {
	insts := u.Insts[s.First:s.Last]
	rest, run := int32(u.Count(s.First)), int32(len(insts))
	at := u.At + int32(s.First)
	if !t.plan.Make(insts) {
		t.B(t.exit(at, rest, run, 0))
		return
	}
	for _, kind := range t.plan.Kinds {
		t.heedWanted(kind, t.exit(at, rest, run, 0))
	}
	for g := range t.plan.Groups {
		t.check(g, at, rest, run)
	}
	t.note(u, s, rest, run)
	if t.plan.Stores > 1 { // of one instruction: what one stores in any lane comes before what the next does
		for k := range insts[0].Ops {
			t.all(rows.Inst{Ops: insts[0].Ops[k : k+1], Guarded: insts[0].Guarded && k == 0,
				Guard: insts[0].Guard})
		}
		return
	}
	t.all(insts...)
}

// heedWanted leaves if the machine executes accesses of a kind.
func (t *translator) heedWanted(kind rows.AccessKind, out a64.Label) {
	t.Load(a64.W32, x8, t.field(unsafe.Offsetof(t.x.Wanted)+uintptr(8*int(kind.Space)+4*kind.Write)))
	if kind.Taken {
		t.Cbnz(a64.W32, x8, out)
		return
	}
	t.CmpImm(a64.W32, x8, 1)
	t.Bc(a64.EQ, out)
}

// check makes sure that the accesses of a group may be.
func (t *translator) check(i int, at, rest, run int32) {
	const most, from, low, bad = v24, v25, v26, v27
	g := &t.plan.Groups[i]
	slot, miss := t.field(unsafe.Offsetof(t.x.Shared)), 0
	switch g.Space {
	case rows.Private:
		slot = t.field(unsafe.Offsetof(t.x.Private))
	case rows.Global:
		t.slots = append(t.slots, g.Access())
		miss = len(t.slots)
		slot = a64.Mem{Base: regSlots, Disp: int32((miss - 1) * int(unsafe.Sizeof(rows.Slot{})))}
	}
	bail := t.exit(at, rest, run, miss)
	var s rows.Slot
	of := func(offset uintptr) a64.Mem { return a64.Mem{Base: slot.Base, Disp: slot.Disp + int32(offset)} }
	t.Zero(bad)
	if g.Within.Hi > g.Within.Lo {
		room := g.Within.Hi - g.Within.Lo
		if uint64(g.Hi-g.Lo) > room {
			t.B(bail)
			return
		}
		t.constant(most, room-uint64(g.Hi-g.Lo))
		t.constant(from, uint64(g.Lo)-g.Within.Lo)
		t.Zero(low)
		t.reach(g)
	}
	t.Load(a64.W64, x8, of(unsafe.Offsetof(s.Size)))
	t.SubsImm(a64.W64, x8, x8, g.Hi-g.Lo)
	t.Bc(a64.LO, bail)
	t.Dup(most, x8)
	t.MovImm(x8, uint64(g.Lo))
	t.Load(a64.W64, x9, of(unsafe.Offsetof(s.Base)))
	t.Op(a64.SUB, a64.W64, x8, x8, x9)
	t.Dup(from, x8)
	t.constant(low, uint64(g.Align-1))
	t.Load(a64.W64, x9, of(unsafe.Offsetof(s.Delta)))
	t.Store(a64.W64, t.deltaAt(i), x9)
	t.reach(g)
	t.V2(a64.UmaxvS, bad, bad)
	t.Fmov(a64.W32, x8, bad)
	t.Cbnz(a64.W32, x8, bail)
}

// reach notes in V27 lanes of a group whose addresses are more than V24 when V25 has been added, or have bits
// of V26.
func (t *translator) reach(g *rows.Span) {
	t.eachPart(func() {
		t.lanes(g.Under, true)
		t.Move(a64.LoadQ, uint8(v23), t.rowAt(g.Reg))
		t.V3(a64.AddD, v28, v23, v25)
		t.V3(a64.CmhiD, v28, v28, v24)
		t.V3(a64.CmtstD, v23, v23, v26)
		t.V3(a64.Orr, v28, v28, v23)
		t.V3(a64.And, v28, v28, lanesUnder)
		t.V3(a64.Orr, v27, v27, v28)
	})
}

// lanes makes lanesUnder those that are active and in a mask. With all, active ones are not in lanesOn.
func (t *translator) lanes(m rows.Mask, all bool) {
	if m.N != rows.Always {
		t.Load(t.maskWidth(), x8, t.maskAt(m.N))
	}
	if all {
		switch {
		case m.N == rows.Always:
			t.Mov(a64.W64, x8, regActive)
		case m.Not:
			t.Op(a64.BIC, a64.W64, x8, regActive, x8)
		default:
			t.Op(a64.AND, a64.W64, x8, regActive, x8)
		}
		t.maskOf(lanesUnder)
		return
	}
	if m.N == rows.Always {
		t.V2(a64.Mov, lanesUnder, lanesOn)
		return
	}
	t.maskOf(lanesUnder)
	if m.Not {
		t.V3(a64.Bic, lanesUnder, lanesOn, lanesUnder)
		return
	}
	t.V3(a64.And, lanesUnder, lanesOn, lanesUnder)
}

// maskOf makes the lanes of which X8 has the bits a mask.
func (t *translator) maskOf(d a64.V) {
	t.Dup(d, x8)
	t.V3(a64.CmtstD, d, d, lanesBits)
}

// eachPart makes a loop over the lanes of a row.
func (t *translator) eachPart(body func()) {
	t.Load(a64.W64, regRows, t.field(unsafe.Offsetof(t.x.Rows)))
	t.Move(a64.LoadQ, uint8(lanesBits), t.pair(1, 2))
	t.MovImm(regLane, 0)
	again := t.NewLabel()
	t.Set(again)
	body()
	t.AddImm(a64.W64, regRows, regRows, 8*part)
	t.ShiftImm(a64.ShlD, lanesBits, lanesBits, part)
	t.AddImm(a64.W64, regLane, regLane, part)
	t.CmpImm(a64.W64, regLane, int64(t.row))
	t.Bc(a64.NE, again)
}

// all makes the code of instructions: where all lanes are active, as they mostly are, without keeping what
// others have.
func (t *translator) all(insts ...rows.Inst) {
	some, done := t.NewLabel(), t.NewLabel()
	t.isFull()
	t.Bc(a64.NE, some)
	t.full = true
	t.eachPart(func() { t.onePart(insts) })
	t.B(done)
	t.Set(some)
	t.full = false
	t.eachPart(func() { t.onePart(insts) })
	t.Set(done)
}

// onePart makes the code of two lanes.
func (t *translator) onePart(insts []rows.Inst) {
	clear(t.held.Of)
	if !t.full {
		t.Mov(a64.W64, x8, regActive)
		t.maskOf(lanesOn)
	} else {
		t.V3(a64.CmeqD, lanesOn, lanesBits, lanesBits)
	}
	for i := range insts {
		if insts[i].Guarded {
			t.countOff(insts[i].Guard)
		}
		for k := range insts[i].Ops {
			t.op(&insts[i].Ops[k])
		}
		t.held.Drop(insts[i].Dead)
	}
	for z := range t.held.Of {
		t.save(z)
	}
}

// countOff counts the lanes that a guard switches off.
func (t *translator) countOff(guard rows.Mask) {
	guard.Not = !guard.Not
	t.lanes(guard, false)
	t.V2(a64.AddpD, v23, lanesUnder)
	t.Fmov(a64.W64, x8, v23)
	t.Op(a64.SUB, a64.W64, x8, a64.ZR, x8)
	t.addOff(x8)
}

// note lets those who want to know of a segment's accesses have a look: code leaves, and comes back if that
// was all.
func (t *translator) note(u *rows.Unit, s rows.Segment, rest, run int32) {
	all, kinds := u.Noted(s)
	if kinds == 0 {
		return
	}
	t.notes = append(t.notes, all)
	n := len(t.notes)
	leave, again, on := t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.Load(a64.W32, x8, t.field(unsafe.Offsetof(t.x.Noted)))
	t.MovImm(x9, uint64(kinds))
	t.Op(a64.AND, a64.W32, x8, x8, x9)
	t.Cbnz(a64.W32, x8, leave)
	t.Set(on)
	t.stubs = append(t.stubs, func() {
		t.Set(leave)
		t.Adr(x8, again)
		t.Store(a64.W64, t.field(unsafe.Offsetof(t.x.Entry)), x8)
		t.AddImm(a64.W64, regBudget, regBudget, int64(rest))
		t.storeImm(unsafe.Offsetof(t.x.Go), int64(run))
		t.storeImm(unsafe.Offsetof(t.x.Told), int64(n))
		t.MovImm(x8, uint64(u.At+int32(s.First)))
		t.B(t.leave)
		t.Set(again)
		t.AddImm(a64.W64, regBudget, regBudget, -int64(rest))
		t.B(on)
	})
}

// take gives a vector register that nothing is in, pinned.
func (t *translator) take() a64.V {
	z := t.held.Oldest(nil)
	t.save(z)
	t.held.Take(z)
	return a64.V(z)
}

// save brings what a vector register holds into memory, if it is not there.
func (t *translator) save(z int) {
	h := &t.held.Of[z]
	if !h.Dirty {
		return
	}
	h.Dirty = false
	v, to := a64.V(z), t.rowAt(h.Reg)
	if !t.full {
		t.Move(a64.LoadQ, uint8(v28), to)
		t.V3(a64.Bit, v28, v, lanesOn)
		v = v28
	}
	t.Move(a64.StoreQ, uint8(v), to)
}

// value brings an operand into a vector register and pins it.
func (t *translator) value(v rows.Value) a64.V {
	if z, ok := t.held.Find(v); ok {
		return a64.V(z)
	}
	z := t.take()
	t.held.Fill(int(z), v)
	if v.Const {
		t.constant(z, v.Imm)
		return z
	}
	t.Move(a64.LoadQ, uint8(z), t.rowAt(v.Reg))
	return z
}

// result makes a vector register that of a row, for the lanes of an operation.
func (t *translator) result(o *rows.Op, z a64.V) {
	if o.Under.N != rows.Always {
		old := t.value(rows.Value{Reg: o.D})
		t.V3(a64.Bit, old, z, lanesUnder)
		t.held.Merge(int(z), int(old))
		return
	}
	t.held.Result(int(z), o.D)
}

func (t *translator) deltaAt(i int) a64.Mem { return t.own(unsafe.Offsetof(t.s.delta) + uintptr(8*i)) }

// dwordShift makes an address of private memory one of a row of all lanes' dwords.
func (t *translator) dwordShift() uint8 { return uint8(bits.TrailingZeros32(uint32(t.row))) }
