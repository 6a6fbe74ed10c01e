package loader

import (
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// objects is where files for the tests are: those of a format that is ELF.
const objects = "amdgpu/testdata"

func readObject(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(objects, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRelocatable compares the symbols and relocations of an object that is not
// linked with what llvm-readelf says.
func TestRelocatable(t *testing.T) {
	const file = "unlinked-gfx900.o"
	f, err := ReadELF(readObject(t, file))
	if err != nil {
		t.Fatal(err)
	}
	readelf, err := exec.LookPath("llvm-readelf-22")
	if err != nil {
		t.Skip("skipped: llvm-readelf-22 is not installed")
	}
	text, err := exec.Command(readelf, "--elf-output-style=JSON", "-r", "-s",
		filepath.Join(objects, file)).Output()
	if err != nil {
		t.Fatal(err)
	}
	type named struct {
		Name  string
		Value int64
	}
	var want []struct {
		Relocations []struct {
			SectionIndex int
			Relocs       []struct {
				Relocation struct {
					Offset uint64
					Type   named
					Symbol named
					Addend int64
				}
			}
		}
		Symbols []struct {
			Symbol struct {
				Name, Section named
				Value, Size   uint64
			}
		}
	}
	if err := json.Unmarshal(text, &want); err != nil || len(want) != 1 {
		t.Fatalf("llvm-readelf's JSON: %d files, error %v", len(want), err)
	}
	symbols, err := f.SymbolTable(f.SectionOfType(elf.SHT_SYMTAB))
	if err != nil {
		t.Fatal(err)
	}
	type symbol struct {
		Name       string
		Shndx      int
		Addr, Size uint64
	}
	var wantSymbols, gotSymbols []symbol
	for i, s := range want[0].Symbols {
		e := s.Symbol
		wantSymbols = append(wantSymbols, symbol{e.Name.Name, int(e.Section.Value), e.Value, e.Size})
		if g := symbols[i]; g.Kind == SymbolSection { // llvm-readelf gives it the section's name
			g.Name = g.Section
			gotSymbols = append(gotSymbols, symbol{g.Name, g.Shndx, g.Addr, g.Size})
		} else {
			if g.Absolute {
				g.Shndx = int(elf.SHN_ABS)
			}
			gotSymbols = append(gotSymbols, symbol{g.Name, g.Shndx, g.Addr, g.Size})
		}
	}
	if diff := cmp.Diff(wantSymbols, gotSymbols); diff != "" {
		t.Errorf("symbols (-llvm-readelf +loader):\n%s", diff)
	}
	relocations := 0
	for _, table := range want[0].Relocations {
		got, rela, err := f.RelocSection(table.SectionIndex)
		if err != nil || !rela || len(got) != len(table.Relocs) {
			t.Fatalf("section %d: %d relocations, RELA %v, error %v", table.SectionIndex, len(got), rela, err)
		}
		for i, r := range table.Relocs {
			e := r.Relocation
			w := ELFReloc{e.Offset, uint32(e.Type.Value), uint32(got[i].Symbol), e.Addend}
			if s := symbols[got[i].Symbol]; s.Name != e.Symbol.Name && s.Section != e.Symbol.Name {
				t.Errorf("relocation %d is against %q, want %q", i, s.Name, e.Symbol.Name)
			}
			if got[i] != w {
				t.Errorf("relocation %d: %+v, want %+v", i, got[i], w)
			}
			relocations++
		}
	}
	if relocations == 0 {
		t.Error("the test file has no relocations")
	}
}

// TestManySections: a number of sections that no file has room for is refused with that number, however
// large.
func TestManySections(t *testing.T) {
	b := readObject(t, "unlinked-gfx900.o")
	sections := binary.LittleEndian.Uint64(b[40:])
	binary.LittleEndian.PutUint16(b[60:], 0) // the number is the size of the first section
	for _, count := range []uint64{1 << 16, 1 << 40, 1<<64 - 1} {
		binary.LittleEndian.PutUint64(b[sections+32:], count)
		_, err := ReadELF(b)
		want := fmt.Sprintf("offset %#x: section header table with %d entries runs past the end of the "+
			"file; the file has room for %d", sections, count, len(b)/64)
		if !errors.Is(err, ErrTruncated) || err.Error() != want {
			t.Errorf("%d sections: %v, want %q", count, err, want)
		}
	}
}

// TestSectionsOfOneName: of sections with the same name the first is found.
func TestSectionsOfOneName(t *testing.T) {
	b := readObject(t, "unlinked-gfx900.o")
	header := func(i int) []byte { return b[int(binary.LittleEndian.Uint64(b[40:]))+64*i:] }
	copy(header(4)[:4], header(2)[:4]) // where its name is
	f, err := ReadELF(b)
	if err != nil {
		t.Fatal(err)
	}
	if name := f.Sections[4].Name; name != f.Sections[2].Name || name == "" || f.SectionNamed(name) != 2 {
		t.Errorf("section 2 is %q, 4 %q; found %d", f.Sections[2].Name, name, f.SectionNamed(name))
	}
}

func TestRelocSectionErrors(t *testing.T) {
	section := func(change func(s *ELFSection)) *ELF {
		s := ELFSection{elf.Section64{Type: uint32(elf.SHT_RELA), Size: 24, Entsize: 24}, ".rela\n.text"}
		change(&s)
		return &ELF{Data: make([]byte, 24), Sections: []ELFSection{s}}
	}
	for part, change := range map[string]func(s *ELFSection){
		"want SHT_RELA or SHT_REL": func(s *ELFSection) { s.Type = uint32(elf.SHT_PROGBITS) },
		"entries have 24":          func(s *ELFSection) { s.Entsize = 16 },
		"entries have 16":          func(s *ELFSection) { s.Type = uint32(elf.SHT_REL) },
		"for section 7":            func(s *ELFSection) { s.Info = 7 },
		"symbols of section 1":     func(s *ELFSection) { s.Link = 1 },
		"past the end":             func(s *ELFSection) { s.Off = 1 },
		"for section 1":            func(s *ELFSection) { s.Info = 1 },
		"20 bytes with entries":    func(s *ELFSection) { s.Size = 20 },
	} {
		_, _, err := section(change).RelocSection(0)
		if err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, part)
		}
	}
}

// TestNotes reads notes whose names and contents end between words (System V ABI, "Note Section"): of
// segments, and of sections only where there are no segments.
func TestNotes(t *testing.T) {
	note := func(name string, typ uint32, desc string) (b []byte) {
		for _, n := range []uint32{uint32(len(name)) + 1, uint32(len(desc)), typ} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		for _, s := range []string{name + "\x00", desc} {
			b = append(b, s...)
			b = append(b, make([]byte, -len(b)&3)...)
		}
		return b
	}
	first := append(note("ABCD", 1, "xyz"), note("GNU", 2, "12345")...)
	data := append(first[:len(first):len(first)], note("other", 3, "")...)
	f := &ELF{Data: data, Sections: []ELFSection{{elf.Section64{Type: uint32(elf.SHT_NOTE),
		Off: uint64(len(first)), Size: uint64(len(data) - len(first))}, ".note"}}}
	read := func() (text string) {
		notes, err := f.Notes()
		for _, n := range notes {
			text += fmt.Sprintf("%s %d %q at %d, ", n.Owner, n.Type, n.Desc, n.Offset)
		}
		if err != nil {
			text += err.Error()
		}
		return text
	}
	if got, want := read(), `other 3 "" at 68, `; got != want {
		t.Errorf("of sections: %s, want %s", got, want)
	}
	f.Progs = []elf.Prog64{{Type: uint32(elf.PT_NOTE), Filesz: uint64(len(first))}}
	if got, want := read(), `ABCD 1 "xyz" at 20, GNU 2 "12345" at 40, `; got != want {
		t.Errorf("of segments: %s, want %s", got, want)
	}
	f.Progs[0].Filesz = uint64(len(first)) - 8 // within the second one's contents
	if got, want := read(), "contents of 5 bytes"; !strings.Contains(got, want) {
		t.Errorf("cut off: %s, want %q", got, want)
	}
}

// TestNewErrors gives New parts that do not hold together.
func TestNewErrors(t *testing.T) {
	tests := []struct {
		name, part string
		parts      Module
	}{
		{"overlap", "the one before it ends at 0x20", Module{Segments: []Segment{{Addr: 0x10, MemSize: 0x10},
			{Addr: 0x18, MemSize: 8}}}},
		{"order", "the one before it ends at 0x20", Module{Segments: []Segment{{Addr: 0x10, MemSize: 0x10},
			{Addr: 0, MemSize: 8}}}},
		{"wraps around", "at address", Module{Segments: []Segment{{Addr: ^uint64(0), MemSize: 8}}}},
		{"more data than memory", "in the file",
			Module{Segments: []Segment{{Name: "a\nb", Data: make([]byte, 8),
				MemSize: 4}}}},
		{"too large", "together", Module{Segments: []Segment{{MemSize: MaxMemSize},
			{Addr: MaxMemSize, MemSize: 1}}}},
		{"kernels", `kernel "k": two kernels of this name`,
			Module{Kernels: []Kernel{{Name: "k"}, {Name: "k"}}}},
	}
	for _, tt := range tests {
		m, err := New(tt.parts)
		if err == nil || m != nil || !strings.Contains(err.Error(), tt.part) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", tt.name, err, tt.part)
		}
	}
}

// TestExtents: segments may be as large as can be, together, and reach to the last address.
func TestExtents(t *testing.T) {
	for _, segments := range [][]Segment{{{MemSize: MaxMemSize - 1}, {Addr: MaxMemSize, MemSize: 1}},
		{{Addr: ^uint64(0) - 8, MemSize: 8, Data: make([]byte, 8)}}} {
		if _, err := New(Module{Segments: segments}); err != nil {
			t.Error(err)
		}
	}
}

// TestNew looks things up in a module that was made of parts.
func TestNew(t *testing.T) {
	m, err := New(Module{
		Format: "test", Target: Target{Name: "t1"},
		Segments: []Segment{{Name: "code", Addr: 0x1000, MemSize: 0x40, Data: []byte{1, 2, 3, 4},
			Exec: true}},
		Symbols: []Symbol{{Name: "k", Addr: 0x1000, Size: 0x20, Kind: SymbolFunc}},
		Kernels: []Kernel{{Name: "k", Symbol: "k.record", Entry: 0x1000}},
		Sections: []Section{{Name: ".debug_info", Data: []byte("info")},
			{Name: ".debug_info", Data: []byte("later")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s, off, ok := m.SymbolAt(0x1010); !ok || off != 0x10 || s.Name != "k" {
		t.Errorf("symbol %+v+%d, %v", s, off, ok)
	}
	if b, ok := m.BytesAt(0x1001, 3); !ok || string(b) != "\x02\x03\x04" {
		t.Errorf("bytes % x, %v", b, ok)
	}
	if _, ok := m.BytesAt(0x1001, 4); ok {
		t.Error("BytesAt gave bytes that the file does not have")
	}
	if k, err := m.Kernel("k.record"); err != nil || k.Name != "k" {
		t.Errorf("kernel %v, error %v", k, err)
	}
	if _, err := m.Kernel(""); !errors.Is(err, ErrNoKernel) {
		t.Errorf("error %v", err)
	}
	debug, err := m.DebugSections()
	if diff := cmp.Diff(map[string][]byte{".debug_info": []byte("info")}, debug); diff != "" || err != nil {
		t.Errorf("error %v, (-want +got):\n%s", err, diff)
	}
	if m.Target.String() != "t1" {
		t.Errorf("target %v", m.Target)
	}
}

func FuzzELF(f *testing.F) {
	for _, file := range []string{"bare-gfx90a-rel.co", "no-sections-gfx900.co", "unlinked-gfx900.o"} {
		f.Add(readObject(f, file))
	}
	rules := &RelocRules{Relative: 1, ByType: map[uint32]*RelocRule{
		1: {Name: "R_TEST_1", Size: 8, Value: func(s, a, p, b uint64) uint64 { return s + a }},
	}}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := ReadELF(data)
		if err != nil {
			return
		}
		file.Notes()
		if parts, err := file.Link(rules, 0x1000); err == nil {
			if _, err := New(parts); err != nil {
				t.Fatalf("the parts of a relocatable file do not hold together: %v", err)
			}
		}
		for i, s := range file.Sections {
			file.Contents(i)
			switch elf.SectionType(s.Type) {
			case elf.SHT_SYMTAB:
				file.SymbolTable(i)
			case elf.SHT_RELA, elf.SHT_REL:
				file.RelocSection(i)
			}
		}
		parts, err := file.Linked(rules)
		if err != nil {
			return
		}
		m, err := New(parts)
		if err != nil {
			t.Fatalf("the parts of a linked file do not hold together: %v", err)
		}
		m.DebugSections()
		m.Relocate(0x1000, nil)
		for _, s := range m.Segments {
			m.SymbolAt(s.Addr)
		}
	})
}
