package spirv

import (
	"encoding/binary"
	"sync"

	"simtgdb/simt"
)

// Memory instructions (section 3.42.8).

var memoryBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opVariable: buildVariable, opLoad: buildLoad, opStore: buildStore, opCopyMemory: buildCopyMemory,
		opCopyMemorySized: buildCopySized,
		opAccessChain:     buildChain, opInBoundsAccessChain: buildChain, opPtrAccessChain: buildPtrChain,
		opInBoundsPtrAccessChain: buildPtrChain, opArrayLength: buildArrayLength,
		opPtrDiff: buildPtrDiff, opGenericPtrMemSemantics: buildGenericSemantics, opSizeOf: buildSizeOf,
	}
})

// buildVariable makes a store of a Function variable's initialiser; one without executes nothing.
func buildVariable(b *builder) (*inst, error) {
	if len(b.in.args) < 2 {
		return nil, nil
	}
	store := *b.in
	store.args = []uint32{b.in.res, b.in.args[1]}
	s := *b
	s.in = &store
	return buildStore(&s)
}

func buildLoad(b *builder) (*inst, error) {
	if v, _, err := b.pointer(0); err == nil && v.typ.elem != nil && v.typ.elem.kind == kHandle &&
		v.typ.storage == scUniformConstant {
		return b.loadHandle(v)
	}
	m, t, err := b.access(0, false)
	if err != nil {
		return nil, err
	}
	if b.typ == nil || t.slots != b.typ.slots {
		return nil, b.errorf("has a result of another type than what it loads")
	}
	if t.empty {
		return nil, nil
	}
	i := &inst{mem: m, flags: faults, exec: execLoad}
	if b.p.inScratch(m) {
		i.exec = execLoadPrivate
	}
	return i, nil
}

// inScratch reports whether an access is to a place of private memory that is known, and is in dwords there.
func (p *Program) inScratch(m *access) bool {
	return m.known && m.space == scratch && m.whole() && m.at <= p.scratch && m.end() <= p.scratch-m.at
}

// whole reports whether every scalar is dwords of its own, or a part of one.
func (m *access) whole() bool {
	for _, l := range m.leaves {
		if l.typ.size == 0 || (m.at+l.offset)%min(l.typ.size, 4) != 0 {
			return false
		}
	}
	return true
}

func buildStore(b *builder) (*inst, error) {
	m, t, err := b.access(0, true)
	if err != nil {
		return nil, err
	}
	v, err := b.value(1)
	if err != nil {
		return nil, err
	}
	if t.slots != v.typ.slots {
		return nil, b.errorf("stores a value of another type than what its pointer points to")
	}
	if t.empty {
		return nil, nil
	}
	i := &inst{mem: m, a: v.slot, flags: faults, exec: execStore}
	if b.p.inScratch(m) {
		i.exec = execStorePrivate
	}
	return i, nil
}

// execLoadPrivate loads from a place that is the same in all lanes' private memory.
func execLoadPrivate(c *core, in *inst) {
	m := in.mem
	if !c.untold(m, 0, m.end()) {
		execLoad(c, in)
		return
	}
	for k := range m.leaves {
		lf := &m.leaves[k]
		d := c.one(in.d + int32(k))
		lo := c.dwords(m.at + lf.offset)
		if size := lf.typ.size; size < 4 {
			lo = lo[(m.at+lf.offset)%4:]
			for l := range d {
				d[l] = little(lo[4*l:][:size])
			}
			continue
		}
		for l := range d {
			d[l] = uint64(binary.LittleEndian.Uint32(lo[4*l:]))
		}
		if lf.typ.size == 8 {
			hi := c.dwords(m.at + lf.offset + 4)
			for l := range d {
				d[l] |= uint64(binary.LittleEndian.Uint32(hi[4*l:])) << 32
			}
		} else if lf.typ.kind == kBool {
			normalise(d)
		}
	}
}

func normalise(d []uint64) {
	for l := range d {
		d[l] = one(d[l] != 0)
	}
}

func execStorePrivate(c *core, in *inst) {
	m := in.mem
	if !c.untold(m, 0, m.end()) {
		execStore(c, in)
		return
	}
	for k := range m.leaves {
		lf := &m.leaves[k]
		s := c.one(in.a + int32(k))
		lo := c.dwords(m.at + lf.offset)
		if size := lf.typ.size; size < 4 {
			lo = lo[(m.at+lf.offset)%4:]
			for l := range s {
				if c.mask>>l&1 != 0 {
					putLittle(lo[4*l:][:size], s[l])
				}
			}
			continue
		}
		var hi []byte
		if lf.typ.size == 8 {
			hi = c.dwords(m.at + lf.offset + 4)
		}
		for l := range s {
			if c.mask>>l&1 != 0 {
				binary.LittleEndian.PutUint32(lo[4*l:], uint32(s[l]))
				if hi != nil {
					binary.LittleEndian.PutUint32(hi[4*l:], uint32(s[l]>>32))
				}
			}
		}
	}
}

// execLoad loads scalar by scalar.
func execLoad(c *core, in *inst) {
	m := in.mem
	for k := range m.leaves {
		lf := &m.leaves[k]
		d := c.one(in.d + int32(k))
		if lf.typ.size == 4 && c.untold(m, lf.offset, 4) && c.loadWords(m, lf.offset, d) {
			if lf.typ.kind == kBool {
				normalise(d)
			}
			continue
		}
		c.addresses(m, lf.offset)
		if c.untold(m, lf.offset, lf.typ.size) && c.loadQuickly(m, lf.typ.size, d) {
			if lf.typ.kind == kBool {
				normalise(d)
			}
			continue
		}
		bad := c.check(m, lf.typ.size)
		if bad != 0 && !c.harmless(m, bad) {
			c.faultAt(in, m, bad, lf.typ.size, simt.Unmapped)
			return
		}
		w := c.window(m)
		for l := range d {
			if c.mask>>l&1 != 0 {
				d[l] = c.read(&w, m, l, lf.typ.size)
			}
		}
		if lf.typ.kind == kBool {
			normalise(d)
		}
		c.observe(in, m, c.mask&^bad, lf.typ.size)
		c.outside(in, m, bad, lf.typ.size)
	}
}

// loadWords loads a word for each active lane. It reports whether it could.
func (c *core) loadWords(m *access, offset uint64, d []uint64) bool {
	var w window
	switch m.space {
	case global:
		w = c.window(m)
	case lds:
		w = window{LDSAperture, c.w.Group.LDS, true}
	case scratch:
		return c.loadScratchWords(m, offset, d)
	default:
		return false
	}
	p := c.one(m.ptr)[:len(d)]
	mask := c.mask
	for l := range d {
		if mask>>l&1 == 0 {
			continue
		}
		a := p[l] + offset
		off := a - w.base
		if off+4 > uint64(len(w.data)) || off > off+4 {
			if c.bytes(&w, m, a, 4) == nil {
				return false
			}
			off = a - w.base
		}
		d[l] = uint64(binary.LittleEndian.Uint32(w.data[off:]))
	}
	return true
}

// loadScratchWords is loadWords for private memory.
func (c *core) loadScratchWords(m *access, offset uint64, d []uint64) bool {
	p := c.one(m.ptr)[:len(d)]
	mem, stride, size := c.w.Scratch, uint64(len(d)), c.p.scratch
	for l := range d {
		if c.mask>>l&1 == 0 {
			continue
		}
		a := (p[l] + offset) &^ apertureMask
		if a%4 != 0 || a >= size || size-a < 4 {
			return false
		}
		d[l] = uint64(binary.LittleEndian.Uint32(mem[a*stride+4*uint64(l):]))
	}
	return true
}

// execStore checks all before it stores anything.
func execStore(c *core, in *inst) {
	m := in.mem
	if len(m.leaves) == 1 && (m.space == global || m.space == lds) && !m.known && m.leaves[0].typ.size == 4 &&
		c.untold(m, m.leaves[0].offset, 4) && c.storeWords(in) {
		return
	}
	if c.storeQuickly(in) {
		return
	}
	var bads [1]uint64
	bad := bads[:0]
	for k := range m.leaves {
		c.addresses(m, m.leaves[k].offset)
		b := c.check(m, m.leaves[k].typ.size)
		if b != 0 && !c.harmless(m, b) {
			c.faultAt(in, m, b, m.leaves[k].typ.size, simt.Unmapped)
			return
		}
		bad = append(bad, b)
	}
	for k := range m.leaves {
		lf := &m.leaves[k]
		c.addresses(m, lf.offset)
		c.observeData(in, m, c.mask&^bad[k], lf.typ.size, c.one(in.a+int32(k)))
		c.outside(in, m, bad[k], lf.typ.size)
		c.addresses(m, lf.offset)
		w := c.window(m)
		s := c.one(in.a + int32(k))
		for l := range s {
			if c.mask>>l&1 != 0 {
				c.write(&w, m, l, lf.typ.size, s[l])
			}
		}
	}
}

// storeWords stores a word for each active lane. It reports whether it could; otherwise nothing was stored.
func (c *core) storeWords(in *inst) bool {
	m := in.mem
	var w window
	switch m.space {
	case global:
		w = c.window(m)
	case lds:
		w = window{LDSAperture, c.w.Group.LDS, true}
	default:
		return false
	}
	s := c.one(in.a)
	p := c.one(m.ptr)[:len(s)]
	offset, mask := m.leaves[0].offset, c.mask
	if len(w.data) < 4 {
		return false
	}
	last := uint64(len(w.data) - 4)
	for l := range s {
		if mask>>l&1 != 0 && p[l]+offset-w.base > last {
			return false
		}
	}
	for l := range s {
		if mask>>l&1 != 0 {
			binary.LittleEndian.PutUint32(w.data[p[l]+offset-w.base:], uint32(s[l]))
		}
	}
	return true
}

// A step of an access chain: an index in a slot times a stride.
type chainStep struct {
	slot   int32
	shift  uint // 64 less the index's width: indices are signed
	stride uint64
}

// A chain is what an access chain adds up.
type chain struct {
	known    bool // imm is the base
	standing bool // a launch has added it up
	steps    []chainStep
}

// buildChain makes AccessChain and InBoundsAccessChain.
func buildChain(b *builder) (*inst, error) { return b.chain(1, nil) }

// buildPtrChain makes PtrAccessChain and InBoundsPtrAccessChain, whose first index counts objects.
func buildPtrChain(b *builder) (*inst, error) {
	v, _, err := b.pointer(0)
	if err != nil {
		return nil, err
	}
	stride := v.typ.stride
	if stride == 0 && v.typ.elem != nil {
		stride = v.typ.elem.size
		if a := v.typ.elem.align; a > 0 {
			stride = (stride + a - 1) / a * a
		}
	}
	return b.chain(1, &stride)
}

// chain makes an access chain with indices from operand at on; the first is times objects if it is given.
func (b *builder) chain(at int, objects *uint64) (*inst, error) {
	v, ptr, err := b.pointer(0)
	if err != nil {
		return nil, err
	}
	res := *ptr
	t := v.typ.elem
	var offset uint64
	var steps []chainStep
	add := func(i int, stride uint64) error {
		idx, err := b.value(i)
		if err != nil {
			return err
		}
		if n, ok := b.p.constantInt(b.in.args[i]); ok {
			offset += uint64(n) * stride
			return nil
		}
		if idx.typ.kind != kInt {
			return b.errorf("has index %%%d, which is no integer", b.in.args[i])
		}
		steps = append(steps, chainStep{idx.slot, 64 - idx.typ.bits, stride})
		return nil
	}
	if objects != nil {
		if err := add(at, *objects); err != nil {
			return nil, err
		}
		at++
	}
	if g := ptr.global; g != nil && g.blocks && t == g.typ && at < len(b.in.args) {
		return b.tableChain(g, at)
	}
	for i := at; i < len(b.in.args); i++ {
		if t == nil {
			return nil, b.errorf("goes into a type that is not known")
		}
		if t, err = b.into(&res, t, i, &offset, add); err != nil {
			return nil, err
		}
	}
	return b.chainInst(v, ptr, res, offset, steps)
}

// into goes one index into a type.
func (b *builder) into(res *pointer, t *typ, i int, offset *uint64, add func(int, uint64) error) (*typ,
	error) {
	switch t.kind {
	case kStruct:
		n, ok := b.p.constantUint(b.in.args[i])
		if !ok || n >= uint64(len(t.members)) {
			return nil, b.errorf("has %%%d as the index of a member of %%%d", b.in.args[i], t.id)
		}
		m := &t.members[n]
		*offset += m.offset
		res.layout, res.vector = layout{m.matrixStride, m.rowMajor}, 0
		return m.typ, nil
	case kArray, kRuntimeArray:
		return t.elem, add(i, t.stride)
	case kMatrix:
		stride := t.stride
		res.vector = 0
		if l := res.layout; l.stride != 0 && l.rowMajor {
			stride, res.vector = t.elem.elem.size, l.stride
		} else if l.stride != 0 {
			stride = l.stride
		}
		res.layout = layout{}
		return t.elem, add(i, stride)
	case kVector:
		stride := t.stride
		if res.vector != 0 {
			stride, res.vector = res.vector, 0
		}
		return t.elem, add(i, stride)
	}
	return nil, b.errorf("has an index into %%%d, which has no parts", t.id)
}

// chainInst makes the instruction that adds up an address.
func (b *builder) chainInst(v *value, ptr *pointer, res pointer, offset uint64, steps []chainStep) (*inst,
	error) {
	r := b.p.values[b.in.res]
	if r == nil || r.typ.kind != kPointer {
		return nil, b.errorf("has a result that is no pointer")
	}
	res.known = ptr.known && len(steps) == 0
	res.at = ptr.at + offset
	r.ptr = &res
	i := &inst{a: v.slot, imm: offset, n: 1, chain: &chain{known: ptr.known, steps: steps}}
	if ptr.known {
		i.imm = res.at + marks[v.leadsTo(ptr)]
	}
	known := ptr.known
	switch {
	case len(steps) == 0 && known:
		i.exec = execConstantAddress
	case len(steps) == 0 && v.fixed && b.f != nil: // a constant has its value before any launch
		b.p.standing = append(b.p.standing, standing{slot: b.dst, base: v.slot, offset: offset})
		i.exec, i.chain.standing = execNothing, true
	case len(steps) == 1 && !known:
		s := steps[0]
		i.exec = func(c *core, in *inst) {
			d, a, k := c.one(in.d), c.one(in.a), c.one(s.slot)
			a, k = a[:len(d)], k[:len(d)]
			sh := s.shift & 63
			for l := range d {
				d[l] = a[l] + in.imm + uint64(int64(k[l]<<sh)>>sh)*s.stride
			}
		}
	default:
		i.exec = func(c *core, in *inst) {
			d := c.one(in.d)
			if known {
				execConstantAddress(c, in)
			} else {
				for l, a := range c.one(in.a) {
					d[l] = a + in.imm
				}
			}
			for _, s := range steps {
				k, sh := c.one(s.slot)[:len(d)], s.shift&63
				for l := range d {
					d[l] += uint64(int64(k[l]<<sh)>>sh) * s.stride
				}
			}
		}
	}
	return i, nil
}

// A standing value is an address that a launch decides: the result of an access chain from a variable by
// constants, which every wave has from its beginning.
type standing struct {
	slot, base int32
	offset     uint64
}

func execConstantAddress(c *core, in *inst) {
	d := c.one(in.d)
	for l := range d {
		d[l] = in.imm
	}
}

// tableChain makes an access chain into an array of blocks: the first index chooses a buffer.
func (b *builder) tableChain(g *variable, at int) (*inst, error) {
	idx, err := b.value(at)
	if err != nil {
		return nil, err
	}
	res := pointer{global: g}
	t := g.typ.elem
	var offset uint64
	var steps []chainStep
	add := func(i int, stride uint64) error {
		v, err := b.value(i)
		if err != nil {
			return err
		}
		if n, ok := b.p.constantInt(b.in.args[i]); ok {
			offset += uint64(n) * stride
			return nil
		}
		steps = append(steps, chainStep{v.slot, 64 - v.typ.width(), stride})
		return nil
	}
	for i := at + 1; i < len(b.in.args); i++ {
		if t, err = b.into(&res, t, i, &offset, add); err != nil {
			return nil, err
		}
	}
	r := b.p.values[b.in.res]
	if r == nil || r.typ.kind != kPointer {
		return nil, b.errorf("has a result that is no pointer")
	}
	r.ptr = &res
	return &inst{a: idx.slot, imm: offset, exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l, k := range c.one(in.a) {
			d[l] = 0 // no buffer: address 0 holds nothing
			if k < uint64(len(g.descriptors)) && g.descriptors[k].Addr != 0 {
				d[l] = g.descriptors[k].Addr + in.imm
			}
		}
		for _, s := range steps {
			k, sh := c.one(s.slot)[:len(d)], s.shift&63
			for l := range d {
				if d[l] != 0 {
					d[l] += uint64(int64(k[l]<<sh)>>sh) * s.stride
				}
			}
		}
	}}, nil
}

// buildArrayLength makes ArrayLength: how many elements of a buffer's last member were bound.
func buildArrayLength(b *builder) (*inst, error) {
	v, ptr, err := b.pointer(0)
	if err != nil {
		return nil, err
	}
	n, err := b.arg(1)
	if err != nil {
		return nil, err
	}
	t := v.typ.elem
	if t == nil || t.kind != kStruct || int(n) >= len(t.members) ||
		t.members[n].typ.kind != kRuntimeArray || ptr.global == nil {
		return nil, b.errorf("asks for the length of what is no array at the end of a buffer")
	}
	m, g := t.members[n], ptr.global
	if m.typ.stride == 0 {
		return nil, b.errorf("asks for the length of an array of what has no size")
	}
	mask := b.typ.mask()
	return &inst{a: v.slot, exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l, a := range c.one(in.a) {
			d[l] = 0
			for i := range g.descriptors {
				if x := &g.descriptors[i]; x.Addr == a && x.Size > m.offset {
					d[l] = (x.Size - m.offset) / m.typ.stride & mask
					break
				}
			}
		}
	}}, nil
}

func buildPtrDiff(b *builder) (*inst, error) {
	i, vs, err := b.elementwise(2)
	if err != nil {
		return nil, err
	}
	size := vs[0].typ.stride
	if size == 0 && vs[0].typ.elem != nil {
		size = vs[0].typ.elem.size
	}
	if size == 0 {
		return nil, b.errorf("has pointers to objects without a size")
	}
	mask := i.imm
	i.f2 = func(x, y uint64) uint64 { return uint64(int64(x-y)/int64(size)) & mask }
	return i.with(map2), nil
}

// buildGenericSemantics makes GenericPtrMemSemantics: the bits of memory semantics (section 3.25) for the
// storage class that a generic pointer leads to. There are none for private memory.
func buildGenericSemantics(b *builder) (*inst, error) {
	const workgroupMemory, crossWorkgroupMemory = 0x100, 0x200
	v, _, err := b.pointer(0)
	if err != nil {
		return nil, err
	}
	semantics := [...]uint64{global: crossWorkgroupMemory, lds: workgroupMemory, scratch: 0}
	m := &access{space: spaces[v.typ.storage]}
	return &inst{a: v.slot, exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l, a := range c.one(in.a) {
			s, _ := m.lane(a)
			d[l] = semantics[s]
		}
	}}, nil
}

// buildSizeOf makes SizeOf: the bytes of what a pointer points to.
func buildSizeOf(b *builder) (*inst, error) {
	v, _, err := b.pointer(0)
	if err != nil {
		return nil, err
	}
	if v.typ.elem == nil {
		return nil, b.errorf("asks for the size of what is not known")
	}
	return &inst{imm: v.typ.elem.size, exec: execConstantAddress}, nil
}
