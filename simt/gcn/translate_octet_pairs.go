package gcn

import (
	"simtgdb/simt/native"
)

// Vector instructions of 64 bits, and of pairs of singles, for hosts that have AVX2 and no AVX-512. The
// numbers of eight lanes are two vector registers: those of lanes 0, 1, 4 and 5, and the others.

var (
	vpcmpeqq = ins(2, 1, 0x29)
	vpcmpgtq = ins(2, 1, 0x37)
	vpsubq   = wide(1, 1, 0xfb)
	vsubpd   = ins(1, 1, 0x5c)
	vroundpd = ins(3, 1, 0x09)

	vpbroadcastq = ins(2, 1, 0x59)
)

// Registers of such instructions: the sources, the results in place of the first, a mask for each half.
var octetPairs = [3][2]native.Z{{0, 1}, {2, 3}, {4, 5}}

const (
	yTemp  native.Z = 6
	yTemp2 native.Z = 7
	yLow   native.Z = 10 // of masks, which comparisons and carries make
	yHigh  native.Z = 11
)

// An octetPair makes the code of an instruction for both halves of eight lanes.
type octetPair struct {
	emit     func(x *octetCode, half int)
	guarded  bool // it must not give a NaN
	compares bool // it gives a mask: the carries, if there is a destination
	negated  bool
}

func octetBinary64(i native.Instruction) func(*octetCode, int) {
	return func(x *octetCode, h int) { x.op(i, octetPairs[0][h], octetPairs[0][h], octetPairs[1][h]) }
}

func octetShift64(i native.Instruction) func(*octetCode, int) {
	return func(x *octetCode, h int) {
		x.op(vpandd, yTemp, octetPairs[0][h], x.double(yTemp2, 63))
		x.op(i, octetPairs[0][h], octetPairs[1][h], yTemp)
	}
}

func octetShiftAdd64(x *octetCode, h int) {
	x.op(vpandd, yTemp, octetPairs[1][h], x.double(yTemp2, 7))
	x.op(vpsllvq, yTemp, octetPairs[0][h], yTemp)
	x.op(vpaddq, octetPairs[0][h], yTemp, octetPairs[2][h])
}

func octetMad64(x *octetCode, h int) {
	x.op(vpmuludq, yTemp, octetPairs[0][h], octetPairs[1][h])
	x.op(vpaddq, octetPairs[0][h], yTemp, octetPairs[2][h])
	x.greater(h, octetPairs[2][h], octetPairs[0][h], true)
}

func octetRound64(how byte) func(*octetCode, int) {
	return func(x *octetCode, h int) { x.op(vroundpd, octetPairs[0][h], 0, octetPairs[0][h], how) }
}

// octetCompare64 is a comparison of integers: there are equality and what is greater, each way.
func octetCompare64(cond uint, unsigned bool) *octetPair {
	f := &octetPair{compares: true}
	switch cond {
	case relEqual, relLess | relGreater:
		f.emit = func(x *octetCode, h int) {
			x.op(vpcmpeqq, yLow+native.Z(h), octetPairs[0][h], octetPairs[1][h])
		}
		f.negated = cond != relEqual
	case relGreater, relLess | relEqual:
		f.emit = func(x *octetCode, h int) { x.greater(h, octetPairs[0][h], octetPairs[1][h], unsigned) }
		f.negated = cond != relGreater
	default:
		f.emit = func(x *octetCode, h int) { x.greater(h, octetPairs[1][h], octetPairs[0][h], unsigned) }
		f.negated = cond != relLess
	}
	return f
}

// double is a register with a number of 64 bits in every lane.
func (x *octetCode) double(z native.Z, v uint64) native.Z {
	x.t.V256(vpbroadcastq, z, 0, native.InMem(x.t.qword(v)))
	return z
}

// greater makes a half's mask that of a > b, of unsigned numbers if the signs are to be flipped.
func (x *octetCode) greater(h int, a, b native.Z, flip bool) {
	if flip {
		x.double(yTemp2, 1<<63)
		x.op(vpxord, yTemp, b, yTemp2)
		x.op(vpxord, yTemp2, a, yTemp2)
		a, b = yTemp2, yTemp
	}
	x.op(vpcmpgtq, yLow+native.Z(h), a, b)
}

// octetSar64 shifts without the sign, and extends it then.
func octetSar64(x *octetCode, h int) {
	d := octetPairs[0][h]
	x.op(vpandd, d, d, x.double(yTemp2, 63))
	x.op(vpsrlvq, yTemp, octetPairs[1][h], d)
	x.op(vpsrlvq, d, x.double(yTemp2, 1<<63), d)
	x.op(vpxord, yTemp, yTemp, d)
	x.op(vpsubq, d, yTemp, d)
}

func octetFma64(x *octetCode, h int) {
	x.op(vfmadd213pd, octetPairs[0][h], octetPairs[1][h], octetPairs[2][h])
}

// octetToDouble converts numbers of 32 bits: added to those of a double that is great, they are its last
// bits.
func octetToDouble(great uint64) func(*octetCode, int) {
	return func(x *octetCode, h int) {
		d := octetPairs[0][h]
		x.double(yTemp, great)
		x.op(vpaddq, d, d, yTemp)
		x.op(vsubpd, d, d, yTemp)
	}
}

// octetPairInst makes the code of an instruction that has such a form; its lonely has looked at the operands.
func (t *translator) octetPairInst(in *Inst, f *octetPair) bool {
	x := newOctetCode(&vectorCode{t: t, in: in})
	n := typDwords[in.dst.typ]
	if in.dst.kind != vectorReg {
		n = 0
	}
	if n > 0 && in.writesExec() {
		return false
	}
	if f.guarded {
		bail := t.unlessDone(in, 0)
		t.V256(vpxord, firstUniform, firstUniform, native.InReg(firstUniform))
		for x.o = range t.parts {
			x.pairHalves(f)
			for h := range 2 {
				x.op(vcmppd, yLow+native.Z(h), octetPairs[0][h], octetPairs[0][h], 3)
			}
			x.op(vshufps, yLow, yLow, yHigh, 0x88)
			t.V256(vpandd, yLow, yLow, native.InMem(t.maskAt(x.o)))
			x.op(vpord, firstUniform, firstUniform, yLow)
		}
		x.op(vptest, firstUniform, 0, firstUniform)
		t.Jcc(native.NE, bail)
	}
	for x.o = range t.parts {
		x.pairHalves(f)
		if f.compares {
			x.op(vshufps, yLow, yLow, yHigh, 0x88)
			x.collect(yLow)
		}
		x.writePair()
	}
	for i := range n {
		t.changed(int(in.dst.reg) + i)
	}
	if f.compares {
		if f.negated {
			t.Not(native.W64, native.RDX)
		}
		t.Op(native.AND, native.W64, native.RDX, regMask)
		x.writeMask()
	}
	return true
}

// writePair makes a row, or two, of both halves of an octet.
func (x *octetCode) writePair() {
	if x.in.dst.kind != vectorReg {
		return
	}
	for i := range typDwords[x.in.dst.typ] {
		x.op(vshufps, yTemp, 0, 1, []byte{0x88, 0xdd}[i])
		x.write(int(x.in.dst.reg)+i, yTemp)
	}
}

// pairHalves brings the sources of an octet into registers, and computes.
func (x *octetCode) pairHalves(f *octetPair) {
	for i := range x.in.Op.srcCount() {
		x.octetPair(i)
	}
	for h := range 2 {
		f.emit(x, h)
	}
}

// octetPair brings an octet of source i into its registers; dwords are extended.
func (x *octetCode) octetPair(i int) {
	o, p := &x.in.src[i], octetPairs[i]
	x.dword(o, 0, yTemp)
	switch {
	case typDwords[o.typ] > 1:
		x.dword(o, 1, yTemp2)
	case o.typ == i32:
		x.op(vpshiftd, shiftSign, yTemp2, yTemp, 31)
	default:
		x.op(vpxord, yTemp2, yTemp2, yTemp2)
	}
	if m := x.in.mod; m != nil && o.typ == f64 && x.in.form != VOP3P && (m.abs|m.neg)>>i&1 != 0 {
		x.all(yLow, 1<<31)
		if m.abs>>i&1 != 0 {
			x.op(vpandnd, yTemp2, yLow, yTemp2)
		}
		if m.neg>>i&1 != 0 {
			x.op(vpxord, yTemp2, yTemp2, yLow)
		}
	}
	x.op(vpunpckldq, p[0], yTemp, yTemp2)
	x.op(vpunpckhdq, p[1], yTemp, yTemp2)
}

// dword brings an octet of a dword of an operand into a register.
func (x *octetCode) dword(o *operand, dword int, z native.Z) {
	if x.run != nil {
		if kept, ok := x.run.kept.find(keyOf(o, dword)); ok {
			x.op(vmovdqa32, z, 0, kept)
			return
		}
	}
	switch o.kind {
	case vectorReg:
		x.t.V256(vmovdqu32, z, 0, native.InMem(octetAt(int(o.reg)+dword, x.o)))
	case constant:
		x.all(z, uint32(o.imm>>(32*dword)))
	default:
		x.t.V256(vpbroadcastd, z, 0, native.InMem(scalar(o.reg+uint16(dword))))
	}
}

// octetPacked makes the code of an instruction on both halves of pairs of singles.
func (x *octetCode) octetPacked(i native.Instruction, fma bool) bool {
	t, row := x.t, int(x.in.dst.reg)
	if fma {
		bail := t.unlessDone(x.in, 0)
		t.V256(vpxord, firstUniform, firstUniform, native.InReg(firstUniform))
		for x.o = range x.t.parts {
			x.packedHalves(i, true)
			for _, z := range []native.Z{yLow, yHigh} {
				x.op(vcmpps, z, z, z, 3)
				t.V256(vpandd, z, z, native.InMem(t.maskAt(x.o)))
				x.op(vpord, firstUniform, firstUniform, z)
			}
		}
		x.op(vptest, firstUniform, 0, firstUniform)
		t.Jcc(native.NE, bail)
	}
	for x.o = range x.t.parts {
		x.packedHalves(i, fma)
		x.write(row, yLow)
		x.write(row+1, yHigh)
	}
	t.changed(row)
	t.changed(row + 1)
	return true
}

// packedHalves computes an octet of both halves.
func (x *octetCode) packedHalves(i native.Instruction, fma bool) {
	m := x.selectors()
	for half, bits := range [2][2]uint8{{m.opSel, m.neg}, {m.opSelHi, m.negHi}} {
		for s := range x.in.Op.srcCount() {
			x.dword(&x.in.src[s], int(bits[0]>>s&1), native.Z(s))
			if bits[1]>>s&1 != 0 {
				x.op(vpxord, native.Z(s), native.Z(s), x.all(4, 1<<31))
			}
		}
		r := yLow + native.Z(half)
		if fma {
			x.op(vmovdqa32, r, 0, 0)
			x.op(i, r, 1, 2)
			continue
		}
		x.float2(i, 0, 1)
		x.op(vmovdqa32, r, 0, x.d)
	}
}

// A dwordsFunc is an operation on the sources of a quarter or octet, in registers that it may not change, but
// d, 19 and 20.
type dwordsFunc func(x *vectorCode, d, a, b, c native.Z, q int)

// octetDwords is ofDwords for hosts that have AVX2 and no AVX-512.
func (x *vectorCode) octetDwords(f dwordsFunc) bool {
	y := newOctetCode(x)
	for y.o = range y.t.parts {
		y.dwords(f)
	}
	x.t.changed(int(x.in.dst.reg))
	return true
}

// dwords is octetDwords for an octet.
func (x *octetCode) dwords(f dwordsFunc) {
	x.all(lowRegister(zBits), 31)
	for i := range x.in.Op.srcCount() {
		z := native.Z(i)
		x.dword(&x.in.src[i], 0, z)
		x.word(i, z, z)
	}
	f(x.vectorCode, x.d, 0, 1, 2, x.o)
	if x.replaces() {
		x.dword(&x.in.dst, 0, lowRegister(20))
		x.placeWord(x.d, 20)
	}
	x.write(int(x.in.dst.reg), x.d)
}

// lowRegister is what stands for a register of AVX-512 that AVX2 has not.
func lowRegister(z native.Z) native.Z {
	switch z {
	case 19:
		return 4
	case 20:
		return 5
	case eachRegister:
		return 6
	case zBits:
		return 7
	}
	return z
}
