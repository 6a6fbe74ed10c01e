package objects

import (
	"regexp"
	"strings"

	"simtgdb/simt/pattern"
)

// Plain stores. Some machines have no atomic stores of their own, so that a plain one may be one. The source
// tells where it has none.

// atomicWords are what a text of the C family has that stores atomically, or means to: functions, types that
// C and C++ assign to atomically, and what programs did before there were any.
var atomicWords = pattern.Compile(`\b(volatile|_Atomic|std|cuda|` +
	`atomic_(store|load|init|flag|exchange|fetch|compare)\w*|` +
	`atomic_(u?int|u?long|float|double|size_t|u?intptr_t|ptrdiff_t)|` +
	`__\w*atomic_(store|load|init|exchange)\w*|asm|__asm__)\b`)

// assigned is a line that stores by itself, and not what a macro of another file may hide.
var assigned = pattern.Compile(`[^=!<>]=[^=]|\+\+|--`)

// operator is the beginning of what assigns, where compilers say that a store is.
var operator = pattern.Compile(`^([-+*/%&|^]?=[^=]|<<=|>>=|\+\+|--)`)

// atomicTypes are the words of atomicWords that types have, so that an assignment is one to such an object.
var atomicTypes = pattern.Compile(typeWords)

const typeWords = `\b(volatile|_Atomic|std|cuda|` +
	`atomic_(u?int|u?long|float|double|size_t|u?intptr_t|ptrdiff_t|flag)|asm|__asm__)\b`

// assignee is what an assignment's left side begins with: a variable that is not a call, a member or a type.
var assignee = pattern.Compile(`[;{})]?\s*\**\s*(\w+)\s*(\[[^;{}]*\]\s*)?$`)

// assignsPlainly reports whether what stands before an assignment's operator is a variable, or elements that
// it leads to, and nothing in a source declares an atomic or volatile one of its name.
func assignsPlainly(before, source string) bool {
	if !atomicTypes().MatchString(source) {
		return true
	}
	name := assignee().FindStringSubmatch(before)
	if name == nil || typedefPattern().MatchString(source) {
		return false
	}
	declared := regexp.MustCompile(typeWords + `[^;{}()=]*\b` + name[1] + `\b`)
	return !declared.MatchString(source)
}

// typedefPattern is a name for such a type.
var typedefPattern = pattern.Compile(`(\btypedef|\busing|#\s*define)\b[^;\n]*` + typeWords)

// castPattern is a cast to a pointer, by which nothing is declared.
var castPattern = pattern.Compile(`\([^()]*\*\s*\)`)

// Plain implements check.Objects.
func (a *arrays) Plain(pc uint64) bool {
	known, ok := a.plain[pc]
	if !ok {
		known = a.storesPlainly(pc)
		a.plain[pc] = known
	}
	return known
}

func (a *arrays) storesPlainly(pc uint64) bool {
	if text, at, p, ok := a.textAt(pc); ok && operator().MatchString(text[at:]) {
		return assignsPlainly(text[:at], castPattern().ReplaceAllString(a.withIncluded(p), ""))
	}
	p, ok := a.program.Source.At(pc)
	if !ok || a.text(p) == "" {
		return false
	}
	lines := strings.Split(a.text(p), "\n")
	return int(p.Line) <= len(lines) && p.Line > 0 && assigned().MatchString(lines[p.Line-1]) &&
		!atomicWords().MatchString(a.withIncluded(p))
}
