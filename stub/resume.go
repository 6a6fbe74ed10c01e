package stub

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/rsp"
	"simtgdb/simt"
)

// quantum is how many instructions a wave runs before the next has its turn,
// while all run freely.
const quantum = 256

// An offer is a breakpoint hit that the client may yet decline: a breakpoint
// for one thread, or for one frame, is filtered by gdb itself. Having declined
// the reported lane, without a look at the list of threads, it steps that lane
// over the breakpoint, all others held, and then lets all run. The wave must
// not move before every lane of the hit has been offered.
type offer struct {
	wave  *simt.Wave
	pc    uint64
	lanes uint64 // not yet reported

	stepped bool // the reported lane was stepped over the breakpoint, or so it was said
}

// A pretence is a step of a lane that was not made: gdb 13 dies if it hears of
// another lane, or none, while it steps one over a breakpoint with the others
// held. Until it resumes, the lane's pc reads as if it had made the step.
type pretence struct {
	thread rsp.ThreadID
	pc     uint64
}

// pretend reports a step of a lane that did not happen.
func (s *Session) pretend(t rsp.ThreadID, pc uint64) rsp.Stop {
	s.pretended = pretence{t, pc + s.align()}
	return s.stopped(t, rsp.SIGTRAP)
}

// stopped composes a stop of a lane.
func (s *Session) stopped(t rsp.ThreadID, sig rsp.Signal) rsp.Stop {
	s.reported, s.looked = t, rsp.AnyThread
	return rsp.Stop{Kind: rsp.Stopped, Signal: sig, Thread: t, Registers: s.facade.Expedited()}
}

// Resume implements rsp.Target.
func (s *Session) Resume(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	s.frames.forget()
	stop, err := s.printing.during(r.Console, func() (rsp.Stop, error) { return s.resume(ctx, r) })
	s.frames.forget()
	s.presented = false
	if err == nil {
		s.last = stop
	}
	return stop, err
}

func (s *Session) resume(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	for _, a := range r.Actions {
		switch a.Signal {
		case rsp.SignalNone, rsp.SIGTRAP, rsp.SIGINT, rsp.SIGSTOP:
		default:
			s.ended = true
			return rsp.Stop{Kind: rsp.Terminated, Signal: a.Signal}, nil
		}
	}
	run := &run{Session: s, ctx: ctx, r: r}
	carried := s.carried
	s.carried, s.pretended = nil, pretence{}
	defer clear(s.removed)
	a, stepping := steppingAction(r)
	if run.alone() && !stepping {
		s.dropOffer() // another lane's turn would be news of one that gdb holds
	} else if stop, ok := s.nextOffer(a, stepping && run.alone()); ok {
		return stop, nil
	}
	s.retryFaults()
	s.rewatch()
	if stepping {
		return run.step(a, carried)
	}
	if run.alone() {
		return run.locked()
	}
	return run.freely()
}

// alone reports that only one thread may run.
func (r *run) alone() bool {
	for _, a := range r.r.Actions {
		if a.Thread == rsp.AllThreads && a.Kind == rsp.Continue {
			return false
		}
	}
	return true
}

// steppingAction finds the action that steps one thread.
func steppingAction(r rsp.Resumption) (rsp.Action, bool) {
	for _, a := range r.Actions {
		if a.Kind == rsp.Step || a.Kind == rsp.StepRange {
			return a, true
		}
	}
	return rsp.Action{}, false
}

// nextOffer deals with a breakpoint hit that the client has resumed from
// without presenting it: it reports the next lane, or pretends that the one
// reported was stepped over the breakpoint.
func (s *Session) nextOffer(a rsp.Action, alone bool) (rsp.Stop, bool) {
	o := s.offer
	if o == nil {
		return rsp.Stop{}, false
	}
	if !s.presented && o.lanes != 0 && o.wave.PC == o.pc && o.wave.State == simt.Ready {
		over := a.Kind == rsp.Step && s.removed[o.pc] && !o.stepped
		if alone && a.Thread == s.reported && over {
			o.stepped = true
			return s.pretend(a.Thread, o.pc), true
		}
		if !alone && s.breakpoints[o.pc] != nil {
			return s.reportHit(o), true
		}
	}
	s.dropOffer()
	return rsp.Stop{}, false
}

// dropOffer lets the wave of a hit go on.
func (s *Session) dropOffer() {
	if o := s.offer; o != nil && o.wave.PC == o.pc {
		o.wave.SkipBreak = true
	}
	s.offer = nil
}

// reportHit reports one lane of a hit: the one that the user looks at, if it is
// among them, or else the lowest.
func (s *Session) reportHit(o *offer) rsp.Stop {
	lane := bits.TrailingZeros64(o.lanes)
	if w, l, err := s.lane(s.current()); err == nil && w == o.wave && o.lanes>>l&1 != 0 {
		lane = l
	}
	o.lanes &^= 1 << lane
	o.stepped = false
	stop := s.stopped(threadOf(o.wave, lane), rsp.SIGTRAP)
	if s.breakpoints[o.pc] != nil {
		stop.Cause, stop.Address = rsp.CauseSoftwareBreakpoint, o.pc
	}
	return stop
}

// retryFaults lets waves that stand at a fault try again: the user may have
// mended its cause.
func (s *Session) retryFaults() {
	for _, w := range s.machine.Waves() {
		if w.State == simt.Faulted {
			w.State = simt.Ready
		}
	}
}

// A run is one Resume under way.
type run struct {
	*Session
	ctx context.Context
	r   rsp.Resumption
}

// interrupted reports that the user or the connection wants the run to end.
func (r *run) interrupted() (rsp.Stop, bool, error) {
	select {
	case <-r.r.Interrupt:
		return r.stopped(r.somebody(), rsp.SIGINT), true, nil
	case <-r.ctx.Done():
		return rsp.Stop{}, true, r.ctx.Err()
	default:
		return rsp.Stop{}, false, nil
	}
}

// somebody is the current lane, or the first that is left.
func (s *Session) somebody() rsp.ThreadID {
	if s.ThreadAlive(s.current()) {
		return s.current()
	}
	for _, w := range s.machine.Waves() {
		if w.State != simt.Ended {
			lanes := w.Active()
			if lanes == 0 {
				lanes = w.Valid
			}
			return threadOf(w, bits.TrailingZeros64(lanes))
		}
	}
	return s.current()
}

// locked runs the wave of the thread that may continue: gdb holds the others
// (set scheduler-locking), and gdb 13 dies if it hears of one that it holds. So
// every stop is that thread's, and what its siblings run into is not reported.
func (r *run) locked() (rsp.Stop, error) {
	i := slices.IndexFunc(r.r.Actions, func(a rsp.Action) bool { return a.Kind == rsp.Continue })
	if i < 0 {
		return rsp.Stop{Kind: rsp.NothingResumed}, nil
	}
	w, lane, err := r.lane(r.r.Actions[i].Thread)
	if err != nil {
		return rsp.Stop{}, err
	}
	thread := threadOf(w, lane)
	delete(r.held, w) // it is met again
	for n := 0; ; n++ {
		if n%pollEvery == 0 {
			if stop, ok, err := r.interrupted(); ok {
				stop.Thread = thread
				return stop, err
			}
		}
		switch {
		case w.State == simt.AtBarrier:
			return r.waitsForHeld(w, lane), nil
		case r.machine.EndsAt(w.PC):
			return r.staysAtEnd(w, lane), nil
		}
		ev, err := r.machine.StepWave(w, 1)
		if err != nil {
			return rsp.Stop{}, err
		}
		r.noteChanges(w)
		if ev.Kind == simt.BreakEvent && r.triggers(w, ev.Lanes)>>lane&1 == 0 {
			w.SkipBreak = true
			continue
		}
		r.reported, r.looked = thread, rsp.AnyThread
		if stop, ok, err := r.report(ev); ok || err != nil {
			return r.own(stop, thread), err
		}
		if stop, ok, err := r.printStop(thread); ok || err != nil {
			return r.own(stop, thread), err
		}
		if stop, ok := r.reportChange(thread); ok {
			return stop, nil
		}
	}
}

// own makes a stop of another lane one of the thread that alone may run: it
// cannot go on either.
func (r *run) own(stop rsp.Stop, thread rsp.ThreadID) rsp.Stop {
	if stop.Kind != rsp.Stopped || stop.Thread == thread {
		return stop
	}
	return r.stopped(thread, rsp.SIGSTOP)
}

// quantum is how many instructions a wave executes at a time.
func (s *Session) quantum() uint64 {
	if len(s.watches) > 0 {
		return 1
	}
	if s.printing.host.Stop {
		return printSlice
	}
	return quantum
}

// happened makes a stop of an event, or of a change of what is watched.
func (r *run) happened(ev simt.Event) (rsp.Stop, bool, error) {
	r.noteChanges(ev.Wave)
	if stop, ok, err := r.report(ev); ok || err != nil {
		return stop, ok, err
	}
	if stop, ok, err := r.printStop(rsp.AnyThread); ok || err != nil {
		return stop, ok, err
	}
	stop, ok := r.reportChange(rsp.AnyThread)
	return stop, ok, nil
}

// freely runs all waves until one has something to report.
func (r *run) freely() (rsp.Stop, error) {
	for ev, ok := r.nextHeld(); ok; ev, ok = r.nextHeld() {
		if stop, ok, err := r.report(ev); ok || err != nil {
			return stop, err
		}
	}
	if stop, ok := r.reportChange(rsp.AnyThread); ok {
		return stop, nil
	}
	for {
		if stop, ok, err := r.interrupted(); ok {
			return stop, err
		}
		ev, err := r.machine.Advance(r.quantum())
		if err != nil {
			return rsp.Stop{}, err
		}
		if ev.Wave == nil {
			return r.nobodyRuns()
		}
		if stop, ok, err := r.happened(ev); ok || err != nil {
			return stop, err
		}
		if r.machine.Done() {
			return r.finish(r.r.Console)
		}
	}
}

// nextHeld takes the event of the first wave that was held at one.
func (s *Session) nextHeld() (simt.Event, bool) {
	for _, w := range s.machine.Waves() {
		if ev, ok := s.held[w]; ok {
			delete(s.held, w)
			return ev, true
		}
	}
	clear(s.held)
	return simt.Event{}, false
}

// nobodyRuns is the end, or a dispatch that cannot go on.
func (r *run) nobodyRuns() (rsp.Stop, error) {
	if r.machine.Done() {
		return r.finish(r.r.Console)
	}
	for _, w := range r.machine.Waves() {
		if w.State == simt.Faulted {
			return r.stopped(threadOf(w, bits.TrailingZeros64(w.Valid)), rsp.SIGSEGV), nil
		}
	}
	return rsp.Stop{Kind: rsp.NothingResumed}, nil
}

// report turns an event into a stop, if the client is to know of it.
func (r *run) report(ev simt.Event) (rsp.Stop, bool, error) {
	w := ev.Wave
	switch ev.Kind {
	case simt.BreakEvent:
		if w.PC != ev.PC || w.State != simt.Ready {
			return rsp.Stop{}, false, nil
		}
		hit := r.triggers(w, ev.Lanes)
		if hit == 0 {
			w.SkipBreak = true
			return rsp.Stop{}, false, nil
		}
		r.offer = &offer{wave: w, pc: ev.PC, lanes: hit}
		return r.reportHit(r.offer), true, nil
	case simt.FaultEvent:
		lane := ev.Fault.Lane()
		if cw, l, err := r.lane(r.current()); err == nil && cw == w && ev.Fault.Lanes>>l&1 != 0 {
			lane = l
		}
		if ev.Fault.Lanes == 0 {
			lane = bits.TrailingZeros64(w.Valid)
		}
		sig := rsp.SIGSEGV
		switch ev.Fault.Kind {
		case simt.IllegalInstruction:
			sig = rsp.SIGILL
		case simt.Misaligned:
			sig = rsp.SIGBUS
		}
		fmt.Fprint(r.r.Console, r.prog.DescribeFault(ev))
		return r.stopped(threadOf(w, lane), sig), true, nil
	case simt.TrapEvent:
		sig := rsp.SIGABRT
		switch ev.Trap {
		case simt.DebugTrap:
			sig = rsp.SIGTRAP
		case simt.ArithmeticTrap:
			sig = rsp.SIGFPE
		}
		return r.stopped(r.activeLane(w), sig), true, nil
	}
	return rsp.Stop{}, false, nil
}

// activeLane is the current lane if it is active in w, or else the lowest
// active one.
func (s *Session) activeLane(w *simt.Wave) rsp.ThreadID {
	active := w.Active()
	if cw, l, err := s.lane(s.current()); err == nil && cw == w && active>>l&1 != 0 {
		return s.current()
	}
	if active == 0 {
		active = w.Valid
	}
	return threadOf(w, bits.TrailingZeros64(active))
}
