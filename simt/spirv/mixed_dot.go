package spirv

// The dot product of halves that is added to a number of 32 bits (SPV_VALVE_mixed_float_dot_product). The
// product of two halves is exact in 32 bits; the two are added one after the other, and each sum is rounded.

var mixedDotBuilders = map[uint16]func(*builder) (*inst, error){opFDot2MixAcc32VALVE: buildMixedDot}

func buildMixedDot(b *builder) (*inst, error) {
	const components, narrow, wide = 2, 16, 32
	x, y, err := b.two(kVector, kVector)
	if err != nil {
		return nil, err
	}
	sum, err := b.value(2)
	if err != nil {
		return nil, err
	}
	halves := func(t *typ) bool {
		return t.len == components && t.elem.kind == kFloat && t.elem.bits == narrow
	}
	if !halves(x.typ) || !halves(y.typ) || b.typ.kind != kFloat || b.typ.bits != wide || sum.typ != b.typ {
		return nil, b.errorf("is for two vectors of two halves and a sum of 32 bits")
	}
	i := &inst{a: x.slot, b: y.slot, e: sum.slot}
	from, to := b.control(narrow), b.control(wide)
	return i.with(func(c *core, in *inst) {
		d := c.one(in.d)
		x0, y0, x1, y1, sums := c.one(in.a), c.one(in.b), c.one(in.a+1), c.one(in.b+1), c.one(in.e)
		for l := range d {
			first := fromFloat(from.in(x0[l])*from.in(y0[l]), wide)
			second := fromFloat(from.in(x1[l])*from.in(y1[l]), wide)
			d[l] = to.add(to.add(sums[l], first), second)
		}
	}), nil
}
