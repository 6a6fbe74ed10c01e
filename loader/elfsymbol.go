package loader

import (
	"debug/elf"
	"fmt"
)

// An ELFSymbol is an entry of a symbol table. In relocatable files Addr is
// counted from the start of the section.
type ELFSymbol struct {
	Symbol
	Shndx int // index of the section in which it is defined; 0 if in none
}

// SymbolTable reads the symbol table in the section with index i, by their
// numbers: the null entry comes first.
func (f *ELF) SymbolTable(i int) ([]ELFSymbol, error) {
	s := &f.Sections[i]
	table, err := f.SectionBytes(i)
	if err != nil {
		return nil, err
	}
	if s.Entsize != elfSymSize || len(table)%elfSymSize != 0 {
		return nil, &FormatError{Offset: int64(s.Off),
			What: fmt.Sprintf("symbol table %.100q of %d bytes with entries of %d",
				s.Name, len(table), s.Entsize), Want: fmt.Sprintf("entries have %d", elfSymSize)}
	}
	if uint64(s.Link) >= uint64(len(f.Sections)) {
		return nil, &FormatError{Offset: int64(s.Off),
			What: fmt.Sprintf("the names of symbol table %.100q are in section %d of %d",
				s.Name, s.Link, len(f.Sections))}
	}
	nameBytes, err := f.SectionBytes(int(s.Link))
	if err != nil {
		return nil, err
	}
	symbols, err := f.symbols(table, newStringTable(nameBytes, f.Sections[s.Link].Off))
	if err != nil {
		return nil, fmt.Errorf("symbol table %.100q: %w", s.Name, err)
	}
	return symbols, nil
}

// symbols reads the entries of a symbol table.
func (f *ELF) symbols(table []byte, names *stringTable) ([]ELFSymbol, error) {
	symbols := make([]ELFSymbol, 0, len(table)/elfSymSize)
	for n := range len(table) / elfSymSize {
		sym, err := f.symbol(table[n*elfSymSize:], names)
		if err != nil {
			return nil, fmt.Errorf("symbol %d: %w", n, err)
		}
		symbols = append(symbols, sym)
	}
	return symbols, nil
}

func (f *ELF) symbol(b []byte, names *stringTable) (ELFSymbol, error) {
	raw := parseSym(b)
	name, err := names.at(raw.Name)
	if err != nil {
		return ELFSymbol{}, err
	}
	kind, ok := symbolKinds[elf.ST_TYPE(raw.Info)]
	if !ok {
		kind = SymbolOther
	}
	bind, shndx := elf.ST_BIND(raw.Info), elf.SectionIndex(raw.Shndx)
	sym := ELFSymbol{Symbol: Symbol{
		Name: name, Addr: raw.Value, Size: raw.Size, Kind: kind,
		Global:    bind == elf.STB_GLOBAL || bind == elf.STB_WEAK,
		Weak:      bind == elf.STB_WEAK,
		Undefined: shndx == elf.SHN_UNDEF,
		Absolute:  shndx == elf.SHN_ABS,
	}}
	if shndx < elf.SHN_LORESERVE && int(shndx) < len(f.Sections) {
		sym.Shndx, sym.Section = int(shndx), f.Sections[shndx].Name
	}
	return sym, nil
}

func parseSym(b []byte) elf.Sym64 {
	return elf.Sym64{
		Name: le32(b), Info: b[4], Other: b[5], Shndx: le16(b[6:]), Value: le64(b[8:]), Size: le64(b[16:]),
	}
}
