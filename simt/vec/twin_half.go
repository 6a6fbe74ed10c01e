package vec

import (
	"math"

	"simtgdb/simt/softfloat"
)

// The twins of the operations on 16-bit floats, and of conversions between floats.

var half = softfloat.Half

// halfFloat is the value of the low 16 bits, if that is no NaN.
func halfFloat(v uint32) float64 {
	m := uint64(v & 0x7fff)
	var x float64
	switch {
	case m < 1<<10:
		x = float64(m) * 0x1p-24
	case m >= 0x1f<<10:
		x = math.Inf(1)
	default:
		x = math.Float64frombits(m<<42 + (1023-15)<<52)
	}
	if v&0x8000 != 0 {
		return -x
	}
	return x
}

// isNaN16 reports whether the low 16 bits are a NaN.
func isNaN16(v uint32) bool { return v&0x7fff > 0x7c00 }

// rounded16 is the 16-bit float of x, or what an operation on a and b gives if x is a NaN.
func rounded16(x float64, a, b uint32) uint32 {
	if x != x {
		return uint32(half.FirstNaN(uint64(a&0xffff), uint64(b&0xffff)))
	}
	return uint32(half.Round(x, softfloat.RoundNearest))
}

// Sums and products of two are exact in 64 bits.

func addF16(a, b uint32) uint32 {
	if isNaN16(a) || isNaN16(b) {
		return rounded16(math.NaN(), a, b)
	}
	return rounded16(halfFloat(a)+halfFloat(b), a, b)
}

func subF16(a, b uint32) uint32 {
	if isNaN16(a) || isNaN16(b) {
		return rounded16(math.NaN(), a, b)
	}
	return rounded16(halfFloat(a)-halfFloat(b), a, b)
}

func mulF16(a, b uint32) uint32 {
	if isNaN16(a) || isNaN16(b) {
		return rounded16(math.NaN(), a, b)
	}
	return rounded16(halfFloat(a)*halfFloat(b), a, b)
}

// fmaF16 adds in 64 bits, which rounds only what is far from the middle of two results: a product of 22 bits
// that has places below those 64 bits keep is less than the distance of the other number from a middle.
func fmaF16(a, b, c uint32) uint32 {
	if isNaN16(a) || isNaN16(b) || isNaN16(c) {
		return uint32(half.FirstNaN(uint64(a&0xffff), uint64(b&0xffff), uint64(c&0xffff)))
	}
	return rounded16(halfFloat(a)*halfFloat(b)+halfFloat(c), a, b)
}

func low2(f func(a, b uint32) uint32) Func {
	return func(x *Args) {
		d, a, b := x.D, x.A, x.B
		for l := range d {
			d[l] = f(a[l], b[l])
		}
	}
}

func both2(f func(a, b uint32) uint32) Func {
	return func(x *Args) {
		d, a, b := x.D, x.A, x.B
		for l := range d {
			d[l] = f(a[l], b[l]) | f(a[l]>>16, b[l]>>16)<<16
		}
	}
}

func fmaF16Low(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = fmaF16(a[l], b[l], c[l])
	}
}

func fmaF16Both(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = fmaF16(a[l], b[l], c[l]) | fmaF16(a[l]>>16, b[l]>>16, c[l]>>16)<<16
	}
}

func f32F16(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		if isNaN16(a[l]) {
			d[l] = uint32(half.Convert(single, uint64(a[l]&0xffff), plain, plain))
		} else {
			d[l] = single1(float32(halfFloat(a[l])))
		}
	}
}

func f16F32(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		if p := float32s(a[l]); p != p {
			d[l] = uint32(single.Convert(half, uint64(a[l]), plain, plain))
		} else {
			d[l] = uint32(half.Round(float64(p), softfloat.RoundNearest))
		}
	}
}

func f64F32(x *Args) {
	d, d1 := x.D, x.D1
	for l := range d {
		p := float32s(x.A[l])
		v := math.Float64bits(float64(p))
		if p != p {
			v = single.Convert(double, uint64(x.A[l]), plain, plain)
		}
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func f32F64(x *Args) {
	d := x.D
	for l := range d {
		v := pairOf(x.A, x.A1, l)
		if p := math.Float64frombits(v); p != p {
			d[l] = uint32(double.Convert(single, v, plain, plain))
		} else {
			d[l] = single1(float32(p))
		}
	}
}
