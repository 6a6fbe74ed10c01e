package spirv

import "strings"

// A Kind is what a type is.
type Kind uint8

// The kinds of types (section 3.42.6).
const (
	Void Kind = iota
	Bool
	Int
	Float
	Vector
	Matrix
	Array
	RuntimeArray
	Struct
	Pointer
	FunctionType
	Opaque // images, samplers, events and other things without a layout
)

// A StorageClass of memory (section 3.7).
type StorageClass uint32

// The storage classes that compute has.
const (
	UniformConstant       StorageClass = 0
	Input                 StorageClass = 1
	Uniform               StorageClass = 2
	Output                StorageClass = 3
	Workgroup             StorageClass = 4
	CrossWorkgroup        StorageClass = 5
	Private               StorageClass = 6
	FunctionStorage       StorageClass = 7
	Generic               StorageClass = 8
	PushConstant          StorageClass = 9
	StorageBuffer         StorageClass = 12
	PhysicalStorageBuffer StorageClass = 5349
)

// A Type is a type with its layout in memory, all in bytes. What has no layout of its own (Function and
// Private memory of shaders) is laid out without gaps but for the alignment of scalars; kernels' types as
// OpenCL C lays them out.
type Type struct {
	ID     uint32
	Kind   Kind
	Bits   int  // of Int and Float
	Signed bool // Int
	Elem   *Type
	Len    uint64 // Vector, Matrix (columns), Array
	LenID  uint32 // Array: the constant that has the length
	// Stride is what lies between elements: ArrayStride where it is decorated, else the element's size;
	// also for the pointers that have one.
	Stride  uint64
	Members []StructMember
	Storage StorageClass
	Params  []*Type // FunctionType; Elem is the result
	Size    uint64  // of runtime arrays: 0
	Align   uint64
	depth   int
}

// A StructMember is a member of a struct type.
type StructMember struct {
	Type         *Type
	Name         string
	Offset       uint64
	MatrixStride uint64 // 0 where the member is no matrix or has no layout of its own
	RowMajor     bool
}

const (
	maxTypeDepth = 64
	maxTypeSize  = 1 << 40
)

// wants has the least number of operands of type declarations.
var wants = map[Op]int{
	OpTypeInt: 2, OpTypeFloat: 1, OpTypeVector: 2, OpTypeMatrix: 2, OpTypeArray: 2, OpTypeRuntimeArray: 1,
	OpTypePointer: 2, OpTypeFunction: 1, OpTypeForwardPointer: 2,
}

func (m *Module) readType(in *Inst, index int) error {
	if len(in.Args) < wants[in.Op] {
		return errorAt(in.Word, "type %%%d has %d operands, %d are needed", in.Result, len(in.Args),
			wants[in.Op])
	}
	t := &Type{ID: in.Result, Size: 0, Align: 1}
	var err error
	switch in.Op {
	case OpTypeForwardPointer: // structs may have members of the type before it is declared
		if m.Types[in.Args[0]] == nil {
			m.Types[in.Args[0]] = &Type{ID: in.Args[0], Kind: Pointer, Storage: StorageClass(in.Args[1]),
				Size: 8, Align: 8}
		}
		return nil
	case OpTypeVoid:
	case OpTypeBool:
		t.Kind, t.Size, t.Align = Bool, 4, 4
		if m.Kernel() {
			t.Size, t.Align = 1, 1
		}
	case OpTypeInt, OpTypeFloat:
		err = m.readScalar(in, t)
	case OpTypeVector, OpTypeMatrix:
		err = m.readVector(in, t)
	case OpTypeArray, OpTypeRuntimeArray:
		err = m.readArray(in, t)
	case OpTypeStruct:
		err = m.readStruct(in, t)
	case OpTypePointer:
		if m.readPointer(in, t); t.Elem == nil {
			m.forward = append(m.forward, index)
		}
	case OpTypeFunction:
		err = m.readFunctionType(in, t)
	default:
		t.Kind = Opaque
	}
	if err != nil {
		return err
	}
	if t.depth > maxTypeDepth || t.Size > maxTypeSize {
		return errorAt(in.Word, "type %%%d is nested deeper than %d or larger than %d bytes",
			t.ID, maxTypeDepth, uint64(maxTypeSize))
	}
	if old := m.Types[t.ID]; old != nil && t.Kind == Pointer {
		*old = *t
	} else {
		m.Types[t.ID] = t
	}
	return nil
}

func (m *Module) readPointer(in *Inst, t *Type) {
	t.Kind, t.Storage, t.Size, t.Align = Pointer, StorageClass(in.Args[0]), 8, 8
	t.Stride = uint64(first(m.Decoration(t.ID, DecorationArrayStride)))
	if m.Addressing == 1 {
		t.Size, t.Align = 4, 4
	}
	t.Elem = m.Types[in.Args[1]]
}

func (m *Module) readFunctionType(in *Inst, t *Type) error {
	t.Kind = FunctionType
	if t.Elem = m.Types[in.Args[0]]; t.Elem == nil {
		return errorAt(in.Word, "result type %%%d of a function type is no type", in.Args[0])
	}
	for _, p := range in.Args[1:] {
		if m.Types[p] == nil {
			return errorAt(in.Word, "parameter type %%%d is no type", p)
		}
		t.Params = append(t.Params, m.Types[p])
	}
	return nil
}

func first(v uint32, ok bool) uint32 {
	if !ok {
		return 0
	}
	return v
}

func (m *Module) readScalar(in *Inst, t *Type) error {
	t.Kind, t.Bits = Float, int(in.Args[0])
	if in.Op == OpTypeInt {
		t.Kind, t.Signed = Int, in.Args[1] != 0
	}
	ok := t.Bits == 16 || t.Bits == 32 || t.Bits == 64 || t.Bits == 8 && t.Kind == Int
	if !ok {
		return errorAt(in.Word, "scalar type %%%d of %d bits", t.ID, t.Bits)
	}
	t.Size = uint64(t.Bits / 8)
	t.Align = t.Size
	return nil
}

// element is the type that another is made of; it must have a size.
func (m *Module) element(in *Inst, id uint32) (*Type, error) {
	e := m.Types[id]
	if e == nil || e.Kind == Void || e.Kind == FunctionType {
		return nil, errorAt(in.Word, "type %%%d is made of %%%d, which is no type of values", in.Result, id)
	}
	return e, nil
}

func (m *Module) readVector(in *Inst, t *Type) error {
	e, err := m.element(in, in.Args[0])
	if err != nil {
		return err
	}
	t.Kind, t.Elem, t.Len, t.depth = Vector, e, uint64(in.Args[1]), e.depth+1
	want, most := e.Kind <= Float, uint64(16)
	if in.Op == OpTypeMatrix {
		t.Kind, want, most = Matrix, e.Kind == Vector, 4
	}
	if !want || t.Len < 2 || t.Len > most {
		return errorAt(in.Word, "vector or matrix type %%%d of %d components %%%d", t.ID, t.Len, e.ID)
	}
	t.Stride, t.Size, t.Align = e.Size, t.Len*e.Size, e.Align
	if m.Kernel() { // OpenCL C, 6.1.5: vectors of 3 have the size and alignment of those of 4
		n := t.Len
		if n == 3 {
			n = 4
		}
		t.Size = n * e.Size
		t.Align = t.Size
	}
	return nil
}

func (m *Module) readArray(in *Inst, t *Type) error {
	e, err := m.element(in, in.Args[0])
	if err != nil {
		return err
	}
	t.Kind, t.Elem, t.Align, t.depth = RuntimeArray, e, e.Align, e.depth+1
	t.Stride = uint64(first(m.Decoration(t.ID, DecorationArrayStride)))
	if t.Stride == 0 {
		t.Stride = (e.Size + e.Align - 1) / e.Align * e.Align
	}
	if in.Op == OpTypeRuntimeArray {
		return nil
	}
	t.Kind, t.LenID = Array, in.Args[1]
	n, ok := m.Uint(t.LenID)
	if c := m.Constants[t.LenID]; !(ok && n > 0) && m.spec == nil && c != nil && c.Op >= OpSpecConstantTrue {
		n, ok = 1, true // a default that is not meant to be used: whoever launches it has constants
	}
	if given := m.specialised(t.LenID); ok && n == 0 && len(given) > 0 {
		return errorAt(in.Word, "length %%%d of array type %%%d is 0 by the specialisation constants %s: "+
			"the module wants others", t.LenID, t.ID, strings.Join(given, ", "))
	}
	if !ok || n == 0 {
		return errorAt(in.Word, "length %%%d of array type %%%d is no constant above 0", t.LenID, t.ID)
	}
	if n > maxTypeSize || t.Stride > maxTypeSize/n {
		return errorAt(in.Word, "array type %%%d of %d elements is larger than %d bytes", t.ID, n,
			uint64(maxTypeSize))
	}
	t.Len, t.Size = n, n*t.Stride
	return nil
}

func (m *Module) readStruct(in *Inst, t *Type) error {
	t.Kind = Struct
	_, packed := m.Decoration(t.ID, DecorationCPacked)
	if len(in.Args) > maxMemberIndex {
		return errorAt(in.Word, "struct type %%%d has %d members, at most %d are read", t.ID, len(in.Args),
			maxMemberIndex)
	}
	var end uint64
	for i, id := range in.Args {
		index := uint32(i)
		e, err := m.element(in, id)
		if err != nil {
			return err
		}
		mem := StructMember{Type: e, Name: m.MemberNames[Member{t.ID, index}]}
		align := e.Align
		if packed {
			align = 1
		}
		mem.Offset = (end + align - 1) / align * align
		if off, ok := m.MemberDecoration(t.ID, index, DecorationOffset); ok {
			mem.Offset = uint64(off)
		}
		mem.MatrixStride = uint64(first(m.MemberDecoration(t.ID, index, DecorationMatrixStride)))
		_, mem.RowMajor = m.MemberDecoration(t.ID, index, DecorationRowMajor)
		end = max(end, mem.Offset+mem.size())
		t.Align, t.depth = max(t.Align, align), max(t.depth, e.depth+1)
		t.Members = append(t.Members, mem)
	}
	t.Size = (end + t.Align - 1) / t.Align * t.Align
	return nil
}

// size is what the member takes: with a MatrixStride more than its type.
func (mem *StructMember) size() uint64 { return SizeIn(mem.Type, mem.MatrixStride, mem.RowMajor) }

// SizeIn is the size of a type that is a member with a matrix stride (0 for none).
func SizeIn(t *Type, matrixStride uint64, rowMajor bool) uint64 {
	if matrixStride == 0 {
		return t.Size
	}
	switch t.Kind {
	case Matrix:
		if rowMajor {
			return matrixStride * t.Elem.Len
		}
		return matrixStride * t.Len
	case Array:
		return max(t.Size, (t.Len-1)*t.Stride+SizeIn(t.Elem, matrixStride, rowMajor))
	}
	return t.Size
}

// completePointers resolves pointers to types that come later.
func (m *Module) completePointers() error {
	for _, i := range m.forward {
		in := &m.Insts[i]
		t := m.Types[in.Result]
		if t.Elem = m.Types[in.Args[1]]; t.Elem == nil {
			return errorAt(in.Word, "pointer type %%%d points to %%%d, which is no type", t.ID, in.Args[1])
		}
	}
	m.forward = nil
	return nil
}
