package patchtoken

import (
	"encoding/binary"
	"fmt"
	"slices"

	"simtgdb/loader"
	"simtgdb/loader/zebin"
)

// Where code and data are laid out. Code addresses in registers have 32 bits; none is near 0.
const (
	codeBase     = 0x1_0000
	sectionAlign = 0x1000
)

// Names of the segments of variables, which are a zebin's.
const (
	constants = ".data.const"
	variables = ".data.global"
)

// A program is a device binary while it is read.
type program struct {
	object *zebin.Object

	registerBytes int // of a general register
	code          []loader.Segment
	data          map[string][]byte // of variables, by the segment's name
	pointers      []pointer
	kernels       []*zebin.Kernel
	symbols       []symbol
	relocs        []reloc

	next      uint64            // address that is free
	addresses map[string]uint64 // of variables
	err       error
}

// A pointer is a place in variables that is to have the address of others: what is there is an offset in
// them.
type pointer struct {
	in, to string
	offset uint64
}

// A symbol of a kernel's code or of the variables, and a relocation of a kernel's code.
type (
	symbol struct {
		kind, offset, size uint32
		name               string
		kernel             int // that it is in
	}
	reloc struct {
		kind, offset uint32
		name         string
		kernel       int
	}
)

// globals reads the program's own tokens: variables and what points to variables in them.
func (p *program) globals(r *reader) {
	p.data, p.addresses = map[string][]byte{}, map[string]uint64{}
	for r.err == nil && r.at < len(r.b) {
		start := r.at
		h := r.dwords(2, "a token")
		if r.err != nil {
			break
		}
		if h[1] < 8 {
			r.fail("token %d says that it has %d bytes", h[0], h[1])
			break
		}
		body := &reader{b: r.bytes(h[1]-8, "a token"), off: r.off + int64(start) + 8}
		switch h[0] {
		case tokenGlobals, tokenConstants:
			name, v := constants, body.dwords(2, "a token")
			if h[0] == tokenGlobals {
				name, v = variables, append(v, body.dwords(1, "a token")...)[1:]
			}
			if body.err == nil && r.err == nil {
				p.data[name] = append(p.data[name], r.bytes(v[1], "variables")...)
			}
		case tokenGlobalPointer, tokenConstantPointer:
			in, v := constants, body.dwords(5, "a token")
			if h[0] == tokenGlobalPointer {
				in = variables
			}
			to := constants
			if v[3] == 0 {
				to = variables
			}
			p.pointers = append(p.pointers, pointer{in, to, uint64(v[1]) | uint64(v[2])<<32})
		case tokenSymbols:
			p.symbolTable(body, -1)
		}
		if r.err == nil {
			r.err = body.err
		}
	}
	if p.err == nil {
		p.err = r.err
	}
}

// entries reads a table's count, and gives the bytes of the names that its entries end with, behind some
// numbers: versions of IGC differ in it.
func entries(r *reader, numbers int) (n, name uint32) {
	n = r.dwords(1, "a table")[0]
	rest := len(r.b) - r.at
	if r.err != nil || n == 0 {
		return 0, 0
	}
	size := rest / int(n)
	if size <= 4*numbers {
		r.fail("a table of %d entries in %d bytes", n, rest)
		return 0, 0
	}
	return n, uint32(size - 4*numbers)
}

// symbolTable reads functions and variables.
func (p *program) symbolTable(r *reader, kernel int) {
	n, size := entries(r, 3)
	for ; n > 0 && r.err == nil; n-- {
		v := r.dwords(3, "a symbol")
		name := text(r.bytes(size, "a symbol"))
		p.symbols = append(p.symbols, symbol{v[0], v[1], v[2], name, kernel})
	}
}

// relocTable reads relocations of a kernel's code.
func (p *program) relocTable(r *reader, kernel int) {
	n, size := entries(r, 2)
	for ; n > 0 && r.err == nil; n-- {
		v := r.dwords(2, "a relocation")
		p.relocs = append(p.relocs, reloc{v[0], v[1], text(r.bytes(size, "a relocation")), kernel})
	}
}

// kernel reads a kernel: its header, name, code, heaps and tokens.
func (p *program) kernel(r *reader) {
	const nameSize, list, code, general, dynamic, surface, unpadded, headerDwords = 3, 4, 5, 6, 7, 8, 9, 10
	start := r.off + int64(r.at)
	h := r.dwords(headerDwords, "a kernel's header")
	k := &zebin.Kernel{Name: text(r.bytes(h[nameSize], "a kernel's name"))}
	heap := r.bytes(h[code], "a kernel's code")
	r.bytes(h[general], "a kernel's heap")
	samplers := r.bytes(h[dynamic], "a kernel's samplers")
	surfaces := r.bytes(h[surface], "a kernel's surfaces")
	at := r.off + int64(r.at)
	tokens := r.bytes(h[list], "a kernel's tokens")
	if r.err != nil {
		return
	}
	if k.Name == "" {
		p.err = &loader.FormatError{Offset: start, What: "a kernel without a name"}
		return
	}
	t := &kernelTokens{Kernel: k, program: p, number: len(p.kernels), surfaces: surfaces,
		entries: map[uint32]int{}}
	t.samplers.heap = samplers
	if err := t.read(&reader{b: tokens, off: at}); err != nil {
		p.err = &loader.KernelError{Kernel: k.Name, Err: err}
		return
	}
	heap = heap[:min(uint64(h[unpadded]), uint64(len(heap)))]
	p.kernels = append(p.kernels, k)
	p.code = append(p.code, p.place(k.Name, heap))
}

// place gives a segment the next addresses.
func (p *program) place(name string, data []byte) loader.Segment {
	s := loader.Segment{Name: name, Addr: max(p.next, codeBase), MemSize: uint64(len(data)), Data: data,
		Read: true}
	p.next = (s.Addr + s.MemSize + 2*sectionAlign - 1) &^ (sectionAlign - 1)
	return s
}

// module makes the module of what was read.
func (p *program) module(d device) (*loader.Module, error) {
	m := loader.Module{Format: "patch tokens",
		Target: loader.Target{Name: d.generation, ID: d.generation + " (" + d.name + ")"}, Native: p.object}
	for i, k := range p.kernels {
		s := p.code[i]
		s.Exec = true
		m.Segments = append(m.Segments, s)
		if k.Name == zebin.NotAKernel {
			continue
		}
		p.object.Kernels = append(p.object.Kernels, k)
		m.Kernels = append(m.Kernels, k.Neutral(s.Addr))
		m.Symbols = append(m.Symbols, loader.Symbol{Name: k.Name, Addr: s.Addr, Size: s.MemSize,
			Kind: loader.SymbolFunc, Global: true, Section: s.Name})
	}
	for _, name := range []string{constants, variables} {
		if data, there := p.data[name]; there {
			s := p.place(name, data)
			s.Write = name == variables
			m.Segments = append(m.Segments, s)
			p.addresses[name] = s.Addr
		}
	}
	for _, k := range p.kernels {
		k.Constants, k.Variables = p.addresses[constants], p.addresses[variables]
	}
	m.Segments = slices.DeleteFunc(m.Segments, func(s loader.Segment) bool { return s.MemSize == 0 })
	if err := p.link(&m); err != nil {
		return nil, err
	}
	return loader.New(m)
}

// link gives the module symbols, and relocations of code and of pointers among variables.
func (p *program) link(m *loader.Module) error {
	const kindFunction, kindVariable, kindConstant, kindKernel = 2, 3, 4, 6 // GenSymType
	byName := map[string]loader.Symbol{}
	for _, s := range p.symbols {
		n := loader.Symbol{Name: s.name, Size: uint64(s.size), Kind: loader.SymbolObject, Global: true}
		switch {
		case s.kind == kindVariable:
			n.Addr, n.Section = p.addresses[variables]+uint64(s.offset), variables
		case s.kind == kindConstant:
			n.Addr, n.Section = p.addresses[constants]+uint64(s.offset), constants
		case (s.kind == kindFunction || s.kind == kindKernel) && s.kernel >= 0:
			n.Addr, n.Section = p.code[s.kernel].Addr+uint64(s.offset), p.code[s.kernel].Name
			n.Kind = loader.SymbolFunc
		default:
			continue
		}
		if _, twice := byName[s.name]; !twice {
			byName[s.name] = n
			m.Symbols = append(m.Symbols, n)
		}
	}
	for _, r := range p.relocs {
		s, there := byName[r.name]
		out := zebin.Relocations.Reloc(r.kind)
		out.Addr, out.Symbol, out.Value, out.Undefined = p.code[r.kernel].Addr+uint64(
			r.offset), r.name, s.Addr, !there
		m.Relocs = append(m.Relocs, out)
	}
	for _, v := range p.pointers {
		data := p.data[v.in]
		if v.offset > uint64(len(data)) || uint64(len(data))-v.offset < 8 {
			return &loader.FormatError{Offset: -1,
				What: fmt.Sprintf("a pointer at %#x of %d bytes of variables",
					v.offset, len(data))}
		}
		out := zebin.Relocations.Reloc(1)
		out.Addr, out.Symbol = p.addresses[v.in]+v.offset, v.to
		out.Value = p.addresses[v.to] + binary.LittleEndian.Uint64(data[v.offset:])
		m.Relocs = append(m.Relocs, out)
	}
	return nil
}
