package gen

import (
	"cmp"
	"fmt"
	"slices"

	"simtgdb/simt"
)

// Dependency hints. Hardware keeps for each general register whether an instruction has yet to write it, and
// whoever reads or writes it waits until that is cleared. One with NoDDClr leaves it set, for others that
// write other bytes of the register and, having NoDDChk, do not wait; the last of them, without NoDDClr,
// clears it (PRM volume 2a, "Instruction Header", DepCtrl; that it must have a channel that executes: volume
// 7 of Ivy Bridge). So it is undefined to touch a register meanwhile without NoDDChk, which waits for ever,
// and to write bytes again that one of these has written, since nothing orders the two.

// The bits of Inst.options.
var (
	noDDChk = uint16(1) << slices.Index(optionNames[:], "NoDDChk")
	noDDClr = uint16(1) << slices.Index(optionNames[:], "NoDDClr")
)

// hints are what instructions with hints have left behind in a thread.
type hints struct {
	since int // simt.Machine.Followed
	held  [maxRegs]heldReg
}

// A heldReg is what they have left of a register.
type heldReg struct {
	by    uint64 // the last one
	held  bool
	bytes uint64 // that have been written since somebody waited
}

// hints are those of the thread.
func (c *Core) hints() *hints {
	if since := c.m.Followed(); c.r.hints == nil || c.r.hints.since != since {
		c.r.hints = &hints{since: since}
	}
	return c.r.hints
}

// hinted wraps what executes an instruction in code with hints.
func (in *Inst) hinted() {
	switch in.Op.form {
	case formBasic, formMath, formTernary, formSend, formSends, formSendXe:
	default:
		return
	}
	if in.exec == nil {
		return
	}
	execute, reads, writes := in.exec, in.readRegs(), in.writtenRegs()
	in.watched = true
	in.exec = func(c *Core, in *Inst) {
		mask := c.channels(in)
		stop := mask != 0 && c.judgeHints(in, reads, writes, mask)
		execute(c, in)
		if stop && c.stop.Kind == simt.NoEvent {
			c.stop.Kind, c.stop.Lanes = simt.WatchEvent, c.w.Exec
		}
	}
}

// judgeHints tells of what an instruction does against hints before it, and notes its own. It reports whether
// the thread is to stop.
func (c *Core) judgeHints(in *Inst, reads, writes []int, mask uint32) (stop bool) {
	h := c.hints()
	tell := func(reg int, format string) {
		stop = c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.PC, From: h.held[reg].by,
			Text:  fmt.Sprintf(format, reg),
			Lanes: cmp.Or(uint64(mask)<<in.first&c.w.Valid, c.w.Valid&-c.w.Valid)}) || stop
		h.held[reg] = heldReg{}
	}
	for _, reg := range reads {
		if h.held[reg].held {
			tell(reg, "r%d is read, whose dependency NoDDClr has left set: the thread waits for ever")
		}
	}
	unchecked, leaves := in.options&noDDChk != 0, in.options&noDDClr != 0
	for _, reg := range writes {
		k, bytes := &h.held[reg], in.bytesOf(reg, mask)
		switch {
		case k.held && !unchecked:
			tell(reg, "r%d is written without NoDDChk, and NoDDClr has left its dependency set: "+
				"the thread waits for ever")
		case k.bytes&bytes != 0 && unchecked:
			tell(reg, "bytes of r%d are written that an instruction writes for which NoDDChk does not wait")
		}
		if !leaves {
			*k = heldReg{}
			continue
		}
		if !unchecked {
			k.bytes = 0
		}
		*k = heldReg{in.PC, true, k.bytes | bytes}
	}
	return stop
}

// readRegs are the general registers that an instruction reads, but for those that a0 names.
func (in *Inst) readRegs() (regs []int) {
	if in.Op.isMessage() {
		one, two, _ := in.messageLengths()
		for i, n := range []int{one, two} {
			if o := &in.src[i]; o.place == inGRF {
				regs = append(regs, in.gen.regsFrom(int(o.reg), n)...)
			}
		}
		return regs
	}
	for i := range in.sourceCount() {
		if o := &in.src[i]; o.place == inGRF {
			regs = append(regs, o.regs(in.gen, in.width)...)
		}
	}
	return regs
}

// writtenRegs are those that it writes.
func (in *Inst) writtenRegs() []int {
	switch _, _, response := in.messageLengths(); {
	case in.dst.place != inGRF:
		return nil
	case in.Op.isMessage():
		return in.gen.regsFrom(int(in.dst.reg), response)
	}
	return in.dst.regs(in.gen, in.width)
}

// regsFrom are some general registers.
func (g *Generation) regsFrom(first, n int) (regs []int) {
	for reg := first; reg < min(first+n, g.grfCount); reg++ {
		regs = append(regs, reg)
	}
	return regs
}

// regs are the registers of the n elements of an operand.
func (o *operand) regs(g *Generation, n int) []int {
	var in [maxRegs]bool
	for i := range n {
		at := o.elementAt(i)
		for _, b := range []int{at, at + o.typ.Size() - 1} {
			if reg, ok := g.register(b); ok {
				in[reg] = true
			}
		}
	}
	var regs []int
	for reg, is := range in {
		if is {
			regs = append(regs, reg)
		}
	}
	return regs
}

// elementAt is where element i of an operand in a general register is in the file.
func (o *operand) elementAt(i int) int {
	if o.layout.table != nil {
		return int(o.layout.table[i])
	}
	return o.layout.base + i*o.layout.step
}

// bytesOf are the bytes of a register that channels of the instruction write.
func (in *Inst) bytesOf(reg int, mask uint32) (bytes uint64) {
	if in.Op.isMessage() {
		return ^uint64(0)
	}
	for i := range in.width {
		for b := in.dst.elementAt(i); mask>>i&1 != 0 && b < in.dst.elementAt(i)+in.dst.typ.Size(); b++ {
			if r, ok := in.gen.register(b); ok && r == reg {
				bytes |= 1 << (b - in.gen.grf(reg))
			}
		}
	}
	return bytes
}
