// Package subscript tells which array an instruction is meant for by the place in the source that it comes
// from: compilers of the C family give a load the place of the name that is subscripted, and a store that of
// the operator that assigns. It knows text, no debugging information and no machine.
//
// Entry points: [Offset] for a line and column, [At] for the expression there and [InLine] for all of a line,
// [Declares], [InBraces], [Macro] and [Unbounded] for declarations.
package subscript

import (
	"slices"
	"strings"
)

// An Expr is an object that a source accesses: a variable, and the way from it to the object.
type Expr struct {
	Name          string // of the variable
	Steps         []Step
	Reads, Writes bool // what is done with the object at this place
}

// A Step leads from an object to a part of it, or to what it points to.
type Step struct {
	Kind Kind
	Text string // the member's name, or what stands between the brackets
}

// Kind says what a step is.
type Kind byte

// The kinds of steps: [TEXT], .TEXT, ->TEXT, and of a variable alone (*NAME).
const (
	Index Kind = iota
	Member
	Arrow
	Star
)

// Text is the source of the expression with its first n steps.
func (e Expr) Text(n int) string {
	text := e.Name
	for _, s := range e.Steps[:n] {
		switch s.Kind {
		case Index:
			text += "[" + s.Text + "]"
		case Member:
			text += "." + s.Text
		case Arrow:
			text += "->" + s.Text
		case Star:
			text = "(*" + text + ")"
		}
	}
	return text
}

// writers are the operators that write what is on their left, and whether they read it too. Longer ones come
// first.
var writers = []struct {
	text  string
	reads bool
}{{"<<=", true}, {">>=", true}, {"+=", true}, {"-=", true}, {"*=", true}, {"/=", true}, {"%=", true},
	{"&=", true}, {"|=", true}, {"^=", true}, {"++", true}, {"--", true}, {"=", false}}

// longest bounds how many bytes an element has.
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

// At is the object with subscripts that is accessed at an offset of a text: clang gives the load of an
// element the place where the expression begins, that of a member the member's. It is false where the text
// does not say that plainly.
func At(text string, offset int) (Expr, bool) {
	if offset < 0 || offset >= len(text) {
		return Expr{}, false
	}
	if isLetter(text[offset]) || text[offset] == '(' {
		begin, ok := offset, true
		if isMember(text[:offset]) {
			begin, ok = beginning(text, offset)
		}
		if !ok {
			return Expr{}, false
		}
		e, _, ok := forward(text, begin, offset)
		e.Reads = true
		return e, ok && standsAlone(text[:begin], false)
	}
	for _, w := range writers {
		if !strings.HasPrefix(text[offset:], w.text) {
			continue
		}
		if w.text == "=" && (strings.HasPrefix(text[offset:], "==") || endsIn(text[:offset], "=!<>")) {
			return Expr{}, false
		}
		begin, ok := beginning(text, offset)
		if !ok && (w.text == "++" || w.text == "--") {
			begin = skipSpace(text, offset+len(w.text))
		} else if !ok {
			return Expr{}, false
		}
		e, end, known := forward(text, begin, len(text))
		if known = known && (!ok || end == offset); !known {
			return Expr{}, false
		}
		e.Reads, e.Writes = w.reads, true
		return e, standsAlone(text[:begin], true)
	}
	return Expr{}, false
}

// isMember reports whether what follows a text is a member of what it ends with.
func isMember(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-longest):], " \t\r\n")
	return strings.HasSuffix(before, ".") || strings.HasSuffix(before, "->")
}

// forward is the object whose expression begins at an offset, and the offset behind it: if the expression
// goes on behind an object that is accessed at place, without what follows the last subscript. It is false if
// it has no subscript.
func forward(text string, at, place int) (e Expr, end int, ok bool) {
	begin := at
	if e.Name, at = name(text, at); at < 0 {
		if e.Name, at = pointedTo(text, begin); at < 0 {
			return Expr{}, 0, false
		}
		e.Steps = append(e.Steps, Step{Kind: Star})
	}
	subscripts := 0 // how many steps there are up to the last one
	for at-begin < longest {
		s, behind := step(text, at)
		if behind < 0 {
			break
		}
		if s.Kind != Index && place != begin && at >= place {
			break // the rest is accessed in its own place
		}
		if e.Steps, at = append(e.Steps, s), behind; s.Kind == Index {
			subscripts = len(e.Steps)
		}
	}
	if at < len(text) && text[at] == '(' || subscripts == 0 {
		return Expr{}, 0, false
	}
	if place == begin {
		e.Steps = e.Steps[:subscripts]
	}
	return e, at, true
}

// name is the name that begins at an offset, and where what follows it begins; -1 if there is none.
func name(text string, at int) (string, int) {
	end := at
	for end < len(text) && isWord(text[end]) {
		end++
	}
	if end == at || !isLetter(text[at]) {
		return "", -1
	}
	return text[at:end], skipSpace(text, end)
}

// pointedTo is the name in (*NAME) at an offset, and where what follows begins; -1 if that is not there.
func pointedTo(text string, at int) (string, int) {
	if at >= len(text) || text[at] != '(' {
		return "", -1
	}
	if at = skipSpace(text, at+1); at >= len(text) || text[at] != '*' {
		return "", -1
	}
	n, at := name(text, skipSpace(text, at+1))
	if at < 0 || at >= len(text) || text[at] != ')' {
		return "", -1
	}
	return n, skipSpace(text, at+1)
}

// step is the step at an offset, and where what follows it begins; -1 if there is none.
func step(text string, at int) (s Step, behind int) {
	rest := text[at:]
	switch {
	case strings.HasPrefix(rest, "["):
		if behind = closing(text, at); behind < 0 {
			return s, -1
		}
		return Step{Index, strings.TrimSpace(text[at+1 : behind-1])}, skipSpace(text, behind)
	case strings.HasPrefix(rest, "->"):
		s.Kind, at = Arrow, at+2
	case strings.HasPrefix(rest, "."):
		s.Kind, at = Member, at+1
	default:
		return s, -1
	}
	s.Text, behind = name(text, skipSpace(text, at))
	return s, behind
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

// beginning is where the expression of an object begins that ends before an offset, or of which a member's
// name does.
func beginning(text string, at int) (begin int, ok bool) {
	for first := at; first-at < longest; {
		at = skipBack(text, at)
		switch {
		case endsIn(text[:at], "]"):
			if at, ok = opening(text, at-1); !ok {
				return 0, false
			}
			continue
		case strings.HasSuffix(text[:at], "->"):
			at -= 2
			continue
		case endsIn(text[:at], "."):
			at--
			continue
		case endsIn(text[:at], ")"):
			at = strings.LastIndexByte(text[max(0, at-longest):at], '(') + max(0, at-longest)
			return at, at >= 0
		}
		end := at
		for at > 0 && isWord(text[at-1]) {
			at--
		}
		if at == end {
			return 0, false
		}
		if !isMember(text[:at]) {
			return at, true
		}
	}
	return 0, false
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
	return !(written && endsIn(before, "*&")) && !takesAddress(before)
}

// takesAddress reports whether a text ends with the operator that takes the address of what follows.
func takesAddress(before string) bool {
	operand := strings.TrimRight(strings.TrimSuffix(before, "&"), " \t\r\n")
	return operand != before && (operand == "" || !isWord(operand[len(operand)-1]) && !endsIn(operand, ")]&"))
}

// Declares reports whether a line can declare a variable of a name: it has the name, with a bracket behind it
// if that is an array.
func Declares(line, name string, array bool) bool {
	for at := 0; at < len(line); at++ {
		n := strings.Index(line[at:], name)
		if n < 0 {
			return false
		}
		if at += n; at > 0 && isWord(line[at-1]) {
			continue
		}
		end := at + len(name)
		if next := skipSpace(line, end); next < len(line) && line[next] == '[' {
			return true
		}
		if !array && (end == len(line) || !isWord(line[end])) {
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

// InLine are the objects with subscripts that a line of a text has.
func InLine(text string, line uint32) (all []Expr) {
	begin, ok := Offset(text, line, 1)
	for at := begin; ok && at < len(text) && text[at] != '\n'; at++ {
		if at > begin && isWord(text[at-1]) || isMember(text[:at]) || !isLetter(text[at]) && text[at] != '(' {
			continue
		}
		if e, _, ok := forward(text, at, len(text)); ok &&
			!takesAddress(strings.TrimRight(text[:at], " \t")) {
			all = append(all, e)
		}
	}
	return all
}

// Unbounded reports whether a text that is all that is known declares an expression's variable as a pointer,
// or a member in it inside of a union.
func Unbounded(text string, x Expr) bool {
	members := false
	for _, s := range x.Steps {
		if s.Kind != Index {
			members = true
		}
		if (s.Kind == Member || s.Kind == Arrow) && inUnion(text, s.Text) {
			return true
		}
	}
	return !members && len(x.Steps) == 1 && isPointer(text, x.Name)
}

// isPointer reports whether a text has a declaration of a pointer of a name.
func isPointer(text, name string) bool {
	for at := 0; ; at += len(name) {
		n := strings.Index(text[at:], name)
		if n < 0 {
			return false
		}
		at += n
		next := skipSpace(text, at+len(name))
		if next == len(text) || strings.IndexByte("=,;)", text[next]) < 0 {
			continue
		}
		if endsIn(unqualified(text[max(0, at-longest):at]), "*") {
			return true
		}
	}
}

// qualifiers are those of pointers.
var qualifiers = []string{"const", "volatile", "restrict", "__restrict", "__restrict__"}

// unqualified is a text without the qualifiers at its end.
func unqualified(text string) string {
	for {
		text = text[:skipBack(text, len(text))]
		begin := len(text)
		for begin > 0 && isWord(text[begin-1]) {
			begin--
		}
		if !slices.Contains(qualifiers, text[begin:]) {
			return text
		}
		text = text[:begin]
	}
}

// inUnion reports whether a text declares an array of a name between the braces of a union.
func inUnion(text, name string) bool {
	for {
		_, rest, found := strings.Cut(text, "union")
		if !found {
			return false
		}
		text = rest
		_, body, _ := strings.Cut(rest, "{")
		end, depth := 0, 1
		for ; end < len(body) && depth > 0; end++ {
			switch body[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		if Declares(body[:end], name, true) {
			return true
		}
	}
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

func endsIn(text, set string) bool {
	return text != "" && strings.IndexByte(set, text[len(text)-1]) >= 0
}

func skipSpace(text string, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	return at
}

// skipBack is where a text ends before an offset without spaces at its end.
func skipBack(text string, at int) int {
	for at > 0 && strings.IndexByte(" \t\r\n", text[at-1]) >= 0 {
		at--
	}
	return at
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isWord(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
