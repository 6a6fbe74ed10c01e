package loader

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// Module is a loadable piece of GPU code. It may alias the bytes it was read
// from; they must not change afterwards. A Module is not changed by its
// methods, so it may be used from several goroutines.
//
// A reader fills the fields and gives them to [New]: the methods that look up
// symbols and sections by name or address work only on what New returns.
type Module struct {
	Format   string // for people: "AMDGPU code object"
	Target   Target
	BundleID string // entry ID, if the module was an entry of an offload bundle

	Segments []Segment // in ascending order of address, without overlap
	Kernels  []Kernel  // in the order of the file
	Symbols  []Symbol  // in the order of the file
	Sections []Section // in the order of the file; debug sections have the names that DWARF gives them
	Relocs   []Reloc   // that depend on where the module is loaded

	Image    []byte   // the linked file that it was read from, of a bundle the entry; nil if it is none
	Warnings []string // oddities that do not hinder running the code
	Native   any      // the format's own object, such as *amdgpu.Object

	byAddr    []addrSymbol
	bySection map[string]int // the first section of each name
}

// Target is what code was compiled for, as the format calls it.
type Target struct {
	Name string // of the processor: "gfx90a", "gen9", "sm_70"
	ID   string // with all settings: "amdgcn-amd-amdhsa--gfx90a:xnack+"; empty if the name is all
}

func (t Target) String() string {
	if t.ID != "" {
		return t.ID
	}
	return t.Name
}

// Segment is a range of memory with the same access rights.
type Segment struct {
	Name    string // for people; ELF: the sections in it, as ".data+.bss", or "segment N"
	Addr    uint64
	MemSize uint64
	Data    []byte // the first bytes; those up to MemSize are zero
	Read    bool
	Write   bool
	Exec    bool
}

// Contains reports whether size bytes at addr lie in the segment.
func (s *Segment) Contains(addr, size uint64) bool {
	return addr >= s.Addr && addr-s.Addr <= s.MemSize && size <= s.MemSize-(addr-s.Addr)
}

// Used is a segment without the bytes at its start that only serve the dynamic linker, if it is linked to
// address 0: a null pointer leads nowhere. It has no bytes if it has no others.
func (m *Module) Used(s Segment) Segment {
	if s.Addr != 0 || s.Exec || len(m.Sections) == 0 {
		return s
	}
	skip := s.MemSize
	for _, sec := range m.Sections {
		program := sec.Type == "SHT_PROGBITS" || sec.Type == "SHT_NOBITS"
		if program && sec.Addr != 0 && s.Contains(sec.Addr, 1) {
			skip = min(skip, sec.Addr-s.Addr)
		}
	}
	s.Addr, s.MemSize, s.Data = s.Addr+skip, s.MemSize-skip, s.Data[min(skip, uint64(len(s.Data))):]
	return s
}

// MaxMemSize bounds the memory a module may ask for, all segments together: a
// file says it in one number, and whoever loads the module has to find it.
const MaxMemSize = 4 << 30

// New makes a module of its parts: the exported fields, of which any may be
// empty. It checks that segments are in order, do not overlap, do not wrap
// around and are together no larger than [MaxMemSize], and that kernels have
// names of their own, and makes the indexes that lookups need.
func New(parts Module) (*Module, error) {
	m := &parts
	if err := checkSegments(m.Segments); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range m.Kernels {
		name := m.Kernels[i].Name
		if seen[name] {
			return nil, &KernelError{Kernel: name, Err: errors.New("two kernels of this name")}
		}
		seen[name] = true
	}
	m.byAddr = indexSymbols(m.Symbols)
	m.bySection = make(map[string]int, len(m.Sections))
	for i := range m.Sections {
		if _, twice := m.bySection[m.Sections[i].Name]; !twice {
			m.bySection[m.Sections[i].Name] = i
		}
	}
	return m, nil
}

func checkSegments(segments []Segment) error {
	var before extents
	for i := range segments {
		s := &segments[i]
		if what, want := before.add(s.Addr, s.MemSize, uint64(len(s.Data))); what != "" {
			return &FormatError{Offset: -1, What: fmt.Sprintf("segment %.100q: %s", s.Name, what), Want: want}
		}
	}
	return nil
}

// extents are those of segments, in the order of their addresses.
type extents struct{ total, end uint64 }

// add adds the next, or says what is wrong with it and what was expected.
func (e *extents) add(addr, memSize, dataSize uint64) (what, want string) {
	switch {
	case memSize < dataSize:
		return fmt.Sprintf("%d bytes in memory, %d in the file", memSize, dataSize), ""
	case memSize > ^addr:
		return fmt.Sprintf("%#x bytes at address %#x", memSize, addr), ""
	case addr < e.end:
		return fmt.Sprintf("at address %#x", addr), fmt.Sprintf("the one before it ends at %#x", e.end)
	case memSize > MaxMemSize-e.total:
		return fmt.Sprintf("%d bytes in memory", memSize), fmt.Sprintf("segments may have %d bytes together",
			uint64(MaxMemSize))
	}
	e.total, e.end = e.total+memSize, addr+memSize
	return "", ""
}

// Kernel finds a kernel by its name, by the name of its descriptor symbol
// ("NAME.kd"), or, if that is unique, by the plain name of a C++ function
// ("vecadd" for _Z6vecaddPKfPfi). The error lists the kernels that are there.
func (m *Module) Kernel(name string) (*Kernel, error) {
	var plain []*Kernel
	for i := range m.Kernels {
		k := &m.Kernels[i]
		if k.Name == name || k.Symbol == name && name != "" {
			return k, nil
		}
		if name != "" && PlainName(k.Name) == name {
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

// SegmentAt finds the segment that has the address, or gives nil.
func (m *Module) SegmentAt(addr uint64) *Segment { return segmentAt(m.Segments, addr) }

func segmentAt(segments []Segment, addr uint64) *Segment {
	i := sort.Search(len(segments), func(i int) bool { return segments[i].Addr > addr }) - 1
	if i < 0 || !segments[i].Contains(addr, 1) {
		return nil
	}
	return &segments[i]
}

// BytesAt gives size bytes of the file that are loaded at addr. It is false
// where they do not all lie in the initialized part of one segment.
func (m *Module) BytesAt(addr, size uint64) ([]byte, bool) { return bytesAt(m.Segments, addr, size) }

func bytesAt(segments []Segment, addr, size uint64) ([]byte, bool) {
	s := segmentAt(segments, addr)
	if s == nil {
		return nil, false
	}
	off := addr - s.Addr
	if off > uint64(len(s.Data)) || size > uint64(len(s.Data))-off {
		return nil, false
	}
	return s.Data[off : off+size : off+size], true
}

// Warn adds to Warnings.
func (m *Module) Warn(format string, args ...any) {
	m.Warnings = append(m.Warnings, fmt.Sprintf(format, args...))
}
