package spirv

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
)

// These tests read modules that are put together here, for what compilers rarely write.

// An assembly is a module: its header, with ids below 100, and instructions.
type assembly struct{ words []uint32 }

func newAssembly() *assembly { return &assembly{[]uint32{Magic, 0x10500, 0, 100, 0}} }

// op adds an instruction; operands are words, lists of words, or strings.
func (a *assembly) op(op Op, operands ...any) *assembly {
	at := len(a.words)
	a.words = append(a.words, 0)
	for _, o := range operands {
		switch o := o.(type) {
		case int:
			a.words = append(a.words, uint32(o))
		case Op:
			a.words = append(a.words, uint32(o))
		case StorageClass:
			a.words = append(a.words, uint32(o))
		case []uint32:
			a.words = append(a.words, o...)
		case string:
			b := append([]byte(o), make([]byte, 4-len(o)%4)...)
			for ; len(b) > 0; b = b[4:] {
				a.words = append(a.words, binary.LittleEndian.Uint32(b))
			}
		default:
			panic(fmt.Sprintf("an operand %T", o))
		}
	}
	a.words[at] = uint32(len(a.words)-at)<<16 | uint32(op)
	return a
}

func (a *assembly) bytes() []byte {
	b := make([]byte, 0, 4*len(a.words))
	for _, w := range a.words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func (a *assembly) parse(t *testing.T) *Module {
	t.Helper()
	m, err := Parse(a.bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestConstantOperations: what OpSpecConstantOp makes of integers (SPIR-V, sections 3.42.11 to 3.42.15), in
// the bits that the type has.
func TestConstantOperations(t *testing.T) {
	const number, boolean, a, b, result = 1, 2, 3, 4, 5
	top := uint64(1) << 63
	for _, c := range []struct {
		op     int
		name   string
		bits   int
		a, b   uint64
		want   uint64
		none   bool // it has no result
		truths bool // of booleans
	}{
		{113, "UConvert", 8, 0xfe, 0, 0xfe, false, false},
		{128, "IAdd", 32, 0xffffffff, 3, 2, false, false}, {130, "ISub", 32, 1, 3, 0xfffffffe, false, false},
		{132, "IMul", 8, 16, 17, 16, false, false}, {132, "IMul", 64, 1 << 62, 6, top, false, false},
		{134, "UDiv", 32, 0xfffffffe, 2, 0x7fffffff, false, false}, {134, "UDiv", 32, 7, 0, 0, true, false},
		{134, "UDiv", 32, 7, 1, 7, false, false},
		{137, "UMod", 32, 0xffffffff, 16, 15, false, false}, {137, "UMod", 32, 7, 0, 0, true, false},
		{137, "UMod", 32, 7, 1, 0, false, false},
		{194, "ShiftRightLogical", 8, 0x80, 7, 1, false, false},
		{194, "ShiftRightLogical", 64, top, 63, 1, false, false},
		{196, "ShiftLeftLogical", 8, 0x81, 1, 2, false, false},
		{196, "ShiftLeftLogical", 64, 1, 63, top, false, false},
		{197, "BitwiseOr", 16, 0x1100, 0x0011, 0x1111, false, false},
		{198, "BitwiseXor", 16, 0x1101, 0x0011, 0x1110, false, false},
		{199, "BitwiseAnd", 16, 0x1101, 0x0011, 1, false, false},
		{200, "Not", 16, 0x00ff, 0, 0xff00, false, false},
		{170, "IEqual", 32, 5, 5, 1, false, false}, {170, "IEqual", 32, 5, 6, 0, false, false},
		{171, "INotEqual", 32, 5, 5, 0, false, false}, {171, "INotEqual", 32, 5, 6, 1, false, false},
		{172, "UGreaterThan", 32, 0x80000000, 1, 1, false, false},
		{172, "UGreaterThan", 32, 1, 1, 0, false, false},
		{174, "UGreaterThanEqual", 32, 1, 1, 1, false, false},
		{174, "UGreaterThanEqual", 32, 0, 1, 0, false, false},
		{176, "ULessThan", 32, 1, 0x80000000, 1, false, false}, {176, "ULessThan", 32, 1, 1, 0, false, false},
		{178, "ULessThanEqual", 32, 1, 1, 1, false, false},
		{178, "ULessThanEqual", 32, 2, 1, 0, false, false},
		{164, "LogicalEqual", 0, 1, 1, 1, false, true}, {164, "LogicalEqual", 0, 0, 1, 0, false, true},
		{165, "LogicalNotEqual", 0, 1, 1, 0, false, true}, {165, "LogicalNotEqual", 0, 0, 1, 1, false, true},
		{166, "LogicalOr", 0, 0, 1, 1, false, true}, {166, "LogicalOr", 0, 0, 0, 0, false, true},
		{167, "LogicalAnd", 0, 1, 1, 1, false, true}, {167, "LogicalAnd", 0, 0, 1, 0, false, true},
		{168, "LogicalNot", 0, 1, 0, 0, false, true}, {168, "LogicalNot", 0, 0, 0, 1, false, true},
		{173, "SGreaterThan", 32, 1, 0xffffffff, 1, false, false},
		{173, "SGreaterThan", 32, 1, 1, 0, false, false},
		{175, "SGreaterThanEqual", 32, 0xfffffffe, 0xffffffff, 0, false, false},
		{177, "SLessThan", 32, 1, 1, 0, false, false}, {179, "SLessThanEqual", 32, 2, 1, 0, false, false},
		{126, "SNegate", 32, 5, 0, 0xfffffffb, false, false},
		{114, "SConvert", 8, 0xfe, 0, 0xfe, false, false},
		{135, "SDiv", 32, 0xfffffff9, 2, 0xfffffffd, false, false}, {135, "SDiv", 32, 7, 0, 0, true, false},
		{138, "SRem", 32, 0xfffffff9, 4, 0xfffffffd, false, false}, {138, "SRem", 32, 7, 0, 0, true, false},
		{139, "SMod", 32, 7, 0xfffffffc, 0xffffffff, false, false}, {139, "SMod", 32, 7, 0, 0, true, false},
		{139, "SMod", 32, 8, 0xfffffffc, 0, false, false},
		{195, "ShiftRightArithmetic", 8, 0x80, 3, 0xf0, false, false},
		{195, "ShiftRightArithmetic", 64, top, 63, ^uint64(0), false, false},
		{129, "FAdd", 32, 1, 2, 0, true, false},
	} {
		s := newAssembly().op(OpTypeBool, boolean)
		operands := []any{result, c.op, a}
		if c.truths {
			s.op(OpConstantFalse+Op(-int(c.a)), boolean, a).op(OpConstantFalse+Op(-int(c.b)), boolean, b)
		} else {
			s.op(OpTypeInt, number, c.bits, 0)
			for id, v := range map[int]uint64{a: c.a, b: c.b} {
				words := []uint32{uint32(v), uint32(v >> 32)}
				s.op(OpConstant, number, id, words[:max(c.bits/32, 1)])
			}
		}
		switch c.name {
		case "UConvert", "SConvert", "Not", "LogicalNot", "SNegate":
		default:
			operands = append(operands, b)
		}
		kind := number
		if c.truths || strings.Contains(c.name, "Equal") || strings.Contains(c.name, "Than") {
			kind = boolean
		}
		m := s.op(OpSpecConstantOp, append([]any{kind}, operands...)...).parse(t)
		if got, ok := m.Uint(result); got != c.want || ok == c.none {
			t.Errorf("%s of %#x and %#x in %d bits: %#x, %v; want %#x", c.name, c.a, c.b, c.bits, got, ok,
				c.want)
		}
	}
}

// TestConstantsKnown: which constants have a value, and which specialisation gives another one.
func TestConstantsKnown(t *testing.T) {
	const i8, i32, i64, f32, truth, vector, id = 1, 2, 3, 4, 5, 6, 10
	s := newAssembly()
	for n := range 6 {
		s.op(OpDecorate, id+n, DecorationSpecID, n)
	}
	s.op(OpTypeInt, i8, 8, 1).op(OpTypeInt, i32, 32, 0).op(OpTypeInt, i64, 64, 0).op(OpTypeFloat, f32, 32).
		op(OpTypeBool, truth).op(OpTypeVector, vector, i32, 2).
		op(OpSpecConstant, i8, id, -1).op(OpSpecConstant, i32, id+1, 7).op(OpSpecConstant, i64, id+2, 1, 2).
		op(OpSpecConstantTrue, truth, id+3).op(OpSpecConstantFalse, truth, id+4).
		op(OpSpecConstant, f32, id+5, 0x3f800000).
		op(OpConstantNull, i32, 20).op(OpUndef, i32, 21).op(OpConstantNull, vector, 22).
		op(OpConstantComposite, vector, 23, id+1, 20).
		op(OpSpecConstantOp, i32, 24, 81, 23, 0).op(OpSpecConstantOp, i32, 25, 81, 22, 1).
		op(OpSpecConstantOp, i32, 26, 81, 23, 2).op(OpSpecConstantOp, i32, 27, 169, id+3, id+1).
		op(OpSpecConstantOp, i32, 28, 169, id+4, 20, id+1).op(OpSpecConstantOp, i32, 29, 128, id+1, 26).
		op(OpSpecConstantOp, f32, 30, 128, id+1, id+1).op(OpConstantTrue, truth, 31).
		op(OpSpecConstantOp, i32, 32, 82, id+1)
	type value struct {
		bits  uint64
		known bool
	}
	for _, c := range []struct {
		spec map[uint32]uint64
		want map[uint32]value
	}{
		{nil, map[uint32]value{id: {0xff, true}, id + 1: {7, true}, id + 2: {2<<32 | 1, true},
			id + 3: {1, true},
			id + 4: {0, true}, id + 5: {0, false} /* a float is no integer */, 20: {0, true}, 21: {0, true},
			22: {0, false}, 23: {0, false}, 24: {7, true}, 25: {0, true}, 26: {0, false}, 27: {0, false},
			28: {7, true}, 29: {0, false}, 30: {0, false}, 31: {1, true}, 32: {0, false}, 99: {0, false}}},
		{map[uint32]uint64{0: 0x1234, 1: 1 << 33, 2: 1 << 63, 3: 0, 4: 2}, map[uint32]value{id: {0x34, true},
			id + 1: {0, true}, id + 2: {1 << 63, true}, id + 3: {0, true}, id + 4: {1, true}, 28: {0, true},
			24: {0, true}}},
	} {
		m, err := Parse(s.bytes(), c.spec)
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range c.want {
			if got, ok := m.Uint(id); got != want.bits || ok != want.known {
				t.Errorf("with %v %%%d is %#x, %v; want %#x, %v", c.spec, id, got, ok, want.bits, want.known)
			}
		}
		if n := len(m.SpecConstants()); n != 6 || m.SpecConstants()[5].SpecID != 5 {
			t.Errorf("%d constants can be specialised", n)
		}
		if got, ok := m.Int(id); c.spec == nil && (got != -1 || !ok) {
			t.Errorf("-1 in 8 bits is %d, %v", got, ok)
		}
	}
	for name, s := range map[string]*assembly{
		"no type of values":     newAssembly().op(OpConstant, 9, 10, 1),
		"%1 is no type":         newAssembly().op(OpTypeVoid, 1).op(OpConstantNull, 1, 10),
		"no number of its type": newAssembly().op(OpTypeInt, 1, 64, 0).op(OpConstant, 1, 10, 1),
		"in 0 words":            newAssembly().op(OpTypeInt, 1, 32, 0).op(OpConstant, 1, 10),
		"in 1 words":            newAssembly().op(OpTypeBool, 1).op(OpConstant, 1, 10, 1),
		"is no constant before it": newAssembly().op(OpTypeInt, 1, 32, 0).op(OpTypeVector, 2, 1, 2).
			op(OpConstantComposite, 2, 10, 11, 11),
	} {
		if _, err := Parse(s.bytes(), nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one with %q", err, name)
		}
	}
}

// kernelModule is a module for OpenCL, whose entry point has parameters of all kinds.
func kernelModule(addressing int) *assembly {
	const void, i32, f32, float3, image, sampler, pair, function = 1, 2, 3, 4, 5, 6, 7, 8
	const global, constant, local, private, byValue, generic = 10, 11, 12, 13, 14, 15
	return newAssembly().op(OpCapability, CapabilityKernel).op(OpMemoryModel, addressing, 2).
		op(OpEntryPoint, ModelKernel, 30, "k").op(OpEntryPoint, 0, 60, "vertices").
		op(OpExecutionMode, 30, ModeLocalSizeHint, 8, 4, 2).op(OpExecutionMode, 30, ModeVecTypeHint, 0x40005).
		op(OpExecutionMode, 30, ModeLocalSize, 64, 2, 1).
		op(OpName, 31, "g").op(OpName, 60, "other(f1;").op(OpName, 31, "second").
		op(OpDecorate, 36, DecorationFuncParamAttr, 2).op(OpDecorate, 35, DecorationFuncParamAttr, 5).
		op(OpTypeVoid, void).op(OpTypeInt, i32, 32, 0).op(OpTypeFloat, f32, 32).op(OpTypeVector, float3,
		f32, 3).
		op(OpTypeImage, image, void, 1, 0, 1, 0, 0, 0, 1).op(OpTypeSampler, sampler).
		op(OpTypeStruct, pair, i32, float3).
		op(OpTypePointer, global, CrossWorkgroup, float3).op(OpTypePointer, constant, UniformConstant, pair).
		op(OpTypePointer, local, Workgroup, float3).op(OpTypePointer, private, FunctionStorage, pair).
		op(OpTypePointer, byValue, CrossWorkgroup, pair).op(OpTypePointer, generic, Generic, i32).
		op(OpTypeFunction, function, void).
		op(OpConstant, i32, 20, 5).op(OpTypeArray, 21, f32, 20).op(OpTypePointer, 22, Workgroup, 21).
		op(OpVariable, 22, 23, Workgroup).op(OpVariable, 22, 24, Workgroup).
		op(OpFunction, void, 30, 0, function).
		op(OpFunctionParameter, global, 31).op(OpFunctionParameter, constant, 32).
		op(OpFunctionParameter, local, 33).op(OpFunctionParameter, private, 34).
		op(OpFunctionParameter, generic, 35).op(OpFunctionParameter, byValue, 36).
		op(OpFunctionParameter, i32, 37).op(OpFunctionParameter, float3, 38).
		op(OpFunctionParameter, image, 39).op(OpFunctionParameter, sampler, 40).
		op(OpLabel, 41).op(OpReturn).op(OpFunctionEnd).
		op(OpFunction, void, 60, 0, function).op(OpLabel, 61).op(OpReturn).op(OpFunctionEnd)
}

// TestKernelArguments: parameters lie as members of a C struct do, with OpenCL C's sizes (section 6.1.5: a
// vector of three has that of four); a handle of an image has eight bytes.
func TestKernelArguments(t *testing.T) {
	m, err := Open(kernelModule(2).bytes(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	k := m.Kernels[0]
	want := []loader.Arg{
		{Name: "g", Kind: loader.GlobalBuffer, Offset: 0, Size: 8, AddressSpace: "global",
			TypeName: "float3*"},
		{Kind: loader.GlobalBuffer, Offset: 8, Size: 8, AddressSpace: "constant"},
		{Kind: loader.DynamicSharedPointer, Offset: 16, Size: 8, AddressSpace: "local", PointeeAlign: 16,
			TypeName: "float3*"},
		{Kind: loader.ByValue, Offset: 32, Size: 32},
		{Kind: loader.GlobalBuffer, Offset: 64, Size: 8, AddressSpace: "generic", TypeName: "int*"},
		{Kind: loader.ByValue, Offset: 80, Size: 32},
		{Kind: loader.ByValue, Offset: 112, Size: 4, TypeName: "int"},
		{Kind: loader.ByValue, Offset: 128, Size: 16, TypeName: "float3"},
		{Kind: loader.Image, Offset: 144, Size: 8, TypeName: "image2d_array_t", Access: "write_only"},
		{Kind: loader.Sampler, Offset: 152, Size: 8, TypeName: "sampler_t"},
	}
	if diff := cmp.Diff(want, k.Args); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// Two arrays of five floats, each in whole blocks of 16 bytes.
	if k.Name != "k" || k.ArgSize != 160 || k.ArgAlign != 16 || k.LDSSize != 64 || k.Language != "OpenCL C" ||
		k.WorkgroupSizeHint != [3]uint32{8, 4, 2} || k.VecTypeHint != "float4" ||
		k.ReqdWorkgroupSize != [3]uint32{64, 2, 1} {
		t.Errorf("%+v", k)
	}
	if len(m.Kernels) != 1 || len(m.Warnings) != 1 ||
		!strings.Contains(m.Warnings[0], `"vertices" is of execution model 0`) {
		t.Errorf("%d kernels, warnings %q", len(m.Kernels), m.Warnings)
	}
	small, err := Open(kernelModule(1).bytes(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := small.Kernels[0].Args; a[0].Size != 4 || a[1].Offset != 4 || a[8].Size != 8 {
		t.Errorf("with addresses of 32 bits: %+v", a[:2])
	}
	named := 0
	if _, err := Open(kernelModule(2).bytes(), nil, func(m *Module, parts *loader.Module) {
		named = len(parts.Symbols)
		parts.Symbols[1].Name = "changed"
	}); err != nil || named != 2 {
		t.Errorf("%d symbols, %v", named, err)
	}
	s := m.Symbols
	if len(s) != 2 || s[0].Name != "k" || !s[0].Global || s[1].Name != "vertices" || s[1].Global ||
		s[1].Addr != s[0].Addr+s[0].Size || s[1].Size != 4*(5+2+1+1) {
		t.Errorf("symbols %+v", s)
	}
	none := newAssembly().op(OpEntryPoint, 4, 30, "fragments").op(OpTypeVoid, 1).op(OpTypeFunction, 2, 1).
		op(OpFunction, 1, 30, 0, 2).op(OpLabel, 31).op(OpReturn).op(OpFunctionEnd)
	if _, err := Open(none.bytes(), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "GLCompute or Kernel") {
		t.Errorf("without a kernel: %v", err)
	}
}

// TestImageTypes: OpenCL C's name of an image is that of its dimensions (SPIR-V, "Dim").
func TestImageTypes(t *testing.T) {
	for _, c := range []struct {
		dim, arrayed, access int
		name, want           string
	}{
		{0, 0, 0, "image1d_t", "read_only"}, {0, 1, 1, "image1d_array_t", "write_only"},
		{1, 0, 2, "image2d_t", "read_write"}, {2, 0, 3, "image3d_t", ""}, {3, 0, 0, "", "read_only"},
		{4, 0, 0, "", "read_only"}, {5, 0, 0, "image1d_buffer_t", "read_only"}, {6, 0, -1, "", ""},
	} {
		operands := []any{2, 1, c.dim, 0, c.arrayed, 0, 0, 0}
		if c.access >= 0 {
			operands = append(operands, c.access)
		}
		s := newAssembly().op(OpCapability, CapabilityKernel).op(OpMemoryModel, 2, 2).
			op(OpEntryPoint, ModelKernel, 30, "k").op(OpTypeVoid, 1).op(OpTypeImage, operands...).
			op(OpTypeFunction, 3, 1, 2).op(OpFunction, 1, 30, 0, 3).op(OpFunctionParameter, 2,
			31).op(OpLabel, 32).
			op(OpReturn).op(OpFunctionEnd)
		m, err := Open(s.bytes(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := m.Kernels[0].Args[0]
		if a.Kind != loader.Image || a.Size != 8 || a.TypeName != c.name || a.Access != c.want {
			t.Errorf("dimensions %d: %+v, want %q, %q", c.dim, a, c.name, c.want)
		}
	}
}

// TestImageBindings: images and samplers that a host has to give, alone, in arrays and together.
func TestImageBindings(t *testing.T) {
	const f32, i32, image, sampled, sampler, four = 1, 2, 3, 4, 5, 6
	s := newAssembly()
	for i, name := range []string{"plain", "both", "alone", "several", "any", "unbound", "elsewhere"} {
		s.op(OpName, 20+i, name)
		if name != "unbound" {
			s.op(OpDecorate, 20+i, DecorationDescriptorSet, i+1).op(OpDecorate, 20+i, DecorationBinding, 2*i)
		}
	}
	s.op(OpTypeFloat, f32, 32).op(OpTypeInt, i32, 32, 0).op(OpTypeImage, image, f32, 2, 0, 1, 0, 2, 33).
		op(OpTypeSampledImage, sampled, image).op(OpTypeSampler, sampler).op(OpConstant, i32, four, 4).
		op(OpTypeArray, 7, image, four).op(OpTypeRuntimeArray, 8, sampler)
	for i, held := range []int{image, sampled, sampler, 7, 8, image, image} {
		storage := UniformConstant
		if i == 6 {
			storage = Private
		}
		s.op(OpTypePointer, 10+i, storage, held).op(OpVariable, 10+i, 20+i, storage)
	}
	m := s.parse(t)
	texel := func(b ImageBinding) ImageBinding {
		b.Dim, b.Arrayed, b.Format, b.Sampled = 2, true, 33, m.Types[f32]
		return b
	}
	want := []ImageBinding{
		texel(ImageBinding{Name: "plain", Set: 1, Binding: 0, Elements: 1}),
		texel(ImageBinding{Name: "both", Set: 2, Binding: 2, Elements: 1}),
		{Name: "alone", Set: 3, Binding: 4, Elements: 1, Sampler: true},
		texel(ImageBinding{Name: "several", Set: 4, Binding: 6, Elements: 4}),
		{Name: "any", Set: 5, Binding: 8, Elements: 0, Sampler: true},
	}
	if diff := cmp.Diff(want, m.ImageBindings(),
		cmp.Comparer(func(a, b *Type) bool { return a == b })); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if v := m.Variable(20); v == nil || v.Name != "plain" || m.Variable(19) != nil ||
		m.PushConstant() != nil {
		t.Errorf("variable 20 is %+v", v)
	}
}

// TestBufferBindings: sets and bindings of buffers, and what is none for want of a storage class.
func TestBufferBindings(t *testing.T) {
	s := newAssembly()
	for i := range 3 {
		s.op(OpDecorate, 20+i, DecorationDescriptorSet, 3-i).op(OpDecorate, 20+i, DecorationBinding, 4+i)
	}
	s.op(OpDecorate, 2, DecorationBlock).op(OpName, 2, "numbers").op(OpName, 20, "first").
		op(OpTypeInt, 1, 32, 0).op(OpTypeStruct, 2, 1, 1)
	for i, storage := range []StorageClass{StorageBuffer, Uniform, Private} {
		s.op(OpTypePointer, 10+i, storage, 2).op(OpVariable, 10+i, 20+i, storage)
	}
	m := s.parse(t)
	want := []Binding{
		{Set: 3, Binding: 4, Elements: 1, Size: 8, Storage: true, Name: "first"},
		{Set: 2, Binding: 5, Elements: 1, Size: 8, Name: "numbers"},
	}
	got := m.Bindings()
	for i := range got {
		if got[i].Block != m.Types[2] || got[i].Variable != m.Variable(uint32(20+i)) {
			t.Errorf("binding %d is of %+v", i, got[i].Variable)
		}
		got[i].Block, got[i].Variable = nil, nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestGroups: decorations of a group are those of its targets, and of members.
func TestGroups(t *testing.T) {
	s := newAssembly().op(OpDecorate, 9, DecorationBinding, 7).op(OpDecorate, 9, DecorationLinkage, 3).
		op(OpDecorationGroup, 9).op(OpGroupDecorate, 9, 20, 21).op(OpGroupMemberDecorate, 9, 22, 1, 23, 0).
		op(OpDecorate, 20, DecorationLinkage, 4).op(OpDecorate, 25, DecorationBufferBlock).
		op(OpDecorateId, 26, DecorationBufferBlock)
	m := s.parse(t)
	for id, want := range map[uint32]bool{20: true, 21: true, 22: false, 24: false} {
		if v, ok := m.Decoration(id, DecorationBinding); ok != want || ok && v != 7 {
			t.Errorf("%%%d has the binding %d, %v", id, v, ok)
		}
	}
	for member, want := range map[Member]bool{{22, 1}: true, {22, 0}: false, {23, 0}: true} {
		if v, ok := m.MemberDecoration(member.Type, member.Index, DecorationBinding); ok != want || ok &&
			v != 7 {
			t.Errorf("%v has the binding %d, %v", member, v, ok)
		}
	}
	if !m.Decorated(20, DecorationLinkage, 3) || !m.Decorated(20, DecorationLinkage, 4) ||
		m.Decorated(20, DecorationLinkage, 5) || m.Decorated(25, DecorationBufferBlock, 0) ||
		m.Decorated(20, DecorationBinding, 3) {
		t.Error("an id is decorated with another operand")
	}
	if v, ok := m.Decoration(26, DecorationBufferBlock); v != 0 || !ok {
		t.Errorf("a decoration by OpDecorateId without operand: %d, %v", v, ok)
	}
	if v, ok := m.Decoration(25, DecorationBufferBlock); v != 0 || !ok {
		t.Errorf("a decoration without operand: %d, %v", v, ok)
	}
	many := newAssembly()
	for range 1 << 10 {
		many.op(OpDecorate, 9, DecorationBinding, 7)
	}
	many.op(OpDecorationGroup, 9).op(OpGroupDecorate, 9, make([]uint32, 1<<10))
	if _, err := Parse(many.bytes(), nil); err == nil ||
		!strings.Contains(err.Error(), "groups of decorations") {
		t.Errorf("a million decorations: %v", err)
	}
}

// TestLayouts: sizes and alignments of types, for shaders without gaps but of scalars, for kernels as OpenCL
// C has them; and what decorations say of them.
func TestLayouts(t *testing.T) {
	const f32, i8, v3, m32, three, array, structure, packed, matrices, truth, f64 = 1, 2, 3, 4, 5, 6, 7, 8,
		9, 10, 11
	build := func(kernel bool) *Module {
		s := newAssembly()
		if kernel {
			s.op(OpCapability, CapabilityKernel)
		} else {
			s.op(OpCapability, CapabilityShader).op(OpCapability, CapabilityKernel)
		}
		return s.op(OpDecorate, packed, DecorationCPacked).op(OpMemberName, structure, 1, "v").
			op(OpMemberDecorate, matrices, 0, DecorationMatrixStride, 16).
			op(OpMemberDecorate, matrices, 1, DecorationMatrixStride, 16).
			op(OpMemberDecorate, matrices, 1, DecorationRowMajor).
			op(OpMemberDecorate, matrices, 2, DecorationMatrixStride, 16).
			op(OpMemberDecorate, matrices, 1, DecorationOffset, 64).
			op(OpMemberDecorate, matrices, 2, DecorationOffset, 128).
			op(OpDecorate, 20, DecorationArrayStride, 48).op(OpDecorate, 21, DecorationArrayStride, 12).
			op(OpTypeFloat, f32, 32).op(OpTypeInt, i8, 8, 1).op(OpTypeVector, v3, f32, 3).op(OpTypeMatrix,
			m32, v3, 2).
			op(OpTypeInt, 12, 32, 0).op(OpConstant, 12, three, 3).op(OpTypeArray, array, v3, three).
			op(OpTypeStruct, structure, i8, v3, i8).op(OpTypeStruct, packed, i8, v3, i8).
			op(OpTypeArray, 20, m32, three).op(OpTypeStruct, matrices, m32, m32, 20).op(OpTypeBool, truth).
			op(OpTypeFloat, f64, 64).op(OpTypeRuntimeArray, 22, v3).op(OpTypePointer, 21, StorageBuffer, v3).
			op(OpTypeImage, 23, f32, 1, 0, 0, 0, 1, 0).parse(t)
	}
	for _, c := range []struct {
		kernel bool
		want   map[uint32][3]uint64 // size, alignment, stride
	}{
		{false, map[uint32][3]uint64{f32: {4, 4, 0}, i8: {1, 1, 0}, f64: {8, 8, 0}, truth: {4, 4, 0},
			v3:  {12, 4, 4},
			m32: {24, 4, 12}, array: {36, 4, 12}, structure: {20, 4, 0}, packed: {14, 1, 0}, 22: {0, 4, 12},
			20: {144, 4, 48}, 21: {8, 8, 12}, matrices: {272, 4, 0}, 23: {0, 1, 0}}},
		{true, map[uint32][3]uint64{truth: {1, 1, 0}, v3: {16, 16, 4}, array: {48, 16, 16},
			structure: {48, 16, 0},
			packed:    {18, 1, 0}, 22: {0, 16, 16}}},
	} {
		m := build(c.kernel)
		for id, want := range c.want {
			typ := m.Types[id]
			if got := [3]uint64{typ.Size, typ.Align, typ.Stride}; got != want {
				t.Errorf("kernel %v: type %%%d: size, alignment and stride %d, want %d", c.kernel, id, got,
					want)
			}
		}
	}
	m := build(false)
	var offsets []uint64
	for _, mem := range m.Types[structure].Members {
		offsets = append(offsets, mem.Offset)
	}
	if diff := cmp.Diff([]uint64{0, 4, 16}, offsets); diff != "" ||
		m.Types[structure].Members[1].Name != "v" {
		t.Errorf("offsets (-want +got):\n%s", diff)
	}
	mats := m.Types[matrices].Members
	if mats[0].RowMajor || !mats[1].RowMajor || mats[2].MatrixStride != 16 || mats[1].Offset != 64 {
		t.Errorf("matrices: %+v", mats)
	}
	// Two columns of 16 bytes, three rows of 16, and an array of such with columns.
	for i, want := range []uint64{32, 48, 2*48 + 32 + 16} {
		if got := mats[i].size(); got != want {
			t.Errorf("matrix %d has %d bytes, want %d", i, got, want)
		}
	}
	if got := SizeIn(m.Types[f32], 16, false); got != 4 {
		t.Errorf("a number with a matrix stride has %d bytes", got)
	}
}

// TestTypeErrors gives types that cannot be.
func TestTypeErrors(t *testing.T) {
	number := func() *assembly { return newAssembly().op(OpTypeFloat, 1, 32).op(OpTypeInt, 2, 32, 0) }
	deep := number()
	for i := range 70 {
		deep.op(OpTypeStruct, 10+i, max(1, (9+i)*min(i, 1)))
	}
	for want, s := range map[string]*assembly{
		"has 1 operands, 2 are needed":     number().op(OpTypeVector, 3, 1),
		"of 1 components":                  number().op(OpTypeVector, 3, 1, 1),
		"of 17 components":                 number().op(OpTypeVector, 3, 1, 17),
		"of 5 components %3":               number().op(OpTypeVector, 3, 1, 2).op(OpTypeMatrix, 4, 3, 5),
		"of 2 components %1":               number().op(OpTypeMatrix, 4, 1, 2),
		"of 2 components %3":               number().op(OpTypeVector, 3, 1, 2).op(OpTypeVector, 4, 3, 2),
		"scalar type %3 of 8 bits":         number().op(OpTypeFloat, 3, 8),
		"scalar type %3 of 24 bits":        number().op(OpTypeInt, 3, 24, 0),
		"length %9 of array type %3 is no": number().op(OpTypeArray, 3, 1, 9),
		"length %4 of array type %3 is no": number().op(OpConstant, 2, 4, 0).op(OpTypeArray, 3, 1, 4),
		"larger than 1099511627776 bytes": number().op(OpConstant, 2, 4, -1).op(OpTypeArray, 3, 1,
			4).op(OpTypeArray, 5, 3, 4),
		"nested deeper than 64":          deep,
		"made of %9, which is no type":   number().op(OpTypeStruct, 3, 1, 9),
		"made of %3, which is no type":   number().op(OpTypeVoid, 3).op(OpTypeArray, 4, 3, 3),
		"result type %9 of a function":   number().op(OpTypeFunction, 3, 9),
		"parameter type %9 is no type":   number().op(OpTypeFunction, 3, 1, 9),
		"points to %9, which is no type": number().op(OpTypePointer, 3, Workgroup, 9),
		"its type %1 is no pointer":      number().op(OpVariable, 1, 3, Workgroup),
		"nothing is known of what %3 points": number().op(OpTypePointer, 3, Workgroup, 9).op(OpVariable,
			3, 4, Workgroup),
		"operands, at least 2 are needed":    number().op(OpDecorate, 3),
		"has 1 words, at least 2 are needed": number().op(OpTypeVoid),
		"result id %0":                       number().op(OpTypeVoid, 0),
		"result type %100, ids are 1 to 99":  number().op(OpConstant, 100, 3, 1),
		"result type %0":                     number().op(OpConstant, 0, 3, 1),
		"OpFunction inside": number().op(OpFunction, 1, 30, 0, 2).op(OpFunction, 1, 31,
			0, 2),
		"without its operands":                 number().op(OpFunction, 1, 30, 0),
		"OpFunctionParameter outside":          number().op(OpFunctionParameter, 1, 30),
		"OpLabel outside":                      number().op(OpLabel, 30),
		"OpFunctionEnd outside":                number().op(OpFunctionEnd),
		"function %30 has no OpFunctionEnd":    number().op(OpFunction, 1, 30, 0, 2),
		`word 0x0: entry point "k": %30 is no`: newAssembly().op(OpEntryPoint, 5, 30, "k"),
		`"k2": %30 is no function with a body`: newAssembly().op(OpEntryPoint, 5, 30, "k2").op(OpTypeVoid,
			1).op(OpFunction, 1, 30, 0, 2).op(OpFunctionEnd),
	} {
		if _, err := Parse(s.bytes(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := Parse(number().bytes()[:22], nil); err == nil ||
		!strings.Contains(err.Error(), "no whole header") {
		t.Errorf("22 bytes: %v", err)
	}
	if _, err := Parse(newAssembly().bytes()[:16], nil); err == nil ||
		!strings.Contains(err.Error(), "16 bytes are no") {
		t.Errorf("16 bytes: %v", err)
	}
}

// TestForwardPointers: a structure may have a pointer to itself, which is declared before it and complete
// behind.
func TestForwardPointers(t *testing.T) {
	m := newAssembly().op(OpTypeForwardPointer, 3, PhysicalStorageBuffer).op(OpTypeInt, 1, 32, 0).
		op(OpTypeStruct, 2, 1, 3).op(OpTypePointer, 3, PhysicalStorageBuffer, 2).
		op(OpTypePointer, 4, Workgroup, 3).op(OpVariable, 4, 5, Workgroup).parse(t)
	node := m.Types[2]
	if next := node.Members[1]; next.Type != m.Types[3] || next.Type.Elem != node || next.Offset != 8 ||
		node.Size != 16 {
		t.Errorf("%+v", node)
	}
	if v := m.Variable(5); v.Type != m.Types[3] || v.Storage != Workgroup {
		t.Errorf("%+v", v)
	}
}
