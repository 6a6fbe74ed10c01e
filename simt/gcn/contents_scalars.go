package gcn

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// Scalar registers without contents: those that a wave does not begin with, and what is moved, read from a
// lane, or computed on whole dwords from one. As of vector registers it is a defect when such a value decides
// an address or a branch, or becomes a vector value that does.

// scalarsFollowed are the ordinary scalar registers.
const scalarsFollowed = regFlatScratch

// scalarState are the scalar registers of a wave without contents.
type scalarState struct {
	empty [scalarWords]uint64     // a bit for each
	masks [scalarWords]uint64     // those of pairs of which a mask has bits without contents
	from  [scalarsFollowed]uint64 // the instruction that it came from
	made  uint64                  // by which instruction SCC was compared with such a one
}

// begin makes all registers without contents but the first, which a wave begins with.
func (s *scalarState) begin(given int) {
	for i := given; i < scalarsFollowed; i++ {
		s.empty[i/64] |= 1 << (i % 64)
	}
}

// emptyScalar reports whether a dword of a scalar operand has no contents, and where it came from.
func (s *valueState) emptyScalar(o *operand, i int) (empty bool, from uint64) {
	at := int(o.reg) + i
	if o.kind != scalarReg || at >= scalarsFollowed {
		return false, 0
	}
	if half := s.masks[at&^1] >> (at & 1 * 32); uint32(half) == ^uint32(0) {
		return true, s.made[at&^1]
	}
	return s.scalars.empty[at/64]>>(at%64)&1 != 0, s.scalars.from[at]
}

// anyEmpty reports whether any of n dwords of a scalar operand has no contents.
func (s *valueState) anyEmpty(o *operand, n int) (empty bool, from uint64) {
	for i := range n {
		if empty, from = s.emptyScalar(o, i); empty {
			return true, from
		}
	}
	return false, 0
}

// beforeScalars looks at what an instruction does with scalar registers at once. It reports whether the wave
// is to stop.
func (c *Core) beforeScalars(s *valueState, in *Inst) (stop bool) {
	address := func(o *operand, n int) {
		if empty, from := s.anyEmpty(o, n); empty {
			stop = contents.UsedAsAddress(c.m, c.w, in.PC, c.lanesOf(), from, registerName(o, 0)) || stop
		}
	}
	switch op := in.Op; {
	case in.form == SMEM, in.form >= DS && op.mem != nil:
		address(&in.src[0], max(typDwords[in.src[0].typ], 1))
		address(&in.mem.saddr, max(typDwords[in.mem.saddr.typ], 1))
		address(&in.mem.soffset, 1)
	case op.flow == simt.FlowIndirect, op.flow == simt.FlowCall:
		address(&in.src[0], max(typDwords[in.src[0].typ], 1))
	case op.Enc == SOPP && op.flow == simt.FlowBranch && in.readsSCC() && s.some.has(sccIn):
		return c.decides(in, c.lanesOf(), s.scalars.made)
	}
	return stop
}

// lanesOf are the lanes that a scalar instruction concerns: those that execute, or the first if none does.
func (c *Core) lanesOf() uint64 {
	if c.w.Exec != 0 {
		return c.w.Exec
	}
	return c.w.Valid & -c.w.Valid
}

// readsSCC reports whether a branch looks at SCC.
func (in *Inst) readsSCC() bool { return in.Op.Code == 0x04 || in.Op.Code == 0x05 }

// readLane is v_readlane and v_readfirstlane: the scalar has what the lane has.
func (c *Core) readLane(s *valueState, in *Inst, now *valuesNow) {
	lane := bits.TrailingZeros64(c.w.Exec|1<<63) & 63
	if c.w.Exec == 0 {
		lane = 0
	}
	if in.src[1].kind != noOperand {
		lane = int(c.s32(&in.src[1])) & (c.w.Size - 1) & 63
	}
	lanes, from := s.vectorLanes(&in.src[0], false)
	now.scalar, now.from = lanes>>lane&1 != 0, from
}

// writeLane is v_writelane: one lane gets what the scalar has.
func (c *Core) writeLane(s *valueState, in *Inst, now *valuesNow) {
	now.written = 1 << (c.s32(&in.src[1]) & uint32(c.w.Size-1) & 63)
	if empty, from := s.emptyScalar(&in.src[0], 0); empty {
		now.lanes, now.from = now.written, from
	}
}

// setScalar notes what a scalar destination has.
func (s *valueState) setScalar(in *Inst, o *operand, now *valuesNow) {
	n := max(typDwords[o.typ], 1)
	if o.kind == scalarReg {
		for i := range n {
			at := int(o.reg) + i
			if at >= scalarsFollowed {
				break
			}
			if s.scalars.empty[at/64] &^= 1 << (at % 64); now.scalar && n == 1 {
				s.scalars.empty[at/64] |= 1 << (at % 64)
			}
			s.scalars.from[at] = now.from
			s.marked = s.marked || now.from != 0
		}
	}
}

// scalarWholes are the scalar instructions whose result, SCC for comparisons, has no contents where an
// operand has none: arithmetic on whole dwords. Of 64 bits nothing is said: compilers leave the upper ones
// empty.
var scalarWholes = []string{"s_add_u32", "s_add_i32", "s_sub_u32", "s_sub_i32", "s_mul_i32", "s_mul_hi_u32",
	"s_mul_hi_i32", "s_lshl_b32", "s_ashr_i32", "s_lshl1_add_u32", "s_lshl2_add_u32", "s_lshl3_add_u32",
	"s_lshl4_add_u32", "s_not_b32", "s_cmp_eq_i32", "s_cmp_lg_i32", "s_cmp_gt_i32", "s_cmp_ge_i32",
	"s_cmp_lt_i32", "s_cmp_le_i32", "s_cmp_eq_u32", "s_cmp_lg_u32", "s_cmp_gt_u32", "s_cmp_ge_u32",
	"s_cmp_lt_u32", "s_cmp_le_u32"}
