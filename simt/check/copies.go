package check

import (
	"maps"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// Copies that go on until they have been waited for ([simt.Copier]): whoever of the workgroup reads meanwhile
// where one writes to, or writes what it reads or writes, is in a race with it, whatever barriers there are.

// A pending copy has not been waited for.
type pending struct {
	simt.Copy
	group  int // of lanes' own: how many the first of them had committed before
	waited int // waves of the workgroup that wait for it
}

// copies are those under way. What is in the maps is replaced rather than changed.
type copies struct {
	of        map[int][]pending             // by the index of the workgroup
	committed map[int]*[simt.MaxLanes]int32 // by the ID of the wave: groups of copies
	joint     map[jointCopy]joined
	comes     map[comer]int // how many times
}

// A jointCopy is one that a workgroup makes together: each wave comes to it for the same time.
type jointCopy struct {
	group int
	pc    uint64
	nth   int
}

// A joined is a copy that some waves of a workgroup have come to.
type joined struct {
	simt.Copy // as the first of them has it
	waves     int
}

// A comer is a wave that comes to a copy.
type comer struct {
	wave int
	pc   uint64
}

// mostCopies is how many of a workgroup are remembered.
const mostCopies = 4096

func (c copies) clone() copies {
	return copies{maps.Clone(c.of), maps.Clone(c.committed), maps.Clone(c.joint), maps.Clone(c.comes)}
}

// Joined implements simt.Copier.
func (c *Checker) Joined(y *simt.Copy) (other int, differs bool) {
	if c.kinds&Undefined == 0 {
		return 0, false
	}
	if c.copies.joint == nil {
		c.copies.joint, c.copies.comes = map[jointCopy]joined{}, map[comer]int{}
	}
	by := comer{y.Wave.ID, y.PC}
	at := jointCopy{y.Wave.Group.Index, y.PC, c.copies.comes[by]}
	c.copies.comes[by]++
	j, ok := c.copies.joint[at]
	if !ok {
		if len(c.copies.joint) == mostCopies {
			return 0, false
		}
		j.Copy = *y
	}
	if j.waves++; j.waves < c.group(y.Wave.Group).left {
		c.copies.joint[at] = j
	} else {
		delete(c.copies.joint, at)
	}
	return j.Wave.Index, j.Event != y.Event || !slices.Equal(j.To, y.To) || !slices.Equal(j.From, y.From)
}

// Begun implements simt.Copier.
func (c *Checker) Begun(y *simt.Copy) {
	if c.kinds&Race == 0 {
		return
	}
	if c.copies.of == nil {
		c.copies.of = map[int][]pending{}
	}
	p := pending{Copy: *y}
	if n := c.copies.committed[y.Wave.ID]; n != nil {
		p.group = int(n[bits.TrailingZeros64(y.Lanes)])
	}
	c.settle(c.group(y.Wave.Group))
	g := y.Wave.Group.Index
	was := c.copies.of[g]
	c.copies.of[g] = append(slices.Clip(was[max(0, len(was)+1-mostCopies):]), p)
}

// Committed implements simt.Copier.
func (c *Checker) Committed(w *simt.Wave, lanes uint64) {
	if c.kinds&Race == 0 {
		return
	}
	if c.copies.committed == nil {
		c.copies.committed = map[int]*[simt.MaxLanes]int32{}
	}
	var n [simt.MaxLanes]int32
	if was := c.copies.committed[w.ID]; was != nil {
		n = *was
	}
	simt.Lanes(lanes, func(l int) { n[l]++ })
	c.copies.committed[w.ID] = &n
}

// Waited implements simt.Copier.
func (c *Checker) Waited(w *simt.Wave, lanes uint64, groups int) {
	n := c.copies.committed[w.ID]
	c.finish(w, func(p *pending) bool {
		of := lanes & p.Lanes
		return p.Event == 0 && p.Wave.ID == w.ID && of != 0 &&
			(groups == simt.AllGroups || n != nil && p.group < int(n[bits.TrailingZeros64(of)])-groups)
	})
}

// WaitedFor implements simt.Copier.
func (c *Checker) WaitedFor(w *simt.Wave, event uint64, wide bool) {
	c.finish(w, func(p *pending) bool {
		if p.Event != event || !wide && p.Wave.ID != w.ID {
			return false
		}
		p.waited++
		return !wide || p.waited >= c.group(w.Group).left
	})
}

// finish forgets copies of a workgroup that have been waited for.
func (c *Checker) finish(w *simt.Wave, done func(p *pending) bool) {
	g := w.Group.Index
	if len(c.copies.of[g]) == 0 {
		return
	}
	var kept []pending
	for _, p := range c.copies.of[g] {
		if !done(&p) {
			kept = append(kept, p)
		}
	}
	if c.copies.of[g] = kept; len(kept) == 0 {
		delete(c.copies.of, g)
	}
}

// ended forgets what belongs to a wave, and to its workgroup if that has ended.
func (c copies) ended(w *simt.Wave, last bool) {
	delete(c.committed, w.ID)
	maps.DeleteFunc(c.comes, func(by comer, _ int) bool { return by.wave == w.ID })
	if last {
		delete(c.of, w.Group.Index)
		maps.DeleteFunc(c.joint, func(at jointCopy, _ joined) bool { return at.group == w.Group.Index })
	}
}

// meetsCopy is the report of an access that touches what a copy under way may touch; nil if it does not.
func (c *Checker) meetsCopy(a *simt.Access) *Report {
	for _, p := range c.copies.of[a.Group().Index] {
		bad := meets(p.To, a)
		write := bad != 0
		if a.Write && bad == 0 {
			bad = meets(p.From, a)
		}
		if bad == 0 {
			continue
		}
		r := accessReport(Race, a, bad)
		r.Others = []Party{c.partyAt(p.Wave.ID, bits.TrailingZeros64(p.Lanes), site{pc: p.PC, write: write})}
		r.What = "race with a copy that has not been waited for"
		r.Advice = "An asynchronous copy goes on until who began it has waited for it; a barrier does not " +
			"wait for it."
		return r
	}
	return nil
}

// meets gives the lanes of an access that touch one of the strips.
func meets(strips []simt.Strip, a *simt.Access) (lanes uint64) {
	for i := range strips {
		if s := &strips[i]; s.Space == a.Space {
			simt.Lanes(a.Lanes, func(l int) {
				if s.Meets(a.Space, a.Addr[l], uint64(a.Size)) {
					lanes |= 1 << l
				}
			})
		}
	}
	return lanes
}
