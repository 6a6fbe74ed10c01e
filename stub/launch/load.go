package launch

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
	arch_amdgpu "simtgdb/stub/arch/amdgpu"
	"simtgdb/stub/source"
)

// A Program is a launch that is loaded: nothing of it has run yet. Its Machine
// runs it.
type Program struct {
	Spec    *Spec
	Module  *loader.Module
	Kernel  *loader.Kernel
	Source  *source.Map
	Memory  *simt.Memory
	ISA     *gcn.ISA
	Arch    arch.Arch
	Machine *simt.Machine
	Buffers []Buffer // in the order of the arguments

	// DebugError says why the module's debugging information, which is not
	// needed to run, could not be read.
	DebugError error
}

// A Buffer is a buffer argument in memory.
type Buffer struct {
	Arg    int    // counted from 0 among the explicit arguments
	Name   string // "argument 0 (c)"
	Spec   *BufferSpec
	Region *simt.Region

	expect *Expect
	want   []byte // what expect's file holds
	out    *File
}

// DefaultStack is how many bytes of private memory a lane has beyond what the
// kernel states, for kernels that do not know their need: those that recurse or
// call through pointers.
const DefaultStack = 64 << 10

// Limits of the gfx9 processors.
const (
	maxLDS = 64 << 10 // bytes for a workgroup
	// Private memory of one lane: code addresses that of the waves that share
	// a base with offsets of 32 bits.
	maxPrivate = 4 << 20
)

// Open reads the code object of the launch.
func (s *Spec) Open() (*loader.Module, error) {
	if s.CodeObject.Path == "" {
		return nil, errors.New("no code object: name a FILE, or give --code-object or --launch")
	}
	return OpenModule(s.CodeObject, s.Target)
}

// OpenModule reads a code object. Of a file that has several, target says
// which to take; if it is empty, it is the only one that can be simulated.
func OpenModule(f File, target string) (*loader.Module, error) {
	data, err := f.Read()
	if err != nil {
		return nil, err
	}
	m, err := OpenModuleData(data, target)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	return m, nil
}

// OpenModuleData is OpenModule with the contents of a file.
func OpenModuleData(data []byte, target string) (*loader.Module, error) {
	m, err := amdgpu.OpenWith(data, loader.Options{Target: target})
	var several *loader.TargetError
	if target == "" && errors.As(err, &several) {
		if one := simulated(several.Available); len(one) == 1 {
			return amdgpu.OpenWith(data, loader.Options{Target: one[0]})
		}
	}
	return m, err
}

// simulated picks the targets that can be simulated.
func simulated(targets []string) []string {
	return slices.DeleteFunc(slices.Clone(targets), func(t string) bool {
		return !slices.ContainsFunc(gcn.Targets(), func(p string) bool {
			_, id, _ := strings.Cut(t, "--")
			name, _, _ := strings.Cut(id, ":")
			return name == p
		})
	})
}

// Load reads what the launch needs, checks it against the kernel and makes the
// machine.
func (s *Spec) Load() (*Program, error) {
	m, err := s.Open()
	if err != nil {
		return nil, err
	}
	spec := *s
	p := &Program{Spec: &spec, Module: m, Memory: simt.NewMemory()}
	p.Source, p.DebugError = source.New(m)
	if p.Kernel, err = s.findKernel(m); err != nil {
		return nil, fmt.Errorf("%s: %w", s.CodeObject, err)
	}
	if err := spec.checkShape(p.Kernel); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", p.Kernel.Name, err)
	}
	if err := p.build(); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", p.Kernel.Name, err)
	}
	return p, nil
}

// native is what only AMDGPU's kernels have.
func (p *Program) native() *amdgpu.Kernel { return amdgpu.KernelOf(p.Kernel) }

// build makes memory and machine for the kernel.
func (p *Program) build() error {
	params, err := p.parameters()
	if err != nil {
		return err
	}
	if err := p.mapSegments(); err != nil {
		return err
	}
	if p.ISA, err = gcn.New(p.Module.Target.Name, p.Memory, kernelState(&p.native().Descriptor)); err != nil {
		return err
	}
	p.ISA.FunctionAt = p.functionAt
	p.Arch = arch_amdgpu.New(p.Module.Target.Name)
	d, err := p.dispatch(params)
	if err != nil {
		return err
	}
	p.Machine, err = simt.New(p.Memory, p.ISA, d)
	return err
}

// findKernel finds the kernel by name; the only one needs none.
func (s *Spec) findKernel(m *loader.Module) (*loader.Kernel, error) {
	if s.Kernel != "" || len(m.Kernels) == 0 {
		return m.Kernel(s.Kernel)
	}
	if len(m.Kernels) > 1 {
		names := make([]string, len(m.Kernels))
		for i, k := range m.Kernels {
			names[i] = k.Name
		}
		return nil, fmt.Errorf("several kernels, choose one with --kernel: %s", strings.Join(names, ", "))
	}
	return &m.Kernels[0], nil
}

// checkShape holds grid and workgroup against what the kernel demands, whose
// required workgroup size needs not be given.
func (s *Spec) checkShape(k *loader.Kernel) error {
	if !s.Block.Given() {
		s.Block = k.ReqdWorkgroupSize
	}
	switch {
	case !s.Grid.Given():
		return errors.New("no grid: give --grid X[,Y[,Z]], the work-items in all")
	case !s.Block.Given():
		return errors.New("no workgroup size: give --block X[,Y[,Z]], the work-items per workgroup")
	case Dims(k.ReqdWorkgroupSize).Given() && s.Block != k.ReqdWorkgroupSize:
		return fmt.Errorf("workgroup %v, but the kernel requires %v", s.Block, Dims(k.ReqdWorkgroupSize))
	}
	own := amdgpu.KernelOf(k)
	items, limit := 1.0, float64(k.MaxFlatWorkgroupSize)
	for i := range s.Block {
		items *= float64(s.Block[i])
		groups := (uint64(s.Grid[i]) + uint64(s.Block[i]) - 1) / uint64(s.Block[i])
		switch {
		case own.UniformWorkgroupSize && s.Grid[i]%s.Block[i] != 0:
			return fmt.Errorf("grid %v is no multiple of workgroup %v, as the kernel requires", s.Grid, s.Block)
		case own.MaxNumWorkgroups[i] != 0 && groups > uint64(own.MaxNumWorkgroups[i]):
			return fmt.Errorf("grid %v has %d workgroups in direction %d, the kernel allows %d", s.Grid, groups, i, own.MaxNumWorkgroups[i])
		case s.Block[i] > math.MaxUint16:
			return fmt.Errorf("workgroup %v is too large in direction %d", s.Block, i)
		}
	}
	if limit != 0 && items > limit {
		return fmt.Errorf("workgroup %v has %.0f work-items, the kernel allows %.0f", s.Block, items, limit)
	}
	return nil
}

// mapSegments places the module's segments where it was linked to, which is
// where debugging information and symbols say they are.
func (p *Program) mapSegments() error {
	segments, err := p.Module.Relocate(0, nil)
	if err != nil {
		return err
	}
	for _, s := range segments {
		skip := p.unused(&s)
		if skip == s.MemSize {
			continue
		}
		data := s.Data
		if s.MemSize > uint64(len(data)) { // memory that is not touched costs nothing
			data = make([]byte, s.MemSize)
			copy(data, s.Data)
		}
		var perm simt.Perm
		for _, b := range []struct {
			is   bool
			perm simt.Perm
		}{{s.Read, simt.PermRead}, {s.Write, simt.PermWrite}, {s.Exec, simt.PermExec}} {
			if b.is {
				perm |= b.perm
			}
		}
		if _, err := p.Memory.Map(s.Name, s.Addr+skip, data[skip:], perm); err != nil {
			return err
		}
	}
	return nil
}

// unused tells how many bytes at the start of a segment only serve the dynamic
// linker. Those at address 0 are left out, so that a null pointer leads
// nowhere.
func (p *Program) unused(s *loader.Segment) uint64 {
	sections := p.Module.Sections
	if s.Addr != 0 || s.Exec || len(sections) == 0 {
		return 0
	}
	first := s.MemSize
	for _, sec := range sections {
		program := sec.Type == "SHT_PROGBITS" || sec.Type == "SHT_NOBITS"
		if program && sec.Addr != 0 && s.Contains(sec.Addr, 1) {
			first = min(first, sec.Addr-s.Addr)
		}
	}
	return first
}

// functionAt tells whether a function begins at an address.
func (p *Program) functionAt(addr uint64) bool {
	sym, offset, ok := p.Module.SymbolAt(addr)
	return ok && offset == 0 && sym.Kind == loader.SymbolFunc
}
