// Package types answers what a debugger asks of the types in debugging information: the size and the
// alignment of an object, the elements of an array, the members of a class, the type behind qualifiers
// and names.
//
// It knows DWARF's entries and LLVM's rules of alignment, and of a machine only how wide the pointers of
// its address spaces are (Model). It does not know where objects are or how a function returns one.
// Types come from files and may be wrong or loops: every question has an answer in bounded time, 0 or nil
// where there is none.
//
// Entry points: [Model.Size], [Model.Align], [Elements], [Strip], [Members], [Offset], [Base].
package types

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
)

// A Model is what a machine adds to types.
type Model struct {
	// Pointers has the sizes in bytes of pointers by their DW_AT_address_class, where they are others than
	// the unit's addresses.
	Pointers map[uint64]uint64
	// Null is the null pointer of these.
	Null uint64
}

// AMDGPU is the model of LLVM's AMDGPU back end (AMDGPUUsage, "Address Space Identifier"; "Address
// Spaces", column "NULL Value").
var AMDGPU = Model{Null: 0xffffffff, Pointers: map[uint64]uint64{
	expr.SpaceRegion: 4, expr.SpaceLocal: 4, expr.SpacePrivateLane: 4,
}}

// maxDepth bounds chains of types, and maxEntries the work for one question.
const (
	maxDepth   = 32
	maxEntries = 1 << 14
)

// IsQualifier reports whether a tag is of a type that has its target's size and kind: a qualifier or a
// name.
func IsQualifier(t dwarf.Tag) bool {
	switch t {
	case dwarf.TagTypedef, dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType,
		dwarf.TagAtomicType:
		return true
	}
	return false
}

// Strip is a type without qualifiers and names; nil for void.
func Strip(d *dwarf.DIE) *dwarf.DIE {
	for range maxDepth {
		if d == nil || !IsQualifier(d.Tag) {
			return d
		}
		d = d.TypeDIE()
	}
	return nil
}

// IsPointer reports whether a type, which has no qualifiers, is a pointer or a reference.
func IsPointer(d *dwarf.DIE) bool {
	switch d.Tag {
	case dwarf.TagPointerType, dwarf.TagReferenceType, dwarf.TagRvalueReferenceType:
		return true
	}
	return false
}

// IsRecord reports whether a type, which has no qualifiers, is a structure, class or union.
func IsRecord(d *dwarf.DIE) bool { return isStruct(d) || d.Tag == dwarf.TagUnionType }

func isStruct(d *dwarf.DIE) bool {
	return d.Tag == dwarf.TagStructureType || d.Tag == dwarf.TagClassType
}

// IsVector reports whether a type, which has no qualifiers, is an array that behaves as one value.
func IsVector(d *dwarf.DIE) bool { return d.Tag == dwarf.TagArrayType && d.Flag(dwarf.AttrGNUVector) }

// IsOpenCL reports whether an entry is of a unit in OpenCL C.
func IsOpenCL(d *dwarf.DIE) bool {
	for d.Parent != nil {
		d = d.Parent
	}
	language, _ := d.Uint(dwarf.AttrLanguage)
	return language == dwarf.LangOpenCL
}

// IsScoped reports whether the enumerators of an enumeration are visible in its scope only: enum class of
// C++. Intel's compiler marks all of OpenCL C as these.
func IsScoped(d *dwarf.DIE) bool { return d.Flag(dwarf.AttrEnumClass) && !IsOpenCL(d) }

// Encoding is the DW_ATE_ code of a base type, 0 for any other type.
func Encoding(d *dwarf.DIE) uint64 {
	if d == nil || d.Tag != dwarf.TagBaseType {
		return 0
	}
	encoding, _ := d.Uint(dwarf.AttrEncoding)
	return encoding
}

// IsPassedByReference reports whether a type is a class that lives in memory wherever it goes, since it
// has a copy constructor or a destructor of its own (DW_CC_pass_by_reference).
func IsPassedByReference(d *dwarf.DIE) bool {
	cc, _ := d.Uint(dwarf.AttrCallingConvention)
	return IsRecord(d) && cc == dwarf.CCPassByReference
}

// Narrow is the size of a pointer into an address space whose addresses are narrower than the unit's,
// and false for any other type. The type has no qualifiers.
func (m Model) Narrow(d *dwarf.DIE) (uint64, bool) {
	if d == nil || !IsPointer(d) {
		return 0, false
	}
	class, ok := d.Uint(dwarf.AttrAddressClass)
	size, narrow := m.Pointers[class]
	return size, ok && narrow
}

// Size is the size of a type's objects in bytes, 0 if it is not known.
func (m Model) Size(d *dwarf.DIE) uint64 { return m.size(d, 0) }

func (m Model) size(d *dwarf.DIE, depth int) uint64 {
	if d == nil || depth > maxDepth {
		return 0
	}
	if size, ok := d.Uint(dwarf.AttrByteSize); ok {
		return size
	}
	switch {
	case IsPointer(d), d.Tag == dwarf.TagPtrToMemberType:
		if size, ok := m.Narrow(d); ok {
			return size
		}
		if d.Unit == nil {
			return 0
		}
		return uint64(d.Unit.AddrSize)
	case d.Tag == dwarf.TagArrayType:
		return product(m.size(d.TypeDIE(), depth+1), Elements(d))
	}
	return m.size(d.TypeDIE(), depth+1)
}

// product is 0 where it is more than 64 bits hold.
func product(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high != 0 {
		return 0
	}
	return low
}

// Elements is how many elements an array type has, in all directions: 0 if that is not known. A type
// that is no array has one.
func Elements(d *dwarf.DIE) uint64 {
	n := uint64(1)
	for _, c := range d.Children {
		if c.Tag == dwarf.TagSubrangeType {
			n = product(n, Count(c))
		}
	}
	return n
}

// Count is how many indices a subrange of an array has (DWARF 5 section 5.13): by DW_AT_count, or from
// DW_AT_lower_bound, which depends on the language if it is left out, to DW_AT_upper_bound.
func Count(d *dwarf.DIE) uint64 {
	if n, ok := d.Uint(dwarf.AttrCount); ok {
		return n
	}
	upper, ok := d.Int(dwarf.AttrUpperBound)
	lower, given := d.Int(dwarf.AttrLowerBound)
	if !given && d.Unit != nil {
		lower = LowerBound(d.Unit.Language())
	}
	if !ok || upper < lower {
		return 0
	}
	return uint64(upper-lower) + 1
}

// fromOne has the languages whose arrays start at 1 where nothing else is said (DWARF 5 table 7.17).
var fromOne = map[uint64]bool{
	dwarf.LangAda83: true, dwarf.LangAda95: true, dwarf.LangAda2005: true, dwarf.LangAda2012: true,
	dwarf.LangCobol74: true, dwarf.LangCobol85: true,
	dwarf.LangFortran77: true, dwarf.LangFortran90: true, dwarf.LangFortran95: true,
	dwarf.LangFortran03: true, dwarf.LangFortran08: true, dwarf.LangFortran18: true,
	dwarf.LangPascal83: true, dwarf.LangModula2: true, dwarf.LangModula3: true,
	dwarf.LangPLI: true, dwarf.LangJulia: true,
}

// LowerBound is the first index of the arrays of a DW_LANG_ language.
func LowerBound(language uint64) int64 {
	if fromOne[language] {
		return 1
	}
	return 0
}

// Members gives the base classes and data members of a record that its objects consist of, in the order
// of the file; static members are none.
func Members(d *dwarf.DIE) iter.Seq[*dwarf.DIE] {
	return func(yield func(*dwarf.DIE) bool) {
		for _, c := range d.Children {
			if c.Tag == dwarf.TagInheritance || c.Tag == dwarf.TagMember && !c.Flag(dwarf.AttrExternal) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// Offset is where a member, or a base class, lies in its record. DWARF 2, which PTX has, gives it as an
// expression that adds to the record's address.
func Offset(member *dwarf.DIE) uint64 {
	a, _ := member.Attr(dwarf.AttrDataMemberLocation)
	if len(a.Bytes) > 0 && a.Bytes[0] == expr.OpPlusUconst {
		at, _ := binary.Uvarint(a.Bytes[1:])
		return at
	}
	at, _ := member.Uint(dwarf.AttrDataMemberLocation)
	return at
}

// IsEmpty reports whether a type is a structure without members.
func IsEmpty(d *dwarf.DIE) bool {
	steps := 0
	return isEmpty(d, 0, &steps)
}

func isEmpty(d *dwarf.DIE, depth int, steps *int) bool {
	d = Strip(d)
	if *steps++; d == nil || depth > maxDepth || *steps > maxEntries || !isStruct(d) {
		return false
	}
	for c := range Members(d) {
		if c.Tag == dwarf.TagMember || !isEmpty(c.TypeDIE(), depth+1, steps) {
			return false
		}
	}
	return true
}

// Align is the natural alignment of a type as LLVM has it, which knows no alignas; at least 1.
func (m Model) Align(d *dwarf.DIE) uint64 { return (&aligner{model: m}).align(d, 0) }

// DeclaredAlign is the alignment of a type's objects in memory: the natural one, or that of an alignas.
func (m Model) DeclaredAlign(d *dwarf.DIE) uint64 {
	return (&aligner{model: m, declared: true}).align(d, 0)
}

// An aligner works out one alignment.
type aligner struct {
	model    Model
	declared bool // by DW_AT_alignment where there is one
	steps    int
}

func (a *aligner) align(d *dwarf.DIE, depth int) uint64 {
	for ; d != nil && depth <= maxDepth; depth++ {
		if n, ok := d.Uint(dwarf.AttrAlignment); ok && a.declared {
			return max(n, 1)
		}
		if !IsQualifier(d.Tag) {
			break
		}
		d = d.TypeDIE()
	}
	if a.steps++; d == nil || depth > maxDepth || a.steps > maxEntries {
		return 1
	}
	size := max(a.model.Size(d), 1)
	switch {
	case IsVector(d):
		return max(uint64(1)<<bits.Len64(size-1), 1)
	case d.Tag == dwarf.TagArrayType:
		return a.align(d.TypeDIE(), depth+1)
	case Encoding(d) == dwarf.ATEComplexFloat:
		return max(size/2, 1)
	case !IsRecord(d):
		return size
	}
	align := uint64(1)
	for c := range Members(d) {
		align = max(align, a.align(c.TypeDIE(), depth+1))
		if n, ok := c.Uint(dwarf.AttrAlignment); ok && a.declared {
			align = max(align, n)
		}
	}
	return align
}

// Base reads the base type at an offset in a unit, as operations of expressions name it.
func Base(u *dwarf.Unit, offset uint64) (expr.BaseType, error) {
	d := u.DIEAt(u.Offset + offset)
	if d == nil || d.Tag != dwarf.TagBaseType {
		return expr.BaseType{}, fmt.Errorf("no base type at offset %#x of the unit at %#x", offset, u.Offset)
	}
	n, ok := d.Uint(dwarf.AttrBitSize)
	if !ok {
		n, _ = d.Uint(dwarf.AttrByteSize)
		n *= 8
	}
	return expr.BaseType{Encoding: expr.TypeEncoding(Encoding(d)), Bits: int(n)}, nil
}
