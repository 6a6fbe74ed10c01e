package loader

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKernelLookup(t *testing.T) {
	hip, ocl := openTestdata(t, "hip-gfx90a-O0.co"), openTestdata(t, "ocl-gfx900-v4.co")
	tests := []struct {
		m          *Module
		name, want string
		err        error
		message    string
	}{
		{hip, "_Z6vecaddPKfPfi4Pair", "_Z6vecaddPKfPfi4Pair", nil, ""},
		{hip, "_Z6vecaddPKfPfi4Pair.kd", "_Z6vecaddPKfPfi4Pair", nil, ""},
		{hip, "vecadd", "_Z6vecaddPKfPfi4Pair", nil, ""},
		{hip, "nested", "_ZN5outer6nestedEPi", nil, ""},
		{hip, "scale", "", ErrAmbiguousKernel, `kernel "scale": ambiguous kernel name; the file has: _Z5scaleIiEvPT_, _Z5scaleIfEvPT_`},
		{hip, "_Z5scaleIfEvPT_", "_Z5scaleIfEvPT_", nil, ""},
		{ocl, "required", "required", nil, ""},
		{ocl, "required.kd", "required", nil, ""},
		{ocl, "Required", "", ErrNoKernel, `kernel "Required": no such kernel; the file has: local_sum, required, hinted`},
		{ocl, "", "", ErrNoKernel, `kernel "": no such kernel; the file has: local_sum, required, hinted`},
		{&Module{}, "k", "", ErrNoKernel, `kernel "k": no such kernel; the file has no kernels`},
	}
	for _, tt := range tests {
		k, err := tt.m.Kernel(tt.name)
		if tt.err != nil {
			if !errors.Is(err, tt.err) || err.Error() != tt.message {
				t.Errorf("Kernel(%q): error %v, want %q", tt.name, err, tt.message)
			}
			continue
		}
		if err != nil || k.Name != tt.want {
			t.Errorf("Kernel(%q) = %v, error %v, want %s", tt.name, k, err, tt.want)
		}
	}
}

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

// TestKernelFields compares everything about three kernels with what their
// source says.
func TestKernelFields(t *testing.T) {
	m := openTestdata(t, "ocl-gfx900-v4.co")
	global := Arg{Size: 8, Kind: GlobalBuffer, AddressSpace: "global", TypeName: "int*"}
	arg := func(a Arg, name string, offset uint64, change func(*Arg)) Arg {
		a.Name, a.Offset = name, offset
		if change != nil {
			change(&a)
		}
		return a
	}
	common := Kernel{
		HasMetadata: true, KernargAlign: 8, WavefrontSize: 64, MaxFlatWorkgroupSize: 256,
		Language: "OpenCL C", LanguageVersion: [2]uint32{2, 0},
	}
	localSum, required, hinted := common, common, common
	localSum.Name, localSum.Symbol, localSum.KernargSize = "local_sum", "local_sum.kd", 36
	localSum.Args = []Arg{
		arg(global, "in", 0, func(a *Arg) { a.IsConst, a.IsRestrict, a.ActualAccess = true, true, "read_only" }),
		arg(global, "out", 8, func(a *Arg) { a.IsVolatile = true }),
		{Name: "scratch", TypeName: "int*", Offset: 16, Size: 4, Kind: DynamicSharedPointer, AddressSpace: "local", PointeeAlign: 4},
		{Name: "c", TypeName: "int*", Offset: 24, Size: 8, Kind: GlobalBuffer, AddressSpace: "constant", IsConst: true},
		{Name: "n", TypeName: "int", Offset: 32, Size: 4, Kind: ByValue},
	}
	required.Name, required.Symbol, required.KernargSize = "required", "required.kd", 24
	required.ReqdWorkgroupSize, required.MaxFlatWorkgroupSize = [3]uint32{8, 4, 2}, 64
	required.Args = []Arg{
		arg(global, "q", 0, nil),
		{Name: "bytes", TypeName: "char4", Offset: 8, Size: 4, Kind: ByValue},
		{Name: "d", TypeName: "double", Offset: 16, Size: 8, Kind: ByValue},
	}
	hinted.Name, hinted.Symbol, hinted.KernargSize = "hinted", "hinted.kd", 32
	hinted.WorkgroupSizeHint, hinted.VecTypeHint = [3]uint32{16, 1, 1}, "float4"
	hinted.Args = []Arg{
		{Name: "img", TypeName: "image2d_t", Offset: 0, Size: 8, Kind: Image, Access: "read_only"},
		{Name: "img1", TypeName: "image1d_t", Offset: 8, Size: 8, Kind: Image, Access: "write_only"},
		{Name: "s", TypeName: "sampler_t", Offset: 16, Size: 8, Kind: Sampler},
		{Name: "q", TypeName: "float*", Offset: 24, Size: 8, Kind: GlobalBuffer, AddressSpace: "global"},
	}
	for _, want := range []Kernel{localSum, required, hinted} {
		k, err := m.Kernel(want.Name)
		if err != nil {
			t.Fatal(err)
		}
		got := *k
		// These are of the compiler's making: other tests compare them.
		got.SGPRs, got.VGPRs, got.Entry, got.DescriptorAddr, got.Descriptor = 0, 0, 0, 0, Descriptor{}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("kernel %s (-want +got):\n%s", want.Name, diff)
		}
	}
}

func TestHiddenArgs(t *testing.T) {
	k, err := openTestdata(t, "hip-gfx90a-O0.co").Kernel("vecadd")
	if err != nil {
		t.Fatal(err)
	}
	var explicit []uint64
	for _, a := range k.ExplicitArgs() {
		explicit = append(explicit, a.Offset)
	}
	if diff := cmp.Diff([]uint64{0, 8, 16, 20}, explicit); diff != "" {
		t.Errorf("offsets of explicit arguments (-want +got):\n%s", diff)
	}
	// AMDGPUUsage, "Code Object V5 Metadata": block counts come first, group
	// sizes are 16 bits wide.
	a, ok := k.HiddenArg(HiddenGroupSizeX)
	if !ok || a.Offset != 44 || a.Size != 2 {
		t.Errorf("hidden_group_size_x %+v, %v", a, ok)
	}
	if a, ok := k.HiddenArg(ByValue); ok {
		t.Errorf("by_value is found as a hidden argument: %+v", a)
	}
	if !k.DynamicStack || !k.UniformWorkgroupSize || k.LDSSize != 256 || k.PrivateSize == 0 {
		t.Errorf("%+v", k)
	}
}

// TestEntries looks at the code: a kernel's entry is where the symbol of the
// function is.
func TestEntries(t *testing.T) {
	for _, file := range codeObjects(t) {
		m := openTestdata(t, file)
		for _, k := range m.Kernels {
			f, ok := m.Symbol(k.Name)
			if !ok || f.Addr != k.Entry || f.Kind != SymbolFunc {
				t.Errorf("%s: kernel %s has its entry at %#x, its function is %+v", file, k.Name, k.Entry, f)
			}
			if sym, off, ok := m.SymbolAt(k.Entry); !ok || off != 0 || sym.Name != k.Name {
				t.Errorf("%s: the symbol at the entry of kernel %s is %s+%d (%v)", file, k.Name, sym.Name, off, ok)
			}
			if d := k.Descriptor; d.KernargSize != uint32(k.KernargSize) || d.GroupSegmentFixedSize != uint32(k.LDSSize) || k.HasMetadata && !d.EnableKernargSegmentPtr {
				t.Errorf("%s: descriptor of kernel %s: %+v", file, k.Name, d)
			}
		}
	}
}

func TestKernelWithoutMetadata(t *testing.T) {
	m := openTestdata(t, "bare-gfx90a.co")
	k, err := m.Kernel("bare")
	if err != nil {
		t.Fatal(err)
	}
	if k.HasMetadata || k.KernargSize != 24 || k.LDSSize != 512 || k.PrivateSize != 16 || k.WavefrontSize != 64 || k.VGPRs != 16 || k.AGPRs != 8 {
		t.Errorf("%+v", k)
	}
	if !k.Descriptor.EnableKernargSegmentPtr || k.Descriptor.ArchVGPRs != 8 {
		t.Errorf("%+v", k.Descriptor)
	}
}

func TestSymbolAt(t *testing.T) {
	hip, bare := openTestdata(t, "hip-gfx90a-O0.co"), openTestdata(t, "bare-gfx90a.co")
	helper, ok := hip.Symbol("_Z6helperi4Pair")
	if !ok || helper.Global || helper.Section != ".text" || helper.Size == 0 {
		t.Fatalf("helper: %+v, %v", helper, ok)
	}
	tests := []struct {
		m      *Module
		addr   uint64
		name   string
		offset uint64
	}{
		{hip, helper.Addr, helper.Name, 0},
		{hip, helper.Addr + helper.Size - 1, helper.Name, helper.Size - 1},
		{hip, helper.Addr + helper.Size, "", 0}, // padding before the next function
		{hip, helper.Addr - 1, "", 0},           // no segment
		{bare, 0x1400, "bare", 0},
		{bare, 0x1404, "loop_head", 0},
		{bare, 0x140c, "loop_head", 8},
		{bare, 0x1410, "local_label", 0},
		{bare, 0x1413, "local_label", 3},
		{bare, 0x1414, "", 0},
		{bare, ^uint64(0), "", 0},
		{bare, 0, "", 0},
	}
	for _, tt := range tests {
		sym, off, ok := tt.m.SymbolAt(tt.addr)
		if ok != (tt.name != "") || sym.Name != tt.name || off != tt.offset {
			t.Errorf("SymbolAt(%#x) = %q+%d, %v, want %q+%d", tt.addr, sym.Name, off, ok, tt.name, tt.offset)
		}
	}
}

// Overlapping symbols: the innermost is reported, and of equal ones the
// function that others can see.
func TestSymbolAtOverlap(t *testing.T) {
	m := &Module{
		Segments: []Segment{{Addr: 0x100, MemSize: 0x100}},
		Symbols: []Symbol{
			{Name: "outer", Addr: 0x100, Size: 0x80, Kind: SymbolFunc},
			{Name: "inner", Addr: 0x120, Size: 0x10, Kind: SymbolFunc},
			{Name: "alias", Addr: 0x120, Size: 0x10, Kind: SymbolFunc, Global: true},
			{Name: "number", Addr: 0x130, Absolute: true},
			{Name: "elsewhere", Addr: 0x130, Undefined: true, Kind: SymbolFunc},
			{Name: "label", Addr: 0x190},
			{Name: "wraps", Addr: 0x1a0, Size: ^uint64(0), Kind: SymbolObject},
		},
	}
	m.indexSymbols()
	for addr, want := range map[uint64]string{0x100: "outer", 0x120: "alias", 0x12f: "alias", 0x130: "outer", 0x17f: "outer", 0x180: "", 0x198: "label", 0x1ff: "label", 0x200: ""} {
		if sym, _, _ := m.SymbolAt(addr); sym.Name != want {
			t.Errorf("SymbolAt(%#x) = %q, want %q", addr, sym.Name, want)
		}
	}
}

// Files without a symbol table, and without section headers, still have their
// dynamic symbols.
func TestDynamicSymbols(t *testing.T) {
	whole := openTestdata(t, "ocl-gfx900-v4.co")
	for _, file := range []string{"stripped-gfx900.co", "no-sections-gfx900.co"} {
		m := openTestdata(t, file)
		if len(m.Symbols) == 0 {
			t.Errorf("%s: no symbols", file)
		}
		for _, s := range m.Symbols {
			want, ok := whole.Symbol(s.Name)
			want.Section = s.Section
			if !ok || s != want {
				t.Errorf("%s: symbol %+v, in the whole file %+v", file, s, want)
			}
		}
		if diff := cmp.Diff(whole.Kernels, m.Kernels); diff != "" {
			t.Errorf("%s: kernels (-whole +stripped):\n%s", file, diff)
		}
	}
	if n := len(openTestdata(t, "no-sections-gfx900.co").Sections()); n != 0 {
		t.Errorf("no-sections-gfx900.co has %d sections", n)
	}
}

func TestSection(t *testing.T) {
	m := openTestdata(t, "ocl-gfx900-v4.co")
	if _, err := m.Section(".nonsense"); !errors.Is(err, ErrNoSection) || !strings.Contains(err.Error(), ".nonsense") {
		t.Errorf("error %v, want ErrNoSection", err)
	}
	text, err := m.Section(".text")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Segments {
		if s.Exec && !bytes.Equal(text, s.Data) {
			t.Error(".text is not what the executable segment holds")
		}
	}
	if !m.HasSection(".debug_info") || m.HasSection(".debug_nonsense") {
		t.Error("HasSection")
	}
}

// sectionFile gives a module with one section.
func sectionFile(name string, flags elf.SectionFlag, data []byte) *Module {
	s := elfSection{elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(flags), Size: uint64(len(data))}, name}
	return &Module{file: &elfFile{data: data, sections: []elfSection{s}, byName: map[string]int{name: 0}}}
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
		{"old name, not compressed", ".zdebug_info", 0, plain, ""},
		{"zstd", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZSTD, len(plain), body), "zstd"},
		{"unknown method", ".debug_info", elf.SHF_COMPRESSED, chdr(7, len(plain), body), "unknown compression type 7"},
		{"short header", ".debug_info", elf.SHF_COMPRESSED, plain[:20], "past the end"},
		{"announces less", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, len(plain)-1, body), "or more"},
		{"announces more", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, len(plain)+1, body), "were announced"},
		{"announces what cannot be", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, maxDecompressed, body), "cannot make"},
		{"announces too much", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, maxDecompressed+1, body), "at most"},
		{"announces too much, old form", ".zdebug_info", 0, old(1<<63, body), "at most"},
		{"bomb", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, 1000, zeros), "1001 bytes or more"},
		{"damaged", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, len(plain), body[:len(body)-8]), "decompressing"},
		{"no zlib header", ".debug_info", elf.SHF_COMPRESSED, chdr(elf.COMPRESS_ZLIB, len(plain), plain), "zlib"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := sectionFile(tt.section, tt.flags, tt.data)
			got, err := m.Section(".debug_info")
			if all, allErr := m.DebugSections(); (allErr != nil) != (err != nil) || !bytes.Equal(all[".debug_info"], got) {
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

// TestRelocate compares the pointers of bare.s with what the source says, for
// each form in which the linker can leave the relocations.
func TestRelocate(t *testing.T) {
	const base, external = 0x7f00_0000_0000, 0x1122_3344_5566
	resolve := func(name string) (uint64, bool) { return external, name == "external" }
	for _, file := range []string{"bare-gfx90a.co", "bare-gfx90a-rel.co", "bare-gfx90a-relr.co"} {
		t.Run(file, func(t *testing.T) {
			m := openTestdata(t, file)
			before := slices.Clone(readTestdata(t, file))
			pointers, _ := m.Symbol("pointers")
			hidden, _ := m.Symbol("hidden")
			segments, err := m.Relocate(base, resolve)
			if err != nil {
				t.Fatal(err)
			}
			b := placeIn(segments, base+pointers.Addr, 7*8)
			if b == nil {
				t.Fatalf("no data at %#x", base+pointers.Addr)
			}
			got := make([]uint64, 7)
			for i := range got {
				got[i] = le64(b[8*i:])
			}
			// external, external+16, pointers, hidden, maybe, absolute, hidden's value
			want := []uint64{external, external + 16, base + pointers.Addr, base + hidden.Addr, 0, 0x1234, 42}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("pointers (-want +got):\n%s", diff)
			}
			if !bytes.Equal(m.file.data, before) {
				t.Error("Relocate changed the module")
			}
			if segments[0].Addr != base+m.Segments[0].Addr || m.Segments[0].Addr != 0 {
				t.Errorf("segment at %#x, in the module at %#x", segments[0].Addr, m.Segments[0].Addr)
			}
		})
	}
}

func TestRelocateErrors(t *testing.T) {
	m := openTestdata(t, "bare-gfx90a.co")
	_, err := m.Relocate(0, nil)
	var re *RelocError
	if !errors.Is(err, ErrUndefinedSymbol) || !errors.As(err, &re) || re.Reloc.Symbol != "external" {
		t.Errorf("error %v, want one about the undefined symbol external", err)
	}
	if _, err := m.Relocate(^uint64(0)-0x1000, nil); err == nil || !strings.Contains(err.Error(), "does not fit above base") {
		t.Errorf("error %v, want one about the base", err)
	}
}

// TestRelocTypes applies each type of AMDGPUUsage's table by itself.
func TestRelocTypes(t *testing.T) {
	const base, place, symbol = 0x1_0000_0000, 0x20, 0x8000
	tests := []struct {
		typ    RelocType
		addend int64
		size   int
		want   uint64
	}{
		{RelocNone, 5, 0, 0},
		{RelocAbs32Lo, 4, 4, symbol + 4},
		{RelocAbs32Hi, 4, 4, 1},
		{RelocAbs64, -1, 8, base + symbol - 1},
		{RelocRel32, 4, 4, symbol + 4 - place},
		{RelocRel64, 0, 8, symbol - place},
		{RelocRel32Lo, -0x9000, 4, 0xffff_efe0},
		{RelocRel32Hi, -0x9000, 4, 0xffff_ffff},
		{RelocRelative64, 0x40, 8, base + 0x40},
		{RelocRel16, 0, 2, (symbol - place - 4) / 4},
		{RelocRel16, -symbol, 2, 0xfff7},
	}
	for _, tt := range tests {
		m := &Module{
			Segments: []Segment{{MemSize: 64, Data: bytes.Repeat([]byte{0}, 64)}},
			Relocs:   []Reloc{{Addr: place, Type: tt.typ, Symbol: "s", Value: symbol, Addend: tt.addend}},
		}
		image, err := m.Relocate(base, nil)
		if err != nil {
			t.Errorf("%v: %v", tt.typ, err)
			continue
		}
		want := make([]byte, 64)
		copy(want[place:place+tt.size], binary.LittleEndian.AppendUint64(nil, tt.want))
		if diff := cmp.Diff(want, image[0].Data); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.typ, diff)
		}
	}
	for _, tt := range []struct {
		r    Reloc
		part string
	}{
		{Reloc{Type: RelocAbs32, Value: symbol}, "does not fit in 32 bits"},
		{Reloc{Type: RelocRel32, Value: 1 << 40}, "does not fit in 32 bits"},
		{Reloc{Type: RelocRel16, Value: 1 << 20}, "does not fit in 16 bits"},
		{Reloc{Type: 7, Value: symbol}, "R_AMDGPU type 7"},
		{Reloc{Type: RelocAbs64, Addr: 60}, "initialized part"},
		{Reloc{Type: RelocAbs64, Addr: ^uint64(0)}, "initialized part"},
		{Reloc{Type: RelocAbs64, Undefined: true, Symbol: "nobody"}, `"nobody": undefined symbol`},
	} {
		m := &Module{Segments: []Segment{{MemSize: 64, Data: make([]byte, 64)}}, Relocs: []Reloc{tt.r}}
		if _, err := m.Relocate(base, nil); err == nil || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("%v: error %v, want %q", tt.r.Type, err, tt.part)
		}
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
	m := &Module{Segments: []Segment{{Addr: at, MemSize: 1024, Data: data}}}
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
	for _, r := range m.Relocs {
		if r.Type != RelocRelative64 || uint64(r.Addend) != (r.Addr-at)/8 {
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

// TestImplicitAddend reads addends of each size from the place.
func TestImplicitAddend(t *testing.T) {
	data := bytes.Repeat([]byte{0xfe, 0xff, 0xff, 0xff}, 4)
	m := &Module{Segments: []Segment{{Addr: 0x40, MemSize: 16, Data: data}}}
	for typ, want := range map[RelocType]int64{
		RelocAbs64: -0x1_0000_0002, RelocAbs32: -2, RelocRel16: -2, RelocNone: 0,
	} {
		if got, ok := m.implicitAddend(Reloc{Addr: 0x40, Type: typ}); !ok || got != want {
			t.Errorf("%v: addend %#x, %v, want %#x", typ, got, ok, want)
		}
	}
	entry := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 0x60), uint64(RelocAbs64))
	if err := m.readRelocTable(entry, false, nil); err == nil || !strings.Contains(err.Error(), "not in a segment") {
		t.Errorf("error %v, want one about the place", err)
	}
	if err := m.readRelocTable(entry[:15], false, nil); err == nil || !strings.Contains(err.Error(), "entries have 16") {
		t.Errorf("error %v, want one about the size", err)
	}
}

// TestWarnings: what does not hinder running a kernel is told.
func TestWarnings(t *testing.T) {
	m := openTestdata(t, "ocl-gfx900-v4.co")
	k, err := m.Kernel("required")
	if err != nil {
		t.Fatal(err)
	}
	at := int(k.DescriptorAddr) // the segment with the descriptors begins the file
	b := patched(t, "ocl-gfx900-v4.co", at, 1)
	b[at+12] = 1
	if m, err = Open(b); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"kernel required: descriptor: reserved byte 12 is 0x1, must be 0",
		"kernel required: group segment size is 0 in the metadata, 1 in the descriptor",
	}
	if diff := cmp.Diff(want, m.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestDescribeErrors(t *testing.T) {
	const file = "ocl-gfx1030-v5.co"
	k, err := openTestdata(t, file).Kernel("required")
	if err != nil {
		t.Fatal(err)
	}
	at := int(k.DescriptorAddr)
	tests := []struct {
		offset int
		value  byte
		part   string
	}{
		{at + 22, 1, "is not in an executable segment"},
		{at + 57, k.descriptorByte(57) &^ 4, "wavefront size 32 in the metadata, 64 in the descriptor"},
	}
	for _, tt := range tests {
		_, err := Open(patched(t, file, tt.offset, tt.value))
		var ke *KernelError
		if !errors.As(err, &ke) || ke.Kernel != "required" || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("byte %d: error %v, want %q", tt.offset-at, err, tt.part)
		}
	}
}

// descriptorByte gives a byte of the code properties.
func (k *Kernel) descriptorByte(i int) byte {
	return byte(k.Descriptor.CodeProperties >> (8 * (i - 56)))
}
