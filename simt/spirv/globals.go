package spirv

// A Global is a variable at module scope in global memory: OpenCL's constants and variables of programs.
type Global struct {
	Name     string
	At       uint64 // from Options.Data on
	Size     uint64
	Constant bool // kernels do not write it
}

// inGlobalMemory reports whether a variable at module scope lies in memory that launches share.
func (v *variable) inGlobalMemory() bool {
	return v != nil && (v.storage == scUniformConstant || v.storage == scCrossWorkgroup)
}

// Data is what variables at module scope begin with in global memory, from Options.Data on; nil if there are
// none. It is the same for all entry points.
func (p *Program) Data() []byte {
	if p.dataSize == 0 {
		return nil
	}
	data := make([]byte, p.dataSize)
	for _, v := range p.globals {
		c := p.values[v.init]
		if !v.inGlobalMemory() || p.values[v.id] == nil || v.init == 0 || c == nil || !c.fixed {
			continue
		}
		for i, lf := range v.typ.leaves(layout{}) {
			at := v.at + lf.offset
			putLittle(data[at:at+lf.typ.size], p.constants[int(c.slot)+i])
		}
	}
	return data
}

// Globals are a module's variables in global memory, and what they begin with. No entry point is looked at.
func Globals(words []uint32, o Options) ([]Global, []byte, error) {
	p, err := newProgram(words, o)
	if err != nil || p.dataSize == 0 {
		return nil, nil, err
	}
	var all []Global
	for _, v := range p.globals {
		if v.inGlobalMemory() && p.values[v.id] != nil {
			all = append(all, Global{Name: p.variableName(v), At: v.at, Size: v.typ.size,
				Constant: v.storage == scUniformConstant})
		}
	}
	return all, p.Data(), nil
}
