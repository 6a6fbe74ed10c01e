package dwarf

// A DIE is a debugging information entry. Entries that Unit.Root gives can be changed; what was read
// from the file is then as it was only in Unit and Offset.
type DIE struct {
	Unit     *Unit  // the unit that it was read from; nil for an entry that was made
	Offset   uint64 // in the unit's section
	Tag      Tag
	Attrs    []Attr
	Children []*DIE
	Parent   *DIE

	abbrev  uint32 // the code of its abbreviation
	hasNull bool   // the abbreviation says that it has children, and there is the entry that ends them
	null    uint64 // offset of that entry
}

// An Attr is an attribute of an entry.
type Attr struct {
	Name     At
	Form     Form
	Class    Class
	Indirect bool   // the form came with the value, by DW_FORM_indirect
	Val      uint64 // a number, address, offset, flag: see Class
	Raw      uint64 // the number as it is written: an offset or an index where Val is what that leads to
	Bytes    []byte // a block, expression or string: see Class
	Ref      *DIE   // the target, in an attribute that was made; DIE.Ref finds that of one that was read

	list *list // of an attribute that was made
}

// Text gives the value of class string.
func (a Attr) Text() string { return string(a.Bytes) }

// Int gives the value of class constant as a signed number. Forms of a fixed size do not say whether
// they are signed: these come zero-extended.
func (a Attr) Int() int64 { return int64(a.Val) }

// Signed reports whether the form is that of a signed number.
func (a Attr) Signed() bool { return a.Form == FormSdata || a.Form == FormImplicitConst }

// AbbrevCode is the code of the abbreviation that the entry was read with.
func (d *DIE) AbbrevCode() uint64 { return uint64(d.abbrev) }

// ChildrenEnd is the offset of the entry that ends the list of children, where there is one.
func (d *DIE) ChildrenEnd() (offset uint64, ok bool) { return d.null, d.hasNull }

// Attr gives the entry's own attribute.
func (d *DIE) Attr(name At) (Attr, bool) {
	if a := d.attr(name); a != nil {
		return *a, true
	}
	return Attr{}, false
}

func (d *DIE) attr(name At) *Attr {
	for i := range d.Attrs {
		if d.Attrs[i].Name == name {
			return &d.Attrs[i]
		}
	}
	return nil
}

// maxOrigins bounds the chains of DW_AT_abstract_origin and DW_AT_specification, which can be loops in a
// hostile file.
const maxOrigins = 32

// Effective gives the attribute of the entry or, where it has none, of the entry that its
// DW_AT_abstract_origin or DW_AT_specification leads to, and the entry that has it. Attributes that say
// something about one entry alone (DW_AT_sibling, DW_AT_declaration) are not inherited (DWARF 5
// sections 2.13.2 and 3.3.8.1).
func (d *DIE) Effective(name At) (Attr, *DIE, bool) {
	own := name == AttrSibling || name == AttrDeclaration
	for range maxOrigins {
		if a := d.attr(name); a != nil {
			return *a, d, true
		}
		next := d.origin()
		if next == nil || own {
			break
		}
		d = next
	}
	return Attr{}, nil, false
}

func (d *DIE) origin() *DIE {
	if o := d.Ref(AttrAbstractOrigin); o != nil {
		return o
	}
	return d.Ref(AttrSpecification)
}

// Origin follows DW_AT_abstract_origin and DW_AT_specification to the end and gives the last entry, or
// the entry itself where it has neither.
func (d *DIE) Origin() *DIE {
	for range maxOrigins {
		next := d.origin()
		if next == nil {
			break
		}
		d = next
	}
	return d
}

// Uint gives an own attribute that is a constant, an address, a flag or an offset.
func (d *DIE) Uint(name At) (uint64, bool) {
	a := d.attr(name)
	if a == nil {
		return 0, false
	}
	switch a.Class {
	case ClassBlock, ClassExprLoc, ClassString:
		return 0, false
	}
	return a.Val, a.Form != FormData16
}

// Int is Uint for a signed number.
func (d *DIE) Int(name At) (int64, bool) {
	v, ok := d.Uint(name)
	return int64(v), ok
}

// Str gives an own attribute of class string.
func (d *DIE) Str(name At) (string, bool) {
	a := d.attr(name)
	if a == nil || a.Class != ClassString {
		return "", false
	}
	return string(a.Bytes), true
}

// Flag reports whether an own attribute is there and true.
func (d *DIE) Flag(name At) bool {
	a := d.attr(name)
	return a != nil && a.Class == ClassFlag && a.Val != 0
}

// Ref gives the entry that an own attribute of class reference leads to, or nil.
func (d *DIE) Ref(name At) *DIE {
	a := d.attr(name)
	if a == nil {
		return nil
	}
	return d.Target(a)
}

// Target gives the entry that one of the entry's attributes leads to, or nil.
func (d *DIE) Target(a *Attr) *DIE {
	switch {
	case a.Ref != nil:
		return a.Ref
	case d.Unit == nil:
		return nil
	case a.Class == ClassReferenceSig:
		if u := d.Unit.Data.TypeUnit(a.Val); u != nil {
			return u.TypeDIE()
		}
		return nil
	case a.Class != ClassReference:
		return nil
	case a.Form == FormRefAddr:
		return d.Unit.Data.DIEAt(a.Val)
	}
	return d.Unit.DIEAt(a.Val)
}

// Name gives DW_AT_name, followed through origins; "" where there is none.
func (d *DIE) Name() string { return d.effectiveString(AttrName) }

// LinkageName gives DW_AT_linkage_name or its MIPS predecessor, followed through origins.
func (d *DIE) LinkageName() string {
	if s := d.effectiveString(AttrLinkageName); s != "" {
		return s
	}
	return d.effectiveString(AttrMIPSLinkageName)
}

func (d *DIE) effectiveString(name At) string {
	a, _, ok := d.Effective(name)
	if !ok || a.Class != ClassString {
		return ""
	}
	return string(a.Bytes)
}

// TypeDIE gives the entry of DW_AT_type, followed through origins; nil where there is none.
func (d *DIE) TypeDIE() *DIE {
	_, owner, ok := d.Effective(AttrType)
	if !ok {
		return nil
	}
	return owner.Ref(AttrType)
}

// Child gives the first child with a tag, or nil.
func (d *DIE) Child(tag Tag) *DIE {
	for _, c := range d.Children {
		if c.Tag == tag {
			return c
		}
	}
	return nil
}

// Walk calls f for the entry and all below it, parents first. Where f gives false the children of that
// entry are left out.
func (d *DIE) Walk(f func(*DIE) bool) {
	if !f(d) {
		return
	}
	for _, c := range d.Children {
		c.Walk(f)
	}
}

// LowHigh gives the entry's one address range by DW_AT_low_pc and DW_AT_high_pc. With DW_AT_low_pc alone
// the range has one byte.
func (d *DIE) LowHigh() (Range, bool) {
	low := d.attr(AttrLowPC)
	if low == nil || low.Class != ClassAddress {
		return Range{}, false
	}
	r := Range{Low: low.Val, High: low.Val + 1}
	if high := d.attr(AttrHighPC); high != nil {
		r.High = high.Val
		if high.Class == ClassConstant { // an offset, since version 4
			r.High += low.Val
		}
	}
	return r, true
}
