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
		if a.goFar(t, r, h[1]) {
			far++
		} else if a.stops(t, m, h) {
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
		now, state := h[1].Now(), a.State(m[1])
		if h[0].Now() != now || a.State(m[0]) != state {
			t.Fatalf("at %d the machine is another than turn by turn, at %d: %s", now, h[0].Now(), a.What)
		}
		times = append(times, now)
		states[now] = state
	}
	a.goBack(t, r, m, h, states, times)
	if one, other := joined(h[0]), joined(h[1]); !slices.Equal(one, other) {
		t.Fatalf("%d turns made far are others than %d made one by one: %s", len(other), len(one), a.What)
	}
	return far
}

// goFar lets a machine go far if it may, and reports whether it has.
func (a Ahead) goFar(t testing.TB, r *rand.Rand, h *simt.History) bool {
	t.Helper()
	if a.Alone {
		return false
	}
	insts := 1 + r.Uint64N(20000)
	ok, err := h.AdvanceFar(simt.Far{Turn: a.Turn, Insts: insts, Most: r.Uint64N(40000),
		Workers: 1 + r.IntN(3), Changed: -int(insts % 2)})
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// stops gives both a turn, and reports whether that stops them, which it does both or none.
func (a Ahead) stops(t testing.TB, m [2]*simt.Machine, h [2]*simt.History) bool {
	t.Helper()
	var ev [2]simt.Event
	for k := range h {
		var err error
		if ev[k], err = h[k].Advance(a.Turn); err != nil {
			t.Fatal(err)
		}
	}
	if ev[0].Kind != ev[1].Kind || ev[0].PC != ev[1].PC || ev[0].Lanes != ev[1].Lanes ||
		a.State(m[0]) != a.State(m[1]) {
		t.Fatalf("at %d %v at %#x is another than at %d, %v at %#x: %s", h[0].Now(), ev[0].Kind, ev[0].PC,
			h[1].Now(), ev[1].Kind, ev[1].PC, a.What)
	}
	if f := ev[0].Fault; f != nil && f.Kind == simt.Defect {
		t.Fatal(f, a.What)
	}
	return ev[0].Kind == simt.FaultEvent || ev[0].Kind == simt.BreakEvent
}

// goBack goes to times whose states are known, and to others.
func (a Ahead) goBack(t testing.TB, r *rand.Rand, m [2]*simt.Machine, h [2]*simt.History,
	states map[uint64]string, times []uint64) {
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
