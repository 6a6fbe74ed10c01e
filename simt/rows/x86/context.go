// Package x86 makes code for x86-64 with AVX-512 or AVX2 of row code (package rows), and runs it.
//
// A segment of row code is done for lanes 0 to 7, then for 8 to 15, and so on, with AVX2 for four at a time:
// a row of as many lanes is one vector register, so that what a segment computes stays in registers, and only
// what it leaves goes to memory. Before that all addresses of the segment are checked; if one is not fine, or
// somebody wants to know of the access, nothing of the segment has happened, and the machine executes it. How
// the addresses of eight lanes lie is found out by the way: side by side and all the same are no gathers.
//
// Entry point: [Translate] makes a [rows.Code] of units. Registers are in memory whenever it returns.
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

// A place is where the lanes of each part access memory: the host's address of the first, and how the others
// lie.
type place struct {
	first [mostParts]uint64
	how   [mostParts]uint32
}

// How lanes lie.
const (
	anyhow = iota
	side   // one behind the other
	same   // all at one place
)

// A scratch is what code has for itself in a rows.Context.
type scratch struct {
	places [rows.MostGroups]place
	delta  [rows.MostGroups]uint64
	temps  [rows.Temps][8]uint64
	again  uint64       // where code goes on behind a part that has been done in the general way
	aside  [2][8]uint64 // addresses and numbers that are stored one after the other
}

// A scratch fits into a context.
var _ [unsafe.Sizeof(rows.Context{}.Scratch) - unsafe.Sizeof(scratch{})]byte

// Available reports whether this host can run the code.
func Available() bool { return native.Available() && vec.Current() >= vec.AVX2 }
