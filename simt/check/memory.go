package check

import (
	"fmt"
	"maps"
	"slices"
	"unsafe"
)

// The memory that checkers take. What they know at present is bounded: where the bound is reached they
// say so, forget it, and look no more for what takes memory. What snapshots keep of it counts for a
// history's limit ([Checker.Held]).

// DefaultLimit is how many bytes what a checker knows at present may take.
const DefaultLimit = 2 << 30

// costly are the kinds that take memory for what the program accesses.
const costly = Race | Uninit

// sizeEvery is after how many accesses the size is looked at.
const sizeEvery = 1 << 10

// fits looks now and then whether what is known fits within the limit.
func (c *Checker) fits() {
	if c.accesses++; c.accesses%sizeEvery != 0 || c.kinds&costly == 0 {
		return
	}
	n := c.global.bytes() + c.unheard.bytes()
	for _, d := range c.blank {
		n += d.Bytes()
	}
	for _, g := range c.groups {
		n += g.lds.bytes() + g.written.Bytes()
	}
	for _, w := range c.waves {
		n += w.written.Bytes()
	}
	if uint64(n) <= c.Limit {
		return
	}
	lost := c.kinds & costly
	c.Begin()
	c.Look(c.kinds &^ costly)
	if c.Note != nil {
		c.Note(fmt.Sprintf("what is known of memory takes more than %d MiB: from here on no %v is looked "+
			"for (--check-memory is how much it may take)", c.Limit>>20, lost))
	}
}

// Held is how many bytes the snapshots keep that are not released.
func (c *Checker) Held() uint64 { return uint64(c.held) }

// Snapshot makes a copy of what is known and was reported, to go with one of the machine. Pages are
// copied when they change.
func (c *Checker) Snapshot() any {
	s := c.clone()
	for m := range s.memories {
		c.held += m.keep()
	}
	return s
}

// Release forgets a snapshot.
func (c *Checker) Release(s any) {
	for m := range s.(*state).memories {
		c.held -= m.Release()
	}
}

// Restore makes what is known what it was.
func (c *Checker) Restore(s any) {
	saved := s.(*state)
	c.forgetRecent()
	c.state = *saved
	c.state = *c.clone() // the snapshot may be restored again
}

// A keeper is a memory of which snapshots keep pages.
type keeper interface {
	keep() int
	Release() int
}

// memories yields all memories of a state.
func (s *state) memories(yield func(keeper) bool) {
	for _, d := range s.blank {
		if !yield(marks{d}) {
			return
		}
	}
	for _, g := range s.groups {
		if !yield(g.lds) || !yield(marks{g.written}) {
			return
		}
	}
	for _, w := range s.waves {
		if !yield(marks{w.written}) {
			return
		}
	}
	yield(s.global)
}

// marks are what has been written to a memory.
type marks struct{ *defined }

func (m marks) keep() int { return m.Keep(nil) }

func (m *memory) keep() int { return m.Keep((*unit).weight) }

// weight is how many bytes a unit takes besides itself.
func (u *unit) weight() int {
	n := u.cell.weight()
	if u.words != nil {
		n += int(unsafe.Sizeof(*u.words))
		for i := range u.words {
			n += u.words[i].weight()
		}
	}
	return n
}

func (c *cell) weight() int {
	if c.more == nil {
		return 0
	}
	n := int(unsafe.Sizeof(*c.more)) + len(c.more.readers)*int(unsafe.Sizeof(reader{}))
	if c.more.bytes != nil {
		n += int(unsafe.Sizeof(*c.more.bytes))
	}
	return n
}

// bytes is about how many bytes it takes.
func (m *memory) bytes() int { return m.Bytes() + m.split }

func (c *Checker) clone() *state {
	c.settleAll()
	c.hear()
	c.generation++
	s := &state{waves: map[int]*wave{}, groups: map[int]*group{}, global: c.global.snapshot(),
		unheard: unheard{pages: c.unheard.pages.Snapshot(), since: c.unheard.since},
		blank:   maps.Clone(c.blank), copies: c.copies.clone(), old: maps.Clone(c.old),
		reported: maps.Clone(c.reported)}
	for id, w := range c.waves {
		w.fresh, w.held = false, true
		copied := *w
		copied.cover = cover{}
		copied.written = w.written.Snapshot()
		s.waves[id] = &copied
	}
	for i, g := range c.groups {
		copied := *g
		copied.lds, copied.written = g.lds.snapshot(), g.written.Snapshot()
		copied.late, copied.marks = late{written: g.late.written}, nil
		copied.barriers, copied.came = maps.Clone(g.barriers), maps.Clone(g.came)
		for n, at := range g.barriers {
			copied.barriers[n] = slices.Clone(at)
		}
		s.groups[i] = &copied
	}
	for r, d := range s.blank {
		s.blank[r] = d.Snapshot()
	}
	return s
}
