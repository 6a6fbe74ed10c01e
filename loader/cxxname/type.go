package cxxname

import (
	"fmt"
	"slices"
	"strings"
)

// declared reads one type.
func (p *parser) declared() text {
	all := p.types()
	if len(all) != 1 {
		p.fail()
		return text{}
	}
	return all[0]
}

// types reads a type, or all types that a pack stands for.
func (p *parser) types() []text {
	p.deeper()
	defer func() { p.depth-- }()
	if p.take("Dp") {
		return p.expansion()
	}
	t := p.single()
	if len(t.before)+len(t.after) > maxName {
		p.fail()
	}
	return []text{t}
}

// expansion reads a type once for each element of the packs that it names.
func (p *parser) expansion() []text {
	at, known, element, length := p.at, len(p.substitutions), p.element, p.length
	var all []text
	for p.element = 0; ; p.element++ {
		p.at, p.length = at, -1
		p.substitutions = p.substitutions[:min(known, len(p.substitutions))]
		t := p.single()
		if p.failed || p.length < 0 {
			p.fail()
			break
		}
		if p.element >= p.length {
			break
		}
		all = append(all, t)
		if p.element+1 == p.length {
			break
		}
	}
	p.element, p.length = element, length
	p.remember(argument{many: true, pack: all})
	return all
}

// single reads a type, and remembers it if it is one that S_ can stand for.
func (p *parser) single() text {
	c := p.peek()
	if name, ok := builtin[c]; ok {
		p.at++
		return plain(name)
	}
	var t text
	switch c {
	case 'r', 'V', 'K':
		t = p.qualified()
	case 'P', 'R', 'O':
		p.at++
		t = pointer(map[byte]string{'P': "*", 'R': "&", 'O': "&&"}[c], p.declared())
	case 'F':
		t = p.function()
	case 'A':
		t = p.array()
	case 'D':
		var again bool
		if t, again = p.extended(); again {
			return t
		}
	case 'u':
		p.at++
		t = plain(p.sourceName())
	case 'T':
		return p.templateParameter()
	case 'S':
		if p.peekAt(1) != 't' {
			return p.substituted()
		}
		fallthrough
	default:
		s, _, _ := p.typeName()
		t = plain(s)
	}
	p.remember(argument{text: t})
	return t
}

// typeName reads the name of a class or an enumeration. What T_ stands for is as before.
func (p *parser) typeName() (string, bool, string) {
	arguments := p.arguments
	defer func() { p.arguments = arguments }()
	return p.name()
}

// substituted reads what S_ stands for, which may be a template that gets arguments.
func (p *parser) substituted() text { return p.perhapsInstance(p.substitution()) }

// templateParameter reads T_ likewise.
func (p *parser) templateParameter() text {
	a := p.parameter()
	p.remember(a)
	return p.perhapsInstance(a)
}

// perhapsInstance is a type that was named, or an instance of it. What T_ stands for is as before.
func (p *parser) perhapsInstance(a argument) text {
	if p.peek() != 'I' {
		return p.chosen(a)
	}
	arguments := p.arguments
	t := plain(p.instance(a.text.String()))
	p.arguments = arguments
	p.remember(argument{text: t})
	return t
}

// chosen is the type that an argument stands for: of a pack that is expanded, the element whose turn it is.
func (p *parser) chosen(a argument) text {
	if !a.many {
		return a.text
	}
	p.length = len(a.pack)
	if p.element < len(a.pack) {
		return a.pack[p.element]
	}
	return text{}
}

// parameter reads T_.
func (p *parser) parameter() argument {
	p.want("T")
	i := p.indexed(10)
	switch {
	case p.failed:
	case p.lambda:
		return argument{text: plain(fmt.Sprintf("auto:%d", i+1))}
	case i < len(p.arguments):
		return p.arguments[i]
	default:
		p.fail()
	}
	return argument{}
}

// substitution reads S_ and the like, and the abbreviations of std.
func (p *parser) substitution() argument {
	p.want("S")
	if s, ok := abbreviations[p.peek()]; ok {
		p.at++
		return argument{text: plain(s)}
	}
	i := p.indexed(36)
	if p.failed || i >= len(p.substitutions) {
		p.fail()
		return argument{}
	}
	return p.substitutions[i]
}

// qualifiers reads const and the like.
func (p *parser) qualifiers() (words string) {
	for _, q := range []struct{ code, word string }{{"r", " restrict"}, {"V", " volatile"}, {"K", " const"}} {
		if p.take(q.code) {
			words = q.word + words
		}
	}
	return words
}

// qualified reads a type behind const and the like, all that it has.
func (p *parser) qualified() text {
	words := p.qualifiers()
	t := p.declared()
	if strings.HasSuffix(t.before, words) { // T_ is const itself
		return t
	}
	if t.inside && !strings.HasPrefix(t.after, " [") { // an array's qualifiers are its elements'
		p.fail()
	}
	t.before += words
	return t
}

// pointer puts a sign to a type.
func pointer(sign string, t text) text {
	if t.inside {
		before := strings.TrimSuffix(t.before, " ")
		inOther := strings.HasSuffix(before, "*") && strings.Count(before, "(") > strings.Count(before, ")")
		if !inOther || strings.HasPrefix(t.after, " [") {
			before += " "
		}
		return text{before: before + "(" + sign, after: ")" + t.after}
	}
	if sign != "*" && strings.HasSuffix(t.before, "&") { // a reference to one is a reference
		if sign == "&" {
			t.before = strings.TrimRight(t.before, "&") + "&"
		}
		return t
	}
	t.before += sign
	return t
}

// function reads the type of a function.
func (p *parser) function() text {
	p.want("F")
	p.take("Y")
	result := p.declared()
	types := p.parameters()
	p.want("E")
	after := "(" + strings.Join(types, ", ") + ")" + result.after
	return text{before: result.before + " ", after: after, inside: true}
}

// array reads the type of an array.
func (p *parser) array() text {
	p.want("A")
	n := p.number(10)
	p.want("_")
	size := ""
	if n >= 0 {
		size = fmt.Sprint(n)
	}
	of := p.declared()
	if more, ok := strings.CutPrefix(of.after, " ["); ok && of.inside {
		of.after = "[" + more
	} else if of.inside {
		p.fail()
	}
	return text{before: of.before, after: " [" + size + "]" + of.after, inside: true}
}

// extended reads a type that begins with D. again reports whether it is one that S_ cannot stand for.
func (p *parser) extended() (t text, again bool) {
	if p.take("Dv") {
		n := p.number(10)
		p.want("_")
		of := p.declared()
		return plain(fmt.Sprintf("%s __vector(%d)", of, n)), false
	}
	for _, code := range slices.Sorted(keys(extendedNames)) {
		if p.take(code) {
			return plain(extendedNames[code]), true
		}
	}
	p.fail()
	return text{}, false
}

func keys(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
