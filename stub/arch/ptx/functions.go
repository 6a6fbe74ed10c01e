package ptx

import (
	"strings"

	"simtgdb/dwarf"
	"simtgdb/loader/cxxname"
	"simtgdb/simt/pattern"
)

// functions makes entries for functions of which only the symbols are known. One of C++ lies in namespaces,
// as its symbol says; whether one of these is a class is not known, and makes no difference for a name.
type functions struct {
	root   *dwarf.DIE
	spaces map[string]*dwarf.DIE // by their whole names
	cxx    bool                  // a symbol is one of C++
}

// add makes the entry of a symbol's function.
func (f *functions) add(symbol string, attrs ...dwarf.Attr) *dwarf.DIE {
	within, name := f.root, symbol
	if n, ok := cxxname.Parse(symbol); ok {
		f.cxx = true
		var outer string
		outer, name = lastName(n.Qualified)
		within = f.space(outer)
		attrs = append(attrs, dwarf.StringAttr(dwarf.AttrLinkageName, symbol))
	}
	d := dwarf.NewDIE(dwarf.TagSubprogram, dwarf.StringAttr(dwarf.AttrName, name))
	for _, a := range attrs {
		d.Set(a)
	}
	within.Add(d)
	return d
}

// space is the namespace of a name, which is the unit itself if that is "".
func (f *functions) space(name string) *dwarf.DIE {
	if name == "" {
		return f.root
	}
	d := f.spaces[name]
	if d == nil {
		outer, own := lastName(name)
		d = dwarf.NewDIE(dwarf.TagNamespace)
		if own != "(anonymous namespace)" {
			d.Set(dwarf.StringAttr(dwarf.AttrName, own))
		}
		f.space(outer).Add(d)
		f.spaces[name] = d
	}
	return d
}

// language is what the unit's functions are written in: gdb looks for names as the language has them.
func (f *functions) language() uint64 {
	if f.cxx {
		return dwarf.LangCPlusPlus14
	}
	return dwarf.LangC99
}

// lastName takes a name apart at the last "::" that is not inside of brackets: "a::b" and "c<d::e>" of
// "a::b::c<d::e>". An operator stays whole, since its own brackets match nothing.
func lastName(name string) (outer, own string) {
	at, depth := -1, 0
	for i := 0; i < len(name); i++ {
		switch {
		case depth == 0 && operator().MatchString(name[i:]) && (i == 0 || name[i-1] == ':'):
			i = len(name)
		case strings.IndexByte("<({[", name[i]) >= 0:
			depth++
		case strings.IndexByte(">)}]", name[i]) >= 0:
			depth--
		case depth == 0 && strings.HasPrefix(name[i:], "::"):
			at = i
			i++
		}
	}
	if at < 0 {
		return "", name
	}
	return name[:at], name[at+2:]
}

var operator = pattern.Compile(`^operator\W`)
