package spirv

import (
	"math"
	"slices"
	"sort"
	"testing"
)

// results compares result k of 32 invocations, as ops.spvasm and kernel.spvasm lay them out.
type results struct {
	t   *testing.T
	got []uint32
	k   int
}

func (r *results) next(name string, want func(i int) uint32) {
	r.t.Helper()
	for i := range 32 {
		if got := r.got[32*r.k+i]; got != want(i) {
			r.t.Errorf("%s: invocation %d has %#x, want %#x", name, i, got, want(i))
			break
		}
	}
	r.k++
}

// TestShaderInstructions runs ops.spvasm: invocation 7 comes to OpUnreachable at the end.
func TestShaderInstructions(t *testing.T) {
	rnd := random(3)
	in := rnd.words(32)
	for i := range in {
		in[i] >>= 8 // exact as floats
	}
	in[9] = 2
	for _, track := range []bool{false, true} {
		l := launch{track: track, sized: map[int]bool{7: true, 11: true, 12: true}, // Rotate, Shuffle…
			buffers: map[Slot][]byte{{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, 32*32*4),
				{0, 2, 0}: floatBytes(float32(math.Inf(1)), float32(math.Inf(-1)))}}
		r := l.run(t, testModule(t, "ops.spv"))
		ended(t, r)
		c := &results{t, r.words(Slot{0, 1, 0}), 0}
		shaderReference(c, in)
		var least, most float32 = math.MaxFloat32, -math.MaxFloat32
		for _, x := range in {
			least, most = min(least, float32(x)/1000), max(most, float32(x)/1000)
		}
		same(t, r.floats(Slot{0, 2, 0}), []float32{least, most})
	}
}

func shaderReference(c *results, in []uint32) {
	at := func(k int) uint32 { return in[k&31] }
	all := func(v uint32) func(int) uint32 { return func(int) uint32 { return v } }
	var ballot uint32
	for i, x := range in {
		ballot |= x & 1 << i
	}
	c.next("Ballot.x", all(ballot))
	c.next("Ballot.y", all(0))
	c.next("FirstInvocation", all(in[0]))
	c.next("All", all(truth(ballot == math.MaxUint32)))
	c.next("Any", all(truth(ballot != 0)))
	c.next("AllEqual", all(truth(ballot == 0 || ballot == math.MaxUint32)))
	c.next("ReadInvocation", all(in[7]))
	c.next("Rotate", func(i int) uint32 { return at(i + 5) })
	c.next("Rotate by 8", func(i int) uint32 { return in[i&^7|(i+5)&7] })
	c.next("Shuffle", all(in[11]))
	c.next("ShuffleXor", func(i int) uint32 { return in[i^11] })
	c.next("ShuffleDown", func(i int) uint32 { return at(i+11) ^ 32*truth(i+11 > 31) })
	// Up takes from previous, then current, of which current is the second operand.
	c.next("ShuffleUp", func(i int) uint32 { return at(i-11) ^ 32*truth(i >= 11) })
	vector := func(i int) []uint32 { return []uint32{in[i], uint32(i), in[i] & 1, uint32(5 * i)} }
	c.next("VectorExtractDynamic", func(i int) uint32 { return vector(i)[in[i]&3] })
	for k := range uint32(4) {
		c.next("VectorInsertDynamic", func(i int) uint32 {
			if in[i]&3 == k {
				return 32
			}
			return vector(i)[k]
		})
	}
	c.next("PtrAccessChain", func(i int) uint32 { return in[i] })
	c.next("PtrEqual", all(1))
	c.next("PtrEqual of others", func(i int) uint32 { return truth(i == 0) })
	c.next("PtrNotEqual", func(i int) uint32 { return truth(i != 0) })
	c.next("PtrDiff", func(i int) uint32 { return uint32(i) })
	c.next("CopyMemory", func(i int) uint32 { return in[i] })
	g := func(i int) float32 { return float32(in[i]) / 1000 }
	whole := func(i int) float32 { return float32(math.Trunc(float64(g(i)))) }
	c.next("ModfStruct", func(i int) uint32 { return math.Float32bits(g(i) - whole(i)) })
	c.next("ModfStruct, whole", func(i int) uint32 { return math.Float32bits(whole(i)) })
	exponent := func(i int) int { // g is 2^exponent times what is in [0.5, 1)
		e := 0
		for x := g(i); x != 0 && (x >= 1 || x < 0.5); {
			if x >= 1 {
				x, e = x/2, e+1
			} else {
				x, e = x*2, e-1
			}
		}
		return e
	}
	c.next("Frexp", func(i int) uint32 { return asBits(float64(g(i)) / math.Pow(2, float64(exponent(i)))) })
	c.next("Frexp, exponent", func(i int) uint32 { return uint32(exponent(i)) })
	refracted := func(k int) func(i int) uint32 {
		return func(i int) uint32 {
			f, n := float64(g(i)), [2]float64{1, 0.5}
			v := [2]float64{f / math.Hypot(f, 0.5), 0.5 / math.Hypot(f, 0.5)}
			d := n[0]*v[0] + n[1]*v[1]
			s := 1 - 0.25*(1-d*d)
			want := 0.5*v[k] - (0.5*d+math.Sqrt(s))*n[k]
			if got := c.got[32*c.k+i]; math.Abs(fl(got)-want) < 1e-6 {
				return got
			}
			return asBits(want)
		}
	}
	c.next("Refract.x", refracted(0))
	c.next("Refract.y", refracted(1))
	c.next("ReadClock", all(1))
	c.next("behind Unreachable", func(i int) uint32 { return 5 * truth(i != 7) })
}

// TestKernelInstructions runs kernel.spvasm.
func TestKernelInstructions(t *testing.T) {
	rnd := random(5)
	in := rnd.words(32)
	var pairs []byte // of a byte, 8 bytes and a word, as C lays them out
	for i := range 32 {
		pairs = append(pairs, make([]byte, 16)...)
		pairs = append(pairs, bytes32(uint32(1000+i), 0)...)
	}
	for _, track := range []bool{false, true} {
		l := launch{track: track, block: [3]uint32{32, 1, 1}, args: make([]byte, 32), local: 64,
			pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}, 16: {0, 2, 0}, 24: {0, 3, 0}},
			buffers: map[Slot][]byte{{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, 4*32*22),
				{0, 2, 0}: pairs, {0, 3, 0}: make([]byte, 8)}}
		r := l.run(t, testModule(t, "kernel.spv"))
		ended(t, r)
		c := &results{t, r.words(Slot{0, 1, 0}), 0}
		word := func(i int) uint32 { return in[i] }
		all := func(v uint32) func(int) uint32 { return func(int) uint32 { return v } }
		for k, loaded := range []func(int) uint32{word, all(77), word} {
			c.next("GenericPtrMemSemantics", all([]uint32{0x200, 0x100, 0}[k]))
			c.next("GenericCastToPtr", loaded)
			for class := range 3 {
				c.next("GenericCastToPtrExplicit", all(truth(class == k)))
			}
		}
		c.next("SizeOf", all(24))
		c.next("PtrAccessChain", func(i int) uint32 { return uint32(1000 + i) })
		c.next("AtomicFlagTestAndSet", func(i int) uint32 { return truth(i > 0) })
		c.next("AtomicFlagTestAndSet of a set flag", all(1))
		c.next("AtomicCompareExchangeWeak", func(i int) uint32 { return 77 * truth(i > 0) })
		c.next("s_upsample, low", word)
		c.next("s_upsample, high", func(i int) uint32 { return uint32(i) })
		same(t, r.words(Slot{0, 3, 0}), []uint32{0, 77})
	}
}

// halfBits rounds a float to a half by looking for its neighbours among all of them: mode e, z, p or n.
func halfBits(x float64, mode byte) uint16 {
	number := func(h uint16) float64 { // of positive bits
		e, f := int(h>>10), float64(h&1023)
		switch e {
		case 31:
			return math.Inf(1)
		case 0:
			return f * 0x1p-24
		}
		return (1024 + f) * math.Pow(2, float64(e-25))
	}
	a, sign := math.Abs(x), uint16(truth(math.Signbit(x)))<<15
	up := uint16(sort.Search(0x7c00, func(h int) bool { return !(number(uint16(h)) < a) })) // halves ascend
	if number(up) == a {
		return sign | up
	}
	low := up - 1
	down := sign | low
	upper := sign | up
	switch mode {
	case 'z':
		return down
	case 'p', 'n':
		if (mode == 'p') == (sign == 0) {
			return upper
		}
		return down
	}
	above := number(up)
	if up == 0x7c00 {
		above = 65536
	}
	switch d, u := a-number(low), above-a; {
	case d < u || d == u && low&1 == 0:
		return down
	}
	return upper
}

// TestHalves runs cl_half.cl: vectors of halves in memory.
func TestHalves(t *testing.T) {
	const n = 16
	forEach(t, "cl_half", func(t *testing.T, words []uint32, track bool) {
		var in []float32
		rnd := random(13)
		for range 4 * n {
			in = append(in, float32(int32(rnd.next()))/float32(int32(1)<<(rnd.next()%24)))
		}
		in[0], in[1], in[2], in[3] = 65519.9, 1e-7, -1e-7, 0.1
		var packed []byte
		for i := range 4 * n {
			h := uint16(i*1777) & 0xfbff // no infinity
			packed = append(packed, byte(h), byte(h>>8))
		}
		l := launch{track: track, block: [3]uint32{n, 1, 1}, args: make([]byte, 32),
			pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}, 16: {0, 2, 0}, 24: {0, 3, 0}},
			buffers: map[Slot][]byte{{0, 0, 0}: floatBytes(in...), {0, 1, 0}: make([]byte, 64*n),
				{0, 2, 0}: make([]byte, 64*n), {0, 3, 0}: packed}}
		r := l.run(t, words)
		ended(t, r)
		same(t, halvesOf(r.words(Slot{0, 1, 0})), halvesReference(in, n))
		same(t, r.floats(Slot{0, 2, 0}), unpackedReference(packed, n))
	})
}

func halvesOf(words []uint32) []uint16 {
	var hs []uint16
	for _, w := range words {
		hs = append(hs, uint16(w), uint16(w>>16))
	}
	return hs
}

func halvesReference(in []float32, n int) []uint16 {
	want := make([]uint16, 32*n)
	for i := range n {
		to := want[32*i:]
		put := func(at int, mode byte, xs ...float32) {
			for k, x := range xs {
				to[at+k] = halfBits(float64(x), mode)
			}
		}
		for k, mode := range []byte("ezpn") {
			put(k, mode, in[i])
		}
		v, w := in[4*(i&3):][:4], in[3*(i&3):][:3]
		put(4, 'e', v...)
		put(8, 'z', v...)
		put(12, 'e', v...)
		put(16, 'p', v...)
		put(20, 'e', w...)
		put(24, 'n', w...)
	}
	return want
}

func unpackedReference(packed []byte, n int) []float32 {
	number := func(k int) float32 {
		h := uint16(packed[2*k]) | uint16(packed[2*k+1])<<8
		x := float64(h & 1023)
		if e := int(h >> 10 & 31); e > 0 {
			x = (x + 1024) * math.Pow(2, float64(e-1))
		}
		if h>>15 != 0 {
			x = -x
		}
		return float32(x * 0x1p-24)
	}
	var want []float32
	for i := range n {
		q := 4 * (i & 3)
		f := []float32{number(i), number(q), number(q + 1), number(q + 2), number(q + 3), number(q),
			number(q + 1), number(q + 2), float32(i*256 + 7), float32((255-i)*256 + 9), float32(i*256 + 7),
			float32(-i*256 + 9)}
		want = append(want, slices.Grow(f, 4)[:16]...)
	}
	return want
}
