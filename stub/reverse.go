package stub

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/printf/host"
)

// Going back. The session executes through a simt.History, which can put the
// machine back to any time. gdb sends bs, one instruction of one thread, and bc,
// and makes its other commands of these (gdb manual, "Packets").

// A past is the history of a session's machine; it is nil where none is kept.
type past struct {
	*simt.History
	// touched: the client has written to the machine since it stood still.
	touched bool
}

// hostState has the texts of the kernel go back with the machine. It implements
// simt.Companion.
type hostState struct{ *host.Host }

func (h hostState) Snapshot() any     { return h.Host.Snapshot() }
func (h hostState) Restore(state any) { h.Host.Restore(state.(*host.Snapshot)) }

// Remember makes the session keep a history from now on, or none.
func (s *Session) Remember(keep bool) {
	if s.past.History != nil {
		s.past.Release()
		s.past = past{}
	}
	if keep {
		s.past.History = simt.NewHistory(s.machine, hostState{s.prog.Host})
	}
}

// noteWrites makes what the client has written part of the history.
func (p *past) noteWrites() {
	if p.History != nil && p.touched {
		p.Changed()
	}
	p.touched = false
}

// replaying reports whether the program goes through its past.
func (p *past) replaying() bool { return p.History != nil && p.Replaying() }

// stepWave executes up to n instructions of a wave.
func (s *Session) stepWave(w *simt.Wave, n uint64) (simt.Event, error) {
	if s.past.History != nil {
		return s.past.StepWave(w, n)
	}
	return s.machine.StepWave(w, n)
}

// advance executes up to n instructions of the next wave.
func (s *Session) advance(n uint64) (simt.Event, error) {
	if s.past.History != nil {
		return s.past.Advance(n)
	}
	return s.machine.Advance(n)
}

// ResumeBackward implements rsp.Reverser.
func (s *Session) ResumeBackward(_ context.Context, r rsp.Resumption) (rsp.Stop, error) {
	if s.past.History == nil {
		return rsp.Stop{}, errNoHistory()
	}
	s.frames.forget()
	defer s.frames.forget()
	s.past.noteWrites()
	a := r.Actions[0]
	current := s.view.current()
	if a.Kind == rsp.Step {
		current = a.Thread
	}
	s.hits.forget()
	back := &backward{Session: s}
	if a.Kind == rsp.Step {
		w, lane, err := s.view.lane(a.Thread)
		if err != nil {
			return rsp.Stop{}, err
		}
		back.wave, back.lane = w, lane
	} else {
		back.watched, back.touched = make([][]byte, len(s.watches.all)), make([]uint64, len(s.watches.all))
	}
	found, err := s.past.Back(back)
	s.frames.forget()
	if err != nil {
		return rsp.Stop{}, err
	}
	s.last = s.stoppedBack(back, found, current)
	s.view.presented = false
	return s.last, nil
}

// stoppedBack composes the stop of going back.
func (s *Session) stoppedBack(back *backward, found bool, current rsp.ThreadID) rsp.Stop {
	if !s.view.alive(current) {
		current = s.view.somebody()
	}
	switch {
	case !found:
		stop := s.stopped(current, rsp.SIGTRAP)
		stop.Cause = rsp.CauseReplayBegin
		return stop
	case back.wave != nil:
		return s.stopped(current, rsp.SIGTRAP)
	case back.watch != nil:
		return s.watchStop(threadOf(back.by, s.view.among(back.by, back.lanes)), back.watch.Watchpoint)
	}
	s.hits.offer = &offer{wave: back.by, pc: back.by.PC, lanes: back.lanes}
	return s.reportHit(s.hits.offer)
}

// backward looks for where going back ends. It implements simt.Visitor.
type backward struct {
	*Session
	wave *simt.Wave // bs: an instruction that a lane of it executes
	lane int

	// bc: what was found last, and by whom.
	by      *simt.Wave
	lanes   uint64
	watch   *watch
	watched [][]byte // what watchpoints had before the instruction
	touched []uint64 // the lanes that access what they watch
}

// Observe implements simt.Observer.
func (b *backward) Observe(a *simt.Access) bool {
	for i := range b.touched {
		if p := b.watches.all[i]; p.object == nil && p.sees(a) {
			b.touched[i] |= b.watches.lanesAt(p, a)
		}
	}
	return false
}

// Before implements simt.Visitor.
func (b *backward) Before(w *simt.Wave) bool {
	for i, p := range b.watches.all {
		if b.wave == nil {
			b.watched[i], b.touched[i] = b.watchedValue(p, w), 0
		}
	}
	return b.wave != nil && w == b.wave && w.Active()>>b.lane&1 != 0
}

// After implements simt.Visitor. What is watched is found before it changes, and
// a breakpoint when a wave comes to it, which is where it stops on its way
// forward.
func (b *backward) After(w *simt.Wave) (before, after bool) {
	if b.wave != nil {
		return false, false
	}
	for i, p := range b.watches.all {
		if now := b.watchedValue(p, w); !bytes.Equal(now, b.watched[i]) {
			b.by, b.lanes, b.watch, before = w, cmp.Or(b.touched[i], w.Active(), 1), p, true
		}
	}
	if w.State != simt.Ready || b.hits.breakpoints[w.PC] == nil || w.Active() == 0 {
		return before, false
	}
	b.frames.forget()
	if hit := b.triggers(w, w.Active()); hit != 0 {
		b.by, b.lanes, b.watch, after = w, hit, nil, true
	}
	return before, after
}

// watchedValue reads what a watchpoint watches, as a wave sees it.
func (b *backward) watchedValue(p *watch, w *simt.Wave) []byte {
	if p.object != nil {
		b.frames.forget()
		return b.watches.read(p.object, p.Watchpoint)
	}
	return b.watches.value(p, w, max(w.Active(), 1))
}

// errNoHistory refuses what needs a history.
func errNoHistory() error { return refuse(rsp.ENOSYS, "no history is kept (serve --history)") }

func (s *Session) monitorTime(_ []string, out io.Writer) error {
	if s.past.History == nil {
		return errNoHistory()
	}
	_, err := fmt.Fprintf(out, "time %d; the history is from %d to %d\n", s.past.Now(), s.past.Begin(), s.past.End())
	return err
}

// monitorGoto goes to a time. gdb does not know that the program has moved.
func (s *Session) monitorGoto(args []string, out io.Writer) error {
	if s.past.History == nil {
		return errNoHistory()
	}
	usage := refuse(rsp.EINVAL, "monitor goto begin|end|TIME|-COUNT")
	if len(args) != 1 {
		return usage
	}
	var to uint64
	switch word := args[0]; word {
	case "begin":
		to = s.past.Begin()
	case "end":
		to = s.past.End()
	default:
		back := strings.HasPrefix(word, "-")
		n, err := strconv.ParseUint(strings.TrimPrefix(word, "-"), 0, 64)
		switch {
		case err != nil:
			return usage
		case back:
			to = s.past.Now() - min(n, s.past.Now()-s.past.Begin())
		default:
			to = n
		}
	}
	s.past.noteWrites()
	s.hits.forget()
	s.frames.forget()
	if err := s.past.Goto(to); err != nil {
		return refuse(rsp.EINVAL, "%v", err)
	}
	if t := s.view.current(); !s.view.alive(t) {
		s.view.report(s.view.somebody())
	}
	fmt.Fprintln(out, "gdb sees it after: maintenance flush register-cache")
	return s.monitorTime(nil, out)
}
