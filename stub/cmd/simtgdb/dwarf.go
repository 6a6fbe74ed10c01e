package main

import (
	"fmt"
	"io"
)

// dwarfCommands are the words that follow "simtgdb dwarf": tools for those who
// write compilers, which need no kernel and no gdb.
var dwarfCommands = []command{
	{"dump", "FILE", "print debug information as llvm-dwarfdump does", dwarfDumpCommand},
	{"eval", "FILE.json", "evaluate DWARF expressions in described contexts", dwarfEvalCommand},
}

func dwarfCommand(args []string, std stdio) int {
	if len(args) > 0 {
		for _, c := range dwarfCommands {
			if c.name == args[0] {
				return c.run(args[1:], std)
			}
		}
		switch args[0] {
		case "help", "-h", "--help":
			dwarfUsage(std.out)
			return 0
		}
		fmt.Fprintf(std.err, "simtgdb dwarf: unknown command %q\n", args[0])
	}
	dwarfUsage(std.err)
	return 2
}

func dwarfUsage(w io.Writer) {
	fmt.Fprintln(w, "usage: simtgdb dwarf COMMAND [flags] FILE")
	for _, c := range dwarfCommands {
		fmt.Fprintf(w, "  simtgdb dwarf %-6s %-10s %s\n", c.name, c.args, c.summary)
	}
}
