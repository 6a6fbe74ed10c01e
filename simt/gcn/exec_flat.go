package gcn

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt"
)

// flatAddresses puts the lanes' addresses into c.addr: the vector address, or
// a scalar base and a 32-bit vector offset, plus the immediate offset.
func (c *Core) flatAddresses(in *Inst) span {
	w, offset := c.w, uint64(int64(in.simm))
	v := c.r.V[in.src[0].reg:]
	if in.signedOffset() {
		return c.signedOffsets(in, &v[0], offset+pair(c.r, uint8(in.mem.saddr.reg)))
	}
	if in.mem.saddr.kind == scalarReg {
		return c.addresses32(&v[0], 0, offset+pair(c.r, uint8(in.mem.saddr.reg)), w.Exec)
	}
	return c.addresses64(&v[0], &v[1], offset, w.Exec)
}

// signedOffset reports whether the vector offset has a sign (LLVM 22's hasSignedGVSOffset). What runs quicker
// takes it for one without, which is the same where unsignedIn says so.
func (in *Inst) signedOffset() bool {
	return in.mem.saddr.kind == scalarReg && in.on == GFX1250
}

// signedOffsets is flatAddresses for offsets with a sign, which can count items.
func (c *Core) signedOffsets(in *Inst, v *Vector, base uint64) span {
	scale := in.scale()
	for l := range v {
		c.addr[l] = base + uint64(int64(int32(v[l]))*scale)
	}
	return c.spanOf(c.w.Exec)
}

// scale is how many bytes an offset counts.
func (in *Inst) scale() int64 {
	if in.mem.scaled {
		return int64(in.Op.mem.size)
	}
	return 1
}

// scaledOffsets are the lanes' offsets in bytes, of those that count items of the size that is accessed
// (gfx1250).
func (c *Core) scaledOffsets(in *Inst, v *Vector) []Vector {
	size := uint32(in.Op.mem.size)
	for l := range v {
		c.scaled[0][l] = v[l] * size
	}
	return c.scaled[:]
}

// flatBegin finds the registers of FLAT and MUBUF rows, where the second data
// of an atomic operation follows the first and a load to LDS leaves its data
// in the core's own vector.
func (c *Core) flatBegin(in *Inst) {
	a, dst, data := in.Op.mem, c.registers(&in.dst), c.registers(&in.src[1])
	var data2 []Vector
	if n := a.size / 4; a.atomic && len(data) > n {
		data, data2 = data[:n], data[n:]
	}
	if in.loadsLDS() {
		dst = c.out[:in.ldsDwords()]
	}
	c.beginAccess(dst, data, data2)
}

// runGlobal executes global_*.
func runGlobal(c *Core, in *Inst) {
	if c.w.Exec == 0 {
		return
	}
	c.flatBegin(in)
	c.globalAccess(in, c.w.Exec, c.flatAddresses(in))
}

// globalAccess does an access to global memory by the lanes of mask, whose
// addresses are in c.addr.
func (c *Core) globalAccess(in *Inst, mask uint64, s span) {
	a := in.Op.mem
	c.checkGlobal(a, mask, s)
	if !c.raise(in, a) {
		c.moveGlobal(in, a, mask, s)
	}
}

// runScratch executes scratch_*. The address is that of a lane's own bytes:
// FLAT_SCRATCH, which says where the wave's memory is, is not consulted, since
// the machine knows.
func runScratch(c *Core, in *Inst) {
	w, offset := c.w, uint32(in.simm)
	if w.Exec == 0 {
		return
	}
	if in.mem.saddr.kind != noOperand {
		offset += c.s32(&in.mem.saddr)
	}
	c.flatBegin(in)
	v := &in.src[0]
	if v.kind == noOperand {
		c.sameScratch(in, uint64(offset))
		return
	}
	at := &c.r.V[v.reg]
	if in.mem.scaled {
		at = &c.scaledOffsets(in, at)[0]
	}
	c.scratchAccess(in, c.addresses32(at, offset, 0, w.Exec))
}

// sameScratch does an access to the same address of every active lane's
// private memory.
func (c *Core) sameScratch(in *Inst, addr uint64) {
	s := span{addr, addr, addr}
	if !sideBySide(c.w, in.Op.mem, s) {
		fill(&c.addr, addr)
	}
	c.scratchAccess(in, s)
}

// scratchAccess does an access to private memory by the active lanes, whose
// addresses are in c.addr.
func (c *Core) scratchAccess(in *Inst, s span) {
	a, mask := in.Op.mem, c.w.Exec
	c.checkScratch(a, mask, s)
	if !c.raise(in, a) {
		c.moveScratch(in, a, mask, s)
	}
}

// runFlat executes flat_*, whose addresses lead to LDS or private memory if
// they are in the apertures.
func runFlat(c *Core, in *Inst) {
	w := c.w
	if w.Exec == 0 {
		return
	}
	c.flatBegin(in)
	s := c.flatAddresses(in)
	if c.isa.Target == GFX1250 {
		s = c.foldPrivate()
	}
	switch {
	case s.hi < SharedBase || s.lo >= PrivateBase+ApertureSize:
		c.globalAccess(in, w.Exec, s)
	case s.lo == s.hi && s.lo-PrivateBase < ApertureSize:
		c.sameScratch(in, s.lo-PrivateBase)
	case s.lo >= PrivateBase && s.hi < PrivateBase+ApertureSize:
		c.scratchAccess(in, c.leaveAperture(PrivateBase, s))
	case s.lo >= SharedBase && s.hi < SharedBase+ApertureSize:
		s = c.leaveAperture(SharedBase, s)
		c.checkLDS(in.Op.mem, w.Exec, s)
		if !c.raise(in, in.Op.mem) {
			c.moveLDS(in, in.Op.mem, w.Exec)
		}
	default:
		c.runFlatMixed(in)
	}
}

// foldPrivate makes addresses of gfx1250 that lead to private memory those of its aperture: they have the
// number of the lane above the address that the wave's private memory has. Another lane's are left as they
// are.
func (c *Core) foldPrivate() span {
	const laneShift, lanes = 52, 0x1f
	for m := c.w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		at := c.addr[l]&^(lanes<<laneShift) - c.r.scratchBase
		if c.addr[l]>>laneShift&lanes == uint64(l) && at < c.w.ScratchLimit {
			c.addr[l] = PrivateBase + at
		}
	}
	return c.spanOf(c.w.Exec)
}

// leaveAperture makes addresses in an aperture those of the memory that it
// leads to.
func (c *Core) leaveAperture(base uint64, s span) span {
	for l := range c.addr {
		c.addr[l] -= base
	}
	return span{s.lo - base, s.hi - base, s.low}
}

// flatSpaces tells which lanes go to which memory and makes their addresses
// those of that memory.
func (c *Core) flatSpaces(exec uint64) (global, lds, private uint64) {
	for m := exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		switch addr := c.addr[l]; {
		case addr-SharedBase < ApertureSize:
			lds |= 1 << l
			c.addr[l] -= SharedBase
		case addr-PrivateBase < ApertureSize:
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
	if global != 0 {
		c.checkGlobal(a, global, inGlobal)
	}
	if lds != 0 {
		c.checkLDS(a, lds, inLDS)
	}
	if private != 0 {
		c.checkScratch(a, private, inPrivate)
	}
	if c.raise(in, a) {
		return
	}
	if global != 0 {
		c.moveGlobal(in, a, global, inGlobal)
	}
	if lds != 0 {
		c.moveLDS(in, a, lds)
	}
	if private != 0 {
		c.moveScratch(in, a, private, inPrivate)
	}
}

// memoryExec chooses what executes a vector memory instruction.
func (in *Inst) memoryExec() func(*Core, *Inst) {
	if in.mem.tfe && in.loadsLDS() {
		return unknown
	}
	switch in.form {
	case DS:
		if in.mem.gds {
			return runGDS
		}
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

// ldsDwords is how many dwords of a lane a load whose destination is LDS writes there.
func (in *Inst) ldsDwords() int { return max(in.Op.mem.size/4, 1) }

// ldsStores are the stores that such loads end with, by dwords.
var ldsStores = [...]*access{1: store32, 2: store64, 3: store96, 4: store128}

// runToLDS executes a load whose destination is LDS: M0[15:0] plus the
// immediate offset, and as many dwords for each lane as it loads (MI300 ISA,
// section "Memory instructions: LDS"; CDNA4 ISA for several). The load itself
// leaves its data in the core's own vectors.
func runToLDS(c *Core, in *Inst) {
	w := c.w
	mem, at := w.Group.LDS, uint64(c.r.S[regM0]&0xffff)+uint64(int64(in.simm))
	n := in.ldsDwords()
	size := 4 * uint64(n)
	c.bad.Lanes = 0
	lanes := w.Exec
	for m := w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		if addr := at + size*uint64(l); !withinLDS(w, int(size), addr) {
			if lanes &^= 1 << l; !c.isa.Kernel.Robust {
				c.blame(simt.Unmapped, simt.LDS, l, addr)
			}
		}
	}
	store := ldsStores[n]
	if c.raise(in, store) {
		return
	}
	in.next(c, in)
	if c.faulted() {
		return
	}
	if c.observed {
		for l := range c.addr {
			c.addr[l] = at + size*uint64(l)
		}
		c.observe(in, store, simt.LDS, lanes)
	}
	if beyond := w.Exec &^ lanes; beyond != 0 {
		c.tellBeyond(in, store, beyond)
	}
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		for i := range n {
			binary.LittleEndian.PutUint32(mem[at+size*uint64(l)+4*uint64(i):], c.out[i][l&63])
		}
	}
}
