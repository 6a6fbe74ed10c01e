package arm64

import (
	"unsafe"

	"simtgdb/simt/native/a64"
	"simtgdb/simt/rows"
)

// There are no instructions that gather: accesses are made one lane after the other, but for those of
// private memory at one address, and of items, whose dwords lie side by side.

// private is where a dword of private memory is whose address is a number, or how far behind its address.
func (t *translator) private(o *rows.Op, upper bool) int64 {
	at := o.Offset
	if o.S[0].Const {
		at += int64(int32(o.S[0].Imm))
	}
	if upper {
		at += 4
	}
	return at << t.dwordShift()
}

// rowOfLanes makes X9 the host's address of the dwords that the two lanes have so many bytes behind one.
func (t *translator) rowOfLanes(base uintptr, by int64) {
	t.Load(a64.W64, x9, t.field(base))
	t.AddImm(a64.W64, x9, x9, by)
	t.LslImm(x10, regLane, 2)
	t.Op(a64.ADD, a64.W64, x9, x9, x10)
}

// privateDelta is where private memory begins on the host.
func (t *translator) privateDelta() uintptr {
	return unsafe.Offsetof(t.x.Private) + unsafe.Offsetof(t.x.Private.Delta)
}

func (t *translator) load(o *rows.Op) {
	d := t.take()
	of, checked := o.Checked()
	switch {
	case !checked:
		t.loadKnown(o, d)
	default:
		t.loadLanes(o, t.plan.Find(of), d)
	}
	t.result(o, d)
}

// loadKnown loads from an address that is a number.
func (t *translator) loadKnown(o *rows.Op, d a64.V) {
	at := int64(int32(o.S[0].Imm)) + o.Offset
	switch o.Space {
	case rows.Uniform:
		t.Load(a64.W64, x9, t.field(unsafe.Offsetof(t.x.Uniform)))
		t.AddImm(a64.W64, x9, x9, at)
		t.Load(widthOf(o.Size), x8, a64.Mem{Base: x9})
		t.Dup(d, x8)
	case rows.Items:
		t.rowOfLanes(unsafe.Offsetof(t.x.Items), at*int64(t.row))
		t.Move(a64.LoadD, uint8(d), a64.Mem{Base: x9})
		t.V2(a64.Uxtl, d, d)
	default:
		t.rowOfLanes(t.privateDelta(), t.private(o, false))
		t.Move(a64.LoadD, uint8(d), a64.Mem{Base: x9})
		t.V2(a64.Uxtl, d, d)
		if o.Size == 8 {
			t.Move(a64.LoadD, uint8(v23), a64.Mem{Base: x9, Disp: 4 << t.dwordShift()})
			t.V2(a64.Uxtl, v23, v23)
			t.ShiftImm(a64.ShlD, v23, v23, 32)
			t.V3(a64.Orr, d, d, v23)
		}
	}
}

func widthOf(size int) a64.Width {
	if size == 8 {
		return a64.W64
	}
	return a64.W32
}

// each makes code for each lane of an access, with X9 what has to be added to the address, which comes into
// X10.
func (t *translator) each(o *rows.Op, g int, body func(lane int)) {
	private := o.Space == rows.Private
	t.Load(a64.W64, x9, t.deltaAt(g))
	if private {
		t.AddImm(a64.W64, x9, x9, t.private(o, false))
		t.LslImm(x10, regLane, 2)
		t.Op(a64.ADD, a64.W64, x9, x9, x10)
	} else {
		t.AddImm(a64.W64, x9, x9, o.Offset)
	}
	for lane := range part {
		off := t.NewLabel()
		if !t.full || o.Under.N != rows.Always {
			t.Umov(x10, lanesUnder, lane)
			t.Cbz(a64.W64, x10, off)
		}
		from := t.rowAt(o.S[0].Reg)
		from.Disp += int32(8 * lane)
		t.Load(a64.W64, x10, from)
		if private {
			t.Load(a64.W64, x8, t.field(unsafe.Offsetof(t.x.Private)+unsafe.Offsetof(t.x.Private.Base)))
			t.Op(a64.SUB, a64.W64, x10, x10, x8)
			t.LslImm(x10, x10, t.dwordShift())
			t.AddImm(a64.W64, x10, x10, int64(4*lane))
		}
		body(lane)
		t.Set(off)
	}
}

// loadLanes loads from anywhere.
func (t *translator) loadLanes(o *rows.Op, g int, d a64.V) {
	split := o.Size == 8 && o.Space == rows.Private
	t.Zero(d)
	t.each(o, g, func(lane int) {
		if split {
			t.Op(a64.ADD, a64.W64, x10, x10, x9)
			t.Load(a64.W32, x8, a64.Mem{Base: x10})
			t.Load(a64.W32, x11, a64.Mem{Base: x10, Disp: 4 << t.dwordShift()})
			t.LslImm(x11, x11, 32)
			t.Op(a64.ORR, a64.W64, x8, x8, x11)
		} else {
			t.LoadAt(widthOf(o.Size), x8, x10, x9)
		}
		t.Ins(d, lane, x8)
	})
}

func (t *translator) store(o *rows.Op) {
	v := t.value(o.S[1])
	of, checked := o.Checked()
	if !checked {
		t.storePrivate(o, v)
		return
	}
	split := o.Size == 8 && o.Space == rows.Private
	t.each(o, t.plan.Find(of), func(lane int) {
		t.Umov(x8, v, lane)
		if !split {
			t.StoreAt(widthOf(o.Size), x8, x10, x9)
			return
		}
		t.Op(a64.ADD, a64.W64, x10, x10, x9)
		t.Store(a64.W32, a64.Mem{Base: x10}, x8)
		t.LsrImm(x8, x8, 32)
		t.Store(a64.W32, a64.Mem{Base: x10, Disp: 4 << t.dwordShift()}, x8)
	})
}

// storePrivate stores to one address in all lanes' private memory: lanes that are off get what they have.
func (t *translator) storePrivate(o *rows.Op, v a64.V) {
	t.rowOfLanes(t.privateDelta(), t.private(o, false))
	store := func(v a64.V, at a64.Mem) {
		if t.full && o.Under.N == rows.Always {
			t.V2(a64.Xtn, v24, v)
		} else {
			t.Move(a64.LoadD, uint8(v24), at)
			t.V2(a64.Uxtl, v24, v24)
			t.V3(a64.Bit, v24, v, lanesUnder)
			t.V2(a64.Xtn, v24, v24)
		}
		t.Move(a64.StoreD, uint8(v24), at)
	}
	store(v, a64.Mem{Base: x9})
	if o.Size == 8 {
		t.ShiftImm(a64.UshrD, v23, v, 32)
		store(v23, a64.Mem{Base: x9, Disp: 4 << t.dwordShift()})
	}
}
