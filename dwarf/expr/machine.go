package expr

import (
	"fmt"
	"sync"
)

// Options say how an expression is to be read.
type Options struct {
	// Arch has the address spaces; nil means one space, number 0.
	Arch *Arch
	// Encoding of the heterogeneous operations; nil means Current.
	Encoding *Encoding
	// Dialect is what the producer means by it; the zero value is to the
	// letter.
	Dialect Dialect
	// Initial is the initial stack, the last entry on top.
	Initial []Entry
	// CallFrame refuses the operations not allowed in call frame
	// information.
	CallFrame bool
	// DWARF64 and Version of the unit or section the expression is in.
	DWARF64 bool
	Version int
	// Limits bound the evaluation; zero fields have a default.
	Limits Limits
}

// Limits bound what one evaluation may cost; beyond them it is ill-formed.
type Limits struct {
	Steps int // operations executed, 100,000 by default
	Stack int // entries, 1,024
	Calls int // nested expressions, 64
	Parts int // composite parts made, 65,536
}

func (l Limits) orDefault() Limits {
	for _, f := range []struct {
		field *int
		value int
	}{{&l.Steps, 100_000}, {&l.Stack, 1024}, {&l.Calls, 64}, {&l.Parts, 65_536}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}

// An Entry is an entry of an initial stack: a value or a location.
type Entry struct {
	Value      Value
	Location   Location
	IsLocation bool
}

// Evaluate runs an expression whose result is a location. An empty stack at
// the end is the undefined location (A.2.5.4).
func Evaluate(ctx Context, code []byte, opt Options) (Location, error) {
	m := newMachine(ctx, &opt)
	defer m.release()
	if err := m.evaluate(code, opt.Initial); err != nil {
		return Location{}, err
	}
	return m.resultLocation()
}

// EvaluateValue runs an expression whose result is a value.
func EvaluateValue(ctx Context, code []byte, opt Options) (Value, error) {
	m := newMachine(ctx, &opt)
	defer m.release()
	if err := m.evaluate(code, opt.Initial); err != nil {
		return Value{}, err
	}
	return m.resultValue()
}

// RegisterAddress gives the location at a register's value plus an offset in an
// address space, as DW_OP_LLVM_aspace_bregx does.
func RegisterAddress(ctx Context, opt Options, space, reg uint64, offset int64) (Location, error) {
	m := newMachine(ctx, &opt)
	defer m.release()
	s, err := m.space(space)
	if err != nil {
		return Location{}, err
	}
	n, err := m.registerBits(reg, s.AddressBits)
	if err != nil {
		return Location{}, err
	}
	return m.memory(space, n+uint64(offset))
}

// A machine evaluates one expression.
type machine struct {
	access
	enc     *Encoding
	arch    *Arch
	dialect Dialect
	cfi     bool
	format  Format
	limits  Limits

	generic BaseType
	stack   []entry
	base    int // where the running expression's own stack starts
	steps   int
	parts   int
	depth   int
	entry   bool // registers are those on entry to the subprogram
	inFrame bool // the frame base is being evaluated

	body body // the running expression
	in   Instr
	high int // the most entries the stack has had
	word [8]byte
}

// A body is an expression being run.
type body struct {
	code []byte
	next int
	// starts has a bit for each offset where an operation starts; made
	// when a branch needs it.
	starts []uint64
}

// What an entry holds.
const (
	isValue = iota
	isLocation
	isPartial // an incomplete composite
)

// An entry is a stack entry.
type entry struct {
	kind  uint8
	from  origin // dialect: what a value was made from
	value Value  // also what a location was made of, if from is set
	loc   Location
	parts []Part
}

var machines = sync.Pool{New: func() any { return &machine{stack: make([]entry, 0, 16)} }}

func newMachine(ctx Context, opt *Options) *machine {
	m := machines.Get().(*machine)
	size := ctx.AddressSize()
	*m = machine{
		access:  access{ctx: ctx, scratch: m.scratch},
		enc:     opt.Encoding,
		arch:    opt.Arch,
		dialect: opt.Dialect,
		cfi:     opt.CallFrame,
		format:  Format{AddressSize: size, DWARF64: opt.DWARF64, Version: opt.Version},
		limits:  opt.Limits,
		generic: BaseType{Encoding: Generic, Bits: 8 * size},
		stack:   m.stack[:0],
	}
	if m.enc == nil {
		m.enc = Current
	}
	if m.limits == (Limits{}) {
		m.limits = defaultLimits
	} else {
		m.limits = m.limits.orDefault()
	}
	return m
}

var defaultLimits = Limits{}.orDefault()

func (m *machine) release() {
	clear(m.stack[:m.high])
	m.ctx, m.body, m.in = nil, body{}, Instr{}
	machines.Put(m)
}

// fail makes an error of the running operation.
func (m *machine) fail(kind ErrorKind, format string, args ...any) error {
	return m.blame(Errorf(kind, format, args...))
}

// blame adds the running operation to an error that lacks one.
func (m *machine) blame(err error) error {
	e, ok := err.(*Error)
	if !ok {
		e = Errorf(MissingContext, "the context failed")
		e.Err = err
	}
	if e.Op != "" || m.in.info == nil {
		return e
	}
	n := *e
	n.Op, n.Offset = m.in.Name(), m.in.Offset
	return &n
}

// lacks is the error for a context without an ability.
func (m *machine) lacks(what string) error {
	return m.fail(MissingContext, "the context has no %s", what)
}

// evaluate runs an expression on a stack of its own on top of the current one.
func (m *machine) evaluate(code []byte, initial []Entry) error {
	m.base = len(m.stack)
	for _, e := range initial {
		x := entry{kind: isValue, value: e.Value, loc: e.Location}
		if e.IsLocation {
			x.kind = isLocation
		} else if x.value.Type.Bits == 0 {
			x.value.Type = m.generic
		}
		if err := m.push(x); err != nil {
			return err
		}
	}
	return m.run(code, nil)
}

// nested evaluates an expression separately, with an empty initial stack. Its
// result can be taken with resultLocation or resultValue until the machine is
// restored.
func (m *machine) nested(code []byte, ctx Context) (saved, error) {
	s := saved{m.base, m.in}
	m.base = len(m.stack)
	return s, m.run(code, ctx)
}

// saved is what a nested evaluation displaces.
type saved struct {
	base int
	in   Instr
}

func (m *machine) restore(s saved) {
	m.stack = m.stack[:m.base]
	m.base, m.in = s.base, s.in
}

// run executes an expression on the current stack; ctx replaces the context
// while it runs, if given.
func (m *machine) run(code []byte, ctx Context) error {
	if m.depth++; m.depth > m.limits.Calls {
		return m.fail(IllFormed, "expressions nested more than %d deep", m.limits.Calls)
	}
	outer, outerCtx := m.body, m.ctx
	m.body = body{code: code}
	if ctx != nil {
		m.ctx = ctx
	}
	err := m.loop()
	m.body, m.ctx = outer, outerCtx
	m.depth--
	return err
}

func (m *machine) loop() error {
	b := &m.body
	for b.next < len(b.code) {
		if err := m.enc.decode(&m.in, b.code, b.next, m.format); err != nil {
			return err
		}
		b.next = m.in.Next
		if m.steps++; m.steps > m.limits.Steps {
			return m.fail(IllFormed, "more than %d operations executed", m.limits.Steps)
		}
		if m.cfi && m.in.info.flags&notInCFI != 0 {
			return m.fail(IllFormed, "not allowed in call frame information")
		}
		if err := m.in.info.exec(m, &m.in); err != nil {
			return m.blame(err)
		}
	}
	return nil
}

// branch continues at an offset, which must be that of an operation or the end.
func (m *machine) branch(to int) error {
	b := &m.body
	if to == len(b.code) {
		b.next = to
		return nil
	}
	if to < 0 || to > len(b.code) {
		return m.fail(IllFormed, "branch to offset %d of %d", to, len(b.code))
	}
	if b.starts == nil {
		b.starts = make([]uint64, (len(b.code)+63)/64)
		var in Instr
		for at := 0; at < len(b.code); at = in.Next {
			b.starts[at/64] |= 1 << (at % 64)
			if m.enc.decode(&in, b.code, at, m.format) != nil {
				break
			}
		}
	}
	if b.starts[to/64]>>(to%64)&1 == 0 {
		return m.fail(IllFormed, "branch to offset %d, where no operation starts", to)
	}
	b.next = to
	return nil
}

func (m *machine) push(e entry) error {
	if len(m.stack) >= m.limits.Stack {
		return m.fail(IllFormed, "more than %d stack entries", m.limits.Stack)
	}
	m.stack = append(m.stack, e)
	m.high = max(m.high, len(m.stack))
	return nil
}

func (m *machine) pushValue(v Value) error       { return m.push(entry{kind: isValue, value: v}) }
func (m *machine) pushLocation(l Location) error { return m.push(entry{kind: isLocation, loc: l}) }

func (m *machine) pushGeneric(n uint64) error {
	return m.pushValue(Value{Type: m.generic, low: n & mask(m.generic.Bits)})
}

// need makes sure that the stack has n entries.
func (m *machine) need(n int) error {
	if have := len(m.stack) - m.base; have < n {
		return m.fail(StackUnderflow, "%d entries needed, %d on the stack", n, have)
	}
	return nil
}

// top is the entry i below the top, which must exist.
func (m *machine) top(i int) *entry { return &m.stack[len(m.stack)-1-i] }

func (m *machine) pop() (*entry, error) {
	if err := m.need(1); err != nil {
		return nil, err
	}
	e := m.top(0)
	m.stack = m.stack[:len(m.stack)-1]
	return e, nil // valid until the next push
}

// popValue pops a value, converting a location that stands for one.
func (m *machine) popValue() (Value, error) {
	e, err := m.pop()
	if err != nil {
		return Value{}, err
	}
	return m.toValue(e)
}

// popNumber pops a value that is not an implicit pointer.
func (m *machine) popNumber() (Value, error) {
	v, err := m.popValue()
	if err == nil && v.ip != nil {
		err = m.fail(ReadUndefined, "an implicit pointer has no number")
	}
	return v, err
}

// popInteger pops a value of an integral type.
func (m *machine) popInteger() (Value, error) {
	v, err := m.popNumber()
	if err == nil && !v.Type.Encoding.integral() {
		err = m.fail(IllFormed, "%s operand, an integer expected", v.Type)
	}
	return v, err
}

// popDisplacement pops a signed count; the generic type counts as signed.
func (m *machine) popDisplacement() (int64, error) {
	v, err := m.popInteger()
	if err != nil {
		return 0, err
	}
	signed := v.Type.Encoding == Generic || v.Type.Encoding.signed()
	switch n := v.int; {
	case v.wide == nil && signed:
		return signExtend(v.low, v.Type.Bits), nil
	case v.wide == nil && int64(v.low) >= 0:
		return int64(v.low), nil
	case v.wide != nil && n(signed).IsInt64():
		return n(signed).Int64(), nil
	default:
		return 0, m.fail(OutOfRange, "displacement %v", n(signed))
	}
}

func (m *machine) popLocation() (Location, error) {
	e, err := m.pop()
	if err != nil {
		return Location{}, err
	}
	return m.toLocation(e)
}

// toValue converts as A.2.5.4.4.3 allows: a byte address in the default space.
func (m *machine) toValue(e *entry) (Value, error) {
	switch {
	case e.kind == isValue:
		return e.value, nil
	case e.kind == isPartial:
		return Value{}, m.fail(IllFormed, "an incomplete composite where a value is needed")
	case e.from != notKnown:
		return e.value, nil
	}
	if a, ok := e.loc.Address(); ok && a.Space == 0 {
		return Value{Type: m.generic, low: a.Address & mask(m.generic.Bits)}, nil
	}
	return Value{}, m.fail(IllFormed, "%v location where a value is needed", e.loc.Kind())
}

// toLocation converts as A.2.5.4.4.3 allows: a value of the generic type is an
// address in the default space.
func (m *machine) toLocation(e *entry) (Location, error) {
	switch e.kind {
	case isLocation:
		return e.loc, nil
	case isPartial:
		return Location{}, m.fail(IllFormed, "an incomplete composite where a location is needed")
	}
	switch {
	case e.value.ip != nil:
		if e.value.ip.space != 0 {
			return Location{}, m.fail(IllFormed,
				"implicit pointer into address space %d where a location is needed", e.value.ip.space)
		}
		return m.follow(e.value.ip)
	case e.value.Type.Encoding != Generic && m.dialect.Clang: // a conversion that nothing follows
		return implicitValue(e.value), nil
	case e.value.Type.Encoding != Generic:
		return Location{}, m.fail(IllFormed, "%s value where a location is needed", e.value.Type)
	case e.from == fromFrame:
		return m.memory(SpacePrivateLane, e.value.low)
	}
	return m.memory(0, e.value.low)
}

// memory makes a memory location bound to the focused lane.
func (m *machine) memory(space, addr uint64) (Location, error) {
	if space == 0 {
		return Location{place: place{kind: Memory, num: addr & mask(m.generic.Bits),
			addrBits: uint8(m.generic.Bits), lane: -1}}, nil
	}
	lane := -1
	if l, ok := m.ctx.(LaneContext); ok {
		lane = l.Lane()
	}
	loc, err := MemoryAt(m.arch, m.generic.Bits/8, space, addr, lane)
	if err != nil {
		return Location{}, m.blame(err)
	}
	return loc, nil
}

// resultLocation is the result of kind location of the expression that ran.
func (m *machine) resultLocation() (Location, error) {
	if len(m.stack) == m.base {
		return Location{}, nil
	}
	e := m.top(0)
	if e.kind != isPartial {
		return m.toLocation(e)
	}
	l, err := Compose(e.parts)
	if err != nil {
		return Location{}, m.blame(err)
	}
	return l, nil
}

func (m *machine) resultValue() (Value, error) {
	if len(m.stack) == m.base {
		return Value{}, m.fail(IllFormed, "no value on the stack at the end")
	}
	return m.toValue(m.top(0))
}

// readValue reads a value of a type through a location.
func (m *machine) readValue(l *Location, t BaseType) (Value, error) {
	if v, ok, err := m.readPointer(l, t); ok || err != nil {
		return v, err
	}
	if t.Bits <= 64 {
		clear(m.word[:])
		if err := m.read(l, 0, uint64(t.Bits), bitSlice{m.word[:], 0}); err != nil {
			return Value{}, err
		}
		return NewValue(t, little(m.word[:])), nil
	}
	buf := make([]byte, (t.Bits+7)/8)
	if err := m.read(l, 0, uint64(t.Bits), bitSlice{buf, 0}); err != nil {
		return Value{}, err
	}
	return Value{Type: t, wide: buf}, nil
}

// registerBits reads the low n bits of a register, wherever the frame has it,
// zero-extended if the register is smaller. By the letter a smaller register
// is an error, but producers use 32-bit registers in 64-bit addresses.
func (m *machine) registerBits(num uint64, n int) (uint64, error) {
	l, err := m.register(num)
	if err != nil {
		return 0, err
	}
	size, err := m.registerSize(num)
	if err != nil {
		return 0, err
	}
	v, err := m.readValue(&l, BaseType{Encoding: Unsigned, Bits: min(n, 8*size)})
	return v.low, err
}

func (m *machine) registerSize(num uint64) (int, error) {
	n, err := m.ctx.RegisterSize(num)
	if err != nil {
		return 0, asError(NoRegister, err, "register %d", num)
	}
	return n, nil
}

// register is where a register of the current frame is.
func (m *machine) register(num uint64) (Location, error) {
	if m.entry {
		return m.entryRegister(num)
	}
	if f, ok := m.ctx.(FrameRegisterContext); ok {
		l, err := f.RegisterLocation(num)
		if err != nil {
			return Location{}, asError(NoRegister, err, "register %d", num)
		}
		return l, nil
	}
	return RegisterAt(num, 0), nil
}

func (m *machine) entryRegister(num uint64) (Location, error) {
	c, ok := m.ctx.(EntryContext)
	if !ok {
		return Location{}, m.lacks("call frame information")
	}
	l, err := c.EntryRegister(num)
	if err != nil {
		return Location{}, asError(MissingContext, err, "register %d on entry", num)
	}
	return l, nil
}

// baseType resolves a type operand; 0 is the generic type where it may be.
func (m *machine) baseType(offset uint64) (BaseType, error) {
	c, ok := m.ctx.(BaseTypeContext)
	if !ok {
		return BaseType{}, m.lacks("compilation unit")
	}
	t, err := c.BaseType(offset)
	if err != nil {
		return BaseType{}, asError(IllFormed, err, "no base type at unit offset 0x%x", offset)
	}
	if t.Bits <= 0 || t.Bits > maxTypeBits {
		return BaseType{}, m.fail(IllFormed, "base type at unit offset 0x%x of %d bits", offset, t.Bits)
	}
	return t, nil
}

// typeSize checks a size operand against its type.
func (m *machine) typeSize(t BaseType, size uint64) error {
	if uint64(t.Bits+7)/8 != size {
		return m.fail(IllFormed, "size %d for the %d bits of %s", size, t.Bits, fmt.Sprint(t))
	}
	return nil
}
