package simt

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Going ahead: many turns of [Machine.Advance] at once, on several processors. Which turns Advance gives
// follows from what each workgroup does in its own turns: how many instructions, and when it ends. So
// workgroups run apart from each other and note their turns, and then the turns are put into the order
// that Advance has. Workgroups that are short of others make up for it, until all are where Advance would
// have them. It is for programs in which the order of workgroups cannot be seen, nor that of their waves
// between barriers where a kernel uses no LDS: if they race in global memory, the states that it comes to
// are others than the turns in its log come to. Where something happens that a debugger wants to know, it
// has all been in vain: the machine goes back to where it was.

// A Far says how far to go.
type Far struct {
	Turn    uint64 // instructions in a turn, as of [Machine.Advance]
	Insts   uint64 // about how many of them to execute in all,
	Most    uint64 // or, if that is more, while workgroups come to their ends in bulk: those meet nothing
	Workers int
	// Changed is how many workgroups, the first ones, have waves that somebody else than the machine may have
	// changed since they were started, -1 if any may: what waves of others have that have executed nothing is
	// what they started with.
	Changed int
	// Interrupted, which may be nil, reports whether to stop as soon as can be. Several workers call it.
	Interrupted func() bool
}

// AdvanceFar makes many turns of Advance if nothing happens in them that a debugger wants to know: an
// event other than barriers and ends of waves. ok is false if something does, or if the turns cannot be
// made so; the machine is then as it was.
func (m *Machine) AdvanceFar(f Far) (ok bool, err error) {
	if !m.mayGoFar(&f) {
		return false, nil
	}
	s := m.Snapshot()
	defer m.Release(s)
	return m.farOrBack(f, nil, func() error { m.Restore(s); return nil })
}

// farOrBack is far. If that comes to nothing, back makes the machine what it was; and where it only was that
// waves in bulk have not come to their ends, it is done again without these.
func (m *Machine) farOrBack(f Far, note func(*stretch), back func() error) (ok bool, err error) {
	for again := true; again; {
		before := m.amid
		if ok, err = m.far(f, note); ok {
			return true, nil
		}
		again = err == nil && m.amid != before
		if err = cmp.Or(err, back()); err != nil {
			return false, err
		}
	}
	return false, nil
}

// AdvanceFar is [Machine.AdvanceFar]; it does not follow the log.
func (h *History) AdvanceFar(f Far) (ok bool, err error) {
	if h.Replaying() || !h.m.mayGoFar(&f) {
		return false, nil
	}
	if last := h.marks[len(h.marks)-1]; last.at != h.now || last.applied != h.applied {
		h.mark()
	}
	ok, err = h.m.farOrBack(f, h.noteStretch, func() error { return h.restore(h.marks[len(h.marks)-1]) })
	if ok {
		h.markIfFar()
	}
	return ok, err
}

// mayGoFar reports whether turns can be made at once: nobody looks at accesses but snapshots, and workgroups
// are in no clusters.
func (m *Machine) mayGoFar(f *Far) bool {
	return !m.Watched() && f.Turn > 0 && f.Turn <= math.MaxUint16 && len(m.waves) > 0 &&
		m.Dispatch.clusterSize() == 1
}

// A strand is a workgroup that runs apart from others.
type strand struct {
	*Workgroup // nil when it has ended and was given to others, and when the turns are in order
	index      int
	waves      int
	next       int // the wave whose turn is next
	turns      []strandTurn
	passes     int // over its waves that have turns which have not been put into order
	ended      bool
	alike      bool     // it is several workgroups, executed in bulk, whose waves have had the same turns
	counted    bool     // by a stretch
	stats      Stats    // when it has ended
	bulk       []uint64 // of its waves, instructions executed in bulk that are in no turns yet
}

// owes reports whether waves have executed what is in no turns yet.
func (s *strand) owes() bool {
	for _, n := range s.bulk {
		if n > 0 {
			return true
		}
	}
	return false
}

// owed takes so many of a wave's at most.
func (s *strand) owed(wave int, most uint64) uint64 {
	if s.bulk == nil {
		return 0
	}
	n := min(s.bulk[wave], most)
	s.bulk[wave] -= n
	return n
}

// A strandTurn is a turn of a wave of a strand. Those of one pass over its waves are in their order.
type strandTurn struct{ wave, count uint16 }

// add notes a turn.
func (s *strand) add(wave int, count uint64) {
	if n := len(s.turns); n == 0 || int(s.turns[n-1].wave) >= wave {
		s.passes++
	}
	s.turns = append(s.turns, strandTurn{uint16(wave), uint16(count)})
}

// An ahead is one call of AdvanceFar.
type ahead struct {
	m *Machine
	Far
	rounds int  // of a strand, in which each of its waves has a turn
	shares bool // LDS

	running []*strand // resident when it began
	early   []early   // workgroups that were started before their time; when all have run, in their order

	taken  atomic.Int64 // strands of running that workers have taken
	others atomic.Int64 // workgroups likewise, from Machine.next on
	spent  atomic.Int64 // instructions
	last   atomic.Bool  // a strand has not come to its end: no others are started
	stop   atomic.Bool
	vain   atomic.Bool // something has happened
	broken atomic.Bool // a core has panicked: none is used again
	amid   atomic.Bool // a wave in bulk has not come to its end
	mu     sync.Mutex  // of early
}

// far does what AdvanceFar says and gives what has been executed to note, if that is not nil. If ok is false
// the machine is anywhere.
func (m *Machine) far(f Far, note func(*stretch)) (ok bool, err error) {
	m.release()
	a := &ahead{m: m, Far: f, shares: m.sharesLDS()}
	a.rounds = int(max(1, min(f.Insts/f.Turn/uint64(len(m.waves)), 1<<20)))
	at := 0
	for _, g := range m.groups {
		s := newStrand(g)
		if m.turn > at && m.turn < at+s.waves {
			s.next = m.turn - at
		}
		at += s.waves
		a.running = append(a.running, &s)
	}
	m.Concurrent = true
	defer func() {
		if m.Concurrent = false; a.broken.Load() {
			m.core, m.cores = nil, nil
		}
		m.amid = m.amid || a.amid.Load()
	}()
	if m.core == nil {
		m.core = m.isa.NewCore(m)
	}
	for len(m.cores) < f.Workers-1 {
		m.cores = append(m.cores, m.isa.NewCore(m))
	}
	var eg errgroup.Group
	for _, c := range m.cores[:max(f.Workers, 1)-1] {
		eg.Go(func() error { return a.work(c) })
	}
	eg.Go(func() error { return a.work(m.core) })
	if err := eg.Wait(); err != nil || a.vain.Load() {
		return false, err
	}
	slices.SortFunc(a.early, func(a, b early) int { return cmp.Compare(a.index, b.index) })
	return a.order(m.core, note)
}

// A hand is a worker of an [ahead].
type hand struct {
	*ahead
	core     Core
	bulk     *bulk
	from, to int          // workgroups that it has taken, which have not been started
	inBulk   bool         // those before were executed in bulk,
	several  int          // as many at once as should be taken; 0 if they were not
	unsaid   int64        // instructions in bulk that are not in spent yet
	mine     []early      // that it has started before their time
	alike    *strand      // the last in bulk,
	done     []Stats      // and what its waves have executed
	strands  []strand     // room for those to come,
	room     []strandTurn // and for turns
}

// An early is workgroups that were started before their time, so many from an index on: one, or those that
// are alike.
type early struct {
	index, count int
	*strand
}

// work runs strands: those of resident workgroups, then of others that are to start.
func (a *ahead) work(core Core) error {
	h := hand{ahead: a, core: core, bulk: a.m.newBulkAhead(core)}
	h.inBulk = h.bulk != nil
	defer func() { a.began(h.mine) }()
	for i := int(a.taken.Add(1)) - 1; i < len(a.running); i = int(a.taken.Add(1)) - 1 {
		s := a.running[i]
		if a.fresh(h.bulk, s) {
			done, _ := h.executeBulk(s.index, 1)
			a.owe(h.bulk, s, done)
		}
		a.run(core, s)
	}
	for h.goesOn() {
		if h.from == h.to {
			h.take()
		}
		if h.from >= h.to {
			return nil
		}
		if err := h.start(); err != nil {
			return err
		}
	}
	return nil
}

// goesOn reports whether the worker starts another workgroup: as long as there are more instructions to
// execute, and those that it has taken to be executed in bulk in any case, since others would start them one
// by one.
func (h *hand) goesOn() bool {
	if h.inBulk && h.from < h.to {
		return !h.stop.Load()
	}
	return h.spent.Load()+h.unsaid < h.most() && !h.last.Load() && !h.stop.Load()
}

// most is up to how many instructions workgroups are started.
func (h *hand) most() int64 {
	if h.inBulk {
		return int64(max(h.Insts, h.Most))
	}
	return int64(h.Insts)
}

// How many workgroups are taken at once that are executed in bulk: as many as execute some instructions, so
// that an interrupt is noticed, and what two workers write lies apart; no more than a share of what is left,
// and than need little room for what each wave has executed.
const (
	seriesInsts  = 1 << 14
	seriesMost   = 64
	seriesShares = 8
)

// take takes workgroups that are not resident: several where those before were executed in bulk.
func (h *hand) take() {
	h.spent.Add(h.unsaid)
	h.unsaid = 0
	left := h.m.groupCount() - h.m.next - int(h.others.Load())
	n := max(1, min(h.several, left/(seriesShares*max(h.Workers, 1))))
	end := int(h.others.Add(int64(n))) + h.m.next
	h.from, h.to = end-n, min(end, h.m.groupCount())
}

// start starts the next of the workgroups that are taken and runs it; or it executes as many in bulk as it
// can at once.
func (h *hand) start() error {
	done, groups := h.executeBulk(h.from, h.to-h.from)
	if groups > 0 {
		waves, first := h.m.WavesOf(&h.bulk.g), h.from
		done = h.keepBulk(done, waves)
		h.several, h.inBulk = 0, h.from == first+groups
		if h.inBulk {
			h.several = h.inSeries(waves)
			return nil
		}
	}
	h.inBulk = false
	s := h.strand()
	g, err := h.m.startGroup(s.index)
	if err != nil {
		return err
	}
	turns := s.turns
	*s = newStrand(g)
	s.turns = turns
	h.owe(h.bulk, s, done)
	h.run(h.core, s)
	h.keep(s)
	return nil
}

// inSeries is how many workgroups to take at once that do what the last one in bulk did.
func (h *hand) inSeries(waves int) int {
	insts := uint64(1)
	for i := range h.done {
		insts += h.done[i].Insts
	}
	return int(max(1, min(seriesInsts/insts, seriesMost)))
}

// keepBulk keeps the next of the workgroups that are taken, all of whose waves have been executed in bulk: as
// the strand that the one before is, as long as they have executed the same. It returns what a workgroup has
// executed whose waves have not all come to their ends.
func (h *hand) keepBulk(done []Stats, waves int) []Stats {
	for ; len(done) >= waves; done = done[waves:] {
		if h.alike == nil || !slices.Equal(h.done, done[:waves]) {
			s := h.strand()
			s.waves, s.alike = waves, true
			h.noteBulk(s, done[:waves])
			h.keep(s)
			h.alike, h.done = s, append(h.done[:0], done[:waves]...)
			continue
		}
		if last := &h.mine[len(h.mine)-1]; last.strand == h.alike && last.index+last.count == h.from {
			last.count++
		} else {
			h.mine = append(h.mine, early{h.from, 1, h.alike})
		}
		h.from++
	}
	return done
}

// strand is one for the next of the workgroups that are taken, with room for turns.
func (h *hand) strand() *strand {
	if len(h.strands) == 0 {
		h.strands = make([]strand, strandsAtOnce)
	}
	s := &h.strands[0]
	h.strands = h.strands[1:]
	s.index, s.turns = h.from, h.room[len(h.room):]
	h.from++
	return s
}

// keep keeps a strand that has run as far as it does.
func (h *hand) keep(s *strand) {
	h.room = s.turns
	if n := len(h.room); cap(h.room)-n < n || cap(h.room) == 0 { // the next may have as many
		h.room = make([]strandTurn, 0, max(turnsAtOnce, 4*n))
	}
	s.turns = slices.Clip(s.turns)
	if s.ended && s.Workgroup != nil { // nobody has seen it
		h.m.spare(s.Workgroup)
		s.Workgroup = nil
	}
	h.mine = append(h.mine, early{s.index, 1, s})
}

// For how many turns room is made at a time, at least, and for how many strands.
const (
	turnsAtOnce   = 1 << 10
	strandsAtOnce = 1 << 6
)

// began notes workgroups that were started before their time.
func (a *ahead) began(all []early) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.early = append(a.early, all...)
}

// start starts a workgroup.
func (a *ahead) start(index int) (*strand, error) {
	g, err := a.m.startGroup(index)
	if err != nil {
		return nil, err
	}
	s := newStrand(g)
	return &s, nil
}

func newStrand(g *Workgroup) strand { return strand{Workgroup: g, index: g.Index, waves: len(g.Waves)} }

// muchInBulk is how many times as many turns as others a wave may have now that is executed in bulk.
const muchInBulk = 4

// fresh reports whether a workgroup is as it was started, or as good as that: its waves would come to where
// they are again.
func (a *ahead) fresh(b *bulk, s *strand) bool {
	if b == nil || a.Changed < 0 || s.index < a.Changed || s.next > 0 {
		return false
	}
	repeater, _ := b.core.(Repeater)
	executed := func(w *Wave) bool {
		return w.State != Ready || w.Insts > 0 && (repeater == nil || !repeater.Repeats(w))
	}
	return !slices.ContainsFunc(s.Waves, executed)
}

// executeBulk executes workgroups from one on, up to most of them, which are fresh or have not been started,
// as far as their waves can be executed to their ends without being made, in few more turns than they have
// now. It says of how many workgroups it has tried that.
func (h *hand) executeBulk(index, most int) (done []Stats, groups int) {
	b := h.bulk
	if b == nil || b.hopeless() {
		return nil, 0
	}
	groups = b.place(h.m, index, most)
	done, tried := b.attempt(groups, uint64(h.rounds)*h.Turn*muchInBulk)
	if !tried {
		return nil, 0
	}
	whole := len(done) / h.m.WavesOf(&b.g)
	if b.groups += whole; whole < groups {
		b.groups++
		b.vain++
	}
	if b.begun() { // amid a wave: what it would have in its record nobody knows
		h.amid.Store(true)
		h.fail()
		return nil, 0
	}
	for i := range done {
		h.unsaid += int64(done[i].Insts)
	}
	return done, groups
}

// owe makes waves of a strand, which is fresh, those that have executed in bulk what is in no turns yet.
func (a *ahead) owe(b *bulk, s *strand, done []Stats) {
	if len(done) == 0 {
		return
	}
	s.bulk = make([]uint64, s.waves)
	for i := range done {
		s.bulk[i] = done[i].Insts - s.Waves[i].Insts
	}
	b.finish(s.Workgroup, done)
}

// noteBulk notes the turns of a workgroup all of whose waves have been executed in bulk.
func (a *ahead) noteBulk(s *strand, done []Stats) {
	for i := range done {
		s.stats.add(done[i])
	}
	longest := a.Turn
	for from := uint64(0); from < longest; from += a.Turn {
		for i := range done {
			n := done[i].Insts
			if longest = max(longest, n); n > from {
				s.add(i, min(n-from, a.Turn))
			}
		}
	}
	s.ended = true
}

// run gives the waves of a strand their turns.
func (a *ahead) run(core Core, s *strand) {
	before := s.insts()
	for left := a.rounds * s.waves; !s.ended && (left > 0 && !a.stop.Load() || s.owes()); {
		n := mostSlots * s.waves
		if left > 0 {
			n = min(n, left)
		}
		if !a.shares {
			n = a.apart(core, s, n)
		} else {
			n = a.together(core, s, n)
		}
		if n == 0 { // it cannot go on
			a.fail()
		}
		left -= n
		if a.Interrupted != nil && a.Interrupted() {
			a.stop.Store(true)
		}
	}
	a.spent.Add(int64(s.insts() - before))
	if !s.ended {
		a.last.Store(true)
	}
}

// insts is how many instructions the waves have executed.
func (s *strand) insts() (n uint64) {
	for _, w := range s.Waves {
		n += w.Insts
	}
	return n
}

// mostSlots is how many turns each wave may have between two looks at what else there is to do.
const mostSlots = 64

// together gives the waves of a strand so many turns in the order that they have: they share memory, and
// may see it. A wave that has to wait lets its turn pass.
func (a *ahead) together(core Core, s *strand, slots int) (used int) {
	idle := 0
	team, _ := core.(Teamer)
	for ; used < slots && !s.ended; used++ {
		if team != nil && s.next == 0 && slots-used >= s.waves && !s.owes() {
			n, ok := a.inTeam(team, s, (slots-used)/s.waves)
			if !ok {
				return 0
			}
			if n > 0 {
				idle = 0
				used += n - 1
				continue
			}
			team = nil // waves are not where they could be one
		}
		w := s.Waves[s.next]
		s.next = (s.next + 1) % s.waves
		if n := s.owed(w.Index, a.Turn); n > 0 { // of waves in bulk, whose kernel uses none of its LDS
			idle = 0
			s.add(w.Index, n)
			a.meet(s)
			continue
		}
		if w.State != Ready {
			if idle++; idle > s.waves {
				return 0
			}
			continue
		}
		idle = 0
		count, ok := a.turn(core, s, w, 1)
		if !ok {
			return 0
		}
		s.add(w.Index, count)
		a.meet(s)
	}
	return used
}

// inTeam is together for as many turns as the core gives by itself, in so many rounds over all waves at most.
// ok is false if something happens that a debugger wants to know.
func (a *ahead) inTeam(t Teamer, s *strand, rounds int) (used int, ok bool) {
	done, next, ev := a.m.runTeam(t, s.Workgroup, a.Turn, rounds)
	if f := ev.Fault; f != nil && f.Kind == Defect {
		a.broken.Store(true)
	}
	if ev.Kind != EndEvent {
		return 0, false
	}
	if used = done*s.waves + next; used == 0 {
		return 0, true
	}
	t.Turns(func(wave int, insts uint64) { s.add(wave, insts) })
	for _, w := range s.Waves {
		if w.State != Ended && a.m.HasBreakpoint(w.PC) {
			return 0, false
		}
	}
	s.next = next % s.waves
	a.meet(s)
	return used, true
}

// apart gives the waves of a strand so many turns, or as many as there are until all wait for each other:
// each wave all of its turns at once, since there is nothing that they share.
func (a *ahead) apart(core Core, s *strand, slots int) (used int) {
	var counts [MaxGroupSize]uint64 // of each wave, that is next first
	for i := range s.waves {
		w := s.Waves[(s.next+i)%s.waves]
		turns := uint64(slots-i+s.waves-1) / uint64(s.waves) // of slots i, i+waves, ...
		counts[i] = s.owed(w.Index, turns*a.Turn)
		if counts[i] == 0 && w.State == Ready && turns > 0 {
			var ok bool
			if counts[i], ok = a.turn(core, s, w, turns); !ok {
				return 0
			}
		}
		if counts[i] == 0 {
			continue
		}
		used = max(used, i+int((counts[i]-1)/a.Turn)*s.waves+1)
	}
	ready := s.owes()
	for _, w := range s.Waves {
		ready = ready || w.State == Ready
	}
	if ready {
		used = slots
	}
	for slot, i := 0, 0; slot < used; slot++ {
		if n := min(counts[i], a.Turn); n > 0 {
			s.add((s.next+i)%s.waves, n)
			counts[i] -= n
		}
		if i++; i == s.waves {
			i = 0
		}
	}
	s.next = (s.next + used) % s.waves
	a.meet(s)
	return used
}

func (a *ahead) fail() {
	a.vain.Store(true)
	a.stop.Store(true)
}

// turn gives a wave of a strand turns. ok is false if something happens that a debugger wants to know.
func (a *ahead) turn(core Core, s *strand, w *Wave, turns uint64) (count uint64, ok bool) {
	before := w.Insts
	ev, broken := runCore(core, w, turns*a.Turn)
	if broken {
		a.broken.Store(true)
	}
	count = w.Insts - before
	switch ev.Kind {
	case NoEvent, BarrierEvent: // a breakpoint that it has come to is met
		return count, count > 0 && !a.m.HasBreakpoint(w.PC)
	case EndEvent:
		return count, count > 0
	}
	return count, false
}

// meet lets the waves of a strand go on that have waited for each other, and notes its end.
func (a *ahead) meet(s *strand) {
	a.m.openBarrier(s.Workgroup)
	if s.Workgroup.ended() && !s.owes() {
		s.ended = true
		for _, w := range s.Waves {
			s.stats.add(Stats{1, w.Insts, w.LaneInsts})
		}
	}
}
