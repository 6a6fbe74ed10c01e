package gen

import "math/bits"

// runMov executes mov: elements of the same type are copied as they are.
func runMov(c *Core, in *Inst) {
	s := &in.src[0]
	if s.typ != in.dst.typ || s.neg || s.abs || in.saturate || in.cond != 0 && in.kind != kindInt {
		runALU(c, in)
		return
	}
	mask := c.channels(in)
	if mask == 0 || !c.findIndirect(in) {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	c.loadInts(in, 0, &c.x.i[0])
	if in.cond == 0 {
		c.store(in, mask, &c.x.i[0])
		if in.accWrite {
			c.writeAcc(in, mask, &c.x.i[0])
		}
		return
	}
	c.x.out = c.x.i[0]
	c.finishInts(in, mask, &c.x)
}

// runSmov executes smov: the bits of its constant say which channels move.
func runSmov(c *Core, in *Inst) {
	mask := c.channels(in) & uint32(in.src[1].imm)
	if mask == 0 || !c.findIndirect(in) {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	c.loadInts(in, 0, &c.x.out)
	c.store(in, mask, &c.x.out)
}

// runCmp executes cmp and cmpn: flags, and all ones or zeros in the
// destination.
func runCmp(c *Core, in *Inst) {
	mask := c.channels(in)
	if mask == 0 || !c.findIndirect(in) {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	flags := c.compare(in, in.cond)
	c.setFlags(in, mask, flags)
	if in.dst.place == inARF && in.dst.reg>>4 == arfNull {
		return
	}
	for k := range in.width {
		c.x.out[k&31] = -int64(flags >> k & 1)
	}
	c.store(in, mask, &c.x.out)
}

// compare loads two sources and tells for which elements the condition is
// true of the first and the second.
func (c *Core) compare(in *Inst, cond uint8) uint32 {
	x := &c.x
	var flags uint32
	if in.kind != kindInt {
		for i := range 2 {
			c.loadFloats(in, i, &x.f[i])
			modifyFloats(in, &in.src[i], &x.f[i])
			c.flush(in, &x.f[i])
		}
		for k := range in.width {
			if holdsFloat(cond, x.f[0][k&31], x.f[1][k&31]) {
				flags |= 1 << k
			}
		}
		return flags
	}
	for i := range 2 {
		c.loadInts(in, i, &x.i[i])
		modifyInts(in, &in.src[i], &x.i[i])
	}
	unsigned := in.unsigned64()
	for k := range in.width {
		if holds(cond, order(x.i[0][k&31], x.i[1][k&31], unsigned)) {
			flags |= 1 << k
		}
	}
	return flags
}

func order(a, b int64, unsigned bool) int {
	less := a < b
	if unsigned {
		less = uint64(a) < uint64(b)
	}
	switch {
	case a == b:
		return 0
	case less:
		return -1
	}
	return 1
}

// runSel executes sel: by the predicate, or, with a condition, the source of
// which it is true of the other. A comparison with a NaN gives the other one.
func runSel(c *Core, in *Inst) {
	mask := c.enabled(in)
	if mask == 0 || !c.findIndirect(in) {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	var first uint32
	x := &c.x
	if in.cond != 0 {
		first = c.compare(in, in.cond)
		if in.kind != kindInt {
			for k := range in.width {
				a, b := x.f[0][k&31], x.f[1][k&31]
				switch {
				case b != b:
					first |= 1 << k
				case a != a:
					first &^= 1 << k
				}
			}
		}
	} else {
		first = in.all()
		if in.pred != 0 {
			first = c.predicate(in)
		}
		for i := range 2 {
			if in.kind == kindInt {
				c.loadInts(in, i, &x.i[i])
				modifyInts(in, &in.src[i], &x.i[i])
			} else {
				c.loadFloats(in, i, &x.f[i])
				modifyFloats(in, &in.src[i], &x.f[i])
			}
		}
	}
	c.choose(in, mask, first, 0, 1)
}

// choose writes elements of source i where first has a bit, else of source j.
func (c *Core) choose(in *Inst, mask, first uint32, i, j int) {
	x := &c.x
	for k := range in.width {
		from := j
		if first>>k&1 != 0 {
			from = i
		}
		if in.kind == kindInt {
			x.out[k&31] = x.i[from][k&31]
		} else {
			x.num[k&31] = x.f[from][k&31]
		}
	}
	if in.kind == kindInt {
		c.finishInts(in, mask, x)
	} else {
		c.finishFloats(in, mask, x)
	}
}

// runCsel executes csel: the condition of source 2 and zero chooses.
func runCsel(c *Core, in *Inst) {
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	x := &c.x
	var first uint32
	for i := range 3 {
		c.loadFloats(in, i, &x.f[i])
		modifyFloats(in, &in.src[i], &x.f[i])
		c.loadInts(in, i, &x.i[i])
		modifyInts(in, &in.src[i], &x.i[i])
	}
	for k := range in.width {
		on := holdsFloat(in.cond, x.f[2][k&31], 0)
		if in.kind == kindInt {
			on = holds(in.cond, order(x.i[2][k&31], 0, false))
		}
		if on {
			first |= 1 << k
		}
	}
	if in.copies() && c.flushes(in) == 0 {
		for k := range in.width {
			if x.out[k] = x.i[1][k]; first>>k&1 != 0 {
				x.out[k] = x.i[0][k]
			}
		}
		c.store(in, mask, &x.out)
		return
	}
	c.choose(in, mask, first, 0, 1)
}

// copies reports whether what is chosen of the first two sources is copied as
// it is, a number that signals too.
func (in *Inst) copies() bool {
	for i := range 2 {
		if o := &in.src[i]; o.typ != in.dst.typ || o.neg || o.abs {
			return false
		}
	}
	return !in.saturate
}
