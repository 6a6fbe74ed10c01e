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
	rows  []quietRow
	runs  []quietRun
	pages *shadow.Memory[uint32] // by number
	since uint32                 // when what is kept was looked at last, one more each time
}

// pageWritten says of a page that it has been written to, any other number that it was read at that time.
const (
	pageWritten = ^uint32(0)
	quietPage   = 12 // bits of a page's bytes
)

func newUnheard() unheard { return unheard{pages: shadow.New[uint32](nil), since: 1} }

// A quietRow is what lanes from one on have read, or one lane; or a piece of what several loads have read, or
// the head of such, behind which pieces are.
type quietRow struct {
	at          uint64 // of a head: how many pieces
	site        int32  // of a head: the complement of the loads' number
	step        uint32 // from one lane to the next
	size        int16  // of a piece: its row's number
	first, many int8
}

// NotedLoads implements simt.LoadsReader.
func (c *Checker) NotedLoads(w *simt.Wave, l *simt.Loads, pieces []simt.Piece) bool {
	if !c.hearsLater() {
		return false
	}
	s := c.wave(w)
	s.goes(w.Active(), w.Valid)
	covered := s.covered()
	news, private := false, false
	for i := range pieces {
		p := &pieces[i]
		e := p.Extent(&l.Rows[p.Row])
		if covered.has(e) {
			continue
		}
		r := c.region
		if r == nil || !r.Holds(e.Lo, 1) {
			if r = c.m.Mem.Find(e.Lo); r == nil {
				return false
			}
			c.region = r
		}
		first := simt.Extent{Lo: e.Lo, Hi: p.At + uint64(l.Rows[p.Row].Hi)}
		if !r.Holds(e.Lo, e.Hi-e.Lo) || news && private != r.Private ||
			!r.Private && !c.unheard.readPiece(p, first, c.generation) {
			return false
		}
		news, private = true, r.Private
	}
	c.fits()
	if !news || private {
		return true
	}
	s.touches(globalPlane)
	for i := range pieces {
		if p := &pieces[i]; p.Dense(&l.Rows[p.Row]) {
			covered.put(p.Extent(&l.Rows[p.Row]))
		}
	}
	c.unheard.addLoads(s, c.loadsNumber(l), c.chains.of(w, int(pieces[0].First)), pieces)
	c.hearAll()
	return true
}

// hearsLater reports whether loads may be looked at later.
func (c *Checker) hearsLater() bool {
	return c.kinds&Race != 0 && !c.strict && len(c.copies.of) == 0 &&
		(c.kinds&Uninit == 0 || len(c.blank) == 0)
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
	}
	*recent = i
	return i
}

// has reports whether an extent has been read.
func (c *cover) has(of simt.Extent) bool {
	for i := range c.all {
		if e := &c.all[i]; of.Lo >= e.Lo && of.Hi <= e.Hi {
			return true
		}
	}
	return false
}

// put adds an extent.
func (c *cover) put(of simt.Extent) {
	for i := range c.all {
		if e := &c.all[i]; of.Lo >= e.Lo && of.Lo <= e.Hi {
			e.Hi = max(e.Hi, of.Hi)
			return
		}
	}
	c.all[c.next] = of
	c.next = (c.next + 1) % covers
}

// A quietRun is rows that a wave has read one after the other, with what was so then. It keeps no wave: most
// have ended when it is looked at.
type quietRun struct {
	upTo  int // of rows
	at    *epoch
	sides sides
	syncs syncs
	knows *clocks // of global memory
	chain int32   // of calls, of loads that come together
}

// mostQuiet is how many rows there may be. More are looked at.
const mostQuiet = 1 << 23

// covers is how many extents a wave remembers that it has read.
const covers = 4

// A cover is what a wave has read in an epoch.
type cover struct {
	at   *epoch
	all  [covers]simt.Extent
	next uint8 // the one that is forgotten next
}

// covered is what a wave has read in its epoch.
func (w *wave) covered() *cover {
	if w.cover.at != w.now {
		w.cover = cover{at: w.now}
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
	w.goes(a.Wave.Active(), a.Wave.Valid)
	w.touches(globalPlane)
	covered := w.covered()
	site := int32(-1)
	for i := range c.pieces {
		p := &c.pieces[i]
		r := &quietRow{at: p.At, step: p.Step, size: int16(size), first: int8(p.First), many: int8(p.Many)}
		if !covered.add(r) {
			continue
		}
		if site < 0 {
			site = int32(c.site(a))
		}
		r.site = site
		c.unheard.add(w, r)
	}
	c.hearAll()
	return true
}

// hearAll looks at what is kept if that is much.
func (c *Checker) hearAll() {
	if n := len(c.unheard.rows); n >= mostQuiet || uint64(n)*uint64(unsafe.Sizeof(quietRow{})) > c.Limit/8 {
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

// readPiece is read for the lanes of a piece, of which the first reads some bytes.
func (q *unheard) readPiece(p *simt.Piece, first simt.Extent, generation uint64) bool {
	step, others := uint64(p.Step), uint64(p.Many-1)
	if step <= 1<<quietPage {
		return q.read(first.Lo, first.Hi+others*step, generation)
	}
	for i := range others + 1 {
		if !q.read(first.Lo+i*step, first.Hi+i*step, generation) {
			return false
		}
	}
	return true
}

// add keeps a row.
func (q *unheard) add(w *wave, r *quietRow) {
	q.rows = append(doubled(q.rows), *r)
	q.run(w, len(q.runs) > 0, 0)
}

// addLoads keeps loads, in a chain of calls.
func (q *unheard) addLoads(w *wave, number, chain int32, pieces []simt.Piece) {
	q.rows = append(doubled(q.rows), quietRow{at: uint64(len(pieces)), site: ^number})
	for i := range pieces {
		p := &pieces[i]
		q.rows = append(doubled(q.rows), quietRow{at: p.At, step: p.Step, size: int16(p.Row),
			first: int8(p.First), many: int8(p.Many)})
	}
	n := len(q.runs)
	q.run(w, n > 0 && q.runs[n-1].chain == chain, chain)
}

// run counts rows that have been added: to the last run if they may belong to it.
func (q *unheard) run(w *wave, may bool, chain int32) {
	if n := len(q.runs); may && q.runs[n-1].at == w.now && q.runs[n-1].knows == w.knows[globalPlane] {
		q.runs[n-1].upTo = len(q.rows)
		return
	}
	q.runs = append(doubled(q.runs),
		quietRun{len(q.rows), w.now, w.sides, w.syncs, w.knows[globalPlane], chain})
}

// doubled gives a slice room for more, and seldom copies what is in it.
func doubled[T any](s []T) []T {
	if len(s) == cap(s) {
		return slices.Grow(s, max(len(s), 1<<10))
	}
	return s
}

// add adds a row, which becomes what of it is new. It reports whether anything is.
func (c *cover) add(r *quietRow) bool {
	size, step := uint64(r.size), uint64(r.step)
	of := simt.Extent{Lo: r.at, Hi: r.at + uint64(r.many-1)*step + size}
	switch {
	case c.has(of):
		return false
	case r.many > 1 && step > size: // with gaps
		return true
	case r.many > 1 && step < size:
		c.put(of)
		return true
	}
	for i := range c.all {
		e := &c.all[i]
		if of.Lo < e.Lo || of.Lo > e.Hi {
			continue
		}
		known := (e.Hi - of.Lo) / size
		e.Hi = of.Hi
		r.at, r.first, r.many = of.Lo+known*size, r.first+int8(known), r.many-int8(known)
		return true
	}
	c.put(of)
	return true
}

// wrote looks at what has been read if it may be where an access writes.
func (c *Checker) wrote(a *simt.Access) {
	last := ^uint64(0)
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		at := a.Addr[bits.TrailingZeros64(rest)]
		for page := at >> quietPage; page <= (at+uint64(a.Size)-1)>>quietPage; page++ {
			if page == last {
				continue
			}
			last = page
			was := c.unheard.pages.Get(page)
			if was == pageWritten {
				continue
			}
			if was == c.unheard.since {
				c.hear()
			}
			*c.unheard.pages.At(page, c.generation) = pageWritten
		}
	}
}

// hear looks at what is kept.
func (c *Checker) hear() {
	q := &c.unheard
	at := 0
	for i := range q.runs {
		run := &q.runs[i]
		w := &wave{id: int(run.at.wave), group: int(run.at.group), now: run.at, sides: run.sides,
			syncs: run.syncs}
		w.knows[globalPlane] = run.knows
		for at < run.upTo {
			row := &q.rows[at]
			at++
			if row.site >= 0 {
				c.hearRow(w, row, row.at, int(row.size), int(row.site))
				continue
			}
			pieces := q.rows[at : at+int(row.at)]
			at += len(pieces)
			for _, l := range c.loads[^row.site].All {
				site := c.siteAs(site{l.PC, false, false, l.Perhaps, l.Near, l.InOrder, run.chain})
				for k := range pieces {
					if p := &pieces[k]; int(p.size) == l.Row {
						c.hearRow(w, p, p.at+uint64(l.Add), l.Size, site)
					}
				}
			}
		}
	}
	clear(q.runs)
	q.rows, q.runs = q.rows[:0], q.runs[:0]
	q.since++
}

// hearRow looks at what the lanes of a row have read, from an address on.
func (c *Checker) hearRow(w *wave, row *quietRow, at uint64, size, site int) {
	var addr [simt.MaxLanes]uint64
	for l := range int(row.many) {
		addr[int(row.first)+l] = at + uint64(l)*uint64(row.step)
	}
	r := &c.racing
	*r = racing{Checker: c, w: w, plane: globalPlane, me: tag(site << laneBits), width: 1, memory: c.global,
		a: &simt.Access{Space: simt.Global, Read: true, Size: size, Addr: &addr,
			Lanes: ^uint64(0) >> (simt.MaxLanes - int(row.many)) << row.first}}
	r.lanes()
}

// bytes is how many bytes what is kept takes.
func (q *unheard) bytes() int {
	rows, runs := cap(q.rows)*int(unsafe.Sizeof(quietRow{})), cap(q.runs)*int(unsafe.Sizeof(quietRun{}))
	return q.pages.Bytes() + rows + runs
}
