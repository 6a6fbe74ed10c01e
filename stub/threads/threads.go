package threads

import (
	"math/bits"
	"sort"

	"simtgdb/rsp"
	"simtgdb/simt"
)

// Resident finds the lanes that threads and windows belong to, among the resident
// waves.
type Resident struct {
	Windows
	Machine *simt.Machine
}

// A laneSet is lanes of waves, a mask for each wave's number.
type Set map[int]uint64

func (s Set) Add(w *simt.Wave, lane int) { s[w.ID] |= 1 << lane }

func (s Set) Join(o Set) {
	for id, lanes := range o {
		s[id] |= lanes
	}
}

// Of is the thread id of a lane: it counts the work-items of the dispatch from 1, workgroup by workgroup.
func Of(w *simt.Wave, lane int) rsp.ThreadID {
	return rsp.ThreadID(w.Group.Before + uint64(w.Index*w.Size+lane) + 1)
}

// Find finds the lane of a thread.
func (ls Resident) Find(t rsp.ThreadID) (w *simt.Wave, lane int, err error) {
	if w, lane, ok := laneIn(t, ls.Machine.Waves()); ok {
		return w, lane, nil
	}
	return nil, 0, rsp.ENODEV.Errorf("no lane is thread %d", t)
}

// laneIn finds the lane of a thread among waves.
func laneIn(t rsp.ThreadID, waves []*simt.Wave) (w *simt.Wave, lane int, ok bool) {
	i := sort.Search(len(waves), func(i int) bool { return Of(waves[i], 0) > t }) - 1
	if i < 0 {
		return nil, 0, false
	}
	lane = int(t - Of(waves[i], 0))
	if lane >= simt.MaxLanes || waves[i].Valid>>lane&1 == 0 {
		return nil, 0, false
	}
	return waves[i], lane, true
}

// Now is a wave as it is resident now: a history makes a wave anew that started after the snapshot from which
// it executes the past again.
func (ls Resident) Now(w *simt.Wave) *simt.Wave {
	if resident, _, err := ls.Find(Of(w, bits.TrailingZeros64(w.Valid))); err == nil {
		return resident
	}
	return w
}

// Owner finds the lane that has a window of its own.
func (ls Resident) Owner(owner int) (w *simt.Wave, lane int, err error) {
	if w, lane, ok := ls.OwnerIn(owner, ls.Machine.Waves()); ok {
		return w, lane, nil
	}
	return nil, 0, rsp.EFAULT.Errorf("thread %d does not run", owner)
}

// OwnerIn finds the lane that has a window of its own among waves. A window names the low bits of a thread
// id: those of the waves' that end so are looked at, mostly one.
func (ls Resident) OwnerIn(owner int, waves []*simt.Wave) (w *simt.Wave, lane int, ok bool) {
	if len(waves) == 0 {
		return nil, 0, false
	}
	first, last := Of(waves[0], 0), Of(waves[len(waves)-1], simt.MaxLanes-1)
	mask := ls.OwnerMask()
	t, next := first+rsp.ThreadID((uint64(owner)-uint64(first))&mask), rsp.ThreadID(mask)+1
	for ; t <= last; t += next {
		if w, lane, ok := laneIn(t, waves); ok {
			return w, lane, true
		}
	}
	return nil, 0, false
}

// Group finds some wave of the workgroup that has a window of its own.
func (ls Resident) Group(owner int) (*simt.Wave, error) {
	for _, w := range ls.Machine.Waves() {
		if uint64(w.Group.Index)&ls.OwnerMask() == uint64(owner) {
			return w, nil
		}
	}
	return nil, rsp.EFAULT.Errorf("workgroup %d does not run", owner)
}

// Alive reports whether the lane of a thread exists and has not ended.
func (ls Resident) Alive(t rsp.ThreadID) bool {
	w, lane, err := ls.Find(t)
	return err == nil && w.EndedLanes()>>lane&1 == 0
}
