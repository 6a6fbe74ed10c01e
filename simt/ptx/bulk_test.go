package ptx_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
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

// A counted is a core that notes what it has executed in bulk.
type counted struct {
	simt.ISA
	waves *atomic.Int64
	again *atomic.Int64 // what waves have executed that may do it again in bulk, or nil
}

type countedCore struct {
	*machine.Core
	of counted
}

func (c counted) NewCore(m *simt.Machine) simt.Core {
	return countedCore{c.ISA.NewCore(m).(*machine.Core), c}
}

func (c countedCore) RunSeries(g *simt.Workgroup, groups int, n uint64) ([]simt.Stats, bool) {
	done, tried := c.Core.RunSeries(g, groups, n)
	c.of.waves.Add(int64(len(done)))
	return done, tried
}

func (c countedCore) Repeats(w *simt.Wave) bool {
	again := c.Core.Repeats(w)
	if again && c.of.again != nil {
		c.of.again.Add(int64(w.Insts))
	}
	return again
}

// bulkKernel is a kernel whose waves come to their ends without parting, mostly: it computes and stores at
// its end, and calls a function.
func bulkKernel(r *rand.Rand) string {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	reg := func() string { return fmt.Sprintf("%%r%d", r.IntN(8)) }
	var b strings.Builder
	compute := func(n int) {
		for range n {
			guard := pick("", "", "", "@%p0 ", "@!%p1 ")
			switch r.IntN(5) {
			case 0:
				fmt.Fprintf(&b, "\t%ssetp.%s.u32 %%p%d, %s, %s;\n", guard, pick("lt", "eq", "ge"), r.IntN(2), reg(), reg())
			case 1:
				fmt.Fprintf(&b, "\t%sselp.b32 %s, %s, %s, %%p%d;\n", guard, reg(), reg(), reg(), r.IntN(2))
			case 2:
				fmt.Fprintf(&b, "\t%smov.u32 %s, %s;\n", guard, reg(), pick("%tid.x", "%tid.y", "%ctaid.x", "%ctaid.y",
					"%ntid.x", "%nctaid.y", "%laneid", "%warpid", "%nwarpid", "17"))
			case 3:
				fmt.Fprintf(&b, "\t%smul.lo.u32 %s, %s, %s;\n", guard, reg(), reg(), reg())
			default:
				fmt.Fprintf(&b, "\t%sadd.u32 %s, %s, %d;\n", guard, reg(), reg(), r.IntN(99))
			}
		}
	}
	declare := "\t.reg .b32 %r<11>;\n\t.reg .b64 %rd<8>;\n\t.reg .pred %p<4>;\n"
	b.WriteString(".version 8.0\n.target sm_80\n.address_size 64\n")
	fmt.Fprintf(&b, ".func (.param .b32 f_r) f(.param .b32 f_a, .param .b64 f_b)\n{\n%s", declare)
	b.WriteString("\tld.param.u32 %r0, [f_a];\n\tld.param.u64 %rd0, [f_b];\n\tld.global.u32 %r1, [%rd0+16];\n")
	compute(r.IntN(6))
	if r.IntN(2) == 0 {
		b.WriteString("\tsetp.lt.u32 %p2, %r0, 7;\n\t@%p2 ret;\n")
	}
	compute(r.IntN(4))
	b.WriteString("\tst.param.b32 [f_r], %r3;\n\tret;\n}\n")
	fmt.Fprintf(&b, ".entry k(.param .u64 k_a, .param .u64 k_b, .param .u32 k_n)\n{\n%s", declare)
	b.WriteString(`	ld.param.u64 %rd6, [k_a];
	ld.param.u64 %rd7, [k_b];
	ld.param.u32 %r9, [k_n];
	mov.u32 %r8, %ctaid.x;
	mov.u32 %r0, %ntid.x;
	mad.lo.u32 %r8, %r8, %r0, 0;
	mov.u32 %r0, %tid.x;
	add.u32 %r8, %r8, %r0;
	mul.wide.u32 %rd1, %r8, 4;
	add.s64 %rd0, %rd6, %rd1;
`)
	if r.IntN(3) > 0 {
		b.WriteString("\tsetp.ge.u32 %p3, %r8, %r9;\n\t@%p3 bra END;\n")
	}
	b.WriteString("\tld.global.u32 %r2, [%rd0];\n")
	compute(3 + r.IntN(8))
	if r.IntN(2) == 0 { // a loop, of as many turns in all lanes or not
		fmt.Fprintf(&b, "\t%s;\nLOOP:\n", pick("mov.u32 %r10, %ctaid.x", "mov.u32 %r10, 3", "and.b32 %r10, %r8, 32"))
		compute(2)
		b.WriteString("\tadd.u32 %r10, %r10, 1;\n\tsetp.lt.u32 %p2, %r10, 40;\n\t@%p2 bra LOOP;\n")
	}
	if r.IntN(2) == 0 {
		b.WriteString(`	{
	.param .b32 a0;
	.param .b64 a1;
	.param .b32 v;
	st.param.b32 [a0], %r3;
	mad.wide.u32 %rd5, %r9, 4, %rd6;
	st.param.b64 [a1], %rd5;
	call.uni (v), f, (a0, a1);
	ld.param.b32 %r4, [v];
	}
`)
	}
	compute(2)
	b.WriteString("\tadd.s64 %rd2, %rd7, %rd1;\n")
	if r.IntN(3) == 0 { // what only some may do
		b.WriteString("\tmul.wide.u32 %rd3, %r9, 1024;\n\tsetp.gt.u32 %p2, %r8, 500;\n\t@%p2 add.s64 %rd2, %rd2, %rd3;\n")
	}
	if r.IntN(6) == 0 {
		b.WriteString("\tst.global.u32 [%rd0], %r4;\n")
	}
	fmt.Fprintf(&b, "\t%sst.global.u32 [%%rd2], %s;\nEND:\n\tret;\n}\n", pick("", "", "@%p0 "), reg())
	return b.String()
}

// begunKernel is a kernel whose first statements only a wave itself can see, and which may not do the others
// twice: it adds to what is in memory.
const begunKernel = `.version 8.0
.target sm_80
.address_size 64
.func f(.param .b64 f_a, .param .b64 f_b)
{
	.reg .b32 %r<1>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [f_a];
	ld.param.u64 %rd1, [f_b];
	ld.global.u32 %r0, [%rd0];
	add.u32 %r0, %r0, 3;
	st.global.u32 [%rd0], %r0;
	ret;
}
.entry k(.param .u64 k_a, .param .u64 k_b, .param .u32 k_n)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %tid.x;
	mad.lo.u32 %r0, %r0, %r1, %r2;
	mul.wide.u32 %rd2, %r0, 4;
	ld.param.u64 %rd0, [k_a];
	add.s64 %rd0, %rd0, %rd2;
	ld.param.u64 %rd1, [k_b];
	add.s64 %rd1, %rd1, %rd2;
	{
	.param .b64 a0;
	.param .b64 a1;
	st.param.b64 [a0], %rd0;
	st.param.b64 [a1], %rd1;
	call.uni f, (a0, a1);
	}
	ret;
}
`

// TestBulk: waves that are executed in bulk leave what they leave when they are made, count as many
// statements, and stop the program at the same place.
func TestBulk(t *testing.T) {
	defer machine.BulkAfter(0)()
	r := rand.New(sweep.PCG(23, 6))
	var bulk atomic.Int64
	faults := 0
	for i := range 150 {
		text := bulkKernel(r)
		p := parse(t, "k.ptx", text)
		block := [3]uint32{uint32(20 + r.IntN(90)), 1 + uint32(r.IntN(3)), 1}
		grid := [3]uint32{block[0] * uint32(1+r.IntN(9)), block[1] * uint32(1+r.IntN(2)), 1}
		if r.IntN(2) == 0 {
			grid[0] -= uint32(r.IntN(15))
		}
		n := grid[0] - uint32(r.IntN(3))
		var out [2][]uint32
		var evs [2]simt.Event
		var stats [2]simt.Stats
		for k := range out {
			in := make([]uint32, grid[0]+8)
			for j := range in {
				in[j] = uint32(j*7) % 1000
			}
			out[k] = make([]uint32, len(in))
			m, finish := p.machine("k", &launch{args: []any{in, out[k], n}, grid: grid, block: block})
			d := m.Dispatch
			m, err := simt.New(p.mem, counted{ISA: m.ISA(), waves: &bulk}, d)
			if err != nil {
				t.Fatal(err)
			}
			m.Interpret = k == 0
			if evs[k], err = m.Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			if stats[k] = m.Stats(); evs[k].Kind == simt.FaultEvent {
				faults++
			}
			finish()
			out[k] = append(out[k], in...)
		}
		if !reflect.DeepEqual(out[0], out[1]) || stats[0] != stats[1] || evs[0].Kind != evs[1].Kind ||
			evs[0].PC != evs[1].PC || evs[0].Lanes != evs[1].Lanes {
			t.Fatalf("kernel %d, %v in %v: made %v %+v, in bulk %v %+v, the same memory: %v\n%s", i, grid,
				block, evs[0].Kind, stats[0], evs[1].Kind, stats[1], reflect.DeepEqual(out[0], out[1]), text)
		}
	}
	if host.Available() && (bulk.Load() < 800 || faults < 8) {
		t.Errorf("%d waves were executed in bulk, %d programs had faults: too few to tell", bulk.Load(),
			faults)
	}
}

// begin has resident waves execute so many statements.
func begin(t *testing.T, m *simt.Machine, n uint64) {
	t.Helper()
	for _, w := range slices.Clone(m.Waves()) {
		if _, err := m.StepWave(w, n); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBulkAhead: what goes far in bulk comes to where turns come one by one, and leaves the same turns
// behind, by which the history goes back to the same states, also where the first waves have begun before.
// Breakpoints keep waves from it.
func TestBulkAhead(t *testing.T) {
	defer machine.BulkAfter(0)()
	r := rand.New(sweep.PCG(23, 7))
	var bulk, again atomic.Int64
	far, partly := 0, 0
	for i := range sweep.Times(40, 3000) {
		text := bulkKernel(r)
		block := [3]uint32{uint32(20 + r.IntN(90)), 1, 1}
		grid := [3]uint32{block[0]*uint32(20+r.IntN(30)) - uint32(r.IntN(15)), 1, 1}
		n := grid[0] - uint32(r.IntN(3))
		turn, resident := []uint64{3, 64, 256}[r.IntN(3)], []int{1, 4, 9, 32}[r.IntN(4)]
		breaks := r.IntN(8) == 0
		begun := []uint64{0, r.Uint64N(19), 14 + r.Uint64N(6)}[i%3] // the last may have stored
		if begun > 0 {
			text = begunKernel
			grid[0] += 64 * block[0] // of so many workgroups it is translated before the first
		}
		var m [2]*simt.Machine
		for k := range m {
			p := parse(t, "k.ptx", text)
			in := make([]uint32, grid[0]+8)
			for j := range in {
				in[j] = uint32(j*7) % 1000
			}
			made, _ := p.machine("k", &launch{args: []any{in, make([]uint32, len(in)), n}, grid: grid,
				block: block})
			var err error
			if m[k], err = simt.New(p.mem, counted{made.ISA(), &bulk, &again}, made.Dispatch); err != nil {
				t.Fatal(err)
			}
			m[k].Track, m[k].Resident = true, resident
			if breaks {
				m[k].SetBreakpoint(m[k].Dispatch.Entry + 12)
			}
			if err := m[k].Fill(); err != nil {
				t.Fatal(err)
			}
			begin(t, m[k], begun)
		}
		before := bulk.Load()
		far += simttest.Ahead{Turn: turn, Steps: 200, What: fmt.Sprintf("kernel %d\n%s", i, text),
			Each: func() {
				for _, w := range m[1].Waves() {
					if w.State != simt.Ended {
						continue
					}
					if partly++; w.Track.Innermost != [simt.MaxLanes]*simt.Call{} {
						t.Fatalf("kernel %d: a wave that has ended is in a call", i)
					}
				}
			}}.Compare(t, r, m)
		if now := bulk.Load(); breaks && now > before {
			t.Fatalf("kernel %d: %d waves are executed in bulk in spite of a breakpoint", i, now-before)
		}
	}
	t.Logf("%d waves in bulk, %d times far, %d waves had ended before their workgroups, %d statements again",
		bulk.Load(), far, partly, again.Load())
	if host.Available() && (bulk.Load() < 530 || far < 40 || partly == 0 || again.Load() < 200) {
		t.Error("too few to tell")
	}
}
