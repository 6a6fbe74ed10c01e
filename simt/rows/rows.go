// Package rows has row code: what the instructions of a machine do to rows of lanes, in one form for all
// machines, of which [simtgdb/simt/rows/host] makes code of the host. It knows no machine and no host.
//
// A row is a register: 32 numbers of 64 bits (a [vec.Wide]), or 8, 16 or 64 of them. A mask has a bit for
// each lane and lies in memory in one or two uint32. A machine lowers its instructions to [Inst]s; what has
// no row code it executes itself. An instruction happens whole or not at all: [Cut] finds the segments of a
// piece of code whose accesses can all be checked before anything of the segment is done, and within which no
// lane sees what another writes. Translated code does a segment for some lanes after the other. [Unit.Run]
// defines what row code does.
package rows

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"

	"simtgdb/simt/vec"
)

// Lanes is how many lanes a row has where nothing else is said, MostLanes how many it has at most. It is 8,
// 16, 32 or 64.
const (
	Lanes     = 32
	MostLanes = 64
)

// Temps is how many registers an instruction has for itself: -1 down to -Temps. They hold nothing before it
// and nothing after it.
const Temps = 16

// A Value is an operand: a register, or a number that is the same in all lanes.
type Value struct {
	Const bool
	Reg   int32
	Imm   uint64
}

func (v Value) String() string {
	if v.Const {
		return fmt.Sprintf("%#x", v.Imm)
	}
	return register(v.Reg)
}

func register(n int32) string {
	if n < 0 {
		return fmt.Sprintf("t%d", -n)
	}
	return fmt.Sprintf("r%d", n)
}

// A Mask names a mask in memory by its number, or with Always all active lanes.
type Mask struct {
	N   int32
	Not bool
}

// Always is the number of no mask.
const Always = -1

func (m Mask) String() string {
	switch {
	case m.N == Always:
		return ""
	case m.Not:
		return fmt.Sprintf("!m%d", m.N)
	}
	return fmt.Sprintf("m%d", m.N)
}

// A Kind is what an operation does.
type Kind uint8

// The kinds.
const (
	Calc  Kind = iota // D = Op of S
	Copy              // D = S[0]
	Test              // mask P = Op of S, which is a comparison
	Load              // D = memory at S[0] + Offset
	Store             // memory at S[0] + Offset = S[1]
)

// A Space is where memory is.
type Space uint8

// The spaces.
const (
	Global Space = iota
	Shared
	// Private memory belongs to a lane. The dwords that all lanes have at an address that is a multiple of 4
	// lie one behind the other. An address may be a number, of a place that is there.
	Private
	// Uniform is what a machine says of a wave, and Items of its lanes, whose dwords lie one behind the
	// other. Addresses are numbers, of places that are there, and nobody stores.
	Uniform
	Items
)

// FirstNaN is what Op.NaN is where the first operand that is a NaN comes out quiet; an invalid operation
// gives the positive quiet NaN.
const FirstNaN = 0

// An Op is an operation on the lanes that are active and in the mask Under. Others keep what they have.
type Op struct {
	Kind   Kind
	Op     vec.WideOp
	D      int32
	P      int32
	S      [3]Value
	In     Mask // of WideSelect
	Under  Mask
	Invert bool   // of a Test: true where the comparison says false
	NaN    uint64 // as in vec.WideArgs, or FirstNaN

	Space  Space
	Size   int // 4 or 8 bytes, aligned; of global and shared memory 1 or 2, too, which come without a sign
	Align  int // S[0] is a multiple of it; with 0 of Size
	Offset int64
	// Within is where an access to shared memory is to be, of all that there is; everywhere if it has no
	// bytes.
	Within Extent
	// Given says of a load that it is of what the machine itself has put there: see Context.Wanted.
	Given bool
	// Same says of a load of global memory for all active lanes that S[0] has one number in all lanes, active
	// or not.
	Same bool
}

func (o *Op) String() string {
	var b strings.Builder
	if o.Under.N != Always {
		fmt.Fprintf(&b, "under %v ", o.Under)
	}
	not := ""
	if o.Invert {
		not = "not "
	}
	space := [...]string{"global", "shared", "private", "uniform", "items"}[o.Space]
	switch o.Kind {
	case Copy:
		fmt.Fprintf(&b, "%s = %v", register(o.D), o.S[0])
	case Load:
		fmt.Fprintf(&b, "%s = %s%d[%v%+d]", register(o.D), space, 8*o.Size, o.S[0], o.Offset)
	case Store:
		fmt.Fprintf(&b, "%s%d[%v%+d] = %v", space, 8*o.Size, o.S[0], o.Offset, o.S[1])
	default:
		if o.Kind == Test {
			fmt.Fprintf(&b, "m%d = %s%v", o.P, not, o.Op)
		} else {
			fmt.Fprintf(&b, "%s = %v", register(o.D), o.Op)
		}
		for _, s := range o.S[:Sources(o.Op)] {
			fmt.Fprintf(&b, " %v", s)
		}
		if o.Op == vec.WideSelect {
			fmt.Fprintf(&b, " by %v", o.In)
		}
	}
	return b.String()
}

// Sources is how many operands an operation has.
func Sources(op vec.WideOp) int {
	switch op {
	case vec.WideMad, vec.WideMad32, vec.WideMadU32, vec.WideMadI32, vec.WideFmaF32, vec.WideFmaF64,
		vec.WideFmaF16, vec.WidePkFmaF16:
		return 3
	case vec.WideSignExtend32, vec.WideSqrtF32, vec.WideF32I, vec.WideF32U, vec.WideTruncF32,
		vec.WideFloorF32, vec.WideCeilF32, vec.WideRintF32, vec.WideIF32, vec.WideUF32, vec.WideFlushF32,
		vec.WideF32F16, vec.WideF16F32, vec.WideOneNaNF16:
		return 1
	}
	return 2
}

// Reads are the operands that an operation reads.
func (o *Op) Reads() []Value {
	switch o.Kind {
	case Copy, Load:
		return o.S[:1]
	case Store:
		return o.S[:2]
	}
	return o.S[:Sources(o.Op)]
}

// A Flow is where control goes after an instruction.
type Flow uint8

// The flows.
const (
	Next Flow = iota
	Jump      // to Target
	// Branch is to Target if Cond holds in all lanes. If it does in none, it goes by the first of More that
	// holds in any, and to Else if there is none; else the machine executes it.
	Branch
)

// An Inst is an instruction of a machine. Without Known the machine executes it. What its operations do
// happens before it jumps.
type Inst struct {
	Known  bool
	Ops    []Op
	Flow   Flow
	Target int32
	Else   int32
	Cond   Mask
	More   []Case
	// Guarded instructions are executed by no lanes but those of Guard: what is counted is lanes that
	// execute. Their operations are under it, and a branch goes by it.
	Guarded bool
	Guard   Mask
	Free    bool  // it does not count: it is part of one before
	Number  int32 // the machine's, of a unit that is Moved
	// Dead are the registers that nothing reads behind it before they are written; see Unit.bury.
	Dead []int32
}

// A Case is where a branch goes besides Target and Else.
type Case struct {
	Cond   Mask
	Target int32
}

// Cases are where a branch goes but for Else.
func (in *Inst) Cases() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		if !yield(Case{in.Cond, in.Target}) {
			return
		}
		for _, c := range in.More {
			if !yield(c) {
				return
			}
		}
	}
}

// A Unit is instructions that follow each other: all are known, and but for the last their Flow is Next.
type Unit struct {
	At    int32 // the machine's number of the first; they are numbered one after the other
	Insts []Inst
	// Go is how many instructions behind the unit the machine executes before it may go on with another one;
	// with 0 the next block begins there.
	Go int32
	// Moved says that instructions are not numbered one after the other.
	Moved bool
}

// Count is how many instructions are counted, from one of the unit on.
func (u *Unit) Count(from int) (n int) {
	for i := from; i < len(u.Insts); i++ {
		if !u.Insts[i].Free {
			n++
		}
	}
	return n
}

func (u *Unit) String() string {
	var b strings.Builder
	for i := range u.Insts {
		in := &u.Insts[i]
		fmt.Fprintf(&b, "%d:", u.At+int32(i))
		for k := range in.Ops {
			fmt.Fprintf(&b, "\t%v\n", &in.Ops[k])
		}
		switch in.Flow {
		case Jump:
			fmt.Fprintf(&b, "\tgo to %d\n", in.Target)
		case Branch:
			for c := range in.Cases() {
				fmt.Fprintf(&b, "\tgo to %d if %v\n", c.Target, c.Cond)
			}
			fmt.Fprintf(&b, "\telse to %d\n", in.Else)
		case Next:
			if len(in.Ops) == 0 {
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

// mostOps bounds a segment, MostGroups the kinds of accesses in it.
const (
	mostOps    = 96
	MostGroups = 24
)

// A Segment is instructions from First up to, not including, Last.
type Segment struct{ First, Last int }

// A Group is accesses that are checked together.
type Group struct {
	Space Space
	Write bool
	Reg   int32
	Under Mask
	Size  int
	Align int
	Same  bool

	Within Extent
}

// An Extent is addresses from Lo up to Hi.
type Extent struct{ Lo, Hi uint64 }

// Checked reports whether an operation is an access that has to be checked, and with which.
func (o *Op) Checked() (Group, bool) {
	if o.Kind != Load && o.Kind != Store || o.S[0].Const {
		return Group{}, false
	}
	align := max(o.Align, o.Size)
	return Group{o.Space, o.Kind == Store, o.S[0].Reg, o.Under, o.Size, align, o.Same, o.Within}, true
}

// Cut finds the segments of a unit, but for what its last instruction does to jump or branch. Addresses and
// masks of accesses are what they are when their segment begins. An instruction that stores to memory that is
// not private is the last of its segment, and there is no other access to such memory.
func Cut(u *Unit) (all []Segment) {
	var c cutter
	for i := range u.Insts {
		in := &u.Insts[i]
		if in.Flow != Next && len(in.Ops) == 0 {
			break
		}
		if len(all) == 0 || !c.takes(in) {
			c = cutter{rows: map[int32]bool{}, masks: map[int32]bool{}, groups: map[Group]bool{}}
			all = append(all, Segment{i, i})
		}
		c.add(in)
		all[len(all)-1].Last = i + 1
	}
	return all
}

// A cutter knows what a segment has written.
type cutter struct {
	rows, masks   map[int32]bool
	groups        map[Group]bool
	ops           int
	loads, stores bool
}

func (c *cutter) takes(in *Inst) bool {
	if c.stores || c.ops+len(in.Ops) > mostOps {
		return false
	}
	more, stores := 0, 0
	for i := range in.Ops {
		g, ok := in.Ops[i].Checked()
		if !ok {
			continue
		}
		if g.Write && g.Space != Private {
			if stores++; stores > 1 { // all lanes do the first before the second
				return false
			}
		}
		if c.rows[g.Reg] || g.Under.N != Always && c.masks[g.Under.N] ||
			g.Write && g.Space != Private && c.loads {
			return false
		}
		if !c.groups[g] {
			more++
		}
	}
	return len(c.groups)+more <= MostGroups
}

func (c *cutter) add(in *Inst) {
	c.ops += len(in.Ops)
	for i := range in.Ops {
		o := &in.Ops[i]
		if g, ok := o.Checked(); ok {
			c.groups[g] = true
			c.stores = c.stores || g.Write && g.Space != Private
			c.loads = c.loads || !g.Write && g.Space != Private
		}
		switch o.Kind {
		case Store:
		case Test:
			c.masks[o.P] = true
		default:
			c.rows[o.D] = true
		}
	}
}

// Verify says what is wrong with a unit, for a machine with so many registers and masks.
func Verify(u *Unit, registers, masks int) error {
	v := verifier{registers: int32(registers), masks: int32(masks)}
	for i := range u.Insts {
		in := &u.Insts[i]
		at := u.At + int32(i)
		if !in.Known || in.Flow != Next && i != len(u.Insts)-1 {
			return fmt.Errorf("instruction %d does not belong into a unit, or not here", at)
		}
		if in.Flow == Branch {
			for c := range in.Cases() {
				if !v.mask(c.Cond) {
					return fmt.Errorf("instruction %d branches by mask %d of %d", at, c.Cond.N, masks)
				}
			}
		}
		v.written, v.loads, v.stores = map[int32]bool{}, false, false
		for k := range in.Ops {
			if what := v.op(&in.Ops[k]); what != "" {
				return fmt.Errorf("instruction %d: %v %s", at, &in.Ops[k], what)
			}
		}
	}
	return nil
}

// A verifier knows what an instruction has done so far.
type verifier struct {
	registers, masks int32
	written          map[int32]bool
	loads, stores    bool // of memory that is not private
}

func (v *verifier) mask(m Mask) bool { return m.N >= 0 && m.N < v.masks }

func (v *verifier) register(n int32) bool { return n >= -Temps && n < v.registers }

// op says what is wrong with an operation.
func (v *verifier) op(o *Op) string {
	if o.Under.N != Always && !v.mask(o.Under) || o.Kind == Calc && o.Op == vec.WideSelect && !v.mask(o.In) ||
		o.Kind == Test && !v.mask(Mask{N: o.P}) {
		return "has a mask that is not there"
	}
	for _, s := range o.Reads() {
		if !s.Const && (!v.register(s.Reg) || s.Reg < 0 && !v.written[s.Reg]) {
			return "has a register that is not there"
		}
	}
	if o.Kind == Load || o.Kind == Store {
		if what := v.access(o); what != "" {
			return what
		}
	}
	if o.Kind != Test && o.Kind != Store {
		if !v.register(o.D) {
			return "writes a register that is not there"
		}
		v.written[o.D] = true
	}
	return ""
}

// farthest is how far an access may be from what its register has, by its space: code has 32 bits with a
// sign for that, for how far apart two accesses are, and for where 64 lanes have private memory that far on.
var farthest = [...]int64{Global: 1 << 28, Shared: 1 << 28, Private: 1 << 24, Uniform: 1 << 24,
	Items: 1 << 24}

func (v *verifier) access(o *Op) string {
	g, checked := o.Checked()
	switch {
	case checked && v.written[g.Reg] || !checked && o.Space < Private || checked && o.Space > Private ||
		v.stores && checked && !g.Write &&
			g.Space != Private:
		return "has an address that is not known before"
	case bits.OnesCount(uint(o.Size)) != 1 || o.Size > 8 || o.Size < 4 && o.Space > Shared ||
		bits.OnesCount(uint(o.Align)) > 1 || o.Offset%int64(min(o.Size, 4)) != 0 ||
		o.Offset%int64(o.Size) != 0 && checked || max(o.Offset, -o.Offset) > farthest[o.Space]:
		return "has a size or an offset that row code does not have"
	case !checked && o.S[0].Imm%4 != 0:
		return "has an address that is no multiple of 4"
	case checked && g.Write && g.Space != Private && v.loads:
		return "stores what lanes may have loaded"
	}
	if o.Space > Private && o.Kind == Store {
		return "stores what nobody may"
	}
	v.loads = v.loads || checked && !g.Write && g.Space != Private
	v.stores = v.stores || checked && g.Write && g.Space != Private
	return ""
}
