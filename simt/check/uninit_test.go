package check

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// TestWritesRow: what lanes write side by side is noted as it is one by one.
func TestWritesRow(t *testing.T) {
	r := rand.New(sweep.PCG(1, 2))
	rows := 0
	for range 500 {
		size := []int{4, 8, 16, 2}[r.IntN(4)]
		first, n := r.IntN(60), 1+r.IntN(64)
		n = min(n, simt.MaxLanes-first)
		a := &simt.Access{Write: true, Size: size, Lanes: ^uint64(0) >> (simt.MaxLanes - n) << first,
			Addr: new([simt.MaxLanes]uint64)}
		if r.IntN(5) == 0 {
			a.Lanes &= r.Uint64() | 1<<first
		}
		at, step := 0x8000+uint64(r.IntN(0x1000))&^3, uint64([]int{size, size, size, 2 * size}[r.IntN(4)])
		for l := range a.Addr {
			a.Addr[l] = at + uint64(l)*step
		}
		const base = 0x7000 / wordSize
		c := &Checker{generation: 1}
		got, want := newDefined(), newDefined()
		if !c.writesRow(a, a.Lanes, got, base) {
			continue
		}
		rows++
		c.memory(a, a.Lanes, want, func(word uint64, _ int) uint64 { return word - base })
		if w, g := maps.Collect(want.All()), maps.Collect(got.All()); !maps.Equal(w, g) {
			t.Fatalf("%d bytes from %#x on, %d apart, lanes %#x: %s", size, at, step, a.Lanes, cmp.Diff(w, g))
		}
	}
	if rows < 50 {
		t.Errorf("%d rows", rows)
	}
}

// TestPrivateRows: what lanes read and write at one place of their private memory is noted, and found to have
// no contents, as it is one by one.
func TestPrivateRows(t *testing.T) {
	r := rand.New(sweep.PCG(3, 4))
	rows, bads := 0, 0
	for range 100 {
		c := &Checker{generation: 1, kinds: Uninit}
		w := &simt.Wave{Size: 8 << r.IntN(4)}
		got, want := newDefined(), newDefined()
		bytes := r.IntN(2) == 0
		for range 20 {
			kind := r.IntN(3)
			a := &simt.Access{Wave: w, Space: simt.Scratch, Read: kind != 1, Write: kind > 0, Deferred: true,
				Size: []int{4, 8, 16, 64, 2, 12}[r.IntN(6)], Addr: new([simt.MaxLanes]uint64),
				Lanes: r.Uint64() >> (64 - w.Size), Nothing: r.Uint64() & r.Uint64(), Spoilt: r.Uint64()}
			at := uint64(r.IntN(64)) &^ 3
			for l := range a.Addr {
				a.Addr[l] = at
			}
			if r.IntN(10) == 0 {
				a.Addr[r.IntN(64)] += 4
			}
			if bytes {
				a.Bytes = new([simt.MaxLanes]uint64)
				for l := range a.Bytes {
					a.Bytes[l] = r.Uint64() & r.Uint64() & (^uint64(0) >> (64 - a.Size))
				}
			}
			if a.Lanes == 0 {
				continue
			}
			b := *a
			if bytes {
				b.Bytes = new([simt.MaxLanes]uint64)
				*b.Bytes = *a.Bytes
			}
			bad, ok := c.privateRows(a, got)
			if !ok {
				c.memory(a, a.Lanes, got, privateIndex(a))
			} else {
				rows++
				c.blankRead(a, bad)
			}
			c.memory(&b, b.Lanes, want, privateIndex(&b))
			if a.Blank != 0 {
				bads++
			}
			if a.Blank != b.Blank || a.Spoilt != b.Spoilt || a.Amid != b.Amid ||
				bytes && *a.Bytes != *b.Bytes {
				t.Fatalf("%+v, one by one %+v", *a, b)
			}
		}
		if d := cmp.Diff(maps.Collect(want.All()), maps.Collect(got.All())); d != "" {
			t.Fatal(d)
		}
	}
	if rows < 300 || bads < 30 {
		t.Errorf("%d rows, %d without contents", rows, bads)
	}
}

// owningISA is one whose waves have, one after the other, the same region for themselves.
type owningISA struct {
	noISA
	own *simt.Region
}

func (i owningISA) PrivateMemory(*simt.Wave) (simt.Extent, bool) {
	return simt.Extent{Lo: i.own.Base, Hi: i.own.End()}, true
}

// TestPrivateMemoryBegins: what a wave has written to memory of its own is nothing to the next one there, in
// whatever way its first access is told of.
func TestPrivateMemoryBegins(t *testing.T) {
	l := &simt.Loads{All: []simt.Load{{PC: 0x100, Size: 4}}}
	l.Ready(1)
	for name, loads := range map[string]func(w *world, a *simt.Access) bool{
		"observed": func(w *world, a *simt.Access) bool {
			w.Observe(a)
			return len(w.found) == 0
		},
		"noted": func(w *world, a *simt.Access) bool { return w.Noted(a) },
		"loads together": func(w *world, a *simt.Access) bool {
			return w.NotedLoads(a.Wave, l, simt.Pieces(nil, 0, a.Addr[:], a.Lanes))
		},
	} {
		mem := simt.NewMemory()
		own, err := mem.Alloc("private", 1024, simt.PermRead|simt.PermWrite)
		if err != nil {
			t.Fatal(err)
		}
		own.Private = true
		m, err := simt.New(mem, owningISA{noISA{size: 4}, own}, simt.Dispatch{Grid: [3]uint32{8, 1, 1},
			Block: [3]uint32{8, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{t: t, m: m, buffer: own, waves: newWorld(t).waves}
		w.Checker = New(m, All)
		w.Sink = func(r *Report) bool {
			w.found = append(w.found, r)
			return true
		}
		w.Attach()
		w.Observe(w.access(0, 0x80, global, 0, "write"))
		if !loads(w, w.access(0, 0x100, global, 0, "read")) {
			t.Errorf("%s: a wave finds nothing of its own", name)
		}
		if loads(w, w.access(1, 0x100, global, 0, "read")) {
			t.Errorf("%s: a wave finds what another one has written", name)
		}
	}
}

// TestNoPrivateMemory: waves of a machine whose waves may have memory for themselves, but have none, are kept
// as a stream where the memory that they store to holds nothing at first.
func TestNoPrivateMemory(t *testing.T) {
	w := streamWorld(t, 8, 40)
	m, err := simt.New(w.m.Mem, owningISA{noISA{size: 16}, w.buffer}, w.m.Dispatch)
	if err != nil {
		t.Fatal(err)
	}
	w.m, w.Checker = m, New(m, All)
	w.Blank(w.buffer)
	w.Attach()
	for i, wave := range w.waves {
		w.streamed(wave, &streamed{pc: 0x200, step: 4}, 64*uint64(i))
		w.Ended(wave)
	}
	if runs := w.stream.runs; len(runs) != 1 || runs[0].count != 8 {
		t.Errorf("runs %v", runs)
	}
}
