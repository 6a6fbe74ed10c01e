package simt

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"unsafe"
)

// A History executes a machine and remembers how, so that it can go back to any time since it began. Time is
// how many instructions all waves have executed. It keeps snapshots and a log of which wave executed how
// many instructions; between snapshots, going somewhere is executing again what the log says. What it holds
// is bounded: snapshots are close to each other near the present, far apart elsewhere, and where there is no
// room for them the beginning moves.
//
// Where the time is not the latest that was reached, execution follows the log: it comes to the same states
// again. Whoever changes the machine from outside tells [History.Changed]: what was the future is then
// forgotten, and the change is made again when the time comes again.
type History struct {
	m     *Machine
	with  Companion
	log   []logged
	far   uint64 // bytes of stretches in the log
	marks []mark // by time; the first is the beginning
	now   uint64
	end   uint64 // the latest time reached
	limit uint64 // bytes

	changes []changed // by time
	applied int       // how many of them the machine has
	written uint64    // bytes of them
	whole   bool      // the log is kept from the first instruction on
}

// logged is a run of instructions of one wave.
type logged struct {
	at    uint64 // the time when it began
	count uint64
	wave  int // its ID
	turn  int // Machine.turn after it

	far *stretch // instead of one wave's: what AdvanceFar has executed
}

// A mark is a snapshot with its time.
type mark struct {
	at      uint64
	snap    *Snapshot
	with    any // the companion's
	applied int // changes
	// far: [History.AdvanceFar] has come there from the mark before, and the log has not yet.
	far bool
}

// changed is a change with its time: what is executed before comes before it.
type changed struct {
	at uint64
	Change
}

// A Change is what somebody did to the machine from outside, such as writing a register, and can do again
// when the machine comes to the same time again.
type Change interface {
	Redo() error
	Size() int // bytes that it takes
}

// A Companion has state outside the machine that goes with the machine's, such as what reads the buffers
// that kernels print to.
type Companion interface {
	Snapshot() any
	Restore(any)
}

// A Holder is a Companion whose snapshots take memory that counts for a history's limit.
type Holder interface {
	Companion
	// Held is how many bytes the snapshots take that are not released.
	Held() uint64
	// Release forgets a snapshot.
	Release(any)
}

// How far marks are apart in instructions: at least firstDistance, more where many waves make a snapshot
// dear. Of more than mostMarks, or of those that take more room than there is, the ones that are least
// missed are given up, and fewMarks at last with the beginning.
const (
	firstDistance   = 1 << 15
	distancePerWave = 1 << 10
	mostMarks       = 64
	fewMarks        = 6
)

// NewHistory begins the history of a machine that [Machine.StepWave] and [Machine.Advance] execute, and of
// what goes with it, which may be nil.
func NewHistory(m *Machine, with Companion) *History {
	h := &History{m: m, with: with, limit: math.MaxUint64}
	h.mark()
	return h
}

// SetLimit bounds the bytes that the history holds. What the machine has at one time is held whatever the
// limit.
func (h *History) SetLimit(bytes uint64) {
	h.limit = bytes
	h.fit()
}

// Held is how many bytes the history holds: in snapshots, and in the log.
func (h *History) Held() uint64 {
	n := h.m.Held() + uint64(len(h.log))*uint64(unsafe.Sizeof(logged{})) + h.far + h.written
	if with, ok := h.with.(Holder); ok {
		n += with.Held()
	}
	return n
}

// release forgets a mark's snapshots.
func (h *History) release(k mark) {
	h.m.Release(k.snap)
	if with, ok := h.with.(Holder); ok {
		with.Release(k.with)
	}
}

// Release ends the history and gives back what it holds.
func (h *History) Release() {
	for _, k := range h.marks {
		h.release(k)
	}
	h.marks, h.log, h.far = nil, nil, 0
}

// Now is the time.
func (h *History) Now() uint64 { return h.now }

// Begin and End are the earliest and the latest time that are known.
func (h *History) Begin() uint64 { return h.marks[0].at }
func (h *History) End() uint64   { return h.end }

// Replaying reports whether execution follows the log.
func (h *History) Replaying() bool { return h.now < h.end }

// mark makes a snapshot of the present, for which others are given up where there is no room.
func (h *History) mark() {
	h.addMark()
	h.fit()
}

// addMark makes a snapshot of the present, whatever room there is.
func (h *History) addMark() {
	i := sort.Search(len(h.marks), func(i int) bool { return h.marks[i].at >= h.now })
	k := mark{at: h.now, snap: h.m.Snapshot(), applied: h.applied, far: h.wentFar(i)}
	if h.with != nil {
		k.with = h.with.Snapshot()
	}
	if i < len(h.marks) && h.marks[i].at == h.now {
		h.release(h.marks[i])
		h.marks[i] = k
	} else {
		h.marks = slices.Insert(h.marks, i, k)
	}
}

// wentFar reports whether some of what is between the present and the mark before was executed at once. That
// mark is the last of the first n.
func (h *History) wentFar(n int) bool {
	return n > 0 && slices.ContainsFunc(h.log[h.entryAt(h.marks[n-1].at):h.entryAt(h.now)],
		func(l logged) bool { return l.far != nil })
}

// fit gives up marks, and the beginning, until the history is within its bounds. Who goes through the past
// does not lose the beginning by it: rather than that there are fewer marks, and going somewhere takes
// longer.
func (h *History) fit() {
	for len(h.marks) > mostMarks || h.Held() > h.limit && len(h.marks) > fewMarks {
		h.drop(h.leastMissed())
	}
	if h.Replaying() {
		for h.Held() > h.limit && len(h.marks) > 1 {
			h.drop(h.leastMissed())
		}
		return
	}
	for h.Held() > h.limit && len(h.marks) > 1 && h.marks[1].at <= h.now {
		h.drop(0)
		if !h.whole {
			first := h.entryAt(h.marks[0].at)
			h.forget(h.log[:first])
			h.log = slices.Clone(h.log[first:])
		}
	}
}

// drop gives up a mark.
func (h *History) drop(i int) {
	if i+1 < len(h.marks) {
		h.marks[i+1].far = h.marks[i+1].far || h.marks[i].far
	}
	h.release(h.marks[i])
	h.marks = slices.Delete(h.marks, i, i+1)
}

// leastMissed is the mark, other than the first, whose neighbours are closest to each other for how far it
// is from the present: so marks are as far apart as they are away.
func (h *History) leastMissed() int {
	least, best := math.Inf(1), 1
	for i := 1; i < len(h.marks); i++ {
		after, at := h.end, h.marks[i].at
		if i+1 < len(h.marks) {
			after = h.marks[i+1].at
		}
		away := max(at, h.now) - min(at, h.now)
		if cost := float64(after-h.marks[i-1].at+1) / float64(away+1); cost < least {
			least, best = cost, i
		}
	}
	return best
}

// distance is how far apart marks are made.
func (h *History) distance() uint64 {
	return max(firstDistance, uint64(distancePerWave*len(h.m.waves)))
}

// Changed is to be told after somebody has changed the machine from outside: registers, memory, or where a
// wave is.
func (h *History) Changed(c Change) {
	h.ForgetFuture()
	h.changes = append(h.changes, changed{h.now, c})
	h.applied = len(h.changes)
	h.written += uint64(c.Size())
}

// redo makes the changes of the present again.
func (h *History) redo() error {
	for h.applied < len(h.changes) && h.changes[h.applied].at == h.now {
		if err := h.changes[h.applied].Redo(); err != nil {
			return fmt.Errorf("at time %d a change cannot be made again: %w", h.now, err)
		}
		h.applied++
	}
	return nil
}

// ForgetFuture makes the present the latest time.
func (h *History) ForgetFuture() {
	i := h.entryAt(h.now)
	if i < len(h.log) && h.log[i].at < h.now && h.log[i].far != nil {
		h.unfold(i)
		i = h.entryAt(h.now)
	}
	if i < len(h.log) {
		if rest := h.now - min(h.now, h.log[i].at); rest > 0 {
			h.log[i].count = rest
			i++
		}
		h.forget(h.log[i:])
		h.log = h.log[:i]
	}
	for n := len(h.marks); n > 1 && h.marks[n-1].at > h.now; n-- {
		h.release(h.marks[n-1])
		h.marks = h.marks[:n-1]
	}
	for _, c := range h.changes[h.applied:] {
		h.written -= uint64(c.Size())
	}
	h.changes = h.changes[:h.applied]
	h.end = h.now
}

// A Turn is a run of instructions of one wave, as a history has logged it.
type Turn struct {
	Wave  int // its ID
	Count uint64
	Next  int // whose turn it is after it, among the resident waves
}

// A Timeline is what a history knows of a run: enough to come to the same states again from the same
// beginning.
type Timeline struct {
	Turns   []Turn
	Changes []TimedChange
}

// A TimedChange is a change with its time.
type TimedChange struct {
	At uint64
	Change
}

// KeepWhole has the log kept from the beginning on, even where the history has given up its beginning: for
// [History.Timeline]. It is to be called before anything is executed.
func (h *History) KeepWhole() { h.whole = true }

// Timeline is what was executed since the history began, up to the latest time.
func (h *History) Timeline() Timeline {
	var t Timeline
	for i := len(h.log) - 1; i >= 0; i-- {
		if h.log[i].far != nil {
			h.unfold(i)
		}
	}
	for _, e := range h.log {
		t.Turns = append(t.Turns, Turn{e.wave, e.count, e.turn})
	}
	for _, c := range h.changes {
		t.Changes = append(t.Changes, TimedChange{c.at, c.Change})
	}
	return t
}

// Expect makes the future what a timeline says, which begins at the present. The machine comes there by
// executing it; where it cannot, because the timeline is another machine's, that is an error then.
func (h *History) Expect(t Timeline) error {
	h.ForgetFuture()
	at := h.now
	for i, e := range t.Turns {
		if e.Wave < 0 || e.Next < 0 || e.Count == 0 || e.Count > math.MaxUint64/2-at {
			return fmt.Errorf("turn %d cannot be: wave %d, %d instructions, next %d", i, e.Wave, e.Count,
				e.Next)
		}
		h.log = append(h.log, logged{at: at, count: e.Count, wave: e.Wave, turn: e.Next})
		at += e.Count
	}
	h.end = at
	before := h.now
	for i, c := range t.Changes {
		if c.At < before || c.At > h.end {
			return fmt.Errorf("change %d is at time %d, between %d and %d", i, c.At, before, h.end)
		}
		before = c.At
		h.changes = append(h.changes, changed{c.At, c.Change})
		h.written += uint64(c.Size())
	}
	return h.redo()
}

// StepWave is [Machine.StepWave]. In the past other waves execute as the log says until the wave has
// executed n instructions, or until something stops one of them.
func (h *History) StepWave(w *Wave, n uint64) (Event, error) {
	if !h.Replaying() {
		before := w.Insts
		ev, err := h.m.StepWave(w, n)
		h.executed(w, w.Insts-before)
		return ev, err
	}
	goal := w.Insts + n
	for h.Replaying() && w.State == Ready && w.Insts < goal {
		ev, err := h.goOn(w, goal-w.Insts)
		if err != nil || ev.Kind != NoEvent {
			return ev, err
		}
	}
	return Event{Kind: NoEvent, Wave: w, PC: w.PC}, nil
}

// Advance is [Machine.Advance]. In the past it is what the log says.
func (h *History) Advance(n uint64) (Event, error) {
	if h.Replaying() {
		return h.goOn(nil, n)
	}
	before := h.m.executed
	ev, err := h.m.Advance(n)
	if ev.Wave != nil {
		h.executed(ev.Wave, h.m.executed-before)
	}
	return ev, err
}

// executed notes that a wave has executed instructions.
func (h *History) executed(w *Wave, count uint64) {
	if count == 0 {
		return
	}
	h.note(logged{count: count, wave: w.ID, turn: h.m.turn})
	h.markIfFar()
}

// note adds a run of instructions to the log.
func (h *History) note(l logged) {
	if n := len(h.log); n > 0 && l.goesOn(&h.log[n-1]) && h.marks[len(h.marks)-1].at < h.now &&
		!h.changedNow() {
		h.log[n-1].count += l.count
	} else {
		l.at = h.now
		if len(h.log) == cap(h.log) { // twice as much: the log may be long
			h.log = slices.Grow(h.log, len(h.log)+1)
		}
		h.log = append(h.log, l)
	}
	h.now += l.count
	h.end = h.now
}

// goesOn reports whether a run of instructions is the same wave's as the one before, with no other's turn
// between.
func (l *logged) goesOn(before *logged) bool {
	return before.wave == l.wave && before.turn == l.turn && before.far == nil && l.far == nil
}

// noteStretch adds what AdvanceFar has executed to the log.
func (h *History) noteStretch(f *stretch) {
	if f.insts > 0 {
		h.far += f.size
		h.note(logged{count: f.insts, far: f})
	}
}

// unfold puts the turns of a stretch into its place in the log.
func (h *History) unfold(i int) {
	e := h.log[i]
	turns := make([]logged, 0, e.far.turns)
	e.far.log(func(l logged) {
		l.at = e.at
		e.at += l.count
		if n := len(turns); n > 0 && l.goesOn(&turns[n-1]) {
			turns[n-1].count += l.count
		} else {
			turns = append(turns, l)
		}
	})
	h.forget(h.log[i : i+1])
	h.log = slices.Replace(h.log, i, i+1, turns...)
}

// forget counts entries of the log that are to be forgotten.
func (h *History) forget(entries []logged) {
	for _, e := range entries {
		if e.far != nil {
			h.far -= e.far.size
		}
	}
}

// markIfFar makes a mark if the last one is far away.
func (h *History) markIfFar() {
	since := h.now - h.marks[len(h.marks)-1].at
	if since >= h.distance() || since >= h.distance()/4 && h.Held() > h.limit {
		h.mark()
	}
}

// changedNow reports whether there are changes at the present.
func (h *History) changedNow() bool { return h.applied > 0 && h.changes[h.applied-1].at == h.now }

// entryAt is the index of the log's entry that a time is in or before.
func (h *History) entryAt(t uint64) int {
	return sort.Search(len(h.log), func(i int) bool { return h.log[i].at+h.log[i].count > t })
}

// entry is the log's entry, of one wave, that the present is in or before.
func (h *History) entry() logged {
	i := h.entryAt(h.now)
	if h.log[i].far != nil {
		h.unfold(i)
		i = h.entryAt(h.now)
	}
	return h.log[i]
}

// A Diverged says that the machine does not do again what the log says. Waves race for memory, and many were
// executed at once ([Machine.AdvanceFar]); or the log is the timeline of another machine. What came after is
// forgotten: the present is the latest time.
type Diverged struct {
	At   uint64 // the present
	Wave int    // the ID of the one whose turn it was; -1 where memory is another
}

// nobody is the wave of a [Diverged] of memory.
const nobody = -1

func (d *Diverged) Error() string {
	if d.Wave == nobody {
		return fmt.Sprintf("at time %d memory is not what it was before", d.At)
	}
	return fmt.Sprintf("at time %d wave %d does not go on as it did before", d.At, d.Wave)
}

// diverges forgets a future that does not come again.
func (h *History) diverges(wave int) error {
	h.ForgetFuture()
	return &Diverged{h.now, wave}
}

// follow executes up to n instructions of the log, all of one wave. If that is not the one given, n is no
// limit.
func (h *History) follow(w *Wave, n uint64) (Event, error) {
	e := h.entry()
	next := h.m.waveOf(e.wave)
	if next == nil {
		return Event{}, h.diverges(e.wave)
	}
	count := e.at + e.count - h.now
	if h.applied < len(h.changes) {
		count = min(count, h.changes[h.applied].at-h.now)
	}
	if w == nil || next == w {
		count = min(count, n)
	}
	before := next.Insts
	ev, err := h.m.StepWave(next, count)
	h.now += next.Insts - before
	if h.now == e.at+e.count {
		h.m.turn = e.turn
	}
	if err == nil && ev.Kind == NoEvent && next.Insts == before {
		err = h.diverges(e.wave)
	}
	if err == nil && next.Insts != before {
		err = h.redo()
	}
	return ev, err
}

// arrived looks at the machine where it has come to by the log: if it had come there at once before, to
// another state, what came after that is forgotten.
func (h *History) arrived() error {
	i := sort.Search(len(h.marks), func(i int) bool { return h.marks[i].at >= h.now })
	if i == len(h.marks) || h.marks[i].at != h.now || !h.marks[i].far {
		return nil
	}
	if h.marks[i].far = false; h.m.is(h.marks[i].snap) {
		return nil
	}
	err := h.diverges(nobody)
	h.mark()
	return err
}

// goOn is follow, and makes a mark if the last one is far away.
func (h *History) goOn(w *Wave, n uint64) (Event, error) {
	ev, err := h.follow(w, n)
	if err == nil {
		err = h.arrived()
	}
	if err == nil && h.now-h.markBefore(h.now).at >= h.distance() {
		h.mark()
	}
	return ev, err
}

// Settle goes on to the next change if that was made within n instructions, none of which is w's: after w has
// executed one, others have executed theirs, and then the machine was changed.
func (h *History) Settle(w *Wave, n uint64) error {
	if h.applied == len(h.changes) || h.changes[h.applied].at-h.now > n {
		return nil
	}
	to := h.changes[h.applied].at
	for i := h.entryAt(h.now); i < len(h.log) && h.log[i].at < to; i++ {
		if h.log[i].wave == w.ID || h.log[i].far != nil {
			return nil
		}
	}
	return h.quietly(func() error { return h.forward(to) })
}

// waveOf is the resident wave with an ID, or nil.
func (m *Machine) waveOf(id int) *Wave {
	for _, w := range m.waves {
		if w.ID == id {
			return w
		}
	}
	return nil
}

// Goto makes the machine what it was at a time. Instructions that a fault stopped have not been executed:
// waves that stand at one are ready to try again, as they were when they came there.
func (h *History) Goto(t uint64) error {
	if t < h.Begin() || t > h.end {
		return fmt.Errorf("time %d: the history is from %d to %d", t, h.Begin(), h.end)
	}
	if t < h.now {
		if err := h.prove(); err != nil {
			return err
		}
	}
	if t < h.now || h.markBefore(t).at > h.now {
		if err := h.restore(h.markBefore(t)); err != nil {
			return err
		}
	}
	return h.goForward(t)
}

// prove has the log do again what was executed at once last, before somebody goes back: if that comes to
// another state, the past is not what it was.
func (h *History) prove() error {
	if h.Replaying() {
		return nil
	}
	if h.wentFar(len(h.marks)) {
		h.addMark() // where there is no room another one goes, from the past, and not the beginning
	}
	last := len(h.marks) - 1
	if last == 0 || h.marks[last].at < h.now || !h.marks[last].far {
		return nil
	}
	if err := h.restore(h.marks[last-1]); err != nil {
		return err
	}
	if err := h.goForward(h.marks[last].at); err != nil {
		return err
	}
	return h.arrived()
}

// goForward is forward, with marks on a long way.
func (h *History) goForward(t uint64) error {
	for t-h.now > h.distance() { // marks that the next time will want, closer and closer
		half := h.now + (t-h.now)/2
		if err := h.quietly(func() error { return h.forward(half) }); err != nil {
			return err
		}
		h.mark()
	}
	err := h.quietly(func() error { return h.forward(t) })
	h.retry()
	return err
}

// markBefore is the latest mark that is not after a time.
func (h *History) markBefore(t uint64) mark {
	i := sort.Search(len(h.marks), func(i int) bool { return h.marks[i].at > t })
	return h.marks[i-1]
}

func (h *History) restore(k mark) error {
	h.m.Restore(k.snap)
	if h.with != nil {
		h.with.Restore(k.with)
	}
	h.now, h.applied = k.at, k.applied
	return h.redo()
}

// forward follows the log to a time.
func (h *History) forward(t uint64) error {
	for h.now < t {
		h.retry()
		if _, err := h.follow(nil, t-h.now); err != nil {
			return err
		}
	}
	return nil
}

// retry lets waves go on that a fault had stopped: in the past they did.
func (h *History) retry() {
	for _, w := range h.m.waves {
		if w.State == Faulted {
			w.State = Ready
		}
	}
}

// quietly does something without breakpoints, and without observers but for the snapshots' own.
func (h *History) quietly(f func() error) error {
	observers := h.m.observers
	h.m.observers, h.m.quiet = []observer{observerOf(writes{h.m.Mem})}, true
	for _, o := range h.m.orderers {
		h.m.observers = append(h.m.observers, observerOf(o))
		o.Quiet(true)
		defer o.Quiet(false)
	}
	defer func() {
		h.m.observers, h.m.quiet = observers, false
	}()
	return f()
}
