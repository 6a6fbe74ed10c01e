package launch

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// unordered are the launch files of programs in which the order of workgroups cannot be seen.
func unordered(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(kernels, "launch", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no launch files: %v", err)
	}
	var names []string
	for _, f := range files {
		s, err := ReadSpec(File{Path: f})
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Load()
		if err != nil {
			t.Fatal(err)
		}
		if !p.hasAtomics() && !p.Host.Serves() {
			names = append(names, f[len(kernels)+len("/launch/"):len(f)-len(".json")])
		}
	}
	if len(names) < 10 {
		t.Fatalf("only %d programs may go ahead: %q", len(names), names)
	}
	return names
}

// follows advances one machine turn by turn to where another is, and compares them.
func follows(t *testing.T, turn uint64, p *Program, h *simt.History, to *Program, at uint64) {
	t.Helper()
	for h.Now() < at {
		if _, err := h.Advance(turn); err != nil {
			t.Fatal(err)
		}
	}
	if h.Now() != at {
		t.Fatalf("no turn ends at %d, but one at %d", at, h.Now())
	}
	if simttest.Digest(p.Machine) != simttest.Digest(to.Machine) {
		t.Fatalf("at %d the machine is another than turn by turn", at)
	}
}

// joined is the turns of a timeline without the cuts at snapshots.
func joined(t simt.Timeline) (turns []simt.Turn) {
	for _, now := range t.Turns {
		if n := len(turns); n > 0 && turns[n-1].Wave == now.Wave && turns[n-1].Next == now.Next {
			turns[n-1].Count += now.Count
		} else {
			turns = append(turns, now)
		}
	}
	return turns
}

// TestAdvanceFar: many turns at once come to where they come one by one, to the bit, and leave the same
// log. From there on the history goes back to the same states.
func TestAdvanceFar(t *testing.T) {
	for i, name := range sweep.Some(2, unordered(t)...) {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(sweep.PCG(11, uint64(i)))
			p, h := remembered(t, name)
			far, farther := remembered(t, name)
			resident := []int{1, 4, 9, 32}[rnd.IntN(4)]
			p.Machine.Resident, far.Machine.Resident = resident, resident
			turn := []uint64{3, 64, 256}[rnd.IntN(3)]
			oks := 0
			type moment struct {
				at     uint64
				digest string
			}
			var moments []moment
			for !far.Machine.Done() {
				if rnd.IntN(2) == 0 { // from the middle of the waves
					if _, err := farther.Advance(turn); err != nil {
						t.Fatal(err)
					}
				}
				insts := 1 + rnd.Uint64N(20000)
				ok, err := farther.AdvanceFar(simt.Far{Turn: turn, Insts: insts,
					Workers: 1 + rnd.IntN(3), Changed: -int(insts % 2)})
				switch {
				case err != nil:
					t.Fatal(err)
				case ok:
					oks++
				case !far.Machine.Done():
					if _, err := farther.Advance(turn); err != nil {
						t.Fatal(err)
					}
				}
				follows(t, turn, p, h, far, farther.Now())
				moments = append(moments, moment{farther.Now(), simttest.Digest(far.Machine)})
			}
			if oks == 0 {
				t.Error("it has never gone far")
			}
			if d := cmp.Diff(joined(h.Timeline()), joined(farther.Timeline())); d != "" {
				t.Errorf("the log differs (-turn by turn +far):\n%s", d)
			}
			for range 4 {
				m := moments[rnd.IntN(len(moments))]
				if err := farther.Goto(m.at); err != nil {
					t.Fatal(err)
				}
				if simttest.Digest(far.Machine) != m.digest {
					t.Fatalf("going back to %d comes to something else", m.at)
				}
			}
		})
	}
}

// TestAdvanceFarInVain: where a breakpoint is met, the machine is as it was, and comes to it turn by turn
// as if nothing had been tried.
func TestAdvanceFarInVain(t *testing.T) {
	for _, name := range []string{"matmul", "recursion", "vecadd", "reduce_cl"} {
		t.Run(name, func(t *testing.T) {
			const turn = 64
			p, h := remembered(t, name)
			far, farther := remembered(t, name)
			for range 10 {
				if _, err := farther.Advance(turn); err != nil {
					t.Fatal(err)
				}
			}
			follows(t, turn, p, h, far, farther.Now())
			at := far.Machine.Waves()[0].PC // which other waves come to as well
			before := simttest.Digest(far.Machine)
			far.Machine.SetBreakpoint(at)
			p.Machine.SetBreakpoint(at)
			for range 3 {
				ok, err := farther.AdvanceFar(simt.Far{Turn: turn, Insts: 1 << 20, Workers: 2})
				if err != nil || ok {
					t.Fatalf("it has gone far past a breakpoint: %v, %v", ok, err)
				}
				if simttest.Digest(far.Machine) != before {
					t.Fatal("the machine is not as it was")
				}
			}
			for range 200 {
				ev, err := farther.Advance(turn)
				want, wantErr := h.Advance(turn)
				if err != nil || wantErr != nil || ev.Kind != want.Kind || ev.PC != want.PC ||
					farther.Now() != h.Now() {
					t.Fatalf("at %d %v at %#x (%v), want at %d %v at %#x", farther.Now(), ev.Kind, ev.PC, err,
						h.Now(), want.Kind, want.PC)
				}
				if ev.Kind == simt.BreakEvent {
					ev.Wave.SkipBreak, want.Wave.SkipBreak = true, true
				}
			}
			follows(t, turn, p, h, far, farther.Now())
		})
	}
}
