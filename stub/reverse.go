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
	"simtgdb/stub/threads"
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
	sources     map[string][]byte
	leap        uint64 // the time that the next resumption goes to, if leaps
	leaps       bool

	endStop      EndStop
	stoppedAtEnd bool // the stop before the end was: the next resumption ends the program
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
	s.past = past{limit: bytes, endStop: s.past.endStop}
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

// Rewind goes to the beginning of the history, as if nothing had been executed since.
func (s *Session) Rewind() error {
	if s.past.History == nil {
		return errNoHistory()
	}
	s.frames.Forget()
	defer s.frames.Forget()
	s.ended, s.past.stoppedAtEnd = false, false
	return s.past.Goto(s.past.Begin())
}

// AtBeginning reports whether the history begins with the program, and the session is there.
func (s *Session) AtBeginning() bool {
	return s.past.History != nil && s.past.Begin() == 0 && s.past.Now() == 0
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
		p.forgets()
	}
}

// forgets forgets checkpoints of a future that is forgotten.
func (p *past) forgets() {
	p.checkpoints = slices.DeleteFunc(p.checkpoints, func(c checkpoint) bool { return c.at > p.End() })
}

// redone is a write that is made again in a session. It implements simt.Change.
type redone struct {
	*Session
	Write
}

func (r redone) Size() int { return len(r.Data) + 64 }

func (r redone) Redo() error {
	r.frames.Forget()
	defer r.frames.Forget()
	if r.Memory {
		return r.writeMemory(r.Thread, r.Where, r.Data)
	}
	w, lane, err := r.view.Find(r.Thread)
	if err != nil {
		return err
	}
	if r.Where >= uint64(len(r.registers)) {
		return rsp.EINVAL.Errorf("no register has number %d", r.Where)
	}
	return r.writeRegister(w, lane, &r.registers[r.Where], r.Data)
}

// replaying reports whether the program goes through its past.
func (p *past) replaying() bool { return p.History != nil && p.Replaying() }

// stepWave executes up to n instructions of a wave.
func (m *motion) stepWave(w *simt.Wave, n uint64) (simt.Event, error) {
	if m.past.History != nil {
		return m.past.StepWave(w, n)
	}
	return m.machine.StepWave(w, n)
}

// advance executes up to n instructions of the next wave.
func (m *motion) advance(n uint64) (simt.Event, error) {
	if m.past.History != nil {
		return m.past.Advance(n)
	}
	return m.machine.Advance(n)
}

// ResumeBackward implements rsp.Reverser.
func (s *Session) ResumeBackward(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	return s.refreshing(r, func() (rsp.Stop, error) { return s.backward(ctx, r) })
}

func (s *Session) backward(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	if s.past.History == nil {
		return rsp.Stop{}, errNoHistory()
	}
	s.past.stoppedAtEnd = false
	s.frames.Forget()
	defer s.frames.Forget()
	a := r.Actions[0]
	if s.view.presented || s.view.user == rsp.AnyThread {
		s.view.user = s.view.current()
	}
	current := s.view.current()
	if a.Kind == rsp.Step {
		current = a.Thread
	}
	stop, ok, err := s.leap(current, false, r.Console)
	if !ok && err == nil {
		stop, ok, err = s.nextOfferBack(a, r.Console)
	}
	if !ok && err == nil {
		stop, err = s.goBackTo(ctx, r, current)
	}
	if s.diverges(err, r.Console) {
		stop, err = s.stopped(s.view.somebody(), rsp.SIGTRAP), nil
	}
	if err != nil {
		return rsp.Stop{}, err
	}
	s.last, s.view.presented = stop, false
	return stop, nil
}

// diverges tells of an error that says that the program has gone another way than before. From there it goes
// on turn by turn, which comes again.
func (m *motion) diverges(err error, console io.Writer) bool {
	var d *simt.Diverged
	if !errors.As(err, &d) {
		return false
	}
	m.past.forgets()
	m.workers = 1
	fmt.Fprintf(console, "%v: waves race for memory (--check=race says where). What came after is "+
		"forgotten, and the program goes on from here, one wave at a time.\n", d)
	return true
}

// goBackTo goes back to the last time at which there is something to stop for, and makes a stop of it.
func (s *Session) goBackTo(ctx context.Context, r rsp.Resumption, current rsp.ThreadID) (rsp.Stop, error) {
	a := r.Actions[0]
	declined := s.mayDecline(a)
	s.hits.forget()
	s.hits.declined = declined
	back := &backward{motion: &s.motion, present: s.past.Now(), watched: make([][]byte, len(s.watches.all))}
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
	} else {
		s.hits.resume()
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
	s.frames.Forget()
	switch {
	case ctx.Err() != nil:
		return rsp.Stop{}, ctx.Err()
	case errors.Is(err, simt.ErrInterrupted):
		if !s.view.Alive(current) {
			current = s.view.somebody()
		}
		return s.stopped(current, rsp.SIGINT), nil
	case err != nil:
		return rsp.Stop{}, err
	}
	stop := s.stoppedBack(back, found, current, r.Console)
	if !found && back.wave != nil && locks(r) {
		stop = s.stepsNoFurther(stop, r.Console)
	}
	if !found && s.past.Begin() > 0 {
		fmt.Fprintf(r.Console, "The history goes back to time %d; what was before was given up to keep it "+
			"in %s (serve --history SIZE).\n", s.past.Begin(), inBytes(s.past.limit))
	}
	return stop, nil
}

// stepsNoFurther is the stop of one lane that is stepped back, all others held, where the history begins. gdb
// does so over a breakpoint. Heard it then that there is no more history it would believe for ever that this
// step is under way, and resume nothing any more (gdb 13.1, handle_inferior_event of
// TARGET_WAITKIND_NO_HISTORY leaves step_over_info as it is). So its words are said here, and the stop is one
// without a signal.
func (m *motion) stepsNoFurther(stop rsp.Stop, console io.Writer) rsp.Stop {
	// A client that has gone is noticed elsewhere.
	io.WriteString(console, "\nNo more reverse-execution history.\n")
	stop.Signal, stop.Cause = rsp.SignalNone, rsp.CauseNone
	return stop
}

// A declinedOffer is an offer in the past whose lane gdb steps back over the
// breakpoint: because it has declined it, or because it is the lane that the user
// goes back in (reverse-finish).
type declinedOffer struct {
	*offer
	at      uint64 // the time of the hit
	besides []pastStop
}

// nextOfferBack is nextOffer for going back: when gdb has declined the lane that
// was reported, it steps it back over the breakpoint and then lets all go back.
// What else there was at the same time is reported before that.
func (m *motion) nextOfferBack(a rsp.Action, console io.Writer) (stop rsp.Stop, ok bool, err error) {
	o, d := m.hits.offer, m.hits.declined
	if d != nil && !m.view.presented && a.Kind == rsp.Continue && m.hits.breakpoints[d.pc] != nil {
		if err := m.past.Goto(d.at); err != nil {
			return rsp.Stop{}, false, err
		}
		m.hits.forget()
		m.hits.offer, m.hits.besides = d.offer, d.besides
		if d.lanes != 0 {
			return m.reportHit(d.offer), true, nil
		}
		return m.nextBesides(console), true, nil
	}
	if o != nil && !m.view.presented && o.stands() && m.mayOffer(o) {
		switch {
		case a.Kind == rsp.Step && a.Thread == m.view.reported && a.Thread != m.view.user &&
			m.hits.removed[o.pc] && !o.stepped:
			o.stepped = true
			stop = m.pretend(a.Thread, o.pc)
			m.hits.pretended.pc = o.pc - m.align()
			return stop, true, nil
		case a.Kind == rsp.Continue && o.stepped && o.lanes != 0 && m.hits.breakpoints[o.pc] != nil:
			m.hits.pretended = pretence{}
			return m.reportHit(o), true, nil
		}
	}
	if a.Kind == rsp.Continue && m.mayOffer(nil) {
		return m.nextBesides(console), true, nil
	}
	return rsp.Stop{}, false, nil
}

// mayOffer reports whether there is more to report of the present than was: lanes of an offer, if it is not
// nil, or what else there was.
func (m *motion) mayOffer(o *offer) bool {
	return o != nil && o.lanes != 0 ||
		len(m.hits.besides) > 0 && m.hits.besides[0].at == m.past.Now()
}

// nextBesides reports what else there was at the present.
func (m *motion) nextBesides(console io.Writer) rsp.Stop {
	n := len(m.hits.besides) - 1
	f := m.hits.besides[n]
	m.hits.besides = m.hits.besides[:n]
	m.hits.offer, m.hits.pretended = nil, pretence{}
	return m.reportPast(f, console)
}

// mayDecline is the offer that a step back of the user's own lane may decline;
// nil if it does not.
func (m *motion) mayDecline(a rsp.Action) *declinedOffer {
	o := m.hits.offer
	if o == nil || m.view.presented || !m.mayOffer(o) || !o.stands() || a.Kind != rsp.Step ||
		a.Thread != m.view.reported {
		return nil
	}
	return &declinedOffer{o, m.past.Now(), m.hits.besides}
}

// stoppedBack composes the stop of going back.
func (m *motion) stoppedBack(back *backward, found bool, current rsp.ThreadID, console io.Writer) rsp.Stop {
	if !m.view.Alive(current) {
		current = m.view.somebody()
	}
	for i := range back.stops { // waves may have been made anew
		f := &back.stops[i]
		f.wave = m.view.Now(f.wave)
		for _, r := range f.defects {
			r.Wave = m.view.Now(r.Wave)
		}
	}
	switch {
	case !found:
		stop := m.stopped(current, rsp.SIGTRAP)
		stop.Cause = rsp.CauseReplayBegin
		return stop
	case back.wave != nil:
		for _, f := range back.stops {
			if f.at == m.past.Now() { // where the program stopped on its way forward
				m.tellDefects(f.defects, console)
			}
		}
		if back.watch != nil {
			return m.watchStop(current, back.watch.Watchpoint)
		}
		return m.stopped(current, rsp.SIGTRAP)
	}
	m.hits.besides = back.stops
	return m.nextBesides(console)
}

// reportPast makes a stop of what was found in the past.
func (m *motion) reportPast(f pastStop, console io.Writer) rsp.Stop {
	switch {
	case f.watch != nil:
		return m.watchStop(threads.Of(f.wave, m.view.among(f.wave, f.lanes)), f.watch.Watchpoint)
	case len(f.defects) > 0:
		m.tellDefects(f.defects[1:], console)
		return m.stoppedAtDefect(f.defects[0], console)
	case f.trap.Kind == simt.TrapEvent:
		f.trap.Wave = f.wave
		return m.stoppedAtTrap(f.trap, console)
	}
	m.hits.offer = &offer{wave: f.wave, pc: f.wave.PC, lanes: f.lanes}
	if w, lane, err := m.view.lane(m.view.user); err == nil && w == f.wave && f.lanes>>lane&1 != 0 {
		m.view.report(m.view.user) // it is the one to be offered first
	}
	return m.reportHit(m.hits.offer)
}

// A pastStop is what going back stops for: a watchpoint, defects, a trap, or else a breakpoint.
type pastStop struct {
	at      uint64
	wave    *simt.Wave
	lanes   uint64
	watch   *watch
	defects []*check.Report
	trap    simt.Event
}

// backward looks for where going back ends. It implements simt.Visitor.
type backward struct {
	*motion
	present uint64

	wave *simt.Wave // bs: an instruction that a lane of it executes
	lane int

	stops   []pastStop // of the latest time at which there are any; of bs the defects that it has passed
	watch   *watch     // bs: what its instruction meets
	watched [][]byte   // watched objects in registers, before the instruction

	passed  []*check.Report // by the instruction under way
	waiting []*simt.Wave    // at barriers, before it
	last    int             // the ID of the wave that has begun last, before it
}

// stop notes what going back may stop for.
func (b *backward) stop(f pastStop) {
	switch {
	case len(b.stops) > 0 && f.at < b.stops[0].at:
		return
	case len(b.stops) > 0 && f.at > b.stops[0].at:
		b.stops = b.stops[:0]
	}
	b.stops = append(b.stops, f)
}

// Observe implements simt.Observer.
func (b *backward) Observe(a *simt.Access) bool { return b.watches.Observe(a) }

// Wants implements simt.Selective.
func (b *backward) Wants(w *simt.Wave, space simt.Space, write bool) bool {
	return b.watches.Wants(w, space, write)
}

// Within implements simt.Bounded.
func (b *backward) Within(w *simt.Wave, space simt.Space, write bool) simt.Extent {
	return b.watches.Within(w, space, write)
}

// Each implements simt.Visitor: bs looks at what its lane executes, and objects in registers are compared
// after each instruction of their wave, as they are forwards.
func (b *backward) Each(w *simt.Wave) bool {
	return b.wave != nil && w.ID == b.wave.ID ||
		slices.ContainsFunc(b.watches.all, func(p *watch) bool { return p.inRegisters(w) })
}

// inRegisters reports whether an object is watched that is in registers of a wave.
func (p *watch) inRegisters(w *simt.Wave) bool { return p.object != nil && p.object.wave.ID == w.ID }

// Before implements simt.Visitor.
func (b *backward) Before(w *simt.Wave) bool {
	b.passed, b.watches.touches = nil, b.watches.touches[:0]
	for i, p := range b.watches.all {
		if p.inRegisters(w) {
			b.watched[i] = b.objectNow(p, w)
		}
	}
	if b.wave != nil {
		found := w.ID == b.wave.ID && w.Active()>>b.lane&1 != 0
		if found {
			b.watch = nil
		}
		return found
	}
	if len(b.hits.breakpoints) == 0 {
		return false
	}
	waves := b.machine.Waves()
	b.last, b.waiting = waves[len(waves)-1].ID, b.waiting[:0]
	for _, o := range waves {
		if o.State == simt.AtBarrier {
			b.waiting = append(b.waiting, o)
		}
	}
	return b.past.Now() == 0 && b.anyBreaks(waves)
}

// anyBreaks reports whether a breakpoint is met by any of some waves.
func (b *backward) anyBreaks(waves []*simt.Wave) (any bool) {
	for _, w := range waves {
		any = b.breaks(w) || any
	}
	return any
}

// breaks reports whether a breakpoint is met by a wave.
func (b *backward) breaks(w *simt.Wave) bool {
	if b.hits.breakpoints[w.PC] == nil || w.State != simt.Ready || w.Active() == 0 {
		return false
	}
	b.frames.Forget()
	hit := b.triggers(w, w.Active())
	if hit != 0 {
		b.stop(pastStop{at: b.past.Now(), wave: w, lanes: hit})
	}
	return hit != 0
}

// meets finds what the instruction that w has executed does to what is watched, and by which lanes.
func (b *backward) meets(w *simt.Wave) (p *watch, lanes uint64) {
	for _, t := range b.watches.touches {
		if t.wave == w && (t.before == nil || !bytes.Equal(t.before, b.watches.value(&t))) {
			p, lanes = t.watch, t.lanes
		}
	}
	for i, o := range b.watches.all {
		if !o.inRegisters(w) {
			continue
		}
		if now := b.objectNow(o, w); now != nil && b.watched[i] != nil && !bytes.Equal(now, b.watched[i]) {
			p, lanes = o, 1<<o.object.lane
		}
	}
	return p, lanes
}

// After implements simt.Visitor. What is watched is found before it changes, and
// a breakpoint when a wave comes to it, and a defect or trap when it has happened,
// which is where it stops on its way forward.
func (b *backward) After(w *simt.Wave, ev simt.Event) (before, after bool) {
	now := b.past.Now()
	p, lanes := b.meets(w)
	if b.wave != nil {
		if len(b.passed) > 0 {
			b.stop(pastStop{at: now, wave: w, defects: b.passed})
		}
		if p != nil && w.ID == b.wave.ID && lanes>>b.lane&1 != 0 {
			b.watch = p
		}
		return false, false
	}
	if before = p != nil; before {
		b.stop(pastStop{at: now - 1, wave: w, lanes: lanes, watch: p})
	}
	if now == b.present {
		return before, false
	}
	if len(b.passed) > 0 {
		b.stop(pastStop{at: now, wave: w, defects: b.passed})
		after = true
	}
	if ev.Kind == simt.TrapEvent {
		b.stop(pastStop{at: now, wave: w, trap: ev})
		after = true
	}
	return before, b.comes(w) || after
}

// comes reports whether w has come to a breakpoint, or has let others go on that wait before one, or, by its
// end, begin at one.
func (b *backward) comes(w *simt.Wave) bool {
	if len(b.hits.breakpoints) == 0 {
		return false
	}
	met := b.breaks(w)
	met = b.anyBreaks(b.waiting) || met
	if w.State == simt.Ended {
		waves := b.machine.Waves()
		i := slices.IndexFunc(waves, func(o *simt.Wave) bool { return o.ID > b.last })
		if i >= 0 {
			met = b.anyBreaks(waves[i:]) || met
		}
	}
	return met
}

// objectNow reads a watched object that is in registers of a wave.
func (b *backward) objectNow(p *watch, w *simt.Wave) []byte {
	b.frames.Forget()
	return b.watches.readAgain(p.object, w, p.Watchpoint)
}

// errNoHistory refuses what needs a history.
func errNoHistory() error {
	return rsp.ENOSYS.Errorf("no history is kept (serve --history on)")
}
