package spirv

import "fmt"

// Magic is the first word of a module (section 2.3).
const Magic = 0x07230203

// HeaderWords is where the first instruction begins.
const HeaderWords = 5

// Op is an opcode (section 3.42).
type Op uint16

// The opcodes that a reader of modules has to know. Others are kept as they are.
const (
	OpUndef                 Op = 1
	OpSourceContinued       Op = 2
	OpSource                Op = 3
	OpName                  Op = 5
	OpMemberName            Op = 6
	OpString                Op = 7
	OpLine                  Op = 8
	OpExtension             Op = 10
	OpExtInstImport         Op = 11
	OpExtInst               Op = 12
	OpMemoryModel           Op = 14
	OpEntryPoint            Op = 15
	OpExecutionMode         Op = 16
	OpCapability            Op = 17
	OpTypeVoid              Op = 19
	OpTypeBool              Op = 20
	OpTypeInt               Op = 21
	OpTypeFloat             Op = 22
	OpTypeVector            Op = 23
	OpTypeMatrix            Op = 24
	OpTypeImage             Op = 25
	OpTypeSampler           Op = 26
	OpTypeSampledImage      Op = 27
	OpTypeArray             Op = 28
	OpTypeRuntimeArray      Op = 29
	OpTypeStruct            Op = 30
	OpTypeOpaque            Op = 31
	OpTypePointer           Op = 32
	OpTypeFunction          Op = 33
	OpTypeForwardPointer    Op = 39
	OpConstantTrue          Op = 41
	OpConstantFalse         Op = 42
	OpConstant              Op = 43
	OpConstantComposite     Op = 44
	OpConstantNull          Op = 46
	OpSpecConstantTrue      Op = 48
	OpSpecConstantFalse     Op = 49
	OpSpecConstant          Op = 50
	OpSpecConstantComposite Op = 51
	OpSpecConstantOp        Op = 52
	OpFunction              Op = 54
	OpFunctionParameter     Op = 55
	OpFunctionEnd           Op = 56
	OpFunctionCall          Op = 57
	OpVariable              Op = 59
	OpDecorate              Op = 71
	OpMemberDecorate        Op = 72
	OpDecorationGroup       Op = 73
	OpGroupDecorate         Op = 74
	OpGroupMemberDecorate   Op = 75
	OpPhi                   Op = 245
	OpLoopMerge             Op = 246
	OpSelectionMerge        Op = 247
	OpLabel                 Op = 248
	OpBranch                Op = 249
	OpBranchConditional     Op = 250
	OpSwitch                Op = 251
	OpKill                  Op = 252
	OpReturn                Op = 253
	OpReturnValue           Op = 254
	OpUnreachable           Op = 255
	OpNoLine                Op = 317
	OpModuleProcessed       Op = 330
	OpExecutionModeId       Op = 331
	OpDecorateId            Op = 332
	OpTerminateInvocation   Op = 4416
	OpEmitMeshTasks         Op = 5294
	OpDecorateString        Op = 5632
	OpMemberDecorateString  Op = 5633
	opTypeStructContinued   Op = 6090
)

// opaqueTypes are the types beyond [OpTypeForwardPointer] that have no layout: pipe storage, named barriers,
// tensors and graphs, cooperative matrices, ray queries, hit objects, acceleration structures, what Intel's
// motion estimation takes, task sequences.
var opaqueTypes = map[Op]bool{
	322: true, 327: true, 4163: true, 4190: true, 4456: true, 4472: true, 5281: true, 5313: true,
	5341: true, 5358: true, 5370: true, 5371: true, 5700: true, 5701: true, 5702: true, 5703: true,
	5704: true, 5705: true, 5706: true, 5707: true, 5708: true, 5709: true, 5710: true, 5711: true,
	5712: true, 6086: true, 6199: true,
}

// Ends reports whether an instruction of this opcode is the last of its block.
func (o Op) Ends() bool {
	return o >= OpBranch && o <= OpUnreachable || o == OpTerminateInvocation || o >= 4448 && o <= 4449 ||
		o == OpEmitMeshTasks
}

// An Inst is one instruction.
type Inst struct {
	Op     Op
	Word   int      // index of its first word in the module
	Type   uint32   // id of the result type, or 0
	Result uint32   // id of the result, or 0
	Args   []uint32 // the operands behind those
}

// Size is how many words the instruction has.
func (in *Inst) Size() int {
	n := 1 + len(in.Args)
	if in.Type != 0 {
		n++
	}
	if in.Result != 0 {
		n++
	}
	return n
}

// Arg is operand i, or 0 if there are fewer.
func (in *Inst) Arg(i int) uint32 {
	if i < 0 || i >= len(in.Args) {
		return 0
	}
	return in.Args[i]
}

// An Error says what is wrong with a module, and at which word.
type Error struct {
	Word int
	What string
}

func (e *Error) Error() string { return fmt.Sprintf("SPIR-V module, word %#x: %s", e.Word, e.What) }

func errorAt(word int, format string, args ...any) error {
	return &Error{Word: word, What: fmt.Sprintf(format, args...)}
}

// A shape says which of result type and result id an instruction begins with.
type shape uint8

const (
	both   shape = iota // most instructions
	result              // a result id without a type
	none
)

// shapes has the instructions with other shapes than both, as ranges of opcodes, from the grammar that goes
// with the specification (spirv.core.grammar.json).
var shapes = []struct {
	first, last Op
	shape       shape
}{
	{0, 0, none}, {2, 6, none}, {7, 7, result}, {8, 8, none}, {10, 10, none}, {11, 11, result},
	{14, 17, none}, {19, 38, result}, {39, 39, none}, {56, 56, none}, {62, 64, none}, {71, 72, none},
	{73, 73, result}, {74, 75, none}, {99, 99, none}, {218, 221, none}, {224, 225, none}, {228, 228, none},
	{246, 247, none}, {248, 248, result}, {249, 257, none}, {260, 260, none}, {280, 281, none},
	{287, 288, none}, {297, 298, none}, {301, 302, none}, {317, 317, none}, {319, 319, none},
	{322, 322, result}, {327, 327, result}, {329, 332, none}, {4163, 4163, result}, {4165, 4165, none},
	{4182, 4182, none}, {4185, 4186, none}, {4190, 4190, result}, {4416, 4416, none}, {4417, 4417, result},
	{4426, 4426, none}, {4445, 4446, none}, {4448, 4449, none}, {4456, 4456, result}, {4458, 4458, none},
	{4472, 4472, result}, {4473, 4476, none}, {5075, 5075, none}, {5076, 5076, result},
	{5103, 5104, result}, {5115, 5115, result}, {5121, 5121, none}, {5127, 5127, none}, {5249, 5251, none},
	{5256, 5256, none}, {5259, 5264, none}, {5266, 5266, none}, {5279, 5280, none}, {5281, 5281, result},
	{5288, 5288, result}, {5290, 5291, none}, {5294, 5295, none}, {5299, 5299, none}, {5303, 5306, none},
	{5309, 5312, none}, {5313, 5313, result}, {5314, 5319, none}, {5321, 5321, none}, {5335, 5339, none},
	{5341, 5341, result}, {5344, 5344, none}, {5358, 5358, result}, {5360, 5360, none}, {5364, 5365, none},
	{5368, 5368, none}, {5370, 5371, result}, {5380, 5380, none}, {5397, 5397, none}, {5576, 5576, none},
	{5578, 5578, none}, {5581, 5581, none}, {5609, 5609, result}, {5630, 5630, none}, {5632, 5633, none},
	{5700, 5712, result}, {5820, 5820, none}, {5887, 5887, none}, {5911, 5913, result}, {5946, 5947, none},
	{6086, 6086, result}, {6090, 6092, none}, {6096, 6096, none}, {6142, 6143, none}, {6164, 6164, none},
	{6166, 6166, none}, {6199, 6199, result}, {6221, 6221, none}, {6231, 6235, none}, {6248, 6250, none},
	{6259, 6259, none}, {6429, 6429, none},
}

func (o Op) shape() shape {
	for _, s := range shapes {
		if o <= s.last {
			if o >= s.first {
				return s.shape
			}
			return both
		}
	}
	return both
}

// text reads a literal string: bytes of words, low byte first, up to a nul (section 2.2.1). It gives the
// words behind it, and false where there is no nul.
func text(words []uint32) (s string, rest []uint32, ok bool) {
	var b []byte
	for i, w := range words {
		for range 4 {
			if byte(w) == 0 {
				return string(b), words[i+1:], true
			}
			b = append(b, byte(w))
			w >>= 8
		}
	}
	return string(b), nil, false
}
