package gcn

import (
	"math"
	"math/big"
)

// A format is an IEEE 754 binary interchange format; its values travel as
// bits in a uint64.
//
// Arithmetic is exact and rounded once as MODE says. A NaN operand comes out
// quieted, the first of several; an invalid operation gives the positive
// quiet NaN. Transcendental functions (rcp, rsq, sqrt, exp, log, sin, cos),
// for which the hardware promises 1 ulp or less exactness, are rounded here
// to nearest from a result in double precision.
type format struct{ width, mant uint }

var (
	half16   = format{16, 10}
	single   = format{32, 23}
	brain16  = format{16, 7}
	double   = format{64, 52}
	fpFormat = map[typ]format{f16: half16, v2f16: half16, f32: single, v2f32: single, mixed: single, f64: double}
)

// formatOf is the format of an operand type.
func formatOf(t typ) (format, bool) {
	f, ok := fpFormat[t]
	return f, ok
}

func (f format) all() uint64  { return 1<<f.width - 1 }
func (f format) sign() uint64 { return 1 << (f.width - 1) }
func (f format) inf() uint64  { return f.sign() - 1<<f.mant }
func (f format) frac() uint64 { return 1<<f.mant - 1 }
func (f format) bias() int    { return 1<<(f.width-f.mant-2) - 1 }
func (f format) quiet() uint64 {
	return 1 << (f.mant - 1)
}
func (f format) nan() uint64            { return f.inf() | f.quiet() }
func (f format) abs(v uint64) uint64    { return v &^ f.sign() }
func (f format) isNaN(v uint64) bool    { return f.abs(v) > f.inf() }
func (f format) isSNaN(v uint64) bool   { return f.isNaN(v) && v&f.quiet() == 0 }
func (f format) isDenorm(v uint64) bool { return v&f.inf() == 0 && v&f.frac() != 0 }
func (f format) one() uint64            { return uint64(f.bias()) << f.mant }

// env is how MODE wants a format treated.
type env struct {
	round           uint8 // roundNearest and so on
	keepIn, keepOut bool  // denormal operands and results are not flushed
	ieee, dx10      bool
}

// Rounding modes as MODE numbers them.
const (
	roundNearest = iota
	roundUp
	roundDown
	roundZero
)

// env reads MODE for the format: 32-bit floats have fields of their own, the
// others share.
func (f format) env(mode uint32) env {
	r, d := mode>>2&3, mode>>6&3
	if f.width == 32 {
		r, d = mode&3, mode>>4&3
	}
	return env{uint8(r), d&1 != 0, d&2 != 0, mode&modeIEEE != 0, mode&modeDX10Clamp != 0}
}

// in flushes a denormal operand if MODE says so.
func (f format) in(v uint64, e env) uint64 {
	if !e.keepIn && f.isDenorm(v) {
		return v & f.sign()
	}
	return v
}

// out flushes a denormal result if MODE says so.
func (f format) out(v uint64, e env) uint64 {
	if !e.keepOut && f.isDenorm(v) {
		return v & f.sign()
	}
	return v
}

// float is the value of v, which is no NaN, exactly.
func (f format) float(v uint64) float64 {
	switch f.width {
	case 64:
		return math.Float64frombits(v)
	case 32:
		return float64(math.Float32frombits(uint32(v)))
	}
	m, e := v&f.frac(), int(v&f.inf()>>f.mant)
	var x float64
	switch {
	case v&f.inf() == f.inf() && m == 0:
		x = math.Inf(1)
	case v&f.inf() == f.inf():
		x = math.NaN()
	case e == 0:
		x = math.Ldexp(float64(m), 1-f.bias()-int(f.mant))
	default:
		x = math.Ldexp(float64(m|1<<f.mant), e-f.bias()-int(f.mant))
	}
	if v&f.sign() != 0 {
		x = math.Copysign(x, -1)
	}
	return x
}

// round makes a value of the format from x. Double rounding does no harm if x
// is exact or was rounded to odd and the format is narrower than double.
func (f format) round(x float64, mode uint8) uint64 {
	b := math.Float64bits(x)
	if f.width == 64 {
		return b
	}
	sign := b >> 63 << (f.width - 1)
	exp, m := int(b>>52&0x7ff), b&(1<<52-1)
	switch {
	case exp == 0x7ff && m != 0:
		return f.nan()
	case exp == 0x7ff:
		return sign | f.inf()
	case exp == 0:
		exp = 1
	default:
		m |= 1 << 52
	}
	e, shift := exp-1023+f.bias(), 52-int(f.mant)
	if e < 1 {
		shift += 1 - e
		e = 1
	}
	shift = min(shift, 54)
	r, rest := m>>shift, m&(1<<shift-1)
	if roundsUp(mode, sign != 0, r&1 != 0, rest, 1<<(shift-1)) {
		r++
	}
	if v := uint64(e-1)<<f.mant + r; v < f.inf() {
		return sign | v
	}
	if mode == roundZero || mode == roundUp && sign != 0 || mode == roundDown && sign == 0 {
		return sign | f.inf() - 1
	}
	return sign | f.inf()
}

// roundsUp says whether a magnitude with a rest beyond its last place goes to
// the next one.
func roundsUp(mode uint8, negative, odd bool, rest, half uint64) bool {
	switch mode {
	case roundUp:
		return rest != 0 && !negative
	case roundDown:
		return rest != 0 && negative
	case roundZero:
		return false
	}
	return rest > half || rest == half && odd
}

// firstNaN is the result of an operation with NaN operands, or the default
// NaN if none of them is.
func (f format) firstNaN(vs ...uint64) uint64 {
	for _, v := range vs {
		if f.isNaN(v) {
			return v | f.quiet()
		}
	}
	return f.nan()
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
	case away && (mode == roundZero || mode == roundUp && negative || mode == roundDown && !negative):
		x = math.Float64frombits(math.Float64bits(x) - 1)
	case !away && (mode == roundUp && !negative || mode == roundDown && negative):
		x = math.Float64frombits(math.Float64bits(x) + 1)
	}
	return x
}

// bigFloat is x with enough precision to hold any product and sum exactly.
func bigFloat(x float64) *big.Float {
	return new(big.Float).SetPrec(4400).SetFloat64(x)
}

// add is a+b.
func (f format) add(a, b uint64, e env) uint64 {
	if f.isNaN(a) || f.isNaN(b) {
		return f.firstNaN(a, b)
	}
	x, y := f.float(f.in(a, e)), f.float(f.in(b, e))
	s := x + y
	switch {
	case s != s:
		return f.nan()
	case s == 0 && math.Signbit(x) != math.Signbit(y):
		return f.zeroSum(e)
	case f.width < 64:
		s = addOdd(x, y)
	case e.round != roundNearest && !math.IsInf(x, 0) && !math.IsInf(y, 0):
		s = exact64(new(big.Float).Add(bigFloat(x), bigFloat(y)), e.round)
	}
	return f.out(f.round(s, e.round), e)
}

// sub is a-b. A NaN keeps its sign.
func (f format) sub(a, b uint64, e env) uint64 {
	if !f.isNaN(b) {
		b ^= f.sign()
	}
	return f.add(a, b, e)
}

// zeroSum is the zero that a sum of opposite numbers is.
func (f format) zeroSum(e env) uint64 {
	if e.round == roundDown {
		return f.sign()
	}
	return 0
}

// mul is a*b.
func (f format) mul(a, b uint64, e env) uint64 {
	if f.isNaN(a) || f.isNaN(b) {
		return f.firstNaN(a, b)
	}
	x, y := f.float(f.in(a, e)), f.float(f.in(b, e))
	p := x * y
	if p != p {
		return f.nan()
	}
	if f.width == 64 && e.round != roundNearest && !math.IsInf(x, 0) && !math.IsInf(y, 0) && x != 0 && y != 0 {
		p = exact64(new(big.Float).Mul(bigFloat(x), bigFloat(y)), e.round)
	}
	return f.out(f.round(p, e.round), e)
}

// fma is a*b+c, rounded once and scaled by 2^scale before that.
func (f format) fma(a, b, c uint64, scale int, e env) uint64 {
	if f.isNaN(a) || f.isNaN(b) || f.isNaN(c) {
		return f.firstNaN(a, b, c)
	}
	x, y, z := f.float(f.in(a, e)), f.float(f.in(b, e)), f.float(f.in(c, e))
	s := math.FMA(x, y, z)
	special := math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(z, 0)
	switch {
	case s != s:
		return f.nan()
	case special:
		return f.round(s, e.round)
	case f.width < 64:
		if p := x * y; s == 0 && p == -z && (z != 0 || math.Signbit(p) != math.Signbit(z)) {
			return f.zeroSum(e)
		}
		s = math.Ldexp(addOdd(x*y, z), scale)
	case scale != 0 || e.round != roundNearest:
		exact := new(big.Float).Add(new(big.Float).Mul(bigFloat(x), bigFloat(y)), bigFloat(z))
		if exact.Sign() == 0 {
			if p := x * y; math.Signbit(p) == math.Signbit(z) && z == 0 && (x == 0 || y == 0) {
				return f.round(z, e.round)
			}
			return f.zeroSum(e)
		}
		s = exact64(exact.SetMantExp(exact, scale), e.round)
	}
	return f.out(f.round(s, e.round), e)
}

func (f format) fmaPlain(a, b, c uint64, e env) uint64 { return f.fma(a, b, c, 0, e) }

// mad is a*b, rounded, plus c; denormals are flushed whatever MODE says.
func (f format) mad(a, b, c uint64, e env) uint64 {
	e.keepIn, e.keepOut = false, false
	return f.add(f.mul(a, b, e), c, e)
}

// key orders all values but NaNs: -0 is less than +0.
func (f format) key(v uint64) int64 {
	if v&f.sign() != 0 {
		return -int64(f.abs(v)) - 1
	}
	return int64(v)
}

// minimum is the smaller of a and b, or the one that is no NaN, b if both are;
// if MODE says IEEE, a signaling NaN comes first, and quiet.
func (f format) minimum(a, b uint64, e env) uint64 { return f.extreme(a, b, e, true) }

func (f format) maximum(a, b uint64, e env) uint64 { return f.extreme(a, b, e, false) }

func (f format) extreme(a, b uint64, e env, less bool) uint64 {
	switch {
	case e.ieee && f.isSNaN(a):
		return a | f.quiet()
	case e.ieee && f.isSNaN(b):
		return b | f.quiet()
	case f.isNaN(a):
		return f.out(f.in(b, e), e)
	case f.isNaN(b):
		return f.out(f.in(a, e), e)
	}
	a, b = f.in(a, e), f.in(b, e)
	if f.key(a) < f.key(b) != less {
		a = b
	}
	return f.out(a, e)
}

// median is the middle one of three; with a NaN among them it is their
// minimum.
func (f format) median(a, b, c uint64, e env) uint64 {
	if f.isNaN(a) || f.isNaN(b) || f.isNaN(c) {
		return f.minimum(f.minimum(a, b, e), c, e)
	}
	lo, hi := f.minimum(a, b, e), f.maximum(a, b, e)
	return f.maximum(lo, f.minimum(hi, c, e), e)
}

// output applies OMOD and CLAMP to a result.
func (f format) output(v uint64, omod uint8, clamp bool, e env) uint64 {
	if omod != 0 && !f.isNaN(v) {
		scale := [4]float64{1, 2, 4, 0.5}[omod]
		if v = f.out(f.round(f.float(v)*scale, e.round), e); v == f.sign() {
			v = 0
		}
	}
	switch {
	case !clamp:
	case f.isNaN(v) && e.dx10, v&f.sign() != 0 && !f.isNaN(v):
		return 0
	case !f.isNaN(v) && v > f.one():
		return f.one()
	}
	return v
}

// classBits are the tests of v_cmp_class.
const (
	classSNaN = 1 << iota
	classQNaN
	classNegInf
	classNegNormal
	classNegDenorm
	classNegZero
	classZero
	classDenorm
	classNormal
	classInf
)

// class is the one test of v_cmp_class that v meets.
func (f format) class(v uint64) uint32 {
	neg := v&f.sign() != 0
	pick := func(a, b uint32) uint32 {
		if neg {
			return a
		}
		return b
	}
	switch m := f.abs(v); {
	case f.isSNaN(v):
		return classSNaN
	case f.isNaN(v):
		return classQNaN
	case m == f.inf():
		return pick(classNegInf, classInf)
	case m == 0:
		return pick(classNegZero, classZero)
	case f.isDenorm(v):
		return pick(classNegDenorm, classDenorm)
	}
	return pick(classNegNormal, classNormal)
}

// ldexp is v*2^n.
func (f format) ldexp(v uint64, n int, e env) uint64 {
	if f.isNaN(v) {
		return v | f.quiet()
	}
	v = f.in(v, e)
	n = max(min(n, 5000), -5000)
	x := f.float(v)
	if f.width == 64 && e.round != roundNearest && x != 0 && !math.IsInf(x, 0) {
		z := bigFloat(x)
		return f.out(math.Float64bits(exact64(z.SetMantExp(z, n), e.round)), e)
	}
	if f.width < 64 {
		n = max(min(n, 600), -600)
	}
	return f.out(f.round(math.Ldexp(x, n), e.round), e)
}

// exponent is the unbiased exponent of v, which is finite and not 0, so that
// 1 <= |v|/2^exponent < 2.
func (f format) exponent(v uint64) int {
	_, e := math.Frexp(f.float(v))
	return e - 1
}

// frexpExp is the exponent that leaves a mantissa in [0.5, 1), or 0.
func (f format) frexpExp(v uint64) int {
	if m := f.abs(v); m >= f.inf() || m == 0 {
		return 0
	}
	return f.exponent(v) + 1
}

// frexpMant is v scaled into [0.5, 1).
func (f format) frexpMant(v uint64) uint64 {
	if f.isNaN(v) {
		return v | f.quiet()
	}
	if m := f.abs(v); m == f.inf() || m == 0 {
		return v
	}
	m, _ := math.Frexp(f.float(v))
	return f.round(m, roundNearest)
}

// fract is v less its floor, below 1.
func (f format) fract(v uint64, e env) uint64 {
	if f.isNaN(v) {
		return v | f.quiet()
	}
	if f.abs(v) == f.inf() {
		return f.nan()
	}
	x := f.float(f.in(v, e))
	r := f.round(x-math.Floor(x), roundNearest)
	return f.out(min(r, f.one()-1), e)
}

// apply rounds a function of v; its argument is never a NaN.
func (f format) apply(fn func(float64) float64, v uint64, e env) uint64 {
	if f.isNaN(v) {
		return v | f.quiet()
	}
	x := fn(f.float(f.in(v, e)))
	if x != x {
		return f.nan()
	}
	return f.out(f.round(x, e.round), e)
}

// convert makes a value of format g from one of format f.
func (f format) convert(g format, v uint64, mode uint32) uint64 {
	if f.isNaN(v) {
		frac := v & f.frac()
		if g.mant < f.mant {
			frac >>= f.mant - g.mant
		} else {
			frac <<= g.mant - f.mant
		}
		return v>>(f.width-1)<<(g.width-1) | g.nan() | frac
	}
	e := g.env(mode)
	return g.out(g.round(f.float(f.in(v, f.env(mode))), e.round), e)
}
