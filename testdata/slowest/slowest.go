// Command slowest reads what `go test -json` prints. It prints a line for each package and all that failed
// tests and builds have printed, of a package that has panicked or taken too long which tests ran then, and
// at the end which packages and tests took longest. It fails if a test does, or what it reads breaks off.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// shown is how many tests are listed, and how many packages.
const shown = 20

// An event is a line of `go test -json` (go doc test2json; ImportPath is that of what is built).
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// A took is how long something took.
type took struct {
	name    string
	seconds float64
}

func main() {
	if !report(os.Stdin, os.Stdout) {
		os.Exit(1)
	}
}

// A run is what is known of a package whose tests run.
type run struct {
	began   bool
	running []string                    // tests, and tests within them, the first first
	printed map[string]*strings.Builder // by test; of "" what is no test's
}

// begins and ends note of a test that it runs, or does no more: it has ended, or waits for its turn.
func (r *run) begins(test string) { r.running = append(r.running, test) }

func (r *run) ends(test string) {
	r.running = slices.DeleteFunc(r.running, func(t string) bool { return t == test })
}

// prints notes what a test has printed.
func (r *run) prints(test, text string) {
	b := r.printed[test]
	if b == nil {
		b = &strings.Builder{}
		r.printed[test] = b
	}
	b.WriteString(text)
}

// show shows what is not told yet of a package that has failed or not ended: which tests ran then, and what
// they have printed. The first and the last lines of that say what has happened; between them there may be
// thousands, of goroutines.
func (r *run) show(out io.Writer) {
	if len(r.running) > 0 {
		fmt.Fprintf(out, "These tests have not ended: %s\n", strings.Join(r.running, ", "))
	}
	tests := slices.Sorted(maps.Keys(r.printed))
	if len(tests) > 0 && tests[0] == "" { // the end of all
		tests = append(tests[1:], "")
	}
	for _, test := range tests {
		lines := slices.Collect(strings.Lines(r.printed[test].String()))
		if len(lines) > mostLines {
			const half = mostLines / 2
			lines = slices.Concat(lines[:half], []string{fmt.Sprintf("(%d lines are left out)\n",
				len(lines)-2*half)}, lines[len(lines)-half:])
		}
		fmt.Fprint(out, strings.Join(lines, ""))
	}
	clear(r.printed)
}

// mostLines is how many lines are shown of what a test has printed that has not ended.
const mostLines = 200

// A reader reads events and prints what is to be seen at once.
type reader struct {
	out             io.Writer
	packages, tests []took
	runs            map[string]*run // by package
	failed          bool
}

// report reports whether all has passed.
func report(in io.Reader, out io.Writer) bool {
	r := reader{out: out, runs: map[string]*run{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if err != nil && line == "" {
			break
		}
		var e event
		if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
			fmt.Fprint(out, line) // go itself says something
			continue
		}
		r.read(&e)
	}
	for _, name := range slices.Sorted(maps.Keys(r.runs)) {
		if r.runs[name].began {
			r.failed = true
			fmt.Fprintf(out, "%s has not ended:\n", name)
			r.runs[name].show(out)
		}
	}
	table(out, "packages", r.packages)
	table(out, "tests", r.tests)
	return !r.failed && len(r.packages) > 0
}

// read reads one event.
func (r *reader) read(e *event) {
	test, _, _ := strings.Cut(e.Test, "/")
	p := r.runs[e.Package]
	if p == nil {
		p = &run{printed: map[string]*strings.Builder{}}
		r.runs[e.Package] = p
	}
	switch e.Action {
	case "start":
		p.began = true
	case "run", "cont":
		p.begins(e.Test)
	case "pause":
		p.ends(e.Test)
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "build-fail":
		r.failed = true
	case "output":
		p.prints(test, e.Output)
	case "pass", "skip", "fail":
		r.ended(e, p)
	}
}

// ended reads that a test, or all of a package, has ended.
func (r *reader) ended(e *event, p *run) {
	failed := e.Action == "fail"
	r.failed = r.failed || failed
	if e.Test == "" {
		if failed {
			p.show(r.out)
		}
		p.began = false
		r.packages = append(r.packages, took{e.Package, e.Elapsed})
		fmt.Fprintf(r.out, "%-4s %8.2fs  %s\n", e.Action, e.Elapsed, e.Package)
		return
	}
	if p.ends(e.Test); strings.Contains(e.Test, "/") {
		return
	}
	if text := p.printed[e.Test]; failed && text != nil {
		fmt.Fprint(r.out, text)
	}
	delete(p.printed, e.Test)
	r.tests = append(r.tests, took{e.Package + " " + e.Test, e.Elapsed})
}

// table lists what took longest.
func table(out io.Writer, what string, all []took) {
	slices.SortStableFunc(all, func(a, b took) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintf(out, "\nThe slowest %s:\n", what)
	for _, t := range all[:min(shown, len(all))] {
		fmt.Fprintf(out, "%8.1f s  %s\n", t.seconds, t.name)
	}
}
