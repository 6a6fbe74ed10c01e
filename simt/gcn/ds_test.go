package gcn

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dsCase is one execution in lane 5 alone: address v2 = 16, data v[4:7] and
// v[6:9] as given, offset 8 (or places 1 and 2), LDS from 16 on as given.
type dsCase struct {
	name    string
	d0, d1  []uint32
	lds     []uint32 // the dwords from 24 on; before, for plain rows
	after   []uint32
	returns []uint32 // in v[8:11]
}

func f32bits(f float32) uint32 { return math.Float32bits(f) }

func f64dwords(f float64) []uint32 {
	b := math.Float64bits(f)
	return []uint32{uint32(b), uint32(b >> 32)}
}

var dsCases = []dsCase{
	{name: "write_b8", d0: []uint32{0x11223344}, lds: []uint32{ones}, after: []uint32{0xffff_ff44}},
	{name: "write_b16", d0: []uint32{0x11223344}, lds: []uint32{ones}, after: []uint32{0xffff_3344}},
	{name: "write_b8_d16_hi", d0: []uint32{0x11223344}, lds: []uint32{ones}, after: []uint32{0xffff_ff22}},
	{name: "write_b16_d16_hi", d0: []uint32{0x11223344}, lds: []uint32{ones}, after: []uint32{0xffff_1122}},
	{name: "write_b32", d0: []uint32{7}, lds: []uint32{0}, after: []uint32{7}},
	{name: "write_b64", d0: []uint32{7, 8}, lds: []uint32{0, 0}, after: []uint32{7, 8}},
	{name: "write_b96", d0: []uint32{7, 8, 9}, lds: []uint32{0, 0, 0}, after: []uint32{7, 8, 9}},
	{name: "write_b128", d0: []uint32{7, 8, 9, 10}, lds: []uint32{0, 0, 0, 0}, after: []uint32{7, 8, 9, 10}},
	{name: "read_u8", lds: []uint32{0x8182}, returns: []uint32{0x82}},
	{name: "read_i8", lds: []uint32{0x8182}, returns: []uint32{0xffff_ff82}},
	{name: "read_u16", lds: []uint32{0x8182}, returns: []uint32{0x8182}},
	{name: "read_i16", lds: []uint32{0x8182}, returns: []uint32{0xffff_8182}},
	{name: "read_u8_d16", lds: []uint32{0x8182}, returns: []uint32{0x1122_0082}},
	{name: "read_u8_d16_hi", lds: []uint32{0x8182}, returns: []uint32{0x0082_3344}},
	{name: "read_i8_d16", lds: []uint32{0x8182}, returns: []uint32{0x1122_ff82}},
	{name: "read_i8_d16_hi", lds: []uint32{0x8182}, returns: []uint32{0xff82_3344}},
	{name: "read_u16_d16", lds: []uint32{0x8182}, returns: []uint32{0x1122_8182}},
	{name: "read_u16_d16_hi", lds: []uint32{0x8182}, returns: []uint32{0x8182_3344}},
	{name: "read_b32", lds: []uint32{7}, returns: []uint32{7}},
	{name: "read_b64", lds: []uint32{7, 8}, returns: []uint32{7, 8}},
	{name: "read_b96", lds: []uint32{7, 8, 9}, returns: []uint32{7, 8, 9}},
	{name: "read_b128", lds: []uint32{7, 8, 9, 10}, returns: []uint32{7, 8, 9, 10}},
	{name: "add_u32", d0: []uint32{2}, lds: []uint32{ones}, after: []uint32{1}},
	{name: "sub_rtn_u32", d0: []uint32{2}, lds: []uint32{1}, after: []uint32{ones}, returns: []uint32{1}},
	{name: "rsub_rtn_u32", d0: []uint32{2}, lds: []uint32{1}, after: []uint32{1}, returns: []uint32{1}},
	{name: "rsub_u64", d0: []uint32{0, 1}, lds: []uint32{1, 0}, after: []uint32{ones, 0}},
	{name: "inc_u32", d0: []uint32{5}, lds: []uint32{5}, after: []uint32{0}},
	{name: "inc_rtn_u32", d0: []uint32{5}, lds: []uint32{4}, after: []uint32{5}, returns: []uint32{4}},
	{name: "dec_u32", d0: []uint32{5}, lds: []uint32{0}, after: []uint32{5}},
	{name: "dec_rtn_u64", d0: []uint32{5, 0}, lds: []uint32{5, 0}, after: []uint32{4, 0},
		returns: []uint32{5, 0}},
	{name: "min_i32", d0: []uint32{ones}, lds: []uint32{1}, after: []uint32{ones}},
	{name: "min_u32", d0: []uint32{ones}, lds: []uint32{1}, after: []uint32{1}},
	{name: "max_rtn_i64", d0: []uint32{ones, ones}, lds: []uint32{1, 0}, after: []uint32{1, 0},
		returns: []uint32{1, 0}},
	{name: "max_u64", d0: []uint32{ones, ones}, lds: []uint32{1, 0}, after: []uint32{ones, ones}},
	{name: "and_rtn_b32", d0: []uint32{12}, lds: []uint32{10}, after: []uint32{8}, returns: []uint32{10}},
	{name: "or_b64", d0: []uint32{12, 1}, lds: []uint32{10, 0}, after: []uint32{14, 1}},
	{name: "xor_rtn_b32", d0: []uint32{12}, lds: []uint32{10}, after: []uint32{6}, returns: []uint32{10}},
	{name: "mskor_b32", d0: []uint32{0xff}, d1: []uint32{0x23}, lds: []uint32{0x1111},
		after: []uint32{0x1123}},
	{name: "mskor_rtn_b64", d0: []uint32{0, ones}, d1: []uint32{4, 5}, lds: []uint32{3, 3},
		after: []uint32{7, 5}, returns: []uint32{3, 3}},
	{name: "wrxchg_rtn_b32", d0: []uint32{12}, lds: []uint32{10}, after: []uint32{12}, returns: []uint32{10}},
	{name: "wrxchg_rtn_b64", d0: []uint32{12, 13}, lds: []uint32{10, 11}, after: []uint32{12, 13},
		returns: []uint32{10, 11}},
	{name: "cmpst_b32", d0: []uint32{10}, d1: []uint32{99}, lds: []uint32{10}, after: []uint32{99}},
	{name: "cmpst_rtn_b32", d0: []uint32{11}, d1: []uint32{99}, lds: []uint32{10}, after: []uint32{10},
		returns: []uint32{10}},
	{name: "cmpst_rtn_b64", d0: []uint32{10, 1}, d1: []uint32{98, 99}, lds: []uint32{10, 1},
		after: []uint32{98, 99}, returns: []uint32{10, 1}},
	// 0 == -0
	{name: "cmpst_f32", d0: []uint32{0}, d1: []uint32{99}, lds: []uint32{least32}, after: []uint32{99}},
	{name: "cmpst_rtn_f64", d0: f64dwords(math.NaN()), d1: []uint32{98, 99}, lds: f64dwords(math.NaN()),
		after: f64dwords(math.NaN()), returns: f64dwords(math.NaN())},
	{name: "min_f32", d0: []uint32{f32bits(-1)}, lds: []uint32{f32bits(2)}, after: []uint32{f32bits(-1)}},
	{name: "max_rtn_f32", d0: []uint32{0x7fc0_0000}, lds: []uint32{f32bits(2)}, after: []uint32{f32bits(2)},
		returns: []uint32{f32bits(2)}},
	{name: "min_f32", d0: []uint32{f32bits(2)}, lds: []uint32{0x7fc0_0001}, after: []uint32{0x7fc0_0001}},
	{name: "max_rtn_f32", d0: []uint32{f32bits(2)}, lds: []uint32{0xffc0_0000}, after: []uint32{0xffc0_0000},
		returns: []uint32{0xffc0_0000}},
	{name: "min_f64", d0: f64dwords(2), lds: f64dwords(math.NaN()), after: f64dwords(math.NaN())},
	{name: "max_rtn_f64", d0: f64dwords(2), lds: f64dwords(math.NaN()), after: f64dwords(math.NaN()),
		returns: f64dwords(math.NaN())},
	{name: "min_rtn_f64", d0: f64dwords(3), lds: f64dwords(2), after: f64dwords(2), returns: f64dwords(2)},
	{name: "max_f64", d0: f64dwords(3), lds: f64dwords(2), after: f64dwords(3)},
	{name: "add_f32", d0: []uint32{f32bits(1.5)}, lds: []uint32{f32bits(2)}, after: []uint32{f32bits(3.5)}},
	{name: "add_f32", d0: []uint32{1}, lds: []uint32{1}, after: []uint32{2}}, // denormals are kept
	{name: "add_rtn_f32", d0: []uint32{f32bits(1)}, lds: []uint32{0x7f80_0000}, after: []uint32{0x7f80_0000},
		returns: []uint32{0x7f80_0000}},
	{name: "add_f64", d0: f64dwords(1.5), lds: f64dwords(2), after: f64dwords(3.5)},
	{name: "pk_add_f16", d0: []uint32{0x3c00_4000}, lds: []uint32{0x3c00_3c00}, after: []uint32{0x4000_4200}},
	{name: "pk_add_rtn_bf16", d0: []uint32{0x3f80_4000}, lds: []uint32{0x3f80_3f80},
		after: []uint32{0x4000_4040}, returns: []uint32{0x3f80_3f80}},
	{name: "wrap_rtn_b32", d0: []uint32{3}, d1: []uint32{50}, lds: []uint32{10}, after: []uint32{7},
		returns: []uint32{10}},
	{name: "wrap_rtn_b32", d0: []uint32{3}, d1: []uint32{50}, lds: []uint32{2}, after: []uint32{52},
		returns: []uint32{2}},
	{name: "write2_b32", d0: []uint32{7}, d1: []uint32{8}, lds: []uint32{0, 0, 0}, after: []uint32{7, 0, 8}},
	{name: "write2_b64", d0: []uint32{7, 8}, d1: []uint32{9, 10}, lds: []uint32{0, 0, 0, 0, 0, 0},
		after: []uint32{7, 8, 0, 0, 9, 10}},
	{name: "read2_b32", lds: []uint32{7, 8, 9}, returns: []uint32{7, 9}},
	{name: "read2_b64", lds: []uint32{7, 8, 9, 10, 11, 12}, returns: []uint32{7, 8, 11, 12}},
	{name: "wrxchg2_rtn_b32", d0: []uint32{7}, d1: []uint32{8}, lds: []uint32{1, 2, 3},
		after: []uint32{7, 2, 8}, returns: []uint32{1, 3}},
	{name: "wrxchg2_rtn_b64", d0: []uint32{7, 8}, d1: []uint32{9, 10}, lds: []uint32{1, 2, 3, 4, 5, 6},
		after: []uint32{7, 8, 3, 4, 9, 10}, returns: []uint32{1, 2, 5, 6}},
}

// TestDataShare has one lane execute each case, and then all, each at a place of its own.
func TestDataShare(t *testing.T) {
	for _, processor := range asLater("gfx942") {
		for _, c := range dsCases {
			c.run(t, processor, 1<<5)
			c.run(t, processor, all64)
		}
	}
}

func (c *dsCase) run(t *testing.T, processor string, exec uint64) {
	t.Helper()
	const at, apart = 24, 64
	h := newHarnessFor(t, processor).compares()
	if !h.has(DS, "ds_"+c.name) {
		return
	}
	h.exec(exec)
	set := func(r int, v []uint32) {
		for i, x := range v {
			h.vector(r+i, func(int) uint32 { return x })
		}
	}
	set(8, []uint32{oldValue, oldValue, oldValue, oldValue})
	set(4, c.d0)
	address, offset := uint32(16), uint32(8)
	if op := h.op(DS, "ds_"+c.name); op.mem.places > 0 {
		address = at - uint32(op.mem.size)
		offset = 1 | 3<<8
	}
	h.vector(2, func(l int) uint32 { return address + apart*uint32(l) })
	inst := h.ds(c.name, offset)
	inst[1] = inst[1]&^0xff0000 | 12<<16
	set(12, c.d1)
	for l := range 64 {
		for i, x := range c.lds {
			binary.LittleEndian.PutUint32(h.group.LDS[apart*l+at+4*i:], x)
		}
	}
	h.mustRun(inst)
	old := []uint32{oldValue, oldValue, oldValue, oldValue}
	for l := range 64 {
		after, want := c.lds, old
		if exec>>l&1 != 0 {
			if want = append(slices.Clone(c.returns), old[len(c.returns):]...); c.after != nil {
				after = c.after
			}
		}
		if got := dwords(h.group.LDS[apart*l+at:][:4*len(after)]); !slices.Equal(got, after) {
			t.Errorf("%s %x, EXEC %#x: memory of lane %d %x, want %x", c.name, c.d0, exec, l, got, after)
		}
		if got := h.registersOf(8, 4, l); !slices.Equal(got, want) {
			t.Errorf("%s %x, EXEC %#x: result of lane %d %x, want %x", c.name, c.d0, exec, l, got, want)
		}
	}
}

// TestStride64 reads two dwords that lie 256 bytes apart.
func TestStride64(t *testing.T) {
	h := newHarness(t, "gfx900").compares()
	h.fill()
	h.vector(2, func(l int) uint32 { return 4 * uint32(l) })
	h.mustRun(h.ds("read2st64_b32", 1|2<<8))
	for l := range 64 {
		want := []uint32{dwords(h.group.LDS[256+4*l:][:4])[0], dwords(h.group.LDS[512+4*l:][:4])[0]}
		if d := cmp.Diff(want, h.registersOf(8, 2, l)); d != "" {
			t.Fatalf("lane %d (-want +got):\n%s", l, d)
		}
	}
}

// TestAddressesWrap: the offset is added modulo 2^32.
func TestAddressesWrap(t *testing.T) {
	h := newHarness(t, "gfx900")
	h.fill()
	h.vector(2, func(l int) uint32 { return 4*uint32(l) - 128 })
	h.mustRun(h.ds("read_b32", 200))
	for l := range 64 {
		if got, want := h.regs.V[8][l], dwords(h.group.LDS[72+4*l:][:4])[0]; got != want {
			t.Fatalf("lane %d has %#x, want %#x", l, got, want)
		}
	}
	h.mustRun(h.ds("read2_b32", 40|50<<8))
	for l := range 64 {
		if got, want := h.regs.V[9][l], dwords(h.group.LDS[72+4*l:][:4])[0]; got != want {
			t.Fatalf("lane %d has %#x of the second place, want %#x", l, got, want)
		}
	}
}

// The lanes that swizzle(FFT,0) and, in each half, swizzle(FFT,16) read (Vega ISA, section
// "DS_SWIZZLE_B32", where lanes are counted from 1).
var (
	fft = [32]uint32{0x00, 0x10, 0x08, 0x18, 0x04, 0x14, 0x0c, 0x1c, 0x02, 0x12, 0x0a, 0x1a, 0x06, 0x16, 0x0e,
		0x1e,
		0x01, 0x11, 0x09, 0x19, 0x05, 0x15, 0x0d, 0x1d, 0x03, 0x13, 0x0b, 0x1b, 0x07, 0x17, 0x0f, 0x1f}
	fftHalves = [16]uint32{0x0, 0x8, 0x4, 0xc, 0x2, 0xa, 0x6, 0xe, 0x1, 0x9, 0x5, 0xd, 0x3, 0xb, 0x7, 0xf}
)

// TestPermutes gives lane l the data 100+l.
func TestPermutes(t *testing.T) {
	const exec = all64 &^ (1 << 7)
	run := func(name string, offset uint32, addr func(l int) uint32) *harness {
		h := newHarness(t, "gfx900").compares()
		h.exec(exec)
		h.vector(2, addr)
		h.vector(4, func(l int) uint32 { return 100 + uint32(l) })
		h.vector(8, func(l int) uint32 { return oldValue })
		h.mustRun(h.ds(name, offset))
		return h
	}
	for _, c := range []struct {
		name   string
		offset uint32
		addr   func(l int) uint32
		want   func(l int) uint32
	}{
		{"bpermute_b32", 0, func(l int) uint32 { return uint32(l+1) * 4 }, func(l int) uint32 {
			if l == 6 {
				return 0 // lane 7 is inactive
			}
			return 100 + uint32(l+1)%64
		}},
		{"bpermute_b32", 8, func(l int) uint32 { return 1<<31 | 3 }, func(l int) uint32 { return 102 }},
		{"permute_b32", 0, func(l int) uint32 { return uint32(l^1) * 4 }, func(l int) uint32 {
			if l == 6 {
				return 0 // nobody sends to it
			}
			return 100 + uint32(l^1)
		}},
		{"permute_b32", 0, func(l int) uint32 { return 12 }, func(l int) uint32 {
			if l == 3 {
				return 163 // the highest lane wins
			}
			return 0
		}},
		{"swizzle_b32", 0x80b1, func(l int) uint32 { return uint32(l) },
			func(l int) uint32 { return pick32(l == 6, 0, uint32(l^1)) }},
		{"swizzle_b32", 0x041f, func(l int) uint32 { return uint32(l) },
			func(l int) uint32 { return pick32(l == 6, 0, uint32(l^1)) }},
		{"swizzle_b32", 0x0018, func(l int) uint32 { return uint32(l) },
			func(l int) uint32 { return uint32(l &^ 7) }},
		// and 0x15, or 0x15, xor 7
		{"swizzle_b32", 0x1eb5, func(l int) uint32 { return uint32(l) }, func(l int) uint32 {
			return uint32(l&32 | 0x12)
		}},
		{"swizzle_b32", 0xe010, func(l int) uint32 { return uint32(l) }, func(l int) uint32 { // FFT of halves
			return pick32(l == 14, 0, fftHalves[l&15]+uint32(l&48))
		}},
		{"swizzle_b32", 0xe000, func(l int) uint32 { return uint32(l) }, func(l int) uint32 {
			return pick32(l == 28, 0, fft[l&31]+uint32(l&32))
		}},
		{"swizzle_b32", 0xe01f, func(l int) uint32 { return uint32(l) },
			func(l int) uint32 { return uint32(l) }},
		{"swizzle_b32", 0xc020, func(l int) uint32 { return uint32(l) }, func(l int) uint32 {
			return pick32(l == 6, 0, uint32(l&32|(l+1)&31))
		}},
	} {
		h := run(c.name, c.offset, c.addr)
		for l := range 64 {
			want := c.want(l)
			if l == 7 {
				want = oldValue
			}
			if got := h.regs.V[8][l]; got != want {
				t.Errorf("%s offset %#x: lane %d = %d, want %d", c.name, c.offset, l, got, want)
			}
		}
	}
}

func pick32(c bool, a, b uint32) uint32 {
	if c {
		return a
	}
	return b
}

func TestAppendConsume(t *testing.T) {
	for _, c := range []struct {
		exec         uint64
		lanes, lane0 uint32
	}{{0xff00, 8, oldValue}, {all64, 64, 1000}} {
		h := newHarness(t, "gfx900").compares()
		h.exec(c.exec)
		h.regs.S[regM0] = 64
		h.vector(8, func(int) uint32 { return oldValue })
		binary.LittleEndian.PutUint32(h.group.LDS[72:], 1000)
		h.mustRun(h.ds("append", 8))
		if got := dwords(h.group.LDS[72:76])[0]; got != 1000+c.lanes || h.regs.V[8][9] != 1000 ||
			h.regs.V[8][0] != c.lane0 {
			t.Errorf("ds_append: counter %d, lane 9 %d, lane 0 %d", got, h.regs.V[8][9], h.regs.V[8][0])
		}
		h.mustRun(h.ds("consume", 8))
		if got := dwords(h.group.LDS[72:76])[0]; got != 1000 || h.regs.V[8][15] != 1000+c.lanes {
			t.Errorf("ds_consume: counter %d, lane 15 %d", got, h.regs.V[8][15])
		}
	}
}

func TestAddTID(t *testing.T) {
	for _, exec := range []uint64{all64, 0x600} {
		h := newHarness(t, "gfx900").compares()
		h.exec(exec)
		h.regs.S[regM0] = 64
		h.vector(4, func(l int) uint32 { return 1 + uint32(l) })
		h.mustRun(h.ds("write_addtid_b32", 8), h.ds("read_addtid_b32", 4))
		if got := dwords(h.group.LDS[72+4*9:][:4])[0]; got != 10 || h.regs.V[8][10] != 10 {
			t.Errorf("LDS has %d, lane 10 reads %d; want 10, 10", got, h.regs.V[8][10])
		}
		want := []uint32{pick32(exec == all64, 12, 0), pick32(exec == all64, 11, 0)}
		if got := dwords(h.group.LDS[72+4*11:][:4])[0]; got != want[0] || h.regs.V[8][11] != want[1] {
			t.Errorf("LDS has %d, lane 11 reads %d; want %d", got, h.regs.V[8][11], want)
		}
	}
}

// TestAccumulationData stores from and loads to accumulation registers.
func TestAccumulationData(t *testing.T) {
	h := newHarness(t, "gfx90a")
	h.regs.hold(vectorFile)
	h.vector(accBase+4, func(l int) uint32 { return uint32(l) })
	h.vector(2, func(l int) uint32 { return 4 * uint32(l) })
	write, read := h.ds("write_b32", 0), h.ds("read_b32", 0)
	write[0], read[0] = write[0]|1<<25, read[0]|1<<25
	h.mustRun(write, read)
	if h.regs.V[accBase+8][9] != 9 || h.regs.V[8][9] != 0 {
		t.Errorf("a8 = %d, v8 = %d; want 9, 0", h.regs.V[accBase+8][9], h.regs.V[8][9])
	}
	h.address(2, func(l int) uint64 { return dataBase + 4*uint64(l) })
	store, load := h.global("store_dword", 0), h.global("load_dword", 0)
	store[1], load[1] = store[1]|1<<23, load[1]|1<<23
	load[1] = load[1]&^(0xff<<24) | 12<<24
	h.mustRun(store, load)
	if h.regs.V[accBase+12][9] != 9 || h.data.Data[36] != 9 {
		t.Errorf("a12 = %d, memory %d; want 9, 9", h.regs.V[accBase+12][9], h.data.Data[36])
	}
}

// The data of the second of two places are those from before the first's old value came to a register.
func TestTwoPlacesSource(t *testing.T) {
	for _, gds := range []uint32{0, 1 << 16} {
		h := newHarness(t, "gfx900")
		if err := h.isa.mapGDS(); err != nil {
			t.Fatal(err)
		}
		h.exec(1)
		h.regs.S[regM0] = 0x100
		h.regs.V[2][0], h.regs.V[4][0], h.regs.V[5][0] = 16, 7, 8
		// ds_wrxchg2_rtn_b32 v[5:6], v2, v4, v5 offset0:0 offset1:1: v5 is both
		h.mustRun([]uint32{0xd8000000 | 0x2e<<17 | 1<<8 | gds, 5<<24 | 5<<16 | 4<<8 | 2})
		memory := h.group.LDS[16:]
		if gds != 0 {
			memory = h.isa.mem.Find(GDSBase).Data[16:]
		}
		if a, b := binary.LittleEndian.Uint32(memory), binary.LittleEndian.Uint32(memory[4:]); a != 7 ||
			b != 8 {
			t.Errorf("GDS %t: %d and %d were written, want 7 and 8", gds != 0, a, b)
		}
	}
}
