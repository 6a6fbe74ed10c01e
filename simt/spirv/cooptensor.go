package spirv

// Loads and stores of cooperative matrices from and to tensors (SPV_NV_cooperative_matrix2).

// tensorOperands are the view and the function that decodes, 0 for none, which stand behind the memory
// operands.
func tensorOperands(args []uint32, memory int) (view, decode uint32) {
	const aligned, available, visible, aliased, unaliased = 2, 8, 16, 0x10000, 0x20000
	if memory >= len(args) {
		return 0, 0
	}
	at := memory + 1
	for _, more := range []uint32{aligned, available, visible, aliased, unaliased} {
		if args[memory]&more != 0 {
			at++
		}
	}
	if at >= len(args) {
		return 0, 0
	}
	mask, rest := args[at], args[at+1:]
	for bit, to := range []*uint32{&view, &decode} {
		if mask>>bit&1 != 0 && len(rest) > 0 {
			*to, rest = rest[0], rest[1:]
		}
	}
	return view, decode
}

// called is the function that an instruction calls, or 0.
func (in *raw) called() uint32 {
	at := -1
	switch in.op {
	case opFunctionCall:
		at = 0
	case opCooperativeMatrixReduceNV:
		at = 2
	case opCooperativeMatrixPerElementOpNV:
		at = 1
	case opCooperativeMatrixLoadTensorNV:
		_, decode := tensorOperands(in.args, 3)
		return decode
	}
	if at < 0 || at >= len(in.args) {
		return 0
	}
	return in.args[at]
}

// A tensorAccess is the memory side of a load or store of a matrix from or to a tensor.
type tensorAccess struct {
	matrixAccess
	layout *value
	view   *value // or nil
	size   uint64 // bytes from one element, or block, to the next
}

// tensorAccess makes the memory side for a matrix of a type, with the layout as operand i and the memory
// operands behind it.
func (b *builder) tensorAccess(t *typ, i int, write bool) (*tensorAccess, error) {
	v, ptr, err := b.pointer(0)
	if err != nil {
		return nil, err
	}
	y := &tensorAccess{size: t.elem.size}
	y.matrixAccess = matrixAccess{access: *v.accessed(ptr, write, []leaf{{0, t.elem}}), shape: t.matrix,
		n: int32(t.slots)}
	if y.layout, err = b.tensor(i, false); err != nil {
		return nil, err
	}
	view, _ := tensorOperands(b.in.args, i+1)
	if view != 0 {
		if y.view, err = b.id(view); err != nil {
			return nil, err
		}
		if s := y.view.typ.tensor; s == nil || !s.view {
			return nil, b.errorf("has operand %%%d, which is no tensor view", view)
		}
	}
	y.at, err = b.p.newSlots(b.in.word, t.slots)
	return y, err
}

// mapping reads the layout and the view, which are the same in all lanes.
func (y *tensorAccess) mapping(c *core) *tensorMap {
	m := &tensorMap{layout: y.layout.typ.tensor, width: uint32(y.shape.columns), store: y.write}
	c.scalars(m.words[:y.layout.typ.slots], y.layout.slot, 0)
	if y.view != nil {
		m.view = y.view.typ.tensor
		c.scalars(m.seen[:y.view.typ.slots], y.view.slot, 0)
	}
	return m
}

// find puts the address of each element into slots, and gives the lanes whose elements are in the tensor, by
// slot.
func (y *tensorAccess) find(c *core, m *tensorMap) []uint64 {
	some := make([]uint64, y.n)
	for k := range some {
		d := c.one(y.at + int32(k))
		for l := range d {
			e := k*c.lanes + l
			if e >= y.shape.elements() {
				break
			}
			at, o := m.find(uint32(e/y.shape.columns), uint32(e%y.shape.columns))
			if o == inTensor {
				some[k] |= 1 << l
				d[l] = y.base(c, l) + uint64(at.index)*y.size
			}
		}
	}
	return some
}

// fill gives elements of slot k that are not in the tensor what they are: the layout's value, or what they
// were.
func (y *tensorAccess) fill(c *core, m *tensorMap, k int, some uint64, d, were []uint64) {
	mask := y.leaves[0].typ.mask()
	for l := range c.lanes {
		e := k*c.lanes + l
		if some>>l&1 != 0 || e >= y.shape.elements() {
			continue
		}
		if _, o := m.find(uint32(e/y.shape.columns), uint32(e%y.shape.columns)); o == unclipped {
			d[l] = were[l]
		} else {
			d[l] = m.clamped() & mask
		}
	}
}

// buildTensorLoad makes CooperativeMatrixLoadTensorNV.
func buildTensorLoad(b *builder) (*inst, error) {
	shape, err := b.resultMatrix()
	if err != nil {
		return nil, err
	}
	were, err := b.matrix(1)
	if err != nil {
		return nil, err
	}
	if were.typ != b.typ {
		return nil, b.errorf("has operand %%%d, which is not of the result's type", b.in.args[1])
	}
	y, err := b.tensorAccess(b.typ, 2, false)
	if err != nil {
		return nil, err
	}
	if _, decode := tensorOperands(b.in.args, 3); decode != 0 {
		return b.decoded(y, decode, were)
	}
	return &inst{mem: &y.access, a: were.slot, flags: faults, exec: func(c *core, in *inst) {
		if !shape.here(c, in) {
			return
		}
		m := y.mapping(c)
		some := y.find(c, m)
		if !y.allowed(c, in, some) {
			return
		}
		y.load(c, in, some)
		for k, lanes := range some {
			y.fill(c, m, k, lanes, c.one(in.d+int32(k)), c.one(in.a+int32(k)))
		}
	}}, nil
}

// decoded makes a load by a function of where the block of an element is, the block's coordinates, and those
// of the element in the block. The function loads for itself.
func (b *builder) decoded(y *tensorAccess, decode uint32, were *value) (*inst, error) {
	dims := y.layout.typ.tensor.dims
	words := &typ{slots: dims}
	calls, err := b.callee(decode, b.typ.elem, oneScalar, words, words)
	if err != nil {
		return nil, err
	}
	block := calls.params[0].typ
	if block.kind != kPointer || block.elem == nil || spaces[block.storage] != global || y.space != global {
		return nil, b.errorf("decodes by %%%d, whose first parameter is no pointer to global memory", decode)
	}
	y.size = block.elem.size
	calls.steps = b.typ.slots
	calls.begin = func(c *core, k int) (lanes uint64) {
		m := y.mapping(c)
		at := c.one(calls.params[0].slot)
		within, blocks := c.slots(calls.params[2].slot, int32(dims)), c.slots(
			calls.params[1].slot, int32(dims))
		for l := range c.lanes {
			e := k*c.lanes + l
			if e >= y.shape.elements() {
				break
			}
			place, o := m.find(uint32(e/y.shape.columns), uint32(e%y.shape.columns))
			if o != inTensor {
				continue
			}
			lanes |= 1 << l
			at[l] = y.base(c, l) + uint64(place.index)*y.size
			for i := range dims {
				blocks[i*c.lanes+l], within[i*c.lanes+l] = uint64(place.block[i]), uint64(place.within[i])
			}
		}
		return lanes
	}
	calls.end = func(c *core, in *inst, k int, lanes uint64) {
		d := in.d + int32(k)
		c.mergeSlots(d, calls.fn.ret, lanes)
		if lanes != c.mask {
			y.fill(c, y.mapping(c), k, lanes, c.one(d), c.one(were.slot+int32(k)))
		}
	}
	return calls.insts(y.shape), nil
}

// buildTensorStore makes CooperativeMatrixStoreTensorNV.
func buildTensorStore(b *builder) (*inst, error) {
	v, err := b.matrix(1)
	if err != nil {
		return nil, err
	}
	y, err := b.tensorAccess(v.typ, 2, true)
	if err != nil {
		return nil, err
	}
	return &inst{mem: &y.access, a: v.slot, flags: faults, exec: func(c *core, in *inst) {
		if !y.shape.here(c, in) {
			return
		}
		if some := y.find(c, y.mapping(c)); y.allowed(c, in, some) {
			y.store(c, in, some)
		}
	}}, nil
}
