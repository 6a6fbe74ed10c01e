package gcn

import "simtgdb/simt"

// A callStack is the calls that a wave is in, for reports of waves that no debugger records: call
// instructions and where they return to. It costs a few stores a call, and needs no information for
// debugging. Of more calls than it has room for it knows the innermost.
type callStack struct {
	depth uint64
	held  [heldCalls]heldCall // number n, from 0, is at n modulo heldCalls until a deeper one takes its place
}

const heldCalls = 32 // a power of two

type heldCall struct {
	site, back uint64
	depth      uint64 // with this call
}

// enter notes a call.
func (s *callStack) enter(site, back uint64) {
	h := &s.held[s.depth%heldCalls]
	s.depth++
	*h = heldCall{site, back, s.depth}
}

// leave notes a jump to where a register says: a return if it goes to where the innermost call does.
func (s *callStack) leave(target uint64) {
	if s.depth > 0 && s.held[(s.depth-1)%heldCalls].back == target {
		s.depth--
	}
}

// sites appends the call instructions, innermost first, and says whether they are all.
func (s *callStack) sites(all []uint64) ([]uint64, bool) {
	for d := s.depth; d > 0; d-- {
		h := &s.held[(d-1)%heldCalls]
		if h.depth != d {
			return all, false
		}
		all = append(all, h.site)
	}
	return all, true
}

// CallSites implements simt.Caller: by the record of calls where there is one, else those of the wave, which
// active lanes are in.
func (r *Regs) CallSites(w *simt.Wave, lane int, sites []uint64) (all []uint64, whole bool) {
	if w.Track != nil {
		for c := w.Track.Innermost[lane]; c != nil; c = c.Outer {
			sites = append(sites, c.Site)
		}
		return sites, true
	}
	if w.Active()>>lane&1 == 0 {
		return sites, false
	}
	return r.calls.sites(sites)
}
