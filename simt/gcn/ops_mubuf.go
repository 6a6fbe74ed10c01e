package gcn

// The formatted accesses, which need the formats of images: names only. They
// have the descriptor as source 0 like the others.
var formatRows = []memoryRow{
	{code: 0x00, name: "load_format_x", dst: b32},
	{code: 0x01, name: "load_format_xy", dst: b64},
	{code: 0x02, name: "load_format_xyz", dst: b96},
	{code: 0x03, name: "load_format_xyzw", dst: b128},
	{code: 0x04, name: "store_format_x", data: b32},
	{code: 0x05, name: "store_format_xy", data: b64},
	{code: 0x06, name: "store_format_xyz", data: b96},
	{code: 0x07, name: "store_format_xyzw", data: b128},
	{code: 0x08, name: "load_format_d16_x", dst: b32},
	{code: 0x09, name: "load_format_d16_xy", dst: b32},
	{code: 0x0a, name: "load_format_d16_xyz", dst: b64},
	{code: 0x0b, name: "load_format_d16_xyzw", dst: b64},
	{code: 0x0c, name: "store_format_d16_x", data: b32},
	{code: 0x0d, name: "store_format_d16_xy", data: b32},
	{code: 0x0e, name: "store_format_d16_xyz", data: b64},
	{code: 0x0f, name: "store_format_d16_xyzw", data: b64},
	{code: 0x26, name: "load_format_d16_hi_x", dst: b32},
	{code: 0x27, name: "store_format_d16_hi_x", data: b32},
}

var _ = register(memoryOps(MUBUF, "buffer_", formatRows, memoryRows, atomicRows))

// Cache control: memory of this machine has no caches.
var _ = register([]Op{
	{Enc: MUBUF, Code: 0x28, Name: "buffer_wbl2", on: gfx90aP, run: noop},
	{Enc: MUBUF, Code: 0x29, Name: "buffer_invl2", on: GFX90A, run: noop},
	{Enc: MUBUF, Code: 0x29, Name: "buffer_inv", on: GFX942, run: noop},
	{Enc: MUBUF, Code: 0x3d, Name: "buffer_store_lds_dword"},
	{Enc: MUBUF, Code: 0x3e, Name: "buffer_wbinvl1", on: GFX900 | GFX90A, run: noop},
	{Enc: MUBUF, Code: 0x3f, Name: "buffer_wbinvl1_vol", on: GFX900 | GFX90A, run: noop},
})
