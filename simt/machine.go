package simt

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// A Dispatch is one launch of a kernel over a grid.
type Dispatch struct {
	Grid  [3]uint32 // work-items in all, each at least 1
	Block [3]uint32 // work-items per workgroup, each at least 1

	Entry        uint64 // address of the kernel's first instruction
	LDSSize      uint32 // bytes per workgroup
	ScratchSize  uint64 // bytes per lane: what StartWave tells the kernel
	ScratchLimit uint64 // bytes per lane: beyond it is a fault; at least ScratchSize

	// Cluster is how many workgroups a cluster has in each direction: they start together, and reach each
	// other's LDS. Zeros are ones.
	Cluster [3]uint32
}

// Groups is how many workgroups there are in each direction.
func (d *Dispatch) Groups() [3]uint32 {
	var n [3]uint32
	for i := range n {
		n[i] = uint32((uint64(d.Grid[i]) + uint64(d.Block[i]) - 1) / uint64(d.Block[i]))
	}
	return n
}

// MaxGroupSize is the most work-items a workgroup can have.
const MaxGroupSize = 1024

func (d *Dispatch) check() error {
	for i := range d.Grid {
		if d.Grid[i] == 0 || d.Block[i] == 0 {
			return fmt.Errorf("grid %v, block %v: every size must be at least 1", d.Grid, d.Block)
		}
	}
	total, groups := uint64(1), uint64(1)
	for i, n := range d.Groups() {
		total *= uint64(d.Block[i])
		if total > MaxGroupSize {
			return fmt.Errorf("block %v: more than %d work-items in a workgroup", d.Block, MaxGroupSize)
		}
		if groups *= uint64(n); groups > 1<<31 {
			return fmt.Errorf("grid %v, block %v: more than 2^31 workgroups", d.Grid, d.Block)
		}
	}
	return d.checkCluster()
}

// A Machine executes one dispatch.
type Machine struct {
	Mem      *Memory
	Dispatch Dispatch

	// Resident is how many waves may be started at once in a debugged run:
	// further workgroups start as others end. At least one workgroup runs.
	Resident int
	// Track makes waves keep a record for a debugger.
	Track bool
	// Statement, if a debugger sets it, gives the statement of the source that an instruction belongs to a
	// number, and 0 to an instruction that belongs to none. begins: the statement begins there. See
	// [WaveState].LanePC.
	Statement func(pc uint64) (n uint64, begins bool)

	// Interpret keeps cores from translating code to that of the host.
	Interpret bool

	// FilterBits is how many bits of fraction the weights have between texels of images, as those of hardware
	// have; 0 says that weights are exact.
	FilterBits uint8

	// MaxInsts is how many instructions [Machine.Run] executes at most, those
	// of all waves together; 0 for any number.
	MaxInsts uint64

	// AllAtOnce makes [Machine.Run] start all workgroups at once, with one worker, and let each have a turn
	// often: they may wait for each other.
	AllAtOnce bool

	// MayWait says that workgroups may wait for later ones: the workers of [Machine.Run], however many, start
	// these beside such as do not come to an end.
	MayWait bool

	// Forgive, if not nil, is asked about each fault while no wave runs. If it answers true, after it has
	// changed memory perhaps, the wave executes the instruction once more, as if nothing had happened.
	Forgive func(ev Event) bool

	// Cores, if not nil, has cores of machines before, and gets those of this one.
	Cores *CorePool

	// Shared is held by a core during atomic operations on global memory if
	// Concurrent is set.
	Shared     sync.Mutex
	Concurrent bool

	observers  []observer
	orderers   []Orderer // among observers
	met        []*Wave   // at a barrier that opened last, while there are orderers
	breaks     []uint64  // addresses of breakpoints, in order
	quiet      bool      // breakpoints do not count: the past is executed again
	generation int       // counts changes that make decoded code stale
	number     uint32    // of all machines
	wanted     Following
	followed   int // counts changes of wanted

	executed  uint64    // instructions, by StepWave and Advance
	snapshots int       // that are not released
	latest    *Snapshot // made or restored, whose pages the next shares

	isa     ISA
	core    Core
	again   Core         // executes the past again, without breakpoints, while there are some
	cores   []Core       // other ones, of [Machine.AdvanceFar]
	groups  []*Workgroup // started and not ended
	ended   []*Workgroup // by the last StepWave
	next    int          // index of the next workgroup to start
	turn    int          // whose turn it is among the resident waves
	spares  *sync.Pool   // of *Workgroup: that have ended, for others to start in
	waves   []*Wave      // the resident ones, rebuilt when groups change
	retired Stats

	amid bool // waves that keep records have stopped in bulk before their ends, and are not to any more

	translation Translation
}

// Stats counts what was executed. A lane instruction is one lane executing one instruction: a lane counts
// that is active and that neither a guard nor a predicate switches off, of a branch, too. What the wave
// executes as one, whichever lanes are active, counts for none of them: gfx9's scalar instructions, Gen's
// without mask.
type Stats struct {
	Waves, Insts, LaneInsts uint64
}

// New returns a machine for one dispatch on one instruction set.
func New(mem *Memory, isa ISA, d Dispatch) (*Machine, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	// A pool that is used is kept until the collection after the next: without the machine that it is of.
	return &Machine{Mem: mem, number: machines.Add(1), Dispatch: d, Resident: 32, isa: isa,
		spares: new(sync.Pool)}, nil
}

// machines are how many have been made.
var machines atomic.Uint32

// ISA is what the machine was made with.
func (m *Machine) ISA() ISA { return m.isa }

// SetBreakpoint makes waves stop before the instruction at an address.
func (m *Machine) SetBreakpoint(addr uint64) {
	if i, has := slices.BinarySearch(m.breaks, addr); !has {
		m.breaks = slices.Insert(m.breaks, i, addr)
	}
	m.generation++
}

// ClearBreakpoint undoes SetBreakpoint.
func (m *Machine) ClearBreakpoint(addr uint64) {
	if i, has := slices.BinarySearch(m.breaks, addr); has {
		m.breaks = slices.Delete(m.breaks, i, i+1)
	}
	m.generation++
}

// BreaksWithin reports whether there is a breakpoint from an address on, up to another.
func (m *Machine) BreaksWithin(lo, hi uint64) bool {
	i, _ := slices.BinarySearch(m.breaks, lo)
	return i < len(m.breaks) && m.breaks[i] < hi && !m.quiet
}

// sharesLDS reports whether waves of a workgroup may see of each other's turns what LDS has.
func (m *Machine) sharesLDS() bool {
	a, ok := m.isa.(LDSAvoider)
	return m.Dispatch.LDSSize > 0 && !(ok && a.AvoidsLDS())
}

// HasBreakpoint reports whether waves stop before the instruction at an address.
func (m *Machine) HasBreakpoint(addr uint64) bool {
	_, has := slices.BinarySearch(m.breaks, addr)
	return has && !m.quiet
}

// Invalidate makes cores forget decoded instructions, after code in memory has changed.
func (m *Machine) Invalidate() {
	m.generation++
	m.followersChanged()
}

// Generation changes whenever what a core has decoded or knows of breakpoints is no longer so.
func (m *Machine) Generation() int {
	if m.ignoresBreaks() {
		return ^m.generation
	}
	return m.generation
}

// ignoresBreaks reports whether there are breakpoints that do not count now.
func (m *Machine) ignoresBreaks() bool { return m.quiet && len(m.breaks) > 0 }

// stepper is the core that executes single waves now, which may not have been made yet. What was decoded with
// breakpoints and what was decoded without are kept apart, so that who goes back and forth in time decodes
// neither anew.
func (m *Machine) stepper() *Core {
	if m.ignoresBreaks() {
		return &m.again
	}
	return &m.core
}

// CodeAt is the code from an address on, or nil where none is mapped.
func (m *Machine) CodeAt(addr uint64) []byte {
	r := m.Mem.Find(addr)
	if r == nil || r.Perm&PermExec == 0 {
		return nil
	}
	return r.Data[addr-r.Base:]
}

// InstAt describes the instruction at an address.
func (m *Machine) InstAt(addr uint64) (Inst, error) {
	code := m.CodeAt(addr)
	if code == nil {
		return Inst{}, fmt.Errorf("no code at %#x", addr)
	}
	return m.isa.Inst(code, addr)
}

// EndsAt reports whether the instruction at an address ends the wave, or lanes of it.
func (m *Machine) EndsAt(addr uint64) bool {
	in, err := m.InstAt(addr)
	return err == nil && in.Flow == FlowEnd
}

// Ending is the mask of lanes that the next instruction of a wave ends.
func (m *Machine) Ending(w *Wave) uint64 {
	if !m.EndsAt(w.PC) {
		return 0
	}
	if e, ok := w.Regs.(Ender); ok {
		return e.EndingLanes(w) & w.Valid
	}
	return w.Valid
}

func (m *Machine) groupCount() int {
	n := m.Dispatch.Groups()
	return int(n[0]) * int(n[1]) * int(n[2])
}

// startGroup makes the workgroup that is started as the one with a number, and its waves, out of one that
// nobody looks at any more if there is one.
func (m *Machine) startGroup(number int) (*Workgroup, error) {
	g, _ := m.spareGroups().Get().(*Workgroup)
	if g == nil || len(g.LDS) != int(m.Dispatch.LDSSize) {
		g = &Workgroup{LDS: make([]byte, m.Dispatch.LDSSize)}
	} else {
		clear(g.LDS)
	}
	index := m.Dispatch.indexOf(number)
	g.number, g.Peers, g.Rank = number, nil, 0
	m.Dispatch.place(g, index)
	g.from, g.begun = 0, 0
	size, items := m.isa.WaveSize(), g.items()
	count, perGroup := m.WavesOf(g), m.wavesPerGroup()
	g.Waves = slices.Grow(g.Waves[:0], count)[:count]
	for i := range g.Waves {
		if err := m.startWave(&g.Waves[i], g, i, index*perGroup+i, min(size, items-i*size)); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// place says where in the dispatch the workgroup of an index is.
func (d *Dispatch) place(g *Workgroup, index int) {
	n := d.Groups()
	g.Index = index
	rest := uint32(index)
	for i := range g.ID {
		g.ID[i] = rest % n[i]
		rest /= n[i]
		g.Size[i] = min(d.Block[i], d.Grid[i]-g.ID[i]*d.Block[i])
	}
	g.Before = d.itemsBefore(g)
}

// ItemsBefore is how many work-items of the dispatch are in waves before the one of an ID, which need not
// have started; false if there is none of that ID.
func (m *Machine) ItemsBefore(wave int) (n uint64, ok bool) {
	perGroup := m.wavesPerGroup()
	if wave < 0 || wave/perGroup >= m.groupCount() {
		return 0, false
	}
	var g Workgroup
	m.Dispatch.place(&g, wave/perGroup)
	n = uint64(wave%perGroup) * uint64(m.isa.WaveSize())
	return g.Before + n, n < uint64(g.Size[0])*uint64(g.Size[1])*uint64(g.Size[2])
}

// itemsBefore is how many work-items are in workgroups before one: in whole layers, in rows of its layer, and
// in its row. The last in each direction may be partial.
func (d *Dispatch) itemsBefore(g *Workgroup) uint64 {
	x, y, z := uint64(g.ID[0]*d.Block[0]), uint64(g.ID[1]*d.Block[1]), uint64(g.ID[2]*d.Block[2])
	width, height := uint64(d.Grid[0]), uint64(d.Grid[1])
	return width*height*z + (width*y+x*uint64(g.Size[1]))*uint64(g.Size[2])
}

// wavesPerGroup is how many waves a whole workgroup has.
func (m *Machine) wavesPerGroup() int { return m.WavesOf(&Workgroup{Size: m.Dispatch.Block}) }

// WavesOf is how many waves a workgroup has.
func (m *Machine) WavesOf(g *Workgroup) int {
	size := m.isa.WaveSize()
	return (g.items() + size - 1) / size
}

// items is how many work-items a workgroup has.
func (g *Workgroup) items() int { return int(g.Size[0] * g.Size[1] * g.Size[2]) }

// spare keeps a workgroup that has ended, and that nobody looks at any more, for others to start in.
func (m *Machine) spare(g *Workgroup) { m.spareGroups().Put(g) }

// spareGroups are the machine's, or those of all machines that share cores with it.
func (m *Machine) spareGroups() *sync.Pool {
	if m.Cores != nil {
		return &m.Cores.spares
	}
	return m.spares
}

// startWave starts a wave in the place of one that has ended, or of none.
func (m *Machine) startWave(place **Wave, g *Workgroup, index, id, lanes int) error {
	w := *place
	if w == nil {
		w = &Wave{}
		*place = w
	}
	m.place(w, g, index, id, lanes)
	if !m.Track {
		w.Track = nil
	} else {
		if w.Track == nil {
			w.Track = &Track{}
		}
		w.Track.begin(m)
	}
	err := Contained("start", func() error { return m.isa.StartWave(w, &m.Dispatch) })
	if err != nil {
		return fmt.Errorf("start wave %d: %w", id, err)
	}
	return nil
}

// place makes a wave, which may have been another, one that is to start.
func (m *Machine) place(w *Wave, g *Workgroup, index, id, lanes int) {
	size := m.isa.WaveSize()
	valid := ^uint64(0) >> (64 - lanes)
	clear(w.Scratch)
	*w = Wave{ID: id, Index: index, Group: g, Size: size, Valid: valid, Exec: valid, PC: m.Dispatch.Entry,
		Regs: w.Regs, Scratch: w.Scratch, Track: w.Track,
		ScratchLimit: (m.Dispatch.ScratchLimit + 3) / 4 * 4 * uint64(size)} // whole dwords: they are swizzled
	if uint64(len(w.Scratch)) > w.ScratchLimit {
		w.Scratch = w.Scratch[:w.ScratchLimit] // it was another launch's
	}
}

// Place makes a wave the one of an index in a workgroup, as [ISA.StartWave] wants it, for a core that
// executes it without anybody looking at it. It reports whether the workgroup has it.
func (m *Machine) Place(w *Wave, g *Workgroup, index int) bool {
	size := m.isa.WaveSize()
	left := g.items() - index*size
	if left <= 0 {
		return false
	}
	m.place(w, g, index, g.Index*m.wavesPerGroup()+index, min(size, left))
	return true
}

// PlaceNext makes a wave that Place has made the next one of its workgroup, if that has another.
func (m *Machine) PlaceNext(w *Wave) bool {
	left := w.Group.items() - (w.Index+1)*w.Size
	if left <= 0 {
		return false
	}
	w.ID++
	w.Index++
	w.begin(&m.Dispatch, left)
	return true
}

// PlaceBehind makes a wave that Place has made, of a series, the one that is n waves behind it: see
// [SeriesRunner].
func (m *Machine) PlaceBehind(w *Wave, n int) {
	perGroup := m.wavesPerGroup()
	at := w.Index + n
	w.ID += n
	if w.Index = at % perGroup; at >= perGroup {
		m.Dispatch.place(w.Group, w.Group.Index+at/perGroup)
	}
	w.begin(&m.Dispatch, w.Group.items()-w.Index*w.Size)
}

// PlaceGroupBehind makes a workgroup of a series the one behind it.
func (m *Machine) PlaceGroupBehind(g *Workgroup) { m.Dispatch.place(g, g.Index+1) }

// begin makes a wave one that has executed nothing, with so many lanes, or as many as it can have.
func (w *Wave) begin(d *Dispatch, lanes int) {
	w.Valid = ^uint64(0) >> (64 - min(lanes, w.Size))
	w.Exec, w.PC, w.State, w.SkipBreak, w.Insts, w.LaneInsts = w.Valid, d.Entry, Ready, false, 0, 0
	clear(w.Scratch)
}

// Waves returns the waves that have been started and whose workgroup has not
// ended, in dispatch order.
func (m *Machine) Waves() []*Wave { return m.waves }

// Fill starts workgroups up to the limit of resident waves.
func (m *Machine) Fill() error {
	changed := false
	var peers []*Workgroup
	size := m.Dispatch.clusterSize()
	for m.next < m.groupCount() {
		if m.next%size == 0 && len(m.waves) > 0 && len(m.waves)+m.wavesPerGroup()*size > m.Resident {
			break
		}
		g, err := m.startGroup(m.next)
		if err != nil {
			return err
		}
		peers = m.Dispatch.join(g, peers)
		m.next++
		m.groups = append(m.groups, g)
		m.waves = append(m.waves, g.Waves...)
		changed = true
	}
	if changed {
		m.turn = 0
	}
	if changed && size > 1 { // clusters do not start in dispatch order
		slices.SortFunc(m.groups, func(a, b *Workgroup) int { return cmp.Compare(a.Index, b.Index) })
		m.listWaves()
	}
	return nil
}

// listWaves lists those of the workgroups that have started and not ended.
func (m *Machine) listWaves() {
	m.waves = nil
	for _, g := range m.groups {
		m.waves = append(m.waves, g.Waves...)
	}
}

// Started is how many workgroups have been started.
func (m *Machine) Started() int { return m.next }

// Done reports whether every workgroup has run to its end.
func (m *Machine) Done() bool { return len(m.waves) == 0 && m.next >= m.groupCount() }

// Stats returns what has been executed so far by [Machine.Run], or by
// [Machine.Advance] and [Machine.StepWave].
func (m *Machine) Stats() Stats {
	s := m.retired
	for _, w := range m.waves {
		s.Waves++
		s.Insts += w.Insts
		s.LaneInsts += w.LaneInsts
	}
	return s
}

// StepWave executes up to n instructions of one resident wave. Barriers that
// are complete open, and workgroups whose waves have all ended make room for
// others, before it returns.
func (m *Machine) StepWave(w *Wave, n uint64) (Event, error) {
	if w.State != Ready {
		return Event{Kind: NoEvent, Wave: w, PC: w.PC}, nil
	}
	core := m.stepper()
	if *core == nil {
		*core = m.isa.NewCore(m)
	}
	m.release()
	before := w.Insts
	ev, broken := runCore(*core, w, n)
	for !broken && m.forgiven(ev) {
		done := w.Insts - before
		ev = Event{Kind: NoEvent, Wave: w, PC: w.PC}
		if done >= n {
			break
		}
		ev, broken = runCore(*core, w, n-done)
	}
	if broken {
		*core = nil
	}
	m.executed += w.Insts - before
	switch ev.Kind {
	case BarrierEvent:
		m.arrived(ev)
		m.openBarrier(w.Group)
	case EndEvent:
		m.arrived(ev)
		m.openBarrier(w.Group)
		if w.Group.ended() {
			m.retire(w.Group)
			if err := m.Fill(); err != nil {
				return ev, err
			}
		}
	}
	return ev, nil
}

// Advance gives the next wave that can run, in round-robin order, up to n
// instructions. Its event is NoEvent with a nil wave if none can run.
func (m *Machine) Advance(n uint64) (Event, error) {
	for range m.waves {
		if m.turn >= len(m.waves) {
			m.turn = 0
		}
		w := m.waves[m.turn]
		m.turn++
		if w.State == Ready {
			return m.StepWave(w, n)
		}
	}
	return Event{}, nil
}

// Stuck reports that no resident wave can run although some have not ended:
// all wait at barriers or have faulted.
func (m *Machine) Stuck() bool {
	for _, w := range m.waves {
		if w.State == Ready {
			return false
		}
	}
	return len(m.waves) > 0
}

// release gives away the memory of waves that had ended when StepWave returned: who called it has looked at
// them.
func (m *Machine) release() {
	for _, g := range m.ended {
		for _, w := range g.Waves {
			if r, ok := w.Regs.(Releaser); ok {
				r.Release()
			}
		}
	}
	m.ended = m.ended[:0]
}

func (m *Machine) retire(g *Workgroup) {
	m.ended = append(m.ended, g)
	for i, o := range m.groups {
		if o == g {
			m.groups = append(m.groups[:i], m.groups[i+1:]...)
			break
		}
	}
	for _, w := range g.Waves {
		m.retired.Waves++
		m.retired.Insts += w.Insts
		m.retired.LaneInsts += w.LaneInsts
	}
	m.listWaves()
	m.turn = 0
}

// openBarrier lets the waves go on if all that have not ended wait.
func (m *Machine) openBarrier(g *Workgroup) {
	if len(g.Peers) == 0 {
		m.openBarrierOf(g)
		return
	}
	for _, p := range g.Peers { // who waits may wait for any of them
		for _, w := range p.Waves {
			if w.State == Ready || w.State == Faulted {
				return
			}
		}
	}
	for _, p := range g.Peers {
		m.openBarrierOf(p)
	}
}

// openBarrierOf is openBarrier for a workgroup by itself.
func (m *Machine) openBarrierOf(g *Workgroup) {
	waiting := 0
	for _, w := range g.Waves {
		if w.State == Ready || w.State == Faulted {
			return
		}
		if w.State == AtBarrier {
			waiting++
		}
	}
	if waiting > 0 && m.Ordered() {
		m.OpenedOf(g)
	}
	for _, w := range g.Waves {
		if w.State == AtBarrier {
			w.State = Ready
		}
	}
}

func (g *Workgroup) ended() bool {
	for _, w := range g.Waves {
		if w.State != Ended {
			return false
		}
	}
	return true
}
