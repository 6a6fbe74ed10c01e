package gcn

import (
	"math"

	"simtgdb/simt/vec"
)

// Functions of floats that go lane by lane and take a short way with numbers and in modes that leave
// nothing to decide. What defines them is package softfloat, which has the other lanes.

// normal32 reports whether a float of 32 bits is neither 0 nor denormal, infinite or a NaN; normal64 does
// of the high dword of one of 64 bits.
func normal32(v uint32) bool { return v<<1-1<<24 < 0xfe<<24 }
func normal64(v uint32) bool { return v<<1-1<<21 < 0x7fe<<21 }

// exponent32 and exponent64 are biased exponents.
func exponent32(v uint32) int32 { return int32(v >> 23 & 0xff) }
func exponent64(v uint32) int32 { return int32(v >> 20 & 0x7ff) }

// real32 rounds a function of a real number to 32 bits in modes that an environment is made of.
func real32(fn func(float64) float64, of func(mode uint32) env) func(*lanes) {
	return func(x *lanes) {
		d, a, e := x.d, x.a, of(x.mode)
		for l := range d {
			v := a[l]
			if e.Round == roundNearest && normal32(v) {
				if r := bits32(float32(fn(float64(float32s(v))))); normal32(r) {
					d[l] = r
					continue
				}
			}
			d[l] = uint32(single.Apply(fn, uint64(v), e))
		}
	}
}

// ldexp32 and ldexp64 add to the exponent.
func ldexp32(x *lanes) {
	d, a, b, e := x.d, x.a, x.b, envOf(single, x.mode)
	for l := range d {
		v, n := a[l], int32(b[l])
		if to := exponent32(v) + n; normal32(v) && n > -255 && n < 255 && to > 0 && to < 0xff {
			d[l] = v + uint32(n)<<23
		} else {
			d[l] = uint32(ldexp(single, uint64(v), uint64(uint32(n)), e))
		}
	}
}

func ldexp64(x *lanes) {
	e := envOf(double, x.mode)
	for l := range x.d {
		v, n := x.a1[l], int32(x.b[l])
		if to := exponent64(v) + n; normal64(v) && n > -2047 && n < 2047 && to > 0 && to < 0x7ff {
			x.d[l], x.d1[l] = x.a[l], v+uint32(n)<<20
		} else {
			x.set(l, ldexp(double, get(l, x.a, x.a1), uint64(uint32(n)), e))
		}
	}
}

// key32 gives the bits of numbers, which are no NaNs, the order of the numbers, -0 before 0; it undoes
// itself.
func key32(v uint32) int32 { return int32(v) ^ int32(v)>>31&math.MaxInt32 }

func isNaN32(v uint32) bool { return v&math.MaxInt32 > 0x7f800000 }

// med32 chooses the middle one of three numbers by their keys, which tell zeros apart: these are left to
// Median.
func med32(x *lanes) {
	d, a, b, c, e := x.d, x.a, x.b, x.c, envOf(single, x.mode)
	keeps := e.KeepIn && e.KeepOut
	for l := range d {
		p, q, r := a[l], b[l], c[l]
		i, j, k := key32(p), key32(q), key32(r)
		d[l] = uint32(key32(uint32(max(min(i, j), min(max(i, j), k)))))
		if !keeps || isNaN32(p) || isNaN32(q) || isNaN32(r) || d[l]<<1 == 0 {
			d[l] = uint32(single.Median(uint64(p), uint64(q), uint64(r), e))
		}
	}
}

// ofThree runs an operation on the first two sources, and on what comes of that and the third.
func ofThree(op vec.Op, other func(*lanes)) func(*lanes) {
	return func(x *lanes) {
		if !plain32(x.mode) {
			other(x)
			return
		}
		d := x.d
		x.d = &x.half
		x.apply(op)
		x.d, x.a, x.b = d, &x.half, x.c
		x.apply(op)
	}
}

// unscaled runs an operation where no lane's result is to be scaled.
func unscaled(plain func(mode uint32) bool, op vec.Op, other func(*lanes)) func(*lanes) {
	return func(x *lanes) {
		if x.in == 0 && plain(x.mode) {
			x.apply(op)
		} else {
			other(x)
		}
	}
}

// pkRTZ16 is the 16-bit float of v, towards zero, if that is a normal number.
func pkRTZ16(v uint32) (r uint32, ok bool) {
	const least, most = 127 - 14, 127 + 15
	e := exponent32(v)
	return v>>16&0x8000 | (v&math.MaxInt32-(127-15)<<23)>>13, e >= least && e <= most
}

// halfNumber is a 16-bit float in 32 bits, if it is 0 or a normal number.
func halfNumber(v uint32) (r float32, ok bool) {
	sign, m := v&0x8000<<16, v&0x7fff
	if m == 0 {
		return float32s(sign), true
	}
	return float32s(sign | m<<13 + (127-15)<<23), m >= 0x400 && m < 0x7c00
}
