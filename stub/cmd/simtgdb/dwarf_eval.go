package main

import (
	"fmt"
	"io"

	"simtgdb/dwarf/expr/exprjson"
	"simtgdb/stub/launch"
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

// maxStandardInput bounds what is read of standard input.
const maxStandardInput = 64 << 20

// readInput reads a file, or standard input for "-".
func readInput(path string, in io.Reader) ([]byte, error) {
	if path != "-" {
		return launch.File{Path: path}.Read()
	}
	data, err := io.ReadAll(io.LimitReader(in, maxStandardInput+1))
	if len(data) > maxStandardInput {
		return nil, fmt.Errorf("standard input has more than %d bytes", maxStandardInput)
	}
	return data, err
}
