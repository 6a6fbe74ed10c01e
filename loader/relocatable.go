package loader

import (
	"debug/elf"
	"fmt"
	"slices"
	"strings"
)

// pageSize keeps sections with different access rights apart.
const pageSize = 4096

// maxSectionAlign bounds the alignment that a section may ask for.
const maxSectionAlign = 1 << 16

// linker places the sections of a relocatable file.
type linker struct {
	*ELF
	rules    *RelocRules
	addr     []uint64 // of sections, by index; 0 for those that are not loaded
	contents [][]byte // of sections that are loaded or debug information, by index; relocated
	symbols  map[int][]ELFSymbol
}

// Link makes the parts of a module of a relocatable file (ET_REL), as a linker
// would that has no other file: sections that are loaded get addresses from base
// on, in their order, each a segment of its own, and relocations are applied to
// them and to debug information. A symbol that is defined nowhere is an error if
// code or data need it.
func (f *ELF) Link(rules *RelocRules, base uint64) (Module, error) {
	l := &linker{ELF: f, rules: rules, symbols: map[int][]ELFSymbol{}}
	segments, err := l.place(base)
	if err != nil {
		return Module{}, err
	}
	if err := l.relocate(); err != nil {
		return Module{}, err
	}
	m := Module{Segments: segments}
	if i := f.SectionOfType(elf.SHT_SYMTAB); i >= 0 {
		table, err := l.table(i)
		if err != nil {
			return Module{}, err
		}
		for _, s := range table[min(1, len(table)):] {
			s.Addr += l.addr[s.Shndx]
			m.Symbols = append(m.Symbols, s.Symbol)
		}
	}
	for i, s := range f.Sections {
		if elf.SectionType(s.Type) == elf.SHT_NULL {
			continue
		}
		info := Section{Name: s.Name, Type: sectionTypeName(elf.SectionType(s.Type)), Addr: l.addr[i],
			Offset: s.Off, Size: s.Size,
			Data: l.contents[i]}
		if info.Data == nil {
			info.Data, _ = f.SectionBytes(i) // the tables were read: it is in the file
		}
		m.Sections = append(m.Sections, info)
	}
	return m, nil
}

// isDebug reports whether debug information engines want a section.
func isDebug(name string) bool {
	return strings.HasPrefix(name, ".debug_") || strings.HasPrefix(name, oldCompressed)
}

// place gives sections their addresses and contents.
func (l *linker) place(base uint64) ([]Segment, error) {
	l.addr, l.contents = make([]uint64, len(l.Sections)), make([][]byte, len(l.Sections))
	var segments []Segment
	var debug uint64
	next, access := base, elf.SectionFlag(0)
	for i := range l.Sections {
		s := &l.Sections[i]
		flags := elf.SectionFlag(s.Flags)
		if flags&elf.SHF_ALLOC == 0 {
			if !isDebug(s.Name) {
				continue
			}
			b, err := l.Contents(i)
			if err != nil {
				return nil, &SectionError{s.Name, err}
			}
			if debug += uint64(len(b)); debug > maxDecompressed {
				return nil, &SectionError{s.Name, tooLarge(debug)}
			}
			l.contents[i] = slices.Clone(b)
			continue
		}
		align := max(s.Addralign, 1)
		if align&(align-1) != 0 || align > maxSectionAlign {
			return nil, &SectionError{s.Name,
				fmt.Errorf("alignment %#x, want a power of two up to %#x", align,
					maxSectionAlign)}
		}
		if now := flags & (elf.SHF_WRITE | elf.SHF_EXECINSTR); now != access {
			align, access = max(align, pageSize), now
		}
		at := (next + align - 1) &^ (align - 1)
		if s.Size > MaxMemSize || at < next || at-base > MaxMemSize-s.Size || at+s.Size < at {
			return nil, &SectionError{s.Name,
				fmt.Errorf("%d bytes do not fit into the %d that a module may have",
					s.Size, uint64(MaxMemSize))}
		}
		b, err := l.SectionBytes(i)
		if err != nil {
			return nil, err
		}
		l.addr[i], l.contents[i], next = at, slices.Clone(b), at+s.Size
		if s.Size > 0 {
			segments = append(segments, Segment{Name: s.Name, Addr: at, MemSize: s.Size, Data: l.contents[i],
				Read: true, Write: flags&elf.SHF_WRITE != 0, Exec: flags&elf.SHF_EXECINSTR != 0})
		}
	}
	return segments, nil
}

// table gives the symbol table in a section, which several relocation sections
// share.
func (l *linker) table(i int) ([]ELFSymbol, error) {
	if t, ok := l.symbols[i]; ok {
		return t, nil
	}
	t, err := l.SymbolTable(i)
	l.symbols[i] = t
	return t, err
}

// relocate applies the relocations of all sections that are kept.
func (l *linker) relocate() error {
	for i := range l.Sections {
		s := &l.Sections[i]
		if t := elf.SectionType(s.Type); t != elf.SHT_REL && t != elf.SHT_RELA {
			continue
		}
		relocs, rela, err := l.RelocSection(i)
		if err != nil {
			return err
		}
		to := l.contents[s.Info]
		if to == nil {
			continue
		}
		symbols, err := l.table(int(s.Link))
		if err != nil {
			return err
		}
		for _, r := range relocs {
			if err := l.apply(int(s.Info), to, r, rela, symbols); err != nil {
				return fmt.Errorf("section %.100q: %w", s.Name, err)
			}
		}
	}
	return nil
}

func (l *linker) apply(section int, to []byte, r ELFReloc, rela bool, symbols []ELFSymbol) error {
	reloc := l.rules.Reloc(r.Type)
	reloc.Addr, reloc.Addend = l.addr[section]+r.Offset, r.Addend
	fail := func(err error) error { return &RelocError{reloc, err} }
	if reloc.Rule == nil {
		return fail(ErrUnsupported)
	}
	size := uint64(reloc.Rule.Size)
	if r.Offset > uint64(len(to)) || size > uint64(len(to))-r.Offset {
		return fail(fmt.Errorf("%d bytes at %#x of a section that has %d", size, r.Offset, len(to)))
	}
	if uint64(r.Symbol) >= uint64(len(symbols)) {
		return fail(fmt.Errorf("symbol %d of %d", r.Symbol, len(symbols)))
	}
	place := to[r.Offset:][:size]
	if !rela {
		reloc.Addend = signed(place)
	}
	var value uint64
	if r.Symbol != 0 {
		s := &symbols[r.Symbol]
		reloc.Symbol, reloc.Weak = s.Name, s.Weak
		loaded := elf.SectionFlag(l.Sections[section].Flags)&elf.SHF_ALLOC != 0
		if s.Shndx == 0 && !s.Absolute && !s.Weak && loaded {
			return fail(ErrUndefinedSymbol)
		}
		value = l.addr[s.Shndx]
		if s.Shndx != 0 || s.Absolute {
			value += s.Addr
		}
	}
	if err := reloc.Rule.Apply(place, value, reloc.Addend, reloc.Addr); err != nil {
		return fail(err)
	}
	return nil
}

// signed reads a little-endian number of 0, 1, 2, 4 or 8 bytes.
func signed(b []byte) int64 {
	switch len(b) {
	case 8:
		return int64(le64(b))
	case 4:
		return int64(int32(le32(b)))
	case 2:
		return int64(int16(le16(b)))
	case 1:
		return int64(int8(b[0]))
	}
	return 0
}
