package simt

import (
	"slices"
	"unsafe"
)

// A queue is whose turn it is, of strands that are resident: as [Machine.Advance] has it.
type queue struct {
	resident []*strand
	waves    int       // of them
	perGroup int       // waves of a whole workgroup
	most     int       // waves that may be resident
	groups   int       // workgroups in all
	next     int       // workgroup to start
	coming   []early   // those that have been started already, in their order,
	at       int       // and how many of these have all become resident
	spare    []*strand // that are used no more, of workgroups that are alike
}

// before is how many waves there are before those of the resident strand with an index.
func (q *queue) before(index int) (n int) {
	for _, s := range q.resident[:index] {
		n += s.waves
	}
	return n
}

// place is where the turn with a number is: the index of the resident strand, and its wave.
func (q *queue) place(turn int) (group, wave int) {
	for group < len(q.resident) && turn >= q.resident[group].waves {
		turn -= q.resident[group].waves
		group++
	}
	if group == len(q.resident) {
		return 0, 0
	}
	return group, turn
}

// retire takes away the resident strand with an index, which has ended, and has others start in its place.
func (q *queue) retire(index int, start func(index int) (*strand, error)) error {
	gone := q.resident[index]
	q.waves -= gone.waves
	if gone.alike {
		q.spare = append(q.spare, gone)
	}
	q.resident = slices.Delete(q.resident, index, index+1)
	for q.next < q.groups && (q.waves == 0 || q.waves+q.perGroup <= q.most) {
		s, err := q.comes(start)
		if err != nil {
			return err
		}
		q.next++
		q.resident = append(q.resident, s)
		q.waves += s.waves
	}
	return nil
}

// comes is the strand of the next workgroup, which is started if it has not been.
func (q *queue) comes(start func(index int) (*strand, error)) (*strand, error) {
	for q.at < len(q.coming) && q.coming[q.at].end() <= q.next {
		q.at++
	}
	if q.at == len(q.coming) || q.coming[q.at].index > q.next {
		s, err := start(q.next)
		if err != nil {
			return nil, err
		}
		q.coming = slices.Insert(q.coming, q.at, early{q.next, 1, s})
	}
	s := q.coming[q.at].strand
	if s.alike {
		s = q.one(s, q.next)
	}
	return s, nil
}

// end is the index of the workgroup behind them.
func (e *early) end() int { return e.index + e.count }

// one is the strand of one workgroup, of an index, of those that are alike.
func (q *queue) one(of *strand, index int) *strand {
	n := len(q.spare)
	if n == 0 {
		n = 1
		q.spare = append(q.spare, &strand{})
	}
	s := q.spare[n-1]
	q.spare = q.spare[:n-1]
	*s = *of
	s.index = index
	return s
}

// An order puts the turns of strands into the order of [Machine.Advance]: a pass over the waves of one strand
// at a time, since the machine needs to know only when strands end.
type order struct {
	*ahead
	queue
	core Core

	group   int // whose turn is next, among the resident
	rest    int // passes that are left, of all strands
	short   int // turns that strands may still make up for
	last    int // Machine.turn after the last turn
	retired Stats
}

// mostShort is how many turns are made up for, at most, for each that was made ahead: a workgroup that
// has begun before its time may never come to it.
const mostShort = 8

// order puts all turns into order, makes up for those that are missing, and makes the machine what it
// then is.
func (a *ahead) order(core Core, note func(*stretch)) (ok bool, err error) {
	m := a.m
	o := &order{ahead: a, core: core, queue: queue{resident: a.running, waves: len(m.waves), next: m.next,
		coming: a.early, perGroup: m.wavesPerGroup(), most: m.Resident, groups: m.groupCount()}}
	began := &stretch{queue: o.queue, turn: m.turn}
	began.resident = slices.Clone(o.resident)
	if o.over() {
		o.retireAll()
	} else if ok, err := o.passes(); !ok {
		return false, err
	}
	m.groups, m.waves = nil, nil
	for _, s := range o.resident {
		m.groups = append(m.groups, s.Workgroup)
		m.waves = append(m.waves, s.Waves...)
	}
	m.next, m.turn = o.next, o.last
	began.coming = o.coming
	began.close()
	m.executed += began.insts
	m.retired.add(o.retired)
	if note != nil {
		note(began)
	}
	return true, nil
}

// over reports whether all workgroups that there are have come to their ends.
func (o *order) over() bool {
	next := o.next
	for _, e := range o.coming {
		if e.index != next || !e.ended {
			return false
		}
		next = e.end()
	}
	return next == o.groups && !slices.ContainsFunc(o.resident, func(s *strand) bool { return !s.ended })
}

// retireAll takes away all workgroups, in whatever order they have ended.
func (o *order) retireAll() {
	for _, s := range o.resident {
		o.retired.add(s.stats)
		if s.Workgroup != nil {
			o.m.ended = append(o.m.ended, s.Workgroup)
		}
	}
	for _, e := range o.coming {
		o.retired.Waves += e.stats.Waves * uint64(e.count)
		o.retired.Insts += e.stats.Insts * uint64(e.count)
		o.retired.LaneInsts += e.stats.LaneInsts * uint64(e.count)
	}
	o.m.release()
	o.resident, o.next, o.last = nil, o.groups, 0
}

// passes makes all passes.
func (o *order) passes() (ok bool, err error) {
	o.short = o.rounds * o.waves
	for _, s := range o.resident {
		o.rest += s.passes
		o.short += mostShort * len(s.turns)
	}
	for _, e := range o.coming {
		o.rest += e.passes * e.count
		o.short += mostShort * len(e.turns) * e.count
	}
	var wave int
	o.last = o.m.turn
	for o.group, wave = o.place(o.m.turn); o.rest > 0; wave = 0 {
		o.skip()
		if ok, err := o.pass(wave); !ok {
			return false, err
		}
	}
	return true, nil
}

// skip makes those passes over all strands after which none ends and none is short of turns.
func (o *order) skip() {
	if o.group != 0 {
		return
	}
	n := o.rest
	for _, s := range o.resident {
		n = min(n, s.passes-1)
	}
	if n > 0 {
		for _, s := range o.resident {
			s.passes -= n
		}
		o.rest -= n * len(o.resident)
	}
}

// pass makes the next strand's turns, from those of a wave on.
func (o *order) pass(wave int) (ok bool, err error) {
	s, at := o.resident[o.group], o.before(o.group)
	taken := s.passes > 0 && (wave == 0 || int(s.turns[0].wave) >= wave)
	if taken {
		s.passes--
		o.rest--
	}
	// The next slot is behind the last turn in the same pass, or in another one, which may have begun with
	// waves that had no turn.
	whole := taken && s.next <= int(s.turns[len(s.turns)-1].wave)
	if s.passes == 0 && !s.ended && !whole {
		had := len(s.turns)
		if o.together(o.core, s, s.waves-s.next) == 0 || len(s.turns) == had && !taken && wave == 0 {
			return false, nil // something happens, or nothing ever will
		}
		s.passes = 0
		if o.short -= len(s.turns) - had; o.short < 0 {
			return false, nil
		}
	}
	if s.passes == 0 && len(s.turns) > 0 {
		o.last = at + int(s.turns[len(s.turns)-1].wave) + 1
	}
	if o.group++; o.group == len(o.resident) {
		o.group = 0
	}
	if s.passes > 0 || !s.ended {
		return true, nil
	}
	o.retired.add(s.stats)
	if s.Workgroup != nil {
		o.m.ended = append(o.m.ended, s.Workgroup)
		o.m.release()
	}
	o.group, o.last = 0, 0
	return true, o.retire(slices.Index(o.resident, s), o.start)
}

// A stretch is what AdvanceFar has executed, as its strands have noted it: much less than a log, which can be
// made of it.
type stretch struct {
	queue
	turn  int // Machine.turn when it began
	insts uint64
	turns int
	size  uint64 // how many bytes it takes
}

// close forgets what only matters to who executes, and counts.
func (f *stretch) close() {
	f.size = uint64(len(f.coming)) * uint64(unsafe.Sizeof(early{}))
	for _, s := range f.resident {
		f.count(s, 1)
	}
	for _, e := range f.coming {
		f.count(e.strand, e.count)
	}
}

// count counts so many workgroups that a strand is of.
func (f *stretch) count(s *strand, workgroups int) {
	s.Workgroup = nil
	if !s.counted {
		s.counted = true
		f.size += uint64(unsafe.Sizeof(*s)) + uint64(len(s.turns))*uint64(unsafe.Sizeof(strandTurn{}))
	}
	f.turns += workgroups * len(s.turns)
	insts := uint64(0)
	for _, t := range s.turns {
		insts += uint64(t.count)
	}
	f.insts += uint64(workgroups) * insts
}

// log gives its turns one by one, in their order. It can be called once.
func (f *stretch) log(give func(logged)) {
	group, wave := f.place(f.turn)
	used := map[*strand]int{}
	for left := f.turns; left > 0; {
		s := f.resident[group]
		at, n := f.before(group), used[s]
		for ; n < len(s.turns) && int(s.turns[n].wave) >= wave; n++ {
			t := s.turns[n]
			wave = int(t.wave) + 1
			left--
			turn := at + wave
			if n+1 == len(s.turns) && s.ended {
				turn = 0
			}
			give(logged{count: uint64(t.count), wave: s.index*f.perGroup + int(t.wave), turn: turn})
		}
		used[s] = n
		wave = 0
		if n == len(s.turns) && s.ended {
			delete(used, s)      // it may be another's
			f.retire(group, nil) // all that will be resident are there
			group = 0
		} else if group++; group == len(f.resident) {
			group = 0
		}
	}
}
