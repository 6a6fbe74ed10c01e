package loader

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	osABIPAL:          "AMD PAL",
	osABIMesa3D:       "Mesa 3D",
}

// codeObjectVersions gives the code object version for EI_ABIVERSION
// (AMDGPUUsage, "ELF Header").
var codeObjectVersions = [...]int{0: 2, 1: 3, 2: 4, 3: 5, 4: 6}

const oldestCodeObject = 4

// codeObjectVersion is the version that the file's EI_ABIVERSION stands for, or
// 0 if it is not known.
func codeObjectVersion(f *elfFile) int {
	if int(f.abiVersion) < len(codeObjectVersions) {
		return codeObjectVersions[f.abiVersion]
	}
	return 0
}

// identifyCodeObject checks the parts of the header that say whether this is a
// code object that can be read.
func identifyCodeObject(f *elfFile) error {
	fail := func(off int64, err error, want, format string, args ...any) error {
		return &FormatError{Offset: off, What: fmt.Sprintf(format, args...), Want: want, Err: err}
	}
	if f.osABI != osABIHSA {
		name, ok := osABINames[f.osABI]
		if !ok {
			name = fmt.Sprintf("operating system ABI %d", f.osABI)
		}
		return fail(elf.EI_OSABI, ErrUnsupported, "only code for HSA (-target amdgcn-amd-amdhsa) is read", "AMDGPU code for %s", name)
	}
	switch v := codeObjectVersion(f); {
	case v == 0:
		return fail(elf.EI_ABIVERSION, ErrUnsupported, "versions 4, 5 and 6 are read (-mcode-object-version=6)",
			"code object of a version after 6 (EI_ABIVERSION %d)", f.abiVersion)
	case v < oldestCodeObject:
		return fail(elf.EI_ABIVERSION, ErrUnsupported, "versions 4, 5 and 6 are read (-mcode-object-version=5)",
			"code object of version %d", v)
	}
	switch f.typ {
	case elf.ET_DYN:
		return nil
	case elf.ET_REL:
		return fail(16, ErrNotLinked, "link it with ld.lld -shared", "unlinked AMDGPU object (ET_REL)")
	}
	return fail(16, ErrUnsupported, "want a shared object (ET_DYN), linked with ld.lld -shared", "ELF type %v", f.typ)
}

// openCodeObject reads a code object that identifyCodeObject has let pass.
func openCodeObject(f *elfFile, o Options) (*Module, error) {
	m := &Module{Format: FormatAMDGPU, file: f}
	meta, err := readMetadata(f)
	if err != nil {
		return nil, err
	}
	if m.Target, err = readTarget(f, meta, o); err != nil {
		return nil, err
	}
	if err := m.readSegments(); err != nil {
		return nil, err
	}
	dyn, err := m.readDynamic()
	if err != nil {
		return nil, err
	}
	if err := m.readSymbols(dyn); err != nil {
		return nil, err
	}
	if err := m.readKernels(meta); err != nil {
		return nil, err
	}
	if err := m.readRelocs(dyn); err != nil {
		return nil, err
	}
	m.indexSymbols()
	return m, nil
}

// readTarget takes the target from e_flags and checks it against what the
// metadata says and what the user wants.
func readTarget(f *elfFile, meta *metadata, o Options) (Target, error) {
	t, err := targetFromFlags(f.flags, codeObjectVersion(f))
	if err != nil {
		return t, err
	}
	if meta != nil && meta.target != "" {
		id, err := parseTargetTriple(meta.target)
		if err != nil {
			return t, fmt.Errorf("metadata: amdhsa.target: %w", err)
		}
		if !t.is(id) {
			return t, &FormatError{Offset: flagsOffset, What: fmt.Sprintf("e_flags say %s", t), Want: "the metadata's amdhsa.target is " + meta.target}
		}
	}
	if o.Target != "" && !matchesTarget(o.Target, t.String(), targetID{t.Name, t.SramECC, t.Xnack}) {
		return t, &TargetError{o.Target, []string{t.String()}}
	}
	return t, nil
}

// matchesTarget tells whether a user who asks for want can mean the code object
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

// readSegments reads the loadable segments (System V ABI, "Program Header":
// PT_LOAD).
func (m *Module) readSegments() error {
	var total, end uint64
	for i, p := range m.file.progs {
		if elf.ProgType(p.Type) != elf.PT_LOAD || p.Memsz == 0 {
			continue
		}
		fail := func(want, format string, args ...any) error {
			return &FormatError{Offset: int64(p.Off), What: fmt.Sprintf("segment %d: ", i) + fmt.Sprintf(format, args...), Want: want}
		}
		switch {
		case p.Memsz < p.Filesz:
			return fail("", "%d bytes in memory, %d in the file", p.Memsz, p.Filesz)
		case p.Memsz > ^p.Vaddr:
			return fail("", "%#x bytes at address %#x", p.Memsz, p.Vaddr)
		case p.Vaddr < end:
			return fail(fmt.Sprintf("the one before it ends at %#x", end), "at address %#x", p.Vaddr)
		case p.Memsz > maxMemSize-total:
			return fail(fmt.Sprintf("segments may have %d bytes together", uint64(maxMemSize)), "%d bytes in memory", p.Memsz)
		}
		total += p.Memsz
		end = p.Vaddr + p.Memsz
		data, err := m.file.bytes("segment", p.Off, p.Filesz)
		if err != nil {
			return err
		}
		flags := elf.ProgFlag(p.Flags)
		m.Segments = append(m.Segments, Segment{
			Name: m.segmentName(i, p), Addr: p.Vaddr, MemSize: p.Memsz, Data: data,
			Read: flags&elf.PF_R != 0, Write: flags&elf.PF_W != 0, Exec: flags&elf.PF_X != 0,
		})
	}
	return nil
}

// segmentName names a segment after the sections in it; those that only serve
// the dynamic linker are left out if there are others. Linkers make about ten
// segments and thirty sections; where there are very many, names are left out.
func (m *Module) segmentName(index int, p elf.Prog64) string {
	const mostNames, mostChecks = 8, 1 << 20
	number := fmt.Sprintf("segment %d", index)
	if len(m.file.progs)*len(m.file.sections) > mostChecks {
		return number
	}
	var all, program []string
	for _, s := range m.file.sections {
		if elf.SectionFlag(s.Flags)&elf.SHF_ALLOC == 0 || s.Addr < p.Vaddr || s.Addr >= p.Vaddr+p.Memsz {
			continue
		}
		if len(all) == mostNames {
			break
		}
		all = append(all, s.name)
		t := elf.SectionType(s.Type)
		if (t == elf.SHT_PROGBITS || t == elf.SHT_NOBITS) && s.name != ".relro_padding" {
			program = append(program, s.name)
		}
	}
	switch {
	case program != nil:
		return strings.Join(program, "+")
	case all != nil:
		return strings.Join(all, "+")
	}
	return number
}

func parseSym(b []byte) elf.Sym64 {
	return elf.Sym64{
		Name: le32(b), Info: b[4], Other: b[5], Shndx: le16(b[6:]), Value: le64(b[8:]), Size: le64(b[16:]),
	}
}

// readSymbols reads .symtab, or the dynamic symbols if the file has been
// stripped of it.
func (m *Module) readSymbols(dyn dynamic) error {
	f := m.file
	i := f.sectionOfType(elf.SHT_SYMTAB)
	if i < 0 {
		if i = f.sectionOfType(elf.SHT_DYNSYM); i < 0 {
			return m.readDynamicSymbols(dyn)
		}
	}
	s := &f.sections[i]
	table, err := f.sectionBytes(i)
	if err != nil {
		return err
	}
	if s.Entsize != elfSymSize || len(table)%elfSymSize != 0 {
		return &FormatError{Offset: int64(s.Off), What: fmt.Sprintf("symbol table %s of %d bytes with entries of %d", s.name, len(table), s.Entsize), Want: fmt.Sprintf("entries have %d", elfSymSize)}
	}
	if uint64(s.Link) >= uint64(len(f.sections)) {
		return &FormatError{Offset: int64(s.Off), What: fmt.Sprintf("the names of symbol table %s are in section %d of %d", s.name, s.Link, len(f.sections))}
	}
	nameBytes, err := f.sectionBytes(int(s.Link))
	if err != nil {
		return err
	}
	if err := m.addSymbols(table, newStringTable(nameBytes, f.sections[s.Link].Off)); err != nil {
		return fmt.Errorf("symbol table %s: %w", s.name, err)
	}
	return nil
}

// readDynamicSymbols reads the symbols of a file without section headers. How
// many there are is only said by the hash table (System V ABI, "Hash Table").
func (m *Module) readDynamicSymbols(dyn dynamic) error {
	at, ok := dyn[elf.DT_HASH]
	if !ok {
		return nil
	}
	const header = 8
	hash, ok := m.bytesAt(at, header)
	if !ok {
		return &FormatError{Offset: -1, What: fmt.Sprintf("DT_HASH table at address %#x is not in a segment", at)}
	}
	count := uint64(le32(hash[4:]))
	table, ok := m.bytesAt(dyn[elf.DT_SYMTAB], count*elfSymSize)
	if !ok {
		return &FormatError{Offset: -1, What: fmt.Sprintf("DT_SYMTAB table of %d symbols at address %#x is not in a segment", count, dyn[elf.DT_SYMTAB])}
	}
	names, err := m.dynTable(dyn, elf.DT_STRTAB, elf.DT_STRSZ)
	if err != nil {
		return err
	}
	if err := m.addSymbols(table, newStringTable(names, 0)); err != nil {
		return fmt.Errorf("dynamic symbols: %w", err)
	}
	return nil
}

// addSymbols adds the entries of a symbol table but for the first, which is
// null.
func (m *Module) addSymbols(table []byte, names *stringTable) error {
	for n := 1; n < len(table)/elfSymSize; n++ {
		sym, err := m.file.symbol(table[n*elfSymSize:], names)
		if err != nil {
			return fmt.Errorf("symbol %d: %w", n, err)
		}
		m.Symbols = append(m.Symbols, sym)
	}
	return nil
}

func (f *elfFile) symbol(b []byte, names *stringTable) (Symbol, error) {
	raw := parseSym(b)
	name, err := names.at(raw.Name)
	if err != nil {
		return Symbol{}, err
	}
	kind, ok := symbolKinds[elf.ST_TYPE(raw.Info)]
	if !ok {
		kind = SymbolOther
	}
	bind, shndx := elf.ST_BIND(raw.Info), elf.SectionIndex(raw.Shndx)
	sym := Symbol{
		Name: name, Addr: raw.Value, Size: raw.Size, Kind: kind,
		Global:    bind == elf.STB_GLOBAL || bind == elf.STB_WEAK,
		Weak:      bind == elf.STB_WEAK,
		Undefined: shndx == elf.SHN_UNDEF,
		Absolute:  shndx == elf.SHN_ABS,
	}
	if shndx < elf.SHN_LORESERVE && int(shndx) < len(f.sections) {
		sym.Section = f.sections[shndx].name
	}
	return sym, nil
}

// readKernels joins the kernels of the metadata with their descriptors. Without
// metadata the descriptor symbols say which kernels there are.
func (m *Module) readKernels(meta *metadata) error {
	descriptors := map[string]Symbol{}
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
	if meta != nil {
		m.Metadata, m.MetadataVersion, m.Printf = meta.root, meta.version, meta.printf
		m.Kernels = meta.kernels
	} else {
		m.Kernels = kernelsWithoutMetadata(descriptors, order)
	}
	seen := map[string]bool{}
	for i := range m.Kernels {
		k := &m.Kernels[i]
		if seen[k.Name] {
			return &KernelError{Kernel: k.Name, Err: errors.New("two kernels of this name")}
		}
		seen[k.Name] = true
		sym, ok := descriptors[k.Symbol]
		if !ok {
			return &KernelError{Kernel: k.Name, Err: fmt.Errorf("the descriptor symbol %q is not defined", k.Symbol)}
		}
		if err := m.describe(k, sym); err != nil {
			return &KernelError{Kernel: k.Name, Err: err}
		}
	}
	return nil
}

func kernelsWithoutMetadata(descriptors map[string]Symbol, order []string) []Kernel {
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(descriptors[a].Addr, descriptors[b].Addr) })
	kernels := make([]Kernel, len(order))
	for i, name := range order {
		kernels[i] = Kernel{Name: strings.TrimSuffix(name, descriptorSuffix), Symbol: name}
	}
	return kernels
}

// describe decodes the descriptor of a kernel and sees that it and the metadata
// agree.
func (m *Module) describe(k *Kernel, sym Symbol) error {
	if sym.Size != 0 && sym.Size != DescriptorSize {
		return fmt.Errorf("descriptor symbol %q has %d bytes, want %d", sym.Name, sym.Size, DescriptorSize)
	}
	b, ok := m.bytesAt(sym.Addr, DescriptorSize)
	if !ok {
		return fmt.Errorf("no %d bytes of a segment at %#x, where its descriptor should be", DescriptorSize, sym.Addr)
	}
	d, problems := DecodeDescriptor([DescriptorSize]byte(b), m.Target)
	for _, p := range problems {
		m.warn("kernel %s: descriptor: %s", k.Name, p)
	}
	k.Descriptor, k.DescriptorAddr = d, sym.Addr
	k.Entry = sym.Addr + uint64(d.EntryOffset)
	if s := m.segmentAt(k.Entry); s == nil || !s.Exec {
		return fmt.Errorf("its code at %#x is not in an executable segment", k.Entry)
	}
	if k.Entry%entryAlign != 0 {
		m.warn("kernel %s: code at %#x is not aligned to %d bytes", k.Name, k.Entry, entryAlign)
	}
	wave := 64
	if d.EnableWavefrontSize32 {
		wave = 32
	}
	if !k.HasMetadata {
		k.fillFromDescriptor()
	}
	if k.WavefrontSize == 0 {
		k.WavefrontSize = wave
	}
	if k.WavefrontSize != wave {
		return fmt.Errorf("wavefront size %d in the metadata, %d in the descriptor", k.WavefrontSize, wave)
	}
	m.compare(k, "group segment size", k.LDSSize, d.GroupSegmentFixedSize)
	m.compare(k, "private segment size", k.PrivateSize, d.PrivateSegmentFixedSize)
	if d.KernargSize != 0 {
		m.compare(k, "kernarg segment size", k.KernargSize, d.KernargSize)
	}
	return nil
}

// entryAlign is the alignment the command processor needs for code (AMDGPUUsage,
// "Kernel Descriptor": KERNEL_CODE_ENTRY_BYTE_OFFSET).
const entryAlign = 256

// compare warns of a size that the metadata and the descriptor give
// differently. The hardware goes by the descriptor.
func (m *Module) compare(k *Kernel, what string, meta uint64, descriptor uint32) {
	if meta != uint64(descriptor) {
		m.warn("kernel %s: %s is %d in the metadata, %d in the descriptor", k.Name, what, meta, descriptor)
	}
}

// fillFromDescriptor sets what the metadata would have said.
func (k *Kernel) fillFromDescriptor() {
	d := &k.Descriptor
	k.KernargSize = uint64(d.KernargSize)
	k.KernargAlign = 16
	k.LDSSize = uint64(d.GroupSegmentFixedSize)
	k.PrivateSize = uint64(d.PrivateSegmentFixedSize)
	k.DynamicStack = d.UsesDynamicStack
	k.SGPRs, k.VGPRs, k.AGPRs = uint32(d.SGPRs), uint32(d.TotalVGPRs), uint32(d.AccVGPRs)
}
