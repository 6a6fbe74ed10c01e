package spirv

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// bulkNow has entry points executed in bulk from the first workgroup on.
func bulkNow() (undo func()) {
	old := bulkAfter
	bulkAfter = 0
	return func() { bulkAfter = old }
}

// runBulk runs a module interpreted and in bulk, if it may be, and compares what both leave, what they count
// and what stops them. It reports whether it was all executed in bulk.
func (l launch) runBulk(t testing.TB, words []uint32) bool {
	t.Helper()
	defer bulkNow()()
	l.track, l.printed = false, nil
	var m [2]*simt.Machine
	var ev [2]simt.Event
	var digest [2]string
	for k := range m {
		l.buffers, l.args, l.push = cloned(l.buffers), bytes.Clone(l.args), bytes.Clone(l.push)
		m[k] = l.start(t, words).m
		m[k].Interpret = k == 0
		var err error
		if ev[k], err = m[k].Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		digest[k] = simttest.Digest(m[k])
	}
	if ev[0].Kind != ev[1].Kind || ev[0].PC != ev[1].PC || ev[0].Lanes != ev[1].Lanes ||
		digest[0] != digest[1] || m[0].Stats() != m[1].Stats() {
		t.Fatalf("made %v at %#x %+v, in bulk %v at %#x %+v, the same memory: %v", ev[0].Kind, ev[0].PC,
			m[0].Stats(), ev[1].Kind, ev[1].PC, m[1].Stats(), digest[0] == digest[1])
	}
	core := m[1].ISA().NewCore(m[1]).(*core)
	_, tried := core.RunBulk(&simt.Workgroup{Size: [3]uint32{1, 1, 1}}, 0)
	return tried
}

// cloned are buffers with bytes of their own.
func cloned(buffers map[Slot][]byte) map[Slot][]byte {
	of := maps.Clone(buffers)
	for s, data := range of {
		of[s] = bytes.Clone(data)
	}
	return of
}

// whereabouts is what memory has and where waves are. Values that no instruction has made yet are anything.
func whereabouts(m *simt.Machine) string {
	var b bytes.Buffer
	for _, r := range m.Mem.Regions() {
		b.Write(r.Data)
	}
	for _, w := range m.Waves() {
		fmt.Fprint(&b, w.ID, w.State, w.Insts, w.LaneInsts)
		if w.State != simt.Ended {
			fmt.Fprint(&b, w.PC, w.Exec)
		}
	}
	fmt.Fprint(&b, m.Stats())
	return b.String()
}

// runAhead runs a module as debuggers do, far ahead in bulk and turn by turn, and compares where they come
// to.
func (l launch) runAhead(t testing.TB, words []uint32) {
	t.Helper()
	defer bulkNow()()
	var m [2]*simt.Machine
	for k := range m {
		l.buffers, l.args, l.push = cloned(l.buffers), bytes.Clone(l.args), bytes.Clone(l.push)
		m[k] = l.start(t, words).m
		m[k].Track, m[k].Resident = true, 4
		if err := m[k].Fill(); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(sweep.PCG(uint64(len(words)), 2))
	simttest.Ahead{Turn: 16, Steps: 1 << 20, State: whereabouts}.Compare(t, r, m)
}

// TestBulk: kernels that only end with a store are executed in bulk, with whole subgroups and others, and
// where one has a fault, too.
func TestBulk(t *testing.T) {
	words := testModule(t, filepath.Join("..", "bench", "bench.spv"))
	for i, c := range []struct {
		entry       string
		buffers     int
		ints        []uint32
		grid, block [3]uint32
		short       int // bytes
	}{
		{"vecadd", 3, nil, [3]uint32{5}, [3]uint32{64, 1, 1}, 0},
		{"vecadd", 3, nil, [3]uint32{3}, [3]uint32{50, 1, 1}, 0},
		{"vecadd", 3, nil, [3]uint32{5}, [3]uint32{64, 1, 1}, 4 * 100},
		{"hash", 1, []uint32{20}, [3]uint32{4}, [3]uint32{64, 1, 1}, 0},
		{"hash", 1, []uint32{20}, [3]uint32{4}, [3]uint32{64, 1, 1}, 4},
		{"mandelbrot", 1, []uint32{64, 50}, [3]uint32{4, 4, 1}, [3]uint32{16, 16, 1}, 0},
	} {
		l := launch{o: Options{Entry: c.entry, SubgroupSize: []int{32, 8, 16, 64}[i%4]}, block: c.block,
			groups: c.grid, pointer: map[uint64]Slot{}, buffers: map[Slot][]byte{}}
		for i := range c.buffers {
			var data []byte
			for k := range 64 * 64 {
				data = append(data, floatBytes(float32(k%7)+float32(i))...)
			}
			if i == c.buffers-1 && c.short > 0 {
				data = data[:4*int(c.grid[0]*c.block[0])-c.short]
			}
			slot := Slot{0, uint32(i), 0}
			l.pointer[uint64(8*i)], l.buffers[slot] = slot, data
		}
		l.args = make([]byte, 8*c.buffers)
		for _, v := range c.ints {
			l.args = binary.LittleEndian.AppendUint32(l.args, v)
		}
		l.args = append(l.args, make([]byte, 8)...)
		if tried := l.runBulk(t, words); tried != host.Available() {
			t.Errorf("%s: executed in bulk: %v", c.entry, tried)
		}
		if c.short == 0 {
			if l.groups[1] == 0 {
				l.groups[0] *= 5
			} else {
				l.groups[1] *= 5
			}
			for slot, data := range l.buffers {
				l.buffers[slot] = bytes.Repeat(data, 5)
			}
			l.runAhead(t, words)
		}
	}
}

// TestBulkPlaces: each workgroup has its own number of work-items, the last of a row fewer and the first of
// the next as many again, and global ids begin where the launch says.
func TestBulkPlaces(t *testing.T) {
	words := testModule(t, filepath.Join("..", "bench", "bench.spv"))
	for _, offset := range []uint32{0, 16} {
		out := Slot{0, 0, 0}
		l := launch{o: Options{Entry: "mandelbrot", SubgroupSize: 16}, groups: [3]uint32{3, 2, 1}, short: 5,
			offset: [3]uint32{offset}, pointer: map[uint64]Slot{0: out},
			buffers: map[Slot][]byte{out: make([]byte, 4*64*64)},
			args:    append(make([]byte, 8), bytes32(64, 50, 0, 0)...)}
		if tried := l.runBulk(t, words); tried != host.Available() {
			t.Errorf("from %d on: executed in bulk: %v", offset, tried)
		}
	}
}

// TestBulkParts: waves whose lanes part are executed in bulk to their ends, whether lanes leave a loop one
// after the other, go two ways that meet, or end early.
func TestBulkParts(t *testing.T) {
	if !host.Available() {
		t.Skip("this host has no translated code")
	}
	defer bulkNow()()
	for _, size := range []int{8, 16, 32, 64} {
		for _, name := range variants(t, "mandel") {
			l := launch{o: Options{SubgroupSize: size}, groups: [3]uint32{16}, push: bytes32(64, 60),
				buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 4*16*64)}}
			words := testModule(t, filepath.Base(name))
			l.runBulk(t, words)
			l.runAhead(t, words)
			r := l.start(t, words)
			core := r.m.ISA().NewCore(r.m).(*core)
			g := simt.Workgroup{Size: [3]uint32{64, 1, 1}, ID: [3]uint32{7, 0, 0}}
			done, _ := core.RunBulk(&g, 1<<20)
			if core.bulk.code == nil && strings.Contains(name, ".Od.") { // it has variables in memory
				continue
			}
			if len(done) != 64/size {
				t.Errorf("%s: %d of %d waves of %d lanes came to their ends", name, len(done), 64/size, size)
			}
		}
	}
}

// TestForeseen: of subgroups in bulk observers are told what they are told of those that are made, or work it
// out themselves where what subgroups do is as much further on each time; also where one has a fault, where
// buffers lie at odd places, and where a work-item begins elsewhere.
func TestForeseen(t *testing.T) {
	if !host.Available() {
		t.Skip("nothing is translated here")
	}
	defer bulkNow()()
	defer func(old bool) { simt.LetPanic = old }(simt.LetPanic)
	simt.LetPanic = true
	words := testModule(t, filepath.Join("..", "bench", "bench.spv"))
	foreseen, seeds := 0, simttest.Seeds("Foreseen", 40, 40)
	for _, seed := range seeds {
		r := rand.New(sweep.PCG(30+seed, 5))
		entry := []string{"vecadd", "fir", "hash"}[r.IntN(3)]
		l := launch{o: Options{Entry: entry, SubgroupSize: []int{32, 8, 16, 64}[r.IntN(4)]},
			block:   [3]uint32{64 * uint32(1+r.IntN(4)), 1, 1},
			groups:  [3]uint32{uint32(10 + r.IntN(60)), 1, 1},
			pointer: map[uint64]Slot{}, buffers: map[Slot][]byte{}, args: make([]byte, 40)}
		if r.IntN(4) == 0 {
			l.block[0] -= 3
		}
		items := int(l.groups[0] * l.block[0])
		l.offset[0] = uint32(r.IntN(2) * r.IntN(9))
		short := 0 // bytes, so that a work-item has a fault
		if r.IntN(4) == 0 {
			short = 4 * r.IntN(items)
		}
		for i := range map[string]int{"vecadd": 3, "fir": 3, "hash": 1}[entry] {
			slot := Slot{0, uint32(i), 0}
			l.pointer[uint64(8*i)] = slot
			l.buffers[slot] = make([]byte, 4*(items+64)-short)
		}
		if entry == "hash" {
			binary.LittleEndian.PutUint32(l.args[8:], uint32(r.IntN(5)))
		}
		foreseen += l.seeAlike(t, words, []uint64{0, 0, 0, 1 << r.IntN(64)}[r.IntN(4)])
	}
	if foreseen < 25*len(seeds) {
		t.Errorf("%d subgroups were foreseen: too few to tell", foreseen)
	}
}

// seeAlike runs a module interpreted and in bulk, and compares what observers know who want to know of some
// accesses when they happen. It says how many subgroups have been foreseen.
func (l launch) seeAlike(t *testing.T, words []uint32, refuses uint64) int {
	t.Helper()
	var seers [2]*simttest.Seer
	var ev [2]simt.Event
	var digest [2]string
	for k := range seers {
		l.buffers = cloned(l.buffers)
		m := l.start(t, words).m
		m.Interpret = k == 0
		seers[k] = simttest.NewSeer(refuses)
		// In bulk arguments are in no memory.
		seers[k].Skips = func(space simt.Space, _ uint64) bool { return space == simt.Scratch }
		m.AddObserver(seers[k])
		var err error
		if ev[k], err = m.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		digest[k] = simttest.Digest(m)
	}
	if ev[0].Kind != ev[1].Kind || digest[0] != digest[1] {
		t.Fatalf("%s in %v: interpreted %v, in bulk %v, the same memory: %v", l.o.Entry, l.block, ev[0].Kind,
			ev[1].Kind, digest[0] == digest[1])
	}
	if d := seers[0].Differs(seers[1], ev[0].Kind == simt.EndEvent); d != "" {
		t.Fatalf("%s in %v: %s", l.o.Entry, l.block, d)
	}
	return seers[1].Foretold
}
