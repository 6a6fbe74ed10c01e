package main

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"sync/atomic"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/stub/device"
)

// A breakFlag is KERNEL[#N]: the launches of a kernel, or one of them.
type breakFlag struct {
	text   string
	kernel string      // without spaces
	nth    int         // 0: all
	met    atomic.Bool // a launch was meant
}

type breakFlags []*breakFlag

func (b *breakFlags) String() string { return fmt.Sprint(*b) }

func (b *breakFlags) Set(text string) error {
	name, number, numbered := strings.Cut(text, "#")
	one := &breakFlag{text: text, kernel: withoutSpaces(name)}
	var err error
	if numbered {
		if one.nth, err = strconv.Atoi(number); err != nil || one.nth < 1 {
			return errors.New("want KERNEL or KERNEL#N, its launches counted from 1")
		}
	}
	if _, err := path.Match(one.kernel, ""); err != nil {
		return fmt.Errorf("%q is no pattern: %w", name, err)
	}
	*b = append(*b, one)
	return nil
}

func withoutSpaces(name string) string { return strings.ReplaceAll(name, " ", "") }

// matches reports whether a launch is meant.
func (b *breakFlag) matches(l *device.Launch) bool {
	if b.nth != 0 && b.nth != l.Nth {
		return false
	}
	if b.kernel == "" {
		return true
	}
	for _, name := range namesOf(l) {
		if same, err := path.Match(b.kernel, name); name == b.kernel || err == nil && same {
			return true
		}
	}
	return false
}

// namesOf are the names by which users know the kernel of a launch, without spaces: its symbol's; the
// source's, "a::b::step<float>", also without what it is in and without template arguments.
func namesOf(l *device.Launch) []string {
	names := []string{l.Kernel()}
	if plain := loader.PlainName(l.Kernel()); plain != "" {
		names = append(names, plain)
	}
	return append(names, sourceNames(withoutSpaces(l.SourceName()))...)
}

// sourceNames are a::step<b::T>, step<b::T>, a::step and step for the first of these.
func sourceNames(full string) []string {
	var names []string
	depth, arguments := 0, len(full) // where those of the last part begin
	for i := len(full) - 1; i >= 0; i-- {
		switch full[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 && len(names) == 0 {
				arguments = i
			}
		case ':':
			if depth == 0 && strings.HasPrefix(full[i:], "::") {
				names = append(names, full[i+2:], full[i+2:max(arguments, i+2)])
			}
		}
	}
	return append(names, full, full[:arguments])
}

// unmet says which of the flags meant no launch, and what was launched, those first that look alike.
func (b breakFlags) unmet(w io.Writer, c *counts) {
	for _, one := range b {
		if one.met.Load() {
			continue
		}
		all := c.likely(one.kernel)
		const most = 8
		more := ""
		if n := len(all) - most; n > 0 {
			all, more = all[:most], fmt.Sprintf(", and %d others", n)
		}
		what := "nothing was launched"
		if len(all) > 0 {
			what = "launched were " + strings.Join(all, ", ") + more
		}
		fmt.Fprintf(w, "simtgdb exec: --break %s stopped no launch: %s\n", printable.Name(one.text), what)
	}
}

// distance is how many letters have to be changed, taken away or put in to make one name of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
