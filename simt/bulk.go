package simt

// A BulkRunner is a core that can execute waves that nobody looks at without making them: from the beginning to
// the end at once.
type BulkRunner interface {
	Core
	// RunBulk executes waves of a workgroup, from its first on, one after the other, as if each had been started and
	// had run to its end, and says what they have executed. It stops before the first that it cannot execute so, in
	// n instructions at most; that one has done nothing. tried is false of a kernel that it does not execute so, yet,
	// and of one with breakpoints. What the waves write, snapshots have kept.
	// The workgroup has neither waves nor LDS, and what is returned is overwritten by the next call.
	RunBulk(g *Workgroup, n uint64) (done []Stats, tried bool)
	// Finish brings a wave that has been started to where it would be if it had done what RunBulk did in its stead.
	Finish(w *Wave)
}

// A bulk is workgroups of a worker that need not be made, since their waves run to their ends.
type bulk struct {
	core   BulkRunner
	g      Workgroup
	vain   int // workgroups not all of whose waves did
	groups int
}

// newBulk is nil if waves must be made: somebody may look at them, or lets them run for a while only.
func (m *Machine) newBulk(core Core) *bulk {
	b, ok := core.(BulkRunner)
	if !ok || !m.Plain() || m.Observed() || m.MaxInsts > 0 || m.Forgive != nil || m.AllAtOnce {
		return nil
	}
	return &bulk{core: b}
}

// newBulkAhead is whether workgroups of an [ahead] need not be made, as far as a machine with breakpoints
// elsewhere and with snapshots is concerned.
func (m *Machine) newBulkAhead(core Core) *bulk {
	b, ok := core.(BulkRunner)
	if !ok || m.Interpret || m.quiet || len(m.orderers) > 0 || m.MaxInsts > 0 || m.Forgive != nil || m.AllAtOnce {
		return nil
	}
	return &bulk{core: b}
}

// hopeless reports whether too many workgroups have been in vain.
func (b *bulk) hopeless() bool { return b.vain > fewInVain+b.groups/oneInVain }

// Trying costs what waves execute before they turn out to be others. So it ends where more than one workgroup of
// oneInVain was in vain, a few apart.
const (
	oneInVain = 8
	fewInVain = 4
)

// run executes a workgroup. If not all of its waves have come to their ends, it is given with those that have not
// still to run.
func (b *bulk) run(m *Machine, index int, stats *Stats) (*Workgroup, error) {
	if b.hopeless() {
		return m.startGroup(index)
	}
	m.Dispatch.place(&b.g, index)
	size := m.isa.WaveSize()
	items := int(b.g.Size[0] * b.g.Size[1] * b.g.Size[2])
	done, tried := b.core.RunBulk(&b.g, slice)
	if !tried {
		return m.startGroup(index)
	}
	b.groups++
	if len(done) == (items+size-1)/size {
		for i := range done {
			stats.add(done[i])
		}
		return nil, nil
	}
	b.vain++
	g, err := m.startGroup(index)
	if err != nil {
		return nil, err
	}
	b.finish(g, done)
	return g, nil
}

// finish brings waves that have been executed without being made to their ends.
func (b *bulk) finish(g *Workgroup, done []Stats) {
	for i := range done {
		w := g.Waves[i]
		b.core.Finish(w)
		w.State, w.Exec = Ended, 0
		w.Insts, w.LaneInsts = done[i].Insts, done[i].LaneInsts
	}
}
