package rows

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt/vec"
)

// A State is what row code works on.
type State struct {
	Rows   []vec.Wide
	Masks  []uint32
	Active uint32
	// Memory gives the bytes at an address that an access of a lane is to, or nil if it may not be.
	Memory func(space Space, lane int, addr uint64, size int, write bool) []byte
	// Off counts the active lanes that guards have kept from executing an instruction, instruction by
	// instruction.
	Off   uint64
	temps [Temps]vec.Wide
}

func (s *State) row(n int32) *vec.Wide {
	if n < 0 {
		return &s.temps[-1-n]
	}
	return &s.Rows[n]
}

// lanes are those that an operation is for.
func (s *State) lanes(m Mask) uint32 {
	if m.N == Always {
		return s.Active
	}
	p := s.Masks[m.N]
	if m.Not {
		p = ^p
	}
	return s.Active & p
}

func (s *State) value(v Value, spare *vec.Wide) *vec.Wide {
	if !v.Const {
		return s.row(v.Reg)
	}
	for l := range spare {
		spare[l] = v.Imm
	}
	return spare
}

// Run executes the instructions of a unit but for what its last does to jump or branch. It returns how many
// it has executed: one whose access may not be has done nothing.
func (u *Unit) Run(s *State) int {
	for i := range u.Insts {
		in := &u.Insts[i]
		for k := range in.Ops {
			if !s.may(&in.Ops[k]) {
				return i
			}
		}
		if in.Guarded && in.Flow == Next {
			s.Off += uint64(bits.OnesCount32(s.Active &^ s.lanes(in.Guard)))
		}
		for k := range in.Ops {
			s.run(&in.Ops[k])
		}
	}
	return len(u.Insts)
}

// may reports whether an operation's accesses may be.
func (s *State) may(o *Op) bool {
	g, ok := o.Checked()
	if !ok {
		return true
	}
	for l, at := range s.Rows[g.Reg] {
		a := at + uint64(o.Offset)
		if s.lanes(o.Under)>>l&1 != 0 &&
			(at%uint64(g.Align) != 0 || s.Memory(o.Space, l, a, o.Size, g.Write) == nil) {
			return false
		}
	}
	return true
}

func (s *State) run(o *Op) {
	var spare [3]vec.Wide
	lanes := s.lanes(o.Under)
	switch o.Kind {
	case Copy:
		from := *s.value(o.S[0], &spare[0])
		for l := range from {
			if lanes>>l&1 != 0 {
				s.row(o.D)[l] = from[l]
			}
		}
	case Load, Store:
		s.access(o, lanes)
	default:
		x := &vec.WideArgs{Mask: lanes, NaN: o.NaN}
		x.A = s.value(o.S[0], &spare[0])
		if n := Sources(o.Op); n > 1 {
			x.B = s.value(o.S[1], &spare[1])
			if n > 2 {
				x.C = s.value(o.S[2], &spare[2])
			}
		}
		if o.Kind == Test {
			x.Mask = ^uint32(0)
			o.Op.Func()(x)
			if o.Invert {
				x.Out = ^x.Out
			}
			s.Masks[o.P] = s.Masks[o.P]&^lanes | x.Out&lanes
			return
		}
		if o.Op == vec.WideSelect {
			if x.In = s.Masks[o.In.N]; o.In.Not {
				x.In = ^x.In
			}
		}
		s.calc(o, x)
	}
}

// What an invalid operation gives where the first NaN is to come out.
const (
	quietNaN32 = 0x7fc00000
	quietNaN64 = 0x7ff8 << 48
)

// calc computes. Where the first NaN is to come out, each lane with a NaN gets it made.
func (s *State) calc(o *Op, x *vec.WideArgs) {
	x.D = s.row(o.D)
	if o.NaN != FirstNaN || floats[o.Op] == 0 {
		o.Op.Func()(x)
		return
	}
	from, kept := [3]*vec.Wide{}, [3]vec.Wide{}
	for i, p := range []*vec.Wide{x.A, x.B, x.C}[:Sources(o.Op)] {
		kept[i], from[i] = *p, &kept[i]
	}
	if x.NaN = quietNaN32; floats[o.Op] == 64 {
		x.NaN = quietNaN64
	}
	o.Op.Func()(x)
	firstNaN(x, &from, Sources(o.Op), floats[o.Op])
}

// firstNaN makes results that are NaNs the first of so many operands that is one, quiet.
func firstNaN(x *vec.WideArgs, from *[3]*vec.Wide, sources, width int) {
	sign, infinite, quiet := uint64(1)<<31, uint64(0x7f800000), uint64(1)<<22
	if width == 64 {
		sign, infinite, quiet = 1<<63, 0x7ff<<52, 1<<51
	}
	nan := func(v uint64) bool { return v&(sign-1) > infinite }
	for l, v := range x.D {
		for i := sources - 1; i >= 0 && x.Mask>>l&1 != 0 && nan(v); i-- {
			if nan(from[i][l]) {
				x.D[l] = from[i][l] | quiet
			}
		}
	}
}

// floats are the operations whose results may be NaNs, with the width of these.
var floats = map[vec.WideOp]int{vec.WideAddF32: 32, vec.WideSubF32: 32, vec.WideMulF32: 32,
	vec.WideDivF32: 32, vec.WideFmaF32: 32, vec.WideSqrtF32: 32, vec.WideAddF64: 64, vec.WideSubF64: 64,
	vec.WideMulF64: 64, vec.WideDivF64: 64, vec.WideFmaF64: 64}

func (s *State) access(o *Op, lanes uint32) {
	var spare vec.Wide
	at := *s.value(o.S[0], &spare)
	for l := range at {
		if lanes>>l&1 == 0 {
			continue
		}
		p := s.Memory(o.Space, l, at[l]+uint64(o.Offset), o.Size, o.Kind == Store)
		var word [8]byte
		if o.Kind == Load {
			copy(word[:], p[:o.Size])
			s.row(o.D)[l] = binary.LittleEndian.Uint64(word[:])
			continue
		}
		binary.LittleEndian.PutUint64(word[:], s.value(o.S[1], &spare)[l])
		copy(p[:o.Size], word[:])
	}
}
