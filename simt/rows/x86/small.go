package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
)

// Accesses of bytes and words. There are no gathers of these: the dwords that they lie in are loaded. What
// lies anyhow is stored by one lane after the other.

// loadSmall loads a byte or a word for each lane. Addresses are made in spare.
func (t *translator) loadSmall(o *rows.Op, g int, d native.Z) {
	spare := t.take()
	at := native.Mem{Base: native.RDX, Disp: int32(o.Offset)}
	t.placed(o, g, func() {
		t.insOf(native.Extend(uint8(o.Size), 8, false), d, 0, native.InMem(at))
	}, func() { t.loadSmallOthers(o, g, d, spare) })
}

// loadSmallOthers is loadSmall where lanes lie in another way: see placed.
func (t *translator) loadSmallOthers(o *rows.Op, g int, d, spare native.Z) {
	one, done := t.NewLabel(), t.NewLabel()
	at := native.Mem{Base: native.RDX, Disp: int32(o.Offset)}
	t.Jcc(native.A, one)
	if t.quads {
		t.dwordsOf256(o, g, d, spare)
	} else {
		t.dwordsOf(o, g, d, spare)
	}
	t.ins(native.SRLVQ, d, d, spare)
	t.each(spare, t.constant(1<<(8*o.Size)-1))
	t.ins(native.AndQ, d, d, spare)
	t.Jmp(done)
	t.Set(one)
	if o.Size == 1 {
		t.Load8(native.RAX, at)
	} else {
		t.Load16(native.RAX, at)
	}
	t.eachOf(d)
	t.Set(done)
}

// dwordsOf loads the dwords that the lanes' bytes lie in, and makes shifts what brings these down.
func (t *translator) dwordsOf(o *rows.Op, g int, d, shifts native.Z) {
	t.addresses(o, g)
	t.lanesOf(o)
	t.Kmov8(6, 5)
	t.V(native.AndQ, shifts, 26, native.Each(t.constant(3)), 0)
	t.V(native.XorQ, 26, 26, native.InReg(shifts), 0)
	t.V(native.ShiftQ, native.ShiftLeft, shifts, native.InReg(shifts), 0, 3)
	t.gather32(d)
}

func (t *translator) dwordsOf256(o *rows.Op, g int, d, shifts native.Z) {
	t.addresses256(o, g)
	t.each(tmp3, t.constant(3))
	t.ins(native.AndQ, shifts, tmp2, tmp3)
	t.ins(native.XorQ, tmp2, tmp2, shifts)
	t.V256(native.ShiftQ, native.ShiftLeft, shifts, native.InReg(shifts), 3)
	t.gatherDwords256(d, t.lanes256(o))
}

// storeSmall stores a byte or a word of each lane.
func (t *translator) storeSmall(o *rows.Op, g int, v native.Z) {
	t.placed(o, g, func() { t.storeSmallSide(o, v) }, func() {
		if t.quads {
			t.scatter256(o, g, v)
			return
		}
		t.addresses(o, g)
		t.lanesOf(o)
		t.scatterSmall(o, v)
	})
}

// storeSmallSide stores to places that RDX is the first of.
func (t *translator) storeSmallSide(o *rows.Op, v native.Z) {
	at := native.Mem{Base: native.RDX, Disp: int32(o.Offset)}
	if t.quads {
		t.V256(native.MovDQU64To, v, 0, native.InMem(t.asideAt(1, regContext)))
		for l := range t.lanes {
			from := t.asideAt(1, regContext)
			from.Disp += 8 * l
			t.Load(native.W64, native.RAX, from)
			t.storeLow(native.Mem{Base: at.Base, Disp: at.Disp + l*int32(o.Size)}, o.Size)
		}
	} else {
		t.V(native.Narrow(8, uint8(o.Size)), v, 0, native.InMem(at), 0)
	}
}

// asideAt is where addresses are put aside, or with 1 numbers, for a context that is in a register.
func (t *translator) asideAt(i int, context native.Reg) native.Mem {
	m := t.own(unsafe.Offsetof(t.s.aside) + uintptr(i)*unsafe.Sizeof(t.s.aside[0]))
	m.Base = context
	return m
}

// scatterSmall stores what the lanes of K5 have to the addresses in vector register 26.
func (t *translator) scatterSmall(o *rows.Op, v native.Z) {
	more, none := t.NewLabel(), t.NewLabel()
	t.V(native.MovDQU64To, 26, 0, native.InMem(t.asideAt(0, regContext)), 0)
	t.V(native.MovDQU64To, v, 0, native.InMem(t.asideAt(1, regContext)), 0)
	t.KmovFrom16(native.RCX, 5)
	t.Test(native.W32, native.RCX, native.RCX)
	t.Jcc(native.E, none)
	t.Set(more)
	t.Tzcnt(native.W32, native.RSI, native.RCX)
	t.ShiftImm(native.SHL, native.W32, native.RSI, 3)
	t.Op(native.ADD, native.W64, native.RSI, regContext)
	t.Load(native.W64, native.RDX, t.asideAt(0, native.RSI))
	t.Load(native.W64, native.RAX, t.asideAt(1, native.RSI))
	t.storeLow(native.Mem{Base: native.RDX}, o.Size)
	t.Lea(native.RAX, native.Mem{Base: native.RCX, Disp: -1})
	t.Op(native.AND, native.W32, native.RCX, native.RAX)
	t.Jcc(native.NE, more)
	t.Set(none)
}

// storeLow stores so many bytes of RAX.
func (t *translator) storeLow(to native.Mem, size int) {
	switch size {
	case 1:
		t.Store8(to, native.RAX)
	case 2:
		t.Store16(to, native.RAX)
	case 4:
		t.Store(native.W32, to, native.RAX)
	default:
		t.Store(native.W64, to, native.RAX)
	}
}
