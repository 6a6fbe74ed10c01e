package numeric

import (
	"math"
	"math/big"
)

// odd rounds to odd: given a sum's nearest double and the sign of what is missing, the double whose
// last bit says that something is missing. Rounding it to a shorter format then is rounding the exact
// value.
func odd(s float64, missing float64) float64 {
	if missing == 0 || math.IsNaN(missing) || math.IsInf(s, 0) || math.IsNaN(s) {
		return s
	}
	b := math.Float64bits(s)
	if b&1 != 0 {
		return s
	}
	if (missing > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// AddOdd, DivOdd and SqrtOdd are for doubles that came from shorter formats: they round to odd.
func AddOdd(a, b float64) float64 {
	s := a + b
	t := s - a
	return odd(s, (a-(s-t))+(b-t))
}

func DivOdd(a, b float64) float64 {
	q := a / b
	if math.IsInf(q, 0) || math.IsNaN(q) || math.IsInf(b, 0) {
		return q
	}
	r := math.FMA(-q, b, a)
	if b < 0 {
		r = -r
	}
	return odd(q, r)
}

func SqrtOdd(a float64) float64 {
	s := math.Sqrt(a)
	return odd(s, math.FMA(-s, s, a))
}

// exact64 corrects a double that is an operation's result to nearest for another rounding; compare
// gives the sign of the exact result minus s.
func exact64(s float64, mode Rounding, compare func(s *big.Float) int) float64 {
	if mode == Nearest || math.IsNaN(s) {
		return s
	}
	if math.IsInf(s, 0) {
		if mode == ToZero || mode == Down && s > 0 || mode == Up && s < 0 {
			return math.Copysign(math.MaxFloat64, s)
		}
		return s
	}
	switch missing := compare(big.NewFloat(s)); {
	case missing > 0 && (mode == Up || mode == ToZero && s < 0):
		return math.Nextafter(s, math.Inf(1))
	case missing < 0 && (mode == Down || mode == ToZero && s > 0):
		return math.Nextafter(s, math.Inf(-1))
	}
	return s
}

// ExactPrecision holds any sum or product of doubles.
const ExactPrecision = 4400

// Exactly is a double as a number that sums and products of doubles fit into.
func Exactly(v float64) *big.Float { return new(big.Float).SetPrec(ExactPrecision).SetFloat64(v) }

// Finite reports whether all are numbers, and none is infinite.
func Finite(v ...float64) bool {
	for _, x := range v {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return false
		}
	}
	return true
}

// FMA64 is a*b+c in any rounding.
func FMA64(a, b, c float64, mode Rounding) float64 {
	s := math.FMA(a, b, c)
	if mode == Nearest || !Finite(a, b, c) {
		return s
	}
	p := Exactly(a)
	p.Mul(p, Exactly(b))
	p.Add(p, Exactly(c))
	if p.Sign() == 0 {
		if mode == Down && math.Signbit(a*b) != math.Signbit(c) {
			return math.Copysign(0, -1)
		}
		return s
	}
	return exact64(s, mode, func(s *big.Float) int { return p.Cmp(s) })
}

// Add64, Mul64, Div64 and Sqrt64 are the arithmetic of doubles in any rounding.
func Add64(a, b float64, mode Rounding) float64 {
	if mode == Nearest {
		return a + b
	}
	return FMA64(a, 1, b, mode)
}

func Mul64(a, b float64, mode Rounding) float64 {
	if mode == Nearest || !Finite(a, b) || a == 0 || b == 0 {
		return a * b
	}
	p := Exactly(a)
	p.Mul(p, Exactly(b))
	return exact64(a*b, mode, func(s *big.Float) int { return p.Cmp(s) })
}

func Div64(a, b float64, mode Rounding) float64 {
	if mode == Nearest || !Finite(a, b) || b == 0 || a == 0 {
		return a / b
	}
	x, y := Exactly(a), Exactly(b)
	return exact64(a/b, mode, func(s *big.Float) int {
		p := new(big.Float).SetPrec(ExactPrecision).Mul(s, y)
		return x.Cmp(p) * y.Sign()
	})
}

func Sqrt64(a float64, mode Rounding) float64 {
	if mode == Nearest || !Finite(a) || a <= 0 {
		return math.Sqrt(a)
	}
	x := Exactly(a)
	return exact64(math.Sqrt(a), mode, func(s *big.Float) int {
		return x.Cmp(new(big.Float).SetPrec(ExactPrecision).Mul(s, s))
	})
}

// Sum is AddOdd; a sum that is exactly zero is negative when rounding down.
func Sum(x, y float64, mode Rounding) float64 {
	s := AddOdd(x, y)
	if s == 0 && mode == Down && math.Signbit(x) != math.Signbit(y) {
		return math.Copysign(0, -1)
	}
	return s
}
