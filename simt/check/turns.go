package check

import (
	"cmp"
	"slices"
	"unsafe"

	"simtgdb/simt"
)

// Where all waves of a workgroup meet at a barrier, all that they have done in LDS is in order with all that
// they do there from then on: so what they do up to the next barrier, a turn, is judged by itself, and turns
// in which they do the same are judged alike. A core that sees that they do need not tell of them
// (simt.TurnForeseer). What they read of global memory meanwhile is kept as what the told turns have read,
// some times again: nobody else has run, and the last time is told of, so that whoever comes to know of those
// turns knows of these. Each time is looked at as one of its own, in which waves know of the times before it
// what they knew of the told turns once these were over: so of several readers the same are kept as if they
// were told of.

// A turnMark is how much was kept of quiet reads when all waves of a workgroup met.
type turnMark struct {
	runs, rows, skipped int
	since               uint32
}

// mostMarks is how many of a workgroup are kept.
const mostMarks = 16

// turnMark is one of now.
func (c *Checker) turnMark() turnMark {
	q := &c.unheard
	return turnMark{q.runs.len(), q.rows.len(), c.skipped, q.since}
}

// mark notes that all waves have met.
func (g *group) mark(m turnMark) {
	if len(g.marks) == mostMarks {
		g.marks = append(g.marks[:0], g.marks[mostMarks/2:]...)
	}
	g.marks = append(g.marks, m)
}

// turnReads are what has been read in some turns.
type turnReads struct {
	runs  []quietRun // those of a wave one behind the other
	rows  []quietRow
	order []int32 // in which runs were made; nil if they lie so
}

// foreseenTurns is what is foreseen of the turns of a workgroup.
type foreseenTurns struct {
	turnReads           // the last time that was told of, or foreseen
	by        []uint64  // how much further on each row is the next time
	knows     []*clocks // what the wave of each run knows behind these turns, of global memory

	before turnReads // room for the time before that

	group *group // of which it is, by its number, and of how many turns
	index int
	turns int
	mark  turnMark // when they had been foreseen
	on    bool     // and nothing else has been told of since
}

// ForeseeTurns implements simt.TurnForeseer.
func (c *Checker) ForeseeTurns(of *simt.Workgroup, turns, n int) int {
	g, f := c.groups[of.Index], &c.turns
	if c.kinds&Race == 0 || !c.hearsLater() || c.stream.any() || g == nil || g.shared ||
		c.kinds&Uninit != 0 && (len(c.blank) > 0 || !g.whole && !c.old[of.Index]) ||
		g.late.written || len(g.late.runs) > 0 || !c.learnTurns(of, g, turns) {
		f.on = false
		return 0
	}
	return c.readTurns(n)
}

// learnTurns finds what the waves of a workgroup have read in their last turns, and how much further on that
// is than the time before. It reports whether that is known, and all of them know of it.
func (c *Checker) learnTurns(of *simt.Workgroup, g *group, turns int) bool {
	f, now := &c.turns, c.turnMark()
	on := f.on && f.group == g && f.index == of.Index && f.turns == turns && len(g.marks) == turns &&
		f.mark.skipped == now.skipped && f.mark.since == now.since
	from := f.mark
	f.before, f.turnReads = f.turnReads, f.before
	if !on {
		if len(g.marks) <= 2*turns {
			return false
		}
		marks := g.marks[len(g.marks)-1-2*turns:]
		if marks[0].skipped != now.skipped || marks[0].since != now.since {
			return false
		}
		from = marks[turns]
		f.before.take(c, marks[0], now)
		f.before.runs = f.before.runs[:from.runs-marks[0].runs]
		f.before.rows = f.before.rows[:from.rows-marks[0].rows]
	}
	f.take(c, from, now)
	f.before.byWave()
	f.byWave()
	f.group, f.index, f.turns = g, of.Index, turns
	return f.learn(of) && c.knowOf(of, f.runs, f.before.runs)
}

// take makes it what has been read from one mark up to another, which is now.
func (t *turnReads) take(c *Checker, from, now turnMark) {
	t.runs = c.unheard.runs.tail(t.runs[:0], now.runs-from.runs)
	t.rows = c.unheard.rows.tail(t.rows[:0], now.rows-from.rows)
	for i := range t.runs {
		t.runs[i].upTo -= int32(from.rows)
	}
}

// byWave puts runs of the same waves one behind the other, so that they can be compared in whichever order
// waves had a turn.
func (t *turnReads) byWave() {
	type run struct {
		quietRun
		rows []quietRow
		made int32
	}
	all, from := make([]run, len(t.runs)), int32(0)
	for i, r := range t.runs {
		all[i] = run{r, t.rows[from:r.upTo], int32(i)}
		from = r.upTo
	}
	t.order = nil
	wave := func(a, b run) int { return cmp.Compare(a.wave, b.wave) }
	if slices.IsSortedFunc(all, wave) {
		return
	}
	slices.SortStableFunc(all, wave)
	var rows []quietRow
	t.order = make([]int32, len(all))
	for i := range all {
		t.order[all[i].made] = int32(i)
		rows = append(rows, all[i].rows...)
		t.runs[i] = all[i].quietRun
		t.runs[i].upTo = int32(len(rows))
	}
	t.rows = rows
}

// learn works out how much further on rows are. It reports whether they differ in nothing else.
func (f *foreseenTurns) learn(of *simt.Workgroup) bool {
	if len(f.runs) != len(f.before.runs) || len(f.rows) != len(f.before.rows) {
		return false
	}
	for i := range f.runs {
		r, was := &f.runs[i], &f.before.runs[i]
		if r.loads < 0 || r.loads != was.loads || r.wave != was.wave || int(r.group) != of.Index ||
			r.chain != was.chain || r.lanes != was.lanes || r.upTo != was.upTo || r.parts != nil {
			return false
		}
	}
	f.by = f.by[:0]
	for i := range f.rows {
		r, was := &f.rows[i], f.before.rows[i]
		f.by = append(f.by, r.at-was.at)
		if was.at = r.at; *r != was {
			return false
		}
	}
	return true
}

// knowOf reports whether all waves of a workgroup know of each other's reads, or know of none of these turns:
// then they come to know of all at once.
func (c *Checker) knowOf(of *simt.Workgroup, runs, before []quietRun) bool {
	f := &c.turns
	f.knows = slices.Grow(f.knows[:0], len(runs))[:len(runs)]
	for _, w := range of.Waves {
		s := c.known(w)
		if s == nil {
			return false
		}
		knows := func(r *quietRun) bool {
			return int(r.wave) == s.id || s.knows[globalPlane].at(c.depth, int(r.wave)) >= r.clock
		}
		for i := range runs {
			if int(runs[i].wave) == s.id {
				f.knows[i] = s.knows[globalPlane]
			}
			if knows(&before[i]) != knows(&runs[i]) {
				return false
			}
		}
	}
	return true
}

// piece is a row as a piece of what loads read.
func (r *quietRow) piece() simt.Piece {
	return simt.Piece{Row: uint8(r.size), At: r.at, Step: r.step, Skip: r.skip, First: r.first, Many: r.many,
		Times: r.times, Apart: r.apart}
}

// readTurns notes what is read the next n times, and says of how many of them that is in order with all else.
func (c *Checker) readTurns(n int) int {
	f := &c.turns
	pieces := func(each func(row *simt.LoadRow, p simt.Piece, by uint64) bool) {
		at := 0
		for i := range f.runs {
			r := &f.runs[i]
			for ; at < int(r.upTo); at++ {
				p := f.rows[at].piece()
				p.At += f.by[at]
				if !each(&c.loads[r.loads].Rows[p.Row], p, f.by[at]) {
					n = 0
					return
				}
			}
		}
	}
	pieces(func(row *simt.LoadRow, p simt.Piece, by uint64) bool {
		e, in := p.Group(row), streamPlace{}
		e.Hi += p.Further()
		if !c.inRegion(&in, e) {
			return false
		}
		n = min(n, staysFor(in.region, e, by))
		return true
	})
	if n > 0 {
		pieces(func(row *simt.LoadRow, p simt.Piece, by uint64) bool { return c.readAhead(row, p, by, n) })
	}
	return n
}

// ForeseenTurns implements simt.TurnForeseer.
func (c *Checker) ForeseenTurns(n int) {
	f, q := &c.turns, &c.unheard
	if f.on = n > 0; f.on && len(f.runs) > 0 {
		q.again = append(q.again, quietAgain{behind: q.runs.len(), times: n, by: slices.Clone(f.by),
			knows: slices.Clone(f.knows), goesOn: f.goesOn(),
			turnReads: turnReads{slices.Clone(f.runs), slices.Clone(f.rows), slices.Clone(f.order)}})
		for i := range f.rows {
			f.rows[i].at += uint64(n) * f.by[i]
		}
	}
	f.group.marks = f.group.marks[:0]
	f.mark = c.turnMark()
	c.fits()
}

// goesOn is for each run the number of the one in whose epoch, a time before, it is; -1 for none.
func (f *foreseenTurns) goesOn() []int32 {
	on := make([]int32, len(f.runs))
	last := len(f.runs) - 1 // of the wave
	for i := len(f.runs) - 1; i >= 0; i-- {
		r := &f.runs[i]
		if r.wave != f.runs[last].wave {
			last = i
		}
		if on[i] = -1; r.sameEpoch(&f.before.runs[last]) {
			on[i] = int32(last)
		}
	}
	return on
}

// A quietAgain is runs that waves of a workgroup have made again some times, behind others, each time as much
// further on as the rows say.
type quietAgain struct {
	turnReads
	by     []uint64
	knows  []*clocks
	goesOn []int32
	times  int
	behind int // runs
}

// bytes is how many bytes it takes.
func (a *quietAgain) bytes() int {
	const run = unsafe.Sizeof(quietRun{}) + unsafe.Sizeof(a.knows[0]) + unsafe.Sizeof(a.goesOn[0]) +
		unsafe.Sizeof(a.order[0])
	return len(a.runs)*int(run) + len(a.rows)*int(unsafe.Sizeof(quietRow{})+unsafe.Sizeof(a.by[0]))
}

// A foreseenTime is of a wave whose turn has been foreseen which time that is, from 1 on, and what the wave
// knows of the times before it; 0 if it has been told of.
type foreseenTime struct {
	number uint32
	knows  *clocks
}

// after reports whether an epoch is of another time, and known of behind that.
func (t *foreseenTime) after(depth int, e *epoch) bool {
	return e.at != t.number && e.clock <= t.knows.at(depth, int(e.wave))
}

// hearAgain looks at what has been read again.
func (c *Checker) hearAgain(a *quietAgain, heard map[int32]*epoch) {
	waves, order := make([]*wave, len(a.runs)), a.order
	for i := range a.runs {
		waves[i] = a.runs[i].waveAt(c.epoch(&a.runs[i], heard))
		if a.order == nil {
			order = append(order, int32(i))
		}
	}
	for time := range a.times {
		for i := range a.rows {
			a.rows[i].at += a.by[i]
		}
		a.begin(uint32(time+1), waves)
		for _, i := range order {
			from := int32(0)
			if i > 0 {
				from = a.runs[i-1].upTo
			}
			c.hearLoads(waves[i], &a.runs[i], a.rows[from:a.runs[i].upTo])
		}
	}
}

// begin gives waves of runs, as they were the time before, their epochs of a time.
func (a *quietAgain) begin(time uint32, waves []*wave) {
	was := make([]*epoch, len(waves))
	for i, w := range waves {
		was[i], w.time = w.now, foreseenTime{time, a.knows[i]}
	}
	for i, w := range waves {
		switch on := a.goesOn[i]; {
		case on >= 0:
			w.now = was[on]
		case i > 0 && a.runs[i].sameEpoch(&a.runs[i-1]):
			w.now = waves[i-1].now
		default:
			e := *was[i]
			e.at, w.now = time, &e
		}
	}
}

// sameEpoch reports whether two runs are of one epoch.
func (r *quietRun) sameEpoch(other *quietRun) bool {
	return (r.serial^other.serial)&^heardBit == 0 && r.wave == other.wave
}
