package launch

import (
	"fmt"
	"sync"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf/host"
	"simtgdb/stub/source"
)

// A Resident is a module whose segments are in a memory that outlives its
// launches: a program's, which launches many kernels that share memory. What has
// been decoded and translated of its code is kept from launch to launch.
type Resident struct {
	Module *loader.Module

	family arch.Family

	read       sync.Once
	source     *source.Map
	debugError error

	ordered map[*loader.Kernel]bool // hasAtomics of the kernels that have run
	shows   *bool                   // codeShowsOrder, where it is known

	cores simt.CorePool

	mu      sync.Mutex
	kernels map[string]*loader.Kernel // as they are launched: by name, and constants
}

// NewResident prepares a module that a family has read.
func NewResident(m *loader.Module) *Resident { return &Resident{Module: m, family: arch.Of(m)} }

// Source says where the module's code comes from. It is read when it is first
// needed.
func (r *Resident) Source() (*source.Map, error) {
	r.read.Do(func() { r.source, r.debugError = source.New(r.Module) })
	return r.source, r.debugError
}

// A Call is a launch of a kernel of a Resident: sizes, and what its explicit
// arguments are, in their order.
type Call struct {
	Kernel       *loader.Kernel
	Grid, Block  Dims
	Groups       Dims // workgroups, in the place of Grid
	Cluster      Dims // workgroups of a cluster
	Offset       Dims // of the work-items' global ids
	WorkDim      int  // see Spec
	LDS          uint64
	Args         []Arg // ValueArg or LocalArg
	Constants    []arch.Constant
	Bindings     []BindingSpec // parts of memory: see BindingSpec.At
	Push         []byte
	Subgroup     int
	Robust       bool
	FilterBits   int // see Spec
	PrintfBuffer uint64
	Together     bool // all workgroups run at once
	Stack        *uint64
	Heap         *host.Heap // of malloc, which outlives the launch; nil for one of its own
	Again        bool       // another launch of the kernel may be under way, or is looked at
}

// Check holds the call against what the kernel demands, as far as that is known
// before it is made ready to run.
func (r *Resident) Check(c *Call) error {
	s := c.spec()
	if err := s.checkShape(c.Kernel, r.family); err != nil {
		return err
	}
	p := &Program{Spec: s, Module: r.Module, Kernel: c.Kernel, args: s.Args, family: r.family}
	if _, err := p.parametersOf(nil); err != nil {
		return err
	}
	return nil
}

// spec is the call as a launch file would have it.
func (c *Call) spec() *Spec {
	return &Spec{Kernel: c.Kernel.Name, Grid: c.Grid, Groups: c.Groups, Cluster: c.Cluster, Block: c.Block,
		Offset: c.Offset, WorkDim: c.WorkDim, LDS: c.LDS, Args: c.Args, Bindings: c.Bindings, Push: c.Push,
		Subgroup: c.Subgroup, Robust: c.Robust, FilterBits: c.FilterBits,
		Constants: c.Constants, PrintfBuffer: c.PrintfBuffer, Together: c.Together, Stack: c.Stack}
}

// maxKernels is how many kernels with different constants are kept.
const maxKernels = 4096

// Kernel is a kernel as it is launched with constants.
func (r *Resident) Kernel(k *loader.Kernel, constants []arch.Constant) (*loader.Kernel, error) {
	key := k.Name
	if len(constants) > 0 {
		key = fmt.Sprintf("%s %v", k.Name, constants)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.kernels[key]; known != nil {
		return known, nil
	}
	special, err := r.family.Kernel(r.Module, k, constants)
	if err != nil {
		return nil, err
	}
	if r.kernels == nil || len(r.kernels) >= maxKernels {
		r.kernels = map[string]*loader.Kernel{}
	}
	r.kernels[key] = special
	return special, nil
}

// kernelOf is the kernel of a call. What is ready for launches is bound to one of them where it has bindings,
// so that one that is made again beside another has a kernel of its own.
func (r *Resident) kernelOf(c *Call) (k *loader.Kernel, own bool, err error) {
	if c.Again && len(c.Bindings)+len(c.Push) > 0 {
		k, err = r.family.Kernel(r.Module, c.Kernel, c.Constants)
		return k, true, err
	}
	k, err = r.Kernel(c.Kernel, c.Constants)
	return k, false, err
}

// order is hasAtomics of a kernel, found once.
func (r *Resident) order(k *loader.Kernel, p *Program) *bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if shows, ok := r.ordered[k]; ok {
		return &shows
	}
	shows := p.findOrder(func() bool {
		if r.shows == nil {
			all := p.codeShowsOrder()
			r.shows = &all
		}
		return *r.shows
	})
	if r.ordered == nil || len(r.ordered) >= maxKernels {
		r.ordered = map[*loader.Kernel]bool{}
	}
	r.ordered[k] = shows
	return &shows
}

// Prepare makes a call ready to run in a memory that has the module's segments
// where they were linked to. What the launch needs beside is allocated there;
// whoever runs it takes that away again.
func (r *Resident) Prepare(mem *simt.Memory, c *Call) (*Program, error) {
	p := &Program{Spec: c.spec(), Module: r.Module, Memory: mem, args: c.Args, family: r.family,
		Host: host.New(),
		heap: c.Heap}
	p.Source, p.DebugError = r.Source()
	k, own, err := r.kernelOf(c)
	if err == nil {
		p.Kernel = k
		err = p.Spec.checkShape(k, r.family)
	}
	if err == nil {
		err = p.ready()
	}
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", printable.Name(c.Kernel.Name), err)
	}
	if !own {
		p.ordered = r.order(k, p)
	}
	p.Machine.Cores = &r.cores
	return p, nil
}
