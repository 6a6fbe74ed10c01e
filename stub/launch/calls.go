package launch

import (
	"fmt"

	"simtgdb/simt"
)

// callers finds the calls that a lane is in when it executes the instruction at pc: the call instructions,
// innermost first. It asks whoever knows: the wave itself, its record, or who unwinds it.
func (p *Program) callers(w *simt.Wave, lane int, pc uint64) (sites []uint64) {
	if c, ok := w.Regs.(simt.Caller); ok {
		return c.CallSites(w, lane)
	}
	if w.Track != nil {
		for c := w.Track.Innermost[lane]; c != nil; c = c.Outer {
			sites = append(sites, c.Site)
		}
		return sites
	}
	if p.Unwind != nil {
		return p.Unwind(w, lane, pc)
	}
	return nil
}

// KnowsCalls reports whether a wave, or a record of it, tells the calls that its lanes are in.
func (p *Program) KnowsCalls(w *simt.Wave) bool {
	_, ok := w.Regs.(simt.Caller)
	return ok || w.Track != nil
}

// callsShown is how many calls a report names at each end of a long chain.
const callsShown = 4

// A placeLine is a line of a report: what it says, and of what.
type placeLine struct{ label, text string }

// inlined says how the code at pc came where it is.
func (p *Program) inlined(pc uint64) (lines []placeLine) {
	for _, in := range p.Source.Inlined(pc) {
		lines = append(lines, placeLine{"inlined", in.String()})
	}
	return lines
}

// calls says how a lane came to the instruction at pc: what of the source is inlined there, and who called it.
// A chain of one function that calls itself is told as its depth.
func (p *Program) calls(w *simt.Wave, lane int, pc uint64) []placeLine {
	lines := p.inlined(pc)
	sites := p.callers(w, lane, pc)
	for i, site := range sites {
		if left := len(sites) - callsShown; i >= callsShown && i < left {
			if i == callsShown {
				lines = append(lines, placeLine{"", fmt.Sprintf("… %s", count(left-i, "more call"))})
			}
			continue
		}
		if p.Hidden != nil && p.Hidden(site) {
			continue
		}
		lines = append(lines, placeLine{"called from", p.Source.Describe(site)})
		lines = append(lines, p.inlined(site)...)
	}
	return lines
}
