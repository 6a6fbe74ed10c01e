package dwarf

import "fmt"

// This file makes entries and attributes. Write decides about forms: it takes that of an attribute where
// the version and the class allow it.

// NewDIE makes an entry.
func NewDIE(tag Tag, attrs ...Attr) *DIE { return &DIE{Tag: tag, Attrs: attrs} }

// Add makes entries the last children of d.
func (d *DIE) Add(children ...*DIE) {
	for _, c := range children {
		c.Parent = d
		d.Children = append(d.Children, c)
	}
}

// Set puts an attribute in the place of that with the same name, or behind the others.
func (d *DIE) Set(a Attr) {
	if old := d.attr(a.Name); old != nil {
		*old = a
		return
	}
	d.Attrs = append(d.Attrs, a)
}

// Delete takes attributes away.
func (d *DIE) Delete(names ...At) {
	for _, name := range names {
		for i := range d.Attrs {
			if d.Attrs[i].Name == name {
				d.Attrs = append(d.Attrs[:i:i], d.Attrs[i+1:]...)
				break
			}
		}
	}
}

// AddressAttr makes an attribute of class address.
func AddressAttr(name At, addr uint64) Attr {
	return Attr{Name: name, Form: FormAddr, Class: ClassAddress, Val: addr}
}

// UintAttr makes an attribute that is an unsigned constant.
func UintAttr(name At, v uint64) Attr {
	return Attr{Name: name, Form: FormUdata, Class: ClassConstant, Val: v}
}

// IntAttr makes an attribute that is a signed constant.
func IntAttr(name At, v int64) Attr {
	return Attr{Name: name, Form: FormSdata, Class: ClassConstant, Val: uint64(v)}
}

// StringAttr makes an attribute of class string, in .debug_str.
func StringAttr(name At, s string) Attr {
	return Attr{Name: name, Form: FormStrp, Class: ClassString, Bytes: []byte(s)}
}

// FlagAttr makes an attribute of class flag that is true.
func FlagAttr(name At) Attr {
	return Attr{Name: name, Form: FormFlagPresent, Class: ClassFlag, Val: 1}
}

// BlockAttr makes an attribute of class block.
func BlockAttr(name At, b []byte) Attr {
	return Attr{Name: name, Form: FormBlock, Class: ClassBlock, Bytes: b}
}

// ExprAttr makes an attribute of class exprloc; refs has the places where the expression refers to entries.
func ExprAttr(name At, expr []byte, refs ...ExprRef) Attr {
	a := Attr{Name: name, Form: FormExprloc, Class: ClassExprLoc, Bytes: expr}
	if len(refs) > 0 {
		a.list = &list{refs: refs}
	}
	return a
}

// RefAttr makes an attribute of class reference.
func RefAttr(name At, target *DIE) Attr {
	return Attr{Name: name, Form: FormRef4, Class: ClassReference, Ref: target}
}

// LocListAttr makes an attribute of class loclist. It is not changed where the list is changed later.
func LocListAttr(name At, locs []LocEntry) Attr {
	return Attr{Name: name, Form: FormSecOffset, Class: ClassLocList, list: &list{locs: locs}}
}

// RangesAttr makes the DW_AT_ranges of these ranges.
func RangesAttr(ranges []Range) Attr {
	return Attr{Name: AttrRanges, Form: FormSecOffset, Class: ClassRngList, list: &list{ranges: ranges}}
}

// CopyOptions says how Copy goes about it. The zero value copies everything.
type CopyOptions struct {
	// Edit is called for each entry when its copy has been made, parents first; the copy has the
	// attributes of the entry but no children yet. Edit may change everything in it, add children, and
	// point references at entries of the source as well as at made ones. Where it gives false the entry
	// is left out with all below it; its children are copied behind those that Edit added.
	Edit func(src, dst *DIE) bool
	// Expr gives the places where an expression of the source refers to entries, by entries of the
	// source, and may change the bytes: it is how an expression with DW_OP_convert and the like stays
	// right when the offsets of entries change. Where it is nil the bytes are copied.
	Expr func(u *Unit, expr []byte) ([]byte, []ExprRef)
}

// Copy copies units so that they can be changed and written. References between entries lead to the
// copies of their targets, lists are copied, and so is the line table (which OutUnit.Lines shares with
// the unit). Attributes that refer to an entry that was left out are dropped. Forms stay: Write replaces
// those that it does not write.
func Copy(units []*Unit, o CopyOptions) ([]*OutUnit, error) {
	return copyUnits(units, o, maxListEntries)
}

// copyUnits is Copy, of units whose lists have at most so many entries in all.
func copyUnits(units []*Unit, o CopyOptions, most int) ([]*OutUnit, error) {
	entries := 0
	for _, u := range units {
		if _, err := u.Root(); err != nil {
			return nil, err
		}
		entries += len(u.dies)
	}
	c := copier{o: o, copies: make(map[*DIE]*DIE, entries), most: most, left: entries}
	var out []*OutUnit
	for _, u := range units {
		dst, err := c.entry(u.root)
		if err != nil {
			return nil, err
		}
		if dst == nil {
			continue
		}
		ou := &OutUnit{
			Version: u.Version, AddrSize: u.AddrSize, Is64: u.Is64, Type: u.Type,
			Signature: u.Signature, DWOID: u.DWOID, Root: dst,
		}
		if ou.Lines, err = u.Lines(); err != nil {
			return nil, err
		}
		if ou.Addrs, err = u.Addrs(); err != nil {
			return nil, err
		}
		ou.Macros, _ = u.Macros() // what is damaged is left out
		if t := u.TypeDIE(); t != nil {
			ou.TypeDIE = c.copies[t]
		}
		out = append(out, ou)
	}
	for _, u := range out {
		c.retarget(u.Root)
	}
	return out, nil
}

// maxListEntries bounds what Copy reads of lists, since all attributes of a hostile file can
// refer to one long list.
const maxListEntries = 1 << 22

type copier struct {
	o      CopyOptions
	copies map[*DIE]*DIE
	lists  int // entries of lists that were copied
	most   int // that may be
	slabs  slabs
	left   int // entries that may still come
}

func (c *copier) entry(src *DIE) (*DIE, error) {
	dst := c.slabs.die(c.left)
	dst.Tag, dst.Attrs = src.Tag, c.slabs.attributes(len(src.Attrs), 4*c.left)
	c.left--
	for i := range src.Attrs {
		a, err := c.attr(src, &src.Attrs[i])
		if err != nil {
			return nil, err
		}
		dst.Attrs[i] = a
	}
	if c.o.Edit != nil && !c.o.Edit(src, dst) {
		return nil, nil
	}
	c.copies[src] = dst
	if added := dst.Children; len(src.Children) > 0 {
		list := c.slabs.children(len(added)+len(src.Children), c.left)
		dst.Children = list[:copy(list, added)]
	}
	for _, child := range src.Children {
		d, err := c.entry(child)
		if err != nil {
			return nil, err
		}
		if d != nil {
			dst.Add(d)
		}
	}
	return dst, nil
}

// attr copies an attribute into a form that needs no unit: lists are read, references resolved.
func (c *copier) attr(src *DIE, a *Attr) (Attr, error) {
	dst := *a
	var err error
	switch a.Class {
	case ClassReference:
		dst.Ref = src.Target(a)
	case ClassExprLoc:
		var refs []ExprRef
		dst.Bytes, refs = c.expr(src.Unit, a.Bytes)
		if len(refs) > 0 {
			dst.list = &list{refs: refs}
		}
	case ClassLocList:
		dst.list = &list{}
		dst.list.locs, err = src.Unit.LocList(*a)
		for i := range dst.list.locs {
			l := &dst.list.locs[i]
			l.Expr, l.Refs = c.expr(src.Unit, l.Expr)
		}
	case ClassRngList:
		dst.list = &list{}
		dst.list.ranges, err = src.Unit.RangeList(*a)
	}
	if dst.list != nil {
		c.lists += len(dst.list.locs) + len(dst.list.ranges)
	}
	if c.lists > c.most {
		return dst, fmt.Errorf("%v at 0x%x: the lists have more than %d entries in all", src.Tag,
			src.Offset, c.most)
	}
	return dst, err
}

func (c *copier) expr(u *Unit, expr []byte) ([]byte, []ExprRef) {
	if c.o.Expr == nil {
		return expr, nil
	}
	return c.o.Expr(u, expr)
}

// retarget points the references of a copied tree at copies and drops those that lead nowhere.
func (c *copier) retarget(d *DIE) {
	kept := d.Attrs[:0]
	for _, a := range d.Attrs {
		if c.retargetAttr(&a) {
			kept = append(kept, a)
		}
	}
	d.Attrs = kept
	for _, child := range d.Children {
		c.retarget(child)
	}
}

func (c *copier) retargetAttr(a *Attr) bool {
	if a.Class == ClassReference && !c.retargetRef(&a.Ref) {
		return false
	}
	if a.list == nil {
		return true
	}
	for i := range a.list.refs {
		if !c.retargetRef(&a.list.refs[i].Target) {
			return false
		}
	}
	for _, l := range a.list.locs {
		for i := range l.Refs {
			if !c.retargetRef(&l.Refs[i].Target) {
				return false
			}
		}
	}
	return true
}

func (c *copier) retargetRef(ref **DIE) bool {
	if *ref == nil {
		return false
	}
	if (*ref).Unit != nil { // of the source
		*ref = c.copies[*ref]
	}
	return *ref != nil
}
