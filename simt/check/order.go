package check

import "simtgdb/simt"

// A syncState is what atomic accesses to a word pass on: what those that wrote to it had released.
// It is replaced rather than changed.
type syncState struct {
	all   released           // to the device
	group map[int32]released // to the workgroup of who wrote
}

// released is what happened before a release, of each memory.
type released [planes]*clocks

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
	c.fence(c.wave(w), f)
}

func (c *Checker) fence(w *wave, f simt.Fence) {
	if f.Scope == simt.WaveScope {
		if !c.portable {
			c.sync(w, f.Lanes)
		}
		return
	}
	if f.Order&simt.Acquire != 0 {
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

// release makes what has happened so far known to whom the wave meets from now on.
func (c *Checker) release(w *wave, f simt.Fence) {
	changed := false
	for p := range w.near {
		if f.Spaces>>spaceOf[p]&1 == 0 {
			continue
		}
		mine, _ := c.happened(w, p)
		near, wide := join(c.depth, w.near[p], mine), w.wide[p]
		if f.Scope == simt.DeviceScope {
			wide = join(c.depth, wide, mine)
		}
		changed = changed || near != w.near[p] || wide != w.wide[p]
		w.near[p], w.wide[p] = near, wide
	}
	if changed {
		w.now = &epoch{wave: int32(w.id), group: int32(w.group), clock: w.now.clock + 1,
			side: w.sides.now, wide: w.wide, near: w.near}
	}
}

// happened is what has happened in a memory before what a wave does from now on, its own accesses among it.
// It reports whether there have been any since it was asked for last.
func (c *Checker) happened(w *wave, p int) (mine *clocks, more bool) {
	if !w.dirty[p] {
		return w.knows[p], false
	}
	w.dirty[p], w.knows[p] = false, w.knows[p].with(c.depth, w.id, w.now.clock)
	return w.knows[p], true
}

// releases is what an atomic access itself passes on by its order: unlike a fence, only where it writes.
func (c *Checker) releases(w *wave) (mine released) {
	changed := false
	for p := range mine {
		var more bool
		mine[p], more = c.happened(w, p)
		changed = changed || more
	}
	if changed {
		now := *w.now
		now.clock++
		w.now = &now
	}
	return mine
}

// learn makes what has happened elsewhere happen before what the wave does from now on.
func (c *Checker) learn(w *wave, p int, from *clocks) {
	if joined := join(c.depth, w.knows[p], from); joined != w.knows[p] {
		w.knows[p], w.memo[p].wave = joined, -1
	}
}

// meet lets waves know what each of them had released when they met at a barrier, and others that came to it.
func (c *Checker) meet(waves []*simt.Wave, all released) {
	for _, w := range waves {
		all = c.joinAll(all, c.wave(w).near)
	}
	for _, w := range waves {
		s := c.wave(w)
		c.sync(s, 0)
		for p := range all {
			c.learn(s, p, all[p])
			s.near[p] = join(c.depth, s.near[p], all[p])
		}
	}
}

// before reports whether what a lane did in an epoch happened before what another does now, in one memory.
func (r *racing) before(e *epoch, t tag, lane int) bool {
	w, p, c := r.w, r.plane, r.Checker
	if int(e.wave) == w.id {
		return c.together(w, t.lane(), lane, e.side)
	}
	if w.memo[p].wave != e.wave || w.memo[p].clock == 0 {
		w.memo[p].wave, w.memo[p].clock = e.wave, w.knows[p].at(c.depth, int(e.wave))
	}
	return e.clock <= w.memo[p].clock
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
	s := &syncState{group: map[int32]released{}}
	// what is read and written passes on what others released, as does what the same wave writes after that
	if at.more != nil && at.more.sync != nil && (a.Read || at.write != nil && int(at.write.wave) == w.id) {
		s.all = at.more.sync.all
		for g, r := range at.more.sync.group {
			s.group[g] = r
		}
	}
	if e := at.write; a.Read && e != nil && c.sites[at.writeTag.site()].perhaps {
		s.all = c.joinAll(s.all, e.wide)
	}
	s.all = c.joinAll(s.all, w.wide)
	if a.Scope == simt.DeviceScope {
		s.all = c.joinAll(s.all, r.releases)
	}
	g := int32(w.group)
	s.group[g] = c.joinAll(c.joinAll(s.group[g], w.near), r.releases)
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
		near := released{}
		if int(e.group) == w.group {
			if near = e.near; c.sites[at.writeTag.site()].inOrder {
				near[globalPlane] = join(c.depth, near[globalPlane], (*clocks)(nil).with(c.depth, int(e.wave), max(e.at, e.clock)))
			}
		}
		r.take(e.wide, near)
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
