package zebin

import (
	"debug/elf"
	"fmt"
	"slices"
	"strings"

	"simtgdb/loader"
)

// textPrefix begins the names of sections of code.
const textPrefix = ".text."

// Where sections are laid out. Code addresses in registers have 32 bits; none
// is near 0.
const (
	codeBase     = 0x1_0000
	sectionAlign = 0x1000
)

// A layout is where the sections of a file are in memory.
type layout struct {
	f        *loader.ELF
	addr     map[int]uint64 // by section; those that are in memory
	segments []loader.Segment
	symbols  []loader.ELFSymbol // by number, at their addresses
}

// place gives every section that the program needs an address: code first.
func place(f *loader.ELF) (*layout, error) {
	l := &layout{f: f, addr: map[int]uint64{}}
	next := uint64(codeBase)
	for _, code := range []bool{true, false} {
		for i := range f.Sections {
			s := &f.Sections[i]
			if !inMemory(s) || strings.HasPrefix(s.Name, textPrefix) != code {
				continue
			}
			if s.Size > loader.MaxMemSize || next > loader.MaxMemSize {
				return nil, &loader.FormatError{Offset: int64(s.Off),
					What: fmt.Sprintf("section %q of %d bytes", s.Name, s.Size),
					Want: fmt.Sprintf("at most %d are laid out", uint64(loader.MaxMemSize))}
			}
			l.addr[i] = next
			seg, err := l.segment(i, next)
			if err != nil {
				return nil, err
			}
			if seg.MemSize > 0 {
				l.segments = append(l.segments, seg)
			}
			next = (next + s.Size + 2*sectionAlign - 1) &^ (sectionAlign - 1)
		}
	}
	return l, l.placeSymbols()
}

// inMemory reports whether a section is code or data. IGC does not set the
// flags of all of them.
func inMemory(s *loader.ELFSection) bool {
	switch elf.SectionType(s.Type) {
	case elf.SHT_PROGBITS, elf.SHT_NOBITS:
		return hasAny(s.Name, textPrefix, ".data.", ".bss.")
	}
	return false
}

func hasAny(name string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

func (l *layout) segment(i int, addr uint64) (loader.Segment, error) {
	s := &l.f.Sections[i]
	seg := loader.Segment{Name: s.Name, Addr: addr, MemSize: s.Size, Read: true,
		Exec: strings.HasPrefix(s.Name, textPrefix), Write: strings.Contains(s.Name, ".global")}
	if elf.SectionType(s.Type) == elf.SHT_NOBITS {
		return seg, nil
	}
	var err error
	seg.Data, err = l.f.SectionBytes(i)
	return seg, err
}

// Sections of variables.
const (
	constSection    = ".data.const"
	variableSection = ".data.global"
)

// addressOf is where a section is; 0 if there is none of the name.
func (l *layout) addressOf(name string) uint64 { return l.addr[l.f.SectionNamed(name)] }

func (l *layout) isPlaced(i int) bool { _, ok := l.addr[i]; return ok }

// placeSymbols reads the symbol table and gives symbols their addresses.
func (l *layout) placeSymbols() error {
	i := l.f.SectionOfType(elf.SHT_SYMTAB)
	if i < 0 {
		return nil
	}
	var err error
	if l.symbols, err = l.f.SymbolTable(i); err != nil {
		return err
	}
	for i := range l.symbols {
		s := &l.symbols[i]
		// Debug information is relocated against symbols that have a section's
		// name; the section that IGC says they are in is another one.
		if section := l.f.SectionNamed(s.Name); section > 0 {
			s.Shndx, s.Kind = section, loader.SymbolSection
		}
		if s.Shndx != 0 {
			s.Addr += l.addr[s.Shndx]
		}
	}
	return nil
}

// moduleSymbols gives the named symbols that are in memory. IGC calls the
// start of every kernel "_entry" besides its name, which says nothing.
func (l *layout) moduleSymbols() []loader.Symbol {
	var out []loader.Symbol
	for i := range l.symbols {
		s := &l.symbols[i]
		if s.Name != "" && s.Name != "_entry" && s.Kind != loader.SymbolSection && (s.Shndx == 0 ||
			l.isPlaced(s.Shndx)) {
			out = append(out, s.Symbol)
		}
	}
	return out
}

// Relocations are those of code (elf.md, "Relocation types"). What lies at a place is a
// filler: it is no addend.
var Relocations = &loader.RelocRules{Prefix: "R_ZE", ByType: map[uint32]*loader.RelocRule{
	0: {Name: "R_ZE_NONE"},
	1: {Name: "R_ZE_SYM_ADDR", Size: 8, Value: func(s, a, _, _ uint64) uint64 { return s + a }},
	2: {Name: "R_ZE_SYM_ADDR_32", Size: 4, Value: func(s, a, _, _ uint64) uint64 { return s + a }},
	3: {Name: "R_ZE_SYM_ADDR_32_HI", Size: 4, Value: func(s, a, _, _ uint64) uint64 {
		return (s +
			a) >> 32
	}},
}}

// A placed relocation is one whose place and symbol have addresses.
type placedReloc struct {
	loader.Reloc
	offset uint64 // of the place in its section
}

// check says why the relocation cannot be applied to a section of a size.
func (r *placedReloc) check(size uint64) error {
	switch {
	case r.Rule == nil:
		return &loader.RelocError{Reloc: r.Reloc, Err: fmt.Errorf("type %w", loader.ErrUnsupported)}
	case r.offset > size || uint64(r.Rule.Size) > size-r.offset:
		return &loader.RelocError{Reloc: r.Reloc, Err: fmt.Errorf("the section has %d bytes", size)}
	}
	return nil
}

// relocated tells for which section the relocations of section i are.
func (l *layout) relocated(i int) (to int, ok bool) {
	s := &l.f.Sections[i]
	if t := elf.SectionType(s.Type); t != elf.SHT_REL && t != elf.SHT_RELA ||
		int64(s.Info) >= int64(len(l.f.Sections)) {
		return 0, false
	}
	to = int(s.Info)
	return to, l.isPlaced(to) || isDebug(l.f.Sections[to].Name)
}

// relocs reads a section of relocations.
func (l *layout) relocs(i int) ([]placedReloc, error) {
	raw, rela, err := l.f.RelocSection(i)
	if err != nil {
		return nil, err
	}
	base := l.addr[int(l.f.Sections[i].Info)]
	out := make([]placedReloc, 0, len(raw))
	for _, e := range raw {
		if uint64(e.Symbol) >= uint64(len(l.symbols)) {
			return nil, &loader.FormatError{Offset: int64(l.f.Sections[i].Off),
				What: fmt.Sprintf("relocation section %q: symbol %d of %d", l.f.Sections[i].Name,
					e.Symbol, len(l.symbols))}
		}
		s := &l.symbols[e.Symbol]
		r := placedReloc{Reloc: Relocations.Reloc(e.Type), offset: e.Offset}
		r.Addr, r.Symbol, r.Value = base+e.Offset, s.Name, s.Addr
		r.Undefined, r.Weak, r.Absolute = s.Undefined, s.Weak, s.Absolute
		if rela {
			r.Addend = e.Addend
		}
		if s.Shndx != 0 && !l.isPlaced(s.Shndx) {
			r.Absolute = true // an offset in a section of debug information
		}
		out = append(out, r)
	}
	return out, nil
}

// codeRelocs gives the relocations of code and data.
func (l *layout) codeRelocs() ([]loader.Reloc, error) {
	var out []loader.Reloc
	for i := range l.f.Sections {
		to, ok := l.relocated(i)
		if !ok || !l.isPlaced(to) {
			continue
		}
		relocs, err := l.relocs(i)
		if err != nil {
			return nil, err
		}
		for _, r := range relocs {
			if err := r.check(l.f.Sections[to].Size); err != nil {
				return nil, err
			}
			out = append(out, r.Reloc)
		}
	}
	return out, nil
}
