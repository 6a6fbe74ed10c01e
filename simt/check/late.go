package check

import (
	"math/bits"

	"simtgdb/simt"
)

// Reads of LDS that come when nobody has written to it since all waves of the workgroup met at a barrier are
// in conflict with nothing. Only who writes before the next such barrier must know of them: so they are kept
// as they are, and looked at then, or forgotten. Cores that translate code keep them themselves
// ([simt.Postponer]).

// late are such reads of a workgroup.
type late struct {
	records []simt.LoadRecord
	used    int // of records
	runs    []lateRun
	written bool // somebody has written since all met: reads are looked at as they come
}

// A lateRun is records that a wave made in a row, with what was so meanwhile.
type lateRun struct {
	upTo  int // of records
	w     *wave
	wave  *simt.Wave
	at    *epoch
	sides sides
	chain int32
	tell  func(r *simt.LoadRecord, each func(a *simt.Access)) // nil for records of keepLate
}

// mostLate is how many records there may be. More are looked at.
const mostLate = 2048

// A lateSite is what keepLate knows of an instruction.
type lateSite struct {
	pc            uint64
	size          int
	near, inOrder bool
	unmarked      bool
}

// Room implements simt.Postponer.
func (c *Checker) Room(w *simt.Wave, space simt.Space) []simt.LoadRecord {
	if space != simt.LDS || c.kinds&Race == 0 {
		return nil
	}
	g := c.group(w.Group)
	if !c.postpones(g) || c.kinds&Uninit != 0 && !g.whole && !c.old[w.Group.Index] {
		return nil
	}
	return c.room(g)
}

// postpones reports whether reads of a workgroup's LDS need not be looked at now.
func (c *Checker) postpones(g *group) bool {
	return !c.strict && !c.portable && !g.late.written && !g.shared && len(c.copies.of) == 0
}

// room is where records of a workgroup go.
func (c *Checker) room(g *group) []simt.LoadRecord {
	l := &g.late
	if l.records == nil {
		if l.records, c.spare = c.spare, nil; l.records == nil {
			l.records = make([]simt.LoadRecord, mostLate)
		}
	}
	if l.used == len(l.records) {
		c.settle(g)
	}
	return l.records[l.used:]
}

// Loaded implements simt.Postponer.
func (c *Checker) Loaded(w *simt.Wave, _ simt.Space, filled []simt.LoadRecord,
	tell func(r *simt.LoadRecord, each func(a *simt.Access))) {
	if c.kinds&Race == 0 { // what is known took too much memory meanwhile
		return
	}
	s, g := c.wave(w), c.group(w.Group)
	if &filled[0] != &g.late.records[g.late.used] { // others have been looked at meanwhile
		copy(g.late.records[g.late.used:], filled)
	}
	chain := c.chains.of(w, firstLane(w))
	first := true
	for range filled {
		c.goes(s, g.late.records[g.late.used].Active, w.Valid)
		g.note(s, w, chain, first, tell)
		first = false
	}
}

// goes notes which lanes execute now, in the wave's epoch.
func (c *Checker) goes(w *wave, active, valid uint64) {
	w.sides.at(active, valid)
	if w.now.side != w.sides.now {
		now := c.renew(w)
		now.side, now.lanes = w.sides.now, w.sides.present()
	}
}

// note counts the next record. apart says that it does not belong to the run before it.
func (g *group) note(s *wave, w *simt.Wave, chain int32, apart bool,
	tell func(r *simt.LoadRecord, each func(a *simt.Access))) {
	l := &g.late
	s.touches(ldsPlane)
	l.used++
	if n := len(l.runs); !apart && n > 0 && l.runs[n-1].at == s.now {
		l.runs[n-1].upTo = l.used
		return
	}
	l.runs = append(l.runs, lateRun{l.used, s, w, s.now, s.sides, chain, tell})
}

// touches notes that a wave accesses a memory.
func (w *wave) touches(plane int) {
	w.dirty[plane], w.fresh, w.held = true, false, true
	if plane == ldsPlane {
		w.lastLDS = w.now.clock
	}
}

// readsQuietly is touches for reads that are kept with the epoch's numbers.
func (w *wave) readsQuietly() { w.dirty[globalPlane], w.fresh = true, false }

// keepLate keeps a read for later.
func (c *Checker) keepLate(w *wave, g *group, a *simt.Access) {
	r := &c.room(g)[0]
	at := lateSite{a.PC, a.Size, a.Near, a.InOrder, a.Unmarked}
	r.Site, r.Lanes, r.Active = c.lateSite(at), a.Lanes, a.Wave.Active()
	for i := range r.Rows[:(bits.Len64(a.Lanes)+1)/2] {
		r.Rows[i] = a.Addr[2*i]&0xffffffff | a.Addr[2*i+1]<<32
	}
	chain := c.chains.of(a.Wave, bits.TrailingZeros64(a.Lanes))
	apart := true
	if n := len(g.late.runs); n > 0 {
		last := &g.late.runs[n-1]
		apart = last.tell != nil || last.chain != chain
	}
	g.note(w, a.Wave, chain, apart, nil)
}

// lateSite is the number of what is known of an instruction.
func (c *Checker) lateSite(at lateSite) uint64 {
	recent := &c.recentLate[recently(at.pc)]
	if i := int(*recent); i < len(c.lateSites) && c.lateSites[i] == at {
		return uint64(i)
	}
	i, ok := c.lateSiteOf[at]
	if !ok {
		if c.lateSiteOf == nil {
			c.lateSiteOf = map[lateSite]int{}
		}
		i = len(c.lateSites)
		c.lateSites, c.lateSiteOf[at] = append(c.lateSites, at), i
	}
	*recent = int32(i)
	return uint64(i)
}

// tellLate makes an access of a record of keepLate.
func (c *Checker) tellLate(r *simt.LoadRecord, each func(a *simt.Access)) {
	s := &c.lateSites[r.Site]
	var addr [simt.MaxLanes]uint64
	for i, v := range r.Rows {
		addr[2*i], addr[2*i+1] = v&0xffffffff, v>>32
	}
	each(&simt.Access{PC: s.pc, Space: simt.LDS, Read: true, Size: s.size, Near: s.near, InOrder: s.inOrder,
		Unmarked: s.unmarked,
		Lanes:    r.Lanes, Addr: &addr})
}

// settle looks at what has been kept.
func (c *Checker) settle(g *group) {
	l := &g.late
	at := 0
	for i := range l.runs {
		run := &l.runs[i]
		w := run.w
		now, sides := w.now, w.sides
		w.now, w.sides = run.at, run.sides
		tell := run.tell
		if tell == nil {
			tell = c.tellLate
		}
		for ; at < run.upTo; at++ {
			tell(&l.records[at], func(a *simt.Access) {
				a.Wave = run.wave
				c.bySource(a)
				r := &c.racing
				*r = racing{Checker: c, w: w, a: a, plane: ldsPlane,
					me: tag(c.siteIn(a, run.chain) << laneBits), width: 1, memory: g.lds}
				r.lanes()
			})
		}
		w.now, w.sides = now, sides
	}
	l.forget()
}

// forget empties it.
func (l *late) forget() {
	clear(l.runs)
	l.used, l.runs = 0, l.runs[:0]
}

// settleAll is settle for all workgroups.
func (c *Checker) settleAll() {
	for _, g := range c.groups {
		c.settle(g)
	}
}

// allMeet reports whether some waves are all of a workgroup, and what they have done in LDS is in what they
// are going to know.
func (c *Checker) allMeet(waves []*simt.Wave, known *clocks) bool {
	if len(waves) != len(waves[0].Group.Waves) {
		return false
	}
	for _, w := range waves {
		if w.State == simt.Ended || known.at(c.depth, w.ID) < c.wave(w).lastLDS {
			return false
		}
	}
	return true
}
