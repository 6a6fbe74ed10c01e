package gcn

import "simtgdb/simt/native"

var _ = register(sopcRows)

func sopcRows() []Op {
	return []Op{
		{Enc: SOPC, Code: 0x00, Name: "s_cmp_eq_i32", src: srcs(i32, i32),
			native: dword(scalarCompare(native.E)), run: compare32(equal)},
		{Enc: SOPC, Code: 0x01, Name: "s_cmp_lg_i32", src: srcs(i32, i32),
			native: dword(scalarCompare(native.NE)), run: compare32(notEqual)},
		{Enc: SOPC, Code: 0x02, Name: "s_cmp_gt_i32", src: srcs(i32, i32),
			native: dword(scalarCompare(native.G)), run: compare32(greaterI)},
		{Enc: SOPC, Code: 0x03, Name: "s_cmp_ge_i32", src: srcs(i32, i32),
			native: dword(scalarCompare(native.GE)), run: compare32(notLessI)},
		{Enc: SOPC, Code: 0x04, Name: "s_cmp_lt_i32", src: srcs(i32, i32),
			native: dword(scalarCompare(native.L)), run: compare32(lessI)},
		{Enc: SOPC, Code: 0x05, Name: "s_cmp_le_i32", src: srcs(i32, i32),
			native: dword(scalarCompare(native.LE)), run: compare32(notMoreI)},
		{Enc: SOPC, Code: 0x06, Name: "s_cmp_eq_u32", src: srcs(u32, u32),
			native: dword(scalarCompare(native.E)), run: compare32(equal)},
		{Enc: SOPC, Code: 0x07, Name: "s_cmp_lg_u32", src: srcs(u32, u32),
			native: dword(scalarCompare(native.NE)), run: compare32(notEqual)},
		{Enc: SOPC, Code: 0x08, Name: "s_cmp_gt_u32", src: srcs(u32, u32),
			native: dword(scalarCompare(native.A)), run: compare32(greaterU)},
		{Enc: SOPC, Code: 0x09, Name: "s_cmp_ge_u32", src: srcs(u32, u32),
			native: dword(scalarCompare(native.AE)), run: compare32(notLessU)},
		{Enc: SOPC, Code: 0x0a, Name: "s_cmp_lt_u32", src: srcs(u32, u32),
			native: dword(scalarCompare(native.B)), run: compare32(lessU)},
		{Enc: SOPC, Code: 0x0b, Name: "s_cmp_le_u32", src: srcs(u32, u32),
			native: dword(scalarCompare(native.BE)), run: compare32(notMoreU)},
		{Enc: SOPC, Code: 0x0c, Name: "s_bitcmp0_b32", src: srcs(b32, u32),
			run: compare32(func(a, b uint32) bool { return a>>(b&31)&1 == 0 })},
		{Enc: SOPC, Code: 0x0d, Name: "s_bitcmp1_b32", src: srcs(b32, u32),
			run: compare32(func(a, b uint32) bool { return a>>(b&31)&1 != 0 })},
		{Enc: SOPC, Code: 0x0e, Name: "s_bitcmp0_b64", src: srcs(b64, u32), run: func(c *Core, in *Inst) {
			setSCC(c.r, c.s64(&in.src[0])>>(c.s32(&in.src[1])&63)&1 == 0)
		}},
		{Enc: SOPC, Code: 0x0f, Name: "s_bitcmp1_b64", src: srcs(b64, u32), run: func(c *Core, in *Inst) {
			setSCC(c.r, c.s64(&in.src[0])>>(c.s32(&in.src[1])&63)&1 != 0)
		}},
		{Enc: SOPC, Code: 0x10, Name: "s_setvskip", src: srcs(b32, u32)},
		{Enc: SOPC, Code: 0x11, Name: "s_set_gpr_idx_on", src: srcs(b32), imm: indexModeImm, flag: ends,
			run: func(c *Core, in *Inst) {
				c.r.S[regMode] |= modeGPRIndex
				c.r.S[regM0] = c.r.S[regM0]&^0xf0ff | c.s32(&in.src[0])&0xff | uint32(in.simm)&0xf<<12
				c.w.PC = in.PC + uint64(in.Size)
			}},
		{Enc: SOPC, Code: 0x12, Name: "s_cmp_eq_u64", src: srcs(u64, u64),
			native: qword(scalarCompare(native.E)), run: compare64(func(a, b uint64) bool { return a == b })},
		{Enc: SOPC, Code: 0x13, Name: "s_cmp_lg_u64", src: srcs(u64, u64),
			native: qword(scalarCompare(native.NE)),
			run:    compare64(func(a, b uint64) bool { return a != b })},
	}
}
