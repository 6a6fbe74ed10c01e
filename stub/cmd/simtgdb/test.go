package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"simtgdb/loader/printable"
	"simtgdb/stub/suite"
)

// testFlags are the flags of test.
type testFlags struct {
	runner     suite.Runner
	shard      *suite.Shard
	only       *regexp.Regexp
	list       bool
	junit, tap string
}

// testCommand runs launch files with expectations and gdb scripts with transcripts.
func testCommand(args []string, std stdio) int {
	var f testFlags
	set := newFlags("test")
	set.IntVar(&f.runner.Jobs, "j", runtime.NumCPU(), "run so many `N` at a time")
	set.BoolVar(&f.runner.Update, "update", false, "write transcripts anew, those of scripts without one too")
	set.StringVar(&f.runner.GDB, "gdb", "gdb", "the `PROGRAM` that runs scripts")
	set.StringVar(&f.runner.Folder, "folder", ".",
		"run scripts in `FOLDER`, from which the files that they name are found")
	f.runner.Timeout = 5 * time.Minute
	set.DurationVar(&f.runner.Timeout, "timeout", f.runner.Timeout,
		"what is not done after a `TIME` has failed")
	set.BoolVar(&f.list, "list", false, "print the names of what would run")
	set.StringVar(&f.junit, "junit", "", "write the results to `FILE` as JUnit's XML")
	set.StringVar(
		&f.tap, "tap", "", "write the results to `FILE` in the Test Anything Protocol; - for standard output")
	set.Func("run", "only those whose path matches `REGEXP`", func(text string) (err error) {
		f.only, err = regexp.Compile(text)
		return err
	})
	set.Func("shard", "only one part of all: `I/N`, the Ith of N parts (default what TEST_SHARD_INDEX and "+
		"TEST_TOTAL_SHARDS, of Bazel, or the variables of a Slurm array say)", func(text string) error {
		s, err := suite.ParseShard(text)
		f.shard = &s
		return err
	})
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	cases, err := f.cases(rest)
	if err != nil {
		return fail(std, "test", err)
	}
	if f.list {
		for _, c := range cases {
			fmt.Fprintln(std.out, printable.Name(c.Name))
		}
		return statusDone
	}
	if err := f.prepare(cases); err != nil {
		return fail(std, "test", err)
	}
	return f.run(cases, std)
}

// cases finds what is to run.
func (f *testFlags) cases(paths []string) ([]suite.Case, error) {
	if len(paths) == 0 {
		return nil,
			errors.New("name folders, or files, with launch files that have expectations, or gdb scripts")
	}
	cases, err := suite.Find(paths, f.runner.Update)
	if err != nil {
		return nil, err
	}
	if f.only != nil {
		cases = slices.DeleteFunc(cases, func(c suite.Case) bool { return !f.only.MatchString(c.Name) })
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("nothing to run in %s: neither a launch file with an \"expect\" nor a "+
			"NAME.gdb beside a NAME.txt (--update writes the latter)",
			printable.Name(strings.Join(paths, ", ")))
	}
	shard := f.shard
	if shard == nil {
		s, err := suite.ShardOf(os.Getenv)
		if err != nil {
			return nil, err
		}
		shard = &s
	}
	if file := os.Getenv("TEST_SHARD_STATUS_FILE"); file != "" { // it tells Bazel that shards are known here
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			return nil, err
		}
	}
	return shard.Of(cases), nil
}

// prepare finds the programs that cases need.
func (f *testFlags) prepare(cases []suite.Case) (err error) {
	if f.runner.Program, err = os.Executable(); err != nil {
		return err
	}
	if slices.ContainsFunc(cases, func(c suite.Case) bool { return c.Kind == suite.Script }) {
		if f.runner.GDB, err = exec.LookPath(f.runner.GDB); err != nil {
			return fmt.Errorf("the scripts want a gdb (Debian: apt-get install gdb; --run '[.]json$' runs "+
				"none): %w", err)
		}
	}
	return nil
}

// run runs cases and says what came of them.
func (f *testFlags) run(cases []suite.Case, std stdio) int {
	ctx, stop := interruptible(os.Interrupt, syscall.SIGTERM)
	defer stop()
	words := std.out
	if f.tap == "-" {
		words = std.err
	}
	progress := isTerminal(std.err)
	start := time.Now()
	f.runner.Done = func(n int, r suite.Result) {
		if progress {
			fmt.Fprintf(std.err, "\r\x1b[K[%d/%d] %s", n+1, len(cases), printable.Name(r.Name))
		}
		switch {
		case ctx.Err() != nil:
			return
		case r.Failure == "" && !r.Updated && progress:
			return
		case progress:
			fmt.Fprint(std.err, "\r\x1b[K")
		}
		writeResult(words, r)
	}
	results := f.runner.Run(ctx, cases)
	if progress {
		fmt.Fprint(std.err, "\r\x1b[K")
	}
	if ctx.Err() != nil {
		return interrupted(std, "test")
	}
	if err := f.report(results, std.out); err != nil {
		return fail(std, "test", err)
	}
	failed := suite.Failed(results)
	fmt.Fprintf(words, "%d passed, %d failed, in %.1f s\n", len(results)-failed, failed,
		time.Since(start).Seconds())
	if failed > 0 {
		return statusUnexpected
	}
	return statusDone
}

// writeResult says what came of one case.
func writeResult(w io.Writer, r suite.Result) {
	word := "ok"
	switch {
	case r.Failure != "":
		word = "FAILED"
	case r.Updated:
		word = "updated"
	}
	fmt.Fprintf(w, "%-7s %s (%.1f s)\n", word, printable.Name(r.Name), r.Took.Seconds())
	if r.Failure == "" {
		return
	}
	fmt.Fprintf(w, "  %s\n", printable.Line(r.Failure))
	for line := range strings.Lines(r.Output) {
		fmt.Fprintf(w, "    %s\n", printable.Line(strings.TrimRight(line, "\r\n")))
	}
}

// report writes the files that the flags ask for.
func (f *testFlags) report(results []suite.Result, out io.Writer) error {
	if f.junit != "" {
		if err := replaceFile(f.junit,
			func(w io.Writer) error { return suite.WriteJUnit(w, results) }); err != nil {
			return err
		}
	}
	switch f.tap {
	case "":
		return nil
	case "-":
		return suite.WriteTAP(out, results)
	}
	return replaceFile(f.tap, func(w io.Writer) error { return suite.WriteTAP(w, results) })
}

// isTerminal reports whether what is written is for somebody who watches.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "" &&
		os.Getenv("TERM") != "dumb"
}
