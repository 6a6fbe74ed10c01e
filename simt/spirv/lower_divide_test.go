package spirv

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"simtgdb/simt/rows/x86"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// divisions are what divide.spvasm has, in its order.
var divisions = []func(x, y uint32) uint32{
	func(x, y uint32) uint32 {
		if y == 0 {
			return math.MaxUint32
		}
		return x / y
	},
	func(x, y uint32) uint32 {
		if y == 0 {
			return x
		}
		return x % y
	},
	func(x, y uint32) uint32 {
		if y == 0 {
			return math.MaxUint32
		}
		return uint32(int64(int32(x)) / int64(int32(y)))
	},
	func(x, y uint32) uint32 {
		if y == 0 {
			return x
		}
		return uint32(int64(int32(x)) % int64(int32(y)))
	},
	func(x, y uint32) uint32 {
		if y == 0 {
			return x
		}
		r := int64(int32(x)) % int64(int32(y))
		if r != 0 && (r < 0) != (int32(y) < 0) {
			r += int64(int32(y))
		}
		return uint32(r)
	},
}

// shifts are what takes the place of the first three of divide.spvasm's divisions in TestShifts: by their
// operation, and what each comes to, which SPIR-V leaves open where the count is the width or more.
var shifts = []struct {
	op uint32
	f  func(x, y uint32) uint32
}{
	{196, func(x, y uint32) uint32 { return x << (y & 31) }},
	{194, func(x, y uint32) uint32 { return x >> (y & 31) }},
	{195, func(x, y uint32) uint32 { return uint32(int32(x) >> (y & 31)) }},
}

// dividesReference is what a work-item of divide.spvasm leaves, of some divisions.
func dividesReference(divisions []func(x, y uint32) uint32, x, y uint32) (want []uint32) {
	const m3 = math.MaxUint32 - 2
	for _, f := range divisions {
		want = append(want, f(x, y), f(x, 10), f(x, m3), f(10, y), f(x, 0))
	}
	for _, f := range divisions {
		want = append(want, f(x, y), f(y, x))
	}
	hi, lo := bits.Mul32(x, y)
	p := uint64(int64(int32(x)) * int64(int32(y)))
	for _, w := range [][2]uint32{{lo, hi}, {uint32(p), uint32(p >> 32)}} {
		want = append(want, w[0], w[1], w[0], w[0], w[1], w[1])
	}
	return want
}

// TestDivisions: translated and interpreted divisions of 32 bits are the host's, where quotients are next to
// whole numbers and where numbers are the first and the last, and are translated.
func TestDivisions(t *testing.T) {
	special := []uint32{0, 1, 2, 3, 7, 10, 1<<16 - 1, 1 << 16, 1<<24 + 1, 1<<31 - 1, 1 << 31, 1<<31 + 1,
		1<<32 - 10, 1<<32 - 3, 1<<32 - 2, 1<<32 - 1}
	var in []uint32
	for _, x := range special {
		for _, y := range special {
			in = append(in, x, y)
		}
	}
	rnd := random(5 + vec.Current())
	for i, y := range rnd.words(256) {
		y >>= i % 32
		most := math.MaxUint32 / max(y, 1)
		x := max(y, 1) * uint32(uint64(rnd.words(1)[0])%(uint64(most)+1))
		in = append(in, x, y, x-1, y, x+1, y)
	}
	comesTo(t, testModule(t, "divide.spv"), in, divisions)
}

// TestShifts does the same with shifts, whose counts are constants, too, of more than the width.
func TestShifts(t *testing.T) {
	words, of := testModule(t, "divide.spv"), slices.Clone(divisions)
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		for i, divides := range []uint32{opUDiv, opUMod, opSDiv} {
			if words[at]&0xffff == divides {
				words[at] = words[at]&^0xffff | shifts[i].op
				of[i] = shifts[i].f
				break
			}
		}
	}
	rnd := random(6 + vec.Current())
	comesTo(t, words, rnd.words(sweep.Times(2048, 4096)), of)
}

// comesTo runs divide.spvasm, or what was made of it, with pairs of numbers.
func comesTo(t *testing.T, words, in []uint32, of []func(x, y uint32) uint32) {
	t.Helper()
	count := len(dividesReference(of, 0, 0))
	items := len(in) / 2
	l := launch{groups: [3]uint32{uint32(items / 32)}, buffers: map[Slot][]byte{{0, 0, 0}: bytes32(in...),
		{0, 1, 0}: make([]byte, 4*count*items)}}
	r := l.run(t, words)
	ended(t, r)
	got := r.words(Slot{0, 1, 0})
	for i := range items {
		for k, want := range dividesReference(of, in[2*i], in[2*i+1]) {
			if got := got[count*i+k]; got != want {
				t.Fatalf("result %d of %#x and %#x is %#x, want %#x", k, in[2*i], in[2*i+1], got, want)
			}
		}
	}
	if all, count := r.m.Stats().Insts, l.runTranslated(t, words); x86.Available() && count < all*3/4 {
		t.Errorf("%d of %d instructions are executed by translated code", count, all)
	}
}
