package gcn

import "simtgdb/simt"

// A laneRecord is kept for a debugger, if simt.Wave.Track is: where the lanes stand that are switched off.
//
// Compilers put the glue of an if or a loop, which switches lanes on and off, into the rows of statements
// that not all of these lanes execute. So a lane that is switched off stands where it last executed something
// else.
type laneRecord struct {
	pc [simt.MaxLanes]uint64

	// last is the last instruction since EXEC changed, executed by all active lanes, that begins a statement
	// or is no glue, 0 if there is none; end is behind it.
	last, end uint64

	// whole is set while EXEC was widened to every lane by code that spills or restores whole registers;
	// saved is the mask it will come back to.
	whole bool
	saved uint64
}

// start puts all lanes of a wave at its PC.
func (l *laneRecord) start(w *simt.Wave) {
	*l = laneRecord{}
	for i := range l.pc {
		l.pc[i] = w.PC
	}
}

// ran notes what the wave has executed of a block, up to the instruction with an index, at the end of a run.
func (l *laneRecord) ran(b *block, index int) {
	if !b.insts[index].writesExec() { // it has done so itself
		l.executed(b, index)
	}
}

// executed is ran for an instruction that may change EXEC, before it is known to have.
func (l *laneRecord) executed(b *block, index int) {
	if i := b.places[index]; i >= 0 {
		l.stoodAt(&b.insts[i])
	}
}

// stoodAt notes that active lanes have executed an instruction.
func (l *laneRecord) stoodAt(in *Inst) {
	if !l.whole {
		l.last, l.end = in.PC, in.PC+uint64(in.Size)
	}
}

// placesOf gives, for each instruction, the index of the last one up to it that begins a statement, or is of
// one and no glue; -1 if there is none or EXEC may have changed since.
func (c *Core) placesOf(insts []Inst) []int {
	places, last := make([]int, len(insts)), -1
	for i := range insts {
		in := &insts[i]
		n, begins := uint64(1), false
		if c.m.Statement != nil {
			n, begins = c.m.Statement(in.PC)
		}
		if n != 0 && (begins || !in.isGlue()) {
			last = i
		}
		places[i] = last
		if in.writesExec() {
			last = -1
		}
	}
	return places
}

// isGlue reports whether an instruction only decides which lanes execute others, or moves lane masks:
// branches, moves and logic of register pairs, and what spills masks.
func (in *Inst) isGlue() bool {
	switch in.Op.flow {
	case simt.FlowJump, simt.FlowBranch:
		return true
	case simt.FlowNext:
	default:
		return false
	}
	return in.Op.flag&(spills|ends) != 0 || in.writesExec() || in.Op.Enc == SOPP ||
		in.Op.Enc <= SOP1 && (in.Op.dst == b64 || in.on.IsLater() && in.Op.dst == b32)
}

// execChanged records that the instruction at pc turned EXEC from old into what it is now. whole says that it
// did so to reach every lane of a register rather than to have them execute.
func (r *Regs) execChanged(w *simt.Wave, old, pc uint64, whole bool, known *stands) {
	t := &r.lanes
	if whole {
		if !t.whole {
			t.whole, t.saved = true, old
		}
		return
	}
	if t.whole {
		t.whole, old = false, t.saved
	}
	if stand := t.leave(w, old, w.Exec, pc, known); stand != 0 {
		t.standAt(old, stand)
	}
}

// leave is where lanes stand that were active before the instruction at pc turned EXEC from old into now; 0:
// where they stood before. It begins a new time in which EXEC does not change.
func (l *laneRecord) leave(w *simt.Wave, old, now, pc uint64, known *stands) (stand uint64) {
	if now&w.Valid == 0 && old&w.Valid != 0 {
		w.Track.Last = old & w.Valid
	}
	if l.last == 0 || now == old {
		return 0
	}
	stand = known.behind(l, w.Track, pc)
	l.last = 0
	return stand
}

// standAt has lanes stand at an address.
func (l *laneRecord) standAt(lanes, pc uint64) {
	if lanes == ^uint64(0) {
		for i := range l.pc {
			l.pc[i] = pc
		}
		return
	}
	simt.Lanes(lanes, func(i int) { l.pc[i] = pc })
}

// stands are what behindLast has said.
type stands [64]struct{ last, pc, stand uint64 }

// behind is behindLast, remembered. It may be nil.
func (s *stands) behind(l *laneRecord, t *simt.Track, pc uint64) uint64 {
	if s == nil {
		return l.behindLast(t, pc)
	}
	known := &s[(l.last^pc>>2)>>2%uint64(len(s))]
	if known.last != l.last || known.pc != pc {
		known.last, known.pc, known.stand = l.last, pc, l.behindLast(t, pc)
	}
	return known.stand
}

// execWritten records that a debugger turned EXEC from old into what it is now.
func (r *Regs) execWritten(w *simt.Wave, old uint64) {
	r.execChanged(w, old, w.PC, false, nil)
	simt.Lanes(old&^w.Exec, func(l int) { r.lanes.pc[l] = w.PC })
}

// behindLast is where lanes stand that have come to the glue at pc: there if it is in the statement of the
// last instruction that was none, or else behind that or at it. The further, the better: what the statement
// computed is then where debugging information says.
func (l *laneRecord) behindLast(t *simt.Track, pc uint64) uint64 {
	if t.Statement == nil {
		return pc
	}
	s, _ := t.Statement(l.last)
	for _, at := range []uint64{pc, l.end} {
		if n, _ := t.Statement(at); n == s {
			return at
		}
	}
	return l.last
}
