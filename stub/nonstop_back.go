package stub

import (
	"context"
	"io"
	"strconv"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// Going back in non-stop mode. gdb's own commands cannot: after a bs or bc gdb takes every event for one of
// going back (fetch_inferior_event asks remote_target::execution_direction, and nothing but another
// connection makes that forward again, since remote_target::resume leaves early in non-stop mode; 13 to 18).
// So a monitor command says where to, and the machine goes there when gdb has let run all that stands. It
// must have done so: gdb keeps registers of threads that it has not resumed, and dies of a stop of one (an
// assertion of skip_inline_frames). Then all that stood before is reported anew.

// A wayBack is where the machine goes next.
type wayBack struct {
	to     func(out io.Writer) (rsp.Stop, error)
	stood  map[rsp.ThreadID]bool // at the command
	beyond bool                  // beyond the beginning, too
}

// Beyond has somebody go on where the machine has gone back to its beginning. It says whether another session
// is shown then, which has the stop.
func (s *Session) Beyond(on func(out io.Writer) (stop rsp.Stop, other bool, err error)) {
	s.beyond = on
}

// Instead has something done when gdb has let run all that stands, in the place of that: the stop that it
// gives is reported, unless the machine is at its beginning, and somebody goes on from there (see Beyond).
func (s *Session) Instead(to func(out io.Writer) (rsp.Stop, error)) {
	s.nonStop.back = &wayBack{to: to, beyond: true}
}

// Begin puts the session of another program in non-stop mode: gdb hears of it by the event, in the lane that
// stands.
func (s *Session) Begin(event rsp.Stop) error {
	err := s.SetNonStop(true)
	event.Thread = s.view.current()
	s.nonStop.stops = append(s.nonStop.stops, event)
	return err
}

// Arrive puts a session in non-stop mode that is, to gdb, the one before, of which all lanes run: one has
// stopped.
func (s *Session) Arrive(stop rsp.Stop) error {
	err := s.SetNonStop(true)
	s.allWait()
	s.nonStop.reportStop(stop)
	return err
}

// allWait has all lanes run, as far as gdb knows, and wait until something is let run.
func (s *Session) allWait() {
	n := &s.nonStop
	s.frames.Forget()
	s.hits.offer = nil // lanes that are not reported run, as far as gdb knows
	n.turn = 0
	asked := map[rsp.ThreadID]bool{} // gdb knows threads by numbers, whatever the time
	for w, g := range n.waves {
		simt.Lanes(g.asked&g.lanes, func(l int) { asked[threads.Of(w, l)] = true })
	}
	clear(n.waves)
	n.look(s.machine.Waves())
	for _, w := range s.machine.Waves() {
		g := &going{lanes: w.Valid &^ w.EndedLanes(), held: true, waits: true}
		simt.Lanes(g.lanes, func(l int) {
			if asked[threads.Of(w, l)] {
				g.asked |= 1 << l
			}
		})
		n.waves[w] = g
	}
}

// monitorBack goes back in non-stop mode.
func (s *Session) monitorBack(args []string, out io.Writer) error {
	switch {
	case s.past.History == nil:
		return errNoHistory()
	case !s.nonStop.on:
		return rsp.EINVAL.Errorf("not in all-stop mode, where reverse-continue, reverse-step, " +
			"reverse-stepi go back")
	case len(args) > 1:
		return errBackUsage()
	}
	if len(args) == 0 {
		defer func() { s.nonStop.back.beyond = true }()
		return s.goBackBy(out, func(out io.Writer) (rsp.Stop, error) {
			return s.stepBack(rsp.Action{Kind: rsp.Continue, Thread: rsp.AllThreads}, out)
		})
	}
	if args[0] == "off" {
		s.nonStop.back = nil
		return nil
	}
	_, _, err := s.view.lane(rsp.AnyThread)
	if err != nil {
		return err
	}
	step := rsp.Action{Kind: rsp.Step, Thread: s.view.current()}
	if args[0] == "line" {
		return s.goBackBy(out, func(out io.Writer) (rsp.Stop, error) { return s.lineBack(step, out) })
	}
	n, err := strconv.ParseUint(args[0], 0, 64)
	if err != nil || n == 0 {
		return errBackUsage()
	}
	return s.goBackBy(out, func(out io.Writer) (stop rsp.Stop, err error) {
		for ; n > 0 && err == nil && stop.Cause != rsp.CauseReplayBegin; n-- {
			stop, err = s.stepBack(step, out)
		}
		if stop.Cause == rsp.CauseNone {
			stop.Signal = rsp.SignalNone
		}
		return stop, err
	})
}

func errBackUsage() error { return rsp.EINVAL.Errorf("monitor back [COUNT|line|off]") }

// stepBack is one bs or bc.
func (s *Session) stepBack(a rsp.Action, out io.Writer) (rsp.Stop, error) {
	r := rsp.Resumption{Actions: []rsp.Action{a}, Console: out}
	if a.Thread != rsp.AllThreads {
		r.Actions = append(r.Actions, rsp.Action{Kind: rsp.Continue, Thread: rsp.AllThreads})
	}
	return s.backward(context.Background(), r)
}

// lineBack goes to where a lane came to the line that it executed last.
func (s *Session) lineBack(step rsp.Action, out io.Writer) (stop rsp.Stop, err error) {
	for at, line, in := uint64(0), "", false; ; in = true {
		if stop, err = s.stepBack(step, out); err != nil || stop.Cause == rsp.CauseReplayBegin {
			return stop, err
		}
		w, lane, err := s.view.Find(step.Thread)
		if err != nil {
			return stop, err
		}
		now := ""
		if p, ok := s.prog.Source.At(w.LanePC(lane)); ok {
			name, _, _ := s.prog.Source.Function(w.LanePC(lane))
			now = name + " " + p.String()
		}
		if in && now != line {
			return s.stopped(step.Thread, rsp.SignalNone), s.past.Goto(at)
		}
		at, line = s.past.Now(), now
	}
}

// goBackBy has the machine go to another time once all runs that stands now.
func (s *Session) goBackBy(out io.Writer, to func(out io.Writer) (rsp.Stop, error)) error {
	back := &wayBack{to: to, stood: map[rsp.ThreadID]bool{}}
	for _, t := range s.everyLane() {
		if w, lane, err := s.view.Find(t); err == nil && !s.nonStop.runs(w, lane) {
			back.stood[t] = true
		}
	}
	s.nonStop.back = back
	_, err := io.WriteString(out, "continue -a goes there, and does nothing else\n")
	return err
}

// stands reports whether a lane stands besides one, as far as gdb knows.
func (s *Session) stands(besides rsp.ThreadID) bool {
	for _, t := range s.everyLane() {
		if w, lane, err := s.view.Find(t); t != besides && err == nil && !s.nonStop.runs(w, lane) {
			return true
		}
	}
	return false
}

// startBefore is startLane while the machine is to go back: nothing executes. A step before all run is one
// over a breakpoint, or gdb's user will see what has become of it when the machine has gone back.
func (s *Session) startBefore(t rsp.ThreadID, a rsp.Action) {
	n := &s.nonStop
	w, lane, err := s.view.Find(t)
	if a.Kind == rsp.Stay || err != nil || w.EndedLanes()>>lane&1 != 0 {
		s.startLane(t, a)
		return
	}
	if a.Kind != rsp.Continue && s.stands(t) {
		n.stops = append(n.stops, s.pretend(t, w.LanePC(lane)))
		return
	}
	g := n.waves[w]
	if g == nil {
		g = &going{held: true}
		n.waves[w] = g
	}
	g.lanes |= 1 << lane
}

// goBack goes back, and has gdb hear of all lanes that stood before. What runs as far as it knows waits until
// something is let run.
func (s *Session) goBack() error {
	n := &s.nonStop
	back := n.back
	n.back = nil
	said := s.view.current()
	s.hits.resume()
	s.watches.resume()
	stop, err := back.to(n)
	if err == nil && back.beyond && s.beyond != nil && stop.Cause == rsp.CauseReplayBegin {
		var other bool
		if stop, other, err = s.beyond(n); other {
			return err
		}
	}
	if err != nil {
		return err
	}
	s.allWait()
	for _, t := range s.everyLane() {
		if t != stop.Thread && back.stood[t] {
			n.reportStop(rsp.Stop{Kind: rsp.Stopped, Thread: t, Registers: s.facade.Expedited()})
		}
	}
	n.reportStop(stop)
	if s.view.Alive(said) && back.stood[said] {
		s.view.report(said) // gdb goes on showing this one
	}
	return nil
}
