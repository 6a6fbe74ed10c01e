package gen

import "math/bits"

// runPlan executes an instruction by its plan, if the floating-point control is
// as the plan wants it.
func runPlan(c *Core, in *Inst) {
	p := in.plan
	if p.control != 0 && c.r.u32(offCR)&p.control != p.controlWant {
		p.slow(c, in)
		return
	}
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	var a *row
	b, d := &c.rows[1], &c.rows[2]
	if s := &p.src[0]; s.load == nil {
		a = (*row)(c.r.file[s.base:])
	} else if a = s.load(c, in, 0); a == nil {
		return
	}
	if p.sources > 1 {
		if s := &p.src[1]; s.load == nil {
			b = (*row)(c.r.file[s.base:])
		} else if b = s.load(c, in, 1); b == nil {
			return
		}
		if p.sources > 2 {
			d = c.row(in, p, 2)
		}
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	if p.vec != nil {
		c.runVec(in, p, mask, &[3]*row{a, b, d})
		return
	}
	if p.inPlace && mask == in.all() {
		out := (*row)(c.r.file[in.dst.layout.base:])
		p.op(out, a, b, d, p.n)
		if p.test != nil || p.acc {
			c.afterwards(in, p, mask, out)
		}
		return
	}
	out := &c.rows[3]
	p.op(out, a, b, d, p.n)
	if p.test != nil || p.acc {
		c.afterwards(in, p, mask, out)
	}
	if p.store != nil {
		p.store(c, in, mask, out)
	}
}

// runVec is the rest of runPlan for what package vec computes.
func (c *Core) runVec(in *Inst, p *plan, mask uint32, from *[3]*row) {
	out, full := &c.rows[3], true
	if p.inPlace {
		out, full = (*row)(c.r.file[in.dst.layout.base:]), mask == in.all() && p.n%64 == 0
	}
	c.compute(p, out, from, mask, full)
	if p.test != nil || p.acc {
		c.afterwards(in, p, mask, out)
	}
	if p.store != nil && !p.inPlace {
		p.store(c, in, mask, out)
	}
}

// afterwards sets flags by results, and the accumulator.
func (c *Core) afterwards(in *Inst, p *plan, mask uint32, out *row) {
	if p.test != nil {
		c.setFlags(in, mask, c.comparePlan(p, out, &zeroRow))
	}
	if p.acc {
		blend(p.elem, (*row)(c.r.file[offAcc:]), out, (*row)(c.r.file[offAcc:]), mask, p.n)
	}
}

var zeroRow row

// compare applies the plan's test.
func (c *Core) comparePlan(p *plan, a, b *row) (flags uint32) {
	if p.swapped {
		a, b = b, a
	}
	if p.vecTest != nil {
		flags = c.testBy(p, a, b)
	} else {
		flags = p.test(a, b, p.n)
	}
	if p.invert {
		flags = ^flags
	}
	return flags
}

// row gives a source's elements.
func (c *Core) row(in *Inst, p *plan, i int) *row {
	s := &p.src[i]
	if s.load != nil {
		return s.load(c, in, i)
	}
	return (*row)(c.r.file[s.base:])
}

// runPlannedTest executes a comparison by its plan.
func runPlannedTest(c *Core, in *Inst) {
	p := in.plan
	if p.control != 0 && c.r.u32(offCR)&p.control != p.controlWant {
		p.slow(c, in)
		return
	}
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	a := c.row(in, p, 0)
	b := c.row(in, p, 1)
	if a == nil || b == nil {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	flags := c.comparePlan(p, a, b)
	c.setFlags(in, mask, flags)
	if p.store != nil {
		out := &c.rows[3]
		blend(4, out, &onesRow, &zeroRow, flags, 4*in.width)
		p.store(c, in, mask, out)
	}
}

// onesRow has all bits set.
var onesRow = func() (r row) {
	for i := range r {
		r[i] = 0xff
	}
	return r
}()

// runPlannedSel executes sel by its plan.
func runPlannedSel(c *Core, in *Inst) {
	p := in.plan
	if p.control != 0 && c.r.u32(offCR)&p.control != p.controlWant {
		p.slow(c, in)
		return
	}
	mask := c.enabled(in)
	if mask == 0 {
		return
	}
	a := c.row(in, p, 0)
	b := c.row(in, p, 1)
	if a == nil || b == nil {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	first := in.all()
	switch {
	case p.test != nil:
		first = c.comparePlan(p, a, b)
	case in.pred != 0:
		first = c.predicate(in)
	}
	if p.inPlace && mask == in.all() {
		blend(p.elem, (*row)(c.r.file[in.dst.layout.base:]), a, b, first, p.n)
		return
	}
	out := &c.rows[3]
	blend(p.elem, out, a, b, first, p.n)
	p.store(c, in, mask, out)
}
