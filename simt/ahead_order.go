package simt

import "slices"

// An order puts the turns of strands into the order of [Machine.Advance].
type order struct {
	*ahead
	core Core
	log  func(logged)

	resident []*strand
	waves    int // of them
	group    int // whose turn is next: the strand, its wave, and the number of that among all waves
	wave     int
	turn     int
	next     int // workgroup to start
	rest     int // turns that are left
	short    int // turns that strands may still make up for
	executed uint64
	retired  Stats
	perGroup int
}

// mostShort is how many turns are made up for, at most, for each that was made ahead: a workgroup that
// has begun before its time may never come to it.
const mostShort = 8

// order puts all turns into order, makes up for those that are missing, and makes the machine what it
// then is.
func (a *ahead) order(core Core, log func(logged)) (ok bool, err error) {
	m := a.m
	o := &order{ahead: a, core: core, log: log, resident: a.running, waves: len(m.waves), next: m.next,
		perGroup: m.wavesPerGroup()}
	for turn := min(m.turn, len(m.waves)); o.turn < turn; {
		o.pass()
	}
	for _, s := range a.running {
		o.rest += s.rest()
	}
	for _, s := range a.early {
		o.rest += s.rest()
	}
	o.short = mostShort*o.rest + a.rounds*o.waves
	for o.rest > 0 {
		if ok, err := o.advance(); !ok {
			return false, err
		}
	}
	m.groups, m.waves = nil, nil
	for _, s := range o.resident {
		m.groups = append(m.groups, s.Workgroup)
		m.waves = append(m.waves, s.Waves...)
	}
	m.next, m.turn = o.next, o.turn
	m.executed += o.executed
	m.retired.add(o.retired)
	return true, nil
}

// pass goes on to the next wave.
func (o *order) pass() {
	o.turn++
	if o.wave++; o.wave == o.resident[o.group].waves {
		o.group, o.wave = o.group+1, 0
	}
}

// advance makes the next turn.
func (o *order) advance() (ok bool, err error) {
	for range o.waves {
		if o.group == len(o.resident) {
			o.group, o.wave, o.turn = 0, 0, 0
		}
		s, i := o.resident[o.group], o.wave
		o.pass()
		count := uint64(0)
		switch {
		case s.rest() > 0 && int(s.turns[s.used].wave) == i:
			count = uint64(s.turns[s.used].count)
			s.used++
			o.rest--
		case s.rest() > 0 || s.Waves[i].State != Ready:
			continue // a wave that has to wait
		default:
			if o.short--; o.short < 0 {
				return false, nil
			}
			if count, ok = o.ahead.turn(o.core, s, s.Waves[i], 1); !ok {
				return false, nil
			}
			o.meet(s)
		}
		id := s.index*o.perGroup + i
		if s.ended && s.rest() == 0 {
			if err := o.retire(s); err != nil {
				return false, err
			}
		}
		o.executed += count
		o.log(logged{count: count, wave: id, turn: o.turn})
		return true, nil
	}
	return false, nil
}

// retire takes away a strand that has ended, and has others start in its place.
func (o *order) retire(s *strand) error {
	i := slices.Index(o.resident, s)
	o.resident = slices.Delete(o.resident, i, i+1)
	o.waves -= s.waves
	o.retired.add(s.stats)
	if s.Workgroup != nil {
		o.m.ended = append(o.m.ended, s.Workgroup)
		o.m.release()
	}
	o.group, o.wave, o.turn = 0, 0, 0
	for o.next < o.m.groupCount() && (o.waves == 0 || o.waves+o.perGroup <= o.m.Resident) {
		s := o.early[o.next]
		if s == nil {
			var err error
			if s, err = o.start(o.next); err != nil {
				return err
			}
		}
		o.next++
		o.resident = append(o.resident, s)
		o.waves += s.waves
	}
	return nil
}
