package gcn

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
)

// The encodings of vector memory instructions, with address v[2:3] or v2,
// data v[4:7] and destination v[8:11].

func (h *harness) flat(name string, offset uint32) []uint32 {
	return []uint32{0xdc000000 | uint32(h.op(FLAT, "flat_"+name).Code)<<18 | offset&0x1fff, 8<<24 | 4<<8 | 2}
}

func (h *harness) global(name string, offset uint32) []uint32 {
	return []uint32{0xdc008000 | uint32(h.op(GLOBAL, "global_"+name).Code)<<18 | offset&0x1fff,
		8<<24 | 0x7f<<16 | 4<<8 | 2}
}

func (h *harness) ds(name string, offset uint32) []uint32 {
	return []uint32{0xd8000000 | uint32(h.op(DS, "ds_"+name).Code)<<17 | offset, 8<<24 | 6<<16 | 4<<8 | 2}
}

// buffer has its descriptor in s[4:7] and its offset in s8.
func (h *harness) buffer(name string, bits uint32) []uint32 {
	return []uint32{0xe0000000 | uint32(h.op(MUBUF, "buffer_"+name).Code)<<18 | bits,
		8<<24 | 1<<16 | 4<<8 | 2}
}

// A place is one of the ways to the same memory.
type place struct {
	name  string
	inst  func(h *harness, name string) []uint32
	reset func(h *harness, addr func(l int) uint64) // of the lanes' items, from 0 on
	read  func(h *harness, l int, addr uint64, p []byte)
	write func(h *harness, l int, addr uint64, p []byte)
}

func readData(h *harness, _ int, addr uint64, p []byte)  { copy(p, h.data.Data[addr:]) }
func writeData(h *harness, _ int, addr uint64, p []byte) { copy(h.data.Data[addr:], p) }
func readLDS(h *harness, _ int, addr uint64, p []byte)   { copy(p, h.group.LDS[addr:]) }
func writeLDS(h *harness, _ int, addr uint64, p []byte)  { copy(h.group.LDS[addr:], p) }

func readPrivate(h *harness, l int, addr uint64, p []byte) {
	if _, err := h.w.ReadScratch(l, addr, p); err != nil {
		h.t.Fatal(err)
	}
}

func writePrivate(h *harness, l int, addr uint64, p []byte) {
	if _, err := h.w.WriteScratch(l, addr, p); err != nil {
		h.t.Fatal(err)
	}
}

// places reach global memory, LDS and private memory in every way there is.
// Each gives its instruction an offset of 4.
var places = []place{
	{
		name: "global",
		inst: func(h *harness, name string) []uint32 { return h.global(name, 4) },
		reset: func(h *harness, addr func(int) uint64) {
			h.address(2, func(l int) uint64 { return dataBase + addr(l) - 4 })
		},
		read: readData, write: writeData,
	},
	{
		name: "global with scalar base",
		inst: func(h *harness, name string) []uint32 {
			i := h.global(name, 4)
			i[1] = i[1]&^(0x7f<<16) | 4<<16
			return i
		},
		reset: func(h *harness, addr func(int) uint64) {
			setPair(h.regs, 4, dataBase-8)
			h.vector(2, func(l int) uint32 { return uint32(addr(l) + 4) })
		},
		read: readData, write: writeData,
	},
	{
		name: "flat to global",
		inst: func(h *harness, name string) []uint32 { return h.flat(name, 4) },
		reset: func(h *harness, addr func(int) uint64) {
			h.address(2, func(l int) uint64 { return dataBase + addr(l) - 4 })
		},
		read: readData, write: writeData,
	},
	{
		name: "flat to LDS",
		inst: func(h *harness, name string) []uint32 { return h.flat(name, 4) },
		reset: func(h *harness, addr func(int) uint64) {
			h.address(2, func(l int) uint64 { return SharedBase + addr(l) - 4 })
		},
		read: readLDS, write: writeLDS,
	},
	{
		name: "flat to private",
		inst: func(h *harness, name string) []uint32 { return h.flat(name, 4) },
		reset: func(h *harness, addr func(int) uint64) {
			h.address(2, func(l int) uint64 { return PrivateBase + addr(l) - 4 })
		},
		read: readPrivate, write: writePrivate,
	},
	{
		name: "flat to all three",
		inst: func(h *harness, name string) []uint32 { return h.flat(name, 4) },
		reset: func(h *harness, addr func(int) uint64) {
			h.address(2,
				func(l int) uint64 { return []uint64{dataBase, SharedBase, PrivateBase}[l%3] + addr(l) - 4 })
		},
		read: func(h *harness, l int, addr uint64, p []byte) {
			[]func(*harness, int, uint64, []byte){readData, readLDS, readPrivate}[l%3](h, l, addr, p)
		},
		write: func(h *harness, l int, addr uint64, p []byte) {
			[]func(*harness, int, uint64, []byte){writeData, writeLDS, writePrivate}[l%3](h, l, addr, p)
		},
	},
	{
		name: "scratch by vector",
		inst: func(h *harness, name string) []uint32 {
			return []uint32{0xdc004004 | uint32(h.op(SCRATCH, "scratch_"+name).Code)<<18,
				8<<24 | 0x7f<<16 | 4<<8 | 2}
		},
		reset: func(h *harness, addr func(int) uint64) {
			h.vector(2, func(l int) uint32 { return uint32(addr(l) - 4) })
		},
		read: readPrivate, write: writePrivate,
	},
	{
		name: "buffer",
		inst: func(h *harness, name string) []uint32 { return h.buffer(name, 1<<12|4) },
		reset: func(h *harness, addr func(int) uint64) {
			copy(h.regs.S[4:], []uint32{dataBase - 16, 0, dataSize + 16, 0, 8})
			h.vector(2, func(l int) uint32 { return uint32(addr(l) + 4) })
		},
		read: readData, write: writeData,
	},
	{
		name: "buffer to private",
		inst: func(h *harness, name string) []uint32 { return h.buffer(name, 1<<12|4) },
		reset: func(h *harness, addr func(int) uint64) {
			copy(h.regs.S[4:], scratchDescriptor(h.regs.scratchBase, 1<<30, h.w.Size))
			h.regs.S[8] = 16 * 64 // wave-scaled
			h.vector(2, func(l int) uint32 { return uint32(addr(l) - 20) })
		},
		read: readPrivate, write: writePrivate,
	},
}

// dst is the number of the register that loads and atomic operations write.
func (p *place) dst() int {
	if strings.HasPrefix(p.name, "buffer") {
		return 4
	}
	return 8
}

// fill gives every byte of every memory a value of its own kind.
func (h *harness) fill() {
	copy(h.data.Data, dataFill())
	copy(h.group.LDS, ldsFill())
	h.w.GrowScratch(h.w.ScratchLimit)
	copy(h.w.Scratch, scratchFill())
}

var (
	dataFill    = sync.OnceValue(func() []byte { return filling(dataSize, 7, 0) })
	ldsFill     = sync.OnceValue(func() []byte { return filling(ldsSize, 11, 3) })
	scratchFill = sync.OnceValue(func() []byte { return filling(scratchLimit*simt.MaxLanes, 13, 5) })
)

// filling is so many bytes of which none is like its neighbours.
func filling(n, step, first int) []byte {
	all := make([]byte, n)
	for i := range all {
		all[i] = byte(i*step + i>>8 + first)
	}
	return all
}

// differs tells how the memories of two harnesses differ.
func (h *harness) differs(model *harness) string {
	for _, m := range []struct {
		name      string
		want, got []byte
	}{
		{"global", model.data.Data, h.data.Data},
		{"LDS", model.group.LDS, h.group.LDS},
		{"private", model.w.Scratch, h.w.Scratch},
	} {
		if !bytes.Equal(m.want, m.got) {
			return m.name + " memory (-want +got):\n" + cmp.Diff(m.want, m.got)
		}
	}
	return ""
}

// patterns are where the lanes' items, of up to 16 bytes, are.
var patterns = []struct {
	name string
	addr func(l int) uint64
}{
	{"apart", func(l int) uint64 { return 32 + 16*uint64(l%60) }},
	{"together", func(l int) uint64 { return 64 }},
	{"together, unaligned", func(l int) uint64 { return 65 }},
	{"apart, unaligned", func(l int) uint64 { return 33 + 17*uint64(l%58) }},
	{"at odd halves", func(l int) uint64 { return 34 + 16*uint64(l%60) }},
}

var masks = []uint64{all64, 0x8000_0000_0000_0001, 0x0f0f_0f0f_0000_ffff, 0}

// registersOf are n registers of a lane from r on.
func (h *harness) registersOf(r, n, l int) []uint32 {
	got := make([]uint32, n)
	for i := range got {
		got[i] = h.regs.V[r+i][l]
	}
	return got
}

const oldValue = 0x1122_3344 // of registers before a load

// loadCases say what a load makes of an item.
var loadCases = []struct {
	name string
	want func(b []byte) []uint32
}{
	{"load_ubyte", func(b []byte) []uint32 { return []uint32{uint32(b[0])} }},
	{"load_sbyte", func(b []byte) []uint32 { return []uint32{uint32(int8(b[0]))} }},
	{"load_ushort", func(b []byte) []uint32 { return []uint32{uint32(half16Of(b))} }},
	{"load_sshort", func(b []byte) []uint32 { return []uint32{uint32(int16(half16Of(b)))} }},
	{"load_dword", func(b []byte) []uint32 { return dwords(b[:4]) }},
	{"load_dwordx2", func(b []byte) []uint32 { return dwords(b[:8]) }},
	{"load_dwordx3", func(b []byte) []uint32 { return dwords(b[:12]) }},
	{"load_dwordx4", func(b []byte) []uint32 { return dwords(b[:16]) }},
	{"load_ubyte_d16", func(b []byte) []uint32 { return []uint32{0x1122_0000 | uint32(b[0])} }},
	{"load_ubyte_d16_hi", func(b []byte) []uint32 { return []uint32{0x3344 | uint32(b[0])<<16} }},
	{"load_sbyte_d16", func(b []byte) []uint32 { return []uint32{0x1122_0000 | uint32(uint16(int8(b[0])))} }},
	{"load_sbyte_d16_hi", func(b []byte) []uint32 { return []uint32{0x3344 | uint32(int8(b[0]))<<16} }},
	{"load_short_d16", func(b []byte) []uint32 { return []uint32{0x1122_0000 | uint32(half16Of(b))} }},
	{"load_short_d16_hi", func(b []byte) []uint32 { return []uint32{0x3344 | uint32(half16Of(b))<<16} }},
}

func half16Of(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }

func dwords(b []byte) []uint32 {
	var d []uint32
	for ; len(b) > 0; b = b[4:] {
		d = append(d, binary.LittleEndian.Uint32(b))
	}
	return d
}

func TestLoads(t *testing.T) {
	for _, processor := range asLater("gfx90a") {
		t.Run(processor, func(t *testing.T) { testLoads(t, processor) })
	}
}

func testLoads(t *testing.T, processor string) {
	h := newHarnessFor(t, processor).compares()
	h.fill()
	for _, pl := range places {
		for _, pat := range patterns {
			for _, c := range loadCases {
				for _, exec := range masks {
					h.exec(exec)
					pl.reset(h, pat.addr)
					for r := pl.dst(); r < pl.dst()+4; r++ {
						h.vector(r, func(int) uint32 { return oldValue })
					}
					inst := pl.inst(h, c.name)
					if !h.hasEncoded(inst) {
						continue
					}
					h.mustRun(inst)
					for l := range 64 {
						var item [16]byte
						pl.read(h, l, pat.addr(l), item[:])
						want := c.want(item[:])
						if exec>>l&1 == 0 {
							want = []uint32{oldValue, oldValue, oldValue, oldValue}[:len(want)]
						}
						if got := h.registersOf(pl.dst(), len(want), l); !slices.Equal(got, want) {
							t.Fatalf("%s, %s, %s, EXEC %#x, lane %d: %#x, want %#x", c.name, pl.name,
								pat.name, exec, l, got, want)
						}
					}
				}
			}
		}
	}
}

// storeCases say which bytes of the data, which begins at v4, are stored.
var storeCases = []struct {
	name     string
	from, to int
}{
	{"store_byte", 0, 1}, {"store_byte_d16_hi", 2, 3},
	{"store_short", 0, 2}, {"store_short_d16_hi", 2, 4},
	{"store_dword", 0, 4}, {"store_dwordx2", 0, 8}, {"store_dwordx3", 0, 12}, {"store_dwordx4", 0, 16},
}

// bytesOf are the bytes of n registers of a lane from r on.
func (h *harness) bytesOf(r, n, l int) []byte {
	var b []byte
	for _, v := range h.registersOf(r, n, l) {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func TestStores(t *testing.T) {
	for _, processor := range asLater("gfx90a") {
		t.Run(processor, func(t *testing.T) { testStores(t, processor) })
	}
}

func testStores(t *testing.T, processor string) {
	h, model := newHarnessFor(t, processor).compares(), newHarness(t, "gfx90a")
	for r := 4; r < 8; r++ {
		h.vector(r, func(l int) uint32 { return uint32(r)<<24 | uint32(l)*0x10203 })
	}
	for _, pl := range places {
		for _, pat := range patterns {
			for _, c := range storeCases {
				for _, exec := range masks {
					h.fill()
					model.fill()
					h.exec(exec)
					pl.reset(h, pat.addr)
					inst := pl.inst(h, c.name)
					if !h.hasEncoded(inst) {
						continue
					}
					h.mustRun(inst)
					simt.Lanes(exec, func(l int) {
						pl.write(model, l, pat.addr(l), h.bytesOf(4, 4, l)[c.from:c.to])
					})
					if d := h.differs(model); d != "" {
						t.Fatalf("%s, %s, %s, EXEC %#x: %s", c.name, pl.name, pat.name, exec, d)
					}
				}
			}
		}
	}
}

// atomicCases say what an atomic operation makes of the old value, its data
// and what it compares with.
var atomicCases = []struct {
	name string
	size int
	f    func(old, a, b uint64) uint64
}{
	{"swap", 4, func(old, a, b uint64) uint64 { return a }},
	{"cmpswap", 4, func(old, a, b uint64) uint64 { return pick(old == b, a, old) }},
	{"add", 4, func(old, a, b uint64) uint64 { return old + a }},
	{"sub", 4, func(old, a, b uint64) uint64 { return old - a }},
	{"smin", 4, func(old, a, b uint64) uint64 { return pick(int32(a) < int32(old), a, old) }},
	{"umin", 4, func(old, a, b uint64) uint64 { return pick(a < old, a, old) }},
	{"smax", 4, func(old, a, b uint64) uint64 { return pick(int32(a) > int32(old), a, old) }},
	{"umax", 4, func(old, a, b uint64) uint64 { return pick(a > old, a, old) }},
	{"and", 4, func(old, a, b uint64) uint64 { return old & a }},
	{"or", 4, func(old, a, b uint64) uint64 { return old | a }},
	{"xor", 4, func(old, a, b uint64) uint64 { return old ^ a }},
	{"inc", 4, func(old, a, b uint64) uint64 { return pick(old >= a, 0, old+1) }},
	{"dec", 4, func(old, a, b uint64) uint64 { return pick(old == 0 || old > a, a, old-1) }},
	{"swap_x2", 8, func(old, a, b uint64) uint64 { return a }},
	{"cmpswap_x2", 8, func(old, a, b uint64) uint64 { return pick(old == b, a, old) }},
	{"add_x2", 8, func(old, a, b uint64) uint64 { return old + a }},
	{"sub_x2", 8, func(old, a, b uint64) uint64 { return old - a }},
	{"smin_x2", 8, func(old, a, b uint64) uint64 { return pick(int64(a) < int64(old), a, old) }},
	{"umin_x2", 8, func(old, a, b uint64) uint64 { return pick(a < old, a, old) }},
	{"smax_x2", 8, func(old, a, b uint64) uint64 { return pick(int64(a) > int64(old), a, old) }},
	{"umax_x2", 8, func(old, a, b uint64) uint64 { return pick(a > old, a, old) }},
	{"and_x2", 8, func(old, a, b uint64) uint64 { return old & a }},
	{"or_x2", 8, func(old, a, b uint64) uint64 { return old | a }},
	{"xor_x2", 8, func(old, a, b uint64) uint64 { return old ^ a }},
	{"inc_x2", 8, func(old, a, b uint64) uint64 { return pick(old >= a, 0, old+1) }},
	{"dec_x2", 8, func(old, a, b uint64) uint64 { return pick(old == 0 || old > a, a, old-1) }},
}

func pick(c bool, a, b uint64) uint64 {
	if c {
		return a
	}
	return b
}

// TestAtomics lets several lanes meet at each place, with and without the old
// value as the result.
func TestAtomics(t *testing.T) {
	for _, processor := range asLater("gfx90a") {
		t.Run(processor, func(t *testing.T) { testAtomics(t, processor) })
	}
}

func testAtomics(t *testing.T, processor string) {
	h, model := newHarnessFor(t, processor).compares(), newHarness(t, "gfx90a")
	for _, pl := range places {
		if strings.HasPrefix(pl.name, "scratch") {
			continue // has no atomic operations
		}
		for _, c := range atomicCases {
			for i := range 4 {
				returns, exec := i%2 != 0, []uint64{0xffff_0fff_ffff_ff77, all64}[i/2]
				h.fill()
				model.fill()
				addr := func(l int) uint64 { return 64 + 8*uint64(l%16) }
				pl.reset(h, addr)
				number := func(b []byte) uint64 {
					var full [8]byte
					copy(full[:], b)
					return binary.LittleEndian.Uint64(full[:])
				}
				n := c.size / 4
				for r := 4; r < 4+2*n; r++ {
					h.vector(r, func(l int) uint32 {
						old := make([]byte, 8)
						pl.read(h, l, addr(l), old)
						switch l % 3 {
						case 0: // compares equal in the first lanes
							return binary.LittleEndian.Uint32(old[(r-4)%n*4:])
						case 1:
							return uint32(r*l) * 0x9e37_79b9
						}
						return uint32(l)
					})
				}
				h.exec(exec)
				h.regs.V[9] = Vector{}
				data := make([][]byte, 64)
				for l := range data {
					data[l] = h.bytesOf(4, 2*n, l)
				}
				want := make([]uint64, 64)
				simt.Lanes(exec, func(l int) {
					old := make([]byte, c.size)
					pl.read(model, l, addr(l), old)
					want[l] = number(old)
					v := c.f(want[l], number(data[l][:c.size]), number(data[l][c.size:]))
					pl.write(model, l, addr(l), binary.LittleEndian.AppendUint64(nil, v)[:c.size])
				})
				inst := pl.inst(h, "atomic_"+c.name)
				if !h.hasEncoded(inst) {
					continue
				}
				if returns {
					inst[0] |= 1 << 16
					if pl.dst() == 4 {
						inst[0] ^= 1<<16 | 1<<14
					}
				}
				h.mustRun(inst)
				if d := h.differs(model); d != "" {
					t.Fatalf("%s, %s: %s", c.name, pl.name, d)
				}
				if !returns {
					continue
				}
				simt.Lanes(exec, func(l int) {
					if got := number(h.bytesOf(pl.dst(), n, l)); got != want[l] {
						t.Fatalf("%s, %s: lane %d has the old value %#x, want %#x",
							c.name, pl.name, l, got, want[l])
					}
				})
			}
		}
	}
}
