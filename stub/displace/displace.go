// Package displace moves linked files of GPU code to other addresses: what [File] gives is the file as it
// would be if it had been linked to begin there. Its readers, debuggers among them, need not know that it was
// moved.
//
// A loader moves segments alone, and leaves symbols and debugging information as they were linked. A module
// of a host program is seen by kernels, by the host and by gdb at once, and all three speak of addresses of
// its variables.
package displace

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"simtgdb/loader"
)

// ErrFixed is why a file cannot be moved: it does not say where its addresses are.
var ErrFixed = errors.New("the file cannot be moved")

// An Extent is the addresses of a file's segments, and what their beginning is to be a multiple of.
type Extent struct{ Low, High, Align uint64 }

// Of is the extent of a linked file.
func Of(data []byte) (Extent, error) {
	f, err := loader.ReadELF(data)
	if err != nil {
		return Extent{}, err
	}
	return extent(f)
}

func extent(f *loader.ELF) (Extent, error) {
	segments, err := f.Segments()
	if err != nil {
		return Extent{}, err
	}
	if f.Type != elf.ET_DYN || len(segments) == 0 {
		return Extent{}, fmt.Errorf("%w: it is no shared object", ErrFixed)
	}
	last := segments[len(segments)-1]
	e := Extent{Low: segments[0].Addr, High: last.Addr + last.MemSize, Align: 1}
	for _, p := range f.Progs {
		if elf.ProgType(p.Type) == elf.PT_LOAD {
			e.Align = max(e.Align, p.Align)
		}
	}
	if e.Align&(e.Align-1) != 0 {
		return Extent{}, fmt.Errorf("%w: segments are aligned to %d bytes", ErrFixed, e.Align)
	}
	return e, nil
}

// A mover moves a file.
type mover struct {
	*loader.ELF
	extent Extent
	by     uint64
	// Where the headers are, as the file said before anything was moved: what is damaged may have sections
	// that lie over its header.
	progHeaders, sectionHeaders uint64
}

// File is a copy of a linked file that begins at another address, a multiple of its extent's alignment.
// relative is the type of relocations whose addends are addresses of the file.
func File(data []byte, relative uint32, to uint64) ([]byte, error) {
	f, err := loader.ReadELF(slices.Clone(data))
	if err != nil {
		return nil, err
	}
	const progOffset, sectionOffset = 32, 40
	m := &mover{ELF: f, progHeaders: binary.LittleEndian.Uint64(f.Data[progOffset:]),
		sectionHeaders: binary.LittleEndian.Uint64(f.Data[sectionOffset:])}
	if m.extent, err = extent(f); err != nil {
		return nil, err
	}
	if m.by = to - m.extent.Low; m.by%m.extent.Align != 0 || to+(m.extent.High-m.extent.Low) < to {
		return nil, fmt.Errorf("%w to %#x: it is aligned to %d bytes", ErrFixed, to, m.extent.Align)
	}
	appended, err := m.debugging()
	if err != nil {
		return nil, err
	}
	for _, part := range []func() error{m.dynamic, m.symbols, func() error { return m.relocations(relative) },
		m.headers} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return append(m.Data, appended...), nil
}

// moves reports whether a number is an address of the file. No code and no variable is at 0, which linkers
// write where there is nothing.
func (m *mover) moves(v uint64) bool { return v != 0 && v >= m.extent.Low && v <= m.extent.High }

// move moves the address of eight bytes at a place, if it is one of the file.
func (m *mover) move(at []byte) {
	if v := binary.LittleEndian.Uint64(at); m.moves(v) {
		m.add(at)
	}
}

func (m *mover) add(at []byte) {
	binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)+m.by)
}

// headers moves the entry point, segments and sections.
func (m *mover) headers() error {
	const entry, progSize, sectionSize, progVaddr, progPaddr, sectionAddr = 24, 56, 64, 16, 24, 16
	m.move(m.Data[entry:])
	for i, p := range m.Progs {
		if p.Memsz > 0 {
			header := m.Data[m.progHeaders+uint64(i)*progSize:]
			m.add(header[progVaddr:])
			m.add(header[progPaddr:])
		}
	}
	for i, s := range m.Sections {
		if elf.SectionFlag(s.Flags)&elf.SHF_ALLOC != 0 {
			m.add(m.Data[m.sectionHeaders+uint64(i)*sectionSize+sectionAddr:])
		}
	}
	return nil
}

// symbols moves symbols that are defined in sections; those in LDS are in none.
func (m *mover) symbols() error {
	const size, section, value = 24, 6, 8
	for i, s := range m.Sections {
		if t := elf.SectionType(s.Type); t != elf.SHT_SYMTAB && t != elf.SHT_DYNSYM {
			continue
		}
		table, err := m.SectionBytes(i)
		if err != nil {
			return err
		}
		for ; len(table) >= size; table = table[size:] {
			in := elf.SectionIndex(binary.LittleEndian.Uint16(table[section:]))
			if in != elf.SHN_UNDEF && in < elf.SHN_LORESERVE {
				m.add(table[value:])
			}
		}
	}
	return nil
}

// addressTags are the entries of the dynamic section that are addresses.
var addressTags = map[elf.DynTag]bool{elf.DT_PLTGOT: true, elf.DT_HASH: true, elf.DT_STRTAB: true,
	elf.DT_SYMTAB: true, elf.DT_RELA: true, elf.DT_INIT: true, elf.DT_FINI: true, elf.DT_JMPREL: true,
	elf.DT_INIT_ARRAY: true, elf.DT_FINI_ARRAY: true, elf.DT_GNU_HASH: true, elf.DT_VERSYM: true,
	elf.DT_VERDEF: true, elf.DT_VERNEED: true}

// fixedTags are those that speak of relocations whose addends lie at their places, which are not moved.
var fixedTags = map[elf.DynTag]bool{elf.DT_REL: true, 36: true, elf.DT_TEXTREL: true} // 36 is DT_RELR

// dynamic moves the dynamic section.
func (m *mover) dynamic() error {
	const size = 16
	for _, p := range m.Progs {
		if elf.ProgType(p.Type) != elf.PT_DYNAMIC {
			continue
		}
		table, err := m.Bytes("dynamic section", p.Off, p.Filesz)
		if err != nil {
			return err
		}
		for ; len(table) >= size; table = table[size:] {
			tag := elf.DynTag(binary.LittleEndian.Uint64(table))
			switch {
			case tag == elf.DT_NULL:
				return nil
			case fixedTags[tag]:
				return fmt.Errorf("%w: it has %v", ErrFixed, tag)
			case addressTags[tag]:
				m.add(table[8:])
			}
		}
	}
	return nil
}

// relocations moves places, and addends that are addresses.
func (m *mover) relocations(relative uint32) error {
	const size, info, addend = 24, 8, 16
	for i, s := range m.Sections {
		if elf.SectionType(s.Type) != elf.SHT_RELA {
			continue
		}
		table, err := m.SectionBytes(i)
		if err != nil {
			return err
		}
		for ; len(table) >= size; table = table[size:] {
			m.add(table)
			if uint32(binary.LittleEndian.Uint64(table[info:])) == relative {
				m.add(table[addend:])
			}
		}
	}
	return nil
}
