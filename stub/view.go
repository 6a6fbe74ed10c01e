package stub

import (
	"math/bits"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// A view is what the user looks at, as far as gdb lets it be known.
type view struct {
	threads.Resident
	reported rsp.ThreadID // the lane of the last stop
	// looked is another lane whose registers were read since; AnyThread: none,
	// AllThreads: several.
	looked    rsp.ThreadID
	named     rsp.ThreadID // the lane that a monitor command is told to be about; AnyThread: none
	presented bool         // gdb has listed the threads since the last stop
	user      rsp.ThreadID // current at the last stop that was presented
	// filter says which lanes are listed; nil: all.
	filter func(w *simt.Wave, lane int) bool
}

// current is the lane that the user looks at: the one that was reported, or the
// only other one whose registers gdb has asked for since. While a command names one it is that.
func (v *view) current() rsp.ThreadID {
	if v.named > 0 {
		return v.named
	}
	if v.looked > 0 {
		return v.looked
	}
	return v.reported
}

// report notes that gdb hears of a stop of a thread.
func (v *view) report(t rsp.ThreadID) { v.reported, v.looked = t, rsp.AnyThread }

// lookAt notes that gdb reads the registers of a thread.
func (v *view) lookAt(t rsp.ThreadID) {
	switch {
	case t == v.reported || t == v.looked:
	case v.looked == rsp.AnyThread:
		v.looked = t
	default:
		v.looked = rsp.AllThreads
	}
}

// lane finds the lane of a thread; the current one's of AnyThread.
func (v *view) lane(t rsp.ThreadID) (w *simt.Wave, lane int, err error) {
	if t == rsp.AnyThread {
		t = v.current()
	}
	return v.Find(t)
}

// list are the threads that gdb is told of. That it asks tells that it presents
// the stop.
func (v *view) list() []rsp.ThreadID {
	v.presented = true
	var ids []rsp.ThreadID
	for _, w := range v.Machine.Waves() {
		if w.State == simt.Ended {
			continue
		}
		simt.Lanes(w.Valid&^w.EndedLanes(), func(l int) {
			if t := threads.Of(w, l); v.filter == nil || t == v.current() || v.filter(w, l) {
				ids = append(ids, t)
			}
		})
	}
	return ids
}

// among is the current lane if it is one of those of a wave, a mask, or else
// the lowest of them.
func (v *view) among(w *simt.Wave, mask uint64) int {
	if cw, l, err := v.lane(rsp.AnyThread); err == nil && cw == w && mask>>l&1 != 0 {
		return l
	}
	return bits.TrailingZeros64(mask)
}

// activeLane is the current lane if it is active in w, or else the lowest
// active one.
func (v *view) activeLane(w *simt.Wave) rsp.ThreadID {
	if active := w.Active(); active != 0 {
		return threads.Of(w, v.among(w, active))
	}
	return threads.Of(w, bits.TrailingZeros64(w.Valid))
}

// somebody is the current lane, or the first that is left.
func (v *view) somebody() rsp.ThreadID {
	if v.Alive(v.current()) {
		return v.current()
	}
	for _, w := range v.Machine.Waves() {
		if w.State != simt.Ended {
			lanes := w.Active()
			if lanes == 0 {
				lanes = w.Valid &^ w.EndedLanes()
			}
			if lanes == 0 {
				continue
			}
			return threads.Of(w, bits.TrailingZeros64(lanes))
		}
	}
	return v.current()
}
