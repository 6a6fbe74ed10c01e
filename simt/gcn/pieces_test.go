package gcn

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// TestAddPieces compares the pieces of rows, which mostly lie as the row before them, with those that are
// found by looking at all addresses. Waves have 32 lanes and 64, sometimes some of them active.
func TestAddPieces(t *testing.T) {
	r := rand.New(sweep.Source(1))
	regions := []*simt.Region{{Base: 0x10000, Data: make([]byte, 1<<16)},
		{Base: 0x7f0000000, Data: make([]byte, 1<<16)}}
	shifted := 0
	for range 300 {
		c := &Core{w: &simt.Wave{Size: 32 << r.Intn(2)}}
		var was pieced
		var row vec.Row
		for range 40 {
			switch by := uint32(4 * r.Intn(64)); r.Intn(8) {
			case 0:
				row = groupsOf(r)
			case 1:
				row[r.Intn(c.w.Size)] += by
			case 2:
				for i := range row {
					row[i] -= min(by, row[i]) // not all by the same where some are low
				}
			default:
				for i := range row {
					row[i] += by
				}
			}
			c.w.Exec = ^uint64(0) >> (simt.MaxLanes - c.w.Size)
			if r.Intn(6) == 0 {
				c.w.Exec &= r.Uint64() | 1
			}
			in := regions[r.Intn(len(regions))]
			c.at.At, c.at.Mask = row, c.w.Exec
			known := len(was.pieces) > 0
			c.pieces = c.pieces[:0]
			c.addPieces(3, &was, in)
			var addr [simt.MaxLanes]uint64
			for i, at := range row {
				addr[i] = in.Base + uint64(at)
			}
			want := simt.Pieces(nil, 3, addr[:], c.w.Exec)
			if !slices.Equal(want, c.pieces) {
				t.Fatalf("row %v of region %#x, lanes %#x: (-want +got)\n%s", row, in.Base, c.w.Exec,
					cmp.Diff(want, c.pieces))
			}
			if _, ok := further(&row, &was.at, c.w.Size); ok && known {
				shifted++
			}
		}
	}
	if shifted < 1000 {
		t.Errorf("%d rows lay as the one before", shifted)
	}
}

// groupsOf are places in groups at even distances, or anywhere.
func groupsOf(r *rand.Rand) (row vec.Row) {
	step, skip, per := uint32(r.Intn(4)*4), uint32(r.Intn(512)*4), 1<<r.Intn(7)
	for i := range row {
		row[i] = 4096 + uint32(i/per)*skip + uint32(i%per)*step
		if step == 0 && skip == 0 {
			row[i] = uint32(r.Intn(1 << 14))
		}
	}
	return row
}
