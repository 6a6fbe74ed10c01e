package check

import (
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// Where waves are executed in bulk, one after the other, mostly each does the same as the one before it, some
// bytes further on: it loads what nobody writes, and stores where nobody has been. All of that is in order
// with all else, whatever it is. So it is kept as what the first wave has done, and how far from one to the
// next it is, and looked at by itself once anything else is.

// A stream is what such waves have done.
type stream struct {
	steps []streamStep // of each wave
	runs  []streamRun
	// places are two for each place of a wave and run, those of a run one behind the other: where the first
	// wave's is, and how much further on each next one's.
	places []uint64

	wave  *simt.Wave // that is under way, which has done so many steps; nil if there is none
	id    int        // its number
	done  int
	at    []uint64 // its places
	valid uint64   // lanes of each
}

// A streamRun is waves in a row whose places are at even distances.
type streamRun struct{ first, count int }

// A streamStep is loads, a store, or a fence.
type streamStep struct {
	kind   stepKind
	loads  *simt.Loads
	pieces []simt.Piece
	store  simt.Access
	fence  simt.Fence
	chain  int32 // of calls
	within []streamPlace
	from   int // the step whose place a store shares: itself, or one before it that stores to the same page
}

type stepKind uint8

const (
	stepLoads stepKind = iota
	stepStore
	stepFence
)

// A streamPlace is what is known of memory at a place: the region that it is in, and pages that have been
// noted, the first and the last, for what it does there.
type streamPlace struct {
	region      simt.Extent
	first, last uint64
	upTo        uint64 // the last byte that has been stored, and one more
}

// mostPlaces and mostSteps bound what is kept of a stream. Where many have had few waves none is begun any
// more.
const (
	mostPlaces = 1 << 20
	mostSteps  = 64
	fewWaves   = 4
	mostVain   = 64
)

// any reports whether anything is kept.
func (s *stream) any() bool { return s.wave != nil || len(s.runs) > 0 }

// streams reports whether what a wave does may be kept as a stream.
func (c *Checker) streams(w *simt.Wave) bool {
	s := &c.stream
	if s.wave != nil {
		return s.wave == w && s.id == w.ID && w.Active()&w.Valid == w.Valid
	}
	if c.kinds&Race == 0 || c.streamsInVain >= mostVain || c.spilling || !c.hearsLater() ||
		c.known(w) != nil {
		return false
	}
	if w.Active()&w.Valid != w.Valid || w.Group.Index != w.ID/c.perGroup ||
		len(s.runs) > 0 && s.valid != w.Valid || c.begins() {
		return false
	}
	s.wave, s.id, s.done, s.at, s.valid = w, w.ID, 0, s.at[:0], w.Valid
	return true
}

// begins reports whether there is something to be noted of each wave as it begins.
func (c *Checker) begins() bool { return c.owned && len(c.blank) > 0 }

// beginOwn notes of a wave what is to be noted as it begins, before it is asked what its memory contains.
func (c *Checker) beginOwn(w *simt.Wave) {
	if c.begins() {
		c.wave(w)
	}
}

// next is the step that the wave does now, nil if there can be none, and whether it is one that no wave has
// done before.
func (s *stream) next() (step *streamStep, fresh bool) {
	if s.done < len(s.steps) {
		return &s.steps[s.done], false
	}
	if len(s.runs) > 0 || len(s.steps) == mostSteps {
		return nil, false
	}
	s.steps = append(s.steps, streamStep{})
	return &s.steps[s.done], true
}

// kept counts the step that the wave does now as done, if it is one of the stream; else a fresh one is none.
func (s *stream) kept(ok, fresh bool) bool {
	switch {
	case ok:
		s.done++
	case fresh:
		s.steps = s.steps[:s.done]
	}
	return ok
}

// streamFence keeps a fence. It reports whether there is nothing else to be done for it. Of a wave of which
// nothing is known it orders nothing. Nor does one that acquires in a stream, where nothing has been read
// atomically.
func (c *Checker) streamFence(w *simt.Wave, f simt.Fence) bool {
	s := &c.stream
	if s.wave == nil {
		return f.Scope != simt.WaveScope && c.known(w) == nil
	}
	if !c.streams(w) {
		return false
	}
	if f.Scope != simt.WaveScope && f.Order&simt.Release == 0 {
		return true
	}
	step, fresh := s.next()
	if step == nil {
		return false
	}
	if fresh {
		step.kind, step.fence = stepFence, f
	}
	return s.kept(step.kind == stepFence && step.fence == f, fresh)
}

// streamLoads keeps loads. It reports whether they are of a stream.
func (c *Checker) streamLoads(w *simt.Wave, l *simt.Loads, pieces []simt.Piece) bool {
	if !c.streams(w) {
		return false
	}
	s := &c.stream
	step, fresh := s.next()
	if step == nil {
		return false
	}
	chain := c.chains.of(w, int(pieces[0].First))
	if fresh {
		step.loads, step.pieces, step.chain = l, slices.Clone(pieces), chain
		step.within = make([]streamPlace, len(pieces))
	}
	if !s.kept(step.loads == l && step.chain == chain && len(step.pieces) == len(pieces) &&
		c.quietPlaces(step, pieces), fresh) {
		return false
	}
	for i := range pieces {
		s.at = append(s.at, pieces[i].At)
	}
	return true
}

// quietPlaces reports whether pieces are as a step's, and of memory that nobody has written to.
func (c *Checker) quietPlaces(step *streamStep, pieces []simt.Piece) bool {
	for i := range pieces {
		p, was, in := &pieces[i], &step.pieces[i], &step.within[i]
		if p.Row != was.Row || p.First != was.First || p.Many != was.Many || p.Step != was.Step ||
			p.Times != was.Times || p.Skip != was.Skip || p.Apart != was.Apart {
			return false
		}
		row := &step.loads.Rows[p.Row]
		e := p.Group(row)
		e.Hi += p.Further()
		if !c.inRegion(in, e) {
			return false
		}
		first, last := e.Lo>>quietPage, (e.Hi-1)>>quietPage
		if first >= in.first && last <= in.last {
			continue
		}
		if !c.unheard.readPiece(p, simt.Extent{Lo: e.Lo, Hi: p.At + uint64(row.Hi)}, c.generation) {
			return false
		}
		const page = 1 << quietPage
		switch {
		case p.Step > page || p.Skip > page: // pages between have not been read
		case in.last > 0 && first >= in.first && first <= in.last+1:
			in.last = last
		default:
			in.first, in.last = first, last
		}
	}
	return true
}

// inRegion reports whether bytes are in the region of a place, or in another that is no wave's own.
func (c *Checker) inRegion(in *streamPlace, e simt.Extent) bool {
	if e.Lo >= in.region.Lo && e.Hi <= in.region.Hi && e.Lo < e.Hi {
		return true
	}
	r := c.regionAt(e.Lo)
	if r == nil || r.Private || !r.Holds(e.Lo, e.Hi-e.Lo) {
		return false
	}
	in.region = simt.Extent{Lo: r.Base, Hi: r.End()}
	return true
}

// streamAccess keeps a store or a load. It reports whether it is one of a stream.
func (c *Checker) streamAccess(a *simt.Access) bool {
	if !c.mayStream(a) {
		return false
	}
	if c.bySource(a); a.Atomic {
		return false
	}
	if a.Write {
		return c.streamSpread(a, spreadOf(a))
	}
	c.pieces = simt.Pieces(c.pieces[:0], 0, a.Addr[:], a.Lanes)
	return c.streamLoads(a.Wave, c.single(a), c.pieces)
}

// single is a load as loads.
func (c *Checker) single(a *simt.Access) *simt.Loads {
	of := simt.Load{PC: a.PC, Size: a.Size, Perhaps: a.Perhaps, Near: a.Near, InOrder: a.InOrder,
		Unmarked: a.Unmarked}
	recent := &c.recentSingles[recently(a.PC)]
	if l := *recent; l != nil && l.All[0] == of {
		return l
	}
	l := c.singles[of]
	if l == nil {
		if c.singles == nil {
			c.singles = map[simt.Load]*simt.Loads{}
		}
		l = &simt.Loads{All: []simt.Load{of}}
		l.Ready(1)
		c.singles[of] = l
	}
	*recent = l
	return l
}

// mayStream reports whether an access is a load or a store that may be one of a stream.
func (c *Checker) mayStream(a *simt.Access) bool {
	return a.Space == simt.Global && a.Write != a.Read && !a.Atomic && a.Size <= maxItem && c.streams(a.Wave)
}

// streamSpread keeps a store that is where a spread says. It reports whether it is one of a stream.
func (c *Checker) streamSpread(a *simt.Access, sp spread) bool {
	if !sp.dense {
		return false
	}
	s := &c.stream
	step, fresh := s.next()
	if step == nil {
		return false
	}
	chain := c.chains.of(a.Wave, bits.TrailingZeros64(a.Lanes))
	if fresh {
		step.kind, step.store, step.chain, step.within = stepStore, *a, chain, make([]streamPlace, 1)
		o := &step.store
		o.Wave, o.Addr, o.Data, o.Meant, o.Parts, o.Bytes = nil, nil, nil, nil, nil, nil
		step.from = s.sharing(sp.Lo)
	}
	if !s.kept(step.kind == stepStore && step.chain == chain && sameStore(&step.store, a) &&
		c.inRegion(&step.within[0], sp.Extent) && c.untouched(&s.steps[step.from].within[0], sp.Extent),
		fresh) {
		return false
	}
	s.at = append(s.at, sp.Lo)
	return true
}

// sharing is the step whose place a store that is the last step shares: where several store to a page, each
// stores behind the one before it.
func (s *stream) sharing(at uint64) int {
	for i := range s.steps[:s.done] {
		step := &s.steps[i]
		if step.kind == stepStore && step.from == i && at>>quietPage == step.within[0].last {
			return i
		}
	}
	return s.done
}

// sameStore reports whether stores of two waves differ in where they are at most.
func sameStore(a, b *simt.Access) bool {
	return a.PC == b.PC && a.Size == b.Size && a.Lanes == b.Lanes && a.Of == b.Of && a.Order == b.Order &&
		a.Scope == b.Scope && a.Perhaps == b.Perhaps && a.Near == b.Near && a.Unmarked == b.Unmarked &&
		a.InOrder == b.InOrder
}

// untouched reports whether bytes are behind those that have been stored at a place before, and nobody else
// has accessed their pages. They count as written then.
func (c *Checker) untouched(in *streamPlace, e simt.Extent) bool {
	first, last := e.Lo>>quietPage, (e.Hi-1)>>quietPage
	from := first
	if in.upTo > 0 && first <= in.last {
		if e.Lo < in.upTo {
			return false
		}
		from = in.last + 1
	}
	for page := from; page <= last; page++ {
		if c.unheard.pages.Get(page) != 0 {
			return false
		}
	}
	for page := from; page <= last; page++ {
		*c.unheard.pages.At(page, c.generation) = pageWritten
		if c.foreseen.noting {
			c.foreseen.pages = append(c.foreseen.pages, page)
		}
	}
	in.last, in.upTo = max(in.last, last), e.Hi
	return true
}

// streamEnded notes that a wave has ended. It reports whether that was all.
func (c *Checker) streamEnded(w *simt.Wave) bool {
	s := &c.stream
	if s.wave != w || s.id != w.ID {
		return false
	}
	if s.done != len(s.steps) {
		c.spill()
		return false
	}
	s.wave = nil
	s.add()
	if len(s.places) > mostPlaces {
		c.spill()
	}
	return len(c.old) == 0 && len(c.blanks) == 0 && len(c.copies.of) == 0 && c.groups[w.Group.Index] == nil
}

// add adds a wave that has ended.
func (s *stream) add() {
	n := len(s.at)
	if len(s.runs) > 0 {
		r := &s.runs[len(s.runs)-1]
		of := s.places[len(s.places)-2*n:]
		from, by := of[:n], of[n:]
		switch {
		case s.id != r.first+r.count:
		case r.count == 1:
			for i, at := range s.at {
				by[i] = at - from[i]
			}
			r.count++
			return
		default:
			on, k := true, uint64(r.count)
			for i, at := range s.at {
				on = on && at == from[i]+k*by[i]
			}
			if on {
				r.count++
				return
			}
		}
	}
	s.runs = append(s.runs, streamRun{s.id, 1})
	s.places = append(s.places, s.at...)
	s.places = append(s.places, s.at...)
}

// spill looks at what is kept, as if each wave did now what it did.
func (c *Checker) spill() {
	s := c.stream
	if !s.any() {
		return
	}
	c.stream = stream{}
	c.spilling = true
	w := &simt.Wave{Regs: &simt.BulkState{}, Group: &simt.Workgroup{}, Size: c.m.ISA().WaveSize(),
		Valid: s.valid, Exec: s.valid}
	waves, n := 0, s.width()
	for _, r := range s.runs {
		from, by := s.places[:n], s.places[n:2*n]
		s.places = s.places[2*n:]
		waves += r.count
		for k := range r.count {
			w.ID, w.Group.Index = r.first+k, (r.first+k)/c.perGroup
			c.spillWave(w, s.steps, func(i int) uint64 { return from[i] + uint64(k)*by[i] })
			c.forgetWave(w)
		}
	}
	if s.wave != nil {
		w.ID, w.Group.Index = s.id, s.id/c.perGroup
		c.spillWave(w, s.steps[:s.done], func(i int) uint64 { return s.at[i] })
	}
	if waves < fewWaves {
		c.streamsInVain++
	}
	c.spilling = false
}

// width is how many places a wave has.
func (s *stream) width() (n int) {
	for i := range s.steps {
		n += len(s.steps[i].within)
	}
	return n
}

// spillWave looks at what a wave has done, at places by their numbers.
func (c *Checker) spillWave(w *simt.Wave, steps []streamStep, place func(i int) uint64) {
	n := 0
	for i := range steps {
		step := &steps[i]
		w.Regs.(*simt.BulkState).Calls = c.chains.sites(step.chain)
		switch step.kind {
		case stepFence:
			c.fence(c.wave(w), step.fence)
			continue
		case stepLoads:
			for k := range step.pieces {
				step.pieces[k].At = place(n)
				n++
			}
			c.noteLoads(w, step.loads, step.pieces)
			continue
		}
		a, at := step.store, place(n)
		n++
		var addr [simt.MaxLanes]uint64
		simt.Lanes(a.Lanes, func(l int) {
			addr[l] = at
			at += uint64(a.Size)
		})
		a.Wave, a.Addr = w, &addr
		c.noteRace(c.wave(w), &a)
	}
}
