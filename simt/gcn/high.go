package gcn

import (
	"fmt"
	"math/bits"
)

// Vector registers from 256 on (gfx1250). Encodings have eight bits for the number of a register; two more
// for each of four roles of operands are in MODE, where s_set_vgpr_msb puts them, and count for all
// instructions until they are set again (LLVM, AMDGPULowerVGPREncoding, which says what has which role).
// Instructions are decoded for the bits that they find: blocks of code are kept by their address and by these
// bits.

// highBits are the upper bits of registers' numbers as s_set_vgpr_msb has them: two for each role.
type highBits uint8

// The roles of operands.
const (
	roleSrc0 = iota
	roleSrc1
	roleSrc2
	roleDst
)

func (h highBits) of(role int) uint16 { return uint16(h) >> (2 * role) & 3 }

// In MODE the destination comes first.
const (
	modeHighShift = 12
	modeHigh      = 0xff << modeHighShift
)

func (h highBits) mode() uint32 { return uint32(bits.RotateLeft8(uint8(h), 2)) << modeHighShift }

// high are the bits that a wave finds; none on other processors.
func (c *Core) high() highBits {
	if c.isa.Target != GFX1250 {
		return 0
	}
	return highBits(bits.RotateLeft8(uint8(c.r.S[regMode]&modeHigh>>modeHighShift), -2))
}

// after are the bits that the instruction behind this one finds, unless this one writes MODE otherwise.
func (in *Inst) after() highBits {
	if in.Op.flag&setsHigh != 0 {
		return highBits(in.simm)
	}
	return in.high
}

// setHigh is s_set_vgpr_msb. The upper half of its constant says what there was before, for who looks back.
func setHigh(c *Core, in *Inst) {
	c.r.S[regMode] = c.r.S[regMode]&^modeHigh | highBits(in.simm).mode()
}

// A codeAt is where code is, and the bits that it finds.
type codeAt struct {
	pc   uint64
	high highBits
}

func (b *block) at() codeAt { return codeAt{b.pc, b.high} }

// raise gives the vector registers of an instruction the upper bits of their numbers.
func (d *decoder) raise() {
	if d.isa.Target != GFX1250 {
		return
	}
	in := d.in
	in.high = d.high
	in.past = false
	each := func(o *operand, role int) {
		if o.kind != vectorReg {
			return
		}
		o.high = uint8(d.high.of(role))
		o.reg += uint16(o.high) << 8
		in.past = in.past || int(o.reg)+typDwords[o.typ] > vectorFile
	}
	tied := -1
	for i := range in.src {
		if in.Op.flag&readsDst != 0 && in.src[i].kind != noOperand {
			tied = i
		}
	}
	for i := range in.src {
		role := i
		if i == tied {
			role = roleDst
		}
		each(&in.src[i], in.role(role))
	}
	each(&in.dst, roleDst)
}

// role is that of source i: which field of the encoding it comes from decides.
func (in *Inst) role(i int) int {
	buffer := in.form == MUBUF || in.form == MTBUF
	switch {
	case buffer && i == 2: // the address; source 0 is the descriptor
		return roleSrc0
	case buffer && i == 1, // data
		in.Op.flag&toLDS != 0 && i == 1: // the place in LDS of what is loaded there
		return roleDst
	}
	return i
}

// vectorText names n vector registers. Encodings have the number without its upper bits; LLVM writes the
// whole number behind it, as a remark.
func (o *operand) vectorText(n int) string {
	if o.high == 0 {
		return rangeText("v", o.reg, n)
	}
	return fmt.Sprintf("%s /*%s*/", rangeText("v", o.reg&0xff, n), rangeText("v", o.reg, n))
}

// isAcc reports whether an operand is an accumulation register.
func (o *operand) isAcc() bool { return o.kind == vectorReg && o.reg >= accBase && o.high == 0 }

// behind is where the next instruction is.
func (in *Inst) behind() codeAt { return codeAt{in.PC + uint64(in.Size), in.after()} }

// leadsTo is where a branch leads.
func (in *Inst) leadsTo() codeAt { return codeAt{in.branchTarget(), in.after()} }

// lastVector is the number of the last vector register that the processor has.
func (c *Core) lastVector() uint32 {
	if c.isa.Target == GFX1250 {
		return vectorFile - 1
	}
	return accBase - 1
}
