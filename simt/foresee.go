package simt

// A Foreseer is an observer that need not be told of waves in bulk that do as those before them did, each as
// much further on: it works out itself what they do.
type Foreseer interface {
	LoadsReader
	// Foresee says of how many waves, from the one with an ID on and up to n, it need not be told anything,
	// nor of their ends, where each loads, stores and waits as the wave before it did, at addresses that are
	// as much further on as those of the two before it, of which it was told, were from each other.
	Foresee(id, n int) int
	// Foreseen says how many of those waves have come to their ends so, before it is told of anything else.
	Foreseen(n int)
}

// A TurnForeseer is an observer that need not be told either of what the waves of a workgroup do from one
// barrier to the next, a turn, where that is what they did some turns before, as far as observers can tell:
// it works out itself what they do.
type TurnForeseer interface {
	// ForeseeTurns says how many more times it need not be told of what all waves of a workgroup have done in
	// its last turns, so many, if they do that again, up to n times: they load from the same places of LDS,
	// store there and wait, and load from global memory as much further on each time as the last time. Of the
	// last turns it was told, and of as many before these, unless they were foreseen; of nothing else since.
	ForeseeTurns(g *Workgroup, turns, n int) int
	// ForeseenTurns says how many times they have done so, before it is told of anything else: of the last
	// time, which is not among those.
	ForeseenTurns(n int)
}

// A Backoff says when something is left out that may be in vain: after it was, twice, and after it was again,
// twice as often each time, up to 64 times.
type Backoff struct{ vain, idle int }

// Idle reports whether it is left out this time.
func (b *Backoff) Idle() bool {
	if b.idle == 0 {
		return false
	}
	b.idle--
	return true
}

// InVain notes that it was in vain.
func (b *Backoff) InVain() {
	const longest = 6
	b.vain = min(b.vain+1, longest)
	b.idle = 1 << b.vain
}

// Paid notes that it was not: what comes is as if it never had been.
func (b *Backoff) Paid() { b.vain = 0 }

// TurnForeseer is who foresees turns of a workgroup, where that is who looks on, nobody else does, and all
// that is told are accesses and what orders them, alike of all waves; else nil. follows says that the core
// itself sees to whatever else followers are to be told of.
func (m *Machine) TurnForeseer(g *Workgroup, follows bool) TurnForeseer {
	if !m.ForeseesAlike(g, follows) || m.Concurrent || m.Track {
		return nil
	}
	return m.observers[0].turns
}

// ForeseesAlike reports whether a Foreseer looks on, nobody else does, and all that is told are accesses of a
// workgroup's waves and what orders them, alike of all; follows is as TurnForeseer has it.
func (m *Machine) ForeseesAlike(g *Workgroup, follows bool) bool {
	return len(g.Waves) > 0 && m.Foreseer() != nil && m.OrdersAlike(g.Waves[0]) &&
		(follows || m.Follows() == (Following{}) && !m.Judged())
}

// Foreseer is who looks on, if nobody else does and that is a Foreseer; else nil.
func (m *Machine) Foreseer() Foreseer {
	if len(m.observers) != 1 {
		return nil
	}
	return m.observers[0].foreseer
}

// EndedInBulk is [Machine.Ended] for a wave that shares its workgroup with those that have been executed in
// bulk before it, whose waves observers are told of.
func (m *Machine) EndedInBulk(w *Wave) {
	g := w.Group
	m.BulkWave(g, w.Index)
	for _, before := range g.Waves[:w.Index+1] {
		before.State = Ended
	}
	m.Ended(w)
}

// BulkWave is the wave of an index in a workgroup that is executed in bulk, as observers are told of it.
func (m *Machine) BulkWave(g *Workgroup, index int) *Wave {
	if len(g.Waves) == 0 || g.Waves[0].ID != m.FirstWave(g) {
		m.bulkWaves(g)
	}
	return g.Waves[index]
}

// FirstWave is the ID of a workgroup's first wave.
func (m *Machine) FirstWave(g *Workgroup) int { return g.Index * m.wavesPerGroup() }
