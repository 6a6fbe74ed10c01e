package simt

import (
	"fmt"
	"math/bits"
)

// Space names a memory space of the machine.
type Space uint8

// The memory spaces. Flat is not a memory of its own: its apertures lead to
// the others.
const (
	Global  Space = iota
	LDS           // one per workgroup
	Scratch       // one per lane, swizzled into one per wave
	Flat
)

var spaceNames = [...]string{"global", "LDS", "scratch", "flat"}

func (s Space) String() string { return spaceNames[s] }

// EventKind says why a wave does not go on.
type EventKind uint8

// The kinds of event.
const (
	NoEvent      EventKind = iota // the number of instructions asked for is done
	BreakEvent                    // PC has a breakpoint; the instruction there has not run
	TrapEvent                     // the program trapped; PC is after the trap instruction
	FaultEvent                    // the instruction at PC could not run and changed nothing
	BarrierEvent                  // waits for its workgroup
	EndEvent                      // the wave has ended
	WatchEvent                    // an observer asked to stop after the instruction before PC
)

var eventNames = [...]string{"none", "breakpoint", "trap", "fault", "barrier", "end", "watch"}

func (k EventKind) String() string { return eventNames[k] }

// An Event is why a wave stopped. Every turn copies some: 64 bytes are four moves that do not overlap.
type Event struct {
	Kind EventKind
	Trap Trap // TrapEvent
	// BarrierEvent: the number of the barrier, of a machine that has several, and whether lanes of a wave may
	// come to it one by one, at several places.
	Barrier uint8
	Apart   bool
	Wave    *Wave
	PC      uint64
	Lanes   uint64 // the lanes it concerns, a mask
	Code    uint32 // TrapEvent: the number that the program gave, if any
	Fault   *Fault // FaultEvent
	Text    string // TrapEvent: what is exceptional, for an arithmetic one
}

// A Trap says what a program that trapped meant by it.
type Trap uint8

// The kinds of trap.
const (
	AbortTrap      Trap = iota // it cannot go on
	DebugTrap                  // it wants to be looked at
	ArithmeticTrap             // an exception that it has enabled
)

// FaultKind says what an instruction did wrong.
type FaultKind uint8

// The kinds of fault.
const (
	Unmapped           FaultKind = iota // no region holds the address
	Forbidden                           // the region's permissions do not allow it
	Misaligned                          // an atomic access off its alignment
	IllegalInstruction                  // the machine does not know it
	Defect                              // the machine panicked; some of the instruction may have happened
	NoTexel                             // the image has none there, and the instruction wants a fault of that
)

var faultNames = [...]string{"unmapped address", "forbidden access", "misaligned address",
	"illegal instruction", "defect of simtgdb", "texel outside of its image"}

func (k FaultKind) String() string { return faultNames[k] }

// A Fault is an instruction that could not run. Nothing of it has happened.
type Fault struct {
	Kind  FaultKind
	Space Space
	Lanes uint64 // the lanes at fault, a mask; all active ones for an instruction
	Addr  uint64 // of the lowest lane at fault
	Size  int    // bytes of the access
	Write bool
	Text  string // the instruction, or what is wrong with it
	From  uint64 // IllegalInstruction: the jump that led there; 0 if none did, or the machine does not know
}

// Lane is the lowest lane at fault.
func (f *Fault) Lane() int { return bits.TrailingZeros64(f.Lanes) }

func (f *Fault) String() string {
	if f.Kind == IllegalInstruction || f.Kind == Defect || f.Kind == NoTexel {
		return fmt.Sprintf("%v: %s", f.Kind, f.Text)
	}
	verb := "read"
	if f.Write {
		verb = "write"
	}
	return fmt.Sprintf("%v: %s of %d bytes at %#x in %v memory (%s)", f.Kind, verb, f.Size, f.Addr,
		f.Space, f.Text)
}
