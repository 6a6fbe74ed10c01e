package spirv

import (
	"math"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/rows"
)

// Waves of a workgroup have their turns in translated code (rows.Team).

// Running implements simt.Teamer.
func (c *core) Running() *simt.Wave { return c.w }

// Turns implements simt.Teamer.
func (c *core) Turns(give func(wave int, insts uint64)) { c.team.Each(give) }

// RunTeam implements simt.Teamer.
func (c *core) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int, kind simt.EventKind) {
	t := &c.team
	t.Begin()
	if t.Told = nil; c.m.Watched() {
		if !c.m.OrdersAlike(g.Waves[0]) {
			return 0, 0, simt.NoEvent
		}
		t.Told = c
	}
	if c.native == nil || len(g.Peers) > 0 || !c.gather(g) {
		return 0, 0, simt.NoEvent
	}
	c.checkPlaces()
	x := &c.native.x
	x.Telling = 0
	if t.Told == nil {
		c.notes(x, &c.ways, c.w, false)
	}
	return t.Run(c, c.m, x, n, rounds)
}

// Turn implements rows.Witness.
func (c *core) Turn(x *rows.Context, m *rows.Member) bool {
	c.w, c.s, c.f = m.Wave, m.Wave.Regs.(*State), m.Rows
	c.setMask(m.Active)
	c.w.State = simt.Ready
	if !c.followedWhole() {
		return false
	}
	c.tells(x, c.team.Code)
	return true
}

// Ran implements rows.Witness.
func (c *core) Ran(x *rows.Context) { c.teller.Tell(x, c.team.Keeps()) }

// Teller implements rows.Witness.
func (c *core) Teller() *rows.Teller { return &c.teller }

// Note implements rows.Witness.
func (c *core) Note(n rows.Note) bool {
	t := c.native
	return c.note(n, c.w, t.x.Active, c.f, t.low, t.block, c.team.Keeps())
}

// Came implements rows.Witness.
func (c *core) Came(m *rows.Member) {
	c.arrive(m.At)
	execBarrier(c, &c.s.b.insts[c.s.i])
	c.s.i++
	c.w.PC = c.s.pc()
	c.m.Arrived(c.stop)
}

// Opens implements rows.Witness.
func (c *core) Opens(rows.Meeting) { c.m.OpenedOf(c.w.Group) }

// gather makes the waves of a workgroup that have not ended members, and reports whether they can be.
func (c *core) gather(g *simt.Workgroup) bool {
	t := &c.team
	for _, w := range g.Waves {
		if w.State == simt.Ended {
			continue
		}
		if w.State != simt.Ready && w.State != simt.AtBarrier || w.SkipBreak {
			return false
		}
		c.enter(w)
		n := c.native
		if n == nil || !c.mayTranslate || c.tracker != nil || n.low.judging.undefined != c.judges ||
			t.Told != nil && !c.full { // observers are told of who does not come to a barrier
			return false
		}
		code := n.of[c.s.b.fn]
		if len(t.Members) == 0 {
			t.Code, t.Entry, t.Meets = code, n.At, n.Meets
		}
		at := n.low.first[c.s.b.index] + int32(c.s.i)
		if code == nil || code != t.Code || len(t.Members) == 0 && n.At[at] == 0 {
			return false
		}
		c.placed(&n.x)
		if !t.Join(rows.Member{Wave: w, Rows: c.f, Masks: n.masks, Active: c.mask, At: at,
			Waits: w.State == simt.AtBarrier, Stop: c.behind(), Left: math.MaxInt64, Private: n.x.Private}) {
			return false
		}
	}
	return len(t.Members) > 0
}

// Scatter implements rows.TeamCore.
func (c *core) Scatter(m *rows.Member) {
	if m.Insts > 0 {
		c.enter(m.Wave)
		c.arrive(m.At)
	}
}

// Executed implements rows.TeamCore.
func (c *core) Executed(n uint64) {
	c.counted.Insts += n
	if onTranslated != nil {
		onTranslated(n)
	}
}

// Slot implements rows.TeamCore.
func (c *core) Slot(a *rows.Access, m *rows.Member) rows.Slot {
	first := bits.TrailingZeros64(m.Active)
	return c.slotOf(a, c.native.low, m.Rows[int(a.Reg)*c.lanes+first])
}
