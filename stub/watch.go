package stub

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/frames"
	"simtgdb/stub/threads"
)

// Watchpoints. What is in a memory of the machine is watched by an observer of
// accesses, so that waves run as fast as they do otherwise up to the instruction
// that touches it, and lanes are known to have touched it. An object that has no
// memory, because the stub assembles it from registers, is read again after each
// instruction of its wave.

// A watch is one watchpoint.
type watch struct {
	rsp.Watchpoint
	kind  uint64 // of the window it is in, 0 for global memory
	owner int    // of the window; anyOwner for an address in an aperture
	lo    uint64 // in its memory
	// only are the lanes that are meant by an address in an aperture, or whose
	// workgroup is; none: all.
	only threads.Set

	object *watchedObject // nil for what is in a memory
}

// anyOwner: each lane, or each workgroup, has what an address in an aperture of
// the GPU leads to.
const anyOwner = -1

// A watchedObject is an object in a frame's window and its last value.
type watchedObject struct {
	wave  *simt.Wave
	lane  int
	call  *simt.Call // that made the frame
	value []byte
}

// A touch is an access to what is watched that is about to happen.
type touch struct {
	watch  *watch
	wave   *simt.Wave
	group  *simt.Workgroup // whose LDS it is
	lanes  uint64          // that make it, a mask
	before []byte          // the value, where only a change of it counts
}

// A change is a watchpoint that has to be reported.
type change struct {
	watch *watch
	wave  *simt.Wave
	lanes uint64 // that have made it, a mask
}

// watches are the watchpoints. It implements simt.Observer.
type watches struct {
	threads.Resident
	memory    *simt.Memory
	frames    *frames.Finder
	all       []*watch
	removed   map[rsp.Watchpoint]threads.Set // since the last stop, and the lanes that were meant
	observing bool                           // accesses, since the program runs with watchpoints
	touches   []touch                        // of the instruction under way
	changes   []change                       // to be reported
	// what is to be reported for the user's lane, should gdb decline it for another
	declined *ownWatch
}

// An ownWatch is a hit of a watchpoint in one lane that another lane is to
// hear of. gdb ignores what a watchpoint on an expression with variables of a
// frame meets in another thread than the one that it was set in
// (watchpoint_check in gdb 13.1), and goes on without a look at the threads; in
// that thread it finds the change. If gdb has read the value (fetch_subexp_value
// there), it has not ignored the hit: a condition was not met, or a value written
// that was there before, which is none of another lane's.
type ownWatch struct {
	rsp.Watchpoint
	thread rsp.ThreadID
	by     rsp.ThreadID // the lane that it was
	read   bool         // gdb has read the value since
}

// noteRead notes that gdb reads memory.
func (ws *watches) noteRead(addr uint64, size int) {
	if d := ws.declined; d != nil && addr == d.Address && size == d.Size {
		d.read = true
	}
}

// reportDeclined reports a hit that gdb has ignored for the lane that the user
// looks at, once.
func (m *motion) reportDeclined(console io.Writer) (rsp.Stop, bool) {
	d := m.watches.declined
	m.watches.declined = nil
	if d == nil || d.read || m.view.presented || !m.view.Alive(d.thread) ||
		!slices.ContainsFunc(m.watches.all, func(w *watch) bool { return w.Watchpoint == d.Watchpoint }) {
		return rsp.Stop{}, false
	}
	if w, lane, err := m.view.lane(d.by); err == nil {
		fmt.Fprintf(console, "It was lane %d of wave %d.\n", lane, w.ID)
	}
	return m.watchStop(d.thread, d.Watchpoint), true
}

// watchStop composes the stop of a lane for a watchpoint.
func (m *motion) watchStop(t rsp.ThreadID, p rsp.Watchpoint) rsp.Stop {
	stop := m.stopped(t, rsp.SIGTRAP)
	stop.Cause, stop.Address = watchCauses[p.Kind], p.Address
	return stop
}

// maxWatched is how large an object can be watched.
const maxWatched = 4096

// InsertWatchpoint implements rsp.Watchpointer.
func (s *Session) InsertWatchpoint(p rsp.Watchpoint) error {
	if p.Size <= 0 || p.Size > maxWatched {
		return rsp.EINVAL.Errorf("%d bytes cannot be watched", p.Size)
	}
	w := &watch{Watchpoint: p, owner: anyOwner, lo: p.Address}
	kind, owner, offset := s.Split(p.Address)
	space, at, inAperture := s.arch.Aperture(p.Address)
	switch {
	case kind == threads.FrameWindow && p.Kind != rsp.WatchWrite:
		return rsp.ENOSYS.Errorf("of an object in registers only changes can be watched, not reads")
	case kind == threads.FrameWindow:
		if w.object = s.watches.objectAt(p); w.object == nil {
			return rsp.EFAULT.Errorf("cannot access memory at %#x", p.Address)
		}
	case kind == threads.ScratchWindow || kind == threads.LDSWindow:
		w.kind, w.owner, w.lo = kind, owner, offset
	case inAperture:
		w.kind, w.lo = threads.WindowOf(space), at
		w.only = s.watches.meant(p)
	}
	if n, err := s.readMemory(rsp.AnyThread, p.Address, make([]byte, p.Size)); err != nil || n < p.Size {
		return rsp.EFAULT.Errorf("cannot access memory at %#x", p.Address)
	}
	s.watches.all = append(s.watches.all, w)
	return nil
}

// RemoveWatchpoint implements rsp.Watchpointer.
func (s *Session) RemoveWatchpoint(p rsp.Watchpoint) error {
	ws := &s.watches
	if i := slices.IndexFunc(ws.all, func(w *watch) bool { return w.Watchpoint == p }); i >= 0 {
		ws.removed[p] = ws.all[i].only
		ws.all = slices.Delete(ws.all, i, i+1)
	}
	return nil
}

// meant are the lanes whose object is at an address in an aperture, as far as is
// known: those in which gdb was told of one, and those that were meant before gdb
// took the watchpoint out. gdb itself ignores a lane of too many, if what it watches
// is of one frame (watchpoint_in_thread_scope).
func (ws *watches) meant(p rsp.Watchpoint) threads.Set {
	only := ws.frames.ShownIn(p.Address, uint64(p.Size))
	before, again := ws.removed[p]
	if again && len(before) == 0 {
		return nil
	}
	only.Join(before)
	return only
}

// release forgets the watchpoints of a client that has gone.
func (ws *watches) release() { ws.all, ws.touches, ws.changes, ws.declined = nil, nil, nil, nil }

// resume gets ready for the program to run. gdb takes all watchpoints out at
// each stop and puts them in again: whether accesses are observed is decided
// here, since waves decode their code anew when it changes. The client may have
// written objects that are watched.
func (ws *watches) resume() {
	clear(ws.removed)
	ws.frames.ForgetShown()
	if observing := len(ws.all) > 0; observing != ws.observing {
		if observing {
			ws.Machine.AddObserver(ws)
		} else {
			ws.Machine.RemoveObserver(ws)
		}
		ws.observing = observing
	}
	for _, w := range ws.all {
		if w.object != nil {
			w.object.value = ws.read(w.object, w.Watchpoint)
		}
	}
}

// compares reports whether something is watched that has to be read again after
// each instruction.
func (ws *watches) compares() bool {
	return slices.ContainsFunc(ws.all, func(w *watch) bool { return w.object != nil })
}

// Wants implements simt.Selective: accesses to memories in which nothing is watched cost nothing, nor do
// those of waves whose memory is not. An atomic operation reads, too.
func (ws *watches) Wants(wave *simt.Wave, space simt.Space, write bool) bool {
	return slices.ContainsFunc(ws.all, func(w *watch) bool { return ws.wants(w, wave, space, write) })
}

func (ws *watches) wants(w *watch, wave *simt.Wave, space simt.Space, write bool) bool {
	return w.object == nil && w.kind == kindOf(space) && (write || w.Kind != rsp.WatchWrite) &&
		(ws.lanesOf(w, wave, wave.Group) != 0 ||
			slices.ContainsFunc(wave.Group.Peers,
				func(g *simt.Workgroup) bool { return ws.lanesOf(w, wave, g) != 0 }))
}

// Within implements simt.Bounded.
func (ws *watches) Within(wave *simt.Wave, space simt.Space, write bool) simt.Extent {
	e := simt.Extent{Lo: ^uint64(0)}
	for _, w := range ws.all {
		if ws.wants(w, wave, space, write) {
			e.Lo, e.Hi = min(e.Lo, w.lo), max(e.Hi, w.lo+uint64(w.Size))
		}
	}
	return e
}

// kindOf is the kind of window of what is watched in a space.
func kindOf(space simt.Space) uint64 {
	if space == simt.Global {
		return 0
	}
	return threads.WindowOf(space)
}

// Observe implements simt.Observer.
func (ws *watches) Observe(a *simt.Access) (stop bool) {
	lo, hi := ^uint64(0), uint64(0)
	for _, w := range ws.all {
		if w.object != nil || !w.sees(a) || ws.lanesOf(w, a.Wave, a.Group()) == 0 {
			continue
		}
		if hi == 0 {
			lo, hi = reach(a)
		}
		if lo < w.lo+uint64(w.Size) && hi > w.lo && ws.touch(w, a) {
			stop = true
		}
	}
	return stop
}

// reach are the bytes from lo up to hi in which an access is.
func reach(a *simt.Access) (lo, hi uint64) {
	lo = ^uint64(0)
	for m := a.Lanes; m != 0; m &= m - 1 {
		at := a.Addr[bits.TrailingZeros64(m)&(simt.MaxLanes-1)]
		lo, hi = min(lo, at), max(hi, at)
	}
	return lo, hi + uint64(a.Size)
}

// sees reports whether a kind of access, to a memory, is one that is watched.
func (w *watch) sees(a *simt.Access) bool {
	if w.Kind == rsp.WatchWrite && !a.Write || w.Kind == rsp.WatchRead && !a.Read {
		return false
	}
	return w.kind == kindOf(a.Space)
}

// lanesOf are the lanes of a wave whose memory is watched, or by which LDS of a workgroup is, a mask: 0 if
// nothing that the wave can access there is.
func (ws *watches) lanesOf(w *watch, wave *simt.Wave, group *simt.Workgroup) uint64 {
	const every = ^uint64(0)
	switch {
	case w.kind == 0:
		return every
	case w.owner == anyOwner && len(w.only) > 0 && w.kind == threads.ScratchWindow:
		return w.only[wave.ID]
	case w.owner == anyOwner && len(w.only) > 0:
		if !slices.ContainsFunc(group.Waves, func(o *simt.Wave) bool { return w.only[o.ID] != 0 }) {
			return 0
		}
	case w.owner == anyOwner:
	case w.kind == threads.LDSWindow && uint64(group.Index)&ws.OwnerMask() != uint64(w.owner):
		return 0
	case w.kind == threads.ScratchWindow:
		if _, lane, ok := ws.OwnerIn(w.owner, []*simt.Wave{wave}); ok {
			return 1 << lane
		}
		return 0
	}
	return every
}

// lanesAt are the lanes whose access touches what is watched.
func (ws *watches) lanesAt(w *watch, a *simt.Access) uint64 {
	var touching uint64
	simt.Lanes(a.Lanes&ws.lanesOf(w, a.Wave, a.Group()), func(l int) {
		if at := a.Addr[l]; at < w.lo+uint64(w.Size) && at+uint64(a.Size) > w.lo {
			touching |= 1 << l
		}
	})
	return touching
}

// touch notes which lanes access what is watched.
func (ws *watches) touch(w *watch, a *simt.Access) bool {
	touching := ws.lanesAt(w, a)
	switch {
	case touching == 0:
		return false
	case w.kind == threads.ScratchWindow: // each lane has its own
		simt.Lanes(touching, func(l int) { ws.note(w, a, 1<<l) })
	default:
		ws.note(w, a, touching)
	}
	return true
}

// note keeps a touch until the instruction has completed.
func (ws *watches) note(w *watch, a *simt.Access, lanes uint64) {
	wave := a.Wave
	for i := range ws.touches {
		t := &ws.touches[i]
		if t.watch == w && t.wave == wave && (w.kind != threads.ScratchWindow || t.lanes == lanes) {
			t.lanes |= lanes // the instruction's second access
			return
		}
	}
	t := touch{watch: w, wave: wave, group: a.Group(), lanes: lanes}
	if w.Kind == rsp.WatchWrite {
		t.before = ws.value(&t)
	}
	ws.touches = append(ws.touches, t)
}

// value reads what a watchpoint watches in a memory, as lanes of a wave see it.
func (ws *watches) value(t *touch) []byte {
	w := t.watch
	buf := make([]byte, w.Size)
	var n int
	switch w.kind {
	case 0:
		n, _ = ws.memory.Read(w.lo, buf)
	case threads.LDSWindow:
		n, _ = t.group.ReadLDS(w.lo, buf)
	default:
		simt.Lanes(t.lanes, func(l int) { n, _ = t.wave.ReadScratch(l, w.lo, buf) })
	}
	return buf[:n]
}

// executed is told that a wave has executed one or more instructions: of what it
// has touched, what counts is to be reported.
func (ws *watches) executed(wave *simt.Wave) {
	for _, t := range ws.touches {
		if t.before == nil || !bytes.Equal(t.before, ws.value(&t)) {
			ws.changed(change{t.watch, t.wave, t.lanes})
		}
	}
	ws.touches = ws.touches[:0]
	for _, w := range ws.all {
		if w.object != nil && w.object.wave == wave {
			ws.compare(w)
		}
	}
}

// changed notes a change, once until it is reported.
func (ws *watches) changed(c change) {
	for i := range ws.changes {
		if o := &ws.changes[i]; o.watch.Watchpoint == c.watch.Watchpoint && o.wave == c.wave &&
			o.lanes == c.lanes {
			return
		}
	}
	ws.changes = append(ws.changes, c)
}

// objectAt finds an object in a frame's window; nil if there is none.
func (ws *watches) objectAt(p rsp.Watchpoint) *watchedObject {
	_, owner, offset := ws.Split(p.Address)
	wave, lane, err := ws.Resident.Owner(owner)
	depth, _, in := threads.SplitFrame(offset)
	if err != nil || !in || wave.Track == nil || depth > wave.Track.Innermost[lane].Count() {
		return nil
	}
	o := &watchedObject{wave: wave, lane: lane, call: wave.Track.Innermost[lane].At(depth - 1)}
	o.value = ws.read(o, p)
	return o
}

// read reads an object; nil if it is not there, or its frame is gone.
func (ws *watches) read(o *watchedObject, p rsp.Watchpoint) []byte {
	_, owner, offset := ws.Split(p.Address)
	depth, _, _ := threads.SplitFrame(offset)
	innermost := o.wave.Track.Innermost[o.lane]
	if depth > innermost.Count() || innermost.At(depth-1) != o.call {
		return nil
	}
	return ws.readObject(owner, offset, p.Size)
}

// readAgain is read in the past, which is executed again by a wave that may be made anew, and that makes its
// calls anew: a call like the object's is taken for it.
func (ws *watches) readAgain(o *watchedObject, w *simt.Wave, p rsp.Watchpoint) []byte {
	_, owner, offset := ws.Split(p.Address)
	depth, _, _ := threads.SplitFrame(offset)
	innermost := w.Track.Innermost[o.lane]
	if depth > innermost.Count() || !innermost.At(depth-1).Like(o.call) {
		return nil
	}
	return ws.readObject(owner, offset, p.Size)
}

// readObject reads an object in a lane's frames; nil if it is not there.
func (ws *watches) readObject(owner int, offset uint64, size int) []byte {
	buf := make([]byte, size)
	if n, err := ws.frames.ReadWindow(owner, offset, buf); err != nil || n < len(buf) {
		return nil
	}
	return buf
}

// compare reads an object anew.
func (ws *watches) compare(w *watch) {
	ws.frames.Forget()
	now, before := ws.read(w.object, w.Watchpoint), w.object.value
	if now != nil && before != nil && !bytes.Equal(now, before) {
		ws.changed(change{w, w.object.wave, 1 << w.object.lane})
	}
	w.object.value = now
}

// next takes a change that is due, one of the current lane's first: while a lane
// is stepped, one of its own only. Changes of what is no longer watched are
// forgotten.
func (ws *watches) next(v *view, stepped rsp.ThreadID) (w *watch, t rsp.ThreadID, ok bool) {
	ws.changes = slices.DeleteFunc(ws.changes, func(c change) bool {
		// gdb takes watchpoints out at each stop, and puts them in again.
		return !slices.ContainsFunc(ws.all, func(w *watch) bool { return w.Watchpoint == c.watch.Watchpoint })
	})
	chosen := -1
	for i, c := range ws.changes {
		by := threads.Of(c.wave, v.among(c.wave, c.lanes))
		if stepped != rsp.AnyThread {
			sw, lane, err := v.lane(stepped)
			if err != nil || sw != c.wave || c.lanes>>lane&1 == 0 {
				continue
			}
			by = stepped
		}
		if chosen < 0 || by == v.current() {
			chosen, t = i, by
		}
	}
	if chosen < 0 {
		return nil, 0, false
	}
	w = ws.changes[chosen].watch
	ws.changes = slices.Delete(ws.changes, chosen, chosen+1)
	return w, t, true
}

// watchCauses are the words for the kinds of watchpoint.
var watchCauses = map[rsp.WatchKind]rsp.StopCause{
	rsp.WatchWrite: rsp.CauseWatch, rsp.WatchRead: rsp.CauseReadWatch, rsp.WatchAccess: rsp.CauseAccessWatch,
}

// reportChange reports what is due of what is watched.
func (m *motion) reportChange(stepped rsp.ThreadID) (rsp.Stop, bool) {
	w, thread, ok := m.watches.next(&m.view, stepped)
	if !ok {
		return rsp.Stop{}, false
	}
	if !m.view.Alive(thread) {
		thread = m.view.somebody()
	}
	m.watches.declined = nil
	if m.view.user != thread {
		m.watches.declined = &ownWatch{Watchpoint: w.Watchpoint, thread: m.view.user, by: thread}
	}
	stop := m.watchStop(thread, w.Watchpoint)
	if m.facade.StopsBeforeWatched() {
		m.hits.owed = thread
	}
	return stop, true
}
