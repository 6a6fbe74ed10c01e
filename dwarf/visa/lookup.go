package visa

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
)

// ObjectAt finds the object that holds a Gen offset, counted from the start of
// the kernel's code.
func (f *File) ObjectAt(gen uint32) (*Object, bool) {
	var found *Object
	for i := range f.Objects {
		o := &f.Objects[i]
		if o.RelocOffset <= gen && (found == nil || o.RelocOffset > found.RelocOffset) {
			found = o
		}
	}
	if found == nil || len(found.IndexMap) > 0 && gen-found.RelocOffset >= found.CodeSize() {
		return nil, false
	}
	return found, true
}

// CodeSize is the size of the object's code in bytes, or 0 when it is unknown:
// IGC ends the index map with an entry for the end of the code.
func (o *Object) CodeSize() uint32 {
	if len(o.IndexMap) == 0 {
		return 0
	}
	return o.IndexMap[len(o.IndexMap)-1].Gen
}

// IsFunction reports whether the object is a stack-call function, which returns
// to a caller, and not a kernel (retAddrValid).
func (o *Object) IsFunction() bool { return o.Frame.ReturnAddress.Valid }

// VISAIndexAt finds the vISA instruction that the Gen instruction at an offset,
// counted from the object's start, was made from: that of the last entry of the
// index map at or before the offset (VISAMap.genOffset).
func (o *Object) VISAIndexAt(gen uint32) (uint32, bool) {
	after := sort.Search(len(o.IndexMap), func(i int) bool { return o.IndexMap[i].Gen > gen })
	if after == 0 {
		return 0, false
	}
	return o.IndexMap[after-1].VISA, true
}

// subroutineSpan says where the code of a sub-routine begins.
type subroutineSpan struct {
	start uint32 // Gen offset from the object's start
	sub   *Subroutine
}

// subroutineSpans lists where the code of an object's sub-routines begins, in
// ascending order. IGC lays the sub-routines out behind the object's body, one
// after another, but what it did not make from a vISA instruction has the index
// of some other place: of the body, or on Gen12 of the last instruction of the
// last sub-routine. So that index is no sign of its sub-routine.
func (o *Object) subroutineSpans() ([]subroutineSpan, error) {
	if len(o.Subroutines) == 0 {
		return nil, nil
	}
	subs := make([]*Subroutine, len(o.Subroutines))
	for i := range o.Subroutines {
		subs[i] = &o.Subroutines[i]
	}
	slices.SortFunc(subs, func(a, b *Subroutine) int { return cmp.Compare(a.Start, b.Start) })
	for i, s := range subs[1:] {
		if before := subs[i]; s.Start <= before.End {
			return nil, fmt.Errorf("sub-routines %.100q and %.100q both have vISA index %d", before.Name,
				s.Name, s.Start)
		}
	}
	stray := subs[len(subs)-1].End
	var spans []subroutineSpan
	found := make(map[*Subroutine]bool, len(subs))
	for _, m := range o.IndexMap {
		after := sort.Search(len(subs), func(i int) bool { return subs[i].Start > m.VISA })
		if after == 0 || m.VISA > subs[after-1].End || m.VISA == stray || found[subs[after-1]] {
			continue
		}
		found[subs[after-1]] = true
		spans = append(spans, subroutineSpan{m.Gen, subs[after-1]})
	}
	slices.SortStableFunc(spans, func(a, b subroutineSpan) int { return cmp.Compare(a.start, b.start) })
	return spans, nil
}

// subroutineAt finds the sub-routine at a Gen offset, or nil.
func subroutineAt(spans []subroutineSpan, gen uint32) *Subroutine {
	after := sort.Search(len(spans), func(i int) bool { return spans[i].start > gen })
	if after == 0 {
		return nil
	}
	return spans[after-1].sub
}

// At finds the place of a variable at a vISA instruction. The variable is live
// from an interval's start up to, and not at, its end.
func (v *Variable) At(index uint32) (Place, bool) {
	for _, iv := range v.Live {
		if iv.Start <= index && index < iv.End {
			return iv.Place, true
		}
	}
	return Place{}, false
}

// liveAt finds the place of a frame value at a Gen offset. Both ends belong to
// the interval: IGC gives as the end the instruction that restores the caller's
// value, and before that one runs the callee's is still in place. lag widens
// the interval at its end (Target.RestoreLag).
func (t Tracked) liveAt(gen, lag uint32) (Place, bool) {
	for _, iv := range t.Live {
		if iv.Start <= gen && uint64(gen) <= uint64(iv.End)+uint64(lag) {
			return iv.Place, true
		}
	}
	return Place{}, false
}
