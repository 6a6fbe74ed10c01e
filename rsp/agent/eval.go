package agent

import (
	"fmt"
	"sync"
)

// Limits of one evaluation. gdb's own expressions stay far below them.
const (
	// MaxStack is the number of values that the stack holds.
	MaxStack = 100
	// MaxSteps is the number of bytecodes that are executed before an
	// expression, which may jump backwards, is given up.
	MaxSteps = 1 << 14
	// MaxPrinted is the number of characters that an evaluation may print, formats
	// and strings that it reads counted in.
	MaxPrinted = 1 << 16
)

// Context answers for the machine while an expression is evaluated.
type Context interface {
	// Register gives the value of the register with this number in the
	// target description, extended to 64 bits.
	Register(n int) (uint64, error)
	// Load gives the unsigned integer of size bytes (1, 2, 4 or 8) at addr,
	// in the target's byte order. addr may have any alignment.
	Load(addr uint64, size int) (uint64, error)
}

// Printer is a Context that takes the output of the printf bytecode, which gdb
// emits for a dprintf with `set dprintf-style agent`.
type Printer interface {
	Print(text string)
}

// machine is the state of one evaluation.
type machine struct {
	context Context
	next    int // index of the next instruction
	depth   int
	ended   bool
	printed int // characters that count against MaxPrinted
	stack   [MaxStack]uint64
}

// machines keeps evaluations from allocating: a condition is evaluated for every
// thread that reaches its breakpoint.
var machines = sync.Pool{New: func() any { return new(machine) }}

func newMachine(c Context) *machine {
	m := machines.Get().(*machine)
	m.context, m.next, m.depth, m.ended, m.printed = c, 0, 0, false, 0
	return m
}

func (m *machine) free() {
	m.context = nil
	machines.Put(m)
}

func (m *machine) push(v uint64) {
	m.stack[m.depth] = v
	m.depth++
}

func (m *machine) pop() uint64 {
	m.depth--
	return m.stack[m.depth]
}

// Eval evaluates the expression and gives the value it leaves on top of the
// stack. It is an error if it leaves none.
func (p *Program) Eval(c Context) (int64, error) {
	m := newMachine(c)
	defer m.free()
	if err := p.run(m); err != nil {
		return 0, err
	}
	if m.depth == 0 {
		return 0, fmt.Errorf("agent expression leaves no value: %w", ErrStackUnderflow)
	}
	return int64(m.pop()), nil
}

// Run evaluates the expression for its effects (printf) and needs no value.
func (p *Program) Run(c Context) error {
	m := newMachine(c)
	defer m.free()
	return p.run(m)
}

func (p *Program) run(m *machine) error {
	for step := 0; ; step++ {
		if m.next >= len(p.instructions) {
			return fmt.Errorf("agent expression of %d bytes: %w", len(p.code), ErrNoEnd)
		}
		in := &p.instructions[m.next]
		m.next++
		d := &descriptions[in.op]
		var err error
		switch {
		case step == MaxSteps:
			err = fmt.Errorf("%w: more than %d", ErrTooManySteps, MaxSteps)
		case m.depth < d.pops:
			err = fmt.Errorf("%w: it needs %d values and there are %d", ErrStackUnderflow, d.pops, m.depth)
		case m.depth-d.pops+d.pushes > MaxStack:
			err = fmt.Errorf("%w: more than %d values", ErrStackOverflow, MaxStack)
		default:
			err = d.exec(m, in)
		}
		if err != nil {
			return &Error{Offset: in.offset, Op: d.name, Err: err}
		}
		if m.ended {
			return nil
		}
	}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func unary(f func(a uint64) uint64) execFunc {
	return func(m *machine, _ *instruction) error {
		m.push(f(m.pop()))
		return nil
	}
}

// binary makes the function of a bytecode "a b => f(a, b)".
func binary(f func(a, b uint64) uint64) execFunc {
	return func(m *machine, _ *instruction) error {
		b := m.pop()
		a := m.pop()
		m.push(f(a, b))
		return nil
	}
}

func division(f func(a, b uint64) uint64) execFunc {
	divide := binary(f)
	return func(m *machine, in *instruction) error {
		if m.stack[m.depth-1] == 0 {
			return ErrDivideByZero
		}
		return divide(m, in)
	}
}

func load(size int) execFunc {
	return func(m *machine, _ *instruction) error {
		addr := m.pop()
		v, err := m.context.Load(addr, size)
		if err != nil {
			return fmt.Errorf("%d bytes at 0x%x: %w", size, addr, err)
		}
		m.push(v)
		return nil
	}
}

// execExt sign-extends from the operand's number of bits; 64 and more change
// nothing, and 0 keeps no bit.
func execExt(m *machine, in *instruction) error {
	v := m.pop()
	if in.operand < 64 {
		unused := 64 - in.operand
		v = uint64(int64(v<<unused) >> unused)
	}
	m.push(v)
	return nil
}

func execZeroExt(m *machine, in *instruction) error {
	v := m.pop()
	if in.operand < 64 {
		v &= 1<<in.operand - 1
	}
	m.push(v)
	return nil
}

func execGoto(m *machine, in *instruction) error {
	m.next = int(in.operand)
	return nil
}

func execIfGoto(m *machine, in *instruction) error {
	if m.pop() != 0 {
		m.next = int(in.operand)
	}
	return nil
}

func execConst(m *machine, in *instruction) error {
	m.push(in.operand)
	return nil
}

func execReg(m *machine, in *instruction) error {
	if done, err := m.loadField(in); done || err != nil {
		return err
	}
	v, err := m.context.Register(int(in.operand))
	if err != nil {
		return fmt.Errorf("register %d: %w", in.operand, err)
	}
	m.push(v)
	return nil
}

func execEnd(m *machine, _ *instruction) error {
	m.ended = true
	return nil
}

func execDup(m *machine, _ *instruction) error {
	m.push(m.stack[m.depth-1])
	return nil
}

func execPop(m *machine, _ *instruction) error {
	m.pop()
	return nil
}

func execSwap(m *machine, _ *instruction) error {
	top := m.stack[:m.depth]
	n := len(top)
	top[n-1], top[n-2] = top[n-2], top[n-1]
	return nil
}

// execRot is "a b c => c a b".
func execRot(m *machine, _ *instruction) error {
	top := m.stack[:m.depth]
	n := len(top)
	top[n-1], top[n-2], top[n-3] = top[n-2], top[n-3], top[n-1]
	return nil
}

// execPick pushes a copy of the value that lies operand places below the top.
func execPick(m *machine, in *instruction) error {
	if in.operand >= uint64(m.depth) {
		return fmt.Errorf("%w: it picks place %d and there are %d values", ErrStackUnderflow, in.operand,
			m.depth)
	}
	m.push(m.stack[m.depth-1-int(in.operand)])
	return nil
}
