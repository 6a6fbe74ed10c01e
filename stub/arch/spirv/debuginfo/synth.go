package debuginfo

import "simtgdb/loader/spirv"

// SPIR-V types made of debug types, for objects that no SPIR-V type describes.

// synth makes a SPIR-V type of a debug type for objects that no SPIR-V type describes, laid out as the
// machine lays out memory of its own; nil where it cannot be known.
func (t *translator) synth(id uint32) *spirv.Type {
	if s, ok := t.synths[id]; ok {
		return s
	}
	t.synths[id] = nil // against types that contain themselves
	s := t.makeSynth(t.debug[id])
	t.synths[id] = s
	return s
}

func (t *translator) makeSynth(d *dinst) *spirv.Type {
	if d == nil || t.depth > maxTypeNesting {
		return nil
	}
	t.depth++
	defer func() { t.depth-- }()
	switch d.number {
	case dTypeBasic:
		size := t.num(d, 1) / 8
		kind := map[uint64]spirv.Kind{2: spirv.Bool, 3: spirv.Float}[t.num(d, 2)]
		if kind == spirv.Void {
			kind = spirv.Int
		}
		if size != 1 && size != 2 && size != 4 && size != 8 {
			return nil
		}
		return &spirv.Type{Kind: kind, Bits: int(8 * size), Size: size, Align: size}
	case dTypedef:
		return t.synth(d.arg(1))
	case dTypeQualifier:
		return t.synth(d.arg(0))
	case dTypePointer:
		return &spirv.Type{Kind: spirv.Pointer, Size: 8, Align: 8, Storage: spirv.StorageClass(t.num(d, 1))}
	case dTypeVector:
		return repeated(spirv.Vector, t.synth(d.arg(0)), t.num(d, 1), 16)
	case dTypeMatrix:
		return repeated(spirv.Matrix, t.synth(d.arg(0)), t.num(d, 1), 4)
	case dTypeComposite:
		return t.synthStruct(d)
	case dTypeArray:
		s := t.synth(d.arg(0))
		for i := len(d.args) - 1; i > 0; i-- {
			n, _ := t.m.Uint(d.args[i])
			s = repeated(spirv.Array, s, n, 1<<20)
		}
		return s
	}
	return nil
}

// synthStruct makes a struct of a composite: with its own offsets if it has any, else as the machine lays
// it out.
// The names of members are those of the SPIR-V struct of the same name.
func (t *translator) synthStruct(d *dinst) *spirv.Type {
	s := &spirv.Type{Kind: spirv.Struct, Align: 1}
	names := t.structNamed(t.str(d, 0))
	var end uint64
	own := false
	for _, id := range d.args[min(9, len(d.args)):] {
		m := t.get(id, dTypeMember)
		if m == nil {
			return nil // functions and base classes: what the composite says itself has to do
		}
		e := t.synth(m.arg(1))
		if e == nil || t.staticValue(m) != nil {
			return nil
		}
		sm := spirv.StructMember{Type: e, Name: t.str(m, 0), Offset: (end + e.Align - 1) / e.Align * e.Align}
		if off := t.num(m, memberOperand(m, 5)) / 8; off > 0 {
			own = true
			sm.Offset = off
		}
		if names != nil && len(names.Members) == len(d.args)-9 && names.Members[len(s.Members)].Name != "" {
			sm.Name = names.Members[len(s.Members)].Name
		}
		end = max(end, sm.Offset+e.Size)
		s.Align = max(s.Align, e.Align)
		s.Members = append(s.Members, sm)
	}
	if s.Size = (end + s.Align - 1) / s.Align * s.Align; own {
		s.Size = max(end, t.num(d, 7)/8)
	}
	if len(s.Members) == 0 {
		return nil
	}
	return s
}

// structNamed is the first struct type with a name in the module, or nil.
func (t *translator) structNamed(name string) *spirv.Type {
	for i := range t.m.Insts {
		in := &t.m.Insts[i]
		if in.Op == spirv.OpTypeStruct && name != "" && t.m.Names[in.Result] == name {
			return t.m.Types[in.Result]
		}
	}
	return nil
}

func repeated(kind spirv.Kind, e *spirv.Type, n, most uint64) *spirv.Type {
	if e == nil || n == 0 || n > most {
		return nil
	}
	return &spirv.Type{Kind: kind, Elem: e, Len: n, Stride: e.Size, Size: n * e.Size, Align: e.Align}
}
