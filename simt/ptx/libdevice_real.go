package ptx

import (
	"math"

	"simtgdb/simt/libm"
)

// A realFunction is one whose results are real numbers that no few operations give, for both precisions.
// Go's own functions, which are right to a few units in the last place of a double, are for single
// precision alone, to which they are rounded.
type realFunction struct {
	double, single func(x float64) float64
}

var realFunctions = map[string]realFunction{
	"acos": {libm.Acos, math.Acos}, "acosh": {libm.Acosh, math.Acosh},
	"asin": {libm.Asin, math.Asin}, "asinh": {libm.Asinh, math.Asinh},
	"atan": {libm.Atan, math.Atan}, "atanh": {libm.Atanh, math.Atanh},
	"cbrt": {libm.Cbrt, math.Cbrt}, "rcbrt": {libm.Rcbrt, func(x float64) float64 { return 1 / math.Cbrt(x) }},
	"cos": {libm.Cos, math.Cos}, "cosh": {libm.Cosh, math.Cosh}, "cospi": {libm.Cospi, libm.Cospi},
	"cyl_bessel_i0": {libm.I0, libm.I0}, "cyl_bessel_i1": {libm.I1, libm.I1},
	"erf": {libm.Erf, math.Erf}, "erfc": {libm.Erfc, math.Erfc}, "erfcinv": {libm.Erfcinv, libm.Erfcinv},
	"erfcx": {libm.Erfcx, libm.Erfcx}, "erfinv": {libm.Erfinv, math.Erfinv},
	"exp": {libm.Exp, math.Exp}, "exp10": {libm.Exp10, libm.Exp10}, "exp2": {libm.Exp2, math.Exp2},
	"expm1": {libm.Expm1, math.Expm1},
	"j0":    {libm.J0, libm.J0}, "j1": {libm.J1, libm.J1}, "y0": {libm.Y0, libm.Y0}, "y1": {libm.Y1, libm.Y1},
	"lgamma": {libm.Lgamma, libm.Lgamma}, "tgamma": {libm.Gamma, libm.Gamma},
	"log": {libm.Log, math.Log}, "log10": {libm.Log10, libm.Log10}, "log1p": {libm.Log1p, math.Log1p},
	"log2":    {libm.Log2, libm.Log2},
	"normcdf": {libm.Normcdf, libm.Normcdf}, "normcdfinv": {libm.Normcdfinv, libm.Normcdfinv},
	"rsqrt": {libm.Rsqrt, rsqrt},
	"sin":   {libm.Sin, math.Sin}, "sinh": {libm.Sinh, math.Sinh}, "sinpi": {libm.Sinpi, libm.Sinpi},
	"tan": {libm.Tan, math.Tan}, "tanh": {libm.Tanh, math.Tanh},
}

// A realFunction2 is one of two numbers.
type realFunction2 struct {
	double, single func(x, y float64) float64
}

var realFunctions2 = map[string]realFunction2{
	"atan2": {libm.Atan2, math.Atan2}, "pow": {libm.Pow, libm.Pow},
	"hypot": {libm.Hypot, libm.Hypot}, "rhypot": {libm.Rhypot, libm.Rhypot},
}
