package spirv

import (
	"fmt"

	"simtgdb/loader"
)

// Base is where a module is loaded: below all that is allocated, and not at 0.
const Base = 0x1_0000

// Format is what a module says of its format.
const Format = "SPIR-V module"

// Open reads a module as a neutral one: the words are its text segment, functions its symbols, entry points
// its kernels. Native is the [*Module]. spec has values of constants by SpecId. more, if not nil, adds to the
// parts: sections such as debug information, segments of variables.
func Open(data []byte, spec map[uint32]uint64, more func(m *Module, parts *loader.Module)) (*loader.Module,
	error) {
	m, err := Parse(data, spec)
	if err != nil {
		return nil, err
	}
	code := m.Code()
	parts := loader.Module{
		Format: Format, Target: loader.Target{Name: fmt.Sprintf("spirv%d.%d", m.Major, m.Minor)},
		Segments: []loader.Segment{{Name: ".text", Addr: Base, MemSize: uint64(len(code)), Data: code,
			Read: true, Exec: true}},
		Sections: []loader.Section{{Name: ".text", Type: "SHT_PROGBITS", Addr: Base,
			Size: uint64(len(code)), Data: code}},
		Native: m,
	}
	entry := map[uint32]bool{}
	for _, e := range m.Entries {
		if e.Model != ModelGLCompute && e.Model != ModelKernel {
			parts.Warnings = append(parts.Warnings,
				fmt.Sprintf("entry point %q is of execution model %d, not compute", e.Name, e.Model))
			continue
		}
		entry[e.Function] = true
		parts.Kernels = append(parts.Kernels, m.kernel(e))
	}
	if len(parts.Kernels) == 0 {
		return nil, errorAt(0, "no entry point of execution model GLCompute or Kernel")
	}
	for _, f := range m.Functions {
		parts.Symbols = append(parts.Symbols, m.symbol(f, entry[f.ID]))
	}
	if more != nil {
		more(m, &parts)
	}
	return loader.New(parts)
}

func (m *Module) symbol(f *Function, global bool) loader.Symbol {
	last := &m.Insts[f.End-1]
	s := loader.Symbol{Name: m.FunctionName(f.ID), Addr: PC(Base, m.Insts[f.First].Word),
		Kind:   loader.SymbolFunc,
		Global: global, Section: ".text"}
	s.Size = PC(Base, last.Word+last.Size()) - s.Addr
	return s
}

// FunctionName is the name of a function: that of its entry point, else OpName up to the parameters that
// glslang mangles into it, else "fn" and its id.
func (m *Module) FunctionName(id uint32) string {
	for _, e := range m.Entries {
		if e.Function == id {
			return e.Name
		}
	}
	name := m.Names[id]
	for i, c := range name {
		if c == '(' {
			name = name[:i]
			break
		}
	}
	if name == "" {
		return fmt.Sprintf("fn%d", id)
	}
	return name
}

// kernel is an entry point as a neutral kernel. A kernel's arguments lie as members of a C struct do.
func (m *Module) kernel(e *Entry) loader.Kernel {
	k := loader.Kernel{Name: e.Name, Entry: PC(Base, m.Insts[m.EntryFunction(e).First].Word), Native: e}
	if e.Model == ModelKernel {
		k.Language = "OpenCL C"
	}
	if size, _, ok := m.WorkgroupSize(e); ok {
		k.ReqdWorkgroupSize = size
	}
	for _, mode := range e.Modes {
		if mode.Kind == ModeLocalSizeHint && len(mode.Args) >= 3 {
			k.WorkgroupSizeHint = [3]uint32(mode.Args[:3])
		}
		if mode.Kind == ModeVecTypeHint && len(mode.Args) > 0 {
			k.VecTypeHint = hintedType(mode.Args[0])
		}
	}
	for _, v := range m.Variables {
		if v.Storage == Workgroup {
			k.LDSSize += (v.Type.Size + 15) / 16 * 16
		}
	}
	for _, p := range m.EntryFunction(e).Params {
		k.Args = append(k.Args, m.arg(p, &k))
	}
	return k
}

// hintedType is the type that an operand of VecTypeHint means (SPIR-V, "Execution Mode"): its number of
// components above that of the components' type; "" for none.
func hintedType(operand uint32) string {
	names := []string{"char", "short", "int", "long", "half", "float", "double"}
	components, kind := operand>>16, operand&0xffff
	switch {
	case int(kind) >= len(names):
		return ""
	case components <= 1:
		return names[kind]
	}
	return fmt.Sprintf("%s%d", names[kind], components)
}

// openCLName is OpenCL C's name of a number's or vector's type, as far as the module knows it, which does not
// have signs there; "" for any other type.
func openCLName(t *Type) string {
	switch {
	case t == nil:
		return ""
	case t.Kind == Vector:
		if name := openCLName(t.Elem); name != "" {
			return fmt.Sprintf("%s%d", name, t.Len)
		}
		return ""
	case t.Kind == Int:
		return map[int]string{8: "char", 16: "short", 32: "int", 64: "long"}[t.Bits]
	case t.Kind == Float:
		return map[int]string{16: "half", 32: "float", 64: "double"}[t.Bits]
	}
	return ""
}

var addressSpaces = map[StorageClass]string{CrossWorkgroup: "global", UniformConstant: "constant",
	Workgroup: "local",
	Generic:   "generic", FunctionStorage: "private"}

// arg is a parameter of a kernel; what is passed by value is a pointer to a private copy.
func (m *Module) arg(id uint32, k *loader.Kernel) loader.Arg {
	const byValue = 2
	a := loader.Arg{Name: m.Names[id], Kind: loader.ByValue}
	t := m.Types[m.Def(id).Type]
	if t == nil {
		return a
	}
	align := t.Align
	a.Size = t.Size
	if t.Kind == Opaque {
		m.opaqueArg(&a, m.Def(t.ID))
		align = a.Size
	} else if attr, ok := m.Decoration(id, DecorationFuncParamAttr); t.Kind == Pointer && (ok &&
		attr == byValue || t.Storage == FunctionStorage) {
		a.Size, align = t.Elem.Size, t.Elem.Align
		a.TypeName = openCLName(t.Elem)
	} else if t.Kind == Pointer {
		a.AddressSpace, a.Kind = addressSpaces[t.Storage], loader.GlobalBuffer
		if t.Storage == Workgroup {
			a.Kind, a.PointeeAlign = loader.DynamicSharedPointer, t.Elem.Align
		}
		if name := openCLName(t.Elem); name != "" {
			a.TypeName = name + "*"
		}
	} else {
		a.TypeName = openCLName(t)
	}
	align = max(align, 1)
	a.Offset = (k.ArgSize + align - 1) / align * align
	k.ArgSize, k.ArgAlign = a.Offset+a.Size, max(k.ArgAlign, align)
	return a
}

// opaqueArg is a parameter that is an image or a sampler, whose value is the address of what says which.
func (m *Module) opaqueArg(a *loader.Arg, def *Inst) {
	const handle = 8
	switch {
	case def == nil:
	case def.Op == OpTypeSampler:
		a.Kind, a.Size, a.TypeName = loader.Sampler, handle, "sampler_t"
	case def.Op == OpTypeImage:
		names := []string{"image1d", "image2d", "image3d", "", "", "image1d_buffer"}
		a.Kind, a.Size = loader.Image, handle
		if dim := int(def.Arg(1)); dim < len(names) && names[dim] != "" {
			a.TypeName = names[dim]
			if def.Arg(3) == 1 {
				a.TypeName += "_array"
			}
			a.TypeName += "_t"
		}
		if len(def.Args) > 7 && def.Arg(7) < 3 {
			a.Access = []string{"read_only", "write_only", "read_write"}[def.Arg(7)]
		}
	}
}

// EntryFunction is the function that an entry point runs. One that does nothing but call a function with
// its own parameters, as llvm-spirv writes, runs that.
func (m *Module) EntryFunction(e *Entry) *Function {
	f := m.Function(e.Function)
	var code []*Inst
	for i := f.First; i < f.End; i++ {
		if in := &m.Insts[i]; m.Executes(in) {
			code = append(code, in)
		}
	}
	if len(code) != 2 || code[0].Op != OpFunctionCall || code[1].Op != OpReturn ||
		len(code[0].Args) != len(f.Params)+1 {
		return f
	}
	for i, p := range f.Params {
		if code[0].Args[i+1] != p {
			return f
		}
	}
	if inner := m.Function(code[0].Args[0]); inner != nil && inner.Body {
		return inner
	}
	return f
}

// Executes reports whether an instruction in a function has a moment of its own: labels, phis, variables,
// merge instructions, lines and what is only debug information have none.
func (m *Module) Executes(in *Inst) bool {
	const lifetimeStart, lifetimeStop = 256, 257
	switch in.Op {
	case 0, OpUndef, OpSource, OpLine, OpNoLine, OpFunction, OpFunctionParameter, OpFunctionEnd, OpPhi,
		OpLoopMerge,
		OpSelectionMerge, OpLabel, lifetimeStart, lifetimeStop:
		return false
	case OpVariable:
		return len(in.Args) > 1
	case OpExtInst:
		name := m.Imports[in.Arg(0)]
		if name == "NonSemantic.DebugPrintf" {
			return in.Arg(1) == 1
		}
		return name == "GLSL.std.450" || name == "OpenCL.std"
	}
	return true
}
