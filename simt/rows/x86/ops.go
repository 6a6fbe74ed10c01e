package x86

import (
	"math/bits"
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// A form is how an operation is translated: an instruction, then perhaps another on its result and the last
// operand, and what else has to be done.
type form struct {
	in, then native.Instruction
	shift    byte // right by 32
	nan      int  // bits of the floats that may be NaNs
	round    byte // how an instruction rounds
	low      bool // the upper halves must be cleared
}

// calcs are the operations, on two operands or three.
var calcs = map[vec.WideOp]form{
	vec.WideAdd: {in: native.AddQ}, vec.WideSub: {in: native.SubQ}, vec.WideMul: {in: native.MulLQ},
	vec.WideMad: {in: native.MulLQ, then: native.AddQ}, vec.WideAnd: {in: native.AndQ},
	vec.WideOr:  {in: native.OrQ},
	vec.WideXor: {in: native.XorQ}, vec.WideShl: {in: native.SLLVQ}, vec.WideShr: {in: native.SRLVQ},
	vec.WideSar:  {in: native.SRAVQ},
	vec.WideMinU: {in: native.MinUQ}, vec.WideMaxU: {in: native.MaxUQ},
	vec.WideAdd32: {in: native.AddD}, vec.WideSub32: {in: native.SubD}, vec.WideMul32: {in: native.MulLD},
	vec.WideMad32: {in: native.MulLD, then: native.AddD}, vec.WideShl32: {in: native.SLLVD},
	vec.WideShr32: {in: native.SRLVD},
	vec.WideSar32: {in: native.SRAVD}, vec.WideMinI32: {in: native.MinSD},
	vec.WideMaxI32:   {in: native.MaxSD},
	vec.WideMulHiU32: {in: native.MulUDQ, shift: 32}, vec.WideMulHiI32: {in: native.MulSDQ, shift: 32},
	vec.WideMulU32: {in: native.MulUDQ}, vec.WideMulI32: {in: native.MulSDQ},
	vec.WideMadU32: {in: native.MulUDQ, then: native.AddQ},
	vec.WideMadI32: {in: native.MulSDQ, then: native.AddQ},
	vec.WideAddF32: {in: native.AddPS, nan: 32}, vec.WideSubF32: {in: native.SubPS, nan: 32},
	vec.WideMulF32: {in: native.MulPS, nan: 32}, vec.WideDivF32: {in: native.DivPS, nan: 32, low: true},
	vec.WideFmaF32: {in: native.FMAdd213PS, nan: 32}, vec.WideSqrtF32: {in: native.SqrtPS, nan: 32},
	vec.WideF32I: {in: native.CvtDQ2PS}, vec.WideF32U: {in: native.CvtUDQ2PS},
	vec.WideMinF32:  {in: native.MinPS, then: native.Or},
	vec.WideMaxF32:  {in: native.MaxPS, then: native.And},
	vec.WideRintF32: {in: native.RoundPS, round: 8}, vec.WideFloorF32: {in: native.RoundPS, round: 9},
	vec.WideCeilF32: {in: native.RoundPS, round: 10}, vec.WideTruncF32: {in: native.RoundPS, round: 11},
	vec.WideIF32: {in: native.CvtTPS2DQ}, vec.WideUF32: {in: native.CvtTPS2UDQ},
	vec.WideAddF64: {in: native.AddPD, nan: 64}, vec.WideSubF64: {in: native.SubPD, nan: 64},
	vec.WideMulF64: {in: native.MulPD, nan: 64}, vec.WideDivF64: {in: native.DivPD, nan: 64},
	vec.WideFmaF64: {in: native.FMAdd213PD, nan: 64}, vec.WideSignExtend32: {}, vec.WideSelect: {},
	vec.WideF32F16: {}, vec.WideF16F32: {}, vec.WideOneNaNF16: {}, vec.WideAddF16: {}, vec.WideMulF16: {},
	vec.WideFmaF16: {}, vec.WidePkAddF16: {}, vec.WidePkMulF16: {}, vec.WidePkFmaF16: {},
}

// A test is how a comparison is translated.
type test struct {
	in   native.Instruction
	cond byte
	bits int // of floats, or of signed integers that lie in the low halves
}

var tests = map[vec.WideOp]test{
	vec.WideEqU: {native.CmpUQ, 0, 0}, vec.WideLtU: {native.CmpUQ, 1, 0},
	vec.WideLtI64: {native.CmpSQ, 1, 0},
	vec.WideLtI32: {native.CmpSQ, 1, 31}, vec.WideEqF32: {native.CmpPS, 0, 32},
	vec.WideNeF32: {native.CmpPS, 12, 32},
	vec.WideLtF32: {native.CmpPS, 17, 32}, vec.WideLeF32: {native.CmpPS, 18, 32},
	vec.WideOrdF32: {native.CmpPS, 7, 32},
	vec.WideEqF64:  {native.CmpPD, 0, 0}, vec.WideNeF64: {native.CmpPD, 12, 0},
	vec.WideLtF64: {native.CmpPD, 17, 0},
	vec.WideLeF64: {native.CmpPD, 18, 0}, vec.WideOrdF64: {native.CmpPD, 7, 0},
}

// Can reports whether an operation has a translation.
func Can(o *rows.Op) bool {
	switch o.Kind {
	case rows.Calc:
		_, ok := calcs[o.Op]
		return ok && (!halves[o.Op].fused || vec.Current() == vec.AVX512) // for which AVX2 has few registers
	case rows.Test:
		_, ok := tests[o.Op]
		return ok
	}
	return true
}

// take gives a vector register that nothing is in, pinned.
func (t *translator) take() native.Z {
	z := t.held.Oldest(t.keeps)
	t.save(z)
	t.held.Take(z)
	return native.Z(z)
}

// save brings what a vector register holds into memory, if it is not there. Lanes that are off get what they
// have: a processor does not forward what has been stored under a mask, and the next segment loads it.
func (t *translator) save(z int) {
	if h := &t.held.Of[z]; h.Dirty && t.quads {
		t.save256(native.Z(z), t.rowAt(h.Reg, t.part))
		h.Dirty = false
	} else if h.Dirty {
		from, row := native.Z(z), native.InMem(t.rowAt(h.Reg, t.part))
		if !t.full {
			t.V(native.MovDQU64, merged, 0, row, 0)
			t.V(native.MovDQA64, merged, 0, native.InReg(from), 1)
			from = merged
		}
		t.V(native.MovDQU64To, from, 0, row, 0)
		h.Dirty = false
	}
}

// value brings an operand into a vector register and pins it.
func (t *translator) value(v rows.Value) native.Z {
	if z, ok := t.held.Find(v); ok {
		return native.Z(z)
	}
	z := t.take()
	t.held.Fill(int(z), v)
	if v.Const {
		t.each(z, t.constant(v.Imm))
		return z
	}
	t.move(z, native.InMem(t.rowAt(v.Reg, t.part)))
	return z
}

// each makes a number in memory that of all lanes of a part, move copies a part.
func (t *translator) each(z native.Z, m native.Mem) {
	if t.quads {
		t.V256(native.BroadcastQVEX, z, 0, native.InMem(m))
		return
	}
	t.V(native.BroadcastQ, z, 0, native.InMem(m), 0)
}

func (t *translator) move(z native.Z, from native.Operand) {
	if t.quads {
		t.V256(native.MovDQU64, z, 0, from)
		return
	}
	t.V(native.MovDQU64, z, 0, from, 0)
}

// eachOf is each of RAX.
func (t *translator) eachOf(z native.Z) {
	if t.quads {
		t.eachLow(native.MovQ, z, native.InReg(native.Z(native.RAX)))
		return
	}
	t.V(native.BroadcastR, z, 0, native.InReg(native.Z(native.RAX)), 0)
}

// eachLow is each of a dword, whose upper half becomes 0, or of a qword, by the instruction that loads it.
func (t *translator) eachLow(in native.Instruction, z native.Z, from native.Operand) {
	t.VEX(native.L128, in, z, 0, from)
	t.V256(native.BroadcastQVEX, z, 0, native.InReg(z))
}

// widen makes dwords side by side a part.
func (t *translator) widen(z native.Z, m native.Mem) {
	if t.quads {
		t.V256(native.MovZXDQ, z, 0, native.InMem(m))
		return
	}
	t.V(native.MovZXDQ, z, 0, native.InMem(m), 0)
}

// result makes a vector register that of a row, for the lanes of K5.
func (t *translator) result(o *rows.Op, z native.Z) {
	if o.Under.N != rows.Always {
		old := t.value(rows.Value{Reg: o.D})
		if t.quads {
			t.blend(old, old, z, under256)
		} else {
			t.V(native.MovDQA64, old, 0, native.InReg(z), 5)
		}
		t.held.Merge(int(z), int(old))
		return
	}
	t.held.Result(int(z), o.D)
}

// op makes the code of an operation for eight lanes.
func (t *translator) op(o *rows.Op) {
	if always := o.Under.N == rows.Always; !always || o.Kind > rows.Copy {
		switch {
		case t.quads:
			if !always {
				t.under256(o.Under)
			}
		case !always || !t.full && o.Kind != rows.Test: // which takes K1
			t.on()
			t.under(5, o.Under, t.part)
		}
	}
	switch o.Kind {
	case rows.Copy:
		s := t.value(o.S[0])
		d := t.take()
		t.move(d, native.InReg(s))
		t.result(o, d)
	case rows.Calc:
		d := t.calc(o)
		t.lookForNaN(o, d)
		t.result(o, d)
	case rows.Test:
		t.test(o)
	case rows.Load:
		t.load(o)
	case rows.Store:
		t.store(o)
	}
	t.held.Unpin()
}

func (t *translator) calc(o *rows.Op) native.Z {
	f := calcs[o.Op]
	var s [3]native.Z
	n, times := powerOfTwo(o, f)
	for i := range rows.Sources(o.Op) {
		if i != 1 || !times && !t.fromMemory(o, f) {
			s[i] = t.value(o.S[i])
		}
	}
	d := t.take()
	if times {
		t.scale(f, d, s, n)
		return d
	}
	if t.calcHalves(o, d, s) {
		return d
	}
	if t.quads {
		t.calc256(o, f, d, s)
		return d
	}
	t.calc512(o, f, d, s)
	return d
}

// calc512 is calc for AVX-512.
func (t *translator) calc512(o *rows.Op, f form, d native.Z, s [3]native.Z) {
	r := native.InReg
	switch {
	case o.Op == vec.WideSignExtend32:
		t.V(native.ShiftQ, 6, d, r(s[0]), 0, 32)
		t.V(native.ShiftSQ, 4, d, r(d), 0, 32)
	case o.Op == vec.WideSelect:
		t.Kload8(6, t.maskAt(o.In.N, t.part))
		if o.In.Not {
			t.Knot8(6, 6)
		}
		t.V(native.BlendMQ, d, s[1], r(s[0]), 6)
	case f.in == native.FMAdd213PS || f.in == native.FMAdd213PD:
		t.V(native.MovDQA64, d, 0, r(s[0]), 0)
		t.V(f.in, d, s[1], r(s[2]), 0)
	case f.in == native.MinPS || f.in == native.MaxPS:
		t.extreme(f, d, s[0], s[1])
	case f.in == native.CvtTPS2DQ || f.in == native.CvtTPS2UDQ:
		t.truncate(f, d, s[0])
	case f.round != 0:
		t.V(f.in, d, 0, r(s[0]), 0, f.round)
	case rows.Sources(o.Op) == 1:
		t.V(f.in, d, 0, r(s[0]), 0)
	default:
		t.V(f.in, d, s[0], r(s[1]), 0)
		if f.then.Op != 0 {
			t.V(f.then, d, d, r(s[2]), 0)
		}
	}
	if f.shift != 0 {
		t.V(native.ShiftQ, 2, d, r(d), 0, f.shift)
	}
	if f.low {
		t.V(native.AndQ, d, d, native.Each(t.constant(1<<32-1)), 0)
	}
	t.setNaN(o, f, d, s)
}

// setNaN makes a result that is a NaN the one that the machine gives.
func (t *translator) setNaN(o *rows.Op, f form, d native.Z, s [3]native.Z) {
	switch {
	case t.isLate(o):
	case f.nan != 0 && o.NaN == rows.FirstNaN:
		t.firstNaN(d, s[:rows.Sources(o.Op)], f.nan)
	case f.nan == 32:
		t.V(native.CmpPS, 6, d, native.InReg(d), 0, 3)
		t.V(native.BroadcastD, d, 0, native.InMem(t.constant(o.NaN)), 6)
	case f.nan == 64:
		t.V(native.CmpPD, 6, d, native.InReg(d), 0, 3)
		t.V(native.BroadcastQ, d, 0, native.InMem(t.constant(o.NaN)), 6)
	}
}

// scale shifts the first operand and adds the last, if the operation adds.
func (t *translator) scale(f form, d native.Z, s [3]native.Z, n uint8) {
	t.shiftLeft(d, s[0], n)
	if f.then.Op != 0 {
		t.add(d, s[2])
	}
}

// powerOfTwo reports whether an operation multiplies 64 bits by a power of two, for which there are better
// instructions, and by which.
func powerOfTwo(o *rows.Op, f form) (n uint8, is bool) {
	v := o.S[1]
	return uint8(bits.TrailingZeros64(v.Imm)), f.in == native.MulLQ && v.Const && bits.OnesCount64(v.Imm) == 1
}

// shiftLeft shifts 64 bits by a number, add adds to them.
func (t *translator) shiftLeft(d, a native.Z, n uint8) {
	if t.quads {
		t.V256(native.ShiftQ, 6, d, native.InReg(a), n)
		return
	}
	t.V(native.ShiftQ, 6, d, native.InReg(a), 0, n)
}

func (t *translator) add(d, a native.Z) {
	if t.quads {
		t.V256(native.AddQ, d, d, native.InReg(a))
		return
	}
	t.V(native.AddQ, d, d, native.InReg(a), 0)
}

// extreme makes a minimum or maximum. The processor gives the second operand where they are equal, which may
// be zeros that differ in sign, and where one is a NaN.
func (t *translator) extreme(f form, d, a, b native.Z) {
	t.V(f.in, d, a, native.InReg(b), 0)
	t.V(native.CmpPS, 6, a, native.InReg(b), 0, 0)
	t.V(f.then, d, a, native.InReg(b), 6)
	t.V(native.CmpPS, 6, b, native.InReg(b), 0, 3)
	t.V(native.CmpPS, 6, a, native.InReg(a), 6, 7)
	t.V(native.MovDQA, d, 0, native.InReg(a), 6)
}

// truncate makes an integer of a float: the nearest that there is, 0 of a NaN. The processor's result for
// what is too small for a signed one, and too large for an unsigned one, is right.
func (t *translator) truncate(f form, d, a native.Z) {
	const twoTo31 = 0x4f000000
	t.V(f.in, d, 0, native.InReg(a), 0)
	if f.in == native.CvtTPS2UDQ {
		t.V(native.CmpPS, 6, a, native.Each(t.constant(0)), 0, 29) // at least 0
	} else {
		t.V(native.CmpPS, 6, a, native.Each(t.constant(twoTo31)), 0, 29)
		t.V(native.BroadcastD, d, 0, native.InMem(t.constant(1<<31-1)), 6)
		t.V(native.CmpPS, 6, a, native.InReg(a), 0, 7)
	}
	t.VZ(native.MovDQA, d, 0, native.InReg(d), 6)
}

// firstNaN makes results that are NaNs the first operand that is one, quiet, or the positive quiet NaN.
func (t *translator) firstNaN(d native.Z, s []native.Z, width int) {
	n := nanForms[width]
	none := t.NewLabel()
	t.V(n.cmp, 6, d, native.InReg(d), 0, 3)
	t.Kortest16(6, 6)
	t.Jcc(native.E, none)
	t.V(n.each, d, 0, native.InMem(t.constant(n.positive)), 6)
	for i := len(s) - 1; i >= 0; i-- {
		t.V(n.cmp, 7, s[i], native.InReg(s[i]), 6, 3)
		t.V(n.or, d, s[i], native.Each(t.constant(n.quiet)), 7)
	}
	t.Set(none)
}

// nanForms are what NaNs are made with, by their widths.
var nanForms = map[int]struct {
	cmp, each, or, mask native.Instruction
	positive, quiet     uint64
}{
	32: {native.CmpPS, native.BroadcastD, native.Or, native.MovMskPS, 0x7fc00000, 1 << 22},
	64: {native.CmpPD, native.BroadcastQ, native.OrQ, native.MovMskPD, 0x7ff8 << 48, 1 << 51},
}

// test compares, and merges what comes out into a mask. Under says which lanes it is for.
func (t *translator) test(o *rows.Op) {
	f := tests[o.Op]
	if t.quads {
		t.test256(o, f)
		return
	}
	var a, b native.Z
	switch f.bits {
	case 31:
		a, b = 26, 27
		t.V(native.ShiftQ, 6, a, native.InReg(t.value(o.S[0])), 0, 32)
		t.V(native.ShiftQ, 6, b, native.InReg(t.value(o.S[1])), 0, 32)
	case 32:
		a, b = 26, 27
		t.narrow(a, o.S[0])
		t.narrow(b, o.S[1])
	default:
		a, b = t.value(o.S[0]), t.value(o.S[1])
	}
	const not = 4 // of conditions
	cond := f.cond
	if o.Invert {
		cond ^= not
	}
	k, always := native.K(5), o.Under.N == rows.Always
	switch {
	case t.full && always:
		t.V(f.in, 6, a, native.InReg(b), 0, cond)
		t.Kstore8(t.maskAt(o.P, t.part), 6)
		return
	case always:
		k = 1
	}
	t.V(f.in, 6, a, native.InReg(b), k, cond)
	t.Kload8(7, t.maskAt(o.P, t.part))
	t.Kandn8(7, k, 7)
	t.Kor8(6, 6, 7)
	t.Kstore8(t.maskAt(o.P, t.part), 6)
}

// narrow makes d the low halves of an operand side by side.
func (t *translator) narrow(d native.Z, v rows.Value) {
	if v.Const {
		t.V(native.BroadcastD, d, 0, native.InMem(t.constant(v.Imm)), 0)
		return
	}
	t.V(native.MovQD, t.value(v), 0, native.InReg(d), 0)
}

// placed makes an access of a part in the way for lanes that lie as they mostly do, all of which are active;
// RDX has the host's address of the first then. Those of private memory do not lie side by side. Others have
// another way, which begins with flags of how they lie over side.
func (t *translator) placed(o *rows.Op, g int, mostly, others func()) {
	how := int32(side)
	if o.Space == rows.Private {
		how = same
	}
	t.Load(native.W64, native.RDX, t.firstAt(g, t.part))
	t.OpMemImm(native.CMP, native.W32, t.howAt(g, t.part), how)
	away, on := t.NewLabel(), t.NewLabel()
	t.Jcc(native.NE, away)
	mostly()
	t.Set(on)
	part, full, quick := t.part, t.full, t.quick
	t.stubs = append(t.stubs, func() {
		t.part, t.full, t.quick = part, full, quick
		t.Set(away)
		others()
		t.Jmp(on)
	})
}

// addresses makes vector register 26 the host's addresses of an access.
func (t *translator) addresses(o *rows.Op, g int) {
	t.Load(native.W64, native.RAX, t.deltaAt(g))
	if o.Space == rows.Private {
		t.V(native.MovDQU64, 26, 0, native.InMem(t.rowAt(o.S[0].Reg, t.part)), 0)
		t.V(native.SubQ, 26, 26, native.Each(
			t.field(unsafe.Offsetof(t.x.Private)+unsafe.Offsetof(t.x.Private.Base))), 0)
		t.V(native.ShiftQ, 6, 26, native.InReg(26), 0, t.dwordShift())
		t.V(native.AddQ, 26, 26, native.InMem(t.counting(0, 4)), 0)
		t.OpImm(native.ADD, native.W64, native.RAX, int32(o.Offset)<<t.dwordShift()+32*t.part)
	} else {
		t.V(native.MovDQU64, 26, 0, native.InMem(t.rowAt(o.S[0].Reg, t.part)), 0)
		t.OpImm(native.ADD, native.W64, native.RAX, int32(o.Offset))
	}
	t.V(native.BroadcastR, 27, 0, native.InReg(native.Z(native.RAX)), 0)
	t.V(native.AddQ, 26, 26, native.InReg(27), 0)
}

// privateAt is where eight lanes have a dword of private memory that is the same in all, if RDX is where the
// first of the access's addresses is, or where all private memory begins. upper is the next dword.
func (t *translator) privateAt(o *rows.Op, upper bool) native.Mem {
	at := int32(o.Offset)
	if o.S[0].Const {
		at += int32(o.S[0].Imm)
	}
	if upper {
		at += 4
	}
	return native.Mem{Base: native.RDX, Disp: at<<t.dwordShift() + 4*t.lanes*t.part}
}

func (t *translator) load(o *rows.Op) {
	d := t.take()
	of, checked := o.Checked()
	if !checked {
		t.loadKnown(o, d)
		t.result(o, d)
		return
	}
	g := t.plan.Find(of)
	if o.Same {
		t.Load(native.W64, native.RDX, t.firstAt(g, 0))
		t.loadSame(o, d, native.Mem{Base: native.RDX, Disp: int32(o.Offset)})
		t.result(o, d)
		return
	}
	if o.Size < 4 {
		t.loadSmall(o, g, d)
		t.result(o, d)
		return
	}
	if t.loadHot(o, g, d) {
		t.result(o, d)
		return
	}
	t.placed(o, g, func() { t.loadSide(o, d) }, func() { t.loadOthers(o, g, d) })
	t.result(o, d)
}

// loadSide loads from places that RDX is the first of, or from one address in all lanes' private memory.
func (t *translator) loadSide(o *rows.Op, d native.Z) {
	at := native.Mem{Base: native.RDX, Disp: int32(o.Offset)}
	switch {
	case o.Space == rows.Private:
		t.loadPrivate(o, d)
	case o.Size == 4:
		t.widen(d, at)
	default:
		t.move(d, native.InMem(at))
	}
}

// loadOthers loads where lanes lie in another way: see placed.
func (t *translator) loadOthers(o *rows.Op, g int, d native.Z) {
	one, done := t.NewLabel(), t.NewLabel()
	if o.Space != rows.Private {
		t.Jcc(native.A, one)
	}
	if t.quads {
		t.gather256(o, g, d)
	} else {
		t.gather(o, g, d)
	}
	if o.Space != rows.Private {
		t.Jmp(done)
		t.Set(one)
		t.loadSame(o, d, native.Mem{Base: native.RDX, Disp: int32(o.Offset)})
	}
	t.Set(done)
}

// lanesOf makes K5 the lanes of an access, where it is not yet.
func (t *translator) lanesOf(o *rows.Op) {
	if t.full && o.Under.N == rows.Always {
		t.on()
	}
}

// gather loads from anywhere.
func (t *translator) gather(o *rows.Op, g int, d native.Z) {
	t.addresses(o, g)
	t.lanesOf(o)
	t.Kmov8(6, 5)
	if o.Size == 8 && o.Space != rows.Private {
		t.V(native.XorQ, d, d, native.InReg(d), 0)
		t.Gather(native.GatherQQ, d, 26, 6)
		return
	}
	t.gather32(d)
	if o.Size == 8 {
		t.V(native.AddQ, 26, 26, native.Each(t.constant(4<<t.dwordShift())), 0)
		t.Kmov8(6, 5)
		t.gather32(27)
		t.V(native.ShiftQ, 6, 27, native.InReg(27), 0, 32)
		t.V(native.OrQ, d, d, native.InReg(27), 0)
	}
}

// loadKnown loads from an address that is a number.
func (t *translator) loadKnown(o *rows.Op, d native.Z) {
	at := native.Mem{Base: native.RDX, Disp: int32(o.S[0].Imm) + int32(o.Offset)}
	switch o.Space {
	case rows.Uniform:
		t.Load(native.W64, native.RDX, t.field(unsafe.Offsetof(t.x.Uniform)))
		t.loadSame(o, d, at)
	case rows.Items:
		t.Load(native.W64, native.RDX, t.field(unsafe.Offsetof(t.x.Items)))
		at.Disp = at.Disp*t.row + 4*t.lanes*t.part
		t.widen(d, at)
	default:
		t.Load(native.W64, native.RDX, t.field(
			unsafe.Offsetof(t.x.Private)+unsafe.Offsetof(t.x.Private.Delta)))
		t.loadPrivate(o, d)
	}
}

// loadSame loads what all lanes have in one place.
func (t *translator) loadSame(o *rows.Op, d native.Z, at native.Mem) {
	switch {
	case o.Size == 8:
		t.each(d, at)
	case t.quads:
		t.eachLow(native.MovD, d, native.InMem(at))
	default:
		t.Load(native.W32, native.RAX, at)
		t.eachOf(d)
	}
}

// gather32 makes d the dwords at addresses in vector register 26, under K6.
func (t *translator) gather32(d native.Z) {
	t.V(native.XorQ, 27, 27, native.InReg(27), 0)
	t.Gather(native.GatherQD, 27, 26, 6)
	t.V(native.MovZXDQ, d, 0, native.InReg(27), 0)
}

// loadPrivate loads from one address in all lanes' private memory.
func (t *translator) loadPrivate(o *rows.Op, d native.Z) {
	if t.quads {
		t.loadPrivate256(o, d)
		return
	}
	t.V(native.MovZXDQ, d, 0, native.InMem(t.privateAt(o, false)), 0)
	if o.Size == 8 {
		t.V(native.MovZXDQ, 27, 0, native.InMem(t.privateAt(o, true)), 0)
		t.V(native.ShiftQ, 6, 27, native.InReg(27), 0, 32)
		t.V(native.OrQ, d, d, native.InReg(27), 0)
	}
}

func (t *translator) store(o *rows.Op) {
	v := t.value(o.S[1])
	of, checked := o.Checked()
	if !checked {
		t.Load(native.W64, native.RDX, t.field(
			unsafe.Offsetof(t.x.Private)+unsafe.Offsetof(t.x.Private.Delta)))
		t.storePrivate(o, v)
		return
	}
	g := t.plan.Find(of)
	if o.Size < 4 {
		t.storeSmall(o, g, v)
		return
	}
	t.placed(o, g, func() { t.storeSide(o, v) }, func() {
		if t.quads {
			t.scatter256(o, g, v)
		} else {
			t.scatter(o, g, v)
		}
	})
}

// scatter stores to anywhere.
func (t *translator) scatter(o *rows.Op, g int, v native.Z) {
	t.addresses(o, g)
	t.lanesOf(o)
	t.Kmov8(6, 5)
	switch {
	case o.Size == 4 || o.Space == rows.Private:
		t.V(native.MovQD, v, 0, native.InReg(27), 0)
		t.Gather(native.ScatterQD, 27, 26, 6)
		if o.Size == 8 {
			t.V(native.AddQ, 26, 26, native.Each(t.constant(4<<t.dwordShift())), 0)
			t.Kmov8(6, 5)
			t.V(native.ShiftQ, 2, 27, native.InReg(v), 0, 32)
			t.V(native.MovQD, 27, 0, native.InReg(27), 0)
			t.Gather(native.ScatterQD, 27, 26, 6)
		}
	default:
		t.Gather(native.ScatterQQ, v, 26, 6)
	}
}

// storeSide stores to places that RDX is the first of, or to one address in all lanes' private memory.
func (t *translator) storeSide(o *rows.Op, v native.Z) {
	at := native.InMem(native.Mem{Base: native.RDX, Disp: int32(o.Offset)})
	switch {
	case o.Space == rows.Private:
		t.storePrivate(o, v)
	case o.Size == 8:
		t.insOf(native.MovDQU64To, v, 0, at)
	case t.quads:
		t.pack(tmp1, v)
		t.V256(native.ExtractI128, tmp1, 0, at, 0)
	default:
		t.V(native.MovQD, v, 0, at, 0)
	}
}

// storePrivate stores to one address in all lanes' private memory, for the lanes of K5.
func (t *translator) storePrivate(o *rows.Op, v native.Z) {
	if t.quads {
		t.storePrivate256(o, v)
		return
	}
	k := native.K(5)
	if t.full && o.Under.N == rows.Always {
		k = 0
	}
	t.V(native.MovQD, v, 0, native.InMem(t.privateAt(o, false)), k)
	if o.Size == 8 {
		t.V(native.ShiftQ, 2, 27, native.InReg(v), 0, 32)
		t.V(native.MovQD, 27, 0, native.InMem(t.privateAt(o, true)), k)
	}
}
