package simttest

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"simtgdb/simt"
)

// A Seer is told what waves do, and works out itself what those do that it foresees: it keeps all of it.
type Seer struct {
	Foretold int // waves
	// Skips says of what it does not keep that it was told; it may be nil.
	Skips func(space simt.Space, at uint64) bool

	refuses uint64 // instructions, by some bits of their addresses, of which it is not told ahead
	by      map[int]*seenWave
	asked   int
}

// A seenWave is what a wave has done, in its order.
type seenWave struct {
	all    []seen
	fences [4]uint8 // since the last access, and in how many places others were
	places int
}

// A seen is an access of a lane, or what orders accesses. There are very many: they are small, and compared
// and hashed as bytes.
type seen struct {
	pc, at                        uint64
	places                        int32
	size                          uint16
	lane                          uint8
	space                         simt.Space
	write, perhaps, near, inOrder bool
	fences                        [4]uint8 // the memories that they are of, by their order
	what                          seenKind
}

// A seenKind is what a seen is.
type seenKind uint8

const (
	seenAccess seenKind = iota
	seenFences
	seenEnd
	seenBarrier
	seenMeeting
)

func (k seenKind) String() string {
	return [...]string{"an access", "fences", "the end", "a barrier", "a meeting"}[k]
}

// NewSeer makes one. Of accesses of instructions whose addresses have bits of refuses it wants to be told
// when they happen.
func NewSeer(refuses uint64) *Seer { return &Seer{refuses: refuses, by: map[int]*seenWave{}} }

func (s *Seer) wave(id int) *seenWave {
	if s.by[id] == nil {
		s.by[id] = &seenWave{}
	}
	return s.by[id]
}

// What a Seer says of all machines.
func (*Seer) Arrived(simt.Event)                                {}
func (*Seer) Came(*simt.Wave, uint8)                            {}
func (*Seer) Opened(simt.Meeting)                               {}
func (*Seer) Together(*simt.Wave, uint64)                       {}
func (*Seer) Quiet(bool)                                        {}
func (*Seer) Aims(uint64, bool) bool                            { return false }
func (*Seer) Minds(*simt.Region, bool) bool                     { return true }
func (*Seer) Anywhere(*simt.Wave, simt.Space, bool) simt.Extent { return simt.Everywhere() }
func (*Seer) Steady(*simt.Wave) bool                            { return false }
func (*Seer) Room(*simt.Wave, simt.Space) []simt.LoadRecord     { return nil }

// Wants implements simt.Selective.
func (s *Seer) Wants(_ *simt.Wave, space simt.Space, _ bool) bool {
	return s.Skips == nil || !s.Skips(space, 0)
}

// Loaded implements simt.Postponer.
func (*Seer) Loaded(*simt.Wave, simt.Space, []simt.LoadRecord,
	func(r *simt.LoadRecord, each func(a *simt.Access))) {
}

// Fence implements simt.Orderer.
func (s *Seer) Fence(w *simt.Wave, f simt.Fence) {
	of := s.wave(w.ID)
	of.fences[f.Order] |= f.Spaces | 1<<7 // also where they are of no memory
}

// place counts where fences were: of two that nothing lies between the machine may tell as of one.
func (w *seenWave) place() int32 {
	if w.fences != [4]uint8{} {
		w.places++
		w.all = append(w.all, seen{places: int32(w.places), fences: w.fences, what: seenFences})
		w.fences = [4]uint8{}
	}
	return int32(w.places)
}

// Ended implements simt.Orderer.
func (s *Seer) Ended(w *simt.Wave) {
	of := s.wave(w.ID)
	of.all = append(of.all, seen{places: of.place(), what: seenEnd})
}

// Observe implements simt.Observer.
func (s *Seer) Observe(a *simt.Access) bool {
	of := s.wave(a.Wave.ID)
	behind := of.place()
	if free := cap(of.all) - len(of.all); free < simt.MaxLanes { // append would copy all more often
		of.grow()
	}
	simt.Lanes(a.Lanes, func(lane int) {
		at := a.Addr[lane]
		if s.Skips != nil && s.Skips(a.Space, at) {
			return
		}
		if !a.Write { // of lanes that read the same one is told of
			lane = 0
		}
		of.all = append(of.all, seen{pc: a.PC, at: at, places: behind, size: uint16(a.Size),
			lane: uint8(lane), space: a.Space, write: a.Write, perhaps: a.Perhaps, near: a.Near,
			inOrder: a.InOrder})
	})
	return false
}

func (s *Seer) will(pc uint64) bool { return s.refuses>>(pc>>2&63)&1 == 0 }

// Noted implements simt.Noter.
func (s *Seer) Noted(a *simt.Access) bool { return s.will(a.PC) && !s.Observe(a) }

// NotedStride implements simt.StrideNoter.
func (s *Seer) NotedStride(a *simt.Access, at uint64, step uint32) bool {
	return s.Noted(Placed(a, at, step))
}

// NotedLoads implements simt.LoadsReader.
func (s *Seer) NotedLoads(w *simt.Wave, of *simt.Loads, pieces []simt.Piece) bool {
	if !s.will(of.All[0].PC) {
		return false
	}
	OneByOne(w, of, pieces, func(a *simt.Access) { s.Observe(a) })
	return true
}

// Foresee implements simt.Foreseer.
func (s *Seer) Foresee(id, n int) int {
	s.asked = id
	one, two := s.by[id-2], s.by[id-1]
	if one == nil || two == nil || len(one.all) != len(two.all) {
		return 0
	}
	for i, was := range one.all {
		if was.at = two.all[i].at; was != two.all[i] {
			return 0
		}
	}
	return min(n, 1+id%40)
}

// Foreseen implements simt.Foreseer.
func (s *Seer) Foreseen(n int) {
	for id := s.asked; id < s.asked+n; id++ {
		one, two, of := s.by[id-2], s.by[id-1], s.wave(id)
		for i, last := range two.all {
			last.at += last.at - one.all[i].at
			of.all = append(of.all, last)
		}
	}
	s.Foretold += n
}

// spareSeen are what waves of seers had that have been compared: *[]seen.
var spareSeen sync.Pool

// grow makes room for as much again, or what a wave had that nobody looks at any more.
func (w *seenWave) grow() {
	if w.all == nil {
		if spare, ok := spareSeen.Get().(*[]seen); ok {
			w.all = *spare
			return
		}
	}
	w.all = slices.Grow(w.all, len(w.all)+simt.MaxLanes)
}

// release gives what waves had to those of other seers.
func (s *Seer) release() {
	for _, of := range s.by {
		if all := of.all[:0]; cap(all) >= simt.MaxLanes {
			spareSeen.Put(&all)
		}
	}
	clear(s.by)
}

// Differs says in what another knows something else of waves, of which neither knows in what order each did
// it; nothing if it does not. What waves did last counts only if both came to their ends. After
// that neither knows anything.
func (s *Seer) Differs(from *Seer, ended bool) string {
	defer s.release()
	defer from.release()
	for id, of := range s.by {
		if text := of.differs(from.wave(id), ended); text != "" {
			return fmt.Sprintf("of wave %d %s", id, text)
		}
	}
	return ""
}

func (w *seenWave) differs(from *seenWave, ended bool) string {
	if slices.Equal(w.all, from.all) {
		return ""
	}
	const wanted, got = 1, 2
	by := make(map[seen]uint8, len(w.all))
	for _, one := range w.all {
		by[one] = wanted
	}
	for _, one := range from.all {
		by[one] |= got
	}
	for one, who := range by {
		if who == wanted {
			return fmt.Sprintf("nothing is told of %+v", one)
		}
		if who == got && ended { // loads behind a fault may be told of
			return fmt.Sprintf("%+v is told besides", one)
		}
	}
	return ""
}

// Placed is an access with the addresses that simt.StrideNoter says it has.
func Placed(a *simt.Access, at uint64, step uint32) *simt.Access {
	all := *a
	all.Addr = new([simt.MaxLanes]uint64)
	first := bits.TrailingZeros64(a.Lanes)
	simt.Lanes(a.Lanes, func(lane int) { all.Addr[lane] = at + uint64(lane-first)*uint64(step) })
	return &all
}

// OneByOne calls a function with each of some loads.
func OneByOne(w *simt.Wave, of *simt.Loads, pieces []simt.Piece, each func(a *simt.Access)) {
	for _, o := range of.All {
		for _, p := range pieces {
			if int(p.Row) == o.Row {
				each(loaded(w, &o, &p))
			}
		}
	}
}

// loaded is what one load does by a piece.
func loaded(w *simt.Wave, o *simt.Load, p *simt.Piece) *simt.Access {
	a := &simt.Access{Wave: w, PC: o.PC, Size: o.Size, Perhaps: o.Perhaps, Near: o.Near, InOrder: o.InOrder,
		Addr: new([simt.MaxLanes]uint64)}
	for g := range uint64(p.Times) {
		for i := range uint64(p.Many) {
			lane := int(uint64(p.First) + g*uint64(p.Apart) + i)
			a.Addr[lane] = p.At + uint64(o.Add) + g*uint64(p.Skip) + i*uint64(p.Step)
			a.Lanes |= 1 << lane
		}
	}
	return a
}
