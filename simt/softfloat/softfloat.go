// Package softfloat computes with binary floating-point formats that the host
// may not have, or not in every rounding mode: halves, bfloat16, singles,
// doubles, 8-bit floats, and any other that fits into a double. It knows no
// instruction set: how an operation treats denormals and rounds is in an [Env].
//
// PTX's numbers, which are not IEEE 754's where that leaves a choice, are package simt/ptx/numeric.
//
// Entry points: the [Format] values [Half], [BFloat16], [Single] and [Double]
// with their methods, and the [Mini] values [FP8] and so on.
//
// Sources: IEEE 754-2019, sections 3.4 (formats) and 4.3 (rounding).
package softfloat

import (
	"math"
	"math/big"
)

// A Format is an IEEE 754 binary interchange format; its values travel as
// bits in a uint64.
//
// Arithmetic is exact and rounded once. A NaN operand comes out quieted, the
// first of several; an invalid operation gives the positive quiet NaN.
type Format struct{ Width, Mant uint } // bits in all, and of the fraction

// The formats that are most used.
var (
	Half     = Format{16, 10}
	Single   = Format{32, 23}
	BFloat16 = Format{16, 7}
	Double   = Format{64, 52}
)

// All has every bit of the format set.
func (f Format) All() uint64 { return 1<<f.Width - 1 }

// Sign is the sign bit.
func (f Format) Sign() uint64 { return 1 << (f.Width - 1) }

// Inf is the positive infinity: the bits of the exponent.
func (f Format) Inf() uint64 { return f.Sign() - 1<<f.Mant }

// Frac has the bits of the fraction set.
func (f Format) Frac() uint64 { return 1<<f.Mant - 1 }

// Bias is what an exponent is more than it says.
func (f Format) Bias() int { return 1<<(f.Width-f.Mant-2) - 1 }

// Quiet is the bit that makes a NaN quiet.
func (f Format) Quiet() uint64 {
	return 1 << (f.Mant - 1)
}

// NaN is the positive quiet NaN.
func (f Format) NaN() uint64 { return f.Inf() | f.Quiet() }

// Abs is v without its sign.
func (f Format) Abs(v uint64) uint64 { return v &^ f.Sign() }

// IsNaN reports whether v is a NaN.
func (f Format) IsNaN(v uint64) bool { return f.Abs(v) > f.Inf() }

// IsSNaN reports whether v is a signaling NaN.
func (f Format) IsSNaN(v uint64) bool { return f.IsNaN(v) && v&f.Quiet() == 0 }

// IsDenorm reports whether v is below the normal numbers and not 0.
func (f Format) IsDenorm(v uint64) bool { return v&f.Inf() == 0 && v&f.Frac() != 0 }

// One is 1.
func (f Format) One() uint64 { return uint64(f.Bias()) << f.Mant }

// An Env is how an instruction wants a format treated.
type Env struct {
	Round           uint8 // RoundNearest and so on
	KeepIn, KeepOut bool  // denormal operands and results are not flushed
	IEEE            bool  // minima and maxima give a signaling NaN, quiet
}

// The rounding modes.
const (
	RoundNearest = iota // to even
	RoundUp
	RoundDown
	RoundZero
)

// In flushes a denormal operand if the environment says so.
func (f Format) In(v uint64, e Env) uint64 {
	if !e.KeepIn && f.IsDenorm(v) {
		return v & f.Sign()
	}
	return v
}

// Out flushes a denormal result if the environment says so.
func (f Format) Out(v uint64, e Env) uint64 {
	if !e.KeepOut && f.IsDenorm(v) {
		return v & f.Sign()
	}
	return v
}

// Float is the value of v, which is no NaN, exactly.
func (f Format) Float(v uint64) float64 {
	switch f.Width {
	case 64:
		return math.Float64frombits(v)
	case 32:
		return float64(math.Float32frombits(uint32(v)))
	}
	m, e := v&f.Frac(), int(v&f.Inf()>>f.Mant)
	var x float64
	switch {
	case v&f.Inf() == f.Inf() && m == 0:
		x = math.Inf(1)
	case v&f.Inf() == f.Inf():
		x = math.NaN()
	case e == 0:
		x = float64(m) * power(1-f.Bias()-int(f.Mant))
	default:
		x = float64(m|1<<f.Mant) * power(e-f.Bias()-int(f.Mant))
	}
	if v&f.Sign() != 0 {
		x = math.Copysign(x, -1)
	}
	return x
}

// power is 2^n, which is a normal number.
func power(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// Round makes a value of the format from x. Double rounding does no harm if x
// is exact or was rounded to odd and the format is narrower than double.
func (f Format) Round(x float64, mode uint8) uint64 {
	b := math.Float64bits(x)
	switch {
	case f.Width == 64:
		return b
	case f.Width == 32 && mode == RoundNearest && x == x: // as the host does
		return uint64(math.Float32bits(float32(x)))
	}
	sign := b >> 63 << (f.Width - 1)
	exp, m := int(b>>52&0x7ff), b&(1<<52-1)
	switch {
	case exp == 0x7ff && m != 0:
		return f.NaN()
	case exp == 0x7ff:
		return sign | f.Inf()
	case exp == 0:
		exp = 1
	default:
		m |= 1 << 52
	}
	e, shift := exp-1023+f.Bias(), 52-int(f.Mant)
	if e < 1 {
		shift += 1 - e
		e = 1
	}
	shift = min(shift, 54)
	r, rest := m>>shift, m&(1<<shift-1)
	if roundsUp(mode, sign != 0, r&1 != 0, rest, 1<<(shift-1)) {
		r++
	}
	if v := uint64(e-1)<<f.Mant + r; v < f.Inf() {
		return sign | v
	}
	if mode == RoundZero || mode == RoundUp && sign != 0 || mode == RoundDown && sign == 0 {
		return sign | f.Inf() - 1
	}
	return sign | f.Inf()
}

// roundsUp says whether a magnitude with a rest beyond its last place goes to
// the next one.
func roundsUp(mode uint8, negative, odd bool, rest, half uint64) bool {
	switch mode {
	case RoundUp:
		return rest != 0 && !negative
	case RoundDown:
		return rest != 0 && negative
	case RoundZero:
		return false
	}
	return rest > half || rest == half && odd
}

// FirstNaN is the result of an operation with NaN operands, or the default
// NaN if none of them is.
func (f Format) FirstNaN(vs ...uint64) uint64 {
	for _, v := range vs {
		if f.IsNaN(v) {
			return v | f.Quiet()
		}
	}
	return f.NaN()
}

// addOdd is a+b rounded to odd: the last bit of an inexact sum is 1, so that
// rounding it again to a narrower format gives what rounding once would.
func addOdd(a, b float64) float64 {
	s := a + b
	if math.IsInf(s, 0) || s != s {
		return s
	}
	t := s - a
	err := (a - (s - t)) + (b - t)
	u := math.Float64bits(s)
	if err == 0 || u&1 != 0 {
		return s
	}
	if err > 0 == (s > 0) {
		return math.Float64frombits(u + 1)
	}
	return math.Float64frombits(u - 1)
}

// exact64 rounds an exact result to double precision in a mode that is not
// to nearest.
func exact64(z *big.Float, mode uint8) float64 {
	x, acc := z.Float64()
	negative := z.Signbit()
	away := acc == big.Above != negative // x is larger in magnitude than z
	switch {
	case acc == big.Exact:
	case away && (mode == RoundZero || mode == RoundUp && negative || mode == RoundDown && !negative):
		x = math.Float64frombits(math.Float64bits(x) - 1)
	case !away && (mode == RoundUp && !negative || mode == RoundDown && negative):
		x = math.Float64frombits(math.Float64bits(x) + 1)
	}
	return x
}

// bigFloat is x with enough precision to hold any product and sum exactly.
func bigFloat(x float64) *big.Float {
	return new(big.Float).SetPrec(4400).SetFloat64(x)
}

// Add is a+b.
func (f Format) Add(a, b uint64, e Env) uint64 {
	if f.IsNaN(a) || f.IsNaN(b) {
		return f.FirstNaN(a, b)
	}
	x, y := f.Float(f.In(a, e)), f.Float(f.In(b, e))
	s := x + y
	switch {
	case s != s:
		return f.NaN()
	case s == 0 && math.Signbit(x) != math.Signbit(y):
		return f.ZeroSum(e)
	case f.Width < 64:
		s = addOdd(x, y)
	case e.Round != RoundNearest && !math.IsInf(x, 0) && !math.IsInf(y, 0):
		s = exact64(new(big.Float).Add(bigFloat(x), bigFloat(y)), e.Round)
	}
	return f.Out(f.Round(s, e.Round), e)
}

// Sub is a-b. A NaN keeps its sign.
func (f Format) Sub(a, b uint64, e Env) uint64 {
	if !f.IsNaN(b) {
		b ^= f.Sign()
	}
	return f.Add(a, b, e)
}

// ZeroSum is the zero that a sum of opposite numbers is.
func (f Format) ZeroSum(e Env) uint64 {
	if e.Round == RoundDown {
		return f.Sign()
	}
	return 0
}

// Mul is a*b.
func (f Format) Mul(a, b uint64, e Env) uint64 {
	if f.IsNaN(a) || f.IsNaN(b) {
		return f.FirstNaN(a, b)
	}
	x, y := f.Float(f.In(a, e)), f.Float(f.In(b, e))
	p := x * y
	if p != p {
		return f.NaN()
	}
	if f.Width == 64 && e.Round != RoundNearest && !math.IsInf(x, 0) && !math.IsInf(y, 0) && x != 0 &&
		y != 0 {
		p = exact64(new(big.Float).Mul(bigFloat(x), bigFloat(y)), e.Round)
	}
	return f.Out(f.Round(p, e.Round), e)
}

// single is the value of a single.
func single(v uint64) float32 { return math.Float32frombits(uint32(v)) }

// FMA is a*b+c, rounded once and scaled by 2^scale before that.
func (f Format) FMA(a, b, c uint64, scale int, e Env) uint64 {
	if f.Width == 32 && scale == 0 && e.Round == RoundNearest && e.KeepIn && e.KeepOut {
		// A product of singles is exact in double precision.
		s := addOdd(float64(single(a))*float64(single(b)), float64(single(c)))
		if s == s {
			return uint64(math.Float32bits(float32(s)))
		}
	}
	if f.IsNaN(a) || f.IsNaN(b) || f.IsNaN(c) {
		return f.FirstNaN(a, b, c)
	}
	x, y, z := f.Float(f.In(a, e)), f.Float(f.In(b, e)), f.Float(f.In(c, e))
	s := math.FMA(x, y, z)
	special := math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(z, 0)
	switch {
	case s != s:
		return f.NaN()
	case special:
		return f.Round(s, e.Round)
	case f.Width < 64:
		if p := x * y; s == 0 && p == -z && (z != 0 || math.Signbit(p) != math.Signbit(z)) {
			return f.ZeroSum(e)
		}
		if s = addOdd(x*y, z); scale != 0 {
			s = math.Ldexp(s, scale)
		}
	case scale != 0 || e.Round != RoundNearest:
		exact := new(big.Float).Add(new(big.Float).Mul(bigFloat(x), bigFloat(y)), bigFloat(z))
		if exact.Sign() == 0 {
			if p := x * y; math.Signbit(p) == math.Signbit(z) && z == 0 && (x == 0 || y == 0) {
				return f.Round(z, e.Round)
			}
			return f.ZeroSum(e)
		}
		s = exact64(exact.SetMantExp(exact, scale), e.Round)
	}
	return f.Out(f.Round(s, e.Round), e)
}

// FMAPlain is a*b+c, rounded once.
func (f Format) FMAPlain(a, b, c uint64, e Env) uint64 { return f.FMA(a, b, c, 0, e) }

// Mad is a*b, rounded, plus c; denormals are flushed, whatever the environment says.
func (f Format) Mad(a, b, c uint64, e Env) uint64 {
	e.KeepIn, e.KeepOut = false, false
	return f.Add(f.Mul(a, b, e), c, e)
}

// Key orders all values but NaNs: -0 is less than +0.
func (f Format) Key(v uint64) int64 {
	if v&f.Sign() != 0 {
		return -int64(f.Abs(v)) - 1
	}
	return int64(v)
}

// Minimum is the smaller of a and b, or the one that is no NaN, b if both are;
// with IEEE, a signaling NaN comes first, and quiet.
func (f Format) Minimum(a, b uint64, e Env) uint64 { return f.Extreme(a, b, e, true) }

// Maximum is Minimum's counterpart.
func (f Format) Maximum(a, b uint64, e Env) uint64 { return f.Extreme(a, b, e, false) }

// Extreme is Minimum if less, else Maximum.
func (f Format) Extreme(a, b uint64, e Env, less bool) uint64 {
	switch {
	case e.IEEE && f.IsSNaN(a):
		return a | f.Quiet()
	case e.IEEE && f.IsSNaN(b):
		return b | f.Quiet()
	case f.IsNaN(a):
		return f.Out(f.In(b, e), e)
	case f.IsNaN(b):
		return f.Out(f.In(a, e), e)
	}
	a, b = f.In(a, e), f.In(b, e)
	if f.Key(a) < f.Key(b) != less {
		a = b
	}
	return f.Out(a, e)
}

// Median is the middle one of three, as AMD's documents say: one that is as large as the largest is left out,
// the first of them if there are several, and 0 is as large as -0. With a NaN among them it is their minimum.
func (f Format) Median(a, b, c uint64, e Env) uint64 {
	if f.IsNaN(a) || f.IsNaN(b) || f.IsNaN(c) {
		return f.Minimum(f.Minimum(a, b, e), c, e)
	}
	switch most := f.Float(f.Maximum(f.Maximum(a, b, e), c, e)); most {
	case f.Float(f.In(a, e)):
		return f.Maximum(b, c, e)
	case f.Float(f.In(b, e)):
		return f.Maximum(a, c, e)
	}
	return f.Maximum(a, b, e)
}

// Ldexp is v*2^n.
func (f Format) Ldexp(v uint64, n int, e Env) uint64 {
	if f.IsNaN(v) {
		return v | f.Quiet()
	}
	v = f.In(v, e)
	n = max(min(n, 5000), -5000)
	x := f.Float(v)
	if f.Width == 64 && e.Round != RoundNearest && x != 0 && !math.IsInf(x, 0) {
		z := bigFloat(x)
		return f.Out(math.Float64bits(exact64(z.SetMantExp(z, n), e.Round)), e)
	}
	if f.Width < 64 {
		n = max(min(n, 600), -600)
	}
	return f.Out(f.Round(math.Ldexp(x, n), e.Round), e)
}

// Exponent is the unbiased exponent of v, which is finite and not 0, so that
// 1 <= |v|/2^exponent < 2.
func (f Format) Exponent(v uint64) int {
	_, e := math.Frexp(f.Float(v))
	return e - 1
}

// FrexpExp is the exponent that leaves a mantissa in [0.5, 1), or 0.
func (f Format) FrexpExp(v uint64) int {
	if m := f.Abs(v); m >= f.Inf() || m == 0 {
		return 0
	}
	return f.Exponent(v) + 1
}

// FrexpMant is v scaled into [0.5, 1).
func (f Format) FrexpMant(v uint64) uint64 {
	if f.IsNaN(v) {
		return v | f.Quiet()
	}
	if m := f.Abs(v); m == f.Inf() || m == 0 {
		return v
	}
	m, _ := math.Frexp(f.Float(v))
	return f.Round(m, RoundNearest)
}

// Fract is v less its floor, below 1.
func (f Format) Fract(v uint64, e Env) uint64 {
	if f.IsNaN(v) {
		return v | f.Quiet()
	}
	if f.Abs(v) == f.Inf() {
		return f.NaN()
	}
	x := f.Float(f.In(v, e))
	r := f.Round(x-math.Floor(x), RoundNearest)
	return f.Out(min(r, f.One()-1), e)
}

// Apply rounds a function of v; its argument is never a NaN.
func (f Format) Apply(fn func(float64) float64, v uint64, e Env) uint64 {
	if f.IsNaN(v) {
		return v | f.Quiet()
	}
	x := fn(f.Float(f.In(v, e)))
	if x != x {
		return f.NaN()
	}
	return f.Out(f.Round(x, e.Round), e)
}

// Convert makes a value of format g from one of format f, whose operands and results are treated as in and
// out say.
func (f Format) Convert(g Format, v uint64, in, out Env) uint64 {
	if f.IsNaN(v) {
		frac := v & f.Frac()
		if g.Mant < f.Mant {
			frac >>= f.Mant - g.Mant
		} else {
			frac <<= g.Mant - f.Mant
		}
		return v>>(f.Width-1)<<(g.Width-1) | g.NaN() | frac
	}
	return g.Out(g.Round(f.Float(f.In(v, in)), out.Round), out)
}
