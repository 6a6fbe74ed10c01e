package gcn

import (
	"simtgdb/simt"
	"simtgdb/simt/native"
)

var _ = register(sopkRows)

func sopkRows() []Op {
	return []Op{
		{Enc: SOPK, Code: 0x00, Name: "s_movk_i32", dst: i32, imm: hexImm,
			native: dword(scalarMoveK), run: func(c *Core, in *Inst) {
				c.r.S[uint8(in.dst.reg)] = uint32(in.simm)
			}},
		{Enc: SOPK, Code: 0x01, Name: "s_cmovk_i32", dst: i32, imm: hexImm, run: func(c *Core, in *Inst) {
			if c.r.S[regSCC] != 0 {
				c.r.S[uint8(in.dst.reg)] = uint32(in.simm)
			}
		}},
		{Enc: SOPK, Code: 0x02, Name: "s_cmpk_eq_i32", src: srcs(i32), imm: hexImm,
			native: dword(scalarCompareK(native.E)), run: compareK(equal)},
		{Enc: SOPK, Code: 0x03, Name: "s_cmpk_lg_i32", src: srcs(i32), imm: hexImm,
			native: dword(scalarCompareK(native.NE)), run: compareK(notEqual)},
		{Enc: SOPK, Code: 0x04, Name: "s_cmpk_gt_i32", src: srcs(i32), imm: hexImm,
			native: dword(scalarCompareK(native.G)), run: compareK(greaterI)},
		{Enc: SOPK, Code: 0x05, Name: "s_cmpk_ge_i32", src: srcs(i32), imm: hexImm,
			native: dword(scalarCompareK(native.GE)), run: compareK(notLessI)},
		{Enc: SOPK, Code: 0x06, Name: "s_cmpk_lt_i32", src: srcs(i32), imm: hexImm,
			native: dword(scalarCompareK(native.L)), run: compareK(lessI)},
		{Enc: SOPK, Code: 0x07, Name: "s_cmpk_le_i32", src: srcs(i32), imm: hexImm,
			native: dword(scalarCompareK(native.LE)), run: compareK(notMoreI)},
		{Enc: SOPK, Code: 0x08, Name: "s_cmpk_eq_u32", src: srcs(u32), imm: hexImm,
			native: dword(scalarCompareK(native.E)), run: compareKU(equal)},
		{Enc: SOPK, Code: 0x09, Name: "s_cmpk_lg_u32", src: srcs(u32), imm: hexImm,
			native: dword(scalarCompareK(native.NE)), run: compareKU(notEqual)},
		{Enc: SOPK, Code: 0x0a, Name: "s_cmpk_gt_u32", src: srcs(u32), imm: hexImm,
			native: dword(scalarCompareK(native.A)), run: compareKU(greaterU)},
		{Enc: SOPK, Code: 0x0b, Name: "s_cmpk_ge_u32", src: srcs(u32), imm: hexImm,
			native: dword(scalarCompareK(native.AE)), run: compareKU(notLessU)},
		{Enc: SOPK, Code: 0x0c, Name: "s_cmpk_lt_u32", src: srcs(u32), imm: hexImm,
			native: dword(scalarCompareK(native.B)), run: compareKU(lessU)},
		{Enc: SOPK, Code: 0x0d, Name: "s_cmpk_le_u32", src: srcs(u32), imm: hexImm,
			native: dword(scalarCompareK(native.BE)), run: compareKU(notMoreU)},
		{Enc: SOPK, Code: 0x0e, Name: "s_addk_i32", dst: i32, imm: hexImm,
			native: dword(scalarAddK), run: func(c *Core, in *Inst) {
				v, overflow := addI(c.r.S[uint8(in.dst.reg)], uint32(in.simm))
				c.r.S[uint8(in.dst.reg)] = v
				setSCC(c.r, overflow)
			}},
		{Enc: SOPK, Code: 0x0f, Name: "s_mulk_i32", dst: i32, imm: hexImm, run: func(c *Core, in *Inst) {
			c.r.S[uint8(in.dst.reg)] *= uint32(in.simm)
		}},
		{Enc: SOPK, Code: 0x10, Name: "s_cbranch_i_fork", src: srcs(b64), imm: branchImm},
		{Enc: SOPK, Code: 0x11, Name: "s_getreg_b32", dst: b32, imm: hwregImm, run: func(c *Core, in *Inst) {
			id, at, size := hwregField(in.simm)
			c.r.S[uint8(in.dst.reg)] = uint32(extractU(uint64(c.hwreg(id)), at, size))
		}},
		{Enc: SOPK, Code: 0x12, Name: "s_setreg_b32", src: srcs(b32), imm: hwregImm, flag: immFirst | ends,
			run: setreg},
		{Enc: SOPK, Code: 0x14, Name: "s_setreg_imm32_b32", src: srcs(b32), imm: hwregImm,
			flag: immFirst | literal32 | ends, run: setreg},
		{Enc: SOPK, Code: 0x15, Name: "s_call_b64", dst: b64, imm: branchImm, flow: simt.FlowCall,
			run: func(c *Core, in *Inst) {
				setPair(c.r, uint8(in.dst.reg), in.PC+uint64(in.Size))
				enterCall(c, in, in.branchTarget())
			}},
	}
}

func compareK(f func(a, b uint32) bool) func(*Core, *Inst) {
	return func(c *Core, in *Inst) { setSCC(c.r, f(c.s32(&in.src[0]), uint32(in.simm))) }
}

// compareKU takes the immediate without a sign.
func compareKU(f func(a, b uint32) bool) func(*Core, *Inst) {
	return func(c *Core, in *Inst) { setSCC(c.r, f(c.s32(&in.src[0]), uint32(uint16(in.simm)))) }
}

// setreg writes a field of a hardware register. It ends its block, since the
// field may be MODE's that changes how vector registers are numbered.
func setreg(c *Core, in *Inst) {
	id, at, size := hwregField(in.simm)
	mask := uint32((1<<size - 1) << at)
	c.setHwreg(id, c.hwreg(id)&^mask|c.s32(&in.src[0])<<at&mask)
	if id == hwMode && in.Op.flag&literal32 != 0 && c.isa.Target == GFX1250 { // whatever the field is
		c.r.S[regMode] = c.r.S[regMode]&^modeHigh | uint32(in.src[0].imm)&modeHigh
	}
	c.w.PC = in.PC + uint64(in.Size)
}
