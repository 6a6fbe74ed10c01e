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

// A teamCounter is a core that notes the turns that waves have as a team. It does not say which kernels use
// no LDS (simt.LDSAvoider): waves of random kernels race in global memory, and are to keep their order.
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
		r := rand.New(sweep.PCG(23, uint64(i)))
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

// spentKernel has lanes that count together in rounds with barriers, and then, on the sides of a branch, each
// as long as what they have executed before leaves them: which of the numbers of one side the other sees says
// how much that was.
const spentKernel = `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 k_a, .param .u64 k_b)
{
	.reg .b32 %%r<10>;
	.reg .b64 %%rd<10>;
	.reg .pred %%p<5>;
	.shared .align 4 .b8 tile[1024];
	ld.param.u64 %%rd8, [k_a];
	mov.u32 %%r0, %%tid.x;
	mul.wide.u32 %%rd0, %%r0, 4;
	add.s64 %%rd1, %%rd8, %%rd0;
	mov.u64 %%rd3, tile;
	shr.u32 %%r1, %%r0, 4;
	mul.wide.u32 %%rd4, %%r1, 4;
	add.s64 %%rd3, %%rd3, %%rd4;
	xor.b32 %%r1, %%r1, 1;
	mov.u64 %%rd5, tile;
	mul.wide.u32 %%rd4, %%r1, 4;
	add.s64 %%rd5, %%rd5, %%rd4;
	mov.u32 %%r2, 0;
	mov.u32 %%r4, 0;
LOOP:
	add.s32 %%r2, %%r2, 1;
	mov.u32 %%r3, 0;
INNER:
	add.s32 %%r3, %%r3, 1;
	setp.lt.u32 %%p0, %%r3, %d;
	@%%p0 bra INNER;
	bar.sync 0;
	setp.lt.u32 %%p0, %%r2, 40;
	@%%p0 bra LOOP;
	mov.u32 %%r3, 0;
BEHIND:
	add.s32 %%r3, %%r3, 1;
	setp.lt.u32 %%p0, %%r3, %d;
	@%%p0 bra BEHIND;
	and.b32 %%r5, %%r0, 16;
	setp.ne.u32 %%p1, %%r5, 0;
	@%%p1 bra OTHER;
ONE:
	add.s32 %%r4, %%r4, 1;
	st.shared.b32 [%%rd3], %%r4;
	setp.lt.u32 %%p0, %%r4, 3000;
	@%%p0 bra ONE;
	ld.shared.b32 %%r7, [%%rd5];
	bra DONE;
OTHER:
	add.s32 %%r4, %%r4, 1;
	st.shared.b32 [%%rd3], %%r4;
	add.s32 %%r6, %%r6, %%r4;
	setp.lt.u32 %%p0, %%r4, 3000;
	@%%p0 bra OTHER;
	ld.shared.b32 %%r7, [%%rd5];
DONE:
	st.global.b32 [%%rd1], %%r7;
	ret;
}
`

// TestSpent: what lanes execute together in translated code counts for the turns that they have once they are
// apart, in a team as well as alone.
func TestSpent(t *testing.T) {
	var turns atomic.Int64
	defer machine.TranslateAfter(1, nil)()
	seen := map[string]bool{}
	for _, n := range [][2]int{{1, 1}, {20, 1}, {20, 700}, {300, 100}, {300, 1300}} {
		for _, block := range []uint32{32, 96} {
			var living [2]string
			for k := range living {
				p := parse(t, "k.ptx", fmt.Sprintf(spentKernel, n[0], n[1]))
				made, _ := p.machine("k", &launch{args: []any{make([]uint32, 256), make([]uint32, 256)},
					grid: [3]uint32{block, 1, 1}, block: [3]uint32{block, 1, 1}})
				m, err := simt.New(p.mem, teamCounter{made.ISA(), &turns}, made.Dispatch)
				if err != nil {
					t.Fatal(err)
				}
				m.Interpret = k == 0
				if _, err := m.Run(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				living[k] = simttest.Living(m)
			}
			if living[0] != living[1] {
				t.Errorf("%v rounds of %d lanes are not the same translated", n, block)
			}
			seen[living[0]] = true
		}
	}
	if len(seen) < 8 || host.Available() && turns.Load() == 0 {
		t.Errorf("%d ends are different, in %d turns of teams", len(seen), turns.Load())
	}
}
