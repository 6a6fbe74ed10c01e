package ptx_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// meetingKernel is a random kernel whose waves meet at barriers, where their lanes are together or not, and
// may end before others.
func meetingKernel(r *rand.Rand) string {
	lines := strings.Split(randomKernel(r), "\n")
	first, last := slices.Index(lines, "LOOP:")+1, slices.Index(lines, "\tbar.sync 0;")
	put := func(s ...string) { lines = slices.Insert(lines, first+r.IntN(last-first), s...) }
	for range 1 + r.IntN(4) {
		put([]string{"\tbar.sync 0;", "\tbar.sync 0;", "\tbarrier.sync 1;", "\t@%p0 bar.sync 0;"}[r.IntN(4)])
	}
	if r.IntN(3) == 0 {
		put(fmt.Sprintf("\tsetp.gt.u32 %%p3, %%r0, %d;", 31+r.IntN(60)), "\t@%p3 ret;")
	}
	text := strings.Join(lines, "\n")
	if r.IntN(10) == 0 { // long enough for its lanes to have turns
		text = strings.Replace(text, "%p4, %r9, 5;", "%p4, %r9, 150;", 1)
	}
	return text
}

// A teamCounter is a core that notes the turns that waves have as a team.
type teamCounter struct {
	simt.ISA
	turns *atomic.Int64
}

type teamCounterCore struct {
	*machine.Core
	of teamCounter
}

func (c teamCounter) NewCore(m *simt.Machine) simt.Core {
	return teamCounterCore{c.ISA.NewCore(m).(*machine.Core), c}
}

func (c teamCounterCore) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int,
	kind simt.EventKind) {
	done, next, kind = c.Core.RunTeam(g, n, rounds)
	c.Turns(func(int, uint64) { c.of.turns.Add(1) })
	return done, next, kind
}

// TestTeam: waves that change at barriers in translated code leave what they leave interpreted, and have the
// turns that they have one by one, in a history that goes back to the same states.
func TestTeam(t *testing.T) {
	var turns atomic.Int64
	far, faults := 0, 0
	defer machine.TranslateAfter(1, nil)()
	for i := range sweep.Times(40, 4000) {
		r := rand.New(rand.NewPCG(23, uint64(i)))
		text := meetingKernel(r)
		block := [3]uint32{uint32(33 + r.IntN(140)), 1, 1}
		var m [4]*simt.Machine
		for k := range m {
			groups := uint32(1 + i%4)
			if k >= 2 {
				groups = 1 // others could see the order of workgroups
			}
			p := parse(t, "k.ptx", text)
			made, _ := p.machine("k", &launch{args: []any{make([]uint32, 256), make([]uint32, 256)},
				grid: [3]uint32{block[0] * groups, 1, 1}, block: block})
			var err error
			if m[k], err = simt.New(p.mem, teamCounter{made.ISA(), &turns}, made.Dispatch); err != nil {
				t.Fatal(err)
			}
		}
		m[0].Interpret = true
		var ev [2]simt.Event
		var stats [2]simt.Stats
		for k := range ev {
			var err error
			if ev[k], err = m[k].Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			stats[k] = m[k].Stats()
		}
		if ev[0].Kind == simt.FaultEvent {
			faults++
		}
		if ev[0].Kind != ev[1].Kind || ev[0].PC != ev[1].PC || ev[0].Lanes != ev[1].Lanes ||
			stats[0] != stats[1] || simttest.Living(m[0]) != simttest.Living(m[1]) {
			t.Fatalf("kernel %d: interpreted %v at %#x %+v, translated %v at %#x %+v\n%s", i, ev[0].Kind,
				ev[0].PC, stats[0], ev[1].Kind, ev[1].PC, stats[1], text)
		}
		for _, m := range m[2:] {
			m.Track = true
			if err := m.Fill(); err != nil {
				t.Fatal(err)
			}
		}
		m[2].Interpret = i%2 == 0
		far += simttest.Ahead{Turn: []uint64{3, 64, 256}[i%3], Steps: 60,
			What: fmt.Sprintf("kernel %d\n%s", i, text)}.Compare(t, r, [2]*simt.Machine{m[2], m[3]})
	}
	t.Logf("%d turns, %d faults, %d times far", turns.Load(), faults, far)
	if host.Available() && (turns.Load() < 300 || far < 20 || faults == 0) {
		t.Error("too few to tell")
	}
}
