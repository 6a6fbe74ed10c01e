package amdgpu

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
)

// TestMetadataFields decodes each entry of a kernel and of an argument by its name (AMDGPUUsage, "Code Object
// V5 Metadata"): each has another value.
func TestMetadataFields(t *testing.T) {
	small := func(n byte) string { return string([]byte{0xcc, n}) }
	three := func(n byte) string { return packArray(small(n), small(n+1), small(n+2)) }
	text := packString
	arg := packMap(".name", text("n"), ".type_name", text("t"), ".offset", small(8), ".size", small(16),
		".value_kind",
		text("global_buffer"), ".pointee_align", small(4), ".address_space", text("global"), ".access",
		text("read_only"), ".actual_access", text("write_only"), ".is_const", "\xc3", ".is_restrict", "\xc2",
		".is_volatile", "\x01", ".is_pipe", "\xc3")
	m, err := decodeMetadata([]byte(packMetadata(".language", text("OpenCL C"), ".language_version",
		packArray("\x02", "\x01"), ".reqd_workgroup_size", three(10), ".workgroup_size_hint", three(20),
		".cluster_dims", three(30), ".max_num_work_groups_x", small(41), ".max_num_work_groups_y", small(42),
		".max_num_work_groups_z", small(43), ".vec_type_hint", text("float4"), ".device_enqueue_symbol",
		text("q"),
		".kind", text("init"), ".kernarg_segment_size", small(64), ".kernarg_segment_align", small(16),
		".group_segment_fixed_size", small(51), ".private_segment_fixed_size", small(52),
		".uses_dynamic_stack", "\xc3", ".wavefront_size", small(32), ".max_flat_workgroup_size", small(250),
		".sgpr_count", small(61), ".vgpr_count", small(62), ".agpr_count", small(63), ".sgpr_spill_count",
		small(71),
		".vgpr_spill_count", small(72), ".uniform_work_group_size", "\x01", ".workgroup_processor_mode",
		"\x01",
		".args", packArray(arg))))
	if err != nil {
		t.Fatal(err)
	}
	k := m.kernels[0]
	k.Kernel.Descriptor = Descriptor{}
	if diff := cmp.Diff(Kernel{HasMetadata: true, SGPRs: 61, VGPRs: 62, AGPRs: 63, SGPRSpills: 71,
		VGPRSpills:       72,
		MaxNumWorkgroups: [3]uint32{41, 42, 43}, ClusterDims: [3]uint32{30, 31, 32},
		UniformWorkgroupSize: true,
		WorkgroupProcessor:   true, DeviceEnqueueSymbol: "q", Kind: "init"}, k.Kernel); diff != "" {
		t.Errorf("what is AMDGPU's (-want +got):\n%s", diff)
	}
	want := loader.Kernel{Name: "k", Symbol: "k.kd", Language: "OpenCL C", LanguageVersion: [2]uint32{2, 1},
		ReqdWorkgroupSize: [3]uint32{10, 11, 12}, WorkgroupSizeHint: [3]uint32{20, 21, 22},
		VecTypeHint: "float4",
		ArgSize:     64, ArgAlign: 16, LDSSize: 51, PrivateSize: 52, DynamicStack: true, WavefrontSize: 32,
		MaxFlatWorkgroupSize: 250, Args: []loader.Arg{{Name: "n", TypeName: "t", Offset: 8, Size: 16,
			Kind: loader.GlobalBuffer, PointeeAlign: 4, AddressSpace: "global", Access: "read_only",
			ActualAccess: "write_only", IsConst: true, IsVolatile: true, IsPipe: true}}}
	if diff := cmp.Diff(want, k.neutral); diff != "" {
		t.Errorf("the kernel (-want +got):\n%s", diff)
	}
}

// TestNames: how targets, modes and what user SGPRs hold are spelled.
func TestNames(t *testing.T) {
	for want, v := range map[string]fmt.Stringer{
		"9.0.10": Arch{9, 0, 10}, "user data 3": UserData(3), "global table": UserDataGlobalTable,
		"per-shader table": UserDataPerShaderTable, "spill table": UserDataSpillTable,
		"workgroup counts": UserDataWorkgroups, "workgroup counts, high half": UserDataWorkgroupsHigh,
		"unused": UserDataUnused, "mapping 0x10000005": UserData(0x10000005),
		"near even": RoundMode(0), "plus infinity": RoundMode(1), "minus infinity": RoundMode(2),
		"zero":          RoundMode(3),
		"flush src dst": DenormMode(0), "flush dst": DenormMode(1), "flush src": DenormMode(2),
		"flush none": DenormMode(3),
	} {
		if v.String() != want {
			t.Errorf("%v, want %q", v, want)
		}
	}
}
