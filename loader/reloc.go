package loader

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// RelocType is an AMDGPU relocation type (AMDGPUUsage, "Relocation Records").
type RelocType uint32

// The types of AMDGPUUsage that can be left for a loader to apply.
const (
	RelocNone       RelocType = 0
	RelocAbs32Lo    RelocType = 1
	RelocAbs32Hi    RelocType = 2
	RelocAbs64      RelocType = 3
	RelocRel32      RelocType = 4
	RelocRel64      RelocType = 5
	RelocAbs32      RelocType = 6
	RelocRel32Lo    RelocType = 10
	RelocRel32Hi    RelocType = 11
	RelocRelative64 RelocType = 13
	RelocRel16      RelocType = 14
)

// relocRule says how a relocation is computed from S (the symbol's address), A
// (the addend), P (the place) and B (the load address).
type relocRule struct {
	name  string
	size  int // bytes that are changed
	value func(s, a, p, b uint64) uint64
	fits  func(v uint64) bool // nil: any value does, its high part is dropped on purpose
}

func fitsUint32(v uint64) bool { return v <= math.MaxUint32 }
func fitsInt32(v uint64) bool  { return int64(v) == int64(int32(v)) }

var relocRules = map[RelocType]relocRule{
	RelocNone:       {"R_AMDGPU_NONE", 0, func(s, a, p, b uint64) uint64 { return 0 }, nil},
	RelocAbs32Lo:    {"R_AMDGPU_ABS32_LO", 4, func(s, a, p, b uint64) uint64 { return s + a }, nil},
	RelocAbs32Hi:    {"R_AMDGPU_ABS32_HI", 4, func(s, a, p, b uint64) uint64 { return (s + a) >> 32 }, nil},
	RelocAbs64:      {"R_AMDGPU_ABS64", 8, func(s, a, p, b uint64) uint64 { return s + a }, nil},
	RelocRel32:      {"R_AMDGPU_REL32", 4, func(s, a, p, b uint64) uint64 { return s + a - p }, fitsInt32},
	RelocRel64:      {"R_AMDGPU_REL64", 8, func(s, a, p, b uint64) uint64 { return s + a - p }, nil},
	RelocAbs32:      {"R_AMDGPU_ABS32", 4, func(s, a, p, b uint64) uint64 { return s + a }, fitsUint32},
	RelocRel32Lo:    {"R_AMDGPU_REL32_LO", 4, func(s, a, p, b uint64) uint64 { return s + a - p }, nil},
	RelocRel32Hi:    {"R_AMDGPU_REL32_HI", 4, func(s, a, p, b uint64) uint64 { return (s + a - p) >> 32 }, nil},
	RelocRelative64: {"R_AMDGPU_RELATIVE64", 8, func(s, a, p, b uint64) uint64 { return b + a }, nil},
	RelocRel16: {"R_AMDGPU_REL16", 2, func(s, a, p, b uint64) uint64 { return uint64(int64(s+a-p-4) / 4) },
		func(v uint64) bool { return int64(v) == int64(int16(v)) }},
}

func (t RelocType) String() string {
	if r, ok := relocRules[t]; ok {
		return r.name
	}
	return fmt.Sprintf("R_AMDGPU type %d", uint32(t))
}

// Reloc is a dynamic relocation.
type Reloc struct {
	Addr      uint64 // of the place, before a base is added
	Type      RelocType
	Symbol    string // empty if it needs none
	Value     uint64 // of the symbol, before a base is added
	Undefined bool   // the symbol is defined elsewhere
	Weak      bool   // and is zero if it is defined nowhere
	Absolute  bool   // the symbol's value does not move with the base
	Addend    int64
}

// Relocate gives the module's segments as they are when loaded at base (their
// addresses are base+Addr), with fresh copies of the data and relocations
// applied. resolve gives addresses of symbols that the module does not define;
// it may be nil. Undefined symbols that no relocation needs are ignored: OpenCL
// kernels have them for dynamic local memory.
//
// Debug information and symbols speak of base 0.
func (m *Module) Relocate(base uint64, resolve func(name string) (uint64, bool)) ([]Segment, error) {
	image := slices.Clone(m.Segments)
	for i := range image {
		s := &image[i]
		s.Data = slices.Clone(s.Data)
		if end := s.Addr + s.MemSize; base > ^end {
			return nil, fmt.Errorf("segment %s at %#x does not fit above base %#x", s.Name, s.Addr, base)
		}
		s.Addr += base
	}
	for _, r := range m.Relocs {
		if err := apply(image, r, base, resolve); err != nil {
			return nil, &RelocError{r, err}
		}
	}
	return image, nil
}

func apply(image []Segment, r Reloc, base uint64, resolve func(name string) (uint64, bool)) error {
	rule, ok := relocRules[r.Type]
	if !ok {
		return fmt.Errorf("type %w in linked code", ErrUnsupported)
	}
	if rule.size == 0 {
		return nil
	}
	s := r.Value
	switch {
	case r.Undefined:
		if s, ok = resolveUndefined(r, resolve); !ok {
			return ErrUndefinedSymbol
		}
	case !r.Absolute:
		s += base
	}
	place := base + r.Addr
	to := placeIn(image, place, uint64(rule.size))
	if to == nil {
		return fmt.Errorf("%d bytes at the place are not in the initialized part of a segment", rule.size)
	}
	v := rule.value(s, uint64(r.Addend), place, base)
	if rule.fits != nil && !rule.fits(v) {
		return fmt.Errorf("value %#x does not fit in %d bits", v, 8*rule.size)
	}
	switch rule.size {
	case 2:
		binary.LittleEndian.PutUint16(to, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(to, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(to, v)
	}
	return nil
}

func resolveUndefined(r Reloc, resolve func(name string) (uint64, bool)) (uint64, bool) {
	if resolve != nil {
		if addr, ok := resolve(r.Symbol); ok {
			return addr, true
		}
	}
	return 0, r.Weak
}

// placeIn gives the size bytes at addr of the image, or nil.
func placeIn(image []Segment, addr, size uint64) []byte {
	i, found := slices.BinarySearchFunc(image, addr, func(s Segment, addr uint64) int { return cmp.Compare(s.Addr, addr) })
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	off := addr - image[i].Addr
	if n := uint64(len(image[i].Data)); off > n || size > n-off {
		return nil
	}
	return image[i].Data[off : off+size]
}

// dynamic holds the entries of the dynamic section that matter to a loader.
type dynamic map[elf.DynTag]uint64

// readDynamic reads the PT_DYNAMIC segment; nil if there is none. Of entries
// that occur twice the first counts.
func (m *Module) readDynamic() (dynamic, error) {
	for _, p := range m.file.progs {
		if elf.ProgType(p.Type) != elf.PT_DYNAMIC {
			continue
		}
		b, err := m.file.bytes("dynamic section", p.Off, p.Filesz)
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
func (m *Module) dynTable(dyn dynamic, addr, size elf.DynTag) ([]byte, error) {
	at, ok := dyn[addr]
	if !ok {
		return nil, nil
	}
	b, ok := m.bytesAt(at, dyn[size])
	if !ok && dyn[size] != 0 {
		return nil, &FormatError{Offset: -1, What: fmt.Sprintf("%v table of %d bytes at address %#x is not in a segment", addr, dyn[size], at)}
	}
	return b, nil
}

// Relative relocations in DT_RELR form are small: one word stands for up to 63
// of them. More than this many is a hostile file.
const maxRelocs = 4 << 20

// readRelocs reads the dynamic relocations of all kinds (System V ABI, "Dynamic
// Section" and "Relocation").
func (m *Module) readRelocs(dyn dynamic) error {
	symbols, err := m.dynSymbols(dyn)
	if err != nil {
		return err
	}
	type table struct {
		addr, size elf.DynTag
		rela       bool
	}
	tables := []table{
		{elf.DT_RELA, elf.DT_RELASZ, true},
		{elf.DT_REL, elf.DT_RELSZ, false},
		{elf.DT_JMPREL, elf.DT_PLTRELSZ, elf.DynTag(dyn[elf.DT_PLTREL]) == elf.DT_RELA},
	}
	for _, t := range tables {
		b, err := m.dynTable(dyn, t.addr, t.size)
		if err != nil {
			return err
		}
		if err := m.readRelocTable(b, t.rela, symbols); err != nil {
			return fmt.Errorf("%v: %w", t.addr, err)
		}
	}
	b, err := m.dynTable(dyn, dtRelr, dtRelrSize)
	if err != nil {
		return err
	}
	return m.readRelr(b)
}

// Tags of the compact form of relative relocations (System V ABI, "Relative
// Relocation Table"), which debug/elf does not have.
const (
	dtRelrSize elf.DynTag = 35
	dtRelr     elf.DynTag = 36
)

// readRelocTable reads REL or RELA entries. A REL entry's addend is what the
// place holds.
func (m *Module) readRelocTable(b []byte, rela bool, symbols *dynSymbols) error {
	size := elfRelSize
	if rela {
		size = elfRelaSize
	}
	if len(b)%size != 0 {
		return &FormatError{Offset: -1, What: fmt.Sprintf("relocation table of %d bytes", len(b)), Want: fmt.Sprintf("entries have %d", size)}
	}
	for ; len(b) > 0; b = b[size:] {
		r := Reloc{Addr: le64(b), Type: RelocType(elf.R_TYPE64(le64(b[8:])))}
		if rela {
			r.Addend = int64(le64(b[16:]))
		} else if implicit, ok := m.implicitAddend(r); ok {
			r.Addend = implicit
		} else {
			return &RelocError{r, errors.New("the place with its addend is not in a segment")}
		}
		if index := elf.R_SYM64(le64(b[8:])); index != 0 {
			if err := symbols.fill(&r, index); err != nil {
				return &RelocError{r, err}
			}
		}
		m.Relocs = append(m.Relocs, r)
	}
	return nil
}

func (m *Module) implicitAddend(r Reloc) (int64, bool) {
	b, ok := m.bytesAt(r.Addr, uint64(relocRules[r.Type].size))
	switch {
	case !ok:
		return 0, false
	case len(b) == 8:
		return int64(le64(b)), true
	case len(b) == 4:
		return int64(int32(le32(b))), true
	case len(b) == 2:
		return int64(int16(le16(b))), true
	}
	return 0, true
}

// readRelr reads relative relocations in compact form: an even word is the
// address of a place, an odd word has a bit for each of the 63 places after it.
func (m *Module) readRelr(b []byte) error {
	if len(b)%8 != 0 {
		return &FormatError{Offset: -1, What: fmt.Sprintf("DT_RELR: table of %d bytes", len(b)), Want: "entries have 8"}
	}
	add := func(addr uint64) error {
		r := Reloc{Addr: addr, Type: RelocRelative64}
		addend, ok := m.implicitAddend(r)
		if !ok {
			return &RelocError{r, errors.New("the place with its addend is not in a segment")}
		}
		if len(m.Relocs) >= maxRelocs {
			return &FormatError{Offset: -1, What: fmt.Sprintf("DT_RELR: more than %d relocations", maxRelocs), Err: ErrUnsupported}
		}
		r.Addend = addend
		m.Relocs = append(m.Relocs, r)
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
	m     *Module
	table uint64
	names *stringTable
	seen  map[uint32]Reloc // what fill has found out: relocations share symbols
}

func (m *Module) dynSymbols(dyn dynamic) (*dynSymbols, error) {
	names, err := m.dynTable(dyn, elf.DT_STRTAB, elf.DT_STRSZ)
	if err != nil {
		return nil, err
	}
	if size, ok := dyn[elf.DT_SYMENT]; ok && size != elfSymSize {
		return nil, &FormatError{Offset: -1, What: fmt.Sprintf("dynamic symbols of %d bytes", size), Want: fmt.Sprintf("want %d", elfSymSize)}
	}
	return &dynSymbols{m, dyn[elf.DT_SYMTAB], newStringTable(names, 0), map[uint32]Reloc{}}, nil
}

// fill copies to a relocation what it needs to know of its symbol.
func (d *dynSymbols) fill(r *Reloc, index uint32) error {
	sym, ok := d.seen[index]
	if !ok {
		b, ok := d.m.bytesAt(d.table+uint64(index)*elfSymSize, elfSymSize)
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
