// Package x86 makes code for x86-64 with AVX-512 or AVX2 of row code over a file of bytes (package regions),
// and runs it.
//
// An operation is one instruction of the host for up to 64 bytes of elements, or two; with AVX2 for up to 32,
// or four. What it writes goes
// to the file at once, and what the file has somewhere stays in vector registers as long as nothing writes
// over it. There are two translations of code: one for threads whose channels are all on, and one for
// others, which writes under masks.
//
// Entry points: [Translate] makes a [Code] of units, [Code.Run] runs it on a [Context]. Registers are in the
// file whenever it returns.
package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/vec"
)

// A Slot is what code knows of the memory that an instruction accesses.
type Slot = rows.Slot

// A Context is what code works on. The machine fills the exported fields, which hold when code returns.
type Context struct {
	file, slots unsafe.Pointer
	entry       uintptr

	Exec   uint64 // channels that are on
	Flags  uint64
	Budget int64 // instructions that may be executed
	Lanes  int64 // executed by instructions since the call, but for those that are for all always
	Stop   int64 // address from which on code must not go anywhere, if not all channels are on
	Shared Slot
	Wanted [2]uint32 // of loads, stores of shared memory: the machine executes them

	// Noted are kinds of accesses, as NoteBit has them, of which Note is told before they happen, if they do.
	// Where it says that this was not all, the machine executes them.
	Noted uint32
	Note  func(n *NoteAccess) bool
	note  uint64 // one more than the number of one
	// Together are NoteAccess.Bits of the loads that Note has been told of together. The machine sets them to
	// 0 before it has code run from where others have been meanwhile.
	Together uint32
	// Telling is not 0 where loads of shared memory leave records, from LateAt on, as long as there is room
	// up to LateEnd: they say which of Code.Tells it was, and have the addresses as they lie in the file. The
	// machine executes those that there is no room for. It is NoteBit of them then: Note is told of blocks.
	Telling         uint32
	LateAt, LateEnd uintptr

	Blank   unsafe.Pointer // a bit for each part that Layout.Blank is about: something in it has no contents
	Blanked uint32         // code has left before a unit that names such parts; Code.Past is behind it

	At   int64  // the instruction to go on at
	Go   int64  // how many the machine executes first
	Miss uint64 // one more than the number of the access whose slot is to be filled

	masked uint64                   // the channels that masks has
	masks  [regions.Channels]uint32 // all ones for each that is on
	aside  [9]uint32                // elements that are stored one after the other, read by eight bytes
}

// A Code is translated code. It does not change; several may run it at once.
type Code struct {
	code     *native.Code
	Accesses []*regions.Op // to global memory, by slot
	Tells    []Tell        // loads that leave records
	notes    []NoteAccess
	Entry    starts // of the units, by their addresses
	Past     starts // the same, behind what looks at Context.Blank
}

// Starts are where code begins, by the addresses of units.
type starts = map[uint32]uintptr

// Slots are what runs of the code by one core know of memory: none at first.
func (c *Code) Slots() []Slot { return make([]Slot, len(c.Accesses)+1) }

// Available reports whether this host can run the code.
func Available() bool { return native.Available() && vec.Current() >= vec.AVX2 }

// Run runs code from an entry on.
func (c *Code) Run(x *Context, entry uintptr, file *byte, slots []Slot) {
	x.file, x.slots = unsafe.Pointer(file), unsafe.Pointer(unsafe.SliceData(slots))
	x.entry, x.Lanes = entry, 0
	if x.masked != x.Exec {
		x.masked = x.Exec
		for l := range x.masks {
			x.masks[l] = -uint32(x.Exec >> l & 1)
		}
	}
	for again := true; again; {
		x.Miss, x.Go, x.Blanked, x.note = 0, 0, 0, 0
		c.code.Call(unsafe.Pointer(x))
		again = x.note > 0 && x.Note(&c.notes[x.note-1])
	}
	x.file, x.slots = nil, nil
}
