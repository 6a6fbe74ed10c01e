package gcn

import (
	"slices"
	"sync"

	"simtgdb/simt"
)

// judged wraps what executes an instruction that does something undefined in some lanes: whoever looks for
// that is told of it. It is nil of other instructions. Before are the instructions of its block before it.
func (in *Inst) judged(before []Inst) func(*Core, *Inst) {
	execute, rule := in.exec, undefinedLanes()[in.Op.Name]
	source, factor, scales := in.scalesReciprocal(before)
	switch {
	case scales:
		rule = wideDivision
	case in.remains(before):
		rule, source = narrowDivision, 1
	}
	if rule.lane == nil {
		return nil
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
// "V_RCP_IFLAG_F32"), of which the language says that the divisor is not 0; of 64 bits
// they do not.
var undefinedLanes = sync.OnceValue(func() map[string]laneRule {
	return map[string]laneRule{
		"v_rcp_iflag_f32": {"an integer is divided by zero", func(x uint32) bool { return x<<1 == 0 }},
	}
})

// reciprocalScale is what LLVM multiplies the reciprocal of a divisor of 64 bits by, nearly 2 to the 64
// (AMDGPUTargetLowering::LowerUDIVREM64): such divisions have no instruction of their own.
const reciprocalScale = 0x5f7ffffc

// wideDivision is the rule of that product: the reciprocal of zero is infinite.
var wideDivision = laneRule{"an integer of 64 bits is divided by zero",
	func(x uint32) bool { return x<<1 == 0xff000000 }}

// scalesReciprocal reports whether an instruction may be that product: of a reciprocal of its block, and a
// number that all lanes have; and which of its sources these are.
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
	made := writer(before, o)
	return source, factor, made != nil && (made.Op.Name == "v_rcp_f32" || made.Op.Name == "v_rcp_iflag_f32")
}

// narrowDivision is the rule of LLVM's division of integers of up to 24 bits without optimisation
// (AMDGPUTargetLowering::LowerDIVREM24), which takes the reciprocal of floats: of the step that finds the
// remainder.
var narrowDivision = laneRule{"an integer is divided by zero", func(x uint32) bool { return x<<1 == 0 }}

// remains reports whether an instruction is that step: it takes from the dividend the divisor, an integer
// made a float of which there is a reciprocal, times what has been made a whole number.
func (in *Inst) remains(before []Inst) bool {
	if in.Op.Name != "v_mad_f32" && in.Op.Name != "v_fma_f32" {
		return false
	}
	whole, divisor := writer(before, &in.src[0]), writer(before, &in.src[1])
	if whole == nil || divisor == nil || whole.Op.Name != "v_trunc_f32" ||
		divisor.Op.Name != "v_cvt_f32_i32" && divisor.Op.Name != "v_cvt_f32_u32" {
		return false
	}
	return slices.ContainsFunc(before, func(i Inst) bool {
		return i.Op.Name == "v_rcp_f32" && i.src[0].kind == vectorReg && i.src[0].reg == in.src[1].reg
	})
}

// writer is the last of some instructions that writes a vector register; nil if none does.
func writer(before []Inst, o *operand) *Inst {
	if o.kind != vectorReg {
		return nil
	}
	for i := range slices.Backward(before) {
		writes := false
		before[i].eachResult(func(to *operand, n int) {
			writes = writes || to.kind == vectorReg && to.reg <= o.reg && int(o.reg) < int(to.reg)+n
		})
		if writes {
			return &before[i]
		}
	}
	return nil
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
