package zebin

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
)

// everything is a kernel that has of each field something else.
const everything = `version: '1.2'
kernels:
  - name: k
    execution_env:
      simd_size: 16
      grf_count: 256
      inline_data_payload_size: 64
      slm_size: 1048576
      barrier_count: 32
      has_stack_calls: true
      has_4gb_buffers: false
      required_work_group_size: [ 8, , 4, 0x2 ]
    payload_arguments:
      - arg_type: arg_bypointer
        offset: 32
        size: 8
        arg_index: 0
        addrmode: stateless
        addrspace: global
        access_type: readonly
      - arg_type: arg_byvalue
        offset: 65536
        size: 4
        arg_index: 1024
        source_offset: 12
      - arg_type: local_size
        offset: 0
        size: 12
    per_thread_payload_arguments:
      - arg_type: local_id
        offset: 0
        size: 96
    binding_table_indices:
      - bti_value: 239
        arg_index: 3
    inline_samplers:
      - sampler_index: 128
        addrmode: repeat
        filtermode: linear
        normalized: true
    per_thread_memory_buffers:
      - type: scratch
        usage: spill_fill_space
        size: 64
      - type: scratch
        usage: single_space
        size: 32
      - type: global
        usage: private_space
        size: 128
        is_simt_thread: true
  - name: Intel_Symbol_Table_Void_Program
    execution_env:
      simd_size: 8
kernels_misc_info:
  - name: k
  - name: k
    args_info:
      - index: 0
        name: p
        type_name: 'int*;8'
        access_qualifier: NONE
        type_qualifiers: const restrict
      - index: 1
        name: image
        type_name: image2d_t;65537
        access_qualifier: __read_only
  - name: k
    args_info:
      - index: 7
        name: again
  - name: other
    args_info:
      - index: 0
        name: of none
`

// TestInfo: all that .ze_info says of a kernel.
func TestInfo(t *testing.T) {
	version, kernels, err := readInfo(everything)
	if err != nil {
		t.Fatal(err)
	}
	want := []*Kernel{{Name: "k", SIMD: 16, Registers: 256, Inline: 64, SLMSize: 1 << 20, Barriers: 32,
		StackCalls: true, RequiredGroup: [3]uint32{8, 4, 2},
		Args: []Arg{{Type: "arg_bypointer", Offset: 32, Size: 8, Mode: "stateless", Space: "global",
			Access: "readonly"},
			{Type: "arg_byvalue", Offset: 65536, Size: 4, Index: 1024, SourceOffset: 12},
			{Type: "local_size", Size: 12, Index: -1}},
		PerThread:   []Arg{{Type: "local_id", Size: 96, Index: -1}},
		Bindings:    []Binding{{Entry: 239, Index: 3}},
		Samplers:    []Sampler{{Index: 128, Address: "repeat", Filter: "linear", Normalized: true}},
		ScratchSize: 64, PrivateSize: 128, PrivatePerSim: true,
		Declared: []Declared{{Name: "p", Type: "int*", Size: 8, Access: "NONE", Qualifiers: "const restrict"},
			{Index: 1, Name: "image", Type: "image2d_t", Access: "read_only"}}}}
	if diff := cmp.Diff(want, kernels); diff != "" || version != "1.2" {
		t.Errorf("version %s (-want +got):\n%s", version, diff)
	}
	if n := kernels[0].CrossThreadSize(); n != 65540 {
		t.Errorf("%d bytes of cross-thread data", n)
	}
	if n := kernels[0].PerThreadSize(); n != 96 {
		t.Errorf("%d bytes of each thread's data", n)
	}
}

// TestInfoErrors: numbers beyond what devices have, and words that mean nothing, are named with their lines.
func TestInfoErrors(t *testing.T) {
	for _, tt := range [][3]string{
		{"slm_size: 1048576", "slm_size: 1048577", "line 8: slm_size is 1048577; at most 1048576 are read"},
		{"simd_size: 16", "simd_size: 64", "line 5: simd_size is 64; at most 32"},
		{"bti_value: 239", "bti_value: 240", "bti_value is 240; at most 239"},
		{"sampler_index: 128", "sampler_index: 129", "sampler_index is 129; at most 128"},
		{"arg_index: 1024", "arg_index: 1025", "arg_index is 1025; at most 1024"},
		{"offset: 65536", "offset: 65537", "offset is 65537; at most 65536"},
		{"grf_count: 256", "grf_count: 257", "grf_count is 257; at most 256"},
		{"payload_size: 64", "payload_size: 65", "inline_data_payload_size is 65; at most 64"},
		{"barrier_count: 32", "barrier_count: 33", "barrier_count is 33; at most 32"},
		{"size: 12\n", "size: 65537\n", "size is 65537; at most 65536"},
		{"source_offset: 12", "source_offset: 65537", "source_offset is 65537; at most 65536"},
		{"size: 128\n", "size: 1073741825\n", "size is 1073741825; at most 1073741824"},
		{"0x2 ]", "0x40000001 ]", "required_work_group_size is 1073741825; at most 1073741824"},
		{"barrier_count: 32", "barrier_count: -1", `barrier_count is "-1"; want a number`},
		{"barrier_count: 32", "barrier_count:", `barrier_count is ""; want a number`},
		{"normalized: true", "normalized: yes", `normalized is "yes"; want true or false`},
		{"type: scratch", "type: stack", `a memory buffer of type "stack" for "spill_fill_space"`},
		{"usage: private_space", "usage: space", `a memory buffer of type "global" for "space"`},
		{"- name: k\n", "- nam: k\n", "line 3: a kernel without a name"},
		{"0x2 ]", "x ]", `required_work_group_size is "x"`},
		{"0x2 ]", "0x2", "has no end"},
		{"version: '1.2'", "version: '", `line 1: "'" has no end`},
	} {
		text := strings.Replace(everything, tt[0], tt[1], 1)
		if text == everything {
			t.Fatalf("no %q", tt[0])
		}
		if _, _, err := readInfo(text); err == nil || !strings.Contains(err.Error(), tt[2]) {
			t.Errorf("%s: %v, want %q", tt[1], err, tt[2])
		}
	}
}

// TestLaunchable: a pointer that code reaches by a surface alone has to have an entry of the binding table,
// or be reached without one as well, or be such that code needs no surface.
func TestLaunchable(t *testing.T) {
	surface := Arg{Type: ArgPointer, Mode: "stateful", Space: "global", Index: 1}
	of := func(change func(a *Arg)) Kernel {
		a := surface
		change(&a)
		return Kernel{Args: []Arg{a}}
	}
	with := func(more Arg) Kernel { return Kernel{Args: []Arg{surface, more}} }
	bound := func(index int) Kernel {
		return Kernel{Args: []Arg{surface}, Bindings: []Binding{{Entry: 1 - index, Index: index}}}
	}
	for name, tt := range map[string]struct {
		k    Kernel
		runs bool
	}{
		"surface":             {of(func(*Arg) {}), false},
		"stateless":           {of(func(a *Arg) { a.Mode = "stateless" }), true},
		"image":               {of(func(a *Arg) { a.Space = SpaceImage }), true},
		"sampler":             {of(func(a *Arg) { a.Space = SpaceSampler }), true},
		"value":               {of(func(a *Arg) { a.Type = "arg_byvalue" }), true},
		"bound":               {bound(1), true},
		"another bound":       {bound(0), false},
		"big":                 {Kernel{Args: []Arg{surface}, BigBuffers: true}, true},
		"address besides":     {with(Arg{Type: ArgAddress, Index: 1, Size: 8}), false},
		"stateless as well":   {with(Arg{Type: ArgPointer, Index: 1, Mode: "stateless"}), true},
		"another, stateless":  {with(Arg{Type: ArgPointer, Index: 2, Mode: "stateless"}), false},
		"its index of a size": {with(Arg{Type: "arg_byvalue", Index: 1}), false},
	} {
		if err := tt.k.Launchable(); (err == nil) != tt.runs {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNeutral: what a caller gives a kernel, from what its payload has.
func TestNeutral(t *testing.T) {
	k := Kernel{Name: "k", SIMD: 8, PrivateSize: 96, SLMSize: 5, Args: []Arg{
		{Type: ArgPointer, Index: 3, Offset: 8, Size: 8, Space: "global", Access: "readonly"},
		{Type: ArgPointer, Index: 0, Mode: "stateful", Space: "global"},
		{Type: ArgAddress, Index: 0, Offset: 16, Size: 8},
		{Type: "arg_byvalue", Index: 2, Offset: 24, Size: 4},
		{Type: "arg_byvalue", Index: 2, Offset: 32, Size: 4, SourceOffset: 12},
		{Type: "arg_byvalue", Index: 2, Offset: 28, Size: 4, SourceOffset: 4},
		{Type: ArgPointer, Index: 4, Offset: 40, Size: 8, Mode: "slm"},
		{Type: ArgPointer, Index: 5, Mode: "stateful", Space: SpaceImage},
		{Type: ArgAddress, Index: 5, Offset: 48, Size: 8},
		{Type: ArgAddress, Index: 3, Offset: 56, Size: 4},
		{Type: ArgPointer, Index: 6, Space: SpaceSampler},
		{Type: ArgPointer, Index: 6, Offset: 64, Size: 8, Space: "global", Access: "readonly"},
		{Type: "arg_byvalue", Index: 7, Offset: 4, Size: 4},
		{Type: "arg_byvalue", Index: 7, Offset: 84, Size: 4, SourceOffset: 12},
		{Type: "local_size", Index: -1, Offset: 72, Size: 12}},
		Declared: []Declared{{Index: 8, Name: "none"}, {Index: 7, Name: "n"},
			{Index: 2, Name: "s", Type: "S", Size: 13},
			{Index: 5, Name: "i", Access: "write_only", Qualifiers: "NONE"},
			{Index: 3, Name: "p", Size: 9, Access: "read_only", Qualifiers: "volatile restrict"},
			{Index: 0, Name: "q", Qualifiers: "const"}}}
	n := k.Neutral(0x10000)
	want := []loader.Arg{
		{Name: "q", Offset: 16, Size: 8, Kind: loader.GlobalBuffer, AddressSpace: "global", IsConst: true},
		{},
		{Name: "s", TypeName: "S", Offset: 24, Size: 13, Kind: loader.ByValue},
		{Name: "p", Offset: 8, Size: 8, Kind: loader.GlobalBuffer, AddressSpace: "global", IsRestrict: true,
			IsVolatile: true},
		{Offset: 40, Size: 8, Kind: loader.DynamicSharedPointer, AddressSpace: "local", PointeeAlign: 1},
		{Name: "i", Size: 8, Kind: loader.Image, AddressSpace: "image", Access: "write_only"},
		{Offset: 64, Size: 8, Kind: loader.GlobalBuffer, AddressSpace: "global",
			IsConst: true}, // of which the source says nothing
		{Name: "n", Offset: 4, Size: 16, Kind: loader.ByValue}, // whose type's size is not known
	}
	if diff := cmp.Diff(want, n.Args); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n.Entry != 0x10000 || n.PrivateSize != 12 || n.LDSSize != 5 || n.ArgSize != 88 {
		t.Errorf("%+v", n)
	}
	k.PrivatePerSim = true
	if n := k.Neutral(0); n.PrivateSize != 96 {
		t.Errorf("%d bytes of private memory, said of each work-item to be 96", n.PrivateSize)
	}
}
