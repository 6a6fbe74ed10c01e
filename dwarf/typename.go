package dwarf

import (
	"strconv"
	"strings"
)

// TypeName gives the name of a type as C++ writes it, with the namespaces and classes around it, in
// the way of llvm-dwarfdump: "const outer::Base &", "int (**)(...)", "int[64]".
func TypeName(d *DIE) string {
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
func referencedType(d *DIE) *DIE {
	if d == nil {
		return nil
	}
	return fromTypeUnit(d.Ref(AttrType))
}

func fromTypeUnit(d *DIE) *DIE {
	if d != nil {
		if t := d.Ref(AttrSignature); t != nil {
			return t
		}
	}
	return d
}

var scopedTypes = map[Tag]bool{
	TagStructureType: true, TagClassType: true, TagUnionType: true, TagNamespace: true,
	TagEnumerationType: true, TagTypedef: true,
}

// noScopes has the entries whose names are no part of the names of types in them.
var noScopes = map[Tag]bool{
	TagCompileUnit: true, TagTypeUnit: true, TagSkeletonUnit: true, TagSubprogram: true, TagLexicalBlock: true,
}

func (n *typeNamer) scopes(d *DIE) {
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

func (n *typeNamer) qualified(d *DIE) {
	if d != nil && scopedTypes[d.Tag] {
		n.scopes(d.Parent)
	}
	n.unqualified(d)
}

func (n *typeNamer) unqualified(d *DIE) {
	inner := n.before(d)
	n.after(d, inner, false)
}

func (n *typeNamer) qualifiedBefore(d *DIE) {
	if d != nil && scopedTypes[d.Tag] {
		n.scopes(d.Parent)
	}
	n.before(d)
}

// before writes what stands before a declarator and gives the type that the type is made of.
func (n *typeNamer) before(d *DIE) *DIE {
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
	case TagPointerType:
		n.pointerBefore(inner, "*")
	case TagReferenceType:
		n.pointerBefore(inner, "&")
	case TagRvalueReferenceType:
		n.pointerBefore(inner, "&&")
	case TagPtrToMemberType:
		n.memberPointerBefore(d, inner)
	case TagSubroutineType:
		n.qualifiedBefore(inner)
		n.space()
		n.word = false
	case TagArrayType, TagLLVMPtrauthType:
		n.qualifiedBefore(inner)
	case TagConstType, TagVolatileType:
		n.qualifierBefore(d)
	case TagNamespace:
		if s, ok := d.Str(AttrName); ok {
			n.write(s)
		} else {
			n.write("(anonymous namespace)")
		}
		return nil
	case TagUnspecifiedType:
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

func (n *typeNamer) named(d *DIE) *DIE {
	name, ok := d.Str(AttrName)
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
func (n *typeNamer) templateArgs(d *DIE) {
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

func (n *typeNamer) templateList(d *DIE, first, found *bool) {
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
		case TagGNUTemplateParameterPack:
			*found = true
			n.depth++
			n.templateList(c, first, found)
			n.depth--
		case TagTemplateValueParameter:
			separate()
			n.templateValue(c)
		case TagGNUTemplateTemplateParam:
			separate()
			s, _ := c.Str(AttrGNUTemplateName)
			n.write(s)
		case TagTemplateTypeParameter:
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

func (n *typeNamer) templateValue(c *DIE) {
	t := referencedType(c)
	v, ok := c.Uint(AttrConstValue)
	if t == nil || !ok || t.Tag == TagPointerType || t.Tag == TagReferenceType {
		return
	}
	name := t.Name()
	form, integer := integerForms[name]
	switch {
	case t.Tag == TagEnumerationType:
		n.write("(")
		n.qualified(t)
		n.write(")" + strconv.FormatInt(int64(v), 10))
	case name == "bool":
		n.write(strconv.FormatBool(v != 0))
	case integer && form.unsigned:
		n.write(form.before + strconv.FormatUint(v, 10) + form.after)
	case integer:
		n.write(form.before + strconv.FormatInt(int64(v), 10) + form.after)
	default:
		n.write("(" + name + ")" + strconv.FormatInt(int64(v), 10))
	}
}

// needsParens says whether a pointer to the type is written in brackets.
func needsParens(d *DIE) bool {
	for range maxOrigins {
		if d == nil || d.Tag != TagConstType && d.Tag != TagVolatileType {
			break
		}
		d = referencedType(d)
	}
	return d != nil && (d.Tag == TagSubroutineType || d.Tag == TagArrayType)
}

func (n *typeNamer) pointerBefore(inner *DIE, mark string) {
	n.qualifiedBefore(inner)
	n.space()
	if needsParens(inner) {
		n.write("(")
	}
	n.write(mark)
	n.word, n.angle = false, false
}

func (n *typeNamer) memberPointerBefore(d, inner *DIE) {
	n.qualifiedBefore(inner)
	if needsParens(inner) {
		n.write("(")
	} else {
		n.space()
	}
	if class := fromTypeUnit(d.Ref(AttrContainingType)); class != nil {
		n.qualified(class)
		n.angle = false
		n.write("::")
	}
	n.write("*")
	n.word = false
}

// qualifiers takes const and volatile off a type, at most one of each.
func qualifiers(d *DIE) (t *DIE, isConst, isVolatile bool) {
	isConst, isVolatile = d.Tag == TagConstType, d.Tag == TagVolatileType
	t = referencedType(d)
	if t != nil && (t.Tag == TagConstType || t.Tag == TagVolatileType) {
		isConst = isConst || t.Tag == TagConstType
		isVolatile = isVolatile || t.Tag == TagVolatileType
		t = referencedType(t)
	}
	return t, isConst, isVolatile
}

// qualifierBefore writes const and volatile in front of a type, but behind the mark of a pointer.
func (n *typeNamer) qualifierBefore(d *DIE) {
	t, isConst, isVolatile := qualifiers(d)
	element := t
	for range maxOrigins {
		if element == nil || element.Tag != TagArrayType {
			break
		}
		element = referencedType(element)
	}
	subroutine := t != nil && t.Tag == TagSubroutineType
	pointer := element != nil && (element.Tag == TagPointerType || element.Tag == TagPtrToMemberType)
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
func (n *typeNamer) after(d, inner *DIE, member bool) {
	if d == nil || n.full() {
		return
	}
	n.depth++
	defer func() { n.depth-- }()
	switch d.Tag {
	case TagSubroutineType:
		n.parameters(d, inner, member, false, false)
	case TagArrayType:
		n.dimensions(d)
	case TagConstType, TagVolatileType:
		t, isConst, isVolatile := qualifiers(d)
		if t != nil && t.Tag == TagSubroutineType {
			n.parameters(t, referencedType(t), false, isConst, isVolatile)
		} else {
			n.after(t, referencedType(t), false)
		}
	case TagPtrToMemberType, TagReferenceType, TagRvalueReferenceType, TagPointerType:
		if needsParens(inner) {
			n.write(")")
		}
		n.after(inner, referencedType(inner), d.Tag == TagPtrToMemberType)
	}
}

// parameters writes the parameters of a function type. Those of a member function leave out the object,
// whose const and volatile go behind the list.
func (n *typeNamer) parameters(d, inner *DIE, member, isConst, isVolatile bool) {
	var object *DIE
	n.write("(")
	n.angle = false
	first := true
	for i, c := range d.Children {
		if c.Tag != TagFormalParameter && c.Tag != TagUnspecifiedParameters {
			break
		}
		if t := referencedType(c); member && i == 0 && c.attr(AttrArtificial) != nil {
			object = t
			continue
		}
		if !first {
			n.write(", ")
		}
		first = false
		if c.Tag == TagUnspecifiedParameters {
			n.write("...")
		} else {
			n.qualified(referencedType(c))
		}
	}
	n.angle = false
	n.write(")")
	if object != nil && object.Tag == TagPointerType {
		for range 2 {
			if object = referencedType(object); object == nil {
				break
			}
			isConst = isConst || object.Tag == TagConstType
			isVolatile = isVolatile || object.Tag == TagVolatileType
		}
	}
	if isConst {
		n.write(" const")
	}
	if isVolatile {
		n.write(" volatile")
	}
	if d.attr(AttrReference) != nil {
		n.write(" &")
	}
	if d.attr(AttrRvalueReference) != nil {
		n.write(" &&")
	}
	n.after(inner, referencedType(inner), false)
}

// lowerBounds has the languages whose arrays start at 1 where nothing else is said (DWARF 5 table 7.17).
var lowerBounds = map[uint64]uint64{
	LangAda83: 1, LangAda95: 1, LangAda2005: 1, LangAda2012: 1, LangCobol74: 1, LangCobol85: 1,
	LangFortran77: 1, LangFortran90: 1, LangFortran95: 1, LangFortran03: 1, LangFortran08: 1, LangFortran18: 1,
	LangPascal83: 1, LangModula2: 1, LangPLI: 1, LangJulia: 1,
}

func (n *typeNamer) dimensions(d *DIE) {
	for _, c := range d.Children {
		if c.Tag == TagSubrangeType {
			n.dimension(c)
		}
	}
	n.angle = false
}

// bound gives a bound that is an unsigned constant.
func bound(d *DIE, name At) (uint64, bool) {
	a := d.attr(name)
	if a == nil || a.Class != ClassConstant || a.Form == FormSdata || a.Form == FormData16 {
		return 0, false
	}
	return a.Val, true
}

func (n *typeNamer) dimension(d *DIE) {
	low, hasLow := bound(d, AttrLowerBound)
	count, hasCount := bound(d, AttrCount)
	high, hasHigh := bound(d, AttrUpperBound)
	var usual uint64
	if d.Unit != nil {
		usual = lowerBounds[d.Unit.Language()]
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
