package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"simtgdb/loader/printable"
	"simtgdb/stub/compile"
	"simtgdb/stub/launch"
)

// compileSources has launches compile what they name if it is a source, each time that they are loaded, and
// registers --cc. It tells how on w.
func compileSources(flags *launch.Flags, set *flag.FlagSet, w io.Writer) {
	c := &compile.Compiler{}
	set.Func("cc", "more `OPTIONS` for the compiler of a FILE that is a source (.hip, .cu, .cl, .comp, "+
		".hlsl, .wgsl, .slang), with blanks between them; may be given again", func(text string) error {
		c.Options = append(c.Options, strings.Fields(text)...)
		return nil
	})
	whole := set.Bool("cc-command", false,
		"print the whole command that compiles a source, with the compiler's libraries and headers")
	show := func(command, short []string) string {
		if *whole {
			return strings.ReplaceAll(commandLine(command), " '&&' ", " && ") // of two commands
		}
		return commandLine(short)
	}
	flags.Compile = func(f launch.File, target string) (launch.File, error) {
		return compiled(c, f, target, show, w)
	}
}

// compiledFile is a file itself, or what a compiler makes of it if it is a source, by a command that is told
// on w.
func compiledFile(path, target string, w io.Writer) (launch.File, error) {
	show := func(_, short []string) string { return commandLine(short) }
	return compiled(&compile.Compiler{}, launch.File{Path: path}, target, show, w)
}

// compiled compiles a file if it is a source. show spells a command that is told on w.
func compiled(c *compile.Compiler, f launch.File, target string, show func(command, short []string) string,
	w io.Writer) (launch.File, error) {
	if f.FS != nil || f.Contents != nil || !compile.IsSource(f.Path) {
		return f, nil
	}
	if c.Dir = kept("compiled"); c.Dir == "" {
		return f,
			errors.New("there is no folder for what is compiled: neither XDG_CACHE_HOME nor HOME is set")
	}
	r, err := c.Compile(context.Background(), f.Path, target)
	var refused *compile.Error
	switch {
	case errors.As(err, &refused):
		fmt.Fprintf(w, "%s\n%s", show(refused.Command, refused.Short), said(refused.Log))
		return f, err
	case err != nil:
		return f, err
	}
	fmt.Fprintf(w, "%s\n%s", show(r.Command, r.Short), said(r.Log))
	if r.Undescribed {
		fmt.Fprintf(w, "simtgdb: %s\n", undescribed)
	}
	return launch.File{Path: r.Path}, nil
}

// undescribed says why ocloc's programs may have no lines and variables.
const undescribed = "ocloc has written no debugging information: it does of a source with one kernel, " +
	"which prints nothing and has no constants in memory, as arrays with contents are without optimization"

// said is what a compiler has said, its names of files escaped.
func said(log string) string {
	var text strings.Builder
	for line := range strings.Lines(log) {
		text.WriteString(printable.Line(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return text.String()
}

// commandLine writes a command as a shell takes it.
func commandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; w == "" || strings.ContainsAny(w, " \t\n\"'\\$&|;<>()*?[]{}`#~!") {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return printable.Line(strings.Join(quoted, " "))
}
