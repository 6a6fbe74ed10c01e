package check

import (
	"math/bits"

	"simtgdb/simt"
)

// planeOf is the plane of a space that waves share.
func planeOf(s simt.Space) int {
	if s == simt.LDS {
		return ldsPlane
	}
	return globalPlane
}

// races notes an access, and reports what it is in conflict with.
func (c *Checker) races(w *wave, a *simt.Access) *Report {
	if a.Atomic {
		c.ordered(w, a, a.Order&simt.Release)
	}
	p := planeOf(a.Space)
	r := racing{Checker: c, w: w, a: a, plane: p, me: tag(c.site(a) << laneBits), perhaps: a.Perhaps}
	memory := c.global
	if p == ldsPlane {
		memory = c.group(a.Wave.Group).lds
	}
	w.dirty[p] = true
	same := a.Write && !a.Atomic && r.collide()
	last := ^uint64(0)
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest) & (simt.MaxLanes - 1)
		if a.Write || a.Addr[l] != last { // who reads what the lane before reads adds nothing
			last = a.Addr[l]
			r.lane(memory, l)
		}
	}
	if a.Atomic {
		c.ordered(w, a, a.Order&simt.Acquire)
	}
	if r.bad == 0 || same {
		return r.collision
	}
	return r.report()
}

// ordered does what an atomic access's own order does, beside the access.
func (c *Checker) ordered(w *wave, a *simt.Access, o simt.Order) {
	if o != simt.Relaxed {
		c.fence(w, simt.Fence{Order: o, Scope: a.Scope, Spaces: simt.AllSpaces})
	}
}

// racing is one access under way.
type racing struct {
	*Checker
	w       *wave
	a       *simt.Access
	plane   int
	me      tag // but for the lane
	perhaps bool

	bad       uint64 // lanes in conflict
	other     *epoch // with whom the lowest is
	otherTag  tag
	collision *Report // lanes of the instruction with each other
}

// lane does what one lane accesses.
func (r *racing) lane(memory *pages, l int) {
	lo, hi := r.a.Addr[l], r.a.Addr[l]+uint64(r.a.Size)
	if r.a.Size == wordSize && lo%wordSize == 0 {
		if at := memory.At(lo/wordSize, r.generation); at.more == nil || at.more.bytes == nil {
			r.cell(at, l)
			return
		}
	}
	for word := lo / wordSize; word*wordSize < hi; word++ {
		at := memory.At(word, r.generation)
		touched := bytesOf(word, lo, hi)
		if touched == 1<<wordSize-1 && (at.more == nil || at.more.bytes == nil) {
			r.cell(at, l)
			continue
		}
		b := at.split()
		for i := range b {
			if touched>>i&1 != 0 {
				r.cell(&b[i], l)
			}
		}
	}
}

// split gives each byte of a word a cell of its own.
func (c *cell) split() *[wordSize]cell {
	if c.more != nil && c.more.bytes != nil {
		return c.more.bytes
	}
	var b [wordSize]cell
	for i := range b {
		b[i] = *c
	}
	c.more = &more{bytes: &b}
	c.write, c.read = nil, nil
	return &b
}

// cell does an access of one lane to a word or a byte.
func (r *racing) cell(at *cell, lane int) {
	me := r.me | tag(lane)
	if now := r.w.now; !r.a.Atomic && at.more == nil {
		switch { // what the wave has done since its last release is known to be in order
		case !r.a.Write && at.read == now:
			return
		case r.a.Write && at.write == now && at.read == nil:
			at.writeTag = me
			return
		}
	}
	last := reader{at.write, at.writeTag}
	unordered := last.at != nil && !r.before(r.w, r.plane, last.at)
	if unordered && !r.compatible(last.tag) {
		r.conflict(lane, last.at, last.tag)
	}
	if !r.a.Write {
		r.readAfter(at, lane)
		r.read(at, me)
		if r.a.Atomic || r.a.Perhaps {
			r.atomic(r.w, r.a, at)
		}
		return
	}
	if e := at.read; e != nil && !r.before(r.w, r.plane, e) && !r.compatible(at.readTag) {
		r.conflict(lane, e, at.readTag)
	}
	if m := at.more; m != nil && len(m.readers) > 0 {
		var kept []reader
		for _, o := range m.readers {
			switch {
			case r.before(r.w, r.plane, o.at):
			case !r.compatible(o.tag):
				r.conflict(lane, o.at, o.tag)
			case r.a.Atomic && r.sites[o.tag.site()].write:
				kept = append(kept, o)
			}
		}
		at.more = &more{sync: m.sync, readers: kept}
	}
	if r.a.Atomic {
		// whoever reads after this one alone has not heard of the other
		if unordered && r.worth(nil, at.readers()) {
			at.setReaders(append(at.readers(), last))
		}
		r.atomic(r.w, r.a, at)
	} else if at.more != nil {
		at.more = nil // what a plain write replaces passes nothing on
	}
	at.write, at.writeTag, at.read = r.w.now, me, nil
}

// readAfter looks for atomic writes before the last that a plain read is not ordered after.
func (r *racing) readAfter(at *cell, lane int) {
	for _, o := range at.readers() {
		if r.sites[o.tag.site()].write && !r.compatible(o.tag) && !r.before(r.w, r.plane, o.at) {
			r.conflict(lane, o.at, o.tag)
		}
	}
}

// compatible reports whether an access is not in conflict with another however they are ordered:
// both are atomic, or one is and the other may be.
func (r *racing) compatible(t tag) bool {
	o := r.sites[t.site()]
	return o.atomic && (r.a.Atomic || r.a.Perhaps) || o.perhaps && r.a.Atomic
}

// read notes a reader.
func (r *racing) read(at *cell, me tag) {
	e := at.read
	if e == nil || e == r.w.now || r.before(r.w, r.plane, e) {
		at.read, at.readTag = r.w.now, me
		return
	}
	readers := at.readers()
	for i, o := range readers {
		if o.at == r.w.now && !r.sites[o.tag.site()].write {
			return
		}
		if r.before(r.w, r.plane, o.at) {
			changed := append([]reader(nil), readers...)
			changed[i] = reader{r.w.now, me}
			at.setReaders(changed)
			return
		}
	}
	if r.worth(e, readers) {
		at.setReaders(append(readers, reader{r.w.now, me}))
	}
}

// worth reports whether another reader is worth remembering: of a group two, so that a writer in it
// is in conflict with one of them, and one or two of others.
func (r *racing) worth(first *epoch, readers []reader) bool {
	if len(readers) >= maxReaders {
		return false
	}
	same := 0
	if first != nil && int(first.group) == r.w.group {
		same++
	}
	for _, o := range readers {
		if int(o.at.group) == r.w.group {
			same++
		}
	}
	return same < 2
}

// readers are the accesses of a cell beyond the last write and the first read after it. They may
// not be changed.
func (c *cell) readers() []reader {
	if c.more == nil {
		return nil
	}
	return c.more.readers[:len(c.more.readers):len(c.more.readers)]
}

func (c *cell) setReaders(readers []reader) {
	m := more{readers: readers}
	if c.more != nil {
		m.sync = c.more.sync
	}
	c.more = &m
}

// conflict notes that a lane's access races with another one. Two writes of the same are none.
func (r *racing) conflict(lane int, with *epoch, t tag) {
	if r.a.Write && !r.a.Atomic && r.sites[t.site()].write && r.a.Data != nil && r.unchanged(lane) {
		return
	}
	if r.bad == 0 {
		r.other, r.otherTag = with, t
	}
	r.bad |= 1 << lane
}

// unchanged reports whether a lane writes what is in memory already.
func (r *racing) unchanged(lane int) bool {
	var now, then [maxItem]byte
	n := r.a.Size
	if n > maxItem {
		return false
	}
	if r.plane == ldsPlane {
		if _, err := r.a.Wave.Group.ReadLDS(r.a.Addr[lane], then[:n]); err != nil {
			return false
		}
	} else if _, err := r.m.Mem.Read(r.a.Addr[lane], then[:n]); err != nil {
		return false
	}
	r.a.Data(lane, now[:n])
	return now == then
}

// maxItem is how many bytes a lane writes at most at once.
const maxItem = 64

// collide looks for lanes that write different values to one place in one instruction.
func (r *racing) collide() bool {
	a := r.a
	if a.Data == nil || a.Size > maxItem || !overlapping(a) {
		return false
	}
	type written struct {
		value byte
		lane  int
	}
	seen := map[uint64]written{}
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		var data [maxItem]byte
		a.Data(l, data[:a.Size])
		for i, v := range data[:a.Size] {
			at := a.Addr[l] + uint64(i)
			o, ok := seen[at]
			if ok && o.value != v {
				rep := accessReport(Race, a, 1<<l)
				rep.Others = []Party{r.partyAt(r.w.id, o.lane, site{pc: a.PC, write: true})}
				rep.What = "lanes of one instruction write different values to one place"
				rep.Advice = "Which value stays is undefined: write from one of them, or use an atomic operation."
				r.collision = rep
				return true
			}
			seen[at] = written{v, l}
		}
	}
	return false
}

// overlapping reports whether lanes may access the same bytes; most accesses have addresses that
// increase.
func overlapping(a *simt.Access) bool {
	last, first := uint64(0), true
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		at := a.Addr[bits.TrailingZeros64(rest)]
		if !first && at < last+uint64(a.Size) {
			return true
		}
		last, first = at, false
	}
	return false
}

// report makes the report of a race.
func (r *racing) report() *Report {
	rep := accessReport(Race, r.a, r.bad)
	o := r.sites[r.otherTag.site()]
	rep.Others = []Party{r.partyAt(int(r.other.wave), r.otherTag.lane(), o)}
	rep.What = "data race"
	switch sameGroup := int(r.other.group) == r.w.group; {
	case r.a.Atomic || o.atomic:
		rep.Advice = "One of them is atomic and the other is not: make both atomic, or order them by a barrier."
		if !sameGroup {
			rep.Advice = "One of them is atomic and the other is not: make both atomic, or order them by a release " +
				"and an acquire on another place."
		}
	case sameGroup:
		rep.Advice = "No barrier for this memory, and no release and acquire, lies between the two."
	default:
		rep.Advice = "They are of different workgroups, which no barrier orders: only an atomic release after " +
			"the first and an acquire before the second would."
	}
	return rep
}

// partyAt is a lane of a wave of the dispatch, which may have ended.
func (c *Checker) partyAt(id, lane int, s site) Party {
	p := Party{Wave: id, Lane: lane, PC: s.pc, Write: s.write, Atomic: s.atomic}
	d := &c.m.Dispatch
	size := c.m.ISA().WaveSize()
	perGroup := (int(d.Block[0]*d.Block[1]*d.Block[2]) + size - 1) / size
	groups, rest := d.Groups(), uint32(id/perGroup)
	var block [3]uint32
	for i := range p.Group {
		p.Group[i] = rest % groups[i]
		rest /= groups[i]
		block[i] = min(d.Block[i], d.Grid[i]-p.Group[i]*d.Block[i])
	}
	flat := uint32(id%perGroup*size + lane)
	p.Item = [3]uint32{flat % block[0], flat / block[0] % block[1], flat / block[0] / block[1]}
	return p
}
