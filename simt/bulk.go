package simt

import (
	"math"
	"slices"
)

// A BulkRunner is a core that can execute waves that nobody looks at without making them: from the beginning
// to the end at once.
type BulkRunner interface {
	Core
	// RunBulk executes waves of a workgroup, from its first on, one after the other, as if each had been
	// started and had run to its end, and says what they have executed. It stops before the first that it
	// cannot execute so, in n instructions at most; that one has done nothing. tried is false of a kernel
	// that it does not execute so, yet, and of one with breakpoints. What the waves write, snapshots have
	// kept. The workgroup has no LDS; it has waves, by number, where observers are to be told of them, who
	// are all Noters: also of their ends. Their states are BulkStates. What is returned is overwritten by the
	// next call.
	RunBulk(g *Workgroup, n uint64) (done []Stats, tried bool)
	// Finish brings a wave that has been started to where it would be if it had done what RunBulk did in its
	// stead.
	Finish(w *Wave)
}

// A Resumer is a BulkRunner that may stop amid a wave: the one after those that RunBulk tells of.
type Resumer interface {
	BulkRunner
	// Begun reports whether RunBulk has.
	Begun() bool
	// Resume brings the wave, which has been started, to where RunBulk stopped, and says whether it has had
	// its n instructions.
	Resume(w *Wave) (whole bool)
}

// A BulkWave is what a Resumer keeps: the wave with which it executes others, one after the other.
type BulkWave struct {
	Wave  Wave
	Again bool         // the registers are those of a wave of the same kernel
	First []FirstWrite // registers that are not made 0 when a wave begins, since the kernel writes them first

	begun, whole bool // amid a wave; that has executed as many instructions as it may
	done         []Stats
	ends         []waveEnd // of those
}

// A FirstWrite is a register that an instruction of a kernel's first block, by its number, writes whole
// before any has read it.
type FirstWrite struct{ Reg, By int }

// A waveEnd is where a wave has ended.
type waveEnd struct{ pc, exec uint64 }

// Learn makes it one of another kernel.
func (b *BulkWave) Learn() { b.Again, b.First = false, b.First[:0] }

// Begin is before the first wave of a workgroup.
func (b *BulkWave) Begin() {
	b.begun, b.whole, b.done, b.ends = false, false, b.done[:0], b.ends[:0]
}

// Ran says how the wave, which was to execute n instructions at most, has stopped, and reports whether it has
// ended.
func (b *BulkWave) Ran(stop EventKind, n uint64) (ended bool) {
	w := &b.Wave
	if stop != EndEvent {
		b.begun, b.whole = true, stop == NoEvent && w.Insts >= n
		return false
	}
	b.done = append(b.done, Stats{Waves: 1, Insts: w.Insts, LaneInsts: w.LaneInsts})
	b.ends = append(b.ends, waveEnd{w.PC, w.Exec})
	return true
}

// Done is what RunBulk returns.
func (b *BulkWave) Done() []Stats { return b.done }

// Begun is that of a Resumer.
func (b *BulkWave) Begun() bool { return b.begun }

// End is where the wave of a workgroup with an index has ended, and with which lanes.
func (b *BulkWave) End(index int) (pc, exec uint64) { return b.ends[index].pc, b.ends[index].exec }

// Unwritten makes those registers 0 that instructions from one on write first.
func (b *BulkWave) Unwritten(from int, zero func(reg int)) {
	for _, f := range b.First {
		if f.By >= from {
			zero(f.Reg)
		}
	}
}

// Resume gives what the wave has to another, and says whether it has had its instructions. The other is
// ready: what faults does so again.
func (b *BulkWave) Resume(w *Wave) (whole bool) {
	from := &b.Wave
	w.Regs, from.Regs = from.Regs, w.Regs
	w.Scratch, from.Scratch = from.Scratch, w.Scratch
	w.PC, w.Exec = from.PC, from.Exec
	w.Insts, w.LaneInsts = from.Insts, from.LaneInsts
	b.begun, b.Again = false, false
	return b.whole
}

// Many reports whether the dispatch has so many workgroups that who executes them in bulk prepares for it
// before the first, not after some have shown what the kernel is.
func (d *Dispatch) Many() bool {
	const many = 64
	n := d.Groups()
	return uint64(n[0])*uint64(n[1])*uint64(n[2]) > many
}

// A bulk is workgroups of a worker that need not be made, since their waves run to their ends.
type bulk struct {
	core   BulkRunner
	g      Workgroup
	vain   int // workgroups not all of whose waves did
	groups int
	owed   []uint64 // what is in no turns yet, of the waves of a workgroup all of whose waves did
}

// newBulk is nil if waves must be made: somebody may look at them, or lets them run for a while only.
func (m *Machine) newBulk(core Core) *bulk {
	b, ok := core.(BulkRunner)
	if !ok || len(m.breaks) > 0 || m.Track || m.Interpret || m.quiet || !m.noted() || m.MaxInsts > 0 ||
		m.Forgive != nil || m.AllAtOnce || m.Dispatch.clusterSize() > 1 {
		return nil
	}
	return &bulk{core: b}
}

// noted reports whether all who look on can be told of accesses by a core that has no waves of its own.
func (m *Machine) noted() bool {
	for i := range m.observers {
		if m.observers[i].noter == nil {
			return false
		}
	}
	return true
}

// bulkWaves are the waves of a workgroup that are executed without being made, as observers are told of them.
func (m *Machine) bulkWaves(g *Workgroup) {
	size := m.isa.WaveSize()
	items := int(g.Size[0] * g.Size[1] * g.Size[2])
	count, perGroup := (items+size-1)/size, m.wavesPerGroup()
	g.Waves = slices.Grow(g.Waves[:0], count)[:count]
	for i := range g.Waves {
		w := g.Waves[i]
		if w == nil {
			w = &Wave{Regs: &BulkState{}}
			g.Waves[i] = w
		}
		valid := ^uint64(0) >> (64 - min(size, items-i*size))
		*w = Wave{Regs: w.Regs, ID: g.Index*perGroup + i, Index: i, Group: g, Size: size, Valid: valid,
			Exec: valid, PC: m.Dispatch.Entry}
	}
}

// A BulkState is that of such a wave.
type BulkState struct {
	WaveState
	Calls []uint64 // that an access is made in, innermost first
}

// Active implements [WaveState].
func (*BulkState) Active(w *Wave) uint64 { return w.Exec }

// CallSites implements [Caller].
func (s *BulkState) CallSites(_ *Wave, _ int, to []uint64) (sites []uint64, whole bool) {
	return append(to, s.Calls...), true
}

// newBulkAhead is whether workgroups of an [ahead] need not be made, as far as a machine with breakpoints
// elsewhere and with snapshots is concerned.
func (m *Machine) newBulkAhead(core Core) *bulk {
	b, ok := core.(BulkRunner)
	if !ok || m.Interpret || m.quiet || len(m.orderers) > 0 || m.MaxInsts > 0 || m.Forgive != nil ||
		m.AllAtOnce {
		return nil
	}
	return &bulk{core: b}
}

// hopeless reports whether too many workgroups have been in vain.
func (b *bulk) hopeless() bool { return b.vain > fewInVain+b.groups/oneInVain }

// Trying costs what waves execute before they turn out to be others. So it ends where more than one workgroup
// of oneInVain was in vain, a few apart.
const (
	oneInVain = 8
	fewInVain = 4
)

// run executes a workgroup. If not all of its waves have come to their ends, it is given with those that have
// not still to run.
func (b *bulk) run(m *Machine, index int, stats *Stats) (*Workgroup, error) {
	if b.hopeless() {
		return m.startGroup(index)
	}
	m.Dispatch.place(&b.g, index)
	size := m.isa.WaveSize()
	items := int(b.g.Size[0] * b.g.Size[1] * b.g.Size[2])
	if b.g.Waves = b.g.Waves[:0]; m.Observed() {
		m.bulkWaves(&b.g)
	}
	done, tried := b.attempt(slice)
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
	if b.finish(g, done) {
		g.from = len(done) + 1
	}
	return g, nil
}

// attempt executes the workgroup as RunBulk does. Where that panics none is executed so any more: the waves
// are made, and the one that panics then is at fault.
func (b *bulk) attempt(n uint64) (done []Stats, tried bool) {
	defer func() {
		if r := recover(); r != nil {
			if LetPanic {
				panic(r)
			}
			done, tried, b.vain = nil, false, math.MaxInt
		}
	}()
	return b.core.RunBulk(&b.g, n)
}

// finish brings waves that have been executed without being made to their ends, and the one after them to
// where it has come. It reports whether that one has had its turn.
func (b *bulk) finish(g *Workgroup, done []Stats) (whole bool) {
	for i := range done {
		w := g.Waves[i]
		w.State, w.Exec = Ended, 0
		b.core.Finish(w)
		w.Insts, w.LaneInsts = done[i].Insts, done[i].LaneInsts
	}
	return b.begun() && b.core.(Resumer).Resume(g.Waves[len(done)])
}

// MayStopAmid reports whether a wave may be executed in bulk of which nobody knows that it comes to its end:
// if waves keep records, as long as none has stopped so.
func (m *Machine) MayStopAmid() bool { return !m.Track || !m.amid }

// begun reports whether the core has stopped amid a wave.
func (b *bulk) begun() bool {
	r, ok := b.core.(Resumer)
	return ok && r.Begun()
}
