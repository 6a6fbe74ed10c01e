package spirv

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"
)

// An opCase is one instruction of words: types are u, i, f (32 bits) and b, the last that of the result.
type opCase struct {
	op    uint16
	types string
	set   string // of an extended instruction, whose number op then is
	want  func(x, y, z uint32) uint32
}

func fl(x uint32) float64 { return float64(math.Float32frombits(x)) }

func asBits(x float64) uint32 { return math.Float32bits(float32(x)) }

func truth(b bool) uint32 { return uint32(one(b)) }

func unordered(x, y uint32) bool { return fl(x) != fl(x) || fl(y) != fl(y) }

func greater(a, b uint32, is bool) uint32 {
	if is {
		return a
	}
	return b
}

// A mixed dot product has its halves in words.
func mixedDot(x, y, z uint32) uint32 {
	product := func(k uint) float32 { return float32(half(uint16(x>>k)) * half(uint16(y>>k))) }
	return math.Float32bits(math.Float32frombits(z) + product(0) + product(16))
}

// opCases are instructions that the compiled modules do not have.
var opCases = []opCase{
	{140, "fff", "", func(x, y, _ uint32) uint32 { return asBits(math.Mod(fl(x), fl(y))) }},
	{156, "fb", "", func(x, _, _ uint32) uint32 { return truth(fl(x) != fl(x)) }},
	{157, "fb", "", func(x, _, _ uint32) uint32 { return truth(x&0x7fffffff == 0x7f800000) }},
	{158, "fb", "", func(x, _, _ uint32) uint32 { return truth(x&0x7f800000 != 0x7f800000) }},
	{159, "fb", "", func(x, _, _ uint32) uint32 { e := x >> 23 & 255; return truth(e != 0 && e != 255) }},
	{160, "fb", "", func(x, _, _ uint32) uint32 { return x >> 31 }},
	{161, "ffb", "", func(x, y, _ uint32) uint32 { return truth(!unordered(x, y) && fl(x) != fl(y)) }},
	{162, "ffb", "", func(x, y, _ uint32) uint32 { return truth(!unordered(x, y)) }},
	{163, "ffb", "", func(x, y, _ uint32) uint32 { return truth(unordered(x, y)) }},
	{164, "bbb", "", func(x, y, _ uint32) uint32 { return truth((x != 0) == (y != 0)) }},
	{165, "bbb", "", func(x, y, _ uint32) uint32 { return truth((x != 0) != (y != 0)) }},
	{166, "bbb", "", func(x, y, _ uint32) uint32 { return truth(x != 0 || y != 0) }},
	{167, "bbb", "", func(x, y, _ uint32) uint32 { return truth(x != 0 && y != 0) }},
	{168, "bb", "", func(x, _, _ uint32) uint32 { return truth(x == 0) }},
	{179, "iib", "", func(x, y, _ uint32) uint32 { return truth(int32(x) <= int32(y)) }},
	{180, "ffb", "", func(x, y, _ uint32) uint32 { return truth(fl(x) == fl(y)) }},
	{181, "ffb", "", func(x, y, _ uint32) uint32 { return truth(unordered(x, y) || fl(x) == fl(y)) }},
	{182, "ffb", "", func(x, y, _ uint32) uint32 { return truth(!unordered(x, y) && fl(x) != fl(y)) }},
	{183, "ffb", "", func(x, y, _ uint32) uint32 { return truth(unordered(x, y) || fl(x) != fl(y)) }},
	{185, "ffb", "", func(x, y, _ uint32) uint32 { return truth(unordered(x, y) || fl(x) < fl(y)) }},
	{187, "ffb", "", func(x, y, _ uint32) uint32 { return truth(unordered(x, y) || fl(x) > fl(y)) }},
	{188, "ffb", "", func(x, y, _ uint32) uint32 { return truth(fl(x) <= fl(y)) }},
	{189, "ffb", "", func(x, y, _ uint32) uint32 { return truth(unordered(x, y) || fl(x) <= fl(y)) }},
	{190, "ffb", "", func(x, y, _ uint32) uint32 { return truth(fl(x) >= fl(y)) }},
	{191, "ffb", "", func(x, y, _ uint32) uint32 { return truth(unordered(x, y) || fl(x) >= fl(y)) }},
	{6916, "hhff", "", mixedDot},
	{116, "ff", "", func(x, _, _ uint32) uint32 { return quantized(x) }},
	{118, "iu", "", func(x, _, _ uint32) uint32 { return uint32(max(int32(x), 0)) }},
	{119, "ui", "", func(x, _, _ uint32) uint32 { return min(x, math.MaxInt32) }},
	{4450, "uui", "", func(x, y, _ uint32) uint32 { return uint32(dotBytes(x, y, true, true)) }},
	{4451, "uuu", "", func(x, y, _ uint32) uint32 { return uint32(dotBytes(x, y, false, false)) }},
	{4452, "uui", "", func(x, y, _ uint32) uint32 { return uint32(dotBytes(x, y, true, false)) }},
	{4453, "uuii", "", func(x, y, z uint32) uint32 {
		s := dotBytes(x, y, true, true) + int64(int32(z))
		return uint32(max(min(s, math.MaxInt32), math.MinInt32))
	}},
	{4454, "uuuu", "", func(x, y, z uint32) uint32 {
		return uint32(min(dotBytes(x, y, false, false)+int64(z), math.MaxUint32))
	}},
	{4455, "uuii", "", func(x, y, z uint32) uint32 {
		s := dotBytes(x, y, true, false) + int64(int32(z))
		return uint32(max(min(s, math.MaxInt32), math.MinInt32))
	}},
	{5585, "uu", "", func(x, _, _ uint32) uint32 { return uint32(bits.LeadingZeros32(x)) }},
	{5586, "uu", "", func(x, _, _ uint32) uint32 { return uint32(bits.TrailingZeros32(x)) }},
	{5, "ii", "GLSL.std.450", func(x, _, _ uint32) uint32 { return greater(-x, x, int32(x) < 0) }},
	{7, "ii", "GLSL.std.450", func(x, _, _ uint32) uint32 {
		return greater(0xffffffff, truth(x != 0), int32(x) < 0)
	}},
	{38, "uuu", "GLSL.std.450", func(x, y, _ uint32) uint32 { return min(x, y) }},
	{42, "iii", "GLSL.std.450", func(x, y, _ uint32) uint32 { return uint32(max(int32(x), int32(y))) }},
	{44, "uuuu", "GLSL.std.450", func(x, y, z uint32) uint32 { return min(max(x, y), z) }},
	{45, "iiii", "GLSL.std.450", func(x, y, z uint32) uint32 {
		return uint32(min(max(int32(x), int32(y)), int32(z)))
	}},
	{74, "ii", "GLSL.std.450", func(x, _, _ uint32) uint32 {
		if int32(x) < 0 {
			x = ^x
		}
		return uint32(bits.Len32(x) - 1)
	}},
	{79, "fff", "GLSL.std.450", func(x, y, _ uint32) uint32 {
		return greater(x, y, fl(y) != fl(y) || fl(x) < fl(y))
	}},
	{80, "fff", "GLSL.std.450", func(x, y, _ uint32) uint32 {
		return greater(x, y, fl(y) != fl(y) || fl(x) > fl(y))
	}},
	{5587, "iiu", "", func(x, y, _ uint32) uint32 {
		return uint32(max(int64(int32(x)), int64(int32(y))) - min(int64(int32(x)), int64(int32(y))))
	}},
	{5588, "uuu", "", func(x, y, _ uint32) uint32 { return max(x, y) - min(x, y) }},
	{5589, "iii", "", func(x, y, _ uint32) uint32 { return within32(int64(int32(x)) + int64(int32(y))) }},
	{5590, "uuu", "",
		func(x, y, _ uint32) uint32 { return uint32(min(uint64(x)+uint64(y), math.MaxUint32)) }},
	{5591, "iii", "",
		func(x, y, _ uint32) uint32 { return uint32((int64(int32(x)) + int64(int32(y))) >> 1) }},
	{5592, "uuu", "", func(x, y, _ uint32) uint32 { return uint32((uint64(x) + uint64(y)) >> 1) }},
	{5593, "iii", "", func(x, y, _ uint32) uint32 {
		return uint32((int64(int32(x)) + int64(int32(y)) +
			1) >> 1)
	}},
	{5594, "uuu", "", func(x, y, _ uint32) uint32 { return uint32((uint64(x) + uint64(y) + 1) >> 1) }},
	{5595, "iii", "", func(x, y, _ uint32) uint32 { return within32(int64(int32(x)) - int64(int32(y))) }},
	{5596, "uuu", "", func(x, y, _ uint32) uint32 { return x - min(x, y) }},
	{5597, "iii", "", func(x, y, _ uint32) uint32 { return uint32(int32(x) * int32(int16(y))) }},
	{5598, "uuu", "", func(x, y, _ uint32) uint32 { return x * uint32(uint16(y)) }},
	{5631, "uuu", "", func(x, _, _ uint32) uint32 { return x }},
	{81, "ffff", "GLSL.std.450", func(x, y, z uint32) uint32 {
		// NClamp is NMin(NMax(x, lo), hi); undefined where lo > hi.
		lower := greater(x, y, fl(y) != fl(y) || fl(x) > fl(y))
		return greater(lower, z, fl(z) != fl(z) || fl(lower) < fl(z))
	}},
	{152, "uu", "OpenCL.std", func(x, _, _ uint32) uint32 { return uint32(bits.TrailingZeros32(x)) }},
	{166, "uu", "OpenCL.std", func(x, _, _ uint32) uint32 { return uint32(bits.OnesCount32(x)) }},
	{168, "uuuu", "OpenCL.std", func(x, y, z uint32) uint32 { return x<<8>>8*(y<<8>>8) + z }},
	{201, "uu", "OpenCL.std", func(x, _, _ uint32) uint32 { return x }},
	{67, "ff", "OpenCL.std", of1(math.Cos)}, {69, "ff", "OpenCL.std", of1(math.Exp)},
	{70, "ff", "OpenCL.std", of1(math.Exp2)}, {71, "ff", "OpenCL.std", of1(tenTo)},
	{72, "ff", "OpenCL.std", of1(math.Log)}, {73, "ff", "OpenCL.std", of1(math.Log2)},
	{74, "ff", "OpenCL.std", of1(math.Log10)}, {77, "ff", "OpenCL.std", of1(inverseRoot)},
	{78, "ff", "OpenCL.std", of1(math.Sin)}, {79, "ff", "OpenCL.std", of1(math.Sqrt)},
	{80, "ff", "OpenCL.std", of1(math.Tan)}, {81, "ff", "OpenCL.std", of1(math.Cos)},
	{82, "fff", "OpenCL.std", of2(func(x, y float64) float64 { return x / y })},
	{84, "ff", "OpenCL.std", of1(math.Exp2)}, {85, "ff", "OpenCL.std", of1(tenTo)},
	{86, "ff", "OpenCL.std", of1(math.Log)}, {87, "ff", "OpenCL.std", of1(math.Log2)},
	{88, "ff", "OpenCL.std", of1(math.Log10)}, {89, "fff", "OpenCL.std", of2(powr(math.Pow))},
	{90, "ff", "OpenCL.std", of1(func(x float64) float64 { return 1 / x })},
	{93, "ff", "OpenCL.std", of1(math.Sqrt)}, {94, "ff", "OpenCL.std", of1(math.Tan)},
	{97, "fff", "OpenCL.std", of2(func(x, y float64) float64 {
		if y != y || x > y {
			return x
		}
		return y
	})},
	{98, "fff", "OpenCL.std", of2(func(x, y float64) float64 {
		if y != y || x < y {
			return x
		}
		return y
	})},
	{108, "fff", "OpenCL.std", of2(func(x, y float64) float64 { return math.Abs(x - y) })},
	{110, "ff", "OpenCL.std", of1(func(x float64) float64 {
		if x == 0 {
			return x
		}
		return x / math.Sqrt(x*x)
	})},
}

func of1(f func(x float64) float64) func(x, y, z uint32) uint32 {
	return func(x, _, _ uint32) uint32 { return asBits(f(fl(x))) }
}

func of2(f func(x, y float64) float64) func(x, y, z uint32) uint32 {
	return func(x, y, _ uint32) uint32 { return asBits(f(fl(x), fl(y))) }
}

func tenTo(x float64) float64 { return math.Pow(10, x) }

func inverseRoot(x float64) float64 { return 1 / math.Sqrt(x) }

// within32 saturates to 32 bits with a sign.
func within32(x int64) uint32 { return uint32(max(min(x, math.MaxInt32), math.MinInt32)) }

// quantized rounds the bits of a float to the 11 that a half has.
func quantized(x uint32) uint32 {
	sign := x & 0x80000000
	switch {
	case x&0x7f800000 == 0x7f800000:
		return x
	case math.Abs(fl(x)) >= 65520:
		return sign | 0x7f800000
	}
	r := (x + 0xfff + x>>13&1) &^ 0x1fff
	if math.Abs(fl(r)) < 0x1p-14 {
		return sign
	}
	return r
}

func dotBytes(x, y uint32, sx, sy bool) (sum int64) {
	part := func(v uint32, k int, isSigned bool) int64 {
		if b := byte(v >> (8 * k)); isSigned {
			return int64(int8(b))
		} else {
			return int64(b)
		}
	}
	for k := range 4 {
		sum += part(x, k, sx) * part(y, k, sy)
	}
	return sum
}

// opModule is a shader of one instruction: out[i] = op(a[i], b[i], …), buffers of words at bindings 0, 1
// and so on.
func opModule(c opCase) []uint32 { return opModuleOf(c, 1) }

// opModuleOf is opModule for workgroups of so many invocations.
func opModuleOf(c opCase, size uint32) []uint32 {
	return opModuleWith(c, size, func(_ func(op uint32, args ...uint32), o operandOf) uint32 { return o.id })
}

// An operandOf is a value that is to be an operand, and which one it is; index is the invocation, and free
// are ids that nothing else has.
type operandOf struct {
	k                    int
	id, typ, index, free uint32
}

// opModuleWith is opModuleOf with other operands, which are made of the usual ones.
func opModuleWith(c opCase, size uint32,
	operand func(add func(op uint32, args ...uint32), o operandOf) uint32) []uint32 {
	w := []uint32{0x07230203, 0x10300, 0, 200, 0}
	add := func(op uint32, args ...uint32) { w = append(append(w, uint32(len(args)+1)<<16|op), args...) }
	str := func(s string) (out []uint32) {
		b := append([]byte(s), make([]byte, 4-len(s)%4)...)
		return wordsOf(b)
	}
	const (
		void, fn, u32, i32, f32, boolT, v3, pin, gid, arr, block, pblock, pword, zero, one_, main, label,
		set, pinu = 1, 2, 3,
			4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
		f16, halves   = 20, 21 // a vector of two
		buffers, next = 30, 60
	)
	typ := map[byte]uint32{'u': u32, 'i': i32, 'f': f32, 'b': boolT, 'h': halves}
	add(17, 1)
	if c.set != "" {
		add(11, append([]uint32{set}, str(c.set)...)...)
	}
	add(14, 0, 1)
	add(15, append(append([]uint32{5, main}, str("main")...), gid)...)
	add(16, main, 17, size, 1, 1)
	add(71, gid, 11, 28)
	add(71, arr, 6, 4)
	add(72, block, 0, 35, 0)
	add(71, block, 2)
	for k := range uint32(len(c.types)) {
		add(71, buffers+k, 34, 0)
		add(71, buffers+k, 33, k)
	}
	add(19, void)
	add(33, fn, void)
	add(21, u32, 32, 0)
	add(21, i32, 32, 1)
	add(22, f32, 32)
	if strings.Contains(c.types, "h") {
		add(22, f16, 16)
		add(23, halves, f16, 2)
	}
	add(20, boolT)
	add(23, v3, u32, 3)
	add(32, pin, 1, v3)
	add(32, pinu, 1, u32)
	add(59, pin, gid, 1)
	add(29, arr, u32)
	add(30, block, arr)
	add(32, pblock, 12, block)
	add(32, pword, 12, u32)
	add(43, u32, zero, 0)
	add(43, u32, one_, 1)
	for k := range uint32(len(c.types)) {
		add(59, pblock, buffers+k, 12)
	}
	add(54, void, main, 0, fn)
	add(248, label)
	id := uint32(next)
	fresh := func() uint32 { id++; return id }
	p, index := fresh(), fresh()
	add(65, pinu, p, gid, zero)
	add(61, u32, index, p)
	var args []uint32
	for k := range len(c.types) - 1 {
		at, v := fresh(), fresh()
		add(65, pword, at, buffers+1+uint32(k), zero, index)
		add(61, u32, v, at)
		x := fresh()
		if c.types[k] == 'b' {
			add(171, boolT, x, v, zero)
		} else {
			add(124, typ[c.types[k]], x, v)
		}
		args = append(args, operand(add, operandOf{k, x, typ[c.types[k]], index, 120 + 20*uint32(k)}))
	}
	r, out, at := fresh(), fresh(), fresh()
	res := c.types[len(c.types)-1]
	switch {
	case c.set != "":
		add(12, append([]uint32{typ[res], r, set, uint32(c.op)}, args...)...)
	case c.op >= 4450 && c.op <= 4455:
		add(uint32(c.op), append(append([]uint32{typ[res], r}, args...), 0)...)
	default:
		add(uint32(c.op), append([]uint32{typ[res], r}, args...)...)
	}
	if res == 'b' {
		add(169, u32, out, r, one_, zero)
	} else {
		add(124, u32, out, r)
	}
	add(65, pword, at, buffers, zero, index)
	add(62, at, out)
	add(253)
	add(56)
	return w
}

// TestOps runs instructions by themselves, over numbers at the edges and random ones.
func TestOps(t *testing.T) {
	edges := []uint32{0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x7f800000, 0xff800000, 0x7fc00000,
		0x3f800000, 0xbf800000,
		0x00000001, 0x007fffff, 0x00800000, 0x40490fdb, 0x80808080, 0x7f7f7f7f}
	rnd := random(23)
	for _, c := range opCases {
		n := 256
		in := [3][]uint32{}
		for i := range n {
			in[0] = append(in[0], edges[i%16])
			in[1] = append(in[1], edges[i/16])
			in[2] = append(in[2], edges[(i*7+i/16)%16])
		}
		in[0], in[1], in[2] = append(in[0], rnd.words(64)...), append(in[1], rnd.words(64)...),
			append(in[2], rnd.words(64)...)
		l := launch{groups: [3]uint32{10}, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 4*320)}}
		for k := range len(c.types) - 1 {
			l.buffers[Slot{0, uint32(k + 1), 0}] = bytes32(in[k]...)
		}
		r := l.run(t, opModuleOf(c, 32))
		ended(t, r)
		wrong := 0
		for i, got := range r.words(Slot{0, 0, 0}) {
			want := c.want(in[0][i], in[1][i], in[2][i])
			nan := c.types[len(c.types)-1] == 'f' && fl(got) != fl(got) && fl(want) != fl(want)
			zero := c.types[len(c.types)-1] == 'f' && fl(got) == 0 && fl(want) == 0
			if got != want && !nan && !zero && !(c.set == "OpenCL.std" && got-want+1 <= 2) && wrong < 3 {
				t.Errorf("%s%d(%#x, %#x, %#x) = %#x, want %#x", c.set, c.op, in[0][i], in[1][i], in[2][i],
					got, want)
				wrong++
			}
		}
	}
}

// TestRefused: what the machine does not have is refused by name where the entry point reaches it.
func TestRefused(t *testing.T) {
	for want, c := range map[string]opCase{
		"OpImageSparseRead has a result that is no structure of a code and a texel": {op: 320,
			types: "uuf"},
		"OpImageRead has operand %65, which is no image": {op: 98,
			types: "uuf"},
		"OpKill needs the Fragment execution model, which the machine does not have": {op: 252,
			types: "uu"},
		"OpDPdx needs ComputeDerivativeGroupLinearNV, which the machine does not have": {op: 207,
			types: "ff"},
		"OpDPdxFine needs DerivativeControl, which the machine does not have": {op: 210, types: "ff"},
		"OpIAdd has operand %60, which is no value here":                      {op: 128, types: "u"},
		"12345, which the machine does not know":                              {op: 12345, types: "uu"},
	} {
		words := opModule(c)
		if len(c.types) == 1 { // an addition of what nothing defines
			words = slices.Clone(opModule(opCase{op: 128, types: "uuu"}))
			for i, w := range words {
				if w == 5<<16|128 {
					words[i+3] = 60
				}
			}
		}
		if _, err := New(words, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestDead: what the machine does not have may be in a module, in blocks and functions that the entry point
// does not reach.
func TestDead(t *testing.T) {
	words := testModule(t, "dead.spv")
	l := launch{o: Options{Entry: "main"}, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 16)}}
	r := l.run(t, words)
	ended(t, r)
	same(t, r.words(Slot{0, 0, 0}), []uint32{7, 7, 7, 7})
	asks := "OpTypeRayQueryKHR needs RayQueryKHR, which the machine does not have"
	if _, err := New(words, Options{Entry: "asks"}); err == nil || !strings.Contains(err.Error(), asks) {
		t.Errorf("%v, want %q", err, asks)
	}
	// An instruction that is too new to be known, with the capability that brings it.
	unknown := opModule(opCase{op: 5296, types: "uu"})
	unknown = slices.Insert(unknown, 5, 2<<16|17, 5297)
	want := "instruction 5296, which the machine does not know; the module declares " +
		"GroupNonUniformPartitionedNV"
	if _, err := New(unknown, Options{}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
