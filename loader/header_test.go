package loader

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// smallELF is a file of a header, two program headers, three sections and their names.
func smallELF() []byte {
	le := binary.LittleEndian
	const progs, sections, names = 64, 64 + 2*56, 64 + 2*56 + 3*64
	text := "\x00.names\x00.text\x00"
	b := make([]byte, names, names+len(text)+16)
	copy(b, []byte{0x7f, 'E', 'L', 'F', 2, 1, 1, 64, 3})
	le.PutUint16(b[16:], uint16(elf.ET_DYN))
	le.PutUint16(b[18:], uint16(elf.EM_AMDGPU))
	le.PutUint64(b[32:], progs)
	le.PutUint64(b[40:], sections)
	le.PutUint32(b[48:], 0x1234)
	for at, v := range map[int]uint16{54: 56, 56: 2, 58: 64, 60: 3, 62: 1} {
		le.PutUint16(b[at:], v)
	}
	for i, p := range []elf.Prog64{{Type: 1, Flags: 5, Off: 1, Vaddr: 2, Paddr: 3, Filesz: 4, Memsz: 5,
		Align: 6},
		{Type: 2}} {
		e := b[progs+56*i:]
		le.PutUint32(e, p.Type)
		le.PutUint32(e[4:], p.Flags)
		for k, v := range []uint64{p.Off, p.Vaddr, p.Paddr, p.Filesz, p.Memsz, p.Align} {
			le.PutUint64(e[8+8*k:], v)
		}
	}
	section := func(i int, name, kind uint32, flags, addr, off, size uint64, link, info uint32, align,
		entry uint64) {
		e := b[sections+64*i:]
		le.PutUint32(e, name)
		le.PutUint32(e[4:], kind)
		for k, v := range []uint64{flags, addr, off, size} {
			le.PutUint64(e[8+8*k:], v)
		}
		le.PutUint32(e[40:], link)
		le.PutUint32(e[44:], info)
		le.PutUint64(e[48:], align)
		le.PutUint64(e[56:], entry)
	}
	section(1, 1, uint32(elf.SHT_STRTAB), 0, 0, names, uint64(len(text)), 0, 0, 0, 0)
	section(2, 8, uint32(elf.SHT_PROGBITS), 6, 0x1000, names+uint64(len(text)), 16, 7, 8, 4, 9)
	return append(append(b, text...), "sixteen bytes ..."[:16]...)
}

// TestHeader reads each field from its place (ELF-64, figures 1, 3 and 6).
func TestHeader(t *testing.T) {
	f, err := ReadELF(smallELF())
	if err != nil {
		t.Fatal(err)
	}
	if f.OSABI != 64 || f.ABIVersion != 3 || f.Type != elf.ET_DYN || f.Machine != elf.EM_AMDGPU ||
		f.Flags != 0x1234 {
		t.Errorf("%v %v %v %v %#x", f.OSABI, f.ABIVersion, f.Type, f.Machine, f.Flags)
	}
	if diff := cmp.Diff([]elf.Prog64{{Type: 1, Flags: 5, Off: 1, Vaddr: 2, Paddr: 3, Filesz: 4, Memsz: 5,
		Align: 6}, {Type: 2}}, f.Progs); diff != "" {
		t.Errorf("program headers (-want +got):\n%s", diff)
	}
	want := ELFSection{elf.Section64{Name: 8, Type: 1, Flags: 6, Addr: 0x1000, Off: 64 + 2*56 + 3*64 + 14,
		Size: 16,
		Link: 7, Info: 8, Addralign: 4, Entsize: 9}, ".text"}
	if diff := cmp.Diff(want, f.Sections[2]); diff != "" || len(f.Sections) != 3 {
		t.Errorf("section (-want +got):\n%s", diff)
	}
	if b, err := f.SectionBytes(2); err != nil || string(b) != "sixteen bytes .." {
		t.Errorf("%q, %v", b, err)
	}
	if f.SectionNamed(".text") != 2 || f.SectionNamed(".names") != 1 || f.SectionNamed("text") != -1 ||
		f.SectionOfType(elf.SHT_PROGBITS) != 2 || f.SectionOfType(elf.SHT_NOTE) != -1 {
		t.Error("sections are not found by name or type")
	}
}

// TestHeaderErrors changes the file: the error says what is wrong at which offset, and of which kind it is.
func TestHeaderErrors(t *testing.T) {
	le := binary.LittleEndian
	const sections = 64 + 2*56
	for _, c := range []struct {
		name   string
		change func(b []byte) []byte
		want   string // "" where the file is read
		kind   error
	}{
		{"15 bytes", func(b []byte) []byte { return b[:15] },
			"offset 0x0: ELF identification of 16 bytes runs past the end of the file; the file has 15 bytes",
			ErrTruncated},
		{"63 bytes", func(b []byte) []byte { return b[:63] }, "ELF header of 64 bytes runs past",
			ErrTruncated},
		{"class 1", func(b []byte) []byte { b[4] = 1; return b }, "offset 0x4: 32-bit ELF file",
			ErrUnsupported},
		{"class 3", func(b []byte) []byte { b[4] = 3; return b }, "offset 0x4: unknown ELF class",
			ErrUnsupported},
		{"big-endian", func(b []byte) []byte { b[5] = 2; return b }, "offset 0x5: big-endian",
			ErrUnsupported},
		{"order 0", func(b []byte) []byte { b[5] = 0; return b }, "offset 0x5: unknown ELF byte order",
			ErrUnsupported},
		{"version", func(b []byte) []byte { b[6] = 2; return b }, "offset 0x6: ELF version 2; want 1",
			ErrUnsupported},
		{"program header size", func(b []byte) []byte { b[54] = 55; return b },
			"offset 0x40: program header table entries of 55 bytes; want 56", nil},
		{"program headers outside", func(b []byte) []byte { le.PutUint64(b[32:], 1<<20); return b },
			"program header table of 112 bytes runs past", ErrTruncated},
		{"segment outside", func(b []byte) []byte { le.PutUint64(b[64+32:], 1<<20); return b },
			"segment 0 (PT_LOAD) of 1048576 bytes runs past", ErrTruncated},
		{"no program headers", func(b []byte) []byte { b[56] = 0; le.PutUint64(b[32:], 1<<20); return b },
			"", nil},
		{"section header size", func(b []byte) []byte { b[58] = 40; return b },
			"section header table entries of 40 bytes; want 64", nil},
		{"section headers outside",
			func(b []byte) []byte { le.PutUint64(b[40:], uint64(len(b))-100); return b },
			"section header table of 192 bytes runs past", ErrTruncated},
		{"section outside", func(b []byte) []byte { le.PutUint64(b[sections+2*64+32:], 17); return b },
			"section 2 of 17 bytes runs past", ErrTruncated},
		{"section without bytes outside", func(b []byte) []byte {
			le.PutUint64(b[sections+2*64+32:], 1<<40)
			b[sections+2*64+4] = byte(elf.SHT_NOBITS)
			return b
		}, "", nil},
		{"section behind the end", func(b []byte) []byte {
			le.PutUint64(b[sections+2*64+24:], uint64(len(b))+1)
			le.PutUint64(b[sections+2*64+32:], 0)
			return b
		}, "section 2 of 0 bytes runs past", ErrTruncated},
		{"no sections", func(b []byte) []byte { le.PutUint64(b[40:], 0); return b }, "", nil},
		{"no names", func(b []byte) []byte { b[62] = 0; return b }, "", nil},
		{"names of section 3", func(b []byte) []byte { b[62] = 3; return b },
			"offset 0x3e: section name table is section 3 of 3", nil},
		{"a name outside", func(b []byte) []byte { b[sections+2*64] = 14; return b },
			"name of section 2: offset 0x17e: name outside its string table; the table has 14 bytes", nil},
		{"a name without end", func(b []byte) []byte { le.PutUint64(b[sections+64+32:], 13); return b },
			"name of section 2: offset 0x178: name without an end", nil},
		{"counted in the first section", func(b []byte) []byte {
			le.PutUint16(b[60:], 0)
			le.PutUint16(b[62:], uint16(elf.SHN_XINDEX))
			le.PutUint64(b[sections+32:], 3)
			le.PutUint32(b[sections+40:], 1)
			return b
		}, "", nil},
		{"names in the first section", func(b []byte) []byte {
			le.PutUint16(b[62:], uint16(elf.SHN_XINDEX))
			le.PutUint32(b[sections+40:], 2)
			return b
		}, "name of section 0", nil},
		{"first section outside", func(b []byte) []byte {
			le.PutUint16(b[60:], 0)
			le.PutUint64(b[40:], uint64(len(b))-10)
			return b
		}, "section header table of 64 bytes runs past", ErrTruncated},
	} {
		f, err := ReadELF(c.change(smallELF()))
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if named := f.SectionNamed(".text") == 2; named != (c.name != "no sections" &&
				c.name != "no names") {
				t.Errorf("%s: a section is found by its name: %v", c.name, named)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestStringTable: names are cut out of a table, and together have a bound.
func TestStringTable(t *testing.T) {
	tab := newStringTable([]byte("\x00ab\x00c\x00"), 0x100)
	for i, want := range []string{"", "ab", "b", "", "c", ""} {
		if got, err := tab.at(uint32(i)); err != nil || got != want {
			t.Errorf("at %d: %q, %v; want %q", i, got, err, want)
		}
	}
	if _, err := tab.at(6); err == nil || !strings.Contains(err.Error(), "offset 0x106: name outside") {
		t.Errorf("behind it: %v", err)
	}
	empty := newStringTable(nil, 0)
	if got, err := empty.at(0); err != nil || got != "" {
		t.Errorf("of an empty table: %q, %v", got, err)
	}
	if _, err := empty.at(1); err == nil {
		t.Error("an empty table has a name at 1")
	}
	long := newStringTable([]byte("aaaaaaa\x00"), 0) // 16 times its 8 bytes are 18 names and two letters
	for n := range 20 {
		if _, err := long.at(0); (err != nil) != (n >= 18) {
			t.Errorf("name %d of 7 letters: %v", n, err)
		}
	}
}

// TestNoteErrors: notes that end early, or are the same bytes again and again.
func TestNoteErrors(t *testing.T) {
	le := binary.LittleEndian
	data := make([]byte, 16)
	le.PutUint32(data, 4)
	for _, c := range []struct {
		progs []elf.Prog64
		want  string
	}{
		{[]elf.Prog64{{Type: uint32(elf.PT_NOTE), Filesz: 16}}, ""},
		{[]elf.Prog64{{Type: uint32(elf.PT_NOTE), Filesz: 11}}, "note header of 12 bytes runs past"},
		{[]elf.Prog64{{Type: uint32(elf.PT_NOTE), Off: 8, Filesz: 9}}, "notes of 9 bytes runs past"},
		{[]elf.Prog64{{Type: uint32(elf.PT_NOTE), Filesz: 16}, {Type: uint32(elf.PT_NOTE), Filesz: 16}},
			"notes overlap; they exceed the file together"},
		{[]elf.Prog64{{Type: uint32(elf.PT_LOAD), Filesz: 16}}, ""},
	} {
		notes, err := (&ELF{Data: data, Progs: c.progs}).Notes()
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, %v; want %q", c.progs, notes, err, c.want)
		}
	}
	long := le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, 100), 0), 7)
	long = append(long, strings.Repeat("n", 99)+"\x00"...)
	notes, err := (&ELF{Data: long,
		Progs: []elf.Prog64{{Type: uint32(elf.PT_NOTE), Filesz: uint64(len(long))}}}).Notes()
	if err != nil || len(notes) != 1 || notes[0].Owner != strings.Repeat("n", 64) || notes[0].Type != 7 {
		t.Errorf("of a long name: %+v, %v", notes, err)
	}
}

// TestErrorTexts: what each error says, in one line, and which kind it is.
func TestErrorTexts(t *testing.T) {
	gone := errors.New("gone")
	for want, err := range map[string]error{
		"offset 0x10: bytes; others": &FormatError{Offset: 16, What: "bytes",
			Want: "others", Err: gone},
		"offset 0x0: bytes": &FormatError{What: "bytes", Err: gone},
		"bytes; others": &FormatError{Offset: -1, What: "bytes",
			Want: "others", Err: gone},
		`kernel "k": gone`:                          &KernelError{"k", nil, gone},
		`kernel "k": gone; the file has no kernels`: &KernelError{"k", []string{}, gone},
		`kernel "k": gone; the file has: a, b\n`:    &KernelError{"k", []string{"a", "b\n"}, gone},
		`section a\nb: gone`:                        &SectionError{"a\nb", gone},
		`relocation R at 0x10: gone`:                &RelocError{Reloc{Type: "R", Addr: 16}, gone},
		`relocation R at 0x10 against symbol "s": gone`: &RelocError{Reloc{Type: "R", Addr: 16,
			Symbol: "s"}, gone},
	} {
		if err.Error() != want || !errors.Is(err, gone) {
			t.Errorf("%q, want %q", err, want)
		}
	}
	for want, err := range map[string]*TargetError{
		"the offload bundle has no AMD code":                    {Code: "AMD code"},
		"several code objects, choose a target: a, b":           {Available: []string{"a", "b"}},
		`no single code object for target "c"; the file has: a`: {Want: "c", Available: []string{"a"}},
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	for want, v := range map[string]fmt.Stringer{"func": SymbolFunc, "other": SymbolOther, "none": SymbolNone,
		"kind(6)": SymbolOther + 1, "hidden_block_count_x": ValueKind("hidden_block_count_x")} {
		if v.String() != want {
			t.Errorf("%q, want %q", v, want)
		}
	}
	if s := sectionTypeName(shtRelr) + " " + sectionTypeName(elf.SHT_NOTE); s != "SHT_RELR SHT_NOTE" {
		t.Errorf("types of sections: %s", s)
	}
	if (Target{ID: "id", Name: "name"}).String() != "id" || (Target{Name: "name"}).String() != "name" {
		t.Error("a target is not called by its ID")
	}
	var m Module
	m.Warn("%d of %s", 2, "them")
	if diff := cmp.Diff([]string{"2 of them"}, m.Warnings); diff != "" {
		t.Error(diff)
	}
}

// TestSymbolTables reads symbols of each binding and type (ELF-64, figures 8 to 10).
func TestSymbolTables(t *testing.T) {
	le := binary.LittleEndian
	names := "\x00a\x00bc\x00"
	symbol := func(name uint32, info byte, section uint16, value, size uint64) []byte {
		b := append(le.AppendUint32(nil, name), info, 0)
		b = le.AppendUint16(b, section)
		return le.AppendUint64(le.AppendUint64(b, value), size)
	}
	file := func(entries ...[]byte) *ELF {
		var table []byte
		for _, e := range entries {
			table = append(table, e...)
		}
		data := append([]byte(names), table...)
		return &ELF{Data: data, Sections: []ELFSection{{},
			{elf.Section64{Type: uint32(elf.SHT_STRTAB), Size: uint64(len(names))}, ".strtab"},
			{elf.Section64{Type: uint32(elf.SHT_SYMTAB), Off: uint64(len(names)), Size: uint64(len(table)),
				Link:    1,
				Entsize: 24}, ".symtab"}}}
	}
	f := file(symbol(0, 0, 0, 0, 0), symbol(1, byte(elf.STB_GLOBAL)<<4|byte(elf.STT_FUNC), 1, 0x10, 0x20),
		symbol(3, byte(elf.STB_WEAK)<<4|byte(elf.STT_OBJECT), 0, 0, 0),
		symbol(3, byte(elf.STT_SECTION), uint16(elf.SHN_ABS), 7, 0), symbol(1, 13, 1, 0, 0))
	got, err := f.SymbolTable(2)
	if err != nil || len(got) != 5 {
		t.Fatal(got, err)
	}
	for i, want := range []Symbol{
		{Undefined: true},
		{Name: "a", Addr: 0x10, Size: 0x20, Kind: SymbolFunc, Global: true, Section: ".strtab"},
		{Name: "bc", Kind: SymbolObject, Global: true, Weak: true, Undefined: true},
		{Name: "bc", Addr: 7, Kind: SymbolSection, Absolute: true},
		{Name: "a", Kind: SymbolOther, Section: ".strtab"},
	} {
		if diff := cmp.Diff(want, got[i].Symbol); diff != "" {
			t.Errorf("symbol %d (-want +got):\n%s", i, diff)
		}
	}
	for want, change := range map[string]func(f *ELF){
		"entries have 24":          func(f *ELF) { f.Sections[2].Entsize = 16 },
		"of 23 bytes with entries": func(f *ELF) { f.Sections[2].Size = 23 },
		"section 2 of 99 bytes":    func(f *ELF) { f.Sections[2].Size = 99 },
		"symbol 0: ":               func(f *ELF) { f.Data[len(names)] = 9 },
		"section 1 of 99 bytes":    func(f *ELF) { f.Sections[1].Size = 99 },
	} {
		f := file(symbol(0, 0, 0, 0, 0))
		change(f)
		if _, err := f.SymbolTable(2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestSymbolByName: a global symbol is found before a local one of its name.
func TestSymbolByName(t *testing.T) {
	m := &Module{Symbols: []Symbol{{Name: "a", Addr: 1}, {Name: "a", Addr: 2}, {Name: "b", Addr: 3},
		{Name: "b", Addr: 4, Global: true}, {Name: "b", Addr: 5, Global: true}}}
	for name, want := range map[string]uint64{"a": 1, "b": 4, "c": 0} {
		if s, ok := m.Symbol(name); s.Addr != want || ok != (want != 0) {
			t.Errorf("%s is at %d, %v; want %d", name, s.Addr, ok, want)
		}
	}
}

// TestNoSuchSection: sections are found by their usual names, also those of GNU's old compressed form.
func TestNoSuchSection(t *testing.T) {
	m, err := New(Module{Sections: []Section{{Name: ".text", Data: []byte("code")},
		{Name: ".zdebug_str", Data: []byte("old")}, {Name: ".eh_frame", Data: []byte("frames")}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{".text": "code", ".debug_str": "old", ".zdebug_str": "old"} {
		if b, err := m.Section(name); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	for _, name := range []string{".data", ".debug_info", ".debug_", "zdebug_str"} {
		if _, err := m.Section(name); !errors.Is(err, ErrNoSection) {
			t.Errorf("%s: %v", name, err)
		}
	}
	debug, err := m.DebugSections()
	if diff := cmp.Diff(map[string][]byte{".debug_str": []byte("old"), ".eh_frame": []byte("frames")},
		debug); diff != "" ||
		err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}
