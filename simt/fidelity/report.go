package fidelity

import (
	"cmp"
	"maps"
	"slices"

	"simtgdb/simt"
)

// A Kind is what an inexact result can reach besides data.
type Kind uint8

// The kinds.
const (
	Address Kind = iota // of an access, a register chosen by number, or code
	Branch              // which way the wave, or a lane of it, goes
	Chosen              // which lanes execute what follows
)

func (k Kind) String() string { return [...]string{"address", "branch", "lanes"}[k] }

// A Report is what a tracker has seen.
type Report struct {
	Counts []Count // by address
	Nature string  // what counts as inexact
}

// A Count is an inexact instruction that was executed.
type Count struct {
	PC      uint64
	Text    string
	Far     string // how far its results may be from hardware's
	Insts   uint64 // how often waves executed it
	Lanes   uint64 // how often lanes did
	Reached []Reached
	Left    []Left
}

// Reached is a place that its results reached.
type Reached struct {
	Kind  Kind
	PC    uint64
	Text  string
	Lanes uint64 // how often lanes had a result there
}

// Left is memory that results were left in.
type Left struct {
	Region *simt.Region
	Bytes  uint64
}

// Report says what has been seen so far.
func (t *Tracker) Report() *Report {
	counts := make([]Count, len(t.sites))
	for i, s := range t.sites {
		counts[i] = Count{PC: s.pc, Text: s.text, Far: s.far, Insts: s.insts, Lanes: s.lanes}
	}
	for at, r := range t.reached {
		lanes := map[int]uint64{}
		for o, n := range r.lanes {
			t.sets.each(o, len(t.sites), func(site int) { lanes[site] += n })
		}
		for site, n := range lanes {
			counts[site].Reached = append(counts[site].Reached, Reached{at.kind, at.pc, r.text, n})
		}
	}
	t.left(counts)
	r := &Report{Nature: t.m.ISA().(Machine).FollowsInexact()}
	for _, c := range counts {
		if c.Insts == 0 {
			continue
		}
		slices.SortFunc(c.Reached, func(a, b Reached) int {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.PC, b.PC))
		})
		r.Counts = append(r.Counts, c)
	}
	slices.SortFunc(r.Counts, func(a, b Count) int { return cmp.Compare(a.PC, b.PC) })
	return r
}

// left finds what global memory holds of results.
func (t *Tracker) left(counts []Count) {
	var region *simt.Region
	var bytes map[Origins]uint64
	finish := func() {
		for _, o := range slices.Sorted(maps.Keys(bytes)) {
			n := bytes[o]
			t.sets.each(o, len(counts), func(site int) {
				left := &counts[site].Left
				if last := len(*left) - 1; last >= 0 && (*left)[last].Region == region {
					(*left)[last].Bytes += n
				} else {
					*left = append(*left, Left{region, n})
				}
			})
		}
	}
	for at, o := range t.global.All() {
		if o == 0 {
			continue
		}
		if region == nil || !region.Holds(at, 1) {
			if region != nil {
				finish()
			}
			if region = t.m.Mem.Find(at); region == nil || region.Private { // memory of waves that have ended
				region = nil
				continue
			}
			bytes = map[Origins]uint64{}
		}
		bytes[o]++
	}
	if region != nil {
		finish()
	}
}
