//go:build linux && amd64

package native

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"simtgdb/testdata/sweep"
)

// An octetsContext is what code of the tests works on: vectors, and where its pool is.
type octetsContext struct {
	in   [2][32]byte
	out  [32]byte
	pool uintptr
}

// octets runs code of one operation, of vectors in registers 4 and 5 into 6, or into one of them.
func octets(t *testing.T, into Z, a, b [32]byte, op func(o *Octets)) [32]byte {
	t.Helper()
	x := &octetsContext{in: [2][32]byte{a, b}}
	o := &Octets{&Assembler{}, &Pool{Base: RCX}, [3]Z{9, 2, 14}}
	o.Load(W64, RCX, Mem{R9, int32(unsafe.Offsetof(x.pool))})
	o.V256(MovDQU, 4, 0, InMem(Mem{R9, 0}))
	o.V256(MovDQU, 5, 0, InMem(Mem{R9, 32}))
	op(o)
	o.V256(MovDQUTo, into, 0, InMem(Mem{R9, int32(unsafe.Offsetof(x.out))}))
	o.Vzeroupper()
	o.Ret()
	code, err := Load(o.Finish())
	if err != nil {
		t.Fatal(err)
	}
	x.pool = uintptr(unsafe.Pointer(unsafe.SliceData(o.Bytes)))
	code.Call(unsafe.Pointer(x))
	return x.out
}

// TestOctets: what AVX2 has no instruction for is what Go computes, element by element.
func TestOctets(t *testing.T) {
	if !Available() {
		t.Skip("this processor has no AVX2")
	}
	clamp := func(f float32, least, most float64) uint64 {
		switch v := float64(f); {
		case v != v:
			return 0
		case v >= most:
			return uint64(most)
		case v <= least:
			return uint64(int64(least))
		default:
			return uint64(int64(math.Trunc(v)))
		}
	}
	float := func(v uint64) float32 { return math.Float32frombits(uint32(v)) }
	above := func(a, b uint64, bytes int) uint64 {
		if a > b {
			return ^uint64(0) >> (64 - 8*bytes)
		}
		return 0
	}
	for _, c := range []struct {
		name  string
		bytes int
		make  func(o *Octets, d Z)
		want  func(a, b uint64) uint64
	}{
		{"MulQ", 8, func(o *Octets, d Z) { o.MulQ(d, 4, 5) }, func(a, b uint64) uint64 { return a * b }},
		{"SarQ", 8, func(o *Octets, d Z) { o.SarQ(d, 4, 5) }, func(a, b uint64) uint64 {
			return uint64(int64(a) >> min(b, 63))
		}},
		{"Above", 8, func(o *Octets, d Z) { o.Above(d, 4, 5, 8) },
			func(a, b uint64) uint64 { return above(a, b, 8) }},
		{"Above", 4, func(o *Octets, d Z) { o.Above(d, 4, 5, 4) },
			func(a, b uint64) uint64 { return above(a, b, 4) }},
		{"TruncPS", 4, func(o *Octets, d Z) { o.TruncPS(d, 4) }, func(a, _ uint64) uint64 {
			return clamp(float(a), math.MinInt32, math.MaxInt32) & math.MaxUint32
		}},
		{"TruncUPS", 4, func(o *Octets, d Z) { o.TruncUPS(d, 4) }, func(a, _ uint64) uint64 {
			return clamp(float(a), 0, math.MaxUint32)
		}},
		{"CvtUDQ", 4, func(o *Octets, d Z) { o.CvtUDQ(d, 4) }, func(a, _ uint64) uint64 {
			return uint64(math.Float32bits(float32(uint32(a))))
		}},
		{"EachD", 4, func(o *Octets, d Z) { o.EachD(d, 77) }, func(_, _ uint64) uint64 { return 77 }},
		{"EachQ", 8, func(o *Octets, d Z) { o.EachQ(d, 1<<60|5) }, func(_,
			_ uint64) uint64 {
			return 1<<60 | 5
		}},
		{"Blend", 4, func(o *Octets, d Z) {
			o.EachD(1, 9)
			o.Blend(d, 4, 1, 5)
		}, func(a, b uint64) uint64 {
			if b>>31 != 0 {
				return 9
			}
			return a
		}},
	} {
		r := rand.New(sweep.PCG(uint64(len(c.name)), 71))
		for n := range 24 {
			var in [2][32]byte
			var want [32]byte
			for at := 0; at < 32; at += c.bytes {
				a, b := odd(r, c.bytes), odd(r, c.bytes)
				if n%4 == 0 {
					b = uint64(r.IntN(70)) // how far to shift
				}
				for k, v := range []uint64{a, b} {
					put(in[k][at:], v, c.bytes)
				}
				put(want[at:], c.want(a, b), c.bytes)
			}
			d := Z([]int{6, 4, 5}[n%3])
			if c.name == "Blend" || c.name == "TruncPS" || c.name == "TruncUPS" || c.name == "SarQ" {
				d = 6 // operands are kept
			}
			if got := octets(t, d, in[0], in[1], func(o *Octets) { c.make(o, d) }); got != want {
				t.Fatalf("%s of %d bytes of %x and %x is %x, want %x", c.name, c.bytes, in[0], in[1], got,
					want)
			}
		}
	}
}

// odd is a number of some bytes, often one at which an operation changes.
func odd(r *rand.Rand, bytes int) uint64 {
	all := []uint64{0, 1, 1 << 31, 1<<31 - 1, 1<<32 - 1, 1 << 63, ^uint64(0), 1 << 32}
	if bytes == 4 {
		for _, f := range []float32{0.5, -0.5, -1.5, 1 << 31, 1<<31 - 128, -1 << 31, -1<<31 - 256, 1 << 32,
			1<<32 - 256,
			3e9, 1e20, -1e20, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 7.9} {
			all = append(all, uint64(math.Float32bits(f)))
		}
	}
	v := r.Uint64()
	if r.IntN(2) == 0 {
		v = all[r.IntN(len(all))]
	}
	return v & (^uint64(0) >> (64 - 8*bytes))
}

func put(to []byte, v uint64, bytes int) {
	copy(to[:bytes], binary.LittleEndian.AppendUint64(nil, v))
}

// TestPool: numbers lie behind code once, aligned to their sizes; such of several are padded to 64 bytes.
func TestPool(t *testing.T) {
	p := Pool{Base: RBX}
	for _, c := range []struct {
		name string
		at   Mem
		want int32
	}{
		{"a dword", p.Dword(7), 0}, {"a qword", p.Qword(7), 8}, {"another dword", p.Dword(8), 16},
		{"the dword again", p.Dword(1<<32 | 7), 0}, {"a word", p.Number(9, 2), 20}, {"a byte", p.Number(9,
			1), 22},
		{"several", p.Numbers(3, 8, func(k int) uint64 { return uint64(k + 1) }), 64},
		{"the same", p.Numbers(3, 8, func(k int) uint64 { return uint64(k + 1) }), 64},
		{"a table", p.Numbers(16, 8, func(k int) uint64 { return uint64(k) }), 128},
		{"behind it", p.Dword(10), 256},
	} {
		if c.at != (Mem{RBX, c.want}) {
			t.Errorf("%s is at %+v, want %d", c.name, c.at, c.want)
		}
	}
	var want []byte
	for _, v := range []uint64{7, 7, 8 | 9<<32 | 9<<48} {
		want = binary.LittleEndian.AppendUint64(want, v)
	}
	if !slices.Equal(p.Bytes[:24], want) || p.Bytes[64] != 1 || p.Bytes[80] != 3 || p.Bytes[88] != 0 ||
		p.Bytes[128+8] != 1 || p.Bytes[128+120] != 15 || len(p.Bytes) != 260 {
		t.Errorf("the pool has %x", p.Bytes)
	}
}

// TestLeaveFor: code leaves with what its user wants to know, gives back what it has charged, and takes it
// again when it is entered where it says.
func TestLeaveFor(t *testing.T) {
	var x struct {
		entry, again   uint64
		went, note, at uint64
		budget         [2]int64
	}
	field := func(offset uintptr) Mem { return Mem{R9, int32(offset)} }
	a := &Assembler{}
	left, on := a.NewLabel(), a.NewLabel()
	first := a.NewLabel()
	a.MovImm(RDX, 100) // the budget
	a.OpMemImm(CMP, W64, field(unsafe.Offsetof(x.entry)), 0)
	a.Jcc(E, first)
	a.JmpMem(field(unsafe.Offsetof(x.entry)))
	a.Set(first)
	a.LeaveFor(Note{Number: 3, At: 1 << 33, Go: 5, Charged: 7}, Noting{Entry: field(unsafe.Offsetof(x.again)),
		Go: field(unsafe.Offsetof(x.went)), Note: field(unsafe.Offsetof(x.note)), Left: left, Budget: RDX},
		on)
	a.Set(left)
	a.Store(W64, field(unsafe.Offsetof(x.at)), RAX)
	a.Store(W64, field(unsafe.Offsetof(x.budget)), RDX)
	a.Ret()
	a.Set(on)
	a.Store(W64, field(unsafe.Offsetof(x.budget)+8), RDX)
	a.Ret()
	code, err := Load(a.Finish())
	if err != nil {
		t.Fatal(err)
	}
	code.Call(unsafe.Pointer(&x))
	if x.went != 5 || x.note != 3 || x.at != 1<<33 || x.budget != [2]int64{107, 0} || x.again == 0 {
		t.Fatalf("code leaves with %+v", x)
	}
	x.entry = x.again
	if code.Call(unsafe.Pointer(&x)); x.budget != [2]int64{107, 93} {
		t.Errorf("entered again it has %+v", x)
	}
}
