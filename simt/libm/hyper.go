package libm

import "math"

// Sinh is the hyperbolic sine.
func Sinh(x float64) float64 {
	switch a := math.Abs(x); {
	case a < 0x1p-60 || x != x || math.IsInf(x, 0):
		return x
	case a > 40: // the other half is no part of the result
		m, k := from(min(a, 1100)).exp()
		return math.Copysign(m.round(k-1), x)
	}
	e := from(math.Abs(x)).expm1()
	return math.Copysign(e.add(e.div(e.plus(1))).scale(-1).round(0), x)
}

// Cosh is the hyperbolic cosine.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if a != a || math.IsInf(a, 0) {
		return a
	}
	m, k := from(min(a, 1100)).exp()
	if a > 40 {
		return m.round(k - 1)
	}
	m = m.scale(k)
	return m.add(from(1).div(m)).scale(-1).round(0)
}

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	switch a := math.Abs(x); {
	case a < 0x1p-60 || x != x:
		return x
	case a > 40:
		return math.Copysign(1, x)
	}
	e := from(2 * x).expm1()
	return e.div(e.plus(2)).round(0)
}

// Asinh is the inverse of Sinh.
func Asinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-60 || x != x || math.IsInf(x, 0):
		return x
	case a > 0x1p60:
		return math.Copysign(from(a).log().add(ln2).round(0), x)
	}
	// log(a + √(a²+1)) is log1p of a + a²/(1 + √(a²+1)).
	sq := twoProduct(a, a)
	t := sq.div(sq.plus(1).sqrt().plus(1)).plus(a)
	return math.Copysign(t.log1p().round(0), x)
}

// Acosh is the inverse of Cosh.
func Acosh(x float64) float64 {
	switch {
	case !(x >= 1):
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	case x > 0x1p60:
		return from(x).log().add(ln2).round(0)
	}
	t := twoSum(x, -1).mul(twoSum(x, 1)).sqrt().add(twoSum(x, -1))
	return t.log1p().round(0)
}

// Atanh is the inverse of Tanh.
func Atanh(x float64) float64 {
	switch a := math.Abs(x); {
	case x != x || a > 1:
		return math.NaN()
	case a == 1:
		return math.Inf(int(x))
	case a < 0x1p-60:
		return x
	}
	return from(2 * x).div(twoSum(1, -x)).log1p().scale(-1).round(0)
}

// Hypot is the length of the vector (x, y), Norm that of any; Rhypot and Rnorm are 1 by it.
func Hypot(x, y float64) float64 { return Norm(x, y) }

// Rhypot is 1 by the length of a vector.
func Rhypot(x, y float64) float64 { return Rnorm(x, y) }

// Norm is the length of a vector.
func Norm(v ...float64) float64 {
	s, k, special := squares(v)
	if special != 0 || s.hi == 0 {
		return special
	}
	return s.sqrt().round(k)
}

// Rnorm is 1 by the length of a vector.
func Rnorm(v ...float64) float64 {
	s, k, special := squares(v)
	if special != 0 || s.hi == 0 {
		return 1 / special
	}
	return from(1).div(s.sqrt()).round(-k)
}

// squares is the sum of the squares of v times 2^-2k; special is the length where it is infinite or no
// number.
func squares(v []float64) (sum dd, k int, special float64) {
	most := 0.0
	for _, x := range v {
		switch {
		case math.IsInf(x, 0): // whatever the others are
			return sum, 0, math.Inf(1)
		case x != x:
			special = x
		default:
			most = max(most, math.Abs(x))
		}
	}
	_, k = math.Frexp(most)
	for _, x := range v {
		x = math.Ldexp(x, -k)
		sum = sum.add(twoProduct(x, x))
	}
	return sum, k, special
}
