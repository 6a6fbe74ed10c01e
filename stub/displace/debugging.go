package displace

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/line"
	"simtgdb/loader"
)

// debugging moves what debugging information has of addresses. It gives what is to come behind the file:
// sections that were compressed. A section that cannot be read stays as far as it was moved: its readers
// will say what is wrong with it.
func (m *mover) debugging() (appended []byte, err error) {
	sections, appended, err := m.sections()
	if err != nil || len(sections) == 0 {
		return nil, err
	}
	data, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
	if err != nil {
		return appended, nil
	}
	kept := map[uint64]bool{}
	_ = data.Places(func(p dwarf.Place) { m.place(p, kept) })
	_ = data.AddrPlaces(func(offset uint64, at []byte) {
		if len(at) == 8 && !kept[offset] {
			m.move(at)
		}
	})
	lines := line.Sections{Line: sections[".debug_line"], LineStr: sections[".debug_line_str"],
		Str: sections[".debug_str"], StrOffset: func(uint64) (uint64, error) { return 0, nil }}
	var places []uint64 // moved when all are known: what reads them may go the same way twice
	_ = line.EachAddress(&lines, func(offset uint64, size int) {
		if size == 8 {
			places = append(places, offset)
		}
	})
	for _, at := range slices.Compact(slices.Sorted(slices.Values(places))) {
		m.move(lines.Line[at:])
	}
	m.frames(sections[".debug_frame"])
	return appended, nil
}

// sections are the sections of debugging information: those of the file, or, of those that are compressed
// there, what is appended to it.
func (m *mover) sections() (all map[string][]byte, appended []byte, err error) {
	const headerSize, flags, offset, size = 64, 8, 24, 32
	module, err := loader.New(loader.Module{Sections: m.ModuleSections()})
	if err != nil {
		return nil, nil, err
	}
	all = map[string][]byte{}
	at := map[string][2]int{}
	for i, s := range m.Sections {
		switch {
		case strings.HasPrefix(s.Name, ".zdebug_"):
			return nil, nil, fmt.Errorf("%w: section %.40s is in GNU's old compressed form", ErrFixed, s.Name)
		case !strings.HasPrefix(s.Name, ".debug_") || all[s.Name] != nil:
			continue
		case elf.SectionFlag(s.Flags)&elf.SHF_COMPRESSED == 0:
			if all[s.Name], err = m.SectionBytes(i); err != nil {
				return nil, nil, err
			}
			continue
		}
		plain, err := module.Section(s.Name)
		if err != nil {
			return nil, nil, err
		}
		header := m.Data[m.sectionHeaders+uint64(i)*headerSize:]
		binary.LittleEndian.PutUint64(header[flags:], s.Flags&^uint64(elf.SHF_COMPRESSED))
		binary.LittleEndian.PutUint64(header[offset:], uint64(len(m.Data)+len(appended)))
		binary.LittleEndian.PutUint64(header[size:], uint64(len(plain)))
		at[s.Name] = [2]int{len(appended), len(appended) + len(plain)}
		appended = append(appended, plain...)
	}
	for name, part := range at {
		all[name] = appended[part[0]:part[1]]
	}
	return all, appended, nil
}

// place moves an address, or those in an expression. kept gets the places in the table of addresses that are
// no addresses of the file, but of LDS.
func (m *mover) place(p dwarf.Place, kept map[uint64]bool) {
	switch {
	case p.Unit.AddrSize != 8:
	case p.Base: // 0 where what lists have counts from the file's beginning
		if v := binary.LittleEndian.Uint64(p.Bytes); m.moves(v) || v == 0 {
			m.add(p.Bytes)
		}
	case !p.Expr:
		m.move(p.Bytes)
	default:
		m.expression(p, kept)
	}
}

func (m *mover) expression(p dwarf.Place, kept map[uint64]bool) {
	format := expr.Format{AddressSize: 8, DWARF64: p.Unit.Is64, Version: int(p.Unit.Version)}
	code, _ := expr.Instructions(p.Bytes, nil, format)
	for i := range code {
		local := inAnotherSpace(code[i+1:])
		switch p.Bytes[code[i].Offset] {
		case expr.OpAddr:
			if !local {
				m.move(p.Bytes[code[i].Offset+1:])
			}
		case expr.OpAddrx, expr.OpGNUAddrIndex:
			if at, err := p.Unit.AddrOffset(code[i].Operand(0)); err == nil && local {
				kept[at] = true
			}
		}
	}
}

// inAnotherSpace reports whether operations make an address that was pushed one of another space than that of
// global and generic addresses: a space's number, and an operation that uses it.
func inAnotherSpace(code []expr.Instr) bool {
	if len(code) < 2 {
		return false
	}
	space, found := uint64(0), false
	switch name := code[0].Name(); {
	case strings.HasPrefix(name, "DW_OP_lit"):
		_, err := fmt.Sscanf(name, "DW_OP_lit%d", &space)
		found = err == nil
	case strings.HasPrefix(name, "DW_OP_const"):
		space, found = code[0].Operand(0), true
	}
	const generic = 1
	if !found || space <= generic {
		return false
	}
	for _, in := range code[1:min(len(code), 3)] {
		if name := in.Name(); strings.Contains(name, "xderef") || strings.Contains(name, "aspace_address") {
			return true
		}
	}
	return false
}

// frames moves the functions of call frame information.
func (m *mover) frames(section []byte) {
	table, _ := cfi.Parse(section, cfi.Options{Arch: cfi.AMDGPU})
	if table == nil {
		return
	}
	for _, e := range table.Entries {
		if e.FDE == nil || e.FDE.CIE == nil || e.FDE.CIE.AddressSize != 8 {
			continue
		}
		at := e.FDE.Offset + 8 // behind the length and the CIE's place
		if e.FDE.DWARF64 {
			at = e.FDE.Offset + 20
		}
		m.move(section[at+uint64(e.FDE.CIE.SegmentSize):])
	}
}
