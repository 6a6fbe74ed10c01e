package spirv

import (
	"math"
	"math/bits"
	"sync"
)

func buildGLSL(b *builder, number uint32) (*inst, error) {
	return b.buildStd("GLSL.std.450", glslFuncs()[number], number)
}

// glslFuncs are the functions of GLSL.std.450, by number.
var glslFuncs = sync.OnceValue(func() map[uint32]stdFunc {
	return map[uint32]stdFunc{
		1: fn1(math.RoundToEven), 2: fn1(math.RoundToEven), 3: fn1(math.Trunc),
		4: fn1(math.Abs).fast(execFAbs32), 5: in1(absInt), 6: fn1(sign),
		7: in1(func(x uint64, w uint) uint64 { return uint64(int64(sign(float64(signed(x, w))))) }),
		8: fn1(math.Floor), 9: fn1(math.Ceil), 10: fn1(func(x float64) float64 { return x - math.Floor(x) }),
		11: times(math.Pi / 180), 12: times(180 / math.Pi),
		13: fn1(math.Sin), 14: fn1(math.Cos), 15: fn1(math.Tan), 16: fn1(math.Asin), 17: fn1(math.Acos),
		18: fn1(math.Atan),
		19: fn1(math.Sinh), 20: fn1(math.Cosh), 21: fn1(math.Tanh), 22: fn1(math.Asinh), 23: fn1(math.Acosh),
		24: fn1(math.Atanh),
		25: fn2(math.Atan2), 26: fn2(math.Pow), 27: fn1(math.Exp), 28: fn1(math.Log), 29: fn1(math.Exp2),
		30: fn1(math.Log2),
		31: squareRoot, 32: fn1(func(x float64) float64 { return 1 / math.Sqrt(x) }),
		33: special(buildVector(1,
			func(v [][]float64) []float64 { return []float64{determinant(v[0], sideOf(v[0]))} })),
		34: special(buildVector(1, inverse)),
		35: special(buildSecond(true, wholeAndFraction)), 36: special(buildSecond(false, wholeAndFraction)),
		37: fn2(fmin).fast(execFMin32), 38: in2(func(x, y uint64, _ uint) uint64 { return min(x, y) }),
		39: in2(smin),
		40: fn2(fmax).fast(execFMax32), 41: in2(func(x, y uint64, _ uint) uint64 { return max(x, y) }),
		42: in2(smax),
		43: fn3(fclamp), 44: in3(func(x, lo, hi uint64, _ uint) uint64 { return min(max(x, lo), hi) }),
		45: in3(sclamp),
		46: fn3(func(x, y, a float64) float64 { return x*(1-a) + y*a }),
		48: fn2(step), 49: fn3(smoothStep), 50: special(buildFma),
		51: special(buildSecond(true, frexp)), 52: special(buildSecond(false, frexp)),
		53: special(buildLdexp),
		54: pack(4, 8, snorm(127)), 55: pack(4, 8, unorm(255)), 56: pack(2, 16, snorm(32767)),
		57: pack(2, 16, unorm(65535)),
		58: special(func(b *builder) (*inst, error) { return pack(2, 16, b.control(16).out).build(b) }),
		59: special(buildBitcast), 60: unpack(2, 16, unsnorm(16)), 61: unpack(2, 16, ununorm(65535)),
		62: special(func(b *builder) (*inst, error) { return unpack(2, 16, b.control(16).in).build(b) }),
		63: unpack(4, 8, unsnorm(8)), 64: unpack(4, 8, ununorm(255)), 65: special(buildBitcast),
		66: special(buildVector(1, length)), 67: special(buildVector(2, distance)),
		68: special(buildVector(2, cross)),
		69: special(buildVector(1, normalize)), 70: special(buildVector(3, faceForward)),
		71: special(buildVector(2, reflect)), 72: special(buildVector(3, refract)),
		73: in1(func(x uint64, _ uint) uint64 {
			if x == 0 {
				return ^uint64(0)
			}
			return uint64(bits.TrailingZeros64(x))
		}),
		74: in1(func(x uint64, w uint) uint64 {
			n := signed(x, w)
			if n < 0 {
				n = ^n
			}
			return uint64(bits.Len64(uint64(n)) - 1)
		}),
		75: in1(func(x uint64, _ uint) uint64 { return uint64(bits.Len64(x) - 1) }),
		79: fn2(fmin), 80: fn2(fmax), 81: fn3(fclamp),
	}
})

// times multiplies by a constant. For halves the constant is one too: their degrees and radians have the
// error of such a product (Vulkan, section "Precision and Operation of SPIR-V Instructions").
func times(k float64) stdFunc {
	f := fn1(func(x float64) float64 { return x * k })
	short := half(toHalf(k))
	f.h1 = func(x float64) float64 { return x * short }
	return f
}

func absInt(x uint64, w uint) uint64 {
	if n := signed(x, w); n < 0 {
		return uint64(-n)
	}
	return x
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	case x != x:
		return 0
	}
	return x
}

func smin(x, y uint64, w uint) uint64 { return pick(signed(x, w) < signed(y, w), x, y) }
func smax(x, y uint64, w uint) uint64 { return pick(signed(x, w) > signed(y, w), x, y) }

func sclamp(x, lo, hi uint64, w uint) uint64 { return smin(smax(x, lo, w), hi, w) }

func fclamp(x, lo, hi float64) float64 { return fmin(fmax(x, lo), hi) }

func step(edge, x float64) float64 {
	if x < edge {
		return 0
	}
	return 1
}

func smoothStep(lo, hi, x float64) float64 {
	t := fclamp((x-lo)/(hi-lo), 0, 1)
	return t * t * (3 - 2*t)
}

func execFAbs32(c *core, in *inst) {
	d, a := c.a1(in)
	for i := range d {
		d[i] = a[i] &^ (1 << 31)
	}
}

func execSqrt32(c *core, in *inst) {
	d, a := c.a1(in)
	for i := range d {
		d[i] = bits32(float32(math.Sqrt(float64(f32(a[i])))))
	}
}

func execFMin32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		x, y := f32(a[i]), f32(b[i])
		switch {
		case x < y || y != y:
			d[i] = a[i]
		case x == y: // the zero with a sign
			d[i] = a[i] | b[i]
		default:
			d[i] = b[i]
		}
	}
}

func execFMax32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		x, y := f32(a[i]), f32(b[i])
		switch {
		case x > y || y != y:
			d[i] = a[i]
		case x == y:
			d[i] = a[i] & b[i]
		default:
			d[i] = b[i]
		}
	}
}

func snorm(scale float64) func(float64) uint64 {
	return func(x float64) uint64 { return uint64(int64(math.RoundToEven(fclamp(x, -1, 1) * scale))) }
}

func unorm(scale float64) func(float64) uint64 {
	return func(x float64) uint64 { return uint64(math.RoundToEven(fclamp(x, 0, 1) * scale)) }
}

func unsnorm(width uint) func(uint64) float64 {
	most := float64(fieldMask(uint64(width - 1)))
	return func(v uint64) float64 { return fclamp(float64(signed(v, width))/most, -1, 1) }
}

func ununorm(scale float64) func(uint64) float64 {
	return func(v uint64) float64 { return float64(v) / scale }
}

// pack makes a word of a vector of n floats, each of so many bits, the first lowest.
func pack(n int, width uint, f func(x float64) uint64) stdFunc {
	return special(func(b *builder) (*inst, error) {
		v, err := b.value(0)
		if err != nil {
			return nil, err
		}
		if v.typ.slots != n || v.leafKind() != kFloat || b.typ == nil || b.typ.slots != 1 {
			return nil, b.errorf("packs what is no vector of %d floats", n)
		}
		ctl := b.control(v.leafWidth())
		return &inst{a: v.slot, exec: func(c *core, in *inst) {
			d := c.one(in.d)
			for l := range d {
				d[l] = 0
				for k := range n {
					d[l] |= f(ctl.in(c.one(in.a + int32(k))[l])) & fieldMask(
						uint64(width)) << (uint(k) * width)
				}
			}
		}}, nil
	})
}

func (v *value) leafKind() kind {
	if s := v.typ.scalar(); s != nil {
		return s.kind
	}
	return kVoid
}

func unpack(n int, width uint, f func(v uint64) float64) stdFunc {
	return special(func(b *builder) (*inst, error) {
		v, err := b.value(0)
		if err != nil {
			return nil, err
		}
		if v.typ.slots != 1 || b.typ == nil || b.typ.slots != n || b.typ.scalar() == nil ||
			b.typ.scalar().kind != kFloat {
			return nil, b.errorf("unpacks to what is no vector of %d floats", n)
		}
		ctl := b.control(b.typ.scalar().bits)
		return &inst{a: v.slot, exec: func(c *core, in *inst) {
			a := c.one(in.a)
			for k := range n {
				d := c.one(in.d + int32(k))
				for l := range d {
					d[l] = ctl.out(f(a[l] >> (uint(k) * width) & fieldMask(uint64(width))))
				}
			}
		}}, nil
	})
}
