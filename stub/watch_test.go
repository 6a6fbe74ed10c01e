package stub

import (
	"testing"

	"simtgdb/rsp"
)

// TestWatchGlobal watches an element of the output, which one lane writes.
func TestWatchGlobal(t *testing.T) {
	s := launched(t, "demo", "")
	out := s.prog.Buffers[1].Region.Base
	const lane = 6
	w := rsp.Watchpoint{Kind: rsp.WatchWrite, Address: out + 4*lane, Size: 4}
	if err := s.InsertWatchpoint(w); err != nil {
		t.Fatal(err)
	}
	before := s.word(t, 1, w.Address)
	stop := resume(t, s, letAllRun)
	if stop.Cause != rsp.CauseWatch || stop.Address != w.Address || stop.Thread > 64 {
		t.Fatalf("stop %+v", stop)
	}
	if s.word(t, 1, w.Address) == before {
		t.Error("nothing has changed")
	}
	// The client takes watchpoints out at each stop; and what it writes itself
	// is no change.
	if err := s.RemoveWatchpoint(w); err != nil {
		t.Fatal(err)
	}
	if err := s.InsertWatchpoint(w); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteMemory(1, w.Address, []byte{1, 2, 3, 4}); err != nil {
		t.Fatal(err)
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 1 {
		t.Errorf("stop %+v, want an exit with 1: the output is not as expected", stop)
	}
}

// TestWatchPrivate watches an address in the private aperture, which each lane
// has for itself: every lane's change is reported for that lane.
func TestWatchPrivate(t *testing.T) {
	s := launched(t, "demo", "")
	weigh := s.address(t, "_Z5weighii")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: weigh}); err != nil {
		t.Fatal(err)
	}
	if stop := resume(t, s, letAllRun); stop.Cause != rsp.CauseSoftwareBreakpoint {
		t.Fatalf("stop %+v", stop)
	}
	s.RemoveSoftwareBreakpoint(weigh, 1)
	w, _, _ := s.view.lane(1)
	lanes := w.Active()
	// The first local of weigh, as far as its frame goes.
	sp, err := scalarOf(&s.frames.of(w, 0)[0], 32)
	if err != nil {
		t.Fatal(err)
	}
	base := uint64(sp) / 64
	p := rsp.Watchpoint{Kind: rsp.WatchWrite, Address: 2<<48 + base, Size: 32}
	if err := s.InsertWatchpoint(p); err != nil {
		t.Fatal(err)
	}
	seen := uint64(0)
	for seen != lanes {
		stop := resume(t, s, letAllRun)
		if stop.Cause != rsp.CauseWatch {
			t.Fatalf("stop %+v after lanes %x of %x", stop, seen, lanes)
		}
		sw, lane, err := s.view.lane(stop.Thread)
		if err != nil || sw != w {
			continue // wave 1 comes there too
		}
		if lanes>>lane&1 == 0 {
			t.Fatalf("lane %d is reported, which is not in the function", lane)
		}
		seen |= 1 << lane
	}
}

// TestWatchRefused checks that what cannot be watched is refused.
func TestWatchRefused(t *testing.T) {
	s := launched(t, "demo", "")
	for _, p := range []rsp.Watchpoint{
		{Kind: rsp.WatchRead, Address: s.prog.Buffers[0].Region.Base, Size: 4},
		{Kind: rsp.WatchAccess, Address: s.prog.Buffers[0].Region.Base, Size: 4},
		{Kind: rsp.WatchWrite, Address: 0x10, Size: 4},
		{Kind: rsp.WatchWrite, Address: s.prog.Buffers[0].Region.Base, Size: 1 << 20},
		{Kind: rsp.WatchWrite, Address: s.prog.Buffers[0].Region.End() - 2, Size: 4},
		{Kind: rsp.WatchWrite, Address: s.handle(1, 5), Size: 4},
		{Kind: rsp.WatchWrite, Address: s.handle(1<<20, 0), Size: 4},
	} {
		if err := s.InsertWatchpoint(p); err == nil {
			t.Errorf("%+v: not refused", p)
		}
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
		t.Errorf("stop %+v, want an exit with 0", stop)
	}
}
