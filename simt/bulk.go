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

// A Repeater is a BulkRunner that knows of some waves which have begun that they have changed nothing but
// themselves, and would do the same again.
type Repeater interface {
	BulkRunner
	// Repeats reports whether RunBulk may execute what a wave has executed that nobody else has changed.
	Repeats(w *Wave) bool
}

// A SeriesRunner is a BulkRunner that executes several workgroups by one call.
type SeriesRunner interface {
	BulkRunner
	// RunSeries is RunBulk for so many workgroups that are whole and, in the first direction, beside each
	// other: g and those behind it. It makes g the last whose waves it has begun. What it returns tells of
	// waves of all of them.
	RunSeries(g *Workgroup, groups int, n uint64) (done []Stats, tried bool)
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
	ends         []WaveEnd // of those
	first        int       // of done, of the workgroup in which it has stopped
}

// A FirstWrite is a register that an instruction of a kernel's first block, by its number, writes whole
// before any has read it.
type FirstWrite struct{ Reg, By int }

// A WaveEnd is where a wave has ended, and with which lanes.
type WaveEnd struct{ PC, Exec uint64 }

// Learn makes it one of another kernel.
func (b *BulkWave) Learn() { b.Again, b.First = false, b.First[:0] }

// Begin is before the first wave of a workgroup.
func (b *BulkWave) Begin() {
	b.begun, b.whole, b.done, b.ends, b.first = false, false, b.done[:0], b.ends[:0], 0
}

// Ran says how the wave, which was to execute n instructions at most, has stopped, and reports whether it has
// ended.
func (b *BulkWave) Ran(stop EventKind, n uint64) (ended bool) {
	w := &b.Wave
	b.first = len(b.done) - w.Index
	if stop != EndEvent {
		b.begun, b.whole = true, stop == NoEvent && w.Insts >= n
		return false
	}
	b.done = append(b.done, Stats{Waves: 1, Insts: w.Insts, LaneInsts: w.LaneInsts})
	b.ends = append(b.ends, WaveEnd{w.PC, w.Exec})
	return true
}

// Room is where code tells of up to n waves that come to their ends and whose successors it begins itself.
func (b *BulkWave) Room(n int) (done *Stats, ends *WaveEnd) {
	b.done, b.ends = slices.Grow(b.done, n), slices.Grow(b.ends, n)
	at := len(b.done)
	return &b.done[:at+n][at], &b.ends[:at+n][at]
}

// Told adds n waves of which code has told.
func (b *BulkWave) Told(n int) {
	b.done, b.ends = b.done[:len(b.done)+n], b.ends[:len(b.ends)+n]
}

// Done is what RunBulk returns.
func (b *BulkWave) Done() []Stats { return b.done }

// Begun is that of a Resumer.
func (b *BulkWave) Begun() bool { return b.begun }

// End is where the wave with an index has ended, of the workgroup in which it has stopped, and with which
// lanes.
func (b *BulkWave) End(index int) (pc, exec uint64) {
	end := &b.ends[b.first+index]
	return end.PC, end.Exec
}

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
	series SeriesRunner // it is core, or nil
	g      Workgroup
	vain   int // workgroups not all of whose waves did
	groups int
}

// newBulk is nil if waves must be made: somebody may look at them, or lets them run for a while only.
func (m *Machine) newBulk(core Core) *bulk {
	b, ok := core.(BulkRunner)
	if !ok || len(m.breaks) > 0 || m.Track || m.Interpret || m.quiet || !m.noted() || m.MaxInsts > 0 ||
		m.Forgive != nil || m.AllAtOnce || m.Dispatch.clusterSize() > 1 {
		return nil
	}
	return bulkOf(b)
}

func bulkOf(core BulkRunner) *bulk {
	s, _ := core.(SeriesRunner)
	return &bulk{core: core, series: s}
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
	size, items := m.isa.WaveSize(), g.items()
	count, perGroup := m.WavesOf(g), m.wavesPerGroup()
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
	return bulkOf(b)
}

// hopeless reports whether too many workgroups have been in vain.
func (b *bulk) hopeless() bool { return b.vain > fewInVain+b.groups/oneInVain }

// Trying costs what waves execute before they turn out to be others. So it ends where more than one workgroup
// of oneInVain was in vain, a few apart.
const (
	oneInVain = 8
	fewInVain = 4
)

// run executes workgroups from one on, up to most of them, and says how many. If not all waves of the last
// have come to their ends, it is given with those that have not still to run.
func (b *bulk) run(m *Machine, index, most int, stats *Stats) (ran int, g *Workgroup, err error) {
	if b.hopeless() {
		g, err = m.startGroup(index)
		return 1, g, err
	}
	groups := b.place(m, index, most)
	waves := m.WavesOf(&b.g)
	if b.g.Waves = b.g.Waves[:0]; m.Observed() {
		m.bulkWaves(&b.g)
	}
	done, tried := b.attempt(groups, slice)
	if !tried {
		g, err = m.startGroup(index)
		return 1, g, err
	}
	ran = len(done) / waves
	b.groups += ran
	for i := range done[:ran*waves] {
		stats.add(done[i])
	}
	if ran == groups {
		return ran, nil, nil
	}
	b.groups++
	b.vain++
	if g, err = m.startGroup(index + ran); err != nil {
		return 0, nil, err
	}
	if done = done[ran*waves:]; b.finish(g, done) {
		g.from = len(done) + 1
	} else if len(done) < waves {
		g.from, g.begun = len(done), g.Waves[len(done)].Insts
	}
	return ran + 1, g, nil
}

// place makes the workgroup that is executed next the one of an index, and says how many from it on, most at
// most, are a series: whole, and in the first direction beside each other.
func (b *bulk) place(m *Machine, index, most int) (groups int) {
	d := &m.Dispatch
	d.place(&b.g, index)
	if b.g.Size != d.Block || b.series == nil {
		return 1
	}
	return min(most, int(d.Grid[0]/d.Block[0]-b.g.ID[0]))
}

// attempt executes workgroups as RunSeries does. Where that panics none is executed so any more: the waves
// are made, and the one that panics then is at fault.
func (b *bulk) attempt(groups int, n uint64) (done []Stats, tried bool) {
	defer func() {
		if r := recover(); r != nil {
			if LetPanic {
				panic(r)
			}
			done, tried, b.vain = nil, false, math.MaxInt
		}
	}()
	if b.series != nil {
		return b.series.RunSeries(&b.g, groups, n)
	}
	return b.core.RunBulk(&b.g, n)
}

// finish brings waves that have been executed without being made to their ends, and the one after them to
// where it has come. It reports whether that one has had its turn.
func (b *bulk) finish(g *Workgroup, done []Stats) (whole bool) {
	for i := range done {
		w := g.Waves[i]
		w.State, w.Exec = Ended, 0
		b.core.Finish(w)
		if t := w.Track; t != nil && t.calls { // that it made before
			t.Innermost = [MaxLanes]*Call{}
		}
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
