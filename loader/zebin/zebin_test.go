package zebin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
)

const programs = "../../testdata/igc/"

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(programs + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t testing.TB, name string) *loader.Module {
	t.Helper()
	m, err := Open(read(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// TestOpenAll opens every program and compares code sections, as debug/elf has
// them, with the segments, and kernels with the sections.
func TestOpenAll(t *testing.T) {
	files, _ := filepath.Glob(programs + "zebin/*.zebin")
	debug, _ := filepath.Glob(programs + "debug/*.zebin")
	files = append(files, debug...)
	if len(files) < 20 {
		t.Fatalf("%d programs", len(files))
	}
	for _, f := range files {
		m := open(t, strings.TrimPrefix(f, programs))
		e, err := elf.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range e.Sections {
			name, code := strings.CutPrefix(s.Name, ".text.")
			if !code {
				continue
			}
			want, _ := s.Data()
			k, err := m.Kernel(name)
			if name == "Intel_Symbol_Table_Void_Program" {
				if err == nil {
					t.Errorf("%s: %s is a kernel", f, name)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", f, err)
				continue
			}
			got, ok := m.BytesAt(k.Entry, uint64(len(want)))
			if !ok || !bytes.Equal(got, want) {
				t.Errorf("%s: code of %s differs", f, name)
			}
			if sym, off, ok := m.SymbolAt(k.Entry); !ok || sym.Name != name || off != 0 {
				t.Errorf("%s: the symbol at the entry of %s is %q+%d", f, name, sym.Name, off)
			}
			if err := KernelOf(k).Launchable(); err != nil {
				t.Errorf("%s: %v", f, err)
			}
		}
		e.Close()
	}
}

// TestKernel checks everything that is read of some kernels against the text
// of their .ze_info.
func TestKernel(t *testing.T) {
	m := open(t, "zebin/shared-O2.zebin")
	k, err := m.Kernel("reduce")
	if err != nil {
		t.Fatal(err)
	}
	z := KernelOf(k)
	var dynamic []Arg
	for _, a := range z.Args {
		if a.Mode == "slm" {
			dynamic = append(dynamic, a)
		}
	}
	want := []Arg{{Type: "arg_bypointer", Offset: 32, Size: 8, Index: 2, Mode: "slm", Space: "local",
		Access: "readwrite", SLMAlign: 4},
		{Type: "arg_bypointer", Offset: 40, Size: 8, Index: 3, Mode: "slm", Space: "local",
			Access: "readwrite", SLMAlign: 8}}
	if d := cmp.Diff(want, dynamic); d != "" {
		t.Errorf("local arguments (-want +got):\n%s", d)
	}
	kinds := []loader.ValueKind{loader.GlobalBuffer, loader.GlobalBuffer, loader.DynamicSharedPointer,
		loader.DynamicSharedPointer}
	names := []string{"out int*", "in int*", "part int*", "wide long*"}
	for i, a := range k.Args {
		if a.Kind != kinds[i] || a.Size != 8 || a.Name+" "+a.TypeName != names[i] {
			t.Errorf("argument %d: %+v", i, a)
		}
	}
	if z.Barriers == 0 || !z.BigBuffers || z.PerThreadSize() != uint64(map[int]int{8: 96, 16: 96,
		32: 192}[z.SIMD]) {
		t.Errorf("%+v", z)
	}
	k, err = open(t, "zebin/calls-O0.zebin").Kernel("structs")
	if err != nil {
		t.Fatal(err)
	}
	if a := k.Args[2]; a.Kind != loader.ByValue || a.Size != 16 {
		t.Errorf("the structure is %+v", a)
	}
	if z := KernelOf(k); !z.StackCalls || z.ScratchSize != 131072 || !z.PrivatePerSim ||
		z.PrivateSize == 0 {
		t.Errorf("%+v", z)
	}
}

// TestDeclaredSizes holds the sizes of values against those of their types: structures whose end is padding
// or small elements, which the payload has in a dword each, and values smaller than a dword.
func TestDeclaredSizes(t *testing.T) {
	for _, level := range []string{"O0", "O2"} {
		k, err := open(t, "zebin/private-"+level+".zebin").Kernel("sizes")
		if err != nil {
			t.Fatal(err)
		}
		var got []uint64
		for _, a := range k.Args {
			got = append(got, a.Size)
		}
		if want := []uint64{8, 192, 16, 3, 1, 8}; !slices.Equal(got, want) {
			t.Errorf("%s: arguments of %d bytes, want %d", level, got, want)
		}
	}
}

// TestRelocations checks that code gets the addresses of data, and debug
// information those of code.
func TestRelocations(t *testing.T) {
	m := open(t, "zebin/memory-O2.zebin")
	segments, err := m.Relocate(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	counters, ok := m.Symbol("counters")
	if !ok {
		t.Fatal("no symbol counters")
	}
	k, _ := m.Kernel("globals")
	for _, s := range segments {
		if s.Addr == k.Entry {
			if got := binary.LittleEndian.Uint64(s.Data[0x48:]); got != counters.Addr || got == 0 {
				t.Errorf("the code has %#x for counters at %#x", got, counters.Addr)
			}
		}
	}
	if b, ok := m.BytesAt(counters.Addr, 16); !ok || !bytes.Equal(b, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0,
		0, 0, 4, 0, 0, 0}) {
		t.Errorf("counters are % x", b)
	}
	m = open(t, "debug/recurse-O0.zebin")
	info, err := m.Section(".debug_info")
	if err != nil {
		t.Fatal(err)
	}
	entry := binary.LittleEndian.AppendUint64(nil, m.Kernels[0].Entry)
	if n := bytes.Count(info, entry); n < 2 {
		t.Errorf("the kernel's address is %d times in .debug_info, want it for the unit and the kernel", n)
	}
	sum, ok := m.Symbol("sum")
	if !ok || sum.Addr <= m.Kernels[0].Entry {
		t.Errorf("sum is %+v", sum)
	}
	if n := bytes.Count(info, binary.LittleEndian.AppendUint64(nil, sum.Addr)); n == 0 {
		t.Error("the address of sum is not in .debug_info")
	}
}

// TestDebugRelocations holds sections of debugging information against what the standard library reads of
// their relocations and symbols, and the module's symbols against its symbol table.
func TestDebugRelocations(t *testing.T) {
	files, _ := filepath.Glob(programs + "debug/*-O0.zebin")
	total := 0
	for _, file := range files {
		m := open(t, strings.TrimPrefix(file, programs))
		e, err := elf.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		symbols, err := e.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]uint64{}
		for _, s := range m.Segments {
			at[s.Name] = s.Addr
		}
		named := map[string]bool{}
		for _, s := range m.Symbols {
			named[s.Name] = true
		}
		for _, s := range symbols {
			inMemory := s.Section == elf.SHN_UNDEF ||
				int(s.Section) < len(e.Sections) && at[e.Sections[s.Section].Name] != 0
			if isSection := e.Section(s.Name) != nil; s.Name != "" && s.Name != "_entry" && !isSection &&
				elf.ST_TYPE(s.Info) != elf.STT_SECTION && named[s.Name] != inMemory {
				t.Errorf("%s: symbol %s of section %v is one of the module: %v", file, s.Name, s.Section,
					named[s.Name])
			}
		}
		for _, s := range e.Sections {
			if s.Type == elf.SHT_RELA && strings.HasPrefix(s.Name, ".rela.debug_") {
				total += relocated(t, m, e, s, symbols, at)
			}
		}
	}
	if total < 100 {
		t.Errorf("%d relocations", total)
	}
}

// relocated checks the places of a section of relocations.
func relocated(t *testing.T, m *loader.Module, e *elf.File, s *elf.Section, symbols []elf.Symbol,
	at map[string]uint64) (n int) {
	t.Helper()
	entries, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	name := e.Sections[s.Info].Name
	got, err := m.Section(name)
	if err != nil {
		t.Fatal(err)
	}
	for ; len(entries) >= 24; entries = entries[24:] {
		off, info := binary.LittleEndian.Uint64(entries), binary.LittleEndian.Uint64(entries[8:])
		symbol := symbols[info>>32-1]
		section := symbol.Name // IGC's symbols that have a section's name stand for that section
		if e.Section(section) == nil {
			section = e.Sections[symbol.Section].Name
		}
		want := at[section] + symbol.Value + binary.LittleEndian.Uint64(entries[16:])
		value := uint64(binary.LittleEndian.Uint32(got[off:]))
		if uint32(info) == 1 { // R_ZE_SYM_ADDR; the other is of 32 bits
			value = binary.LittleEndian.Uint64(got[off:])
		}
		if value != want {
			t.Errorf("%s has %#x at %#x, want %#x: %s of %s", name, value, off, want, symbol.Name, section)
		}
		n++
	}
	return n
}

// TestRelocationOfNothing: a relocation names a symbol by a number that the table has not.
func TestRelocationOfNothing(t *testing.T) {
	data := read(t, "debug/recurse-O0.zebin")
	e, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := e.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	n := uint32(len(symbols) + 1) // with the first, which is none
	for number, want := range map[uint32]bool{n - 1: true, n: false, 1 << 31: false} {
		for _, s := range e.Sections {
			if s.Name == ".rela.debug_info" {
				binary.LittleEndian.PutUint32(data[s.Offset+12:], number)
			}
		}
		_, err := Open(data)
		says := err != nil && strings.Contains(err.Error(), fmt.Sprintf("symbol %d of %d", number, n))
		if (err == nil) != want || says == want {
			t.Errorf("symbol %d: %v", number, err)
		}
	}
}

// TestVariables: kernels know where the program's variables are, which their payload asks for.
func TestVariables(t *testing.T) {
	m := open(t, "zebin/memory-O2.zebin")
	at := map[string]uint64{}
	for _, s := range m.Segments {
		at[s.Name] = s.Addr
	}
	for i := range m.Kernels {
		k := KernelOf(&m.Kernels[i])
		if k.Constants != at[".data.const"] || k.Variables != at[".data.global"] || k.Constants == 0 ||
			k.Variables == 0 {
			t.Errorf("%s: constants at %#x, variables at %#x; segments at %#x", k.Name, k.Constants,
				k.Variables, at)
		}
	}
}

// TestProducts: the product families of Intel's igfxfmid.h by their names for ocloc, each with the
// generation of its code, or what is said of a device that cannot be simulated.
func TestProducts(t *testing.T) {
	data := read(t, "debug/recurse-O2.zebin")
	note := "\x08\x00\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00IntelGT\x00"
	at := bytes.Index(data, []byte(note)) + len(note)
	for family, want := range map[uint32]string{
		16: "gen8 (bdw)", 18: "gen9 (skl)", 19: "gen9 (kbl)", 20: "gen9 (cfl)",
		26: "gen11 (icllp)", 27: "gen11 (lkf)", 28: "gen11 (ehl)",
		29: "gen12lp (tgllp)", 30: "gen12lp (rkl)", 31: "gen12lp (adls)", 32: "gen12lp (adlp)",
		33: "gen12lp (adln)", 1210: "gen12lp (dg1)", 1270: "xe-hpg (dg2)", 1271: "xe-hpc (pvc)",
		22: "compiled for apl", 23: "compiled for glk", 1250: "compiled for xe_hp_sdv",
		34: "compiled for product family 34",
	} {
		b := slices.Clone(data)
		binary.LittleEndian.PutUint32(b[at:], family)
		m, err := Open(b)
		if err != nil {
			if !strings.Contains(err.Error(), want+"; gen8") || !errors.Is(err, loader.ErrWrongMachine) {
				t.Errorf("family %d: %v, want %q", family, err, want)
			}
			continue
		}
		if got := m.Target.Name + " (" + Of(m).Device + ")"; got != want || m.Target.ID != want {
			t.Errorf("family %d: %s, target %s, want %s", family, got, m.Target.ID, want)
		}
	}
}

// TestRelocationTypes: what the types say of an address and an addend (elf.md, "Relocation types").
func TestRelocationTypes(t *testing.T) {
	const s, a = 0x1_2345_6780, 9
	for kind, want := range map[uint32]uint64{1: 0x1_2345_6789, 2: 0x1_2345_6789, 3: 1} {
		if got := Relocations.ByType[kind].Value(s, a, 77, 78); got != want {
			t.Errorf("type %d: %#x, want %#x", kind, got, want)
		}
	}
	// The sum decides of the high half.
	if got := Relocations.ByType[3].Value(0xffff_fff8, 8, 0, 0); got != 1 {
		t.Errorf("the high half of 2^32 is %#x", got)
	}
}

// TestWithoutKernels: a file may have none, as one that holds variables alone.
func TestWithoutKernels(t *testing.T) {
	version, kernels, err := readInfo("version: '1.2'\n")
	if version != "1.2" || kernels != nil || err != nil {
		t.Errorf("version %q, %v, %v", version, kernels, err)
	}
}

// edit returns the file with the first occurrence of one text replaced by
// another of the same length.
func edit(t testing.TB, name, from, to string) []byte {
	t.Helper()
	b := slices.Clone(read(t, name))
	i := bytes.Index(b, []byte(from))
	if i < 0 || len(from) != len(to) {
		t.Fatalf("%q in %s", from, name)
	}
	copy(b[i:], to)
	return b
}

// TestErrors checks what is said of files that cannot be read.
func TestErrors(t *testing.T) {
	const small = "debug/recurse-O2.zebin"
	note := "\x08\x00\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00IntelGT\x00"
	host := make([]byte, 64)
	copy(host, "\x7fELF\x02\x01\x01")
	binary.LittleEndian.PutUint16(host[18:], uint16(elf.EM_X86_64))
	for _, c := range []struct {
		data []byte
		want string
		is   error
	}{
		{edit(t, small, note+"\x12", note+"\x16"),
			"compiled for apl; gen8, gen9, gen11, gen12lp, xe-hpg and xe-hpc can be simulated",
			loader.ErrWrongMachine},
		{edit(t, small, note+"\x12", note+"\x7f"),
			"compiled for product family 127; gen8, gen9, gen11, gen12lp, xe-hpg and xe-hpc can be simulated",
			loader.ErrWrongMachine},
		{host, "ELF file for x86-64 (machine 62)", loader.ErrWrongMachine},
		{[]byte("kernel void"), `text that begins with "kernel void"; want a zebin`,
			loader.ErrUnknownFormat},
		{edit(t, small, "simd_size:       8", "simd_size:       7"),
			`kernel "recurse": .ze_info line 4: simd_size is 7; want 8, 16 or 32`, nil},
		{edit(t, small, "grf_count:       128", "grf_count:       12x"),
			`grf_count is "12x"; want a number`, nil},
		{edit(t, small, "  - name:            recurse", "  - name:            recursf"),
			`kernel "recursf": .text.recursf`, loader.ErrNoSection},
		{edit(t, small, "    execution_env", "\t   execution_env"),
			".ze_info line 5: it is indented with a tab", nil},
		{edit(t, small, "      grf_count", "    g rf_count "), "is indented", nil},
		{read(t, small)[:3000], "runs past the end of the file", loader.ErrTruncated},
	} {
		_, err := Open(c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v\nwant %s", err, c.want)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%v is not %v", err, c.is)
		}
	}
}

// TestStateful checks that kernels with binding tables are named.
func TestStateful(t *testing.T) {
	k := &Kernel{Name: "add", Args: []Arg{{Type: ArgPointer, Index: 0, Mode: "stateful"},
		{Type: ArgAddress, Index: 0}}}
	want := `kernel "add": argument 0 is reached through a binding table; ` +
		"compile with -cl-intel-greater-than-4GB-buffer-required"
	if err := k.Launchable(); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v\nwant %s", err, want)
	}
}

// TestStatefulAddress: a pointer that code reaches by a surface is where its address is.
func TestStatefulAddress(t *testing.T) {
	k := &Kernel{Args: []Arg{{Type: ArgPointer, Index: 0, Mode: "stateful", Space: "global"},
		{Type: ArgAddress, Index: 0, Offset: 40, Size: 8},
		{Type: "arg_byvalue", Index: 1, Offset: 48, Size: 4}}}
	if got := k.arguments(); len(got) != 2 || got[0].Offset != 40 || got[0].Size != 8 || got[1].Offset != 48 {
		t.Errorf("arguments %+v", got)
	}
}

// TestYAML checks the forms that .ze_info has, and what is said of others.
func TestYAML(t *testing.T) {
	n, err := readYAML("---\n# comment\na: 'it''s'\nb: [1, 2]\nf: ''\ng:\n  - 'h: i'\nc:\n" +
		"- x: 1\n  y: \"z\"\n-\n  - 5 # five\nd:\n  e:\n...\nrest")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{n.at("a").scalar, n.at("b").items[1].scalar, n.at("c").items[0].at("y").scalar,
		n.at("c").items[1].items[0].scalar, strings.Join(n.keys, ""), n.at("d").at("e").scalar,
		n.at("f").scalar, n.at("g").items[0].scalar}
	if d := cmp.Diff([]string{"it's", "2", "z", "5", "abfgcd", "", "", "h: i"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for text, want := range map[string]string{
		"":                                 "line 1: the document is empty",
		"a: 1\na: 2":                       `line 2: field "a" is there twice`,
		"a: 'b":                            `line 1: "'b" has no end`,
		"a: [1, 'b]":                       `line 1: "'b" has no end`,
		"a: [1":                            `line 1: "[1" has no end`,
		"a: 1\n  b: 2":                     `line 2: "b: 2" is indented more than what it belongs to`,
		"  a: 1\nb: 2":                     `line 2: "b: 2" is indented less than what it belongs to`,
		strings.Repeat("- ", 40) + "1":     "line 1: nested more than 16 deep",
		"a":                                `line 1: "a" is no field`,
		"a:\n" + strings.Repeat(" ", 2):    "",
		"k:\n  - name: x\n    q: [a, 'b']": "",
	} {
		_, err := readYAML(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// FuzzOpen opens anything, and relocates what it opens.
func FuzzOpen(f *testing.F) {
	f.Add(read(f, "debug/recurse-O2.zebin"))
	f.Add(read(f, "debug/tile-O2.zebin"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Open(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		var size uint64
		for _, s := range m.Segments {
			size += s.MemSize
		}
		if size < 1<<20 {
			_, _ = m.Relocate(0, nil)
		}
		_, _ = m.DebugSections()
	})
}

// TestImages reads what kernels say of images and samplers.
func TestImages(t *testing.T) {
	data, err := os.ReadFile("../../testdata/hostprograms/images.gen9.zebin")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	inline := map[Sampler]bool{}
	arguments := map[string]int{}
	for i := range m.Kernels {
		k := KernelOf(&m.Kernels[i])
		if err := k.Launchable(); err != nil {
			t.Error(err)
		}
		for _, s := range k.Samplers {
			s.Index = 0
			inline[s] = true
		}
		for _, a := range m.Kernels[i].Args {
			arguments[string(a.Kind)]++
		}
	}
	if want := (Sampler{0, "clamp_edge", "nearest", false}); !inline[want] {
		t.Errorf("no sampler %+v among %v", want, inline)
	}
	if arguments["image"] == 0 || arguments["sampler"] == 0 {
		t.Errorf("arguments are %v", arguments)
	}
}
