package dwarf

import (
	"fmt"

	"simtgdb/dwarf/internal/section"
)

const (
	// maxDepth bounds the nesting of entries, so that walks can be recursive.
	maxDepth = 4096
	// attrsPerByte bounds the attributes of a unit against abbreviations that are long lists of forms
	// without bytes: real units have less than one attribute per byte.
	attrsPerByte = 2
	// stringBytesPerByte bounds the strings that a unit has by offset, which could be one long string
	// again and again.
	stringBytesPerByte = 1024
)

// A parser reads the entries of one unit.
type parser struct {
	u       *Unit
	r       section.Reader
	str     section.Reader // .debug_str
	lineStr section.Reader
	slabs   slabs
	nattrs  int64 // attributes that may still come
	nstring int64 // bytes of strings by offset that may still come
}

func (u *Unit) parser() (*parser, error) {
	if u.abbrevs == nil {
		t, err := u.Data.abbrevs.table(u.AbbrevOffset, u.Version)
		if err != nil {
			return nil, fmt.Errorf("unit at 0x%x: %w", u.Offset, err)
		}
		u.abbrevs = t
	}
	d := u.Data
	all := section.NewReader(u.section.String(), d.unitBytes(u.section), d.big)
	p := &parser{
		u: u, r: all.At(u.first),
		str:     section.NewReader(".debug_str", d.sec.Str, d.big),
		lineStr: section.NewReader(".debug_line_str", d.sec.LineStr, d.big),
	}
	p.r.Limit(u.End)
	size := int64(u.End - u.first)
	p.nattrs = attrsPerByte*size + 64
	p.nstring = stringBytesPerByte*size + 1<<14
	return p, nil
}

// readTop reads the first entry, and with it what the other entries need: the bases.
func (u *Unit) readTop() error {
	p, err := u.parser()
	if err != nil {
		return err
	}
	d, children, err := p.entry()
	if err != nil {
		return err
	}
	if d == nil {
		return section.Errorf(u.section.String(), u.first, "unit without an entry")
	}
	u.root, u.behindTop, u.hasTree = d, p.r.Offset(), children
	u.setBases(d)
	for i := range d.Attrs { // those that came before their base
		p.resolve(&d.Attrs[i])
	}
	if low := d.attr(AttrLowPC); low != nil && low.Class == ClassAddress {
		u.bases.low = low.Val
	}
	return nil
}

func (u *Unit) setBases(d *DIE) {
	b := &u.bases
	b.strOffsets, b.hasStrOffsets = d.Uint(AttrStrOffsetsBase)
	if b.addr, b.hasAddr = d.Uint(AttrAddrBase); !b.hasAddr {
		b.addr, b.hasAddr = d.Uint(AttrGNUAddrBase)
	}
	b.locLists, b.hasLocLists = d.Uint(AttrLoclistsBase)
	b.rngLists, b.hasRngLists = d.Uint(AttrRnglistsBase)
}

// readTree reads all entries behind the first.
func (u *Unit) readTree() error {
	p, err := u.parser()
	if err != nil {
		return err
	}
	u.dies = append(make([]*DIE, 0, (u.End-u.first)/16+1), u.root)
	if !u.hasTree {
		return nil
	}
	p.r.Seek(u.behindTop)
	return p.tree()
}

// tree reads the entries below the root. The stack has, for each open parent, where its children begin
// in pending.
func (p *parser) tree() error {
	type open struct {
		die   *DIE
		first int
	}
	u := p.u
	stack := []open{{die: u.root}}
	var pending []*DIE
	closeTop := func() {
		top := stack[len(stack)-1]
		list := pending[top.first:]
		top.die.Children = p.slabs.children(len(list), p.r.Len()/8)
		copy(top.die.Children, list)
		pending = pending[:top.first]
		stack = stack[:len(stack)-1]
	}
	var err error
	for len(stack) > 0 && p.r.Len() > 0 {
		at := p.r.Offset()
		d, children, e := p.entry()
		if e != nil {
			err = e
			break
		}
		if d == nil {
			top := stack[len(stack)-1].die
			top.hasNull, top.null = true, at
			closeTop()
			continue
		}
		d.Parent = stack[len(stack)-1].die
		pending = append(pending, d)
		u.dies = append(u.dies, d)
		if !children {
			continue
		}
		if len(stack) >= maxDepth {
			err = section.Errorf(u.section.String(), at, "entries nested more than %d deep", maxDepth)
			break
		}
		stack = append(stack, open{d, len(pending)})
	}
	// Producers are known to leave out the last of the entries that end the lists.
	for len(stack) > 0 {
		closeTop()
	}
	return err
}

// entry reads one entry and reports whether children follow; nil for the entry that ends a list.
func (p *parser) entry() (*DIE, bool, error) {
	at := p.r.Offset()
	code := p.r.ULEB()
	if code == 0 {
		return nil, false, p.r.Err()
	}
	ab := p.u.abbrevs.find(code)
	if ab == nil {
		return nil, false, section.Errorf(p.u.section.String(), at,
			"abbreviation code %d is not in the table at 0x%x of %s", code, p.u.AbbrevOffset, abbrevSection)
	}
	p.nattrs -= int64(len(ab.specs))
	if p.nattrs < 0 {
		return nil, false, section.Errorf(p.u.section.String(), at, "more than %d attributes per byte",
			attrsPerByte)
	}
	d := p.slabs.die(p.r.Len() / 4)
	*d = DIE{Unit: p.u, Offset: at, Tag: ab.tag, abbrev: uint32(code),
		Attrs: p.slabs.attributes(len(ab.specs), p.r.Len()/2)}
	for i := range ab.specs {
		a := &d.Attrs[i]
		p.read(a, &ab.specs[i])
		if ab.specs[i].leads && p.u.root != nil {
			p.resolve(a)
		}
	}
	if err := p.r.Err(); err != nil {
		return nil, false, fmt.Errorf("%v at 0x%x: %w", ab.tag, at, err)
	}
	return d, ab.children, nil
}

// read reads one attribute as it is written.
func (p *parser) read(a *Attr, s *attrSpec) {
	a.Name, a.Form, a.Class = s.name, s.form, s.class
	if s.form == FormIndirect {
		p.readIndirect(a)
		return
	}
	if s.form == FormImplicitConst {
		a.Val, a.Raw = uint64(s.implicit), uint64(s.implicit)
		return
	}
	p.readForm(a)
}

func (p *parser) readIndirect(a *Attr) {
	a.Indirect = true
	a.Form = Form(number16(&p.r, "form"))
	a.Class = classOf(a.Name, a.Form, p.u.Version)
	switch {
	case a.Form == FormImplicitConst:
		a.Val = uint64(p.r.SLEB())
		a.Raw = a.Val
	case a.Class == 0: // unknown, or DW_FORM_indirect again
		p.r.Fail("form 0x%x after DW_FORM_indirect in %v", uint16(a.Form), a.Name)
	default:
		p.readForm(a)
	}
}

func (p *parser) readForm(a *Attr) {
	r, u := &p.r, p.u
	switch a.Form {
	case FormAddr:
		a.Raw = r.Uint(int(u.AddrSize))
	case FormData1, FormFlag, FormRef1, FormStrx1, FormAddrx1:
		a.Raw = uint64(r.U8())
	case FormData2, FormRef2, FormStrx2, FormAddrx2:
		a.Raw = r.Uint(2)
	case FormStrx3, FormAddrx3:
		a.Raw = r.Uint(3)
	case FormData4, FormRef4, FormRefSup4, FormStrx4, FormAddrx4:
		a.Raw = r.Uint(4)
	case FormData8, FormRef8, FormRefSup8, FormRefSig8:
		a.Raw = r.Uint(8)
	case FormUdata, FormRefUdata, FormStrx, FormAddrx, FormLoclistx, FormRnglistx, FormGNUAddrIndex,
		FormGNUStrIndex:
		a.Raw = r.ULEB()
	case FormSdata:
		a.Raw = uint64(r.SLEB())
	case FormStrp, FormLineStrp, FormSecOffset, FormStrpSup, FormGNURefAlt, FormGNUStrpAlt:
		a.Raw = r.SectionOffset(u.Is64)
	case FormRefAddr:
		a.Raw = r.Uint(u.refAddrSize())
	case FormFlagPresent:
		a.Raw = 1
	case FormString:
		a.Bytes = r.CString()
	case FormBlock1:
		a.Bytes = r.Bytes(uint64(r.U8()))
	case FormBlock2:
		a.Bytes = r.Bytes(r.Uint(2))
	case FormBlock4:
		a.Bytes = r.Bytes(r.Uint(4))
	case FormBlock, FormExprloc:
		a.Bytes = r.Bytes(r.ULEB())
	case FormData16:
		a.Bytes = r.Bytes(16)
	case FormLLVMAddrxOffset:
		a.Raw = r.ULEB() // the index; the offset to add follows
		a.Val = r.Uint(4)
		return
	}
	a.Val = a.Raw
}

// refAddrSize is the size of DW_FORM_ref_addr: an address in version 2, an offset since version 3.
func (u *Unit) refAddrSize() int {
	switch {
	case u.Version == 2:
		return int(u.AddrSize)
	case u.Is64:
		return 8
	}
	return 4
}

// resolve finds what an attribute's number leads to. What cannot be found is no reason to give up the
// unit: the attribute stays as it was read and the unit complains.
func (p *parser) resolve(a *Attr) {
	switch a.Form {
	case FormRef1, FormRef2, FormRef4, FormRef8, FormRefUdata:
		a.Val = p.u.Offset + a.Raw
	case FormStrp:
		a.Bytes = p.stringAt(&p.str, a.Raw)
	case FormLineStrp:
		a.Bytes = p.stringAt(&p.lineStr, a.Raw)
	case FormStrx, FormStrx1, FormStrx2, FormStrx3, FormStrx4, FormGNUStrIndex:
		offset, err := p.u.strOffset(a.Raw)
		if err != nil {
			p.u.complain(err)
			return
		}
		a.Bytes = p.stringAt(&p.str, offset)
	case FormAddrx, FormAddrx1, FormAddrx2, FormAddrx3, FormAddrx4, FormGNUAddrIndex:
		p.resolveAddr(a, 0)
	case FormLLVMAddrxOffset:
		p.resolveAddr(a, a.Val)
	case FormLoclistx:
		p.resolveList(a, p.u.locListOffset)
	case FormRnglistx:
		p.resolveList(a, p.u.rngListOffset)
	}
}

func (p *parser) resolveAddr(a *Attr, offset uint64) {
	addr, err := p.u.Addr(a.Raw)
	if err != nil {
		p.u.complain(err)
		return
	}
	a.Val = addr + offset
}

func (p *parser) resolveList(a *Attr, find func(uint64) (uint64, error)) {
	offset, err := find(a.Raw)
	if err != nil {
		p.u.complain(err)
		return
	}
	a.Val = offset
}

func (p *parser) stringAt(sec *section.Reader, offset uint64) []byte {
	if p.nstring <= 0 {
		p.u.complain(section.Errorf(p.u.section.String(), p.u.Offset,
			"strings of more than %d bytes per byte of the unit", stringBytesPerByte))
		return nil
	}
	r := sec.At(offset)
	n := r.Len()
	s := r.CString()
	if err := r.Err(); err != nil {
		p.nstring -= int64(n)
		p.u.complain(err)
		return nil
	}
	p.nstring -= int64(len(s))
	return s
}
