package subscript

import (
	"slices"
	"strings"
)

// A Source is a text of the C family in which declarations of variables are found. They are read where they
// are plain: of a variable, pointers, arrays, pointers to arrays; what is not is not declared.
type Source struct {
	text      string // without comments, characters, strings and directives: blanks are in their place
	functions map[int]*function
}

// A Declaration says what a variable, a parameter or a member is.
type Declaration struct {
	Name  string
	Base  []string // the words of the type at its end, without qualifiers: int, struct pair
	Parts []Part   // what it is made of, from the name on
	Param int      // which parameter of its function it is; -1 if it is none
	Line  uint32
	begin int // of where it is known
	end   int
}

// A Part of a type is a pointer to the rest, or an array of it.
type Part struct {
	Pointer bool
	Count   string // of an array, as the text has it
}

// A function is one with a body.
type function struct {
	name      string
	begin     int // of the body
	end       int
	variables []Declaration
}

// Parse reads a text.
func Parse(text string) *Source {
	return &Source{text: blanked(text), functions: map[int]*function{}}
}

// blanked is a text with blanks in the place of what is no code.
func blanked(text string) string {
	b := []byte(text)
	for at := 0; at < len(b); {
		rest, n := text[at:], 1
		switch {
		case strings.HasPrefix(rest, "//"):
			n = length(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			n = min(2+length(rest[2:], "*/")+2, len(rest))
		case rest[0] == '"' || rest[0] == '\'':
			n = min(quoted(rest)+1, len(rest))
		case rest[0] == '#' && strings.TrimLeft(
			text[strings.LastIndexByte(text[:at], '\n')+1:at], " \t") == "":
			n = directive(rest)
		default:
			at++
			continue
		}
		for i := at; i < at+n; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
		at += n
	}
	return string(b)
}

// directive is how long a directive is with the lines that it goes on in.
func directive(text string) int {
	n := 0
	for {
		line := length(text[n:], "\n")
		n += line
		if n == len(text) || line == 0 || text[n-1] != '\\' {
			return n
		}
		n++
	}
}

// Function is the name of the function that has a place of the text in its body; "" if none has.
func (s *Source) Function(at int) string {
	if f := s.around(at); f != nil {
		return f.name
	}
	return ""
}

// Variable is the declaration of a name that is visible at a place of the text. A name that the function
// declares twice is nobody's.
func (s *Source) Variable(name string, at int) (found Declaration, ok bool) {
	f := s.around(at)
	if f == nil {
		return found, false
	}
	n := 0
	for _, d := range f.variables {
		if d.Name == name {
			n, found = n+1, d
		}
	}
	if n == 0 {
		return s.global(name, f.begin)
	}
	return found, n == 1 && found.begin <= at && at < found.end
}

// Writes reports whether the function around a place may write a variable.
func (s *Source) Writes(name string, at int) bool {
	f := s.around(at)
	return f == nil || isWritten(s.text[f.begin:f.end], name)
}

// around is the function whose body has a place.
func (s *Source) around(at int) *function {
	if at < 0 || at >= len(s.text) {
		return nil
	}
	var open []int
	for i := 0; i < at; i++ {
		switch s.text[i] {
		case '{':
			open = append(open, i)
		case '}':
			open = open[:max(len(open)-1, 0)]
		}
	}
	for _, brace := range open {
		f, known := s.functions[brace]
		if !known {
			f = s.function(brace)
			s.functions[brace] = f
		}
		if f != nil {
			return f
		}
	}
	return nil
}

// function reads the function whose body begins with a brace; nil if that is none.
func (s *Source) function(brace int) *function {
	head := s.text[strings.LastIndexAny(s.text[:brace], ";{}")+1 : brace]
	start := brace - len(head)
	name, first, last := parameters(head)
	if name == "" {
		return nil
	}
	f := &function{name: name, begin: brace + 1}
	f.end = f.begin + blockEnd(s.text[f.begin:])
	for i, p := range split(head[first+1 : last]) {
		r := reader{s, start + first + 1 + p[0], start + first + 1 + p[1]}
		if ds, _ := r.declarations(); len(ds) == 1 {
			ds[0].Param, ds[0].begin, ds[0].end = i, f.begin, f.end
			f.variables = append(f.variables, ds[0])
		}
	}
	s.walk(f)
	return f
}

// parameters are what a function's head has between the parentheses behind its name.
func parameters(head string) (name string, first, last int) {
	for {
		last = strings.LastIndexByte(head, ')')
		if last < 0 || strings.IndexByte(head[last:], '=') >= 0 {
			return "", 0, 0
		}
		if first = openingOf(head, last); first < 0 {
			return "", 0, 0
		}
		end := skipBack(head, first)
		begin := end
		for begin > 0 && isWord(head[begin-1]) {
			begin--
		}
		if name = head[begin:end]; !slices.Contains(attributes, name) {
			return name, first, last
		}
		head = head[:begin]
	}
}

// openingOf is the parenthesis that the one at an offset closes; -1 if there is none.
func openingOf(text string, closing int) int {
	depth := 0
	for at := closing; at >= 0; at-- {
		switch text[at] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return -1
}

// split gives the offsets of what commas divide in a list, but for those in brackets.
func split(list string) (parts [][2]int) {
	depth, begin := 0, 0
	for at := 0; at < len(list); at++ {
		switch list[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts, begin = append(parts, [2]int{begin, at}), at+1
			}
		}
	}
	return append(parts, [2]int{begin, len(list)})
}

// walk finds the variables of a function's body.
func (s *Source) walk(f *function) {
	type scope struct{ first int } // of variables
	scopes := []scope{{len(f.variables)}}
	leave := func(at int) {
		for i := scopes[len(scopes)-1].first; i < len(f.variables); i++ {
			if f.variables[i].end == 0 {
				f.variables[i].end = at
			}
		}
		scopes = scopes[:len(scopes)-1]
	}
	begins := true
	for at := f.begin; at < f.end; {
		if begins {
			r := reader{s, at, f.end}
			if ds, end := r.declarations(); end > at && !f.has(ds[0].Base[0]) {
				f.variables = append(f.variables, ds...)
				at = end
				continue
			}
		}
		switch c := s.text[at]; c {
		case '{':
			scopes = append(scopes, scope{len(f.variables)})
			begins = true
		case '}':
			if len(scopes) > 1 {
				leave(at)
			}
			begins = true
		case ';':
			begins = true
		case '(':
			begins = strings.HasSuffix(strings.TrimRight(s.text[f.begin:at], " \t\r\n"), "for")
		case ' ', '\t', '\r', '\n':
		default:
			begins = false
		}
		at++
	}
	for len(scopes) > 0 {
		leave(f.end)
	}
}

// has reports whether a variable has a name: then it is no type.
func (f *function) has(name string) bool {
	return slices.ContainsFunc(f.variables, func(d Declaration) bool { return d.Name == name })
}

// global is the declaration of a name outside of functions, before a place.
func (s *Source) global(name string, before int) (found Declaration, ok bool) {
	n := 0
	for at, depth := 0, 0; at < before; at++ {
		switch s.text[at] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth != 0 || at > 0 && s.text[at] != ';' && s.text[at] != '}' {
			continue
		}
		begin := at
		if at > 0 {
			begin++
		}
		r := reader{s, begin, len(s.text)}
		ds, _ := r.declarations()
		for _, d := range ds {
			if d.Name == name {
				n, found = n+1, d
			}
		}
	}
	return found, n == 1
}
