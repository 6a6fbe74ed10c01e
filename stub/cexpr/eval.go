package cexpr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// The nodes of expressions.
type (
	literal  struct{ value Value }
	variable string
	register string
	unary    struct {
		op string
		x  node
	}
	binaryNode struct {
		op   *operator
		name string
		x, y node
	}
	logical struct {
		and  bool
		x, y node
	}
	conditional struct{ x, yes, no node }
	indirection struct{ x node }
	addressOf   struct{ x node }
	cast        struct {
		to typeName
		x  node
	}
	sizeOf struct {
		of *typeName
		x  node
	}
	member struct {
		x     node
		name  string
		arrow bool
	}
	element  struct{ x, index node }
	repeated struct{ x, count node }
)

func (n literal) eval(Env) (Value, error)      { return n.value, nil }
func (n register) eval(env Env) (Value, error) { return env.Register(string(n)) }

func (n variable) eval(env Env) (Value, error) {
	v, err := env.Variable(string(n))
	if err != nil {
		return Value{}, err
	}
	return referred(env, v)
}

// referred is what a reference of C++ refers to, and any other value itself.
func referred(env Env, v Value) (Value, error) {
	t := types.Strip(v.Type)
	if t == nil || t.Tag != dwarf.TagReferenceType && t.Tag != dwarf.TagRvalueReferenceType {
		return v, nil
	}
	n, err := v.number(env)
	return Value{Type: t.TypeDIE(), InMemory: true, Addr: n.i}, err
}

func (n *unary) eval(env Env) (Value, error) {
	v, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	if n.op == "!" {
		yes, err := truth(env, v)
		return boolean32(!yes), err
	}
	a, err := v.number(env)
	if err != nil {
		return Value{}, err
	}
	a = a.promoted()
	switch {
	case n.op == "-" && a.float:
		a.f = -a.f
	case n.op == "-":
		a.i = -a.i
	case n.op == "~" && a.float:
		return Value{}, errors.New("~ wants an integer")
	case n.op == "~":
		a.i = ^a.i
	}
	return a.value(), nil
}

func boolean32(yes bool) Value {
	if yes {
		return integer(32, true, 1)
	}
	return integer(32, true, 0)
}

// truth reports whether a value counts as true; arrays are addresses.
func truth(env Env, v Value) (bool, error) {
	if _, ok := target(v); ok && v.InMemory && types.Strip(v.Type).Tag == dwarf.TagArrayType {
		return true, nil
	}
	n, err := v.number(env)
	return !n.zero(), err
}

func (n *logical) eval(env Env) (Value, error) {
	x, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	yes, err := truth(env, x)
	if err != nil || yes != n.and {
		return boolean32(yes), err
	}
	y, err := n.y.eval(env)
	if err != nil {
		return Value{}, err
	}
	yes, err = truth(env, y)
	return boolean32(yes), err
}

func (n *conditional) eval(env Env) (Value, error) {
	x, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	yes, err := truth(env, x)
	switch {
	case err != nil:
		return Value{}, err
	case yes:
		return n.yes.eval(env)
	}
	return n.no.eval(env)
}

// target is the type that a pointer, or an array, leads to.
func target(v Value) (*dwarf.DIE, bool) {
	t := types.Strip(v.Type)
	switch {
	case t == nil:
		return nil, false
	case t.Tag == dwarf.TagArrayType:
		return elementOf(t), true
	case t.Tag == dwarf.TagPointerType:
		return t.TypeDIE(), true
	}
	return nil, false
}

// elementOf is the type of an array's elements: of one with several indices, an array with one less.
func elementOf(t *dwarf.DIE) *dwarf.DIE {
	var counts []uint64
	for _, c := range t.Children {
		if c.Tag == dwarf.TagSubrangeType {
			counts = append(counts, types.Count(c))
		}
	}
	if len(counts) < 2 {
		return t.TypeDIE()
	}
	return arrayOf(t.TypeDIE(), counts[1:]...)
}

// address is where a pointer leads, or where an array lies.
func address(env Env, v Value) (uint64, error) {
	if types.Strip(v.Type).Tag == dwarf.TagArrayType {
		if !v.InMemory {
			return 0, errors.New("the array is in registers and has no address")
		}
		return v.Addr, nil
	}
	n, err := v.number(env)
	return n.i, err
}

// pointee is the object that a pointer and a count of objects lead to.
func pointee(env Env, v Value, index int64) (Value, error) {
	t, ok := target(v)
	if !ok {
		return Value{}, fmt.Errorf("%s is no pointer", kindOf(types.Strip(v.Type)))
	}
	at, err := address(env, v)
	return Value{Type: t, InMemory: true, Addr: at + uint64(index)*stride(env, t)}, err
}

// stride is how far objects of a type lie apart; those of void, as gcc has it, a byte.
func stride(env Env, t *dwarf.DIE) uint64 {
	if types.Strip(t) == nil {
		return 1
	}
	return env.Model().Size(t)
}

func (n *indirection) eval(env Env) (Value, error) {
	v, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	return pointee(env, v, 0)
}

func (n *addressOf) eval(env Env) (Value, error) {
	v, err := n.x.eval(env)
	switch {
	case err != nil:
		return Value{}, err
	case v.field != nil:
		return Value{}, errors.New("a bit field has no address")
	case !v.InMemory:
		return Value{}, errors.New("the object is in registers, or a result, and has no address")
	}
	return pointer(v.Type, v.Addr), nil
}

func pointer(t *dwarf.DIE, addr uint64) Value {
	return Value{Type: pointerTo(t), Data: binary.LittleEndian.AppendUint64(nil, addr)}
}

func (n *element) eval(env Env) (Value, error) {
	v, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	i, err := n.index.eval(env)
	if err != nil {
		return Value{}, err
	}
	at, err := i.number(env)
	switch t := types.Strip(v.Type); {
	case err != nil:
		return Value{}, err
	case at.float:
		return Value{}, errors.New("an index is an integer")
	case t != nil && t.Tag == dwarf.TagArrayType && !v.InMemory:
		if at.i >= types.Elements(t) {
			return Value{}, fmt.Errorf("no element %d", int64(at.i))
		}
		e := elementOf(t)
		return v.part(env, e, at.i*env.Model().Size(e))
	}
	return pointee(env, v, int64(at.i))
}

// eval gives some objects one behind the other as an array: gdb's @.
func (n *repeated) eval(env Env) (Value, error) {
	v, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	c, err := n.count.eval(env)
	if err != nil {
		return Value{}, err
	}
	count, err := c.number(env)
	switch {
	case err != nil:
		return Value{}, err
	case !v.InMemory:
		return Value{}, errors.New("@ wants an object in memory on its left")
	case count.float || count.i == 0 || count.i > maxObject:
		return Value{}, errors.New("@ wants a small positive number on its right")
	}
	return Value{Type: arrayOf(v.Type, count.i), InMemory: true, Addr: v.Addr}, nil
}

func (n *sizeOf) eval(env Env) (Value, error) {
	var t *dwarf.DIE
	if n.of != nil {
		var err error
		if t, err = n.of.resolve(env); err != nil {
			return Value{}, err
		}
	} else {
		v, err := n.x.eval(env)
		if err != nil {
			return Value{}, err
		}
		t = v.Type
	}
	return integer(64, false, stride(env, t)), nil
}

func (n *cast) eval(env Env) (Value, error) {
	v, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	to, err := n.to.resolve(env)
	switch {
	case err != nil:
		return Value{}, err
	case n.to.refers && !v.InMemory:
		return Value{}, errors.New("a reference wants an object in memory")
	case n.to.refers:
		return Value{Type: to, InMemory: true, Addr: v.Addr}, nil
	}
	return convert(env, v, to)
}

// convert makes an object of a scalar type, or of the type that it has already.
func convert(env Env, v Value, to *dwarf.DIE) (Value, error) {
	t, from := types.Strip(to), types.Strip(v.Type)
	switch {
	case t == nil:
		return Value{}, errors.New("void has no value")
	case t == from:
		return v, nil
	case types.IsPointer(t) && from != nil && from.Tag == dwarf.TagArrayType:
		at, err := address(env, v)
		return pointer(t.TypeDIE(), at), err
	}
	n, err := v.number(env)
	switch {
	case err != nil:
		return Value{}, err
	case types.IsPointer(t) && n.float:
		return Value{}, errors.New("a float is no address")
	case types.IsPointer(t):
		return pointer(t.TypeDIE(), n.i), nil
	case t.Tag != dwarf.TagBaseType && t.Tag != dwarf.TagEnumerationType:
		return Value{}, fmt.Errorf("a number cannot be cast to %s", kindOf(t))
	}
	size := env.Model().Size(t)
	if size != 1 && size != 2 && size != 4 && size != 8 {
		return Value{}, fmt.Errorf("numbers of %d bits are not computed with", 8*size)
	}
	result := num{bits: int(8 * size)}
	switch types.Encoding(t) {
	case dwarf.ATEFloat:
		result.float, result.brain = true, isBrain(t)
	case dwarf.ATEBoolean:
		n = num{bits: 64, i: map[bool]uint64{true: 1}[!n.zero()]}
	case dwarf.ATESigned, dwarf.ATESignedChar:
		result.signed = true
	}
	out := n.as(result).value()
	out.Type = to
	return out, nil
}

func (n *member) eval(env Env) (Value, error) {
	v, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	// gdb takes . for -> too.
	if t, ok := target(v); ok && types.Strip(v.Type).Tag == dwarf.TagPointerType {
		if s := types.Strip(t); s == nil || !types.IsRecord(s) && !types.IsVector(s) {
			return Value{}, fmt.Errorf("%s has no members", kindOf(s))
		}
		if v, err = pointee(env, v, 0); err != nil {
			return Value{}, err
		}
	}
	t := types.Strip(v.Type)
	switch {
	case t != nil && types.IsVector(t):
		return component(env, v, t, n.name)
	case t == nil || !types.IsRecord(t):
		return Value{}, fmt.Errorf("%s has no members", kindOf(t))
	}
	v, ok, err := Member(env, v, n.name)
	if !ok && err == nil {
		err = fmt.Errorf("%s has no member %s", kindOf(t), n.name)
	}
	return v, err
}

// Member finds the member of a name of an object, which may belong to a base class, of a name too, or to all
// objects; false if there is none.
func Member(env Env, v Value, name string) (out Value, ok bool, err error) {
	field, at, ok := memberNamed(env.Model(), types.Strip(v.Type), SplitName(name))
	switch {
	case !ok:
		return Value{}, false, nil
	case field == nil:
		return Value{}, true, fmt.Errorf("%s is a member of several base classes: write BASE::%s", name, name)
	case isStatic(field):
		out, err = env.Static(field)
		return out, true, err
	}
	if out, err = v.part(env, field.TypeDIE(), at); err != nil {
		return Value{}, true, err
	}
	if _, ok := field.Uint(dwarf.AttrBitSize); ok {
		out.field = field
	}
	out, err = referred(env, out)
	return out, true, err
}

// Field finds a data member of a class by its name, also of a base class or of a member without a name, and
// where it lies in objects of the class; false if there is none, or several.
func Field(m types.Model, class *dwarf.DIE, name string) (field *dwarf.DIE, at uint64, ok bool) {
	field, at, ok = memberNamed(m, types.Strip(class), []string{name})
	return field, at, ok && field != nil && !isStatic(field)
}

// HasMember reports whether objects of a class have a member of a name, or share one.
func HasMember(class *dwarf.DIE, name string) bool {
	_, _, ok := memberNamed(types.Model{}, types.Strip(class), SplitName(name))
	return ok
}

// memberNamed finds a member by a name that may say of which base class, and where it lies; nil if there are
// several.
func memberNamed(m types.Model, t *dwarf.DIE, path []string) (field *dwarf.DIE, at uint64, ok bool) {
	for _, class := range path[:len(path)-1] {
		if t != nil && SameName(t.Name(), class) {
			continue
		}
		base, offset, ok := findBase(m, t, class, 0)
		if !ok {
			return nil, 0, false
		}
		t, at = base, at+offset
	}
	name := path[len(path)-1]
	if field, inner, ok := findMember(m, t, name, 0); ok {
		return field, at + inner, true
	}
	field = findStatic(t, name, 0)
	return field, 0, field != nil
}

// isStatic reports whether an entry in a class is a member that all objects share.
func isStatic(d *dwarf.DIE) bool {
	return d.Tag == dwarf.TagVariable || d.Tag == dwarf.TagMember && d.Flag(dwarf.AttrExternal)
}

// Dereference is the object that a pointer leads to.
func Dereference(env Env, v Value) (Value, error) { return pointee(env, v, 0) }

// findBase finds a base class by its name, and where it lies.
func findBase(m types.Model, t *dwarf.DIE, name string, depth int) (base *dwarf.DIE, at uint64, ok bool) {
	if t == nil || !types.IsRecord(t) || depth > maxBases {
		return nil, 0, false
	}
	for c := range types.Members(t) {
		if c.Tag != dwarf.TagInheritance {
			continue
		}
		b, at := types.Strip(c.TypeDIE()), memberAt(m, c)
		if b != nil && SameName(b.Name(), name) {
			return b, at, true
		}
		if b, inner, ok := findBase(m, b, name, depth+1); ok {
			return b, at + inner, true
		}
	}
	return nil, 0, false
}

// findStatic finds the declaration of a member that all objects share.
func findStatic(t *dwarf.DIE, name string, depth int) *dwarf.DIE {
	if t = types.Strip(t); t == nil || !types.IsRecord(t) || depth > maxBases {
		return nil
	}
	for _, c := range t.Children {
		if isStatic(c) && c.Name() == name {
			return c
		}
		if c.Tag == dwarf.TagInheritance {
			if d := findStatic(c.TypeDIE(), name, depth+1); d != nil {
				return d
			}
		}
	}
	return nil
}

// maxBases bounds how deep classes are derived.
const maxBases = 8

// findMember finds a member, also of members without a name and of base classes, and where it lies. A class's
// own members hide those of its base classes; of several of these none is meant, and the member is nil.
func findMember(m types.Model, t *dwarf.DIE, name string, depth int) (field *dwarf.DIE, at uint64, ok bool) {
	if t = types.Strip(t); t == nil || !types.IsRecord(t) || depth > maxBases {
		return nil, 0, false
	}
	for c := range types.Members(t) {
		at := memberAt(m, c)
		if c.Tag == dwarf.TagMember && c.Name() == name {
			return c, at, true
		}
		if c.Tag == dwarf.TagMember && c.Name() == "" {
			if f, inner, ok := findMember(m, c.TypeDIE(), name, depth+1); ok {
				return f, at + inner, true
			}
		}
	}
	for c := range types.Members(t) {
		if c.Tag != dwarf.TagInheritance {
			continue
		}
		if f, inner, found := findMember(m, c.TypeDIE(), name, depth+1); found {
			if ok {
				return nil, 0, true
			}
			field, at, ok = f, memberAt(m, c)+inner, true
		}
	}
	return field, at, ok
}

// component is a component of a vector: x, y, z, w or s0 to sf.
func component(env Env, v Value, t *dwarf.DIE, name string) (Value, error) {
	i := -1
	switch {
	case len(name) == 1:
		i = strings.Index("xyzw", name)
	case len(name) == 2 && name[0]|0x20 == 's':
		if n, err := strconv.ParseUint(name[1:], 16, 8); err == nil {
			i = int(n)
		}
	}
	if i < 0 || uint64(i) >= types.Elements(t) {
		return Value{}, fmt.Errorf("a vector of %d has no component %s", types.Elements(t), name)
	}
	return v.part(env, t.TypeDIE(), uint64(i)*env.Model().Size(t.TypeDIE()))
}
