package loader

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An objectFile is a relocatable file that a test makes: section 1 has the
// names, 2 the symbols.
type objectFile struct {
	sections []ELFSection
	data     []byte
}

const (
	testStrings = 1 + iota
	testSymbols
	testFirst // the section that is added first
)

// newObject makes a file with symbols 1 up, whose names are "s1" and so on.
func newObject(symbols ...elf.Sym64) *objectFile {
	o := &objectFile{}
	o.add(".null", elf.Section64{}, nil)
	names := []byte{0}
	table := make([]byte, elfSymSize)
	for i, s := range symbols {
		s.Name = uint32(len(names))
		names = append(names, 's', '1'+byte(i), 0)
		table, _ = binary.Append(table, binary.LittleEndian, s)
	}
	o.add(".strtab", elf.Section64{Type: uint32(elf.SHT_STRTAB)}, names)
	o.add(".symtab", elf.Section64{Type: uint32(elf.SHT_SYMTAB), Entsize: elfSymSize, Link: testStrings},
		table)
	return o
}

func (o *objectFile) add(name string, s elf.Section64, data []byte) int {
	s.Off = uint64(len(o.data))
	if s.Size == 0 {
		s.Size = uint64(len(data))
	}
	o.data = append(o.data, data...)
	o.sections = append(o.sections, ELFSection{s, name})
	return len(o.sections) - 1
}

// program adds a section that is loaded.
func (o *objectFile) program(name string, flags elf.SectionFlag, align uint64, data []byte) int {
	return o.add(name, elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(flags | elf.SHF_ALLOC),
		Addralign: align}, data)
}

// rela adds relocations of a section: offset, type, symbol, addend each.
func (o *objectFile) rela(section int, entries ...[4]int64) {
	var b []byte
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint64(b, uint64(e[0]))
		b = binary.LittleEndian.AppendUint64(b, elf.R_INFO(uint32(e[2]), uint32(e[1])))
		b = binary.LittleEndian.AppendUint64(b, uint64(e[3]))
	}
	o.add(".rela", elf.Section64{Type: uint32(elf.SHT_RELA), Entsize: elfRelaSize, Link: testSymbols,
		Info: uint32(section)}, b)
}

func (o *objectFile) rel(section int, entries ...[3]int64) {
	var b []byte
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint64(b, uint64(e[0]))
		b = binary.LittleEndian.AppendUint64(b, elf.R_INFO(uint32(e[2]), uint32(e[1])))
	}
	o.add(".rel", elf.Section64{Type: uint32(elf.SHT_REL), Entsize: elfRelSize, Link: testSymbols,
		Info: uint32(section)}, b)
}

func (o *objectFile) file() *ELF {
	return &ELF{Data: o.data, Type: elf.ET_REL, Sections: o.sections}
}

// testRules have an absolute and a relative relocation.
var testRules = &RelocRules{Prefix: "R_TEST", ByType: map[uint32]*RelocRule{
	1: {Name: "R_TEST_64", Size: 8, Value: func(s, a, p, b uint64) uint64 { return s + a }},
	2: {Name: "R_TEST_REL32", Size: 4, Value: func(s, a, p, b uint64) uint64 { return s + a - p },
		Fits: func(v uint64) bool { return int64(v) == int64(int32(v)) }},
}}

func defined(section int, value uint64) elf.Sym64 {
	return elf.Sym64{Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Shndx: uint16(section), Value: value,
		Size: 4}
}

// TestLink places sections and looks at what relocations have made of them.
func TestLink(t *testing.T) {
	const base = 0x10000
	o := newObject(defined(testFirst+1, 4), defined(testFirst+2, 8),
		elf.Sym64{Info: elf.ST_INFO(elf.STB_WEAK, elf.STT_NOTYPE)},
		elf.Sym64{Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE), Shndx: uint16(elf.SHN_ABS), Value: 0x77})
	text := o.program(".text", elf.SHF_EXECINSTR, 256, make([]byte, 20))
	more := o.program(".text.more", elf.SHF_EXECINSTR, 256, make([]byte, 8))
	data := o.program(".data", elf.SHF_WRITE, 8, make([]byte, 40))
	bss := o.add(".bss", elf.Section64{Type: uint32(elf.SHT_NOBITS),
		Flags: uint64(elf.SHF_ALLOC | elf.SHF_WRITE), Addralign: 16, Size: 0x100}, nil)
	debug := o.add(".debug_info", elf.Section64{Type: uint32(elf.SHT_PROGBITS)},
		[]byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 9})
	o.rela(text, [4]int64{0, 2, 1, 0}, [4]int64{8, 2, 2, -4})
	o.rela(data, [4]int64{0, 1, 2, 1}, [4]int64{8, 1, 3, 5}, [4]int64{16, 1, 4, 0}, [4]int64{24, 1, 0, 3})
	o.rel(debug, [3]int64{0, 1, 1})
	parts, err := o.file().Link(testRules, base)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(parts)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range m.Segments {
		got = append(got, s.Name)
	}
	if diff := cmp.Diff([]string{".text", ".text.more", ".data", ".bss"}, got); diff != "" {
		t.Fatalf("segments (-want +got):\n%s", diff)
	}
	const textAt, moreAt, dataAt, bssAt = base, base + 0x100, base + 0x1000, base + 0x1030
	for i, want := range []uint64{textAt, moreAt, dataAt, bssAt} {
		if s := m.Segments[i]; s.Addr != want {
			t.Errorf("%s at %#x, want %#x", s.Name, s.Addr, want)
		}
	}
	for i, s := range m.Segments {
		if code := i < 2; !s.Read || s.Write == code || s.Exec != code {
			t.Errorf("%s has the rights %v, %v, %v", s.Name, s.Read, s.Write, s.Exec)
		}
	}
	if s := m.Segments[3]; s.MemSize != 0x100 || len(s.Data) != 0 || !s.Write || s.Exec {
		t.Errorf("%+v", s)
	}
	word := func(section int, at int) uint64 {
		b := make([]byte, 8)
		copy(b, m.Sections[section-1].Data[at:])
		return binary.LittleEndian.Uint64(b)
	}
	neg := func(v int32) uint64 { return uint64(uint32(v)) }
	for _, w := range []struct {
		what      string
		got, want uint64
	}{
		{"call of s1", word(text, 0) & 0xffffffff, moreAt + 4 - textAt},
		{"call of s2", word(text, 8) & 0xffffffff, neg(dataAt + 8 - 4 - (textAt + 8))},
		{"pointer to s2", word(data, 0), dataAt + 8 + 1},
		{"weak symbol", word(data, 8), 5},
		{"absolute symbol", word(data, 16), 0x77},
		{"no symbol", word(data, 24), 3},
		{"debug information, addend -2 at the place", word(debug, 0), moreAt + 4 - 2},
	} {
		if w.got != w.want {
			t.Errorf("%s: %#x, want %#x", w.what, w.got, w.want)
		}
	}
	if s, off, ok := m.SymbolAt(moreAt + 6); !ok || s.Name != "s1" || off != 2 || s.Section != ".text.more" {
		t.Errorf("symbol %+v+%d, %v", s, off, ok)
	}
	if m.Sections[bss-1].Addr != bssAt || m.Sections[more-1].Addr != moreAt {
		t.Errorf("sections %+v", m.Sections)
	}
	if o.data[o.sections[text].Off] != 0 {
		t.Error("Link changed the file")
	}
}

func TestLinkErrors(t *testing.T) {
	tests := []struct {
		name string
		make func() *objectFile
		err  error
		part string
	}{
		{"undefined symbol", func() *objectFile {
			o := newObject(elf.Sym64{Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE)})
			o.rela(o.program(".text", elf.SHF_EXECINSTR, 4, make([]byte, 8)), [4]int64{0, 1, 1, 0})
			return o
		}, ErrUndefinedSymbol, `relocation R_TEST_64 at 0x1000 against symbol "s1": undefined symbol`},
		{"unknown type", func() *objectFile {
			o := newObject()
			o.rela(o.program(".text", elf.SHF_EXECINSTR, 4, make([]byte, 8)), [4]int64{0, 99, 0, 0})
			return o
		}, ErrUnsupported, "relocation R_TEST type 99 at 0x1000"},
		{"outside", func() *objectFile {
			o := newObject()
			o.rela(o.program(".text", elf.SHF_EXECINSTR, 4, make([]byte, 8)), [4]int64{1, 1, 0, 0})
			return o
		}, nil, "8 bytes at 0x1 of a section that has 8"},
		{"far outside", func() *objectFile {
			o := newObject()
			o.rela(o.program(".text", elf.SHF_EXECINSTR, 4, make([]byte, 8)), [4]int64{-1, 1, 0, 0})
			return o
		}, nil, "of a section that has 8"},
		{"too far", func() *objectFile {
			o := newObject()
			o.rela(o.program(".text", elf.SHF_EXECINSTR, 4, make([]byte, 8)), [4]int64{0, 2, 0, 1 << 40})
			return o
		}, nil, "does not fit in 32 bits"},
		{"no such symbol", func() *objectFile {
			o := newObject()
			o.rela(o.program(".text", elf.SHF_EXECINSTR, 4, make([]byte, 8)), [4]int64{0, 1, 5, 0})
			return o
		}, nil, "symbol 5 of 1"},
		{"alignment", func() *objectFile {
			o := newObject()
			o.program(".text", elf.SHF_EXECINSTR, 3, make([]byte, 8))
			return o
		}, nil, "alignment 0x3, want a power of two"},
		{"large alignment", func() *objectFile {
			o := newObject()
			o.program(".text", elf.SHF_EXECINSTR, 1<<40, make([]byte, 8))
			return o
		}, nil, "want a power of two up to 0x10000"},
		{"too large", func() *objectFile {
			o := newObject()
			o.add(".bss", elf.Section64{Type: uint32(elf.SHT_NOBITS), Flags: uint64(elf.SHF_ALLOC),
				Size: MaxMemSize}, nil)
			o.add(".bss", elf.Section64{Type: uint32(elf.SHT_NOBITS), Flags: uint64(elf.SHF_ALLOC), Size: 1}, nil)
			return o
		}, nil, "do not fit"},
		{"wraps around", func() *objectFile {
			o := newObject()
			o.add(".bss", elf.Section64{Type: uint32(elf.SHT_NOBITS), Flags: uint64(elf.SHF_ALLOC),
				Size: ^uint64(0)}, nil)
			return o
		}, nil, "do not fit"},
	}
	for _, tt := range tests {
		_, err := tt.make().file().Link(testRules, 0x1000)
		if err == nil || !strings.Contains(err.Error(), tt.part) || tt.err != nil && !errors.Is(err, tt.err) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.part)
		}
	}
}
