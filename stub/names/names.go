// Package names finds what names mean among the entries of debugging information, as C++ looks for them (ISO
// C++20, section 6.5.3, as far as gdb goes): the blocks of a function with their variables, from the
// innermost outwards ([Blocks]), and namespaces, classes and units with all that is visible in them
// ([Scope]). It knows no lane and no values: where a variable is, others say.
package names

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/symfile"
)

// A scope is a namespace, class or unit: all the entries that have its members.
type Scope []*dwarf.DIE

// MaxScopes bounds how many entries a scope consists of.
const MaxScopes = 1 << 10

// VariableTags are the entries that variables have.
var VariableTags = []dwarf.Tag{dwarf.TagVariable, dwarf.TagFormalParameter}

// scopeTags are the entries that have members with names.
var scopeTags = map[dwarf.Tag]bool{
	dwarf.TagNamespace: true, dwarf.TagStructureType: true, dwarf.TagClassType: true,
	dwarf.TagUnionType: true, dwarf.TagEnumerationType: true, dwarf.TagTypedef: true,
	dwarf.TagSubprogram: true, dwarf.TagTemplateAlias: true,
}

// Meant is what an entry means if it has a name, of a using-declaration or a namespace's other name what it
// stands for; else nil.
func Meant(d *dwarf.DIE, name string) *dwarf.DIE {
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

// Named are the scopes of a name in a scope.
func (s Scope) Named(name string) (out Scope) {
	for _, outer := range s.Visible() {
		for _, d := range outer.Children {
			if d = Meant(d, name); d == nil || !scopeTags[d.Tag] || len(out) >= MaxScopes {
				continue
			}
			if d.Tag == dwarf.TagTypedef || d.Tag == dwarf.TagTemplateAlias {
				d = types.Strip(d.TypeDIE())
			}
			if d != nil && !slices.Contains(out, d) && !d.Flag(dwarf.AttrDeclaration) {
				out = append(out, d)
			}
		}
	}
	return out
}

// Visible are the entries whose members are members of the scope: with namespaces that have no name, or are
// inline or imported.
func (s Scope) Visible() (out Scope) {
	out = slices.Clone(s)
	for i := 0; i < len(out) && len(out) < MaxScopes; i++ {
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

// EnumeratorIn finds an enumerator of an enumeration in a scope whose enumerators are visible outside.
func EnumeratorIn(outer *dwarf.DIE, name string) *dwarf.DIE {
	for _, t := range outer.Children {
		if t.Tag != dwarf.TagEnumerationType || types.IsScoped(t) {
			continue
		}
		if d := In(t, name, dwarf.TagEnumerator); d != nil {
			return d
		}
	}
	return nil
}

// Enumeration is the value of an enumerator.
func Enumeration(d *dwarf.DIE) (cexpr.Value, error) {
	v, ok := d.Int(dwarf.AttrConstValue)
	if !ok {
		return cexpr.Value{}, fmt.Errorf("%s has no value", d.Name())
	}
	return cexpr.Value{Type: d.Parent, Data: binary.LittleEndian.AppendUint64(nil, uint64(v))}, nil
}

// A block is a block of a function, or the function itself: all the entries that have its variables, its own
// first. An inlined function, or one that has been inlined elsewhere, has an abstract entry besides its own,
// and clang describes its variables of static duration in the entry of its own code alone.
type Block []*dwarf.DIE

// Blocks are those of some scopes, of which the first is a function and the last the innermost: from the
// innermost outwards.
func Blocks(u *dwarf.Unit, scopes []*dwarf.DIE) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for _, s := range slices.Backward(scopes) {
			if !yield(blockOf(u, s)) {
				return
			}
		}
	}
}

func blockOf(u *dwarf.Unit, own *dwarf.DIE) Block {
	b := Block{own}
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

// Variables are those of a block. Of another copy of its function they are those of static duration, which
// the entry that all copies have in common has not.
func (b Block) Variables() iter.Seq[*dwarf.DIE] {
	return func(yield func(*dwarf.DIE) bool) {
		for i, entry := range b {
			for _, d := range entry.Children {
				if !IsVariable(d) || d.Name() == "" || d.Flag(dwarf.AttrDeclaration) {
					continue
				}
				if copied := i > 0 && d.Ref(dwarf.AttrAbstractOrigin) != nil; !copied && !yield(d) {
					return
				}
			}
		}
	}
}

func IsVariable(d *dwarf.DIE) bool { return slices.Contains(VariableTags, d.Tag) }

// InnermostCall is the index of the innermost call that was inlined in some scopes, of which gdb shows a
// frame of its own; -1 if there is none. What is around it belongs to the caller.
func InnermostCall(scopes []*dwarf.DIE, l symfile.Layout) int {
	for i, d := range slices.Backward(scopes) {
		if d.Tag == dwarf.TagInlinedSubroutine && !l.IsInlinedBody(d) {
			return i
		}
	}
	return -1
}

// TypeTags are the entries that types have.
var TypeTags = []dwarf.Tag{dwarf.TagTypedef, dwarf.TagBaseType, dwarf.TagStructureType, dwarf.TagClassType,
	dwarf.TagUnionType, dwarf.TagEnumerationType}

// In finds a child of a name and one of the tags. Declarations, which say nothing of size and place, are
// passed over.
func In(outer *dwarf.DIE, name string, tags ...dwarf.Tag) *dwarf.DIE {
	for _, d := range outer.Children {
		if slices.Contains(tags, d.Tag) && !d.Flag(dwarf.AttrDeclaration) && cexpr.SameName(d.Name(), name) {
			return d
		}
	}
	return nil
}
