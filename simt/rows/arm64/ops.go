package arm64

import (
	"simtgdb/simt/native/a64"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// A form is how an operation is translated. Operands are in registers, two or three of them.
type form struct {
	in   a64.Instruction
	then a64.Instruction // on the result and the last operand
	nan  int             // bits of the floats that may be NaNs
	make func(t *translator, d a64.V, s [3]a64.V, in a64.Instruction)
}

// calcs are the operations. Those of 32 bits are done in all four elements, where the odd ones are 0.
var calcs = map[vec.WideOp]form{
	vec.WideAdd: {in: a64.AddD}, vec.WideSub: {in: a64.SubD}, vec.WideMul: {make: (*translator).multiply},
	vec.WideMad: {make: (*translator).multiply, then: a64.AddD}, vec.WideAnd: {in: a64.And},
	vec.WideOr: {in: a64.Orr}, vec.WideXor: {in: a64.Eor},
	vec.WideShl:  {in: a64.UshlD, make: (*translator).shiftLeft},
	vec.WideShr:  {in: a64.UshlD, make: (*translator).shiftRight},
	vec.WideSar:  {in: a64.SshlD, make: (*translator).shiftSigned},
	vec.WideMinU: {in: a64.CmhiD, make: (*translator).least},
	vec.WideMaxU: {in: a64.CmhiD, make: (*translator).most},

	vec.WideAdd32: {in: a64.AddS}, vec.WideSub32: {in: a64.SubS}, vec.WideMul32: {in: a64.MulS},
	vec.WideMad32: {in: a64.MulS, then: a64.AddS},
	vec.WideShl32: {in: a64.UshlS, make: (*translator).shiftLeft},
	vec.WideShr32: {in: a64.UshlS, make: (*translator).shiftRight},
	vec.WideSar32: {in: a64.SshlS, make: (*translator).shiftSigned}, vec.WideMinI32: {in: a64.SminS},
	vec.WideMaxI32:   {in: a64.SmaxS},
	vec.WideMulHiU32: {in: a64.UmullH, make: (*translator).upperProduct},
	vec.WideMulHiI32: {in: a64.SmullH, make: (*translator).upperProduct},
	vec.WideMulU32:   {in: a64.UmullH, make: (*translator).product},
	vec.WideMulI32:   {in: a64.SmullH, make: (*translator).product},
	vec.WideMadU32:   {in: a64.UmullH, make: (*translator).product, then: a64.AddD},
	vec.WideMadI32:   {in: a64.SmullH, make: (*translator).product, then: a64.AddD},

	vec.WideSignExtend32: {make: (*translator).signExtend}, vec.WideSelect: {},

	vec.WideAddF32: {in: a64.FaddS, nan: 32}, vec.WideSubF32: {in: a64.FsubS, nan: 32},
	vec.WideMulF32:  {in: a64.FmulS, nan: 32},
	vec.WideDivF32:  {in: a64.FdivS, nan: 32, make: (*translator).divide},
	vec.WideFmaF32:  {in: a64.FmlaS, nan: 32, make: (*translator).fused},
	vec.WideSqrtF32: {in: a64.FsqrtS, nan: 32},
	vec.WideF32I:    {in: a64.ScvtfS}, vec.WideF32U: {in: a64.UcvtfS},
	vec.WideMinF32:  {in: a64.FminS, make: (*translator).extreme},
	vec.WideMaxF32:  {in: a64.FmaxS, make: (*translator).extreme},
	vec.WideRintF32: {in: a64.FrintnS}, vec.WideFloorF32: {in: a64.FrintmS},
	vec.WideCeilF32:  {in: a64.FrintpS},
	vec.WideTruncF32: {in: a64.FrintzS}, vec.WideIF32: {in: a64.FcvtzsS}, vec.WideUF32: {in: a64.FcvtzuS},

	vec.WideAddF64: {in: a64.FaddD, nan: 64}, vec.WideSubF64: {in: a64.FsubD, nan: 64},
	vec.WideMulF64: {in: a64.FmulD, nan: 64}, vec.WideDivF64: {in: a64.FdivD, nan: 64},
	vec.WideFmaF64: {in: a64.FmlaD, nan: 64, make: (*translator).fused},
}

// A test is how a comparison is translated: an instruction on the operands the other way round if swap says
// so, and for some another one that may be true as well.
type test struct {
	in, or a64.Instruction
	swap   bool
	low    bool // what comes out is in the low halves
	signed bool // numbers are signed, and lie in the low halves
}

var tests = map[vec.WideOp]test{
	vec.WideEqU: {in: a64.CmeqD}, vec.WideLtU: {in: a64.CmhiD, swap: true},
	vec.WideLtI64: {in: a64.CmgtD, swap: true}, vec.WideLtI32: {in: a64.CmgtD, swap: true, signed: true},
	vec.WideEqF32: {in: a64.FcmeqS, low: true}, vec.WideNeF32: {in: a64.FcmgtS, or: a64.FcmgtS, low: true},
	vec.WideLtF32:  {in: a64.FcmgtS, swap: true, low: true},
	vec.WideLeF32:  {in: a64.FcmgeS, swap: true, low: true},
	vec.WideOrdF32: {in: a64.FcmgeS, or: a64.FcmgtS, low: true},
	vec.WideEqF64:  {in: a64.FcmeqD}, vec.WideNeF64: {in: a64.FcmgtD, or: a64.FcmgtD},
	vec.WideLtF64: {in: a64.FcmgtD, swap: true}, vec.WideLeF64: {in: a64.FcmgeD, swap: true},
	vec.WideOrdF64: {in: a64.FcmgeD, or: a64.FcmgtD},
}

// Can reports whether an operation has a translation.
func Can(o *rows.Op) bool {
	switch o.Kind {
	case rows.Calc:
		_, ok := calcs[o.Op]
		return ok
	case rows.Test:
		_, ok := tests[o.Op]
		return ok
	case rows.Load, rows.Store:
		return o.Size >= 4
	}
	return true
}

// op makes the code of an operation for two lanes.
func (t *translator) op(o *rows.Op) {
	if o.Under.N != rows.Always || o.Kind > rows.Copy {
		t.lanes(o.Under, false)
	}
	switch o.Kind {
	case rows.Copy:
		s := t.value(o.S[0])
		d := t.take()
		t.V2(a64.Mov, d, s)
		t.result(o, d)
	case rows.Calc:
		t.result(o, t.calc(o))
	case rows.Test:
		t.test(o)
	case rows.Load:
		t.load(o)
	case rows.Store:
		t.store(o)
	}
	t.held.Unpin()
}

func (t *translator) calc(o *rows.Op) a64.V {
	f := calcs[o.Op]
	if n, is := shiftBy(o); is {
		s := t.value(o.S[0])
		d := t.take()
		t.shiftImm(o.Op, d, s, n)
		return d
	}
	var s [3]a64.V
	sources := rows.Sources(o.Op)
	for i := range sources {
		s[i] = t.value(o.S[i])
	}
	d := t.take()
	switch {
	case o.Op == vec.WideSelect:
		t.Load(t.maskWidth(), x8, t.maskAt(o.In.N))
		t.maskOf(d)
		if o.In.Not {
			t.V3(a64.Bsl, d, s[1], s[0])
		} else {
			t.V3(a64.Bsl, d, s[0], s[1])
		}
	case f.make != nil:
		f.make(t, d, s, f.in)
	case sources == 1:
		t.V2(f.in, d, s[0])
	default:
		t.V3(f.in, d, s[0], s[1])
	}
	if f.then != 0 {
		t.V3(f.then, d, d, s[2])
	}
	switch {
	case f.nan != 0 && o.NaN == rows.FirstNaN:
		t.firstNaN(d, s[:sources], f.nan)
	case f.nan != 0:
		t.V3(nanForms[f.nan].equal, v23, d, d)
		t.constant(v24, o.NaN)
		t.V3(a64.Bif, d, v24, v23)
	}
	return d
}

// nanForms are what NaNs are made with, by their widths.
var nanForms = map[int]struct {
	equal           a64.Instruction
	positive, quiet uint64
}{
	32: {a64.FcmeqS, 0x7fc00000, 1 << 22},
	64: {a64.FcmeqD, 0x7ff8 << 48, 1 << 51},
}

// firstNaN makes results that are NaNs the first operand that is one, quiet, or the positive quiet NaN.
func (t *translator) firstNaN(d a64.V, s []a64.V, width int) {
	n := nanForms[width]
	none := t.NewLabel()
	t.V3(n.equal, v23, d, d)
	t.V2(a64.UminvS, v24, v23)
	t.Fmov(a64.W32, x8, v24)
	t.CmpImm(a64.W32, x8, -1)
	t.Bc(a64.EQ, none)
	t.constant(v24, n.positive)
	t.V3(a64.Bif, d, v24, v23)
	t.constant(v26, n.quiet)
	for i := len(s) - 1; i >= 0; i-- {
		t.V3(n.equal, v25, s[i], s[i])
		t.V3(a64.Orr, v25, v25, v23) // no NaN, or not the result
		t.V3(a64.Orr, v24, s[i], v26)
		t.V3(a64.Bif, d, v24, v25)
	}
	t.Set(none)
}

// shiftBy reports whether an operation shifts by a number, and by which.
func shiftBy(o *rows.Op) (n uint32, is bool) {
	switch o.Op {
	case vec.WideShl, vec.WideShr, vec.WideSar, vec.WideShl32, vec.WideShr32, vec.WideSar32:
		return uint32(o.S[1].Imm), o.S[1].Const
	}
	return 0, false
}

// shifts are those by a number.
var shifts = map[vec.WideOp]struct {
	shift  a64.Shift
	size   uint32
	signed bool
}{
	vec.WideShl: {a64.ShlD, 64, false}, vec.WideShr: {a64.UshrD, 64, false},
	vec.WideSar: {a64.SshrD, 64, true}, vec.WideShl32: {a64.ShlS, 32, false},
	vec.WideShr32: {a64.UshrS, 32, false}, vec.WideSar32: {a64.SshrS, 32, true},
}

func (t *translator) shiftImm(op vec.WideOp, d, s a64.V, n uint32) {
	f := shifts[op]
	if f.signed {
		n = min(n, f.size-1)
	}
	switch {
	case n >= f.size:
		t.Zero(d)
	case n == 0:
		t.V2(a64.Mov, d, s)
	default:
		t.ShiftImm(f.shift, d, s, uint8(n))
	}
}

// tooFar makes V23 ones where a shift is by more than an element has bits, and V24 these less one.
func (t *translator) tooFar(by a64.V, in a64.Instruction) (neg a64.Instruction) {
	above, last, neg := a64.CmhiD, uint64(63), a64.NegD
	if in == a64.UshlS || in == a64.SshlS {
		above, last, neg = a64.CmhiS, 31, a64.NegS
	}
	t.constant(v24, last)
	t.V3(above, v23, by, v24)
	return neg
}

// shiftLeft shifts by what is in a register, of which the processor takes the lowest byte, with its sign.
func (t *translator) shiftLeft(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.tooFar(s[1], in)
	t.V3(in, d, s[0], s[1])
	t.V3(a64.Bic, d, d, v23)
}

func (t *translator) shiftRight(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.V2(t.tooFar(s[1], in), v25, s[1])
	t.V3(in, d, s[0], v25)
	t.V3(a64.Bic, d, d, v23)
}

func (t *translator) shiftSigned(d a64.V, s [3]a64.V, in a64.Instruction) {
	neg := t.tooFar(s[1], in)
	t.V3(a64.Bsl, v23, v24, s[1])
	t.V2(neg, v23, v23)
	t.V3(in, d, s[0], v23)
}

// multiply makes a product of 64 bits of those of halves.
func (t *translator) multiply(d a64.V, s [3]a64.V, _ a64.Instruction) {
	t.V2(a64.Rev64S, d, s[1])
	t.V3(a64.MulS, d, d, s[0])
	t.V2(a64.UaddlpS, d, d)
	t.ShiftImm(a64.ShlD, d, d, 32)
	t.V2(a64.Xtn, v23, s[0])
	t.V2(a64.Xtn, v24, s[1])
	t.V3(a64.UmlalH, d, v23, v24)
}

// product is that of the low halves.
func (t *translator) product(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.V2(a64.Xtn, v23, s[0])
	t.V2(a64.Xtn, v24, s[1])
	t.V3(in, d, v23, v24)
}

func (t *translator) upperProduct(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.product(d, s, in)
	t.ShiftImm(a64.UshrD, d, d, 32)
}

func (t *translator) least(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.V3(in, d, s[0], s[1])
	t.V3(a64.Bsl, d, s[1], s[0])
}

func (t *translator) most(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.V3(in, d, s[0], s[1])
	t.V3(a64.Bsl, d, s[0], s[1])
}

func (t *translator) signExtend(d a64.V, s [3]a64.V, _ a64.Instruction) {
	t.V2(a64.Xtn, d, s[0])
	t.V2(a64.Sxtl, d, d)
}

// fused adds to a copy of the last operand.
func (t *translator) fused(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.V2(a64.Mov, d, s[2])
	t.V3(in, d, s[0], s[1])
}

// divide clears the upper halves, which are 0 divided by 0.
func (t *translator) divide(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.V3(in, d, s[0], s[1])
	t.V2(a64.Xtn, d, d)
	t.V2(a64.Uxtl, d, d)
}

// extreme makes a minimum or maximum: of a NaN and a number the number, the second operand if both are NaNs.
func (t *translator) extreme(d a64.V, s [3]a64.V, in a64.Instruction) {
	t.V3(in, d, s[0], s[1])
	t.V3(a64.FcmeqS, v23, s[1], s[1])
	t.V3(a64.Bif, d, s[0], v23)
	t.V3(a64.FcmeqS, v23, s[0], s[0])
	t.V3(a64.Bif, d, s[1], v23)
}

// test compares, and merges what comes out into a mask.
func (t *translator) test(o *rows.Op) {
	f := tests[o.Op]
	a, b := t.value(o.S[0]), t.value(o.S[1])
	if f.swap {
		a, b = b, a
	}
	if f.signed {
		t.ShiftImm(a64.ShlD, v23, a, 32)
		t.ShiftImm(a64.ShlD, v24, b, 32)
		a, b = v23, v24
	}
	t.V3(f.in, v25, a, b)
	if f.or != 0 {
		t.V3(f.or, v26, b, a)
		t.V3(a64.Orr, v25, v25, v26)
	}
	if f.low {
		t.V2(a64.Xtn, v25, v25)
		t.V2(a64.Sxtl, v25, v25)
	}
	t.V3(a64.And, v24, lanesUnder, lanesBits)
	if o.Invert {
		t.V3(a64.Bic, v25, v24, v25)
	} else {
		t.V3(a64.And, v25, v24, v25)
	}
	t.V2(a64.AddpD, v24, v24)
	t.V2(a64.AddpD, v25, v25)
	t.Fmov(a64.W64, x9, v24)
	t.Fmov(a64.W64, x10, v25)
	t.Load(t.maskWidth(), x8, t.maskAt(o.P))
	t.Op(a64.BIC, a64.W64, x8, x8, x9)
	t.Op(a64.ORR, a64.W64, x8, x8, x10)
	t.Store(t.maskWidth(), t.maskAt(o.P), x8)
}
