package main

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/loader"
	"simtgdb/stub/launch"
)

// A debugObject is the debug sections of an object of any producer, without
// compression and with relocations applied.
type debugObject struct {
	format    string // as LLVM calls it
	machine   machine
	addrSize  int
	bigEndian bool
	sections  map[string][]byte // by their usual names
	ehAddress uint64            // of .eh_frame, whose pointers are relative to themselves
}

// A machine is what dumping has to know of an architecture. The zero machine is
// for those that nothing is known of.
type machine struct {
	name     string // in LLVM's names of file formats
	arch     *cfi.Arch
	register func(num uint64) string
	relocs   map[uint32]relocKind
}

var machines = map[elf.Machine]machine{
	elf.EM_AMDGPU:  {"amdgpu", cfi.AMDGPU, expr.AMDGPUDumpName, amdgpuRelocs},
	elf.EM_X86_64:  {"x86-64", cfi.X86_64, expr.X86DumpName, x86Relocs},
	elf.EM_AARCH64: {"littleaarch64", cfi.AArch64, expr.AArch64DumpName, aarch64Relocs},
}

// openDebugObject reads an object from the bytes of a file. target says which
// code object to take where there are several; a program for the host that
// holds code objects is itself dumped unless there is a target.
func openDebugObject(data []byte, target string) (*debugObject, error) {
	if target == "" && bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return debugObjectOfELF(data)
	}
	m, err := launch.OpenModuleData(data, target)
	if err != nil {
		return nil, err
	}
	return debugObjectOfModule(m)
}

func debugObjectOfModule(m *loader.Module) (*debugObject, error) {
	sections, err := m.DebugSections()
	if err != nil {
		return nil, err
	}
	o := &debugObject{addrSize: 8, sections: sections}
	o.setMachine(elf.EM_AMDGPU)
	for _, s := range m.Sections {
		if s.Name == ehFrame {
			o.ehAddress = s.Addr
		}
	}
	return o, nil
}

func (o *debugObject) setMachine(m elf.Machine) {
	o.machine = machines[m]
	name := o.machine.name
	if name == "" || o.bigEndian {
		name = "unknown"
	}
	o.format = fmt.Sprintf("elf%d-%s", 8*o.addrSize, name)
}

// data parses the entries, lists and line tables.
func (o *debugObject) data() (*dwarf.Data, error) {
	return dwarf.New(dwarf.SectionsNamed(o.sections), dwarf.Options{BigEndian: o.bigEndian})
}

// Names of sections.
const (
	debugPrefix   = ".debug_"
	oldCompressed = ".zdebug_" // GNU's old compressed form
	ehFrame       = ".eh_frame"
	debugFrame    = ".debug_frame"
)

// maxDebugSections bounds what compressed sections may grow to together.
const maxDebugSections = 1 << 30

func debugObjectOfELF(data []byte) (*debugObject, error) {
	if err := checkSectionNames(data); err != nil {
		return nil, err
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("ELF file: %w", err)
	}
	o := &debugObject{addrSize: 8, bigEndian: f.Data == elf.ELFDATA2MSB, sections: map[string][]byte{}}
	if f.Class == elf.ELFCLASS32 {
		o.addrSize = 4
	}
	o.setMachine(f.Machine)
	r := relocator{file: f, kinds: o.machine.relocs, bySection: map[int][]int{}}
	if f.Type == elf.ET_REL { // others have been relocated, even if they keep the table
		r.collect()
	}
	var total uint64
	for i, s := range f.Sections {
		name := s.Name
		if rest, old := strings.CutPrefix(name, oldCompressed); old {
			name = debugPrefix + rest
		}
		if !strings.HasPrefix(name, debugPrefix) && name != ehFrame || s.Type == elf.SHT_NOBITS {
			continue
		}
		if s.Size > maxDebugSections-total {
			return nil, fmt.Errorf("section %s: more than %d bytes of debug information are not read", s.Name, uint64(maxDebugSections))
		}
		b, err := sectionData(s)
		if err == nil {
			err = r.apply(i, b)
		}
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", s.Name, err)
		}
		if total += uint64(len(b)); name == ehFrame && o.sections[name] == nil {
			o.ehAddress = s.Addr
		}
		// Objects that are not linked have sections of the same name in
		// several groups, as for types.
		if o.sections[name] != nil {
			b = append(o.sections[name], b...)
		}
		o.sections[name] = b
	}
	return o, nil
}

// sectionData gives the contents of a section, decompressed.
func sectionData(s *elf.Section) ([]byte, error) {
	b, err := s.Data()
	if err != nil || !strings.HasPrefix(s.Name, oldCompressed) || !bytes.HasPrefix(b, []byte("ZLIB")) || len(b) < 12 {
		return b, err
	}
	size := binary.BigEndian.Uint64(b[4:])
	if size > maxDebugSections {
		return nil, fmt.Errorf("%d bytes when decompressed, at most %d are read", size, uint64(maxDebugSections))
	}
	z, err := zlib.NewReader(bytes.NewReader(b[12:]))
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	out, err := io.ReadAll(io.LimitReader(z, int64(size)))
	if err == nil && uint64(len(out)) < size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	return out, nil
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
