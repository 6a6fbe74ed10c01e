package loader

// Kernel is an entry point that can be dispatched, as far as all formats have
// it. Sizes are in bytes; zero where the format does not say.
type Kernel struct {
	Name   string
	Symbol string // another name it answers to, such as that of its record in the file; may be empty
	Entry  uint64 // address of the first instruction

	ArgSize      uint64 // of all arguments together
	ArgAlign     uint64
	LDSSize      uint64 // fixed part of the memory a workgroup shares
	PrivateSize  uint64 // fixed part of the memory of a work-item
	DynamicStack bool   // calls may need more than PrivateSize

	WavefrontSize        int // lanes that execute together
	MaxFlatWorkgroupSize uint32
	Registers            uint32    // of each lane that the kernel uses, those that lanes do not share
	ReqdWorkgroupSize    [3]uint32 // zero if any size will do
	WorkgroupSizeHint    [3]uint32
	VecTypeHint          string // the type that the source computes with, "float4"; "" if it does not say

	Language        string // "OpenCL C", "HIP", ...
	LanguageVersion [2]uint32

	Args           []Arg // explicit and hidden ones in the order of the file
	UndeclaredArgs bool  // the file does not say which there are

	Native any // the format's own record of the kernel, such as *amdgpu.Kernel
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

// Arg is an argument: a range of bytes in what the kernel is given.
type Arg struct {
	Name         string // empty if the compiler did not keep it
	TypeName     string
	Offset, Size uint64
	Kind         ValueKind
	Hidden       bool   // provided by the runtime, not by the caller
	MayPoint     bool   // of a value: the file does not say whether it is an address
	AddressSpace string // of a pointer: "global", "local", "constant", "generic", "private", "region"
	Access       string // of an image or pipe, as declared: "read_only", ...
	ActualAccess string // as the kernel uses it
	PointeeAlign uint64 // of dynamic local memory
	IsConst      bool
	IsRestrict   bool
	IsVolatile   bool
	IsPipe       bool

	Native any // the format's own record of the argument
}

// ValueKind says what an argument's bytes are. Those that only one format has
// are in its package.
type ValueKind string

// The kinds that all formats have, in the spelling of AMDGPUUsage ("Code Object
// V3 Metadata", ".value_kind").
const (
	ByValue      ValueKind = "by_value"
	GlobalBuffer ValueKind = "global_buffer" // the address of global memory
	// the place of local memory that the launch allocates
	DynamicSharedPointer ValueKind = "dynamic_shared_pointer"
	Sampler              ValueKind = "sampler"
	Image                ValueKind = "image"
	Pipe                 ValueKind = "pipe"
	Queue                ValueKind = "queue"
)

func (k ValueKind) String() string { return string(k) }
