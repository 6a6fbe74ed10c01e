package simt

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestSnapshotsOfMemory makes, restores and releases snapshots of memory in any order, those in the middle
// among them, beside copies of all that there is.
func TestSnapshotsOfMemory(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(sweep.PCG(seed, 1))
		mem := NewMemory()
		pages := uint64(5)
		if seed%4 == 0 { // several times what is kept at once
			pages = 200
		}
		r, err := mem.Alloc("pages", pages*pageSize+100, PermRead|PermWrite)
		if err != nil {
			t.Fatal(err)
		}
		var snapshots []*memorySnapshot
		var copies [][]byte
		for step := range 200 {
			switch n := rnd.IntN(10); {
			case n < 2:
				snapshots, copies = append(snapshots, mem.snapshot()), append(copies, bytes.Clone(r.Data))
			case n < 4 && len(snapshots) > 0:
				i := rnd.IntN(len(snapshots))
				mem.release(snapshots[i])
				snapshots, copies = slices.Delete(snapshots, i, i+1), slices.Delete(copies, i, i+1)
			case n < 6 && len(snapshots) > 0:
				i := rnd.IntN(len(snapshots))
				mem.restore(snapshots[i])
				if !bytes.Equal(r.Data, copies[i]) {
					t.Fatalf("seed %d, step %d, restore %d of %d: memory is not what it was", seed, step, i,
						len(snapshots))
				}
			case n < 8:
				at, size := rnd.Uint64N(uint64(len(r.Data)-8)), 1+rnd.Uint64N(8)
				e := mem.WillWrite(r, at, size)
				if e.Lo > at || e.Hi < at+size || e.Hi > uint64(len(r.Data)) {
					t.Fatalf("seed %d, step %d: of %d bytes at %d, %d to %d may be written", seed, step,
						size, at, e.Lo, e.Hi)
				}
				for range 8 {
					r.Data[e.Lo+rnd.Uint64N(e.Hi-e.Lo)] = byte(step + 1)
				}
				r.Data[e.Lo], r.Data[e.Hi-1] = byte(step+1), byte(step+1)
			default:
				at := rnd.IntN(len(r.Data) - 8)
				if _, err := mem.Write(r.Base+uint64(at),
					[]byte{byte(step + 1), byte(rnd.Uint32())}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for len(snapshots) > 0 { // the rest, from any end
			i := rnd.IntN(len(snapshots))
			mem.restore(snapshots[i])
			if !bytes.Equal(r.Data, copies[i]) {
				t.Fatalf("seed %d, snapshot %d of %d: memory is not what it was", seed, i, len(snapshots))
			}
			mem.release(snapshots[i])
			snapshots, copies = slices.Delete(snapshots, i, i+1), slices.Delete(copies, i, i+1)
		}
		if mem.held != 0 || mem.Keeps() {
			t.Errorf("seed %d: %d bytes are held by no snapshot", seed, mem.held)
		}
	}
}

// TestKeptBesideEachOther: several workers write what lies apart, in the same pages and in others, after they
// have had it kept; a snapshot has what there was before, and has counted it once.
func TestKeptBesideEachOther(t *testing.T) {
	const workers, piece = 4, 1 << 10
	for seed := range uint64(20) {
		rnd := rand.New(sweep.PCG(seed, 2))
		mem := NewMemory()
		r, err := mem.Alloc("pages", 300*pageSize+piece, PermRead|PermWrite)
		if err != nil {
			t.Fatal(err)
		}
		contents := 0
		for p := 0; p*pageSize < len(r.Data); p++ {
			if rnd.IntN(2) == 0 {
				page := r.Data[p*pageSize : min((p+1)*pageSize, len(r.Data))]
				page[rnd.IntN(len(page))] = byte(p | 1)
				contents += len(page)
			}
		}
		before := bytes.Clone(r.Data)
		s := mem.snapshot()
		pieces := rnd.Perm(len(r.Data) / piece)
		var wait sync.WaitGroup
		for w := range workers {
			wait.Go(func() {
				for i := w; i < len(pieces); i += workers {
					at := uint64(pieces[i] * piece)
					mem.WillWrite(r, at, piece)
					for b := range uint64(piece) {
						r.Data[at+b] = byte(i | 1)
					}
				}
			})
		}
		wait.Wait()
		if mem.held != held(contents) {
			t.Errorf("seed %d: %d bytes are held, want %d", seed, mem.held, contents)
		}
		if mem.restore(s); !bytes.Equal(r.Data, before) {
			t.Fatalf("seed %d: memory is not what it was", seed)
		}
	}
}
