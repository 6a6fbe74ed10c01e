package gcn

import (
	"sync"

	"simtgdb/simt/native"
	"simtgdb/simt/vec"
)

// An octetForm makes the code of an operation of package vec for eight lanes.
type octetForm struct {
	// check, if not nil, gives the lanes for which the instruction is the
	// interpreter's.
	check func(x *octetCode) native.Z
	// emit gives the result; what a comparison gives is a mask, negated if so,
	// and with carries there is one in yCarry.
	emit     func(x *octetCode) native.Z
	compares bool
	negated  bool
	carries  bool
	nan      bool // it is a NaN if a source is
}

var octetForms = sync.OnceValue(func() map[vec.Op]octetForm {
	return map[vec.Op]octetForm{
		vec.Mov: {emit: func(x *octetCode) native.Z { return x.s(0) }},
		vec.Not: {emit: func(x *octetCode) native.Z {
			x.op(vpxord, x.d, x.s(0), x.all(4, ^uint32(0)))
			return x.d
		}},
		vec.Add: octet2(vpaddd), vec.Sub: octet2(vpsubd), vec.And: octet2(vpandd), vec.Or: octet2(vpord),
		vec.Xor: octet2(vpxord), vec.Mul: octet2(vpmulld), vec.MinU: octet2(vpminud),
		vec.MaxU: octet2(vpmaxud),
		vec.MinI: octet2(vpminsd), vec.MaxI: octet2(vpmaxsd),
		vec.Xnor: {emit: func(x *octetCode) native.Z {
			x.op(vpxord, x.d, x.s(0), x.s(1))
			x.op(vpxord, x.d, x.d, x.all(4, ^uint32(0)))
			return x.d
		}},
		vec.ShlRev: octetShift(vpsllvd), vec.ShrRev: octetShift(vpsrlvd), vec.SarRev: octetShift(vpsravd),
		vec.MulHiU: {emit: octetMulHigh(vpmuludq)}, vec.MulHiI: {emit: octetMulHigh(vpmuldq)},
		vec.MulU24: octet24(false, false), vec.MulI24: octet24(true, false),
		vec.MadU24: octet24(false, true), vec.MadI24: octet24(true, true),
		vec.Add3: octet3(vpaddd, vpaddd), vec.AndOr: octet3(vpandd, vpord), vec.Or3: octet3(vpord, vpord),
		vec.XorAdd: octet3(vpxord, vpaddd),
		vec.ShlAdd: octetShiftThen(vpaddd), vec.ShlOr: octetShiftThen(vpord),
		vec.AddShl: {emit: func(x *octetCode) native.Z {
			x.op(vpaddd, x.d, x.s(0), x.s(1))
			return x.shifted(vpsllvd, x.d, x.s(2))
		}},
		vec.BfeU: octetField(shiftRight), vec.BfeI: octetField(shiftSign),
		vec.Bfi: {emit: func(x *octetCode) native.Z {
			x.op(vpandd, x.d, x.s(0), x.s(1))
			x.op(vpandnd, 4, x.s(0), x.s(2))
			x.op(vpord, x.d, x.d, 4)
			return x.d
		}},
		vec.Select: {emit: func(x *octetCode) native.Z {
			a, b := x.s(0), x.s(1) // which may use 4
			x.op(vblendvps, x.d, a, b, byte(x.inMask(4))<<4)
			return x.d
		}},
		vec.AddCarry: octetCarry(vpaddd, vpsubd, false), vec.SubBorrow: octetCarry(vpsubd, vpaddd, true),

		vec.EqU: octetCompare(vpcmpeqd, 0, 1, 0, false), vec.NeU: octetCompare(vpcmpeqd, 0, 1, 0, true),
		vec.LtU: octetCompare(vpcmpgtd, 1, 0, 1<<31, false),
		vec.LeU: octetCompare(vpcmpgtd, 0, 1, 1<<31, true),
		vec.LtI: octetCompare(vpcmpgtd, 1, 0, 0, false), vec.LeI: octetCompare(vpcmpgtd, 0, 1, 0, true),
		vec.EqF32: octetCompareFloat(0), vec.LtF32: octetCompareFloat(17), vec.LeF32: octetCompareFloat(18),
		vec.NeF32: octetCompareFloat(12), vec.OrdF32: octetCompareFloat(7),

		vec.AddF32: octetFloat(vaddps), vec.SubF32: octetFloat(vsubps), vec.MulF32: octetFloat(vmulps),
		vec.FmaF32: {nan: true, emit: octetFma},
		vec.MinF32: {check: octetUnordered, emit: octetExtreme(vminps, vpord)},
		vec.MaxF32: {check: octetUnordered, emit: octetExtreme(vmaxps, vpandd)},
		vec.RcpF32: {check: octetExponents, emit: func(x *octetCode) native.Z {
			a := x.s(0)
			x.op(vdivps, x.d, x.all(4, 0x3f800000), a)
			return x.d
		}},
		vec.TruncF32: octet1(vroundps, 11), vec.FloorF32: octet1(vroundps, 9),
		vec.CeilF32: octet1(vroundps, 10),
		vec.RintF32: octet1(vroundps, 8), vec.F32I: octet1(vcvtdq2ps), vec.IF32: {emit: octetToInt},
	}
})

func octet1(i native.Instruction, imm ...byte) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.op(i, x.d, 0, x.s(0), imm...)
		return x.d
	}}
}

func octet2(i native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.op(i, x.d, x.s(0), x.s(1))
		return x.d
	}}
}

func octet3(i, j native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.op(i, x.d, x.s(0), x.s(1))
		x.op(j, x.d, x.d, x.s(2))
		return x.d
	}}
}

// shifted is a register shifted by five bits of another.
func (x *octetCode) shifted(i native.Instruction, z, by native.Z) native.Z {
	x.op(vpandd, 5, by, x.all(4, 31))
	x.op(i, x.d, z, 5)
	return x.d
}

func octetShift(i native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z { return x.shifted(i, x.s(1), x.s(0)) }}
}

func octetShiftThen(j native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.shifted(vpsllvd, x.s(0), x.s(1))
		x.op(j, x.d, x.d, x.s(2))
		return x.d
	}}
}

func octetMulHigh(i native.Instruction) func(x *octetCode) native.Z {
	return func(x *octetCode) native.Z {
		a, b := x.s(0), x.s(1)
		x.op(i, x.d, a, b)
		x.op(vpshiftq, shiftRight, x.d, x.d, 32)
		x.op(vpshiftq, shiftRight, 4, a, 32)
		x.op(vpshiftq, shiftRight, 5, b, 32)
		x.op(i, 4, 4, 5)
		x.op(vpblendd, x.d, x.d, 4, 0xaa)
		return x.d
	}
}

func octet24(signed, add bool) octetForm {
	kind := native.Z(shiftRight)
	if signed {
		kind = shiftSign
	}
	return octetForm{emit: func(x *octetCode) native.Z {
		for i, z := range []native.Z{4, 5} {
			x.op(vpshiftd, shiftLeft, z, x.s(i), 8)
			x.op(vpshiftd, kind, z, z, 8)
		}
		x.op(vpmulld, x.d, 4, 5)
		if add {
			x.op(vpaddd, x.d, x.d, x.s(2))
		}
		return x.d
	}}
}

// octetField takes a constant number of bits.
func octetField(kind native.Z) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		from, width := x.from[1], x.from[2]
		if from.kind != constant || width.kind != constant || width.imm&31 == 0 {
			return noOctets
		}
		x.op(vpshiftd, kind, x.d, x.s(0), byte(from.imm&31))
		x.op(vpshiftd, shiftLeft, x.d, x.d, byte(32-width.imm&31))
		x.op(vpshiftd, kind, x.d, x.d, byte(32-width.imm&31))
		return x.d
	}}
}

// inMask is a register with dwords of an octet of the mask source: z, unless another has them.
func (x *octetCode) inMask(z native.Z) native.Z {
	if x.run == nil {
		x.t.expand(z, x.t.inField(), x.o)
		return z
	}
	m, negated := x.run.mask(x.takes)
	if !negated {
		return m
	}
	x.op(vpcmpeqd, z, z, z)
	x.op(vpxord, z, z, m)
	return z
}

func octetCarry(i, undo native.Instruction, subtract bool) octetForm {
	return octetForm{carries: true, emit: func(x *octetCode) native.Z {
		a, b := x.s(0), x.s(1)
		x.op(i, x.d, a, b)
		x.all(4, 1<<31)
		more, less := a, x.d // a carry: the sum is less than A
		if subtract {
			more, less = b, a
		}
		x.op(vpxord, 5, more, 4)
		x.op(vpxord, 6, less, 4)
		x.op(vpcmpgtd, yCarry, 5, 6)
		if x.in.fast.noIn {
			return x.d
		}
		in := x.inMask(7)
		if subtract {
			x.op(vpcmpeqd, 5, a, b)
		} else {
			x.op(vpcmpeqd, 5, x.d, x.all(4, ^uint32(0)))
		}
		x.op(vpandd, 5, 5, in)
		x.op(vpord, yCarry, yCarry, 5)
		x.op(undo, x.d, x.d, in) // the mask is -1
		return x.d
	}}
}

// octetCompare compares two sources, with a number added that makes unsigned
// order signed.
func octetCompare(i native.Instruction, first, second int, flip uint32, negated bool) octetForm {
	return octetForm{compares: true, negated: negated, emit: func(x *octetCode) native.Z {
		a, b := x.s(first), x.s(second)
		if flip != 0 {
			x.all(4, flip)
			x.op(vpxord, 5, a, 4)
			x.op(vpxord, 6, b, 4)
			a, b = 5, 6
		}
		x.op(i, x.d, a, b)
		return x.d
	}}
}

func octetCompareFloat(cond byte) octetForm {
	return octetForm{compares: true, emit: func(x *octetCode) native.Z {
		x.op(vcmpps, x.d, x.s(0), x.s(1), cond)
		return x.d
	}}
}

// octetFloat is an operation of singles; see float2.
func octetFloat(i native.Instruction) octetForm {
	return octetForm{nan: true, emit: func(x *octetCode) native.Z {
		if a, b := x.s(0), x.s(1); x.seesNaNs() {
			x.op(i, x.d, a, b)
		} else {
			x.float2(i, a, b)
		}
		return x.d
	}}
}

func (x *octetCode) float2(i native.Instruction, a, b native.Z) {
	x.op(i, x.d, a, b)
	x.op(vcmpps, 5, x.d, x.d, 3)
	x.op(vcmpps, 6, a, b, 7)
	x.op(vpandd, 5, 5, 6)
	x.op(vblendvps, x.d, x.d, x.all(4, 0x7fc00000), 5<<4)
}

// octetFma adds a product. A NaN is the first that is a source, made quiet, or the positive one.
func octetFma(x *octetCode) native.Z {
	a, b, c := x.s(0), x.s(1), x.s(2)
	if x.seesNaNs() {
		if x.addsTo(c) {
			x.op(vfmadd231ps, c, a, b)
			return c
		}
		x.op(vmovdqa32, x.d, 0, a)
		x.op(vfmadd213ps, x.d, b, c)
		return x.d
	}
	x.op(vmovdqa32, x.d, 0, a)
	x.op(vfmadd213ps, x.d, b, c)
	x.all(6, 0x7fc00000)
	for _, s := range []native.Z{c, b, a} {
		x.op(vpord, 4, s, x.all(4, 0x00400000))
		x.op(vcmpps, 5, s, s, 3)
		x.op(vblendvps, 6, 6, 4, 5<<4)
	}
	x.op(vcmpps, 5, x.d, x.d, 3)
	x.op(vblendvps, x.d, x.d, 6, 5<<4)
	return x.d
}

// seesNaNs reports whether somebody looks for NaNs behind an operation, whose result need not be right then.
func (x *octetCode) seesNaNs() bool { return x.run != nil && x.run.quick }

// addsTo reports whether source C is the row that the result goes to, as it is in a register, which holds no
// other source.
func (x *octetCode) addsTo(c native.Z) bool {
	dst := keptKey{keptRow, uint32(x.in.dst.reg)}
	return x.changes[2] == nil && x.run.kept.regs[c].is == dst
}

func octetUnordered(x *octetCode) native.Z {
	x.op(vcmpps, 5, x.s(0), x.s(1), 3)
	return 5
}

// octetExtreme is a minimum or a maximum; see extremeCode.
func octetExtreme(i, join native.Instruction) func(x *octetCode) native.Z {
	return func(x *octetCode) native.Z {
		a, b := x.s(0), x.s(1)
		x.op(i, x.d, a, b)
		x.op(join, 4, a, b)
		x.op(vcmpps, 5, a, b, 0)
		x.op(vblendvps, x.d, x.d, 4, 5<<4)
		return x.d
	}
}

// octetExponents gives the lanes whose reciprocal may be no normal number:
// exponents but those from 1 to 252.
func octetExponents(x *octetCode) native.Z {
	x.op(vpshiftd, shiftLeft, 5, x.s(0), 1)
	x.op(vpshiftd, shiftRight, 5, 5, 24)
	x.op(vpcmpgtd, 6, 5, x.all(4, 252))
	x.op(vpxord, 4, 4, 4)
	x.op(vpcmpeqd, 5, 5, 4)
	x.op(vpord, 5, 5, 6)
	return 5
}

// octetToInt converts to signed integers: what is too great is the greatest,
// a NaN 0.
func octetToInt(x *octetCode) native.Z {
	a := x.s(0)
	x.op(vcvttps2dq, x.d, 0, a)
	x.op(vcmpps, 5, a, x.all(4, 0x4f000000), 29)
	x.op(vblendvps, x.d, x.d, x.all(4, 0x7fffffff), 5<<4)
	x.op(vcmpps, 5, a, a, 7)
	x.op(vpandd, x.d, x.d, 5)
	return x.d
}

var (
	vcvtps2pd    = ins(1, 0, 0x5a)
	vcvtpd2ps    = ins(1, 1, 0x5a)
	vpmovzxdq    = ins(2, 1, 0x35)
	vextractf128 = ins(3, 1, 0x19) // its destination comes last
	vinsertf128  = ins(3, 1, 0x18)
)

// octetFrexp takes a single's exponent or its mantissa, of a denormal that of 2 to the power of 32 times it.
func octetFrexp(exponent bool) dwordsFunc {
	return func(x *vectorCode, d, a, _, _ native.Z, _ int) {
		const exponents, denormal, special, temp, zero native.Z = 4, 4, 5, 6, 7
		each := func(v uint32) { x.t.V256(vpbroadcastd, temp, 0, native.InMem(x.t.constant(v))) }
		x.op(vpxord, zero, zero, zero)
		x.op(vpshiftd, shiftLeft, exponents, a, 1)
		x.op(vpcmpeqd, special, exponents, zero)
		x.op(vpshiftd, shiftRight, exponents, exponents, 24)
		each(255)
		x.op(vpcmpeqd, temp, exponents, temp)
		x.op(vpord, special, special, temp)
		x.op(vpcmpeqd, denormal, exponents, zero)
		each(0x4f800000)
		x.op(vmulps, temp, a, temp)
		x.op(vblendvps, d, a, temp, byte(denormal)<<4)
		if exponent { // 0 of what is special
			x.op(vpshiftd, shiftLeft, d, d, 1)
			x.op(vpshiftd, shiftRight, d, d, 24)
			each(126)
			x.op(vpsubd, d, d, temp)
			each(32)
			x.op(vpandd, temp, temp, denormal)
			x.op(vpsubd, d, d, temp)
			x.op(vpandnd, d, special, d)
			return
		}
		each(0x807fffff)
		x.op(vpandd, d, d, temp)
		each(0x3f000000)
		x.op(vpord, d, d, temp)
		x.op(vaddps, temp, a, a) // what is special is that itself, a NaN quiet
		x.op(vblendvps, d, d, temp, byte(special)<<4)
	}
}

// octetLdexp is A times two to the power of B: in doubles, of which none is too great or too small, so that
// the result is rounded once.
func octetLdexp(x *vectorCode, d, a, b, _ native.Z, _ int) {
	const power, number, temp, most = 4, 5, 6, 600
	each := func(v int32) { x.t.V256(vpbroadcastd, temp, 0, native.InMem(x.t.constant(uint32(v)))) }
	each(most)
	x.op(vpminsd, power, b, temp)
	each(-most)
	x.op(vpmaxsd, power, power, temp)
	each(1023)
	x.op(vpaddd, power, power, temp)
	half := func(a, power native.Z) {
		x.op(vcvtps2pd, number, 0, a)
		x.op(vpmovzxdq, temp, 0, power)
		x.op(vpshiftq, shiftLeft, temp, temp, 52)
		x.op(vmulpd, number, number, temp)
		x.op(vcvtpd2ps, number, 0, number)
	}
	half(a, power)
	x.op(vmovdqa32, d, 0, number)
	x.op(vextractf128, a, 0, number, 1)
	x.op(vextractf128, power, 0, power, 1)
	half(number, power)
	x.op(vinsertf128, d, d, number, 1)
}
