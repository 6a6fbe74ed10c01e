// Package x86 makes code for x86-64 with AVX-512 or AVX2 of row code (package rows), and runs it.
//
// A segment of row code is done for lanes 0 to 7, then for 8 to 15, and so on, with AVX2 for four at a time:
// a row of as many lanes is one vector register, so that what a segment computes stays in registers, and only
// what it leaves goes to memory. Before that all addresses of the segment are checked; if one is not fine, or
// somebody wants to know of the access, nothing of the segment has happened, and the machine executes it. How
// the addresses of eight lanes lie is found out by the way: side by side and all the same are no gathers.
//
// Entry points: [Translate] makes a [Code] of units, [Code.Run] runs it on a [Context]. Registers are in
// memory whenever it returns.
package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// mostParts is how many parts a row of the most lanes has with AVX2, of four lanes; with AVX-512 it has half
// as many.
const mostParts = rows.MostLanes / 4

// A Slot is what code knows of the memory that an instruction accesses.
type Slot struct {
	Base, Size uint64  // addresses from Base on, Size bytes; no Size if nothing is known
	Delta      uintptr // what makes an address one of the host
}

// Of is the slot of some bytes that begin at an address.
func Of(base uint64, data []byte) Slot {
	if len(data) == 0 {
		return Slot{}
	}
	return Slot{base, uint64(len(data)), uintptr(unsafe.Pointer(unsafe.SliceData(data))) - uintptr(base)}
}

// PrivateOf is the slot of private memory of so many lanes that begins at an address and has so many bytes
// for each.
func PrivateOf(base, size uint64, data []byte, lanes int) Slot {
	if len(data) == 0 {
		return Slot{Base: base}
	}
	return Slot{base, min(size, uint64(len(data)/lanes)), uintptr(unsafe.Pointer(unsafe.SliceData(data)))}
}

// A place is where eight lanes access memory: the host's address of the first, and how the others lie.
type place struct {
	first      uint64
	side, same uint32 // flags: one behind the other; all at one place
}

// A Context is what code works on. The machine fills the exported fields, which hold when code returns.
type Context struct {
	rows, masks, slots, uniform, items unsafe.Pointer
	entry                              uintptr

	Active uint64 // lanes
	Budget int64  // instructions that may be executed
	Stop   int64  // number of an instruction that code must not go to, or -1; see Translate
	Shared Slot
	// Private has the size of a lane's memory. Its Delta is where it begins on the host.
	Private Slot
	// Wanted are, by rows.Space, the loads and stores that the machine executes: with 1 all, with 2 all but
	// what is Given.
	Wanted [3][2]uint32

	// Noted are kinds of accesses, as NoteBit has them, of which Note is told before they happen, in all
	// lanes of Active. Where it says that this was not all, the machine executes them.
	Noted uint32
	Note  func(n Note) bool
	note  uint64 // one more than the number of one

	At   int64  // the instruction to go on at
	Go   int64  // as Unit.Go: how many the machine executes first
	Miss uint64 // one more than the number of the access whose slot is to be filled
	Off  uint64 // the lanes that guards have switched off, of each executed instruction

	places [rows.MostGroups][mostParts]place
	delta  [rows.MostGroups]uint64
	temps  [rows.Temps][8]uint64
	spare  uint64
	again  uint64       // where code goes on behind a part that has been done in the general way
	aside  [2][4]uint64 // addresses and numbers that are stored one after the other
}

// An Access is what a slot is for.
type Access struct {
	Reg    int32
	Offset int64
	Size   uint64 // bytes from Offset on
	Write  bool
	Under  rows.Mask
}

// A Code is translated code.
type Code struct {
	code     *native.Code
	notes    []Note
	Accesses []Access // by slot
	Slots    []Slot
	Entry    map[int32]uintptr // of the units, by the number of their first instruction
}

// Numbers are rows, one behind the other.
func Numbers(r []vec.Wide) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(r))), len(r)*rows.Lanes)
}

// MaskWords is how many dwords a mask of so many lanes takes.
func MaskWords(lanes int) int { return (lanes + 31) / 32 }

// Available reports whether this host can run the code.
func Available() bool { return native.Available() && vec.Current() >= vec.AVX2 }

// Run runs code from an entry on. All rows and masks that it names must be there, one behind the other, for
// as many lanes as it was made for: a row has 8 bytes for each, a mask MaskWords.
func (c *Code) Run(x *Context, entry uintptr, r []uint64, masks []uint32) {
	x.rows, x.masks = unsafe.Pointer(unsafe.SliceData(r)), unsafe.Pointer(unsafe.SliceData(masks))
	x.slots = unsafe.Pointer(unsafe.SliceData(c.Slots))
	x.entry, x.Off = entry, 0
	for again := true; again; {
		x.Miss, x.Go, x.note = 0, 0, 0
		c.code.Call(unsafe.Pointer(x))
		again = x.note > 0 && x.Note(c.notes[x.note-1])
	}
	x.rows, x.masks, x.slots = nil, nil, nil
}

// Say gives the context the memory that rows.Uniform and rows.Items are, which stays the caller's. A dword of
// Items, at an address that is a multiple of 4, is a row of 32.
func (x *Context) Say(uniform []byte, items []uint32) {
	x.uniform, x.items = unsafe.Pointer(unsafe.SliceData(uniform)), unsafe.Pointer(unsafe.SliceData(items))
}

// Forget empties the slots.
func (c *Code) Forget() { clear(c.Slots) }
