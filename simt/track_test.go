package simt

import "testing"

// switchTo changes EXEC as an instruction at pc would.
func switchTo(w *Wave, exec, pc uint64, whole bool) {
	old := w.Exec
	w.Exec = exec
	w.ExecChanged(old, pc, whole)
}

// TestLanePC: an inactive lane stands where it was switched off.
func TestLanePC(t *testing.T) {
	w := newWave(t, Dispatch{})
	switchTo(w, 0xff, 0x110, false)
	switchTo(w, 0x0f, 0x120, false)
	w.PC = 0x130
	for lane, want := range map[int]uint64{0: 0x130, 4: 0x120, 63: 0x110} {
		if got := w.LanePC(lane); got != want {
			t.Errorf("lane %d at %#x, want %#x", lane, got, want)
		}
	}
	switchTo(w, 0xf0, 0x140, false)
	w.PC = 0x150
	for lane, want := range map[int]uint64{0: 0x140, 4: 0x150, 63: 0x110} {
		if got := w.LanePC(lane); got != want {
			t.Errorf("lane %d at %#x, want %#x", lane, got, want)
		}
	}
}

// TestWholeRegisters: while EXEC is widened to save registers whole, the
// lanes that the program means stay the same.
func TestWholeRegisters(t *testing.T) {
	w := newWave(t, Dispatch{})
	switchTo(w, 0x3, 0x110, false)
	switchTo(w, ^uint64(0), 0x120, true)
	switchTo(w, ^uint64(0), 0x124, true)
	w.PC = 0x128
	if w.Active() != 0x3 || w.LanePC(9) != 0x110 || w.LanePC(1) != 0x128 {
		t.Errorf("active %#x, lane 9 at %#x, lane 1 at %#x", w.Active(), w.LanePC(9), w.LanePC(1))
	}
	switchTo(w, 0x1, 0x130, false) // comes back to fewer than there were
	w.PC = 0x134
	if w.Active() != 0x1 || w.LanePC(1) != 0x130 || w.LanePC(9) != 0x110 {
		t.Errorf("active %#x, lane 1 at %#x, lane 9 at %#x", w.Active(), w.LanePC(1), w.LanePC(9))
	}
}

func depths(w *Wave, lanes ...int) []int {
	var d []int
	for _, l := range lanes {
		d = append(d, len(w.Track.Calls[l]))
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
	w.EnterCall(0x200, 0x204, 0x300)
	switchTo(w, 0x3, 0x310, false)
	w.EnterCall(0x320, 0x324, 0x300)
	switchTo(w, 0x1, 0x310, false)
	w.EnterCall(0x320, 0x324, 0x300)
	check(3, 2, 1)
	if c := w.Track.Calls[0][2]; c.Depth != 2 || c.Lanes != 1 || c.Site != 0x320 {
		t.Errorf("innermost call of lane 0: %+v", c)
	}
	w.LeaveCall(0x324, false) // one level, although an outer one returns there too
	check(2, 2, 1)
	w.LeaveCall(0x999, false) // a branch, no return
	check(2, 2, 1)
	switchTo(w, 0x3, 0x324, false)
	w.LeaveCall(0x324, false)
	check(1, 1, 1)
	switchTo(w, ^uint64(0), 0x324, false)
	w.EnterCall(0x330, 0x334, 0x400)
	w.LeaveCall(0x204, false) // out of both at once
	check(0, 0, 0)
}

// TestTailCall replaces the target and keeps the way back.
func TestTailCall(t *testing.T) {
	w := newWave(t, Dispatch{})
	w.LeaveCall(0x500, true) // in no call: the kernel itself goes there
	w.EnterCall(0x200, 0x204, 0x300)
	switchTo(w, 0x1, 0x300, false)
	w.LeaveCall(0x400, true)
	if a, b := w.Track.Calls[0][0], w.Track.Calls[1][0]; a.Target != 0x400 || b.Target != 0x300 || a.Return != 0x204 {
		t.Errorf("lane 0 in %+v, lane 1 in %+v", a, b)
	}
	w.LeaveCall(0x204, false)
	if d := depths(w, 0, 1); d[0] != 0 || d[1] != 1 {
		t.Errorf("depths %v, want 0 and 1", d)
	}
}

// TestCallersRegisters: a call keeps them, and what a debugger writes there
// comes true at the return.
func TestCallersRegisters(t *testing.T) {
	w := newWave(t, Dispatch{})
	w.S[40], w.V[3][7], w.V[AccBase+1][7] = 1, 2, 3
	w.EnterCall(0x200, 0x204, 0x300)
	w.S[40], w.V[3][7], w.V[AccBase+1][7] = 11, 12, 13
	c := w.Track.Calls[7][0]
	if c.S[40] != 1 || c.Vector(3)[7] != 2 || c.Vector(AccBase + 1)[7] != 3 {
		t.Errorf("kept %d, %d, %d; want 1, 2, 3", c.S[40], c.Vector(3)[7], c.Vector(AccBase + 1)[7])
	}
	for _, r := range []uint16{8, 255, AccBase + 2, VectorFile - 1} {
		if c.Vector(r) != nil {
			t.Errorf("register %d, which the kernel has not, was kept", r)
		}
	}
	c.SetS(40, 21)
	c.SetV(3, 7, 22)
	if w.S[40] != 11 || w.V[3][7] != 12 || c.S[40] != 21 || c.Vector(3)[7] != 22 {
		t.Error("writing to the caller's frame changed the callee's")
	}
	w.LeaveCall(0x204, false)
	if w.S[40] != 21 || w.V[3][7] != 22 || w.V[3][8] != 0 {
		t.Errorf("after the return s40 = %d, v3 = %d, %d", w.S[40], w.V[3][7], w.V[3][8])
	}
}
