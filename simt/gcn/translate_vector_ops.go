package gcn

import (
	"simtgdb/simt/native"
)

// What operations of package vec become, a quarter of the lanes at a time.

// quarters is an operation that a function makes for each quarter.
func quarters(f func(x *vectorCode, d native.Z, q int)) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		d := x.result()
		for q := range x.t.parts {
			f(x, d.at(q), q)
		}
		x.write(d)
		return true
	}
}

// simple is an operation whose last instruction is the only one that writes d, and that can do so under a
// mask.
func simple(f func(x *vectorCode, k native.K, d native.Z, q int)) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t, row := x.t, int(x.in.dst.reg)
		if !t.exact {
			d := x.result()
			for q := range t.parts {
				f(x, 0, d.at(q), q)
			}
			x.write(d)
			return true
		}
		d := t.row(row)
		for q := range t.parts {
			f(x, native.K(1+q), d.at(q), q)
			t.V(vmovdqu32to, d.at(q), 0, native.InMem(quarterAt(row, q)), 0)
		}
		t.changed(row)
		t.rows.row[t.quadOf(d)] = row
		return true
	}
}

func binary2(i native.Instruction) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) { x.under(k, i, d, x.a(q), x.b(q)) })
}

// then is an operation on A and B, and another on what they give and C.
func then(i, j native.Instruction) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) {
		x.op(i, 18, x.a(q), x.b(q))
		x.under(k, j, d, 18, x.c(q))
	})
}

func shiftRev(kind byte) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) { x.shift(k, kind, d, x.b(q), 0, q) })
}

func unary1(i native.Instruction, imm ...byte) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) { x.under(k, i, d, 0, x.a(q), imm...) })
}

// shiftThen is A shifted left by B, and an operation on that and C.
func shiftThen(j native.Instruction) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) {
		x.shift(0, shiftLeft, 18, x.a(q), 1, q)
		x.under(k, j, d, 18, x.c(q))
	})
}

// compareCode is a comparison; the condition is inverted if the row's is.
func compareCode(i native.Instruction, cond, inverted byte) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		if x.in.fast.invert {
			cond := inverted
			return x.compare(i, cond)
		}
		return x.compare(i, cond)
	}
}

func (x *vectorCode) compare(i native.Instruction, cond byte) bool {
	for q := range x.t.parts {
		x.under(native.K(1+q), i, 5, x.a(q), x.b(q), cond)
		x.collect(5, q)
	}
	x.writeMask()
	return true
}

// float2Code is an operation of singles on A and B. A result that is a NaN
// though the operands are ordered is the positive one. There seldom is a NaN.
func float2Code(i native.Instruction) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t, d := x.t, x.result()
		for q := range t.parts {
			x.op(i, d.at(q), x.a(q), x.b(q))
		}
		x.ifNaN(d, func() {
			for q := range t.parts {
				x.float2(i, d.at(q), x.a(q), x.b(q))
			}
		})
		x.write(d)
		return true
	}
}

// ifNaN does something, out of the way, if a lane of a quad is a NaN.
func (x *vectorCode) ifNaN(d source, then func()) {
	t := x.t
	nan, back := t.NewLabel(), t.NewLabel()
	for q := 0; q < t.parts; q += 2 {
		x.op(vcmpps, native.Z(5+q/2), d.at(q), d.at(q+1), 3)
	}
	t.Kortest16(5, native.K(4+t.parts/2))
	t.Jcc(native.NE, nan)
	t.Set(back)
	t.stubs = append(t.stubs, func() {
		t.Set(nan)
		then()
		t.Jmp(back)
	})
}

func (x *vectorCode) float2(i native.Instruction, d, a, b native.Z) {
	x.op(i, d, a, b)
	x.op(vcmpps, 5, d, d, 3)
	x.under(5, vcmpps, 5, a, b, 7)
	x.under(5, vmovdqa32, d, 0, zNaN)
}

// noNaN leaves the instruction to the interpreter if an active lane of the
// result is a NaN.
func (x *vectorCode) noNaN(d source) {
	t := x.t
	bail := t.unlessDone(x.in, 0)
	x.ifNaN(d, func() {
		for q := range t.parts {
			x.under(native.K(1+q), vcmpps, 5, d.at(q), d.at(q), 3)
			t.Kortest16(5, 5)
			t.Jcc(native.NE, bail)
		}
	})
}

// guarded is an operation that must not give a NaN.
func guarded(f func(x *vectorCode, d native.Z, q int)) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		d := x.result()
		for q := range x.t.parts {
			f(x, d.at(q), q)
		}
		x.noNaN(d)
		x.write(d)
		return true
	}
}

// fma32Code adds a product: to the destination itself, if that is what it is added to, since sums wait for
// each other.
func fma32Code(x *vectorCode) bool {
	t, row, c := x.t, int(x.in.dst.reg), x.src[2]
	if !t.exact || c.step == 0 || t.rows.row[t.quadOf(c)] != row {
		return guarded(fmaCode)(x)
	}
	before := x.result()
	bail := t.unlessDone(x.in, 0)
	for q := range t.parts {
		x.op(vmovdqa32, before.at(q), 0, c.at(q))
		x.under(native.K(1+q), vfmadd231ps, c.at(q), x.a(q), x.b(q))
	}
	x.ifNaN(c, func() {
		fine := t.NewLabel()
		for q := range t.parts {
			x.under(native.K(1+q), vcmpps, native.Z(5+q), c.at(q), c.at(q), 3)
		}
		t.Kortest16(5, 6)
		t.Jcc(native.E, fine)
		for q := range t.parts {
			x.op(vmovdqa32, c.at(q), 0, before.at(q))
		}
		t.Jmp(bail)
		t.Set(fine)
	})
	for q := range t.parts {
		t.V(vmovdqu32to, c.at(q), 0, native.InMem(quarterAt(row, q)), 0)
	}
	t.changed(row)
	t.rows.row[t.quadOf(c)] = row
	return true
}

func fmaCode(x *vectorCode, d native.Z, q int) {
	x.op(vmovdqa32, d, 0, x.a(q))
	x.op(vfmadd213ps, d, x.b(q), x.c(q))
}

// madCode flushes denormals before and after the product and the sum.
func madCode(x *vectorCode, d native.Z, q int) {
	flush := func(to, z native.Z) {
		if to != z {
			x.op(vmovdqa32, to, 0, z)
		}
		x.op(vptestnmd, 5, to, 17)
		x.under(5, vpandd, to, zSign, to)
	}
	x.t.V(vpbroadcastd, 17, 0, native.InMem(x.t.constant(0x7f800000)), 0)
	flush(d, x.a(q))
	flush(18, x.b(q))
	x.op(vmulps, d, d, 18)
	flush(d, d)
	flush(18, x.c(q))
	x.op(vaddps, d, d, 18)
	flush(d, d)
}

// extremeCode is a minimum or a maximum: equal operands differ at most in the
// sign of 0, of which join chooses. NaN operands are the interpreter's.
func extremeCode(i, join native.Instruction) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t := x.t
		bail := t.unlessDone(x.in, 0)
		for q := range x.t.parts {
			x.under(native.K(1+q), vcmpps, 5, x.a(q), x.b(q), 3)
			t.Kortest16(5, 5)
			t.Jcc(native.NE, bail)
		}
		d := x.result()
		for q := range x.t.parts {
			a, b := x.a(q), x.b(q)
			x.op(vcmpps, 5, a, b, 0)
			x.op(i, d.at(q), a, b)
			x.under(5, join, d.at(q), a, b)
		}
		x.write(d)
		return true
	}
}

// rcpCode divides where the reciprocal is a normal number: exponents from 1 to
// 252.
func rcpCode(x *vectorCode) bool {
	t := x.t
	bail := t.unlessDone(x.in, 0)
	d := x.result()
	t.V(vpbroadcastd, 17, 0, native.InMem(t.constant(1)), 0)
	t.V(vpbroadcastd, 18, 0, native.InMem(t.constant(251)), 0)
	for q := range x.t.parts {
		x.op(vpshiftd, shiftLeft, 19, x.a(q), 1)
		x.op(vpshiftd, shiftRight, 19, 19, 24)
		x.op(vpsubd, 19, 19, 17)
		x.under(native.K(1+q), vpcmpud, 5, 19, 18, 6)
		t.Kortest16(5, 5)
		t.Jcc(native.NE, bail)
	}
	t.V(vpbroadcastd, 17, 0, native.InMem(t.constant(0x3f800000)), 0)
	for q := range x.t.parts {
		x.op(vdivps, d.at(q), 17, x.a(q))
	}
	x.write(d)
	return true
}

// selectCode takes B where the mask source has a bit.
func selectCode(x *vectorCode) bool {
	d := x.result()
	for q := range x.t.parts {
		x.inQuarter(q)
		x.under(5, vpblendmd, d.at(q), x.a(q), x.b(q))
	}
	x.write(d)
	return true
}

// inQuarter brings a quarter of the mask source into K5.
func (x *vectorCode) inQuarter(q int) { x.t.Kshiftr64(5, 7, uint8(16*q)) }

// carryCode adds or subtracts with carries.
func carryCode(i, undo native.Instruction, subtract bool) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t := x.t
		d := x.result()
		for q := range x.t.parts {
			a, b, r := x.a(q), x.b(q), d.at(q)
			x.op(i, r, a, b)
			if subtract {
				x.op(vpcmpud, 6, a, b, 1)
			} else {
				x.op(vpcmpud, 6, r, a, 1)
			}
			if !x.in.fast.noIn {
				x.inQuarter(q)
				if subtract {
					x.under(5, vpcmpeqd, 0, a, b)
				} else {
					x.under(5, vpcmpeqd, 0, r, zOnes)
				}
				t.Kor16(6, 6, 0)
				x.under(5, undo, r, r, zOnes)
			}
			x.collect(6, q)
		}
		x.write(d)
		t.Op(native.AND, native.W64, native.RDX, regMask)
		x.writeMask()
		return true
	}
}

func mulHighCode(i native.Instruction) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		d := x.result()
		x.t.MovImm(native.RCX, 0xaaaa)
		x.t.KmovTo16(5, native.RCX)
		for q := range x.t.parts {
			a, b, r := x.a(q), x.b(q), d.at(q)
			x.op(i, r, a, b)
			x.op(vpshiftq, shiftRight, 17, a, 32)
			x.op(vpshiftq, shiftRight, 18, b, 32)
			x.op(i, 17, 17, 18)
			x.op(vpshiftq, shiftRight, r, r, 32)
			x.under(5, vmovdqa32, r, 0, 17)
		}
		x.write(d)
		return true
	}
}

// low24 is the product of the low 24 bits of A and B, in d.
func (x *vectorCode) low24(signed bool, d native.Z, q int) {
	for i, z := range []native.Z{17, 18} {
		x.op(vpshiftd, shiftLeft, z, x.src[i].at(q), 8)
		if signed {
			x.op(vpshiftd, shiftSign, z, z, 8)
		} else {
			x.op(vpshiftd, shiftRight, z, z, 8)
		}
	}
	x.op(vpmulld, d, 17, 18)
}

func mul24Code(signed, add bool) func(*vectorCode) bool {
	return quarters(func(x *vectorCode, d native.Z, q int) {
		x.low24(signed, d, q)
		if add {
			x.op(vpaddd, d, d, x.c(q))
		}
	})
}

// bfeCode takes a constant number of bits.
func bfeCode(signed bool) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		if !x.src[1].is || !x.src[2].is || x.src[2].imm&31 == 0 {
			return false
		}
		from, width := x.src[1].imm&31, x.src[2].imm&31
		d := x.result()
		for q := range x.t.parts {
			if signed {
				x.op(vpshiftd, shiftSign, d.at(q), x.a(q), byte(from))
				x.op(vpshiftd, shiftLeft, d.at(q), d.at(q), byte(32-width))
				x.op(vpshiftd, shiftSign, d.at(q), d.at(q), byte(32-width))
				continue
			}
			x.op(vpshiftd, shiftRight, d.at(q), x.a(q), byte(from))
			x.t.V(vpandd, d.at(q), d.at(q), native.Each(x.t.constant(1<<width-1)), 0)
		}
		x.write(d)
		return true
	}
}

// ternary is d = a table of the bits of A, B and C.
func ternary(table byte) func(*vectorCode) bool {
	return quarters(func(x *vectorCode, d native.Z, q int) {
		x.op(vmovdqa32, d, 0, x.a(q))
		x.op(vpternlogd, d, x.b(q), x.c(q), table)
	})
}

// toIntCode converts singles to integers; what is out of range is as the
// comments of package vec's assembly say.
func toIntCode(signed bool) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t := x.t
		d := x.result()
		t.V(vpxord, 17, 17, native.InReg(17), 0)
		t.V(vpbroadcastd, 18, 0, native.InMem(t.constant(0x4f000000)), 0)
		t.V(vpbroadcastd, 19, 0, native.InMem(t.constant(0x7fffffff)), 0)
		for q := range x.t.parts {
			a, r := x.a(q), d.at(q)
			if signed {
				x.op(vcvttps2dq, r, 0, a)
				x.op(vcmpps, 5, a, 18, 29)
				x.under(5, vmovdqa32, r, 0, 19)
				x.op(vcmpps, 5, a, a, 7)
			} else {
				x.op(vcvttps2udq, r, 0, a)
				x.op(vcmpps, 5, a, 17, 29)
			}
			t.VZ(vmovdqa32, r, 0, native.InReg(r), 5)
		}
		x.write(d)
		return true
	}
}
