package gen

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"math/rand"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// An lscSend is a message to the load-store cache, to be encoded.
type lscSend struct {
	on         *Generation // Xe-HPG if it is nil
	width      int
	sfid, desc uint32
	dst, src0  int
	src1, len1 int
	surface    bool   // the extended descriptor is in a0.2, ExBSO
	exDesc     uint32 // bits 31:24 of it otherwise
}

// hex is the encoding.
func (s lscSend) hex() string {
	var w word
	d := uint64(s.desc)
	w.set(0, 7, 0x31)
	size := uint(16)
	if s.on == XeHPC {
		size = 18
	}
	w.set(size, 3, uint64(bits.TrailingZeros(uint(s.width))))
	w.set(50, 1, 1)
	w.set(56, 8, uint64(s.dst))
	w.set(66, 1, 1)
	w.set(72, 8, uint64(s.src0))
	if s.len1 > 0 {
		w.set(98, 1, 1)
		w.set(104, 8, uint64(s.src1))
		w.set(99, 5, uint64(s.len1))
	}
	w.set(92, 4, uint64(s.sfid))
	if s.surface {
		w.set(39, 1, 1)
		w.set(49, 1, 1)
		w.set(40, 3, 2)
		w.set(31, 1, 1)
	}
	w.set(64, 2, uint64(s.exDesc>>24&3))
	w.set(96, 2, uint64(s.exDesc>>26&3))
	w.set(124, 4, uint64(s.exDesc>>28))
	w.set(81, 11, d)
	w.set(113, 9, d>>11)
	w.set(51, 5, d>>20)
	w.set(67, 5, d>>25)
	w.set(122, 2, d>>30)
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], w.lo)
	binary.LittleEndian.PutUint64(b[8:], w.hi)
	return hex.EncodeToString(b[:])
}

// regsOfSize is how many registers bytes have.
func (g *Generation) regsOfSize(n int) int { return g.whole(n) / g.regBytes }

// grfPart is a copy of the general registers.
func (b *bench) grfPart() []byte { return slices.Clone(b.r.file[offGRF:b.r.gen.grfEnd()]) }

// slotsOf is how many channels a message of so many has room for.
func (g *Generation) slotsOf(width int) int { return max(width, g.regBytes/4) }

// lscBench is a bench with random memory, and addresses of channels in r20, each its own.
func lscBench(t *testing.T, g *Generation, width int, r *rand.Rand, local bool, step int) (
	b *bench, mem []byte, at []int) {
	t.Helper()
	b = newBench(t, g.slotsOf(width)).of(g)
	mem = b.data.Data
	if local {
		mem = b.w.Group.LDS
	}
	r.Read(mem)
	r.Read(b.r.file[offGRF:b.r.gen.grfEnd()])
	for i, place := range r.Perm(max(width, 16))[:width] {
		at = append(at, place*step)
		if local {
			b.r.setU32(g.grf(20)+4*i, uint32(place*step))
		} else {
			binary.LittleEndian.PutUint64(b.r.file[g.grf(20)+8*i:], b.data.Base+uint64(place*step))
		}
	}
	return b, mem, at
}

// run executes a message with some channels on.
func (s lscSend) run(b *bench, exec uint32) {
	b.t.Helper()
	b.load(s.hex())
	b.w.Exec = uint64(exec) & b.w.Valid
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		b.t.Fatalf("%s: %v %v", s.hex(), ev.Kind, ev.Fault)
	}
}

// TestLSC loads and stores elements of every size and count, to global and local memory, all channels and
// some, and compares registers and memory with what each channel's address means.
func TestLSC(t *testing.T) {
	r := rand.New(sweep.Source(12))
	for _, g := range []*Generation{XeHPG, XeHPC} {
		for _, width := range map[*Generation][]int{XeHPG: {8, 16}, XeHPC: {1, 16, 32}}[g] {
			for dtype, typ := range lscTypes {
				for vector, count := range lscVectors[:5] {
					if typ.reg < 4 || typ.mem != typ.reg && count > 1 ||
						typ.reg*count*g.slotsOf(width) > 24*g.regBytes {
						continue
					}
					for i := range 4 {
						local, store := i&1 != 0, i&2 != 0
						if local && typ.mem*count*max(width, 16) > 0x400 {
							continue // the bench has not so much of it
						}
						name := fmt.Sprintf("%s: local %v, %d channels, %s x%d, store %v", g.Name, local,
							width, typ.name, count, store)
						testLSC(t, g, r, name, local, width, uint32(dtype)<<9|uint32(vector)<<12, store, typ,
							count)
					}
				}
			}
		}
	}
}

func testLSC(t *testing.T, g *Generation, r *rand.Rand, name string, local bool, width int, desc uint32,
	store bool, typ lscType, count int) {
	t.Helper()
	slots, shift := g.slotsOf(width), 0
	if typ == lscTypes[lscUpperHalf] {
		shift = 2
	}
	for _, exec := range []uint32{0xffffffff, 0x965a3c5b, 0xffffffff} {
		b, mem, at := lscBench(t, g, width, r, local, typ.mem*count)
		s := lscSend{on: g, width: width, sfid: sfidUGM, dst: 40, src0: 20}
		s.desc = desc | 3<<7 | uint32(g.regsOfSize(8*slots))<<25
		if local {
			s.sfid, s.desc = sfidSLM, desc|2<<7|uint32(g.regsOfSize(4*slots))<<25
		}
		if store {
			s.desc |= 4
			s.src1, s.len1 = 40, g.regsOfSize(typ.reg*count*slots)
		} else {
			s.desc |= uint32(g.regsOfSize(typ.reg*count*slots)) << 20
		}
		wantMem, wantRegs := slices.Clone(mem), b.grfPart()
		for k := range width {
			for i := range count {
				reg := wantRegs[40*g.regBytes+i*slots*typ.reg+k*typ.reg:][:typ.reg]
				place := wantMem[at[k]+i*typ.mem:][:typ.mem]
				switch {
				case exec>>k&1 == 0:
				case store:
					copy(place, reg[shift:])
				default:
					clear(reg)
					copy(reg[shift:], place)
				}
			}
		}
		s.run(b, exec)
		if !slices.Equal(mem, wantMem) {
			t.Errorf("%s, channels %#x: memory is wrong", name, exec)
		}
		if !slices.Equal(b.grfPart(), wantRegs) {
			t.Errorf("%s, channels %#x: registers are wrong", name, exec)
		}
	}
}

// TestLSCQuad loads and stores some of four dwords.
func TestLSCQuad(t *testing.T) {
	r := rand.New(sweep.Source(13))
	for mask := uint32(1); mask < 16; mask++ {
		for _, store := range []bool{false, true} {
			g := XeHPG
			b, mem, at := lscBench(t, g, 8, r, false, 16)
			var list []int
			for i := range 4 {
				if mask>>i&1 != 0 {
					list = append(list, i)
				}
			}
			s := lscSend{width: 8, sfid: sfidUGM, dst: 40, src0: 20,
				desc: 2 | 2<<9 | mask<<12 | 3<<7 | 2<<25 |
					uint32(len(list))<<20}
			if store {
				s.desc = 6 | 2<<9 | mask<<12 | 3<<7 | 2<<25
				s.src1, s.len1 = 40, len(list)
			}
			wantMem, wantRegs := slices.Clone(mem), b.grfPart()
			for k := range 8 {
				for n, i := range list {
					reg, place := wantRegs[(40+n)*g.regBytes+4*k:][:4], wantMem[at[k]+4*i:][:4]
					if store {
						copy(place, reg)
					} else {
						copy(reg, place)
					}
				}
			}
			s.run(b, 0xff)
			if !slices.Equal(mem, wantMem) || !slices.Equal(b.grfPart(), wantRegs) {
				t.Errorf("components %#x, store %v: wrong", mask, store)
			}
		}
	}
}

// TestLSCBlock moves blocks of one address, to and from global and local memory and a thread's scratch.
func TestLSCBlock(t *testing.T) {
	for _, g := range []*Generation{XeHPG, XeHPC} {
		testLSCBlock(t, g)
	}
}

func testLSCBlock(t *testing.T, g *Generation) {
	t.Helper()
	r := rand.New(sweep.Source(14))
	for _, to := range []string{"global", "local", "scratch", "stateless"} {
		for dtype, typ := range []lscType{2: lscTypes[2], 3: lscTypes[3]} {
			for vector, count := range lscVectors {
				size := typ.mem * count
				if size == 0 || to == "scratch" && size > 32 || to == "local" && size > 256 {
					continue
				}
				for _, store := range []bool{false, true} {
					b, mem, at := lscBench(t, g, 1, r, to == "local" || to == "scratch", 8)
					s := lscSend{on: g, width: 1, sfid: sfidUGM, dst: 40, src0: 20}
					s.desc = 1<<15 | uint32(dtype)<<9 | uint32(vector)<<12 | 3<<7 | 1<<25
					switch to {
					case "local":
						s.sfid, s.desc = sfidSLM, s.desc&^(3<<7)|2<<7
					case "scratch":
						s.desc, s.surface = s.desc&^(3<<7)|2<<7|lscSurfaceState<<29, true
						at[0] = 32
						b.r.setU32(g.grf(20), 32)
						b.r.setU32(offA0+8, b.r.slot>>4)
						if g == XeHPC { // its number may be there too
							b.r.setU32(offA0+8, b.r.slot>>4|0x1f)
						}
						b.w.GrowScratch(64)
						mem = b.w.Scratch
						r.Read(mem)
					case "stateless":
						s.desc, s.exDesc = s.desc&^(3<<7)|2<<7|lscBindingTable<<29, lscStateless<<24
						b.core.isa.Kernel.GeneralBase = b.data.Base - 0x800
						b.r.setU32(g.grf(20), uint32(0x800+at[0]))
					}
					if store {
						s.desc |= 4
						s.src1, s.len1 = 40, g.regsOfSize(size)
					} else {
						s.desc |= uint32(g.regsOfSize(size)) << 20
					}
					wantMem, wantRegs := slices.Clone(mem), b.grfPart()
					reg, place := wantRegs[40*g.regBytes:][:size], wantMem[at[0]:][:size]
					if store {
						copy(place, reg)
					} else {
						copy(reg, place)
					}
					s.run(b, 0xff)
					if !slices.Equal(mem, wantMem) || !slices.Equal(b.grfPart(), wantRegs) {
						t.Errorf("%s, %s: %s x%d, store %v: wrong", g.Name, to, typ.name, count, store)
					}
				}
			}
		}
	}
}

// lscAtomicModels are what atomic operations leave in memory of an old value and two operands, of numbers of
// w bits.
var lscAtomicModels = map[uint32]func(old, a, b uint64, w uint) uint64{
	0x08: func(old, _, _ uint64, _ uint) uint64 { return old + 1 },
	0x09: func(old, _, _ uint64, _ uint) uint64 { return old - 1 },
	0x0a: func(old, _, _ uint64, _ uint) uint64 { return old },
	0x0b: func(_, a, _ uint64, _ uint) uint64 { return a },
	0x0c: func(old, a, _ uint64, _ uint) uint64 { return old + a },
	0x0d: func(old, a, _ uint64, _ uint) uint64 { return old - a },
	0x0e: func(old, a, _ uint64, w uint) uint64 {
		return uint64(min(int64(old<<(64-w)), int64(a<<(64-w)))) >> (64 - w)
	},
	0x0f: func(old, a, _ uint64, w uint) uint64 {
		return uint64(max(int64(old<<(64-w)), int64(a<<(64-w)))) >> (64 - w)
	},
	0x10: func(old, a, _ uint64, _ uint) uint64 { return min(old, a) },
	0x11: func(old, a, _ uint64, _ uint) uint64 { return max(old, a) },
	0x12: func(old, a, b uint64, _ uint) uint64 {
		if old == a {
			return b
		}
		return old
	},
	0x13: func(old, a, _ uint64, w uint) uint64 {
		return onFloats(old, a, w, func(x, y float64) float64 { return x + y })
	},
	0x14: func(old, a, _ uint64, w uint) uint64 {
		return onFloats(old, a, w, func(x, y float64) float64 { return x - y })
	},
	0x15: func(old, a, _ uint64, w uint) uint64 { return onFloats(old, a, w, math.Min) },
	0x16: func(old, a, _ uint64, w uint) uint64 { return onFloats(old, a, w, math.Max) },
	0x17: func(old, a, b uint64, w uint) uint64 {
		if old == a {
			return b
		}
		return old
	},
	0x18: func(old, a, _ uint64, _ uint) uint64 { return old & a },
	0x19: func(old, a, _ uint64, _ uint) uint64 { return old | a },
	0x1a: func(old, a, _ uint64, _ uint) uint64 { return old ^ a },
}

// onFloats applies a function to numbers whose sum both precisions have exactly.
func onFloats(a, b uint64, w uint, f func(x, y float64) float64) uint64 {
	if w == 64 {
		return math.Float64bits(f(math.Float64frombits(a), math.Float64frombits(b)))
	}
	x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
	return uint64(math.Float32bits(float32(f(float64(x), float64(y)))))
}

// TestLSCAtomic executes every atomic operation, with and without what it gives back.
func TestLSCAtomic(t *testing.T) {
	r := rand.New(sweep.Source(15))
	for op, row := range lscRows {
		model := lscAtomicModels[uint32(op)]
		if row.kind != lscAtomic {
			continue
		}
		if model == nil {
			t.Errorf("%s has no model", row.name)
			continue
		}
		for _, typ := range []int{lscD32, lscD64, lscD16U32} {
			for i := range 4 {
				local, g := i&1 != 0, []*Generation{XeHPG, XeHPC}[i/2]
				if typ == lscD16U32 && (op >= 0x13 && op <= 0x17 || g == XeHPG) {
					continue // not executed
				}
				testLSCAtomic(t, g, r, uint32(op), typ, local, model)
			}
		}
	}
}

// The types of atomic operations' elements, as the descriptor has them.
const (
	lscD32    = 2
	lscD64    = 3
	lscD16U32 = 5
)

func testLSCAtomic(t *testing.T, g *Generation, r *rand.Rand, op uint32, typ int, local bool,
	model func(old, a, b uint64, w uint) uint64) {
	t.Helper()
	size, reg, slots := lscTypes[typ].mem, lscTypes[typ].reg, g.slotsOf(8)
	numbers := op >= 0x13 && op <= 0x17
	for _, exec := range []uint32{0xff, 0x96} {
		for _, back := range []bool{true, false} {
			b, mem, at := lscBench(t, g, 8, r, local, size)
			data := b.r.file[g.grf(40):]
			for k := range 8 {
				old, a := uint64(r.Intn(100)), uint64(r.Intn(100))
				if r.Intn(2) == 0 {
					a, old = old, -a
				}
				if numbers {
					old, a = math.Float64bits(float64(k)-3), math.Float64bits(float64(r.Intn(9))-4)
					if size == 4 {
						old, a = uint64(fb(float32(k)-3)), uint64(fb(float32(r.Intn(9))-4))
					}
				}
				if k%3 == 0 {
					a = old // what compares finds it
				}
				if numbers && op >= 0x15 && k%3 == 0 && k == 3 {
					a = old
				}
				putSized(mem[at[k]:], size, old)
				putSized(data[k*reg:], reg, a)
			}
			operands := atomicOpOperands(op)
			s := lscSend{on: g, width: 8, sfid: sfidUGM, dst: 60, src0: 20, src1: 40,
				len1: operands * g.regsOfSize(slots*reg)}
			s.desc = op | uint32(typ)<<9 | 3<<7 | 2<<25
			if local {
				s.sfid, s.desc = sfidSLM, s.desc&^(3<<7|15<<25)|2<<7|1<<25
			}
			if back {
				s.desc |= uint32(g.regsOfSize(slots*reg)) << 20
			}
			wantMem, wantRegs := slices.Clone(mem), b.grfPart()
			for k := range 8 {
				if exec>>k&1 == 0 {
					continue
				}
				old := getSized(mem[at[k]:], size)
				putSized(wantMem[at[k]:], size, model(old, getSized(data[k*reg:], size),
					getSized(data[(slots+k)*reg:], size), uint(8*size)))
				if back {
					putSized(wantRegs[60*g.regBytes+k*reg:], reg, old)
				}
			}
			s.run(b, exec)
			if !slices.Equal(mem, wantMem) || !slices.Equal(b.grfPart(), wantRegs) {
				t.Errorf("%s: %s of %d bytes, local %v, back %v, channels %#x: wrong", g.Name,
					lscRows[op].name, size, local, back, exec)
			}
		}
	}
}

// atomicOpOperands is how many values an operation takes.
func atomicOpOperands(op uint32) int {
	switch op {
	case 0x08, 0x09, 0x0a:
		return 0
	case 0x12, 0x17:
		return 2
	}
	return 1
}

func getSized(p []byte, size int) uint64 {
	var b [8]byte
	copy(b[:], p[:size])
	return binary.LittleEndian.Uint64(b[:])
}

func putSized(p []byte, size int, v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(p[:size], b[:])
}

// TestLSCRefused: what has no semantics faults by name, and so does a surface that is not the thread's
// scratch.
func TestLSCRefused(t *testing.T) {
	r := rand.New(sweep.Source(16))
	for name, s := range map[string]lscSend{
		"typed":   {width: 8, sfid: sfidTGM, dst: 40, src0: 20, desc: 2<<9 | 3<<7 | 2<<25 | 1<<20},
		"strided": {width: 8, sfid: sfidUGM, dst: 40, src0: 20, desc: 1 | 2<<9 | 3<<7 | 2<<25 | 1<<20},
		"other memory": {width: 1, sfid: sfidUGM, dst: 40, src0: 20,
			desc: 1<<15 | 2<<9 | 2<<7 | 2<<29 | 1<<25 | 1<<20, surface: true},
		"no room": {width: 8, sfid: sfidUGM, dst: 40, src0: 20, desc: 2<<9 | 3<<7 | 1<<25 | 1<<20},
	} {
		b, _, _ := lscBench(t, XeHPG, 8, r, false, 8)
		b.r.setU32(offA0+8, 0x1000)
		b.load(s.hex())
		if ev := b.core.Run(b.w, 1); ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.IllegalInstruction {
			t.Errorf("%s: %v %v", name, ev.Kind, ev.Fault)
		}
	}
}
