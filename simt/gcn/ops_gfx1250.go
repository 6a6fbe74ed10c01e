package gcn

import "math"

// Rows that came with gfx1250. What converts between small floats by scales, its packed bfloat16 and its
// matrix instructions, and tensor loads are known by name alone.
var _ = registerLater(gfx1250Rows)

func gfx1250Rows() []Op {
	return []Op{
		{Enc: SOPP, Name: "s_wait_xcnt", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_wait_asynccnt", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_wait_tensorcnt", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_monitor_sleep", imm: numberImm, run: noop},
		{Enc: SOPP, Name: "s_setprio_inc_wg", imm: numberImm, run: noop},
		{Enc: SOPP, Name: "s_set_vgpr_msb", imm: numberImm, flag: setsHigh,
			native: dword(scalarHighBits), run: setHigh},
		{Enc: SOP1, Name: "s_get_shader_cycles_u64", dst: b64, run: readClock},

		{Enc: VOP1, Name: "v_tanh_f32", dst: f32, src: srcs(f32), flag: slow, vec: real1(single, math.Tanh)},
		{Enc: VOP1, Name: "v_tanh_f16", dst: f16, src: srcs(f16), flag: slow, vec: real1(half16, math.Tanh)},
		{Enc: VOP2, Name: "v_add_nc_u64", dst: u64, src: srcs(u64, u64),
			native: ofPairs(binaryPair(vpaddq), octetBinary64(vpaddq)),
			vec:    map2(func(a, b uint64) uint64 { return a + b })},
		{Enc: VOP2, Name: "v_sub_nc_u64", dst: u64, src: srcs(u64, u64),
			native: ofPairs(binaryPair(vpsubq), octetBinary64(vpsubq)),
			vec:    map2(func(a, b uint64) uint64 { return a - b })},
		{Enc: VOP2, Name: "v_mul_u64", dst: u64, src: srcs(u64, u64),
			vec: map2(func(a, b uint64) uint64 { return a * b })},
		{Enc: VOP2, Name: "v_fmamk_f64", dst: f64, src: srcs(f64, f64, f64),
			flag: literal1 | noVOP3 | noSDWA | noDPP, vec: float3(double, format.FMAPlain)},
		{Enc: VOP2, Name: "v_fmaak_f64", dst: f64, src: srcs(f64, f64, f64),
			flag: literal2 | noVOP3 | noSDWA | noDPP, vec: float3(double, format.FMAPlain)},
		{Enc: VOP3, Name: "v_min_u64", dst: u64, src: srcs(u64, u64),
			vec: map2(func(a, b uint64) uint64 { return min(a, b) })},
		{Enc: VOP3, Name: "v_max_u64", dst: u64, src: srcs(u64, u64),
			vec: map2(func(a, b uint64) uint64 { return max(a, b) })},
		{Enc: VOP3, Name: "v_min_i64", dst: i64, src: srcs(i64, i64),
			vec: map2(func(a, b uint64) uint64 { return uint64(min(int64(a), int64(b))) })},
		{Enc: VOP3, Name: "v_max_i64", dst: i64, src: srcs(i64, i64),
			vec: map2(func(a, b uint64) uint64 { return uint64(max(int64(a), int64(b))) })},
		{Enc: VOP3, Name: "v_mad_u32", dst: u32, src: srcs(u32, u32, u32),
			native: ofDwords(madDwords), vec: map3(func(a, b, c uint64) uint64 { return a*b + c })},
		{Enc: VOP3, Name: "v_mad_nc_u64_u32", dst: u64, src: srcs(u32, u32, u64), flag: clamps,
			vec: map3(func(a, b, c uint64) uint64 { return a*b + c })},
		{Enc: VOP3, Name: "v_mad_nc_i64_i32", dst: i64, src: srcs(i32, i32, i64), flag: clamps,
			vec: map3(func(a, b, c uint64) uint64 { return uint64(int64(int32(a))*int64(int32(b))) + c })},
	}
}
