package gcn

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
)

// A valueFollower wants to know of values, and nothing else.
type valueFollower struct{ follower }

func (*valueFollower) Follows() simt.Following { return simt.Following{Values: true} }

// wholeForms are the instructions of wholeOperations by their operands, of which v20 and v21 have no
// contents.
var wholeForms = map[string]string{
	"%s_e32 v10, v20, v5": "" +
		"v_add_u32 v_sub_u32 v_subrev_u32 v_mul_u32_u24 v_mul_i32_i24 v_lshlrev_b32 v_lshrrev_b32 " +
		"v_ashrrev_i32 v_xor_b32 v_min_u32 v_max_u32 v_min_i32 v_max_i32 v_add_f32 v_sub_f32 " +
		"v_subrev_f32 v_mul_f32 v_mac_f32 v_fmac_f32 v_min_f32 v_max_f32",
	"%s_e32 v10, vcc, v20, v5":      "v_add_co_u32 v_sub_co_u32 v_subrev_co_u32",
	"%s_e32 v10, vcc, v20, v5, vcc": "v_addc_co_u32 v_subb_co_u32 v_subbrev_co_u32",
	"%s v10, v20, v5, v6": "" +
		"v_add3_u32 v_lshl_add_u32 v_add_lshl_u32 v_xad_u32 v_mad_u32_u24 v_mad_i32_i24 v_bfe_u32 " +
		"v_bfe_i32 v_med3_u32 v_med3_i32 v_min3_u32 v_max3_u32 v_min3_i32 v_max3_i32 v_fma_f32 " +
		"v_mad_f32 v_med3_f32 v_div_fmas_f32 v_div_fixup_f32",
	"%s v10, v20, v5":           "v_mul_lo_u32 v_mul_hi_u32 v_mul_hi_i32 v_bcnt_u32_b32 v_ldexp_f32",
	"%s v[10:11], v5, v[20:21]": "v_lshrrev_b64 v_ashrrev_i64",
	"%s_e32 v10, v20": "" +
		"v_not_b32 v_bfrev_b32 v_ffbh_u32 v_ffbh_i32 v_ffbl_b32 v_floor_f32 v_ceil_f32 v_trunc_f32 " +
		"v_rndne_f32 v_fract_f32 v_rcp_f32 v_rcp_iflag_f32 v_rsq_f32 v_sqrt_f32 v_exp_f32 v_log_f32 " +
		"v_sin_f32 v_cos_f32 v_cvt_f32_i32 v_cvt_f32_u32 v_cvt_i32_f32 v_cvt_u32_f32",
	"%s v10, vcc, v20, v5, v6":              "v_div_scale_f32",
	"%s v[10:11], v[20:21], v[4:5]":         "v_add_f64 v_mul_f64 v_min_f64 v_max_f64",
	"%s v[10:11], v[20:21], v[4:5], v[6:7]": "v_fma_f64 v_div_fmas_f64 v_div_fixup_f64",
	"%s_e32 v[10:11], v[20:21]": "" +
		"v_floor_f64 v_ceil_f64 v_trunc_f64 v_rndne_f64 v_fract_f64 v_rcp_f64 v_rsq_f64 v_sqrt_f64",
	"%s v[10:11], v[20:21], v5":                  "v_ldexp_f64",
	"%s v[10:11], vcc, v[20:21], v[4:5], v[6:7]": "v_div_scale_f64",
	"%s_e32 v[10:11], v20":                       "v_cvt_f64_i32 v_cvt_f64_u32 v_cvt_f64_f32",
	"%s_e32 v10, v[20:21]":                       "v_cvt_f32_f64 v_cvt_i32_f64 v_cvt_u32_f64",
}

// TestWholeOperations: what comes from a register without contents is told of where it is stored, and only
// then.
func TestWholeOperations(t *testing.T) {
	var all []string
	tests := map[string]bool{ // whether the result has none
		"v_and_b32_e32 v10, s7, v20": true, "v_and_b32_e32 v10, 15, v20": true,
		"v_and_b32_e32 v10, 0, v20": false, "v_and_b32_e32 v10, v5, v20": false,
		"v_or_b32_e32 v10, 15, v20": false, "v_bfi_b32 v10, v5, v20, v6": false,
		"v_mad_u64_u32 v[10:11], s[2:3], v20, v5, v[6:7]":  true,
		"v_mad_u64_u32 v[10:11], s[2:3], v4, v5, v[20:21]": true,
		"v_mad_u64_u32 v[10:11], s[2:3], v4, v5, v[18:19]": false,
		"v_mad_u64_u32 v[10:11], s[2:3], v4, v5, v[6:7]":   false,
	}
	for form, names := range wholeForms {
		for name := range strings.FieldsSeq(names) {
			all = append(all, name)
			tests[fmt.Sprintf(form, name)] = true
		}
	}
	for _, name := range strings.Fields(wholeOperations) {
		if !slices.Contains(all, name) {
			t.Errorf("no form of %s", name)
		}
	}
	const store, storeHigh = "global_store_dword v[8:9], v10, off", "global_store_dword v[8:9], v11, off"
	for text, none := range tests {
		for _, blank := range []struct {
			first int
			none  bool
		}{{20, none}, {24, false}} {
			if got := storedBlank(t, blank.first, text, store); got != blank.none {
				t.Errorf("%s with nothing in v%d: %v", text, blank.first, got)
			}
		}
	}
	// Of a sum of 64 bits the halves are known apart.
	const sum = "v_mad_u64_u32 v[10:11], s[2:3], v4, v5, v[18:19]"
	if low, high := storedBlank(t, 19, sum, store), storedBlank(t, 19, sum, storeHigh); low || !high {
		t.Errorf("of a sum whose high half has nothing: %v, %v", low, high)
	}
}

// storesBlank holds what is told of where v10 is stored, which instructions make of v20 without contents,
// against what is expected of them. Nothing is told where it has some.
func storesBlank(t *testing.T, want map[string]bool) {
	t.Helper()
	const store = "global_store_dword v[8:9], v10, off"
	for text, told := range want {
		asm := strings.Split(text, "; ")
		if got := storedBlank(t, 20, append(asm, store)...); got != told {
			t.Errorf("%s: %v, want %v", text, got, told)
		}
		if storedBlank(t, 24, append(asm, store)...) {
			t.Errorf("%s is told of where all has contents", text)
		}
	}
}

// TestInserted: what has no contents and is put into what a constant mask has cut out of a number is told of
// where that is stored, moved, or spilled and loaded; and not what puts bytes together.
func TestInserted(t *testing.T) {
	const cut = "v_and_b32_e32 v10, 0xff00ffff, v5"
	storesBlank(t, map[string]bool{
		cut + "; v_or_b32_e32 v10, v20, v10":                             true,
		cut + "; v_or_b32_e32 v10, v10, v20":                             true,
		cut + "; v_lshl_or_b32 v10, v20, 16, v10":                        true,
		cut + "; v_lshl_or_b32 v10, v20, 16, v10; v_mov_b32 v10, v10":    true,
		cut + "; v_lshl_or_b32 v10, v20, 16, v10; v_not_b32 v10, v10":    true,
		cut + "; v_lshl_or_b32 v10, v20, 16, v10; v_mov_b32 v10, 7":      false,
		cut + "; v_mov_b32 v10, v5; v_or_b32_e32 v10, v20, v10":          false,
		"v_and_b32_e32 v10, 0xffff, v5; v_lshl_or_b32 v10, v20, 16, v10": false,
		"v_and_b32_e32 v10, v6, v5; v_or_b32_e32 v10, v20, v10":          false,
		"v_lshl_or_b32 v10, v20, 16, v5":                                 false,
		"s_mov_b32 s7, 0xffffff00; v_and_or_b32 v10, v5, s7, v20":        true,
		"s_mov_b32 s7, 0xff; v_and_or_b32 v10, v5, s7, v20":              false,
		"s_mov_b32 s7, 0xff0000; v_bfi_b32 v10, s7, v20, v5":             true,
		"s_mov_b32 s7, 0xff00ffff; v_bfi_b32 v10, s7, v5, v20":           true,
		"s_mov_b32 s7, 0x03020104; v_perm_b32 v10, v20, v5, s7":          true,
		"s_mov_b32 s7, 0x03020104; v_perm_b32 v10, v5, v20, s7":          false,
	})
}

// TestPacked: of a number that is made of two halves, of which one has no contents, is told what is
// computed of that half, or the number where it begins with it.
func TestPacked(t *testing.T) {
	const pack = "s_mov_b32 s7, 0x05040100; v_perm_b32 v10, v20, v5, s7"
	storesBlank(t, map[string]bool{
		pack:                                  false,
		pack + "; v_lshrrev_b32 v10, 16, v10": true,
		pack + "; v_and_b32_e32 v10, 0xffff, v10":                                   false,
		pack + "; v_pk_add_u16 v10, v10, v5; v_lshrrev_b32 v10, 16, v10":            true,
		pack + "; v_pk_add_u16 v10, v10, v5; v_bfe_u32 v10, v10, 0, 16":             false,
		"s_mov_b32 s7, 0x05040100; v_perm_b32 v10, v5, v20, s7":                     true,
		"s_mov_b32 s7, 0x07060302; v_perm_b32 v10, v20, v5, s7; v_not_b32 v10, v10": true,
	})
}

// TestTried: of a number whose last byte has not been written, which may be padding, is told what depends on
// that byte where it is stored, but not what only moves it among others.
func TestTried(t *testing.T) {
	const store = "global_store_dword v[8:9], v10, off"
	for text, told := range map[string]bool{
		"v_mov_b32_e32 v10, v20":                                              false,
		"v_add_u32_e32 v10, v5, v20":                                          true,
		"v_not_b32_e32 v10, v20":                                              true,
		"v_mul_lo_u32 v10, v20, v5":                                           true,
		"v_cvt_f32_u32_e32 v10, v20":                                          true,
		"v_and_b32_e32 v10, 0xffffff, v20":                                    false,
		"v_and_b32_e32 v10, 0xff000000, v20":                                  false,
		"v_or_b32_e32 v10, 0xff000000, v20; v_not_b32_e32 v10, v10":           false,
		"v_lshlrev_b32_e32 v10, 8, v20; v_not_b32_e32 v10, v10":               false,
		"v_lshlrev_b32_e32 v10, 1, v20":                                       true,
		"v_lshrrev_b32_e32 v10, 16, v20":                                      false,
		"v_lshrrev_b32_e32 v10, 24, v20":                                      true, // it begins so
		"v_bfe_u32 v10, v20, 0, 24; v_not_b32_e32 v10, v10":                   false,
		"v_cmp_gt_u32_e32 vcc, 0x100, v20; v_cndmask_b32_e32 v10, 0, v5, vcc": true,
		"v_cmp_eq_u32_e32 vcc, 0, v20; v_cndmask_b32_e32 v10, 0, v5, vcc":     false, // it is not 0
	} {
		asm := append(strings.Split(text, "; "), store)
		got := stored(t, func(s *valueState) {
			p := piece{lanes: ^uint64(0), mere: ^uint64(0)}
			for l := range p.bits {
				p.bits[l] = 0xff000000
			}
			s.setPart(20, &p, codeBase)
		}, asm)
		if got != told {
			t.Errorf("%s: %v, want %v", text, got, told)
		}
	}
}

// TestFlatStores: what has no contents and is stored by a flat instruction is told of where the address is in
// global memory, and not where it is in an aperture.
func TestFlatStores(t *testing.T) {
	const store = "flat_store_dword v[8:9], v20"
	for _, c := range []struct {
		to   string
		asm  []string
		told bool
	}{
		{"global memory", []string{store}, true},
		{"LDS", []string{"v_mov_b32_e32 v8, 0", "v_mov_b32_e32 v9, 0x10000", store}, false},
		{"private memory", []string{"v_mov_b32_e32 v8, 0", "v_mov_b32_e32 v9, 0x20000", store}, false},
	} {
		if got := storedBlank(t, 20, c.asm...); got != c.told {
			t.Errorf("%s: %v, want %v", c.to, got, c.told)
		}
		if storedBlank(t, 24, c.asm...) {
			t.Errorf("%s: told of what has contents", c.to)
		}
	}
}

// TestHalves: of a register of which an instruction writes a half the other one keeps what it had: it is told
// of where it is stored by itself, or something is computed from it, and not where it goes with the first.
func TestHalves(t *testing.T) {
	const (
		all, low, high = "global_store_dword v[8:9], %s, off", "global_store_short v[8:9], %s, off",
			"global_store_short_d16_hi v[8:9], %s, off"
		lowWord  = "v_mov_b32_sdwa v20, v5 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0"
		highWord = "v_mov_b32_sdwa v20, v5 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0"
		add      = "v_add_u32_sdwa v20, v5, v20 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:"
	)
	for _, c := range []struct {
		text           string
		all, low, high bool // whether it is told of where v20 is stored
	}{
		{lowWord, false, false, true},
		{highWord, true, true, false},
		{lowWord + "; " + highWord, false, false, false},
		{"v_mov_b32_sdwa v20, v5 dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:WORD_0", false, false, false},
		{"v_mov_b32_sdwa v20, v21 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0", true, false, true},
		{lowWord + "; " + add + "WORD_0", false, false, false},
		{lowWord + "; " + add + "WORD_1", true, true, true},
		{lowWord + "; v_mov_b32 v20, v20", false, false, true},
		{lowWord + "; v_pk_add_u16 v20, v20, v5", false, false, true},
		{highWord + "; v_pk_mul_lo_u16 v20, v20, v5", true, true, false},
		{lowWord + "; v_lshlrev_b32 v20, 16, v20", false, false, false},
		{lowWord + "; v_lshrrev_b32 v20, 16, v20", true, true, false},
		{"global_load_short_d16 v20, v[8:9], off; s_waitcnt vmcnt(0)", false, false, true},
		{"global_load_short_d16_hi v20, v[8:9], off; s_waitcnt vmcnt(0)", true, true, false},
		{"v_fma_mixlo_f16 v20, v5, v5, v5", false, false, true},
		{"v_fma_mixhi_f16 v20, v5, v5, v5", true, true, false},
		{"v_add_u16_e32 v20, v5, v5", false, false, false},
		{"v_add_f16_e32 v20, v5, v21", true, true, false},
	} {
		asm := strings.Split(c.text, "; ")
		for store, told := range map[string]bool{all: c.all, low: c.low, high: c.high} {
			store = fmt.Sprintf(store, "v20")
			if got := storedBlank(t, 20, append(asm, store)...); got != told {
				t.Errorf("%s; %s: %v, want %v", c.text, store, got, told)
			}
			if storedBlank(t, 24, append(asm, store)...) {
				t.Errorf("%s; %s is told of where all has contents", c.text, store)
			}
		}
	}
}

// storedBlank reports whether it is told of what an instruction gives that is stored, where two registers
// have no contents.
func storedBlank(t *testing.T, first int, asm ...string) bool {
	t.Helper()
	return stored(t, func(s *valueState) {
		for i := range 2 {
			s.setLanes(first+i, ^uint64(0), ^uint64(0), codeBase)
		}
	}, asm)
}

// stored is storedBlank where some values are made such as have no contents. v5 is 3 in
// each lane, v20 is 5.
func stored(t *testing.T, blank func(*valueState), asm []string) bool {
	t.Helper()
	h, f := newHarness(t, "gfx90a"), &valueFollower{}
	h.m.AddObserver(f)
	h.load(assembledWords(t, "gfx90a", asm...)...)
	if err := h.isa.Prepare(); err != nil {
		t.Fatal(err)
	}
	h.regs.S[7] = 3
	h.address(8, func(lane int) uint64 { return dataBase + 4*uint64(lane) })
	h.regs.follow = &follow{since: h.m.Followed()}
	for l := range simt.MaxLanes {
		h.regs.V[5][l], h.regs.V[20][l] = 3, 5
	}
	blank(&h.regs.follow.values)
	if ev := h.core.Run(h.w, uint64(len(asm))); ev.Kind != simt.NoEvent {
		t.Fatal(asm, ev.Kind, ev.Fault)
	}
	return len(f.seen) > 0
}
