package amdgpu

import (
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/loader"
	"simtgdb/loader/msgpack"

	"github.com/google/go-cmp/cmp"
)

// readelf is the part of llvm-readelf's JSON output that is compared.
type readelf struct {
	Sections []struct {
		Section struct {
			Name                  named
			Type                  named
			Address, Offset, Size uint64
		}
	}
	ProgramHeaders []struct {
		ProgramHeader struct {
			Type                                      named
			Offset, VirtualAddress, FileSize, MemSize uint64
			Flags                                     struct{ Value uint32 }
		}
	}
	Relocations []struct {
		Relocs []struct {
			Relocation struct {
				Offset uint64
				Type   named
				Symbol named
				Addend *int64
			}
		}
	}
	Symbols []struct {
		Symbol struct {
			Name, Binding, Type, Section named
			Value, Size                  uint64
		}
	}
}

type named struct {
	Name  string
	Value uint64
}

func runReadelf(t *testing.T, file string) readelf {
	t.Helper()
	text := output(t, tool(t, "llvm-readelf-22"), "--elf-output-style=JSON", "-S", "-l", "-r", "-s",
		filepath.Join("testdata", file))
	var all []readelf
	if err := json.Unmarshal([]byte(text), &all); err != nil || len(all) != 1 {
		t.Fatalf("llvm-readelf's JSON: %d files, error %v", len(all), err)
	}
	return all[0]
}

// TestTablesAgainstReadelf compares segments, sections, symbols and relocations.
func TestTablesAgainstReadelf(t *testing.T) {
	for _, file := range codeObjects(t) {
		t.Run(file, func(t *testing.T) {
			m, want := openTestdata(t, file), runReadelf(t, file)
			data := readTestdata(t, file)

			var segments []loader.Segment
			for _, p := range want.ProgramHeaders {
				if h := p.ProgramHeader; h.Type.Name == "PT_LOAD" {
					flags := elf.ProgFlag(h.Flags.Value)
					segments = append(segments, loader.Segment{
						Addr: h.VirtualAddress, MemSize: h.MemSize,
						Data: data[h.Offset : h.Offset+h.FileSize], Read: flags&elf.PF_R != 0,
						Write: flags&elf.PF_W != 0, Exec: flags&elf.PF_X != 0,
					})
				}
			}
			got := slices.Clone(m.Segments)
			for i := range got {
				got[i].Name = ""
			}
			if diff := cmp.Diff(segments, got); diff != "" {
				t.Errorf("segments (-llvm-readelf +loader):\n%s", diff)
			}

			type section struct {
				Name, Type         string
				Addr, Offset, Size uint64
			}
			var sections, infos []section
			for _, s := range want.Sections {
				if h := s.Section; h.Type.Name != "SHT_NULL" {
					sections = append(sections, section{Name: h.Name.Name, Type: h.Type.Name, Addr: h.Address,
						Offset: h.Offset, Size: h.Size})
				}
			}
			for _, s := range m.Sections {
				infos = append(infos, section{s.Name, s.Type, s.Addr, s.Offset, s.Size})
			}
			if diff := cmp.Diff(sections, infos); diff != "" {
				t.Errorf("sections (-llvm-readelf +loader):\n%s", diff)
			}
			compareSymbols(t, m, want)
			compareRelocs(t, m, want)
		})
	}
}

func compareSymbols(t *testing.T, m *loader.Module, want readelf) {
	if _, err := m.Section(".symtab"); err != nil {
		return // llvm-readelf -s shows the dynamic symbols otherwise: see TestDynamicSymbols
	}
	kinds := map[string]loader.SymbolKind{"None": loader.SymbolNone, "Object": loader.SymbolObject,
		"Function": loader.SymbolFunc, "Section": loader.SymbolSection, "File": loader.SymbolFile}
	var symbols []loader.Symbol
	for _, s := range want.Symbols {
		e := s.Symbol
		if e.Name.Name == "" && e.Value == 0 && e.Section.Value == 0 {
			continue // the null symbol
		}
		sym := loader.Symbol{Name: e.Name.Name, Addr: e.Value, Size: e.Size, Kind: kinds[e.Type.Name],
			Section: e.Section.Name,
			Global:  e.Binding.Name != "Local", Weak: e.Binding.Name == "Weak"}
		switch e.Section.Name {
		case "Absolute":
			sym.Absolute, sym.Section = true, ""
		case "Undefined":
			sym.Undefined, sym.Section = true, ""
		}
		symbols = append(symbols, sym)
	}
	if diff := cmp.Diff(symbols, m.Symbols); diff != "" {
		t.Errorf("symbols (-llvm-readelf +loader):\n%s", diff)
	}
}

func compareRelocs(t *testing.T, m *loader.Module, want readelf) {
	type reloc struct {
		Addr      uint64
		Type, Sym string
		Addend    int64
	}
	var relocs, got []reloc
	for _, r := range m.Relocs {
		got = append(got, reloc{r.Addr, r.Type, r.Symbol, r.Addend})
	}
	for _, table := range want.Relocations {
		for _, r := range table.Relocs {
			e := r.Relocation
			w := reloc{Addr: e.Offset, Type: e.Type.Name, Sym: strings.TrimPrefix(e.Symbol.Name, "-")}
			if n := len(relocs); e.Addend != nil {
				w.Addend = *e.Addend
			} else if n < len(got) {
				// The addend is at the place: TestRelocate looks at its effect.
				w.Addend = got[n].Addend
			}
			if e.Type.Value == 0 { // of SHT_RELR, llvm-readelf gives only the place
				w.Type = "R_AMDGPU_RELATIVE64"
			}
			relocs = append(relocs, w)
		}
	}
	if diff := cmp.Diff(relocs, got); diff != "" {
		t.Errorf("relocations (-llvm-readelf +loader):\n%s", diff)
	}
}

// TestMetadataAgainstReadelf compares the whole metadata as text: llvm-readelf
// prints it as YAML.
func TestMetadataAgainstReadelf(t *testing.T) {
	for _, file := range codeObjects(t) {
		if strings.HasPrefix(file, "bare") {
			continue // no metadata
		}
		t.Run(file, func(t *testing.T) {
			m := openTestdata(t, file)
			text := output(t, tool(t, "llvm-readelf-22"), "--notes", filepath.Join("testdata", file))
			_, text, ok := strings.Cut(text, "---\n")
			text, _, end := strings.Cut(text, "...\n")
			if !ok || !end {
				t.Fatalf("no YAML in llvm-readelf's output")
			}
			var want []string
			for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
				line = strings.TrimLeft(line, " -")
				if strings.HasPrefix(line, "'") { // an element, not a key and a value
					want = append(want, strings.Trim(line, "'"))
					continue
				}
				key, value, _ := strings.Cut(line, ":")
				want = append(want, strings.TrimRight(
					key+": "+strings.Trim(strings.TrimSpace(value), "'"), ": "))
			}
			if diff := cmp.Diff(want, flatten(Of(m).Metadata)); diff != "" {
				t.Errorf("metadata (-llvm-readelf +loader):\n%s", diff)
			}
		})
	}
}

// flatten gives the lines of a value as YAML, without indentation and dashes.
func flatten(v msgpack.Value) []string {
	var lines []string
	switch v.Kind() {
	case msgpack.Map:
		for p := range v.Pairs {
			key, _ := p.Key.Str()
			if inner := flatten(p.Value); p.Value.Kind() == msgpack.Map || p.Value.Kind() == msgpack.Array {
				lines = append(append(lines, key), inner...)
			} else {
				lines = append(lines, key+": "+inner[0])
			}
		}
	case msgpack.Array:
		elems, _ := v.Array()
		for _, e := range elems {
			lines = append(lines, flatten(e)...)
		}
	case msgpack.String:
		s, _ := v.Str()
		return []string{s}
	case msgpack.Bool:
		b, _ := v.Bool()
		return []string{fmt.Sprint(b)}
	default:
		n, _ := v.Int()
		return []string{fmt.Sprint(n)}
	}
	return lines
}

// TestProcessorsAgainstReadelf compares the table of EF_AMDGPU_MACH values. It
// is one way: LLVM has dropped processors that older compilers wrote.
func TestProcessorsAgainstReadelf(t *testing.T) {
	dropped := map[string]bool{"gfx940": true, "gfx941": true}
	path := tool(t, "llvm-readelf-22")
	dir := t.TempDir()
	var args []string
	for mach := range 256 {
		file := filepath.Join(dir, fmt.Sprintf("%02x", mach))
		b := patched(t, "bare-gfx90a.co", loader.FlagsOffset, byte(mach), 0, 0, 0)
		if err := os.WriteFile(file, b, 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	text := output(t, path, append([]string{"--elf-output-style=GNU", "-h"}, args...)...)
	mach := 0
	for _, line := range strings.Split(text, "\n") {
		flags, ok := strings.CutPrefix(strings.TrimSpace(line), "Flags:")
		if !ok {
			continue
		}
		_, want, _ := strings.Cut(flags, ", ")
		p := processors[uint8(mach)]
		if strings.HasPrefix(want, "gfx") && p.name != want {
			t.Errorf("EF_AMDGPU_MACH %#x is %q, llvm-readelf says %q", mach, p.name, want)
		}
		if want == "" && p.name != "" && !dropped[p.name] {
			t.Errorf("EF_AMDGPU_MACH %#x is %q, llvm-readelf does not know it", mach, p.name)
		}
		mach++
	}
	if mach != 256 {
		t.Errorf("llvm-readelf printed flags for %d files of 256", mach)
	}
}

// TestProcessorNames derives the ISA version from the name: the last two digits
// are minor version and stepping, in hexadecimal. A generic target's name has the
// major version, and the minor one where that is not 0. Compilers make waves of 32
// lanes from gfx10 on unless they are told otherwise.
func TestProcessorNames(t *testing.T) {
	for mach, p := range processors {
		digits := strings.TrimPrefix(p.name, "gfx")
		if family, generic := strings.CutSuffix(digits, "-generic"); generic != p.generic {
			t.Errorf("%#x %s: generic %v", mach, p.name, p.generic)
		} else if generic {
			major, minor, named := strings.Cut(family, "-")
			if digits = major + minor + "0"; !named {
				digits = major + "00"
			}
		}
		n := len(digits)
		want := Arch{}
		if _, err := fmt.Sscanf(digits[:n-2]+" "+digits[n-2:n-1]+" "+digits[n-1:], "%d %x %x", &want.Major,
			&want.Minor, &want.Stepping); err != nil {
			t.Fatal(err)
		}
		if p.arch != want {
			t.Errorf("%#x %s: version %v, want %v", mach, p.name, p.arch, want)
		}
		flags, wave := uint32(mach), 64
		if p.generic {
			flags |= 1 << flagGenericShift
		}
		if want.Major >= 10 {
			wave = 32
		}
		if target, err := targetFromFlags(flags, 6); err != nil || target.WaveSize != wave ||
			target.Name != p.name || target.Arch != want {
			t.Errorf("%#x %s: target %+v, %v, want waves of %d lanes", mach, p.name, target, err, wave)
		}
	}
}

// TestDebugSectionsAgainstObjcopy decompresses with llvm-objcopy.
func TestDebugSectionsAgainstObjcopy(t *testing.T) {
	const file = "ocl-gfx900-v4.co"
	plain := filepath.Join(t.TempDir(), "plain.co")
	output(t, tool(t, "llvm-objcopy-22"), "--decompress-debug-sections", filepath.Join("testdata", file),
		plain)
	b, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	uncompressed, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	m := openTestdata(t, file)
	compressed := 0
	for _, s := range m.Sections {
		if s.Compressed == "zlib" {
			compressed++
		}
	}
	if compressed == 0 {
		t.Fatal("no section of the test file is compressed")
	}
	want, err := uncompressed.DebugSections()
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.DebugSections()
	if err != nil {
		t.Fatal(err)
	}
	if len(got[".debug_info"]) == 0 {
		t.Error("no .debug_info")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("debug sections (-llvm-objcopy +loader):\n%s", diff)
	}
}
