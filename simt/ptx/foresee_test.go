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
	machine "simtgdb/simt/ptx"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// twistedKernel is a kernel whose warps make accesses at even distances for a while, and now and then others:
// further on, at other steps, more or fewer of them, or by some lanes.
func twistedKernel(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 k_a, .param .u64 k_b, .param .u32 k_n)
{
	.reg .b32 %r<11>;
	.reg .b64 %rd<8>;
	.reg .pred %p<4>;
	ld.param.u64 %rd6, [k_a];
	ld.param.u64 %rd7, [k_b];
	mov.u32 %r8, %ctaid.x;
	mov.u32 %r0, %ntid.x;
	mad.lo.u32 %r8, %r8, %r0, 0;
	mov.u32 %r0, %tid.x;
	add.u32 %r8, %r8, %r0;
	mov.u32 %r7, %laneid;
	mov.u32 %r3, 0;
`)
	access := func(i int, what string) {
		after, each := 4+r.IntN(6), 1<<r.IntN(4)-1
		fmt.Fprintf(&b, "\tshr.u32 %%r1, %%r8, %d;\n\tand.b32 %%r1, %%r1, %d;\n"+
			"\tsetp.eq.u32 %%p0, %%r1, 0;\n\tmov.u32 %%r2, %%r8;\n", after, each)
		guard, end := "", ""
		switch r.IntN(6) {
		case 0:
			b.WriteString("\t@%p0 add.u32 %r2, %r2, 640;\n")
		case 1:
			b.WriteString("\t@%p0 add.u32 %r2, %r2, %r7;\n")
		case 2:
			fmt.Fprintf(&b, "\t@%%p0 bra L%d;\n", i)
			end = fmt.Sprintf("L%d:\n", i)
		case 3:
			guard = "@%p0 "
		}
		fmt.Fprintf(&b, "\tmul.wide.u32 %%rd1, %%r2, 4;\n\tadd.s64 %%rd0, %%rd6, %%rd1;\n"+
			"\tadd.s64 %%rd2, %%rd7, %%rd1;\n\t%s%s;\n%s", guard, what, end)
	}
	access(0, "ld.global.u32 %r3, [%rd0]")
	access(1, "ld.global.u32 %r4, [%rd0+512]")
	if r.IntN(2) == 0 {
		access(2, "st.global.u32 [%rd2+8192], %r3")
	}
	access(3, "st.global.u32 [%rd2], %r3")
	b.WriteString("\tret;\n}\n")
	return b.String()
}

// TestForeseen: of waves in bulk observers are told what they are told of waves that are made, or work it out
// themselves where what waves do is as much further on each time.
func TestForeseen(t *testing.T) {
	if !host.Available() {
		t.Skip("nothing is translated here")
	}
	defer machine.BulkAfter(0)()
	defer func(old bool) { simt.LetPanic = old }(simt.LetPanic)
	simt.LetPanic = true
	var bulk atomic.Int64
	foreseen, seeds := 0, simttest.Seeds("Foreseen", 120, 3000)
	for _, i := range seeds {
		r := rand.New(sweep.PCG(29, 11+i))
		text := bulkKernel(r)
		if i%4 > 0 {
			text = twistedKernel(r)
		}
		block := [3]uint32{32 * uint32(1+r.IntN(4)), 1, 1}
		if i%8 == 0 {
			block[0] -= 5
		}
		grid := [3]uint32{block[0]*uint32(20+r.IntN(40)) - uint32(r.IntN(2)*r.IntN(15)), 1, 1}
		n := grid[0] - uint32(r.IntN(3))
		if r.IntN(4) == 0 { // some waves do nothing
			n = uint32(r.IntN(int(n)))
		}
		refuses := []uint64{0, 0, 0, 1 << r.IntN(64)}[r.IntN(4)]
		var out [2][]uint32
		var evs [2]simt.Event
		var stats [2]simt.Stats
		var seers [2]*simttest.Seer
		for k := range out {
			p := parse(t, "k.ptx", text)
			in := make([]uint32, 2*grid[0]+4096)
			for j := range in {
				in[j] = uint32(j*7) % 1000
			}
			out[k] = make([]uint32, len(in))
			m, finish := p.machine("k", &launch{args: []any{in, out[k], n}, grid: grid, block: block})
			m, err := simt.New(p.mem, counted{ISA: m.ISA(), waves: &bulk}, m.Dispatch)
			if err != nil {
				t.Fatal(err)
			}
			m.Interpret = k == 0
			seers[k] = simttest.NewSeer(refuses)
			// In bulk arguments, of kernels and functions, are in no memory.
			seers[k].Skips = func(space simt.Space, at uint64) bool {
				r := p.mem.Find(at)
				return space == simt.Scratch || r != nil && r.Name == "arguments"
			}
			m.AddObserver(seers[k])
			if evs[k], err = m.Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			stats[k] = m.Stats()
			finish()
			out[k] = append(out[k], in...)
		}
		foreseen += seers[1].Foretold
		if !reflect.DeepEqual(out[0], out[1]) || stats[0] != stats[1] || evs[0].Kind != evs[1].Kind {
			t.Fatalf("kernel %d, %v in %v: made %v %+v, in bulk %v %+v, the same memory: %v\n%s", i, grid,
				block, evs[0].Kind, stats[0], evs[1].Kind, stats[1], reflect.DeepEqual(out[0], out[1]), text)
		}
		if d := seers[0].Differs(seers[1], evs[0].Kind == simt.EndEvent); d != "" {
			t.Fatalf("kernel %d, %v in %v, %d items: %s\n%s", i, grid, block, n, d, text)
		}
	}
	if foreseen < 4*len(seeds) {
		t.Errorf("%d waves were foreseen, of %d in bulk: too few to tell", foreseen, bulk.Load())
	}
}
