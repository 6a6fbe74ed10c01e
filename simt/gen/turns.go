package gen

import (
	"math"
	"math/bits"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/rows/regions/x86"
)

// Where turns of a workgroup's threads are foreseen ([simt.Turns]), what each does is compared with what it
// did some turns before, and observers are told of the last turns alone. The core gives the threads these
// turns itself (simt.Teamer).

// A turnTold is what observers have been told of a thread in a turn.
type turnTold struct {
	steps  []turnStep
	begins bool   // loads from local memory left records at first
	odd    bool   // something else was told as well
	over   bool   // it has come to a barrier,
	at     uint64 // which is there
}

// A turnStep is one thing that observers have been told: of loads together, an access to local memory, loads
// from there of which records were left, or a fence.
type turnStep struct {
	note   *x86.NoteAccess // of loads, and of an access
	pieces []simt.Piece
	by     []uint64 // how much further on each piece is each time

	access simt.Access
	stride bool   // the access is told of
	from   uint64 // by an address, from which on lanes are at even distances
	step   uint32
	addr   [maxChannels]uint64

	code    *x86.Code
	records []simt.LoadRecord

	fence simt.Fence

	late bool // loads from local memory leave records from here on
}

// foreseenTurns is what a core keeps of the turns of a workgroup.
type foreseenTurns struct {
	simt.Turns[turnTold]
	now *turnTold // of the thread that is told of, if that is kept

	armed  bool      // threads are compared
	opened int       // turns that are over, of those that are foreseen
	then   *turnTold // what the thread that has its turn is to do,
	times  uint64    // so many times as much further on
	passed int       // steps of that
	member int       // of the workgroup, it is
	group  *simt.Workgroup

	room  simt.LoadRoom // where code leaves records of such a thread
	turns []turnCount
}

// A turnCount is how many instructions a thread has executed in a turn.
type turnCount struct {
	wave  int
	insts uint64
}

// Running implements simt.Teamer.
func (c *Core) Running() *simt.Wave { return c.w }

// Turns implements simt.Teamer.
func (c *Core) Turns(give func(wave int, insts uint64)) {
	for _, t := range c.turning.turns {
		give(t.wave, t.insts)
	}
}

// RunTeam implements simt.Teamer.
func (c *Core) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int, kind simt.EventKind) {
	k := &c.turning
	k.turns = k.turns[:0]
	if !c.m.Watched() || len(g.Peers) > 0 || !c.learnTurns(g) {
		return 0, 0, simt.NoEvent
	}
	at := c.m.SteadyAt(g.Waves[0])
	steady := at != 0
	for _, w := range g.Waves {
		steady = steady && w.State == simt.Ready && !w.SkipBreak && w.Exec == w.Valid && c.m.SteadyAt(w) == at
	}
	if rounds = k.Ask(rounds, steady); rounds == 0 {
		return 0, 0, simt.NoEvent
	}
	k.armed, k.opened, k.group = true, 0, g
	for {
		for i := range g.Waves {
			if kind = c.foreseenTurn(i, n); !k.armed {
				return k.opened, i + 1, kind
			}
		}
		if k.opened++; k.opened == rounds {
			c.settle(len(g.Waves), 0)
			return rounds, 0, simt.NoEvent
		}
		ready(g)
	}
}

// ready lets all threads of a workgroup go on.
func ready(g *simt.Workgroup) {
	for _, w := range g.Waves {
		w.State = simt.Ready
	}
}

// learnTurns notes that the threads of a workgroup have had a turn, if they have, and are to have another. It
// reports whether that may be foreseen.
func (c *Core) learnTurns(g *simt.Workgroup) bool {
	k := &c.turning
	k.now = nil
	if !k.Of(g) {
		k.Begin(g, func() simt.TurnForeseer {
			if c.translates() {
				return c.m.TurnForeseer(g, false)
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
	k.Over(func(w *simt.Wave, t *turnTold) bool { return w.State == simt.Ready && t.over && !t.odd })
	return k.Find(func(turns int) int { return k.learn(turns) })
}

// learn finds whether the last turns, so many, were as many others before them, with loads from global memory
// as much further on in all lanes.
func (k *foreseenTurns) learn(turns int) (most int) {
	records := 0
	most = math.MaxInt32
	k.Last(turns, func(now, before []turnTold) bool {
		for i := range now {
			if !now[i].behind(&before[i]) {
				most = 0
				return false
			}
			n := 0
			for s := range now[i].steps {
				n += len(now[i].steps[s].records)
			}
			records = max(records, n)
		}
		return true
	})
	if n := records + 1; n > len(k.room) {
		k.room = make(simt.LoadRoom, n)
	}
	return most
}

// behind reports whether a thread has done the same as in another turn, but for loads that are further on,
// and finds by how much.
func (t *turnTold) behind(was *turnTold) bool {
	if t.at != was.at || t.begins != was.begins || len(t.steps) != len(was.steps) {
		return false
	}
	for i := range t.steps {
		s, last := &t.steps[i], &was.steps[i]
		if s.late != last.late || len(s.pieces) != len(last.pieces) {
			return false
		}
		s.by = s.by[:0]
		for k := range s.pieces {
			s.by = append(s.by, s.pieces[k].At-last.pieces[k].At)
		}
		if !s.is(last, s.by, 1) {
			return false
		}
	}
	return true
}

// is reports whether a step is what another one was, with pieces so many times as much further on.
func (s *turnStep) is(was *turnStep, by []uint64, times uint64) bool {
	if s.note != was.note || s.fence != was.fence || len(s.pieces) != len(was.pieces) {
		return false
	}
	for i, p := range was.pieces {
		if p.At += times * by[i]; p != s.pieces[i] {
			return false
		}
	}
	return s.code == was.code && sameRecords(s.code, s.records, was.records) && s.sameAccess(was)
}

// sameAccess reports whether steps' accesses to local memory are the same, if they are any.
func (s *turnStep) sameAccess(was *turnStep) bool {
	switch {
	case s.access.Lanes != was.access.Lanes || s.stride != was.stride:
		return false
	case s.stride:
		return s.from == was.from && s.step == was.step
	}
	return s.access.Lanes == 0 || s.addr == was.addr
}

// sameRecords reports whether records that a code has left are the same.
func sameRecords(code *x86.Code, a, b []simt.LoadRecord) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		r, o := &a[i], &b[i]
		if r.Site != o.Site || r.Lanes != o.Lanes || r.Active != o.Active {
			return false
		}
		n := code.Tells[r.Site].Lanes
		odd := n&1 != 0 // then the last word has one address
		if !slices.Equal(r.Rows[:n/2], o.Rows[:n/2]) || odd && uint32(r.Rows[n/2]) != uint32(o.Rows[n/2]) {
			return false
		}
	}
	return true
}

// begin notes that a thread has its turn, if what it does is kept.
func (k *foreseenTurns) begin(w *simt.Wave) {
	if k.now = nil; k.By == nil || k.armed {
		return
	}
	if k.now = k.Wave(w); k.now != nil {
		*k.now = turnTold{steps: k.now.steps[:0]}
	}
}

// stopped notes what it has stopped for.
func (k *foreseenTurns) stopped(ev simt.Event) {
	if k.now != nil && ev.Kind == simt.BarrierEvent {
		k.now.over, k.now.at = true, ev.PC
	}
}

// kept is a step more of the thread that is told of, which is kept; nil if it is not.
func (c *Core) kept() *turnStep {
	t := c.turning.now
	switch {
	case t == nil || t.odd:
		return nil
	case c.w.Exec != c.w.Valid:
		t.odd = true
		return nil
	}
	i := len(t.steps)
	t.steps = slices.Grow(t.steps, 1)[:i+1]
	s := &t.steps[i]
	*s = turnStep{pieces: s.pieces[:0], by: s.by, records: s.records[:0]}
	if c.native != nil {
		s.late = c.native.x.Telling != 0
	}
	return s
}

// leavesRecords keeps whether loads from local memory leave records from here on.
func (k *foreseenTurns) leavesRecords(late bool) {
	switch t := k.now; {
	case t == nil:
	case len(t.steps) == 0:
		t.begins = late
	default:
		t.steps[len(t.steps)-1].late = late
	}
}

// late is whether they leave records of the thread that is compared.
func (k *foreseenTurns) late() bool {
	if k.passed == 0 {
		return k.then.begins
	}
	return k.then.steps[k.passed-1].late
}

// otherwise notes that observers are to be told of something that turns cannot be foreseen with.
func (c *Core) otherwise() {
	k := &c.turning
	if k.now != nil {
		k.now.odd = true
	}
	if k.armed {
		c.differs()
	}
}

// foreseen reports whether a step of the thread that has its turn is what was foreseen.
func (c *Core) foreseen(s *turnStep) bool {
	k := &c.turning
	if c.w.Exec != c.w.Valid || k.passed == len(k.then.steps) {
		return false
	}
	e := &k.then.steps[k.passed]
	if !s.is(e, e.by, k.times) {
		return false
	}
	k.passed++
	c.tellsAs(k.late())
	return true
}

// foreseenTurn gives a thread a foreseen turn of n instructions at most. What was not told is, if it does
// something else.
func (c *Core) foreseenTurn(member int, n uint64) simt.EventKind {
	k := &c.turning
	w := k.group.Waves[member]
	of, times := k.Foreseen(k.opened)
	k.member, k.then, k.times, k.passed = member, &of[member], times, 0
	c.tellsAs(k.late())
	before := w.Insts
	kind := c.RunKind(w, n)
	k.turns = append(k.turns, turnCount{w.Index, w.Insts - before})
	if k.armed && (kind != simt.BarrierEvent || c.stop.PC != k.then.at || k.passed < len(k.then.steps) ||
		w.Exec != w.Valid) {
		c.settle(member, k.passed)
	}
	return kind
}

// tellsAs has code tell of a thread that is compared as it told of it before: loads from local memory leave
// records, if that is so, or are told of before they happen.
func (c *Core) tellsAs(late bool) {
	x, k := &c.native.x, &c.turning
	bit := x86.NoteBit(regions.Shared, false)
	x.Noted, x.Telling = c.telling.noted, 0
	if late {
		x.Noted &^= bit
		x.Telling = bit
		x.LateAt, x.LateEnd = k.room.Extent()
	}
}

// left are the records that code has left of a thread that is compared.
func (k *foreseenTurns) left(x *x86.Context) []simt.LoadRecord {
	if x.Telling == 0 {
		return nil
	}
	return k.room.Left(x.LateAt)
}

// differs tells of all that has not been told of, where the thread that has its turn does something else.
func (c *Core) differs() {
	k, x, t := &c.turning, &c.native.x, &c.telling
	left := slices.Clone(k.left(x))
	c.settle(k.member, k.passed)
	c.tells(x, t.code)
	if len(left) > 0 {
		c.leftAgain(c.w, t.code, left)
		c.tells(x, t.code)
	}
}

// settle tells of the last foreseen turns, and of what has been done since: also of the first steps of a
// thread, by its number, whose turn is not over.
func (c *Core) settle(member, passed int) {
	k := &c.turning
	g, had := k.group, k.opened
	k.armed = false
	stands := g.Waves[min(member, len(g.Waves)-1)].State
	ready(g)
	for i := k.Settle(had); i < had; i++ {
		for m := range g.Waves {
			c.turnAgain(i, m, math.MaxInt)
		}
		if i < had-1 || member < len(g.Waves) { // else the machine opens the barrier
			c.m.OpenedOf(g)
			ready(g)
		}
	}
	if member == len(g.Waves) {
		k.Passed(had, true)
		return
	}
	for m := range member {
		c.turnAgain(had, m, math.MaxInt)
	}
	c.turnAgain(had, member, passed)
	g.Waves[member].State = stands
	k.Passed(had, false) // of this turn not all is kept
}

// turnAgain tells of what a thread has done in a foreseen turn, by how many were had before it: so many
// steps, and that it has come to the barrier if that is more than there are.
func (c *Core) turnAgain(turn, member, steps int) {
	of, times := c.turning.Foreseen(turn)
	told, w := &of[member], c.turning.group.Waves[member]
	exec := w.Exec
	w.Exec = w.Valid
	for i := range min(steps, len(told.steps)) {
		c.stepAgain(w, &told.steps[i], times)
	}
	if steps > len(told.steps) {
		w.State = simt.AtBarrier
		c.m.Arrived(simt.Event{Kind: simt.BarrierEvent, Wave: w, PC: told.at, Lanes: w.Exec})
	}
	w.Exec = exec
}

// stepAgain tells of a step of a thread, some times as much further on.
func (c *Core) stepAgain(w *simt.Wave, s *turnStep, times uint64) {
	switch {
	case len(s.pieces) > 0:
		pieces := slices.Clone(s.pieces)
		for i := range pieces {
			pieces[i].At += times * s.by[i]
		}
		c.m.NoteLoads(w, s.note.Loads, pieces)
	case s.code != nil:
		c.leftAgain(w, s.code, s.records)
	case s.note == nil:
		c.m.Fence(w, s.fence)
	default:
		a := s.access
		a.Wave = w
		if s.stride && c.m.NoteStride(&a, s.from, s.step) {
			return
		}
		var addr [simt.MaxLanes]uint64
		copy(addr[:], s.addr[:])
		at := s.from
		for rest := a.Lanes; s.stride && rest != 0; rest &= rest - 1 {
			addr[bits.TrailingZeros64(rest)] = at
			at += uint64(s.step)
		}
		a.Addr = &addr
		c.m.Note(&a)
	}
}

// leftAgain tells of records that a code has left of a thread: later, or at once if that is to be.
func (c *Core) leftAgain(w *simt.Wave, code *x86.Code, records []simt.LoadRecord) {
	tell := tellsOf(code)
	l := simt.LateLoads{}
	if at, _, ok := l.Begin(c.m, w); ok {
		if upTo, ok := l.Put(at, records); ok {
			l.Tell(upTo, tell)
			return
		}
	}
	for i := range records {
		tell(&records[i], func(a *simt.Access) {
			a.Wave = w
			c.m.Note(a)
		})
	}
}
