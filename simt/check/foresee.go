package check

import (
	"math/bits"

	"simtgdb/simt"
)

// Of a stream it is known what its next waves do, if they do as those before: so a core that sees to that
// need not tell of them (simt.Foreseer). What they do must be of the stream, as if each were told of.

// A foresight is what is foreseen of a stream.
type foresight struct {
	waves  int           // from the last run's end on
	within []streamPlace // of all steps, before that
	pages  []uint64      // that have been noted for what the waves store
	noting bool          // such pages are
}

// Foresee implements simt.Foreseer.
func (c *Checker) Foresee(id, n int) int {
	s := &c.stream
	switch {
	case c.kinds&Uninit != 0 && len(c.blank) > 0:
		return 0
	case c.kinds&Race == 0: // for which alone it matters what waves do in bulk that is not told otherwise
		return n
	}
	if s.wave != nil || len(s.runs) == 0 || !c.hearsLater() || c.begins() ||
		len(c.old)+len(c.blanks)+len(c.copies.of)+len(c.waves)+len(c.groups) > 0 {
		return 0
	}
	if r := &s.runs[len(s.runs)-1]; r.count < 2 || id != r.first+r.count {
		return 0
	}
	n = c.foreseeLoads(n)
	f := &c.foreseen
	f.within, f.pages = f.within[:0], f.pages[:0]
	for i := range s.steps {
		f.within = append(f.within, s.steps[i].within...)
	}
	if f.waves = c.foreseeStores(n); f.waves < n {
		c.forgetStores()
		c.foreseeStores(f.waves)
	}
	return f.waves
}

// Foreseen implements simt.Foreseer.
func (c *Checker) Foreseen(n int) {
	if c.kinds&Race == 0 {
		return
	}
	s := &c.stream
	if n < c.foreseen.waves {
		c.forgetStores()
		c.foreseeStores(n)
	}
	c.foreseen.waves = 0
	s.runs[len(s.runs)-1].count += n
	for range n {
		c.fits()
	}
}

// ahead gives the places of the last run's wave that is k behind its last, by a function that is called with
// each step and the number of its first place.
func (s *stream) ahead(each func(step *streamStep, from, by []uint64) bool) {
	n := s.width()
	of := s.places[len(s.places)-2*n:]
	from, by := of[:n], of[n:]
	for i := range s.steps {
		step := &s.steps[i]
		k := len(step.within)
		if !each(step, from[:k], by[:k]) {
			return
		}
		from, by = from[k:], by[k:]
	}
}

// foreseeLoads notes what the stream's next n waves load, and says of how many of them that is in order with
// all else.
func (c *Checker) foreseeLoads(n int) int {
	s := &c.stream
	behind := uint64(s.runs[len(s.runs)-1].count)
	pieces := func(each func(in *streamPlace, row *simt.LoadRow, p simt.Piece, by uint64) bool) {
		s.ahead(func(step *streamStep, from, by []uint64) bool {
			for i := range step.pieces {
				p := step.pieces[i]
				p.At = from[i] + behind*by[i]
				if !each(&step.within[i], &step.loads.Rows[p.Row], p, by[i]) {
					n = 0
					return false
				}
			}
			return true
		})
	}
	pieces(func(in *streamPlace, row *simt.LoadRow, p simt.Piece, by uint64) bool {
		e := p.Group(row)
		e.Hi += p.Further()
		if !c.inRegion(in, e) {
			return false
		}
		n = min(n, staysFor(in.region, e, by))
		return true
	})
	if n == 0 {
		return 0
	}
	pieces(func(_ *streamPlace, row *simt.LoadRow, p simt.Piece, by uint64) bool {
		return c.readAhead(row, p, by, n)
	})
	return n
}

// staysFor is of how many waves an extent that is within a region is so, where each one's is as much further
// on.
func staysFor(region, e simt.Extent, by uint64) int {
	const most = 1 << 30
	switch room := region.Hi - e.Hi; {
	case by == 0:
		return most
	case int64(by) < 0:
		room, by = e.Lo-region.Lo, -by
		fallthrough
	default:
		return int(min(room/by+1, most))
	}
}

// readAhead notes that n waves read pieces, each as much further on than the one before it.
func (c *Checker) readAhead(row *simt.LoadRow, p simt.Piece, by uint64, n int) bool {
	const page = 1 << quietPage
	all := p.Group(row)
	all.Hi += p.Further()
	if by == 0 {
		n = 1
	}
	if by <= page && p.Step <= page && p.Skip <= page {
		return c.unheard.read(all.Lo, all.Hi+uint64(n-1)*by, c.generation)
	}
	for range n {
		first := simt.Extent{Lo: p.At + uint64(row.Lo), Hi: p.At + uint64(row.Hi)}
		if !c.unheard.readPiece(&p, first, c.generation) {
			return false
		}
		p.At += by
	}
	return true
}

// foreseeStores notes what the stream's next n waves store, and says of how many of them nobody has been
// where they do.
func (c *Checker) foreseeStores(n int) int {
	s := &c.stream
	behind := uint64(s.runs[len(s.runs)-1].count)
	c.foreseen.noting = true
	defer func() { c.foreseen.noting = false }()
	for k := range n {
		ok := true
		s.ahead(func(step *streamStep, from, by []uint64) bool {
			if step.kind != stepStore {
				return true
			}
			e := step.stores(from[0] + (behind+uint64(k))*by[0])
			ok = c.inRegion(&step.within[0], e) && c.untouched(&s.steps[step.from].within[0], e)
			return ok
		})
		if !ok {
			return k
		}
	}
	return n
}

// forgetStores undoes foreseeStores.
func (c *Checker) forgetStores() {
	f := &c.foreseen
	for _, page := range f.pages {
		*c.unheard.pages.At(page, c.generation) = 0
	}
	f.pages = f.pages[:0]
	was := f.within
	for i := range c.stream.steps {
		in := c.stream.steps[i].within
		copy(in, was)
		was = was[len(in):]
	}
}

// stores is what a step stores, from an address on.
func (s *streamStep) stores(at uint64) simt.Extent {
	return simt.Extent{Lo: at, Hi: at + uint64(s.store.Size*bits.OnesCount64(s.store.Lanes))}
}
