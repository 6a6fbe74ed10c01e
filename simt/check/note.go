package check

import (
	"math/bits"

	"simtgdb/simt"
)

// An undo is a cell, or a whole unit, before an access that may have been noted in vain.
type undo struct {
	at   *cell
	was  cell
	unit *unit // that has got cells for its words: it had none, and was as at
}

// undo makes what is known what it was.
func (u *undo) undo() {
	if u.unit != nil {
		u.unit.cell, u.unit.words = u.was, nil
		return
	}
	*u.at = u.was
}

// Noted implements simt.Noter: it is Observe for accesses with nothing to tell of. Where they lead, cores see
// to, see [simt.Aimer].
func (c *Checker) Noted(a *simt.Access) bool {
	if a.Atomic || len(c.copies.of) > 0 {
		return false
	}
	if a.Lanes == 0 {
		return true
	}
	if c.kinds&Uninit != 0 {
		c.beginOwn(a.Wave)
		if !c.hasContents(a) {
			return false
		}
	}
	if c.kinds&Race != 0 && a.Space != simt.Scratch && !c.streamAccess(a) && !c.ownMemory(a) &&
		!c.noteRace(c.wave(a.Wave), a) {
		return false
	}
	c.fits()
	return true
}

// noteRace notes an access that is in conflict with nothing.
func (c *Checker) noteRace(w *wave, a *simt.Access) bool {
	if c.quietRead(w, a) {
		return true
	}
	s := spreadOf(a)
	if c.strict || a.Write && !s.rising {
		return false
	}
	r := c.begin(w, a, s)
	if r == nil || r.quick(s) || r.quickWords(s) {
		return true
	}
	r.noting = true
	r.lanes()
	if r.bad != 0 {
		for i := len(c.undos) - 1; i >= 0; i-- {
			c.undos[i].undo()
		}
		c.undos = c.undos[:0]
		return false
	}
	c.undos = c.undos[:0]
	r.end()
	r.learns()
	return true
}

// contentsAt is what is known of the contents around an address, and of which bytes that is, words of which
// are counted from there on: nil where all of them have contents, of no bytes where nothing is known.
func (c *Checker) contentsAt(a *simt.Access, at uint64) (d *defined, of simt.Extent) {
	switch a.Space {
	case simt.LDS:
		if g := c.group(a.Group()); !g.whole && !c.old[a.Group().Index] {
			d = g.written
		}
		return d, simt.Everywhere()
	case simt.Global:
		if len(c.blank) == 0 {
			return nil, simt.Everywhere()
		}
		if r := c.regionAt(at); r != nil {
			return c.blank[r], simt.Extent{Lo: r.Base, Hi: r.End()}
		}
	}
	return nil, simt.Extent{}
}

// hasContents notes what is written, and reports whether all that is read has been.
func (c *Checker) hasContents(a *simt.Access) bool {
	d, of := c.contentsAt(a, a.Addr[bits.TrailingZeros64(a.Lanes)])
	if of == simt.Everywhere() && d == nil {
		return true
	}
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		if at := a.Addr[bits.TrailingZeros64(rest)]; at < of.Lo || at+uint64(a.Size) > of.Hi {
			return false
		}
	}
	if d == nil {
		return true
	}
	from := of.Lo / wordSize
	if s := spreadOf(a); s.dense && s.Lo%wordSize == 0 && s.Hi%wordSize == 0 {
		return c.haveContents(a, d, s.Lo/wordSize-from, s.Hi/wordSize-from)
	}
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		lo := a.Addr[bits.TrailingZeros64(rest)]
		hi := lo + uint64(a.Size)
		for word := lo / wordSize; word*wordSize < hi; word++ {
			touched := bytesOf(word, lo, hi)
			if a.Read && d.Get(word-from)&touched != touched {
				return false
			}
			if a.Write {
				at := d.At(word-from, c.generation)
				*at = *at&^(touched<<wordSize) | touched
			}
		}
	}
	return true
}

// haveContents is hasContents for words from one up to another.
func (c *Checker) haveContents(a *simt.Access, d *defined, word, end uint64) bool {
	for word < end {
		row := d.Row(word, int(end-word), c.generation)
		word += uint64(len(row))
		for i, v := range row {
			if a.Read && v&allWritten != allWritten {
				return false
			}
			if a.Write {
				row[i] = allWritten
			}
		}
	}
	return true
}

// haveBeenWritten reports whether all that loads read has been written, of regions that hold nothing at
// first. Of words of which they read a part that may be unknown.
func (c *Checker) haveBeenWritten(l *simt.Loads, pieces []simt.Piece) bool {
	if len(c.blank) == 0 {
		return true
	}
	for i := range pieces {
		p := &pieces[i]
		row := &l.Rows[p.Row]
		e, many := p.Group(row), 1
		r := c.regionAt(e.Lo)
		if r == nil || !r.Holds(e.Lo, e.Hi+p.Further()-e.Lo) {
			return false
		}
		d := c.blank[r]
		if d == nil {
			continue
		}
		if !p.Dense(row) { // lane by lane
			e.Hi, many = p.At+uint64(row.Hi), int(p.Many)
		}
		for g := range uint64(p.Times) {
			for k := range uint64(many) {
				by := g*uint64(p.Skip) + k*uint64(p.Step) - r.Base
				if !written(d, e.Lo+by, e.Hi+by) {
					return false
				}
			}
		}
	}
	return true
}

// written reports whether all bytes of words have been, from one byte up to another.
func written(d *defined, lo, hi uint64) bool {
	for word := lo / wordSize; word*wordSize < hi; word++ {
		if d.Get(word)&allWritten != allWritten {
			return false
		}
	}
	return true
}

// regionAt is the region of global memory where an address is; nil if it is in none.
func (c *Checker) regionAt(addr uint64) *simt.Region {
	if r := c.region; r != nil && r.Holds(addr, 1) {
		return r
	}
	r := c.m.Mem.Find(addr)
	if r != nil {
		c.region = r
	}
	return r
}
