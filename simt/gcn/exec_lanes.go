package gcn

import (
	"math"
)

// The functions here make the semantics of a row from a function of one lane's operands, for instructions
// that are not frequent enough for a loop of their own: map1 and so on, and each1 and so on where the
// function is made as the instruction executes, which then needs no memory. Operands and results travel as
// uint64 whatever their width; what a result has beyond the destination's width is dropped.

// get joins the dwords of one operand of a lane.
func get(l int, lo, hi *Vector) uint64 {
	v := uint64(lo[l&63])
	if hi != nil {
		v |= uint64(hi[l&63]) << 32
	}
	return v
}

func (x *lanes) set(l int, v uint64) { x.d[l&63], x.d1[l&63] = uint32(v), uint32(v>>32) }

// narrow reports whether the instruction works on single dwords.
func (x *lanes) narrow(highs ...*Vector) bool {
	for _, h := range highs {
		if h != nil {
			return false
		}
	}
	return typDwords[x.inst.dst.typ] == 1
}

func map1(f func(a uint64) uint64) func(*lanes) { return func(x *lanes) { x.each1(f) } }

func (x *lanes) each1(f func(a uint64) uint64) {
	d, a, a1 := x.d, x.a, x.a1
	if x.narrow(a1) {
		for l := range d {
			d[l] = uint32(f(uint64(a[l])))
		}
		return
	}
	for l := range d {
		x.set(l, f(get(l, a, a1)))
	}
}

func map2(f func(a, b uint64) uint64) func(*lanes) { return func(x *lanes) { x.each2(f) } }

func (x *lanes) each2(f func(a, b uint64) uint64) {
	d, a, a1, b, b1 := x.d, x.a, x.a1, x.b, x.b1
	if x.narrow(a1, b1) {
		for l := range d {
			d[l] = uint32(f(uint64(a[l]), uint64(b[l])))
		}
		return
	}
	for l := range d {
		x.set(l, f(get(l, a, a1), get(l, b, b1)))
	}
}

func map3(f func(a, b, c uint64) uint64) func(*lanes) { return func(x *lanes) { x.each3(f) } }

func (x *lanes) each3(f func(a, b, c uint64) uint64) {
	d, a, a1, b, b1, c, c1 := x.d, x.a, x.a1, x.b, x.b1, x.c, x.c1
	if x.narrow(a1, b1, c1) {
		for l := range d {
			d[l] = uint32(f(uint64(a[l]), uint64(b[l]), uint64(c[l])))
		}
		return
	}
	for l := range d {
		x.set(l, f(get(l, a, a1), get(l, b, b1), get(l, c, c1)))
	}
}

// float1, float2 and float3 are map1 and so on for a function of floats that
// heeds MODE.
func float1(f format, fn func(f format, a uint64, e env) uint64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(f, x.mode)
		x.each1(func(a uint64) uint64 { return fn(f, a&f.All(), e) })
	}
}

func float2(f format, fn func(f format, a, b uint64, e env) uint64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(f, x.mode)
		x.each2(func(a, b uint64) uint64 { return fn(f, a&f.All(), b&f.All(), e) })
	}
}

func float3(f format, fn func(f format, a, b, c uint64, e env) uint64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(f, x.mode)
		x.each3(func(a, b, c uint64) uint64 { return fn(f, a&f.All(), b&f.All(), c&f.All(), e) })
	}
}

// real1 is a function of a real number, rounded.
func real1(f format, fn func(float64) float64) func(*lanes) {
	if f == single {
		return real32(fn, func(mode uint32) env { return envOf(single, mode) })
	}
	return float1(f, func(f format, a uint64, e env) uint64 { return f.Apply(fn, a, e) })
}

// flush1 is real1 for the functions of 32 bits that know no denormals.
func flush1(fn func(float64) float64) func(*lanes) {
	return real32(fn, func(mode uint32) env {
		e := envOf(single, mode)
		e.KeepIn, e.KeepOut, e.Round = false, false, roundNearest
		return e
	})
}

// fromFloat is a function of a float that gives an integer; a NaN gives 0.
func fromFloat(f format, fn func(float64) uint32) func(*lanes) {
	return float1(f, func(f format, a uint64, e env) uint64 {
		if f.IsNaN(a) {
			return 0
		}
		return uint64(fn(f.Float(f.In(a, e))))
	})
}

// toFloat rounds a number made from an integer operand.
func toFloat(f format, fn func(a uint32) float64) func(*lanes) {
	return func(x *lanes) {
		e := envOf(f, x.mode)
		x.each1(func(a uint64) uint64 { return f.Round(fn(uint32(a)), e.Round) })
	}
}

// convert is a conversion between float formats.
func convert(from, to format) func(*lanes) {
	return func(x *lanes) {
		mode := x.mode
		x.each1(func(a uint64) uint64 { return convertFloat(from, to, a&from.All(), mode) })
	}
}

// bits32 and float32s are shorthands for the loops over single floats.
func bits32(f float32) uint32   { return math.Float32bits(f) }
func float32s(b uint32) float32 { return math.Float32frombits(b) }

// plain32 and plain64 report whether MODE asks for nothing but IEEE arithmetic.
func plain32(mode uint32) bool { return mode&(ModeRound32|ModeDenorm32) == ModeDenorm32 }
func plain64(mode uint32) bool { return mode&(ModeRound64|ModeDenorm64) == ModeDenorm64 }
