package stub

import (
	"simtgdb/rsp"
	"simtgdb/simt"
)

// hits are the breakpoints, and what is still to be said of those that waves
// have met.
type hits struct {
	machine     *simt.Machine
	breakpoints map[uint64]*rsp.Breakpoint
	set         map[uint64]bool // in the machine
	removed     map[uint64]bool // since the last stop
	offer       *offer
	declined    *declinedOffer // in the past
	besides     []pastStop     // what else there was at the same time in the past, to be reported
	pretended   pretence
	owed        rsp.ThreadID // a lane's step that gdb makes after a watchpoint, and that it has made already
	// held is what other waves ran into while one lane was stepped.
	held map[*simt.Wave]simt.Event
	// carried is a wave that one of its lanes, stepped alone, has taken along:
	// see run.step.
	carried *simt.Wave
}

func newHits(m *simt.Machine) hits {
	return hits{machine: m, breakpoints: map[uint64]*rsp.Breakpoint{},
		set: map[uint64]bool{}, removed: map[uint64]bool{}, held: map[*simt.Wave]simt.Event{}}
}

// An offer is a breakpoint hit that the client may yet decline: a breakpoint
// for one thread, or for one frame, is filtered by gdb itself
// (bpstat_check_breakpoint_conditions). Having declined the reported lane,
// without a look at the list of threads, it steps that lane over the breakpoint,
// all others held, and then lets all run. The wave must not move before every
// lane of the hit has been offered.
type offer struct {
	wave  *simt.Wave
	pc    uint64
	lanes uint64 // not yet reported

	stepped bool // the reported lane was stepped over the breakpoint, or so it was said
}

// stands reports whether the wave is still where it hit.
func (o *offer) stands() bool { return o.wave.PC == o.pc && o.wave.State == simt.Ready }

// A pretence is a step of a lane that was not made: gdb 13 dies if it hears of
// another lane, or none, while it steps one over a breakpoint with the others
// held (an assertion of finish_step_over). Until it resumes, the lane's pc reads
// as if it had made the step.
type pretence struct {
	thread rsp.ThreadID
	pc     uint64
}

// remove forgets a breakpoint.
func (h *hits) remove(addr uint64) {
	if h.breakpoints[addr] != nil {
		delete(h.breakpoints, addr)
		h.removed[addr] = true
	}
}

// resume has the machine stop at the breakpoints that there are. gdb takes all
// of them out at each stop and puts them in again: the machine hears of what
// differs in the end, since waves decode their code anew for it.
func (h *hits) resume() {
	for addr := range h.set {
		if h.breakpoints[addr] == nil {
			delete(h.set, addr)
			h.machine.ClearBreakpoint(addr)
		}
	}
	for addr := range h.breakpoints {
		if !h.set[addr] {
			h.set[addr] = true
			h.machine.SetBreakpoint(addr)
		}
	}
}

// release forgets what belongs to a client that has gone.
func (h *hits) release() {
	clear(h.breakpoints)
	h.offer = nil
}

// forget forgets what waves have met: the machine goes to another time.
func (h *hits) forget() {
	h.offer, h.declined, h.carried, h.pretended, h.owed = nil, nil, nil, pretence{}, rsp.AnyThread
	h.besides = nil
	clear(h.held)
	clear(h.removed)
}

// dropOffer lets the wave of a hit go on.
func (h *hits) dropOffer() {
	if o := h.offer; o != nil && o.wave.PC == o.pc {
		o.wave.SkipBreak = true
	}
	h.offer = nil
}

// hold holds a wave that stands at a breakpoint, and reports whether it does.
func (h *hits) hold(w *simt.Wave) bool {
	if !h.set[w.PC] || w.State != simt.Ready || w.SkipBreak || w.Active() == 0 {
		return false
	}
	h.held[w] = simt.Event{Kind: simt.BreakEvent, Wave: w, PC: w.PC, Lanes: w.Active()}
	return true
}

// holdAll holds all waves that stand at breakpoints.
func (h *hits) holdAll() {
	if len(h.set) > 0 {
		for _, w := range h.machine.Waves() {
			h.hold(w)
		}
	}
}

// nextHeld takes the event of the first wave that was held at one.
func (h *hits) nextHeld() (simt.Event, bool) {
	for _, w := range h.machine.Waves() {
		if ev, ok := h.held[w]; ok {
			delete(h.held, w)
			return ev, true
		}
	}
	clear(h.held)
	return simt.Event{}, false
}
