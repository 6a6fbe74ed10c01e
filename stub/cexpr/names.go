package cexpr

import (
	"strings"
)

// Names of C++: qualified, of templates, and what gdb calls a parameter's value when its function was
// entered.

// entrySuffix is what stands behind such a parameter's name.
const entrySuffix = "@entry"

// maxArguments bounds how long the arguments of a template are, in bytes.
const maxArguments = 256

// name takes the rest of a name, whose first word has been taken: NAME@entry, NAME<ARGUMENTS> if a type or a
// namespace is called so, and names behind ::.
func (p *parser) name(start int) {
	word := func(c byte) bool { return letter(c) || digit(c) }
	for {
		rest := p.text[p.pos:]
		switch {
		case strings.HasPrefix(rest, entrySuffix) && !(len(rest) > len(entrySuffix) &&
			word(rest[len(entrySuffix)])):
			p.pos += len(entrySuffix)
			return
		case strings.HasPrefix(rest, "<"):
			n := templateArguments(rest)
			if n == 0 || p.meaning(p.text[start:p.pos+n]) != Type {
				return
			}
			p.pos += n
		case strings.HasPrefix(rest, "::") && len(rest) > 2 && letter(rest[2]):
			p.pos += 2
			p.take(word)
		default:
			return
		}
	}
}

// templateArguments is how long a list of arguments in angle brackets is; 0 if it has no end.
func templateArguments(text string) int {
	depth := 0
	for i := 0; i < min(len(text), maxArguments); i++ {
		switch c := text[i]; {
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				return i + 1
			}
		case !letter(c) && !digit(c) && strings.IndexByte(" ,:*&()[]-", c) < 0:
			return 0
		}
	}
	return 0
}

// SplitName cuts a name at the :: that are not among a template's arguments. That of what is in no namespace
// begins with an empty part.
func SplitName(name string) []string {
	var parts []string
	depth, from := 0, 0
	for i := 0; i < len(name); i++ {
		switch {
		case name[i] == '<':
			depth++
		case name[i] == '>':
			depth--
		case depth == 0 && strings.HasPrefix(name[i:], "::"):
			parts = append(parts, name[from:i])
			i++
			from = i + 1
		}
	}
	return append(parts, name[from:])
}

// SameName reports whether two names differ in blanks alone, as those of templates do.
func SameName(a, b string) bool {
	return a == b || strings.ContainsRune(a+b, ' ') &&
		strings.ReplaceAll(a, " ", "") == strings.ReplaceAll(b, " ", "")
}
