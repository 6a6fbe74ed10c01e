package gen

import (
	"math"
	"math/big"
)

// The rounding modes of cr0.
const (
	nearest = iota
	upward
	downward
	towardZero
)

// roundToFloat rounds a number to single precision. It is right where v is
// exact, or rounded to odd.
func roundToFloat(v float64, mode uint8) float32 {
	f := float32(v)
	if mode == nearest || v != v || math.IsInf(v, 0) {
		return f
	}
	got := float64(f)
	switch {
	case got == v:
	case got < v && (mode == upward || mode == towardZero && v < 0):
		return math.Nextafter32(f, float32(math.Inf(1)))
	case got > v && (mode == downward || mode == towardZero && v > 0):
		return math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// roundKind rounds to the precision of a kind.
func roundKind(v float64, k kind, mode uint8) float64 {
	if k == kindHalf {
		return halfToFloat(floatToHalf(v, mode))
	}
	return float64(roundToFloat(v, mode))
}

func halfToFloat(h uint16) float64 {
	sign, exp, frac := h>>15, int(h>>10&31), float64(h&0x3ff)
	var v float64
	switch exp {
	case 0:
		v = math.Ldexp(frac, -24)
	case 31:
		if v = math.Inf(1); frac != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+frac, exp-25)
	}
	if sign != 0 {
		return -v
	}
	return v
}

// floatToBF rounds a number to the upper half of a float, to nearest even, as the machine does in any mode.
func floatToBF(v float64) uint16 {
	f := roundToFloat(v, towardZero)
	b := math.Float32bits(f)
	switch {
	case v != v:
		return uint16(b>>16) | 0x40
	case float64(f) != v:
		b |= 1 // some rest is left
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// floatToBF8 rounds a number to a half's upper half, to nearest even.
func floatToBF8(v float64) uint8 {
	h := floatToHalf(v, towardZero)
	switch {
	case v != v:
		return uint8(h>>8) | 2
	case h&0x7c00 == 0x7c00:
		return uint8(h >> 8)
	case math.Abs(v) >= 1<<16:
		return uint8(h>>8)&0x80 | 0x7c
	case halfToFloat(h) != v:
		h |= 1 // some rest is left
	}
	return uint8((h + 0x7f + h>>8&1) >> 8)
}

// floatToTF32 rounds a number to a float with 10 bits behind the point, to nearest even; the others are zero.
func floatToTF32(v float64) uint32 {
	f := roundToFloat(v, towardZero)
	b := math.Float32bits(f)
	switch {
	case v != v:
		return (b | 1<<22) &^ (1<<13 - 1)
	case float64(f) != v:
		b |= 1 // some rest is left
	}
	return (b + 1<<12 - 1 + b>>13&1) &^ (1<<13 - 1)
}

// floatToHalf rounds a number to half precision.
func floatToHalf(v float64, mode uint8) uint16 {
	var sign uint16
	if math.Signbit(v) {
		sign = 0x8000
		switch mode {
		case upward:
			mode = towardZero
		case downward:
			mode = upward
		}
	} else if mode == downward {
		mode = towardZero
	}
	a := math.Abs(v)
	switch {
	case a != a:
		return sign | 0x7e00
	case math.IsInf(a, 0):
		return sign | 0x7c00
	case a == 0:
		return sign
	}
	_, exp := math.Frexp(a) // a in [2^(exp-1), 2^exp)
	unit := max(exp-11, -24)
	scaled := math.Ldexp(a, -unit)
	n := math.Floor(scaled)
	switch rest := scaled - n; {
	case mode == upward && rest > 0, mode == nearest && (rest > 0.5 || rest == 0.5 && math.Mod(n, 2) != 0):
		n++
	}
	// n is at most 2048 units; the exponent's field counts up with the carry.
	bits := uint32(n)
	if unit > -24 {
		bits += uint32(unit+24) << 10
	}
	if bits >= 0x7c00 {
		if mode == towardZero {
			return sign | 0x7bff
		}
		return sign | 0x7c00
	}
	return sign | uint16(bits)
}

// float64FromInt is an integer as a number that rounds rightly to a type.
func float64FromInt(v int64, c *Core, t Type) float64 {
	f := float64(v)
	if v > -1<<53 && v < 1<<53 {
		return f
	}
	return roundBig(new(big.Float).SetPrec(64).SetInt64(v), c.rounding(), t)
}

// float64FromUint is float64FromInt without sign.
func float64FromUint(v uint64, c *Core, t Type) float64 {
	if v < 1<<53 {
		return float64(v)
	}
	return roundBig(new(big.Float).SetPrec(64).SetUint64(v), c.rounding(), t)
}

var bigModes = [4]big.RoundingMode{big.ToNearestEven, big.ToPositiveInf, big.ToNegativeInf, big.ToZero}

// roundBig rounds to the precision of a type.
func roundBig(v *big.Float, mode uint8, t Type) float64 {
	prec := map[Type]uint{F: 24, HF: 11, DF: 53}[t]
	f, _ := new(big.Float).SetMode(bigModes[mode]).SetPrec(prec).Set(v).Float64()
	return f
}

// oddSum is a+b rounded to odd: to the neighbour whose last bit is set, if
// it is not exact. Rounding that again to fewer bits is right in any mode.
func oddSum(a, b float64) float64 {
	s := a + b
	bb := s - a
	return toOdd(s, (a-(s-bb))+(b-bb))
}

// toOdd makes s, which lacks rest to be exact, odd.
func toOdd(s, rest float64) float64 {
	if rest == 0 || rest != rest || math.Float64bits(s)&1 != 0 || math.IsInf(s, 0) {
		return s
	}
	if (rest > 0) == (s > 0) {
		return math.Float64frombits(math.Float64bits(s) + 1)
	}
	return math.Float64frombits(math.Float64bits(s) - 1)
}

// doubleOp computes in double precision: as the processor at hand does it, or
// exactly and then rounded in another mode.
func doubleOp(mode uint8, now float64, exact func() *big.Float) float64 {
	if mode == nearest || now != now || math.IsInf(now, 0) {
		return now
	}
	f, _ := new(big.Float).SetMode(bigModes[mode]).SetPrec(53).Set(exact()).Float64()
	return f
}

// bigOf is a finite number with room to compute exactly.
func bigOf(v float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(v) }
