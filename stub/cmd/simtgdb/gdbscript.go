package main

import (
	_ "embed"
	"fmt"
	"io"
)

// lanesPart is for a gdb with Python; nothing depends on it.
//
//go:embed simtgdb.py
var lanesPart string

// wordsPart has the commands of other debuggers, on top of it.
//
//go:embed words.py
var wordsPart string

// pythonScript is all of it.
func pythonScript() string { return lanesPart + wordsPart }

func gdbScriptCommand(args []string, std stdio) int {
	set := newFlags("gdbscript")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if len(rest) > 0 {
		return fail(std, "gdbscript", fmt.Errorf("unexpected argument %q", rest[0]))
	}
	if _, err := io.WriteString(std.out, pythonScript()); err != nil {
		return fail(std, "gdbscript", err)
	}
	return statusDone
}
