package gcn

import (
	"math"
	"math/bits"
)

// The loops of the frequent vector instructions.

func movB32(x *lanes) { *x.d = *x.a }

func movB64(x *lanes) {
	d, d1, a, a1 := x.d, x.d1, x.a, x.a1
	for l := range d {
		lo, hi := a[l], a1[l]
		d[l], d1[l] = lo, hi
	}
}

func addU32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = a[l] + b[l]
	}
}

func subU32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = a[l] - b[l]
	}
}

func andB32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = a[l] & b[l]
	}
}

func orB32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = a[l] | b[l]
	}
}

func xorB32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = a[l] ^ b[l]
	}
}

func lshlrevB32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = b[l] << (a[l] & 31)
	}
}

func lshrrevB32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = b[l] >> (a[l] & 31)
	}
}

func ashrrevI32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = uint32(int32(b[l]) >> (a[l] & 31))
	}
}

func mulLoU32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = a[l] * b[l]
	}
}

func mulHiU32(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = uint32(uint64(a[l]) * uint64(b[l]) >> 32)
	}
}

func add3U32(x *lanes) {
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		d[l] = a[l] + b[l] + c[l]
	}
}

func lshlAddU32(x *lanes) {
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		d[l] = a[l]<<(b[l]&31) + c[l]
	}
}

func lshlAddU64(x *lanes) {
	d, d1, a, a1, b, c, c1 := x.d, x.d1, x.a, x.a1, x.b, x.c, x.c1
	for l := range d {
		v := (uint64(a[l])|uint64(a1[l])<<32)<<(b[l]&7) + (uint64(c[l]) | uint64(c1[l])<<32)
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func lshlrevB64(x *lanes) {
	d, d1, a, b, b1 := x.d, x.d1, x.a, x.b, x.b1
	for l := range d {
		v := (uint64(b[l]) | uint64(b1[l])<<32) << (a[l] & 63)
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func lshrrevB64(x *lanes) {
	d, d1, a, b, b1 := x.d, x.d1, x.a, x.b, x.b1
	for l := range d {
		v := (uint64(b[l]) | uint64(b1[l])<<32) >> (a[l] & 63)
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func madU64U32(x *lanes) {
	d, d1, a, b, c, c1 := x.d, x.d1, x.a, x.b, x.c, x.c1
	var out uint64
	for l := range d {
		v, carry := bits.Add64(uint64(a[l])*uint64(b[l]), uint64(c[l])|uint64(c1[l])<<32, 0)
		d[l], d1[l] = uint32(v), uint32(v>>32)
		out |= carry << (l & 63)
	}
	x.out = out
}

func cndmaskB32(x *lanes) {
	d, a, b, m := x.d, x.a, x.b, x.in
	for l := range d {
		pick := uint32(-int32(m & 1))
		d[l] = a[l]&^pick | b[l]&pick
		m >>= 1
	}
}

// addCarry adds a, b and the carries of the lanes.
func (x *lanes) addCarry(in uint64) {
	d, a, b := x.d, x.a, x.b
	var out uint64
	for l := range d {
		s := uint64(a[l]) + uint64(b[l]) + in&1
		in >>= 1
		d[l] = uint32(s)
		out = out>>1 | s>>32<<63
	}
	x.out = out
}

// subBorrow subtracts the source b and the borrows of the lanes from a.
func (x *lanes) subBorrow(in uint64) {
	d, a, b := x.d, x.a, x.b
	var out uint64
	for l := range d {
		s := uint64(a[l]) - uint64(b[l]) - in&1
		in >>= 1
		d[l] = uint32(s)
		out = out>>1 | s>>63<<63
	}
	x.out = out
}

func addCoU32(x *lanes)  { x.addCarry(0) }
func addcCoU32(x *lanes) { x.addCarry(x.in) }
func subCoU32(x *lanes)  { x.subBorrow(0) }
func subbCoU32(x *lanes) { x.subBorrow(x.in) }

// reversed exchanges the first two sources.
func reversed(f func(*lanes)) func(*lanes) {
	return func(x *lanes) {
		x.a, x.b = x.b, x.a
		f(x)
	}
}

func addF32(x *lanes) {
	if !plain32(x.mode) {
		float2(single, format.Add)(x)
		return
	}
	d, a, b := x.d, x.a, x.b
	for l := range d {
		s := float32s(a[l]) + float32s(b[l])
		if s != s {
			d[l] = nan32(a[l], b[l])
		} else {
			d[l] = bits32(s)
		}
	}
}

func subF32(x *lanes) {
	if !plain32(x.mode) {
		float2(single, format.Sub)(x)
		return
	}
	d, a, b := x.d, x.a, x.b
	for l := range d {
		s := float32s(a[l]) - float32s(b[l])
		if s != s {
			d[l] = nan32(a[l], b[l])
		} else {
			d[l] = bits32(s)
		}
	}
}

func mulF32(x *lanes) {
	if !plain32(x.mode) {
		float2(single, format.Mul)(x)
		return
	}
	d, a, b := x.d, x.a, x.b
	for l := range d {
		s := float32s(a[l]) * float32s(b[l])
		if s != s {
			d[l] = nan32(a[l], b[l])
		} else {
			d[l] = bits32(s)
		}
	}
}

// nan32 is what an operation on a and b gives if it gives a NaN.
func nan32(a, b uint32) uint32 { return uint32(single.FirstNaN(uint64(a), uint64(b))) }

// fmaF32 computes in double precision, in which the product is exact; the
// sum, rounded there, may round a second time only if it is half-way between
// two singles or below the normal ones.
func fmaF32(x *lanes) {
	if !plain32(x.mode) {
		float3(single, format.FMAPlain)(x)
		return
	}
	const minNormal = 0x1p-126
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		s := float64(float32s(a[l]))*float64(float32s(b[l])) + float64(float32s(c[l]))
		if math.Float64bits(s)&0x1fffffff == 0x10000000 || !(s >= minNormal || s <= -minNormal) {
			d[l] = uint32(single.FMA(uint64(a[l]), uint64(b[l]), uint64(c[l]), 0, env{KeepIn: true, KeepOut: true}))
		} else {
			d[l] = bits32(float32(s))
		}
	}
}

func fmaF64(x *lanes) {
	if !plain64(x.mode) {
		float3(double, format.FMAPlain)(x)
		return
	}
	d, d1, a, a1, b, b1, c, c1 := x.d, x.d1, x.a, x.a1, x.b, x.b1, x.c, x.c1
	for l := range d {
		p := uint64(a[l]) | uint64(a1[l])<<32
		q := uint64(b[l]) | uint64(b1[l])<<32
		r := uint64(c[l]) | uint64(c1[l])<<32
		s := math.FMA(math.Float64frombits(p), math.Float64frombits(q), math.Float64frombits(r))
		v := math.Float64bits(s)
		if s != s {
			v = double.FirstNaN(p, q, r)
		}
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func bfeU32(x *lanes) {
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		d[l] = a[l] >> (b[l] & 31) & (1<<(c[l]&31) - 1)
	}
}

func andOrB32(x *lanes) {
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		d[l] = a[l]&b[l] | c[l]
	}
}

func or3B32(x *lanes) {
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		d[l] = a[l] | b[l] | c[l]
	}
}

func lshlOrB32(x *lanes) {
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		d[l] = a[l]<<(b[l]&31) | c[l]
	}
}

func mulI24(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = uint32((int32(a[l]) << 8 >> 8) * (int32(b[l]) << 8 >> 8))
	}
}

func mulU24(x *lanes) {
	d, a, b := x.d, x.a, x.b
	for l := range d {
		d[l] = (a[l] & 0xff_ffff) * (b[l] & 0xff_ffff)
	}
}

// minF32 and maxF32 leave zeros of both signs and NaNs to the slow function.
func minF32(x *lanes) {
	e := envOf(single, x.mode)
	d, a, b := x.d, x.a, x.b
	for l := range d {
		p, q := float32s(a[l]), float32s(b[l])
		switch {
		case (p < q || p == p && a[l] == b[l]) && e.KeepIn && e.KeepOut:
			d[l] = a[l]
		case q < p && e.KeepIn && e.KeepOut:
			d[l] = b[l]
		default:
			d[l] = uint32(single.Minimum(uint64(a[l]), uint64(b[l]), e))
		}
	}
}

func maxF32(x *lanes) {
	e := envOf(single, x.mode)
	d, a, b := x.d, x.a, x.b
	for l := range d {
		p, q := float32s(a[l]), float32s(b[l])
		switch {
		case (p > q || p == p && a[l] == b[l]) && e.KeepIn && e.KeepOut:
			d[l] = a[l]
		case q > p && e.KeepIn && e.KeepOut:
			d[l] = b[l]
		default:
			d[l] = uint32(single.Maximum(uint64(a[l]), uint64(b[l]), e))
		}
	}
}

func addF64(x *lanes) {
	if !plain64(x.mode) {
		float2(double, format.Add)(x)
		return
	}
	d, d1, a, a1, b, b1 := x.d, x.d1, x.a, x.a1, x.b, x.b1
	for l := range d {
		p, q := uint64(a[l])|uint64(a1[l])<<32, uint64(b[l])|uint64(b1[l])<<32
		s := math.Float64frombits(p) + math.Float64frombits(q)
		v := math.Float64bits(s)
		if s != s {
			v = double.FirstNaN(p, q)
		}
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func mulF64(x *lanes) {
	if !plain64(x.mode) {
		float2(double, format.Mul)(x)
		return
	}
	d, d1, a, a1, b, b1 := x.d, x.d1, x.a, x.a1, x.b, x.b1
	for l := range d {
		p, q := uint64(a[l])|uint64(a1[l])<<32, uint64(b[l])|uint64(b1[l])<<32
		s := math.Float64frombits(p) * math.Float64frombits(q)
		v := math.Float64bits(s)
		if s != s {
			v = double.FirstNaN(p, q)
		}
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func cvtF32I32(x *lanes) {
	if x.mode&ModeRound32 != roundNearest {
		toFloat(single, signed)(x)
		return
	}
	d, a := x.d, x.a
	for l := range d {
		d[l] = bits32(float32(int32(a[l])))
	}
}

func cvtF32U32(x *lanes) {
	if x.mode&ModeRound32 != roundNearest {
		toFloat(single, unsigned)(x)
		return
	}
	d, a := x.d, x.a
	for l := range d {
		d[l] = bits32(float32(a[l]))
	}
}

// cvtI32F32 leaves what is out of range to the slow function.
func cvtI32F32(x *lanes) {
	d, a := x.d, x.a
	for l := range d {
		if p := float32s(a[l]); p > -0x1p31 && p < 0x1p31 {
			d[l] = uint32(int32(p))
		} else {
			d[l] = toI32(float64(p))
		}
	}
}

func cvtU32F32(x *lanes) {
	d, a := x.d, x.a
	for l := range d {
		if p := float32s(a[l]); p >= 0 && p < 0x1p32 {
			d[l] = uint32(int64(p))
		} else {
			d[l] = toU32(float64(p))
		}
	}
}

// rcpF32 divides in 32 bits, which rounds correctly; denormals are flushed.
func rcpF32(x *lanes) {
	d, a := x.d, x.a
	for l := range d {
		if e := a[l] >> 23 & 0xff; e != 0 && e < 253 {
			d[l] = bits32(1 / float32s(a[l]))
		} else {
			d[l] = uint32(single.Apply(recip, uint64(a[l]), env{}))
		}
	}
}

// eq, lt and so on set a bit of a mask for each lane in which they hold.

func eqU32(a, b *Vector) (m uint64) {
	for l := range a {
		m >>= 1
		if a[l] == b[l] {
			m |= 1 << 63
		}
	}
	return m
}

func ltU32(a, b *Vector) (m uint64) {
	for l := range a {
		m >>= 1
		if a[l] < b[l] {
			m |= 1 << 63
		}
	}
	return m
}

func ltI32(a, b *Vector) (m uint64) {
	for l := range a {
		m >>= 1
		if int32(a[l]) < int32(b[l]) {
			m |= 1 << 63
		}
	}
	return m
}

func eqF32(a, b *Vector) (m uint64) {
	for l := range a {
		m >>= 1
		if float32s(a[l]) == float32s(b[l]) {
			m |= 1 << 63
		}
	}
	return m
}

func ltF32(a, b *Vector) (m uint64) {
	for l := range a {
		m >>= 1
		if float32s(a[l]) < float32s(b[l]) {
			m |= 1 << 63
		}
	}
	return m
}
