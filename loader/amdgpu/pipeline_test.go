package amdgpu

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
	"simtgdb/testdata/built"
)

// pipelines is the folder of PAL's pipelines.
const pipelines = "../../testdata/pal"

func openPipelineFile(t testing.TB, name string) *loader.Module {
	t.Helper()
	m, err := Open(readFile(t, filepath.Join(pipelines, "co", name)))
	if err != nil {
		t.Fatalf("Open(%s): %v", name, err)
	}
	return m
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// helloFormats are the strings of hello.comp.
var helloFormats = []FormatString{
	{Index: 1, String: "no arguments\n"},
	{Index: 0x11234e5aaaa8, String: "group %u begins\n", Arguments: 1, Wide: []uint64{0}},
	{Index: 0x89abcdef5676, String: "100%% of %d: half %f, wide %ld, double %g\n", Arguments: 4,
		Wide: []uint64{12}},
}

// TestPipelines compares everything about the pipelines with what their metadata
// and sources say.
func TestPipelines(t *testing.T) {
	hello := Pipeline{Version: [2]int{3, 0}, API: "Vulkan", Type: "Cs",
		Hash:          [2]uint64{0x1122334455667788, 0x99aabbccddeeff00},
		UserDataLimit: 1, SpillThreshold: NoSpill, Registers: map[uint32]uint32{}, Stages: []string{".cs"},
		PrintfEntryKnown: true, FormatVersion: 1, Formats: helloFormats}
	registers := hello
	registers.Version, registers.PrintfEntryKnown, registers.Registers = [2]int{2, 6}, false, nil
	tables := hello
	tables.Hash, tables.UserDataLimit, tables.SpillThreshold, tables.PrintfEntry = [2]uint64{0x0102030405060708,
		0x1112131415161718}, 5, 4, 3
	tables.Formats = []FormatString{
		{Index: 0xcafe0001, String: "%d small\n", Arguments: 1, Wide: []uint64{0}},
		{Index: 0xfedcba987654, String: "%u of group %u of %u: %d over %d, bias %.2f\n", Arguments: 6,
			Wide: []uint64{0}},
	}
	scratch := hello
	scratch.Formats = []FormatString{{Index: 2, String: "%u picked %u\n", Arguments: 2, Wide: []uint64{0}}}
	tests := []struct {
		name     string
		linked   bool // there is an object that ld.lld has linked
		pipeline Pipeline
		userData []UserData
		private  bool
		lds      uint64 // as rounded up by the compiler
	}{
		{"hello", true, hello, []UserData{0}, false, 0},
		{"registers", true, registers, []UserData{0}, false, 0},
		{"scratch", true, scratch, []UserData{UserDataGlobalTable, 0}, true, 0},
		{"tables", false, tables, []UserData{UserDataGlobalTable, UserDataWorkgroups, UserDataWorkgroupsHigh,
			0, 1, 2, 3,
			UserDataPerShaderTable, UserDataSpillTable}, false, 512},
	}
	for _, tt := range tests {
		for _, target := range []string{"gfx900", "gfx90a"} {
			files := []string{tt.name + "." + target + ".o"}
			if tt.linked {
				files = append(files, tt.name+"."+target+".co")
			}
			for _, file := range files {
				m := openPipelineFile(t, file)
				own := Of(m)
				got := *own.Pipeline
				if tt.name == "registers" {
					got.Registers = nil
				}
				if diff := cmp.Diff(tt.pipeline, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file, diff)
				}
				if m.Format != PipelineFormat || own.Target.Name != target || !own.Target.PAL ||
					m.Target.String() != "amdgcn-amd-amdpal--"+target {
					t.Errorf("%s: format %q, target %v", file, m.Format, m.Target)
				}
				if len(m.Kernels) != 1 || len(m.Warnings) != 0 {
					t.Fatalf("%s: %d kernels, warnings %q", file, len(m.Kernels), m.Warnings)
				}
				k := &m.Kernels[0]
				d := KernelOf(k).Descriptor
				if diff := cmp.Diff(tt.userData, KernelOf(k).UserData); diff != "" {
					t.Errorf("%s: user data (-want +got):\n%s", file, diff)
				}
				if sym, off, ok := m.SymbolAt(k.Entry); !ok || off != 0 || sym.Name != "_amdgpu_cs_main" ||
					k.Name != sym.Name {
					t.Errorf("%s: kernel %s begins at %s+%d", file, k.Name, sym.Name, off)
				}
				if k.ReqdWorkgroupSize != [3]uint32{64, 1, 1} || k.MaxFlatWorkgroupSize != 64 ||
					k.WavefrontSize != 64 || k.LDSSize != tt.lds || (k.PrivateSize >= 256) != tt.private {
					t.Errorf("%s: %+v", file, k)
				}
				if int(d.UserSGPRCount) != len(tt.userData) || !d.EnableWorkgroupIDX ||
					!d.EnableWorkgroupIDY || !d.EnableWorkgroupIDZ ||
					!d.EnableWorkgroupInfo || d.EnableVGPRWorkitemID != 2 || d.EnablePrivateSegment != tt.private {
					t.Errorf("%s: %+v", file, d)
				}
				if d.IEEEMode || !d.DX10Clamp || d.FloatDenorm32 != DenormFlushSrcDst ||
					d.FloatDenorm16_64 != DenormFlushNone {
					t.Errorf("%s: modes of %+v", file, d)
				}
				if n := KernelOf(k).VGPRs; d.ArchVGPRs < int(n) || d.ArchVGPRs > int(n)+8 ||
					d.AccVGPRs != 0 || d.SGPRs < int(KernelOf(k).SGPRs) {
					t.Errorf("%s: %d VGPRs of %d, %d AGPRs, %d SGPRs of %d", file, n, d.ArchVGPRs, d.AccVGPRs,
						KernelOf(k).SGPRs, d.SGPRs)
				}
			}
		}
	}
}

// TestVersionsAgree compares what version 3 of the metadata says of a shader in
// names with what version 2 says of it in registers, where the compiler has
// written the words.
func TestVersionsAgree(t *testing.T) {
	for _, target := range []string{"gfx900", "gfx90a"} {
		named, registers := openPipelineFile(t, "hello."+target+".o"), openPipelineFile(
			t, "registers."+target+".o")
		if diff := cmp.Diff(KernelOf(&registers.Kernels[0]).Descriptor,
			KernelOf(&named.Kernels[0]).Descriptor); diff != "" {
			t.Errorf("%s: descriptors (-registers +names):\n%s", target, diff)
		}
	}
}

// TestPipelineNotesAgainstReadelf compares the whole metadata as text.
func TestPipelineNotesAgainstReadelf(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(pipelines, "co", "*"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no pipelines")
	}
	const before = "\nFile: " // the name of each
	all := output(t, tool(t, "llvm-readelf-22"), append([]string{"--notes"}, paths...)...)
	for _, path := range paths {
		m, err := Open(readFile(t, path))
		if err != nil {
			t.Fatal(err)
		}
		_, text, ok := strings.Cut(all, before+path+"\n")
		if text, _, _ = strings.Cut(text, before); !ok {
			t.Fatalf("llvm-readelf says nothing of %s", path)
		}
		for _, s := range Of(m).Pipeline.Formats {
			for _, want := range []string{
				fmt.Sprintf(".index:          %d\n", s.Index),
				fmt.Sprintf(".argument_count: %d\n", s.Arguments),
				strings.ReplaceAll(fmt.Sprintf(".string:         %q\n", s.String+"\x00"), `\x00`, `\0`),
			} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: llvm-readelf does not print %q:\n%s", path, want, text)
				}
			}
		}
		for number, v := range Of(m).Pipeline.Registers {
			if want := fmt.Sprintf("      %d:           %d\n", number, v); !strings.Contains(text, want) {
				t.Errorf("%s: llvm-readelf does not print %q:\n%s", path, want, text)
			}
		}
	}
}

// TestLinkAgainstLinker compares code that this package has placed with that of
// ld.lld: it does not depend on its address.
func TestLinkAgainstLinker(t *testing.T) {
	for _, name := range []string{"hello", "registers", "scratch"} {
		for _, target := range []string{"gfx900", "gfx90a"} {
			here, err := openPipelineFile(t, name+"."+target+".o").Section(".text")
			if err != nil {
				t.Fatal(err)
			}
			there, err := openPipelineFile(t, name+"."+target+".co").Section(".text")
			if err != nil || len(here) == 0 || !bytes.Equal(here, there) {
				t.Errorf("%s %s: %d bytes of code, ld.lld's %d; error %v", name, target, len(here),
					len(there), err)
			}
		}
	}
}

// TestLinkRelocates looks at the constants of tables.comp, whose address code
// loads, and has the standard library read the debugging information, which is
// full of relocations.
func TestLinkRelocates(t *testing.T) {
	for _, target := range []string{"gfx900", "gfx90a"} {
		m := openPipelineFile(t, "tables."+target+".o")
		weights, ok := m.Symbol("weights")
		b, loaded := m.BytesAt(weights.Addr, 16)
		if want := []byte{1, 0, 0, 0, 10, 0, 0, 0, 100, 0, 0, 0, 0xe8, 3, 0, 0}; !ok || !loaded ||
			!bytes.Equal(b, want) {
			t.Errorf("%s: weights at %#x are % x", target, weights.Addr, b)
		}
		text, err := m.Section(".text")
		if err != nil {
			t.Fatal(err)
		}
		// s_mov_b32 of a literal: the low half of the address.
		if !bytes.Contains(text, binary.LittleEndian.AppendUint32(nil, uint32(weights.Addr))) {
			t.Errorf("%s: code does not have the address %#x", target, weights.Addr)
		}
		sections, err := m.DebugSections()
		if err != nil {
			t.Fatal(err)
		}
		d, err := dwarf.New(sections[".debug_abbrev"], nil, nil, sections[".debug_info"],
			sections[".debug_line"], nil, nil, sections[".debug_str"])
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{".debug_addr", ".debug_line_str", ".debug_str_offsets"} {
			if err := d.AddSection(name, sections[name]); err != nil {
				t.Fatal(err)
			}
		}
		names := map[string]bool{}
		for r := d.Reader(); ; {
			e, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if e == nil {
				break
			}
			name, _ := e.Val(dwarf.AttrName).(string)
			names[name] = true
			if low, ok := e.Val(dwarf.AttrLowpc).(uint64); ok && low != m.Kernels[0].Entry {
				t.Errorf("%s: %v begins at %#x, the kernel at %#x", target, e.Tag, low, m.Kernels[0].Entry)
			}
			if e.Tag == dwarf.TagCompileUnit {
				lines, err := d.LineReader(e)
				var row dwarf.LineEntry
				if err != nil || lines.SeekPC(m.Kernels[0].Entry, &row) != nil ||
					row.File.Name != "tables.comp" || row.Line != 11 {
					t.Errorf("%s: the kernel begins at %+v, error %v", target, row, err)
				}
			}
		}
		for _, want := range []string{"tables.comp", "main", "id", "value", "other", "weighted", "int", "uint"} {
			if !names[want] {
				t.Errorf("%s: no entry is called %q", target, want)
			}
		}
	}
}

func TestPipelineErrors(t *testing.T) {
	object := readFile(t, filepath.Join(pipelines, "co", "hello.gfx900.o"))
	replace := func(b []byte, old, new string) []byte {
		if len(old) != len(new) || !bytes.Contains(b, []byte(old)) {
			t.Fatalf("%q is not in the object or not as long as %q", old, new)
		}
		return bytes.ReplaceAll(b, []byte(old), []byte(new))
	}
	at := func(b []byte, i int, v ...byte) []byte {
		b = slices.Clone(b)
		copy(b[i:], v)
		return b
	}
	tests := []struct {
		name string
		data []byte
		kind error
		part string
	}{
		{"ABI version", at(object, elf.EI_ABIVERSION, 2), loader.ErrUnsupported, "EI_ABIVERSION 2; want 0"},
		{"executable", at(object, 16, byte(elf.ET_EXEC)), loader.ErrUnsupported,
			"ET_EXEC; want ET_REL or ET_DYN"},
		{"flags", at(object, loader.FlagsOffset+2, 1), loader.ErrUnsupported, "unknown bits 0x10000"},
		{"no processor", at(object, loader.FlagsOffset, 0, 0), loader.ErrUnsupported, "names no processor"},
		{"no note", replace(object, "\x20\x00\x00\x00AMDGPU", "\x21\x00\x00\x00AMDGPU"),
			loader.ErrUnsupported, "without a metadata note"},
		{"version", replace(object, "amdpal.version\x92\x03\x00", "amdpal.version\x92\x04\x00"),
			loader.ErrUnsupported, "amdpal.version 4.0, want 2.x or 3.x"},
		{"entry point", replace(object, "entry_point_symbol\xaf_amdgpu_cs_main",
			"entry_point_symbol\xaf_amdgpu_cs_nain"), nil, `kernel "_amdgpu_cs_nain": the symbol`},
		{"user SGPRs", replace(object, ".user_sgprs\x01", ".user_sgprs\x7f"), nil,
			"127 user SGPRs, want at most 31"},
		{"workgroup", replace(object, "threadgroup_dimensions\x93\x40\x01",
			"threadgroup_dimensions\x93\x40\x7f"), nil, "want 1 to 1024 work-items"},
		{"no workgroup", replace(object, "threadgroup_dimensions\x93\x40\x01",
			"threadgroup_dimensions\x93\x00\x01"), nil, "want 1 to 1024 work-items"},
		{"local ids", replace(object, ".tidig_comp_cnt\x02", ".tidig_comp_cnt\x03"), nil,
			"ENABLE_VGPR_WORKITEM_ID is 3"},
		{"more local ids", replace(object, ".tidig_comp_cnt\x02", ".tidig_comp_cnt\x04"), nil,
			".tidig_comp_cnt is 4"},
		{"kind", replace(object, ".user_sgprs\x01", ".user_sgprs\xc2"), nil,
			"hardware_stages.cs.user_sgprs: boolean, want integer"},
	}
	for _, tt := range tests {
		m, err := Open(tt.data)
		if err == nil || !strings.Contains(err.Error(), tt.part) ||
			tt.kind != nil && !errors.Is(err, tt.kind) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: module %v, error %v, want %q", tt.name, m, err, tt.part)
		}
	}
	if _, err := OpenWith(object, loader.Options{Target: "gfx90a"}); err == nil ||
		!strings.Contains(err.Error(), "amdgcn-amd-amdpal--gfx900") {
		t.Errorf("gfx900 for gfx90a: error %v", err)
	}
	if _, err := OpenWith(object, loader.Options{Target: "gfx900"}); err != nil {
		t.Error(err)
	}
}

func TestPipelineMetadataErrors(t *testing.T) {
	pipeline := func(kv ...string) string { return packMap("amdpal.pipelines", packArray(packMap(kv...))) }
	for _, tt := range []struct{ in, part string }{
		{packMap("amdpal.format_strings", packMap(".strings", "\x02")),
			"amdpal.format_strings.strings: integer, want array"},
		{packMap("amdpal.format_strings", packMap(".strings", packArray("\x02"))),
			".strings[0]: integer, want map"},
		{packMap("amdpal.format_strings", packMap(".user_data_offset", "\xff")),
			".user_data_offset: integer out of range"},
		{packMap("amdpal.pipelines", packArray(packMap(), packMap())),
			"amdpal.pipelines[1]: second pipeline"},
		{pipeline(".registers", "\x02"), "amdpal.pipelines[0].registers: integer, want map"},
		{pipeline(".registers", packMap("x", "\x02")), ".registers: string, want integer"},
		{pipeline(".registers", "\x81\x05\xc2"), ".registers[0x5]: boolean, want integer"},
		{pipeline(".hardware_stages", "\x02"), ".hardware_stages: integer, want map"},
		{pipeline(".hardware_stages", packMap(".cs", "\x02")), ".hardware_stages.cs: integer, want map"},
		{pipeline(".hardware_stages", packMap(".cs", packMap(".user_data_reg_map",
			"\xdc\x00\x21"+strings.Repeat("\x00", 33)))),
			"array of 33, want at most 32"},
		{pipeline(".internal_pipeline_hash", packArray("\x01")), "array of 1, want 2"},
		{packMap("amdpal.version", packArray("\x01", "\x00")), "amdpal.version 1.0, want 2.x or 3.x"},
	} {
		if _, err := decodePipelineMetadata([]byte(tt.in)); err == nil ||
			!strings.Contains(err.Error(), tt.part) {
			t.Errorf("%q: error %v, want %q", tt.in, err, tt.part)
		}
	}
}

// TestPipelineDynamicVGPRs: what metadata says of vector registers that code allocates is in the descriptor.
func TestPipelineDynamicVGPRs(t *testing.T) {
	registers := packMap(".compute_registers", packMap(".dynamic_vgpr_en", "\xc3"))
	m, err := decodePipelineMetadata([]byte(packMap("amdpal.version", packArray("\x03", "\x00"),
		"amdpal.pipelines", packArray(registers))))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gfx1100", "gfx1200", "gfx1250"} {
		d, err := m.descriptor(&hardwareStage{}, targetNamed(t, name))
		if want := name != "gfx1100"; err != nil || d.EnableDynamicVGPR != want {
			t.Errorf("%s: %v, error %v", name, d.EnableDynamicVGPR, err)
		}
	}
}

// TestPipelineRegisters: registers are allocated in the granules of the processor (AMDGPUUsage,
// "compute_pgm_rsrc1 for GFX6-GFX12"); where both kinds of vector registers share a file, the metadata counts
// them together, and a0 is at a multiple of four.
func TestPipelineRegisters(t *testing.T) {
	named := &pipelineMetadata{Pipeline: Pipeline{Version: [2]int{3, 0}}}
	for _, tt := range []struct {
		processor string
		stage     hardwareStage
		want      [4]int // vector registers in all, v, a, scalar ones
	}{
		{"gfx900", hardwareStage{}, [4]int{4, 4, 0, 16}},
		{"gfx900", hardwareStage{sgprs: 16, vgprs: 16}, [4]int{16, 16, 0, 16}},
		{"gfx900", hardwareStage{sgprs: 17, vgprs: 17}, [4]int{20, 20, 0, 32}},
		{"gfx908", hardwareStage{sgprs: 102, vgprs: 20}, [4]int{20, 20, 20, 112}},
		{"gfx90a", hardwareStage{vgprs: 17}, [4]int{24, 24, 0, 16}},
		{"gfx90a", hardwareStage{vgprs: 8, agprs: 8}, [4]int{8, 4, 4, 16}},
		{"gfx90a", hardwareStage{vgprs: 24, agprs: 8}, [4]int{24, 16, 8, 16}},
		{"gfx90a", hardwareStage{vgprs: 25, agprs: 10}, [4]int{32, 16, 16, 16}},
		{"gfx942", hardwareStage{vgprs: 512, agprs: 256}, [4]int{512, 256, 256, 16}},
		{"gfx1030", hardwareStage{vgprs: 17, waveSize: 32}, [4]int{24, 24, 0, 128}},
		{"gfx1030", hardwareStage{vgprs: 17, waveSize: 64}, [4]int{20, 20, 0, 128}},
		{"gfx1250", hardwareStage{vgprs: 17, waveSize: 32}, [4]int{32, 32, 0, 128}},
	} {
		d, err := named.descriptor(&tt.stage, targetNamed(t, tt.processor))
		if got := [4]int{d.TotalVGPRs, d.ArchVGPRs, d.AccVGPRs, d.SGPRs}; err != nil || got != tt.want {
			t.Errorf("%s, %+v: %v, %v, want %v", tt.processor, tt.stage, got, err, tt.want)
		}
	}
	// FLOAT_MODE: two bits each for rounding of 32 bits and of 16 and 64, and for denormal numbers.
	for mode, want := range map[uint32][4]uint8{0xe4: {0, 1, 2, 3}, 0x1b: {3, 2, 1, 0}} {
		d, err := named.descriptor(&hardwareStage{floatMode: mode}, targetNamed(t, "gfx900"))
		got := [4]uint8{uint8(d.FloatRoundMode32), uint8(d.FloatRoundMode16_64), uint8(d.FloatDenorm32),
			uint8(d.FloatDenorm16_64)}
		if err != nil || got != want {
			t.Errorf("mode %#x: %v, %v, want %v", mode, got, err, want)
		}
	}
	for _, s := range []hardwareStage{{sgprs: 513}, {vgprs: 513}, {agprs: 513}, {floatMode: 0x100}} {
		if _, err := named.descriptor(&s, targetNamed(t, "gfx90a")); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}

// TestPipelineLDS: version 2 of the metadata has the size of the workgroup's memory in COMPUTE_PGM_RSRC2, in
// units of 512 bytes, where it does not say it in bytes. Descriptors have zeros there: a driver fills it in.
func TestPipelineLDS(t *testing.T) {
	m := &pipelineMetadata{Pipeline: Pipeline{Version: [2]int{2, 6}, Registers: map[uint32]uint32{
		regRsrc1: 0x2c0041, regRsrc2: 0x1ff<<15 | 0x90}}}
	for bytes, want := range map[uint32]uint32{0: 0x1ff * 512, 100: 100} {
		d, err := m.descriptor(&hardwareStage{lds: bytes}, targetNamed(t, "gfx900"))
		if err != nil || d.GroupSegmentFixedSize != want || d.GranulatedLDSSize != 0 || d.Rsrc2 != 0x90 ||
			d.Rsrc1 != 0x2c0041 || d.UserSGPRCount != 8 || !d.EnableWorkgroupIDX {
			t.Errorf("%d bytes: %v, %+v", bytes, err, d)
		}
	}
}

// TestPipelineWarnings: two formats that the shader cannot tell apart.
func TestPipelineWarnings(t *testing.T) {
	strings := packArray(
		packMap(".index", "\x05", ".string", packString("a"), ".argument_count", "\x00", ".64bit_arguments",
			packArray()),
		packMap(".index", "\x05", ".string", packString("b"), ".argument_count", "\x00", ".64bit_arguments",
			packArray()),
		packMap(".index", "\xcf\x00\x01\x00\x00\x00\x00\x00\x00", ".string", packString("c")))
	m, err := decodePipelineMetadata([]byte(packMap("amdpal.version", packArray("\x03", "\x00"),
		"amdpal.format_strings", packMap(".version", "\x01", ".strings", strings))))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"format strings 0 and 1 have the same identifier 0x5",
		"format string 2: identifier 0x1000000000000 has more than 48 bits",
	}
	if diff := cmp.Diff(want, m.warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// TestPipelinesUpToDate builds the pipelines anew and compares them.
func TestPipelinesUpToDate(t *testing.T) {
	tool(t, "python3")
	tool(t, "ld.lld-22")
	tool(t, "opt-22")
	if version := output(t, tool(t, "llc-22"), "--version"); !strings.Contains(version, "22.1.8") {
		t.Skip("skipped: another llc made the pipelines")
	}
	made := built.Of(t, "pipelines", []string{"ld.lld-22", "opt-22", "llc-22"}, pipelines+"/*",
		pipelines+"/*/*")
	if made.Known() {
		return
	}
	out := t.TempDir()
	if text, err := exec.Command(filepath.Join(pipelines, "build.sh"), out).CombinedOutput(); err != nil {
		t.Fatalf("build.sh: %v\n%s", err, text)
	}
	now, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadDir(filepath.Join(pipelines, "co"))
	if err != nil || len(committed) != len(now) {
		t.Errorf("%d pipelines are committed, %d are made (%v)", len(committed), len(now), err)
	}
	for _, e := range now {
		if !bytes.Equal(readFile(t, filepath.Join(out, e.Name())), readFile(t,
			filepath.Join(pipelines, "co", e.Name()))) {
			t.Errorf("%s is not what is made", e.Name())
		}
	}
	made.Keep()
}

func FuzzPipeline(f *testing.F) {
	for _, name := range []string{"hello.gfx900.co", "registers.gfx90a.o", "tables.gfx900.o"} {
		f.Add(readFile(f, filepath.Join(pipelines, "co", name)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Open(data)
		if err != nil || Of(m).Pipeline == nil {
			return
		}
		checkModule(t, m, len(data))
		for i := range m.Kernels {
			if own := KernelOf(&m.Kernels[i]); len(own.UserData) != int(own.Descriptor.UserSGPRCount) {
				t.Errorf("%d user SGPRs, of which %d are mapped", own.Descriptor.UserSGPRCount,
					len(own.UserData))
			}
		}
	})
}

func FuzzPipelineMetadata(f *testing.F) {
	for _, name := range []string{"hello.gfx900.co", "registers.gfx90a.o", "tables.gfx900.o"} {
		e, err := loader.ReadELF(readFile(f, filepath.Join(pipelines, "co", name)))
		if err != nil {
			f.Fatal(err)
		}
		notes, err := metadataNotes(e)
		if err != nil || len(notes) != 1 {
			f.Fatalf("%s: no metadata: %v", name, err)
		}
		f.Add(notes[0].Desc)
	}
	target := targetNamed(f, "gfx90a")
	f.Fuzz(func(t *testing.T, desc []byte) {
		m, err := decodePipelineMetadata(desc)
		if err != nil {
			return
		}
		for _, s := range m.stages {
			if d, err := m.descriptor(s, target); err == nil {
				m.userData(s, int(d.UserSGPRCount))
			}
		}
	})
}
