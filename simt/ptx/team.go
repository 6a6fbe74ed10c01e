package ptx

import (
	"simtgdb/simt"
	"simtgdb/simt/rows"
)

// Waves of a workgroup whose lanes are all together have their turns in translated code (rows.Team). What is
// asked of a wave there is what Run, runBarrier and openBarrier do for one with a single path.

// Stopped implements simt.Stopper.
func (c *Core) Stopped() simt.Event { return c.stop }

// Running implements simt.Teamer.
func (c *Core) Running() *simt.Wave { return c.w }

// Turns implements simt.Teamer.
func (c *Core) Turns(give func(wave int, insts uint64)) { c.team.Each(give) }

// RunTeam implements simt.Teamer.
func (c *Core) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int, kind simt.EventKind) {
	t := &c.team
	t.Begin()
	if t.Told = nil; c.m.Watched() {
		if !c.m.OrdersAlike(g.Waves[0]) {
			return 0, 0, simt.NoEvent
		}
		t.Told = c
	}
	if len(g.Peers) > 0 || c.isa.counts || c.isa.groups || c.isa.cluster || !c.assemble(g) {
		return 0, 0, simt.NoEvent
	}
	c.checkPlaces()
	c.places.place(g)
	x := &c.native.x
	x.Shared, x.Telling = rows.SlotOf(0, g.LDS), 0
	if t.Told == nil {
		c.pathNotes(x)
	}
	return t.Run(c, c.m, x, n, rounds)
}

// Turn implements rows.Witness.
func (c *Core) Turn(x *rows.Context, m *rows.Member) bool {
	c.w, c.st, c.placed = m.Wave, m.Wave.Regs.(*state), false
	p := c.st.paths[0]
	c.act, p.wait = p.act, running
	if !c.followedWhole(m.At, m.Active) {
		return false
	}
	c.tells(x, c.team.Code)
	return true
}

// Ran implements rows.Witness.
func (c *Core) Ran(x *rows.Context) {
	c.teller.Tell(x, c.team.Keeps())
	c.followedTo(int32(x.At), x.Active)
}

// Teller implements rows.Witness.
func (c *Core) Teller() *rows.Teller { return &c.teller }

// Note implements rows.Witness.
func (c *Core) Note(n rows.Note) bool {
	return c.note(n, c.w, uint32(c.native.x.Active), rows.Numbers(c.act.r), c.act.p, nil)
}

// Came implements rows.Witness.
func (c *Core) Came(m *rows.Member) {
	in, p := &c.isa.code[m.At], c.st.paths[0]
	p.pc, p.wait, p.barrier = m.At, waitBarrier, uint32(c.team.Meets[m.At]-1)
	c.w.PC = c.isa.addr(m.At)
	c.m.Fence(c.w, barrierFence)
	c.comesTo(in, p)
}

// Opens implements rows.Witness.
func (c *Core) Opens(at rows.Meeting) { c.tellOpened(uint32(at-1), false) }

// assemble makes the waves of a workgroup that have not ended members, and reports whether they can be.
func (c *Core) assemble(g *simt.Workgroup) bool {
	t := &c.team
	var tr *translation
	for _, w := range g.Waves {
		if w.State == simt.Ended {
			continue
		}
		st := w.Regs.(*state)
		if len(st.paths) != 1 || st.yield || w.SkipBreak {
			return false
		}
		p := st.paths[0]
		if p.mask != st.alive() || t.Told != nil && st.exited != 0 { // who does not come is told
			return false
		}
		if tr == nil {
			c.begin(w)
			if !c.mayTranslate || c.traced(p.act.fn) || !c.places.launched && !c.places.launch(c) {
				return false
			}
			tr = c.translation()
			code := tr.of[p.act.fn]
			if code == nil || w.State == simt.Ready && tr.At[p.pc] == 0 {
				return false
			}
			t.Code, t.Entry, t.Meets = code, tr.At, tr.Meets
			t.Onward, t.Fresh = true, turnInsts
			if t.Place == nil {
				t.Place = func(x *rows.Context, m *rows.Member) { c.places.say(x, m.Wave.Index) }
			}
		}
		m := rows.Member{Wave: w, Rows: rows.Numbers(p.act.r), Masks: p.act.p, Active: uint64(p.mask),
			At: p.pc, Stop: p.stop(), Left: int64(turnInsts - st.spent)}
		switch {
		case tr.of[p.act.fn] != t.Code:
			return false
		case w.State == simt.Ready && p.wait == running:
		case w.State == simt.AtBarrier && p.wait == waitBarrier && tr.Meets[p.pc] != 0:
			m.At++
			m.Waits = true
		default:
			return false
		}
		if !t.Join(m) {
			return false
		}
	}
	return tr != nil
}

// Scatter implements rows.TeamCore.
func (c *Core) Scatter(m *rows.Member) {
	w := m.Wave
	st := w.Regs.(*state)
	p := st.paths[0]
	st.spent = turnInsts - int(m.Left)
	st.cur, p.pc, p.wait = p, m.At, running
	if m.Waits {
		p.pc--
		p.wait, p.barrier = waitBarrier, uint32(c.team.Meets[p.pc]-1)
	}
	w.PC, w.Exec = c.isa.addr(p.pc), uint64(p.mask)
}

// Executed implements rows.TeamCore.
func (c *Core) Executed(n uint64) {
	c.counted.Insts += n
	if onTranslated != nil {
		onTranslated(n)
	}
}

// Slot implements rows.TeamCore.
func (c *Core) Slot(a *rows.Access, m *rows.Member) rows.Slot {
	return c.slotOf(a, uint32(m.Active), m.Rows, m.Masks)
}

// meeting is the barrier of all waves that a statement is, with nothing else that it does.
func (c *Core) meeting(at int32) rows.Meeting {
	in := &c.code[at]
	name, id := builderName(in.src.Op), &in.s[0]
	if name != "bar" && name != "barrier" || in.guard >= 0 || id.kind != fromImm ||
		id.imm[0] >= numberedBarriers || in.s[1].kind != fromNone || in.s[2].kind != fromNone ||
		hasPart(in.src.Op, "warp") || hasPart(in.src.Op, "cluster") || c.m.HasBreakpoint(c.isa.addr(at)) {
		return 0
	}
	return rows.Meeting(1 + id.imm[0])
}
