package gcn

import (
	"math/bits"
	"strings"
)

// Registers of which an instruction writes a half, or a byte: loads of 16 bits, arithmetic of such numbers,
// SDWA. What it leaves keeps what it had. A half that nothing has been written to is nobody's as long as it
// goes with the other, as the last component of a vector of three does; it is told of where it is stored by
// itself, and where something is computed from it.

// narrowTypes are the types of 16 bits, one or two in a register.
var narrowTypes = map[typ]bool{b16: true, i16: true, u16: true, x16: true, f16: true, bf16: true, v2f16: true,
	v2bf16: true, v2i16: true, v2u16: true, v2b16: true, mixed: true, mixedB: true}

// hasHalves reports whether a row has operands of 16 bits, and a result of at most two dwords of its own.
func (op *Op) hasHalves() bool {
	if op.vec == nil || typDwords[op.dst] > 2 || strings.Contains(op.Name, "lane") {
		return false
	}
	halves := narrowTypes[op.dst]
	for _, t := range op.src {
		halves = halves || narrowTypes[t]
	}
	return halves
}

// valueOf is what an instruction gives, as it is encoded.
func (in *Inst) valueOf() valueKind {
	switch m := in.mod; {
	case m != nil && m.dpp != nil:
		return valueWritten
	case m == nil || m.sdwa == nil || in.Op.value == valueCompare:
		return in.Op.value
	case in.Op.vec == nil || typDwords[in.dst.typ] > 2:
		return valueWritten
	}
	return valueTried
}

// keepsBits are the bits of its destination that an instruction leaves as they were.
func (in *Inst) keepsBits() uint32 {
	const lower, upper = 0xffff, 0xffff_0000
	m := in.mod
	switch {
	case in.dst.kind != vectorReg:
	case in.form >= DS:
		if a := in.Op.mem; a != nil && a.narrow != nil && !a.write {
			return [...]uint32{lowPart: upper, highPart: lower}[a.narrow.part]
		}
	case m != nil && m.sdwa != nil && m.sdwa.dstSel != selDword:
		if m.sdwa.dstUnused == unusedPreserve {
			return ^m.sdwa.field()
		}
	case in.Op.flag&(opSel|keeps) == 0 || !in.dst.typ.is16() || m != nil && m.dpp != nil:
	case m != nil && m.opSel>>3&1 != 0 || in.Op.flag&high != 0:
		return lower
	default:
		return upper
	}
	return 0
}

// field are the bits of the destination that it selects.
func (s *sdwa) field() uint32 {
	if s.dstSel >= selWord0 {
		return 0xffff << (16 * (s.dstSel - selWord0))
	}
	return 0xff << (8 * s.dstSel)
}

// givesHalves reports whether what is not there of a result may be a half of it that is nobody's.
func (in *Inst) givesHalves() bool { return in.keepsBits() != 0 || narrowTypes[in.dst.typ] }

// packsHalves reports whether an instruction makes a number of two halves, as gfx9's v_perm does where
// later processors write the half of a register.
func (c *Core) packsHalves(in *Inst) bool {
	if in.Op.value != valueInserted || in.Op.Name != "v_perm_b32" || in.src[2].kind == vectorReg {
		return false
	}
	by := c.s32(&in.src[2])
	low, high := by&0xffff, by>>16
	half := func(of uint32) bool { return of&^0x0606 == 0x0100 && of>>8&6 == of&6 }
	return half(low) && half(high)
}

// lacking are the bits of a vector register in a lane that have no contents.
func (s *valueState) lacking(reg, lane int) uint32 {
	switch at := uint64(1) << lane; {
	case s.lanes[reg]&at != 0:
		return ^uint32(0)
	case s.parts.lanes[reg]&at != 0:
		return s.parts.of[reg].bits[lane]
	}
	return 0
}

// keep finds what a load leaves of its destination that has no contents.
func (c *Core) keep(s *valueState, in *Inst) {
	k := &c.lack.kept
	if k.lanes = 0; in.form < DS || in.dst.kind != vectorReg || int(in.dst.reg) >= registersFollowed {
		return
	}
	keeps, reg := in.keepsBits(), int(in.dst.reg)
	if keeps == 0 {
		return
	}
	for m := (s.lanes[reg] | s.parts.lanes[reg]) & c.w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if k.bits[l] = s.lacking(reg, l) & keeps; k.bits[l] != 0 {
			k.lanes |= 1 << l
		}
	}
}

// addKept adds that to what has been loaded.
func (c *Core) addKept() {
	k, p := &c.lack.kept, &c.lack.pieces[0]
	if k.lanes == 0 {
		return
	}
	if c.lack.loaded == 0 {
		p.lanes, p.mere, p.half, c.lack.loaded = 0, 0, 0, 1
	}
	for m := k.lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if at := uint64(1) << l; p.lanes&at == 0 {
			p.lanes, p.mere, p.half, p.bits[l] = p.lanes|at, p.mere|at, p.half|at, 0
		}
		p.bits[l] |= k.bits[l]
	}
}
