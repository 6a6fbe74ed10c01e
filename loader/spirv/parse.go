package spirv

// readAnnotations reads what may refer forward: modes, names, decorations and strings (section 2.4, 1 to 8).
func (m *Module) readAnnotations() error {
	for i := range m.Insts {
		in := &m.Insts[i]
		read, ok := annotations[in.Op]
		if !ok {
			continue
		}
		if len(in.Args) < read.args {
			return errorAt(in.Word, "instruction %d has %d operands, at least %d are needed",
				in.Op, len(in.Args), read.args)
		}
		if err := read.f(m, in); err != nil {
			return err
		}
	}
	return m.readGroups()
}

type annotation struct {
	args int // at least so many
	f    func(m *Module, in *Inst) error
}

var annotations = map[Op]annotation{
	OpCapability: {1,
		func(m *Module, in *Inst) error { m.Capabilities = append(m.Capabilities, in.Args[0]); return nil }},
	OpExtension:     {1, (*Module).readExtension},
	OpExtInstImport: {1, (*Module).readImport},
	OpMemoryModel: {2,
		func(m *Module, in *Inst) error { m.Addressing, m.MemoryModel = in.Args[0], in.Args[1]; return nil }},
	OpEntryPoint:           {3, (*Module).readEntry},
	OpName:                 {2, (*Module).readName},
	OpMemberName:           {3, (*Module).readMemberName},
	OpString:               {1, (*Module).readString},
	OpModuleProcessed:      {1, (*Module).readProcessed},
	OpDecorate:             {2, (*Module).readDecorate},
	OpDecorateId:           {2, (*Module).readDecorate},
	OpDecorateString:       {2, (*Module).readDecorate},
	OpMemberDecorate:       {3, (*Module).readMemberDecorate},
	OpMemberDecorateString: {3, (*Module).readMemberDecorate},
	OpExecutionMode:        {2, (*Module).readMode},
	OpExecutionModeId:      {2, (*Module).readMode},
}

// literal reads the string that an instruction has from an operand on.
func (m *Module) literal(in *Inst, from int) (string, []uint32, error) {
	s, rest, ok := text(in.Args[from:])
	if !ok {
		return "", nil, errorAt(in.Word, "instruction %d: the string has no end", in.Op)
	}
	return s, rest, nil
}

func (m *Module) readExtension(in *Inst) error {
	s, _, err := m.literal(in, 0)
	m.Extensions = append(m.Extensions, s)
	return err
}

func (m *Module) readImport(in *Inst) error {
	s, _, err := m.literal(in, 0)
	m.Imports[in.Result] = s
	return err
}

func (m *Module) readProcessed(in *Inst) error {
	s, _, err := m.literal(in, 0)
	m.Processed = append(m.Processed, s)
	return err
}

func (m *Module) readName(in *Inst) error {
	s, _, err := m.literal(in, 1)
	if _, ok := m.Names[in.Args[0]]; !ok {
		m.Names[in.Args[0]] = s
	}
	return err
}

func (m *Module) readMemberName(in *Inst) error {
	s, _, err := m.literal(in, 2)
	m.MemberNames[Member{in.Args[0], in.Args[1]}] = s
	return err
}

// readString reads OpString. Some producers let the length of a long text overflow: what follows is then
// no instruction, and the reader of instructions has said so already.
func (m *Module) readString(in *Inst) error {
	s, _, err := m.literal(in, 0)
	m.Strings[in.Result] = s
	return err
}

func (m *Module) readEntry(in *Inst) error {
	name, rest, err := m.literal(in, 2)
	m.Entries = append(m.Entries,
		&Entry{Name: name, Model: in.Args[0], Function: in.Args[1], Interface: rest})
	return err
}

// readMode gives a mode to each entry point of its function.
func (m *Module) readMode(in *Inst) error {
	for _, e := range m.Entries {
		if e.Function == in.Args[0] {
			e.Modes = append(e.Modes, Mode{in.Args[1], in.Args[2:], in.Op == OpExecutionModeId})
		}
	}
	return nil
}

func (m *Module) readDecorate(in *Inst) error {
	m.decorations[in.Args[0]] = append(m.decorations[in.Args[0]], Decoration{in.Args[1], in.Args[2:]})
	return nil
}

func (m *Module) readMemberDecorate(in *Inst) error {
	k := Member{in.Args[0], in.Args[1]}
	m.memberDecs[k] = append(m.memberDecs[k], Decoration{in.Args[2], in.Args[3:]})
	return nil
}

// readGroups hands the decorations of groups to their targets (deprecated, but llvm-spirv writes them).
func (m *Module) readGroups() error {
	copied := 0
	for i := range m.Insts {
		in := &m.Insts[i]
		if in.Op != OpGroupDecorate && in.Op != OpGroupMemberDecorate || len(in.Args) == 0 {
			continue
		}
		ds := m.decorations[in.Args[0]]
		if copied += len(ds) * len(in.Args); copied > maxDecorationsCopied {
			return errorAt(in.Word, "groups of decorations make more than %d decorations",
				maxDecorationsCopied)
		}
		if in.Op == OpGroupDecorate {
			for _, target := range in.Args[1:] {
				m.decorations[target] = append(m.decorations[target], ds...)
			}
			continue
		}
		for j := 1; j+1 < len(in.Args); j += 2 {
			k := Member{in.Args[j], in.Args[j+1]}
			m.memberDecs[k] = append(m.memberDecs[k], ds...)
		}
	}
	return nil
}

// readDeclarations reads types, constants and variables at module scope (section 2.4, 9).
func (m *Module) readDeclarations() error {
	for i := range m.Insts {
		in := &m.Insts[i]
		var err error
		switch {
		case in.Op == OpFunction:
			return m.completePointers()
		case in.Op >= OpTypeVoid && in.Op <= OpTypeForwardPointer || opaqueTypes[in.Op]:
			err = m.readType(in, i)
		case in.Op >= OpConstantTrue && in.Op <= OpSpecConstantOp || in.Op == OpUndef:
			err = m.readConstant(in)
		case in.Op == OpVariable:
			err = m.readVariable(in)
		}
		if err != nil {
			return err
		}
	}
	return m.completePointers()
}

// readFunctions finds where functions begin and end.
func (m *Module) readFunctions() error {
	var f *Function
	for i := range m.Insts {
		in := &m.Insts[i]
		switch in.Op {
		case OpFunction:
			if f != nil || len(in.Args) < 2 {
				return errorAt(in.Word, "OpFunction inside %%%d or without its operands", in.Result)
			}
			f = &Function{ID: in.Result, Result: in.Type, Type: in.Args[1], First: i}
		case OpFunctionParameter:
			if f == nil {
				return errorAt(in.Word, "OpFunctionParameter outside of a function")
			}
			f.Params = append(f.Params, in.Result)
		case OpLabel:
			if f == nil {
				return errorAt(in.Word, "OpLabel outside of a function")
			}
			f.Body = true
		case OpFunctionEnd:
			if f == nil {
				return errorAt(in.Word, "OpFunctionEnd outside of a function")
			}
			f.End = i + 1
			m.Functions = append(m.Functions, f)
			f = nil
		}
	}
	if f != nil {
		return errorAt(m.Insts[f.First].Word, "function %%%d has no OpFunctionEnd", f.ID)
	}
	return nil
}

// checkEntries sees that entry points are functions with a body.
func (m *Module) checkEntries() error {
	for _, e := range m.Entries {
		if f := m.Function(e.Function); f == nil || !f.Body {
			return errorAt(0, "entry point %q: %%%d is no function with a body", e.Name, e.Function)
		}
	}
	return nil
}
