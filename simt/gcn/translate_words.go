package gcn

import "simtgdb/simt/native"

// Vector instructions on words and bytes, and on the numbers of lanes, by operations on dwords. Functions
// name the registers that hosts with AVX-512 have; see lowRegister.

// lowWord and highWord are the words of a dword.
const (
	lowWord  = 0xffff
	highWord = 0xffff << 16
)

// ofDwords is such an operation.
func ofDwords(f dwordsFunc) lonely {
	return lonely{moves: true, dwords: f, emit: func(x *vectorCode) bool {
		if x.t.octets {
			return x.octetDwords(f)
		}
		d := x.result()
		for q := range x.t.parts {
			var s [3]native.Z
			for i := range x.in.Op.srcCount() {
				z := native.Z(16 + i)
				s[i] = x.word(i, z, x.quarter(&x.in.src[i], 0, q, z))
			}
			f(x, d.at(q), s[0], s[1], s[2], q)
			if x.replaces() {
				x.placeWord(d.at(q), x.quarter(&x.in.dst, 0, q, 20))
			}
		}
		x.write(d)
		return true
	}}
}

// ofWords is an operation on words, in the low halves of dwords, whose result is the low word of what it
// gives. The high one is 0, or stays what it was in the destination.
func ofWords(f func(x *vectorCode, d, a, b native.Z)) lonely {
	form := ofDwords(func(x *vectorCode, d, a, b, _ native.Z, _ int) {
		f(x, d, a, b)
		if !x.replaces() {
			x.op(vpandd, d, d, x.each(lowWord))
		}
	})
	form.words = true
	return form
}

// word is source i, in a register, or in z that half of it which OP_SEL says.
func (x *vectorCode) word(i int, z, s native.Z) native.Z {
	if !x.in.src[i].typ.is16() || x.in.form == VOP3P || x.selectors().opSel>>i&1 == 0 {
		return s
	}
	x.op(vpshiftd, shiftRight, z, s, 16)
	return z
}

// replaces reports whether the result replaces a word of the destination.
func (x *vectorCode) replaces() bool {
	return x.in.Op.flag&(opSel|keeps) != 0 && x.in.dst.typ.is16()
}

// placeWord makes d, whose low word is the result, what the destination is with it.
func (x *vectorCode) placeWord(d, old native.Z) {
	result, kept := uint32(lowWord), uint32(highWord)
	if x.selectors().opSel>>3&1 != 0 {
		x.op(vpshiftd, shiftLeft, d, d, 16)
		result, kept = kept, result
	}
	if !x.t.octets {
		x.op(vpternlogd, d, old, x.each(result), 0xe4) // of the third one's bits the first has those
		return
	}
	x.op(vpandd, 20, old, x.each(kept))
	x.op(vpandd, d, d, x.each(result))
	x.op(vpord, d, d, 20)
}

// binaryWord is an operation on two words, reversedWord one on the second and the first.
func binaryWord(i native.Instruction) lonely {
	return ofWords(func(x *vectorCode, d, a, b native.Z) { x.op(i, d, a, b) })
}

func reversedWord(i native.Instruction) lonely {
	return ofWords(func(x *vectorCode, d, a, b native.Z) { x.op(i, d, b, a) })
}

func moveWord(x *vectorCode, d, a, _ native.Z) { x.op(vmovdqa32, d, 0, a) }
func notWord(x *vectorCode, d, a, _ native.Z)  { x.op(vpxord, d, a, x.each(^uint32(0))) }

// shiftedWord shifts B by the low four bits of A.
func shiftedWord(i native.Instruction) lonely {
	return ofWords(func(x *vectorCode, d, a, b native.Z) {
		switch i {
		case vpsrlvd:
			x.op(vpandd, 20, b, x.each(lowWord))
			b = 20
		case vpsravd:
			x.op(vpshiftd, shiftLeft, 20, b, 16)
			x.op(vpshiftd, shiftSign, 20, 20, 16)
			b = 20
		}
		x.op(vpandd, 19, a, x.each(15))
		x.op(i, d, b, 19)
	})
}

// extremeWord is the less or the greater of two words, which are extended by a shift.
func extremeWord(i native.Instruction, kind native.Z) lonely {
	return ofWords(func(x *vectorCode, d, a, b native.Z) {
		x.extend(kind, 19, a)
		x.extend(kind, 20, b)
		x.op(i, d, 19, 20)
	})
}

// extendedWord makes a dword of a word.
func extendedWord(kind native.Z) lonely {
	f := ofDwords(func(x *vectorCode, d, a, _, _ native.Z, _ int) { x.extend(kind, d, a) })
	f.words = true
	return f
}

func (x *vectorCode) extend(kind, d, s native.Z) {
	x.op(vpshiftd, shiftLeft, d, s, 16)
	x.op(vpshiftd, kind, d, d, 16)
}

// packedWords is an addition or subtraction of both words, of which OP_SEL and OP_SEL_HI choose.
func packedWords(i native.Instruction) lonely {
	half := func(x *vectorCode, d, s native.Z, high, from bool) {
		switch {
		case high && !from:
			x.op(vpshiftd, shiftLeft, d, s, 16)
		case !high && from:
			x.op(vpshiftd, shiftRight, d, s, 16)
		case high:
			x.op(vpandd, d, s, x.each(highWord))
		default:
			x.op(vmovdqa32, d, 0, s)
		}
	}
	f := ofDwords(func(x *vectorCode, d, a, b, _ native.Z, _ int) {
		m := x.selectors()
		half(x, 19, a, true, m.opSelHi&1 != 0)
		half(x, 20, b, true, m.opSelHi&2 != 0)
		x.op(i, 19, 19, 20) // its low word is 0
		half(x, 20, a, false, m.opSel&1 != 0)
		half(x, d, b, false, m.opSel&2 != 0)
		x.op(i, 20, 20, d)
		x.op(vpandd, 20, 20, x.each(lowWord))
		x.op(vpord, d, 19, 20)
	})
	emit := f.emit
	f.halves = true
	f.emit = func(x *vectorCode) bool {
		m := x.selectors()
		return m.neg|m.negHi == 0 && emit(x)
	}
	return f
}

// byteFloat makes a single of a byte.
func byteFloat(number int) lonely {
	return ofDwords(func(x *vectorCode, d, a, _, _ native.Z, _ int) {
		x.op(vpshiftd, shiftLeft, d, a, byte(24-8*number))
		x.op(vpshiftd, shiftRight, d, d, 24)
		x.op(vcvtdq2ps, d, 0, d)
	})
}

// lanesBefore counts the bits of a mask for the lanes before each one: of the first 32, or of the others.
func lanesBefore(second bool) lonely {
	return ofDwords(func(x *vectorCode, d, a, b, _ native.Z, strip int) {
		size, _ := x.t.strips()
		below := x.t.lanesBelow(second)
		below.Disp += int32(size * strip)
		x.t.strip(vpandd, d, a, native.InMem(below))
		x.op(vpshiftd, shiftRight, 19, d, 1)
		x.op(vpandd, 19, 19, x.each(0x55555555))
		x.op(vpsubd, d, d, 19) // the bits of each two
		x.op(vpshiftd, shiftRight, 19, d, 2)
		x.op(vpandd, 19, 19, x.each(0x33333333))
		x.op(vpandd, d, d, x.each(0x33333333))
		x.op(vpaddd, d, d, 19)
		x.op(vpshiftd, shiftRight, 19, d, 4)
		x.op(vpaddd, d, d, 19)
		x.op(vpandd, d, d, x.each(0x0f0f0f0f))
		x.op(vpmulld, d, d, x.each(0x01010101))
		x.op(vpshiftd, shiftRight, d, d, 24)
		x.op(vpaddd, d, d, b)
	})
}

// lanesBelow is where there is a row of masks of the lanes before each one, of the first 32 or of the others.
func (t *translator) lanesBelow(second bool) native.Mem {
	at := &t.below[0]
	if second {
		at = &t.below[1]
	}
	if *at == 0 {
		*at = len(t.pool) + 1
		for l := range 64 {
			n := min(l, 32)
			if second {
				n = l - n
			}
			t.pool = append(t.pool, uint32(uint64(1)<<n-1))
		}
	}
	return native.Mem{Base: regPool, Disp: int32(4 * (*at - 1))}
}

var (
	vpshufb         = ins(2, 1, 0x00)
	vpcmpub         = ins(3, 1, 0x3e)
	vmovdqu8        = ins(1, 3, 0x6f)
	vbroadcasti32x4 = ins(2, 1, 0x5a)
)

// permCode makes each byte of C's choice of those of B and A, 0 or 0xff. Signs are the interpreter's.
func permCode(x *vectorCode) bool {
	t := x.t
	bail := t.unlessDone(x.in, 0)
	at := len(t.pool)
	for l := range 4 { // where the bytes of a dword begin, of those that are permuted together
		t.pool = append(t.pool, 0x04040404*uint32(l))
	}
	d := x.result()
	for q := range x.t.parts {
		c := x.quarter(&x.in.src[2], 0, q, 18)
		t.V(vpandd, 19, c, native.Each(t.constant(0xfcfcfcfc)), 0)
		x.op(vpcmpub, 5, 19, x.bytes(20, 8), 0)
		t.VZ(vmovdqu8, 19, 0, native.InReg(zOnes), 5)
		x.under(native.K(1+q), vptestmd, 5, 19, 19)
		t.Kortest16(5, 5)
		t.Jcc(native.NE, bail)
	}
	for q := range x.t.parts {
		c := x.quarter(&x.in.src[2], 0, q, 18)
		a, b := x.quarter(&x.in.src[0], 0, q, 16), x.quarter(&x.in.src[1], 0, q, 17)
		t.V(vpandd, 19, c, native.Each(t.constant(0x03030303)), 0)
		t.V(vbroadcasti32x4, 20, 0, native.InMem(native.Mem{Base: regPool, Disp: int32(4 * at)}), 0)
		x.op(vpord, 19, 19, 20)
		x.op(vpshufb, 20, b, 19)
		x.op(vpshufb, 21, a, 19)
		x.op(vpcmpub, 5, c, x.bytes(22, 3), 6) // one of A's, if there is no more to it
		x.under(5, vmovdqu8, 20, 0, 21)
		x.op(vpcmpub, 5, c, x.bytes(22, 7), 2)
		t.VZ(vmovdqu8, 20, 0, native.InReg(20), 5)
		x.op(vpcmpub, 5, c, x.bytes(22, 12), 6)
		x.under(5, vmovdqu8, 20, 0, zOnes)
		x.op(vmovdqa32, d.at(q), 0, 20)
	}
	x.write(d)
	return true
}

// bytes makes a register hold a number in each byte.
func (x *vectorCode) bytes(z native.Z, v byte) native.Z {
	x.t.V(vpbroadcastd, z, 0, native.InMem(x.t.constant(0x01010101*uint32(v))), 0)
	return z
}

// alignBits is v_alignbit_b32.
func alignBits(x *vectorCode, d, a, b, c native.Z, _ int) {
	x.op(vpandd, 19, c, zBits)
	x.op(vpsrlvd, 20, b, 19)
	x.op(vpsubd, 19, x.each(32), 19)
	x.op(vpsllvd, 19, a, 19) // 0 if that is by 32
	x.op(vpord, d, 19, 20)
}

func madDwords(x *vectorCode, d, a, b, c native.Z, _ int) {
	x.op(vpmulld, d, a, b)
	x.op(vpaddd, d, d, c)
}

func xor3Dwords(x *vectorCode, d, a, b, c native.Z, _ int) {
	x.op(vpxord, d, a, b)
	x.op(vpxord, d, d, c)
}

// packWords is v_pack_b32_f16.
func packWords(x *vectorCode, d, a, b, _ native.Z, _ int) {
	x.op(vpandd, 19, a, x.each(lowWord))
	x.op(vpshiftd, shiftLeft, 20, b, 16)
	x.op(vpord, d, 19, 20)
}
