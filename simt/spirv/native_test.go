package spirv

import (
	"bytes"
	"context"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// translateSoon has blocks translated when they run for the first time, and tells how many instructions
// translated code executes.
func translateSoon(count *uint64) (undo func()) {
	after, on := translateAfter, onTranslated
	translateAfter, onTranslated = 1, func(n uint64) { *count += n }
	return func() { translateAfter, onTranslated = after, on }
}

// runTranslated runs a module a few instructions at a time, translated and not, and compares all that there
// is of the machine after each step. It returns how many instructions translated code has executed.
func (l launch) runTranslated(t testing.TB, words []uint32) (count uint64) {
	t.Helper()
	if !host.Available() {
		return 0
	}
	defer translateSoon(&count)()
	l.track, l.printed = true, nil
	var m [2]*simt.Machine
	for k := range m {
		l.buffers, l.args, l.push = maps.Clone(l.buffers), bytes.Clone(l.args), bytes.Clone(l.push)
		m[k] = l.start(t, words).m
		m[k].Interpret = k == 0
		if err := m[k].Fill(); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(sweep.PCG(uint64(len(words)), 1))
	steps := sweep.Times(16, 40)
	for step := range steps {
		n := uint64(1 + r.IntN(60))
		var ev [2]simt.Event
		var digest [2]string
		for k := range m {
			var err error
			if step < steps-1 {
				ev[k], err = m[k].Advance(n)
			} else {
				ev[k], err = m[k].Run(context.Background(), 1)
			}
			if err != nil {
				t.Fatal(err)
			}
			digest[k] = simttest.Digest(m[k])
		}
		if ev[0].Kind != ev[1].Kind || ev[0].PC != ev[1].PC || ev[0].Lanes != ev[1].Lanes ||
			digest[0] != digest[1] {
			t.Fatalf("step %d: interpreted %v at %#x, translated %v at %#x, same state: %v", step, ev[0].Kind,
				ev[0].PC, ev[1].Kind, ev[1].PC, digest[0] == digest[1])
		}
		if ev[0].Kind == simt.FaultEvent || m[0].Done() || m[0].Stuck() {
			break
		}
	}
	return count
}

// TestMostIsTranslated: what the tests of this package compare is mostly executed by translated code.
func TestMostIsTranslated(t *testing.T) {
	if !host.Available() {
		t.Skip("nothing is translated here")
	}
	l := launch{groups: [3]uint32{2}, push: append(bytes32(128), floatBytes(0.25)...),
		buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 1<<11), {0, 1, 0}: make([]byte, 1<<11)}}
	for _, name := range variants(t, "nbody") {
		words := testModule(t, name)
		r := l.start(t, words)
		if _, err := r.m.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		all, count := r.m.Stats().Insts, l.runTranslated(t, words)
		if count < all*3/4 {
			t.Errorf("%s: %d of %d instructions are executed by translated code", name, count, all)
		}
	}
}

// TestWrittenPointers: pointers that a debugger has written lead where they say, also if they were an offset
// from others when the program computed them.
func TestWrittenPointers(t *testing.T) {
	if !host.Available() {
		t.Skip("nothing is translated here")
	}
	var count uint64
	defer translateSoon(&count)()
	words := testModule(t, filepath.Join("..", "bench", "bench.spv"))
	var digest [2]string
	for k := range digest {
		var matrix []byte
		for i := range 64 * 64 {
			matrix = append(matrix, floatBytes(float32(i%7)+float32(i%5)/4)...)
		}
		l := launch{o: Options{Entry: "matmul"}, block: [3]uint32{16, 16, 1}, track: true,
			args: append(make([]byte, 24), bytes32(64, 0)...),
			pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0},
				16: {0, 2, 0}}, buffers: map[Slot][]byte{{0, 0, 0}: matrix, {0, 1, 0}: matrix,
				{0, 2, 0}: matrix}}
		r := l.start(t, words)
		r.m.Interpret = k == 0
		low := newLowerer(r.p)
		for _, b := range r.p.blocks {
			low.findNear(b)
		}
		if len(low.near) == 0 {
			t.Fatal("no pointer is an offset from another")
		}
		if err := r.m.Fill(); err != nil {
			t.Fatal(err)
		}
		for range 1600 { // up to the loop
			if _, err := r.m.Advance(1); err != nil {
				t.Fatal(err)
			}
		}
		for slot := range low.near {
			for _, w := range r.m.Waves() {
				for l := range w.Size {
					s := w.Regs.(*State)
					v := binary.LittleEndian.AppendUint64(nil, s.f[int(slot)*s.lanes+l]^4)
					if err := w.Regs.Write(simt.Reg{Index: uint16(slot)}, l, v); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for !r.m.Done() {
			if ev, err := r.m.Advance(1 << 20); err != nil || ev.Kind == simt.FaultEvent {
				t.Fatal(ev.Kind, err)
			}
		}
		digest[k] = simttest.Digest(r.m)
	}
	if digest[0] != digest[1] {
		t.Error("interpreted and translated differ")
	}
}

// counted is an observer that counts what it is told of, of the kinds that it wants.
type counted struct {
	space simt.Space
	write bool
	n     int
	sum   uint64
}

func (o *counted) Wants(_ *simt.Wave, space simt.Space, write bool) bool {
	return space == o.space && write == o.write
}

func (o *counted) Observe(a *simt.Access) bool {
	if o.Wants(a.Wave, a.Space, a.Write) {
		o.n++
		simt.Lanes(a.Lanes, func(l int) { o.sum = o.sum*31 + a.Addr[l] + a.PC })
	}
	return false
}

// TestTranslatedTells: observers are told of the same accesses whether code is translated or not.
func TestTranslatedTells(t *testing.T) {
	if !host.Available() {
		t.Skip("nothing is translated here")
	}
	var count uint64
	defer translateSoon(&count)()
	for _, want := range []counted{{space: simt.Global}, {space: simt.Global, write: true}} {
		var told [2]counted
		for k := range told {
			l := launch{groups: [3]uint32{1}, push: append(bytes32(64), floatBytes(0.25)...),
				buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 1<<11), {0, 1, 0}: make([]byte, 1<<11)}}
			r := l.start(t, testModule(t, "nbody.none.spv"))
			r.m.Interpret = k == 0
			told[k] = want
			r.m.AddObserver(&told[k])
			if _, err := r.m.Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
		if told[0] != told[1] || told[0].n == 0 {
			t.Errorf("told of %d accesses, of %d translated ones, or of others", told[0].n, told[1].n)
		}
	}
	if count == 0 {
		t.Error("nothing is translated")
	}
}

// TestBoundRange: where a part of a buffer is bound, what is behind that part is out of bounds for translated
// code, too, whether snapshots look on or not, and stays as it is. The last of some subgroups goes there,
// when code knows of the buffers already.
func TestBoundRange(t *testing.T) {
	if !host.Available() {
		t.Skip("nothing is translated here")
	}
	const lanes, groups, last = 32, 4, 20
	const items, bound = groups * lanes, (groups-1)*lanes + last
	words := opModuleOf(opCase{op: opIAdd, types: "uuu"}, lanes) // out[i] = a[i] + b[i]
	for short := range uint32(3) {
		for _, looked := range []bool{false, true} {
			var count uint64
			undo := translateSoon(&count)
			l := launch{groups: [3]uint32{groups}, track: true, buffers: map[Slot][]byte{},
				ranges: map[Slot]uint64{{0, short, 0}: 4 * bound}}
			for k := range uint32(3) {
				l.buffers[Slot{0, k, 0}] = bytes.Repeat(bytes32(k), items)
			}
			r := l.start(t, words)
			if err := r.m.Fill(); err != nil {
				t.Fatal(err)
			}
			if looked {
				r.m.Snapshot()
			}
			ev, err := r.m.Run(context.Background(), 1)
			if err != nil {
				t.Fatal(err)
			}
			undo()
			const beyond = 1<<lanes - 1<<last
			if ev.Kind != simt.FaultEvent || ev.Fault.Lanes != beyond || count == 0 {
				t.Errorf("buffer %d in part: %v, %v, want a fault of lanes %#x; %d instructions translated",
					short, ev.Kind, ev.Fault, uint64(beyond), count)
			}
			want := append(bytes.Repeat(bytes32(1+2), items-lanes), make([]byte, 4*lanes)...)
			if got := r.regions[Slot{}].Data; !bytes.Equal(got, want) {
				t.Errorf("buffer %d in part: the last results are %d", short, wordsOf(got)[items-lanes:])
			}
		}
	}
}
