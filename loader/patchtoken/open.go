package patchtoken

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"

	"simtgdb/loader"
	"simtgdb/loader/zebin"
)

// The types of ELF files that ocloc makes, of sections in them, and what device binaries begin with.
const (
	firstType     elf.Type        = 0xff01
	lastType      elf.Type        = 0xff04
	executable    elf.Type        = 0xff04
	sectionBinary elf.SectionType = 0xff000005
	sectionDebug  elf.SectionType = 0xff000008
	magic                         = "CTNI"
)

// Is reports whether data begins as a file that Open has something to say of: ocloc's container, or a device
// binary as it lies in it.
func Is(data []byte) bool {
	if bytes.HasPrefix(data, []byte(magic)) {
		return true
	}
	f, err := loader.ReadELFHeader(data)
	return bytes.HasPrefix(data, []byte(elf.ELFMAG)) && err == nil && isContainer(f)
}

func isContainer(f *loader.ELF) bool {
	return f.Machine == elf.EM_NONE && f.Type >= firstType && f.Type <= lastType
}

// Open reads a module from the bytes of a file, which it keeps.
func Open(data []byte) (*loader.Module, error) {
	if bytes.HasPrefix(data, []byte(magic)) {
		return openBinary(data, 0, nil)
	}
	const want = "want ocloc's container of patch tokens"
	if !bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return nil, loader.DescribeUnknown(data, want)
	}
	f, err := loader.ReadELFHeader(data)
	switch {
	case err != nil:
		return nil, err
	case !isContainer(f):
		return nil, loader.WrongMachine(f, want)
	case f.Type != executable:
		return nil, &loader.FormatError{Offset: 16,
			What: fmt.Sprintf("ocloc's container of type %#x", uint16(f.Type)),
			Want: "want an executable (0xff04): link it", Err: loader.ErrUnsupported}
	}
	if err := f.ReadTables(); err != nil {
		return nil, err
	}
	at := f.SectionOfType(sectionBinary)
	if at < 0 {
		return nil, &loader.FormatError{Offset: -1, What: "ocloc's container without a device binary",
			Want: "compile for a device", Err: loader.ErrUnsupported}
	}
	binary, err := f.SectionBytes(at)
	if err != nil {
		return nil, err
	}
	var debug []zebin.KernelDebug
	if i := f.SectionOfType(sectionDebug); i >= 0 {
		b, err := f.SectionBytes(i)
		if err != nil {
			return nil, err
		}
		if debug, err = readDebug(b, int64(f.Sections[i].Off)); err != nil {
			return nil, err
		}
	}
	return openBinary(binary, int64(f.Sections[at].Off), debug)
}

// A device is what the core of a device is called, for ocloc, the generation of its code if that can be
// simulated, and the bytes of a general register.
type device struct {
	name, generation string
	registerBytes    int
}

// devices are by their cores (igfxfmid.h, GFXCORE_FAMILY).
var devices = map[uint32]device{12: {"skl", "gen9", 32}, 15: {"icllp", "gen11", 32}, 16: {"ehl", "gen11", 32},
	18: {"tgllp", "gen12lp", 32}, 3079: {"dg2", "xe-hpg", 32}, 3080: {"pvc", "xe-hpc", 64},
	11: {"bdw", "gen8", 32}, 3077: {name: "xe_hp_sdv"}}

// A reader takes bytes of a file one after the other, and remembers the first thing that is wrong.
type reader struct {
	b   []byte
	at  int
	off int64 // of b in the file
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = &loader.FormatError{Offset: r.off + int64(r.at), What: fmt.Sprintf(format, args...)}
	}
}

// bytes takes n bytes of what.
func (r *reader) bytes(n uint32, what string) []byte {
	if r.err == nil && uint64(n) > uint64(len(r.b)-r.at) {
		r.err = &loader.FormatError{Offset: r.off + int64(r.at), What: fmt.Sprintf(
			"%s of %d bytes runs past the end of the file", what, n), Err: loader.ErrTruncated}
	}
	if r.err != nil {
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at]
}

// dwords takes n numbers; if there are not so many, zeros.
func (r *reader) dwords(n int, what string) []uint32 {
	out := make([]uint32, n)
	if b := r.bytes(uint32(4*n), what); b != nil {
		for i := range out {
			out[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	}
	return out
}

// openBinary reads a device binary, which is at an offset of the file.
func openBinary(data []byte, off int64, debug []zebin.KernelDebug) (*loader.Module, error) {
	const (
		core, pointer, kernels, list = 2, 3, 4, 6
		headerDwords                 = 7
	)
	r := &reader{b: data, off: off}
	h := r.dwords(headerDwords, "the program's header")
	if r.err != nil {
		return nil, r.err
	}
	d, known := devices[h[core]]
	switch {
	case !bytes.HasPrefix(data, []byte(magic)):
		return nil, loader.DescribeUnknown(data, "want a device binary, which begins with "+magic)
	case h[core] == 0 && h[pointer] != 8:
		return nil, &loader.FormatError{Offset: off, What: "debug data without code",
			Want: "want ocloc's other file, NAME.bin", Err: loader.ErrUnsupported}
	case !known || d.generation == "":
		if !known {
			d.name = fmt.Sprintf("core family %d", h[core])
		}
		return nil, &loader.FormatError{Offset: off + 4*core, What: "compiled for " + d.name,
			Want: zebin.Simulated, Err: loader.ErrWrongMachine}
	case h[pointer] != 8:
		return nil, &loader.FormatError{Offset: off + 4*pointer,
			What: fmt.Sprintf("pointers of %d bytes", h[pointer]), Want: "want 8", Err: loader.ErrUnsupported}
	}
	p := &program{object: &zebin.Object{Device: d.name, Version: fmt.Sprintf("tokens %d", h[1]),
		Debug: debug}, registerBytes: d.registerBytes}
	p.globals(&reader{b: r.bytes(h[list], "the program's tokens"), off: off + 4*headerDwords})
	for i := uint32(0); i < h[kernels] && r.err == nil && p.err == nil; i++ {
		p.kernel(r)
	}
	if r.err != nil {
		return nil, r.err
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.module(d)
}

// readDebug reads the debug data of kernels.
func readDebug(data []byte, off int64) ([]zebin.KernelDebug, error) {
	const headerDwords, kernels = 7, 6
	r := &reader{b: data, off: off}
	h := r.dwords(headerDwords, "the header of debug data")
	if r.err == nil && !bytes.HasPrefix(data, []byte(magic)) {
		r.fail("debug data do not begin with %s", magic)
	}
	var out []zebin.KernelDebug
	for i := uint32(0); r.err == nil && i < h[kernels]; i++ {
		sizes := r.dwords(3, "a kernel's debug data")
		name := text(r.bytes(sizes[0], "a kernel's name"))
		file := r.bytes(sizes[1], "a kernel's debug data")
		r.bytes(sizes[2], "a kernel's debug data")
		if len(file) > 0 && r.err == nil {
			out = append(out, zebin.KernelDebug{Kernel: name, ELF: file})
		}
	}
	return out, r.err
}

// text is a name that is padded with zeros.
func text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
