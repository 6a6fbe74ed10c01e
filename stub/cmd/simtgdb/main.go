// Command simtgdb runs GPU kernels on a simulated SIMT machine and serves
// them to a stock gdb, lane by lane.
package main

import (
	"fmt"
	"io"
	"os"

	_ "simtgdb/stub/arch/all" // every family of machines
	"simtgdb/stub/collect"
)

// stdio is what a command reads from and writes to.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	collect.LessOften()
	os.Exit(perform(os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
}

// perform does what a command line says, and gives the exit status.
func perform(args []string, std stdio) int {
	out := &output{w: std.out}
	std.out = out
	status := dispatch(args, std)
	// A full disk, or standard output is closed; a command that failed has said so.
	if out.err != nil && status <= statusUnexpected {
		status = fail(std, args[0], fmt.Errorf("standard output: %w", out.err))
	}
	return status
}

// output is standard output. It keeps the first error, so that not everybody who
// prints has to look for it.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}
