package gcn

import (
	"testing"

	"simtgdb/simt"
)

// scalarCase is one execution of a scalar instruction: sources a and b in
// s[4:5] and s[6:7], the destination s[8:9] with d before.
type scalarCase struct {
	name string
	a, b uint64
	d    uint64
	scc  uint32
	want uint64 // s[8:9] after; for SOPC d
	out  uint32 // SCC after
}

const (
	least32 = 0x8000_0000
	most32  = 0x7fff_ffff
	ones    = 0xffff_ffff
	all64   = ^uint64(0)
	least64 = 1 << 63
)

var sop2Cases = []scalarCase{
	{name: "s_add_u32", a: ones, b: 1, want: 0, out: 1},
	{name: "s_add_u32", a: ones, b: 0, scc: 1, want: ones, out: 0},
	{name: "s_sub_u32", a: 0, b: 1, want: ones, out: 1},
	{name: "s_sub_u32", a: 5, b: 5, scc: 1, want: 0, out: 0},
	{name: "s_add_i32", a: most32, b: 1, want: least32, out: 1},
	{name: "s_add_i32", a: ones, b: 1, scc: 1, want: 0, out: 0},
	{name: "s_add_i32", a: least32, b: ones, want: most32, out: 1},
	{name: "s_sub_i32", a: least32, b: 1, want: most32, out: 1},
	{name: "s_sub_i32", a: 0, b: least32, want: least32, out: 1},
	{name: "s_sub_i32", a: 0, b: 1, scc: 1, want: ones, out: 0},
	{name: "s_addc_u32", a: ones, b: 0, scc: 1, want: 0, out: 1},
	{name: "s_addc_u32", a: ones, b: ones, scc: 1, want: ones, out: 1},
	{name: "s_addc_u32", a: 1, b: 2, scc: 1, want: 4, out: 0},
	{name: "s_subb_u32", a: 0, b: ones, scc: 1, want: 0, out: 1},
	{name: "s_subb_u32", a: 3, b: 1, scc: 1, want: 1, out: 0},
	{name: "s_min_i32", a: ones, b: 1, want: ones, out: 1},
	{name: "s_min_i32", a: 1, b: 1, scc: 1, want: 1, out: 0},
	{name: "s_min_u32", a: ones, b: 1, scc: 1, want: 1, out: 0},
	{name: "s_max_i32", a: ones, b: 1, scc: 1, want: 1, out: 0},
	{name: "s_max_u32", a: ones, b: 1, want: ones, out: 1},
	{name: "s_max_i32", a: ones, b: ones, want: ones, out: 1},
	{name: "s_max_u32", a: 1, b: 1, want: 1, out: 1},
	{name: "s_min_u32", a: 1, b: 1, scc: 1, want: 1, out: 0},
	{name: "s_cselect_b32", a: 1, b: 2, scc: 1, want: 1, out: 1},
	{name: "s_cselect_b32", a: 1, b: 2, scc: 0, want: 2, out: 0},
	{name: "s_cselect_b64", a: 1 << 40, b: 2 << 40, scc: 1, want: 1 << 40, out: 1},
	{name: "s_cselect_b64", a: 1 << 40, b: 2 << 40, want: 2 << 40},
	{name: "s_and_b32", a: 12, b: 10, want: 8, out: 1},
	{name: "s_and_b32", a: 12, b: 3, scc: 1, want: 0, out: 0},
	{name: "s_and_b64", a: 1 << 63, b: all64, want: 1 << 63, out: 1},
	{name: "s_or_b32", a: 12, b: 10, want: 14, out: 1},
	{name: "s_or_b64", a: 0, b: 0, scc: 1, want: 0, out: 0},
	{name: "s_xor_b32", a: 12, b: 10, want: 6, out: 1},
	{name: "s_xor_b64", a: all64, b: all64, scc: 1, want: 0, out: 0},
	{name: "s_andn2_b32", a: 12, b: 10, want: 4, out: 1},
	{name: "s_andn2_b64", a: all64, b: 1, want: all64 - 1, out: 1},
	{name: "s_orn2_b32", a: 0, b: ones, scc: 1, want: 0, out: 0},
	{name: "s_orn2_b64", a: 0, b: 1, want: all64 - 1, out: 1},
	{name: "s_nand_b32", a: ones, b: 1, want: ones - 1, out: 1},
	{name: "s_nand_b64", a: all64, b: all64, scc: 1, want: 0, out: 0},
	{name: "s_nor_b32", a: 1, b: 2, want: ones - 3, out: 1},
	{name: "s_nor_b64", a: all64, b: 0, scc: 1, want: 0, out: 0},
	{name: "s_xnor_b32", a: 12, b: 10, want: ones - 6, out: 1},
	{name: "s_xnor_b64", a: 5, b: 5, want: all64, out: 1},
	{name: "s_lshl_b32", a: 1, b: 31, want: least32, out: 1},
	{name: "s_lshl_b32", a: 1, b: 32, want: 1, out: 1},
	{name: "s_lshl_b32", a: least32, b: 1, scc: 1, want: 0, out: 0},
	{name: "s_lshl_b64", a: 1, b: 63, want: least64, out: 1},
	{name: "s_lshl_b64", a: 1, b: 64, want: 1, out: 1},
	{name: "s_lshr_b32", a: least32, b: 31, want: 1, out: 1},
	{name: "s_lshr_b64", a: least64, b: 63, want: 1, out: 1},
	{name: "s_ashr_i32", a: least32, b: 31, want: ones, out: 1},
	{name: "s_ashr_i64", a: least64, b: 63, want: all64, out: 1},
	{name: "s_bfm_b32", a: 4, b: 8, want: 0xf00},
	{name: "s_bfm_b32", a: 0, b: 8, scc: 1, want: 0, out: 1},
	{name: "s_bfm_b32", a: 31, b: 1, want: 0xffff_fffe},
	{name: "s_bfm_b64", a: 40, b: 8, want: (1<<40 - 1) << 8},
	{name: "s_mul_i32", a: 0x1_0001, b: 0x1_0001, scc: 1, want: 0x2_0001, out: 1},
	{name: "s_bfe_u32", a: 0xabcd_1234, b: 8 | 12<<16, want: 0xd12, out: 1},
	{name: "s_bfe_u32", a: 0xabcd_1234, b: 8, scc: 1, want: 0, out: 0},
	{name: "s_bfe_u32", a: 0xabcd_1234, b: 28 | 12<<16, want: 0xa, out: 1},
	{name: "s_bfe_i32", a: 0xabcd_1234, b: 8 | 12<<16, want: 0xffff_fd12, out: 1},
	{name: "s_bfe_i32", a: 0xabcd_1234, b: 28 | 12<<16, want: 0xffff_fffa, out: 1},
	{name: "s_bfe_i32", a: 0xabcd_1234, b: 0, scc: 1, want: 0, out: 0},
	{name: "s_bfe_i32", a: 0xabcd_1234, b: 0 | 32<<16, want: 0xabcd_1234, out: 1},
	{name: "s_bfe_u64", a: 0x1234_5678_9abc_def0, b: 32 | 16<<16, want: 0x5678, out: 1},
	{name: "s_bfe_u64", a: all64, b: 4 | 64<<16, want: all64 >> 4, out: 1},
	{name: "s_bfe_i64", a: 0x0000_8000_0000_0000, b: 32 | 16<<16, want: 0xffff_ffff_ffff_8000, out: 1},
	{name: "s_absdiff_i32", a: 3, b: 8, want: 5, out: 1},
	{name: "s_absdiff_i32", a: ones, b: ones, scc: 1, want: 0, out: 0},
	{name: "s_mul_hi_u32", a: ones, b: ones, want: ones - 1},
	{name: "s_mul_hi_i32", a: ones, b: ones, want: 0},
	{name: "s_mul_hi_i32", a: least32, b: 2, want: ones},
	{name: "s_lshl1_add_u32", a: 3, b: 4, scc: 1, want: 10, out: 0},
	{name: "s_lshl1_add_u32", a: least32, b: 4, want: 4, out: 1},
	{name: "s_lshl2_add_u32", a: 3, b: 4, want: 16},
	{name: "s_lshl3_add_u32", a: 3, b: ones, want: 23, out: 1},
	{name: "s_lshl4_add_u32", a: 3, b: 4, want: 52},
	{name: "s_pack_ll_b32_b16", a: 0x1111_2222, b: 0x3333_4444, want: 0x4444_2222},
	{name: "s_pack_lh_b32_b16", a: 0x1111_2222, b: 0x3333_4444, want: 0x3333_2222},
	{name: "s_pack_hh_b32_b16", a: 0x1111_2222, b: 0x3333_4444, want: 0x3333_1111},
}

var sop1Cases = []scalarCase{
	{name: "s_mov_b32", a: 7, want: 7},
	{name: "s_mov_b64", a: 1<<40 | 7, want: 1<<40 | 7},
	{name: "s_cmov_b32", a: 7, d: 9, want: 9},
	{name: "s_cmov_b32", a: 7, d: 9, scc: 1, want: 7, out: 1},
	{name: "s_cmov_b64", a: 1 << 40, d: 9, scc: 1, want: 1 << 40, out: 1},
	{name: "s_cmov_b64", a: 1 << 40, d: 9, want: 9},
	{name: "s_not_b32", a: ones, scc: 1, want: 0, out: 0},
	{name: "s_not_b64", a: 1, want: all64 - 1, out: 1},
	{name: "s_wqm_b32", a: 0x0000_1020, want: 0xf0f0, out: 1},
	{name: "s_wqm_b64", a: 1 << 62, want: 0xf << 60, out: 1},
	{name: "s_brev_b32", a: 1, want: least32},
	{name: "s_brev_b64", a: 2, want: 1 << 62},
	{name: "s_bcnt0_i32_b32", a: ones, scc: 1, want: 0, out: 0},
	{name: "s_bcnt0_i32_b64", a: 1, want: 63, out: 1},
	{name: "s_bcnt1_i32_b32", a: 0xf0, want: 4, out: 1},
	{name: "s_bcnt1_i32_b64", a: 0, scc: 1, want: 0, out: 0},
	{name: "s_ff0_i32_b32", a: 7, want: 3},
	{name: "s_ff0_i32_b32", a: ones, want: ones},
	{name: "s_ff0_i32_b64", a: ones, want: 32},
	{name: "s_ff1_i32_b32", a: 0x50, want: 4},
	{name: "s_ff1_i32_b32", a: 0, scc: 1, want: ones, out: 1},
	{name: "s_ff1_i32_b64", a: 1 << 63, want: 63},
	{name: "s_ff1_i32_b64", a: 0, want: ones},
	{name: "s_flbit_i32_b32", a: 0xff, want: 24},
	{name: "s_flbit_i32_b32", a: 0, want: ones},
	{name: "s_flbit_i32_b64", a: 1, want: 63},
	{name: "s_flbit_i32", a: 0xffff_ff00, want: 24},
	{name: "s_flbit_i32", a: ones, want: ones},
	{name: "s_flbit_i32", a: 0, want: ones},
	{name: "s_flbit_i32_i64", a: 1, want: 63},
	{name: "s_flbit_i32_i64", a: all64 &^ 0xff, want: 56},
	{name: "s_sext_i32_i8", a: 0x180, want: 0xffff_ff80},
	{name: "s_sext_i32_i16", a: 0x1_7fff, want: 0x7fff},
	{name: "s_bitset0_b32", a: 33, d: 3, want: 1},
	{name: "s_bitset0_b64", a: 32, d: all64, want: 0xffff_fffe_ffff_ffff},
	{name: "s_bitset1_b32", a: 31, d: 1, want: least32 | 1},
	{name: "s_bitset1_b64", a: 63, d: 1, want: least64 | 1},
	{name: "s_getpc_b64", want: codeBase + 4},
	{name: "s_quadmask_b32", a: 0x0000_1020, want: 0b1010, out: 1},
	{name: "s_quadmask_b64", a: 1 << 62, want: 1 << 15, out: 1},
	{name: "s_abs_i32", a: ones, want: 1, out: 1},
	{name: "s_abs_i32", a: least32, want: least32, out: 1},
	{name: "s_abs_i32", a: 0, scc: 1, want: 0, out: 0},
	{name: "s_bitreplicate_b64_b32", a: 0x8000_0005, want: 0xc000_0000_0000_0033},
}

var sopcCases = []scalarCase{
	{name: "s_cmp_eq_i32", a: 1, b: 1, out: 1},
	{name: "s_cmp_lg_i32", a: 1, b: 1, scc: 1, out: 0},
	{name: "s_cmp_gt_i32", a: 1, b: ones, out: 1},
	{name: "s_cmp_ge_i32", a: ones, b: ones, out: 1},
	{name: "s_cmp_lt_i32", a: 1, b: ones, scc: 1, out: 0},
	{name: "s_cmp_le_i32", a: ones, b: 1, out: 1},
	{name: "s_cmp_eq_u32", a: 1, b: 2, scc: 1, out: 0},
	{name: "s_cmp_lg_u32", a: 1, b: 2, out: 1},
	{name: "s_cmp_gt_u32", a: 1, b: ones, scc: 1, out: 0},
	{name: "s_cmp_ge_u32", a: ones, b: 1, out: 1},
	{name: "s_cmp_lt_u32", a: 1, b: ones, out: 1},
	{name: "s_cmp_le_u32", a: 2, b: 1, scc: 1, out: 0},
	{name: "s_bitcmp0_b32", a: 2, b: 33, scc: 1, out: 0},
	{name: "s_bitcmp1_b32", a: 2, b: 33, out: 1},
	{name: "s_bitcmp0_b64", a: 1 << 40, b: 40, scc: 1, out: 0},
	{name: "s_bitcmp1_b64", a: 1 << 40, b: 104, out: 1},
	{name: "s_cmp_eq_u64", a: 1 << 40, b: 1 << 40, out: 1},
	{name: "s_cmp_lg_u64", a: 1 << 40, b: 0, out: 1},
}

// sopkCases have the immediate as b.
var sopkCases = []scalarCase{
	{name: "s_movk_i32", b: 0x8000, want: 0xffff_8000},
	{name: "s_cmovk_i32", b: 5, d: 9, want: 9},
	{name: "s_cmovk_i32", b: 5, d: 9, scc: 1, want: 5, out: 1},
	{name: "s_cmpk_eq_i32", d: ones, b: 0xffff, want: ones, out: 1},
	{name: "s_cmpk_lg_i32", d: ones, b: 0xffff, scc: 1, want: ones},
	{name: "s_cmpk_gt_i32", d: 1, b: 0xffff, want: 1, out: 1},
	{name: "s_cmpk_ge_i32", d: 1, b: 2, scc: 1, want: 1},
	{name: "s_cmpk_lt_i32", d: ones, b: 0, want: ones, out: 1},
	{name: "s_cmpk_le_i32", d: 3, b: 3, want: 3, out: 1},
	{name: "s_cmpk_eq_u32", d: ones, b: 0xffff, scc: 1, want: ones},
	{name: "s_cmpk_lg_u32", d: 0xffff, b: 0xffff, scc: 1, want: 0xffff},
	{name: "s_cmpk_gt_u32", d: ones, b: 0xffff, want: ones, out: 1},
	{name: "s_cmpk_ge_u32", d: 0xfffe, b: 0xffff, scc: 1, want: 0xfffe},
	{name: "s_cmpk_lt_u32", d: 0xfffe, b: 0xffff, want: 0xfffe, out: 1},
	{name: "s_cmpk_le_u32", d: 0x10000, b: 0xffff, scc: 1, want: 0x10000},
	{name: "s_addk_i32", d: 5, b: 0xffff, scc: 1, want: 4},
	{name: "s_addk_i32", d: most32, b: 1, want: least32, out: 1},
	{name: "s_mulk_i32", d: 7, b: 0xfffe, scc: 1, want: 0xffff_fff2, out: 1},
}

func TestScalarInstructions(t *testing.T) {
	for _, processor := range asLater("gfx90a") {
		t.Run(processor, func(t *testing.T) { testScalarInstructions(t, processor) })
	}
}

func testScalarInstructions(t *testing.T, processor string) {
	h := newHarnessFor(t, processor).compares()
	encodings := []struct {
		enc    Enc
		encode func(op *Op, c scalarCase) uint32
		cases  []scalarCase
	}{
		{SOP2,
			func(op *Op, c scalarCase) uint32 { return 0x80000000 | uint32(op.Code)<<23 | 8<<16 | 6<<8 | 4 },
			sop2Cases},
		{SOP1, func(op *Op, c scalarCase) uint32 { return 0xbe800000 | 8<<16 | uint32(op.Code)<<8 | 4 },
			sop1Cases},
		{SOPC, func(op *Op, c scalarCase) uint32 { return 0xbf000000 | uint32(op.Code)<<16 | 6<<8 | 4 },
			sopcCases},
		{SOPK, func(op *Op, c scalarCase) uint32 {
			return 0xb0000000 | uint32(op.Code)<<23 | 8<<16 |
				uint32(c.b)
		}, sopkCases},
	}
	for _, e := range encodings {
		tested := map[string]bool{}
		for _, c := range e.cases {
			tested[c.name] = true
			if !h.has(e.enc, c.name) {
				continue
			}
			setPair(h.regs, 4, c.a)
			setPair(h.regs, 6, c.b)
			setPair(h.regs, 8, c.d)
			h.regs.S[regSCC] = c.scc
			h.mustRun([]uint32{e.encode(h.op(e.enc, c.name), c)})
			if got, scc := pair(h.regs, 8), h.regs.S[regSCC]; got != c.want || scc != c.out {
				t.Errorf("%s %#x, %#x (scc %d) = %#x, scc %d; want %#x, scc %d", c.name, c.a, c.b, c.scc, got,
					scc, c.want, c.out)
			}
		}
		// Rows that change PC, EXEC or what other rows do have tests of their own.
		for _, op := range h.isa.tables.rows[e.enc] {
			if op != nil && op.run != nil && !op.ends() && op.flag&writesExec == 0 && !tested[op.Name] &&
				!separate[op.Name] {
				t.Errorf("%s has no test", op.Name)
			}
		}
	}
}

// separate are the rows with tests in other functions.
var separate = map[string]bool{
	"s_movrels_b32": true, "s_movrels_b64": true, "s_movreld_b32": true, "s_movreld_b64": true,
	"s_set_gpr_idx_idx": true, "s_getreg_b32": true,
}

// TestScalarOverlap: the destination may be a source.
func TestScalarOverlap(t *testing.T) {
	h := newHarness(t, "gfx900")
	setPair(h.regs, 4, 0x1_0000_0002)
	setPair(h.regs, 6, 33)
	code := uint32(h.op(SOP2, "s_lshl_b64").Code)
	h.mustRun([]uint32{0x80000000 | code<<23 | 6<<16 | 6<<8 | 4}) // s_lshl_b64 s[6:7], s[4:5], s6
	if got := pair(h.regs, 6); got != 0x4_0000_0000 {
		t.Errorf("s[6:7] = %#x, want 0x400000000", got)
	}
}

func TestSaveExec(t *testing.T) {
	const s, exec = 0x0f0f, 0x00ff
	for _, c := range []struct {
		name      string
		exec, dst uint64
	}{
		{"s_and_saveexec_b64", 0x000f, exec},
		{"s_or_saveexec_b64", 0x0fff, exec},
		{"s_xor_saveexec_b64", 0x0ff0, exec},
		{"s_andn2_saveexec_b64", 0x0f00, exec},
		{"s_orn2_saveexec_b64", ^uint64(0x00f0), exec},
		{"s_nand_saveexec_b64", ^uint64(0x000f), exec},
		{"s_nor_saveexec_b64", ^uint64(0x0fff), exec},
		{"s_xnor_saveexec_b64", ^uint64(0x0ff0), exec},
		{"s_andn1_saveexec_b64", 0x00f0, exec},
		{"s_orn1_saveexec_b64", ^uint64(0x0f00), exec},
		{"s_andn1_wrexec_b64", 0x00f0, 0x00f0},
		{"s_andn2_wrexec_b64", 0x0f00, 0x0f00},
	} {
		h := newHarness(t, "gfx900").compares()
		h.exec(exec)
		setPair(h.regs, 4, s)
		code := uint32(h.op(SOP1, c.name).Code)
		h.mustRun([]uint32{0xbe800000 | 8<<16 | code<<8 | 4})
		if h.w.Exec != c.exec || pair(h.regs, regExec) != c.exec || pair(h.regs,
			8) != c.dst || h.regs.S[regSCC] != 1 {
			t.Errorf("%s: EXEC %#x (register %#x), destination %#x, scc %d; want %#x, %#x, 1",
				c.name, h.w.Exec, pair(h.regs, regExec), pair(h.regs, 8), h.regs.S[regSCC], c.exec, c.dst)
		}
	}
}

// TestWholeWave: EXEC widened to spill registers is no change of the lanes
// that the program means.
func TestWholeWave(t *testing.T) {
	h := newHarness(t, "gfx900")
	h.track()
	h.exec(0xff)
	h.mustRun([]uint32{0xbe8821c1}) // s_or_saveexec_b64 s[8:9], -1
	if h.w.Exec != all64 || h.w.Active() != 0xff {
		t.Errorf("EXEC %#x, active %#x; want all, 0xff", h.w.Exec, h.w.Active())
	}
	h.mustRun([]uint32{0xbefe0108}) // s_mov_b64 exec, s[8:9]
	if h.w.Exec != 0xff || h.w.Active() != 0xff {
		t.Errorf("EXEC %#x, active %#x; want 0xff, 0xff", h.w.Exec, h.w.Active())
	}
	setPair(h.regs, 10, 1)
	h.mustRun([]uint32{0xbefe010a}) // s_mov_b64 exec, s[10:11]
	if h.w.Active() != 1 || h.w.LanePC(5) != codeBase || h.w.LanePC(0) != codeBase+4 {
		t.Errorf("active %#x, lane 5 at %#x, lane 0 at %#x", h.w.Active(), h.w.LanePC(5), h.w.LanePC(0))
	}
}

func TestBranches(t *testing.T) {
	taken, not := uint64(codeBase+4+8), uint64(codeBase+4)
	for _, c := range []struct {
		name           string
		scc            uint32
		vcc, exec, end uint64
	}{
		{"s_branch", 0, 0, 1, taken},
		{"s_cbranch_scc0", 0, 0, 1, taken}, {"s_cbranch_scc0", 1, 0, 1, not},
		{"s_cbranch_scc1", 1, 0, 1, taken}, {"s_cbranch_scc1", 0, 0, 1, not},
		{"s_cbranch_vccz", 0, 0, 1, taken}, {"s_cbranch_vccz", 0, 1 << 40, 1, not},
		{"s_cbranch_vccnz", 0, 1 << 40, 1, taken}, {"s_cbranch_vccnz", 0, 0, 1, not},
		{"s_cbranch_execz", 0, 0, 0, taken}, {"s_cbranch_execz", 0, 0, 1 << 63, not},
		{"s_cbranch_execnz", 0, 0, 1 << 63, taken}, {"s_cbranch_execnz", 0, 0, 0, not},
		{"s_cbranch_cdbgsys", 1, 1, 1, not},
	} {
		h := newHarness(t, "gfx900").compares()
		h.regs.S[regSCC] = c.scc
		setPair(h.regs, regVCC, c.vcc)
		h.exec(c.exec)
		h.mustRun([]uint32{0xbf800002 | uint32(h.op(SOPP, c.name).Code)<<16})
		if h.w.PC != c.end {
			t.Errorf("%s (scc %d, vcc %#x, exec %#x) goes to %#x, want %#x", c.name, c.scc, c.vcc, c.exec,
				h.w.PC, c.end)
		}
	}
	h := newHarness(t, "gfx900")
	if h.mustRun([]uint32{0xbf82ffff}); h.w.PC != codeBase { // s_branch -1
		t.Errorf("a branch to itself goes to %#x", h.w.PC)
	}
}

// TestCalls makes two calls and returns from them, with a tail call between: recorded, and not.
func TestCalls(t *testing.T) {
	testCalls(t, true)
	testCalls(t, false)
}

func testCalls(t *testing.T, tracked bool) {
	t.Helper()
	h := newHarness(t, "gfx900").compares()
	if tracked {
		h.track()
	}
	const callee, tail = codeBase + 0x100, codeBase + 0x200
	h.isa.FunctionAt = func(addr uint64) bool { return addr == tail }
	setPair(h.regs, 4, callee)
	h.mustRun([]uint32{0xbe9e1e04}) // s_swappc_b64 s[30:31], s[4:5]
	if h.w.PC != callee || pair(h.regs, 30) != codeBase+4 {
		t.Fatalf("call to %#x, return address %#x", h.w.PC, pair(h.regs, 30))
	}
	innermost := func(lane int) *simt.Call {
		if !tracked {
			return nil
		}
		return h.w.Track.Innermost[lane]
	}
	if c := innermost(63); tracked && (c.Count() != 1 || c.Site != codeBase || c.Return != codeBase+4 ||
		c.Target != callee) {
		t.Fatalf("calls of lane 63: %+v", c)
	}
	setPair(h.regs, 4, tail)
	h.mustRun([]uint32{0xbe801d04}) // s_setpc_b64 s[4:5]
	if c := innermost(0); tracked && (c.Count() != 1 || c.Target != tail) || h.w.PC != tail {
		t.Fatalf("calls after a tail call: %+v", c)
	}
	h.mustRun([]uint32{0xbe801d1e}) // s_setpc_b64 s[30:31]
	if h.w.PC != codeBase+4 || innermost(0) != nil {
		t.Fatalf("return to %#x, calls %+v", h.w.PC, innermost(0))
	}
	h.mustRun([]uint32{0xba880010}) // s_call_b64 s[8:9], 16
	if h.w.PC != codeBase+4+64 || pair(h.regs, 8) != codeBase+4 || tracked && innermost(7).Count() != 1 {
		t.Fatalf("s_call_b64 to %#x, return address %#x, calls %+v", h.w.PC, pair(h.regs, 8), innermost(7))
	}
}

func TestEventsOfInstructions(t *testing.T) {
	h := newHarness(t, "gfx900").compares()
	nop := []uint32{0xbf800000}
	for _, c := range []struct {
		word  uint32
		kind  simt.EventKind
		state simt.State
		trap  uint32
	}{
		{0xbf810000, simt.EndEvent, simt.Ended, 0},
		{0xbf8a0000, simt.BarrierEvent, simt.AtBarrier, 0},
		{0xbf920003, simt.TrapEvent, simt.Ready, 3},
	} {
		ev := h.run(nop, []uint32{c.word}, nop)
		if ev.Kind != c.kind || ev.Code != c.trap || ev.PC != codeBase+4 || h.w.PC != codeBase+8 ||
			h.w.State != c.state {
			t.Errorf("%#x: event %v (trap %d) at %#x, pc %#x, state %v", c.word, ev.Kind, ev.Code, ev.PC,
				h.w.PC, h.w.State)
		}
	}
	ev := h.run(nop, []uint32{0xbe801f04}) // s_rfe_b64: has no semantics here
	if ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.IllegalInstruction || h.w.PC != codeBase+4 ||
		h.w.State != simt.Faulted {
		t.Errorf("s_rfe_b64: event %v (%v), pc %#x, state %v", ev.Kind, ev.Fault, h.w.PC, h.w.State)
	}
}

func TestHardwareRegisters(t *testing.T) {
	h := newHarness(t, "gfx90a").compares()
	h.regs.S[regMode] = 0x1f0
	h.mustRun([]uint32{0xb8881901}) // s_getreg_b32 s8, hwreg(HW_REG_MODE, 4, 4)
	if h.regs.S[8] != 0xf {
		t.Errorf("MODE[7:4] = %#x, want 0xf", h.regs.S[8])
	}
	h.regs.S[8] = 0x35
	h.mustRun([]uint32{0xb9081901}) // s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s8
	if h.regs.S[regMode] != 0x150 {
		t.Errorf("MODE = %#x, want 0x150", h.regs.S[regMode])
	}
	h.mustRun([]uint32{0xba001901, 3}) // s_setreg_imm32_b32
	if h.regs.S[regMode] != 0x130 || h.w.PC != codeBase+8 {
		t.Errorf("MODE = %#x, want 0x130; pc %#x", h.regs.S[regMode], h.w.PC)
	}
	h.mustRun([]uint32{0xb888f80f}) // SH_MEM_BASES
	if h.regs.S[8] != 0x1_0002 {
		t.Errorf("SH_MEM_BASES = %#x, want 0x10002", h.regs.S[8])
	}
	h.regs.S[regSCC] = 1
	h.mustRun([]uint32{0xb888f802}) // STATUS
	if h.regs.S[8]&1 != 1 || h.regs.S[8]>>9&1 != 0 || h.regs.S[8]>>10&1 != 1 {
		t.Errorf("STATUS = %#x: want SCC and VCCZ, not EXECZ", h.regs.S[8])
	}
}

// TestMovRel moves by way of M0, and past the last register.
func TestMovRel(t *testing.T) {
	h := newHarness(t, "gfx900").compares()
	h.regs.S[regM0] = 3
	h.regs.S[7], h.regs.S[4] = 77, 44
	h.mustRun([]uint32{0xbe882a04}) // s_movrels_b32 s8, s4
	h.mustRun([]uint32{0xbe8c2c04}) // s_movreld_b32 s12, s4
	if h.regs.S[8] != 77 || h.regs.S[15] != 44 {
		t.Errorf("s8 = %d, s15 = %d; want 77, 44", h.regs.S[8], h.regs.S[15])
	}
	setPair(h.regs, 20, 1<<33)
	h.regs.S[regM0] = 16
	h.mustRun([]uint32{0xbe882b04}) // s_movrels_b64 s[8:9], s[4:5]
	h.mustRun([]uint32{0xbe8c2d14}) // s_movreld_b64 s[12:13], s[20:21]
	if pair(h.regs, 8) != 1<<33 || pair(h.regs, 28) != 1<<33 {
		t.Errorf("s[8:9] = %#x, s[28:29] = %#x; want 1<<33", pair(h.regs, 8), pair(h.regs, 28))
	}
	h.regs.S[regM0] = 98
	if ev := h.run([]uint32{0xbe882a04}); ev.Kind != simt.FaultEvent {
		t.Errorf("s_movrels_b32 past s101: %v, want a fault", ev.Kind)
	}
}

// TestGPRIndexing displaces a source, then the destination.
func TestGPRIndexing(t *testing.T) {
	h := newHarness(t, "gfx900").compares()
	h.vector(7, func(l int) uint32 { return 70 + uint32(l) })
	h.regs.S[4] = 5
	h.mustRun(
		[]uint32{0xbf110104},     // s_set_gpr_idx_on s4, gpr_idx(SRC0)
		[]uint32{0x7e020302},     // v_mov_b32_e32 v1, v2
		[]uint32{0xbf9d0008},     // s_set_gpr_idx_mode gpr_idx(DST)
		[]uint32{0xbe803280 | 9}, // s_set_gpr_idx_idx 9
		[]uint32{0x7e060302},     // v_mov_b32_e32 v3, v2
		[]uint32{0xbf9c0000},     // s_set_gpr_idx_off
		[]uint32{0x7e080307},     // v_mov_b32_e32 v4, v7
	)
	if h.regs.V[1][6] != 76 || h.regs.V[12][6] != h.regs.V[2][6] || h.regs.V[4][6] != 76 ||
		h.regs.V[3][6] != 0 {
		t.Errorf("v1 %d, v12 %d, v4 %d, v3 %d", h.regs.V[1][6], h.regs.V[12][6], h.regs.V[4][6],
			h.regs.V[3][6])
	}
	h.regs.S[4] = 254
	ev := h.run([]uint32{0xbf110104}, []uint32{0x7e020302})
	if ev.Kind != simt.FaultEvent || h.w.PC != codeBase+4 {
		t.Errorf("v_mov_b32 of v[2+254]: %v at %#x, want a fault", ev.Kind, h.w.PC)
	}
}

// TestClockIgnoresHowARunIsCut: time is the same stepping or running.
func TestClockIgnoresHowARunIsCut(t *testing.T) {
	nop, memtime := []uint32{0xbf800000}, []uint32{0xc0900200, 0} // s_memtime s[8:9]
	var got [2]uint64
	for i, step := range []uint64{1, 6} {
		h := newHarness(t, "gfx900").compares()
		h.load(nop, nop, nop, memtime, nop, nop)
		for n := uint64(0); n < 6; n += step {
			h.runBoth(int(step))
		}
		got[i] = pair(h.regs, 8)
	}
	if got[0] != 3 || got[1] != 3 {
		t.Errorf("time %v, want 3 both times", got)
	}
}

func TestScalarMemory(t *testing.T) {
	h := newHarness(t, "gfx900").compares()
	for i := range 64 {
		h.data.Data[4*i] = byte(i)
	}
	setPair(h.regs, 4, dataBase)
	h.regs.S[6] = 16
	load := func(code, dst, flags, w1 uint32) []uint32 {
		return []uint32{0xc0000000 | code<<18 | flags | dst<<6 | 2, w1}
	}
	const imm, soff = 1 << 17, 1 << 14
	h.mustRun(load(0, 8, imm, 8), load(1, 10, imm, 0xb), load(2, 12, 0, 6), load(3, 16, imm|soff, 4|6<<25),
		load(4, 24, imm, 64))
	want := map[int]uint32{8: 2, 10: 2, 11: 3, 12: 4, 15: 7, 16: 5, 23: 12, 24: 16, 39: 31}
	for r, v := range want {
		if h.regs.S[r] != v {
			t.Errorf("s%d = %d, want %d", r, h.regs.S[r], v)
		}
	}
	setPair(h.regs, 4, dataBase+64)
	h.mustRun(load(0, 8, imm, 0x1ffffc)) // offset -4
	if h.regs.S[8] != 15 {
		t.Errorf("load at a negative offset = %d, want 15", h.regs.S[8])
	}
	h.mustRun(load(0x11, 24, imm, 0)) // s_store_dwordx2
	if h.data.Data[64] != 16 || h.data.Data[68] != 17 {
		t.Errorf("stored % x", h.data.Data[64:72])
	}

	setPair(h.regs, 4, dataBase+dataSize-8)
	before := h.regs.S
	ev := h.run(load(2, 8, imm, 0))
	if ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.Unmapped || ev.Fault.Addr != dataBase+dataSize-8 ||
		ev.Fault.Size != 16 || h.regs.S != before {
		t.Errorf("load over the end: %v %v", ev.Kind, ev.Fault)
	}
	setPair(h.regs, 4, constBase)
	if ev := h.run(load(0x10, 8, imm,
		0)); ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.Forbidden || !ev.Fault.Write {
		t.Errorf("store to constants: %v %v", ev.Kind, ev.Fault)
	}

	setPair(h.regs, 4, dataBase) // a buffer of 16 bytes
	h.regs.S[6], h.regs.S[7] = 16, 0
	h.regs.S[8], h.regs.S[9] = 99, 99
	h.mustRun(load(8, 8, imm, 12), load(8, 9, imm, 16))
	if h.regs.S[8] != 3 || h.regs.S[9] != 0 {
		t.Errorf("buffer loads = %d, %d; want 3, and 0 past the end", h.regs.S[8], h.regs.S[9])
	}
}
