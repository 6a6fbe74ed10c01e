package fidelity

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/shadow"
)

// A Machine is an instruction set that follows its registers for a tracker.
type Machine interface {
	simt.ISA
	// FollowsInexact says which instructions count as inexact, for a report that has none.
	FollowsInexact() string
}

var errNotFollowed = errors.New("this machine does not follow the results of inexact instructions; " +
	"docs/fidelity.md says what is inexact")

// Lanes are the origins of a value in each lane.
type Lanes [simt.MaxLanes]Origins

// A Tracker knows where values come from. It implements simt.Orderer, so that code is interpreted while it
// looks on, and by one core at a time.
type Tracker struct {
	m       *simt.Machine
	sites   []*site
	siteOf  map[uint64]*site // by PC
	sets    sets
	reached map[place]*reach
	any     bool        // has been executed
	waves   map[int]any // registers, by wave
	memories

	accesses []Access // of the instruction under way
}

// memories are the origins of bytes.
type memories struct {
	global  *shadow.Memory[Origins]
	lds     map[int]*shadow.Memory[Origins] // by workgroup
	scratch map[int]*shadow.Memory[Origins] // by wave, in the order of its own bytes
}

// A site is an inexact instruction of the program.
type site struct {
	number       int
	pc           uint64
	text, far    string
	refined      bool // see Refinable
	insts, lanes uint64
}

// A place is where something was reached.
type place struct {
	kind Kind
	pc   uint64
}

type reach struct {
	text  string
	lanes map[Origins]uint64
}

// New makes a tracker for a machine. It is an error if that cannot be followed.
func New(m *simt.Machine) (*Tracker, error) {
	if _, ok := m.ISA().(Machine); !ok {
		return nil, errNotFollowed
	}
	t := &Tracker{m: m, siteOf: map[uint64]*site{}, reached: map[place]*reach{}, waves: map[int]any{}}
	t.sets = newSets()
	t.memories = memories{newMemory(), map[int]*shadow.Memory[Origins]{}, map[int]*shadow.Memory[Origins]{}}
	return t, nil
}

func newMemory() *shadow.Memory[Origins] { return shadow.New[Origins](nil) }

// Follow makes the tracker look on while a machine runs, which has not begun: that of New, or another one of
// the same code and memory after it has ended.
func (t *Tracker) Follow(m *simt.Machine) {
	t.m.RemoveObserver(t)
	t.m = m
	clear(t.waves)
	clear(t.lds)
	clear(t.scratch)
	m.AddObserver(t)
}

// Of is the tracker that looks on, nil if none does.
func Of(m *simt.Machine) *Tracker {
	for _, o := range m.Observers() {
		if t, ok := o.(*Tracker); ok {
			return t
		}
	}
	return nil
}

// Registers is what a machine keeps for a wave until it ends; fresh makes it.
func (t *Tracker) Registers(w *simt.Wave, fresh func() any) any {
	r := t.waves[w.ID]
	if r == nil {
		r = fresh()
		t.waves[w.ID] = r
	}
	return r
}

// A Site is an inexact instruction, as a machine knows it.
type Site struct{ s *site }

// Site is the inexact instruction at an address. Far says how far its result may be from hardware's. What a
// refinable one gives only begins a computation whose end is the same whatever it gave, as compilers'
// divisions do.
func (t *Tracker) Site(pc uint64, text, far string, refinable bool) Site {
	s := t.siteOf[pc]
	if s == nil {
		s = &site{number: len(t.sites), pc: pc, text: text, far: far, refined: refinable}
		t.sites, t.siteOf[pc] = append(t.sites, s), s
	}
	return Site{s}
}

// Ran counts an execution of an inexact instruction by some lanes, and gives the origin of its result.
func (t *Tracker) Ran(s Site, lanes int) Origins {
	t.any = true
	s.s.insts++
	s.s.lanes += uint64(lanes)
	return t.sets.one(s.s.number)
}

// AllExact reports whether no inexact instruction has been executed yet.
func (t *Tracker) AllExact() bool { return !t.any }

// Union is what comes from either.
func (t *Tracker) Union(a, b Origins) Origins { return t.sets.union(a, b) }

// Join adds to the origins of lanes those of others.
func (t *Tracker) Join(a *Lanes, b *Lanes) {
	for l, o := range b {
		if o != 0 {
			a[l] = t.sets.union(a[l], o)
		}
	}
}

// JoinAll adds an origin to all lanes of a mask.
func (t *Tracker) JoinAll(a *Lanes, o Origins, mask uint64) {
	if o == 0 {
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		l := bits.TrailingZeros64(mask)
		a[l] = t.sets.union(a[l], o)
	}
}

// Refined are those of some origins whose results are not refinable.
func (t *Tracker) Refined(o Origins) Origins {
	return t.sets.filter(o, func(site int) bool { return !t.sites[site].refined })
}

// Reached says that values decide something in the lanes of a mask, at the instruction at pc. Values without
// an origin are exact.
func (t *Tracker) Reached(kind Kind, pc uint64, text fmt.Stringer, values *Lanes, mask uint64) {
	var r *reach
	for ; mask != 0; mask &= mask - 1 {
		o := values[bits.TrailingZeros64(mask)]
		if o == 0 {
			continue
		}
		if r == nil {
			if r = t.reached[place{kind, pc}]; r == nil {
				r = &reach{text: text.String(), lanes: map[Origins]uint64{}}
				t.reached[place{kind, pc}] = r
			}
		}
		r.lanes[o]++
	}
}

// An Access is one that the instruction under way makes, with the addresses of its lanes.
type Access struct {
	simt.Access
	Lane [simt.MaxLanes]uint64
}

// Begin forgets the accesses of the last instruction.
func (t *Tracker) Begin() { t.accesses = t.accesses[:0] }

// Accesses are those that an instruction has made since Begin, in their order.
func (t *Tracker) Accesses() []Access { return t.accesses }

// Observe implements simt.Observer.
func (t *Tracker) Observe(a *simt.Access) (stop bool) {
	n := len(t.accesses)
	t.accesses = slices.Grow(t.accesses, 1)[:n+1]
	t.accesses[n].Access, t.accesses[n].Lane = *a, *a.Addr
	return false
}

var _ simt.Orderer = (*Tracker)(nil)

// Fence implements simt.Orderer.
func (t *Tracker) Fence(*simt.Wave, simt.Fence) {}

// Arrived implements simt.Orderer.
func (t *Tracker) Arrived(simt.Event) {}

// Came implements simt.Orderer.
func (t *Tracker) Came(*simt.Wave, uint8) {}

// Opened implements simt.Orderer.
func (t *Tracker) Opened(simt.Meeting) {}

// Together implements simt.Orderer.
func (t *Tracker) Together(*simt.Wave, uint64) {}

// Quiet implements simt.Orderer.
func (t *Tracker) Quiet(bool) {}

// Ended implements simt.Orderer: what a wave has for itself is forgotten.
func (t *Tracker) Ended(w *simt.Wave) {
	delete(t.waves, w.ID)
	delete(t.scratch, w.ID)
	for _, other := range w.Group.Waves {
		if other != w && other.State != simt.Ended {
			return
		}
	}
	delete(t.lds, w.Group.Index)
}
