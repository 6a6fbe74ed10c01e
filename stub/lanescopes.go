package stub

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/symfile"
)

// What names mean where a lane stands: first in the blocks of the function, then as members of its class,
// then in the class and the namespaces around it, then in all units (ISO C++20, section 6.5.3, as far as gdb
// goes).

// A scope is a namespace, class or unit: all the entries that have its members.
type scope []*dwarf.DIE

// maxScopes bounds how many entries a scope consists of.
const maxScopes = 1 << 10

// variableTags are the entries that variables have.
var variableTags = []dwarf.Tag{dwarf.TagVariable, dwarf.TagFormalParameter}

// Variable implements cexpr.Env.
func (e *laneEnv) Variable(name string) (cexpr.Value, error) {
	for _, m := range e.session.symbols.Made {
		if m.Name == name && (m.Function == nil || e.frame != nil && m.Function.Contains(e.frame.Scope())) {
			return cexpr.Value{Type: m.Type, InMemory: true, Addr: m.Addr}, nil
		}
	}
	path := cexpr.SplitName(name)
	if len(path) > 1 {
		return e.qualified(path)
	}
	for b := range blocks(e.unit(), e.scopes) {
		for d := range b.variables() {
			if cexpr.SameName(d.Name(), name) {
				return e.object(d)
			}
		}
		if d := enumeratorIn(b[0], name); d != nil {
			return enumeration(d)
		}
	}
	if v, ok, err := e.in(scope(e.scopes), name); ok { // by a using-declaration or -directive
		return v, err
	}
	if v, ok, err := e.ownMember(name); ok {
		return v, err
	}
	for _, s := range e.around() {
		if v, ok, err := e.in(s, name); ok {
			return v, err
		}
	}
	for _, m := range e.session.symbols.Builtins {
		if m.Name == name {
			return cexpr.Value{Type: m.Type, InMemory: true, Addr: m.Addr}, nil
		}
	}
	return cexpr.Value{}, fmt.Errorf("no variable %s here", name)
}

// ownMember finds a member of the object that the function belongs to.
func (e *laneEnv) ownMember(name string) (cexpr.Value, bool, error) {
	for _, s := range e.scopes {
		this := namedIn(s, "this", variableTags...)
		if this == nil {
			continue
		}
		class := types.Strip(this.TypeDIE())
		if class == nil || !types.IsPointer(class) {
			return cexpr.Value{}, false, nil
		}
		if !cexpr.HasMember(class.TypeDIE(), name) {
			return cexpr.Value{}, false, nil
		}
		v, err := e.object(this)
		if err == nil {
			v, err = cexpr.Dereference(e, v)
		}
		if err != nil {
			return cexpr.Value{}, true, err
		}
		return cexpr.Member(e, v, name)
	}
	return cexpr.Value{}, false, nil
}

// qualified finds what a qualified name means.
func (e *laneEnv) qualified(path []string) (cexpr.Value, error) {
	last := path[len(path)-1]
	for _, s := range e.leading(path) {
		if v, ok, err := e.in(s, last); ok {
			return v, err
		}
	}
	if v, ok, err := e.ownMember(joinName(path)); ok {
		return v, err
	}
	return cexpr.Value{}, fmt.Errorf("no variable %s here", joinName(path))
}

func joinName(path []string) string {
	name := path[0]
	for _, p := range path[1:] {
		name += "::" + p
	}
	return name
}

// leading are the scopes that all but the last part of a name may stand for, the nearest first.
func (e *laneEnv) leading(path []string) []scope {
	around := e.around()
	if path[0] == "" {
		around, path = around[len(around)-1:], path[1:]
	}
	var out []scope
	for i, s := range around {
		if i == 0 {
			s = slices.Concat(s, scope(e.scopes))
		}
		for _, name := range path[:len(path)-1] {
			s = s.named(name)
		}
		if len(s) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// around are the scopes around the function that the lane is in, from its class or namespace to all units.
func (e *laneEnv) around() []scope {
	all := scope(nil)
	if data := e.session.prog.Source.Data; data != nil {
		own := e.unit()
		for _, u := range data.Units() {
			if root, err := u.Root(); err == nil && len(all) < maxScopes {
				if all = append(all, root); u == own {
					all[0], all[len(all)-1] = all[len(all)-1], all[0]
				}
			}
		}
	}
	var path []*dwarf.DIE
	if f := e.function(); f != nil {
		for d := f.Origin().Parent; d != nil && d.Parent != nil && len(path) < maxScopes; d = d.Parent {
			path = append(path, d)
		}
	}
	scopes := []scope{all}
	for _, d := range slices.Backward(path) {
		inner := scopes[len(scopes)-1].named(d.Name())
		if !slices.Contains(inner, d) {
			inner = append(inner, d)
		}
		scopes = append(scopes, inner)
	}
	slices.Reverse(scopes)
	return scopes
}

// function is the entry of the innermost function, inlined or not.
func (e *laneEnv) function() *dwarf.DIE {
	for _, s := range slices.Backward(e.scopes) {
		if s.Tag == dwarf.TagInlinedSubroutine || s.Tag == dwarf.TagSubprogram {
			return s
		}
	}
	return nil
}

// scopeTags are the entries that have members with names.
var scopeTags = map[dwarf.Tag]bool{
	dwarf.TagNamespace: true, dwarf.TagStructureType: true, dwarf.TagClassType: true, dwarf.TagUnionType: true,
	dwarf.TagEnumerationType: true, dwarf.TagTypedef: true, dwarf.TagSubprogram: true,
	dwarf.TagTemplateAlias: true,
}

// meant is what an entry means if it has a name, of a using-declaration or a namespace's other name what it
// stands for; else nil.
func meant(d *dwarf.DIE, name string) *dwarf.DIE {
	own := d.Name()
	if d.Tag == dwarf.TagImportedDeclaration {
		d = d.Ref(dwarf.AttrImport)
		if d != nil && own == "" {
			own = d.Name()
		}
	}
	if !cexpr.SameName(own, name) {
		return nil
	}
	return d
}

// named are the scopes of a name in a scope.
func (s scope) named(name string) (out scope) {
	for _, outer := range s.visible() {
		for _, d := range outer.Children {
			if d = meant(d, name); d == nil || !scopeTags[d.Tag] || len(out) >= maxScopes {
				continue
			}
			if d.Tag == dwarf.TagTypedef || d.Tag == dwarf.TagTemplateAlias {
				d = types.Strip(d)
			}
			if d != nil && !slices.Contains(out, d) && !d.Flag(dwarf.AttrDeclaration) {
				out = append(out, d)
			}
		}
	}
	return out
}

// visible are the entries whose members are members of the scope: with namespaces that have no name, or are
// inline or imported.
func (s scope) visible() (out scope) {
	out = slices.Clone(s)
	for i := 0; i < len(out) && len(out) < maxScopes; i++ {
		for _, d := range out[i].Children {
			switch {
			case d.Tag == dwarf.TagImportedModule:
				d = d.Ref(dwarf.AttrImport)
			case d.Tag != dwarf.TagNamespace || d.Name() != "" && !d.Flag(dwarf.AttrExportSymbols):
				continue
			}
			if d != nil && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// in finds a variable or an enumerator of a scope; false if it has none of the name.
func (e *laneEnv) in(s scope, name string) (cexpr.Value, bool, error) {
	for _, outer := range s.visible() {
		for _, d := range outer.Children {
			switch d = meant(d, name); {
			case d == nil:
			case d.Tag == dwarf.TagVariable, d.Tag == dwarf.TagMember && d.Flag(dwarf.AttrExternal):
				v, err := e.Static(d)
				return v, true, err
			case d.Tag == dwarf.TagEnumerator:
				v, err := enumeration(d)
				return v, true, err
			}
		}
		if d := enumeratorIn(outer, name); d != nil {
			v, err := enumeration(d)
			return v, true, err
		}
		if types.IsRecord(outer) {
			for c := range types.Members(outer) {
				if base := types.Strip(c.TypeDIE()); c.Tag == dwarf.TagInheritance && base != nil && base != outer {
					if v, ok, err := e.in(scope{base}, name); ok {
						return v, true, err
					}
				}
			}
		}
	}
	return cexpr.Value{}, false, nil
}

// enumeratorIn finds an enumerator of an enumeration in a scope whose enumerators are visible outside.
func enumeratorIn(outer *dwarf.DIE, name string) *dwarf.DIE {
	for _, t := range outer.Children {
		if t.Tag != dwarf.TagEnumerationType || types.IsScoped(t) {
			continue
		}
		if d := namedIn(t, name, dwarf.TagEnumerator); d != nil {
			return d
		}
	}
	return nil
}

// enumeration is the value of an enumerator.
func enumeration(d *dwarf.DIE) (cexpr.Value, error) {
	v, ok := d.Int(dwarf.AttrConstValue)
	if !ok {
		return cexpr.Value{}, fmt.Errorf("%s has no value", d.Name())
	}
	return cexpr.Value{Type: d.Parent, Data: le64(uint64(v))}, nil
}

// Static implements cexpr.Env: the object of a variable of static duration, which may be defined elsewhere
// than it is declared.
func (e *laneEnv) Static(decl *dwarf.DIE) (cexpr.Value, error) {
	_, located := decl.Attr(dwarf.AttrLocation)
	_, constant := decl.Attr(dwarf.AttrConstValue)
	if located || constant || !decl.Flag(dwarf.AttrDeclaration) && e.session.symbols.Lost[decl] != nil {
		return e.object(decl)
	}
	around := e.around()
	for i, outer := 0, slices.Clone(around[len(around)-1]); i < len(outer); i++ {
		for _, d := range outer[i].Children {
			switch {
			case d.Tag == dwarf.TagVariable && d.Ref(dwarf.AttrSpecification) == decl:
				return e.object(d)
			case d.Tag == dwarf.TagNamespace && len(outer) < maxScopes:
				outer = append(outer, d)
			}
		}
	}
	return e.object(decl)
}

// A block is a block of a function, or the function itself: all the entries that have its variables, its own
// first. An inlined function, or one that has been inlined elsewhere, has an abstract entry besides its own,
// and clang describes its variables of static duration in the entry of its own code alone.
type block []*dwarf.DIE

// blocks are those of some scopes, of which the first is a function and the last the innermost: from the
// innermost outwards.
func blocks(u *dwarf.Unit, scopes []*dwarf.DIE) iter.Seq[block] {
	return func(yield func(block) bool) {
		for _, s := range slices.Backward(scopes) {
			if !yield(blockOf(u, s)) {
				return
			}
		}
	}
}

func blockOf(u *dwarf.Unit, own *dwarf.DIE) block {
	b := block{own}
	origin := own.Ref(dwarf.AttrAbstractOrigin)
	if origin == nil {
		return b
	}
	if root, err := u.Root(); err == nil {
		for _, f := range root.Children {
			if f.Tag == dwarf.TagSubprogram && f != own && f.Ref(dwarf.AttrAbstractOrigin) == origin {
				b = append(b, f)
			}
		}
	}
	return append(b, origin)
}

// variables are those of a block. Of another copy of its function they are those of static duration, which
// the entry that all copies have in common has not.
func (b block) variables() iter.Seq[*dwarf.DIE] {
	return func(yield func(*dwarf.DIE) bool) {
		for i, entry := range b {
			for _, d := range entry.Children {
				if !isVariable(d) || d.Name() == "" || d.Flag(dwarf.AttrDeclaration) {
					continue
				}
				if copied := i > 0 && d.Ref(dwarf.AttrAbstractOrigin) != nil; !copied && !yield(d) {
					return
				}
			}
		}
	}
}

func isVariable(d *dwarf.DIE) bool { return slices.Contains(variableTags, d.Tag) }

// innermostCall is the index of the innermost call that was inlined in some scopes, of which gdb shows a
// frame of its own; -1 if there is none. What is around it belongs to the caller.
func innermostCall(scopes []*dwarf.DIE, l symfile.Layout) int {
	for i, d := range slices.Backward(scopes) {
		if d.Tag == dwarf.TagInlinedSubroutine && !l.IsInlinedBody(d) {
			return i
		}
	}
	return -1
}

// typeTags are the entries that types have.
var typeTags = []dwarf.Tag{dwarf.TagTypedef, dwarf.TagBaseType, dwarf.TagStructureType, dwarf.TagClassType,
	dwarf.TagUnionType, dwarf.TagEnumerationType}

// Type implements cexpr.Env: types of the functions around the pc, of their classes and namespaces, and of
// all units.
func (e *laneEnv) Type(name string, tags []dwarf.Tag) *dwarf.DIE {
	if tags == nil {
		tags = typeTags
	}
	path := cexpr.SplitName(name)
	scopes := e.leading(path)
	if len(path) == 1 {
		blocks := scope(slices.Clone(e.scopes))
		slices.Reverse(blocks)
		scopes = slices.Concat([]scope{blocks}, e.around())
	}
	for _, s := range scopes {
		for _, outer := range s.visible() {
			for _, d := range outer.Children {
				d = meant(d, path[len(path)-1])
				if d != nil && slices.Contains(tags, d.Tag) && !d.Flag(dwarf.AttrDeclaration) {
					return d
				}
			}
		}
	}
	return nil
}

// meaning is what a name stands for where the lane stands.
func (e *laneEnv) meaning(name string) cexpr.Meaning {
	_, err := e.Variable(name)
	switch {
	case err == nil, errors.Is(err, errGone):
		return cexpr.Variable
	case e.Type(name, nil) != nil:
		return cexpr.Type
	}
	return cexpr.Nothing
}

// namedIn finds a child of a name and one of the tags. Declarations, which say nothing of size and place, are
// passed over.
func namedIn(outer *dwarf.DIE, name string, tags ...dwarf.Tag) *dwarf.DIE {
	for _, d := range outer.Children {
		if slices.Contains(tags, d.Tag) && !d.Flag(dwarf.AttrDeclaration) && cexpr.SameName(d.Name(), name) {
			return d
		}
	}
	return nil
}
