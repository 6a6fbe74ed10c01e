package line

import (
	"fmt"

	"simtgdb/dwarf/internal/section"
)

const lineSection = ".debug_line"

// Sections has what line number programs refer to.
type Sections struct {
	Line         []byte // .debug_line
	LineStr, Str []byte
	// StrOffset gives the offset in .debug_str for an index in the unit's part of .debug_str_offsets. It
	// may be nil: such forms are then an error.
	StrOffset func(index uint64) (uint64, error)
	BigEndian bool
}

// Parse runs the line number program at an offset of .debug_line. Where the program is broken the table
// has the rows up to there, and where the header is broken what was read of it; Header.End is set
// whenever the length could be read.
func Parse(s *Sections, offset uint64) (*Table, error) { return parse(s, offset, nil) }

// EachAddress calls f for each address in .debug_line: where it is and how many bytes it has.
func EachAddress(s *Sections, f func(offset uint64, size int)) error {
	for at := uint64(0); at < uint64(len(s.Line)); {
		t, err := parse(s, at, f)
		if err != nil || t.End <= at {
			return err
		}
		at = t.End
	}
	return nil
}

func parse(s *Sections, offset uint64, at func(offset uint64, size int)) (*Table, error) {
	t := &Table{}
	all := section.NewReader(lineSection, s.Line, s.BigEndian)
	r := all.At(offset)
	t.Offset = offset
	t.Length, t.Is64 = r.InitialLength()
	t.End = r.End(t.Length)
	r.Limit(t.End)
	program, err := t.readHeader(&r, s)
	if err != nil {
		return t, fmt.Errorf("line table at 0x%x: header: %w", offset, err)
	}
	r.Seek(program) // where the header says, whatever a producer has put behind the tables
	m := machine{t: t, r: r, at: at}
	m.run()
	t.index()
	if err := m.r.Err(); err != nil {
		return t, fmt.Errorf("line table at 0x%x: %w", offset, err)
	}
	return t, nil
}

// readHeader reads the header behind the length and gives the offset of the program.
func (t *Table) readHeader(r *section.Reader, s *Sections) (uint64, error) {
	t.Version = r.U16()
	if r.Err() == nil && (t.Version < 2 || t.Version > 5) {
		r.Fail("line table of version %d, versions 2 to 5 are known", t.Version)
		return 0, r.Err()
	}
	if t.Version >= 5 {
		t.AddrSize, t.SegSelectorSize = r.U8(), r.U8()
	}
	t.HeaderLength = r.SectionOffset(t.Is64)
	program := r.End(t.HeaderLength)
	h := *r
	h.Limit(program)
	t.MinInstLength = h.U8()
	t.MaxOps = 1
	if t.Version >= 4 {
		t.MaxOps = h.U8()
	}
	t.DefaultIsStmt = h.U8() != 0
	t.LineBase = int8(h.U8())
	t.LineRange = h.U8()
	t.OpcodeBase = h.U8()
	if t.OpcodeBase > 0 {
		t.OpcodeLengths = h.Bytes(uint64(t.OpcodeBase) - 1)
	}
	if t.Version >= 5 {
		t.readTables5(&h, s)
	} else {
		t.readTables2(&h)
	}
	return program, h.Err()
}

// readTables2 reads the directories and files of versions 2 to 4.
func (t *Table) readTables2(h *section.Reader) {
	t.Has = FileContent{Time: true, Length: true}
	for {
		dir := h.CString()
		if len(dir) == 0 {
			break
		}
		t.Dirs = append(t.Dirs, string(dir))
	}
	for {
		f, ok := readFile2(h)
		if !ok {
			return
		}
		t.Files = append(t.Files, f)
	}
}

func readFile2(h *section.Reader) (File, bool) {
	name := h.CString()
	if len(name) == 0 {
		return File{}, false
	}
	f := File{Name: string(name), Dir: h.ULEB(), Time: h.ULEB(), Length: h.ULEB()}
	return f, h.Err() == nil
}

// Content types of the entries of directories and files (DWARF 5 section 6.2.4.1 and LLVM 22).
const (
	contentPath       = 0x1
	contentDir        = 0x2
	contentTime       = 0x3
	contentSize       = 0x4
	contentMD5        = 0x5
	contentLLVMSource = 0x2001
)

// The forms that the entries may have, with the numbers of DWARF 5 table 7.6.
const (
	formBlock2   = 0x03
	formBlock4   = 0x04
	formData2    = 0x05
	formData4    = 0x06
	formData8    = 0x07
	formString   = 0x08
	formBlock    = 0x09
	formBlock1   = 0x0a
	formData1    = 0x0b
	formStrp     = 0x0e
	formUdata    = 0x0f
	formStrx     = 0x1a
	formStrpSup  = 0x1d
	formData16   = 0x1e
	formLineStrp = 0x1f
	formStrx1    = 0x25
	formStrx2    = 0x26
	formStrx3    = 0x27
	formStrx4    = 0x28
)

type entryFormat struct{ content, form uint64 }

// A tableReader reads the tables of version 5.
type tableReader struct {
	h    *section.Reader
	s    *Sections
	is64 bool
	// strings is the number of bytes that strings by offset may still have: hostile tables could name
	// one long string in every entry. The texts of source files are strings too, so it is not small.
	strings int64
}

func (t *Table) readTables5(h *section.Reader, s *Sections) {
	r := tableReader{h: h, s: s, is64: t.Is64, strings: 16<<20 + 1024*int64(h.Len())}
	r.entries(func(f File, _ FileContent) { t.Dirs = append(t.Dirs, f.Name) })
	r.entries(func(f File, has FileContent) {
		t.Files = append(t.Files, f)
		t.Has = has
	})
}

func (r *tableReader) entries(add func(File, FileContent)) {
	h := r.h
	formats := make([]entryFormat, 0, 8)
	for n := h.U8(); n > 0; n-- {
		formats = append(formats, entryFormat{h.ULEB(), h.ULEB()})
	}
	count := h.ULEB()
	if count > uint64(h.Len()) || len(formats) == 0 && count > 0 {
		h.Fail("%d entries of %d parts in %d bytes", count, len(formats), h.Len())
		return
	}
	for ; count > 0 && h.Err() == nil; count-- {
		f, has := r.entry(formats)
		if h.Err() == nil {
			add(f, has)
		}
	}
}

func (r *tableReader) entry(formats []entryFormat) (f File, has FileContent) {
	for _, format := range formats {
		v, b := r.value(format.form)
		switch format.content {
		case contentPath:
			f.Name = string(b)
		case contentDir:
			f.Dir = v
		case contentTime:
			f.Time, has.Time = v, true
		case contentSize:
			f.Length, has.Length = v, true
		case contentMD5:
			has.MD5 = copy(f.MD5[:], b) == len(f.MD5)
		case contentLLVMSource:
			f.Source, has.Source = b, true
		}
	}
	return f, has
}

func (r *tableReader) value(form uint64) (uint64, []byte) {
	h := r.h
	switch form {
	case formString:
		return 0, h.CString()
	case formLineStrp:
		return 0, r.stringAt(".debug_line_str", r.s.LineStr, h.SectionOffset(r.is64))
	case formStrp:
		return 0, r.stringAt(".debug_str", r.s.Str, h.SectionOffset(r.is64))
	case formStrpSup:
		return h.SectionOffset(r.is64), nil
	case formStrx:
		return 0, r.indexed(h.ULEB())
	case formStrx1, formStrx2, formStrx3, formStrx4:
		return 0, r.indexed(h.Uint(int(form-formStrx1) + 1))
	case formUdata:
		return h.ULEB(), nil
	case formData1:
		return uint64(h.U8()), nil
	case formData2:
		return h.Uint(2), nil
	case formData4:
		return h.Uint(4), nil
	case formData8:
		return h.Uint(8), nil
	case formData16:
		return 0, h.Bytes(16)
	case formBlock:
		return 0, h.Bytes(h.ULEB())
	case formBlock1:
		return 0, h.Bytes(h.Uint(1))
	case formBlock2:
		return 0, h.Bytes(h.Uint(2))
	case formBlock4:
		return 0, h.Bytes(h.Uint(4))
	}
	h.Fail("form 0x%x in a table of directories or files", form)
	return 0, nil
}

func (r *tableReader) indexed(index uint64) []byte {
	if r.h.Err() != nil {
		return nil
	}
	if r.s.StrOffset == nil {
		r.h.Fail("string index %d, but there is no unit with DW_AT_str_offsets_base", index)
		return nil
	}
	offset, err := r.s.StrOffset(index)
	if err != nil {
		r.h.Fail("string index %d: %v", index, err)
		return nil
	}
	return r.stringAt(".debug_str", r.s.Str, offset)
}

func (r *tableReader) stringAt(name string, data []byte, offset uint64) []byte {
	if r.h.Err() != nil {
		return nil
	}
	all := section.NewReader(name, data, r.s.BigEndian)
	str := all.At(offset)
	left := str.Len()
	b := str.CString()
	if err := str.Err(); err != nil {
		r.strings -= int64(left)
		r.h.Fail("%v", err)
		return nil
	}
	if r.strings -= int64(len(b)); r.strings < 0 {
		r.h.Fail("too many bytes of strings for a table of this size")
		return nil
	}
	return b
}
