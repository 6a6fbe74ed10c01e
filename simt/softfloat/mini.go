package softfloat

import "math"

// A Mini is a small floating-point format, whose values travel as bits in the low end of a uint64.
// They are formats of factors that are scaled, so they differ in what their greatest encodings mean.
type Mini struct {
	Width, Mant uint // bits in all, and of the fraction
	Bias        int  // of the exponent
	Specials    Specials
}

// Specials are the encodings of a format that are no finite numbers.
type Specials uint8

// The kinds of special encodings.
const (
	Finite  Specials = iota // none
	IEEE                    // as in IEEE 754: infinities, and NaNs above them
	OneNaN                  // the greatest of either sign is a NaN
	NegZero                 // the encoding of -0 is the NaN; there is no -0
)

// The formats. Those of gfx942 have no -0 (MI300 ISA, section "Data types": FP8 and BF8); the others are
// those of "OCP Microscaling Formats (MX) Specification" 1.0, section 5.3.
var (
	FNUZFP8 = Mini{8, 3, 8, NegZero}
	FNUZBF8 = Mini{8, 2, 16, NegZero}
	FP8     = Mini{8, 3, 7, OneNaN}
	BF8     = Mini{8, 2, 15, IEEE}
	FP6     = Mini{6, 3, 1, Finite}
	BF6     = Mini{6, 2, 3, Finite}
	FP4     = Mini{4, 1, 1, Finite}
)

func (m Mini) sign() uint64 { return 1 << (m.Width - 1) }

// nan is the NaN that operations give, with a sign where it has one; without one the greatest number.
func (m Mini) nan(sign uint64) uint64 {
	switch m.Specials {
	case NegZero:
		return m.sign()
	case IEEE:
		return sign | m.infinity() | 1<<(m.Mant-1)
	}
	return sign | (m.sign() - 1)
}

func (m Mini) infinity() uint64 { return m.sign() - 1<<m.Mant }

// greatest is the greatest finite number.
func (m Mini) greatest() uint64 {
	switch m.Specials {
	case IEEE:
		return m.infinity() - 1
	case OneNaN:
		return m.sign() - 2
	}
	return m.sign() - 1
}

// Float is the value of v, exactly; its bits above the format's do not count.
func (m Mini) Float(v uint64) float64 {
	v &= 1<<m.Width - 1
	magnitude := v &^ m.sign()
	frac, exp := magnitude&(1<<m.Mant-1), int(magnitude>>m.Mant)
	x := 0.0
	switch {
	case m.Specials == NegZero && v == m.sign():
		return math.NaN()
	case m.Specials == OneNaN && magnitude == m.sign()-1, m.Specials == IEEE && magnitude > m.infinity():
		x = math.NaN()
	case m.Specials == IEEE && magnitude == m.infinity():
		x = math.Inf(1)
	case exp == 0:
		x = float64(frac) * power(1-m.Bias-int(m.Mant))
	default:
		x = float64(frac|1<<m.Mant) * power(exp-m.Bias-int(m.Mant))
	}
	if v != magnitude {
		x = math.Copysign(x, -1)
	}
	return x
}

// A Rounding says how numbers become those of a Mini.
type Rounding struct {
	Saturate bool // what is beyond the greatest number becomes that one, not an infinity or a NaN

	// Random, with the bits below the last place of a source of so many bits of fraction, is added to what is
	// to be cut off; without it the nearest number is taken.
	Stochastic bool
	Random     uint32
	SourceMant uint
}

// Round makes a number of x.
func (m Mini) Round(x float64, r Rounding) uint64 {
	sign := uint64(0)
	if math.Signbit(x) {
		sign = m.sign()
	}
	switch {
	case x != x:
		return m.nan(sign)
	case math.IsInf(x, 0):
		return m.beyond(sign, r)
	}
	least := 1 - m.Bias
	exp := least
	if x != 0 {
		_, e := math.Frexp(x)
		exp = max(e-1, least)
	}
	units := math.Ldexp(math.Abs(x), int(m.Mant)-exp) // of the last place
	var n uint64
	if r.Stochastic {
		// What lies below the source's own last place is cut off first, the random bits are as many as are
		// left.
		below := r.SourceMant - m.Mant
		n = (uint64(math.Ldexp(units, int(below))) + uint64(r.Random>>(32-below))) >> below
	} else {
		n = uint64(math.RoundToEven(units))
	}
	bits := n + uint64(exp+m.Bias-1)<<m.Mant
	switch {
	case bits > m.greatest():
		return m.beyond(sign, r)
	case bits == 0 && m.Specials == NegZero:
		return 0
	}
	return sign | bits
}

// beyond is what a number beyond the greatest becomes, or an infinity.
func (m Mini) beyond(sign uint64, r Rounding) uint64 {
	switch {
	case r.Saturate || m.Specials == Finite:
		return sign | m.greatest()
	case m.Specials == IEEE:
		return sign | m.infinity()
	}
	return m.nan(sign)
}
