package dwarf

import "simtgdb/dwarf/internal/section"

// A Place is where the sections of an object have an address, or an expression, which may have some. Bytes
// are those of the section that New got.
type Place struct {
	Bytes []byte
	Unit  *Unit
	Expr  bool
	Base  bool // what DW_AT_low_pc of a unit has, which its lists count from
}

// Places calls f for each place in .debug_info, .debug_types and the lists of locations and ranges that they
// lead to. Those in the table of addresses are [Data.AddrPlaces], in line tables package line's.
func (d *Data) Places(f func(Place)) error {
	seen := map[listPlace]bool{}
	for _, u := range d.units {
		if err := u.places(f, seen); err != nil {
			return err
		}
	}
	return nil
}

// A listPlace is a list: where it begins, in which of the four sections.
type listPlace struct {
	locations, version5 bool
	offset              uint64
}

// places calls f for each place of the unit, and of its lists that have not been seen.
func (u *Unit) places(f func(Place), seen map[listPlace]bool) error {
	top, err := u.Top()
	if err != nil {
		return err
	}
	p, err := u.parser()
	if err != nil {
		return err
	}
	for p.r.Len() > 0 {
		at := p.r.Offset()
		code := p.r.ULEB()
		if code == 0 {
			continue
		}
		ab := u.abbrevs.find(code)
		if ab == nil {
			return section.Errorf(u.section.String(), at, "abbreviation code %d is not in the table", code)
		}
		for i := range ab.specs {
			var a Attr
			p.read(&a, &ab.specs[i])
			if p.r.Err() != nil {
				return p.r.Err()
			}
			p.resolve(&a)
			if err := p.place(&a, at == top.Offset, f, seen); err != nil {
				return err
			}
		}
	}
	return p.r.Err()
}

// place calls f for what an attribute that was just read has.
func (p *parser) place(a *Attr, top bool, f func(Place), seen map[listPlace]bool) error {
	u := p.u
	switch {
	case a.Form == FormAddr:
		end := p.r.Offset()
		f(Place{Bytes: u.Data.unitBytes(u.section)[end-uint64(u.AddrSize) : end], Unit: u,
			Base: top && a.Name == AttrLowPC})
	case a.Class == ClassExprLoc:
		f(Place{Bytes: a.Bytes, Unit: u, Expr: true})
	case a.Class == ClassLocList || a.Class == ClassRngList:
		list := listPlace{a.Class == ClassLocList, u.Version >= 5, a.Val}
		if seen[list] {
			return nil
		}
		seen[list] = true
		return u.listPlaces(list, f)
	}
	return nil
}

// listPlaces calls f for each place of a list.
func (u *Unit) listPlaces(list listPlace, f func(Place)) error {
	l := u.listReader(list.locations, list.offset)
	data, size := l.data, uint64(u.AddrSize)
	address := func(at uint64) { f(Place{Bytes: data[at : at+size], Unit: u}) }
	for {
		e, err := l.next()
		if err != nil {
			return err
		}
		switch {
		case e.Kind == ListEnd:
			return nil
		case e.Kind == ListBaseAddress && l.version5:
			address(e.Offset + 1)
		case e.Kind == ListBaseAddress:
			address(e.Offset + size)
		case e.Kind == ListStartEnd:
			address(e.Offset + 1)
			address(e.Offset + 1 + size)
		case e.Kind == ListStartLength:
			address(e.Offset + 1)
		}
		if len(e.Expr) > 0 {
			f(Place{Bytes: e.Expr, Unit: u, Expr: true})
		}
	}
}

// AddrOffset is where .debug_addr has an address of the unit.
func (u *Unit) AddrOffset(index uint64) (uint64, error) {
	_, err := u.Addr(index)
	return u.bases.addr + index*uint64(u.AddrSize), err
}

// AddrPlaces calls f for each address of .debug_addr, and where it is in the section. Before version 5 the
// section had no headers: all of it is addresses.
func (d *Data) AddrPlaces(f func(offset uint64, bytes []byte)) error {
	r := section.NewReader(".debug_addr", d.sec.Addr, d.big)
	size, end := 8, uint64(len(d.sec.Addr))
	headers := false
	for _, u := range d.units {
		headers = headers || u.Version >= 5
	}
	for r.Len() > 0 {
		if headers {
			length, _ := r.InitialLength()
			end = r.End(length)
			r.U16()
			if size = int(r.U8()); r.U8() != 0 || size != 4 && size != 8 {
				r.Fail("addresses of %d bytes, or segments", size)
			}
		}
		for r.Err() == nil && r.Offset()+uint64(size) <= end {
			at := r.Offset()
			f(at, r.Bytes(uint64(size)))
		}
		if r.Seek(end); r.Err() != nil {
			return r.Err()
		}
	}
	return nil
}
