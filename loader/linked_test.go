package loader

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// section is one that a file says lies at an address.
func section(name string, t elf.SectionType, flags elf.SectionFlag, addr uint64) ELFSection {
	return ELFSection{Name: name, Section64: elf.Section64{Type: uint32(t), Flags: uint64(flags), Addr: addr}}
}

// TestSegments: a file's loadable segments, with the names of the program's sections in them.
func TestSegments(t *testing.T) {
	const (
		load = uint32(elf.PT_LOAD)
		note = uint32(elf.PT_NOTE)
		bits = elf.SHT_PROGBITS
		has  = elf.SHF_ALLOC
	)
	f := &ELF{Data: []byte("0123456789abcdef")}
	f.Sections = append(f.Sections, ELFSection{}, section(".dynsym", elf.SHT_DYNSYM, has, 0x100),
		section(".rodata", bits, has, 0x110), section(".text", bits, has, 0x200),
		section(".bss", elf.SHT_NOBITS, has, 0x20f), section(".relro_padding", elf.SHT_NOBITS, has, 0x208),
		section(".comment", bits, 0, 0x200), section(".dynamic", elf.SHT_DYNAMIC, has, 0x300),
		section(".hash", elf.SHT_HASH, has, 0x308), section(".text", bits, has, 0x500))
	for i := range 9 {
		f.Sections = append(f.Sections, section(fmt.Sprint("s", i), bits, has, 0x400+uint64(i)))
	}
	f.Progs = []elf.Prog64{{Type: note, Vaddr: 0x900, Memsz: 8},
		{Type: load, Vaddr: 0x100, Memsz: 0x20, Filesz: 4, Flags: uint32(elf.PF_R)},
		{Type: load, Vaddr: 0x50}, // nothing, wherever it lies
		{Type: load, Vaddr: 0x200, Memsz: 0x10, Off: 12, Filesz: 4, Flags: uint32(elf.PF_X)},
		{Type: load, Vaddr: 0x300, Memsz: 0x10, Flags: uint32(elf.PF_W)},
		{Type: load, Vaddr: 0x400, Memsz: 0x100}, {Type: load, Vaddr: 0x600, Memsz: 1}}
	want := []Segment{{Name: ".rodata", Addr: 0x100, MemSize: 0x20, Data: []byte("0123"), Read: true},
		{Name: ".text+.bss", Addr: 0x200, MemSize: 0x10, Data: []byte("cdef"), Exec: true},
		{Name: ".dynamic+.hash", Addr: 0x300, MemSize: 0x10, Data: []byte{}, Write: true},
		{Name: "s0+s1+s2+s3+s4+s5+s6+s7", Addr: 0x400, MemSize: 0x100, Data: []byte{}},
		{Name: "segment 6", Addr: 0x600, MemSize: 1, Data: []byte{}}}
	got, err := f.Segments()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	f.Progs[3].Off++
	if _, err := f.Segments(); err == nil || !strings.Contains(err.Error(), "segment of 4 bytes") {
		t.Errorf("a segment that the file ends in: %v", err)
	}
	f.Progs[3].Vaddr = 0x11f
	if _, err := f.Segments(); err == nil || !strings.Contains(err.Error(), "segment 3: at address 0x11f") {
		t.Errorf("a segment that begins in another: %v", err)
	}
}

// TestReadDynamic: what the dynamic section says, up to its end, and of what it says twice the first.
func TestReadDynamic(t *testing.T) {
	var data []byte
	for _, n := range []uint64{uint64(elf.DT_HASH), 1, uint64(elf.DT_STRSZ), 2, uint64(elf.DT_HASH), 3,
		uint64(elf.DT_NULL), 4, uint64(elf.DT_RELA), 5} {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	f := &ELF{Data: data, Progs: []elf.Prog64{{Type: uint32(elf.PT_LOAD), Filesz: 80},
		{Type: uint32(elf.PT_DYNAMIC), Filesz: 80}}}
	got, err := f.readDynamic()
	if diff := cmp.Diff(dynamic{elf.DT_HASH: 1, elf.DT_STRSZ: 2}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	f.Progs[1].Filesz = 31 // half an entry is none
	if got, err := f.readDynamic(); err != nil || !cmp.Equal(got, dynamic{elf.DT_HASH: 1}) {
		t.Errorf("of one entry and a half: %v, %v", got, err)
	}
	f.Progs[1].Filesz = 81
	if _, err := f.readDynamic(); err == nil {
		t.Error("it goes on behind the end of the file")
	}
	l := &linked{ELF: f, segments: []Segment{{Addr: 0x10, MemSize: 16, Data: []byte("0123456789abcdef")}},
		dyn: dynamic{elf.DT_STRTAB: 0x14, elf.DT_STRSZ: 12, elf.DT_RELA: 0x14, elf.DT_RELASZ: 13,
			elf.DT_REL: 0x900, elf.DT_RELSZ: 0}}
	if b, err := l.dynTable(elf.DT_STRTAB, elf.DT_STRSZ); err != nil || string(b) != "456789abcdef" {
		t.Errorf("a table to the end of a segment: %q, %v", b, err)
	}
	if _, err := l.dynTable(elf.DT_RELA, elf.DT_RELASZ); err == nil ||
		!strings.Contains(err.Error(), "table of 13 bytes at address 0x14 is not in a segment") {
		t.Errorf("a table that goes beyond its segment: %v", err)
	}
	for _, tag := range []elf.DynTag{elf.DT_REL, elf.DT_JMPREL} {
		if b, err := l.dynTable(tag, elf.DT_RELSZ); err != nil || len(b) != 0 {
			t.Errorf("%v, which has no bytes: %q, %v", tag, b, err)
		}
	}
}

// TestNamesOfSections: where names are, what has none, and what is said of numbers of sections that there are
// not.
func TestNamesOfSections(t *testing.T) {
	f := &ELF{Data: []byte("\x00.a\x00.b\x00"), Sections: make([]ELFSection, 4)}
	f.Sections[1].Section64 = elf.Section64{Type: uint32(elf.SHT_STRTAB), Size: 7}
	f.Sections[2].Section64 = elf.Section64{Type: uint32(elf.SHT_PROGBITS), Name: 1}
	f.Sections[3].Section64 = elf.Section64{Type: uint32(elf.SHT_SYMTAB), Name: 4, Entsize: elfSymSize,
		Link: 4}
	if err := f.nameSections(1); err != nil || f.SectionNamed(".a") != 2 || f.SectionNamed(".b") != 3 {
		t.Errorf("%v, .a is %d and .b %d", err, f.SectionNamed(".a"), f.SectionNamed(".b"))
	}
	if i := f.SectionNamed(".c"); i != -1 {
		t.Errorf(".c is section %d", i)
	}
	if err := f.nameSections(4); err == nil || !strings.Contains(err.Error(), "section 4 of 4") {
		t.Errorf("names in section 4 of 4: %v", err)
	}
	if _, err := f.SymbolTable(3); err == nil || !strings.Contains(err.Error(), "section 4 of 4") {
		t.Errorf("names of symbols in section 4 of 4: %v", err)
	}
	f.Sections[2].Section64.Name = 7
	if err := f.nameSections(1); err == nil || !strings.Contains(err.Error(), "name of section 2") {
		t.Errorf("a name behind the table: %v", err)
	}
}
