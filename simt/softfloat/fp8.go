package softfloat

import "math"

// The 8-bit floats of gfx942 (MI300 ISA, section "Data types": FP8 and BF8)
// have 3 or 2 bits of mantissa, a bias one more than IEEE's, and neither
// infinity nor -0, whose encoding is the NaN.
const NaNFP8 = 0x80

// FromFP8 makes a single of the 8-bit float in the low byte of a.
func FromFP8(a uint64, mant uint) uint64 {
	f := Format{8, mant}
	m, e := a&f.Frac(), int(a>>mant)&(1<<(7-mant)-1)
	if a&0xff == NaNFP8 {
		return Single.NaN()
	}
	if e == 0 {
		e = 1
	} else {
		m |= 1 << mant
	}
	x := math.Ldexp(float64(m), e-f.Bias()-1-int(mant))
	if a&0x80 != 0 {
		x = -x
	}
	return Single.Round(x, RoundNearest)
}

// ToFP8 rounds a single to the nearest 8-bit float; beyond the greatest it
// gives that one or the NaN.
func ToFP8(v uint64, mant uint, saturate bool) uint64 {
	x := math.Abs(Single.Float(v))
	sign := v >> 24 & 0x80
	bias := Format{8, mant}.Bias() + 1
	var bits uint64
	switch {
	case Single.IsNaN(v):
		return NaNFP8
	case math.IsInf(x, 0):
		bits = 0x100
	case x != 0:
		_, e := math.Frexp(x)
		e = max(e-1, 1-bias)
		n := math.RoundToEven(math.Ldexp(x, int(mant)-e))
		bits = uint64(n) + uint64(e+bias-1)<<mant
	}
	switch {
	case bits == 0:
		return 0
	case bits <= 0x7f:
		return sign | bits
	case saturate:
		return sign | 0x7f
	}
	return NaNFP8
}
