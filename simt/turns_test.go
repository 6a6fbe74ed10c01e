package simt

import (
	"fmt"
	"slices"
	"testing"
)

// A foretold foresees so many times each time it is asked, in turn, and keeps what it was asked and told.
type foretold struct {
	TurnForeseer
	agrees []int
	log    []string
}

func (f *foretold) ForeseeTurns(g *Workgroup, turns, n int) int {
	f.log = append(f.log, fmt.Sprintf("workgroup %d, %d turns up to %d times", g.Index, turns, n))
	agrees := f.agrees[0]
	f.agrees = f.agrees[1:]
	return min(n, agrees)
}

func (f *foretold) ForeseenTurns(n int) { f.log = append(f.log, fmt.Sprint(n, " times")) }

// keptTurns are turns of a workgroup of two waves, each of which does something that is a number.
type keptTurns struct {
	Turns[int]
	by    *foretold
	asked int // who is told
}

func (k *keptTurns) begin(index int) *Workgroup {
	g := &Workgroup{Index: index}
	for i := range 2 {
		g.Waves = append(g.Waves, &Wave{Group: g, Index: i})
	}
	k.Begin(g, func() TurnForeseer {
		k.asked++
		return k.by
	})
	return g
}

// have has all waves have turns in which they do as much more than their numbers as is said.
func (k *keptTurns) have(t *testing.T, g *Workgroup, does ...int) {
	t.Helper()
	for _, n := range does {
		for i, w := range g.Waves {
			if k.Now(w) != nil {
				t.Fatalf("wave %d has a turn that has not begun", i)
			}
			*k.Wave(w) = n + i
			if now := k.Now(w); now == nil || *now != n+i {
				t.Fatalf("wave %d does %v, not %d", i, now, n+i)
			}
		}
		k.Over(func(*Wave, *int) bool { return true })
	}
}

// find looks for turns that were as the ones before them, which can be foreseen so many times.
func (k *keptTurns) find(most int) bool {
	return k.Find(func(turns int) int {
		same := true
		k.Last(turns, func(now, before []int) bool {
			same = slices.Equal(now, before)
			return same
		})
		if !same {
			return 0
		}
		return most
	})
}

// TestTurnsFound: the last turns are those that were done before, of which it is known what was told before
// them; what is foreseen comes of them, in their order.
func TestTurnsFound(t *testing.T) {
	for _, c := range []struct {
		does   []int
		period int
	}{
		{[]int{5, 5}, 0}, // what was told before the first is not known
		{[]int{1, 5, 5}, 1},
		{[]int{1, 5, 7, 5, 7}, 2},
		{[]int{5, 7, 5, 7}, 0},
		{[]int{1, 2, 3, 4, 5, 2, 3, 4, 5}, 4},
		{[]int{0, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5}, 0}, // so many are not kept
		{[]int{9, 5, 7, 5, 7, 7}, 1},
	} {
		k := keptTurns{by: &foretold{agrees: []int{2, 2}}}
		g := k.begin(3)
		k.have(t, g, c.does...)
		if found := k.find(3); found != (c.period > 0) || k.Period != c.period {
			t.Errorf("%v: %d turns were found", c.does, k.Period)
			continue
		}
		if k.Period == 0 {
			continue
		}
		if n := k.Ask(3*k.Period, true); n != 2*k.Period {
			t.Errorf("%v: %d turns are foreseen", c.does, n)
		}
		last := c.does[len(c.does)-k.Period:]
		for i := range 2 * k.Period {
			of, times := k.Foreseen(i)
			if of[1] != last[i%k.Period]+1 || times != uint64(1+i/k.Period) {
				t.Errorf("%v: turn %d is %v, %d times further on", c.does, i, of, times)
			}
		}
		if untold := k.Settle(2 * k.Period); untold != k.Period {
			t.Errorf("%v: of %d turns nobody need be told", c.does, untold)
		}
		if k.Passed(2*k.Period, true); k.Ahead != 2 {
			t.Errorf("%v: %d times are passed", c.does, k.Ahead)
		}
		if n := k.Ask(9*k.Period, true); n != k.Period { // three are, and no more is known
			t.Errorf("%v: behind them %d turns are foreseen", c.does, n)
		}
		if _, times := k.Foreseen(0); times != 3 {
			t.Errorf("%v: the turn behind those is %d times further on", c.does, times)
		}
		k.Settle(k.Period)
		k.Passed(k.Period, false)
		if k.Period != 0 {
			t.Errorf("%v: with something behind them turns are foreseen", c.does)
		}
		want := []string{fmt.Sprintf("workgroup 3, %d turns up to 3 times", c.period), "1 times",
			fmt.Sprintf("workgroup 3, %d turns up to 1 times", c.period), "0 times"}
		if !slices.Equal(k.by.log, want) {
			t.Errorf("%v: %q, not %q", c.does, k.by.log, want)
		}
	}
}

// TestTurnsAmid: amid turns that are foreseen together nothing is known of what comes.
func TestTurnsAmid(t *testing.T) {
	k := keptTurns{by: &foretold{agrees: []int{9}}}
	k.have(t, k.begin(0), 1, 5, 7, 5, 7)
	if !k.find(9) || k.Ask(9, true) != 8 || k.Settle(3) != 0 {
		t.Fatal("turns are not foreseen")
	}
	if k.Passed(3, true); k.Period != 0 {
		t.Errorf("%d turns are foreseen amid them", k.Period)
	}
}

// TestTurnsBeginOnce: of a wave that has a turn twice before the others had one nothing is kept any more, nor
// of one of another workgroup.
func TestTurnsBeginOnce(t *testing.T) {
	k := keptTurns{by: &foretold{}}
	g := k.begin(0)
	if k.Wave(g.Waves[0]) == nil || k.By == nil || !k.Began() || k.Now(g.Waves[1]) != nil {
		t.Error("the first turn of a wave is not kept")
	}
	if k.Wave(g.Waves[0]) != nil || k.By != nil {
		t.Error("two turns of a wave are kept as one")
	}
	g = k.begin(1)
	k.have(t, g, 1)
	other := &Wave{Group: &Workgroup{Index: 1}}
	if k.By == nil || k.Wave(other) != nil || k.By != nil {
		t.Error("a turn of another workgroup's wave is kept")
	}
}

// TestTurnsRefused: who foresees nothing in a workgroup several times is asked no more, and is again in the
// next.
func TestTurnsRefused(t *testing.T) {
	k := keptTurns{by: &foretold{agrees: []int{1}}}
	for range 2 * mostRefused {
		k.by.agrees = append(k.by.agrees, 0)
	}
	g := k.begin(0) // of some use, so that the next one's are kept
	k.have(t, g, 1, 2, 2)
	k.find(9)
	k.Passed(k.Ask(9, true), true)
	k.Settle(2)
	for index, refused := range []int{mostRefused - 1, mostRefused} {
		if index > 0 {
			g = k.begin(index)
			k.have(t, g, 1, 2, 2)
			k.find(9)
		}
		for range refused {
			if k.By == nil {
				t.Fatalf("in workgroup %d nobody is asked any more", index)
			}
			if n := k.Ask(9, true); n != 0 || k.Period != 0 {
				t.Fatalf("%d turns are foreseen", n)
			}
			k.have(t, g, 3, 4, 4, 4)
			k.find(9)
		}
	}
	if k.By != nil {
		t.Errorf("who refused %d times is asked again", mostRefused)
	}
}

// TestTurnsInVain: where turns of workgroups were not foreseen those of the next ones are not kept, of more
// each time, until they were.
func TestTurnsInVain(t *testing.T) {
	k := keptTurns{by: &foretold{agrees: []int{2}}}
	kept := func(groups int) (n int) {
		for range groups {
			before := k.asked
			k.begin(k.asked)
			n += k.asked - before
		}
		return n
	}
	if n := kept(1 + 2 + 1 + 4 + 1); n != 3 {
		t.Errorf("those of %d workgroups are kept, not of the first and two and four behind one", n)
	}
	g := k.group
	k.have(t, g, 1, 2, 2)
	k.find(9)
	k.Passed(k.Settle(k.Ask(9, true)), true)
	if n := kept(2); n != 1 { // that one in vain
		t.Errorf("behind one that was of use those of %d are kept, not of the next alone", n)
	}
	if n := kept(2); n != 1 {
		t.Errorf("two behind one that was of none those of %d are kept", n)
	}
}
