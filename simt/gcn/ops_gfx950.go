package gcn

import (
	"math"

	"simtgdb/simt/softfloat"
)

// What gfx950 has beyond gfx942 (CDNA4 ISA). The matrix instructions of 4 and 6
// bits are names only.
var _ = register(gfx950Rows)

func gfx950Rows() []Op {
	return []Op{
		{Enc: VOP1, Code: 0x58, Name: "v_prng_b32", dst: b32, src: srcs(b32), on: GFX950,
			vec: map1(nextRandom)},
		{Enc: VOP1, Code: 0x59, Name: "v_permlane16_swap_b32", dst: b32, src: srcs(b32),
			flag: noSDWA | noDPP | vectorOnly | swaps,
			on:   GFX950, run: swapRows(16)},
		{Enc: VOP1, Code: 0x5a, Name: "v_permlane32_swap_b32", dst: b32, src: srcs(b32),
			flag: noSDWA | noDPP | vectorOnly | swaps,
			on:   GFX950, run: swapRows(32)},
		{Enc: VOP1, Code: 0x5b, Name: "v_cvt_f32_bf16", dst: f32, src: srcs(f16), on: GFX950,
			vec: convert(brain16, single)},
		{Enc: VOP2, Code: 0x16, Name: "v_dot2c_f32_bf16", dst: f32, src: srcs(v2f16, v2f16, f32),
			flag: readsDst | noSDWA | dots, on: GFX950, vec: dot2F32BF16},
		{Enc: VOP3, Code: 0x233, Name: "v_bitop3_b16", dst: b16, src: srcs(b16, b16, b16),
			flag: opSel | truthTable, on: GFX950, vec: bitOp3},
		{Enc: VOP3, Code: 0x234, Name: "v_bitop3_b32", dst: b32, src: srcs(b32, b32, b32), flag: truthTable,
			on: GFX950, vec: bitOp3},
		{Enc: VOP3, Code: 0x265, Name: "v_ashr_pk_i8_i32", dst: b16, src: srcs(i32, i32, u32), flag: opSel,
			on: GFX950,
			vec: map3(func(a, b, c uint64) uint64 {
				return shiftToByte(a, c, math.MinInt8, math.MaxInt8) |
					shiftToByte(b, c, math.MinInt8, math.MaxInt8)<<8
			})},
		{Enc: VOP3, Code: 0x266, Name: "v_ashr_pk_u8_i32", dst: b16, src: srcs(i32, i32, u32), flag: opSel,
			on: GFX950,
			vec: map3(func(a, b, c uint64) uint64 {
				return shiftToByte(a, c, 0, math.MaxUint8) |
					shiftToByte(b, c, 0, math.MaxUint8)<<8
			})},
		{Enc: VOP3, Code: 0x267, Name: "v_cvt_pk_f16_f32", dst: v2f16, src: srcs(f32, f32), on: GFX950,
			vec: convertTwo(half16)},
		{Enc: VOP3, Code: 0x268, Name: "v_cvt_pk_bf16_f32", dst: v2b16, src: srcs(f32, f32),
			flag: clamps | scales, on: GFX950, vec: convertTwo(brain16)},
		{Enc: VOP3, Code: 0x2a6, Name: "v_cvt_sr_f16_f32", dst: f16, src: srcs(f32, b32), flag: opSel,
			on: GFX950, vec: stochastic16(softfloat.Mini{Width: 16, Mant: 10, Bias: 15,
				Specials: softfloat.IEEE})},
		{Enc: VOP3, Code: 0x2a7, Name: "v_cvt_sr_bf16_f32", dst: b16, src: srcs(f32, b32), flag: opSel,
			on: GFX950, vec: stochastic16(softfloat.Mini{Width: 16, Mant: 7, Bias: 127,
				Specials: softfloat.IEEE})},
		{Enc: VOP3, Code: 0x2a8, Name: "v_minimum3_f32", dst: f32, src: srcs(f32, f32, f32), on: GFX950,
			vec: float3(single, propagating(true))},
		{Enc: VOP3, Code: 0x2a9, Name: "v_maximum3_f32", dst: f32, src: srcs(f32, f32, f32), on: GFX950,
			vec: float3(single, propagating(false))},
		{Enc: VOP3P, Code: 0x1a, Name: "v_dot2_f32_bf16", dst: f32, src: srcs(v2f16, v2f16, f32),
			flag: dots, on: GFX950, vec: dot2F32BF16},
		{Enc: VOP3P, Code: 0x1b, Name: "v_pk_minimum3_f16", dst: v2f16, src: srcs(v2f16, v2f16, v2f16),
			on: GFX950, vec: packedFloat3(propagating(true))},
		{Enc: VOP3P, Code: 0x1c, Name: "v_pk_maximum3_f16", dst: v2f16, src: srcs(v2f16, v2f16, v2f16),
			on: GFX950, vec: packedFloat3(propagating(false))},
		{Enc: DS, Code: 0xe0, Name: "ds_read_b64_tr_b4", dst: b64, src: srcs(b32), on: GFX950,
			run: runTransposed(load64, 4)},
		{Enc: DS, Code: 0xe1, Name: "ds_read_b96_tr_b6", dst: b96, src: srcs(b32), on: GFX950,
			run: runTransposed(load96, 6)},
		{Enc: DS, Code: 0xe2, Name: "ds_read_b64_tr_b8", dst: b64, src: srcs(b32), on: GFX950,
			run: runTransposed(load64, 8)},
		{Enc: DS, Code: 0xe3, Name: "ds_read_b64_tr_b16", dst: b64, src: srcs(b32), on: GFX950,
			run: runTransposed(load64, 16)},
		{Enc: VOP3P, Code: ldScaleCode, Name: "v_mfma_ld_scale_b32", src: srcs(v2b16, v2b16), on: GFX950,
			run: noop},
		{Enc: VOP3P, Code: 0x2d, Name: "v_mfma_f32_16x16x128_f8f6f4", dst: b128, src: srcs(b256, b256, b128),
			flag: matrix, on: GFX950, run: (&smallShape{m: 16, k: 128}).run,
			product: matrixProduct{rows: 16, blocks: 1}},
		{Enc: VOP3P, Code: 0x2e, Name: "v_mfma_f32_32x32x64_f8f6f4", dst: b512, src: srcs(b256, b256, b512),
			flag: matrix, on: GFX950, run: (&smallShape{m: 32, k: 64}).run,
			product: matrixProduct{rows: 32, blocks: 1}},
	}
}

// scaleRows are the conversions with a scale, by opcode.
var scaleRows = []struct {
	code uint16
	name string
	dst  typ
	src  [4]typ
}{
	{0x235, "pk_fp8_f32", b32, srcs(f32, f32, f32)}, {0x236, "pk_bf8_f32", b32, srcs(f32, f32, f32)},
	{0x237, "sr_fp8_f32", b32, srcs(f32, b32, f32)}, {0x238, "sr_bf8_f32", b32, srcs(f32, b32, f32)},
	{0x239, "pk_f32_fp8", v2f32, srcs(b32, f32)}, {0x23a, "pk_f32_bf8", v2f32, srcs(b32, f32)},
	{0x23b, "f32_fp8", f32, srcs(b32, f32)}, {0x23c, "f32_bf8", f32, srcs(b32, f32)},
	{0x23d, "pk_fp4_f32", b32, srcs(f32, f32, f32)}, {0x23e, "sr_pk_fp4_f32", b32, srcs(v2f32, b32, f32)},
	{0x23f, "pk_f32_fp4", v2f32, srcs(b32, f32)},
	{0x240, "pk_fp8_f16", b32, srcs(v2f16, f32)}, {0x241, "pk_bf8_f16", b32, srcs(v2f16, f32)},
	{0x242, "sr_fp8_f16", b32, srcs(f16, b32, f32)}, {0x243, "sr_bf8_f16", b32, srcs(f16, b32, f32)},
	{0x244, "pk_fp8_bf16", b32, srcs(v2f16, f32)}, {0x245, "pk_bf8_bf16", b32, srcs(v2f16, f32)},
	{0x246, "sr_fp8_bf16", b32, srcs(f16, b32, f32)}, {0x247, "sr_bf8_bf16", b32, srcs(f16, b32, f32)},
	{0x248, "pk_f16_fp8", b32, srcs(b32, f32)}, {0x249, "pk_f16_bf8", b32, srcs(b32, f32)},
	{0x24a, "f16_fp8", b32, srcs(b32, f32)}, {0x24b, "f16_bf8", b32, srcs(b32, f32)},
	{0x24c, "pk_fp4_f16", b32, srcs(v2f16, f32)}, {0x24d, "pk_fp4_bf16", b32, srcs(v2f16, f32)},
	{0x24e, "sr_pk_fp4_f16", b32, srcs(v2f16, b32, f32)},
	{0x24f, "sr_pk_fp4_bf16", b32, srcs(v2f16, b32, f32)},
	{0x250, "pk_f16_fp4", b32, srcs(b32, f32)}, {0x251, "pk_bf16_fp4", b32, srcs(b32, f32)},
	{0x252, "2xpk16_fp6_f32", b192, srcs(b512, b512, f32)},
	{0x253, "2xpk16_bf6_f32", b192, srcs(b512, b512, f32)},
	{0x254, "sr_pk32_fp6_f32", b192, srcs(b1024, b32, f32)},
	{0x255, "sr_pk32_bf6_f32", b192, srcs(b1024, b32, f32)},
	{0x256, "pk32_f32_fp6", b1024, srcs(b192, f32)}, {0x257, "pk32_f32_bf6", b1024, srcs(b192, f32)},
	{0x258, "pk32_fp6_f16", b192, srcs(b512, f32)}, {0x259, "pk32_fp6_bf16", b192, srcs(b512, f32)},
	{0x25a, "pk32_bf6_f16", b192, srcs(b512, f32)}, {0x25b, "pk32_bf6_bf16", b192, srcs(b512, f32)},
	{0x25c, "sr_pk32_fp6_f16", b192, srcs(b512, b32, f32)},
	{0x25d, "sr_pk32_fp6_bf16", b192, srcs(b512, b32, f32)},
	{0x25e, "sr_pk32_bf6_f16", b192, srcs(b512, b32, f32)},
	{0x25f, "sr_pk32_bf6_bf16", b192, srcs(b512, b32, f32)},
	{0x260, "pk32_f16_fp6", b512, srcs(b192, f32)}, {0x261, "pk32_bf16_fp6", b512, srcs(b192, f32)},
	{0x262, "pk32_f16_bf6", b512, srcs(b192, f32)}, {0x263, "pk32_bf16_bf6", b512, srcs(b192, f32)},
	{0x269, "pk_bf16_fp8", b32, srcs(b32, f32)}, {0x26a, "pk_bf16_bf8", b32, srcs(b32, f32)},
}

func scaleOps() []Op {
	var ops []Op
	for _, r := range scaleRows {
		rule := scaledNamed(r.name)
		ops = append(ops, Op{Enc: VOP3, Code: r.code, Name: "v_cvt_scalef32_" + r.name, dst: r.dst,
			src: r.src, flag: rule.flags(), on: GFX950, run: rule.run})
	}
	return ops
}

var _ = register(scaleOps)

// nextRandom is one step of v_prng_b32's shift register (CDNA4 ISA, section
// "V_PRNG_B32").
func nextRandom(a uint64) uint64 {
	v := uint32(a) << 1
	if a>>31&1 != 0 {
		v ^= 0xc5
	}
	return uint64(v)
}

// swapRows exchanges the odd rows of so many lanes of the destination with the
// even ones of the source.
func swapRows(n int) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		d, s := &c.r.V[in.dst.reg], &c.r.V[in.src[0].reg]
		for l := n; l < len(d); l++ {
			if l&n == 0 {
				continue
			}
			if exec := c.w.Exec; exec>>l&1 != 0 && exec>>(l-n)&1 != 0 {
				d[l], s[l-n] = s[l-n], d[l]
			}
		}
	}
}

// bitOp3 looks up each bit of the result in a table of eight bits.
func bitOp3(x *lanes) {
	table := uint32(x.inst.simm)
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		var v uint32
		for i := range 8 {
			if table>>i&1 == 0 {
				continue
			}
			p, q, r := a[l], b[l], c[l]
			if i&4 == 0 {
				p = ^p
			}
			if i&2 == 0 {
				q = ^q
			}
			if i&1 == 0 {
				r = ^r
			}
			v |= p & q & r
		}
		d[l] = v
	}
}

func shiftToByte(v, by uint64, lo, hi int32) uint64 {
	return uint64(max(lo, min(int32(v)>>(by&31), hi))) & 0xff
}

func convertTwo(to format) func(*lanes) {
	return func(x *lanes) {
		mode := x.mode
		x.each2(func(a, b uint64) uint64 {
			return convertFloat(single, to, a, mode) | convertFloat(single, to, b, mode)<<16
		})
	}
}

// dot2F32BF16 adds two products one after the other.
func dot2F32BF16(x *lanes) {
	e := envOf(single, x.mode)
	x.each3(func(a, b, c uint64) uint64 {
		for i := 0; i < 32; i += 16 {
			c = single.FMAPlain(a>>i&0xffff<<16, b>>i&0xffff<<16, c, e)
		}
		return c
	})
}

// propagating is the least or the greatest of three, as IEEE 754-2019's
// minimum and maximum: a NaN among them is the result.
func propagating(least bool) func(f format, a, b, c uint64, e env) uint64 {
	return func(f format, a, b, c uint64, e env) uint64 {
		if f.IsNaN(a) || f.IsNaN(b) || f.IsNaN(c) {
			return f.FirstNaN(a, b, c)
		}
		return f.Extreme(f.Extreme(a, b, e, least), c, e, least)
	}
}
