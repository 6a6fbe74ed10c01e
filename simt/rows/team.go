package rows

import (
	"math/bits"

	"simtgdb/simt"
)

// A Team is waves of a workgroup that have their turns in translated code, one after the other, with nothing
// in between but who is next: where one comes to a barrier its turn is over, and where all have come they go
// on. Whatever else happens to one is the core's, and ends this.
type Team struct {
	Members []Member
	Code    *Code
	Entry   []uintptr // of the code, by number; 0 for none
	Meets   []Meeting // barriers, by number
	// Onward says that who comes last goes on at once, with Fresh as what is Left to it. Else the machine
	// lets all go on when each of them has had its turn.
	Onward bool
	Fresh  int64
	Place  func(x *Context, m *Member) // says where a member is, if that is not nil
	Told   Witness                     // nil where nobody wants to know what members do

	turns   []turn // that members have had, in their order
	waiting int    // members
	waitAt  Meeting

	ahead turnForesight
	x     *Context
	m     *Member         // whose turn it is
	noted func(Note) bool // note
}

// A Meeting is a barrier of all waves, by its number, or 0.
type Meeting uint8

// A Member is a wave of a team.
type Member struct {
	Wave  *simt.Wave
	Rows  []uint64
	Masks []uint32

	Private Slot
	Active  uint64
	At      int32 // the instruction that it stands at; the one behind a barrier at which it waits
	Waits   bool
	Stop    int64  // as in a Context
	Left    int64  // instructions, until the core wants it for another reason than that its turn is over
	Insts   uint64 // that it has executed,
	Lanes   uint64 // and those of lanes
}

// A turn is how many instructions a wave has executed in one.
type turn struct {
	wave  int
	insts uint64
}

// Begin makes the team one of no waves.
func (t *Team) Begin() { t.Members, t.turns, t.waiting = t.Members[:0], t.turns[:0], 0 }

// Join adds a member, behind those with lower numbers. It reports whether it fits: who waits does so at one
// barrier.
func (t *Team) Join(m Member) bool {
	if m.Waits {
		meeting := t.Meets[m.At-1]
		if meeting == 0 || t.waiting > 0 && meeting != t.waitAt {
			return false
		}
		t.waiting, t.waitAt = t.waiting+1, meeting
	}
	t.Members = append(t.Members, m)
	return true
}

// A TeamCore is the core that a team's waves have.
type TeamCore interface {
	simt.Stopper
	Scatter(m *Member) // brings a member's wave to where it is; its state and counts it has
	Executed(n uint64) // how many instructions the members have executed
	// Slot is the memory of an access of a member, whose registers are Rows.
	Slot(a *Access, m *Member) Slot
}

// A Witness tells observers of what members do.
type Witness interface {
	// Turn is called before code runs for a member, and has it tell of accesses; Ran once it has left. If it
	// answers false the core is to go on with the member instead.
	Turn(x *Context, m *Member) bool
	Ran(x *Context)
	Came(m *Member) // to the barrier that it stands at
	Opens(Meeting)  // all members wait at it
	// Note is Context.Note for the member whose turn it is, Teller tells of the records that it leaves.
	Note(n Note) bool
	Teller() *Teller
}

// Each gives all turns.
func (t *Team) Each(give func(wave int, insts uint64)) {
	for _, turn := range t.turns {
		give(turn.wave, turn.insts)
	}
}

// Run is RunTeam of [simt.Teamer] for a core of a machine. The code and the context are those of all members.
func (t *Team) Run(c TeamCore, on *simt.Machine, x *Context, n uint64, rounds int) (done, next int,
	kind simt.EventKind) {
	done, last, some, alone := t.told(c, on, x, n, rounds)
	executed := uint64(0)
	for i := range t.Members {
		m := &t.Members[i]
		executed += m.Insts
		m.Wave.Insts += m.Insts
		m.Wave.LaneInsts += m.Lanes
		if m.Wave.State = simt.Ready; m.Waits {
			m.Wave.State = simt.AtBarrier
		}
		c.Scatter(m)
	}
	t.ahead.insts = t.executed()
	c.Executed(executed)
	w := t.Members[last].Wave
	if alone {
		if some < n { // its turn goes on elsewhere
			before := w.Insts
			kind = c.RunKind(w, n-some)
			some += w.Insts - before
		}
		t.turns = append(t.turns, turn{w.Index, some})
	} else if last == len(t.Members)-1 {
		return done, 0, kind
	}
	return done, w.Index + 1, kind
}

// told is run, with what is told of it.
func (t *Team) told(c TeamCore, on *simt.Machine, x *Context, n uint64, rounds int) (done, last int,
	some uint64, alone bool) {
	if t.Told == nil {
		return t.run(c, x, n, rounds)
	}
	if t.noted == nil {
		t.noted = t.note
	}
	before := x.Note
	defer func() { x.Note, t.ahead.armed, t.ahead.now = before, false, nil }()
	t.x, x.Note = x, t.noted
	t.beginTurns(x, on, rounds)
	done, last, some, alone = t.run(c, x, n, rounds)
	if t.ahead.armed {
		t.settle(x)
	}
	return done, last, some, alone
}

// run gives members turns. It says how many rounds there were, and who has had a turn last: with alone one
// that stopped for another reason than a barrier, having executed some of its turn, which is not noted.
func (t *Team) run(c TeamCore, x *Context, n uint64, rounds int) (done, last int, some uint64, alone bool) {
	for at := 0; ; {
		if m := &t.Members[at]; !m.Waits {
			some, over := t.turn(c, x, m, n)
			if !over {
				return done, at, some, true
			}
			t.turns = append(t.turns, turn{m.Wave.Index, some})
		}
		all := t.waiting == len(t.Members)
		if at++; at < len(t.Members) {
			if all { // others say when they go on
				return done, at - 1, 0, false
			}
			continue
		}
		if at, done = 0, done+1; done == rounds {
			return done, len(t.Members) - 1, 0, false
		}
		t.ahead.rounds = rounds - done
		if all {
			t.open(x)
		}
	}
}

// turn gives a member a turn. It says how much it executed, and whether it came to a barrier.
func (t *Team) turn(c TeamCore, x *Context, m *Member, n uint64) (some uint64, over bool) {
	lanes := uint64(bits.OnesCount64(m.Active))
	for {
		entry, budget := t.Entry[m.At], min(int64(min(n-some, 1<<62)), m.Left)
		if entry == 0 || budget <= 0 {
			return some, false
		}
		if t.Place != nil {
			t.Place(x, m)
		}
		x.Active, x.Budget, x.Stop, x.Private = m.Active, budget, m.Stop, m.Private
		if !t.runs(x, entry, m) {
			return some, false
		}
		executed := uint64(budget - x.Budget)
		some += executed
		m.Left -= int64(executed)
		m.Insts += executed
		m.Lanes += executed*lanes - x.Off
		m.At = int32(x.At)
		if x.Miss > 0 { // the next that comes here goes on
			t.Code.Slots[x.Miss-1] = c.Slot(&t.Code.Accesses[x.Miss-1], m)
		}
		if m.At < 0 || some == n {
			return some, false
		}
		meeting := t.Meets[m.At]
		if meeting == 0 || t.waiting > 0 && meeting != t.waitAt || int64(m.At) == m.Stop ||
			int64(m.At)+1 == m.Stop {
			return some, false
		}
		if t.Told != nil {
			t.came(x, m)
		}
		some++
		m.Insts++
		m.Lanes += lanes
		m.Left--
		m.At++
		m.Waits = true
		if t.waiting, t.waitAt = t.waiting+1, meeting; t.waiting < len(t.Members) || !t.Onward {
			return some, true
		}
		t.open(x)
		m.Left = t.Fresh
	}
}

// open lets all members go on.
func (t *Team) open(x *Context) {
	t.waiting = 0
	for i := range t.Members {
		t.Members[i].Waits = false
	}
	if t.Told != nil {
		t.opens(x)
	}
}
