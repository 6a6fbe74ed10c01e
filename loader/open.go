package loader

import (
	"bytes"
	"debug/elf"
	"fmt"
	"unicode/utf8"
)

// Options choose what to read from a file that holds several modules.
type Options struct {
	// Target is what the code must be for: a processor ("gfx90a"), which goes
	// with any feature settings, a target ID ("gfx90a:xnack+"), or the ID of an
	// entry of the offload bundle. Empty: whatever the file has, if it is one.
	Target string
}

// Open reads a module from the bytes of a file, which it keeps.
func Open(data []byte) (*Module, error) { return OpenWith(data, Options{}) }

// OpenWith is Open with a choice of target.
func OpenWith(data []byte, o Options) (*Module, error) {
	switch {
	case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		return openObject(data, o)
	case bytes.HasPrefix(data, []byte(bundleMagic)):
		return openBundle(data, o)
	}
	return nil, describeUnknown(data)
}

// openObject opens an ELF file: a code object, or a host program that carries
// some.
func openObject(data []byte, o Options) (*Module, error) {
	f, err := parseELFHeader(data)
	if err != nil {
		return nil, err
	}
	if f.machine != elf.EM_AMDGPU {
		return openHost(f, o)
	}
	if err := identifyCodeObject(f); err != nil {
		return nil, err
	}
	if err := f.readTables(); err != nil {
		return nil, err
	}
	return openCodeObject(f, o)
}

// openHost opens a code object in a program for the host.
func openHost(f *elfFile, o Options) (*Module, error) {
	if err := f.readTables(); err == nil {
		if i := f.sectionNamed(fatbinSection); i >= 0 {
			return openFatbin(f, i, o)
		}
	}
	return nil, wrongMachine(f)
}

// foreign is a format that is recognised to say what to do about it.
type foreign struct {
	magic string
	what  string
	want  string
	err   error
}

var foreigns = []foreign{
	{"CCOB", "compressed offload bundle", "rebuild with --no-offload-compress, or unpack it with clang-offload-bundler --unbundle --type=o", ErrCompressedBundle},
	{"BC\xc0\xde", "LLVM bitcode", "compile and link it: clang -target amdgcn-amd-amdhsa -mcpu=PROCESSOR", ErrNotLinked},
	{"\xde\xc0\x17\x0b", "LLVM bitcode", "compile and link it: clang -target amdgcn-amd-amdhsa -mcpu=PROCESSOR", ErrNotLinked},
	{"\x10\xff\x10\xad", "LLVM offload binary", "take the code object out with llvm-offload-binary FILE --image=file=OUT", ErrUnsupported},
	{"!<arch>\n", "archive of object files", "link it with ld.lld -shared", ErrNotLinked},
	{"\x03\x02\x23\x07", "SPIR-V module", "only AMDGPU code objects are read", ErrUnsupported},
	{"\x07\x23\x02\x03", "SPIR-V module", "only AMDGPU code objects are read", ErrUnsupported},
	{"MZ", "Windows executable", "only AMDGPU code objects are read", ErrUnsupported},
}

// describeUnknown says what a file is that cannot be opened.
func describeUnknown(data []byte) error {
	const want = "want an AMDGPU code object (ELF) or a clang offload bundle"
	for _, f := range foreigns {
		if bytes.HasPrefix(data, []byte(f.magic)) {
			return &FormatError{Offset: 0, What: f.what + compression(data), Want: f.want, Err: f.err}
		}
	}
	for _, magic := range []string{elf.ELFMAG, bundleMagic} {
		if len(data) > 0 && bytes.HasPrefix([]byte(magic), data) {
			return truncated(0, "magic number", uint64(len(magic)), uint64(len(data)))
		}
	}
	start := data[:min(len(data), 16)]
	switch {
	case len(data) == 0:
		return &FormatError{Offset: 0, What: "empty file", Want: want, Err: ErrTruncated}
	case isText(data[:min(len(data), 256)]):
		return &FormatError{Offset: 0, What: fmt.Sprintf("text that begins with %q", start), Want: want, Err: ErrUnknownFormat}
	}
	return &FormatError{Offset: 0, What: fmt.Sprintf("unknown format that begins with % x", start), Want: want, Err: ErrUnknownFormat}
}

// compression names the method of a compressed offload bundle, whose header is
// the magic, a 16-bit version and a 16-bit method.
func compression(data []byte) string {
	if !bytes.HasPrefix(data, []byte("CCOB")) || len(data) < 8 {
		return ""
	}
	switch le16(data[6:]) {
	case 0:
		return " (zlib)"
	case 1:
		return " (zstd)"
	}
	return ""
}

func isText(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && len(b) >= utf8.UTFMax || r < ' ' && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
		b = b[n:]
	}
	return true
}

// machineNames has the machines a user is likely to try, by their usual names.
var machineNames = map[elf.Machine]string{
	elf.EM_386:     "x86 (32-bit)",
	elf.EM_X86_64:  "x86-64",
	elf.EM_ARM:     "Arm (32-bit)",
	elf.EM_AARCH64: "AArch64",
	elf.EM_RISCV:   "RISC-V",
	elf.EM_PPC64:   "PowerPC (64-bit)",
	elf.EM_S390:    "IBM Z",
	elf.EM_BPF:     "BPF",
	190:            "NVIDIA CUDA",
	205:            "Intel GPU",
}

func wrongMachine(f *elfFile) error {
	name, ok := machineNames[f.machine]
	if !ok {
		name = f.machine.String()
	}
	want := fmt.Sprintf("want AMDGPU (%d)", uint16(elf.EM_AMDGPU))
	if f.typ == elf.ET_EXEC || f.typ == elf.ET_DYN {
		want += fmt.Sprintf("; a host program is read if it has a %s section", fatbinSection)
	}
	return &FormatError{Offset: 18, What: fmt.Sprintf("ELF file for %s (machine %d)", name, uint16(f.machine)), Want: want, Err: ErrWrongMachine}
}
