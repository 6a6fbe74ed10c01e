package stub

import (
	"simtgdb/rsp"
	"simtgdb/rsp/agent"
	"simtgdb/stub/threads"
)

// InsertSoftwareBreakpoint implements rsp.SoftwareBreakpointer. Nothing is
// written into the code: the machine stops before the instruction.
func (s *Session) InsertSoftwareBreakpoint(b rsp.Breakpoint) error {
	if kind, _, _ := s.Split(b.Address); kind == threads.DispatchWindow {
		return nil // gdb waits there for the kernel to return, which it does not
	}
	if s.machine.CodeAt(b.Address) == nil {
		return rsp.EFAULT.Errorf("no code at %#x", b.Address)
	}
	s.hits.breakpoints[b.Address] = &b
	return nil
}

// RemoveSoftwareBreakpoint implements rsp.SoftwareBreakpointer.
func (s *Session) RemoveSoftwareBreakpoint(addr uint64, _ int) error {
	s.hits.remove(addr)
	return nil
}

// InsertHardwareBreakpoint implements rsp.HardwareBreakpointer: the machine
// has but one kind.
func (s *Session) InsertHardwareBreakpoint(b rsp.Breakpoint) error {
	return s.InsertSoftwareBreakpoint(b)
}

// RemoveHardwareBreakpoint implements rsp.HardwareBreakpointer.
func (s *Session) RemoveHardwareBreakpoint(addr uint64, size int) error {
	return s.RemoveSoftwareBreakpoint(addr, size)
}

// CheckCondition implements rsp.ConditionEvaluator: gdb's own checks are
// enough, what cannot be read makes a condition true.
func (s *Session) CheckCondition(*agent.Program) error { return nil }
