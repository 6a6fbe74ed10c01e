package debuginfo

import (
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/loader/spirv"
)

// A layout is how a matrix, or an array of such, lies in memory as a member, and how many bytes an element
// of an array takes that are more than its own: gdb 13 is wrong about strides but of scalars.
type layout struct {
	stride   uint64
	rowMajor bool
	pad      uint64
	column   bool // a vector is a matrix's
}

// layoutOf is how a structure's member lies.
func layoutOf(m *spirv.StructMember) layout {
	return layout{stride: m.MatrixStride, rowMajor: m.RowMajor}
}

// A typeKey tells types apart that one debug type can be: with and without the offsets of a buffer, at the
// end of which an array has a length of its own.
type typeKey struct {
	debug  uint32
	spirv  *spirv.Type
	layout layout
	length int // which buffer's array ends it, plus 1; below 0 those of which table, -1 the first
}

const maxTypeNesting = 64

// typeDIE is the entry of a debug type for objects of a SPIR-V type, which may be nil, or of a SPIR-V type
// alone if the debug type is not there.
func (t *translator) typeDIE(id uint32, s *spirv.Type, l layout) *dwarf.DIE {
	return t.typeOf(id, s, l, 0)
}

func (t *translator) typeOf(id uint32, s *spirv.Type, l layout, length int) *dwarf.DIE {
	if t.depth > maxTypeNesting {
		return nil
	}
	t.depth++
	defer func() { t.depth-- }()
	d := t.debug[id]
	if d != nil && !isType(d.number) {
		d = nil
	}
	if d == nil {
		id = 0
		if s == nil || s.Kind == spirv.Void {
			return nil
		}
	} else if s == nil {
		s = t.synth(id)
	}
	k := typeKey{id, s, l, length}
	if die, ok := t.types[k]; ok {
		return die
	}
	if d == nil {
		return t.plain(k)
	}
	return t.described(k, d)
}

// padded makes an entry of a type as large as what lies between elements.
func padded(k typeKey, die *dwarf.DIE, size uint64) {
	if k.layout.pad > size {
		die.Set(dwarf.UintAttr(dwarf.AttrByteSize, k.layout.pad))
	}
}

// keep adds an entry of a type to the unit, before what it is made of, which may lead back to it.
func (t *translator) keep(k typeKey, scope *dwarf.DIE, die *dwarf.DIE) *dwarf.DIE {
	t.types[k] = die
	scope.Add(die)
	return die
}

func (t *translator) described(k typeKey, d *dinst) *dwarf.DIE {
	s := k.spirv
	switch d.number {
	case dTypeBasic:
		return t.basic(k, d)
	case dTypePointer:
		return t.pointer(k, d.arg(0), t.num(d, 2))
	case dTypeQualifier:
		tags := [...]dwarf.Tag{dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType,
			dwarf.TagAtomicType}
		die := t.keep(k, t.root, dwarf.NewDIE(tags[min(t.num(d, 1), 3)]))
		return t.typed(die, t.typeOf(d.arg(0), s, k.layout, k.length))
	case dTypedef:
		die := t.keep(k, t.scopeDIE(d.arg(5)),
			dwarf.NewDIE(dwarf.TagTypedef, dwarf.StringAttr(dwarf.AttrName, t.str(d, 0))))
		t.place(die, d.arg(2), t.num(d, 3))
		return t.typed(die, t.typeOf(d.arg(1), s, k.layout, k.length))
	case dTypeArray:
		return t.array(k, d.arg(0), d.args[min(1, len(d.args)):])
	case dTypeVector:
		return t.vector(k, d.arg(0), t.num(d, 1))
	case dTypeMatrix:
		return t.matrix(k, d.arg(0))
	case dTypeComposite:
		return t.composite(k, d)
	case dTypeEnum:
		return t.enumeration(k, d)
	case dTypeFunction:
		die := t.keep(k, t.root, dwarf.NewDIE(dwarf.TagSubroutineType, dwarf.FlagAttr(dwarf.AttrPrototyped)))
		t.typed(die, t.typeDIE(d.arg(1), nil, layout{}))
		for _, p := range d.args[min(2, len(d.args)):] {
			die.Add(t.typed(dwarf.NewDIE(dwarf.TagFormalParameter), t.typeDIE(p, nil, layout{})))
		}
		return die
	case dTypePtrToMember:
		die := t.keep(k, t.root, dwarf.NewDIE(dwarf.TagPtrToMemberType))
		if c := t.typeDIE(d.arg(1), nil, layout{}); c != nil {
			die.Set(dwarf.RefAttr(dwarf.AttrContainingType, c))
		}
		return t.typed(die, t.typeDIE(d.arg(0), nil, layout{}))
	case dTypeTemplate:
		return t.typeOf(d.arg(0), s, k.layout, k.length)
	}
	return nil
}

// typed gives an entry its type; none is void.
func (t *translator) typed(die, typ *dwarf.DIE) *dwarf.DIE {
	if typ != nil {
		die.Set(dwarf.RefAttr(dwarf.AttrType, typ))
	}
	return die
}

// Encodings of DebugTypeBasic.
var encodings = [...]uint64{0, dwarf.ATEAddress, dwarf.ATEBoolean, dwarf.ATEFloat, dwarf.ATESigned,
	dwarf.ATESignedChar, dwarf.ATEUnsigned, dwarf.ATEUnsignedChar}

// basic makes a base type. glslang calls integers of all widths "int": names are made of encoding and size,
// but for OpenCL C, whose are right.
func (t *translator) basic(k typeKey, d *dinst) *dwarf.DIE {
	size, encoding := t.num(d, 1)/8, t.num(d, 2)
	if s := k.spirv; s != nil && s.Kind <= spirv.Float && s.Kind != spirv.Void {
		size = s.Size
	}
	if encoding >= uint64(len(encodings)) || encoding == 0 {
		encoding = 6
	}
	name := t.str(d, 0)
	if !d.opencl || name == "" {
		name = scalarName(encodings[encoding], size)
	}
	return t.keep(k, t.root, baseType(name, encodings[encoding], size))
}

func baseType(name string, encoding, size uint64) *dwarf.DIE {
	return dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, name),
		dwarf.UintAttr(dwarf.AttrEncoding, encoding), dwarf.UintAttr(dwarf.AttrByteSize, max(size, 1)))
}

// scalarName is the name of a scalar type in C or GLSL with explicit types.
func scalarName(encoding, size uint64) string {
	switch encoding {
	case dwarf.ATEBoolean:
		return "bool"
	case dwarf.ATEFloat:
		if name, ok := map[uint64]string{2: "float16_t", 4: "float", 8: "double"}[size]; ok {
			return name
		}
	case dwarf.ATESigned, dwarf.ATESignedChar:
		if size == 4 {
			return "int"
		}
		return fmt.Sprintf("int%d_t", 8*size)
	}
	if size == 4 {
		return "uint"
	}
	return fmt.Sprintf("uint%d_t", 8*size)
}

// pointer makes a pointer or a reference to a debug type.
func (t *translator) pointer(k typeKey, base uint32, flags uint64) *dwarf.DIE {
	tag := dwarf.TagPointerType
	switch {
	case flags&(1<<11) != 0:
		tag = dwarf.TagReferenceType
	case flags&(1<<12) != 0:
		tag = dwarf.TagRvalueReferenceType
	}
	die := t.keep(k, t.root, dwarf.NewDIE(tag, dwarf.UintAttr(dwarf.AttrByteSize, 8)))
	var elem *spirv.Type
	if k.spirv != nil && k.spirv.Kind == spirv.Pointer {
		elem = k.spirv.Elem
	}
	return t.typed(die, t.typeDIE(base, elem, layout{}))
}

// plain makes the entry of a SPIR-V type that no debug type describes.
func (t *translator) plain(k typeKey) *dwarf.DIE {
	s := k.spirv
	switch s.Kind {
	case spirv.Bool:
		return t.keep(k, t.root, baseType("bool", dwarf.ATEBoolean, s.Size))
	case spirv.Int, spirv.Float:
		encoding := uint64(dwarf.ATEUnsigned)
		if s.Kind == spirv.Float {
			encoding = dwarf.ATEFloat
		} else if s.Signed {
			encoding = dwarf.ATESigned
		}
		return t.keep(k, t.root, baseType(scalarName(encoding, s.Size), encoding, s.Size))
	case spirv.Vector:
		return t.vector(k, 0, s.Len)
	case spirv.Matrix:
		return t.matrix(k, 0)
	case spirv.Array, spirv.RuntimeArray:
		return t.array(k, 0, []uint32{s.LenID})
	case spirv.Pointer:
		return t.pointer(k, 0, 0)
	case spirv.Struct:
		return t.plainStruct(k)
	}
	return t.keep(k, t.root,
		dwarf.NewDIE(dwarf.TagUnspecifiedType, dwarf.StringAttr(dwarf.AttrName, idName(s.ID))))
}

func (t *translator) plainStruct(k typeKey) *dwarf.DIE {
	s := k.spirv
	die := t.keep(k, t.root,
		dwarf.NewDIE(dwarf.TagStructureType, dwarf.UintAttr(dwarf.AttrByteSize, max(s.Size, k.layout.pad))))
	if name := t.m.Names[s.ID]; name != "" {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
	}
	for i := range s.Members {
		t.dataMember(die, s, nil, i, k.length)
	}
	return die
}
