package main

import (
	"fmt"
	"io"
	"os"

	"simtgdb/dwarf/expr/exprjson"
)

// dwarfEvalCommand evaluates expressions in described contexts.
func dwarfEvalCommand(args []string, std stdio) int {
	const command = "dwarf eval"
	set := newFlags(command)
	explain := set.Bool("explain", true, "say on standard error what was wrong in cases that end in an error")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if len(rest) != 1 {
		return fail(std, command, fmt.Errorf("want one FILE.json, not %d", len(rest)))
	}
	data, err := readInput(rest[0], std.in)
	if err != nil {
		return fail(std, command, err)
	}
	why := func(id string, err error) {
		if *explain {
			fmt.Fprintf(std.err, "%s: %v\n", id, err)
		}
	}
	if err := exprjson.Run(data, std.out, why); err != nil {
		return fail(std, command, fmt.Errorf("%s: %w", rest[0], err))
	}
	return statusDone
}

// readInput reads a file, or standard input for "-".
func readInput(path string, in io.Reader) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(path)
}
