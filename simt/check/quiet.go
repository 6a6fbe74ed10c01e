package check

import (
	"math/bits"
	"slices"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/shadow"
)

// Most of what programs read nobody writes to while they run. So reads of global memory are in conflict with
// nothing as long as nobody has written to their pages, and are kept as they are: as rows of bytes, of which
// a wave reads most many times over. They are looked at when somebody writes to such a page.

// unheard are such reads.
type unheard struct {
	rows  list[quietRow]
	runs  list[quietRun]
	again []quietAgain
	pages *shadow.Memory[uint32] // by number
	since uint32                 // when what is kept was looked at last, one more each time
}

// pageWritten says of a page that it has been written to, any other number that it was read at that time.
const (
	pageWritten = ^uint32(0)
	quietPage   = 12 // bits of a page's bytes
)

func newUnheard() unheard { return unheard{pages: shadow.New[uint32](nil), since: 1} }

// A quietRow is what lanes from one on have read, or one lane, in groups as a [simt.Piece] has them; or such
// a piece of what several loads have read.
type quietRow struct {
	at           uint64
	site         int32
	step, skip   uint32 // from one lane to the next, and from one group
	size         int16  // of a piece: its row's number
	first, many  uint8
	times, apart uint8
}

// of makes a row one of a piece.
func (r *quietRow) of(p *simt.Piece) {
	*r = quietRow{at: p.At, step: p.Step, skip: p.Skip, size: int16(p.Row), first: p.First, many: p.Many,
		times: p.Times, apart: p.Apart}
}

// NotedLoads implements simt.LoadsReader.
func (c *Checker) NotedLoads(w *simt.Wave, l *simt.Loads, pieces []simt.Piece) bool {
	number := c.loadsNumber(l)
	if c.kinds&Uninit != 0 {
		c.beginOwn(w)
	}
	if !c.hearsLater() || c.loadsMarked[number] || c.kinds&Uninit != 0 && !c.haveBeenWritten(l, pieces) {
		return false
	}
	if c.kinds&Race != 0 && !c.streamLoads(w, l, pieces) && !c.noteLoads(w, l, pieces) {
		return false
	}
	c.fits()
	return true
}

// noteLoads is NotedLoads for races, of loads by themselves.
func (c *Checker) noteLoads(w *simt.Wave, l *simt.Loads, pieces []simt.Piece) bool {
	s := c.wave(w)
	c.goes(s, w.Active(), w.Valid)
	covered := c.covered(s)
	news, private := false, false
	for i := range pieces {
		p := &pieces[i]
		of := groups{p.Group(&l.Rows[p.Row]), p.Skip, p.Times}
		if covered.has(&of) {
			continue
		}
		e := of.Extent
		r := c.regionAt(e.Lo)
		if r == nil {
			return false
		}
		first := simt.Extent{Lo: e.Lo, Hi: p.At + uint64(l.Rows[p.Row].Hi)}
		if !r.Holds(e.Lo, e.Hi+p.Further()-e.Lo) || news && private != r.Private ||
			!r.Private && !c.unheard.readPiece(p, first, c.generation) {
			return false
		}
		news, private = true, r.Private
	}
	if !news || private {
		c.skipped++
		return true
	}
	s.readsQuietly()
	for i := range pieces {
		if p := &pieces[i]; p.Dense(&l.Rows[p.Row]) {
			covered.put(&groups{p.Group(&l.Rows[p.Row]), p.Skip, p.Times})
		}
	}
	c.unheard.addLoads(s, c.loadsNumber(l), c.chains.of(w, int(pieces[0].First)), pieces)
	c.hearAll()
	return true
}

// hearsLater reports whether loads may be looked at later.
func (c *Checker) hearsLater() bool {
	return c.kinds&(Race|Uninit) != 0 && !c.strict && len(c.copies.of) == 0
}

// loadsNumber is the number of loads.
func (c *Checker) loadsNumber(l *simt.Loads) int32 {
	recent := &c.recentLoads[recently(l.All[0].PC)]
	if i := int(*recent); i < len(c.loads) && c.loads[i] == l {
		return int32(i)
	}
	i, ok := c.numberOf[l]
	if !ok {
		if c.numberOf == nil {
			c.numberOf = map[*simt.Loads]int32{}
		}
		i = int32(len(c.loads))
		c.loads, c.numberOf[l] = append(c.loads, l), i
		c.loadsMarked = append(c.loadsMarked, c.anyAtomic(l))
	}
	*recent = i
	return i
}

// anyAtomic reports whether the source says of any of some loads that it is atomic.
func (c *Checker) anyAtomic(l *simt.Loads) bool {
	return c.Objects != nil && slices.ContainsFunc(l.All, func(o simt.Load) bool {
		return o.Unmarked && c.Objects.Atomic(o.PC)
	})
}

// has reports whether groups have been read.
func (c *cover) has(of *groups) bool {
	for i := range c.all {
		e := &c.all[i]
		if of.Lo >= e.Lo && (of.Hi <= e.Hi && e.alike(of) || e.times == 1 && of.end() <= e.Hi) {
			return true
		}
	}
	return false
}

// put adds groups.
func (c *cover) put(of *groups) {
	for i := range c.all {
		if e := &c.all[i]; of.Lo >= e.Lo && of.Lo <= e.Hi && e.alike(of) {
			e.Hi = max(e.Hi, of.Hi)
			return
		}
	}
	c.all[c.next] = *of
	c.next = (c.next + 1) % covers
}

// A quietRun is rows that a wave has read one after the other, or pieces of what loads have read that come
// together, with what was so then. It keeps no wave: most have ended when it is looked at. There are many,
// so that it is small and has few pointers: the time of the wave's sides is the epoch's.
type quietRun struct {
	knows               *clocks     // of global memory
	parts               *quietParts // nil if the epoch's lanes are all that there is to be known of
	lanes               uint64      // of the epoch, of which the numbers are that follow
	wave, group         int32
	clock, side, serial uint32
	upTo                int32  // of rows
	loads               int32  // by number, which alone the rows are of; -1 for rows
	chain               int32  // of calls, of loads
	floor, sync         uint32 // of the wave's sides and syncs
}

// heardBit of an epoch's serial number says that somebody knows of quiet reads that were made in it.
const heardBit = 1

// quietParts are sides and syncs of a wave, of which parts of the lanes are more than the present ones, and
// the epoch if somebody knows of quiet reads that were made in it.
type quietParts struct {
	sides, syncs []sideMask
	at           *epoch
}

// newQuietRun is a run of a wave's epoch.
func newQuietRun(w *wave, upTo int, loads, chain int32) quietRun {
	e := w.now
	r := quietRun{knows: w.knows[globalPlane], lanes: e.lanes, wave: e.wave, group: e.group, clock: e.clock,
		side: e.side, serial: e.serial, upTo: int32(upTo), loads: loads, chain: chain, floor: w.sides.floor,
		sync: w.syncs.all}
	if m := w.sides.masks; len(m) != 1 || m[0].lanes != e.lanes || w.sides.now != e.side ||
		len(w.syncs.some) > 0 || e.serial&heardBit != 0 {
		r.parts = &quietParts{m, w.syncs.some, nil}
		if e.serial&heardBit != 0 {
			r.parts.at = e
		}
	}
	return r
}

// of reports whether the run is of a wave's epoch.
func (r *quietRun) of(e *epoch) bool { return (r.serial^e.serial)&^heardBit == 0 && r.wave == e.wave }

// epoch is the run's: one for all of its runs. heard are those of waves that have been made last.
func (c *Checker) epoch(r *quietRun, heard map[int32]*epoch) *epoch {
	if r.parts != nil && r.parts.at != nil {
		return r.parts.at
	}
	e := heard[r.wave]
	if e != nil && r.of(e) {
		return e
	}
	if w := c.waves[int(r.wave)]; w != nil && r.of(w.now) {
		e = w.now
	} else {
		e = &epoch{wave: r.wave, group: r.group, clock: r.clock, side: r.side, serial: r.serial,
			lanes: r.lanes}
	}
	e.serial |= heardBit
	heard[r.wave] = e
	return e
}

// waveAt is the wave as it was in an epoch.
func (r *quietRun) waveAt(e *epoch) *wave {
	w := &wave{id: int(e.wave), group: int(e.group), now: e,
		sides: sides{now: e.side, floor: r.floor}, syncs: syncs{all: r.sync}}
	w.knows[globalPlane] = r.knows
	if r.parts != nil {
		w.sides.masks, w.syncs.some = r.parts.sides, r.parts.syncs
	} else {
		w.sides.masks = alone(e.lanes, e.side)
	}
	return w
}

// mostQuiet is how many rows there may be. More are looked at.
const mostQuiet = 1 << 23

// covers is how many extents a wave remembers that it has read.
const covers = 4

// A cover is what a wave has read in an epoch, all of which is kept.
type cover struct {
	at    *epoch
	all   [covers]groups
	since uint32 // when what is kept was looked at last
	next  uint8  // those that are forgotten next
}

// Groups are the first of some extents at even distances, each as long as the first.
type groups struct {
	simt.Extent
	skip  uint32
	times uint8
}

// alike reports whether other groups are as many, at the same distances.
func (g *groups) alike(other *groups) bool { return g.skip == other.skip && g.times == other.times }

// end is where the last ends.
func (g *groups) end() uint64 { return g.Hi + uint64(g.times-1)*uint64(g.skip) }

// covered is what a wave has read in its epoch since what is kept was looked at: others may have written to
// what it read before that.
func (c *Checker) covered(w *wave) *cover {
	if w.cover.at != w.now || w.cover.since != c.unheard.since {
		w.cover = cover{at: w.now, since: c.unheard.since}
	}
	return &w.cover
}

// quietRead keeps a read for later. It reports whether that will do.
func (c *Checker) quietRead(w *wave, a *simt.Access) bool {
	if a.Space != simt.Global || a.Write || c.strict || a.Size > maxItem {
		return false
	}
	if c.bySource(a); a.Atomic {
		return false
	}
	size := uint64(a.Size)
	c.pieces = simt.Pieces(c.pieces[:0], 0, a.Addr[:], a.Lanes)
	for i := range c.pieces {
		p := &c.pieces[i]
		if !c.unheard.readPiece(p, simt.Extent{Lo: p.At, Hi: p.At + size}, c.generation) {
			return false
		}
	}
	c.goes(w, a.Wave.Active(), a.Wave.Valid)
	w.readsQuietly()
	covered := c.covered(w)
	site := int32(-1)
	for i := range c.pieces {
		p := &c.pieces[i]
		var r quietRow
		r.of(p)
		if r.size = int16(size); !covered.add(&r) {
			continue
		}
		if site < 0 {
			site = int32(c.site(a))
		}
		r.site = site
		c.unheard.add(w, &r)
	}
	c.hearAll()
	return true
}

// hearAll looks at what is kept if that is much.
func (c *Checker) hearAll() {
	if n := c.unheard.rows.len(); n >= mostQuiet || uint64(n)*uint64(unsafe.Sizeof(quietRow{})) > c.Limit/8 {
		c.hear()
	}
}

// read notes that some bytes are read. It reports whether nobody has written to their pages.
func (q *unheard) read(lo, hi, generation uint64) bool {
	for page := lo >> quietPage; page <= (hi-1)>>quietPage; page++ {
		switch q.pages.Get(page) {
		case q.since:
		case pageWritten:
			return false
		default:
			*q.pages.At(page, generation) = q.since
		}
	}
	return true
}

// touch notes that the pages of a read, which is not kept, are not ones that nobody has accessed.
func (q *unheard) touch(a *simt.Access, generation uint64) {
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		at := a.Addr[bits.TrailingZeros64(rest)]
		q.read(at, at+uint64(a.Size), generation)
	}
}

// readPiece is read for the lanes of a piece, of which the first reads some bytes.
func (q *unheard) readPiece(p *simt.Piece, first simt.Extent, generation uint64) bool {
	const page = 1 << quietPage
	first.Hi += uint64(p.Many-1) * uint64(p.Step)
	times, skip, step := uint64(p.Times), uint64(p.Skip), uint64(p.Step)
	if step <= page && skip <= page {
		return q.read(first.Lo, first.Hi+p.Further(), generation)
	}
	for range times {
		if step <= page {
			if !q.read(first.Lo, first.Hi, generation) {
				return false
			}
		} else if !q.readApart(p, first, generation) {
			return false
		}
		first.Lo, first.Hi = first.Lo+skip, first.Hi+skip
	}
	return true
}

// readApart is read for lanes that are more than a page apart, of what they read together.
func (q *unheard) readApart(p *simt.Piece, all simt.Extent, generation uint64) bool {
	step := uint64(p.Step)
	size := all.Hi - all.Lo - uint64(p.Many-1)*step
	for at := all.Lo; at < all.Hi; at += step {
		if !q.read(at, at+size, generation) {
			return false
		}
	}
	return true
}

// add keeps a row.
func (q *unheard) add(w *wave, r *quietRow) {
	q.rows.room(1)[0] = *r
	last := q.runs.last()
	if last != nil && last.loads < 0 && last.of(w.now) && last.knows == w.knows[globalPlane] {
		last.upTo = int32(q.rows.len())
		return
	}
	q.runs.room(1)[0] = newQuietRun(w, q.rows.len(), -1, 0)
}

// addLoads keeps loads, in a chain of calls.
func (q *unheard) addLoads(w *wave, number, chain int32, pieces []simt.Piece) {
	rows := q.rows.room(len(pieces))
	for i := range pieces {
		rows[i].of(&pieces[i])
	}
	q.runs.room(1)[0] = newQuietRun(w, q.rows.len(), number, chain)
}

// add adds a row, which becomes what of it is new. It reports whether anything is.
func (c *cover) add(r *quietRow) bool {
	size, step := uint64(r.size), uint64(r.step)
	of := groups{simt.Extent{Lo: r.at, Hi: r.at + uint64(r.many-1)*step + size}, r.skip, r.times}
	switch {
	case c.has(&of):
		return false
	case r.many > 1 && step > size: // with gaps
		return true
	case r.many > 1 && step < size:
		c.put(&of)
		return true
	}
	for i := range c.all {
		e := &c.all[i]
		if of.Lo < e.Lo || of.Lo > e.Hi || !e.alike(&of) {
			continue
		}
		known := (e.Hi - of.Lo) / size
		e.Hi = of.Hi
		r.at, r.first, r.many = of.Lo+known*size, r.first+uint8(known), r.many-uint8(known)
		return true
	}
	c.put(&of)
	return true
}

// wrote looks at what has been read if it may be where an access writes.
func (c *Checker) wrote(a *simt.Access, s spread) {
	if s.dense {
		for page := s.Lo >> quietPage; page <= (s.Hi-1)>>quietPage; page++ {
			c.wrotePage(page)
		}
		return
	}
	last := ^uint64(0)
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		at := a.Addr[bits.TrailingZeros64(rest)]
		for page := at >> quietPage; page <= (at+uint64(a.Size)-1)>>quietPage; page++ {
			if page != last {
				last = page
				c.wrotePage(page)
			}
		}
	}
}

// wrotePage looks at what has been read if a page that an access writes to is of that.
func (c *Checker) wrotePage(page uint64) {
	was := c.unheard.pages.Get(page)
	if was == pageWritten {
		return
	}
	if was == c.unheard.since {
		c.hear()
	}
	*c.unheard.pages.At(page, c.generation) = pageWritten
}

// hear looks at what is kept.
func (c *Checker) hear() {
	c.spill()
	q := &c.unheard
	rows, at, heard := q.rows.all(), 0, map[int32]*epoch{}
	runs, again := 0, q.again
	hearAgain := func() {
		for ; len(again) > 0 && again[0].behind == runs; again = again[1:] {
			c.hearAgain(&again[0], heard)
		}
		runs++
	}
	for run := range q.runs.each {
		hearAgain()
		w, n := run.waveAt(c.epoch(run, heard)), int(run.upTo)-at
		at = int(run.upTo)
		if run.loads < 0 {
			for range n {
				row := &rows.take(1)[0]
				c.hearRow(w, row, row.at, int(row.size), int(row.site))
			}
			continue
		}
		c.hearLoads(w, run, rows.take(n))
	}
	hearAgain()
	q.rows.forget()
	q.runs.forget()
	q.again = nil
	q.since++
}

// hearLoads looks at the pieces of what loads of a run have read.
func (c *Checker) hearLoads(w *wave, run *quietRun, pieces []quietRow) {
	for _, l := range c.loads[run.loads].All {
		site := c.siteAs(site{l.PC, false, false, l.Perhaps, l.Near, l.InOrder, run.chain})
		for k := range pieces {
			if p := &pieces[k]; int(p.size) == l.Row {
				c.hearRow(w, p, p.at+uint64(l.Add), l.Size, site)
			}
		}
	}
}

// hearRow looks at what the lanes of a row have read, from an address on.
func (c *Checker) hearRow(w *wave, row *quietRow, at uint64, size, site int) {
	var addr [simt.MaxLanes]uint64
	lanes, first := uint64(0), int(row.first)
	for range row.times {
		for l := range int(row.many) {
			addr[first+l] = at + uint64(l)*uint64(row.step)
		}
		lanes |= ^uint64(0) >> (simt.MaxLanes - int(row.many)) << first
		at, first = at+uint64(row.skip), first+int(row.apart)
	}
	r := &c.racing
	*r = racing{Checker: c, w: w, plane: globalPlane, me: tag(site << laneBits), width: 1, memory: c.global,
		a: &simt.Access{Space: simt.Global, Read: true, Size: size, Addr: &addr, Lanes: lanes}}
	r.lanes()
}

// bytes is how many bytes what is kept takes.
func (q *unheard) bytes() int {
	rows, runs := q.rows.rooms*int(unsafe.Sizeof(quietRow{})), q.runs.rooms*int(unsafe.Sizeof(quietRun{}))
	again := 0
	for i := range q.again {
		again += q.again[i].bytes()
	}
	return q.pages.Bytes() + rows + runs + again
}
