package simt_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// What follows is the toy machine with a core that does by itself what other machines' cores do: turns of all
// waves of a workgroup, and waves in bulk, from beginning to end. It executes them as the toy's own core
// does.

// A quickISA is the toy's instruction set with such cores.
type quickISA struct {
	*simttest.ToyISA
	seed   uint64
	amid   bool // waves may stop amid bulk
	series bool // several workgroups are executed at once
	again  bool // waves that have begun may be executed from their beginnings
	vain   int  // one workgroup of so many is not executed in bulk
	limit  bool // nothing is known of kernels in the first workgroups

	inTeams, inBulk atomic.Int64 // turns, and waves
}

func (q *quickISA) NewCore(m *simt.Machine) simt.Core {
	c := &quickCore{Core: q.ToyISA.NewCore(m), isa: q, m: m, r: rand.New(rand.NewPCG(q.seed, 7)),
		ends: map[int]simt.Wave{}}
	switch {
	case q.amid && q.series:
		return &quickResumer{&quickSeries{c}}
	case q.amid:
		return &quickAmid{c}
	case q.series:
		return &quickSeries{c}
	}
	return c
}

// A quickCore is a core of it.
type quickCore struct {
	simt.Core
	isa   *quickISA
	m     *simt.Machine
	r     *rand.Rand
	stop  simt.Event
	w     *simt.Wave
	turns [][2]uint64
	bulk  simt.BulkWave
	ends  map[int]simt.Wave // waves that have ended in bulk, by their IDs
	tried int
}

// What such a core is besides, or not.
type (
	quickSeries struct{ *quickCore }
	quickAmid   struct{ *quickCore }
	// A quickResumer is both.
	quickResumer struct{ *quickSeries }
)

func (c *quickCore) Stopped() simt.Event { return c.stop }
func (c *quickCore) Running() *simt.Wave { return c.w }
func (c *quickCore) RunKind(w *simt.Wave, n uint64) simt.EventKind {
	c.w = w
	c.stop = c.Run(w, n)
	return c.stop.Kind
}

// Turns implements simt.Teamer.
func (c *quickCore) Turns(give func(wave int, insts uint64)) {
	for _, t := range c.turns {
		give(int(t[0]), t[1])
	}
}

// RunTeam implements simt.Teamer. Where something else than a barrier ends a turn it is the last.
func (c *quickCore) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int, kind simt.EventKind) {
	c.turns = c.turns[:0]
	if c.r.IntN(5) == 0 {
		return 0, 0, simt.NoEvent
	}
	rounds = min(rounds, 1+c.r.IntN(40))
	for {
		for i, w := range g.Waves {
			if w.State != simt.Ready {
				continue
			}
			before := w.Insts
			kind := c.RunKind(w, n)
			c.turns = append(c.turns, [2]uint64{uint64(i), w.Insts - before})
			c.isa.inTeams.Add(1)
			if kind != simt.BarrierEvent || c.r.IntN(20) == 0 {
				return done, i + 1, kind
			}
			if c.m.Ordered() {
				c.m.Arrived(c.stop)
			}
			if i < len(g.Waves)-1 && !slices.ContainsFunc(g.Waves, func(w *simt.Wave) bool {
				return w.State == simt.Ready
			}) {
				return done, i + 1, simt.NoEvent // the machine says when they go on
			}
		}
		if done++; done == rounds || !c.open(g) {
			return done, 0, simt.NoEvent
		}
	}
}

// open lets all waves of a workgroup go on that wait, and reports whether there are any.
func (c *quickCore) open(g *simt.Workgroup) bool {
	c.m.OpenedOf(g)
	for _, w := range g.Waves {
		if w.State == simt.AtBarrier {
			w.State = simt.Ready
		}
	}
	return !g.Ended()
}

// RunBulk implements simt.BulkRunner.
func (c *quickCore) RunBulk(g *simt.Workgroup, n uint64) (done []simt.Stats, tried bool) {
	return c.runBulk(g, 1, n)
}

// RunSeries implements simt.SeriesRunner.
func (c *quickSeries) RunSeries(g *simt.Workgroup, groups int, n uint64) (done []simt.Stats, tried bool) {
	return c.runBulk(g, groups, n)
}

// Repeats implements simt.Repeater.
func (c *quickCore) Repeats(w *simt.Wave) bool { return c.isa.again && w.Insts < 3 }

func (c *quickAmid) Begun() bool                 { return c.bulk.Begun() }
func (c *quickAmid) Resume(w *simt.Wave) bool    { return c.bulk.Resume(w) }
func (c *quickResumer) Begun() bool              { return c.bulk.Begun() }
func (c *quickResumer) Resume(w *simt.Wave) bool { return c.bulk.Resume(w) }

func (c *quickCore) runBulk(g *simt.Workgroup, groups int, n uint64) ([]simt.Stats, bool) {
	b := &c.bulk
	b.Begin()
	c.tried++
	if c.m.Dispatch.LDSSize > 0 || c.isa.limit && c.tried < 3 || c.isa.amid && !c.m.MayStopAmid() {
		return nil, false
	}
	told := len(g.Waves) > 0
	for left := groups; ; {
		for i := range c.m.WavesOf(g) {
			if i == 0 || c.r.IntN(2) == 0 {
				if !c.m.Place(&b.Wave, g, i) {
					panic("a wave of the workgroup has no place")
				}
			} else if !c.m.PlaceNext(&b.Wave) {
				panic("the next wave has no place")
			}
			if err := c.isa.StartWave(&b.Wave, &c.m.Dispatch); err != nil {
				panic(err)
			}
			if c.isa.vain > 0 && g.Index%c.isa.vain == c.isa.vain-1 && i == c.m.WavesOf(g)-1 && !c.isa.amid {
				return b.Done(), true
			}
			kind, undo := simt.NoEvent, c.undo(&b.Wave)
			for kind == simt.NoEvent && b.Wave.Insts < n && !c.waits(&b.Wave) {
				kind = c.Run(&b.Wave, 1).Kind
			}
			if !b.Ran(kind, n) {
				if !c.isa.amid {
					undo()
				}
				return b.Done(), true
			}
			c.isa.inBulk.Add(1)
			end := b.Wave
			end.Regs = end.Regs.Clone()
			if c.ends[end.ID] = end; told {
				c.m.EndedInBulk(c.m.BulkWave(g, i))
			}
		}
		if c.m.PlaceNext(&b.Wave) {
			panic("there is a wave behind the last")
		}
		if left--; left == 0 {
			return b.Done(), true
		}
		c.m.PlaceGroupBehind(g)
	}
}

// undo gives a function that makes the words of a wave's lanes what they are now.
func (c *quickCore) undo(w *simt.Wave) func() {
	before, ok := c.m.ItemsBefore(w.ID)
	if !ok {
		panic("a wave that is not there is executed")
	}
	words := c.m.Mem.Find(dataBase).Data[4*before:][:4*bits.OnesCount64(w.Valid)]
	were := slices.Clone(words)
	return func() { copy(words, were) }
}

// waits reports whether a wave is to wait for others.
func (c *quickCore) waits(w *simt.Wave) bool {
	return simttest.ToyOp(c.m.CodeAt(w.PC)[0]) == simttest.ToyBarrier
}

// Finish implements simt.BulkRunner.
func (c *quickCore) Finish(w *simt.Wave) {
	end, ok := c.ends[w.ID]
	if pc, _ := c.bulk.End(w.Index); !ok || pc != end.PC {
		panic(fmt.Sprintf("wave %d has ended at %#x, not at %#x", w.ID, pc, end.PC))
	}
	w.Regs, w.PC = end.Regs, end.PC
}

// quickMachine is a machine of many workgroups, quick or not, that has not begun.
func quickMachine(t testing.TB, number uint64, quick bool) (*simt.Machine, *quickISA) {
	t.Helper()
	r := rand.New(rand.NewPCG(number, 8))
	mem := simt.NewMemory()
	block := [3]uint32{uint32(1 + r.IntN(9)), uint32(1 + r.IntN(2)), 1}
	groups := 1 + r.IntN(14)
	if number%6 == 5 { // those that are executed in bulk
		groups *= 4
	}
	grid := [3]uint32{block[0]*uint32(groups) + uint32(r.IntN(2)), block[1] * uint32(1+r.IntN(3)), 1}
	for _, of := range []struct {
		name string
		base uint64
		data []byte
		perm simt.Perm
	}{{"code", codeBase, randomToy(number), simt.PermRead | simt.PermExec},
		{"data", dataBase, make([]byte, 4*grid[0]*grid[1]), simt.PermRead | simt.PermWrite}} {
		if _, err := mem.Map(of.name, of.base, of.data, of.perm); err != nil {
			t.Fatal(err)
		}
	}
	lds := uint32(0)
	if sharesMemory(number) {
		lds = 128
	}
	q := &quickISA{ToyISA: &simttest.ToyISA{Base: codeBase, Args: []uint64{dataBase}}, seed: number,
		amid: r.IntN(2) == 0, series: r.IntN(2) == 0, again: r.IntN(2) == 0, limit: r.IntN(3) == 0,
		vain: 9 * r.IntN(2)}
	isa := simt.ISA(q.ToyISA)
	if quick {
		isa = q
	}
	m, err := simt.New(mem, isa, simt.Dispatch{Grid: grid, Block: block, Entry: codeBase, LDSSize: lds})
	if err != nil {
		t.Fatal(err)
	}
	m.Resident = 4 + r.IntN(20)
	return m, q
}

// quickProgram is the number of a program: every other has no LDS, and half of those no barriers either.
func quickProgram(seed uint64) uint64 {
	switch seed % 4 {
	case 0:
		return 3*seed + 5
	case 2:
		return 3*seed + 2
	}
	return seed + 1
}

// TestQuickRun: a core that gives waves turns by itself, or executes them in bulk, does what one does that
// executes wave by wave; and observers are told the same.
func TestQuickRun(t *testing.T) {
	inTeams, inBulk := int64(0), int64(0)
	for seed := range uint64(sweep.Times(14, 600)) {
		number := quickProgram(seed)
		for _, workers := range []int{1, 3} {
			var data [2][]byte
			var stats [2]simt.Stats
			var seers [2]*simttest.Seer
			for k := range data {
				m, q := quickMachine(t, number, k > 0)
				seers[k] = simttest.NewSeer(0)
				if seed%3 > 0 && workers == 1 {
					m.AddObserver(seers[k])
				}
				ev, err := m.Run(t.Context(), workers)
				if err != nil || ev.Kind != simt.EndEvent {
					t.Fatalf("program %d: %v, %v", number, ev, err)
				}
				data[k], stats[k] = m.Mem.Find(dataBase).Data, m.Stats()
				inTeams, inBulk = inTeams+q.inTeams.Load(), inBulk+q.inBulk.Load()
			}
			if stats[0] != stats[1] || !slices.Equal(data[0], data[1]) {
				t.Errorf("program %d on %d: %+v, wave by wave %+v; the same is written: %v", number, workers,
					stats[1], stats[0], slices.Equal(data[0], data[1]))
			}
			if d := seers[0].Differs(seers[1], true); d != "" {
				t.Errorf("program %d: %s", number, d)
			}
		}
	}
	if t.Logf("%d turns in teams, %d waves in bulk", inTeams, inBulk); inTeams < 500 || inBulk < 200 {
		t.Error("too few to tell")
	}
}

// TestQuickAhead: who goes far with such cores comes to where turn by turn comes to, with the same past.
func TestQuickAhead(t *testing.T) {
	inTeams, inBulk, far := int64(0), int64(0), 0
	for seed := range uint64(sweep.Times(14, 600)) {
		number := quickProgram(seed)
		var m [2]*simt.Machine
		var q *quickISA
		for k := range m {
			m[k], q = quickMachine(t, number, k > 0)
			m[k].Track = seed%3 == 0
			if err := m[k].Fill(); err != nil {
				t.Fatal(err)
			}
		}
		r := rand.New(sweep.PCG(seed, 46))
		far += simttest.Ahead{Turn: 1 + r.Uint64N(40), Steps: 6, What: fmt.Sprint("program ",
			number)}.Compare(t,
			r, m)
		inTeams, inBulk = inTeams+q.inTeams.Load(), inBulk+q.inBulk.Load()
	}
	t.Logf("%d turns in teams, %d waves in bulk, far %d times", inTeams, inBulk, far)
	if inTeams < 500 || inBulk < 100 || far < 15 {
		t.Error("too few to tell")
	}
}

// TestAheadAmid: where a wave that keeps records stops amid bulk, as it may at a barrier, who goes far does
// so without bulk.
func TestAheadAmid(t *testing.T) {
	m, q := quickMachine(t, 8, true)
	q.amid, q.limit, m.Track = true, false, true
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	ok, err := m.AdvanceFar(simt.Far{Turn: 16, Insts: 2000, Workers: 1})
	if !ok || err != nil || m.Stats().Insts == 0 {
		t.Errorf("it goes far %v, %v", ok, err)
	}
}

// TestAheadOwes: of what a wave has executed in bulk all is in its turns, down to the last instruction.
func TestAheadOwes(t *testing.T) {
	run := func(quick bool) (*simt.Machine, *simt.History) {
		m, q := quickMachine(t, 5, quick)
		q.amid, q.limit, q.vain = false, false, 0
		if err := m.Fill(); err != nil {
			t.Fatal(err)
		}
		return m, simt.NewHistory(m, nil)
	}
	m, h := run(false)
	first := m.Waves()[0]
	for first.State == simt.Ready {
		if _, err := h.StepWave(first, 1); err != nil {
			t.Fatal(err)
		}
	}
	for turn := first.Insts - 2; turn <= first.Insts; turn++ {
		far, ahead := run(true)
		near, by := run(false)
		if ok, err := ahead.AdvanceFar(simt.Far{Turn: turn, Insts: 1, Workers: 1}); !ok || err != nil {
			t.Fatalf("%v, %v", ok, err)
		}
		for by.Now() < ahead.Now() {
			advance(t, by, turn)
		}
		if by.Now() != ahead.Now() || simttest.Living(far) != simttest.Living(near) {
			t.Errorf("in turns of %d at %d the machine is another than turn by turn, at %d", turn,
				ahead.Now(), by.Now())
		}
	}
}
