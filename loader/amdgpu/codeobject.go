package amdgpu

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
)

// Operating system ABIs of AMDGPU code objects, which debug/elf does not have
// (AMDGPUUsage, "ELF Header", EI_OSABI).
const (
	osABIHSA    elf.OSABI = 64
	osABIPAL    elf.OSABI = 65
	osABIMesa3D elf.OSABI = 66
)

var osABINames = map[elf.OSABI]string{
	elf.ELFOSABI_NONE: "no operating system",
	osABIMesa3D:       "Mesa 3D",
}

// codeObjectVersions gives the code object version for EI_ABIVERSION
// (AMDGPUUsage, "ELF Header").
var codeObjectVersions = [...]int{0: 2, 1: 3, 2: 4, 3: 5, 4: 6}

const oldestCodeObject = 4

// codeObjectVersion is the version that the file's EI_ABIVERSION stands for, or
// 0 if it is not known.
func codeObjectVersion(f *loader.ELF) int {
	if int(f.ABIVersion) < len(codeObjectVersions) {
		return codeObjectVersions[f.ABIVersion]
	}
	return 0
}

// identifyCodeObject checks the parts of the header that say whether this is a
// code object that can be read.
func identifyCodeObject(f *loader.ELF) error {
	fail := func(off int64, err error, want, format string, args ...any) error {
		return &loader.FormatError{Offset: off, What: fmt.Sprintf(format, args...), Want: want, Err: err}
	}
	if f.OSABI == osABIPAL {
		return identifyPipeline(f)
	}
	if f.OSABI != osABIHSA {
		name, ok := osABINames[f.OSABI]
		if !ok {
			name = fmt.Sprintf("operating system ABI %d", f.OSABI)
		}
		return fail(elf.EI_OSABI, loader.ErrUnsupported,
			"only code for HSA (-target amdgcn-amd-amdhsa) and PAL is read", "AMDGPU code for %s", name)
	}
	switch v := codeObjectVersion(f); {
	case v == 0:
		return fail(elf.EI_ABIVERSION, loader.ErrUnsupported,
			"versions 4, 5 and 6 are read (-mcode-object-version=6)",
			"code object of a version after 6 (EI_ABIVERSION %d)", f.ABIVersion)
	case v < oldestCodeObject:
		return fail(elf.EI_ABIVERSION, loader.ErrUnsupported,
			"versions 4, 5 and 6 are read (-mcode-object-version=5)",
			"code object of version %d", v)
	}
	switch f.Type {
	case elf.ET_DYN:
		return nil
	case elf.ET_REL:
		return fail(16, loader.ErrNotLinked, "link it with ld.lld -shared", "unlinked AMDGPU object (ET_REL)")
	}
	return fail(16, loader.ErrUnsupported, "want a shared object (ET_DYN), linked with ld.lld -shared",
		"ELF type %v", f.Type)
}

// Format is loader.Module.Format of the modules that this package makes.
const Format = "AMDGPU code object"

// openCodeObject reads a code object that identifyCodeObject has let pass.
func openCodeObject(f *loader.ELF, o loader.Options) (*loader.Module, error) {
	meta, err := readMetadata(f)
	if err != nil {
		return nil, err
	}
	own := &Object{}
	if own.Target, err = readTarget(f, meta, o); err != nil {
		return nil, err
	}
	if meta != nil {
		own.Metadata, own.MetadataVersion, own.Printf = meta.root, meta.version, meta.printf
	}
	m, err := f.Linked(relocRules)
	if err != nil {
		return nil, err
	}
	m.Format, m.Native = Format, own
	m.Target = loader.Target{Name: own.Target.Name, ID: own.Target.String()}
	if err := readKernels(&m, meta); err != nil {
		return nil, err
	}
	return loader.New(m)
}

// readTarget takes the target from e_flags and checks it against what the
// metadata says and what the user wants.
func readTarget(f *loader.ELF, meta *metadata, o loader.Options) (Target, error) {
	t, err := targetFromFlags(f.Flags, codeObjectVersion(f))
	if err != nil {
		return t, err
	}
	if meta != nil && meta.target != "" {
		id, err := parseTargetTriple(meta.target)
		if err != nil {
			return t, fmt.Errorf("metadata: amdhsa.target: %w", err)
		}
		if !t.is(id) {
			return t, &loader.FormatError{Offset: loader.FlagsOffset, What: fmt.Sprintf("e_flags say %s", t),
				Want: "the metadata's amdhsa.target is " + printable.Name(meta.target)}
		}
	}
	if o.Target != "" && !matchesTarget(o.Target, t.String(), targetID{t.Name, t.SramECC, t.Xnack}) {
		return t, &loader.TargetError{Want: o.Target, Available: []string{t.String()}}
	}
	return t, nil
}

// matchesTarget reports whether a user who asks for want can mean the code object
// with this name and target ID.
func matchesTarget(want, name string, id targetID) bool {
	if want == name {
		return true
	}
	w, err := parseTargetID(want)
	if err != nil {
		if w, err = parseTargetTriple(want); err != nil {
			return false
		}
	}
	return id.satisfies(w)
}

// readKernels joins the kernels of the metadata with their descriptors. Without
// metadata the descriptor symbols say which kernels there are.
func readKernels(m *loader.Module, meta *metadata) error {
	descriptors := map[string]loader.Symbol{}
	var order []string
	for _, s := range m.Symbols {
		if s.Undefined || s.Absolute || !strings.HasSuffix(s.Name, descriptorSuffix) {
			continue
		}
		if _, twice := descriptors[s.Name]; !twice || s.Global {
			if !twice {
				order = append(order, s.Name)
			}
			descriptors[s.Name] = s
		}
	}
	var kernels []record
	if meta != nil {
		kernels = meta.kernels
	} else {
		kernels = kernelsWithoutMetadata(descriptors, order)
	}
	for i := range kernels {
		k := &kernels[i]
		sym, ok := descriptors[k.Symbol]
		if !ok {
			return &loader.KernelError{Kernel: k.Name,
				Err: fmt.Errorf("the descriptor symbol %.100q is not defined", k.Symbol)}
		}
		if err := describe(m, k, sym); err != nil {
			return &loader.KernelError{Kernel: k.Name, Err: err}
		}
		k.UndeclaredArgs, k.Native = !k.HasMetadata, &k.Kernel
		m.Kernels = append(m.Kernels, k.neutral)
	}
	return nil
}

func kernelsWithoutMetadata(descriptors map[string]loader.Symbol, order []string) []record {
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Compare(descriptors[a].Addr, descriptors[b].Addr)
	})
	kernels := make([]record, len(order))
	for i, name := range order {
		kernels[i].Name, kernels[i].Symbol = strings.TrimSuffix(name, descriptorSuffix), name
	}
	return kernels
}

// describe decodes the descriptor of a kernel and sees that it and the metadata
// agree.
func describe(m *loader.Module, k *record, sym loader.Symbol) error {
	if sym.Size != 0 && sym.Size != DescriptorSize {
		return fmt.Errorf("descriptor symbol %.100q has %d bytes, want %d", sym.Name, sym.Size,
			DescriptorSize)
	}
	b, ok := m.BytesAt(sym.Addr, DescriptorSize)
	if !ok {
		return fmt.Errorf("no %d bytes of a segment at %#x, where its descriptor should be", DescriptorSize,
			sym.Addr)
	}
	d, problems := DecodeDescriptor([DescriptorSize]byte(b), Of(m).Target)
	if err := d.check(); err != nil {
		return fmt.Errorf("descriptor: %w", err)
	}
	for _, p := range problems {
		m.Warn("kernel %s: descriptor: %s", printable.Name(k.Name), p)
	}
	k.Descriptor, k.DescriptorAddr = d, sym.Addr
	k.Entry = sym.Addr + uint64(d.EntryOffset)
	if s := m.SegmentAt(k.Entry); s == nil || !s.Exec {
		return fmt.Errorf("its code at %#x is not in an executable segment", k.Entry)
	}
	if k.Entry%entryAlign != 0 {
		m.Warn("kernel %s: code at %#x is not aligned to %d bytes", printable.Name(k.Name), k.Entry,
			entryAlign)
	}
	wave := 64
	if d.EnableWavefrontSize32 {
		wave = 32
	}
	if !k.HasMetadata {
		k.fillFromDescriptor()
	}
	k.Registers = k.VGPRs
	if k.WavefrontSize == 0 {
		k.WavefrontSize = wave
	}
	if k.WavefrontSize != wave {
		return fmt.Errorf("wavefront size %d in the metadata, %d in the descriptor", k.WavefrontSize, wave)
	}
	compare(m, k, "group segment size", k.LDSSize, d.GroupSegmentFixedSize)
	compare(m, k, "private segment size", k.PrivateSize, d.PrivateSegmentFixedSize)
	if d.KernargSize != 0 {
		compare(m, k, "kernarg segment size", k.ArgSize, d.KernargSize)
	}
	return nil
}

// entryAlign is the alignment the command processor needs for code (AMDGPUUsage,
// "Kernel Descriptor": KERNEL_CODE_ENTRY_BYTE_OFFSET).
const entryAlign = 256

// compare warns of a size that the metadata and the descriptor give
// differently. The hardware goes by the descriptor.
func compare(m *loader.Module, k *record, what string, meta uint64, descriptor uint32) {
	if meta != uint64(descriptor) {
		m.Warn("kernel %s: %s is %d in the metadata, %d in the descriptor", printable.Name(k.Name), what,
			meta, descriptor)
	}
}

// fillFromDescriptor sets what the metadata would have said.
func (k *record) fillFromDescriptor() {
	d := &k.Descriptor
	k.ArgSize = uint64(d.KernargSize)
	k.ArgAlign = 16
	k.LDSSize = uint64(d.GroupSegmentFixedSize)
	k.PrivateSize = uint64(d.PrivateSegmentFixedSize)
	k.DynamicStack = d.UsesDynamicStack
	k.SGPRs, k.VGPRs, k.AGPRs = uint32(d.SGPRs), uint32(d.TotalVGPRs), uint32(d.AccVGPRs)
}
