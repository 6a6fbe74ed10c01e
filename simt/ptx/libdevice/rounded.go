package libdevice

import (
	"math"

	"simtgdb/simt/ptx/numeric"
)

// roundings are the library's names of the roundings.
var roundings = map[string]numeric.Rounding{
	"rn": numeric.Nearest, "rz": numeric.ToZero, "ru": numeric.Up, "rd": numeric.Down,
}

// singles are operations on singles, whose result is a double that rounds to a single as the exact result
// does.
var singles = map[string]func(x, y, z float64, mode numeric.Rounding) float64{
	"fadd":      func(x, y, _ float64, mode numeric.Rounding) float64 { return numeric.Sum(x, y, mode) },
	"fsub":      func(x, y, _ float64, mode numeric.Rounding) float64 { return numeric.Sum(x, -y, mode) },
	"fmul":      func(x, y, _ float64, _ numeric.Rounding) float64 { return x * y },
	"fdiv":      func(x, y, _ float64, _ numeric.Rounding) float64 { return numeric.DivOdd(x, y) },
	"frcp":      func(x, _, _ float64, _ numeric.Rounding) float64 { return numeric.DivOdd(1, x) },
	"fsqrt":     func(x, _, _ float64, _ numeric.Rounding) float64 { return numeric.SqrtOdd(x) },
	"fmaf":      sumOfProduct,
	"fmaf_ieee": sumOfProduct,
}

func sumOfProduct(x, y, z float64, mode numeric.Rounding) float64 { return numeric.Sum(x*y, z, mode) }

// doubles are operations on doubles.
var doubles = map[string]func(x, y, z float64, mode numeric.Rounding) float64{
	"dadd":  func(x, y, _ float64, mode numeric.Rounding) float64 { return numeric.Add64(x, y, mode) },
	"dsub":  func(x, y, _ float64, mode numeric.Rounding) float64 { return numeric.Add64(x, -y, mode) },
	"dmul":  func(x, y, _ float64, mode numeric.Rounding) float64 { return numeric.Mul64(x, y, mode) },
	"ddiv":  func(x, y, _ float64, mode numeric.Rounding) float64 { return numeric.Div64(x, y, mode) },
	"drcp":  func(x, _, _ float64, mode numeric.Rounding) float64 { return numeric.Div64(1, x, mode) },
	"dsqrt": func(x, _, _ float64, mode numeric.Rounding) float64 { return numeric.Sqrt64(x, mode) },
	"fma":   numeric.FMA64,
}

// addRounded adds operations with their rounding in their names, and conversions.
func addRounded() {
	for suffix, mode := range roundings {
		for name, f := range singles {
			add(name+"_"+suffix, func(v []uint64) uint64 {
				return numeric.Round32(
					f(single.number(v[0]), single.number(v[1]), single.number(v[2]), mode),
					mode,
				)
			})
		}
		for name, f := range doubles {
			add(name+"_"+suffix, func(v []uint64) uint64 {
				return double.result(f(double.number(v[0]), double.number(v[1]), double.number(v[2]), mode))
			})
		}
		addConversions(suffix, mode)
	}
	functions["fma"], functions["fmaf"] = functions["fma_rn"], functions["fmaf_rn"]
	add("frsqrt_rn", func(v []uint64) uint64 { return single.result(1 / math.Sqrt(single.number(v[0]))) })
	addConversion("float2half_rn", &numeric.Conversion{From: "f32", To: "f16"})
	addConversion("half2float", &numeric.Conversion{From: "f16", To: "f32"})
	for _, name := range []string{"float_as_int", "int_as_float", "float_as_uint", "uint_as_float",
		"double_as_longlong", "longlong_as_double"} {
		add(name, func(v []uint64) uint64 { return v[0] })
	}
	add("double2hiint", func(v []uint64) uint64 { return v[0] >> 32 })
	add("double2loint", func(v []uint64) uint64 { return uint64(uint32(v[0])) })
	add("hiloint2double", func(v []uint64) uint64 { return v[0]<<32 | v[1] })
}

// The library's words for types, and PTX's modifiers of roundings to whole numbers.
var (
	integerTypes = map[string]string{"int": "s32", "uint": "u32", "ll": "s64", "ull": "u64"}
	floatTypes   = map[string]string{"float": "f32", "double": "f64"}
	wholes       = map[string]string{"rn": "rni", "rz": "rzi", "ru": "rpi", "rd": "rmi"}
)

// addConversions adds those of a rounding between types.
func addConversions(suffix string, mode numeric.Rounding) {
	for i, it := range integerTypes {
		for f, ft := range floatTypes {
			addConversion(f+"2"+i+"_"+suffix,
				&numeric.Conversion{From: ft, To: it, Whole: numeric.Integral[wholes[suffix]]})
			exact := ft == "f64" && numeric.Widths[it] == 32
			if !exact || mode == numeric.Nearest { // 32 bits fit into a double: there is one rounding alone
				addConversion(i+"2"+f+"_"+suffix, &numeric.Conversion{From: it, To: ft, Mode: mode})
			}
		}
	}
	addConversion("double2float_"+suffix, &numeric.Conversion{From: "f64", To: "f32", Mode: mode})
}

func addConversion(name string, v *numeric.Conversion) {
	f, mask := v.Function(), numeric.Mask(numeric.Widths[v.To])
	add(name, func(x []uint64) uint64 { return f(x[0]) & mask })
}
