package dwarftest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Object writes an object of x86-64 that has these sections and no others, those of code at an address, and
// gives its path: what LLVM's tools and readelf need to say what is in them.
func Object(t testing.TB, sections map[string][]byte, address uint64) string {
	t.Helper()
	const headerSize, sectionSize = 64, 64
	var contents, names bytes.Buffer
	names.WriteByte(0)
	headers := make([]elf.Section64, 1, len(sections)+2)
	add := func(name string, kind elf.SectionType, data []byte) *elf.Section64 {
		headers = append(headers, elf.Section64{Name: uint32(names.Len()), Type: uint32(kind),
			Off: uint64(headerSize + contents.Len()), Size: uint64(len(data))})
		names.WriteString(name + "\x00")
		contents.Write(data)
		return &headers[len(headers)-1]
	}
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		h := add(name, elf.SHT_PROGBITS, sections[name])
		if !strings.HasPrefix(name, ".debug_") {
			h.Flags, h.Addr = uint64(elf.SHF_ALLOC), address
		}
	}
	table := add(".shstrtab", elf.SHT_STRTAB, nil) // its own name is in it
	table.Size = uint64(names.Len())
	contents.Write(names.Bytes())
	h := elf.Header64{Type: uint16(elf.ET_REL), Machine: uint16(elf.EM_X86_64), Version: 1,
		Shoff: uint64(headerSize + contents.Len()), Ehsize: headerSize, Shentsize: sectionSize,
		Shnum: uint16(len(headers)), Shstrndx: uint16(len(headers) - 1)}
	copy(h.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	var b bytes.Buffer
	for _, part := range []any{h, contents.Bytes(), headers} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "sections.o")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
