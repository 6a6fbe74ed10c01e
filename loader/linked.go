package loader

import (
	"debug/elf"
	"fmt"
	"strings"
)

// linked is a linked ELF file with what its dynamic section says.
type linked struct {
	*ELF
	segments []Segment
	dyn      dynamic
}

// Linked reads what every linked ELF file has: segments, symbols, dynamic
// relocations and sections. The file's own tables of symbols are .symtab, or the
// dynamic symbols if it has been stripped of that. The null symbol is left out.
// The caller adds what its format has and gives the module to [New].
func (f *ELF) Linked(rules *RelocRules) (Module, error) {
	segments, err := f.Segments()
	if err != nil {
		return Module{}, err
	}
	l := &linked{ELF: f, segments: segments}
	if l.dyn, err = f.readDynamic(); err != nil {
		return Module{}, err
	}
	symbols, err := l.readSymbols()
	if err != nil {
		return Module{}, err
	}
	relocs, err := l.readRelocs(rules)
	if err != nil {
		return Module{}, err
	}
	return Module{Segments: segments, Symbols: symbols, Relocs: relocs, Sections: f.ModuleSections(),
		Image: f.Data}, nil
}

// readSymbols reads .symtab, or the dynamic symbols if the file has been
// stripped of it.
func (l *linked) readSymbols() ([]Symbol, error) {
	var table []ELFSymbol
	var err error
	if i := l.SectionOfType(elf.SHT_SYMTAB); i >= 0 {
		table, err = l.SymbolTable(i)
	} else if i = l.SectionOfType(elf.SHT_DYNSYM); i >= 0 {
		table, err = l.SymbolTable(i)
	} else {
		table, err = l.readDynamicSymbols()
	}
	if err != nil || len(table) < 2 {
		return nil, err
	}
	symbols := make([]Symbol, len(table)-1)
	for i := range symbols {
		symbols[i] = table[i+1].Symbol
	}
	return symbols, nil
}

// readDynamicSymbols reads the symbols of a file without section headers. How
// many there are is only said by the hash table (System V ABI, "Hash Table").
func (l *linked) readDynamicSymbols() ([]ELFSymbol, error) {
	at, ok := l.dyn[elf.DT_HASH]
	if !ok {
		return nil, nil
	}
	const header = 8
	hash, ok := bytesAt(l.segments, at, header)
	if !ok {
		return nil, &FormatError{Offset: -1,
			What: fmt.Sprintf("DT_HASH table at address %#x is not in a segment",
				at)}
	}
	count := uint64(le32(hash[4:]))
	table, ok := bytesAt(l.segments, l.dyn[elf.DT_SYMTAB], count*elfSymSize)
	if !ok {
		return nil, &FormatError{Offset: -1,
			What: fmt.Sprintf("DT_SYMTAB table of %d symbols at address %#x is not in a segment",
				count, l.dyn[elf.DT_SYMTAB])}
	}
	names, err := l.dynTable(elf.DT_STRTAB, elf.DT_STRSZ)
	if err != nil {
		return nil, err
	}
	symbols, err := l.symbols(table, newStringTable(names, 0))
	if err != nil {
		return nil, fmt.Errorf("dynamic symbols: %w", err)
	}
	return symbols, nil
}

// Segments reads the loadable segments (System V ABI, "Program Header":
// PT_LOAD), which have to be in ascending order of address.
func (f *ELF) Segments() ([]Segment, error) {
	var segments []Segment
	var before extents
	for i, p := range f.Progs {
		if elf.ProgType(p.Type) != elf.PT_LOAD || p.Memsz == 0 {
			continue
		}
		if what, want := before.add(p.Vaddr, p.Memsz, p.Filesz); what != "" {
			return nil, &FormatError{Offset: int64(p.Off), What: fmt.Sprintf("segment %d: %s", i, what),
				Want: want}
		}
		data, err := f.Bytes("segment", p.Off, p.Filesz)
		if err != nil {
			return nil, err
		}
		flags := elf.ProgFlag(p.Flags)
		segments = append(segments, Segment{
			Name: f.segmentName(i, p), Addr: p.Vaddr, MemSize: p.Memsz, Data: data,
			Read: flags&elf.PF_R != 0, Write: flags&elf.PF_W != 0, Exec: flags&elf.PF_X != 0,
		})
	}
	return segments, nil
}

// segmentName names a segment after the sections in it; those that only serve
// the dynamic linker are left out if there are others. Linkers make about ten
// segments and thirty sections; where there are very many, names are left out.
func (f *ELF) segmentName(index int, p elf.Prog64) string {
	const mostNames, mostChecks = 8, 1 << 20
	number := fmt.Sprintf("segment %d", index)
	if len(f.Progs)*len(f.Sections) > mostChecks {
		return number
	}
	var all, program []string
	for _, s := range f.Sections {
		if elf.SectionFlag(s.Flags)&elf.SHF_ALLOC == 0 || s.Addr < p.Vaddr || s.Addr >= p.Vaddr+p.Memsz {
			continue
		}
		if len(all) == mostNames {
			break
		}
		all = append(all, s.Name)
		t := elf.SectionType(s.Type)
		if (t == elf.SHT_PROGBITS || t == elf.SHT_NOBITS) && s.Name != ".relro_padding" {
			program = append(program, s.Name)
		}
	}
	switch {
	case program != nil:
		return strings.Join(program, "+")
	case all != nil:
		return strings.Join(all, "+")
	}
	return number
}

// dynamic holds the entries of the dynamic section that matter to a loader.
type dynamic map[elf.DynTag]uint64

// readDynamic reads the PT_DYNAMIC segment; nil if there is none. Of entries
// that occur twice the first counts.
func (f *ELF) readDynamic() (dynamic, error) {
	for _, p := range f.Progs {
		if elf.ProgType(p.Type) != elf.PT_DYNAMIC {
			continue
		}
		b, err := f.Bytes("dynamic section", p.Off, p.Filesz)
		if err != nil {
			return nil, err
		}
		dyn := dynamic{}
		for ; len(b) >= elfDynSize; b = b[elfDynSize:] {
			tag := elf.DynTag(le64(b))
			if tag == elf.DT_NULL {
				break
			}
			if _, twice := dyn[tag]; !twice {
				dyn[tag] = le64(b[8:])
			}
		}
		return dyn, nil
	}
	return nil, nil
}

// dynTable gives the bytes of a table that the dynamic section describes by
// its address and its size in bytes.
func (l *linked) dynTable(addr, size elf.DynTag) ([]byte, error) {
	at, ok := l.dyn[addr]
	if !ok {
		return nil, nil
	}
	b, ok := bytesAt(l.segments, at, l.dyn[size])
	if !ok && l.dyn[size] != 0 {
		return nil, &FormatError{Offset: -1,
			What: fmt.Sprintf("%v table of %d bytes at address %#x is not in a segment",
				addr, l.dyn[size], at)}
	}
	return b, nil
}
