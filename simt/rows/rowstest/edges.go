package rowstest

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// offsets are where accesses may be from what their register has, and some that units may not have.
var offsets = []int64{0, 8, 64, 4088, -8, 1 << 24, -1 << 24, 1 << 28, -1 << 28, 3 << 29, -3 << 29,
	-1 << 31, 1<<31 - 8}

// edges: accesses at both ends of memory, and one place beyond, which code leaves. Lanes lie side by side, at
// one place, or one of them at the edge and others anyhow. Of two accesses by one register each is looked at,
// however far apart they are.
func (b *Translator) edges(t *testing.T) {
	r := rand.New(sweep.PCG(11, 31))
	inside := 0
	for n := range 1800 / b.Fewer {
		o := rows.Op{Kind: rows.Load, Space: rows.Space(n % 3), Size: 4 << r.IntN(2), D: 21,
			Under: rows.Mask{N: rows.Always}, Offset: offsets[r.IntN(len(offsets))]}
		if r.IntN(4) == 0 {
			o.Kind, o.S[1].Reg = rows.Store, 9
		}
		o.S[0].Reg = int32(2 + 2*o.Space)
		second := o
		second.D, second.Offset = 23, offsets[r.IntN(len(offsets))]
		if r.IntN(2) == 0 {
			second.Offset = o.Offset&^63 + 8*int64(r.IntN(8))
		}
		u := rows.Unit{At: 10, Insts: []rows.Inst{{Known: true, Ops: []rows.Op{o}},
			{Known: true, Ops: []rows.Op{second}}}}
		if rows.Verify(&u, testRows, testMasks) != nil {
			continue
		}
		w := newWorld(r)
		is := atEdge(r, &w.rows[o.S[0].Reg], &o, &second)
		if whole := b.runBoth(t, r, &u, w); is && !whole {
			t.Fatalf("%v and %v leave memory that is there", &o, &second)
		}
		if is {
			inside++
		}
	}
	if inside < 300/b.Fewer {
		t.Errorf("%d units were inside: too few to tell", inside)
	}
}

// atEdge puts the lanes of two accesses by one register to where their memory ends, or one lane beyond. It
// reports whether all of both is inside.
func atEdge(r *rand.Rand, row *vec.Wide, o, second *rows.Op) (inside bool) {
	base, room := int64(memoryBase), int64(memorySize)
	switch o.Space {
	case rows.Shared:
		base = 0
	case rows.Private:
		base, room = privateBase, privateSize
	}
	lo, hi := min(o.Offset, second.Offset), max(o.Offset, second.Offset)+int64(o.Size)
	first, last, step := base-lo, base+room-hi, int64(o.Size)
	if last < first { // at least one of them is nowhere
		first = base - []int64{second.Offset, o.Offset}[r.IntN(2)]
		last = first
	}
	way, far, beyond := r.IntN(3), int64(rows.Lanes-1)*step, int64(r.IntN(2))*step
	for l := range row {
		at := first + int64(r.IntN(int((last-first)/step)+1))*step
		switch {
		case way == 0:
			at = last + beyond
		case way == 1 && last-first >= far:
			at = last - far + int64(l)*step + beyond
		}
		row[l] = uint64(at)
	}
	switch l := r.IntN(rows.Lanes); {
	case way == 2 && r.IntN(2) == 0:
		row[l] = uint64(first - beyond)
	case way == 2 || last-first < far:
		row[l] = uint64(last + beyond)
	}
	return beyond == 0 && hi-lo <= room
}
