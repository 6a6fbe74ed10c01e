package stub

import (
	"bytes"
	"slices"

	"simtgdb/rsp"
	"simtgdb/simt"
)

// Watchpoints. While there are any, waves run instruction by instruction, and
// after each what is watched is read again: slow, but nothing is missed, and an
// object in registers can be watched like one in memory. Only a change is seen,
// as gdb's `watch` asks for; `rwatch` and `awatch` are refused.

// A watch is one watchpoint.
type watch struct {
	rsp.Watchpoint
	call   *simt.Call // that made the frame whose object is watched
	values map[laneKey][]byte
}

// A watchedPlace is where a watchpoint leads in a wave: an address in an
// aperture of the GPU means something else to each lane or workgroup.
type watchedPlace struct {
	key    laneKey
	addr   uint64
	thread rsp.ThreadID // of the lane that has it; AnyThread: the wave's lanes share it
}

// A change is a watchpoint that has to be reported.
type change struct {
	addr   uint64
	wave   *simt.Wave
	thread rsp.ThreadID
}

// maxWatched is how large an object can be watched.
const maxWatched = 4096

// InsertWatchpoint implements rsp.Watchpointer.
func (s *Session) InsertWatchpoint(p rsp.Watchpoint) error {
	if p.Kind != rsp.WatchWrite {
		return refuse(rsp.ENOSYS, "only changes of a value can be watched")
	}
	if p.Size <= 0 || p.Size > maxWatched {
		return refuse(rsp.EINVAL, "%d bytes cannot be watched", p.Size)
	}
	w := watch{Watchpoint: p}
	w.call, _ = s.callOf(p.Address)
	s.readWatched(&w)
	if len(w.values) == 0 {
		return refuse(rsp.EFAULT, "cannot access memory at %#x", p.Address)
	}
	s.watches = append(s.watches, w)
	return nil
}

// RemoveWatchpoint implements rsp.Watchpointer.
func (s *Session) RemoveWatchpoint(p rsp.Watchpoint) error {
	for i := range s.watches {
		if s.watches[i].Watchpoint == p {
			s.watches = slices.Delete(s.watches, i, i+1)
			break
		}
	}
	return nil
}

// callOf is the call that made the frame that an address of a frame window lies
// in; ok is false where there is no such frame.
func (s *Session) callOf(addr uint64) (call *simt.Call, ok bool) {
	kind, owner, offset := splitWindow(addr)
	if kind != frameWindow {
		return nil, true
	}
	w, lane, err := s.lane(rsp.ThreadID(owner))
	depth, _, in := splitFrame(offset)
	if err != nil || !in || w.Track == nil || depth > w.Track.Innermost[lane].Count() {
		return nil, false
	}
	return w.Track.Innermost[lane].At(depth - 1), true
}

// placesIn finds where a watchpoint leads in a wave.
func (s *Session) placesIn(p *watch, w *simt.Wave) []watchedPlace {
	kind, owner, _ := splitWindow(p.Address)
	group := laneKey{w.Group.Waves[0], -1}
	switch kind {
	case frameWindow, scratchWindow:
		if o, lane, err := s.lane(rsp.ThreadID(owner)); err == nil && o == w {
			return []watchedPlace{{laneKey{w, lane}, p.Address, rsp.ThreadID(owner)}}
		}
		return nil
	case ldsWindow:
		if w.Group.Index&ownerMask == owner {
			return []watchedPlace{{group, p.Address, rsp.AnyThread}}
		}
		return nil
	}
	space, offset, ok := s.arch.Aperture(p.Address)
	switch {
	case ok && space == simt.LDS:
		return []watchedPlace{{group, window(ldsWindow, w.Group.Index, offset), rsp.AnyThread}}
	case ok:
		var places []watchedPlace
		simt.Lanes(w.Valid, func(l int) {
			t := threadOf(w, l)
			places = append(places, watchedPlace{laneKey{w, l}, window(scratchWindow, int(t), offset), t})
		})
		return places
	}
	return []watchedPlace{{laneKey{}, p.Address, rsp.AnyThread}}
}

// readPlace reads what is watched; nil if it is not there, or its frame is gone.
func (s *Session) readPlace(p *watch, at watchedPlace) []byte {
	if call, ok := s.callOf(at.addr); !ok || call != p.call {
		return nil
	}
	buf := make([]byte, p.Size)
	if n, err := s.ReadMemory(rsp.AnyThread, at.addr, buf); err != nil || n < len(buf) {
		return nil
	}
	return buf
}

// readWatched reads what a watchpoint watches in all waves.
func (s *Session) readWatched(p *watch) {
	p.values = map[laneKey][]byte{}
	for _, w := range s.machine.Waves() {
		for _, at := range s.placesIn(p, w) {
			if v := s.readPlace(p, at); v != nil {
				p.values[at.key] = v
			}
		}
	}
}

// rewatch reads all that is watched anew: the client may have written it.
func (s *Session) rewatch() {
	for i := range s.watches {
		s.readWatched(&s.watches[i])
	}
}

// noteChanges compares what is watched after a wave has executed an
// instruction.
func (s *Session) noteChanges(w *simt.Wave) {
	if len(s.watches) == 0 {
		return
	}
	s.frames.forget()
	for i := range s.watches {
		p := &s.watches[i]
		for _, at := range s.placesIn(p, w) {
			now, before := s.readPlace(p, at), p.values[at.key]
			c := change{p.Address, w, at.thread}
			if now != nil && before != nil && !bytes.Equal(now, before) && !slices.Contains(s.changes, c) {
				s.changes = append(s.changes, c)
			}
			p.values[at.key] = now
		}
	}
}

// reportChange reports a change that is due, one of the current lane's first:
// while a lane is stepped, one of its own only. Changes of what is no longer
// watched are forgotten.
func (s *Session) reportChange(stepped rsp.ThreadID) (rsp.Stop, bool) {
	s.changes = slices.DeleteFunc(s.changes, func(c change) bool {
		return !slices.ContainsFunc(s.watches, func(w watch) bool { return w.Address == c.addr })
	})
	chosen, thread := -1, rsp.AnyThread
	for i, c := range s.changes {
		t := c.thread
		if t == rsp.AnyThread {
			t = s.activeLane(c.wave)
		}
		if stepped != rsp.AnyThread && t != stepped {
			continue
		}
		if chosen < 0 || t == s.current() {
			chosen, thread = i, t
		}
	}
	if chosen < 0 {
		return rsp.Stop{}, false
	}
	c := s.changes[chosen]
	s.changes = slices.Delete(s.changes, chosen, chosen+1)
	if !s.ThreadAlive(thread) {
		thread = s.somebody()
	}
	stop := s.stopped(thread, rsp.SIGTRAP)
	stop.Cause, stop.Address = rsp.CauseWatch, c.addr
	return stop, true
}
