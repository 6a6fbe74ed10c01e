package simt

import "testing"

func depths(w *Wave, lanes ...int) []int {
	var d []int
	for _, l := range lanes {
		d = append(d, w.Track.Innermost[l].Count())
	}
	return d
}

// TestDivergentCalls: lanes that recurse deeper than others return apart.
func TestDivergentCalls(t *testing.T) {
	w := newWave(t, Dispatch{})
	check := func(want ...int) {
		t.Helper()
		got := depths(w, 0, 1, 2)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("depths of lanes 0 to 2: %v, want %v", got, want)
			}
		}
	}
	w.EnterCall(0x200, 0x204, 0x300, nil)
	w.Exec = 0x3
	w.EnterCall(0x320, 0x324, 0x300, nil)
	w.Exec = 0x1
	w.EnterCall(0x320, 0x324, 0x300, nil)
	check(3, 2, 1)
	if c := w.Track.Innermost[0]; c.Depth != 2 || c.Lanes != 1 || c.Site != 0x320 {
		t.Errorf("innermost call of lane 0: %+v", c)
	}
	w.LeaveCall(0x324, false) // one level, although an outer one returns there too
	check(2, 2, 1)
	w.LeaveCall(0x999, false) // a branch, no return
	check(2, 2, 1)
	w.Exec = 0x3
	w.LeaveCall(0x324, false)
	check(1, 1, 1)
	w.Exec = ^uint64(0)
	w.EnterCall(0x330, 0x334, 0x400, nil)
	w.LeaveCall(0x204, false) // out of both at once
	check(0, 0, 0)
}

// TestTailCall replaces the target and keeps the way back.
func TestTailCall(t *testing.T) {
	w := newWave(t, Dispatch{})
	w.LeaveCall(0x500, true) // in no call: the kernel itself goes there
	w.EnterCall(0x200, 0x204, 0x300, nil)
	w.Exec = 0x1
	w.LeaveCall(0x400, true)
	if a, b := w.Track.Innermost[0], w.Track.Innermost[1]; a.Target != 0x400 || b.Target != 0x300 ||
		a.Return != 0x204 {
		t.Errorf("lane 0 in %+v, lane 1 in %+v", a, b)
	}
	w.LeaveCall(0x204, false)
	if d := depths(w, 0, 1); d[0] != 0 || d[1] != 1 {
		t.Errorf("depths %v, want 0 and 1", d)
	}
}
