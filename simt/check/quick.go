package check

import (
	"iter"
	"math/bits"
	"unsafe"

	"simtgdb/simt"
)

// quick does an access of lanes in a row to whole units of memory, all of which it comes after: as most do.
// It reports whether it has; else nothing is done.
func (r *racing) quick(s spread) bool {
	a := r.a
	if a.Size != wordSize || a.Atomic || a.Perhaps && !a.Write {
		return false
	}
	const whole = 1<<unitWords - 1 // lanes of a unit, from the first on
	var units [simt.MaxLanes / unitWords]*unit
	n := 0
	for rest := a.Lanes; rest != 0; n++ {
		l := bits.TrailingZeros64(rest)
		if a.Addr[l]%unitSize != 0 || l > simt.MaxLanes-unitWords || rest>>l&whole != whole {
			return false
		}
		if !s.dense && !r.side(l) {
			return false
		}
		u := r.memory.At(a.Addr[l]/unitSize, r.generation)
		if u.words != nil || u.more != nil || !r.follows(u.write, true) ||
			!r.follows(u.read, false) {
			return false
		}
		units[n] = u
		rest &^= whole << l
	}
	rest := a.Lanes
	for _, u := range units[:n] {
		me := r.me | tag(bits.TrailingZeros64(rest))
		rest &^= whole << me.lane()
		if a.Write {
			u.write, u.writeTag, u.read = r.w.now, me, nil
		} else if u.read != r.w.now {
			u.read, u.readTag = r.w.now, me
		}
	}
	r.end()
	return true
}

// quickWords is quick for words side by side that are not whole units.
func (r *racing) quickWords(s spread) bool {
	a := r.a
	l := bits.TrailingZeros64(a.Lanes)
	if a.Size != wordSize || a.Atomic || a.Perhaps && !a.Write || !s.dense || s.Lo%wordSize != 0 ||
		a.Lanes>>l != ^uint64(0)>>(simt.MaxLanes-bits.OnesCount64(a.Lanes)) {
		return false
	}
	var known *epoch // that what is done now comes after
	for cells := range r.cellsOf(s) {
		for i := range cells {
			c := &cells[i]
			if c.more != nil || c.write != known && !r.follows(c.write, true) ||
				c.read != known && !r.follows(c.read, false) {
				return false
			}
			known = c.write
		}
	}
	me, now := r.me|tag(l), r.w.now
	for cells, words := range r.cellsOf(s) {
		for i := range cells {
			c := &cells[i]
			if a.Write {
				c.write, c.writeTag, c.read = now, me, nil
			} else if c.read != now {
				c.read, c.readTag = now, me
			}
			me += words
		}
	}
	r.end()
	return true
}

// cellsOf yields the cells of words side by side, some at a time, with how many words each is of.
func (r *racing) cellsOf(s spread) iter.Seq2[[]cell, tag] {
	return func(yield func([]cell, tag) bool) {
		for at := s.Lo; at < s.Hi; {
			u := r.memory.At(at/unitSize, r.generation)
			first := at / wordSize % unitWords
			end := min(unitWords, first+(s.Hi-at)/wordSize)
			at += (end - first) * wordSize
			if u.words == nil && end-first == unitWords {
				if !yield((*[1]cell)(unsafe.Pointer(&u.cell))[:], unitWords) {
					return
				}
				continue
			}
			if !yield(r.split(u)[first:end], 1) {
				return
			}
		}
	}
}

// side reports whether lanes from one on access the words of a unit.
func (r *racing) side(l int) bool {
	a := r.a
	for i, at := range a.Addr[l+1 : l+unitWords] {
		if at != a.Addr[l]+wordSize*uint64(i+1) {
			return false
		}
	}
	return true
}

// follows reports whether all that was done in an epoch, writing or reading, comes before what any lane does
// now, with nothing to be said of that.
func (r *racing) follows(e *epoch, wrote bool) bool {
	switch {
	case e == nil || e == r.w.now && !wrote && !r.a.Write:
		return true
	case int(e.wave) == r.w.id:
		return (r.inStep || r.kinds&All != All || e.side < r.w.syncs.all) && r.whole(r.w, e)
	}
	return r.before(e, 0, 0)
}
