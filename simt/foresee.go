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
