package stub

import (
	"bytes"
	"context"
	"io"
	"math/bits"
	"slices"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// Non-stop mode: lanes run while others are examined. What runs is waves: one that has a lane that was let
// run goes on with all its lanes, and stands when one of them has something to report. To gdb the lanes of
// it that it let run and that have not been reported run still; they go on with the wave when it is let run
// again, or are reported as stopped when gdb asks.
//
// At first one lane stands, and all others are about to run: they wait until gdb lets something run, so that
// there is time for breakpoints. gdb 13.1 dies if several threads stand when it connects (an assertion of
// remote_target::wait).
//
// Waves take turns, in pieces of some thousand instructions between two packets.

// A nonStop is what a session in non-stop mode has besides. It implements most of rsp.NonStopper.
type nonStop struct {
	motion *motion
	on     bool
	events bool // the ends of lanes are reported
	waves  map[*simt.Wave]*going
	known  map[*simt.Wave]bool // that were there when it was looked last
	turn   int                 // whose turn it is among the waves
	stops  []rsp.Stop
	back   *wayBack     // where the machine is to go, once all lanes run; nil: nowhere
	texts  bytes.Buffer // of the kernel and about stops, until there is a console
}

// A going is a wave of which lanes were let run.
type going struct {
	lanes uint64 // that run, as far as gdb knows, a mask
	asked uint64 // those of them that gdb has asked to stop with all others
	held  bool   // one has been reported: the wave stands
	waits bool   // it is held until something is let run for the first time
	steps []laneStep
}

// A laneStep is a step of a lane that is under way.
type laneStep struct {
	lane   int
	action rsp.Action
	from   uint64 // the wave's PC, and how much it had executed
	insts  uint64
}

// Bounds of a piece of execution, in instructions, and of the texts that are kept.
const (
	pieceInsts = 1 << 13
	keptBytes  = 1 << 16
)

// SetNonStop implements rsp.NonStopper.
func (s *Session) SetNonStop(on bool) error {
	s.nonStop = nonStop{motion: &s.motion, on: on, waves: map[*simt.Wave]*going{},
		known: map[*simt.Wave]bool{}}
	s.hits.forget()
	s.past.leaps = false
	s.view.report(s.view.somebody())
	s.nonStop.look(s.machine.Waves())
	for _, w := range s.machine.Waves() {
		s.nonStop.waves[w] = &going{lanes: w.Valid, held: true, waits: true}
	}
	if w, lane, err := s.view.lane(s.view.current()); err == nil {
		g := s.nonStop.waves[w]
		g.lanes, g.waits = g.lanes&^(1<<lane), false
	}
	return nil
}

// look notes which waves there are, and gives those that have come since the last time.
func (n *nonStop) look(waves []*simt.Wave) (came []*simt.Wave) {
	now := make(map[*simt.Wave]bool, len(waves))
	for _, w := range waves {
		now[w] = true
		if !n.known[w] {
			came = append(came, w)
		}
	}
	n.known = now
	return came
}

// ThreadEvents implements rsp.NonStopper. gdb wants to hear of them while it stops all threads, to step one
// over a breakpoint: it asks each that runs to stop, but for those that it has asked before, and waits for
// all.
func (s *Session) ThreadEvents(on bool) {
	n := &s.nonStop
	n.events = on
	for w, g := range n.waves {
		if asked := g.asked & g.lanes; on && asked != 0 {
			simt.Lanes(asked, func(l int) { n.stopLane(w, l, rsp.SignalNone) })
		}
	}
}

// Write implements io.Writer: gdb takes text only while it waits for a monitor command, so it is kept until
// then.
func (n *nonStop) Write(text []byte) (int, error) {
	if n.texts.Len()+len(text) <= keptBytes {
		n.texts.Write(text)
	}
	return len(text), nil
}

// TellEndTo has somebody told, where gdb is in non-stop mode, what there is to be said when the program has
// ended: gdb takes no text then, and gives no command any more at which it would be shown.
func (s *Session) TellEndTo(w io.Writer) { s.atEnd = w }

// showTexts shows what has been kept.
func (n *nonStop) showTexts(out io.Writer) { _, _ = n.texts.WriteTo(out) }

// Texts takes texts for the next monitor command.
func (s *Session) Texts() io.Writer { return &s.nonStop }

// ShowTexts gives another what has been kept for the next monitor command.
func (s *Session) ShowTexts(out io.Writer) { s.nonStop.showTexts(out) }

// runs reports whether gdb takes a lane for running.
func (n *nonStop) runs(w *simt.Wave, lane int) bool {
	g := n.waves[w]
	return g != nil && g.lanes>>lane&1 != 0
}

// Stopped implements rsp.NonStopper.
func (s *Session) Stopped() []rsp.ThreadID {
	var all []rsp.ThreadID
	for _, t := range s.view.list() {
		if w, lane, err := s.view.Find(t); err == nil && !s.nonStop.runs(w, lane) {
			all = append(all, t)
		}
	}
	return all
}

// Start implements rsp.NonStopper.
func (s *Session) Start(actions []rsp.Action) error {
	if s.nonStop.back == nil && s.past.replaying() {
		s.past.ForgetFuture() // what runs in which order is gdb's to say
	}
	s.frames.Forget()
	s.hits.pretended = pretence{}
	startLane := s.startBefore
	if s.nonStop.back == nil {
		startLane, s.hits.besides = s.startLane, nil
		if slices.ContainsFunc(actions, func(a rsp.Action) bool { return a.Kind != rsp.Stay }) {
			s.nonStop.begin()
		}
	}
	done, ended := map[rsp.ThreadID]bool{}, s.ended
	for _, a := range actions {
		if s.ended && !ended {
			break // by a signal; the lanes of a wave that has failed do not go on
		}
		if a.Thread != rsp.AllThreads {
			if !done[a.Thread] {
				startLane(a.Thread, a)
			}
			done[a.Thread] = true
			continue
		}
		all := s.everyLane()
		if a.Kind == rsp.Stay {
			s.nonStop.ask(s.view.list())
			all = s.oneOfEach()
		}
		for _, t := range all {
			if !done[t] {
				startLane(t, a)
			}
			done[t] = true
		}
	}
	return nil
}

// ask notes which of the threads that gdb knows it wants to stop, and hears of when it has to.
func (n *nonStop) ask(known []rsp.ThreadID) {
	for _, t := range known {
		if w, lane, err := n.motion.view.Find(t); err == nil && n.runs(w, lane) {
			n.waves[w].asked |= 1 << lane
		}
	}
}

// begin lets those run that have waited for the first time that something runs.
func (n *nonStop) begin() {
	for _, g := range n.waves {
		if g.waits {
			g.held, g.waits = false, false
		}
	}
}

// everyLane are the threads of all lanes that have not ended.
func (s *Session) everyLane() []rsp.ThreadID {
	var all []rsp.ThreadID
	for _, w := range s.machine.Waves() {
		if w.State != simt.Ended {
			simt.Lanes(w.Valid&^w.EndedLanes(), func(l int) { all = append(all, threads.Of(w, l)) })
		}
	}
	return all
}

// oneOfEach is a lane of each wave that does not stand yet, of those that gdb knows: whom a stop of all is
// reported for. The others of a wave run on, as far as gdb knows, as they do where a wave has met a
// breakpoint.
func (s *Session) oneOfEach() []rsp.ThreadID {
	known := map[*simt.Wave]uint64{}
	for _, t := range s.view.list() {
		if w, lane, err := s.view.Find(t); err == nil {
			known[w] |= 1 << lane
		}
	}
	var all []rsp.ThreadID
	for _, w := range s.machine.Waves() {
		g := s.nonStop.waves[w]
		if g == nil || g.held && !g.waits {
			continue
		}
		lanes := g.lanes & known[w]
		if active := lanes & w.Active(); active != 0 {
			lanes = active
		}
		if lanes != 0 {
			all = append(all, threads.Of(w, s.view.among(w, lanes)))
		}
	}
	return all
}

// startLane performs one action. One of a lane that has ended is answered with its end.
func (s *Session) startLane(t rsp.ThreadID, a rsp.Action) {
	n := &s.nonStop
	w, lane, err := s.view.Find(t)
	switch {
	case err != nil || w.EndedLanes()>>lane&1 != 0:
		n.stops = append(n.stops, rsp.Stop{Kind: rsp.ThreadEnded, Thread: t})
		return
	case a.Kind == rsp.Stay:
		if n.runs(w, lane) {
			n.stopLane(w, lane, rsp.SignalNone)
		}
		return
	case a.Signal != rsp.SignalNone && a.Signal != rsp.SIGTRAP && a.Signal != rsp.SIGINT &&
		a.Signal != rsp.SIGSTOP:
		s.ended = true
		n.stops = append(n.stops, rsp.Stop{Kind: rsp.Terminated, Signal: a.Signal})
		return
	}
	g := n.waves[w]
	if g == nil {
		g = &going{}
		n.waves[w] = g
	}
	if g.held = false; w.State == simt.Faulted {
		w.State = simt.Ready // the user may have mended the cause
	}
	g.lanes |= 1 << lane
	g.drop(lane)
	if a.Kind == rsp.Step || a.Kind == rsp.StepRange {
		w.SkipBreak = true
		g.steps = append(g.steps, laneStep{lane, a, w.PC, w.Insts})
	}
}

// drop forgets a lane's step, and reports whether there was one.
func (g *going) drop(lane int) bool {
	i := slices.IndexFunc(g.steps, func(s laneStep) bool { return s.lane == lane })
	if i >= 0 {
		g.steps = slices.Delete(g.steps, i, i+1)
	}
	return i >= 0
}

// stopLane has a lane stand and its wave with it, and reports it.
func (n *nonStop) stopLane(w *simt.Wave, lane int, sig rsp.Signal) {
	n.reportStop(n.motion.stopped(threads.Of(w, lane), sig))
}

// reportStop reports a stop of a lane, and has its wave stand.
func (n *nonStop) reportStop(stop rsp.Stop) {
	n.stops = append(n.stops, stop)
	if stop.Kind != rsp.Stopped {
		return
	}
	w, lane, err := n.motion.view.Find(stop.Thread)
	if err != nil {
		return
	}
	g := n.waves[w]
	if g == nil {
		g = &going{}
		n.waves[w] = g
	}
	g.held, g.waits = true, false
	g.lanes &^= 1 << lane
	g.asked &^= 1 << lane
	g.drop(lane)
}

// Interrupt implements rsp.NonStopper.
func (s *Session) Interrupt() error {
	n := &s.nonStop
	if w, lane, err := s.view.lane(s.view.current()); err == nil && n.runs(w, lane) {
		n.stopLane(w, lane, rsp.SIGINT)
		return nil
	}
	for _, w := range s.machine.Waves() {
		if g := n.waves[w]; g != nil && g.lanes != 0 && w.State != simt.Ended {
			n.stopLane(w, bits.TrailingZeros64(g.lanes), rsp.SIGINT)
			return nil
		}
	}
	return nil
}

// Progress implements rsp.NonStopper.
func (s *Session) Progress() ([]rsp.Stop, bool, error) {
	n := &s.nonStop
	take := func() []rsp.Stop {
		stops := n.stops
		n.stops = nil
		return stops
	}
	if len(n.stops) > 0 {
		return take(), true, nil
	}
	if n.back != nil {
		if s.stands(rsp.AnyThread) {
			return nil, false, nil
		}
		err := s.goBack()
		return take(), err == nil, err
	}
	s.hits.resume()
	s.watches.resume()
	clear(s.hits.removed)
	s.frames.Forget()
	s.printing.console = n
	running, err := s.piece()
	s.printing.flush(false)
	s.printing.console = nil
	s.frames.Forget()
	return take(), running && !s.ended, err
}

// piece lets the waves that may take turns until something is to be reported, or for some instructions. It
// reports whether there is one that can go on.
func (s *Session) piece() (bool, error) {
	n := &s.nonStop
	r := &run{motion: &s.motion, ctx: context.Background(), r: rsp.Resumption{Console: n}}
	for insts := uint64(0); insts < pieceInsts; {
		w := n.next(s.machine.Waves())
		if w == nil {
			return false, nil
		}
		before := w.Insts
		if err := n.goOn(r, w, n.waves[w]); err != nil {
			return false, err
		}
		insts += max(w.Insts-before, 1)
		if s.machine.Done() {
			stop, err := s.finish(n)
			n.stops = append(n.stops, stop)
			if s.atEnd != nil {
				n.showTexts(s.atEnd)
			}
			return false, err
		}
		if err := s.cameAndWent(w); err != nil {
			return false, err
		}
		if len(n.stops) > 0 {
			return true, nil
		}
	}
	return true, nil
}

// next is the wave whose turn it is; nil if none can go on.
func (n *nonStop) next(waves []*simt.Wave) *simt.Wave {
	for range waves {
		if n.turn >= len(waves) {
			n.turn = 0
		}
		w := waves[n.turn]
		n.turn++
		if g := n.waves[w]; g != nil && g.lanes != 0 && !g.held && w.State == simt.Ready {
			return w
		}
	}
	return nil
}

// goOn lets a wave execute: one instruction if a lane of it is stepped.
func (n *nonStop) goOn(r *run, w *simt.Wave, g *going) error {
	if len(g.steps) == 0 {
		ev, err := r.stepWave(w, r.quantum())
		if err != nil {
			return err
		}
		return n.met(r, ev)
	}
	for _, step := range g.steps {
		if r.machine.Ending(w)>>step.lane&1 != 0 {
			n.reportStop(r.staysAtEnd(w, step.lane))
			return nil
		}
	}
	ev, err := r.stepWave(w, 1)
	if err != nil {
		return err
	}
	if err := n.met(r, ev); err != nil || g.held {
		return err
	}
	for _, step := range g.steps {
		moved := w.PC != step.from || w.Insts > step.insts && w.State != simt.AtBarrier
		if moved && r.arrived(step.action, w, step.lane) {
			n.stopLane(w, step.lane, rsp.SIGTRAP)
			return nil
		}
	}
	return nil
}

// met reports what a wave has met, if it is for lanes that were let run.
func (n *nonStop) met(r *run, ev simt.Event) error {
	w := ev.Wave
	if w == nil {
		return nil
	}
	if ev.Kind == simt.BreakEvent {
		r.watches.executed(w)
		r.frames.Forget()
		hit := r.hit(ev, n.waves[w].lanes)
		if hit == 0 {
			return nil
		}
		stop := r.stopped(threads.Of(w, r.view.among(w, hit)), rsp.SIGTRAP)
		stop.Cause, stop.Address = rsp.CauseSoftwareBreakpoint, ev.PC
		n.reportStop(stop)
		return nil
	}
	if stop, ok, err := r.happened(ev, w, rsp.AnyThread); ok || err != nil {
		if err == nil {
			n.reportStop(stop)
		}
		return err
	}
	return nil
}

// cameAndWent deals with lanes that have ended, after a turn of w, and with those that have begun: they run,
// which is what gdb thinks of threads that it finds.
func (s *Session) cameAndWent(w *simt.Wave) error {
	n := &s.nonStop
	if g := n.waves[w]; g != nil && g.lanes&w.EndedLanes() != 0 {
		simt.Lanes(g.lanes&w.EndedLanes(), func(l int) {
			if n.events || g.drop(l) { // a step that is under way has to end
				n.stops = append(n.stops, rsp.Stop{Kind: rsp.ThreadEnded, Thread: threads.Of(w, l)})
			}
		})
		g.lanes &^= w.EndedLanes()
	}
	if w.State == simt.Ended {
		delete(n.waves, w)
	}
	if waves := s.machine.Waves(); w.State == simt.Ended && len(waves) > 0 {
		for _, came := range n.look(waves) {
			n.waves[came] = &going{lanes: came.Valid}
		}
		return s.enterBodies()
	}
	return nil
}
