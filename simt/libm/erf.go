package libm

import "math"

// erfSeries is erf(a) by the series of positive terms, for a up to 3 or so (NIST Digital Library of
// Mathematical Functions, 7.6.2).
func erfSeries(a dd) dd {
	sq := a.square()
	term, sum := a, a
	for n := 1; n < 200 && math.Abs(term.hi) > math.Abs(sum.hi)*0x1p-110; n++ {
		term = term.mul(sq).scale(1).div(from(float64(2*n + 1)))
		sum = sum.add(term)
	}
	m, k := sq.neg().exp()
	return sum.mul(m.scale(k)).scale(1).div(sqrtPi)
}

// erfcScaled is exp(a²)·erfc(a) for a from 3 on, by its continued fraction (ibid., 7.9.2).
func erfcScaled(a dd) dd {
	n := int(800/(a.hi*a.hi)) + 12
	t := from(0)
	for ; n > 0; n-- {
		t = from(float64(n) / 2).div(a.add(t))
	}
	return from(1).div(a.add(t).mul(sqrtPi))
}

// between is where series and continued fraction part.
const between = 3

// erfc is erfc(a) as a number times 2^k.
func erfc(a dd) (dd, int) {
	if a.hi < between {
		if a.hi > -between {
			return from(1).sub(erfSeries(a)), 0
		}
		m, k := erfc(a.neg())
		return from(2).sub(m.scale(k)), 0
	}
	m, k := a.square().neg().exp()
	return m.mul(erfcScaled(a)), k
}

// Erf is the error function.
func Erf(x float64) float64 {
	switch a := math.Abs(x); {
	case x == 0 || x != x:
		return x
	case a < 0x1p-100:
		m, e := math.Frexp(x)
		return from(2 * m).div(sqrtPi).round(e)
	case a > 6:
		return math.Copysign(1, x)
	case a < between:
		return erfSeries(from(x)).round(0)
	default:
		m, k := erfc(from(a))
		return math.Copysign(from(1).sub(m.scale(k)).round(0), x)
	}
}

// Erfc is 1 less the error function.
func Erfc(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < -6:
		return 2
	case x > 28:
		return 0
	}
	m, k := erfc(from(x))
	return m.round(k)
}

// Erfcx is exp(x²)·Erfc(x).
func Erfcx(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < -27:
		return math.Inf(1)
	case math.IsInf(x, 1):
		return 0
	case x > 0x1p60: // the fraction ends at once
		m, e := math.Frexp(x)
		return from(1).div(sqrtPi.times(m)).round(-e)
	case x >= between:
		return erfcScaled(from(x)).round(0)
	}
	m, k := erfc(from(x))
	e, j := twoProduct(x, x).exp()
	return m.mul(e).round(j + k)
}

// Normcdf is the normal distribution: Erfc(-x/√2)/2.
func Normcdf(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < -40:
		return 0
	case x > 10:
		return 1
	}
	m, k := erfc(from(-x).div(sqrtTwo))
	return m.round(k - 1)
}

// erfcInverse is the number whose erfc is m·2^k, which is at most 1.
func erfcInverse(z float64) dd {
	x := from(erfcInverseNear(z))
	mz, kz := math.Frexp(z)
	m, k := erfc(x)
	e, j := x.square().neg().exp()
	step := m.scale(k - kz).sub(from(mz)).div(e.scale(j - kz + 1).div(sqrtPi))
	return x.add(step.div(from(1).sub(x.mul(step)))) // Halley's method: erfc″ is -2x·erfc′
}

// erfcInverseNear is the same in double precision: Newton's method on the logarithm, from where the
// exponential alone would lead.
func erfcInverseNear(z float64) float64 {
	if z > 0.5 {
		return math.Erfinv(1 - z)
	}
	want := math.Log(z)
	x := math.Sqrt(-want) * 0.95
	for range 20 {
		scaled := Erfcx(x)
		step := (math.Log(scaled) - x*x - want) * scaled * math.Sqrt(math.Pi) / 2
		if x += step; math.Abs(step) < 1e-8*x {
			break
		}
	}
	return x
}

// Erfcinv is the inverse of Erfc.
func Erfcinv(z float64) float64 {
	switch {
	case !(z >= 0 && z <= 2):
		return math.NaN()
	case z == 0 || z == 2:
		return math.Inf(int(1 - z))
	case z == 1:
		return 0
	case z > 1:
		return -erfcInverse(2 - z).round(0)
	}
	return erfcInverse(z).round(0)
}

// Erfinv is the inverse of Erf.
func Erfinv(y float64) float64 {
	a := math.Abs(y)
	switch {
	case !(a <= 1):
		return math.NaN()
	case a == 1:
		return math.Inf(int(y))
	case y == 0:
		return y
	case a > 0.5:
		return math.Copysign(erfcInverse(1-a).round(0), y)
	case a < 0x1p-60:
		m, e := math.Frexp(y)
		return sqrtPi.times(m).round(e - 1)
	}
	x := from(math.Erfinv(a))
	e, k := x.square().neg().exp()
	step := from(a).sub(erfSeries(x)).div(e.scale(k + 1).div(sqrtPi))
	return math.Copysign(x.add(step.div(from(1).sub(x.mul(step)))).round(0), y)
}

// Normcdfinv is the inverse of Normcdf.
func Normcdfinv(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0 || p == 1:
		return math.Inf(int(2*p - 1))
	case p == 0.5:
		return 0
	case p > 0.5:
		return erfcInverse(2 * (1 - p)).mul(sqrtTwo).round(0)
	}
	return -erfcInverse(2 * p).mul(sqrtTwo).round(0)
}
