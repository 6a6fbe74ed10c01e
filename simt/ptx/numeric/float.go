// Package numeric has the numbers of PTX: the formats of its types, roundings, arithmetic that rounds once,
// and conversions between all of them. It knows no instruction and no register; values are bits in a uint64.
//
// Package softfloat is about IEEE 754 itself: formats of any width, flags, numbers that are none as operands
// pass them on, of which AMD's, Intel's and Khronos' machines make their own. PTX says otherwise in just
// these: one number that is none, saturation and flushing as part of an operation, narrow floats that exist
// in conversions alone. So the two have no function in common.
//
// Entry points: [Format.Round] and [Format.Value], [Conversion.Function], and [FMA64] and its like.
//
// Source: NVIDIA, "Parallel Thread Execution ISA", sections "Types", "Rounding Modifiers" and "cvt".
package numeric

import "math"

// A Rounding is a rounding mode (PTX ISA, "Rounding Modifiers").
type Rounding uint8

const (
	Nearest     Rounding = iota // to nearest, ties to even
	ToZero                      // .rz
	Down                        // .rm
	Up                          // .rp
	NearestAway                 // .rna: ties away from zero
)

// Roundings are the modes by their modifiers.
var Roundings = map[string]Rounding{"rn": Nearest, "rz": ToZero, "rm": Down, "rp": Up, "rna": NearestAway}

// F32 is the number that a register of 32 bits holds; F64 that of one of 64, Bits32 and Bits64 are the way
// back.
func F32(v uint64) float32    { return math.Float32frombits(uint32(v)) }
func F64(v uint64) float64    { return math.Float64frombits(v) }
func Bits32(f float32) uint64 { return uint64(math.Float32bits(f)) }
func Bits64(f float64) uint64 { return math.Float64bits(f) }

// NaN32 and NaN64 are the NaNs that instructions give.
const (
	NaN32 = 0x7fffffff
	NaN64 = 0x7ff8000000000000
)

// Flush makes a subnormal single a zero of its sign.
func Flush(v uint64) uint64 {
	if v&0x7f800000 == 0 {
		v &= 0x80000000
	}
	return v
}

// A Format is a binary floating-point format: its bits of significand, the hidden one included, and where its
// exponents begin.
type Format struct {
	precision    int
	emin         int    // the least exponent of normal numbers
	width        int    // in bits
	nan          uint64 // the one that instructions give
	infinity     uint64
	noInfinities bool
}

var (
	Single = &Format{precision: 24, emin: -126, width: 32, nan: NaN32, infinity: 0x7f800000}
	Half   = &Format{precision: 11, emin: -14, width: 16, nan: 0x7fff, infinity: 0x7c00}
	BFloat = &Format{precision: 8, emin: -126, width: 16, nan: 0x7fff, infinity: 0x7f80}
	TF32   = &Format{precision: 11, emin: -126, width: 19, nan: 0x3ffff, infinity: 0x3fc00}
	E4M3   = &Format{precision: 4, emin: -6, width: 8, nan: 0x7f, infinity: 0x7f, noInfinities: true}
	E5M2   = &Format{precision: 3, emin: -14, width: 8, nan: 0x7f, infinity: 0x7c}
)

// Round gives the bits of v in a format.
func (f *Format) Round(v float64, mode Rounding) uint64 {
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
func (f *Format) limit() uint64 {
	if f.noInfinities {
		return f.nan
	}
	return f.infinity
}

// overflow is what a number too large becomes.
func (f *Format) overflow(mode Rounding, negative bool) uint64 {
	if mode == ToZero || mode == Down && !negative || mode == Up && negative {
		return f.limit() - 1
	}
	return f.infinity
}

func roundsUp(mode Rounding, negative bool, whole, rest float64) bool {
	switch mode {
	case Nearest:
		return rest > 0.5 || rest == 0.5 && math.Mod(whole, 2) != 0
	case NearestAway:
		return rest >= 0.5
	case Down:
		return negative && rest > 0
	case Up:
		return !negative && rest > 0
	}
	return false
}

// Value is what bits in a format stand for.
func (f *Format) Value(v uint64) float64 {
	sign := v >> (f.width - 1) & 1
	v &= Mask(f.width - 1)
	var out float64
	switch field := int(v >> (f.precision - 1)); {
	case v > f.infinity || f.noInfinities && v == f.nan:
		out = math.NaN()
	case v == f.infinity && !f.noInfinities:
		out = math.Inf(1)
	case field == 0:
		out = math.Ldexp(float64(v), f.emin-(f.precision-1))
	default:
		m := v&Mask(f.precision-1) | 1<<(f.precision-1)
		out = math.Ldexp(float64(m), field-1+f.emin-(f.precision-1))
	}
	if sign != 0 {
		out = -out
	}
	return out
}

// Values are those of all numbers of a short format, by their bits.
func (f *Format) Values() []float32 {
	all := make([]float32, 1<<f.width)
	for i := range all {
		all[i] = float32(f.Value(uint64(i)))
	}
	return all
}

// RoundHalf is Half.Round to nearest, in fewer steps.
func RoundHalf(v float64) uint64 {
	b := math.Float64bits(v)
	exp := int(b>>52&0x7ff) - 1023
	if exp < Half.emin || exp > 1-Half.emin {
		return Half.Round(v, Nearest)
	}
	const drop = 52 - 10
	m := b & (1<<52 - 1)
	out := uint64(exp+15)<<10 | m>>drop
	if rest, tie := m&(1<<drop-1), uint64(1)<<(drop-1); rest > tie || rest == tie && out&1 != 0 {
		out++ // into the exponent, and on to infinity, where it is due
	}
	return b>>63<<15 | out
}

// Round32 rounds a double that came of odd to single precision.
func Round32(v float64, mode Rounding) uint64 {
	if mode == Nearest {
		if v != v {
			return NaN32
		}
		return Bits32(float32(v))
	}
	return Single.Round(v, mode)
}

// Result64 is a double as a result: of a NaN the one that instructions give.
func Result64(v float64) uint64 {
	if v != v {
		return NaN64
	}
	return Bits64(v)
}

// Extreme is the greater of two numbers, the less if which is negative. It has a number win over a NaN unless
// NaNs are wanted, and -0 below 0.
func Extreme(x, y float64, which int, nan bool) float64 {
	switch {
	case x != x:
		if nan {
			return x
		}
		return y
	case y != y:
		if nan {
			return y
		}
		return x
	case which < 0:
		return math.Min(x, y)
	}
	return math.Max(x, y)
}
