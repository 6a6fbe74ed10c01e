package fidelity

import (
	"math"
	"slices"
)

// Origins is a set of inexact instructions that a value comes from; 0 is the empty set, of exact values.
type Origins uint16

// everything stands for all instructions, once there are more sets than numbers for them.
const everything Origins = math.MaxUint16

// sets gives sets of sites numbers.
type sets struct {
	members [][]uint16 // in ascending order
	number  map[string]Origins
	unions  map[[2]Origins]Origins
}

func newSets() sets {
	return sets{members: [][]uint16{nil}, number: map[string]Origins{"": 0}, unions: map[[2]Origins]Origins{}}
}

// of is the number of a set.
func (s *sets) of(members []uint16) Origins {
	key := make([]byte, 0, 2*len(members))
	for _, m := range members {
		key = append(key, byte(m), byte(m>>8))
	}
	o, ok := s.number[string(key)]
	if ok {
		return o
	}
	if len(s.members) == int(everything) {
		return everything
	}
	o = Origins(len(s.members))
	s.members, s.number[string(key)] = append(s.members, members), o
	return o
}

// one is the set of one site.
func (s *sets) one(site int) Origins {
	if site > math.MaxUint16 {
		return everything
	}
	return s.of([]uint16{uint16(site)})
}

func (s *sets) union(a, b Origins) Origins {
	switch {
	case a == b, b == 0:
		return a
	case a == 0:
		return b
	case a == everything, b == everything:
		return everything
	case a > b:
		a, b = b, a
	}
	o, ok := s.unions[[2]Origins{a, b}]
	if !ok {
		all := slices.Concat(s.members[a], s.members[b])
		slices.Sort(all)
		o = s.of(slices.Compact(all))
		s.unions[[2]Origins{a, b}] = o
	}
	return o
}

// filter is the set of those members that keep wants.
func (s *sets) filter(o Origins, keep func(site int) bool) Origins {
	if o == 0 || o == everything {
		return o
	}
	var left []uint16
	for _, m := range s.members[o] {
		if keep(int(m)) {
			left = append(left, m)
		}
	}
	return s.of(left)
}

// each calls f for every member, of which there are n at most.
func (s *sets) each(o Origins, n int, f func(site int)) {
	if o == everything {
		for i := range n {
			f(i)
		}
		return
	}
	for _, m := range s.members[o] {
		f(int(m))
	}
}
