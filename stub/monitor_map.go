package stub

import (
	"fmt"
	"io"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/lanemap"
)

// maxMapped is how many waves a map shows.
const maxMapped = 256

// monitorMap draws where all lanes stand.
func (s *Session) monitorMap(args []string, out io.Writer) error {
	m, err := s.Map()
	switch {
	case err != nil:
		return err
	case len(args) == 0:
		return m.Text(out)
	case len(args) == 1 && args[0] == "svg":
		return m.SVG(out)
	}
	return rsp.EINVAL.Errorf("monitor map [svg]")
}

// Map is a map of the resident waves, the lanes at one line alike.
func (s *Session) Map() (*lanemap.Map, error) {
	current, marked, err := s.view.lane(s.view.current())
	if err != nil {
		return nil, err
	}
	m := &lanemap.Map{}
	places := map[lanemap.Place]int{}
	waves := s.machine.Waves()
	for _, w := range waves[:min(len(waves), maxMapped)] {
		row := lanemap.Wave{Number: w.ID, Group: w.Group.ID, Marked: -1, Lanes: make([]lanemap.Lane, w.Size)}
		if w == current {
			row.Marked = marked
		}
		switch w.State {
		case simt.AtBarrier:
			row.Note = "waits at a barrier"
		case simt.Faulted:
			row.Note = "faulted"
		}
		simt.Lanes(w.Valid, func(l int) {
			place := s.linePlace(w.LanePC(l))
			n, known := places[place]
			state := s.mapState(w, l)
			if !known && state != lanemap.Ended {
				n = len(m.Places)
				places[place] = n
				m.Places = append(m.Places, place)
			}
			row.Lanes[l] = lanemap.Lane{State: state, Place: n}
		})
		m.Waves = append(m.Waves, row)
	}
	return m, nil
}

// mapState is what a lane does.
func (s *Session) mapState(w *simt.Wave, lane int) lanemap.State {
	switch {
	case w.EndedLanes()>>lane&1 != 0:
		return lanemap.Ended
	case w.State == simt.Faulted && s.fault.Fault != nil && s.fault.Wave == w &&
		s.fault.Fault.Lanes>>lane&1 != 0:
		return lanemap.Faulted
	case w.Active()>>lane&1 != 0:
		return lanemap.Active
	}
	return lanemap.Off
}

// linePlace is the line of an address, or the address where no line is known.
func (s *Session) linePlace(pc uint64) lanemap.Place {
	p, ok := s.prog.Source.At(pc)
	if !ok {
		return lanemap.Place{Name: fmt.Sprintf("%#x", pc)}
	}
	return lanemap.Place{Name: p.String(), File: p.File, Line: int(p.Line)}
}
