package gen

import (
	"bytes"
	"context"
	"math/rand"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/rows/regions/x86"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// A countedBulk counts the threads that its cores execute in bulk, and those that they begin so.
type countedBulk struct {
	*ISA
	n *bulkCounts
}

type bulkCounts struct{ bulk, begun int }

type countedCore struct {
	*Core
	n *bulkCounts
}

func (a countedBulk) NewCore(m *simt.Machine) simt.Core {
	return countedCore{a.ISA.NewCore(m).(*Core), a.n}
}

func (c countedCore) RunBulk(g *simt.Workgroup, n uint64) ([]simt.Stats, bool) {
	done, tried := c.Core.RunBulk(g, n)
	c.n.bulk += len(done)
	if tried && c.Begun() {
		c.n.begun++
	}
	return done, tried
}

// A bulkKernel is a random kernel whose threads begin with what they are given, all that it starts with or
// only what its own registers have, which it copies.
type bulkKernel struct {
	randomKernel
	given    []byte
	grid     [3]uint32
	block    [3]uint32
	denied   bool
	contents []byte
}

// ownPlace is the register in which a thread of a bulkKernel has how far its memory is from where memory
// begins.
const ownPlace = 110

func newBulkKernel(list [][]byte, a map[string]string, seed int64, loops bool) *bulkKernel {
	rnd := rand.New(sweep.Source(seed))
	k := &bulkKernel{denied: rnd.Intn(12) == 0, contents: make([]byte, 50*0x1000), randomKernel: randomKernel{
		gen: Gen9, rnd: rnd, a: a, forms: list, simd: 8 << rnd.Intn(3), few: 20}}
	if rnd.Intn(3) == 0 { // there is none for later threads
		k.contents = k.contents[:(1+rnd.Intn(16))*0x1000]
	}
	rnd.Read(k.contents)
	copies := rnd.Intn(3) > 0
	move := func(to, from int) {
		at := len(k.code)
		// (W) mov (8) r3:ud r0<1;1,0>:ud
		k.code = append(k.code, decoded("010060000c0260200000200000000000")...)
		k.field(at, 53, 8, uint64(to))
		k.field(at, 69, 8, uint64(from))
	}
	for reg := firstReserved; copies && reg < k.gen.grfCount; reg++ {
		move(reg, reg-firstReserved+2)
	}
	move(ownPlace, 1) // which has nothing
	// (W) shl (1) r4:d r0.5<0;1,0>:d 12:w
	k.code = append(k.code, decoded("090000002c0a80201400001e0c000c00")...)
	k.field(len(k.code)-16, 53, 8, ownPlace)
	for reg := sideAddresses; reg < rounds; reg += 2 {
		at := len(k.code)
		// add (8) r11:q r43:q r8<0;1,0>:q
		k.code = append(k.code, decoded("40006000284b60216005694a00010000")...)
		k.field(at, 34, 1, 1)
		k.field(at, 53, 8, uint64(reg))
		k.field(at, 69, 8, uint64(reg))
		k.field(at, 101, 8, ownPlace)
	}
	if loops {
		k.make()
	} else {
		k.body(5+rnd.Intn(40), 2)
		k.code = append(k.code, decoded("3100600704020020e00f000610000082")...)
	}
	r := newRegs(k.gen)
	k.registers(r, &simt.Region{Base: dataBase})
	if seed%64 == 7 { // as many instructions as there are in several turns
		r.setU32(k.gen.grf(most), 3000)
	}
	from := k.gen.grf(2)
	if copies {
		from = k.gen.grf(firstReserved)
	}
	k.given = bytes.Clone(r.file[from:k.gen.grfEnd()])
	n := uint32(k.simd)
	k.block = [3]uint32{n*uint32(1+rnd.Intn(4)) - uint32(rnd.Intn(2)*rnd.Intn(7)), 1, 1}
	k.grid = [3]uint32{k.block[0]*uint32(4+rnd.Intn(8)) - uint32(rnd.Intn(2)*rnd.Intn(5)), 1, 1}
	return k
}

// machine makes one that is about to run the kernel.
func (k *bulkKernel) machine(t *testing.T, n *bulkCounts) *simt.Machine {
	t.Helper()
	mem := simt.NewMemory()
	code := append(k.code[:len(k.code):len(k.code)], make([]byte, 16)...)
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	perm := simt.PermRead | simt.PermWrite
	if k.denied {
		perm = simt.PermRead
	}
	if _, err := mem.Map("data", dataBase, bytes.Clone(k.contents), perm); err != nil {
		t.Fatal(err)
	}
	isa, err := New(mem, Kernel{Generation: k.gen, SIMD: k.simd, Threads: MaxThreads, CrossThread: k.given,
		LocalSize: []int{len(k.given) - 12}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, countedBulk{isa, n}, simt.Dispatch{Grid: k.grid, Block: k.block, Entry: codeBase})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestBulk: threads that are executed in bulk leave what they leave when they are made, execute as many
// instructions, and stop at the same place with the same in their registers.
func TestBulk(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	defer translating(1, nil)()
	list, a := bulkForms(t), assembled(t)
	var n bulkCounts
	faults := 0
	for seed := range int64(160) {
		k := newBulkKernel(list, a, seed, seed%2 == 0 || seed%64 == 7)
		var m [2]*simt.Machine
		var ev [2]simt.Event
		for i := range m {
			m[i] = k.machine(t, &n)
			m[i].Interpret = i == 0
			var err error
			if ev[i], err = m[i].Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
		if ev[0].Kind != ev[1].Kind || ev[0].PC != ev[1].PC || ev[0].Lanes != ev[1].Lanes ||
			m[0].Stats() != m[1].Stats() ||
			!bytes.Equal(m[0].Mem.Find(dataBase).Data, m[1].Mem.Find(dataBase).Data) {
			t.Fatalf("kernel %d, SIMD%d, %v in %v: made %v at %#x %+v, in bulk %v at %#x %+v\n%s", seed,
				k.simd, k.grid, k.block, ev[0].Kind, ev[0].PC, m[0].Stats(), ev[1].Kind, ev[1].PC,
				m[1].Stats(), differing(k.gen, m, k.code))
		}
		if ev[0].Kind != simt.FaultEvent {
			continue
		}
		faults++
		for i, w := range ev[0].Wave.Group.Waves {
			v := ev[1].Wave.Group.Waves[i]
			a, b := regsOf(w).file[offAcc:], regsOf(v).file[offAcc:]
			if w.State != v.State || w.ID != v.ID || w.Insts != v.Insts || w.State != simt.Ended &&
				(w.PC != v.PC || w.Exec != v.Exec || waiting(w) != waiting(v) || !bytes.Equal(a, b)) {
				t.Fatalf("kernel %d: thread %d of those that were made and thread %d differ at a fault", seed,
					w.ID, v.ID)
			}
		}
	}
	t.Logf("%d threads in bulk, %d begun, %d faults", n.bulk, n.begun, faults)
	if n.bulk < 1000 || n.begun < 20 || faults < 15 {
		t.Error("too few to tell")
	}
}

// waiting is where the channels of a thread that are off will go on, and where they are shown.
func waiting(w *simt.Wave) (at [2 * maxChannels]uint64) {
	simt.Lanes(w.Valid&^w.Exec, func(l int) {
		at[l], at[l+maxChannels] = uint64(regsOf(w).ip[l]), w.LanePC(l)
	})
	return at
}

// bulkForms are instructions that kernels in bulk may have, among them enough that access memory.
func bulkForms(t *testing.T) (list [][]byte) {
	for _, code := range forms(t, Gen9) {
		in, err := Gen9.Decode(append(code[:len(code):len(code)], make([]byte, 16)...), codeBase)
		if err != nil {
			continue
		}
		in.prepare()
		switch {
		case !in.inBulk(), in.moves != nil && !in.moves.wide:
		case in.moves != nil:
			list = append(list, slices.Repeat([][]byte{code}, 12)...)
		default:
			list = append(list, code)
		}
	}
	return list
}

// TestBulkAhead: what goes far in bulk comes to where turns come one by one, and the history goes back to the
// same states.
func TestBulkAhead(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	defer translating(1, nil)()
	list, a := bulkForms(t), assembled(t)
	var n bulkCounts
	far := 0
	for seed := range int64(40) {
		k := newBulkKernel(list, a, 1000+seed, seed%4 == 3) // in loops they may stop amid
		var m [2]*simt.Machine
		var h [2]*simt.History
		for i := range m {
			m[i] = k.machine(t, &n)
			m[i].Track, m[i].Resident = true, 1+int(seed%7)
			if err := m[i].Fill(); err != nil {
				t.Fatal(err)
			}
			h[i] = simt.NewHistory(m[i], nil)
		}
		states := map[uint64]string{0: simttest.Living(m[1])}
		for range 200 {
			ok, err := h[1].AdvanceFar(simt.Far{Turn: 64, Insts: uint64(1 + k.rnd.Intn(3000)), Workers: 1,
				Changed: -(far % 2)})
			if ok {
				far++
			} else if ev, advanced := h[1].Advance(64); err == nil {
				if err = advanced; ev.Kind == simt.FaultEvent || ev.Kind == simt.BreakEvent {
					break
				}
			}
			for err == nil && h[0].Now() < h[1].Now() {
				_, err = h[0].Advance(64)
			}
			if err != nil {
				t.Fatal(err)
			}
			now := simttest.Living(m[1])
			if states[h[1].Now()] = now; now != simttest.Living(m[0]) {
				t.Fatalf("kernel %d: at %d, %d times far, the machine is another than turn by turn", seed,
					h[1].Now(), far)
			}
			if m[1].Done() {
				break
			}
		}
		for at, state := range states {
			if err := h[1].Goto(at); err != nil || simttest.Living(m[1]) != state {
				t.Fatalf("kernel %d: going back to %d comes to something else (%v)", seed, at, err)
			}
		}
	}
	t.Logf("%d threads in bulk, %d begun, %d times far", n.bulk, n.begun, far)
	if n.bulk < 300 || n.begun < 3 || far < 20 {
		t.Error("too few to tell")
	}
}

// TestBulkFurther: while workgroups come to their ends in bulk, others start up to the most instructions,
// not only up to those that are wanted at least.
func TestBulkFurther(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	defer translating(1, nil)()
	list, a := bulkForms(t), assembled(t)
	ends := map[uint64]int{}
	for seed := range int64(20) {
		k := newBulkKernel(list, a, 1000+seed, false)
		for _, most := range []uint64{0, 1 << 30} {
			m := k.machine(t, &bulkCounts{})
			m.Track, m.Resident = true, 1
			if err := m.Fill(); err != nil {
				t.Fatal(err)
			}
			f := simt.Far{Turn: 64, Insts: 1, Most: most, Workers: 1}
			if ok, err := simt.NewHistory(m, nil).AdvanceFar(f); err != nil {
				t.Fatal(err)
			} else if ok && m.Done() {
				ends[most]++
			}
		}
	}
	if ends[0] > 2 || ends[1<<30] < 10 {
		t.Errorf("%v kernels of 20 come to their ends, with that for the most instructions", ends)
	}
}

// TestNotInBulk: breakpoints in code that threads may come to keep them from bulk. Loops do not, with
// records or without, as long as none has stopped amid them.
func TestNotInBulk(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	list, a := bulkForms(t), assembled(t)
	for _, c := range []struct {
		at           int // of a breakpoint
		loops, track bool
		want         bool
	}{{-16, false, true, false}, {0, false, true, true}, {0, true, true, true}, {0, true, false, true}} {
		k := newBulkKernel(list, a, 3000, c.loops)
		m := k.machine(t, &bulkCounts{})
		m.Track = c.track
		m.SetBreakpoint(codeBase + uint64(len(k.code)+c.at))
		core := m.ISA().NewCore(m).(simt.BulkRunner)
		g := &simt.Workgroup{Size: [3]uint32{uint32(k.simd), 1, 1}}
		if _, tried := core.RunBulk(g, 1<<16); tried != c.want {
			t.Errorf("with a breakpoint %d bytes behind the code, loops %v, records %v: tried is %v", c.at,
				c.loops, c.track, tried)
		}
	}
}
