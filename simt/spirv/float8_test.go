package spirv

import (
	"encoding/binary"
	"math"
	"testing"
)

// miniValue is what an encoding of 8 bits stands for ("FP8 Formats for Deep Learning", table 1): E4M3 has no
// infinities and one NaN of each sign, E5M2 is as IEEE 754 has it.
func miniValue(encoding uint32, v uint8) float64 {
	fraction, bias := 3, 7
	if encoding == 4215 {
		fraction, bias = 2, 15
	}
	sign, exponent, f := 1.0, int(v&0x7f)>>fraction, float64(int(v)&(1<<fraction-1))/float64(int(1)<<fraction)
	if v >= 0x80 {
		sign = -1
	}
	switch {
	case encoding == 4214 && v&0x7f == 0x7f, encoding == 4215 && exponent == 31 && f != 0:
		return math.NaN()
	case encoding == 4215 && exponent == 31:
		return math.Inf(int(sign))
	case exponent == 0:
		return sign * f * math.Pow(2, float64(1-bias))
	}
	return sign * (1 + f) * math.Pow(2, float64(exponent-bias))
}

// miniNearest is the encoding whose number is nearest, of two the one whose last bit is 0, found by trying
// all. What is at least half a step beyond the greatest number is beyond.
func miniNearest(encoding uint32, x float64, saturate bool) uint8 {
	sign := uint8(0)
	if math.Signbit(x) {
		sign, x = 0x80, -x
	}
	greatest, beyond := uint8(0x7e), uint8(0x7f)
	if encoding == 4215 {
		greatest, beyond = 0x7b, 0x7c
	}
	top := miniValue(encoding, greatest)
	// The greatest number of E4M3 has an even encoding, that of E5M2 an odd one: half a step beyond, one
	// stays.
	end := top + (top-miniValue(encoding, greatest-1))/2
	if x > end || x == end && encoding == 4215 {
		if saturate {
			return sign | greatest
		}
		return sign | beyond
	}
	best := uint8(0)
	for v := range greatest + 1 {
		d, least := math.Abs(miniValue(encoding, v)-x), math.Abs(miniValue(encoding, best)-x)
		if d < least || d == least && v&1 == 0 {
			best = v
		}
	}
	return sign | best
}

func miniNumber(encoding uint32) matrixNumber {
	return matrixNumber{decl: []uint32{22, 8, encoding}, size: 1, capable: []uint32{4212, 4213},
		to:   func(x float64) uint64 { return uint64(miniNearest(encoding, x, true)) },
		from: func(v uint64) float64 { return miniValue(encoding, uint8(v)) }}
}

// TestFloat8 converts numbers between, at and beyond all that floats of 8 bits have, and all of them back.
func TestFloat8(t *testing.T) {
	for _, encoding := range []uint32{4214, 4215} {
		c := floatControl{width: 8, mini: minis[encoding]}
		saturating := c
		saturating.most = true
		try := func(x float64) {
			for _, of := range []floatControl{c, saturating} {
				if got, want := of.out(x), miniNearest(encoding, x, of.most); got != uint64(want) {
					t.Errorf("encoding %d, saturating %t: %v becomes %#x, want %#x", encoding, of.most, x,
						got, want)
				}
			}
		}
		for v := range 256 {
			x := miniValue(encoding, uint8(v))
			if got := c.in(uint64(v)); math.Float64bits(got) != math.Float64bits(x) &&
				!(got != got && x != x) {
				t.Errorf("encoding %d: %#x is %v, want %v", encoding, v, got, x)
			}
			y := miniValue(encoding, uint8(v)+1)
			if x-x != 0 || y-y != 0 {
				continue
			}
			for _, part := range []float64{0, 0.25, 0.5, 0.75} {
				try(x + part*(y-x))
			}
			middle := x + (y-x)/2
			try(math.Nextafter(middle, x))
			try(math.Nextafter(middle, y))
		}
		for _, x := range []float64{464, 465, 464.5, 61440, 61439, 65536, 1e300, math.Inf(1), math.Inf(-1),
			math.Copysign(0, -1)} {
			try(x)
		}
		if got := c.in(c.out(math.NaN())); got == got {
			t.Errorf("encoding %d: NaN becomes %v", encoding, got)
		}
	}
}

// TestIntegersToMinis converts integers whose rounding is decided by bits that a float of 32 or 64 bits would
// lose.
func TestIntegersToMinis(t *testing.T) {
	w := newModule(1, 11, 9, 4212, 5116)
	const u64, bf, f8, void, fn, main, label, arr, block, pointer, word, u32, zero, buffer = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
		11, 12, 13, 14
	(*w)[1], (*w)[len(*w)-2], (*w)[len(*w)-1] = 0x10500, 0, 1 // SPIR-V 1.5, OpMemoryModel Logical GLSL450
	w.add(15, append([]uint32{5, main}, wordsOf([]byte("main\x00\x00\x00\x00"))...)...)
	w.add(16, main, 17, 1, 1, 1)
	w.add(71, arr, 6, 8)
	w.add(72, block, 0, 35, 0)
	w.add(71, block, 2)
	w.add(71, buffer, 34, 0)
	w.add(71, buffer, 33, 0)
	w.add(71, 60, decMost8)
	w.add(19, void)
	w.add(33, fn, void)
	w.add(21, u64, 64, 0)
	w.add(21, u32, 32, 0)
	w.add(22, bf, 16, 0)
	w.add(22, f8, 8, 4214)
	w.add(21, 50, 16, 0)
	w.add(21, 51, 8, 0)
	w.add(29, arr, u64)
	w.add(30, block, arr)
	w.add(32, pointer, 12, block)
	w.add(32, word, 12, u64)
	for k := range uint32(6) {
		w.add(43, u32, 20+k, k)
	}
	w.add(59, pointer, buffer, 12)
	w.add(54, void, main, 0, fn)
	w.add(248, label)
	w.add(65, word, 30, buffer, 20, 20)
	w.add(61, u64, 31, 30)
	for k, c := range []struct{ op, typ, id, bits uint32 }{{112, bf, 58, 50}, {111, bf, 59, 50}, {112, f8, 60, 51},
		{111, f8, 61, 51}} {
		at, made, wide := 70+10*uint32(k), 71+10*uint32(k), 72+10*uint32(k)
		w.add(c.op, c.typ, c.id, 31)
		w.add(124, c.bits, made, c.id)
		w.add(113, u64, wide, made)
		w.add(65, word, at, buffer, 20, 21+uint32(k))
		w.add(62, at, wide)
	}
	w.add(253)
	w.add(56)
	for _, c := range []struct {
		v    uint64
		want [4]uint64 // unsigned and signed to bfloat16, unsigned to E4M3 saturating, signed to E4M3
	}{
		{0x80800000_00000001, [4]uint64{0x5f01, 0xdeff, 0x7e, 0xff}}, // just above a tie of 8 bits
		{0x80800000_00000000, [4]uint64{0x5f00, 0xdeff, 0x7e, 0xff}}, // the tie
		{0x00800000_80000001, [4]uint64{0x5b00, 0x5b00, 0x7e, 0x7f}},
		{^uint64(0), [4]uint64{0x5f80, 0xbf80, 0x7e, 0xb8}},
		{17, [4]uint64{0x4188, 0x4188, 0x58, 0x58}}, // a tie between 16 and 18
		{19, [4]uint64{0x4198, 0x4198, 0x5a, 0x5a}}, // and between 18 and 20
	} {
		b := make([]byte, 48)
		binary.LittleEndian.PutUint64(b, c.v)
		l := launch{buffers: map[Slot][]byte{{}: b}}
		r := l.run(t, *w)
		for k, want := range c.want {
			if got := binary.LittleEndian.Uint64(r.regions[Slot{}].Data[8+8*k:]); got != want {
				t.Errorf("%#x, conversion %d: %#x, want %#x", c.v, k, got, want)
			}
		}
	}
}
