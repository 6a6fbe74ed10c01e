package libm

import "math"

// besselFar is from where the Bessel functions are computed by their expansions for large arguments,
// with errors of e to the -2·besselFar times their amplitude.
const besselFar = 25

// bessel01 are the Bessel functions of the first kind of the orders 0 and 1, and of the second kind if
// that is wanted.
func bessel01(x float64, second bool) (j, y [2]dd) {
	if x >= besselFar {
		for n := range 2 {
			j[n], y[n] = hankel(n, x)
		}
		return j, y
	}
	half := from(x / 2)
	sq := half.square()
	j[0], j[1] = from(0), from(0)
	sum := [2]dd{}
	term := from(1) // (-x²/4)^k / (k!)²
	h := from(0)    // 1 + 1/2 + … + 1/k
	for k := 0; ; k++ {
		f := float64(k + 1)
		j[0] = j[0].add(term)
		over := term.div(from(f)) // … / (k+1)!
		j[1] = j[1].add(over)
		sum[0] = sum[0].sub(term.mul(h))
		next := h.add(from(1).div(from(f)))
		sum[1] = sum[1].add(over.mul(h.add(next)))
		if h, term = next, over.mul(sq).div(from(f)).neg(); math.Abs(term.hi) < 0x1p-140 && f > x {
			break
		}
	}
	j[1] = j[1].mul(half)
	if !second {
		return j, y
	}
	// NIST Digital Library of Mathematical Functions, 10.8.1 and 10.8.2.
	l := from(x).log().sub(ln2).add(euler)
	y[0] = l.mul(j[0]).add(sum[0]).scale(1).div(pi)
	y[1] = l.mul(j[1]).scale(1).sub(from(1).div(half)).sub(sum[1].mul(half)).div(pi)
	return j, y
}

// hankel are the Bessel functions of both kinds by their expansion for large arguments (ibid., 10.17.3,
// 10.17.4).
func hankel(order int, x float64) (j, y dd) {
	mu := float64(4 * order * order)
	p, q := from(1), from(0)
	term := from(1)
	for k := 1; k < 100 && x < 0x1p200; k++ {
		odd := float64(2*k - 1)
		next := term.times(mu - odd*odd).div(from(float64(k)).times(8 * x))
		if math.Abs(next.hi) > math.Abs(term.hi) || math.Abs(next.hi) < 0x1p-110 {
			break
		}
		term = next
		switch k % 4 {
		case 0:
			p = p.add(term)
		case 1:
			q = q.add(term)
		case 2:
			p = p.sub(term)
		case 3:
			q = q.sub(term)
		}
	}
	s, c := sinCos(x)
	// The angle is x less (2·order+1)·π/4; √2 is part of the amplitude.
	cos, sin := c.add(s), s.sub(c)
	if order == 1 {
		cos, sin = sin, cos.neg()
	}
	m, e := math.Frexp(x)
	amplitude := from(1).div(sqrtPi.mul(from(m * float64(1+e&1)).sqrt())).scale(-(e - e&1) / 2)
	return p.mul(cos).sub(q.mul(sin)).mul(amplitude), p.mul(sin).add(q.mul(cos)).mul(amplitude)
}

// J0 and J1 are the Bessel functions of the first kind, Y0 and Y1 of the second.
func J0(x float64) float64 { return Jn(0, x) }

// J1 has order 1.
func J1(x float64) float64 { return Jn(1, x) }

// Y0 has order 0.
func Y0(x float64) float64 { return Yn(0, x) }

// Y1 has order 1.
func Y1(x float64) float64 { return Yn(1, x) }

// maxOrder bounds the orders that Jn and Yn step through.
const maxOrder = 1 << 20

// Jn is the Bessel function of the first kind of order n. It is not computed for orders beyond 1<<20:
// the result is no number then.
func Jn(n int, x float64) float64 {
	sign := 1.0
	if n < 0 {
		n, sign = -n, parity(n)
	}
	if x < 0 {
		x, sign = -x, sign*parity(n)
	}
	switch {
	case x != x:
		return x
	case math.IsInf(x, 0):
		return 0
	case x == 0 && n == 0:
		return 1
	case x == 0:
		return sign * 0
	case n > maxOrder:
		return math.NaN()
	case n < 2 && x >= 0x1p-30:
		j, _ := bessel01(x, false)
		return sign * j[n].round(0)
	case x*x <= 68*float64(n+1):
		return sign * besselSeries(n, x)
	case float64(n) < x:
		j, _ := bessel01(x, false)
		return sign * recur(n, x, j)
	}
	return sign * besselDown(n, x)
}

func parity(n int) float64 {
	if n&1 != 0 {
		return -1
	}
	return 1
}

// recur is the order n of what has the orders 0 and 1.
func recur(n int, x float64, b [2]dd) float64 {
	last, now := b[0], b[1]
	if n == 0 {
		return last.round(0)
	}
	for k := 1; k < n && !math.IsInf(now.hi, 0); k++ {
		last, now = now, now.times(float64(2*k)).div(from(x)).sub(last)
		if now.hi != now.hi {
			return math.Copysign(math.Inf(1), last.hi)
		}
	}
	return now.round(0)
}

// besselSeries is by powers of x/2, where few digits are lost (ibid., 10.2.2).
func besselSeries(n int, x float64) float64 {
	m, e := math.Frexp(x)
	sq := twoProduct(x, x).scale(-2)
	term, sum := from(1), from(1)
	for k := 1; math.Abs(term.hi) > 0x1p-140; k++ {
		term = term.mul(sq).div(from(float64(k)).times(float64(n + k))).neg()
		sum = sum.add(term)
	}
	if n < 20 { // without logarithms
		for i := range n {
			sum = sum.times(m).div(from(float64(i + 1)))
		}
		return sum.round(n * (e - 1))
	}
	p, k := from(m).log().add(ln2.times(float64(e - 1))).times(float64(n)).sub(logGamma(float64(n) + 1)).exp()
	return p.mul(sum).round(k)
}

// besselDown goes from orders far above n, whose functions are as good as zero, down to 0 (J. C. P.
// Miller's method).
func besselDown(n int, x float64) float64 {
	from0 := n + 60 + int(20*math.Cbrt(float64(n)))
	above, now, wanted := from(0), from(0x1p-900), from(0)
	var one dd
	for k := from0; k > 0; k-- {
		above, now = now, now.times(float64(2*k)).div(from(x)).sub(above)
		switch k - 1 {
		case n:
			wanted = now
		case 1:
			one = now
		}
		if math.Abs(now.hi) > 0x1p900 {
			above, now, wanted = above.scale(-900), now.scale(-900), wanted.scale(-900)
		}
	}
	j, _ := bessel01(x, false)
	if math.Abs(j[0].hi) > math.Abs(j[1].hi) {
		return wanted.div(now).mul(j[0]).round(0)
	}
	return wanted.div(one).mul(j[1]).round(0)
}

// Yn is the Bessel function of the second kind of order n, with the bound of Jn.
func Yn(n int, x float64) float64 {
	sign := 1.0
	if n < 0 {
		n, sign = -n, parity(n)
	}
	switch {
	case x != x || x < 0 || n > maxOrder:
		return math.NaN()
	case x == 0:
		return math.Inf(int(-sign))
	case math.IsInf(x, 1):
		return 0
	case n == 1 && x < 0x1p-900:
		return -sign * 2 / (math.Pi * x)
	case n > 1 && x < 0x1p-900:
		return math.Inf(int(-sign))
	}
	_, y := bessel01(x, true)
	return sign * recur(n, x, y)
}

// I0 and I1 are the modified Bessel functions of the first kind.
func I0(x float64) float64 { return besselI(0, x) }

// I1 has order 1.
func I1(x float64) float64 { return besselI(1, x) }

func besselI(order int, x float64) float64 {
	a := math.Abs(x)
	sign := 1.0
	if order == 1 && math.Signbit(x) {
		sign = -1
	}
	switch {
	case x != x:
		return x
	case a > 750:
		return sign * math.Inf(1)
	case a < 0x1p-60:
		return [2]float64{1, x / 2}[order]
	case a < 40:
		sq := twoProduct(a, a).scale(-2)
		term, sum := from(1), from(1)
		for k := 1.0; term.hi > sum.hi*0x1p-110; k++ {
			term = term.mul(sq).div(from(k).times(k + float64(order)))
			sum = sum.add(term)
		}
		if order == 1 {
			sum = sum.times(a / 2)
		}
		return sign * sum.round(0)
	}
	mu := float64(4 * order * order)
	term, sum := from(1), from(1)
	for k := 1; k < 100 && math.Abs(term.hi) > 0x1p-112; k++ {
		odd := float64(2*k - 1)
		term = term.times(odd*odd - mu).div(from(float64(k)).times(8 * a))
		sum = sum.add(term)
	}
	m, k := from(a).exp()
	return sign * m.mul(sum).div(pi.scale(1).times(a).sqrt()).round(k)
}
