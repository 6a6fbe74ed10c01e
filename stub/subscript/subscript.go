// Package subscript tells which array an instruction is meant for by the place in the source that it comes
// from: compilers of the C family give a load the place of the name that is subscripted, and a store that of
// the operator that assigns. It knows text, no debugging information and no machine.
//
// Entry points: [Offset] for a line and column, [At] for the expression there, [Declares],
// [InBraces] and [Macro] for declarations.
package subscript

import "strings"

// An Expr is an element of an array that a source names.
type Expr struct {
	Name          string   // of the variable
	Subscripts    []string // what stands between its brackets
	Reads, Writes bool     // what is done with the element at this place
}

// writers are the operators that write what is on their left, and whether they read it too. Longer ones come
// first.
var writers = []struct {
	text  string
	reads bool
}{{"<<=", true}, {">>=", true}, {"+=", true}, {"-=", true}, {"*=", true}, {"/=", true}, {"%=", true},
	{"&=", true}, {"|=", true}, {"^=", true}, {"++", true}, {"--", true}, {"=", false}}

// longest bounds how many bytes an element's subscripts have.
const longest = 1 << 12

// Offset is where a line and column of a text are, both counted from 1, columns in bytes.
func Offset(text string, line, column uint32) (at int, ok bool) {
	for ; line > 1; line-- {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return 0, false
		}
		at += n + 1
	}
	rest, _, _ := strings.Cut(text[at:], "\n")
	if line == 0 || column == 0 || uint64(column) > uint64(len(rest)) {
		return 0, false
	}
	return at + int(column) - 1, true
}

// At is the element that is accessed at an offset of a text. It is false where the text does not say that
// plainly: the name of a variable, that is no member and not being declared, with subscripts and nothing else
// about it.
func At(text string, offset int) (Expr, bool) {
	if offset < 0 || offset >= len(text) {
		return Expr{}, false
	}
	if isLetter(text[offset]) {
		e, ok := elementFrom(text, offset, false)
		e.Reads = true
		return e, ok
	}
	for _, w := range writers {
		if !strings.HasPrefix(text[offset:], w.text) {
			continue
		}
		if w.text == "=" && (strings.HasPrefix(text[offset:], "==") || endsIn(text[:offset], "=!<>")) {
			return Expr{}, false
		}
		e, ok := elementBefore(text, offset)
		if !ok && (w.text == "++" || w.text == "--") {
			e, ok = elementFrom(text, skipSpace(text, offset+len(w.text)), false)
		}
		e.Reads, e.Writes = w.reads, true
		return e, ok
	}
	return Expr{}, false
}

// elementFrom is the element whose name begins at an offset, if it is subscripted.
func elementFrom(text string, at int, written bool) (Expr, bool) {
	end := at
	for end < len(text) && isWord(text[end]) {
		end++
	}
	next := skipSpace(text, end)
	if end == at || !isLetter(text[at]) || next >= len(text) || text[next] != '[' {
		return Expr{}, false
	}
	return Expr{Name: text[at:end], Subscripts: subscripts(text, next)}, standsAlone(text[:at], written)
}

// subscripts are what stands between the brackets in a row that begin at an offset; none where that is not
// plain.
func subscripts(text string, at int) (all []string) {
	for ; at < len(text) && text[at] == '['; at = skipSpace(text, at) {
		begin := at + 1
		if at = closing(text, at); at < 0 {
			return nil
		}
		all = append(all, strings.TrimSpace(text[begin:at-1]))
	}
	return all
}

// closing is behind where the bracket at an offset is closed, in an expression without strings and comments;
// -1 where it is not.
func closing(text string, at int) int {
	depth := 0
	for begin := at; at < len(text) && at-begin < longest; at++ {
		switch text[at] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"', '\'', ';', '{', '}', '#', '\\':
			return -1
		case '/':
			if rest := text[at+1:]; strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "*") {
				return -1
			}
		}
	}
	return -1
}

// elementBefore is the element whose subscripts end before an offset.
func elementBefore(text string, at int) (Expr, bool) {
	n := 0
	for {
		before := strings.TrimRight(text[max(0, at-longest):at], " \t\r\n")
		if at = at - min(at, longest) + len(before); !strings.HasSuffix(before, "]") {
			break
		}
		begin, ok := opening(text, at-1)
		if !ok {
			return Expr{}, false
		}
		at = begin
		n++
	}
	begin := at
	for begin > 0 && isWord(text[begin-1]) {
		begin--
	}
	if n == 0 || begin == at {
		return Expr{}, false
	}
	return elementFrom(text, begin, true)
}

// opening is where the bracket that one closes opens, in an expression without strings and comments.
func opening(text string, closing int) (at int, ok bool) {
	depth := 0
	for at = closing; at >= 0 && closing-at < longest; at-- {
		switch text[at] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return at, true
			}
		case '"', '\'', ';', '{', '}', '#', '\\':
			return 0, false
		case '/':
			if at > 0 && (text[at-1] == '/' || text[at-1] == '*') {
				return 0, false
			}
		}
	}
	return 0, false
}

// keywords may stand before an expression.
var keywords = map[string]bool{"return": true, "else": true, "do": true, "case": true}

// standsAlone reports whether a name behind some text begins an expression: it is no member of anything and
// no type is before it; if it is written, neither is what takes what a pointer in the array leads to.
func standsAlone(before string, written bool) bool {
	before = strings.TrimRight(before[max(0, len(before)-longest):], " \t\r\n")
	begin := len(before)
	for begin > 0 && isWord(before[begin-1]) {
		begin--
	}
	switch word := before[begin:]; {
	case word != "":
		return keywords[word]
	case endsIn(before, `.]"'#\`), strings.HasSuffix(before, "->"), strings.HasSuffix(before, "::"):
		return false
	}
	return !written || !endsIn(before, "*&")
}

// Declares reports whether a line can declare an array of a name: it has the name with a bracket behind it.
func Declares(line, name string) bool {
	for at := 0; at < len(line); at++ {
		n := strings.Index(line[at:], name)
		if n < 0 {
			return false
		}
		if at += n; at > 0 && isWord(line[at-1]) {
			continue
		}
		if next := skipSpace(line, at+len(name)); next < len(line) && line[next] == '[' {
			return true
		}
	}
	return false
}

// InBraces reports whether what follows a text is inside of braces that it opens. Comments, strings and
// characters count for nothing; extern "C" does not count as a brace.
func InBraces(text string) bool {
	depth := 0
	for at := 0; at < len(text); at++ {
		rest := text[at:]
		switch c := text[at]; {
		case strings.HasPrefix(rest, "//"):
			at += length(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			at += 2 + length(rest[2:], "*/")
		case c == '"', c == '\'':
			at += quoted(rest)
		case c == '{' && !endsIn(strings.TrimRight(text[:at], " \t\r\n"), `"`):
			depth++
		case c == '}' && depth > 0:
			depth--
		}
	}
	return depth > 0
}

// length is how many bytes there are up to an end, or to that of the text.
func length(text, end string) int {
	if n := strings.Index(text, end); n >= 0 {
		return n
	}
	return len(text)
}

// quoted is how many bytes lie between the quote that a text begins with and the one that ends it.
func quoted(text string) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case text[0], '\n':
			return at
		}
	}
	return len(text)
}

// Macro is what a text defines a name as, where it does so once and without parameters; else "".
func Macro(text, name string) (meaning string) {
	found := false
	for line := range strings.Lines(text) {
		rest, is := strings.CutPrefix(line, "#define "+name)
		if !is || rest == "" || rest[0] == '(' || isWord(rest[0]) {
			continue
		}
		if found {
			return ""
		}
		rest, _, _ = strings.Cut(rest, "//")
		meaning, found = strings.TrimSpace(rest), true
	}
	return meaning
}

func endsIn(text, set string) bool {
	return text != "" && strings.IndexByte(set, text[len(text)-1]) >= 0
}

func skipSpace(text string, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	return at
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isWord(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
