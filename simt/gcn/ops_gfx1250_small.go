package gcn

import (
	"math"

	"simtgdb/simt"
	"simtgdb/simt/softfloat"
)

// What gfx1250 has for bfloat16, small floats and packed integers (CDNA 5 ISA).

var _ = registerLater(brainRows)

func brainRows() []Op {
	var rows []Op
	for name, f := range map[string]func(float64) float64{"rcp": recip, "sqrt": math.Sqrt, "rsq": rsqrt,
		"log": math.Log2,
		"exp": math.Exp2, "sin": sinTurns, "cos": cosTurns, "tanh": math.Tanh} {
		rows = append(rows, Op{Enc: VOP1, Name: "v_" + name + "_bf16", dst: bf16, src: srcs(bf16),
			flag: slow, vec: real1(brain16, f)})
	}
	packed := func(name string, n int, vec func(*lanes)) {
		src := [4]typ{v2bf16, v2bf16, v2bf16}
		for i := n; i < len(src); i++ {
			src[i] = none
		}
		rows = append(rows, Op{Enc: VOP3P, Name: "v_pk_" + name + "_bf16", dst: v2bf16, src: src, vec: vec})
	}
	packed("add", 2, packedBrain2(format.Add))
	packed("mul", 2, packedBrain2(format.Mul))
	packed("min_num", 2, packedBrain2(format.Minimum))
	packed("max_num", 2, packedBrain2(format.Maximum))
	packed("fma", 3, packedBrain3(format.FMAPlain))
	return append(rows, []Op{
		{Enc: VOP3P, Name: "v_fma_mix_f32_bf16", dst: f32, src: srcs(mixedB, mixedB, mixedB), vec: fmaF32},
		{Enc: VOP3P, Name: "v_fma_mixlo_bf16", dst: bf16, src: srcs(mixedB, mixedB, mixedB), flag: keeps,
			vec: mixTo(brain16)},
		{Enc: VOP3P, Name: "v_fma_mixhi_bf16", dst: bf16, src: srcs(mixedB, mixedB, mixedB),
			flag: keeps | high, vec: mixTo(brain16)},
	}...)
}

func packedBrain2(fn func(f format, a, b uint64, e env) uint64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(brain16, x.mode)
		x.each2(func(a, b uint64) uint64 {
			return fn(brain16, a&0xffff, b&0xffff, e)&0xffff | fn(brain16, a>>16&0xffff, b>>16&0xffff, e)<<16
		})
	}
}

func packedBrain3(fn func(f format, a, b, c uint64, e env) uint64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(brain16, x.mode)
		x.each3(func(a, b, c uint64) uint64 {
			return fn(brain16, a&0xffff, b&0xffff, c&0xffff, e)&0xffff |
				fn(brain16, a>>16&0xffff, b>>16&0xffff, c>>16&0xffff, e)<<16
		})
	}
}

// mixTo computes a product and a sum in 32 bits and rounds the result to 16.
func mixTo(f format) func(*lanes) {
	return func(x *lanes) {
		e, mode := envOf(single, x.mode), x.mode
		x.each3(
			func(a, b, c uint64) uint64 { return convertFloat(single, f, single.FMAPlain(a, b, c, e), mode) })
	}
}

var _ = registerLater(gfx1250SmallRows)

func gfx1250SmallRows() []Op {
	return []Op{
		{Enc: VOP3P, Name: "v_pk_add_max_i16", dst: v2i16, src: srcs(v2i16, v2i16, v2i16), flag: signless,
			vec: packed3(addThen(addU16, maxI16)),
			sat: packed3(addThen(addSatI16, maxI16))},
		{Enc: VOP3P, Name: "v_pk_add_min_i16", dst: v2i16, src: srcs(v2i16, v2i16, v2i16), flag: signless,
			vec: packed3(addThen(addU16, minI16)),
			sat: packed3(addThen(addSatI16, minI16))},
		{Enc: VOP3P, Name: "v_pk_add_max_u16", dst: v2u16, src: srcs(v2u16, v2u16, v2u16), flag: signless,
			vec: packed3(addThen(addU16, maxU16)),
			sat: packed3(addThen(addSatU16, maxU16))},
		{Enc: VOP3P, Name: "v_pk_add_min_u16", dst: v2u16, src: srcs(v2u16, v2u16, v2u16), flag: signless,
			vec: packed3(addThen(addU16, minU16)),
			sat: packed3(addThen(addSatU16, minU16))},
		{Enc: VOP3P, Name: "v_pk_max3_i16", dst: v2i16, src: srcs(v2i16, v2i16, v2i16),
			flag: clamps | signless, vec: packed3(addThen(maxI16, maxI16))},
		{Enc: VOP3P, Name: "v_pk_min3_i16", dst: v2i16, src: srcs(v2i16, v2i16, v2i16),
			flag: clamps | signless, vec: packed3(addThen(minI16, minI16))},
		{Enc: VOP3P, Name: "v_pk_max3_u16", dst: v2u16, src: srcs(v2u16, v2u16, v2u16),
			flag: clamps | signless, vec: packed3(addThen(maxU16, maxU16))},
		{Enc: VOP3P, Name: "v_pk_min3_u16", dst: v2u16, src: srcs(v2u16, v2u16, v2u16),
			flag: clamps | signless, vec: packed3(addThen(minU16, minU16))},
		{Enc: VOP3P, Name: "v_pk_max3_num_f16", dst: v2f16, src: srcs(v2f16, v2f16, v2f16),
			vec: packedFloat3(bounded(format.Maximum, format.Maximum))},
		{Enc: VOP3P, Name: "v_pk_min3_num_f16", dst: v2f16, src: srcs(v2f16, v2f16, v2f16),
			vec: packedFloat3(bounded(format.Minimum, format.Minimum))},

		{Enc: VOP3, Name: "v_add_max_i32", dst: i32, src: srcs(i32, i32, i32), vec: map3(func(a, b,
			c uint64) uint64 {
			return maxI32(a+b, c)
		}),
			sat: map3(
				func(a, b, c uint64) uint64 { return maxI32(satI32(int64(int32(a))+int64(int32(b))), c) })},
		{Enc: VOP3, Name: "v_add_min_i32", dst: i32, src: srcs(i32, i32, i32), vec: map3(func(a, b,
			c uint64) uint64 {
			return minI32(a+b, c)
		}),
			sat: map3(
				func(a, b, c uint64) uint64 { return minI32(satI32(int64(int32(a))+int64(int32(b))), c) })},
		{Enc: VOP3, Name: "v_add_max_u32", dst: u32, src: srcs(u32, u32, u32), vec: map3(func(a, b,
			c uint64) uint64 {
			return max((a+b)&math.MaxUint32, c)
		}), sat: map3(func(a, b, c uint64) uint64 { return max(min(a+b, math.MaxUint32), c) })},
		{Enc: VOP3, Name: "v_add_min_u32", dst: u32, src: srcs(u32, u32, u32), vec: map3(func(a, b,
			c uint64) uint64 {
			return min((a+b)&math.MaxUint32, c)
		}), sat: map3(func(a, b, c uint64) uint64 { return min(min(a+b, math.MaxUint32), c) })},

		{Enc: VOP1, Name: "v_sat_pk4_i4_i8", dst: b16, src: srcs(b32), vec: map1(func(a uint64) uint64 {
			return packNibbles(a, func(v uint8) uint8 { return uint8(max(-8, min(int8(v), 7))) })
		})},
		{Enc: VOP1, Name: "v_sat_pk4_u4_u8", dst: b16, src: srcs(b32), vec: map1(func(a uint64) uint64 {
			return packNibbles(a, func(v uint8) uint8 { return min(v, 15) })
		})},
		{Enc: VOP1, Name: "v_cvt_pk_f16_fp8", dst: v2f16, src: srcs(b16), flag: unmarked | opSel,
			vec: twoHalves(softfloat.FP8)},
		{Enc: VOP1, Name: "v_cvt_pk_f16_bf8", dst: v2f16, src: srcs(b16), flag: unmarked | opSel,
			vec: twoHalves(softfloat.BF8)},
		{Enc: VOP1, Name: "v_cvt_f16_fp8", dst: f16, src: srcs(b32), flag: bare | opSel | readsByte,
			vec: oneHalf(softfloat.FP8)},
		{Enc: VOP1, Name: "v_cvt_f16_bf8", dst: f16, src: srcs(b32), flag: bare | opSel | readsByte,
			vec: oneHalf(softfloat.BF8)},
		{Enc: VOP1, Name: "v_cvt_f32_fp8", dst: f32, src: srcs(b32), flag: opSel | readsByte,
			vec: oneSingle(softfloat.FP8)},
		{Enc: VOP1, Name: "v_cvt_f32_bf8", dst: f32, src: srcs(b32), flag: opSel | readsByte,
			vec: oneSingle(softfloat.BF8)},
		{Enc: VOP1, Name: "v_cvt_pk_f32_fp8", dst: v2f32, src: srcs(b16), flag: opSel,
			vec: twoSingles(softfloat.FP8)},
		{Enc: VOP1, Name: "v_cvt_pk_f32_bf8", dst: v2f32, src: srcs(b16), flag: opSel,
			vec: twoSingles(softfloat.BF8)},
		{Enc: VOP3, Name: "v_cvt_pk_fp8_f16", dst: b16, src: srcs(v2f16), flag: opSel | clamps,
			vec: packHalves(softfloat.FP8)},
		{Enc: VOP3, Name: "v_cvt_pk_bf8_f16", dst: b16, src: srcs(v2f16), flag: opSel | clamps,
			vec: packHalves(softfloat.BF8)},

		{Enc: VOP3, Name: "v_perm_pk16_b4_u4", dst: b64, src: srcs(b32, b32, b64), flag: noDPP,
			run: lookUp(4)},
		{Enc: VOP3, Name: "v_perm_pk16_b6_u4", dst: b96, src: srcs(b32, b64, b64), flag: noDPP,
			run: lookUp(6)},
		{Enc: VOP3, Name: "v_perm_pk16_b8_u4", dst: b128, src: srcs(b64, b64, b64), flag: noDPP,
			run: lookUp(8)},

		{Enc: VOP3, Name: "v_permlane_bcast_b32", dst: b32, src: srcs(b32, ssrc32, ssrc32), flag: noDPP,
			run: moveInGroup(func(_, by, width uint32) uint32 { return by % width })},
		{Enc: VOP3, Name: "v_permlane_up_b32", dst: b32, src: srcs(b32, ssrc32, ssrc32), flag: noDPP,
			run: moveInGroup(func(l, by, _ uint32) uint32 { return l - by })},
		{Enc: VOP3, Name: "v_permlane_down_b32", dst: b32, src: srcs(b32, ssrc32, ssrc32), flag: noDPP,
			run: moveInGroup(func(l, by, _ uint32) uint32 { return l + by })},
		{Enc: VOP3, Name: "v_permlane_xor_b32", dst: b32, src: srcs(b32, ssrc32, ssrc32), flag: noDPP,
			run: moveInGroup(func(l, by, _ uint32) uint32 { return l ^ by })},
		{Enc: VOP3, Name: "v_permlane_idx_gen_b32", dst: b32, src: srcs(b32, ssrc32), flag: noDPP,
			vec: map2(func(a, b uint64) uint64 { return a ^ b })},

		// Known by name: how their random bits are divided is in no public document.
		{Enc: VOP3, Name: "v_cvt_sr_pk_f16_f32", dst: v2f16, src: srcs(f32, f32, b32)},
		{Enc: VOP3, Name: "v_cvt_sr_pk_bf16_f32", dst: v2bf16, src: srcs(f32, f32, b32)},
		{Enc: VOP3, Name: "v_cvt_sr_fp8_f16", dst: b32, src: srcs(f16, b32), flag: opSel},
		{Enc: VOP3, Name: "v_cvt_sr_bf8_f16", dst: b32, src: srcs(f16, b32), flag: opSel},

		{Enc: SOP1, Name: "s_add_pc_i64", src: srcs(i64), flow: simt.FlowIndirect,
			run: func(c *Core, in *Inst) {
				c.w.PC = in.PC + uint64(in.Size) + c.s64(&in.src[0])
			}},
		{Enc: SOP1, Name: "s_wakeup_barrier", src: srcs(i32), run: noop},
	}
}

// addThen combines the result of a function of two operands with a third.
func addThen(add, then func(a, b uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 { return then(add(a, b)&0xffff, c) }
}

func addSatI16(a, b uint64) uint64 { return satI16(i16s(a) + i16s(b)) }
func addSatU16(a, b uint64) uint64 { return min(a+b, math.MaxUint16) }

// packNibbles makes four bits of each of four bytes.
func packNibbles(a uint64, f func(uint8) uint8) uint64 {
	var v uint64
	for i := range 4 {
		v |= uint64(f(uint8(a>>(8*i)))&0xf) << (4 * i)
	}
	return v
}

// miniToHalf makes a float of 16 bits of a small one.
func miniToHalf(m softfloat.Mini, v uint64) uint64 {
	x := m.Float(v)
	if x != x {
		return half16.NaN() | uint64(math.Float64bits(x)>>63)<<15
	}
	return half16.Round(x, roundNearest)
}

func twoHalves(m softfloat.Mini) func(*lanes) {
	return map1(func(a uint64) uint64 { return miniToHalf(m, a&0xff) | miniToHalf(m, a>>8&0xff)<<16 })
}

// oneHalf converts the byte that is selected.
func oneHalf(m softfloat.Mini) func(*lanes) {
	return func(x *lanes) {
		shift := 8 * readByte(x.inst)
		x.each1(func(a uint64) uint64 { return miniToHalf(m, a>>shift&0xff) })
	}
}

// oneSingle and twoSingles make floats of 32 bits, of the byte or the half that is selected (gfx12).
func oneSingle(m softfloat.Mini) func(*lanes) {
	return func(x *lanes) {
		shift := 8 * readByte(x.inst)
		x.each1(func(a uint64) uint64 { return ofMini(m, a>>shift) })
	}
}

func twoSingles(m softfloat.Mini) func(*lanes) {
	return map1(func(a uint64) uint64 { return ofMini(m, a) | ofMini(m, a>>8)<<32 })
}

// readByte is the byte of the source that OP_SEL selects: its first bit is the high one.
func readByte(in *Inst) uint {
	if in.mod == nil {
		return 0
	}
	return uint(in.mod.opSel&1<<1 | in.mod.opSel>>1&1)
}

func packHalves(m softfloat.Mini) func(*lanes) {
	return func(x *lanes) {
		r := softfloat.Rounding{Saturate: x.mode&ModeOverflow != 0}
		x.each1(func(a uint64) uint64 {
			return m.Round(floatOf(half16, a&0xffff), r) | m.Round(floatOf(half16, a>>16&0xffff), r)<<8
		})
	}
}

// lookUp executes v_perm_pk16: sixteen indices of four bits choose items of a table, which is in two
// operands, the first above the second.
func lookUp(width uint) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		table := append(c.sourceDwords(in, 1), c.sourceDwords(in, 0)...)
		index, dst := c.sourceDwords(in, 2), c.registers(&in.dst)
		for l := range c.w.Size {
			if c.w.Exec>>l&1 == 0 {
				continue
			}
			var items [16]uint32
			for i := range uint(len(items)) {
				items[i] = bitsAt(table, l, width*uint(bitsAt(index, l, 4*i, 4)), width)
			}
			for d := range dst {
				dst[d][l] = 0
			}
			for i, v := range items {
				depositBits(dst, l, width*uint(i), width, v)
			}
		}
	}
}

// moveInGroup gives each lane the value of another of its group, whose width the third operand says; what
// is no width is that of the wave. A lane that has no other gets 0. Lanes that are switched off are read
// all the same.
func moveInGroup(from func(l, by, width uint32) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		size := uint32(c.w.Size)
		by, width := c.s32(&in.src[1]), c.s32(&in.src[2])
		if width == 0 || width&(width-1) != 0 || width > size {
			width = size
		}
		src, got := c.vector(&in.src[0], 0, 0), &c.out[0]
		for l := range size {
			got[l] = 0
			if at := from(l%width, by, width); at < width {
				got[l] = src[l&^(width-1)|at]
			}
		}
		merge(&c.r.V[in.dst.reg], got, c.w.Exec)
	}
}

var _ = registerLater(laterScaleRows)

// laterScaleRows are the conversions with a scale of 8 and 16 numbers: to small floats with a single's
// exponent, and from them with one of the four exponents of a register.
func laterScaleRows() []Op {
	var rows []Op
	add := func(name string, count int) {
		rule := scaledNamed(name)
		rule.exponents = rule.fromSmall
		packed := wideTypes[count*int(rule.small.Width)/32]
		numbers := wideTypes[count*int(rule.wide.Width)/32]
		op := Op{Enc: VOP3, Name: "v_cvt_scalef32_" + name, dst: packed, src: srcs(numbers, f32),
			flag: bare | noDPP,
			run:  rule.run}
		switch {
		case rule.fromSmall:
			op.Name, op.dst, op.src = "v_cvt_scale_"+name, numbers, srcs(packed, b32)
			op.flag |= opSel | selectsScale
		case rule.stochastic:
			op.src = srcs(numbers, b32, f32)
		}
		rows = append(rows, op)
	}
	for _, c := range []struct {
		prefix string
		count  int
		small  []string
	}{{"pk8_", 8, []string{"fp8", "bf8", "fp4"}}, {"pk16_", 16, []string{"fp6", "bf6"}}} {
		for _, small := range c.small {
			for _, wide := range []string{"f32", "f16", "bf16"} {
				add(c.prefix+wide+"_"+small, c.count)
				add(c.prefix+small+"_"+wide, c.count)
				add("sr_"+c.prefix+small+"_"+wide, c.count)
			}
		}
	}
	return rows
}
