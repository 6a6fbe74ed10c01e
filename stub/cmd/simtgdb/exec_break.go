package main

import (
	"cmp"
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
	text    string
	kernel  string      // as source.Spelling has it
	pattern string      // of such names, for path.Match
	nth     int         // 0: all
	met     atomic.Bool // a launch was meant
}

type breakFlags []*breakFlag

func (b *breakFlags) String() string { return fmt.Sprint(*b) }

func (b *breakFlags) Set(text string) error {
	name, number := text, ""
	if i := strings.LastIndexByte(text, '#'); i >= 0 && !strings.Contains(text[i:], "}") { // not {lambda()#1}
		name, number = text[:i], text[i+1:]
	}
	one := &breakFlag{text: text, kernel: source.Spelling(name)}
	one.pattern = kernelPattern(one.kernel)
	var err error
	if len(name) < len(text) {
		if one.nth, err = strconv.Atoi(number); err != nil || one.nth < 1 {
			return errors.New("want KERNEL or KERNEL#N, its launches counted from 1")
		}
	}
	if one.kernel == "" {
		return errors.New("want a KERNEL, or * for all")
	}
	if _, err := path.Match(one.pattern, ""); err != nil {
		return fmt.Errorf("%q is no pattern: %w", name, err)
	}
	*b = append(*b, one)
	return nil
}

// kernelPattern makes a pattern of what a user calls kernels. Among the parameters a star is a pointer's if
// it follows a type, and a bracket an array's.
func kernelPattern(name string) string {
	var b strings.Builder
	parameters := strings.LastIndexByte(name, '(')
	if !strings.HasSuffix(name, ")") {
		parameters = len(name)
	}
	for i := range len(name) {
		if i > parameters && (name[i] == '[' || name[i] == '*' && name[i-1] != '(' && name[i-1] != ',') {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return unslashed(b.String())
}

// unslashed is a name whose slashes, of the files that lambdas are in, are no such thing to path.Match, whose
// stars stop at them.
func unslashed(name string) string { return strings.ReplaceAll(name, "/", "|") }

// matches reports whether a launch is meant.
func (b *breakFlag) matches(l *device.Launch) bool {
	for _, name := range namesOf(l) {
		if b.nth != 0 && b.nth != cmp.Or(l.NthOf(name), l.Nth()) {
			continue
		}
		if same, err := path.Match(b.pattern, unslashed(name)); name == b.kernel || err == nil && same {
			return true
		}
	}
	return false
}

// namesOf are the names by which users know the kernel of a launch: its symbol's; the source's,
// "a::b::step<float>", also without what it is in and without template arguments; those of either with the
// types of the parameters; of a shader what the program calls its pipeline, and its files.
func namesOf(l *device.Launch) []string {
	names := source.KernelNames(l.Kernel(), l.SourceName())
	if plain := loader.PlainName(l.Kernel()); plain != "" {
		names = append(names, plain)
	}
	if l.Label != "" {
		names = append(names, l.Label)
	}
	return append(names, l.Module.Files()...)
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
