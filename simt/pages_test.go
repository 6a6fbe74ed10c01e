package simt

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSnapshotsOfMemory makes, restores and releases snapshots of memory in any order, those in the middle
// among them, beside copies of all that there is.
func TestSnapshotsOfMemory(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 1))
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
