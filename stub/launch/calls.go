package launch

import (
	"fmt"
	"math/bits"

	"simtgdb/loader/printable"
	"simtgdb/simt"
)

// callers finds the calls that a lane is in when it executes the instruction at pc: the call instructions,
// innermost first. It asks whoever knows: the wave itself, its record, or who unwinds it.
func (p *Program) callers(w *simt.Wave, lane int, pc uint64) (sites []uint64) {
	known, whole := callSites(w, lane)
	if whole || p.Unwind == nil {
		return known
	}
	if found := p.Unwind(w, lane, pc); len(found) > len(known) {
		return found
	}
	return known
}

// callSites are the calls that a wave, or a record of it, tells a lane to be in, and whether these are all.
func callSites(w *simt.Wave, lane int) (sites []uint64, whole bool) {
	if c, ok := w.Regs.(simt.Caller); ok {
		return c.CallSites(w, lane, nil)
	}
	if w.Track == nil {
		return nil, false
	}
	for c := w.Track.Innermost[lane]; c != nil; c = c.Outer {
		sites = append(sites, c.Site)
	}
	return sites, true
}

// KnowsCalls reports whether the wave of an event, or a record of it, tells all calls that its lanes are in.
func (p *Program) KnowsCalls(ev simt.Event) bool {
	_, whole := callSites(ev.Wave, firstLane(ev))
	return whole
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

// calls says how a lane came to the instruction at pc: what of the source is inlined there, and who called
// it. A chain of one function that calls itself is told as its depth.
func (p *Program) calls(w *simt.Wave, lane int, pc uint64) []placeLine {
	return p.chain(pc, p.callers(w, lane, pc))
}

// chain says of the instruction at pc what is inlined there, and names the calls that led there.
func (p *Program) chain(pc uint64, sites []uint64) []placeLine {
	lines := p.inlined(pc)
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

// overflow names the functions that call themselves, and how often each is on the stack, where a lane's stack
// has no room for more, and gives the lane that is in most calls: prologues save registers of lanes, too,
// that have not come so far. The text is empty for other faults; what lies far behind the stack is an address
// gone astray.
func (p *Program) overflow(ev simt.Event) (lane int, text string) {
	f, limit := ev.Fault, p.Machine.Dispatch.ScratchLimit
	if f == nil || f.Kind != simt.Unmapped || f.Space != simt.Scratch || f.Addr >= 2*limit ||
		f.Addr+uint64(f.Size) <= limit {
		return 0, ""
	}
	var deepest []uint64
	for rest := ev.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		if sites := p.callers(ev.Wave, l, ev.PC); len(sites) > len(deepest) {
			lane, deepest = l, sites
		}
	}
	depth := map[string]int{}
	var order, again []string
	for _, at := range append([]uint64{ev.PC}, deepest...) {
		name, _, ok := p.Source.Function(at)
		if !ok {
			continue
		}
		if depth[name]++; depth[name] == 1 {
			order = append(order, name)
		}
	}
	for _, name := range order {
		if n := depth[name]; n > 1 {
			again = append(again, fmt.Sprintf("%s, %d calls deep", printable.Name(name), n))
		}
	}
	if len(again) == 0 {
		return 0, ""
	}
	return lane, "stack overflow by recursion of " + enumerated(again)
}
