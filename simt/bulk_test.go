package simt

import "testing"

// TestFinishedInBulk: a wave that had begun when its end came in bulk is in no call any more, and has
// executed what it then had.
func TestFinishedInBulk(t *testing.T) {
	w := &Wave{Exec: 1, Insts: 3, Track: &Track{calls: true}}
	w.Track.Innermost[0] = &Call{}
	done := []Stats{{Waves: 1, Insts: 9, LaneInsts: 18}}
	bulkOf(&bulkToy{}).finish(&Workgroup{Waves: []*Wave{w}}, done)
	if w.State != Ended || w.Exec != 0 || w.Insts != 9 || w.LaneInsts != 18 ||
		w.Track.Innermost[0] != nil {
		t.Errorf("%v with lanes %#x, %d and %d instructions, in the call %v", w.State, w.Exec, w.Insts,
			w.LaneInsts, w.Track.Innermost[0])
	}
}
