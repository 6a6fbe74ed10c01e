package objfile

import (
	"debug/elf"
	"fmt"
)

// A relocKind is how a relocation of debug sections is computed: S+A, or S+A-P
// where it is relative, in so many bytes; none at all for 0 bytes.
type relocKind struct {
	size     int
	relative bool
}

// The relocations that assemblers leave in debug sections. Those for
// thread-local storage stand for the symbol's offset in the module's block.
var (
	x86Relocs = map[uint32]relocKind{
		uint32(elf.R_X86_64_NONE):     {},
		uint32(elf.R_X86_64_64):       {size: 8},
		uint32(elf.R_X86_64_32):       {size: 4},
		uint32(elf.R_X86_64_32S):      {size: 4},
		uint32(elf.R_X86_64_PC32):     {4, true},
		uint32(elf.R_X86_64_PLT32):    {4, true},
		uint32(elf.R_X86_64_PC64):     {8, true},
		uint32(elf.R_X86_64_DTPOFF32): {size: 4},
		uint32(elf.R_X86_64_DTPOFF64): {size: 8},
	}
	aarch64Relocs = map[uint32]relocKind{
		uint32(elf.R_AARCH64_NONE):   {},
		uint32(elf.R_AARCH64_ABS64):  {size: 8},
		uint32(elf.R_AARCH64_ABS32):  {size: 4},
		uint32(elf.R_AARCH64_PREL64): {8, true},
		uint32(elf.R_AARCH64_PREL32): {4, true},
	}
	// AMDGPUUsage, "Relocation Records".
	amdgpuRelocs = map[uint32]relocKind{
		uint32(0): {},
		uint32(3): {size: 8}, // R_AMDGPU_ABS64
		uint32(4): {4, true}, // R_AMDGPU_REL32
		uint32(5): {8, true}, // R_AMDGPU_REL64
		uint32(6): {size: 4}, // R_AMDGPU_ABS32
	}
	// The zebin format: a symbol's address, and the low half of one.
	intelRelocs = map[uint32]relocKind{
		1: {size: 8}, // R_ZE_SYM_ADDR
		2: {size: 4}, // R_ZE_SYM_ADDR_32
	}
)

// A relocator applies relocations to sections of a file that is not linked. Its
// sections are all at address 0, as for llvm-dwarfdump.
type relocator struct {
	file      *elf.File
	kinds     map[uint32]relocKind
	bySection map[int][]int  // the relocation tables of a section
	symbols   map[int][]byte // symbol tables that were read
}

// Sizes and places in tables of ELF64.
const (
	relaSize       = 24
	symSize        = 24
	symValueOffset = 8
)

func (r *relocator) collect() {
	for i, s := range r.file.Sections {
		if (s.Type == elf.SHT_RELA || s.Type == elf.SHT_REL) && s.Size > 0 {
			r.bySection[int(s.Info)] = append(r.bySection[int(s.Info)], i)
		}
	}
	r.symbols = map[int][]byte{}
}

// apply relocates a section's contents.
func (r *relocator) apply(section int, contents []byte) error {
	for _, i := range r.bySection[section] {
		table := r.file.Sections[i]
		if r.kinds == nil || r.file.Class != elf.ELFCLASS64 || table.Type != elf.SHT_RELA {
			return fmt.Errorf("relocations of %v %v are not applied; link the object first", r.file.Machine,
				r.file.Class)
		}
		if err := r.applyTable(table, contents); err != nil {
			return fmt.Errorf("relocations in %.100q: %w", table.Name, err)
		}
	}
	return nil
}

func (r *relocator) applyTable(table *elf.Section, contents []byte) error {
	relocs, err := table.Data()
	if err != nil {
		return err
	}
	symbols, err := r.symbolTable(int(table.Link))
	if err != nil {
		return err
	}
	order := r.file.ByteOrder
	for ; len(relocs) >= relaSize; relocs = relocs[relaSize:] {
		offset, info, addend := order.Uint64(relocs), order.Uint64(relocs[8:]), order.Uint64(relocs[16:])
		symbol := info >> 32
		kind, ok := r.kinds[uint32(info)]
		switch {
		case !ok:
			return fmt.Errorf("at offset 0x%x: type %d of %v is not applied; link the object first", offset,
				uint32(info), r.file.Machine)
		case offset > uint64(len(contents)) || uint64(len(contents))-offset < uint64(kind.size):
			return fmt.Errorf("offset 0x%x is outside of the section, which has %d bytes", offset,
				len(contents))
		case symbol >= uint64(len(symbols)/symSize) && symbol != 0:
			return fmt.Errorf("at offset 0x%x: symbol %d of %d", offset, symbol, len(symbols)/symSize)
		}
		value := addend
		if symbol != 0 {
			value += order.Uint64(symbols[symbol*symSize+symValueOffset:])
		}
		if kind.relative {
			value -= offset
		}
		switch kind.size {
		case 4:
			order.PutUint32(contents[offset:], uint32(value))
		case 8:
			order.PutUint64(contents[offset:], value)
		}
	}
	return nil
}

// symbolTable reads a symbol table once.
func (r *relocator) symbolTable(section int) ([]byte, error) {
	if b, ok := r.symbols[section]; ok {
		return b, nil
	}
	if section >= len(r.file.Sections) {
		return nil, fmt.Errorf("symbol table is section %d of %d", section, len(r.file.Sections))
	}
	b, err := r.file.Sections[section].Data()
	if err != nil {
		return nil, fmt.Errorf("symbol table: %w", err)
	}
	r.symbols[section] = b
	return b, nil
}
