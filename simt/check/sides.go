package check

import (
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// Sides are which lanes of a wave have executed together, and when last. Lanes that have not since one
// of them accessed a place are on different sides of a branch: nothing but the machine's choice of which
// side goes first orders what they do. Lanes that have are taken to be in order, since they went in
// step.
type sides struct {
	now   uint32
	floor uint32     // all lanes have executed together at this time or later, or count as if they had
	masks []sideMask // since then, by time; the last is the present one. It is replaced rather than changed.
}

// A sideMask is lanes that executed together, for the last time at a time; that of the present ones is of no
// account.
type sideMask struct {
	lanes uint64
	last  uint32
}

// mostSides is how many masks are remembered. What is before the ones that are forgotten counts as in order.
const mostSides = 16

// at notes which lanes execute now.
func (s *sides) at(lanes, all uint64) {
	n := len(s.masks)
	if lanes == 0 || n > 0 && s.masks[n-1].lanes == lanes {
		return
	}
	s.now++
	if lanes&all == all {
		s.floor, s.masks = s.now, alone(lanes, s.now)
		return
	}
	kept := make([]sideMask, 0, n+1)
	for _, m := range s.masks {
		if m.lanes != lanes {
			kept = append(kept, m)
		}
	}
	if n > 0 { // it was the present one up to now
		kept[len(kept)-1].last = s.now - 1
	}
	if len(kept) >= mostSides {
		s.floor = max(s.floor, kept[0].last)
		kept = slices.Delete(kept, 0, 1)
	}
	s.masks = append(kept, sideMask{lanes, s.now})
}

// present are the lanes that execute now.
func (s *sides) present() uint64 {
	if n := len(s.masks); n > 0 {
		return s.masks[n-1].lanes
	}
	return ^uint64(0)
}

// meet makes what all lanes have done so far happen before what they do from now on.
func (s *sides) meet() {
	s.now++
	s.floor = s.now
	if n := len(s.masks); n > 1 {
		s.masks = s.masks[n-1 : n : n]
	}
}

// allLanes are the masks of the first lanes, by how many.
var allLanes = func() (all [simt.MaxLanes + 1]sideMask) {
	for n := range all {
		all[n].lanes = 1<<n - 1
	}
	return all
}()

// alone are masks of which a present one is all: it has no time yet.
func alone(lanes uint64, now uint32) []sideMask {
	if n := bits.Len64(lanes); lanes&(lanes+1) == 0 {
		return allLanes[n : n+1 : n+1]
	}
	return []sideMask{{lanes, now}}
}

// whole reports whether all lanes have executed together since a time.
func (s *sides) whole(since uint32) bool { return since <= s.floor || since == s.now }

// together reports whether two lanes have executed together since a time.
func (s *sides) together(a, b int, since uint32) bool {
	if a == b || s.whole(since) {
		return true
	}
	both := uint64(1)<<a | 1<<b
	for i := len(s.masks) - 1; i >= 0; i-- {
		m := s.masks[i]
		if i < len(s.masks)-1 && m.last < since {
			break
		}
		if m.lanes&both == both {
			return true
		}
	}
	return false
}

// Together implements simt.Orderer.
func (c *Checker) Together(w *simt.Wave, lanes uint64) {
	if c.kinds&Race != 0 {
		c.wave(w).sides.at(lanes&w.Valid, w.Valid)
	}
}

// Syncs are the barriers of lanes of a wave, which alone order what they do where nobody takes it that they
// go in step ([Strict]) and, where the machine has it that lanes are independent, what each does in a branch
// that the other is not in, also in one after the other.
type syncs struct {
	all  uint32     // what was done before this time happened before what any lane does now
	some []sideMask // of a part of the lanes, since then, by time. It is replaced rather than changed.
}

// sync notes a barrier of lanes of a wave, 0 for all. Of a part of them it says nothing new where lanes that
// execute together go in step.
func (c *Checker) sync(w *wave, lanes uint64) {
	switch {
	case lanes == 0:
		w.sides.meet()
		w.syncs = syncs{all: w.sides.now}
		return
	case !c.strict && !c.independent:
		return
	}
	w.sides.now++
	kept := w.syncs.some[:len(w.syncs.some):len(w.syncs.some)]
	if len(kept) == mostSides {
		w.syncs.all, kept = kept[0].last, kept[1:]
	}
	w.syncs.some = append(kept, sideMask{lanes, w.sides.now})
}

// ordered reports whether what a lane did at a time happened before what another does now.
func (s *syncs) ordered(a, b int, since uint32) bool {
	if a == b || since < s.all {
		return true
	}
	heard := uint64(1) << a
	for _, m := range s.some {
		if since < m.last && m.lanes&heard != 0 {
			heard |= m.lanes
		}
	}
	return heard>>b&1 != 0
}

// together reports whether what a lane of a wave did in an epoch comes before what another does now.
func (c *Checker) together(w *wave, a, b int, e *epoch) bool {
	if c.strict {
		return w.syncs.ordered(a, b, e.side)
	}
	return w.sides.together(a, b, e.side) && (!c.independent || e.lanes>>b&1 != 0 || w.now.lanes>>a&1 != 0 ||
		w.syncs.ordered(a, b, e.side))
}

// whole reports whether that is so of any two lanes.
func (c *Checker) whole(w *wave, e *epoch) bool {
	if c.strict {
		return e.side < w.syncs.all
	}
	one, other := e.lanes, w.now.lanes
	return w.sides.whole(e.side) &&
		(!c.independent || one&^other == 0 || other&^one == 0 || e.side < w.syncs.all)
}
