package reference

import "math"

// Half is an IEEE 754 binary16 by its bits.
type Half uint16

// HalfOf rounds to the nearest half, ties to even.
func HalfOf(v float64) Half {
	var sign Half
	if math.Signbit(v) {
		sign = 0x8000
	}
	a := math.Abs(v)
	switch {
	case v != v:
		return 0x7e00
	case a >= 65520: // halfway from the largest half to the next power of two
		return sign | 0x7c00
	case a == 0:
		return sign
	}
	_, exponent := math.Frexp(a)
	e := max(exponent-1, -14)
	// In units of the last place: 1024 and up for normal numbers, so that the
	// leading 1 adds one to the exponent field; below for subnormal ones.
	significand := math.RoundToEven(math.Ldexp(a, 10-e))
	return sign | Half(e+14)<<10 + Half(significand)
}

// Float is exact.
func (h Half) Float() float64 {
	sign, e, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch {
	case e == 31 && fraction != 0:
		return math.NaN()
	case e == 31:
		return math.Inf(int(sign))
	case e == 0:
		return sign * math.Ldexp(fraction, -24)
	}
	return sign * math.Ldexp(1024+fraction, e-25)
}

// FMA32 is a*b+c rounded once to float32.
func FMA32(a, b, c float32) float32 {
	return float32(productPlus(float64(a), float64(b), float64(c)))
}

// FMA16 is a*b+c rounded once to a half.
func FMA16(a, b, c Half) Half { return HalfOf(productPlus(a.Float(), b.Float(), c.Float())) }

// productPlus returns a*b+c rounded to odd, for a and b whose product is exact
// in a float64: the last bit tells of what was cut off, so that rounding the
// result once more, to at most half the precision, is as good as rounding the
// exact value (Boldo and Melquiond, "Emulation of FMA and correctly rounded
// sums", IEEE Transactions on Computers 57, 2008).
func productPlus(a, b, c float64) float64 {
	p := a * b
	sum := p + c
	if math.IsInf(sum, 0) || sum != sum {
		return sum
	}
	// Knuth's two-sum: sum + lost is p + c exactly.
	back := sum - p
	lost := (p - (sum - back)) + (c - back)
	if lost == 0 || math.Float64bits(sum)&1 != 0 {
		return sum
	}
	toward := math.Inf(1)
	if lost < 0 {
		toward = math.Inf(-1)
	}
	return math.Nextafter(sum, toward)
}

// Half arithmetic rounds a float64 result, which has more than twice the bits
// and two, so that the two roundings are one.
func (h Half) add(o Half) Half { return HalfOf(h.Float() + o.Float()) }
func (h Half) sub(o Half) Half { return HalfOf(h.Float() - o.Float()) }
func (h Half) mul(o Half) Half { return HalfOf(h.Float() * o.Float()) }
