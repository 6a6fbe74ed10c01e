package check

import (
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// A Party is a lane that accessed memory.
type Party struct {
	Wave  int // its ID
	Lane  int
	Group [3]uint32 // the workgroup
	Item  [3]uint32 // the work-item in it
	PC    uint64    // 0 of one that has ended
	Write bool
	// Atomic says of an access that it is one with others of its kind.
	Atomic bool
	// Calls are the call instructions of the calls that an access was made in, innermost first.
	Calls []uint64
}

// Access says what the party did.
func (p *Party) Access() string { return accessText(p.Write, p.Atomic) }

func accessText(write, atomic bool) string {
	text := "read"
	if write {
		text = "write"
	}
	if atomic {
		text = "atomic " + text
	}
	return text
}

// A Report is one defect.
type Report struct {
	Kind  Kinds // one of them
	Wave  *simt.Wave
	Lanes uint64 // that it concerns, a mask
	PC    uint64 // of the instruction

	// Of an access to memory, Size is not 0.
	Space         simt.Space
	Addr          uint64 // of the lowest lane's
	Size          int
	Write, Atomic bool
	Element       string // of an array of the source: what the lowest lane accesses; "" if that is not known

	Others []Party // what it is in conflict with, or who is elsewhere
	With   string  // the same of something that is not of the machine's dispatch, in words
	What   string  // the defect in a few words
	Advice string  // what is missing, in a sentence
}

// Lane is the lowest lane that the report concerns.
func (r *Report) Lane() int { return bits.TrailingZeros64(r.Lanes | 1<<63) }

// Access says what the instruction did.
func (r *Report) Access() string {
	if r.Size == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %d bytes at %#x in %v memory", accessText(r.Write, r.Atomic), r.Size, r.Addr,
		r.Space)
}

// place is what makes two reports the same.
type place struct {
	kind      Kinds
	pc, other uint64
	what      string
}

func (r *Report) place() place {
	p := place{kind: r.Kind, pc: r.PC, what: r.What}
	if len(r.Others) > 0 {
		p.other = r.Others[0].PC
	}
	return p
}
