package launch

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"simtgdb/simt"
)

// state is a digest of all that a machine is.
func state(m *simt.Machine) string {
	h := fnv.New64a()
	for _, r := range m.Mem.Regions() {
		fmt.Fprint(h, r.Name, r.Base, r.Perm)
		h.Write(r.Data)
	}
	for _, w := range m.Waves() {
		fmt.Fprint(h, w.ID, w.PC, w.Exec, w.State, w.Insts, w.LaneInsts, w.Group.Index)
		h.Write(w.Group.LDS)
		h.Write(bytes.TrimRight(w.Scratch, "\x00")) // as much as it has grown
		for l := range w.Size {
			fmt.Fprint(h, w.LanePC(l), w.Track.Innermost[l].Count())
			for i, f := range w.Regs.Files() {
				p := make([]byte, f.Bits/8)
				for n := range max(f.Count, 1) {
					if w.Regs.Read(simt.Reg{File: uint8(i), Index: uint16(n)}, l, p) == nil {
						h.Write(p)
					}
				}
				if l > 0 && !f.PerLane {
					break
				}
			}
		}
	}
	fmt.Fprint(h, m.Stats())
	return fmt.Sprintf("%x", h.Sum64())
}

// TestSnapshots: from snapshots at random points, restored in any order, a run
// comes to the same points and the same end.
func TestSnapshots(t *testing.T) {
	for _, name := range []string{"atomics", "lds", "recursion", "private_array", "reduction", "function_table",
		"grid3d"} {
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
			rnd := rand.New(rand.NewPCG(3, uint64(len(name))))
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
				points = append(points, point{m.Snapshot(), turns, state(m)})
			}
			rest := 0
			for ; !m.Done(); rest++ {
				advance(1)
			}
			end := state(m)
			for range 12 {
				i := rnd.IntN(len(points))
				m.Restore(points[i].s)
				if state(m) != points[i].digest {
					t.Fatalf("snapshot %d of %d is not what it was", i, len(points))
				}
				for j := i + 1; j < len(points); j++ {
					advance(points[j].turns)
					if state(m) != points[j].digest {
						t.Fatalf("from snapshot %d the run comes to something else at %d", i, j)
					}
				}
				if rnd.IntN(2) == 0 {
					advance(rest)
					if state(m) != end {
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
