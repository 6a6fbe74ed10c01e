package gcn

import (
	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// vectorExec chooses how a vector instruction fetches and stores.
func (in *Inst) vectorExec() func(*Core, *Inst) {
	if in.mod.plain(in) && in.Op.flag&(opSel|keeps) == 0 {
		return runVector
	}
	return runModified
}

// readsLDSDirect reports whether a source is what M0 points at in LDS, which
// only graphics uses, or a register that the processor has not got.
func (in *Inst) readsLDSDirect() bool {
	for i := range in.src {
		if o := &in.src[i]; o.kind == special && o.reg != srcVCCZ && o.reg != srcEXECZ {
			return true
		}
	}
	return false
}

// plain reports whether the modifiers change nothing.
func (m *modifiers) plain(in *Inst) bool {
	if m == nil {
		return true
	}
	p := *m
	if in.form == VOP3P {
		used := uint8(1)<<in.Op.srcCount() - 1
		usual := used
		if t := in.Op.src[0]; t == mixed || t == mixedB { // OP_SEL_HI says which sources are 16-bit floats
			usual = 0
		}
		if p.opSelHi&used != usual {
			return false
		}
		p.opSelHi = 0
	}
	return p == modifiers{}
}

// vector fetches one dword of source i for all lanes.
func (c *Core) vector(o *operand, i, dword int) *Vector {
	switch o.kind {
	case vectorReg:
		return &c.r.V[int(o.reg)+dword]
	case constant:
		return o.vec[dword]
	}
	v := &c.tmp[2*i+dword]
	var s uint32
	if o.kind == scalarReg {
		s = c.r.S[uint8(int(o.reg)+dword)]
	} else if dword == 0 {
		s = c.special(o)
	}
	vec.Fill((*vec.Row)(v), s)
	return v
}

// begin sets what vec functions see besides operands.
func (c *Core) begin(in *Inst) {
	x := &c.x
	x.inst, x.mode, x.out = in, c.r.S[regMode], 0
	if in.Op.flag&readsVCC != 0 {
		x.in = c.laneMask(regVCC)
	}
}

// runVector executes a vector instruction without modifiers.
func runVector(c *Core, in *Inst) {
	w, x := c.w, &c.x
	if w.Exec == 0 && in.sdst.kind == noOperand {
		return
	}
	c.begin(in)
	for i := range in.src {
		if in.src[i].kind == noOperand {
			break
		}
		c.fetch(in, i)
	}
	full := w.Exec == ^uint64(0)
	c.aim(in, full)
	in.Op.vec(x)
	c.store(in, full, w.Exec)
}

// fetch makes source i ready in x.
func (c *Core) fetch(in *Inst, i int) {
	x, o := &c.x, &in.src[i]
	if o.typ == mask || o.typ == mask32 {
		if x.in = c.s64(o); c.w.Size < simt.MaxLanes && o.kind == scalarReg {
			x.in = c.laneMask(uint8(o.reg))
		}
		return
	}
	lo := c.vector(o, i, 0)
	var hi *Vector
	if typDwords[o.typ] > 1 {
		hi = c.vector(o, i, 1)
	}
	c.place(i, lo, hi)
}

// place puts source i's dwords into x.
func (c *Core) place(i int, lo, hi *Vector) {
	x := &c.x
	switch i {
	case 0:
		x.a, x.a1 = lo, hi
	case 1:
		x.b, x.b1 = lo, hi
	case 2:
		x.c, x.c1 = lo, hi
	}
}

// aim lets the results go straight to the registers if direct, else into the
// core's own vectors.
func (c *Core) aim(in *Inst, direct bool) {
	x := &c.x
	x.d, x.d1 = &c.out[0], &c.out[1]
	if direct && in.dst.kind == vectorReg {
		x.d = &c.r.V[in.dst.reg]
		if typDwords[in.dst.typ] > 1 {
			x.d1 = &c.r.V[in.dst.reg+1]
		}
	}
}

// store puts results where the instruction wants them, in the lanes of exec.
func (c *Core) store(in *Inst, direct bool, exec uint64) {
	x := &c.x
	if !direct && in.dst.kind == vectorReg {
		merge(&c.r.V[in.dst.reg], x.d, exec)
		if typDwords[in.dst.typ] > 1 {
			merge(&c.r.V[in.dst.reg+1], x.d1, exec)
		}
	}
	if in.sdst.kind == scalarReg {
		c.setLaneMask(uint8(in.sdst.reg), x.out&exec)
		if in.Op.flag&writesExec != 0 {
			c.setLaneMask(regExec, x.out&exec)
		}
	}
}

// laneMask is a lane mask in scalar registers: in one if the wave has 32
// lanes, else in a pair.
func (c *Core) laneMask(reg uint8) uint64 { return pair(c.r, reg) & c.r.wide }

func (c *Core) setLaneMask(reg uint8, v uint64) {
	if c.w.Size < simt.MaxLanes {
		c.r.S[reg] = uint32(v)
		return
	}
	setPair(c.r, reg, v)
}

func merge(d, s *Vector, exec uint64) {
	vec.Merge((*vec.Row)(d), (*vec.Row)(s), exec)
}
