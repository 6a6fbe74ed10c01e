package gcn

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

var _ = register(sop1Rows)

func sop1Rows() []Op {
	return []Op{
		{Enc: SOP1, Code: 0x00, Name: "s_mov_b32", dst: b32, src: srcs(b32),
			native: dword(scalarMove), run: func(c *Core, in *Inst) {
				c.r.S[uint8(in.dst.reg)] = c.s32(&in.src[0])
			}},
		{Enc: SOP1, Code: 0x01, Name: "s_mov_b64", dst: b64, src: srcs(b64), flag: whole,
			native: qword(scalarMove), run: func(c *Core, in *Inst) {
				setPair(c.r, uint8(in.dst.reg), c.s64(&in.src[0]))
			}},
		{Enc: SOP1, Code: 0x02, Name: "s_cmov_b32", dst: b32, src: srcs(b32), run: func(c *Core, in *Inst) {
			if c.r.S[regSCC] != 0 {
				c.r.S[uint8(in.dst.reg)] = c.s32(&in.src[0])
			}
		}},
		{Enc: SOP1, Code: 0x03, Name: "s_cmov_b64", dst: b64, src: srcs(b64), run: func(c *Core, in *Inst) {
			if c.r.S[regSCC] != 0 {
				setPair(c.r, uint8(in.dst.reg), c.s64(&in.src[0]))
			}
		}},
		{Enc: SOP1, Code: 0x04, Name: "s_not_b32", dst: b32, src: srcs(b32),
			native: dword(scalarNot), run: unaryNonzero32(func(a uint32) uint32 { return ^a })},
		{Enc: SOP1, Code: 0x05, Name: "s_not_b64", dst: b64, src: srcs(b64),
			native: qword(scalarNot), run: unaryNonzero64(func(a uint64) uint64 { return ^a })},
		{Enc: SOP1, Code: 0x06, Name: "s_wqm_b32", dst: b32, src: srcs(b32),
			run: unaryNonzero32(func(a uint32) uint32 { return uint32(wholeQuads(uint64(a))) })},
		{Enc: SOP1, Code: 0x07, Name: "s_wqm_b64", dst: b64, src: srcs(b64), run: unaryNonzero64(wholeQuads)},
		{Enc: SOP1, Code: 0x08, Name: "s_brev_b32", dst: b32, src: srcs(b32), run: unary32(bits.Reverse32)},
		{Enc: SOP1, Code: 0x09, Name: "s_brev_b64", dst: b64, src: srcs(b64), run: unary64(bits.Reverse64)},
		{Enc: SOP1, Code: 0x0a, Name: "s_bcnt0_i32_b32", dst: i32, src: srcs(b32),
			run: unaryNonzero32(func(a uint32) uint32 { return uint32(bits.OnesCount32(^a)) })},
		{Enc: SOP1, Code: 0x0b, Name: "s_bcnt0_i32_b64", dst: i32, src: srcs(b64),
			run: reduceNonzero64(func(a uint64) uint32 { return uint32(bits.OnesCount64(^a)) })},
		{Enc: SOP1, Code: 0x0c, Name: "s_bcnt1_i32_b32", dst: i32, src: srcs(b32),
			native: dword(scalarPopulation(native.W32)),
			run:    unaryNonzero32(func(a uint32) uint32 { return uint32(bits.OnesCount32(a)) })},
		{Enc: SOP1, Code: 0x0d, Name: "s_bcnt1_i32_b64", dst: i32, src: srcs(b64),
			native: dword(scalarPopulation(native.W64)),
			run:    reduceNonzero64(func(a uint64) uint32 { return uint32(bits.OnesCount64(a)) })},
		{Enc: SOP1, Code: 0x0e, Name: "s_ff0_i32_b32", dst: i32, src: srcs(b32),
			run: unary32(func(a uint32) uint32 { return lowestBit32(^a) })},
		{Enc: SOP1, Code: 0x0f, Name: "s_ff0_i32_b64", dst: i32, src: srcs(b64),
			run: reduce64(func(a uint64) uint32 { return lowestBit64(^a) })},
		{Enc: SOP1, Code: 0x10, Name: "s_ff1_i32_b32", dst: i32, src: srcs(b32),
			native: dword(scalarLowest(native.W32)), run: unary32(lowestBit32)},
		{Enc: SOP1, Code: 0x11, Name: "s_ff1_i32_b64", dst: i32, src: srcs(b64),
			native: dword(scalarLowest(native.W64)), run: reduce64(lowestBit64)},
		{Enc: SOP1, Code: 0x12, Name: "s_flbit_i32_b32", dst: i32, src: srcs(b32),
			run: unary32(leadingZeros32)},
		{Enc: SOP1, Code: 0x13, Name: "s_flbit_i32_b64", dst: i32, src: srcs(b64),
			run: reduce64(leadingZeros64)},
		{Enc: SOP1, Code: 0x14, Name: "s_flbit_i32", dst: i32, src: srcs(i32),
			run: unary32(func(a uint32) uint32 { return leadingZeros32(a ^ uint32(int32(a)>>31)) })},
		{Enc: SOP1, Code: 0x15, Name: "s_flbit_i32_i64", dst: i32, src: srcs(i64),
			run: reduce64(func(a uint64) uint32 { return leadingZeros64(a ^ uint64(int64(a)>>63)) })},
		{Enc: SOP1, Code: 0x16, Name: "s_sext_i32_i8", dst: i32, src: srcs(i32),
			native: dword(scalarExtend(24)), run: unary32(func(a uint32) uint32 { return uint32(int8(a)) })},
		{Enc: SOP1, Code: 0x17, Name: "s_sext_i32_i16", dst: i32, src: srcs(i32),
			native: dword(scalarExtend(16)), run: unary32(func(a uint32) uint32 { return uint32(int16(a)) })},
		{Enc: SOP1, Code: 0x18, Name: "s_bitset0_b32", dst: b32, src: srcs(u32),
			run: func(c *Core, in *Inst) {
				c.r.S[uint8(in.dst.reg)] &^= 1 << (c.s32(&in.src[0]) & 31)
			}},
		{Enc: SOP1, Code: 0x19, Name: "s_bitset0_b64", dst: b64, src: srcs(u32),
			run: func(c *Core, in *Inst) {
				r := uint8(in.dst.reg)
				setPair(c.r, r, pair(c.r, r)&^(1<<(c.s32(&in.src[0])&63)))
			}},
		{Enc: SOP1, Code: 0x1a, Name: "s_bitset1_b32", dst: b32, src: srcs(u32),
			run: func(c *Core, in *Inst) {
				c.r.S[uint8(in.dst.reg)] |= 1 << (c.s32(&in.src[0]) & 31)
			}},
		{Enc: SOP1, Code: 0x1b, Name: "s_bitset1_b64", dst: b64, src: srcs(u32),
			run: func(c *Core, in *Inst) {
				r := uint8(in.dst.reg)
				setPair(c.r, r, pair(c.r, r)|1<<(c.s32(&in.src[0])&63))
			}},
		{Enc: SOP1, Code: 0x1c, Name: "s_getpc_b64", dst: b64,
			native: qword(scalarPC), run: func(c *Core, in *Inst) {
				setPair(c.r, uint8(in.dst.reg), in.PC+uint64(in.Size))
			}},
		{Enc: SOP1, Code: 0x1d, Name: "s_setpc_b64", src: srcs(b64), flow: simt.FlowIndirect,
			run: func(c *Core, in *Inst) {
				leaveCall(c, in, c.s64(&in.src[0]))
			}},
		{Enc: SOP1, Code: 0x1e, Name: "s_swappc_b64", dst: b64, src: srcs(b64), flow: simt.FlowCall,
			run: func(c *Core, in *Inst) {
				target := c.s64(&in.src[0])
				setPair(c.r, uint8(in.dst.reg), in.PC+uint64(in.Size))
				enterCall(c, in, target)
			}},
		{Enc: SOP1, Code: 0x1f, Name: "s_rfe_b64", src: srcs(b64)},
		{Enc: SOP1, Code: 0x20, Name: "s_and_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			native: qword(scalarSaveExec(execAnd)),
			run:    saveExec(func(s, exec uint64) uint64 { return s & exec })},
		{Enc: SOP1, Code: 0x21, Name: "s_or_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec | whole,
			native: qword(scalarSaveExec(execOr)),
			run:    saveExec(func(s, exec uint64) uint64 { return s | exec })},
		{Enc: SOP1, Code: 0x22, Name: "s_xor_saveexec_b64", dst: b64, src: srcs(b64),
			flag: writesExec | whole, native: qword(scalarSaveExec(execXor)),
			run: saveExec(func(s, exec uint64) uint64 { return s ^ exec })},
		{Enc: SOP1, Code: 0x23, Name: "s_andn2_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			native: qword(scalarSaveExec(execAndn2)),
			run:    saveExec(func(s, exec uint64) uint64 { return s &^ exec })},
		{Enc: SOP1, Code: 0x24, Name: "s_orn2_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			run: saveExec(func(s, exec uint64) uint64 { return s | ^exec })},
		{Enc: SOP1, Code: 0x25, Name: "s_nand_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			run: saveExec(func(s, exec uint64) uint64 { return ^(s & exec) })},
		{Enc: SOP1, Code: 0x26, Name: "s_nor_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			run: saveExec(func(s, exec uint64) uint64 { return ^(s | exec) })},
		{Enc: SOP1, Code: 0x27, Name: "s_xnor_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			run: saveExec(func(s, exec uint64) uint64 { return ^(s ^ exec) })},
		{Enc: SOP1, Code: 0x28, Name: "s_quadmask_b32", dst: b32, src: srcs(b32),
			run: unaryNonzero32(func(a uint32) uint32 { return uint32(quadMask(uint64(a))) })},
		{Enc: SOP1, Code: 0x29, Name: "s_quadmask_b64", dst: b64, src: srcs(b64),
			run: unaryNonzero64(quadMask)},
		{Enc: SOP1, Code: 0x2a, Name: "s_movrels_b32", dst: b32, src: srcs(b32), flag: readsM0,
			run: func(c *Core, in *Inst) {
				if r, ok := c.relative(in, &in.src[0]); ok {
					c.r.S[uint8(in.dst.reg)] = c.r.S[r]
				}
			}},
		{Enc: SOP1, Code: 0x2b, Name: "s_movrels_b64", dst: b64, src: srcs(b64), flag: readsM0,
			run: func(c *Core, in *Inst) {
				if r, ok := c.relative(in, &in.src[0]); ok {
					setPair(c.r, uint8(in.dst.reg), pair(c.r, r))
				}
			}},
		{Enc: SOP1, Code: 0x2c, Name: "s_movreld_b32", dst: b32, src: srcs(b32), flag: readsM0,
			run: func(c *Core, in *Inst) {
				if r, ok := c.relative(in, &in.dst); ok {
					c.r.S[r] = c.s32(&in.src[0])
				}
			}},
		{Enc: SOP1, Code: 0x2d, Name: "s_movreld_b64", dst: b64, src: srcs(b64), flag: readsM0,
			run: func(c *Core, in *Inst) {
				if r, ok := c.relative(in, &in.dst); ok {
					setPair(c.r, r, c.s64(&in.src[0]))
				}
			}},
		{Enc: SOP1, Code: 0x2e, Name: "s_cbranch_join", src: srcs(b32)},
		{Enc: SOP1, Code: 0x30, Name: "s_abs_i32", dst: i32, src: srcs(i32), run: unaryNonzero32(absolute)},
		{Enc: SOP1, Code: 0x32, Name: "s_set_gpr_idx_idx", src: srcs(b32), run: func(c *Core, in *Inst) {
			c.r.S[regM0] = c.r.S[regM0]&^0xff | c.s32(&in.src[0])&0xff
		}},
		{Enc: SOP1, Code: 0x33, Name: "s_andn1_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			native: qword(scalarSaveExec(execAndn1)),
			run:    saveExec(func(s, exec uint64) uint64 { return exec &^ s })},
		{Enc: SOP1, Code: 0x34, Name: "s_orn1_saveexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			run: saveExec(func(s, exec uint64) uint64 { return exec | ^s })},
		{Enc: SOP1, Code: 0x35, Name: "s_andn1_wrexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			run: writeExec(func(s, exec uint64) uint64 { return exec &^ s })},
		{Enc: SOP1, Code: 0x36, Name: "s_andn2_wrexec_b64", dst: b64, src: srcs(b64), flag: writesExec,
			run: writeExec(func(s, exec uint64) uint64 { return s &^ exec })},
		{Enc: SOP1, Code: 0x37, Name: "s_bitreplicate_b64_b32", dst: b64, src: srcs(b32),
			run: func(c *Core, in *Inst) {
				setPair(c.r, uint8(in.dst.reg), bitReplicate(c.s32(&in.src[0])))
			}},
	}
}

// saveExec keeps EXEC in the destination and changes it.
func saveExec(f func(s, exec uint64) uint64) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		exec := c.w.Exec
		v := f(c.s64(&in.src[0]), exec)
		setPair(c.r, uint8(in.dst.reg), exec)
		setPair(c.r, regExec, v)
		setSCC(c.r, v != 0)
	}
}

// writeExec changes EXEC and gives the destination the new value as well.
func writeExec(f func(s, exec uint64) uint64) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v := f(c.s64(&in.src[0]), c.w.Exec)
		setPair(c.r, uint8(in.dst.reg), v)
		setPair(c.r, regExec, v)
		setSCC(c.r, v != 0)
	}
}

// relative is the register M0 past that of an operand, for s_movrel.
func (c *Core) relative(in *Inst, o *operand) (uint8, bool) { return c.relativeBy(in, o, c.r.S[regM0]) }

func (c *Core) relativeBy(in *Inst, o *operand, by uint32) (uint8, bool) {
	r := uint64(o.reg) + uint64(by)
	if o.kind != scalarReg || r+uint64(typDwords[o.typ]) > regFlatScratch {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC,
			Text: in.String() + ": M0 leads past the last scalar register"})
		return 0, false
	}
	return uint8(r), true
}

// wholeQuads sets all four bits of each quad that has one set.
func wholeQuads(v uint64) uint64 {
	v |= v >> 1
	v |= v >> 2
	return v & 0x1111_1111_1111_1111 * 0xf
}

// quadMask has a bit for each quad that has a bit set.
func quadMask(v uint64) uint64 {
	v |= v >> 1
	v |= v >> 2
	var r uint64
	for i := range 16 {
		r |= v >> (4 * i) & 1 << i
	}
	return r
}

func bitReplicate(v uint32) uint64 {
	var r uint64
	for i := range 32 {
		r |= uint64(v>>i&1) * 3 << (2 * i)
	}
	return r
}

// lowestBit32 is the number of the lowest bit set, or -1.
func lowestBit32(v uint32) uint32 {
	if v == 0 {
		return ^uint32(0)
	}
	return uint32(bits.TrailingZeros32(v))
}

func lowestBit64(v uint64) uint32 {
	if v == 0 {
		return ^uint32(0)
	}
	return uint32(bits.TrailingZeros64(v))
}

// leadingZeros32 is how many bits are above the highest bit set, or -1.
func leadingZeros32(v uint32) uint32 {
	if v == 0 {
		return ^uint32(0)
	}
	return uint32(bits.LeadingZeros32(v))
}

func leadingZeros64(v uint64) uint32 {
	if v == 0 {
		return ^uint32(0)
	}
	return uint32(bits.LeadingZeros64(v))
}
