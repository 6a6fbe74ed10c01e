package gcn

import (
	"math"

	"simtgdb/simt/vec"
)

var _ = register(vop2Rows)

func vop2Rows() []Op {
	return []Op{
		{Enc: VOP2, Code: 0x00, Name: "v_cndmask_b32", dst: b32, src: srcs(f32, f32, mask),
			fast: exact(vec.Select), vec: cndmaskB32},
		{Enc: VOP2, Code: 0x01, Name: "v_add_f32", dst: f32, src: srcs(f32, f32),
			fast: single32(vec.AddF32), vec: addF32},
		{Enc: VOP2, Code: 0x02, Name: "v_sub_f32", dst: f32, src: srcs(f32, f32),
			fast: single32(vec.SubF32), vec: subF32},
		{Enc: VOP2, Code: 0x03, Name: "v_subrev_f32", dst: f32, src: srcs(f32, f32),
			fast: swapped(single32(vec.SubF32)), vec: reversed(subF32)},
		{Enc: VOP2, Code: 0x04, Name: "v_mul_legacy_f32", dst: f32, src: srcs(f32, f32), on: graphics,
			vec: float2(single, mulLegacy)},
		{Enc: VOP2, Code: 0x04, Name: "v_fmac_f64", dst: f64, src: srcs(f64, f64, f64), flag: readsDst,
			on: gfx90aP, fast: double64(vec.FmaF64), native: ofDoubles(fmaPair, octetFma64), vec: fmaF64},
		{Enc: VOP2, Code: 0x05, Name: "v_mul_f32", dst: f32, src: srcs(f32, f32),
			fast: single32(vec.MulF32), vec: mulF32},
		{Enc: VOP2, Code: 0x06, Name: "v_mul_i32_i24", dst: i32, src: srcs(i32, i32),
			fast: exact(vec.MulI24), vec: mulI24,
			sat: map2(func(a, b uint64) uint64 { return satI32(i24(a) * i24(b)) })},
		{Enc: VOP2, Code: 0x07, Name: "v_mul_hi_i32_i24", dst: i32, src: srcs(i32, i32),
			vec: map2(func(a, b uint64) uint64 { return uint64(i24(a) * i24(b) >> 32) })},
		{Enc: VOP2, Code: 0x08, Name: "v_mul_u32_u24", dst: u32, src: srcs(u32, u32),
			fast: exact(vec.MulU24), vec: mulU24,
			sat: map2(func(a, b uint64) uint64 { return satU32(int64(u24(a) * u24(b))) })},
		{Enc: VOP2, Code: 0x09, Name: "v_mul_hi_u32_u24", dst: u32, src: srcs(u32, u32),
			vec: map2(func(a, b uint64) uint64 { return u24(a) * u24(b) >> 32 })},
		{Enc: VOP2, Code: 0x0a, Name: "v_min_f32", dst: f32, src: srcs(f32, f32),
			fast: single32(vec.MinF32), vec: minF32},
		{Enc: VOP2, Code: 0x0b, Name: "v_max_f32", dst: f32, src: srcs(f32, f32),
			fast: single32(vec.MaxF32), vec: maxF32},
		{Enc: VOP2, Code: 0x0c, Name: "v_min_i32", dst: i32, src: srcs(i32, i32),
			fast: exact(vec.MinI), vec: map2(minI32)},
		{Enc: VOP2, Code: 0x0d, Name: "v_max_i32", dst: i32, src: srcs(i32, i32),
			fast: exact(vec.MaxI), vec: map2(maxI32)},
		{Enc: VOP2, Code: 0x0e, Name: "v_min_u32", dst: u32, src: srcs(u32, u32),
			fast: exact(vec.MinU), vec: map2(minU)},
		{Enc: VOP2, Code: 0x0f, Name: "v_max_u32", dst: u32, src: srcs(u32, u32),
			fast: exact(vec.MaxU), vec: map2(maxU)},
		{Enc: VOP2, Code: 0x10, Name: "v_lshrrev_b32", dst: b32, src: srcs(u32, b32),
			fast: exact(vec.ShrRev), vec: lshrrevB32},
		{Enc: VOP2, Code: 0x11, Name: "v_ashrrev_i32", dst: i32, src: srcs(u32, i32),
			fast: exact(vec.SarRev), vec: ashrrevI32},
		{Enc: VOP2, Code: 0x12, Name: "v_lshlrev_b32", dst: b32, src: srcs(u32, b32),
			fast: exact(vec.ShlRev), vec: lshlrevB32},
		{Enc: VOP2, Code: 0x13, Name: "v_and_b32", dst: b32, src: srcs(b32, b32),
			fast: exact(vec.And), vec: andB32},
		{Enc: VOP2, Code: 0x14, Name: "v_or_b32", dst: b32, src: srcs(b32, b32), fast: exact(vec.Or),
			vec: orB32},
		{Enc: VOP2, Code: 0x15, Name: "v_xor_b32", dst: b32, src: srcs(b32, b32),
			fast: exact(vec.Xor), vec: xorB32},
		{Enc: VOP2, Code: 0x16, Name: "v_mac_f32", dst: f32, src: srcs(f32, f32, f32),
			flag: readsDst | noSDWA, on: graphics | GFX90A, fast: rounded32(vec.MadF32), vec: madF32},
		{Enc: VOP2, Code: 0x17, Name: "v_madmk_f32", dst: f32, src: srcs(f32, f32, f32),
			flag: literal1 | noVOP3 | noSDWA | noDPP, on: graphics | GFX90A, fast: rounded32(vec.MadF32),
			vec: madF32},
		{Enc: VOP2, Code: 0x17, Name: "v_fmamk_f32", dst: f32, src: srcs(f32, f32, f32),
			flag: literal1 | noVOP3 | noSDWA | noDPP, on: gfx942P, fast: single32(vec.FmaF32), vec: fmaF32},
		{Enc: VOP2, Code: 0x18, Name: "v_madak_f32", dst: f32, src: srcs(f32, f32, f32),
			flag: literal2 | noVOP3 | noSDWA | noDPP, on: graphics | GFX90A, fast: rounded32(vec.MadF32),
			vec: madF32},
		{Enc: VOP2, Code: 0x18, Name: "v_fmaak_f32", dst: f32, src: srcs(f32, f32, f32),
			flag: literal2 | noVOP3 | noSDWA | noDPP, on: gfx942P, fast: single32(vec.FmaF32), vec: fmaF32},
		{Enc: VOP2, Code: 0x19, Name: "v_add_co_u32", dst: u32, src: srcs(u32, u32), flag: writesVCC,
			fast: fastRow{op: vec.AddCarry, noIn: true}, vec: addCoU32,
			sat: saturated(addCoU32, math.MaxUint32)},
		{Enc: VOP2, Code: 0x1a, Name: "v_sub_co_u32", dst: u32, src: srcs(u32, u32), flag: writesVCC,
			fast: fastRow{op: vec.SubBorrow, noIn: true}, vec: subCoU32, sat: saturated(subCoU32, 0)},
		{Enc: VOP2, Code: 0x1b, Name: "v_subrev_co_u32", dst: u32, src: srcs(u32, u32), flag: writesVCC,
			fast: fastRow{op: vec.SubBorrow, noIn: true, swap: true},
			vec:  reversed(subCoU32), sat: saturated(reversed(subCoU32), 0)},
		{Enc: VOP2, Code: 0x1c, Name: "v_addc_co_u32", dst: u32, src: srcs(u32, u32, mask), flag: writesVCC,
			fast: exact(vec.AddCarry), vec: addcCoU32, sat: saturated(addcCoU32, math.MaxUint32)},
		{Enc: VOP2, Code: 0x1d, Name: "v_subb_co_u32", dst: u32, src: srcs(u32, u32, mask), flag: writesVCC,
			fast: exact(vec.SubBorrow), vec: subbCoU32, sat: saturated(subbCoU32, 0)},
		{Enc: VOP2, Code: 0x1e, Name: "v_subbrev_co_u32", dst: u32, src: srcs(u32, u32, mask),
			flag: writesVCC, fast: swapped(exact(vec.SubBorrow)),
			vec: reversed(subbCoU32), sat: saturated(reversed(subbCoU32), 0)},
		{Enc: VOP2, Code: 0x1f, Name: "v_add_f16", dst: f16, src: srcs(f16, f16),
			fast: double64(vec.AddF16), vec: addF16},
		{Enc: VOP2, Code: 0x20, Name: "v_sub_f16", dst: f16, src: srcs(f16, f16),
			fast: double64(vec.SubF16), vec: subF16},
		{Enc: VOP2, Code: 0x21, Name: "v_subrev_f16", dst: f16, src: srcs(f16, f16),
			fast: swapped(double64(vec.SubF16)), vec: reversed(subF16)},
		{Enc: VOP2, Code: 0x22, Name: "v_mul_f16", dst: f16, src: srcs(f16, f16),
			fast: double64(vec.MulF16), vec: mulF16},
		{Enc: VOP2, Code: 0x23, Name: "v_mac_f16", dst: f16, src: srcs(f16, f16, f16),
			flag: readsDst | noSDWA | keeps, vec: float3(half16, format.Mad)},
		{Enc: VOP2, Code: 0x24, Name: "v_madmk_f16", dst: f16, src: srcs(f16, b32, f16),
			flag: literal1 | noVOP3 | noSDWA | noDPP | keeps, vec: float3(half16, format.Mad)},
		{Enc: VOP2, Code: 0x25, Name: "v_madak_f16", dst: f16, src: srcs(f16, f16, b32),
			flag: literal2 | noVOP3 | noSDWA | noDPP | keeps, vec: float3(half16, format.Mad)},
		{Enc: VOP2, Code: 0x26, Name: "v_add_u16", dst: u16, src: srcs(u16, u16),
			native: binaryWord(vpaddd), vec: map2(addU16),
			sat: map2(
				func(a, b uint64) uint64 {
					return min(uint64(uint16(a))+uint64(uint16(b)), math.MaxUint16)
				})},
		{Enc: VOP2, Code: 0x27, Name: "v_sub_u16", dst: u16, src: srcs(u16, u16),
			native: binaryWord(vpsubd), vec: map2(subU16),
			sat: map2(subSatU16)},
		{Enc: VOP2, Code: 0x28, Name: "v_subrev_u16", dst: u16, src: srcs(u16, u16),
			native: reversedWord(vpsubd), vec: reversed(map2(subU16)),
			sat: reversed(map2(subSatU16))},
		{Enc: VOP2, Code: 0x29, Name: "v_mul_lo_u16", dst: u16, src: srcs(u16, u16),
			native: binaryWord(vpmulld), vec: map2(mulLoU16)},
		{Enc: VOP2, Code: 0x2a, Name: "v_lshlrev_b16", dst: b16, src: srcs(u16, b16),
			native: shiftedWord(vpsllvd), vec: map2(lshlrevB16)},
		{Enc: VOP2, Code: 0x2b, Name: "v_lshrrev_b16", dst: b16, src: srcs(u16, b16),
			native: shiftedWord(vpsrlvd), vec: map2(lshrrevB16)},
		{Enc: VOP2, Code: 0x2c, Name: "v_ashrrev_i16", dst: i16, src: srcs(u16, i16),
			native: shiftedWord(vpsravd), vec: map2(ashrrevI16)},
		{Enc: VOP2, Code: 0x2d, Name: "v_max_f16", dst: f16, src: srcs(f16, f16),
			vec: float2(half16, format.Maximum)},
		{Enc: VOP2, Code: 0x2e, Name: "v_min_f16", dst: f16, src: srcs(f16, f16),
			vec: float2(half16, format.Minimum)},
		{Enc: VOP2, Code: 0x2f, Name: "v_max_u16", dst: u16, src: srcs(u16, u16),
			native: extremeWord(vpmaxud, shiftRight), vec: map2(maxU16)},
		{Enc: VOP2, Code: 0x30, Name: "v_max_i16", dst: i16, src: srcs(i16, i16),
			native: extremeWord(vpmaxsd, shiftSign), vec: map2(maxI16)},
		{Enc: VOP2, Code: 0x31, Name: "v_min_u16", dst: u16, src: srcs(u16, u16),
			native: extremeWord(vpminud, shiftRight), vec: map2(minU16)},
		{Enc: VOP2, Code: 0x32, Name: "v_min_i16", dst: i16, src: srcs(i16, i16),
			native: extremeWord(vpminsd, shiftSign), vec: map2(minI16)},
		{Enc: VOP2, Code: 0x33, Name: "v_ldexp_f16", dst: f16, src: srcs(f16, x16),
			vec: float2(half16,
				func(f format, a, b uint64, e env) uint64 { return f.Ldexp(a, int(int16(b)), e) })},
		{Enc: VOP2, Code: 0x34, Name: "v_add_u32", dst: u32, src: srcs(u32, u32),
			fast: exact(vec.Add), vec: addU32,
			sat: map2(func(a, b uint64) uint64 { return satU32(int64(a + b)) })},
		{Enc: VOP2, Code: 0x35, Name: "v_sub_u32", dst: u32, src: srcs(u32, u32),
			fast: exact(vec.Sub), vec: subU32,
			sat: map2(subSatU32)},
		{Enc: VOP2, Code: 0x36, Name: "v_subrev_u32", dst: u32, src: srcs(u32, u32),
			fast: swapped(exact(vec.Sub)), vec: reversed(subU32),
			sat: reversed(map2(subSatU32))},
		{Enc: VOP2, Code: 0x37, Name: "v_dot2c_f32_f16", dst: f32, src: srcs(v2f16, v2f16, f32),
			flag: readsDst | noSDWA | dots, on: gfx908P, vec: dot2F32F16},
		{Enc: VOP2, Code: 0x38, Name: "v_dot2c_i32_i16", dst: i32, src: srcs(v2i16, v2i16, i32),
			flag: readsDst | noSDWA | dots, on: gfx908P, vec: dotSigned(16), sat: dotSignedSat(16)},
		{Enc: VOP2, Code: 0x39, Name: "v_dot4c_i32_i8", dst: i32, src: srcs(b32, b32, i32),
			flag: readsDst | noSDWA | dots, on: gfx908P, vec: dotSigned(8), sat: dotSignedSat(8)},
		{Enc: VOP2, Code: 0x3a, Name: "v_dot8c_i32_i4", dst: i32, src: srcs(b32, b32, i32),
			flag: readsDst | noSDWA | dots, on: gfx908P, vec: dotSigned(4), sat: dotSignedSat(4)},
		{Enc: VOP2, Code: 0x3b, Name: "v_fmac_f32", dst: f32, src: srcs(f32, f32, f32),
			flag: readsDst | noSDWA, on: gfx906P, fast: single32(vec.FmaF32), vec: fmaF32},
		{Enc: VOP2, Code: 0x3c, Name: "v_pk_fmac_f16", dst: v2f16, src: srcs(v2f16, v2f16, v2f16),
			flag: readsDst, on: gfx908P, fast: double64(vec.PkFmaF16), vec: pkFmaF16},
		{Enc: VOP2, Code: 0x3d, Name: "v_xnor_b32", dst: b32, src: srcs(b32, b32), on: gfx906P,
			fast: exact(vec.Xnor), vec: map2(func(a, b uint64) uint64 { return ^(a ^ b) })},
	}
}

// i24 and u24 are the low 24 bits of an operand.
func i24(a uint64) int64  { return int64(int32(a)<<8) >> 8 }
func u24(a uint64) uint64 { return a & 0xff_ffff }

// satI32 and satU32 bring a result into the range of its type.
func satI32(v int64) uint64 { return uint64(uint32(max(math.MinInt32, min(v, math.MaxInt32)))) }
func satU32(v int64) uint64 { return uint64(max(0, min(v, math.MaxUint32))) }

// saturated is an instruction with a carry that gives limit where it carries.
func saturated(f func(*lanes), limit uint32) func(*lanes) {
	return func(x *lanes) {
		f(x)
		for l := range x.d {
			if x.out>>l&1 != 0 {
				x.d[l] = limit
			}
		}
	}
}

// mulLegacy gives 0 if an operand is 0, whatever the other is.
func mulLegacy(f format, a, b uint64, e env) uint64 {
	if f.Abs(f.In(a, e)) == 0 || f.Abs(f.In(b, e)) == 0 {
		return 0
	}
	return f.Mul(a, b, e)
}

func minU(a, b uint64) uint64   { return min(a, b) }
func maxU(a, b uint64) uint64   { return max(a, b) }
func minI32(a, b uint64) uint64 { return uint64(min(int32(a), int32(b))) }
func maxI32(a, b uint64) uint64 { return uint64(max(int32(a), int32(b))) }
func minU16(a, b uint64) uint64 { return uint64(min(uint16(a), uint16(b))) }
func maxU16(a, b uint64) uint64 { return uint64(max(uint16(a), uint16(b))) }
func minI16(a, b uint64) uint64 { return uint64(uint16(min(int16(a), int16(b)))) }
func maxI16(a, b uint64) uint64 { return uint64(uint16(max(int16(a), int16(b)))) }

func addU16(a, b uint64) uint64     { return (a + b) & 0xffff }
func subU16(a, b uint64) uint64     { return (a - b) & 0xffff }
func mulLoU16(a, b uint64) uint64   { return a * b & 0xffff }
func lshlrevB16(a, b uint64) uint64 { return b << (a & 15) & 0xffff }
func lshrrevB16(a, b uint64) uint64 { return b & 0xffff >> (a & 15) }
func ashrrevI16(a, b uint64) uint64 { return uint64(uint16(int16(b) >> (a & 15))) }
func subSatU16(a, b uint64) uint64  { return uint64(max(0, int(uint16(a))-int(uint16(b)))) }
func subSatU32(a, b uint64) uint64  { return satU32(int64(a) - int64(b)) }
