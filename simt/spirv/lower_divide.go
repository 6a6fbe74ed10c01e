package spirv

import (
	"math"

	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// Divisions of integers of 32 bits, which vector registers do not divide, are made of divisions of floats of
// 64: these have room for both numbers, so that a quotient that is rounded is at most one too large.

// mantissa52 is 1 << 52 as a float: its lowest bits are whole numbers.
const mantissa52 = 0x433 << 52

// The registers that a division has for itself.
const (
	regQuotient int32 = -1 - iota
	regDivisor
	regFloat
	regProduct
	regDividendAbs
	regDivisorAbs
	regDividend
	regDivisorSigned
	regDividendSign
	regDivisorSign
)

// divides reports whether an instruction is a division that has row code.
func divides(op uint16, width uint) bool {
	return width == 32 && (op == opUDiv || op == opSDiv || op >= opUMod && op <= opSMod)
}

// divide makes the divisions of an instruction.
func (l *lowerer) divide(in *inst) {
	args := in.raw.args
	if !l.widths(32, args...) {
		l.ok = false
		return
	}
	for k := range int(in.n) {
		d, a, b := in.d+int32(k), l.of(args[0], k), l.of(args[1], k)
		if op := in.raw.op; op == opUDiv || op == opUMod {
			l.unsigned(op, d, a, b)
		} else {
			l.signed(op, d, a, b)
		}
		l.byZero(in, d, a, b)
	}
}

func inReg(r int32) rows.Value { return rows.Value{Reg: r} }

// byZero makes a quotient by zero what the interpreter says, and a remainder the dividend.
func (l *lowerer) byZero(in *inst, d int32, a, b rows.Value) {
	if b.Const && b.Imm != 0 {
		return
	}
	if op := in.raw.op; op == opUDiv || op == opSDiv {
		a = constant(in.imm)
	}
	l.test(lowered{op: vec.WideEqU}, 0, b, constant(0))
	l.choose(d, 0, a, inReg(d))
}

// float makes a register an unsigned number of 32 bits as a float.
func (l *lowerer) float(d int32, x rows.Value) rows.Value {
	if x.Const {
		return constant(math.Float64bits(float64(x.Imm)))
	}
	l.calc(d, vec.WideOr, x, constant(mantissa52))
	l.calc(d, vec.WideSubF64, inReg(d), constant(mantissa52))
	return inReg(d)
}

// quotient divides unsigned numbers; by 1 instead of 0. It gives the divisor.
func (l *lowerer) quotient(a, b rows.Value) rows.Value {
	by := constant(max(b.Imm, 1))
	if !b.Const {
		l.calc(regDivisor, vec.WideMaxU, b, constant(1))
		by = inReg(regDivisor)
	}
	x, y := l.float(regQuotient, a), l.float(regFloat, by)
	q := inReg(regQuotient)
	l.calc(regQuotient, vec.WideDivF64, x, y)
	l.calc(regQuotient, vec.WideAddF64, q, constant(mantissa52))
	l.calc(regQuotient, vec.WideAnd, q, constant(1<<32-1))
	l.calc(regProduct, vec.WideMulU32, q, by)
	l.test(lowered{op: vec.WideLtU}, 0, a, inReg(regProduct))
	l.calc(regProduct, vec.WideSub, q, constant(1))
	l.choose(regQuotient, 0, inReg(regProduct), q)
	return by
}

// rest makes a register the remainder of the quotient.
func (l *lowerer) rest(d int32, a, by rows.Value) {
	l.calc(regProduct, vec.WideMulU32, inReg(regQuotient), by)
	l.calc(d, vec.WideSub, a, inReg(regProduct))
}

func (l *lowerer) unsigned(op uint16, d int32, a, b rows.Value) {
	by := l.quotient(a, b)
	if op == opUMod {
		l.rest(d, a, by)
		return
	}
	l.ops = append(l.ops, move(d, inReg(regQuotient)))
}

// magnitude makes registers a signed number of 64 bits, its sign in all bits, and what it is without that.
func (l *lowerer) magnitude(x rows.Value, number, sign, abs int32) rows.Value {
	l.calc(number, vec.WideSignExtend32, x)
	l.calc(sign, vec.WideSar, inReg(number), constant(63))
	l.negate(abs, inReg(number), sign)
	return inReg(abs)
}

// negate makes a register a number, negated where a sign is set.
func (l *lowerer) negate(d int32, x rows.Value, sign int32) {
	l.calc(d, vec.WideXor, x, inReg(sign))
	l.calc(d, vec.WideSub, inReg(d), inReg(sign))
}

func (l *lowerer) signed(op uint16, d int32, a, b rows.Value) {
	x := l.magnitude(a, regDividend, regDividendSign, regDividendAbs)
	y := l.magnitude(b, regDivisorSigned, regDivisorSign, regDivisorAbs)
	by := l.quotient(x, y)
	if op == opSDiv {
		l.calc(regDividendSign, vec.WideXor, inReg(regDividendSign), inReg(regDivisorSign))
		l.negate(d, inReg(regQuotient), regDividendSign)
		l.keep(d, 32)
		return
	}
	l.rest(d, x, by)
	l.negate(d, inReg(d), regDividendSign)
	if op == opSMod {
		// The divisor is added where it has the other sign and something is left.
		l.calc(regFloat, vec.WideXor, inReg(d), inReg(regDivisorSigned))
		l.test(lowered{op: vec.WideLtI64}, 0, inReg(regFloat), constant(0))
		l.choose(regFloat, 0, inReg(regDivisorSigned), constant(0))
		l.test(lowered{op: vec.WideEqU}, 0, inReg(d), constant(0))
		l.choose(regFloat, 0, constant(0), inReg(regFloat))
		l.calc(d, vec.WideAdd, inReg(d), inReg(regFloat))
	}
	l.keep(d, 32)
}

// products64 makes UMulExtended and SMulExtended: the low halves of the products, then the high ones.
func (l *lowerer) products64(in *inst) {
	args := in.raw.args
	if !l.widths(32, args...) {
		l.ok = false
		return
	}
	high := vec.WideMulHiU32
	if in.raw.op == opSMulExtended {
		high = vec.WideMulHiI32
	}
	n := in.n
	for k := range n {
		a, b := l.of(args[0], int(k)), l.of(args[1], int(k))
		l.calc(in.d+k, vec.WideMul32, a, b)
		l.calc(in.d+n+k, high, a, b)
	}
}
