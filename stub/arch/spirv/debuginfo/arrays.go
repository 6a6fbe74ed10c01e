package debuginfo

import (
	"encoding/binary"
	"fmt"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/loader/spirv"
)

// Arrays, vectors and matrices, with the lengths that only a launch knows.

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
	counts = counts[:min(len(counts), dimensions(s, t.counted(counts)))]
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

// counted is how many of an array's counts are dimensions: behind them llvm-spirv writes a lower bound of
// each, DebugInfoNone where it is the language's.
func (t *translator) counted(counts []uint32) int {
	n := len(counts) / 2
	for _, c := range counts[n:] {
		if _, known := t.m.Uint(c); known || len(counts)%2 != 0 || slices.Contains(t.special, c) {
			return len(counts)
		}
	}
	return n
}

// SpecialisedCounts are the constants that lengths of arrays are, as far as they depend on specialisation:
// launches put their values behind those of the buffers' arrays, from LengthsBase + 8*MaxLengths on.
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

// vector makes a structure of x, y, z and w, as vectors read in the source; the columns of a matrix, which
// are counted, are arrays.
func (t *translator) vector(k typeKey, base uint32, n uint64) *dwarf.DIE {
	s := k.spirv
	if s != nil && s.Kind != spirv.Vector {
		s = nil
	}
	if s != nil {
		n = s.Len
	}
	if names := componentNames(n); names != nil && s != nil && !k.layout.column {
		return t.components(k, base, names)
	}
	die := t.keep(k, t.root, dwarf.NewDIE(dwarf.TagArrayType))
	die.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, n)))
	if s != nil && s.Size != n*s.Elem.Size {
		die.Set(dwarf.UintAttr(dwarf.AttrByteSize, s.Size))
	}
	if s != nil {
		padded(k, die, s.Size)
	}
	return t.typed(die, t.typeDIE(base, inner(s), layout{}))
}

// componentNames are those of a vector, as OpenCL C has them for more than four; nil for what is no vector.
func componentNames(n uint64) []string {
	var names []string
	for i := range n {
		switch {
		case n > 16:
			return nil
		case n <= 4:
			names = append(names, "xyzw"[i:i+1])
		default:
			names = append(names, fmt.Sprintf("s%x", i))
		}
	}
	return names
}

// components makes a vector as a structure.
func (t *translator) components(k typeKey, base uint32, names []string) *dwarf.DIE {
	s := k.spirv
	element := t.typeDIE(base, s.Elem, layout{})
	name := "vector"
	if element != nil {
		name = t.vectorName(element.Name(), len(names))
	}
	die := t.keep(k, t.root, dwarf.NewDIE(dwarf.TagStructureType, dwarf.StringAttr(dwarf.AttrName, name),
		dwarf.UintAttr(dwarf.AttrByteSize, s.Size)))
	padded(k, die, s.Size)
	for i, c := range names {
		m := dwarf.NewDIE(dwarf.TagMember, dwarf.StringAttr(dwarf.AttrName, c),
			dwarf.UintAttr(dwarf.AttrDataMemberLocation, uint64(i)*s.Elem.Size))
		die.Add(t.typed(m, element))
	}
	return die
}

// glslVectors are what GLSL calls vectors of a type.
var glslVectors = map[string]string{"float": "vec", "double": "dvec", "int": "ivec", "uint": "uvec",
	"bool":      "bvec",
	"float16_t": "f16vec", "int8_t": "i8vec", "uint8_t": "u8vec", "int16_t": "i16vec", "uint16_t": "u16vec",
	"int64_t": "i64vec", "uint64_t": "u64vec"}

// vectorName is what the source calls a vector.
func (t *translator) vectorName(element string, n int) string {
	const essl, glsl = 1, 2
	for i := range t.m.Insts {
		if in := &t.m.Insts[i]; in.Op == spirv.OpSource {
			if l := in.Arg(0); (l == essl || l == glsl) && glslVectors[element] != "" {
				element = glslVectors[element]
			}
			break
		}
	}
	return fmt.Sprint(element, n)
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
	t.typed(die, t.typeDIE(vector, column, layout{pad: stride, column: true}))
	if !k.layout.rowMajor || k.layout.stride == 0 {
		return die
	}
	// The name says what gdb cannot: the first index is the row.
	name := fmt.Sprintf("row_major %smat%dx%d", map[uint64]string{8: "d", 2: "f16"}[column.Elem.Size],
		s.Len, n)
	return t.keep(k, t.root, t.typed(dwarf.NewDIE(dwarf.TagTypedef, dwarf.StringAttr(dwarf.AttrName, name)),
		die))
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
