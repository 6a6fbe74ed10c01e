package rsp

import (
	"fmt"

	"simtgdb/rsp/agent"
)

// maxExpressions bounds the conditions and the commands of one breakpoint.
const maxExpressions = 1024

// breakpointKind is the digit of the Z packets.
type breakpointKind byte

const (
	softwareBreakpoint breakpointKind = '0'
	hardwareBreakpoint breakpointKind = '1'
	accessWatchpoint   breakpointKind = '4'
)

// breakpointKey names what the client has inserted.
type breakpointKey struct {
	kind breakpointKind
	addr uint64
}

// breakpointOps are the two operations on breakpoints of one kind.
type breakpointOps struct {
	insert func(b Breakpoint) error
	remove func(addr uint64, size int) error
	// withExpressions: conditions and commands are allowed.
	withExpressions bool
}

// breakpointsOf finds the ability behind a kind of Z packet.
func (s *session) breakpointsOf(kind breakpointKind) (breakpointOps, bool) {
	switch {
	case kind == softwareBreakpoint:
		if t, ok := s.target.(SoftwareBreakpointer); ok {
			return breakpointOps{t.InsertSoftwareBreakpoint, t.RemoveSoftwareBreakpoint, true}, true
		}
	case kind == hardwareBreakpoint:
		if t, ok := s.target.(HardwareBreakpointer); ok {
			return breakpointOps{t.InsertHardwareBreakpoint, t.RemoveHardwareBreakpoint, true}, true
		}
	case kind > hardwareBreakpoint && kind <= accessWatchpoint:
		if t, ok := s.target.(Watchpointer); ok {
			watch := WatchKind(kind - '0')
			return breakpointOps{
				insert: func(b Breakpoint) error {
					return t.InsertWatchpoint(Watchpoint{watch, b.Address, b.Size})
				},
				remove: func(addr uint64, size int) error {
					return t.RemoveWatchpoint(Watchpoint{watch, addr, size})
				},
			}, true
		}
	}
	return breakpointOps{}, false
}

// breakpointHead takes "kind,addr,size".
func breakpointHead(a *arguments) (key breakpointKey, size int, err error) {
	if len(*a) == 0 {
		return key, 0, fmt.Errorf("no kind of breakpoint: %w", EINVAL)
	}
	key.kind = breakpointKind((*a)[0])
	*a = (*a)[1:]
	if err = a.expect(','); err != nil {
		return
	}
	if key.addr, err = a.number(); err != nil {
		return
	}
	if err = a.expect(','); err != nil {
		return
	}
	size, err = a.count()
	return
}

// insertBreakpoint is Z (gdb manual, "Packets").
func insertBreakpoint(s *session, a arguments) error {
	key, size, err := breakpointHead(&a)
	if err != nil {
		return err
	}
	ops, ok := s.breakpointsOf(key.kind)
	if !ok {
		return errUnsupported
	}
	b := Breakpoint{Address: key.addr, Size: size}
	if ops.withExpressions {
		if err := s.breakpointExpressions(&b, &a); err != nil {
			return err
		}
	}
	if err := a.end(); err != nil {
		return err
	}
	if err := ops.insert(b); err != nil {
		return err
	}
	s.inserted[key] = struct{}{}
	return s.ok()
}

func removeBreakpoint(s *session, a arguments) error {
	key, size, err := breakpointHead(&a)
	if err != nil {
		return err
	}
	ops, ok := s.breakpointsOf(key.kind)
	if !ok {
		return errUnsupported
	}
	if err := a.end(); err != nil {
		return err
	}
	if err := ops.remove(key.addr, size); err != nil {
		return err
	}
	delete(s.inserted, key)
	return s.ok()
}

// breakpointExpressions takes what may follow: ";X len,hex X len,hex" with the
// conditions, and ";cmds:persist,X len,hex …" with the commands.
func (s *session) breakpointExpressions(b *Breakpoint, a *arguments) error {
	for a.skip(';') {
		if len(*a) == 0 { // gdb ends a list with a semicolon at times
			return nil
		}
		if commands, ok := cutPrefix(*a, "cmds:"); ok {
			if err := s.breakpointCommands(b, &commands); err != nil {
				return err
			}
			*a = commands
			continue
		}
		evaluator, ok := s.target.(ConditionEvaluator)
		if !ok {
			return fmt.Errorf("conditions are not evaluated here: %w", ENOSYS)
		}
		var err error
		if b.Conditions, err = expressions(a, evaluator.CheckCondition); err != nil {
			return fmt.Errorf("condition of the breakpoint at 0x%x: %w", b.Address, err)
		}
	}
	return nil
}

func (s *session) breakpointCommands(b *Breakpoint, a *arguments) error {
	runner, ok := s.target.(CommandRunner)
	if !ok {
		return fmt.Errorf("commands are not run here: %w", ENOSYS)
	}
	persist, err := a.number()
	if err != nil {
		return err
	}
	b.CommandsPersist = persist != 0
	if err := a.expect(','); err != nil {
		return err
	}
	if b.Commands, err = expressions(a, runner.CheckCommand); err != nil {
		return fmt.Errorf("command of the breakpoint at 0x%x: %w", b.Address, err)
	}
	return nil
}

// expressions takes one "X len,hex" after the other.
func expressions(a *arguments, check func(*agent.Program) error) ([]*agent.Program, error) {
	var list []*agent.Program
	for a.skip('X') {
		if len(list) == maxExpressions {
			return nil, fmt.Errorf("more than %d expressions: %w", maxExpressions, EFBIG)
		}
		length, err := a.count()
		if err != nil {
			return nil, err
		}
		if err := a.expect(','); err != nil {
			return nil, err
		}
		if length > len(*a)/2 {
			return nil, fmt.Errorf("expression of %d bytes is cut off: %w", length, EINVAL)
		}
		code, err := decodeHex((*a)[:2*length])
		if err != nil {
			return nil, err
		}
		*a = (*a)[2*length:]
		program, err := agent.Decode(code)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", EINVAL, err)
		}
		if err := check(program); err != nil {
			return nil, err
		}
		list = append(list, program)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("an expression is missing at %q: %w", clip(*a), EINVAL)
	}
	return list, nil
}

func cutPrefix(a arguments, prefix string) (arguments, bool) {
	if len(a) >= len(prefix) && string(a[:len(prefix)]) == prefix {
		return a[len(prefix):], true
	}
	return a, false
}
