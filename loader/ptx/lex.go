package ptx

import "strings"

// kind is what a token is.
type kind uint8

const (
	tokEOF    kind = iota
	tokName        // a name, an instruction with its modifiers, a register
	tokDirect      // a directive: ".reg", or the name of a section
	tokNumber
	tokString // its text is without the quotes
	tokPunct  // one character
	tokBad    // what cannot begin a token
)

type token struct {
	kind kind
	text string
	pos  Pos
	off  int // in the text
}

// String describes a token in a message.
func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "the end of the file"
	case tokString:
		return "the string " + quoted(t.text)
	}
	return quoted(t.text)
}

func (t token) is(text string) bool { return t.text == text && t.kind != tokString && t.kind != tokEOF }

// A lexer cuts a text into tokens (PTX ISA, "Syntax").
type lexer struct {
	text      string
	off       int
	line      int
	lineStart int // offset of the line's first byte
}

func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '%'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return isNameStart(c) && c != '%' || isDigit(c)
}

// skip passes white space and comments.
func (l *lexer) skip() {
	for l.off < len(l.text) {
		rest := l.text[l.off:]
		switch {
		case rest[0] == '\n':
			l.off++
			l.line++
			l.lineStart = l.off
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\f' || rest[0] == '\v':
			l.off++
		case strings.HasPrefix(rest, "//"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				l.off += n
			} else {
				l.off = len(l.text)
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.off = len(l.text)
				return
			}
			comment := rest[:end+4]
			if n := strings.LastIndexByte(comment, '\n'); n >= 0 {
				l.line += strings.Count(comment, "\n")
				l.lineStart = l.off + n + 1
			}
			l.off += len(comment)
		default:
			return
		}
	}
}

// next returns the next token.
func (l *lexer) next() token {
	l.skip()
	t := token{pos: Pos{l.line, l.off - l.lineStart + 1}, off: l.off}
	if l.off >= len(l.text) {
		return t
	}
	rest := l.text[l.off:]
	n := 1
	switch c := rest[0]; {
	case isNameStart(c):
		t.kind, n = tokName, nameLength(rest, true)
	case c == '.' && len(rest) > 1 && (isNameStart(rest[1])):
		t.kind, n = tokDirect, 1+nameLength(rest[1:], false)
	case isDigit(c):
		t.kind, n = tokNumber, numberLength(rest)
	case c == '"':
		return l.str(t, rest)
	case strings.IndexByte("()[]{}<>,;:=+-*/!~@|&^?", c) >= 0:
		t.kind = tokPunct
	default:
		t.kind = tokBad
	}
	t.text = rest[:n]
	l.off += n
	return t
}

// nameLength is how long a name is; in instructions and special registers, dots and pairs of colons
// join parts.
func nameLength(s string, joined bool) int {
	n := 1
	for n < len(s) {
		switch {
		case isNameByte(s[n]):
			n++
		case joined && s[n] == '.' && n+1 < len(s) && isNameByte(s[n+1]):
			n++
		case joined && n+2 < len(s) && s[n] == ':' && s[n+1] == ':' && isNameByte(s[n+2]):
			n += 2
		default:
			return n
		}
	}
	return n
}

func numberLength(s string) int {
	n := 1
	for n < len(s) {
		c := s[n]
		exponent := (c == '+' || c == '-') && (s[n-1] == 'e' || s[n-1] == 'E') &&
			strings.ContainsRune(s[:n], '.')
		if !isNameByte(c) && c != '.' && !exponent {
			break
		}
		n++
	}
	return n
}

// str reads a string, in which a backslash escapes the next byte.
func (l *lexer) str(t token, rest string) token {
	var b strings.Builder
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch {
		case rest[i] == '"':
			t.kind, t.text = tokString, b.String()
			l.off += i + 1
			return t
		case rest[i] == '\\' && i+1 < len(rest) && rest[i+1] != '\n':
			i++
		}
		b.WriteByte(rest[i])
	}
	t.kind, t.text = tokBad, rest[:1]
	l.off++
	return t
}
