// Command simtgdb runs GPU kernels on a simulated SIMT machine and serves
// them to a stock gdb, lane by lane.
package main

import (
	"fmt"
	"io"
	"os"

	_ "simtgdb/stub/arch/all" // every family of machines
)

// A command is one word of the command line: what it is called, what the
// usage text says of it, and what it does. run returns the exit status: 0
// done, 1 an expectation failed, 2 usage or input error, 3 the kernel faulted.
type command struct {
	name, args, summary string
	run                 func(args []string, std stdio) int
}

// stdio is what a command reads from and writes to.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

var commands = []command{
	{"run", "[flags] [FILE]", "run a kernel to completion; check and save buffers", runCommand},
	{"serve", "[flags] [FILE]", "wait for gdb", serveCommand},
	{"gdbscript", "", "print a Python script for gdb -x: GPU disassembly, info lanes", gdbScriptCommand},
	{"disasm", "[flags] FILE", "disassembly with source lines", disasmCommand},
	{"info", "[flags] FILE", "kernels, arguments, debug information", infoCommand},
	{"dwarf", "COMMAND FILE", "tools for debug information", dwarfCommand},
}

func main() {
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

func dispatch(args []string, std stdio) int {
	return choose("simtgdb", commands, usage, args, std)
}

// choose runs the command that args name among those of a program, or of a
// command that has some of its own.
func choose(program string, commands []command, usage func(io.Writer), args []string, std stdio) int {
	if len(args) > 0 {
		for _, c := range commands {
			if c.name == args[0] {
				return c.run(args[1:], std)
			}
		}
		switch args[0] {
		case "help", "-h", "--help":
			usage(std.out)
			return 0
		}
		fmt.Fprintf(std.err, "%s: unknown command %q\n", program, args[0])
	}
	usage(std.err)
	return 2
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: simtgdb COMMAND [flags] [FILE]")
	for _, c := range commands {
		fmt.Fprintf(w, "  simtgdb %-8s %-18s %s\n", c.name, c.args, c.summary)
	}
}
