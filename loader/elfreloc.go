package loader

import (
	"debug/elf"
	"errors"
	"fmt"
)

// An ELFReloc is an entry of a relocation section.
type ELFReloc struct {
	Offset uint64 // of the place: in relocatable files, in the section that the entries are for
	Type   uint32
	Symbol uint32 // number in the symbol table; 0 if it needs none
	Addend int64  // of SHT_RELA; that of SHT_REL is what the place holds
}

// RelocSection reads the relocation section (SHT_RELA or SHT_REL) with index i.
// sh_info says which section the entries are for and sh_link where their symbol
// table is: both are checked to exist.
func (f *ELF) RelocSection(i int) (relocs []ELFReloc, rela bool, err error) {
	s := &f.Sections[i]
	fail := func(want, format string, args ...any) ([]ELFReloc, bool, error) {
		what := fmt.Sprintf("relocation section %.100q: ", s.Name) + fmt.Sprintf(format, args...)
		return nil, rela, &FormatError{Offset: int64(s.Off), What: what, Want: want}
	}
	rela = elf.SectionType(s.Type) == elf.SHT_RELA
	size := elfRelSize
	if rela {
		size = elfRelaSize
	}
	b, err := f.SectionBytes(i)
	switch n := uint64(len(f.Sections)); {
	case err != nil:
		return nil, rela, err
	case !rela && elf.SectionType(s.Type) != elf.SHT_REL:
		return fail("want SHT_RELA or SHT_REL", "its type is %v", elf.SectionType(s.Type))
	case s.Entsize != uint64(size) || len(b)%size != 0:
		return fail(fmt.Sprintf("entries have %d", size), "%d bytes with entries of %d", len(b), s.Entsize)
	case uint64(s.Info) >= n || uint64(s.Link) >= n:
		return fail("", "it is for section %d with the symbols of section %d, of %d", s.Info, s.Link, n)
	}
	relocs = make([]ELFReloc, 0, len(b)/size)
	for ; len(b) > 0; b = b[size:] {
		r := ELFReloc{Offset: le64(b), Type: elf.R_TYPE64(le64(b[8:])), Symbol: elf.R_SYM64(le64(b[8:]))}
		if rela {
			r.Addend = int64(le64(b[16:]))
		}
		relocs = append(relocs, r)
	}
	return relocs, rela, nil
}

// Relative relocations in DT_RELR form are small: one word stands for up to 63
// of them. More than this many is a hostile file.
const maxRelocs = 4 << 20

// readRelocs reads the dynamic relocations of all kinds (System V ABI, "Dynamic
// Section" and "Relocation").
func (l *linked) readRelocs(rules *RelocRules) ([]Reloc, error) {
	r := &relocReader{segments: l.segments, rules: rules}
	var err error
	if r.symbols, err = l.dynSymbols(); err != nil {
		return nil, err
	}
	type table struct {
		addr, size elf.DynTag
		rela       bool
	}
	tables := []table{
		{elf.DT_RELA, elf.DT_RELASZ, true},
		{elf.DT_REL, elf.DT_RELSZ, false},
		{elf.DT_JMPREL, elf.DT_PLTRELSZ, elf.DynTag(l.dyn[elf.DT_PLTREL]) == elf.DT_RELA},
	}
	for _, t := range tables {
		b, err := l.dynTable(t.addr, t.size)
		if err != nil {
			return nil, err
		}
		if err := r.readTable(b, t.rela); err != nil {
			return nil, fmt.Errorf("%v: %w", t.addr, err)
		}
	}
	b, err := l.dynTable(dtRelr, dtRelrSize)
	if err != nil {
		return nil, err
	}
	err = r.readRelr(b)
	return r.relocs, err
}

// A relocReader collects dynamic relocations.
type relocReader struct {
	segments []Segment
	rules    *RelocRules
	symbols  *dynSymbols
	relocs   []Reloc
}

// Tags of the compact form of relative relocations (System V ABI, "Relative
// Relocation Table"), which debug/elf does not have.
const (
	dtRelrSize elf.DynTag = 35
	dtRelr     elf.DynTag = 36
)

// readTable reads REL or RELA entries. A REL entry's addend is what the
// place holds.
func (t *relocReader) readTable(b []byte, rela bool) error {
	size := elfRelSize
	if rela {
		size = elfRelaSize
	}
	if len(b)%size != 0 {
		return &FormatError{Offset: -1, What: fmt.Sprintf("relocation table of %d bytes", len(b)),
			Want: fmt.Sprintf("entries have %d", size)}
	}
	for ; len(b) > 0; b = b[size:] {
		r := t.rules.Reloc(elf.R_TYPE64(le64(b[8:])))
		r.Addr = le64(b)
		if rela {
			r.Addend = int64(le64(b[16:]))
		} else if implicit, ok := t.implicitAddend(r); ok {
			r.Addend = implicit
		} else {
			return &RelocError{r, errors.New("the place with its addend is not in a segment")}
		}
		if index := elf.R_SYM64(le64(b[8:])); index != 0 {
			if err := t.symbols.fill(&r, index); err != nil {
				return &RelocError{r, err}
			}
		}
		t.relocs = append(t.relocs, r)
	}
	return nil
}

func (t *relocReader) implicitAddend(r Reloc) (int64, bool) {
	size := 0
	if r.Rule != nil {
		size = r.Rule.Size
	}
	b, ok := bytesAt(t.segments, r.Addr, uint64(size))
	return signed(b), ok
}

// readRelr reads relative relocations in compact form: an even word is the
// address of a place, an odd word has a bit for each of the 63 places after it.
func (t *relocReader) readRelr(b []byte) error {
	if len(b)%8 != 0 {
		return &FormatError{Offset: -1, What: fmt.Sprintf("DT_RELR: table of %d bytes", len(b)),
			Want: "entries have 8"}
	}
	add := func(addr uint64) error {
		r := t.rules.Reloc(t.rules.Relative)
		r.Addr = addr
		addend, ok := t.implicitAddend(r)
		if !ok {
			return &RelocError{r, errors.New("the place with its addend is not in a segment")}
		}
		if len(t.relocs) >= maxRelocs {
			return &FormatError{Offset: -1, What: fmt.Sprintf("DT_RELR: more than %d relocations", maxRelocs),
				Err: ErrUnsupported}
		}
		r.Addend = addend
		t.relocs = append(t.relocs, r)
		return nil
	}
	var next uint64
	for ; len(b) > 0; b = b[8:] {
		entry := le64(b)
		if entry&1 == 0 {
			if err := add(entry); err != nil {
				return err
			}
			next = entry + 8
			continue
		}
		for i := range uint64(63) {
			if entry>>(i+1)&1 != 0 {
				if err := add(next + 8*i); err != nil {
					return err
				}
			}
		}
		next += 63 * 8
	}
	return nil
}

// dynSymbols reads entries of the dynamic symbol table by index. The dynamic
// section does not say how many there are.
type dynSymbols struct {
	segments []Segment
	table    uint64
	names    *stringTable
	seen     map[uint32]Reloc // what fill has found out: relocations share symbols
}

func (l *linked) dynSymbols() (*dynSymbols, error) {
	names, err := l.dynTable(elf.DT_STRTAB, elf.DT_STRSZ)
	if err != nil {
		return nil, err
	}
	if size, ok := l.dyn[elf.DT_SYMENT]; ok && size != elfSymSize {
		return nil, &FormatError{Offset: -1, What: fmt.Sprintf("dynamic symbols of %d bytes", size),
			Want: fmt.Sprintf("want %d", elfSymSize)}
	}
	return &dynSymbols{l.segments, l.dyn[elf.DT_SYMTAB], newStringTable(names, 0), map[uint32]Reloc{}}, nil
}

// fill copies to a relocation what it needs to know of its symbol.
func (d *dynSymbols) fill(r *Reloc, index uint32) error {
	sym, ok := d.seen[index]
	if !ok {
		b, ok := bytesAt(d.segments, d.table+uint64(index)*elfSymSize, elfSymSize)
		if !ok || d.table == 0 {
			return fmt.Errorf("dynamic symbol %d is not in a segment", index)
		}
		raw := parseSym(b)
		name, err := d.names.at(raw.Name)
		if err != nil {
			return fmt.Errorf("dynamic symbol %d: %w", index, err)
		}
		sym = Reloc{
			Symbol:    name,
			Value:     raw.Value,
			Undefined: elf.SectionIndex(raw.Shndx) == elf.SHN_UNDEF,
			Absolute:  elf.SectionIndex(raw.Shndx) == elf.SHN_ABS,
			Weak:      elf.ST_BIND(raw.Info) == elf.STB_WEAK,
		}
		d.seen[index] = sym
	}
	r.Symbol, r.Value = sym.Symbol, sym.Value
	r.Undefined, r.Absolute, r.Weak = sym.Undefined, sym.Absolute, sym.Weak
	return nil
}
