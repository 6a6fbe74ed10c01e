package gcn

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt/gcn/hazards"
)

// A laterCase is a program of a processor of gfx10 and later, and of waves of 64 lanes behind a stroke:
// instructions of which the last comes too early, and after which of them what keeps the two apart is to
// stand. Each is in laterMIR for LLVM, too.
type laterCase struct {
	processor string
	asm       []string
	cure      string
	at        int
	what      string // what is told of it; "" if nothing is, cure or not
}

var laterCases = []laterCase{
	{"gfx1010", []string{"global_load_dword v1, v2, s[4:5]", "s_mov_b32 s4, s6"}, "s_waitcnt_depctr 0xff03",
		1,
		"s4 is written, which an access to memory may not have read yet: needs a vector instruction or " +
			"s_waitcnt_depctr vm_vsrc(0) between"},
	{"gfx1010", []string{"global_load_dword v1, v2, s[4:5]", "s_mov_b32 s4, s6"}, "v_mov_b32_e32 v9, v8", 1,
		"s4 is written"},
	{"gfx1010", []string{"global_load_dword v1, v2, s[4:5]", "s_mov_b32 exec_lo, s6"}, "s_waitcnt 0x0", 1,
		"exec_lo is written"},
	{"gfx1010", []string{"global_load_dword v1, v2, s[4:5]", "s_load_dword s5, s[8:9], 0x0"}, "v_nop", 1,
		"s5 is written"},
	{"gfx1010", []string{"global_load_dword v1, v2, s[4:5]", "s_mov_b32 s7, s6"}, "", 0, ""},
	{"gfx1030", []string{"global_load_dword v1, v2, s[4:5]", "s_mov_b32 s4, s6"}, "", 0, ""},

	{"gfx1010", []string{"s_load_dword s7, s[4:5], 0x0", "v_readfirstlane_b32 s4, v3"}, "s_mov_b32 null, 0",
		1,
		"a vector instruction writes s4, which a scalar access may not have read yet"},
	{"gfx1010", []string{"s_load_dword s7, s[4:5], 0x0", "v_readfirstlane_b32 s4, v3"},
		"s_waitcnt lgkmcnt(0)", 1,
		"a vector instruction writes s4"},
	{"gfx1010", []string{"s_load_dword s7, s[4:5], 0x0", "s_nop 0", "v_readfirstlane_b32 s4, v3"}, "", 0,
		"a vector instruction writes s4"},

	{"gfx1010", []string{"s_mov_b32 s4, exec_lo", "v_cmpx_eq_u32_e32 v0, v1"}, "s_waitcnt_depctr 0xfffe", 1,
		"a vector instruction writes exec_lo, which another kind of instruction may not have read yet"},
	{"gfx1010", []string{"global_load_dword v1, v2, s[4:5]", "v_cmpx_eq_u32_e32 v0, v1"},
		"v_cmp_eq_u32_e32 vcc_lo, v0, v1",
		1, "a vector instruction writes exec_lo"},

	{"gfx1010", []string{"ds_write_b32 v2, v1", "s_branch 0", "global_load_dword v1, v2, s[4:5]"},
		"s_waitcnt_vscnt null, 0x0", 2, "memory is accessed after LDS and a branch"},
	{"gfx1010", []string{"global_load_dword v1, v2, s[4:5]", "s_branch 0", "ds_write_b32 v2, v1"},
		"s_waitcnt_vscnt null, 0x0", 1, "LDS is accessed after memory and a branch"},
	{"gfx1010", []string{"ds_write_b32 v2, v1", "global_load_dword v1, v2, s[4:5]"}, "", 0, ""},

	{"gfx1010", []string{
		"image_sample_d v[0:3], [v4, v6, v7, v8, v9, v10], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D",
		"buffer_load_dword v1, v2, s[8:11], 0 offen offset:4"}, "s_nop 0", 1,
		"a buffer is accessed with an offset of 2, 4 or 6 modulo 8"},
	{"gfx1010", []string{"s_clause 0x1", "s_nop 0",
		"image_sample_d v[0:3], [v4, v6, v7, v8, v9, v10], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D"},
		"s_nop 0", 2, "an image instruction that lists the registers of its address is in a clause"},

	{"gfx1030", []string{"flat_atomic_fmax v[8:9], v2", "s_denorm_mode 0"}, "s_nop 2", 1,
		"s_denorm_mode follows an atomic operation of floats"},
	{"gfx1030", []string{"flat_atomic_fmax v[8:9], v2", "s_nop 1", "s_denorm_mode 0"}, "s_nop 0", 1,
		"s_denorm_mode follows an atomic operation of floats"},
	{"gfx1100", []string{"v_cmpx_eq_u32_e32 v0, v1", "v_permlane16_b32 v1, v1, s3, s4"},
		"v_mov_b32_e32 v1, v1", 1,
		"lanes are permuted under exec_lo, which v_cmpx has just written"},
	{"gfx1100", []string{"v_cmpx_eq_u32_e32 v0, v1", "v_nop", "v_permlane16_b32 v1, v1, s3, s4"}, "", 0,
		"lanes are permuted under exec_lo"},

	{"gfx1100", []string{"v_mov_b32_e32 v1, v3", "v_mov_b32_e32 v2, v3", "lds_direct_load v1 wait_vdst:2"},
		"s_waitcnt_depctr 0xf9f", 2,
		"a direct load from LDS writes v1, which a vector instruction may not have"},
	{"gfx1100", []string{"v_mov_b32_e32 v1, v3", "v_mov_b32_e32 v2, v3", "lds_direct_load v1 wait_vdst:1"},
		"", 0, ""},
	{"gfx1100", []string{"v_exp_f32_e32 v1, v3", "v_mov_b32_e32 v2, v3", "lds_direct_load v1 wait_vdst:1"},
		"", 0,
		"a direct load from LDS writes v1, which a vector instruction may not have"},
	{"gfx1100", []string{"ds_load_b32 v1, v2", "lds_direct_load v1 wait_vdst:0"}, "s_waitcnt_depctr 0xff83",
		1,
		"a direct load from LDS writes v1, which an access may not have"},
	{"gfx1200", []string{"ds_load_b32 v1, v2", "ds_direct_load v1 wait_va_vdst:0 wait_vm_vsrc:1"}, "v_nop", 1,
		"a direct load from LDS writes v1, which an access may not have"},
	{"gfx1200", []string{"ds_load_b32 v1, v2", "ds_direct_load v1 wait_va_vdst:0 wait_vm_vsrc:0"}, "", 0, ""},

	{"gfx1100/64", []string{"v_mov_b32_e32 v0, v3", "s_mov_b64 exec, s[10:11]", "v_mov_b32_e32 v1, v3",
		"v_add_nc_u32_e32 v2, v0, v1"}, "s_waitcnt_depctr 0xf9f", 3,
		"v0 is read, which was written before EXEC, with a register that was written after that"},
	{"gfx1150/64", []string{"v_mov_b32_e32 v0, v3", "v_nop", "v_nop", "s_mov_b64 exec, s[10:11]",
		"v_mov_b32_e32 v1, v3", "v_nop", "v_nop", "v_nop", "v_nop", "v_add_nc_u32_e32 v2, v0, v1"}, "v_nop",
		9,
		"v0 is read, which was written before EXEC"},
	{"gfx1100/64", []string{"v_mov_b32_e32 v0, v3", "v_nop", "v_nop", "v_nop", "s_mov_b64 exec, s[10:11]",
		"v_mov_b32_e32 v1, v3", "v_add_nc_u32_e32 v2, v0, v1"}, "", 0, ""},
	{"gfx1100", []string{"v_mov_b32_e32 v0, v3", "s_mov_b32 exec_lo, s10", "v_mov_b32_e32 v1, v3",
		"v_add_nc_u32_e32 v2, v0, v1"}, "", 0, ""},

	{"gfx1100", []string{"v_exp_f32_e32 v1, v3", "v_add_f32_e32 v2, v1, v1"}, "s_waitcnt_depctr 0xf9f", 1,
		"v1 is read, which a transcendental instruction has yet to write"},
	{"gfx1100", []string{"v_exp_f32_e32 v1, v3", "v_nop", "v_nop", "v_nop", "v_nop", "v_nop",
		"v_add_f32_e32 v2, v1, v1"}, "v_nop", 1, "v1 is read"},
	{"gfx1100", []string{"v_exp_f32_e32 v1, v3", "v_exp_f32_e32 v6, v3", "v_add_f32_e32 v2, v1, v1"},
		"v_exp_f32_e32 v5, v3", 1, "v1 is read"},
	{"gfx1100", []string{"v_exp_f32_e32 v1, v3", "ds_load_b32 v7, v2", "v_add_f32_e32 v2, v1, v1"}, "", 0,
		""},
	{"gfx1150", []string{"v_exp_f32_e32 v1, v3", "v_add_f32_e32 v2, v1, v1"}, "", 0, ""},
	{"gfx1250", []string{"v_exp_f32_e32 v1, v3", "v_add_f32_e32 v2, v1, v1"}, "v_nop", 1,
		"v1 is read, which a transcendental instruction has yet to write: needs a vector instruction"},
	{"gfx1250", []string{"v_exp_f32_e32 v1, v3", "v_mov_b32_e32 v3, v2"}, "v_nop", 1,
		"v3 is written, which a transcendental instruction may not have read yet"},
	{"gfx1250", []string{"v_exp_f32_e32 v1, v3", "v_exp_f32_e32 v2, v1"}, "", 0, ""},

	{"gfx1100", []string{wmma11(16, 0, 8), wmma11(32, 16, 8)}, "v_nop", 1,
		"v16 is read, which a matrix instruction has yet to write"},
	{"gfx1200", []string{wmma12(16, 0, 8), wmma12(32, 0, 16)}, "v_nop", 1,
		"v16 is read, which a matrix instruction has yet to write"},
	{"gfx1200", []string{wmma12(16, 0, 8), wmma12(32, 0, 8)}, "", 0, ""},

	{"gfx1100/64", []string{"v_cndmask_b32_e64 v1, v1, v2, s0", "s_mov_b32 s1, s7", "s_mov_b32 s6, s1"},
		"s_waitcnt_depctr 0xff9e", 2,
		"s1 is read, which was written just after a vector instruction took it for a mask of lanes"},
	{"gfx1100/64", []string{"v_cndmask_b32_e64 v1, v1, v2, s0", "s_mov_b64 s[0:1], s[10:11]",
		"v_cndmask_b32_e64 v1, v1, v2, s0"}, "s_waitcnt_depctr 0xff9e", 2, "s0 is read"},
	{"gfx1150/64", []string{"v_cndmask_b32_e64 v1, v1, v2, s0", "v_cmp_eq_u32_e64 s0, v0, v2",
		"v_cndmask_b32_e64 v1, v1, v2, s0"}, "s_waitcnt_depctr 0xf19f", 2, "s0 is read"},
	{"gfx1100/64", []string{"v_cndmask_b32_e32 v1, v1, v2, vcc_lo", "v_cmp_eq_u32_e32 vcc_lo, v0, v2",
		"v_cndmask_b32_e32 v1, v1, v2, vcc_lo"}, "s_waitcnt_depctr 0xff9d", 2, "vcc_lo is read"},
	{"gfx1100", []string{"v_cndmask_b32_e64 v1, v1, v2, s0", "s_mov_b32 s0, s7", "s_mov_b32 s6, s0"}, "", 0,
		""},

	{"gfx1200", []string{"v_add_nc_u32_e32 v1, s0, v2", "s_mov_b32 s0, s7", "s_mov_b32 s6, s0"},
		"s_wait_alu 0xff9e", 2,
		"s0 is read, which is yet to be written, after a vector instruction had read it before"},
	{"gfx1200", []string{"v_add_nc_u32_e32 v1, s0, v2", "s_mov_b32 s0, s7", "v_add_nc_u32_e32 v1, s0, v2"},
		"s_wait_alu 0xff9e", 2, "s0 is read"},
	{"gfx1200", []string{"v_add_nc_u32_e32 v1, s1, v2", "v_readfirstlane_b32 s0, v3",
		"v_add_nc_u32_e32 v1, s0, v2"},
		"s_wait_alu 0xf19f", 2, "s0 is read"},
	{"gfx1200", []string{"v_cndmask_b32_e32 v1, v1, v2, vcc_lo", "v_cmp_eq_u32_e32 vcc_lo, v0, v2",
		"v_cndmask_b32_e32 v1, v1, v2, vcc_lo"}, "s_wait_alu 0xff9d", 2, "vcc_lo is read"},
	{"gfx1200", []string{"v_add_nc_u32_e32 v1, s0, v2", "v_readfirstlane_b32 s0, v3", "s_mov_b32 s6, s0"},
		"", 0, ""},
	{"gfx1200", []string{"s_mov_b32 s0, s7", "v_add_nc_u32_e32 v1, s0, v2"}, "", 0, ""},

	{"gfx1250", []string{quickProduct, "v_mov_b32_e32 v40, v16"}, "v_nop\nv_nop\nv_nop\nv_nop", 1,
		"v16 is read, which a matrix instruction has yet to write: needs 4 vector instructions between"},
	{"gfx1250", []string{quickProduct, "v_nop", "v_nop", "v_nop", "v_mov_b32_e32 v17, v40"}, "v_nop", 1,
		"v17 is written, which a matrix instruction has yet to write"},
	{"gfx1250", []string{quickProduct, "v_nop", "v_nop", "v_nop", "v_nop", quickProductOf}, "v_nop", 1,
		"v16 is read, which a matrix instruction has yet to write: needs 5 vector instructions between"},
	{"gfx1250", []string{slowProduct, "v_nop", "v_nop", "v_nop", "v_nop", "v_nop", "v_nop", "v_nop",
		"v_mov_b32_e32 v40, v16"}, "v_nop", 1, "v16 is read"},
	{"gfx1250", []string{slowProduct, "v_nop", "v_nop", "v_nop", "v_nop", "v_nop", "v_nop", "v_nop",
		"v_mov_b32_e32 v17, v40"}, "v_nop", 1, "v17 is written"},
	{"gfx1250", []string{slowProduct, "v_nop", "v_nop", "v_nop", "v_nop", "v_nop", "v_nop", "v_nop", "v_nop",
		quickProductOf}, "v_nop", 1, "v16 is read"},
	{"gfx1250", []string{quickSparse, "v_nop", "v_mov_b32_e32 v40, v16"}, "v_nop", 1, "v16 is read"},
	{"gfx1250", []string{quickSparse, "v_nop", "v_mov_b32_e32 v17, v40"}, "v_nop", 1, "v17 is written"},
	{"gfx1250", []string{quickSparse, "v_nop", "v_nop", quickProductOf}, "v_nop", 1, "v16 is read"},
	{"gfx1250", []string{slowSparse, "v_nop", "v_nop", "v_nop", "v_mov_b32_e32 v40, v16"}, "v_nop", 1,
		"v16 is read"},
	{"gfx1250", []string{slowSparse, "v_nop", "v_nop", "v_nop", "v_mov_b32_e32 v17, v40"}, "v_nop", 1,
		"v17 is written"},
	{"gfx1250", []string{slowSparse, "v_nop", "v_nop", "v_nop", "v_nop", quickProductOf}, "v_nop", 1,
		"v16 is read"},

	{"gfx1250", []string{"v_mov_b32_e32 v1, v3", "s_getreg_b32 s4, hwreg(HW_REG_WAVE_STATE_PRIV)"},
		"s_wait_alu 0x0", 1,
		"s_getreg reads state of the wave while instructions are under way"},
	{"gfx1250", []string{"v_mov_b32_e32 v1, v3", "s_getreg_b32 s4, hwreg(HW_REG_WAVE_MODE)"}, "", 0, ""},
	{"gfx1250", []string{"ds_load_b32 v1, v2", "ds_atomic_async_barrier_arrive_b64 v2"},
		"s_wait_alu 0xff83", 1,
		"ds_atomic_async_barrier_arrive_b64 follows an access"},
	{"gfx1250", []string{"ds_atomic_async_barrier_arrive_b64 v2", "ds_load_b32 v1, v2"},
		"s_wait_alu 0xff83", 1,
		"an access follows ds_atomic_async_barrier_arrive_b64"},
	{"gfx1250", []string{"s_mov_b32 s102, s7", "s_mov_b32 s4, src_flat_scratch_base_lo"},
		"s_wait_alu 0xf19e", 1,
		"the base of private memory is read, which is being computed from s102"},
}

// TestDefects: what a processor does wrong by itself is told of, and its neighbours are not.
func TestDefects(t *testing.T) {
	cases := []struct{ processor, bad, good string }{
		{"gfx1010", "s_branch 63", "s_branch 64"},
		{"gfx1010", "flat_load_dword v1, v[2:3] offset:4", "flat_load_dword v1, v[2:3]"},
		{"gfx1010", "scratch_load_dword v1, v2, off offset:-3", "scratch_load_dword v1, v2, off offset:-4"},
		{"gfx1010", "s_inst_prefetch 0x3", "s_nop 0"},
		{"gfx1100", "v_mad_u64_u32 v[0:1], null, v1, v2, v[4:5]",
			"v_mad_u64_u32 v[6:7], null, v1, v2, v[4:5]"},
		{"gfx1100", "v_mad_u64_u32 v[4:5], null, v1, v2, v[4:5]",
			"v_mad_u64_u32 v[5:6], null, v1, v2, v[4:5]"},
	}
	asm, found := map[string][]string{}, map[string]bool{}
	for _, c := range cases {
		asm[c.processor] = append(asm[c.processor], c.bad, c.good)
	}
	all := assembledPrograms(t, asm)
	for _, c := range cases {
		got := all.walked(t, c.processor, []string{c.bad})
		if len(got) != 1 || !strings.Contains(got[0], " (LLVM: ") {
			t.Errorf("%s: told %q", c.bad, got)
			continue
		}
		found[got[0]] = true
		if got := all.walked(t, c.processor, []string{c.good}); got != nil {
			t.Errorf("%s: told %q", c.good, got)
		}
	}
	if len(found) != len(defects) {
		t.Errorf("%d of %d defects are told of", len(found), len(defects))
	}
}

// wmma11 and wmma12 are a product of halves of gfx11 and gfx12 with registers for the result and the factors.
func wmma11(d, a, b int) string {
	return fmt.Sprintf("v_wmma_f32_16x16x16_f16 v[%d:%d], v[%d:%d], v[%d:%d], v[%d:%d]", d, d+7, a, a+7, b,
		b+7, d, d+7)
}

func wmma12(d, a, b int) string {
	return fmt.Sprintf("v_wmma_f32_16x16x16_f16 v[%d:%d], v[%d:%d], v[%d:%d], v[%d:%d]", d, d+7, a, a+3, b,
		b+3, d, d+7)
}

// Products of gfx1250 that write v16 and those that follow, and one that multiplies v16.
const (
	quickProduct   = "v_wmma_f32_16x16x32_f16 v[16:23], v[0:7], v[8:15], v[16:23]"
	quickProductOf = "v_wmma_f32_16x16x32_f16 v[24:31], v[16:23], v[8:15], v[24:31]"
	slowProduct    = "v_wmma_i32_16x16x64_iu8 v[16:23], v[0:7], v[8:15], v[16:23]"
	quickSparse    = "v_swmmac_f32_16x16x64_f16 v[16:23], v[0:7], v[64:79], v9"
	slowSparse     = "v_swmmac_i32_16x16x128_iu8 v[16:23], v[0:7], v[64:79], v[10:11]"
)

// laterMIR is the instructions of laterCases for LLVM, but for sparse products, which llc-22 cannot read.
var laterMIR = map[string]string{
	"global_load_dword v1, v2, s[4:5]": "$vgpr1 = GLOBAL_LOAD_DWORD_SADDR $sgpr4_sgpr5, $vgpr2, 0, " +
		"0, implicit $exec",
	"s_mov_b32 s4, s6":                       "$sgpr4 = S_MOV_B32 $sgpr6",
	"s_mov_b32 s7, s6":                       "$sgpr7 = S_MOV_B32 $sgpr6",
	"s_mov_b32 exec_lo, s6":                  "$exec_lo = S_MOV_B32 $sgpr6",
	"s_mov_b32 exec_lo, s10":                 "$exec_lo = S_MOV_B32 $sgpr10",
	"s_mov_b32 null, 0":                      "$sgpr_null = S_MOV_B32 0",
	"s_mov_b32 s4, exec_lo":                  "$sgpr4 = S_MOV_B32 $exec_lo",
	"s_mov_b32 s1, s7":                       "$sgpr1 = S_MOV_B32 $sgpr7",
	"s_mov_b32 s6, s1":                       "$sgpr6 = S_MOV_B32 $sgpr1",
	"s_mov_b32 s0, s7":                       "$sgpr0 = S_MOV_B32 $sgpr7",
	"s_mov_b32 s6, s0":                       "$sgpr6 = S_MOV_B32 $sgpr0",
	"s_mov_b64 s[0:1], s[10:11]":             "$sgpr0_sgpr1 = S_MOV_B64 $sgpr10_sgpr11",
	"s_mov_b64 exec, s[10:11]":               "$exec = S_MOV_B64 $sgpr10_sgpr11",
	"s_mov_b32 s102, s7":                     "$sgpr102 = S_MOV_B32 $sgpr7",
	"s_mov_b32 s4, src_flat_scratch_base_lo": "$sgpr4 = S_MOV_B32 $src_flat_scratch_base_lo",
	"s_load_dword s7, s[4:5], 0x0":           "$sgpr7 = S_LOAD_DWORD_IMM $sgpr4_sgpr5, 0, 0",
	"s_load_dword s5, s[8:9], 0x0":           "$sgpr5 = S_LOAD_DWORD_IMM $sgpr8_sgpr9, 0, 0",
	"s_waitcnt 0x0":                          "S_WAITCNT 0",
	"s_waitcnt lgkmcnt(0)":                   "S_WAITCNT 49279",
	"s_waitcnt_vscnt null, 0x0":              "S_WAITCNT_VSCNT undef $sgpr_null, 0",
	"s_branch 0":                             "S_BRANCH %bb.1\n\n  bb.1:",
	"s_nop 0":                                "S_NOP 0",
	"s_nop 1":                                "S_NOP 1",
	"s_nop 2":                                "S_NOP 2",
	"s_denorm_mode 0":                        "S_DENORM_MODE 0, implicit-def $mode, implicit $mode",
	"v_nop":                                  "V_NOP_e32 implicit $exec",
	"v_mov_b32_e32 v9, v8":                   "$vgpr9 = V_MOV_B32_e32 $vgpr8, implicit $exec",
	"v_readfirstlane_b32 s4, v3":             "$sgpr4 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
	"v_readfirstlane_b32 s0, v3":             "$sgpr0 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
	"v_cmpx_eq_u32_e32 v0, v1": "V_CMPX_EQ_U32_nosdst_e32 $vgpr0, $vgpr1, implicit-def $exec, " +
		"implicit $exec",
	"v_cmp_eq_u32_e32 vcc_lo, v0, v1": "V_CMP_EQ_U32_e32 $vgpr0, $vgpr1, implicit-def $vcc, implicit $exec",
	"v_cmp_eq_u32_e32 vcc_lo, v0, v2": "V_CMP_EQ_U32_e32 $vgpr0, $vgpr2, implicit-def $vcc, implicit $exec",
	"v_cmp_eq_u32_e64 s0, v0, v2":     "$sgpr0_sgpr1 = V_CMP_EQ_U32_e64 $vgpr0, $vgpr2, implicit $exec",
	"ds_write_b32 v2, v1":             "DS_WRITE_B32_gfx9 $vgpr2, $vgpr1, 0, 0, implicit $exec",
	"ds_load_b32 v1, v2":              "$vgpr1 = DS_READ_B32_gfx9 $vgpr2, 0, 0, implicit $exec",
	"ds_load_b32 v7, v2":              "$vgpr7 = DS_READ_B32_gfx9 $vgpr2, 0, 0, implicit $exec",
	"image_sample_d v[0:3], [v4, v6, v7, v8, v9, v10], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D": "$vgpr0_vgpr1_" +
		"vgpr2_vgpr3 = IMAGE_SAMPLE_D_V4_V6_nsa_gfx10 $vgpr4, $vgpr6, $vgpr7, $vgpr8, $vgpr9, $vgpr10, $" +
		"sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, $sgpr8_sgpr9_sgpr10_sgpr11, 15, 1, 0, 0, 0, 0, " +
		"0, 0, 0, implicit $exec :: (load (s128))",
	"buffer_load_dword v1, v2, s[8:11], 0 offen offset:4": "$vgpr1 = BUFFER_LOAD_DWORD_OFFEN $vgpr2, " +
		"$sgpr8_sgpr9_sgpr10_sgpr11, 0, 4, 0, 0, implicit $exec",
	"flat_atomic_fmax v[8:9], v2": "FLAT_ATOMIC_FMAX $vgpr8_vgpr9, $vgpr2, 0, 0, implicit $exec, implicit " +
		"$flat_scr",
	"v_permlane16_b32 v1, v1, s3, s4": "$vgpr1 = V_PERMLANE16_B32_e64 0, $vgpr1, 0, $sgpr3, 0, $sgpr4, " +
		"$vgpr1, 0, implicit $exec",
	"v_mov_b32_e32 v1, v1":   "$vgpr1 = V_MOV_B32_e32 $vgpr1, implicit $exec",
	"v_mov_b32_e32 v1, v3":   "$vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec",
	"v_mov_b32_e32 v2, v3":   "$vgpr2 = V_MOV_B32_e32 $vgpr3, implicit $exec",
	"v_mov_b32_e32 v0, v3":   "$vgpr0 = V_MOV_B32_e32 $vgpr3, implicit $exec",
	"v_mov_b32_e32 v3, v2":   "$vgpr3 = V_MOV_B32_e32 $vgpr2, implicit $exec",
	"v_mov_b32_e32 v40, v16": "$vgpr40 = V_MOV_B32_e32 $vgpr16, implicit $exec",
	"v_mov_b32_e32 v17, v40": "$vgpr17 = V_MOV_B32_e32 $vgpr40, implicit $exec",
	"lds_direct_load v1 wait_vdst:0": "$vgpr1 = LDS_DIRECT_LOAD 0, implicit $m0, implicit " +
		"$exec",
	"v_exp_f32_e32 v1, v3": "$vgpr1 = V_EXP_F32_e32 $vgpr3, implicit $mode, " +
		"implicit $exec",
	"v_exp_f32_e32 v6, v3": "$vgpr6 = V_EXP_F32_e32 $vgpr3, implicit $mode, " +
		"implicit $exec",
	"v_exp_f32_e32 v5, v3": "$vgpr5 = V_EXP_F32_e32 $vgpr3, implicit $mode, " +
		"implicit $exec",
	"v_exp_f32_e32 v2, v1": "$vgpr2 = V_EXP_F32_e32 $vgpr1, implicit $mode, " +
		"implicit $exec",
	"v_add_f32_e32 v2, v1, v1": "$vgpr2 = V_ADD_F32_e32 $vgpr1, $vgpr1, implicit " +
		"$mode, implicit $exec",
	"v_add_nc_u32_e32 v2, v0, v1": "$vgpr2 = V_ADD_U32_e32 $vgpr0, $vgpr1, implicit $exec",
	"v_add_nc_u32_e32 v1, s0, v2": "$vgpr1 = V_ADD_U32_e32 $sgpr0, $vgpr2, implicit $exec",
	"v_add_nc_u32_e32 v1, s1, v2": "$vgpr1 = V_ADD_U32_e32 $sgpr1, $vgpr2, implicit $exec",
	"v_cndmask_b32_e64 v1, v1, v2, s0": "$vgpr1 = V_CNDMASK_B32_e64 0, $vgpr1, 0, $vgpr2, " +
		"$sgpr0_sgpr1, implicit $exec",
	"v_cndmask_b32_e32 v1, v1, v2, vcc_lo": "$vgpr1 = V_CNDMASK_B32_e32 $vgpr1, $vgpr2, implicit " +
		"$vcc, implicit $exec",
	"s_getreg_b32 s4, hwreg(HW_REG_WAVE_STATE_PRIV)": "$sgpr4 = S_GETREG_B32 63492, implicit $mode",
	"s_getreg_b32 s4, hwreg(HW_REG_WAVE_MODE)":       "$sgpr4 = S_GETREG_B32 63489, implicit $mode",
	"ds_atomic_async_barrier_arrive_b64 v2": "DS_ATOMIC_ASYNC_BARRIER_ARRIVE_B64 $vgpr2, 0, 0, " +
		"implicit-def $asynccnt, implicit $asynccnt, implicit $exec",
	quickProduct:   product1250("F32_16X16X32_F16", 16, 0),
	quickProductOf: product1250("F32_16X16X32_F16", 24, 16),
	slowProduct: "early-clobber $" + group(16, 8) + " = V_WMMA_I32_16X16X64_IU8_w32_twoaddr 0, $" + group(0,
		8) +
		", 0, $" + group(8, 8) + ", $" + group(16, 8) + ", 0, 0, 0, 0, implicit $exec",
	wmma11(16, 0, 8):  product11(16, 0, 8),
	wmma11(32, 16, 8): product11(32, 16, 8),
	wmma12(16, 0, 8):  product12(16, 0, 8),
	wmma12(32, 0, 16): product12(32, 0, 16),
	wmma12(32, 0, 8):  product12(32, 0, 8),
}

func product1250(shape string, d, a int) string {
	return fmt.Sprintf("early-clobber $%s = V_WMMA_%s_w32_twoaddr 8, $%s, 8, $%s, 8, $%s, 0, 0, 0, 0, "+
		"implicit $exec",
		group(d, 8), shape, group(a, 8), group(8, 8), group(d, 8))
}

func product11(d, a, b int) string {
	return fmt.Sprintf("early-clobber $%s = V_WMMA_F32_16X16X16_F16_twoaddr_w32 8, $%s, 8, $%s, 8, $%s, 0, "+
		"0, implicit $exec", group(d, 8), group(a, 8), group(b, 8), group(d, 8))
}

func product12(d, a, b int) string {
	return fmt.Sprintf("early-clobber $%s = V_WMMA_F32_16X16X16_F16_w32_twoaddr 8, $%s, 8, $%s, 8, $%s, 0, "+
		"0, implicit $exec", group(d, 8), group(a, 4), group(b, 4), group(d, 8))
}

// cured is a case with what keeps its instructions apart.
func (c *laterCase) cured() []string {
	return slices.Insert(slices.Clone(c.asm), c.at, strings.Split(c.cure, "\n")...)
}

// laterPrograms has all instructions of laterCases.
func laterPrograms(t *testing.T) programs {
	t.Helper()
	asm := map[string][]string{}
	for _, c := range laterCases {
		processor, _, _ := strings.Cut(c.processor, "/")
		asm[processor] = append(asm[processor], c.asm...)
		if c.cure != "" {
			asm[processor] = append(asm[processor], c.cured()...)
		}
	}
	return assembledPrograms(t, asm)
}

// walked are what instructions are told of that follow each other, block by block, without executing any.
func (p programs) walked(t *testing.T, processor string, asm []string) []string {
	t.Helper()
	return p.follow(t, processor, asm, nil)
}

// follow is walked, with a function that is told of the rows by which something comes too early.
func (p programs) follow(t *testing.T, processor string, asm []string,
	met func(row string)) (texts []string) {
	t.Helper()
	h := newHarness(t, processor)
	name, _, _ := strings.Cut(processor, "/")
	f := hazards.New(h.isa.Target, h.isa.WaveSize(), hazardNames{h.isa.Target})
	f.Met = met
	var left *hazards.Tail
	var insts []Inst
	walk := func() {
		if len(insts) == 0 {
			return
		}
		to, all := f.Walk(left, hazardsOf(insts))
		for _, e := range all {
			texts = append(texts, e.Text)
		}
		left, insts = to, nil
	}
	pc := uint64(codeBase)
	for _, text := range asm {
		in, err := h.isa.Decode(wordsCode(p[name][text]...), pc)
		if err != nil {
			t.Fatal(text, err)
		}
		pc += uint64(in.Size)
		if insts = append(insts, *in); in.Op.ends() {
			walk()
		}
	}
	walk()
	return texts
}

// TestLaterHazards: what comes too early on gfx10 and later is told of, and nothing where something keeps it
// apart.
func TestLaterHazards(t *testing.T) {
	all := laterPrograms(t)
	for _, c := range laterCases {
		got := all.walked(t, c.processor, c.asm)
		if c.what == "" && got != nil || c.what != "" && (len(got) != 1 || !strings.HasPrefix(got[0],
			c.what)) {
			t.Errorf("%s: %q: told %q, want %q", c.processor, c.asm, got, c.what)
		}
		if c.cure != "" {
			if got := all.walked(t, c.processor, c.cured()); got != nil {
				t.Errorf("%s: %q: told %q", c.processor, c.cured(), got)
			}
		}
	}
}

// TestLaterHazardsExecuted: it is told of where the instructions are executed, however many at a time.
func TestLaterHazardsExecuted(t *testing.T) {
	cases := []laterCase{
		{"gfx1010", []string{"global_load_dword v1, v2, s[4:5]", "s_mov_b32 s4, s6"}, "", 0, "s4 is written"},
		{"gfx1010", []string{"ds_write_b32 v2, v1", "s_branch 0", "global_load_dword v1, v2, s[4:5]"}, "", 0,
			"memory is accessed"},
		{"gfx1100", []string{"v_exp_f32_e32 v1, v3", "v_nop", "v_add_f32_e32 v2, v1, v1"}, "", 0,
			"v1 is read"},
		{"gfx1200", []string{"v_add_nc_u32_e32 v1, s0, v2", "s_mov_b32 s0, s7", "s_mov_b32 s6, s0"}, "", 0,
			"s0 is read"},
	}
	all := laterPrograms(t)
	for _, c := range cases {
		for atOnce := 1; atOnce <= len(c.asm); atOnce++ {
			got := all.undefinedIn(t, c.processor, c.asm, len(c.asm), atOnce)
			if len(got) != 1 || !strings.HasPrefix(got[0], c.what) {
				t.Errorf("%s: %q, %d at once: told %q, want %q", c.processor, c.asm, atOnce, got, c.what)
			}
		}
	}
}

// laterPasses are LLVM's passes that keep instructions apart.
const laterPasses = "-run-pass=post-RA-hazard-rec,amdgpu-wait-sgpr-hazards"

// TestLaterHazardsAsLLVM: LLVM inserts something where something comes too early, and nothing where it has
// been kept apart.
func TestLaterHazardsAsLLVM(t *testing.T) {
	llc, err := exec.LookPath("llc-22")
	if err != nil {
		t.Skip("no llc-22")
	}
	type function struct {
		asm  []string
		want bool
	}
	byProcessor := map[string][]function{}
	for _, c := range laterCases {
		byProcessor[c.processor] = append(byProcessor[c.processor], function{c.asm, c.what != ""})
		if c.cure != "" && !slices.ContainsFunc(c.asm, always) {
			byProcessor[c.processor] = append(byProcessor[c.processor], function{c.cured(), false})
		}
	}
	inserted := regexp.MustCompile(`S_WAITCNT|S_NOP|V_NOP|V_MOV_B32_e32|S_MOV_B32`)
	for processor, all := range byProcessor {
		name, lanes, _ := strings.Cut(processor, "/")
		if lanes == "" {
			lanes = "32"
		}
		var b strings.Builder
		fmt.Fprintf(&b, "--- |\n")
		known := map[int]bool{}
		for i, f := range all {
			known[i] = !slices.ContainsFunc(f.asm, func(text string) bool { return mirOf(text) == "" })
			fmt.Fprintf(&b, "  define amdgpu_kernel void @f%d() #0 { ret void }\n", i)
		}
		fmt.Fprintf(&b, "  attributes #0 = { \"target-features\"=\"+wavefrontsize%s\" }\n...\n", lanes)
		for i, f := range all {
			fmt.Fprintf(&b, "---\nname: f%d\nbody: |\n  bb.0:\n", i)
			for _, text := range f.asm {
				if known[i] {
					mir := mirOf(text)
					if lanes == "32" && strings.HasPrefix(text, "v_cndmask") {
						mir = strings.ReplaceAll(mir, "$sgpr0_sgpr1", "$sgpr0")
					}
					fmt.Fprintf(&b, "    %s\n", mir)
				}
			}
			fmt.Fprintf(&b, "    S_ENDPGM 0\n...\n")
		}
		cmd := exec.Command(llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+name, laterPasses, "-o", "-", "-x",
			"mir", "-")
		cmd.Stdin = strings.NewReader(b.String())
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v\n%s", processor, err, stderr.String())
			continue
		}
		for i, part := range strings.Split(string(out), "name:            f")[1:] {
			if !known[i] {
				continue
			}
			had := 0
			for _, text := range all[i].asm {
				had += len(inserted.FindAllString(mirOf(text), -1))
			}
			if got := len(inserted.FindAllString(part, -1)) > had; got != all[i].want {
				t.Errorf("%s: %q: LLVM inserts %v, want %v", processor, all[i].asm, got, all[i].want)
			}
		}
	}
}

// always reports whether LLVM inserts something for an instruction come what may.
func always(text string) bool {
	name, _, _ := strings.Cut(text, " ")
	return strings.HasPrefix(name, "v_cndmask") || name == "s_getreg_b32" || name == arriveName
}

// mirOf is an instruction for LLVM, "" if it is not in laterMIR.
func mirOf(text string) string {
	if name, imm, ok := strings.Cut(text, " "); ok && (name == "s_waitcnt_depctr" || name == "s_wait_alu") {
		var v int
		fmt.Sscanf(imm, "%v", &v)
		return fmt.Sprintf("S_WAITCNT_DEPCTR %d", v)
	}
	return laterMIR[text]
}
