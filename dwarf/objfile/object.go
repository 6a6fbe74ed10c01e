// Package objfile opens the debug sections of ELF objects of any producer: decompressed, in the modern and in
// GNU's old form, and relocated where the object is not linked. What printing and reading the sections
// depends on the machine for comes with them (Arch).
//
// It knows no bundles of objects and does not look at what the sections say. Bytes of a hostile file give an
// error; the memory for decompressed sections and names is bounded.
//
// Entry points: [Open]; [New] for sections that were found elsewhere; [Object.Data] to read them.
package objfile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
)

// An Object is the debug sections of an object.
type Object struct {
	Format    string // as LLVM calls it, "elf64-amdgpu"
	Arch      Arch
	AddrSize  int // in bytes
	BigEndian bool
	Sections  map[string][]byte // by their usual names
	EHAddress uint64            // of .eh_frame, whose pointers are relative to themselves
}

// An Arch is what debugging information leaves to the machine. The zero Arch is for those that nothing is
// known of.
type Arch struct {
	Name     string // in LLVM's names of file formats
	CFI      *cfi.Arch
	Register func(num uint64) string  // names of DWARF registers
	Address  func(addr uint64) string // names of addresses, where the information has some; may be nil
	Encoding *expr.Encoding           // of expressions; nil means expr.Current
	relocs   map[uint32]relocKind
}

// emIntelGT is EM_INTELGT, Intel's graphics processors.
const emIntelGT = elf.Machine(205)

var archs = map[elf.Machine]Arch{
	elf.EM_AMDGPU: {Name: "amdgpu", CFI: cfi.AMDGPU, Register: expr.AMDGPUDumpName, relocs: amdgpuRelocs},
	elf.EM_X86_64: {Name: "x86-64", CFI: cfi.AMD64, Register: expr.X86DumpName, relocs: x86Relocs},
	elf.EM_AARCH64: {Name: "littleaarch64", CFI: cfi.AArch64, Register: expr.AArch64DumpName,
		relocs: aarch64Relocs},
	emIntelGT: {Name: "unknown", Encoding: expr.Intel, relocs: intelRelocs},
}

// New makes an object of the sections of a linked, little-endian one with addresses of 8 bytes.
func New(m elf.Machine, sections map[string][]byte, ehAddress uint64) *Object {
	o := &Object{AddrSize: 8, Sections: sections, EHAddress: ehAddress}
	o.setArch(m)
	return o
}

func (o *Object) setArch(m elf.Machine) {
	o.Arch = archs[m]
	name := o.Arch.Name
	if name == "" || o.BigEndian {
		name = "unknown"
	}
	o.Format = fmt.Sprintf("elf%d-%s", 8*o.AddrSize, name)
}

// Data parses the entries, lists and line tables.
func (o *Object) Data() (*dwarf.Data, error) {
	return dwarf.New(dwarf.SectionsNamed(o.Sections), dwarf.Options{BigEndian: o.BigEndian})
}

// Names of sections: DebugPrefix begins those of all but .eh_frame.
const (
	DebugPrefix   = ".debug_"
	EHFrame       = ".eh_frame"
	DebugFrame    = ".debug_frame"
	oldCompressed = ".zdebug_" // GNU's old compressed form
)

// maxDebugSections bounds what compressed sections may grow to together.
const maxDebugSections = 1 << 30

// Open reads the debug sections of an ELF file.
func Open(data []byte) (*Object, error) {
	if err := checkSectionNames(data); err != nil {
		return nil, err
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("ELF file: %w", err)
	}
	o := &Object{AddrSize: 8, BigEndian: f.Data == elf.ELFDATA2MSB, Sections: map[string][]byte{}}
	if f.Class == elf.ELFCLASS32 {
		o.AddrSize = 4
	}
	o.setArch(f.Machine)
	r := relocator{file: f, kinds: o.Arch.relocs, bySection: map[int][]int{}}
	if f.Type == elf.ET_REL { // others have been relocated, even if they keep the table
		r.collect()
	}
	var total uint64
	for i, s := range f.Sections {
		name := s.Name
		if rest, old := strings.CutPrefix(name, oldCompressed); old {
			name = DebugPrefix + rest
		}
		if !strings.HasPrefix(name, DebugPrefix) && name != EHFrame || s.Type == elf.SHT_NOBITS {
			continue
		}
		if unpackedSize(s) > maxDebugSections-total {
			return nil, fmt.Errorf("section %.100q: more than %d bytes of debug information are not read",
				s.Name, uint64(maxDebugSections))
		}
		b, err := s.Data()
		if err == nil {
			err = r.apply(i, b)
		}
		if err != nil {
			return nil, fmt.Errorf("section %.100q: %w", s.Name, err)
		}
		if total += uint64(len(b)); name == EHFrame && o.Sections[name] == nil {
			o.EHAddress = s.Addr
		}
		// Objects that are not linked have sections of the same name in
		// several groups, as for types.
		if o.Sections[name] != nil {
			b = append(o.Sections[name], b...)
		}
		o.Sections[name] = b
	}
	return o, nil
}

// unpackedSize is how many bytes a section has when package elf has decompressed it. That of GNU's old form
// says so itself, behind "ZLIB", and not in the section's header.
func unpackedSize(s *elf.Section) uint64 {
	const mark = "ZLIB"
	head := make([]byte, len(mark)+8)
	if !strings.HasPrefix(s.Name, oldCompressed) || s.ReaderAt == nil {
		return s.Size
	}
	if n, _ := s.ReadAt(head, 0); n < len(head) || !bytes.HasPrefix(head, []byte(mark)) {
		return s.Size
	}
	return binary.BigEndian.Uint64(head[len(mark):])
}

// maxSectionNames bounds the names of the sections together.
const maxSectionNames = 1 << 28

// checkSectionNames makes sure that package elf, which copies the name of each
// section, has not to copy very long ones very often.
func checkSectionNames(data []byte) error {
	if len(data) < 64 {
		return nil // package elf says what is wrong
	}
	var order binary.ByteOrder = binary.LittleEndian
	if elf.Data(data[elf.EI_DATA]) == elf.ELFDATA2MSB {
		order = binary.BigEndian
	}
	var table, count, names, nameOffset, nameSize, entry uint64
	number := func(at uint64, size int) uint64 {
		if at > uint64(len(data)) || uint64(len(data))-at < uint64(size) {
			return 0
		}
		switch size {
		case 2:
			return uint64(order.Uint16(data[at:]))
		case 4:
			return uint64(order.Uint32(data[at:]))
		}
		return order.Uint64(data[at:])
	}
	if elf.Class(data[elf.EI_CLASS]) == elf.ELFCLASS32 {
		table, entry, count, names = number(32, 4), 40, number(48, 2), number(50, 2)
	} else {
		table, entry, count, names = number(40, 8), 64, number(60, 2), number(62, 2)
	}
	field := func(section, at64, at32 uint64) uint64 {
		if entry == 40 {
			return number(table+section*entry+at32, 4)
		}
		return number(table+section*entry+at64, 8)
	}
	if count == 0 { // it is in the size of the first section
		count = field(0, 32, 20)
	}
	if elf.SectionIndex(names) == elf.SHN_XINDEX {
		names = number(table+map[uint64]uint64{40: 24, 64: 40}[entry], 4)
	}
	nameOffset, nameSize = field(names, 24, 16), field(names, 32, 20)
	if nameOffset > uint64(len(data)) {
		return nil
	}
	text := data[nameOffset:][:min(nameSize, uint64(len(data))-nameOffset)]
	longest := 0
	for part := range bytes.SplitSeq(text, []byte{0}) {
		longest = max(longest, len(part))
	}
	if longest > 0 && min(count, uint64(len(data))/entry+1) > maxSectionNames/uint64(longest) {
		return errors.New("ELF file: too many sections with too long names")
	}
	return nil
}
