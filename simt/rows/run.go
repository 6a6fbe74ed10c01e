package rows

import (
	"encoding/binary"

	"simtgdb/simt/vec"
)

// A State is what row code works on.
type State struct {
	Rows   []vec.Wide
	Masks  []uint32
	Active uint32
	// Memory gives the bytes at an address that an access is to, or nil if it may not be.
	Memory func(space Space, addr uint64, size int, write bool) []byte
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
		return &s.Rows[v.Reg]
	}
	for l := range spare {
		spare[l] = v.Imm
	}
	return spare
}

// Run executes the instructions of a unit but for a jump or branch at its end. It returns how many it has
// executed: one whose access may not be has done nothing.
func (u *Unit) Run(s *State) int {
	for i := range u.Insts {
		in := &u.Insts[i]
		for k := range in.Ops {
			if !s.may(&in.Ops[k]) {
				return i
			}
		}
		for k := range in.Ops {
			s.run(&in.Ops[k])
		}
	}
	return len(u.Insts)
}

// may reports whether an operation's accesses may be.
func (s *State) may(o *Op) bool {
	if o.Kind != Load && o.Kind != Store {
		return true
	}
	for l, a := range s.Rows[o.S[0].Reg] {
		a += uint64(o.Offset)
		if s.lanes(o.Under)>>l&1 != 0 &&
			(a%uint64(o.Size) != 0 || s.Memory(o.Space, a, o.Size, o.Kind == Store) == nil) {
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
				s.Rows[o.D][l] = from[l]
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
		x.D = &s.Rows[o.D]
		o.Op.Func()(x)
	}
}

func (s *State) access(o *Op, lanes uint32) {
	var spare vec.Wide
	at := s.Rows[o.S[0].Reg]
	for l := range at {
		if lanes>>l&1 == 0 {
			continue
		}
		p := s.Memory(o.Space, at[l]+uint64(o.Offset), o.Size, o.Kind == Store)
		switch {
		case o.Kind == Load && o.Size == 4:
			s.Rows[o.D][l] = uint64(binary.LittleEndian.Uint32(p))
		case o.Kind == Load:
			s.Rows[o.D][l] = binary.LittleEndian.Uint64(p)
		case o.Size == 4:
			binary.LittleEndian.PutUint32(p, uint32(s.value(o.S[1], &spare)[l]))
		default:
			binary.LittleEndian.PutUint64(p, s.value(o.S[1], &spare)[l])
		}
	}
}
