package loader

import (
	"debug/elf"
	"fmt"
	"sort"
	"strings"

	"simtgdb/loader/msgpack"
)

// Format is the kind of file a module was read from.
type Format string

// FormatAMDGPU is a linked AMDGPU code object for the HSA ABI.
const FormatAMDGPU Format = "AMDGPU code object"

// Module is a loadable piece of GPU code. It keeps the bytes it was opened
// from; they must not change afterwards. A Module is not changed by its
// methods, so it may be used from several goroutines.
type Module struct {
	Format   Format
	Target   Target
	BundleID string // entry ID, if the module was an entry of an offload bundle

	Segments []Segment // in ascending order of address, without overlap
	Kernels  []Kernel  // in the order of the metadata, or of addresses if there is none
	Symbols  []Symbol  // as in the symbol table, without the null entry
	Relocs   []Reloc   // dynamic relocations

	Printf          []string // formats of OpenCL printf calls, "ID:N:SIZE1:...:SIZEN:FORMAT"
	MetadataVersion [2]int   // amdhsa.version; zero without metadata
	Metadata        msgpack.Value
	Warnings        []string // oddities that do not hinder running the code

	file   *elfFile
	byAddr []addrSymbol
}

// Segment is a range of memory with the same access rights.
type Segment struct {
	Name    string // sections in it, as ".data+.bss"; "segment N" if the file has none
	Addr    uint64
	MemSize uint64
	Data    []byte // the first bytes; those up to MemSize are zero
	Read    bool
	Write   bool
	Exec    bool
}

// Contains tells whether size bytes at addr lie in the segment.
func (s *Segment) Contains(addr, size uint64) bool {
	return addr >= s.Addr && addr-s.Addr <= s.MemSize && size <= s.MemSize-(addr-s.Addr)
}

// maxMemSize bounds the memory a module may ask for, all segments together: a
// file says it in one number, and whoever loads the module has to find it.
const maxMemSize = 4 << 30

// Kernel finds a kernel by its name, by the name of its descriptor symbol
// ("NAME.kd"), or, if that is unique, by the plain name of a C++ function
// ("vecadd" for _Z6vecaddPKfPfi). The error lists the kernels that are there.
func (m *Module) Kernel(name string) (*Kernel, error) {
	bare := strings.TrimSuffix(name, descriptorSuffix)
	var plain []*Kernel
	for i := range m.Kernels {
		k := &m.Kernels[i]
		if k.Name == name || k.Symbol == name || k.Name == bare || k.Symbol == bare+descriptorSuffix {
			return k, nil
		}
		if bare != "" && PlainName(k.Name) == bare {
			plain = append(plain, k)
		}
	}
	switch len(plain) {
	case 1:
		return plain[0], nil
	case 0:
		return nil, &KernelError{Kernel: name, Available: kernelNames(m.Kernels), Err: ErrNoKernel}
	}
	names := make([]string, len(plain))
	for i, k := range plain {
		names[i] = k.Name
	}
	return nil, &KernelError{Kernel: name, Available: names, Err: ErrAmbiguousKernel}
}

func kernelNames(kernels []Kernel) []string {
	names := make([]string, len(kernels))
	for i := range kernels {
		names[i] = kernels[i].Name
	}
	return names
}

// PlainName gives the last component of the name of a C++ function mangled by
// the Itanium ABI ("<unscoped-name>" or the end of a "<nested-name>"), without
// namespaces, template arguments and parameter types; "" if that is not the
// form of the name.
func PlainName(mangled string) string {
	rest, ok := strings.CutPrefix(mangled, "_Z")
	if !ok {
		return ""
	}
	nested := false
	if r, ok := strings.CutPrefix(rest, "N"); ok {
		rest, nested = strings.TrimLeft(r, "rVK"), true
	} else {
		rest = strings.TrimPrefix(rest, "L")
	}
	last := ""
	for {
		n, digits := 0, 0
		for digits < len(rest) && digits < 6 && rest[digits] >= '0' && rest[digits] <= '9' {
			n = n*10 + int(rest[digits]-'0')
			digits++
		}
		if digits == 0 || n > len(rest)-digits {
			return last
		}
		last, rest = rest[digits:digits+n], rest[digits+n:]
		if !nested {
			return last
		}
	}
}

// SymbolKind is what a symbol stands for.
type SymbolKind uint8

// The kinds, from ELF's STT_* types.
const (
	SymbolNone SymbolKind = iota // a label without a type
	SymbolObject
	SymbolFunc
	SymbolSection
	SymbolFile
	SymbolOther
)

func (k SymbolKind) String() string {
	if int(k) < len(symbolKindNames) {
		return symbolKindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

var symbolKindNames = [...]string{"none", "object", "func", "section", "file", "other"}

var symbolKinds = map[elf.SymType]SymbolKind{
	elf.STT_NOTYPE:  SymbolNone,
	elf.STT_OBJECT:  SymbolObject,
	elf.STT_FUNC:    SymbolFunc,
	elf.STT_SECTION: SymbolSection,
	elf.STT_FILE:    SymbolFile,
}

// Symbol is an entry of the symbol table.
type Symbol struct {
	Name      string
	Addr      uint64 // or the value, if Absolute
	Size      uint64
	Kind      SymbolKind
	Global    bool // visible to other modules: bound global or weak
	Weak      bool
	Undefined bool
	Absolute  bool   // a number, not an address: clang's NAME.num_vgpr and the like
	Section   string // where it is defined; empty if nowhere or unknown
}

// Symbol finds a symbol by name; a global one before local ones.
func (m *Module) Symbol(name string) (Symbol, bool) {
	found := -1
	for i := range m.Symbols {
		if m.Symbols[i].Name != name {
			continue
		}
		if m.Symbols[i].Global {
			return m.Symbols[i], true
		}
		if found < 0 {
			found = i
		}
	}
	if found < 0 {
		return Symbol{}, false
	}
	return m.Symbols[found], true
}

// addrSymbol is an entry of the index of symbols by address.
type addrSymbol struct {
	addr, end uint64 // [addr, end); end == addr for symbols without a size
	reach     uint64 // the highest end of this and all earlier entries
	symbol    int
}

// indexSymbols prepares SymbolAt. Equal addresses are ordered so that the
// symbol to report comes last: functions after objects after labels, short
// after long, global after local.
func (m *Module) indexSymbols() {
	for i := range m.Symbols {
		s := &m.Symbols[i]
		if s.Undefined || s.Absolute || s.Name == "" || s.Kind > SymbolFunc || s.Size > ^s.Addr {
			continue
		}
		m.byAddr = append(m.byAddr, addrSymbol{addr: s.Addr, end: s.Addr + s.Size, symbol: i})
	}
	sort.SliceStable(m.byAddr, func(i, j int) bool {
		a, b := &m.byAddr[i], &m.byAddr[j]
		if a.addr != b.addr {
			return a.addr < b.addr
		}
		x, y := &m.Symbols[a.symbol], &m.Symbols[b.symbol]
		switch {
		case x.Kind != y.Kind:
			return x.Kind < y.Kind
		case x.Size != y.Size:
			return x.Size > y.Size
		}
		return !x.Global && y.Global
	})
	var reach uint64
	for i := range m.byAddr {
		reach = max(reach, m.byAddr[i].end)
		m.byAddr[i].reach = reach
	}
}

// SymbolAt finds the innermost function or object that covers an address, and
// how far into it the address is. Where none does, it is the nearest label
// without a size (as in hand-written assembly) before the address in the same
// segment.
func (m *Module) SymbolAt(addr uint64) (sym Symbol, offset uint64, ok bool) {
	seg := m.segmentAt(addr)
	if seg == nil {
		return Symbol{}, 0, false
	}
	first := sort.Search(len(m.byAddr), func(i int) bool { return m.byAddr[i].addr > addr }) - 1
	for i := first; i >= 0 && m.byAddr[i].reach > addr; i-- {
		if e := &m.byAddr[i]; addr < e.end {
			return m.Symbols[e.symbol], addr - e.addr, true
		}
	}
	// A sized symbol ends what the label before it names.
	if first >= 0 && m.byAddr[first].addr >= seg.Addr {
		if e := &m.byAddr[first]; e.end == e.addr {
			return m.Symbols[e.symbol], addr - e.addr, true
		}
	}
	return Symbol{}, 0, false
}

// segmentAt finds the segment that has the address, or nil.
func (m *Module) segmentAt(addr uint64) *Segment {
	i := sort.Search(len(m.Segments), func(i int) bool { return m.Segments[i].Addr > addr }) - 1
	if i < 0 || !m.Segments[i].Contains(addr, 1) {
		return nil
	}
	return &m.Segments[i]
}

// bytesAt gives size bytes of the file that are loaded at addr.
func (m *Module) bytesAt(addr, size uint64) ([]byte, bool) {
	s := m.segmentAt(addr)
	if s == nil {
		return nil, false
	}
	off := addr - s.Addr
	if off > uint64(len(s.Data)) || size > uint64(len(s.Data))-off {
		return nil, false
	}
	return s.Data[off : off+size : off+size], true
}

// warn adds to Warnings.
func (m *Module) warn(format string, args ...any) {
	m.Warnings = append(m.Warnings, fmt.Sprintf(format, args...))
}
