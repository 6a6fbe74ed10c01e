package main

import (
	"fmt"
	"io"
	"runtime"
	buildinfo "runtime/debug"
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// A command is one word of the command line: what it is called, what the
// usage text says of it, and what it does. run returns the exit status: 0
// done, 1 an expectation failed, 2 usage or input error, 3 the kernel faulted.
type command struct {
	name, args, summary string
	run                 func(args []string, std stdio) int
	examples            []string // command lines, from the top of the repository
}

// commands are the words that follow "simtgdb".
func commands() []command {
	return []command{
		{"run", "[flags] [FILE]", "run a kernel to completion; check and save buffers", runCommand, []string{
			"simtgdb run --demo --stats",
			"simtgdb run --launch testdata/launch/vecadd.json",
			"simtgdb run testdata/co/saxpy.gfx90a.O2.co --grid 256 --block 64 --arg i32:256 \\\n" +
				"    --arg f32:2 --arg buf:f32[256]=iota --arg buf:f32[256]=zero --out 3=/dev/null",
		}},
		{"profile", "[flags] [FILE]",
			"run a kernel and say where its instructions, memory accesses and waits are",
			profileCommand, []string{
				"simtgdb profile --launch testdata/launch/reduction.json",
				"simtgdb profile --launch testdata/launch/reduction.json --json -",
			}},
		{"serve", "[flags] [FILE]", "wait for gdb", serveCommand, []string{
			"simtgdb serve --demo",
			"simtgdb serve --launch testdata/launch/vecadd.json --listen 127.0.0.1:5555",
		}},
		{"gdb", "[flags] [FILE] [-- GDB'S ARGUMENTS]", "start gdb with a kernel", gdbCommand, []string{
			"simtgdb gdb --demo -- -batch -ex 'break weigh' -ex continue",
			"simtgdb gdb --gdb gdb -- --version",
		}},
		{"exec", "[flags] -- PROGRAM [ARGUMENTS]",
			"run a HIP, CUDA, OpenCL or Vulkan program on a simulated device", execCommand,
			[]string{
				"simtgdb exec --target gfx90a -- echo done",
			}},
		{"replay", "[flags] FILE", "wait for gdb with a session that serve --record has written",
			replayCommand, []string{
				"simtgdb replay testdata/recording/demo.simtgdb",
			}},
		{"test", "[flags] FOLDER|FILE...",
			"run launch files with expectations and gdb scripts with transcripts", testCommand,
			[]string{
				"simtgdb test testdata/launch --run 'vecadd|saxpy'",
			}},
		{"gdbscript", "", "print a Python script for gdb -x: GPU disassembly, info lanes", gdbScriptCommand,
			[]string{
				"simtgdb gdbscript",
			}},
		{"disasm", "[flags] FILE", "disassembly with source lines", disasmCommand, []string{
			"simtgdb disasm --kernel vecadd testdata/co/vecadd.gfx90a.O0.co",
			"echo 0x81,0x00,0x00,0x80 | simtgdb disasm --mcpu gfx90a --hex -",
		}},
		{"info", "[flags] FILE", "kernels, arguments, debug information", infoCommand, []string{
			"simtgdb info testdata/co/vecadd.gfx90a.O0.co",
			"simtgdb info --launch-template testdata/co/vecadd.gfx90a.O0.co",
			"simtgdb info --instructions gfx90a",
		}},
		{"sources", "[flags] FILE", "source files inside of a file", sourcesCommand, []string{
			"simtgdb sources testdata/spirv/control.Od.spv",
		}},
		{"dwarf", "COMMAND [flags] FILE", "tools for debug information", dwarfCommand, nil},
	}
}

// dwarfCommands are the words that follow "simtgdb dwarf": tools for those who
// write compilers, which need no kernel and no gdb.
func dwarfCommands() []command {
	return []command{
		{"dump", "[flags] FILE", "print debug information as llvm-dwarfdump does", dwarfDumpCommand, []string{
			"simtgdb dwarf dump testdata/co/vecadd.gfx90a.O0.co",
			"simtgdb dwarf dump --line testdata/co/vecadd.gfx90a.O0.co",
		}},
		{"eval", "[flags] FILE.json", "evaluate DWARF expressions in described contexts", dwarfEvalCommand,
			[]string{
				"simtgdb dwarf eval dwarf/expr/exprjson/testdata/cauldron.in.json",
				`echo '{"cases": [{"id": "one", "expression": "31", "result": "value"}]}' | ` +
					`simtgdb dwarf eval -`,
			}},
	}
}

func dwarfCommand(args []string, std stdio) int {
	return choose("simtgdb dwarf", dwarfCommands(), args, std)
}

func dispatch(args []string, std stdio) int {
	if len(args) == 1 && slices.Contains(versionWords, args[0]) {
		fmt.Fprintln(std.out, version())
		return statusDone
	}
	return choose("simtgdb", commands(), args, std)
}

// choose runs the command that args name among those of a program, or of a
// command that has some of its own.
func choose(program string, list []command, args []string, std stdio) int {
	if len(args) > 0 {
		for _, c := range list {
			if c.name == args[0] {
				var status int
				err := simt.Contained("it panicked",
					func() error { status = c.run(args[1:], std); return nil })
				if err != nil {
					return fail(std, c.name, err)
				}
				return status
			}
		}
		switch {
		case args[0] == "help" && len(args) > 1: // help of a command is what its --help is
			return choose(program, list, append(args[1:], "--help"), std)
		case args[0] == "help", args[0] == "-h", args[0] == "--help":
			usage(std.out, program, list)
			return statusDone
		}
		hint := unknownCommand(program, args[0], list)
		fmt.Fprintf(std.err, "%s: unknown command %q%s\n", program, args[0], hint)
		if hint != "" {
			return statusInput
		}
	}
	usage(std.err, program, list)
	return statusInput
}

// usage lists commands.
func usage(w io.Writer, program string, list []command) {
	what := "[FILE]"
	if program != "simtgdb" {
		what = "FILE"
	}
	fmt.Fprintf(w, "usage: %s COMMAND [flags] %s\n", program, what)
	name, args := 0, 0
	for _, c := range list {
		name, args = max(name, len(c.name)), max(args, len(c.args))
	}
	for _, c := range list {
		fmt.Fprintf(w, "  %s %-*s %-*s %s\n", program, name, c.name, args, c.args, c.summary)
	}
	fmt.Fprintf(w, "%s help COMMAND says more, with examples.\n", program)
}

// commandNamed finds a command by its words, "run" or "dwarf dump".
func commandNamed(words string) command {
	list := commands()
	if rest, ok := strings.CutPrefix(words, "dwarf "); ok {
		list, words = dwarfCommands(), rest
	}
	for _, c := range list {
		if c.name == words {
			return c
		}
	}
	return command{name: words}
}

// version says which build this is, and how it executes vectors: reports of defects need both.
func version() string {
	b, ok := buildinfo.ReadBuildInfo()
	if !ok {
		return "simtgdb (no build information)"
	}
	s := "simtgdb " + b.Main.Version
	for _, set := range b.Settings {
		switch {
		case set.Key == "vcs.revision":
			s += " " + set.Value[:min(12, len(set.Value))]
		case set.Key == "vcs.modified" && set.Value == "true":
			s += " (modified)"
		}
	}
	return fmt.Sprintf("%s, %s, %s/%s, vectors by %s code", s, b.GoVersion, runtime.GOOS, runtime.GOARCH,
		vec.Current())
}
