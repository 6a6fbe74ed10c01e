package amdgpu

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/msgpack"
	"simtgdb/loader/printable"
)

// metadata is what the NT_AMDGPU_METADATA note says (AMDGPUUsage, "Code Object
// V3 Metadata" and the sections for V4 and V5 after it).
type metadata struct {
	root    msgpack.Value
	version [2]int
	target  string
	printf  []string
	kernels []record
	symbols map[string]bool // of kernels, as soon as there is a second note
}

// neutral is the part of a kernel that all formats have.
type neutral = loader.Kernel

// record is all that the metadata says of a kernel.
type record struct {
	neutral
	Kernel
}

// setter stores a value of the metadata in a T.
type setter[T any] func(*T, msgpack.Value) error

// decodeMap stores the entries of a map whose keys the table has. Others are
// of newer compilers: ignored here, kept in Object.Metadata.
func decodeMap[T any](dst *T, v msgpack.Value, table map[string]setter[T]) error {
	if v.Kind() != msgpack.Map {
		return wrongKind(v, msgpack.Map)
	}
	for p := range v.Pairs {
		key, ok := p.Key.Str()
		if !ok {
			return wrongKind(p.Key, msgpack.String)
		}
		if set, known := table[key]; known {
			if err := set(dst, p.Value); err != nil {
				return &pathError{key, err}
			}
		}
	}
	return nil
}

// decodeList gives each element of an array to f.
func decodeList(v msgpack.Value, f func(i int, v msgpack.Value) error) error {
	elems, ok := v.Array()
	if !ok {
		return wrongKind(v, msgpack.Array)
	}
	for i, e := range elems {
		if err := f(i, e); err != nil {
			return &pathError{fmt.Sprintf("[%d]", i), err}
		}
	}
	return nil
}

// pathError says in which entry of the metadata an error is:
// "amdhsa.kernels[0].args[2].offset: ...".
type pathError struct {
	step string
	err  error
}

func (e *pathError) Error() string {
	if inner, ok := e.err.(*pathError); ok {
		return e.step + inner.Error()
	}
	return e.step + ": " + e.err.Error()
}

func (e *pathError) Unwrap() error { return e.err }

// valueError says what is wrong with a value; the offset is in the metadata.
type valueError struct {
	offset int
	what   string
}

func (e *valueError) Error() string { return fmt.Sprintf("%s (metadata offset %#x)", e.what, e.offset) }

func wrongKind(v msgpack.Value, want msgpack.Kind) error {
	return &valueError{v.Offset(), fmt.Sprintf("%v, want %v", v.Kind(), want)}
}

func stringField[T any](field func(*T) *string) setter[T] {
	return func(dst *T, v msgpack.Value) (err error) {
		*field(dst), err = asString(v)
		return err
	}
}

func asString(v msgpack.Value) (string, error) {
	s, ok := v.Str()
	if !ok {
		return "", wrongKind(v, msgpack.String)
	}
	return s, nil
}

// boolField also takes integers, which the metadata uses for some flags.
func boolField[T any](field func(*T) *bool) setter[T] {
	return func(dst *T, v msgpack.Value) error {
		b, isBool := v.Bool()
		n, isInt := v.Uint()
		if !isBool && !isInt {
			return wrongKind(v, msgpack.Bool)
		}
		*field(dst) = isBool && b || isInt && n != 0
		return nil
	}
}

func uintField[T any, N int | uint32 | uint64](field func(*T) *N) setter[T] {
	return func(dst *T, v msgpack.Value) error { return asUint(v, field(dst)) }
}

// asUint stores an integer of at most 32 bits, which is more than any size or
// count in the metadata can be.
func asUint[N int | uint32 | uint64](v msgpack.Value, dst *N) error {
	n, ok := v.Uint()
	switch {
	case v.Kind() != msgpack.Int:
		return wrongKind(v, msgpack.Int)
	case !ok || n > math.MaxUint32:
		return &valueError{v.Offset(), "integer out of range, want 0 to 2^32-1"}
	}
	*dst = N(n)
	return nil
}

// uintsField stores an array of exactly as many integers as there are places.
func uintsField[T any, N int | uint32](places func(*T) []N) setter[T] {
	return func(dst *T, v msgpack.Value) error {
		to := places(dst)
		if v.Kind() == msgpack.Array && v.Len() != len(to) {
			return &valueError{v.Offset(), fmt.Sprintf("array of %d, want %d", v.Len(), len(to))}
		}
		return decodeList(v, func(i int, v msgpack.Value) error { return asUint(v, &to[i]) })
	}
}

var metadataFields = map[string]setter[metadata]{
	"amdhsa.version": uintsField(func(m *metadata) []int { return m.version[:] }),
	"amdhsa.target":  stringField(func(m *metadata) *string { return &m.target }),
	"amdhsa.printf": func(m *metadata, v msgpack.Value) error {
		return decodeList(v, func(_ int, v msgpack.Value) error {
			s, err := asString(v)
			m.printf = append(m.printf, s)
			return err
		})
	},
	"amdhsa.kernels": func(m *metadata, v msgpack.Value) error {
		return decodeList(v, func(_ int, v msgpack.Value) error {
			k := record{Kernel: Kernel{HasMetadata: true}}
			err := decodeMap(&k, v, kernelFields)
			m.kernels = append(m.kernels, k)
			return err
		})
	},
}

var kernelFields = map[string]setter[record]{
	".name":                       stringField(func(k *record) *string { return &k.Name }),
	".symbol":                     stringField(func(k *record) *string { return &k.Symbol }),
	".language":                   stringField(func(k *record) *string { return &k.Language }),
	".language_version":           uintsField(func(k *record) []uint32 { return k.LanguageVersion[:] }),
	".reqd_workgroup_size":        uintsField(func(k *record) []uint32 { return k.ReqdWorkgroupSize[:] }),
	".workgroup_size_hint":        uintsField(func(k *record) []uint32 { return k.WorkgroupSizeHint[:] }),
	".cluster_dims":               uintsField(func(k *record) []uint32 { return k.ClusterDims[:] }),
	".max_num_work_groups_x":      uintField(func(k *record) *uint32 { return &k.MaxNumWorkgroups[0] }),
	".max_num_work_groups_y":      uintField(func(k *record) *uint32 { return &k.MaxNumWorkgroups[1] }),
	".max_num_work_groups_z":      uintField(func(k *record) *uint32 { return &k.MaxNumWorkgroups[2] }),
	".vec_type_hint":              stringField(func(k *record) *string { return &k.VecTypeHint }),
	".device_enqueue_symbol":      stringField(func(k *record) *string { return &k.DeviceEnqueueSymbol }),
	".kind":                       stringField(func(k *record) *string { return &k.Kind }),
	".kernarg_segment_size":       uintField(func(k *record) *uint64 { return &k.ArgSize }),
	".kernarg_segment_align":      uintField(func(k *record) *uint64 { return &k.ArgAlign }),
	".group_segment_fixed_size":   uintField(func(k *record) *uint64 { return &k.LDSSize }),
	".private_segment_fixed_size": uintField(func(k *record) *uint64 { return &k.PrivateSize }),
	".uses_dynamic_stack":         boolField(func(k *record) *bool { return &k.DynamicStack }),
	".wavefront_size":             uintField(func(k *record) *int { return &k.WavefrontSize }),
	".max_flat_workgroup_size":    uintField(func(k *record) *uint32 { return &k.MaxFlatWorkgroupSize }),
	".sgpr_count":                 uintField(func(k *record) *uint32 { return &k.SGPRs }),
	".vgpr_count":                 uintField(func(k *record) *uint32 { return &k.VGPRs }),
	".agpr_count":                 uintField(func(k *record) *uint32 { return &k.AGPRs }),
	".sgpr_spill_count":           uintField(func(k *record) *uint32 { return &k.SGPRSpills }),
	".vgpr_spill_count":           uintField(func(k *record) *uint32 { return &k.VGPRSpills }),
	".uniform_work_group_size":    boolField(func(k *record) *bool { return &k.UniformWorkgroupSize }),
	".workgroup_processor_mode":   boolField(func(k *record) *bool { return &k.WorkgroupProcessor }),
	".args": func(k *record, v msgpack.Value) error {
		return decodeList(v, func(_ int, v msgpack.Value) error {
			var a loader.Arg
			err := decodeMap(&a, v, argFields)
			a.Hidden = IsHidden(a.Kind)
			k.Args = append(k.Args, a)
			return err
		})
	},
}

var argFields = map[string]setter[loader.Arg]{
	".name":          stringField(func(a *loader.Arg) *string { return &a.Name }),
	".type_name":     stringField(func(a *loader.Arg) *string { return &a.TypeName }),
	".offset":        uintField(func(a *loader.Arg) *uint64 { return &a.Offset }),
	".size":          uintField(func(a *loader.Arg) *uint64 { return &a.Size }),
	".value_kind":    stringField(func(a *loader.Arg) *string { return (*string)(&a.Kind) }),
	".pointee_align": uintField(func(a *loader.Arg) *uint64 { return &a.PointeeAlign }),
	".address_space": stringField(func(a *loader.Arg) *string { return &a.AddressSpace }),
	".access":        stringField(func(a *loader.Arg) *string { return &a.Access }),
	".actual_access": stringField(func(a *loader.Arg) *string { return &a.ActualAccess }),
	".is_const":      boolField(func(a *loader.Arg) *bool { return &a.IsConst }),
	".is_restrict":   boolField(func(a *loader.Arg) *bool { return &a.IsRestrict }),
	".is_volatile":   boolField(func(a *loader.Arg) *bool { return &a.IsVolatile }),
	".is_pipe":       boolField(func(a *loader.Arg) *bool { return &a.IsPipe }),
}

// The note's owner and type (AMDGPUUsage, "Note Records").
const (
	noteOwner         = "AMDGPU"
	noteMetadata      = 32
	supportedMetadata = 1 // major version
)

// metadataNotes finds the metadata notes. A linker that compiles what it links in several parts, as clang's
// does with -fgpu-rdc, leaves one of each.
func metadataNotes(f *loader.ELF) ([]loader.Note, error) {
	notes, err := f.Notes()
	return slices.DeleteFunc(notes, func(n loader.Note) bool {
		return n.Owner != noteOwner || n.Type != noteMetadata
	}), err
}

// readMetadata finds and decodes the metadata notes; nil if there is none.
func readMetadata(f *loader.ELF) (*metadata, error) {
	notes, err := metadataNotes(f)
	if err != nil {
		return nil, err
	}
	var all *metadata
	for _, n := range notes {
		m, err := decodeMetadata(n.Desc)
		if err == nil && all != nil {
			err = all.add(m)
		}
		if err != nil {
			return nil, &loader.FormatError{Offset: int64(n.Offset), What: "metadata note: " + err.Error(),
				Err: err}
		}
		if all == nil {
			all = m
		}
	}
	return all, nil
}

// add adds what another note of the same code object says.
func (m *metadata) add(more *metadata) error {
	switch {
	case m.version != more.version:
		return fmt.Errorf("amdhsa.version is %v, and %v in the note before", more.version, m.version)
	case m.target == "":
		m.target = more.target // Tensile's assembler leaves it out
	case more.target != "" && m.target != more.target:
		return fmt.Errorf("amdhsa.target is %s, and %s in the note before", printable.Name(more.target),
			printable.Name(m.target))
	}
	if m.symbols == nil {
		m.symbols = map[string]bool{}
		m.know(m.kernels)
	}
	for i := range more.kernels {
		if k := &more.kernels[i]; m.symbols[k.Symbol] {
			return &loader.KernelError{Kernel: k.Name, Err: errors.New("it is in a note before, too")}
		}
	}
	m.know(more.kernels)
	m.kernels = append(m.kernels, more.kernels...)
	m.printf = append(m.printf, more.printf...)
	return nil
}

// know adds kernels to those that later notes must not have.
func (m *metadata) know(kernels []record) {
	for i := range kernels {
		m.symbols[kernels[i].Symbol] = true
	}
}

func decodeMetadata(desc []byte) (*metadata, error) {
	root, err := msgpack.Decode(desc)
	if err != nil {
		return nil, err
	}
	m := &metadata{root: root}
	if err := decodeMap(m, root, metadataFields); err != nil {
		return nil, err
	}
	if m.version[0] != supportedMetadata {
		return nil, fmt.Errorf("amdhsa.version %d.%d, want %d.x: %w", m.version[0], m.version[1],
			supportedMetadata, loader.ErrUnsupported)
	}
	for i := range m.kernels {
		if err := m.kernels[i].check(); err != nil {
			return nil, &pathError{fmt.Sprintf("amdhsa.kernels[%d]", i), err}
		}
	}
	return m, nil
}

// check looks for what a kernel of the metadata must have.
func (k *record) check() error {
	if k.Name == "" {
		return fmt.Errorf("the kernel has no .name")
	}
	if k.Symbol == "" {
		return &loader.KernelError{Kernel: k.Name, Err: fmt.Errorf("no .symbol")}
	}
	if k.WavefrontSize != 0 && k.WavefrontSize != 32 && k.WavefrontSize != 64 {
		return &loader.KernelError{Kernel: k.Name, Err: fmt.Errorf("wavefront size %d, want 32 or 64",
			k.WavefrontSize)}
	}
	if k.ArgAlign&(k.ArgAlign-1) != 0 {
		return &loader.KernelError{Kernel: k.Name, Err: fmt.Errorf("kernarg alignment %d is no power of two",
			k.ArgAlign)}
	}
	for i, a := range k.Args {
		// Both have at most 32 bits: the sum cannot overflow.
		if a.Offset+a.Size > k.ArgSize {
			return &loader.KernelError{Kernel: k.Name,
				Err: fmt.Errorf("argument %d%s at bytes %d to %d of a kernarg segment of %d",
					i, label(&a), a.Offset, a.Offset+a.Size, k.ArgSize)}
		}
		if a.Kind == "" {
			return &loader.KernelError{Kernel: k.Name, Err: fmt.Errorf("argument %d%s has no .value_kind", i,
				label(&a))}
		}
	}
	return nil
}

// label names an argument in messages, if it has a name.
func label(a *loader.Arg) string {
	return strings.TrimRight(" "+printable.Name(a.Name), " ")
}
