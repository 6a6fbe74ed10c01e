// Package pattern holds regular expressions until they are needed: some eighty of them, compiled when the
// program starts, were a quarter of what starting costs, and most sessions need none. It knows nothing of
// machines. Compile is all there is.
package pattern

import (
	"regexp"
	"sync"
)

// Compile gives the regular expression when it is asked for it, compiled once. The expression is one of the
// program's own: a wrong one panics when it is asked for. The test of this package compiles all that the
// program has.
func Compile(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
