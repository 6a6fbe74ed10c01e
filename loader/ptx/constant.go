package ptx

import (
	"math"
	"strconv"
	"strings"
)

// A value is what a constant expression comes to (PTX ISA, "Constants").
type value struct {
	bits   uint64
	float  bool // a double's bits, or with single a float's
	single bool
}

// constant reads an expression of integers, or one floating-point number.
func (p *parser) constant(what string) value { return p.binary(what, 0, 0) }

// binaryOps are the operators of two operands by precedence, loosest first.
var binaryOps = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/"}}

func (p *parser) binary(what string, level, depth int) value {
	if level == len(binaryOps) {
		return p.unary(what, depth)
	}
	v := p.binary(what, level+1, depth)
	for {
		op := p.operator(binaryOps[level])
		if op == "" {
			return v
		}
		pos := p.last.pos
		w := p.binary(what, level+1, depth)
		if v.float || w.float {
			p.failAt(pos, "expected whole numbers on both sides of %s", op)
		}
		v.bits = p.apply(op, v.bits, w.bits, pos)
	}
}

// operator passes one of some operators and returns it, or "".
func (p *parser) operator(ops []string) string {
	for _, op := range ops {
		if !p.tok.is(op[:1]) {
			continue
		}
		if len(op) == 1 {
			after := p.lex.text[p.lex.off:]
			if (op == "|" || op == "&") && strings.HasPrefix(after, op) ||
				op == "|" && strings.HasPrefix(after, "%") {
				continue
			}
			p.advance()
			return op
		}
		if strings.HasPrefix(p.lex.text[p.lex.off:], op[1:]) {
			p.advance()
			p.advance()
			return op
		}
	}
	return ""
}

func (p *parser) apply(op string, a, b uint64, pos Pos) uint64 {
	truth := func(t bool) uint64 {
		if t {
			return 1
		}
		return 0
	}
	switch op {
	case "||":
		return truth(a != 0 || b != 0)
	case "&&":
		return truth(a != 0 && b != 0)
	case "|":
		return a | b
	case "^":
		return a ^ b
	case "&":
		return a & b
	case "<<":
		return a << (b & 63)
	case ">>":
		return uint64(int64(a) >> (b & 63))
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	if b == 0 {
		p.failAt(pos, "a constant is divided by zero")
	}
	if b == ^uint64(0) {
		return -a
	}
	return uint64(int64(a) / int64(b))
}

func (p *parser) unary(what string, depth int) value {
	if depth > maxNesting {
		p.failAt(p.tok.pos, "expressions are nested more than %d deep", maxNesting)
	}
	switch {
	case p.accept("-"):
		v := p.unary(what, depth+1)
		switch {
		case v.single:
			v.bits ^= 1 << 31
		case v.float:
			v.bits ^= 1 << 63
		default:
			v.bits = -v.bits
		}
		return v
	case p.accept("+"):
		return p.unary(what, depth+1)
	case p.accept("~"):
		v := p.unary(what, depth+1)
		v.bits = ^v.bits
		return v
	case p.accept("("):
		v := p.binary(what, 0, depth+1)
		p.expect(")", "after an expression")
		return v
	case p.tok.kind == tokNumber:
		v, ok := number(p.tok.text)
		if !ok {
			p.expected(what)
		}
		p.advance()
		return v
	}
	p.expected(what)
	return value{}
}

// number reads a literal: decimal, 0x, 0b, 0 for octal, 0f and 0d for the bits of floating-point
// numbers, decimals.
func number(s string) (value, bool) {
	lower := strings.ToLower(s)
	if strings.HasPrefix(lower, "0f") && len(s) == 10 {
		n, err := strconv.ParseUint(s[2:], 16, 32)
		return value{bits: n, float: true, single: true}, err == nil
	}
	if strings.HasPrefix(lower, "0d") && len(s) == 18 {
		n, err := strconv.ParseUint(s[2:], 16, 64)
		return value{bits: n, float: true}, err == nil
	}
	if strings.Contains(s, "_") {
		return value{}, false
	}
	if n, err := strconv.ParseUint(strings.TrimSuffix(lower, "u"), 0, 64); err == nil {
		return value{bits: n}, true
	}
	if strings.HasPrefix(lower, "0x") || !strings.ContainsAny(s, ".eE") {
		return value{}, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return value{bits: math.Float64bits(f), float: true}, err == nil
}
