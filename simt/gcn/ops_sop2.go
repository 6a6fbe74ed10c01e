package gcn

import (
	"math/bits"

	"simtgdb/simt/native"
)

var _ = register(sop2Rows)

func sop2Rows() []Op {
	return []Op{
		{Enc: SOP2, Code: 0x00, Name: "s_add_u32", dst: u32, src: srcs(u32, u32),
			native: dword(scalarALU(native.ADD, native.B)), run: func(c *Core, in *Inst) {
				v, carry := bits.Add32(c.s32(&in.src[0]), c.s32(&in.src[1]), 0)
				c.r.S[uint8(in.dst.reg)], c.r.S[regSCC] = v, carry
			}},
		{Enc: SOP2, Code: 0x01, Name: "s_sub_u32", dst: u32, src: srcs(u32, u32),
			native: dword(scalarALU(native.SUB, native.B)), run: func(c *Core, in *Inst) {
				v, borrow := bits.Sub32(c.s32(&in.src[0]), c.s32(&in.src[1]), 0)
				c.r.S[uint8(in.dst.reg)], c.r.S[regSCC] = v, borrow
			}},
		{Enc: SOP2, Code: 0x02, Name: "s_add_i32", dst: i32, src: srcs(i32, i32),
			native: dword(scalarALU(native.ADD, native.O)), run: carry32(addI)},
		{Enc: SOP2, Code: 0x03, Name: "s_sub_i32", dst: i32, src: srcs(i32, i32),
			native: dword(scalarALU(native.SUB, native.O)), run: carry32(subI)},
		{Enc: SOP2, Code: 0x04, Name: "s_addc_u32", dst: u32, src: srcs(u32, u32),
			native: dword(scalarCarry(native.ADC)), run: func(c *Core, in *Inst) {
				v, carry := bits.Add32(c.s32(&in.src[0]), c.s32(&in.src[1]), c.r.S[regSCC])
				c.r.S[uint8(in.dst.reg)], c.r.S[regSCC] = v, carry
			}},
		{Enc: SOP2, Code: 0x05, Name: "s_subb_u32", dst: u32, src: srcs(u32, u32),
			native: dword(scalarCarry(native.SBB)), run: func(c *Core, in *Inst) {
				v, borrow := bits.Sub32(c.s32(&in.src[0]), c.s32(&in.src[1]), c.r.S[regSCC])
				c.r.S[uint8(in.dst.reg)], c.r.S[regSCC] = v, borrow
			}},
		{Enc: SOP2, Code: 0x06, Name: "s_min_i32", dst: i32, src: srcs(i32, i32),
			native: dword(scalarExtreme(native.GE, native.L)), run: carry32(func(a, b uint32) (uint32, bool) {
				return uint32(min(int32(a), int32(b))), int32(a) < int32(b)
			})},
		{Enc: SOP2, Code: 0x07, Name: "s_min_u32", dst: u32, src: srcs(u32, u32),
			native: dword(scalarExtreme(native.AE, native.B)), run: carry32(func(a, b uint32) (uint32, bool) {
				return min(a, b), a < b
			})},
		{Enc: SOP2, Code: 0x08, Name: "s_max_i32", dst: i32, src: srcs(i32, i32),
			native: dword(scalarExtreme(native.L, native.GE)), run: carry32(func(a, b uint32) (uint32, bool) {
				return uint32(max(int32(a), int32(b))), int32(a) >= int32(b)
			})},
		{Enc: SOP2, Code: 0x09, Name: "s_max_u32", dst: u32, src: srcs(u32, u32),
			native: dword(scalarExtreme(native.B, native.AE)), run: carry32(func(a, b uint32) (uint32, bool) {
				return max(a, b), a >= b
			})},
		{Enc: SOP2, Code: 0x0a, Name: "s_cselect_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarSelect), run: func(c *Core, in *Inst) {
				i := 1 - c.r.S[regSCC]&1
				c.r.S[uint8(in.dst.reg)] = c.s32(&in.src[i])
			}},
		{Enc: SOP2, Code: 0x0b, Name: "s_cselect_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarSelect), run: func(c *Core, in *Inst) {
				i := 1 - c.r.S[regSCC]&1
				setPair(c.r, uint8(in.dst.reg), c.s64(&in.src[i]))
			}},
		{Enc: SOP2, Code: 0x0c, Name: "s_and_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarALU(native.AND, native.NE)),
			run:    nonzero32(func(a, b uint32) uint32 { return a & b })},
		{Enc: SOP2, Code: 0x0d, Name: "s_and_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarALU(native.AND, native.NE)),
			run:    nonzero64(func(a, b uint64) uint64 { return a & b })},
		{Enc: SOP2, Code: 0x0e, Name: "s_or_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarALU(native.OR, native.NE)),
			run:    nonzero32(func(a, b uint32) uint32 { return a | b })},
		{Enc: SOP2, Code: 0x0f, Name: "s_or_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarALU(native.OR, native.NE)),
			run:    nonzero64(func(a, b uint64) uint64 { return a | b })},
		{Enc: SOP2, Code: 0x10, Name: "s_xor_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarALU(native.XOR, native.NE)),
			run:    nonzero32(func(a, b uint32) uint32 { return a ^ b })},
		{Enc: SOP2, Code: 0x11, Name: "s_xor_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarALU(native.XOR, native.NE)),
			run:    nonzero64(func(a, b uint64) uint64 { return a ^ b })},
		{Enc: SOP2, Code: 0x12, Name: "s_andn2_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarInverted(native.AND)),
			run:    nonzero32(func(a, b uint32) uint32 { return a &^ b })},
		{Enc: SOP2, Code: 0x13, Name: "s_andn2_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarInverted(native.AND)),
			run:    nonzero64(func(a, b uint64) uint64 { return a &^ b })},
		{Enc: SOP2, Code: 0x14, Name: "s_orn2_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarInverted(native.OR)),
			run:    nonzero32(func(a, b uint32) uint32 { return a | ^b })},
		{Enc: SOP2, Code: 0x15, Name: "s_orn2_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarInverted(native.OR)),
			run:    nonzero64(func(a, b uint64) uint64 { return a | ^b })},
		{Enc: SOP2, Code: 0x16, Name: "s_nand_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarNegated(native.AND)),
			run:    nonzero32(func(a, b uint32) uint32 { return ^(a & b) })},
		{Enc: SOP2, Code: 0x17, Name: "s_nand_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarNegated(native.AND)),
			run:    nonzero64(func(a, b uint64) uint64 { return ^(a & b) })},
		{Enc: SOP2, Code: 0x18, Name: "s_nor_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarNegated(native.OR)),
			run:    nonzero32(func(a, b uint32) uint32 { return ^(a | b) })},
		{Enc: SOP2, Code: 0x19, Name: "s_nor_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarNegated(native.OR)),
			run:    nonzero64(func(a, b uint64) uint64 { return ^(a | b) })},
		{Enc: SOP2, Code: 0x1a, Name: "s_xnor_b32", dst: b32, src: srcs(b32, b32),
			native: dword(scalarNegated(native.XOR)),
			run:    nonzero32(func(a, b uint32) uint32 { return ^(a ^ b) })},
		{Enc: SOP2, Code: 0x1b, Name: "s_xnor_b64", dst: b64, src: srcs(b64, b64),
			native: qword(scalarNegated(native.XOR)),
			run:    nonzero64(func(a, b uint64) uint64 { return ^(a ^ b) })},
		{Enc: SOP2, Code: 0x1c, Name: "s_lshl_b32", dst: b32, src: srcs(b32, u32),
			native: dword(scalarShift(native.SHL)),
			run:    nonzero32(func(a, b uint32) uint32 { return a << (b & 31) })},
		{Enc: SOP2, Code: 0x1d, Name: "s_lshl_b64", dst: b64, src: srcs(b64, u32),
			native: qword(scalarShift(native.SHL)),
			run:    shift64(func(a uint64, b uint32) uint64 { return a << (b & 63) })},
		{Enc: SOP2, Code: 0x1e, Name: "s_lshr_b32", dst: b32, src: srcs(b32, u32),
			native: dword(scalarShift(native.SHR)),
			run:    nonzero32(func(a, b uint32) uint32 { return a >> (b & 31) })},
		{Enc: SOP2, Code: 0x1f, Name: "s_lshr_b64", dst: b64, src: srcs(b64, u32),
			native: qword(scalarShift(native.SHR)),
			run:    shift64(func(a uint64, b uint32) uint64 { return a >> (b & 63) })},
		{Enc: SOP2, Code: 0x20, Name: "s_ashr_i32", dst: i32, src: srcs(i32, u32),
			native: dword(scalarShift(native.SAR)), run: nonzero32(func(a, b uint32) uint32 {
				return uint32(int32(a) >> (b & 31))
			})},
		{Enc: SOP2, Code: 0x21, Name: "s_ashr_i64", dst: i64, src: srcs(i64, u32),
			native: qword(scalarShift(native.SAR)), run: shift64(func(a uint64, b uint32) uint64 {
				return uint64(int64(a) >> (b & 63))
			})},
		{Enc: SOP2, Code: 0x22, Name: "s_bfm_b32", dst: b32, src: srcs(b32, b32),
			run: scalar32(func(a, b uint32) uint32 {
				return (1<<(a&31) - 1) << (b & 31)
			})},
		{Enc: SOP2, Code: 0x23, Name: "s_bfm_b64", dst: b64, src: srcs(b32, b32),
			run: func(c *Core, in *Inst) {
				width, at := c.s32(&in.src[0])&63, c.s32(&in.src[1])&63
				setPair(c.r, uint8(in.dst.reg), (1<<width-1)<<at)
			}},
		{Enc: SOP2, Code: 0x24, Name: "s_mul_i32", dst: i32, src: srcs(i32, i32),
			native: dword(scalarMul), run: scalar32(func(a, b uint32) uint32 { return a * b })},
		{Enc: SOP2, Code: 0x25, Name: "s_bfe_u32", dst: u32, src: srcs(u32, u32),
			native: dword(scalarField(native.SHR)), run: nonzero32(func(a, b uint32) uint32 {
				return uint32(extractU(uint64(a), b&31, b>>16&0x7f))
			})},
		{Enc: SOP2, Code: 0x26, Name: "s_bfe_i32", dst: i32, src: srcs(i32, u32),
			native: dword(scalarField(native.SAR)), run: nonzero32(func(a, b uint32) uint32 {
				return uint32(extractI(uint64(int64(int32(a))), b&31, b>>16&0x7f))
			})},
		{Enc: SOP2, Code: 0x27, Name: "s_bfe_u64", dst: u64, src: srcs(u64, u32),
			run: shift64(func(a uint64, b uint32) uint64 {
				return extractU(a, b&63, b>>16&0x7f)
			})},
		{Enc: SOP2, Code: 0x28, Name: "s_bfe_i64", dst: i64, src: srcs(i64, u32),
			run: shift64(func(a uint64, b uint32) uint64 {
				return extractI(a, b&63, b>>16&0x7f)
			})},
		{Enc: SOP2, Code: 0x29, Name: "s_cbranch_g_fork", src: srcs(b64, b64)},
		{Enc: SOP2, Code: 0x2a, Name: "s_absdiff_i32", dst: i32, src: srcs(i32, i32),
			run: nonzero32(func(a, b uint32) uint32 {
				return absolute(a - b)
			})},
		{Enc: SOP2, Code: 0x2b, Name: "s_rfe_restore_b64", src: srcs(b64, b32)},
		{Enc: SOP2, Code: 0x2c, Name: "s_mul_hi_u32", dst: u32, src: srcs(u32, u32),
			native: dword(scalarMulHigh), run: scalar32(func(a, b uint32) uint32 {
				return uint32(uint64(a) * uint64(b) >> 32)
			})},
		{Enc: SOP2, Code: 0x2d, Name: "s_mul_hi_i32", dst: i32, src: srcs(i32, i32),
			run: scalar32(func(a, b uint32) uint32 {
				return uint32(int64(int32(a)) * int64(int32(b)) >> 32)
			})},
		{Enc: SOP2, Code: 0x2e, Name: "s_lshl1_add_u32", dst: u32, src: srcs(u32, u32),
			run: carry32(shiftAdd(1))},
		{Enc: SOP2, Code: 0x2f, Name: "s_lshl2_add_u32", dst: u32, src: srcs(u32, u32),
			run: carry32(shiftAdd(2))},
		{Enc: SOP2, Code: 0x30, Name: "s_lshl3_add_u32", dst: u32, src: srcs(u32, u32),
			run: carry32(shiftAdd(3))},
		{Enc: SOP2, Code: 0x31, Name: "s_lshl4_add_u32", dst: u32, src: srcs(u32, u32),
			run: carry32(shiftAdd(4))},
		{Enc: SOP2, Code: 0x32, Name: "s_pack_ll_b32_b16", dst: b32, src: srcs(b32, b32),
			native: dword(scalarPack), run: scalar32(func(a, b uint32) uint32 {
				return a&0xffff | b<<16
			})},
		{Enc: SOP2, Code: 0x33, Name: "s_pack_lh_b32_b16", dst: b32, src: srcs(b32, b32),
			run: scalar32(func(a, b uint32) uint32 {
				return a&0xffff | b&0xffff_0000
			})},
		{Enc: SOP2, Code: 0x34, Name: "s_pack_hh_b32_b16", dst: b32, src: srcs(b32, b32),
			run: scalar32(func(a, b uint32) uint32 {
				return a>>16 | b&0xffff_0000
			})},
	}
}

// shiftAdd shifts, then adds; SCC is set if the sum needs more than 32 bits.
func shiftAdd(n uint) func(a, b uint32) (uint32, bool) {
	return func(a, b uint32) (uint32, bool) {
		v := uint64(a)<<n + uint64(b)
		return uint32(v), v>>32 != 0
	}
}

// extractU takes width bits from bit at on.
func extractU(v uint64, at, width uint32) uint64 {
	v >>= at
	if width < 64 {
		v &= 1<<width - 1
	}
	return v
}

// extractI is extractU with the result's highest bit as its sign.
func extractI(v uint64, at, width uint32) uint64 {
	s := int64(v) >> at
	switch {
	case width == 0:
		return 0
	case width < 64:
		return uint64(s << (64 - width) >> (64 - width))
	}
	return uint64(s)
}

// absolute of the most negative number is itself.
func absolute(v uint32) uint32 {
	if int32(v) < 0 {
		return -v
	}
	return v
}
