package gcn

import (
	"math"
	"slices"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// The waves of a workgroup that stand at one place in translated code have their turns without a return to Go
// in between: where one comes to a barrier or to its end, the code goes on with the next, and where all have
// come to the same barrier, with the first behind it. Whatever else happens to one is its own, and ends this.

// A team is such waves, as translated code knows them.
type team struct {
	first, end uintptr // the members, from one address up to another; end is 0 if there are none
	at         uintptr // whose turn it is
	entry      uintptr // the code that each begins its turn with
	behind     uintptr // where those go on that have had theirs; 0 if that differs, or cannot be said
	turn       uint64  // how many instructions it has
	rounds     uint64  // of turns, that are left
	counts     uintptr // where it is noted how many instructions a turn had
}

// A member is a wave of a team.
type member struct {
	vectors, scalars, scratch unsafe.Pointer
	values                    unsafe.Pointer // as nativeContext.values; nil if nobody follows them

	perLane      uint64
	pc           uint64
	insts, lanes uint64      // as Wave.Insts and LaneInsts, before its turn
	began        uint64      // insts when the team was made
	stands       memberState // behind its last turn
	stood        uint64      // for its record: as nativeContext.stood, of turns before
	wave         *simt.Wave
	index        int // its
}

type memberState uint64

const (
	memberWaits memberState = 1 // at a barrier
	memberEnded memberState = 2
)

// whereTeam makes a wave that stops at a barrier or its end give its turn away, if it is of a team.
func (t *translator) whereTeam(in *Inst, stands memberState) {
	if t.ordered { // such a team does what is foreseen, and that is a barrier: see foreseeBarrier
		return
	}
	of, alone := t.NewLabel(), t.NewLabel()
	recorded := t.now.places != nil
	t.Load(native.W64, native.RCX, t.field(
		unsafe.Offsetof(t.c.context.team)+unsafe.Offsetof(t.c.context.team.at)))
	t.Test(native.W64, native.RCX, native.RCX)
	t.Jcc(native.NE, of)
	t.Set(alone)
	t.teams = true
	t.stubs = append(t.stubs, func() {
		t.Set(of)
		if recorded {
			t.recordStood(alone)
		}
		t.giveTurn(in, stands)
	})
}

// giveTurn gives the turn of a member, in RCX, away where it has come to a barrier or its end.
func (t *translator) giveTurn(in *Inst, stands memberState) {
	var m member
	of := func(offset uintptr) native.Mem { return native.Mem{Base: native.RCX, Disp: int32(offset)} }
	t.StoreImm(native.W64, of(unsafe.Offsetof(m.stands)), int32(stands))
	t.MovImm(native.RAX, in.PC+uint64(in.Size))
	t.Store(native.W64, of(unsafe.Offsetof(m.pc)), native.RAX)
	if next := t.byPlace[in.behind()]; next != nil && stands == memberWaits {
		t.LeaLabel(native.RDX, next.label)
	} else {
		t.MovImm(native.RDX, 0)
	}
	t.Jmp(t.change)
}

// recordStood keeps with the member whose turn is over, in RCX, what its record needs of it. Where it has
// changed EXEC, it stops alone.
func (t *translator) recordStood(alone native.Label) {
	none := t.NewLabel()
	stood := t.field(unsafe.Offsetof(t.c.context.stood))
	t.OpMemImm(native.CMP, native.W64, t.field(unsafe.Offsetof(t.c.context.changed)), 0)
	t.Jcc(native.NE, alone)
	t.Load(native.W64, native.RAX, stood)
	t.Test(native.W64, native.RAX, native.RAX)
	t.Jcc(native.E, none)
	place := int32(unsafe.Offsetof(member{}.stood))
	t.Store(native.W64, native.Mem{Base: native.RCX, Disp: place}, native.RAX)
	t.StoreImm(native.W64, stood, 0)
	t.Set(none)
}

// changeMembers makes the code that goes on with the next member. In RCX is the one whose turn is over, in
// RDX where it goes on.
func (t *translator) changeMembers() {
	t.Set(t.change)
	if !t.teams {
		return
	}
	m := member{}
	in := func(offset uintptr) native.Mem { return native.Mem{Base: native.RCX, Disp: int32(offset)} }
	of := func(offset uintptr) native.Mem { return t.field(unsafe.Offsetof(t.c.context.team) + offset) }
	later, same, load, out := t.NewLabel(), t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.Load(native.W64, native.RAX, of(unsafe.Offsetof(t.c.context.team.turn)))
	t.Op(native.SUB, native.W64, native.RAX, regBudget)
	t.OpToMem(native.ADD, native.W64, in(unsafe.Offsetof(m.insts)), native.RAX)
	t.Load(native.W64, native.RSI, of(unsafe.Offsetof(t.c.context.team.counts)))
	t.Store(native.W32, native.Mem{Base: native.RSI}, native.RAX)
	t.OpMemImm(native.ADD, native.W64, of(unsafe.Offsetof(t.c.context.team.counts)), countSize)
	t.Load(native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.lanes)))
	t.OpToMem(native.ADD, native.W64, in(unsafe.Offsetof(m.lanes)), native.RAX)
	t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.c.context.lanes)), 0)
	t.OpMem(native.CMP, native.W64, native.RCX, of(unsafe.Offsetof(t.c.context.team.first)))
	t.Jcc(native.NE, later)
	t.Store(native.W64, of(unsafe.Offsetof(t.c.context.team.behind)), native.RDX)
	t.Set(later)
	t.OpMem(native.CMP, native.W64, native.RDX, of(unsafe.Offsetof(t.c.context.team.behind)))
	t.Jcc(native.E, same)
	t.StoreImm(native.W64, of(unsafe.Offsetof(t.c.context.team.behind)), 0)
	t.Set(same)
	t.OpImm(native.ADD, native.W64, native.RCX, int32(unsafe.Sizeof(m)))
	t.OpMem(native.CMP, native.W64, native.RCX, of(unsafe.Offsetof(t.c.context.team.end)))
	t.Jcc(native.NE, load)
	t.OpMemImm(native.SUB, native.W64, of(unsafe.Offsetof(t.c.context.team.rounds)), 1)
	t.Jcc(native.E, out)
	t.foreseeTurn()
	t.Load(native.W64, native.RDX, of(unsafe.Offsetof(t.c.context.team.behind)))
	t.Test(native.W64, native.RDX, native.RDX)
	t.Jcc(native.E, out)
	t.Store(native.W64, of(unsafe.Offsetof(t.c.context.team.entry)), native.RDX)
	t.Load(native.W64, native.RCX, of(unsafe.Offsetof(t.c.context.team.first)))
	t.Set(load)
	t.Store(native.W64, of(unsafe.Offsetof(t.c.context.team.at)), native.RCX)
	t.StoreImm(native.W32, t.field(unsafe.Offsetof(t.c.context.recorded)), 0)
	t.Load(native.W64, native.RAX, in(unsafe.Offsetof(m.scratch)))
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.scratch)), native.RAX)
	t.Load(native.W64, native.RAX, in(unsafe.Offsetof(m.perLane)))
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.perLane)), native.RAX)
	if t.valued {
		t.Load(native.W64, native.RAX, in(unsafe.Offsetof(m.values)))
		t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.values)), native.RAX)
	}
	t.Load(native.W64, regV, in(unsafe.Offsetof(m.vectors)))
	t.Load(native.W64, regS, in(unsafe.Offsetof(m.scalars)))
	t.Load(t.laneWidth(), regMask, scalar(regExec))
	t.Load(native.W64, regBudget, of(unsafe.Offsetof(t.c.context.team.turn)))
	t.quarters()
	t.JmpMem(of(unsafe.Offsetof(t.c.context.team.entry)))
	t.Set(out)
	t.Store(native.W64, of(unsafe.Offsetof(t.c.context.team.at)), native.RCX)
	t.MovImm(native.RAX, 0)
}

// countSize is that of a count of a turn.
const countSize = 4

// Turns implements simt.Teamer.
func (c *Core) Turns(give func(wave int, insts uint64)) {
	for i, n := range c.turns {
		give(c.members[i%len(c.members)].index, uint64(n))
	}
}

// Running implements simt.Teamer.
func (c *Core) Running() *simt.Wave { return c.w }

// RunTeam implements simt.Teamer.
func (c *Core) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int, kind simt.EventKind) {
	c.turns = c.turns[:0]
	if n > math.MaxUint32 || len(g.Peers) > 0 {
		return 0, 0, simt.NoEvent
	}
	c.refresh()
	seen := c.m.Watched() || c.m.Ordered()
	if seen && !c.learnTurns(g) {
		return 0, 0, simt.NoEvent
	}
	b := c.gather(g)
	if b == nil {
		return 0, 0, simt.NoEvent
	}
	if seen {
		if rounds = c.foreseeTurns(g, b, rounds); rounds == 0 {
			return 0, 0, simt.NoEvent
		}
	}
	all, t := c.members, &c.context.team
	first := uintptr(unsafe.Pointer(&all[0]))
	c.turns = slices.Grow(c.turns, (rounds+1)*len(all))
	counts := uintptr(unsafe.Pointer(unsafe.SliceData(c.turns)))
	*t = team{first: first, end: first + uintptr(len(all))*unsafe.Sizeof(all[0]), at: first, entry: b.entry,
		turn: n, rounds: uint64(rounds), counts: counts}
	c.stop.Kind = simt.NoEvent
	c.turnOf(&all[0], b.region)
	executed := c.runNative(b, n)
	if seen {
		c.endTurns()
	}
	had := int((t.at - t.first) / unsafe.Sizeof(all[0]))
	done = rounds - int(t.rounds)
	c.turns = c.turns[:(t.counts-counts)/countSize]
	*t = team{}
	c.scatter(had, b.region)
	if had == len(all) {
		return done, 0, simt.NoEvent
	}
	if w := c.w; c.stop.Kind != simt.NoEvent {
		c.stop.Wave = w
	} else if executed < n { // its turn goes on elsewhere
		before := w.Insts
		c.RunKind(w, n-executed)
		executed += w.Insts - before
	}
	c.turns = append(c.turns, uint32(executed))
	return done, c.w.Index + 1, c.stop.Kind
}

// scatter gives waves what their members have, those from one on that have not had their turn, but that one,
// which has stopped otherwise.
func (c *Core) scatter(had int, in *region) {
	for i := range c.members {
		m := &c.members[i]
		w := m.wave
		m.wave = nil
		c.counted.Insts += m.insts - m.began
		if i == had {
			continue
		}
		r := regsOf(w)
		w.PC, w.Insts, w.LaneInsts = m.pc, m.insts, m.lanes
		r.takeExec(w)
		m.record(r, in)
		switch {
		case i > had:
		case m.stands == memberWaits:
			w.State = simt.AtBarrier
		case m.stands == memberEnded:
			w.State = simt.Ended
		}
	}
}

// turnOf makes the core one that runs a member, and says which wave that is and what it had executed before
// its turn.
func (c *Core) turnOf(m *member, in *region) (w *simt.Wave, before uint64) {
	w = m.wave
	if w != c.w {
		c.w, c.r = w, regsOf(w)
	}
	m.record(c.r, in)
	w.Insts, w.LaneInsts = m.insts, m.lanes
	return w, m.insts
}

// record gives the record of a member's lanes what has been kept for it.
func (m *member) record(r *Regs, in *region) {
	if m.stood != 0 {
		r.lanes.stoodAt(in.stood[m.stood-1])
		m.stood = 0
	}
}

// member is the one whose turn it is.
func (c *Core) member() *member {
	t := &c.context.team
	return &c.members[(t.at-t.first)/unsafe.Sizeof(member{})]
}

// hold makes what is known of where a wave's registers and memory are what it is now.
func (m *member) hold(w *simt.Wave) {
	m.vectors, m.scalars = unsafe.Pointer(&regsOf(w).V[0]), unsafe.Pointer(&regsOf(w).S[0])
	m.scratch, m.perLane = unsafe.Pointer(unsafe.SliceData(w.Scratch)), perLane(w)
}

// gather makes the waves of a workgroup that have not ended members, if they stand at one block that is
// translated, which it gives.
func (c *Core) gather(g *simt.Workgroup) (b *block) {
	c.members = c.members[:0]
	for _, w := range g.Waves {
		if w.State == simt.Ended {
			continue
		}
		if w.State != simt.Ready || w.SkipBreak {
			return nil
		}
		c.w, c.r = w, regsOf(w)
		c.r.refresh(w)
		at := codeAt{w.PC, c.high()}
		if b == nil {
			if b = c.blocks.Recent[w.PC>>2&255]; b == nil || b.at() != at || b.region == nil || b.breaks {
				return nil
			}
			c.observeWhat()
		}
		if at != b.at() || !c.fits(b.region) || c.recordsExceptions() {
			return nil
		}
		c.r.hold(b.vectors)
		c.members = append(c.members, member{pc: w.PC, insts: w.Insts, lanes: w.LaneInsts,
			began: w.Insts, wave: w, index: w.Index})
		m := &c.members[len(c.members)-1]
		if m.hold(w); c.valued {
			c.running = b
			m.values = unsafe.Pointer(&c.following().values)
		}
	}
	return b
}
