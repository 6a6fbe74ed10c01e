package loader

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDescribeUnknown: what a file is that is none of those wanted, and what to do about it.
func TestDescribeUnknown(t *testing.T) {
	const want = "want a code object"
	for _, tt := range []struct {
		data, what, hint string
		err              error
	}{
		{"", "empty file", want, ErrTruncated},
		{"\x7fEL", "magic number", "", ErrTruncated},
		{"CCOB", "compressed offload bundle", "--unbundle", ErrCompressedBundle},
		{"CCOB\x02\x00\x00", "compressed offload bundle", "--unbundle", ErrCompressedBundle},
		{"CCOB\x02\x00\x00\x00", "compressed offload bundle (zlib)", "--unbundle", ErrCompressedBundle},
		{"CCOB\x02\x00\x01\x00rest", "compressed offload bundle (zstd)", "--unbundle", ErrCompressedBundle},
		{"CCOB\x02\x00\x02\x00", "compressed offload bundle", "--unbundle", ErrCompressedBundle},
		{"BC\xc0\xde\x00\x00\x01\x00", "LLVM bitcode", "clang -target", ErrNotLinked},
		{"!<arch>\n", "archive", "ld.lld", ErrNotLinked},
		{"\x03\x02\x23\x07", "SPIR-V module", want, ErrUnsupported},
		{"#include <a.h>\r\n\tint x;", `text that begins with "#include <a.h>\r\n"`, want, ErrUnknownFormat},
		{"a", `text that begins with "a"`, want, ErrUnknownFormat},
		{"größer", `text that begins with "größer"`, want, ErrUnknownFormat},
		{strings.Repeat("x", 255) + "ß", "text", want, ErrUnknownFormat}, // looked at up to amid a letter
		{strings.Repeat("x", 256) + "\x00", "text", want, ErrUnknownFormat},
		{strings.Repeat("x", 255) + "\x00", "unknown format that begins with 78 78", want, ErrUnknownFormat},
		{"ab\xff, which is no letter", "unknown format that begins with 61 62 ff", want, ErrUnknownFormat},
		{"\x01\x02", "unknown format that begins with 01 02", want, ErrUnknownFormat},
		{strings.Repeat("\x1f", 20), "unknown format that begins with 1f" + strings.Repeat(" 1f", 15) + ";",
			want, ErrUnknownFormat},
	} {
		err := DescribeUnknown([]byte(tt.data), want)
		if got := err.Error(); !errors.Is(err, tt.err) || !strings.Contains(got+";", tt.what) ||
			!strings.Contains(got, tt.hint) || strings.Contains(got, "(") != strings.Contains(tt.what, "(") {
			t.Errorf("%.30q: %v, want %q, %q and that it is %q", tt.data, err, tt.what, tt.hint, tt.err)
		}
	}
}

// TestWrongMachine: machines have the names that people know, and a cubin's producer can make what is wanted.
func TestWrongMachine(t *testing.T) {
	for machine, part := range map[elf.Machine][2]string{
		elf.EM_X86_64: {"ELF file for x86-64 (machine 62)", "want this"},
		elf.EM_SPARC:  {"ELF file for EM_SPARC (machine 2)", "want this"},
		190:           {"ELF file for NVIDIA CUDA (machine 190)", "want PTX: nvcc --ptx"},
	} {
		err := WrongMachine(&ELF{Machine: machine}, "want this")
		if !errors.Is(err, ErrWrongMachine) || !strings.Contains(err.Error(), part[0]) ||
			!strings.Contains(err.Error(), part[1]) {
			t.Errorf("%v: %v, want %q", machine, err, part)
		}
	}
}

// TestRelocate: places get what their rules say, from where symbols are once all is at its base.
func TestRelocate(t *testing.T) {
	rule := func(size int) *RelocRule {
		return &RelocRule{Size: size, Value: func(s, a, p, b uint64) uint64 { return s + a + p<<16 + b<<32 }}
	}
	const base = 0x1000
	names := func(name string) (uint64, bool) { return 0x77, name == "known" }
	m := Module{Segments: []Segment{{Addr: 0x10, MemSize: 16, Data: []byte("0123456789abcdef")},
		{Addr: 0x20, MemSize: 12, Data: []byte("01234567")}}}
	for _, tt := range []struct {
		r    Reloc
		want uint64 // the number at the place
		err  string
	}{
		{Reloc{Addr: 0x10, Rule: rule(8), Value: 5, Addend: 2}, 0x1000_1010_0000 + base + 7, ""},
		{Reloc{Addr: 0x18, Rule: rule(8), Value: 5, Absolute: true}, 0x1000_1018_0000 + 5, ""},
		{Reloc{Addr: 0x20, Rule: rule(8), Symbol: "known", Undefined: true}, 0x1000_1020_0000 + 0x77, ""},
		{Reloc{Addr: 0x20, Rule: rule(8), Symbol: "weak", Undefined: true, Weak: true}, 0x1000_1020_0000, ""},
		{Reloc{Addr: 0x10, Rule: rule(4), Value: 0xfe, Addend: -1}, 0x3736_3534_1010_10fd, ""},
		{Reloc{Addr: 0x10, Rule: rule(2), Value: 0xfe}, 0x3736_3534_3332_10fe, ""},
		{Reloc{Addr: 0x10, Rule: rule(1), Value: 0xfe}, 0x3736_3534_3332_31fe, ""},
		{Reloc{Addr: 0x10, Rule: rule(0), Value: 0xfe}, 0x3736_3534_3332_3130, ""},
		{Reloc{Addr: 0x500, Rule: rule(0)}, 0, ""}, // nothing is changed there
		{Reloc{Addr: 0x20, Rule: rule(8), Symbol: "unknown", Undefined: true}, 0, ErrUndefinedSymbol.Error()},
		{Reloc{Addr: 0x21, Rule: rule(8)}, 0, "8 bytes at the place are not in the initialized part"},
		{Reloc{Addr: 0xf, Rule: rule(2)}, 0, "2 bytes at the place"},
		{Reloc{Addr: 0x10}, 0, "in linked code"},
		{Reloc{Addr: 0x10, Rule: &RelocRule{Size: 2, Value: rule(2).Value,
			Fits: func(v uint64) bool { return v>>16 == 0 }}}, 0, "does not fit in 16 bits"},
	} {
		m.Relocs = []Reloc{tt.r}
		segments, err := m.Relocate(base, names)
		if tt.err != "" || err != nil {
			if tt.err == "" || err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%+v: %v, want %q", tt.r, err, tt.err)
			}
			continue
		}
		if string(m.Segments[0].Data) != "0123456789abcdef" || segments[1].Addr != 0x1020 {
			t.Errorf("%+v: the module has changed, or its copy lies at %#x", tt.r, segments[1].Addr)
		}
		if b, ok := bytesAt(segments, base+tt.r.Addr, 8); ok && binary.LittleEndian.Uint64(b) != tt.want {
			t.Errorf("%+v: %#x is there, want %#x", tt.r, b, tt.want)
		}
	}
	m.Relocs = []Reloc{{Addr: 0x20, Rule: rule(8), Symbol: "known", Undefined: true}}
	if _, err := m.Relocate(base, nil); !errors.Is(err, ErrUndefinedSymbol) {
		t.Errorf("without anyone who knows symbols: %v", err)
	}
	m.Relocs = nil
	if _, err := m.Relocate(^uint64(0)-0x2c, nil); err != nil {
		t.Errorf("up to the last address: %v", err)
	}
	if _, err := m.Relocate(^uint64(0)-0x2b, nil); err == nil {
		t.Error("a segment goes beyond the last address")
	}
}

// TestNamed: what a kernel and a symbol are found by.
func TestNamed(t *testing.T) {
	m := Module{Kernels: []Kernel{{Name: "_Z6vecaddPKf", Symbol: "_Z6vecaddPKf.kd"}, {Name: "_Z5scalei"},
		{Name: "_Z5scalef"}, {Name: "plain", Symbol: "plain.kd"}},
		Symbols: []Symbol{{Name: "a", Addr: 1}, {Name: "b", Addr: 2}, {Name: "a", Addr: 3},
			{Name: "a", Addr: 4, Global: true}, {Name: "c", Addr: 5}, {Name: "c", Addr: 6}}}
	for name, want := range map[string]string{"_Z6vecaddPKf": "_Z6vecaddPKf", "vecadd": "_Z6vecaddPKf",
		"_Z6vecaddPKf.kd": "_Z6vecaddPKf", "plain": "plain", "plain.kd": "plain", "_Z5scalef": "_Z5scalef"} {
		if k, err := m.Kernel(name); err != nil || k.Name != want {
			t.Errorf("kernel %s: %v, %v, want %s", name, k, err, want)
		}
	}
	for name, want := range map[string]*KernelError{
		"scale": {"scale", []string{"_Z5scalei", "_Z5scalef"}, ErrAmbiguousKernel},
		"":      {"", []string{"_Z6vecaddPKf", "_Z5scalei", "_Z5scalef", "plain"}, ErrNoKernel},
		"none":  {"none", []string{"_Z6vecaddPKf", "_Z5scalei", "_Z5scalef", "plain"}, ErrNoKernel},
	} {
		_, err := m.Kernel(name)
		var got *KernelError
		if !errors.As(err, &got) || !errors.Is(err, want.Err) || !cmp.Equal(got.Available, want.Available) {
			t.Errorf("kernel %q: %v, want %v", name, err, want)
		}
	}
	_, err := (&Module{}).Kernel("x")
	if err == nil || !strings.Contains(err.Error(), "the file has no kernels") {
		t.Errorf("of a module without kernels: %v", err)
	}
	for name, want := range map[string]uint64{"a": 4, "b": 2, "c": 5} {
		if s, ok := m.Symbol(name); !ok || s.Addr != want {
			t.Errorf("symbol %s: %+v, want that of value %d", name, s, want)
		}
	}
	if s, ok := m.Symbol("d"); ok {
		t.Errorf("symbol d: %+v", s)
	}
}

// TestArguments: explicit arguments are those that are not hidden, and a hidden one is found by its kind.
func TestArguments(t *testing.T) {
	k := Kernel{Args: []Arg{{Name: "p", Kind: GlobalBuffer}, {Name: "x", Kind: "hidden_block_count_x"},
		{Name: "n", Kind: ByValue}, {Name: "hx", Kind: "hidden_block_count_x", Hidden: true}}}
	var names []string
	for _, a := range k.ExplicitArgs() {
		names = append(names, a.Name)
	}
	if diff := cmp.Diff([]string{"p", "x", "n"}, names); diff != "" {
		t.Error(diff)
	}
	if a, ok := k.HiddenArg("hidden_block_count_x"); !ok || a.Name != "hx" {
		t.Errorf("hidden: %+v", a)
	}
	if a, ok := k.HiddenArg(ByValue); ok {
		t.Errorf("hidden though it is explicit: %+v", a)
	}
}
