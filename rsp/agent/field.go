package agent

// A Field is what begins with reg where a debugger finds a variable of a frame: const, add, ref, and perhaps
// a second ref of what lies at the address that the first has loaded.
type Field struct {
	Register int
	Offset   uint64
	Size     int
	Then     int // of the second, 0 if there is none
}

// FieldLoader is a Context that can load from a register plus a number without the register's value, where
// that is dearer.
type FieldLoader interface {
	// LoadField is what Register and Load give; ok is false if it has to be done by them.
	LoadField(f *Field) (v uint64, ok bool, err error)
}

// FieldSure is a Sure that knows some fields too.
type FieldSure interface {
	KnownField(f *Field) (v uint64, ok bool)
}

// knownField is the field that begins with an instruction, if it is known.
func knownField(sure Sure, in *instruction) (v uint64, ok bool) {
	if s, can := sure.(FieldSure); can && in.field != nil {
		return s.KnownField(&in.field.Field)
	}
	return 0, false
}

// A field is a Field in an expression; jumps do not lead into it.
type field struct {
	Field
	next int // index of the instruction behind it
}

// refSizes are the numbers of bytes that bytecodes load.
var refSizes = map[opcode]int{opRef8: 1, opRef16: 2, opRef32: 4, opRef64: 8}

// findFields notes where the expression loads from a register plus a number.
func (p *Program) findFields() {
	target := map[uint64]bool{}
	for _, in := range p.instructions {
		if in.op == opGoto || in.op == opIfGoto {
			target[in.operand] = true
		}
	}
	op := func(i int) opcode {
		if i >= len(p.instructions) || target[uint64(i)] {
			return opEnd
		}
		return p.instructions[i].op
	}
	for i := range p.instructions {
		in := &p.instructions[i]
		size := refSizes[op(i+3)]
		if number := op(i + 1); in.op != opReg || number < opConst8 || number > opConst64 ||
			op(i+2) != opAdd || size == 0 {
			continue
		}
		f := &field{Field{int(in.operand), p.instructions[i+1].operand, size, refSizes[op(i+4)]}, i + 4}
		if f.Then != 0 {
			f.next++
		}
		in.field = f
	}
}

// loadField loads a field, if the context can.
func (m *machine) loadField(in *instruction) (done bool, err error) {
	loader, can := m.context.(FieldLoader)
	if in.field == nil || !can {
		return false, nil
	}
	v, ok, err := loader.LoadField(&in.field.Field)
	if !ok || err != nil {
		return ok, err
	}
	m.push(v)
	m.next = in.field.next
	return true, nil
}
