package gcn

import "simtgdb/simt/native"

// Vector instructions that package vec has not, or not as translated code wants
// them: numbers of 64 bits in pairs of rows, pairs of singles, and moves.

var (
	vpunpckldq  = ins(1, 1, 0x62)
	vpunpckhdq  = ins(1, 1, 0x6a)
	vshufps     = ins(1, 0, 0xc6)
	vptestmd    = ins(2, 1, 0x27)
	vscalefps   = ins(2, 1, 0x2c)
	vpaddq      = wide(1, 1, 0xd4)
	vpsllvq     = wide(2, 1, 0x47)
	vpsrlvq     = wide(2, 1, 0x45)
	vpsravq     = wide(2, 1, 0x46)
	vpcmpuq     = wide(3, 1, 0x1e)
	vpcmpq      = wide(3, 1, 0x1f)
	vmovdqa64   = wide(1, 1, 0x6f)
	vcmppd      = wide(1, 1, 0xc2)
	vaddpd      = wide(1, 1, 0x58)
	vmulpd      = wide(1, 1, 0x59)
	vminpd      = wide(1, 1, 0x5d)
	vmaxpd      = wide(1, 1, 0x5f)
	vfmadd213pd = wide(2, 1, 0xa8)
	vrndscalepd = wide(3, 1, 0x09)
	vscalefpd   = wide(2, 1, 0x2c)
	vcvtqq2pd   = wide(1, 2, 0xe6)
	vcvttpd2qq  = wide(1, 1, 0x7a)
)

// wide is an instruction of AVX-512 with W 1.
func wide(m, prefix, op byte) native.Instruction {
	return native.Instruction{Map: m, Prefix: prefix, W: 1, Op: op}
}

// A lonely is a form of a vector instruction. Its modifiers, but those it says, must change nothing.
type lonely struct {
	mode, want uint32 // the bits of MODE that matter, and what they must be
	signs      bool   // it takes NEG and ABS of its doubles
	halves     bool   // it takes OP_SEL and NEG of packed singles
	words      bool   // it takes OP_SEL of words
	moves      bool   // hosts without AVX-512 have it too
	emit       func(x *vectorCode) bool
	octets     *octetPair // what hosts without AVX-512 have in emit's place
	dwords     dwordsFunc // what emit does to each octet, if it is an operation on dwords
}

// single1 is an operation that AVX2 does in another way.
func single1(emit func(x *vectorCode) bool, octets dwordsFunc) lonely {
	return lonely{mode: plainBits32, want: ModeDenorm32, moves: true, dwords: octets,
		emit: func(x *vectorCode) bool {
			if x.t.octets {
				return x.octetDwords(octets)
			}
			return emit(x)
		}}
}

func double1(emit func(x *vectorCode) bool) lonely {
	return lonely{mode: plainBits64, want: ModeDenorm64, signs: true, emit: emit}
}

// packedPair is an operation of singles on both halves of pairs.
func packedPair(i native.Instruction, fma bool) lonely {
	return lonely{mode: plainBits32, want: ModeDenorm32, halves: true, moves: true, emit: packedCode(i, fma)}
}

// ofPairs is an operation on numbers of 64 bits, on hosts with AVX-512 and on those with AVX2 alone.
func ofPairs(emit func(x *vectorCode, p pairRegs), octets func(x *octetCode, half int)) lonely {
	return lonely{emit: pairs(emit), octets: &octetPair{emit: octets}}
}

// ofDoubles is one on doubles, which must not give a NaN.
func ofDoubles(emit func(x *vectorCode, p pairRegs), octets func(x *octetCode, half int)) lonely {
	f := double1(noNaNPairs(emit))
	f.octets = &octetPair{emit: octets, guarded: true}
	return f
}

// roundedDouble is one that rounds doubles to integers as the host numbers that.
func roundedDouble(how byte) lonely { return ofDoubles(roundPair(how), octetRound64(how)) }

// The host's conditions for those that rows have, and how those compare that have AVX2 alone; of conditions
// that always or never hold there is no form.
var (
	intCodes    = [len(intConditions)]byte{1: 1, 2: 0, 3: 2, 4: 6, 5: 4, 6: 5}
	doubleCodes = [len(floatConditions)]byte{1: 17, 2: 0, 3: 18, 4: 30, 5: 12, 6: 29, 7: 7, 8: 3, 9: 25,
		10: 8, 11: 26, 12: 22, 13: 4, 14: 21}
)

// compareInts is a comparison of numbers of 64 bits.
func compareInts(i native.Instruction, unsigned bool) func(cond uint) form {
	return func(cond uint) form {
		if cond == 0 || cond == relLess|relEqual|relGreater {
			return nil
		}
		return lonely{emit: comparePair(i, intCodes[cond]), octets: octetCompare64(cond, unsigned)}
	}
}

func compareDoubles(cond uint) form {
	if cond == 0 || cond == relLess|relEqual|relGreater|relUnordered {
		return nil
	}
	f := double1(comparePair(vcmppd, doubleCodes[cond]))
	f.octets = &octetPair{compares: true, emit: func(x *octetCode, h int) {
		x.op(vcmppd, yLow+native.Z(h), octetPairs[0][h], octetPairs[1][h], doubleCodes[cond])
	}}
	return f
}

func (f lonely) translate(t *translator, in *Inst) bool {
	paired := t.octets && f.octets != nil
	if t.octets && !f.moves && !paired || t.mode&f.mode != f.want || !f.takes(in) ||
		in.form != in.Op.Enc && in.form != VOP3 {
		return false
	}
	for i := range in.Op.srcCount() {
		o := &in.src[i]
		if o.kind != vectorReg && o.kind != constant &&
			(o.kind != scalarReg || int(o.reg)+typDwords[o.typ] > 255) {
			return false
		}
	}
	if in.writesExec() {
		t.whileTracked(in)
	}
	if paired {
		return t.octetPairInst(in, f.octets)
	}
	defer t.rows.unpin()
	return f.emit(&vectorCode{t: t, in: in}) && !t.rows.full
}

// takes reports whether the form does what the instruction's modifiers say.
func (f lonely) takes(in *Inst) bool {
	if in.mod.plain(in) {
		return true
	}
	m := *in.mod
	switch {
	case f.words:
		m.opSel = 0
		return m.plain(in)
	case f.halves:
		m.opSel, m.opSelHi, m.neg, m.negHi = 0, 0, 0, 0
		return m == modifiers{}
	case f.signs:
		for i := range in.Op.srcCount() {
			if (m.neg|m.abs)>>i&1 != 0 && in.src[i].typ != f64 {
				return false
			}
		}
		m.neg, m.abs = 0, 0
		return m == modifiers{}
	}
	return false
}

// quarter brings a quarter of a dword of an operand into a register: the one
// given, or that of a quad which has it, which must not be changed.
func (x *vectorCode) quarter(o *operand, dword, q int, z native.Z) native.Z {
	t := x.t
	switch o.kind {
	case vectorReg:
		row := int(o.reg) + dword
		for i, r := range t.rows.row {
			if r == row {
				return x.t.quad(i).at(q)
			}
		}
		t.V(vmovdqu32, z, 0, native.InMem(quarterAt(row, q)), 0)
	case constant:
		t.V(vpbroadcastd, z, 0, native.InMem(t.constant(uint32(o.imm>>(32*dword)))), 0)
	default:
		t.V(vpbroadcastd, z, 0, native.InMem(scalar(o.reg+uint16(dword))), 0)
	}
	return z
}

// eachRegister is for a number in every lane.
const eachRegister native.Z = 25

// each is eachRegister with a number in every lane.
func (x *vectorCode) each(v uint32) native.Z {
	x.t.strip(vpbroadcastd, x.t.low(eachRegister), 0, native.InMem(x.t.constant(v)))
	return eachRegister
}

// writeTo makes a quad a row.
func (x *vectorCode) writeTo(row int, d source) {
	in := *x.in
	in.dst.reg = uint16(row)
	(&vectorCode{t: x.t, in: &in}).write(d)
}

// copied makes each of the destination's rows a dword of a source.
func copied(from ...[2]int) func(*vectorCode) bool {
	return func(x *vectorCode) bool { return x.copies(from) }
}

func (x *vectorCode) copies(from [][2]int) bool {
	if x.t.octets {
		return x.octetCopies(from)
	}
	var d [2]source
	for i := range from {
		d[i] = x.result()
	}
	for i, f := range from {
		for q := range x.t.parts {
			if z := x.quarter(&x.in.src[f[0]], f[1], q, d[i].at(q)); z != d[i].at(q) {
				x.op(vmovdqa32, d[i].at(q), 0, z)
			}
		}
	}
	for i := range from {
		x.writeTo(int(x.in.dst.reg)+i, d[i])
	}
	return true
}

// selectors are OP_SEL, OP_SEL_HI, NEG and NEG_HI.
func (x *vectorCode) selectors() modifiers {
	if x.in.mod == nil {
		return modifiers{opSelHi: 7}
	}
	return *x.in.mod
}

func packedMove(x *vectorCode) bool {
	sel := x.selectors().opSel
	return x.copies([][2]int{{0, int(sel & 1)}, {1, int(sel >> 1 & 1)}})
}

// packedCode is an operation of singles on both halves of pairs.
func packedCode(i native.Instruction, fma bool) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		if x.t.octets {
			return newOctetCode(x).octetPacked(i, fma)
		}
		m := x.selectors()
		d := [2]source{x.result(), x.result()}
		for half, bits := range [2][2]uint8{{m.opSel, m.neg}, {m.opSelHi, m.negHi}} {
			for q := range x.t.parts {
				var s [3]native.Z
				for i := range x.in.Op.srcCount() {
					z := native.Z(16 + i)
					s[i] = x.quarter(&x.in.src[i], int(bits[0]>>i&1), q, z)
					if bits[1]>>i&1 != 0 {
						x.op(vpxord, z, zSign, s[i])
						s[i] = z
					}
				}
				r := d[half].at(q)
				if fma {
					x.op(vmovdqa32, r, 0, s[0])
					x.op(i, r, s[1], s[2])
				} else {
					x.float2(i, r, s[0], s[1])
				}
			}
			if fma {
				x.noNaN(d[half])
			}
		}
		x.writeTo(int(x.in.dst.reg), d[0])
		x.writeTo(int(x.in.dst.reg)+1, d[1])
		return true
	}
}

// pairRegs are the registers of a quarter of three sources as numbers of 64
// bits: of lanes 0, 1, 4, 5, 8 and so on, and of the others. The result takes
// the place of the first.
type pairRegs [3][2]native.Z

var pairs64 = pairRegs{{16, 17}, {18, 19}, {26, 27}}

// pair brings a quarter of source i into its registers; dwords are extended.
func (x *vectorCode) pair(i, q int) {
	o, p := &x.in.src[i], pairs64[i]
	lo, hi := x.quarter(o, 0, q, 20), native.Z(21)
	switch {
	case typDwords[o.typ] > 1:
		hi = x.quarter(o, 1, q, 21)
	case o.typ == i32:
		x.op(vpshiftd, shiftSign, 21, lo, 31)
	default:
		x.op(vpxord, 21, 21, 21)
	}
	if m := x.in.mod; m != nil && o.typ == f64 && x.in.form != VOP3P {
		if m.abs>>i&1 != 0 {
			x.op(vpandnd, 21, zSign, hi)
			hi = 21
		}
		if m.neg>>i&1 != 0 {
			x.op(vpxord, 21, zSign, hi)
			hi = 21
		}
	}
	x.op(vpunpckldq, p[0], lo, hi)
	x.op(vpunpckhdq, p[1], lo, hi)
}

// pairs is an operation on 64-bit numbers.
func pairs(f func(x *vectorCode, p pairRegs)) func(*vectorCode) bool {
	return func(x *vectorCode) bool { return x.pairs(f, false) }
}

// noNaNPairs is one that must not give a NaN.
func noNaNPairs(f func(x *vectorCode, p pairRegs)) func(*vectorCode) bool {
	return func(x *vectorCode) bool { return x.pairs(f, true) }
}

func (x *vectorCode) pairs(f func(x *vectorCode, p pairRegs), guard bool) bool {
	t, n := x.t, typDwords[x.in.dst.typ]
	var d [2]source
	for i := range n {
		d[i] = x.result()
	}
	var bail native.Label
	if guard {
		bail = t.unlessDone(x.in, 0)
	}
	for q := range x.t.parts {
		for i := range x.in.Op.srcCount() {
			x.pair(i, q)
		}
		f(x, pairs64)
		for i := range n {
			x.op(vshufps, d[i].at(q), 16, 17, []byte{0x88, 0xdd}[i])
		}
		if guard {
			fine := t.NewLabel()
			x.op(vcmppd, 5, 16, 16, 3)
			x.op(vcmppd, 6, 17, 17, 3)
			t.Kortest16(5, 6)
			t.Jcc(native.E, fine)
			x.joinMasks(q)
			t.Kortest16(5, 5)
			t.Jcc(native.NE, bail)
			t.Set(fine)
		}
	}
	for i := range n {
		x.writeTo(int(x.in.dst.reg)+i, d[i])
	}
	return true
}

// joinMasks makes K5, of the active lanes of a quarter, from K5 and K6 of the
// registers of a pair.
func (x *vectorCode) joinMasks(q int) {
	t := x.t
	t.VZ(vmovdqa64, 22, 0, native.InReg(zOnes), 5)
	t.VZ(vmovdqa64, 23, 0, native.InReg(zOnes), 6)
	x.op(vshufps, 22, 22, 23, 0x88)
	x.under(native.K(1+q), vptestmd, 5, 22, 22)
}

func binaryPair(i native.Instruction) func(*vectorCode, pairRegs) {
	return func(x *vectorCode, p pairRegs) {
		x.op(i, p[0][0], p[0][0], p[1][0])
		x.op(i, p[0][1], p[0][1], p[1][1])
	}
}

// shiftPair shifts the second source by six bits of the first.
func shiftPair(i native.Instruction) func(*vectorCode, pairRegs) {
	return func(x *vectorCode, p pairRegs) {
		for j := range 2 {
			x.op(vpandd, p[0][j], p[0][j], x.each(63))
			x.op(i, p[0][j], p[1][j], p[0][j])
		}
	}
}

// shiftAddPair is v_lshl_add_u64.
func shiftAddPair(x *vectorCode, p pairRegs) {
	for i := range 2 {
		x.op(vpandd, p[1][i], p[1][i], x.each(7))
		x.op(vpsllvq, p[0][i], p[0][i], p[1][i])
		x.op(vpaddq, p[0][i], p[0][i], p[2][i])
	}
}

func fmaPair(x *vectorCode, p pairRegs) {
	for i := range 2 {
		x.op(vfmadd213pd, p[0][i], p[1][i], p[2][i])
	}
}

func roundPair(how byte) func(*vectorCode, pairRegs) {
	return func(x *vectorCode, p pairRegs) {
		for i := range 2 {
			x.op(vrndscalepd, p[0][i], 0, p[0][i], how)
		}
	}
}

func ldexpPair(x *vectorCode, p pairRegs) {
	for i := range 2 {
		x.op(vcvtqq2pd, p[1][i], 0, p[1][i])
		x.op(vscalefpd, p[0][i], p[0][i], p[1][i])
	}
}

func fromIntPair(x *vectorCode, p pairRegs) {
	for i := range 2 {
		x.op(vcvtqq2pd, p[0][i], 0, p[0][i])
	}
}

// toIntPair converts doubles to integers between two: the nearest there is, 0
// of a NaN.
func toIntPair(lo, hi float64) func(*vectorCode, pairRegs) {
	return func(x *vectorCode, p pairRegs) {
		t := x.t
		for i := range 2 {
			r := p[0][i]
			x.op(vcmppd, 5, r, r, 7)
			t.VZ(vmovdqa64, r, 0, native.InReg(r), 5)
			t.V(vmaxpd, r, r, native.Each(t.double(lo)), 0)
			t.V(vminpd, r, r, native.Each(t.double(hi)), 0)
			x.op(vcvttpd2qq, r, 0, r)
		}
	}
}

// madPair is A*B + C of 64 bits, and the carries.
func madPair(x *vectorCode) bool {
	if x.in.writesExec() {
		return false
	}
	d := [2]source{x.result(), x.result()}
	for q := range x.t.parts {
		for i := range 3 {
			x.pair(i, q)
		}
		for i := range 2 {
			p := pairs64
			x.op(vpmuludq, p[0][i], p[0][i], p[1][i])
			x.op(vpaddq, p[0][i], p[0][i], p[2][i])
			x.op(vpcmpuq, native.Z(5+i), p[0][i], p[2][i], 1)
		}
		x.joinMasks(q)
		x.collect(5, q)
		x.op(vshufps, d[0].at(q), 16, 17, 0x88)
		x.op(vshufps, d[1].at(q), 16, 17, 0xdd)
	}
	x.writeTo(int(x.in.dst.reg), d[0])
	x.writeTo(int(x.in.dst.reg)+1, d[1])
	x.writeMask()
	return true
}

// comparePair is a comparison of numbers of 64 bits.
func comparePair(i native.Instruction, cond byte) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		for q := range x.t.parts {
			x.pair(0, q)
			x.pair(1, q)
			x.op(i, 5, 16, 18, cond)
			x.op(i, 6, 17, 19, cond)
			x.joinMasks(q)
			x.collect(5, q)
		}
		x.writeMask()
		return true
	}
}

// ldexpCode is A times two to the power of B.
func ldexpCode(x *vectorCode) bool {
	d := x.result()
	for q := range x.t.parts {
		a, n := x.quarter(&x.in.src[0], 0, q, 16), x.quarter(&x.in.src[1], 0, q, 17)
		x.op(vcvtdq2ps, 17, 0, n)
		x.op(vscalefps, d.at(q), a, 17)
	}
	x.noNaN(d)
	x.write(d)
	return true
}

// frexpCode takes a single's exponent or its mantissa. Denormals, infinities
// and NaNs are the interpreter's.
func frexpCode(exponent bool) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t := x.t
		bail := t.unlessDone(x.in, 0)
		d := x.result()
		one, most, half := native.Z(17), native.Z(18), native.Z(20)
		t.V(vpbroadcastd, one, 0, native.InMem(t.constant(1)), 0)
		t.V(vpbroadcastd, most, 0, native.InMem(t.constant(254)), 0)
		fixed := uint32(0x3f000000)
		if exponent {
			fixed = 126
		}
		t.V(vpbroadcastd, half, 0, native.InMem(t.constant(fixed)), 0)
		for q := range x.t.parts {
			a, r := x.quarter(&x.in.src[0], 0, q, 16), d.at(q)
			x.op(vpshiftd, shiftLeft, 19, a, 1)
			x.op(vptestmd, 7, 19, 19) // those that are not 0
			x.op(vpshiftd, shiftRight, 19, 19, 24)
			x.op(vpsubd, 21, 19, one)
			x.under(7, vpcmpud, 5, 21, most, 5)
			t.Kand16(5, 5, native.K(1+q))
			t.Kortest16(5, 5)
			t.Jcc(native.NE, bail)
			if exponent {
				t.VZ(vpsubd, r, 19, native.InReg(half), 7)
				continue
			}
			t.V(vpandd, 19, a, native.Each(t.constant(0x807fffff)), 0)
			x.op(vmovdqa32, r, 0, a)
			x.under(7, vpord, r, 19, half)
		}
		x.write(d)
		return true
	}
}
