package gcn

import (
	"testing"

	"simtgdb/simt"
)

// TestWork: what instructions compute, by LLVM's names.
func TestWork(t *testing.T) {
	for name, want := range map[string]simt.Arithmetic{
		"v_add_f32_e32": {Floats: 1}, "v_fma_f64": {Floats: 2}, "v_pk_fma_f16": {Floats: 4},
		"v_pk_add_f32": {Floats: 2}, "v_fmac_f32_dpp": {Floats: 2}, "v_rcp_f32_e64": {Floats: 1},
		"v_dot2_f32_f16": {Floats: 4}, "v_cvt_f32_u32_e32": {}, "v_mov_b32_e32": {},
		"v_add_u32_e32": {Integers: 1}, "v_add_co_u32_e32": {Integers: 1}, "v_mad_u64_u32": {Integers: 2},
		"v_lshl_add_u32": {Integers: 2}, "v_and_b32_e32": {Integers: 1}, "v_pk_mul_lo_u16": {Integers: 2},
		"v_dot4_i32_i8": {Integers: 8}, "v_cmp_lt_i32_e32": {}, "global_load_dword": {}, "ds_read_b32": {},
		"s_waitcnt": {}, "s_add_u32": {Integers: 1, Wave: true}, "s_mov_b32": {Wave: true},
		"s_mul_hi_u32":               {Integers: 1, Wave: true},
		"v_mfma_f32_32x32x8f16":      {Floats: 2 * 32 * 32 * 8, Wave: true},
		"v_mfma_f32_32x32x1f32":      {Floats: 4 * 32 * 32, Wave: true},
		"v_mfma_f32_16x16x4f32":      {Floats: 2 * 16 * 16 * 4, Wave: true},
		"v_mfma_f32_4x4x4f16":        {Floats: 2 * 16 * 4 * 4 * 4, Wave: true},
		"v_mfma_f32_16x16x4f16":      {Floats: 2 * 4 * 16 * 16 * 4, Wave: true},
		"v_mfma_f64_16x16x4f64":      {Floats: 2 * 16 * 16 * 4, Wave: true},
		"v_mfma_i32_32x32x8i8":       {Integers: 2 * 32 * 32 * 8, Wave: true},
		"v_mfma_f32_32x32x4_2b_bf16": {Floats: 4 * 32 * 32 * 4, Wave: true},
		"v_smfmac_f32_16x16x32_f16":  {Floats: 16 * 16 * 32, Wave: true},
		"v_wmma_f32_16x16x16_f16":    {Floats: 2 * 16 * 16 * 16, Wave: true},
	} {
		if got := work(name); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
