package simttest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"simtgdb/simt"
)

// An Ahead lets the second of two machines that are alike go far at once and the first turn by turn, and
// compares them: where they come to, the turns that they remember, and where they come to when they go back.
type Ahead struct {
	Turn  uint64 // instructions
	Steps int    // of both, at most
	Alone bool   // the second goes turn by turn, too: the order of workgroups can be seen
	// State is of all of a machine that is compared; nil for [Living].
	State func(*simt.Machine) string
	Each  func() // after each step; may be nil
	What  string // the machines have, for what is said
}

// Compare fails the test where they differ. It says how often the second went far.
func (a Ahead) Compare(t testing.TB, r *rand.Rand, m [2]*simt.Machine) (far int) {
	t.Helper()
	if a.State == nil {
		a.State = Living
	}
	var h [2]*simt.History
	for k := range m {
		h[k] = simt.NewHistory(m[k], nil)
	}
	states := map[uint64]string{0: a.State(m[1])}
	times := []uint64{0}
	for steps := 0; !m[1].Done() && steps < a.Steps; steps++ {
		ok, err := !a.Alone, error(nil)
		if ok {
			ok, err = h[1].AdvanceFar(simt.Far{Turn: a.Turn, Insts: 1 + r.Uint64N(20000), Workers: 1 + r.IntN(3)})
		}
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			far++
		} else if ev, err := h[1].Advance(a.Turn); err != nil || ev.Kind == simt.FaultEvent || ev.Kind == simt.BreakEvent {
			break
		}
		for h[0].Now() < h[1].Now() {
			if _, err := h[0].Advance(a.Turn); err != nil {
				t.Fatal(err)
			}
		}
		if a.Each != nil {
			a.Each()
		}
		state := a.State(m[1])
		if h[0].Now() != h[1].Now() || a.State(m[0]) != state {
			t.Fatalf("at %d the machine is another than turn by turn, at %d: %s", h[1].Now(), h[0].Now(), a.What)
		}
		times = append(times, h[1].Now())
		states[h[1].Now()] = state
	}
	a.goBack(t, r, m, h, states, times)
	one, other := joined(h[0]), joined(h[1])
	if len(other) < len(one) || !slices.Equal(one, other[:len(one)]) { // what faults goes alone
		t.Fatalf("%d turns made far are others than %d made one by one: %s", len(other), len(one), a.What)
	}
	return far
}

// goBack goes to times whose states are known, and to others.
func (a Ahead) goBack(t testing.TB, r *rand.Rand, m [2]*simt.Machine, h [2]*simt.History, states map[uint64]string, times []uint64) {
	t.Helper()
	for range 3 {
		at := times[r.IntN(len(times))]
		if err := h[1].Goto(at); err != nil {
			t.Fatal(err)
		}
		if a.State(m[1]) != states[at] {
			t.Fatalf("going back to %d comes to something else: %s", at, a.What)
		}
		at = r.Uint64N(1 + min(h[0].End(), h[1].End()))
		for k := range h {
			if err := h[k].Goto(at); err != nil {
				t.Fatal(err)
			}
		}
		if a.State(m[0]) != a.State(m[1]) {
			t.Fatalf("at %d the past is another than turn by turn: %s", at, a.What)
		}
	}
}

// joined are the turns of a history, those that are one wave's joined to one: marks keep them apart.
func joined(h *simt.History) (turns []simt.Turn) {
	for _, t := range h.Timeline().Turns {
		if n := len(turns); n > 0 && turns[n-1].Wave == t.Wave && turns[n-1].Next == t.Next {
			turns[n-1].Count += t.Count
		} else {
			turns = append(turns, t)
		}
	}
	return turns
}
