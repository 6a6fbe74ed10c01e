package spirv

import "fmt"

// A kind is what a type is.
type kind uint8

const (
	kVoid kind = iota
	kBool
	kInt
	kFloat
	kVector
	kMatrix
	kArray
	kRuntimeArray
	kStruct
	kPointer
	kFunction
	kHandle // of an image or a sampler, or both
	kOpaque
)

// Storage classes (section 3.7).
const (
	scUniformConstant = 0
	scInput           = 1
	scUniform         = 2
	scOutput          = 3
	scWorkgroup       = 4
	scCrossWorkgroup  = 5
	scPrivate         = 6
	scFunction        = 7
	scGeneric         = 8
	scPushConstant    = 9
	scImage           = 11
	scStorageBuffer   = 12
	scPhysicalStorage = 5349
)

// A typ is a type: how many slots a value of it takes, and how it lies in memory. Memory without a layout of
// its own is packed up to the alignment of scalars; kernels lay types out as OpenCL C does.
type typ struct {
	id      uint32
	kind    kind
	bits    uint
	signed  bool
	elem    *typ
	len     uint64
	stride  uint64
	members []member
	storage uint32
	size    uint64
	align   uint64
	slots   int  // scalars in a value; 0 for what cannot be one
	empty   bool // a struct that has none
	params  []*typ
	refusal string       // why values of the type cannot be had
	mini    *mini        // of a float that is not as IEEE 754 has it; nil otherwise
	image   *image       // of images, and of sampled images
	matrix  *cooperative // of a cooperative matrix, which is a vector of the components of an invocation
	tensor  *tensorType  // of a tensor layout or view, which is a vector of words
}

type member struct {
	typ          *typ
	offset       uint64
	matrixStride uint64
	rowMajor     bool
	slot         int // the first of its slots in those of the struct
}

// A layout is how a matrix, or arrays of such, lies in memory as a member of a struct: the stride is 0 where
// there is none of its own.
type layout struct {
	stride   uint64
	rowMajor bool
}

// A leaf is a scalar of a type in memory.
type leaf struct {
	offset uint64
	typ    *typ
}

// maxSlots is how many scalars a value may have, and maxAllSlots all values of a program together.
const (
	maxSlots    = 1 << 14
	maxAllSlots = 1 << 16
)

// scalar is the type of the components of scalars and vectors, otherwise nil.
func (t *typ) scalar() *typ {
	switch t.kind {
	case kVector:
		return t.elem
	case kBool, kInt, kFloat, kPointer:
		return t
	}
	return nil
}

// mask has the bits of a scalar of the type.
func (t *typ) mask() uint64 { return ^uint64(0) >> (64 - t.width()) }

// width is how many bits a slot of the scalar uses.
func (t *typ) width() uint {
	switch t.kind {
	case kBool:
		return 1
	case kPointer, kHandle:
		return 64
	}
	return t.bits
}

// leaves lists the scalars of a type in memory, in the order of slots.
func (t *typ) leaves(l layout) []leaf { return t.appendLeaves(nil, 0, l) }

func (t *typ) appendLeaves(to []leaf, at uint64, l layout) []leaf {
	switch t.kind {
	case kVector:
		for i := range t.len {
			to = append(to, leaf{at + i*t.stride, t.elem})
		}
	case kMatrix:
		for c := range t.len {
			for r := range t.elem.len {
				to = append(to, leaf{at + t.matrixOffset(c, r, l), t.elem.elem})
			}
		}
	case kArray:
		for i := range t.len {
			to = t.elem.appendLeaves(to, at+i*t.stride, l)
		}
	case kStruct:
		for _, m := range t.members {
			to = m.typ.appendLeaves(to, at+m.offset, layout{m.matrixStride, m.rowMajor})
		}
	default:
		to = append(to, leaf{at, t})
	}
	return to
}

// matrixOffset is where row r of column c lies.
func (t *typ) matrixOffset(c, r uint64, l layout) uint64 {
	scalar := t.elem.elem.size
	switch {
	case l.stride == 0:
		return c*t.stride + r*scalar
	case l.rowMajor:
		return r*l.stride + c*scalar
	}
	return c*l.stride + r*scalar
}

// typeWants has the least number of operands of type declarations.
var typeWants = map[uint16]int{opTypeInt: 2, opTypeFloat: 1, opTypeVector: 2, opTypeMatrix: 2, opTypeArray: 2,
	opTypeRuntimeArray: 1, opTypePointer: 2, opTypeFunction: 1,
	opTypeCooperativeMatrixKHR: 5, opTypeImage: 7, opTypeSampledImage: 1, opTypeTensorLayoutNV: 2,
	opTypeTensorViewNV: 3}

func (p *Program) readType(in *raw) error {
	if len(in.args) < typeWants[in.op] {
		return p.errorf(in.word, "type %%%d has %d operands, %d are needed", in.res, len(in.args),
			typeWants[in.op])
	}
	t := &typ{id: in.res, align: 1}
	var err error
	switch in.op {
	case opTypeForwardPointer: // structs may have members of the type before it is declared
		p.readForward(in)
		return nil
	case opTypeVoid:
		t.kind = kVoid
	case opTypeBool:
		t.kind, t.size, t.align, t.slots = kBool, 4, 4, 1
		if p.kernel {
			t.size, t.align = 1, 1
		}
	case opTypeInt, opTypeFloat:
		err = p.readNumber(in, t)
	case opTypeVector, opTypeMatrix:
		err = p.readVector(in, t)
	case opTypeArray, opTypeRuntimeArray:
		err = p.readArray(in, t)
	case opTypeStruct:
		err = p.readStruct(in, t)
	case opTypeEvent: // copies are made at once, so that an event says nothing
		t.kind, t.bits, t.size, t.align, t.slots = kInt, 64, 8, 8, 1
	case opTypePointer:
		t.kind, t.storage, t.size, t.align, t.slots = kPointer, in.args[0], 8, 8, 1
		t.stride = uint64(p.decoration(t.id, decArrayStride))
		p.pointees = append(p.pointees, in)
	case opTypeImage, opTypeSampler, opTypeSampledImage:
		err = p.readImage(in, t)
	case opTypeCooperativeMatrixKHR:
		err = p.readCooperative(in, t)
	case opTypeTensorLayoutNV, opTypeTensorViewNV:
		err = p.readTensor(in, t)
	case opTypeFunction:
		t.kind, t.elem = kFunction, p.types[in.args[0]]
		for _, a := range in.args[1:] {
			t.params = append(t.params, p.types[a])
		}
	default:
		t.kind, t.refusal = kOpaque, p.refusal(in)
	}
	if err != nil {
		return err
	}
	if t.size > 1<<40 {
		return p.errorf(in.word, "type %%%d is larger than 2^40 bytes", t.id)
	}
	if old := p.types[t.id]; old != nil && t.kind == kPointer {
		*old = *t
	} else {
		p.types[t.id] = t
	}
	return nil
}

// readForward makes a pointer whose type is declared later.
func (p *Program) readForward(in *raw) {
	if len(in.args) > 1 && p.types[in.args[0]] == nil {
		p.types[in.args[0]] = &typ{id: in.args[0], kind: kPointer, storage: in.args[1], size: 8, align: 8,
			slots: 1}
	}
}

// refusal says why there are no values of a type.
func (p *Program) refusal(in *raw) string {
	row := opTable()[in.op]
	if row.needs == "" {
		return fmt.Sprintf("there are no values of type %%%d (Op%s)", in.res, row.name)
	}
	return fmt.Sprintf("Op%s needs %s, which the machine does not have", row.name, p.need(row.needs))
}

// readNumber reads a type of integers or of floats.
func (p *Program) readNumber(in *raw, t *typ) error {
	t.kind, t.bits, t.slots = kInt, uint(in.args[0]), 1
	if in.op == opTypeFloat {
		t.kind = kFloat
		if len(in.args) > 1 {
			p.readEncoding(t, in.args[1])
		}
	} else {
		t.signed = in.args[1] != 0
	}
	if b := t.bits; b != 16 && b != 32 && b != 64 && (b != 8 || t.kind == kFloat && len(in.args) < 2) {
		return p.errorf(in.word, "scalar type %%%d of %d bits", t.id, b)
	}
	t.size = uint64(t.bits / 8)
	t.align = t.size
	return nil
}

// readEncoding reads how a float is encoded, if it is not as IEEE 754 has it.
func (p *Program) readEncoding(t *typ, encoding uint32) {
	if m := minis[encoding]; m != nil && m.Width == t.bits {
		t.mini = m
		return
	}
	t.refuse("a float of %d bits of encoding %d: bfloat16 (0) and, of 8 bits, E4M3 (4214) and E5M2 (4215) "+
		"are simulated",
		t.bits, encoding)
}

// refuse says why values of the type cannot be had.
func (t *typ) refuse(format string, args ...any) {
	t.refusal, t.slots = fmt.Sprintf(format, args...), 0
}

func (p *Program) element(in *raw, id uint32) (*typ, error) {
	e := p.types[id]
	if e == nil || e.kind == kVoid || e.kind == kFunction {
		return nil, p.errorf(in.word, "type %%%d is made of %%%d, which is no type of values", in.res, id)
	}
	return e, nil
}

func (p *Program) readVector(in *raw, t *typ) error {
	e, err := p.element(in, in.args[0])
	if err != nil {
		return err
	}
	t.kind, t.elem, t.len = kVector, e, uint64(in.args[1])
	ok := e.scalar() == e && t.len >= 2 && t.len <= 16
	if in.op == opTypeMatrix {
		t.kind = kMatrix
		ok = e.kind == kVector && t.len >= 2 && t.len <= 4
	}
	if !ok {
		return p.errorf(in.word, "vector or matrix type %%%d of %d times %%%d", t.id, t.len, e.id)
	}
	t.slots, t.stride, t.size, t.align = int(t.len)*e.slots, e.size, t.len*e.size, e.align
	if p.kernel {
		n := t.len
		if n == 3 {
			n = 4 // OpenCL C, section 6.1.5
		}
		t.size = n * e.size
		t.align = t.size
	}
	return nil
}

func (p *Program) readArray(in *raw, t *typ) error {
	e, err := p.element(in, in.args[0])
	if err != nil {
		return err
	}
	t.kind, t.elem, t.align, t.refusal = kRuntimeArray, e, e.align, e.refusal
	t.stride = uint64(p.decoration(t.id, decArrayStride))
	if t.stride == 0 {
		t.stride = (e.size + e.align - 1) / e.align * e.align
	}
	if in.op == opTypeRuntimeArray {
		return nil
	}
	n, ok := p.constantUint(in.args[1])
	if !ok || n == 0 || n > 1<<40 || t.stride > 1<<40/n {
		return p.errorf(in.word, "array type %%%d: its length %%%d is no constant, 0, or too large", t.id,
			in.args[1])
	}
	t.kind, t.len, t.size = kArray, n, n*t.stride
	if n <= maxSlots && uint64(e.slots)*n <= maxSlots {
		t.slots = int(n) * e.slots
	}
	return nil
}

// unsized reports whether a type is an array without a length, of what must have a place: not of blocks or
// handles, which are bound.
func (t *typ) unsized() bool {
	return t.kind == kRuntimeArray && t.elem.kind != kStruct && !t.handles()
}

func (p *Program) readStruct(in *raw, t *typ) error {
	t.kind = kStruct
	packed := p.hasDecoration(t.id, decCPacked)
	var end uint64
	whole := true
	for i, id := range in.args {
		e, err := p.element(in, id)
		if err != nil {
			return err
		}
		m := member{typ: e, slot: t.slots}
		align := e.align
		if packed {
			align = 1
		}
		m.offset = (end + align - 1) / align * align
		for _, d := range p.memberDecs[memberKey{t.id, uint32(i)}] {
			switch d.kind {
			case decOffset:
				m.offset = uint64(d.arg())
			case decMatrixStride:
				m.matrixStride = uint64(d.arg())
			case decRowMajor:
				m.rowMajor = true
			}
		}
		end = max(end, m.offset+e.sizeIn(layout{m.matrixStride, m.rowMajor}))
		t.align = max(t.align, align)
		whole = whole && (e.slots > 0 || e.empty)
		t.slots += e.slots
		if t.refusal == "" {
			t.refusal = e.refusal
		}
		t.members = append(t.members, m)
	}
	t.empty = whole && t.slots == 0
	if !whole || t.slots > maxSlots {
		t.slots = 0
	}
	t.size = (end + t.align - 1) / t.align * t.align
	return nil
}

// sizeIn is the size of the type as a member with a layout.
func (t *typ) sizeIn(l layout) uint64 {
	if l.stride == 0 {
		return t.size
	}
	switch t.kind {
	case kMatrix:
		if l.rowMajor {
			return l.stride * t.elem.len
		}
		return l.stride * t.len
	case kArray:
		return max(t.size, (t.len-1)*t.stride+t.elem.sizeIn(l))
	}
	return t.size
}
