package stub

import (
	"math/bits"
	"sort"

	"simtgdb/rsp"
	"simtgdb/simt"
)

// lanes finds the lanes that threads and windows belong to, among the resident
// waves.
type lanes struct {
	windows
	machine *simt.Machine
}

// A laneSet is lanes of waves, a mask for each wave's number.
type laneSet map[int]uint64

func (s laneSet) add(w *simt.Wave, lane int) { s[w.ID] |= 1 << lane }

func (s laneSet) join(o laneSet) {
	for id, lanes := range o {
		s[id] |= lanes
	}
}

// threadOf is the thread id of a lane: it counts the work-items of the dispatch from 1, workgroup by workgroup.
func threadOf(w *simt.Wave, lane int) rsp.ThreadID {
	return rsp.ThreadID(w.Group.Before + uint64(w.Index*w.Size+lane) + 1)
}

// of finds the lane of a thread.
func (ls lanes) of(t rsp.ThreadID) (w *simt.Wave, lane int, err error) {
	if w, lane, ok := laneIn(t, ls.machine.Waves()); ok {
		return w, lane, nil
	}
	return nil, 0, rsp.ENODEV.Errorf("no lane is thread %d", t)
}

// laneIn finds the lane of a thread among waves.
func laneIn(t rsp.ThreadID, waves []*simt.Wave) (w *simt.Wave, lane int, ok bool) {
	i := sort.Search(len(waves), func(i int) bool { return threadOf(waves[i], 0) > t }) - 1
	if i < 0 {
		return nil, 0, false
	}
	lane = int(t - threadOf(waves[i], 0))
	if lane >= simt.MaxLanes || waves[i].Valid>>lane&1 == 0 {
		return nil, 0, false
	}
	return waves[i], lane, true
}

// now is a wave as it is resident now: a history makes a wave anew that started after the snapshot from which
// it
// executes the past again.
func (ls lanes) now(w *simt.Wave) *simt.Wave {
	if resident, _, err := ls.of(threadOf(w, bits.TrailingZeros64(w.Valid))); err == nil {
		return resident
	}
	return w
}

// owner finds the lane that has a window of its own.
func (ls lanes) owner(owner int) (w *simt.Wave, lane int, err error) {
	if w, lane, ok := ls.ownerIn(owner, ls.machine.Waves()); ok {
		return w, lane, nil
	}
	return nil, 0, rsp.EFAULT.Errorf("thread %d does not run", owner)
}

// ownerIn finds the lane that has a window of its own among waves. A window names the low bits of a thread
// id: those of the waves' that end so are looked at, mostly one.
func (ls lanes) ownerIn(owner int, waves []*simt.Wave) (w *simt.Wave, lane int, ok bool) {
	if len(waves) == 0 {
		return nil, 0, false
	}
	first, last := threadOf(waves[0], 0), threadOf(waves[len(waves)-1], simt.MaxLanes-1)
	mask := ls.ownerMask()
	for t := first + rsp.ThreadID((uint64(owner)-uint64(first))&mask); t <= last; t += rsp.ThreadID(mask) + 1 {
		if w, lane, ok := laneIn(t, waves); ok {
			return w, lane, true
		}
	}
	return nil, 0, false
}

// group finds some wave of the workgroup that has a window of its own.
func (ls lanes) group(owner int) (*simt.Wave, error) {
	for _, w := range ls.machine.Waves() {
		if uint64(w.Group.Index)&ls.ownerMask() == uint64(owner) {
			return w, nil
		}
	}
	return nil, rsp.EFAULT.Errorf("workgroup %d does not run", owner)
}

// alive reports whether the lane of a thread exists and has not ended.
func (ls lanes) alive(t rsp.ThreadID) bool {
	w, lane, err := ls.of(t)
	return err == nil && w.EndedLanes()>>lane&1 == 0
}
