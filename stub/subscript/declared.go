package subscript

import (
	"strconv"
	"strings"
)

// workItems are the spellings of where a work-item is in the languages, and of compilers' own functions, and
// what [Plain] has for each dimension: # stands for its letter, or for its number.
var workItems = []struct{ spelling, plain string }{
	{"get_local_id(#)", "$local_id_"}, {"get_group_id(#)", "$group_id_"},
	{"threadIdx.#", "(unsigned)$local_id_"}, {"blockIdx.#", "(unsigned)$group_id_"},
	{"__builtin_amdgcn_workitem_id_#()", "(unsigned)$local_id_"},
	{"__builtin_amdgcn_workgroup_id_#()", "(unsigned)$group_id_"},
	{"__nvvm_read_ptx_sreg_tid_#()", "(int)$local_id_"},
	{"__nvvm_read_ptx_sreg_ctaid_#()", "(int)$group_id_"},
}

// spaces are words that OpenCL C has before types.
var spaces = []string{"__global", "__local", "__private", "__constant", "__generic", "restrict"}

var plain = func() *strings.Replacer {
	var pairs []string
	for _, w := range workItems {
		for i, letter := range []string{"x", "y", "z"} {
			number := strconv.Itoa(i)
			pairs = append(pairs, strings.Replace(w.spelling, "#", letter, 1), w.plain+number,
				strings.Replace(w.spelling, "#", number, 1), w.plain+number)
		}
	}
	for _, s := range spaces {
		pairs = append(pairs, s+" ", "")
	}
	return strings.NewReplacer(pairs...)
}()

// Plain is an expression in C: where a work-item is has the names $local_id_0 to $local_id_2 and $group_id_0
// to $group_id_2, and types are in no address space.
func Plain(expression string) string { return plain.Replace(expression) }

// Macro is what a text defines a name as, [Plain] and without parameters; "" if it does so in several ways
// that are not the same but for a cast.
func Macro(text, name string) (meaning string) {
	found := false
	for line := range strings.Lines(text) {
		rest, is := strings.CutPrefix(line, "#define "+name)
		if !is || rest == "" || rest[0] == '(' || isWord(rest[0]) {
			continue
		}
		rest, _, _ = strings.Cut(rest, "//")
		rest = Plain(strings.TrimSpace(rest))
		if found && uncast.Replace(rest) != uncast.Replace(meaning) {
			return ""
		}
		meaning, found = rest, true
	}
	return meaning
}

var uncast = strings.NewReplacer("(unsigned)", "", "(int)", "")

// Includes are the files that a text includes by names in quotes.
func Includes(text string) (names []string) {
	for line := range strings.Lines(text) {
		if rest, is := strings.CutPrefix(line, `#include "`); is {
			if name, _, ok := strings.Cut(rest, `"`); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// Initial is what a text declares a variable in a line as, where it keeps that value: nothing in the block
// around it writes it, or takes its address. Else it is "".
func Initial(text string, line uint32, variable string) string {
	begin, ok := Offset(text, line, 1)
	if !ok || variable == "" {
		return ""
	}
	rest, _, _ := strings.Cut(text[begin:], "\n")
	at := wordIn(rest, variable)
	if at < 0 {
		return ""
	}
	at = behindDeclarator(text, begin+at+len(variable))
	if at+1 >= len(text) || text[at] != '=' || text[at+1] == '=' {
		return ""
	}
	end := expressionEnd(text, at+1)
	if end < 0 || isWritten(text[end:end+blockEnd(text[end:])], variable) {
		return ""
	}
	return strings.TrimSpace(text[at+1 : end])
}

// behindDeclarator is where what follows the name of a variable begins, but for what says that it is a
// pointer to arrays.
func behindDeclarator(text string, at int) int {
	at = skipSpace(text, at)
	for at < len(text) && text[at] == ')' {
		for at = skipSpace(text, at+1); at < len(text) && text[at] == '['; {
			behind := closing(text, at)
			if behind < 0 {
				return at
			}
			at = skipSpace(text, behind)
		}
	}
	return at
}

// Uncast is an expression behind a cast to a pointer, of which it may be that C alone has words; else the
// expression.
func Uncast(expression string) string {
	depth := 0
	for at := 0; strings.HasPrefix(expression, "(") && at < len(expression); at++ {
		switch expression[at] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			if rest := strings.TrimSpace(expression[at+1:]); rest != "" &&
				strings.Contains(expression[:at], "*") {
				return rest
			}
			break
		}
	}
	return expression
}

// wordIn is where a name first is in a text by itself; -1 if it is not there.
func wordIn(text, name string) int {
	for at := 0; ; at++ {
		n := strings.Index(text[at:], name)
		if n < 0 {
			return -1
		}
		at += n
		end := at + len(name)
		if (at == 0 || !isWord(text[at-1])) && (end == len(text) || !isWord(text[end])) {
			return at
		}
	}
}

// expressionEnd is the comma or semicolon behind an initial value; -1 if it is not plain where that is.
func expressionEnd(text string, at int) int {
	depth := 0
	for begin := at; at < len(text) && at-begin < longest; at++ {
		switch text[at] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',', ';':
			if depth == 0 {
				return at
			}
		case '{', '}', '"', '\'', '#', '\\':
			return -1
		}
		if depth < 0 {
			return -1
		}
	}
	return -1
}

// blockEnd is how much of a text is before the brace that closes the block around it.
func blockEnd(text string) int {
	depth := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return at
			}
		}
	}
	return len(text)
}

// isWritten reports whether a text may write a variable.
func isWritten(text, variable string) bool {
	for {
		at := wordIn(text, variable)
		if at < 0 {
			return false
		}
		before := strings.TrimRight(text[:at], " \t\r\n")
		text = text[at+len(variable):]
		after := strings.TrimLeft(text, " \t\r\n")
		if strings.HasSuffix(before, "++") || strings.HasSuffix(before, "--") || takesAddress(before) {
			return true
		}
		for _, w := range writers {
			if strings.HasPrefix(after, w.text) && !strings.HasPrefix(after, "==") && !isMember(before) {
				return true
			}
		}
	}
}
