package zebin

import (
	"fmt"
	"strconv"
	"strings"

	"simtgdb/loader"
)

// infoSection is where the YAML text is.
const infoSection = ".ze_info"

// A Kernel is what .ze_info says of a kernel (zeinfo.md). Offsets are in bytes
// of the cross-thread data.
type Kernel struct {
	Name string

	SIMD          int // lanes of a thread: 8, 16, 32
	Registers     int // general registers
	SLMSize       uint64
	Barriers      int
	StackCalls    bool
	BigBuffers    bool // has_4gb_buffers: all buffers are reached by 64-bit addresses
	RequiredGroup [3]uint32

	Bindings      []Binding
	Samplers      []Sampler // inline_samplers
	Args          []Arg     // payload_arguments, in the order of the file
	PerThread     []Arg     // per_thread_payload_arguments
	Declared      []Declared
	Inline        int // inline_data_payload_size: bytes of cross-thread data that a thread gets in registers
	PrivateSize   uint64
	PrivatePerSim bool // PrivateSize is of a lane, not of a thread
	ScratchSize   uint64

	Constants, Variables uint64   // where the program's variables are
	Strings              []string // of printf, if records of it name them by number: of patch-token files
}

// An Arg is a piece of what a thread is given. What does not apply is zero.
type Arg struct {
	Type         string // arg_type
	Offset, Size uint64
	Index        int    // OpenCL argument; -1 if it is none
	SourceOffset uint64 // of a by-value argument that comes in pieces
	Mode         string // of a pointer: "stateless", "stateful", "slm", ...
	Space        string // "global", "constant", "local"
	Access       string
	SLMAlign     uint64
	Sampler      int // of a sampler: its number among the kernel's
}

// A Binding is an entry of the binding table, and the argument whose buffer it stands for.
type Binding struct{ Entry, Index int }

// A Sampler is one that the source has as a constant (zeinfo.md, "inline_samplers").
type Sampler struct {
	Index      int
	Address    string // none, repeat, clamp_edge, clamp_border, mirror
	Filter     string // nearest, linear
	Normalized bool
}

// Declared is an argument as the source declares it (kernels_misc_info).
type Declared struct {
	Index      int
	Name, Type string
	Size       uint64 // of the type; 0 if it is not known
	Access     string // of an image: "read_only", ...
	Qualifiers string // words: const, restrict, volatile; NONE if there are none, "" if nothing is known
}

// Bounds on what a kernel may ask for.
const (
	maxPayload = 64 << 10
	maxMemory  = 1 << 30
	maxIndex   = 1 << 10
	maxSampler = 1 << 7
	maxEntry   = 239 // of a binding table: behind them are entries with meanings of their own
)

// CrossThreadSize is how many bytes of cross-thread data the kernel is given.
func (k *Kernel) CrossThreadSize() uint64 {
	var size uint64
	for _, a := range k.Args {
		size = max(size, a.Offset+a.Size)
	}
	return size
}

// PerThreadSize is how many bytes each thread is given of its own.
func (k *Kernel) PerThreadSize() uint64 {
	var size uint64
	for _, a := range k.PerThread {
		size = max(size, a.Offset+a.Size)
	}
	return size
}

// Launchable says why the kernel cannot run; nil if it can.
func (k *Kernel) Launchable() error {
	reached := map[int]bool{}
	for _, a := range k.Args {
		if a.Type == ArgPointer && (a.Mode != "stateful" || a.Space == SpaceImage ||
			a.Space == SpaceSampler) {
			reached[a.Index] = true
		}
	}
	for _, b := range k.Bindings {
		reached[b.Index] = true
	}
	for _, a := range k.Args {
		if a.Type == ArgPointer && !reached[a.Index] && !k.BigBuffers {
			return &loader.KernelError{Kernel: k.Name,
				Err: fmt.Errorf("argument %d is reached through a binding table; "+
					"compile with -cl-intel-greater-than-4GB-buffer-required: %w", a.Index,
					loader.ErrUnsupported)}
		}
	}
	return nil
}

// Spaces of arguments that are no memory.
const (
	SpaceImage   = "image"
	SpaceSampler = "sampler"
)

// ArgPointer is the type of arguments that are pointers, ArgAddress that of the address of one that is a
// surface.
const (
	ArgPointer = "arg_bypointer"
	ArgAddress = "buffer_address"
)

// Types of arguments that are where variables of the program are.
const (
	ArgConstants = "data_const_buffer"
	ArgVariables = "data_global_buffer"
)

// NotAKernel is a kernel that IGC makes to hold symbols; it is not to be run.
const NotAKernel = "Intel_Symbol_Table_Void_Program"

// readInfo reads .ze_info.
func readInfo(text string) (version string, kernels []*Kernel, err error) {
	doc, err := readYAML(text)
	if err != nil {
		return "", nil, err
	}
	if v := doc.at("version"); v != nil {
		version = v.scalar
	}
	list := doc.at("kernels")
	if list == nil {
		return version, nil, nil
	}
	for _, n := range list.items {
		k, err := readKernel(n)
		if err != nil {
			return "", nil, err
		}
		if k.Name != NotAKernel {
			kernels = append(kernels, k)
		}
	}
	return version, kernels, readDeclared(doc.at("kernels_misc_info"), kernels)
}

// readDeclared reads what the source says of kernels' arguments. Types come
// with their size behind a semicolon.
func readDeclared(list *node, kernels []*Kernel) error {
	if list == nil {
		return nil
	}
	byName := map[string]*Kernel{}
	for _, k := range kernels {
		byName[k.Name] = k
	}
	f := &fieldReader{}
	for _, n := range list.items {
		k, args := byName[f.text(n, "name")], n.at("args_info")
		if k == nil || args == nil || k.Declared != nil {
			continue
		}
		for _, a := range args.items {
			d := Declared{Index: int(f.number(a, "index", maxIndex)), Name: f.text(a, "name"),
				Access:     strings.TrimLeft(f.text(a, "access_qualifier"), "_"),
				Qualifiers: f.text(a, "type_qualifiers")}
			typ, size, _ := strings.Cut(f.text(a, "type_name"), ";")
			d.Type = typ
			if n, err := strconv.ParseUint(size, 10, 64); err == nil && n <= maxPayload {
				d.Size = n
			}
			k.Declared = append(k.Declared, d)
		}
	}
	return f.err
}

func readKernel(n *node) (*Kernel, error) {
	name := n.at("name")
	if name == nil || name.scalar == "" {
		return nil, yamlError(n.line, "a kernel without a name")
	}
	k := &Kernel{Name: name.scalar}
	f := &fieldReader{}
	env := n.at("execution_env")
	k.SIMD = int(f.number(env, "simd_size", 32))
	k.Registers = int(f.number(env, "grf_count", 256))
	k.Inline = int(f.number(env, "inline_data_payload_size", 64))
	k.SLMSize = f.number(env, "slm_size", maxPayload*16)
	k.Barriers = int(f.number(env, "barrier_count", 32))
	k.StackCalls = f.flag(env, "has_stack_calls")
	k.BigBuffers = f.flag(env, "has_4gb_buffers")
	if r := env.at("required_work_group_size"); r != nil && len(r.items) == 3 {
		for i := range k.RequiredGroup {
			k.RequiredGroup[i] = uint32(f.parse(r.items[i], "required_work_group_size", maxMemory))
		}
	}
	k.Args = f.args(n.at("payload_arguments"))
	k.PerThread = f.args(n.at("per_thread_payload_arguments"))
	if list := n.at("binding_table_indices"); list != nil {
		for _, b := range list.items {
			k.Bindings = append(k.Bindings, Binding{Entry: int(f.number(b, "bti_value", maxEntry)),
				Index: int(f.number(b, "arg_index", maxIndex))})
		}
	}
	if list := n.at("inline_samplers"); list != nil {
		for _, s := range list.items {
			k.Samplers = append(k.Samplers, Sampler{Index: int(f.number(s, "sampler_index", maxSampler)),
				Address: f.text(s, "addrmode"), Filter: f.text(s, "filtermode"),
				Normalized: f.flag(s, "normalized")})
		}
	}
	if buffers := n.at("per_thread_memory_buffers"); buffers != nil {
		for _, b := range buffers.items {
			f.buffer(k, b)
		}
	}
	if f.err == nil && k.SIMD != 8 && k.SIMD != 16 && k.SIMD != 32 {
		f.err = yamlError(n.line, "simd_size is %d; want 8, 16 or 32", k.SIMD)
	}
	if f.err != nil {
		return nil, &loader.KernelError{Kernel: k.Name, Err: f.err}
	}
	return k, nil
}

// buffer reads an entry of per_thread_memory_buffers.
func (f *fieldReader) buffer(k *Kernel, b *node) {
	size := f.number(b, "size", maxMemory)
	kind, usage := f.text(b, "type"), f.text(b, "usage")
	switch {
	case kind == "scratch":
		k.ScratchSize = max(k.ScratchSize, size)
	case kind == "global" && usage == "private_space":
		k.PrivateSize = max(k.PrivateSize, size)
		k.PrivatePerSim = f.flag(b, "is_simt_thread")
	default:
		f.fail(b.line, "a memory buffer of type %q for %q", clip(kind), clip(usage))
	}
}

// A fieldReader reads fields and remembers the first error.
type fieldReader struct{ err error }

func (f *fieldReader) fail(line int, format string, args ...any) {
	if f.err == nil {
		f.err = yamlError(line, format, args...)
	}
}

func (f *fieldReader) text(n *node, key string) string {
	if v := n.at(key); v != nil {
		return v.scalar
	}
	return ""
}

func (f *fieldReader) flag(n *node, key string) bool {
	v := n.at(key)
	if v == nil || v.scalar == "false" {
		return false
	}
	if v.scalar != "true" {
		f.fail(v.line, "%s is %q; want true or false", key, clip(v.scalar))
	}
	return v.scalar == "true"
}

// number reads a number up to a limit, 0 if the field is not there.
func (f *fieldReader) number(n *node, key string, limit uint64) uint64 {
	v := n.at(key)
	if v == nil {
		return 0
	}
	return f.parse(v, key, limit)
}

func (f *fieldReader) parse(v *node, key string, limit uint64) uint64 {
	x, err := strconv.ParseUint(v.scalar, 0, 64)
	switch {
	case err != nil:
		f.fail(v.line, "%s is %q; want a number", key, clip(v.scalar))
		return 0
	case x > limit:
		f.fail(v.line, "%s is %d; at most %d are read", key, x, limit)
		return 0
	}
	return x
}

func (f *fieldReader) args(list *node) []Arg {
	if list == nil {
		return nil
	}
	args := make([]Arg, 0, len(list.items))
	for _, n := range list.items {
		a := Arg{Type: f.text(n, "arg_type"), Offset: f.number(n, "offset", maxPayload), Size: f.number(n,
			"size", maxPayload),
			Index: -1, SourceOffset: f.number(n, "source_offset", maxPayload), Mode: f.text(n, "addrmode"),
			Space: f.text(n, "addrspace"), Access: f.text(n, "access_type"), SLMAlign: f.number(n,
				"slm_alignment", maxPayload), Sampler: int(f.number(n, "sampler_index", maxSampler))}
		if n.at("arg_index") != nil {
			a.Index = int(f.number(n, "arg_index", maxIndex))
		}
		args = append(args, a)
	}
	return args
}
