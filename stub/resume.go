package stub

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// quantum is how many instructions a wave runs before the next has its turn,
// while all run freely.
const quantum = 256

// pretend reports a step of a lane that did not happen.
func (m *motion) pretend(t rsp.ThreadID, pc uint64) rsp.Stop {
	m.hits.pretended = pretence{t, pc + m.align()}
	return m.stopped(t, rsp.SIGTRAP)
}

// stopped composes a stop of a lane.
func (m *motion) stopped(t rsp.ThreadID, sig rsp.Signal) rsp.Stop {
	m.view.report(t)
	return rsp.Stop{Kind: rsp.Stopped, Signal: sig, Thread: t, Registers: m.facade.Expedited()}
}

// Resume implements rsp.Target.
func (s *Session) Resume(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	return s.refreshing(r, func() (rsp.Stop, error) { return s.forward(ctx, r) })
}

func (s *Session) forward(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	if s.view.presented || s.view.user == rsp.AnyThread {
		s.view.user = s.view.current()
	}
	s.frames.Forget()
	s.defects.resume(s.past.time())
	defer func() { s.defects.at = s.past.time() }()
	s.hints.tell(s, r.Console)
	if s.moved != "" {
		io.WriteString(r.Console, s.moved) // a client that has gone is noticed elsewhere
		s.moved = ""
	}
	resume := func() (rsp.Stop, error) { return s.resume(ctx, r) }
	stop, err := s.printing.during(r.Console, resume)
	if s.diverges(err, r.Console) {
		if a, stepping := steppingAction(r); stepping && !s.view.Alive(a.Thread) {
			stop, err = s.stopped(s.view.somebody(), rsp.SIGTRAP), nil
		} else {
			stop, err = s.printing.during(r.Console, resume)
		}
	}
	if err == nil && stop.Kind == rsp.Stopped {
		err = s.enterBodies()
	}
	s.frames.Forget()
	s.view.presented = false
	if err == nil {
		s.last = stop
	}
	return stop, err
}

func (s *Session) resume(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	run := &run{motion: &s.motion, ctx: ctx, r: r}
	if stop, ok, err := run.leaps(); ok || err != nil {
		return stop, err // whatever the signal: the program was elsewhere when it had that
	}
	for _, a := range r.Actions {
		switch a.Signal {
		case rsp.SignalNone, rsp.SIGTRAP, rsp.SIGINT, rsp.SIGSTOP:
		default:
			if stop, ok := s.staysAtFault(a.Signal, r.Console); ok {
				return stop, nil
			}
			s.ended = true
			return rsp.Stop{Kind: rsp.Terminated, Signal: a.Signal}, nil
		}
	}
	carried := s.hits.carried
	s.hits.carried, s.hits.declined, s.hits.pretended, s.hits.besides = nil, nil, pretence{}, nil
	defer clear(s.hits.removed)
	a, stepping := steppingAction(r)
	owed := s.hits.owed
	s.hits.owed = rsp.AnyThread
	if stepping && owed == a.Thread {
		return s.stopped(a.Thread, rsp.SIGTRAP), nil
	}
	if !stepping && !locks(r) {
		if stop, ok := s.reportDeclined(r.Console); ok {
			return stop, nil
		}
	}
	if locks(r) && !stepping {
		s.hits.dropOffer() // another lane's turn would be news of one that gdb holds
	} else if stop, ok := s.nextOffer(a, stepping && locks(r)); ok {
		return stop, nil
	}
	s.retryFaults()
	s.watches.resume()
	s.hits.resume()
	if stepping {
		return run.step(a, carried)
	}
	if locks(r) {
		return run.locked()
	}
	return run.freely()
}

// leaps goes to the time that monitor goto has named, if it has.
func (r *run) leaps() (rsp.Stop, bool, error) {
	t, alone := r.view.current(), locks(r.r)
	if alone && len(r.r.Actions) > 0 {
		t = r.r.Actions[0].Thread
	}
	return r.leap(t, alone, r.r.Console)
}

// locks reports that only one thread may run: gdb holds all others (set scheduler-locking).
func locks(r rsp.Resumption) bool {
	for _, a := range r.Actions {
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
func (m *motion) nextOffer(a rsp.Action, alone bool) (rsp.Stop, bool) {
	o := m.hits.offer
	if o == nil {
		return rsp.Stop{}, false
	}
	if !m.view.presented && o.lanes != 0 && o.stands() {
		over := a.Kind == rsp.Step && m.hits.removed[o.pc] && !o.stepped
		if alone && a.Thread == m.view.reported && over {
			o.stepped = true
			return m.pretend(a.Thread, o.pc), true
		}
		if !alone && m.hits.breakpoints[o.pc] != nil {
			return m.reportHit(o), true
		}
	}
	m.hits.dropOffer()
	return rsp.Stop{}, false
}

// reportHit reports one lane of a hit: the one that the user looks at, if it is
// among them, or else the lowest.
func (m *motion) reportHit(o *offer) rsp.Stop {
	lane := m.view.among(o.wave, o.lanes)
	o.lanes &^= 1 << lane
	o.stepped = false
	stop := m.stopped(threads.Of(o.wave, lane), rsp.SIGTRAP)
	if m.hits.breakpoints[o.pc] != nil {
		stop.Cause, stop.Address = rsp.CauseSoftwareBreakpoint, o.pc
	}
	return stop
}

// retryFaults lets waves that stand at a fault try again: the user may have
// mended its cause.
func (m *motion) retryFaults() {
	for _, w := range m.machine.Waves() {
		if w.State == simt.Faulted {
			w.State = simt.Ready
		}
	}
}

// A run is one Resume under way.
type run struct {
	*motion
	ctx context.Context
	r   rsp.Resumption
	// over is the statement of the breakpoint that a lane is stepped over while no other runs, or 0.
	over uint64
	// unpolled is how many instructions may be executed before polled looks again.
	unpolled int
}

// interrupted reports that the user or the connection wants the run to end.
func (r *run) interrupted() (rsp.Stop, bool, error) {
	select {
	case <-r.r.Interrupt:
		return r.stopped(r.view.somebody(), rsp.SIGINT), true, nil
	case <-r.ctx.Done():
		return rsp.Stop{}, true, r.ctx.Err()
	default:
		return rsp.Stop{}, false, nil
	}
}

// locked runs the wave of the thread that may continue: gdb holds the others
// (set scheduler-locking), and gdb 13 dies if it hears of one that it holds. So
// every stop is that thread's, and what its siblings run into is not reported.
func (r *run) locked() (rsp.Stop, error) {
	i := slices.IndexFunc(r.r.Actions, func(a rsp.Action) bool { return a.Kind == rsp.Continue })
	if i < 0 {
		return rsp.Stop{Kind: rsp.NothingResumed}, nil
	}
	w, lane, err := r.view.lane(r.r.Actions[i].Thread)
	if err != nil {
		return rsp.Stop{}, err
	}
	thread := threads.Of(w, lane)
	r.view.report(thread)  // which of several lanes is asked for is this one
	delete(r.hits.held, w) // it is met again
	for {
		if stop, ok, err := r.polled(1); ok {
			stop.Thread = thread
			return stop, err
		}
		if stop, ok := r.standsAlone(w, lane); ok {
			return stop, nil
		}
		ev, err := r.stepWave(w, 1)
		if err != nil {
			return rsp.Stop{}, err
		}
		if ev.Kind == simt.BreakEvent && ev.Wave == w && r.hit(ev, 1<<lane) == 0 {
			continue
		}
		if stop, ok, err := r.met(ev, w, lane); ok || err != nil {
			return stop, err
		}
	}
}

// polled looks for an interrupt, at first and every so often: before each turn of so many waves.
func (r *run) polled(waves int) (rsp.Stop, bool, error) {
	if r.unpolled -= waves; r.unpolled >= 0 {
		return rsp.Stop{}, false, nil
	}
	r.unpolled = pollEvery
	return r.interrupted()
}

// standsAlone makes a stop of a lane that cannot go on while all others are held: it waits for them, or is at
// its end.
func (r *run) standsAlone(w *simt.Wave, lane int) (rsp.Stop, bool) {
	switch {
	case w.State == simt.AtBarrier:
		return r.waitsForHeld(w, lane), true
	case w.State == simt.Ready && r.machine.Ending(w)>>lane&1 != 0:
		return r.staysAtEnd(w, lane), true
	}
	return rsp.Stop{}, false
}

// met makes a stop of what a lane has met with the instruction that its wave has executed, or of its end. A
// lane that alone may go hears nothing of other waves, and what stops its siblings is a stop of its own.
func (r *run) met(ev simt.Event, w *simt.Wave, lane int) (rsp.Stop, bool, error) {
	thread := threads.Of(w, lane)
	if locks(r.r) && passes(ev, w) {
		return rsp.Stop{}, false, nil
	}
	stop, ok, err := r.happened(ev, w, thread)
	switch {
	case err != nil:
		return rsp.Stop{}, false, err
	case ok && locks(r.r):
		return r.own(stop, thread), true, nil
	case ok:
		return stop, true, nil
	case w.EndedLanes()>>lane&1 != 0: // with others, whose end it has waited for
		stop, err := r.laneEnded(w, lane)
		return stop, true, err
	}
	return rsp.Stop{}, false, nil
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
func (m *motion) quantum() uint64 {
	if m.watches.compares() {
		return 1
	}
	if m.printing.host.Stop {
		return m.printing.slice()
	}
	return quantum
}

// happened makes a stop of what there is to be said when a wave has executed, in this order: of a defect, of
// an event, of a text that was printed, of a change of what is watched. Texts and changes are those of one
// thread, or of any.
func (r *run) happened(ev simt.Event, w *simt.Wave, thread rsp.ThreadID) (rsp.Stop, bool, error) {
	r.watches.executed(w)
	if stop, ok, err := r.report(ev); ok || err != nil {
		return stop, ok, err
	}
	if stop, ok, err := r.printStop(thread); ok || err != nil {
		return stop, ok, err
	}
	stop, ok := r.reportChange(thread)
	return stop, ok, nil
}

// freely runs all waves until one has something to report.
func (r *run) freely() (rsp.Stop, error) {
	r.hits.holdAll()
	if stop, ok, err := r.reportHeld(); ok || err != nil {
		return stop, err
	}
	if stop, ok := r.reportChange(rsp.AnyThread); ok {
		return stop, nil
	}
	if stop, ok := r.reportDefect(r.r.Console); ok {
		return stop, nil
	}
	next := newStride(r.near)
	for r.near = true; ; {
		if stop, ok, err := r.interrupted(); ok {
			return stop, err
		}
		if next.turn() && r.mayGoFar() {
			ok, interrupted, err := r.goFar(&next)
			if err != nil {
				return rsp.Stop{}, err
			}
			if interrupted && !r.machine.Done() {
				return r.stopped(r.view.somebody(), rsp.SIGINT), nil
			}
			next.went(ok)
			r.near = r.near && !ok
		} else if stop, ok, err := r.goOn(); ok || err != nil {
			return stop, err
		}
		if r.machine.Done() {
			return r.ends()
		}
		if stop, ok := r.recordingEnds(); ok {
			return stop, nil
		}
	}
}

// goOn gives the next wave its turn. A breakpoint that waves have come to at the end of it is met at once, as
// it is on the way back, and not when their next turns begin, before which others have theirs.
func (r *run) goOn() (rsp.Stop, bool, error) {
	ev, err := r.advance(r.quantum())
	if err != nil {
		return rsp.Stop{}, false, err
	}
	if ev.Wave == nil {
		stop, err := r.nobodyRuns()
		return stop, true, err
	}
	stop, ok, err := r.happened(ev, ev.Wave, rsp.AnyThread)
	if ev.Kind == simt.NoEvent {
		r.hits.hold(ev.Wave)
	} else if ev.Kind == simt.BarrierEvent || ev.Kind == simt.EndEvent { // others may go on, or begin
		r.hits.holdAll()
	}
	if ok || err != nil {
		return stop, ok, err
	}
	return r.reportHeld()
}

// reportHeld reports the first of what waves are held at, if there is any.
func (r *run) reportHeld() (rsp.Stop, bool, error) {
	for ev, ok := r.hits.nextHeld(); ok; ev, ok = r.hits.nextHeld() {
		if stop, ok, err := r.report(ev); ok || err != nil {
			return stop, ok, err
		}
	}
	return rsp.Stop{}, false, nil
}

// nobodyRuns is the end, or a dispatch that cannot go on.
func (r *run) nobodyRuns() (rsp.Stop, error) {
	if r.machine.Done() {
		return r.ends()
	}
	for _, w := range r.machine.Waves() {
		if w.State == simt.Faulted {
			return r.stopped(threads.Of(w, bits.TrailingZeros64(w.Valid)), rsp.SIGSEGV), nil
		}
	}
	return rsp.Stop{Kind: rsp.NothingResumed}, nil
}

// report turns an event into a stop, if the client is to know of it.
func (r *run) report(ev simt.Event) (rsp.Stop, bool, error) {
	w := ev.Wave
	if stop, ok := r.reportDefect(r.r.Console); ok {
		return stop, true, nil
	}
	switch ev.Kind {
	case simt.BreakEvent:
		if w.PC != ev.PC || w.State != simt.Ready {
			return rsp.Stop{}, false, nil
		}
		hit := r.hit(ev, ev.Lanes)
		if hit == 0 {
			return rsp.Stop{}, false, nil
		}
		r.hits.offer = &offer{wave: w, pc: ev.PC, lanes: hit}
		return r.reportHit(r.hits.offer), true, nil
	case simt.FaultEvent:
		r.fault = ev
		lanes := ev.Fault.Lanes
		if lanes == 0 {
			lanes = w.Valid & -w.Valid
		}
		lane := r.view.among(w, lanes)
		fmt.Fprint(r.r.Console, r.prog.DescribeFault(ev))
		return r.stopped(threads.Of(w, lane), faultSignal(ev.Fault)), true, nil
	case simt.TrapEvent:
		return r.stoppedAtTrap(ev, r.r.Console), true, nil
	}
	return rsp.Stop{}, false, nil
}

// hit tells which of some lanes the breakpoint stops that their wave has come to. If it is none, the wave
// goes on over it.
func (m *motion) hit(ev simt.Event, lanes uint64) uint64 {
	hit := m.triggers(ev.Wave, ev.Lanes) & lanes
	ev.Wave.SkipBreak = ev.Wave.SkipBreak || hit == 0
	return hit
}

// faultSignal is the signal that a fault is reported as.
func faultSignal(f *simt.Fault) rsp.Signal {
	switch f.Kind {
	case simt.IllegalInstruction:
		return rsp.SIGILL
	case simt.Misaligned:
		return rsp.SIGBUS
	case simt.Defect:
		return rsp.SIGABRT
	}
	return rsp.SIGSEGV
}

// stoppedAtTrap is the stop of a wave that has trapped.
func (m *motion) stoppedAtTrap(ev simt.Event, console io.Writer) rsp.Stop {
	t := m.view.activeLane(ev.Wave)
	if ev.Lanes != 0 {
		t = threads.Of(ev.Wave, m.view.among(ev.Wave, ev.Lanes))
	}
	if ev.Trap == simt.DebugTrap {
		return m.stopped(t, rsp.SIGTRAP)
	}
	m.fault = ev
	if ev.Trap == simt.ArithmeticTrap {
		fmt.Fprint(console, m.prog.DescribeFault(ev))
		return m.stopped(t, rsp.SIGFPE)
	}
	return m.stopped(t, rsp.SIGABRT)
}
