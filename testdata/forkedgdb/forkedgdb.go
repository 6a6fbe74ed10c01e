// Package forkedgdb runs gdb for tests in a fraction of the time that it takes gdb to start and to end.
// A stock gdb with Python, the mother, starts once for many sessions: it reads nothing, waits, and forks a
// child for each of them. The child's arguments are put in the place of the mother's, after which gdb goes on
// with them as if it had just started, so that it prints what any gdb prints.
//
// What cannot run so, and everything where tests sweep, runs in a gdb of its own: sessions with arguments
// other than commands, a script and a program, gdbs without Python, systems other than Linux.
//
// Entry point: [CombinedOutput].
package forkedgdb

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"simtgdb/testdata/sweep"
)

// CombinedOutput runs a command that starts gdb, and gives what gdb prints to standard output and error. It
// has nothing to read. [Exited] knows the error of a gdb that ran. It is killed when the context ends.
func CombinedOutput(ctx context.Context, c *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := run(ctx, c, &out)
	return out.Bytes(), err
}

// run runs a command whose output goes to one buffer.
func run(ctx context.Context, c *exec.Cmd, out *bytes.Buffer) error {
	args, ok := parse(c.Args)
	if ok && !sweep.All() && c.Err == nil && c.Stdin == nil && c.SysProcAttr == nil && c.ExtraFiles == nil {
		if m := motherOf(c, args); m != nil {
			return m.run(ctx, args, out, c.WaitDelay)
		}
	}
	if err := c.Start(); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { c.Process.Kill() })()
	return c.Wait()
}

// An exitError says how a forked gdb ended, other than with status 0.
type exitError struct {
	text   string
	exited bool
}

func (e *exitError) Error() string { return e.text }

// Exited reports whether an error says that gdb ended by itself, with a status other than 0.
func Exited(err error) bool {
	var plain *exec.ExitError
	if errors.As(err, &plain) {
		return plain.Exited()
	}
	var forked *exitError
	return errors.As(err, &forked) && forked.exited
}

// arguments are gdb's, as far as sessions are forked with them.
type arguments struct {
	head     []string // what says how gdb starts
	commands []string // of -ex
	last     []string // the script of -x, and the program to look at, as far as there are any
	scripted bool     // there is a script
}

// heads are the arguments with which a mother can start, and whether a value follows.
var heads = map[string]bool{"-nx": false, "-batch": false, "-q": false, "-iex": true}

// parse splits the arguments of a session, and reports whether it can be forked.
func parse(args []string) (a arguments, ok bool) {
	for rest := args[1:]; len(rest) > 0; {
		option := rest[0]
		valued, head := heads[option]
		n := 1
		if valued || option == "-ex" || option == "-x" {
			n = 2
		}
		if len(rest) < n {
			return a, false
		}
		value := rest[n-1]
		switch {
		case head:
			a.head = append(a.head, rest[:n]...)
		case option == "-ex" && !a.scripted:
			a.commands = append(a.commands, value)
		case option == "-x" && !a.scripted:
			a.last, a.scripted = slices.Insert(a.last, 0, value), true
		case !strings.HasPrefix(option, "-") && len(a.last) == count(a.scripted):
			a.last = append(a.last, value)
		default:
			return a, false
		}
		rest = rest[n:]
	}
	if slices.Contains(a.head, "-batch") { // which is quiet by itself
		a.head = slices.DeleteFunc(a.head, func(option string) bool { return option == "-q" })
	}
	return a, len(a.head) > 0
}

const (
	commandSlots = 60   // so many commands a session can have
	slotSize     = 2000 // in so many bytes each
)

// slots are the texts that take the place of the mother's, or nil, if there is no place for them. Empty
// commands come first: gdb's exit status is that of the last one.
func (a arguments) slots() []string {
	if len(a.commands) > commandSlots {
		return nil
	}
	texts := slices.Concat(make([]string, commandSlots-len(a.commands)), a.commands, a.last)
	for _, t := range texts {
		if len(t) >= slotSize || strings.ContainsRune(t, 0) {
			return nil
		}
	}
	return texts
}

// motherArguments are those of the mother of sessions with such arguments.
func (a arguments) motherArguments() []string {
	place := strings.Repeat(slotMark, slotSize/len(slotMark))
	args := slices.Concat(a.head, []string{"-iex", "maint set worker-threads 0",
		"-iex", `python exec(__import__("os").read(3, 65536).decode(), {})`})
	for range commandSlots {
		args = append(args, "-ex", place)
	}
	if a.scripted {
		args = append(args, "-x", place)
	}
	if len(a.last) > count(a.scripted) {
		args = append(args, place)
	}
	return args
}

// count is how many there are of what is there or not.
func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// slotMark fills the place of a text.
const slotMark = "place of a text "

// mothers has a function that starts, once, the mother of all sessions of a kind.
var mothers sync.Map

// motherOf is the mother of a session, or nil if it has to have a gdb of its own.
func motherOf(c *exec.Cmd, args arguments) *mother {
	if args.slots() == nil {
		return nil
	}
	kind := strings.Join(slices.Concat([]string{c.Path, c.Dir}, c.Environ(), args.motherArguments()), "\x00")
	start, _ := mothers.LoadOrStore(kind, sync.OnceValue(func() *mother {
		own := exec.Command(c.Path, args.motherArguments()...)
		own.Dir, own.Env = c.Dir, c.Env
		return startMother(own)
	}))
	return start.(func() *mother)()
}

// lateOutput is how long a session's output is waited for after gdb ended, unless the command says.
const lateOutput = 10 * time.Second
