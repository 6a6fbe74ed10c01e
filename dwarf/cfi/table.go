package cfi

import (
	"errors"
	"fmt"
	"sort"
	"sync/atomic"
)

// Options say what the section's bytes do not.
type Options struct {
	// EH is set for .eh_frame.
	EH bool
	// Address of the section in memory, and those of the text and data
	// that its pointers may be relative to.
	Address, Text, Data uint64
	// AddressSize in bytes where the section does not say; 0 means 8.
	AddressSize int
	// Arch is the architecture; nil has no defaults.
	Arch *Arch
}

// A Table is a section's call frame information.
type Table struct {
	Options Options
	Entries []Entry // in the order of the section
	byPC    []*FDE
}

// An Entry of a table is a CIE, an FDE, or the terminator of .eh_frame.
type Entry struct {
	Offset uint64
	CIE    *CIE
	FDE    *FDE
}

// A CIE holds what several FDEs share (DWARF 5 section 6.4.1).
type CIE struct {
	Offset          uint64
	Length          uint64
	DWARF64         bool
	ID              uint64
	Version         uint8
	Augmentation    string
	Vendors         []Augmentation // of a vendor augmentation string
	AddressSize     int
	SegmentSize     int
	CodeAlign       uint64
	DataAlign       int64
	ReturnAddress   uint64 // register
	AugmentData     []byte
	PointerEncoding byte
	LSDAEncoding    byte
	Personality     uint64
	HasPersonality  bool
	SignalFrame     bool
	BKey            bool // return addresses are signed with the B key
	Instructions    []byte

	end     int // offset behind the entry
	opaque  error
	options *Options
	initial *state // after the instructions
	bad     error  // why there is none
}

// An FDE describes a range of code.
type FDE struct {
	Offset       uint64
	Length       uint64
	DWARF64      bool
	CIEPointer   uint64
	CIE          *CIE
	Segment      uint64
	Start        uint64
	Range        uint64
	LSDA         uint64
	HasLSDA      bool
	AugmentData  []byte
	Instructions []byte

	last atomic.Pointer[Row] // the row last asked for
}

// End is the first address behind the FDE's code.
func (f *FDE) End() uint64 { return f.Start + f.Range }

// A ParseError says where a section is malformed.
type ParseError struct {
	Offset uint64 // in the section
	Detail string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("call frame information at offset 0x%x: %s", e.Offset, e.Detail)
}

func parseErrorf(offset int, format string, args ...any) error {
	return &ParseError{uint64(offset), fmt.Sprintf(format, args...)}
}

// Parse reads a section. If entries are malformed the error is about the first
// of them, and the table has those that are not.
func Parse(section []byte, opt Options) (*Table, error) {
	if opt.AddressSize == 0 {
		opt.AddressSize = 8
	}
	t := &Table{Options: opt}
	if opt.AddressSize != 4 && opt.AddressSize != 8 {
		return t, fmt.Errorf("call frame information: address size %d, 4 or 8 expected", opt.AddressSize)
	}
	p := parser{data: section, table: t, cies: map[int]*CIE{}}
	var first error
	for at := 0; at < len(section); {
		next, err := p.entry(at)
		if err != nil && first == nil {
			first = err
		}
		if next <= at {
			break
		}
		at = next
	}
	for i := range t.Entries {
		if f := t.Entries[i].FDE; f != nil && f.Range != 0 && f.CIE != nil {
			t.byPC = append(t.byPC, f)
		}
	}
	sort.SliceStable(t.byPC, func(i, j int) bool { return t.byPC[i].Start < t.byPC[j].Start })
	return t, first
}

// FDE finds the entry that covers a pc, nil if none does. For the caller of a
// frame ask with its return address minus 1, as the call belongs to the
// function and its successor may not.
func (t *Table) FDE(pc uint64) *FDE {
	i := sort.Search(len(t.byPC), func(i int) bool { return t.byPC[i].Start > pc })
	// Entries may overlap where a linker dropped a function at address 0.
	for n := 0; i > 0 && n < 8; n++ {
		i--
		if f := t.byPC[i]; pc-f.Start < f.Range {
			return f
		}
	}
	return nil
}

// parser reads the entries of a section.
type parser struct {
	data  []byte
	table *Table
	cies  map[int]*CIE // by offset; nil values are bad
}

// header is what CIEs and FDEs begin with.
type header struct {
	at      int // of the entry
	idAt    int // of the CIE id or pointer
	end     int // offset behind the entry
	length  uint64
	dwarf64 bool
	id      uint64
	body    reader
}

// section is the name of what is read.
func (p *parser) section() string {
	if p.table.Options.EH {
		return ".eh_frame"
	}
	return ".debug_frame"
}

// header reads the head of the entry at an offset. ok is false for the
// terminator.
func (p *parser) header(at int) (h header, ok bool, err error) {
	r := newReader(p.section(), p.data)
	r.Seek(uint64(at))
	h.at = at
	h.length = r.Uint(4)
	if h.length == 0xffffffff {
		h.dwarf64 = true
		h.length = r.Uint(8)
	}
	if r.Err() != nil || h.length > uint64(r.Len()) {
		return h, false, parseErrorf(at, "an entry of %d bytes with %d left", h.length, r.Len())
	}
	if h.length == 0 {
		return h, false, nil
	}
	h.end = int(r.End(h.length))
	r.Limit(uint64(h.end))
	h.idAt = int(r.Offset())
	h.id = r.Uint(h.idSize(p.table.Options.EH))
	if r.Err() != nil {
		return h, false, parseErrorf(at, "an entry of %d bytes is too short", h.length)
	}
	h.body = r
	return h, true, nil
}

func (h *header) idSize(eh bool) int {
	if h.dwarf64 && !eh {
		return 8
	}
	return 4
}

// isCIE tells a CIE by its id.
func (p *parser) isCIE(h *header) bool {
	switch {
	case p.table.Options.EH:
		return h.id == 0
	case h.dwarf64:
		return h.id == ^uint64(0)
	}
	return h.id == 0xffffffff
}

// entry reads the entry at an offset and returns that of the next, or 0 if it
// cannot be known.
func (p *parser) entry(at int) (next int, err error) {
	h, ok, err := p.header(at)
	if err != nil {
		return 0, err
	}
	if !ok {
		if !p.table.Options.EH {
			return h.at + 4, parseErrorf(at, "an entry of 0 bytes")
		}
		p.table.Entries = append(p.table.Entries, Entry{Offset: uint64(at)})
		return at + 4, nil
	}
	next = h.end
	if p.isCIE(&h) {
		c, err := p.cie(at)
		if err == nil {
			p.table.Entries = append(p.table.Entries, Entry{Offset: uint64(at), CIE: c})
		}
		return next, err
	}
	f, err := p.fde(&h)
	if f != nil {
		p.table.Entries = append(p.table.Entries, Entry{Offset: uint64(at), FDE: f})
	}
	return next, err
}

// cie gives the CIE at an offset, reading it once.
func (p *parser) cie(at int) (*CIE, error) {
	if c, ok := p.cies[at]; ok {
		if c == nil {
			return nil, parseErrorf(at, "not a usable CIE")
		}
		return c, nil
	}
	c, err := p.readCIE(at)
	if err != nil {
		c = nil
	}
	p.cies[at] = c
	return c, err
}

func (p *parser) readCIE(at int) (*CIE, error) {
	if at < 0 || at >= len(p.data) {
		return nil, parseErrorf(at, "no CIE there")
	}
	h, ok, err := p.header(at)
	if err != nil {
		return nil, err
	}
	if !ok || !p.isCIE(&h) {
		return nil, parseErrorf(at, "no CIE there")
	}
	opt := &p.table.Options
	c := &CIE{Offset: uint64(at), Length: h.length, DWARF64: h.dwarf64, ID: h.id, end: h.end,
		AddressSize: opt.AddressSize, PointerEncoding: peAbsolute, LSDAEncoding: peOmit, options: opt}
	r := &h.body
	c.Version = r.U8()
	switch c.Version {
	case 1, 3, 4, 5:
	default:
		return nil, parseErrorf(at, "CIE version %d, 1, 3, 4 or 5 expected", c.Version)
	}
	c.Augmentation = string(r.CString())
	if c.Augmentation == "eh" {
		r.Bytes(uint64(opt.AddressSize)) // exception table of GCC 2
	}
	if c.Version >= 4 {
		c.AddressSize = int(r.U8())
		c.SegmentSize = int(r.U8())
	}
	if r.Err() == nil && (c.AddressSize != 4 && c.AddressSize != 8 || c.SegmentSize > 8) {
		return nil, parseErrorf(at, "address size %d and segment size %d", c.AddressSize, c.SegmentSize)
	}
	c.CodeAlign = r.ULEB()
	c.DataAlign = r.SLEB()
	if c.Version == 1 {
		c.ReturnAddress = uint64(r.U8())
	} else {
		c.ReturnAddress = r.ULEB()
	}
	if r.Err() == nil {
		err = c.augment(r)
	}
	if r.Err() != nil {
		err = r.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("CIE at offset 0x%x: %w", at, err)
	}
	c.Instructions = r.rest()
	c.prepare()
	return c, nil
}

// augment reads the augmentation data. A string that is not understood makes
// the CIE opaque unless its data has a size.
func (c *CIE) augment(r *reader) error {
	s := c.Augmentation
	switch {
	case s == "" || s == "eh":
		return nil
	case s == "S": // by the GNU assembler in .debug_frame
		c.SignalFrame = true
		return nil
	case s[0] == '[':
		v, err := ParseAugmentation(s)
		if err != nil {
			c.opaque = err
		}
		c.Vendors = v
		return nil
	case s[0] != 'z':
		c.opaque = parseErrorf(int(c.Offset), "augmentation %q is not known", s)
		return nil
	}
	n := r.ULEB()
	if r.Err() != nil || n > uint64(r.Len()) {
		return errors.New("augmentation data cut off")
	}
	a := r.part(n)
	c.AugmentData = r.Bytes(n)
	for _, ch := range s[1:] {
		switch ch {
		case 'L':
			c.LSDAEncoding = a.U8()
		case 'R':
			c.PointerEncoding = a.U8()
		case 'P':
			enc := a.U8()
			c.Personality, c.HasPersonality = a.pointer(enc, c, 0)
		case 'S':
			c.SignalFrame = true
		case 'B':
			c.BKey = true
		case 'G': // memory tagging of the stack: nothing to unwind
		default:
			return nil // what follows is of unknown form but sized
		}
	}
	return a.Err()
}

func (p *parser) fde(h *header) (*FDE, error) {
	f := &FDE{Offset: uint64(h.at), Length: h.length, DWARF64: h.dwarf64, CIEPointer: h.id}
	at := int(h.id)
	if p.table.Options.EH {
		at = h.idAt - int(h.id)
	} else if h.id > uint64(len(p.data)) {
		return nil, parseErrorf(h.at, "FDE of a CIE at offset 0x%x", h.id)
	}
	c, err := p.cie(at)
	if err != nil {
		return nil, fmt.Errorf("FDE at offset 0x%x: %w", h.at, err)
	}
	f.CIE = c
	r := &h.body
	f.Segment = r.Uint(c.SegmentSize)
	if p.table.Options.EH {
		f.Start, _ = r.pointer(c.PointerEncoding, c, 0)
		f.Range, _ = r.pointer(c.PointerEncoding&0x0f, c, 0)
	} else {
		f.Start = r.Uint(c.AddressSize)
		f.Range = r.Uint(c.AddressSize)
	}
	if len(c.Augmentation) > 0 && c.Augmentation[0] == 'z' && r.Err() == nil {
		n := r.ULEB()
		if n > uint64(r.Len()) {
			return nil, parseErrorf(h.at, "augmentation data of %d bytes with %d left", n, r.Len())
		}
		a := r.part(n)
		f.AugmentData = r.Bytes(n)
		if c.LSDAEncoding != peOmit && n > 0 {
			f.LSDA, f.HasLSDA = a.pointer(c.LSDAEncoding, c, f.Start)
		}
		if a.Err() != nil {
			return nil, fmt.Errorf("FDE at offset 0x%x: %w", h.at, a.Err())
		}
	}
	if r.Err() != nil {
		return nil, fmt.Errorf("FDE at offset 0x%x: %w", h.at, r.Err())
	}
	f.Instructions = r.rest()
	return f, nil
}
