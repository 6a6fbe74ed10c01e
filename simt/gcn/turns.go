package gcn

import (
	"math"
	"slices"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// Turns of a workgroup's waves that are foreseen ([simt.Turns]) the waves have as a team: code sees itself
// whether they go on so, and leaves to tell of none.

// lateSites is added to the numbers of records of loads from LDS, as sites of steps: interludes have those
// below.
const lateSites = 1 << 20

// A turnWave is what observers have been told of a wave in a turn. Where it is odd, or code was come into
// more than once, it could be foreseen all the same, but in vain: code compares each step that it comes to
// with the one foreseen, and leaves where it would leave otherwise, of which all is told.
type turnWave struct {
	toldWave
	over    bool  // it has come to a barrier
	runs    int   // how often it has come into translated code
	pending uint8 // of its registers, at the beginning
	in      *region
}

// foreseeingTurns is what a core keeps of the turns of a workgroup.
type foreseeingTurns struct {
	simt.Turns[turnWave]
	now *turnWave // the one that executes

	steps  []foreseenStep // of the turns that are foreseen
	starts []int          // of each turn and member, and where the last ends
	asked  int            // turns, this time

	armed bool // code goes on where that is so
	ran   team // which it was before code left amid it
}

// reset forgets all.
func (k *foreseeingTurns) reset() { *k = foreseeingTurns{} }

// misses says that what the wave does now is not all kept.
func (k *foreseeingTurns) misses() {
	if k.now != nil {
		k.now.odd = true
	}
}

// begin notes that a wave has its turn, by itself.
func (k *foreseeingTurns) begin(w *simt.Wave) {
	if k.By == nil {
		return
	}
	if k.now = k.Wave(w); k.now != nil {
		*k.now = turnWave{toldWave: toldWave{id: w.ID, steps: k.now.steps[:0]}, pending: regsOf(w).pending}
	}
}

// entered notes that it comes into a region's code.
func (k *foreseeingTurns) entered(r *region) {
	if t := k.now; t != nil {
		t.runs++
		t.in = r
	}
}

// left notes that code has left for an interlude, by its number.
func (k *foreseeingTurns) left(site uint64, i *interlude) {
	t := k.now
	switch {
	case t == nil:
	case t.odd || !i.orders:
		t.odd = true
	default:
		t.step(site)
		t.end, t.over = 0, i.b.insts[i.first].waits()
	}
}

// ordersOnly reports whether instructions that code leaves for do no more than order accesses: they make
// caches invalid, or are one barrier.
func ordersOnly(insts []Inst) bool {
	other := func(in Inst) bool { return !in.orders() }
	return len(insts) == 1 && insts[0].waits() || !slices.ContainsFunc(insts, other)
}

// noteLates keeps which records of loads from LDS code has left, and which waits.
func (c *Core) noteLates() {
	x, t := &c.context, c.turning.now
	if t == nil {
		return
	}
	noted := 0
	if x.waited != 0 {
		noted = c.keepLates(t, c.lates.Left(uintptr(x.waitAt)))
		t.end = x.waited // it was 0, or code was left without a step and has been come into again
	}
	c.keepLates(t, c.lates.Left(uintptr(x.lateAt))[noted:])
}

// keepLates is noteLates for records with no wait between them, and says how many those are.
func (c *Core) keepLates(t *turnWave, records []simt.LoadRecord) int {
	for i := range records {
		r := &records[i]
		s := t.step(lateSites + r.Site)
		s.rows = append(s.rows, toldRow{low: *(*Vector)(unsafe.Pointer(&r.Rows))})
		t.end = 0
		t.odd = t.odd || r.Lanes != everyLane(c.w)
	}
	return len(records)
}

// learnTurns notes that the waves of a workgroup have had a turn, if they have, and are to have another. It
// reports whether that may be foreseen.
func (c *Core) learnTurns(g *simt.Workgroup) bool {
	k := &c.turning
	k.now = nil
	if !k.Of(g) {
		k.Begin(g, func() simt.TurnForeseer {
			if c.native {
				return c.m.TurnForeseer(g, true)
			}
			return nil
		})
		return false
	}
	if k.By == nil {
		return false
	}
	if k.Period > 0 && !k.Began() {
		return true // it goes on as it was foreseen
	}
	var in *region
	k.Over(func(w *simt.Wave, t *turnWave) bool {
		if w.Index == 0 {
			in = t.in
		}
		return w.State == simt.Ready && t.over && !t.odd && t.runs == 1 && t.in == in
	})
	return k.Find(func(turns int) int { return k.learn(turns, g.Waves[0].Size) })
}

// learn works out how much further on what was done in the last turns is, so many, than the time before, and
// of how many times behind them that is known.
func (k *foreseeingTurns) learn(turns, lanes int) (most int) {
	most = math.MaxInt32
	k.steps, k.starts = k.steps[:0], k.starts[:0]
	k.Last(turns, func(now, last []turnWave) bool {
		for m := range now {
			t, was := &now[m], &last[m]
			if t.in != was.in || t.pending != was.pending {
				most = 0
				return false
			}
			k.starts = append(k.starts, len(k.steps))
			var n int
			k.steps, n = t.stepsBehind(&was.toldWave, k.steps, lanes)
			most = min(most, n)
		}
		return most > 0
	})
	if most == 0 {
		return 0
	}
	k.starts = append(k.starts, len(k.steps))
	k.steps = append(k.steps, foreseenStep{})
	i := 0
	k.Last(turns, func(now, _ []turnWave) bool {
		for m := range now {
			now[m].point(k.steps[k.starts[i]:])
			i++
		}
		return true
	})
	return most
}

// foreseeTurns arms code to go on, from a block on, for so many turns of a workgroup's waves as will be
// foreseen, most at most. It says how many; 0 if they are to be told of.
func (c *Core) foreseeTurns(g *simt.Workgroup, b *block, most int) int {
	k := &c.turning
	if k.asked = k.Ask(most, b.region == k.region() && len(c.members) == len(g.Waves)); k.asked == 0 {
		return 0
	}
	k.armed, k.ran = true, team{}
	first := uintptr(unsafe.Pointer(&k.steps[0]))
	c.context.foresight = foresight{step: first, first: first, wave: uint64(k.Ahead) + 1}
	return k.asked
}

// postponeNothing has code of turns that are foreseen leave where it loads from LDS otherwise.
func (c *Core) postponeNothing() {
	x := &c.context
	x.recorded, x.lateAt, x.lateEnd, x.sharedLoads = 0, 0, 0, 0
}

// leaveTurns settles what was foreseen, if anything was, where code has left amid the turn of a member, which
// goes on alone.
func (c *Core) leaveTurns() {
	x, k := &c.context, &c.turning
	if !k.armed {
		return
	}
	k.ran, x.team = x.team, team{}
	at := int(uintptr(x.step)-x.first) / int(unsafe.Sizeof(foreseenStep{}))
	w, r := c.w, c.r
	c.settleTurns(&k.ran, at)
	c.w, c.r = w, r
	k.Forget()              // what was told of last is not kept,
	*k.Wave(w) = turnWave{} // nor all of this turn
}

// endTurns settles what was foreseen once the team has stopped.
func (c *Core) endTurns() {
	k := &c.turning
	if k.armed {
		c.settleTurns(&c.context.team, 0)
	} else {
		c.context.team = k.ran
	}
}

// settleTurns tells of what code has not told of: how many times the foreseen turns were had, all of what was
// done the last of these times, and what was done since, up to a step of the member whose turn it was.
func (c *Core) settleTurns(t *team, upTo int) {
	k := &c.turning
	k.armed, c.context.foresight = false, foresight{}
	had, done := int((t.at-t.first)/unsafe.Sizeof(member{})), k.asked-int(t.rounds)
	all := len(c.members)
	for i := k.Settle(done); i < done; i++ {
		for m := range all {
			c.turnAgain(i, m, math.MaxInt)
		}
		if i < done-1 || had < all { // else the machine opens the barrier
			g := c.members[0].wave.Group
			c.m.OpenedOf(g)
			for _, w := range g.Waves {
				w.State = simt.Ready
			}
		}
	}
	if had < all {
		for m := range had {
			c.turnAgain(done, m, math.MaxInt)
		}
		c.turnAgain(done, had, upTo-k.starts[done%k.Period*all+had])
	}
	k.Passed(done, true)
	c.stop = simt.Event{}
}

// turnAgain tells of what a member has done in a foreseen turn, by how many were had before it: the first
// steps, up to the barrier if these are all.
func (c *Core) turnAgain(turn, m, steps int) {
	k := &c.turning
	w := c.members[m].wave
	c.w, c.r = w, regsOf(w)
	exec := pair(c.r, regExec)
	setExec(w, everyLane(w))
	all, times := k.Foreseen(turn)
	of := &all[m].toldWave
	by := k.steps[k.starts[turn%k.Period*len(c.members)+m]:]
	for i := range min(steps, len(of.steps)) {
		s := &of.steps[i]
		switch {
		case s.site >= lateSites:
			c.lateAgain(s)
		case s.notes != nil:
			c.tellAgain(s, &by[i], times)
		default:
			c.orderAgain(s)
		}
	}
	setExec(w, exec)
}

// region is the code that does what is foreseen.
func (k *foreseeingTurns) region() *region {
	of, _ := k.Foreseen(0)
	return of[0].in
}

// everyLane are all lanes that a wave has room for.
func everyLane(w *simt.Wave) uint64 { return ^uint64(0) >> (simt.MaxLanes - w.Size) }

// waitAgain tells of the waits before a step.
func (c *Core) waitAgain(s *toldStep) {
	if s.waited != 0 {
		c.orderWaited(uint8(s.waited), s.waited&waitShared != 0)
	}
}

// lateAgain tells of a load from LDS.
func (c *Core) lateAgain(s *toldStep) {
	c.waitAgain(s)
	in := c.turning.region()
	r := simt.LoadRecord{Site: s.site - lateSites, Lanes: c.w.Exec, Active: c.w.Exec}
	*(*Vector)(unsafe.Pointer(&r.Rows)) = s.rows[0].low
	if p, room := c.m.Postpones(c.w, simt.LDS); p != nil {
		room[0] = r
		p.Loaded(c.w, simt.LDS, room[:1], in.tell)
		return
	}
	in.tell(&r, func(a *simt.Access) {
		a.Wave = c.w
		c.m.Note(a)
	})
}

// orderAgain tells of instructions that order accesses, or of a barrier that a wave has come to.
func (c *Core) orderAgain(s *toldStep) {
	c.waitAgain(s)
	i := &c.turning.region().interludes[s.site-1]
	insts := i.b.insts[i.first:i.last]
	if !insts[0].waits() {
		for k := range insts {
			insts[k].Op.order(c, &insts[k])
		}
		return
	}
	c.orderGroup(0)
	c.w.State = simt.AtBarrier
	c.stopAt(simt.BarrierEvent)
	c.stop.Wave, c.stop.PC = c.w, insts[0].PC
	c.m.Arrived(c.stop)
}

// foreseeLate makes the code that goes on where a load from LDS, by the number of its record, is one that has
// been foreseen: it notes, as the record would, that those are made that are alike.
func (t *translator) foreseeLate(record, reg int, sets uint32, back native.Label) {
	if !t.foresees {
		return
	}
	elsewhere := t.NewLabel()
	t.comesToStep(lateSites+record, elsewhere)
	differs := &differing{t: t}
	t.placesAsForeseen(unsafe.Offsetof(foreseenStep{}.rows), reg, differs)
	differs.leave(elsewhere)
	if sets != 0 {
		t.OpMemImm(native.OR, native.W32, t.field(unsafe.Offsetof(t.c.context.recorded)), int32(sets))
	}
	t.passStep()
	t.Jmp(back)
	t.Set(elsewhere)
}

// seesItself reports whether there is to be code that sees whether waves do as is foreseen.
func (t *translator) seesItself() bool {
	waits := func(b *regionBlock) bool { return b.last().waits() }
	return t.ordered && (t.isClosed || slices.ContainsFunc(t.blocks, waits))
}

// foreseeOrder makes, before an interlude that orders accesses alone, the code for one that is foreseen: it
// goes on at a label, or the next member has its turn where that is a barrier.
func (t *translator) foreseeOrder(first, last int, behind native.Label) {
	insts := t.now.insts[first:last]
	if !t.foresees || !ordersOnly(insts) {
		return
	}
	elsewhere := t.NewLabel()
	t.comesToStep(len(t.interludes)+1, elsewhere)
	t.passStep()
	if insts[0].waits() {
		t.teams = true
		t.Load(native.W64, native.RCX, t.field(
			unsafe.Offsetof(t.c.context.team)+unsafe.Offsetof(t.c.context.team.at)))
		t.giveTurn(&insts[0], memberWaits)
	} else {
		for i := range insts {
			if insts[i].form >= VOP2 {
				t.count(1)
			}
		}
		t.Jmp(behind)
	}
	t.Set(elsewhere)
}

// foreseeTurn makes the first foreseen step the next one where all members have had the foreseen turns.
func (t *translator) foreseeTurn() {
	if !t.foresees {
		return
	}
	var f foresight
	goesOn := t.NewLabel()
	at := native.Mem{Base: native.RAX, Disp: int32(unsafe.Offsetof(foreseenStep{}.site))}
	t.Load(native.W64, native.RAX, t.foresightField(unsafe.Offsetof(f.step)))
	t.OpMemImm(native.CMP, native.W64, at, 0)
	t.Jcc(native.NE, goesOn)
	t.Load(native.W64, native.RAX, t.foresightField(unsafe.Offsetof(f.first)))
	t.Store(native.W64, t.foresightField(unsafe.Offsetof(f.step)), native.RAX)
	t.OpMemImm(native.ADD, native.W64, t.foresightField(unsafe.Offsetof(f.wave)), 1)
	t.Set(goesOn)
}
