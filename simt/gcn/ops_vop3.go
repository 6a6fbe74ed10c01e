package gcn

import (
	"math"
	"math/bits"

	"simtgdb/simt/vec"
)

// The rows of VOP3 that have no short form: three sources, packing, bit
// fields, and lanes. Division is in ops_vop3div.go.
var _ = register(vop3Rows)

func vop3Rows() []Op {
	return []Op{
		{Enc: VOP3, Code: 0x1c0, Name: "v_mad_legacy_f32", dst: f32, src: srcs(f32, f32, f32),
			on: graphics | GFX90A, vec: float3(single, madLegacy)},
		{Enc: VOP3, Code: 0x1c1, Name: "v_mad_f32", dst: f32, src: srcs(f32, f32, f32), on: graphics | GFX90A,
			fast: rounded32(vec.MadF32), vec: madF32},
		{Enc: VOP3, Code: 0x1c2, Name: "v_mad_i32_i24", dst: i32, src: srcs(i32, i32, i32),
			fast: exact(vec.MadI24), vec: map3(
				func(a, b, c uint64) uint64 { return uint64(i24(a)*i24(b)) + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satI32(i24(a)*i24(b) + int64(int32(c))) })},
		{Enc: VOP3, Code: 0x1c3, Name: "v_mad_u32_u24", dst: u32, src: srcs(u32, u32, u32),
			fast: exact(vec.MadU24), vec: map3(func(a, b, c uint64) uint64 { return u24(a)*u24(b) + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satU32(int64(u24(a)*u24(b) + c)) })},
		{Enc: VOP3, Code: 0x1c4, Name: "v_cubeid_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: float3(single, cubeID)},
		{Enc: VOP3, Code: 0x1c5, Name: "v_cubesc_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: float3(single, cubeS)},
		{Enc: VOP3, Code: 0x1c6, Name: "v_cubetc_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: float3(single, cubeT)},
		{Enc: VOP3, Code: 0x1c7, Name: "v_cubema_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: float3(single, cubeMajor)},
		{Enc: VOP3, Code: 0x1c8, Name: "v_bfe_u32", dst: u32, src: srcs(u32, u32, u32),
			fast: exact(vec.BfeU), vec: bfeU32},
		{Enc: VOP3, Code: 0x1c9, Name: "v_bfe_i32", dst: i32, src: srcs(i32, u32, u32),
			fast: exact(vec.BfeI), vec: map3(bfeI32)},
		{Enc: VOP3, Code: 0x1ca, Name: "v_bfi_b32", dst: b32, src: srcs(b32, b32, b32),
			fast: exact(vec.Bfi), vec: map3(func(a, b, c uint64) uint64 { return a&b | ^a&c })},
		{Enc: VOP3, Code: 0x1cb, Name: "v_fma_f32", dst: f32, src: srcs(f32, f32, f32),
			fast: single32(vec.FmaF32), vec: fmaF32},
		{Enc: VOP3, Code: 0x1cc, Name: "v_fma_f64", dst: f64, src: srcs(f64, f64, f64),
			fast: double64(vec.FmaF64), native: ofDoubles(fmaPair, octetFma64), vec: fmaF64},
		{Enc: VOP3, Code: 0x1cd, Name: "v_lerp_u8", dst: b32, src: srcs(b32, b32, b32), vec: map3(lerpU8)},
		{Enc: VOP3, Code: 0x1ce, Name: "v_alignbit_b32", dst: b32, src: srcs(b32, b32, u32),
			flag: opSel | clamps, native: ofDwords(alignBits),
			vec: map3(func(a, b, c uint64) uint64 { return (a<<32 | b) >> (c & 31) })},
		{Enc: VOP3, Code: 0x1cf, Name: "v_alignbyte_b32", dst: b32, src: srcs(b32, b32, u32),
			flag: opSel | clamps, vec: map3(
				func(a, b, c uint64) uint64 { return (a<<32 | b) >> (c & 3 * 8) })},
		{Enc: VOP3, Code: 0x1d0, Name: "v_min3_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: ofThree(vec.MinF32, float3(single, min3))},
		{Enc: VOP3, Code: 0x1d1, Name: "v_min3_i32", dst: i32, src: srcs(i32, i32, i32), vec: fold(minI32)},
		{Enc: VOP3, Code: 0x1d2, Name: "v_min3_u32", dst: u32, src: srcs(u32, u32, u32), vec: fold(minU)},
		{Enc: VOP3, Code: 0x1d3, Name: "v_max3_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: ofThree(vec.MaxF32, float3(single, max3))},
		{Enc: VOP3, Code: 0x1d4, Name: "v_max3_i32", dst: i32, src: srcs(i32, i32, i32), vec: fold(maxI32)},
		{Enc: VOP3, Code: 0x1d5, Name: "v_max3_u32", dst: u32, src: srcs(u32, u32, u32), vec: fold(maxU)},
		{Enc: VOP3, Code: 0x1d6, Name: "v_med3_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: med32},
		{Enc: VOP3, Code: 0x1d7, Name: "v_med3_i32", dst: i32, src: srcs(i32, i32, i32),
			vec: map3(med3(minI32, maxI32))},
		{Enc: VOP3, Code: 0x1d8, Name: "v_med3_u32", dst: u32, src: srcs(u32, u32, u32),
			vec: map3(med3(minU, maxU))},
		{Enc: VOP3, Code: 0x1d9, Name: "v_sad_u8", dst: u32, src: srcs(b32, b32, u32),
			vec: map3(func(a, b, c uint64) uint64 { return sadU8(a, b, false) + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satU32(int64(sadU8(a, b, false) + c)) })},
		{Enc: VOP3, Code: 0x1da, Name: "v_sad_hi_u8", dst: u32, src: srcs(b32, b32, u32),
			vec: map3(func(a, b, c uint64) uint64 { return sadU8(a, b, false)<<16 + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satU32(int64(sadU8(a, b, false)<<16 + c)) })},
		{Enc: VOP3, Code: 0x1db, Name: "v_sad_u16", dst: u32, src: srcs(b32, b32, u32),
			vec: map3(func(a, b, c uint64) uint64 { return sadU16(a, b) + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satU32(int64(sadU16(a, b) + c)) })},
		{Enc: VOP3, Code: 0x1dc, Name: "v_sad_u32", dst: u32, src: srcs(u32, u32, u32),
			vec: map3(func(a, b, c uint64) uint64 { return max(a, b) - min(a, b) + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satU32(int64(max(a, b) - min(a, b) + c)) })},
		{Enc: VOP3, Code: 0x1dd, Name: "v_cvt_pk_u8_f32", dst: b32, src: srcs(f32, u32, b32), flag: clamps,
			vec: cvtPkU8F32},
		{Enc: VOP3, Code: 0x1e4, Name: "v_msad_u8", dst: u32, src: srcs(b32, b32, u32),
			vec: map3(func(a, b, c uint64) uint64 { return sadU8(a, b, true) + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satU32(int64(sadU8(a, b, true) + c)) })},
		{Enc: VOP3, Code: 0x1e5, Name: "v_qsad_pk_u16_u8", dst: b64, src: srcs(b64, b32, b64), flag: clamps,
			vec: map3(qsad(false)), sat: map3(qsadSat(false))},
		{Enc: VOP3, Code: 0x1e6, Name: "v_mqsad_pk_u16_u8", dst: b64, src: srcs(b64, b32, b64), flag: clamps,
			vec: map3(qsad(true)), sat: map3(qsadSat(true))},
		{Enc: VOP3, Code: 0x1e7, Name: "v_mqsad_u32_u8", dst: b128, src: srcs(b64, b32, b128), flag: clamps,
			run: mqsadU32U8},
		{Enc: VOP3, Code: 0x1e8, Name: "v_mad_u64_u32", dst: u64, src: srcs(u32, u32, u64),
			flag: writesVCC | clamps, fast: exact(vec.MadU64),
			native: lonely{emit: madPair, octets: &octetPair{compares: true, emit: octetMad64}},
			vec:    madU64U32},
		{Enc: VOP3, Code: 0x1e9, Name: "v_mad_i64_i32", dst: i64, src: srcs(i32, i32, i64),
			flag: writesVCC | clamps, vec: madI64I32},
		{Enc: VOP3, Code: 0x1ea, Name: "v_mad_legacy_f16", dst: f16, src: srcs(f16, f16, f16),
			vec: float3(half16, format.Mad)},
		{Enc: VOP3, Code: 0x1eb, Name: "v_mad_legacy_u16", dst: u16, src: srcs(u16, u16, u16),
			vec: map3(madU16), sat: map3(madSatU16)},
		{Enc: VOP3, Code: 0x1ec, Name: "v_mad_legacy_i16", dst: i16, src: srcs(i16, i16, i16),
			vec: map3(madU16), sat: map3(madSatI16)},
		{Enc: VOP3, Code: 0x1ed, Name: "v_perm_b32", dst: b32, src: srcs(b32, b32, b32),
			native: lonely{emit: permCode}, vec: map3(permB32)},
		{Enc: VOP3, Code: 0x1ee, Name: "v_fma_legacy_f16", dst: f16, src: srcs(f16, f16, f16),
			vec: float3(half16, format.FMAPlain)},
		{Enc: VOP3, Code: 0x1f0, Name: "v_cvt_pkaccum_u8_f32", dst: b32, src: srcs(f32, u32, b32),
			flag: readsDst | clamps, vec: cvtPkU8F32},
		{Enc: VOP3, Code: 0x1f1, Name: "v_mad_u32_u16", dst: u32, src: srcs(u16, u16, u32), flag: opSel,
			vec: map3(func(a, b, c uint64) uint64 { return a&0xffff*(b&0xffff) + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satU32(int64(a&0xffff*(b&0xffff) + c)) })},
		{Enc: VOP3, Code: 0x1f2, Name: "v_mad_i32_i16", dst: i32, src: srcs(i16, i16, i32), flag: opSel,
			vec: map3(func(a, b, c uint64) uint64 { return uint64(i16s(a)*i16s(b)) + c }),
			sat: map3(func(a, b, c uint64) uint64 { return satI32(i16s(a)*i16s(b) + int64(int32(c))) })},
		{Enc: VOP3, Code: 0x1f3, Name: "v_xad_u32", dst: u32, src: srcs(u32, u32, u32),
			fast: exact(vec.XorAdd), vec: map3(func(a, b, c uint64) uint64 { return a ^ b + c })},
		{Enc: VOP3, Code: 0x1f4, Name: "v_min3_f16", dst: f16, src: srcs(f16, f16, f16), flag: opSel,
			vec: float3(half16, min3)},
		{Enc: VOP3, Code: 0x1f5, Name: "v_min3_i16", dst: i16, src: srcs(i16, i16, i16), flag: opSel | clamps,
			vec: fold(minI16)},
		{Enc: VOP3, Code: 0x1f6, Name: "v_min3_u16", dst: u16, src: srcs(u16, u16, u16), flag: opSel | clamps,
			vec: fold(minU16)},
		{Enc: VOP3, Code: 0x1f7, Name: "v_max3_f16", dst: f16, src: srcs(f16, f16, f16), flag: opSel,
			vec: float3(half16, max3)},
		{Enc: VOP3, Code: 0x1f8, Name: "v_max3_i16", dst: i16, src: srcs(i16, i16, i16), flag: opSel | clamps,
			vec: fold(maxI16)},
		{Enc: VOP3, Code: 0x1f9, Name: "v_max3_u16", dst: u16, src: srcs(u16, u16, u16), flag: opSel | clamps,
			vec: fold(maxU16)},
		{Enc: VOP3, Code: 0x1fa, Name: "v_med3_f16", dst: f16, src: srcs(f16, f16, f16), flag: opSel,
			vec: float3(half16, format.Median)},
		{Enc: VOP3, Code: 0x1fb, Name: "v_med3_i16", dst: i16, src: srcs(i16, i16, i16), flag: opSel | clamps,
			vec: map3(med3(minI16, maxI16))},
		{Enc: VOP3, Code: 0x1fc, Name: "v_med3_u16", dst: u16, src: srcs(u16, u16, u16), flag: opSel | clamps,
			vec: map3(med3(minU16, maxU16))},
		{Enc: VOP3, Code: 0x1fd, Name: "v_lshl_add_u32", dst: u32, src: srcs(u32, u32, u32),
			fast: exact(vec.ShlAdd), vec: lshlAddU32},
		{Enc: VOP3, Code: 0x1fe, Name: "v_add_lshl_u32", dst: u32, src: srcs(u32, u32, u32),
			fast: exact(vec.AddShl), vec: map3(func(a, b, c uint64) uint64 { return (a + b) << (c & 31) })},
		{Enc: VOP3, Code: 0x1ff, Name: "v_add3_u32", dst: u32, src: srcs(u32, u32, u32),
			fast: exact(vec.Add3), vec: add3U32},
		{Enc: VOP3, Code: 0x200, Name: "v_lshl_or_b32", dst: b32, src: srcs(b32, u32, b32),
			fast: exact(vec.ShlOr), vec: lshlOrB32},
		{Enc: VOP3, Code: 0x201, Name: "v_and_or_b32", dst: b32, src: srcs(b32, b32, b32),
			fast: exact(vec.AndOr), vec: andOrB32},
		{Enc: VOP3, Code: 0x202, Name: "v_or3_b32", dst: b32, src: srcs(b32, b32, b32),
			fast: exact(vec.Or3), vec: or3B32},
		{Enc: VOP3, Code: 0x203, Name: "v_mad_f16", dst: f16, src: srcs(f16, f16, f16), flag: opSel,
			vec: float3(half16, format.Mad)},
		{Enc: VOP3, Code: 0x204, Name: "v_mad_u16", dst: u16, src: srcs(u16, u16, u16), flag: opSel,
			vec: map3(madU16), sat: map3(madSatU16)},
		{Enc: VOP3, Code: 0x205, Name: "v_mad_i16", dst: i16, src: srcs(i16, i16, i16), flag: opSel,
			vec: map3(madU16), sat: map3(madSatI16)},
		{Enc: VOP3, Code: 0x206, Name: "v_fma_f16", dst: f16, src: srcs(f16, f16, f16), flag: opSel,
			vec: fmaF16},
		{Enc: VOP3, Code: 0x208, Name: "v_lshl_add_u64", dst: u64, src: srcs(u64, u32, u64), on: gfx942P,
			fast: exact(vec.ShlAdd64), native: ofPairs(shiftAddPair, octetShiftAdd64), vec: lshlAddU64},
		{Enc: VOP3, Code: 0x280, Name: "v_add_f64", dst: f64, src: srcs(f64, f64),
			fast: double64(vec.AddF64), native: ofDoubles(binaryPair(vaddpd), octetBinary64(vaddpd)),
			vec: addF64},
		{Enc: VOP3, Code: 0x281, Name: "v_mul_f64", dst: f64, src: srcs(f64, f64),
			fast: double64(vec.MulF64), native: ofDoubles(binaryPair(vmulpd), octetBinary64(vmulpd)),
			vec: mulF64},
		{Enc: VOP3, Code: 0x282, Name: "v_min_f64", dst: f64, src: srcs(f64, f64),
			vec: float2(double, format.Minimum)},
		{Enc: VOP3, Code: 0x283, Name: "v_max_f64", dst: f64, src: srcs(f64, f64),
			vec: float2(double, format.Maximum)},
		{Enc: VOP3, Code: 0x284, Name: "v_ldexp_f64", dst: f64, src: srcs(f64, i32),
			native: double1(noNaNPairs(ldexpPair)), vec: ldexp64},
		{Enc: VOP3, Code: 0x285, Name: "v_mul_lo_u32", dst: u32, src: srcs(u32, u32),
			fast: exact(vec.Mul), vec: mulLoU32},
		{Enc: VOP3, Code: 0x286, Name: "v_mul_hi_u32", dst: u32, src: srcs(u32, u32),
			fast: exact(vec.MulHiU), vec: mulHiU32},
		{Enc: VOP3, Code: 0x287, Name: "v_mul_hi_i32", dst: i32, src: srcs(i32, i32),
			fast: exact(vec.MulHiI),
			vec:  map2(func(a, b uint64) uint64 { return uint64(int64(int32(a)) * int64(int32(b)) >> 32) })},
		{Enc: VOP3, Code: 0x288, Name: "v_ldexp_f32", dst: f32, src: srcs(f32, i32),
			native: single1(ldexpCode, octetLdexp), vec: ldexp32},
		{Enc: VOP3, Code: 0x289, Name: "v_readlane_b32", dst: sdst32, src: srcs(b32, ssrc32), flag: spills,
			native: oddForm(readLaneCode), run: readLane},
		{Enc: VOP3, Code: 0x28a, Name: "v_writelane_b32", dst: b32, src: srcs(ssrc32, ssrc32), flag: spills,
			native: oddForm(writeLaneCode), run: writeLane},
		{Enc: VOP3, Code: 0x28b, Name: "v_bcnt_u32_b32", dst: u32, src: srcs(b32, u32),
			vec: map2(func(a, b uint64) uint64 { return uint64(bits.OnesCount32(uint32(a))) + b })},
		{Enc: VOP3, Code: 0x28c, Name: "v_mbcnt_lo_u32_b32", dst: u32, src: srcs(b32, u32),
			native: lanesBefore(false), vec: mbcntLo},
		{Enc: VOP3, Code: 0x28d, Name: "v_mbcnt_hi_u32_b32", dst: u32, src: srcs(b32, u32),
			native: lanesBefore(true), vec: mbcntHi},
		{Enc: VOP3, Code: 0x28f, Name: "v_lshlrev_b64", dst: b64, src: srcs(u32, b64),
			fast: exact(vec.ShlRev64), native: ofPairs(shiftPair(vpsllvq), octetShift64(vpsllvq)),
			vec: lshlrevB64},
		{Enc: VOP3, Code: 0x290, Name: "v_lshrrev_b64", dst: b64, src: srcs(u32, b64),
			fast: exact(vec.ShrRev64), native: ofPairs(shiftPair(vpsrlvq), octetShift64(vpsrlvq)),
			vec: lshrrevB64},
		{Enc: VOP3, Code: 0x291, Name: "v_ashrrev_i64", dst: i64, src: srcs(u32, i64),
			fast: exact(vec.SarRev64), native: ofPairs(shiftPair(vpsravq), octetSar64),
			vec: map2(func(a, b uint64) uint64 { return uint64(int64(b) >> (a & 63)) })},
		{Enc: VOP3, Code: 0x292, Name: "v_trig_preop_f64", dst: f64, src: srcs(f64, u32),
			vec: float2(double, trigPreop)},
		{Enc: VOP3, Code: 0x293, Name: "v_bfm_b32", dst: b32, src: srcs(u32, u32),
			vec: map2(func(a, b uint64) uint64 { return (1<<(a&31) - 1) << (b & 31) })},
		{Enc: VOP3, Code: 0x294, Name: "v_cvt_pknorm_i16_f32", dst: v2i16, src: srcs(f32, f32), flag: clamps,
			vec: packNorm(single, snorm16)},
		{Enc: VOP3, Code: 0x295, Name: "v_cvt_pknorm_u16_f32", dst: v2u16, src: srcs(f32, f32), flag: clamps,
			vec: packNorm(single, unorm16)},
		{Enc: VOP3, Code: 0x296, Name: "v_cvt_pkrtz_f16_f32", dst: v2f16, src: srcs(f32, f32), vec: cvtPkRTZ},
		{Enc: VOP3, Code: 0x297, Name: "v_cvt_pk_u16_u32", dst: v2u16, src: srcs(u32, u32),
			vec: map2(
				func(a, b uint64) uint64 { return min(a, math.MaxUint16) | min(b, math.MaxUint16)<<16 })},
		{Enc: VOP3, Code: 0x298, Name: "v_cvt_pk_i16_i32", dst: v2i16, src: srcs(i32, i32),
			vec: map2(
				func(a, b uint64) uint64 { return satI16(int64(int32(a))) | satI16(int64(int32(b)))<<16 })},
		{Enc: VOP3, Code: 0x299, Name: "v_cvt_pknorm_i16_f16", dst: v2i16, src: srcs(f16, f16),
			flag: clamps | opSel, vec: packNorm(half16, snorm16)},
		{Enc: VOP3, Code: 0x29a, Name: "v_cvt_pknorm_u16_f16", dst: v2u16, src: srcs(f16, f16),
			flag: clamps | opSel, vec: packNorm(half16, unorm16)},
		{Enc: VOP3, Code: 0x29c, Name: "v_add_i32", dst: i32, src: srcs(i32, i32),
			fast: exact(vec.Add), vec: addU32,
			sat: map2(func(a, b uint64) uint64 { return satI32(int64(int32(a)) + int64(int32(b))) })},
		{Enc: VOP3, Code: 0x29d, Name: "v_sub_i32", dst: i32, src: srcs(i32, i32),
			fast: exact(vec.Sub), vec: subU32,
			sat: map2(func(a, b uint64) uint64 { return satI32(int64(int32(a)) - int64(int32(b))) })},
		{Enc: VOP3, Code: 0x29e, Name: "v_add_i16", dst: i16, src: srcs(i16, i16), flag: opSel,
			vec: map2(addU16), sat: map2(func(a, b uint64) uint64 { return satI16(i16s(a) + i16s(b)) })},
		{Enc: VOP3, Code: 0x29f, Name: "v_sub_i16", dst: i16, src: srcs(i16, i16), flag: opSel,
			vec: map2(subU16), sat: map2(func(a, b uint64) uint64 { return satI16(i16s(a) - i16s(b)) })},
		{Enc: VOP3, Code: 0x2a0, Name: "v_pack_b32_f16", dst: b32, src: srcs(f16, f16), flag: opSel | clamps,
			native: ofDwords(packWords), vec: map2(func(a, b uint64) uint64 { return a&0xffff | b<<16 })},
		{Enc: VOP3, Code: 0x2a1, Name: "v_mul_legacy_f32", dst: f32, src: srcs(f32, f32), on: gfx90aP,
			vec: float2(single, mulLegacy)},
	}
}

func madLegacy(f format, a, b, c uint64, e env) uint64 {
	e.KeepIn, e.KeepOut = false, false
	return f.Add(mulLegacy(f, a, b, e), c, e)
}

func bfeI32(a, b, c uint64) uint64 {
	width := c & 31
	if width == 0 {
		return 0
	}
	v := int32(a) >> (b & 31)
	return uint64(v << (32 - width) >> (32 - width))
}

func lerpU8(a, b, c uint64) uint64 {
	var r uint64
	for i := 0; i < 32; i += 8 {
		r |= (a>>i&0xff + b>>i&0xff + c>>i&1) >> 1 << i
	}
	return r
}

// fold makes a function of three operands from one of two.
func fold(f func(a, b uint64) uint64) func(*lanes) {
	return map3(func(a, b, c uint64) uint64 { return f(f(a, b), c) })
}

func med3(lo, hi func(a, b uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 { return hi(lo(a, b), lo(hi(a, b), c)) }
}

func min3(f format, a, b, c uint64, e env) uint64 { return f.Minimum(f.Minimum(a, b, e), c, e) }
func max3(f format, a, b, c uint64, e env) uint64 { return f.Maximum(f.Maximum(a, b, e), c, e) }

// sadU8 is the sum of the absolute differences of four bytes; masked leaves
// out those for which the reference b is 0.
func sadU8(a, b uint64, masked bool) uint64 {
	var sum uint64
	for i := 0; i < 32; i += 8 {
		p, q := a>>i&0xff, b>>i&0xff
		if !masked || q != 0 {
			sum += max(p, q) - min(p, q)
		}
	}
	return sum
}

func sadU16(a, b uint64) uint64 {
	var sum uint64
	for i := 0; i < 32; i += 16 {
		p, q := a>>i&0xffff, b>>i&0xffff
		sum += max(p, q) - min(p, q)
	}
	return sum
}

// qsad is four sums, each of the four bytes of a from another byte on.
func qsad(masked bool) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		var r uint64
		for i := range 4 {
			r |= (sadU8(a>>(8*i), b, masked) + c>>(16*i)) & 0xffff << (16 * i)
		}
		return r
	}
}

func qsadSat(masked bool) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		var r uint64
		for i := range 4 {
			r |= min(sadU8(a>>(8*i), b, masked)+c>>(16*i)&0xffff, math.MaxUint16) << (16 * i)
		}
		return r
	}
}

// mqsadU32U8 is the sums of qsad with masking, each added to a dword.
func mqsadU32U8(c *Core, in *Inst) {
	a, a1, b := c.vector(&in.src[0], 0, 0), c.vector(&in.src[0], 0, 1), c.vector(&in.src[1], 1, 0)
	sums := &c.out
	for i := range sums {
		addend := c.element(&in.src[2], i, 1)
		for l := range sums[i] {
			sums[i][l] = uint32(sadU8(get(l, a, a1)>>(8*i), uint64(b[l]), true)) + addend[l]
		}
	}
	for i := range sums {
		merge(&c.r.V[int(in.dst.reg)+i], &sums[i], c.w.Exec)
	}
}

// madI64I32 gives the 65th bit of the sum as its carry: the sign that it has
// without overflow.
func madI64I32(x *lanes) {
	d, d1, a, b, c, c1 := x.d, x.d1, x.a, x.b, x.c, x.c1
	var out uint64
	for l := range d {
		p := int64(int32(a[l])) * int64(int32(b[l]))
		s := int64(uint64(c[l]) | uint64(c1[l])<<32)
		v := p + s
		d[l], d1[l] = uint32(v), uint32(v>>32)
		out |= uint64(v^(p^v)&(s^v)) >> 63 << l
	}
	x.out = out
}

func i16s(a uint64) int64          { return int64(int16(a)) }
func satI16(v int64) uint64        { return uint64(uint16(max(math.MinInt16, min(v, math.MaxInt16)))) }
func madU16(a, b, c uint64) uint64 { return (a*b + c) & 0xffff }

func madSatU16(a, b, c uint64) uint64 {
	return min(a&0xffff*(b&0xffff)+c&0xffff, math.MaxUint16)
}

func madSatI16(a, b, c uint64) uint64 { return satI16(i16s(a)*i16s(b) + i16s(c)) }

// permB32 makes each byte from one of the 8 of a and b, a sign, 0 or 0xff.
func permB32(a, b, sel uint64) uint64 {
	in := a<<32 | b
	var r uint64
	for i := 0; i < 32; i += 8 {
		var v uint64
		switch s := sel >> i & 0xff; {
		case s < 8:
			v = in >> (8 * s) & 0xff
		case s < 12: // the sign of one of the four words
			v = -(in >> (16*(s-8) + 15) & 1) & 0xff
		case s > 12:
			v = 0xff
		}
		r |= v << i
	}
	return r
}

func ldexp(f format, a, b uint64, e env) uint64 { return f.Ldexp(a, int(int32(b)), e) }

// cvtPkU8F32 puts a converted byte into a place of the third source.
func cvtPkU8F32(x *lanes) {
	e := envOf(single, x.mode)
	x.each3(func(a, b, c uint64) uint64 {
		v := uint64(0)
		if !single.IsNaN(a) {
			v = uint64(toInt(math.RoundToEven(single.Float(single.In(a, e))), 0, math.MaxUint8))
		}
		shift := b & 3 * 8
		return c&^(0xff<<shift) | v<<shift
	})
}

func packNorm(f format, norm func(float64) uint32) func(*lanes) {
	return float2(f, func(f format, a, b uint64, e env) uint64 {
		var r uint64
		for i, v := range [2]uint64{a, b} {
			if !f.IsNaN(v) {
				r |= uint64(norm(f.Float(f.In(v, e)))) << (16 * i)
			}
		}
		return r
	})
}

// cvtPkRTZ rounds towards zero whatever MODE says.
func cvtPkRTZ(x *lanes) {
	mode := x.mode&^ModeRound64 | roundZero<<2
	x.each2(func(a, b uint64) uint64 {
		if p, ok := pkRTZ16(uint32(a)); ok {
			if q, ok := pkRTZ16(uint32(b)); ok {
				return uint64(p | q<<16)
			}
		}
		return convertFloat(single, half16, a, mode) | convertFloat(single, half16, b, mode)<<16
	})
}

func readLane(c *Core, in *Inst) {
	l := c.s32(&in.src[1]) & uint32(c.w.Size-1)
	c.r.S[uint8(in.dst.reg)] = c.vector(&in.src[0], 0, 0)[l&63]
}

func writeLane(c *Core, in *Inst) {
	c.r.V[in.dst.reg][c.s32(&in.src[1])&uint32(c.w.Size-1)&63] = c.s32(&in.src[0])
}

// mbcntLo counts the bits of the mask below the lane, in its low half.
func mbcntLo(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		below := uint32(1<<uint64(min(l, 32)) - 1)
		d[l] = uint32(bits.OnesCount32(a[l]&below)) + b[l]
	}
}

func mbcntHi(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		below := uint32(1<<uint64(max(l-32, 0)) - 1)
		d[l] = uint32(bits.OnesCount32(a[l]&below)) + b[l]
	}
}
