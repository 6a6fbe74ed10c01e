package rows

import (
	"math/bits"
	"slices"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// What follows is a machine of row code alone, whose code is "translated" into Go: calls of Unit.Run, which
// leave, come back, tell and leave records as what translators make does. An instruction without operations
// that is not Known is a barrier, the last the end.

const (
	globalBase = 0x10000
	rowCodes   = 0x100 // the address of instruction 0
	registers  = 11
	barriers   = 3 // by their numbers from 1 on
)

type rowISA struct {
	code    []Inst
	meets   []Meeting
	size    int    // of the LDS
	team    bool   // waves have their turns as teams
	onward  bool   // who comes last to a barrier goes on at once
	most    uint64 // instructions of a turn
	left    int64  // instructions after which the core wants a member
	begin   func(w *simt.Wave, s *rowState)
	balks   func(w *simt.Wave) bool // before a turn: the core is to go on with the wave
	inTeams uint64                  // instructions executed so
}

func (y *rowISA) WaveSize() int                          { return Lanes }
func (y *rowISA) Align() int                             { return 1 }
func (y *rowISA) Inst([]byte, uint64) (simt.Inst, error) { return simt.Inst{Size: 1}, nil }
func (y *rowISA) NewCore(m *simt.Machine) simt.Core      { return newRowCore(y, m) }
func (y *rowISA) StartWave(w *simt.Wave, _ *simt.Dispatch) error {
	s := &rowState{of: State{Rows: make([]vec.Wide, registers), Masks: make([]uint32, 4),
		Active: uint32(w.Valid)}}
	y.begin(w, s)
	w.Regs = s
	return nil
}

// A rowState is what a wave has.
type rowState struct {
	of State
	at int32
}

func (s *rowState) Files() []simt.RegFile               { return nil }
func (s *rowState) Read(simt.Reg, int, []byte) error    { return nil }
func (s *rowState) Write(simt.Reg, int, []byte) error   { return nil }
func (s *rowState) Active(w *simt.Wave) uint64          { return w.Exec }
func (s *rowState) LanePC(w *simt.Wave, _ int) uint64   { return w.PC }
func (s *rowState) SetPC(w *simt.Wave, pc uint64) error { w.PC = pc; return nil }
func (s *rowState) Clone() simt.WaveState               { c := *s; return &c }

// A rowUnit is code of a unit.
type rowUnit struct {
	Unit
	segments []rowSegment
}

// A rowSegment is code of a segment, by the instructions of its unit: the numbers of its Note, of that of its
// loads from LDS, and of the first record of these.
type rowSegment struct {
	Segment
	kinds                uint32
	note, late, at, many int
	slot                 int
}

// A rowCore is its core.
type rowCore struct {
	isa    *rowISA
	m      *simt.Machine
	w      *simt.Wave
	stop   simt.Event
	team   Team
	x      Context
	loads  LoadNoter
	teller Teller
	units  []rowUnit  // by their numbers, from 1 on, in Entry
	placed *simt.Wave // whose code runs
	noted  simt.Access
}

func newRowCore(y *rowISA, m *simt.Machine) *rowCore {
	c := &rowCore{isa: y, m: m}
	c.teller.PC = func(at int32) uint64 { return rowCodes + uint64(at) }
	code := &Code{Call: c.call}
	c.team.Code, c.team.Meets = code, y.meets
	c.team.Onward, c.team.Fresh = y.onward, y.left
	c.team.Entry = make([]uintptr, len(y.code)+1)
	c.team.Place = func(_ *Context, m *Member) { c.placed = m.Wave }
	for at := range y.code {
		if !y.code[at].Known || at > 0 && y.code[at-1].Known && y.code[at-1].Flow == Next && at%2 == 0 {
			continue
		}
		u := rowUnit{Unit: Unit{At: int32(at)}}
		for i := at; i < len(y.code) && y.code[i].Known; i++ {
			if u.Insts = append(u.Insts, y.code[i]); y.code[i].Flow != Next {
				break
			}
		}
		u.segment(code)
		c.units = append(c.units, u)
		c.team.Entry[at] = uintptr(len(c.units)) << 16
	}
	return c
}

// segment makes code of the segments, with what it tells of.
func (u *rowUnit) segment(code *Code) {
	for _, of := range Cut(&u.Unit) {
		s := rowSegment{Segment: of, note: len(code.Notes), late: len(code.Notes) + 1, at: len(code.Tells),
			slot: len(code.Slots)}
		var all, loads Note
		all, s.kinds = u.Noted(of)
		for _, a := range all {
			if a.Op.Kind == Load && a.Op.Space == Shared && !a.Now {
				a.Now = true
				loads = append(loads, a)
			}
		}
		code.Notes = append(code.Notes, all, loads)
		code.Tells = append(code.Tells, loads.Tells()...)
		s.many = len(code.Tells) - s.at
		code.Slots = append(code.Slots, Slot{})
		code.Accesses = append(code.Accesses, Access{Reg: int32(s.slot)})
		u.segments = append(u.segments, s)
	}
}

// memory gives the bytes of a wave's access.
func (c *rowCore) memory(w *simt.Wave) func(Space, int, uint64, int, bool) []byte {
	return func(space Space, _ int, at uint64, size int, _ bool) []byte {
		if space == Shared {
			return w.Group.LDS[at:][:size]
		}
		r := c.m.Mem.Find(at)
		return r.Data[at-r.Base:][:size]
	}
}

// call is translated code. Where it goes on is in Entry: the unit, and behind which segment's note.
func (c *rowCore) call(p unsafe.Pointer) {
	x := (*Context)(p)
	for {
		u := &c.units[x.Entry>>16-1]
		s := &State{Rows: unsafe.Slice((*vec.Wide)(x.Rows), registers),
			Masks:  unsafe.Slice((*uint32)(x.Masks), 4),
			Active: uint32(x.Active), Memory: c.memory(c.placed)}
		if x.Private.Base != uint64(c.placed.ID) || s.Rows[ofWave][0] != uint64(c.placed.Index) {
			panic("code runs for a member that it is not told of")
		}
		for i := range u.segments {
			of := &u.segments[i]
			count := int64(of.Last - of.First)
			x.At = int64(u.At) + int64(of.First)
			had := int(x.Entry & 0xffff)
			if had <= 2*i && (x.Stop >= x.At && x.Stop < x.At+count || x.Budget < count) {
				return
			}
			leaves := func(note, behind int) {
				x.Told, x.Entry = uint64(note+1), x.Entry&^0xffff|uintptr(2*i+behind)
			}
			if slot := &c.team.Code.Slots[of.slot]; of.kinds != 0 && slot.Size == 0 {
				x.Miss = uint64(of.slot + 1)
				return
			}
			if had <= 2*i && of.kinds&x.Noted != 0 {
				leaves(of.note, 1)
				return
			}
			if had <= 2*i+1 && !c.leaveRecords(x, of) {
				leaves(of.late, 2)
				return
			}
			if had > 2*i+2 {
				continue
			}
			part := Unit{At: int32(x.At), Insts: u.Insts[of.First:of.Last]}
			if part.Run(s) != int(count) {
				panic("an access may not be")
			}
			x.Budget -= count
			x.Off += s.Off
			s.Off = 0
		}
		last := &u.Insts[len(u.Insts)-1]
		if x.At = int64(u.At) + int64(len(u.Insts)); last.Flow != Next {
			if n := len(u.segments); n == 0 || u.segments[n-1].Last < len(u.Insts) { // it has no operations
				if x.At--; x.Budget == 0 || x.Stop == x.At {
					return
				}
				x.Budget--
			}
			x.At = int64(goes(last, s))
		}
		if x.At >= int64(len(c.isa.code)) || c.team.Entry[x.At] == 0 || x.At == x.Stop {
			return
		}
		x.Entry = c.team.Entry[x.At]
	}
}

// goes is where an instruction that jumps or branches goes, alike in all lanes.
func goes(in *Inst, s *State) int32 {
	if in.Flow == Jump || s.lanes(in.Cond) == s.Active {
		return in.Target
	}
	return in.Else
}

// leaveRecords leaves records of loads from LDS if they are wanted. It is false where there is no room: all
// of them are to be told of at once.
func (c *rowCore) leaveRecords(x *Context, of *rowSegment) bool {
	size := unsafe.Sizeof(simt.LoadRecord{})
	if x.Telling == 0 || of.many == 0 {
		return true
	}
	if x.LateAt+size*uintptr(of.many) > x.LateEnd {
		return false
	}
	for site := of.at; site < of.at+of.many; site++ {
		r := *(**simt.LoadRecord)(unsafe.Pointer(&x.LateAt))
		o := c.team.Code.Tells[site].Op
		r.Site, r.Active, r.Lanes = uint64(site), x.Active, x.Active
		if o.Under.N != Always {
			r.Lanes &= uint64(unsafe.Slice((*uint32)(x.Masks), 4)[o.Under.N])
		}
		row := (*[2 * len(r.Rows)]uint32)(unsafe.Pointer(&r.Rows))
		for l, at := range unsafe.Slice((*vec.Wide)(x.Rows), registers)[o.S[0].Reg] {
			row[l] = uint32(at)
		}
		x.LateAt += size
	}
	return true
}

// Run implements simt.Core.
func (c *rowCore) Run(w *simt.Wave, n uint64) simt.Event {
	if c.RunKind(w, n) == simt.NoEvent {
		return simt.Event{Wave: w, PC: w.PC}
	}
	return c.stop
}

// Stopped implements simt.Stopper, Running and Turns simt.Teamer.
func (c *rowCore) Stopped() simt.Event                 { return c.stop }
func (c *rowCore) Running() *simt.Wave                 { return c.w }
func (c *rowCore) Turns(give func(wave int, n uint64)) { c.team.Each(give) }

// RunKind implements simt.Stopper: one instruction after the other, of which observers are told.
func (c *rowCore) RunKind(w *simt.Wave, n uint64) simt.EventKind {
	s := w.Regs.(*rowState)
	c.w, s.of.Memory = w, c.memory(w)
	for n = min(n, c.isa.most); n > 0; n-- {
		in := &c.isa.code[s.at]
		w.PC = rowCodes + uint64(s.at)
		w.Insts++
		w.LaneInsts += uint64(bits.OnesCount32(s.of.Active))
		if !in.Known {
			if int(s.at) == len(c.isa.code)-1 {
				w.State = simt.Ended
				c.stop = simt.Event{Kind: simt.EndEvent, Wave: w, PC: w.PC}
				return simt.EndEvent
			}
			c.comes(w, s.at)
			c.stop = simt.Event{Kind: simt.BarrierEvent, Wave: w, PC: w.PC}
			w.State = simt.AtBarrier
			s.at++
			if c.isa.onward && !slices.ContainsFunc(w.Group.Waves, func(o *simt.Wave) bool {
				return o.State == simt.Ready
			}) {
				c.m.Arrived(c.stop)
				c.m.OpenedOf(w.Group)
				for _, o := range w.Group.Waves {
					if o.State == simt.AtBarrier {
						o.State = simt.Ready
					}
				}
				continue
			}
			return simt.BarrierEvent
		}
		c.observe(w, s, in)
		one := Unit{Insts: []Inst{*in}}
		one.Run(&s.of)
		if s.at++; in.Flow != Next {
			s.at = goes(in, &s.of)
		}
	}
	return simt.NoEvent
}

// observe tells of the access of an instruction.
func (c *rowCore) observe(w *simt.Wave, s *rowState, in *Inst) {
	if len(in.Ops) == 0 || in.Ops[0].Kind != Load && in.Ops[0].Kind != Store {
		return
	}
	o, size := &in.Ops[0], 0
	for k := range in.Ops {
		size += in.Ops[k].Size
	}
	a := &simt.Access{Wave: w, PC: w.PC, Read: o.Kind == Load, Write: o.Kind == Store, Size: size,
		Lanes: uint64(s.of.lanes(o.Under)), Addr: new([simt.MaxLanes]uint64)}
	if o.Space == Shared {
		a.Space = simt.LDS
	}
	for l, at := range s.of.Rows[o.S[0].Reg] {
		a.Addr[l] = at + uint64(o.Offset)
	}
	if a.Lanes != 0 {
		c.m.Observe(a)
	}
}

// comes is where a wave comes to a barrier.
func (c *rowCore) comes(w *simt.Wave, at int32) {
	c.m.Fence(w, simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: 1 << simt.LDS})
}

// RunTeam implements simt.Teamer.
func (c *rowCore) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int, kind simt.EventKind) {
	t := &c.team
	if t.Begin(); !c.isa.team {
		return 0, 0, simt.NoEvent
	}
	t.Told = nil
	if c.m.Watched() {
		t.Told = c
	}
	for _, w := range g.Waves {
		s := w.Regs.(*rowState)
		m := Member{Wave: w, Rows: Numbers(s.of.Rows), Masks: s.of.Masks, Active: uint64(s.of.Active),
			At:      s.at,
			Private: Slot{Base: uint64(w.ID)}, Stop: -1, Left: c.isa.left}
		if w.State == simt.Ended {
			continue
		}
		m.Waits = w.State == simt.AtBarrier
		if !t.Join(m) {
			return 0, 0, simt.NoEvent
		}
	}
	c.x.Shared = SlotOf(0, g.LDS)
	executed := make([]uint64, len(g.Waves))
	for i, w := range g.Waves {
		executed[i] = w.Insts
	}
	done, next, kind = t.Run(c, c.m, &c.x, min(n, c.isa.most), rounds)
	t.Each(func(wave int, insts uint64) { executed[wave] += insts })
	for i, w := range g.Waves {
		if executed[i] != w.Insts {
			panic("turns have other numbers of instructions than their waves")
		}
	}
	return done, next, kind
}

// Scatter, Executed and Slot implement TeamCore.
func (c *rowCore) Scatter(m *Member) {
	s := m.Wave.Regs.(*rowState)
	s.at = m.At
	m.Wave.PC = rowCodes + uint64(m.At)
}
func (c *rowCore) Executed(n uint64) { c.isa.inTeams += n }
func (c *rowCore) Slot(a *Access, m *Member) Slot {
	if m.Wave != c.placed || a != &c.team.Code.Accesses[a.Reg] {
		panic("somebody else has missed a slot")
	}
	return Slot{Size: 1}
}

// Turn implements Witness.
func (c *rowCore) Turn(x *Context, m *Member) bool {
	if c.w = m.Wave; c.isa.balks(m.Wave) {
		return false
	}
	x.Noted = 0
	for _, space := range []Space{Global, Shared} {
		for _, write := range []bool{false, true} {
			if c.m.Wanted(m.Wave, []simt.Space{Global: simt.Global, Shared: simt.LDS}[space], write) {
				x.Noted |= NoteBit(space, write)
			}
		}
	}
	c.teller.Begin(x, c.m, m.Wave, c.team.Code)
	return true
}

// Ran implements Witness.
func (c *rowCore) Ran(x *Context) { c.teller.Tell(x, c.team.Keeps()) }

// Came and Opens implement Witness.
func (c *rowCore) Came(m *Member) {
	c.comes(m.Wave, m.At)
	c.m.Arrived(simt.Event{Kind: simt.BarrierEvent, Wave: m.Wave, PC: rowCodes + uint64(m.At)})
}
func (c *rowCore) Opens(Meeting) { c.m.Opened(simt.Meeting{Waves: c.w.Group.Waves}) }

// Teller implements Witness.
func (c *rowCore) Teller() *Teller { return &c.teller }

// Note implements Witness.
func (c *rowCore) Note(n Note) bool {
	m := c.member()
	return c.tell(n, c.w, c.x.Active, m.Rows, m.Masks, c.team.Keeps(), c.x.Telling != 0)
}

// tell tells observers of accesses of lanes of a wave; later says that code has left records of loads from
// LDS.
func (c *rowCore) tell(n Note, w *simt.Wave, active uint64, r []uint64, masks []uint32, keep *Told,
	later bool) bool {
	where := func(inst int32) (uint64, []uint64) { return rowCodes + uint64(inst), nil }
	if later {
		c.teller.Tell(&c.x, keep)
	}
	for ; len(n) > 0; n = n[1:] {
		if done := c.loads.Note(c.m, w, n, active, r, Lanes, where); done > 0 {
			keep.Loads(n, &c.loads, nil, r, Lanes)
			n = n[done-1:]
			continue
		}
		from, o, size := n, n[0].Op, n[0].Op.Size
		for len(n) > 1 && n[1].Inst == n[0].Inst { // of one access
			n, size = n[1:], size+n[1].Op.Size
		}
		if later && o.Space == Shared && !n[0].Now {
			continue
		}
		a := &c.noted
		*a = simt.Access{Wave: w, PC: rowCodes + uint64(n[0].Inst), Read: o.Kind == Load,
			Write: o.Kind == Store, Size: size, Lanes: active}
		if o.Space == Shared {
			a.Space = simt.LDS
		}
		if o.Under.N != Always {
			a.Lanes &= maskOf(o.Under, masks, Lanes)
		}
		if a.Lanes == 0 {
			keep.Odd()
			continue
		}
		row := r[int(o.S[0].Reg)*Lanes:][:Lanes]
		if !c.m.NoteRow(a, row, uint64(o.Offset), ^uint64(0)) {
			a.Addr = new([simt.MaxLanes]uint64)
			for l, at := range row {
				a.Addr[l] = at + uint64(o.Offset)
			}
			if !c.m.Note(a) {
				return false
			}
		}
		if keep.Access(from, 1+len(from)-len(n), a, row, nil, ^uint64(0)); later && a.Space == simt.LDS {
			c.teller.Again(&c.x, c.m)
		}
	}
	return true
}

// member is that of the wave that runs.
func (c *rowCore) member() *Member {
	return &c.team.Members[slices.IndexFunc(c.team.Members, func(m Member) bool { return m.Wave == c.w })]
}
