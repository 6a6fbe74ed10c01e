package gcn

import (
	"math"

	"simtgdb/simt/softfloat/floattest"
)

// int3 is a model on integers.
func int3(f func(a, b, c uint64) uint64) model {
	return func(x *operands) uint64 { return f(x.a, x.b, x.c) }
}

// int32s is a model on signed 32-bit integers.
func int32s(f func(a, b, c int64) int64) model {
	return func(x *operands) uint64 { return uint64(f(sx(x.a, 32), sx(x.b, 32), sx(x.c, 32))) }
}

// uint32s is a model on unsigned ones; uint16s and int16s are for 16 bits.
func uint32s(f func(a, b, c uint64) uint64) model {
	return func(x *operands) uint64 { return f(low32(x.a), low32(x.b), low32(x.c)) }
}

func uint16s(f func(a, b, c uint64) uint64) model {
	return func(x *operands) uint64 { return f(x.a&0xffff, x.b&0xffff, x.c&0xffff) }
}

func int16s(f func(a, b, c int64) int64) model {
	return func(x *operands) uint64 { return uint64(f(sx(x.a, 16), sx(x.b, 16), sx(x.c, 16))) }
}

// middle is the median of three integers.
func middle[T int64 | uint64](a, b, c T) T { return max(min(a, b), min(max(a, b), c)) }

func signedHalves(f func(a, b, c int64) int64) model {
	return halves(func(a, b, c uint64) uint64 { return uint64(f(sx(a, 16), sx(b, 16), sx(c, 16))) })
}

func floatHalves(f func(f format, a, b, c uint64) uint64) model {
	return halves(func(a, b, c uint64) uint64 { return f(half16, a, b, c) })
}

// fromInt makes a float of an integer.
func fromInt(f format, v func(x *operands) int64) model {
	return func(x *operands) uint64 { return encode(f, float64(v(x))) }
}

// toInteger3 converts a float to an integer.
func toInteger3(f format, lo, hi int64, round func(float64) float64) model {
	return func(x *operands) uint64 { return toInteger(round(valueOf(f, x.a&f.All())), lo, hi) }
}

func packed(f format, scale, lo float64) model {
	return func(x *operands) uint64 { return norm(f, x.a, scale, lo) | norm(f, x.b, scale, lo)<<16 }
}

// towardsZero rounds a single to a half so.
func towardsZero(v uint64) uint64 {
	v &= single.All()
	if single.Abs(v) >= single.Inf() || single.Abs(v) == 0 {
		return converted(single, half16, v)
	}
	return floattest.Round(bigFloat(valueOf(single, v)), half16, roundZero)
}

func placeByte(x *operands) uint64 {
	v := uint64(0)
	if f := valueOf(single, low32(x.a)); f == f {
		v = toInteger(math.RoundToEven(f), 0, 255)
	}
	at := x.b & 3 * 8
	return x.c&^(0xff<<at) | v<<at
}

func countBelow(v uint64, n int) uint64 {
	count := uint64(0)
	for i := range max(0, min(n, 32)) {
		count += v >> i & 1
	}
	return count
}

// product65 is a product and a sum of which bit 64 is the carry.
func product65(signed bool) model {
	return func(x *operands) uint64 {
		if signed {
			p := sx(x.a, 32) * sx(x.b, 32)
			d := uint64(p) + x.c
			carry := d < uint64(p)
			x.out = carry != (p < 0) != (int64(x.c) < 0) // the sum of the three bits 64
			return d
		}
		p := low32(x.a) * low32(x.b)
		x.out = p+x.c < p
		return p + x.c
	}
}

// rowModels are the models of single rows, without "v_".
var rowModels = map[string]model{
	"mov_b32": int3(func(a, b, c uint64) uint64 { return a }), "mov_b64": int3(func(a, b, c uint64) uint64 {
		return a
	}),
	"not_b32": int3(func(a, b, c uint64) uint64 { return ^a }),
	"bfrev_b32": uint32s(func(a, b, c uint64) (r uint64) {
		for i := range 32 {
			r |= a >> i & 1 << (31 - i)
		}
		return r
	}),
	"ffbh_u32": uint32s(func(a, b, c uint64) uint64 {
		return search(a, 31, -1, func(i int) bool { return a>>i&1 != 0 })
	}),
	"ffbl_b32": uint32s(func(a, b, c uint64) uint64 {
		return search(a, 0, 1, func(i int) bool { return a>>i&1 != 0 })
	}),
	"ffbh_i32": uint32s(func(a, b, c uint64) uint64 {
		return search(a, 31, -1, func(i int) bool { return a>>i&1 != a>>31 })
	}),
	"sat_pk_u8_i16": int3(func(a, b, c uint64) uint64 {
		return clampInt(sx(a, 16), 0, 255) | clampInt(sx(a>>16, 16), 0, 255)<<8
	}),
	"cvt_i32_f64":     toInteger3(double, math.MinInt32, math.MaxInt32, math.Trunc),
	"cvt_u32_f64":     toInteger3(double, 0, math.MaxUint32, math.Trunc),
	"cvt_i32_f32":     toInteger3(single, math.MinInt32, math.MaxInt32, math.Trunc),
	"cvt_u32_f32":     toInteger3(single, 0, math.MaxUint32, math.Trunc),
	"cvt_i16_f16":     toInteger3(half16, math.MinInt16, math.MaxInt16, math.Trunc),
	"cvt_u16_f16":     toInteger3(half16, 0, math.MaxUint16, math.Trunc),
	"cvt_flr_i32_f32": toInteger3(single, math.MinInt32, math.MaxInt32, math.Floor),
	"cvt_rpi_i32_f32": toInteger3(single, math.MinInt32, math.MaxInt32,
		func(x float64) float64 { return math.Floor(x + 0.5) }),
	"cvt_f64_i32":       fromInt(double, func(x *operands) int64 { return sx(x.a, 32) }),
	"cvt_f64_u32":       fromInt(double, func(x *operands) int64 { return int64(low32(x.a)) }),
	"cvt_f32_i32":       fromInt(single, func(x *operands) int64 { return sx(x.a, 32) }),
	"cvt_f32_u32":       fromInt(single, func(x *operands) int64 { return int64(low32(x.a)) }),
	"cvt_f16_i16":       fromInt(half16, func(x *operands) int64 { return sx(x.a, 16) }),
	"cvt_f16_u16":       fromInt(half16, func(x *operands) int64 { return int64(x.a & 0xffff) }),
	"cvt_f32_ubyte0":    fromInt(single, func(x *operands) int64 { return int64(x.a & 0xff) }),
	"cvt_f32_ubyte1":    fromInt(single, func(x *operands) int64 { return int64(x.a >> 8 & 0xff) }),
	"cvt_f32_ubyte2":    fromInt(single, func(x *operands) int64 { return int64(x.a >> 16 & 0xff) }),
	"cvt_f32_ubyte3":    fromInt(single, func(x *operands) int64 { return int64(x.a >> 24 & 0xff) }),
	"cvt_off_f32_i4":    int3(func(a, b, c uint64) uint64 { return encode(single, float64(sx(a, 4))/16) }),
	"cvt_f16_f32":       int3(func(a, b, c uint64) uint64 { return converted(single, half16, a) }),
	"cvt_f32_f16":       int3(func(a, b, c uint64) uint64 { return converted(half16, single, a) }),
	"cvt_f32_f64":       int3(func(a, b, c uint64) uint64 { return converted(double, single, a) }),
	"cvt_f64_f32":       int3(func(a, b, c uint64) uint64 { return converted(single, double, a) }),
	"cvt_norm_i16_f16":  int3(func(a, b, c uint64) uint64 { return norm(half16, a, 32767, -1) }),
	"cvt_norm_u16_f16":  int3(func(a, b, c uint64) uint64 { return norm(half16, a, 65535, 0) }),
	"frexp_exp_i32_f64": exponentOf(double), "frexp_exp_i32_f32": exponentOf(single),
	"frexp_exp_i16_f16": exponentOf(half16),
	"rcp_f32": coarse(func(x float64) float64 {
		return 1 / x
	}), "rcp_iflag_f32": coarse(func(x float64) float64 {
		return 1 / x
	}),
	"rsq_f32":  coarse(func(x float64) float64 { return math.Copysign(1/math.Sqrt(x), x) }),
	"sqrt_f32": coarse(math.Sqrt), "exp_f32": coarse(math.Exp2), "log_f32": coarse(math.Log2),
	"exp_legacy_f32": coarse(math.Exp2), "log_legacy_f32": coarse(math.Log2),

	"cndmask_b32": func(x *operands) uint64 {
		if x.in {
			return x.b
		}
		return x.a
	},
	"mul_legacy_f32": int3(func(a, b, c uint64) uint64 { return legacy(single, a, b, mul2) }),
	"mad_legacy_f32": int3(func(a, b, c uint64) uint64 {
		p := legacy(single, flushed(single, a), flushed(single, b), mul2)
		return flushed(single, add2(single, flushed(single, p), flushed(single, c)))
	}),
	"mul_i32_i24":    int3(func(a, b, c uint64) uint64 { return uint64(sx(a, 24) * sx(b, 24)) }),
	"mul_hi_i32_i24": int3(func(a, b, c uint64) uint64 { return uint64(sx(a, 24) * sx(b, 24) >> 32) }),
	"mul_u32_u24":    int3(func(a, b, c uint64) uint64 { return a & 0xffffff * (b & 0xffffff) }),
	"mul_hi_u32_u24": int3(func(a, b, c uint64) uint64 { return a & 0xffffff * (b & 0xffffff) >> 32 }),
	"mad_i32_i24":    int3(func(a, b, c uint64) uint64 { return uint64(sx(a, 24)*sx(b, 24)) + c }),
	"mad_u32_u24":    int3(func(a, b, c uint64) uint64 { return a&0xffffff*(b&0xffffff) + c }),
	"min_i32":        int32s(func(a, b, c int64) int64 { return min(a, b) }),
	"max_i32":        int32s(func(a, b, c int64) int64 { return max(a, b) }),
	"min_u32":        uint32s(func(a, b, c uint64) uint64 { return min(a, b) }),
	"max_u32":        uint32s(func(a, b, c uint64) uint64 { return max(a, b) }),
	"lshrrev_b32":    uint32s(func(a, b, c uint64) uint64 { return b >> (a % 32) }),
	"ashrrev_i32":    int32s(func(a, b, c int64) int64 { return b >> (a & 31) }),
	"lshlrev_b32":    uint32s(func(a, b, c uint64) uint64 { return b << (a % 32) }),
	"and_b32":        int3(func(a, b, c uint64) uint64 { return a & b }),
	"or_b32":         int3(func(a, b, c uint64) uint64 { return a | b }),
	"xor_b32":        int3(func(a, b, c uint64) uint64 { return a&^b | b&^a }),
	"xnor_b32":       int3(func(a, b, c uint64) uint64 { return a&b | ^a&^b }),
	"add_u32":        int3(func(a, b, c uint64) uint64 { return a + b }),
	"sub_u32":        int3(func(a, b, c uint64) uint64 { return a - b }),
	"subrev_u32":     int3(func(a, b, c uint64) uint64 { return b - a }),
	"add_i32":        int3(func(a, b, c uint64) uint64 { return a + b }),
	"sub_i32":        int3(func(a, b, c uint64) uint64 { return a - b }),
	"add_co_u32":     carried(opA, opB, false, false), "addc_co_u32": carried(opA, opB, false, true),
	"sub_co_u32": carried(opA, opB, true, false), "subb_co_u32": carried(opA, opB, true, true),
	"subrev_co_u32": carried(opB, opA, true, false), "subbrev_co_u32": carried(opB, opA, true, true),
	"add_u16":     uint16s(func(a, b, c uint64) uint64 { return a + b }),
	"sub_u16":     uint16s(func(a, b, c uint64) uint64 { return a - b }),
	"subrev_u16":  uint16s(func(a, b, c uint64) uint64 { return b - a }),
	"add_i16":     uint16s(func(a, b, c uint64) uint64 { return a + b }),
	"sub_i16":     uint16s(func(a, b, c uint64) uint64 { return a - b }),
	"mul_lo_u16":  uint16s(func(a, b, c uint64) uint64 { return a * b }),
	"lshlrev_b16": uint16s(func(a, b, c uint64) uint64 { return b << (a % 16) }),
	"lshrrev_b16": uint16s(func(a, b, c uint64) uint64 { return b >> (a % 16) }),
	"ashrrev_i16": int16s(func(a, b, c int64) int64 { return b >> (a & 15) }),
	"min_u16":     uint16s(func(a, b, c uint64) uint64 { return min(a, b) }),
	"max_u16":     uint16s(func(a, b, c uint64) uint64 { return max(a, b) }),
	"min_i16":     int16s(func(a, b, c int64) int64 { return min(a, b) }),
	"max_i16":     int16s(func(a, b, c int64) int64 { return max(a, b) }),
	"ldexp_f16":   scaled(half16, 16), "ldexp_f32": scaled(single, 32), "ldexp_f64": scaled(double, 32),
	"dot2c_f32_f16": dotHalves, "dot2_f32_f16": dotHalves, "dot2c_i32_i16": fields(16, true),
	"dot4c_i32_i8": fields(8, true),
	"dot8c_i32_i4": fields(4, true), "dot2_i32_i16": fields(16, true), "dot2_u32_u16": fields(16, false),
	"dot4_i32_i8": fields(8, true),
	"dot4_u32_u8": fields(8, false), "dot8_i32_i4": fields(4, true), "dot8_u32_u4": fields(4, false),
	"pk_fmac_f16": floatHalves(fma3),

	"bfe_u32": uint32s(func(a, b, c uint64) uint64 { return a >> (b % 32) & (1<<(c%32) - 1) }),
	"bfe_i32": int3(func(a, b, c uint64) uint64 {
		if c%32 == 0 {
			return 0
		}
		return uint64(sx(uint64(sx(a, 32)>>(b%32)), uint(c%32)))
	}),
	"bfi_b32":       int3(func(a, b, c uint64) uint64 { return a&b | ^a&c }),
	"bfm_b32":       int3(func(a, b, c uint64) uint64 { return (1<<(a%32) - 1) << (b % 32) }),
	"alignbit_b32":  uint32s(func(a, b, c uint64) uint64 { return (a<<32 | b) >> (c % 32) }),
	"alignbyte_b32": uint32s(func(a, b, c uint64) uint64 { return (a<<32 | b) >> (c % 4 * 8) }),
	"lerp_u8": int3(func(a, b, c uint64) (r uint64) {
		for i := 0; i < 32; i += 8 {
			r |= (a>>i&0xff + b>>i&0xff + c>>i&1) / 2 << i
		}
		return r
	}),
	"perm_b32": bytePick,
	"min3_i32": int32s(func(a, b, c int64) int64 { return min(a, b, c) }),
	"max3_i32": int32s(func(a, b, c int64) int64 { return max(a, b, c) }),
	"min3_u32": uint32s(func(a, b, c uint64) uint64 { return min(a, b, c) }),
	"max3_u32": uint32s(func(a, b, c uint64) uint64 { return max(a, b, c) }),
	"min3_i16": int16s(func(a, b, c int64) int64 { return min(a, b, c) }),
	"max3_i16": int16s(func(a, b, c int64) int64 { return max(a, b, c) }),
	"min3_u16": uint16s(func(a, b, c uint64) uint64 { return min(a, b, c) }),
	"max3_u16": uint16s(func(a, b, c uint64) uint64 { return max(a, b, c) }),
	"med3_i32": int32s(middle[int64]), "med3_u32": uint32s(middle[uint64]), "med3_i16": int16s(middle[int64]),
	"med3_u16":  uint16s(middle[uint64]),
	"sad_u8":    int3(func(a, b, c uint64) uint64 { return sums(a, b, false) + c }),
	"msad_u8":   int3(func(a, b, c uint64) uint64 { return sums(a, b, true) + c }),
	"sad_hi_u8": int3(func(a, b, c uint64) uint64 { return sums(a, b, false)<<16 + c }),
	"sad_u16": int3(func(a, b, c uint64) uint64 {
		return absDiff(a&0xffff, b&0xffff) + absDiff(a>>16&0xffff, b>>16&0xffff) + c
	}),
	"sad_u32":        uint32s(func(a, b, c uint64) uint64 { return absDiff(a, b) + c }),
	"qsad_pk_u16_u8": quadSums(false), "mqsad_pk_u16_u8": quadSums(true),
	"mad_u64_u32": product65(false), "mad_i64_i32": product65(true),
	"mad_u16":        uint16s(func(a, b, c uint64) uint64 { return a*b + c }),
	"mad_i16":        int16s(func(a, b, c int64) int64 { return a*b + c }),
	"mad_legacy_u16": uint16s(func(a, b, c uint64) uint64 { return a*b + c }),
	"mad_legacy_i16": int16s(func(a,
		b, c int64) int64 {
		return a*b + c
	}),
	"mad_u32_u16":        int3(func(a, b, c uint64) uint64 { return a&0xffff*(b&0xffff) + c }),
	"mad_i32_i16":        int3(func(a, b, c uint64) uint64 { return uint64(sx(a, 16)*sx(b, 16)) + c }),
	"xad_u32":            int3(func(a, b, c uint64) uint64 { return (a ^ b) + c }),
	"lshl_add_u32":       int3(func(a, b, c uint64) uint64 { return a<<(b%32) + c }),
	"add_lshl_u32":       int3(func(a, b, c uint64) uint64 { return (a + b) << (c % 32) }),
	"add3_u32":           int3(func(a, b, c uint64) uint64 { return a + b + c }),
	"lshl_or_b32":        int3(func(a, b, c uint64) uint64 { return a<<(b%32) | c }),
	"and_or_b32":         int3(func(a, b, c uint64) uint64 { return a&b | c }),
	"or3_b32":            int3(func(a, b, c uint64) uint64 { return a | b | c }),
	"lshl_add_u64":       int3(func(a, b, c uint64) uint64 { return a<<(b%8) + c }),
	"mul_lo_u32":         int3(func(a, b, c uint64) uint64 { return a * b }),
	"mul_hi_u32":         uint32s(func(a, b, c uint64) uint64 { return a * b >> 32 }),
	"mul_hi_i32":         int32s(func(a, b, c int64) int64 { return a * b >> 32 }),
	"bcnt_u32_b32":       uint32s(func(a, b, c uint64) uint64 { return countBelow(a, 32) + b }),
	"mbcnt_lo_u32_b32":   func(x *operands) uint64 { return countBelow(x.a, x.lane) + x.b },
	"mbcnt_hi_u32_b32":   func(x *operands) uint64 { return countBelow(x.a, x.lane-32) + x.b },
	"lshlrev_b64":        int3(func(a, b, c uint64) uint64 { return b << (a % 64) }),
	"lshrrev_b64":        int3(func(a, b, c uint64) uint64 { return b >> (a % 64) }),
	"ashrrev_i64":        int3(func(a, b, c uint64) uint64 { return uint64(int64(b) >> (a % 64)) }),
	"cvt_pknorm_i16_f32": packed(single, 32767, -1), "cvt_pknorm_u16_f32": packed(single, 65535, 0),
	"cvt_pknorm_i16_f16": packed(half16, 32767, -1), "cvt_pknorm_u16_f16": packed(half16, 65535, 0),
	"cvt_pkrtz_f16_f32": int3(func(a, b, c uint64) uint64 { return towardsZero(a) | towardsZero(b)<<16 }),
	"cvt_pk_u16_u32":    uint32s(func(a, b, c uint64) uint64 { return min(a, 0xffff) | min(b, 0xffff)<<16 }),
	"cvt_pk_i16_i32": int3(func(a, b, c uint64) uint64 {
		return clampInt(sx(a, 32), -0x8000, 0x7fff)&0xffff | clampInt(sx(b, 32), -0x8000, 0x7fff)<<16
	}),
	"cvt_pk_u8_f32": placeByte, "cvt_pkaccum_u8_f32": placeByte,
	"pack_b32_f16": int3(func(a, b, c uint64) uint64 { return a&0xffff | b<<16 }),

	"prng_b32":   uint32s(func(a, b, c uint64) uint64 { return a<<1 ^ a>>31*197 }),
	"bitop3_b16": tableOfThree, "bitop3_b32": tableOfThree,
	"ashr_pk_i8_i32": bytesOf(-128, 127), "ashr_pk_u8_i32": bytesOf(0, 255),
	"cvt_f32_bf16": int3(func(a, b, c uint64) uint64 { return converted(brain16, single, a) }),
	"cvt_pk_f16_f32": int3(func(a, b, c uint64) uint64 {
		return converted(single, half16, a) | converted(single, half16, b)<<16
	}),
	"cvt_pk_bf16_f32": int3(func(a, b, c uint64) uint64 {
		return converted(single, brain16, a) | converted(single, brain16, b)<<16
	}),
	"dot2_f32_bf16": dotBrains, "dot2c_f32_bf16": dotBrains,
	"minimum3_f32": func(x *operands) uint64 { return ordered3(single, x.a, x.b, x.c, minOf) },
	"maximum3_f32": func(x *operands) uint64 { return ordered3(single, x.a, x.b, x.c, maxOf) },
	"pk_minimum3_f16": floatHalves(
		func(f format, a, b, c uint64) uint64 { return ordered3(f, a, b, c, minOf) }),
	"pk_maximum3_f16": floatHalves(
		func(f format, a, b, c uint64) uint64 { return ordered3(f, a, b, c, maxOf) }),

	"pk_mad_i16":     halves(func(a, b, c uint64) uint64 { return a*b + c }),
	"pk_mad_u16":     halves(func(a, b, c uint64) uint64 { return a*b + c }),
	"pk_mul_lo_u16":  halves(func(a, b, c uint64) uint64 { return a * b }),
	"pk_add_i16":     halves(func(a, b, c uint64) uint64 { return a + b }),
	"pk_add_u16":     halves(func(a, b, c uint64) uint64 { return a + b }),
	"pk_sub_i16":     halves(func(a, b, c uint64) uint64 { return a - b }),
	"pk_sub_u16":     halves(func(a, b, c uint64) uint64 { return a - b }),
	"pk_lshlrev_b16": halves(func(a, b, c uint64) uint64 { return b << (a % 16) }),
	"pk_lshrrev_b16": halves(func(a, b, c uint64) uint64 { return b >> (a % 16) }),
	"pk_ashrrev_i16": signedHalves(func(a, b, c int64) int64 { return b >> (a & 15) }),
	"pk_max_i16": signedHalves(func(a, b, c int64) int64 {
		return max(a, b)
	}),
	"pk_min_i16":    signedHalves(func(a, b, c int64) int64 { return min(a, b) }),
	"pk_max_u16":    halves(func(a, b, c uint64) uint64 { return max(a, b) }),
	"pk_min_u16":    halves(func(a, b, c uint64) uint64 { return min(a, b) }),
	"pk_fma_f16":    floatHalves(fma3),
	"pk_add_f16":    floatHalves(func(f format, a, b, c uint64) uint64 { return add2(f, a, b) }),
	"pk_mul_f16":    floatHalves(func(f format, a, b, c uint64) uint64 { return mul2(f, a, b) }),
	"pk_min_f16":    floatHalves(func(f format, a, b, c uint64) uint64 { return minOf(f, a, b) }),
	"pk_max_f16":    floatHalves(func(f format, a, b, c uint64) uint64 { return maxOf(f, a, b) }),
	"pk_fma_f32":    words(func(a, b, c uint64) uint64 { return fma3(single, a, b, c) }),
	"pk_mul_f32":    words(func(a, b, c uint64) uint64 { return mul2(single, a, b) }),
	"pk_add_f32":    words(func(a, b, c uint64) uint64 { return add2(single, a, b) }),
	"mad_mixlo_f16": mixed16(mad3), "mad_mixhi_f16": mixed16(mad3), "fma_mixlo_f16": mixed16(fma3),
	"fma_mixhi_f16": mixed16(fma3),
}

// mixed16 computes in 32 bits and rounds to 16.
func mixed16(fn func(f format, a, b, c uint64) uint64) model {
	return func(x *operands) uint64 { return converted(single, half16, fn(single, x.a, x.b, x.c)) }
}

// tableOfThree looks each bit up in rowTable.
func tableOfThree(x *operands) (r uint64) {
	for i := range 32 {
		at := x.a>>i&1<<2 | x.b>>i&1<<1 | x.c>>i&1
		r |= rowTable >> at & 1 << i
	}
	return r
}

// bytesOf shifts two integers and keeps what fits into a byte of each.
func bytesOf(lo, hi int64) model {
	return func(x *operands) uint64 {
		shift := x.c & 31
		return clampInt(sx(x.a, 32)>>shift, lo, hi)&0xff | clampInt(sx(x.b, 32)>>shift, lo, hi)&0xff<<8
	}
}

func dotBrains(x *operands) uint64 {
	v := low32(x.c)
	for i := 0; i < 32; i += 16 {
		v = fma3(single, x.a>>i&0xffff<<16, x.b>>i&0xffff<<16, v)
	}
	return v
}

// ordered3 is the least or greatest of three, or a NaN among them.
func ordered3(f format, a, b, c uint64, of func(f format, a, b uint64) uint64) uint64 {
	if nan, ok := quieted(f, a, b, c); ok {
		return nan
	}
	return of(f, of(f, a, b), c)
}
