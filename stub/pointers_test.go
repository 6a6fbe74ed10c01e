package stub

import (
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/stub/threads"
)

// TestWatchOneLane watches a variable that every lane has at one address: hits are
// of the lane that the variable was looked up in, and still are when gdb takes the
// watchpoint out and puts it in again.
func TestWatchOneLane(t *testing.T) {
	s := launched(t, "demo", "")
	weigh := s.address(t, "_Z5weighii")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: weigh + 0x40}); err != nil {
		t.Fatal(err)
	}
	stop := resume(t, s, letAllRun)
	s.RemoveSoftwareBreakpoint(weigh+0x40, 1)
	w, lane, err := s.view.lane(stop.Thread)
	if err != nil {
		t.Fatal(err)
	}
	lane += 3 // every third lane calls weigh
	f := &s.frames.Of(w, lane)[0]
	at := uint64(0)
	for i, slot := range s.symbols.Slots {
		if slot.Name == "total" {
			at = s.frames.SlotAddress(f, i)
		}
	}
	if _, offset, ok := s.arch.Aperture(at); !ok || offset == 0 {
		t.Fatalf("total is at %#x", at)
	}
	p := rsp.Watchpoint{Kind: rsp.WatchWrite, Address: at, Size: 4}
	hits := 0
	for {
		if err := s.InsertWatchpoint(p); err != nil {
			t.Fatal(err)
		}
		stop := resume(t, s, letAllRun)
		if stop.Kind == rsp.Exited {
			break
		}
		if stop.Thread != threads.Of(w, lane) {
			t.Fatalf("stop %+v, want one of thread %d", stop, threads.Of(w, lane))
		}
		hits++
		if err := s.RemoveWatchpoint(p); err != nil {
			t.Fatal(err)
		}
	}
	if hits == 0 {
		t.Error("no change is seen")
	}
}

// TestUnitLDS finds a unit's own LDS variable, which clang gives no location, and globals: gdb reads them by
// themselves, without a frame.
func TestUnitLDS(t *testing.T) {
	for _, opt := range []string{"O0", "O2"} {
		s := sessionFor(t, "--code-object", filepath.Join(testdata, "debug/co/pointers."+opt+".co"),
			"--kernel", "pointers",
			"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=zero")
		names := map[string]bool{}
		for _, slot := range s.symbols.Slots {
			names[slot.Name] = true
		}
		if len(names) == 0 || names["board"] || names["counter"] || names["last"] {
			t.Errorf("%s: variables that gdb asks for: %v", opt, names)
		}
		if text := s.say("lanes print &board"); !strings.Contains(text, "0x1000000000") {
			t.Errorf("%s: %s", opt, text)
		}
	}
}

// TestStringEnds reads behind a buffer as gdb does that looks for the end of a
// string, and as it does otherwise.
func TestStringEnds(t *testing.T) {
	s := launched(t, "demo", "")
	end := s.prog.Buffers[0].Region.End()
	b := []byte{1, 2}
	if n, err := s.ReadMemory(1, end, b[:1]); n != 1 || err != nil || b[0] != 0 {
		t.Errorf("one byte: %d, %v, %d", n, err, b[0])
	}
	for _, at := range []uint64{end + 1, s.prog.Memory.Find(s.prog.Kernel.Entry).End()} {
		if n, err := s.ReadMemory(1, at, b[:1]); err == nil {
			t.Errorf("%#x reads %d", at, n)
		}
	}
	if n, err := s.ReadMemory(1, end, b); err == nil {
		t.Errorf("two bytes: %d", n)
	}
}
