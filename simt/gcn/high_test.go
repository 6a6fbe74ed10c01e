package gcn

import (
	"regexp"
	"strings"
	"testing"
)

// TestRoles: which of the four fields of s_set_vgpr_msb counts for each operand, as llvm-objdump's remarks
// say. The fields here are 1 for source 0, 2 and 3 for the others, and 0, or 3, for the destination.
func TestRoles(t *testing.T) {
	isa := isaFor(t, "gfx1250")
	const sources, all = 0x39, 0xf9 // 0, or 3, of the destination
	remark := regexp.MustCompile(`v(?:\d+|\[[\d:]+\]) /\*([^*]*)\*/`)
	for _, c := range []struct {
		asm  string
		high highBits
		want string
	}{
		{"v_add3_u32 v1, v2, v3, v4", all, "v_add3_u32 v769, v258, v515, v772"},
		{"v_add3_u32 v1, v2, s3, v4", sources, "v_add3_u32 v1, v258, s3, v772"},
		{"v_fmac_f32_e32 v1, v2, v3", all, "v_fmac_f32_e32 v769, v258, v515"},
		{"v_fmac_f32_e64 v1, v2, -v3", all, "v_fmac_f32_e64 v769, v258, -v515"},
		{"v_fmamk_f32 v1, v2, 0x42, v3", all, "v_fmamk_f32 v769, v258, 0x42, v771"},
		{"v_fmaak_f32 v1, v2, v3, 0x42", all, "v_fmaak_f32 v769, v258, v515, 0x42"},
		{"v_cmp_lt_u32_e32 vcc_lo, v2, v3", all, "v_cmp_lt_u32_e32 vcc_lo, v258, v515"},
		{"v_readlane_b32 s1, v2, s3", all, "v_readlane_b32 s1, v258, s3"},
		{"v_swap_b32 v1, v2", all, "v_swap_b32 v769, v258"},
		{"v_dual_fmamk_f32 v0, v1, 0x42, v2 :: v_dual_mov_b32 v3, v4", all,
			"v_dual_fmamk_f32 v768, v257, 0x42, v770 :: v_dual_mov_b32 v771, v260"},
		{"ds_store_2addr_b32 v1, v2, v3", all, "ds_store_2addr_b32 v257, v514, v771"},
		{"ds_cmpstore_rtn_b32 v0, v1, v2, v3", all, "ds_cmpstore_rtn_b32 v768, v257, v514, v771"},
		{"global_load_b64 v[2:3], v[4:5], off", all, "global_load_b64 v[770:771], v[260:261], off"},
		{"global_store_b64 v[2:3], v[4:5], off", all, "global_store_b64 v[258:259], v[516:517], off"},
		{"global_atomic_add_u32 v1, v2, v3, s[0:1] th:TH_ATOMIC_RETURN", all,
			"global_atomic_add_u32 v769, v258, v515, s[0:1] th:TH_ATOMIC_RETURN"},
		{"scratch_store_b32 v1, v2, s3", all, "scratch_store_b32 v257, v514, s3"},
		{"flat_load_b32 v1, v[2:3]", all, "flat_load_b32 v769, v[258:259]"},
		{"global_load_async_to_lds_b32 v1, v[2:3], off", all,
			"global_load_async_to_lds_b32 v769, v[258:259], off"},
		{"global_store_async_from_lds_b32 v[2:3], v1, off", all,
			"global_store_async_from_lds_b32 v[258:259], v513, off"},
		{"buffer_load_b32 v1, v2, s[4:7], null offen", all, "buffer_load_b32 v769, v258, s[4:7], null offen"},
		{"buffer_store_b32 v1, v2, s[4:7], null offen", all,
			"buffer_store_b32 v769, v258, s[4:7], null offen"},
		{"buffer_atomic_add_u32 v1, v2, s[4:7], null offen", all,
			"buffer_atomic_add_u32 v769, v258, s[4:7], null offen"},
		{"v_wmma_f32_16x16x32_f16 v[8:15], v[16:23], v[24:31], v[0:7]", all,
			"v_wmma_f32_16x16x32_f16 v[776:783], v[272:279], v[536:543], v[768:775]"},
		{"v_swmmac_f32_16x16x64_f16 v[8:15], v[16:23], v[24:39], v6", all,
			"v_swmmac_f32_16x16x64_f16 v[776:783], v[272:279], v[536:551], v774"},
	} {
		in, err := isa.decodeAt(llvmAssemble(t, "gfx1250", []string{c.asm})[0], codeAt{0, c.high})
		if err != nil {
			t.Errorf("%s: %v", c.asm, err)
			continue
		}
		got := remark.ReplaceAllString(in.String(), "$1")
		if strings.Join(strings.Fields(got), " ") != c.want {
			t.Errorf("%s: %s, want %s", c.asm, got, c.want)
		}
		if tied := in.Op.flag&readsDst != 0; tied {
			last := 3
			for in.src[last].kind == noOperand {
				last--
			}
			if in.src[last].reg != in.dst.reg {
				t.Errorf("%s: the source that is the destination is v%d", c.asm, in.src[last].reg)
			}
		}
	}
}

func isaFor(t *testing.T, processor string) *ISA {
	t.Helper()
	isa, err := New(processor, nil, Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	return isa
}
