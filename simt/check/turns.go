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
// turns knows of these. Only of several waves that have read what another one writes a report may
// name another than it would.

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
	runs []quietRun
	rows []quietRow
}

// foreseenTurns is what is foreseen of the turns of a workgroup.
type foreseenTurns struct {
	turnReads          // the last time that was told of, or foreseen
	by        []uint64 // how much further on each row is the next time

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

// byWave puts runs of the same waves one behind the other: in which order waves had a turn is no matter.
func (t *turnReads) byWave() {
	type run struct {
		quietRun
		rows []quietRow
	}
	all, from := make([]run, len(t.runs)), int32(0)
	for i, r := range t.runs {
		all[i] = run{r, t.rows[from:r.upTo]}
		from = r.upTo
	}
	wave := func(a, b run) int { return cmp.Compare(a.wave, b.wave) }
	if slices.IsSortedFunc(all, wave) {
		return
	}
	slices.SortStableFunc(all, wave)
	var rows []quietRow
	for i := range all {
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
	for _, w := range of.Waves {
		s := c.known(w)
		if s == nil {
			return false
		}
		knows := func(r *quietRun) bool {
			return int(r.wave) == s.id || s.knows[globalPlane].at(c.depth, int(r.wave)) >= r.clock
		}
		for i := range runs {
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
			turnReads: turnReads{slices.Clone(f.runs), slices.Clone(f.rows)}})
		for i := range f.rows {
			f.rows[i].at += uint64(n) * f.by[i]
		}
	}
	f.group.marks = f.group.marks[:0]
	f.mark = c.turnMark()
	c.fits()
}

// A quietAgain is runs that waves of a workgroup have made again some times, behind others, each time as much
// further on as the rows say.
type quietAgain struct {
	turnReads
	by     []uint64
	times  int
	behind int // runs
}

// bytes is how many bytes it takes.
func (a *quietAgain) bytes() int {
	return len(a.runs)*int(unsafe.Sizeof(quietRun{})) +
		len(a.rows)*int(unsafe.Sizeof(quietRow{})+unsafe.Sizeof(a.by[0]))
}

// hearAgain looks at what has been read again.
func (c *Checker) hearAgain(a *quietAgain, heard map[int32]*epoch) {
	waves := make([]*wave, len(a.runs))
	for i := range a.runs {
		waves[i] = a.runs[i].waveAt(c.epoch(&a.runs[i], heard))
	}
	for range a.times {
		at := 0
		for i := range a.rows {
			a.rows[i].at += a.by[i]
		}
		for i := range a.runs {
			r := &a.runs[i]
			c.hearLoads(waves[i], r, a.rows[at:r.upTo])
			at = int(r.upTo)
		}
	}
}
