package gcn

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/gcn/hazards"
	"simtgdb/testdata/sweep"
)

// A judging observer keeps what it is told of what is undefined.
type judging struct {
	follower
	seen []*simt.Undefined
}

func (*judging) Follows() simt.Following { return simt.Following{Undefined: true} }
func (j *judging) Undefined(u *simt.Undefined) (stop bool) {
	j.seen = append(j.seen, u)
	return false
}

// A hazardCase is two instructions and how many wait states they need between them; mir is the same for LLVM,
// which says how many it inserts. Before may be several, each on a line.
type hazardCase struct {
	name, processor string
	before, after   string
	mir             [2]string
	need            int
}

// hazardCases are all cases.
var hazardCases = slices.Concat(someHazards, matrixHazards(), accHazards())

// someHazards are those that are written out.
var someHazards = []hazardCase{
	{"scalar address", "gfx90a", "v_readfirstlane_b32 s4, v3", "global_load_dword v1, v2, s[4:5]",
		[2]string{"$sgpr4 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
			"$vgpr1 = GLOBAL_LOAD_DWORD_SADDR $sgpr4_sgpr5, $vgpr2, 0, 0, implicit $exec"}, 5},
	{"scalar address of another", "gfx90a", "v_readfirstlane_b32 s6, v3", "global_load_dword v1, v2, s[4:5]",
		[2]string{"$sgpr6 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
			"$vgpr1 = GLOBAL_LOAD_DWORD_SADDR $sgpr4_sgpr5, $vgpr2, 0, 0, implicit $exec"}, 0},
	{"scalar address by a scalar instruction", "gfx90a", "s_mov_b32 s4, s6",
		"global_load_dword v1, v2, s[4:5]",
		[2]string{"$sgpr4 = S_MOV_B32 $sgpr6",
			"$vgpr1 = GLOBAL_LOAD_DWORD_SADDR $sgpr4_sgpr5, $vgpr2, 0, 0, implicit $exec"}, 0},
	{"scalar of scalar memory", "gfx90a", "v_readfirstlane_b32 s4, v3", "s_load_dword s7, s[4:5], 0x0",
		[2]string{"$sgpr4 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
			"$sgpr7 = S_LOAD_DWORD_IMM $sgpr4_sgpr5, 0, 0"}, 0},
	{"lane", "gfx900", "v_readfirstlane_b32 s4, v3", "v_readlane_b32 s6, v1, s4",
		[2]string{"$sgpr4 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
			"$sgpr6 = V_READLANE_B32 $vgpr1, $sgpr4"}, 4},
	{"lane of a write", "gfx90a", "v_readfirstlane_b32 s4, v3", "v_writelane_b32 v1, 7, s4",
		[2]string{"$sgpr4 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
			"$vgpr1 = V_WRITELANE_B32 7, $sgpr4, $vgpr1"}, 4},
	{"division", "gfx90a", "v_cmp_eq_u32_e32 vcc, v0, v1", "v_div_fmas_f32 v3, v1, v2, v3",
		[2]string{"V_CMP_EQ_U32_e32 $vgpr0, $vgpr1, implicit-def $vcc, implicit $exec",
			"$vgpr3 = V_DIV_FMAS_F32_e64 0, $vgpr1, 0, $vgpr2, 0, $vgpr3, 0, 0, implicit $mode, implicit " +
				"$vcc, implicit $exec"}, 4},
	{"condition", "gfx90a", "v_cmp_eq_u32_e32 vcc, v0, v1", "v_cndmask_b32_e32 v3, v1, v2, vcc",
		[2]string{"V_CMP_EQ_U32_e32 $vgpr0, $vgpr1, implicit-def $vcc, implicit $exec",
			"$vgpr3 = V_CNDMASK_B32_e32 $vgpr1, $vgpr2, implicit $vcc, implicit $exec"}, 0},
	{"condition of gfx942", "gfx942", "v_cmp_eq_u32_e32 vcc, v0, v1", "v_cndmask_b32_e32 v3, v1, v2, vcc",
		[2]string{"V_CMP_EQ_U32_e32 $vgpr0, $vgpr1, implicit-def $vcc, implicit $exec",
			"$vgpr3 = V_CNDMASK_B32_e32 $vgpr1, $vgpr2, implicit $vcc, implicit $exec"}, 2},
	{"DPP", "gfx900", "v_mov_b32_e32 v2, v3", "v_mov_b32_dpp v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf",
		[2]string{"$vgpr2 = V_MOV_B32_e32 $vgpr3, implicit $exec",
			"$vgpr1 = V_MOV_B32_dpp $vgpr1, $vgpr2, 257, 15, 15, 0, implicit $exec"}, 2},
	{"DPP under EXEC", "gfx90a", "v_cmpx_eq_u32_e32 vcc, v0, v0",
		"v_mov_b32_dpp v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf",
		[2]string{"V_CMPX_EQ_U32_e32 $vgpr0, $vgpr0, implicit-def $exec, implicit-def $vcc, implicit $exec",
			"$vgpr1 = V_MOV_B32_dpp $vgpr1, $vgpr2, 257, 15, 15, 0, implicit $exec"}, 5},
	{"DPP under EXEC by a scalar instruction", "gfx90a", "s_mov_b64 exec, s[10:11]",
		"v_mov_b32_dpp v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf",
		[2]string{"$exec = S_MOV_B64 $sgpr10_sgpr11",
			"$vgpr1 = V_MOV_B32_dpp $vgpr1, $vgpr2, 257, 15, 15, 0, implicit $exec"}, 0},
	{"M0 of a message", "gfx900", "s_mov_b32 m0, s6", "s_sendmsg sendmsg(MSG_INTERRUPT)",
		[2]string{"$m0 = S_MOV_B32 $sgpr6", "S_SENDMSG 1, implicit $exec, implicit $m0"}, 1},
	{"M0 of an index", "gfx90a", "s_mov_b32 m0, s12", "s_movrels_b32 s4, s8",
		[2]string{"$m0 = S_MOV_B32 $sgpr12", "$sgpr4 = S_MOVRELS_B32 $sgpr8, implicit $m0"}, 1},
	{"M0 of a scalar instruction", "gfx90a", "s_mov_b32 m0, s6", "s_add_u32 s4, m0, s6",
		[2]string{"$m0 = S_MOV_B32 $sgpr6", "$sgpr4 = S_ADD_U32 $m0, $sgpr6, implicit-def $scc"}, 0},
	{"MODE", "gfx90a", "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s6", "s_getreg_b32 s4, hwreg(HW_REG_MODE)",
		[2]string{"S_SETREG_B32 $sgpr6, 6145, implicit-def $mode, implicit $mode",
			"$sgpr4 = S_GETREG_B32 63489, implicit $mode"}, 2},
	{"MODE again", "gfx90a", "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s6",
		"s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s6",
		[2]string{"S_SETREG_B32 $sgpr6, 6145, implicit-def $mode, implicit $mode",
			"S_SETREG_B32 $sgpr6, 6401, implicit-def $mode, implicit $mode"}, 2},
	{"MODE, then another", "gfx90a", "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s6",
		"s_getreg_b32 s4, hwreg(HW_REG_TRAPSTS)",
		[2]string{"S_SETREG_B32 $sgpr6, 6145, implicit-def $mode, implicit $mode",
			"$sgpr4 = S_GETREG_B32 63491, implicit $mode"}, 0},
	{"wide store", "gfx90a", "global_store_dwordx4 v[8:9], v[4:7], off", "v_mov_b32_e32 v5, v3",
		[2]string{"GLOBAL_STORE_DWORDX4 $vgpr8_vgpr9, $vgpr4_vgpr5_vgpr6_vgpr7, 0, 0, implicit $exec",
			"$vgpr5 = V_MOV_B32_e32 $vgpr3, implicit $exec"}, 1},
	{"wide store of gfx942", "gfx942", "global_store_dwordx4 v[8:9], v[4:7], off", "v_mov_b32_e32 v5, v3",
		[2]string{"GLOBAL_STORE_DWORDX4 $vgpr8_vgpr9, $vgpr4_vgpr5_vgpr6_vgpr7, 0, 0, implicit $exec",
			"$vgpr5 = V_MOV_B32_e32 $vgpr3, implicit $exec"}, 2},
	{"narrow store", "gfx90a", "global_store_dwordx2 v[8:9], v[4:5], off", "v_mov_b32_e32 v5, v3",
		[2]string{"GLOBAL_STORE_DWORDX2 $vgpr8_vgpr9, $vgpr4_vgpr5, 0, 0, implicit $exec",
			"$vgpr5 = V_MOV_B32_e32 $vgpr3, implicit $exec"}, 0},
	{"wide store's address", "gfx90a", "global_store_dwordx4 v[8:9], v[4:7], off", "v_mov_b32_e32 v8, v8",
		[2]string{"GLOBAL_STORE_DWORDX4 $vgpr8_vgpr9, $vgpr4_vgpr5_vgpr6_vgpr7, 0, 0, implicit $exec",
			"$vgpr8 = V_MOV_B32_e32 $vgpr8, implicit $exec"}, 0},

	{"scalar operand", "gfx942", "v_readfirstlane_b32 s4, v3", "v_add_u32_e32 v1, s4, v2",
		[2]string{"$sgpr4 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
			"$vgpr1 = V_ADD_U32_e32 $sgpr4, $vgpr2, implicit $exec"}, 2},
	{"scalar operand of gfx90a", "gfx90a", "v_readfirstlane_b32 s4, v3", "v_add_u32_e32 v1, s4, v2",
		[2]string{"$sgpr4 = V_READFIRSTLANE_B32 $vgpr3, implicit $exec",
			"$vgpr1 = V_ADD_U32_e32 $sgpr4, $vgpr2, implicit $exec"}, 0},
	{"lane under EXEC", "gfx942", "v_cmpx_eq_u32_e32 vcc, v0, v0", "v_readlane_b32 s6, v1, 3",
		[2]string{"V_CMPX_EQ_U32_e32 $vgpr0, $vgpr0, implicit-def $exec, implicit-def $vcc, implicit $exec",
			"$sgpr6 = V_READLANE_B32 $vgpr1, 3"}, 4},
	{"lane of a result", "gfx942", "v_mov_b32_e32 v1, v3", "v_readlane_b32 s6, v1, 3",
		[2]string{"$vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec", "$sgpr6 = V_READLANE_B32 $vgpr1, 3"}, 1},
	{"transcendental", "gfx942", "v_exp_f32_e32 v1, v3", "v_add_f32_e32 v2, v1, v1",
		[2]string{"$vgpr1 = V_EXP_F32_e32 $vgpr3, implicit $mode, implicit $exec",
			"$vgpr2 = V_ADD_F32_e32 $vgpr1, $vgpr1, implicit $mode, implicit $exec"}, 1},
	{"two transcendentals", "gfx942", "v_exp_f32_e32 v1, v3", "v_sqrt_f32_e32 v2, v1",
		[2]string{"$vgpr1 = V_EXP_F32_e32 $vgpr3, implicit $mode, implicit $exec",
			"$vgpr2 = V_SQRT_F32_e32 $vgpr1, implicit $mode, implicit $exec"}, 0},
	{"a part", "gfx942", "v_mad_u16 v1, v2, v3, v4 op_sel:[0,0,0,1]", "v_add_u32_e32 v2, v1, v2",
		[2]string{"$vgpr1 = V_MAD_U16_gfx9_e64 0, $vgpr2, 0, $vgpr3, 0, $vgpr4, 0, 0, implicit $exec",
			""}, 1},
	{"the low part", "gfx942", "v_mad_u16 v1, v2, v3, v4", "v_add_u32_e32 v2, v1, v2",
		[2]string{"$vgpr1 = V_MAD_U16_gfx9_e64 0, $vgpr2, 0, $vgpr3, 0, $vgpr4, 0, 0, implicit $exec",
			"$vgpr2 = V_ADD_U32_e32 $vgpr1, $vgpr2, implicit $exec"}, 0},

	{"whether VCC is 0", "gfx90a", "v_cmp_eq_u32_e32 vcc, v0, v1", "v_mov_b32_e32 v1, src_vccz",
		[2]string{}, 5},

	{"dot product", "gfx90a", "v_dot2_f32_f16 v1, v2, v3, v4", "v_add_f32_e32 v2, v1, v3", dotThen(
		"$vgpr2 = V_ADD_F32_e32 $vgpr1, $vgpr3, implicit $mode, implicit $exec"), 3},
	{"dot product over it", "gfx90a", "v_dot2_f32_f16 v1, v2, v3, v4", "v_mov_b32_e32 v1, v3", dotThen(
		"$vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec"), 3},
	{"two dot products", "gfx90a", "v_dot2_f32_f16 v1, v2, v3, v4", "v_dot2_f32_f16 v1, v2, v3, v1", dotThen(
		"$vgpr1 = V_DOT2_F32_F16 8, $vgpr2, 8, $vgpr3, 8, $vgpr1, 0, 0, 0, 0, 0, implicit $mode, implicit " +
			"$exec"),
		0},
	{"dot product stored", "gfx90a", "v_dot2_f32_f16 v1, v2, v3, v4", "ds_write_b32 v2, v1", dotThen(
		"DS_WRITE_B32_gfx9 $vgpr2, $vgpr1, 0, 0, implicit $exec"), 3},

	{"matrix factor", "gfx90a", "v_mov_b32_e32 v1, v3", small90a, [2]string{
		"$vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec", small90aMIR}, 2},
	{"matrix under EXEC", "gfx90a", "v_cmpx_eq_u32_e32 vcc, v0, v0", small90a, [2]string{
		"V_CMPX_EQ_U32_e32 $vgpr0, $vgpr0, implicit-def $exec, implicit-def $vcc, implicit $exec",
		small90aMIR}, 4},
	{"product of 4", "gfx90a", small90a, "v_add_f32_e32 v2, v9, v3", [2]string{small90aMIR, addNine}, 5},
	{"product of 16", "gfx90a", "v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[12:15]", "v_add_f32_e32 v2, v9, v3",
		[2]string{mfma("16X16X4F32", 8, 4), addNine}, 11},
	{"product of 32", "gfx90a", "v_mfma_f32_32x32x2f32 v[8:23], v1, v2, v[24:39]", "v_add_f32_e32 v2, v9, v3",
		[2]string{mfma("32X32X2F32", 8, 16), addNine}, 19},
	{"product over it", "gfx90a", "v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[12:15]", "v_mov_b32_e32 v9, v3",
		[2]string{mfma("16X16X4F32", 8, 4), "$vgpr9 = V_MOV_B32_e32 $vgpr3, implicit $exec"}, 11},
	{"product stored", "gfx90a", "v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[12:15]", "ds_write_b32 v2, v10",
		[2]string{mfma("16X16X4F32", 8, 4), "DS_WRITE_B32_gfx9 $vgpr2, $vgpr10, 0, 0, implicit $exec"}, 11},
	{"sum written", "gfx90a", "v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[12:15]", "v_mov_b32_e32 v13, v3",
		[2]string{mfma("16X16X4F32", 8, 4), "$vgpr13 = V_MOV_B32_e32 $vgpr3, implicit $exec"}, 7},
	{"product as a factor", "gfx90a", "v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[12:15]",
		"v_mfma_f32_4x4x1f32 v[16:19], v9, v2, v[20:23]",
		[2]string{mfma("16X16X4F32", 8, 4),
			"$vgpr16_vgpr17_vgpr18_vgpr19 = V_MFMA_F32_4X4X1F32_vgprcd_e64 $vgpr9, " +
				"$vgpr2, $vgpr20_vgpr21_vgpr22_vgpr23, 0, 0, 0, implicit $mode, implicit $exec"}, 11},
	{"product summed", "gfx90a", "v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[12:15]",
		"v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[8:11]",
		[2]string{mfma("16X16X4F32", 8, 4),
			"$vgpr8_vgpr9_vgpr10_vgpr11 = V_MFMA_F32_16X16X4F32_vgprcd_e64 $vgpr1, " +
				"$vgpr2, $vgpr8_vgpr9_vgpr10_vgpr11, 0, 0, 0, implicit $mode, implicit $exec"}, 0},
	{"product of doubles", "gfx90a", doubleText,
		"v_add_f32_e32 v2, v9, v3", [2]string{doubleMIR, addNine}, 6},
	{"product of doubles stored", "gfx90a", doubleText,
		"ds_write_b32 v2, v8", [2]string{doubleMIR,
			"DS_WRITE_B32_gfx9 $vgpr2, $vgpr8, 0, 0, implicit $exec"}, 9},
	{"product of halves", "gfx942", halfText,
		"v_add_f32_e32 v2, v9, v3", [2]string{halfMIR, addNine}, 7},
	{"product of singles", "gfx942", singleText,
		"v_add_f32_e32 v2, v9, v3", [2]string{mfma("16X16X4F32", 8, 4), addNine}, 10},
	{"product of large halves", "gfx942", "v_mfma_f32_32x32x8_f16 v[8:23], v[4:5], v[6:7], v[24:39]",
		"v_add_f32_e32 v2, v9, v3", [2]string{"$" + group(8, 16) + " = V_MFMA_F32_32X32X8F16_vgprcd_e64 " +
			"$vgpr4_vgpr5, $vgpr6_vgpr7, $" + group(24, 16) + ", 0, 0, 0, implicit $mode, implicit $exec",
			addNine},
		11},
	{"matrix sum", "gfx90a", "v_mov_b32_e32 v12, v3", small90a, [2]string{
		"$vgpr12 = V_MOV_B32_e32 $vgpr3, implicit $exec", small90aMIR}, 2},
	{"matrix sum of doubles", "gfx90a", "v_mov_b32_e32 v12, v3", doubleText, [2]string{
		"$vgpr12 = V_MOV_B32_e32 $vgpr3, implicit $exec", doubleMIR}, 2},
	{"product in another sum", "gfx90a", "v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[12:15]",
		"v_mfma_f32_16x16x4f32 v[16:19], v1, v2, v[10:13]",
		[2]string{mfma("16X16X4F32", 8, 4), mfmaSum("16X16X4F32", 16, 10, 4)}, 8},
	{"product in another sum of gfx942", "gfx942", halfText,
		"v_mfma_f32_16x16x16_f16 v[16:19], v[4:5], v[6:7], v[10:13]", [2]string{halfMIR,
			"$" + group(16, 4) + " = V_MFMA_F32_16X16X16F16_vgprcd_e64 $vgpr4_vgpr5, $vgpr6_vgpr7, $" +
				group(10, 4) +
				", 0, 0, 0, implicit $mode, implicit $exec"}, 5},
	{"product in a sum of doubles", "gfx90a", "v_mfma_f32_16x16x4f32 v[12:15], v1, v2, v[16:19]", doubleText,
		[2]string{mfma("16X16X4F32", 12, 4), doubleMIR}, 9},
	{"product of singles stored", "gfx942", singleText, "ds_write_b32 v2, v10",
		[2]string{mfma("16X16X4F32", 8, 4), "DS_WRITE_B32_gfx9 $vgpr2, $vgpr10, 0, 0, implicit $exec"}, 10},
	{"product of singles over it", "gfx942", singleText, "v_mov_b32_e32 v9, v3",
		[2]string{mfma("16X16X4F32", 8, 4), "$vgpr9 = V_MOV_B32_e32 $vgpr3, implicit $exec"}, 10},
	{"product of singles as a factor", "gfx942", singleText,
		"v_mfma_f32_16x16x4_f32 v[16:19], v9, v2, v[20:23]",
		[2]string{mfma("16X16X4F32", 8, 4),
			"$" + group(16, 4) + " = V_MFMA_F32_16X16X4F32_vgprcd_e64 $vgpr9, $vgpr2, $" +
				group(20, 4) + ", 0, 0, 0, implicit $mode, implicit $exec"}, 10},
	{"product of doubles over it", "gfx90a", doubleText, "v_mov_b32_e32 v9, v3",
		[2]string{doubleMIR, "$vgpr9 = V_MOV_B32_e32 $vgpr3, implicit $exec"}, 6},
	{"product of doubles as a factor", "gfx90a", doubleText,
		"v_mfma_f64_4x4x4f64 v[16:17], v[8:9], v[4:5], v[12:13]", [2]string{doubleMIR,
			"$vgpr16_vgpr17 = V_MFMA_F64_4X4X4F64_vgprcd_e64 $vgpr8_vgpr9, $vgpr4_vgpr5, $vgpr12_vgpr13, " +
				"0, 0, 0, implicit $mode, implicit $exec"}, 6},
	{"product of doubles in another sum", "gfx90a", doubleText,
		"v_mfma_f64_16x16x4f64 v[16:23], v[2:3], v[4:5], v[8:15]", [2]string{doubleMIR, "$" + group(16, 8) +
			" = V_MFMA_F64_16X16X4F64_vgprcd_e64 $vgpr2_vgpr3, $vgpr4_vgpr5, $" + group(8, 8) +
			", 0, 0, 0, implicit $mode, implicit $exec"}, 4},
	{"large product of doubles in another sum", "gfx90a",
		"v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[16:23]",
		doubleText, [2]string{"$" + group(8, 8) +
			" = V_MFMA_F64_16X16X4F64_vgprcd_e64 $vgpr2_vgpr3, $vgpr4_vgpr5, $" +
			group(16, 8) + ", 0, 0, 0, implicit $mode, implicit $exec", doubleMIR}, 9},
}

const (
	small90a    = "v_mfma_f32_4x4x1f32 v[8:11], v1, v2, v[12:15]"
	small90aMIR = "$vgpr8_vgpr9_vgpr10_vgpr11 = V_MFMA_F32_4X4X1F32_vgprcd_e64 $vgpr1, $vgpr2, " +
		"$vgpr12_vgpr13_vgpr14_vgpr15, 0, 0, 0, implicit $mode, implicit $exec"
	addNine    = "$vgpr2 = V_ADD_F32_e32 $vgpr9, $vgpr3, implicit $mode, implicit $exec"
	doubleText = "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[12:13]"
	singleText = "v_mfma_f32_16x16x4_f32 v[8:11], v1, v2, v[12:15]"
	halfText   = "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[12:15]"
	doubleMIR  = "$vgpr8_vgpr9 = V_MFMA_F64_4X4X4F64_vgprcd_e64 $vgpr2_vgpr3, $vgpr4_vgpr5, " +
		"$vgpr12_vgpr13, 0, 0, 0, implicit $mode, implicit $exec"
	halfMIR = "$vgpr8_vgpr9_vgpr10_vgpr11 = V_MFMA_F32_16X16X16F16_vgprcd_e64 $vgpr4_vgpr5, $vgpr6_vgpr7, " +
		"$vgpr12_vgpr13_vgpr14_vgpr15, 0, 0, 0, implicit $mode, implicit $exec"
)

// dotThen is a dot product into v1 and what follows it, for LLVM.
func dotThen(mir string) [2]string {
	return [2]string{"$vgpr1 = V_DOT2_F32_F16 8, $vgpr2, 8, $vgpr3, 8, $vgpr4, 0, 0, 0, 0, 0, implicit " +
		"$mode, implicit $exec", mir}
}

// group is LLVM's name of n vector registers.
func group(first, n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("vgpr%d", first+i))
	}
	return strings.Join(names, "_")
}

// mfma is a matrix instruction of v1 and v2 into n registers and with those behind them, for LLVM.
func mfma(shape string, dst, n int) string {
	return mfmaSum(shape, dst, dst+n, n)
}

// mfmaSum is mfma with other registers.
func mfmaSum(shape string, dst, sum, n int) string {
	return fmt.Sprintf("$%s = V_MFMA_F32_%s_vgprcd_e64 $vgpr1, $vgpr2, $%s, 0, 0, 0, implicit $mode, "+
		"implicit $exec", group(dst, n), shape, group(sum, n))
}

// programs assembles instructions once for each processor.
type programs map[string]map[string][]uint32

func assembledPrograms(t *testing.T, asm map[string][]string) programs {
	t.Helper()
	all := programs{}
	for processor, texts := range asm {
		slices.Sort(texts)
		texts = slices.Compact(texts)
		all[processor] = map[string][]uint32{}
		for i, words := range assembledWords(t, processor, texts...) {
			all[processor][texts[i]] = words
		}
	}
	return all
}

// undefined are the texts of what a program does that is undefined.
func (p programs) undefined(t *testing.T, processor string, asm []string) []string {
	t.Helper()
	return p.undefinedIn(t, processor, asm, len(asm), len(asm))
}

// undefinedIn is undefined of the first n instructions that are executed, some at a time.
func (p programs) undefinedIn(t *testing.T, processor string, asm []string, n, atOnce int) (texts []string) {
	t.Helper()
	h := newHarness(t, processor)
	j := &judging{}
	h.m.AddObserver(j)
	var words [][]uint32
	for _, text := range asm {
		words = append(words, p[processor][text])
	}
	h.load(words...)
	if err := h.isa.Prepare(); err != nil {
		t.Fatal(err)
	}
	h.regs.S[4], h.regs.S[5] = dataBase, 0
	h.regs.S[6], h.regs.S[10], h.regs.S[11] = dataBase, ^uint32(0), ^uint32(0)
	h.vector(2, func(int) uint32 { return 0 })
	h.vector(3, func(int) uint32 { return dataBase })
	h.address(8, func(int) uint64 { return dataBase })
	for done := 0; done < n; done += atOnce {
		if ev := h.core.Run(h.w, uint64(min(atOnce, n-done))); ev.Kind != simt.NoEvent {
			t.Fatal(asm, ev.Kind, ev.Fault)
		}
	}
	for _, u := range j.seen {
		texts = append(texts, u.Text)
	}
	return texts
}

// hazardPrograms has the instructions of all cases, and s_nop.
func hazardPrograms(t *testing.T) programs {
	t.Helper()
	asm := map[string][]string{}
	for _, c := range hazardCases {
		asm[c.processor] = append(append(asm[c.processor], c.after), strings.Split(c.before, "\n")...)
	}
	for processor := range asm {
		for i := range 16 {
			asm[processor] = append(asm[processor], fmt.Sprintf("s_nop %d", i))
		}
		asm[processor] = append(asm[processor], "s_branch 0")
	}
	return assembledPrograms(t, asm)
}

// padded puts wait states between two instructions.
func padded(before, after string, states int) []string {
	asm := strings.Split(before, "\n")
	for ; states > 0; states -= 16 {
		asm = append(asm, fmt.Sprintf("s_nop %d", min(states, 16)-1))
	}
	return append(asm, after)
}

// TestHazards: one wait state less than is needed is told of, and enough are not.
func TestHazards(t *testing.T) {
	all := hazardPrograms(t)
	for _, c := range hazardCases {
		t.Run(c.name, func(t *testing.T) {
			if got := all.undefined(t, c.processor, padded(c.before, c.after, c.need)); got != nil {
				t.Errorf("with %d: %q", c.need, got)
			}
			if c.need == 0 {
				return
			}
			got := all.undefined(t, c.processor, padded(c.before, c.after, c.need-1))
			want := fmt.Sprintf(": needs %d wait states between, has %d", c.need, c.need-1)
			if len(got) != 1 || !strings.HasSuffix(got[0], want) {
				t.Errorf("with %d: %q", c.need-1, got)
			}
		})
	}
}

// TestHazardsBetweenBlocks: it is the same where a block ends between the two instructions, where the wave
// executes one instruction at a time, and where the first comes after the second in a loop.
func TestHazardsBetweenBlocks(t *testing.T) {
	all := hazardPrograms(t)
	for i, c := range hazardCases {
		if c.need < 2 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			want := fmt.Sprintf(": needs %d wait states between, has %d", c.need, c.need-1)
			one := padded(c.before, c.after, c.need-1)
			two := append(padded(c.before, "s_branch 0", 0), padded("s_nop 0", c.after, c.need-3)...)
			if c.need == 2 {
				two = append(padded(c.before, "s_branch 0", 0), c.after)
			}
			for way, w := range []struct {
				asm    []string
				atOnce int
			}{{two, len(two)}, {two, 1}, {two, 2}, {one, 1}, {one, 2}} { // one at once is TestHazards'
				if !sweep.All() && way != i%5 {
					continue
				}
				got := all.undefinedIn(t, c.processor, w.asm, len(w.asm), w.atOnce)
				if len(got) != 1 || !strings.HasSuffix(got[0], want) {
					t.Errorf("%d at once: %q: %q", w.atOnce, w.asm, got)
				}
			}
		})
	}
	loop := []string{"global_load_dword v1, v2, s[6:7]", "v_readfirstlane_b32 s6, v3", "s_branch 65532"}
	words := assembledPrograms(t, map[string][]string{"gfx90a": slices.Clone(loop)})
	for _, atOnce := range []int{1, 2, 3, 8} {
		for n, want := range map[int]int{3: 0, 4: 1, 8: 2} {
			if got := words.undefinedIn(t, "gfx90a", loop, n, atOnce); len(got) != want {
				t.Errorf("a loop, %d instructions, %d at once: %q", n, atOnce, got)
			}
		}
	}
}

// TestHazardsComplete: each row of the tables of all processors has a case in which it is what is found.
func TestHazardsComplete(t *testing.T) {
	found := map[string]bool{}
	all := hazardPrograms(t)
	for _, c := range hazardCases {
		if c.need > 0 {
			all.follow(t, c.processor, padded(c.before, c.after, c.need-1),
				func(row string) { found[row] = true })
		}
	}
	all = laterPrograms(t)
	for _, c := range laterCases {
		all.follow(t, c.processor, c.asm, func(row string) { found[row] = true })
	}
	for _, row := range hazards.Rows() {
		if !found[row] {
			t.Errorf("no case has %s", row)
		}
	}
}

// TestHazardsAsLLVM holds the wait states of each case against those that LLVM inserts.
func TestHazardsAsLLVM(t *testing.T) {
	llc, err := exec.LookPath("llc-22")
	if err != nil {
		t.Skip("no llc-22")
	}
	byProcessor := map[string]*strings.Builder{}
	for i, c := range hazardCases {
		if c.mir[1] == "" {
			continue
		}
		b := byProcessor[c.processor]
		if b == nil {
			b = &strings.Builder{}
			byProcessor[c.processor] = b
		}
		fmt.Fprintf(b, "---\nname: case%d\nbody: |\n  bb.0:\n    %s\n    %s\n    S_ENDPGM 0\n...\n", i,
			strings.ReplaceAll(c.mir[0], "\n", "\n    "), c.mir[1])
	}
	name := regexp.MustCompile(`^name: +case(\d+)`)
	nop := regexp.MustCompile(`S_NOP (\d+)`)
	for processor, b := range byProcessor {
		cmd := exec.Command(llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+processor,
			"-run-pass=post-RA-hazard-rec",
			"-o", "-", "-x", "mir", "-")
		cmd.Stdin = strings.NewReader(b.String())
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", processor, err, stderr.String())
		}
		states, at := map[int]int{}, -1
		for line := range strings.Lines(string(out)) {
			if m := name.FindStringSubmatch(line); m != nil {
				fmt.Sscan(m[1], &at)
				states[at] = 0
			}
			if m := nop.FindStringSubmatch(line); m != nil {
				var n int
				fmt.Sscan(m[1], &n)
				states[at] += n + 1
			}
		}
		for i, n := range states {
			if c := hazardCases[i]; n != c.need {
				t.Errorf("%s: LLVM inserts %d wait states, want %d", c.name, n, c.need)
			}
		}
	}
}

// TestWideDivisorZero: a division of 64 bits by zero, as LLVM expands it, is told of, and nothing
// that looks like it.
func TestWideDivisorZero(t *testing.T) {
	const zero, one, scale = "v_rcp_f32_e32 v1, v2", "v_rcp_f32_e32 v1, 4.0",
		"v_mul_f32_e32 v1, 0x5f7ffffc, v1"
	const set, other, byScalar = "s_mov_b32 s7, 0x5f7ffffc", "v_mul_f32_e32 v1, 0x5f7ffffb, v1",
		"v_mul_f32_e64 v1, v1, s7"
	const infinite, iflag, undefined = "v_mov_b32_e32 v1, 0x7f800000", "v_rcp_iflag_f32_e32 v1, 4.0",
		"an integer of 64 bits is divided by zero"
	cases := []struct {
		asm  []string
		want string
	}{
		{[]string{zero, scale}, undefined}, {[]string{set, zero, byScalar}, undefined},
		{[]string{one, scale}, ""}, {[]string{iflag, scale}, ""}, {[]string{zero, other}, ""},
		{[]string{zero, byScalar}, ""}, {[]string{infinite, scale}, ""},
		{[]string{zero, infinite, scale}, ""},
	}
	asm := map[string][]string{}
	for _, c := range cases {
		asm["gfx90a"] = append(asm["gfx90a"], c.asm...)
	}
	all := assembledPrograms(t, asm)
	for _, c := range cases {
		if got := strings.Join(all.undefined(t, "gfx90a", c.asm), ";"); got != c.want {
			t.Errorf("%q: %q, want %q", c.asm, got, c.want)
		}
	}
}

// TestDivisorZero: an integer division by zero is told of, in its lanes.
func TestDivisorZero(t *testing.T) {
	want := map[string]string{
		"v_rcp_iflag_f32_e32 v1, v2": "an integer is divided by zero", "v_rcp_iflag_f32_e32 v1, v3": "",
		"v_rcp_f32_e32 v1, v2": "", "v_rcp_iflag_f32_e32 v1, s7": "an integer is divided by zero",
	}
	all := assembledPrograms(t, map[string][]string{"gfx90a": slices.Collect(maps.Keys(want))})
	for asm, want := range want {
		if got := strings.Join(all.undefined(t, "gfx90a", []string{asm}), ";"); got != want {
			t.Errorf("%s: %q, want %q", asm, got, want)
		}
	}
}
