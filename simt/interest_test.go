package simt_test

import (
	"testing"

	"simtgdb/simt"
)

// keen is an observer that wants to know of loads of LDS within some bytes, and of all stores to scratch.
type keen struct{}

func (keen) Observe(*simt.Access) bool { return false }
func (keen) Wants(_ *simt.Wave, space simt.Space, write bool) bool {
	return space == simt.LDS && !write || space == simt.Scratch && write
}
func (keen) Within(_ *simt.Wave, space simt.Space, _ bool) simt.Extent {
	if space == simt.LDS {
		return simt.Extent{Lo: 16, Hi: 20}
	}
	return simt.Extent{Hi: ^uint64(0)}
}

// nosy is an observer that wants to know of everything.
type nosy struct{}

func (nosy) Observe(*simt.Access) bool { return false }

// TestInterest: what observers want to know is said by kind and place.
func TestInterest(t *testing.T) {
	m := &simt.Machine{}
	check := func(name string, space simt.Space, write bool, lo, hi uint64, want bool) {
		t.Helper()
		x, beside := simt.Everything(), simt.Everything()
		m.Interests(nil, &x, &beside)
		if got := x.Touched(space, write, lo, hi); got != want {
			t.Errorf("%s: %v access to [%d,%d), write %v: told %v", name, space, lo, hi, write, got)
		}
		if got := beside.Touched(space, write, lo, hi); got != want { // no snapshot looks on
			t.Errorf("%s: %v access to [%d,%d), write %v: told beside %v", name, space, lo, hi, write, got)
		}
		if all := simt.Everything(); !all.Touched(space, write, lo, hi) {
			t.Errorf("%s: everything does not have it", name)
		}
	}
	check("nobody", simt.LDS, false, 16, 20, false)
	m.AddObserver(keen{})
	check("before", simt.LDS, false, 12, 16, false)
	check("the last byte before", simt.LDS, false, 13, 17, true)
	check("the last byte", simt.LDS, false, 19, 23, true)
	check("behind", simt.LDS, false, 20, 24, false)
	check("around", simt.LDS, false, 0, 64, true)
	check("a store", simt.LDS, true, 16, 20, false)
	check("scratch", simt.Scratch, true, 4096, 4100, true)
	check("a load of scratch", simt.Scratch, false, 4096, 4100, false)
	check("global", simt.Global, true, 16, 20, false)
	check("a flat load", simt.Flat, false, 1<<50, 1<<50+4, true)
	m.AddObserver(nosy{})
	check("who wants all", simt.Global, false, 1<<40, 1<<40+4, true)
	check("who wants all, LDS", simt.LDS, false, 20, 24, true)
}

// TestInterestClear: what is around a place, up to where somebody wants to know.
func TestInterestClear(t *testing.T) {
	m := &simt.Machine{}
	m.AddObserver(keen{})
	var x, beside simt.Interest
	m.Interests(nil, &x, &beside)
	all := simt.Extent{Lo: 4, Hi: 64}
	for _, c := range []struct {
		at    uint64
		write bool
		want  simt.Extent
	}{{8, false, simt.Extent{Lo: 4, Hi: 16}}, {15, false, simt.Extent{Lo: 4, Hi: 16}},
		{16, false, simt.Extent{}},
		{19, false, simt.Extent{}}, {20, false, simt.Extent{Lo: 20, Hi: 64}}, {16, true, all}} {
		if got := x.Clear(simt.LDS, c.write, all, c.at); got != c.want {
			t.Errorf("around %d, write %v: %+v, want %+v", c.at, c.write, got, c.want)
		}
	}
}

// settled is an observer that wants to know of everything, of all waves alike, and notes what SteadyAt is
// when it is told that the past is executed again.
type settled struct {
	simt.Orderer
	m     *simt.Machine
	which bool
	quiet []uint64
}

func (*settled) Observe(*simt.Access) bool               { return false }
func (*settled) Wants(*simt.Wave, simt.Space, bool) bool { return true }
func (s *settled) Steady(*simt.Wave) bool                { return s.which }
func (s *settled) Quiet(quiet bool) {
	if quiet {
		s.quiet = append(s.quiet, s.m.SteadyAt(s.m.Waves()[0]))
	}
}

// TestSteadyAt: what observers want to know has a number of its own with snapshots and without, whatever the
// order in which they came, and where the past is executed again.
func TestSteadyAt(t *testing.T) {
	for _, before := range []bool{false, true} { // the observer is there before the snapshots
		m := toyMachine(t, 2)
		o := &settled{m: m}
		seen := map[uint64]string{}
		number := func(name string, again bool) {
			t.Helper()
			at := m.SteadyAt(m.Waves()[0])
			was, known := seen[at]
			if at == 0 || at != m.SteadyAt(m.Waves()[1]) || known != again || again && was != name {
				t.Errorf("%s: %#x, which %q was", name, at, was)
			}
			seen[at] = name
		}
		number("nobody", false)
		var h *simt.History
		if before {
			m.AddObserver(o)
			h = simt.NewHistory(m, nil)
		} else {
			h = simt.NewHistory(m, nil)
			number("snapshots", false)
			m.AddObserver(o)
		}
		for _, which := range []bool{false, true} {
			o.which = which
			number(map[bool]string{false: "one", true: "the other"}[which], false)
		}
		if _, err := h.Advance(1); err != nil {
			t.Fatal(err)
		}
		if err := h.Goto(0); err != nil {
			t.Fatal(err)
		}
		if len(o.quiet) != 1 || o.quiet[0] == 0 || seen[o.quiet[0]] != "" {
			t.Errorf("where the past is executed again it is %#x, which others were", o.quiet)
		}
		number("the other", true)
		h.Release()
		number("without snapshots", false)
		m.AddObserver(nosy{})
		if at := m.SteadyAt(m.Waves()[0]); at != 0 {
			t.Errorf("with one who may want to know of other waves' accesses it is %#x", at)
		}
	}
}
