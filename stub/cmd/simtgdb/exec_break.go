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
	"simtgdb/stub/source"
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
	one := &breakFlag{text: text, kernel: source.WithoutSpaces(name)}
	var err error
	if numbered {
		if one.nth, err = strconv.Atoi(number); err != nil || one.nth < 1 {
			return errors.New("want KERNEL or KERNEL#N, its launches counted from 1")
		}
	}
	if one.kernel == "" {
		return errors.New("want a KERNEL, or * for all")
	}
	if _, err := path.Match(one.kernel, ""); err != nil {
		return fmt.Errorf("%q is no pattern: %w", name, err)
	}
	*b = append(*b, one)
	return nil
}

// matches reports whether a launch is meant.
func (b *breakFlag) matches(l *device.Launch) bool {
	if b.nth != 0 && b.nth != l.Nth {
		return false
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
	return append(names, source.Names(l.SourceName())...)
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
