package simttest

import (
	"fmt"

	"simtgdb/simt"
)

// A TurnSeer is a Seer of turns as well.
type TurnSeer struct {
	Seer
	room  []simt.LoadRecord // for loads from LDS, if it is told of them later
	wrong func(text string)
	met   map[int][]metAt // where waves met
	group *simt.Workgroup
	turns int
	Asked int // how often to foresee turns
}

// NewTurnSeer makes one, as NewSeer does, which has room for so many loads from LDS that it is told of later.
// What is foreseen wrongly is told.
func NewTurnSeer(refuses uint64, room int, wrong func(text string)) *TurnSeer {
	s := &TurnSeer{Seer: *NewSeer(refuses), wrong: wrong, met: map[int][]metAt{}}
	if room > 0 {
		s.room = make([]simt.LoadRecord, room)
	}
	return s
}

// A TurnFollower is a TurnSeer that follows what values contain, and what is undefined, and, if asked for,
// which objects are accessed.
type TurnFollower struct {
	*TurnSeer
	Objects bool
}

// Follows implements simt.Follower.
func (f TurnFollower) Follows() simt.Following {
	return simt.Following{Values: true, Objects: f.Objects, Undefined: true}
}

// Used implements simt.Follower.
func (TurnFollower) Used(*simt.Use) bool { return false }

// A metAt is how much had been seen of a wave, and where fences were, when it met others.
type metAt struct{ seen, places int }

// Arrived implements simt.Orderer.
func (s *TurnSeer) Arrived(ev simt.Event) {
	of := s.wave(ev.Wave.ID)
	of.all = append(of.all, seen{pc: ev.PC, places: of.place(), what: seenBarrier})
}

// Opened implements simt.Orderer.
func (s *TurnSeer) Opened(met simt.Meeting) {
	for _, w := range met.Waves {
		of := s.wave(w.ID)
		of.all = append(of.all, seen{places: of.place(), what: seenMeeting})
		s.met[w.ID] = append(s.met[w.ID], metAt{len(of.all), of.places})
	}
}

// Room implements simt.Postponer.
func (s *TurnSeer) Room(*simt.Wave, simt.Space) []simt.LoadRecord { return s.room }

// Loaded implements simt.Postponer.
func (s *TurnSeer) Loaded(w *simt.Wave, _ simt.Space, filled []simt.LoadRecord,
	tell func(r *simt.LoadRecord, each func(a *simt.Access))) {
	for i := range filled {
		tell(&filled[i], func(a *simt.Access) {
			a.Wave = w
			s.Observe(a)
		})
	}
}

// lastTurns is what a wave has done in its last turns, so many, and in as many before them.
func (s *TurnSeer) lastTurns(id, turns int) (before, last []seen, places int) {
	of, met := s.wave(id), s.met[id]
	n := len(met) - 1
	if n < 2*turns || met[n].seen != len(of.all) {
		s.wrong(fmt.Sprintf("%d turns of wave %d are foreseen, of %d", turns, id, n))
	}
	a, b := met[n-2*turns], met[n-turns]
	return of.all[a.seen:b.seen], of.all[b.seen:], of.places - b.places
}

// ForeseeTurns implements simt.TurnForeseer.
func (s *TurnSeer) ForeseeTurns(g *simt.Workgroup, turns, n int) int {
	for _, w := range g.Waves {
		before, last, _ := s.lastTurns(w.ID, turns)
		if len(before) != len(last) {
			s.wrong(fmt.Sprintf("%d of wave %d are foreseen as %d", len(last), w.ID, len(before)))
		}
		for i, was := range before {
			now := last[i]
			if was.places = now.places; now.space == simt.Global {
				was.at = now.at
			}
			if was != now {
				s.wrong(fmt.Sprintf("of wave %d it is foreseen that it does %+v as %+v", w.ID, now,
					before[i]))
			}
		}
	}
	s.group, s.turns = g, turns
	s.Asked++
	return min(n, s.Asked*7%13)
}

// ForeseenTurns implements simt.TurnForeseer.
func (s *TurnSeer) ForeseenTurns(n int) {
	for range n {
		for _, w := range s.group.Waves {
			of := s.wave(w.ID)
			before, last, places := s.lastTurns(w.ID, s.turns)
			from := len(of.all) - len(last)
			for i, now := range last {
				now.at += now.at - before[i].at
				now.places += int32(places)
				of.all = append(of.all, now)
			}
			met := s.met[w.ID]
			for _, m := range met[len(met)-s.turns:] {
				m.seen += len(of.all) - from - len(last)
				m.places += places
				s.met[w.ID] = append(s.met[w.ID], m)
			}
			of.places += places
			s.Foretold++
		}
	}
}
