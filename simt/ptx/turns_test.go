package ptx_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
	machine "simtgdb/simt/ptx"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// turningKernel is a kernel whose warps meet in a loop, and mostly do there what they did some turns before.
func turningKernel(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`.version 8.0
.target sm_80
.address_size 64
.entry shares(.param .u64 shares_a, .param .u64 shares_b)
{
	.reg .b32 %r<16>;
	.reg .b64 %d<8>;
	.reg .pred %p<4>;
	.shared .align 4 .b8 s[2048];
	ld.param.u64 %d1, [shares_a];
	ld.param.u64 %d2, [shares_b];
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, s;
	mov.u32 %r3, 0;
	mov.u32 %r10, 1;
	and.b32 %r4, %r0, 127;
	shl.b32 %r4, %r4, 2;
	mul.wide.u32 %d3, %r4, 1;
	add.s64 %d1, %d1, %d3;
	add.s64 %d2, %d2, %d3;
	add.u32 %r2, %r2, %r4;
LOOP:
`)
	n, most := 0, 60
	shared := func() string { return fmt.Sprintf("[%%r2+%d]", 512*r.IntN(3)+4*r.IntN(2)*r.IntN(9)) }
	value := func() string { return fmt.Sprintf("%%r%d", 10+r.IntN(5)) }
	add := func() {
		switch r.IntN(16) {
		case 0, 1, 2:
			fmt.Fprintf(&b, "\tld.global.u32 %s, [%%d1+%d];\n", value(), 512*r.IntN(4))
		case 3, 4, 5:
			fmt.Fprintf(&b, "\tadd.s64 %%d1, %%d1, %d;\n", r.IntN(4)<<(2*r.IntN(3))&^3)
		case 6, 7, 8:
			fmt.Fprintf(&b, "\tld.shared.u32 %s, %s;\n", value(), shared())
		case 9, 10:
			fmt.Fprintf(&b, "\tst.shared.u32 %s, %s;\n", shared(), value())
		case 11: // there and back
			fmt.Fprintf(&b, "\txor.b32 %%r2, %%r2, %d;\n", 4<<r.IntN(6))
		case 12: // once only
			n++
			fmt.Fprintf(&b, "\tsetp.ne.u32 %%p0, %%r3, %d;\n\t@%%p0 bra L%d;\n"+
				"\tst.shared.u32 %s, %s;\nL%d:\n", r.IntN(24), n, shared(), value(), n)
		case 13: // by some
			if r.IntN(6) == 0 {
				fmt.Fprintf(&b, "\tsetp.lt.u32 %%p1, %%r0, %d;\n\t@%%p1 ld.shared.u32 %s, %s;\n",
					r.IntN(140), value(), shared())
			}
		default:
			fmt.Fprintf(&b, "\tadd.u32 %s, %s, %s;\n", value(), value(), value())
		}
	}
	for range 1 + r.IntN(3) {
		for range 1 + r.IntN(6) {
			add()
		}
		if r.IntN(24) == 0 { // longer than a turn
			n++
			most = 6
			fmt.Fprintf(&b, "\tmov.u32 %%r5, 0;\nL%d:\n\tadd.u32 %%r5, %%r5, 1;\n"+
				"\tsetp.lt.u32 %%p2, %%r5, 3000;\n\t@%%p2 bra L%d;\n", n, n)
		}
		b.WriteString("\tbar.sync 0;\n")
	}
	fmt.Fprintf(&b, "\tadd.u32 %%r3, %%r3, 1;\n\tsetp.lt.u32 %%p3, %%r3, %d;\n\t@%%p3 bra LOOP;\n",
		6+r.IntN(60)%most)
	if r.IntN(3) > 0 {
		b.WriteString("\tst.global.u32 [%d2], %r10;\n")
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

// TestTurnsForeseen: of turns of workgroups observers are told what they are told where code is interpreted,
// or work it out themselves where waves as a team do again what they did; and the waves do the same.
func TestTurnsForeseen(t *testing.T) {
	if !host.Available() {
		t.Skip("nothing is translated here")
	}
	defer machine.TranslateAfter(1, nil)()
	defer func(old bool) { simt.LetPanic = old }(simt.LetPanic)
	simt.LetPanic = true
	foreseen, followed, seeds := 0, 0, simttest.Seeds("TurnsForeseen", 40, 2000)
	for i, seed := range seeds {
		if i%2 == 0 || sweep.All() {
			foreseen += turnsForeseen(t, seed, false)
		}
		if i%2 != 0 || sweep.All() {
			followed += turnsForeseen(t, seed, true)
		}
	}
	t.Logf("%d turns of waves were foreseen, %d while values are followed", foreseen, followed)
	if foreseen+followed < 4*len(seeds) || min(foreseen, followed) == 0 {
		t.Error("too few to tell")
	}
}

// turnsForeseen compares what is told of a kernel interpreted and translated, and says how many turns of its
// waves were foreseen; follows says that values are followed, too.
func turnsForeseen(t *testing.T, seed uint64, follows bool) int {
	t.Helper()
	r := rand.New(sweep.PCG(seed, 43))
	text := turningKernel(r)
	if follows { // all that is read has been written
		set := "\tmov.u32 %r10, 1;\n"
		for reg := range 5 {
			set += fmt.Sprintf("\tmov.u32 %%r%d, 0;\n", 11+reg)
		}
		text = strings.Replace(text, "\tmov.u32 %r10, 1;\n", set, 1)
	}
	block := [3]uint32{32 * uint32(1+r.IntN(5)), 1, 1}
	if r.IntN(8) == 0 {
		block[0] -= 5
	}
	grid := [3]uint32{block[0] * uint32(1+r.IntN(3)), 1, 1}
	var seers [2]*simttest.TurnSeer
	var ends [2]simt.Event
	var stats [2]simt.Stats
	var out [2][]uint32
	for k := range seers {
		refuses, room := uint64(0), 0
		if seed/3%3 > 0 { // paths have every third seed
			room = 256
		}
		if seed%8 == 7 {
			refuses = 1 << (seed * 5 % 64)
		}
		seers[k] = simttest.NewTurnSeer(refuses, room, func(text string) { t.Fatal(text) })
		p := parse(t, "k.ptx", text)
		out[k] = make([]uint32, 1<<14)
		m, finish := p.machine("shares", &launch{args: []any{out[k], make([]uint32, 1<<14)},
			grid: grid, block: block})
		m.Interpret = k == 0
		seers[k].Skips = func(space simt.Space, at uint64) bool {
			r := p.mem.Find(at)
			return space == simt.Scratch || r != nil && r.Name == "arguments"
		}
		if follows {
			m.AddObserver(simttest.TurnFollower{TurnSeer: seers[k]})
		} else {
			m.AddObserver(seers[k])
		}
		var err error
		if ends[k], err = m.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		stats[k] = m.Stats()
		finish()
	}
	if stats[0] != stats[1] || ends[0].Kind != ends[1].Kind || !reflect.DeepEqual(out[0], out[1]) {
		t.Fatalf("seed %d: %v %v, foreseen %v %v\n%s", seed, ends[0].Kind, stats[0], ends[1].Kind,
			stats[1], text)
	}
	if d := seers[0].Differs(&seers[1].Seer, ends[0].Kind == simt.EndEvent); d != "" {
		t.Fatalf("seed %d, %v in %v: %s\n%s", seed, grid, block, d, text)
	}
	return seers[1].Foretold
}

// TestRacesInTurns: the same races are found in turns whether these are foreseen or not.
func TestRacesInTurns(t *testing.T) {
	defer machine.TranslateAfter(1, nil)()
	var turns atomic.Int64
	found := 0
	for seed := range uint64(sweep.Times(16, 2000)) {
		text := turningKernel(rand.New(sweep.PCG(seed, 44)))
		kinds := []check.Kinds{check.Race | check.Barrier, check.All}[seed%2]
		found += alike(t, seed, kinds, text, 256, &turns)
	}
	if t.Logf("%d races, %d turns in teams", found, turns.Load()); found < 10 {
		t.Error("too few to tell")
	}
}
