package spirv

import (
	"encoding/binary"
	"strings"

	"simtgdb/simt"
)

// operations are how many an instruction does for each component of its result, by its name.
var operations = map[string]int{"OpFAdd": 1, "OpFSub": 1, "OpFMul": 1, "OpFDiv": 1, "OpFRem": 1, "OpFMod": 1,
	"OpFNegate": 1, "OpVectorTimesScalar": 1, "OpMatrixTimesScalar": 1, "OpOuterProduct": 1, "OpIAdd": 1,
	"OpISub": 1, "OpIMul": 1, "OpUDiv": 1, "OpSDiv": 1, "OpUMod": 1, "OpSRem": 1, "OpSMod": 1, "OpSNegate": 1,
	"OpShiftRightLogical": 1, "OpShiftRightArithmetic": 1, "OpShiftLeftLogical": 1, "OpBitwiseOr": 1,
	"OpBitwiseXor": 1, "OpBitwiseAnd": 1, "OpNot": 1, "OpBitFieldInsert": 1,
	"OpBitFieldSExtract": 1, "OpBitFieldUExtract": 1, "OpBitReverse": 1, "OpBitCount": 1, "OpIAddCarry": 1,
	"OpISubBorrow": 1, "OpUMulExtended": 1, "OpSMulExtended": 1}

// Arithmetic implements simt.Arithmetician. A function of an extended instruction set is one operation for
// each component, a product with a sum two.
func (isa *ISA) Arithmetic(code []byte, pc uint64) simt.Arithmetic {
	in, err := isa.Inst(code, pc)
	if err != nil || len(code) < 12 {
		return simt.Arithmetic{}
	}
	words := make([]uint32, min(in.Size, len(code))/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(code[4*i:])
	}
	if len(words) < 4 {
		return simt.Arithmetic{}
	}
	return isa.p.work(in.Text, words)
}

func (p *Program) work(text string, words []uint32) simt.Arithmetic {
	v := p.values[words[2]]
	if v == nil || v.typ == nil {
		return simt.Arithmetic{}
	}
	name := ""
	for _, word := range strings.Fields(text) {
		if strings.HasPrefix(word, "Op") {
			name = word
			break
		}
	}
	n, length := operations[name], p.lengthOf(words[3])
	switch name {
	case "OpExtInst":
		n = p.extended(words)
	case "OpDot", "OpVectorTimesMatrix":
		n = 2*length - 1
	case "OpMatrixTimesVector", "OpMatrixTimesMatrix":
		if m := p.values[words[3]]; m != nil && m.typ.kind == kMatrix {
			n = 2*int(m.typ.len) - 1
		}
	case "OpSDot", "OpUDot", "OpSUDot", "OpSDotAccSat", "OpUDotAccSat", "OpSUDotAccSat":
		n = max(2*length-1, 7)
	}
	n *= max(v.typ.slots, 1)
	if t := v.typ.scalar(); t != nil && t.kind == kFloat || v.typ.kind == kMatrix {
		return simt.Arithmetic{Floats: n}
	}
	return simt.Arithmetic{Integers: n}
}

// extended is how many operations an instruction of an extended set does for each component.
func (p *Program) extended(words []uint32) int {
	const glslFma, openCLFma, openCLMad = 50, 26, 42
	switch name := p.imports[words[3]]; {
	case len(words) < 5 || name != "GLSL.std.450" && name != "OpenCL.std":
		return 0
	case name == "GLSL.std.450" && words[4] == glslFma,
		name == "OpenCL.std" && (words[4] == openCLFma || words[4] == openCLMad):
		return 2
	}
	return 1
}

// lengthOf is how many components a value has.
func (p *Program) lengthOf(id uint32) int {
	if v := p.values[id]; v != nil && v.typ != nil {
		return max(v.typ.slots, 1)
	}
	return 1
}
