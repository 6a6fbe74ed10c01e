// Package cexpr evaluates expressions of C over the objects of a program: variables, members, elements,
// pointers, casts, operators and registers. It is for tables that have one expression's value in thousands
// of lanes, for which a debugger would ask lane by lane.
//
// It knows C's types as DWARF has them and C's rules of conversion (ISO C17, sections 6.3 and 6.5), and
// nothing of lanes, frames or machines: what names mean and what memory holds an [Env] says. It calls no
// function, and expressions change nothing: an assignment is one by itself.
//
// Entry points: [Parse], [Expr.Eval], [Value.Text], [ParseAssignment].
package cexpr

import (
	"fmt"
	"strconv"
	"strings"
)

// An Expr is an expression that has been read.
type Expr struct {
	Text string
	root node
}

// A node is a part of an expression.
type node interface {
	eval(env Env) (Value, error)
}

// Eval gives the value of an expression in a place. What it needs and is not there is an error in one line.
func (e *Expr) Eval(env Env) (Value, error) { return e.root.eval(env) }

// Register is the name of the register that an expression is, "" of one that is anything else.
func (e *Expr) Register() string {
	r, _ := e.root.(register)
	return string(r)
}

// Bounds on what is read: the text in bytes, and how deep expressions are nested.
const (
	maxText  = 1 << 12
	maxDepth = 64
)

// A Meaning is what a name stands for.
type Meaning int

const (
	Nothing Meaning = iota
	Variable
	Type
)

// Parse reads an expression. meaning tells names of types from those of variables, which a cast needs; names
// that C itself has for types are known. Errors say at which column, counted from 1, what was expected.
func Parse(text string, meaning func(name string) Meaning) (*Expr, error) {
	p, err := newParser(text, meaning)
	if err != nil {
		return nil, err
	}
	root, err := p.whole()
	if err != nil {
		return nil, err
	}
	return &Expr{Text: text, root: root}, nil
}

func newParser(text string, meaning func(name string) Meaning) (*parser, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("the expression has %d bytes, at most %d are read", len(text), maxText)
	}
	p := &parser{text: text, meaning: meaning}
	return p, p.next()
}

// whole reads an expression behind which the text ends.
func (p *parser) whole() (node, error) {
	root, err := p.expression(0)
	if err == nil && p.tok.kind != end {
		err = p.unexpected("an operator")
	}
	return root, err
}

// Kinds of tokens.
type kind uint8

const (
	end kind = iota
	number
	character
	identifier
	registerName
	punctuation
)

type token struct {
	kind kind
	text string
	at   int // in the text
}

type parser struct {
	text    string
	pos     int
	tok     token
	depth   int
	meaning func(string) Meaning

	assigned bool // what is read stands before =
}

func (p *parser) unexpected(want string) error {
	if p.tok.kind == end {
		return fmt.Errorf("column %d: the expression ends where %s is expected", p.tok.at+1, want)
	}
	return fmt.Errorf("column %d: %q where %s is expected", p.tok.at+1, p.tok.text, want)
}

// operators of C, longest first.
var spellings = []string{"<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=",
	"-=", "*=", "/=", "%=", "&=", "|=", "^="}

func letter(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func (p *parser) take(ok func(c byte) bool) {
	for p.pos < len(p.text) && ok(p.text[p.pos]) {
		p.pos++
	}
}

// next reads a token. A register's name begins with $, or with % where an operand is expected.
func (p *parser) next() error {
	operand := p.tok.kind == end || p.tok.kind == punctuation && p.tok.text != ")" && p.tok.text != "]"
	p.take(func(c byte) bool { return c == ' ' || c == '\t' })
	start := p.pos
	p.tok = token{at: start}
	if start == len(p.text) {
		return nil
	}
	switch c := p.text[start]; {
	case digit(c), c == '.' && start+1 < len(p.text) && digit(p.text[start+1]):
		p.tok.kind = number
		p.number(start)
	case letter(c):
		p.tok.kind = identifier
		p.take(word)
		p.name(start)
	case operand && strings.HasPrefix(p.text[start:], "::") && start+2 < len(p.text) &&
		letter(p.text[start+2]):
		p.tok.kind = identifier
		p.pos += 2
		p.take(word)
		p.name(start)
	case c == '$', c == '%' && operand:
		p.tok.kind = registerName
		p.pos++
		p.take(func(c byte) bool { return word(c) || c == '.' })
	case c == '\'':
		p.tok.kind = character
		if err := p.quoted(start); err != nil {
			return err
		}
		if inner := p.text[start+1 : p.pos-1]; len(inner) > 1 && letter(inner[0]) {
			p.tok = token{identifier, inner, start} // gdb's way to write a name of any form
			return nil
		}
	default:
		p.tok.kind = punctuation
		p.pos++
		for _, s := range spellings {
			if strings.HasPrefix(p.text[start:], s) {
				p.pos = start + len(s)
				break
			}
		}
	}
	p.tok.text = p.text[start:p.pos]
	return nil
}

// word reports whether a byte may be one of a name, or of a number.
func word(c byte) bool { return letter(c) || digit(c) }

// number goes to the end of a number that begins at a place.
func (p *parser) number(start int) {
	exponents := "eEpP"
	if strings.HasPrefix(p.text[start:], "0x") {
		exponents = "pP"
	}
	for ; p.pos < len(p.text); p.pos++ {
		c := p.text[p.pos]
		sign := p.pos > start && (c == '+' || c == '-') && strings.IndexByte(exponents, p.text[p.pos-1]) >= 0
		if !word(c) && c != '.' && !sign {
			break
		}
	}
}

// quoted goes behind the quote that closes what one at a place begins.
func (p *parser) quoted(start int) error {
	for p.pos++; p.pos < len(p.text) && p.text[p.pos] != '\''; p.pos++ {
		if p.text[p.pos] == '\\' {
			p.pos++
		}
	}
	if p.pos++; p.pos > len(p.text) {
		return fmt.Errorf("column %d: the character has no closing quote", start+1)
	}
	return nil
}

func (p *parser) is(text string) bool { return p.tok.kind == punctuation && p.tok.text == text }

// want takes a token that has to be there.
func (p *parser) want(text string) error {
	if !p.is(text) {
		return p.unexpected(strconv.Quote(text))
	}
	return p.next()
}

// expression reads operators that bind at least as tightly as a level says.
func (p *parser) expression(level int) (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("column %d: nested more than %d deep", p.tok.at+1, maxDepth)
	}
	defer func() { p.depth-- }()
	x, err := p.unary()
	for err == nil && p.tok.kind == punctuation {
		op := p.tok.text
		b, ok := binaries[op]
		switch {
		case op == "?" && level <= levelConditional:
			x, err = p.conditional(x)
			continue
		case op == "=" && p.assigned:
			return x, nil
		case strings.HasSuffix(op, "=") && !ok, op == "++", op == "--":
			return nil, fmt.Errorf("column %d: %q would change something: set variables with gdb's set var",
				p.tok.at+1, op)
		case !ok || b.level < level:
			return x, nil
		}
		if err := p.next(); err != nil {
			return nil, err
		}
		y, err := p.expression(b.level + 1)
		if err != nil {
			return nil, err
		}
		x = b.node(op, x, y)
	}
	return x, err
}

func (p *parser) conditional(x node) (node, error) {
	if err := p.next(); err != nil {
		return nil, err
	}
	yes, err := p.expression(0)
	if err == nil {
		err = p.want(":")
	}
	if err != nil {
		return nil, err
	}
	no, err := p.expression(levelConditional)
	return &conditional{x, yes, no}, err
}

// unary reads an operand with what is before and behind it.
func (p *parser) unary() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("column %d: nested more than %d deep", p.tok.at+1, maxDepth)
	}
	defer func() { p.depth-- }()
	tok := p.tok
	switch {
	case tok.kind == punctuation && strings.Contains("+-~!*&", tok.text):
		if err := p.next(); err != nil {
			return nil, err
		}
		x, err := p.unary()
		if tok.text == "*" {
			return &indirection{x}, err
		}
		if tok.text == "&" {
			return &addressOf{x}, err
		}
		return &unary{tok.text, x}, err
	case tok.kind == identifier && tok.text == "sizeof":
		return p.sizeOf()
	case p.is("("):
		if err := p.next(); err != nil {
			return nil, err
		}
		if p.startsType() {
			return p.cast()
		}
		x, err := p.expression(0)
		if err == nil {
			err = p.want(")")
		}
		if err != nil {
			return nil, err
		}
		return p.postfix(x)
	}
	x, err := p.primary()
	if _, done := x.(*cast); err != nil || done {
		return x, err
	}
	return p.postfix(x)
}

// cast reads the rest of a cast, whose parenthesis has been read.
func (p *parser) cast() (node, error) {
	t, err := p.typeName()
	if err == nil {
		err = p.want(")")
	}
	if err != nil {
		return nil, err
	}
	x, err := p.unary()
	return &cast{t, x}, err
}

// castNames are the casts of C++ that change nothing but the type; of the objects here they are C's.
var castNames = map[string]bool{"static_cast": true, "reinterpret_cast": true, "const_cast": true}

// constants are those of C++ that have names.
var constants = map[string]node{
	"true": literal{Value{Type: boolean, Data: []byte{1}}}, "false": literal{Value{Type: boolean,
		Data: []byte{0}}},
	"nullptr": literal{pointer(nil, 0)},
}

// namedCast reads static_cast<TYPE>(X) and its like, from its name on.
func (p *parser) namedCast() (node, error) {
	if err := p.next(); err != nil {
		return nil, err
	}
	if err := p.want("<"); err != nil {
		return nil, err
	}
	return p.castTo(">")
}

// functionalCast reads TYPE(X).
func (p *parser) functionalCast() (node, error) { return p.castTo("") }

// castTo reads the type of a cast, what is behind it, and the operand in parentheses.
func (p *parser) castTo(closing string) (node, error) {
	t, err := p.typeName()
	if err == nil && closing != "" {
		err = p.want(closing)
	}
	if err == nil {
		err = p.want("(")
	}
	if err != nil {
		return nil, err
	}
	x, err := p.expression(0)
	if err == nil {
		err = p.want(")")
	}
	if err != nil {
		return nil, err
	}
	return p.postfix(&cast{t, x})
}

func (p *parser) sizeOf() (node, error) {
	if err := p.next(); err != nil {
		return nil, err
	}
	if p.is("(") {
		mark, tok := p.pos, p.tok
		if err := p.next(); err != nil {
			return nil, err
		}
		if p.startsType() {
			t, err := p.typeName()
			if err == nil {
				err = p.want(")")
			}
			return &sizeOf{of: &t}, err
		}
		p.pos, p.tok = mark, tok
	}
	x, err := p.unary()
	return &sizeOf{x: x}, err
}

func (p *parser) primary() (node, error) {
	tok := p.tok
	var x node
	var err error
	switch tok.kind {
	case number:
		x, err = numberLiteral(tok.text)
	case character:
		x, err = characterLiteral(tok.text)
	case registerName:
		if len(tok.text) == 1 {
			return nil, fmt.Errorf("column %d: a register's name is expected behind %q", tok.at+1, tok.text)
		}
		x = register(strings.TrimPrefix(tok.text, "$"))
	case identifier:
		if castNames[tok.text] {
			return p.namedCast()
		}
		if p.startsType() {
			return p.functionalCast()
		}
		if x = constants[tok.text]; x == nil {
			x = variable(tok.text)
		}
	default:
		return nil, p.unexpected("a variable, a number or a register")
	}
	if err != nil {
		return nil, fmt.Errorf("column %d: %w", tok.at+1, err)
	}
	return x, p.next()
}

// postfix reads members and elements.
func (p *parser) postfix(x node) (node, error) {
	for n := 0; ; n++ {
		op := p.tok
		switch {
		case n > maxDepth:
			return nil, fmt.Errorf("column %d: more than %d members and elements", op.at+1, maxDepth)
		case p.is(".") || p.is("->"):
			if err := p.next(); err != nil {
				return nil, err
			}
			if p.tok.kind != identifier {
				return nil, p.unexpected("a member's name")
			}
			x = &member{x, p.tok.text, op.text == "->"}
			if err := p.next(); err != nil {
				return nil, err
			}
		case p.is("["):
			if err := p.next(); err != nil {
				return nil, err
			}
			i, err := p.expression(0)
			if err == nil {
				err = p.want("]")
			}
			if err != nil {
				return nil, err
			}
			x = &element{x, i}
		case p.is("("):
			return nil, fmt.Errorf("column %d: functions of the program cannot be called", op.at+1)
		default:
			return x, nil
		}
	}
}

// numberLiteral reads an integer or a float with its suffixes (C17 6.4.4).
func numberLiteral(text string) (node, error) {
	low := strings.ToLower(text)
	hex := strings.HasPrefix(low, "0x")
	if strings.ContainsAny(low, ".p") || !hex && strings.Contains(low, "e") {
		bits := 64
		digits, single := strings.CutSuffix(low, "f")
		if single {
			bits = 32
		}
		f, err := strconv.ParseFloat(digits, bits)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", text)
		}
		return literal{floating(bits, f)}, nil
	}
	digits := strings.TrimRight(low, "ul")
	suffix := low[len(digits):]
	u, err := strconv.ParseUint(digits, 0, 64)
	if err != nil || strings.Contains(digits, "_") || strings.Count(suffix, "u") > 1 || len(suffix) > 3 {
		return nil, fmt.Errorf("%q is no number", text)
	}
	unsigned, bits := strings.Contains(suffix, "u"), 32
	if strings.Contains(suffix, "l") {
		bits = 64
	}
	decimal := digits == "0" || digits[0] != '0'
	for !fits(u, bits, unsigned) {
		switch {
		case !unsigned && !decimal && fits(u, bits, true), bits == 64:
			unsigned = true
		default:
			bits = 64
		}
	}
	return literal{integer(bits, !unsigned, u)}, nil
}

func fits(u uint64, bits int, unsigned bool) bool {
	if !unsigned {
		bits--
	}
	return u>>bits == 0
}

// characterLiteral reads a character constant of one character.
func characterLiteral(text string) (node, error) {
	c, _, rest, err := strconv.UnquoteChar(text[1:], '\'')
	if err != nil || rest != "'" || c > 0x7f {
		return nil, fmt.Errorf("%s is no character", text)
	}
	return literal{integer(32, true, uint64(c))}, nil
}
