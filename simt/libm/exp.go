package libm

import "math"

// expParts is e^a as 1+m times 2^k: m is exact to its own last bits, also where a is near 0.
func expParts(a dd) (m dd, k int) {
	n := math.Round(a.hi / math.Ln2)
	r := a.sub(ln2.times(n))
	const halvings = 6
	r = r.scale(-halvings)
	m = from(0)
	for i := 16; i > 0; i-- { // r is below 2^-7
		m = m.add(factorial[i]).mul(r)
	}
	for range halvings { // (1+m)^2 - 1
		m = m.scale(1).add(m.square())
	}
	return m, int(n)
}

// exp is e^a as a number times 2^k.
func (a dd) exp() (dd, int) {
	m, k := expParts(a)
	return m.plus(1), k
}

// expm1 is e^a - 1 for a that is below 700.
func (a dd) expm1() dd {
	m, k := expParts(a)
	if k == 0 {
		return m
	}
	return m.plus(1).scale(k).plus(-1)
}

// log1p is the logarithm of 1+t.
func (t dd) log1p() dd {
	if math.Abs(t.hi) > 1.0/16 {
		return t.plus(1).log()
	}
	s := t.div(t.plus(2)) // the logarithm is 2·artanh(s)
	sq := s.square()
	sum := from(0)
	for n := 29; n > 1; n -= 2 {
		sum = sum.add(inverse[n]).mul(sq)
	}
	return s.add(s.mul(sum)).scale(1)
}

// log is the logarithm of a positive number.
func (a dd) log() dd {
	_, e := math.Frexp(a.hi)
	a = a.scale(-e)
	if a.hi < math.Sqrt2/2 {
		a, e = a.scale(1), e-1
	}
	return ln2.times(float64(e)).add(a.logNear())
}

// logNear is log for numbers between the root of a half and that of two.
func (a dd) logNear() dd {
	if t := a.plus(-1); math.Abs(t.hi) <= 1.0/16 {
		return t.log1p()
	}
	y := math.Log(a.hi)
	e, k := from(-y).exp()
	return from(y).add(a.mul(e.scale(k)).plus(-1).log1p())
}

// Exp is e^x.
func Exp(x float64) float64 { return exponential(x, func() dd { return from(x) }) }

// Exp2 is 2^x.
func Exp2(x float64) float64 {
	if math.Abs(x) < 1100 {
		n := math.Round(x)
		m, k := ln2.times(x - n).exp()
		return m.round(k + int(n))
	}
	return exponential(x, nil)
}

// Exp10 is 10^x.
func Exp10(x float64) float64 { return exponential(x, func() dd { return ln10.times(x) }) }

// exponential is e to a power that grows as x does; beyond 1100 that is not looked at.
func exponential(x float64, power func() dd) float64 {
	switch {
	case x != x:
		return x
	case x > 1100:
		return math.Inf(1)
	case x < -1100:
		return 0
	}
	m, k := power().exp()
	return m.round(k)
}

// Expm1 is e^x - 1.
func Expm1(x float64) float64 {
	switch {
	case x == 0 || x != x:
		return x
	case x > 700:
		return Exp(x)
	case x < -100:
		return -1
	case math.Abs(x) < 0x1p-60:
		return x
	}
	return from(x).expm1().round(0)
}

// logarithm is a logarithm of a number that may be none; f is asked for those that are positive and finite.
func logarithm(x float64, f func() dd) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case x != x || math.IsInf(x, 1):
		return x
	}
	return f().round(0)
}

// Log, Log2 and Log10 are logarithms; Log1p is that of 1+x.
func Log(x float64) float64 { return logarithm(x, func() dd { return from(x).log() }) }

// Log2 has base 2.
func Log2(x float64) float64 {
	return logarithm(x, func() dd {
		m, e := math.Frexp(x)
		if m < math.Sqrt2/2 {
			m, e = 2*m, e-1
		}
		return from(m).logNear().div(ln2).plus(float64(e))
	})
}

// Log10 has base 10.
func Log10(x float64) float64 { return logarithm(x, func() dd { return from(x).log().div(ln10) }) }

// Log1p is the logarithm of 1+x.
func Log1p(x float64) float64 {
	if math.Abs(x) < 0x1p-60 {
		return x
	}
	return logarithm(1+x, func() dd {
		if x > 1 {
			return twoSum(1, x).log()
		}
		return from(x).log1p()
	})
}

// Pow is x^y.
func Pow(x, y float64) float64 {
	if x == 0 || y == 0 || x == 1 || x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0) ||
		x < 0 && y != math.Trunc(y) {
		return math.Pow(x, y) // one of C's special cases
	}
	sign := 1.0
	if x < 0 {
		if x = -x; math.Mod(y, 2) != 0 {
			sign = -1
		}
	}
	m, e := math.Frexp(x)
	for range 5 { // x^y that lies on a double, or midway between two, is that of a square
		r := math.Sqrt(m)
		if e&1 != 0 || y == math.Trunc(y) || twoProduct(r, r) != (dd{m, 0}) {
			break
		}
		m, e, y = r, e/2, y*2
	}
	if n := math.Abs(y); n == math.Trunc(n) && n <= 64 {
		return sign * power(m, e, int(y))
	}
	x = math.Ldexp(m, e)
	l := from(x).log()
	if p := l.hi * y; math.Abs(p) > 1100 {
		return sign * exponential(2*p, nil)
	}
	v, k := l.times(y).exp()
	return sign * v.round(k)
}

// power is m·2^e to the n by multiplications, which are exact where the result has few bits.
func power(m float64, e, n int) float64 {
	out, base := from(1), from(m)
	scale, k := 0, e
	for i := max(n, -n); i > 0; i >>= 1 {
		if i&1 != 0 {
			out, scale = out.mul(base), scale+k
		}
		base, k = base.square(), 2*k
	}
	if n < 0 {
		out, scale = from(1).div(out), -scale
	}
	return out.round(scale)
}

// Powi is x to a whole number.
func Powi(x float64, n int) float64 { return Pow(x, float64(n)) }

// Cbrt is the cubic root.
func Cbrt(x float64) float64 {
	if x == 0 || x != x || math.IsInf(x, 0) {
		return x
	}
	return from(x).cbrt().round(0)
}

// Rcbrt is 1 by the cubic root.
func Rcbrt(x float64) float64 {
	if x == 0 || x != x || math.IsInf(x, 0) {
		return 1 / x
	}
	return from(1).div(from(x).cbrt()).round(0)
}

func (a dd) cbrt() dd {
	m, e := math.Frexp(a.hi)
	third := int(math.Floor(float64(e) / 3))
	x := from(math.Ldexp(m, e-3*third))
	y := from(math.Cbrt(x.hi))
	return y.sub(y.square().mul(y).sub(x).div(y.square().times(3))).scale(third)
}

// Rsqrt is 1 by the square root.
func Rsqrt(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 1 / math.Sqrt(x)
	}
	m, e := math.Frexp(x)
	if e&1 != 0 {
		m, e = m*2, e-1
	}
	return from(1).div(from(m).sqrt()).round(-e / 2)
}

// Rootn is the root of a whole degree; an even root of 0 is positive (IEEE 754-2019, 9.2.1).
func Rootn(x float64, n int) float64 {
	odd := n%2 != 0
	switch {
	case n == 0 || x != x || x < 0 && !odd:
		return math.NaN()
	case x == 0 || math.IsInf(x, 0):
		if !odd {
			x = math.Abs(x)
		}
		if n < 0 {
			return 1 / x
		}
		return x
	}
	v, k := from(math.Abs(x)).log().div(from(float64(n))).exp()
	return math.Copysign(v.round(k), x)
}
