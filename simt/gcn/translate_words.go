package gcn

import "simtgdb/simt/native"

// Vector instructions on words and bytes, and on the numbers of lanes: those of hosts with AVX-512, by operations on
// dwords.

// lowWord and highWord are the words of a dword.
const (
	lowWord  = 0xffff
	highWord = 0xffff << 16
)

// ofDwords is an operation on the sources of a quarter, in registers that it may not change, but d, 19 and 20.
func ofDwords(f func(x *vectorCode, d, a, b, c native.Z, q int)) lonely {
	return lonely{emit: func(x *vectorCode) bool {
		d := x.result()
		for q := range 4 {
			var s [3]native.Z
			for i := range x.in.Op.srcCount() {
				s[i] = x.quarter(&x.in.src[i], 0, q, native.Z(16+i))
			}
			f(x, d.at(q), s[0], s[1], s[2], q)
		}
		x.write(d)
		return true
	}}
}

// ofWords is an operation whose result is the low word of what it gives; the high one is 0.
func ofWords(f func(x *vectorCode, d, a, b native.Z)) lonely {
	return ofDwords(func(x *vectorCode, d, a, b, _ native.Z, _ int) {
		f(x, d, a, b)
		x.op(vpandd, d, d, x.each(lowWord))
	})
}

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

// lanesBefore counts the lanes before each one, if the mask is all ones: those of the first 32, or of the others.
func lanesBefore(second bool) lonely {
	return lonely{emit: func(x *vectorCode) bool {
		o := &x.in.src[0]
		if o.kind != constant || uint32(o.imm) != ^uint32(0) {
			return false
		}
		t, d := x.t, x.result()
		at := len(t.pool)
		for l := range 64 {
			n := min(l, 32)
			if second {
				n = l - n
			}
			t.pool = append(t.pool, uint32(n))
		}
		for q := range 4 {
			b := x.quarter(&x.in.src[1], 0, q, 17)
			t.V(vpaddd, d.at(q), b, native.InMem(native.Mem{Base: regPool, Disp: int32(4 * (at + 16*q))}), 0)
		}
		x.write(d)
		return true
	}}
}

// wordForms are the forms of these instructions, by the names of rows.
func wordForms() map[string]lonely {
	plain := func(i native.Instruction, reversed bool) func(x *vectorCode, d, a, b native.Z) {
		return func(x *vectorCode, d, a, b native.Z) {
			if reversed {
				a, b = b, a
			}
			x.op(i, d, a, b)
		}
	}
	return map[string]lonely{
		"v_add_u16": ofWords(plain(vpaddd, false)), "v_sub_u16": ofWords(plain(vpsubd, false)),
		"v_subrev_u16": ofWords(plain(vpsubd, true)), "v_mul_lo_u16": ofWords(plain(vpmulld, false)),
		"v_lshlrev_b16": shiftedWord(vpsllvd), "v_lshrrev_b16": shiftedWord(vpsrlvd),
		"v_ashrrev_i16": shiftedWord(vpsravd),
		"v_pk_add_u16":  packedWords(vpaddd), "v_pk_add_i16": packedWords(vpaddd),
		"v_pk_sub_u16": packedWords(vpsubd), "v_pk_sub_i16": packedWords(vpsubd),
		"v_cvt_f32_ubyte0": byteFloat(0), "v_cvt_f32_ubyte1": byteFloat(1),
		"v_cvt_f32_ubyte2": byteFloat(2), "v_cvt_f32_ubyte3": byteFloat(3),
		"v_mbcnt_lo_u32_b32": lanesBefore(false), "v_mbcnt_hi_u32_b32": lanesBefore(true),
		"v_alignbit_b32": ofDwords(func(x *vectorCode, d, a, b, c native.Z, _ int) {
			x.op(vpandd, 19, c, zBits)
			x.op(vpsrlvd, 20, b, 19)
			x.op(vpsubd, 19, x.each(32), 19)
			x.op(vpsllvd, 19, a, 19) // 0 if that is by 32
			x.op(vpord, d, 19, 20)
		}),
		"v_pack_b32_f16": ofDwords(func(x *vectorCode, d, a, b, _ native.Z, _ int) {
			x.op(vpandd, 19, a, x.each(lowWord))
			x.op(vpshiftd, shiftLeft, 20, b, 16)
			x.op(vpord, d, 19, 20)
		}),
	}
}
