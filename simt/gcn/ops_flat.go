package gcn

// A memoryRow is what flat_, scratch_, global_ and buffer_ instructions of
// one opcode have in common.
type memoryRow struct {
	code uint16
	name string // without the prefix
	dst  typ
	data typ
	mem  *access
	on   Target

	typed *typedAccess
}

// memoryRows are the loads and stores.
var memoryRows = []memoryRow{
	{code: 0x10, name: "load_ubyte", dst: b32, mem: loadU8},
	{code: 0x11, name: "load_sbyte", dst: b32, mem: loadI8},
	{code: 0x12, name: "load_ushort", dst: b32, mem: loadU16},
	{code: 0x13, name: "load_sshort", dst: b32, mem: loadI16},
	{code: 0x14, name: "load_dword", dst: b32, mem: load32},
	{code: 0x15, name: "load_dwordx2", dst: b64, mem: load64},
	{code: 0x16, name: "load_dwordx3", dst: b96, mem: load96},
	{code: 0x17, name: "load_dwordx4", dst: b128, mem: load128},
	{code: 0x18, name: "store_byte", data: b32, mem: store8},
	{code: 0x19, name: "store_byte_d16_hi", data: b32, mem: store8High},
	{code: 0x1a, name: "store_short", data: b32, mem: store16},
	{code: 0x1b, name: "store_short_d16_hi", data: b32, mem: store16High},
	{code: 0x1c, name: "store_dword", data: b32, mem: store32},
	{code: 0x1d, name: "store_dwordx2", data: b64, mem: store64},
	{code: 0x1e, name: "store_dwordx3", data: b96, mem: store96},
	{code: 0x1f, name: "store_dwordx4", data: b128, mem: store128},
	{code: 0x20, name: "load_ubyte_d16", dst: b32, mem: loadU8Low},
	{code: 0x21, name: "load_ubyte_d16_hi", dst: b32, mem: loadU8High},
	{code: 0x22, name: "load_sbyte_d16", dst: b32, mem: loadI8Low},
	{code: 0x23, name: "load_sbyte_d16_hi", dst: b32, mem: loadI8High},
	{code: 0x24, name: "load_short_d16", dst: b32, mem: loadLow16},
	{code: 0x25, name: "load_short_d16_hi", dst: b32, mem: loadHigh16},
}

// ldsRows are gfx942's loads whose destination is LDS.
var ldsRows = []memoryRow{
	{code: 0x26, name: "load_lds_ubyte", mem: loadU8, on: gfx942P},
	{code: 0x27, name: "load_lds_sbyte", mem: loadI8, on: gfx942P},
	{code: 0x28, name: "load_lds_ushort", mem: loadU16, on: gfx942P},
	{code: 0x29, name: "load_lds_sshort", mem: loadI16, on: gfx942P},
	{code: 0x2a, name: "load_lds_dword", mem: load32, on: gfx942P},
}

// wideLDSRows are gfx950's of several dwords.
var wideLDSRows = []memoryRow{
	{code: 0x7d, name: "load_lds_dwordx4", mem: load128, on: GFX950},
	{code: 0x7e, name: "load_lds_dwordx3", mem: load96, on: GFX950},
}

// atomicRows are the atomic operations; those that return the old value have
// a destination of the type of result.
var atomicRows = []memoryRow{
	{code: 0x40, name: "atomic_swap", dst: b32, data: b32, mem: atomicSwap},
	{code: 0x41, name: "atomic_cmpswap", dst: b32, data: b64, mem: atomic32(swapIf[uint32])},
	{code: 0x42, name: "atomic_add", dst: b32, data: b32, mem: atomicAdd},
	{code: 0x43, name: "atomic_sub", dst: b32, data: b32, mem: atomicSub},
	{code: 0x44, name: "atomic_smin", dst: b32, data: b32, mem: atomicSMin},
	{code: 0x45, name: "atomic_umin", dst: b32, data: b32, mem: atomicUMin},
	{code: 0x46, name: "atomic_smax", dst: b32, data: b32, mem: atomicSMax},
	{code: 0x47, name: "atomic_umax", dst: b32, data: b32, mem: atomicUMax},
	{code: 0x48, name: "atomic_and", dst: b32, data: b32, mem: atomicAnd},
	{code: 0x49, name: "atomic_or", dst: b32, data: b32, mem: atomicOr},
	{code: 0x4a, name: "atomic_xor", dst: b32, data: b32, mem: atomicXor},
	{code: 0x4b, name: "atomic_inc", dst: b32, data: b32, mem: atomicInc},
	{code: 0x4c, name: "atomic_dec", dst: b32, data: b32, mem: atomicDec},
	{code: 0x4d, name: "atomic_add_f32", dst: f32, data: f32, mem: atomicAddF32, on: gfx908P},
	{code: 0x4e, name: "atomic_pk_add_f16", dst: v2f16, data: v2f16, mem: atomicAddH, on: gfx908P},
	{code: 0x4f, name: "atomic_add_f64", dst: f64, data: f64, mem: atomicAddF64, on: gfx90aP},
	{code: 0x50, name: "atomic_min_f64", dst: f64, data: f64, mem: atomicMinF64, on: gfx90aP},
	{code: 0x51, name: "atomic_max_f64", dst: f64, data: f64, mem: atomicMaxF64, on: gfx90aP},
	{code: 0x52, name: "atomic_pk_add_bf16", dst: b32, data: b32, mem: atomicAddB, on: gfx942P},
	{code: 0x60, name: "atomic_swap_x2", dst: b64, data: b64, mem: atomicSwap64},
	{code: 0x61, name: "atomic_cmpswap_x2", dst: b64, data: b128, mem: atomic64(swapIf[uint64])},
	{code: 0x62, name: "atomic_add_x2", dst: b64, data: b64, mem: atomicAdd64},
	{code: 0x63, name: "atomic_sub_x2", dst: b64, data: b64, mem: atomicSub64},
	{code: 0x64, name: "atomic_smin_x2", dst: b64, data: b64, mem: atomicSMin64},
	{code: 0x65, name: "atomic_umin_x2", dst: b64, data: b64, mem: atomicUMin64},
	{code: 0x66, name: "atomic_smax_x2", dst: b64, data: b64, mem: atomicSMax64},
	{code: 0x67, name: "atomic_umax_x2", dst: b64, data: b64, mem: atomicUMax64},
	{code: 0x68, name: "atomic_and_x2", dst: b64, data: b64, mem: atomicAnd64},
	{code: 0x69, name: "atomic_or_x2", dst: b64, data: b64, mem: atomicOr64},
	{code: 0x6a, name: "atomic_xor_x2", dst: b64, data: b64, mem: atomicXor64},
	{code: 0x6b, name: "atomic_inc_x2", dst: b64, data: b64, mem: atomicInc64},
	{code: 0x6c, name: "atomic_dec_x2", dst: b64, data: b64, mem: atomicDec64},
}

// lacking are the atomic operations that fewer processors have in some
// encoding than in others.
var lacking = map[Enc]map[uint16]Target{
	FLAT:  {0x4d: gfx942P, 0x4e: gfx942P},
	MUBUF: {0x52: GFX950},
}

// memoryOps makes the rows of one encoding.
func memoryOps(enc Enc, prefix string, tables ...[]memoryRow) []Op {
	most := 0
	for _, rows := range tables {
		most += len(rows)
	}
	ops := make([]Op, 0, most)
	for _, rows := range tables {
		for _, r := range rows {
			op := Op{Enc: enc, Code: r.code, Name: prefix + r.name, dst: r.dst, on: r.on, mem: r.mem,
				typed: r.typed}
			op.src[1] = r.data
			if on, ok := lacking[enc][r.code]; ok {
				op.on = on
				if on == 0 {
					continue
				}
			}
			ops = append(ops, op)
		}
	}
	return ops
}

var (
	_ = register(func() []Op { return memoryOps(FLAT, "flat_", memoryRows, atomicRows) })
	_ = register(func() []Op {
		return memoryOps(GLOBAL, "global_", memoryRows, ldsRows, wideLDSRows, atomicRows)
	})
	_ = register(func() []Op { return memoryOps(SCRATCH, "scratch_", memoryRows, ldsRows) })
)
