package gcn

import (
	"maps"
	"math"
)

// The models of the vector rows that gfx9 has not got, written from the pseudocode of the RDNA and CDNA 5 ISA
// documents.

func init() {
	maps.Copy(rowModels, laterRowModels)
	maps.Copy(rowModels, brainModels)
}

var laterRowModels = map[string]model{
	"mov_b16": uint16s(func(a, b, c uint64) uint64 { return a }), "not_b16": uint16s(func(a, b,
		c uint64) uint64 {
		return ^a
	}),
	"and_b16":     uint16s(func(a, b, c uint64) uint64 { return a & b }),
	"or_b16":      uint16s(func(a, b, c uint64) uint64 { return a | b }),
	"xor_b16":     uint16s(func(a, b, c uint64) uint64 { return a&^b | b&^a }),
	"cndmask_b16": func(x *operands) uint64 { return rowModels["cndmask_b32"](x) },
	"cvt_i32_i16": int3(func(a, b, c uint64) uint64 { return uint64(sx(a, 16)) }),
	"cvt_u32_u16": int3(func(a, b, c uint64) uint64 { return a & 0xffff }),
	"add_nc_u64":  int3(func(a, b, c uint64) uint64 { return a + b }),
	"sub_nc_u64":  int3(func(a, b, c uint64) uint64 { return a - b }),
	"mul_u64":     int3(func(a, b, c uint64) uint64 { return a * b }),
	"max_u64":     int3(func(a, b, c uint64) uint64 { return max(a, b) }),
	"min_u64":     int3(func(a, b, c uint64) uint64 { return min(a, b) }),
	"max_i64":     int3(func(a, b, c uint64) uint64 { return uint64(max(int64(a), int64(b))) }),
	"min_i64":     int3(func(a, b, c uint64) uint64 { return uint64(min(int64(a), int64(b))) }),
	"mad_u32":     int3(func(a, b, c uint64) uint64 { return a*b + c }),
	"mad_nc_u64_u32": int3(func(a, b, c uint64) uint64 {
		return low32(a)*low32(b) + c
	}),
	"mad_nc_i64_i32": int3(func(a, b, c uint64) uint64 { return uint64(sx(a, 32)*sx(b, 32)) + c }),
	"mul_lo_i32":     int3(func(a, b, c uint64) uint64 { return a * b }),
	"xor3_b32":       int3(func(a, b, c uint64) uint64 { return a ^ b ^ c }),
	"maxmin_u32":     uint32s(func(a, b, c uint64) uint64 { return min(max(a, b), c) }),
	"minmax_u32":     uint32s(func(a, b, c uint64) uint64 { return max(min(a, b), c) }),
	"maxmin_i32":     int32s(func(a, b, c int64) int64 { return min(max(a, b), c) }),
	"minmax_i32":     int32s(func(a, b, c int64) int64 { return max(min(a, b), c) }),
	"add_max_i32":    int32s(func(a, b, c int64) int64 { return max(int64(int32(a+b)), c) }),
	"add_min_i32":    int32s(func(a, b, c int64) int64 { return min(int64(int32(a+b)), c) }),
	"add_max_u32":    uint32s(func(a, b, c uint64) uint64 { return max(low32(a+b), c) }),
	"add_min_u32":    uint32s(func(a, b, c uint64) uint64 { return min(low32(a+b), c) }),

	"sat_pk4_i4_i8": nibblesOf(func(v uint64) uint64 { return clampInt(sx(v, 8), -8, 7) }),
	"sat_pk4_u4_u8": nibblesOf(func(v uint64) uint64 { return clampInt(int64(v), 0, 15) }),

	"mac_legacy_f32": int3(legacySum), "fmac_legacy_f32": int3(legacyFused),
	"fmac_dx9_zero_f32": int3(legacyFused),
	"fma_dx9_zero_f32":  int3(legacyFused),
	"fma_legacy_f32":    int3(legacyFused),
	"mullit_f32": int3(func(a, b, c uint64) uint64 {
		y, z := valueOf(single, low32(b)), valueOf(single, low32(c))
		if y != y || z != z || z <= 0 || y <= -math.MaxFloat32 {
			return uint64(math.Float32bits(-math.MaxFloat32))
		}
		return legacy(single, a, b, mul2)
	}),
	"cvt_pk_i16_f32": int3(func(a, b, c uint64) uint64 {
		return shortOf(a, math.MinInt16, math.MaxInt16) | shortOf(b, math.MinInt16, math.MaxInt16)<<16
	}),
	"cvt_pk_u16_f32": int3(func(a, b, c uint64) uint64 {
		return shortOf(a, 0, math.MaxUint16) | shortOf(b, 0, math.MaxUint16)<<16
	}),

	"minimum_f32": of2(single, minOf), "maximum_f32": of2(single, maxOf), "minimum_f16": of2(half16, minOf),
	"maximum_f16": of2(half16, maxOf), "minimum_f64": of2(double, minOf), "maximum_f64": of2(double, maxOf),
	"minimum3_f16":       func(x *operands) uint64 { return ordered3(half16, x.a, x.b, x.c, minOf) },
	"maximum3_f16":       func(x *operands) uint64 { return ordered3(half16, x.a, x.b, x.c, maxOf) },
	"minimummaximum_f32": between(single, true), "maximumminimum_f32": between(single, false),
	"minimummaximum_f16": between(half16, true), "maximumminimum_f16": between(half16, false),
	"minmax_f32": numBetween(single, true), "maxmin_f32": numBetween(single, false),
	"minmax_f16": numBetween(half16, true), "maxmin_f16": numBetween(half16, false),
	"pk_minimum_f16": floatHalves(
		func(f format, a, b, c uint64) uint64 { return orderedTwo(f, a, b, minOf) }),
	"pk_maximum_f16": floatHalves(
		func(f format, a, b, c uint64) uint64 { return orderedTwo(f, a, b, maxOf) }),
	"pk_max3_num_f16": floatHalves(func(f format, a, b, c uint64) uint64 {
		return maxOf(f, maxOf(f, a, b), c)
	}),
	"pk_min3_num_f16": floatHalves(func(f format, a, b, c uint64) uint64 {
		return minOf(f, minOf(f, a, b), c)
	}),
	"pk_add_max_i16": signedHalves(func(a, b, c int64) int64 { return max(int64(int16(a+b)), c) }),
	"pk_add_min_i16": signedHalves(func(a, b, c int64) int64 { return min(int64(int16(a+b)), c) }),
	"pk_add_max_u16": halves(func(a, b, c uint64) uint64 { return max((a+b)&0xffff, c) }),
	"pk_add_min_u16": halves(func(a, b, c uint64) uint64 { return min((a+b)&0xffff, c) }),
	"pk_max3_i16":    signedHalves(func(a, b, c int64) int64 { return max(a, b, c) }),
	"pk_min3_i16":    signedHalves(func(a, b, c int64) int64 { return min(a, b, c) }),
	"pk_max3_u16":    halves(func(a, b, c uint64) uint64 { return max(a, b, c) }),
	"pk_min3_u16":    halves(func(a, b, c uint64) uint64 { return min(a, b, c) }),

	// With no sign bits set their fields are unsigned.
	"dot4_i32_iu8": fields(8, false), "dot8_i32_iu4": fields(4, false),
	"dot4_f32_fp8_fp8": dotBytes("ocp_fp8", "ocp_fp8"), "dot4_f32_fp8_bf8": dotBytes("ocp_fp8", "ocp_bf8"),
	"dot4_f32_bf8_fp8": dotBytes("ocp_bf8", "ocp_fp8"), "dot4_f32_bf8_bf8": dotBytes("ocp_bf8", "ocp_bf8"),
	"dot2_f16_f16": dotOf(half16), "dot2_bf16_bf16": dotOf(brain16),

	"tanh_f32": func(x *operands) uint64 { return real(single, math.Tanh)(x) },
	"tanh_f16": func(x *operands) uint64 { return real(half16, math.Tanh)(x) },

	"cvt_f16_fp8": int3(func(a, b, c uint64) uint64 { return halfOfByte("ocp_fp8", a) }),
	"cvt_f16_bf8": int3(func(a, b, c uint64) uint64 { return halfOfByte("ocp_bf8", a) }),
	"cvt_pk_f16_fp8": int3(func(a, b, c uint64) uint64 {
		return halfOfByte("ocp_fp8", a) | halfOfByte("ocp_fp8", a>>8)<<16
	}),
	"cvt_pk_f16_bf8": int3(func(a, b, c uint64) uint64 {
		return halfOfByte("ocp_bf8", a) | halfOfByte("ocp_bf8", a>>8)<<16
	}),
	"cvt_pk_fp8_f16": int3(func(a, b, c uint64) uint64 { return bytesOfHalves("ocp_fp8", a) }),
	"cvt_pk_bf8_f16": int3(func(a, b, c uint64) uint64 { return bytesOfHalves("ocp_bf8", a) }),
}

// brainModels are those of bfloat16.
var brainModels = map[string]model{
	"rcp_bf16":  real(brain16, func(x float64) float64 { return 1 / x }),
	"sqrt_bf16": real(brain16, math.Sqrt), "exp_bf16": real(brain16, math.Exp2), "log_bf16": real(brain16,
		math.Log2),
	"rsq_bf16": real(brain16, func(x float64) float64 { return math.Copysign(1/math.Sqrt(x), x) }),
	"sin_bf16": real(brain16, sine(0)), "cos_bf16": real(brain16, sine(1)), "tanh_bf16": real(brain16,
		math.Tanh),

	"pk_add_bf16":     brainHalves(func(f format, a, b, c uint64) uint64 { return add2(f, a, b) }),
	"pk_mul_bf16":     brainHalves(func(f format, a, b, c uint64) uint64 { return mul2(f, a, b) }),
	"pk_fma_bf16":     brainHalves(fma3),
	"pk_min_num_bf16": brainHalves(func(f format, a, b, c uint64) uint64 { return minOf(f, a, b) }),
	"pk_max_num_bf16": brainHalves(func(f format, a, b, c uint64) uint64 { return maxOf(f, a, b) }),
	"fma_mix_f32_bf16": func(x *operands) uint64 {
		return fma3(single, x.a, x.b, x.c)
	},
	"fma_mixlo_bf16": brainOf(fma3), "fma_mixhi_bf16": brainOf(fma3),
}

func brainHalves(f func(f format, a, b, c uint64) uint64) model {
	return halves(func(a, b, c uint64) uint64 { return f(brain16, a, b, c) })
}

func brainOf(f func(f format, a, b, c uint64) uint64) model {
	return func(x *operands) uint64 { return converted(single, brain16, f(single, x.a, x.b, x.c)) }
}

func nibblesOf(f func(v uint64) uint64) model {
	return func(x *operands) (r uint64) {
		for i := range 4 {
			r |= f(x.a>>(8*i)&0xff) & 0xf << (4 * i)
		}
		return r
	}
}

func legacySum(a, b, c uint64) uint64 {
	p := legacy(single, flushed(single, a), flushed(single, b), mul2)
	return flushed(single, add2(single, flushed(single, p), flushed(single, c)))
}

// legacyFused is a fused product and sum in which 0 times anything is 0.
func legacyFused(a, b, c uint64) uint64 {
	if valueOf(single, low32(a)) == 0 || valueOf(single, low32(b)) == 0 {
		return add2(single, 0, c)
	}
	return fma3(single, a, b, c)
}

func shortOf(v uint64, lo, hi int64) uint64 {
	return toInteger(valueOf(single, low32(v)), lo, hi) & 0xffff
}

func orderedTwo(f format, a, b uint64, of func(f format, a, b uint64) uint64) uint64 {
	if nan, ok := quieted(f, a, b); ok {
		return nan
	}
	return of(f, a, b)
}

func of2(f format, of func(f format, a, b uint64) uint64) model {
	return func(x *operands) uint64 { return orderedTwo(f, x.a, x.b, of) }
}

// between is the minimum and then the maximum, or the other way around, with NaNs handed on.
func between(f format, minimumFirst bool) model {
	return func(x *operands) uint64 {
		if minimumFirst {
			return orderedTwo(f, orderedTwo(f, x.a, x.b, minOf), x.c, maxOf)
		}
		return orderedTwo(f, orderedTwo(f, x.a, x.b, maxOf), x.c, minOf)
	}
}

// numBetween is the same with numbers preferred to NaNs.
func numBetween(f format, minimumFirst bool) model {
	return func(x *operands) uint64 {
		if minimumFirst {
			return maxOf(f, minOf(f, x.a, x.b), x.c)
		}
		return minOf(f, maxOf(f, x.a, x.b), x.c)
	}
}

// dotBytes adds products of floats of 8 bits one after the other.
func dotBytes(a, b string) model {
	return func(x *operands) uint64 {
		v := low32(x.c)
		for i := 0; i < 32; i += 8 {
			v = fma3(single, byteFormats[a].single(x.a>>i), byteFormats[b].single(x.b>>i), v)
		}
		return v
	}
}

// dotOf adds two products, one after the other.
func dotOf(f format) model {
	return func(x *operands) uint64 {
		v := x.c & 0xffff
		for i := 0; i < 32; i += 16 {
			v = fma3(f, x.a>>i&0xffff, x.b>>i&0xffff, v)
		}
		return v
	}
}

func halfOfByte(name string, v uint64) uint64 {
	f := byteFormats[name]
	x := f.value(v)
	if x != x {
		return 0x7e00 | v&0x80<<8
	}
	return encode(half16, x)
}

func bytesOfHalves(name string, v uint64) uint64 {
	wide := func(h uint64) uint64 { return converted(half16, single, h&0xffff) }
	return byteFormats[name].nearest(wide(v)) | byteFormats[name].nearest(wide(v>>16))<<8
}
