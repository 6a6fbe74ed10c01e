package gen

import (
	"math/bits"

	"simtgdb/simt"
)

// Control flow (PRM volume 7, "Flow Control Instructions"). Each instruction
// ends a block: it leaves the thread's PC where the thread goes on, and each
// channel at the thread's PC or parked at an address.

// split gives the channels that execute the instruction, and those of them
// whose predicate is true, as lanes of the thread. It counts the latter.
func (c *Core) split(in *Inst) (all, taken uint64) {
	on := c.enabled(in)
	all = uint64(on) << in.first & c.w.Exec
	taken = all
	if in.pred != 0 {
		taken &= uint64(c.predicate(in)) << in.first
	}
	c.lanes += uint64(bits.OnesCount64(taken))
	return all, taken
}

// Addresses that the instruction names.
func (in *Inst) after() uint32 { return uint32(in.PC) + uint32(in.Size) }
func (in *Inst) jipAt() uint32 { return uint32(in.PC) + uint32(in.jip) }
func (in *Inst) uipAt() uint32 { return uint32(in.PC) + uint32(in.uip) }
func (c *Core) goOn(in *Inst)  { c.jump(in.after()) }
func (c *Core) goJIP(in *Inst) { c.jump(in.jipAt()) }

// choice goes on if some channel does, else to JIP.
func (c *Core) choice(in *Inst, on bool) {
	if on {
		c.goOn(in)
	} else {
		c.goJIP(in)
	}
}

func runIf(c *Core, in *Inst) {
	all, taken := c.split(in)
	if taken != 0 {
		c.park(in, all&^taken, in.jipAt())
	}
	c.choice(in, taken != 0)
}

func runElse(c *Core, in *Inst) {
	all, _ := c.split(in)
	c.park(in, all, in.uipAt())
	c.choice(in, c.waiting(in.after()))
}

func runEndif(c *Core, in *Inst) {
	all, _ := c.split(in)
	c.choice(in, all != 0)
}

func runWhile(c *Core, in *Inst) {
	all, taken := c.split(in)
	if taken == 0 {
		c.goOn(in)
		return
	}
	c.park(in, all&^taken, in.after())
	c.goJIP(in)
}

// runBreak sends channels behind the while that UIP names.
func runBreak(c *Core, in *Inst) {
	all, taken := c.split(in)
	c.leave(in, all, taken, in.behind)
}

// runCont sends channels to the while that UIP names, runHalt to the end of
// the program.
func runCont(c *Core, in *Inst) {
	all, taken := c.split(in)
	c.leave(in, all, taken, in.uipAt())
}

// runBrd branches with the channels whose predicate is true, if there are any;
// the others wait behind it.
func runBrd(c *Core, in *Inst) {
	all, taken := c.split(in)
	if taken == 0 {
		c.goOn(in)
		return
	}
	to, _ := c.targets(in)
	c.park(in, all&^taken, in.after())
	c.jump(to)
}

// runBrc sends channels to UIP; the thread goes to JIP if no other is left.
func runBrc(c *Core, in *Inst) {
	all, taken := c.split(in)
	jip, uip := c.targets(in)
	c.park(in, taken, uip)
	if all&^taken != 0 || c.waiting(in.after()) {
		c.goOn(in)
	} else {
		c.jump(jip)
	}
}

// targets are JIP and UIP, which a register may have, of brd, brc and calls.
func (c *Core) targets(in *Inst) (jip, uip uint32) {
	if in.src[0].place == noPlace {
		return in.jipAt(), in.uipAt()
	}
	at := in.src[0].layout.base
	return uint32(in.PC) + c.r.u32(at), uint32(in.PC) + c.r.u32(at+4)
}

// leave parks the channels that leave, and goes on with the others.
func (c *Core) leave(in *Inst, all, taken uint64, to uint32) {
	c.park(in, taken, to)
	c.choice(in, all&^taken != 0)
}

// runGoto executes goto: forward the channels jump whose predicate is false;
// backward (".b") those whose is true.
func runGoto(c *Core, in *Inst) {
	all, taken := c.split(in)
	if in.branch {
		if taken == 0 {
			c.goOn(in)
			return
		}
		c.park(in, all&^taken, in.after())
		c.jump(in.uipAt())
		return
	}
	c.park(in, all&^taken, in.uipAt())
	c.choice(in, taken != 0 || c.waiting(in.after()))
}

// runGotoTrue executes goto as later generations do: the channels jump whose predicate is true, forward too.
func runGotoTrue(c *Core, in *Inst) {
	if in.branch {
		runGoto(c, in)
		return
	}
	all, taken := c.split(in)
	c.park(in, taken, in.uipAt())
	c.choice(in, all&^taken != 0 || c.waiting(in.after()))
}

// runJmpi moves the thread; channels that wait stay where they are.
func runJmpi(c *Core, in *Inst) {
	if in.pred != 0 && c.predicate(in)&1 == 0 {
		c.goOn(in)
		return
	}
	to := in.jipAt()
	if in.src[0].place != immediate {
		var x ints
		if !c.findIndirect(in) {
			return
		}
		c.loadInts(in, 0, &x)
		to = in.after() + uint32(x[0])
		if c.w.Track != nil {
			c.trackJump(in, to)
		}
	}
	c.jump(to)
}

// stackCall is the register of vISA's stack calls, the last one: its first dword is
// where to return to.
func (g *Generation) stackCall() int { return g.grfCount - 1 }

// trackJump records the calls that IGC makes by jmpi, where the function is
// known by its address alone: the frame descriptor has got the address behind
// the jump. One to where a recorded call returns to is the return.
func (c *Core) trackJump(in *Inst, to uint32) {
	if c.r.u32(in.gen.grf(in.gen.stackCall())) != in.after() {
		c.w.LeaveCall(uint64(to), false)
		return
	}
	c.refresh(in.PC)
	c.w.EnterCall(in.PC, uint64(in.after()), uint64(to), &saved{Regs: *c.r.clone()})
}

// runCall calls with the channels whose predicate is true. The destination
// gets the return address and the call mask, which becomes these channels.
func runCall(c *Core, in *Inst) {
	_, taken := c.split(in)
	if taken == 0 {
		c.goOn(in)
		return
	}
	w, r := c.w, c.r
	to, _ := c.targets(in)
	if in.Op.Code == opCalla {
		to -= uint32(in.PC)
	}
	at := in.dst.layout.base
	r.setU32(at, in.after())
	r.setU32(at+4, r.callMask)
	c.park(in, w.Exec&^taken, in.after())
	r.callMask = uint32(taken)
	if w.Track != nil {
		c.refresh(in.PC)
		w.EnterCall(in.PC, uint64(in.after()), uint64(to), &saved{Regs: *r.clone()})
	}
	c.jump(to)
}

// runRet returns channels. The last ones take the thread along and restore the
// caller's call mask.
func runRet(c *Core, in *Inst) {
	_, taken := c.split(in)
	w, r := c.w, c.r
	at := in.src[0].layout.base
	to, outer := r.u32(at), r.u32(at+4)
	if taken != 0 && w.Track != nil {
		others := w.Exec &^ taken
		w.Exec = taken
		w.LeaveCall(uint64(to), false)
		w.Exec |= others
	}
	c.park(in, taken, to)
	if r.callMask &^= uint32(taken); r.callMask != 0 {
		c.goOn(in)
		return
	}
	r.callMask = outer
	c.jump(to)
}

// runWait blocks until the barrier that the thread has arrived at opens, or
// goes on if a notification is there already.
func runWait(c *Core, in *Inst) {
	r := c.r
	if id := c.waitsFor(in); id != 0 {
		c.waitNamed(in, id)
		return
	}
	switch {
	case r.u32(offN) != 0:
		r.setU32(offN, 0)
	case r.arrived:
		r.arrived = false
		c.w.State = simt.AtBarrier
		c.stop.Kind, c.stop.Lanes = simt.BarrierEvent, c.w.Exec
	default:
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC,
			Text: in.trimmed() + " waits for a notification that nobody sends"})
		return
	}
	c.goOn(in)
}
