package loader

import (
	"encoding/binary"
	"fmt"
	"slices"

	"simtgdb/loader/printable"
)

// A RelocRule says how a relocation of one type is computed from S (the
// symbol's address), A (the addend), P (the place) and B (the load address).
type RelocRule struct {
	Name  string // "R_AMDGPU_ABS64"
	Size  int    // bytes that are changed: 0, 1, 2, 4 or 8
	Value func(s, a, p, b uint64) uint64
	Fits  func(v uint64) bool // nil: any value does, its high part is dropped on purpose
}

// RelocRules are the relocations of one machine, by the type's number.
type RelocRules struct {
	Prefix   string // of the names: "R_AMDGPU"
	Relative uint32 // the type that the entries of DT_RELR have
	ByType   map[uint32]*RelocRule
}

// Reloc makes a relocation of a type.
func (t *RelocRules) Reloc(typ uint32) Reloc {
	if rule := t.ByType[typ]; rule != nil {
		return Reloc{Type: rule.Name, Rule: rule}
	}
	return Reloc{Type: fmt.Sprintf("%s type %d", t.Prefix, typ)}
}

// Reloc is a relocation that is left for whoever loads the module.
type Reloc struct {
	Addr      uint64     // of the place, before a base is added
	Type      string     // name of the type
	Rule      *RelocRule // nil: not known, the module cannot be relocated
	Symbol    string     // empty if it needs none
	Value     uint64     // of the symbol, before a base is added
	Undefined bool       // the symbol is defined elsewhere
	Weak      bool       // and is zero if it is defined nowhere
	Absolute  bool       // the symbol's value does not move with the base
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
			return nil, fmt.Errorf("segment %s at %#x does not fit above base %#x", printable.Name(s.Name),
				s.Addr, base)
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
	rule := r.Rule
	if rule == nil {
		return fmt.Errorf("type %w in linked code", ErrUnsupported)
	}
	if rule.Size == 0 {
		return nil
	}
	s := r.Value
	switch {
	case r.Undefined:
		var ok bool
		if s, ok = resolveUndefined(r, resolve); !ok {
			return ErrUndefinedSymbol
		}
	case !r.Absolute:
		s += base
	}
	place := base + r.Addr
	to, ok := bytesAt(image, place, uint64(rule.Size))
	if !ok {
		return fmt.Errorf("%d bytes at the place are not in the initialized part of a segment", rule.Size)
	}
	return rule.apply(to, s, uint64(r.Addend), place, base)
}

// Apply relocates a place of which to has the bytes, at least Size of them. It
// is for relocatable files, whose sections a reader has placed: symbol and place
// are addresses, in sections that are loaded nowhere (debug information) offsets.
func (r *RelocRule) Apply(to []byte, symbol uint64, addend int64, place uint64) error {
	return r.apply(to, symbol, uint64(addend), place, 0)
}

func (r *RelocRule) apply(to []byte, s, a, p, b uint64) error {
	if r.Size == 0 {
		return nil
	}
	v := r.Value(s, a, p, b)
	if r.Fits != nil && !r.Fits(v) {
		return fmt.Errorf("value %#x does not fit in %d bits", v, 8*r.Size)
	}
	switch r.Size {
	case 1:
		to[0] = byte(v)
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
