package launch

import (
	"fmt"
	"slices"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/dump"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/loader/cxxname"
	"simtgdb/loader/printable"
	"simtgdb/stub/arch"
	"simtgdb/stub/source"
)

// A declaration is what is known of a parameter's type.
type declaration struct {
	spelling string // as the source writes it, or the file; "" if nothing is known
	element  string // the element type of a number or a vector, or of what is pointed to; "" for all else
	points   bool
	implied  bool       // by what the machine's code takes, which need not be what the source says
	written  *dwarf.DIE // as debugging information has it; nil if it has none
}

// declarations are those of a kernel's explicit parameters: by debugging information, else by the file's own
// names of types, else by those in the mangled name of the kernel. Without src it is by names alone.
func declarations(src *source.Map, k *loader.Kernel) []declaration {
	args := k.ExplicitArgs()
	out := make([]declaration, len(args))
	var written []*dwarf.DIE
	mangled := make([]string, len(args))
	if name, ok := cxxname.Parse(k.Name); ok && name.Function && len(name.Parameters) == len(args) {
		mangled = name.Parameters
	}
	if src != nil {
		written = src.ParameterTypes(k.Entry)
	}
	for i := range args {
		if len(written) == len(args) && written[i] != nil { // else the function is another than the kernel
			out[i] = writtenDeclaration(written[i])
		} else {
			name := args[i].TypeName
			if name == "" || name[0] == '.' && mangled[i] != "" {
				name = mangled[i]
			}
			out[i] = namedDeclaration(name)
		}
	}
	return out
}

// writtenDeclaration is what debugging information says of a type.
func writtenDeclaration(typ *dwarf.DIE) declaration {
	d := declaration{spelling: dump.TypeName(typ), written: typ}
	bare := types.Strip(typ)
	if d.points = bare != nil && types.IsPointer(bare); d.points {
		bare = bare.TypeDIE()
	}
	d.element = elementOf(bare)
	return d
}

// namedDeclaration is what a file's name of a type says: OpenCL C's, "const float4*", or PTX's, ".u32".
func namedDeclaration(name string) declaration {
	if machine, ok := strings.CutPrefix(name, "."); ok {
		element := strings.Replace(machine, "s", "i", 1)
		if elementTypes[element] == nil {
			return declaration{spelling: name}
		}
		return declaration{spelling: name, element: element, implied: true}
	}
	d := declaration{spelling: name, points: strings.Contains(name, "*")}
	bare := strings.Join(slices.DeleteFunc(strings.Fields(strings.Trim(name, "* ")), isQualifier), " ")
	d.element = elementNamed(bare)
	if d.element == "" {
		d.element = elementNamed(strings.TrimRight(bare, "0123456789")) // a vector
	}
	return d
}

// elementOf is the element type of a number, an enumeration, or a vector or array of numbers; "" for any
// other type.
func elementOf(d *dwarf.DIE) string {
	d = types.Strip(d)
	for depth := 0; d != nil && d.Tag == dwarf.TagArrayType && depth < 8; depth++ {
		d = types.Strip(d.TypeDIE())
	}
	kinds := map[uint64]string{
		dwarf.ATEFloat: "f", dwarf.ATESigned: "i", dwarf.ATESignedChar: "i",
		dwarf.ATEUnsigned: "u", dwarf.ATEUnsignedChar: "u", dwarf.ATEBoolean: "u",
	}
	kind := kinds[types.Encoding(d)]
	if d != nil && d.Tag == dwarf.TagEnumerationType {
		kind = "i"
	}
	if kind != "" {
		name := fmt.Sprintf("%s%d", kind, 8*types.Model{}.Size(d))
		if elementTypes[name] != nil {
			return name
		}
	}
	return ""
}

// isQualifier reports whether a word of a type says nothing of what the type's objects look like.
func isQualifier(word string) bool {
	return word == "const" || word == "volatile" || word == "restrict" || strings.HasPrefix(word, "__")
}

// typeNames are names of the element types, of OpenCL C (2.0, section 6.1.1), and of C++ as mangled names
// have them.
var typeNames = map[string][]string{
	"i8": {"char", "signed char"}, "u8": {"uchar", "unsigned char", "bool"},
	"i16": {"short"}, "u16": {"ushort", "unsigned short"},
	"i32": {"int"}, "u32": {"uint", "unsigned int"},
	"i64": {"long", "long long"}, "u64": {"ulong", "unsigned long", "unsigned long long"},
	"f16": {"half", "_Float16"}, "f32": {"float"}, "f64": {"double"},
}

// elementNamed is the element type of a name for it.
func elementNamed(name string) string {
	for element, names := range typeNames {
		if slices.Contains(names, name) {
			return element
		}
	}
	return ""
}

// alike reports whether numbers of one element type are read as those of another by a program: integers as
// integers of their width, with or without a sign. What is not known is like everything.
func alike(a, b string) bool {
	s, t := elementTypes[a], elementTypes[b]
	return s == nil || t == nil || s.size == t.size && (a[0] == 'f') == (b[0] == 'f')
}

// differ reports whether a buffer of one element type is not what a program takes for one of another. Memory
// that is given or declared as bytes may hold anything.
func differ(given, declared string) bool {
	return !alike(given, declared) && elementTypes[given].size > 1 && elementTypes[declared].size > 1
}

// saidOfTypes is what the user should know of the types of what is given.
func saidOfTypes(params []parameter) (all []string) {
	for i := range params {
		if params[i].given == nil {
			continue
		}
		if _, said := params[i].judge(); said != "" {
			all = append(all, said)
		}
	}
	return all
}

// judge holds what is given for a parameter against its declared type. What cannot be meant is refused: a
// number of another type. A buffer of another type is said, since programs lay out memory as they like; bytes
// are taken for anything.
func (p *parameter) judge() (refused, said string) {
	d := &p.declared
	spelling := printable.Name(d.spelling)
	switch a := p.given; {
	case !a.typed():
	case a.Type == structType:
		return p.judgeFields(), ""
	case a.Kind == ValueArg && d.implied && !alike(a.Type, d.element):
		return "", fmt.Sprintf("%s is %s, and the code takes a %s", p.name(), a.describe(), spelling)
	case a.Kind == ValueArg && d.points && a.Type[0] == 'f',
		a.Kind == ValueArg && !d.points && !alike(a.Type, d.element):
		return fmt.Sprintf("%s is %s, but declared %s; the same bits may be given as bytes", p.name(),
			a.describe(), spelling), ""
	case a.Kind == BufferArg && d.element != "" && !d.points && !d.implied:
		return "", fmt.Sprintf("%s is %s, but declared %s, which is no pointer", p.name(), a.describe(),
			spelling)
	case a.Kind == BufferArg && d.points && differ(a.Buffer.Type, d.element):
		return "", fmt.Sprintf("%s is %s, but declared %s", p.name(), a.describe(), spelling)
	}
	return "", ""
}

// judgeFields holds the numbers of a structure against the members that lie where they do.
func (p *parameter) judgeFields() (refused string) {
	var l lookup
	for _, f := range p.given.Fields {
		name, typ := l.mismatch(p.declared.written, uint64(f.At), f.Type)
		if typ == nil {
			continue
		}
		what := "it is"
		if name != "" {
			what = fmt.Sprintf("its member %s is", printable.Name(strings.TrimPrefix(name, ".")))
		}
		return fmt.Sprintf("%s has %s at byte %d, where %s declared %s; the same bits may be given as bytes",
			p.name(), f.Type, f.At, what, printable.Name(dump.TypeName(typ)))
	}
	return ""
}

// A lookup finds what objects have at offsets, in so many steps.
type lookup struct{ steps int }

// maxSteps bounds a lookup in types of damaged files, which may contain themselves.
const maxSteps = 1 << 16

// mismatch gives the number that an object of a type has at an offset, and how it is called in the object, if
// a number of an element type is not read as it; nil if it is, or nothing is known. Bytes may be anything's,
// an address is one of 64 bits; of the members of a union one must have the number.
func (l *lookup) mismatch(typ *dwarf.DIE, at uint64, element string) (name string, other *dwarf.DIE) {
	bare, model := types.Strip(typ), types.Model{}
	l.steps++
	switch {
	case bare == nil, elementTypes[element].size == 1, l.steps > maxSteps:
		return "", nil
	case bare.Tag == dwarf.TagArrayType:
		size := model.Size(bare.TypeDIE())
		if size == 0 {
			return "", nil
		}
		name, other = l.mismatch(bare.TypeDIE(), at%size, element)
		return fmt.Sprintf("[%d]%s", at/size, name), other
	case types.IsRecord(bare):
		for m := range types.Members(bare) {
			first := types.Offset(m)
			if at < first || at-first >= model.Size(m.TypeDIE()) || bitField(m) {
				continue
			}
			within, found := l.mismatch(m.TypeDIE(), at-first, element)
			if found == nil {
				return "", nil
			}
			name, other = "."+m.Name()+within, found
		}
		return name, other
	case types.IsPointer(bare):
		if element == "u64" || element == "i64" {
			return "", nil
		}
		return "", typ
	}
	if number := elementOf(bare); number == "" || at == 0 && alike(element, number) {
		return "", nil
	}
	return "", typ
}

// bitField reports whether a member is bits of a number.
func bitField(m *dwarf.DIE) bool {
	_, ok := m.Attr(dwarf.AttrBitSize)
	return ok
}

// saidOfShader is what the user should know of the types of specialisation constants and bindings: of these a
// launch may give any bits.
func (s *Spec) saidOfShader(m *loader.Module, k *loader.Kernel) (said []string) {
	d, ok := arch.Of(m).(arch.Describer)
	if !ok || len(s.Constants)+len(s.Bindings) == 0 {
		return nil
	}
	needs := d.Needs(m, k)
	for _, c := range s.Constants {
		i := slices.IndexFunc(needs.Constants, func(n arch.NeedConstant) bool { return n.ID == c.ID })
		if i >= 0 && !alike(constantElement(c.Type), constantElement(needs.Constants[i].Type)) {
			said = append(said, fmt.Sprintf("specialisation constant %d is %s, but declared %s", c.ID, c.Type,
				needs.Constants[i].Type))
		}
	}
	for i := range s.Bindings {
		b := &s.Bindings[i]
		if b.Part || b.Kind == memoryBinding || b.Image != nil {
			continue
		}
		for _, n := range needs.Bindings {
			same := b.Numbered && b.Set == n.Set && b.Number == n.Number && b.Element == n.Element
			if same && differ(b.Buffer.Type, n.Type) {
				said = append(said, fmt.Sprintf("binding %s has %s[%d], but the module declares %s",
					b.label(), b.Buffer.Type, b.Buffer.Count, n.Type))
			}
		}
	}
	return said
}

// constantElement is the element type that a specialisation constant's type is read as.
func constantElement(typ string) string {
	if typ == "bool" {
		return "u32"
	}
	return typ
}
