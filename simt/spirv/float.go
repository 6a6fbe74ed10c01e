package spirv

import "math"

// toFloat is the number that a float of a width is.
func toFloat(v uint64, width uint) float64 {
	switch width {
	case 32:
		return float64(math.Float32frombits(uint32(v)))
	case 16:
		return half(uint16(v))
	}
	return math.Float64frombits(v)
}

// fromFloat rounds to the nearest float of a width, ties to even. What is computed in 64 bits of one
// addition, multiplication, division or square root of narrower floats is rounded as if it had been
// exact.
func fromFloat(x float64, width uint) uint64 {
	switch width {
	case 32:
		return uint64(math.Float32bits(float32(x)))
	case 16:
		return uint64(toHalf(x))
	}
	return math.Float64bits(x)
}

// half is the number that IEEE binary16 bits are.
func half(h uint16) float64 {
	sign, exp, frac := uint64(h>>15)<<63, uint64(h>>10&31), uint64(h&0x3ff)
	switch exp {
	case 0: // multiples of 2^-24
		return math.Float64frombits(sign | math.Float64bits(float64(frac)*0x1p-24))
	case 31:
		return math.Float64frombits(sign | 0x7ff<<52 | frac<<42)
	}
	const bias = 1023 - 15
	return math.Float64frombits(sign | (exp+bias)<<52 | frac<<42)
}

// toHalf rounds to binary16.
func toHalf(x float64) uint16 {
	b := math.Float64bits(x)
	sign := uint16(b >> 48 & 0x8000)
	a := math.Abs(x)
	switch {
	case x != x:
		return sign | 0x7e00 | uint16(b>>42&0x1ff)
	case a >= 65520:
		return sign | 0x7c00
	case a < 0x1p-14: // multiples of 2^-24
		return sign | uint16(math.RoundToEven(a*0x1p24))
	}
	const bias, dropped = (1023 - 15) << 10, 42 // bits of the fraction
	b &^= 1 << 63
	// Rounded to even; a carry is the next exponent.
	return sign | uint16((b+b>>dropped&1+1<<(dropped-1)-1)>>dropped-bias)
}

// Rounding modes of conversions (section 3.18).
const (
	roundEven = iota
	roundZero
	roundUp
	roundDown
)

// roundFloat is fromFloat with a rounding mode.
func roundFloat(x float64, width uint, mode uint32) uint64 {
	v := fromFloat(x, width)
	y := toFloat(v, width)
	if mode == roundEven || x != x || y == x || math.IsInf(x, 0) {
		return v
	}
	toward := map[uint32]bool{roundZero: math.Abs(y) > math.Abs(x), roundUp: y < x, roundDown: y > x}
	if !toward[mode] {
		return v
	}
	// One unit in the last place away is the other neighbour of x.
	signBit := uint64(1) << (width - 1)
	away := mode == roundUp && x > 0 || mode == roundDown && x < 0
	if v&^signBit == 0 && away {
		return v&signBit | 1
	}
	if away {
		return v + 1
	}
	return v - 1
}

// fma32 is x*y+z rounded once.
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z) // the product is exact
	s := p + c
	if math.IsInf(s, 0) || s != s {
		return float32(s)
	}
	// Round to odd: where s is not exact, its last bit says so to the second rounding.
	t := s - p
	if e := (p - (s - t)) + (c - t); e != 0 {
		if b := math.Float64bits(s); b&1 == 0 {
			if (e > 0) == (s > 0) {
				b++
			} else {
				b--
			}
			s = math.Float64frombits(b)
		}
	}
	return float32(s)
}

// fmaOf is x*y+z rounded once in a width.
func fmaOf(width uint) func(x, y, z uint64) uint64 {
	switch width {
	case 32:
		return func(x, y, z uint64) uint64 { return bits32(fma32(f32(x), f32(y), f32(z))) }
	case 16: // the product has 22 bits, so that the sum in 64 bits is exact but for a tail that cannot matter
		return func(x, y, z uint64) uint64 {
			return fromFloat(math.FMA(toFloat(x, 16), toFloat(y, 16), toFloat(z, 16)), 16)
		}
	}
	return func(x, y, z uint64) uint64 {
		return math.Float64bits(math.FMA(math.Float64frombits(x), math.Float64frombits(y),
			math.Float64frombits(z)))
	}
}

func f32(v uint64) float32    { return math.Float32frombits(uint32(v)) }
func bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }
