package spirv

// A Constant is a constant at module scope, as specialised.
type Constant struct {
	ID     uint32
	Type   *Type
	Op     Op
	Bits   uint64   // of a scalar
	Parts  []uint32 // of a composite
	Null   bool     // OpConstantNull, OpUndef
	SpecID uint32
	Spec   bool // has a SpecID
	Known  bool // Bits is the value: not for what operations on constants yield, but for a few
}

func (m *Module) readConstant(in *Inst) error {
	t := m.Types[in.Type]
	if t == nil || t.Kind == Void {
		return errorAt(in.Word, "constant %%%d: its type %%%d is no type of values", in.Result, in.Type)
	}
	c := &Constant{ID: in.Result, Type: t, Op: in.Op}
	c.SpecID, c.Spec = m.Decoration(c.ID, DecorationSpecID)
	switch in.Op {
	case OpConstantTrue, OpSpecConstantTrue:
		c.Bits, c.Known = 1, true
	case OpConstantFalse, OpSpecConstantFalse:
		c.Known = true
	case OpConstant, OpSpecConstant:
		words := 1
		if t.Bits == 64 {
			words = 2
		}
		if t.Kind != Int && t.Kind != Float || len(in.Args) < words {
			return errorAt(in.Word, "constant %%%d: no number of its type in %d words", c.ID, len(in.Args))
		}
		c.Bits, c.Known = uint64(in.Args[0]), true
		if words == 2 {
			c.Bits |= uint64(in.Args[1]) << 32
		} else if t.Bits < 32 {
			c.Bits &= 1<<t.Bits - 1
		}
	case OpConstantComposite, OpSpecConstantComposite:
		for _, p := range in.Args {
			if m.Constants[p] == nil {
				return errorAt(in.Word, "constant %%%d: its part %%%d is no constant before it", c.ID, p)
			}
		}
		c.Parts = in.Args
	case OpConstantNull, OpUndef:
		c.Null, c.Known = true, true
	case OpSpecConstantOp:
		c.Bits, c.Known = m.evaluate(in)
	}
	if v, ok := m.spec[c.SpecID]; ok && c.Spec && c.Known {
		c.Bits = v
		if t.Kind == Bool && v != 0 {
			c.Bits = 1
		} else if t.Bits > 0 && t.Bits < 64 {
			c.Bits &= 1<<t.Bits - 1
		}
	}
	m.Constants[c.ID] = c
	m.constantOrder = append(m.constantOrder, c.ID)
	return nil
}

// evaluate computes the integer operations that sizes of arrays are made with; the machine computes all.
func (m *Module) evaluate(in *Inst) (uint64, bool) {
	t := m.Types[in.Type]
	if len(in.Args) < 2 || t.Kind != Int {
		return 0, false
	}
	a, ok := m.Uint(in.Args[1])
	if !ok {
		return 0, false
	}
	b, ok := m.Uint(in.Arg(2))
	if len(in.Args) > 2 && !ok {
		return 0, false
	}
	var v uint64
	switch in.Args[0] {
	case 113: // OpUConvert
		v = a
	case 128: // OpIAdd
		v = a + b
	case 130: // OpISub
		v = a - b
	case 132: // OpIMul
		v = a * b
	case 134: // OpUDiv
		if b == 0 {
			return 0, false
		}
		v = a / b
	case 137: // OpUMod
		if b == 0 {
			return 0, false
		}
		v = a % b
	case 194: // OpShiftRightLogical
		v = a >> min(b, 63)
	case 196: // OpShiftLeftLogical
		v = a << min(b, 63)
	default:
		return 0, false
	}
	if t.Bits < 64 {
		v &= 1<<t.Bits - 1
	}
	return v, true
}

// Uint is the value of an integer constant, with the defaults of what can be specialised.
func (m *Module) Uint(id uint32) (uint64, bool) {
	c := m.Constants[id]
	if c == nil || !c.Known || c.Type.Kind != Int && c.Type.Kind != Bool {
		return 0, false
	}
	return c.Bits, true
}

// Int is Uint for a constant that may be negative.
func (m *Module) Int(id uint32) (int64, bool) {
	v, ok := m.Uint(id)
	if c := m.Constants[id]; ok && c.Type.Bits > 0 && c.Type.Bits < 64 {
		shift := 64 - c.Type.Bits
		return int64(v<<shift) >> shift, true
	}
	return int64(v), ok
}

// SpecConstants are the constants that can be specialised, in their order; several may have one SpecId.
func (m *Module) SpecConstants() []*Constant {
	var cs []*Constant
	for _, id := range m.constantOrder {
		if c := m.Constants[id]; c.Spec {
			cs = append(cs, c)
		}
	}
	return cs
}
