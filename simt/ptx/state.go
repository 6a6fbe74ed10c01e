package ptx

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// warpSize is how many lanes a warp has.
const warpSize = 32

// fullMask has all lanes of a warp.
const fullMask = 1<<warpSize - 1

// An activation is one call of a function by some lanes: their registers, and the frame in private memory.
type activation struct {
	id    int
	fn    *function
	r     []vec.Wide
	p     []uint32       // predicates, a bit for each lane
	of    []*simt.Object // whose addresses are in r, as far as somebody wants to know; see objects.go
	since int            // simt.Machine.Followed of known and fresh
	known *contents.Rows // which of r, and of p behind them, have no contents; see contents.go
	fresh bool           // nothing had been executed in it when that began to be followed
	carry uint32         // CC.CF of each lane
	base  uint64         // of the frame in private memory
	top   uint64         // behind it, where a callee's frame begins
	lanes uint32         // that made the call
	back  *join          // where they come together after the call; nil for the kernel
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
	spent    int  // statements that cur has executed since others have waited
	idle     int  // statements since lanes arrived at a join
	yield    bool // a statement wants other paths to run before cur goes on
	free     map[*function][]*activation

	acts []*activation // that are in use

	// arrivals are what bar.arrive has brought to each barrier since it opened last: lanes of the warp
	// that came, and how often all of them had.
	arrived  [allBarriers]uint32
	arrivals [allBarriers]uint32
	awaited  [allBarriers]uint32 // the warps that the barrier waits for, as bar.arrive has said

	// came are lanes that have arrived at the barrier of the cluster, passed those for which it has opened
	// then and that have not waited yet.
	came, passed uint32

	local  [warpSize][3]uint32 // %tid, of a workgroup of the size placed
	placed [3]uint32
	group  [3]uint32 // %ctaid
	warp   uint32    // %warpid
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
		clear(a.of)
		a.carry = 0
	} else {
		a = &activation{fn: f, r: make([]vec.Wide, f.vectors), p: make([]uint32, f.preds)}
	}
	s.nextID++
	a.id, a.base, a.top, a.lanes = s.nextID, base, base+f.frameSize, lanes
	a.known, a.fresh = nil, false
	for _, r := range f.stack {
		fill(&a.r[r.n], base+r.off)
	}
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
		s.idle = 0
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

// part lets lanes that wait at a join go on without the others, which may be waiting for them. It
// reports whether there were any.
func (s *state) part() bool {
	for _, p := range s.paths {
		for j := p.join; j != nil; j = j.outer {
			if j.arrived == 0 {
				continue
			}
			q := &path{pc: j.at, mask: j.arrived, act: j.act, join: j.outer}
			j.expected &^= j.arrived
			j.arrived = 0
			s.add(q)
			s.settle(q)
			return true
		}
	}
	return false
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

// EndedLanes implements simt.Ender.
func (s *state) EndedLanes(w *simt.Wave) uint64 {
	gone := uint32(w.Valid)
	for _, p := range s.paths {
		gone &^= p.mask
		for j := p.join; j != nil; j = j.outer {
			gone &^= j.arrived
		}
	}
	return uint64(gone)
}

// EndingLanes implements simt.Ender.
func (s *state) EndingLanes(*simt.Wave) uint64 {
	if s.cur == nil {
		return 0
	}
	in := &s.isa.code[s.cur.pc]
	if in.flow != simt.FlowEnd {
		return 0
	}
	return uint64(in.guarded(s.cur.act, s.cur.mask))
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

// StateBytes implements simt.Sizer.
func (s *state) StateBytes() int {
	n := 0
	for _, a := range s.acts {
		n += 8*warpSize*len(a.r) + 4*len(a.p)
	}
	return n
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
		n.r, n.p = append([]vec.Wide(nil), a.r...), append([]uint32(nil), a.p...)
		n.of, n.known = slices.Clone(a.of), a.known.Clone()
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

// files are what all functions have, and a debugger shows. They are followed by FileFrame and by those
// registers that functions declare; both are reached by number alone.
var files = []simt.RegFile{
	{Name: "tid_x", Bits: 32, ReadOnly: true},
	{Name: "tid_y", Bits: 32, ReadOnly: true},
	{Name: "tid_z", Bits: 32, ReadOnly: true},
	{Name: "ntid_x", Bits: 32, ReadOnly: true},
	{Name: "ntid_y", Bits: 32, ReadOnly: true},
	{Name: "ntid_z", Bits: 32, ReadOnly: true},
	{Name: "ctaid_x", Bits: 32, ReadOnly: true},
	{Name: "ctaid_y", Bits: 32, ReadOnly: true},
	{Name: "ctaid_z", Bits: 32, ReadOnly: true},
	{Name: "nctaid_x", Bits: 32, ReadOnly: true},
	{Name: "nctaid_y", Bits: 32, ReadOnly: true},
	{Name: "nctaid_z", Bits: 32, ReadOnly: true},
	{Name: "laneid", Bits: 32, ReadOnly: true},
	{Name: "warpid", Bits: 32, ReadOnly: true},
	{Name: "activemask", Bits: 32, ReadOnly: true},
}

// FileFrame is the file of one register, read-only, that has the generic address of a lane's frame.
var FileFrame = uint8(len(files))

// maxClasses bounds the files of registers that functions declare.
const maxClasses = 200

// classes lists the registers that functions declare: those of a name are one file, whatever function
// has them.
func (a *ISA) classes() {
	a.files = append(append([]simt.RegFile(nil), files...),
		simt.RegFile{Name: "frame", Bits: 64, PerLane: true,
			ReadOnly: true})
	for _, fn := range a.funcs {
		for _, r := range fn.src.Regs {
			if _, ok := a.class[r.Name]; ok || len(a.class) == maxClasses {
				continue
			}
			a.class[r.Name] = uint8(len(a.files))
			a.files = append(a.files, simt.RegFile{Name: r.Name, Bits: max(r.Bits, 8), PerLane: true})
		}
	}
}

// RegisterNamed finds a register that some function declares by its name: which function's it is, the
// frame says that it is read in. The % may be left out.
func (a *ISA) RegisterNamed(name string) (simt.Reg, simt.RegFile, bool) {
	digits := len(name)
	for digits > 0 && name[digits-1] >= '0' && name[digits-1] <= '9' {
		digits--
	}
	if file, ok := a.class[name]; ok {
		return simt.Reg{File: file, Index: unnumbered}, a.files[file], true
	}
	for cut := digits; cut < len(name); cut++ {
		file, ok := a.class[name[:cut]]
		n, err := strconv.ParseUint(name[cut:], 10, 16)
		if ok && err == nil && n < unnumbered {
			return simt.Reg{File: file, Index: uint16(n)}, a.files[file], true
		}
	}
	if name != "" && name[0] != '%' {
		return a.RegisterNamed("%" + name)
	}
	return simt.Reg{}, simt.RegFile{}, false
}

// unnumbered is the index of a register that has no number.
const unnumbered = 0xffff

// RegisterNamed finds a register of the functions of the wave's program.
func (s *state) RegisterNamed(name string) (simt.Reg, simt.RegFile, bool) {
	return s.isa.RegisterNamed(name)
}

// Files implements simt.Registers.
func (s *state) Files() []simt.RegFile { return s.isa.files }

// Read implements simt.Registers.
func (s *state) Read(r simt.Reg, lane int, p []byte) error {
	act, _ := s.where(lane)
	return s.read(act, r, lane, p)
}

// check refuses registers, lanes and sizes that there are not.
func (s *state) check(r simt.Reg, lane, size int) error {
	if int(r.File) >= len(s.isa.files) || lane < 0 || lane >= warpSize || size*8 != s.isa.files[r.File].Bits {
		return fmt.Errorf("there is no register %d of file %d with %d bytes", r.Index, r.File, size)
	}
	return nil
}

// read reads a register of a lane, of an activation if it is one that functions declare.
func (s *state) read(act *activation, r simt.Reg, lane int, p []byte) error {
	if err := s.check(r, lane, len(p)); err != nil {
		return err
	}
	if int(r.File) < len(files) {
		binary.LittleEndian.PutUint32(p, s.general(int(r.File), lane))
		return nil
	}
	if act == nil {
		return fmt.Errorf("lane %d has no frame", lane)
	}
	var b [16]byte
	if r.File == FileFrame {
		binary.LittleEndian.PutUint64(b[:], LocalWindow+act.base)
		copy(p, b[:])
		return nil
	}
	at, err := s.isa.declared(act.fn, r)
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint64(b[:], act.get(at, lane))
	copy(p, b[:])
	return nil
}

// declared is the place of a register that a function declares.
func (a *ISA) declared(fn *function, r simt.Reg) (place, error) {
	name := a.files[r.File].Name
	if r.Index != unnumbered {
		name += strconv.Itoa(int(r.Index))
	}
	for _, d := range fn.src.Regs {
		if i, ok := d.find(name); ok {
			return fn.place[i], nil
		}
	}
	return place{}, fmt.Errorf("%s has no register %s", fn.src.Name, name)
}

func (a *activation) get(at place, lane int) uint64 {
	if at.pred {
		return uint64(a.p[at.n] >> lane & 1)
	}
	return a.r[at.n][lane]
}

// set writes a register; bits above its width are lost.
func (a *activation) set(at place, lane int, value uint64) {
	if at.pred {
		a.p[at.n] = a.p[at.n]&^(1<<lane) | uint32(value&1)<<lane
		return
	}
	a.r[at.n][lane] = value & numeric.Mask(int(at.bits))
}

// Write implements simt.Registers.
func (s *state) Write(r simt.Reg, lane int, p []byte) error {
	act, _ := s.where(lane)
	return s.write(act, r, lane, p)
}

func (s *state) write(act *activation, r simt.Reg, lane int, p []byte) error {
	if err := s.check(r, lane, len(p)); err != nil {
		return err
	}
	if r.File <= FileFrame {
		return fmt.Errorf("%s cannot be written", s.isa.files[r.File].Name)
	}
	if act == nil {
		return fmt.Errorf("lane %d has no frame", lane)
	}
	at, err := s.isa.declared(act.fn, r)
	if err != nil {
		return err
	}
	var b [16]byte
	copy(b[:], p)
	act.set(at, lane, binary.LittleEndian.Uint64(b[:]))
	if act.known != nil {
		n := int(at.n)
		if at.pred {
			n += act.fn.vectors
		}
		act.known.Set(contents.Operand(n), 1<<lane, 0, 0)
	}
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

// A Frame has the registers of one activation of a function: what the record of a call keeps are those
// of the caller, which stay for as long as it lasts. It implements simt.Registers.
type Frame struct {
	w  *simt.Wave
	id int
}

// act is the activation, nil if it is over.
func (f Frame) act() (*state, *activation) {
	s := f.w.Regs.(*state)
	return s, s.activationOf(f.id)
}

// Files implements simt.Registers.
func (f Frame) Files() []simt.RegFile { return f.w.Regs.Files() }

// RegisterNamed finds a register of the functions of the wave's program.
func (f Frame) RegisterNamed(name string) (simt.Reg, simt.RegFile, bool) {
	return f.w.Regs.(*state).RegisterNamed(name)
}

// Read implements simt.Registers.
func (f Frame) Read(r simt.Reg, lane int, p []byte) error {
	s, act := f.act()
	return s.read(act, r, lane, p)
}

// Write implements simt.Registers.
func (f Frame) Write(r simt.Reg, lane int, p []byte) error {
	s, act := f.act()
	return s.write(act, r, lane, p)
}

// Result reads what a lane has come back with from a call: it lies where the call statement wants it,
// in the frame of the caller.
func Result(w *simt.Wave, lane int, call *simt.Call, p []byte) error {
	f, ok := call.Regs.(Frame)
	s, isState := w.Regs.(*state)
	if !ok || !isState {
		return fmt.Errorf("the call at %#x has no record of this machine", call.Site)
	}
	_, act := f.act()
	at, found := s.isa.index(call.Site)
	if act == nil || !found || s.isa.code[at].call == nil {
		return fmt.Errorf("the call at %#x is over", call.Site)
	}
	results := s.isa.code[at].call.results
	if len(results) == 0 || results[0].kind != fromFrame {
		return fmt.Errorf("the call at %#x takes no result", call.Site)
	}
	_, err := w.ReadScratch(lane, act.base+results[0].off, p)
	return err
}

// first is the lowest lane of a mask.
func first(mask uint32) int { return bits.TrailingZeros32(mask) & 31 }

// CallSites implements simt.Caller.
func (s *state) CallSites(_ *simt.Wave, lane int, sites []uint64) (all []uint64, whole bool) {
	for act, _ := s.where(lane); act != nil && act.back != nil; act = act.back.act {
		sites = append(sites, act.back.act.fn.addr(act.back.at-1))
	}
	return sites, true
}
