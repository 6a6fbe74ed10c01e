package stub

import (
	"sync/atomic"

	"simtgdb/simt"
)

// Going far. While all run freely and nothing can be seen of the order of workgroups, the machine makes
// many turns at once, on all processors (simt.Far). That comes to nothing where a breakpoint is met or a
// wave faults: so a run goes further each time that it went well. After it has not, it goes less far, to come
// closer to what there is, and at last turn by turn for longer and longer. It begins turn by turn if the run
// before has stopped soon.

// A stride is how far the next step of a run is to go.
type stride struct {
	insts uint64
	most  uint64 // insts at most, until as many as leave have been made
	leave uint64
	turns int // to be made one by one before
	wait  int // how many there were to be the last time
}

// How many turns are made one by one before going far is tried, and how far it goes then, in instructions;
// how much further each time, and how much less far after it has not gone well.
const (
	turnsBefore = 32
	leastFar    = 1 << 17
	mostFar     = 1 << 24
	further     = 16
	lessFar     = 8
)

// newStride is that of a run after one that has stopped soon, or after another.
func newStride(near bool) stride {
	s := stride{insts: leastFar, most: mostFar, wait: turnsBefore}
	if near {
		s.turns = turnsBefore
	}
	return s
}

// turn counts a turn that is to be made, and reports whether it is to go far instead.
func (s *stride) turn() bool {
	s.turns--
	return s.turns < 0
}

// went notes how going far went.
func (s *stride) went(well bool) {
	switch {
	case well:
		if s.leave -= min(s.leave, s.insts); s.leave == 0 {
			s.most = mostFar
		}
		s.insts = min(further*s.insts, s.most)
	case s.insts > leastFar:
		s.leave = s.insts // somewhere in these it is
		s.insts = max(s.insts/lessFar, leastFar)
		s.most = s.insts
	default:
		s.wait = 2 * max(s.wait, leastFar/quantum)
		s.turns, s.most = s.wait, mostFar
	}
}

// mayGoFar reports whether a run may go far.
func (r *run) mayGoFar() bool {
	if r.workers == 0 {
		r.workers = r.prog.Workers()
	}
	return r.workers > 1 && r.quantum() == quantum && !r.past.replaying()
}

// goFar makes many turns at once, if it can. ok is false if nothing came of it. interrupted: the user
// wants the run to end.
func (r *run) goFar(s *stride) (ok, interrupted bool, err error) {
	var hit atomic.Bool
	f := simt.Far{Turn: quantum, Insts: s.insts, Most: s.most, Workers: r.workers, Changed: r.changed}
	f.Interrupted = func() bool {
		select {
		case <-r.r.Interrupt:
			hit.Store(true)
		case <-r.ctx.Done():
			return true
		default:
		}
		return hit.Load()
	}
	if r.past.History != nil {
		ok, err = r.past.AdvanceFar(f)
	} else {
		ok, err = r.machine.AdvanceFar(f)
	}
	return ok, hit.Load(), err
}
