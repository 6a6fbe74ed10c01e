package names_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/stub/names"
	"simtgdb/stub/symfile"
)

// entry makes an entry of a name, and entries below it.
func entry(tag dwarf.Tag, name string, attrs []dwarf.Attr, children ...*dwarf.DIE) *dwarf.DIE {
	if name != "" {
		attrs = append(slices.Clone(attrs), dwarf.StringAttr(dwarf.AttrName, name))
	}
	d := dwarf.NewDIE(tag, attrs...)
	d.Add(children...)
	return d
}

func flags(names ...dwarf.At) (attrs []dwarf.Attr) {
	for _, n := range names {
		attrs = append(attrs, dwarf.FlagAttr(n))
	}
	return attrs
}

func refs(name dwarf.At, to *dwarf.DIE) []dwarf.Attr { return []dwarf.Attr{dwarf.RefAttr(name, to)} }

func variable(name string) *dwarf.DIE { return entry(dwarf.TagVariable, name, nil) }

// list writes entries as their places in what they are called.
func list(called map[*dwarf.DIE]string, ds []*dwarf.DIE) (out []string) {
	for _, d := range ds {
		out = append(out, called[d])
	}
	return out
}

// TestMeant: an entry means what has its name; a declaration that uses another entry means that one, by its
// name, or by one of its own.
func TestMeant(t *testing.T) {
	x := variable("vector<int, int>")
	used := entry(dwarf.TagImportedDeclaration, "", refs(dwarf.AttrImport, x))
	other := entry(dwarf.TagImportedDeclaration, "other", refs(dwarf.AttrImport, x))
	lost := entry(dwarf.TagImportedDeclaration, "", nil)
	for _, c := range []struct {
		d    *dwarf.DIE
		name string
		want *dwarf.DIE
	}{
		{x, "vector<int, int>", x}, {x, "vector<int,int>", x}, {x, "vector", nil},
		{used, "vector<int,int>", x}, {used, "used", nil},
		{other, "other", x}, {other, "vector<int,int>", nil},
		{lost, "vector<int,int>", nil},
	} {
		if got := names.Meant(c.d, c.name); got != c.want {
			t.Errorf("%q means %v, expected %v", c.name, got, c.want)
		}
	}
}

// TestScopes: of a scope there are visible the members of namespaces without a name, of those that are
// inline, and of those imported, wherever they are; a name stands for all that has it, through typedefs, but
// for what is only declared.
func TestScopes(t *testing.T) {
	class := entry(dwarf.TagStructureType, "S", nil)
	far := entry(dwarf.TagNamespace, "far", nil, class)
	inner := entry(dwarf.TagNamespace, "v1", flags(dwarf.AttrExportSymbols),
		entry(dwarf.TagTypedef, "T", refs(dwarf.AttrType,
			entry(dwarf.TagConstType, "", refs(dwarf.AttrType, class)))))
	hidden := entry(dwarf.TagNamespace, "", nil, inner,
		entry(dwarf.TagImportedModule, "", refs(dwarf.AttrImport, far)))
	declared := entry(dwarf.TagStructureType, "S", flags(dwarf.AttrDeclaration))
	again := entry(dwarf.TagNamespace, "far", nil)
	unit := entry(dwarf.TagCompileUnit, "", nil, hidden, far, declared, variable("S"), again,
		entry(dwarf.TagImportedDeclaration, "", refs(dwarf.AttrImport, class)),
		entry(dwarf.TagImportedModule, "", refs(dwarf.AttrImport, far)),
		entry(dwarf.TagImportedModule, "", nil))
	called := map[*dwarf.DIE]string{unit: "unit", hidden: "hidden", inner: "v1", far: "far", class: "class",
		again: "again"}

	if d := cmp.Diff([]string{"unit", "hidden", "far", "v1"},
		list(called, names.Scope{unit}.Visible())); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		in   *dwarf.DIE
		name string
		want []string
	}{
		{unit, "far", []string{"far", "again"}}, {unit, "S", []string{"class"}},
		{unit, "T", []string{"class"}},
		{unit, "v1", []string{"v1"}}, {unit, "no", nil}, {far, "T", nil}, {far, "S", []string{"class"}},
	} {
		if d := cmp.Diff(c.want, list(called, names.Scope{c.in}.Named(c.name))); d != "" {
			t.Errorf("%s in %s: %s", c.name, called[c.in], d)
		}
	}
}

// TestScopesEnd: namespaces that import each other, and more of them than anybody has.
func TestScopesEnd(t *testing.T) {
	a, b := entry(dwarf.TagNamespace, "a", nil), entry(dwarf.TagNamespace, "b", nil)
	a.Add(entry(dwarf.TagImportedModule, "", refs(dwarf.AttrImport, b)))
	b.Add(entry(dwarf.TagImportedModule, "", refs(dwarf.AttrImport, a)))
	if got := (names.Scope{a}).Visible(); len(got) != 2 {
		t.Errorf("%d are visible, expected 2", len(got))
	}
	unit := entry(dwarf.TagCompileUnit, "", nil)
	deep := unit
	for range 2 * names.MaxScopes {
		n := entry(dwarf.TagNamespace, "", nil)
		deep.Add(n)
		unit.Add(entry(dwarf.TagNamespace, "many", nil))
		deep = n
	}
	if got := len(names.Scope{unit}.Visible()); got != names.MaxScopes {
		t.Errorf("%d are visible, expected %d", got, names.MaxScopes)
	}
	if got := len(names.Scope{unit}.Named("many")); got != names.MaxScopes {
		t.Errorf("%d have a name, expected %d", got, names.MaxScopes)
	}
}

// TestEnumerators: those of a scoped enumeration are not visible outside.
func TestEnumerators(t *testing.T) {
	red := entry(dwarf.TagEnumerator, "red", []dwarf.Attr{dwarf.IntAttr(dwarf.AttrConstValue, -3)})
	bare := entry(dwarf.TagEnumerator, "bare", nil)
	colour := entry(dwarf.TagEnumerationType, "colour", nil, variable("red"), red, bare)
	green := entry(dwarf.TagEnumerator, "green", nil)
	scoped := entry(dwarf.TagEnumerationType, "scoped", flags(dwarf.AttrEnumClass), green)
	unit := entry(dwarf.TagCompileUnit, "", nil, scoped,
		entry(dwarf.TagStructureType, "", nil, entry(dwarf.TagEnumerator, "blue", nil)), colour)
	for name, want := range map[string]*dwarf.DIE{"red": red, "green": nil, "blue": nil, "colour": nil} {
		if got := names.EnumeratorIn(unit, name); got != want {
			t.Errorf("%s is %v, expected %v", name, got, want)
		}
	}
	v, err := names.Enumeration(red)
	if err != nil || v.Type != colour ||
		fmt.Sprintf("% x", v.Data) != "fd ff ff ff ff ff ff ff" {
		t.Errorf("red is % x of %v, %v", v.Data, v.Type, err)
	}
	if _, err := names.Enumeration(bare); err == nil || err.Error() != "bare has no value" {
		t.Errorf("of one without a value: %v", err)
	}
}

// TestIn: the first of a name and a tag that is more than declared.
func TestIn(t *testing.T) {
	x := variable("x")
	outer := entry(dwarf.TagStructureType, "", nil, entry(dwarf.TagMember, "x", nil),
		entry(dwarf.TagVariable, "x", flags(dwarf.AttrDeclaration)), x, variable("x"))
	if got := names.In(outer, "x", names.VariableTags...); got != x {
		t.Errorf("found %v", got)
	}
	if got := names.In(outer, "y", names.VariableTags...); got != nil {
		t.Errorf("found %v", got)
	}
	for tag, want := range map[dwarf.Tag]bool{dwarf.TagVariable: true, dwarf.TagFormalParameter: true,
		dwarf.TagMember: false} {
		if got := names.IsVariable(dwarf.NewDIE(tag)); got != want {
			t.Errorf("%v is a variable: %t", tag, got)
		}
	}
}

// program is a unit as it is read again after it was written: a kernel in which a function is inlined that
// has an entry of its own as well.
func program(t *testing.T) (u *dwarf.Unit, kernel *dwarf.DIE) {
	t.Helper()
	origin := func(d *dwarf.DIE) []dwarf.Attr { return refs(dwarf.AttrAbstractOrigin, d) }
	a, hidden := variable("a"), entry(dwarf.TagVariable, "hidden", flags(dwarf.AttrDeclaration))
	abstract := entry(dwarf.TagSubprogram, "f", nil, entry(dwarf.TagFormalParameter, "p", nil), a,
		entry(dwarf.TagStructureType, "local", nil), hidden, variable(""))
	own := entry(dwarf.TagSubprogram, "", origin(abstract), variable("counter"),
		entry(dwarf.TagVariable, "", origin(a)))
	inlined := entry(dwarf.TagInlinedSubroutine, "", origin(abstract),
		entry(dwarf.TagVariable, "", origin(a)), entry(dwarf.TagLexicalBlock, "", nil, variable("innermost")))
	other := entry(dwarf.TagSubprogram, "g", nil, variable("no"))
	root := entry(dwarf.TagCompileUnit, "unit", nil, abstract, other, own,
		entry(dwarf.TagSubprogram, "kernel", nil, variable("k"), inlined))
	return written(t, root)
}

func written(t *testing.T, root *dwarf.DIE) (u *dwarf.Unit, kernel *dwarf.DIE) {
	t.Helper()
	sections, err := dwarf.Write([]*dwarf.OutUnit{{Version: 5, AddrSize: 8, Root: root}},
		dwarf.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	u = data.Units()[0]
	if root, err = u.Root(); err != nil {
		t.Fatal(err)
	}
	return u, root.Children[len(root.Children)-1]
}

// TestBlocks: from the innermost block outwards; a function that was inlined has the variables of its own
// entry, those of static duration of the entry of its code elsewhere, and those that it has by itself.
func TestBlocks(t *testing.T) {
	u, kernel := program(t)
	inlined := kernel.Child(dwarf.TagInlinedSubroutine)
	scopes := []*dwarf.DIE{kernel, inlined, inlined.Child(dwarf.TagLexicalBlock)}
	var got [][]string
	for b := range names.Blocks(u, scopes) {
		var in []string
		for d := range b.Variables() {
			in = append(in, d.Name())
		}
		got = append(got, in)
	}
	want := [][]string{{"innermost"}, {"a", "counter", "p", "a"}, {"k"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	n := 0
	for b := range names.Blocks(u, scopes) {
		n++
		if n < 2 {
			continue
		}
		for range b.Variables() {
			n += 10
			break
		}
		break
	}
	if n != 12 {
		t.Errorf("those who break off see more: %d", n)
	}
	root := kernel.Parent
	own := root.Children[2]
	for b := range names.Blocks(u, []*dwarf.DIE{own}) {
		if len(b) != 2 || b[0] != own || b[1] != root.Children[0] {
			t.Errorf("the function's own block has %d entries", len(b))
		}
	}
}

// TestInnermostCall: the innermost function that is inlined, unless it is the body of the kernel around it.
func TestInnermostCall(t *testing.T) {
	block := dwarf.NewDIE(dwarf.TagLexicalBlock)
	inner := dwarf.NewDIE(dwarf.TagInlinedSubroutine)
	outer := entry(dwarf.TagInlinedSubroutine, "",
		[]dwarf.Attr{dwarf.StringAttr(dwarf.AttrLinkageName, "body")}, inner)
	kernel := entry(dwarf.TagSubprogram, "", []dwarf.Attr{dwarf.AddressAttr(dwarf.AttrLowPC, 64),
		dwarf.UintAttr(dwarf.AttrHighPC, 8)}, outer)
	body := symfile.Layout{BodyNames: map[uint64]string{64: "body"}}
	for _, c := range []struct {
		scopes []*dwarf.DIE
		layout symfile.Layout
		want   int
	}{
		{[]*dwarf.DIE{kernel, outer, inner, block}, symfile.Layout{}, 2},
		{[]*dwarf.DIE{kernel, outer, block}, symfile.Layout{}, 1},
		{[]*dwarf.DIE{kernel, block}, symfile.Layout{}, -1},
		{[]*dwarf.DIE{kernel, outer, block}, body, -1},
		{[]*dwarf.DIE{kernel, outer, inner, block}, body, 2},
	} {
		if got := names.InnermostCall(c.scopes, c.layout); got != c.want {
			t.Errorf("%d scopes: %d, expected %d", len(c.scopes), got, c.want)
		}
	}
}

// TestKindsOfScopes: what has members with names is a scope, and nothing else.
func TestKindsOfScopes(t *testing.T) {
	inside := entry(dwarf.TagStructureType, "inside", nil)
	for tag, want := range map[dwarf.Tag]bool{dwarf.TagNamespace: true, dwarf.TagStructureType: true,
		dwarf.TagClassType: true, dwarf.TagUnionType: true, dwarf.TagEnumerationType: true,
		dwarf.TagSubprogram: true,
		dwarf.TagTypedef:    true, dwarf.TagTemplateAlias: true, dwarf.TagVariable: false,
		dwarf.TagBaseType:     false,
		dwarf.TagLexicalBlock: false, dwarf.TagMember: false, dwarf.TagEnumerator: false} {
		d := entry(tag, "s", nil)
		meant := d
		if tag == dwarf.TagTypedef || tag == dwarf.TagTemplateAlias {
			d.Set(dwarf.RefAttr(dwarf.AttrType, inside))
			meant = inside
		}
		got := names.Scope{entry(dwarf.TagCompileUnit, "", nil, d)}.Named("s")
		if (len(got) == 1 && got[0] == meant) != want || len(got) > 1 {
			t.Errorf("%v: %v", tag, got)
		}
	}
}

// TestEnumeration: an enumerator's value is of its enumeration.
func TestEnumeration(t *testing.T) {
	e := entry(dwarf.TagEnumerationType, "e", nil, entry(dwarf.TagEnumerator, "less",
		[]dwarf.Attr{dwarf.IntAttr(dwarf.AttrConstValue, -2)}), entry(dwarf.TagEnumerator, "none", nil))
	v, err := names.Enumeration(e.Children[0])
	if err != nil || v.Type != e || v.InMemory || int64(binary.LittleEndian.Uint64(v.Data)) != -2 {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := names.Enumeration(e.Children[1]); err == nil {
		t.Error("an enumerator without a value has one")
	}
}
