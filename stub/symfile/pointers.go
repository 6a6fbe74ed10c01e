package symfile

import (
	"encoding/binary"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/stub/arch"
)

// Pointers into address spaces are narrow where the addresses of the space are shorter than
// the unit's. A variable that is one, or an array of them, has pointers of 64 bits in the
// translation, which the stub fills in. What lies in memory, a member of a structure, what a
// pointer leads to, gdb reads by itself, and its value would be the offset in the space: gdb has no
// other address of a pointer (unsigned_pointer_to_address).
//
// A reference it follows through the type that is referred to, and a type may say where
// its objects are, by the address that was stored (DW_AT_data_location, evaluated in
// value_from_contents_and_address). So a narrow pointer in memory is a reference as
// wide as it is, to an array, since that becomes a pointer of 64 bits wherever C has it become one
// (value_coerce_array). The array has no elements: it is printed as that pointer, and gdb
// casts nothing to it (value_cast), so that an assignment is an error.

// pointerInto is the pointer type behind qualifiers and names, if it is a narrow one.
func (t *translator) pointerInto(d *dwarf.DIE) *dwarf.DIE {
	d = types.Strip(d)
	if _, ok := t.model.Narrow(d); !ok || d.Tag != dwarf.TagPointerType {
		return nil
	}
	return d
}

// wideSize is how long gdb's pointers are.
const wideSize = 8

// maxArrays bounds how deep arrays lie in each other.
const maxArrays = 16

// pointersIn is the type of the narrow pointers that a variable of a type consists of, and how many they
// are: it is one, or an array of them that fits in a frame.
func (t *translator) pointersIn(d *dwarf.DIE) (pointer *dwarf.DIE, n uint64) {
	n, d = 1, types.Strip(d)
	for depth := 0; d != nil && d.Tag == dwarf.TagArrayType; depth++ {
		n *= min(types.Elements(d), maxInFrame)
		if n == 0 || n > maxInFrame/wideSize || depth > maxArrays {
			return nil, 0
		}
		d = types.Strip(d.TypeDIE())
	}
	return t.pointerInto(d), n
}

// wide makes the type of a variable that consists of narrow pointers, with pointers of 64 bits.
func (t *translator) wide(d *dwarf.DIE) *dwarf.DIE {
	d = types.Strip(d)
	out := dwarf.NewDIE(d.Tag)
	switch target := d.TypeDIE(); {
	case d.Tag == dwarf.TagArrayType:
		out.Set(dwarf.RefAttr(dwarf.AttrType, t.wide(target)))
		for _, c := range d.Children {
			if c.Tag == dwarf.TagSubrangeType {
				out.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, types.Count(c))))
			}
		}
	default:
		out.Set(dwarf.UintAttr(dwarf.AttrByteSize, wideSize))
		if target != nil {
			out.Set(dwarf.RefAttr(dwarf.AttrType, target))
		}
	}
	t.root.Add(out)
	return out
}

// narrow changes the copy of a type that is a narrow pointer, perhaps by another name.
func (t *translator) narrow(src, dst *dwarf.DIE) {
	if src.Tag != dwarf.TagPointerType && !types.IsQualifier(src.Tag) {
		return
	}
	p := t.pointerInto(src)
	if p == nil {
		return
	}
	size, _ := t.model.Narrow(p)
	array := t.arrayAt(p, size)
	if array == nil {
		if src == p {
			t.ownTarget(dst, p)
		}
		return
	}
	dst.Tag = dwarf.TagReferenceType
	dst.Attrs = []dwarf.Attr{dwarf.UintAttr(dwarf.AttrByteSize, size), dwarf.RefAttr(dwarf.AttrType, array)}
}

// ownTarget gives what a narrow pointer points to a type of its own: gdb has one pointer type for each
// type (make_pointer_type), so that all pointers to it would be as narrow.
func (t *translator) ownTarget(dst, pointer *dwarf.DIE) {
	target, name := pointer.TypeDIE(), "void"
	if named := types.Strip(target); named != nil && named.Name() != "" {
		name = named.Name()
	}
	own := dwarf.NewDIE(dwarf.TagTypedef, dwarf.StringAttr(dwarf.AttrName, name))
	if target != nil {
		own.Set(dwarf.RefAttr(dwarf.AttrType, target))
	}
	t.root.Add(own)
	dst.Set(dwarf.RefAttr(dwarf.AttrType, own))
}

// arrayAt makes an array type of what a narrow pointer leads to, whose objects are where a program
// finds them that has the address in the space; nil if programs have no address for them.
func (t *translator) arrayAt(pointer *dwarf.DIE, size uint64) *dwarf.DIE {
	if a := t.arrays[pointer]; a != nil {
		return a
	}
	class, _ := pointer.Uint(dwarf.AttrAddressClass)
	g, ok := t.file.arch.(arch.GenericAddresser)
	place, err := t.file.arch.Place(&simt.Wave{Size: simt.MaxLanes}, 0, t.file.arch.ClassSpace(class), 0)
	if !ok || err != nil {
		return nil
	}
	element := pointer.TypeDIE()
	if types.Strip(element) == nil {
		// There are no arrays of void.
		element = dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, "void"),
			dwarf.UintAttr(dwarf.AttrByteSize, 1), dwarf.UintAttr(dwarf.AttrEncoding, dwarf.ATEUnsigned))
		t.root.Add(element)
	}
	array := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, element),
		dwarf.ExprAttr(dwarf.AttrDataLocation, widened(g.GenericAddress(place.Space, 0), t.model.Null)))
	array.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, 0)))
	// &OBJECT of a reference keeps its bytes and gives them the type of a pointer (value_addr), of
	// which gdb has one for each type: it is as wide as the one that it reads first.
	narrow := dwarf.NewDIE(dwarf.TagPointerType, dwarf.UintAttr(dwarf.AttrByteSize, size),
		dwarf.RefAttr(dwarf.AttrType, array))
	name := dwarf.NewDIE(dwarf.TagTypedef, dwarf.StringAttr(dwarf.AttrName, "narrow pointer"),
		dwarf.RefAttr(dwarf.AttrType, narrow))
	t.root.Add(array, narrow, name)
	t.arrays[pointer] = array
	return array
}

// widened is an expression for where an object is, to which a pointer in a space leads: base is the
// program's address for the space's first byte.
func widened(base, null uint64) []byte {
	e := binary.LittleEndian.AppendUint64([]byte{expr.OpPushObjectAddress, expr.OpDup, expr.OpConst8u}, null)
	plus := append(binary.LittleEndian.AppendUint64([]byte{expr.OpConst8u}, base), expr.OpPlus)
	zero := []byte{expr.OpDrop, expr.OpLit0}
	plus = binary.LittleEndian.AppendUint16(append(plus, expr.OpSkip), uint16(len(zero)))
	e = binary.LittleEndian.AppendUint16(append(e, expr.OpEq, expr.OpBra), uint16(len(plus)))
	return append(append(e, plus...), zero...)
}

// notePointers notes whether memory that gdb reads has narrow pointers.
func (t *translator) notePointers(src *dwarf.DIE) {
	switch src.Tag {
	case dwarf.TagMember, dwarf.TagArrayType, dwarf.TagPointerType, dwarf.TagReferenceType:
		t.file.NarrowPointers = t.file.NarrowPointers || t.pointerInto(src.TypeDIE()) != nil
	}
}
