package stub

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/cexpr"
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
	env := &elementEnv{arrays: a, scene: r.scene, frame: e.frame(acc.Wave, lane, acc.PC)}
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

// An elementEnv is a lane at an access. It implements cexpr.Env. An address has the space of the machine that
// it is of in its upper bits.
type elementEnv struct {
	*arrays
	*scene
	frame *unwind.Frame
	depth int // of macros
}

// spaceShift is where the space is in an address.
const spaceShift = 60

// maxMacros bounds how deep macros are in one another.
const maxMacros = 8

// Variable implements cexpr.Env.
func (e *elementEnv) Variable(name string) (cexpr.Value, error) {
	v, slot := e.variable(e.unit, e.scopes, name, e.frame.PC)
	switch {
	case v == nil:
		return e.macro(name)
	case slot == nil:
		if n, ok := v.Int(dwarf.AttrConstValue); ok {
			return cexpr.Value{Type: v.TypeDIE(), Data: le64(uint64(n))}, nil
		}
		return cexpr.Value{}, errGone
	}
	t := v.TypeDIE()
	plain := types.Strip(t)
	if plain != nil && (plain.Tag == dwarf.TagArrayType || types.IsRecord(plain)) {
		o := e.placed(slot, e.frame)
		if o == nil {
			return cexpr.Value{}, errGone
		}
		return cexpr.Value{Type: t, InMemory: true, Addr: uint64(o.Space)<<spaceShift | o.Lo}, nil
	}
	if _, narrow := e.Model().Narrow(plain); narrow {
		copied := *slot
		copied.Pointers, slot = 1, &copied
	}
	loc, ctx, err := e.frames.locate(e.frame, slot)
	if err != nil {
		return cexpr.Value{}, errGone
	}
	b, err := loc.Read(ctx, 0, 8*slot.Size)
	return cexpr.Value{Type: t, Data: b}, err
}

// macro is what a name is defined as in the source file, once, as a number or something in parentheses.
func (e *elementEnv) macro(name string) (cexpr.Value, error) {
	none := fmt.Errorf("no variable %s here", name)
	text, found := "", false
	for line := range strings.Lines(e.source) {
		rest, is := strings.CutPrefix(line, "#define "+name)
		if !is || rest == "" || isNamePart(rest[0]) {
			continue
		}
		if found {
			return cexpr.Value{}, none
		}
		rest, _, _ = strings.Cut(rest, "//")
		text, found = strings.TrimSpace(rest), true
	}
	if e.depth == maxMacros || text == "" || text[0] != '(' && (text[0] < '0' || text[0] > '9') {
		return cexpr.Value{}, none
	}
	x, err := cexpr.Parse(text, e.meaning)
	if err != nil {
		return cexpr.Value{}, err
	}
	inner := *e
	inner.depth++
	return x.Eval(&inner)
}

// isNamePart reports whether a byte goes on with a name, or begins a macro's parameters.
func isNamePart(c byte) bool {
	return c == '(' || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
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

// Model implements cexpr.Env.
func (e *elementEnv) Model() types.Model { return e.frames.arch.Model() }

// Pointer implements cexpr.Env.
func (e *elementEnv) Pointer(t *dwarf.DIE, v uint64) uint64 {
	if _, narrow := e.Model().Narrow(t); !narrow {
		return v
	}
	class, _ := t.Uint(dwarf.AttrAddressClass)
	p, err := e.frames.arch.Place(e.frame.Wave, e.frame.Lane, e.frames.arch.ClassSpace(class), v)
	if err != nil || p.Bytes != 0 {
		return 0
	}
	return uint64(p.Space)<<spaceShift | p.Addr
}

// Read implements cexpr.Env.
func (e *elementEnv) Read(addr uint64, p []byte) (err error) {
	space, at := simt.Space(addr>>spaceShift), addr&(1<<spaceShift-1)
	if space == simt.Global {
		if s, offset, ok := e.frames.arch.Aperture(at); ok {
			space, at = s, offset
		}
	}
	n := 0
	switch space {
	case simt.LDS:
		n, err = e.frame.Wave.Group.ReadLDS(at, p)
	case simt.Scratch:
		n, err = e.frame.Wave.ReadScratch(e.frame.Lane, at, p)
	case simt.Global:
		n, err = e.frames.memory.Read(at, p)
	default:
		return errors.New("no such memory")
	}
	if err == nil && n < len(p) {
		err = fmt.Errorf("cannot read %d bytes at %#x", len(p), at)
	}
	return err
}
