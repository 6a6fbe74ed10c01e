package spirv

import (
	"math"

	"simtgdb/simt/libm"
)

// Functions of real numbers that OpenCL.std has three times: by itself, with half_ and with native_, all
// alike. What Go's library computes in 64 bits is good for fewer; doubles come from twice a double's
// precision, but for those functions that Go's library has within a unit or two in the last place, and much
// faster.
var (
	cosine      = fn1(math.Cos).double(libm.Cos)
	sine        = fn1(math.Sin).double(libm.Sin)
	tangent     = fn1(math.Tan).double(libm.Tan)
	power       = fn2(math.Pow).double2(libm.Pow)
	powerReal   = fn2(powr(math.Pow)).double2(powr(libm.Pow))
	exponent    = fn1(math.Exp).double(libm.Exp)
	exponent2   = fn1(math.Exp2).double(libm.Exp2)
	exponent10  = fn1(libm.Exp10)
	logarithm   = fn1(math.Log).double(libm.Log)
	logarithm2  = fn1(math.Log2).double(libm.Log2)
	logTen      = fn1(math.Log10).double(libm.Log10)
	squareRoot  = stdFunc{args: 1, f1: math.Sqrt, loop: execSqrt32, once: floatControl.sqrt}
	rootInverse = fn1(rsqrt).double(libm.Rsqrt)
	quotient    = fn2(divide)
	inverted    = fn1(reciprocal)
)

// double gives a function another for 64 bits.
func (s stdFunc) double(f func(x float64) float64) stdFunc     { s.d1 = f; return s }
func (s stdFunc) double2(f func(x, y float64) float64) stdFunc { s.d2 = f; return s }

// byPi makes a function of another whose results are angles: in half turns.
func byPi(f func(x float64) float64) func(x float64) float64 {
	return func(x float64) float64 { return f(x) / math.Pi }
}

// of1 and of2 are the functions for a width.
func (s stdFunc) of1(width uint) func(x float64) float64 {
	switch {
	case width == 16 && s.h1 != nil:
		return s.h1
	case width == 64 && s.d1 != nil:
		return s.d1
	}
	return s.f1
}

func (s stdFunc) of2(width uint) func(x, y float64) float64 {
	if width == 64 && s.d2 != nil {
		return s.d2
	}
	return s.f2
}

func divide(x, y float64) float64  { return x / y }
func reciprocal(x float64) float64 { return 1 / x }
func rsqrt(x float64) float64      { return 1 / math.Sqrt(x) }

// fdim is x-y where that is positive (C11, 7.12.12.1).
func fdim(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// powr is x to the y of x at least 0, without what is only known of whole numbers y (OpenCL C, 7.5.1).
func powr(pow func(x, y float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		switch {
		case x < 0 || x != x || y != y || y == 0 && (x == 0 || math.IsInf(x, 1)) ||
			x == 1 && math.IsInf(y, 0):
			return math.NaN()
		}
		return pow(math.Abs(x), y)
	}
}

func rootn(x, n float64) float64 { return libm.Rootn(x, int(n)) }

func lgammaSign(x float64, _ uint) (float64, float64) {
	_, s := math.Lgamma(x)
	return libm.Lgamma(x), float64(s)
}

func sineAndCosine(x float64, w uint) (float64, float64) { return sine.of1(w)(x), cosine.of1(w)(x) }

// sinPi is sin(pi*x), reduced exactly.
func sinPi(x float64) float64 {
	r := math.Mod(x, 2)
	switch {
	case r != r:
		return r
	case r == math.Trunc(r):
		return math.Copysign(0, x)
	}
	return math.Sin(math.Pi * r)
}

func cosPi(x float64) float64 {
	r := math.Abs(math.Mod(x, 2))
	if r == 0.5 || r == 1.5 {
		return 0
	}
	return math.Cos(math.Pi * r)
}

func tanPi(x float64) float64     { return sinPi(x) / cosPi(x) }
func tanPiWide(x float64) float64 { return libm.Sinpi(x) / libm.Cospi(x) }

// remquo is the remainder of x by the whole number nearest to x/y, and the lowest bits of that number with
// its sign (OpenCL C, 6.15.2).
func remquo(x, y float64, _ uint) (float64, float64) {
	r := math.Remainder(x, y)
	if r != r || math.IsInf(y, 0) {
		return r, 0
	}
	const bits = 128
	q := math.Mod(x, bits*y) // exact, and x by y but for whole multiples of bits
	if math.IsInf(bits*y, 0) {
		q = x
	}
	n := math.Mod(math.RoundToEven((q-math.Remainder(q, y))/y), bits)
	return r, n
}
