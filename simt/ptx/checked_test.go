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
	"simtgdb/simt/check"
	machine "simtgdb/simt/ptx"
	"simtgdb/simt/rows/host"
	"simtgdb/testdata/sweep"
)

// TestCheckedAlike: checkers find the same in random kernels whether these are translated or not, and whether
// they are told of accesses before these happen or later, from waves one by one or as a team.
func TestCheckedAlike(t *testing.T) {
	defer machine.TranslateAfter(3, nil)()
	for _, kinds := range []check.Kinds{check.Race, check.Uninit, check.Race | check.Barrier, check.All} {
		var turns atomic.Int64
		found := 0
		for seed := range uint64(sweep.Times(8, 40)) {
			found += checkedAlike(t, seed, kinds, &turns)
		}
		found += checkedAlike(t, 166, kinds, &turns) // of which some lanes end before a barrier
		t.Logf("%v: %d found, %d turns in teams", kinds, found, turns.Load())
		if host.Available() && turns.Load() < 250 {
			t.Errorf("%v: %d turns in teams are too few to tell", kinds, turns.Load())
		}
		if found == 0 {
			t.Errorf("%v: nothing was found in any kernel", kinds)
		}
	}
}

// lastLoads has waves whose loads of shared memory are the last that observers are told of before a barrier,
// and one that once stores to the same places, when all are a team.
const lastLoads = `.version 8.0
.target sm_80
.address_size 64
.entry shares(.param .u64 shares_a, .param .u64 shares_b)
{
	.reg .b32 %r<8>;
	.reg .pred %p<3>;
	.shared .align 4 .b8 tile[512];
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, tile;
	and.b32 %r4, %r0, 31;
	shl.b32 %r4, %r4, 2;
	add.u32 %r1, %r1, %r4;
	mov.u32 %r3, 0;
	shr.u32 %r7, %r0, 5;
	mov.u32 %r5, 0;
LOOP:
	mad.lo.u32 %r6, %r3, 4, %r7;
	setp.eq.u32 %p0, %r6, 403;
	@%p0 st.shared.u32 [%r1], %r3;
	ld.shared.u32 %r2, [%r1];
	add.u32 %r5, %r5, %r2;
	add.u32 %r3, %r3, 1;
	bar.sync 0;
	setp.lt.u32 %p1, %r3, 200;
	@%p1 bra LOOP;
	ret;
}
`

// TestCheckedLastLoads: what members of a team have loaded before they come to a barrier is known when the
// next one has its turn.
func TestCheckedLastLoads(t *testing.T) {
	defer machine.TranslateAfter(1, nil)()
	var turns atomic.Int64
	if alike(t, 0, check.Race, lastLoads, 128, &turns) == 0 {
		t.Error("nothing was found")
	}
	if host.Available() && turns.Load() < 100 {
		t.Errorf("%d turns in teams are too few to tell", turns.Load())
	}
}

func FuzzCheckedAlike(f *testing.F) {
	f.Add(uint64(100), uint16(check.Race))
	f.Add(uint64(101), uint16(check.Uninit))
	f.Fuzz(func(t *testing.T, seed uint64, kinds uint16) {
		checkedAlike(t, seed, check.Kinds(kinds)&(check.All|check.Strict|check.Portable), nil)
	})
}

// checkedAlike compares one kernel, and says how much is found in it. Turns that waves have as a team are
// counted.
func checkedAlike(t *testing.T, seed uint64, kinds check.Kinds, turns *atomic.Int64) int {
	t.Helper()
	return alike(t, seed, kinds, sharingKernel(rand.New(sweep.PCG(seed, 7))), 256, turns)
}

// TestBulkCheckedAlike: the same of kernels that are executed in bulk.
func TestBulkCheckedAlike(t *testing.T) {
	found := 0
	for seed := range uint64(sweep.Times(12, 25)) {
		for _, kinds := range []check.Kinds{check.Race, check.Uninit,
			check.Race | check.Uninit | check.Undefined} {
			found += alike(t, seed, kinds, storingKernel(rand.New(sweep.PCG(seed, 8))), 3200, nil)
		}
	}
	if found == 0 {
		t.Error("nothing was found in any kernel")
	}
}

// sharesHead begins a random kernel of two buffers.
const sharesHead = `.version 7.0
.target sm_70
.address_size 64
.visible .entry shares(.param .u64 a, .param .u64 b) {
	.reg .pred %p<8>;
	.reg .b32 %r<40>;
	.reg .b64 %d<20>;
`

// storingKernel is a kernel that loads from two buffers and ends with a store to one of them.
func storingKernel(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(sharesHead + `	ld.param.u64 %d1, [a];
	ld.param.u64 %d2, [b];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r10, 1;
	mov.u32 %r11, 2;
	mad.lo.u32 %r3, %r2, 128, %r1;
`)
	place := func(buffer int) string {
		k := []int{1, 2, 3, 4, 8, 32}[r.IntN(6)]
		fmt.Fprintf(&b, "\t%s;\n\tand.b32 %%r5, %%r5, 1023;\n\tmul.wide.u32 %%d3, %%r5, 4;\n\tadd.u64 "+
			"%%d3, %%d3, %%d%d;\n",
			fmt.Sprintf([]string{"add.u32 %%r5, %%r3, %d", "mul.lo.u32 %%r5, %%r3, %d",
				"add.u32 %%r5, %%r1, %d", "mul.lo.u32 %%r5, %%r2, %d"}[r.IntN(4)], k), buffer)
		return "[%d3]"
	}
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "\tsetp.lt.u32 %%p1, %%r2, %d;\n\t@%%p1 bra END;\n", 3+r.IntN(12))
	}
	for range r.IntN(4) {
		at := place(1 + r.IntN(8)/7)
		fmt.Fprintf(&b, "\tld.global.u32 %%r%d, %s;\n", 10+r.IntN(2), at)
	}
	at := place(1 + r.IntN(4)/3)
	fmt.Fprintf(&b, "\tst.global.u32 %s, %%r%d;\nEND:\n\tret;\n}\n", at, 10+r.IntN(2))
	return b.String()
}

// A checkedISA is one with all that checkers ask it for, whose cores note the turns that waves have as a
// team, if somebody wants to know.
type checkedISA struct {
	*machine.ISA
	turns *atomic.Int64
}

func (c checkedISA) NewCore(m *simt.Machine) simt.Core {
	if c.turns == nil {
		return c.ISA.NewCore(m)
	}
	return teamCounter{c.ISA, c.turns}.NewCore(m)
}

// alike is checkedAlike of a kernel with so many items.
func alike(t *testing.T, seed uint64, kinds check.Kinds, text string, items uint32, turns *atomic.Int64) int {
	t.Helper()
	p := parse(t, "shares.ptx", text)
	var want []string
	for _, interpret := range []bool{true, false} {
		made, finish := p.machine("shares", &launch{grid: [3]uint32{items}, block: [3]uint32{128},
			args: []any{make([]uint32, 1<<14), make([]uint32, 1<<14)}})
		m, err := simt.New(p.mem, checkedISA{made.ISA().(*machine.ISA), turns}, made.Dispatch)
		if err != nil {
			t.Fatal(err)
		}
		m.Interpret = interpret
		c := check.New(m, kinds)
		var got []string
		c.Sink = func(r *check.Report) bool {
			got = append(got, fmt.Sprintf("%v %#x of wave %d, lanes %#x: %s %v %#x %v %s", r.Kind, r.PC,
				r.Wave.ID, r.Lanes, r.What, r.Space, r.Addr, r.Others, r.Advice))
			return false
		}
		c.Attach()
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatalf("seed %d: %v %v %v", seed, err, ev.Kind, ev.Fault)
		}
		finish()
		if interpret {
			want = got
		} else if !slices.Equal(got, want) {
			t.Fatalf("seed %d, %v: translated\n%s\ninterpreted\n%s\nof\n%s", seed, kinds,
				strings.Join(got, "\n"), strings.Join(want, "\n"), text)
		}
	}
	return len(want)
}

// sharingKernel is a kernel of random accesses to two buffers and to shared memory, in a loop, with barriers.
func sharingKernel(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(sharesHead + `	.shared .align 4 .b8 s[2048];
	ld.param.u64 %d1, [a];
	ld.param.u64 %d2, [b];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, s;
	mov.u32 %r4, 0;
	mov.u32 %r10, 1;
`)
	n := 0
	address := func() string { // of 512 bytes, as an offset
		n++
		k := []int{1, 2, 4, 8, 16, 32, 64}[r.IntN(7)]
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "\txor.b32 %%r5, %%r1, %d;\n", k)
		case 1:
			fmt.Fprintf(&b, "\tadd.u32 %%r5, %%r1, %d;\n", k)
		case 2:
			fmt.Fprintf(&b, "\tmul.lo.u32 %%r5, %%r1, %d;\n", k)
		case 3:
			fmt.Fprintf(&b, "\tshr.u32 %%r5, %%r1, %d;\n", r.IntN(6))
		case 4:
			fmt.Fprintf(&b, "\tadd.u32 %%r5, %%r4, %d;\n", k)
		default:
			b.WriteString("\tmov.u32 %r5, %r1;\n")
		}
		b.WriteString("\tand.b32 %r5, %r5, 127;\n\tshl.b32 %r5, %r5, 2;\n")
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "\tadd.u32 %%r5, %%r5, %d;\n", 512*r.IntN(4))
		}
		return "%r5"
	}
	value := func() string { return fmt.Sprintf("%%r%d", 10+r.IntN(8)) }
	var one func(depth int)
	one = func(depth int) {
		switch r.IntN(12) {
		case 0, 1, 2:
			fmt.Fprintf(&b, "\tadd.u32 %%r6, %%r3, %s;\n\tld.shared.u32 %s, [%%r6];\n", address(), value())
		case 3:
			fmt.Fprintf(&b, "\tadd.u32 %%r6, %%r3, %s;\n\tst.shared.u32 [%%r6], %s;\n", address(), value())
		case 4, 5:
			fmt.Fprintf(&b, "\tcvt.u64.u32 %%d3, %s;\n\tadd.u64 %%d3, %%d3, %%d1;\n\tld.global.u32 %s, [%%d3];\n", address(),
				value())
		case 6:
			fmt.Fprintf(&b, "\tcvt.u64.u32 %%d3, %s;\n\tadd.u64 %%d3, %%d3, %%d2;\n\tst.global.u32 [%%d3], %s;\n", address(),
				value())
		case 7, 8, 9:
			if depth == 0 {
				b.WriteString("\tbar.sync 0;\n")
			}
		case 10:
			if depth > 0 {
				break
			}
			n++
			label := n
			fmt.Fprintf(&b, "\tsetp.lt.u32 %%p1, %%r1, %d;\n\t@%%p1 bra L%d;\n", r.IntN(140), label)
			for range 1 + r.IntN(3) {
				one(depth + 1)
			}
			fmt.Fprintf(&b, "L%d:\n", label)
		default:
			fmt.Fprintf(&b, "\t%s %s, %s, %s;\n", []string{"add.u32", "and.b32", "xor.b32", "mul.lo.u32", "add.f32"}[r.IntN(5)],
				value(), value(), value())
		}
	}
	for range r.IntN(5) {
		one(0)
	}
	b.WriteString("LOOP:\n")
	for range 3 + r.IntN(14) {
		one(0)
	}
	b.WriteString("\tadd.u32 %r4, %r4, 1;\n\tsetp.lt.u32 %p2, %r4, 20;\n\t@%p2 bra LOOP;\n\tret;\n}\n")
	if r.IntN(4) == 0 { // some end before others
		end := fmt.Sprintf("\tsetp.gt.u32 %%p3, %%r1, %d;\n\t@%%p3 ret;\n", 40+r.IntN(80))
		return strings.Replace(b.String(), "LOOP:\n", end+"LOOP:\n", 1)
	}
	return b.String()
}
