package loader

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
)

// ELF is a little-endian ELF64 file whose tables have been checked to lie
// inside it: linked (ET_DYN, ET_EXEC) or relocatable (ET_REL).
//
// debug/elf gives the constants; its reader is not used because it copies names
// of unbounded length for every section and says neither offsets nor what was
// expected.
type ELF struct {
	Data       []byte // the whole file
	OSABI      elf.OSABI
	ABIVersion byte
	Type       elf.Type
	Machine    elf.Machine
	Flags      uint32
	Progs      []elf.Prog64
	Sections   []ELFSection // by index; 0 is null

	byName map[string]int // the first section of each name
}

// ELFSection is a section header with its name.
type ELFSection struct {
	elf.Section64
	Name string
}

// FlagsOffset is where e_flags is in an ELF64 header.
const FlagsOffset = 48

// Sizes of the ELF64 structures.
const (
	elfHeaderSize  = 64
	elfProgSize    = 56
	elfSectionSize = 64
	elfSymSize     = 24
	elfRelaSize    = 24
	elfRelSize     = 16
	elfDynSize     = 16
)

// ReadELF reads the header, the program headers and the section headers.
func ReadELF(data []byte) (*ELF, error) {
	f, err := ReadELFHeader(data)
	if err != nil {
		return nil, err
	}
	return f, f.ReadTables()
}

// ReadELFHeader checks the identification and reads the header.
// [ELF.ReadTables] reads the rest: between the two, a file of another machine
// can be named as such even if its tables are not sound.
func ReadELFHeader(data []byte) (*ELF, error) {
	ident := func(i int, what, want string, err error) error {
		return &FormatError{Offset: int64(i), What: what, Want: want, Err: err}
	}
	if len(data) < elf.EI_NIDENT {
		return nil, Truncated(0, "ELF identification", elf.EI_NIDENT, uint64(len(data)))
	}
	switch class := elf.Class(data[elf.EI_CLASS]); {
	case class == elf.ELFCLASS32:
		return nil, ident(elf.EI_CLASS, "32-bit ELF file", "code objects are ELF64", ErrUnsupported)
	case class != elf.ELFCLASS64:
		return nil, ident(elf.EI_CLASS, fmt.Sprintf("unknown ELF class %d", class), "want ELF64 (2)",
			ErrUnsupported)
	}
	switch order := elf.Data(data[elf.EI_DATA]); {
	case order == elf.ELFDATA2MSB:
		return nil, ident(elf.EI_DATA, "big-endian ELF file", "code objects are little-endian",
			ErrUnsupported)
	case order != elf.ELFDATA2LSB:
		return nil, ident(elf.EI_DATA, fmt.Sprintf("unknown ELF byte order %d", order),
			"want little-endian (1)", ErrUnsupported)
	}
	if v := data[elf.EI_VERSION]; v != byte(elf.EV_CURRENT) {
		return nil, ident(elf.EI_VERSION, fmt.Sprintf("ELF version %d", v), "want 1", ErrUnsupported)
	}
	if len(data) < elfHeaderSize {
		return nil, Truncated(0, "ELF header", elfHeaderSize, uint64(len(data)))
	}
	return &ELF{
		Data:       data,
		OSABI:      elf.OSABI(data[elf.EI_OSABI]),
		ABIVersion: data[elf.EI_ABIVERSION],
		Type:       elf.Type(le16(data[16:])),
		Machine:    elf.Machine(le16(data[18:])),
		Flags:      le32(data[FlagsOffset:]),
	}, nil
}

// ReadTables reads the program headers and the section headers.
func (f *ELF) ReadTables() error {
	if err := f.readProgs(); err != nil {
		return err
	}
	return f.readSections()
}

// table checks that count entries of a header table lie in the file and gives
// their bytes.
func (f *ELF) table(what string, off, count uint64, entsize, want uint16) ([]byte, error) {
	if entsize != want {
		return nil, &FormatError{Offset: int64(off),
			What: fmt.Sprintf("%s entries of %d bytes", what, entsize), Want: fmt.Sprintf("want %d", want)}
	}
	// count is below 2^32 or has been checked against the file's size.
	return f.Bytes(what, off, count*uint64(want))
}

// Bytes gives size bytes at a file offset. what names them in the error.
func (f *ELF) Bytes(what string, off, size uint64) ([]byte, error) {
	if off > uint64(len(f.Data)) || size > uint64(len(f.Data))-off {
		return nil, Truncated(off, what, size, uint64(len(f.Data)))
	}
	return f.Data[off : off+size : off+size], nil
}

// Truncated says that what is at off, of size bytes, ends after the have bytes
// that the file has.
func Truncated(off uint64, what string, size, have uint64) error {
	return pastEnd(off, fmt.Sprintf("%s of %d bytes", what, size),
		fmt.Sprintf("the file has %d bytes", have))
}

// pastEnd says that what is at off goes on behind the end of the file.
func pastEnd(off uint64, what, want string) error {
	return &FormatError{Offset: int64(min(off, 1<<62)), Err: ErrTruncated,
		What: what + " runs past the end of the file", Want: want}
}

func (f *ELF) readProgs() error {
	off, count := le64(f.Data[32:]), le16(f.Data[56:])
	if count == 0 {
		return nil
	}
	b, err := f.table("program header table", off, uint64(count), le16(f.Data[54:]), elfProgSize)
	if err != nil {
		return err
	}
	for i := range int(count) {
		e := b[i*elfProgSize:]
		p := elf.Prog64{
			Type: le32(e), Flags: le32(e[4:]), Off: le64(e[8:]), Vaddr: le64(e[16:]),
			Paddr: le64(e[24:]), Filesz: le64(e[32:]), Memsz: le64(e[40:]), Align: le64(e[48:]),
		}
		if _, err := f.Bytes(fmt.Sprintf("segment %d (%v)", i, elf.ProgType(p.Type)), p.Off,
			p.Filesz); err != nil {
			return err
		}
		f.Progs = append(f.Progs, p)
	}
	return nil
}

func (f *ELF) readSections() error {
	off, entsize := le64(f.Data[40:]), le16(f.Data[58:])
	count, names := uint64(le16(f.Data[60:])), uint64(le16(f.Data[62:]))
	if off == 0 {
		return nil
	}
	if count == 0 || names == uint64(elf.SHN_XINDEX) {
		// Numbers too large for the header are in the first section header.
		first, err := f.table("section header table", off, 1, entsize, elfSectionSize)
		if err != nil {
			return err
		}
		if count == 0 {
			count = le64(first[32:])
		}
		if names == uint64(elf.SHN_XINDEX) {
			names = uint64(le32(first[40:]))
		}
	}
	if most := uint64(len(f.Data)) / elfSectionSize; count > most {
		return pastEnd(off, fmt.Sprintf("section header table with %d entries", count),
			fmt.Sprintf("the file has room for %d", most))
	}
	b, err := f.table("section header table", off, count, entsize, elfSectionSize)
	if err != nil {
		return err
	}
	f.Sections = make([]ELFSection, count)
	for i := range f.Sections {
		e := b[i*elfSectionSize:]
		s := elf.Section64{
			Name: le32(e), Type: le32(e[4:]), Flags: le64(e[8:]), Addr: le64(e[16:]), Off: le64(e[24:]),
			Size: le64(e[32:]), Link: le32(e[40:]), Info: le32(e[44:]), Addralign: le64(e[48:]),
			Entsize: le64(e[56:]),
		}
		f.Sections[i].Section64 = s
		if _, err := f.SectionBytes(i); err != nil {
			return err
		}
	}
	return f.nameSections(names)
}

func (f *ELF) nameSections(index uint64) error {
	if index == uint64(elf.SHN_UNDEF) {
		return nil
	}
	if index >= uint64(len(f.Sections)) {
		return &FormatError{Offset: 62, What: fmt.Sprintf("section name table is section %d of %d", index,
			len(f.Sections))}
	}
	table, err := f.SectionBytes(int(index))
	if err != nil {
		return err
	}
	tab := newStringTable(table, f.Sections[index].Off)
	f.byName = make(map[string]int, len(f.Sections))
	for i := range f.Sections {
		name, err := tab.at(f.Sections[i].Section64.Name)
		if err != nil {
			return fmt.Errorf("name of section %d: %w", i, err)
		}
		f.Sections[i].Name = name
		if _, twice := f.byName[name]; !twice {
			f.byName[name] = i
		}
	}
	return nil
}

// SectionBytes gives the bytes of the section with index i as they are in the
// file; none of one that takes no room there.
func (f *ELF) SectionBytes(i int) ([]byte, error) {
	s := &f.Sections[i]
	if t := elf.SectionType(s.Type); t == elf.SHT_NOBITS || t == elf.SHT_NULL {
		return nil, nil
	}
	return f.Bytes(fmt.Sprintf("section %d", i), s.Off, s.Size)
}

// SectionNamed finds a section by name, or gives -1.
func (f *ELF) SectionNamed(name string) int {
	if i, ok := f.byName[name]; ok {
		return i
	}
	return -1
}

// SectionOfType finds the first section of a type, or gives -1.
func (f *ELF) SectionOfType(t elf.SectionType) int {
	for i := range f.Sections {
		if elf.SectionType(f.Sections[i].Type) == t {
			return i
		}
	}
	return -1
}

// stringTable gives out substrings of one string, so that names which overlap
// in a hostile file share their memory.
type stringTable struct {
	text   string
	off    uint64 // of the table in the file
	budget int    // bytes of names still to be given out
}

// Linkers store a name that ends another one only once, so the names together
// may be longer than the table; but not without end, or a hostile file could
// make reading them quadratic.
const namesPerTableByte = 16

func newStringTable(b []byte, off uint64) *stringTable {
	return &stringTable{string(b), off, namesPerTableByte * len(b)}
}

// at gives the name at index i. In an empty table, index 0 is the empty name.
func (t *stringTable) at(i uint32) (string, error) {
	if i == 0 && t.text == "" {
		return "", nil
	}
	fail := func(what, want string) (string, error) {
		return "", &FormatError{Offset: int64(t.off) + int64(i), What: what, Want: want}
	}
	if uint64(i) >= uint64(len(t.text)) {
		return fail("name outside its string table", fmt.Sprintf("the table has %d bytes", len(t.text)))
	}
	n := strings.IndexByte(t.text[i:], 0)
	if n < 0 {
		return fail("name without an end", "names end with a zero byte")
	}
	if t.budget -= n; t.budget < 0 {
		return fail("too many overlapping names", fmt.Sprintf("the table has %d bytes", len(t.text)))
	}
	return t.text[i : int(i)+n], nil
}

// Note is one entry of a note segment or section.
type Note struct {
	Owner  string
	Type   uint32
	Desc   []byte
	Offset uint64 // of Desc in the file
}

// Notes reads the entries of all note segments, or of the note sections if
// there are no such segments (System V ABI, "Note Section").
func (f *ELF) Notes() ([]Note, error) {
	type extent struct{ off, size uint64 }
	var parts []extent
	for _, p := range f.Progs {
		if elf.ProgType(p.Type) == elf.PT_NOTE {
			parts = append(parts, extent{p.Off, p.Filesz})
		}
	}
	if parts == nil {
		for _, s := range f.Sections {
			if elf.SectionType(s.Type) == elf.SHT_NOTE {
				parts = append(parts, extent{s.Off, s.Size})
			}
		}
	}
	var out []Note
	var total uint64
	for _, p := range parts {
		// Each size has been checked against the file's: the sum cannot overflow.
		if total += p.size; total > uint64(len(f.Data)) {
			return nil, &FormatError{Offset: int64(p.off), What: "notes overlap",
				Want: "they exceed the file together"}
		}
		if err := f.readNotes(p.off, p.size, &out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (f *ELF) readNotes(off, size uint64, out *[]Note) error {
	b, err := f.Bytes("notes", off, size)
	if err != nil {
		return err
	}
	for pos := uint64(0); pos < size; {
		rest := b[pos:]
		if len(rest) < 12 {
			return Truncated(off+pos, "note header", 12, uint64(len(f.Data)))
		}
		// The sizes have 32 bits: their sum cannot overflow 64.
		nameSize, descSize := uint64(le32(rest)), uint64(le32(rest[4:]))
		descAt := 12 + (nameSize+3)&^3
		if descAt+descSize > uint64(len(rest)) {
			return &FormatError{
				Offset: int64(off + pos), What: fmt.Sprintf("note with a name of %d and contents of %d bytes",
					nameSize, descSize),
				Want: fmt.Sprintf("%d bytes are left", len(rest)), Err: ErrTruncated,
			}
		}
		*out = append(*out, Note{
			Owner:  string(bytes.TrimRight(rest[12:12+min(nameSize, 64)], "\x00")),
			Type:   le32(rest[8:]),
			Desc:   rest[descAt : descAt+descSize],
			Offset: off + pos + descAt,
		})
		pos += descAt + (descSize+3)&^3
	}
	return nil
}

func le16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
