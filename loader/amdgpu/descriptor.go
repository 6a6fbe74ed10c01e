package amdgpu

import (
	"encoding/binary"
	"fmt"
)

// DescriptorSize is the size of a kernel descriptor.
const DescriptorSize = 64

// descriptorSuffix ends the name of a kernel descriptor's symbol.
const descriptorSuffix = ".kd"

// Descriptor is a kernel descriptor: what the command processor of the GPU is
// told about a kernel (AMDGPUUsage, "Kernel Descriptor"). Fields that the
// target does not have are zero.
type Descriptor struct {
	GroupSegmentFixedSize   uint32 // LDS bytes of a workgroup
	PrivateSegmentFixedSize uint32 // scratch bytes of a work-item
	KernargSize             uint32 // 0: see the metadata
	EntryOffset             int64  // of the code, from the descriptor

	// The words that the fields below are taken from.
	Rsrc1, Rsrc2, Rsrc3 uint32 // COMPUTE_PGM_RSRC1 to 3
	CodeProperties      uint16
	KernargPreload      uint16

	// Registers allocated, as the granulated counts and the target say.
	TotalVGPRs int // of each lane, ArchVGPRs and AccVGPRs together where they share a file
	ArchVGPRs  int // v0 and up
	AccVGPRs   int // a0 and up (gfx908, gfx90a, gfx94x, gfx950), of which instructions can name 256
	SGPRs      int // of the wave, VCC and the other registers at the end included

	// COMPUTE_PGM_RSRC1
	GranulatedVGPRCount uint8
	GranulatedSGPRCount uint8
	Priority            uint8
	FloatRoundMode32    RoundMode
	FloatRoundMode16_64 RoundMode
	FloatDenorm32       DenormMode
	FloatDenorm16_64    DenormMode
	Priv                bool
	DX10Clamp           bool // to gfx11
	WGRREnable          bool // gfx12+: round-robin among workgroups
	DebugMode           bool
	IEEEMode            bool // to gfx11
	DisablePerf         bool // gfx12+
	Bulky               bool
	CDBGUser            bool
	FP16Overflow        bool // gfx9+
	FlatScratchIsNV     bool // gfx1250+
	WGPMode             bool // gfx10+
	MemOrdered          bool // gfx10+
	FwdProgress         bool // gfx10+

	// COMPUTE_PGM_RSRC2
	EnablePrivateSegment     bool
	UserSGPRCount            uint8
	EnableTrapHandler        bool // to gfx11
	EnableDynamicVGPR        bool // gfx12+
	EnableWorkgroupIDX       bool
	EnableWorkgroupIDY       bool
	EnableWorkgroupIDZ       bool
	EnableWorkgroupInfo      bool
	EnableVGPRWorkitemID     uint8 // 0: X, 1: X and Y, 2: X, Y and Z
	ExceptionAddressWatch    bool
	ExceptionMemory          bool
	GranulatedLDSSize        uint16
	ExceptionFPInvalid       bool
	ExceptionFPDenormal      bool
	ExceptionFPDivideByZero  bool
	ExceptionFPOverflow      bool
	ExceptionFPUnderflow     bool
	ExceptionFPInexact       bool
	ExceptionIntDivideByZero bool
	WGPTakeover              bool // gfx12+

	// COMPUTE_PGM_RSRC3
	AccumOffset        uint8 // gfx90a, gfx94x, gfx950: in units of four registers, less one
	TGSplit            bool  // gfx90a, gfx94x, gfx950
	SharedVGPRCount    uint8 // gfx10, gfx11
	InstPrefSize       uint8 // gfx11+
	TrapOnStart        bool  // gfx11
	TrapOnEnd          bool  // gfx11
	GLGEnable          bool  // gfx12+: group launch guarantee
	NamedBarrierCount  uint8 // gfx1250+
	TCPSplit           uint8 // gfx1250+
	EnableDIDTThrottle bool  // gfx1250+
	ImageOp            bool  // gfx11+

	// Kernel code properties: the user SGPRs, in the order they come.
	EnablePrivateSegmentBuffer bool
	EnableDispatchPtr          bool
	EnableQueuePtr             bool
	EnableKernargSegmentPtr    bool
	EnableDispatchID           bool
	EnableFlatScratchInit      bool
	EnablePrivateSegmentSize   bool
	EnableWavefrontSize32      bool // gfx10+
	UsesDynamicStack           bool

	// Kernarg preload: dwords of the kernarg segment put in user SGPRs.
	KernargPreloadLength uint8
	KernargPreloadOffset uint16
}

// RoundMode is a rounding mode of the MODE register.
type RoundMode uint8

// DenormMode is a mode of the MODE register for denormal numbers.
type DenormMode uint8

// Rounding and denormal modes (AMDGPUUsage, "Floating Point Rounding Mode
// Enumeration Values" and "Floating Point Denorm Mode Enumeration Values").
const (
	RoundNearEven RoundMode = iota
	RoundPlusInfinity
	RoundMinusInfinity
	RoundZero
)

const (
	DenormFlushSrcDst DenormMode = iota
	DenormFlushDst
	DenormFlushSrc
	DenormFlushNone
)

func (m RoundMode) String() string {
	return [...]string{"near even", "plus infinity", "minus infinity", "zero"}[m&3]
}

func (m DenormMode) String() string {
	return [...]string{"flush src dst", "flush dst", "flush src", "flush none"}[m&3]
}

// family is a set of processor families that share a descriptor layout.
type family uint16

const (
	gfx6 family = 1 << iota
	gfx7
	gfx8
	gfx9   // but for the next two
	gfx90a // gfx90a
	gfx940 // gfx94x, gfx950
	gfx10
	gfx11
	gfx120
	gfx125

	accFile  = gfx90a | gfx940 // one register file for both kinds of VGPRs
	gfx9All  = gfx9 | accFile
	gfx12    = gfx120 | gfx125
	gfx6to8  = gfx6 | gfx7 | gfx8
	gfx6to9  = gfx6to8 | gfx9All
	gfx6to11 = gfx6to9 | gfx10 | gfx11
	gfx11Up  = gfx11 | gfx12
	gfx10Up  = gfx10 | gfx11Up
	everyone = gfx6to9 | gfx10Up
	preloads = accFile | gfx125
	archFlat = gfx940 | gfx11Up // architected flat scratch: no descriptor in SGPRs
)

func (t Target) family() family {
	switch a := t.Arch; {
	case a.Major <= 6:
		return gfx6
	case a.Major == 7:
		return gfx7
	case a.Major == 8:
		return gfx8
	case a.Major == 9 && a.Minor >= 4:
		return gfx940
	case a == Arch{9, 0, 10}:
		return gfx90a
	case a.Major == 9:
		return gfx9
	case a.Major == 10:
		return gfx10
	case a.Major == 11:
		return gfx11
	case a.Minor < 5:
		return gfx120
	}
	return gfx125
}

// word is one of the descriptor's words that is made of bit fields.
type word uint8

const (
	rsrc1 word = iota
	rsrc2
	rsrc3
	codeProperties
	kernargPreload
	words
)

var wordNames = [words]string{
	"COMPUTE_PGM_RSRC1", "COMPUTE_PGM_RSRC2", "COMPUTE_PGM_RSRC3", "KERNEL_CODE_PROPERTIES",
	"KERNARG_PRELOAD",
}

func (d *Descriptor) word(w word) uint32 {
	return [words]uint32{d.Rsrc1, d.Rsrc2, d.Rsrc3, uint32(d.CodeProperties), uint32(d.KernargPreload)}[w]
}

// bitField places a field of the descriptor.
type bitField struct {
	name         string // AMDGPUUsage's
	word         word
	shift, width uint8
	on           family // processors that have the field
	zero         family // those of them whose compilers must leave it 0
	store        func(d *Descriptor, v uint32)
}

func flag(f func(*Descriptor) *bool) func(*Descriptor, uint32) {
	return func(d *Descriptor, v uint32) { *f(d) = v != 0 }
}

func bits[N ~uint8 | ~uint16](f func(*Descriptor) *N) func(*Descriptor, uint32) {
	return func(d *Descriptor, v uint32) { *f(d) = N(v) }
}

// bitFields is the layout of the bit fields. Bits of a word that no field of a
// family covers are reserved there.
var bitFields = []bitField{
	{"GRANULATED_WORKITEM_VGPR_COUNT", rsrc1, 0, 6, everyone, 0,
		bits(func(d *Descriptor) *uint8 { return &d.GranulatedVGPRCount })},
	{"GRANULATED_WAVEFRONT_SGPR_COUNT", rsrc1, 6, 4, gfx6to9, 0,
		bits(func(d *Descriptor) *uint8 { return &d.GranulatedSGPRCount })},
	{"PRIORITY", rsrc1, 10, 2, everyone, everyone, bits(func(d *Descriptor) *uint8 { return &d.Priority })},
	{"FLOAT_ROUND_MODE_32", rsrc1, 12, 2, everyone, 0,
		bits(func(d *Descriptor) *RoundMode { return &d.FloatRoundMode32 })},
	{"FLOAT_ROUND_MODE_16_64", rsrc1, 14, 2, everyone, 0,
		bits(func(d *Descriptor) *RoundMode { return &d.FloatRoundMode16_64 })},
	{"FLOAT_DENORM_MODE_32", rsrc1, 16, 2, everyone, 0,
		bits(func(d *Descriptor) *DenormMode { return &d.FloatDenorm32 })},
	{"FLOAT_DENORM_MODE_16_64", rsrc1, 18, 2, everyone, 0,
		bits(func(d *Descriptor) *DenormMode { return &d.FloatDenorm16_64 })},
	{"PRIV", rsrc1, 20, 1, everyone, everyone, flag(func(d *Descriptor) *bool { return &d.Priv })},
	{"ENABLE_DX10_CLAMP", rsrc1, 21, 1, gfx6to11, 0, flag(func(d *Descriptor) *bool { return &d.DX10Clamp })},
	{"ENABLE_WG_RR_EN", rsrc1, 21, 1, gfx12, 0, flag(func(d *Descriptor) *bool { return &d.WGRREnable })},
	{"DEBUG_MODE", rsrc1, 22, 1, everyone, everyone, flag(func(d *Descriptor) *bool { return &d.DebugMode })},
	{"ENABLE_IEEE_MODE", rsrc1, 23, 1, gfx6to11, 0, flag(func(d *Descriptor) *bool { return &d.IEEEMode })},
	{"DISABLE_PERF", rsrc1, 23, 1, gfx12, gfx12, flag(func(d *Descriptor) *bool { return &d.DisablePerf })},
	{"BULKY", rsrc1, 24, 1, everyone, everyone, flag(func(d *Descriptor) *bool { return &d.Bulky })},
	{"CDBG_USER", rsrc1, 25, 1, everyone, everyone, flag(func(d *Descriptor) *bool { return &d.CDBGUser })},
	{"FP16_OVFL", rsrc1, 26, 1, gfx9All | gfx10Up, 0,
		flag(func(d *Descriptor) *bool { return &d.FP16Overflow })},
	{"FLAT_SCRATCH_IS_NV", rsrc1, 27, 1, gfx125, 0,
		flag(func(d *Descriptor) *bool { return &d.FlatScratchIsNV })},
	{"WGP_MODE", rsrc1, 29, 1, gfx10Up, 0, flag(func(d *Descriptor) *bool { return &d.WGPMode })},
	{"MEM_ORDERED", rsrc1, 30, 1, gfx10Up, 0, flag(func(d *Descriptor) *bool { return &d.MemOrdered })},
	{"FWD_PROGRESS", rsrc1, 31, 1, gfx10Up, 0, flag(func(d *Descriptor) *bool { return &d.FwdProgress })},

	{"ENABLE_PRIVATE_SEGMENT", rsrc2, 0, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnablePrivateSegment })},
	{"USER_SGPR_COUNT", rsrc2, 1, 5, everyone &^ gfx125, 0,
		bits(func(d *Descriptor) *uint8 { return &d.UserSGPRCount })},
	{"USER_SGPR_COUNT", rsrc2, 1, 6, gfx125, 0, bits(func(d *Descriptor) *uint8 { return &d.UserSGPRCount })},
	{"ENABLE_TRAP_HANDLER", rsrc2, 6, 1, gfx6to11, gfx6to11,
		flag(func(d *Descriptor) *bool { return &d.EnableTrapHandler })},
	{"ENABLE_DYNAMIC_VGPR", rsrc2, 6, 1, gfx120, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableDynamicVGPR })},
	{"ENABLE_SGPR_WORKGROUP_ID_X", rsrc2, 7, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableWorkgroupIDX })},
	{"ENABLE_SGPR_WORKGROUP_ID_Y", rsrc2, 8, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableWorkgroupIDY })},
	{"ENABLE_SGPR_WORKGROUP_ID_Z", rsrc2, 9, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableWorkgroupIDZ })},
	{"ENABLE_SGPR_WORKGROUP_INFO", rsrc2, 10, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableWorkgroupInfo })},
	{"ENABLE_VGPR_WORKITEM_ID", rsrc2, 11, 2, everyone, 0,
		bits(func(d *Descriptor) *uint8 { return &d.EnableVGPRWorkitemID })},
	{"ENABLE_EXCEPTION_ADDRESS_WATCH", rsrc2, 13, 1, everyone, everyone,
		flag(func(d *Descriptor) *bool { return &d.ExceptionAddressWatch })},
	{"ENABLE_EXCEPTION_MEMORY", rsrc2, 14, 1, everyone, everyone,
		flag(func(d *Descriptor) *bool { return &d.ExceptionMemory })},
	{"GRANULATED_LDS_SIZE", rsrc2, 15, 9, everyone, everyone,
		bits(func(d *Descriptor) *uint16 { return &d.GranulatedLDSSize })},
	{"ENABLE_EXCEPTION_IEEE_754_FP_INVALID_OPERATION", rsrc2, 24, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.ExceptionFPInvalid })},
	{"ENABLE_EXCEPTION_FP_DENORMAL_SOURCE", rsrc2, 25, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.ExceptionFPDenormal })},
	{"ENABLE_EXCEPTION_IEEE_754_FP_DIVISION_BY_ZERO", rsrc2, 26, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.ExceptionFPDivideByZero })},
	{"ENABLE_EXCEPTION_IEEE_754_FP_OVERFLOW", rsrc2, 27, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.ExceptionFPOverflow })},
	{"ENABLE_EXCEPTION_IEEE_754_FP_UNDERFLOW", rsrc2, 28, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.ExceptionFPUnderflow })},
	{"ENABLE_EXCEPTION_IEEE_754_FP_INEXACT", rsrc2, 29, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.ExceptionFPInexact })},
	{"ENABLE_EXCEPTION_INT_DIVIDE_BY_ZERO", rsrc2, 30, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.ExceptionIntDivideByZero })},
	{"WGP_TAKEOVER", rsrc2, 31, 1, gfx12, gfx12, flag(func(d *Descriptor) *bool { return &d.WGPTakeover })},

	{"ACCUM_OFFSET", rsrc3, 0, 6, accFile, 0, bits(func(d *Descriptor) *uint8 { return &d.AccumOffset })},
	{"TG_SPLIT", rsrc3, 16, 1, accFile, 0, flag(func(d *Descriptor) *bool { return &d.TGSplit })},
	{"SHARED_VGPR_COUNT", rsrc3, 0, 4, gfx10 | gfx11, 0,
		bits(func(d *Descriptor) *uint8 { return &d.SharedVGPRCount })},
	{"INST_PREF_SIZE", rsrc3, 4, 6, gfx11, 0, bits(func(d *Descriptor) *uint8 { return &d.InstPrefSize })},
	{"INST_PREF_SIZE", rsrc3, 4, 8, gfx12, 0, bits(func(d *Descriptor) *uint8 { return &d.InstPrefSize })},
	{"TRAP_ON_START", rsrc3, 10, 1, gfx11, gfx11, flag(func(d *Descriptor) *bool { return &d.TrapOnStart })},
	{"TRAP_ON_END", rsrc3, 11, 1, gfx11, gfx11, flag(func(d *Descriptor) *bool { return &d.TrapOnEnd })},
	{"GLG_EN", rsrc3, 13, 1, gfx12, 0, flag(func(d *Descriptor) *bool { return &d.GLGEnable })},
	{"NAMED_BAR_CNT", rsrc3, 14, 3, gfx125, 0,
		bits(func(d *Descriptor) *uint8 { return &d.NamedBarrierCount })},
	{"ENABLE_DYNAMIC_VGPR", rsrc3, 17, 1, gfx125, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableDynamicVGPR })},
	{"TCP_SPLIT", rsrc3, 18, 3, gfx125, 0, bits(func(d *Descriptor) *uint8 { return &d.TCPSplit })},
	{"ENABLE_DIDT_THROTTLE", rsrc3, 21, 1, gfx125, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableDIDTThrottle })},
	{"IMAGE_OP", rsrc3, 31, 1, gfx11Up, 0, flag(func(d *Descriptor) *bool { return &d.ImageOp })},

	{"ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER", codeProperties, 0, 1, everyone, archFlat,
		flag(func(d *Descriptor) *bool { return &d.EnablePrivateSegmentBuffer })},
	{"ENABLE_SGPR_DISPATCH_PTR", codeProperties, 1, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableDispatchPtr })},
	{"ENABLE_SGPR_QUEUE_PTR", codeProperties, 2, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableQueuePtr })},
	{"ENABLE_SGPR_KERNARG_SEGMENT_PTR", codeProperties, 3, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableKernargSegmentPtr })},
	{"ENABLE_SGPR_DISPATCH_ID", codeProperties, 4, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableDispatchID })},
	{"ENABLE_SGPR_FLAT_SCRATCH_INIT", codeProperties, 5, 1, everyone, archFlat,
		flag(func(d *Descriptor) *bool { return &d.EnableFlatScratchInit })},
	{"ENABLE_SGPR_PRIVATE_SEGMENT_SIZE", codeProperties, 6, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.EnablePrivateSegmentSize })},
	{"ENABLE_WAVEFRONT_SIZE32", codeProperties, 10, 1, gfx10Up, 0,
		flag(func(d *Descriptor) *bool { return &d.EnableWavefrontSize32 })},
	{"USES_DYNAMIC_STACK", codeProperties, 11, 1, everyone, 0,
		flag(func(d *Descriptor) *bool { return &d.UsesDynamicStack })},

	{"KERNARG_PRELOAD_SPEC_LENGTH", kernargPreload, 0, 7, preloads, 0,
		bits(func(d *Descriptor) *uint8 { return &d.KernargPreloadLength })},
	{"KERNARG_PRELOAD_SPEC_OFFSET", kernargPreload, 7, 9, preloads, 0,
		bits(func(d *Descriptor) *uint16 { return &d.KernargPreloadOffset })},
}

func (f *bitField) value(d *Descriptor) uint32 {
	return d.word(f.word) >> f.shift & (1<<f.width - 1)
}

// reservedBytes are those that must be zero, whatever the target: [from, to).
var reservedBytes = [...][2]int{{12, 16}, {24, 44}, {60, 64}}

// DecodeDescriptor decodes a descriptor for a target. Problems are reserved
// bits that are set and settings that cannot be; the hardware or its driver may
// refuse the kernel for them.
func DecodeDescriptor(raw [DescriptorSize]byte, t Target) (d Descriptor, problems []string) {
	d = Descriptor{
		GroupSegmentFixedSize:   le32(raw[0:]),
		PrivateSegmentFixedSize: le32(raw[4:]),
		KernargSize:             le32(raw[8:]),
		EntryOffset:             int64(le64(raw[16:])),
		Rsrc3:                   le32(raw[44:]),
		Rsrc1:                   le32(raw[48:]),
		Rsrc2:                   le32(raw[52:]),
		CodeProperties:          le16(raw[56:]),
		KernargPreload:          le16(raw[58:]),
	}
	for _, r := range reservedBytes {
		for i := r[0]; i < r[1]; i++ {
			if raw[i] != 0 {
				problems = append(problems, fmt.Sprintf("reserved byte %d is %#x, must be 0", i, raw[i]))
			}
		}
	}
	return d, append(problems, d.decodeWords(t)...)
}

// decodeWords sets the fields that the words have, and the registers that follow
// from them.
func (d *Descriptor) decodeWords(t Target) (problems []string) {
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	fam := t.family()
	var known [words]uint32
	for i := range bitFields {
		f := &bitFields[i]
		if f.on&fam == 0 {
			continue
		}
		known[f.word] |= (1<<f.width - 1) << f.shift
		v := f.value(d)
		f.store(d, v)
		if v != 0 && f.zero&fam != 0 {
			problem("%s is %d, must be 0", f.name, v)
		}
	}
	for w := range words {
		if reserved := d.word(w) &^ known[w]; reserved != 0 {
			problem("reserved bits %#x of %s are set", reserved, wordNames[w])
		}
	}
	d.countRegisters(fam, t)
	if fam&accFile != 0 && d.accumOffset() > d.TotalVGPRs {
		problem("ACCUM_OFFSET puts a0 at register %d of %d", d.accumOffset(), d.TotalVGPRs)
	}
	return problems
}

// check looks for settings with which no kernel can be started.
func (d *Descriptor) check() error {
	if d.EnableVGPRWorkitemID > 2 {
		return fmt.Errorf("ENABLE_VGPR_WORKITEM_ID is %d, which is undefined; want 0 to 2",
			d.EnableVGPRWorkitemID)
	}
	return nil
}

// maxAccVGPRs is how many accumulation registers instructions can name. More are
// allocated where the compiler raises the total to lower the number of waves
// (amdgpu_waves_per_eu), or where the total is rounded up.
const maxAccVGPRs = 256

// accumOffset is the number of the register that is a0.
func (d *Descriptor) accumOffset() int { return 4 * (int(d.AccumOffset) + 1) }

// countRegisters turns granulated counts into registers (AMDGPUUsage,
// "compute_pgm_rsrc1 for GFX6-GFX12", GRANULATED_WORKITEM_VGPR_COUNT and
// GRANULATED_WAVEFRONT_SGPR_COUNT).
func (d *Descriptor) countRegisters(fam family, t Target) {
	granule := 4
	switch {
	case fam&accFile != 0:
		granule = 8
	case fam == gfx125 && d.EnableWavefrontSize32:
		granule = 16
	case fam == gfx125 || d.EnableWavefrontSize32:
		granule = 8
	}
	d.TotalVGPRs = granule * (int(d.GranulatedVGPRCount) + 1)
	d.ArchVGPRs = d.TotalVGPRs
	switch {
	case fam&accFile != 0:
		d.ArchVGPRs = min(d.accumOffset(), d.TotalVGPRs)
		d.AccVGPRs = min(d.TotalVGPRs-d.ArchVGPRs, maxAccVGPRs)
	case t.Arch == Arch{9, 0, 8}: // gfx908 has a second file of the same size
		d.AccVGPRs = d.TotalVGPRs
	}
	switch {
	case fam&gfx6to8 != 0:
		d.SGPRs = 8 * (int(d.GranulatedSGPRCount) + 1)
	case fam&gfx9All != 0:
		d.SGPRs = 16 * (int(d.GranulatedSGPRCount)/2 + 1)
	default:
		d.SGPRs = 128 // always all of them
	}
}

// DescriptorField is a bit field with the name AMDGPUUsage gives it.
type DescriptorField struct {
	Name  string
	Value uint32
}

// Fields lists the bit fields that the target's descriptors have.
func (d *Descriptor) Fields(t Target) []DescriptorField {
	var out []DescriptorField
	fam := t.family()
	for i := range bitFields {
		if f := &bitFields[i]; f.on&fam != 0 {
			out = append(out, DescriptorField{f.name, f.value(d)})
		}
	}
	return out
}

func le16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
