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

// A quietRow is what lanes from one on have read, each behind the one before, or one lane.
type quietRow struct {
	at          uint64
	site        int32
	size        int16
	first, many int8
}

// NotedRow implements simt.RowReader.
func (c *Checker) NotedRow(w *simt.Wave, pc, at uint64, size, first, many int) bool {
	if c.kinds&Race == 0 || c.strict || len(c.copies.of) > 0 || c.kinds&Uninit != 0 && len(c.blank) > 0 ||
		size > maxItem {
		return false
	}
	s := c.wave(w)
	s.goes(w.Active(), w.Valid)
	row := quietRow{at: at, size: int16(size), first: int8(first), many: int8(many)}
	if s.cover.at != s.now {
		s.cover = cover{at: s.now}
	}
	if s.cover.has(&row) {
		return true
	}
	r := c.region
	if r == nil || !r.Holds(at, 1) {
		if r = c.m.Mem.Find(at); r == nil {
			return false
		}
		c.region = r
	}
	c.fits()
	bytes := uint64(size) * uint64(many)
	if !r.Holds(at, bytes) || !r.Private && !c.unheard.read(at, at+bytes, c.generation) {
		return false
	}
	if !r.Private && s.cover.add(&row) {
		s.touches(globalPlane)
		row.site = int32(c.siteAs(site{pc: pc, chain: c.chains.of(w, first)}))
		c.unheard.add(s, &row)
		c.hearAll()
	}
	return true
}

// has reports whether a row has been read.
func (c *cover) has(r *quietRow) bool {
	lo, hi := r.at, r.at+uint64(r.many)*uint64(r.size)
	for i := range c.all {
		if e := &c.all[i]; lo >= e.Lo && hi <= e.Hi {
			return true
		}
	}
	return false
}

// A quietRun is rows that a wave has read one after the other, with what was so then. It keeps no wave: most
// have ended when it is looked at.
type quietRun struct {
	upTo  int // of rows
	at    *epoch
	sides sides
	syncs syncs
	knows *clocks // of global memory
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

// quietRead keeps a read for later. It reports whether that will do.
func (c *Checker) quietRead(w *wave, a *simt.Access) bool {
	if a.Space != simt.Global || a.Write || c.strict || a.Size > maxItem {
		return false
	}
	if c.bySource(a); a.Atomic || a.Perhaps {
		return false
	}
	var rows [simt.MaxLanes]quietRow
	n := 0
	size := uint64(a.Size)
	for rest := a.Lanes; rest != 0; {
		l := bits.TrailingZeros64(rest) & (simt.MaxLanes - 1)
		at := a.Addr[l]
		many := min(simt.MaxLanes-l, bits.TrailingZeros64(^(rest >> l)))
		lanes := a.Addr[l : l+many]
		i := 1
		if many > 1 && lanes[1] == at {
			for i < many && lanes[i] == at {
				i++
			}
			many = 1
		} else {
			for i < many && lanes[i] == at+uint64(i)*size {
				i++
			}
			many = i
		}
		rest &^= (1<<i - 1) << l
		end := at + uint64(many)*size
		if !c.unheard.read(at, end, c.generation) {
			return false
		}
		rows[n] = quietRow{at: at, size: int16(size), first: int8(l), many: int8(many)}
		n++
	}
	w.goes(a.Wave.Active(), a.Wave.Valid)
	w.touches(globalPlane)
	if w.cover.at != w.now {
		w.cover = cover{at: w.now}
	}
	site := int32(-1)
	for i := range rows[:n] {
		r := &rows[i]
		if !w.cover.add(r) {
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

// add keeps a row.
func (q *unheard) add(w *wave, r *quietRow) {
	q.rows = append(doubled(q.rows), *r)
	if n := len(q.runs); n > 0 && q.runs[n-1].at == w.now && q.runs[n-1].knows == w.knows[globalPlane] {
		q.runs[n-1].upTo = len(q.rows)
		return
	}
	q.runs = append(doubled(q.runs), quietRun{len(q.rows), w.now, w.sides, w.syncs, w.knows[globalPlane]})
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
	size := uint64(r.size)
	lo, hi := r.at, r.at+uint64(r.many)*size
	for i := range c.all {
		e := &c.all[i]
		switch {
		case lo < e.Lo || lo > e.Hi:
			continue
		case hi <= e.Hi:
			return false
		}
		known := (e.Hi - lo) / size
		e.Hi = hi
		r.at, r.first, r.many = lo+known*size, r.first+int8(known), r.many-int8(known)
		return true
	}
	c.all[c.next] = simt.Extent{Lo: lo, Hi: hi}
	c.next = (c.next + 1) % covers
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
	var addr [simt.MaxLanes]uint64
	for i := range q.runs {
		run := &q.runs[i]
		w := &wave{id: int(run.at.wave), group: int(run.at.group), now: run.at, sides: run.sides,
			syncs: run.syncs}
		w.knows[globalPlane] = run.knows
		for ; at < run.upTo; at++ {
			row := &q.rows[at]
			a := &simt.Access{Space: simt.Global, Read: true, Size: int(row.size),
				Lanes: ^uint64(0) >> (simt.MaxLanes - int(row.many)) << row.first, Addr: &addr}
			for l := range int(row.many) {
				addr[int(row.first)+l] = row.at + uint64(l)*uint64(row.size)
			}
			r := &c.racing
			*r = racing{Checker: c, w: w, a: a, plane: globalPlane, me: tag(int(row.site) << laneBits),
				width: 1, memory: c.global}
			r.lanes()
		}
	}
	clear(q.runs)
	q.rows, q.runs = q.rows[:0], q.runs[:0]
	q.since++
}

// bytes is how many bytes what is kept takes.
func (q *unheard) bytes() int {
	rows, runs := cap(q.rows)*int(unsafe.Sizeof(quietRow{})), cap(q.runs)*int(unsafe.Sizeof(quietRun{}))
	return q.pages.Bytes() + rows + runs
}
