package gcn

import (
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
}

var octetForms = map[vec.Op]octetForm{
	vec.Mov: {emit: func(x *octetCode) native.Z { return x.s(0) }},
	vec.Not: {emit: func(x *octetCode) native.Z {
		x.op(vpxord, yResult, x.s(0), x.all(4, ^uint32(0)))
		return yResult
	}},
	vec.Add: octet2(vpaddd), vec.Sub: octet2(vpsubd), vec.And: octet2(vpandd), vec.Or: octet2(vpord),
	vec.Xor: octet2(vpxord), vec.Mul: octet2(vpmulld), vec.MinU: octet2(vpminud), vec.MaxU: octet2(vpmaxud),
	vec.MinI: octet2(vpminsd), vec.MaxI: octet2(vpmaxsd),
	vec.Xnor: {emit: func(x *octetCode) native.Z {
		x.op(vpxord, yResult, x.s(0), x.s(1))
		x.op(vpxord, yResult, yResult, x.all(4, ^uint32(0)))
		return yResult
	}},
	vec.ShlRev: octetShift(vpsllvd), vec.ShrRev: octetShift(vpsrlvd), vec.SarRev: octetShift(vpsravd),
	vec.MulHiU: {emit: octetMulHigh(vpmuludq)}, vec.MulHiI: {emit: octetMulHigh(vpmuldq)},
	vec.MulU24: octet24(false, false), vec.MulI24: octet24(true, false),
	vec.MadU24: octet24(false, true), vec.MadI24: octet24(true, true),
	vec.Add3: octet3(vpaddd, vpaddd), vec.AndOr: octet3(vpandd, vpord), vec.Or3: octet3(vpord, vpord),
	vec.XorAdd: octet3(vpxord, vpaddd),
	vec.ShlAdd: octetShiftThen(vpaddd), vec.ShlOr: octetShiftThen(vpord),
	vec.AddShl: {emit: func(x *octetCode) native.Z {
		x.op(vpaddd, yResult, x.s(0), x.s(1))
		return x.shifted(vpsllvd, yResult, x.s(2))
	}},
	vec.BfeU: octetField(shiftRight), vec.BfeI: octetField(shiftSign),
	vec.Bfi: {emit: func(x *octetCode) native.Z {
		x.op(vpandd, yResult, x.s(0), x.s(1))
		x.op(vpandnd, 4, x.s(0), x.s(2))
		x.op(vpord, yResult, yResult, 4)
		return yResult
	}},
	vec.Select: {emit: func(x *octetCode) native.Z {
		a, b := x.s(0), x.s(1) // which may use 4
		x.inMask(4)
		x.op(vblendvps, yResult, a, b, 4<<4)
		return yResult
	}},
	vec.AddCarry: octetCarry(vpaddd, vpsubd, false), vec.SubBorrow: octetCarry(vpsubd, vpaddd, true),

	vec.EqU: octetCompare(vpcmpeqd, 0, 1, 0, false), vec.NeU: octetCompare(vpcmpeqd, 0, 1, 0, true),
	vec.LtU: octetCompare(vpcmpgtd, 1, 0, 1<<31, false), vec.LeU: octetCompare(vpcmpgtd, 0, 1, 1<<31, true),
	vec.LtI: octetCompare(vpcmpgtd, 1, 0, 0, false), vec.LeI: octetCompare(vpcmpgtd, 0, 1, 0, true),
	vec.EqF32: octetCompareFloat(0), vec.LtF32: octetCompareFloat(17), vec.LeF32: octetCompareFloat(18),
	vec.NeF32: octetCompareFloat(12), vec.OrdF32: octetCompareFloat(7),

	vec.AddF32: octetFloat(vaddps), vec.SubF32: octetFloat(vsubps), vec.MulF32: octetFloat(vmulps),
	vec.FmaF32: {check: func(x *octetCode) native.Z { return x.isNaN(octetFma(x)) }, emit: octetFma},
	vec.MinF32: {check: octetUnordered, emit: octetExtreme(vminps, vpord)},
	vec.MaxF32: {check: octetUnordered, emit: octetExtreme(vmaxps, vpandd)},
	vec.RcpF32: {check: octetExponents, emit: func(x *octetCode) native.Z {
		a := x.s(0)
		x.op(vdivps, yResult, x.all(4, 0x3f800000), a)
		return yResult
	}},
	vec.TruncF32: octet1(vroundps, 11), vec.FloorF32: octet1(vroundps, 9), vec.CeilF32: octet1(vroundps, 10),
	vec.RintF32: octet1(vroundps, 8), vec.F32I: octet1(vcvtdq2ps), vec.IF32: {emit: octetToInt},
}

func octet1(i native.Instruction, imm ...byte) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.op(i, yResult, 0, x.s(0), imm...)
		return yResult
	}}
}

func octet2(i native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.op(i, yResult, x.s(0), x.s(1))
		return yResult
	}}
}

func octet3(i, j native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.op(i, yResult, x.s(0), x.s(1))
		x.op(j, yResult, yResult, x.s(2))
		return yResult
	}}
}

// shifted is a register shifted by five bits of another.
func (x *octetCode) shifted(i native.Instruction, z, by native.Z) native.Z {
	x.op(vpandd, 5, by, x.all(4, 31))
	x.op(i, yResult, z, 5)
	return yResult
}

func octetShift(i native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z { return x.shifted(i, x.s(1), x.s(0)) }}
}

func octetShiftThen(j native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.shifted(vpsllvd, x.s(0), x.s(1))
		x.op(j, yResult, yResult, x.s(2))
		return yResult
	}}
}

func octetMulHigh(i native.Instruction) func(x *octetCode) native.Z {
	return func(x *octetCode) native.Z {
		a, b := x.s(0), x.s(1)
		x.op(i, yResult, a, b)
		x.op(vpshiftq, shiftRight, yResult, yResult, 32)
		x.op(vpshiftq, shiftRight, 4, a, 32)
		x.op(vpshiftq, shiftRight, 5, b, 32)
		x.op(i, 4, 4, 5)
		x.op(vpblendd, yResult, yResult, 4, 0xaa)
		return yResult
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
		x.op(vpmulld, yResult, 4, 5)
		if add {
			x.op(vpaddd, yResult, yResult, x.s(2))
		}
		return yResult
	}}
}

// octetField takes a constant number of bits.
func octetField(kind native.Z) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		from, width := x.from[1], x.from[2]
		if from.kind != constant || width.kind != constant || width.imm&31 == 0 {
			return noOctets
		}
		x.op(vpshiftd, kind, yResult, x.s(0), byte(from.imm&31))
		x.op(vpshiftd, shiftLeft, yResult, yResult, byte(32-width.imm&31))
		x.op(vpshiftd, kind, yResult, yResult, byte(32-width.imm&31))
		return yResult
	}}
}

// inMask makes dwords of an octet of the mask source.
func (x *octetCode) inMask(z native.Z) {
	x.t.expand(z, x.t.inField(), x.o)
}

func octetCarry(i, undo native.Instruction, subtract bool) octetForm {
	return octetForm{carries: true, emit: func(x *octetCode) native.Z {
		a, b := x.s(0), x.s(1)
		x.op(i, yResult, a, b)
		x.all(4, 1<<31)
		more, less := a, yResult // a carry: the sum is less than A
		if subtract {
			more, less = b, a
		}
		x.op(vpxord, 5, more, 4)
		x.op(vpxord, 6, less, 4)
		x.op(vpcmpgtd, yCarry, 5, 6)
		if x.in.fast.noIn {
			return yResult
		}
		x.inMask(7)
		if subtract {
			x.op(vpcmpeqd, 5, a, b)
		} else {
			x.op(vpcmpeqd, 5, yResult, x.all(4, ^uint32(0)))
		}
		x.op(vpandd, 5, 5, 7)
		x.op(vpord, yCarry, yCarry, 5)
		x.op(undo, yResult, yResult, 7) // the mask is -1
		return yResult
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
		x.op(i, yResult, a, b)
		return yResult
	}}
}

func octetCompareFloat(cond byte) octetForm {
	return octetForm{compares: true, emit: func(x *octetCode) native.Z {
		x.op(vcmpps, yResult, x.s(0), x.s(1), cond)
		return yResult
	}}
}

// octetFloat is an operation of singles; see float2.
func octetFloat(i native.Instruction) octetForm {
	return octetForm{emit: func(x *octetCode) native.Z {
		x.float2(i, x.s(0), x.s(1))
		return yResult
	}}
}

func (x *octetCode) float2(i native.Instruction, a, b native.Z) {
	x.op(i, yResult, a, b)
	x.op(vcmpps, 5, yResult, yResult, 3)
	x.op(vcmpps, 6, a, b, 7)
	x.op(vpandd, 5, 5, 6)
	x.op(vblendvps, yResult, yResult, x.all(4, 0x7fc00000), 5<<4)
}

func octetFma(x *octetCode) native.Z {
	x.op(vmovdqa32, yResult, 0, x.s(0))
	x.op(vfmadd213ps, yResult, x.s(1), x.s(2))
	return yResult
}

func (x *octetCode) isNaN(z native.Z) native.Z {
	x.op(vcmpps, 5, z, z, 3)
	return 5
}

func octetUnordered(x *octetCode) native.Z {
	x.op(vcmpps, 5, x.s(0), x.s(1), 3)
	return 5
}

// octetExtreme is a minimum or a maximum; see extremeCode.
func octetExtreme(i, join native.Instruction) func(x *octetCode) native.Z {
	return func(x *octetCode) native.Z {
		a, b := x.s(0), x.s(1)
		x.op(i, yResult, a, b)
		x.op(join, 4, a, b)
		x.op(vcmpps, 5, a, b, 0)
		x.op(vblendvps, yResult, yResult, 4, 5<<4)
		return yResult
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
	x.op(vcvttps2dq, yResult, 0, a)
	x.op(vcmpps, 5, a, x.all(4, 0x4f000000), 29)
	x.op(vblendvps, yResult, yResult, x.all(4, 0x7fffffff), 5<<4)
	x.op(vcmpps, 5, a, a, 7)
	x.op(vpandd, yResult, yResult, 5)
	return yResult
}
