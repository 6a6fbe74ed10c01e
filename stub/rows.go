package stub

import (
	"fmt"
	"math"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/subscript"
	"simtgdb/stub/unwind"
)

// A subscript of an array of arrays that is out of its bound leads into another row, where the address does
// not show it. So the subscripts that the source has at an access are evaluated in the lane. They count where
// the element that they name is the one that is accessed, so that neither what an optimiser has moved nor a
// variable that has another value by then makes a report; one that has no value there may be anything that
// fits.

// rows are the subscripts of an element of an array of arrays.
type rows struct {
	scene  *scene
	texts  []string
	index  []*cexpr.Expr
	count  []uint64 // of elements, in each direction
	stride []uint64 // in bytes
	left   int      // how many lanes are still looked at
}

// lanesLooked bounds for how many lanes the subscripts of one instruction are evaluated, which takes some ten
// microseconds for each, unless one of them leads out of its row: who goes back comes to the same again.
const lanesLooked = 1 << 12

// A scene is where in a program an expression of its source stands.
type scene struct {
	unit   *dwarf.Unit
	scopes []*dwarf.DIE
	source string // the text of the file
}

// rowsOf finds the subscripts of an element; nil if it has but one, or some that cannot be evaluated.
func (a *arrays) rowsOf(e *elementAt, s *scene) *rows {
	r := &rows{scene: s, texts: e.does.Subscripts, left: lanesLooked}
	t := types.Strip(e.variable.TypeDIE())
	for t != nil && t.Tag == dwarf.TagArrayType && !types.IsVector(t) {
		for _, c := range t.Children {
			if c.Tag == dwarf.TagSubrangeType {
				r.count = append(r.count, types.Count(c))
			}
		}
		t = types.Strip(t.TypeDIE())
	}
	n := len(r.count)
	if n < 2 || n != len(r.texts) {
		return nil
	}
	r.stride = make([]uint64, n)
	size := a.frames.arch.Model().Size(t)
	for i := n - 1; i >= 0; i-- {
		if size == 0 || r.count[i] == 0 {
			return nil
		}
		r.stride[i] = size
		size *= r.count[i]
	}
	for _, text := range r.texts {
		x, err := cexpr.Parse(text, s.meaning)
		if err != nil {
			return nil
		}
		r.index = append(r.index, x)
	}
	return r
}

// meaning tells types from variables.
func (s *scene) meaning(name string) cexpr.Meaning {
	if s.typeNamed(name, typeTags) != nil {
		return cexpr.Type
	}
	return cexpr.Variable
}

func (s *scene) typeNamed(name string, tags []dwarf.Tag) *dwarf.DIE {
	root, err := s.unit.Root()
	if err != nil {
		return nil
	}
	return namedIn(root, name, tags...)
}

// Beyond implements check.Objects.
func (a *arrays) Beyond(acc *simt.Access, lane int, in *simt.Object) *check.Subscript {
	e := a.at[acc.PC]
	if e == nil || e.rows == nil || e.rows.left == 0 || !e.rows.atEdge(acc.Addr[lane]-in.Lo) {
		return nil
	}
	r := e.rows
	r.left--
	env := a.env(r.scene, e.frame(acc.Wave, lane, acc.PC))
	rest, bad, unknown := int64(acc.Addr[lane]-in.Lo), -1, -1
	index := make([]int64, len(r.index))
	for i, x := range r.index {
		n, ok := value(x, env)
		switch {
		case ok:
			index[i], rest = n, rest-n*int64(r.stride[i])
			if bad < 0 && uint64(n) >= r.count[i] {
				bad = i
			}
		case unknown >= 0:
			return nil
		default:
			unknown = i
		}
	}
	if unknown >= 0 { // it is what the others leave, if anything is
		if rest < 0 || uint64(rest) >= r.count[unknown]*r.stride[unknown] {
			return nil
		}
		rest %= int64(r.stride[unknown])
	}
	if bad < 0 || uint64(rest) >= r.stride[len(r.stride)-1] {
		return nil
	}
	r.left = math.MaxInt
	return &check.Subscript{Text: r.texts[bad], Index: index[bad], Count: r.count[bad]}
}

// value is the integer that an expression has; false if it has none.
func value(x *cexpr.Expr, env *elementEnv) (int64, bool) {
	v, err := x.Eval(env)
	if err != nil {
		return 0, false
	}
	return v.Int(env)
}

// atEdge reports whether an element is the first or the last of a row, which who leaves a row comes to.
func (r *rows) atEdge(offset uint64) bool {
	for i := 1; i < len(r.count); i++ {
		if at := offset / r.stride[i] % r.count[i]; at == 0 || at == r.count[i]-1 {
			return true
		}
	}
	return false
}

// An elementEnv is a lane at an access. It implements cexpr.Env.
type elementEnv struct {
	laneFrame
	*scene
	arrays *arrays
	depth  int // of macros
}

func (a *arrays) env(s *scene, f *unwind.Frame) *elementEnv {
	e := &elementEnv{arrays: a, scene: s}
	e.laneFrame = laneFrame{frames: a.frames, frame: f, read: func(addr uint64, p []byte) (int, error) {
		return a.frames.readFor(f, addr, p)
	}}
	return e
}

// maxMacros bounds how deep macros are in one another.
const maxMacros = 8

// Variable implements cexpr.Env.
func (e *elementEnv) Variable(name string) (cexpr.Value, error) {
	v, slot := e.arrays.variable(e.unit, e.scopes, name, e.frame.PC)
	switch {
	case v == nil:
		return e.macro(name)
	case slot == nil:
		if c, ok := constant(v); ok {
			return c, nil
		}
		return cexpr.Value{}, errGone
	}
	return e.located(v.TypeDIE(), slot)
}

// macro is what a name is defined as in the source file, once, as a number or something in parentheses.
func (e *elementEnv) macro(name string) (cexpr.Value, error) {
	text := subscript.Macro(e.source, name)
	if e.depth == maxMacros || text == "" || text[0] != '(' && (text[0] < '0' || text[0] > '9') {
		return cexpr.Value{}, fmt.Errorf("no variable %s here", name)
	}
	x, err := cexpr.Parse(text, e.meaning)
	if err != nil {
		return cexpr.Value{}, err
	}
	inner := *e
	inner.depth++
	return x.Eval(&inner)
}

// Static implements cexpr.Env.
func (e *elementEnv) Static(*dwarf.DIE) (cexpr.Value, error) { return cexpr.Value{}, errGone }

// Type implements cexpr.Env.
func (e *elementEnv) Type(name string, tags []dwarf.Tag) *dwarf.DIE {
	if tags == nil {
		tags = typeTags
	}
	return e.typeNamed(name, tags)
}

// Register implements cexpr.Env.
func (e *elementEnv) Register(name string) (cexpr.Value, error) {
	return cexpr.Value{}, fmt.Errorf("no register %s", name)
}
