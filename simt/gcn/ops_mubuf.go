package gcn

// formatRows are the accesses that convert: to and from the format that the
// descriptor says, or for MTBUF the instruction.
var formatRows = []memoryRow{
	{code: 0x00, name: "load_format_x", dst: b32, typed: &typedAccess{components: 1}},
	{code: 0x01, name: "load_format_xy", dst: b64, typed: &typedAccess{components: 2}},
	{code: 0x02, name: "load_format_xyz", dst: b96, typed: &typedAccess{components: 3}},
	{code: 0x03, name: "load_format_xyzw", dst: b128, typed: &typedAccess{components: 4}},
	{code: 0x04, name: "store_format_x", data: b32, typed: &typedAccess{components: 1, write: true}},
	{code: 0x05, name: "store_format_xy", data: b64, typed: &typedAccess{components: 2, write: true}},
	{code: 0x06, name: "store_format_xyz", data: b96, typed: &typedAccess{components: 3, write: true}},
	{code: 0x07, name: "store_format_xyzw", data: b128, typed: &typedAccess{components: 4, write: true}},
	{code: 0x08, name: "load_format_d16_x", dst: b32, typed: &typedAccess{components: 1, half: true}},
	{code: 0x09, name: "load_format_d16_xy", dst: b32, typed: &typedAccess{components: 2, half: true}},
	{code: 0x0a, name: "load_format_d16_xyz", dst: b64, typed: &typedAccess{components: 3, half: true}},
	{code: 0x0b, name: "load_format_d16_xyzw", dst: b64, typed: &typedAccess{components: 4, half: true}},
	{code: 0x0c, name: "store_format_d16_x", data: b32,
		typed: &typedAccess{components: 1, half: true, write: true}},
	{code: 0x0d, name: "store_format_d16_xy", data: b32,
		typed: &typedAccess{components: 2, half: true, write: true}},
	{code: 0x0e, name: "store_format_d16_xyz", data: b64,
		typed: &typedAccess{components: 3, half: true, write: true}},
	{code: 0x0f, name: "store_format_d16_xyzw", data: b64,
		typed: &typedAccess{components: 4, half: true, write: true}},
}

// highRows are those of the high half of a register.
var highRows = []memoryRow{
	{code: 0x26, name: "load_format_d16_hi_x", dst: b32,
		typed: &typedAccess{components: 1, half: true, high: true}},
	{code: 0x27, name: "store_format_d16_hi_x", data: b32,
		typed: &typedAccess{components: 1, half: true, high: true, write: true}},
}

var _ = register(func() []Op {
	return memoryOps(MUBUF, "buffer_", formatRows, highRows, memoryRows, atomicRows)
})
var _ = register(func() []Op { return memoryOps(MTBUF, "tbuffer_", formatRows) })

// Cache control: memory of this machine has no caches.
var _ = register(mubufRows)

func mubufRows() []Op {
	return []Op{
		{Enc: MUBUF, Code: 0x28, Name: "buffer_wbl2", on: gfx90aP, run: noop},
		{Enc: MUBUF, Code: 0x29, Name: "buffer_invl2", on: GFX90A, run: noop, order: orderInvalidate},
		{Enc: MUBUF, Code: 0x29, Name: "buffer_inv", on: gfx942P, run: noop, order: orderInvalidate},
		{Enc: MUBUF, Code: 0x3d, Name: "buffer_store_lds_dword", flag: readsM0},
		{Enc: MUBUF, Code: 0x3e, Name: "buffer_wbinvl1", on: graphics | GFX90A, run: noop,
			order: orderInvalidate},
		{Enc: MUBUF, Code: 0x3f, Name: "buffer_wbinvl1_vol", on: graphics | GFX90A, run: noop,
			order: orderInvalidate},
	}
}
