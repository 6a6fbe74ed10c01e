package stub

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// The toy machine has nothing in common with any other: waves of four lanes,
// each with a program counter and eight registers of 64 bits. An instruction is
// an operation and three bytes of operands.

const toySize = 4 // bytes of an instruction, and lanes of a wave

type toyOp byte

const (
	toyNop  toyOp = iota
	toyLane       // ra = lane
	toyLoad       // ra = b
	toyAdd        // ra = rb + rc
	toyAddI       // ra = rb + c
	toyAndI       // ra = rb & c
	toyBZ         // to b if ra is 0; targets are numbers of instructions
	toyJump       // to b
	toyCall       // to b
	toyRet
	toyStore // 32 bits at ra + 4*rb = rc
	toyEnd
)

var toyOps = [...]struct {
	name string
	flow simt.Flow
}{
	toyNop: {"nop", simt.FlowNext}, toyLane: {"lane", simt.FlowNext}, toyLoad: {"load", simt.FlowNext},
	toyAdd: {"add", simt.FlowNext}, toyAddI: {"addi", simt.FlowNext}, toyAndI: {"andi", simt.FlowNext},
	toyBZ: {"bz", simt.FlowBranch}, toyJump: {"jump", simt.FlowJump}, toyCall: {"call", simt.FlowCall},
	toyRet: {"ret", simt.FlowReturn}, toyStore: {"store", simt.FlowNext}, toyEnd: {"end", simt.FlowEnd},
}

// toyISA implements simt.ISA.
type toyISA struct {
	base uint64 // of the code
	args []uint64
}

func (*toyISA) WaveSize() int { return toySize }
func (*toyISA) Align() int    { return toySize }

func (y *toyISA) StartWave(w *simt.Wave, _ *simt.Dispatch) error {
	s := &toyState{}
	for l := range toySize {
		s.pc[l] = w.PC
		copy(s.r[l][4:], y.args)
	}
	w.Regs = s
	return nil
}

func (y *toyISA) NewCore(m *simt.Machine) simt.Core { return &toyCore{y, m} }

func (y *toyISA) Inst(code []byte, pc uint64) (simt.Inst, error) {
	if len(code) < toySize || int(code[0]) >= len(toyOps) {
		return simt.Inst{}, fmt.Errorf("%#x: no instruction", pc)
	}
	op := toyOps[code[0]]
	return simt.Inst{Text: fmt.Sprintf("%s %d, %d, %d", op.name, code[1], code[2], code[3]), Size: toySize,
		Flow:   op.flow,
		Target: y.base + toySize*uint64(code[2])}, nil
}

// toyState implements simt.WaveState.
type toyState struct {
	r     [toySize][8]uint64
	pc    [toySize]uint64
	stack [toySize][]uint64
}

func (*toyState) Files() []simt.RegFile {
	return []simt.RegFile{{Name: "r", Bits: 64, Count: 8, PerLane: true}}
}

func (s *toyState) Read(r simt.Reg, lane int, p []byte) error {
	binary.LittleEndian.PutUint64(p, s.r[lane][r.Index])
	return nil
}

func (s *toyState) Write(r simt.Reg, lane int, p []byte) error {
	s.r[lane][r.Index] = binary.LittleEndian.Uint64(p)
	return nil
}

func (s *toyState) Active(w *simt.Wave) uint64 { return w.Exec }

func (s *toyState) LanePC(_ *simt.Wave, lane int) uint64 { return s.pc[lane] }

func (s *toyState) SetPC(w *simt.Wave, pc uint64) error {
	simt.Lanes(w.Exec, func(l int) { s.pc[l] = pc })
	w.PC = pc
	return nil
}

func (s *toyState) Clone() simt.WaveState {
	c := *s
	for l := range c.stack {
		c.stack[l] = append([]uint64(nil), s.stack[l]...)
	}
	return &c
}

// schedule chooses who executes next: the lanes in most calls, of those the ones
// that are behind.
func (s *toyState) schedule(w *simt.Wave) {
	w.Exec = 0
	simt.Lanes(w.Valid, func(l int) {
		best := bits.TrailingZeros64(w.Exec)
		switch {
		case s.pc[l] == 0: // it has ended
		case w.Exec == 0, len(s.stack[l]) > len(s.stack[best]),
			len(s.stack[l]) == len(s.stack[best]) && s.pc[l] < s.pc[best]:
			w.Exec, w.PC = 1<<l, s.pc[l]
		case s.pc[l] == s.pc[best] && len(s.stack[l]) == len(s.stack[best]):
			w.Exec |= 1 << l
		}
	})
}

// toyCore implements simt.Core.
type toyCore struct {
	isa *toyISA
	m   *simt.Machine
}

func (c *toyCore) Run(w *simt.Wave, n uint64) simt.Event {
	for range n {
		if skip := w.SkipBreak; !skip && c.m.HasBreakpoint(w.PC) {
			return simt.Event{Kind: simt.BreakEvent, Wave: w, PC: w.PC, Lanes: w.Exec}
		}
		w.SkipBreak = false
		if ev := c.step(w); ev.Kind != simt.NoEvent {
			ev.Wave = w
			return ev
		}
	}
	return simt.Event{Wave: w, PC: w.PC}
}

func (c *toyCore) step(w *simt.Wave) simt.Event {
	s, code := w.Regs.(*toyState), c.m.CodeAt(w.PC)
	in, err := c.isa.Inst(code, w.PC)
	if err != nil {
		w.State = simt.Faulted
		return simt.Event{Kind: simt.FaultEvent, PC: w.PC, Lanes: w.Exec,
			Fault: &simt.Fault{Kind: simt.IllegalInstruction, Lanes: w.Exec, Text: err.Error()}}
	}
	op, a, b, x := toyOp(code[0]), code[1], code[2], code[3]
	pc, next, stop := w.PC, w.PC+toySize, false
	if op == toyStore {
		fault, watched := c.store(w, s, a, b, x)
		if fault != nil {
			w.State = simt.Faulted
			return simt.Event{Kind: simt.FaultEvent, PC: pc, Lanes: fault.Lanes, Fault: fault}
		}
		stop = watched
	}
	simt.Lanes(w.Exec, func(l int) {
		r := &s.r[l]
		s.pc[l] = next
		switch op {
		case toyLane:
			r[a] = uint64(w.Index*toySize + l)
		case toyLoad:
			r[a] = uint64(b)
		case toyAdd:
			r[a] = r[b] + r[x]
		case toyAddI:
			r[a] = r[b] + uint64(x)
		case toyAndI:
			r[a] = r[b] & uint64(x)
		case toyBZ:
			if r[a] == 0 {
				s.pc[l] = in.Target
			}
		case toyJump:
			s.pc[l] = in.Target
		case toyCall:
			s.stack[l] = append(s.stack[l], next)
			s.pc[l] = in.Target
		case toyRet:
			top := len(s.stack[l]) - 1
			s.pc[l], s.stack[l] = s.stack[l][top], s.stack[l][:top]
		case toyEnd:
			s.pc[l] = 0
		}
	})
	w.Insts++
	w.LaneInsts += uint64(bits.OnesCount64(w.Exec))
	if w.Track != nil {
		switch op {
		case toyCall:
			w.EnterCall(pc, next, in.Target, s.Clone())
		case toyRet:
			w.LeaveCall(s.pc[bits.TrailingZeros64(w.Exec)], false)
		}
	}
	lanes := w.Exec
	if s.schedule(w); w.Exec == 0 {
		w.State = simt.Ended
		return simt.Event{Kind: simt.EndEvent, PC: pc}
	}
	if stop {
		return simt.Event{Kind: simt.WatchEvent, PC: w.PC, Lanes: lanes}
	}
	return simt.Event{}
}

// store writes memory; it is all or nothing.
func (c *toyCore) store(w *simt.Wave, s *toyState, a, b, x byte) (fault *simt.Fault, stop bool) {
	var addr [simt.MaxLanes]uint64
	simt.Lanes(w.Exec, func(l int) {
		addr[l] = s.r[l][a] + 4*s.r[l][b]
		if r := c.m.Mem.Find(addr[l]); fault == nil && (r == nil || !r.Holds(addr[l], 4)) {
			fault = &simt.Fault{Kind: simt.Unmapped, Lanes: 1 << l, Addr: addr[l], Size: 4, Write: true, Text: "store"}
		}
	})
	if fault != nil {
		return fault, false
	}
	if c.m.Observed() {
		stop = c.m.Observe(&simt.Access{Wave: w, PC: w.PC, Write: true, Size: 4, Lanes: w.Exec, Addr: &addr})
	}
	simt.Lanes(w.Exec, func(l int) {
		c.m.Mem.Write(addr[l], binary.LittleEndian.AppendUint32(nil, uint32(s.r[l][x])))
	})
	return nil, stop
}
