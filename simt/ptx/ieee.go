package ptx

import (
	"math"
	"math/big"
)

// A rounding is a rounding mode (PTX ISA, "Rounding Modifiers").
type rounding uint8

const (
	nearest  rounding = iota // to nearest, ties to even
	toZero                   // .rz
	down                     // .rm
	up                       // .rp
	nearestA                 // .rna: ties away from zero
)

var roundings = map[string]rounding{"rn": nearest, "rz": toZero, "rm": down, "rp": up, "rna": nearestA}

// Values of registers as numbers.
func f32(v uint64) float32     { return math.Float32frombits(uint32(v)) }
func f64(v uint64) float64     { return math.Float64frombits(v) }
func bits32(f float32) uint64  { return uint64(math.Float32bits(f)) }
func bits64(f float64) uint64  { return math.Float64bits(f) }
func flush32(f float32) uint64 { return flushBits(bits32(f)) & 0x7fffffff }

// canonical32 and canonical64 are the NaNs that instructions give.
const (
	canonical32 = 0x7fffffff
	canonical64 = 0x7ff8000000000000
)

// flushBits makes a subnormal single a zero of its sign.
func flushBits(v uint64) uint64 {
	if v&0x7f800000 == 0 {
		v &= 0x80000000
	}
	return v
}

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

// addOdd, divOdd and sqrtOdd are for doubles that came from shorter formats.
func addOdd(a, b float64) float64 {
	s := a + b
	t := s - a
	return odd(s, (a-(s-t))+(b-t))
}

func divOdd(a, b float64) float64 {
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

func sqrtOdd(a float64) float64 {
	s := math.Sqrt(a)
	return odd(s, math.FMA(-s, s, a))
}

// A format is a binary floating-point format: its bits of significand, the hidden one included, and its
// exponents.
type format struct {
	precision    int
	emin, emax   int    // of normal numbers
	width        int    // in bits
	nan          uint64 // the one that instructions give
	infinity     uint64
	noInfinities bool
}

var (
	single   = &format{precision: 24, emin: -126, emax: 127, width: 32, nan: canonical32, infinity: 0x7f800000}
	half     = &format{precision: 11, emin: -14, emax: 15, width: 16, nan: 0x7fff, infinity: 0x7c00}
	bfloat   = &format{precision: 8, emin: -126, emax: 127, width: 16, nan: 0x7fff, infinity: 0x7f80}
	tensor32 = &format{precision: 11, emin: -126, emax: 127, width: 19, nan: 0x3ffff, infinity: 0x3fc00}
	e4m3     = &format{precision: 4, emin: -6, emax: 8, width: 8, nan: 0x7f, infinity: 0x7f, noInfinities: true}
	e5m2     = &format{precision: 3, emin: -14, emax: 15, width: 8, nan: 0x7f, infinity: 0x7c}
)

// round gives the bits of v in a format.
func (f *format) round(v float64, mode rounding) uint64 {
	if math.IsNaN(v) {
		return f.nan
	}
	sign := math.Float64bits(v) >> 63 << (f.width - 1)
	if v == 0 {
		return sign
	}
	a := math.Abs(v)
	if math.IsInf(a, 0) {
		return sign | f.infinity
	}
	_, e := math.Frexp(a) // a in [2^(e-1), 2^e)
	ulp := max(e-1, f.emin) - (f.precision - 1)
	scaled := math.Ldexp(a, -ulp) // below 2^precision, exact
	whole := math.Floor(scaled)
	rest := scaled - whole
	if roundsUp(mode, sign != 0, whole, rest) {
		whole++
	}
	n := uint64(whole)
	if n == 0 {
		return sign
	}
	// n ulps: the exponent field counts from that of subnormals.
	field := uint64(ulp + f.precision - 1 - f.emin) // 0: normal numbers of the least exponent, and subnormals
	out := n + field<<(f.precision-1)
	if out >= f.limit() {
		return sign | f.overflow(mode, sign != 0)
	}
	return sign | out
}

// limit is the bits behind the largest finite number.
func (f *format) limit() uint64 {
	if f.noInfinities {
		return f.nan
	}
	return f.infinity
}

// overflow is what a number too large becomes.
func (f *format) overflow(mode rounding, negative bool) uint64 {
	if mode == toZero || mode == down && !negative || mode == up && negative {
		return f.limit() - 1
	}
	return f.infinity
}

func roundsUp(mode rounding, negative bool, whole, rest float64) bool {
	switch mode {
	case nearest:
		return rest > 0.5 || rest == 0.5 && math.Mod(whole, 2) != 0
	case nearestA:
		return rest >= 0.5
	case down:
		return negative && rest > 0
	case up:
		return !negative && rest > 0
	}
	return false
}

// value is what bits in a format stand for.
func (f *format) value(v uint64) float64 {
	sign := v >> (f.width - 1) & 1
	v &= widthMask(f.width - 1)
	var out float64
	switch field := int(v >> (f.precision - 1)); {
	case v > f.infinity || f.noInfinities && v == f.nan:
		out = math.NaN()
	case v == f.infinity && !f.noInfinities:
		out = math.Inf(1)
	case field == 0:
		out = math.Ldexp(float64(v), f.emin-(f.precision-1))
	default:
		m := v&widthMask(f.precision-1) | 1<<(f.precision-1)
		out = math.Ldexp(float64(m), field-1+f.emin-(f.precision-1))
	}
	if sign != 0 {
		out = -out
	}
	return out
}

// round32 rounds a double that came of odd to single precision.
func round32(v float64, mode rounding) uint64 {
	if mode == nearest {
		if v != v {
			return canonical32
		}
		return bits32(float32(v))
	}
	return single.round(v, mode)
}

// exact64 corrects a double that is an operation's result to nearest for another rounding; compare
// gives the sign of the exact result minus s.
func exact64(s float64, mode rounding, compare func(s *big.Float) int) float64 {
	if mode == nearest || math.IsNaN(s) {
		return s
	}
	if math.IsInf(s, 0) {
		if mode == toZero || mode == down && s > 0 || mode == up && s < 0 {
			return math.Copysign(math.MaxFloat64, s)
		}
		return s
	}
	switch missing := compare(big.NewFloat(s)); {
	case missing > 0 && (mode == up || mode == toZero && s < 0):
		return math.Nextafter(s, math.Inf(1))
	case missing < 0 && (mode == down || mode == toZero && s > 0):
		return math.Nextafter(s, math.Inf(-1))
	}
	return s
}

// exactPrecision holds any sum or product of doubles.
const exactPrecision = 4400

func exactly(v float64) *big.Float { return new(big.Float).SetPrec(exactPrecision).SetFloat64(v) }

func finite(v ...float64) bool {
	for _, x := range v {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return false
		}
	}
	return true
}

// fma64 is a*b+c in any rounding; sums and products are of this form.
func fma64(a, b, c float64, mode rounding) float64 {
	s := math.FMA(a, b, c)
	if mode == nearest || !finite(a, b, c) {
		return s
	}
	p := exactly(a)
	p.Mul(p, exactly(b))
	p.Add(p, exactly(c))
	if p.Sign() == 0 {
		if mode == down && math.Signbit(a*b) != math.Signbit(c) {
			return math.Copysign(0, -1)
		}
		return s
	}
	return exact64(s, mode, func(s *big.Float) int { return p.Cmp(s) })
}

func add64(a, b float64, mode rounding) float64 {
	if mode == nearest {
		return a + b
	}
	return fma64(a, 1, b, mode)
}

func mul64(a, b float64, mode rounding) float64 {
	if mode == nearest || !finite(a, b) || a == 0 || b == 0 {
		return a * b
	}
	p := exactly(a)
	p.Mul(p, exactly(b))
	return exact64(a*b, mode, func(s *big.Float) int { return p.Cmp(s) })
}

func div64(a, b float64, mode rounding) float64 {
	if mode == nearest || !finite(a, b) || b == 0 || a == 0 {
		return a / b
	}
	x, y := exactly(a), exactly(b)
	return exact64(a/b, mode, func(s *big.Float) int {
		p := new(big.Float).SetPrec(exactPrecision).Mul(s, y)
		return x.Cmp(p) * y.Sign()
	})
}

func sqrt64(a float64, mode rounding) float64 {
	if mode == nearest || !finite(a) || a <= 0 {
		return math.Sqrt(a)
	}
	x := exactly(a)
	return exact64(math.Sqrt(a), mode, func(s *big.Float) int {
		return x.Cmp(new(big.Float).SetPrec(exactPrecision).Mul(s, s))
	})
}
