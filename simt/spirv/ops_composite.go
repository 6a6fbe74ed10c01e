package spirv

import (
	"slices"
	"sync"
)

// Instructions that take values apart and put them together (section 3.42.12). A value is a run of slots,
// so that all of these copy runs.

var compositeBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opVectorExtractDynamic: buildExtractDynamic, opVectorInsertDynamic: buildInsertDynamic,
		opVectorShuffle:      buildShuffle,
		opCompositeConstruct: buildConstruct, opCompositeExtract: buildExtract,
		opCompositeInsert: buildInsert,
	}
})

// part finds a part of a type by literal indices: its first slot and its type.
func (b *builder) part(t *typ, indices []uint32) (int32, *typ, error) {
	var at int
	for _, i := range indices {
		n := t.len
		if t.kind == kStruct {
			n = uint64(len(t.members))
		}
		if uint64(i) >= n || t.kind < kVector || t.kind > kStruct {
			return 0, nil, b.errorf("has index %d into type %%%d", i, t.id)
		}
		if t.kind == kStruct {
			at += t.members[i].slot
			t = t.members[i].typ
			continue
		}
		t = t.elem
		at += int(i) * t.slots
	}
	return int32(at), t, nil
}

func buildExtract(b *builder) (*inst, error) {
	v, err := b.value(0)
	if err != nil {
		return nil, err
	}
	at, t, err := b.part(v.typ, b.in.args[1:])
	if err != nil {
		return nil, err
	}
	if t.slots != b.typ.slots {
		return nil, b.errorf("has a part of another type than its result")
	}
	return &inst{a: v.slot + at, n: int32(t.slots), exec: copyRun}, nil
}

func buildInsert(b *builder) (*inst, error) {
	part, whole, err := b.pair(0)
	if err != nil {
		return nil, err
	}
	at, t, err := b.part(whole.typ, b.in.args[2:])
	if err != nil {
		return nil, err
	}
	if t.slots != part.typ.slots || whole.typ.slots != b.typ.slots {
		return nil, b.errorf("has operands that do not fit")
	}
	i := &inst{a: whole.slot, b: part.slot, n: int32(b.typ.slots), e: at, imm: uint64(t.slots)}
	return i.with(func(c *core, in *inst) {
		copyRun(c, in)
		copy(c.slots(in.d+in.e, int32(in.imm)), c.slots(in.b, int32(in.imm)))
	}), nil
}

// buildConstruct makes CompositeConstruct: the parts of a vector may be vectors.
func buildConstruct(b *builder) (*inst, error) {
	vs, err := b.values(0)
	if err != nil {
		return nil, err
	}
	i := &inst{}
	for _, v := range vs {
		for k := range v.typ.slots {
			i.args = append(i.args, v.slot+int32(k))
		}
	}
	if b.typ != nil && b.typ.matrix != nil && len(i.args) == 1 { // one value is that of all elements
		i.args = slices.Repeat(i.args, b.typ.slots)
	}
	if b.typ == nil || len(i.args) != b.typ.slots {
		return nil, b.errorf("has parts of %d scalars", len(i.args))
	}
	return i.with(execGather), nil
}

// buildShuffle makes VectorShuffle; component 0xffffffff is undefined.
func buildShuffle(b *builder) (*inst, error) {
	x, y, err := b.pair(0)
	if err != nil {
		return nil, err
	}
	i := &inst{}
	for _, k := range b.in.args[2:] {
		switch n := uint32(x.typ.slots); {
		case k == 0xffffffff:
			i.args = append(i.args, x.slot)
		case k < n:
			i.args = append(i.args, x.slot+int32(k))
		case k-n < uint32(y.typ.slots):
			i.args = append(i.args, y.slot+int32(k-n))
		default:
			return nil, b.errorf("has component %d of %d", k, x.typ.slots+y.typ.slots)
		}
	}
	if b.typ == nil || len(i.args) != b.typ.slots {
		return nil, b.errorf("has %d components", len(i.args))
	}
	return i.with(execGather), nil
}

// An index that is out of bounds is undefined; it is taken as the last.

func buildExtractDynamic(b *builder) (*inst, error) {
	v, k, err := b.pair(0)
	if err != nil {
		return nil, err
	}
	i := &inst{a: v.slot, b: k.slot, n: int32(v.typ.slots)}
	return i.with(func(c *core, in *inst) {
		d, k := c.one(in.d), c.one(in.b)
		for l := range d {
			d[l] = c.one(in.a + int32(min(k[l], uint64(in.n-1))))[l]
		}
	}), nil
}

func buildInsertDynamic(b *builder) (*inst, error) {
	v, part, err := b.pair(0)
	if err != nil {
		return nil, err
	}
	k, err := b.value(2)
	if err != nil {
		return nil, err
	}
	if b.typ == nil || v.typ.slots != b.typ.slots || part.typ.slots != 1 {
		return nil, b.errorf("has operands that do not fit")
	}
	i := &inst{a: v.slot, b: part.slot, e: k.slot, n: int32(v.typ.slots)}
	return i.with(func(c *core, in *inst) {
		copyRun(c, in)
		x, k := c.one(in.b), c.one(in.e)
		for l := range x {
			c.one(in.d + int32(min(k[l], uint64(in.n-1))))[l] = x[l]
		}
	}), nil
}
