package loader

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainName(t *testing.T) {
	for mangled, want := range map[string]string{
		"_Z6vecaddPKfPfi4Pair":     "vecadd",
		"_ZN5outer6nestedEPi":      "nested",
		"_ZNK1a1b1cEv":             "c",
		"_ZL6staticv":              "static",
		"_Z5scaleIiEvPT_":          "scale",
		"_Z":                       "",
		"_Z9short":                 "",
		"_Z99999999999999999999aa": "",
		"plain":                    "",
		"":                         "",
	} {
		if got := PlainName(mangled); got != want {
			t.Errorf("PlainName(%q) = %q, want %q", mangled, got, want)
		}
	}
}

// Overlapping symbols: the innermost is reported, and of equal ones the
// function that others can see.
func TestSymbolAtOverlap(t *testing.T) {
	m, err := New(Module{
		Segments: []Segment{{Addr: 0x100, MemSize: 0x100}},
		Symbols: []Symbol{
			{Name: "outer", Addr: 0x100, Size: 0x80, Kind: SymbolFunc},
			{Name: "inner", Addr: 0x120, Size: 0x10, Kind: SymbolFunc},
			{Name: "alias", Addr: 0x120, Size: 0x10, Kind: SymbolFunc, Global: true},
			{Name: "number", Addr: 0x130, Absolute: true},
			{Name: "elsewhere", Addr: 0x130, Undefined: true, Kind: SymbolFunc},
			{Name: "label", Addr: 0x190},
			{Name: "wraps", Addr: 0x1a0, Size: ^uint64(0), Kind: SymbolObject},
			{Name: "short", Addr: 0x150, Size: 8, Kind: SymbolFunc, Global: true},
			{Name: "long", Addr: 0x150, Size: 0x10, Kind: SymbolFunc, Global: true},
			{Name: "far", Addr: 0x148, Size: 0x10, Kind: SymbolFunc},
			{Name: "near", Addr: 0x148, Size: 4, Kind: SymbolFunc},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[uint64]string{0x100: "outer", 0x120: "alias", 0x12f: "alias", 0x130: "outer",
		0x148: "near", 0x14b: "near", 0x14c: "far", 0x150: "short", 0x157: "short", 0x158: "long",
		0x160: "outer", 0x17f: "outer", 0x180: "", 0x198: "label", 0x1ff: "label", 0x200: ""} {
		if sym, _, _ := m.SymbolAt(addr); sym.Name != want {
			t.Errorf("SymbolAt(%#x) = %q, want %q", addr, sym.Name, want)
		}
	}
}

// TestUsed: headers of a file at address 0 are no memory of a program's; code there is, and what no section
// says anything of.
func TestUsed(t *testing.T) {
	code := []Section{{Name: "notes", Type: "SHT_NOTE", Addr: 4},
		{Name: "first", Type: "SHT_PROGBITS", Addr: 8}, {Name: "later", Type: "SHT_NOBITS", Addr: 12},
		{Name: "comment", Type: "SHT_PROGBITS"}, {Name: "beyond", Type: "SHT_PROGBITS", Addr: 24}}
	whole := Segment{MemSize: 16, Data: []byte("0123456789ab")}
	placed, runs := whole, whole
	placed.Addr, runs.Exec = 4, true
	for _, tt := range []struct {
		name     string
		sections []Section
		s, want  Segment
	}{
		{"at 0", code, whole, Segment{Addr: 8, MemSize: 8, Data: []byte("89ab")}},
		{"at 4", code, placed, placed},
		{"code at 0", code, runs, runs},
		{"without sections", nil, whole, whole},
		{"nothing but headers", code[:1], whole, Segment{Addr: 16, Data: []byte{}}},
	} {
		m := &Module{Sections: tt.sections}
		if diff := cmp.Diff(tt.want, m.Used(tt.s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// sectionFile gives a module with one section.
func sectionFile(t *testing.T, name string, flags elf.SectionFlag, data []byte) *Module {
	s := ELFSection{elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(flags),
		Size: uint64(len(data))}, name}
	f := &ELF{Data: data, Sections: []ELFSection{s}}
	m, err := New(Module{Sections: f.ModuleSections()})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func deflated(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCompressedSections(t *testing.T) {
	plain := []byte(strings.Repeat("debugging ", 100))
	body := deflated(t, plain)
	chdr := func(typ elf.CompressionType, size int, body []byte) []byte {
		h := binary.LittleEndian.AppendUint32(nil, uint32(typ))
		h = binary.LittleEndian.AppendUint32(h, 0)
		h = binary.LittleEndian.AppendUint64(h, uint64(size))
		return append(binary.LittleEndian.AppendUint64(h, 1), body...)
	}
	old := func(size uint64, body []byte) []byte {
		return append(binary.BigEndian.AppendUint64([]byte("ZLIB"), size), body...)
	}
	zeros := deflated(t, make([]byte, 1<<20))
	tests := []struct {
		name, section string
		flags         elf.SectionFlag
		data          []byte
		err           string
	}{
		{"zlib", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, len(plain), body), ""},
		{"old form", ".zdebug_info", 0, old(uint64(len(plain)), body), ""},
		{"old form without data", ".zdebug_info", 0, old(0, nil), "EOF"},
		{"old name, not compressed", ".zdebug_info", 0, plain, ""},
		{"zstd", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZSTD, len(plain), body), "zstd"},
		{"unknown method", ".debug_info", elf.SHF_COMPRESSED, chdr(7, len(plain), body),
			"unknown compression type 7"},
		{"short header", ".debug_info", elf.SHF_COMPRESSED, plain[:20], "past the end"},
		{"announces less", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, len(plain)-1, body),
			"or more"},
		{"announces more", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, len(plain)+1, body),
			"were announced"},
		{"announces what cannot be", ".debug_info", elf.SHF_COMPRESSED,
			chdr(elf.COMPRESS_ZLIB, maxDecompressed, body), "cannot make"},
		{"announces too much", ".debug_info", elf.SHF_COMPRESSED,
			chdr(elf.COMPRESS_ZLIB, maxDecompressed+1, body), "at most"},
		{"announces too much, old form", ".zdebug_info", 0, old(1<<63, body), "at most"},
		{"bomb", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, 1000, zeros), "1001 bytes or more"},
		{"damaged", ".debug_info", elf.SHF_COMPRESSED,
			chdr(elf.COMPRESS_ZLIB, len(plain), body[:len(body)-8]), "decompressing"},
		{"no zlib header", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, len(plain), plain), "zlib"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := sectionFile(t, tt.section, tt.flags, tt.data)
			got, err := m.Section(".debug_info")
			if all, allErr := m.DebugSections(); (allErr != nil) != (err != nil) ||
				!bytes.Equal(all[".debug_info"], got) {
				t.Errorf("DebugSections and Section differ: errors %v, %v", allErr, err)
			}
			if tt.err == "" {
				if err != nil || !bytes.Equal(got, plain) {
					t.Errorf("%d bytes, error %v", len(got), err)
				}
				return
			}
			var se *SectionError
			if err == nil || !errors.As(err, &se) || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

// TestRelr reads the compact form: an address, then bits for the 63 words after
// it, twice.
func TestRelr(t *testing.T) {
	const at = 0x100
	data := make([]byte, 1024)
	for i := range 128 {
		binary.LittleEndian.PutUint64(data[8*i:], uint64(i))
	}
	relative := &RelocRule{Name: "R_TEST_RELATIVE", Size: 8}
	m := &relocReader{
		segments: []Segment{{Addr: at, MemSize: 1024, Data: data}},
		rules:    &RelocRules{Relative: 3, ByType: map[uint32]*RelocRule{3: relative}},
	}
	words := func(w ...uint64) []byte {
		var b []byte
		for _, v := range w {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		return b
	}
	// Word 1; of the next 63 the first and the last; of the 63 after those the second.
	if err := m.readRelr(words(at+8, 1|1<<1|1<<63, 1|1<<2)); err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for _, r := range m.relocs {
		if r.Rule != relative || uint64(r.Addend) != (r.Addr-at)/8 {
			t.Errorf("relocation %+v", r)
		}
		got = append(got, (r.Addr-at)/8)
	}
	if diff := cmp.Diff([]uint64{1, 2, 64, 66}, got); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	if err := m.readRelr(words(at + 1020)); err == nil {
		t.Error("a place that is partly outside the segment was taken")
	}
	if err := m.readRelr(make([]byte, 7)); err == nil {
		t.Error("a table of 7 bytes was read")
	}
}

// TestFirstSymbol reads a relocation against the first symbol that there is, number 1.
func TestFirstSymbol(t *testing.T) {
	table := make([]byte, 2*elfSymSize)
	table[elfSymSize] = 1                                       // its name
	binary.LittleEndian.PutUint64(table[elfSymSize+8:], 0x1234) // its value
	segments := []Segment{{Addr: 0x1000, MemSize: uint64(len(table)), Data: table}}
	names := newStringTable([]byte("\x00first\x00"), 0)
	m := &relocReader{segments: segments, rules: testRules,
		symbols: &dynSymbols{segments, 0x1000, names, map[uint32]Reloc{}}}
	var entry []byte
	for _, v := range []uint64{0x1008, elf.R_INFO(1, 1), 5} {
		entry = binary.LittleEndian.AppendUint64(entry, v)
	}
	if err := m.readTable(entry, true); err != nil {
		t.Fatal(err)
	}
	if r := m.relocs[0]; r.Symbol != "first" || r.Value != 0x1234 || r.Addend != 5 {
		t.Errorf("relocation %+v", r)
	}
}

// TestImplicitAddend reads addends of each size from the place.
func TestImplicitAddend(t *testing.T) {
	data := bytes.Repeat([]byte{0xfe, 0xff, 0xff, 0xff}, 4)
	rules := &RelocRules{ByType: map[uint32]*RelocRule{}}
	for size := range uint32(9) {
		rules.ByType[size] = &RelocRule{Name: fmt.Sprintf("R_TEST_%d", 8*size), Size: int(size)}
	}
	m := &relocReader{segments: []Segment{{Addr: 0x40, MemSize: 16, Data: data}}, rules: rules}
	for typ, want := range map[uint32]int64{8: -0x1_0000_0002, 4: -2, 2: -2, 1: -2, 0: 0} {
		r := rules.Reloc(typ)
		r.Addr = 0x40
		if got, ok := m.implicitAddend(r); !ok || got != want {
			t.Errorf("%v: addend %#x, %v, want %#x", typ, got, ok, want)
		}
	}
	entry := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 0x60), 8)
	if err := m.readTable(entry, false); err == nil || !strings.Contains(err.Error(), "not in a segment") {
		t.Errorf("error %v, want one about the place", err)
	}
	if err := m.readTable(entry[:15], false); err == nil ||
		!strings.Contains(err.Error(), "entries have 16") {
		t.Errorf("error %v, want one about the size", err)
	}
}
