package laneexpr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/frames"
	"simtgdb/stub/names"
)

// What names mean where a lane stands: first in the blocks of the function, then as members of its class,
// then in the class and the namespaces around it, then in all units (ISO C++20, section 6.5.3, as far as gdb
// goes).

// Variable implements cexpr.Env.
func (e *Env) Variable(name string) (cexpr.Value, error) {
	for _, m := range e.Finder.Symbols.Made {
		if m.Name == name && (m.Function == nil || e.Frame != nil && m.Function.Contains(e.Frame.Scope())) {
			return cexpr.Value{Type: m.Type, InMemory: true, Addr: m.Addr}, nil
		}
	}
	path := cexpr.SplitName(name)
	if len(path) > 1 {
		return e.qualified(path)
	}
	for b := range names.Blocks(e.Unit(), e.Scopes) {
		for d := range b.Variables() {
			if cexpr.SameName(d.Name(), name) {
				return e.object(d)
			}
		}
		if d := names.EnumeratorIn(b[0], name); d != nil {
			return names.Enumeration(d)
		}
	}
	if v, ok, err := e.in(names.Scope(e.Scopes), name); ok { // by a using-declaration or -directive
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
	for _, m := range e.Finder.Symbols.Builtins {
		if m.Name == name {
			return cexpr.Value{Type: m.Type, InMemory: true, Addr: m.Addr}, nil
		}
	}
	return cexpr.Value{}, fmt.Errorf("no variable %s here", name)
}

// ownMember finds a member of the object that the function belongs to.
func (e *Env) ownMember(name string) (cexpr.Value, bool, error) {
	for _, s := range e.Scopes {
		this := names.In(s, "this", names.VariableTags...)
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
func (e *Env) qualified(path []string) (cexpr.Value, error) {
	last := path[len(path)-1]
	for _, s := range e.leading(path) {
		if v, ok, err := e.in(s, last); ok {
			return v, err
		}
	}
	if v, ok, err := e.ownMember(strings.Join(path, "::")); ok {
		return v, err
	}
	return cexpr.Value{}, fmt.Errorf("no variable %s here", strings.Join(path, "::"))
}

// leading are the scopes that all but the last part of a name may stand for, the nearest first.
func (e *Env) leading(path []string) []names.Scope {
	around := e.around()
	if path[0] == "" {
		around, path = around[len(around)-1:], path[1:]
	}
	var out []names.Scope
	for i, s := range around {
		if i == 0 {
			s = slices.Concat(s, names.Scope(e.Scopes))
		}
		for _, name := range path[:len(path)-1] {
			s = s.Named(name)
		}
		if len(s) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// around are the scopes around the function that the lane is in, from its class or namespace to all units.
func (e *Env) around() []names.Scope {
	all := names.Scope(nil)
	if e.data != nil {
		own := e.Unit()
		for _, u := range e.data.Units() {
			if root, err := u.Root(); err == nil && len(all) < names.MaxScopes {
				if all = append(all, root); u == own {
					all[0], all[len(all)-1] = all[len(all)-1], all[0]
				}
			}
		}
	}
	var path []*dwarf.DIE
	if f := e.function(); f != nil {
		for d := f.Origin().Parent; d != nil && d.Parent != nil && len(path) < names.MaxScopes; d = d.Parent {
			path = append(path, d)
		}
	}
	scopes := []names.Scope{all}
	for _, d := range slices.Backward(path) {
		inner := scopes[len(scopes)-1].Named(d.Name())
		if !slices.Contains(inner, d) {
			inner = append(inner, d)
		}
		scopes = append(scopes, inner)
	}
	slices.Reverse(scopes)
	return scopes
}

// function is the entry of the innermost function, inlined or not.
func (e *Env) function() *dwarf.DIE {
	for _, s := range slices.Backward(e.Scopes) {
		if s.Tag == dwarf.TagInlinedSubroutine || s.Tag == dwarf.TagSubprogram {
			return s
		}
	}
	return nil
}

// in finds a variable or an enumerator of a scope; false if it has none of the name.
func (e *Env) in(s names.Scope, name string) (cexpr.Value, bool, error) {
	for _, outer := range s.Visible() {
		for _, d := range outer.Children {
			switch d = names.Meant(d, name); {
			case d == nil:
			case d.Tag == dwarf.TagVariable, d.Tag == dwarf.TagMember && d.Flag(dwarf.AttrExternal):
				v, err := e.Static(d)
				return v, true, err
			case d.Tag == dwarf.TagEnumerator:
				v, err := names.Enumeration(d)
				return v, true, err
			}
		}
		if d := names.EnumeratorIn(outer, name); d != nil {
			v, err := names.Enumeration(d)
			return v, true, err
		}
		if types.IsRecord(outer) {
			for c := range types.Members(outer) {
				base := types.Strip(c.TypeDIE())
				if c.Tag == dwarf.TagInheritance && base != nil && base != outer {
					if v, ok, err := e.in(names.Scope{base}, name); ok {
						return v, true, err
					}
				}
			}
		}
	}
	return cexpr.Value{}, false, nil
}

// Static implements cexpr.Env: the object of a variable of static duration, which may be defined elsewhere
// than it is declared.
func (e *Env) Static(decl *dwarf.DIE) (cexpr.Value, error) {
	_, located := decl.Attr(dwarf.AttrLocation)
	_, constant := decl.Attr(dwarf.AttrConstValue)
	if located || constant || !decl.Flag(dwarf.AttrDeclaration) && e.Finder.Symbols.Lost[decl] != nil {
		return e.object(decl)
	}
	around := e.around()
	for i, outer := 0, slices.Clone(around[len(around)-1]); i < len(outer); i++ {
		for _, d := range outer[i].Children {
			switch {
			case d.Tag == dwarf.TagVariable && d.Ref(dwarf.AttrSpecification) == decl:
				return e.object(d)
			case d.Tag == dwarf.TagNamespace && len(outer) < names.MaxScopes:
				outer = append(outer, d)
			}
		}
	}
	return e.object(decl)
}

// Type implements cexpr.Env: types of the functions around the pc, of their classes and namespaces, and of
// all units.
func (e *Env) Type(name string, tags []dwarf.Tag) *dwarf.DIE {
	if tags == nil {
		tags = names.TypeTags
	}
	path := cexpr.SplitName(name)
	scopes := e.leading(path)
	if len(path) == 1 {
		blocks := names.Scope(slices.Clone(e.Scopes))
		slices.Reverse(blocks)
		scopes = slices.Concat([]names.Scope{blocks}, e.around())
	}
	for _, s := range scopes {
		for _, outer := range s.Visible() {
			for _, d := range outer.Children {
				d = names.Meant(d, path[len(path)-1])
				if d != nil && slices.Contains(tags, d.Tag) && !d.Flag(dwarf.AttrDeclaration) {
					return d
				}
			}
		}
	}
	return nil
}

// Meaning is what a name stands for where the lane stands.
func (e *Env) Meaning(name string) cexpr.Meaning {
	_, err := e.Variable(name)
	switch {
	case err == nil, errors.Is(err, frames.ErrGone):
		return cexpr.Variable
	case e.Type(name, nil) != nil:
		return cexpr.Type
	}
	return cexpr.Nothing
}

// Declared is the entry that a plain name stands for in a frame, or among the variables of its unit.
func (e *Env) Declared(name string) *dwarf.DIE {
	for b := range names.Blocks(e.Unit(), e.Scopes) {
		for d := range b.Variables() {
			if cexpr.SameName(d.Name(), name) {
				return d
			}
		}
	}
	root, err := e.Unit().Root()
	if err != nil {
		return nil
	}
	return names.In(root, name, names.VariableTags...)
}
