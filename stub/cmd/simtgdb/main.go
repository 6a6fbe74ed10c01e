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
	out := &output{w: os.Stdout}
	std := stdio{os.Stdin, out, os.Stderr}
	args := os.Args[1:]
	status := dispatch(args, std)
	// A full disk, or standard output is closed; a command that failed has said so.
	if out.err != nil && status <= statusUnexpected {
		status = fail(std, args[0], fmt.Errorf("standard output: %w", out.err))
	}
	os.Exit(status)
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
