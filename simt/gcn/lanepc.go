package gcn

import "simtgdb/simt"

// A laneRecord is kept for a debugger, if simt.Wave.Track is: where the lanes stand that are switched off.
type laneRecord struct {
	pc [simt.MaxLanes]uint64

	// whole is set while EXEC was widened to every lane by code that spills or restores whole registers;
	// saved is
	// the mask it will come back to.
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

// execChanged records that the instruction at pc turned EXEC from old into what it is now. whole says that
// it did so
// to reach every lane of a register rather than to have them execute.
func (r *Regs) execChanged(w *simt.Wave, old, pc uint64, whole bool) {
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
	if w.Exec&w.Valid == 0 && old&w.Valid != 0 {
		w.Track.Last = old & w.Valid
	}
	simt.Lanes(old&^w.Exec, func(l int) { t.pc[l] = pc })
}
