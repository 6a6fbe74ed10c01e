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
// atOnceSlice likewise, where all workgroups run at once.
const (
	slice       = 1 << 16
	atOnceSlice = 1 << 10
)

// A workgroup that has run for patience turns without coming to its end may wait for one that has not started: then
// another starts beside it, as long as there are no more than maxBeside waves.
const (
	patience  = 64
	maxBeside = 4096
)

// A LimitError says that a run was stopped after Machine.MaxInsts instructions.
type LimitError struct{ Insts uint64 }

func (e *LimitError) Error() string { return fmt.Sprintf("stopped after %d instructions", e.Insts) }

// Run executes the whole dispatch on a number of workers. It returns the event that stopped it, a fault or a trap,
// or one of kind EndEvent. With several workers, the event is that of the first workgroup in dispatch order that has
// one, as it would be with one worker. If ctx or MaxInsts ends the run, [Machine.Waves] are those that were running.
//
// One worker runs workgroups one after the other, but for those that do not come to an end: see patience.
func (m *Machine) Run(ctx context.Context, workers int) (Event, error) {
	m.Concurrent = workers > 1
	r := &runner{m: m, stop: Event{Kind: EndEvent}}
	r.limit.Store(int64(m.groupCount()))
	if m.MaxInsts > 0 {
		r.left.Store(int64(min(m.MaxInsts, 1<<62)))
	} else {
		r.left.Store(1 << 62)
	}
	eg, ctx := errgroup.WithContext(ctx)
	for range workers {
		eg.Go(func() error { return r.work(ctx, workers == 1) })
	}
	err := eg.Wait()
	slices.SortFunc(r.unfinished, func(a, b *Workgroup) int { return cmp.Compare(a.Index, b.Index) })
	m.groups, m.waves = r.unfinished, nil
	for _, g := range m.groups {
		m.waves = append(m.waves, g.Waves...)
	}
	return r.stop, err
}

// A runner is a run of the whole dispatch.
type runner struct {
	m     *Machine
	next  atomic.Int64 // workgroup to start
	limit atomic.Int64 // workgroups at or after this one need not run
	left  atomic.Int64 // instructions

	mu         sync.Mutex
	stop       Event
	unfinished []*Workgroup // where the run was ended from outside
}

// A member is a workgroup that a worker runs.
type member struct {
	*Workgroup
	turns int
}

// work runs workgroups until none is left: one at a time, or beside it others if it may be waiting for them.
func (r *runner) work(ctx context.Context, beside bool) (err error) {
	core, began := r.m.takeCore(), r.m.generation
	defer r.m.keepCore(core, began)
	var stats Stats
	var running []*member
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.m.retired.add(stats)
		if err != nil {
			for _, g := range running {
				r.unfinished = append(r.unfinished, g.Workgroup)
			}
		}
	}()
	for {
		for len(running) == 0 || beside && (r.m.AllAtOnce || r.stalled(running)) {
			g, err := r.start()
			if err != nil {
				return err
			}
			if g != nil {
				running = append(running, &member{Workgroup: g})
			} else if len(running) == 0 {
				return nil
			}
			if g == nil || !r.m.AllAtOnce {
				break
			}
		}
		for i := 0; i < len(running); i++ {
			g := running[i]
			ev, err := r.turn(ctx, core, g)
			if err != nil {
				return err
			}
			if ev.Kind == FaultEvent || ev.Kind == TrapEvent {
				r.stopped(g.Index, ev)
				if beside {
					return nil // the others are not run to their ends: they may wait for this one
				}
			} else if !g.ended() {
				continue
			}
			r.m.recycle(g.Workgroup, &stats)
			running = slices.Delete(running, i, i+1)
			i--
		}
	}
}

// stalled reports whether the workgroups that run have all had enough turns to come to their ends.
func (r *runner) stalled(running []*member) bool {
	waves := 0
	for _, g := range running {
		waves += len(g.Waves)
		if g.turns < patience {
			return false
		}
	}
	return waves < maxBeside
}

// start starts the next workgroup; nil if there is none.
func (r *runner) start() (*Workgroup, error) {
	i := r.next.Add(1) - 1
	if i >= r.limit.Load() {
		return nil, nil
	}
	return r.m.startGroup(int(i))
}

// stopped notes the event that a workgroup ended with: the first in dispatch order counts.
func (r *runner) stopped(index int, ev Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if int64(index) < r.limit.Load() {
		r.limit.Store(int64(index))
		r.stop = ev
	}
}

// turn lets each wave of a workgroup that can run execute a slice.
func (r *runner) turn(ctx context.Context, core Core, g *member) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, err
	}
	g.turns++
	for _, w := range g.Waves {
		if w.State != Ready {
			continue
		}
		n := uint64(slice)
		if r.m.AllAtOnce {
			n = atOnceSlice
		}
		if r.m.MaxInsts > 0 {
			left := r.left.Load()
			if left <= 0 {
				return Event{}, &LimitError{r.m.MaxInsts}
			}
			n = min(n, uint64(left))
		}
		before := w.Insts
		ev := core.Run(w, n)
		r.left.Add(-int64(w.Insts - before))
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
	if g.ended() { // an event keeps the wave that it is about
		m.spare(g)
	}
}

func (s *Stats) add(o Stats) {
	s.Waves += o.Waves
	s.Insts += o.Insts
	s.LaneInsts += o.LaneInsts
}
