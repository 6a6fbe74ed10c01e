package rsp

import (
	"context"
	"io"
	"slices"

	"simtgdb/rsp/agent"
)

// Breakpoint is a software or hardware breakpoint.
type Breakpoint struct {
	Address uint64
	// Size is the protocol's "kind": for most architectures the length in bytes
	// of the instruction that would replace the one at Address.
	Size int
	// Conditions, if there are any, restrict the breakpoint: see Triggers.
	Conditions []*agent.Program
	// Commands are to be run when the breakpoint triggers, and then the program
	// goes on without a stop. Only a target that is a CommandRunner gets any.
	Commands []*agent.Program
	// CommandsPersist: the commands stay in force when the client has gone.
	CommandsPersist bool
}

// Never reports whether the breakpoint's conditions are known to let it stop no thread for which something is
// known.
func (b *Breakpoint) Never(sure agent.Sure) bool {
	for _, condition := range b.Conditions {
		if !condition.Never(sure) {
			return false
		}
	}
	return len(b.Conditions) > 0
}

// Asks reports whether the conditions ask for anything that is known: else Never is false.
func (b *Breakpoint) Asks(sure agent.Sure) bool {
	return slices.ContainsFunc(b.Conditions, func(p *agent.Program) bool { return p.Asks(sure) })
}

// Triggers tells whether the breakpoint's conditions let it stop a thread: there
// are none, or one of them is true. A condition that cannot be evaluated counts as
// true, so that the user notices, and its error is returned besides.
func (b *Breakpoint) Triggers(c agent.Context) (bool, error) {
	if len(b.Conditions) == 0 {
		return true, nil
	}
	for _, condition := range b.Conditions {
		v, err := condition.Eval(c)
		if err != nil {
			return true, err
		}
		if v != 0 {
			return true, nil
		}
	}
	return false, nil
}

// SoftwareBreakpointer is a Target with software breakpoints (Z0, z0). Inserting
// one again at the same address replaces its conditions and commands; removing one
// that is not there is no error.
type SoftwareBreakpointer interface {
	InsertSoftwareBreakpoint(b Breakpoint) error
	RemoveSoftwareBreakpoint(addr uint64, size int) error
}

// HardwareBreakpointer is a Target with hardware breakpoints (Z1, z1), under the
// same rules.
type HardwareBreakpointer interface {
	InsertHardwareBreakpoint(b Breakpoint) error
	RemoveHardwareBreakpoint(addr uint64, size int) error
}

// ConditionEvaluator is a Target with breakpoints that evaluates their conditions.
type ConditionEvaluator interface {
	// CheckCondition refuses a condition that the target could never evaluate.
	CheckCondition(p *agent.Program) error
}

// CommandRunner is a Target with breakpoints that runs their commands: gdb's
// dprintf with `set dprintf-style agent`.
type CommandRunner interface {
	// CheckCommand refuses a command that the target could never run.
	CheckCommand(p *agent.Program) error
}

// WatchKind is what a watchpoint looks for.
type WatchKind uint8

const (
	WatchWrite  WatchKind = 2 // the numbers are those of the Z packets
	WatchRead   WatchKind = 3
	WatchAccess WatchKind = 4
)

// Watchpoint is a data watchpoint on Size bytes.
type Watchpoint struct {
	Kind    WatchKind
	Address uint64
	Size    int
}

// Watchpointer is a Target with watchpoints (Z2 to Z4).
type Watchpointer interface {
	InsertWatchpoint(w Watchpoint) error
	RemoveWatchpoint(w Watchpoint) error
}

// ThreadInfo is what `info threads` shows of a thread.
type ThreadInfo struct {
	Name  string
	Extra string // shown in parentheses
}

// ThreadDescriber is a Target that has something to say about each thread. It
// gives the client the faster way of listing threads, one document for all
// (qXfer:threads).
type ThreadDescriber interface {
	DescribeThread(t ThreadID) ThreadInfo
}

// ObjectReader is a Target with objects for qXfer (gdb manual, "General Query
// Packets"): features, exec-file, memory-map, libraries, auxv, osdata and the like.
// The object "threads" is the server's own, made from a ThreadDescriber.
type ObjectReader interface {
	// Objects names the objects that there are.
	Objects() []string
	// ReadObject gives a whole object. The server keeps it while the client
	// fetches it in pieces.
	ReadObject(object, annex string) ([]byte, error)
}

// File is an open file of a FileSystem. If it is an io.Closer too, it is closed when
// the client closes it or goes away.
type File interface {
	io.ReaderAt
	Size() int64
}

// FileSystem is a Target from which the client can read files (vFile), its symbol
// file for instance. The files need not exist anywhere else.
type FileSystem interface {
	// OpenFile opens a file for reading. The error should wrap ENOENT if there is
	// no such file.
	OpenFile(name string) (File, error)
}

// Monitor is a Target with commands of its own: gdb's `monitor COMMAND`.
type Monitor interface {
	// Monitor runs a command and writes to out what the user shall see. An error
	// is shown and makes the gdb command fail. ctx ends when the client goes away.
	Monitor(ctx context.Context, command string, out io.Writer) error
}

// Reverser is a Target that can run backwards (bc, bs).
type Reverser interface {
	// ResumeBackward is like Resume. The first Action is Continue or Step; a second one,
	// which continues all threads, says that a Step need not leave the others where they are.
	ResumeBackward(ctx context.Context, r Resumption) (Stop, error)
}

// Process is a Target whose threads belong to a process with a number that the
// user shall see; the multiprocess syntax of thread ids is then offered.
type Process interface {
	PID() int
}

// Attacher is a Target that can say whether it was there before the client came
// (qAttached): gdb then detaches when it quits, instead of killing. Without this
// ability the answer is yes.
type Attacher interface {
	Attached() bool
}

// Mover is a Target that can say that the program lies elsewhere than the client's symbol file says
// (qOffsets).
type Mover interface {
	MovedBy() (offset uint64, moved bool)
}

// SignalPasser is a Target that can be told which signals to deliver without
// stopping (QPassSignals). The list replaces the one before.
type SignalPasser interface {
	PassSignals(signals []Signal) error
}

// ProgramChanger is a Target whose program may become another one, as with Unix's
// exec: Stop.Program.
type ProgramChanger interface {
	ChangesProgram()
}
