package objects

import (
	"strings"

	"simtgdb/simt/pattern"
)

// Atomic loads and stores for a workgroup. Some machines have them as plain ones; the source tells.

// atomicCall is the beginning of an atomic load or store of C, C++ or their compilers.
var atomicCall = pattern.Compile(`^(atomic_(load|store|flag_clear)\w*|__\w*atomic_(load|store)\w*)\s*\(`)

// called is the beginning of a call.
var called = pattern.Compile(`^(\w+)\s*\(`)

// mostNested is how many macros within macros are looked at.
const mostNested = 4

// Atomic implements check.Objects.
func (a *arrays) Atomic(pc uint64) bool {
	known, ok := a.atomic[pc]
	if !ok {
		if text, at, p, has := a.textAt(pc); has {
			known = isAtomicCall(text[at:], a.withIncluded(p), mostNested)
		}
		a.atomic[pc] = known
	}
	return known
}

// isAtomicCall reports whether a text begins with a call that loads or stores atomically, by itself or as a
// macro of a source.
func isAtomicCall(text, source string, depth int) bool {
	if atomicCall().MatchString(text) {
		return true
	}
	name := called().FindStringSubmatch(text)
	if name == nil || depth == 0 {
		return false
	}
	_, body, found := strings.Cut(source, "#define "+name[1]+"(")
	if !found {
		return false
	}
	var lines []string
	for line := range strings.Lines(body) {
		text, more := strings.CutSuffix(strings.TrimSpace(line), `\`)
		if lines = append(lines, strings.TrimSpace(text)); !more {
			break
		}
	}
	_, body, _ = strings.Cut(strings.ReplaceAll(strings.Join(lines, " "), "##", ""), ")")
	body = strings.TrimLeft(body, " (")
	return isAtomicCall(body, source, depth-1)
}
