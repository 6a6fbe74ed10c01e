package zebin

import (
	"bytes"
	"debug/elf"
	"fmt"
	"slices"
	"strings"

	"simtgdb/loader"
)

// Machine is the number of Intel's GPUs in ELF files (EM_INTELGT).
const Machine elf.Machine = 205

// An Object is what a file of IGC has that others have not. It is the Native of the
// modules of [Open], and of package patchtoken's.
type Object struct {
	Device  string // as ocloc calls it: "skl"
	Version string // of .ze_info
	Kernels []*Kernel
	Debug   []KernelDebug // of patch-token files, whose kernels have debug information of their own
}

// KernelDebug is a kernel's debug information: an ELF file in which its code is at address 0.
type KernelDebug struct {
	Kernel string
	ELF    []byte
}

// Of gives the object behind a module, or nil if the module is of another
// format.
func Of(m *loader.Module) *Object {
	o, _ := m.Native.(*Object)
	return o
}

// Of a kernel of a module, or nil.
func KernelOf(k *loader.Kernel) *Kernel {
	z, _ := k.Native.(*Kernel)
	return z
}

// Is reports whether data begins as a zebin.
func Is(data []byte) bool {
	f, err := loader.ReadELFHeader(data)
	return bytes.HasPrefix(data, []byte(elf.ELFMAG)) && err == nil && f.Machine == Machine
}

// Open reads a module from the bytes of a zebin, which it keeps.
func Open(data []byte) (*loader.Module, error) {
	const want = "want a zebin (ELF for machine 205)"
	if !bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return nil, loader.DescribeUnknown(data, want)
	}
	f, err := loader.ReadELFHeader(data)
	switch {
	case err != nil:
		return nil, err
	case f.Machine != Machine:
		return nil, loader.WrongMachine(f, want)
	}
	if err := f.ReadTables(); err != nil {
		return nil, err
	}
	on, err := product(f)
	if err != nil {
		return nil, err
	}
	return openObject(f, on)
}

func openObject(f *loader.ELF, on device) (*loader.Module, error) {
	o := &Object{Device: on.name}
	info := f.SectionNamed(infoSection)
	if info < 0 {
		return nil, &loader.FormatError{Offset: -1, What: "a zebin without " + infoSection,
			Err: loader.ErrUnsupported}
	}
	text, err := f.SectionBytes(info)
	if err != nil {
		return nil, err
	}
	if o.Version, o.Kernels, err = readInfo(string(text)); err != nil {
		return nil, err
	}
	l, err := place(f)
	if err != nil {
		return nil, err
	}
	m := loader.Module{Format: "zebin",
		Target:   loader.Target{Name: on.generation, ID: on.generation + " (" + on.name + ")"},
		Segments: l.segments, Symbols: l.moduleSymbols(), Native: o}
	if m.Sections, err = l.sections(); err != nil {
		return nil, err
	}
	if m.Relocs, err = l.codeRelocs(); err != nil {
		return nil, err
	}
	for _, k := range o.Kernels {
		k.Constants, k.Variables = l.addressOf(constSection), l.addressOf(variableSection)
		lk, err := l.kernel(k)
		if err != nil {
			return nil, err
		}
		m.Kernels = append(m.Kernels, lk)
	}
	return loader.New(m)
}

// kernel makes the neutral description of a kernel.
func (l *layout) kernel(k *Kernel) (loader.Kernel, error) {
	s := l.f.SectionNamed(textPrefix + k.Name)
	if s < 0 {
		return loader.Kernel{}, &loader.KernelError{Kernel: k.Name, Err: fmt.Errorf("%s%s: %w",
			textPrefix, k.Name, loader.ErrNoSection)}
	}
	return k.Neutral(l.addr[s]), nil
}

// Neutral is the description of the kernel that all formats have, of one whose code is at an address.
func (k *Kernel) Neutral(entry uint64) loader.Kernel {
	n := loader.Kernel{Name: k.Name, Entry: entry, ArgSize: k.CrossThreadSize(),
		ArgAlign: registerSize, LDSSize: k.SLMSize,
		DynamicStack: k.StackCalls, WavefrontSize: k.SIMD, ReqdWorkgroupSize: k.RequiredGroup,
		MaxFlatWorkgroupSize: maxGroup, Native: k}
	if k.PrivatePerSim {
		n.PrivateSize = k.PrivateSize
	} else {
		n.PrivateSize = k.PrivateSize / uint64(k.SIMD)
	}
	n.Args = k.arguments()
	return n
}

// maxGroup is how many work-items a workgroup can have on any device.
const maxGroup = 1024

// pointerSize is the size of a pointer to a buffer.
const pointerSize = 8

// registerSize is the size of a general register.
const registerSize = 32

// arguments gives the arguments that a caller provides, in their order. Pieces
// of a structure are one.
func (k *Kernel) arguments() []loader.Arg {
	byIndex := map[int]*loader.Arg{}
	addresses := map[int]uint64{} // of pointers that code reaches by a surface: where they are nevertheless
	highest := -1
	for _, a := range k.Args {
		if a.Type == ArgAddress && a.Size == pointerSize {
			addresses[a.Index] = a.Offset
		}
		if a.Index < 0 || a.Type != ArgPointer && a.Type != "arg_byvalue" {
			continue
		}
		highest = max(highest, a.Index)
		old, arg := byIndex[a.Index], loader.Arg{Offset: a.Offset, Size: a.Size, Kind: loader.ByValue}
		if a.Type == ArgPointer {
			a.point(&arg)
		}
		switch {
		case old == nil || a.Type == ArgPointer && a.Size > 0:
			byIndex[a.Index] = &arg
		case a.Type != ArgPointer:
			old.Size = max(old.Size, a.SourceOffset+a.Size)
		}
	}
	args := make([]loader.Arg, highest+1)
	for i := range args {
		if a := byIndex[i]; a != nil {
			args[i] = *a
			if at, ok := addresses[i]; ok && a.Kind == loader.GlobalBuffer {
				args[i].Offset = at
			}
		}
	}
	for i := range k.Declared {
		if d := &k.Declared[i]; d.Index < len(args) {
			d.describe(&args[d.Index])
		}
	}
	return args
}

// point makes an argument one that points to memory, an image or a sampler.
func (a *Arg) point(arg *loader.Arg) {
	arg.Size = max(arg.Size, pointerSize) // of one that is a surface alone the payload has nothing
	arg.Kind, arg.AddressSpace = loader.GlobalBuffer, a.Space
	arg.IsConst = a.Access == "readonly"
	switch a.Space {
	case SpaceImage:
		arg.Kind = loader.Image
	case SpaceSampler:
		arg.Kind = loader.Sampler
	}
	if a.Mode == "slm" {
		arg.Kind, arg.AddressSpace, arg.PointeeAlign = loader.DynamicSharedPointer, "local", max(
			a.SLMAlign, 1)
	}
}

// describe gives an argument its name, type and qualifiers in the source.
func (d *Declared) describe(a *loader.Arg) {
	a.Name, a.TypeName = d.Name, d.Type
	if words := strings.Fields(d.Qualifiers); len(words) > 0 {
		a.IsConst, a.IsRestrict, a.IsVolatile = slices.Contains(words, "const"), slices.Contains(
			words, "restrict"), slices.Contains(words, "volatile")
	}
	if a.Kind == loader.Image {
		a.Access = d.Access
	}
	// Small elements have a dword of the payload each, and padding none.
	if a.Kind == loader.ByValue && d.Size > 0 {
		a.Size = d.Size
	}
}

// sections gives the sections, with their addresses, those of debug
// information with relocations applied.
func (l *layout) sections() ([]loader.Section, error) {
	out := l.f.ModuleSections()
	byName := map[string]int{}
	for i := range out {
		if _, twice := byName[out[i].Name]; !twice {
			byName[out[i].Name] = i
		}
	}
	for i, addr := range l.addr {
		if n, ok := byName[l.f.Sections[i].Name]; ok {
			out[n].Addr = addr
		}
	}
	for i := range l.f.Sections {
		to, ok := l.relocated(i)
		if !ok || l.isPlaced(to) {
			continue
		}
		b, err := l.debugSection(i, to)
		if err != nil {
			return nil, err
		}
		if n, ok := byName[l.f.Sections[to].Name]; ok {
			out[n] = loader.Section{Name: out[n].Name, Type: out[n].Type, Offset: out[n].Offset,
				Size: out[n].Size, Data: b}
		}
	}
	return out, nil
}

// debugSection applies the relocations of section i to a copy of section to.
func (l *layout) debugSection(i, to int) ([]byte, error) {
	b, err := l.f.SectionBytes(to)
	if err != nil {
		return nil, err
	}
	b = slices.Clone(b)
	relocs, err := l.relocs(i)
	if err != nil {
		return nil, err
	}
	for _, r := range relocs {
		if err := r.check(uint64(len(b))); err != nil {
			return nil, err
		}
		if r.Undefined {
			return nil, &loader.RelocError{Reloc: r.Reloc, Err: loader.ErrUndefinedSymbol}
		}
		if err := r.Rule.Apply(b[r.offset:], r.Value, r.Addend, r.offset); err != nil {
			return nil, &loader.RelocError{Reloc: r.Reloc, Err: err}
		}
	}
	return b, nil
}

// isDebug reports whether a section is debug information.
func isDebug(name string) bool { return strings.HasPrefix(name, ".debug_") }
