package objects

import (
	"math"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// A subscript that is out of its bound leads into another row of an array of arrays, or another member of a
// structure, where the address does not show it. So the subscripts that the source has at an access are
// evaluated in the lane. They count where the object that they name is the one that is accessed, so that
// neither what an optimiser has moved nor a variable that has another value by then makes a report; one that
// has no value there may be anything that fits.

// lanesLooked bounds how often the way of one instruction to an object is followed, which takes a microsecond
// or more, unless a subscript leads out of its bound: who goes back comes to the same again. Subscripts count
// as subscriptCost.
const (
	lanesLooked   = 1 << 14
	subscriptCost = 4
)

// Beyond implements check.Objects.
func (a *arrays) Beyond(acc *simt.Access) func(lane int) *check.Subscript {
	e := a.elementAt(acc)
	if e == nil || len(e.paths) == 0 || e.left <= 0 {
		return nil
	}
	l := &look{element: e, acc: acc}
	return func(lane int) *check.Subscript {
		if e.left <= 0 {
			return nil
		}
		l.env = nil
		for _, p := range e.paths {
			if x := l.beyond(p, lane); x != nil {
				e.left = math.MaxInt
				return x
			}
		}
		return nil
	}
}

// A look is at one access of a wave.
type look struct {
	element *elementAt
	acc     *simt.Access
	env     *elementEnv // of the lane; nil until it is wanted
	common  *uint64     // where the variable is for all lanes; nil if that is not known
}

// in is the lane, for expressions.
func (l *look) in(lane int) *elementEnv {
	if l.env == nil {
		l.env = l.element.scene.env(l.element.frame(l.acc.Wave, lane, l.acc.PC))
	}
	return l.env
}

// start is where a path starts in a lane, in the memory that is accessed: a variable in the same place for
// all lanes, but on machines that have the lanes' own memory in global memory.
func (l *look) start(p *accessPath, lane int) (addr uint64, ok bool) {
	switch e := l.element; {
	case !p.pointer && l.common != nil:
		return *l.common, true
	case !p.pointer && e.start != nil:
		return *e.start, true
	case !p.pointer && e.sourced.entry != nil:
		return e.sourced.meant(l.acc.Meant, e.scene.arrays.frames.Arch.Model())
	}
	l.element.left--
	env := l.in(lane)
	if addr, ok = p.start(env); !ok {
		return 0, false
	}
	space, at, ok := env.Finder.OwnPlace(env.Frame, addr)
	if p.pointer && space == simt.Global {
		return addr, true // PTX has pointers that are addresses in the memory that the instruction names
	}
	if !ok || space != l.acc.Space {
		return 0, false
	}
	if !p.pointer && l.element.static {
		l.element.start = &at
	} else if !p.pointer && space != simt.Global {
		l.common = &at
	}
	return at, true
}

// beyond is the first subscript of a path that leads out of its array in a lane; nil if none does, or they do
// not lead to what is accessed.
func (l *look) beyond(p *accessPath, lane int) *check.Subscript {
	start, ok := l.start(p, lane)
	at := int64(l.acc.Addr[lane] - start)
	if !ok || p.holds(at) {
		return nil
	}
	l.element.left -= subscriptCost
	index, ok := p.indices(at, l.acc.Size, l.in(lane))
	if !ok {
		return nil
	}
	for i, s := range p.steps {
		if s.count != 0 && uint64(index[i]) >= s.count {
			array, row := p.array(i, index)
			array.Space, array.Lo, array.Hi = l.acc.Space, start+array.Lo, start+array.Hi
			return &check.Subscript{Text: s.text, Index: index[i], Count: s.count, Array: array, Row: row}
		}
	}
	return nil
}

// array is the array that a subscript chooses from, counted from the start of its path. If that is a row of
// another one it is the outermost of these.
func (p *accessPath) array(i int, index []int64) (array *simt.Object, row bool) {
	for i > 0 && p.steps[i].row && p.steps[i-1].count != 0 {
		i, row = i-1, true
	}
	lo := int64(0)
	for j, s := range p.steps[:i] {
		lo += int64(s.offset) + index[j]*int64(s.stride)
	}
	s := &p.steps[i]
	return &simt.Object{Name: s.array, Lo: uint64(lo), Hi: uint64(lo) + s.count*s.stride}, row
}
