package spirv

import (
	"strconv"
	"strings"
	"testing"
)

// The instructions that have a result without a type, and those without a result, by the grammar that Khronos
// keeps beside the specification (SPIRV-Headers 0d25db9, spirv.core.grammar.json).
const (
	grammarResult = `
7 String 11 ExtInstImport 19 TypeVoid 20 TypeBool 21 TypeInt 22 TypeFloat 23 TypeVector 24 TypeMatrix
25 TypeImage 26 TypeSampler 27 TypeSampledImage 28 TypeArray 29 TypeRuntimeArray 30 TypeStruct 31 TypeOpaque
32 TypePointer 33 TypeFunction 34 TypeEvent 35 TypeDeviceEvent 36 TypeReserveId 37 TypeQueue 38 TypePipe
73 DecorationGroup 248 Label 322 TypePipeStorage 327 TypeNamedBarrier 4163 TypeTensorARM 4190 TypeGraphARM
4417 TypeUntypedPointerKHR 4456 TypeCooperativeMatrixKHR 4472 TypeRayQueryKHR 5076 TypeNodePayloadArrayAMDX
5103 ConstantStringAMDX 5104 SpecConstantStringAMDX 5115 TypeBufferEXT 5281 TypeHitObjectNV
5288 TypeVectorIdEXT 5313 TypeHitObjectEXT 5341 TypeAccelerationStructureKHR 5358 TypeCooperativeMatrixNV
5370 TypeTensorLayoutNV 5371 TypeTensorViewNV 5609 AsmTargetINTEL 5700 TypeVmeImageINTEL
5701 TypeAvcImePayloadINTEL 5702 TypeAvcRefPayloadINTEL 5703 TypeAvcSicPayloadINTEL
5704 TypeAvcMcePayloadINTEL 5705 TypeAvcMceResultINTEL 5706 TypeAvcImeResultINTEL
5707 TypeAvcImeResultSingleReferenceStreamoutINTEL 5708 TypeAvcImeResultDualReferenceStreamoutINTEL
5709 TypeAvcImeSingleReferenceStreaminINTEL 5710 TypeAvcImeDualReferenceStreaminINTEL
5711 TypeAvcRefResultINTEL 5712 TypeAvcSicResultINTEL 5911 AliasDomainDeclINTEL 5912 AliasScopeDeclINTEL
5913 AliasScopeListDeclINTEL 6086 TypeBufferSurfaceINTEL 6199 TypeTaskSequenceALTERA`
	grammarNone = `
0 Nop 2 SourceContinued 3 Source 4 SourceExtension 5 Name 6 MemberName 8 Line 10 Extension 14 MemoryModel
15 EntryPoint 16 ExecutionMode 17 Capability 39 TypeForwardPointer 56 FunctionEnd 62 Store 63 CopyMemory
64 CopyMemorySized 71 Decorate 72 MemberDecorate 74 GroupDecorate 75 GroupMemberDecorate 99 ImageWrite
218 EmitVertex 219 EndPrimitive 220 EmitStreamVertex 221 EndStreamPrimitive 224 ControlBarrier
225 MemoryBarrier 228 AtomicStore 246 LoopMerge 247 SelectionMerge 249 Branch 250 BranchConditional
251 Switch 252 Kill 253 Return 254 ReturnValue 255 Unreachable 256 LifetimeStart 257 LifetimeStop
260 GroupWaitEvents 280 CommitReadPipe 281 CommitWritePipe 287 GroupCommitReadPipe 288 GroupCommitWritePipe
297 RetainEvent 298 ReleaseEvent 301 SetUserEventStatus 302 CaptureEventProfilingInfo 317 NoLine
319 AtomicFlagClear 329 MemoryNamedBarrier 330 ModuleProcessed 331 ExecutionModeId 332 DecorateId
4165 TensorWriteARM 4182 GraphEntryPointARM 4185 GraphSetOutputARM 4186 GraphEndARM 4416 TerminateInvocation
4426 UntypedPrefetchKHR 4445 TraceRayKHR 4446 ExecuteCallableKHR 4448 IgnoreIntersectionKHR
4449 TerminateRayKHR 4458 CooperativeMatrixStoreKHR 4473 RayQueryInitializeKHR 4474 RayQueryTerminateKHR
4475 RayQueryGenerateIntersectionKHR 4476 RayQueryConfirmIntersectionKHR 5075 EnqueueNodePayloadsAMDX
5121 AbortKHR 5127 MemberDecorateIdEXT 5249 HitObjectRecordHitMotionNV
5250 HitObjectRecordHitWithIndexMotionNV 5251 HitObjectRecordMissMotionNV 5256 HitObjectTraceRayMotionNV
5259 HitObjectRecordEmptyNV 5260 HitObjectTraceRayNV 5261 HitObjectRecordHitNV
5262 HitObjectRecordHitWithIndexNV 5263 HitObjectRecordMissNV 5264 HitObjectExecuteShaderNV
5266 HitObjectGetAttributesNV 5279 ReorderThreadWithHitObjectNV 5280 ReorderThreadWithHintNV
5290 CooperativeVectorOuterProductAccumulateNV 5291 CooperativeVectorReduceSumAccumulateNV
5294 EmitMeshTasksEXT 5295 SetMeshOutputsEXT 5299 WritePackedPrimitiveIndices4x8NV
5303 CooperativeVectorStoreNV 5304 HitObjectRecordFromQueryEXT 5305 HitObjectRecordMissEXT
5306 HitObjectRecordMissMotionEXT 5309 HitObjectSetShaderBindingTableRecordIndexEXT
5310 HitObjectReorderExecuteShaderEXT 5311 HitObjectTraceReorderExecuteEXT
5312 HitObjectTraceMotionReorderExecuteEXT 5314 ReorderThreadWithHintEXT 5315 ReorderThreadWithHitObjectEXT
5316 HitObjectTraceRayEXT 5317 HitObjectTraceRayMotionEXT 5318 HitObjectRecordEmptyEXT
5319 HitObjectExecuteShaderEXT 5321 HitObjectGetAttributesEXT 5335 IgnoreIntersectionNV 5336 TerminateRayNV
5337 TraceNV 5338 TraceMotionNV 5339 TraceRayMotionNV 5344 ExecuteCallableNV 5360 CooperativeMatrixStoreNV
5364 BeginInvocationInterlockEXT 5365 EndInvocationInterlockEXT 5368 CooperativeMatrixStoreTensorNV
5380 DemoteToHelperInvocation 5397 SamplerImageAddressingModeNV 5576 SubgroupBlockWriteINTEL
5578 SubgroupImageBlockWriteINTEL 5581 SubgroupImageMediaBlockWriteINTEL 5630 AssumeTrueKHR
5632 DecorateString 5633 MemberDecorateString 5820 RestoreMemoryINTEL 5887 LoopControlINTEL
5946 ReadPipeBlockingALTERA 5947 WritePipeBlockingALTERA 6090 TypeStructContinuedINTEL
6091 ConstantCompositeContinuedINTEL 6092 SpecConstantCompositeContinuedINTEL
6096 CompositeConstructContinuedINTEL 6142 ControlBarrierArriveEXT 6143 ControlBarrierWaitEXT
6164 TaskSequenceAsyncALTERA 6166 TaskSequenceReleaseALTERA 6221 SubgroupBlockPrefetchINTEL
6231 Subgroup2DBlockLoadINTEL 6232 Subgroup2DBlockLoadTransformINTEL 6233 Subgroup2DBlockLoadTransposeINTEL
6234 Subgroup2DBlockPrefetchINTEL 6235 Subgroup2DBlockStoreINTEL 6248 ConditionalExtensionINTEL
6249 ConditionalEntryPointINTEL 6250 ConditionalCapabilityINTEL 6259 PredicatedStoreINTEL
6429 MaskedScatterINTEL`
)

// TestShapes: every instruction of the grammar is cut into result type, result and operands as it says, and
// all other instructions have both.
func TestShapes(t *testing.T) {
	want, names := map[Op]shape{}, map[Op]string{}
	for s, list := range map[shape]string{result: grammarResult, none: grammarNone} {
		fields := strings.Fields(list)
		for i := 0; i < len(fields); i += 2 {
			n, err := strconv.Atoi(fields[i])
			if err != nil {
				t.Fatal(err)
			}
			want[Op(n)], names[Op(n)] = s, fields[i+1]
		}
	}
	for op := range Op(8000) {
		if got := op.shape(); got != want[op] {
			t.Errorf("Op%s (%d) has the shape %d, want %d", names[op], op, got, want[op])
		}
	}
	for op, name := range names {
		if want[op] != result || !strings.HasPrefix(name, "Type") || op <= OpTypeForwardPointer {
			continue
		}
		s := newAssembly().op(op, 3).op(OpTypePointer, 4, Private, 3).op(OpVariable, 4, 5, Private)
		parsed, err := Parse(s.bytes(), nil)
		switch name {
		case "TypeUntypedPointerKHR", "TypeVectorIdEXT", "TypeBufferEXT", "TypeNodePayloadArrayAMDX":
			if err == nil {
				t.Errorf("Op%s is taken for a type without a layout", name)
			}
			continue
		}
		if err != nil || parsed.Types[3].Kind != Opaque {
			t.Errorf("Op%s: %v", name, err)
		}
	}
}

// TestStores reads a kernel with instructions of extensions that store: they define nothing, whatever their
// operands are.
func TestStores(t *testing.T) {
	for op, operands := range map[Op][]uint32{
		6235: {11, 11, 11, 11, 12, 13, 11, 11, 11, 14},     // OpSubgroup2DBlockStoreINTEL
		5360: {12, 13, 11, 11},                             // OpCooperativeMatrixStoreNV
		5337: {11, 11, 11, 11, 11, 11, 13, 11, 13, 11, 11}, // OpTraceNV
		5336: {},                                           // OpTerminateRayNV
	} {
		s := newAssembly().op(OpTypeInt, 10, 32, 0).op(OpConstant, 10, 11, 4).op(op, operands)
		m, err := Parse(s.bytes(), nil)
		if err != nil || m.Insts[2].Result != 0 || len(m.Insts[2].Args) != len(operands) {
			t.Errorf("instruction %d: %v", op, err)
		}
	}
}
