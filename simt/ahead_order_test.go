package simt

import (
	"slices"
	"testing"
	"unsafe"
)

// TestStretchOfAlike: workgroups that are alike are kept and counted once, and their turns are given as those
// of each.
func TestStretchOfAlike(t *testing.T) {
	first := &strand{waves: 1, ended: true}
	first.add(0, 3)
	alike := &strand{waves: 1, ended: true, alike: true}
	alike.add(0, 5)
	f := &stretch{queue: queue{resident: []*strand{first}, waves: 1, perGroup: 1, most: 1, groups: 4, next: 1,
		coming: []early{{1, 2, alike}, {3, 1, alike}}}}
	f.close()
	size := 2*unsafe.Sizeof(early{}) + 2*unsafe.Sizeof(*first) + 2*unsafe.Sizeof(strandTurn{})
	if f.turns != 4 || f.insts != 18 || f.size != uint64(size) {
		t.Errorf("%d turns of %d instructions take %d bytes, want 4 of 18 in %d", f.turns, f.insts, f.size,
			size)
	}
	var got []Turn
	f.log(func(l logged) { got = append(got, Turn{l.wave, l.count, l.turn}) })
	if want := []Turn{{0, 3, 0}, {1, 5, 0}, {2, 5, 0}, {3, 5, 0}}; !slices.Equal(got, want) {
		t.Errorf("the turns are %v, want %v", got, want)
	}
	if alike.index != 0 || len(f.spare) != 1 {
		t.Errorf("what is kept of all has become that of %d; %d were made of it", alike.index, len(f.spare))
	}
}
