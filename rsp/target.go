package rsp

import (
	"context"
	"io"
)

// ThreadID names a thread of the target. Real ones are positive.
type ThreadID int

// Thread ids with a meaning of their own.
const (
	AnyThread  ThreadID = 0
	AllThreads ThreadID = -1
)

// Target is what is debugged: the least that every target can do. Further
// abilities are the interfaces of abilities.go.
//
// One session calls a target from one goroutine, one method at a time. The server
// asks for threads, registers and memory only when the client does (and for
// registers when it composes a stop reply), so a target can tell from the calls
// what the client has looked at.
//
// An error is reported to the client with its number if it wraps an Errno and as
// EIO otherwise; its text goes along where the client understands that (gdb 16).
type Target interface {
	// Threads lists the threads in the order in which the client shall list
	// them. It is empty only when the program has ended.
	Threads() []ThreadID
	// ThreadAlive tells whether the thread still exists.
	ThreadAlive(t ThreadID) bool

	// ReadRegisters puts the registers that the target description lists into w,
	// in its order. It may stop after any of them: the client then asks for each
	// of the others by itself when it wants it.
	ReadRegisters(t ThreadID, w *RegisterWriter) error
	// WriteRegisters takes the registers in the same form.
	WriteRegisters(t ThreadID, data []byte) error
	// ReadRegister puts one register, by its number in the target description.
	ReadRegister(t ThreadID, n int, w *RegisterWriter) error
	WriteRegister(t ThreadID, n int, data []byte) error

	// ReadMemory reads memory as the thread sees it, and says how much of buf it
	// could fill. It returns an error only if that was nothing.
	ReadMemory(t ThreadID, addr uint64, buf []byte) (int, error)
	// WriteMemory writes all of data or nothing.
	WriteMemory(t ThreadID, addr uint64, data []byte) error

	// StopReason says why the target stands now. It is asked when a client
	// connects and finds the target stopped.
	StopReason() Stop
	// Resume lets the program run as r says until there is something to report.
	// It returns soon after r.Interrupt delivers, with a Stop for SIGINT, and
	// soon after ctx ends because the client has gone, with ctx.Err().
	Resume(ctx context.Context, r Resumption) (Stop, error)

	// Kill ends the program.
	Kill() error
	// Detach leaves the program to itself.
	Detach() error
}

// Resumption says how to resume.
type Resumption struct {
	// Actions are in order: for each thread the first one that names it, or that
	// names AllThreads, is the one to perform. A thread without one stays stopped.
	Actions []Action
	// Interrupt delivers when the user types Ctrl-C.
	Interrupt <-chan struct{}
	// Console shows text to the user while the program runs, from any goroutine.
	// What is written after Resume has returned is dropped.
	Console io.Writer
}

// ActionKind is what a thread shall do.
type ActionKind uint8

const (
	// Continue runs the thread.
	Continue ActionKind = iota
	// Step executes one instruction of the thread.
	Step
	// StepRange steps the thread until its pc is outside Start ≤ pc < End. A
	// target may always stop earlier, after a single step even; the client then
	// goes on by itself.
	StepRange
	// Stay leaves the thread stopped.
	Stay
)

// Action is one action of a Resumption.
type Action struct {
	Kind   ActionKind
	Thread ThreadID // a thread or AllThreads
	Signal Signal   // to deliver to the thread first; SignalNone for none
	Start  uint64   // of StepRange
	End    uint64
}

// Signal is a signal number in gdb's own numbering (gdb manual, "Stop Reply
// Packets"), which is the same whatever the systems at both ends use.
type Signal uint8

// The signals that a target without a Unix has a use for.
const (
	SignalNone Signal = 0
	SIGINT     Signal = 2
	SIGILL     Signal = 4
	SIGTRAP    Signal = 5
	SIGABRT    Signal = 6
	SIGFPE     Signal = 8
	SIGKILL    Signal = 9
	SIGBUS     Signal = 10
	SIGSEGV    Signal = 11
	SIGTERM    Signal = 15
	SIGSTOP    Signal = 17
)

// StopKind is how a program stands.
type StopKind uint8

const (
	// Stopped: Thread has stopped with Signal.
	Stopped StopKind = iota
	// Exited: the program has ended with Code.
	Exited
	// Terminated: Signal has ended the program.
	Terminated
	// NothingResumed: there is no thread left that could run, though the program
	// has not ended.
	NothingResumed
	// ThreadEnded: Thread has ended with Code; the program has not.
	ThreadEnded
)

// StopCause is what has made a thread stop, where the protocol has a word for it.
type StopCause uint8

const (
	// CauseNone: the signal says all.
	CauseNone StopCause = iota
	// CauseSoftwareBreakpoint: the breakpoint at Address. The thread's pc is that
	// address.
	CauseSoftwareBreakpoint
	// CauseHardwareBreakpoint: likewise.
	CauseHardwareBreakpoint
	// CauseWatch: a write to the watched Address.
	CauseWatch
	// CauseReadWatch: a read of it.
	CauseReadWatch
	// CauseAccessWatch: an access of either kind, seen by an access watchpoint.
	CauseAccessWatch
	// CauseReplayBegin and CauseReplayEnd: reverse or replayed execution has
	// reached the end of its history.
	CauseReplayBegin
	CauseReplayEnd
	// CauseLibrary: libraries may have been loaded. The client looks for them, and lets
	// run again what it had let run; of the threads in that it forgets what it knows.
	CauseLibrary
)

// Stop says why the program stands.
type Stop struct {
	Kind   StopKind
	Signal Signal // of Stopped and Terminated
	Code   uint8  // of Exited and ThreadEnded
	Thread ThreadID
	Cause  StopCause
	// Address is that of the breakpoint, or the data address that a watchpoint
	// has seen. A breakpoint that the client has not inserted is reported as a
	// plain signal: told otherwise, gdb would think it stale and resume.
	Address uint64
	// Program, if not empty, says that the program has become another, whose file
	// has that name: threads, registers and symbols are the new one's. The client
	// takes no other notice, and resumes.
	Program string
	// Registers are the numbers of registers to send along, so that the client
	// need not ask for them: pc, stack pointer, frame pointer.
	Registers []int
}
