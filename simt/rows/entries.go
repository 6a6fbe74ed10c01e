package rows

// Entries are where a core enters the code of functions, by the numbers of their instructions.
type Entries struct {
	At    []uintptr // 0 where there is no code, or it is left alone
	Ahead []int32   // how many instructions the core executes before code goes on; 0: all of a block
	Meets []Meeting
	bails []uint8 // how often code has done nothing from an entry on
}

// NewEntries are those of so many instructions, of which none has code.
func NewEntries(n int) Entries {
	return Entries{make([]uintptr, n), make([]int32, n), make([]Meeting, n), make([]uint8, n)}
}

// Reach finds out how many instructions the core executes from one on, which has a next in its block. What is
// known of that is known already.
func (e *Entries) Reach(at int32) {
	if e.At[at] == 0 && (e.At[at+1] != 0 || e.Ahead[at+1] > 0) {
		e.Ahead[at] = e.Ahead[at+1] + 1
	}
}

// Bail notes that code has done nothing from an entry on. One of which that is so often is left alone: its
// accesses are not what code has.
func (e *Entries) Bail(at int32) {
	const most = 200
	if e.bails[at]++; e.bails[at] == most {
		e.At[at] = 0
	}
}

// Fill gives the access that code has missed its slot, and reports whether it has another now.
func (c *Code) Fill(x *Context, slot func(a *Access) Slot) (filled bool) {
	if x.Miss == 0 {
		return false
	}
	i := x.Miss - 1
	s := slot(&c.Accesses[i])
	filled = s != Slot{} && s != c.Slots[i]
	c.Slots[i] = s
	return filled
}
