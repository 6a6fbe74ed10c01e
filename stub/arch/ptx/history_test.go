package ptx_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/stub/launch"
	"simtgdb/testdata/sweep"
)

// Going to times of a run in any order finds the machine as it was, and going on from any of them comes
// to the same end.
func TestHistory(t *testing.T) {
	for _, c := range []struct{ launch, object string }{
		{"recursion", "recursion.O0"}, {"recursion", "recursion.O2d"}, {"lds", "lds.O2"},
		{"reduction", "reduction.O0"},
		{"function_table", "function_table.O0"}, {"private_array", "private_array.O2"},
		{"early_return", "early_return.O2"}, {"calls", "calls.O0"},
	} {
		t.Run(c.object, func(t *testing.T) {
			s, err := launch.ReadSpec(launch.File{Path: filepath.Join(testdata, "launch", c.launch+".json")})
			if err != nil {
				t.Fatal(err)
			}
			s.CodeObject = launch.File{Path: filepath.Join(testdata, "ptx/co", c.object+".ptx")}
			p, err := s.Load()
			if err != nil {
				t.Fatal(err)
			}
			p.Machine.Track, p.Machine.Resident = true, 6
			if err := p.Machine.Fill(); err != nil {
				t.Fatal(err)
			}
			walkHistory(t, p.Machine)
		})
	}
}

// The same with warps that wait for lanes, for each other and for a lock.
func TestHistoryWaits(t *testing.T) {
	for _, c := range []struct {
		kernel, level string
		block, out    int
	}{{"tiles", "O2", 64, 256}, {"reduce_warp", "O0", 64, 512}, {"life", "O2d", 32, 256},
		{"queens", "O2", 64, 128},
		{"matrices", "O0", 32, 512}} {
		t.Run(c.kernel+"."+c.level, func(t *testing.T) {
			object, err := filepath.Abs(filepath.Join(testdata, "ptx/co", c.kernel+"."+c.level+".ptx"))
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf(`{"code_object": %q, "kernel": %q, "grid": [128], "block": [%d], "args": [`+
				`{"buffer": {"type": "u32", "count": 96, "init": "random:9"}},`+
				`{"buffer": {"type": "u32", "count": %d, "init": "zero"}}, {"i32": 96}]}`, object, c.kernel,
				c.block, c.out)
			file := filepath.Join(t.TempDir(), "launch.json")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := launch.ReadSpec(launch.File{Path: file})
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Load()
			if err != nil {
				t.Fatal(err)
			}
			p.Machine.Track, p.Machine.Resident = true, 6
			if err := p.Machine.Fill(); err != nil {
				t.Fatal(err)
			}
			walkHistory(t, p.Machine)
		})
	}
}

// walkHistory runs a machine in steps of random lengths, then goes back and forth.
func walkHistory(t *testing.T, m *simt.Machine) {
	t.Helper()
	rnd := rand.New(sweep.PCG(3, 4))
	h := simt.NewHistory(m, nil)
	seen := map[uint64]string{}
	var times []uint64
	for !m.Done() {
		if rnd.IntN(6) == 0 {
			seen[h.Now()] = simttest.Digest(m)
			times = append(times, h.Now())
		}
		var err error
		if ready := m.Waves(); rnd.IntN(3) == 0 {
			_, err = h.StepWave(ready[rnd.IntN(len(ready))], 1+rnd.Uint64N(7))
		} else {
			_, err = h.Advance(1 + rnd.Uint64N(150))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	seen[h.Now()] = simttest.Digest(m)
	end := h.Now()
	for i := range 12 {
		at := times[rnd.IntN(len(times))]
		if err := h.Goto(at); err != nil {
			t.Fatal(err)
		}
		if simttest.Digest(m) != seen[at] {
			t.Fatalf("time %d of %d is not what it was", at, end)
		}
		for i%4 == 0 && h.Replaying() {
			if _, err := h.Advance(1 + rnd.Uint64N(100)); err != nil {
				t.Fatal(err)
			}
			if want, ok := seen[h.Now()]; ok && simttest.Digest(m) != want {
				t.Fatalf("going on from %d comes to something else at %d", at, h.Now())
			}
		}
	}
}
