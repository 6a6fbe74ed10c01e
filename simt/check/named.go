package check

import (
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// Objects tells of a program's variables.
type Objects interface {
	// Meant is the variable of which the source names an element where it has the access of an
	// instruction, in a lane; nil if that is not known.
	Meant(a *simt.Access, lane int) *simt.Object
	// Holding is a variable that has a byte in the access's space, in a lane; nil if none is known.
	Holding(a *simt.Access, lane int, addr uint64) *simt.Object
	// Beyond gives for a lane a subscript of the element that leads out of its array, where the lane accesses
	// what it leads to, or nil; it is nil itself if the source has no subscripts there.
	Beyond(a *simt.Access) func(lane int) *Subscript
	// Bounds reports whether Meant or Beyond may know anything of the accesses of an instruction.
	Bounds(pc uint64, write bool) bool
	// Unbounded reports whether the source is known to have no element of an array with a bound at an
	// instruction: compilers give pointers types of what they started from.
	Unbounded(pc uint64) bool
	// Plain reports whether the source is known to have no atomic store at an instruction that stores.
	Plain(pc uint64) bool
	// Atomic reports whether the source is known to load or store atomically at an instruction.
	Atomic(pc uint64) bool
	// Together reports whether two instructions are of one function, so that what one finds in its frame is
	// there for the other.
	Together(a, b uint64) bool
}

// A Subscript is an index of an array, as the source has it, and how many elements it chooses from.
type Subscript struct {
	Text  string
	Index int64
	Count uint64
	Array *simt.Object // that it leads out of
	Row   bool         // it leads out of a row of the array
}

// named reports lanes that leave the array that the source names.
func (c *Checker) named(a *simt.Access) *Report {
	if c.Objects == nil || a.Atomic {
		return nil
	}
	if r := c.elsewhere(a); r != nil {
		return r
	}
	return c.beyond(a)
}

// elsewhere reports lanes that access something else than the array that the source names. Compilers put one
// access in the place of several, and accesses of their own, such as of what they have spilled, beside those
// of the source: so it counts only if no byte of it is in that array, and it is another variable's or in LDS,
// where compilers put nothing of their own.
func (c *Checker) elsewhere(a *simt.Access) *Report {
	if a.Joined {
		return nil
	}
	first := bits.TrailingZeros64(a.Lanes)
	meant := c.Objects.Meant(a, first)
	if meant == nil || meant.Space != a.Space {
		return nil
	}
	var bad uint64
	var left, in *simt.Object // of the first lane that leaves its array
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		own := meant
		if l != first && a.Space == simt.Global { // some machines have lanes' own memory there
			own = c.Objects.Meant(a, l)
		}
		if own == nil || own.Space != a.Space || touches(own, a, l) {
			continue
		}
		other := c.Objects.Holding(a, l, a.Addr[l])
		if other == nil && a.Space != simt.LDS {
			continue
		}
		if bad |= 1 << l; left == nil {
			left, in = own, other
		}
	}
	if bad == 0 {
		return nil
	}
	r := accessReport(Bounds, a, bad)
	r.What = fmt.Sprintf("the source has an element of %q, and the access is outside of it", left.Name)
	r.Advice = placeText(left)
	if in != nil && in.Name != left.Name {
		r.Advice += " " + placeText(in)
	}
	return r
}

// beyond reports lanes that access an object to which a subscript leads that is out of its array.
func (c *Checker) beyond(a *simt.Access) *Report {
	subscript := c.Objects.Beyond(a)
	if subscript == nil {
		return nil
	}
	var bad uint64
	var r *Report
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		x := subscript(l)
		if x == nil {
			continue
		}
		if bad |= 1 << l; r != nil {
			continue
		}
		of := "it"
		if x.Row {
			of = "its row"
		}
		r = accessReport(Bounds, a, bad)
		r.What = fmt.Sprintf("the source has an element of %q, and a subscript leads out of %s",
			x.Array.Name, of)
		r.Advice = fmt.Sprintf("[%s] is %d, of %d elements. %s", x.Text, x.Index, x.Count, placeText(x.Array))
		if c.reported[r.place()] {
			return nil
		}
	}
	if r != nil {
		r.Lanes = bad
	}
	return r
}

// touches reports whether any byte of a lane's access is in a variable.
func touches(o *simt.Object, a *simt.Access, lane int) bool {
	at := a.Addr[lane]
	return at < o.Hi && (at >= o.Lo || o.Lo-at < uint64(a.Size))
}

func placeText(o *simt.Object) string {
	return fmt.Sprintf("%q is at [%#x,%#x) in %v memory, %d bytes.", o.Name, o.Lo, o.Hi, o.Space, o.Hi-o.Lo)
}

// elementText names what a lane accesses of the array that the source names, or of the variable that is
// there, as "bins[7]"; "" if that is not known.
func (c *Checker) elementText(a *simt.Access, lane int) string {
	if c.Objects == nil {
		return ""
	}
	for _, o := range []*simt.Object{c.Objects.Meant(a, lane), c.Objects.Holding(a, lane, a.Addr[lane])} {
		if o == nil || o.Space != a.Space || a.Addr[lane] < o.Lo || a.Addr[lane] >= o.Hi {
			continue
		}
		text, at := o.Name, a.Addr[lane]-o.Lo
		if o.Stride != 0 {
			text, at = fmt.Sprintf("%s[%d]", o.Name, at/o.Stride), at%o.Stride
		}
		if at != 0 {
			text += fmt.Sprintf(", its byte %d", at)
		}
		return text
	}
	return ""
}

// A blankPlace is an instruction of a wave.
type blankPlace struct {
	wave int
	pc   uint64
}

// A blankNote is where an instruction has read what nothing has written last, in each lane.
type blankNote struct {
	lanes uint64
	space simt.Space
	size  int
	addr  [simt.MaxLanes]uint64
}

// mostNotes bounds what is kept of reads: reports that come later name no element.
const mostNotes = 4096

// noteBlank keeps where lanes read what nothing has written, for a report of what they do with it.
func (c *Checker) noteBlank(a *simt.Access, lanes uint64) {
	if lanes == 0 || c.Objects == nil {
		return
	}
	at := blankPlace{a.Wave.ID, a.PC}
	n := c.blanks[at]
	switch {
	case n == nil && len(c.blanks) >= mostNotes:
		return
	case n == nil:
		n = &blankNote{}
		if c.blanks == nil {
			c.blanks = map[blankPlace]*blankNote{}
		}
		c.blanks[at] = n
	}
	n.lanes, n.space, n.size = n.lanes|lanes, a.Space, a.Size
	simt.Lanes(lanes, func(l int) { n.addr[l] = a.Addr[l] })
}

// blankText names the element that a lane has read at an instruction before the one at pc, where nothing had
// written it; "" if that is not known.
func (c *Checker) blankText(w *simt.Wave, lane int, from, pc uint64) string {
	n := c.blanks[blankPlace{w.ID, from}]
	if n == nil || n.lanes>>lane&1 == 0 || !c.Objects.Together(from, pc) {
		return ""
	}
	return c.elementText(&simt.Access{Wave: w, PC: from, Space: n.space, Size: n.size, Read: true,
		Lanes: 1 << lane, Addr: &n.addr}, lane)
}
