package gcn

import (
	"sync"

	"simtgdb/simt/native"
	"simtgdb/simt/vec"
)

// A form is how a row of the table of instructions becomes translated code by itself, not by what package vec
// makes of it.
type form interface {
	// translate makes the code of an instruction, if it can.
	translate(t *translator, in *Inst) bool
}

// byForm makes the code of an instruction whose row has a form.
func (t *translator) byForm(in *Inst) bool {
	return in.Op.native != nil && in.Op.native.translate(t, in)
}

// vectorForms make the code of operations of package vec.
var vectorForms = sync.OnceValue(func() map[vec.Op]func(*vectorCode) bool {
	return map[vec.Op]func(*vectorCode) bool{
		vec.Mov: unary1(vmovdqa32),
		vec.Not: simple(func(x *vectorCode, k native.K, d native.Z, q int) {
			x.under(k, vpxord, d, zOnes, x.a(q))
		}),
		vec.Add: binary2(vpaddd), vec.Sub: binary2(vpsubd), vec.And: binary2(vpandd), vec.Or: binary2(vpord),
		vec.Xor: binary2(vpxord), vec.Mul: binary2(vpmulld), vec.MinU: binary2(vpminud),
		vec.MaxU: binary2(vpmaxud), vec.MinI: binary2(vpminsd), vec.MaxI: binary2(vpmaxsd),
		vec.Xnor: simple(func(x *vectorCode, k native.K, d native.Z, q int) {
			x.op(vpxord, 18, x.a(q), x.b(q))
			x.under(k, vpxord, d, 18, zOnes)
		}),
		vec.ShlRev: shiftRev(shiftLeft), vec.ShrRev: shiftRev(shiftRight), vec.SarRev: shiftRev(shiftSign),
		vec.MulHiU: mulHighCode(vpmuludq), vec.MulHiI: mulHighCode(vpmuldq),
		vec.MulU24: mul24Code(false, false), vec.MulI24: mul24Code(true, false),
		vec.MadU24: mul24Code(false, true), vec.MadI24: mul24Code(true, true),
		vec.Add3: then(vpaddd, vpaddd), vec.AndOr: then(vpandd, vpord), vec.Or3: then(vpord, vpord),
		vec.XorAdd: then(vpxord, vpaddd), vec.ShlAdd: shiftThen(vpaddd), vec.ShlOr: shiftThen(vpord),
		vec.AddShl: simple(func(x *vectorCode, k native.K, d native.Z, q int) {
			x.op(vpaddd, 18, x.a(q), x.b(q))
			x.shift(k, shiftLeft, d, 18, 2, q)
		}),
		vec.BfeU: bfeCode(false), vec.BfeI: bfeCode(true), vec.Bfi: ternary(0xca), vec.Select: selectCode,
		vec.AddCarry: carryCode(vpaddd, vpsubd, false), vec.SubBorrow: carryCode(vpsubd, vpaddd, true),

		vec.EqU: compareCode(vpcmpud, 0, 4), vec.NeU: compareCode(vpcmpud, 4, 0),
		vec.LtU: compareCode(vpcmpud, 1, 5),
		vec.LeU: compareCode(vpcmpud, 2, 6), vec.LtI: compareCode(vpcmpd, 1, 5),
		vec.LeI: compareCode(vpcmpd, 2, 6), vec.EqF32: compareCode(vcmpps, 0, 4),
		vec.LtF32: compareCode(vcmpps, 17, 21), vec.LeF32: compareCode(vcmpps, 18, 22),
		vec.NeF32: compareCode(vcmpps, 12, 8), vec.OrdF32: compareCode(vcmpps, 7, 3),

		vec.AddF32: float2Code(vaddps), vec.SubF32: float2Code(vsubps), vec.MulF32: float2Code(vmulps),
		vec.FmaF32: fma32Code, vec.MadF32: guarded(madCode), vec.MinF32: extremeCode(vminps, vpord),
		vec.MaxF32: extremeCode(vmaxps, vpandd), vec.RcpF32: rcpCode,
		vec.TruncF32: unary1(vrndscaleps, 11), vec.FloorF32: unary1(vrndscaleps, 9),
		vec.CeilF32: unary1(vrndscaleps, 10),
		vec.RintF32: unary1(vrndscaleps, 8), vec.F32I: unary1(vcvtdq2ps), vec.F32U: unary1(vcvtudq2ps),
		vec.IF32: toIntCode(true), vec.UF32: toIntCode(false),
	}
})

// vector64 makes the code of shifts of pairs by a constant.
func (t *translator) vector64(in *Inst) bool {
	f := in.fast
	kind, ok := map[vec.Op]byte{vec.ShlRev64: shiftLeft, vec.ShrRev64: shiftRight,
		vec.SarRev64: shiftSign}[f.op]
	if !ok || in.src[0].kind != constant || in.src[1].kind != vectorReg || in.dst.kind != vectorReg {
		return false
	}
	n := uint32(in.src[0].imm & 63)
	if n == 0 || n >= 32 {
		return false
	}
	defer t.rows.unpin()
	lo, hi := t.row(int(in.src[1].reg)), t.row(int(in.src[1].reg)+1)
	low, high := t.quad(t.rows.take()), t.quad(t.rows.take())
	x := &vectorCode{t: t, in: in}
	for q := range t.parts {
		if kind == shiftLeft {
			x.op(vpshiftd, shiftLeft, low.at(q), lo.at(q), byte(n))
			x.op(vpshiftd, shiftRight, 17, lo.at(q), byte(32-n))
			x.op(vpshiftd, shiftLeft, high.at(q), hi.at(q), byte(n))
			x.op(vpord, high.at(q), high.at(q), 17)
			continue
		}
		x.op(vpshiftd, shiftRight, low.at(q), lo.at(q), byte(n))
		x.op(vpshiftd, shiftLeft, 17, hi.at(q), byte(32-n))
		x.op(vpord, low.at(q), low.at(q), 17)
		x.op(vpshiftd, native.Z(kind), high.at(q), hi.at(q), byte(n))
	}
	second := *in
	second.dst.reg++
	x.write(low)
	(&vectorCode{t: t, in: &second}).write(high)
	return true
}
