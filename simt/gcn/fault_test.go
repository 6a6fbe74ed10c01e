package gcn

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
)

// TestFaultsChangeNothing lets some lanes go wrong and looks at what is
// reported and at what has happened: nothing.
func TestFaultsChangeNothing(t *testing.T) {
	const lanes = 1<<9 | 1<<40
	wrong := func(good func(l int) uint64, bad uint64) func(l int) uint64 {
		return func(l int) uint64 {
			if lanes>>l&1 != 0 {
				return bad
			}
			return good(l)
		}
	}
	inData := func(l int) uint64 { return dataBase + 16*uint64(l) }
	inLDS := func(l int) uint64 { return SharedBase + 16*uint64(l) }
	inPrivate := func(l int) uint64 { return PrivateBase + 16 }
	for _, c := range []struct {
		name string
		addr func(l int) uint64
		inst func(h *harness) []uint32
		want simt.Fault
	}{
		{"load, nothing mapped", wrong(inData, 0xdead_0000),
			func(h *harness) []uint32 { return h.global("load_dword", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.Global, Addr: 0xdead_0000, Size: 4}},
		{"store, nothing mapped", wrong(inData, 0xdead_0000),
			func(h *harness) []uint32 { return h.global("store_dwordx2", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.Global, Addr: 0xdead_0000, Size: 8, Write: true}},
		{"store over the end", wrong(inData, dataBase+dataSize-4),
			func(h *harness) []uint32 { return h.global("store_dwordx4", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.Global, Addr: dataBase + dataSize - 4, Size: 16,
				Write: true}},
		{"store before the start", wrong(inData, dataBase-1),
			func(h *harness) []uint32 { return h.flat("store_short", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.Global, Addr: dataBase - 1, Size: 2, Write: true}},
		{"store to constants", wrong(inData, constBase+4),
			func(h *harness) []uint32 { return h.flat("store_byte", 0) },
			simt.Fault{Kind: simt.Forbidden, Space: simt.Global, Addr: constBase + 4, Size: 1, Write: true}},
		{"store to code", wrong(inData, codeBase),
			func(h *harness) []uint32 { return h.global("store_dword", 0) },
			simt.Fault{Kind: simt.Forbidden, Space: simt.Global, Addr: codeBase, Size: 4, Write: true}},
		{"address that wraps", wrong(inData, all64-1),
			func(h *harness) []uint32 { return h.flat("load_dwordx4", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.Global, Addr: all64 - 1, Size: 16}},
		{"misaligned atomic", wrong(inData, dataBase+2),
			func(h *harness) []uint32 { return h.global("atomic_add", 0) },
			simt.Fault{Kind: simt.Misaligned, Space: simt.Global, Addr: dataBase + 2, Size: 4, Write: true}},
		{"misaligned 64-bit atomic", wrong(inData, dataBase+4),
			func(h *harness) []uint32 { return h.flat("atomic_add_x2", 0) },
			simt.Fault{Kind: simt.Misaligned, Space: simt.Global, Addr: dataBase + 4, Size: 8, Write: true}},
		{"flat load past LDS", wrong(inLDS, SharedBase+ldsSize),
			func(h *harness) []uint32 { return h.flat("load_ubyte", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.LDS, Addr: ldsSize, Size: 1}},
		{"flat store past private memory", wrong(inPrivate, PrivateBase+scratchLimit-2),
			func(h *harness) []uint32 { return h.flat("store_dword", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.Scratch, Addr: scratchLimit - 2, Size: 4,
				Write: true}},
		{"one space of three", wrong(inPrivate, SharedBase+ldsSize),
			func(h *harness) []uint32 { return h.flat("store_dword", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.LDS, Addr: ldsSize, Size: 4, Write: true}},
		{"ds_write past LDS", wrong(func(l int) uint64 { return 4 * uint64(l) }, ldsSize-3),
			func(h *harness) []uint32 { return h.ds("write_b32", 0) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.LDS, Addr: ldsSize - 3, Size: 4, Write: true}},
		{"ds_write2, second place", wrong(func(l int) uint64 { return 4 * uint64(l) }, ldsSize-8),
			func(h *harness) []uint32 { return h.ds("write2_b32", 2<<8) },
			simt.Fault{Kind: simt.Unmapped, Space: simt.LDS, Addr: ldsSize, Size: 4, Write: true}},
		{"misaligned ds_add", wrong(func(l int) uint64 { return 4 * uint64(l) }, 1),
			func(h *harness) []uint32 { return h.ds("add_u32", 0) },
			simt.Fault{Kind: simt.Misaligned, Space: simt.LDS, Addr: 1, Size: 4, Write: true}},
		{"scratch store past the limit", wrong(func(l int) uint64 { return 4 }, scratchLimit),
			func(h *harness) []uint32 {
				return []uint32{0xdc704000, 0x7f<<16 | 4<<8 | 2}
			},
			simt.Fault{Kind: simt.Unmapped, Space: simt.Scratch, Addr: scratchLimit, Size: 4, Write: true}},
		{"scratch load before the start", wrong(func(l int) uint64 { return 4 }, 0xffff_fff0),
			func(h *harness) []uint32 {
				return []uint32{0xdc504000, 8<<24 | 0x7f<<16 | 2}
			},
			simt.Fault{Kind: simt.Unmapped, Space: simt.Scratch, Addr: 0xffff_fff0, Size: 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, model := newHarness(t, "gfx90a"), newHarness(t, "gfx90a")
			h.fill()
			model.fill()
			h.address(2, c.addr)
			for r := 4; r < 12; r++ {
				h.vector(r, func(l int) uint32 { return uint32(r * l) })
			}
			before := append([]Vector(nil), h.regs.V...)
			inst := c.inst(h)
			ev := h.run([]uint32{0xbf800000}, inst)
			copy(model.code.Data, h.code.Data)
			if ev.Kind != simt.FaultEvent {
				t.Fatalf("event %v, want a fault", ev.Kind)
			}
			got := *ev.Fault
			if got.Text == "" {
				t.Error("the fault does not name the instruction")
			}
			got.Text = ""
			c.want.Lanes = lanes
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("fault (-want +got):\n%s", d)
			}
			if h.w.PC != codeBase+4 || ev.PC != codeBase+4 || h.w.State != simt.Faulted || ev.Lanes != lanes {
				t.Errorf("pc %#x, event at %#x in lanes %#x, state %v", h.w.PC, ev.PC, ev.Lanes, h.w.State)
			}
			if d := h.differs(model); d != "" {
				t.Errorf("after the fault, %s", d)
			}
			if !slices.Equal(before, h.regs.V) {
				t.Errorf("registers changed:\n%s", cmp.Diff(before, h.regs.V))
			}
			// Without those lanes it works.
			h.exec(all64 &^ lanes)
			h.mustRun(inst)
		})
	}
}

// TestScratchAddressing: scalar, vector and both, with a negative offset.
func TestScratchAddressing(t *testing.T) {
	for _, c := range []struct {
		name, processor string
		words           []uint32
		want            uint64
	}{
		{"scalar", "gfx900", []uint32{0xdc507ffc &^ 0x2000, 8<<24 | 4<<16 | 2}, 96},
		{"vector", "gfx90a", []uint32{0xdc505ffc, 8<<24 | 0x7f<<16 | 2}, 36},
		{"neither", "gfx942", []uint32{0xdc504008, 8<<24 | 0x7f<<16 | 2}, 8},
		{"scalar on gfx942", "gfx942", []uint32{0xdc505ffc, 8<<24 | 4<<16 | 2}, 96},
		{"both", "gfx942", []uint32{0xdc507ffc, 8<<24 | 4<<16 | 2}, 136},
	} {
		h := newHarness(t, c.processor)
		h.fill()
		h.regs.S[4] = 100
		h.vector(2, func(int) uint32 { return 40 })
		h.mustRun(c.words)
		for l := range 64 {
			var b [4]byte
			readPrivate(h, l, c.want, b[:])
			if got, want := h.regs.V[8][l], dwords(b[:])[0]; got != want {
				t.Fatalf("%s: lane %d has %#x, want %#x from %d", c.name, l, got, want, c.want)
			}
		}
	}
}

// TestBufferAddressing: structured and swizzled buffers, and what lies
// outside.
func TestBufferAddressing(t *testing.T) {
	const offen, idxen = 1 << 12, 1 << 13
	for _, c := range []struct {
		name   string
		desc   [4]uint32
		bits   uint32
		v2, v3 func(l int) uint32
		want   func(l int) int // offset in the data, or -1 outside
	}{
		{"records", [4]uint32{dataBase, 20 << 16, 10, 0}, idxen | 8,
			func(l int) uint32 { return uint32(l) }, nil,
			func(l int) int { return pickInt(l < 10, 20*l+8, -1) }},
		{"records and offsets", [4]uint32{dataBase, 20 << 16, 10, 0}, idxen | offen | 8,
			func(l int) uint32 { return uint32(l) }, func(l int) uint32 { return 4 },
			func(l int) int { return pickInt(l < 10, 20*l+12, -1) }},
		{"bytes", [4]uint32{dataBase, 0, 100, 0}, offen,
			func(l int) uint32 { return 4 * uint32(l) }, nil,
			func(l int) int { return pickInt(l < 25, 4*l, -1) }},
		{"bytes, after a scalar offset", [4]uint32{dataBase, 0, 100, 0}, offen,
			func(l int) uint32 { return 4 * uint32(l) }, nil,
			func(l int) int { return pickInt(l < 15, 40+4*l, -1) }},
		{"bytes, over the end", [4]uint32{dataBase, 0, 99, 0}, offen,
			func(l int) uint32 { return 4 * uint32(l) }, nil,
			func(l int) int { return pickInt(l < 24, 4*l, -1) }},
		{"bytes, from an odd one", [4]uint32{dataBase, 0, 101, 0}, offen | 1,
			func(l int) uint32 { return 4 * uint32(l) }, nil,
			func(l int) int { return pickInt(l < 25, 4*l+1, -1) }},
		{"swizzled, over a record's end", [4]uint32{dataBase, 1<<31 | 16<<16, 60, 0}, idxen | 13,
			func(l int) uint32 { return uint32(l) }, nil,
			func(l int) int { return -1 }},
		{"swizzled in eights", [4]uint32{dataBase, 1<<31 | 16<<16, 60, 0}, idxen | 12,
			func(l int) uint32 { return uint32(l) }, nil,
			func(l int) int { return pickInt(l < 60, l/8*128+12*8+l%8*4, -1) }},
		{"lane as index", [4]uint32{dataBase, 8 << 16, 32, 1 << 23}, 4, nil, nil,
			func(l int) int { return pickInt(l < 32, 8*l+4, -1) }},
	} {
		h := newHarness(t, "gfx900")
		h.fill()
		copy(h.regs.S[4:], c.desc[:])
		h.regs.S[8] = 0
		if strings.Contains(c.name, "scalar offset") {
			h.regs.S[8] = 40
		}
		if c.v2 != nil {
			h.vector(2, c.v2)
		}
		if c.v3 != nil {
			h.vector(3, c.v3)
		}
		h.mustRun(h.buffer("load_dword", c.bits))
		for l := range 64 {
			want := uint32(0)
			if at := c.want(l); at >= 0 {
				want = dwords(h.data.Data[at:][:4])[0]
			}
			if got := h.regs.V[4][l]; got != want {
				t.Errorf("%s: lane %d has %#x, want %#x", c.name, l, got, want)
				break
			}
		}
		before := append([]byte(nil), h.data.Data...)
		h.vector(4, func(l int) uint32 { return ones - uint32(l) })
		h.mustRun(h.buffer("store_dword", c.bits))
		for l := range 64 {
			if at := c.want(l); at >= 0 {
				binary.LittleEndian.PutUint32(before[at:], ones-uint32(l))
			}
		}
		if !slices.Equal(before, h.data.Data) {
			t.Errorf("%s: store (-want +got):\n%s", c.name, cmp.Diff(before, h.data.Data))
		}
	}
}

// TestBufferParts: of an access that lies in a buffer in part, the dwords that are in it are loaded and
// stored.
func TestBufferParts(t *testing.T) {
	const offen, bytes = 1 << 12, 104
	for _, c := range []struct {
		name string
		n    int
	}{{"dwordx2", 2}, {"dwordx3", 3}, {"dwordx4", 4}} {
		h := newHarness(t, "gfx900")
		h.fill()
		copy(h.regs.S[4:], []uint32{dataBase, 0, bytes, 0})
		h.regs.S[8] = 0
		h.vector(2, func(l int) uint32 { return 4 * uint32(l) })
		h.mustRun(h.buffer("load_"+c.name, offen))
		stored := slices.Clone(h.data.Data)
		for l := range 64 {
			for i := range c.n {
				at, want := 4*(l+i), uint32(0)
				if at+4 <= bytes {
					want = dwords(h.data.Data[at:][:4])[0]
				}
				if got := h.regs.V[4+i][l]; got != want {
					t.Fatalf("%s: dword %d of lane %d is %#x, want %#x", c.name, i, l, got, want)
				}
			}
		}
		const last = bytes/4 - 1 // the lane that has one dword in the buffer
		binary.LittleEndian.PutUint32(stored[4*last:], 1000)
		for i := range c.n {
			h.vector(4+i, func(int) uint32 { return 1000 + uint32(i) })
		}
		h.exec(1<<last | 1<<40)
		h.mustRun(h.buffer("store_"+c.name, offen))
		if !slices.Equal(stored, h.data.Data) {
			t.Errorf("%s: the buffer's end is %x, want %x", c.name, h.data.Data[bytes-4:bytes+8],
				stored[bytes-4:bytes+8])
		}
	}
}

// TestZerosOfLDS: loads from where Tensile has zeros give 0, and what is not all there faults.
func TestZerosOfLDS(t *testing.T) {
	h := newHarness(t, "gfx90a")
	h.fill()
	h.vector(8, func(int) uint32 { return ones })
	h.vector(9, func(int) uint32 { return ones })
	h.vector(2, func(l int) uint32 { return zerosAt + 8*uint32(l) })
	h.mustRun(h.ds("read_b64", 8))
	if h.regs.V[8] != (Vector{}) || h.regs.V[9] != (Vector{}) {
		t.Errorf("lanes have %#x and %#x", h.regs.V[8], h.regs.V[9])
	}
	for _, addr := range []uint32{zerosAt - 8, zerosAt + zerosSize, ones - 7} {
		h.vector(2, func(int) uint32 { return addr })
		if ev := h.run(h.ds("read_b64", 0)); ev.Kind != simt.FaultEvent || ev.Fault.Addr != uint64(addr) {
			t.Errorf("a load from %#x: %v %v", addr, ev.Kind, ev.Fault)
		}
	}
	h.vector(2, func(int) uint32 { return zerosAt })
	if ev := h.run(h.ds("write_b64", 0)); ev.Kind != simt.FaultEvent {
		t.Errorf("a store there: %v", ev.Kind)
	}
}

func pickInt(c bool, a, b int) int {
	if c {
		return a
	}
	return b
}

// TestLoadToLDS: the destination is M0 plus the offset plus 4 for each lane.
func TestLoadToLDS(t *testing.T) {
	for _, c := range []struct {
		processor string
		words     []uint32
	}{
		{"gfx900", []uint32{0xdc50a004, 0x7f<<16 | 2}},
		{"gfx942", []uint32{0xdc008004 | 0x2a<<18, 0x7f<<16 | 2}},
	} {
		h := newHarness(t, c.processor).compares()
		h.fill()
		h.regs.S[regM0] = 512
		h.exec(all64 &^ 2)
		h.address(2, func(l int) uint64 { return dataBase + 12*uint64(l) })
		before := append([]byte(nil), h.group.LDS...)
		h.mustRun(c.words)
		for l := range 64 {
			if l != 1 {
				copy(before[516+4*l:], h.data.Data[4+12*l:][:4])
			}
		}
		if d := cmp.Diff(before, h.group.LDS); d != "" {
			t.Errorf("%s: LDS (-want +got):\n%s", c.processor, d)
		}
		h.regs.S[regM0] = ldsSize - 100
		if ev := h.run(c.words); ev.Kind != simt.FaultEvent || ev.Fault.Space != simt.LDS || !ev.Fault.Write {
			t.Errorf("%s: past LDS: %v %v", c.processor, ev.Kind, ev.Fault)
		}
	}
}

// TestFloatAtomics: one lane, global memory.
func TestFloatAtomics(t *testing.T) {
	for _, c := range []struct {
		name             string
		data, old, after []uint32
	}{
		{"add_f32", []uint32{f32bits(1.5)}, []uint32{f32bits(2)}, []uint32{f32bits(3.5)}},
		{"pk_add_f16", []uint32{0x3c00_4000}, []uint32{0x3c00_3c00}, []uint32{0x4000_4200}},
		{"pk_add_bf16", []uint32{0x3f80_4000}, []uint32{0x3f80_3f80}, []uint32{0x4000_4040}},
		{"add_f64", f64dwords(1.5), f64dwords(2), f64dwords(3.5)},
		{"min_f64", f64dwords(1.5), f64dwords(2), f64dwords(1.5)},
		{"max_f64", f64dwords(1.5), f64dwords(2), f64dwords(2)},
	} {
		h := newHarness(t, "gfx942").compares()
		h.exec(1 << 20)
		h.address(2, func(int) uint64 { return dataBase })
		for i := range c.data {
			h.regs.V[4+i][20] = c.data[i]
			binary.LittleEndian.PutUint32(h.data.Data[4*i:], c.old[i])
		}
		h.mustRun(h.global("atomic_"+c.name, 0))
		if d := cmp.Diff(c.after, dwords(h.data.Data[:4*len(c.after)])); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}
