package launch

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// TestSnapshots: from snapshots at random points, restored in any order, a run
// comes to the same points and the same end.
func TestSnapshots(t *testing.T) {
	for _, name := range []string{"atomics", "lds", "recursion", "private_array", "reduction",
		"function_table", "grid3d"} {
		t.Run(name, func(t *testing.T) {
			s, err := ReadSpec(File{Path: filepath.Join(kernels, "launch", name+".json")})
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Load()
			if err != nil {
				t.Fatal(err)
			}
			m := p.Machine
			m.Track, m.Resident = true, 4
			if err := m.Fill(); err != nil {
				t.Fatal(err)
			}
			rnd := rand.New(sweep.PCG(3, uint64(len(name))))
			advance := func(turns int) {
				for range turns {
					if ev, err := m.Advance(37); err != nil || ev.Kind == simt.FaultEvent {
						t.Fatalf("%v %v", err, ev.Fault)
					}
				}
			}
			type point struct {
				s      *simt.Snapshot
				turns  int // from the point before
				digest string
			}
			var points []point
			for !m.Done() && len(points) < 8 {
				turns := rnd.IntN(60)
				advance(turns)
				points = append(points, point{m.Snapshot(), turns, simttest.Digest(m)})
			}
			rest := 0
			for ; !m.Done(); rest++ {
				advance(1)
			}
			end := simttest.Digest(m)
			for range sweep.Times(6, 12) {
				i := rnd.IntN(len(points))
				m.Restore(points[i].s)
				if simttest.Digest(m) != points[i].digest {
					t.Fatalf("snapshot %d of %d is not what it was", i, len(points))
				}
				for j := i + 1; j < len(points); j++ {
					advance(points[j].turns)
					if simttest.Digest(m) != points[j].digest {
						t.Fatalf("from snapshot %d the run comes to something else at %d", i, j)
					}
				}
				if rnd.IntN(2) == 0 {
					advance(rest)
					if simttest.Digest(m) != end {
						t.Fatalf("from snapshot %d the run ends otherwise", i)
					}
				}
			}
			if bad := p.Check(); rest > 0 && len(bad) > 0 && m.Done() {
				t.Errorf("results: %+v", bad)
			}
			for _, q := range points {
				m.Release(q.s)
			}
			if m.Observed() {
				t.Error("somebody observes although all snapshots are released")
			}
		})
	}
}
