package hipc

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A dynamicSymbol is one of an object of the tests.
type dynamicSymbol struct {
	name  string
	kind  elf.SymType
	value uint64
}

// object is a shared object with symbols, from number 1 on, and relocations, as the ELF specification lays
// them out.
func object(t *testing.T, symbols []dynamicSymbol, relocations []elf.Rela64) []byte {
	t.Helper()
	put := func(values ...any) []byte {
		var b bytes.Buffer
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
		return b.Bytes()
	}
	text, table := []byte{0}, put(elf.Sym64{})
	for _, s := range symbols {
		table = append(table, put(elf.Sym64{Name: uint32(len(text)), Shndx: 1, Value: s.value,
			Info: elf.ST_INFO(elf.STB_GLOBAL, s.kind)})...)
		text = append(append(text, s.name...), 0)
	}
	var data []byte
	begin := uint64(binary.Size(elf.Header64{}))
	var headers []elf.Section64
	section := func(h elf.Section64, b []byte) {
		h.Off, h.Size = begin+uint64(len(data)), uint64(len(b))
		headers, data = append(headers, h), append(data, b...)
	}
	headers = append(headers, elf.Section64{})
	section(elf.Section64{Name: 1, Type: uint32(elf.SHT_STRTAB)}, []byte("\x00name\x00"))
	section(elf.Section64{Name: 1, Type: uint32(elf.SHT_STRTAB)}, text)
	section(elf.Section64{Name: 1, Type: uint32(elf.SHT_DYNSYM), Link: 2, Info: 1, Entsize: 24}, table)
	section(elf.Section64{Name: 1, Type: uint32(elf.SHT_RELA), Link: 3, Entsize: 24}, put(relocations))
	h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(elf.EM_AMDGPU), Version: 1, Ehsize: 64,
		Shoff: begin + uint64(len(data)), Shentsize: 64, Shnum: uint16(len(headers)), Shstrndx: 1}
	copy(h.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	return bytes.Join([][]byte{put(h), data, put(headers)}, nil)
}

// TestLowered: expressions are called what their probes' relocations say: by the symbol, or by an address, at
// which a function goes before a variable. The numbers are those of LLVM's AMDGPUUsage: R_AMDGPU_ABS64 is 3,
// R_AMDGPU_RELATIVE64 13, of which others are told apart.
func TestLowered(t *testing.T) {
	symbols := []dynamicSymbol{
		{"__simtgdb_name_0", elf.STT_OBJECT, 0x100}, {"__simtgdb_name_1", elf.STT_OBJECT, 0x108},
		{"_Z1kPi", elf.STT_FUNC, 0x200}, {"v", elf.STT_OBJECT, 0x300}, {"_Z1kPi.kd", elf.STT_OBJECT, 0x200},
		{"section", elf.STT_SECTION, 0x300}}
	to := func(sym, kind uint64) uint64 { return sym<<32 | kind }
	for _, c := range []struct {
		name        string
		relocations []elf.Rela64
		want        []string
	}{
		{"by symbols", []elf.Rela64{{Off: 0x100, Info: to(3, 3)}, {Off: 0x108, Info: to(6, 3)}},
			[]string{"_Z1kPi", "section"}},
		{"by addresses", []elf.Rela64{{Off: 0x108, Info: to(0, 13), Addend: 0x300},
			{Off: 0x100, Info: to(0, 13), Addend: 0x200}}, []string{"_Z1kPi", "v"}},
		{"by the first symbol", []elf.Rela64{{Off: 0x100, Info: to(3, 3)}, {Off: 0x108, Info: to(1, 3)}},
			[]string{"_Z1kPi", "__simtgdb_name_0"}},
		{"of another kind", []elf.Rela64{{Off: 0x100, Info: to(3, 1)}, {Off: 0x108, Info: to(4, 3)}}, nil},
		{"by no symbol", []elf.Rela64{{Off: 0x100, Info: to(0, 3)}, {Off: 0x108, Info: to(4, 3)}}, nil},
		{"by a symbol beyond the last", []elf.Rela64{{Off: 0x100, Info: to(7, 3)},
			{Off: 0x108, Info: to(4, 3)}}, nil},
		{"only one", []elf.Rela64{{Off: 0x100, Info: to(3, 3)}}, nil},
	} {
		got, err := lowered(object(t, symbols, c.relocations), 2)
		if diff := cmp.Diff(c.want, got); diff != "" || (err == nil) != (c.want != nil) {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
	if got, err := lowered(nil, 0); got != nil || err != nil {
		t.Errorf("no names are %q, %v", got, err)
	}
	if _, err := lowered([]byte(elf.ELFMAG), 1); err == nil {
		t.Error("four bytes are an object")
	}
	const assembly = "@__simtgdb_name_0 = constant ptr addrspacecast (ptr addrspace(1) @_Z1kPi to ptr)\n" +
		`@__simtgdb_name_1 = constant ptr @"a b"` + "\n"
	if got, err := lowered([]byte(assembly), 2); strings.Join(got, ",") != "_Z1kPi,a b" {
		t.Errorf("of LLVM's assembly: %q, %v", got, err)
	}
}

// TestNamesProcessor: HIP's and hiprtc's options that say what to compile for.
func TestNamesProcessor(t *testing.T) {
	for option, want := range map[string]bool{"--offload-arch=gfx90a": true,
		"--gpu-architecture=gfx90a": true, "-arch": true,
		"-archive": false, "-O3": false, "-DA=-arch": false} {
		if got := namesProcessor(option); got != want {
			t.Errorf("%s: %v", option, got)
		}
	}
}
