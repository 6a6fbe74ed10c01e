package check

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// TestQuickAlike: the same is found in rows of lanes whether what is known of memory is kept for units of it
// or for each word, and whether loads are told of together or one after the other.
func TestQuickAlike(t *testing.T) {
	found := 0
	for seed := range uint64(sweep.Times(200, 600)) {
		found += rowsAlike(t, func() *rand.Rand { return rand.New(sweep.PCG(seed, 7)) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}

// rowsAlike is how much is found in rows of lanes, which is to be the same in all ways.
func rowsAlike(t *testing.T, random func() *rand.Rand) int {
	slow := rowsOf(t, random(), 0)
	for how := 1; how < 4; how++ {
		if quick := rowsOf(t, random(), how); !slices.Equal(slow, quick) {
			t.Errorf("slowly\n%s\nway %d\n%s", strings.Join(slow, "\n"), how, strings.Join(quick, "\n"))
		}
	}
	return len(slow)
}

// rowsOf is what is found in random accesses of four waves, of rows of up to 64 lanes: with a cell for each
// word, with units, with units and loads told of together, or with units and accesses at even distances.
func rowsOf(t *testing.T, r *rand.Rand, how int) (found []string) {
	w := newWorldOf(t, simt.MaxLanes)
	w.Look(Race)
	w.Attach()
	if how == 0 {
		for at := range uint64(1024 / unitSize) {
			w.global.At(w.buffer.Base/unitSize+at, w.generation).split(w.global)
			for _, wave := range w.waves {
				lds := w.group(wave.Group).lds
				lds.At(at, w.generation).split(lds)
			}
		}
	}
	row := func(a *simt.Access, step uint64) *simt.Access {
		first, many := 16*r.IntN(4), []int{16, 32, 64, 5}[r.IntN(4)]
		many = min(many, simt.MaxLanes-first)
		a.Lanes = ^uint64(0) >> (simt.MaxLanes - many) << first
		at := a.Addr[0]
		for l := range a.Addr {
			a.Addr[l] = at + step*uint64(max(l-first, 0))
		}
		return a
	}
	for step := range 30 {
		wave, space := r.IntN(4), []simt.Space{lds, global, global}[r.IntN(3)]
		pc, at := uint64(0x100+4*r.IntN(12)), uint64(64*r.IntN(5)+4*(r.IntN(6)/5))
		before := len(w.found)
		switch r.IntN(7) {
		case 0:
			w.even(row(w.access(wave, pc+0x100, space, at, "write"), 4), 4, how == 3)
		case 1:
			step := uint64(4 * r.IntN(3))
			w.even(row(w.access(wave, pc, space, at, "read"), step), step, how == 3)
		case 2:
			w.loads(r, wave, pc, at, how == 2, row)
		case 3:
			order := []string{"add release", "atomic read acquire", "write perhaps group"}[r.IntN(3)]
			w.Observe(w.access(wave, pc+0x300, space, at, order))
		case 4:
			w.Fence(w.waves[wave], simt.Fence{Order: simt.Acquire | simt.Release, Scope: simt.GroupScope,
				Spaces: simt.AllSpaces})
		default:
			met := w.waves[wave/2*2:][:2]
			for _, one := range met {
				w.Fence(one, simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: simt.AllSpaces})
			}
			w.Opened(simt.Meeting{Waves: met})
		}
		for _, one := range w.found[before:] {
			found = append(found, fmt.Sprintf("%d: %#x %#x %v %v", step, one.PC, one.Lanes,
				one.Addr-w.buffer.Base, one.Others))
		}
	}
	return found
}

// even makes an access of lanes at even distances, and tells of it as of one if that will do.
func (w *world) even(a *simt.Access, step uint64, told bool) {
	at := *a
	at.Addr = nil
	if !told || !w.m.NoteStride(&at, a.Addr[bits.TrailingZeros64(a.Lanes)], uint32(step)) {
		w.Observe(a)
	}
}

// loads makes up to four loads of two rows.
func (w *world) loads(r *rand.Rand, wave int, pc, at uint64, together bool,
	row func(a *simt.Access, step uint64) *simt.Access) {
	var rows [2]*simt.Access
	for i := range rows {
		rows[i] = row(w.access(wave, pc, global, at+64*uint64(i*r.IntN(3)), "read"), uint64(4*r.IntN(3)))
		rows[i].Lanes = rows[0].Lanes
	}
	var l simt.Loads
	for range 1 + r.IntN(4) {
		l.All = append(l.All, simt.Load{PC: pc + 0x200 + 4*uint64(len(l.All)), Row: r.IntN(2),
			Add: int64(4 * r.IntN(4)), Size: 4 << r.IntN(3)})
	}
	l.Ready(len(rows))
	if together {
		var pieces []simt.Piece
		for i, a := range rows {
			pieces = simt.Pieces(pieces, i, a.Addr[:], a.Lanes)
		}
		if w.m.NoteLoads(w.waves[wave], &l, pieces) {
			return
		}
	}
	for _, o := range l.All {
		addr := *rows[o.Row].Addr
		for i := range addr {
			addr[i] += uint64(o.Add)
		}
		w.Observe(&simt.Access{Wave: w.waves[wave], PC: o.PC, Space: global, Read: true, Size: o.Size,
			Lanes: rows[0].Lanes, Addr: &addr})
	}
}
