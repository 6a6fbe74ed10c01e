package objects

import (
	"regexp"
	"strings"
)

// Plain stores. Some machines have no atomic stores of their own, so that a plain one may be one. The source
// tells where it has none.

// atomicWords are what a text of the C family has that stores atomically, or means to: functions, types that
// C and C++ assign to atomically, and what programs did before there were any.
var atomicWords = regexp.MustCompile(`\b(volatile|_Atomic|std|cuda|atomic_(store|load|init|flag|exchange|fetch|compare)\w*|` +
	`atomic_(u?int|u?long|float|double|size_t|u?intptr_t|ptrdiff_t)|__\w*atomic_(store|load|init|exchange)\w*|asm|__asm__)\b`)

// assigned is a line that stores by itself, and not what a macro of another file may hide.
var assigned = regexp.MustCompile(`[^=!<>]=[^=]|\+\+|--`)

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
	p, ok := a.program.Source.At(pc)
	if !ok || a.text(p) == "" {
		return false
	}
	lines := strings.Split(a.text(p), "\n")
	return int(p.Line) <= len(lines) && p.Line > 0 && assigned.MatchString(lines[p.Line-1]) &&
		!atomicWords.MatchString(a.withIncluded(p))
}
