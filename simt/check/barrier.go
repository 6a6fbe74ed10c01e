package check

import (
	"cmp"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// arrivals are where waves were when they came to a barrier of a workgroup at which they wait, by their
// indexes.
type arrivals []arrival

// An arrival is where a wave came to a barrier, if it has: the instruction, and the calls that it was in
// there, as a number of chains.
type arrival struct {
	pc    uint64
	chain int32
	came  bool
}

const sameBarrier = "Every work-item of the workgroup must come to the same barrier."

// Arrived implements simt.Orderer: of the lanes of a wave all must come together.
func (c *Checker) Arrived(ev simt.Event) {
	if c.kinds&Barrier == 0 {
		return
	}
	w := ev.Wave
	g := c.group(w.Group)
	at := g.barriers[ev.Barrier]
	if at == nil {
		at = make(arrivals, len(w.Group.Waves))
		if g.barriers == nil {
			g.barriers = map[uint8]arrivals{}
		}
		g.barriers[ev.Barrier] = at
	}
	if at[w.Index].came {
		return
	}
	here := ev.Lanes & w.Valid
	if here == 0 {
		here = w.Active()
	}
	at[w.Index] = arrival{ev.PC, c.chains.of(w, bits.TrailingZeros64(cmp.Or(here, w.Valid))), true}
	if missing := w.Valid &^ here; missing != 0 && here != 0 && !ev.Apart {
		r := &Report{Kind: Barrier, Wave: w, Lanes: here, PC: ev.PC,
			What: "a barrier that only some lanes of the wave come to"}
		ended := w.EndedLanes()
		simt.Lanes(missing, func(l int) {
			pc := uint64(0) // of one that has ended
			if ended>>l&1 == 0 {
				pc = w.LanePC(l)
			}
			r.Others = append(r.Others, c.party(w, l, pc))
		})
		r.Advice = sameBarrier
		c.report(r)
	}
}

// Came implements simt.Orderer: what the wave has released is known to those who wait.
func (c *Checker) Came(w *simt.Wave, barrier uint8) {
	if c.kinds&Race == 0 {
		return
	}
	g := c.group(w.Group)
	if g.came == nil {
		g.came = map[uint8]released{}
	}
	g.came[barrier] = c.joinAll(g.came[barrier], c.wave(w).near.of(c.depth, w.ID))
}

// Opened implements simt.Orderer: who waited knows what the others did; and all waves must have come to one
// place, unless the barrier is one for which that is not so.
func (c *Checker) Opened(m simt.Meeting) {
	waves := m.Waves
	if len(waves) == 0 || c.kinds&(Race|Barrier|Uninit) == 0 {
		return
	}
	if m.Cluster {
		c.openedCluster(m)
		return
	}
	g := c.group(waves[0].Group)
	if c.kinds&Uninit != 0 && !g.whole && !c.old[waves[0].Group.Index] {
		c.wholly(g, len(waves[0].Group.LDS))
	}
	if c.kinds&Race != 0 {
		c.meet(waves, g.came[m.Barrier])
	}
	delete(g.came, m.Barrier)
	at := g.barriers[m.Barrier]
	if at.all(m) {
		clear(at)
	} else if slices.ContainsFunc(at, func(a arrival) bool { return a.came }) {
		c.onePlace(m, at)
		clear(at)
	}
}

// all reports whether all waves of a workgroup have come to a barrier in one place, as they mostly do.
func (at arrivals) all(m simt.Meeting) bool {
	if len(m.Waves) != len(at) || !at[0].came {
		return false
	}
	for _, a := range at {
		if a != at[0] {
			return false
		}
	}
	return true
}

// onePlace reports what waves of a workgroup do at an open barrier instead of coming to it in one place: that
// some wait elsewhere, or have ended.
func (c *Checker) onePlace(m simt.Meeting, at arrivals) {
	waves := m.Waves
	first := waves[0]
	for _, w := range waves { // one that opens a barrier by itself has not waited
		if at[w.Index].came {
			first = w
			break
		}
	}
	came := at[first.Index]
	r := &Report{Kind: Barrier, Wave: first, PC: came.pc, Lanes: first.Active()}
	if r.Lanes == 0 {
		r.Lanes = first.Valid
	}
	other := came
	for _, w := range waves {
		if a := at[w.Index]; a.came && a != came && !m.Anywhere {
			party := c.party(w, firstLane(w), a.pc)
			party.Calls = c.chains.sites(a.chain)
			r.Others = append(r.Others, party)
			other = a
		}
	}
	for _, w := range first.Group.Waves {
		if w.State == simt.Ended && !m.Part {
			gone := *r
			gone.What = "a barrier that a wave does not come to: it has ended"
			gone.Advice = sameBarrier
			gone.Others = []Party{c.party(w, firstLane(w), 0)}
			c.report(&gone)
			break
		}
	}
	if len(r.Others) > 0 {
		r.What = "waves of a workgroup wait at different barriers"
		if other.pc == came.pc {
			r.What = "waves of a workgroup wait at a barrier of a function " +
				"that they have called in different places"
		}
		r.Advice = sameBarrier
		c.report(r)
	}
}

// openedCluster is Opened for the barrier of a cluster.
func (c *Checker) openedCluster(m simt.Meeting) {
	if c.kinds&Race != 0 {
		c.meet(m.Waves, released{})
	}
	for _, w := range m.Waves {
		delete(c.group(w.Group).barriers, m.Barrier)
	}
}

func firstLane(w *simt.Wave) int {
	return bits.TrailingZeros64(max(w.Active()&w.Valid, 1))
}

// party is a lane of a wave that is there.
func (c *Checker) party(w *simt.Wave, lane int, pc uint64) Party {
	return Party{Wave: w.ID, Lane: lane, Group: w.Group.ID, Item: w.WorkItem(lane), PC: pc}
}

// Undefined implements simt.Judge.
func (c *Checker) Undefined(u *simt.Undefined) (stop bool) {
	kind := Undefined
	switch {
	case u.Bounds:
		kind = Bounds
	case u.NaN:
		kind = NaN
	}
	if u.Pointer && c.Objects != nil && c.Objects.Unbounded(u.PC) {
		return false
	}
	r := &Report{Kind: kind, Wave: u.Wave, Lanes: u.Lanes, PC: u.PC, What: u.Text, Advice: u.Detail}
	if u.From != 0 {
		r.Others = []Party{c.party(u.Wave, r.Lane(), u.From)}
	}
	simt.Lanes(u.Of&u.Wave.Valid, func(l int) {
		r.Others = append(r.Others,
			c.party(u.Wave, l, u.Wave.LanePC(l)))
	})
	return c.report(r)
}
