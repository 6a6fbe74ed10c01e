package simttest

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// The toy machine has nothing in common with any other: waves of four lanes,
// each with a program counter and eight registers of 64 bits. An instruction is
// an operation and three bytes of operands.

// ToySize is how many bytes an instruction has, and how many lanes a wave.
const ToySize = 4

// A ToyOp is what an instruction does with its operands a, b and c.
type ToyOp byte

const (
	ToyNop     ToyOp = iota
	ToyLane          // ra = lane
	ToyItem          // ra = number of the work-item in the dispatch
	ToyLoad          // ra = b
	ToyAdd           // ra = rb + rc
	ToyAddI          // ra = rb + c
	ToyAndI          // ra = rb & c
	ToyBZ            // to b if ra is 0; targets are numbers of instructions
	ToyJump          // to b
	ToyCall          // to b
	ToyRet           //
	ToyStore         // 32 bits at ra + 4*rb = rc
	ToyFetch         // rc = 32 bits at ra + 4*rb
	ToyPut           // 32 bits of LDS at ra + 4*rb = rc
	ToyTake          // rc = 32 bits of LDS at ra + 4*rb
	ToyBarrier       // the workgroup's
	ToyEnd           //
)

// toyOps say how the program goes on, and of those that access memory how.
var toyOps = [...]struct {
	name   string
	flow   simt.Flow
	access *toyAccess
}{
	ToyNop: {name: "nop"}, ToyLane: {name: "lane"}, ToyItem: {name: "item"}, ToyLoad: {name: "load"},
	ToyAdd: {name: "add"}, ToyAddI: {name: "addi"}, ToyAndI: {name: "andi"},
	ToyBZ: {name: "bz", flow: simt.FlowBranch}, ToyJump: {name: "jump", flow: simt.FlowJump},
	ToyCall: {name: "call", flow: simt.FlowCall}, ToyRet: {name: "ret", flow: simt.FlowReturn},
	ToyStore:   {name: "store", access: &toyAccess{simt.Global, true}},
	ToyFetch:   {name: "fetch", access: &toyAccess{simt.Global, false}},
	ToyPut:     {name: "put", access: &toyAccess{simt.LDS, true}},
	ToyTake:    {name: "take", access: &toyAccess{simt.LDS, false}},
	ToyBarrier: {name: "barrier"}, ToyEnd: {name: "end", flow: simt.FlowEnd},
}

// A toyAccess is an access of 32 bits in each lane.
type toyAccess struct {
	space simt.Space
	write bool
}

// A ToyISA is the toy's instruction set, with code and arguments of a launch. It implements simt.ISA.
type ToyISA struct {
	Base uint64   // of the code
	Args []uint64 // in registers from 4 on, when a wave starts
}

// WaveSize implements simt.ISA.
func (*ToyISA) WaveSize() int { return ToySize }

// Align implements simt.ISA.
func (*ToyISA) Align() int { return ToySize }

// StartWave implements simt.ISA.
func (y *ToyISA) StartWave(w *simt.Wave, _ *simt.Dispatch) error {
	s := &toyState{}
	for l := range ToySize {
		s.pc[l] = w.PC
		copy(s.r[l][4:], y.Args)
	}
	w.Regs = s
	return nil
}

// NewCore implements simt.ISA.
func (y *ToyISA) NewCore(m *simt.Machine) simt.Core { return &toyCore{y, m} }

// Inst implements simt.ISA.
func (y *ToyISA) Inst(code []byte, pc uint64) (simt.Inst, error) {
	if len(code) < ToySize || int(code[0]) >= len(toyOps) {
		return simt.Inst{}, fmt.Errorf("%#x: no instruction", pc)
	}
	op := toyOps[code[0]]
	return simt.Inst{Text: fmt.Sprintf("%s %d, %d, %d", op.name, code[1], code[2], code[3]), Size: ToySize,
		Flow:   op.flow,
		Target: y.Base + ToySize*uint64(code[2])}, nil
}

// toyState implements simt.WaveState.
type toyState struct {
	r     [ToySize][8]uint64
	pc    [ToySize]uint64
	stack [ToySize][]uint64
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
	isa *ToyISA
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
	s, code, pc, lanes := w.Regs.(*toyState), c.m.CodeAt(w.PC), w.PC, w.Exec
	in, err := c.isa.Inst(code, pc)
	if err != nil {
		w.State = simt.Faulted
		return simt.Event{Kind: simt.FaultEvent, PC: pc, Lanes: lanes,
			Fault: &simt.Fault{Kind: simt.IllegalInstruction, Lanes: lanes, Text: err.Error()}}
	}
	op, stop := ToyOp(code[0]), false
	if how := toyOps[op].access; how != nil {
		fault, watched := c.access(w, how, code)
		if fault != nil {
			w.State = simt.Faulted
			return simt.Event{Kind: simt.FaultEvent, PC: pc, Lanes: fault.Lanes, Fault: fault}
		}
		stop = watched
	}
	simt.Lanes(lanes, func(l int) { s.execute(w, l, code, in.Target) })
	w.Insts++
	w.LaneInsts += uint64(bits.OnesCount64(lanes))
	if w.Track != nil {
		switch op {
		case ToyCall:
			w.EnterCall(pc, pc+ToySize, in.Target, s.Clone())
		case ToyRet:
			w.LeaveCall(s.pc[bits.TrailingZeros64(lanes)], false)
		}
	}
	s.schedule(w)
	switch {
	case w.Exec == 0:
		w.State = simt.Ended
		return simt.Event{Kind: simt.EndEvent, PC: pc}
	case op == ToyBarrier:
		w.State = simt.AtBarrier
		return simt.Event{Kind: simt.BarrierEvent, PC: pc}
	case stop:
		return simt.Event{Kind: simt.WatchEvent, PC: w.PC, Lanes: lanes}
	}
	return simt.Event{}
}

// execute does in a lane what is not done for the whole wave.
func (s *toyState) execute(w *simt.Wave, l int, code []byte, target uint64) {
	r, a, b, c := &s.r[l], code[1], code[2], code[3]
	s.pc[l] += ToySize
	switch ToyOp(code[0]) {
	case ToyLane:
		r[a] = uint64(w.Index*ToySize + l)
	case ToyItem:
		r[a] = w.Group.Before + uint64(w.Index*ToySize+l)
	case ToyLoad:
		r[a] = uint64(b)
	case ToyAdd:
		r[a] = r[b] + r[c]
	case ToyAddI:
		r[a] = r[b] + uint64(c)
	case ToyAndI:
		r[a] = r[b] & uint64(c)
	case ToyBZ:
		if r[a] == 0 {
			s.pc[l] = target
		}
	case ToyJump:
		s.pc[l] = target
	case ToyCall:
		s.stack[l] = append(s.stack[l], s.pc[l])
		s.pc[l] = target
	case ToyRet:
		top := len(s.stack[l]) - 1
		s.pc[l], s.stack[l] = s.stack[l][top], s.stack[l][:top]
	case ToyEnd:
		s.pc[l] = 0
	}
}

// access reads or writes memory; it is all or nothing.
func (c *toyCore) access(w *simt.Wave, how *toyAccess, code []byte) (fault *simt.Fault, stop bool) {
	s := w.Regs.(*toyState)
	var addr [simt.MaxLanes]uint64
	var bytes [ToySize][]byte
	simt.Lanes(w.Exec, func(l int) {
		addr[l] = s.r[l][code[1]] + 4*s.r[l][code[2]]
		if bytes[l] = c.bytes(w, how.space, addr[l]); fault == nil && len(bytes[l]) < 4 {
			fault = &simt.Fault{Kind: simt.Unmapped, Lanes: 1 << l, Space: how.space, Addr: addr[l], Size: 4,
				Write: how.write, Text: toyOps[code[0]].name}
		}
	})
	if fault != nil {
		return fault, false
	}
	if c.m.Observed() {
		stop = c.m.Observe(&simt.Access{Wave: w, PC: w.PC, Space: how.space, Read: !how.write,
			Write: how.write, Size: 4, Lanes: w.Exec, Addr: &addr})
	}
	simt.Lanes(w.Exec, func(l int) {
		if r := &s.r[l][code[3]]; how.write {
			binary.LittleEndian.PutUint32(bytes[l], uint32(*r))
		} else {
			*r = uint64(binary.LittleEndian.Uint32(bytes[l]))
		}
	})
	return nil, stop
}

// bytes is the memory at an address; nil where there is none.
func (c *toyCore) bytes(w *simt.Wave, space simt.Space, addr uint64) []byte {
	if space == simt.LDS {
		return w.Group.LDS[min(addr, uint64(len(w.Group.LDS))):]
	}
	if r := c.m.Mem.Find(addr); r != nil {
		return r.Data[addr-r.Base:]
	}
	return nil
}
