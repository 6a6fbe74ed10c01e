package stub

import (
	"simtgdb/simt"
	"simtgdb/stub/unwind"
)

// A frameCache keeps the frames of lanes while nothing changes.
type frameCache struct{ lanes map[laneKey][]unwind.Frame }

type laneKey struct {
	wave *simt.Wave
	lane int
}

func (c *frameCache) forget() { clear(c.lanes) }

// lanesFrames returns the frames of a lane, innermost first.
func (s *Session) lanesFrames(w *simt.Wave, lane int) ([]unwind.Frame, error) {
	k := laneKey{w, lane}
	if f, ok := s.frames.lanes[k]; ok {
		return f, nil
	}
	f, err := unwind.Frames(w, lane, s.providers)
	if len(f) == 0 {
		return nil, err
	}
	if s.frames.lanes == nil {
		s.frames.lanes = map[laneKey][]unwind.Frame{}
	}
	s.frames.lanes[k] = f
	return f, nil
}
