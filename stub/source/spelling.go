package source

import (
	"slices"
	"strings"
)

// Spelling is a name of a function as names are compared: without spaces, and the types of its parameters, if
// it has some, as symbols have them. There "const float *__restrict__ p" is "float const*".
func Spelling(name string) string {
	base, parameters := splitParameters(name)
	if parameters == "" {
		return withoutSpaces(base)
	}
	var types []string
	for _, p := range splitTypes(parameters[1 : len(parameters)-1]) {
		types = append(types, spellType(p))
	}
	if len(types) == 1 && types[0] == "void" {
		types = nil
	}
	return withoutSpaces(base) + "(" + strings.Join(types, ",") + ")"
}

func withoutSpaces(name string) string { return strings.ReplaceAll(name, " ", "") }

// splitParameters cuts the list of parameters off a name: "(int)" of "a::f(int)". It is "" where there is
// none.
func splitParameters(name string) (base, parameters string) {
	if trimmed := strings.TrimSpace(name); strings.HasSuffix(trimmed, ")") {
		depth := 0
		for i := len(trimmed) - 1; i > 0; i-- {
			switch trimmed[i] {
			case ')':
				depth++
			case '(':
				if depth--; depth == 0 {
					return trimmed[:i], trimmed[i:]
				}
			}
		}
	}
	return name, ""
}

// splitTypes cuts a list at its commas, but for those within brackets.
func splitTypes(list string) (types []string) {
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(', '<', '{':
			depth++
		case ')', '>', '}':
			depth--
		case ',':
			if depth == 0 {
				types, from = append(types, list[from:i]), i+1
			}
		}
	}
	if last := list[from:]; strings.TrimSpace(last) != "" || types != nil {
		types = append(types, last)
	}
	return types
}

// spellings are words of types that symbols write otherwise.
var spellings = map[string]string{"unsigned": "unsigned int", "long int": "long", "short int": "short",
	"unsigned long int": "unsigned long", "long unsigned int": "unsigned long",
	"long unsigned": "unsigned long", "unsigned short int": "unsigned short",
	"short unsigned int": "unsigned short", "long long int": "long long",
	"unsigned long long int": "unsigned long long", "long long unsigned int": "unsigned long long"}

// spellType writes the type of a parameter: const after what is constant, and not at all where only the
// parameter itself is; nothing of restrict.
func spellType(t string) string {
	for _, word := range []string{"__restrict__", "__restrict", "restrict"} {
		t = strings.ReplaceAll(t, word, "")
	}
	end := signs(t)
	words, after := strings.Fields(t[:end]), withoutSpaces(t[end:])
	constant := false
	words = slices.DeleteFunc(words, func(w string) bool {
		if w == "const" {
			constant = true
		}
		return w == "const"
	})
	name := strings.Join(words, " ")
	if other := spellings[name]; other != "" {
		name = other
	}
	if constant && after != "" {
		name += "const"
	}
	return withoutSpaces(name) + strings.TrimSuffix(after, "const")
}

// signs is where the pointers and the like of a type begin.
func signs(t string) int {
	depth := 0
	for i := range len(t) {
		switch t[i] {
		case '<', '{':
			depth++
		case '>', '}':
			depth--
		case '*', '&', '(', '[':
			if depth == 0 {
				return i
			}
		}
	}
	return len(t)
}
