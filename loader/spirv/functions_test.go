package spirv

import (
	"strings"
	"testing"
)

// TestEntryFunction: an entry point that does nothing but call a function with its parameters runs that.
func TestEntryFunction(t *testing.T) {
	build := func(body func(s *assembly)) *Module {
		s := newAssembly().op(OpExtInstImport, 50, "DebugInfo").op(OpExtInstImport, 51, "OpenCL.std").
			op(OpEntryPoint, ModelKernel, 30, "k").op(OpName, 20, "inner(i1;").op(OpTypeVoid, 1).
			op(OpTypeInt, 2, 32, 0).op(OpTypeFunction, 3, 1, 2, 2).op(OpTypePointer, 4, FunctionStorage, 2).
			op(OpFunction, 1, 20, 0, 3).op(OpFunctionParameter, 2, 21).op(OpFunctionParameter, 2, 22).
			op(OpLabel, 23).op(OpReturn).op(OpFunctionEnd).
			op(OpFunction, 1, 24, 0, 3).op(OpFunctionParameter, 2, 25).op(OpFunctionParameter, 2, 26).
			op(OpFunctionEnd).
			op(OpFunction, 1, 30, 0, 3).op(OpFunctionParameter, 2, 31).op(OpFunctionParameter, 2,
			32).op(OpLabel, 33)
		body(s)
		return s.op(OpFunctionEnd).parse(t)
	}
	for _, c := range []struct {
		name string
		body func(s *assembly)
		want uint32
	}{
		{"calls", func(s *assembly) { s.op(OpFunctionCall, 1, 40, 20, 31, 32).op(OpReturn) }, 20},
		{"debug information", func(s *assembly) {
			s.op(OpLine, 1, 2, 3).op(OpExtInst, 1, 41, 50, 1).op(OpVariable, 4, 42, FunctionStorage).
				op(OpFunctionCall, 1, 40, 20, 31, 32).op(OpNoLine).op(OpReturn)
		}, 20},
		{"other order", func(s *assembly) { s.op(OpFunctionCall, 1, 40, 20, 32, 31).op(OpReturn) }, 30},
		{"fewer", func(s *assembly) { s.op(OpFunctionCall, 1, 40, 20, 31).op(OpReturn) }, 30},
		{"more code", func(s *assembly) {
			s.op(OpExtInst, 1, 41, 51, 1).op(OpFunctionCall, 1, 40, 20, 31, 32).op(OpReturn)
		}, 30},
		{"initialised", func(s *assembly) {
			s.op(OpVariable, 4, 42, FunctionStorage, 31).op(OpFunctionCall, 1, 40, 20, 31, 32).op(OpReturn)
		}, 30},
		{"no body", func(s *assembly) { s.op(OpFunctionCall, 1, 40, 24, 31, 32).op(OpReturn) }, 30},
		{"nobody", func(s *assembly) { s.op(OpFunctionCall, 1, 40, 77, 31, 32).op(OpReturn) }, 30},
		{"does not return", func(s *assembly) { s.op(OpFunctionCall, 1, 40, 20, 31, 32).op(OpUnreachable) },
			30},
		{"nothing", func(s *assembly) { s.op(OpReturn) }, 30},
		{"code behind", func(s *assembly) {
			s.op(OpFunctionCall, 1, 40, 20, 31, 32).op(OpReturn).op(OpLabel, 34).op(OpReturn)
		}, 30},
	} {
		m := build(c.body)
		if f := m.EntryFunction(m.Entries[0]); f.ID != c.want {
			t.Errorf("%s: it runs %%%d, want %%%d", c.name, f.ID, c.want)
		}
	}
	m := build(func(s *assembly) { s.op(OpReturn) })
	for id, want := range map[uint32]string{20: "inner", 24: "fn24", 30: "k"} {
		if got := m.FunctionName(id); got != want {
			t.Errorf("%%%d is called %q, want %q", id, got, want)
		}
	}
	if e, err := m.Entry("k"); err != nil || e != m.Entries[0] {
		t.Errorf("entry k: %v, %v", e, err)
	}
	if e, err := m.Entry(""); err != nil || e != m.Entries[0] {
		t.Errorf("the only entry: %v, %v", e, err)
	}
	if _, err := m.Entry("other"); err == nil || !strings.Contains(err.Error(), `it has ["k"]`) {
		t.Errorf("another entry: %v", err)
	}
	if m.Function(77) != nil || m.DefIndex(77) != -1 || m.Def(77) != nil ||
		m.Insts[m.DefIndex(20)].Op != OpFunction {
		t.Error("an id that is not defined is")
	}
	m.Entries = append(m.Entries, &Entry{Name: "l"})
	if _, err := m.Entry(""); err == nil {
		t.Error("of two entries one is the only one")
	}
}

// TestExecutes: which instructions have a moment of their own, and which end blocks.
func TestExecutes(t *testing.T) {
	m := newAssembly().op(OpExtInstImport, 50, "NonSemantic.DebugPrintf").op(OpExtInstImport, 51,
		"GLSL.std.450").
		op(OpExtInstImport, 52, "OpenCL.std").op(OpExtInstImport, 53,
		"NonSemantic.Shader.DebugInfo.100").parse(t)
	for _, c := range []struct {
		in   Inst
		want bool
	}{
		{Inst{Op: OpExtInst, Args: []uint32{50, 1}}, true},
		{Inst{Op: OpExtInst, Args: []uint32{50, 2}}, false},
		{Inst{Op: OpExtInst, Args: []uint32{51, 9}}, true},
		{Inst{Op: OpExtInst, Args: []uint32{52, 9}}, true},
		{Inst{Op: OpExtInst, Args: []uint32{53, 1}}, false}, {Inst{Op: OpVariable, Args: []uint32{7}}, false},
		{Inst{Op: OpVariable, Args: []uint32{7, 8}}, true}, {Inst{Op: OpPhi}, false},
		{Inst{Op: OpLabel}, false},
		{Inst{Op: OpBranch}, true}, {Inst{Op: 128}, true}, {Inst{Op: 256}, false}, {Inst{Op: 257}, false},
		{Inst{Op: 0}, false}, {Inst{Op: OpUndef}, false}, {Inst{Op: OpSelectionMerge}, false},
	} {
		if got := m.Executes(&c.in); got != c.want {
			t.Errorf("instruction %d %v executes: %v", c.in.Op, c.in.Args, got)
		}
	}
	ends := map[Op]bool{OpBranch: true, OpBranchConditional: true, OpSwitch: true, OpKill: true,
		OpReturn: true, OpReturnValue: true, OpUnreachable: true, OpTerminateInvocation: true, 4448: true,
		4449: true, OpEmitMeshTasks: true}
	for op := range Op(7000) {
		if op.Ends() != ends[op] {
			t.Errorf("instruction %d ends a block: %v", op, op.Ends())
		}
	}
	for want, in := range map[int]Inst{1: {}, 2: {Result: 1}, 3: {Type: 1, Result: 1}, 5: {Type: 1, Result: 1,
		Args: []uint32{1, 2}}} {
		if got := in.Size(); got != want {
			t.Errorf("%+v has %d words, want %d", in, got, want)
		}
	}
	in := Inst{Args: []uint32{7, 8}}
	if in.Arg(0) != 7 || in.Arg(1) != 8 || in.Arg(2) != 0 || in.Arg(-1) != 0 {
		t.Error("operands are not those of the instruction")
	}
}

// TestWorkgroupSizes: a constant with the BuiltIn WorkgroupSize goes before LocalSizeId and LocalSize.
func TestWorkgroupSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		modes     func(s *assembly)
		size, ids [3]uint32
		ok        bool
	}{
		{"none", func(s *assembly) {}, [3]uint32{}, [3]uint32{}, false},
		{"LocalSize", func(s *assembly) { s.op(OpExecutionMode, 30, ModeLocalSize, 4, 5, 6) },
			[3]uint32{4, 5, 6},
			[3]uint32{}, true},
		{"short", func(s *assembly) { s.op(OpExecutionMode, 30, ModeLocalSize, 4, 5) }, [3]uint32{},
			[3]uint32{},
			false},
		{"LocalSizeId", func(s *assembly) {
			s.op(OpExecutionMode, 30, ModeLocalSize, 4, 5, 6).op(OpExecutionModeId, 30, ModeLocalSizeID, 11,
				12, 13)
		}, [3]uint32{7, 8, 9}, [3]uint32{11, 12, 13}, true},
		{"ids of no constants", func(s *assembly) {
			s.op(OpExecutionMode, 30, ModeLocalSize, 4, 5, 6).op(OpExecutionModeId, 30, ModeLocalSizeID, 99,
				12, 13)
		}, [3]uint32{4, 5, 6}, [3]uint32{99, 12, 13}, true},
		{"WorkgroupSize", func(s *assembly) {
			s.op(OpExecutionModeId, 30, ModeLocalSizeID, 11, 12, 13).
				op(OpDecorate, 14, DecorationBuiltIn, builtInWorkgroupSize)
		}, [3]uint32{9, 8, 7}, [3]uint32{13, 12, 11}, true},
		{"another BuiltIn", func(s *assembly) { s.op(OpDecorate, 14, DecorationBuiltIn, 26) }, [3]uint32{},
			[3]uint32{}, false},
		{"another entry point's", func(s *assembly) { s.op(OpExecutionMode, 29, ModeLocalSize, 4, 5, 6) },
			[3]uint32{}, [3]uint32{}, false},
	} {
		s := newAssembly().op(OpEntryPoint, ModelGLCompute, 30, "k")
		c.modes(s)
		m := s.op(OpTypeVoid, 1).op(OpTypeInt, 2, 32, 0).op(OpTypeVector, 3, 2, 3).op(OpTypeFunction, 4, 1).
			op(OpConstant, 2, 11, 7).op(OpConstant, 2, 12, 8).op(OpConstant, 2, 13, 9).
			op(OpConstantComposite, 3, 14, 13, 12, 11).
			op(OpFunction, 1, 30, 0, 4).op(OpLabel, 31).op(OpReturn).op(OpFunctionEnd).parse(t)
		size, ids, ok := m.WorkgroupSize(m.Entries[0])
		if size != c.size || ids != c.ids || ok != c.ok {
			t.Errorf("%s: %v of %v, %v; want %v of %v, %v", c.name, size, ids, ok, c.size, c.ids, c.ok)
		}
	}
}
