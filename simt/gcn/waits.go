package gcn

import (
	"cmp"
	"fmt"
	"math"

	"simtgdb/simt"
)

// Waits. An access to memory gives its registers, and reads those that it stores, some time later: the
// program waits by s_waitcnt, which names how many accesses may still be under way (MI200 ISA, section
// "Data dependency resolution"; LLVM's SIInsertWaitcnts, which says for each generation what needs to be
// waited for):
//
//   - Vector memory returns in order, and so does the data share. Scalar memory does not, nor do messages:
//     while one of these is under way lgkmcnt says nothing unless it is 0.
//   - A flat access counts as both and returns as either: its registers are there when both have been waited
//     for, and while it is under way only counts of 0 say anything.
//   - Who writes a register that is still to come from memory loses what he wrote, unless he is an access of
//     the same kind that comes later.
//   - The registers that an access stores may be written at once, but for those of the global data share,
//     which expcnt counts: from gfx9 on stores have read theirs when they are issued.
//   - From gfx10 on stores have a count of their own, and give nothing; flat accesses return in order.
//   - On gfx12 the data share has a count for itself, and so have scalar memory and messages, and image
//     instructions with a sampler.
//   - On gfx1250 an access may have to be begun anew once its page is there: until xcnt says that it will
//     not, nothing that it reads may be written. Copies between memory and LDS are under way until asynccnt
//     says that they are not (waits_copies.go).

// The counters.
const (
	vmCount     = iota // on gfx12 loadcnt
	lgkmCount          // on gfx12 dscnt
	scalarCount        // that part of lgkmCount; on gfx12 kmcnt
	flatCount          // what is both of vmCount and lgkmCount
	expCount
	sampleCount // of gfx12: what image instructions with a sampler are to give
	xCount      // of gfx1250: what has yet to find where its addresses are
	asyncCount  // of gfx1250: copies between memory and LDS
	counters
)

// counterWaits are the waits for the counters, of gfx9, of gfx10 and gfx11, and of gfx12.
var counterWaits = [...][counters]string{
	{"s_waitcnt vmcnt", "s_waitcnt lgkmcnt", "s_waitcnt lgkmcnt(0)", "s_waitcnt vmcnt(0) lgkmcnt(0)",
		"s_waitcnt expcnt"},
	{"s_waitcnt vmcnt", "s_waitcnt lgkmcnt", "s_waitcnt lgkmcnt(0)", "s_waitcnt vmcnt lgkmcnt",
		"s_waitcnt expcnt"},
	{"s_wait_loadcnt", "s_wait_dscnt", "s_wait_kmcnt 0x0", "s_wait_loadcnt and s_wait_dscnt", "s_wait_expcnt",
		"s_wait_samplecnt", "s_wait_xcnt", "s_wait_asynccnt"},
}

// waitsOf are those of a processor.
func waitsOf(t Target) *[counters]string {
	switch {
	case t&gfx12 != 0:
		return &counterWaits[2]
	case t.IsLater():
		return &counterWaits[1]
	}
	return &counterWaits[0]
}

// waitState are the accesses of a wave.
type waitState struct {
	issued, done [counters]uint32
	disorder     uint32 // the number in lgkmCount of the last that returns in no order
	flat         [2]uint32
	vector       [registersFollowed]pendingAccess
	scalar       [128]pendingAccess
	read         []lockedRegisters // by accesses under way
	pageWaits
	copies []copying
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
	in.checkWaits(s, func(o *operand, i int, from uint64, counter uint8, what string) {
		stop = c.m.Used(&simt.Use{Wave: c.w, PC: in.PC, Lanes: cmp.Or(c.w.Exec, c.w.Valid), Waits: true,
			From: from, Text: fmt.Sprintf(what, registerName(o, i), waitsOf(in.on)[counter])}) || stop
	})
	return stop
}

// checkWaits tells of what comes too early for what is under way: of the dwords of operands, where the
// accesses are and what counts them, in words.
func (in *Inst) checkWaits(s *waitState,
	told func(o *operand, i int, from uint64, counter uint8, what string)) {
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
		late(o, n, counters, "%s is used before the %s that its load needs")
	})
	by := in.counter()
	if by == scalarCount || by == flatCount && !in.on.IsLater() { // which come in no order among themselves
		by = counters
	}
	in.eachResult(func(o *operand, n int) {
		late(o, n, by, "%s is written before the %s that its load needs, which writes it too")
		if at, ok := s.locked(o, n); ok {
			told(o, 0, at, expCount, "%s is written before the %s that the access needs that stores it")
		}
		if at, ok := s.untranslated(in, o, n); ok {
			told(o, 0, at, xCount, "%s is written before the %s that the access needs that reads it")
		}
	})
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
	case in.Op.copies == copiesDone:
		return asyncCount
	case enc == SMEM:
		return scalarCount
	case enc == VSAMPLE:
		return sampleCount
	case enc == DS:
		return lgkmCount
	case enc == FLAT:
		if in.mem.split {
			return vmCount
		}
		return flatCount
	case enc > FLAT && enc < EXP:
		return vmCount
	}
	return counters
}

// executed counts what an instruction has begun, or waited for.
func (s *waitState) executed(in *Inst) {
	by, later := in.counter(), in.on.IsLater()
	stores := later && in.dst.kind == noOperand // which vscnt and storecnt count
	switch by {
	case counters:
		if in.Op.Enc == SOPP || in.Op.Enc == SOPK {
			s.executedWait(in)
			return
		}
		if in.Op.flow == simt.FlowCall || in.Op.flow == simt.FlowIndirect {
			// LLVM 22 does not see from one function to the next, and waits for no page there.
			s.waited(xCount, 0)
		}
	case scalarCount:
		s.issued[scalarCount]++
		if in.on&gfx12 == 0 {
			s.issued[lgkmCount]++
			s.disorder = s.issued[lgkmCount]
		}
	case flatCount:
		if !stores {
			s.issued[vmCount]++
		}
		s.issued[lgkmCount]++
		if !later {
			s.flat = [2]uint32{s.issued[vmCount], s.issued[lgkmCount]}
		}
	case vmCount:
		if !stores {
			s.issued[vmCount]++
		}
	default:
		s.issued[by]++
	}
	if in.mem.gds {
		s.disorder = s.issued[lgkmCount]
		s.issued[expCount]++
		s.lock(in)
	}
	if in.on&GFX1250 != 0 && by != counters && by != lgkmCount && by != asyncCount {
		s.translates(in, by == scalarCount, stores)
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
			kept = append(kept, lockedRegisters{in.PC, s.issued[expCount], o.reg,
				uint16(max(typDwords[o.typ], 1))})
		}
	}
	s.read = kept
}

// unwaited is a count that nothing is waited for by.
const unwaited = math.MaxUint32

// waitedFor are the counts that an instruction waits for. It reports whether it waits for any.
func (in *Inst) waitedFor() (vm, lgkm, scalar, exp uint32, waits bool) {
	vm, lgkm, scalar, exp = unwaited, unwaited, unwaited, unwaited
	v := uint16(in.simm)
	const low, high = 0x3f, 8 // the counts of a pair
	switch in.Op.display() {
	case "s_waitcnt":
		m, e, l := waitCounts(v)
		most := uint32(15)
		if in.on.IsLater() {
			m, e, l = laterWaitCounts(v, in.on)
			most = low
		}
		vm, exp = uint32(m), uint32(e)
		if lgkm = uint32(l); lgkm == most {
			lgkm = unwaited
		}
		if lgkm == 0 {
			scalar = 0
		}
	case "s_waitcnt_vmcnt", "s_wait_loadcnt":
		vm = uint32(v)
	case "s_waitcnt_lgkmcnt":
		if lgkm = uint32(v); lgkm == 0 {
			scalar = 0
		}
	case "s_waitcnt_expcnt", "s_wait_expcnt":
		exp = uint32(v)
	case "s_wait_dscnt":
		lgkm = uint32(v)
	case "s_wait_kmcnt":
		scalar = uint32(v)
	case "s_wait_loadcnt_dscnt":
		vm, lgkm = uint32(v>>high&low), uint32(v&low)
	case "s_wait_storecnt_dscnt":
		lgkm = uint32(v & low)
	case "s_wait_idle":
		vm, lgkm, scalar, exp = 0, 0, 0, 0
	default:
		return vm, lgkm, scalar, exp, false
	}
	return vm, lgkm, scalar, exp, true
}

// executedWait does what waits for counts, and counts messages.
func (s *waitState) executedWait(in *Inst) {
	switch in.Op.Name {
	case "s_sendmsg", "s_sendmsghalt":
		s.issued[scalarCount]++
		if in.on&gfx12 == 0 {
			s.issued[lgkmCount]++
			s.disorder = s.issued[lgkmCount]
		}
		return
	}
	switch in.Op.Name {
	case "s_wait_xcnt":
		s.waitedForPages(uint32(uint16(in.simm)))
	case "s_wait_samplecnt":
		s.waited(sampleCount, uint32(uint16(in.simm)))
	case "s_wait_idle":
		s.waited(sampleCount, 0)
		s.waited(asyncCount, 0)
	case "s_wait_asynccnt":
		s.waited(asyncCount, uint32(uint16(in.simm)))
	case "s_wait_storecnt", "s_wait_storecnt_dscnt":
		if in.simm&0x3f00 == 0 && (in.Op.Name != "s_wait_storecnt" || in.simm&0xff == 0) {
			s.waitedForStores()
		}
	}
	vm, lgkm, scalar, exp, waits := in.waitedFor()
	if !waits {
		return
	}
	flat := s.flat[0] > s.done[vmCount] || s.flat[1] > s.done[lgkmCount]
	if vm == 0 || !flat {
		s.waited(vmCount, vm)
	}
	s.waited(expCount, exp)
	if scalar == 0 {
		s.waited(scalarCount, 0)
		if s.scalars { // what has come back has found its addresses
			s.waited(xCount, 0)
		}
	}
	switch {
	case lgkm == 0:
		s.waited(lgkmCount, 0)
		s.waited(expCount, 0) // what has come back has read its registers
	case !flat && s.disorder <= s.done[lgkmCount]:
		s.waited(lgkmCount, lgkm)
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
