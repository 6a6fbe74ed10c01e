package gcn

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// typedCases are items in memory and the numbers that they stand for: floats,
// or integers for the number formats UINT and SINT.
var typedCases = []struct {
	dfmt, nfmt uint32
	item       []byte
	numbers    []float64 // as many as the format has
	inexact    bool      // the numbers are those that are stored, not those that are loaded
}{
	{1, formatUnorm, []byte{255}, []float64{1}, false},
	{1, formatUnorm, []byte{51}, []float64{0.2}, false},
	{1, formatSnorm, []byte{0x81}, []float64{-1}, false},
	{1, formatSnorm, []byte{0x80}, []float64{-1}, true},
	{1, formatUint, []byte{200}, []float64{200}, false},
	{1, formatSint, []byte{200}, []float64{-56}, false},
	{1, formatUscaled, []byte{200}, []float64{200}, false},
	{1, formatSscaled, []byte{200}, []float64{-56}, false},
	{2, formatFloat, []byte{0x00, 0xc1}, []float64{-2.5}, false},
	{2, formatUnorm, []byte{0xff, 0xff}, []float64{1}, false},
	{3, formatUnorm, []byte{0, 255}, []float64{0, 1}, false},
	{3, formatUint, []byte{7, 200}, []float64{7, 200}, false},
	{4, formatFloat, []byte{0, 0, 0x20, 0x40}, []float64{2.5}, false},
	{4, formatSint, []byte{0xfe, 0xff, 0xff, 0xff}, []float64{-2}, false},
	{5, formatSnorm, []byte{0xff, 0x7f, 0x01, 0x80}, []float64{1, -1}, false},
	{6, formatFloat, []byte{0xc0, 0x03, 0x20, 0xf8}, []float64{1, 2, math.Inf(1)}, false},
	{7, formatUint, []byte{0x01, 0x08, 0x60, 0x00}, []float64{1, 2, 3}, false},
	{8, formatUint, []byte{0x0b, 0x30, 0x00, 0x40}, []float64{3, 2, 3, 256}, false},
	{9, formatUnorm, []byte{0xff, 0x03, 0x00, 0xc0}, []float64{1, 0, 0, 1}, false},
	{9, formatSint, []byte{0xff, 0x03, 0x10, 0xc0}, []float64{-1, 0, 1, -1}, false},
	{10, formatUint, []byte{1, 2, 3, 4}, []float64{1, 2, 3, 4}, false},
	{11, formatUint, []byte{1, 0, 0, 0, 2, 0, 0, 0}, []float64{1, 2}, false},
	{12, formatFloat, []byte{0, 0x3c, 0, 0x40, 0, 0x42, 0, 0x44}, []float64{1, 2, 3, 4}, false},
	{13, formatUint, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}, []float64{1, 2, 3}, false},
	{14, formatFloat, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40},
		[]float64{1, 2, 3, 4}, false},
}

// tbuffer is a tbuffer instruction with its descriptor in s[4:7], its offset
// in s8, the address in v2 and data in v4.
func (h *harness) tbuffer(name string, dfmt, nfmt, bits uint32) []uint32 {
	code := uint32(h.op(MTBUF, "tbuffer_"+name).Code)
	return []uint32{0xe8000000 | nfmt<<23 | dfmt<<19 | code<<15 | bits, 8<<24 | 1<<16 | 4<<8 | 2}
}

func numberBits(x float64, nfmt uint32) uint32 {
	if nfmt == formatUint || nfmt == formatSint {
		return uint32(int64(x))
	}
	return math.Float32bits(float32(x))
}

// TestTypedBuffers loads and stores items of every format, by the format of
// the instruction and by that of the descriptor, with 32 and with 16 bits.
func TestTypedBuffers(t *testing.T) {
	names := []string{"x", "xy", "xyz", "xyzw"}
	for _, c := range typedCases {
		for n, suffix := range names {
			for _, half := range []string{"", "d16_"} {
				for _, typed := range []bool{false, true} { // MTBUF
					h := newHarness(t, "gfx900").compares()
					h.vector(2, func(l int) uint32 { return 24 })
					copy(h.regs.S[4:], []uint32{dataBase, 0, dataSize,
						4 | 5<<3 | 6<<6 | 7<<9 | c.nfmt<<12 | c.dfmt<<15})
					h.regs.S[8] = 4
					copy(h.data.Data[28:], c.item)
					inst := func(op string) []uint32 {
						if typed {
							return h.tbuffer(op+"_format_"+half+suffix, c.dfmt, c.nfmt, 1<<12)
						}
						return h.buffer(op+"_format_"+half+suffix, 1<<12)
					}
					want := make([]uint32, 4)
					integer := c.nfmt == formatUint || c.nfmt == formatSint
					for i := range want {
						v := 0.0
						if i == 3 {
							v = 1
						}
						if i < len(c.numbers) {
							v = c.numbers[i]
						}
						want[i] = numberBits(v, c.nfmt)
						if half != "" && !integer {
							want[i] = uint32(encode(half16, float64(float32(v))))
						} else if half != "" {
							want[i] &= 0xffff
						}
					}
					if half != "" {
						for i := range want {
							if i > n {
								want[i] = 0
							}
						}
						want = []uint32{want[0] | want[1]<<16, want[2] | want[3]<<16}[:(n+2)/2]
					} else {
						want = want[:n+1]
					}
					if !c.inexact {
						for i := range want {
							h.vector(4+i, func(int) uint32 { return 0 })
						}
						lanewise(t, h.w, h.regs, func() { h.mustRun(inst("load")) })
						for i, v := range want {
							if got := h.regs.V[4+i][5]; got != v {
								t.Errorf("%v of % x (%d, %d): dword %d is %#x, want %#x",
									h.text(inst("load")), c.item, c.dfmt, c.nfmt, i, got, v)
							}
						}
					}
					if n+1 != len(c.numbers) || half != "" && !integer && c.nfmt != formatFloat {
						continue
					}
					if c.dfmt == 1 && c.item[0] == 0x80 || half != "" && (c.dfmt == 4 || c.dfmt >= 11) {
						continue
					}
					clear(h.data.Data)
					// Each lane stores the same, but for the second time.
					for _, exec := range []uint64{all64, 1 << 5} {
						for i, v := range want {
							h.vector(4+i, func(l int) uint32 { return pick32(exec>>l&1 != 0, v, ^v) })
						}
						h.exec(exec)
						h.mustRun(inst("store"))
					}
					if got := h.data.Data[28:][:len(c.item)]; !bytes.Equal(got, c.item) ||
						h.data.Data[28+len(c.item)] != 0 {
						t.Errorf("%v (%d, %d): % x, want % x",
							h.text(inst("store")), c.dfmt, c.nfmt, got, c.item)
					}
				}
			}
		}
	}
}

func (h *harness) text(words []uint32) string {
	in, err := h.isa.Decode(wordsCode(words...), 0)
	if err != nil {
		h.t.Fatal(err)
	}
	return in.String()
}

// TestTypedBounds: what lies outside of the buffer, in part, or has no
// format reads as 0 and is not written; TFE adds a status.
func TestTypedBounds(t *testing.T) {
	for _, c := range []struct {
		name    string
		records uint32
		dfmt    uint32
		inside  bool
	}{{"inside", 12, 11, true}, {"over the end", 11, 11, false}, {"no format", 100, 0, false},
		{"reserved", 100, 15, false}} {
		h := newHarness(t, "gfx900")
		h.fill()
		copy(h.regs.S[4:], []uint32{dataBase, 0, c.records, 0, 4})
		h.vector(2, func(int) uint32 { return 0 })
		for r := 4; r < 8; r++ {
			h.vector(r, func(int) uint32 { return oldValue })
		}
		load := h.tbuffer("load_format_xy", c.dfmt, formatUint, 1<<12)
		load[1] |= 1 << 23 // tfe
		h.mustRun(load)
		want := []uint32{0, 0, 0, oldValue}
		if c.inside {
			copy(want, dwords(h.data.Data[4:12]))
		}
		for i, v := range want {
			if got := h.regs.V[4+i][9]; got != v {
				t.Errorf("%s: v%d is %#x, want %#x", c.name, 4+i, got, v)
			}
		}
		before := bytes.Clone(h.data.Data)
		h.mustRun(h.tbuffer("store_format_xy", c.dfmt, formatUint, 1<<12))
		if c.inside {
			copy(before[4:], binary.LittleEndian.AppendUint32(
				binary.LittleEndian.AppendUint32(nil, want[0]), want[1]))
		}
		if !bytes.Equal(before, h.data.Data) {
			t.Errorf("%s: memory is not what was stored", c.name)
		}
	}
	h := newHarness(t, "gfx900")
	h.fill()
	copy(h.regs.S[4:], []uint32{dataBase, 0, dataSize, 0, 0})
	h.vector(2, func(l int) uint32 { return 4 * uint32(l) })
	h.vector(5, func(int) uint32 { return oldValue })
	load := h.buffer("load_dword", 1<<12)
	load[1] |= 1 << 23
	h.mustRun(load)
	if h.regs.V[4][7] != dwords(h.data.Data[28:32])[0] || h.regs.V[5][7] != 0 {
		t.Errorf("buffer_load_dword with tfe: %#x, status %#x", h.regs.V[4][7], h.regs.V[5][7])
	}
}

// TestTypedHighHalf: the d16_hi forms.
func TestTypedHighHalf(t *testing.T) {
	h := newHarness(t, "gfx900").compares()
	copy(h.regs.S[4:], []uint32{dataBase, 0, dataSize, 4 | 5<<3 | 6<<6 | 7<<9 | formatUint<<12 | 2<<15, 0})
	h.vector(2, func(int) uint32 { return 0 })
	h.vector(4, func(int) uint32 { return oldValue })
	h.data.Data[0], h.data.Data[1] = 0xcd, 0xab
	lanewise(t, h.w, h.regs, func() { h.mustRun(h.buffer("load_format_d16_hi_x", 1<<12)) })
	if got := h.regs.V[4][3]; got != 0xabcd_3344 {
		t.Errorf("loaded %#x, want 0xabcd3344", got)
	}
	h.vector(4, func(int) uint32 { return 0x1234_5678 })
	lanewise(t, h.w, h.regs, func() { h.mustRun(h.buffer("store_format_d16_hi_x", 1<<12)) })
	if h.data.Data[0] != 0x34 || h.data.Data[1] != 0x12 {
		t.Errorf("stored % x, want 34 12", h.data.Data[:2])
	}
	// The descriptor's selectors choose among components, 0 and 1.
	copy(h.regs.S[4:], []uint32{dataBase, 0, dataSize, 7 | 1<<3 | 0<<6 | 4<<9 | formatUint<<12 | 10<<15, 0})
	copy(h.data.Data, []byte{10, 20, 30, 40})
	h.mustRun(h.buffer("load_format_xyzw", 1<<12))
	if got := h.registersOf(4, 4, 3); got[0] != 40 || got[1] != 1 || got[2] != 0 || got[3] != 10 {
		t.Errorf("selected %d, want 40 1 0 10", got)
	}
}

// TestScalarAtomics executes every scalar atomic operation, with and without
// its old value.
func TestScalarAtomics(t *testing.T) {
	rnd := rand.New(sweep.PCG(18, 19))
	h := newHarness(t, "gfx900").compares()
	for _, c := range atomicCases {
		for _, buffer := range []bool{false, true} {
			for i := range 8 {
				name, enc := "s_atomic_"+c.name, uint32(1)
				setPair(h.regs, 2, dataBase+16)
				if buffer {
					name, enc = "s_buffer_atomic_"+c.name, 2
				}
				copy(h.regs.S[4:], []uint32{dataBase + 16, 0, 64, 0})
				old, a, b := atomicNumber(rnd, c.size), atomicNumber(rnd, c.size), atomicNumber(rnd, c.size)
				if i%2 == 0 {
					b = old
				}
				binary.LittleEndian.PutUint64(h.data.Data[24:], old)
				for r, v := range []uint64{a, b} {
					h.regs.S[16+r*c.size/4] = uint32(v)
					if c.size == 8 {
						h.regs.S[17+r*2] = uint32(v >> 32)
					}
				}
				glc := uint32(i >> 1 & 1 << 16)
				words := []uint32{0xc0020000 | uint32(h.op(SMEM, name).Code)<<18 | glc | 16<<6 | enc, 8}
				h.mustRun(words)
				mask := ^uint64(0) >> (64 - 8*c.size)
				want := c.f(old, a, b) & mask
				if got := binary.LittleEndian.Uint64(h.data.Data[24:]) & mask; got != want {
					t.Errorf("%s of %#x, %#x, %#x: memory %#x, want %#x", name, old, a, b, got, want)
				}
				want = a
				if glc != 0 {
					want = old
				}
				if got := pair(h.regs, 16) & mask; got != want&mask {
					t.Errorf("%s, glc %d: s16 %#x, want %#x", name, glc, got, want)
				}
			}
		}
	}
	copy(h.regs.S[4:], []uint32{dataBase + 16, 0, 8, 0})
	before := bytes.Clone(h.data.Data)
	h.regs.S[16] = 7
	h.mustRun([]uint32{0xc0030000 | uint32(h.op(SMEM, "s_buffer_atomic_add").Code)<<18 | 16<<6 | 2, 8})
	if !bytes.Equal(before, h.data.Data) || h.regs.S[16] != 0 {
		t.Errorf("outside of the buffer: s16 %d, or memory changed", h.regs.S[16])
	}
	setPair(h.regs, 2, dataBase+4)
	if ev := h.run([]uint32{0xc0020000 | uint32(h.op(SMEM, "s_atomic_add_x2").Code)<<18 | 16<<6 | 1,
		0}); ev.Fault == nil ||
		!strings.Contains(ev.Fault.String(), "misaligned") {
		t.Errorf("off its alignment: %v", ev.Fault)
	}
}
