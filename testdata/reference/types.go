package reference

import (
	"math"
	"math/bits"
)

func wide(l *Launch) {
	const results = 10
	a, b, d := input[uint64](l, 0), input[uint64](l, 1), input[float64](l, 2)
	whole, real := input[uint64](l, 3), input[float64](l, 4)
	n := l.i32(5)
	for id := range l.items(n) {
		x := float64((d[id] - 0.5) * 1e6)
		y := float64(d[n-1-id]*3) + 0.25
		wideIntegers(a[id], b[id], whole[id*results:])
		wideDoubles(x, y, a[id], real[id*results:])
	}
	set(l, 3, whole)
	set(l, 4, real)
}

func wideIntegers(a, b uint64, out []uint64) {
	dividend, divisor := int64(a), int64(b)>>20|1
	shift := b & 63
	out[0] = a + b
	out[1] = a - b
	out[2] = a * b
	out[3] = uint64(dividend / divisor)
	out[4] = uint64(dividend % divisor)
	out[5] = a / 1000003
	out[6] = a<<shift ^ uint64(dividend>>shift)
	out[7] = b >> shift
	out[8] = uint64(min(dividend, int64(b)))
	out[9], _ = bits.Mul64(a, b)
}

func wideDoubles(x, y float64, a uint64, out []float64) {
	out[0] = x + y
	out[1] = x * y
	out[2] = x / y
	out[3] = math.Sqrt(math.Abs(x))
	out[4] = math.FMA(x, y, -x)
	out[5] = float64(int64(a))
	out[6] = float64(int64(float64(x * 1048576)))
	out[7] = float64(float32(x))
	out[8] = math.Floor(x) + math.Trunc(y) + float64(int32(x))
	out[9] = float64(a)
	if x < y {
		out[9] = float64(uint32(a))
	}
}

func types(l *Launch) {
	in, chars, shorts := input[uint32](l, 0), input[int8](l, 1), input[int16](l, 2)
	halves, fields := input[Half](l, 3), input[uint32](l, 4)
	ints, floats := input[int32](l, 5), input[float32](l, 6)
	halfOut, charOut := input[Half](l, 7), input[int8](l, 8)
	n := l.i32(9)
	for id := range l.items(n) {
		u, c, h := in[id], chars[id], shorts[id]
		f, g := float32(int32(u)), float32(h)+0.5
		typesInts(u, c, h, ints[id*11:])
		typesFloats(u, c, f, g, halves[id], floats[id*6:])
		typesHalves(halves[id], halves[n-1-id], h, g, halfOut[id*8:])
		fields[id] = typesFields(fields[id], c)
		charOut[id] = int8(int32(c)/3 - int32(h))
	}
	set(l, 4, fields)
	set(l, 5, ints)
	set(l, 6, floats)
	set(l, 7, halfOut)
	set(l, 8, charOut)
}

func typesInts(u uint32, c int8, h int16, out []int32) {
	s, divisor := int32(u), int32(h)|1
	out[0] = s / divisor
	out[1] = s % divisor
	out[2] = int32(u / uint32(int32(c)|256))
	out[3] = int32(u % uint32(c&127|1))
	out[4] = s/10 + int32(u%7)
	out[5] = int32(c) * int32(h)
	out[6] = int32(h<<3) + int32(uint8(int32(c)+200))
	out[7] = int32(bits.OnesCount32(u) + bits.LeadingZeros32(u|1)*64)
	for k, weight := range []int32{1000000, 10000, 100, 1} {
		out[8] += int32(uint8(u>>(8*k))+uint8(k+1)) * weight
	}
	low, high := uint16(h)*uint16(h)+5, uint16(s)*uint16(s)+65531
	out[9] = int32(low) ^ int32(high)<<4
	odd, negative := u&1 != 0, c < 0
	switch {
	case odd != negative:
		out[10] = 1
	case odd:
		out[10] = 2
	default:
		out[10] = 3
	}
}

func typesFloats(u uint32, c int8, f, g float32, a Half, out []float32) {
	out[0] = f / g
	out[1] = float32(math.Sqrt(float64(float32(u)))) // correctly rounded: 53 bits are enough for 24
	out[2] = float32(float32(uint8(c))*0.25) - g
	out[3] = float32(int32(float32(g * 0.125)))
	out[4] = float32(a.Float())
	out[5] = min(f, g) + max(g, 3)
}

func typesHalves(a, b Half, h int16, g float32, out []Half) {
	half, two := HalfOf(0.5), HalfOf(2)
	out[0] = a.add(b)
	out[1] = a.mul(b)
	out[2] = a.sub(b.mul(two))
	out[3] = HalfOf(float64(g))
	out[4] = HalfOf(float64(h >> 4))
	out[5] = FMA16(a, b, a).sub(b)
	out[6] = FMA16(b, half, b).sub(half)
	out[7] = b ^ 0x8000
	if a.Float() < b.Float() {
		out[7] = a
	}
}

// typesFields changes kind:5, offset:7, length:12 and bias:8 of one word, of
// which offset and bias are signed.
func typesFields(word uint32, c int8) uint32 {
	kind, offset := word&31, int32(word<<20)>>25
	length, bias := word>>12&4095, int32(word)>>24
	kind = (kind + 3) & 31
	offset = (offset*2 - 1) & 127
	length = (length ^ uint32(int32(c))) & 4095
	bias = bias >> 1 & 255
	return kind | uint32(offset)<<5 | length<<12 | uint32(bias)<<24
}
