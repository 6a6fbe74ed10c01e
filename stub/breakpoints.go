package stub

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"simtgdb/rsp"
	"simtgdb/rsp/agent"
	"simtgdb/simt"
)

// InsertSoftwareBreakpoint implements rsp.SoftwareBreakpointer. Nothing is
// written into the code: the machine stops before the instruction.
func (s *Session) InsertSoftwareBreakpoint(b rsp.Breakpoint) error {
	if kind, _, _ := s.split(b.Address); kind == dispatchWindow {
		return nil // gdb waits there for the kernel to return, which it does not
	}
	if s.machine.CodeAt(b.Address) == nil {
		return refuse(rsp.EFAULT, "no code at %#x", b.Address)
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

// triggers tells for which active lanes of a wave the breakpoint at its PC is
// to stop it, a mask. Each lane's own registers and memory decide.
func (s *Session) triggers(w *simt.Wave, lanes uint64) uint64 {
	b := s.hits.breakpoints[w.PC]
	if b == nil {
		return 0 // removed since the wave came to it
	}
	if len(b.Conditions) == 0 || s.symbols.NarrowPointers {
		return lanes // gdb checks its condition itself (bpstat_check_breakpoint_conditions)
	}
	sure := &sureContext{s, w, bits.TrailingZeros64(lanes), sureOfWave}
	if b.Never(sure) {
		return 0
	}
	sure.least = sureOfLane
	var hit uint64
	simt.Lanes(lanes, func(l int) {
		if sure.lane = l; b.Never(sure) {
			return
		}
		if ok, _ := b.Triggers(&laneContext{s, threadOf(w, l)}); ok {
			hit |= 1 << l
		}
	})
	s.frames.forget()
	return hit
}

// A sureContext answers for what conditions ask of where a lane is. It implements agent.Sure.
type sureContext struct {
	session *Session
	wave    *simt.Wave
	lane    int
	least   sureness
}

// Known implements agent.Sure.
func (c *sureContext) Known(n int) (uint64, bool) {
	if n < 0 || n >= len(c.session.registers) || c.session.registers[n].sure < c.least {
		return 0, false
	}
	v, err := c.session.number(c.wave, c.lane, n)
	return v, err == nil
}

// number is a register as conditions have it.
func (s *Session) number(w *simt.Wave, lane, n int) (v uint64, err error) {
	data, err := s.contentsOf(w, lane, &s.registers[n])
	for i, b := range data[:min(8, len(data))] {
		v |= uint64(b) << (8 * i)
	}
	return v, err
}

// A laneContext is what a breakpoint's condition is evaluated in. It
// implements agent.Context.
type laneContext struct {
	session *Session
	thread  rsp.ThreadID
}

// Register implements agent.Context.
func (c *laneContext) Register(n int) (uint64, error) {
	w, lane, err := c.session.view.lane(c.thread)
	if err != nil {
		return 0, err
	}
	if n < 0 || n >= len(c.session.registers) {
		return 0, fmt.Errorf("no register has number %d", n)
	}
	return c.session.number(w, lane, n)
}

// Load implements agent.Context.
func (c *laneContext) Load(addr uint64, size int) (uint64, error) {
	var buf [8]byte
	n, err := c.session.readMemory(c.thread, addr, buf[:size])
	if err == nil && n < size {
		err = fmt.Errorf("cannot access memory at %#x", addr+uint64(n))
	}
	return binary.LittleEndian.Uint64(buf[:]), err
}
