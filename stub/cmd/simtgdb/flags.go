package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"simtgdb/loader/printable"
	"simtgdb/stub"
	"simtgdb/stub/launch"
	"simtgdb/testdata"
)

// Exit statuses.
const (
	statusDone        = 0
	statusUnexpected  = 1 // an expectation failed
	statusInput       = 2 // usage or input error
	statusFault       = 3 // the kernel faulted
	statusInterrupted = 130
)

// launchFlags are the flags that say what to launch.
func launchFlags() *launch.Flags {
	return &launch.Flags{Demo: testdata.Demo, DemoLaunch: "launch/demo.json"}
}

// load loads what the flags and the words after them say. It can be interrupted.
func load(ctx context.Context, flags *launch.Flags, rest []string) (*launch.Program, error) {
	return await(ctx, func() (*launch.Program, error) {
		spec, err := flags.Spec(rest)
		if err != nil {
			return nil, err
		}
		p, err := spec.Load()
		if err == nil {
			stub.FindCalls(p)
		}
		return p, err
	})
}

// newFlags is the flag set of a command. It prints nothing: parse reports.
func newFlags(command string) *flag.FlagSet {
	set := flag.NewFlagSet(command, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	return set
}

// given are the flags that a command line has.
func given(set *flag.FlagSet) map[string]bool {
	names := map[string]bool{}
	set.Visit(func(f *flag.Flag) { names[f.Name] = true })
	return names
}

// timeFlag registers a flag for a time.
func timeFlag(set *flag.FlagSet, name, usage string) *time.Duration {
	d := new(time.Duration)
	set.Func(name, usage, func(text string) error {
		v, err := time.ParseDuration(text)
		if err != nil || v < 0 {
			return fmt.Errorf("want a time such as 30s, 5m or 1h30m")
		}
		*d = v
		return nil
	})
	return d
}

// parse parses a command line, in which flags may also follow other arguments,
// and gives the others. If done is true the command is over, and status is
// what it exits with.
func parse(set *flag.FlagSet, args []string, std stdio) (rest []string, status int, done bool) {
	var files []string // what follows "--" is no flag
	if i := slices.Index(args, "--"); i >= 0 {
		args, files = args[:i], args[i+1:]
	}
	for {
		err := set.Parse(args)
		switch {
		case errors.Is(err, flag.ErrHelp):
			help(std.out, set)
			return nil, statusDone, true
		case err != nil:
			return nil, fail(std, set.Name(),
				fmt.Errorf("%w (%ssimtgdb %s --help lists the flags)", err, unknownFlag(set, err),
					set.Name())), true
		case set.NArg() == 0:
			return append(rest, files...), 0, false
		}
		rest, args = append(rest, set.Arg(0)), set.Args()[1:]
	}
}

// help prints what a command does, its flags and examples.
func help(w io.Writer, set *flag.FlagSet) {
	c := commandNamed(set.Name())
	fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("usage: simtgdb %s %s", set.Name(), c.args), " "))
	fmt.Fprintln(w, c.summary)
	flags := 0
	set.VisitAll(func(*flag.Flag) { flags++ })
	if flags > 0 {
		fmt.Fprintln(w, "\nflags:")
		var text bytes.Buffer
		set.SetOutput(&text)
		set.PrintDefaults()
		// Package flag shows one hyphen and takes two as well, which is what the documents have.
		io.WriteString(w, strings.ReplaceAll("\n"+text.String(), "\n  -", "\n  --")[1:])
	}
	if len(c.examples) > 0 {
		fmt.Fprintln(w, "\nexamples:")
	}
	for _, e := range c.examples {
		fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(e, "\n", "\n  "))
	}
}

// fail reports a usage or input error in one line.
func fail(std stdio, command string, err error) int {
	text := err.Error()
	if path := new(fs.PathError); errors.As(err, &path) {
		text = strings.Replace(text, path.Path, printable.Name(path.Path), 1)
	}
	fmt.Fprintf(std.err, "simtgdb %s: %s\n", command, printable.Line(strings.ReplaceAll(text, "\n", "; ")))
	return statusInput
}
