package suite

import (
	"fmt"
	"regexp"
	"strings"

	"simtgdb/simt/pattern"
)

// varying is what differs from run to run or from gdb to gdb and says nothing about the program.
var varying = []struct {
	pattern func() *regexp.Regexp
	with    string
}{
	{pattern.Compile(`(?m)^warning: File transfers from remote targets.*\n`), ""},
	{pattern.Compile(`(?m)^Reading (symbols from target:)?/(simtgdb|\S*lib/debug)/.*\n`), ""},
	{pattern.Compile(`(?m)^warning: (Unable to find libthread_db|.*auto-loading).*\n`), ""},
	{pattern.Compile(`[ \t]+\n`), "\n"},
}

// dialects are what gdb 12 to 18 say in other words. A transcript and what a gdb
// prints are compared after both were put into the same ones.
var dialects = []struct {
	pattern func() *regexp.Regexp
	with    string
}{
	// From 16 on.
	{pattern.Compile(`Reached end of recorded history; stopping\.\n(Backward|Following) .*\.`),
		"No more reverse-execution history."},
	// From 15 on; the second, of a file that went with its program, in 18.
	{pattern.Compile(`(?m)^warning: (\d+\t.*No such file or directory)$`), "$1."},
	{pattern.Compile("(?m)^warning: (`target:.* has disappeared;)"), "$1"},
	// What older ones say only of the command thread.
	{pattern.Compile(`\[Switching to thread [\d.]+ \((Thread .*)\)\]`), "[Switching to $1]"},
	// From 17 on.
	{pattern.Compile(`No threads match(ed| '.*')\.`), "No threads matched."},
	// From 16 on the values of a template's arguments are shown too.
	{pattern.Compile(`(\[with \w+ = \w+), \w+ = \d+\]`), "$1]"},
	// 12 names no location.
	{pattern.Compile(`(?i)(breakpoint \d+)\.\d+,`), "$1,"},
	{pattern.Compile(`( keep y|Address) +`), "$1 "}, // 12 has another width for addresses
	// 18 says which of two variables of a name is shadowed.
	{pattern.Compile(`(?m)\t<\S+:\d+(, shadowed)?>$`), ""},
	{pattern.Compile(`(?m)^[ \t]+`), " "},
}

// CommonWords is a transcript by lines, in the words that all gdbs have in common.
func CommonWords(s string) []string {
	for _, d := range dialects {
		s = d.pattern().ReplaceAllString(s, d.with)
	}
	return strings.Split(s, "\n")
}

// Normalise takes from what gdb prints what says nothing about the program.
func Normalise(s string) string {
	for _, v := range varying {
		s = v.pattern().ReplaceAllString(s, v.with)
	}
	return s
}

// Difference says how what is printed differs from a transcript, line by line, or is "".
func Difference(want, got string) string {
	w, g := CommonWords(want), CommonWords(got)
	for len(w) > 0 && len(g) > 0 && w[0] == g[0] {
		w, g = w[1:], g[1:]
	}
	for len(w) > 0 && len(g) > 0 && w[len(w)-1] == g[len(g)-1] {
		w, g = w[:len(w)-1], g[:len(g)-1]
	}
	var b strings.Builder
	shown := 0
	show := func(mark string, line string) {
		if shown++; shown <= mostShown {
			fmt.Fprintf(&b, "%s%s\n", mark, line)
		}
	}
	for i, j := 0, 0; i < len(w) || j < len(g); {
		n, m := nearest(w[i:], g[j:])
		for ; n > 0; n-- {
			show("-", w[i])
			i++
		}
		for ; m > 0; m-- {
			show("+", g[j])
			j++
		}
		for i < len(w) && j < len(g) && w[i] == g[j] {
			i, j = i+1, j+1
		}
	}
	if shown > mostShown {
		fmt.Fprintf(&b, "and %d more lines\n", shown-mostShown)
	}
	return b.String()
}

// mostShown is how many lines of a difference are shown.
const mostShown = 60

// nearest is how few lines of each are to be skipped to come to a line that they have in common.
func nearest(w, g []string) (n, m int) {
	for sum := range len(w) + len(g) {
		for n := max(0, sum-len(g)+1); n <= sum && n < len(w); n++ {
			if m := sum - n; w[n] == g[m] {
				return n, m
			}
		}
	}
	return len(w), len(g)
}
