package check

import (
	"math/bits"

	"simtgdb/simt"
)

// Accesses of lanes in a row at even distances, as most are: they are noted without an address for each lane.

// NotedStride implements simt.StrideNoter.
func (c *Checker) NotedStride(a *simt.Access, at uint64, step uint32) bool {
	if a.Atomic || a.Lanes == 0 || c.strict || len(c.copies.of) > 0 || a.Size > maxItem || c.marked(a) {
		return false
	}
	first, many := bits.TrailingZeros64(a.Lanes), uint64(bits.OnesCount64(a.Lanes))
	if step == 0 && many > 1 {
		if a.Write {
			return false
		}
		many = 1
	}
	s := spread{Extent: simt.Extent{Lo: at, Hi: at + (many-1)*uint64(step) + uint64(a.Size)},
		rising: true, dense: many == 1 || int(step) == a.Size}
	if c.kinds&Uninit != 0 {
		c.beginOwn(a.Wave)
		if !c.strideHasContents(a, s, step) {
			return false
		}
	}
	if c.kinds&Race == 0 || a.Write && c.mayStream(a) && c.streamSpread(a, s) {
		c.fits()
		return true
	}
	w := c.wave(a.Wave)
	switch {
	case a.Space == simt.Global:
		if r := c.regionAt(at); r != nil && r.Private {
			break
		}
		if a.Write {
			if !c.strideWrite(w, a, s) {
				return false
			}
			break
		}
		p := simt.Piece{At: at, Step: step, First: uint8(first), Many: uint8(many), Times: 1}
		if !c.strideRead(w, a, &p) {
			return false
		}
	case a.Space != simt.LDS, !a.Write, !c.strideWrite(w, a, s):
		return false
	}
	c.fits()
	return true
}

// strideHasContents is hasContents for whole words of a row of lanes, without a look at each of them.
func (c *Checker) strideHasContents(a *simt.Access, s spread, step uint32) bool {
	if int(step) > a.Size || a.Write && !s.dense || s.Lo%wordSize != 0 || s.Hi%wordSize != 0 {
		return false
	}
	d, of := c.contentsAt(a, s.Lo)
	from := of.Lo / wordSize
	return s.Lo >= of.Lo && s.Hi <= of.Hi &&
		(d == nil || c.haveContents(a, d, s.Lo/wordSize-from, s.Hi/wordSize-from))
}

// strideRead keeps a read for later, as quietRead does.
func (c *Checker) strideRead(w *wave, a *simt.Access, p *simt.Piece) bool {
	if !c.unheard.readPiece(p, simt.Extent{Lo: p.At, Hi: p.At + uint64(a.Size)}, c.generation) {
		return false
	}
	c.goes(w, a.Wave.Active(), a.Wave.Valid)
	w.readsQuietly()
	var r quietRow
	r.of(p)
	r.size = int16(a.Size)
	if !c.covered(w).add(&r) {
		return true
	}
	r.site = int32(c.site(a))
	c.unheard.add(w, &r)
	c.hearAll()
	return true
}

// strideWrite notes a write of words side by side that is in conflict with nothing.
func (c *Checker) strideWrite(w *wave, a *simt.Access, s spread) bool {
	if a.Size != wordSize || !s.dense || s.Lo%wordSize != 0 {
		return false
	}
	r := c.begin(w, a, s)
	return r != nil && (r.quickUnits(s) || r.quickWords(s))
}

// quickUnits is quick for writes to whole units side by side.
func (r *racing) quickUnits(s spread) bool {
	n := int(s.Hi-s.Lo) / unitSize
	if s.Lo%unitSize != 0 || s.Hi%unitSize != 0 || r.a.Atomic {
		return false
	}
	units := r.memory.Row(s.Lo/unitSize, n, r.generation)
	if len(units) < n {
		return false
	}
	var known *epoch // that what is done now comes after
	for i := range units {
		u := &units[i]
		if u.words != nil || u.more != nil || u.write != known && !r.follows(u.write, true) ||
			u.read != known && !r.follows(u.read, false) {
			return false
		}
		known = u.write
	}
	me := r.me | tag(bits.TrailingZeros64(r.a.Lanes))
	for i := range units {
		u := &units[i]
		u.write, u.writeTag, u.read = r.w.now, me, nil
		me += unitWords
	}
	r.end()
	return true
}
