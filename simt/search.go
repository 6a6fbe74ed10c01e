package simt

import (
	"errors"
	"sort"
)

// Searching the past: a History executes stretches of it again, the latest first, and shows them to a
// visitor.

// A Visitor looks at instructions while the past is executed again: at each of some waves; of others at the
// first of each turn, at those with a breakpoint, and at those at which the visitor stops the wave as an
// [Observer], which it is told of accesses to memory as.
type Visitor interface {
	Observer
	// Each reports whether it looks at each instruction of a wave.
	Each(w *Wave) bool
	// Before reports whether the time is looked for, at which w is about to execute an instruction.
	Before(w *Wave) bool
	// After says the same when w has executed the instruction: of the time before it, and of the time after
	// it. The event is what the instruction ended with.
	After(w *Wave, ev Event) (before, after bool)
}

// ErrInterrupted says that a search of the past was given up.
var ErrInterrupted = errors.New("interrupted")

// pollEvery is after how many instructions a search asks whether it is to be given up.
const pollEvery = 1024

// Back goes to the last time before the present that the visitor looks for. It shows the visitor a
// stretch of the past, in the order of time, and then the stretch before it. ok is
// false if there is none such: the time is then the beginning. The error is [ErrInterrupted] if interrupted
// says so, which may be nil; the time is then the earliest that nothing was found after.
func (h *History) Back(v Visitor, interrupted func() bool) (ok bool, err error) {
	if err := h.prove(); err != nil {
		return false, err
	}
	present, limit := h.now, h.now
	if err := h.approach(); err != nil {
		return false, err
	}
	for i := sort.Search(len(h.marks), func(i int) bool { return h.marks[i].at >= limit }) - 1; i >= 0; i-- {
		s := search{History: h, visitor: v, present: present, interrupted: interrupted}
		if err := h.restore(h.marks[i]); err != nil {
			return false, err
		}
		err := h.quietly(func() error { return s.until(limit) })
		if err == nil {
			err = h.arrived()
		}
		switch {
		case errors.Is(err, ErrInterrupted):
			return false, errors.Join(h.Goto(limit), err)
		case err != nil:
			return false, err
		case s.hit:
			return true, s.arrive(h.marks[i].at)
		}
		limit = h.marks[i].at
	}
	return false, h.Goto(h.Begin())
}

// approach makes marks close to the present, and closer ones still: who goes back an instruction at a time,
// as clients do that step back over a line, does not then pass over a long stretch each time.
func (h *History) approach() error {
	present := h.now
	for _, near := range []uint64{h.distance() / 8, h.distance() / 64, h.distance() / 512} {
		if present < near || present-h.markBefore(present).at <= 2*near || present-h.Begin() <= near {
			continue
		}
		if err := h.Goto(present - near); err != nil {
			return err
		}
		h.mark()
	}
	return nil
}

// A search is the pass of a visitor over a stretch of the past.
type search struct {
	*History
	visitor     Visitor
	present     uint64
	interrupted func() bool
	found       uint64
	hit         bool
}

// until passes over the instructions from the present to a time. Breakpoints count meanwhile.
func (s *search) until(limit uint64) error {
	s.m.observers = append(s.m.observers, observerOf(s.visitor))
	s.m.quiet = false
	defer func() { s.m.quiet = true }()
	for polled := s.now; s.now < limit; {
		if s.now-polled >= pollEvery {
			if polled = s.now; s.interrupted != nil && s.interrupted() {
				return ErrInterrupted
			}
		}
		if err := s.visit(min(limit-s.now, pollEvery)); err != nil {
			return err
		}
	}
	return nil
}

// arrive goes to the time that was found in a stretch. Where that is where the stretch begins, the visitor
// has not seen the instruction before it.
func (s *search) arrive(begin uint64) error {
	found := s.found
	if found > begin || found == s.Begin() {
		return s.Goto(found)
	}
	if err := s.Goto(found - 1); err != nil {
		return err
	}
	return s.quietly(func() error { return s.until(found) })
}

// visit passes over up to n instructions of the wave whose turn it is, and shows the first and the last of
// them.
func (s *search) visit(n uint64) error {
	s.retry()
	at, w := s.now, s.m.waveOf(s.entry().wave)
	if w != nil {
		if s.visitor.Each(w) {
			n = 1
		}
		if s.visitor.Before(w) {
			s.found, s.hit = at, true
		}
		w.SkipBreak = true
	}
	ev, err := s.follow(nil, n)
	if err != nil {
		return err
	}
	if s.now == at {
		return nil
	}
	before, after := s.visitor.After(w, ev)
	if before {
		s.found, s.hit = s.now-1, true
	}
	if after && s.now < s.present {
		s.found, s.hit = s.now, true
	}
	return nil
}
