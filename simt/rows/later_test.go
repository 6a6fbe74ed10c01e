package rows

import (
	"testing"
	"unsafe"

	"simtgdb/simt"
)

// TestTells: loads of a segment leave a record for each row of addresses and mask, and are told of in their
// order, each at its own place.
func TestTells(t *testing.T) {
	load := func(inst, reg int32, offset int64, under Mask) NoteAccess {
		return NoteAccess{Inst: inst, Op: &Op{Kind: Load, Space: Shared, S: [3]Value{{Reg: reg}},
			Offset: offset, Size: 4, Under: under}}
	}
	always, some := Mask{N: Always}, Mask{N: 3}
	n := Note{load(0, 1, 4, always), load(1, 2, 0, always), load(2, 1, 8, always), load(3, 1, 0, some),
		load(4, 2, 64, always)}
	all := n.Tells()
	if len(all) != 3 {
		t.Fatalf("there are %d records", len(all))
	}
	tell := tells(append(make([]Tell, 7), all...), func(inst int32) uint64 { return 16 * uint64(inst) })
	for again := range uint32(2) {
		var told []simt.Access
		var places []uint64
		for i := range all {
			r := &simt.LoadRecord{Site: 7 + uint64(i), Lanes: 1<<i | 1, Active: 0xf}
			(*[64]uint32)(unsafe.Pointer(&r.Rows))[1] = 1000*uint32(all[i].Op.S[0].Reg) + again
			tell(r, func(a *simt.Access) { told, places = append(told, *a), append(places, a.Addr[1]) })
		}
		if len(told) != len(n) {
			t.Fatalf("%d accesses of %d are told of", len(told), len(n))
		}
		for i, a := range told {
			at := uint64(1000*n[i].Op.S[0].Reg) + uint64(n[i].Op.Offset) + uint64(again)
			lanes := []uint64{1, 3, 1, 5, 3}[i]
			if a.PC != 16*uint64(i) || places[i] != at || a.Lanes != lanes || a.Size != 4 || !a.Read {
				t.Errorf("load %d: PC %#x, lane 1 at %d, lanes %#x; want %#x, %d, %#x", i, a.PC, places[i],
					a.Lanes, 16*i, at, lanes)
			}
		}
	}
}
