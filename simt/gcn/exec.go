package gcn

import "simtgdb/simt"

// EXEC, the lanes that execute, is a pair of scalar registers that instructions name as any other: S[regExec]
// and the one behind it, of which a wave of 32 lanes has the first. The file has the say: instructions,
// debuggers, the start of a wave and translated code write EXEC there. What the core and package simt ask far
// more often is simt.Wave.Exec: takeExec makes it what the file says, after everything that writes the file,
// and nothing else assigns it, but for withLanes, for a while (TestExecHasOneOwner).

// exec is EXEC as the scalar file has it, of as many lanes as there are.
func (r *Regs) exec() uint64 { return pair(r, regExec) & r.wide }

// takeExec brings a wave in step with its scalar file, where EXEC may have been written, and says what it was
// before.
func (r *Regs) takeExec(w *simt.Wave) (old uint64) {
	old = w.Exec
	w.Exec = r.exec()
	return old
}

// setExec makes EXEC what v says, where nobody wants to know of the change.
func setExec(w *simt.Wave, v uint64) {
	r := regsOf(w)
	setPair(r, regExec, v)
	r.takeExec(w)
}

// refresh is takeExec after somebody may have written EXEC from outside, as the record of lanes is told.
func (r *Regs) refresh(w *simt.Wave) {
	if old := r.takeExec(w); old != w.Exec && w.Track != nil {
		r.execWritten(w, old)
	}
}

// withLanes does something in lanes that EXEC does not say.
func (c *Core) withLanes(lanes uint64, do func()) {
	c.w.Exec = lanes
	do()
	c.r.takeExec(c.w)
}

// writesExec reports whether the instruction may write EXEC.
func (in *Inst) writesExec() bool {
	isExec := func(o *operand) bool {
		return o.kind == scalarReg && (o.reg == regExec || o.reg == regExec+1)
	}
	return in.Op.flag&writesExec != 0 || isExec(&in.dst) || isExec(&in.sdst)
}

// runExecWrite executes an instruction that may write EXEC and keeps the record of lanes.
func runExecWrite(c *Core, in *Inst) {
	w := c.w
	in.next(c, in)
	old := c.r.takeExec(w)
	if w.Track == nil {
		return
	}
	if c.running.places != nil {
		c.r.lanes.executed(c.running, c.index(in))
	}
	if w.Exec != old || c.r.lanes.whole {
		// Programs compute their masks: a constant is the compiler's own, to
		// reach all lanes of a register, or the few that it spills SGPRs by.
		own := in.src[0].kind == constant && in.src[0].imm != 0
		c.r.execChanged(w, old, in.PC, in.Op.flag&whole != 0 && own, &c.stands)
	}
}
