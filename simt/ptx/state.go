package ptx

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// warpSize is how many lanes a warp has.
const warpSize = 32

// fullMask has all lanes of a warp.
const fullMask = 1<<warpSize - 1

// A vec is one register: a value for each lane, in the low bits; those above the register's width are 0.
type vec [warpSize]uint64

// An activation is one call of a function by some lanes: their registers, and the frame in private memory.
type activation struct {
	id    int
	fn    *function
	r     []vec
	p     []uint32 // predicates, a bit for each lane
	carry uint32   // CC.CF of each lane
	base  uint64   // of the frame in private memory
	top   uint64   // behind it, where a callee's frame begins
	lanes uint32   // that made the call
	back  *join    // where they come together after the call; nil for the kernel
}

// A join is where lanes that have parted come together: at a statement of an activation, where all
// expected lanes wait for each other.
type join struct {
	at       int32 // the statement
	act      *activation
	expected uint32
	arrived  uint32
	outer    *join
}

// wait is what a path waits for.
type wait uint8

const (
	running     wait = iota
	waitSync         // other lanes at a warp operation
	waitBarrier      // others at a barrier of the workgroup
)

// A path is some lanes that execute together.
type path struct {
	pc   int32 // index of a statement
	mask uint32
	act  *activation
	join *join

	wait    wait
	barrier uint32 // its number
	count   uint32 // warps it waits for; 0 for all
	vote    uint32 // the predicate of a reduction at the barrier
}

// A state is what a wave has: its paths. It implements simt.WaveState.
type state struct {
	isa      *ISA
	dispatch *simt.Dispatch
	paths    []*path
	cur      *path  // the one that runs; nil if the wave has ended
	exited   uint32 // lanes
	valid    uint32
	nextID   int
	spent    int // statements that cur has executed since others have waited
	free     map[*function][]*activation

	acts []*activation // that are in use

	// arrivals are what bar.arrive has brought to each barrier since it opened last: lanes of the warp
	// that came, and how often all of them had.
	arrived  [16]uint32
	arrivals [16]uint32

	local [warpSize][3]uint32 // %tid
	group [3]uint32           // %ctaid
	warp  uint32              // %warpid
}

func (s *state) alive() uint32 { return s.valid &^ s.exited }

// newActivation makes the registers for a call.
func (s *state) newActivation(f *function, base uint64, lanes uint32) *activation {
	var a *activation
	if free := s.free[f]; len(free) > 0 {
		a = free[len(free)-1]
		s.free[f] = free[:len(free)-1]
		clear(a.r)
		clear(a.p)
		a.carry = 0
	} else {
		a = &activation{fn: f, r: make([]vec, f.vectors), p: make([]uint32, f.preds)}
	}
	s.nextID++
	a.id, a.base, a.top, a.lanes = s.nextID, base, base+f.frameSize, lanes
	s.acts = append(s.acts, a)
	return a
}

// release ends an activation.
func (s *state) release(a *activation) {
	for i := len(s.acts) - 1; i >= 0; i-- {
		if s.acts[i] == a {
			s.acts = append(s.acts[:i], s.acts[i+1:]...)
			break
		}
	}
	a.back = nil
	if s.free == nil {
		s.free = map[*function][]*activation{}
	}
	s.free[a.fn] = append(s.free[a.fn], a)
}

// activationOf finds an activation by its number, or nil if it is over.
func (s *state) activationOf(id int) *activation {
	for _, a := range s.acts {
		if a.id == id {
			return a
		}
	}
	return nil
}

// add makes a path run.
func (s *state) add(p *path) { s.paths = append(s.paths, p) }

// drop forgets a path.
func (s *state) drop(p *path) {
	for i, q := range s.paths {
		if p == q {
			s.paths = append(s.paths[:i], s.paths[i+1:]...)
			break
		}
	}
	if s.cur == p {
		s.cur = nil
	}
}

// settle lets a path whose statement is its join arrive there. It returns the path that the lanes go on
// in, or nil if they wait for others.
func (s *state) settle(p *path) *path {
	for p.join != nil && p.pc == p.join.at && p.act == p.join.act {
		j := p.join
		j.arrived |= p.mask
		if j.arrived != j.expected {
			s.drop(p)
			return nil
		}
		p.mask, p.join = j.arrived, j.outer
	}
	return p
}

// leave takes lanes out of the joins from j up to, not including, end: they will not come. Joins for
// which the others have been waiting open.
func (s *state) leave(j, end *join, lanes uint32) {
	for o := j; o != nil && o != end; o = o.outer {
		o.expected &^= lanes
		o.arrived &^= lanes
	}
	for ; j != nil && j != end; j = j.outer {
		if j.expected != 0 { // its lanes are expected outside too, and have not arrived there
			if j.arrived == j.expected {
				s.open(j)
			}
			return
		}
	}
}

// open lets the lanes that have arrived at a join go on.
func (s *state) open(j *join) {
	p := &path{pc: j.at, mask: j.arrived, act: j.act, join: j.outer}
	s.add(p)
	s.settle(p)
}

// Active implements simt.WaveState.
func (s *state) Active(*simt.Wave) uint64 {
	if s.cur == nil {
		return 0
	}
	return uint64(s.cur.mask)
}

// LanePC implements simt.WaveState.
func (s *state) LanePC(w *simt.Wave, lane int) uint64 {
	act, at := s.where(lane)
	if act == nil {
		return w.PC
	}
	return s.isa.addr(at)
}

// where finds the activation that a lane is in and its next statement; the activation is nil if the
// lane has ended.
func (s *state) where(lane int) (*activation, int32) {
	bit := uint32(1) << lane
	for _, p := range s.paths {
		if p.mask&bit != 0 {
			return p.act, p.pc
		}
	}
	for _, p := range s.paths {
		for j := p.join; j != nil; j = j.outer {
			if j.arrived&bit != 0 {
				return j.act, j.at
			}
		}
	}
	return nil, 0
}

// SetPC implements simt.WaveState.
func (s *state) SetPC(w *simt.Wave, pc uint64) error {
	at, ok := s.isa.index(pc)
	if !ok || s.cur == nil || s.cur.act.fn != s.isa.code[at].fn {
		return fmt.Errorf("cannot go on at %#x: it is no statement of the function that the lanes are in", pc)
	}
	s.cur.pc = at
	w.PC = pc
	return nil
}

// Clone implements simt.WaveState.
func (s *state) Clone() simt.WaveState {
	c := *s
	c.free, c.paths, c.cur, c.acts = nil, nil, nil, nil
	acts, joins := map[*activation]*activation{}, map[*join]*join{}
	var actOf func(a *activation) *activation
	var joinOf func(j *join) *join
	actOf = func(a *activation) *activation {
		if a == nil || acts[a] != nil {
			return acts[a]
		}
		n := *a
		acts[a] = &n
		n.r, n.p = append([]vec(nil), a.r...), append([]uint32(nil), a.p...)
		n.back = joinOf(a.back)
		return &n
	}
	joinOf = func(j *join) *join {
		if j == nil || joins[j] != nil {
			return joins[j]
		}
		n := *j
		joins[j] = &n
		n.act, n.outer = actOf(j.act), joinOf(j.outer)
		return &n
	}
	for _, a := range s.acts {
		c.acts = append(c.acts, actOf(a))
	}
	for _, p := range s.paths {
		n := *p
		n.act, n.join = actOf(p.act), joinOf(p.join)
		c.paths = append(c.paths, &n)
		if p == s.cur {
			c.cur = &n
		}
	}
	return &c
}

// Register files of a wave that a debugger shows: what all functions have. Those of one function have
// names, which [ISA.Register] finds.
var files = []simt.RegFile{
	{Name: "tid_x", Bits: 32, PerLane: true, ReadOnly: true},
	{Name: "tid_y", Bits: 32, PerLane: true, ReadOnly: true},
	{Name: "tid_z", Bits: 32, PerLane: true, ReadOnly: true},
	{Name: "ntid_x", Bits: 32, ReadOnly: true},
	{Name: "ntid_y", Bits: 32, ReadOnly: true},
	{Name: "ntid_z", Bits: 32, ReadOnly: true},
	{Name: "ctaid_x", Bits: 32, ReadOnly: true},
	{Name: "ctaid_y", Bits: 32, ReadOnly: true},
	{Name: "ctaid_z", Bits: 32, ReadOnly: true},
	{Name: "nctaid_x", Bits: 32, ReadOnly: true},
	{Name: "nctaid_y", Bits: 32, ReadOnly: true},
	{Name: "nctaid_z", Bits: 32, ReadOnly: true},
	{Name: "laneid", Bits: 32, PerLane: true, ReadOnly: true},
	{Name: "warpid", Bits: 32, ReadOnly: true},
	{Name: "activemask", Bits: 32, ReadOnly: true},
}

// Files implements simt.Registers.
func (s *state) Files() []simt.RegFile { return files }

// Read implements simt.Registers.
func (s *state) Read(r simt.Reg, lane int, p []byte) error {
	if int(r.File) >= len(files) || len(p) != 4 || lane < 0 || lane >= warpSize {
		return fmt.Errorf("there is no register %d of file %d with %d bytes", r.Index, r.File, len(p))
	}
	binary.LittleEndian.PutUint32(p, s.general(int(r.File), lane))
	return nil
}

// general is a register that all functions have, by the number of its file.
func (s *state) general(file, lane int) uint32 {
	d := s.dispatch
	switch n := file % 3; {
	case file < 3:
		return s.local[lane][n]
	case file < 6:
		return d.Block[n]
	case file < 9:
		return s.group[n]
	case file < 12:
		return d.Groups()[n]
	case file == 12:
		return uint32(lane)
	case file == 13:
		return s.warp
	}
	return uint32(s.Active(nil))
}

// Write implements simt.Registers.
func (s *state) Write(r simt.Reg, lane int, p []byte) error {
	if int(r.File) >= len(files) {
		return fmt.Errorf("there is no register file %d", r.File)
	}
	return fmt.Errorf("%s cannot be written", files[r.File].Name)
}

// A Frame is one activation of a function as a debugger sees it. It implements simt.Registers: what a
// call's record keeps are the registers of the caller, which are those of its activation for as long as
// it lasts.
type Frame struct {
	w  *simt.Wave
	id int
}

// FrameOf is the innermost frame of a lane, and false if the lane has ended.
func FrameOf(w *simt.Wave, lane int) (Frame, bool) {
	act, _ := w.Regs.(*state).where(lane)
	if act == nil {
		return Frame{}, false
	}
	return Frame{w, act.id}, true
}

func (f Frame) act() *activation { return f.w.Regs.(*state).activationOf(f.id) }

// Func is the function that the frame is an activation of, nil if it is over.
func (f Frame) Func() *Func {
	if a := f.act(); a != nil {
		return a.fn.src
	}
	return nil
}

// Base is where the frame begins in the private memory of its lanes.
func (f Frame) Base() uint64 {
	if a := f.act(); a != nil {
		return a.base
	}
	return 0
}

// Files implements simt.Registers.
func (f Frame) Files() []simt.RegFile { return files }

// Read implements simt.Registers.
func (f Frame) Read(r simt.Reg, lane int, p []byte) error { return f.w.Regs.Read(r, lane, p) }

// Write implements simt.Registers.
func (f Frame) Write(r simt.Reg, lane int, p []byte) error { return f.w.Regs.Write(r, lane, p) }

// Register finds a register of the frame's function by its name ("%r12").
func (f Frame) Register(name string) (index, bits int, err error) {
	a := f.act()
	if a == nil {
		return 0, 0, fmt.Errorf("the frame with register %q is gone", name)
	}
	for _, d := range a.fn.src.Regs {
		if i, ok := d.find(name); ok {
			return i, d.Bits, nil
		}
	}
	return 0, 0, fmt.Errorf("%q has no register %q", a.fn.src.Name, name)
}

// ReadRegister is the value of a register in a lane: 0 or 1 for a predicate.
func (f Frame) ReadRegister(index, lane int) (uint64, error) {
	a := f.act()
	if a == nil || index < 0 || index >= len(a.fn.place) || lane < 0 || lane >= warpSize {
		return 0, fmt.Errorf("there is no register %d in the frame", index)
	}
	if at := a.fn.place[index]; at.pred {
		return uint64(a.p[at.n] >> lane & 1), nil
	} else {
		return a.r[at.n][lane], nil
	}
}

// WriteRegister is ReadRegister's counterpart; bits above the register's width are lost.
func (f Frame) WriteRegister(index, lane int, value uint64) error {
	a := f.act()
	if a == nil || index < 0 || index >= len(a.fn.place) || lane < 0 || lane >= warpSize {
		return fmt.Errorf("there is no register %d in the frame", index)
	}
	at := a.fn.place[index]
	if at.pred {
		a.p[at.n] = a.p[at.n]&^(1<<lane) | uint32(value&1)<<lane
		return nil
	}
	a.r[at.n][lane] = value & widthMask(int(at.bits))
	return nil
}

// widthMask has the low bits of a register of some width.
func widthMask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// first is the lowest lane of a mask.
func first(mask uint32) int { return bits.TrailingZeros32(mask) & 31 }
