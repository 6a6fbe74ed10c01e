package simt

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// forgiven reports whether a wave goes on although it has faulted. No wave may run meanwhile.
func (m *Machine) forgiven(ev Event) bool {
	if ev.Kind != FaultEvent || m.Forgive == nil || !m.Forgive(ev) {
		return false
	}
	ev.Wave.State = Ready
	return true
}

// interrupted is what a round of a run has left undone since a workgroup has faulted: all that, if this is
// forgiven, is to be done in the next round.
type interrupted struct {
	mu      sync.Mutex
	stopped []stoppedGroup
	begun   []*Workgroup // that have started and can go on
	taken   [][2]int64   // workgroups that a worker has taken and not started, from and up to
	waiting atomic.Bool  // something of begun and taken may be there
}

// A stoppedGroup is a workgroup with the fault or trap of one of its waves.
type stoppedGroup struct {
	*Workgroup
	ev Event
}

// add notes a workgroup that does not go on by itself.
func (h *interrupted) add(g *Workgroup, ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopped = append(h.stopped, stoppedGroup{g, ev})
}

// keep notes what a worker leaves.
func (h *interrupted) keep(c *crowd) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range c.running {
		h.begun = append(h.begun, g.Workgroup)
	}
	if c.next < c.last {
		h.taken = append(h.taken, [2]int64{c.next, c.last})
	}
}

// resume gives a workgroup before a limit that has been begun, the first; nil if there is none.
func (h *interrupted) resume(limit int64) *Workgroup {
	if !h.waiting.Load() {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.begun) == 0 || int64(h.begun[0].number) >= limit {
		return nil
	}
	g := h.begun[0]
	h.begun = h.begun[1:]
	return g
}

// take gives workgroups that were taken and not started, the first before a limit; none if there are none.
func (h *interrupted) take(limit int64) (from, to int64) {
	if !h.waiting.Load() {
		return 0, 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.taken) == 0 || h.taken[0][0] >= limit {
		return 0, 0
	}
	from, to = h.taken[0][0], h.taken[0][1]
	h.taken = h.taken[1:]
	return from, to
}

// forgiven reports whether the run goes on with another round: if what stopped it is forgiven. That is the
// fault of the first workgroup in dispatch order that has one, however many workers there are. Those of
// later ones have not happened yet, since they come again if there is reason to.
func (r *runner) forgiven() bool {
	h := &r.held
	slices.SortFunc(h.stopped, func(a, b stoppedGroup) int { return cmp.Compare(a.number, b.number) })
	if len(h.stopped) == 0 {
		return false
	}
	if !r.m.forgiven(h.stopped[0].ev) {
		for _, s := range h.stopped {
			r.m.recycle(s.Workgroup, &r.m.retired)
		}
		return false
	}
	var final []stoppedGroup
	for _, s := range h.stopped {
		if f := s.ev.Fault; s.ev.Kind == TrapEvent || f != nil && f.Kind == Defect {
			final = append(final, s)
			continue
		}
		s.ev.Wave.State = Ready
		h.begun = append(h.begun, s.Workgroup)
	}
	h.stopped = final
	slices.SortFunc(h.begun, func(a, b *Workgroup) int { return cmp.Compare(a.number, b.number) })
	slices.SortFunc(h.taken, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	h.waiting.Store(true)
	return true
}
