package gcn

import (
	"cmp"
	"fmt"

	"simtgdb/simt"
)

// Waits. An access to memory gives its registers, and reads those that it stores, some time later: the
// program waits by s_waitcnt, which names how many accesses may still be under way (MI200 ISA, section
// "Data dependency resolution"; LLVM's SIInsertWaitcnts, which says for each generation what needs to be
// waited for):
//
//   - Vector memory returns in order, and so does the data share. Scalar memory does not, nor do
//     messages: while one of these is under way lgkmcnt says nothing unless it is 0.
//   - A flat access counts as both and returns as either: its registers are there when both have been
//     waited for, and while it is under way only counts of 0 say anything.
//   - Who writes a register that is still to come from memory loses what he wrote, unless he is an
//     access of the same kind that comes later.
//   - The registers that an access stores may be written at once, but for those of the global data
//     share, which expcnt counts: from gfx9 on stores have read theirs when they are issued.

// The counters.
const (
	vmCount = iota
	lgkmCount
	scalarCount // that part of lgkmCount
	flatCount   // what is both
	expCount
	counters
)

var counterNames = [counters]string{"vmcnt", "lgkmcnt", "lgkmcnt(0)", "vmcnt(0) lgkmcnt(0)", "expcnt"}

// waitState are the accesses of a wave.
type waitState struct {
	issued, done [counters]uint32
	disorder     uint32 // the number in lgkmCount of the last that returns in no order
	flat         [2]uint32
	vector       [registersFollowed]pendingAccess
	scalar       [128]pendingAccess
	read         []lockedRegisters // by accesses under way
}

// A pendingAccess is the access that is to give a register.
type pendingAccess struct {
	pc      uint64
	number  uint32 // among those of its counter, from 1 on; 0 for none
	also    uint32 // of flatCount, whose number is of vmCount: that of lgkmCount
	counter uint8
}

// lockedRegisters are vector registers that an access has yet to read.
type lockedRegisters struct {
	pc       uint64
	number   uint32 // in expCount
	first, n uint16
}

// mostLocked is how many accesses under way expcnt can count.
const mostLocked = 7

// of is the access that is to give a register, nil for what is no register.
func (s *waitState) of(o *operand, i int) *pendingAccess {
	at := int(o.reg) + i
	var p *pendingAccess
	switch {
	case o.kind == vectorReg && at < len(s.vector):
		p = &s.vector[at]
	case o.kind == scalarReg && at < len(s.scalar):
		p = &s.scalar[at]
	}
	return p
}

// arrived reports whether an access has been waited for.
func (s *waitState) arrived(p *pendingAccess) bool {
	if p.counter == flatCount {
		return p.number <= s.done[vmCount] && p.also <= s.done[lgkmCount]
	}
	return p.number <= s.done[p.counter]
}

// checkWaits tells of registers that are not there yet, or not free yet. It reports whether the wave is
// to stop.
func (c *Core) checkWaits(s *waitState, in *Inst) (stop bool) {
	told := func(o *operand, i int, from uint64, counter uint8, what string) {
		stop = c.m.Used(&simt.Use{Wave: c.w, PC: in.PC, Lanes: cmp.Or(c.w.Exec, c.w.Valid), Waits: true, From: from,
			Text: fmt.Sprintf(what, registerName(o, i), counterNames[counter])}) || stop
	}
	late := func(o *operand, n int, by uint8, what string) {
		for i := range n {
			p := s.of(o, i)
			if p == nil || s.arrived(p) || by != counters && p.counter == by {
				continue
			}
			told(o, i, p.pc, p.counter, what)
			p.number, p.also = 0, 0
			return
		}
	}
	in.eachSource(func(o *operand, n int) {
		late(o, n, counters, "%s is used before the s_waitcnt %s that its load needs")
	})
	by := in.counter()
	if by == scalarCount || by == flatCount { // which come in no order among themselves
		by = counters
	}
	in.eachResult(func(o *operand, n int) {
		late(o, n, by, "%s is written before the s_waitcnt %s that its load needs, which writes it too")
		if at, ok := s.locked(o, n); ok {
			told(o, 0, at, expCount, "%s is written before the s_waitcnt %s that the access needs that stores it")
		}
	})
	return stop
}

// locked looks for an access that has yet to read one of some registers.
func (s *waitState) locked(o *operand, n int) (pc uint64, ok bool) {
	if o.kind != vectorReg {
		return 0, false
	}
	for _, l := range s.read {
		if l.number > s.done[expCount] && int(o.reg) < int(l.first+l.n) && int(l.first) < int(o.reg)+n {
			return l.pc, true
		}
	}
	return 0, false
}

// counter is what counts the accesses of an instruction; counters for one that makes none.
func (in *Inst) counter() uint8 {
	switch enc := in.Op.Enc; {
	case enc == SMEM:
		return scalarCount
	case enc == DS:
		return lgkmCount
	case enc == FLAT:
		if in.mem.split {
			return vmCount
		}
		return flatCount
	case enc > FLAT:
		return vmCount
	}
	return counters
}

// executed counts what an instruction has begun, or waited for.
func (s *waitState) executed(in *Inst) {
	by := in.counter()
	switch by {
	case counters:
		if in.Op.Enc == SOPP {
			s.executedSOPP(in)
			return
		}
	case scalarCount:
		s.issued[lgkmCount]++
		s.issued[scalarCount]++
		s.disorder = s.issued[lgkmCount]
	case flatCount:
		s.issued[vmCount]++
		s.issued[lgkmCount]++
		s.flat = [2]uint32{s.issued[vmCount], s.issued[lgkmCount]}
	default:
		s.issued[by]++
	}
	if in.mem.gds {
		s.disorder = s.issued[lgkmCount]
		s.issued[expCount]++
		s.lock(in)
	}
	s.gives(in, by)
}

// lock notes the registers that an access is going to read.
func (s *waitState) lock(in *Inst) {
	kept := make([]lockedRegisters, 0, mostLocked)
	for _, l := range s.read {
		if l.number > s.done[expCount] && len(kept) < mostLocked {
			kept = append(kept, l)
		}
	}
	for i := range in.src {
		if o := &in.src[i]; o.kind == vectorReg && len(kept) < mostLocked {
			kept = append(kept, lockedRegisters{in.PC, s.issued[expCount], o.reg, uint16(max(typDwords[o.typ], 1))})
		}
	}
	s.read = kept
}

// executedSOPP does s_waitcnt, and counts messages.
func (s *waitState) executedSOPP(in *Inst) {
	const sendmsg, sendmsghalt = 0x10, 0x11
	switch {
	case in.Op.order != nil:
		vm, exp, lgkm := waitCounts(uint16(in.simm))
		flat := s.flat[0] > s.done[vmCount] || s.flat[1] > s.done[lgkmCount]
		if vm == 0 || !flat {
			s.waited(vmCount, uint32(vm))
		}
		s.waited(expCount, uint32(exp))
		switch {
		case lgkm == 0:
			s.waited(lgkmCount, 0)
			s.waited(scalarCount, 0)
			s.waited(expCount, 0) // what has come back has read its registers
		case lgkm < 15 && !flat && s.disorder <= s.done[lgkmCount]:
			s.waited(lgkmCount, uint32(lgkm))
		}
	case in.Op.Code == sendmsg, in.Op.Code == sendmsghalt:
		s.issued[lgkmCount]++
		s.disorder = s.issued[lgkmCount]
	}
}

// waited notes that at most left accesses are under way.
func (s *waitState) waited(counter int, left uint32) {
	if n := s.issued[counter]; n > left {
		s.done[counter] = max(s.done[counter], n-left)
	}
}

// gives notes that a load, or an instruction that has its result at once, gives registers.
func (s *waitState) gives(in *Inst, counter uint8) {
	in.eachResult(func(o *operand, n int) {
		for i := range n {
			switch p := s.of(o, i); {
			case p == nil:
			case counter == counters:
				*p = pendingAccess{}
			case counter == flatCount:
				*p = pendingAccess{in.PC, s.issued[vmCount], s.issued[lgkmCount], flatCount}
			default:
				*p = pendingAccess{pc: in.PC, number: s.issued[counter], counter: counter}
			}
		}
	})
}
