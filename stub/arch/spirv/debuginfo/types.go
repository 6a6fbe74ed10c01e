package debuginfo

import (
	"encoding/binary"
	"fmt"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/loader/spirv"
)

// A layout is how a matrix, or an array of such, lies in memory as a member, and how many bytes an element
// of an
// array takes that are more than its own: gdb 13 is wrong about strides but of scalars.
type layout struct {
	stride   uint64
	rowMajor bool
	pad      uint64
}

// A typeKey tells types apart that one debug type can be: with and without the offsets of a buffer, at the
// end of
// which an array has a length of its own.
type typeKey struct {
	debug  uint32
	spirv  *spirv.Type
	layout layout
	length int // which buffer's array ends it, plus 1; below 0 those of which table, -1 the first
}

const maxTypeNesting = 64

// typeDIE is the entry of a debug type for objects of a SPIR-V type, which may be nil, or of a SPIR-V type
// alone
// if the debug type is not there.
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
// but
// for OpenCL C, whose are right.
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

// inner is the element type and the layout of what a type is an array of.
func inner(s *spirv.Type) *spirv.Type {
	if s == nil {
		return nil
	}
	return s.Elem
}

// array makes an array with a dimension for each count. A count of 0 is that of a buffer's end.
func (t *translator) array(k typeKey, base uint32, counts []uint32) *dwarf.DIE {
	die := t.keep(k, t.root, dwarf.NewDIE(dwarf.TagArrayType))
	s := k.spirv
	if s != nil {
		padded(k, die, s.Size)
	}
	l := layout{stride: k.layout.stride, rowMajor: k.layout.rowMajor}
	counts = counts[:min(len(counts), dimensions(s, len(counts)))]
	for i, c := range counts {
		if s != nil && s.Kind != spirv.Array && s.Kind != spirv.RuntimeArray {
			s = nil
		}
		sub := dwarf.NewDIE(dwarf.TagSubrangeType)
		n, known := t.m.Uint(c)
		if s != nil && s.Kind == spirv.Array {
			n, known = s.Len, true
		}
		special := slices.Index(t.special, c)
		switch {
		case special >= 0 && special < MaxLengths:
			sub.Set(lengthAttr(MaxLengths + special))
		case known && n > 0:
			sub.Set(dwarf.UintAttr(dwarf.AttrCount, n))
		case k.length > 0:
			sub.Set(lengthAttr(k.length - 1))
		case k.length < 0:
			sub.Set(t.tables[-1-k.length].tailAttr())
		}
		if s != nil && s.Elem != nil && s.Stride != spirv.SizeIn(s.Elem, l.stride, l.rowMajor) {
			switch {
			case i == len(counts)-1 && s.Elem.Kind > spirv.Float:
				l.pad = s.Stride
			case len(counts) == 1:
				die.Set(dwarf.UintAttr(dwarf.AttrByteStride, s.Stride))
			default:
				sub.Set(dwarf.UintAttr(dwarf.AttrByteStride, s.Stride))
			}
		}
		die.Add(sub)
		s = inner(s)
	}
	return t.typed(die, t.typeOf(base, s, l, 0))
}

// dimensions is how many of n counts a type has: llvm-spirv writes lower bounds behind them.
func dimensions(s *spirv.Type, n int) int {
	d := 0
	for ; s != nil && (s.Kind == spirv.Array || s.Kind == spirv.RuntimeArray); s = s.Elem {
		d++
	}
	if d == 0 {
		return n
	}
	return d
}

// SpecialisedCounts are the constants that lengths of arrays are, as far as they depend on specialisation:
// launches
// put their values behind those of the buffers' arrays, from LengthsBase + 8*MaxLengths on.
func SpecialisedCounts(m *spirv.Module) []uint32 {
	var out []uint32
	for i := range m.Insts {
		in := &m.Insts[i]
		if in.Op != spirv.OpTypeArray || len(in.Args) < 2 || slices.Contains(out, in.Args[1]) {
			continue
		}
		if c := m.Constants[in.Args[1]]; c != nil && (c.Spec || c.Op == spirv.OpSpecConstantOp) {
			out = append(out, in.Args[1])
		}
	}
	return out
}

// lengthAttr reads the length of the array at the end of a buffer where the launch puts it.
func lengthAttr(variable int) dwarf.Attr {
	e := binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, LengthsBase+8*uint64(variable))
	return dwarf.ExprAttr(dwarf.AttrCount, append(e, expr.OpDeref))
}

// vector makes a vector as gdb knows them in C.
func (t *translator) vector(k typeKey, base uint32, n uint64) *dwarf.DIE {
	s := k.spirv
	if s != nil && s.Kind != spirv.Vector {
		s = nil
	}
	if s != nil {
		n = s.Len
	}
	die := t.keep(k, t.root, dwarf.NewDIE(dwarf.TagArrayType, dwarf.FlagAttr(dwarf.AttrGNUVector)))
	die.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, n)))
	if s != nil && s.Size != n*s.Elem.Size {
		die.Set(dwarf.UintAttr(dwarf.AttrByteSize, s.Size))
	}
	if s != nil {
		padded(k, die, s.Size)
	}
	return t.typed(die, t.typeDIE(base, inner(s), layout{}))
}

// matrix makes an array of columns. gdb 13 cannot read one by strides whose columns are not together: a
// row-major matrix in memory is an array of rows.
func (t *translator) matrix(k typeKey, vector uint32) *dwarf.DIE {
	s := k.spirv
	die := t.keep(k, t.root, dwarf.NewDIE(dwarf.TagArrayType))
	if s == nil || s.Kind != spirv.Matrix {
		return t.typed(die, t.typeDIE(vector, nil, layout{}))
	}
	padded(k, die, spirv.SizeIn(s, k.layout.stride, k.layout.rowMajor))
	column, n, stride := s.Elem, s.Len, s.Elem.Size
	if k.layout.stride != 0 {
		stride = k.layout.stride
	}
	if k.layout.rowMajor && k.layout.stride != 0 {
		row := *column
		row.Len, row.Size, n = s.Len, s.Len*column.Elem.Size, column.Len
		column = t.shared(&row)
	}
	die.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, n)))
	t.typed(die, t.typeDIE(vector, column, layout{pad: stride}))
	if !k.layout.rowMajor || k.layout.stride == 0 {
		return die
	}
	// The name says what gdb cannot: the first index is the row.
	name := fmt.Sprintf("row_major %smat%dx%d", map[uint64]string{8: "d", 2: "f16"}[column.Elem.Size], s.Len, n)
	return t.keep(k, t.root, t.typed(dwarf.NewDIE(dwarf.TagTypedef, dwarf.StringAttr(dwarf.AttrName, name)), die))
}

// shared gives one type for all that are the same vector.
func (t *translator) shared(s *spirv.Type) *spirv.Type {
	for k := range t.types {
		if k.spirv != nil && k.spirv.Kind == spirv.Vector && k.spirv.Len == s.Len && k.spirv.Elem == s.Elem {
			return k.spirv
		}
	}
	return s
}

var compositeTags = [...]dwarf.Tag{dwarf.TagClassType, dwarf.TagStructureType, dwarf.TagUnionType}

// composite makes a struct, class or union.
func (t *translator) composite(k typeKey, d *dinst) *dwarf.DIE {
	s := k.spirv
	if s != nil && s.Kind != spirv.Struct {
		s = nil
	}
	die := dwarf.NewDIE(compositeTags[min(t.num(d, 1), 2)])
	scope := t.root
	if d.arg(5) != d.id {
		scope = t.scopeDIE(d.arg(5))
	}
	t.keep(k, scope, die)
	name := t.str(d, 0)
	if name == "" && s != nil {
		name = t.m.Names[s.ID]
	}
	if name != "" {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
	}
	t.place(die, d.arg(2), t.num(d, 3))
	members := d.args[min(9, len(d.args)):]
	size := t.num(d, 7) / 8
	if s != nil {
		size = s.Size
	}
	if len(members) == 0 && t.get(d.arg(7), dNone) != nil && s == nil {
		die.Set(dwarf.FlagAttr(dwarf.AttrDeclaration))
		return die
	}
	die.Set(dwarf.UintAttr(dwarf.AttrByteSize, max(size, k.layout.pad)))
	next := 0
	for _, id := range members {
		t.member(die, s, t.debug[id], &next, k.length)
	}
	for s != nil && next < len(s.Members) && len(members) == 0 {
		t.dataMember(die, s, nil, next, k.length)
		next++
	}
	t.templateParameters(die, d.id)
	return die
}

// member adds one of a composite: data, a base class or a function.
func (t *translator) member(die *dwarf.DIE, s *spirv.Type, d *dinst, next *int, length int) {
	const static = 1 << 9
	switch {
	case d == nil:
		*next++
	case d.number == dTypeInheritance:
		*next += t.inheritance(die, s, d, *next)
	case d.number == dFunction || d.number == dFunctionDeclaration:
		if d.number == dFunctionDeclaration {
			t.declaration(d.id)
		}
	case d.number == dTypeMember && (t.memberFlags(d)&static != 0 || t.staticValue(d) != nil):
		t.staticMember(die, d)
	case d.number == dTypeMember:
		t.dataMember(die, s, d, *next, length)
		*next++
	}
}

// memberOperand is an operand of DebugTypeMember behind the column; OpenCL's has a parent before them.
func memberOperand(d *dinst, i int) int {
	if d.opencl {
		return i + 1
	}
	return i
}

func (t *translator) memberFlags(d *dinst) uint64 { return t.num(d, memberOperand(d, 7)) }

// staticValue is the constant that a static member has.
func (t *translator) staticValue(d *dinst) *spirv.Constant {
	return t.m.Constants[d.arg(memberOperand(d, 8))]
}

func accessibility(die *dwarf.DIE, flags uint64) {
	// Flags: 1 protected, 2 private, 3 public; DW_ACCESS: 1 public, 2 protected, 3 private.
	if a := [...]uint64{0, 2, 3, 1}[flags&3]; a != 0 {
		die.Set(dwarf.UintAttr(dwarf.AttrAccessibility, a))
	}
}

// dataMember adds a member; its name, offset and shape are those of the SPIR-V type where there is one.
func (t *translator) dataMember(die *dwarf.DIE, s *spirv.Type, d *dinst, index, length int) {
	m := dwarf.NewDIE(dwarf.TagMember)
	name, offset := "", uint64(0)
	var st *spirv.Type
	var l layout
	if d != nil {
		name, offset = t.str(d, 0), t.num(d, memberOperand(d, 5))/8
	}
	if s != nil && index < len(s.Members) {
		sm := &s.Members[index]
		st, offset, l = sm.Type, sm.Offset, layout{stride: sm.MatrixStride, rowMajor: sm.RowMajor}
		if sm.Name != "" {
			name = sm.Name
		}
		if index < len(s.Members)-1 {
			length = 0
		}
	} else if s != nil {
		return
	}
	if name == "" {
		name = fmt.Sprintf("m%d", index)
	}
	m.Set(dwarf.StringAttr(dwarf.AttrName, name))
	m.Set(dwarf.UintAttr(dwarf.AttrDataMemberLocation, offset))
	if d != nil {
		t.place(m, d.arg(2), t.num(d, 3))
		accessibility(m, t.memberFlags(d))
	}
	die.Add(t.typed(m, t.typeOf(d.arg(1), st, l, length)))
}

func (t *translator) staticMember(die *dwarf.DIE, d *dinst) {
	m := dwarf.NewDIE(dwarf.TagMember, dwarf.StringAttr(dwarf.AttrName, t.str(d, 0)),
		dwarf.FlagAttr(dwarf.AttrExternal),
		dwarf.FlagAttr(dwarf.AttrDeclaration))
	t.place(m, d.arg(2), t.num(d, 3))
	if c := t.staticValue(d); c != nil && c.Known {
		m.Set(constAttr(c))
	}
	t.members[d.id] = m
	die.Add(t.typed(m, t.typeDIE(d.arg(1), nil, layout{})))
}

// constAttr is a scalar constant as DW_AT_const_value.
func constAttr(c *spirv.Constant) dwarf.Attr {
	if c.Type.Kind == spirv.Float {
		b := binary.LittleEndian.AppendUint64(nil, c.Bits)
		return dwarf.BlockAttr(dwarf.AttrConstValue, b[:c.Type.Bits/8])
	}
	if c.Type.Signed && c.Type.Bits > 0 {
		shift := 64 - c.Type.Bits
		return dwarf.IntAttr(dwarf.AttrConstValue, int64(c.Bits<<shift)>>shift)
	}
	return dwarf.UintAttr(dwarf.AttrConstValue, c.Bits)
}

// inheritance adds a base class, and gives how many members of the SPIR-V struct are the base's: its own, or one
// that is the base. OpenCL's instruction, and what some validators want, has the derived class first.
func (t *translator) inheritance(die *dwarf.DIE, s *spirv.Type, d *dinst, next int) int {
	i := 0
	if len(d.args) > 4 {
		i = 1
	}
	offset, used := t.num(d, i+1)/8, 0
	var base *spirv.Type
	if s != nil && next < len(s.Members) {
		offset, used = s.Members[next].Offset, t.dataMembers(d.arg(i), 0)
		if b := &s.Members[next]; b.Type.Kind == spirv.Struct && len(b.Type.Members) == used {
			base, used = b.Type, 1
		}
	}
	m := dwarf.NewDIE(dwarf.TagInheritance, dwarf.UintAttr(dwarf.AttrDataMemberLocation, offset))
	accessibility(m, t.num(d, i+3))
	die.Add(t.typed(m, t.typeDIE(d.arg(i), base, layout{})))
	return used
}

// dataMembers is how many data members a composite has, with those of its base classes.
func (t *translator) dataMembers(id uint32, depth int) int {
	d := t.get(id, dTypeComposite)
	if d == nil || depth > maxTypeNesting {
		return 0
	}
	n := 0
	for _, m := range d.args[min(9, len(d.args)):] {
		switch e := t.debug[m]; {
		case e == nil:
		case e.number == dTypeInheritance:
			base := 0
			if len(e.args) > 4 {
				base = 1
			}
			n += t.dataMembers(e.arg(base), depth+1)
		case e.number == dTypeMember && t.staticValue(e) == nil:
			n++
		}
	}
	return n
}

func (t *translator) enumeration(k typeKey, d *dinst) *dwarf.DIE {
	die := t.keep(k, t.scopeDIE(d.arg(5)), dwarf.NewDIE(dwarf.TagEnumerationType,
		dwarf.UintAttr(dwarf.AttrByteSize, max(t.num(d, 6)/8, 1))))
	if name := t.str(d, 0); name != "" {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
	}
	t.place(die, d.arg(2), t.num(d, 3))
	const enumClass = 1 << 14
	if t.num(d, 7)&enumClass != 0 {
		die.Set(dwarf.FlagAttr(dwarf.AttrEnumClass))
	}
	for i := 8; i+1 < len(d.args); i += 2 {
		v, _ := t.m.Int(d.args[i])
		die.Add(dwarf.NewDIE(dwarf.TagEnumerator, dwarf.StringAttr(dwarf.AttrName, t.str(d, i+1)),
			dwarf.IntAttr(dwarf.AttrConstValue, v)))
	}
	return t.typed(die, t.typeDIE(d.arg(1), nil, layout{}))
}

// templateParameters adds those of an instance.
func (t *translator) templateParameters(die *dwarf.DIE, target uint32) {
	for _, id := range t.templates[target] {
		t.templateParameter(die, t.debug[id], 0)
	}
}

func (t *translator) templateParameter(die *dwarf.DIE, d *dinst, depth int) {
	if d == nil || depth > maxTypeNesting {
		return
	}
	name := dwarf.StringAttr(dwarf.AttrName, t.str(d, 0))
	switch d.number {
	case dTemplateParameter:
		p := dwarf.NewDIE(dwarf.TagTemplateTypeParameter, name)
		if c := t.m.Constants[d.arg(2)]; c != nil && c.Known {
			p.Tag = dwarf.TagTemplateValueParameter
			p.Set(constAttr(c))
		}
		die.Add(t.typed(p, t.typeDIE(d.arg(1), nil, layout{})))
	case dTemplateTemplate:
		die.Add(dwarf.NewDIE(dwarf.TagGNUTemplateTemplateParam, name))
	case dTemplatePack:
		p := dwarf.NewDIE(dwarf.TagGNUTemplateParameterPack, name)
		die.Add(p)
		for _, id := range d.args[min(4, len(d.args)):] {
			t.templateParameter(p, t.debug[id], depth+1)
		}
	}
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

// synth makes a SPIR-V type of a debug type for objects that no SPIR-V type describes, laid out as the
// machine
// lays out memory of its own; nil where it cannot be known.
func (t *translator) synth(id uint32) *spirv.Type {
	if s, ok := t.synths[id]; ok {
		return s
	}
	t.synths[id] = nil // against types that contain themselves
	s := t.makeSynth(t.debug[id])
	t.synths[id] = s
	return s
}

func (t *translator) makeSynth(d *dinst) *spirv.Type {
	if d == nil || t.depth > maxTypeNesting {
		return nil
	}
	t.depth++
	defer func() { t.depth-- }()
	switch d.number {
	case dTypeBasic:
		size := t.num(d, 1) / 8
		kind := map[uint64]spirv.Kind{2: spirv.Bool, 3: spirv.Float}[t.num(d, 2)]
		if kind == spirv.Void {
			kind = spirv.Int
		}
		if size != 1 && size != 2 && size != 4 && size != 8 {
			return nil
		}
		return &spirv.Type{Kind: kind, Bits: int(8 * size), Size: size, Align: size}
	case dTypedef:
		return t.synth(d.arg(1))
	case dTypeQualifier:
		return t.synth(d.arg(0))
	case dTypePointer:
		return &spirv.Type{Kind: spirv.Pointer, Size: 8, Align: 8, Storage: spirv.StorageClass(t.num(d, 1))}
	case dTypeVector:
		return repeated(spirv.Vector, t.synth(d.arg(0)), t.num(d, 1), 16)
	case dTypeMatrix:
		return repeated(spirv.Matrix, t.synth(d.arg(0)), t.num(d, 1), 4)
	case dTypeComposite:
		return t.synthStruct(d)
	case dTypeArray:
		s := t.synth(d.arg(0))
		for i := len(d.args) - 1; i > 0; i-- {
			n, _ := t.m.Uint(d.args[i])
			s = repeated(spirv.Array, s, n, 1<<20)
		}
		return s
	}
	return nil
}

// synthStruct makes a struct of a composite: with its own offsets if it has any, else as the machine lays
// it out.
// The names of members are those of the SPIR-V struct of the same name.
func (t *translator) synthStruct(d *dinst) *spirv.Type {
	s := &spirv.Type{Kind: spirv.Struct, Align: 1}
	names := t.structNamed(t.str(d, 0))
	var end uint64
	own := false
	for _, id := range d.args[min(9, len(d.args)):] {
		m := t.get(id, dTypeMember)
		if m == nil {
			return nil // functions and base classes: what the composite says itself has to do
		}
		e := t.synth(m.arg(1))
		if e == nil || t.staticValue(m) != nil {
			return nil
		}
		sm := spirv.StructMember{Type: e, Name: t.str(m, 0), Offset: (end + e.Align - 1) / e.Align * e.Align}
		if off := t.num(m, memberOperand(m, 5)) / 8; off > 0 {
			own = true
			sm.Offset = off
		}
		if names != nil && len(names.Members) == len(d.args)-9 && names.Members[len(s.Members)].Name != "" {
			sm.Name = names.Members[len(s.Members)].Name
		}
		end = max(end, sm.Offset+e.Size)
		s.Align = max(s.Align, e.Align)
		s.Members = append(s.Members, sm)
	}
	if s.Size = (end + s.Align - 1) / s.Align * s.Align; own {
		s.Size = max(end, t.num(d, 7)/8)
	}
	if len(s.Members) == 0 {
		return nil
	}
	return s
}

// structNamed is the first struct type with a name in the module, or nil.
func (t *translator) structNamed(name string) *spirv.Type {
	for i := range t.m.Insts {
		in := &t.m.Insts[i]
		if in.Op == spirv.OpTypeStruct && name != "" && t.m.Names[in.Result] == name {
			return t.m.Types[in.Result]
		}
	}
	return nil
}

func repeated(kind spirv.Kind, e *spirv.Type, n, most uint64) *spirv.Type {
	if e == nil || n == 0 || n > most {
		return nil
	}
	return &spirv.Type{Kind: kind, Elem: e, Len: n, Stride: e.Size, Size: n * e.Size, Align: e.Align}
}
