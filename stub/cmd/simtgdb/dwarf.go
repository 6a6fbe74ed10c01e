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
	return choose("simtgdb dwarf", dwarfCommands, dwarfUsage, args, std)
}

func dwarfUsage(w io.Writer) {
	fmt.Fprintln(w, "usage: simtgdb dwarf COMMAND [flags] FILE")
	for _, c := range dwarfCommands {
		fmt.Fprintf(w, "  simtgdb dwarf %-6s %-10s %s\n", c.name, c.args, c.summary)
	}
}
