package cxxname

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A text is how a type is written around what has it: "void (*" and ")(int)".
type text struct {
	before, after string
	// inside reports whether "*" and the like that are put to it want parentheses, as for functions and
	// arrays.
	inside bool
}

func (t text) String() string { return t.before + t.after }

func plain(s string) text { return text{before: s} }

// An argument is one of a template's: a type or value, or a pack of some.
type argument struct {
	text text
	pack []text
	many bool // it is a pack
}

// A parser reads a name. What fails leaves failed set, and everything reads nothing then.
type parser struct {
	s      string
	at     int
	depth  int
	failed bool

	substitutions []argument
	arguments     []argument // that T_, T0_… stand for
	element       int        // of packs, where one is expanded
	length        int        // of the pack that was met there, -1 for none
	lambda        bool       // T_ are the parameters of a lambda that are "auto"
}

func (p *parser) atEnd() bool {
	rest := p.s[min(p.at, len(p.s)):]
	// What follows is a compiler's own: ".static.", ".llvm.", "__static__" of symbols that were internal.
	return rest == "" || rest[0] == '.' || strings.HasPrefix(rest, "__")
}

func (p *parser) fail() string {
	p.failed = true
	return ""
}

// peek is the next character, 0 at the end.
func (p *parser) peek() byte { return p.peekAt(0) }

func (p *parser) peekAt(i int) byte {
	if p.failed || p.at+i >= len(p.s) {
		return 0
	}
	return p.s[p.at+i]
}

// take takes a text if it comes next.
func (p *parser) take(s string) bool {
	if p.failed || !strings.HasPrefix(p.s[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

// want takes a text that must come next.
func (p *parser) want(s string) {
	if !p.take(s) {
		p.fail()
	}
}

// deeper counts how deep rules are in each other; p.depth-- has to follow.
func (p *parser) deeper() {
	if p.depth++; p.depth > maxDepth {
		p.fail()
	}
}

// number reads a number in some base, -1 for none.
func (p *parser) number(base int) int {
	n, some := 0, false
	for {
		c, digit := p.peek(), -1
		switch {
		case c >= '0' && c <= '9':
			digit = int(c - '0')
		case base == 36 && c >= 'A' && c <= 'Z':
			digit = int(c-'A') + 10
		}
		if digit < 0 {
			break
		}
		if n = n*base + digit; n > maxNumber {
			p.fail()
		}
		p.at++
		some = true
	}
	if !some {
		return -1
	}
	return n
}

// indexed reads what follows S or T: _ is 0, 0_ is 1 and so on.
func (p *parser) indexed(base int) int {
	n := p.number(base) + 1
	p.want("_")
	return n
}

// remember makes something one that S_, S0_… can stand for.
func (p *parser) remember(a argument) {
	if !p.failed {
		p.substitutions = append(p.substitutions, a)
	}
}

// encoding reads a function or variable.
func (p *parser) encoding() Name {
	p.deeper()
	defer func() { p.depth-- }()
	qualified, instance, suffix := p.name()
	if p.failed || len(qualified) > maxName {
		p.fail()
		return Name{}
	}
	n := Name{Qualified: qualified}
	if p.atEnd() || p.peek() == 'E' {
		return n
	}
	if instance {
		t := p.declared()
		n.result = t.String()
		if t.inside { // a function's result that is a pointer to a function is written around it all
			p.fail()
		}
	}
	n.Parameters = p.parameters()
	n.Function = true
	n.suffix = suffix
	return n
}

// parameters reads types up to what ends them. One that is void is none.
func (p *parser) parameters() []string {
	var all []string
	if p.take("v") {
		return all
	}
	for !p.failed && !p.atEnd() && p.peek() != 'E' {
		for _, t := range p.types() {
			all = append(all, t.String())
		}
	}
	return all
}

// name reads a name. instance reports whether it ends with template arguments and has the type of what it
// returns; suffix is "const" and the like of a member.
func (p *parser) name() (s string, instance bool, suffix string) {
	switch {
	case p.take("N"):
		return p.nested()
	case p.take("Z"):
		return p.local()
	}
	again := p.peek() == 'S' && p.peekAt(1) != 't'
	if again {
		s = p.substitution().text.String()
	} else {
		if p.take("St") {
			s = "std::"
		}
		part, _ := p.unqualified("")
		s += part
	}
	if p.peek() != 'I' {
		return s, false, ""
	}
	if !again {
		p.remember(argument{text: plain(s)})
	}
	return p.instance(s), true, ""
}

// nested reads the parts of a name up to E.
func (p *parser) nested() (s string, instance bool, suffix string) {
	suffix = p.qualifiers()
	if p.take("R") {
		suffix += " &"
	} else if p.take("O") {
		suffix += " &&"
	}
	var remembered, structor bool
	for !p.failed && !p.take("E") {
		remembered = true
		switch c := p.peek(); {
		case c == 'I':
			s, instance = p.instance(s), !structor
		case c == 'S' && p.peekAt(1) == 't' && s == "":
			p.at += 2
			s, remembered = "std", false
		case c == 'S' && s == "":
			s, remembered = p.substitution().text.String(), false
		case c == 'T' && s == "":
			a := p.parameter()
			s = a.text.String()
		default:
			part, made := p.unqualified(last(s))
			structor, instance = made, false
			if s = join(s, part); len(s) > maxName {
				p.fail()
			}
		}
		if remembered {
			p.remember(argument{text: plain(s)})
		}
	}
	if !remembered { // a name has a part of its own at its end
		p.fail()
	}
	if !p.failed { // All of it is remembered as a type, if it is one.
		p.substitutions = p.substitutions[:len(p.substitutions)-1]
	}
	return s, instance, suffix
}

func join(outer, part string) string {
	if outer == "" {
		return part
	}
	return outer + "::" + part
}

// last is the last part of a name, without template arguments.
func last(s string) string {
	depth, end := 0, len(s)
	for i := len(s) - 1; i >= 0; i-- {
		switch {
		case s[i] == '>':
			depth++
		case s[i] == '<':
			if depth--; depth == 0 {
				end = i
			}
		case s[i] == '[': // of [abi:…]
			end = i
		case s[i] == ':' && depth == 0 && i > 0 && s[i-1] == ':':
			return s[i+1 : end]
		}
	}
	return s[:end]
}

// local reads what is declared in a function.
func (p *parser) local() (s string, instance bool, suffix string) {
	arguments := p.arguments
	outer := p.encoding()
	p.want("E")
	if p.take("s") {
		p.discriminator()
		return outer.Signature() + "::string literal", false, ""
	}
	argument := ""
	if p.take("d") {
		argument = fmt.Sprintf("{default arg#%d}::", p.indexed(10)+1)
	}
	inner, instance, suffix := p.name()
	if !instance {
		p.arguments = arguments
	}
	p.discriminator()
	return join(outer.Signature()+outer.suffix, argument+inner), instance, suffix
}

// discriminators are what tells things of a function apart that have the same name: _0 to _9, __10_ and on.
var discriminators = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^_(\d|_\d+_)`) })

func (p *parser) discriminator() {
	if !p.failed {
		p.at += len(discriminators().FindString(p.s[p.at:]))
	}
}

// unqualified reads one part of a name. structor reports whether it is a constructor, a destructor or a
// conversion, which have no result.
func (p *parser) unqualified(class string) (s string, structor bool) {
	p.take("L") // internal linkage
	switch c := p.peek(); {
	case c >= '0' && c <= '9':
		s = p.sourceName()
	case c == 'C' && p.peekAt(1) >= '1' && p.peekAt(1) <= '4':
		p.at += 2
		s, structor = class, true
	case c == 'D' && p.peekAt(1) >= '0' && p.peekAt(1) <= '4':
		p.at += 2
		s, structor = "~"+class, true
	case p.take("Ul"):
		s = p.closure()
	case p.take("Ut"):
		s = fmt.Sprintf("{unnamed type#%d}", p.indexed(10)+1)
	case p.take("cv"):
		s, structor = "operator "+p.declared().String(), true
	default:
		s = p.operator()
	}
	for p.take("B") {
		s += "[abi:" + p.sourceName() + "]"
	}
	return s, structor
}

func (p *parser) sourceName() string {
	n := p.number(10)
	if p.failed || n <= 0 || n > len(p.s)-p.at {
		return p.fail()
	}
	s := p.s[p.at : p.at+n]
	p.at += n
	if strings.HasPrefix(s, "_GLOBAL__N") {
		return "(anonymous namespace)"
	}
	return s
}

// closure reads the type of a lambda.
func (p *parser) closure() string {
	outer := p.lambda
	p.lambda = true
	types := p.parameters()
	p.lambda = outer
	p.want("E")
	return fmt.Sprintf("{lambda(%s)#%d}", strings.Join(types, ", "), p.indexed(10)+1)
}

// operator reads the name of an operator.
func (p *parser) operator() string {
	if p.at+2 > len(p.s) || p.failed {
		return p.fail()
	}
	word, ok := operators[p.s[p.at:p.at+2]]
	if !ok {
		return p.fail()
	}
	p.at += 2
	return "operator" + word
}

// instance reads template arguments, and gives a name with them.
func (p *parser) instance(of string) string {
	p.want("I")
	arguments := p.list()
	p.arguments = arguments
	var all []string
	for _, a := range arguments {
		if !a.many {
			all = append(all, a.text.String())
		}
		for _, t := range a.pack {
			all = append(all, t.String())
		}
	}
	inside := strings.Join(all, ", ")
	if strings.HasSuffix(inside, ">") {
		inside += " "
	}
	if strings.HasSuffix(of, "<") { // operator<
		of += " "
	}
	return of + "<" + inside + ">"
}

// list reads template arguments up to E.
func (p *parser) list() []argument {
	p.deeper()
	defer func() { p.depth-- }()
	var all []argument
	for !p.failed && !p.take("E") {
		all = append(all, p.argument())
	}
	return all
}

func (p *parser) argument() argument {
	switch {
	case p.take("J"):
		a := argument{many: true}
		for _, one := range p.list() {
			a.pack = append(a.pack, slices.Concat(one.pack, one.texts())...)
		}
		return a
	case p.take("L"):
		return argument{text: plain(p.literal())}
	case p.take("XadL_Z"): // of expressions only the address of a function or a variable
		t := plain("&" + p.addressed())
		p.want("E")
		return argument{text: t}
	case p.peek() == 'X':
		p.fail()
	case p.peek() == 'D' && p.peekAt(1) == 'p':
		return argument{many: true, pack: p.types()}
	}
	return argument{text: p.declared()}
}

// texts are those of what is no pack.
func (a argument) texts() []text {
	if a.many {
		return nil
	}
	return []text{a.text}
}

// addressed reads what an address is of. Of a function that is in a class or a namespace, GNU's demangler
// leaves out the parameters, and the brackets of what has none.
func (p *parser) addressed() string {
	n := p.encoding()
	p.want("E")
	if s := n.Qualified; !strings.HasSuffix(s, ">") && (!n.Function || strings.Contains(s, "::")) {
		return s
	}
	s := n.Signature() + n.suffix
	if n.result != "" {
		s = n.result + " " + s
	}
	return "(" + s + ")"
}

// literal reads a value.
func (p *parser) literal() string {
	if p.take("_Z") {
		n := p.encoding()
		p.want("E")
		return n.Signature()
	}
	code, of := p.peek(), p.declared().String()
	end := strings.IndexByte(p.s[p.at:], 'E')
	if p.failed || end < 0 {
		return p.fail()
	}
	value := p.s[p.at : p.at+end]
	p.at += end + 1
	if number, ok := strings.CutPrefix(value, "n"); ok {
		value = "-" + number
	}
	suffix, ok := suffixes[code]
	switch {
	case code == 'b' && value == "0":
		return "false"
	case code == 'b' && value == "1":
		return "true"
	case ok:
		return value + suffix
	}
	return "(" + of + ")" + value
}
