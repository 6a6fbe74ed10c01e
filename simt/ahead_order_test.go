package simt

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
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

// TestKeepBulk: workgroups that follow each other and have executed the same are kept as one, others by
// themselves: those behind what another hand has taken, and those that have executed something else.
func TestKeepBulk(t *testing.T) {
	a := &ahead{}
	a.Turn = 10
	h := &hand{ahead: a}
	same, other := []Stats{{Insts: 7}, {Insts: 25}}, []Stats{{Insts: 7}, {Insts: 24}}
	if left := h.keepBulk(slices.Concat(same, same, same, same[:1]), 2); len(left) != 1 {
		t.Errorf("%d waves are left, expected that of the workgroup that has not ended", len(left))
	}
	h.from = 8 // another hand has taken those from 3 on
	h.keepBulk(slices.Concat(same, same, other), 2)
	type kept struct {
		Index, Count int
		Insts        uint64
	}
	var got []kept
	for _, e := range h.mine {
		got = append(got, kept{e.index, e.count, e.stats.Insts})
	}
	if d := cmp.Diff([]kept{{0, 3, 32}, {8, 2, 32}, {10, 1, 31}}, got); d != "" {
		t.Errorf("kept (-expected +got):\n%s", d)
	}
	if !h.mine[0].ended || len(h.mine[0].turns) == 0 {
		t.Errorf("the first is kept as %+v", h.mine[0].strand)
	}
}
