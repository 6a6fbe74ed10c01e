package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"simtgdb/simt/check"
	"simtgdb/stub"
	"simtgdb/stub/findings"
	"simtgdb/stub/launch"
	"simtgdb/stub/objects"
)

// checkFlags say what defects commands look for in programs.
type checkFlags struct {
	kinds      check.Kinds
	folders    folderList // that sources are looked for in
	limit      size
	suppressed findings.Suppressions

	report string // the file that findings are written to
	format findings.Format
	list   findings.List

	hosts bool // the command has a host program, whose defects can be looked for
}

// register adds the flags to a command's.
func (f *checkFlags) register(set *flag.FlagSet) {
	set.Func("check", "look for defects: a list of `KINDS` among "+check.KindNames,
		func(text string) (err error) {
			f.kinds, err = check.ParseKinds(text)
			if of := f.kinds & check.OfExec; of != 0 && !f.hosts {
				return fmt.Errorf("%v is of exec: other launches have no host program", of)
			}
			return err
		})
	set.Var(&f.folders, "source",
		"look for source files in `FOLDER`, for --check=bounds; may be given again")
	set.Func("suppress", "do not tell of the defects that `FILE` lists: a kind, a file and a function a line",
		f.suppress)
	f.limit = check.DefaultLimit
	set.Func("check-memory", "what checkers know may take `SIZE` bytes of memory (default 2GiB)",
		func(text string) error {
			if text == "on" || text == "off" {
				return fmt.Errorf("%q is no size", text)
			}
			return f.limit.Set(text)
		})
}

// registerReport adds --report to the flags of a command that can tell all at its end.
func (f *checkFlags) registerReport(set *flag.FlagSet) {
	set.Func("report", "write the defects and faults that are found to `FILE`, NAME.json or NAME.sarif",
		func(name string) (err error) {
			f.report = name
			f.format, err = findings.FormatOf(name)
			return err
		})
}

// suppress reads a file of suppressions.
func (f *checkFlags) suppress(name string) error {
	r, err := os.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	return f.suppressed.Read(r, name, func(kind string) bool {
		k, err := check.ParseKinds(kind)
		return err == nil && k != 0 || kind == "fault"
	})
}

// prepare gives a program what checkers need to know.
func (f *checkFlags) prepare(p *launch.Program) {
	objects.Find(p, f.folders)
	stub.Record(p)
	p.CheckLimit = uint64(f.limit)
	p.Ignore = func(r *check.Report) bool {
		if f.suppressed.Empty() {
			return false
		}
		one := p.Finding(r)
		return f.suppressed.Covers(&one)
	}
}

// write writes what was found to the file of --report, if there is one, and says what was not told.
func (f *checkFlags) write(w io.Writer, command string) error {
	for _, line := range f.suppressed.Used() {
		fmt.Fprintf(w, "simtgdb %s: check: %s\n", command, line)
	}
	if f.report == "" {
		return nil
	}
	out, err := os.Create(f.report)
	if err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	if err := errors.Join(f.list.Write(out, f.format), out.Close()); err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	return nil
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
		if f.report != "" {
			f.list.Add(p.Finding(r))
		}
		return false
	})
	c.Note = func(text string) { fmt.Fprintf(w, "simtgdb run: check: %s\n", text) }
	if text := objects.BoundsUnknown(p); text != "" && f.kinds&check.Bounds != 0 {
		c.Note(text)
	}
	return func() int {
		if n > reportsShown {
			fmt.Fprintf(w, "simtgdb run: and %d more\n", n-reportsShown)
		}
		return n
	}
}
