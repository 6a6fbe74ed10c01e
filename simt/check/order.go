package check

import (
	"maps"

	"simtgdb/simt"
)

// A syncState is what atomic accesses to a word pass on: what those that wrote to it had released.
// It is replaced rather than changed.
type syncState struct {
	all   released           // to the device
	group map[int32]released // to the workgroup of who wrote
}

// released is what happened before a release, of each memory.
type released [planes]*clocks

// passed is what a wave has released: what it knew, and what it had done itself, up to a clock; 0 for
// nothing.
type passed struct {
	knows released
	own   [planes]uint32
}

// of is all of what a wave has released.
func (s passed) of(depth, wave int) released {
	all := s.knows
	for p := range all {
		if own := s.own[p]; own > all[p].at(depth, wave) {
			all[p] = all[p].with(depth, wave, own)
		}
	}
	return all
}

func (c *Checker) joinAll(a, b released) released {
	for p := range a {
		a[p] = join(c.depth, a[p], b[p])
	}
	return a
}

// acquired is what a wave has read by atomic accesses, for the acquire that may come: what was
// released to the device, and what to its own workgroup.
type acquired struct{ all, near released }

// Fence implements simt.Orderer.
func (c *Checker) Fence(w *simt.Wave, f simt.Fence) {
	if c.kinds&Race == 0 {
		return
	}
	if f.Lanes&w.Valid == w.Valid {
		f.Lanes = 0
	}
	if !c.streamFence(w, f) {
		c.fence(c.wave(w), f)
	}
}

func (c *Checker) fence(w *wave, f simt.Fence) {
	if f.Scope == simt.WaveScope {
		if !c.portable {
			c.sync(w, f.Lanes)
		}
		return
	}
	if f.Order&simt.Acquire != 0 && w.read != (acquired{}) {
		from := w.read.near
		if f.Scope == simt.DeviceScope {
			from = c.joinAll(from, w.read.all)
		}
		for p := range from {
			if f.Spaces>>spaceOf[p]&1 != 0 {
				c.learn(w, p, from[p])
			}
		}
	}
	if f.Order&simt.Release != 0 {
		c.release(w, f)
	}
}

// spaceOf is the memory of a plane.
var spaceOf = [planes]simt.Space{globalPlane: simt.Global, ldsPlane: simt.LDS}

// release makes what has happened so far known to whom the wave meets from now on. That comprises what was
// released before.
func (c *Checker) release(w *wave, f simt.Fence) {
	changed := false
	for p := range planes {
		if f.Spaces>>spaceOf[p]&1 == 0 {
			continue
		}
		c.happened(w, p)
		changed = w.near.take(w, p) || changed
		if f.Scope == simt.DeviceScope {
			changed = w.wide.take(w, p) || changed
		}
	}
	if changed {
		e := c.renew(w)
		e.clock++
		e.side, e.lanes, e.had = w.sides.now, w.sides.present(), nil
		w.had = had{w.wide, w.near}
	}
}

// take makes it what a wave knows and has done in a memory. It reports whether that is something else.
func (s *passed) take(w *wave, p int) bool {
	if s.knows[p] == w.knows[p] && s.own[p] == w.done[p] {
		return false
	}
	s.knows[p], s.own[p] = w.knows[p], w.done[p]
	return true
}

// happened notes up to when the wave's own accesses to a memory happen before what it does from now on. It
// reports whether there have been any since it was asked for last.
func (c *Checker) happened(w *wave, p int) (more bool) {
	if !w.dirty[p] {
		return false
	}
	w.dirty[p], w.done[p] = false, w.now.clock
	return true
}

// releases is what an atomic access itself passes on by its order: unlike a fence, only where it writes.
func (c *Checker) releases(w *wave) (mine released) {
	changed := false
	for p := range mine {
		changed = c.happened(w, p) || changed
	}
	if changed {
		c.renew(w).clock++
	}
	s := passed{w.knows, w.done}
	return s.of(c.depth, w.id)
}

// learn makes what has happened elsewhere happen before what the wave does from now on.
func (c *Checker) learn(w *wave, p int, from *clocks) {
	if joined := join(c.depth, w.knows[p], from); joined != w.knows[p] {
		if g := c.groups[w.group]; p == ldsPlane && g != nil {
			c.settle(g)
		}
		w.knows[p], w.memo[p] = joined, [memos]memo{}
	}
}

// meet lets waves know what each of them had released when they met at a barrier, and others that came to it.
func (c *Checker) meet(waves []*simt.Wave, all released) {
	var base released // what the last of them knew
	c.met = c.met[:0]
	for _, w := range waves {
		s := c.wave(w)
		c.met = append(c.met, s)
		for p := range all {
			if s.near.knows[p] != base[p] {
				base[p] = s.near.knows[p]
				all[p] = join(c.depth, all[p], base[p])
			}
		}
	}
	for p := range all {
		all[p] = all[p].withOwn(c.depth, c.met, p)
	}
	if g := c.group(waves[0].Group); c.allMeet(waves, all[ldsPlane]) {
		g.late.forget()
		g.late.written = false
		g.mark(c.turnMark())
	} else {
		c.settle(g)
		g.marks = g.marks[:0]
	}
	base = released{}
	var joined released // of base with all
	for _, s := range c.met {
		c.sync(s, 0)
		for p := range all {
			if s.knows[p] != base[p] || joined[p] == nil {
				base[p], joined[p] = s.knows[p], join(c.depth, all[p], s.knows[p])
			}
			alike := s.near.knows[p] == s.knows[p]
			if joined[p] != s.knows[p] {
				s.knows[p], s.memo[p] = joined[p], [memos]memo{}
			}
			if alike {
				s.near.knows[p] = joined[p]
			} else {
				s.near.knows[p] = join(c.depth, s.near.knows[p], all[p])
			}
		}
	}
}

// before reports whether what a lane did in an epoch happened before what another does now, in one memory.
func (r *racing) before(e *epoch, t tag, lane int) bool {
	w, p, c := r.w, r.plane, r.Checker
	if int(e.wave) == w.id {
		return c.together(w, t.lane(), lane, e)
	}
	if e.clock == 0 {
		return true
	}
	m := &w.memo[p][e.wave&(memos-1)]
	if m.wave != e.wave+1 {
		*m = memo{e.wave + 1, w.knows[p].at(c.depth, int(e.wave))}
	}
	return e.clock <= m.clock || w.time.number != 0 && w.time.after(c.depth, e)
}

// atomic is an atomic access to a word, by which waves learn from each other.
func (r *racing) atomic(at *cell) {
	w, a, c := r.w, r.a, r.Checker
	if a.Read {
		r.takeFrom(at)
	}
	if !a.Write {
		return
	}
	// what is read and written passes on what others released, as does what the same wave writes after that
	var before *syncState
	if at.more != nil && (a.Read || at.write != nil && int(at.write.wave) == w.id) {
		before = at.more.sync
	}
	var all, group released
	g := int32(w.group)
	if before != nil {
		all, group = before.all, before.group[g]
	}
	if e := at.write; a.Read && e != nil && c.sites[at.writeTag.site()].perhaps {
		all = c.joinAll(all, e.before().wide.of(c.depth, int(e.wave)))
	}
	all = c.joinAll(all, w.wide.of(c.depth, w.id))
	if a.Scope == simt.DeviceScope {
		all = c.joinAll(all, r.releases)
	}
	group = c.joinAll(c.joinAll(group, w.near.of(c.depth, w.id)), r.releases)
	if before != nil && all == before.all && group == before.group[g] {
		return // as of who waits in a loop, time and again
	}
	s := &syncState{all, map[int32]released{}}
	if before != nil {
		maps.Copy(s.group, before.group)
	}
	s.group[g] = group
	m := more{}
	if at.more != nil {
		m = *at.more
	}
	m.sync = s
	at.more = &m
}

// takeFrom notes what an atomic access reads that others have released.
func (r *racing) takeFrom(at *cell) {
	w, c := r.w, r.Checker
	if at.more != nil && at.more.sync != nil {
		s := at.more.sync
		r.take(s.all, s.group[int32(w.group)])
	}
	if e := at.write; e != nil && int(e.wave) != w.id && c.sites[at.writeTag.site()].perhaps {
		near, had := released{}, e.before()
		if int(e.group) == w.group {
			if near = had.near.of(c.depth, int(e.wave)); c.sites[at.writeTag.site()].inOrder {
				near[globalPlane] = join(c.depth, near[globalPlane],
					(*clocks)(nil).with(c.depth, int(e.wave), max(e.at, e.clock)))
			}
		}
		r.take(had.wide.of(c.depth, int(e.wave)), near)
	}
}

// take notes what has been read for the fence that may come, and for the access itself if it acquires.
func (r *racing) take(all, near released) {
	r.w.read.all = r.joinAll(r.w.read.all, all)
	r.w.read.near = r.joinAll(r.w.read.near, near)
	if r.a.Order&simt.Acquire == 0 || r.a.Scope == simt.WaveScope {
		return
	}
	if r.acquires = r.joinAll(r.acquires, near); r.a.Scope == simt.DeviceScope {
		r.acquires = r.joinAll(r.acquires, all)
	}
}
