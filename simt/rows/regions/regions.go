// Package regions has row code of machines whose registers are one file of bytes: an operand is a region of
// elements that lie in it at some distances, regions may overlap, and each instruction has channels and
// perhaps a predicate of its own. It is what package rows is for machines whose registers are rows, and like
// that it knows no machine and no host; [simtgdb/simt/rows/regions/x86] makes code of it.
//
// A machine lowers its instructions to [Op]s and puts those that follow each other into a [Unit]. All
// operations but loads and stores always happen; a load or store is the only one of its unit, and happens
// whole or not at all. Flags are 64 bits beside the file.
package regions

import (
	"fmt"
	"strings"

	"simtgdb/simt/vec"
)

// Channels is how many channels a thread has at most.
const Channels = 32

// flags is how many flags there are.
const flags = 64

// A Region is elements in the file. There is none if Size is 0.
type Region struct {
	At     int32 // of the first, in bytes
	Step   int32 // from one to the next, 0 if all channels have the first
	Table  []uint16
	Size   uint8 // bytes of an element: 1, 2, 4 or 8
	Signed bool  // how it is extended
}

// Offset is where an element begins. With Table each has a place of its own.
func (r *Region) Offset(k int) int32 {
	if r.Table != nil {
		return int32(r.Table[k])
	}
	return r.At + r.Step*int32(k)
}

// Extent is which bytes of the file n elements from some element on are in.
func (r *Region) Extent(first, n int) (lo, hi int32) {
	lo, hi = r.Offset(first), r.Offset(first)
	for k := first; k < first+n; k++ {
		lo, hi = min(lo, r.Offset(k)), max(hi, r.Offset(k))
	}
	return lo, hi + int32(r.Size)
}

func (r *Region) String() string {
	sign := "u"
	if r.Signed {
		sign = "s"
	}
	if r.Table != nil {
		return fmt.Sprintf("%v:%s%d", r.Table, sign, 8*r.Size)
	}
	return fmt.Sprintf("[%d+%d]:%s%d", r.At, r.Step, sign, 8*r.Size)
}

// A Source is an operand: elements of a region, extended to or cut to the size that the operation has, or
// numbers. Of these what Keep has stays, what Flip has is inverted, and Neg negates.
type Source struct {
	Region
	Const      []uint64 // of each channel, or one for all
	Keep, Flip uint64
	Neg        bool
}

func (s *Source) String() string {
	text := s.Region.String()
	if s.Const != nil {
		text = fmt.Sprintf("%#x", s.Const)
	}
	if s.Keep != ^uint64(0) || s.Flip != 0 {
		text = fmt.Sprintf("(%s & %#x ^ %#x)", text, s.Keep, s.Flip)
	}
	if s.Neg {
		text = "-" + text
	}
	return text
}

// A Predicate is a flag for each channel, from Bit on. With Group it is one for all channels: whether any of
// so many flags from Bit on are set, or with Every all of them.
type Predicate struct {
	On    bool // there is one
	Bit   uint8
	Not   bool
	Group uint8
	Every bool
}

func (p Predicate) String() string {
	if !p.On {
		return ""
	}
	text := fmt.Sprintf("f%d", p.Bit)
	switch {
	case p.Every:
		text += fmt.Sprintf(".all%d", p.Group)
	case p.Group > 0:
		text += fmt.Sprintf(".any%d", p.Group)
	}
	if p.Not {
		return "!" + text
	}
	return text
}

// flags is how many flags a predicate of n channels looks at.
func (p Predicate) flags(n int) int { return max(n, int(p.Group)) }

// A Kind is what an operation does.
type Kind uint8

// The kinds.
const (
	Calc  Kind = iota // D = Op of S
	Copy              // D = S[0]
	Test              // D = all ones or zeros, as the comparison says; with One the number 1
	Pick              // D = S[0] where In, or the comparison, holds, else S[1]
	Load              // registers at Data = memory
	Store             // memory = registers at Data
)

var kinds = [...]string{"calc", "copy", "test", "pick", "load", "store"}

// A Comparison is an operation of package vec that compares. Its operands are the operation's first two,
// or of Calc and Copy the result and zero.
type Comparison struct {
	Op    vec.WideOp // WideNone: there is none
	Swap  bool       // the operands
	Not   bool
	Loose bool // true too where the second operand is no number
}

// A Space is where memory is.
type Space uint8

// The spaces.
const (
	Global Space = iota // addresses have 64 bits
	Shared              // 32 bits, of which those in SharedMask count
)

// An Access is what channels load or store: Count elements of Size bytes, one behind the other, each at its
// address. In registers the first elements of all channels come first, then the second ones, and each has
// max(Size, 4) bytes.
type Access struct {
	Space      Space
	SharedMask uint32
	Addresses  int32 // where they are, one behind the other
	Data       int32 // where the elements are, or will be
	Size       uint8 // 1, 2, 4 or 8
	Count      uint8
	Block      *Block // if any: it is no access of elements
}

// A Block is bytes of memory that all channels together move from or to Data, as they lie. Their address is a
// sum.
type Block struct {
	Bytes int32 // a multiple of 4
	Terms []Term
	Base  uint64
}

// A Term is a number of 4 or 8 bytes in the file, of which some bits count.
type Term struct {
	At    int32
	Size  uint8
	Shift uint8 // what it is shifted to the left
	Keep  uint64
}

// Address is where a block of a thread is that has a file of registers.
func (b *Block) Address(file []byte) uint64 {
	at := b.Base
	for _, t := range b.Terms {
		v := uint64(le.Uint32(file[t.At:]))
		if t.Size == 8 {
			v = le.Uint64(file[t.At:])
		}
		at += v & t.Keep << t.Shift
	}
	return at
}

// Slot is how many bytes an element has in registers.
func (a *Access) Slot() int32 { return int32(max(a.Size, 4)) }

// Width is how many bytes an address has.
func (a *Access) Width() int32 {
	if a.Space == Global {
		return 8
	}
	return 4
}

// A Layout is what a thread is like: how many channels it has, and where in the file its flags are for
// operations that have them for operands.
type Layout struct {
	Channels int
	Flags    int32

	// Blank is where in the file those parts begin, of Granule bytes each, of which code looks whether
	// anything in them has no contents, before each unit; 0 if it does not.
	Blank, Granule int32
}

// An Op is an operation for the channels from First on that are on, or with Always for all, and for which
// Under holds.
type Op struct {
	Kind   Kind
	Op     vec.WideOp
	Elem   uint8 // bytes of what it computes: 4 or 8. Operations named 32 have 4
	First  uint8
	Lanes  uint8
	Always bool
	One    bool // of Test
	Part   bool // another operation of the same instruction counts for its channels
	Under  Predicate
	In     Predicate // of Pick

	D    Region // its elements have Elem bytes at most
	Also Region // where the result goes too
	S    [3]Source

	Cond  Comparison
	Flags bool // what the comparison says goes to the flags from Bit on
	Bit   uint8

	Access Access
}

// Sources is how many operands the operation has.
func (o *Op) Sources() int {
	switch o.Kind {
	case Calc:
		return Sources(o.Op)
	case Copy:
		return 1
	case Test, Pick:
		return 2
	}
	return 0
}

// Sources is how many operands an operation of package vec has.
func Sources(op vec.WideOp) int {
	switch op {
	case vec.WideMad32, vec.WideFmaF32, vec.WideFmaF64:
		return 3
	case vec.WideSqrtF32, vec.WideF32I, vec.WideF32U, vec.WideTruncF32, vec.WideFloorF32, vec.WideCeilF32,
		vec.WideRintF32, vec.WideIF32, vec.WideUF32:
		return 1
	}
	return 2
}

func (o *Op) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s(%d", kinds[o.Kind], o.Lanes)
	if o.First != 0 {
		fmt.Fprintf(&b, "|%d", o.First)
	}
	if o.Always {
		b.WriteString(" always")
	}
	if o.Under.On {
		fmt.Fprintf(&b, " %v", o.Under)
	}
	b.WriteString(") ")
	if o.Kind == Load || o.Kind == Store {
		a := &o.Access
		if a.Block != nil {
			fmt.Fprintf(&b, "%d bytes, address", a.Block.Bytes)
			for _, t := range a.Block.Terms {
				fmt.Fprintf(&b, " [%d]:u%d & %#x << %d +", t.At, 8*t.Size, t.Keep, t.Shift)
			}
			fmt.Fprintf(&b, " %#x, data %d", a.Block.Base, a.Data)
			return b.String()
		}
		fmt.Fprintf(&b, "%d of %d bytes, addresses %d, data %d", a.Count, a.Size, a.Addresses, a.Data)
		return b.String()
	}
	if o.D.Size != 0 {
		fmt.Fprintf(&b, "%v = ", &o.D)
	}
	if o.Kind == Calc {
		fmt.Fprintf(&b, "%v", o.Op)
	}
	for i := range o.Sources() {
		fmt.Fprintf(&b, " %v", &o.S[i])
	}
	if o.Cond.Op != vec.WideNone {
		fmt.Fprintf(&b, " %v %+v", o.Cond.Op, o.Cond)
	}
	if o.In.On {
		fmt.Fprintf(&b, " by %v", o.In)
	}
	if o.Flags {
		fmt.Fprintf(&b, " to f%d", o.Bit)
	}
	return b.String()
}

// A FlowKind is how control goes on behind a unit.
type FlowKind uint8

// The kinds.
const (
	Next   FlowKind = iota // to the unit's end
	Jump                   // to All
	Branch                 // to All if the predicate holds in all channels that are on, to None if in none
	One                    // to All if the predicate's first flag holds, else to None
)

// Leave is where nothing is: the machine executes the instruction.
const Leave = ^uint32(0)

// A Flow is an instruction that ends a unit. It is for all channels that the thread has. What Whole says
// may be only while all are on.
type Flow struct {
	Kind      FlowKind
	At        uint32 // where it is
	Under     Predicate
	All, None uint32
	WholeAll  bool
	WholeNone bool
	Counts    bool // for each channel in which the predicate holds
}

// A Unit is instructions that follow each other.
type Unit struct {
	At, End uint32 // addresses of the first, and behind the last, which is Flow's if there is one
	Insts   int32  // how many
	Ops     []*Op
	Flow    Flow
	Guard   Guard // of what is behind it, if control goes on there
}

// A Guard is what bits of a dword of the file must be. There is none if Mask is 0.
type Guard struct {
	At         int32
	Mask, Want uint32
}

func (u *Unit) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%#x: %d instructions\n", u.At, u.Insts)
	for i := range u.Ops {
		fmt.Fprintf(&b, "\t%v\n", u.Ops[i])
	}
	fmt.Fprintf(&b, "\t%s\n", u.Ways())
	return b.String()
}

// Ways says how control goes on behind the unit.
func (u *Unit) Ways() string {
	to := func(at uint32) string {
		if at == Leave {
			return "the machine"
		}
		return fmt.Sprintf("%#x", at)
	}
	switch f := &u.Flow; f.Kind {
	case Next:
		return "go on at " + to(u.End)
	case Jump:
		return "go to " + to(f.All)
	default:
		return fmt.Sprintf("go to %s by %v, else to %s", to(f.All), f.Under, to(f.None))
	}
}

// Verify says what is wrong with an operation, for a file of so many bytes that can be written and a
// thread of so many channels.
func (o *Op) Verify(file int32, channels int) error {
	if what := o.verify(file, channels); what != "" {
		return fmt.Errorf("%v %s", o, what)
	}
	return nil
}

func (o *Op) verify(file int32, channels int) string {
	n := int(o.Lanes)
	switch {
	case n&(n-1) != 0 || n == 0 || n > Channels:
		return "has no such number of channels"
	case !o.Always && (int(o.First)+n > channels || int(o.First)%max(8, min(n, 16)) != 0):
		return "is for channels that are not there"
	case o.Under.On && int(o.Under.Bit)+o.Under.flags(n) > flags || o.In.On && int(o.In.Bit)+n > flags ||
		o.Flags && int(o.Bit)+n > flags:
		return "has flags that are not there"
	}
	inside := func(r *Region) bool {
		lo, hi := r.Extent(0, n)
		return r.Size == 0 || lo >= 0 && hi <= file
	}
	if o.Kind == Load || o.Kind == Store {
		return o.Access.verify(o, file)
	}
	switch {
	case o.Elem != 4 && o.Elem != 8 || n*int(o.Elem) > 128:
		return "has more bytes than an operation has"
	case !inside(&o.D) || !inside(&o.Also):
		return "writes what is not there"
	case o.D.Size > o.Elem || o.Also.Size != 0 && o.Also.Size != o.Elem:
		return "has more bytes in its result than it computes"
	}
	for i := range o.Sources() {
		if s := &o.S[i]; s.Const == nil && !inside(&s.Region) || s.Const != nil && len(s.Const) != 1 &&
			len(s.Const) < n {
			return "reads what is not there"
		}
	}
	return ""
}

func (a *Access) verify(o *Op, file int32) string {
	n, wide := int32(o.Lanes), a.Width()
	if a.Block != nil {
		return a.Block.verify(a.Data, file)
	}
	switch {
	case n != 8 && n != 16 && n != 32 || n == 32 && o.Kind == Store && a.Count > 1:
		return "accesses memory for so many channels"
	case a.Size&(a.Size-1) != 0 || a.Size == 0 || a.Size > 8 || a.Size == 8 && a.Space == Shared ||
		a.Count == 0 || a.Count > 4 || a.Size < 4 && a.Count > 1:
		return "has such elements"
	case a.Addresses < 0 || a.Addresses+n*wide > file || a.Data < 0 ||
		a.Data+n*a.Slot()*int32(a.Count) > file:
		return "has registers that are not there"
	}
	return ""
}

func (b *Block) verify(data, file int32) string {
	if b.Bytes <= 0 || b.Bytes%4 != 0 || data < 0 || data+b.Bytes > file {
		return "has registers that are not there"
	}
	for _, t := range b.Terms {
		if t.Size != 4 && t.Size != 8 || t.At < 0 || t.At+int32(t.Size) > file {
			return "has an address that is not there"
		}
	}
	return ""
}
