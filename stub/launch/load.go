package launch

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/fidelity"
	"simtgdb/simt/texel"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf/host"
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
	Arch    arch.Arch
	Machine *simt.Machine
	Buffers []Buffer // in the order of the arguments

	// Host takes what the kernel prints; its Sink shows it.
	Host *host.Host
	// Aliases are names by which a user may know functions that have others.
	Aliases map[string]uint64
	// Output is where a buffer goes that is to be saved to standard output; nil if there is none for it.
	Output io.Writer
	// Warnings are about a module that may not do what it looks like, and about what it is given that is of
	// another type than it declares.
	Warnings []string
	// Objects knows the program's variables, for checkers; nil if nobody does.
	Objects check.Objects
	// Unwind finds the calls that a lane is in as debugging information has it, for waves that keep no record
	// of them: the call instructions, innermost first. Hidden are places that are none of the source's. They
	// may be nil.
	Unwind func(w *simt.Wave, lane int, pc uint64) []uint64
	Hidden func(pc uint64) bool
	// Freed says what an address of global memory belonged to that is nobody's any more, "" if it does not
	// know; it may be nil.
	Freed func(addr uint64) string
	// Ignore reports whether a defect is not to be told; it may be nil.
	Ignore func(*check.Report) bool
	// CheckLimit is how many bytes what checkers know may take; 0 is their default.
	CheckLimit uint64

	// DebugError says why the module's debugging information, which is not
	// needed to run, could not be read.
	DebugError error

	family  arch.Family
	checker *check.Checker
	tracker *fidelity.Tracker
	ordered *bool // hasAtomics, where it is known
	places  map[string]*simt.Region
	args    []Arg // Spec.Args, with addresses in the place of names
	ran     int   // of Spec.Before
	heap    *host.Heap
}

// A Buffer is a buffer argument in memory.
type Buffer struct {
	Arg    int    // counted from 0 among the explicit arguments
	Name   string // "argument 0 (c)"
	Spec   *BufferSpec
	Region *simt.Region
	Image  *texel.Image // if the buffer is an image's texels

	wanted
	want []byte // what expect's file holds
	data []byte // in the place of Region
}

// Open reads the code object of the launch.
func (s *Spec) Open() (*loader.Module, error) {
	if s.CodeObject.Path == "" {
		return nil, errors.New("no code object: name a FILE, a source or what a compiler made of it, or " +
			"give --launch FILE.json, or --demo")
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
	f := arch.Detect(data)
	if f == nil {
		return nil, unknown(data)
	}
	var m *loader.Module
	err := simt.Contained("the reader of the file panicked", func() (err error) {
		m, err = f.Open(data, loader.Options{Target: target})
		return err
	})
	return m, err
}

// AsWritten is a module's debugging information as its file has it, nil if that is what the module has.
func AsWritten(m *loader.Module) *arch.Written {
	for _, f := range arch.Families() {
		if w, ok := f.(arch.Writer); ok && f.Owns(m) {
			return w.AsWritten(m)
		}
	}
	return nil
}

// unknown says what a file is that no family reads.
func unknown(data []byte) error {
	var want []string
	for _, f := range arch.Families() {
		want = append(want, f.Files())
	}
	wanted := "want " + strings.Join(want, ", or ")
	if bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		f, err := loader.ReadELFHeader(data)
		if err != nil {
			return err
		}
		return loader.WrongMachine(f, wanted)
	}
	return loader.DescribeUnknown(data, wanted)
}

// Load reads what the launch needs, checks it against the kernel and makes the
// machine.
func (s *Spec) Load() (p *Program, err error) {
	err = simt.Contained("the loader panicked", func() error {
		p, err = s.load()
		return err
	})
	return p, err
}

// compiled is the launch with an object in the place of a source.
func (s *Spec) compiled() (Spec, error) {
	spec := *s
	if s.Compile == nil || s.CodeObject.Path == "" {
		return spec, nil
	}
	var err error
	spec.CodeObject, err = s.Compile(s.CodeObject, s.Target)
	return spec, err
}

func (s *Spec) load() (*Program, error) {
	spec, err := s.compiled()
	if err != nil {
		return nil, err
	}
	m, err := spec.Open()
	switch {
	case errors.Is(err, loader.ErrUnknownFormat) && s.Compile != nil:
		return nil, fmt.Errorf("%w; or a source, which is known by the end of its name: .hip, .cu, .cl, "+
			".comp, .glsl, .hlsl, .wgsl, .slang", err)
	case err != nil:
		return nil, err
	}
	if f, ok := arch.Of(m).(arch.Specialiser); ok {
		if m, err = f.Specialise(m, s.Constants); err != nil {
			return nil, fmt.Errorf("%s: %w", s.CodeObject, err)
		}
	}
	p := &Program{Spec: &spec, Module: m, Memory: simt.NewMemory(), family: arch.Of(m),
		Host: host.New()}
	if len(s.Before) > 0 {
		p.heap = host.NewHeap(p.Memory)
	}
	p.Source, p.DebugError = source.New(m)
	k, err := s.findKernel(m, p.Source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.CodeObject, err)
	}
	if p.Kernel, err = p.family.Kernel(m, k, s.Constants); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", printable.Name(k.Name), err)
	}
	if err := spec.checkShape(p.Kernel, p.family); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", printable.Name(p.Kernel.Name), err)
	}
	names := parameterNames(p.Kernel, p.Source.Parameters(p.Kernel.Entry))
	if spec.Args, err = arrange(spec.Args, names); err == nil {
		err = spec.settle(names)
	}
	if err == nil {
		err = p.build()
	}
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", printable.Name(p.Kernel.Name), err)
	}
	return p, nil
}

// build makes memory and machine for the kernel.
func (p *Program) build() error {
	if err := p.mapSegments(); err != nil {
		return err
	}
	if err := p.named(); err != nil {
		return err
	}
	var err error
	if p.args, err = p.resolve(p.Spec.Args); err != nil {
		return err
	}
	return p.ready()
}

// ready makes the machine, and what the kernel needs in memory besides the
// module's segments.
func (p *Program) ready() error {
	l := &arch.Launch{Module: p.Module, Kernel: p.Kernel, Memory: p.Memory,
		Grid: p.Spec.Grid, Block: p.Spec.Block, Offset: p.Spec.Offset, WorkDim: p.Spec.WorkDim,
		LDS: p.Spec.LDS, Stack: p.Spec.Stack, Host: p.Host, Heap: p.heap, PrintfBuffer: p.Spec.PrintfBuffer,
		Together: p.Spec.Together, Cluster: p.Spec.Cluster}
	if o, ok := p.family.(arch.Offsetter); p.Spec.Offset.Given() && !(ok && o.Offsets(p.Kernel)) {
		return fmt.Errorf("offset %v: the kernel has no use for one", p.Spec.Offset)
	}
	params, err := p.parametersToRun()
	if err != nil {
		return err
	}
	if l.Params, err = p.allocateBuffers(params); err != nil {
		return err
	}
	if err := p.shader(l); err != nil {
		return err
	}
	ready, err := p.family.Launch(l)
	if err != nil {
		return err
	}
	if p.Spec.Cluster.Given() && ready.Dispatch.Cluster != p.Spec.Cluster {
		return fmt.Errorf("cluster %v: the kernel's machine has no clusters", p.Spec.Cluster)
	}
	p.Arch, p.Aliases = ready.Arch, ready.Aliases
	p.Warnings = slices.Concat(ready.Warnings, p.Spec.saidOfShader(p.Module, p.Kernel), saidOfTypes(params))
	if p.Machine, err = simt.New(p.Memory, ready.ISA, ready.Dispatch); err != nil {
		return err
	}
	if p.Machine.AllAtOnce = p.Spec.Together; p.Spec.Together {
		p.Machine.Resident = math.MaxInt32
	}
	if err := CheckFilterBits(p.Spec.FilterBits); err != nil {
		return err
	}
	p.Machine.FilterBits = uint8(p.Spec.FilterBits)
	p.Host.Attach(p.Machine)
	return nil
}

// maxFilterBits is how many bits of fraction weights between texels may be told to have.
const maxFilterBits = 23

// CheckFilterBits says what is wrong with a number of bits that weights between texels are to have.
func CheckFilterBits(n int) error {
	if n < 0 || n > maxFilterBits {
		return fmt.Errorf("filter bits: %d; 0 to %d are possible", n, maxFilterBits)
	}
	return nil
}

// findKernel finds the kernel by name; the only one needs none.
func (s *Spec) findKernel(m *loader.Module, src *source.Map) (*loader.Kernel, error) {
	if s.Kernel != "" || len(m.Kernels) == 0 {
		return src.Kernel(s.Kernel)
	}
	if len(m.Kernels) > 1 {
		return nil, fmt.Errorf("several kernels, choose one with --kernel: %s",
			printable.Names(src.KernelNames()))
	}
	return &m.Kernels[0], nil
}

// checkShape holds grid and workgroup against what the kernel demands, whose
// required workgroup size needs not be given.
func (s *Spec) checkShape(k *loader.Kernel, f arch.Family) error {
	if !s.Block.Given() {
		s.Block = k.ReqdWorkgroupSize
	}
	if s.Groups.Given() {
		if s.Grid.Given() {
			return errors.New("both groups and a grid: groups count workgroups, the grid counts " +
				"work-items; give one")
		}
		for i := range s.Grid {
			n := uint64(s.Groups[i]) * uint64(s.Block[i])
			if n > math.MaxUint32 {
				return fmt.Errorf("groups %v of %v are more than 2^32 work-items in direction %d", s.Groups,
					s.Block, i)
			}
			s.Grid[i] = uint32(n)
		}
	}
	switch {
	case !s.Grid.Given() && !s.Groups.Given():
		return errors.New("no grid: give --groups X[,Y[,Z]], the workgroups, or --grid, the work-items in " +
			"all")
	case !s.Block.Given():
		return errors.New("no workgroup size: give --block X[,Y[,Z]], the work-items per workgroup")
	case Dims(k.ReqdWorkgroupSize).Given() && s.Block != k.ReqdWorkgroupSize:
		return fmt.Errorf("workgroup %v, but the kernel requires %v", s.Block, Dims(k.ReqdWorkgroupSize))
	}
	items, limit := 1.0, float64(k.MaxFlatWorkgroupSize)
	for i := range s.Block {
		items *= float64(s.Block[i])
		if s.Grid[i] == 0 || s.Block[i] == 0 {
			return fmt.Errorf("grid %v and workgroup %v must not be 0 in direction %d", s.Grid, s.Block, i)
		}
		if s.Block[i] > math.MaxUint16 {
			return fmt.Errorf("workgroup %v is too large in direction %d", s.Block, i)
		}
	}
	if limit != 0 && items > limit {
		hint := ""
		if h, ok := f.(arch.SizeHinter); ok && items <= simt.MaxGroupSize {
			hint = h.SizeHint(k, s.Block)
		}
		return fmt.Errorf("workgroup %v has %.0f work-items, the kernel allows %.0f%s", s.Block, items, limit,
			hint)
	}
	return nil
}

// mapSegments places the module's segments where it was linked to, which is
// where debugging information and symbols say they are.
func (p *Program) mapSegments() error {
	segments, err := Segments(p.Module)
	if err != nil {
		return err
	}
	for _, s := range segments {
		if _, err := p.Memory.Map(s.Name, s.Addr, s.Data, s.Perm); err != nil {
			return err
		}
	}
	return nil
}

// A Segment is what a module has at some addresses.
type Segment struct {
	Name string
	Addr uint64
	Data []byte
	Perm simt.Perm
}

// Segments are those that a module needs in memory, where it was linked to: each
// call gives fresh bytes.
func Segments(m *loader.Module) ([]Segment, error) {
	image, err := m.Relocate(0, nil)
	if err != nil {
		return nil, err
	}
	var all []Segment
	for _, s := range image {
		if s = m.Used(s); s.MemSize == 0 {
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
		all = append(all, Segment{s.Name, s.Addr, data, perm})
	}
	return all, nil
}
