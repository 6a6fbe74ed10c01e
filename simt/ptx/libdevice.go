package ptx

import (
	"math"
	"math/big"
	"math/bits"
	"strings"

	"simtgdb/simt/libm"
)

// The functions of NVIDIA's device library by name ("libdevice User's Guide"). Functions of numbers are
// computed in double precision; those of single precision round its result once.
type (
	deviceFunc = func(v []uint64) uint64
	// A deviceWriter also writes through a pointer, its last arguments.
	deviceWriter struct {
		run  func(v []uint64) (result uint64, written []uint64)
		size int // bytes that each pointer leads to
	}
)

var (
	deviceFunctions = map[string]deviceFunc{}
	deviceWriters   = map[string]deviceWriter{}
	devicePrefix    = "__nv_"
	// deviceFloats are how many bits the floats have that functions make of nothing but floats.
	deviceFloats = map[string]uint8{}
)

// deviceFunction is one of them, or nil.
func deviceFunction(name string) func(c *Core, call *builtinCall) error {
	name, ok := strings.CutPrefix(name, devicePrefix)
	if !ok {
		return nil
	}
	if f := deviceFunctions[name]; f != nil {
		return func(_ *Core, call *builtinCall) error {
			call.each(func(l int) uint64 { return f(call.lane(l)) })
			return nil
		}
	}
	if f, ok := deviceWriters[name]; ok {
		return func(c *Core, call *builtinCall) error { return call.writeThrough(c, f) }
	}
	return norms[name]
}

// lane has the arguments of a lane.
func (b *builtinCall) lane(l int) []uint64 {
	v := make([]uint64, len(b.args), 4)
	for i := range b.args {
		v[i] = b.args[i].v[l]
	}
	for len(v) < 4 { // a function declared with fewer arguments than it has sees zeros
		v = append(v, 0)
	}
	return v
}

// writeThrough calls a function that writes through its last arguments.
func (b *builtinCall) writeThrough(c *Core, f deviceWriter) error {
	for m := b.mask; m != 0; m &= m - 1 {
		l := first(m)
		result, written := f.run(b.lane(l))
		for i, v := range written {
			n := len(b.args) - len(written) + i
			if n < 0 {
				continue
			}
			var p [8]byte
			putWord(p[:], 8, v)
			if err := c.writeGeneric(l, b.args[n].v[l], p[:f.size]); err != nil {
				return err
			}
		}
		b.result[l] = result
	}
	return nil
}

// device1 adds a function of one number in both precisions: name and namef; device2 and device3 those
// of more.
func device1(name string, f func(x float64) float64) {
	ofFloats(name)
	deviceFunctions[name] = func(v []uint64) uint64 { return canon64(f(f64(v[0]))) }
	deviceFunctions[name+"f"] = func(v []uint64) uint64 { return single32(f(float64(f32(v[0])))) }
}

func device2(name string, f func(x, y float64) float64) {
	ofFloats(name)
	deviceFunctions[name] = func(v []uint64) uint64 { return canon64(f(f64(v[0]), f64(v[1]))) }
	deviceFunctions[name+"f"] = func(v []uint64) uint64 {
		return single32(f(float64(f32(v[0])), float64(f32(v[1]))))
	}
}

// ofFloats notes that a function takes floats and gives one, in both precisions.
func ofFloats(name string) { deviceFloats[name], deviceFloats[name+"f"] = 64, 32 }

// device adds a function of bits.
func device(name string, f deviceFunc) { deviceFunctions[name] = f }

func single32(v float64) uint64 { return round32(v, nearest) }

func init() {
	for name, f := range map[string]func(x float64) float64{
		"ceil": math.Ceil, "fabs": math.Abs, "floor": math.Floor, "logb": math.Logb, "nearbyint": math.RoundToEven,
		"rint": math.RoundToEven, "round": math.Round, "sqrt": math.Sqrt, "trunc": math.Trunc,
	} {
		device1(name, f)
	}
	device("sqrtf", func(v []uint64) uint64 { return single32(sqrtOdd(float64(f32(v[0])))) })
	for name, f := range map[string]func(x, y float64) float64{
		"copysign": math.Copysign, "fdim": positiveDifference, "fmod": math.Mod, "remainder": math.Remainder,
		"fmax": func(x, y float64) float64 { return extremeOf(x, y, 1, false) },
		"fmin": func(x, y float64) float64 { return extremeOf(x, y, -1, false) },
	} {
		device2(name, f)
	}
	for name, f := range realFunctions {
		ofFloats(name)
		device(name, func(v []uint64) uint64 { return canon64(f.double(f64(v[0]))) })
		device(name+"f", func(v []uint64) uint64 { return single32(f.single(float64(f32(v[0])))) })
	}
	for name, f := range realFunctions2 {
		ofFloats(name)
		device(name, func(v []uint64) uint64 { return canon64(f.double(f64(v[0]), f64(v[1]))) })
		device(name+"f", func(v []uint64) uint64 {
			return single32(f.single(float64(f32(v[0])), float64(f32(v[1]))))
		})
	}
	device("nextafter", func(v []uint64) uint64 { return canon64(math.Nextafter(f64(v[0]), f64(v[1]))) })
	device("nextafterf", func(v []uint64) uint64 { return bits32(math.Nextafter32(f32(v[0]), f32(v[1]))) })
	device("nan", func([]uint64) uint64 { return canonical64 })
	device("nanf", func([]uint64) uint64 { return canonical32 })
	saturating := &shape{typ: "f32", sat: true}
	device("saturatef", func(v []uint64) uint64 { return saturating.out32(float64(f32(v[0]))) })
	initFast()
	initMixed()
	initRounded()
	initConversions()
	initIntegers()
	initWriters()
}

// positiveDifference is how much x is above y.
func positiveDifference(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// initFast adds the functions that NVIDIA's machines compute less exactly.
func initFast() {
	for _, name := range []string{"cosf", "exp10f", "expf", "log10f", "log2f", "logf", "powf", "sinf", "tanf"} {
		device("fast_"+name, deviceFunctions[name])
		deviceFloats["fast_"+name] = 32
	}
	device("fast_fdividef", func(v []uint64) uint64 {
		return single32(divOdd(float64(f32(v[0])), float64(f32(v[1]))))
	})
}

// initMixed adds functions of numbers and integers.
func initMixed() {
	both := func(name string, f func(x float64, n int) float64) {
		device(name, func(v []uint64) uint64 { return canon64(f(f64(v[0]), int(int32(v[1])))) })
		device(name+"f", func(v []uint64) uint64 { return single32(f(float64(f32(v[0])), int(int32(v[1])))) })
	}
	both("ldexp", math.Ldexp)
	both("scalbn", math.Ldexp)
	both("powi", libm.Powi)
	for name, f := range map[string]func(n int, x float64) float64{"jn": libm.Jn, "yn": libm.Yn} {
		device(name, func(v []uint64) uint64 { return canon64(f(int(int32(v[0])), f64(v[1]))) })
		device(name+"f", func(v []uint64) uint64 { return single32(f(int(int32(v[0])), float64(f32(v[1])))) })
	}
	whole := func(name string, f func(x float64) uint64) {
		device(name, func(v []uint64) uint64 { return f(f64(v[0])) })
		device(name+"f", func(v []uint64) uint64 { return f(float64(f32(v[0]))) })
	}
	whole("ilogb", func(x float64) uint64 {
		switch {
		case x == 0 || x != x:
			return 0x80000000
		case math.IsInf(x, 0):
			return 0x7fffffff
		}
		return uint64(uint32(math.Ilogb(x)))
	})
	round := func(f func(x float64) float64) func(x float64) uint64 {
		v := &conversion{from: "f64", to: "s64", whole: f}
		g := v.toInteger()
		return func(x float64) uint64 { return g(bits64(x)) }
	}
	whole("llrint", round(math.RoundToEven))
	whole("llround", round(math.Round))
	for _, p := range []struct {
		names [2]string
		f     func(x float64) bool
	}{
		{[2]string{"isfinited", "finitef"}, func(x float64) bool { return finite(x) }},
		{[2]string{"isinfd", "isinff"}, func(x float64) bool { return math.IsInf(x, 0) }},
		{[2]string{"isnand", "isnanf"}, math.IsNaN},
		{[2]string{"signbitd", "signbitf"}, math.Signbit},
	} {
		device(p.names[0], func(v []uint64) uint64 { return uint64(one(p.f(f64(v[0])))) })
		device(p.names[1], func(v []uint64) uint64 { return uint64(one(p.f(float64(f32(v[0]))))) })
	}
	device("fma", func(v []uint64) uint64 { return canon64(math.FMA(f64(v[0]), f64(v[1]), f64(v[2]))) })
	device("fmaf", func(v []uint64) uint64 { return fmaf(v, nearest) })
	for n, name := range map[int]string{3: "norm3d", 4: "norm4d"} {
		device(name, func(v []uint64) uint64 { return canon64(libm.Norm(doubles(v)[:n]...)) })
		device(name+"f", func(v []uint64) uint64 { return single32(libm.Norm(singles(v)[:n]...)) })
		device("r"+name, func(v []uint64) uint64 { return canon64(libm.Rnorm(doubles(v)[:n]...)) })
		device("r"+name+"f", func(v []uint64) uint64 { return single32(libm.Rnorm(singles(v)[:n]...)) })
	}
}

func fmaf(v []uint64, mode rounding) uint64 {
	x, y, z := float64(f32(v[0])), float64(f32(v[1])), float64(f32(v[2]))
	return round32(addDown(x*y, z, mode), mode)
}

func doubles(v []uint64) (x []float64) {
	for _, b := range v {
		x = append(x, f64(b))
	}
	return
}

func singles(v []uint64) (x []float64) {
	for _, b := range v {
		x = append(x, float64(f32(b)))
	}
	return
}

// roundingNames are the library's names of the roundings.
var roundingNames = map[string]rounding{"rn": nearest, "rz": toZero, "ru": up, "rd": down}

// initRounded adds arithmetic with a rounding.
func initRounded() {
	s := func(i int, v []uint64) float64 { return float64(f32(v[i])) }
	for suffix, mode := range roundingNames {
		device("fadd_"+suffix, func(v []uint64) uint64 { return round32(addDown(s(0, v), s(1, v), mode), mode) })
		device("fsub_"+suffix, func(v []uint64) uint64 { return round32(addDown(s(0, v), -s(1, v), mode), mode) })
		device("fmul_"+suffix, func(v []uint64) uint64 { return round32(s(0, v)*s(1, v), mode) })
		device("fdiv_"+suffix, func(v []uint64) uint64 { return round32(divOdd(s(0, v), s(1, v)), mode) })
		device("frcp_"+suffix, func(v []uint64) uint64 { return round32(divOdd(1, s(0, v)), mode) })
		device("fsqrt_"+suffix, func(v []uint64) uint64 { return round32(sqrtOdd(s(0, v)), mode) })
		device("fmaf_"+suffix, func(v []uint64) uint64 { return fmaf(v, mode) })
		device("fmaf_ieee_"+suffix, func(v []uint64) uint64 { return fmaf(v, mode) })
		device("dadd_"+suffix, func(v []uint64) uint64 { return canon64(add64(f64(v[0]), f64(v[1]), mode)) })
		device("dsub_"+suffix, func(v []uint64) uint64 { return canon64(add64(f64(v[0]), -f64(v[1]), mode)) })
		device("dmul_"+suffix, func(v []uint64) uint64 { return canon64(mul64(f64(v[0]), f64(v[1]), mode)) })
		device("ddiv_"+suffix, func(v []uint64) uint64 { return canon64(div64(f64(v[0]), f64(v[1]), mode)) })
		device("drcp_"+suffix, func(v []uint64) uint64 { return canon64(div64(1, f64(v[0]), mode)) })
		device("dsqrt_"+suffix, func(v []uint64) uint64 { return canon64(sqrt64(f64(v[0]), mode)) })
		device("fma_"+suffix, func(v []uint64) uint64 {
			return canon64(fma64(f64(v[0]), f64(v[1]), f64(v[2]), mode))
		})
	}
	device("frsqrt_rn", func(v []uint64) uint64 { return single32(1 / math.Sqrt(s(0, v))) })
}

// initConversions adds conversions: from and to are the library's words for the types.
func initConversions() {
	integers := map[string]string{"int": "s32", "uint": "u32", "ll": "s64", "ull": "u64"}
	floats := map[string]string{"float": "f32", "double": "f64"}
	wholes := map[string]string{"rn": "rni", "rz": "rzi", "ru": "rpi", "rd": "rmi"}
	add := func(name string, v *conversion) {
		f, mask := v.function(), widthMask(widths[v.to])
		device(name, func(x []uint64) uint64 { return f(x[0]) & mask })
	}
	for suffix, mode := range roundingNames {
		for i, it := range integers {
			for f, ft := range floats {
				add(f+"2"+i+"_"+suffix, &conversion{from: ft, to: it, whole: integral[wholes[suffix]]})
				exact := ft == "f64" && widths[it] == 32
				if !exact || suffix == "rn" { // 32 bits fit into a double: there is one rounding alone
					add(i+"2"+f+"_"+suffix, &conversion{from: it, to: ft, mode: mode})
				}
			}
		}
		add("double2float_"+suffix, &conversion{from: "f64", to: "f32", mode: mode})
	}
	add("float2half_rn", &conversion{from: "f32", to: "f16"})
	add("half2float", &conversion{from: "f16", to: "f32"})
	device("double2hiint", func(v []uint64) uint64 { return v[0] >> 32 })
	device("double2loint", func(v []uint64) uint64 { return uint64(uint32(v[0])) })
	device("hiloint2double", func(v []uint64) uint64 { return v[0]<<32 | v[1] })
	for _, name := range []string{"float_as_int", "int_as_float", "float_as_uint", "uint_as_float",
		"double_as_longlong", "longlong_as_double"} {
		device(name, func(v []uint64) uint64 { return v[0] })
	}
}

// initIntegers adds functions of integers.
func initIntegers() {
	u32 := func(v int64) uint64 { return uint64(uint32(v)) }
	s := func(v uint64) int64 { return int64(int32(v)) }
	for name, f := range map[string]deviceFunc{
		"abs":      func(v []uint64) uint64 { return u32(max(s(v[0]), -s(v[0]))) },
		"llabs":    func(v []uint64) uint64 { return uint64(max(int64(v[0]), -int64(v[0]))) },
		"min":      func(v []uint64) uint64 { return u32(min(s(v[0]), s(v[1]))) },
		"max":      func(v []uint64) uint64 { return u32(max(s(v[0]), s(v[1]))) },
		"umin":     func(v []uint64) uint64 { return min(v[0], v[1]) },
		"umax":     func(v []uint64) uint64 { return max(v[0], v[1]) },
		"llmin":    func(v []uint64) uint64 { return uint64(min(int64(v[0]), int64(v[1]))) },
		"llmax":    func(v []uint64) uint64 { return uint64(max(int64(v[0]), int64(v[1]))) },
		"ullmin":   func(v []uint64) uint64 { return min(v[0], v[1]) },
		"ullmax":   func(v []uint64) uint64 { return max(v[0], v[1]) },
		"mul24":    func(v []uint64) uint64 { return u32(int64(signExtend(v[0], 24) * signExtend(v[1], 24))) },
		"umul24":   func(v []uint64) uint64 { return u32(int64((v[0] & 0xffffff) * (v[1] & 0xffffff))) },
		"mulhi":    func(v []uint64) uint64 { return u32(s(v[0]) * s(v[1]) >> 32) },
		"umulhi":   func(v []uint64) uint64 { return v[0] * v[1] >> 32 },
		"mul64hi":  func(v []uint64) uint64 { return smulHi64(v[0], v[1]) },
		"umul64hi": func(v []uint64) uint64 { return mulHi64(v[0], v[1]) },
		"sad":      func(v []uint64) uint64 { return u32(max(s(v[0]), s(v[1])) - min(s(v[0]), s(v[1])) + s(v[2])) },
		"usad":     func(v []uint64) uint64 { return u32(int64(max(v[0], v[1]) - min(v[0], v[1]) + v[2])) },
		"popc":     func(v []uint64) uint64 { return popc(v[0]) },
		"popcll":   func(v []uint64) uint64 { return popc(v[0]) },
		"clz":      func(v []uint64) uint64 { return clz32(v[0]) },
		"clzll":    func(v []uint64) uint64 { return clz64(v[0]) },
		"ffs":      func(v []uint64) uint64 { return findFirst(v[0]) },
		"ffsll":    func(v []uint64) uint64 { return findFirst(v[0]) },
		"brev":     func(v []uint64) uint64 { return uint64(bits.Reverse32(uint32(v[0]))) },
		"brevll": func(v []uint64) uint64 {
			return bits.Reverse64(v[0])
		},
		"byte_perm": func(v []uint64) uint64 {
			out, pair := uint64(0), v[1]<<32|v[0]
			for i := range 4 {
				out |= pair >> (v[2] >> (4 * i) & 7 * 8) & 0xff << (8 * i)
			}
			return out
		},
		"hadd":   func(v []uint64) uint64 { return u32((s(v[0]) + s(v[1])) >> 1) },
		"rhadd":  func(v []uint64) uint64 { return u32((s(v[0]) + s(v[1]) + 1) >> 1) },
		"uhadd":  func(v []uint64) uint64 { return (v[0] + v[1]) >> 1 },
		"urhadd": func(v []uint64) uint64 { return (v[0] + v[1] + 1) >> 1 },
	} {
		device(name, f)
	}
}

func findFirst(v uint64) uint64 {
	if v == 0 {
		return 0
	}
	return uint64(bits.TrailingZeros64(v) + 1)
}

// initWriters adds functions that write through pointers.
func initWriters() {
	split := func(name string, f func(x float64) (float64, []float64)) {
		deviceWriters[name] = deviceWriter{size: 8, run: func(v []uint64) (uint64, []uint64) {
			r, w := f(f64(v[0]))
			var out []uint64
			for _, x := range w {
				out = append(out, canon64(x))
			}
			return canon64(r), out
		}}
		deviceWriters[name+"f"] = deviceWriter{size: 4, run: func(v []uint64) (uint64, []uint64) {
			r, w := f(float64(f32(v[0])))
			var out []uint64
			for _, x := range w {
				out = append(out, single32(x))
			}
			return single32(r), out
		}}
	}
	split("modf", func(x float64) (float64, []float64) {
		if math.IsInf(x, 0) {
			return math.Copysign(0, x), []float64{x}
		}
		whole, frac := math.Modf(x)
		return math.Copysign(frac, x), []float64{whole}
	})
	deviceWriters["sincos"] = sincos(8, libm.Sin, libm.Cos)
	deviceWriters["sincosf"] = sincos(4, math.Sin, math.Cos)
	deviceWriters["sincospi"] = sincos(8, libm.Sinpi, libm.Cospi)
	deviceWriters["sincospif"] = sincos(4, libm.Sinpi, libm.Cospi)
	deviceWriters["fast_sincosf"] = deviceWriters["sincosf"]
	frexp := func(x float64) (float64, uint64) {
		f, e := math.Frexp(x)
		return f, uint64(uint32(e))
	}
	deviceWriters["frexp"] = deviceWriter{size: 4, run: func(v []uint64) (uint64, []uint64) {
		f, e := frexp(f64(v[0]))
		return canon64(f), []uint64{e}
	}}
	deviceWriters["frexpf"] = deviceWriter{size: 4, run: func(v []uint64) (uint64, []uint64) {
		f, e := frexp(float64(f32(v[0])))
		return single32(f), []uint64{e}
	}}
	deviceWriters["remquo"] = deviceWriter{size: 4, run: func(v []uint64) (uint64, []uint64) {
		r, q := remquo(f64(v[0]), f64(v[1]))
		return canon64(r), []uint64{q}
	}}
	deviceWriters["remquof"] = deviceWriter{size: 4, run: func(v []uint64) (uint64, []uint64) {
		r, q := remquo(float64(f32(v[0])), float64(f32(v[1])))
		return single32(r), []uint64{q}
	}}
}

// remquo is the remainder of a division to nearest and the low three bits of the quotient, with its sign.
func remquo(x, y float64) (float64, uint64) {
	r := math.Remainder(x, y)
	if r != r || math.IsInf(y, 0) {
		return r, 0
	}
	q := new(big.Float).SetPrec(exactPrecision).Sub(exactly(x), exactly(r))
	q.Quo(q, exactly(y))
	n, _ := q.Int(nil)
	low := new(big.Int).And(new(big.Int).Abs(n), big.NewInt(7)).Int64()
	if n.Sign() < 0 {
		low = -low
	}
	return r, uint64(uint32(low))
}

// sincos writes a sine and a cosine.
func sincos(size int, sin, cos func(x float64) float64) deviceWriter {
	if size == 8 {
		return deviceWriter{size: size, run: func(v []uint64) (uint64, []uint64) {
			return 0, []uint64{canon64(sin(f64(v[0]))), canon64(cos(f64(v[0])))}
		}}
	}
	return deviceWriter{size: size, run: func(v []uint64) (uint64, []uint64) {
		x := float64(f32(v[0]))
		return 0, []uint64{single32(sin(x)), single32(cos(x))}
	}}
}

// norms have a count and a pointer to numbers.
var norms = map[string]func(c *Core, call *builtinCall) error{
	"norm": normOf(8, false), "normf": normOf(4, false), "rnorm": normOf(8, true), "rnormf": normOf(4, true),
}

func normOf(size int, reciprocal bool) func(c *Core, call *builtinCall) error {
	return func(c *Core, call *builtinCall) error {
		for m := call.mask; m != 0; m &= m - 1 {
			l := first(m)
			v := call.lane(l)
			var x []float64
			for i := range min(max(int(int32(v[0])), 0), 1<<20) {
				var p [8]byte
				if err := c.readGeneric(l, v[1]+uint64(i*size), p[:size]); err != nil {
					return err
				}
				if size == 4 {
					x = append(x, float64(f32(word(p[:], 4))))
				} else {
					x = append(x, f64(word(p[:], 8)))
				}
			}
			r := libm.Norm(x...)
			if reciprocal {
				r = libm.Rnorm(x...)
			}
			call.result[l] = canon64(r)
			if size == 4 {
				call.result[l] = single32(r)
			}
		}
		return nil
	}
}
