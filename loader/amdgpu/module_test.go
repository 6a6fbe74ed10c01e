package amdgpu

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"simtgdb/loader"

	"github.com/google/go-cmp/cmp"
)

func TestKernelLookup(t *testing.T) {
	hip, ocl := openTestdata(t, "hip-gfx90a-O0.co"), openTestdata(t, "ocl-gfx900-v4.co")
	tests := []struct {
		m          *loader.Module
		name, want string
		err        error
		message    string
	}{
		{hip, "_Z6vecaddPKfPfi4Pair", "_Z6vecaddPKfPfi4Pair", nil, ""},
		{hip, "_Z6vecaddPKfPfi4Pair.kd", "_Z6vecaddPKfPfi4Pair", nil, ""},
		{hip, "vecadd", "_Z6vecaddPKfPfi4Pair", nil, ""},
		{hip, "nested", "_ZN5outer6nestedEPi", nil, ""},
		{hip, "scale", "", loader.ErrAmbiguousKernel,
			`kernel "scale": ambiguous kernel name; the file has: _Z5scaleIiEvPT_, _Z5scaleIfEvPT_`},
		{hip, "_Z5scaleIfEvPT_", "_Z5scaleIfEvPT_", nil, ""},
		{ocl, "required", "required", nil, ""},
		{ocl, "required.kd", "required", nil, ""},
		{ocl, "Required", "", loader.ErrNoKernel,
			`kernel "Required": no such kernel; the file has: local_sum, required, hinted`},
		{ocl, "", "", loader.ErrNoKernel,
			`kernel "": no such kernel; the file has: local_sum, required, hinted`},
		{&loader.Module{}, "k", "", loader.ErrNoKernel,
			`kernel "k": no such kernel; the file has no kernels`},
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

// TestKernelFields compares everything about three kernels with what their
// source says.
func TestKernelFields(t *testing.T) {
	m := openTestdata(t, "ocl-gfx900-v4.co")
	global := loader.Arg{Size: 8, Kind: loader.GlobalBuffer, AddressSpace: "global", TypeName: "int*"}
	arg := func(a loader.Arg, name string, offset uint64, change func(*loader.Arg)) loader.Arg {
		a.Name, a.Offset = name, offset
		if change != nil {
			change(&a)
		}
		return a
	}
	common := loader.Kernel{
		ArgAlign: 8, WavefrontSize: 64, MaxFlatWorkgroupSize: 256,
		Language: "OpenCL C", LanguageVersion: [2]uint32{2, 0},
	}
	localSum, required, hinted := common, common, common
	localSum.Name, localSum.Symbol, localSum.ArgSize = "local_sum", "local_sum.kd", 36
	localSum.Args = []loader.Arg{
		arg(global, "in", 0, func(a *loader.Arg) {
			a.IsConst, a.IsRestrict, a.ActualAccess = true, true,
				"read_only"
		}),
		arg(global, "out", 8, func(a *loader.Arg) { a.IsVolatile = true }),
		{Name: "scratch", TypeName: "int*", Offset: 16, Size: 4, Kind: loader.DynamicSharedPointer,
			AddressSpace: "local", PointeeAlign: 4},
		{Name: "c", TypeName: "int*", Offset: 24, Size: 8, Kind: loader.GlobalBuffer,
			AddressSpace: "constant", IsConst: true},
		{Name: "n", TypeName: "int", Offset: 32, Size: 4, Kind: loader.ByValue},
	}
	required.Name, required.Symbol, required.ArgSize = "required", "required.kd", 24
	required.ReqdWorkgroupSize, required.MaxFlatWorkgroupSize = [3]uint32{8, 4, 2}, 64
	required.Args = []loader.Arg{
		arg(global, "q", 0, nil),
		{Name: "bytes", TypeName: "char4", Offset: 8, Size: 4, Kind: loader.ByValue},
		{Name: "d", TypeName: "double", Offset: 16, Size: 8, Kind: loader.ByValue},
	}
	hinted.Name, hinted.Symbol, hinted.ArgSize = "hinted", "hinted.kd", 32
	hinted.WorkgroupSizeHint, hinted.VecTypeHint = [3]uint32{16, 1, 1}, "float4"
	hinted.Args = []loader.Arg{
		{Name: "img", TypeName: "image2d_t", Offset: 0, Size: 8, Kind: loader.Image, Access: "read_only"},
		{Name: "img1", TypeName: "image1d_t", Offset: 8, Size: 8, Kind: loader.Image, Access: "write_only"},
		{Name: "s", TypeName: "sampler_t", Offset: 16, Size: 8, Kind: loader.Sampler},
		{Name: "q", TypeName: "float*", Offset: 24, Size: 8, Kind: loader.GlobalBuffer, AddressSpace: "global"},
	}
	for _, want := range []loader.Kernel{localSum, required, hinted} {
		k, err := m.Kernel(want.Name)
		if err != nil {
			t.Fatal(err)
		}
		got, own := *k, *KernelOf(k)
		// These are of the compiler's making: other tests compare them.
		got.Entry, got.Native, got.Registers = 0, nil, 0
		own.SGPRs, own.VGPRs, own.DescriptorAddr, own.Descriptor = 0, 0, 0,
			Descriptor{}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("kernel %s (-want +got):\n%s", want.Name, diff)
		}
		wantOwn := Kernel{HasMetadata: true}
		if diff := cmp.Diff(wantOwn, own); diff != "" {
			t.Errorf("kernel %s, AMDGPU's part (-want +got):\n%s", want.Name, diff)
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
	if a, ok := k.HiddenArg(loader.ByValue); ok {
		t.Errorf("by_value is found as a hidden argument: %+v", a)
	}
	if !k.DynamicStack || !KernelOf(k).UniformWorkgroupSize || k.LDSSize != 256 || k.PrivateSize == 0 {
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
			if !ok || f.Addr != k.Entry || f.Kind != loader.SymbolFunc {
				t.Errorf("%s: kernel %s has its entry at %#x, its function is %+v", file, k.Name, k.Entry, f)
			}
			if sym, off, ok := m.SymbolAt(k.Entry); !ok || off != 0 || sym.Name != k.Name {
				t.Errorf("%s: the symbol at the entry of kernel %s is %s+%d (%v)", file, k.Name, sym.Name,
					off, ok)
			}
			if d := KernelOf(&k).Descriptor; d.KernargSize != uint32(k.ArgSize) ||
				d.GroupSegmentFixedSize != uint32(k.LDSSize) ||
				!k.UndeclaredArgs && !d.EnableKernargSegmentPtr {
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
	own := KernelOf(k)
	if !k.UndeclaredArgs || k.ArgSize != 24 || k.LDSSize != 512 || k.PrivateSize != 16 ||
		k.WavefrontSize != 64 {
		t.Errorf("%+v", k)
	}
	if own.HasMetadata || own.VGPRs != 16 || own.AGPRs != 8 {
		t.Errorf("%+v", own)
	}
	if !own.Descriptor.EnableKernargSegmentPtr || own.Descriptor.ArchVGPRs != 8 {
		t.Errorf("%+v", own.Descriptor)
	}
}

// TestAbsoluteDescriptor: a symbol that is a number and no address is no kernel's descriptor.
func TestAbsoluteDescriptor(t *testing.T) {
	data := slices.Clone(readTestdata(t, "bare-gfx90a.co"))
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	const symbolSize, section = 24, 6
	changed := 0
	for _, s := range f.Sections {
		if s.Type != elf.SHT_SYMTAB && s.Type != elf.SHT_DYNSYM {
			continue
		}
		names, err := f.Sections[s.Link].Data()
		if err != nil {
			t.Fatal(err)
		}
		for at := s.Offset; at < s.Offset+s.Size; at += symbolSize {
			name := names[binary.LittleEndian.Uint32(data[at:]):]
			if bytes.HasPrefix(name, []byte("bare.kd\x00")) {
				binary.LittleEndian.PutUint16(data[at+section:], uint16(elf.SHN_ABS))
				changed++
			}
		}
	}
	m, err := Open(data)
	if err != nil || changed == 0 || slices.Contains(kernelNames(m), "bare") {
		t.Errorf("%d symbols changed, error %v, kernels %v", changed, err, kernelNames(m))
	}
}

func TestSymbolAt(t *testing.T) {
	hip, bare := openTestdata(t, "hip-gfx90a-O0.co"), openTestdata(t, "bare-gfx90a.co")
	helper, ok := hip.Symbol("_Z6helperi4Pair")
	if !ok || helper.Global || helper.Section != ".text" || helper.Size == 0 {
		t.Fatalf("helper: %+v, %v", helper, ok)
	}
	tests := []struct {
		m      *loader.Module
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
		if diff := cmp.Diff(whole.Kernels, m.Kernels, cmp.AllowUnexported(Kernel{})); diff != "" {
			t.Errorf("%s: kernels (-whole +stripped):\n%s", file, diff)
		}
	}
	if n := len(openTestdata(t, "no-sections-gfx900.co").Sections); n != 0 {
		t.Errorf("no-sections-gfx900.co has %d sections", n)
	}
}

func TestSection(t *testing.T) {
	m := openTestdata(t, "ocl-gfx900-v4.co")
	if _, err := m.Section(".nonsense"); !errors.Is(err, loader.ErrNoSection) ||
		!strings.Contains(err.Error(), ".nonsense") {
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
	if _, err := m.Section(".debug_info"); err != nil {
		t.Error(err)
	}
	if _, err := m.Section(".debug_nonsense"); !errors.Is(err, loader.ErrNoSection) {
		t.Errorf("a section that there is not: %v", err)
	}
}

// TestRelocate compares the pointers of bare.s with what the source says, for
// each form in which the linker can leave the relocations.
func TestRelocate(t *testing.T) {
	const base, external = 0x7f00_0000_0000, 0x1122_3344_5566
	resolve := func(name string) (uint64, bool) { return external, name == "external" }
	for _, file := range []string{"bare-gfx90a.co", "bare-gfx90a-rel.co", "bare-gfx90a-relr.co"} {
		t.Run(file, func(t *testing.T) {
			data := readTestdata(t, file)
			before := slices.Clone(data)
			m, err := Open(data)
			if err != nil {
				t.Fatal(err)
			}
			pointers, _ := m.Symbol("pointers")
			hidden, _ := m.Symbol("hidden")
			segments, err := m.Relocate(base, resolve)
			if err != nil {
				t.Fatal(err)
			}
			image, err := loader.New(loader.Module{Segments: segments})
			if err != nil {
				t.Fatal(err)
			}
			b, ok := image.BytesAt(base+pointers.Addr, 7*8)
			if !ok {
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
			if !bytes.Equal(data, before) {
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
	var re *loader.RelocError
	if !errors.Is(err, loader.ErrUndefinedSymbol) || !errors.As(err, &re) || re.Reloc.Symbol != "external" {
		t.Errorf("error %v, want one about the undefined symbol external", err)
	}
	if _, err := m.Relocate(^uint64(0)-0x1000, nil); err == nil ||
		!strings.Contains(err.Error(), "does not fit above base") {
		t.Errorf("error %v, want one about the base", err)
	}
}

// reloc makes a relocation of a type.
func reloc(typ uint32, r loader.Reloc) loader.Reloc {
	of := relocRules.Reloc(typ)
	r.Type, r.Rule = of.Type, of.Rule
	return r
}

// TestRelocTypes applies each type of AMDGPUUsage's table by itself.
func TestRelocTypes(t *testing.T) {
	const base, place, symbol = 0x1_0000_0000, 0x20, 0x8000
	tests := []struct {
		typ    uint32
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
		m := &loader.Module{
			Segments: []loader.Segment{{MemSize: 64, Data: bytes.Repeat([]byte{0}, 64)}},
			Relocs: []loader.Reloc{reloc(tt.typ, loader.Reloc{Addr: place, Symbol: "s", Value: symbol,
				Addend: tt.addend})},
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
		r    loader.Reloc
		part string
	}{
		{reloc(RelocAbs32, loader.Reloc{Value: symbol}), "does not fit in 32 bits"},
		{reloc(RelocRel32, loader.Reloc{Value: 1 << 40}), "does not fit in 32 bits"},
		{reloc(RelocRel16, loader.Reloc{Value: 1 << 20}), "does not fit in 16 bits"},
		{reloc(7, loader.Reloc{Value: symbol}), "R_AMDGPU type 7"},
		{reloc(RelocAbs64, loader.Reloc{Addr: 60}), "initialized part"},
		{reloc(RelocAbs64, loader.Reloc{Addr: ^uint64(0)}), "initialized part"},
		{reloc(RelocAbs64, loader.Reloc{Undefined: true, Symbol: "nobody"}), `"nobody": undefined symbol`},
	} {
		m := &loader.Module{Segments: []loader.Segment{{MemSize: 64, Data: make([]byte, 64)}},
			Relocs: []loader.Reloc{tt.r}}
		if _, err := m.Relocate(base, nil); err == nil || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("%v: error %v, want %q", tt.r.Type, err, tt.part)
		}
	}
}

// TestWarnings: what does not hinder running a kernel is told.
func TestWarnings(t *testing.T) {
	m := openTestdata(t, "ocl-gfx900-v4.co")
	k, err := m.Kernel("required")
	if err != nil {
		t.Fatal(err)
	}
	at := int(KernelOf(k).DescriptorAddr) // the segment with the descriptors begins the file
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
	at := int(KernelOf(k).DescriptorAddr)
	tests := []struct {
		offset int
		value  byte
		part   string
	}{
		{at + 22, 1, "is not in an executable segment"},
		{at + 53, 3 << 3, "descriptor: ENABLE_VGPR_WORKITEM_ID is 3, which is undefined; want 0 to 2"},
		{at + 57, KernelOf(k).descriptorByte(57) &^ 4,
			"wavefront size 32 in the metadata, 64 in the descriptor"},
	}
	for _, tt := range tests {
		_, err := Open(patched(t, file, tt.offset, tt.value))
		var ke *loader.KernelError
		if !errors.As(err, &ke) || ke.Kernel != "required" || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("byte %d: error %v, want %q", tt.offset-at, err, tt.part)
		}
	}
}

// descriptorByte gives a byte of the code properties.
func (k *Kernel) descriptorByte(i int) byte {
	return byte(k.Descriptor.CodeProperties >> (8 * (i - 56)))
}
