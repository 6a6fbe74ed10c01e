package contents_test

import (
	"slices"
	"testing"

	"simtgdb/simt/contents"
)

// TestPutBack: what is loaded is put back where it is only moved, put together with others and stored at its
// place, and by nothing else.
func TestPutBack(t *testing.T) {
	type step = contents.Step
	const address, whole, part, merged, other = 1, 2, 3, 4, 5
	place, elsewhere := "4", "8"
	load := step{To: []int{whole}, Uses: []int{address}, At: place}
	merge := step{From: []int{whole, part}, To: []int{merged}, Merges: true}
	store := step{From: []int{merged}, Uses: []int{address}, Stores: true, At: place}
	with := func(s step, change func(s *step)) step { change(&s); return s }
	for _, c := range []struct {
		name         string
		rest         []step
		unused, back bool
	}{
		{"stored back", []step{merge, store}, true, true},
		{"put together in place", []step{
			with(merge, func(s *step) { s.To = []int{whole} }),
			with(store, func(s *step) { s.From = []int{whole} })}, true, true},
		{"not stored", []step{merge}, true, false},
		{"nothing of it is left", []step{{To: []int{whole}}, merge, store}, true, false},
		{"computed with", []step{with(merge, func(s *step) { s.Merges = false }), store}, false, false},
		{"computed with afterwards", []step{merge, store, {From: []int{whole}, To: []int{other}}},
			false, true},
		{"an address", []step{merge, store, {Uses: []int{merged}}}, false, true},
		{"another address", []step{merge, with(store, func(s *step) { s.Uses = []int{other} })},
			false, false},
		{"another offset", []step{merge, with(store, func(s *step) { s.At = elsewhere })}, false, false},
		{"the address has changed", []step{merge, {To: []int{address}}, store}, false, false},
		{"others are computed", []step{{From: []int{part}, To: []int{other}}, merge, store}, true, true},
	} {
		unused, back := contents.PutBack(&load, slices.Values(c.rest))
		if unused != c.unused || back != c.back {
			t.Errorf("%s: unused %v, back %v, want %v, %v", c.name, unused, back, c.unused, c.back)
		}
	}
}
