package libm

import "math"

// A dd is the sum of two doubles of which the second is at most half a unit in the last place of the
// first: about 106 bits (T. J. Dekker, "A Floating-Point Technique for Extending the Available
// Precision", 1971).
type dd struct{ hi, lo float64 }

func from(x float64) dd { return dd{x, 0} }

// twoSum and twoProduct are exact.
func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

func quickSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

func twoProduct(a, b float64) dd {
	p := a * b
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) add(b dd) dd {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = quickSum(s.hi, s.lo+t.hi)
	return quickSum(s.hi, s.lo+t.lo)
}

func (a dd) sub(b dd) dd        { return a.add(b.neg()) }
func (a dd) neg() dd            { return dd{-a.hi, -a.lo} }
func (a dd) plus(b float64) dd  { return a.add(from(b)) }
func (a dd) scale(k int) dd     { return dd{math.Ldexp(a.hi, k), math.Ldexp(a.lo, k)} }
func (a dd) times(b float64) dd { return a.mul(from(b)) }
func (a dd) square() dd         { return a.mul(a) }

func (a dd) abs() dd {
	if a.hi < 0 {
		return a.neg()
	}
	return a
}

func (a dd) mul(b dd) dd {
	p := twoProduct(a.hi, b.hi)
	return quickSum(p.hi, p.lo+(a.hi*b.lo+a.lo*b.hi))
}

func (a dd) div(b dd) dd {
	q1 := a.hi / b.hi
	r := a.sub(b.times(q1))
	q2 := r.hi / b.hi
	r = r.sub(b.times(q2))
	q3 := r.hi / b.hi
	return quickSum(q1, q2).plus(q3)
}

func (a dd) sqrt() dd {
	if a.hi == 0 {
		return a
	}
	s := math.Sqrt(a.hi)
	r := a.sub(twoProduct(s, s))
	out := quickSum(s, r.hi/(2*s))
	r = a.sub(out.square())
	return out.plus(r.hi / (2 * s))
}

// round is a times 2 to the k as a double, rounded once, also where it is subnormal.
func (a dd) round(k int) float64 {
	a = quickSum(a.hi, a.lo)
	if k == 0 && math.Abs(a.hi) >= 0x1p-1022 {
		return a.hi
	}
	v := math.Ldexp(a.hi, k)
	if math.Abs(v) > 0x1p-1022 || a.hi == 0 || a.lo == 0 || math.IsInf(v, 0) {
		return v
	}
	unit := math.Ldexp(1, -1074-k) // the distance of subnormal numbers
	switch rest := a.hi - math.Ldexp(v, -k) + a.lo; {
	case rest > unit/2:
		v += 0x1p-1074
	case rest < -unit/2:
		v -= 0x1p-1074
	}
	return v
}

// Constants.
var (
	ln2     = dd{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	pi      = dd{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}
	halfPi  = pi.scale(-1)
	ln10    = dd{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}
	sqrtPi  = pi.sqrt()
	sqrtTwo = from(2).sqrt()
)

// inverse has 1/n, and factorial 1/n!.
var inverse, factorial [64]dd

func init() {
	factorial[0] = from(1)
	for n := 1; n < len(inverse); n++ {
		inverse[n] = from(1).div(from(float64(n)))
		factorial[n] = factorial[n-1].mul(inverse[n])
	}
}
