package dwarf

import (
	"encoding/binary"
	"errors"
	"fmt"

	"simtgdb/dwarf/internal/section"
	"simtgdb/dwarf/line"
)

// An OutUnit is a unit to be written.
type OutUnit struct {
	Version   uint16 // 2 to 5
	AddrSize  uint8  // 4 or 8
	Is64      bool
	Type      UnitKind // 0 means UnitCompile
	Signature uint64   // of a type unit
	TypeDIE   *DIE     // of a type unit
	DWOID     uint64   // of a skeleton unit
	Root      *DIE
	// Lines becomes the unit's line table. Write gives the root a DW_AT_stmt_list for it, and takes that
	// attribute away where Lines is nil. Units may share one table.
	Lines *line.Table
	// Addrs becomes the unit's part of .debug_addr, and the root gets a DW_AT_addr_base for it. It is for
	// expressions with DW_OP_addrx and DW_OP_constx. It needs version 5.
	Addrs []uint64
	// Macros become the unit's part of .debug_macro, and the root gets a DW_AT_macros for it.
	Macros []Macro
}

// WriteOptions for Write.
type WriteOptions struct {
	BigEndian bool
}

// Write makes the debug sections of units, by the names they have in an object. The entries are those of
// the trees. References must lead to entries of these units. Forms that need tables on the side
// (DW_FORM_strx, DW_FORM_addrx, DW_FORM_loclistx, DW_FORM_rnglistx) are replaced by those that do not, and
// forms that the version lacks by older ones. Attributes that point into sections that Write does not
// make (GNU view lists) and the bases of such tables are left out. Expressions are written as
// they are, but for their ExprRefs.
//
// A default location is written as a last entry for all addresses, since gdb 13 does not read
// DW_LLE_default_location and takes the first entry that fits.
func Write(units []*OutUnit, o WriteOptions) (map[string][]byte, error) {
	w := &writer{
		order: binary.LittleEndian, big: o.BigEndian,
		str:     newStringTable(),
		lineStr: newStringTable(),
		place:   make(map[*DIE]place),
		tables:  make(map[*line.Table]uint64),
	}
	if o.BigEndian {
		w.order = binary.BigEndian
	}
	for _, u := range units {
		if err := w.unit(u); err != nil {
			return nil, fmt.Errorf("unit %q: %w", u.name(), err)
		}
	}
	if err := w.patch(); err != nil {
		return nil, err
	}
	out := make(map[string][]byte)
	for name, b := range map[string][]byte{
		".debug_info": w.info.b, ".debug_types": w.types.b, ".debug_abbrev": w.abbrev.b,
		".debug_str": w.str.b, ".debug_line_str": w.lineStr.b, ".debug_line": w.line,
		".debug_loc": w.loc.b, ".debug_loclists": w.locLists.b,
		".debug_ranges": w.ranges.b, ".debug_rnglists": w.rngLists.b,
		".debug_addr":    w.addr.b,
		".debug_macro":   w.macro.b,
		".debug_aranges": w.aranges.b,
	} {
		if len(b) > 0 {
			out[name] = b
		}
	}
	return out, nil
}

func (u *OutUnit) name() string {
	if u.Root == nil {
		return ""
	}
	return u.Root.Name()
}

// A buffer is a section that is written.
type buffer struct{ b []byte }

func (b *buffer) len() uint64    { return uint64(len(b.b)) }
func (b *buffer) uleb(v uint64)  { b.b = section.AppendULEB(b.b, v) }
func (b *buffer) bytes(p []byte) { b.b = append(b.b, p...) }

type stringTable struct {
	b       []byte
	offsets map[string]uint64
}

func newStringTable() *stringTable { return &stringTable{offsets: make(map[string]uint64)} }

func (t *stringTable) add(s string) uint64 {
	if offset, ok := t.offsets[s]; ok {
		return offset
	}
	offset := uint64(len(t.b))
	t.offsets[s] = offset
	t.b = append(append(t.b, s...), 0)
	return offset
}

// A place is where an entry was written.
type place struct {
	unit   *outUnit
	offset uint64 // in the section
}

// A fixup is a number that waits for the place of an entry.
type fixup struct {
	in       *outUnit
	pos      uint64
	size     int
	kind     ExprRefKind
	target   *DIE
	from     *DIE
	name     At
	inBuffer *buffer
}

type writer struct {
	order  binary.AppendByteOrder
	big    bool
	info   buffer
	types  buffer
	abbrev buffer

	str, lineStr     *stringTable
	line             []byte
	loc, locLists    buffer
	ranges, rngLists buffer
	addr, aranges    buffer
	macro            buffer

	place  map[*DIE]place
	fixups []fixup
	tables map[*line.Table]uint64
}

// An outUnit is a unit while it is written.
type outUnit struct {
	*OutUnit
	w       *writer
	buf     *buffer // of the entries
	start   uint64
	base    uint64 // the base address of its lists
	addrs   uint64 // where its addresses are in .debug_addr
	macros  uint64 // where its macros are in .debug_macro
	codes   map[string]uint64
	locHead int // positions behind the lengths of its parts of .debug_loclists and .debug_rnglists
	rngHead int
}

func (w *writer) uint(b *buffer, size int, v uint64) {
	if w.big {
		for i := size - 1; i >= 0; i-- {
			b.b = append(b.b, byte(v>>(8*i)))
		}
		return
	}
	for i := range size {
		b.b = append(b.b, byte(v>>(8*i)))
	}
}

func (u *OutUnit) offsetSize() int {
	if u.Is64 {
		return 8
	}
	return 4
}

// startLength leaves room for an initial length and gives the position behind it, for endLength.
func (u *outUnit) startLength(b *buffer) int {
	if u.Is64 {
		b.bytes([]byte{0xff, 0xff, 0xff, 0xff})
	}
	u.w.uint(b, u.offsetSize(), 0)
	return len(b.b)
}

func (u *outUnit) endLength(b *buffer, behind int) error {
	n := uint64(len(b.b) - behind)
	if !u.Is64 && n >= 0xfffffff0 {
		return fmt.Errorf("0x%x bytes do not fit the 32-bit format", n)
	}
	u.w.overwrite(b, uint64(behind-u.offsetSize()), u.offsetSize(), n)
	return nil
}

func (w *writer) overwrite(b *buffer, pos uint64, size int, v uint64) {
	part := buffer{b.b[pos:pos:len(b.b)]}
	w.uint(&part, size, v)
}

func (w *writer) unit(in *OutUnit) error {
	u := &outUnit{OutUnit: in, w: w, buf: &w.info, codes: make(map[string]uint64)}
	if err := u.check(); err != nil {
		return err
	}
	if u.isType() && u.Version < 5 {
		u.buf = &w.types
	}
	if low := u.Root.attr(AttrLowPC); low != nil && low.Class == ClassAddress {
		u.base = low.Val
	}
	if err := u.lineTable(); err != nil {
		return err
	}
	if err := errors.Join(u.addrTable(), u.macroTable()); err != nil {
		return err
	}
	u.start = u.buf.len()
	behind := u.startLength(u.buf)
	typeOffset := u.header()
	if err := u.entry(u.Root); err != nil {
		return err
	}
	if typeOffset != 0 {
		p, ok := w.place[u.TypeDIE]
		if !ok || p.unit != u {
			return fmt.Errorf("the type of a type unit is not in it")
		}
		w.overwrite(u.buf, typeOffset, u.offsetSize(), p.offset-u.start)
	}
	w.abbrev.uleb(0)
	return u.close(behind)
}

func (u *outUnit) close(behind int) error {
	if err := u.endLength(u.buf, behind); err != nil {
		return err
	}
	if u.locHead != 0 {
		if err := u.endLength(&u.w.locLists, u.locHead); err != nil {
			return err
		}
	}
	if u.rngHead != 0 {
		if err := u.endLength(&u.w.rngLists, u.rngHead); err != nil {
			return err
		}
	}
	return u.arangesTable()
}

func (u *outUnit) check() error {
	switch {
	case u.Root == nil:
		return fmt.Errorf("no entry")
	case u.Version < 2 || u.Version > 5:
		return fmt.Errorf("version %d, versions 2 to 5 are known", u.Version)
	case u.AddrSize != 4 && u.AddrSize != 8:
		return fmt.Errorf("addresses of %d bytes, 4 and 8 can be written", u.AddrSize)
	case len(u.Addrs) > 0 && u.Version < 5:
		return fmt.Errorf("addresses for .debug_addr in a unit of version %d, they came with version 5",
			u.Version)
	case u.isType() && u.Version < 4:
		return fmt.Errorf("type unit of version %d, they came with version 4", u.Version)
	}
	return nil
}

func (u *OutUnit) kind() UnitKind {
	if u.Type == 0 {
		return UnitCompile
	}
	return u.Type
}

func (u *OutUnit) isType() bool { return u.kind().IsType() }

// header writes the unit header behind the length and gives the position of the type offset.
func (u *outUnit) header() (typeOffset uint64) {
	w, b := u.w, u.buf
	w.uint(b, 2, uint64(u.Version))
	if u.Version >= 5 {
		b.bytes([]byte{byte(u.kind()), u.AddrSize})
	}
	w.uint(b, u.offsetSize(), w.abbrev.len())
	if u.Version < 5 {
		b.bytes([]byte{u.AddrSize})
	}
	switch {
	case u.isType():
		w.uint(b, 8, u.Signature)
		typeOffset = b.len()
		w.uint(b, u.offsetSize(), 0)
	case u.Version >= 5 && (u.kind() == UnitSkeleton || u.kind() == UnitSplitCompile):
		w.uint(b, 8, u.DWOID)
	}
	return typeOffset
}

func (u *outUnit) lineTable() error {
	if u.Lines == nil {
		return nil
	}
	if _, done := u.w.tables[u.Lines]; done {
		return nil
	}
	offset := uint64(len(u.w.line))
	b, err := u.Lines.Append(u.w.line, line.EncodeOptions{
		BigEndian: u.w.big, AddrSize: int(u.AddrSize), LineStr: u.w.lineStr.add,
	})
	if err != nil {
		return err
	}
	u.w.line = b
	u.w.tables[u.Lines] = offset
	return nil
}

// addrTable writes the unit's part of .debug_addr (DWARF 5 section 7.27).
func (u *outUnit) addrTable() error {
	if len(u.Addrs) == 0 {
		return nil
	}
	b := &u.w.addr
	behind := u.startLength(b)
	u.w.uint(b, 2, 5)
	b.bytes([]byte{u.AddrSize, 0})
	u.addrs = b.len()
	for _, a := range u.Addrs {
		u.w.uint(b, int(u.AddrSize), a)
	}
	return u.endLength(b, behind)
}

// entry writes an entry and those below it. The attributes come first as values, since their forms make
// the abbreviation, whose code stands in front.
func (u *outUnit) entry(d *DIE) error {
	if _, twice := u.w.place[d]; twice {
		return fmt.Errorf("%v %q is in the trees twice", d.Tag, d.Name())
	}
	u.w.place[d] = place{u, u.buf.len()}
	values, err := u.values(d)
	if err != nil {
		return fmt.Errorf("%v %q: %w", d.Tag, d.Name(), err)
	}
	u.buf.uleb(u.code(d, values))
	for i := range values {
		v := &values[i]
		for _, f := range v.fixups {
			f.in, f.from, f.name, f.inBuffer = u, d, v.name, u.buf
			f.pos += u.buf.len()
			u.w.fixups = append(u.w.fixups, f)
		}
		u.buf.bytes(v.bytes)
	}
	if len(d.Children) == 0 {
		return nil
	}
	for _, c := range d.Children {
		if err := u.entry(c); err != nil {
			return err
		}
	}
	u.buf.uleb(0)
	return nil
}

// code gives the code of the abbreviation for an entry and writes the abbreviation if it is new.
func (u *outUnit) code(d *DIE, values []outValue) uint64 {
	var a buffer
	a.uleb(uint64(d.Tag))
	hasChildren := byte(0)
	if len(d.Children) > 0 {
		hasChildren = 1
	}
	a.bytes([]byte{hasChildren})
	for _, v := range values {
		a.uleb(uint64(v.name))
		a.uleb(uint64(v.form))
		if v.form == FormImplicitConst {
			a.b = section.AppendSLEB(a.b, v.implicit)
		}
	}
	a.bytes([]byte{0, 0})
	code, ok := u.codes[string(a.b)]
	if !ok {
		code = uint64(len(u.codes)) + 1
		u.codes[string(a.b)] = code
		u.w.abbrev.uleb(code)
		u.w.abbrev.bytes(a.b)
	}
	return code
}

// patch fills in the places of entries.
func (w *writer) patch() error {
	for _, f := range w.fixups {
		p, ok := w.place[f.target]
		if !ok {
			return fmt.Errorf("%v %q: %v leads to %v %q, which is not written", f.from.Tag, f.from.Name(),
				f.name, f.target.Tag, f.target.Name())
		}
		v := p.offset
		if f.kind != RefSection {
			if p.unit != f.in {
				return fmt.Errorf("%v %q: %v leads to another unit by an offset in its own", f.from.Tag,
					f.from.Name(), f.name)
			}
			v -= p.unit.start
		}
		if f.kind == RefUnitLEB {
			if err := overwriteLEB(f.inBuffer.b[f.pos:f.pos+uint64(f.size)], v); err != nil {
				return fmt.Errorf("%v %q: %v: %w", f.from.Tag, f.from.Name(), f.name, err)
			}
			continue
		}
		if f.size < 8 && v>>(8*f.size) != 0 {
			return fmt.Errorf("%v %q: %v: offset 0x%x does not fit %d bytes", f.from.Tag, f.from.Name(),
				f.name, v, f.size)
		}
		w.overwrite(f.inBuffer, f.pos, f.size, v)
	}
	return nil
}

// overwriteLEB writes a number padded to the length of b.
func overwriteLEB(b []byte, v uint64) error {
	n := v
	for i := range b {
		b[i] = byte(n) | 0x80
		n >>= 7
	}
	if len(b) == 0 || n != 0 {
		return fmt.Errorf("offset 0x%x does not fit a LEB128 number of %d bytes", v, len(b))
	}
	b[len(b)-1] &^= 0x80
	return nil
}
