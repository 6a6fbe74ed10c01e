package libdevice

import (
	"math"

	"simtgdb/simt/libm"
	"simtgdb/simt/ptx/numeric"
)

// exact1 and exact2 are functions whose result a double holds, or an operation that rounds once; those of
// single precision are the same.
var (
	exact1 = map[string]func(x float64) float64{
		"ceil":      math.Ceil,
		"fabs":      math.Abs,
		"floor":     math.Floor,
		"logb":      math.Logb,
		"nearbyint": math.RoundToEven,
		"rint":      math.RoundToEven,
		"round":     math.Round,
		"trunc":     math.Trunc,
	}
	exact2 = map[string]func(x, y float64) float64{
		"copysign": math.Copysign, "fdim": positiveDifference, "fmod": math.Mod, "remainder": math.Remainder,
		"fmax": func(x, y float64) float64 { return numeric.Extreme(x, y, 1, false) },
		"fmin": func(x, y float64) float64 { return numeric.Extreme(x, y, -1, false) },
	}
)

// real1 are functions of real numbers that no few operations give, for both precisions. Go's own, which are
// right to a few units in the last place of a double, are for single precision alone, to which they are
// rounded.
var real1 = map[string]struct{ double, single func(x float64) float64 }{
	"acos":  {libm.Acos, math.Acos},
	"acosh": {libm.Acosh, math.Acosh},
	"asin":  {libm.Asin, math.Asin},
	"asinh": {libm.Asinh, math.Asinh},
	"atan":  {libm.Atan, math.Atan},
	"atanh": {libm.Atanh, math.Atanh},
	"cbrt": {
		libm.Cbrt,
		math.Cbrt,
	},
	"rcbrt":         {libm.Rcbrt, func(x float64) float64 { return 1 / math.Cbrt(x) }},
	"cos":           {libm.Cos, math.Cos},
	"cosh":          {libm.Cosh, math.Cosh},
	"cospi":         {libm.Cospi, libm.Cospi},
	"cyl_bessel_i0": {libm.I0, libm.I0},
	"cyl_bessel_i1": {libm.I1, libm.I1},
	"erf":           {libm.Erf, math.Erf},
	"erfc":          {libm.Erfc, math.Erfc},
	"erfcinv":       {libm.Erfcinv, libm.Erfcinv},
	"erfcx":         {libm.Erfcx, libm.Erfcx},
	"erfinv":        {libm.Erfinv, math.Erfinv},
	"exp":           {libm.Exp, math.Exp},
	"exp10":         {libm.Exp10, libm.Exp10},
	"exp2":          {libm.Exp2, math.Exp2},
	"expm1":         {libm.Expm1, math.Expm1},
	"j0":            {libm.J0, libm.J0},
	"j1":            {libm.J1, libm.J1},
	"y0":            {libm.Y0, libm.Y0},
	"y1":            {libm.Y1, libm.Y1},
	"lgamma":        {libm.Lgamma, libm.Lgamma},
	"tgamma":        {libm.Gamma, libm.Gamma},
	"log":           {libm.Log, math.Log},
	"log10":         {libm.Log10, libm.Log10},
	"log1p":         {libm.Log1p, math.Log1p},
	"log2":          {libm.Log2, libm.Log2},
	"normcdf":       {libm.Normcdf, libm.Normcdf},
	"normcdfinv":    {libm.Normcdfinv, libm.Normcdfinv},
	"rsqrt":         {libm.Rsqrt, reciprocalRoot},
	"sin":           {libm.Sin, math.Sin},
	"sinh":          {libm.Sinh, math.Sinh},
	"sinpi":         {libm.Sinpi, libm.Sinpi},
	"sqrt":          {math.Sqrt, numeric.SqrtOdd},
	"tan":           {libm.Tan, math.Tan},
	"tanh":          {libm.Tanh, math.Tanh},
}

// real2 are those of two numbers.
var real2 = map[string]struct{ double, single func(x, y float64) float64 }{
	"atan2": {libm.Atan2, math.Atan2}, "pow": {libm.Pow, libm.Pow},
	"hypot": {libm.Hypot, libm.Hypot}, "rhypot": {libm.Rhypot, libm.Rhypot},
}

// fast are the functions of single precision that NVIDIA's machines compute less exactly.
var fast = []string{"cosf", "exp10f", "expf", "log10f", "log2f", "logf", "powf", "sinf", "tanf"}

// addReals adds functions of real numbers.
func addReals() {
	for name, f := range exact1 {
		double.add1(name, f)
		single.add1(name, f)
	}
	for name, f := range exact2 {
		double.add2(name, f)
		single.add2(name, f)
	}
	for name, f := range real1 {
		double.add1(name, f.double)
		single.add1(name, f.single)
	}
	for name, f := range real2 {
		double.add2(name, f.double)
		single.add2(name, f.single)
	}
	for _, name := range fast {
		functions["fast_"+name] = functions[name]
	}
	add("fast_fdividef", func(v []uint64) uint64 {
		return single.result(numeric.DivOdd(single.number(v[0]), single.number(v[1])))
	})
	add("nextafter", func(v []uint64) uint64 {
		return double.result(math.Nextafter(double.number(v[0]), double.number(v[1])))
	})
	add("nextafterf", func(v []uint64) uint64 {
		return numeric.Bits32(math.Nextafter32(numeric.F32(v[0]), numeric.F32(v[1])))
	})
	add("nan", func([]uint64) uint64 { return numeric.NaN64 })
	add("nanf", func([]uint64) uint64 { return numeric.NaN32 })
	addConversion("saturatef", &numeric.Conversion{From: "f32", To: "f32", Sat: true})
	for _, p := range []*precision{&double, &single} {
		p.addWithIntegers()
		p.addNorms()
	}
}

// reciprocalRoot is 1/sqrt(x), to less than a single's last place.
func reciprocalRoot(x float64) float64 { return 1 / math.Sqrt(x) }

// positiveDifference is how much x is above y.
func positiveDifference(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// addWithIntegers adds functions of floats and integers, and such that give integers.
func (p *precision) addWithIntegers() {
	for name, f := range map[string]func(x float64, n int) float64{
		"ldexp": math.Ldexp, "scalbn": math.Ldexp, "powi": libm.Powi,
	} {
		add(name+p.suffix, func(v []uint64) uint64 { return p.result(f(p.number(v[0]), int(int32(v[1])))) })
	}
	for name, f := range map[string]func(n int, x float64) float64{"jn": libm.Jn, "yn": libm.Yn} {
		add(name+p.suffix, func(v []uint64) uint64 { return p.result(f(int(int32(v[0])), p.number(v[1]))) })
	}
	add("ilogb"+p.suffix, func(v []uint64) uint64 { return exponent(p.number(v[0])) })
	for name, round := range map[string]func(x float64) float64{"llrint": math.RoundToEven,
		"llround": math.Round} {
		f := (&numeric.Conversion{From: "f64", To: "s64", Whole: round}).Function()
		add(name+p.suffix, func(v []uint64) uint64 { return f(numeric.Bits64(p.number(v[0]))) })
	}
	kinds := map[string]func(x float64) bool{
		"isfinited": finite, "isinfd": infinite, "isnand": math.IsNaN, "signbitd": math.Signbit,
	}
	if p.suffix != "" {
		kinds = map[string]func(x float64) bool{
			"finitef": finite, "isinff": infinite, "isnanf": math.IsNaN, "signbitf": math.Signbit,
		}
	}
	for name, f := range kinds {
		add(name, func(v []uint64) uint64 { return bit(f(p.number(v[0]))) })
	}
}

func finite(x float64) bool   { return numeric.Finite(x) }
func infinite(x float64) bool { return math.IsInf(x, 0) }

// exponent is ilogb's result: the exponent of a number, or an end of the range of int.
func exponent(x float64) uint64 {
	switch {
	case x == 0 || x != x:
		return 0x80000000
	case math.IsInf(x, 0):
		return 0x7fffffff
	}
	return uint64(uint32(math.Ilogb(x)))
}

// addNorms adds the lengths of vectors of three and four numbers.
func (p *precision) addNorms() {
	for n, name := range map[int]string{3: "norm3d", 4: "norm4d"} {
		add(name+p.suffix, func(v []uint64) uint64 { return p.result(libm.Norm(p.numbers(v[:n])...)) })
		add("r"+name+p.suffix, func(v []uint64) uint64 { return p.result(libm.Rnorm(p.numbers(v[:n])...)) })
	}
}
