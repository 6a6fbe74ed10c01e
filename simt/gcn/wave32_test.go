package gcn

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// newWave32 is a wave of 32 lanes that executes single instructions.
func newWave32(t *testing.T) *vectorRun {
	r := newVectorRun(t, "gfx900")
	r.isa.Kernel.WaveSize = 32
	r.w.Size, r.w.Valid = 32, 1<<32-1
	setExec(r.w, 1<<32-1)
	return r
}

// TestVectorRowsOf32 executes every row of gfx900 that has a model on 32
// lanes: the others stay as they are, and lane masks have one register.
func TestVectorRowsOf32(t *testing.T) {
	r := newWave32(t)
	rnd := rand.New(sweep.PCG(20, 21))
	rows := 0
	for enc := range encCount {
		for _, op := range r.isa.tables.rows[enc] {
			if op == nil || op.Enc != enc || op.vec == nil || modelOf(op) == nil {
				continue
			}
			rows++
			in := r.decode(t, wordsCode(rowWords(op)...))
			m := modelOf(op)
			width := ^uint64(0) >> (64 - 32*max(typDwords[op.dst], 1))
			for _, exec := range []uint64{1<<32 - 1, 0x8000_0101} {
				var x [64]operands
				carry := uint32(0)
				for l := range x {
					x[l] = operands{a: sample(rnd, op.src[0]), b: sample(rnd, op.src[1]),
						c: sample(rnd, op.src[2]), lane: l}
					if l < 32 && rnd.IntN(2) == 0 {
						x[l].in = true
						carry |= 1 << l
					}
					for i, v := range [3]uint64{x[l].a, x[l].b, x[l].c} {
						r.regs.V[2+2*i][l], r.regs.V[3+2*i][l] = uint32(v), uint32(v>>32)
					}
					r.regs.V[0][l], r.regs.V[1][l] = oldDst, oldDst
					if op.flag&readsDst != 0 {
						x[l].c = oldDst | oldDst<<32
						if op.srcCount() == 2 {
							x[l].b = x[l].c
						}
					}
				}
				setExec(r.w, exec)
				r.regs.S[regVCC], r.regs.S[regVCC+1] = carry, 0xabcdef
				r.run(t, in)
				if r.regs.S[regVCC+1] != 0xabcdef || r.w.Exec>>32 != 0 {
					t.Fatalf("%s: vcc_hi %#x, EXEC %#x", op.Name, r.regs.S[regVCC+1], r.w.Exec)
				}
				masks := uint64(0)
				for l := range x {
					o := x[l]
					switch op.literalSource() {
					case 1:
						o.b, o.c = rowLiteral, o.b
					case 2:
						o.c = rowLiteral
					}
					want := m(&o)
					active := exec>>l&1 != 0
					if o.out && active {
						masks |= 1 << l
					}
					got := r.pair(0, l)
					switch {
					case op.dst == none || !active:
						if got != kept {
							t.Fatalf("%s: lane %d, which is inactive, has %#x", op.Name, l, got)
						}
					case op.dst.is16():
						if low := got & 0xffff; op.flag&high == 0 && !agree(op, low, want&0xffff) {
							t.Fatalf("%s: lane %d has %#x, want %#x", op.Name, l, low, want&0xffff)
						}
					case !agree(op, got&width, want&width):
						t.Fatalf("%s: lane %d has %#x, want %#x", op.Name, l, got&width, want&width)
					}
				}
				if in.sdst.kind != noOperand && uint64(r.regs.S[in.sdst.reg]) != masks {
					t.Fatalf("%s: mask %#x, want %#x", op.Name, r.regs.S[in.sdst.reg], masks)
				}
			}
		}
	}
	if rows < 300 {
		t.Errorf("only %d rows were executed", rows)
	}
}

// TestLanesOf32: what moves between lanes goes around in 32.
func TestLanesOf32(t *testing.T) {
	r := newWave32(t)
	number := func() {
		for l := range r.regs.V[2] {
			r.regs.V[0][l], r.regs.V[2][l], r.regs.V[4][l] = oldDst, uint32(100+l), uint32(4*(l+1))
		}
	}
	for _, c := range []struct {
		asm        string
		lane, want uint32
	}{
		{"v_mov_b32_dpp v0, v2 wave_rol:1 row_mask:0xf bank_mask:0xf", 31, 100},
		{"v_mov_b32_dpp v0, v2 wave_shl:1 row_mask:0xf bank_mask:0xf", 31, oldDst},
		{"v_mov_b32_dpp v0, v2 wave_ror:1 row_mask:0xf bank_mask:0xf", 0, 131},
		{"v_mov_b32_dpp v0, v2 row_bcast:15 row_mask:0xf bank_mask:0xf", 20, 115},
		{"v_mov_b32_dpp v0, v2 row_bcast:15 row_mask:0xf bank_mask:0xf", 40, oldDst},
		{"ds_bpermute_b32 v0, v4, v2", 31, 100},
		{"ds_permute_b32 v0, v4, v2", 0, 131},
		{"ds_swizzle_b32 v0, v2 offset:swizzle(REVERSE,32)", 0, 131},
		{"v_writelane_b32 v0, s4, 33", 1, 77},
	} {
		number()
		r.regs.S[4] = 77
		r.run(t, r.decode(t, llvmAssemble(t, "gfx900", []string{c.asm})[0]))
		if got := r.regs.V[0][c.lane]; got != c.want {
			t.Errorf("%s: lane %d has %d, want %d", c.asm, c.lane, got, c.want)
		}
	}
	number()
	r.run(t, r.decode(t, llvmAssemble(t, "gfx900", []string{"v_readlane_b32 s5, v2, 35"})[0]))
	if r.regs.S[5] != 103 {
		t.Errorf("v_readlane_b32 of lane 35 reads %d, want 103", r.regs.S[5])
	}
}

// TestKernelOf32 runs a workgroup of 40 work-items as two waves, which store
// their ids by way of private memory, under a mask from a comparison.
func TestKernelOf32(t *testing.T) {
	mem := simt.NewMemory()
	var code []byte
	for _, c := range llvmAssemble(t, "gfx900", []string{
		"s_mov_b32 s2, 0x20000", "s_mov_b32 s3, 0",
		"v_cmp_gt_u32_e32 vcc, 37, v0",
		"s_cbranch_vccz 13",
		"s_and_saveexec_b64 s[4:5], vcc",
		"v_lshlrev_b32_e32 v1, 2, v0",
		"scratch_store_dword off, v0, s3 offset:4",
		"v_mov_b32_e32 v0, 0",
		"scratch_load_dword v2, off, s3 offset:4",
		"global_store_dword v1, v2, s[2:3]",
		"s_endpgm",
	}) {
		code = append(code, c...)
	}
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	data, err := mem.Map("data", dataBase, make([]byte, 160), simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	isa, err := New("gfx900", mem, Kernel{VGPRs: 8, SGPRs: 16, WaveSize: 32})
	if err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, isa,
		simt.Dispatch{Grid: [3]uint32{40, 1, 1}, Block: [3]uint32{40, 1, 1}, Entry: codeBase,
			ScratchSize: 16, ScratchLimit: 16})
	if err != nil {
		t.Fatal(err)
	}
	if isa.WaveSize() != 32 {
		t.Errorf("waves of %d lanes", isa.WaveSize())
	}
	ev, err := m.Run(context.Background(), 1)
	if err != nil || ev.Kind != simt.EndEvent || m.Stats().Waves != 2 {
		t.Fatalf("%v %v %v, %d waves", ev.Kind, ev.Fault, err, m.Stats().Waves)
	}
	for i := range uint32(40) {
		want := i
		if i >= 37 {
			want = 0
		}
		if got := binary.LittleEndian.Uint32(data.Data[4*i:]); got != want {
			t.Errorf("work-item %d stored %d, want %d", i, got, want)
		}
	}
}
