package expr

// Operations on values and on the stack: A.2.5.4.1 to A.2.5.4.3.

func execNop(*machine, *Instr) error { return nil }

func execLit(m *machine, in *Instr) error   { return m.pushGeneric(uint64(in.base)) }
func execConst(m *machine, in *Instr) error { return m.pushGeneric(in.args[0]) }

// whole makes sure that the n entries on top are not incomplete composites,
// which the stack operations must not touch.
func (m *machine) whole(n int) error {
	if err := m.need(n); err != nil {
		return err
	}
	for i := range n {
		if m.top(i).kind == isPartial {
			return m.fail(IllFormed, "the entry is an incomplete composite")
		}
	}
	return nil
}

func (m *machine) pushCopy(i int) error {
	if err := m.need(i + 1); err != nil {
		return err
	}
	if m.top(i).kind == isPartial {
		return m.fail(IllFormed, "the entry is an incomplete composite")
	}
	return m.push(*m.top(i))
}

func execDup(m *machine, _ *Instr) error   { return m.pushCopy(0) }
func execOver(m *machine, _ *Instr) error  { return m.pushCopy(1) }
func execPick(m *machine, in *Instr) error { return m.pushCopy(int(in.args[0])) }

func execDrop(m *machine, _ *Instr) error {
	if err := m.whole(1); err != nil {
		return err
	}
	m.stack = m.stack[:len(m.stack)-1]
	return nil
}

func execSwap(m *machine, _ *Instr) error {
	if err := m.whole(2); err != nil {
		return err
	}
	a, b := m.top(0), m.top(1)
	*a, *b = *b, *a
	return nil
}

// execRot makes the top the third.
func execRot(m *machine, _ *Instr) error {
	if err := m.whole(3); err != nil {
		return err
	}
	a, b, c := m.top(0), m.top(1), m.top(2)
	*a, *b, *c = *b, *c, *a
	return nil
}

func unary(f func(Value) (Value, *Error)) func(*machine, *Instr) error {
	return func(m *machine, _ *Instr) error {
		v, err := m.popNumber()
		if err != nil {
			return err
		}
		r, fault := f(v)
		if fault != nil {
			return fault
		}
		return m.pushValue(r)
	}
}

func binary(o *arithmetic) func(*machine, *Instr) error {
	return func(m *machine, _ *Instr) error {
		a, b, from, err := m.popOperands()
		if err != nil {
			return err
		}
		r, fault := o.apply(a, b)
		if fault != nil {
			return fault
		}
		e := entry{kind: isValue, value: r}
		if from == fromFrame && (o == &arithPlus || o == &arithMinus) {
			e.from = fromFrame // still an address in the frame
		}
		return m.push(e)
	}
}

// popOperands pops the two operands of an operation, a being the former second
// entry. They must have the same type (DWARF 5 2.5.1.4).
func (m *machine) popOperands() (a, b Value, from origin, err error) {
	if err = m.need(2); err != nil {
		return
	}
	from = max(m.top(0).from, m.top(1).from)
	if b, err = m.popNumber(); err != nil {
		return
	}
	if a, err = m.popNumber(); err != nil {
		return
	}
	if a.Type != b.Type && !m.dialect.unify(&a, &b) {
		err = m.fail(IllFormed, "operands of types %s and %s", a.Type, b.Type)
	}
	return
}

func comparison(holds func(order int) bool, unordered bool) func(*machine, *Instr) error {
	return func(m *machine, _ *Instr) error {
		a, b, _, err := m.popOperands()
		if err != nil {
			return err
		}
		order, nan, fault := compare(a, b)
		if fault != nil {
			return fault
		}
		if nan && unordered || !nan && holds(order) {
			return m.pushGeneric(1)
		}
		return m.pushGeneric(0)
	}
}

func execPlusUconst(m *machine, in *Instr) error {
	if err := m.need(1); err != nil {
		return err
	}
	from := m.top(0).from
	v, err := m.popInteger()
	if err != nil {
		return err
	}
	r, fault := arithPlus.apply(v, NewWideValue(v.Type, NewValue(BaseType{Unsigned, 64}, in.args[0]).Bytes()))
	if fault != nil {
		return fault
	}
	e := entry{kind: isValue, value: r}
	if from == fromFrame {
		e.from = fromFrame
	}
	return m.push(e)
}

func execSkip(m *machine, in *Instr) error {
	return m.branch(in.Next + int(int64(in.args[0])))
}

func execBra(m *machine, in *Instr) error {
	v, err := m.popInteger()
	if err != nil || v.zero() {
		return err
	}
	return m.branch(in.Next + int(int64(in.args[0])))
}

func execConstType(m *machine, in *Instr) error {
	t, err := m.baseType(in.args[0])
	if err != nil {
		return err
	}
	if err := m.typeSize(t, in.args[1]); err != nil {
		return err
	}
	return m.pushValue(NewWideValue(t, in.block))
}

func execConvert(m *machine, in *Instr) error {
	v, t, err := m.popForType(in)
	if err != nil {
		return err
	}
	r, ok := v.convert(t)
	if !ok {
		return m.fail(IllFormed, "no conversion from %s to %s", v.Type, t)
	}
	return m.pushValue(r)
}

func execReinterpret(m *machine, in *Instr) error {
	v, t, err := m.popForType(in)
	if err != nil {
		return err
	}
	if v.Type.Bits != t.Bits {
		return m.fail(IllFormed, "%d bits read as the %d bits of %s", v.Type.Bits, t.Bits, t)
	}
	v.Type = t
	return m.pushValue(v)
}

// popForType pops the value that a conversion works on; type 0 is generic.
func (m *machine) popForType(in *Instr) (v Value, t BaseType, err error) {
	if v, err = m.popNumber(); err != nil {
		return
	}
	t = m.generic
	if in.args[0] != 0 {
		t, err = m.baseType(in.args[0])
	}
	return
}

func execPushLane(m *machine, _ *Instr) error {
	c, ok := m.ctx.(LaneContext)
	if !ok || c.Lane() < 0 {
		return m.lacks("lane")
	}
	lane, lanes := c.Lane(), c.WaveSize()
	if lane >= lanes {
		return m.fail(IllFormed, "lane %d of %d", lane, lanes)
	}
	if o, ok := m.ctx.(LaneObserver); ok {
		o.LanePushed()
	}
	return m.pushGeneric(uint64(lane))
}

func execPushIteration(m *machine, _ *Instr) error {
	c, ok := m.ctx.(IterationContext)
	if !ok {
		return m.lacks("iteration")
	}
	n, err := c.Iteration()
	if err != nil {
		return asError(MissingContext, err, "iteration")
	}
	return m.pushGeneric(n)
}

func execConstx(m *machine, in *Instr) error {
	n, err := m.indexed(in.args[0])
	if err != nil {
		return err
	}
	return m.pushGeneric(n)
}

// indexed reads the unit's part of .debug_addr.
func (m *machine) indexed(index uint64) (uint64, error) {
	c, ok := m.ctx.(AddressContext)
	if !ok {
		return 0, m.lacks("address table")
	}
	n, err := c.Addrx(index)
	if err != nil {
		return 0, asError(MissingContext, err, "address %d of the unit", index)
	}
	return n, nil
}

// execEntryValue runs an expression in the calling frame. A register in it is
// the register's contents on entry.
func execEntryValue(m *machine, in *Instr) error {
	ctx, entry, err := m.caller()
	if err != nil {
		return err
	}
	v, err := m.valueOnEntry(in.block, ctx, entry)
	if err != nil {
		return err
	}
	return m.pushValue(v)
}

// caller is the context of the calling frame, or the own one with the
// registers it had on entry.
func (m *machine) caller() (ctx Context, entry bool, err error) {
	if c, ok := m.ctx.(CallerContext); ok {
		if ctx, err = c.Caller(); err != nil {
			return nil, false, asError(MissingContext, err, "calling frame")
		}
		return ctx, false, nil
	}
	if _, ok := m.ctx.(EntryContext); ok {
		return nil, true, nil
	}
	return nil, false, m.lacks("calling frame")
}

func (m *machine) valueOnEntry(code []byte, ctx Context, onEntry bool) (Value, error) {
	before := m.entry
	m.entry = before || onEntry
	outer := m.ctx
	s, err := m.nested(code, ctx)
	if ctx != nil {
		m.ctx = ctx
		defer func() { m.ctx = outer }()
	}
	defer func() { m.entry = before; m.restore(s) }()
	if err != nil {
		return Value{}, err
	}
	if len(m.stack) == m.base {
		return Value{}, m.fail(IllFormed, "no value on entry")
	}
	e := m.top(0)
	if e.kind == isLocation && m.in.isRegister() {
		return m.wholeRegister(m.in.register())
	}
	return m.toValue(e)
}

// wholeRegister reads a register as a value of the generic type, or of an
// unsigned type of its own size if it is larger.
func (m *machine) wholeRegister(num uint64) (Value, error) {
	l, err := m.register(num)
	if err != nil {
		return Value{}, err
	}
	n, err := m.registerSize(num)
	if err != nil {
		return Value{}, err
	}
	if 8*n > maxTypeBits {
		return Value{}, m.fail(OutOfRange, "register %d of %d bytes as a value", num, n)
	}
	v, err := m.readValue(&l, BaseType{Encoding: Unsigned, Bits: 8 * n})
	if err == nil && v.Type.Bits <= m.generic.Bits && v.ip == nil {
		v = NewValue(m.generic, v.low)
	}
	return v, err
}

// execParameterRef takes the value a parameter had at the call site.
func execParameterRef(m *machine, in *Instr) error {
	c, ok := m.ctx.(ParameterContext)
	if !ok {
		return m.lacks("call site")
	}
	code, ctx, err := c.Parameter(in.args[0])
	if err != nil {
		return asError(MissingContext, err, "parameter at unit offset 0x%x", in.args[0])
	}
	v, err := m.valueOnEntry(code, ctx, ctx == nil)
	if err != nil {
		return err
	}
	return m.pushValue(v)
}

// execVariableValue reads a variable's value.
func execVariableValue(m *machine, in *Instr) error {
	l, err := m.entryLocation(Reference{FromSection, in.args[0]})
	if err != nil {
		return err
	}
	v, err := m.readValue(&l, m.generic)
	if err != nil {
		return err
	}
	return m.pushValue(v)
}

func execCallUnit(m *machine, in *Instr) error { return m.call(Reference{FromUnit, in.args[0]}) }
func execCallRef(m *machine, in *Instr) error  { return m.call(Reference{FromSection, in.args[0]}) }

// call runs a procedure's expression on the same stack; the location of a
// location list or of a constant it pushes (A.2.5.4.2).
func (m *machine) call(ref Reference) error {
	p, err := m.procedure(ref)
	if err != nil {
		return err
	}
	if p.Location != nil {
		return m.pushLocation(*p.Location)
	}
	return m.run(p.Code, p.Context)
}

func (m *machine) procedure(ref Reference) (Procedure, error) {
	c, ok := m.ctx.(ProcedureContext)
	if !ok {
		return Procedure{}, m.lacks("debugging information entries")
	}
	p, err := c.Procedure(ref)
	if err != nil {
		return Procedure{}, asError(MissingContext, err, "entry 0x%x", ref.Offset)
	}
	return p, nil
}

// entryLocation evaluates the location of an entry separately.
func (m *machine) entryLocation(ref Reference) (Location, error) {
	p, err := m.procedure(ref)
	switch {
	case err != nil:
		return Location{}, err
	case p.Location != nil:
		return *p.Location, nil
	case p.Code == nil:
		return Location{}, m.fail(ReadUndefined, "entry 0x%x has no location", ref.Offset)
	}
	s, err := m.nested(p.Code, p.Context)
	defer m.restore(s)
	if err != nil {
		return Location{}, err
	}
	return m.resultLocation()
}
