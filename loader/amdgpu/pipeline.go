package amdgpu

import (
	"debug/elf"
	"fmt"

	"simtgdb/loader"
)

// PipelineFormat is loader.Module.Format of PAL's pipelines.
const PipelineFormat = "AMDGPU PAL pipeline"

// A Pipeline is what the metadata of a pipeline for AMD's PAL says besides what
// the kernel has: Object.Pipeline (AMDGPUUsage, "AMDPAL", "Code Object Metadata").
//
// A pipeline gets its inputs as user data: 32-bit entries, of which the driver
// puts some into user SGPRs, as Kernel.UserData says, and the others into a table
// in memory, the spill table.
type Pipeline struct {
	Version        [2]int // amdpal.version
	Name           string
	API            string // "Vulkan"
	Type           string // "Cs", "VsPs", ...
	Hash           [2]uint64
	UserDataLimit  uint32 // how many entries of user data there are
	SpillThreshold uint32 // the first entry that is read from the spill table; NoSpill if none is
	Registers      map[uint32]uint32
	Stages         []string // hardware stages, ".cs" and the like, in the order of the file

	// PrintfEntry is the entry of user data that points at the table with the
	// descriptor of the printf buffer. Version 1 of amdpal.format_strings may not
	// say: PrintfEntryKnown is false then.
	PrintfEntry      uint32
	PrintfEntryKnown bool
	FormatVersion    int // .version of amdpal.format_strings, 0 if there is none
	Formats          []FormatString
}

// NoSpill is Pipeline.SpillThreshold of a pipeline without a spill table.
const NoSpill = 0xffff_ffff

// A FormatString is a format of LLPC's DebugPrintf (DdnDebugPrintf, "ELF
// extension").
type FormatString struct {
	Index     uint64   // the identifier that the shader stores, 48 bits
	String    string   // without the NUL at its end
	Arguments uint32   // stored scalars
	Wide      []uint64 // bit i%64 of word i/64: scalar i has 64 bits
}

// UserData says what a user SGPR holds: the number of an entry of user data if
// it is below UserDataTables, else one of the following (AMDGPUUsage, "PAL User
// Data Mapping").
type UserData uint32

// What user SGPRs hold besides entries of user data. Pointers are the low 32 bits
// of addresses in the same 4 GiB as the code, unless said otherwise.
const (
	UserDataTables UserData = 0x1000_0000
	// pointer to the internal table, in which code finds the descriptor of private memory
	UserDataGlobalTable    UserData = 0x1000_0000
	UserDataPerShaderTable UserData = 0x1000_0001 // pointer to the shader's own internal table
	// pointer to entry 0 of the spill table, which is there from the spill threshold on
	UserDataSpillTable UserData = 0x1000_0002
	// 64-bit pointer to the three counts of workgroups; its high half is the next SGPR
	UserDataWorkgroups     UserData = 0x1000_0006
	UserDataWorkgroupsHigh UserData = 0x1000_0007 // unless that says so itself
	UserDataUnused         UserData = 0xffff_ffff
)

var userDataNames = map[UserData]string{
	UserDataGlobalTable:    "global table",
	UserDataPerShaderTable: "per-shader table",
	UserDataSpillTable:     "spill table",
	UserDataWorkgroups:     "workgroup counts",
	UserDataWorkgroupsHigh: "workgroup counts, high half",
	UserDataUnused:         "unused",
}

// Entry gives the number of the entry of user data; false if it is none.
func (u UserData) Entry() (n uint32, ok bool) { return uint32(u), u < UserDataTables }

func (u UserData) String() string {
	if n, ok := u.Entry(); ok {
		return fmt.Sprintf("user data %d", n)
	}
	if name, ok := userDataNames[u]; ok {
		return name
	}
	return fmt.Sprintf("mapping %#x", uint32(u))
}

// identifyPipeline checks the parts of the header that say whether this is a
// pipeline that can be read.
func identifyPipeline(f *loader.ELF) error {
	switch {
	case f.ABIVersion != 0:
		return &loader.FormatError{Offset: elf.EI_ABIVERSION,
			What: fmt.Sprintf("AMD PAL object with EI_ABIVERSION %d", f.ABIVersion),
			Want: "want 0", Err: loader.ErrUnsupported}
	case f.Type != elf.ET_REL && f.Type != elf.ET_DYN:
		return &loader.FormatError{Offset: 16, What: fmt.Sprintf("AMD PAL object of ELF type %v", f.Type),
			Want: "want ET_REL or ET_DYN", Err: loader.ErrUnsupported}
	}
	return nil
}

// pipelineBase is where an object that is not linked is placed. No code or data
// is at address 0.
const pipelineBase = 0x1000

// openPipeline reads a pipeline that identifyPipeline has let pass. LLPC writes
// objects that are not linked; a driver does that when it loads them.
func openPipeline(f *loader.ELF, o loader.Options) (*loader.Module, error) {
	own := &Object{}
	var err error
	if own.Target, err = palTargetFromFlags(f.Flags); err != nil {
		return nil, err
	}
	if t := own.Target; o.Target != "" && !matchesTarget(o.Target, t.String(),
		targetID{t.Name, t.SramECC, t.Xnack}) {
		return nil, &loader.TargetError{Want: o.Target, Available: []string{t.String()}}
	}
	meta, err := readPipelineMetadata(f)
	if err != nil {
		return nil, err
	}
	var m loader.Module
	if f.Type == elf.ET_REL {
		m, err = f.Link(relocRules, pipelineBase)
	} else {
		m, err = f.Linked(relocRules)
	}
	if err != nil {
		return nil, err
	}
	own.Metadata, own.Pipeline, m.Warnings = meta.root, &meta.Pipeline, meta.warnings
	m.Format, m.Native = PipelineFormat, own
	m.Target = loader.Target{Name: own.Target.Name, ID: own.Target.String()}
	for _, name := range meta.Stages {
		if name != computeStage {
			m.Warn("hardware stage %.100q is not read, only %s is", name, computeStage)
		}
	}
	if stage := meta.stages[computeStage]; stage != nil {
		k, err := computeKernel(&m, meta, stage)
		if err != nil {
			return nil, err
		}
		m.Kernels = []loader.Kernel{k}
	}
	return loader.New(m)
}

const computeStage = ".cs"

// defaultEntry is the symbol of a compute stage's code, unless the metadata names
// another one.
const defaultEntry = "_amdgpu_cs_main"

// computeKernel makes a kernel of the compute stage.
func computeKernel(m *loader.Module, meta *pipelineMetadata, s *hardwareStage) (loader.Kernel, error) {
	k := loader.Kernel{Name: s.symbol, WavefrontSize: s.waveSize, ReqdWorkgroupSize: s.workgroup}
	if k.Name == "" {
		k.Name = defaultEntry
	}
	fail := func(err error) (loader.Kernel, error) { return k, &loader.KernelError{Kernel: k.Name, Err: err} }
	sym, ok := m.Symbol(k.Name)
	if !ok || sym.Undefined || sym.Absolute {
		return fail(fmt.Errorf("the symbol of the compute stage is not defined"))
	}
	k.Entry = sym.Addr
	if seg := m.SegmentAt(k.Entry); seg == nil || !seg.Exec {
		return fail(fmt.Errorf("its code at %#x is not in an executable segment", k.Entry))
	}
	own := &Kernel{HasMetadata: true, SGPRs: s.sgprs, VGPRs: s.vgprs, AGPRs: s.agprs}
	k.Native = own
	var err error
	if own.Descriptor, err = meta.descriptor(s, Of(m).Target); err != nil {
		return fail(err)
	}
	if own.UserData, err = meta.userData(s, int(own.Descriptor.UserSGPRCount)); err != nil {
		return fail(err)
	}
	k.LDSSize = uint64(own.Descriptor.GroupSegmentFixedSize)
	k.PrivateSize = uint64(own.Descriptor.PrivateSegmentFixedSize)
	if meta.registersOnly() {
		for i := range k.ReqdWorkgroupSize {
			k.ReqdWorkgroupSize[i] = meta.Registers[regNumThread+uint32(i)] & 0xffff
		}
	}
	if k.WavefrontSize == 0 {
		k.WavefrontSize = Of(m).Target.WaveSize
	}
	items := uint64(1)
	for _, n := range k.ReqdWorkgroupSize {
		if items *= uint64(n); n == 0 || items > maxPipelineWorkgroup {
			return fail(fmt.Errorf("workgroup size %v, want 1 to %d work-items", k.ReqdWorkgroupSize,
				maxPipelineWorkgroup))
		}
	}
	k.MaxFlatWorkgroupSize = uint32(items)
	return k, nil
}

// maxPipelineWorkgroup is the most work-items of a workgroup on any processor.
const maxPipelineWorkgroup = 1024
