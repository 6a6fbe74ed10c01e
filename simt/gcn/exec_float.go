package gcn

import "simtgdb/simt/softfloat"

// Floats, as package softfloat has them.
type (
	format = softfloat.Format
	env    = softfloat.Env
)

var (
	half16  = softfloat.Half
	single  = softfloat.Single
	brain16 = softfloat.BFloat16
	double  = softfloat.Double
)

// Rounding modes as MODE numbers them.
const (
	roundNearest = softfloat.RoundNearest
	roundUp      = softfloat.RoundUp
	roundDown    = softfloat.RoundDown
	roundZero    = softfloat.RoundZero
)

// What AMD's instructions make of floats beyond the arithmetic of package softfloat: MODE, modifiers and
// classes.

var fpFormat = map[typ]format{f16: half16, v2f16: half16, f32: single, v2f32: single, mixed: single,
	bf16: brain16, v2bf16: brain16, mixedB: single, f64: double}

// formatOf is the format of an operand type.
func formatOf(t typ) (format, bool) {
	f, ok := fpFormat[t]
	return f, ok
}

// envOf reads MODE for the format: 32-bit floats have fields of their own, the
// others share.
func envOf(f format, mode uint32) env {
	r, d := mode>>2&3, mode>>6&3
	if f.Width == 32 {
		r, d = mode&3, mode>>4&3
	}
	return env{Round: uint8(r), KeepIn: d&1 != 0, KeepOut: d&2 != 0, IEEE: mode&ModeIEEE != 0}
}

// convertFloat makes a value of format g from one of format f as MODE says.
func convertFloat(f, g format, v uint64, mode uint32) uint64 {
	return f.Convert(g, v, envOf(f, mode), envOf(g, mode))
}

// outputOf applies OMOD and CLAMP to a result.
func outputOf(f format, v uint64, omod uint8, clamp, dx10 bool, e env) uint64 {
	if omod != 0 && !f.IsNaN(v) {
		scale := [4]float64{1, 2, 4, 0.5}[omod]
		if v = f.Out(f.Round(f.Float(v)*scale, e.Round), e); v == f.Sign() {
			v = 0
		}
	}
	switch {
	case !clamp:
	case f.IsNaN(v) && dx10, v&f.Sign() != 0 && !f.IsNaN(v):
		return 0
	case !f.IsNaN(v) && v > f.One():
		return f.One()
	}
	return v
}

// classBits are the tests of v_cmp_class.
const (
	classSNaN = 1 << iota
	classQNaN
	classNegInf
	classNegNormal
	classNegDenorm
	classNegZero
	classZero
	classDenorm
	classNormal
	classInf
)

// classFloat is the one test of v_cmp_class that v meets.
func classFloat(f format, v uint64) uint32 {
	neg := v&f.Sign() != 0
	pick := func(a, b uint32) uint32 {
		if neg {
			return a
		}
		return b
	}
	switch m := f.Abs(v); {
	case f.IsSNaN(v):
		return classSNaN
	case f.IsNaN(v):
		return classQNaN
	case m == f.Inf():
		return pick(classNegInf, classInf)
	case m == 0:
		return pick(classNegZero, classZero)
	case f.IsDenorm(v):
		return pick(classNegDenorm, classDenorm)
	}
	return pick(classNegNormal, classNormal)
}
