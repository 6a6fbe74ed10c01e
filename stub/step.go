package stub

import (
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// Stepping one lane steps its wave. The lane counts, not its siblings: what
// they run into on the way, a breakpoint even, is not reported, so that
// stepping a lane always ends in that lane. The other waves, if the client lets
// them run, advance by as many instructions; where one of them meets a
// breakpoint it waits there, to be reported when all run again.

// pollEvery is after how many instructions, of all waves together, a step looks for an interrupt.
const pollEvery = 1024

// step performs Step or StepRange for one thread.
//
// When the user steps another lane than the one that a breakpoint was reported
// for, gdb first steps that one over the breakpoint, alone, and then the lane
// that was meant, without a look at anything in between. If both are of one
// wave, the first step has carried the second lane along: it has made its step.
func (r *run) step(a rsp.Action, carried *simt.Wave) (rsp.Stop, error) {
	w, lane, err := r.view.lane(a.Thread)
	if err != nil {
		return rsp.Stop{}, err
	}
	if w == carried && !r.view.presented && a.Thread != r.view.reported && r.arrived(a, w, lane) {
		return r.stopped(a.Thread, rsp.SIGTRAP), nil
	}
	alone := locks(r.r)
	r.view.report(a.Thread)
	if alone && r.hits.removed[w.LanePC(lane)] {
		active := w.Active()>>lane&1 != 0
		if !active || w.State == simt.Ready && r.machine.Ending(w)>>lane&1 != 0 {
			// Over a breakpoint: an inactive lane is not at it, and the end of
			// a wave can wait for all to run.
			return r.pretend(a.Thread, w.LanePC(lane)), nil
		}
	}
	from, began := w.PC, w.Insts
	if alone && a.Kind == rsp.Step && r.hits.removed[from] {
		r.over, _ = r.places.statement(from)
	}
	// A lane of PTX that waits at a barrier stands there still, and has moved when the barrier has opened.
	moved := func() bool { return w.PC != from || w.Insts > began && w.State != simt.AtBarrier }
	for {
		if stop, ok, err := r.polled(r.moving(alone)); ok {
			return stop, err
		}
		if w.State == simt.Ready && moved() && r.arrived(a, w, lane) {
			return r.stopped(a.Thread, rsp.SIGTRAP), nil
		}
		if alone {
			if stop, ok := r.stepEnds(w, lane); ok {
				return stop, nil
			}
		}
		if w.State == simt.Ready {
			if stop, ok, err := r.stepOnce(w, lane, alone); ok || err != nil {
				return stop, err
			}
			if moved() && r.arrived(a, w, lane) {
				if alone {
					r.hits.carried = w
				}
				if _, _, err := r.stepOthers(w, !alone); err != nil {
					return rsp.Stop{}, err
				}
				return r.stopped(a.Thread, rsp.SIGTRAP), nil
			}
		}
		if stop, ok, err := r.stepOthers(w, !alone); ok || err != nil {
			return stop, err
		}
	}
}

// moving is how many waves execute an instruction in each turn of a step, at most.
func (r *run) moving(alone bool) int {
	if alone {
		return 1
	}
	return len(r.machine.Waves())
}

// stepEnds makes a stop of a stepped lane that cannot go on while all others are held.
func (r *run) stepEnds(w *simt.Wave, lane int) (rsp.Stop, bool) {
	if w.State == simt.AtBarrier {
		w.SkipBreak = true
		if r.hits.removed[w.PC] { // over a breakpoint behind the barrier: it can wait
			return r.pretend(threads.Of(w, lane), w.PC), true
		}
	}
	return r.standsAlone(w, lane)
}

// stepOnce has the wave of a stepped lane execute an instruction, and makes a stop of what it meets.
func (r *run) stepOnce(w *simt.Wave, lane int, alone bool) (rsp.Stop, bool, error) {
	w.SkipBreak = true
	ev, err := r.stepWave(w, 1)
	if err != nil {
		return rsp.Stop{}, false, err
	}
	if alone && ofOthers(ev, w, lane) && r.hits.removed[w.LanePC(lane)] {
		r.hits.held[ev.Wave] = ev // over a breakpoint: what others have met can wait
		return r.pretend(threads.Of(w, lane), w.LanePC(lane)), true, nil
	}
	return r.met(ev, w, lane)
}

// ofOthers reports whether others have met something while gdb lets only one lane go: its siblings alone a
// fault, or another wave whatever it may be. In the past other waves execute as they did.
func ofOthers(ev simt.Event, w *simt.Wave, lane int) bool {
	switch ev.Kind {
	case simt.FaultEvent:
		return ev.Wave != w || ev.Fault.Lanes>>lane&1 == 0
	case simt.BreakEvent, simt.TrapEvent:
		return ev.Wave != w
	}
	return false
}

// passes lets another wave than w go over the breakpoint that it has met, if it has: gdb holds it, and must
// not hear of it.
func passes(ev simt.Event, w *simt.Wave) bool {
	if ev.Kind != simt.BreakEvent || ev.Wave == w {
		return false
	}
	ev.Wave.SkipBreak = true
	return true
}

// waitsForHeld is the stop of a lane at a barrier that cannot open while other
// waves are held. It is not a SIGTRAP, after which gdb would go on stepping.
func (r *run) waitsForHeld(w *simt.Wave, lane int) rsp.Stop {
	fmt.Fprintf(r.r.Console, "Lane %d of wave %d waits at a barrier for waves that are held; let them run "+
		"(set scheduler-locking off, continue).\n", lane, w.ID)
	return r.stopped(threads.Of(w, lane), rsp.SIGSTOP)
}

// staysAtEnd is the stop of a lane before the end of its wave, while the others
// are held: gdb must not lose the only thread that it lets run.
func (r *run) staysAtEnd(w *simt.Wave, lane int) rsp.Stop {
	fmt.Fprintf(r.r.Console, "Lane %d of wave %d is at its end; let the others run "+
		"(set scheduler-locking off, continue).\n", lane, w.ID)
	return r.stopped(threads.Of(w, lane), rsp.SIGSTOP)
}

// arrived reports whether the stepped lane is where the step ends: it has
// executed an instruction and, of a range, left it or met a breakpoint.
//
// On its way a lane comes through the glue of branches and loops, which switches lanes
// on and off. gdb takes it for a part of the line before it, and the line of wherever a
// lane is reported for the one that it steps in (process_event_stop_test): when the lane
// then came to the beginning of that line, it would not stop. So a lane that steps over
// a range is not reported there.
func (r *run) arrived(a rsp.Action, w *simt.Wave, lane int) bool {
	if w.Active()>>lane&1 == 0 || r.isHidden(w.PC) {
		return false
	}
	if a.Kind == rsp.Step {
		// gdb steps over a breakpoint by itself, then over the rest of the range.
		n, _ := r.places.statement(w.PC)
		return r.over == 0 || n == r.over || r.hits.breakpoints[w.PC] != nil || !r.places.isGlue(w.PC)
	}
	if (w.PC < a.Start || w.PC >= a.End) && !r.places.isGlue(w.PC) {
		return true
	}
	return r.hits.breakpoints[w.PC] != nil && r.triggers(w, 1<<lane) != 0
}

// stepOthers lets every other wave execute one instruction. It reports a stop
// if one of them did something that cannot wait, or if nobody can move.
func (r *run) stepOthers(w *simt.Wave, allowed bool) (rsp.Stop, bool, error) {
	if !allowed {
		return rsp.Stop{}, false, nil
	}
	moved := w.State == simt.Ready
	if r.past.replaying() {
		return r.followOthers(w, moved)
	}
	for _, o := range r.machine.Waves() {
		if _, waits := r.hits.held[o]; o == w || o.State != simt.Ready || waits {
			continue
		}
		moved = true
		ev, err := r.stepWave(o, 1)
		if err != nil {
			return rsp.Stop{}, false, err
		}
		r.watches.executed(o)
		if stop, ok := r.reportDefect(r.r.Console); ok {
			return stop, true, nil
		}
		switch ev.Kind {
		case simt.NoEvent:
			r.hits.hold(o)
		case simt.BreakEvent:
			if r.hit(ev, ev.Lanes) != 0 {
				r.hits.held[o] = ev
			}
		case simt.FaultEvent, simt.TrapEvent:
			return r.report(ev)
		}
	}
	if moved {
		return rsp.Stop{}, false, nil
	}
	// The lane waits for a wave that waits at a breakpoint.
	if ev, ok := r.hits.nextHeld(); ok {
		return r.report(ev)
	}
	stop, err := r.nobodyRuns()
	return stop, true, err
}

// followOthers is stepOthers in the past, where waves execute in the order that
// they had: if the stepped one could, the others do so when it is stepped again, or
// now, if the client has changed something after they had.
func (r *run) followOthers(w *simt.Wave, moved bool) (rsp.Stop, bool, error) {
	if moved {
		return rsp.Stop{}, false, r.past.Settle(w, uint64(len(r.machine.Waves())))
	}
	ev, err := r.advance(1)
	if err != nil {
		return rsp.Stop{}, false, err
	}
	return r.happened(ev, ev.Wave, rsp.AnyThread)
}

// laneEnded is what a step reports when its lane has come to its end: that another
// lane has stopped, which is no SIGTRAP of it, or the end of the program.
func (r *run) laneEnded(w *simt.Wave, lane int) (rsp.Stop, error) {
	if r.machine.Done() {
		return r.ends()
	}
	fmt.Fprintf(r.r.Console, "Lane %d of wave %d has ended.\n", lane, w.ID)
	for _, o := range slices.Concat([]*simt.Wave{w}, w.Group.Waves, r.machine.Waves()) {
		if o.State != simt.Ended && o.Active() != 0 {
			return r.stopped(threads.Of(o, bits.TrailingZeros64(o.Active())), rsp.SignalNone), nil
		}
	}
	return r.stopped(r.view.somebody(), rsp.SignalNone), nil
}
