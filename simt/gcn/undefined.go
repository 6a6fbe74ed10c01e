package gcn

import (
	"slices"

	"simtgdb/simt"
)

// judged wraps what executes an instruction that does something undefined in some lanes: whoever looks for
// that is told of it. Before are the instructions of its block before it.
func (in *Inst) judged(before []Inst) func(*Core, *Inst) {
	execute, rule := in.exec, undefinedLanes[in.Op.Name]
	source, factor, scales := in.scalesReciprocal(before)
	if scales {
		rule = wideDivision
	}
	if rule.lane == nil {
		return execute
	}
	return func(c *Core, in *Inst) {
		stop, lanes := false, uint64(0)
		if !scales || c.s32(&in.src[factor]) == reciprocalScale {
			lanes = c.undefinedLanes(&in.src[source], rule.lane)
		}
		if lanes != 0 {
			stop = c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.PC, Lanes: lanes, Text: rule.what})
		}
		if execute(c, in); !c.faulted() {
			c.stopFollowing(stop, in)
		}
	}
}

// A laneRule says in which lanes an instruction's result is undefined, or its program's: given the first
// source.
type laneRule struct {
	what string
	lane func(x uint32) bool
}

// undefinedLanes are the rules by instruction. Compilers divide integers by it (MI200 ISA,
// "V_RCP_IFLAG_F32"),
// of which the language says that the divisor is not 0; of 64 bits they do not.
var undefinedLanes = map[string]laneRule{
	"v_rcp_iflag_f32": {"an integer is divided by zero", func(x uint32) bool { return x<<1 == 0 }},
}

// reciprocalScale is what LLVM multiplies the reciprocal of a divisor of 64 bits by, nearly 2 to the 64
// (AMDGPUTargetLowering::LowerUDIVREM64): such divisions have no instruction of their own.
const reciprocalScale = 0x5f7ffffc

// wideDivision is the rule of that product: the reciprocal of zero is infinite.
var wideDivision = laneRule{"an integer of 64 bits is divided by zero",
	func(x uint32) bool { return x<<1 == 0xff000000 }}

// scalesReciprocal reports whether an instruction may be that product: of a reciprocal of its block, and a
// number
// that all lanes have; and which of its sources these are.
func (in *Inst) scalesReciprocal(before []Inst) (source, factor int, ok bool) {
	if in.Op.Name != "v_mul_f32" || in.mod != nil {
		return 0, 0, false
	}
	if in.src[0].kind != vectorReg {
		source, factor = 1, 0
	} else {
		source, factor = 0, 1
	}
	o, by := &in.src[source], &in.src[factor]
	if o.kind != vectorReg || by.kind != scalarReg && (by.kind != constant ||
		uint32(by.imm) != reciprocalScale) {
		return 0, 0, false
	}
	for i := range slices.Backward(before) {
		writes := false
		before[i].eachResult(func(to *operand, n int) {
			writes = writes || to.kind == vectorReg && to.reg <= o.reg && int(o.reg) < int(to.reg)+n
		})
		if writes {
			name := before[i].Op.Name
			return source, factor, name == "v_rcp_f32" || name == "v_rcp_iflag_f32"
		}
	}
	return 0, 0, false
}

// undefinedLanes are the lanes that execute in which a source is what a rule says.
func (c *Core) undefinedLanes(o *operand, is func(x uint32) bool) (bad uint64) {
	for l := range simt.MaxLanes {
		x := uint32(o.imm)
		switch {
		case c.w.Exec>>l&1 == 0:
			continue
		case o.kind == vectorReg:
			x = c.r.V[o.reg][l]
		case o.kind != constant:
			x = c.s32(o)
		}
		if is(x) {
			bad |= 1 << l
		}
	}
	return bad
}
