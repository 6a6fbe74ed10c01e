package spirv

import (
	"slices"
	"strings"
)

// lacking are the capabilities that the machine does not have (section 3.31), by number: what a module says
// it needs for an instruction or type that is refused. Declaring one asks for nothing as long as nothing
// that runs uses it.
var lacking = map[uint32]string{
	2: "Geometry", 3: "Tessellation", 13: "ImageBasic", 14: "ImageReadWrite", 15: "ImageMipmap", 17: "Pipes",
	19: "DeviceEnqueue", 20: "LiteralSampler", 40: "InputAttachment", 51: "DerivativeControl",
	52: "InterpolationFunction",
	58: "SubgroupDispatch", 59: "NamedBarrier", 60: "PipeStorage", 4472: "RayQueryKHR",
	4478: "RayTraversalPrimitiveCullingKHR", 4479: "RayTracingKHR", 5016: "Int64ImageEXT",
	5288: "ComputeDerivativeGroupQuadsNV", 5297: "GroupNonUniformPartitionedNV", 5340: "RayTracingNV",
	5350: "ComputeDerivativeGroupLinearNV", 5357: "CooperativeMatrixNV", 5379: "DemoteToHelperInvocation",
	5390: "BindlessTextureNV", 5569: "SubgroupBufferBlockIOINTEL", 5570: "SubgroupImageBlockIOINTEL",
	5603: "FunctionPointersINTEL", 5604: "IndirectReferencesINTEL", 5606: "AsmINTEL",
	5617: "VectorComputeINTEL", 5619: "VectorAnyINTEL", 5696: "SubgroupAvcMotionEstimationINTEL",
	5817: "VariableLengthArrayINTEL", 5844: "ArbitraryPrecisionIntegersINTEL",
	5845: "ArbitraryPrecisionFloatingPointINTEL", 5920: "FPGABufferLocationINTEL",
	5922: "ArbitraryPrecisionFixedPointINTEL", 5945: "BlockingPipesINTEL",
	5948: "FPGARegINTEL", 6141: "SplitBarrierINTEL",
}

// aboutImages reports whether a capability is about images.
func aboutImages(name string) bool {
	return strings.Contains(name, "Image") || name == "InputAttachment"
}

// need is what an instruction or type asks for that the machine does not have, in words: the capabilities
// that the module declares for it, if there are any.
func (p *Program) need(what string) string {
	if what != "images" {
		return what
	}
	var names []string
	for _, c := range p.capabilities {
		if n := lacking[c]; n != "" && aboutImages(n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return what
	}
	slices.Sort(names)
	return what + " (" + strings.Join(slices.Compact(names), ", ") + ")"
}

// declared lists the capabilities that the module declares and the machine does not have, for the refusal
// of an instruction of which nothing is known.
func (p *Program) declared() string {
	var names []string
	for _, c := range p.capabilities {
		if n := lacking[c]; n != "" {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return "; the module declares " + strings.Join(slices.Compact(names), ", ")
}
