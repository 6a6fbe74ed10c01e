package agent

// Sure answers for what is known before the machine is asked: registers whose values cost nothing.
type Sure interface {
	// Known gives the value of a register, if it is known.
	Known(n int) (v uint64, ok bool)
	// KnownMemory gives the number at an address, of 1, 2, 4 or 8 bytes, if that is known.
	KnownMemory(addr uint64, size int) (v uint64, ok bool)
}

// Bounds of looking ahead: what is beyond them may be anything.
const (
	neverSteps = 256
	neverStack = 16
)

// A maybe is a value of which it is known what it is, or not.
type maybe struct {
	v     uint64
	known bool
}

// prospect looks ahead.
type prospect struct {
	program *Program
	sure    Sure
	steps   int
}

// Never reports whether the expression is 0 whatever the machine's memory and its other registers hold: $wave
// == 3 says so for all other waves, wherever it stands in the expression. Where it cannot tell, or an
// evaluation may fail, it says false.
func (p *Program) Never(sure Sure) bool {
	if !p.Asks(sure) {
		return false
	}
	a := prospect{program: p, sure: sure}
	return a.never(0, [neverStack]maybe{}, 0)
}

// Asks reports whether the expression has a register that is known, or the address of memory that is.
func (p *Program) Asks(sure Sure) bool {
	for i := range p.instructions {
		ok := false
		switch in := &p.instructions[i]; in.op {
		case opReg:
			if _, ok = sure.Known(int(in.operand)); !ok {
				_, ok = knownField(sure, in)
			}
		case opConst64:
			_, ok = sure.KnownMemory(in.operand, 1)
		}
		if ok {
			return true
		}
	}
	return false
}

// never follows the bytecodes from one on, and both ways where a branch is not known.
func (a *prospect) never(next int, stack [neverStack]maybe, depth int) bool {
	for ; a.steps < neverSteps && next < len(a.program.instructions); a.steps++ {
		in := &a.program.instructions[next]
		next++
		d := &descriptions[in.op]
		if depth < d.pops || depth-d.pops+d.pushes > neverStack {
			return false
		}
		args := stack[depth-d.pops : depth]
		switch in.op {
		case opEnd:
			return depth > 0 && stack[depth-1] == maybe{0, true}
		case opGoto:
			next = int(in.operand)
		case opIfGoto:
			depth--
			if !args[0].known {
				if !a.never(next, stack, depth) {
					return false
				}
				next = int(in.operand)
			} else if args[0].v != 0 {
				next = int(in.operand)
			}
		case opReg:
			stack[depth], next = a.register(in, next)
			depth++
		case opRef8, opRef16, opRef32, opRef64:
			args[0] = a.loaded(in, args[0])
		case opDup:
			stack[depth] = args[0]
			depth++
		case opPick:
			if in.operand >= uint64(depth) {
				return false
			}
			stack[depth] = stack[depth-1-int(in.operand)]
			depth++
		case opPop:
			depth--
		case opSwap:
			args[0], args[1] = args[1], args[0]
		case opRot:
			args[0], args[1], args[2] = args[2], args[0], args[1]
		case opPrintf:
			return false
		default:
			result, ok := compute(in, d, args)
			if !ok {
				return false
			}
			depth += d.pushes - d.pops
			stack[depth-1] = result
		}
	}
	return false
}

// register is what is known of a register, or of a field of it, and where the bytecodes go on.
func (a *prospect) register(in *instruction, next int) (m maybe, behind int) {
	if v, ok := knownField(a.sure, in); ok {
		return maybe{v, true}, in.field.next
	}
	v, ok := a.sure.Known(int(in.operand))
	return maybe{v, ok}, next
}

// loaded is what is known of memory. It is as the user declared it: a load that fails is like any value.
func (a *prospect) loaded(in *instruction, addr maybe) (m maybe) {
	if addr.known {
		m.v, m.known = a.sure.KnownMemory(addr.v, 1<<(in.op-opRef8))
	}
	return m
}

// compute performs a bytecode that computes one value of others; ok is false if it may fail.
func compute(in *instruction, d *description, args []maybe) (result maybe, ok bool) {
	for i, a := range args {
		if !a.known {
			divides := in.op == opDivSigned || in.op == opDivUnsigned || in.op == opRemSigned ||
				in.op == opRemUnsigned
			return maybe{}, !divides || i == 0 && args[1].known && args[1].v != 0
		}
	}
	if d.exec == nil || d.pushes != 1 {
		return maybe{}, false
	}
	m := newMachine(nil)
	defer m.free()
	for _, a := range args {
		m.push(a.v)
	}
	if d.exec(m, in) != nil {
		return maybe{}, false
	}
	return maybe{m.pop(), true}, true
}
