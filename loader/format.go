package loader

import (
	"bytes"
	"debug/elf"
	"fmt"
	"unicode/utf8"
)

// Options choose what to read from a file that holds several modules.
type Options struct {
	// Target is what the code must be for, as the format spells it: a processor
	// ("gfx90a"), which goes with any feature settings, a target ID
	// ("gfx90a:xnack+"), or the ID of an entry of an offload bundle. Empty:
	// whatever the file has, if it is one.
	Target string
}

// foreign is a format that is recognised to say what to do about it.
type foreign struct {
	magic string
	what  string
	hint  string // instead of what the caller wants, unless it is empty
	err   error
}

var foreigns = []foreign{
	{"CCOB", "compressed offload bundle", "rebuild with --no-offload-compress, " +
		"or unpack it with clang-offload-bundler --unbundle --type=o", ErrCompressedBundle},
	{"BC\xc0\xde", "LLVM bitcode",
		"compile and link it: clang -target amdgcn-amd-amdhsa -mcpu=PROCESSOR", ErrNotLinked},
	{"\xde\xc0\x17\x0b", "LLVM bitcode",
		"compile and link it: clang -target amdgcn-amd-amdhsa -mcpu=PROCESSOR", ErrNotLinked},
	{"\x10\xff\x10\xad", "LLVM offload binary",
		"take the code object out with llvm-offload-binary FILE --image=file=OUT", ErrUnsupported},
	{"!<arch>\n", "archive of object files", "link it with ld.lld -shared", ErrNotLinked},
	{"\x03\x02\x23\x07", "SPIR-V module", "", ErrUnsupported},
	{"\x07\x23\x02\x03", "SPIR-V module", "", ErrUnsupported},
	{"MZ", "Windows executable", "", ErrUnsupported},
	{"DXBC", "DXIL, in a DirectX container",
		"compile the HLSL to SPIR-V: dxc -spirv, or glslangValidator -D -V", ErrUnsupported},
}

// DescribeUnknown says what a file is that is none of the formats a reader
// knows. want says in a few words which those are: "want ...".
func DescribeUnknown(data []byte, want string) error {
	for _, f := range foreigns {
		if bytes.HasPrefix(data, []byte(f.magic)) {
			hint := f.hint
			if hint == "" {
				hint = want
			}
			return &FormatError{Offset: 0, What: f.what + compression(data), Want: hint, Err: f.err}
		}
	}
	if len(data) > 0 && bytes.HasPrefix([]byte(elf.ELFMAG), data) {
		return Truncated(0, "magic number", uint64(len(elf.ELFMAG)), uint64(len(data)))
	}
	start := data[:min(len(data), 16)]
	switch {
	case len(data) == 0:
		return &FormatError{Offset: 0, What: "empty file", Want: want, Err: ErrTruncated}
	case isText(data[:min(len(data), 256)]):
		return &FormatError{Offset: 0, What: fmt.Sprintf("text that begins with %q", start), Want: want,
			Err: ErrUnknownFormat}
	}
	return &FormatError{Offset: 0, What: fmt.Sprintf("unknown format that begins with % x", start),
		Want: want, Err: ErrUnknownFormat}
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

const cuda elf.Machine = 190 // EM_CUDA

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
	elf.EM_AMDGPU:  "AMDGPU",
	cuda:           "NVIDIA CUDA",
	205:            "Intel GPU",
}

// WrongMachine says that an ELF file is for a machine that a reader does not
// know. want says which it knows: "want ...".
func WrongMachine(f *ELF, want string) error {
	const machineOffset = 18
	name, ok := machineNames[f.Machine]
	if !ok {
		name = f.Machine.String()
	}
	if f.Machine == cuda {
		want = "a cubin has machine code of one processor alone; want PTX: nvcc --ptx, clang++ " +
			"--cuda-device-only -S, or cuobjdump -ptx PROGRAM"
	}
	return &FormatError{Offset: machineOffset, What: fmt.Sprintf("ELF file for %s (machine %d)", name,
		uint16(f.Machine)),
		Want: want, Err: ErrWrongMachine}
}
