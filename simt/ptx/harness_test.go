package ptx_test

import (
	"context"
	"encoding/binary"
	"testing"

	loader "simtgdb/loader/ptx"
	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
	arch "simtgdb/stub/arch/ptx"
)

// A launch is a kernel with its arguments, to be run.
type launch struct {
	grid, block [3]uint32 // block 0: a warp
	cluster     [3]uint32
	dynamic     uint32 // bytes of dynamic shared memory
	heap        uint64
	host        machine.Host
	args        []any // []byte, []uint32, []float32 … are buffers that the kernel changes; numbers; local
	workers     int
}

// local is an argument that is an address in shared memory of its own.
type local uint32

// A program is a module with memory that has its image.
type program struct {
	t    testing.TB
	mod  *loader.Module
	mem  *simt.Memory
	prog *machine.Program
}

func parse(t testing.TB, name, text string) *program {
	t.Helper()
	mod, err := loader.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return &program{t: t, mod: mod, prog: arch.Link(mod)}
}

// image maps the module's segments anew.
func (p *program) image() {
	p.t.Helper()
	p.mem = simt.NewMemory()
	text := p.mod.Text()
	p.mapAt("code", loader.CodeBase, text, simt.PermRead|simt.PermExec)
	for _, s := range p.mod.Segments {
		data := make([]byte, s.Size)
		copy(data, s.Data)
		perm := simt.PermRead | simt.PermWrite
		if s.Name == "const" {
			perm = simt.PermRead
		}
		p.mapAt(s.Name, s.Addr, data, perm)
	}
}

func (p *program) mapAt(name string, addr uint64, data []byte, perm simt.Perm) {
	if _, err := p.mem.Map(name, addr, data, perm); err != nil {
		p.t.Fatal(err)
	}
}

// machine makes a machine for a launch; finish copies the buffers back.
func (p *program) machine(kernel string, l *launch) (m *simt.Machine, finish func()) {
	p.t.Helper()
	p.image()
	f := p.mod.Func(kernel)
	if f == nil || !f.Entry {
		p.t.Fatalf("no kernel %q", kernel)
	}
	args := make([]byte, (f.ParamSize+63)/64*64+64)
	shared := p.mod.SharedSize + uint64(l.dynamic)
	var buffers []func()
	for i, a := range l.args {
		at := args[f.Params[i].Addr:]
		switch a := a.(type) {
		case local:
			shared = (shared + 15) &^ 15
			binary.LittleEndian.PutUint64(at, shared)
			shared += uint64(a)
		case int32, uint32, int64, uint64, float32, float64, int16, uint16, uint8, int8:
			b, _ := binary.Append(nil, binary.LittleEndian, a)
			copy(at, b)
		case value:
			copy(at, a)
		case func(*program) uint64: // what the memory of this run gets besides
			binary.LittleEndian.PutUint64(at, a(p))
		case []byte:
			r := p.alloc(a)
			binary.LittleEndian.PutUint64(at, r.Base)
			buffers = append(buffers, func() { copy(a, r.Data) })
		default:
			b, err := binary.Append(nil, binary.LittleEndian, a)
			if err != nil {
				p.t.Fatalf("argument %d: %v", i, err)
			}
			r := p.alloc(b)
			binary.LittleEndian.PutUint64(at, r.Base)
			buffers = append(buffers, func() {
				if _, err := binary.Decode(r.Data, binary.LittleEndian, a); err != nil {
					p.t.Fatal(err)
				}
			})
		}
	}
	argMem, err := p.mem.Alloc("arguments", uint64(len(args)), simt.PermRead)
	if err != nil {
		p.t.Fatal(err)
	}
	copy(argMem.Data, args)
	setup := machine.Launch{Args: argMem.Base, SharedSize: uint32(shared), Dynamic: l.dynamic, Host: l.host}
	if l.heap > 0 {
		r, err := p.mem.Alloc("heap", l.heap, simt.PermRead|simt.PermWrite)
		if err != nil {
			p.t.Fatal(err)
		}
		setup.Heap, setup.HeapSize = r.Base, l.heap
	}
	isa, err := machine.New(p.prog, setup)
	if err != nil {
		p.t.Fatal(err)
	}
	d := simt.Dispatch{Grid: l.grid, Block: l.block, Entry: f.Start, LDSSize: uint32(shared),
		ScratchLimit: 1 << 16, Cluster: l.cluster}
	for i := range 3 {
		d.Grid[i], d.Block[i] = max(d.Grid[i], 1), max(d.Block[i], 1)
	}
	if l.grid == [3]uint32{} {
		d.Grid[0], d.Block[0] = 32, 32
	}
	m, err = simt.New(p.mem, isa, d)
	if err != nil {
		p.t.Fatal(err)
	}
	return m, func() {
		for _, f := range buffers {
			f()
		}
	}
}

func (p *program) alloc(b []byte) *simt.Region {
	r, err := p.mem.Alloc("buffer", uint64(len(b)), simt.PermRead|simt.PermWrite)
	if err != nil {
		p.t.Fatal(err)
	}
	copy(r.Data, b)
	return r
}

// run runs a kernel to its end.
func (p *program) run(kernel string, l *launch) {
	p.t.Helper()
	if ev := p.event(kernel, l); ev.Kind != simt.EndEvent {
		p.t.Fatalf("%s: %v at %#x: %v", kernel, ev.Kind, ev.PC, ev.Fault)
	}
}

// event runs a kernel and returns what stopped it.
func (p *program) event(kernel string, l *launch) simt.Event {
	p.t.Helper()
	m, finish := p.machine(kernel, l)
	ev, err := m.Run(context.Background(), max(l.workers, 1))
	if err != nil {
		p.t.Fatal(err)
	}
	finish()
	return ev
}

func equal[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	bad := 0
	for i := range got {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			if bad++; bad <= 5 {
				t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	if bad > 5 {
		t.Errorf("%s: %d values differ", what, bad)
	}
}
