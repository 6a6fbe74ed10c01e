package dump

import (
	"fmt"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// TypeName gives the name of a type as C++ writes it, with the namespaces and classes around it, in
// the way of llvm-dwarfdump: "const outer::Base &", "int (**)(...)", "int[64]".
func TypeName(d *dwarf.DIE) string {
	var n typeNamer
	n.qualified(fromTypeUnit(d))
	return n.b.String()
}

// maxTypeDepth and maxTypeText bound the names of the types of a hostile file, which can be loops or
// trees that share branches.
const (
	maxTypeDepth = 64
	maxTypeText  = 1 << 14
)

// A typeNamer writes the name of a type. C declarators wrap around the name, so a type has a part before
// and a part after what it applies to.
type typeNamer struct {
	b     strings.Builder
	word  bool // the text ends in a word, so that another one needs a space
	angle bool // the text ends with the > of a template
	depth int
}

func (n *typeNamer) full() bool { return n.depth > maxTypeDepth || n.b.Len() > maxTypeText }

func (n *typeNamer) write(s string) { n.b.WriteString(s) }

// referencedType follows DW_AT_type, and a declaration with a signature to its type unit.
func referencedType(d *dwarf.DIE) *dwarf.DIE {
	if d == nil {
		return nil
	}
	return fromTypeUnit(d.Ref(dwarf.AttrType))
}

func fromTypeUnit(d *dwarf.DIE) *dwarf.DIE {
	if d != nil {
		if t := d.Ref(dwarf.AttrSignature); t != nil {
			return t
		}
	}
	return d
}

var scopedTypes = map[dwarf.Tag]bool{
	dwarf.TagStructureType: true, dwarf.TagClassType: true, dwarf.TagUnionType: true,
	dwarf.TagNamespace:       true,
	dwarf.TagEnumerationType: true, dwarf.TagTypedef: true,
}

// noScopes has the entries whose names are no part of the names of types in them.
var noScopes = map[dwarf.Tag]bool{
	dwarf.TagCompileUnit: true, dwarf.TagTypeUnit: true, dwarf.TagSkeletonUnit: true,
	dwarf.TagSubprogram: true, dwarf.TagLexicalBlock: true,
}

func (n *typeNamer) scopes(d *dwarf.DIE) {
	if d == nil || noScopes[d.Tag] || n.full() {
		return
	}
	n.depth++
	d = fromTypeUnit(d)
	n.scopes(d.Parent)
	n.unqualified(d)
	n.write("::")
	n.depth--
}

func (n *typeNamer) qualified(d *dwarf.DIE) {
	if d != nil && scopedTypes[d.Tag] {
		n.scopes(d.Parent)
	}
	n.unqualified(d)
}

func (n *typeNamer) unqualified(d *dwarf.DIE) {
	inner := n.before(d)
	n.after(d, inner, false)
}

func (n *typeNamer) qualifiedBefore(d *dwarf.DIE) {
	if d != nil && scopedTypes[d.Tag] {
		n.scopes(d.Parent)
	}
	n.before(d)
}

// before writes what stands before a declarator and gives the type that the type is made of.
func (n *typeNamer) before(d *dwarf.DIE) *dwarf.DIE {
	n.word = true
	if d == nil {
		n.write("void")
		return nil
	}
	if n.full() {
		n.write("...")
		return nil
	}
	n.depth++
	defer func() { n.depth-- }()
	inner := referencedType(d)
	switch d.Tag {
	case dwarf.TagPointerType:
		n.pointerBefore(inner, "*")
	case dwarf.TagReferenceType:
		n.pointerBefore(inner, "&")
	case dwarf.TagRvalueReferenceType:
		n.pointerBefore(inner, "&&")
	case dwarf.TagPtrToMemberType:
		n.memberPointerBefore(d, inner)
	case dwarf.TagSubroutineType:
		n.qualifiedBefore(inner)
		n.space()
		n.word = false
	case dwarf.TagArrayType, dwarf.TagLLVMPtrauthType:
		n.qualifiedBefore(inner)
	case dwarf.TagConstType, dwarf.TagVolatileType:
		n.qualifierBefore(d)
	case dwarf.TagNamespace:
		if s, ok := d.Str(dwarf.AttrName); ok {
			n.write(s)
		} else {
			n.write("(anonymous namespace)")
		}
		return nil
	case dwarf.TagUnspecifiedType:
		s := d.Name()
		if s == "decltype(nullptr)" {
			s = "std::nullptr_t"
		}
		n.write(s)
		n.angle = false
		return nil
	default:
		return n.named(d)
	}
	return inner
}

func (n *typeNamer) space() {
	if n.word {
		n.write(" ")
	}
}

func (n *typeNamer) named(d *dwarf.DIE) *dwarf.DIE {
	name, ok := d.Str(dwarf.AttrName)
	if !ok {
		tag := strings.TrimPrefix(d.Tag.String(), "DW_TAG_")
		if kind, isType := strings.CutSuffix(tag, "_type"); isType {
			n.write(kind + " ")
		}
		return nil
	}
	n.write(name)
	n.angle = strings.HasSuffix(name, ">")
	if !n.angle {
		n.templateArgs(d)
	}
	return nil
}

// templateArgs writes the arguments of a template whose name is written without them (clang's
// -gsimple-template-names).
func (n *typeNamer) templateArgs(d *dwarf.DIE) {
	first, found := true, false
	n.templateList(d, &first, &found)
	if !found {
		return
	}
	if first { // an empty pack
		n.write("<")
		n.angle = false
	}
	if n.angle {
		n.write(" ")
	}
	n.write(">")
	n.angle, n.word = true, true
}

func (n *typeNamer) templateList(d *dwarf.DIE, first, found *bool) {
	if n.full() {
		return
	}
	separate := func() {
		if *first {
			n.write("<")
		} else {
			n.write(", ")
		}
		*first, *found = false, true
		n.angle = false
	}
	for _, c := range d.Children {
		switch c.Tag {
		case dwarf.TagGNUTemplateParameterPack:
			*found = true
			n.depth++
			n.templateList(c, first, found)
			n.depth--
		case dwarf.TagTemplateValueParameter:
			separate()
			n.templateValue(c)
		case dwarf.TagGNUTemplateTemplateParam:
			separate()
			s, _ := c.Str(dwarf.AttrGNUTemplateName)
			n.write(s)
		case dwarf.TagTemplateTypeParameter:
			separate()
			n.qualified(referencedType(c))
		}
	}
}

// integerForms has how C++ writes a constant of a type: what stands before and after the number.
var integerForms = map[string]struct {
	before, after string
	unsigned      bool
}{
	"short":              {before: "(short)"},
	"unsigned short":     {before: "(unsigned short)", unsigned: true},
	"int":                {},
	"long":               {after: "L"},
	"long long":          {after: "LL"},
	"unsigned int":       {after: "U", unsigned: true},
	"unsigned long":      {after: "UL", unsigned: true},
	"unsigned long long": {after: "ULL", unsigned: true},
}

func (n *typeNamer) templateValue(c *dwarf.DIE) {
	t := referencedType(c)
	v, ok := c.Uint(dwarf.AttrConstValue)
	if t == nil || !ok || t.Tag == dwarf.TagPointerType || t.Tag == dwarf.TagReferenceType {
		return
	}
	name := t.Name()
	form, integer := integerForms[name]
	switch {
	case t.Tag == dwarf.TagEnumerationType:
		n.write("(")
		n.qualified(t)
		n.write(")" + strconv.FormatInt(int64(v), 10))
	case name == "bool":
		n.write(strconv.FormatBool(v != 0))
	case integer && form.unsigned:
		n.write(form.before + strconv.FormatUint(v, 10) + form.after)
	case integer:
		n.write(form.before + strconv.FormatInt(int64(v), 10) + form.after)
	case name == "char":
		n.write(character(v))
	case name == "signed char" || name == "unsigned char":
		n.write("(" + name + ")" + character(v))
	default:
		n.write("(" + name + ")" + strconv.FormatInt(int64(v), 10))
	}
}

// escapes has the characters that C++ writes with a letter behind a backslash, or with themselves there.
var escapes = map[uint64]byte{'\a': 'a', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v',
	'\\': '\\', '\'': '\''}

// character is a constant of a type of characters.
func character(v uint64) string {
	if int64(v) < 0 {
		v &= 0xff
	}
	switch escaped, ok := escapes[v]; {
	case ok:
		return "'\\" + string(rune(escaped)) + "'"
	case v >= ' ' && v < 127:
		return "'" + string(rune(v)) + "'"
	}
	return fmt.Sprintf("'\\x%02x'", v)
}

// needsParens reports whether a pointer to the type is written in brackets.
func needsParens(d *dwarf.DIE) bool {
	for range maxTypeDepth {
		if d == nil || d.Tag != dwarf.TagConstType && d.Tag != dwarf.TagVolatileType {
			break
		}
		d = referencedType(d)
	}
	return d != nil && (d.Tag == dwarf.TagSubroutineType || d.Tag == dwarf.TagArrayType)
}

func (n *typeNamer) pointerBefore(inner *dwarf.DIE, mark string) {
	n.qualifiedBefore(inner)
	n.space()
	if needsParens(inner) {
		n.write("(")
	}
	n.write(mark)
	n.word, n.angle = false, false
}

func (n *typeNamer) memberPointerBefore(d, inner *dwarf.DIE) {
	n.qualifiedBefore(inner)
	if needsParens(inner) {
		n.write("(")
	} else {
		n.space()
	}
	if class := fromTypeUnit(d.Ref(dwarf.AttrContainingType)); class != nil {
		n.qualified(class)
		n.angle = false
		n.write("::")
	}
	n.write("*")
	n.word = false
}

// qualifiers takes const and volatile off a type, at most one of each.
func qualifiers(d *dwarf.DIE) (t *dwarf.DIE, isConst, isVolatile bool) {
	isConst, isVolatile = d.Tag == dwarf.TagConstType, d.Tag == dwarf.TagVolatileType
	t = referencedType(d)
	if t != nil && (t.Tag == dwarf.TagConstType || t.Tag == dwarf.TagVolatileType) {
		isConst = isConst || t.Tag == dwarf.TagConstType
		isVolatile = isVolatile || t.Tag == dwarf.TagVolatileType
		t = referencedType(t)
	}
	return t, isConst, isVolatile
}

// qualifierBefore writes const and volatile in front of a type, but behind the mark of a pointer.
func (n *typeNamer) qualifierBefore(d *dwarf.DIE) {
	t, isConst, isVolatile := qualifiers(d)
	element := t
	for range maxTypeDepth {
		if element == nil || element.Tag != dwarf.TagArrayType {
			break
		}
		element = referencedType(element)
	}
	subroutine := t != nil && t.Tag == dwarf.TagSubroutineType
	pointer := element != nil &&
		(element.Tag == dwarf.TagPointerType || element.Tag == dwarf.TagPtrToMemberType)
	leading := !pointer && !subroutine
	if leading && isConst {
		n.write("const ")
	}
	if leading && isVolatile {
		n.write("volatile ")
	}
	n.qualifiedBefore(t)
	if leading || subroutine {
		return
	}
	n.word = true
	switch {
	case isConst && isVolatile:
		n.write("const volatile")
	case isConst:
		n.write("const")
	case isVolatile:
		n.write("volatile")
	}
}

// after writes what stands behind a declarator.
func (n *typeNamer) after(d, inner *dwarf.DIE, member bool) {
	if d == nil || n.full() {
		return
	}
	n.depth++
	defer func() { n.depth-- }()
	switch d.Tag {
	case dwarf.TagSubroutineType:
		n.parameters(d, inner, member, false, false)
	case dwarf.TagArrayType:
		n.dimensions(d)
	case dwarf.TagConstType, dwarf.TagVolatileType:
		t, isConst, isVolatile := qualifiers(d)
		if t != nil && t.Tag == dwarf.TagSubroutineType {
			n.parameters(t, referencedType(t), false, isConst, isVolatile)
		} else {
			n.after(t, referencedType(t), false)
		}
	case dwarf.TagPtrToMemberType, dwarf.TagReferenceType, dwarf.TagRvalueReferenceType, dwarf.TagPointerType:
		if needsParens(inner) {
			n.write(")")
		}
		n.after(inner, referencedType(inner), d.Tag == dwarf.TagPtrToMemberType)
	}
}

// parameters writes the parameters of a function type. Those of a member function leave out the object,
// whose const and volatile go behind the list.
func (n *typeNamer) parameters(d, inner *dwarf.DIE, member, isConst, isVolatile bool) {
	var object *dwarf.DIE
	n.write("(")
	n.angle = false
	first := true
	for i, c := range d.Children {
		if c.Tag != dwarf.TagFormalParameter && c.Tag != dwarf.TagUnspecifiedParameters {
			break
		}
		if t := referencedType(c); member && i == 0 && has(c, dwarf.AttrArtificial) {
			object = t
			continue
		}
		if !first {
			n.write(", ")
		}
		first = false
		if c.Tag == dwarf.TagUnspecifiedParameters {
			n.write("...")
		} else {
			n.qualified(referencedType(c))
		}
	}
	n.angle = false
	n.write(")")
	if object != nil && object.Tag == dwarf.TagPointerType {
		for range 2 {
			if object = referencedType(object); object == nil {
				break
			}
			isConst = isConst || object.Tag == dwarf.TagConstType
			isVolatile = isVolatile || object.Tag == dwarf.TagVolatileType
		}
	}
	if isConst {
		n.write(" const")
	}
	if isVolatile {
		n.write(" volatile")
	}
	if has(d, dwarf.AttrReference) {
		n.write(" &")
	}
	if has(d, dwarf.AttrRvalueReference) {
		n.write(" &&")
	}
	n.after(inner, referencedType(inner), false)
}

func (n *typeNamer) dimensions(d *dwarf.DIE) {
	for _, c := range d.Children {
		if c.Tag == dwarf.TagSubrangeType {
			n.dimension(c)
		}
	}
	n.angle = false
}

func has(d *dwarf.DIE, name dwarf.At) bool {
	_, ok := d.Attr(name)
	return ok
}

// bound gives a bound that is an unsigned constant.
func bound(d *dwarf.DIE, name dwarf.At) (uint64, bool) {
	a, ok := d.Attr(name)
	if !ok || a.Class != dwarf.ClassConstant || a.Form == dwarf.FormSdata || a.Form == dwarf.FormData16 {
		return 0, false
	}
	return a.Val, true
}

func (n *typeNamer) dimension(d *dwarf.DIE) {
	low, hasLow := bound(d, dwarf.AttrLowerBound)
	count, hasCount := bound(d, dwarf.AttrCount)
	high, hasHigh := bound(d, dwarf.AttrUpperBound)
	var usual uint64
	if d.Unit != nil {
		usual = uint64(types.LowerBound(d.Unit.Language()))
	}
	if hasLow && low == usual {
		hasLow = false
	}
	number := func(v uint64) string { return strconv.FormatUint(v, 10) }
	switch {
	case !hasLow && !hasCount && !hasHigh:
		n.write("[]")
	case !hasLow && hasCount:
		n.write("[" + number(count) + "]")
	case !hasLow:
		n.write("[" + number(high-usual+1) + "]")
	case hasCount:
		n.write("[[" + number(low) + ", " + number(low+count) + ")]")
	case hasHigh:
		n.write("[[" + number(low) + ", " + number(high+1) + ")]")
	default:
		n.write("[[" + number(low) + ", ?)]")
	}
}
