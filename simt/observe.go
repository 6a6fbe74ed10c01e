package simt

// An Access is what one instruction of a wave is about to do to memory. All of
// it has been checked: it will happen.
type Access struct {
	Wave *Wave
	PC   uint64 // of the instruction

	Space               Space      // Global, LDS or Scratch
	Of                  *Workgroup // whose LDS it is; nil for that of the wave's own workgroup
	Read, Write, Atomic bool
	Size                int    // bytes that each lane touches in a row
	Lanes               uint64 // the lanes that access, a mask
	Addr                *[MaxLanes]uint64

	// Order and Scope are what the instruction of an atomic access says itself;
	// what fences beside it add is told by [Machine.Fence].
	Order Order
	Scope Scope
	// Perhaps says of an access that is not Atomic that the program may mean an
	// atomic load or store: the instruction set has no other.
	Perhaps bool
	// Near says of one that is Perhaps: for the workgroup alone; one for the device is made otherwise.
	Near bool
	// Unmarked says that one that is not Atomic may be an atomic load or store for the workgroup, which the
	// source alone can tell.
	Unmarked bool
	// InOrder says that whoever of its workgroup sees what the access writes sees what its wave has done in
	// global memory before.
	InOrder bool
	// Base is the address that the lanes' addresses were computed from, where the
	// instruction has it apart from what is added; else 0.
	Base uint64
	// Meant is the object that the lanes' addresses were computed from, where the machine
	// knows that; else nil.
	Meant *Object
	// Joined says that a compiler may have put it together with others: its place in the
	// source may be that of another.
	Joined bool
	// Deferred says that the machine itself follows what a read gives, and tells
	// when it matters that nothing had been written there.
	Deferred bool
	// Blank are the lanes for which nothing had been written where they read: an
	// observer says so, of a Deferred read. Nothing are the lanes that write what
	// nothing has written: the machine says so.
	Blank, Nothing uint64
	// Parts are those of which Blank and Nothing are said one by one, of an access of several; else nil.
	Parts *Parts
	// Bytes say the same byte by byte, a bit for each of a lane's, where the machine follows values so
	// closely: of a read the observer says which nothing had been written to, also of one that is not
	// Deferred; of a write the machine says so. It is nil for accesses of more than 64 bytes.
	Bytes *[MaxLanes]uint64
	// Amid are lanes of Blank that read no more of a word of 8 bytes than padding of a structure may be,
	// while others of it had been written: an observer says so, who then leaves it to the machine to tell
	// when it matters.
	Amid uint64
	// Spoilt are lanes of which bytes have nothing that were computed from such: of a write the machine says
	// so, of a read the observer. They are no padding.
	Spoilt uint64
	// Data gives the bytes that a lane writes; nil where the machine does not
	// know them before the write, as for most atomic operations.
	Data func(lane int, p []byte)
}

// Group is the workgroup whose LDS is accessed.
func (a *Access) Group() *Workgroup {
	if a.Of != nil {
		return a.Of
	}
	return a.Wave.Group
}

// Parts are what lies side by side in an access: for each part of Size bytes, the lanes of [Access.Blank]
// and of [Access.Nothing].
type Parts struct {
	Size           int
	Blank, Nothing []uint64
}

// An Object is a variable of a program: the bytes from Lo up to Hi of a space.
type Object struct {
	Name   string
	Space  Space
	Lo, Hi uint64
	Stride uint64 // from one element to the next; 0 if it is not known to be an array
}

// Order is how an atomic access or a fence orders others: a set.
type Order uint8

// The orders.
const (
	Acquire Order = 1 << iota // what the other side released happened before what follows
	Release                   // what came before has happened for whoever acquires
	Relaxed Order = 0
)

// Scope says among whom an order holds.
type Scope uint8

// The scopes, the widest first.
const (
	DeviceScope Scope = iota // and wider
	GroupScope
	WaveScope
)

// A Fence orders a wave's accesses to some memories.
type Fence struct {
	Order  Order
	Scope  Scope
	Spaces uint8 // a bit for each Space: Global, LDS
	// Lanes are those that a fence of WaveScope is for; 0 for all.
	Lanes uint64
}

// AllSpaces is Fence.Spaces of the memories that waves share.
const AllSpaces = 1<<Global | 1<<LDS

// A Use is an instruction that uses what a register does not hold yet.
type Use struct {
	Wave  *Wave
	PC    uint64 // of the instruction
	Lanes uint64 // the lanes that it concerns, a mask
	Waits bool   // a load that has not been waited for is to give it; otherwise nothing has
	From  uint64 // the load, or where the value without contents came from; 0 if that is not known
	Text  string // what is used and for what: "v3 is an address"
}

// A Follower is an observer that wants machines to follow what registers hold, those that can.
type Follower interface {
	Observer
	// Follows says what is wanted. Who changes his mind calls [Machine.Invalidate].
	Follows() Following
	// Used is told of a use. If it answers true the wave stops after the instruction, with a
	// [WatchEvent].
	Used(u *Use) (stop bool)
}

// Following is what followers want machines to follow.
type Following struct {
	Values    bool // whether something has been written to what is used
	Waits     bool // whether loads have been waited for
	Objects   bool // what objects addresses are computed from
	Undefined bool // whether instructions do what their machine leaves undefined, which a [Judge] is told
	NaN       bool // whether they make NaNs or infinities of finite numbers, which a [Judge] is told, too
}

// Follows says what followers want.
func (m *Machine) Follows() (all Following) {
	for _, o := range m.orderers {
		if f, ok := o.(Follower); ok {
			w := f.Follows()
			all = Following{all.Values || w.Values, all.Waits || w.Waits, all.Objects || w.Objects,
				all.Undefined || w.Undefined, all.NaN || w.NaN}
		}
	}
	return all
}

// Used tells followers of a use.
func (m *Machine) Used(u *Use) (stop bool) {
	for _, o := range m.orderers {
		if f, ok := o.(Follower); ok && f.Used(u) {
			stop = true
		}
	}
	return stop
}

// An Extent is the bytes from Lo up to Hi.
type Extent struct{ Lo, Hi uint64 }

// A ScratchGiver is an ISA that tells which bytes of each lane's scratch
// StartWave has filled; one that is none fills no bytes.
type ScratchGiver interface {
	GivenScratch() []Extent
}

// An LDSUser is an ISA whose programs have no use for some of LDS: it says which of it they have. Of others
// that is all.
type LDSUser interface {
	UsedLDS() Extent
}

// A Sparing observer may do without being told of loads of what a [ScratchGiver] gives.
type Sparing interface {
	Selective
	// SparesGiven reports whether it does, of a wave's scratch.
	SparesGiven(w *Wave) bool
}

// SparesGiven reports whether all who want to know of a wave's loads from scratch do.
func (m *Machine) SparesGiven(w *Wave) bool {
	for i := range m.observers {
		o := &m.observers[i]
		if o.snapshots {
			continue
		}
		if o.wants(w, Scratch, false) && (o.sparing == nil || !o.sparing.SparesGiven(w)) {
			return false
		}
	}
	return true
}

// A PrivateOwner is an ISA whose waves have memory for themselves in regions that are [Region.Private]; false
// if a wave has none.
type PrivateOwner interface {
	PrivateMemory(w *Wave) (Extent, bool)
}

// A Meeting is a barrier that opens.
type Meeting struct {
	Waves   []*Wave // of one workgroup, or of one cluster, that have waited and may go on
	Barrier uint8   // its number, of a machine that has several
	// Part says that it is for a part of the workgroup, Anywhere that waves may wait for it at different
	// instructions.
	Part, Anywhere bool
	Cluster        bool // it is for all of a cluster
}

// An Orderer is an Observer that is told, too, of what orders the accesses of
// different waves.
type Orderer interface {
	Observer
	// Fence is told before a wave executes what follows a fence.
	Fence(w *Wave, f Fence)
	// Arrived is told that a wave waits at a barrier, with the event that says so.
	Arrived(ev Event)
	// Came is told that a wave has come to a barrier, by its number, and does not wait for it.
	Came(w *Wave, barrier uint8)
	// Opened is told that a barrier has opened. The meeting's waves are overwritten by the next one's.
	Opened(m Meeting)
	// Together is told that lanes of a wave execute in step from here on.
	Together(w *Wave, lanes uint64)
	// Ended is told that a wave has ended.
	Ended(w *Wave)
	// Quiet is told that what happens from now on has happened before, as a
	// history executes it again, or that this is over.
	Quiet(quiet bool)
}

// An Observer is told of every access to memory before it happens. If it
// answers true the wave stops after the instruction, with a [WatchEvent].
type Observer interface {
	Observe(a *Access) (stop bool)
}

// A Selective observer is one that cores need not tell of every access.
type Selective interface {
	Observer
	// Wants reports whether it wants to know of a wave's loads, or of its stores and atomic operations, in
	// a space.
	Wants(w *Wave, space Space, write bool) bool
}

// Wanted reports whether an observer wants to know of a wave's accesses to a space, other than snapshots, of
// what [Memory.WillWrite] has been told.
func (m *Machine) Wanted(w *Wave, space Space, write bool) bool {
	for i := range m.observers {
		o := &m.observers[i]
		if o.snapshots {
			continue
		}
		if o.wants(w, space, write) {
			return true
		}
	}
	return false
}

// A Bounded observer wants to know of accesses to a part of a space.
type Bounded interface {
	Selective
	// Within is all of what it wants to know of, as Wants says, together.
	Within(w *Wave, space Space, write bool) Extent
}

// WantedWithin is where observers want to know of a wave's accesses to a space, all of it together.
func (m *Machine) WantedWithin(w *Wave, space Space, write bool) Extent {
	return m.wantedWithin(w, space, write, true)
}

// wantedWithin is WantedWithin, by snapshots too or not.
func (m *Machine) wantedWithin(w *Wave, space Space, write, snapshots bool) Extent {
	all := Extent{Lo: ^uint64(0)}
	for i := range m.observers {
		o := &m.observers[i]
		if o.snapshots && !snapshots || !o.wants(w, space, write) {
			continue
		}
		e := Extent{Hi: ^uint64(0)}
		if o.bounded != nil {
			e = o.bounded.Within(w, space, write)
		}
		all.Lo, all.Hi = min(all.Lo, e.Lo), max(all.Hi, e.Hi)
	}
	return all
}

// An observer is one of a machine, with all that it is besides; nil for what it is not.
type observer struct {
	Observer
	snapshots bool
	selective Selective
	bounded   Bounded
	aimer     Aimer
	noter     Noter
	reader    LoadsReader
	stride    StrideNoter
	foreseer  Foreseer
	turns     TurnForeseer
	postponer Postponer
	steady    Steady
	sparing   Sparing
}

// observerOf finds out what an observer is: it is asked at each access.
func observerOf(o Observer) (all observer) {
	all.Observer = o
	_, all.snapshots = o.(writes)
	all.selective, _ = o.(Selective)
	all.bounded, _ = o.(Bounded)
	all.aimer, _ = o.(Aimer)
	all.noter, _ = o.(Noter)
	all.reader, _ = o.(LoadsReader)
	all.stride, _ = o.(StrideNoter)
	all.foreseer, _ = o.(Foreseer)
	all.turns, _ = o.(TurnForeseer)
	all.postponer, _ = o.(Postponer)
	all.steady, _ = o.(Steady)
	all.sparing, _ = o.(Sparing)
	return all
}

// wants reports whether it wants to know of a kind of access of a wave.
func (o *observer) wants(w *Wave, space Space, write bool) bool {
	return o.selective == nil || o.selective.Wants(w, space, write)
}

// AddObserver makes the machine tell o of every access that its waves make
// from now on.
func (m *Machine) AddObserver(o Observer) {
	m.observers = append(m.observers, observerOf(o))
	m.observersChanged()
}

// observersChanged finds those that want to know more.
func (m *Machine) observersChanged() {
	m.orderers = nil
	for i := range m.observers {
		if o, ok := m.observers[i].Observer.(Orderer); ok {
			m.orderers = append(m.orderers, o)
		}
	}
	m.generation++
	m.followersChanged()
}

// followersChanged notes what followers want now.
func (m *Machine) followersChanged() {
	if w := m.Follows(); w != m.wanted {
		m.wanted, m.followed = w, m.followed+1
	}
}

// Followed changes whenever followers come to want something else. What a core knows of registers for them is
// of no account then: nobody may have followed what has been executed since.
func (m *Machine) Followed() int { return m.followed }

// Ordered reports whether anybody wants to know of fences.
func (m *Machine) Ordered() bool { return len(m.orderers) > 0 }

// OrdersAlike reports whether observers want to know what orders accesses, the same of all waves as of one:
// then they can be told of waves that change in translated code.
func (m *Machine) OrdersAlike(w *Wave) bool { return m.Ordered() && m.SteadyAt(w) != 0 }

// Fence tells those who want to know of a fence that a wave executes.
func (m *Machine) Fence(w *Wave, f Fence) {
	for _, o := range m.orderers {
		o.Fence(w, f)
	}
}

// Together tells those who want to know that lanes of a wave execute in step from here on. Cores say so where
// lanes that went different ways meet again; which lanes make an access they need not say.
func (m *Machine) Together(w *Wave, lanes uint64) {
	for _, o := range m.orderers {
		o.Together(w, lanes)
	}
}

// arrived tells of a wave that has come to a barrier or to its end.
func (m *Machine) arrived(ev Event) {
	for _, o := range m.orderers {
		if ev.Kind == EndEvent {
			o.Ended(ev.Wave)
		} else {
			o.Arrived(ev)
		}
	}
}

// Ended tells of a wave that has ended without being made: see [BulkRunner].
func (m *Machine) Ended(w *Wave) {
	w.State = Ended
	for _, o := range m.orderers {
		o.Ended(w)
	}
}

// RemoveObserver undoes AddObserver.
func (m *Machine) RemoveObserver(o Observer) {
	if m.removeObserver(o) {
		m.observersChanged()
	}
}

func (m *Machine) removeObserver(o Observer) bool {
	for i := range m.observers {
		if m.observers[i].Observer == o {
			m.observers = append(m.observers[:i:i], m.observers[i+1:]...)
			return true
		}
	}
	return false
}

// Observers are those that look on, in the order in which they were added.
func (m *Machine) Observers() (all []Observer) {
	for i := range m.observers {
		all = append(all, m.observers[i].Observer)
	}
	return all
}

// Observed reports whether anybody wants to know of accesses.
func (m *Machine) Observed() bool { return len(m.observers) > 0 }

// Watched reports whether anybody but snapshots wants to know of accesses.
func (m *Machine) Watched() bool {
	for i := range m.observers {
		if !m.observers[i].snapshots {
			return true
		}
	}
	return false
}

// Observe tells the observers of an access. It reports whether one of them
// wants the wave to stop after the instruction.
func (m *Machine) Observe(a *Access) bool {
	stop := false
	for i := range m.observers {
		if m.observers[i].Observe(a) {
			stop = true
		}
	}
	return stop
}

// An Undefined is something that an instruction of a wave does whose result the rules of its
// machine leave open.
type Undefined struct {
	Wave  *Wave
	PC    uint64 // of the instruction
	Lanes uint64 // the lanes that do it, a mask
	Of    uint64 // the lanes that it concerns besides, a mask
	From  uint64 // an instruction before it by which it is undefined; 0 if there is none
	Text  string // what it is: "shfl.sync reads lanes that it does not name"
	// Detail says more of the lowest lane's, in a sentence; it may be empty.
	Detail string
	// NaN says that it is not undefined, but makes a NaN or an infinity of finite numbers.
	NaN bool
	// Bounds says that it is an access outside of what it is meant for.
	Bounds bool
	// Pointer says that it is no access yet, but a pointer to outside of the type that the instruction has of
	// it.
	Pointer bool
}

// A Judge is an [Observer] that is also told of what is undefined. If it answers true the wave
// stops after the instruction, with a [WatchEvent].
type Judge interface {
	Observer
	Undefined(u *Undefined) (stop bool)
}

// Judged reports whether anybody wants to know of what is undefined: of those who say what they follow, who
// follows that, what addresses are meant for, or NaNs.
func (m *Machine) Judged() bool {
	for i := range m.observers {
		o := m.observers[i].Observer
		if _, ok := o.(Judge); !ok {
			continue
		}
		f, ok := o.(Follower)
		if !ok {
			return true
		}
		if w := f.Follows(); w.Undefined || w.Objects || w.NaN {
			return true
		}
	}
	return false
}

// Undefined tells those observers that are judges, as [Machine.Observe] does.
func (m *Machine) Undefined(u *Undefined) bool {
	stop := false
	for i := range m.observers {
		if j, ok := m.observers[i].Observer.(Judge); ok && j.Undefined(u) {
			stop = true
		}
	}
	return stop
}

// OpenedOf tells of the waves of a workgroup that a barrier lets go on: all that wait.
func (m *Machine) OpenedOf(g *Workgroup) {
	if len(m.orderers) == 0 {
		return
	}
	m.met = m.met[:0]
	for _, w := range g.Waves {
		if w.State == AtBarrier {
			m.met = append(m.met, w)
		}
	}
	m.Opened(Meeting{Waves: m.met})
}

// Opened tells that a barrier has opened. It is for a core that opens barriers itself.
func (m *Machine) Opened(met Meeting) {
	for _, o := range m.orderers {
		o.Opened(met)
	}
}

// Came tells that a wave has come to a barrier and does not wait for it.
func (m *Machine) Came(w *Wave, barrier uint8) {
	for _, o := range m.orderers {
		o.Came(w, barrier)
	}
}

// Arrived tells that lanes of a wave wait at a barrier, where no event of the wave says so.
func (m *Machine) Arrived(ev Event) {
	for _, o := range m.orderers {
		o.Arrived(ev)
	}
}
