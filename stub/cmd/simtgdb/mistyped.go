package main

import (
	"debug/elf"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/loader/printable"
	"simtgdb/stub/arch"
	"simtgdb/stub/compile"
)

// What is said of words that are no command, no flag and no program: what may have been meant.

// nearest is the word of a list that a mistyped one is nearest to, "" if none is near.
func nearest(word string, list []string) string {
	const far = 3 // so many letters in a word for one that is wrong
	begun := slices.DeleteFunc(slices.Clone(list), func(w string) bool { return !strings.HasPrefix(w, word) })
	if len(word) > 1 && len(begun) == 1 {
		return begun[0]
	}
	best, least := "", len(word)/far
	for _, w := range list {
		if d := distance(word, w); d <= max(least, 1) && (best == "" || d < least) {
			best, least = w, d
		}
	}
	return best
}

// distance is how many letters make the difference of two words: one that is missing, more, another, or
// two that have changed places.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			next[j+1] = min(row[j+1], next[j]) + 1
			if a[i] == b[j] {
				next[j+1] = min(next[j+1], row[j])
			} else {
				next[j+1] = min(next[j+1], row[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// unknownCommand says what a word may mean that is no command, "" if nobody knows.
func unknownCommand(program, word string, list []command) string {
	var names []string
	for _, c := range list {
		names = append(names, c.name)
	}
	near := nearest(word, append(names, "version"))
	name := printable.Name(word)
	switch {
	case near != "":
		return fmt.Sprintf("; did you mean %s %s? (%s help lists the commands)", program, near, program)
	case program != "simtgdb":
		return ""
	case strings.HasPrefix(word, "-"):
		return "; flags stand behind a command, as simtgdb run --demo (simtgdb help lists the commands)"
	}
	switch data, err := os.ReadFile(word); {
	case err != nil && compile.IsSource(word):
		return "; a command goes before the file, and there is no file of this name"
	case err != nil:
		return ""
	case filepath.Ext(word) == ".json":
		return fmt.Sprintf(", but a file: simtgdb gdb --launch %s debugs it, simtgdb run --launch %s runs it",
			name, name)
	case isProgram(word):
	case compile.IsSource(word), arch.Detect(data) != nil:
		return fmt.Sprintf(", but a file: simtgdb gdb %s debugs it, simtgdb run %s runs it", name, name)
	}
	if path, err := exec.LookPath(word); err == nil {
		return fmt.Sprintf(", but a program: simtgdb exec -- %s runs it", printable.Name(path))
	}
	return ""
}

// isProgram reports whether a file is code for a processor that hosts have.
func isProgram(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Machine == elf.EM_X86_64 || f.Machine == elf.EM_AARCH64
}

// unknownFlag says what a flag may mean that a command has not: err is what package flag says of it.
func unknownFlag(set *flag.FlagSet, err error) string {
	_, name, ok := strings.Cut(err.Error(), "flag provided but not defined: -")
	if !ok {
		return ""
	}
	var names []string
	set.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean --%s? ", near)
	}
	if set.Name() == "gdb" {
		return fmt.Sprintf("gdb's own flags stand behind the others, as simtgdb gdb FILE -- -%s; ", name)
	}
	return ""
}

// startError says of a program that cannot be started whether it is a source, or lies in the folder where one
// is.
func startError(program string, err error) error {
	if strings.ContainsRune(program, filepath.Separator) && compile.IsSource(program) {
		return fmt.Errorf("%w: exec runs a host program, which a compiler has to make of the source; "+
			"simtgdb run %s runs a kernel in it", err, printable.Name(program))
	}
	if !errors.Is(err, exec.ErrNotFound) || strings.ContainsRune(program, filepath.Separator) {
		return err
	}
	if info, e := os.Stat(program); e == nil && info.Mode().IsRegular() {
		here := "." + string(filepath.Separator) + program
		if info.Mode()&0o111 == 0 {
			if compile.IsSource(program) {
				return fmt.Errorf("%s is a source, not a program: simtgdb gdb %s debugs a kernel of it, "+
					"simtgdb run %s runs it",
					program, program, program)
			}
			return fmt.Errorf("%s is not executable", here)
		}
		return fmt.Errorf("%s is not in a folder of $PATH: say %s", program, here)
	}
	return err
}

// versionWords ask for the version.
var versionWords = []string{"version", "--version", "-version", "-v", "-V"}

// asksGDBAlone reports whether gdb's arguments ask only what it is, for which no kernel is needed.
func asksGDBAlone(args []string) bool {
	alone := []string{"--version", "-version", "-v", "--help", "-help", "-h", "--configuration",
		"-configuration"}
	return len(args) > 0 && !slices.ContainsFunc(
		args, func(a string) bool { return !slices.Contains(alone, a) })
}
