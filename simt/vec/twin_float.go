package vec

import (
	"math"

	"simtgdb/simt/softfloat"
)

// The twins of the operations on floats.

var (
	single = softfloat.Single
	double = softfloat.Double

	plain   = softfloat.Env{KeepIn: true, KeepOut: true}
	flushed = softfloat.Env{}
)

func single1(v float32) uint32  { return math.Float32bits(v) }
func float32s(b uint32) float32 { return math.Float32frombits(b) }

// nan32 is what an operation on a and b gives if it gives a NaN.
func nan32(a, b uint32) uint32 { return uint32(single.FirstNaN(uint64(a), uint64(b))) }

func addF32(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		s := float32s(a[l]) + float32s(b[l])
		if s != s {
			d[l] = nan32(a[l], b[l])
		} else {
			d[l] = single1(s)
		}
	}
}

func subF32(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		s := float32s(a[l]) - float32s(b[l])
		if s != s {
			d[l] = nan32(a[l], b[l])
		} else {
			d[l] = single1(s)
		}
	}
}

func mulF32(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		s := float32s(a[l]) * float32s(b[l])
		if s != s {
			d[l] = nan32(a[l], b[l])
		} else {
			d[l] = single1(s)
		}
	}
}

func divF32(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		s := float32s(a[l]) / float32s(b[l])
		if s != s {
			d[l] = nan32(a[l], b[l])
		} else {
			d[l] = single1(s)
		}
	}
}

func sqrtF32(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		s := float32(math.Sqrt(float64(float32s(a[l]))))
		if s != s {
			d[l] = nan32(a[l], a[l])
		} else {
			d[l] = single1(s)
		}
	}
}

// fmaF32 computes in double precision, in which the product is exact; the
// sum, rounded there, may round a second time only if it is half-way between
// two singles or below the normal ones.
func fmaF32(x *Args) {
	const minNormal = 0x1p-126
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		s := float64(float32s(a[l]))*float64(float32s(b[l])) + float64(float32s(c[l]))
		if math.Float64bits(s)&0x1fffffff == 0x10000000 || !(s >= minNormal || s <= -minNormal) {
			d[l] = uint32(single.FMA(uint64(a[l]), uint64(b[l]), uint64(c[l]), 0, plain))
		} else {
			d[l] = single1(float32(s))
		}
	}
}

func madF32(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = uint32(single.Mad(uint64(a[l]), uint64(b[l]), uint64(c[l]), flushed))
	}
}

func minF32(x *Args) {
	e := plain
	e.IEEE = x.Quiet
	d, a, b := x.D, x.A, x.B
	for l := range d {
		p, q := float32s(a[l]), float32s(b[l])
		switch {
		case p < q || p == p && a[l] == b[l]:
			d[l] = a[l]
		case q < p:
			d[l] = b[l]
		default:
			d[l] = uint32(single.Minimum(uint64(a[l]), uint64(b[l]), e))
		}
	}
}

func maxF32(x *Args) {
	e := plain
	e.IEEE = x.Quiet
	d, a, b := x.D, x.A, x.B
	for l := range d {
		p, q := float32s(a[l]), float32s(b[l])
		switch {
		case p > q || p == p && a[l] == b[l]:
			d[l] = a[l]
		case q > p:
			d[l] = b[l]
		default:
			d[l] = uint32(single.Maximum(uint64(a[l]), uint64(b[l]), e))
		}
	}
}

// rcpF32 divides in 32 bits, which rounds correctly.
func rcpF32(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		if e := a[l] >> 23 & 0xff; e != 0 && e < 253 {
			d[l] = single1(1 / float32s(a[l]))
		} else {
			d[l] = uint32(single.Apply(func(v float64) float64 { return 1 / v }, uint64(a[l]), flushed))
		}
	}
}

// round32 is a function that makes integers of floats, NaNs quiet.
func round32(f func(float64) float64) Func {
	return func(x *Args) {
		d, a := x.D, x.A
		for l := range d {
			if single.IsNaN(uint64(a[l])) {
				d[l] = nan32(a[l], a[l])
			} else {
				d[l] = single1(float32(f(float64(float32s(a[l])))))
			}
		}
	}
}

func f32I(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		d[l] = single1(float32(int32(a[l])))
	}
}

func f32U(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		d[l] = single1(float32(a[l]))
	}
}

func iF32(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		switch p := float32s(a[l]); {
		case p > -0x1p31 && p < 0x1p31:
			d[l] = uint32(int32(p))
		case p >= 0x1p31:
			d[l] = math.MaxInt32
		case p < 0:
			d[l] = 1 << 31
		default:
			d[l] = 0
		}
	}
}

func uF32(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		switch p := float32s(a[l]); {
		case p >= 0 && p < 0x1p32:
			d[l] = uint32(int64(p))
		case p >= 0x1p32:
			d[l] = math.MaxUint32
		default:
			d[l] = 0
		}
	}
}

func eqF32(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if float32s(a[l]) == float32s(b[l]) {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func ltF32(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if float32s(a[l]) < float32s(b[l]) {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func leF32(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if float32s(a[l]) <= float32s(b[l]) {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func neF32(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if float32s(a[l]) < float32s(b[l]) || float32s(a[l]) > float32s(b[l]) {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func ordF32(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if float32s(a[l]) == float32s(a[l]) && float32s(b[l]) == float32s(b[l]) {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func addF64(x *Args) {
	d, d1 := x.D, x.D1
	for l := range d {
		p, q := pairOf(x.A, x.A1, l), pairOf(x.B, x.B1, l)
		s := math.Float64frombits(p) + math.Float64frombits(q)
		v := math.Float64bits(s)
		if s != s {
			v = double.FirstNaN(p, q)
		}
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func mulF64(x *Args) {
	d, d1 := x.D, x.D1
	for l := range d {
		p, q := pairOf(x.A, x.A1, l), pairOf(x.B, x.B1, l)
		s := math.Float64frombits(p) * math.Float64frombits(q)
		v := math.Float64bits(s)
		if s != s {
			v = double.FirstNaN(p, q)
		}
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func fmaF64(x *Args) {
	d, d1 := x.D, x.D1
	for l := range d {
		p, q, r := pairOf(x.A, x.A1, l), pairOf(x.B, x.B1, l), pairOf(x.C, x.C1, l)
		s := math.FMA(math.Float64frombits(p), math.Float64frombits(q), math.Float64frombits(r))
		v := math.Float64bits(s)
		if s != s {
			v = double.FirstNaN(p, q, r)
		}
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}
