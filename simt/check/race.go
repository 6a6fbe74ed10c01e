package check

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/vec"
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
	r := c.begin(w, a, spread{})
	if r == nil {
		return nil
	}
	same := a.Write && !a.Atomic && r.collide()
	r.lanes()
	if r.met {
		r.sync(w, 0)
		w.now.side = w.sides.now
	}
	r.end()
	r.learns()
	if r.bad == 0 || same {
		return r.collision
	}
	return r.report()
}

// begin is what comes before the lanes of an access. It is nil of one that is kept for later. The spread is
// what is known of the access, if it is.
func (c *Checker) begin(w *wave, a *simt.Access, s spread) *racing {
	if a.Perhaps && a.Write && c.Objects != nil && c.Objects.Plain(a.PC) {
		a.Perhaps = false
	}
	c.bySource(a)
	w.sides.at(a.Wave.Active(), a.Wave.Valid)
	var releases released
	switch {
	case !a.Atomic || a.Order == simt.Relaxed:
	case a.Scope == simt.WaveScope:
		if !c.portable {
			c.sync(w, 0)
		}
	case a.Order&simt.Release != 0:
		releases = c.releases(w)
	}
	if w.now.side != w.sides.now || a.Atomic {
		now := c.renew(w)
		now.side, now.lanes = w.sides.now, w.sides.present()
	}
	if a.Perhaps && a.Write && w.now.had == nil {
		had := w.had
		w.now.had = &had
	}
	switch {
	case a.Space != simt.Global:
	case a.Write:
		c.wrote(a, s)
	default:
		c.unheard.touch(a, c.generation)
	}
	p, memory := planeOf(a.Space), c.global
	if p == ldsPlane {
		g := c.group(a.Group())
		if c.postpones(g) && !a.Write && !a.Atomic && !a.Perhaps {
			c.keepLate(w, g, a)
			return nil
		}
		c.settle(g)
		g.late.written = g.late.written || a.Write || a.Atomic
		memory = g.lds
	}
	r := &c.racing
	*r = racing{Checker: c, w: w, a: a, plane: p, me: tag(c.site(a) << laneBits), width: 1, memory: memory,
		releases: releases}
	w.touches(p)
	return r
}

// A sourced is what the source says of an instruction.
type sourced struct {
	pc     uint64 // one more than it; 0 for none
	atomic bool
}

// bySource makes an access atomic that the source says is.
func (c *Checker) bySource(a *simt.Access) {
	if c.marked(a) {
		a.Atomic, a.Perhaps, a.Scope = true, false, simt.GroupScope
		if a.Write && (a.InOrder || a.Space == simt.LDS) {
			a.Order = simt.Release // as the memory does what comes before it first
		}
	}
}

// marked reports whether the source says of an access that it is atomic, of which the code cannot.
func (c *Checker) marked(a *simt.Access) bool {
	if !a.Unmarked || a.Atomic || c.Objects == nil {
		return false
	}
	known := &c.sourced[recently(a.PC)]
	if known.pc != a.PC+1 {
		*known = sourced{a.PC + 1, c.Objects.Atomic(a.PC)}
	}
	return known.atomic
}

// end is what comes behind the lanes.
func (r *racing) end() {
	if a := r.a; a.InOrder && a.Write && a.Perhaps { // it passes on what came before, nothing of what comes
		r.renew(r.w).clock++
	}
}

// learns takes over what the access has acquired.
func (r *racing) learns() {
	for p := range r.acquires {
		r.learn(r.w, p, r.acquires[p])
	}
}

// split gives each word of a unit a cell of its own.
func (r *racing) split(u *unit) *[unitWords]cell {
	if r.noting && u.words == nil {
		r.undos = append(r.undos, undo{was: u.cell, unit: u})
	}
	return u.split(r.memory)
}

// racing is one access under way.
type racing struct {
	*Checker
	w      *wave
	a      *simt.Access
	plane  int
	memory *memory
	me     tag // but for the lane
	width  int // lanes in a row that cell does at once

	met bool // it reads what another lane of the wave has written atomically

	releases, acquires released // by an atomic access itself

	bad       uint64 // lanes in conflict
	noting    bool   // it may be in vain: see Checker.Noted
	other     *epoch // with whom the lowest is
	otherTag  tag
	collision *Report // lanes of the instruction with each other
}

// lanes does what the lanes access: whole units at once where lanes in a row access them.
func (r *racing) lanes() {
	a := r.a
	last := ^uint64(0)
	words := a.Size == wordSize && !a.Atomic
	wide := r.noting && !a.Write && !a.Atomic && a.Size > wordSize && a.Size%wordSize == 0
	for rest := a.Lanes; rest != 0; {
		l := bits.TrailingZeros64(rest) & (simt.MaxLanes - 1)
		at := a.Addr[l]
		if wide && at == last+wordSize && at%wordSize == 0 { // all but the last word the lane before has read
			n := r.shifted(l)
			r.rowAt(at+uint64(a.Size-wordSize), l, n)
			rest &^= (1<<n - 1) << l
			last = a.Addr[l+n-1]
			continue
		}
		if !a.Write && !r.strict && at == last { // who reads what the lane before reads adds nothing
			rest &= rest - 1
			continue
		}
		if words && at%wordSize == 0 {
			if n := r.inRow(l); n > 1 {
				r.row(at, l, n)
				rest &^= (1<<n - 1) << l
				last = a.Addr[l+n-1]
				continue
			}
		}
		rest &= rest - 1
		last = at
		r.lane(l)
	}
}

// shifted is how many lanes from l on read, each, a word further on than the lane before.
func (r *racing) shifted(l int) int {
	a := r.a
	n := min(simt.MaxLanes-l, bits.TrailingZeros64(^(a.Lanes >> l)))
	for i, x := range a.Addr[l+1 : l+n] {
		if x != a.Addr[l]+wordSize*uint64(i+1) {
			return i + 1
		}
	}
	return n
}

// rowAt is row for words of several units.
func (r *racing) rowAt(at uint64, l, n int) {
	for n > 0 {
		here := min(n, unitWords-int(at/wordSize%unitWords))
		if here == 1 {
			r.lane(l)
		} else {
			r.row(at, l, here)
		}
		at, l, n = at+wordSize*uint64(here), l+here, n-here
	}
}

// inRow is how many lanes from l on access words of a unit in order.
func (r *racing) inRow(l int) int {
	a := r.a
	at := a.Addr[l]
	n := min(unitWords-int(at/wordSize%unitWords), simt.MaxLanes-l, bits.TrailingZeros64(^(a.Lanes >> l)))
	for i, x := range a.Addr[l+1 : l+n] {
		if x != at+wordSize*uint64(i+1) {
			return i + 1
		}
	}
	return n
}

// row does the accesses of n lanes from l on to words of a unit, from an address on.
func (r *racing) row(at uint64, l, n int) {
	u := r.memory.At(at/unitSize, r.generation)
	if u.words == nil {
		if n == unitWords && r.unit(u, l) || r.known(&u.cell) {
			return
		}
		r.split(u)
	}
	first := at / wordSize % unitWords
	words := u.words[first : first+uint64(n)]
	for i := range words {
		c := &words[i]
		switch {
		case r.known(c):
		case c.more != nil && c.more.bytes != nil:
			r.lane(l + i)
		default:
			r.cell(c, l+i)
		}
	}
}

// known reports whether reading adds nothing to what is known of a place: what the wave has done since its
// last release is known to be in order.
func (r *racing) known(at *cell) bool {
	return !r.a.Write && !r.a.Atomic && !r.strict && at.more == nil && at.read == r.w.now
}

// unit does the accesses of lanes from l on to a unit, if it has one cell and they are all alike to what is
// known of it.
func (r *racing) unit(u *unit, l int) bool {
	if !r.alike(u.write) || !r.alike(u.read) {
		return false
	}
	for _, o := range u.readers() {
		if !r.alike(o.at) {
			return false
		}
	}
	r.width = unitWords
	r.cell(&u.cell, l)
	r.width = 1
	return true
}

// alike reports whether an epoch's accesses are in order with those of all lanes, or of none.
func (r *racing) alike(e *epoch) bool {
	return e == nil || int(e.wave) != r.w.id || r.whole(r.w, e)
}

// lane does what one lane accesses.
func (r *racing) lane(l int) {
	lo, hi := r.a.Addr[l], r.a.Addr[l]+uint64(r.a.Size)
	for word := lo / wordSize; word*wordSize < hi; word++ {
		u := r.memory.At(word/unitWords, r.generation)
		words := u.words
		if words == nil {
			words = r.split(u)
		}
		at := &words[word%unitWords]
		touched := bytesOf(word, lo, hi)
		if touched == 1<<wordSize-1 && (at.more == nil || at.more.bytes == nil) {
			r.cell(at, l)
			continue
		}
		if r.noting {
			r.undos = append(r.undos, undo{at: at, was: *at})
		}
		b := at.split(r.memory)
		for i := range b {
			if touched>>i&1 != 0 {
				r.cell(&b[i], l)
			}
		}
	}
}

// cell does an access of one lane to a word or a byte, or of several in a row to a unit.
func (r *racing) cell(at *cell, lane int) {
	me := r.me | tag(lane)
	if now := r.w.now; !r.a.Atomic && at.more == nil {
		switch { // what the wave has done since its last release is known to be in order
		case !r.a.Write && at.read == now && r.mine(at.readTag, lane):
			return
		case r.a.Write && at.write == now && at.read == nil && r.mine(at.writeTag, lane):
			at.writeTag = me
			return
		}
	}
	if r.noting {
		r.undos = append(r.undos, undo{at: at, was: *at})
	}
	last := reader{at.write, at.writeTag}
	unordered := last.at != nil && !r.before(last.at, last.tag, lane)
	r.noteStep(last.at, last.tag, lane)
	if r.a.Atomic && r.a.Read && last.at != nil && int(last.at.wave) == r.w.id &&
		r.sites[last.tag.site()].atomic {
		r.met = true
	}
	if unordered && !r.compatible(last.at, last.tag) {
		r.conflict(lane, last.at, last.tag)
	}
	if unordered && r.a.Atomic && r.a.Read && r.sites[last.tag.site()].perhaps {
		at.write, unordered = last.at.taken(), false
	}
	if !r.a.Write {
		r.readAfter(at, lane)
		r.read(at, me, lane)
		if r.a.Atomic || r.a.Perhaps {
			r.atomic(at)
		}
		return
	}
	if e := at.read; e != nil && !r.before(e, at.readTag, lane) && !r.compatible(e, at.readTag) {
		r.conflict(lane, e, at.readTag)
	}
	r.noteStep(at.read, at.readTag, lane)
	if m := at.more; m != nil && len(m.readers) > 0 {
		r.afterReaders(at, lane)
	}
	if r.a.Atomic {
		// whoever reads after this one alone has not heard of the other
		if unordered && r.worth(nil, at.readers()) {
			at.setReaders(append(at.readers(), last))
		}
		r.atomic(at)
	} else if at.more != nil {
		at.more = nil // what a plain write replaces passes nothing on
	}
	at.write, at.writeTag, at.read = r.w.now, me, nil
}

// afterReaders compares a write with what several lanes have read, and keeps of these readers those that an
// atomic one leaves to be compared with.
func (r *racing) afterReaders(at *cell, lane int) {
	var kept []reader
	for _, o := range at.more.readers {
		switch {
		case r.before(o.at, o.tag, lane):
		case !r.compatible(o.at, o.tag):
			r.conflict(lane, o.at, o.tag)
		case r.a.Atomic && r.sites[o.tag.site()].write:
			kept = append(kept, o)
		}
	}
	at.more = &more{sync: at.more.sync, readers: kept}
}

// mine reports whether an access of the wave since its last release is in order with one of a lane now.
func (r *racing) mine(t tag, lane int) bool { return !r.strict || t.lane() == lane }

// taken is the epoch of a write that may be atomic, once another wave has read it by an atomic access, as who
// takes a lock does what the last owner stored to give it back. It counts as atomic from then on, and is in
// order with all that is done to its place.
func (e *epoch) taken() *epoch {
	t := *e
	t.at, t.clock = max(e.at, e.clock), 0
	return &t
}

// readAfter looks for atomic writes before the last that a plain read is not ordered after.
func (r *racing) readAfter(at *cell, lane int) {
	for _, o := range at.readers() {
		if r.sites[o.tag.site()].write && !r.compatible(o.at, o.tag) && !r.before(o.at, o.tag, lane) {
			r.conflict(lane, o.at, o.tag)
		}
	}
}

// compatible reports whether an access is not in conflict with another however they are ordered:
// both are atomic, or one is and the other may be.
func (r *racing) compatible(e *epoch, t tag) bool {
	o, near := r.sites[t.site()], int(e.group) == r.w.group
	may, other := r.a.Perhaps && (near || !r.a.Near), o.perhaps && (near || !o.near)
	return o.atomic && (r.a.Atomic || may) || other && r.a.Atomic
}

// read notes a reader.
func (r *racing) read(at *cell, me tag, lane int) {
	e := at.read
	if e != nil && e == r.w.now && r.mine(at.readTag, lane) { // of an epoch's reads the first is remembered
		return
	}
	if e == nil || r.before(e, at.readTag, lane) {
		at.read, at.readTag = r.w.now, me
		return
	}
	readers := at.readers()
	for i, o := range readers {
		if o.at == r.w.now && !r.sites[o.tag.site()].write && r.mine(o.tag, lane) {
			return
		}
		if r.before(o.at, o.tag, lane) {
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

// noteStep says once, where everything is looked for, that an access is in order with one of another lane
// only because the wave goes in step.
func (r *racing) noteStep(e *epoch, t tag, lane int) {
	if r.inStep || r.strict || r.kinds&All != All || e == nil || int(e.wave) != r.w.id ||
		r.w.syncs.ordered(t.lane(), lane, e.side) || r.compatible(e, t) ||
		!r.w.sides.together(t.lane(), lane, e.side) {
		return
	}
	r.inStep = true
	if r.Note != nil && !r.quiet {
		r.Note(InStep)
	}
}

// InStep is what is noted once of a run, where everything is looked for: it is so of a program rather than of
// one launch.
const InStep = "lanes of one wave share memory with no barrier of the workgroup between: they are taken to " +
	"go in step, and are not judged; --check=race-strict judges them"

// conflict notes that lanes' accesses race with others. Two writes of the same are none, unless lanes are in
// no order at all.
func (r *racing) conflict(lane int, with *epoch, t tag) {
	same := r.a.Write && !r.a.Atomic && r.sites[t.site()].write && r.a.Data != nil && r.kinds&Strict == 0
	for i := range r.width {
		if same && (r.unchanged(lane+i) || r.agree(lane+i, with, t+tag(i))) {
			continue
		}
		if r.bad == 0 {
			r.other, r.otherTag = with, t+tag(i)
		}
		r.bad |= 1 << (lane + i)
	}
}

// agree reports whether an access is by another lane of the same instruction, to the same place, and writes
// the same.
func (r *racing) agree(lane int, with *epoch, t tag) bool {
	var now, then [maxItem]byte
	a, other := r.a, t.lane()
	if with != r.w.now || t.site() != r.me.site() || a.Lanes>>other&1 == 0 || a.Addr[lane] != a.Addr[other] ||
		a.Size > maxItem {
		return false
	}
	a.Data(lane, now[:a.Size])
	a.Data(other, then[:a.Size])
	return now == then
}

// unchanged reports whether a lane writes what is in memory already.
func (r *racing) unchanged(lane int) bool {
	var now, then [maxItem]byte
	n := r.a.Size
	if n > maxItem {
		return false
	}
	if r.plane == ldsPlane {
		if _, err := r.a.Group().ReadLDS(r.a.Addr[lane], then[:n]); err != nil {
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
	if a.Data == nil || a.Size > maxItem || spreadOf(a).rising {
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
				rep.Others = []Party{r.partyAt(r.w.id, o.lane, r.sites[r.me.site()])}
				rep.What = "lanes of one instruction write different values to one place"
				rep.Advice = "Which value stays is undefined: write from one of them, or use an atomic " +
					"operation."
				r.collision = rep
				return true
			}
			seen[at] = written{v, l}
		}
	}
	return false
}

// A spread is where an access is: its lowest byte and the one behind its highest, if each lane's bytes lie
// behind those of the lane before, as mostly; and whether none lies between.
type spread struct {
	simt.Extent
	rising, dense bool
}

func spreadOf(a *simt.Access) spread {
	l, size := bits.TrailingZeros64(a.Lanes)&(simt.MaxLanes-1), uint64(a.Size)
	s := spread{Extent: simt.Extent{Lo: a.Addr[l]}}
	last := s.Lo
	if n := bits.TrailingZeros64(^(a.Lanes >> l)); n == bits.OnesCount64(a.Lanes) {
		if n > 1 && a.Addr[l+1] == s.Lo+size &&
			bits.TrailingZeros64(^(vec.Steps(a.Addr[:], size)>>l)) >= n-1 {
			s.Hi, s.rising, s.dense = s.Lo+size*uint64(n), true, true
			return s
		}
		for _, at := range a.Addr[l+1 : l+n] {
			if at < last+size {
				return s
			}
			last = at
		}
	} else {
		for rest := a.Lanes & (a.Lanes - 1); rest != 0; rest &= rest - 1 {
			at := a.Addr[bits.TrailingZeros64(rest)]
			if at < last+size {
				return s
			}
			last = at
		}
	}
	s.Hi, s.rising = last+size, true
	s.dense = s.Hi-s.Lo == size*uint64(bits.OnesCount64(a.Lanes))
	return s
}

// report makes the report of a race.
func (r *racing) report() *Report {
	rep := accessReport(Race, r.a, r.bad)
	o := r.sites[r.otherTag.site()]
	rep.Others = []Party{r.partyAt(int(r.other.wave), r.otherTag.lane(), o)}
	rep.What = "data race"
	switch sameGroup := int(r.other.group) == r.w.group; {
	case r.portable && int(r.other.wave) == r.w.id:
		rep.Advice = "They are lanes of one wave here, and of two where waves are narrower: no barrier of " +
			"the workgroup lies between."
	case r.strict && int(r.other.wave) == r.w.id:
		rep.Advice = "They are lanes of one wave, which are in no order unless a barrier of the wave or a " +
			"wider one lies between."
		if _, told := r.m.ISA().(simt.Independent); !told {
			rep.Advice = "They are lanes of one wave, which goes in step here: if a barrier of the wave " +
				"lies between in the source, of which nothing is left in this machine's code, they are in " +
				"order."
		}
	case int(r.other.wave) == r.w.id:
		rep.Advice = "They are on two sides of a branch, whose order is the machine's choice: no barrier " +
			"lies between."
	case r.a.Atomic || o.atomic:
		rep.Advice = "One of them is atomic and the other is not: make both atomic, or order them by a " +
			"barrier."
		if !sameGroup {
			rep.Advice = "One of them is atomic and the other is not: make both atomic, or order them by a " +
				"release and an acquire on another place."
		}
	case sameGroup:
		rep.Advice = "No barrier for this memory, and no release and acquire, lies between the two."
	case r.m.Dispatch.SameCluster(r.w.group, int(r.other.group)):
		rep.Advice = "They are of different workgroups of a cluster: no barrier of the cluster, and no " +
			"release and acquire, lies between the two."
	default:
		rep.Advice = "They are of different workgroups, which no barrier orders: only an atomic release " +
			"after the first and an acquire before the second would."
	}
	return rep
}

// partyAt is a lane of a wave of the dispatch, which may have ended.
func (c *Checker) partyAt(id, lane int, s site) Party {
	p := Party{Wave: id, Lane: lane, PC: s.pc, Write: s.write, Atomic: s.atomic,
		Calls: c.chains.sites(s.chain)}
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
