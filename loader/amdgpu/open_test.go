package amdgpu

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/loader"
	"simtgdb/loader/bundle"

	"github.com/google/go-cmp/cmp"
)

func readTestdata(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func openTestdata(t testing.TB, name string) *loader.Module {
	t.Helper()
	m, err := Open(readTestdata(t, name))
	if err != nil {
		t.Fatalf("Open(%s): %v", name, err)
	}
	return m
}

// progHeaderSize is the size of an ELF64 program header.
const progHeaderSize = 56

// kernelNames lists the kernels of a module.
func kernelNames(m *loader.Module) []string {
	var names []string
	for _, k := range m.Kernels {
		names = append(names, k.Name)
	}
	return names
}

// codeObjects gives the names of all linked code objects in testdata.
func codeObjects(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.co")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no code objects in testdata (%v)", err)
	}
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths
}

func TestOpenTargets(t *testing.T) {
	tests := []struct{ file, target, kernels string }{
		{"hip-gfx90a-O0.co", "amdgcn-amd-amdhsa--gfx90a v6 xnack any sramecc any",
			"_Z6vecaddPKfPfi4Pair _Z7boundedPi _ZN5outer6nestedEPi _Z5scaleIiEvPT_ _Z5scaleIfEvPT_"},
		{"hip-gfx900-O2.co", "amdgcn-amd-amdhsa--gfx900 v4 xnack any sramecc unsupported",
			"_Z6vecaddPKfPfi4Pair _Z7boundedPi _ZN5outer6nestedEPi _Z5scaleIiEvPT_ _Z5scaleIfEvPT_"},
		{"hip-gfx942-O2.co", "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack- v5 xnack off sramecc on",
			"_Z6vecaddPKfPfi4Pair _Z7boundedPi _ZN5outer6nestedEPi _Z5scaleIiEvPT_ _Z5scaleIfEvPT_"},
		{"ocl-gfx900-v4.co", "amdgcn-amd-amdhsa--gfx900 v4 xnack any sramecc unsupported",
			"local_sum required hinted"},
		{"stripped-gfx900.co", "amdgcn-amd-amdhsa--gfx900 v4 xnack any sramecc unsupported",
			"local_sum required hinted"},
		{"no-sections-gfx900.co", "amdgcn-amd-amdhsa--gfx900 v4 xnack any sramecc unsupported",
			"local_sum required hinted"},
		{"ocl-gfx90a-v5.co", "amdgcn-amd-amdhsa--gfx90a v5 xnack any sramecc any",
			"local_sum required hinted"},
		{"ocl-gfx1030-v5.co", "amdgcn-amd-amdhsa--gfx1030 v5 xnack unsupported sramecc unsupported",
			"local_sum required hinted"},
		{"ocl-gfx1201-v6.co", "amdgcn-amd-amdhsa--gfx1201 v6 xnack unsupported sramecc unsupported",
			"local_sum required hinted"},
		{"ocl-gfx9-generic-v6.co", "amdgcn-amd-amdhsa--gfx9-generic v6 xnack any sramecc unsupported",
			"local_sum required hinted"},
		{"bare-gfx90a.co", "amdgcn-amd-amdhsa--gfx90a v5 xnack any sramecc any", "bare"},
		{"one.hipfb", "amdgcn-amd-amdhsa--gfx900 v5 xnack any sramecc unsupported",
			"_Z6vecaddPKfPfi4Pair _Z7boundedPi _ZN5outer6nestedEPi _Z5scaleIiEvPT_ _Z5scaleIfEvPT_"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			m := openTestdata(t, tt.file)
			own := Of(m).Target
			target := m.Target.String() + " v" + string(rune('0'+own.CodeObjectVersion)) +
				" xnack " + own.Xnack.String() + " sramecc " + own.SramECC.String()
			if target != tt.target {
				t.Errorf("target %s, want %s", target, tt.target)
			}
			if got := strings.Join(kernelNames(m), " "); got != tt.kernels {
				t.Errorf("kernels %s, want %s", got, tt.kernels)
			}
			if m.Format != Format {
				t.Errorf("format %q", m.Format)
			}
			if len(m.Warnings) != 0 {
				t.Errorf("warnings: %q", m.Warnings)
			}
		})
	}
}

func TestOpenWithTarget(t *testing.T) {
	const xnack, gfx942, gfx900 = "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "hipv4-amdgcn-amd-amdhsa--gfx942",
		"hipv4-amdgcn-amd-amdhsa--gfx900"
	tests := []struct {
		file, target string
		entry        string   // that is opened
		available    []string // or that the error lists
	}{
		{"two.hipfb", "gfx90a", xnack, nil},
		{"two.hipfb", "gfx90a:xnack+", xnack, nil},
		{"two.hipfb", "amdgcn-amd-amdhsa--gfx942", gfx942, nil},
		{"two.hipfb", xnack, xnack, nil},
		{"two.hipfb", "", "", []string{xnack, gfx942}},
		{"two.hipfb", "gfx90a:xnack-", "", []string{xnack, gfx942}},
		{"two.hipfb", "gfx1030", "", []string{xnack, gfx942}},
		{"two.hipfb", "nonsense", "", []string{xnack, gfx942}},
		{"one.hipfb", "", gfx900, nil},
		{"one.hipfb", "gfx942", "", []string{gfx900}},
		{"host-with-fatbin.so", "gfx900", gfx900, nil},
		{"host-with-fatbin.so", "gfx942", gfx942, nil},
		{"host-with-fatbin.so", "", "", []string{gfx900, xnack, gfx942}},
		{"hip-gfx900-O2.co", "gfx900", "", nil},
		{"hip-gfx900-O2.co", "gfx900:xnack+", "", nil},
		{"hip-gfx900-O2.co", "gfx900:sramecc+", "", []string{"amdgcn-amd-amdhsa--gfx900"}},
		{"hip-gfx900-O2.co", "gfx90a", "", []string{"amdgcn-amd-amdhsa--gfx900"}},
		{"hip-gfx942-O2.co", "gfx942:xnack-", "", nil},
		{"hip-gfx942-O2.co", "gfx942:xnack+", "", []string{"amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"}},
	}
	for _, tt := range tests {
		t.Run(tt.file+" "+tt.target, func(t *testing.T) {
			m, err := OpenWith(readTestdata(t, tt.file), loader.Options{Target: tt.target})
			if tt.available != nil {
				var te *loader.TargetError
				if !errors.As(err, &te) {
					t.Fatalf("error %v, want a TargetError", err)
				}
				if diff := cmp.Diff(tt.available, te.Available); diff != "" || te.Want != tt.target {
					t.Errorf("for %q (-want +got):\n%s", te.Want, diff)
				}
				for _, name := range tt.available {
					if !strings.Contains(err.Error(), name) {
						t.Errorf("error %q does not name %s", err, name)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if m.BundleID != tt.entry {
				t.Errorf("bundle entry %q, want %q", m.BundleID, tt.entry)
			}
			if len(m.Kernels) == 0 {
				t.Error("no kernels")
			}
		})
	}
}

func TestBundleEntries(t *testing.T) {
	entries, err := bundle.Entries(readTestdata(t, "two.hipfb"))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	want := []string{"host-x86_64-unknown-linux-gnu-", "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+",
		"hipv4-amdgcn-amd-amdhsa--gfx942"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Error(diff)
	}
}

// patched gives a copy of a test file with bytes replaced.
func patched(t testing.TB, file string, offset int, bytes ...byte) []byte {
	b := slices.Clone(readTestdata(t, file))
	copy(b[offset:], bytes)
	return b
}

func TestOpenErrors(t *testing.T) {
	const good = "hip-gfx90a-O0.co"
	object := readTestdata(t, good)
	tests := []struct {
		name  string
		data  []byte
		kind  error
		parts []string // of the message
	}{
		{"empty", nil, loader.ErrTruncated, []string{"empty file"}},
		{"text", []byte("kernel void f() {}\n"), loader.ErrUnknownFormat, []string{"text that begins with"}},
		{"binary", []byte{1, 2, 3, 0xff}, loader.ErrUnknownFormat, []string{"unknown format", "01 02 03 ff"}},
		{"start of magic", []byte("__CLANG_OFF"), loader.ErrTruncated, []string{"magic"}},
		{"bitcode", []byte("BC\xc0\xde\x35\x14\x00\x00"), loader.ErrNotLinked, []string{"LLVM bitcode", "clang"}},
		{"archive", []byte("!<arch>\nfoo"), loader.ErrNotLinked, []string{"archive", "ld.lld -shared"}},
		{"offload binary", []byte("\x10\xff\x10\xad\x01\x00\x00\x00"), loader.ErrUnsupported,
			[]string{"llvm-offload-binary"}},
		{"compressed bundle", readTestdata(t, "compressed.hipfb"), loader.ErrCompressedBundle,
			[]string{"compressed offload bundle (zstd)", "--no-offload-compress", "clang-offload-bundler"}},
		{"zlib bundle", []byte("CCOB\x02\x00\x00\x00"), loader.ErrCompressedBundle, []string{"(zlib)"}},
		{"unlinked", readTestdata(t, "unlinked-gfx900.o"), loader.ErrNotLinked,
			[]string{"unlinked", "ld.lld -shared"}},
		{"host", readTestdata(t, "host.so"), loader.ErrWrongMachine, []string{"x86-64", ".hip_fatbin"}},
		{"AArch64", patched(t, good, 18, byte(elf.EM_AARCH64), 0), loader.ErrWrongMachine, []string{"AArch64"}},
		{"CUDA", patched(t, good, 18, 190, 0), loader.ErrWrongMachine, []string{"CUDA"}},
		{"other machine", patched(t, good, 18, byte(elf.EM_SPARCV9), 0), loader.ErrWrongMachine,
			[]string{"EM_SPARCV9"}},
		{"host with broken tables", patched(t, "host.so", 40, 0xff, 0xff, 0xff, 0x7f), loader.ErrWrongMachine,
			[]string{"x86-64"}},
		{"32-bit", patched(t, good, elf.EI_CLASS, byte(elf.ELFCLASS32)), loader.ErrUnsupported, []string{"32-bit"}},
		{"big-endian", patched(t, good, elf.EI_DATA, byte(elf.ELFDATA2MSB)), loader.ErrUnsupported,
			[]string{"big-endian"}},
		{"ELF version", patched(t, good, elf.EI_VERSION, 9), loader.ErrUnsupported, []string{"ELF version 9"}},
		{"PAL", patched(t, good, elf.EI_OSABI, byte(osABIPAL)), loader.ErrUnsupported, []string{"AMD PAL"}},
		{"v2", patched(t, good, elf.EI_ABIVERSION, 0), loader.ErrUnsupported,
			[]string{"version 2", "-mcode-object-version"}},
		{"v3", patched(t, good, elf.EI_ABIVERSION, 1), loader.ErrUnsupported, []string{"version 3"}},
		{"v7", patched(t, good, elf.EI_ABIVERSION, 5), loader.ErrUnsupported, []string{"after 6"}},
		{"executable", patched(t, good, 16, byte(elf.ET_EXEC)), loader.ErrUnsupported,
			[]string{"ET_EXEC", "-shared"}},
		{"no processor", patched(t, good, loader.FlagsOffset, 0), loader.ErrUnsupported,
			[]string{"names no processor"}},
		{"R600", patched(t, good, loader.FlagsOffset, 1), loader.ErrUnsupported, []string{"R600"}},
		{"unknown processor", patched(t, good, loader.FlagsOffset, 0xfe), loader.ErrUnsupported, []string{"0xfe"}},
		{"flags and metadata disagree", patched(t, good, loader.FlagsOffset, 0x2c), nil,
			[]string{"gfx900", "gfx90a", "amdhsa.target"}},
		{"unknown flags", patched(t, good, loader.FlagsOffset+1, 0x15), loader.ErrUnsupported, []string{"0x1000"}},
		{"generic version", patched(t, good, loader.FlagsOffset+3, 1), loader.ErrUnsupported, []string{"generic"}},
		{"only identification", object[:16], loader.ErrTruncated, []string{"ELF header", "16 bytes"}},
		{"only header", object[:64], loader.ErrTruncated, []string{"program header table"}},
		{"half", object[:len(object)/2], loader.ErrTruncated, []string{"past the end"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(tt.data)
			if err == nil {
				t.Fatal("opened")
			}
			if tt.kind != nil && !errors.Is(err, tt.kind) {
				t.Errorf("error %q is not of kind %q", err, tt.kind)
			}
			var fe *loader.FormatError
			if !errors.As(err, &fe) {
				t.Errorf("error %q is no FormatError", err)
			}
			for _, part := range tt.parts {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
			if strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("error %q is not one line", err)
			}
		})
	}
}

// Every prefix of a file is an error: all its parts are needed or at least
// known to be missing.
func TestTruncated(t *testing.T) {
	for file, target := range map[string]string{
		"bare-gfx90a.co":      "gfx90a",
		"ocl-gfx900-v4.co":    "gfx900",
		"two.hipfb":           "gfx942",
		"host-with-fatbin.so": "gfx900",
	} {
		data, o := readTestdata(t, file), loader.Options{Target: target}
		for n := range data {
			if _, err := OpenWith(data[:n], o); err == nil {
				t.Fatalf("%s: the first %d of %d bytes were opened", file, n, len(data))
			}
		}
		if _, err := OpenWith(data, o); err != nil {
			t.Errorf("%s, whole: %v", file, err)
		}
	}
}

// exercise calls what reads parts of a module that Open leaves for later.
func exercise(m *loader.Module) {
	for _, s := range m.Sections {
		m.Section(s.Name)
	}
	for _, k := range m.Kernels {
		m.SymbolAt(k.Entry)
		m.Kernel(k.Name)
		KernelOf(&k).Descriptor.Fields(Of(m).Target)
	}
	m.DebugSections()
	m.Relocate(0x10000, func(string) (uint64, bool) { return 0x1234, true })
}

func TestFlippedBits(t *testing.T) {
	const stride = 7 // every byte of a structure is met in one of many like it: 7 divides no structure's size
	opened := 0
	for file, flips := range map[string][]byte{
		"bare-gfx90a.co":        {0x01, 0x80, 0xff},
		"bare-gfx90a-relr.co":   {0xff},
		"no-sections-gfx900.co": {0x01, 0xff},
		"one.hipfb":             {0x01},
	} {
		data := slices.Clone(readTestdata(t, file))
		for i := 0; i < len(data); i += stride {
			for _, flip := range flips {
				data[i] ^= flip
				if m, err := Open(data); err == nil {
					opened++
					exercise(m)
				}
				data[i] ^= flip
			}
		}
	}
	if opened == 0 {
		t.Error("no file with a changed byte was opened: the test does not reach beyond Open")
	}
}

func TestSegmentLimits(t *testing.T) {
	const file = "bare-gfx90a.co"
	f, err := loader.ReadELF(readTestdata(t, file))
	if err != nil {
		t.Fatal(err)
	}
	last := -1 // the last loadable segment
	for i, p := range f.Progs {
		if elf.ProgType(p.Type) == elf.PT_LOAD {
			last = i
		}
	}
	header := int(le64(f.Data[32:])) + last*progHeaderSize
	number := func(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
	tests := []struct {
		name, part string
		data       []byte
	}{
		{"memory size", "together", patched(t, file, header+40, number(loader.MaxMemSize)...)},
		{"memory below file size", "in the file", patched(t, file, header+40, number(1)...)},
		{"overlap", "the one before it ends", patched(t, file, header+16, number(0x1400)...)},
		{"wraps around", "at address", patched(t, file, header+16, number(^uint64(0))...)},
		{"outside the file", "past the end", patched(t, file, header+8, number(1<<40)...)},
	}
	for _, tt := range tests {
		if _, err := Open(tt.data); err == nil || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.part)
		}
	}
}

func TestDuplicateMetadataNote(t *testing.T) {
	data := readTestdata(t, "ocl-gfx900-v4.co")
	f, err := loader.ReadELF(data)
	if err != nil {
		t.Fatal(err)
	}
	notes, err := f.Notes()
	if err != nil || len(notes) != 1 {
		t.Fatalf("notes %v, error %v", notes, err)
	}
	// Make a PT_GNU_STACK header, which has no bytes, a second view of the note.
	for i, p := range f.Progs {
		if elf.ProgType(p.Type) == elf.PT_GNU_STACK {
			from := int(le64(data[32:])) +
				slices.IndexFunc(f.Progs,
					func(p elf.Prog64) bool { return elf.ProgType(p.Type) == elf.PT_NOTE })*progHeaderSize
			to := int(le64(data[32:])) + i*progHeaderSize
			data = patched(t, "ocl-gfx900-v4.co", to, bytes.Clone(data[from:from+progHeaderSize])...)
		}
	}
	if _, err := Open(data); err == nil || !strings.Contains(err.Error(), "it is in a note before, too") {
		t.Errorf("error %v, want one about a kernel that is there twice", err)
	}
}
