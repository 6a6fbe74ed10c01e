package dwarf

import (
	"fmt"
	"iter"

	"simtgdb/dwarf/internal/section"
)

// A Range is the addresses from Low up to and without High.
type Range struct{ Low, High uint64 }

// Contains reports whether the range has pc.
func (r Range) Contains(pc uint64) bool { return r.Low <= pc && pc < r.High }

// A LocEntry says which expression holds for which addresses. Where Default is set it holds for all
// addresses that no other entry of the list has.
type LocEntry struct {
	Low, High uint64
	Default   bool
	Expr      []byte
	Refs      []ExprRef // of an entry that was made
}

// An ExprRef is a place in an expression where the offset of an entry stands, for writing: Write puts the
// offset of Target there.
type ExprRef struct {
	Pos, Size int
	Kind      ExprRefKind
	Target    *DIE
}

// An ExprRefKind says what an offset counts from and how it is written.
type ExprRefKind uint8

const (
	// RefUnitLEB is an ULEB128 number, padded to Size, that counts from the start of the unit
	// (DW_OP_convert and other typed operations).
	RefUnitLEB ExprRefKind = iota
	// RefUnitFixed is a number of Size bytes that counts from the start of the unit (DW_OP_call4).
	RefUnitFixed
	// RefSection is a number of Size bytes that counts from the start of .debug_info (DW_OP_call_ref,
	// DW_OP_implicit_pointer).
	RefSection
)

// list has what an attribute that was made has besides bytes and a number.
type list struct {
	locs   []LocEntry
	ranges []Range
	refs   []ExprRef // of an expression
}

// A ListKind is the kind of an entry of a location list (DWARF 5 section 7.7.3). The entries of range
// lists, which are numbered differently, and those of the lists before version 5, which have no number,
// are given the same kinds.
type ListKind uint8

// List entry kinds, with the numbers of location lists.
const (
	ListEnd ListKind = iota
	ListBaseAddressx
	ListStartxEndx
	ListStartxLength
	ListOffsetPair
	ListDefaultLocation
	ListBaseAddress
	ListStartEnd
	ListStartLength
	ListGNUViewPair
)

var listKindNames = [...]string{
	"end_of_list", "base_addressx", "startx_endx", "startx_length", "offset_pair", "default_location",
	"base_address", "start_end", "start_length", "GNU_view_pair",
}

func (k ListKind) String() string {
	if int(k) < len(listKindNames) {
		return listKindNames[k]
	}
	return fmt.Sprintf("unknown_%x", uint8(k))
}

// rangeKinds gives the kind for a number in .debug_rnglists (DWARF 5 section 7.25).
var rangeKinds = [...]ListKind{
	ListEnd, ListBaseAddressx, ListStartxEndx, ListStartxLength, ListOffsetPair, ListBaseAddress,
	ListStartEnd, ListStartLength,
}

// A ListEntry is an entry of a location or range list as it is written.
type ListEntry struct {
	Offset uint64 // in the section
	End    uint64 // offset behind it
	Kind   ListKind
	A, B   uint64 // the operands: addresses, indexes, offsets, lengths, views
	Expr   []byte // of a location list
}

// A listReader reads the entries of one list, of whatever section.
type listReader struct {
	r         section.Reader
	data      []byte // of the section
	locations bool
	version5  bool // .debug_loclists and .debug_rnglists
	addrSize  int
}

func (l *listReader) next() (ListEntry, error) {
	e := ListEntry{Offset: l.r.Offset()}
	if l.version5 {
		l.next5(&e)
	} else {
		l.next2(&e)
	}
	e.End = l.r.Offset()
	return e, l.r.Err()
}

// next2 reads an entry of .debug_loc or .debug_ranges (DWARF 4 sections 2.6.2 and 2.17.3).
func (l *listReader) next2(e *ListEntry) {
	e.A, e.B = l.r.Uint(l.addrSize), l.r.Uint(l.addrSize)
	switch {
	case e.A == 0 && e.B == 0:
		e.Kind = ListEnd
	case e.A == ^uint64(0)>>(64-8*uint(l.addrSize)):
		e.Kind, e.A = ListBaseAddress, e.B
		e.B = 0
	default:
		e.Kind = ListOffsetPair
		if l.locations {
			e.Expr = l.r.Bytes(l.r.Uint(2))
		}
	}
}

func (l *listReader) next5(e *ListEntry) {
	code := l.r.U8()
	e.Kind = ListKind(code)
	if !l.locations {
		if int(code) >= len(rangeKinds) {
			l.r.Fail("unknown range list entry kind 0x%x", code)
			return
		}
		e.Kind = rangeKinds[code]
	}
	switch e.Kind {
	case ListEnd, ListDefaultLocation:
	case ListBaseAddressx:
		e.A = l.r.ULEB()
	case ListBaseAddress:
		e.A = l.r.Uint(l.addrSize)
	case ListStartxEndx, ListStartxLength, ListOffsetPair, ListGNUViewPair:
		e.A, e.B = l.r.ULEB(), l.r.ULEB()
	case ListStartEnd:
		e.A, e.B = l.r.Uint(l.addrSize), l.r.Uint(l.addrSize)
	case ListStartLength:
		e.A, e.B = l.r.Uint(l.addrSize), l.r.ULEB()
	default:
		l.r.Fail("unknown location list entry kind 0x%x", code)
		return
	}
	if l.locations && e.Kind.HasExpr() {
		e.Expr = l.r.Bytes(l.r.ULEB())
	}
}

// HasExpr reports whether entries of a location list of this kind have an expression.
func (k ListKind) HasExpr() bool {
	switch k {
	case ListEnd, ListBaseAddress, ListBaseAddressx, ListGNUViewPair:
		return false
	}
	return true
}

// A listResolver turns entries into addresses. It keeps the base address, which entries change.
type listResolver struct {
	u    *Unit
	base uint64
}

// resolve gives the addresses of an entry; false for an entry that has none.
func (l *listResolver) resolve(e ListEntry) (Range, bool, error) {
	var r Range
	var err error
	switch e.Kind {
	case ListEnd, ListGNUViewPair:
		return r, false, nil
	case ListBaseAddress:
		l.base = e.A
		return r, false, nil
	case ListBaseAddressx:
		l.base, err = l.u.Addr(e.A)
		return r, false, err
	case ListDefaultLocation:
		return r, true, nil
	case ListOffsetPair:
		r = Range{l.base + e.A, l.base + e.B}
	case ListStartEnd:
		r = Range{e.A, e.B}
	case ListStartLength:
		r = Range{e.A, e.A + e.B}
	case ListStartxEndx:
		if r.Low, err = l.u.Addr(e.A); err == nil {
			r.High, err = l.u.Addr(e.B)
		}
	case ListStartxLength:
		r.Low, err = l.u.Addr(e.A)
		r.High = r.Low + e.B
	}
	return r, err == nil, err
}

// removed reports whether the linker has marked the code of an entry as removed: it writes the highest
// address for its start, or the one below where the highest has a meaning of its own.
func (l *listResolver) removed(e ListEntry, r Range) bool {
	top := l.u.maxAddr()
	if e.Kind == ListOffsetPair {
		return l.base >= top-1 || l.u.Version < 5 && r.Low == top-1
	}
	return e.Kind != ListDefaultLocation && r.Low >= top-1
}

func (u *Unit) listReader(locations bool, offset uint64) listReader {
	s := &u.Data.sec
	l := listReader{locations: locations, version5: u.Version >= 5, addrSize: int(u.AddrSize)}
	name, data := ".debug_ranges", s.Ranges
	switch {
	case locations && l.version5:
		name, data = ".debug_loclists", s.LocLists
	case locations:
		name, data = ".debug_loc", s.Loc
	case l.version5:
		name, data = ".debug_rnglists", s.RngLists
	}
	all := section.NewReader(name, data, u.Data.big)
	l.r, l.data = all.At(offset), data
	return l
}

// EachListEntry calls f for each entry of an attribute's list that has addresses, and for a default
// location, until f gives false. The attribute was read, and has class loclist or rnglist.
func (u *Unit) EachListEntry(a Attr, f func(ListEntry, Range) bool) error {
	return u.readList(a.Class == ClassLocList, a.Val, f)
}

// RangeEntries gives the entries of .debug_ranges, or of .debug_rnglists of version 5, between two offsets as
// they are written, list after list. An error is the last that comes.
func (d *Data) RangeEntries(version5 bool, addrSize int, from, to uint64) iter.Seq2[ListEntry, error] {
	name, data := ".debug_ranges", d.sec.Ranges
	if version5 {
		name, data = ".debug_rnglists", d.sec.RngLists
	}
	all := section.NewReader(name, data, d.big)
	l := listReader{r: all.At(from), version5: version5, addrSize: addrSize}
	l.r.Limit(to)
	return func(yield func(ListEntry, error) bool) {
		for l.r.Len() > 0 || l.r.Err() != nil {
			if e, err := l.next(); !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// readList calls f for each entry that has addresses, and for a default location, until f gives false.
func (u *Unit) readList(locations bool, offset uint64, f func(ListEntry, Range) bool) error {
	if _, err := u.Top(); err != nil { // for the bases
		return err
	}
	l := u.listReader(locations, offset)
	res := listResolver{u: u, base: u.bases.low}
	for {
		e, err := l.next()
		if err != nil {
			return err
		}
		if e.Kind == ListEnd {
			return nil
		}
		r, has, err := res.resolve(e)
		if err != nil {
			return fmt.Errorf("list entry at 0x%x: %w", e.Offset, err)
		}
		if has && !res.removed(e, r) && !f(e, r) {
			return nil
		}
	}
}

// ListEntries gives the entries of the list of an attribute as they are written, with the one that ends
// it. The attribute has class loclist or rnglist.
func (u *Unit) ListEntries(a Attr) ([]ListEntry, error) {
	if a.Class != ClassLocList && a.Class != ClassRngList {
		return nil, fmt.Errorf("%v has class %v, no list", a.Name, a.Class)
	}
	l := u.listReader(a.Class == ClassLocList, a.Val)
	var entries []ListEntry
	for {
		e, err := l.next()
		if err != nil {
			return entries, err
		}
		entries = append(entries, e)
		if e.Kind == ListEnd {
			return entries, nil
		}
	}
}

// LocList gives the locations of an attribute with the addresses they hold for. An attribute with one
// expression gives one default entry. Entries may be empty: GCC tells them apart by view numbers.
func (u *Unit) LocList(a Attr) ([]LocEntry, error) {
	switch {
	case a.Class == ClassLocList && a.list != nil:
		return a.list.locs, nil
	case a.Class == ClassExprLoc:
		return []LocEntry{{Default: true, Expr: a.Bytes}}, nil
	case a.Class != ClassLocList:
		return nil, fmt.Errorf("%v has class %v, expected a location", a.Name, a.Class)
	}
	var locs []LocEntry
	err := u.readList(true, a.Val, func(e ListEntry, r Range) bool {
		locs = append(locs, LocEntry{Low: r.Low, High: r.High, Default: e.Kind == ListDefaultLocation,
			Expr: e.Expr})
		return true
	})
	return locs, err
}

// RangeList gives the addresses of an attribute of class rnglist. Empty ranges are left out.
func (u *Unit) RangeList(a Attr) ([]Range, error) {
	if a.list != nil {
		return a.list.ranges, nil
	}
	if a.Class != ClassRngList {
		return nil, fmt.Errorf("%v has class %v, expected a range list", a.Name, a.Class)
	}
	var ranges []Range
	err := u.readList(false, a.Val, func(_ ListEntry, r Range) bool {
		if r.Low < r.High {
			ranges = append(ranges, r)
		}
		return true
	})
	return ranges, err
}

// Ranges gives the addresses of the entry, by DW_AT_ranges or by DW_AT_low_pc and DW_AT_high_pc; none
// where it has no code, or where the linker has removed its code.
func (d *DIE) Ranges() ([]Range, error) {
	if a := d.attr(AttrRanges); a != nil {
		if d.Unit == nil && a.list == nil {
			return nil, fmt.Errorf("%v has a range list but no unit", d.Tag)
		}
		return d.Unit.RangeList(*a)
	}
	r, ok := d.LowHigh()
	if !ok || r.Low >= r.High || d.Unit != nil && r.Low >= d.Unit.maxAddr()-1 {
		return nil, nil
	}
	return []Range{r}, nil
}

// Ranges gives the addresses of the unit's code: those of its first entry, else those of its functions.
func (u *Unit) Ranges() ([]Range, error) {
	top, err := u.Top()
	if err != nil {
		return nil, err
	}
	if top.attr(AttrRanges) != nil || top.attr(AttrHighPC) != nil {
		return top.Ranges()
	}
	var ranges []Range
	for _, e := range u.functionIndex().entries {
		ranges = append(ranges, Range{e.low, e.high})
	}
	return ranges, nil
}

func (u *Unit) functionIndex() *pcIndex[*DIE] {
	u.scopesOnce.Do(func() {
		u.Root()
		for _, d := range u.dies {
			if d.Tag != TagSubprogram || u.functions.len() > maxIndexed {
				continue
			}
			ranges, _ := d.Ranges()
			for _, r := range ranges {
				u.functions.add(r.Low, r.High, d)
			}
		}
		u.functions.sort()
	})
	return &u.functions
}

// FunctionAt gives the DW_TAG_subprogram whose code includes pc, or nil.
func (u *Unit) FunctionAt(pc uint64) *DIE {
	d, _ := u.functionIndex().find(pc)
	return d
}

// ScopesAt gives the entries around pc: the DW_TAG_subprogram, then the inlined calls and blocks in it,
// innermost last. It is empty where no function has pc.
func (u *Unit) ScopesAt(pc uint64) []*DIE {
	d := u.FunctionAt(pc)
	var scopes []*DIE
	for d != nil {
		scopes = append(scopes, d)
		d = scopeBelow(d, pc)
	}
	return scopes
}

// isScope has the tags of entries with code that are parts of a function.
var isScope = map[Tag]bool{
	TagLexicalBlock: true, TagInlinedSubroutine: true, TagTryBlock: true, TagCatchBlock: true,
	TagWithStmt: true,
}

func scopeBelow(d *DIE, pc uint64) *DIE {
	for _, c := range d.Children {
		if !isScope[c.Tag] {
			continue
		}
		if c.Covers(pc) {
			return c
		}
		if c.attr(AttrLowPC) == nil && c.attr(AttrRanges) == nil {
			if inner := scopeBelow(c, pc); inner != nil { // a block that is nothing but a bracket
				return inner
			}
		}
	}
	return nil
}

// Covers reports whether the entry has code at pc.
func (d *DIE) Covers(pc uint64) bool {
	ranges, _ := d.Ranges()
	for _, r := range ranges {
		if r.Contains(pc) {
			return true
		}
	}
	return false
}
