package spirv

import "math/bits"

// Tensor layouts and views (SPV_NV_tensor_addressing): how the rows and columns of a cooperative matrix are
// found in a tensor in memory. A value of such a type is a vector of words, the state that the extension
// describes, part by part, and is copied whole where one number of it changes.

// maxTensor is the most dimensions that a tensor has, and maxTensorWords the words of a layout of so many.
const (
	maxTensor      = 5
	maxTensorWords = 5*maxTensor + 1
)

// The parts of a layout, each with a number for every dimension; behind them is the value of what is outside.
const (
	layoutBlock = iota
	layoutSize
	layoutStride
	layoutOffset
	layoutSpan
	layoutParts
)

// The parts of a view; behind them are the first row of the clip, its rows, its first column, its columns.
const (
	viewSize = iota
	viewStride
	viewParts
)

// Tensor clamp modes: what is accessed outside of the tensor.
const (
	clampUndefined = iota
	clampConstant
	clampToEdge
	clampRepeat
	clampMirror
)

// A tensorType is a type of layouts or of views.
type tensorType struct {
	view  bool
	dims  int
	clamp uint64         // of a layout
	sized bool           // of a view that has dimensions of its own
	order [maxTensor]int // of a view: the dimension that stands at each place
}

// words is how many words a value has.
func (t *tensorType) words() int {
	if t.view {
		return viewParts*t.dims + 4
	}
	return layoutParts*t.dims + 1
}

// readTensor reads TypeTensorLayoutNV and TypeTensorViewNV.
func (p *Program) readTensor(in *raw, t *typ) error {
	s := &tensorType{view: in.op == opTypeTensorViewNV}
	dims, ok := p.constantUint(in.args[0])
	second, ok2 := p.constantUint(in.args[1])
	if !ok || !ok2 || dims == 0 || dims > maxTensor {
		return p.errorf(in.word, "tensor type %%%d: constants, of which the first is from 1 to %d, expected",
			t.id, maxTensor)
	}
	s.dims = int(dims)
	if s.view {
		s.sized = second != 0
		if err := p.readOrder(in, s); err != nil {
			return err
		}
	} else if s.clamp = second; second > clampMirror {
		return p.errorf(in.word, "tensor layout type %%%d: clamp mode %d; 0 to %d expected", t.id, second,
			clampMirror)
	}
	n := uint64(s.words())
	word := &typ{kind: kInt, bits: 32, size: 4, align: 4, slots: 1}
	*t = typ{id: t.id, kind: kVector, elem: word, len: n, stride: 4, size: 4 * n, align: 4, slots: int(n),
		tensor: s}
	return nil
}

// readOrder reads the order of a view's dimensions.
func (p *Program) readOrder(in *raw, s *tensorType) error {
	seen := 0
	for i, id := range in.args[2:] {
		n, ok := p.constantUint(id)
		if !ok || i >= s.dims || n >= uint64(s.dims) {
			return p.errorf(in.word, "tensor view type %%%d: %%%d is no dimension of %d", in.res, id, s.dims)
		}
		s.order[i] = int(n)
		seen |= 1 << n
	}
	if bits.OnesCount(uint(seen)) != s.dims || len(in.args) != 2+s.dims {
		return p.errorf(in.word, "tensor view type %%%d: no order of %d dimensions", in.res, s.dims)
	}
	return nil
}

// A tensorChange is an instruction that makes a layout or a view, of another or of nothing: how many operands
// it has for so many dimensions, and what it changes in the words, by the operands.
type tensorChange struct {
	view     bool
	fresh    bool // of nothing
	operands func(dims int) int
	set      func(dims int, s, v []uint64)
}

func each(dims int) int  { return dims }
func pairs(dims int) int { return 2 * dims }

var tensorChanges = map[uint16]tensorChange{
	opCreateTensorLayoutNV: {fresh: true, set: func(dims int, s, _ []uint64) {
		for i := range dims {
			s[layoutBlock*dims+i] = 1
		}
	}},
	opCreateTensorViewNV: {view: true, fresh: true, set: func(dims int, s, _ []uint64) {
		const all = 1<<32 - 1
		s[viewParts*dims+1], s[viewParts*dims+3] = all, all
	}},
	opTensorLayoutSetBlockSizeNV: {operands: each, set: func(dims int, s, v []uint64) {
		copy(s[layoutBlock*dims:][:dims], v)
	}},
	opTensorLayoutSetDimensionNV: {operands: each, set: setTensorSize},
	opTensorLayoutSetStrideNV: {operands: each, set: func(dims int, s, v []uint64) {
		copy(s[layoutStride*dims:][:dims], v)
	}},
	opTensorLayoutSliceNV: {operands: pairs, set: func(dims int, s, v []uint64) {
		for i := range dims {
			at := &s[layoutOffset*dims+i]
			*at = uint64(uint32(*at + v[2*i]))
			s[layoutSpan*dims+i] = v[2*i+1]
		}
	}},
	opTensorLayoutSetClampValueNV: {operands: func(int) int { return 1 },
		set: func(dims int, s, v []uint64) { s[layoutParts*dims] = v[0] }},
	opTensorViewSetDimensionNV: {view: true, operands: each, set: func(dims int, s, v []uint64) {
		copy(s[viewSize*dims:][:dims], v)
		stride := uint32(1)
		for i := dims - 1; i >= 0; i-- {
			s[viewStride*dims+i] = uint64(stride)
			stride *= uint32(v[i])
		}
	}},
	opTensorViewSetStrideNV: {view: true, operands: each, set: func(dims int, s, v []uint64) {
		copy(s[viewStride*dims:][:dims], v)
	}},
	opTensorViewSetClipNV: {view: true, operands: func(int) int { return 4 },
		set: func(dims int, s, v []uint64) { copy(s[viewParts*dims:], v) }},
}

// setTensorSize sets the size of a tensor: all of it is the span, and it lies packed, block by block.
func setTensorSize(dims int, s, v []uint64) {
	stride := uint32(1)
	for i := dims - 1; i >= 0; i-- {
		s[layoutSize*dims+i], s[layoutSpan*dims+i], s[layoutOffset*dims+i] = v[i], v[i], 0
		s[layoutStride*dims+i] = uint64(stride)
		block := max(uint32(s[layoutBlock*dims+i]), 1)
		stride *= uint32((v[i] + uint64(block) - 1) / uint64(block))
	}
}

// tensorBuilders makes the instructions of tensorChanges.
func tensorBuilders() map[uint16]func(*builder) (*inst, error) {
	all := map[uint16]func(*builder) (*inst, error){}
	for op, change := range tensorChanges {
		all[op] = change.build
	}
	return all
}

func (t tensorChange) build(b *builder) (*inst, error) {
	s := b.typ.tensor
	if s == nil || s.view != t.view {
		return nil, b.errorf("has a result of type %%%d, which is not a tensor type for it", b.typ.id)
	}
	n, from, operands := b.typ.slots, int32(-1), []int32(nil)
	if !t.fresh {
		old, err := b.tensor(0, t.view)
		if err != nil {
			return nil, err
		}
		vs, err := b.values(1)
		if err != nil {
			return nil, err
		}
		if old.typ != b.typ || len(vs) != t.operands(s.dims) {
			return nil,
				b.errorf("has %d operands behind a value of type %%%d; %d behind one of type %%%d expected",
					len(vs), old.typ.id, t.operands(s.dims), b.typ.id)
		}
		from = old.slot
		for k, v := range vs {
			if v.typ.kind != kInt || v.typ.bits != 32 {
				return nil, b.errorf("has operand %%%d, which is no integer of 32 bits", b.in.args[1+k])
			}
			operands = append(operands, v.slot)
		}
	}
	return &inst{exec: func(c *core, in *inst) {
		var words [maxTensorWords]uint64
		var values [2 * maxTensor]uint64
		d := c.slots(in.d, int32(n))
		for l := range c.lanes {
			if clear(words[:]); from >= 0 {
				c.scalars(words[:n], from, l)
			}
			for k, slot := range operands {
				values[k] = c.one(slot)[l]
			}
			t.set(s.dims, words[:n], values[:len(operands)])
			for k, w := range words[:n] {
				d[k*c.lanes+l] = w
			}
		}
	}}, nil
}

// scalars reads the scalars of one lane from a slot on.
func (c *core) scalars(to []uint64, slot int32, lane int) {
	from := c.slots(slot, int32(len(to)))
	for k := range to {
		to[k] = from[k*c.lanes+lane]
	}
}

// tensor is operand i, which must be a layout, or a view.
func (b *builder) tensor(i int, view bool) (*value, error) {
	v, err := b.value(i)
	if err != nil {
		return nil, err
	}
	if s := v.typ.tensor; s == nil || s.view != view {
		return nil, b.errorf("has operand %%%d, which is not the tensor layout, or view, that is expected",
			b.in.args[i])
	}
	return v, nil
}

// An outcome says what becomes of an element of a matrix.
type outcome uint8

const (
	inTensor  outcome = iota
	asClamped         // it is outside of the tensor: a load gives the layout's value, a store leaves it
	unclipped         // it is outside of the view's clip: a load leaves what is there
)

// A tensorMap finds elements of a matrix in memory.
type tensorMap struct {
	layout *tensorType
	view   *tensorType // or nil
	words  [maxTensorWords]uint64
	seen   [maxTensorWords]uint64 // of the view
	width  uint32                 // columns of the matrix
	store  bool
}

func (m *tensorMap) part(part, dim int) uint32 { return uint32(m.words[part*m.layout.dims+dim]) }

// clamped is what a load gives outside of the tensor.
func (m *tensorMap) clamped() uint64 { return m.words[layoutParts*m.layout.dims] }

// A tensorPlace is where an element is: which block, counted in strides, the block's number in each
// dimension, and the element's in the block.
type tensorPlace struct {
	index  uint32
	block  [maxTensor]uint32
	within [maxTensor]uint32
}

// find finds the element of a row and a column (SPV_NV_cooperative_matrix2, "Tensor Layout and View").
func (m *tensorMap) find(row, column uint32) (at tensorPlace, o outcome) {
	index := row*m.width + column
	if m.view != nil {
		clip := m.seen[viewParts*m.view.dims:]
		r, c := row-uint32(clip[0]), column-uint32(clip[2])
		if row < uint32(clip[0]) || column < uint32(clip[2]) || r >= uint32(clip[1]) || c >= uint32(clip[3]) {
			return at, unclipped
		}
		index = m.viewed(r*min(m.width, uint32(clip[3])) + c)
	}
	for dim := m.layout.dims - 1; dim >= 0; dim-- {
		span := max(m.part(layoutSpan, dim), 1) // a span of 0 has no elements that anybody may ask for
		c, ok := m.clamp(int64(index%span)+int64(int32(m.part(layoutOffset, dim))),
			int64(m.part(layoutSize, dim)))
		if !ok {
			return at, asClamped
		}
		index /= span
		block := max(m.part(layoutBlock, dim), 1)
		at.within[dim], at.block[dim] = c%block, c/block
		at.index += at.block[dim] * m.part(layoutStride, dim)
	}
	return at, inTensor
}

// viewed is where the element of an index in the view is in the span.
func (m *tensorMap) viewed(index uint32) (out uint32) {
	v := m.view
	var size, stride [maxTensor]uint32
	packed := uint32(1)
	for i := v.dims - 1; i >= 0; i-- {
		if v.sized {
			size[i], stride[i] = uint32(m.seen[viewSize*v.dims+i]), uint32(m.seen[viewStride*v.dims+i])
			continue
		}
		if i < m.layout.dims {
			size[i] = m.part(layoutSpan, i)
		}
		stride[i] = packed
		packed *= size[i]
	}
	for place := v.dims - 1; place >= 0; place-- {
		i := v.order[place]
		n := max(size[i], 1)
		out += index % n * stride[i]
		index /= n
	}
	return out
}

// clamp is the coordinate that stands for one which may be outside of the tensor, if one does.
func (m *tensorMap) clamp(c, size int64) (uint32, bool) {
	if c >= 0 && c < size {
		return uint32(c), true
	}
	mode := m.layout.clamp
	if m.store && mode != clampUndefined || size == 0 && mode > clampConstant {
		mode = clampConstant
	}
	modulo := func(n int64) int64 { return (c%n + n) % n }
	switch mode {
	case clampConstant:
		return 0, false
	case clampToEdge:
		c = min(max(c, 0), size-1)
	case clampRepeat:
		c = modulo(size)
	case clampMirror:
		if c = modulo(max(2*size-2, 1)); c >= size {
			c = 2*size - 2 - c
		}
	}
	return uint32(c), true
}
