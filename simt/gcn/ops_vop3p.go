package gcn

import (
	"math"
	"math/bits"

	"simtgdb/simt/vec"
)

// Packed instructions. Their functions see each source with its halves
// already chosen: the low halves make the low result.
var _ = register(vop3pRows)

func vop3pRows() []Op {
	return []Op{
		{Enc: VOP3P, Code: 0x00, Name: "v_pk_mad_i16", dst: v2i16, src: srcs(v2i16, v2i16, v2i16),
			vec: packed3(madU16), sat: packed3(madSatI16)},
		{Enc: VOP3P, Code: 0x01, Name: "v_pk_mul_lo_u16", dst: v2u16, src: srcs(v2u16, v2u16),
			vec: packed2(mulLoU16)},
		{Enc: VOP3P, Code: 0x02, Name: "v_pk_add_i16", dst: v2i16, src: srcs(v2i16, v2i16),
			native: packedWords(vpaddd), vec: packed2(addU16),
			sat: packed2(func(a, b uint64) uint64 { return satI16(i16s(a) + i16s(b)) })},
		{Enc: VOP3P, Code: 0x03, Name: "v_pk_sub_i16", dst: v2i16, src: srcs(v2i16, v2i16),
			native: packedWords(vpsubd), vec: packed2(subU16),
			sat: packed2(func(a, b uint64) uint64 { return satI16(i16s(a) - i16s(b)) })},
		{Enc: VOP3P, Code: 0x04, Name: "v_pk_lshlrev_b16", dst: v2b16, src: srcs(v2u16, v2b16),
			vec: packed2(lshlrevB16)},
		{Enc: VOP3P, Code: 0x05, Name: "v_pk_lshrrev_b16", dst: v2b16, src: srcs(v2u16, v2b16),
			vec: packed2(lshrrevB16)},
		{Enc: VOP3P, Code: 0x06, Name: "v_pk_ashrrev_i16", dst: v2i16, src: srcs(v2u16, v2i16),
			vec: packed2(ashrrevI16)},
		{Enc: VOP3P, Code: 0x07, Name: "v_pk_max_i16", dst: v2i16, src: srcs(v2i16, v2i16),
			vec: packed2(maxI16)},
		{Enc: VOP3P, Code: 0x08, Name: "v_pk_min_i16", dst: v2i16, src: srcs(v2i16, v2i16),
			vec: packed2(minI16)},
		{Enc: VOP3P, Code: 0x09, Name: "v_pk_mad_u16", dst: v2u16, src: srcs(v2u16, v2u16, v2u16),
			vec: packed3(madU16), sat: packed3(madSatU16)},
		{Enc: VOP3P, Code: 0x0a, Name: "v_pk_add_u16", dst: v2u16, src: srcs(v2u16, v2u16),
			native: packedWords(vpaddd), vec: packed2(addU16),
			sat: packed2(func(a, b uint64) uint64 { return min(a+b, math.MaxUint16) })},
		{Enc: VOP3P, Code: 0x0b, Name: "v_pk_sub_u16", dst: v2u16, src: srcs(v2u16, v2u16),
			native: packedWords(vpsubd), vec: packed2(subU16),
			sat: packed2(subSatU16)},
		{Enc: VOP3P, Code: 0x0c, Name: "v_pk_max_u16", dst: v2u16, src: srcs(v2u16, v2u16),
			vec: packed2(maxU16)},
		{Enc: VOP3P, Code: 0x0d, Name: "v_pk_min_u16", dst: v2u16, src: srcs(v2u16, v2u16),
			vec: packed2(minU16)},
		{Enc: VOP3P, Code: 0x0e, Name: "v_pk_fma_f16", dst: v2f16, src: srcs(v2f16, v2f16, v2f16),
			fast: double64(vec.PkFmaF16), vec: pkFmaF16},
		{Enc: VOP3P, Code: 0x0f, Name: "v_pk_add_f16", dst: v2f16, src: srcs(v2f16, v2f16),
			fast: double64(vec.PkAddF16), vec: pkAddF16},
		{Enc: VOP3P, Code: 0x10, Name: "v_pk_mul_f16", dst: v2f16, src: srcs(v2f16, v2f16),
			fast: double64(vec.PkMulF16), vec: pkMulF16},
		{Enc: VOP3P, Code: 0x11, Name: "v_pk_min_f16", dst: v2f16, src: srcs(v2f16, v2f16),
			vec: packedFloat2(format.Minimum)},
		{Enc: VOP3P, Code: 0x12, Name: "v_pk_max_f16", dst: v2f16, src: srcs(v2f16, v2f16),
			vec: packedFloat2(format.Maximum)},
		{Enc: VOP3P, Code: 0x20, Name: "v_mad_mix_f32", dst: f32, src: srcs(mixed, mixed, mixed), on: GFX900,
			vec: float3(single, format.Mad)},
		{Enc: VOP3P, Code: 0x21, Name: "v_mad_mixlo_f16", dst: f16, src: srcs(mixed, mixed, mixed),
			flag: keeps, on: GFX900, vec: mixHalf(format.Mad)},
		{Enc: VOP3P, Code: 0x22, Name: "v_mad_mixhi_f16", dst: f16, src: srcs(mixed, mixed, mixed),
			flag: keeps | high, on: GFX900, vec: mixHalf(format.Mad)},
		{Enc: VOP3P, Code: 0x20, Name: "v_fma_mix_f32", dst: f32, src: srcs(mixed, mixed, mixed), on: gfx906P,
			vec: fmaF32},
		{Enc: VOP3P, Code: 0x21, Name: "v_fma_mixlo_f16", dst: f16, src: srcs(mixed, mixed, mixed),
			flag: keeps, on: gfx906P, vec: mixHalf(format.FMAPlain)},
		{Enc: VOP3P, Code: 0x22, Name: "v_fma_mixhi_f16", dst: f16, src: srcs(mixed, mixed, mixed),
			flag: keeps | high, on: gfx906P, vec: mixHalf(format.FMAPlain)},
		{Enc: VOP3P, Code: 0x23, Name: "v_dot2_f32_f16", dst: f32, src: srcs(v2f16, v2f16, f32),
			flag: dots, on: gfx906P, vec: dot2F32F16},
		{Enc: VOP3P, Code: 0x26, Name: "v_dot2_i32_i16", dst: i32, src: srcs(v2i16, v2i16, i32),
			flag: dots, on: gfx906P, vec: dotSigned(16), sat: dotSignedSat(16)},
		{Enc: VOP3P, Code: 0x27, Name: "v_dot2_u32_u16", dst: u32, src: srcs(v2u16, v2u16, u32),
			flag: dots, on: gfx906P, vec: dotUnsigned(16), sat: dotUnsignedSat(16)},
		{Enc: VOP3P, Code: 0x28, Name: "v_dot4_i32_i8", dst: i32, src: srcs(b32, b32, i32),
			flag: dots, on: gfx906P, vec: dotSigned(8), sat: dotSignedSat(8)},
		{Enc: VOP3P, Code: 0x29, Name: "v_dot4_u32_u8", dst: u32, src: srcs(b32, b32, u32),
			flag: dots, on: gfx906P, vec: dotUnsigned(8), sat: dotUnsignedSat(8)},
		{Enc: VOP3P, Code: 0x2a, Name: "v_dot8_i32_i4", dst: i32, src: srcs(b32, b32, i32),
			flag: dots, on: gfx906P, vec: dotSigned(4), sat: dotSignedSat(4)},
		{Enc: VOP3P, Code: 0x2b, Name: "v_dot8_u32_u4", dst: u32, src: srcs(b32, b32, u32),
			flag: dots, on: gfx906P, vec: dotUnsigned(4), sat: dotUnsignedSat(4)},
		{Enc: VOP3P, Code: 0x30, Name: "v_pk_fma_f32", dst: v2f32, src: srcs(v2f32, v2f32, v2f32),
			on: gfx90aP, native: packedPair(vfmadd213ps, true), vec: pair32(fmaF32)},
		{Enc: VOP3P, Code: 0x31, Name: "v_pk_mul_f32", dst: v2f32, src: srcs(v2f32, v2f32), on: gfx90aP,
			native: packedPair(vmulps, false), vec: pair32(mulF32)},
		{Enc: VOP3P, Code: 0x32, Name: "v_pk_add_f32", dst: v2f32, src: srcs(v2f32, v2f32), on: gfx90aP,
			native: packedPair(vaddps, false), vec: pair32(addF32)},
		{Enc: VOP3P, Code: 0x33, Name: "v_pk_mov_b32", dst: v2b32, src: srcs(v2b32, v2b32), on: gfx90aP,
			native: lonely{halves: true, moves: true, emit: packedMove}, run: pkMovB32},
	}
}

// packed2 and packed3 apply a function of 16-bit operands, which come without
// anything above them, to both halves.
func packed2(f func(a, b uint64) uint64) func(*lanes) {
	return map2(func(a, b uint64) uint64 {
		return f(a&0xffff, b&0xffff)&0xffff | f(a>>16&0xffff, b>>16&0xffff)<<16
	})
}

func packed3(f func(a, b, c uint64) uint64) func(*lanes) {
	return map3(func(a, b, c uint64) uint64 {
		return f(a&0xffff, b&0xffff, c&0xffff)&0xffff | f(a>>16&0xffff, b>>16&0xffff, c>>16&0xffff)<<16
	})
}

func packedFloat2(fn func(f format, a, b uint64, e env) uint64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(half16, x.mode)
		x.each2(func(a, b uint64) uint64 {
			return fn(half16, a&0xffff, b&0xffff, e)&0xffff | fn(half16, a>>16&0xffff, b>>16&0xffff, e)<<16
		})
	}
}

func packedFloat3(fn func(f format, a, b, c uint64, e env) uint64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(half16, x.mode)
		x.each3(func(a, b, c uint64) uint64 {
			return fn(half16, a&0xffff, b&0xffff, c&0xffff, e)&0xffff |
				fn(half16, a>>16&0xffff, b>>16&0xffff, c>>16&0xffff, e)<<16
		})
	}
}

// mixHalf computes in 32 bits and rounds the result to 16.
func mixHalf(fn func(f format, a, b, c uint64, e env) uint64) func(*lanes) {
	return func(x *lanes) {
		e, mode := envOf(single, x.mode), x.mode
		x.each3(func(a, b, c uint64) uint64 {
			return convertFloat(single, half16, fn(single, a, b, c, e), mode)
		})
	}
}

// dot2F32F16 adds two products, which are exact in 32 bits, one after the
// other.
func dot2F32F16(x *lanes) {
	e := envOf(single, x.mode)
	mode := x.mode
	plain := plain32(mode)
	x.each3(func(a, b, c uint64) uint64 {
		for i := 0; i < 32; i += 16 {
			if p, ok := halfNumber(uint32(a >> i & 0xffff)); ok && plain {
				if q, ok := halfNumber(uint32(b >> i & 0xffff)); ok {
					product := p * q
					if sum := product + float32s(uint32(c)); sum == sum {
						c = uint64(bits32(sum))
						continue
					}
				}
			}
			p := convertFloat(half16, single, a>>i&0xffff, mode)
			q := convertFloat(half16, single, b>>i&0xffff, mode)
			c = single.FMAPlain(p, q, c, e)
		}
		return c
	})
}

// dotProduct sums the products of fields of some bits.
func dotProduct(width uint, a, b uint64, signed bool) int64 {
	var sum int64
	rest := 64 - width
	for i := uint(0); i < 32; i += width {
		p, q := int64(a>>i<<rest)>>rest, int64(b>>i<<rest)>>rest
		if !signed {
			p, q = int64(a>>i<<rest>>rest), int64(b>>i<<rest>>rest)
		}
		sum += p * q
	}
	return sum
}

func dotSigned(width uint) func(*lanes) {
	return map3(func(a, b, c uint64) uint64 { return uint64(dotProduct(width, a, b, true)) + c })
}

func dotSignedSat(width uint) func(*lanes) {
	return map3(
		func(a, b, c uint64) uint64 { return satI32(dotProduct(width, a, b, true) + int64(int32(c))) })
}

func dotUnsigned(width uint) func(*lanes) {
	return map3(func(a, b, c uint64) uint64 { return uint64(dotProduct(width, a, b, false)) + c })
}

func dotUnsignedSat(width uint) func(*lanes) {
	return map3(func(a, b, c uint64) uint64 { return satU32(dotProduct(width, a, b, false) + int64(c)) })
}

// pair32 executes a loop over 32-bit values for the low and the high dwords.
func pair32(f func(*lanes)) func(*lanes) {
	return func(x *lanes) {
		d, a, b, c, out := x.d, x.a, x.b, x.c, x.out
		x.half = *d
		x.d = &x.half
		f(x)
		x.d, x.a, x.b, x.c = x.d1, x.a1, x.b1, x.c1
		f(x)
		x.d, x.a, x.b, x.c, x.out = d, a, b, c, out
		*d = x.half
	}
}

// pkMovB32 takes the low dword of its result from the first source and the
// high one from the second; OP_SEL says which dword.
func pkMovB32(c *Core, in *Inst) {
	w := c.w
	var sel uint8
	if in.mod != nil {
		sel = in.mod.opSel
	}
	lo := c.vector(&in.src[0], 0, int(sel&1))
	hi := c.vector(&in.src[1], 1, int(sel>>1&1))
	d, d1 := &c.r.V[in.dst.reg], &c.r.V[in.dst.reg+1]
	if w.Exec == ^uint64(0) {
		for l := range d {
			d[l], d1[l] = lo[l], hi[l]
		}
		return
	}
	for m := w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		d[l], d1[l] = lo[l], hi[l]
	}
}
