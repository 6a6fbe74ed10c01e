package check

import (
	"slices"

	"simtgdb/simt"
)

// Chains are the chains of calls that accesses were made in. Each has a number, 0 for that of no calls, and
// is kept as its innermost call and the number of the others.
type chains struct {
	all    []link // number n is all[n-1]
	number map[link]int32

	last  []uint64 // the calls that were asked for last, and their number
	lastN int32
	found []uint64
}

// A link is a call instruction, and the chain of calls that it was made in.
type link struct {
	site  uint64
	outer int32
}

// Bounds on what is kept: programs that recurse have as many chains as they like.
const (
	mostChains   = 1 << 16
	deepestChain = 32
)

// of is the chain that a lane of a wave is in, of the innermost calls if there are too many.
func (c *chains) of(w *simt.Wave, lane int) (n int32) {
	c.found = callSites(w, lane, c.found[:0])
	sites := c.found
	if slices.Equal(sites, c.last) {
		return c.lastN
	}
	for i := min(len(sites), deepestChain) - 1; i >= 0; i-- {
		n = c.add(link{sites[i], n})
	}
	c.last, c.lastN = append(c.last[:0], sites...), n
	return n
}

// add is the number of a chain; that of the outer calls if there are too many.
func (c *chains) add(l link) int32 {
	n, ok := c.number[l]
	switch {
	case ok:
		return n
	case len(c.all) >= mostChains:
		return l.outer
	case c.number == nil:
		c.number = map[link]int32{}
	}
	c.all = append(c.all, l)
	n = int32(len(c.all))
	c.number[l] = n
	return n
}

// sites are the call instructions of a chain, innermost first.
func (c *chains) sites(n int32) (all []uint64) {
	for ; n != 0; n = c.all[n-1].outer {
		all = append(all, c.all[n-1].site)
	}
	return all
}

// callSites appends the call instructions of the calls that a lane is in, innermost first, as far as the
// wave, or a record of it, knows them.
func callSites(w *simt.Wave, lane int, sites []uint64) []uint64 {
	if c, ok := w.Regs.(simt.Caller); ok {
		sites, _ = c.CallSites(w, lane, sites)
		return sites
	}
	if w.Track != nil {
		for c := w.Track.Innermost[lane]; c != nil; c = c.Outer {
			sites = append(sites, c.Site)
		}
	}
	return sites
}
