package gcn

import "math"

// The 8-bit floats of gfx942 (MI300 ISA, section "Data types": FP8 and BF8)
// have 3 or 2 bits of mantissa, a bias one more than IEEE's, and neither
// infinity nor -0, whose encoding is the NaN.
const nanFP8 = 0x80

// fromFP8 makes a single of the 8-bit float in the low byte of a.
func fromFP8(a uint64, mant uint) uint64 {
	f := format{8, mant}
	m, e := a&f.frac(), int(a>>mant)&(1<<(7-mant)-1)
	if a&0xff == nanFP8 {
		return single.nan()
	}
	if e == 0 {
		e = 1
	} else {
		m |= 1 << mant
	}
	x := math.Ldexp(float64(m), e-f.bias()-1-int(mant))
	if a&0x80 != 0 {
		x = -x
	}
	return single.round(x, roundNearest)
}

// toFP8 rounds a single to the nearest 8-bit float; beyond the greatest it
// gives that one or the NaN.
func toFP8(v uint64, mant uint, saturate bool) uint64 {
	x := math.Abs(single.float(v))
	sign := v >> 24 & 0x80
	bias := format{8, mant}.bias() + 1
	var bits uint64
	switch {
	case single.isNaN(v):
		return nanFP8
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
	return nanFP8
}

// packFP8 makes two 8-bit floats.
func packFP8(mant uint) func(*lanes) {
	return func(x *lanes) {
		saturate := x.mode&modeOverflow != 0
		map2(func(a, b uint64) uint64 {
			return toFP8(a, mant, saturate) | toFP8(b, mant, saturate)<<8
		})(x)
	}
}
