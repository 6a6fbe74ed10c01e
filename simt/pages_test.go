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
		r, err := mem.Alloc("pages", 5*pageSize+100, PermRead|PermWrite)
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
