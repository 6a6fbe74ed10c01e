package stub

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

// lanesLooked bounds for how many lanes the subscripts of one instruction are evaluated, which takes some
// microseconds for each, unless one of them leads out of its bound: who goes back comes to the same again.
const lanesLooked = 1 << 12

// Beyond implements check.Objects.
func (a *arrays) Beyond(acc *simt.Access) func(lane int) *check.Subscript {
	e := a.elementAt(acc)
	if e == nil || len(e.paths) == 0 || e.left == 0 {
		return nil
	}
	return func(lane int) *check.Subscript {
		var env *elementEnv
		for _, p := range e.paths {
			if e.left == 0 {
				return nil
			}
			if env == nil {
				env = e.scene.env(e.frame(acc.Wave, lane, acc.PC))
			}
			if x := a.beyond(e, p, acc, env); x != nil {
				e.left = math.MaxInt
				return x
			}
		}
		return nil
	}
}

// beyond is the first subscript of a path that leads out of its array in a lane; nil if none does, or they do
// not lead to what is accessed.
func (a *arrays) beyond(e *elementAt, p *accessPath, acc *simt.Access, env *elementEnv) *check.Subscript {
	lane := env.frame.Lane
	addr, ok := p.start(env)
	if !ok {
		return nil
	}
	space, start, ok := a.frames.ownPlace(env.frame, addr)
	if p.pointer && space == simt.Global {
		start = addr // PTX has pointers that are addresses in the memory that the instruction names
	} else if !ok || space != acc.Space {
		return nil
	}
	at := int64(acc.Addr[lane] - start)
	if p.holds(at) {
		return nil
	}
	e.left--
	index, ok := p.indices(at, acc.Size, env)
	if !ok {
		return nil
	}
	for i, s := range p.steps {
		if s.count != 0 && uint64(index[i]) >= s.count {
			array, row := p.array(i, index)
			array.Space, array.Lo, array.Hi = acc.Space, start+array.Lo, start+array.Hi
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
