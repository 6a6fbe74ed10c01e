package dwarf

import (
	"fmt"

	"simtgdb/dwarf/internal/section"
)

// An outValue is an attribute in the form in which it is written.
type outValue struct {
	name     At
	form     Form
	implicit int64
	bytes    []byte
	fixups   []fixup // their positions count from the start of bytes
}

// values gives the attributes of an entry that are written, in their order.
func (u *outUnit) values(d *DIE) ([]outValue, error) {
	values := make([]outValue, 0, len(d.Attrs)+1)
	for i := range d.Attrs {
		a := &d.Attrs[i]
		if u.leftOut(a) {
			continue
		}
		v := outValue{name: a.Name}
		if err := u.value(&v, d, a); err != nil {
			return nil, fmt.Errorf("%v: %w", a.Name, err)
		}
		values = append(values, v)
	}
	if d == u.Root && u.Lines != nil && d.attr(AttrStmtList) == nil {
		v := outValue{name: AttrStmtList}
		u.sectionOffset(&v, u.w.tables[u.Lines])
		values = append(values, v)
	}
	if d == u.Root && len(u.Addrs) > 0 && d.attr(AttrAddrBase) == nil {
		v := outValue{name: AttrAddrBase}
		u.sectionOffset(&v, u.addrs)
		values = append(values, v)
	}
	if d == u.Root && len(u.Macros) > 0 {
		v := outValue{name: AttrMacros}
		if u.Version < 5 {
			v.name = AttrGNUMacros
		}
		u.sectionOffset(&v, u.macros)
		values = append(values, v)
	}
	return values, nil
}

// leftOut reports whether an attribute points into something that is not written.
func (u *outUnit) leftOut(a *Attr) bool {
	switch a.Class {
	case ClassLinePtr:
		return u.Lines == nil
	case ClassReference:
		return a.Name == AttrSibling && a.Ref == nil
	case ClassAddrPtr:
		return len(u.Addrs) == 0
	case ClassLocListsPtr, ClassMacPtr, ClassRngListsPtr, ClassSecOffset, ClassStrOffsetsPtr:
		return true
	}
	return false
}

func (u *outUnit) value(v *outValue, d *DIE, a *Attr) error {
	switch a.Class {
	case ClassAddress:
		u.number(v, FormAddr, int(u.AddrSize), a.Val)
	case ClassConstant:
		return u.constant(v, d, a)
	case ClassFlag:
		u.flag(v, a)
	case ClassString:
		u.string(v, a)
	case ClassBlock:
		u.block(v, FormBlock, a.Form, a.Bytes)
	case ClassExprLoc:
		return u.expression(v, a)
	case ClassLinePtr:
		u.sectionOffset(v, u.w.tables[u.Lines])
	case ClassAddrPtr:
		u.sectionOffset(v, u.addrs)
	case ClassLocList:
		return u.locList(v, d, a)
	case ClassRngList:
		return u.rangeList(v, d, a)
	case ClassReference:
		return u.reference(v, d, a)
	case ClassReferenceSig:
		if u.Version < 4 {
			return fmt.Errorf("reference by signature in a unit of version %d", u.Version)
		}
		u.number(v, FormRefSig8, 8, a.Val)
	case ClassReferenceSup, ClassStringSup:
		return u.supplementary(v, a)
	default:
		return fmt.Errorf("%v cannot be written", a.Class)
	}
	return nil
}

func (u *outUnit) number(v *outValue, form Form, size int, n uint64) {
	v.form = form
	b := buffer{make([]byte, 0, size)}
	u.w.uint(&b, size, n)
	v.bytes = b.b
}

// sectionOffset writes an offset in another section, which had the form of a number before version 4.
func (u *outUnit) sectionOffset(v *outValue, offset uint64) {
	form := FormSecOffset
	if u.Version < 4 {
		form = FormData4
		if u.Is64 {
			form = FormData8
		}
	}
	u.number(v, form, u.offsetSize(), offset)
}

var dataSizes = map[Form]int{FormData1: 1, FormData2: 2, FormData4: 4, FormData8: 8}

func (u *outUnit) constant(v *outValue, d *DIE, a *Attr) error {
	if a.Form == FormData16 {
		if len(a.Bytes) != 16 {
			return fmt.Errorf("DW_FORM_data16 with %d bytes", len(a.Bytes))
		}
		if v.form, v.bytes = FormData16, a.Bytes; u.Version < 5 {
			u.block(v, FormBlock1, FormBlock1, a.Bytes)
		}
		return nil
	}
	if a.Name == AttrHighPC && u.Version < 4 { // an offset from DW_AT_low_pc came with version 4
		low, ok := d.Uint(AttrLowPC)
		if !ok {
			return fmt.Errorf("an offset, but there is no DW_AT_low_pc")
		}
		u.number(v, FormAddr, int(u.AddrSize), low+a.Val)
		return nil
	}
	size := dataSizes[a.Form]
	switch _, pointer := pointerClasses[a.Name]; {
	case a.Form == FormSdata, a.Form == FormImplicitConst && u.Version < 5:
		v.form, v.bytes = FormSdata, section.AppendSLEB(nil, int64(a.Val))
	case a.Form == FormImplicitConst:
		v.form, v.implicit = FormImplicitConst, int64(a.Val)
	case size == 0, size >= 4 && pointer && u.Version < 4: // where the size would make it an offset
		v.form, v.bytes = FormUdata, section.AppendULEB(nil, a.Val)
	case size < 8 && a.Val>>(8*size) != 0:
		return fmt.Errorf("0x%x does not fit %v", a.Val, a.Form)
	default:
		u.number(v, a.Form, size, a.Val)
	}
	return nil
}

func (u *outUnit) flag(v *outValue, a *Attr) {
	if a.Form == FormFlagPresent && u.Version >= 4 {
		v.form = FormFlagPresent
		return
	}
	u.number(v, FormFlag, 1, a.Val)
}

func (u *outUnit) string(v *outValue, a *Attr) {
	switch {
	case a.Form == FormString:
		v.form = FormString
		v.bytes = append(append([]byte{}, a.Bytes...), 0)
	case a.Form == FormLineStrp && u.Version >= 5:
		u.number(v, FormLineStrp, u.offsetSize(), u.w.lineStr.add(a.Text()))
	default:
		u.number(v, FormStrp, u.offsetSize(), u.w.str.add(a.Text()))
	}
}

var blockSizes = map[Form]int{FormBlock1: 1, FormBlock2: 2, FormBlock4: 4}

// block writes bytes in the form wanted, if that has room for the length, else in the fallback.
func (u *outUnit) block(v *outValue, fallback, wanted Form, bytes []byte) {
	size, fixed := blockSizes[wanted]
	if !fixed || uint64(len(bytes))>>(8*size) != 0 {
		v.form = fallback
		v.bytes = append(section.AppendULEB(nil, uint64(len(bytes))), bytes...)
		return
	}
	u.number(v, wanted, size, uint64(len(bytes)))
	v.bytes = append(v.bytes, bytes...)
}

func (u *outUnit) expression(v *outValue, a *Attr) error {
	if u.Version >= 4 {
		u.block(v, FormExprloc, FormExprloc, a.Bytes)
	} else {
		u.block(v, FormBlock, FormBlock1, a.Bytes)
	}
	if a.list == nil {
		return nil
	}
	head := uint64(len(v.bytes) - len(a.Bytes))
	for _, ref := range a.list.refs {
		f, err := newFixup(ref, head, len(a.Bytes))
		if err != nil {
			return err
		}
		v.fixups = append(v.fixups, f)
	}
	return nil
}

// newFixup makes the fixup for a reference in an expression that starts at head.
func newFixup(ref ExprRef, head uint64, length int) (fixup, error) {
	if ref.Pos < 0 || ref.Size < 1 || ref.Pos > length-ref.Size || ref.Target == nil {
		return fixup{}, fmt.Errorf("reference of %d bytes at %d in an expression of %d bytes", ref.Size,
			ref.Pos, length)
	}
	return fixup{pos: head + uint64(ref.Pos), size: ref.Size, kind: ref.Kind, target: ref.Target}, nil
}

// reference writes a reference. Where its target is not known to be in the unit it gets the form that
// reaches all units.
func (u *outUnit) reference(v *outValue, d *DIE, a *Attr) error {
	target := a.Ref
	if target == nil {
		target = d.Target(a)
	}
	if target == nil {
		return fmt.Errorf("reference to offset 0x%x, where no entry is", a.Val)
	}
	f := fixup{target: target}
	if root(target) == u.Root {
		u.number(v, FormRef4, 4, 0)
		f.size, f.kind = 4, RefUnitFixed
	} else {
		f.size, f.kind = u.offsetSize(), RefSection
		if u.Version == 2 {
			f.size = int(u.AddrSize)
		}
		u.number(v, FormRefAddr, f.size, 0)
	}
	v.fixups = []fixup{f}
	return nil
}

// root goes up to the entry that has no parent.
func root(d *DIE) *DIE {
	for d.Parent != nil {
		d = d.Parent
	}
	return d
}

func (u *outUnit) supplementary(v *outValue, a *Attr) error {
	switch a.Form {
	case FormGNURefAlt, FormGNUStrpAlt, FormStrpSup:
		u.number(v, a.Form, u.offsetSize(), a.Val)
	case FormRefSup4:
		u.number(v, a.Form, 4, a.Val)
	case FormRefSup8:
		u.number(v, a.Form, 8, a.Val)
	default:
		return fmt.Errorf("%v in the form %v", a.Class, a.Form)
	}
	return nil
}
