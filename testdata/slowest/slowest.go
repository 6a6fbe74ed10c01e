// Command slowest reads what `go test -json` prints. It prints a line for each package and all that failed
// tests and builds have printed, and at the end which packages and tests took longest. It fails if a test
// does, or what it reads breaks off.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
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

// report reports whether all has passed.
func report(in io.Reader, out io.Writer) bool {
	var packages, tests []took
	printed := map[[2]string]*strings.Builder{} // by package and test
	running := map[string]bool{}
	ok, passed := true, 0
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
		test, _, _ := strings.Cut(e.Test, "/")
		key := [2]string{e.Package, test}
		if printed[key] == nil {
			printed[key] = &strings.Builder{}
		}
		switch e.Action {
		case "start":
			running[e.Package] = true
		case "build-output":
			fmt.Fprint(out, e.Output)
		case "build-fail":
			ok = false
		case "output":
			printed[key].WriteString(e.Output)
		case "pass", "skip", "fail":
			failed := e.Action == "fail"
			ok = ok && !failed
			if failed && (e.Test == test || e.Test == "") {
				fmt.Fprint(out, printed[key])
			}
			switch {
			case e.Test == "":
				delete(running, e.Package)
				passed++
				packages = append(packages, took{e.Package, e.Elapsed})
				fmt.Fprintf(out, "%-4s %8.2fs  %s\n", e.Action, e.Elapsed, e.Package)
			case e.Test == test:
				tests = append(tests, took{e.Package + " " + test, e.Elapsed})
				delete(printed, key)
			}
		}
	}
	for name := range running {
		fmt.Fprintf(out, "%s has not ended:\n", name)
		for key, text := range printed {
			if key[0] == name {
				fmt.Fprint(out, text)
			}
		}
	}
	table(out, "packages", packages)
	table(out, "tests", tests)
	return ok && passed > 0 && len(running) == 0
}

// table lists what took longest.
func table(out io.Writer, what string, all []took) {
	slices.SortStableFunc(all, func(a, b took) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintf(out, "\nThe slowest %s:\n", what)
	for _, t := range all[:min(shown, len(all))] {
		fmt.Fprintf(out, "%8.1f s  %s\n", t.seconds, t.name)
	}
}
