package amdgpu

import (
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/msgpack"
)

// Object is what only AMDGPU code objects have: loader.Module.Native.
type Object struct {
	Target          Target
	Printf          []string      // formats of OpenCL printf, "ID:N:SIZE1:...:SIZEN:FORMAT": see ParsePrintf
	MetadataVersion [2]int        // amdhsa.version; zero without metadata
	Metadata        msgpack.Value // of the first note, if there are several
	Pipeline        *Pipeline     // of PAL; nil for HSA, whose metadata the fields above are from
}

// Of gives the object that a module was read from; nil if it is of another
// format.
func Of(m *loader.Module) *Object {
	o, _ := m.Native.(*Object)
	return o
}

// Kernel is what only kernels of AMDGPU code objects have: loader.Kernel.Native.
// Where the file has no metadata (hand-written assembly), what the descriptor
// says stands in for it and HasMetadata is false.
type Kernel struct {
	DescriptorAddr uint64 // 0 in PAL's pipelines, which have none
	Descriptor     Descriptor
	HasMetadata    bool
	UserData       []UserData // PAL: what each user SGPR holds

	// Registers as the compiler counted them; what is allocated follows from
	// the descriptor.
	SGPRs, VGPRs, AGPRs    uint32
	SGPRSpills, VGPRSpills uint32

	MaxNumWorkgroups     [3]uint32 // zero if not limited
	ClusterDims          [3]uint32
	UniformWorkgroupSize bool // the grid is a multiple of the workgroup
	WorkgroupProcessor   bool // gfx10+: WGP mode rather than CU mode
	DeviceEnqueueSymbol  string
	Kind                 string // "normal", "init" or "fini"; empty means normal
}

// KernelOf gives what is AMDGPU's of a kernel; nil if it is of another format.
func KernelOf(k *loader.Kernel) *Kernel {
	own, _ := k.Native.(*Kernel)
	return own
}

// Kinds of arguments that the runtime provides (AMDGPUUsage, "Code Object V3
// Metadata", ".value_kind", and "Code Object V5 Metadata"). Those of newer
// compilers are kept in the metadata's spelling.
const (
	HiddenGlobalOffsetX    loader.ValueKind = "hidden_global_offset_x"
	HiddenGlobalOffsetY    loader.ValueKind = "hidden_global_offset_y"
	HiddenGlobalOffsetZ    loader.ValueKind = "hidden_global_offset_z"
	HiddenNone             loader.ValueKind = "hidden_none"
	HiddenPrintfBuffer     loader.ValueKind = "hidden_printf_buffer"
	HiddenHostcallBuffer   loader.ValueKind = "hidden_hostcall_buffer"
	HiddenDefaultQueue     loader.ValueKind = "hidden_default_queue"
	HiddenCompletionAction loader.ValueKind = "hidden_completion_action"
	HiddenMultigridSyncArg loader.ValueKind = "hidden_multigrid_sync_arg"
	HiddenBlockCountX      loader.ValueKind = "hidden_block_count_x"
	HiddenBlockCountY      loader.ValueKind = "hidden_block_count_y"
	HiddenBlockCountZ      loader.ValueKind = "hidden_block_count_z"
	HiddenGroupSizeX       loader.ValueKind = "hidden_group_size_x"
	HiddenGroupSizeY       loader.ValueKind = "hidden_group_size_y"
	HiddenGroupSizeZ       loader.ValueKind = "hidden_group_size_z"
	HiddenRemainderX       loader.ValueKind = "hidden_remainder_x"
	HiddenRemainderY       loader.ValueKind = "hidden_remainder_y"
	HiddenRemainderZ       loader.ValueKind = "hidden_remainder_z"
	HiddenGridDims         loader.ValueKind = "hidden_grid_dims"
	HiddenHeapV1           loader.ValueKind = "hidden_heap_v1"
	HiddenDynamicLDSSize   loader.ValueKind = "hidden_dynamic_lds_size"
	HiddenPrivateBase      loader.ValueKind = "hidden_private_base"
	HiddenSharedBase       loader.ValueKind = "hidden_shared_base"
	HiddenQueuePtr         loader.ValueKind = "hidden_queue_ptr"
)

const hiddenPrefix = "hidden_"

// IsHidden reports whether the runtime provides arguments of a kind.
func IsHidden(k loader.ValueKind) bool { return strings.HasPrefix(string(k), hiddenPrefix) }
