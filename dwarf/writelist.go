package dwarf

import "fmt"

// The numbers of the entries that are written (DWARF 5 sections 7.7.3 and 7.25).
const (
	lleEndOfList   = 0x00
	lleStartEnd    = 0x07
	lleStartLength = 0x08
	rleEndOfList   = 0x00
	rleStartLength = 0x07
)

func (u *outUnit) maxAddr() uint64 { return ^uint64(0) >> (64 - 8*uint(u.AddrSize)) }

// locList writes a location list. One that is a default and nothing else is an expression.
func (u *outUnit) locList(v *outValue, d *DIE, a *Attr) error {
	locs, err := d.locList(a)
	if err != nil {
		return err
	}
	if len(locs) == 1 && locs[0].Default {
		one := ExprAttr(a.Name, locs[0].Expr, locs[0].Refs...)
		return u.expression(v, &one)
	}
	ordered := make([]LocEntry, 0, len(locs))
	for _, l := range locs {
		if !l.Default && l.Low <= l.High {
			ordered = append(ordered, l)
		}
	}
	for _, l := range locs {
		if l.Default {
			l.Low, l.High = 0, u.maxAddr()-1
			ordered = append(ordered, l)
		}
	}
	var offset uint64
	if u.Version >= 5 {
		offset, err = u.locList5(ordered, d, a.Name)
	} else {
		offset, err = u.locList2(ordered, d, a.Name)
	}
	u.sectionOffset(v, offset)
	return err
}

func (d *DIE) locList(a *Attr) ([]LocEntry, error) {
	if a.list == nil && d.Unit == nil {
		return nil, fmt.Errorf("a location list at 0x%x, but no unit to read it from", a.Val)
	}
	return d.Unit.LocList(*a)
}

func (u *outUnit) locList5(locs []LocEntry, d *DIE, name At) (uint64, error) {
	w, b := u.w, &u.w.locLists
	if u.locHead == 0 {
		u.locHead = u.listHeader(b)
	}
	offset := b.len()
	for _, l := range locs {
		if l.Default {
			b.bytes([]byte{lleStartEnd})
			w.uint(b, int(u.AddrSize), l.Low)
			w.uint(b, int(u.AddrSize), l.High)
		} else {
			b.bytes([]byte{lleStartLength})
			w.uint(b, int(u.AddrSize), l.Low)
			b.uleb(l.High - l.Low)
		}
		b.uleb(uint64(len(l.Expr)))
		if err := u.listExpr(b, l, d, name); err != nil {
			return 0, err
		}
	}
	b.bytes([]byte{lleEndOfList})
	return offset, nil
}

// listHeader starts the unit's part of .debug_loclists or .debug_rnglists (DWARF 5 sections 7.28, 7.29),
// without a table of offsets.
func (u *outUnit) listHeader(b *buffer) int {
	behind := u.startLength(b)
	u.w.uint(b, 2, 5)
	b.bytes([]byte{u.AddrSize, 0})
	u.w.uint(b, 4, 0)
	return behind
}

func (u *outUnit) listExpr(b *buffer, l LocEntry, d *DIE, name At) error {
	for _, ref := range l.Refs {
		f, err := newFixup(ref, b.len(), len(l.Expr))
		if err != nil {
			return err
		}
		f.in, f.from, f.name, f.inBuffer = u, d, name, b
		u.w.fixups = append(u.w.fixups, f)
	}
	b.bytes(l.Expr)
	return nil
}

// baseEntry writes the entry that makes the addresses of a list before version 5 absolute, where they
// cannot count from the unit's base address, and gives the base.
func (u *outUnit) baseEntry(b *buffer, lowest uint64) uint64 {
	if lowest >= u.base {
		return u.base
	}
	u.w.uint(b, int(u.AddrSize), u.maxAddr())
	u.w.uint(b, int(u.AddrSize), 0)
	return 0
}

func (u *outUnit) pair(b *buffer, low, high uint64) {
	u.w.uint(b, int(u.AddrSize), low)
	u.w.uint(b, int(u.AddrSize), high)
}

func (u *outUnit) locList2(locs []LocEntry, d *DIE, name At) (uint64, error) {
	b := &u.w.loc
	offset := b.len()
	lowest := u.base
	for _, l := range locs {
		lowest = min(lowest, l.Low)
	}
	base := u.baseEntry(b, lowest)
	for _, l := range locs {
		if len(l.Expr) > 0xffff {
			return 0, fmt.Errorf("expression of %d bytes, .debug_loc has room for 65535", len(l.Expr))
		}
		if l.High == base { // an empty entry that would end the list
			continue
		}
		u.pair(b, l.Low-base, l.High-base)
		u.w.uint(b, 2, uint64(len(l.Expr)))
		if err := u.listExpr(b, l, d, name); err != nil {
			return 0, err
		}
	}
	u.pair(b, 0, 0)
	return offset, nil
}

func (u *outUnit) rangeList(v *outValue, d *DIE, a *Attr) error {
	if a.list == nil && d.Unit == nil {
		return fmt.Errorf("a range list at 0x%x, but no unit to read it from", a.Val)
	}
	ranges, err := d.Unit.RangeList(*a)
	if err != nil {
		return err
	}
	if u.Version >= 5 {
		u.sectionOffset(v, u.rangeList5(ranges))
	} else {
		u.sectionOffset(v, u.rangeList2(ranges))
	}
	return nil
}

func (u *outUnit) rangeList5(ranges []Range) uint64 {
	b := &u.w.rngLists
	if u.rngHead == 0 {
		u.rngHead = u.listHeader(b)
	}
	offset := b.len()
	for _, r := range ranges {
		if r.Low >= r.High {
			continue
		}
		b.bytes([]byte{rleStartLength})
		u.w.uint(b, int(u.AddrSize), r.Low)
		b.uleb(r.High - r.Low)
	}
	b.bytes([]byte{rleEndOfList})
	return offset
}

func (u *outUnit) rangeList2(ranges []Range) uint64 {
	b := &u.w.ranges
	offset := b.len()
	lowest := u.base
	for _, r := range ranges {
		lowest = min(lowest, r.Low)
	}
	base := u.baseEntry(b, lowest)
	for _, r := range ranges {
		if r.Low < r.High {
			u.pair(b, r.Low-base, r.High-base)
		}
	}
	u.pair(b, 0, 0)
	return offset
}

// arangesTable writes the unit's part of .debug_aranges (DWARF 5 section 6.1.2).
func (u *outUnit) arangesTable() error {
	ranges := u.codeRanges()
	if u.isType() || len(ranges) == 0 {
		return nil
	}
	b := &u.w.aranges
	start := len(b.b)
	behind := u.startLength(b)
	u.w.uint(b, 2, 2)
	u.w.uint(b, u.offsetSize(), u.start)
	b.bytes([]byte{u.AddrSize, 0})
	for (len(b.b)-start)%(2*int(u.AddrSize)) != 0 { // the pairs are aligned in the table
		b.bytes([]byte{0})
	}
	for _, r := range ranges {
		u.pair(b, r.Low, r.High-r.Low)
	}
	u.pair(b, 0, 0)
	return u.endLength(b, behind)
}

// codeRanges gives the addresses of the unit: those of its root, else those of its functions.
func (u *outUnit) codeRanges() []Range {
	if u.Root.attr(AttrRanges) != nil || u.Root.attr(AttrHighPC) != nil {
		ranges, _ := u.Root.Ranges()
		return ranges
	}
	var all []Range
	u.Root.Walk(func(d *DIE) bool {
		if d.Tag == TagSubprogram {
			ranges, _ := d.Ranges()
			all = append(all, ranges...)
		}
		return true
	})
	return all
}
