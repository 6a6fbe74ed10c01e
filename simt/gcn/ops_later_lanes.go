package gcn

import (
	"math"

	"simtgdb/simt"
	"simtgdb/simt/softfloat"
)

// Rows of gfx10 and on that move values between lanes, halves or registers that are known only at run time,
// and others that gfx9 has not got.
var _ = registerLater(laterLanesRows)

func laterLanesRows() []Op {
	return []Op{
		{Enc: VOP3, Name: "v_permlane16_b32", dst: b32, src: srcs(b32, ssrc32, ssrc32),
			flag: opSel | fetches | permutes, run: permuteRow(0, false)},
		{Enc: VOP3, Name: "v_permlanex16_b32", dst: b32, src: srcs(b32, ssrc32, ssrc32),
			flag: opSel | fetches | permutes, run: permuteRow(16, false)},
		{Enc: VOP3, Name: "v_permlane16_var_b32", dst: b32, src: srcs(b32, b32),
			flag: opSel | fetches | permutes, run: permuteRow(0, true)},
		{Enc: VOP3, Name: "v_permlanex16_var_b32", dst: b32, src: srcs(b32, b32),
			flag: opSel | fetches | permutes, run: permuteRow(16, true)},
		{Enc: VOP1, Name: "v_permlane64_b32", dst: b32, src: srcs(b32),
			flag: noSDWA | noDPP | noVOP3 | vectorOnly | permutes, run: func(c *Core, in *Inst) {
				if c.w.Size < simt.MaxLanes {
					return
				}
				src, got := c.vector(&in.src[0], 0, 0), &c.out[0]
				for l := range got {
					got[l] = src[l^32]
				}
				merge(&c.r.V[in.dst.reg], got, c.w.Exec)
			}},
		{Enc: VOP1, Name: "v_movrels_b32", dst: b32, src: srcs(b32), flag: noSDWA | noDPP | vectorOnly,
			run: moveRelative(func(m0 uint32) (dst, src uint32) { return 0, m0 })},
		{Enc: VOP1, Name: "v_movreld_b32", dst: b32, src: srcs(b32), flag: noSDWA | noDPP,
			run: moveRelative(func(m0 uint32) (dst, src uint32) { return m0, 0 })},
		{Enc: VOP1, Name: "v_movrelsd_b32", dst: b32, src: srcs(b32), flag: noSDWA | noDPP | vectorOnly,
			run: moveRelative(func(m0 uint32) (dst, src uint32) { return m0, m0 })},
		{Enc: VOP1, Name: "v_movrelsd_2_b32", dst: b32, src: srcs(b32), flag: noSDWA | noDPP | vectorOnly,
			run: moveRelative(func(m0 uint32) (dst, src uint32) { return m0 >> 16 & 0x3ff, m0 & 0x3ff })},
		{Enc: VOP1, Name: "v_pipeflush", run: noop},
		{Enc: VOP1, Name: "v_swap_b16", dst: b16, src: srcs(b16), flag: noSDWA | noDPP | noVOP3 | vectorOnly,
			run: swapHalves},

		{Enc: VOP2, Name: "v_fmac_legacy_f32", dst: f32, src: srcs(f32, f32, f32),
			flag: readsDst | noSDWA | noDPP, vec: float3(single, fmaLegacy)},
		{Enc: VOP2, Name: "v_fmac_dx9_zero_f32", dst: f32, src: srcs(f32, f32, f32),
			flag: readsDst | noSDWA | noDPP, vec: float3(single, fmaLegacy)},
		{Enc: VOP3, Name: "v_fma_legacy_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: float3(single, fmaLegacy)},
		{Enc: VOP3, Name: "v_fma_dx9_zero_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: float3(single, fmaLegacy)},
		{Enc: VOP3, Name: "v_cvt_pk_i16_f32", dst: v2i16, src: srcs(f32, f32),
			vec: packFloats(math.MinInt16, math.MaxInt16)},
		{Enc: VOP3, Name: "v_cvt_pk_u16_f32", dst: v2u16, src: srcs(f32, f32),
			vec: packFloats(0, math.MaxUint16)},

		{Enc: VOP3P, Name: "v_dot4_i32_iu8", dst: i32, src: srcs(b32, b32, i32), flag: clamps,
			vec: dotEither(8)},
		{Enc: VOP3P, Name: "v_dot8_i32_iu4", dst: i32, src: srcs(b32, b32, i32), flag: clamps,
			vec: dotEither(4)},
		{Enc: VOP3P, Name: "v_dot4_f32_fp8_bf8", dst: f32, src: srcs(b32, b32, f32),
			vec: dotSmall(softfloat.FP8, softfloat.BF8)},
		{Enc: VOP3P, Name: "v_dot4_f32_bf8_fp8", dst: f32, src: srcs(b32, b32, f32),
			vec: dotSmall(softfloat.BF8, softfloat.FP8)},
		{Enc: VOP3P, Name: "v_dot4_f32_fp8_fp8", dst: f32, src: srcs(b32, b32, f32),
			vec: dotSmall(softfloat.FP8, softfloat.FP8)},
		{Enc: VOP3P, Name: "v_dot4_f32_bf8_bf8", dst: f32, src: srcs(b32, b32, f32),
			vec: dotSmall(softfloat.BF8, softfloat.BF8)},

		{Enc: SOP2, Name: "s_fmaak_f32", dst: f32, src: srcs(f32, f32, f32), flag: literal2, run: scalarFMA},
		{Enc: SOP2, Name: "s_fmamk_f32", dst: f32, src: srcs(f32, f32, f32), flag: literal1, run: scalarFMA},
		{Enc: SOP2, Name: "s_cvt_pk_rtz_f16_f32", dst: v2f16, src: srcs(f32, f32),
			run: func(c *Core, in *Inst) {
				mode := c.r.S[regMode] | ModeRound64 // toward 0
				a := convertFloat(single, half16, c.float(in, 0, single), mode)
				c.setFloat(in, a|convertFloat(single, half16, c.float(in, 1, single), mode)<<16)
			}},
		{Enc: DS, Name: "ds_cmpstore_f32", src: srcs(b32, f32, f32), mem: atomicSwapIfF32},
		{Enc: DS, Name: "ds_cmpstore_rtn_f32", dst: f32, src: srcs(b32, f32, f32), mem: atomicSwapIfF32},
		{Enc: DS, Name: "ds_cmpstore_f64", src: srcs(b32, f64, f64), mem: atomicSwapIfF64},
		{Enc: DS, Name: "ds_cmpstore_rtn_f64", dst: f64, src: srcs(b32, f64, f64), mem: atomicSwapIfF64},
	}
}

var _ = registerLater(scalarResults)

// scalarResults are the functions of gfx12 that vector hardware computes of one scalar.
func scalarResults() []Op {
	var rows []Op
	for name, f32Vec := range map[string]func(*lanes){"exp": flush1(math.Exp2), "log": flush1(math.Log2),
		"rcp": rcpF32, "rsq": flush1(rsqrt), "sqrt": flush1(math.Sqrt)} {
		real := map[string]func(float64) float64{"exp": math.Exp2, "log": math.Log2, "rcp": recip,
			"rsq": rsqrt, "sqrt": math.Sqrt}[name]
		for _, t := range []struct {
			typ typ
			op  *Op
		}{
			{f32, &Op{Enc: VOP3, Name: "v_s_" + name + "_f32", dst: f32, src: srcs(f32), vec: f32Vec}},
			{f16, &Op{Enc: VOP3, Name: "v_s_" + name + "_f16", dst: f16, src: srcs(f16),
				vec: real1(half16, real)}},
		} {
			vector := t.op
			rows = append(rows, Op{Enc: VOP3, Name: vector.Name, dst: sdst32, src: vector.src,
				flag: clamps | scales | noDPP | slow,
				run:  func(c *Core, in *Inst) { c.scalarOf(in, vector) }})
		}
	}
	return rows
}

// scalarOf executes an instruction as a vector one and takes the first lane's result for its scalar register.
func (c *Core) scalarOf(in *Inst, op *Op) {
	vector, kept := *in, c.r.V[0]
	vector.Op, vector.dst = op, operand{kind: vectorReg, typ: op.dst}
	for i := range vector.src { // what instructions on scalars leave out
		if o := &vector.src[i]; o.kind == constant && o.vec[0] == nil {
			o.vec[0] = broadcast(uint32(o.imm))
		}
	}
	c.withLanes(c.r.wide, func() { runModified(c, &vector) })
	v := c.r.V[0][0]
	c.r.V[0] = kept
	if op.dst == f16 {
		v &= 0xffff
	}
	c.r.S[uint8(in.dst.reg)] = v
}

// permuteRow executes v_permlane16 and its like: each lane takes the value of a lane of its row of 16, or of
// the row beside it, that a field of four bits in two scalars, or in the lane's own register, selects.
func permuteRow(other int, own bool) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		const fetchInactive, boundCtrl = 1, 2
		sel := uint8(0)
		if in.mod != nil {
			sel = in.mod.opSel
		}
		var from uint64
		var fromLane *Vector
		if own {
			fromLane = c.vector(&in.src[1], 1, 0)
		} else {
			from = uint64(c.s32(&in.src[1])) | uint64(c.s32(&in.src[2]))<<32
		}
		src, got, write := c.vector(&in.src[0], 0, 0), &c.out[0], c.w.Exec
		for l := range c.w.Size {
			pick := int(from>>(4*(l&15))) & 15
			if own {
				pick = int(fromLane[l] & 15)
			}
			pick |= l&^15 ^ other
			switch {
			case sel&fetchInactive != 0 || c.w.Exec>>pick&1 != 0:
				got[l] = src[pick&63]
			case sel&boundCtrl != 0:
				got[l] = 0
			default:
				write &^= 1 << l
			}
		}
		merge(&c.r.V[in.dst.reg], got, write)
	}
}

// moveRelative executes v_movrels and its like, whose registers lie as far from those named as M0 says.
func moveRelative(by func(m0 uint32) (dst, src uint32)) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		d, s := by(c.r.S[regM0])
		src := in.src[0]
		to, from := uint32(in.dst.reg)+d, uint32(src.reg)
		if src.kind == vectorReg {
			from += s
		}
		if last := c.lastVector(); to > last || src.kind == vectorReg && from > last {
			pastRegisters(c, in)
			return
		}
		if src.kind == vectorReg {
			src.reg = uint16(from)
			c.r.hold(int(from) + 1)
		}
		c.r.hold(int(to) + 1)
		merge(&c.r.V[to], c.vector(&src, 0, 0), c.w.Exec)
	}
}

// swapHalves exchanges halves of registers.
func swapHalves(c *Core, in *Inst) {
	var highDst, highSrc uint
	if in.mod != nil {
		highDst, highSrc = uint(in.mod.opSel>>3&1)*16, uint(in.mod.opSel&1)*16
	}
	d, s := &c.r.V[in.dst.reg], &c.r.V[in.src[0].reg]
	for l := range c.w.Size {
		if c.w.Exec>>l&1 == 0 {
			continue
		}
		a, b := d[l]>>highDst&0xffff, s[l]>>highSrc&0xffff
		d[l] = d[l]&^(0xffff<<highDst) | b<<highDst
		s[l] = s[l]&^(0xffff<<highSrc) | a<<highSrc
	}
}

// fmaLegacy is a fused multiply-add in which 0 times anything is 0.
func fmaLegacy(f format, a, b, c uint64, e env) uint64 {
	if f.Abs(f.In(a, e)) == 0 || f.Abs(f.In(b, e)) == 0 {
		return f.Add(0, c, e)
	}
	return f.FMAPlain(a, b, c, e)
}

func scalarFMA(c *Core, in *Inst) {
	c.setFloat(in, single.FMAPlain(c.float(in, 0, single), c.float(in, 1, single), c.float(in, 2, single),
		envOf(single, c.r.S[regMode])))
}

// packFloats makes two integers of 16 bits, rounded toward 0 and no less and no more than they can be.
func packFloats(lo, hi float64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(single, x.mode)
		to := func(v uint64) uint64 {
			if single.IsNaN(v) {
				return 0
			}
			return uint64(int64(max(lo, min(math.Trunc(single.Float(single.In(v, e))), hi)))) & 0xffff
		}
		x.each2(func(a, b uint64) uint64 { return to(a) | to(b)<<16 })
	}
}

// dotEither sums the products of fields of two registers, which are signed if NEG says so.
func dotEither(width uint) func(*lanes) {
	return func(x *lanes) {
		m := x.inst.mod
		field := func(v uint64, i uint, signed bool) int64 {
			f := int64(v>>i<<(64-width)) >> (64 - width)
			if !signed {
				f &= 1<<width - 1
			}
			return f
		}
		x.each3(func(a, b, c uint64) uint64 {
			sum := int64(int32(c))
			for i := uint(0); i < 32; i += width {
				sum += field(a, i, m != nil && m.neg&1 != 0) * field(b, i, m != nil && m.neg&2 != 0)
			}
			if m != nil && m.clamp {
				return satI32(sum)
			}
			return uint64(uint32(sum))
		})
	}
}

// dotSmall adds four products of floats of 8 bits to a single, one after the other.
func dotSmall(ma, mb softfloat.Mini) func(*lanes) {
	return func(x *lanes) {
		e := envOf(single, x.mode)
		x.each3(func(a, b, c uint64) uint64 {
			for i := 0; i < 32; i += 8 {
				c = single.FMAPlain(ofMini(ma, a>>i), ofMini(mb, b>>i), c, e)
			}
			return c
		})
	}
}
