package gcn

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt"
)

// flatAddresses puts the lanes' addresses into c.addr: the vector address, or
// a scalar base and a 32-bit vector offset, plus the immediate offset.
func (c *Core) flatAddresses(in *Inst) {
	w, offset := c.w, uint64(int64(in.simm))
	v := &in.src[0]
	if in.mem.saddr.kind == scalarReg {
		offset += pair(w, uint8(in.mem.saddr.reg))
		lo := &w.V[v.reg]
		for l := range c.addr {
			c.addr[l] = offset + uint64(lo[l])
		}
		return
	}
	lo, hi := &w.V[v.reg], &w.V[v.reg+1]
	for l := range c.addr {
		c.addr[l] = offset + (uint64(lo[l]) | uint64(hi[l])<<32)
	}
}

// runGlobal executes global_*.
func runGlobal(c *Core, in *Inst) {
	if c.w.Exec == 0 {
		return
	}
	c.flatAddresses(in)
	c.globalAccess(in, c.w.Exec)
}

// globalAccess does an access to global memory by the lanes of mask, whose
// addresses are in c.addr.
func (c *Core) globalAccess(in *Inst, mask uint64) {
	a, s := in.Op.mem, c.spanOf(mask)
	var f memoryFault
	c.checkGlobal(a, mask, s, &f)
	if c.raise(in, a, &f) {
		return
	}
	c.moveGlobal(a, c.flatPass(in), mask, s)
}

// flatPass is dataPass for FLAT and MUBUF rows, where the second data of an
// atomic operation follows the first.
func (c *Core) flatPass(in *Inst) pass {
	p := c.dataPass(in)
	if in.loadsLDS() {
		p.dst = c.out[:1]
	}
	if a := in.Op.mem; a.atomic {
		n := a.size / 4
		p.data, p.data2 = p.data[:n], p.data[n:]
		if len(p.data2) == 0 {
			p.data2 = nil
		}
	}
	return p
}

// runScratch executes scratch_*. The address is that of a lane's own bytes:
// FLAT_SCRATCH, which says where the wave's memory is, is not consulted, since
// the machine knows.
func runScratch(c *Core, in *Inst) {
	if c.w.Exec == 0 {
		return
	}
	w, offset := c.w, uint32(in.simm)
	if in.mem.saddr.kind != noOperand {
		offset += c.s32(&in.mem.saddr)
	}
	if v := &in.src[0]; v.kind == vectorReg {
		lo := &w.V[v.reg]
		for l := range c.addr {
			c.addr[l] = uint64(offset + lo[l])
		}
	} else {
		for l := range c.addr {
			c.addr[l] = uint64(offset)
		}
	}
	c.scratchAccess(in, w.Exec)
}

// scratchAccess does an access to private memory by the lanes of mask, whose
// addresses are in c.addr.
func (c *Core) scratchAccess(in *Inst, mask uint64) {
	a, s := in.Op.mem, c.spanOf(mask)
	var f memoryFault
	c.checkScratch(a, mask, s, &f)
	if c.raise(in, a, &f) {
		return
	}
	c.moveScratch(a, c.flatPass(in), mask, s)
}

// runFlat executes flat_*, whose addresses lead to LDS or private memory if
// they are in the apertures.
func runFlat(c *Core, in *Inst) {
	w := c.w
	if w.Exec == 0 {
		return
	}
	c.flatAddresses(in)
	a, mask, s := in.Op.mem, w.Exec, c.spanOf(w.Exec)
	var f memoryFault
	switch {
	case s.hi < SharedBase || s.lo >= PrivateBase+apertureLen:
		c.checkGlobal(a, mask, s, &f)
		if !c.raise(in, a, &f) {
			c.moveGlobal(a, c.flatPass(in), mask, s)
		}
	case s.lo >= PrivateBase && s.hi < PrivateBase+apertureLen:
		for l := range c.addr {
			c.addr[l] -= PrivateBase
		}
		s = span{s.lo - PrivateBase, s.hi - PrivateBase, s.low}
		c.checkScratch(a, mask, s, &f)
		if !c.raise(in, a, &f) {
			c.moveScratch(a, c.flatPass(in), mask, s)
		}
	default:
		c.runFlatMixed(in)
	}
}

// flatSpaces tells which lanes go to which memory and makes their addresses
// those of that memory.
func (c *Core) flatSpaces(exec uint64) (global, lds, private uint64) {
	for m := exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		switch addr := c.addr[l]; {
		case addr-SharedBase < apertureLen:
			lds |= 1 << l
			c.addr[l] -= SharedBase
		case addr-PrivateBase < apertureLen:
			private |= 1 << l
			c.addr[l] -= PrivateBase
		default:
			global |= 1 << l
		}
	}
	return global, lds, private
}

// runFlatMixed is runFlat for lanes that go to different memories.
func (c *Core) runFlatMixed(in *Inst) {
	a := in.Op.mem
	global, lds, private := c.flatSpaces(c.w.Exec)
	inGlobal, inLDS, inPrivate := c.spanOf(global), c.spanOf(lds), c.spanOf(private)
	var f memoryFault
	if global != 0 {
		c.checkGlobal(a, global, inGlobal, &f)
	}
	if lds != 0 {
		c.checkLDS(a, lds, inLDS, &f)
	}
	if private != 0 {
		c.checkScratch(a, private, inPrivate, &f)
	}
	if c.raise(in, a, &f) {
		return
	}
	p := c.flatPass(in)
	if global != 0 {
		c.moveGlobal(a, p, global, inGlobal)
	}
	if lds != 0 {
		c.moveLDS(a, p, lds)
	}
	if private != 0 {
		c.moveScratch(a, p, private, inPrivate)
	}
}

// memoryExec chooses what executes a vector memory instruction.
func (in *Inst) memoryExec() func(*Core, *Inst) {
	if in.mem.tfe || in.mem.gds {
		return unknown
	}
	switch in.form {
	case DS:
		return runDS
	case FLAT:
		return runFlat
	case SCRATCH:
		return runScratch
	case GLOBAL:
		return runGlobal
	}
	return runBuffer
}

// loadsLDS reports whether the instruction is a load whose destination is LDS.
func (in *Inst) loadsLDS() bool {
	return in.Op.mem != nil && !in.Op.mem.write && in.dst.kind == noOperand
}

// runToLDS executes a load whose destination is LDS: M0[15:0] plus the
// immediate offset, and a dword for each lane (MI300 ISA, section "Memory
// instructions: LDS"). The load itself leaves its data in the core's own
// vector.
func runToLDS(c *Core, in *Inst) {
	w := c.w
	mem, at := w.Group.LDS, uint64(w.S[regM0]&0xffff)+uint64(int64(in.simm))
	f := memoryFault{simt.Fault{Size: 4, Write: true, Text: in.String()}}
	for m := w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		if addr := at + 4*uint64(l); addr >= uint64(len(mem)) || uint64(len(mem))-addr < 4 {
			f.add(simt.Unmapped, simt.LDS, l, addr)
		}
	}
	if f.Lanes != 0 {
		c.fault(f.Fault)
		return
	}
	in.next(c, in)
	if c.stop.Kind != simt.NoEvent {
		return
	}
	for m := w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		binary.LittleEndian.PutUint32(mem[at+4*uint64(l):], c.out[0][l&63])
	}
}
