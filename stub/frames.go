package stub

import (
	"simtgdb/simt"
	"simtgdb/stub/unwind"
)

// A frameCache keeps the frames of lanes while nothing changes.
type frameCache struct{ lanes map[laneKey]unwound }

type laneKey struct {
	wave *simt.Wave
	lane int
}

// unwound are the frames that were found of a lane, at least one, and why
// there are no more if nobody could tell.
type unwound struct {
	frames []unwind.Frame
	failed error
}

func (c *frameCache) forget() { clear(c.lanes) }

// lanesFrames returns the frames of a lane, innermost first: as many as can be
// found.
func (s *Session) lanesFrames(w *simt.Wave, lane int) []unwind.Frame {
	return s.unwind(w, lane).frames
}

// unwind finds the frames of a lane.
func (s *Session) unwind(w *simt.Wave, lane int) unwound {
	k := laneKey{w, lane}
	if u, ok := s.frames.lanes[k]; ok {
		return u
	}
	var u unwound
	u.frames, u.failed = unwind.Frames(w, lane, s.providers)
	if s.frames.lanes == nil {
		s.frames.lanes = map[laneKey]unwound{}
	}
	s.frames.lanes[k] = u
	return u
}
