package spirv

// A printfCall is NonSemantic.DebugPrintf's DebugPrintf or OpenCL.std's printf.
type printfCall struct {
	format string
	args   []printfArg
}

type printfArg struct {
	slot, n int32
	bits    uint
	float   bool
	signed  bool
	pointer bool
	str     bool   // it is a pointer to a constant string
	text    string // which is this
}

// A PrintfArg is an argument of a printf: its scalars, zero-extended.
type PrintfArg struct {
	Bits    uint
	Float   bool
	Signed  bool
	Pointer bool
	Values  []uint64
	String  bool   // it is a pointer to a constant string
	Text    string // which is this
}

// A Printf is what one lane printed.
type Printf struct {
	Format string
	Args   []PrintfArg
}

// buildPrintf makes DebugPrintf: a format and values, vectors among them.
func buildPrintf(b *builder, number uint32) (*inst, error) {
	if number != 1 || len(b.in.args) == 0 {
		return nil, nil
	}
	format, ok := b.p.strings[b.in.args[0]]
	if !ok {
		return nil, b.errorf("prints by %%%d, which is no OpString", b.in.args[0])
	}
	return b.printf(format)
}

func (b *builder) printf(format string) (*inst, error) {
	call := &printfCall{format: format}
	for i := 1; i < len(b.in.args); i++ {
		v, err := b.value(i)
		if err != nil {
			return nil, err
		}
		s := v.typ.scalar()
		if s == nil {
			return nil, b.errorf("prints %%%d, which is neither scalar nor vector", b.in.args[i])
		}
		str, isString := b.p.constantString(b.in.args[i])
		call.args = append(call.args,
			printfArg{str: isString, text: str, slot: v.slot, n: int32(v.typ.slots), bits: s.width(),
				float: s.kind == kFloat, signed: s.signed, pointer: s.kind == kPointer})
	}
	return &inst{text: call, exec: execPrintf}, nil
}

// execPrintf hands what the active lanes print to the ISA, lowest lane first.
func execPrintf(c *core, in *inst) {
	show := c.isa.launch.Print
	for l := range c.lanes {
		if c.mask>>l&1 == 0 || show == nil {
			continue
		}
		p := Printf{Format: in.text.format}
		for _, a := range in.text.args {
			arg := PrintfArg{Bits: a.bits, Float: a.float, Signed: a.signed, Pointer: a.pointer,
				String: a.str, Text: a.text}
			for k := range a.n {
				arg.Values = append(arg.Values, c.one(a.slot + k)[l])
			}
			p.Args = append(p.Args, arg)
		}
		show(c.w, l, p)
	}
}
