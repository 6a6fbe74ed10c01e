package gcn

import (
	"math"
	"math/bits"

	"simtgdb/simt/vec"
)

var _ = register(vop1Rows)

func vop1Rows() []Op {
	return []Op{
		{Enc: VOP1, Code: 0x00, Name: "v_nop", run: noop},
		{Enc: VOP1, Code: 0x01, Name: "v_mov_b32", dst: b32, src: srcs(b32), fast: exact(vec.Mov),
			vec: movB32},
		{Enc: VOP1, Code: 0x02, Name: "v_readfirstlane_b32", dst: sdst32, src: srcs(b32),
			flag: noVOP3 | noSDWA | noDPP | vectorOnly, native: oddForm(readFirstLaneCode),
			run: readFirstLane},
		{Enc: VOP1, Code: 0x03, Name: "v_cvt_i32_f64", dst: i32, src: srcs(f64), flag: clamps | scales,
			native: double1(pairs(toIntPair(-1<<31, 1<<31-1))), vec: fromFloat(double, toI32)},
		{Enc: VOP1, Code: 0x04, Name: "v_cvt_f64_i32", dst: f64, src: srcs(i32),
			native: ofPairs(fromIntPair, octetToDouble(0x4338<<48)), vec: toFloat(double, signed)},
		{Enc: VOP1, Code: 0x05, Name: "v_cvt_f32_i32", dst: f32, src: srcs(i32),
			fast: rounded32(vec.F32I), vec: cvtF32I32},
		{Enc: VOP1, Code: 0x06, Name: "v_cvt_f32_u32", dst: f32, src: srcs(u32),
			fast: rounded32(vec.F32U), vec: cvtF32U32},
		{Enc: VOP1, Code: 0x07, Name: "v_cvt_u32_f32", dst: u32, src: srcs(f32), flag: clamps | scales,
			fast: exact(vec.UF32), vec: cvtU32F32},
		{Enc: VOP1, Code: 0x08, Name: "v_cvt_i32_f32", dst: i32, src: srcs(f32), flag: clamps | scales,
			fast: exact(vec.IF32), vec: cvtI32F32},
		{Enc: VOP1, Code: 0x0a, Name: "v_cvt_f16_f32", dst: f16, src: srcs(f32),
			fast: double64(vec.F16F32), vec: cvtF16F32},
		{Enc: VOP1, Code: 0x0b, Name: "v_cvt_f32_f16", dst: f32, src: srcs(f16),
			fast: double64(vec.F32F16), vec: cvtF32F16},
		{Enc: VOP1, Code: 0x0c, Name: "v_cvt_rpi_i32_f32", dst: i32, src: srcs(f32), flag: clamps,
			vec: fromFloat(single, func(x float64) uint32 { return toI32(math.Floor(x + 0.5)) })},
		{Enc: VOP1, Code: 0x0d, Name: "v_cvt_flr_i32_f32", dst: i32, src: srcs(f32), flag: clamps,
			vec: fromFloat(single, func(x float64) uint32 { return toI32(math.Floor(x)) })},
		{Enc: VOP1, Code: 0x0e, Name: "v_cvt_off_f32_i4", dst: f32, src: srcs(b32),
			vec: toFloat(single, func(a uint32) float64 { return float64(int32(a)<<28>>28) / 16 })},
		{Enc: VOP1, Code: 0x0f, Name: "v_cvt_f32_f64", dst: f32, src: srcs(f64),
			fast: single32(vec.F32F64), vec: cvtF32F64},
		{Enc: VOP1, Code: 0x10, Name: "v_cvt_f64_f32", dst: f64, src: srcs(f32),
			fast: single32(vec.F64F32), vec: cvtF64F32},
		{Enc: VOP1, Code: 0x11, Name: "v_cvt_f32_ubyte0", dst: f32, src: srcs(u32),
			native: byteFloat(0), vec: toFloat(single, func(a uint32) float64 { return float64(uint8(a)) })},
		{Enc: VOP1, Code: 0x12, Name: "v_cvt_f32_ubyte1", dst: f32, src: srcs(u32),
			native: byteFloat(1), vec: toFloat(
				single, func(a uint32) float64 { return float64(uint8(a >> 8)) })},
		{Enc: VOP1, Code: 0x13, Name: "v_cvt_f32_ubyte2", dst: f32, src: srcs(u32),
			native: byteFloat(2),
			vec:    toFloat(single, func(a uint32) float64 { return float64(uint8(a >> 16)) })},
		{Enc: VOP1, Code: 0x14, Name: "v_cvt_f32_ubyte3", dst: f32, src: srcs(u32),
			native: byteFloat(3), vec: toFloat(single, func(a uint32) float64 { return float64(a >> 24) })},
		{Enc: VOP1, Code: 0x15, Name: "v_cvt_u32_f64", dst: u32, src: srcs(f64), flag: clamps | scales,
			native: double1(pairs(toIntPair(0, 1<<32-1))), vec: fromFloat(double, toU32)},
		{Enc: VOP1, Code: 0x16, Name: "v_cvt_f64_u32", dst: f64, src: srcs(u32),
			native: ofPairs(fromIntPair, octetToDouble(0x4330<<48)), vec: toFloat(double, unsigned)},
		{Enc: VOP1, Code: 0x17, Name: "v_trunc_f64", dst: f64, src: srcs(f64),
			native: roundedDouble(11), vec: real1(double, math.Trunc)},
		{Enc: VOP1, Code: 0x18, Name: "v_ceil_f64", dst: f64, src: srcs(f64),
			native: roundedDouble(10), vec: real1(double, math.Ceil)},
		{Enc: VOP1, Code: 0x19, Name: "v_rndne_f64", dst: f64, src: srcs(f64),
			native: roundedDouble(8), vec: real1(double, math.RoundToEven)},
		{Enc: VOP1, Code: 0x1a, Name: "v_floor_f64", dst: f64, src: srcs(f64),
			native: roundedDouble(9), vec: real1(double, math.Floor)},
		{Enc: VOP1, Code: 0x1b, Name: "v_fract_f32", dst: f32, src: srcs(f32),
			vec: float1(single, format.Fract)},
		{Enc: VOP1, Code: 0x1c, Name: "v_trunc_f32", dst: f32, src: srcs(f32),
			fast: single32(vec.TruncF32), vec: real1(single, math.Trunc)},
		{Enc: VOP1, Code: 0x1d, Name: "v_ceil_f32", dst: f32, src: srcs(f32),
			fast: single32(vec.CeilF32), vec: real1(single, math.Ceil)},
		{Enc: VOP1, Code: 0x1e, Name: "v_rndne_f32", dst: f32, src: srcs(f32),
			fast: single32(vec.RintF32), vec: real1(single, math.RoundToEven)},
		{Enc: VOP1, Code: 0x1f, Name: "v_floor_f32", dst: f32, src: srcs(f32),
			fast: single32(vec.FloorF32), vec: real1(single, math.Floor)},
		{Enc: VOP1, Code: 0x20, Name: "v_exp_f32", dst: f32, src: srcs(f32), flag: slow,
			vec: flush1(math.Exp2)},
		{Enc: VOP1, Code: 0x21, Name: "v_log_f32", dst: f32, src: srcs(f32), flag: slow,
			vec: flush1(math.Log2)},
		{Enc: VOP1, Code: 0x22, Name: "v_rcp_f32", dst: f32, src: srcs(f32), flag: slow,
			fast: exact(vec.RcpF32), vec: rcpF32},
		{Enc: VOP1, Code: 0x23, Name: "v_rcp_iflag_f32", dst: f32, src: srcs(f32), flag: slow,
			fast: exact(vec.RcpF32), vec: rcpF32},
		{Enc: VOP1, Code: 0x24, Name: "v_rsq_f32", dst: f32, src: srcs(f32), flag: slow, vec: flush1(rsqrt)},
		{Enc: VOP1, Code: 0x25, Name: "v_rcp_f64", dst: f64, src: srcs(f64), flag: slow,
			vec: real1(double, recip)},
		{Enc: VOP1, Code: 0x26, Name: "v_rsq_f64", dst: f64, src: srcs(f64), flag: slow,
			vec: real1(double, rsqrt)},
		{Enc: VOP1, Code: 0x27, Name: "v_sqrt_f32", dst: f32, src: srcs(f32), flag: slow,
			vec: flush1(math.Sqrt)},
		{Enc: VOP1, Code: 0x28, Name: "v_sqrt_f64", dst: f64, src: srcs(f64), flag: slow,
			vec: real1(double, math.Sqrt)},
		{Enc: VOP1, Code: 0x29, Name: "v_sin_f32", dst: f32, src: srcs(f32), flag: slow,
			vec: real1(single, sinTurns)},
		{Enc: VOP1, Code: 0x2a, Name: "v_cos_f32", dst: f32, src: srcs(f32), flag: slow,
			vec: real1(single, cosTurns)},
		{Enc: VOP1, Code: 0x2b, Name: "v_not_b32", dst: b32, src: srcs(b32),
			fast: exact(vec.Not), vec: map1(func(a uint64) uint64 { return ^a })},
		{Enc: VOP1, Code: 0x2c, Name: "v_bfrev_b32", dst: b32, src: srcs(b32),
			vec: map1(func(a uint64) uint64 { return uint64(bits.Reverse32(uint32(a))) })},
		{Enc: VOP1, Code: 0x2d, Name: "v_ffbh_u32", dst: u32, src: srcs(u32),
			vec: map1(func(a uint64) uint64 { return firstBit(bits.LeadingZeros32(uint32(a))) })},
		{Enc: VOP1, Code: 0x2e, Name: "v_ffbl_b32", dst: u32, src: srcs(b32),
			vec: map1(func(a uint64) uint64 { return firstBit(bits.TrailingZeros32(uint32(a))) })},
		{Enc: VOP1, Code: 0x2f, Name: "v_ffbh_i32", dst: u32, src: srcs(i32),
			vec: map1(
				func(a uint64) uint64 {
					return firstBit(bits.LeadingZeros32(uint32(int32(a) ^ int32(a)>>31)))
				})},
		{Enc: VOP1, Code: 0x30, Name: "v_frexp_exp_i32_f64", dst: i32, src: srcs(f64), flag: clamps | scales,
			vec: float1(double, frexpExp)},
		{Enc: VOP1, Code: 0x31, Name: "v_frexp_mant_f64", dst: f64, src: srcs(f64),
			vec: float1(double, frexpMant)},
		{Enc: VOP1, Code: 0x32, Name: "v_fract_f64", dst: f64, src: srcs(f64),
			vec: float1(double, format.Fract)},
		{Enc: VOP1, Code: 0x33, Name: "v_frexp_exp_i32_f32", dst: i32, src: srcs(f32), flag: clamps,
			native: single1(frexpCode(true), octetFrexp(true)), vec: float1(single, frexpExp)},
		{Enc: VOP1, Code: 0x34, Name: "v_frexp_mant_f32", dst: f32, src: srcs(f32),
			native: single1(frexpCode(false), octetFrexp(false)), vec: float1(single, frexpMant)},
		{Enc: VOP1, Code: 0x35, Name: "v_clrexcp", flag: noSDWA | noDPP, run: func(*Core, *Inst) {}},
		{Enc: VOP1, Code: 0x37, Name: "v_screen_partition_4se_b32", dst: b32, src: srcs(b32)},
		{Enc: VOP1, Code: 0x38, Name: "v_mov_b64", dst: b64, src: srcs(b64), on: gfx942P,
			native: lonely{moves: true, emit: copied([2]int{0, 0}, [2]int{0, 1})}, vec: movB64},
		{Enc: VOP1, Code: 0x39, Name: "v_cvt_f16_u16", dst: f16, src: srcs(u16),
			vec: toFloat(half16, func(a uint32) float64 { return float64(uint16(a)) })},
		{Enc: VOP1, Code: 0x3a, Name: "v_cvt_f16_i16", dst: f16, src: srcs(i16),
			vec: toFloat(half16, func(a uint32) float64 { return float64(int16(a)) })},
		{Enc: VOP1, Code: 0x3b, Name: "v_cvt_u16_f16", dst: u16, src: srcs(f16), flag: clamps | scales,
			vec: fromFloat(half16, func(x float64) uint32 { return uint32(toInt(x, 0, math.MaxUint16)) })},
		{Enc: VOP1, Code: 0x3c, Name: "v_cvt_i16_f16", dst: i16, src: srcs(f16), flag: clamps | scales,
			vec: fromFloat(half16,
				func(x float64) uint32 { return uint32(uint16(toInt(x, math.MinInt16, math.MaxInt16))) })},
		{Enc: VOP1, Code: 0x3d, Name: "v_rcp_f16", dst: f16, src: srcs(f16), flag: slow,
			vec: real1(half16, recip)},
		{Enc: VOP1, Code: 0x3e, Name: "v_sqrt_f16", dst: f16, src: srcs(f16), flag: slow,
			vec: real1(half16, math.Sqrt)},
		{Enc: VOP1, Code: 0x3f, Name: "v_rsq_f16", dst: f16, src: srcs(f16), flag: slow,
			vec: real1(half16, rsqrt)},
		{Enc: VOP1, Code: 0x40, Name: "v_log_f16", dst: f16, src: srcs(f16), flag: slow,
			vec: real1(half16, math.Log2)},
		{Enc: VOP1, Code: 0x41, Name: "v_exp_f16", dst: f16, src: srcs(f16), flag: slow,
			vec: real1(half16, math.Exp2)},
		{Enc: VOP1, Code: 0x42, Name: "v_frexp_mant_f16", dst: f16, src: srcs(f16),
			vec: float1(half16, frexpMant)},
		{Enc: VOP1, Code: 0x43, Name: "v_frexp_exp_i16_f16", dst: i16, src: srcs(f16), flag: clamps | scales,
			vec: float1(half16, frexpExp)},
		{Enc: VOP1, Code: 0x44, Name: "v_floor_f16", dst: f16, src: srcs(f16),
			vec: real1(half16, math.Floor)},
		{Enc: VOP1, Code: 0x45, Name: "v_ceil_f16", dst: f16, src: srcs(f16), vec: real1(half16, math.Ceil)},
		{Enc: VOP1, Code: 0x46, Name: "v_trunc_f16", dst: f16, src: srcs(f16),
			vec: real1(half16, math.Trunc)},
		{Enc: VOP1, Code: 0x47, Name: "v_rndne_f16", dst: f16, src: srcs(f16),
			vec: real1(half16, math.RoundToEven)},
		{Enc: VOP1, Code: 0x48, Name: "v_fract_f16", dst: f16, src: srcs(f16),
			vec: float1(half16, format.Fract)},
		{Enc: VOP1, Code: 0x49, Name: "v_sin_f16", dst: f16, src: srcs(f16), flag: slow,
			vec: real1(half16, sinTurns)},
		{Enc: VOP1, Code: 0x4a, Name: "v_cos_f16", dst: f16, src: srcs(f16), flag: slow,
			vec: real1(half16, cosTurns)},
		{Enc: VOP1, Code: 0x4b, Name: "v_exp_legacy_f32", dst: f32, src: srcs(f32), flag: slow,
			vec: flush1(math.Exp2)},
		{Enc: VOP1, Code: 0x4c, Name: "v_log_legacy_f32", dst: f32, src: srcs(f32), flag: slow,
			vec: flush1(math.Log2)},
		{Enc: VOP1, Code: 0x4d, Name: "v_cvt_norm_i16_f16", dst: i16, src: srcs(f16), flag: clamps | scales,
			vec: fromFloat(half16, snorm16)},
		{Enc: VOP1, Code: 0x4e, Name: "v_cvt_norm_u16_f16", dst: u16, src: srcs(f16), flag: clamps | scales,
			vec: fromFloat(half16, unorm16)},
		{Enc: VOP1, Code: 0x4f, Name: "v_sat_pk_u8_i16", dst: u16, src: srcs(v2i16),
			vec: map1(func(a uint64) uint64 { return saturateU8(a) | saturateU8(a>>16)<<8 })},
		{Enc: VOP1, Code: 0x51, Name: "v_swap_b32", dst: b32, src: srcs(b32),
			flag: noVOP3 | noSDWA | noDPP | vectorOnly, run: swapB32},
		{Enc: VOP1, Code: 0x52, Name: "v_accvgpr_mov_b32", dst: b32, src: srcs(b32),
			flag: noVOP3 | noSDWA | noDPP | accDst | accSrc, on: gfx90aP, vec: movB32},
	}
}

func signed(a uint32) float64   { return float64(int32(a)) }
func unsigned(a uint32) float64 { return float64(a) }

// firstBit is the result of a search for a bit: -1 if there is none.
func firstBit(n int) uint64 {
	if n == 32 {
		return math.MaxUint32
	}
	return uint64(n)
}

func frexpExp(f format, a uint64, e env) uint64 {
	r := uint64(uint32(f.FrexpExp(f.In(a, e))))
	if f.Width == 16 {
		r &= 0xffff
	}
	return r
}

func frexpMant(f format, a uint64, e env) uint64 { return f.FrexpMant(f.In(a, e)) }

// snorm16 and unorm16 make 16-bit fixed-point numbers in [-1, 1] and [0, 1].
func snorm16(x float64) uint32 {
	return uint32(uint16(toInt(math.RoundToEven(x*math.MaxInt16), -math.MaxInt16, math.MaxInt16)))
}

func unorm16(x float64) uint32 {
	return uint32(toInt(math.RoundToEven(x*math.MaxUint16), 0, math.MaxUint16))
}

func saturateU8(a uint64) uint64 { return uint64(max(0, min(int16(a), math.MaxUint8))) }

// readFirstLane reads the lowest active lane, lane 0 if there is none.
func readFirstLane(c *Core, in *Inst) {
	l := bits.TrailingZeros64(c.w.Exec | 1<<63)
	if c.w.Exec == 0 {
		l = 0
	}
	c.r.S[uint8(in.dst.reg)] = c.vector(&in.src[0], 0, 0)[l&63]
}

func swapB32(c *Core, in *Inst) {
	a, b := &c.r.V[in.dst.reg], &c.r.V[in.src[0].reg]
	for l := range a {
		if c.w.Exec>>l&1 != 0 {
			a[l], b[l] = b[l], a[l]
		}
	}
}
