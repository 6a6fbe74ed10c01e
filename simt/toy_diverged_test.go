package simt_test

import (
	"errors"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
)

// TestHistoryDiverges: where the machine does not do what the log says, as it may where waves race, the rest
// of the log is forgotten, and the machine goes on.
func TestHistoryDiverges(t *testing.T) {
	m := toyMachine(t, 1)
	h := simt.NewHistory(m, nil)
	if err := h.Expect(simt.Timeline{Turns: []simt.Turn{{Wave: 0, Count: 1 << 20}}}); err != nil {
		t.Fatal(err)
	}
	var diverged *simt.Diverged
	if err := h.Goto(1 << 19); !errors.As(err, &diverged) || diverged.Wave != 0 {
		t.Fatalf("going where the wave does not come to: %v", err)
	}
	at := h.Now()
	if at == 0 || diverged.At != at || h.End() != at || h.Replaying() {
		t.Errorf("the wave came to %d, and then the present is %d and the end %d", diverged.At, at, h.End())
	}
	for !m.Done() {
		if _, err := h.Advance(64); err != nil {
			t.Fatal(err)
		}
	}
	end := simttest.Living(m)
	for _, to := range []uint64{at / 2, h.End()} {
		if err := h.Goto(to); err != nil {
			t.Fatal(err)
		}
	}
	if simttest.Living(m) != end {
		t.Error("what came after that is not gone through again")
	}
}

// TestHistoryProves: where the log comes to other memory than what was executed at once had come to, as it
// may where workgroups race, that is noticed whichever way one goes through it, and then the log counts.
func TestHistoryProves(t *testing.T) {
	for way, back := range map[string]func(h *simt.History) error{
		"goto": func(h *simt.History) error { return h.Goto(h.Now() - 1) },
		"back": func(h *simt.History) error {
			_, err := h.Back(&finder{addr: 1}, nil)
			return err
		},
		"on": func(h *simt.History) error {
			end := h.Now()
			goFar(t, h) // from a mark, behind which the past is what it was
			if err := h.Goto(0); err != nil {
				t.Fatal(err)
			}
			for h.Now() < end {
				if _, err := h.Advance(64); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		for _, raced := range []bool{false, true} {
			m := toyMachine(t, 2)
			h := simt.NewHistory(m, nil)
			goFar(t, h)
			end, state := h.Now(), simttest.Living(m)
			if raced {
				m.Mem.Find(dataBase).Data[0] ^= 1
			}
			err := back(h)
			var diverged *simt.Diverged
			switch {
			case !raced && err != nil:
				t.Errorf("%s: %v", way, err)
			case raced && !errors.As(err, &diverged):
				t.Errorf("%s: nothing is noticed: %v", way, err)
			case raced && (diverged.At != end || h.Now() != end || h.Replaying()):
				t.Errorf("%s: %v; the time is %d of %d", way, err, h.Now(), end)
			case raced && simttest.Living(m) != state:
				t.Errorf("%s: the machine is not what the log makes it", way)
			}
		}
	}
}

// goFar executes a stretch at once.
func goFar(t *testing.T, h *simt.History) {
	t.Helper()
	if ok, err := h.AdvanceFar(simt.Far{Turn: 16, Insts: 500, Workers: 1, Changed: -1}); !ok || err != nil {
		t.Fatalf("it does not go far: %v", err)
	}
}
