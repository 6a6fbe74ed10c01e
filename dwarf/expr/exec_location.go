package expr

// Operations that make and move locations: A.2.5.4.3.4 and A.2.5.4.4.1 to 5.

func execAddr(m *machine, in *Instr) error { return m.pushMemory(0, in.args[0]) }

func execAddrx(m *machine, in *Instr) error {
	a, err := m.indexed(in.args[0])
	if err != nil {
		return err
	}
	return m.pushMemory(0, a)
}

func (m *machine) pushMemory(space, addr uint64) error {
	l, err := m.memory(space, addr)
	if err != nil {
		return err
	}
	return m.pushLocation(l)
}

func execReg(m *machine, in *Instr) error {
	num := in.register()
	l, err := m.register(num)
	if err != nil {
		return err
	}
	if m.dialect.Clang && !m.inFrame {
		if l, err = m.focusLane(num, l); err != nil {
			return err
		}
	}
	return m.pushLocation(l)
}

func execBreg(m *machine, in *Instr) error {
	num, disp := in.register(), in.args[1]
	if in.info.isFamily() {
		disp = in.args[0]
	}
	if m.dialect.Clang {
		return m.pushClangRegister(num, int64(disp))
	}
	n, err := m.registerBits(num, m.generic.Bits)
	if err != nil {
		return err
	}
	return m.pushMemory(0, n+disp)
}

func execAspaceBregx(m *machine, in *Instr) error {
	num, disp := in.args[0], in.args[1]
	as, err := m.popSpace()
	if err != nil {
		return err
	}
	n, err := m.registerBits(num, as.AddressBits)
	if err != nil {
		return err
	}
	return m.pushMemory(as.ID, n+disp)
}

// popSpace pops an address space identifier.
func (m *machine) popSpace() (Space, error) {
	v, err := m.popInteger()
	if err != nil {
		return Space{}, err
	}
	if v.wide != nil {
		return Space{}, m.fail(IllFormed, "%s address space", v.Type)
	}
	return m.space(v.low)
}

func (m *machine) space(id uint64) (Space, error) {
	s, ok := m.arch.space(id)
	if !ok {
		return Space{}, m.fail(IllFormed, "address space %d is not one of the architecture's", id)
	}
	if s.AddressBits == 0 {
		s.AddressBits = m.generic.Bits
	}
	return s, nil
}

// execFbreg offsets the frame base. A frame base in a register is what the
// register holds (A.3.3.5).
func execFbreg(m *machine, in *Instr) error {
	disp := int64(in.args[0])
	c, ok := m.ctx.(FrameBaseContext)
	switch {
	case m.inFrame:
		return m.fail(IllFormed, "the frame base refers to itself")
	case !ok || m.entry:
		return m.lacks("frame base")
	}
	code, err := c.FrameBase()
	if err != nil {
		return asError(MissingContext, err, "frame base")
	}
	base, err := m.frameBase(code)
	if err != nil {
		return err
	}
	if m.dialect.Clang && base.kind == isValue {
		base.value = NewValue(m.generic, base.value.low+uint64(disp))
		return m.push(base)
	}
	l, err := base.loc.Offset(m.ctx, disp, 0)
	if err != nil {
		return err
	}
	return m.pushLocation(l)
}

// frameBase evaluates a frame base: a memory location, or in the dialect a
// value that is an address in private memory.
func (m *machine) frameBase(code []byte) (entry, error) {
	m.inFrame = true
	s, err := m.nested(code, nil)
	defer func() { m.inFrame = false; m.restore(s) }()
	if err != nil {
		return entry{}, err
	}
	l, err := m.resultLocation()
	if err != nil {
		return entry{}, err
	}
	inReg := m.in.isRegister()
	switch {
	case len(l.more) != 0:
		return entry{}, m.fail(IllFormed, "the frame base is in %d places", l.Places())
	case inReg || l.kind == Register:
		return m.frameRegister(&l, inReg)
	case l.kind == Memory:
		return entry{kind: isLocation, loc: l}, nil
	}
	return entry{}, m.fail(IllFormed, "the frame base is %v, memory or a register expected", l.kind)
}

// isRegister reports DW_OP_reg* and DW_OP_regx.
func (in *Instr) isRegister() bool { return in.info.code == OpReg0 || in.info.code == OpRegx }

// register is the number of the register that DW_OP_reg*, regx, breg* and
// bregx name.
func (in *Instr) register() uint64 {
	if in.info.isFamily() {
		return uint64(in.base)
	}
	return in.args[0]
}

// frameRegister takes the frame base out of where the register is that holds
// it, which in outer frames need not be the register.
func (m *machine) frameRegister(l *Location, inReg bool) (entry, error) {
	n, err := l.remaining(m.ctx)
	if inReg {
		var size int
		size, err = m.registerSize(m.in.register())
		n = 8 * uint64(size)
	}
	if err != nil {
		return entry{}, err
	}
	v, err := m.readValue(l, BaseType{Encoding: Unsigned, Bits: int(min(uint64(m.generic.Bits), n))})
	if err != nil {
		return entry{}, err
	}
	if m.dialect.Clang {
		n, err := m.frameAddress(v.low)
		return entry{kind: isValue, from: fromFrame, value: NewValue(m.generic, n)}, err
	}
	mem, err := m.memory(0, v.low)
	return entry{kind: isLocation, loc: mem}, err
}

func execCFA(m *machine, _ *Instr) error {
	c, ok := m.ctx.(CFAContext)
	if !ok || m.entry {
		return m.lacks("canonical frame address")
	}
	l, err := c.CFA()
	if err != nil {
		return asError(MissingContext, err, "canonical frame address")
	}
	return m.pushLocation(l)
}

func execEntryReg(m *machine, in *Instr) error {
	l, err := m.entryRegister(in.args[0])
	if err != nil {
		return err
	}
	return m.pushLocation(l)
}

func execPushObject(m *machine, _ *Instr) error {
	c, ok := m.ctx.(ObjectContext)
	if !ok {
		return m.lacks("object")
	}
	l, err := c.ObjectAddress()
	if err != nil {
		return asError(MissingContext, err, "object")
	}
	return m.pushLocation(l)
}

func execTLS(m *machine, _ *Instr) error {
	v, err := m.popInteger()
	if err != nil {
		return err
	}
	c, ok := m.ctx.(TLSContext)
	if !ok {
		return m.lacks("thread-local storage")
	}
	l, err := c.TLS(v.low)
	if err != nil {
		return asError(MissingContext, err, "thread-local storage at 0x%x", v.low)
	}
	return m.pushLocation(l)
}

func execUndefined(m *machine, _ *Instr) error { return m.pushLocation(Location{}) }

func execOffset(m *machine, _ *Instr) error {
	n, err := m.popDisplacement()
	if err != nil {
		return err
	}
	return m.moveTop(n, 0)
}

func execOffsetUconst(m *machine, in *Instr) error {
	// As constu and offset: the generic type counts as signed.
	return m.moveTop(signExtend(in.args[0], m.generic.Bits), 0)
}

func execBitOffset(m *machine, _ *Instr) error {
	n, err := m.popDisplacement()
	if err != nil {
		return err
	}
	return m.moveTop(0, n)
}

func (m *machine) moveTop(bytes, bits int64) error {
	l, err := m.popLocation()
	if err != nil {
		return err
	}
	if l, err = l.Offset(m.ctx, bytes, bits); err != nil {
		return err
	}
	return m.pushLocation(l)
}

func execFormAspaceAddress(m *machine, _ *Instr) error {
	as, err := m.popSpace()
	if err != nil {
		return err
	}
	return m.formAddress(as)
}

// formAddress pops an address and makes it one of the space.
func (m *machine) formAddress(as Space) error {
	v, err := m.popValue()
	if err != nil {
		return err
	}
	if v.ip != nil {
		if v.ip.space != as.ID {
			return m.fail(ReadUndefined,
				"an implicit pointer into address space %d has no address in space %d", v.ip.space, as.ID)
		}
		l, err := m.follow(v.ip)
		if err != nil {
			return err
		}
		return m.pushLocation(l)
	}
	if !v.Type.Encoding.integral() {
		return m.fail(IllFormed, "%s address, an integer expected", v.Type)
	}
	return m.pushMemory(as.ID, v.Uint64())
}

// follow gives the location an implicit pointer points to.
func (m *machine) follow(ip *pointer) (Location, error) {
	l, err := m.entryLocation(Reference{FromSection, ip.die})
	if err != nil {
		return Location{}, err
	}
	return l.Offset(m.ctx, ip.disp, 0)
}

func execDeref(m *machine, _ *Instr) error { return m.deref(m.generic, m.generic) }

// execDerefSize reads at most a generic value and zero-extends it to one.
func execDerefSize(m *machine, in *Instr) error {
	t := BaseType{Encoding: Unsigned, Bits: int(8 * in.args[0])}
	if t.Bits >= m.generic.Bits {
		t = m.generic
	}
	return m.deref(t, m.generic)
}

func execDerefType(m *machine, in *Instr) error {
	t, err := m.baseType(in.args[1])
	if err != nil {
		return err
	}
	if err := m.typeSize(t, in.args[0]); err != nil {
		return err
	}
	return m.deref(t, t)
}

// deref reads a value of type t at the location on top and pushes it as type as.
func (m *machine) deref(t, as BaseType) error {
	l, err := m.popLocation()
	if err != nil {
		return err
	}
	v, err := m.readValue(&l, t)
	if err != nil {
		return err
	}
	if v.ip == nil {
		v.Type = as
	}
	return m.pushValue(v)
}

// readPointer reads an implicit pointer, which can only be read whole
// (A.2.5.4.4.5). ok is false for any other location.
func (m *machine) readPointer(l *Location, t BaseType) (v Value, ok bool, err error) {
	store := l.store
	switch l.kind {
	case ImplicitPointer:
	case Composite:
		if store, err = m.pointerParts(l, t); store == nil || err != nil {
			return Value{}, false, err
		}
	default:
		return Value{}, false, nil
	}
	if l.kind == ImplicitPointer && l.bit != 0 || uint64(t.Bits) != store.bits {
		return Value{}, false,
			Errorf(ReadUndefined, "%d bits of an implicit pointer of %d", t.Bits, store.bits)
	}
	v = Value{Type: BaseType{Encoding: Unsigned, Bits: t.Bits}, ip: store.ptr}
	if store.ptr.space == 0 {
		v.Type = m.generic
	}
	return v, true, nil
}

// pointerParts finds the implicit pointer that the parts of a composite hold
// consecutive bits of; nil if they do not all.
func (m *machine) pointerParts(l *Location, t BaseType) (*storage, error) {
	at := l.bit
	i := 0
	for i < len(l.store.ends) && l.store.ends[i] <= at {
		i++
	}
	if i == len(l.store.ends) || l.store.parts[i].Location.kind != ImplicitPointer {
		return nil, nil
	}
	pieces, err := l.Pieces(m.ctx, 0, uint64(t.Bits))
	if err != nil {
		return nil, err
	}
	first := pieces[0].Location
	for _, p := range pieces {
		if p.Location.kind != ImplicitPointer || *p.Location.store.ptr != *first.store.ptr ||
			p.Location.bit != p.BitOffset {
			return nil, Errorf(ReadUndefined, "%d bits that are not one whole implicit pointer", t.Bits)
		}
	}
	return first.store, nil
}

func execRegvalType(m *machine, in *Instr) error {
	num := in.args[0]
	t, err := m.baseType(in.args[1])
	if err != nil {
		return err
	}
	l, err := m.register(num)
	if err != nil {
		return err
	}
	v, err := m.readValue(&l, t)
	if err != nil {
		return err
	}
	return m.pushValue(v)
}

// execXderef is swap, form_aspace_address, deref; in the dialect without the
// last.
func execXderef(m *machine, in *Instr) error {
	if m.dialect.XderefIsAddress {
		return m.clangXderef()
	}
	if err := m.formXderef(); err != nil {
		return err
	}
	return execDeref(m, in)
}

func execXderefSize(m *machine, in *Instr) error {
	if err := m.formXderef(); err != nil {
		return err
	}
	return execDerefSize(m, in)
}

func execXderefType(m *machine, in *Instr) error {
	if err := m.formXderef(); err != nil {
		return err
	}
	return execDerefType(m, in)
}

func (m *machine) formXderef() error {
	if err := m.need(2); err != nil {
		return err
	}
	if err := execSwap(m, nil); err != nil {
		return err
	}
	return execFormAspaceAddress(m, nil)
}

func execImplicitValue(m *machine, in *Instr) error { return m.pushLocation(Implicit(in.block)) }

func execStackValue(m *machine, _ *Instr) error {
	v, err := m.popValue()
	if err != nil {
		return err
	}
	return m.pushLocation(implicitValue(v))
}

func execImplicitPointer(m *machine, in *Instr) error {
	return m.pushPointer(in, Space{AddressBits: m.generic.Bits})
}

func execAspaceImplicitPointer(m *machine, in *Instr) error {
	as, err := m.popSpace()
	if err != nil {
		return err
	}
	return m.pushPointer(in, as)
}

func (m *machine) pushPointer(in *Instr, as Space) error {
	p := &pointer{space: as.ID, die: in.args[0], disp: int64(in.args[1]), bits: as.AddressBits}
	return m.pushLocation(implicitValue(Value{ip: p}))
}
