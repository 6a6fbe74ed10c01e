package rows

import (
	"math"
	"slices"

	"simtgdb/simt"
)

// Where turns of a workgroup's waves are foreseen ([simt.Turns]), what the members of a team do is compared
// with what they did some turns before, and observers are told of the last turns alone.

// A turnTold is what observers have been told of a member in a turn.
type turnTold struct {
	Told
	begins telling // what code told of at first
	runs   int     // how often it ran
	over   bool    // the member has come to a barrier,
	at     int32   // which is there
}

// mostOrders is of how many turns it is kept in which order members had them: of those that are told of, and
// the one under way.
const mostOrders = 16

// turnForesight is what a team keeps of turns.
type turnForesight struct {
	simt.Turns[turnTold]
	m      *simt.Machine
	rounds int       // that are left
	insts  uint64    // which all had executed when the team stopped
	now    *turnTold // of the member that is told of, if that is kept

	armed  bool // members are compared,
	asked  int  // in so many turns,
	opened int  // of which so many are over
	of     []turnAt
	orders [mostOrders][]int // of the last turns

	then  *turnTold // what the member that has its turn is to do,
	times uint64    // so many times as much further on
	room  simt.LoadRoom
}

// A turnAt is how much a member has done in the turn that is under way.
type turnAt struct {
	steps       int
	begun, over bool
}

// Keeps is where what observers are told of the member that has its turn is kept; nil if it is not.
func (t *Team) Keeps() *Told {
	if t.ahead.now == nil {
		return nil
	}
	return &t.ahead.now.Told
}

// beginTurns goes on where the team stopped, unless others have executed anything since, or begins with the
// turns of a workgroup.
func (t *Team) beginTurns(x *Context, m *simt.Machine, rounds int) {
	k, g := &t.ahead, t.Members[0].Wave.Group
	k.now, k.armed, k.rounds = nil, false, rounds
	if t.Told == nil || len(t.Members) != len(g.Waves) {
		k.By = nil
		return
	}
	if k.m != m || !k.Of(g) {
		k.m = m
		k.Begin(g, func() simt.TurnForeseer { return m.TurnForeseer(g, true) })
	} else if k.By != nil && (k.insts != t.executed() || m.TurnForeseer(g, true) != k.By) {
		k.Forget()
	}
	if t.waiting == 0 && k.By != nil && (k.Period > 0 || k.Began()) {
		t.turnOver(x)
	}
}

// executed is how much all members have executed.
func (t *Team) executed() (n uint64) {
	for i := range t.Members {
		n += t.Members[i].Wave.Insts
	}
	return n
}

// turnOver is where all members have had a turn and are to have another. What they do next is foreseen, if it
// can be.
func (t *Team) turnOver(x *Context) {
	k := &t.ahead
	if k.Period == 0 || k.Began() {
		k.Over(func(_ *simt.Wave, t *turnTold) bool { return t.over && !t.odd && t.runs == 1 })
		if !k.Find(t.learnTurns) {
			return
		}
	}
	t.Told.Turn(x, &t.Members[0]) // what code tells of is what it tells of all
	at := k.m.SteadyAt(t.Members[0].Wave)
	steady := at != 0
	for i := range t.Members {
		steady = steady && k.m.SteadyAt(t.Members[i].Wave) == at
	}
	if k.asked = k.Ask(k.rounds, steady); k.asked == 0 {
		return
	}
	k.armed, k.opened = true, 0
	k.beginTurn(len(t.Members))
}

// beginTurn is where members are to have a foreseen turn.
func (k *turnForesight) beginTurn(members int) {
	k.of = slices.Grow(k.of[:0], members)[:members]
	clear(k.of)
	order := &k.orders[k.opened%mostOrders]
	*order = (*order)[:0]
}

// learnTurns finds whether the last turns, so many, were as many others before them, with loads from global
// memory as much further on in all lanes.
func (t *Team) learnTurns(turns int) (most int) {
	k, lanes, records := &t.ahead, t.Members[0].Wave.Size, 0
	most = math.MaxInt32
	k.Last(turns, func(now, before []turnTold) bool {
		for i := range now {
			is, was := &now[i], &before[i]
			if is.at != was.at || !is.behind(&was.Told, lanes) || !is.inTurn() {
				most = 0
				return false
			}
			records = max(records, is.records())
		}
		return true
	})
	if n := records + MostGroups; n > len(k.room) {
		k.room = make(simt.LoadRoom, n)
	}
	return most
}

// inTurn reports whether accesses are ones that turns can be foreseen with: to LDS always at the same places,
// and loads from global memory that were told of together.
func (t *Told) inTurn() bool {
	return !slices.ContainsFunc(t.steps, func(s toldStep) bool {
		return s.from != nil && s.loads == nil && (s.access.Space != simt.LDS || s.rows[0].by != 0)
	})
}

// records is how many records were left.
func (t *Told) records() (n int) {
	for i := range t.steps {
		n += len(t.steps[i].records)
	}
	return n
}

// runs runs code for a member, unless observers want to see more of what it does.
func (t *Team) runs(x *Context, entry uintptr, m *Member) bool {
	k := &t.ahead
	if t.Told == nil {
		t.Code.RunAgain(x, entry, m.Rows, m.Masks)
		return true
	}
	if t.m = m; k.armed {
		t.begins(x, m)
		t.Code.RunAgain(x, entry, m.Rows, m.Masks)
		if !k.armed {
			t.Told.Ran(x)
		} else if !t.leftAsForeseen(x) {
			t.differs(x)
		}
		return true
	}
	if !t.Told.Turn(x, m) {
		return false
	}
	if k.now = nil; k.By != nil {
		k.now = k.told(x, m)
	}
	t.Code.RunAgain(x, entry, m.Rows, m.Masks)
	t.Told.Ran(x)
	k.now = nil
	return true
}

// told is where what observers are told of a member is kept.
func (k *turnForesight) told(x *Context, m *Member) *turnTold {
	if t := k.Now(m.Wave); t != nil {
		t.runs++
		return t
	}
	t := k.Wave(m.Wave)
	t.begin(m.Active)
	t.begins, t.runs, t.over = tellingOf(x), 1, false
	return t
}

// begins has code tell of a member what it told of some turns before, in its first run of the turn under way:
// who leaves before a barrier ends the team. Its lanes are those of then, since it has executed nothing else.
func (t *Team) begins(x *Context, m *Member) {
	k, i := &t.ahead, m.Wave.Index
	of, times := k.Foreseen(k.opened)
	k.then, k.times = &of[i], times
	k.of[i].begun = true
	order := &k.orders[k.opened%mostOrders]
	*order = append(*order, i)
	k.tells(x, k.then.begins)
}

// tells has code tell of something, and leave records in the team's room.
func (k *turnForesight) tells(x *Context, what telling) {
	x.Noted, x.Telling = what.noted, what.later
	x.LateAt, x.LateEnd = k.room.Extent()
}

// left are the records that code has left in the team's room.
func (k *turnForesight) left(x *Context) []simt.LoadRecord {
	if x.Telling == 0 {
		return nil
	}
	return k.room.Left(x.LateAt)
}

// leftAsForeseen reports whether the records that code has left are those that were foreseen.
func (t *Team) leftAsForeseen(x *Context) bool {
	k := &t.ahead
	left := k.left(x)
	if len(left) == 0 {
		return true
	}
	at := &k.of[t.m.Wave.Index]
	if at.steps == len(k.then.steps) ||
		!sameRecords(left, k.then.steps[at.steps].records, t.m.Wave.Size) {
		return false
	}
	at.steps++
	k.tells(x, tellingOf(x))
	return true
}

// note is Context.Note of a team whose observers may have turns foreseen.
func (t *Team) note(n Note) bool {
	k, x := &t.ahead, t.x
	if k.armed {
		if t.leftAsForeseen(x) && t.asForeseen(x, n) {
			return true
		}
		t.differs(x)
	}
	before := 0
	if k.now != nil {
		before = len(k.now.steps)
	}
	all := t.Told.Note(n)
	if k.now != nil {
		if k.now.odd = k.now.odd || !all; len(k.now.steps) > before {
			k.now.steps[len(k.now.steps)-1].behind = tellingOf(x)
		}
	}
	return all
}

// asForeseen reports whether accesses of the member that has its turn are those that were foreseen.
func (t *Team) asForeseen(x *Context, n Note) bool {
	k, m := &t.ahead, t.m
	steps := k.then.steps
	at := &k.of[m.Wave.Index]
	i := at.steps
	for len(n) > 0 {
		if x.Telling != 0 && n[0].Op.Space == Shared && !n[0].Now { // it has left a record
			n = n[1:]
			continue
		}
		if i == len(steps) || !steps[i].does(n, m.Rows, m.Wave.Size, m.Active, k.times) {
			return false
		}
		n = n[steps[i].count:]
		i++
	}
	if i > at.steps {
		at.steps = i
		k.tells(x, steps[i-1].behind)
	}
	return true
}

// differs tells of all that has not been told of, where the member that has its turn does something else.
func (t *Team) differs(x *Context) {
	k := &t.ahead
	left := slices.Clone(k.left(x))
	t.settle(x)
	t.Told.Teller().Left(x, k.m, left)
}

// came is where a member has come to a barrier.
func (t *Team) came(x *Context, m *Member) {
	k := &t.ahead
	if k.armed {
		at := &k.of[m.Wave.Index]
		if at.begun && at.steps == len(k.then.steps) && m.At == k.then.at {
			at.over = true
			return
		}
		t.settle(x)
	}
	if t.Told.Came(m); k.By != nil {
		if told := k.Now(m.Wave); told != nil {
			told.over, told.at = true, m.At
		}
	}
}

// opens is where all members have come to a barrier and go on.
func (t *Team) opens(x *Context) {
	k := &t.ahead
	if k.armed {
		if k.opened++; k.opened < k.asked {
			k.beginTurn(len(t.Members))
			return
		}
		k.beginTurn(len(t.Members))
		t.settle(x)
	} else {
		t.Told.Opens(t.waitAt)
	}
	if k.By != nil {
		t.turnOver(x)
	}
}

// settle tells of the last foreseen turns, and of what has been done since: also by the member whose turn is
// not over, which comes last. The core is as if it had told of all of it.
func (t *Team) settle(x *Context) {
	k := &t.ahead
	k.armed = false
	had, begun := k.opened, slices.ContainsFunc(k.of, func(a turnAt) bool { return a.begun })
	all := !slices.ContainsFunc(k.of, func(a turnAt) bool { return !a.over })
	if all { // the machine opens the barrier
		had++
	}
	for i := k.Settle(had); i < had; i++ {
		for _, m := range k.orders[i%mostOrders] {
			t.turnAgain(x, i, m, math.MaxInt)
		}
		if i < k.opened {
			turn, _ := k.Foreseen(i)
			t.Told.Opens(t.Meets[turn[0].at])
		}
	}
	if !all {
		for _, m := range k.orders[had%mostOrders] {
			steps := k.of[m].steps
			if k.of[m].over {
				steps = math.MaxInt
			}
			t.turnAgain(x, had, m, steps)
		}
	}
	k.Passed(had, all || !begun)
}

// turnAgain tells of what a member has done in a foreseen turn, by how many were had before it: so many
// steps, and that it has come to the barrier if that is more than there are.
func (t *Team) turnAgain(x *Context, turn, member, steps int) {
	k, m := &t.ahead, t.Members[member]
	of, times := k.Foreseen(turn)
	told := &of[member]
	t.Told.Turn(x, &m)
	for i := range min(steps, len(told.steps)) {
		s := &told.steps[i]
		if s.from == nil {
			t.Told.Teller().Left(x, k.m, s.records)
			continue
		}
		if s.again(k.m, m.Wave, m.Wave.Size, times); s.loads == nil {
			t.Told.Teller().Again(x, k.m)
		}
	}
	if steps > len(told.steps) {
		m.At = told.at
		t.Told.Came(&m)
	}
}
