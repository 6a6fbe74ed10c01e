package intelgt

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/line"
	"simtgdb/loader"
	"simtgdb/loader/zebin"
)

// In patch-token files each kernel has debug information of its own, as an ELF file in which the kernel is at
// address 0. A module has one set of sections, in which the kernels are where they are.

// withDebug gives a module the sections of its kernels' debug information.
func withDebug(m *loader.Module) (*loader.Module, error) {
	o := zebin.Of(m)
	if len(o.Debug) == 0 {
		return m, nil
	}
	var units []*dwarf.OutUnit
	var frames []byte
	for _, d := range o.Debug {
		if d.Kernel == zebin.NotAKernel {
			continue
		}
		k, err := m.Kernel(d.Kernel)
		if err != nil {
			return nil, fmt.Errorf("debug data: %w", err)
		}
		s, err := debugAt(d.ELF, k.Entry)
		if err == nil {
			var data *dwarf.Data
			if data, err = dwarf.New(dwarf.SectionsNamed(s), dwarf.Options{}); err == nil {
				var more []*dwarf.OutUnit
				more, err = dwarf.Copy(data.Units(), dwarf.CopyOptions{})
				units = append(units, more...)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("debug data of kernel %s: %w", k.Name, err)
		}
		frames = appendFrames(frames, s[frameSection], k.Entry)
	}
	sections, err := dwarf.Write(units, dwarf.WriteOptions{})
	if err != nil {
		return nil, fmt.Errorf("debug data: %w", err)
	}
	if len(frames) > 0 {
		sections[frameSection] = frames
	}
	parts := *m
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		parts.Sections = append(parts.Sections, loader.Section{Name: name, Type: elf.SHT_PROGBITS.String(),
			Size: uint64(len(sections[name])), Data: sections[name]})
	}
	return loader.New(parts)
}

const frameSection = ".debug_frame"

// debugAt are the debug sections of a kernel's file, with the kernel at an address.
func debugAt(file []byte, entry uint64) (map[string][]byte, error) {
	f, err := loader.ReadELF(slices.Clone(file))
	if err != nil {
		return nil, err
	}
	sections := map[string][]byte{}
	for i, s := range f.Sections {
		if strings.HasPrefix(s.Name, ".debug_") {
			if sections[s.Name], err = f.SectionBytes(i); err != nil {
				return nil, err
			}
		}
	}
	if err := relocateDebug(f); err != nil {
		return nil, err
	}
	data, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
	if err != nil {
		return nil, err
	}
	move := func(at []byte) {
		if len(at) == 8 {
			binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)+entry)
		}
	}
	err = data.Places(func(p dwarf.Place) {
		if !p.Expr {
			move(p.Bytes)
		}
	})
	if err != nil {
		return nil, err
	}
	lines := line.Sections{Line: sections[".debug_line"], Str: sections[".debug_str"]}
	var places []uint64 // moved when all are known: what reads them may go the same way twice
	err = line.EachAddress(&lines, func(offset uint64, size int) {
		if size == 8 {
			places = append(places, offset)
		}
	})
	for _, at := range slices.Compact(slices.Sorted(slices.Values(places))) {
		move(lines.Line[at : at+8])
	}
	return sections, err
}

// relocateDebug applies what relocations a kernel's file has left: against its code, which is at 0.
func relocateDebug(f *loader.ELF) error {
	for i, s := range f.Sections {
		if elf.SectionType(s.Type) != elf.SHT_RELA {
			continue
		}
		relocs, _, err := f.RelocSection(i)
		if err != nil {
			return err
		}
		to, err := f.SectionBytes(int(s.Info))
		if err != nil {
			return err
		}
		for _, r := range relocs {
			rule := zebin.Relocations.ByType[r.Type]
			if rule == nil || r.Offset > uint64(len(to)) || uint64(rule.Size) > uint64(len(to))-r.Offset {
				return fmt.Errorf("a relocation of type %d at %#x of %q", r.Type, r.Offset,
					f.Sections[s.Info].Name)
			}
			if err := rule.Apply(to[r.Offset:], 0, r.Addend, r.Offset); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendFrames appends call frame information of code that is to begin at an address.
func appendFrames(all, section []byte, entry uint64) []byte {
	base := uint64(len(all))
	all = append(all, section...)
	table, _ := cfi.Parse(section, cfi.Options{Arch: &cfi.Arch{Expr: expr.IntelGT, Encoding: expr.Intel}})
	if table == nil {
		return all
	}
	le := binary.LittleEndian
	for _, e := range table.Entries {
		if e.FDE == nil || e.FDE.CIE == nil || e.FDE.CIE.AddressSize != 8 {
			continue
		}
		// Behind the length, which takes 4 bytes or 12, are the place of the CIE and the address.
		if at := base + e.FDE.Offset; e.FDE.DWARF64 {
			le.PutUint64(all[at+12:], le.Uint64(all[at+12:])+base)
			le.PutUint64(all[at+20:], le.Uint64(all[at+20:])+entry)
		} else {
			le.PutUint32(all[at+4:], le.Uint32(all[at+4:])+uint32(base))
			le.PutUint64(all[at+8:], le.Uint64(all[at+8:])+entry)
		}
	}
	return all
}
