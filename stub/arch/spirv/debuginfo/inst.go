package debuginfo

import (
	"simtgdb/loader/spirv"
)

// The sets of debug instructions.
const (
	shaderSet = "NonSemantic.Shader.DebugInfo.100"
	openclSet = "OpenCL.DebugInfo.100"
)

// The instructions (table of NonSemantic.Shader.DebugInfo.100; up to 35 they are those of
// OpenCL.DebugInfo.100).
const (
	dNone                = 0
	dCompilationUnit     = 1
	dTypeBasic           = 2
	dTypePointer         = 3
	dTypeQualifier       = 4
	dTypeArray           = 5
	dTypeVector          = 6
	dTypedef             = 7
	dTypeFunction        = 8
	dTypeEnum            = 9
	dTypeComposite       = 10
	dTypeMember          = 11
	dTypeInheritance     = 12
	dTypePtrToMember     = 13
	dTypeTemplate        = 14
	dTemplateParameter   = 15
	dTemplateTemplate    = 16
	dTemplatePack        = 17
	dGlobalVariable      = 18
	dFunctionDeclaration = 19
	dFunction            = 20
	dLexicalBlock        = 21
	dDiscriminator       = 22
	dScope               = 23
	dNoScope             = 24
	dInlinedAt           = 25
	dLocalVariable       = 26
	dInlinedVariable     = 27
	dDeclare             = 28
	dValue               = 29
	dOperation           = 30
	dExpression          = 31
	dMacroDef            = 32
	dMacroUndef          = 33
	dImportedEntity      = 34
	dSource              = 35
	dFunctionDefinition  = 101
	dSourceContinued     = 102
	dLine                = 103
	dNoLine              = 104
	dBuildIdentifier     = 105
	dStoragePath         = 106
	dEntryPoint          = 107
	dTypeMatrix          = 108
)

// A dinst is a debug instruction.
type dinst struct {
	id     uint32
	number uint32
	args   []uint32
	opencl bool
	index  int // in Module.Insts
}

// arg is operand i, or 0.
func (d *dinst) arg(i int) uint32 {
	if d == nil || i < 0 || i >= len(d.args) {
		return 0
	}
	return d.args[i]
}

// debugInst reads an instruction as a debug instruction, or gives nil.
func debugInst(m *spirv.Module, index int) *dinst {
	in := &m.Insts[index]
	if in.Op != spirv.OpExtInst || len(in.Args) < 2 {
		return nil
	}
	switch m.Imports[in.Args[0]] {
	case shaderSet:
		return &dinst{id: in.Result, number: in.Args[1], args: in.Args[2:], index: index}
	case openclSet:
		return &dinst{id: in.Result, number: in.Args[1], args: in.Args[2:], opencl: true, index: index}
	}
	return nil
}

// collect finds all debug instructions.
func (t *translator) collect() {
	for i := range t.m.Insts {
		if d := debugInst(t.m, i); d != nil {
			t.debug[d.id] = d
			t.list = append(t.list, d)
		}
	}
}

// get is the debug instruction with an id if it is of one of some numbers.
func (t *translator) get(id uint32, numbers ...uint32) *dinst {
	d := t.debug[id]
	if d == nil {
		return nil
	}
	for _, n := range numbers {
		if d.number == n {
			return d
		}
	}
	return nil
}

// str is the string that operand i names.
func (t *translator) str(d *dinst, i int) string { return t.m.Strings[d.arg(i)] }

// constants are the operands that are ids of constants in OpenCL.DebugInfo.100 too; its others are literals.
var constants = map[uint32]map[int]bool{
	dTypeBasic: {1: true}, dTypeEnum: {6: true}, dTypeComposite: {7: true}, dTypeMember: {6: true, 7: true},
	dTypeInheritance: {2: true, 3: true}, dTypeArray: {1: true, 2: true, 3: true, 4: true},
}

// num is the number that operand i is.
func (t *translator) num(d *dinst, i int) uint64 {
	if d == nil || i >= len(d.args) {
		return 0
	}
	if d.opencl && !constants[d.number][i] {
		return uint64(d.args[i])
	}
	v, _ := t.m.Uint(d.args[i])
	return v
}

// function is the DebugFunction that a scope lies in, or nil.
func (t *translator) function(scope uint32) *dinst {
	for range 64 {
		d := t.debug[scope]
		if d == nil || d.number == dFunction {
			return d
		}
		scope = t.parentOf(d)
	}
	return nil
}

// parents has which operand is the scope around an instruction.
var parents = map[uint32]int{
	dLexicalBlock: 3, dDiscriminator: 2, dFunction: 5, dLocalVariable: 5, dTypeComposite: 5,
	dFunctionDeclaration: 5,
	dGlobalVariable:      5,
}

func (t *translator) parentOf(d *dinst) uint32 {
	i, ok := parents[d.number]
	if !ok {
		return 0
	}
	return d.arg(i)
}
