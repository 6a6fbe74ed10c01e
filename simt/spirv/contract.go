package spirv

// Contraction (section 3.20, decoration NoContraction): where Options.Contract says so, an addition or
// subtraction with a product that is used by nothing else is one operation, rounded once, as drivers make
// of it. Neither instruction may have the decoration NoContraction. The product is computed as well, for
// whoever looks at it.

const decNoContraction = 42

// contracted makes an addition or subtraction with a product one operation, and others as plain does.
func contracted(plain func(*builder) (*inst, error)) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		if !b.p.o.Contract || b.f == nil || b.controlled() || b.p.hasDecoration(b.in.res, decNoContraction) {
			return plain(b)
		}
		for k := range b.in.args[:2] {
			if mul := b.product(b.in.args[k]); mul != nil {
				return b.fused(mul, k)
			}
		}
		return plain(b)
	}
}

// product is the multiplication that an id is the result of, if it can be contracted. It is of the same
// block, where its operands still have the values that it had.
func (b *builder) product(id uint32) *raw {
	mul := b.p.def[id]
	if mul == nil || mul.op != opFMul || len(mul.args) < 2 || mul.typ != b.in.typ ||
		b.p.hasDecoration(id, decNoContraction) {
		return nil
	}
	here := false
	for _, blk := range b.f.blocks {
		for _, in := range append(blk.phis[:len(blk.phis):len(blk.phis)], blk.raws...) {
			here = here || in == mul && blk == b.blk
			if in.op == opFAdd || in.op == opFSub ||
				in.op == opExtInst && silentSet(b.p.imports[in.args[0]]) {
				continue
			}
			for _, a := range in.args {
				if a == id && in != mul { // or a literal: then it is not contracted
					return nil
				}
			}
		}
	}
	if !here {
		return nil
	}
	return mul
}

// fused makes x*y + z of a product that is operand k of an addition or subtraction.
func (b *builder) fused(mul *raw, k int) (*inst, error) {
	var vs [3]*value
	for i, id := range []uint32{mul.args[0], mul.args[1], b.in.args[1-k]} {
		var err error
		if vs[i], err = b.id(id); err != nil {
			return nil, err
		}
		if vs[i].typ.slots != b.typ.slots || b.typ.scalar() == nil {
			return nil, b.errorf("has operands that do not fit")
		}
	}
	w := b.typ.scalar().width()
	f, sign := fmaOf(w), uint64(1)<<(w-1)
	i := &inst{a: vs[0].slot, b: vs[1].slot, e: vs[2].slot, n: int32(b.typ.slots), f3: f}
	switch {
	case b.in.op == opFSub && k == 0: // x*y - z
		i.f3 = func(x, y, z uint64) uint64 { return f(x, y, z^sign) }
	case b.in.op == opFSub: // z - x*y
		i.f3 = func(x, y, z uint64) uint64 { return f(x^sign, y, z) }
	}
	return i.with(map3), nil
}
