package contents

import (
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// Which bits of a result depend on bits without contents, an instruction shows that is executed with several
// values in their place: what comes out different depends on them, for certain. What would differ only for
// values that are not tried is not found.

// A trial is an instruction that is executed to see on what its results depend.
type trial struct {
	lanes   uint64
	all     []Operand               // that results come from
	sources []Operand               // of all, those with bits without contents in some of the lanes
	kept    [][simt.MaxLanes]uint64 // of sources and results, in this order
	first   [][simt.MaxLanes]uint64 // the results of the first execution
	differs [][simt.MaxLanes]uint64 // bits that were others in another
}

// A finding is a result that has bits without contents in a lane.
type finding struct {
	to      Operand
	lane    int
	lacking uint64
	mere    bool
	from    uint64
}

// move finds what bits of a result have no contents, where not all of it has none, or leaves it to try.
func (f *Follower) move(v *Move, blank uint64) {
	switch {
	case f.e == nil || v.Way == Opaque || v.Logic != nil || len(v.From) == 0:
	case v.Chosen:
		known := f.lanes
		if o := v.From[2]; o >= 0 {
			known &^= f.e.Lacks(o, f.lanes)
		}
		which := f.r.Truth(v.From[2])
		f.same(v.To, v.From[0], known&which)
		f.same(v.To, v.From[1], known&^which)
	case v.Way == Moved:
		f.same(v.To, v.From[0], f.lanes)
	default:
		for _, o := range v.From {
			if o >= 0 {
				f.trial.lanes |= f.e.Lacks(o, f.lanes&^blank)
			}
		}
	}
}

// same notes that a result has what a source has.
func (f *Follower) same(to, from Operand, lanes uint64) {
	if from < 0 {
		return
	}
	for m := f.e.Lacks(from, lanes); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		lacking, mere, at := f.e.Bits(from, l)
		f.found = append(f.found, finding{to, l, lacking, mere, at})
	}
}

// row is what an operand has in some lanes.
func (f *Follower) row(o Operand, lanes uint64) (row [simt.MaxLanes]uint64) {
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		row[l] = f.e.Value(o, l)
	}
	return row
}

// put gives it back.
func (f *Follower) put(o Operand, row *[simt.MaxLanes]uint64, lanes uint64) {
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		f.e.Put(o, l, row[l])
	}
}

// try executes the instruction with several values for bits without contents, and finds what depends on them.
func (f *Follower) try() {
	t := &f.trial
	f.prepare()
	n := len(t.sources)
	for p := range Fills + len(t.all) {
		for i, o := range t.sources {
			f.fill(p, i, o)
		}
		f.e.Try()
		for i := range f.in.Moves {
			row := f.row(f.in.Moves[i].To, f.lanes)
			if p == 0 {
				t.first = append(t.first, row)
			}
			for l, v := range row {
				t.differs[i][l] |= v ^ t.first[i][l]
			}
			f.put(f.in.Moves[i].To, &t.kept[n+i], f.lanes)
		}
		for i, o := range t.sources {
			f.put(o, &t.kept[i], t.lanes)
		}
	}
	for i := range f.in.Moves {
		if v := &f.in.Moves[i]; v.Way.Tries() {
			for m := t.lanes &^ f.results[i].blank; m != 0; m &= m - 1 {
				f.depends(i, v, bits.TrailingZeros64(m))
			}
		}
	}
}

// prepare finds what a trial begins with.
func (f *Follower) prepare() {
	t := &f.trial
	t.all, t.sources = t.all[:0], t.sources[:0]
	t.kept, t.first, t.differs = t.kept[:0], t.first[:0], t.differs[:0]
	for i := range f.in.Moves {
		for _, o := range f.in.Moves[i].From {
			if o < 0 || slices.Contains(t.all, o) || !f.in.Moves[i].Way.Tries() {
				continue
			}
			t.all = append(t.all, o)
			if f.e.Lacks(o, t.lanes) != 0 {
				t.sources = append(t.sources, o)
			}
		}
	}
	for _, o := range t.sources {
		t.kept = append(t.kept, f.row(o, t.lanes))
	}
	for i := range f.in.Moves {
		t.kept = append(t.kept, f.row(f.in.Moves[i].To, f.lanes))
		t.differs = append(t.differs, [simt.MaxLanes]uint64{})
	}
}

// fill puts values in the place of bits without contents, the p-th of source i: at last those of the operands
// that it may be compared with, which may have been filled themselves.
func (f *Follower) fill(p, i int, o Operand) {
	t := &f.trial
	width := f.e.Width(o)
	other := t.all[max(p-Fills, 0)]
	if other == o {
		other = t.all[max(p-Fills+1, 0)%len(t.all)]
	}
	for m := f.e.Lacks(o, t.lanes); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		lacking, _, _ := f.e.Bits(o, l)
		lacking &= width
		v := Filled(p, i, lacking)
		if p >= Fills {
			v = f.e.Value(other, l)
		}
		f.e.Put(o, l, t.kept[i][l]&^lacking|v&lacking)
	}
}

// Fills is how many values are tried besides those of other operands.
const Fills = 8

// Filled is the p-th value to try in some bits of source i: the extremes of numbers with and without a sign,
// and patterns in which any two bits differ now and then. Odd sources have another of each pair.
func Filled(p, i int, lacking uint64) uint64 {
	top := uint64(1) << (bits.Len64(lacking|1) - 1)
	const half = 0x5555555555555555
	if p < 6 {
		return [...]uint64{0, ^uint64(0), top, ^top, half, ^uint64(half)}[p^i&1]
	}
	return (uint64(p+i) * 0x9e3779b97f4a7c15) ^ lacking>>7
}

// wordBits is below how many bits a number may be padding by itself.
const wordBits = 31

// depends notes bits of a result that depend on bits without contents.
func (f *Follower) depends(move int, v *Move, lane int) {
	t := &f.trial
	at := uint64(1) << lane
	d := finding{to: v.To, lane: lane, lacking: t.differs[move][lane]}
	d.mere = v.Way == Placed || v.Way == Paired || v.Way == Shifted && bytesWhole(d.lacking)
	if d.lacking == 0 {
		return
	}
	width := f.e.Width(v.To)
	for i, o := range v.From {
		if o < 0 || f.e.Lacks(o, at) == 0 {
			d.mere = d.mere && v.Cut>>i&1 == 0
			continue
		}
		lacking, mere, from := f.e.Bits(o, lane)
		// A whole number of some size that was a part of what has contents is no padding.
		taken := d.lacking == width && width>>wordBits != 0 && lacking&f.e.Width(o) != f.e.Width(o)
		d.from = from
		d.mere = d.mere && (mere && !taken || v.Way == Paired && i == len(v.From)-1)
	}
	f.found = append(f.found, d)
}

// bytesWhole reports whether bits are those of whole bytes.
func bytesWhole(bits uint64) bool {
	for ; bits != 0; bits >>= 8 {
		if b := bits & 0xff; b != 0 && b != 0xff {
			return false
		}
	}
	return true
}
