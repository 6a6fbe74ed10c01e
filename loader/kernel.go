package loader

import "strings"

// Kernel is an entry point that can be dispatched. Sizes are in bytes. Where
// the file has no metadata (hand-written assembly), what the descriptor says
// stands in for it and HasMetadata is false.
type Kernel struct {
	Name           string
	Symbol         string // of the kernel descriptor, "NAME.kd"
	Entry          uint64 // address of the first instruction
	DescriptorAddr uint64
	Descriptor     Descriptor
	HasMetadata    bool

	KernargSize  uint64
	KernargAlign uint64
	LDSSize      uint64 // fixed part of the group segment, for a workgroup
	PrivateSize  uint64 // fixed part of the private segment, for a work-item
	DynamicStack bool   // calls may need more than PrivateSize

	// Registers as the compiler counted them; what is allocated follows from
	// the descriptor.
	SGPRs, VGPRs, AGPRs    uint32
	SGPRSpills, VGPRSpills uint32

	WavefrontSize        int
	MaxFlatWorkgroupSize uint32
	ReqdWorkgroupSize    [3]uint32 // zero if any size will do
	WorkgroupSizeHint    [3]uint32
	MaxNumWorkgroups     [3]uint32 // zero if not limited
	ClusterDims          [3]uint32
	UniformWorkgroupSize bool // the grid is a multiple of the workgroup
	WorkgroupProcessor   bool // gfx10+: WGP mode rather than CU mode
	VecTypeHint          string
	Language             string // "OpenCL C", "HIP", ...
	LanguageVersion      [2]uint32
	DeviceEnqueueSymbol  string
	Kind                 string // "normal", "init" or "fini"; empty means normal
	Args                 []Arg  // explicit and hidden ones in the order of the metadata
}

// ExplicitArgs gives the arguments that the caller provides: all but the hidden
// ones.
func (k *Kernel) ExplicitArgs() []Arg {
	var out []Arg
	for _, a := range k.Args {
		if !a.Hidden {
			out = append(out, a)
		}
	}
	return out
}

// HiddenArg finds the hidden argument of a kind.
func (k *Kernel) HiddenArg(kind ValueKind) (Arg, bool) {
	for _, a := range k.Args {
		if a.Kind == kind && a.Hidden {
			return a, true
		}
	}
	return Arg{}, false
}

// Arg is an argument: a range of bytes in the kernarg segment.
type Arg struct {
	Name         string // empty if the compiler did not keep it
	TypeName     string
	Offset, Size uint64
	Kind         ValueKind
	Hidden       bool   // provided by the runtime, not by the caller
	AddressSpace string // of a pointer: "global", "local", "constant", "generic", "private", "region"
	Access       string // of an image or pipe, as declared: "read_only", ...
	ActualAccess string // as the kernel uses it
	PointeeAlign uint64 // of dynamic local memory
	IsConst      bool
	IsRestrict   bool
	IsVolatile   bool
	IsPipe       bool
}

// ValueKind says what an argument's bytes are (AMDGPUUsage, "Code Object V3
// Metadata", ".value_kind"; hidden ones also "Code Object V5 Metadata"). It is
// the metadata's spelling, so that kinds of newer compilers are kept as well.
type ValueKind string

// The kinds that AMDGPUUsage lists.
const (
	ByValue                ValueKind = "by_value"
	GlobalBuffer           ValueKind = "global_buffer"
	DynamicSharedPointer   ValueKind = "dynamic_shared_pointer"
	Sampler                ValueKind = "sampler"
	Image                  ValueKind = "image"
	Pipe                   ValueKind = "pipe"
	Queue                  ValueKind = "queue"
	HiddenGlobalOffsetX    ValueKind = "hidden_global_offset_x"
	HiddenGlobalOffsetY    ValueKind = "hidden_global_offset_y"
	HiddenGlobalOffsetZ    ValueKind = "hidden_global_offset_z"
	HiddenNone             ValueKind = "hidden_none"
	HiddenPrintfBuffer     ValueKind = "hidden_printf_buffer"
	HiddenHostcallBuffer   ValueKind = "hidden_hostcall_buffer"
	HiddenDefaultQueue     ValueKind = "hidden_default_queue"
	HiddenCompletionAction ValueKind = "hidden_completion_action"
	HiddenMultigridSyncArg ValueKind = "hidden_multigrid_sync_arg"
	HiddenBlockCountX      ValueKind = "hidden_block_count_x"
	HiddenBlockCountY      ValueKind = "hidden_block_count_y"
	HiddenBlockCountZ      ValueKind = "hidden_block_count_z"
	HiddenGroupSizeX       ValueKind = "hidden_group_size_x"
	HiddenGroupSizeY       ValueKind = "hidden_group_size_y"
	HiddenGroupSizeZ       ValueKind = "hidden_group_size_z"
	HiddenRemainderX       ValueKind = "hidden_remainder_x"
	HiddenRemainderY       ValueKind = "hidden_remainder_y"
	HiddenRemainderZ       ValueKind = "hidden_remainder_z"
	HiddenGridDims         ValueKind = "hidden_grid_dims"
	HiddenHeapV1           ValueKind = "hidden_heap_v1"
	HiddenDynamicLDSSize   ValueKind = "hidden_dynamic_lds_size"
	HiddenPrivateBase      ValueKind = "hidden_private_base"
	HiddenSharedBase       ValueKind = "hidden_shared_base"
	HiddenQueuePtr         ValueKind = "hidden_queue_ptr"
)

const hiddenPrefix = "hidden_"

func (k ValueKind) String() string { return string(k) }

// Hidden tells whether the runtime provides arguments of this kind.
func (k ValueKind) Hidden() bool { return strings.HasPrefix(string(k), hiddenPrefix) }
