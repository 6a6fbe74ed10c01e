package libm

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// twoByPi has the bits of 2/π behind the point, 64 in each word, as many as the largest double needs.
var twoByPi = sync.OnceValue(func() []uint64 {
	const words = 22
	precision := uint(64*words + 64)
	one := new(big.Int).Lsh(big.NewInt(1), precision)
	// π = 16·arctan(1/5) - 4·arctan(1/239)
	arctan := func(n int64) *big.Int {
		sum, term := new(big.Int), new(big.Int).Div(one, big.NewInt(n))
		for k := int64(1); term.Sign() != 0; k += 2 {
			part := new(big.Int).Div(term, big.NewInt(k))
			if k%4 == 1 {
				sum.Add(sum, part)
			} else {
				sum.Sub(sum, part)
			}
			term.Div(term, big.NewInt(n*n))
		}
		return sum
	}
	pi := new(big.Int).Mul(arctan(5), big.NewInt(16))
	pi.Sub(pi, new(big.Int).Mul(arctan(239), big.NewInt(4)))
	q := new(big.Int).Lsh(one, 64*words+1)
	q.Div(q, pi) // 2/π · 2^(64·words)
	out := make([]uint64, words)
	for i := words - 1; i >= 0; i-- {
		out[i] = new(big.Int).And(q, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		q.Rsh(q, 64)
	}
	return out
})

// reduce takes quarters of a turn from x: x is (n + r)·π/2 with r between -1/2 and 1/2 and n modulo 4.
// What is taken is exact: a double times as many bits of 2/π as count (M. H. Payne, R. N. Hanek, "Radian
// Reduction for Trigonometric Functions", 1983).
func reduce(x float64) (r dd, n int) {
	neg := x < 0
	m, e := math.Frexp(math.Abs(x))
	whole := uint64(math.Ldexp(m, 53)) // x is whole · 2^(e-53)
	table := twoByPi()
	// Bits of 2/π before first only make multiples of 4.
	first := max(e-53-2, 0)
	var window [4]uint64 // 256 bits from there on
	for i := range window {
		at := first/64 + i
		window[i] = table[at]<<(first%64) | table[at+1]>>(63-first%64)>>1
	}
	// The product has 320 bits; the point lies behind the highest 64-first+(e-53) of them.
	var product [5]uint64
	carry := uint64(0)
	for i := 3; i >= 0; i-- {
		hi, lo := bits.Mul64(window[i], whole)
		var c uint64
		product[i+1], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	product[0] = carry
	point := 64 - first + (e - 53)
	n, frac := splitAt(product, point)
	up := frac[0]>>63 != 0 // more than half: from above
	if up {
		n++
		negate(&frac)
	}
	r = fraction(frac)
	if up {
		r = r.neg()
	}
	if neg {
		return r.neg(), -n & 3
	}
	return r, n & 3
}

// splitAt gives the last two bits before a point in a number, and what is behind it.
func splitAt(v [5]uint64, point int) (n int, frac [4]uint64) {
	bit := func(i int) uint64 { // 64 bits from i on
		var out uint64
		if w := i >> 6; w >= 0 && w < len(v) {
			out = v[w] << (i & 63)
		}
		if w := i>>6 + 1; w >= 0 && w < len(v) {
			out |= v[w] >> (63 - i&63) >> 1
		}
		return out
	}
	for i := range frac {
		frac[i] = bit(point + 64*i)
	}
	return int(bit(point-2) >> 62), frac
}

// negate is 1 less a fraction.
func negate(f *[4]uint64) {
	carry := uint64(1)
	for i := 3; i >= 0; i-- {
		f[i], carry = bits.Add64(^f[i], 0, carry)
	}
}

// fraction is a number of bits behind a point.
func fraction(f [4]uint64) dd {
	zeros := 0
	for zeros < 192 && f[zeros/64]<<(zeros%64) == 0 {
		zeros += 64
	}
	zeros += bits.LeadingZeros64(f[min(zeros/64, 3)])
	at := func(i int) float64 { // 53 bits from i on
		w, s := i/64, i%64
		if w > 3 {
			return 0
		}
		v := f[w] << s
		if w < 3 {
			v |= f[w+1] >> (63 - s) >> 1
		}
		return math.Ldexp(float64(v>>11), -i-53)
	}
	return quickSum(at(zeros), at(zeros+53))
}

// sinCosNear are the sine and cosine of a number between -π/4 and π/4.
func sinCosNear(a dd) (sin, cos dd) {
	sq := a.square().neg()
	sin, cos = from(0), from(0)
	for n := 28; n > 0; n -= 2 {
		cos = cos.add(factorial[n]).mul(sq)
		sin = sin.add(factorial[n+1]).mul(sq)
	}
	return a.add(a.mul(sin)), cos.plus(1)
}

// turned are the sine and cosine of an angle with n quarters of a turn added.
func turned(sin, cos dd, n int) (dd, dd) {
	switch n & 3 {
	case 1:
		return cos, sin.neg()
	case 2:
		return sin.neg(), cos.neg()
	case 3:
		return cos.neg(), sin
	}
	return sin, cos
}

// sinCos are those of any finite number.
func sinCos(x float64) (sin, cos dd) {
	if math.Abs(x) <= math.Pi/4 {
		return sinCosNear(from(x))
	}
	r, n := reduce(x)
	sin, cos = sinCosNear(r.mul(halfPi))
	return turned(sin, cos, n)
}

func tinyOrOdd(x float64) (y float64, ok bool) {
	switch {
	case x != x || math.IsInf(x, 0):
		return math.NaN(), true
	case math.Abs(x) < 0x1p-30 && math.Abs(x) < 0x1p-1000: // what is missing is nothing near the last bit
		return x, true
	}
	return 0, false
}

// Sin is the sine.
func Sin(x float64) float64 {
	if y, ok := tinyOrOdd(x); ok {
		return y
	}
	s, _ := sinCos(x)
	return s.round(0)
}

// Cos is the cosine.
func Cos(x float64) float64 {
	if x != x || math.IsInf(x, 0) {
		return math.NaN()
	}
	_, c := sinCos(x)
	return c.round(0)
}

// Tan is the tangent.
func Tan(x float64) float64 {
	if y, ok := tinyOrOdd(x); ok {
		return y
	}
	s, c := sinCos(x)
	return s.div(c).round(0)
}

// sinCosPi are the sine and cosine of πx.
func sinCosPi(x float64) (sin, cos dd) {
	x = math.Mod(x, 2)
	n := math.Round(2 * x)
	sin, cos = sinCosNear(pi.times(x - n/2))
	return turned(sin, cos, int(n))
}

// Sinpi is the sine of πx. It has the sign of x where it is zero.
func Sinpi(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 0):
		return math.NaN()
	case x == math.Trunc(x):
		return math.Copysign(0, x)
	case math.Abs(x) < 0x1p-100:
		m, e := math.Frexp(x)
		return pi.times(m).round(e)
	}
	s, _ := sinCosPi(x)
	return s.round(0)
}

// Cospi is the cosine of πx.
func Cospi(x float64) float64 {
	if x != x || math.IsInf(x, 0) {
		return math.NaN()
	}
	if r := math.Abs(math.Mod(x, 2)); r == 0.5 || r == 1.5 {
		return 0
	}
	_, c := sinCosPi(x)
	return c.round(0)
}

// atan2 is the angle of a point, which is not the origin.
func atan2(y, x dd) dd {
	a := math.Atan2(y.hi, x.hi)
	s, c := sinCos(a)
	t := y.mul(c).sub(x.mul(s)).div(x.mul(c).add(y.mul(s))) // the tangent of what is missing
	return from(a).add(t.sub(t.square().mul(t).mul(inverse[3])))
}

// Atan2 is the angle of the point (x, y).
func Atan2(y, x float64) float64 {
	if x == 0 && y == 0 || x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Atan2(y, x)
	}
	my, ey := math.Frexp(y)
	mx, ex := math.Frexp(x)
	switch d := ey - ex; {
	case y == 0 || x == 0 || d > 120 || d < -120 && x < 0: // an axis, or as near as makes no difference
		return angleAtAxis(y, x, d)
	case d < -120:
		return from(my).div(from(mx)).round(d)
	default:
		return atan2(from(math.Ldexp(my, d)), from(mx)).round(0)
	}
}

// angleAtAxis is Atan2 on the axes and beside them, where d is how much larger the exponent of y is.
func angleAtAxis(y, x float64, d int) float64 {
	if x == 0 || y != 0 && d > 0 {
		return math.Copysign(math.Pi/2, y)
	}
	if x > 0 {
		return math.Copysign(0, y)
	}
	return math.Copysign(math.Pi, y)
}

// Atan is the arc tangent.
func Atan(x float64) float64 {
	switch {
	case x != x || math.Abs(x) < 0x1p-60:
		return x
	case math.Abs(x) > 0x1p120:
		return math.Copysign(math.Pi/2, x)
	}
	return atan2(from(x), from(1)).round(0)
}

// beside is the square root of 1-x².
func beside(x float64) dd { return twoSum(1, x).mul(twoSum(1, -x)).sqrt() }

// Asin is the arc sine.
func Asin(x float64) float64 {
	switch {
	case !(math.Abs(x) <= 1):
		return math.NaN()
	case math.Abs(x) < 0x1p-60:
		return x
	}
	return atan2(from(x), beside(x)).round(0)
}

// Acos is the arc cosine.
func Acos(x float64) float64 {
	switch {
	case !(math.Abs(x) <= 1):
		return math.NaN()
	case x == 1:
		return 0
	}
	return atan2(beside(x), from(x)).round(0)
}
