package libm

import (
	"math"
	"math/big"
	"sync"
)

var (
	euler    = dd{0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58}
	halfLog  = sync.OnceValue(func() dd { return pi.scale(1).log().scale(-1) }) // ½·log(2π)
	stirling = sync.OnceValue(stirlingTerms)
	zetas    = sync.OnceValue(zetaTerms)
)

// bernoulli has the Bernoulli numbers with even indices, from the second on.
func bernoulli(count int) []*big.Rat {
	b := []*big.Rat{big.NewRat(1, 1)}
	for m := int64(1); m <= int64(2*count); m++ {
		sum := new(big.Rat)
		for k := int64(0); k < m; k++ {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(m+1, k))
			sum.Add(sum, c.Mul(c, b[k]))
		}
		b = append(b, sum.Mul(sum, big.NewRat(-1, m+1)))
	}
	var even []*big.Rat
	for i := 2; i < len(b); i += 2 {
		even = append(even, b[i])
	}
	return even
}

// nearRat is a fraction as the sum of two doubles.
func nearRat(r *big.Rat) dd {
	hi, _ := r.Float64()
	lo, _ := new(big.Rat).Sub(r, new(big.Rat).SetFloat64(hi)).Float64()
	return dd{hi, lo}
}

// stirlingTerms are B(2k) / (2k·(2k-1)), from k = 1 on.
func stirlingTerms() (terms []dd) {
	for i, b := range bernoulli(18) {
		n := int64(2 * (i + 1))
		terms = append(terms, nearRat(new(big.Rat).Mul(b, big.NewRat(1, n*(n-1)))))
	}
	return terms
}

// zetaTerms are (-1)^k·(ζ(k)-1)/k from k = 2 on, by sums and the formula of Euler and Maclaurin.
func zetaTerms() (terms []dd) {
	const direct = 24
	bs := bernoulli(14)
	for k := 2; k < 64; k++ {
		sum := from(0)
		for n := direct - 1; n > 1; n-- {
			sum = sum.add(intPower(n, -k))
		}
		last := intPower(direct, -k)
		sum = sum.add(last.scale(-1)).add(last.times(direct).div(from(float64(k - 1))))
		rising := from(float64(k)) // k(k+1)…(k+2i)/(2i+2)!, as i grows
		part := last.div(from(direct))
		for i, b := range bs {
			n := float64(2 * (i + 1))
			sum = sum.add(nearRat(b).mul(rising).mul(part).mul(factorial[2*(i+1)]))
			rising = rising.times(float64(k) + n - 1).times(float64(k) + n)
			part = part.div(from(direct * direct))
		}
		sum = sum.div(from(float64(k)))
		if k%2 != 0 {
			sum = sum.neg()
		}
		terms = append(terms, sum)
	}
	return terms
}

// intPower is n to the -k, for k above 0.
func intPower(n, k int) dd {
	p := from(1)
	for range -k {
		p = p.div(from(float64(n)))
	}
	return p
}

// far is from where Stirling's series is exact enough.
const far = 32

// logGammaFar is the logarithm of Γ(a) for a from far on (NIST Digital Library of Mathematical
// Functions, 5.11.1).
func logGammaFar(a dd) dd {
	sum, sq := from(0), a.square()
	terms := stirling()
	for i := len(terms) - 1; i >= 0; i-- {
		sum = sum.div(sq).add(terms[i])
	}
	return a.plus(-0.5).mul(a.log()).sub(a).add(halfLog()).add(sum.div(a))
}

// rise moves a number up to far: Γ(x) is Γ(a)/product.
func rise(x float64) (a, product dd) {
	a, product = from(x), from(1)
	for a.hi < far {
		product = product.mul(a)
		a = a.plus(1)
	}
	return a, product
}

// logGammaNear is the logarithm of Γ(2+t) for t between -1/2 and 1/2 (ibid., 5.7.3).
func logGammaNear(t dd) dd {
	terms := zetas()
	sum := from(0)
	for i := len(terms) - 1; i >= 0; i-- {
		sum = sum.mul(t).add(terms[i])
	}
	return sum.mul(t).add(from(1).sub(euler)).mul(t)
}

// logGamma is the logarithm of Γ(x) for x above 0.
func logGamma(x float64) dd {
	switch {
	case x < 0.5:
		t := from(x) // Γ(x) = Γ(2+x) / (x·(1+x))
		return logGammaNear(t).sub(t.log1p()).sub(t.log())
	case x < 1.5:
		t := twoSum(x, -1)
		return logGammaNear(t).sub(t.log1p())
	case x < 2.5:
		return logGammaNear(twoSum(x, -2))
	}
	a, product := rise(x)
	return logGammaFar(a).sub(product.log())
}

// Lgamma is the logarithm of the absolute value of the gamma function.
func Lgamma(x float64) float64 {
	switch a := math.Abs(x); {
	case x != x:
		return x
	case a > 2.6e305:
		return math.Inf(1)
	case x <= 0 && x == math.Trunc(x):
		return math.Inf(1)
	case a < 0x1p-70:
		return from(a).log().neg().round(0)
	case x > 0:
		return logGamma(x).round(0)
	}
	s, _ := sinCosPi(x)
	return pi.div(s.times(x).abs()).log().sub(logGamma(-x)).round(0)
}

// gamma is Γ(x), for x above 0, as a number times 2^k.
func gamma(x float64) (dd, int) {
	a, product := rise(x)
	m, k := logGammaFar(a).exp()
	return m.div(product), k
}

// Gamma is the gamma function.
func Gamma(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case math.IsInf(x, -1) || x < 0 && x == math.Trunc(x):
		return math.NaN()
	case math.Abs(x) < 0x1p-70:
		return 1 / x
	case x > 180:
		return math.Inf(1)
	case x < -190:
		if math.Mod(math.Floor(x), 2) != 0 {
			return math.Copysign(0, -1)
		}
		return 0
	case x > 0:
		m, k := gamma(x)
		return m.round(k)
	}
	s, _ := sinCosPi(x)
	m, k := gamma(-x)
	return pi.div(s.times(x).mul(m)).neg().round(-k)
}
