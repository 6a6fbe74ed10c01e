package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// Code for AVX2 does four lanes at a time: a part is a vector register of 256 bits, of which there are 16,
// and a mask is one too. What AVX2 lacks is made of what it has.

// The vector registers that hold no rows.
const (
	nans256   native.Z = 10 // NaNs that have come up: in a quick way alone, see quick.go
	tmp1      native.Z = 11
	tmp2      native.Z = 12
	tmp3      native.Z = 13
	under256  native.Z = 14 // the lanes of an operation
	active256 native.Z = 15 // of the part
)

// numbers256 are where several numbers lie one behind the other.
func (t *translator) numbers256(list ...uint64) native.Mem {
	return t.pool.Numbers(len(list), 8, func(k int) uint64 { return list[k] })
}

// without makes what AVX2 has no instruction for.
func (t *translator) without() *native.Octets {
	return &native.Octets{Assembler: &t.Assembler, Pool: &t.pool, Tmp: [3]native.Z{tmp1, tmp2, tmp3}}
}

// number256 is where a number of all lanes is.
func (t *translator) number256(v uint64) native.Mem { return t.numbers256(v, v, v, v) }

// maskOf makes the bits of the part, in the byte where they are, a mask: that of bits that are set, or not.
func (t *translator) maskOf(z native.Z, at native.Mem, not bool) {
	first := uint64(1) << t.bitInByte()
	bits := t.numbers256(first, first<<1, first<<2, first<<3)
	is := bits
	if not {
		is = t.number256(0)
	}
	t.V256(native.BroadcastB, z, 0, native.InMem(at))
	t.V256(native.AndQ, z, z, native.InMem(bits))
	t.V256(native.CmpEqQ, z, z, native.InMem(is))
}

// byteAt is where the byte is in a mask that has the bits of the part, from bit bitInByte on.
func (t *translator) byteAt(n int32) native.Mem { return t.maskAt(n, t.part/2) }

func (t *translator) bitInByte() uint8 { return uint8(t.part % 2 * t.lanes) }

// under256 makes the lanes of the part that are active and in a mask those of an operation.
func (t *translator) under256(m rows.Mask) {
	t.maskOf(under256, t.byteAt(m.N), m.Not)
	if !t.full {
		t.V256(native.AndQ, under256, under256, native.InReg(active256))
	}
}

// lanes256 is where the lanes of an operation are; those of a mask are in under256 already.
func (t *translator) lanes256(o *rows.Op) native.Z {
	switch {
	case o.Under.N != rows.Always:
	case t.full:
		t.V256(native.CmpEqD, under256, under256, native.InReg(under256))
	default:
		return active256
	}
	return under256
}

// blend makes d a, but in the lanes of a mask b.
func (t *translator) blend(d, a, b, mask native.Z) {
	t.V256(native.BlendVPD, d, a, native.InReg(b), byte(mask)<<4)
}

func (t *translator) blend32(d, a, b, mask native.Z) {
	t.V256(native.BlendVPS, d, a, native.InReg(b), byte(mask)<<4)
}

// each32 makes a number that of all dwords.
func (t *translator) each32(z native.Z, v uint64) {
	t.V256(native.BroadcastD, z, 0, native.InMem(t.constant(v)))
}

// save256 stores a part, in the active lanes.
func (t *translator) save256(z native.Z, m native.Mem) {
	if t.full {
		t.V256(native.MovDQU64To, z, 0, native.InMem(m))
		return
	}
	t.move(tmp1, native.InMem(m))
	t.blend(tmp1, tmp1, z, active256)
	t.V256(native.MovDQU64To, tmp1, 0, native.InMem(m))
}

// calc256 is calc.
func (t *translator) calc256(o *rows.Op, f form, d native.Z, s [3]native.Z) {
	r := native.InReg
	switch {
	case o.Op == vec.WideSignExtend32: // once the low half
		t.V256(native.MulSDQ, d, s[0], native.InMem(t.number256(1)))
	case o.Op == vec.WideSelect:
		t.maskOf(tmp1, t.byteAt(o.In.N), o.In.Not)
		t.blend(d, s[1], s[0], tmp1)
	case f.in == native.FMAdd213PS || f.in == native.FMAdd213PD:
		t.move(d, r(s[0]))
		t.V256(f.in, d, s[1], r(s[2]))
	case f.in == native.MulLQ:
		t.without().MulQ(d, s[0], s[1])
	case f.in == native.SRAVQ && o.S[1].Const && o.S[1].Imm == 32:
		t.V256(native.ShiftD, 4, tmp1, r(s[0]), 31)
		t.V256(native.ShuffleD, d, 0, r(s[0]), 0xf5)
		t.V256(native.BlendD, d, d, r(tmp1), 0xaa)
	case f.in == native.SRAVQ:
		t.without().SarQ(d, s[0], s[1])
	case f.in == native.MinUQ:
		t.without().Above(tmp1, s[0], s[1], 8)
		t.blend(d, s[0], s[1], tmp1)
	case f.in == native.MaxUQ:
		t.without().Above(tmp1, s[0], s[1], 8)
		t.blend(d, s[1], s[0], tmp1)
	case f.in == native.MinPS || f.in == native.MaxPS:
		t.extreme256(f, d, s[0], s[1])
		return
	case f.in == native.CvtTPS2DQ:
		t.without().TruncPS(d, s[0])
	case f.in == native.CvtTPS2UDQ:
		t.without().TruncUPS(d, s[0])
	case f.in == native.CvtUDQ2PS:
		t.without().CvtUDQ(d, s[0])
	case f.round != 0:
		t.V256(f.in, d, 0, r(s[0]), f.round)
	case rows.Sources(o.Op) == 1:
		t.V256(f.in, d, 0, r(s[0]))
	case t.fromMemory(o, f):
		t.V256(f.in, d, s[0], native.InMem(t.number256(o.S[1].Imm)))
	default:
		t.V256(f.in, d, s[0], r(s[1]))
	}
	if f.then.Op != 0 {
		t.V256(f.then, d, d, r(s[2]))
	}
	if f.shift != 0 {
		t.V256(native.ShiftQ, 2, d, r(d), f.shift)
	}
	if f.low {
		t.each(tmp1, t.constant(1<<32-1))
		t.V256(native.AndQ, d, d, r(tmp1))
	}
	t.setNaN256(o, f, d, s)
}

// inRegisters are the instructions that AVX2 lacks, or that need all that they compute with in registers.
var inRegisters = map[native.Instruction]bool{native.FMAdd213PS: true, native.FMAdd213PD: true,
	native.MulLQ: true, native.SRAVQ: true, native.MinUQ: true, native.MaxUQ: true, native.MinPS: true,
	native.MaxPS: true}

// fromMemory reports whether the second operand of an operation is a number that needs no register.
func (t *translator) fromMemory(o *rows.Op, f form) bool {
	return t.quads && rows.Sources(o.Op) > 1 && o.S[1].Const && f.in.Op != 0 && !inRegisters[f.in] &&
		(f.nan == 0 || o.NaN != rows.FirstNaN || t.isLate(o))
}

// second is the second operand of an instruction.
func (t *translator) second(v rows.Value) native.Operand {
	if v.Const {
		return native.InMem(t.number256(v.Imm))
	}
	return native.InReg(t.value(v))
}

// setNaN256 is setNaN.
func (t *translator) setNaN256(o *rows.Op, f form, d native.Z, s [3]native.Z) {
	switch {
	case t.isLate(o):
	case f.nan != 0 && o.NaN == rows.FirstNaN:
		t.firstNaN256(d, s[:rows.Sources(o.Op)], f.nan)
	case f.nan == 32:
		t.V256(native.CmpPS, tmp1, d, native.InReg(d), 3)
		t.each32(tmp2, o.NaN)
		t.blend32(d, d, tmp2, tmp1)
	case f.nan == 64:
		t.V256(native.CmpPD, tmp1, d, native.InReg(d), 3)
		t.each(tmp2, t.constant(o.NaN))
		t.blend(d, d, tmp2, tmp1)
	}
}

// extreme256 is extreme.
func (t *translator) extreme256(f form, d, a, b native.Z) {
	r := native.InReg
	t.V256(f.in, tmp1, a, r(b))
	t.V256(native.CmpPS, tmp2, a, r(b), 0)
	t.V256(f.then, tmp3, a, r(b))
	t.blend32(tmp1, tmp1, tmp3, tmp2)
	t.V256(native.CmpPS, tmp2, b, r(b), 3)
	t.V256(native.CmpPS, tmp3, a, r(a), 7)
	t.V256(native.AndQ, tmp2, tmp2, r(tmp3))
	t.blend32(d, tmp1, a, tmp2)
}

// firstNaN256 is firstNaN.
func (t *translator) firstNaN256(d native.Z, s []native.Z, width int) {
	r := native.InReg
	n := nanForms[width]
	each, blend := t.each32, t.blend32
	if width == 64 {
		each, blend = func(z native.Z, v uint64) { t.each(z, t.constant(v)) }, t.blend
	}
	none := t.NewLabel()
	t.V256(n.cmp, tmp1, d, r(d), 3)
	t.V256(n.mask, native.Z(native.RAX), 0, r(tmp1))
	t.Test(native.W32, native.RAX, native.RAX)
	t.Jcc(native.E, none)
	each(tmp2, n.positive)
	blend(d, d, tmp2, tmp1)
	for i := len(s) - 1; i >= 0; i-- {
		t.V256(n.cmp, tmp2, s[i], r(s[i]), 3)
		t.V256(native.AndQ, tmp2, tmp2, r(tmp1))
		each(tmp3, n.quiet)
		t.V256(native.OrQ, tmp3, tmp3, r(s[i]))
		blend(d, d, tmp3, tmp2)
	}
	t.Set(none)
}

// test256 is test.
func (t *translator) test256(o *rows.Op, f test) {
	a, b := o.S[0], o.S[1]
	switch {
	case o.Op == vec.WideEqU:
		t.V256(native.CmpEqQ, tmp1, t.value(a), t.second(b))
	case o.Op == vec.WideLtU:
		t.without().Above(tmp1, t.value(b), t.value(a), 8)
	case o.Op == vec.WideLtI64:
		t.V256(native.CmpGtQ, tmp1, t.value(b), t.second(a))
	case f.bits == 31:
		t.V256(native.CmpGtD, tmp1, t.value(b), t.second(a))
	default:
		t.V256(f.in, tmp1, t.value(a), t.second(b), f.cond)
	}
	if f.bits != 0 { // the sign of the upper half is looked at
		t.V256(native.ShiftQ, native.ShiftLeft, tmp1, native.InReg(tmp1), 32)
	}
	const each = 15
	t.V256(native.MovMskPD, native.Z(native.RAX), 0, native.InReg(tmp1))
	if o.Invert {
		t.OpImm(native.XOR, native.W32, native.RAX, each)
	}
	at, bit := t.byteAt(o.P), t.bitInByte()
	t.Load8(native.RDX, at)
	if t.full && o.Under.N == rows.Always {
		t.OpImm(native.AND, native.W32, native.RDX, ^(each << bit))
	} else {
		t.V256(native.MovMskPD, native.Z(native.RCX), 0, native.InReg(t.lanes256(o)))
		t.Op(native.AND, native.W32, native.RAX, native.RCX)
		if bit > 0 {
			t.ShiftImm(native.SHL, native.W32, native.RCX, bit)
		}
		t.Not(native.W32, native.RCX)
		t.Op(native.AND, native.W32, native.RDX, native.RCX)
	}
	if bit > 0 {
		t.ShiftImm(native.SHL, native.W32, native.RAX, bit)
	}
	t.Op(native.OR, native.W32, native.RAX, native.RDX)
	t.Store8(at, native.RAX)
}

// apart256 is apart. No vector register holds anything yet.
func (t *translator) apart256(g *rows.Span, step int, other native.Label) {
	const by native.Z = 0
	t.each(tmp1, t.rowAt(g.Reg, 0))
	if step > 0 {
		t.each(by, t.constant(uint64(t.lanes)*uint64(step)))
		t.V256(native.AddQ, tmp1, tmp1, native.InMem(t.counting(0, step)))
	}
	t.V256(native.CmpEqQ, tmp3, tmp1, native.InMem(t.rowAt(g.Reg, 0)))
	for q := range t.parts() {
		if q > 0 && step > 0 {
			t.V256(native.AddQ, tmp1, tmp1, native.InReg(by))
		}
		if q > 0 {
			t.V256(native.CmpEqQ, tmp2, tmp1, native.InMem(t.rowAt(g.Reg, q)))
			t.V256(native.AndQ, tmp3, tmp3, native.InReg(tmp2))
		}
	}
	t.V256(native.MovMskPD, native.Z(native.RAX), 0, native.InReg(tmp3))
	t.OpImm(native.CMP, native.W32, native.RAX, 15)
	t.Jcc(native.NE, other)
}

// check256 is what check does where lanes lie anyhow. No vector register holds anything yet.
func (t *translator) check256(i int, slot native.Mem, bail native.Label) {
	const bad, from, limit, all, zero, at, first = 0, 1, 2, 3, 4, 5, 6
	r := native.InReg
	sign := native.InMem(t.number256(1 << 63)) // there are only comparisons with signs
	g := &t.plan.Groups[i]
	var s rows.Slot
	t.Load(native.W64, native.RAX, fieldOf(slot, unsafe.Offsetof(s.Size)))
	t.OpImm(native.SUB, native.W64, native.RAX, int32(g.Hi-g.Lo))
	t.Jcc(native.B, bail)
	t.eachOf(limit)
	t.V256(native.XorQ, limit, limit, sign)
	t.MovImm(native.RAX, uint64(g.Lo))
	t.OpMem(native.SUB, native.W64, native.RAX, fieldOf(slot, unsafe.Offsetof(s.Base)))
	t.eachOf(from)
	t.V256(native.XorQ, from, from, sign)
	t.Load(native.W64, native.RCX, fieldOf(slot, unsafe.Offsetof(s.Delta)))
	t.Store(native.W64, t.deltaAt(i), native.RCX)
	t.V256(native.XorQ, all, all, r(all))
	t.V256(native.XorQ, zero, zero, r(zero))
	t.V256(native.XorQ, bad, bad, r(bad))
	for t.part = range t.parts() {
		t.begin()
		lanes := active256
		if g.Under.N != rows.Always {
			t.under256(g.Under)
			lanes = under256
		}
		t.move(at, native.InMem(t.rowAt(g.Reg, t.part)))
		t.V256(native.AddQ, tmp1, at, r(from))
		t.V256(native.CmpGtQ, tmp1, tmp1, r(limit))
		t.V256(native.AndQ, tmp1, tmp1, r(lanes))
		t.V256(native.OrQ, bad, bad, r(tmp1))
		t.V256(native.AndQ, tmp1, at, r(lanes))
		t.V256(native.OrQ, all, all, r(tmp1))
		t.each(first, t.rowAt(g.Reg, t.part))
		t.V256(native.SubQ, at, at, r(first))
		lie := func(as native.Operand, how uint64) {
			t.V256(native.CmpEqQ, tmp1, at, as)
			t.V256(native.AndQ, tmp1, tmp1, r(lanes))
			t.V256(native.MovMskPD, native.Z(native.RAX), 0, r(tmp1))
			t.OpImm(native.CMP, native.W32, native.RAX, 15)
			t.lie(native.E, how)
		}
		t.MovImm(native.RDX, anyhow)
		if g.Space != rows.Private {
			lie(native.InMem(t.counting(0, g.Size)), side)
		}
		lie(r(zero), same)
		t.Store(native.W32, t.howAt(i, t.part), native.RDX)
		t.first(i, slot)
	}
	t.each(tmp1, t.constant(uint64(g.Align-1)))
	t.V256(native.AndQ, all, all, r(tmp1))
	t.V256(native.CmpGtQ, all, all, r(zero))
	t.V256(native.OrQ, bad, bad, r(all))
	t.V256(native.MovMskPD, native.Z(native.RAX), 0, r(bad))
	t.Test(native.W32, native.RAX, native.RAX)
	t.Jcc(native.NE, bail)
}

// addresses256 makes tmp2 the host's addresses of an access. It uses tmp3.
func (t *translator) addresses256(o *rows.Op, g int) {
	r := native.InReg
	t.Load(native.W64, native.RAX, t.deltaAt(g))
	t.move(tmp2, native.InMem(t.rowAt(o.S[0].Reg, t.part)))
	if o.Space == rows.Private {
		t.each(tmp3, t.field(unsafe.Offsetof(t.x.Private)+unsafe.Offsetof(t.x.Private.Base)))
		t.V256(native.SubQ, tmp2, tmp2, r(tmp3))
		t.V256(native.ShiftQ, 6, tmp2, r(tmp2), t.dwordShift())
		t.V256(native.AddQ, tmp2, tmp2, native.InMem(t.counting(0, 4)))
		t.OpImm(native.ADD, native.W64, native.RAX, int32(o.Offset)<<t.dwordShift()+4*t.lanes*t.part)
	} else {
		t.OpImm(native.ADD, native.W64, native.RAX, int32(o.Offset))
	}
	t.eachOf(tmp3)
	t.V256(native.AddQ, tmp2, tmp2, r(tmp3))
}

// pack makes d the lower halves of what is in four lanes, one behind the other.
func (t *translator) pack(d, s native.Z) {
	t.move(d, native.InMem(t.numbers256(2<<32, 6<<32|4, 3<<32|1, 7<<32|5)))
	t.V256(native.PermD, d, d, native.InReg(s))
}

// gather256 loads from anywhere.
func (t *translator) gather256(o *rows.Op, g int, d native.Z) {
	t.addresses256(o, g)
	lanes := t.lanes256(o)
	if o.Size == 8 && o.Space != rows.Private {
		t.V256(native.XorQ, d, d, native.InReg(d))
		t.move(tmp3, native.InReg(lanes))
		t.Gather256(native.GatherQQ, d, tmp2, tmp3)
		return
	}
	t.gatherDwords256(d, lanes)
	if o.Size == 8 {
		t.each(tmp3, t.constant(4<<t.dwordShift()))
		t.V256(native.AddQ, tmp2, tmp2, native.InReg(tmp3))
		t.gatherDwords256(tmp1, lanes)
		t.V256(native.ShiftQ, 6, tmp1, native.InReg(tmp1), 32)
		t.V256(native.OrQ, d, d, native.InReg(tmp1))
	}
}

// gatherDwords256 makes d the dwords of some lanes at the addresses in tmp2.
func (t *translator) gatherDwords256(d, lanes native.Z) {
	t.pack(tmp3, lanes)
	t.V256(native.XorQ, tmp1, tmp1, native.InReg(tmp1))
	t.Gather256(native.GatherQD, tmp1, tmp2, tmp3)
	t.V256(native.MovZXDQ, d, 0, native.InReg(tmp1))
}

// loadPrivate256 is loadPrivate.
func (t *translator) loadPrivate256(o *rows.Op, d native.Z) {
	t.widen(d, t.privateAt(o, false))
	if o.Size == 8 {
		t.widen(tmp1, t.privateAt(o, true))
		t.V256(native.ShiftQ, 6, tmp1, native.InReg(tmp1), 32)
		t.V256(native.OrQ, d, d, native.InReg(tmp1))
	}
}

// scatter256 stores to anywhere, one lane after the other.
func (t *translator) scatter256(o *rows.Op, g int, v native.Z) {
	t.addresses256(o, g)
	aside := func(i, lane int) native.Mem {
		return t.own(unsafe.Offsetof(t.s.aside) + uintptr(i)*unsafe.Sizeof(t.s.aside[0]) + uintptr(8*lane))
	}
	t.V256(native.MovDQU64To, tmp2, 0, native.InMem(aside(0, 0)))
	t.V256(native.MovDQU64To, v, 0, native.InMem(aside(1, 0)))
	t.V256(native.MovMskPD, native.Z(native.RCX), 0, native.InReg(t.lanes256(o)))
	for lane := range 4 {
		off := t.NewLabel()
		t.Mov(native.W32, native.RAX, native.RCX)
		t.OpImm(native.AND, native.W32, native.RAX, 1<<lane)
		t.Jcc(native.E, off)
		t.Load(native.W64, native.RDX, aside(0, lane))
		t.Load(native.W64, native.RAX, aside(1, lane))
		to := native.Mem{Base: native.RDX}
		if o.Space == rows.Private {
			t.Store(native.W32, to, native.RAX)
		} else {
			t.storeLow(to, o.Size)
		}
		if o.Size == 8 && o.Space == rows.Private {
			t.ShiftImm(native.SHR, native.W64, native.RAX, 32)
			t.Store(native.W32, native.Mem{Base: native.RDX, Disp: 4 << t.dwordShift()}, native.RAX)
		}
		t.Set(off)
	}
}

// storePrivate256 is storePrivate: lanes that are off get what they have.
func (t *translator) storePrivate256(o *rows.Op, v native.Z) {
	all := t.full && o.Under.N == rows.Always
	store := func(v native.Z, at native.Mem) {
		if !all {
			t.widen(tmp2, at)
			t.blend(tmp2, tmp2, v, t.lanes256(o))
			v = tmp2
		}
		t.pack(tmp3, v)
		t.V256(native.ExtractI128, tmp3, 0, native.InMem(at), 0)
	}
	store(v, t.privateAt(o, false))
	if o.Size == 8 {
		t.V256(native.ShiftQ, 2, tmp1, native.InReg(v), 32)
		store(tmp1, t.privateAt(o, true))
	}
}
