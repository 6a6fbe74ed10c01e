package texel

import (
	"encoding/binary"
	"math"
)

// A Texel is what a shader gets of a texel: four numbers, integers as such or floats, where components that
// the format lacks are 0, and A is 1 (Vulkan, "Conversion to RGBA"). All numbers of 32 bits are exact in
// it; of formats of integers of 64 bits ([Format.Wide]) it has their bits.
type Texel [4]float64

// Decode makes numbers of the bytes of a texel, of blocks the first one.
func (f *Format) Decode(b []byte) Texel {
	if f.block != 0 {
		return f.DecodePart(b, 0)
	}
	t := Texel{0, 0, 0, f.FromWhole(1)}
	if f.Numeric == Shared {
		return decodeShared(binary.LittleEndian.Uint32(b))
	}
	for _, c := range f.channels {
		if f.octets != nil {
			t[c.component] = f.octets[c.component/3][b[c.at/8]]
		} else {
			t[c.component] = f.number(c, channelBits(b, c))
		}
	}
	return t
}

// Encode makes bytes of numbers: what does not fit is clamped, floats are rounded to nearest, ties to even,
// and NaN is 0 where the format has none.
func (f *Format) Encode(t Texel, b []byte) { f.encode(t, b, false) }

// encode is Encode; full is as [Op.FullSnorm].
func (f *Format) encode(t Texel, b []byte, full bool) {
	if f.block != 0 || f.planes != nil { // nobody may write these
		return
	}
	if f.Numeric == Shared {
		binary.LittleEndian.PutUint32(b, encodeShared(t))
		return
	}
	clear(b[:f.Size])
	for _, c := range f.channels {
		put(b, c, f.code(c, t[c.component], full))
	}
}

// Codes are the bits of a texel's components as they are, extended by their signs if they are signed. What
// the format lacks is 0.
func (f *Format) Codes(b []byte, signed bool) (v [4]uint32) {
	for _, c := range f.channels {
		bits := channelBits(b, c)
		if signed {
			bits = uint64(int64(bits<<(64-c.bits)) >> (64 - c.bits))
		}
		v[c.component] = uint32(bits)
	}
	return v
}

// PutCodes is the counterpart of Codes: what does not fit is cut off.
func (f *Format) PutCodes(v [4]uint32, b []byte) {
	clear(b[:f.Size])
	for _, c := range f.channels {
		put(b, c, uint64(v[c.component]))
	}
}

// channelBits are a channel's.
func channelBits(b []byte, c channel) uint64 {
	switch at := c.at / 8; {
	case c.at%8 != 0:
	case c.bits == 32:
		return uint64(binary.LittleEndian.Uint32(b[at:]))
	case c.bits == 16:
		return uint64(binary.LittleEndian.Uint16(b[at:]))
	}
	var v uint64
	first := int(c.at) / 8
	for i := first; i*8 < int(c.at)+int(c.bits); i++ {
		v |= uint64(b[i]) << (8 * (i - first))
	}
	return v >> (c.at % 8) & (1<<c.bits - 1)
}

func put(b []byte, c channel, v uint64) {
	first := int(c.at) / 8
	v = v & (1<<c.bits - 1) << (c.at % 8)
	for i := first; i*8 < int(c.at)+int(c.bits); i++ {
		b[i] |= byte(v >> (8 * (i - first)))
	}
}

func (f *Format) number(c channel, v uint64) float64 {
	if f.Wide() {
		return math.Float64frombits(v)
	}
	if f.Numeric == Float && c.bits == 32 {
		return float64(math.Float32frombits(uint32(v)))
	}
	most := float64(uint64(1)<<c.bits - 1)
	signed := float64(int64(v<<(64-c.bits)) >> (64 - c.bits))
	switch f.Numeric {
	case Unorm:
		return float64(v) / most
	case SRGB:
		if c.component == 3 {
			return float64(v) / most
		}
		return fromSRGB(float64(v) / most)
	case Snorm:
		return max(signed/float64(uint64(1)<<(c.bits-1)-1), -1)
	case Uscaled, Uint:
		return float64(v)
	case Sscaled, Sint:
		return signed
	case Ufloat:
		return small(v, c.bits)
	}
	if c.bits == 16 {
		return small(v&0x7fff, 15) * sign(v>>15)
	}
	return math.Float64frombits(v)
}

func sign(s uint64) float64 { return 1 - 2*float64(s&1) }

func (f *Format) code(c channel, x float64, full bool) uint64 {
	if f.Wide() {
		return math.Float64bits(x)
	}
	most := float64(uint64(1)<<c.bits - 1)
	half := float64(uint64(1) << (c.bits - 1))
	switch f.Numeric {
	case Unorm:
		return uint64(math.RoundToEven(between(x, 0, 1) * most))
	case SRGB:
		if x = between(x, 0, 1); c.component != 3 {
			x = toSRGB(x)
		}
		return uint64(math.RoundToEven(x * most))
	case Snorm:
		least := 1 - half
		if full {
			least = -half
		}
		return uint64(int64(math.RoundToEven(between(x*(half-1), least, half-1))))
	case Uscaled, Uint:
		return uint64(math.RoundToEven(between(x, 0, most)))
	case Sscaled, Sint:
		return uint64(int64(math.RoundToEven(between(x, -half, half-1))))
	case Ufloat:
		if x < 0 {
			x = 0
		}
		return toSmall(x, c.bits)
	}
	switch c.bits {
	case 16:
		return toSmall(math.Abs(x), 15) | uint64(one(math.Signbit(x)))<<15
	case 64:
		return math.Float64bits(x)
	}
	return uint64(math.Float32bits(float32(x)))
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// between clamps a number; NaN is 0.
func between(x, least, most float64) float64 {
	if x != x {
		return 0
	}
	return max(least, min(most, x))
}

// Floats of few bits have an exponent of 5 bits with bias 15, and no sign here.
const (
	exponentBits = 5
	smallBias    = 15
)

func small(v uint64, width uint8) float64 {
	mantissa := uint(width) - exponentBits
	exponent, fraction := int(v>>mantissa), float64(v&(1<<mantissa-1))
	switch exponent {
	case 0:
		return math.Ldexp(fraction, 1-smallBias-int(mantissa))
	case 1<<exponentBits - 1:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(1)
	}
	return math.Ldexp(fraction+float64(uint64(1)<<mantissa), exponent-smallBias-int(mantissa))
}

// toSmall rounds a number that is not negative.
func toSmall(x float64, width uint8) uint64 {
	mantissa := uint(width) - exponentBits
	infinite := uint64(1<<exponentBits-1) << mantissa
	if x != x {
		return infinite | 1<<(mantissa-1)
	}
	if math.IsInf(x, 1) {
		return infinite
	}
	_, e := math.Frexp(x)
	e = max(e-1, 1-smallBias) // of the first bit, or of the least normal number
	n := math.RoundToEven(math.Ldexp(x, int(mantissa)-e))
	v := uint64(n)
	if v>>mantissa != 0 {
		v += uint64(e+smallBias-1) << mantissa // the first bit counts as one of the exponent
	}
	return min(v, infinite)
}

// The shared exponent (Vulkan, "Encoding of Shared Exponent").
const (
	sharedBits = 9
	sharedBias = 15
	sharedMost = 31
)

func decodeShared(v uint32) Texel {
	scale := math.Ldexp(1, int(v>>27)-sharedBias-sharedBits)
	return Texel{float64(v&0x1ff) * scale, float64(v>>9&0x1ff) * scale, float64(v>>18&0x1ff) * scale, 1}
}

func encodeShared(t Texel) uint32 {
	largest := math.Ldexp(float64(1<<sharedBits-1)/(1<<sharedBits), sharedMost-sharedBias)
	for i := range t {
		t[i] = between(t[i], 0, largest)
	}
	most := max(t[0], t[1], t[2])
	_, e := math.Frexp(most)
	exponent := max(-sharedBias-1, e-1) + 1 + sharedBias
	mantissa := func(x float64) float64 {
		return math.Floor(math.Ldexp(x, sharedBias+sharedBits-exponent) + 0.5)
	}
	if mantissa(most) == 1<<sharedBits {
		exponent++
	}
	return uint32(mantissa(t[0])) | uint32(mantissa(t[1]))<<9 | uint32(mantissa(t[2]))<<18 |
		uint32(exponent)<<27
}

// The transfer functions of sRGB (Khronos Data Format Specification, "sRGB transfer functions").

func fromSRGB(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func toSRGB(x float64) float64 {
	if x <= 0.0031308 {
		return x * 12.92
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}
