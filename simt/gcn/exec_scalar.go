package gcn

import "simtgdb/simt"

// Adapters that make the semantics of a scalar row from a function on values.
// The name says what becomes of SCC: it is left alone, set if the result is
// not zero, or set from what the function says.

func scalar32(f func(a, b uint32) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		c.r.S[uint8(in.dst.reg)] = f(c.s32(&in.src[0]), c.s32(&in.src[1]))
	}
}

func nonzero32(f func(a, b uint32) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v := f(c.s32(&in.src[0]), c.s32(&in.src[1]))
		c.r.S[uint8(in.dst.reg)] = v
		setSCC(c.r, v != 0)
	}
}

func carry32(f func(a, b uint32) (uint32, bool)) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v, scc := f(c.s32(&in.src[0]), c.s32(&in.src[1]))
		c.r.S[uint8(in.dst.reg)] = v
		setSCC(c.r, scc)
	}
}

func nonzero64(f func(a, b uint64) uint64) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v := f(c.s64(&in.src[0]), c.s64(&in.src[1]))
		setPair(c.r, uint8(in.dst.reg), v)
		setSCC(c.r, v != 0)
	}
}

// shift64 is for a 64-bit source with a 32-bit one.
func shift64(f func(a uint64, b uint32) uint64) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v := f(c.s64(&in.src[0]), c.s32(&in.src[1]))
		setPair(c.r, uint8(in.dst.reg), v)
		setSCC(c.r, v != 0)
	}
}

// The same for one source.

func unary32(f func(a uint32) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) { c.r.S[uint8(in.dst.reg)] = f(c.s32(&in.src[0])) }
}

func unary64(f func(a uint64) uint64) func(*Core, *Inst) {
	return func(c *Core, in *Inst) { setPair(c.r, uint8(in.dst.reg), f(c.s64(&in.src[0]))) }
}

func unaryNonzero32(f func(a uint32) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v := f(c.s32(&in.src[0]))
		c.r.S[uint8(in.dst.reg)] = v
		setSCC(c.r, v != 0)
	}
}

func unaryNonzero64(f func(a uint64) uint64) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v := f(c.s64(&in.src[0]))
		setPair(c.r, uint8(in.dst.reg), v)
		setSCC(c.r, v != 0)
	}
}

// reduce64 makes 32 bits of 64.
func reduce64(f func(a uint64) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) { c.r.S[uint8(in.dst.reg)] = f(c.s64(&in.src[0])) }
}

func reduceNonzero64(f func(a uint64) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v := f(c.s64(&in.src[0]))
		c.r.S[uint8(in.dst.reg)] = v
		setSCC(c.r, v != 0)
	}
}

func compare32(f func(a, b uint32) bool) func(*Core, *Inst) {
	return func(c *Core, in *Inst) { setSCC(c.r, f(c.s32(&in.src[0]), c.s32(&in.src[1]))) }
}

func compare64(f func(a, b uint64) bool) func(*Core, *Inst) {
	return func(c *Core, in *Inst) { setSCC(c.r, f(c.s64(&in.src[0]), c.s64(&in.src[1]))) }
}

// The comparisons that SOPC and SOPK share.

func equal(a, b uint32) bool    { return a == b }
func notEqual(a, b uint32) bool { return a != b }
func greaterI(a, b uint32) bool { return int32(a) > int32(b) }
func notLessI(a, b uint32) bool { return int32(a) >= int32(b) }
func lessI(a, b uint32) bool    { return int32(a) < int32(b) }
func notMoreI(a, b uint32) bool { return int32(a) <= int32(b) }
func greaterU(a, b uint32) bool { return a > b }
func notLessU(a, b uint32) bool { return a >= b }
func lessU(a, b uint32) bool    { return a < b }
func notMoreU(a, b uint32) bool { return a <= b }

func addI(a, b uint32) (uint32, bool) {
	v := a + b
	return v, int32((a^v)&(b^v)) < 0
}

func subI(a, b uint32) (uint32, bool) {
	v := a - b
	return v, int32((a^b)&(a^v)) < 0
}

// branchTarget is where a branch of SOPP or SOPK goes.
func (in *Inst) branchTarget() uint64 {
	return in.PC + 4 + uint64(int64(in.simm)*4)
}

// jump sets the PC: to the target if the branch is taken, else past it.
func jump(c *Core, in *Inst, taken bool) {
	c.w.PC = in.PC + uint64(in.Size)
	if taken {
		c.w.PC = in.branchTarget()
	}
}

// enterCall notes a call for a debugger; the return address has been written.
func enterCall(c *Core, in *Inst, target uint64) {
	c.r.jump = jumped{in.PC, target}
	c.w.PC = target
	if c.w.Track == nil {
		c.r.calls.enter(in.PC, in.PC+uint64(in.Size))
	} else if c.w.Active() != 0 {
		c.w.EnterCall(in.PC, in.PC+uint64(in.Size), target, c.r.saveCall(c.w))
	}
}

// leaveCall notes an indirect branch, which may be a return or a tail call.
func leaveCall(c *Core, in *Inst, target uint64) {
	c.r.jump = jumped{in.PC, target}
	c.w.PC = target
	if c.w.Track == nil {
		c.r.calls.leave(target)
		return
	}
	at := c.isa.FunctionAt
	c.w.LeaveCall(target, at != nil && at(target))
}

func noop(*Core, *Inst) {}

// index is an instruction's in the block that is running.
func (c *Core) index(in *Inst) int {
	insts := c.running.insts
	for i := range insts {
		if insts[i].PC == in.PC {
			return i
		}
	}
	return len(insts)
}

// executed is how many instructions the wave has executed before this one,
// however they were cut into runs.
func (c *Core) executed(in *Inst) uint64 {
	return c.w.Insts + uint64(c.index(in))
}

// stopAt ends the run after this instruction.
func (c *Core) stopAt(kind simt.EventKind) {
	c.stop = simt.Event{Kind: kind, Lanes: c.w.Active()}
}
