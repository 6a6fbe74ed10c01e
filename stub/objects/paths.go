package objects

import (
	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/subscript"
)

// An accessPath leads from a place in memory to an object in an array there, as the source says: by members
// and subscripts.
type accessPath struct {
	base    *cexpr.Expr // the variable, or the last pointer on the way to the object
	pointer bool        // base is a pointer to the place, else the place itself
	steps   []step
	size    uint64 // of the object
}

// A step is one from an object to a part of it.
type step struct {
	element bool        // an element of an array, or of those that a pointer leads to; else a member
	offset  uint64      // of a member
	index   *cexpr.Expr // of an element; nil: it cannot be evaluated
	text    string      // of the index
	count   uint64      // of elements that there are; 0: that is not known, or not meant as it is written
	stride  uint64
	row     bool   // the array is an element of another one, and the next element of that lies behind it
	array   string // the array, as the source has it
}

// bounded reports whether a path has an array whose bound counts.
func (p *accessPath) bounded() bool {
	for _, s := range p.steps {
		if s.count != 0 {
			return true
		}
	}
	return false
}

// A whole is the first array on a path without pointers, which an access leaves whatever its subscripts are.
type whole struct {
	name         string
	offset, size uint64 // in the variable
	stride       uint64 // of its elements
}

// A walk follows an expression through the types of its objects.
type walk struct {
	scene *scene
	model types.Model
	expr  subscript.Expr
	now   accessPath
	typ   *dwarf.DIE // of the object that now leads to, without qualifiers
	dims  []uint64   // of an array, how many elements there are in each direction
	loose bool       // it is a member whose bound does not count
	found []*accessPath
	whole *whole
	leads bool // through pointers
}

// maxElements bounds sizes and counts, so that their products are exact.
const maxElements = 1 << 31

// pathsOf are the ways to the objects that may be accessed where the source has an expression: all of it, and
// the pointers on the way that are elements of arrays, whose loads have the same place. Where there is but
// one, and no pointer, it also gives the whole array that it is in. It is false where the types do not say
// what all of it means; in a union no bound counts anyhow.
func (s *scene) pathsOf(m types.Model, v *dwarf.DIE, x subscript.Expr) ([]*accessPath, *whole, bool) {
	w := &walk{scene: s, model: m, expr: x}
	if !w.start(0, false) {
		return nil, nil, false
	}
	w.enter(v.TypeDIE())
	if w.typ != nil && w.typ.Tag != dwarf.TagPointerType && types.IsPointer(w.typ) {
		w.enter(w.typ.TypeDIE()) // a reference: expressions see what it refers to
		w.leads = true
	}
	for i, st := range x.Steps {
		if !w.step(i, st) {
			return w.found, nil, w.typ != nil && isUnion(w.typ)
		}
	}
	w.add()
	if w.leads {
		w.whole = nil
	}
	return w.found, w.whole, true
}

// start begins anew at the object that the first n steps lead to, or at what it points to.
func (w *walk) start(n int, pointer bool) bool {
	base, err := w.scene.parse(w.expr.Text(n))
	w.now, w.loose = accessPath{base: base, pointer: pointer}, false
	return err == nil
}

// enter comes to an object of a type.
func (w *walk) enter(t *dwarf.DIE) {
	w.typ, w.dims = types.Strip(t), nil
	for w.typ != nil && w.typ.Tag == dwarf.TagArrayType && !types.IsVector(w.typ) {
		for _, c := range w.typ.Children {
			if c.Tag == dwarf.TagSubrangeType {
				w.dims = append(w.dims, types.Count(c))
			}
		}
		w.typ = types.Strip(w.typ.TypeDIE())
	}
}

// add keeps the path to where the walk is, if there is an array on it.
func (w *walk) add() {
	if w.now.size = w.model.Size(w.typ); w.now.size == 0 || len(w.dims) > 0 || !w.now.bounded() {
		return
	}
	p := w.now
	p.steps = append([]step(nil), p.steps...)
	w.found = append(w.found, &p)
}

// follow goes to what the pointer leads to that the first n steps lead to.
func (w *walk) follow(n int) bool {
	if w.typ == nil || w.typ.Tag != dwarf.TagPointerType || len(w.dims) > 0 {
		return false
	}
	w.add()
	w.leads = true
	target := w.typ.TypeDIE()
	if !w.start(n, true) {
		return false
	}
	w.enter(target)
	return true
}

// step takes the step i; false where the types do not say what it means.
func (w *walk) step(i int, s subscript.Step) bool {
	switch s.Kind {
	case subscript.Star:
		return w.follow(0)
	case subscript.Arrow:
		return w.follow(i) && w.member(s.Text)
	case subscript.Member:
		return w.member(s.Text)
	}
	return w.index(i, s.Text)
}

// member goes to a member of a structure.
func (w *walk) member(name string) bool {
	if w.typ == nil || !types.IsRecord(w.typ) || len(w.dims) > 0 {
		return false
	}
	record := w.typ
	field, at, ok := cexpr.Field(w.model, record, name)
	if !ok || at > maxElements {
		return false
	}
	w.loose = w.loose || isUnion(record) || isUnion(field.Parent)
	w.enter(field.TypeDIE())
	if w.now.pointer && len(w.dims) == 1 && w.dims[0] == 1 && isLast(field) {
		w.loose = true // it stands for as many as there is memory for
	}
	w.now.steps = append(w.now.steps, step{offset: at})
	return true
}

// isUnion reports whether members of a record, which may be one without a name in another, share their place
// with others: their arrays are taken to reach to where the union ends.
func isUnion(record *dwarf.DIE) bool {
	for d := record; d != nil && types.IsRecord(d); d = d.Parent {
		if d.Tag == dwarf.TagUnionType {
			return true
		}
	}
	return false
}

// isLast reports whether no member comes after a member.
func isLast(field *dwarf.DIE) bool {
	last := true
	for m := range types.Members(field.Parent) {
		last = m == field
	}
	return last
}

// wrapped is the array that a class of C++ consists of, whose operator [] gives its elements; "" if it is
// none. Where it gives others, they are not where an element's access is.
func (w *walk) wrapped() (name string) {
	if w.typ == nil || len(w.dims) > 0 || !types.IsRecord(w.typ) || w.typ.Tag == dwarf.TagUnionType {
		return ""
	}
	for m := range types.Members(w.typ) {
		t := types.Strip(m.TypeDIE())
		if name != "" || m.Tag != dwarf.TagMember || t == nil || t.Tag != dwarf.TagArrayType ||
			types.IsVector(t) {
			return ""
		}
		name = m.Name()
	}
	return name
}

// index goes to an element of an array, or of those that a pointer leads to.
func (w *walk) index(i int, text string) bool {
	st := step{element: true, text: text, array: w.expr.Text(i)}
	if x, err := w.scene.parse(text); err == nil {
		st.index = x
	}
	if name := w.wrapped(); name != "" {
		if w.leads = true; !w.member(name) {
			return false
		}
	}
	if len(w.dims) > 0 {
		st.count, w.dims = w.dims[0], w.dims[1:]
	} else if !w.follow(i) {
		return false
	}
	size := w.model.Size(w.typ)
	for _, n := range w.dims {
		size *= min(n, maxElements)
		if size > maxElements {
			return false
		}
	}
	if size == 0 || size > maxElements || st.count > maxElements {
		return false
	}
	if st.stride = size; w.loose {
		st.count, w.loose = 0, false
	}
	if w.whole == nil && st.count != 0 {
		w.whole = &whole{name: st.array, size: st.count * st.stride, stride: st.stride}
		for _, s := range w.now.steps {
			w.whole.offset += s.offset
		}
	}
	if n := len(w.now.steps); n > 0 {
		outer := &w.now.steps[n-1]
		st.row = outer.element && st.count*st.stride == outer.stride
	}
	w.now.steps = append(w.now.steps, st)
	return true
}

// start is the address that a path starts from in a lane.
func (p *accessPath) start(env *elementEnv) (addr uint64, ok bool) {
	v, err := p.base.Eval(env)
	switch {
	case err != nil:
		return 0, false
	case p.pointer:
		n, ok := v.Int(env)
		return uint64(n), ok
	}
	return v.Addr, v.InMemory
}

// holds reports whether a place, counted from the start, is in an object that the path may lead to, and not
// where who leaves a row of an array of arrays comes to first.
func (p *accessPath) holds(at int64) bool {
	for i := range p.steps {
		s := &p.steps[i]
		if !s.element {
			at -= int64(s.offset)
			continue
		}
		n := at / int64(s.stride)
		if at%int64(s.stride) < 0 {
			n--
		}
		at -= n * int64(s.stride)
		if s.count != 0 && uint64(n) >= s.count || s.row && (n == 0 || uint64(n) == s.count-1) {
			return false
		}
	}
	return at >= 0 && uint64(at) < p.size
}

// indices evaluates the subscripts of a path to the object at a place, counted from the start, that an access
// of some bytes is to. One that cannot be evaluated is what the others leave. It is false if they do not lead
// there.
func (p *accessPath) indices(at int64, size int, env *elementEnv) (index []int64, ok bool) {
	index = make([]int64, len(p.steps))
	unknown := -1
	for i := range p.steps {
		s := &p.steps[i]
		if !s.element {
			at -= int64(s.offset)
			continue
		}
		n, known := int64(0), false
		if s.index != nil {
			n, known = value(s.index, env)
		}
		switch {
		case known && n < maxElements && n > -maxElements:
			index[i], at = n, at-n*int64(s.stride)
		case unknown >= 0 || s.count == 0:
			return nil, false
		default:
			unknown = i
		}
	}
	if unknown >= 0 {
		s := &p.steps[unknown]
		if at < 0 || uint64(at) >= s.count*s.stride {
			return nil, false
		}
		index[unknown], at = at/int64(s.stride), at%int64(s.stride)
	}
	return index, at >= 0 && uint64(at) < p.size || at < 0 && uint64(-at)+p.size <= uint64(size)
}

// value is the integer that an expression has; false if it has none.
func value(x *cexpr.Expr, env *elementEnv) (int64, bool) {
	v, err := x.Eval(env)
	if err != nil {
		return 0, false
	}
	return v.Int(env)
}
