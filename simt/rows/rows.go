// Package rows has row code: what the instructions of a machine do to rows of lanes, in one form for all
// machines, of which [simtgdb/simt/rows/x86] makes code of the host. It knows no machine and no host.
//
// A row is a register: 32 numbers of 64 bits (a [vec.Wide]). A mask has a bit for each lane and lies in
// memory as a uint32. A machine lowers its instructions to [Inst]s; what has no row code it executes itself.
// An instruction happens whole or not at all: [Cut] finds the segments of a piece of code whose accesses can
// all be checked before anything of the segment is done, and within which no lane sees what another writes.
// Translated code does a segment for some lanes after the other. [Unit.Run] defines what row code does.
package rows

import (
	"fmt"
	"strings"

	"simtgdb/simt/vec"
)

// Lanes is how many lanes a row has.
const Lanes = 32

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
	return fmt.Sprintf("r%d", v.Reg)
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
)

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
	NaN    uint64 // as in vec.WideArgs

	Space  Space
	Size   int // 4 or 8 bytes, aligned
	Offset int64
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
	space := [...]string{"global", "shared"}[o.Space]
	switch o.Kind {
	case Copy:
		fmt.Fprintf(&b, "r%d = %v", o.D, o.S[0])
	case Load:
		fmt.Fprintf(&b, "r%d = %s%d[%v%+d]", o.D, space, 8*o.Size, o.S[0], o.Offset)
	case Store:
		fmt.Fprintf(&b, "%s%d[%v%+d] = %v", space, 8*o.Size, o.S[0], o.Offset, o.S[1])
	default:
		if o.Kind == Test {
			fmt.Fprintf(&b, "m%d = %s%v", o.P, not, o.Op)
		} else {
			fmt.Fprintf(&b, "r%d = %v", o.D, o.Op)
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
	case vec.WideMad, vec.WideMad32, vec.WideMadU32, vec.WideMadI32, vec.WideFmaF32, vec.WideFmaF64:
		return 3
	case vec.WideSignExtend32, vec.WideSqrtF32, vec.WideF32I, vec.WideF32U:
		return 1
	}
	return 2
}

// sources are the operands that an operation reads.
func (o *Op) sources() []Value {
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
	Next   Flow = iota
	Jump        // to Target
	Branch      // to Target where Cond holds: in all lanes or in none, else the machine executes it
)

// An Inst is an instruction of a machine. Without Known the machine executes it.
type Inst struct {
	Known  bool
	Ops    []Op
	Flow   Flow
	Target int32
	Cond   Mask
}

// A Unit is instructions that follow each other: all are known, and but for the last their Flow is Next.
type Unit struct {
	At    int32 // the machine's number of the first; they are numbered one after the other
	Insts []Inst
	// Go is how many instructions behind the unit the machine executes before it may go on with another one;
	// with 0 the next block begins there.
	Go int32
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
			fmt.Fprintf(&b, "\tgo to %d if %v\n", in.Target, in.Cond)
		case Next:
			if len(in.Ops) == 0 {
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

// mostOps bounds a segment.
const mostOps = 96

// A Segment is instructions from First up to, not including, Last.
type Segment struct{ First, Last int }

// Cut finds the segments of a unit, but for a jump or branch at its end. Addresses and masks of accesses are
// what they are when their segment begins; a store is the segment's last instruction, and alone with it of
// all accesses.
func Cut(u *Unit) (all []Segment) {
	var c cutter
	for i := range u.Insts {
		in := &u.Insts[i]
		if in.Flow != Next {
			break
		}
		if len(all) == 0 || !c.takes(in) {
			c = cutter{rows: map[int32]bool{}, masks: map[int32]bool{}}
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
	ops           int
	loads, stores bool
}

func (c *cutter) takes(in *Inst) bool {
	if c.stores || c.ops+len(in.Ops) > mostOps {
		return false
	}
	for i := range in.Ops {
		o := &in.Ops[i]
		if o.Kind != Load && o.Kind != Store {
			continue
		}
		if c.rows[o.S[0].Reg] || o.Under.N != Always && c.masks[o.Under.N] || o.Kind == Store && c.loads {
			return false
		}
	}
	return true
}

func (c *cutter) add(in *Inst) {
	c.ops += len(in.Ops)
	for i := range in.Ops {
		switch o := &in.Ops[i]; o.Kind {
		case Store:
			c.stores = true
		case Test:
			c.masks[o.P] = true
		case Load:
			c.loads = true
			c.rows[o.D] = true
		default:
			c.rows[o.D] = true
		}
	}
}

// Verify says what is wrong with a unit, for a machine with so many registers and masks.
func Verify(u *Unit, registers, masks int) error {
	for i := range u.Insts {
		in := &u.Insts[i]
		at := u.At + int32(i)
		if !in.Known || in.Flow != Next && i != len(u.Insts)-1 {
			return fmt.Errorf("instruction %d does not belong into a unit, or not here", at)
		}
		wrong := func(m Mask) bool { return m.N < Always || int(m.N) >= masks }
		if in.Flow == Branch && (wrong(in.Cond) || in.Cond.N == Always) {
			return fmt.Errorf("instruction %d branches by mask %d of %d", at, in.Cond.N, masks)
		}
		written := map[int32]bool{}
		for k := range in.Ops {
			o := &in.Ops[k]
			if wrong(o.Under) || o.Op == vec.WideSelect && (wrong(o.In) || o.In.N == Always) ||
				o.Kind == Test && (o.P < 0 || int(o.P) >= masks) {
				return fmt.Errorf("instruction %d: %v has a mask that is not there", at, o)
			}
			memory := o.Kind == Load || o.Kind == Store
			for j, s := range o.sources() {
				if !s.Const && (s.Reg < 0 || int(s.Reg) >= registers) {
					return fmt.Errorf("instruction %d: %v has a register that is not there", at, o)
				}
				if memory && j == 0 && (s.Const || written[s.Reg]) {
					return fmt.Errorf("instruction %d: %v has an address that is not known before", at, o)
				}
			}
			if memory && (o.Size != 4 && o.Size != 8 || o.Offset%int64(o.Size) != 0 ||
				o.Offset != int64(int32(o.Offset))) {
				return fmt.Errorf("instruction %d: %v has a size or an offset that row code does not have", at, o)
			}
			if o.Kind == Store && len(in.Ops) > 1 {
				return fmt.Errorf("instruction %d: %v is not alone", at, o)
			}
			if o.Kind != Test && o.Kind != Store {
				if o.D < 0 || int(o.D) >= registers {
					return fmt.Errorf("instruction %d: %v writes a register that is not there", at, o)
				}
				written[o.D] = true
			}
		}
	}
	return nil
}
