package stub

import (
	"maps"
	"slices"

	"simtgdb/rsp"
)

// known are the registers that gdb keeps. It forgets those of the threads that it resumes (target_resume, gdb
// 12 to 17), but a lane takes its siblings along, and going to another time moves them all: resumed alone,
// over a breakpoint or under scheduler-locking, it would leave gdb with old places and values of those that
// the user has looked at.
//
// One kind of stop has gdb resume another thread than the one that it steps, without a word to the user: that
// libraries may have been loaded (handle_inferior_event, TARGET_WAITKIND_LOADED). So the stop that there is
// waits, gdb is told of libraries in a lane whose registers are out of date, resumes all lanes, or that lane
// alone if it locks the others, and so forgets them; then it has the stop.
type known struct {
	read    map[rsp.ThreadID]uint64 // when gdb read a thread's registers: how much its wave had executed
	pending *rsp.Stop               // what gdb is told when it has forgotten what is out of date
	told    rsp.ThreadID            // of which thread it was told while that waits
}

// keeps notes that gdb is given registers of a thread.
func (s *Session) keeps(t rsp.ThreadID) {
	w, _, err := s.view.Find(t)
	if err != nil || s.nonStop.on {
		return
	}
	if s.known.read == nil {
		s.known.read = map[rsp.ThreadID]uint64{}
	}
	s.known.read[t] = w.Insts
}

// stale finds a thread whose registers have changed since gdb read them. The one that has stopped is none:
// gdb has resumed it.
func (s *Session) stale(stopped rsp.ThreadID) (rsp.ThreadID, bool) {
	for _, t := range slices.Sorted(maps.Keys(s.known.read)) {
		if w, _, err := s.view.Find(t); err != nil || !s.view.Alive(t) {
			delete(s.known.read, t)
		} else if t != stopped && w.Insts != s.known.read[t] {
			return t, true
		}
	}
	return rsp.AnyThread, false
}

// refreshing resumes by a function, and has gdb forget what is then out of date.
func (s *Session) refreshing(r rsp.Resumption, resume func() (rsp.Stop, error)) (rsp.Stop, error) {
	if s.nonStop.on {
		return resume()
	}
	if locks(r) {
		for _, a := range r.Actions {
			delete(s.known.read, a.Thread)
		}
	} else {
		clear(s.known.read)
	}
	delete(s.known.read, s.known.told)
	if s.known.pending == nil {
		stop, err := resume()
		if err != nil || stop.Kind != rsp.Stopped || stop.Program != "" {
			return stop, err
		}
		s.known.pending = &stop
	}
	stop := *s.known.pending
	if t, ok := s.stale(stop.Thread); ok {
		s.known.told = t
		return rsp.Stop{Kind: rsp.Stopped, Signal: rsp.SIGTRAP, Thread: t, Cause: rsp.CauseLibrary,
			Registers: s.facade.Expedited()}, nil
	}
	s.known.pending, s.known.told = nil, rsp.AnyThread
	s.keeps(stop.Thread)
	return stop, nil
}
