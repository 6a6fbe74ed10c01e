package stub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/printf/host"
)

// Going back. The session executes through a simt.History, which can put the
// machine back to any time. gdb sends bs, one instruction of one thread, and bc,
// and makes its other commands of these (gdb manual, "Packets").

// A past is the history of a session's machine; it is nil where none is kept.
type past struct {
	*simt.History
	limit       uint64 // bytes that the history may hold
	checkpoints []checkpoint
	numbered    int    // checkpoints so far
	recorded    uint64 // where a recording ends, until that was said
}

// DefaultHistory is how many bytes a history is good for that nobody has set a limit for.
const DefaultHistory = 1 << 30

// hostState has the texts of the kernel go back with the machine. It implements
// simt.Companion.
type hostState struct{ *host.Host }

func (h hostState) Snapshot() any     { return h.Host.Snapshot() }
func (h hostState) Restore(state any) { h.Host.Restore(state.(*host.Snapshot)) }

// Remember makes the session keep a history from now on, in so many bytes; none if that is 0. When they do
// not suffice the earliest part is given up.
func (s *Session) Remember(bytes uint64) {
	if s.past.History != nil {
		s.past.Release()
	}
	s.past = past{limit: bytes}
	if bytes > 0 {
		s.past.History = simt.NewHistory(s.machine, companions{s})
		s.past.SetLimit(bytes)
	}
}

// A Write is what a client has written to memory, or to a register, of a lane.
type Write struct {
	Thread rsp.ThreadID
	Memory bool
	Where  uint64 // the address, or the register's number
	Data   []byte
}

// time is the present; always 0 where no history is kept.
func (p *past) time() uint64 {
	if p.History == nil {
		return 0
	}
	return p.Now()
}

// wrote makes a write part of the history.
func (p *past) wrote(s *Session, w Write) {
	if p.History != nil {
		p.Changed(redone{s, w})
		p.checkpoints = slices.DeleteFunc(p.checkpoints, func(c checkpoint) bool { return c.at > p.End() })
	}
}

// redone is a write that is made again in a session. It implements simt.Change.
type redone struct {
	*Session
	Write
}

func (r redone) Size() int { return len(r.Data) + 64 }

func (r redone) Redo() error {
	r.frames.forget()
	defer r.frames.forget()
	if r.Memory {
		return r.writeMemory(r.Thread, r.Where, r.Data)
	}
	w, lane, err := r.view.of(r.Thread)
	if err != nil {
		return err
	}
	if r.Where >= uint64(len(r.registers)) {
		return refuse(rsp.EINVAL, "no register has number %d", r.Where)
	}
	return r.writeRegister(w, lane, &r.registers[r.Where], r.Data)
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
func (s *Session) ResumeBackward(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	if s.past.History == nil {
		return rsp.Stop{}, errNoHistory()
	}
	s.frames.forget()
	defer s.frames.forget()
	a := r.Actions[0]
	if s.view.presented || s.view.user == rsp.AnyThread {
		s.view.user = s.view.current()
	}
	current := s.view.current()
	if a.Kind == rsp.Step {
		current = a.Thread
	}
	if stop, ok, err := s.nextOfferBack(a); ok || err != nil {
		s.last = stop
		return stop, err
	}
	declined := s.mayDecline(a)
	s.hits.forget()
	s.hits.declined = declined
	back := &backward{Session: s, present: s.past.Now(), watched: make([][]byte, len(s.watches.all))}
	defer func() { s.watches.touches = s.watches.touches[:0] }()
	if c := s.defects.checker; c != nil {
		c.Passed = func(r *check.Report) { back.passed = append(back.passed, r) }
		defer func() { c.Passed = nil }()
	}
	if a.Kind == rsp.Step {
		w, lane, err := s.view.lane(a.Thread)
		if err != nil {
			return rsp.Stop{}, err
		}
		back.wave, back.lane = w, lane
	}
	found, err := s.past.Back(back, func() bool {
		select {
		case <-r.Interrupt:
		case <-ctx.Done():
		default:
			return false
		}
		return true
	})
	s.frames.forget()
	switch {
	case ctx.Err() != nil:
		return rsp.Stop{}, ctx.Err()
	case errors.Is(err, simt.ErrInterrupted):
		if !s.view.alive(current) {
			current = s.view.somebody()
		}
		s.last = s.stopped(current, rsp.SIGINT)
	case err != nil:
		return rsp.Stop{}, err
	default:
		s.last = s.stoppedBack(back, found, current, r.Console)
		if !found && s.past.Begin() > 0 {
			fmt.Fprintf(r.Console, "The history goes back to time %d; what was before was given up to keep it in %s "+
				"(serve --history SIZE).\n", s.past.Begin(), inBytes(s.past.limit))
		}
	}
	s.view.presented = false
	return s.last, nil
}

// A declinedOffer is an offer in the past whose lane gdb steps back over the
// breakpoint: because it has declined it, or because it is the lane that the user
// goes back in (reverse-finish).
type declinedOffer struct {
	*offer
	at uint64 // the time of the hit
}

// nextOfferBack is nextOffer for going back: when gdb has declined the lane that
// was reported, it steps it back over the breakpoint and then lets all go back.
func (s *Session) nextOfferBack(a rsp.Action) (stop rsp.Stop, ok bool, err error) {
	o, d := s.hits.offer, s.hits.declined
	if s.view.presented {
		return rsp.Stop{}, false, nil
	}
	if d != nil && a.Kind == rsp.Continue && s.hits.breakpoints[d.pc] != nil {
		if err := s.past.Goto(d.at); err != nil {
			return rsp.Stop{}, false, err
		}
		s.hits.forget()
		s.hits.offer = d.offer
		return s.reportHit(d.offer), true, nil
	}
	if o == nil || o.lanes == 0 || !o.stands() {
		return rsp.Stop{}, false, nil
	}
	switch {
	case a.Kind == rsp.Step && a.Thread == s.view.reported && a.Thread != s.view.user && s.hits.removed[o.pc] &&
		!o.stepped:
		o.stepped = true
		stop = s.pretend(a.Thread, o.pc)
		s.hits.pretended.pc = o.pc - s.align()
		return stop, true, nil
	case a.Kind == rsp.Continue && o.stepped && s.hits.breakpoints[o.pc] != nil:
		s.hits.pretended = pretence{}
		return s.reportHit(o), true, nil
	}
	return rsp.Stop{}, false, nil
}

// mayDecline is the offer that a step back of the user's own lane may decline;
// nil if it does not.
func (s *Session) mayDecline(a rsp.Action) *declinedOffer {
	o := s.hits.offer
	if o == nil || s.view.presented || o.lanes == 0 || !o.stands() || a.Kind != rsp.Step ||
		a.Thread != s.view.reported {
		return nil
	}
	return &declinedOffer{o, s.past.Now()}
}

// stoppedBack composes the stop of going back.
func (s *Session) stoppedBack(back *backward, found bool, current rsp.ThreadID, console io.Writer) rsp.Stop {
	if !s.view.alive(current) {
		current = s.view.somebody()
	}
	if back.by != nil {
		back.by = s.view.now(back.by)
	}
	for _, r := range back.defects {
		r.Wave = s.view.now(r.Wave)
	}
	switch {
	case !found:
		stop := s.stopped(current, rsp.SIGTRAP)
		stop.Cause = rsp.CauseReplayBegin
		return stop
	case back.wave != nil:
		if back.at == s.past.Now() { // where the program stopped on its way forward
			for _, r := range back.defects {
				s.tellDefect(r, console)
			}
		}
		if back.watch != nil {
			return s.watchStop(current, back.watch.Watchpoint)
		}
		return s.stopped(current, rsp.SIGTRAP)
	case len(back.defects) > 0:
		for _, r := range back.defects[1:] {
			s.tellDefect(r, console)
		}
		return s.stoppedAtDefect(back.defects[0], console)
	case back.watch != nil:
		return s.watchStop(threadOf(back.by, s.view.among(back.by, back.lanes)), back.watch.Watchpoint)
	}
	s.hits.offer = &offer{wave: back.by, pc: back.by.PC, lanes: back.lanes}
	if w, lane, err := s.view.lane(s.view.user); err == nil && w == back.by && back.lanes>>lane&1 != 0 {
		s.view.report(s.view.user) // it is the one to be offered first
	}
	return s.reportHit(s.hits.offer)
}

// backward looks for where going back ends. It implements simt.Visitor.
type backward struct {
	*Session
	present uint64

	wave *simt.Wave // bs: an instruction that a lane of it executes
	lane int

	// What was found last, and by whom: by bs, the watchpoint that its instruction meets.
	by      *simt.Wave
	lanes   uint64
	watch   *watch
	watched [][]byte // watched objects in registers, before the instruction

	passed  []*check.Report // by the instruction under way
	defects []*check.Report // what was found last, if these are that, or bs has passed
	at      uint64          // the time behind the instruction that they are of
}

// Observe implements simt.Observer.
func (b *backward) Observe(a *simt.Access) bool {
	for _, p := range b.watches.all {
		if p.object == nil && p.sees(a) {
			b.watches.touch(p, a)
		}
	}
	return false
}

// Before implements simt.Visitor.
func (b *backward) Before(w *simt.Wave) bool {
	b.passed, b.watches.touches = nil, b.watches.touches[:0]
	for i, p := range b.watches.all {
		if p.object != nil {
			b.watched[i] = b.objectNow(p)
		}
	}
	if b.wave == nil || w.ID != b.wave.ID || w.Active()>>b.lane&1 == 0 {
		return false
	}
	b.watch = nil
	return true
}

// meets finds what the instruction that w has executed does to what is watched, and by which lanes.
func (b *backward) meets(w *simt.Wave) (p *watch, lanes uint64) {
	for _, t := range b.watches.touches {
		if t.wave == w && (t.before == nil || !bytes.Equal(t.before, b.watches.value(t.watch, w, t.lanes))) {
			p, lanes = t.watch, t.lanes
		}
	}
	for i, o := range b.watches.all {
		if o.object == nil {
			continue
		}
		if now := b.objectNow(o); now != nil && b.watched[i] != nil && !bytes.Equal(now, b.watched[i]) {
			p, lanes = o, 1<<o.object.lane
		}
	}
	return p, lanes
}

// After implements simt.Visitor. What is watched is found before it changes, and
// a breakpoint when a wave comes to it, and a defect when it has happened, which
// is where it stops on its way forward.
func (b *backward) After(w *simt.Wave) (before, after bool) {
	now := b.past.Now()
	defect := len(b.passed) > 0 && (b.wave != nil || now < b.present)
	if defect {
		b.defects, b.at = b.passed, now
	}
	p, lanes := b.meets(w)
	switch {
	case b.wave != nil:
		if p != nil && w.ID == b.wave.ID && lanes>>b.lane&1 != 0 {
			b.watch = p
		}
		return false, false
	case p != nil:
		b.by, b.lanes, b.watch, before = w, lanes, p, true
	}
	switch {
	case defect:
		return before, true
	case before:
		b.defects = nil
	}
	if w.State != simt.Ready || b.hits.breakpoints[w.PC] == nil || w.Active() == 0 {
		return before, false
	}
	b.frames.forget()
	if hit := b.triggers(w, w.Active()); hit != 0 {
		b.by, b.lanes, b.watch, b.defects, after = w, hit, nil, nil, true
	}
	return before, after
}

// objectNow reads a watched object that is in registers.
func (b *backward) objectNow(p *watch) []byte {
	b.frames.forget()
	return b.watches.read(p.object, p.Watchpoint)
}

// errNoHistory refuses what needs a history.
func errNoHistory() error {
	return refuse(rsp.ENOSYS, "no history is kept (serve --history on)")
}
