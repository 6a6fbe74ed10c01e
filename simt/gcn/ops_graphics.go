package gcn

// The graphics encodings: exports and interpolation are names only. They decode so that code that has them
// can be listed, and fault when they are executed.

var _ = register(graphicsRows)

func graphicsRows() []Op {
	return []Op{
		{Enc: VINTRP, Code: 0, Name: "v_interp_p1_f32", on: graphics},
		{Enc: VINTRP, Code: 1, Name: "v_interp_p2_f32", on: graphics},
		{Enc: VINTRP, Code: 2, Name: "v_interp_mov_f32", on: graphics},
		{Enc: EXP, Code: 0, Name: "exp", on: graphics},
		{Enc: MIMG, Code: 0x20, Name: "image_sample", on: GFX90A},
	}
}

func imageRows(on Target, names map[uint16]string) []Op {
	ops := make([]Op, 0, len(names))
	for code, name := range names {
		op := imageRow(MIMG, "image_"+name)
		op.Code, op.on = code, on
		ops = append(ops, *op)
	}
	return ops
}

var _ = register(func() []Op { return imageRows(graphics, imageOpcodes) })

// imageOpcodes are the instructions of images.
var imageOpcodes = map[uint16]string{
	0x00: "load", 0x01: "load_mip", 0x02: "load_pck", 0x03: "load_pck_sgn", 0x04: "load_mip_pck",
	0x05: "load_mip_pck_sgn", 0x08: "store", 0x09: "store_mip", 0x0a: "store_pck", 0x0b: "store_mip_pck",
	0x0e: "get_resinfo", 0x10: "atomic_swap", 0x11: "atomic_cmpswap", 0x12: "atomic_add", 0x13: "atomic_sub",
	0x14: "atomic_smin", 0x15: "atomic_umin", 0x16: "atomic_smax", 0x17: "atomic_umax", 0x18: "atomic_and",
	0x19: "atomic_or", 0x1a: "atomic_xor", 0x1b: "atomic_inc", 0x1c: "atomic_dec", 0x20: "sample",
	0x21: "sample_cl", 0x22: "sample_d", 0x23: "sample_d_cl", 0x24: "sample_l", 0x25: "sample_b",
	0x26: "sample_b_cl", 0x27: "sample_lz", 0x28: "sample_c", 0x29: "sample_c_cl", 0x2a: "sample_c_d",
	0x2b: "sample_c_d_cl", 0x2c: "sample_c_l", 0x2d: "sample_c_b", 0x2e: "sample_c_b_cl", 0x2f: "sample_c_lz",
	0x30: "sample_o", 0x31: "sample_cl_o", 0x32: "sample_d_o", 0x33: "sample_d_cl_o", 0x34: "sample_l_o",
	0x35: "sample_b_o", 0x36: "sample_b_cl_o", 0x37: "sample_lz_o", 0x38: "sample_c_o", 0x39: "sample_c_cl_o",
	0x3a: "sample_c_d_o", 0x3b: "sample_c_d_cl_o", 0x3c: "sample_c_l_o", 0x3d: "sample_c_b_o",
	0x3e: "sample_c_b_cl_o",
	0x3f: "sample_c_lz_o", 0x40: "gather4", 0x41: "gather4_cl", 0x42: "gather4h", 0x44: "gather4_l",
	0x45: "gather4_b", 0x46: "gather4_b_cl", 0x47: "gather4_lz", 0x48: "gather4_c", 0x49: "gather4_c_cl",
	0x4c: "gather4_c_l", 0x4d: "gather4_c_b", 0x4e: "gather4_c_b_cl", 0x4f: "gather4_c_lz", 0x50: "gather4_o",
	0x51: "gather4_cl_o", 0x54: "gather4_l_o", 0x55: "gather4_b_o", 0x56: "gather4_b_cl_o",
	0x57: "gather4_lz_o", 0x58: "gather4_c_o", 0x59: "gather4_c_cl_o", 0x5c: "gather4_c_l_o",
	0x5d: "gather4_c_b_o", 0x5e: "gather4_c_b_cl_o",
	0x5f: "gather4_c_lz_o", 0x60: "get_lod", 0x68: "sample_cd", 0x69: "sample_cd_cl", 0x6a: "sample_c_cd",
	0x6b: "sample_c_cd_cl", 0x6c: "sample_cd_o", 0x6d: "sample_cd_cl_o", 0x6e: "sample_c_cd_o",
	0x6f: "sample_c_cd_cl_o",
}
