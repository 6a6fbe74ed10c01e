package gcn

import (
	"cmp"
	"fmt"
	"math"
	"testing"
)

// laterRow is an instruction with what it finds in registers and what lane 0, or a scalar register, must
// have after it. The expectations are worked out by hand.
type laterRow struct {
	asm    string
	v      map[int]uint32 // vector registers before, in all lanes
	s      map[int]uint32
	wantV  map[int]uint32
	wantS  map[int]uint32
	lanes  bool // lane l of the sources has 100+l added
	wantIn int  // the lane that is looked at
	on     string
}

// TestLaterRows executes what gfx9 has not got.
func TestLaterRows(t *testing.T) {
	one, two, half := math.Float32bits(1), math.Float32bits(2), uint32(0x3c00)
	type regs = map[int]uint32
	for _, c := range []laterRow{
		// The second instruction of a pair sees what the first one's destination held before.
		{asm: "v_dual_mov_b32 v2, v3 :: v_dual_mov_b32 v3, v2", v: regs{2: 5, 3: 7}, wantV: regs{2: 7, 3: 5}},
		{asm: "v_dual_mul_f32 v2, v4, v5 :: v_dual_add_nc_u32 v3, 3, v2", v: regs{2: 5, 4: two, 5: two},
			wantV: regs{2: math.Float32bits(4), 3: 8}},
		{asm: "v_dual_fmamk_f32 v2, v4, 0x40000000, v5 :: v_dual_lshlrev_b32 v3, 4, v2",
			v: regs{2: 1, 4: two, 5: one}, wantV: regs{2: math.Float32bits(5), 3: 16}},
		{asm: "v_dual_cndmask_b32 v2, v4, v5 :: v_dual_and_b32 v3, 12, v6", v: regs{4: 1, 5: 2, 6: 10},
			s: regs{regVCC: 1}, wantV: regs{2: 2, 3: 8}},
		{asm: "v_mov_b16_e32 v2.h, v4.l", v: regs{2: 0x11112222, 4: 0x33334444}, wantV: regs{2: 0x44442222}},
		{asm: "v_mov_b16_e32 v2.l, v4.h", v: regs{2: 0x11112222, 4: 0x33334444}, wantV: regs{2: 0x11113333}},
		{asm: "v_add_f16_e32 v2.h, v4.h, v5.l", v: regs{2: 7, 4: half << 16, 5: half},
			wantV: regs{2: 0x40000007}},
		{asm: "v_fmamk_f16 v2.l, v4.h, 0x4000, v5.h", v: regs{2: 7 << 16, 4: half << 16, 5: half << 16},
			wantV: regs{2: 7<<16 | 0x4200}},
		{asm: "v_and_b16 v2.h, v4.l, v5.h", v: regs{2: 1, 4: 0xff0, 5: 0xcccc0000},
			wantV: regs{2: 0x0cc00001}},
		{asm: "v_or_b16 v2.l, v4.l, v5.h", v: regs{2: 0, 4: 0xff0, 5: 0x10000}, wantV: regs{2: 0xff1}},
		{asm: "v_xor_b16 v2.l, v4.l, v5.l", v: regs{2: 0, 4: 0xff0, 5: 0xf}, wantV: regs{2: 0xfff}},
		{asm: "v_not_b16_e32 v2.l, v4.l", v: regs{2: 0x50000, 4: 0xff}, wantV: regs{2: 0x5ff00}},
		{asm: "v_cndmask_b16 v2.l, v4.l, v5.h, vcc_lo", v: regs{2: 0, 4: 3, 5: 0x40000}, s: regs{regVCC: 1},
			wantV: regs{2: 4}},
		{asm: "v_cvt_i32_i16_e32 v2, v4.h", v: regs{4: 0x80000000}, wantV: regs{2: 0xffff8000}},
		{asm: "v_cvt_u32_u16_e32 v2, v4.h", v: regs{4: 0x80000000}, wantV: regs{2: 0x8000}},
		{asm: "v_xor3_b32 v2, v4, v5, 8", v: regs{4: 1, 5: 2}, wantV: regs{2: 11}},
		{asm: "v_maxmin_u32 v2, v4, v5, 8", v: regs{4: 1, 5: 20}, wantV: regs{2: 8}},
		{asm: "v_minmax_u32 v2, v4, v5, 8", v: regs{4: 1, 5: 20}, wantV: regs{2: 8}},
		{asm: "v_maxmin_i32 v2, v4, v5, -3", v: regs{4: ^uint32(0), 5: ^uint32(1)},
			wantV: regs{2: ^uint32(2)}},
		{asm: "v_minmax_i32 v2, v4, v5, -3", v: regs{4: ^uint32(0), 5: ^uint32(1)},
			wantV: regs{2: ^uint32(1)}},
		{asm: "v_maxmin_f32 v2, v4, v5, 1.0", v: regs{4: two, 5: 0}, wantV: regs{2: one}},
		{asm: "v_minmax_f32 v2, v4, v5, 1.0", v: regs{4: two, 5: 0}, wantV: regs{2: one}},
		{asm: "v_mov_b32_dpp v2, v4 dpp8:[7,6,5,4,3,2,1,0]", lanes: true, v: regs{4: 0}, wantV: regs{2: 107}},
		{asm: "v_mov_b32_dpp v2, v4 row_share:3 row_mask:0xf bank_mask:0xf", lanes: true, v: regs{4: 0},
			wantIn: 20, wantV: regs{2: 119}},
		{asm: "v_mov_b32_dpp v2, v4 row_xmask:5 row_mask:0xf bank_mask:0xf", lanes: true, v: regs{4: 0},
			wantIn: 17, wantV: regs{2: 120}},
		{asm: "v_add_nc_u32_e64_dpp v2, v4, v4 row_ror:1 row_mask:0xf bank_mask:0xf", lanes: true,
			v: regs{4: 0}, wantIn: 1, wantV: regs{2: 201}},
		{asm: "v_fma_f32 v2, v4, 0x40400000, 1.0", v: regs{4: two}, wantV: regs{2: math.Float32bits(7)}},
		{asm: "v_cmpx_lt_u32_e32 3, v4", v: regs{4: 0}, lanes: true,
			wantS: regs{regExec: 0xffff_ffff, regVCC: 0}},
		{asm: "v_cmp_lt_u32_e64 s5, 110, v4", v: regs{4: 0}, lanes: true, wantS: regs{5: 0xffff_f800, 6: 0}},
		{asm: "s_and_saveexec_b32 s5, s6", s: regs{6: 0xff},
			wantS: regs{5: 0xffff_ffff, regExec: 0xff, regSCC: 1}},
		{asm: "s_and_not1_saveexec_b32 s5, s6", s: regs{6: 0xff}, wantS: regs{5: 0xffff_ffff, regExec: 0,
			regSCC: 0}},
		{asm: "s_and_not0_wrexec_b32 s5, s6", s: regs{6: 0xff},
			wantS: regs{5: 0xffff_ff00, regExec: 0xffff_ff00}},
		{asm: "s_nor_saveexec_b32 s5, s6", s: regs{6: 0xff}, wantS: regs{5: 0xffff_ffff, regExec: 0}},
		{asm: "s_add_u32 null, s6, 1", s: regs{6: 0xffff_ffff}, wantS: regs{regSCC: 1, regExec: 0xffff_ffff}},
		{asm: "s_pack_hl_b32_b16 s5, s6, s7", s: regs{6: 0x12345678, 7: 0xabcd}, wantS: regs{5: 0xabcd1234}},
		{asm: "s_add_f32 s5, s6, 1.0", s: regs{6: two}, wantS: regs{5: math.Float32bits(3)}},
		{asm: "s_sub_f32 s5, s6, 1.0", s: regs{6: two}, wantS: regs{5: one}},
		{asm: "s_mul_f32 s5, s6, s6", s: regs{6: two}, wantS: regs{5: math.Float32bits(4)}},
		{asm: "s_min_f32 s5, s6, 1.0", s: regs{6: two}, wantS: regs{5: one}},
		{asm: "s_max_f32 s5, s6, 1.0", s: regs{6: two}, wantS: regs{5: two}},
		{asm: "s_fmac_f32 s5, s6, s6", s: regs{5: one, 6: two}, wantS: regs{5: math.Float32bits(5)}},
		{asm: "s_add_f16 s5, s6, s6", s: regs{6: half}, wantS: regs{5: 0x4000}},
		{asm: "s_floor_f32 s5, s6", s: regs{6: math.Float32bits(-1.5)}, wantS: regs{5: math.Float32bits(-2)}},
		{asm: "s_ceil_f32 s5, s6", s: regs{6: math.Float32bits(1.5)}, wantS: regs{5: two}},
		{asm: "s_trunc_f32 s5, s6", s: regs{6: math.Float32bits(-1.5)}, wantS: regs{5: math.Float32bits(-1)}},
		{asm: "s_rndne_f32 s5, s6", s: regs{6: math.Float32bits(2.5)}, wantS: regs{5: two}},
		{asm: "s_cvt_f32_i32 s5, s6", s: regs{6: ^uint32(0)}, wantS: regs{5: math.Float32bits(-1)}},
		{asm: "s_cvt_f32_u32 s5, s6", s: regs{6: 2}, wantS: regs{5: two}},
		{asm: "s_cvt_i32_f32 s5, s6", s: regs{6: math.Float32bits(-1.9)}, wantS: regs{5: ^uint32(0)}},
		{asm: "s_cvt_u32_f32 s5, s6", s: regs{6: math.Float32bits(-1.9)}, wantS: regs{5: 0}},
		{asm: "s_cvt_f16_f32 s5, s6", s: regs{6: one}, wantS: regs{5: half}},
		{asm: "s_cvt_f32_f16 s5, s6", s: regs{6: half}, wantS: regs{5: one}},
		{asm: "s_cvt_hi_f32_f16 s5, s6", s: regs{6: half << 16}, wantS: regs{5: one}},
		{asm: "s_cmp_nlt_f32 s6, s7", s: regs{6: 0x7fc00000, 7: 0}, wantS: regs{regSCC: 1}},
		{asm: "s_cmp_lt_f32 s6, s7", s: regs{6: one, 7: two}, wantS: regs{regSCC: 1}},
		{asm: "s_cmp_u_f16 s6, s7", s: regs{6: 0x7e00, 7: 0}, wantS: regs{regSCC: 1}},
		// s4 and s5 say that lanes take those of their row in the opposite order.
		{asm: "v_permlane16_b32 v2, v4, s4, s5", lanes: true, v: regs{4: 0}, wantIn: 18,
			s: regs{4: 0x89abcdef, 5: 0x01234567}, wantV: regs{2: 100 + 29}},
		{asm: "v_permlanex16_b32 v2, v4, s4, s5", lanes: true, v: regs{4: 0}, wantIn: 18,
			s: regs{4: 0x89abcdef, 5: 0x01234567}, wantV: regs{2: 100 + 13}},
		{on: "gfx1200", asm: "v_permlane16_var_b32 v2, v4, v5", lanes: true, v: regs{4: 0, 5: 0}, wantIn: 18,
			wantV: regs{2: 100 + 16 + (118 & 15)}},
		{on: "gfx1200", asm: "v_permlanex16_var_b32 v2, v4, v5", lanes: true, v: regs{4: 0, 5: 0}, wantIn: 18,
			wantV: regs{2: 100 + (118 & 15)}},
		{asm: "v_movrels_b32_e32 v1, v2", s: regs{regM0: 3}, v: regs{5: 77}, wantV: regs{1: 77}},
		{asm: "v_movreld_b32_e32 v1, v2", s: regs{regM0: 3}, v: regs{2: 77}, wantV: regs{4: 77, 1: 0}},
		{asm: "v_movrelsd_b32_e32 v1, v2", s: regs{regM0: 3}, v: regs{5: 77}, wantV: regs{4: 77}},
		{asm: "v_movrelsd_2_b32_e32 v1, v2", s: regs{regM0: 2<<16 | 3}, v: regs{5: 77}, wantV: regs{3: 77}},
		{asm: "v_swap_b16 v1.l, v2.h", v: regs{1: 0x11112222, 2: 0x33334444}, wantV: regs{1: 0x11113333,
			2: 0x22224444}},
		{asm: "v_dot4_i32_iu8 v2, v4, v5, v6 neg_lo:[1,0,0]", v: regs{4: 0xff02, 5: 0xff03, 6: 10},
			wantV: regs{2: ^uint32(238)}},
		{asm: "v_dot4_i32_iu8 v2, v4, v5, v6 neg_lo:[1,1,0] clamp", v: regs{4: 0x7f, 5: 0x7f, 6: 0x7fffffff},
			wantV: regs{2: 0x7fffffff}},
		{asm: "v_dot8_i32_iu4 v2, v4, v5, v6 neg_lo:[0,1,0]", v: regs{4: 0xf2, 5: 0xf3, 6: 0},
			wantV: regs{2: ^uint32(8)}},
		{asm: "v_fmac_dx9_zero_f32_e32 v2, v4, v5", v: regs{2: one, 4: 0x7f800000, 5: 0},
			wantV: regs{2: one}},
		{asm: "v_fma_dx9_zero_f32 v2, v4, v5, v6", v: regs{4: two, 5: two, 6: one},
			wantV: regs{2: math.Float32bits(5)}},
		{asm: "v_cvt_pk_i16_f32 v2, v4, v5", v: regs{4: math.Float32bits(-1.9), 5: math.Float32bits(1e9)},
			wantV: regs{2: 0x7fffffff}},
		{asm: "v_cvt_pk_u16_f32 v2, v4, v5", v: regs{4: math.Float32bits(-1.9), 5: math.Float32bits(1e9)},
			wantV: regs{2: 0xffff0000}},
		{asm: "s_fmaak_f32 s5, s6, s7, 0x3f800000", s: regs{6: two, 7: two},
			wantS: regs{5: math.Float32bits(5)}},
		{asm: "s_fmamk_f32 s5, s6, 0x40000000, s7", s: regs{6: two, 7: one},
			wantS: regs{5: math.Float32bits(5)}},
		{asm: "s_cvt_pk_rtz_f16_f32 s5, s6, s7", s: regs{6: one, 7: 0x40001fff}, wantS: regs{5: 0x40003c00}},
		{on: "gfx1200", asm: "v_s_rcp_f32 s5, -s6", s: regs{6: two}, wantS: regs{5: math.Float32bits(-0.5)}},
		{on: "gfx1200", asm: "v_s_sqrt_f32 s5, 4.0", wantS: regs{5: two}},
		{on: "gfx1200", asm: "v_s_exp_f32 s5, 1.0", wantS: regs{5: two}},
		{on: "gfx1200", asm: "v_s_log_f32 s5, s6", s: regs{6: two}, wantS: regs{5: one}},
		{on: "gfx1200", asm: "v_s_rsq_f32 s5, 4.0", wantS: regs{5: math.Float32bits(0.5)}},
		{on: "gfx1200", asm: "v_s_rcp_f16 s5, s6", s: regs{6: 0x4000}, wantS: regs{5: 0x3800}},
		{on: "gfx1200", asm: "v_s_log_f16 s5, s6", s: regs{6: 0x4000}, wantS: regs{5: half}},
		{on: "gfx1200", asm: "v_dot4_f32_fp8_bf8 v2, v4, v5, v6 neg_lo:[0,0,1]", v: regs{4: 0x3838, 5: 0x3c40,
			6: one},
			wantV: regs{2: two}}, // 1 · 2 + 1 · 1 - 1
		{on: "gfx1250", asm: "v_add_nc_u64_e32 v[2:3], v[4:5], v[6:7]",
			v: regs{4: ^uint32(0), 5: 1, 6: 1, 7: 2}, wantV: regs{2: 0, 3: 4}},
		{on: "gfx1250", asm: "v_sub_nc_u64_e32 v[2:3], 0x123456789abcdef0, v[6:7]", v: regs{6: 0xf0, 7: 0x78},
			wantV: regs{2: 0x9abcde00, 3: 0x12345600}},
		{on: "gfx1250", asm: "v_mul_u64_e32 v[2:3], v[4:5], v[4:5]", v: regs{4: 1, 5: 5},
			wantV: regs{2: 1, 3: 10}},
		{on: "gfx1250", asm: "v_fmamk_f64 v[2:3], v[4:5], 0x4000000000000000, v[6:7]",
			v: regs{4: 0, 5: 0x40000000, 6: 0, 7: 0x3ff00000}, wantV: regs{2: 0, 3: 0x40140000}},
		{on: "gfx1250", asm: "v_fmaak_f64 v[2:3], v[4:5], v[4:5], 0x3ff0000000000000",
			v: regs{4: 0, 5: 0x40000000}, wantV: regs{2: 0, 3: 0x40140000}},
		{on: "gfx1250", asm: "v_min_u64 v[2:3], v[4:5], -1", v: regs{4: 3, 5: 5}, wantV: regs{2: 3, 3: 5}},
		{on: "gfx1250", asm: "v_max_u64 v[2:3], v[4:5], 1", v: regs{4: 3, 5: 5}, wantV: regs{2: 3, 3: 5}},
		{on: "gfx1250", asm: "v_min_i64 v[2:3], v[4:5], -1", v: regs{4: 3, 5: 5}, wantV: regs{2: ^uint32(0),
			3: ^uint32(0)}},
		{on: "gfx1250", asm: "v_max_i64 v[2:3], v[4:5], -1", v: regs{4: 3, 5: 5}, wantV: regs{2: 3, 3: 5}},
		{on: "gfx1250", asm: "v_mad_u32 v2, v4, v5, 7", v: regs{4: 3, 5: 5}, wantV: regs{2: 22}},
		{on: "gfx1250", asm: "v_mad_nc_u64_u32 v[2:3], v4, v5, v[6:7]", v: regs{4: 1 << 31, 5: 4, 6: 1, 7: 1},
			wantV: regs{2: 1, 3: 3}},
		{on: "gfx1250", asm: "v_mad_nc_i64_i32 v[2:3], v4, v5, v[6:7]",
			v: regs{4: ^uint32(0), 5: 4, 6: 1, 7: 0}, wantV: regs{2: ^uint32(2), 3: ^uint32(0)}},
		{on: "gfx1250", asm: "v_tanh_f32_e32 v2, v4", v: regs{4: math.Float32bits(1)},
			wantV: regs{2: math.Float32bits(0.7615942)}},
		{on: "gfx1250", asm: "v_dual_fma_f32 v2, -v4, v5, v6 :: v_dual_bitop2_b32 v4, 12, v5 bitop3:0x40",
			v: regs{4: two, 5: two, 6: one}, wantV: regs{2: math.Float32bits(-3), 4: 0}},
		{on: "gfx1250", asm: "v_dual_cndmask_b32 v3, v5, v6, s3 :: v_dual_bitop2_b32 v2, 12, v4 bitop3:0x54",
			v: regs{4: 3, 5: 8, 6: 9}, s: regs{3: 1}, wantV: regs{2: 15, 3: 9}},
		{on: "gfx1250", asm: "v_dual_add_f64 v[2:3], v[4:5], v[4:5] :: v_dual_mov_b32 v7, v3",
			v: regs{3: 55, 4: 0, 5: 0x3ff00000}, wantV: regs{2: 0, 3: 0x40000000, 7: 55}},
		{on: "gfx1250", asm: "s_add_nc_u64 s[4:5], s[6:7], 0x1000000001", s: regs{6: 1, 7: 1},
			wantS: regs{4: 2, 5: 17}},
		{on: "gfx1200", asm: "s_add_nc_u64 s[4:5], s[6:7], -1", s: regs{6: 0, 7: 5},
			wantS: regs{4: ^uint32(0), 5: 4, regSCC: 0}},
		{on: "gfx1200", asm: "s_sub_nc_u64 s[4:5], s[6:7], 1", s: regs{6: 0, 7: 5, regSCC: 1},
			wantS: regs{4: ^uint32(0), 5: 4, regSCC: 1}},
		{on: "gfx1200", asm: "s_mul_u64 s[4:5], s[6:7], s[6:7]", s: regs{6: 1, 7: 5},
			wantS: regs{4: 1, 5: 10}},
		{on: "gfx1200", asm: "s_add_co_ci_u32 s4, s6, 1", s: regs{6: ^uint32(0), regSCC: 1},
			wantS: regs{4: 1, regSCC: 1}},
		{on: "gfx1200", asm: "s_minimum_f32 s5, s6, 1.0", s: regs{6: 0x7fc00000}, wantS: regs{5: 0x7fc00000}},
		{on: "gfx1200", asm: "s_maximum_f32 s5, s6, 1.0", s: regs{6: two}, wantS: regs{5: two}},
		{on: "gfx1200", asm: "s_minimum_f16 s5, s6, 1.0", s: regs{6: 0x4000}, wantS: regs{5: half}},
		{on: "gfx1200", asm: "s_maximum_f16 s5, s6, 1.0", s: regs{6: 0x4000}, wantS: regs{5: 0x4000}},
		{on: "gfx1200", asm: "s_min_num_f32 s5, s6, 1.0", s: regs{6: 0x7fc00000}, wantS: regs{5: one}},
		{on: "gfx1200", asm: "v_minimum_f32 v2, v4, v5", v: regs{4: one, 5: 0x7fc00000},
			wantV: regs{2: 0x7fc00000}},
		{on: "gfx1200", asm: "v_maximum_f32 v2, v4, v5", v: regs{4: 1 << 31, 5: 0}, wantV: regs{2: 0}},
		{on: "gfx1200", asm: "v_minimum_f16 v2, v4, v5", v: regs{2: 5 << 16, 4: half, 5: 0x4000},
			wantV: regs{2: 5<<16 | half}},
		{on: "gfx1200", asm: "v_maximum_f16 v2, v4, v5 op_sel:[1,0,1]",
			v: regs{2: 5, 4: half << 16, 5: 0x4000}, wantV: regs{2: 0x40000005}},
		{on: "gfx1200", asm: "v_minimum_f64 v[2:3], v[4:5], 1.0", v: regs{4: 0, 5: 0x40000000},
			wantV: regs{2: 0, 3: 0x3ff00000}},
		{on: "gfx1200", asm: "v_maximum_f64 v[2:3], v[4:5], 1.0", v: regs{4: 0, 5: 0x40000000},
			wantV: regs{2: 0, 3: 0x40000000}},
		{on: "gfx1200", asm: "v_minimum3_f16 v2, v4, v5, v6", v: regs{2: 0, 4: half, 5: 0x4000, 6: 0x7e00},
			wantV: regs{2: 0x7e00}},
		{on: "gfx1200", asm: "v_maximum3_f16 v2, v4, v5, v6", v: regs{2: 0, 4: half, 5: 0x4000, 6: 0},
			wantV: regs{2: 0x4000}},
		{on: "gfx1200", asm: "v_minimummaximum_f32 v2, v4, v5, 1.0", v: regs{4: two, 5: 0},
			wantV: regs{2: one}},
		{on: "gfx1200", asm: "v_maximumminimum_f32 v2, v4, v5, 1.0", v: regs{4: two, 5: 0},
			wantV: regs{2: one}},
		{on: "gfx1200", asm: "v_minimummaximum_f16 v2, v4, v5, 1.0", v: regs{2: 0, 4: 0x4000, 5: 0},
			wantV: regs{2: half}},
		{on: "gfx1200", asm: "v_maximumminimum_f16 v2, v4, v5, 1.0", v: regs{2: 0, 4: 0x4000, 5: 0},
			wantV: regs{2: half}},
		{on: "gfx1200", asm: "v_pk_minimum_f16 v2, v4, v5",
			v: regs{4: half<<16 | 0x4000, 5: 0x7e00<<16 | half}, wantV: regs{2: 0x7e00<<16 | half}},
		{on: "gfx1200", asm: "v_pk_maximum_f16 v2, v4, v5",
			v: regs{4: half<<16 | 0x4000, 5: 0x7e00<<16 | half}, wantV: regs{2: 0x7e00<<16 | 0x4000}},
		{on: "gfx1200", asm: "v_add_f64_e32 v[2:3], v[4:5], v[4:5]", v: regs{4: 0, 5: 0x3ff00000},
			wantV: regs{2: 0, 3: 0x40000000}},
		{on: "gfx1200", asm: "v_lshlrev_b64_e32 v[2:3], 4, v[4:5]", v: regs{4: 0xf0000001, 5: 1},
			wantV: regs{2: 16, 3: 31}},
		{on: "gfx1200", asm: "ds_bpermute_fi_b32 v2, v4, v5", lanes: true, v: regs{4: 0, 5: 7}, wantIn: 3,
			wantV: regs{2: 107 + 103/4}},
		{on: "gfx1200", asm: "v_dual_max_num_f32 v2, v4, v5 :: v_dual_min_num_f32 v3, v5, v6", v: regs{4: one,
			5: two, 6: one},
			wantV: regs{2: two, 3: one}},
		// A quad's lanes have 100 to 103 and so on in v4, and -1 in all of v6: lane 1's or lane 2's, times 2,
		// and what is added.
		{asm: "v_interp_p10_f32 v2, v4, v5, v6 wait_exp:0", v: regs{4: one, 5: two, 6: one},
			wantV: regs{2: math.Float32bits(3)}},
		{asm: "v_interp_p2_f32 v2, v4, v5, -v6 wait_exp:0", v: regs{4: one, 5: two, 6: one},
			wantV: regs{2: one}},
		{asm: "v_interp_p10_f16_f32 v2, v4.h, v5, v6.l wait_exp:0", v: regs{4: half << 16, 5: two, 6: half},
			wantV: regs{2: math.Float32bits(3)}},
		{asm: "v_interp_p2_f16_f32 v2.h, v4.l, v5, v6 wait_exp:0", v: regs{2: 7, 4: half, 5: two, 6: one},
			wantV: regs{2: 0x42000007}},
		{asm: "v_interp_p2_rtz_f16_f32 v2.l, v4.l, v5, v6 wait_exp:0",
			v: regs{2: 0, 4: half, 5: 0x40001fff, 6: 0}, wantV: regs{2: 0x4000}},
		{asm: "v_interp_p10_rtz_f16_f32 v2, v4.l, v5, v6.l clamp wait_exp:0",
			v: regs{4: half, 5: two, 6: half}, wantV: regs{2: one}},
		{asm: "v_swaprel_b32 v1, v2", s: regs{regM0: 1<<16 | 3}, v: regs{2: 66, 5: 77},
			wantV: regs{2: 77, 5: 66}},
		{asm: "s_movrelsd_2_b32 s5, s6", s: regs{regM0: 2<<16 | 1, 7: 77}, wantS: regs{7: 77}},
		{on: "gfx1010", asm: "s_movrelsd_2_b32 s5, s6", s: regs{regM0: 3<<16 | 1, 7: 77}, wantS: regs{8: 77}},
		{on: "gfx1010", asm: "s_get_waveid_in_workgroup s5", s: regs{5: 9}, wantS: regs{5: 0}},
		{on: "gfx1010", asm: "v_mac_legacy_f32 v2, v4, v5", v: regs{2: one, 4: 0x7f800000, 5: 0},
			wantV: regs{2: one}},
		{on: "gfx1200", asm: "v_cvt_f32_fp8_e64 v2, v4 byte_sel:2", v: regs{4: 0x00380000},
			wantV: regs{2: one}},
		{on: "gfx1200", asm: "v_cvt_f32_bf8_e64 v2, v4 byte_sel:1", v: regs{4: 0x3c00}, wantV: regs{2: one}},
		{on: "gfx1200", asm: "v_cvt_pk_f32_fp8_e64 v[2:3], v4 op_sel:[1,0]", v: regs{4: 0x40380000},
			wantV: regs{2: one, 3: two}},
		{on: "gfx1250", asm: "v_cvt_f16_fp8_e64 v2, v4 byte_sel:3", v: regs{4: 0x38000000},
			wantV: regs{2: half}},
		{on: "gfx1250", asm: "v_cvt_pk_f16_bf8 v2, v4 op_sel:[1,0]", v: regs{4: 0x403c0000},
			wantV: regs{2: 0x4000<<16 | half}},
		{on: "gfx1250", asm: "v_tanh_bf16_e32 v2, v4", v: regs{2: 5 << 16, 4: 0x3f80},
			wantV: regs{2: 5<<16 | 0x3f43}},
		{on: "gfx1250", asm: "v_pk_add_bf16 v2, v4, 1.0 op_sel_hi:[1,0]", v: regs{4: 0x4000_3f80},
			wantV: regs{2: 0x4040_4000}},
		{on: "gfx1250", asm: "v_fma_mix_f32_bf16 v2, v4, v5, 1.0 op_sel:[1,0,0] op_sel_hi:[1,1,0]",
			v: regs{4: 0x40000000, 5: 0x4040}, wantV: regs{2: math.Float32bits(7)}},
		{on: "gfx1250", asm: "v_add_max_i32 v2, v4, v5, 9 clamp", v: regs{4: 0x7fffffff, 5: 1},
			wantV: regs{2: 0x7fffffff}},
		{on: "gfx1250", asm: "v_add_min_u32 v2, v4, v5, -2 clamp", v: regs{4: ^uint32(0), 5: 1},
			wantV: regs{2: ^uint32(1)}},
		{on: "gfx1250", asm: "v_pk_add_max_u16 v2, v4, v5, v6 clamp", v: regs{4: 0xffff_0001, 5: 0x0001_0001,
			6: 0x0001_0005},
			wantV: regs{2: 0xffff_0005}},
		{on: "gfx1250", asm: "v_pk_add_min_i16 v2, v4, v5, v6 clamp", v: regs{4: 0x7fff_0001, 5: 0x0001_0001,
			6: 0x7fff_0005},
			wantV: regs{2: 0x7fff_0002}},
		{on: "gfx1250", asm: "v_permlane_bcast_b32 v2, v4, s3, s5", lanes: true, v: regs{4: 0}, wantIn: 13,
			s: regs{3: 10, 5: 8}, wantV: regs{2: 110}},
		{on: "gfx1250", asm: "v_permlane_up_b32 v2, v4, s3, s5", lanes: true, v: regs{4: 0}, wantIn: 13,
			s: regs{3: 3, 5: 8}, wantV: regs{2: 110}},
		{on: "gfx1250", asm: "v_permlane_up_b32 v2, v4, s3, s5", lanes: true, v: regs{4: 0}, wantIn: 9,
			s: regs{3: 3, 5: 8}, wantV: regs{2: 0}},
		{on: "gfx1250", asm: "v_permlane_down_b32 v2, v4, s3, s5", lanes: true, v: regs{4: 0}, wantIn: 13,
			s: regs{3: 3, 5: 0}, wantV: regs{2: 116}},
		{on: "gfx1250", asm: "v_permlane_xor_b32 v2, v4, s3, s5", lanes: true, v: regs{4: 0}, wantIn: 13,
			s: regs{3: 5, 5: 16}, wantV: regs{2: 108}},
		{on: "gfx1250", asm: "v_permlane_idx_gen_b32 v2, v4, s3", v: regs{4: 6}, s: regs{3: 3},
			wantV: regs{2: 5}},
		// Item 1 of a table of sixteen is in its lowest bits but one; the first operand is the upper part.
		{on: "gfx1250", asm: "v_perm_pk16_b4_u4 v[2:3], v4, v5, v[6:7]", v: regs{4: 0xfedcba98, 5: 0x76543219,
			6: 0x10f, 7: 8},
			wantV: regs{2: 0x9999919f, 3: 0x99999998}},
		{on: "gfx1250", asm: "v_perm_pk16_b8_u4 v[10:13], v[4:5], v[6:7], v[8:9]",
			v: regs{4: 0xbbaa9988, 5: 0xffeeddcc, 6: 0x33221100, 7: 0x77665544, 8: 0xfedcba98,
				9: 0x76543210},
			wantV: regs{10: 0xbbaa9988, 11: 0xffeeddcc, 12: 0x33221100, 13: 0x77665544}},
		{on: "gfx1250", asm: "v_perm_pk16_b6_u4 v[10:12], v4, v[6:7], v[8:9]",
			v:     regs{4: 0xfc000000, 6: 1, 7: 0, 8: 0xf000000f, 9: 0},
			wantV: regs{10: 0x4104107f, 11: 0x1041fc10, 12: 0x04104104}},
		// A scale of 2 multiplies what becomes a float of 32 bits, and divides what becomes a small one.
		{on: "gfx1250", asm: "v_cvt_scale_pk8_f32_fp8 v[10:17], v[4:5], v6 scale_sel:1",
			v: regs{4: 0x38, 5: 0x40000000, 6: 0x8000}, wantV: regs{10: two, 11: 0, 17: math.Float32bits(4)}},
		{on: "gfx1250", asm: "v_cvt_scale_pk8_f16_fp4 v[10:13], v4, v6", v: regs{4: 0x20000002, 6: 0x7f},
			wantV: regs{10: half, 12: 0, 13: half << 16}},
		{on: "gfx1250", asm: "v_cvt_scale_pk16_bf16_bf6 v[10:17], v[4:6], v7", v: regs{4: 0xc, 5: 0,
			6: 0x30000000, 7: 0x7f},
			wantV: regs{10: 0x3f80, 17: 0x3f80_0000}},
		{on: "gfx1250", asm: "v_cvt_scalef32_pk8_fp8_f16 v[10:11], v[4:7], v8", v: regs{4: half,
			7: 0x4400_0000, 8: two},
			wantV: regs{10: 0x30, 11: 0x40000000}},
		{on: "gfx1250", asm: "v_cvt_scalef32_pk16_fp6_f32 v[20:22], v[4:19], v23", v: regs{4: one, 19: two,
			23: one},
			wantV: regs{20: 8, 22: 0x4000_0000}},
		{on: "gfx1250", asm: "v_cvt_scalef32_sr_pk8_fp4_bf16 v10, v[4:7], v8, v9",
			v: regs{4: 0x3f80, 7: 0x4000_0000, 8: 0, 9: one}, wantV: regs{10: 0x40000002}},
		{asm: "s_denorm_mode 0x3", wantS: regs{regMode: 0x30}},
		{asm: "s_round_mode 0x3", wantS: regs{regMode: 3}},
	} {
		t.Run(c.asm, func(t *testing.T) {
			on := cmp.Or(c.on, "gfx1150")
			r := newVectorRun(t, on)
			r.isa.Kernel.WaveSize = 32
			r.w.Size, r.w.Valid = 32, 1<<32-1
			r.regs.wide = 1<<32 - 1
			setExec(r.w, 1<<32-1)
			for i, v := range c.v {
				for l := range r.regs.V[i] {
					r.regs.V[i][l] = v
					if c.lanes {
						r.regs.V[i][l] += uint32(100 + l)
					}
				}
			}
			if c.wantS[regMode] != 0 {
				r.regs.S[regMode] = 0
			}
			for i, v := range c.s {
				r.regs.S[i] = v
			}
			r.run(t, r.decode(t, llvmAssemble(t, on, []string{c.asm})[0]))
			for i, want := range c.wantV {
				if got := r.regs.V[i][c.wantIn]; got != want {
					t.Errorf("v%d is %#x, want %#x", i, got, want)
				}
			}
			for i, want := range c.wantS {
				if got := r.regs.S[i]; got != want {
					t.Errorf("%s is %#x, want %#x", fmt.Sprint("s", i), got, want)
				}
			}
		})
	}
}
