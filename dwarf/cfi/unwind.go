package cfi

import (
	"errors"
	"fmt"

	"simtgdb/dwarf/expr"
)

// ErrNoCFA is the error for a row without a rule for the canonical frame
// address: the table does not describe how to unwind here.
var ErrNoCFA = errors.New("no CFA rule")

// A Frame is what a row says in the state of one frame: where the values are
// that the calling frame's registers have. It keeps what it has found out, for
// the frames further out that ask again, so it is for one goroutine and for one
// state of the machine.
type Frame struct {
	Row Row
	CFA expr.Location
	ctx *rowContext
	// hasCFA is false while the CFA itself is being found, when rules that
	// need it would be circular.
	hasCFA bool
	found  []foundRegister
}

// maxFound bounds what a frame keeps, which is looked through in order.
const maxFound = 64

type foundRegister struct {
	num uint64
	at  expr.Location
}

// Unwind evaluates the CFA rule in the context of the frame that the row is
// for. The context's registers are those of that frame; for other frames than
// the innermost that means a context with [expr.FrameRegisterContext], which
// [Frame.Caller] gives.
func (r Row) Unwind(ctx expr.Context) (*Frame, error) {
	f := &Frame{Row: r}
	f.ctx = &rowContext{Context: ctx, frame: f}
	cfa, err := f.evaluateCFA()
	if err != nil {
		return nil, fmt.Errorf("CFA at 0x%x: %w", r.Start, err)
	}
	f.CFA, f.hasCFA = cfa, true
	return f, nil
}

func (f *Frame) options(initial ...expr.Entry) expr.Options {
	c := f.Row.FDE.CIE
	arch := c.options.Arch
	return expr.Options{Arch: arch.expr(), Encoding: arch.encoding(), Initial: initial, CallFrame: true,
		DWARF64: c.DWARF64}
}

func (f *Frame) evaluateCFA() (expr.Location, error) {
	rule := f.Row.CFA
	switch rule.Kind {
	case CFARegister:
		return expr.RegisterAddress(f.ctx, f.options(), rule.Space, rule.Register, rule.Offset)
	case CFAExpression:
		l, err := expr.Evaluate(f.ctx, rule.Expr, f.options())
		if err != nil {
			return l, err
		}
		if _, ok := l.Address(); !ok {
			return l, expr.Errorf(expr.IllFormed, "the CFA is %v, a byte address expected", l)
		}
		return l, nil
	}
	return expr.Location{}, ErrNoCFA
}

// Register gives the location of the value that a register has in the calling
// frame. It is undefined if that value is lost.
func (f *Frame) Register(num uint64) (expr.Location, error) {
	for i := range f.found {
		if f.found[i].num == num {
			return f.found[i].at, nil
		}
	}
	l, err := f.register(num)
	if err != nil {
		return l, fmt.Errorf("register %d at 0x%x: %w", num, f.Row.Start, err)
	}
	if len(f.found) < maxFound {
		f.found = append(f.found, foundRegister{num, l})
	}
	return l, nil
}

func (f *Frame) register(num uint64) (expr.Location, error) {
	rule := f.Row.Rule(num)
	switch rule.Kind {
	case Offset, ValOffset, Expression, ValExpression:
		if !f.hasCFA {
			return expr.Location{},
				expr.Errorf(expr.IllFormed, "the CFA depends on register %d, whose rule depends on the CFA",
					num)
		}
	}
	switch rule.Kind {
	case SameValue:
		return f.ctx.RegisterLocation(num)
	case Offset:
		return f.CFA.Offset(f.ctx, rule.Offset, 0)
	case ValOffset:
		return f.valueOffset(num, rule.Offset)
	case InRegister:
		if err := f.sameSize(num, rule.Register); err != nil {
			return expr.Location{}, err
		}
		return f.ctx.RegisterLocation(rule.Register)
	case Expression, ValExpression:
		return f.expression(num, rule)
	}
	return expr.Location{}, nil // undefined, and what only the architecture knows
}

// valueOffset makes a constant of an address next to the CFA.
func (f *Frame) valueOffset(num uint64, off int64) (expr.Location, error) {
	l, err := f.CFA.Offset(f.ctx, off, 0)
	if err != nil {
		return l, err
	}
	a, ok := l.Address()
	if !ok {
		return l, expr.Errorf(expr.IllFormed, "val_offset from a CFA that is %v", f.CFA)
	}
	size, err := f.ctx.RegisterSize(num)
	if err != nil {
		return l, err
	}
	if want := l.AddressSize(); size != want {
		return l, expr.Errorf(expr.IllFormed, "an address of %d bytes as the value of a register of %d",
			want, size)
	}
	return expr.Implicit(littleEndian(a.Address, size)), nil
}

func littleEndian(v uint64, size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(v)
		v >>= 8
	}
	return b
}

// sameSize makes sure that one register's value fits another exactly. It says
// nothing about registers that the context does not have.
func (f *Frame) sameSize(a, b uint64) error {
	n, err := f.ctx.RegisterSize(a)
	m, err2 := f.ctx.RegisterSize(b)
	if err == nil && err2 == nil && n != m {
		return expr.Errorf(expr.IllFormed, "a register of %d bytes in register %d of %d", n, b, m)
	}
	return nil
}

func (f *Frame) expression(num uint64, rule Rule) (expr.Location, error) {
	if err := f.ctx.enter(num); err != nil {
		return expr.Location{}, err
	}
	defer f.ctx.leave()
	opt := f.options(expr.Entry{IsLocation: true, Location: f.CFA})
	if rule.Kind == Expression {
		return expr.Evaluate(f.ctx, rule.Expr, opt)
	}
	v, err := expr.EvaluateValue(f.ctx, rule.Expr, opt)
	if err != nil {
		return expr.Location{}, err
	}
	data := v.Bytes()
	if size, err := f.ctx.RegisterSize(num); err == nil && size != len(data) {
		return expr.Location{},
			expr.Errorf(expr.IllFormed, "a value of %d bytes for a register of %d", len(data), size)
	}
	return expr.Implicit(data), nil
}

// Registers gives the locations for all registers that the row has a rule for.
func (f *Frame) Registers() (map[uint64]expr.Location, error) {
	m := make(map[uint64]expr.Location, len(f.Row.Registers))
	for _, r := range f.Row.Registers {
		l, err := f.Register(r.Register)
		if err != nil {
			return m, err
		}
		m[r.Register] = l
	}
	return m, nil
}

// ReturnAddress reads the return address column: the pc of the calling frame,
// behind its call. ok is false if there is no calling frame, the column's rule
// being undefined.
func (f *Frame) ReturnAddress() (pc uint64, ok bool, err error) {
	reg := f.Row.FDE.CIE.ReturnAddress
	l, err := f.Register(reg)
	if err != nil || l.Kind() == expr.Undefined {
		return 0, false, err
	}
	n := f.ctx.AddressSize()
	if size, err := f.ctx.RegisterSize(reg); err == nil {
		n = min(n, size)
	}
	b, err := l.Read(f.ctx.Context, 0, 8*uint64(n))
	if err != nil {
		return 0, false, fmt.Errorf("return address at 0x%x: %w", f.Row.Start, err)
	}
	for i := len(b) - 1; i >= 0; i-- {
		pc = pc<<8 | uint64(b[i])
	}
	return pc, true, nil
}

// Signal reports a frame that was not entered by a call, so that the caller's
// pc is not behind a call instruction.
func (f *Frame) Signal() bool { return f.Row.FDE.CIE.SignalFrame }

// Caller gives the context of the calling frame: its registers are where this
// frame's rules say. Everything else is asked of the context that this frame
// was unwound in.
func (f *Frame) Caller() expr.Context {
	if c, ok := f.ctx.Context.(*callerContext); ok {
		// The machine is the same however many frames are in between.
		return &callerContext{c.machineContext, f}
	}
	return &callerContext{machineContext{f.ctx.Context}, f}
}

// machineContext passes on what is the same in all frames.
type machineContext struct{ expr.Context }

func (c machineContext) Lane() int {
	if l, ok := c.Context.(expr.LaneContext); ok {
		return l.Lane()
	}
	return -1
}

func (c machineContext) WaveSize() int {
	if l, ok := c.Context.(expr.LaneContext); ok {
		return l.WaveSize()
	}
	return 0
}

var errReadOnly = expr.Errorf(expr.MissingContext, "the context's storage cannot be written")

func (c machineContext) WriteRegister(num uint64, off int, p []byte) error {
	if w, ok := c.Context.(expr.Writer); ok {
		return w.WriteRegister(num, off, p)
	}
	return errReadOnly
}

func (c machineContext) WriteMemory(space uint64, lane int, addr uint64, p []byte) error {
	if w, ok := c.Context.(expr.Writer); ok {
		return w.WriteMemory(space, lane, addr, p)
	}
	return errReadOnly
}

func (c machineContext) TLS(off uint64) (expr.Location, error) {
	if t, ok := c.Context.(expr.TLSContext); ok {
		return t.TLS(off)
	}
	return expr.Location{}, expr.Errorf(expr.MissingContext, "the context has no thread-local storage")
}

// callerContext is the context of the frame that called another.
type callerContext struct {
	machineContext
	callee *Frame
}

func (c *callerContext) RegisterLocation(num uint64) (expr.Location, error) {
	return c.callee.Register(num)
}

// rowContext is what a row's expressions are evaluated in.
type rowContext struct {
	expr.Context
	frame *Frame
	// busy are the registers whose expressions are being evaluated, which
	// must not ask for themselves (A.6.4.2).
	busy []uint64
}

// maxBusy bounds expressions that ask for registers with expressions.
const maxBusy = 16

func (c *rowContext) enter(num uint64) error {
	for _, b := range c.busy {
		if b == num {
			return expr.Errorf(expr.IllFormed, "the rule of register %d refers to itself", num)
		}
	}
	if len(c.busy) == maxBusy {
		return expr.Errorf(expr.IllFormed, "rules that refer to each other %d deep", maxBusy)
	}
	c.busy = append(c.busy, num)
	return nil
}

func (c *rowContext) leave() { c.busy = c.busy[:len(c.busy)-1] }

func (c *rowContext) Lane() int     { return machineContext{c.Context}.Lane() }
func (c *rowContext) WaveSize() int { return machineContext{c.Context}.WaveSize() }

// RegisterLocation is where the frame's own register is.
func (c *rowContext) RegisterLocation(num uint64) (expr.Location, error) {
	if f, ok := c.Context.(expr.FrameRegisterContext); ok {
		return f.RegisterLocation(num)
	}
	return expr.RegisterAt(num, 0), nil
}

// EntryRegister is where the register's value on entry to the frame's function
// is, which is the value it has in the calling frame.
func (c *rowContext) EntryRegister(num uint64) (expr.Location, error) { return c.frame.register(num) }
