package rows

import (
	"slices"
	"unsafe"

	"simtgdb/simt/vec"
)

// A Slot is what code knows of the memory that an instruction accesses.
type Slot struct {
	Base, Size uint64  // addresses from Base on, Size bytes; no Size if nothing is known
	Delta      uintptr // what makes an address one of the host
}

// SlotOf is the slot of some bytes that begin at an address.
func SlotOf(base uint64, data []byte) Slot {
	if len(data) == 0 {
		return Slot{}
	}
	return Slot{base, uint64(len(data)), uintptr(unsafe.Pointer(unsafe.SliceData(data))) - uintptr(base)}
}

// PrivateSlotOf is the slot of private memory of so many lanes that begins at an address and has so many
// bytes for each.
func PrivateSlotOf(base, size uint64, data []byte, lanes int) Slot {
	if len(data) == 0 {
		return Slot{Base: base}
	}
	return Slot{base, min(size, uint64(len(data)/lanes)), uintptr(unsafe.Pointer(unsafe.SliceData(data)))}
}

// scratchWords is how much memory translated code may have for itself.
const scratchWords = 1024

// A Context is what translated code works on. The machine fills the fields from Active to Note, and those
// from At to Off hold when code returns.
type Context struct {
	Active uint64 // lanes
	Budget int64  // instructions that may be executed
	Stop   int64  // number of an instruction that code must not go to, or -1; see Translate of package host
	Shared Slot
	// Private has the size of a lane's memory. Its Delta is where it begins on the host.
	Private Slot
	// Wanted are, by Space, the loads and stores that the machine executes: with 1 all, with 2 all but what
	// is Given.
	Wanted [3][2]uint32

	// Noted are kinds of accesses, as NoteBit has them, of which Note is told before they happen, in all
	// lanes of Active. Where it says that this was not all, the machine executes them.
	Noted uint32
	Note  func(n Note) bool

	// Telling is not 0 where loads of shared memory that are not Noted leave records, from LateAt up to
	// LateEnd at most: they say which of Code.Tells it was, and have the lower halves of the addresses
	// without offsets.
	Telling         uint32
	LateAt, LateEnd uintptr

	At   int64  // the instruction to go on at
	Go   int64  // as Unit.Go: how many the machine executes first, or Parted
	Miss uint64 // one more than the number of the access whose slot is to be filled
	Off  uint64 // the lanes that guards have switched off, of each executed instruction

	// What follows is between Code and its translator: where things are, where to begin, one more than the
	// number of a Note, and memory for what code computes on its way.
	Rows, Masks, Slots, Uniform, Items unsafe.Pointer
	Entry                              uintptr
	Told                               uint64
	Scratch                            [scratchWords]uint64
}

// Parted says that lanes part behind the unit that is Moved at which code has left, all of which has been
// executed.
const Parted = -1

// An Access is what a slot is for.
type Access struct {
	Reg    int32
	Offset int64
	Size   uint64 // bytes from Offset on
	Write  bool
	Under  Mask
}

// A Code is translated code.
type Code struct {
	Call     func(context unsafe.Pointer) // runs it on a Context
	Notes    []Note
	Tells    []Tell   // what records are of; none if no code leaves any
	Accesses []Access // by slot
	Slots    []Slot
	Entry    map[int32]uintptr // of the units, by the number of their first instruction
}

// Numbers are rows, one behind the other.
func Numbers(r []vec.Wide) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(r))), len(r)*Lanes)
}

// MaskWords is how many dwords a mask of so many lanes takes.
func MaskWords(lanes int) int { return (lanes + 31) / 32 }

// Run runs code from an entry on. All rows and masks that it names must be there, one behind the other, for
// as many lanes as it was made for: a row has 8 bytes for each, a mask MaskWords.
func (c *Code) Run(x *Context, entry uintptr, r []uint64, masks []uint32) {
	c.RunAgain(x, entry, r, masks)
	x.Rows, x.Masks, x.Slots = nil, nil, nil
}

// RunAgain is Run for a context that keeps what it has worked on, since the same comes next.
func (c *Code) RunAgain(x *Context, entry uintptr, r []uint64, masks []uint32) {
	keep(&x.Rows, unsafe.Pointer(unsafe.SliceData(r)))
	keep(&x.Masks, unsafe.Pointer(unsafe.SliceData(masks)))
	keep(&x.Slots, unsafe.Pointer(unsafe.SliceData(c.Slots)))
	x.Entry, x.Off = entry, 0
	for again := true; again; {
		x.Miss, x.Go, x.Told = 0, 0, 0
		c.Call(unsafe.Pointer(x))
		again = x.Told > 0 && x.Note(c.Notes[x.Told-1])
	}
}

// keep writes a pointer if it is another: while the garbage collector marks, each write takes some
// nanoseconds.
func keep(to *unsafe.Pointer, p unsafe.Pointer) {
	if *to != p {
		*to = p
	}
}

// Say gives the context the memory that Uniform and Items are, which stays the caller's. A dword of Items, at
// an address that is a multiple of 4, is a row of 32.
func (x *Context) Say(uniform []byte, items []uint32) {
	keep(&x.Uniform, unsafe.Pointer(unsafe.SliceData(uniform)))
	keep(&x.Items, unsafe.Pointer(unsafe.SliceData(items)))
}

// Another is the same code for another core: what code and those who are told of accesses remember is that
// core's.
func (c *Code) Another() *Code {
	o := *c
	o.Slots = make([]Slot, len(c.Slots))
	o.Notes = make([]Note, len(c.Notes))
	for i, n := range c.Notes {
		o.Notes[i] = n.another()
	}
	return &o
}

// another is the same Note, of which nobody has been told.
func (n Note) another() Note {
	n = slices.Clone(n)
	for i := range n {
		n[i].together = nil
	}
	return n
}

// Forget empties the slots.
func (c *Code) Forget() { clear(c.Slots) }

// A Note is accesses to memory that is not private, of a segment of code: all have been checked, and none has
// happened.
type Note []NoteAccess

// A Tell is what a record of loads is of: one row of addresses, of one mask, that some of the loads of a
// segment have. The records of a segment lie one behind the other.
type Tell struct {
	Op   *Op // one of those loads
	All  Note
	Rows []int // of each of All, which of the segment's records has its addresses
	At   int   // which this is
	Last bool
}

// Tells are the records that loads of a segment leave.
func (n Note) Tells() (all []Tell) {
	rows := make([]int, len(n))
	for i := range n {
		o := n[i].Op
		rows[i] = slices.IndexFunc(all, func(t Tell) bool {
			return t.Op.S[0].Reg == o.S[0].Reg && t.Op.Under == o.Under
		})
		if rows[i] < 0 {
			rows[i] = len(all)
			all = append(all, Tell{Op: o, All: n, Rows: rows, At: len(all)})
		}
	}
	if len(all) > 0 {
		all[len(all)-1].Last = true
	}
	return all
}

// A NoteAccess is one of them, with the machine's number of its instruction.
type NoteAccess struct {
	Inst int32
	Op   *Op
	Now  bool // it is told of whether loads leave records or not

	together *together // with which others from here on it can be told
}

// NoteBit is the bit of a kind of accesses in Context.Noted.
func NoteBit(space Space, write bool) uint32 {
	if write {
		return 2 << (2 * space)
	}
	return 1 << (2 * space)
}

// Noted are the accesses of a segment that somebody may want to know of, and their kinds.
func (u *Unit) Noted(s Segment) (all Note, kinds uint32) {
	for i := s.First; i < s.Last; i++ {
		in := &u.Insts[i]
		number := u.At + int32(i)
		if u.Moved {
			number = in.Number
		}
		for k := range in.Ops {
			o := &in.Ops[k]
			if g, ok := o.Checked(); ok && g.Space < Private {
				all = append(all, NoteAccess{Inst: number, Op: o})
				kinds |= NoteBit(g.Space, g.Write)
			}
		}
	}
	if kinds&NoteBit(Shared, true) != 0 { // on which it depends whether there are records
		for i := range all {
			all[i].Now = true
		}
	}
	return all, kinds
}
