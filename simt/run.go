package simt

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// slice is how many instructions a wave runs before another of its workgroup gets a turn in [Machine.Run];
// besideSlice likewise, where other workgroups run beside it; atOnceSlice, where all run at once.
const (
	slice       = 1 << 16
	besideSlice = 1 << 12
	atOnceSlice = 1 << 10
)

// A workgroup that has run for patience turns without coming to its end may wait for one that has not
// started: then another starts beside it. Where none of those has come to its end after besidePatience turns,
// they may all wait: twice as many run from then on, as long as there are no more than maxBeside waves. So
// the turns that are spent on waiting grow with the number of workgroups, not with its square.
const (
	patience       = 64
	besidePatience = 16
	maxBeside      = 4096
)

// A LimitError says that a run was stopped after Machine.MaxInsts instructions.
type LimitError struct{ Insts uint64 }

func (e *LimitError) Error() string { return fmt.Sprintf("stopped after %d instructions", e.Insts) }

// Run executes the whole dispatch on a number of workers. It returns the event that stopped it, a fault or a
// trap, or one of kind EndEvent. With several workers, the event is that of the first workgroup in dispatch
// order that has one, as it would be with one worker. If ctx or MaxInsts ends the run, [Machine.Waves] are
// those that were running.
//
// One worker runs workgroups one after the other, but for those that do not come to an end: see patience. So
// do several if MayWait is set.
func (m *Machine) Run(ctx context.Context, workers int) (Event, error) {
	if m.Forgive != nil && m.Dispatch.clusterSize() > 1 {
		workers = 1 // who has faulted goes on with the worker that has the others of the cluster
	}
	m.Concurrent = workers > 1
	r := &runner{m: m, workers: workers}
	r.left.Store(int64(min(m.MaxInsts, 1<<62)))
	err := r.round(ctx)
	for err == nil && r.forgiven() {
		err = r.round(ctx)
	}
	slices.SortFunc(r.unfinished, func(a, b *Workgroup) int { return cmp.Compare(a.Index, b.Index) })
	m.groups = r.unfinished
	m.listWaves()
	return r.stop, err
}

// A runner is a run of the whole dispatch.
type runner struct {
	m       *Machine
	workers int
	next    atomic.Int64 // workgroup that no worker has taken
	limit   atomic.Int64 // workgroups at or after this one need not run
	left    atomic.Int64 // instructions, if Machine.MaxInsts bounds them

	mu         sync.Mutex
	stop       Event
	unfinished []*Workgroup // where the run was ended from outside
	held       interrupted
}

// round runs workgroups to their ends, or to the first in dispatch order that does not come to its end.
func (r *runner) round(ctx context.Context) error {
	r.limit.Store(int64(r.m.groupCount()))
	r.stop = Event{Kind: EndEvent}
	for _, s := range r.held.stopped { // in rounds before
		r.stopped(s.number, s.ev)
	}
	eg, ctx := errgroup.WithContext(ctx)
	for range r.workers {
		eg.Go(func() error { return r.work(ctx, r.workers == 1 || r.m.MayWait) })
	}
	return eg.Wait()
}

// A member is a workgroup that a worker runs.
type member struct {
	*Workgroup
	waits bool // others were started because it may wait for them
}

// A crowd is what a worker runs at a time.
type crowd struct {
	running []*member
	room    int // how many may run beside each other
	quiet   int // turns since one has come to its end

	spare *member // one that is not used any more, or nil

	most       int64 // workgroups to take at a time, at most
	next, last int64 // those that are taken and not started: up to, not including, last

	peers []*Workgroup // of the cluster that was started last

	bulk  *bulk // of those that need not be started, or nil
	stats Stats // of those that have come to their ends
}

// mostTaken is how many workgroups a worker takes at a time: what neighbours access is mostly side by side,
// and so in the pages and caches of one processor.
const mostTaken = 32

// work runs workgroups until none is left: one at a time, or beside it others if it may be waiting for them.
func (r *runner) work(ctx context.Context, beside bool) (err error) {
	w := worker{runner: r, core: r.m.takeCore()}
	began := r.m.generation
	w.translated = translationOf(w.core)
	w.crowd = crowd{room: 1, most: mostTaken, bulk: r.m.newBulk(w.core)}
	c := &w.crowd
	if beside && r.workers > 1 { // one that waits must not wait for one that another worker keeps
		c.most = 1
	}
	defer func() {
		w.account(err)
		if !w.broken {
			r.m.keepCore(w.core, began)
		}
	}()
	for {
		if beside && c.stalled() && !r.m.AllAtOnce {
			if r.limit.Load() < int64(r.m.groupCount()) {
				return nil // they may wait for one that has stopped, or for one that is not started any more
			}
			c.grow()
		}
		if err := r.fill(ctx, c); err != nil || len(c.running) == 0 {
			return err
		}
		c.quiet++
		if over, err := w.turns(ctx); over || err != nil {
			return err
		}
		if c.room > 1 {
			slices.Reverse(c.running) // what is handed from one to the next is so in either direction
		}
	}
}

// A worker runs workgroups with a core.
type worker struct {
	*runner
	crowd
	core       Core
	translated Translation // by the core before
	broken     bool        // the core that it has begun with is gone
}

// account adds what the worker has done, and keeps what it has not.
func (w *worker) account(err error) {
	r := w.runner
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.retired.add(w.stats)
	r.m.translated(w.core, w.translated)
	if err != nil {
		for _, g := range w.running {
			r.unfinished = append(r.unfinished, g.Workgroup)
		}
	} else if r.m.Forgive != nil {
		r.held.keep(&w.crowd)
	}
}

// turns gives each workgroup that runs a turn, and reports whether that is all: a workgroup has stopped for
// which others may wait.
func (w *worker) turns(ctx context.Context) (over bool, err error) {
	r, c := w.runner, &w.crowd
	for i := 0; i < len(c.running); i++ {
		g := c.running[i]
		ev, err := r.turn(ctx, w.core, g, c)
		if err != nil {
			return false, err
		}
		if ev.Kind == FaultEvent || ev.Kind == TrapEvent {
			if f := ev.Fault; f != nil && f.Kind == Defect {
				w.replace()
			}
			r.stopped(g.number, ev)
			if r.m.Forgive != nil {
				r.held.add(g.Workgroup, ev)
			}
			if len(c.running) > 1 { // the others are not run to their ends: they may wait for this one
				c.ended(i)
				return true, nil
			}
			if r.m.Forgive != nil {
				c.ended(i)
				break
			}
		} else if !g.ended() {
			continue
		}
		r.m.recycle(g.Workgroup, &c.stats)
		c.ended(i)
		i--
	}
	return false, nil
}

// replace takes another core: what one has decoded that has had a defect may be half done.
func (w *worker) replace() {
	w.mu.Lock()
	w.m.translated(w.core, w.translated)
	w.mu.Unlock()
	w.core, w.broken, w.translated = w.m.isa.NewCore(w.m), true, Translation{}
	w.bulk = nil
}

// fill starts workgroups while there is room.
func (r *runner) fill(ctx context.Context, c *crowd) error {
	waves := 0
	for _, g := range c.running {
		waves += len(g.Waves)
	}
	size := int64(r.m.Dispatch.clusterSize())
	for len(c.running) == 0 || r.m.AllAtOnce || len(c.running) < c.room && waves < maxBeside ||
		c.next%size != 0 {
		g, err := r.start(ctx, c)
		if g == nil || err != nil {
			return err
		}
		c.running = append(c.running, c.member(g))
		waves += len(g.Waves)
	}
	return nil
}

// slice is how many instructions a wave of the crowd runs in a turn.
func (c *crowd) slice(m *Machine) uint64 {
	switch {
	case m.AllAtOnce:
		return atOnceSlice
	case c.room > 1:
		return besideSlice
	}
	return slice
}

// rounds is how many turns all waves of the one workgroup that runs may have before anybody asks whether it
// is stalled, or whether the run is to end: not so many that whoever interrupts it waits.
func (c *crowd) rounds() int {
	const most = 32
	if n := patience - c.quiet + 1; n > 0 {
		return min(n, most)
	}
	return most
}

// stalled reports whether the workgroups that run have all had enough turns to come to their ends.
func (c *crowd) stalled() bool {
	return c.quiet >= besidePatience && c.room > 1 || c.quiet >= patience
}

// grow makes room for as many workgroups again as run.
func (c *crowd) grow() {
	for _, g := range c.running {
		g.waits = true
	}
	c.room, c.quiet = 2*len(c.running), 0
}

// member makes a workgroup one of those that may run.
func (c *crowd) member(g *Workgroup) *member {
	m := c.spare
	if c.spare = nil; m == nil {
		m = &member{}
	}
	*m = member{Workgroup: g}
	return m
}

// ended takes out a workgroup that has come to its end.
func (c *crowd) ended(i int) {
	c.spare = c.running[i]
	c.running, c.quiet = slices.Delete(c.running, i, i+1), 0
	if !slices.ContainsFunc(c.running, func(g *member) bool { return g.waits }) {
		c.room = 1
	}
}

// start starts the next workgroup of a worker; nil if there is none.
func (r *runner) start(ctx context.Context, c *crowd) (*Workgroup, error) {
	if g := r.held.resume(r.limit.Load()); g != nil {
		return g, nil
	}
	for {
		if c.next == c.last {
			if c.next, c.last = r.held.take(r.limit.Load()); c.next == c.last {
				r.take(c)
			}
		}
		i, limit := c.next, r.limit.Load()
		if i >= limit {
			return nil, nil
		}
		if c.bulk == nil || len(c.running) > 0 {
			c.next++
			g, err := r.m.startGroup(int(i))
			if err == nil {
				c.peers = r.m.Dispatch.join(g, c.peers)
			}
			return g, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, g, err := c.bulk.run(r.m, int(i), int(min(c.last, limit)-i), &c.stats)
		c.next += int64(n)
		if g != nil || err != nil {
			return g, err
		}
	}
}

// take takes workgroups that no worker has taken.
func (r *runner) take(c *crowd) {
	const shares = 8 // of what is left, for each worker, so that all end at about the same time
	left := int64(r.m.groupCount()) - r.next.Load()
	n := max(1, min(c.most, left/int64(shares*r.workers)))
	size := int64(r.m.Dispatch.clusterSize())
	n = (n + size - 1) / size * size // clusters are taken whole
	c.last = r.next.Add(n)
	c.next = c.last - n
}

// stopped notes the event that the workgroup of a number ended with: the first counts.
func (r *runner) stopped(number int, ev Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if int64(number) < r.limit.Load() {
		r.limit.Store(int64(number))
		r.stop = ev
	}
}

// turn lets each wave of a workgroup that can run execute instructions, as many as it does in a turn of the
// crowd; if that is all of the crowd, perhaps in several turns.
func (r *runner) turn(ctx context.Context, core Core, g *member, all *crowd) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, err
	}
	n := all.slice(r.m)
	if c, ok := core.(Stopper); ok && r.m.MaxInsts == 0 {
		from, begun := g.from, g.begun
		g.from, g.begun = 0, 0
		if begun > 0 { // it has the rest of its turn
			if begun < n {
				if ev := r.m.runReady(c, g.Waves[from:from+1], n-begun); ev.Kind != EndEvent {
					return ev, nil
				}
			}
			from++
		}
		if t, ok := core.(Teamer); ok && len(all.running) == 1 && from == 0 {
			rounds, next, ev := r.m.runTeam(t, g.Workgroup, n, all.rounds())
			if ev.Kind != EndEvent {
				return ev, nil
			}
			if from = next; rounds > 0 && next == 0 { // the last is this turn
				rounds, from = rounds-1, len(g.Waves)
			}
			all.quiet += rounds
		}
		ev := r.m.runReady(c, g.Waves[from:], n)
		if ev.Kind == EndEvent {
			r.m.openBarrier(g.Workgroup)
		}
		return ev, nil
	}
	for _, w := range g.Waves {
		if w.State != Ready {
			continue
		}
		n := n
		if r.m.MaxInsts > 0 {
			left := r.left.Load()
			if left <= 0 {
				return Event{}, &LimitError{r.m.MaxInsts}
			}
			n = min(n, uint64(left))
		}
		before := w.Insts
		ev, _ := runCore(core, w, n)
		if r.m.MaxInsts > 0 {
			r.left.Add(-int64(w.Insts - before))
		}
		switch ev.Kind {
		case FaultEvent, TrapEvent:
			return ev, nil
		case BarrierEvent, EndEvent:
			r.m.arrived(ev)
		}
	}
	r.m.openBarrier(g.Workgroup)
	return Event{Kind: EndEvent}, nil
}

// recycle counts what a workgroup has executed and keeps it for others.
func (m *Machine) recycle(g *Workgroup, stats *Stats) {
	for _, w := range g.Waves {
		stats.add(Stats{1, w.Insts, w.LaneInsts})
	}
	switch {
	case !g.ended(): // an event keeps the wave that it is about
	case len(g.Peers) == 0:
		m.spare(g)
	case !slices.ContainsFunc(g.Peers, func(p *Workgroup) bool { return !p.ended() }): // none can look at it
		for _, p := range g.Peers {
			m.spare(p)
		}
	}
}

func (s *Stats) add(o Stats) {
	s.Waves += o.Waves
	s.Insts += o.Insts
	s.LaneInsts += o.LaneInsts
}
