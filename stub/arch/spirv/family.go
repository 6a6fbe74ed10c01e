// Package spirv is the family of SPIR-V modules: how shaders and kernels are launched, and what a session
// must know of a machine whose registers are the values of a module's ids. It knows no debugger.
//
// Entry points: [Family], which registers itself, and [New].
package spirv

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"simtgdb/loader"
	"simtgdb/loader/spirv"
	"simtgdb/simt"
	machine "simtgdb/simt/spirv"
	"simtgdb/stub/arch"
	"simtgdb/stub/arch/spirv/debuginfo"
	"simtgdb/stub/printf"
)

// Family reads and launches SPIR-V modules. It implements arch.Family.
type Family struct{}

func init() { arch.RegisterFamily(Family{}) }

// Name implements arch.Family.
func (Family) Name() string { return "SPIR-V" }

// Files implements arch.Family.
func (Family) Files() string { return "a SPIR-V module" }

// Detect implements arch.Family.
func (Family) Detect(data []byte) bool { return spirv.IsModule(data) }

// Open implements arch.Family.
func (Family) Open(data []byte, _ loader.Options) (*loader.Module, error) { return open(data, nil) }

// Specialise implements arch.Specialiser: the sizes of types and where members lie, and with them the debug
// information, may depend on constants.
func (Family) Specialise(m *loader.Module, constants []arch.Constant) (*loader.Module, error) {
	if len(constants) == 0 {
		return m, nil
	}
	return open(moduleOf(m).Code(), values(constants))
}

// values are those of constants by SpecId.
func values(constants []arch.Constant) map[uint32]uint64 {
	spec := map[uint32]uint64{}
	for _, c := range constants {
		var b [8]byte
		copy(b[:], c.Value)
		spec[c.ID] = binary.LittleEndian.Uint64(b[:])
	}
	return spec
}

func open(data []byte, spec map[uint32]uint64) (*loader.Module, error) {
	var failed error
	m, err := spirv.Open(data, spec, func(m *spirv.Module, parts *loader.Module) {
		sections, err := debuginfo.Sections(m)
		failed = err
		for _, name := range slices.Sorted(maps.Keys(sections)) {
			b := sections[name]
			parts.Sections = append(parts.Sections,
				loader.Section{Name: name, Type: "SHT_PROGBITS", Size: uint64(len(b)), Data: b})
		}
		if m.Kernel() {
			addVariables(m, spec, parts)
		}
	})
	if err == nil && failed != nil {
		m.Warnings = append(m.Warnings, "debug instructions: "+failed.Error())
	}
	return m, err
}

// addVariables adds what a module of kernels has in global memory, behind its code, which lives as long as
// the module. What is wrong with it whoever launches a kernel is told.
func addVariables(m *spirv.Module, spec map[uint32]uint64, parts *loader.Module) {
	base := dataBase(m)
	globals, data, err := machine.Globals(m.Words, machine.Options{Spec: spec, Data: base})
	if err != nil || len(data) == 0 {
		return
	}
	parts.Segments = append(parts.Segments, loader.Segment{Name: ".data", Addr: base, Data: data,
		MemSize: uint64(len(data)), Read: true, Write: true})
	parts.Sections = append(parts.Sections, loader.Section{Name: ".data", Type: "SHT_PROGBITS", Addr: base,
		Size: uint64(len(data)), Data: data})
	for _, g := range globals {
		if g.Name != "" {
			parts.Symbols = append(parts.Symbols, loader.Symbol{Name: g.Name, Addr: base + g.At, Size: g.Size,
				Kind: loader.SymbolObject, Section: ".data"})
		}
	}
}

// dataBase is where a module's variables in global memory lie: in the page behind its code.
func dataBase(m *spirv.Module) uint64 {
	const page = 4096
	return (spirv.Base + 4*uint64(len(m.Words)) + page) / page * page
}

// Owns implements arch.Family.
func (Family) Owns(m *loader.Module) bool { return moduleOf(m) != nil }

func moduleOf(m *loader.Module) *spirv.Module {
	s, _ := m.Native.(*spirv.Module)
	return s
}

// Offsets implements arch.Offsetter.
func (Family) Offsets(*loader.Kernel) bool { return true }

// Portable implements arch.Portable.
func (Family) Portable() {}

// Processors implements arch.Family: they are the versions of SPIR-V.
func (Family) Processors() []string {
	return []string{"spirv1.0", "spirv1.1", "spirv1.2", "spirv1.3", "spirv1.4", "spirv1.5", "spirv1.6"}
}

// Decoder implements arch.Family.
func (Family) Decoder(*loader.Module) (arch.Decoder, error) {
	return machine.Decoder{Base: spirv.Base}, nil
}

// Rows implements arch.Rower: of the first entry point that an instruction is in.
func (Family) Rows(m *loader.Module) func(code []byte, pc uint64) []string {
	all := map[uint64][]string{}
	for i := range m.Kernels {
		p, err := program(m, m.Kernels[i].Name, nil, machine.Options{})
		if err != nil { // it needs constants, or has what the machine has not
			continue
		}
		for pc, list := range p.Rows() {
			if all[pc] == nil {
				all[pc] = list
			}
		}
	}
	return func(_ []byte, pc uint64) []string { return all[pc] }
}

// program makes what the machine runs of an entry point.
func program(m *loader.Module, name string, constants []arch.Constant, o machine.Options) (*machine.Program,
	error) {
	native := moduleOf(m)
	known := map[uint32]bool{}
	for _, c := range native.SpecConstants() {
		known[c.SpecID] = true
	}
	o.Entry, o.Base, o.Data, o.Spec = name, spirv.Base, dataBase(native), values(constants)
	for _, c := range constants {
		if !known[c.ID] {
			return nil, fmt.Errorf("the module has no specialisation constant %d", c.ID)
		}
	}
	return machine.New(native.Words, o)
}

// Kernel implements arch.Family: the workgroup's size and memory may depend on specialisation constants.
func (Family) Kernel(m *loader.Module, k *loader.Kernel, constants []arch.Constant) (*loader.Kernel, error) {
	p, err := program(m, k.Name, constants, machine.Options{})
	if err != nil {
		return nil, err
	}
	special := *k
	special.ReqdWorkgroupSize = p.WorkgroupSize()
	special.LDSSize, special.PrivateSize = p.LDSSize(), p.ScratchSize()
	special.Entry = p.Entry()
	special.Native = &prepared{constants: constants, program: p}
	return &special, nil
}

// prepared is what a kernel is launched with: constants, and what was made for the launch before.
type prepared struct {
	constants []arch.Constant

	mu      sync.Mutex
	choices choices
	program *machine.Program

	once    sync.Once
	prints  bool
	formats map[string]*printf.Format
	counts  []uint32 // see debuginfo.SpecialisedCounts
}

// look finds out what depends on the module alone.
func (k *prepared) look(m *spirv.Module) {
	k.once.Do(func() {
		k.prints, k.counts, k.formats = prints(m), debuginfo.SpecialisedCounts(m), map[string]*printf.Format{}
		for _, s := range m.Strings {
			k.formats[s] = printf.Parse(s, dialect(m))
		}
	})
}

// choices are what a launch chooses of how its program is made.
type choices struct {
	subgroup         int
	robust, contract bool
}

// programFor is the program of a launch. It is good for the launches that follow, too: they come one after
// the other.
func (k *prepared) programFor(l *arch.Launch) (*machine.Program, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := choices{l.Subgroup, l.Robust, l.Contract}
	if k.program != nil && k.choices == now {
		return k.program, nil
	}
	p, err := program(l.Module, l.Kernel.Name, k.constants,
		machine.Options{SubgroupSize: l.Subgroup, Robust: l.Robust, Contract: l.Contract})
	if err == nil {
		k.program, k.choices = p, now
	}
	return p, err
}

// Launch implements arch.Family.
func (Family) Launch(l *arch.Launch) (*arch.Launched, error) {
	if len(l.UserData) > 0 || len(l.Tables) > 0 {
		return nil, errors.New("SPIR-V modules have no user data and no debug tables")
	}
	kernel, ok := l.Kernel.Native.(*prepared)
	if !ok {
		kernel = &prepared{}
	}
	p, err := kernel.programFor(l)
	if err != nil {
		return nil, err
	}
	native := moduleOf(l.Module)
	in := machine.Launch{Bindings: map[machine.Slot]machine.Buffer{}, WorkDim: uint32(l.Dimensions()),
		Offset: l.Offset}
	if err := bindings(native, l, &in); err != nil {
		return nil, err
	}
	if len(l.Push) > 0 {
		r, err := l.Memory.Alloc("push constants", uint64(len(l.Push)), simt.PermRead)
		if err != nil {
			return nil, err
		}
		copy(r.Data, l.Push)
		in.Push = machine.Buffer{Addr: r.Base, Size: uint64(len(l.Push))}
	}
	lds := p.LDSSize()
	if in.Args, err = arguments(l, &lds); err != nil {
		return nil, err
	}
	kernel.look(native)
	in.Print = printer(native, kernel.formats, l)
	if kernel.prints {
		l.Host.Expect()
	}
	if err := putLengths(native, p, l.Memory, in.Bindings, kernel.counts); err != nil {
		return nil, err
	}
	isa, err := p.Bind(l.Memory, in)
	if err != nil {
		return nil, missing(err, native, l, in.Bindings)
	}
	if lds += l.LDS; lds > maxLDS {
		return nil, fmt.Errorf("%d bytes of workgroup memory, at most %d can be had", lds, maxLDS)
	}
	const gap = 64 // behind the variables, so that reads of a whole line are in bounds
	d := simt.Dispatch{Grid: l.Grid, Block: l.Block, Entry: p.Entry(), LDSSize: uint32(lds),
		ScratchSize: p.ScratchSize(), ScratchLimit: p.ScratchSize() + gap}
	a := New(l.Module, p)
	a.images = images(native, in.Bindings)
	return &arch.Launched{ISA: isa, Dispatch: d, Arch: a}, nil
}

const maxLDS = 1 << 24

// putLengths puts the numbers of elements of arrays at the ends of buffers, and of those that are
// specialised, where debug information reads them.
func putLengths(m *spirv.Module, p *machine.Program, mem *simt.Memory,
	bound map[machine.Slot]machine.Buffer, counts []uint32) error {
	b := make([]byte, debuginfo.TablesSize)
	index := map[uint32]int{}
	for i, v := range m.Variables {
		index[v.ID] = i
	}
	for _, known := range m.Bindings() {
		buf := bound[machine.Slot{Set: known.Set, Binding: known.Binding}]
		if i := index[known.Variable.ID]; i < debuginfo.MaxLengths && known.Tail > 0 &&
			buf.Size > known.Size {
			binary.LittleEndian.PutUint64(b[8*i:], (buf.Size-known.Size)/known.Tail)
		}
	}
	for _, t := range debuginfo.Tables(m) {
		known := m.Bindings()[slices.IndexFunc(m.Bindings(), func(k spirv.Binding) bool {
			return k.Variable.ID == t.Variable
		})]
		n := 0
		for e := range t.Elements {
			buf, ok := bound[machine.Slot{Set: known.Set, Binding: known.Binding, Element: uint32(e)}]
			if !ok {
				continue
			}
			n = e + 1
			binary.LittleEndian.PutUint64(b[t.Addresses()-debuginfo.LengthsBase+8*uint64(e):], buf.Addr)
			if known.Tail > 0 && buf.Size > known.Size {
				binary.LittleEndian.PutUint64(b[t.Lengths()-debuginfo.LengthsBase+8*uint64(e):],
					(buf.Size-known.Size)/known.Tail)
			}
		}
		if i := index[t.Variable]; i < debuginfo.MaxLengths {
			binary.LittleEndian.PutUint64(b[8*i:], uint64(n))
		}
	}
	for i, id := range counts {
		if n, ok := p.ConstantValue(id); ok && i < debuginfo.MaxLengths {
			binary.LittleEndian.PutUint64(b[8*(debuginfo.MaxLengths+i):], n)
		}
	}
	_, err := mem.Map("lengths of arrays", debuginfo.LengthsBase, b, simt.PermRead)
	return err
}

// bindings finds the numbers of buffers that were named.
func bindings(m *spirv.Module, l *arch.Launch, in *machine.Launch) error {
	all, to := m.Bindings(), in.Bindings
	for _, b := range l.Bindings {
		if b.Kind == "memory" {
			continue
		}
		if b.Optional || b.Kind == "image" || b.Kind == "sampler" {
			slot, err := imageSlot(m, &b)
			if err != nil {
				return err
			}
			in.Sparse = in.Sparse || b.Optional
			to[slot] = machine.Buffer{Addr: b.Region.Base, Size: uint64(len(b.Region.Data))}
			continue
		}
		slot := machine.Slot{Set: b.Set, Binding: b.Number, Element: b.Element}
		found := false
		var names []string
		for _, known := range all {
			names = append(names, known.Name)
			if b.Numbered && known.Set == b.Set && known.Binding == b.Number || !b.Numbered &&
				matches(m, known, b.Name) {
				slot.Set, slot.Binding, found = known.Set, known.Binding, true
				if b.Kind == "storage" && !known.Storage {
					return notStorage(m, l, &known)
				}
				break
			}
		}
		if !found && b.Numbered {
			return fmt.Errorf("the module has no buffer at set %d, binding %d", b.Set, b.Number)
		}
		if !found {
			return fmt.Errorf("the module has no buffer %q; it has %s", b.Name, strings.Join(names, ", "))
		}
		if _, twice := to[slot]; twice {
			return fmt.Errorf("two buffers for set %d, binding %d, element %d", slot.Set, slot.Binding,
				slot.Element)
		}
		to[slot] = machine.Buffer{Addr: b.Region.Base, Size: uint64(len(b.Region.Data))}
	}
	return nil
}

// notStorage says of a uniform buffer that it is none for storage.
func notStorage(m *spirv.Module, l *arch.Launch, b *spirv.Binding) error {
	err := fmt.Errorf("set %d, binding %d (%s) is a uniform buffer, not a storage buffer", b.Set, b.Binding,
		b.Name)
	for _, n := range neededBindings(m, itemsOf(l)) {
		if n.Set == b.Set && n.Number == b.Binding {
			return fmt.Errorf("%w: say so, as %s", err, n.Flag())
		}
	}
	return err
}

// images are the images that a launch has been given.
func images(m *spirv.Module, bound map[machine.Slot]machine.Buffer) (all []arch.Image) {
	for _, b := range m.ImageBindings() {
		if b.Sampler {
			continue
		}
		for slot, buffer := range bound {
			if slot.Set == b.Set && slot.Binding == b.Binding && buffer.Size > 0 {
				all = append(all, arch.Image{Name: b.Name, Set: b.Set, Number: b.Binding,
					Element: slot.Element, Block: buffer.Addr})
			}
		}
	}
	slices.SortFunc(all, func(a, b arch.Image) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Number, b.Number),
			cmp.Compare(a.Element, b.Element))
	})
	return all
}

// imageSlot is the slot of an image or a sampler of the launch: what it is called in the module, if it has no
// numbers.
func imageSlot(m *spirv.Module, b *arch.Binding) (machine.Slot, error) {
	if b.Numbered || b.Optional {
		return machine.Slot{Set: b.Set, Binding: b.Number, Element: b.Element}, nil
	}
	names := []string{}
	for _, known := range m.ImageBindings() {
		if known.Name == b.Name {
			return machine.Slot{Set: known.Set, Binding: known.Binding}, nil
		}
		names = append(names, known.Name)
	}
	return machine.Slot{}, fmt.Errorf("the module has no image or sampler %q; it has %s", b.Name,
		strings.Join(names, ", "))
}

// matches reports whether a name is that of a binding: of the variable, of its block, or of the block's only
// member, which is what a source without a name for the block's instance calls it.
func matches(m *spirv.Module, b spirv.Binding, name string) bool {
	members := b.Block.Members
	return name != "" &&
		(b.Name == name || m.Names[b.Block.ID] == name || len(members) == 1 && members[0].Name == name)
}

// arguments puts those of a kernel into memory; what local pointers lead to lies behind the module's own
// workgroup memory, whose end moves.
func arguments(l *arch.Launch, lds *uint64) (machine.Buffer, error) {
	const least, maxArgs = 16, 1 << 20
	if len(l.Params) == 0 {
		return machine.Buffer{}, nil
	}
	if l.Kernel.ArgSize > maxArgs {
		return machine.Buffer{},
			fmt.Errorf("%d bytes of arguments, at most %d are passed", l.Kernel.ArgSize, maxArgs)
	}
	r, err := l.Memory.Alloc("kernel arguments", l.Kernel.ArgSize, simt.PermRead)
	if err != nil {
		return machine.Buffer{}, err
	}
	for i := range l.Params {
		q := &l.Params[i]
		to := r.Data[q.Offset:][:q.Size]
		switch {
		case q.Given == arch.GivenBuffer && q.Size == 8:
			binary.LittleEndian.PutUint64(to, q.Buffer.Base)
		case q.Given == arch.GivenLocal && q.Size == 8:
			align := max(q.PointeeAlign, least)
			at := (max(*lds, least) + align - 1) / align * align
			*lds = at + q.Local
			binary.LittleEndian.PutUint64(to, at)
		default:
			copy(to, q.Value)
		}
	}
	return machine.Buffer{Addr: r.Base, Size: l.Kernel.ArgSize}, nil
}

// prints reports whether a module has instructions that print.
func prints(m *spirv.Module) bool {
	numbers := map[string]uint32{"NonSemantic.DebugPrintf": 1, "OpenCL.std": 184}
	for i := range m.Insts {
		in := &m.Insts[i]
		if n, ok := numbers[m.Imports[in.Arg(0)]]; ok && in.Op == spirv.OpExtInst && in.Arg(1) == n {
			return true
		}
	}
	return false
}

// dialect is that of a module's formats.
func dialect(m *spirv.Module) *printf.Dialect {
	if m.Kernel() {
		return printf.OpenCL
	}
	return printf.SPIRV
}

// printer formats what lanes print: DebugPrintf's values have the size that their types have, OpenCL's are
// C's.
func printer(m *spirv.Module, formats map[string]*printf.Format,
	l *arch.Launch) func(w *simt.Wave, lane int, p machine.Printf) {
	dialect := dialect(m)
	return func(w *simt.Wave, lane int, p machine.Printf) {
		f := formats[p.Format]
		if f == nil {
			f = printf.Parse(p.Format, dialect)
		}
		var values []printf.Value
		for _, a := range p.Args {
			if a.String {
				values = append(values, printf.Text(a.Text))
				continue
			}
			values = append(values, printf.Value{Size: int(a.Bits+7) / 8, Elements: a.Values})
		}
		text, problems := f.Append(nil, values)
		if dialect == printf.SPIRV && (len(text) == 0 || text[len(text)-1] != '\n') {
			text = append(text, '\n') // a message each, as validation layers print them
		}
		l.Host.Print(w, lane, text, problems)
	}
}
