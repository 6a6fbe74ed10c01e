package launch

import (
	"context"
	"encoding/binary"
	"fmt"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/stub/printf/host"
)

// What launches of one program share: memory with names, at addresses that may be
// given, and the variables of the module; and launches that run before the one that
// the file is about.

// A MemorySpec is memory that arguments and pointers refer to by its name.
type MemorySpec struct {
	Name    string
	Address uint64 // 0 for any
	Buffer  BufferSpec
	Heap    string // which part of the heap of malloc it is: host.HeapState, host.HeapBlock; "" for none
	Expect  *Expect
	Out     *File
}

// A SymbolSpec is what a variable of the module holds.
type SymbolSpec struct {
	Name   string
	At     uint64 // bytes into the variable
	Value  []byte // before the launch
	File   File   // in the place of Value
	Expect *Expect
}

// A Place is an address in named memory.
type Place struct {
	Name string
	Add  uint64 // bytes
}

// Bounds on what a launch file may ask for.
const (
	maxMemory   = 1 << 16
	maxSymbols  = 1 << 16
	maxLaunches = 1 << 16
	maxSymbol   = 1 << 30 // bytes of a variable
)

// readMemory reads {"name": "a", "address": "0x2000_0000", "type": "u32", "count": 4}.
func readMemory(v value, f File) (m MemorySpec, err error) {
	typ, init := "", "zero"
	var n *uint64
	err = v.object(schema{
		"name":    stringTo(&m.Name),
		"address": func(v value) error { return readAddress(v, &m.Address) },
		"type":    stringTo(&typ), "count": countTo(&n), "init": listOrStringTo(&init),
		"heap": stringTo(&m.Heap),
		"expect": func(field value) error {
			m.Expect = &Expect{}
			return readExpect(field, f, m.Expect)
		},
	})
	if err != nil {
		return m, err
	}
	if m.Name == "" {
		return m, v.errorf("has no name")
	}
	if m.Buffer, err = makeBuffer(typ, n, init, f.beside); err != nil {
		return m, v.errorf("%w", err)
	}
	return m, nil
}

// readAddress reads a number, or a string with one: JSON has no hexadecimal numbers.
func readAddress(v value, to *uint64) error {
	if v.kind() != "a string" {
		return numberTo(to)(v)
	}
	text := ""
	if err := stringTo(&text)(v); err != nil {
		return err
	}
	n, err := parseCount(text)
	if err != nil {
		return v.errorf("%q is no address", text)
	}
	*to = n
	return nil
}

// readSymbol reads {"name": "weights", "at": 4, "bytes": "00ff"}, or with a file.
func readSymbol(v value, f File) (s SymbolSpec, err error) {
	file := ""
	err = v.object(schema{
		"name": stringTo(&s.Name), "at": numberTo(&s.At), "file": stringTo(&file),
		bytesType: func(field value) error {
			var a Arg
			err := readValue(field, bytesType, &a)
			s.Value = a.Value
			return err
		},
		"expect": func(field value) error {
			s.Expect = &Expect{}
			return readExpect(field, f, s.Expect)
		},
	})
	switch {
	case err != nil:
		return s, err
	case s.Name == "":
		return s, v.errorf("has no name")
	case (file == "") == (s.Value == nil):
		return s, v.errorf("wants bytes or a file, and has both or none")
	}
	if file != "" {
		s.File = f.beside(file)
	}
	return s, nil
}

// readLaunches reads the launches of a file: the last one is what the file is about,
// the others run before it.
func (s *Spec) readLaunches(v value, f File) error {
	list, err := v.elements(maxLaunches)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return v.errorf("has no launch")
	}
	for _, e := range list {
		var one Spec
		if err := e.object(one.callSchema(f)); err != nil {
			return err
		}
		for i := range one.Args {
			if k := one.Args[i].Kind; k == BufferArg || k == ImageArg {
				return e.errorf("argument %d is a buffer: launches share memory, so give it a name there", i)
			}
		}
		s.Before = append(s.Before, one)
	}
	last := s.Before[len(s.Before)-1]
	s.Before = s.Before[:len(s.Before)-1]
	s.Kernel, s.Grid, s.Groups, s.Block, s.Offset =
		last.Kernel, last.Grid, last.Groups, last.Block, last.Offset
	s.LDS, s.Stack, s.Args, s.Together = last.LDS, last.Stack, last.Args, last.Together
	s.WorkDim, s.Cluster = last.WorkDim, last.Cluster
	return nil
}

// named allocates the memory that has names, and sets variables.
func (p *Program) named() error {
	p.places = map[string]*simt.Region{}
	for i := range p.Spec.Memory {
		m := &p.Spec.Memory[i]
		if p.places[m.Name] != nil {
			return fmt.Errorf("memory %s: the name comes twice", printable.Name(m.Name))
		}
		r, err := p.allocateAt(m.Address, "memory "+printable.Name(m.Name), i, &m.Buffer,
			wanted{expect: m.Expect, out: m.Out})
		if err != nil {
			return err
		}
		p.places[m.Name] = r
		if m.Heap == "" {
			continue
		}
		if p.heap == nil {
			p.heap = host.NewHeap(p.Memory)
		}
		if err := p.heap.Adopt(r, m.Heap); err != nil {
			return fmt.Errorf("memory %s: %w", printable.Name(m.Name), err)
		}
	}
	p.Memory.Trim() // what else is allocated is to lie behind what was given an address
	for i := range p.Spec.Symbols {
		if err := p.setSymbol(&p.Spec.Symbols[i]); err != nil {
			return fmt.Errorf("symbol %s: %w", printable.Name(p.Spec.Symbols[i].Name), err)
		}
	}
	return nil
}

// setSymbol sets a variable and reads what is expected of it.
func (p *Program) setSymbol(s *SymbolSpec) error {
	value := s.Value
	if s.File.Path != "" {
		var err error
		if value, err = s.File.read(maxSymbol); err != nil {
			return err
		}
	}
	for _, sym := range p.Module.Symbols {
		if sym.Name != s.Name || sym.Undefined || sym.Kind != loader.SymbolObject {
			continue
		}
		r := p.Memory.Find(sym.Addr)
		if s.At > sym.Size || uint64(len(value)) > sym.Size-s.At || r == nil || !r.Holds(sym.Addr, sym.Size) {
			return fmt.Errorf("%d bytes at %d do not fit into %d", len(value), s.At, sym.Size)
		}
		data := r.Data[sym.Addr-r.Base+s.At:][:len(value)]
		copy(data, value)
		if s.Expect == nil {
			return nil
		}
		b := Buffer{Arg: -1, Name: "symbol " + printable.Name(s.Name), wanted: wanted{expect: s.Expect},
			data: data, Spec: &BufferSpec{Type: "u8", Count: uint64(len(value))},
			want: make([]byte, len(value))}
		if err := readExactly(s.Expect.File, b.Spec, b.want); err != nil {
			return fmt.Errorf("expectation: %w", err)
		}
		p.Buffers = append(p.Buffers, b)
		return nil
	}
	return fmt.Errorf("the module has no such variable")
}

// resolve gives arguments that are places in named memory their addresses.
func (p *Program) resolve(args []Arg) ([]Arg, error) {
	var all []Arg
	for i, a := range args {
		if a.Kind == MemoryArg {
			r := p.places[a.Place.Name]
			if r == nil {
				return nil, fmt.Errorf("argument %d: there is no memory %q", i, a.Place.Name)
			}
			value := binary.LittleEndian.AppendUint64(nil, r.Base+a.Place.Add)
			a = Arg{Kind: ValueArg, Type: "u64", Value: value}
		}
		all = append(all, a)
	}
	return all, nil
}

// runBefore runs the launches that come before the one that the file is about.
func (p *Program) runBefore(ctx context.Context, workers int) (simt.Event, error) {
	resident := &Resident{Module: p.Module, family: p.family}
	resident.read.Do(func() { resident.source, resident.debugError = p.Source, p.DebugError })
	for p.ran < len(p.Spec.Before) {
		s := &p.Spec.Before[p.ran]
		k, err := s.findKernel(p.Module, p.Source)
		if err != nil {
			return simt.Event{}, fmt.Errorf("launch %d: %w", p.ran+1, err)
		}
		args, err := arrange(s.Args, parameterNames(k, p.Source.Parameters(k.Entry)))
		if err == nil {
			args, err = p.resolve(args)
		}
		if err != nil {
			return simt.Event{}, fmt.Errorf("launch %d: %w", p.ran+1, err)
		}
		call := &Call{Kernel: k, Grid: s.Grid, Groups: s.Groups, Block: s.Block, Offset: s.Offset,
			WorkDim: s.WorkDim, LDS: s.LDS, Args: args, Stack: s.Stack, Heap: p.heap,
			PrintfBuffer: p.Spec.PrintfBuffer, Together: s.Together, Cluster: s.Cluster}
		one, err := resident.Prepare(p.Memory, call)
		if err != nil {
			return simt.Event{}, fmt.Errorf("launch %d: %w", p.ran+1, err)
		}
		one.Host.Sink = func(t host.Text) { p.Host.Sink(t) }
		one.Machine.MaxInsts = p.Machine.MaxInsts
		one.tracker = p.tracker
		ev, err := one.Run(ctx, workers)
		if err != nil || ev.Kind == simt.FaultEvent || ev.Kind == simt.TrapEvent {
			p.Machine, p.Kernel = one.Machine, one.Kernel // what is said of it is about this launch
			return ev, err
		}
		p.ran++
	}
	return simt.Event{Kind: simt.EndEvent}, nil
}

// RunBefore runs the launches of the file that come before the one that it is about,
// if they have not run yet. The event is of kind simt.EndEvent, or the fault or trap
// that one of them ended with.
func (p *Program) RunBefore(ctx context.Context) (simt.Event, error) { return p.runBefore(ctx, 0) }
