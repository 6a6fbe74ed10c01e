package gcn

import "testing"

// TestCrossLane checks instructions that move values between lanes.
func TestCrossLane(t *testing.T) {
	r := newVectorRun(t, "gfx90a")
	number := func() {
		r.load(0, 0, 0)
		for l := range r.regs.V[2] {
			r.regs.V[2][l] = uint32(100 + l)
		}
	}
	run := func(asm string, exec uint64) {
		number()
		setExec(r.w, exec)
		r.run(t, r.decode(t, llvmAssemble(t, "gfx90a", []string{asm})[0]))
	}
	scalar := func(asm string, exec uint64, reg uint8, want uint32) {
		t.Helper()
		r.regs.S[4], r.regs.S[5] = 9, 0
		if run(asm, exec); r.regs.S[reg] != want {
			t.Errorf("%s, exec %#x: %d, want %d", asm, exec, r.regs.S[reg], want)
		}
	}
	scalar("v_readfirstlane_b32 s5, v2", 0xf0, 5, 104)
	scalar("v_readfirstlane_b32 s5, v2", 0, 5, 100)
	scalar("v_readlane_b32 s5, v2, s4", all64, 5, 109)
	scalar("v_readlane_b32 s5, v2, 63", 0xf0, 5, 163)
	scalar("v_readlane_b32 vcc_hi, v2, 1", 0, regVCC+1, 101)
	scalar("v_readfirstlane_b32 exec_lo, v2", 0xf0, regExec, 104)
	if r.w.Exec != 104 {
		t.Errorf("exec is %#x after it was written, want 104", r.w.Exec)
	}
	for _, exec := range []uint64{0, 2, all64} {
		run("v_writelane_b32 v0, s4, 7", exec)
		if r.regs.V[0][7] != 9 || r.regs.V[0][6] != oldDst {
			t.Errorf("v_writelane_b32: lanes 6 and 7 are %#x and %#x", r.regs.V[0][6], r.regs.V[0][7])
		}
		run("v_swap_b32 v0, v2", exec)
		for l := range uint32(64) {
			a, b := uint32(oldDst), 100+l
			if exec>>l&1 != 0 {
				a, b = b, a
			}
			if r.regs.V[0][l] != a || r.regs.V[2][l] != b {
				t.Errorf("v_swap_b32, exec %#x: lane %d has %#x and %#x",
					exec, l, r.regs.V[0][l], r.regs.V[2][l])
			}
		}
	}
	run("v_mbcnt_lo_u32_b32 v0, -1, v4", allOnes64)
	run2 := r.regs.V[0]
	run("v_mbcnt_hi_u32_b32 v0, -1, v4", allOnes64)
	for l := range 64 {
		if got := run2[l] + r.regs.V[0][l]; got != uint32(l) {
			t.Errorf("v_mbcnt in lane %d: %d", l, got)
		}
	}
}

// TestDPP checks the source lane of each control; -1 means that the lane
// keeps its old value, -2 that it gets 0.
func TestDPP(t *testing.T) {
	r := newVectorRun(t, "gfx90a")
	all := uint64(allOnes64)
	for _, c := range []struct {
		asm  string
		exec uint64
		want map[int]int
	}{
		{"quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", all, map[int]int{0: 1, 1: 0, 6: 7, 63: 62}},
		{"row_shl:1 row_mask:0xf bank_mask:0xf", all, map[int]int{0: 1, 14: 15, 15: -1, 31: -1}},
		{"row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1", all, map[int]int{15: -2, 14: 15}},
		{"row_shr:3 row_mask:0xf bank_mask:0xf", all, map[int]int{3: 0, 2: -1, 18: -1, 19: 16}},
		{"row_ror:1 row_mask:0xf bank_mask:0xf", all, map[int]int{0: 15, 1: 0, 16: 31}},
		{"wave_shl:1 row_mask:0xf bank_mask:0xf", all, map[int]int{15: 16, 63: -1}},
		{"wave_shr:1 row_mask:0xf bank_mask:0xf", all, map[int]int{16: 15, 0: -1}},
		{"wave_rol:1 row_mask:0xf bank_mask:0xf", all, map[int]int{63: 0}},
		{"wave_ror:1 row_mask:0xf bank_mask:0xf", all, map[int]int{0: 63}},
		{"row_mirror row_mask:0xf bank_mask:0xf", all, map[int]int{0: 15, 17: 30}},
		{"row_half_mirror row_mask:0xf bank_mask:0xf", all, map[int]int{0: 7, 9: 14}},
		{"row_bcast:15 row_mask:0xa bank_mask:0xf", all, map[int]int{16: 15, 31: 15, 32: -1, 48: 47, 0: -1}},
		{"row_bcast:31 row_mask:0xc bank_mask:0xf", all, map[int]int{32: 31, 63: 31, 16: -1}},
		{"row_newbcast:5 row_mask:0xf bank_mask:0xf", all, map[int]int{0: 5, 20: 21, 63: 53}},
		{"row_shr:1 row_mask:0xf bank_mask:0x2", all, map[int]int{4: 3, 7: 6, 8: -1, 20: 19}},
		{"row_shr:1 row_mask:0xf bank_mask:0xf", 0b1101, map[int]int{1: -1, 2: -1, 3: 2}},
	} {
		code := llvmAssemble(t, "gfx90a", []string{"v_mov_b32_dpp v0, v2 " + c.asm})[0]
		r.load(0, 0, 0)
		for l := range r.regs.V[2] {
			r.regs.V[2][l] = uint32(100 + l)
		}
		setExec(r.w, c.exec)
		r.run(t, r.decode(t, code))
		for l, from := range c.want {
			want := uint32(100 + from)
			switch from {
			case -1:
				want = oldDst
			case -2:
				want = 0
			}
			if got := r.regs.V[0][l]; got != want {
				t.Errorf("%s: lane %d is %#x, want %#x", c.asm, l, got, want)
			}
		}
	}
}
