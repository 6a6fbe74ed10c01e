package main

import (
	"flag"
	"fmt"
	"io"

	"simtgdb/simt/check"
	"simtgdb/stub"
	"simtgdb/stub/launch"
)

// checkFlags say what defects commands look for in programs.
type checkFlags struct {
	kinds   check.Kinds
	folders folderList // that sources are looked for in
	limit   size
}

// register adds the flags to a command's.
func (f *checkFlags) register(set *flag.FlagSet) {
	set.Func("check", "look for defects: a list of `KINDS` among "+check.KindNames,
		func(text string) (err error) {
			f.kinds, err = check.ParseKinds(text)
			return err
		})
	set.Var(&f.folders, "source",
		"look for source files in `FOLDER`, for --check=bounds; may be given again")
	f.limit = check.DefaultLimit
	set.Func("check-memory", "what checkers know may take `SIZE` bytes of memory (default 2GiB)",
		func(text string) error {
			if text == "on" || text == "off" {
				return fmt.Errorf("%q is no size", text)
			}
			return f.limit.Set(text)
		})
}

// prepare gives a program what checkers need to know.
func (f *checkFlags) prepare(p *launch.Program) {
	stub.FindObjects(p, f.folders)
	stub.Record(p)
	p.CheckLimit = uint64(f.limit)
}

// reportsShown is how many defects of a run are explained.
const reportsShown = 20

// checkRun makes a program's run look for defects and explain them as they are found. It gives what
// counts them once the run is over.
func checkRun(p *launch.Program, f *checkFlags, w io.Writer) func() int {
	if f.kinds == 0 {
		return func() int { return 0 }
	}
	f.prepare(p)
	n := 0
	c := p.LookFor(f.kinds, func(r *check.Report) bool {
		if n++; n <= reportsShown {
			fmt.Fprintf(w, "simtgdb run: %s", p.DescribeReport(r))
		}
		return false
	})
	c.Note = func(text string) { fmt.Fprintf(w, "simtgdb run: check: %s\n", text) }
	if text := stub.BoundsUnknown(p); text != "" && f.kinds&check.Bounds != 0 {
		c.Note(text)
	}
	return func() int {
		if n > reportsShown {
			fmt.Fprintf(w, "simtgdb run: and %d more\n", n-reportsShown)
		}
		return n
	}
}
