package spirv

import "fmt"

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

	operands []uint32 // constants that an operation takes
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
		c.operands = operands(in)
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

// operands are the ids that an operation on constants takes.
func operands(in *Inst) []uint32 {
	const extract, insert = 81, 82
	switch args := in.Args; {
	case len(args) < 2:
		return nil
	case args[0] == extract:
		return args[1:2]
	case args[0] == insert && len(args) > 2:
		return args[1:3]
	default:
		return args[1:]
	}
}

// specialised lists the specialisation constants that a constant is made of, as whoever launches gives them.
func (m *Module) specialised(id uint32) []string {
	var all []string
	seen := map[uint32]bool{}
	var add func(id uint32)
	add = func(id uint32) {
		c := m.Constants[id]
		if c == nil || seen[id] {
			return
		}
		seen[id] = true
		if c.Spec {
			all = append(all, fmt.Sprintf("%d=%d", c.SpecID, c.Bits))
		}
		for _, p := range append(c.operands, c.Parts...) {
			add(p)
		}
	}
	add(id)
	return all
}

// evaluate computes the integer operations that sizes of arrays are made with; the machine computes all.
func (m *Module) evaluate(in *Inst) (uint64, bool) {
	t := m.Types[in.Type]
	if len(in.Args) < 2 || t.Kind != Int && t.Kind != Bool {
		return 0, false
	}
	const extract, sel = 81, 169
	switch in.Args[0] {
	case extract:
		return m.extracted(in.Args[1], in.Args[2:])
	case sel:
		condition, ok := m.Uint(in.Args[1])
		if !ok || len(in.Args) < 4 {
			return 0, false
		}
		return m.Uint(in.Args[2+1-int(condition&1)])
	}
	if operation := signedOps[in.Args[0]]; operation != nil {
		a, ok := m.Int(in.Args[1])
		b, known := m.Int(in.Arg(2))
		if !ok || len(in.Args) > 2 && !known {
			return 0, false
		}
		v, ok := operation(a, b)
		return narrowed(uint64(v), t), ok
	}
	operation := integerOps[in.Args[0]]
	a, ok := m.Uint(in.Args[1])
	b, known := m.Uint(in.Arg(2))
	if operation == nil || !ok || len(in.Args) > 2 && !known {
		return 0, false
	}
	v, ok := operation(a, b)
	return narrowed(v, t), ok
}

// narrowed keeps the bits of a number that its type has.
func narrowed(v uint64, t *Type) uint64 {
	if t.Bits > 0 && t.Bits < 64 {
		v &= 1<<t.Bits - 1
	}
	return v
}

// extracted is a part of a composite constant.
func (m *Module) extracted(id uint32, indices []uint32) (uint64, bool) {
	for _, i := range indices {
		c := m.Constants[id]
		switch {
		case c != nil && c.Null:
			return 0, true
		case c == nil || uint64(i) >= uint64(len(c.Parts)):
			return 0, false
		}
		id = c.Parts[i]
	}
	return m.Uint(id)
}

// integerOps are operations on integers that OpSpecConstantOp may name, by opcode; those that look at signs
// are signedOps. ok is false where there is no result.
var integerOps = map[uint32]func(a, b uint64) (v uint64, ok bool){
	113: func(a, _ uint64) (uint64, bool) { return a, true }, // UConvert
	128: func(a, b uint64) (uint64, bool) { return a + b, true },
	130: func(a, b uint64) (uint64, bool) { return a - b, true },
	132: func(a, b uint64) (uint64, bool) { return a * b, true },
	134: func(a, b uint64) (uint64, bool) { return a / max(b, 1), b != 0 },
	137: func(a, b uint64) (uint64, bool) { return a % max(b, 1), b != 0 },
	164: func(a, b uint64) (uint64, bool) { return truth(a == b), true }, // LogicalEqual
	165: func(a, b uint64) (uint64, bool) { return truth(a != b), true },
	166: func(a, b uint64) (uint64, bool) { return a | b, true },
	167: func(a, b uint64) (uint64, bool) { return a & b, true },
	168: func(a, _ uint64) (uint64, bool) { return a ^ 1, true },
	170: func(a, b uint64) (uint64, bool) { return truth(a == b), true }, // IEqual
	171: func(a, b uint64) (uint64, bool) { return truth(a != b), true },
	172: func(a, b uint64) (uint64, bool) { return truth(a > b), true },
	174: func(a, b uint64) (uint64, bool) { return truth(a >= b), true },
	176: func(a, b uint64) (uint64, bool) { return truth(a < b), true },
	178: func(a, b uint64) (uint64, bool) { return truth(a <= b), true },
	194: func(a, b uint64) (uint64, bool) { return a >> min(b, 63), true },
	196: func(a, b uint64) (uint64, bool) { return a << min(b, 63), true },
	197: func(a, b uint64) (uint64, bool) { return a | b, true },
	198: func(a, b uint64) (uint64, bool) { return a ^ b, true },
	199: func(a, b uint64) (uint64, bool) { return a & b, true },
	200: func(a, _ uint64) (uint64, bool) { return ^a, true },
}

// signedOps are operations on numbers that may be negative.
var signedOps = map[uint32]func(a, b int64) (v int64, ok bool){
	114: func(a, _ int64) (int64, bool) { return a, true }, // SConvert
	126: func(a, _ int64) (int64, bool) { return -a, true },
	135: func(a, b int64) (int64, bool) { return quotient(a, b) },
	138: func(a, b int64) (int64, bool) { return remainder(a, b) }, // SRem, which has the dividend's sign
	139: func(a, b int64) (int64, bool) { // SMod, which has the divisor's
		v, ok := remainder(a, b)
		if v != 0 && (v < 0) != (b < 0) {
			v += b
		}
		return v, ok
	},
	173: func(a, b int64) (int64, bool) { return int64(truth(a > b)), true },
	175: func(a, b int64) (int64, bool) { return int64(truth(a >= b)), true },
	177: func(a, b int64) (int64, bool) { return int64(truth(a < b)), true },
	179: func(a, b int64) (int64, bool) { return int64(truth(a <= b)), true },
	195: func(a, b int64) (int64, bool) { return a >> min(uint64(b), 63), true }, // ShiftRightArithmetic
}

func quotient(a, b int64) (int64, bool) {
	if b == 0 {
		return 0, false
	}
	return a / b, true
}

func remainder(a, b int64) (int64, bool) {
	if b == 0 {
		return 0, false
	}
	return a % b, true
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
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
