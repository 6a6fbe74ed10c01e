package gcn

import (
	"bytes"
	"strings"
	"testing"
)

// TestStoredBack: of a load from LDS it is found whether what it gives is at most stored back, in what
// LLVM makes of a vector a part of which is set.
func TestStoredBack(t *testing.T) {
	for _, c := range []struct {
		name, processor, asm string
		want                 bool
	}{
		{"half", "gfx1100", `ds_load_b32 v1, v0
			v_mov_b16_e32 v1.l, v2.l
			ds_store_b32 v0, v1`, true},
		{"the other half is stored, too", "gfx1100", `ds_load_b32 v1, v0
			v_mov_b16_e32 v1.l, v2.l
			ds_store_b32 v0, v1
			global_store_d16_hi_b16 v3, v1, s[0:1]`, false},
		{"components", "gfx90a", `ds_read_b128 v[4:7], v0
			v_mov_b32_e32 v4, v2
			v_ashrrev_i32_e32 v6, 1, v2
			ds_write_b128 v0, v[4:7]`, true},
		{"bytes", "gfx90a", `ds_read_b32 v3, v1
			v_perm_b32 v2, v3, v2, s0
			ds_write_b32 v1, v2`, true},
		{"fields", "gfx1100", `ds_load_b32 v2, v1
			v_and_b32_e32 v2, 0x1ffe0, v2
			v_or3_b32 v2, v2, v5, v3
			ds_store_b32 v1, v2`, true},
		{"elsewhere", "gfx90a", `ds_read_b32 v3, v1
			v_perm_b32 v2, v3, v2, s0
			ds_write_b32 v1, v2 offset:4`, false},
		{"behind a branch", "gfx90a", `ds_read_b32 v3, v1
			s_branch 0
			ds_write_b32 v1, v3`, false},
		{"from others", "gfx90a", `ds_read_b32 v3, v1
			v_mov_b32_dpp v3, v3 row_shr:1 row_mask:0xf bank_mask:0xf
			ds_write_b32 v1, v3`, false},
		{"a sum", "gfx90a", `ds_read_b32 v3, v1
			v_add_u32_e32 v3, 1, v3
			ds_write_b32 v1, v3`, false},
	} {
		isa := isaFor(t, c.processor)
		lines := strings.Split(c.asm, "\n")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		code := bytes.Join(llvmAssemble(t, c.processor, append(lines, "s_endpgm")), nil)
		in, err := isa.Decode(code, 0)
		if err != nil {
			t.Fatal(err)
		}
		isa.findBack(in, code[in.Size:], codeAt{pc: uint64(in.Size)})
		if in.back != c.want {
			t.Errorf("%s: %v, want %v", c.name, in.back, c.want)
		}
	}
}
