package gcn

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// newHarness32 is a harness with waves of 32 lanes.
func newHarness32(t testing.TB, processor string) *harness {
	h := newHarness(t, processor).compares()
	h.isa.Kernel.WaveSize = 32
	h.w.Size, h.w.Valid = 32, 1<<32-1
	h.regs.wide = 1<<32 - 1
	h.exec(1<<32 - 1)
	return h
}

// assembly is what LLVM makes of instructions, as words.
func (h *harness) assembly(processor string, asm ...string) (insts [][]uint32) {
	for _, code := range llvmAssemble(h.t, processor, asm) {
		var words []uint32
		for ; len(code) > 0; code = code[4:] {
			words = append(words, binary.LittleEndian.Uint32(code))
		}
		insts = append(insts, words)
	}
	return insts
}

// TestTransposingLoads loads a matrix of 16 rows whose columns lie one after the other, each lane from
// where the documents say, and expects the items that a matrix instruction has in each lane (CDNA 5 ISA,
// section "WMMA matrix load ops with transpose"). An item's value is its row and its column, as far as its
// bits go.
func TestTransposingLoads(t *testing.T) {
	for _, c := range []struct {
		on, asm        string
		width, columns int
		column, half   func(l int) int // what a lane loads: a column, or half of one
		slot           func(k int) (group, slot int)
	}{
		{"gfx1250", "global_load_tr16_b128 v[4:7], v[2:3], off", 16, 16, halved, rowHalf, eights},
		{"gfx1250", "ds_load_tr16_b128 v[4:7], v2", 16, 16, halved, rowHalf, eights},
		{"gfx1250", "global_load_tr8_b64 v[4:5], v[2:3], off", 8, 16, halved, rowHalf, eights},
		{"gfx1250", "ds_load_tr8_b64 v[4:5], v2", 8, 16, halved, rowHalf, eights},
		{"gfx1250", "global_load_tr4_b64 v[4:5], v[2:3], off", 4, 32, func(l int) int { return l }, noHalf,
			func(k int) (int, int) { return k >> 3 & 1, k&7 | k>>4<<3 }},
		{"gfx1250", "ds_load_tr4_b64 v[4:5], v2", 4, 32, func(l int) int { return l }, noHalf,
			func(k int) (int, int) { return k >> 3 & 1, k&7 | k>>4<<3 }},
		{"gfx1250", "global_load_tr6_b96 v[4:6], v[2:3], off", 6, 32, four, noHalf,
			func(k int) (int, int) { return k / 16, k % 16 }},
		{"gfx1250", "ds_load_tr6_b96 v[4:6], v2", 6, 32, four, noHalf, func(k int) (int, int) {
			return k / 16,
				k % 16
		}},
		{"gfx1200", "global_load_tr_b128 v[4:7], v[2:3], off", 16, 16, halved, rowHalf, eights},
		{"gfx1200", "global_load_tr_b64 v[4:5], v[2:3], off", 8, 16, halved, rowHalf, eights},
	} {
		for shift := range (9 + c.width - 1) / c.width { // of the nine bits of a row and a column
			h := newHarness32(t, c.on)
			value := func(row, k int) uint64 {
				return uint64(row|k<<4) >> (shift * c.width) & (1<<c.width - 1)
			}
			matrix := make([]byte, 16*c.columns*c.width/8)
			for k := range c.columns {
				for row := range 16 {
					putBits(matrix, (16*k+row)*c.width, c.width, value(row, k))
				}
			}
			copy(h.data.Data, matrix)
			copy(h.group.LDS, matrix)
			base := uint64(dataBase)
			if c.asm[:2] == "ds" {
				base = 0
			}
			h.address(2, func(l int) uint64 {
				return base + uint64((16*c.column(l&31)+8*c.half(l))*c.width/8)
			})
			h.mustRun(h.assembly(c.on, c.asm)...)
			for k := range c.columns {
				for row := range 16 {
					group, slot := c.slot(k)
					got := bitsAt(h.regs.V[4:], 16*group+row, uint(slot*c.width), uint(c.width))
					if uint64(got) != value(row, k) {
						t.Fatalf("%s: item %d of lane %d is %#x, want %#x", c.asm, slot, 16*group+row, got,
							value(row, k))
					}
				}
			}
		}
	}
}

func halved(l int) int               { return l&7 | l>>4<<3 }
func four(l int) int                 { return l>>3<<2 | l&3 | l>>2&1<<4 }
func rowHalf(l int) int              { return l >> 3 & 1 }
func noHalf(int) int                 { return 0 }
func eights(k int) (group, slot int) { return k / 8, k % 8 }
func putBits(p []byte, at, n int, v uint64) {
	for i := range n {
		p[(at+i)/8] |= byte(v>>i&1) << ((at + i) % 8)
	}
}

// TestAsyncCopies: copies between memory and LDS, which add their offset to both addresses; lanes that are
// off copy nothing, and what is not there is a fault.
func TestAsyncCopies(t *testing.T) {
	for _, size := range []int{1, 4, 8, 16} {
		h := newHarness32(t, "gfx1250")
		for i := range h.data.Data {
			h.data.Data[i] = byte(i*7 + i>>8)
		}
		setPair(h.regs, 6, dataBase)
		h.vector(2, func(l int) uint32 { return uint32(0x100 + 32*l) }) // of LDS
		h.vector(3, func(l int) uint32 { return uint32(0x40 + 16*l) })
		h.exec(0x8000_0005)
		h.mustRun(h.assembly("gfx1250", fmt.Sprintf("global_load_async_to_lds_b%d v2, v3, s[6:7] offset:16",
			8*size))...)
		want := make([]byte, len(h.group.LDS))
		for _, l := range []int{0, 2, 31} {
			copy(want[0x110+32*l:], h.data.Data[0x50+16*l:][:size])
		}
		if string(want) != string(h.group.LDS) {
			t.Errorf("b%d: LDS is not what was copied", 8*size)
		}
		h.vector(3, func(l int) uint32 { return uint32(0x800 + 16*l) })
		h.mustRun(
			h.assembly("gfx1250", fmt.Sprintf("global_store_async_from_lds_b%d v3, v2, s[6:7] offset:16",
				8*size))...)
		for _, l := range []int{0, 2, 31} {
			if got := h.data.Data[0x810+16*l:][:size]; string(got) != string(want[0x110+32*l:][:size]) {
				t.Errorf("b%d: lane %d has stored % x", 8*size, l, got)
			}
		}
		h.vector(2, func(l int) uint32 { return ldsSize })
		before := string(h.group.LDS)
		ev := h.run(h.assembly("gfx1250", fmt.Sprintf("cluster_load_async_to_lds_b%d v2, v3, s[6:7]",
			8*size))...)
		if ev.Fault == nil || string(h.group.LDS) != before {
			t.Errorf("b%d: past the end of LDS: %v", 8*size, ev.Fault)
		}
	}
}

// TestByLaneAndBlocks: a dword for each lane from a scalar address on, and up to 32 registers that M0 names.
func TestByLaneAndBlocks(t *testing.T) {
	for _, on := range []string{"gfx1030", "gfx1100", "gfx1200", "gfx1250"} {
		load, store := "global_load_addtid_b32 v4, s[6:7] offset:8",
			"global_store_addtid_b32 v4, s[6:7] offset:2040"
		if on == "gfx1030" {
			load, store = "global_load_dword_addtid v4, s[6:7] offset:8",
				"global_store_dword_addtid v4, s[6:7] offset:2040"
		}
		h := newHarness32(t, on)
		for i := range h.data.Data {
			h.data.Data[i] = byte(i*7 + i>>8)
		}
		setPair(h.regs, 6, dataBase)
		h.mustRun(h.assembly(on, load, store)...)
		for l := range 32 {
			want := binary.LittleEndian.Uint32(h.data.Data[8+4*l:])
			if got := h.regs.V[4][l]; got != want ||
				binary.LittleEndian.Uint32(h.data.Data[2040+4*l:]) != want {
				t.Errorf("%s: lane %d has loaded %#x, want %#x", on, l, got, want)
			}
		}
	}
	for _, on := range []string{"gfx1200", "gfx1250"} {
		h := newHarness32(t, on)
		for i := range h.data.Data {
			h.data.Data[i] = byte(i*7 + i>>8)
		}
		setPair(h.regs, 6, dataBase)
		h.vector(2, func(l int) uint32 { return uint32(4 * l) })
		h.regs.S[regM0] = 0x8000_0005
		for r := 4; r < 36; r++ {
			h.vector(r, func(int) uint32 { return oldValue })
		}
		h.mustRun(h.assembly(on, "global_load_block v[4:35], v2, s[6:7] offset:4",
			"scratch_store_block off, v[4:35], off offset:16")...)
		for r := range 32 {
			want := uint32(oldValue)
			if h.regs.S[regM0]>>r&1 != 0 {
				want = binary.LittleEndian.Uint32(h.data.Data[4+4*3+4*r:])
			}
			if got := h.regs.V[4+r][3]; got != want {
				t.Errorf("%s: v%d is %#x, want %#x", on, 4+r, got, want)
			}
			h.vector(4+r, func(int) uint32 { return 0 })
		}
		h.mustRun(h.assembly(on, "scratch_load_block v[4:35], off, off offset:16")...)
		if got, want := h.regs.V[35][3], binary.LittleEndian.Uint32(h.data.Data[4+4*3+4*31:]); got != want {
			t.Errorf("%s: v35 is %#x from private memory, want %#x", on, got, want)
		}
		h.vector(2, func(l int) uint32 { return 0 })
		h.mustRun(h.assembly(on, "global_store_block v2, v[4:35], s[6:7] offset:2048")...)
		if got, want := binary.LittleEndian.Uint32(h.data.Data[2048+4*31:]), h.regs.V[35][31]; got != want {
			t.Errorf("%s: stored %#x, want %#x", on, got, want)
		}
	}
}

// TestHalvesLoop: a loop over the two halves of a wave of 64 lanes executes its body for those that have
// lanes, and leaves EXEC as it was.
func TestHalvesLoop(t *testing.T) {
	for _, exec := range []uint64{0, 0xf0, 0xf0 << 32, 0x30_0000_000f} {
		h := newHarness(t, "gfx1030")
		h.isa.Kernel.WaveSize = 64
		h.w.Size, h.w.Valid, h.regs.wide = 64, all64, all64
		h.exec(exec)
		h.vector(4, func(int) uint32 { return 0 })
		h.regs.S[8] = 0
		insts := h.assembly("gfx1030", "s_subvector_loop_begin s6, 3", "v_add_nc_u32_e32 v4, 1, v4",
			"s_add_u32 s8, s8, 1", "s_subvector_loop_end s6, 65533", "s_nop 0")
		h.load(insts...)
		compared(h.opsAtPC(len(insts)), path{vec: vec.Current()}, false)
		for h.w.PC != codeBase+16 {
			if ev := h.core.Run(h.w, 1); ev.Fault != nil {
				t.Fatal(ev.Fault)
			}
		}
		passes := uint32(0)
		for _, half := range []uint64{exec & 0xffff_ffff, exec >> 32} {
			if half != 0 {
				passes++
			}
		}
		if h.w.Exec != exec || h.regs.S[8] != passes {
			t.Errorf("EXEC %#x after %d passes, want %#x after %d", h.w.Exec, h.regs.S[8], exec, passes)
		}
		for l := range 64 {
			if got := h.regs.V[4][l]; got != uint32(exec>>l&1) {
				t.Errorf("EXEC %#x: lane %d has passed %d times", exec, l, got)
			}
		}
	}
}

// TestTypedBuffersLater: items of the formats that have a number of their own from gfx10 on, by the
// instruction's format and by the descriptor's.
func TestTypedBuffersLater(t *testing.T) {
	names := []string{"x", "xy", "xyz", "xyzw"}
	for _, on := range []string{"gfx1030", "gfx1100", "gfx1200"} {
		for _, c := range typedCases {
			format := -1
			for n, f := range formatsOf(targetOf(on)) {
				if f == [2]uint8{uint8(c.dfmt), uint8(c.nfmt)} {
					format = n
				}
			}
			if format < 0 {
				continue
			}
			suffix := names[len(c.numbers)-1]
			data := []string{"v4", "v[4:5]", "v[4:6]", "v[4:7]"}[len(c.numbers)-1]
			soffset := "s8"
			for _, typed := range []string{"t", ""} {
				h := newHarness32(t, on)
				h.vector(2, func(int) uint32 { return 24 })
				copy(h.regs.S[4:], []uint32{dataBase, 0, dataSize,
					4 | 5<<3 | 6<<6 | 7<<9 | uint32(format)<<12, 4})
				copy(h.data.Data[28:], c.item)
				asm := func(op string) string {
					s := fmt.Sprintf("%sbuffer_%s_format_%s %s, v2, s[4:7], %s", typed, op, suffix, data,
						soffset)
					if typed != "" {
						s += fmt.Sprintf(" format:%d", format)
					}
					return s + " offen"
				}
				if !c.inexact {
					h.mustRun(h.assembly(on, asm("load"))...)
					for i, x := range c.numbers {
						if got, want := h.regs.V[4+i][5], numberBits(x, c.nfmt); got != want {
							t.Errorf("%s: %s of % x: number %d is %#x, want %#x", on, asm("load"), c.item, i,
								got, want)
						}
					}
				}
				if c.dfmt == 1 && c.item[0] == 0x80 {
					continue
				}
				for i, x := range c.numbers {
					h.vector(4+i, func(int) uint32 { return numberBits(x, c.nfmt) })
				}
				clear(h.data.Data)
				h.mustRun(h.assembly(on, asm("store"))...)
				if got := h.data.Data[28:][:len(c.item)]; string(got) != string(c.item) {
					t.Errorf("%s: %s: % x, want % x", on, asm("store"), got, c.item)
				}
			}
		}
	}
}

// TestSignedOffsets: on gfx1250 the offset from a scalar base has a sign, counted in items or in bytes.
func TestSignedOffsets(t *testing.T) {
	for asm, back := range map[string]int32{"global_load_b32 v1, v2, s[6:7] offset:64 scale_offset": 4,
		"global_load_b32 v1, v2, s[6:7] offset:64": 16} {
		h := newHarness32(t, "gfx1250")
		h.regs.S[6], h.regs.S[7] = dataBase, 0
		h.data.Data[48] = 7
		h.vector(2, func(int) uint32 { return uint32(-back) })
		h.mustRun(h.assembly("gfx1250", asm)...)
		if got := h.regs.V[1][5]; got != 7 {
			t.Errorf("%s gives %d, want 7", asm, got)
		}
	}
}

// TestSignedOffsetsFar: an offset with a sign leads below its base in every path, though there is memory
// 4 GiB above, where it would lead without; the last lanes' offsets may have another sign than the first's,
// and count items.
func TestSignedOffsetsFar(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	for text, scale := range map[string]int32{"global_load_b32 v1, v2, s[6:7]": 1,
		"global_load_b32 v1, v2, s[6:7] scale_offset": 4} {
		for _, p := range paths() {
			for _, negative := range []uint32{0, 0xffff, 0xffff0000, 1<<32 - 1} {
				signedOffsetsFar(t, text, scale, p, negative)
			}
		}
	}
}

// signedOffsetsFar loads in a path by an instruction whose offsets have a sign in some lanes.
func signedOffsetsFar(t *testing.T, text string, scale int32, p path, negative uint32) {
	t.Helper()
	h := newHarness(t, "gfx1250/32")
	h.take(p)
	far := make([]byte, dataSize)
	if _, err := h.m.Mem.Map("far", dataBase+1<<32, far, simt.PermRead); err != nil {
		t.Fatal(err)
	}
	for i := range dataSize / 4 {
		binary.LittleEndian.PutUint32(h.data.Data[4*i:], uint32(i))
	}
	setPair(h.regs, 6, dataBase+dataSize/2)
	var want [32]uint32
	h.vector(2, func(l int) uint32 {
		at := int32(4 * l)
		if negative>>l&1 != 0 {
			at = -8 * int32(l+1)
		}
		if l < 32 {
			want[l] = uint32(dataSize/2+at) / 4
		}
		return uint32(at / scale)
	})
	h.load(h.assembly("gfx1250", text)[0], h.assembly("gfx1250", "s_endpgm")[0])
	if p.translated {
		h.translate()
	}
	h.core.Run(h.w, 1)
	if diff := cmp.Diff(want[:], h.regs.V[1][:32]); diff != "" {
		t.Errorf("%s, %v, lanes %#x: -want +got:\n%s", text, p, negative, diff)
	}
}
