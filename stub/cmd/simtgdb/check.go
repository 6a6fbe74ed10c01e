package main

import (
	"flag"
	"fmt"
	"io"

	"simtgdb/simt/check"
	"simtgdb/stub/launch"
)

// checkFlag adds --check to a command's flags.
func checkFlag(set *flag.FlagSet) *check.Kinds {
	var kinds check.Kinds
	set.Func("check", "look for defects: a list of `KINDS` among "+check.KindNames,
		func(text string) (err error) {
			kinds, err = check.ParseKinds(text)
			return err
		})
	return &kinds
}

// reportsShown is how many defects of a run are explained.
const reportsShown = 20

// checkRun makes a program's run look for defects and explain them as they are found. It gives what
// counts them once the run is over.
func checkRun(p *launch.Program, kinds check.Kinds, w io.Writer) func() int {
	if kinds == 0 {
		return func() int { return 0 }
	}
	n := 0
	c := p.LookFor(kinds, func(r *check.Report) bool {
		if n++; n <= reportsShown {
			fmt.Fprintf(w, "simtgdb run: %s", p.DescribeReport(r))
		}
		return false
	})
	c.Note = func(text string) { fmt.Fprintf(w, "simtgdb run: check: %s\n", text) }
	return func() int {
		if n > reportsShown {
			fmt.Fprintf(w, "simtgdb run: and %d more\n", n-reportsShown)
		}
		return n
	}
}
