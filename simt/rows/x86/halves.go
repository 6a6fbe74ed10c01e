package x86

import (
	"simtgdb/simt/native"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// 16-bit floats become singles, of which arithmetic is rounded to 16 bits again. They are in the low halves
// of dwords; what is above them is 0.

// A half is how an operation on 16-bit floats is translated: an instruction on singles, on those in the low
// halves alone or on both.
type half struct {
	in    native.Instruction
	pair  bool
	fused bool
}

var halves = map[vec.WideOp]half{
	vec.WideAddF16: {in: native.AddPS}, vec.WideMulF16: {in: native.MulPS}, vec.WideFmaF16: {fused: true},
	vec.WidePkAddF16: {in: native.AddPS, pair: true}, vec.WidePkMulF16: {in: native.MulPS, pair: true},
	vec.WidePkFmaF16: {pair: true, fused: true},
}

// Numbers of words and dwords, which the pool has by qwords.
const (
	lowWords    = 0x0000ffff0000ffff
	wordNumbers = 0x7fff7fff7fff7fff // all but the signs
	wordOnes    = 0x7c007c007c007c00 // infinity
	nan32       = 0x7fc00000
)

// ins is an instruction on vector registers.
func (t *translator) ins(in native.Instruction, d, a, b native.Z, imm ...byte) {
	t.insOf(in, d, a, native.InReg(b), imm...)
}

func (t *translator) insOf(in native.Instruction, d, a native.Z, b native.Operand, imm ...byte) {
	if t.quads {
		t.V256(in, d, a, b, imm...)
		return
	}
	t.V(in, d, a, b, 0, imm...)
}

// singles makes d singles of the low halves of dwords, or of the high ones. With AVX2 it uses tmp1 and tmp2.
func (t *translator) singles(d, s native.Z, high bool) {
	if t.quads {
		if high {
			t.V256(native.ShiftD, native.ShiftRight, tmp1, native.InReg(s), 16)
		} else {
			t.each(tmp2, t.constant(lowWords))
			t.ins(native.AndQ, tmp1, s, tmp2)
		}
		const firstAndThird = 0x08
		t.ins(native.PackUSDW, tmp1, tmp1, tmp1)
		t.V256(native.PermQ, tmp1, 0, native.InReg(tmp1), firstAndThird)
		t.V256(native.CvtPH2PS, d, 0, native.InReg(tmp1))
		return
	}
	if high {
		t.V(native.ShiftD, native.ShiftRight, d, native.InReg(s), 0, 16)
		s = d
	}
	t.V(native.Narrow(4, 2), s, 0, native.InReg(d), 0)
	t.V(native.CvtPH2PS, d, 0, native.InReg(d), 0)
}

// rounded makes d the 16-bit floats of singles.
func (t *translator) rounded(d, s native.Z) {
	const nearest = 0
	if t.quads {
		t.V256(native.CvtPS2PH, s, 0, native.InReg(d), nearest)
		t.V256(native.Extend(2, 4, false), d, 0, native.InReg(d))
		return
	}
	t.V(native.CvtPS2PH, s, 0, native.InReg(d), 0, nearest)
	t.V(native.Extend(2, 4, false), d, 0, native.InReg(d), 0)
}

// calcHalves makes d what an operation on 16-bit floats gives. It reports whether it is one.
func (t *translator) calcHalves(o *rows.Op, d native.Z, s [3]native.Z) bool {
	switch o.Op {
	case vec.WideF32F16:
		t.singles(d, s[0], false)
		return true
	case vec.WideF16F32:
		t.rounded(d, s[0])
		return true
	case vec.WideOneNaNF16:
		t.oneNaN(d, s[0])
		return true
	}
	h, is := halves[o.Op]
	if !is {
		return false
	}
	var own [3]native.Z
	for i := range rows.Sources(o.Op) {
		own[i] = t.take()
	}
	var room [3]native.Z
	if h.fused {
		room = [3]native.Z{t.take(), t.take(), t.take()}
	}
	compute := func(high bool) {
		for i := range rows.Sources(o.Op) {
			t.singles(own[i], s[i], high)
		}
		if h.fused {
			t.fused(own, room)
		} else {
			t.twoSingles(h.in, own[0], own[1])
		}
	}
	compute(false)
	t.rounded(d, own[0])
	if h.pair {
		compute(true)
		t.rounded(own[0], own[0])
		if t.quads {
			t.V256(native.ShiftD, native.ShiftLeft, own[0], native.InReg(own[0]), 16)
		} else {
			t.V(native.ShiftD, native.ShiftLeft, own[0], native.InReg(own[0]), 0, 16)
		}
		t.ins(native.OrQ, d, d, own[0])
	}
	return true
}

// twoSingles makes a the sum or the product of a and b. The processor gives the first NaN; where there is
// none, the result is the positive one.
func (t *translator) twoSingles(in native.Instruction, a, b native.Z) {
	const unordered, ordered = 3, 7
	r := native.InReg
	if t.quads {
		t.V256(native.CmpPS, tmp3, a, r(b), ordered)
		t.ins(in, a, a, b)
		t.V256(native.CmpPS, tmp1, a, r(a), unordered)
		t.ins(native.AndQ, tmp1, tmp1, tmp3)
		t.each32(tmp2, nan32)
		t.blend32(a, a, tmp2, tmp1)
		return
	}
	t.V(native.CmpPS, 6, a, r(b), 0, ordered)
	t.ins(in, a, a, b)
	t.V(native.CmpPS, 6, a, r(a), 6, unordered)
	t.V(native.BroadcastD, a, 0, native.InMem(t.constant(nan32)), 6)
}

// fused makes the first of three singles, which hold 16-bit floats, the product of two and the sum with the
// third. The product is exact; the sum is rounded to odd, so that it is rounded to 16 bits as the exact one
// is: where it is even and not exact, its neighbour on the side of the rest is taken.
func (t *translator) fused(s, room [3]native.Z) {
	const unordered, unequal = 3, 12
	r := native.InReg
	a, b, c := s[0], s[1], s[2]
	product, sum, rest := room[0], room[1], room[2]
	t.ins(native.MulPS, product, a, b)
	t.ins(native.AddPS, sum, product, c)
	t.ins(native.SubPS, rest, sum, product) // what has been added
	t.ins(native.SubPS, 26, sum, rest)      // and what to
	t.ins(native.SubPS, product, product, 26)
	t.ins(native.SubPS, rest, c, rest)
	t.ins(native.AddPS, rest, product, rest)
	t.V(native.XorQ, 26, 26, r(26), 0)
	t.V(native.CmpPS, 6, rest, r(26), 0, unequal)
	t.V(native.BroadcastD, 27, 0, native.InMem(t.constant(1)), 0)
	t.V(native.TestNMD, 6, sum, r(27), 6)
	t.ins(native.XorQ, rest, rest, sum)
	t.V(native.ShiftD, native.ShiftSign, rest, r(rest), 0, 31)
	t.ins(native.OrQ, rest, rest, 27)
	t.V(native.AddD, sum, sum, r(rest), 6)
	t.V(native.CmpPS, 6, sum, r(sum), 0, unordered)
	t.V(native.BroadcastD, sum, 0, native.InMem(t.constant(nan32)), 6)
	for _, z := range []native.Z{c, b, a} {
		t.V(native.CmpPS, 6, z, r(z), 0, unordered)
		t.V(native.MovDQA, sum, 0, r(z), 6)
	}
	t.V(native.MovDQA64, a, 0, r(sum), 0)
}

// oneNaN makes d words, each that is a NaN as the one of the machine.
func (t *translator) oneNaN(d, s native.Z) {
	if t.quads {
		t.each(tmp2, t.constant(wordNumbers))
		t.ins(native.AndQ, tmp1, s, tmp2)
		t.each(tmp3, t.constant(wordOnes))
		t.ins(native.CmpGtW, tmp1, tmp1, tmp3)
		t.V256(native.BlendVB, d, s, native.InReg(tmp2), byte(tmp1)<<4)
		return
	}
	t.V(native.BroadcastQ, 27, 0, native.InMem(t.constant(wordNumbers)), 0)
	t.ins(native.AndQ, 26, s, 27)
	t.V(native.MovDQA64, d, 0, native.InReg(s), 0)
	t.V(native.BroadcastQ, 25, 0, native.InMem(t.constant(wordOnes)), 0)
	t.V(native.CmpGtW, 6, 26, native.InReg(25), 0)
	t.V(native.MovDQU16, d, 0, native.InReg(27), 6)
}
