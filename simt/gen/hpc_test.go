package gen

import (
	"encoding/binary"
	"math/bits"
	"math/rand"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// xeHPCCases are instructions of Xe-HPC as iga64 -p=12p72 assembles them.
var xeHPCCases = []laterCase{
	{"macl r10.0<1>:d r12.0<1;1,0>:d r14.0<1;1,0>:d", "53000c006006050a040c1006040e1000",
		func(a, b, _ uint32) uint32 { return a * b }, nil},
	{"macl r10.0<1>:ud r12.0<1;1,0>:ud r14.0<1;1,0>:ud", "53000c002002050a040c1002040e1000",
		func(a, b, _ uint32) uint32 { return a * b }, nil},
	{"mach r10.0<1>:ud r12.0<1;1,0>:ud r14.0<1;1,0>:ud", "49000c002002050a040c1002040e1000",
		func(a, b, _ uint32) uint32 { hi, _ := bits.Mul32(a, b); return hi }, nil},
	{"mach r10.0<1>:d r12.0<1;1,0>:d r14.0<1;1,0>:d", "49000c006006050a040c1006040e1000",
		func(a, b, _ uint32) uint32 { return uint32(int64(d(a)) * int64(d(b)) >> 32) }, nil},
	{"add3 r10.0<1>:d r12.0<1;0>:d r14.0<1;0>:d r16.0<1>:d", "52000c006806040a040c0e06040e0510",
		func(a, b, c uint32) uint32 { return a + b + c }, nil},
	{"bfn.0x96 r10.0<1>:ud r12.0<1;0>:ud r14.0<1;0>:ud r16.0<1>:ud", "6b000c002802040a040c6a92040e0510",
		func(a, b, c uint32) uint32 { return a ^ b ^ c }, nil},
	{"rol r10.0<1>:ud r12.0<1;1,0>:ud r14.0<1;1,0>:ud", "6f000c002002050a040c1002040e1000",
		func(a, b, _ uint32) uint32 { return bits.RotateLeft32(a, int(b&31)) }, nil},
}

func TestXeHPC(t *testing.T) { runLater(t, XeHPC, xeHPCCases) }

// TestFourFlags: predicates and conditions of f2 and f3 leave f0 and f1 alone, and any and all are of all
// channels.
func TestFourFlags(t *testing.T) {
	const f3, anyF2, allF2, less = "6100cc046006050a040c100000000000", "61008c086006050a040c100000000000",
		"61008c0c6006050a040c100000000000", "7000cc0060060100040c1056040e1000"
	b := newBench(t, 32).of(XeHPC)
	const other = 0x0123456789abcdef
	moved := func(code string, pair uint64) (lanes uint32) {
		b.load(code)
		b.r.setFlags(other)
		b.r.setFlagPair(1, pair)
		b.set(10, [8]uint32{})
		b.set(12, [8]uint32{1, 1, 1, 1, 1, 1, 1, 1})
		if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
			t.Fatalf("%s: %v %v", code, ev.Kind, ev.Fault)
		}
		for i, v := range b.get(10) {
			lanes |= v << i
		}
		return lanes
	}
	for _, tt := range []struct {
		code  string
		pair  uint64
		lanes uint32
	}{{f3, 0x5a_00000000, 0x5a}, {f3, 0xffffffff, 0}, {anyF2, 1 << 31, 0xff}, {anyF2, 0x1_00000000, 0},
		{allF2, 0xffffffff, 0xff}, {allF2, 0x7fffffff, 0}} {
		if got := moved(tt.code, tt.pair); got != tt.lanes {
			t.Errorf("%s with f2 and f3 %#x: channels %#x, want %#x", tt.code, tt.pair, got, tt.lanes)
		}
	}
	b.load(less)
	b.r.setFlags(other)
	b.r.setFlagPair(1, 0xff00_12345678)
	b.set(12, [8]uint32{1, 2, 3, 4, 5, 6, 7, 8})
	b.set(14, [8]uint32{2, 2, 2, 9, 9, 9, 0, 0})
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	if got := b.r.flagPair(1); got != 0xff39_12345678 || b.r.flags() != other {
		t.Errorf("f2 and f3 are %#x, f0 and f1 %#x", got, b.r.flags())
	}
}

// TestSpread: a thread's number comes out of sr0.0 as IGC's code takes it.
func TestSpread(t *testing.T) {
	for n := range uint32(MaxThreads) {
		for gap, g := range map[int]*Generation{1: XeHPG, 2: XeHPC} {
			v := g.spread(n)
			v = v&63 | v>>gap&^63
			if v = v&7 | v>>1&^7; v != n {
				t.Fatalf("%s: %d becomes %d", g.Name, n, v)
			}
		}
	}
}

// TestLSCStrided loads and stores from a first address on, and at equal distances.
func TestLSCStrided(t *testing.T) {
	r := rand.New(sweep.Source(18))
	for _, local := range []bool{false, true} {
		for _, store := range []bool{false, true} {
			for _, pitch := range []int{4, 12, -8, 0} {
				if store && pitch == 0 {
					continue
				}
				b, mem, _ := lscBench(t, XeHPC, 16, r, local, 4)
				s := lscSend{on: XeHPC, width: 16, sfid: sfidUGM, dst: 40, src0: 20,
					desc: 1 | 2<<9 | 3<<7 | 1<<25}
				at, first := b.r.gen.grf(20), 0x200
				binary.LittleEndian.PutUint64(b.r.file[at:], b.data.Base+uint64(first))
				if local {
					s.sfid, s.desc = sfidSLM, s.desc&^(3<<7)|2<<7
					b.r.setU32(at, uint32(first))
				}
				b.r.setU32(at+8, uint32(pitch))
				if s.desc |= 1 << 20; store {
					s.desc, s.src1, s.len1 = s.desc&^(1<<20)|4, 40, 1
				}
				wantMem, wantRegs := slices.Clone(mem), b.grfPart()
				for k := range 16 {
					reg, place := wantRegs[40*64+4*k:][:4], wantMem[first+k*pitch:][:4]
					switch {
					case 0x9ff1>>k&1 == 0:
					case store:
						copy(place, reg)
					default:
						copy(reg, place)
					}
				}
				s.run(b, 0x9ff1)
				if !slices.Equal(mem, wantMem) || !slices.Equal(b.grfPart(), wantRegs) {
					t.Errorf("local %v, store %v, %d bytes apart: wrong", local, store, pitch)
				}
			}
		}
	}
}

// TestLSCStatus asks which channels' memory is there.
func TestLSCStatus(t *testing.T) {
	b, _, _ := lscBench(t, XeHPC, 16, rand.New(sweep.Source(19)), false, 8)
	binary.LittleEndian.PutUint64(b.r.file[b.r.gen.grf(20)+8*3:], 0x7000_0000_0000)
	s := lscSend{on: XeHPC, width: 16, sfid: sfidUGM, dst: 40, src0: 20,
		desc: 0x1b | 2<<9 | 3<<7 | 2<<25 | 1<<20}
	s.run(b, 0xff)
	if got := b.r.u32(b.r.gen.grf(40)); got != 0xf7 {
		t.Errorf("%#x", got)
	}
}

// A rectangle is a block of two dimensions in a surface of 40 by 12 bytes with rows of 64.
type rectangle struct {
	name                        string
	elem                        int // log2 of its bytes
	x, y, width, height, blocks int
	transposed, packed, store   bool
}

var rectangles = []rectangle{
	{name: "dwords", elem: 2, x: 1, y: 2, width: 4, height: 3, blocks: 1},
	{name: "rows that are padded", elem: 2, x: 0, y: 0, width: 3, height: 5, blocks: 1},
	{name: "two blocks of bytes", elem: 0, x: 3, y: 1, width: 16, height: 4, blocks: 2},
	{name: "beyond all borders", elem: 1, x: -2, y: -1, width: 32, height: 16, blocks: 1},
	{name: "outside", elem: 1, x: 100, y: 1, width: 4, height: 4, blocks: 1},
	{name: "columns", elem: 2, x: 2, y: 1, width: 4, height: 7, blocks: 1, transposed: true},
	{name: "columns of qwords", elem: 3, x: 0, y: 3, width: 2, height: 8, blocks: 1, transposed: true},
	{name: "packed bytes", elem: 0, x: 4, y: 2, width: 16, height: 8, blocks: 2, packed: true},
	{name: "packed words", elem: 1, x: 1, y: 0, width: 8, height: 8, blocks: 2, packed: true},
	{name: "stored", elem: 2, x: 2, y: 3, width: 4, height: 5, blocks: 1, store: true},
	{name: "stored beyond a border", elem: 1, x: 16, y: 10, width: 8, height: 8, blocks: 1, store: true},
}

// TestLSCBlock2D moves rectangles, and compares each element with the place that its row, column and block
// mean.
func TestLSCBlock2D(t *testing.T) {
	r := rand.New(sweep.Source(20))
	for _, c := range rectangles {
		c.run(t, r)
	}
}

func (c *rectangle) run(t *testing.T, r *rand.Rand) {
	t.Helper()
	b, mem, _ := lscBench(t, XeHPC, 1, r, false, 8)
	const base, bytes, rows, pitch = 0x100, 40, 12, 64
	at := b.r.gen.grf(20)
	binary.LittleEndian.PutUint64(b.r.file[at:], b.data.Base+base)
	shape := c.width - 1 | (c.height-1)<<8 | (c.blocks-1)<<16
	for i, v := range []int{bytes - 1, rows - 1, pitch - 1, c.x, c.y, shape} {
		b.r.setU32(at+8+4*i, uint32(v))
	}
	size := 1 << c.elem
	// The registers, as the layouts are described: rows, or columns, of a power of two of elements.
	power := func(n int) int { return 1 << bits.Len(uint(n-1)) }
	place := func(x, y int) int {
		switch {
		case c.transposed:
			return (x*power(c.height) + y) * size
		case c.packed:
			return y*size/4*4*power(c.width) + 4*x + y*size%4
		}
		return (y*power(c.width) + x) * size
	}
	whole := b.r.gen.whole(place(c.width-1, c.height-1) + size)
	wantMem, wantRegs := slices.Clone(mem), b.grfPart()
	regs := wantRegs[40*64:][:whole*c.blocks]
	if !c.store {
		clear(regs)
	}
	for block := range c.blocks {
		for y := range c.height {
			for x := range c.width {
				column, row := c.x+block*c.width+x, c.y+y
				if column < 0 || (column+1)*size > bytes || row < 0 || row >= rows {
					continue
				}
				reg, place := regs[block*whole+place(x, y):][:size],
					wantMem[base+row*pitch+column*size:][:size]
				if c.store {
					copy(place, reg)
				} else {
					copy(reg, place)
				}
			}
		}
	}
	s := lscSend{on: XeHPC, width: 1, sfid: sfidUGM, dst: 40, src0: 20, desc: 3 | uint32(c.elem)<<9 | 1<<25 |
		flag(c.packed)<<7 | flag(c.transposed)<<15}
	if n := whole * c.blocks / 64; c.store {
		s.desc, s.src1, s.len1 = s.desc|4, 40, n
	} else {
		s.desc |= uint32(n) << 20
	}
	s.run(b, 1)
	if !slices.Equal(mem, wantMem) || !slices.Equal(b.grfPart(), wantRegs) {
		t.Errorf("%s: wrong", c.name)
	}
}
