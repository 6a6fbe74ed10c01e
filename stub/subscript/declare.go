package subscript

import (
	"slices"
	"strings"
)

// A reader reads declarations of a source.
type reader struct {
	source *Source
	at     int
	end    int
}

// notOfTypes are the words before a variable that say nothing of its type; attributes have parentheses.
var notOfTypes = []string{"const", "volatile", "static", "extern", "register", "constexpr", "inline",
	"__restrict__", "__restrict", "restrict", "__global", "__local", "__private", "__constant", "__generic",
	"global", "local", "private", "constant", "generic", "__shared__", "__device__", "__constant__",
	"__managed__", "__kernel", "kernel", "__global__", "__host__", "mutable"}

var attributes = []string{"__attribute__", "__launch_bounds__", "__align__", "alignas", "_Alignas"}

// ofC are the words that types of C are made of, of which several may stand together.
var ofC = []string{"char", "double", "float", "int", "long", "short", "signed", "unsigned", "void", "bool",
	"half"}

// tagWords stand before the name of a type.
var tagWords = []string{"struct", "union", "class"}

// noTypes begin statements that are no declarations.
var noTypes = []string{"return", "goto", "break", "continue", "if", "else", "for", "while", "do", "switch",
	"case", "default", "using", "namespace", "typedef", "template", "delete", "throw", "asm", "sizeof",
	"enum", "new"}

// space skips blanks.
func (r *reader) space() { r.at = min(skipSpace(r.source.text[:r.end], r.at), r.end) }

// word is the name that comes next; "" if none does.
func (r *reader) word() string {
	r.space()
	end := r.at
	for end < r.end && isWord(r.source.text[end]) {
		end++
	}
	if end == r.at || !isLetter(r.source.text[r.at]) {
		return ""
	}
	return r.source.text[r.at:end]
}

// take takes a character if it comes next.
func (r *reader) take(c byte) bool {
	r.space()
	if r.at < r.end && r.source.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// group is what brackets hold that open here; false if none do.
func (r *reader) group(open, closed byte) (text string, ok bool) {
	if !r.take(open) {
		return "", false
	}
	depth := 1
	for at := r.at; at < r.end; at++ {
		switch r.source.text[at] {
		case open:
			depth++
		case closed:
			if depth--; depth == 0 {
				text, r.at = r.source.text[r.at:at], at+1
				return strings.TrimSpace(text), true
			}
		}
	}
	return "", false
}

// attribute takes an attribute.
func (r *reader) attribute(word string) bool {
	if !slices.Contains(attributes, word) {
		return false
	}
	r.at += len(word)
	_, ok := r.group('(', ')')
	return ok
}

// declarations are those of the statement, or of the parameter, that begins here, and where what follows
// begins: 0 if they are none.
func (r *reader) declarations() (all []Declaration, end int) {
	base := r.base()
	if base == nil {
		return nil, 0
	}
	for {
		d, ok := r.declarator(base)
		if !ok {
			return nil, 0
		}
		all = append(all, d)
		switch r.space(); {
		case r.at == r.end:
			return all, r.at
		case r.take(';'):
			return all, r.at - 1
		case r.take('='):
			if !r.initialiser() {
				return nil, 0
			}
		}
		if r.at == r.end || r.source.text[r.at] == ';' {
			return all, r.at
		}
		if !r.take(',') {
			return nil, 0
		}
	}
}

// base takes the words of a type; nil if there are none.
func (r *reader) base() (base []string) {
	tagged := false
	for {
		word := r.word()
		switch {
		case word == "" || slices.Contains(noTypes, word):
			if len(base) == 0 || tagged && len(base) < 2 || slices.Contains(noTypes, word) {
				return nil
			}
			return base
		case slices.Contains(notOfTypes, word):
		case slices.Contains(attributes, word):
			if !r.attribute(word) {
				return nil
			}
			continue
		case len(base) == 0:
			tagged = slices.Contains(tagWords, word)
			base = []string{word}
		case tagged && len(base) == 1, slices.Contains(ofC, word) && slices.Contains(ofC, base[0]):
			base = append(base, word)
		default:
			return base
		}
		r.at += len(word)
	}
}

// declarator takes a name with what it says of its type.
func (r *reader) declarator(base []string) (d Declaration, ok bool) {
	pointers := r.pointers()
	var inner []Part
	grouped := r.take('(')
	if grouped {
		if inner = r.pointers(); len(inner) == 0 {
			return d, false
		}
	}
	r.space()
	begin := r.at
	name := r.word()
	if name == "" || slices.Contains(noTypes, name) {
		return d, false
	}
	r.at += len(name)
	if grouped && !r.take(')') {
		return d, false
	}
	d = Declaration{Name: name, Base: base, Parts: inner, Param: -1, begin: begin,
		Line: uint32(strings.Count(r.source.text[:begin], "\n") + 1)}
	for {
		count, is := r.group('[', ']')
		if !is {
			break
		}
		d.Parts = append(d.Parts, Part{Count: count})
	}
	for word := r.word(); word != "" && r.attribute(word); word = r.word() {
	}
	d.Parts = append(d.Parts, pointers...)
	r.space()
	return d, r.at == r.end || strings.IndexByte("=,;", r.source.text[r.at]) >= 0
}

// pointers takes stars.
func (r *reader) pointers() (parts []Part) {
	for {
		switch word := r.word(); {
		case slices.Contains(notOfTypes, word):
			r.at += len(word)
		case r.take('*'):
			parts = append(parts, Part{Pointer: true})
		default:
			return parts
		}
	}
}

// initialiser skips to the comma or semicolon behind a first value.
func (r *reader) initialiser() bool {
	for depth := 0; r.at < r.end; r.at++ {
		switch r.source.text[r.at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		case ',', ';':
			if depth == 0 {
				return true
			}
		}
	}
	return true
}

// A Record is a structure or a union.
type Record struct {
	Union   bool
	Members []Declaration
}

// Record is the one that the text defines by a name, with a word before it or behind typedef; false where it
// is not plain, or there are several.
func (s *Source) Record(name string) (found Record, ok bool) {
	n := 0
	for _, word := range tagWords {
		for at := 0; ; {
			next := wordIn(s.text[at:], word)
			if next < 0 {
				break
			}
			at += next + len(word)
			r := reader{s, at, len(s.text)}
			tag := r.word()
			r.at += len(tag)
			body := r.at
			inner, is := r.group('{', '}')
			if !is {
				continue
			}
			alias := r.word()
			if tag != name && (alias != name ||
				!strings.HasSuffix(strings.TrimSpace(s.text[:at-len(word)]), "typedef")) {
				continue
			}
			if n++; n > 1 || alias == "__attribute__" {
				return Record{}, false
			}
			body = strings.IndexByte(s.text[body:], '{') + body + 1
			found.Union = word == "union"
			if found.Members, ok = s.members(body, body+blockEnd(s.text[body:])); !ok || inner == "" {
				return Record{}, false
			}
		}
	}
	return found, n == 1
}

// members are those between two places; false where there is something else.
func (s *Source) members(at, end int) (all []Declaration, ok bool) {
	for {
		r := reader{s, at, end}
		if r.space(); r.at == end {
			return all, len(all) > 0
		}
		ds, next := r.declarations()
		if next == 0 || next >= end {
			return nil, false
		}
		all, at = append(all, ds...), next+1
	}
}
