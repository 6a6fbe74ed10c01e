// Package steps reads the programs of this folder for tests: which lines each lane comes
// to where the same source is compiled for the host and stepped there. [Read] gives them
// all.
package steps

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// A Program is one of them.
type Program struct {
	Name string
	// Lanes has what native.py wrote of each lane, in words: numbers of lines, and
	// parentheses where the lane comes into a function or out of it.
	Lanes [][]string
	Last  string // the kernel's last line
	skip  map[string]bool
}

// notCompared are lines on which only one of two compilers has code: braces, the heads of
// loops that have no condition, and where functions begin.
var notCompared = regexp.MustCompile(`^\s*(}? ?(do|for \(;;\)|while \(true\))? ?[{}]?;?|(DEVICE|KERNEL|auto) .*{)$`)

// merging are lines where amdgcn's compiler has the end of a ?: over several lines in a
// row of its own, a move of its value.
var merging = map[string][]string{"lines": {"18"}, "ternary": {"13"}}

// Read reads the programs in a folder: this one.
func Read(folder string) ([]Program, error) {
	traces, err := filepath.Glob(filepath.Join(folder, "*.lines"))
	if err != nil {
		return nil, err
	}
	var out []Program
	for _, trace := range traces {
		p, err := read(strings.TrimSuffix(trace, ".lines"))
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func read(base string) (Program, error) {
	p := Program{Name: filepath.Base(base), skip: map[string]bool{}}
	source, err := os.ReadFile(base + ".hip")
	if err != nil {
		return p, err
	}
	for i, text := range strings.Split(string(source), "\n") {
		if notCompared.MatchString(text) {
			p.skip[fmt.Sprint(i+1)] = true
		}
	}
	for _, line := range merging[p.Name] {
		p.skip[line] = true
	}
	text, err := os.ReadFile(base + ".lines")
	if err != nil {
		return p, err
	}
	for l := range strings.Lines(string(text)) {
		p.Lanes = append(p.Lanes, strings.Fields(l))
	}
	if len(p.Lanes) != 64 || slices.ContainsFunc(p.Lanes, func(w []string) bool { return len(w) == 0 }) {
		return p, fmt.Errorf("%s.lines: not the lines of 64 lanes", base)
	}
	p.Last = p.Lanes[0][len(p.Lanes[0])-1]
	return p, nil
}

// Lines are the lines among words that are compared, without repetitions.
func (p *Program) Lines(words []string) []string {
	kept := slices.DeleteFunc(slices.Clone(words),
		func(w string) bool { return w == "(" || w == ")" || p.skip[w] })
	return slices.Compact(kept)
}

// An Activation is one of a function: the lines that a lane comes to in it, without
// repetitions, and the activations of functions that it calls. Whether a line that a lane
// comes back to from a call is shown again is not compared, so lines and calls are apart.
type Activation struct {
	Lines []string
	Calls []*Activation
}

// Parse makes an activation of the kernel of words.
func (p *Program) Parse(words []string) (*Activation, error) {
	open := []*Activation{{}}
	for _, w := range words {
		inner := open[len(open)-1]
		switch {
		case w == "(":
			call := &Activation{}
			inner.Calls = append(inner.Calls, call)
			open = append(open, call)
		case w == ")" && len(open) > 1:
			open = open[:len(open)-1]
		case w[0] < '0' || w[0] > '9':
			return nil, fmt.Errorf("%q among lines", w)
		case !p.skip[w] && (len(inner.Lines) == 0 || inner.Lines[len(inner.Lines)-1] != w):
			inner.Lines = append(inner.Lines, w)
		}
	}
	return open[0], nil
}

// Reverse turns an activation into what is seen of it on the way back.
func (a *Activation) Reverse() {
	slices.Reverse(a.Lines)
	slices.Reverse(a.Calls)
	for _, c := range a.Calls {
		c.Reverse()
	}
}

// Compact makes one of calls that follow each other and are alike. On the way back gdb before 15 stops
// between the calls of one line, where rows of the line begin, here as on the host; later ones do not.
func (a *Activation) Compact() {
	for _, c := range a.Calls {
		c.Compact()
	}
	a.Calls = slices.CompactFunc(a.Calls, func(x, y *Activation) bool { return reflect.DeepEqual(x, y) })
}

// Count is how many lines an activation has, with those of the functions that it calls.
func (a *Activation) Count() int {
	n := len(a.Lines)
	for _, c := range a.Calls {
		n += c.Count()
	}
	return n
}
