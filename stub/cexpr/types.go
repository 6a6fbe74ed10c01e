package cexpr

import (
	"fmt"
	"slices"
	"strings"

	"simtgdb/dwarf"
)

// A typeName is a type as a cast spells it.
type typeName struct {
	words    []string // of a type of C's own, sorted; else one name
	tag      string   // struct, union, class or enum before the name
	pointers int
	refers   bool // a reference of C++
}

// cWords are the words that types of C's own are made of.
var cWords = []string{"_Bool", "_Float16", "__bf16", "bool", "char", "double", "float", "int", "long",
	"short", "signed", "unsigned", "void"}

var qualifiers = []string{"const", "volatile"}

var tags = map[string][]dwarf.Tag{
	"struct": {dwarf.TagStructureType, dwarf.TagClassType},
	"class":  {dwarf.TagStructureType, dwarf.TagClassType},
	"union":  {dwarf.TagUnionType},
	"enum":   {dwarf.TagEnumerationType},
}

// own are the types that C or OpenCL C have themselves, by their words in the order of the alphabet.
var own = map[string]*dwarf.DIE{
	"void": nil,
	"bool": boolean, "_Bool": boolean,
	"char": base("char", 1, dwarf.ATESignedChar), "char signed": base("signed char", 1, dwarf.ATESignedChar),
	"char unsigned": base("unsigned char", 1, dwarf.ATEUnsignedChar),
	"float":         floatType(32), "double": floatType(64),
	"_Float16": floatType(16), "half": floatType(16), "__bf16": brainFloat,
	"uchar": base("unsigned char", 1, dwarf.ATEUnsignedChar), "ushort": integerType(16, false),
	"uint": integerType(32, false), "ulong": integerType(64, false),
	"int8_t": base("signed char", 1, dwarf.ATESignedChar), "int16_t": integerType(16, true),
	"int32_t": integerType(32, true), "int64_t": integerType(64, true),
	"uint8_t":  base("unsigned char", 1, dwarf.ATEUnsignedChar),
	"uint16_t": integerType(16, false), "uint32_t": integerType(32, false),
	"uint64_t": integerType(64, false),
	"size_t":   integerType(64, false), "uintptr_t": integerType(64, false),
	"ptrdiff_t": integerType(64, true), "intptr_t": integerType(64, true),
}

func init() {
	for _, c := range []struct {
		word string
		bits int
	}{{"short", 16}, {"int short", 16}, {"int", 32}, {"", 32}, {"long", 64}, {"int long", 64},
		{"long long", 64}, {"int long long", 64}} {
		for sign, signed := range map[string]bool{"": true, "signed": true, "unsigned": false} {
			words := strings.Fields(c.word + " " + sign)
			slices.Sort(words)
			if len(words) > 0 {
				own[strings.Join(words, " ")] = integerType(c.bits, signed)
			}
		}
	}
}

// Named is the type of C or OpenCL C itself that some words name; nil if they name none.
func Named(words []string) *dwarf.DIE {
	return own[strings.Join(slices.Sorted(slices.Values(words)), " ")]
}

// startsType reports whether the token begins a type's name.
func (p *parser) startsType() bool {
	if p.tok.kind != identifier {
		return false
	}
	t := p.tok.text
	_, tagged := tags[t]
	if tagged || slices.Contains(cWords, t) || slices.Contains(qualifiers, t) {
		return true
	}
	_, named := own[t]
	meaning := p.meaning(t)
	return named && meaning != Variable || meaning == Type
}

// typeName reads the name of a type, without declarators but pointers.
func (p *parser) typeName() (t typeName, err error) {
	for err == nil && p.tok.kind == identifier {
		word := p.tok.text
		switch _, tagged := tags[word]; {
		case slices.Contains(qualifiers, word):
		case tagged && t.tag == "" && t.words == nil:
			t.tag = word
		case len(t.words) > 0 && !(slices.Contains(cWords, word) && slices.Contains(cWords, t.words[0])):
			return t, p.unexpected(`")"`)
		default:
			t.words = append(t.words, word)
		}
		err = p.next()
	}
	if len(t.words) == 0 && err == nil {
		return t, p.unexpected("a type's name")
	}
	for err == nil && (p.is("*") || p.tok.kind == identifier && slices.Contains(qualifiers, p.tok.text)) {
		if p.is("*") {
			t.pointers++
		}
		if t.pointers > 4 {
			return t, p.unexpected(`")"`)
		}
		err = p.next()
	}
	if err == nil && (p.is("&") || p.is("&&")) {
		t.refers = true
		err = p.next()
	}
	slices.Sort(t.words)
	return t, err
}

// resolve finds the type; nil is void.
func (t typeName) resolve(env Env) (*dwarf.DIE, error) {
	name := strings.Join(t.words, " ")
	d, ok := own[name]
	if t.tag != "" || !ok {
		d = env.Type(name, tags[t.tag])
		if d == nil {
			return nil, fmt.Errorf("no type %s here", strings.TrimSpace(t.tag+" "+name))
		}
	}
	for range t.pointers {
		d = pointerTo(d)
	}
	return d, nil
}

func base(name string, bytes uint64, encoding uint64) *dwarf.DIE {
	return dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, name),
		dwarf.UintAttr(dwarf.AttrByteSize, bytes), dwarf.UintAttr(dwarf.AttrEncoding, encoding))
}

var (
	boolean    = base("bool", 1, dwarf.ATEBoolean)
	brainFloat = base("__bf16", 2, dwarf.ATEFloat)
	integers   = map[int][2]*dwarf.DIE{
		8:  {base("unsigned char", 1, dwarf.ATEUnsigned), base("signed char", 1, dwarf.ATESigned)},
		16: {base("unsigned short", 2, dwarf.ATEUnsigned), base("short", 2, dwarf.ATESigned)},
		32: {base("unsigned int", 4, dwarf.ATEUnsigned), base("int", 4, dwarf.ATESigned)},
		64: {base("unsigned long", 8, dwarf.ATEUnsigned), base("long", 8, dwarf.ATESigned)},
	}
	floats = map[int]*dwarf.DIE{
		16: base("half", 2, dwarf.ATEFloat), 32: base("float", 4, dwarf.ATEFloat),
		64: base("double", 8, dwarf.ATEFloat),
	}
)

func integerType(bits int, signed bool) *dwarf.DIE {
	if signed {
		return integers[bits][1]
	}
	return integers[bits][0]
}

func floatType(bits int) *dwarf.DIE { return floats[bits] }

// pointerTo makes the type of pointers to a type, as wide as addresses of gdb.
func pointerTo(d *dwarf.DIE) *dwarf.DIE {
	p := dwarf.NewDIE(dwarf.TagPointerType, dwarf.UintAttr(dwarf.AttrByteSize, addressBytes))
	if d != nil {
		p.Set(dwarf.RefAttr(dwarf.AttrType, d))
	}
	return p
}

const addressBytes = 8

// arrayOf makes the type of an array.
func arrayOf(d *dwarf.DIE, counts ...uint64) *dwarf.DIE {
	a := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, d))
	for _, n := range counts {
		a.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, n)))
	}
	return a
}
