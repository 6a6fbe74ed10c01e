package gen

import (
	"encoding/binary"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// newGroup is a workgroup of threads of a generation, each with the same code. What run gives is of that many
// instructions of one of them.
func newGroup(t *testing.T, g *Generation, simd, threads int, code ...string) (m *simt.Machine,
	run func(thread int, n uint64) simt.Event) {
	t.Helper()
	b := newBench(t, simd)
	b.load(code...)
	isa, err := New(b.core.mem, Kernel{SIMD: simd, Threads: threads, Generation: g})
	if err != nil {
		t.Fatal(err)
	}
	size := [3]uint32{uint32(simd * threads), 1, 1}
	m, err = simt.New(b.core.mem, isa, simt.Dispatch{Grid: size, Block: size, Entry: codeBase,
		ScratchSize: 64, ScratchLimit: 64})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	core := isa.NewCore(m).(*Core)
	core.covering(16 * len(code))
	return m, func(thread int, n uint64) simt.Event { return core.Run(m.Waves()[thread], n) }
}

// Of iga64 -p=12p72: a signal to the barrier that r8 names, and waits.
const (
	signalR8  = "31000080000000000c08083000000000" // send.gtwy (1|M0) null r8 null:0 0x0 0x02000004
	waitFor5  = "0100008000420100000000e005000000" // sync.bar 5
	waitForID = "0100008000000100040800e000000000" // sync.bar r8.0<0;1,0>:ub
)

// TestNamedBarriers: two consumers and a producer of barrier 5. The producer goes on, the consumers when all
// have come.
func TestNamedBarriers(t *testing.T) {
	m, run := newGroup(t, XeHPC, 16, 4, signalR8, waitFor5, signalR8)
	const both, produces, consumes = 0x02020005, 0x02024005, 0x02028005
	roles := []uint32{both, consumes, produces, 0}
	for i, w := range m.Waves() {
		regsOf(w).setU32(XeHPC.grf(8)+signalBarrier, roles[i])
	}
	waves := m.Waves()
	at := func(i int, state simt.State, pc uint64) {
		t.Helper()
		if waves[i].State != state || waves[i].PC != codeBase+pc {
			t.Fatalf("thread %d: %v at %#x, want %v at %#x", i, waves[i].State, waves[i].PC-codeBase,
				state, pc)
		}
	}
	run(0, 2)
	at(0, simt.AtBarrier, 16)
	run(1, 2)
	at(1, simt.AtBarrier, 16)
	run(2, 1)
	at(0, simt.Ready, 16)
	at(1, simt.Ready, 16)
	at(2, simt.Ready, 16)
	run(0, 1)
	at(0, simt.Ready, 32)
	run(1, 1)
	at(1, simt.Ready, 32)
	// The barrier is free again.
	run(0, 1)
	if b := regsOf(waves[0]).named[5]; b.producers != 1 || b.consumers != 1 {
		t.Errorf("%d producers and %d consumers have come again, want 1 and 1", b.producers, b.consumers)
	}
	// A producer has nothing to wait for.
	if ev := run(2, 1); ev.Kind != simt.FaultEvent || !strings.Contains(ev.Fault.Text, "nobody sends") {
		t.Errorf("a producer that waits: %v %v", ev.Kind, ev.Fault)
	}
}

// TestNamedBarrierNobody: what is waited for by all that are left, and barriers that there are not.
func TestNamedBarrierNobody(t *testing.T) {
	m, run := newGroup(t, XeHPC, 16, 1, signalR8, waitFor5)
	regsOf(m.Waves()[0]).setU32(XeHPC.grf(8)+signalBarrier, 0x02020005)
	if ev := run(0, 2); ev.Kind != simt.BarrierEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	m.Waves()[0].State = simt.Ready // as the machine does where all wait
	const want = "1 producers and 1 consumers have come to barrier 5"
	if ev := run(0, 1); ev.Kind != simt.FaultEvent || !strings.Contains(ev.Fault.Text, want) {
		t.Errorf("%v %v, want %s", ev.Kind, ev.Fault, want)
	}
	m, run = newGroup(t, XeHPC, 16, 1, signalR8)
	regsOf(m.Waves()[0]).setU32(XeHPC.grf(8)+signalBarrier, 0x02020020)
	if ev := run(0, 1); ev.Kind != simt.FaultEvent ||
		!strings.Contains(ev.Fault.Text, "there is no barrier 32") {
		t.Errorf("%v %v", ev.Kind, ev.Fault)
	}
}

// TestPairs: dpasw gives each thread of a pair what dpas gives with both halves of src2, whichever comes
// first, with all channels and with some.
func TestPairs(t *testing.T) {
	const together, alone = "5a4d0300a03a0733043b01010415040e", "594d0300a03a0733043b01010415040e" // r51 r59 r21 r14
	r := rand.New(sweep.Source(3))
	for round := range 12 {
		var want [2][]byte
		var files [2][]byte
		for i := range files {
			files[i] = make([]byte, 60*32)
			for at := 0; at < len(files[i]); at += 2 {
				binary.LittleEndian.PutUint16(files[i][at:], floatToHalf(float64(r.Intn(64)-32)/4, nearest))
			}
			for at := 51 * 32; at < 59*32; at += 4 { // in which channels are that do not execute
				binary.LittleEndian.PutUint32(files[i][at:], r.Uint32())
			}
			for at := 59 * 32; at < 60*32; at += 4 {
				binary.LittleEndian.PutUint32(files[i][at:], fb(float32(r.Intn(100))))
			}
			files[i] = append(files[i], files[i][59*32:]...)
			for range 6 {
				files[i] = append(files[i], files[i][59*32:60*32]...)
			}
		}
		exec := uint64(someChannels(r, round))
		for i := range files {
			b := newBench(t, 8).of(XeHPG)
			b.load(alone)
			copy(b.r.file, files[i])
			copy(b.r.file[14*32:], files[0][14*32:18*32])
			copy(b.r.file[18*32:], files[1][14*32:18*32])
			b.w.Exec = exec
			if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
				t.Fatalf("%v %v", ev.Kind, ev.Fault)
			}
			want[i] = slices.Clone(b.r.file[51*32 : 59*32])
		}
		m, run := newGroup(t, XeHPG, 8, 2, together)
		for i, w := range m.Waves() {
			copy(regsOf(w).file, files[i])
			w.Exec = exec
		}
		first := round % 2
		if ev := run(first, 1); ev.Kind != simt.BarrierEvent {
			t.Fatalf("the first that comes: %v %v", ev.Kind, ev.Fault)
		}
		for _, i := range []int{1 - first, first} {
			if ev := run(i, 1); ev.Kind != simt.NoEvent || m.Waves()[i].PC != codeBase+16 {
				t.Fatalf("thread %d: %v %v", i, ev.Kind, ev.Fault)
			}
			if got := regsOf(m.Waves()[i]).file[51*32 : 59*32]; !slices.Equal(got, want[i]) {
				t.Fatalf("thread %d, channels %#x: %x, want %x", i, exec, got, want[i])
			}
		}
	}
}

// TestPairFaults: what dpasw faults with where its thread has no other.
func TestPairFaults(t *testing.T) {
	const dpasw = "5a4d0300a03a0733043b01010415040e"
	for threads, want := range map[int]string{1: "there is no other thread", 2: "does not come"} {
		m, run := newGroup(t, XeHPG, 8, threads, dpasw)
		if threads == 2 {
			m.Waves()[1].State = simt.Ended
		}
		if ev := run(0, 1); ev.Kind != simt.FaultEvent || !strings.Contains(ev.Fault.Text, want) {
			t.Errorf("%d threads: %v %v, want %s", threads, ev.Kind, ev.Fault, want)
		}
	}
}
