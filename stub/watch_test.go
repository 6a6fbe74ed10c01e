package stub

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
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
	sp, err := scalarOf(&s.frames.Of(w, 0)[0], 32)
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

// TestWatchByHand watches an address in the private aperture that gdb has read in a lane, as it does before
// it watches what the user has typed: that lane's memory is meant, and no other's.
func TestWatchByHand(t *testing.T) {
	s := launched(t, "private_array", "")
	const thread, at = 7, 2<<48 + 64
	if _, err := s.ReadMemory(thread, at, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	if err := s.InsertWatchpoint(rsp.Watchpoint{Kind: rsp.WatchWrite, Address: at, Size: 4}); err != nil {
		t.Fatal(err)
	}
	stops := 0
	for stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited; stop = resume(t, s, letAllRun) {
		if stops++; stop.Cause != rsp.CauseWatch || stop.Thread != thread {
			t.Fatalf("stop %+v, want a change in thread %d", stop, thread)
		}
	}
	if stops == 0 {
		t.Error("no change was reported")
	}
}

// TestWatchRefused checks that what cannot be watched is refused.
func TestWatchRefused(t *testing.T) {
	s := launched(t, "demo", "")
	for _, p := range []rsp.Watchpoint{
		{Kind: rsp.WatchRead, Address: s.Handle(1, 0) + uint64(s.symbols.Slots[0].Object), Size: 4},
		{Kind: rsp.WatchAccess, Address: s.Handle(1, 0) + uint64(s.symbols.Slots[0].Object), Size: 4},
		{Kind: rsp.WatchWrite, Address: 0x10, Size: 4},
		{Kind: rsp.WatchWrite, Address: s.prog.Buffers[0].Region.Base, Size: 1 << 20},
		{Kind: rsp.WatchWrite, Address: s.prog.Buffers[0].Region.End() - 2, Size: 4},
		{Kind: rsp.WatchWrite, Address: s.Handle(1, 5), Size: 4},
		{Kind: rsp.WatchWrite, Address: s.Handle(1<<20, 0), Size: 4},
	} {
		if err := s.InsertWatchpoint(p); err == nil {
			t.Errorf("%+v: not refused", p)
		}
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
		t.Errorf("stop %+v, want an exit with 0", stop)
	}
}

// TestWatchAgainstComparing watches words of each memory in a whole run, on machines with short ways past
// observers of what is elsewhere. An independent run that compares the word after each instruction says what
// changes there are, and which wave makes them.
func TestWatchAgainstComparing(t *testing.T) {
	out := func(at uint64) func(s *Session) uint64 {
		return func(s *Session) uint64 { return s.prog.Buffers[1].Region.Base + at }
	}
	in := func(kind uint64, owner int, at uint64) func(s *Session) uint64 {
		return func(s *Session) uint64 { return s.Window(kind, owner, at) }
	}
	for _, test := range []struct {
		launch, object string
		place          func(s *Session) uint64
	}{
		{"launch/demo", "", out(4 * 70)},
		{"launch/atomics", "", out(0)},
		{"launch/reduction", "", in(threads.LDSWindow, 1, 0)},
		{"launch/reduction", "", func(*Session) uint64 { return 1<<48 + 64 }},
		{"launch/matmul", "", in(threads.LDSWindow, 0, 260)},
		{"launch/private_array", "", in(threads.ScratchWindow, 7, 64)},
		{"launch/recursion", "", in(threads.ScratchWindow, 4, 268)},
		{"launch/demo", "ptx/co/demo.O0.ptx", out(4 * 70)},
		{"launch/reduction", "ptx/co/reduction.O0.ptx", in(threads.LDSWindow, 1, 0)},
		{"launch/matmul", "ptx/co/matmul.O2.ptx", in(threads.LDSWindow, 0, 260)},
		{"launch/private_array", "ptx/co/private_array.O0.ptx", in(threads.ScratchWindow, 7, 64)},
		{"launch/vecadd", "ptx/co/vecadd.O2.ptx",
			func(s *Session) uint64 { return s.prog.Buffers[2].Region.Base + 20 }},
		{"spirv/launch/blur", "", out(4 * 70)},
		{"igc/debug/recurse", "", func(s *Session) uint64 { return s.prog.Buffers[0].Region.Base + 20 }},
		{"igc/debug/tile", "", in(threads.LDSWindow, 0, 8)},
		{"spirv/launch/shared", "", in(threads.LDSWindow, 0, 64)},
		{"spirv/launch/calls", "spirv/calls.Od.spv", in(threads.ScratchWindow, 3, 40)},
		{"spirv/launch/control", "spirv/control.Od.spv", in(threads.ScratchWindow, 3, 40)},
	} {
		args := []string{"--launch", filepath.Join(testdata, test.launch+".json")}
		if test.object != "" {
			args = append(args, "--code-object", filepath.Join(testdata, test.object))
		}
		reference := sessionFor(t, args...)
		want := changesByComparing(t, reference, test.place(reference))
		s := sessionFor(t, args...)
		at := test.place(s)
		if err := s.InsertWatchpoint(rsp.Watchpoint{Kind: rsp.WatchWrite, Address: at, Size: 4}); err != nil {
			t.Fatal(test, err)
		}
		got := map[int][]uint32{}
		for {
			stop := resume(t, s, letAllRun)
			if stop.Kind == rsp.Exited {
				break
			}
			if stop.Cause != rsp.CauseWatch || stop.Address != at {
				t.Fatalf("%s: stop %+v", test.launch, stop)
			}
			w, _, err := s.view.lane(stop.Thread)
			if err != nil {
				t.Fatalf("%s: stop %+v: %v", test.launch, stop, err)
			}
			got[w.ID] = append(got[w.ID], s.word(t, stop.Thread, at))
		}
		if len(want) == 0 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s %s, %#x: changes %x, want %x", test.launch, test.object, at, got, want)
		}
	}
}

// changesByComparing runs a kernel instruction by instruction and gives the
// values that a word takes, by the wave that makes it so.
func changesByComparing(t *testing.T, s *Session, at uint64) map[int][]uint32 {
	t.Helper()
	changes := map[int][]uint32{}
	word := func(w *simt.Wave) (v [4]byte, ok bool) {
		n, err := s.readMemory(threads.Of(w, 0), at, v[:])
		return v, err == nil && n == len(v)
	}
	for !s.machine.Done() {
		for _, w := range slices.Clone(s.machine.Waves()) {
			before, _ := word(w)
			for n := 0; n < 200 && w.State == simt.Ready; n++ {
				if _, err := s.machine.StepWave(w, 1); err != nil {
					t.Fatal(err)
				}
				after, ok := word(w)
				if ok && after != before {
					changes[w.ID] = append(changes[w.ID], binary.LittleEndian.Uint32(after[:]))
				}
				before = after
			}
		}
	}
	return changes
}

// TestWatchReads has each lane of demo read an element that is watched: a
// hundred watchpoints tell a hundred lanes.
func TestWatchReads(t *testing.T) {
	for _, kind := range []rsp.WatchKind{rsp.WatchRead, rsp.WatchAccess} {
		s := launched(t, "demo", "")
		in := s.prog.Buffers[0].Region.Base
		seen := map[rsp.ThreadID]bool{}
		for i := range uint64(100) {
			if err := s.InsertWatchpoint(rsp.Watchpoint{Kind: kind, Address: in + 4*i, Size: 4}); err != nil {
				t.Fatal(err)
			}
		}
		for {
			stop := resume(t, s, letAllRun)
			if stop.Kind == rsp.Exited {
				break
			}
			if stop.Cause != watchCauses[kind] || stop.Address != in+4*uint64(stop.Thread-1) {
				t.Fatalf("stop %+v", stop)
			}
			seen[stop.Thread] = true
		}
		if len(seen) != 100 {
			t.Errorf("%d lanes are seen", len(seen))
		}
	}
}

// TestWatchAccess watches a word that is written and read.
func TestWatchAccess(t *testing.T) {
	s := launched(t, "demo", "")
	out := s.prog.Buffers[1].Region.Base + 4*5
	p := rsp.Watchpoint{Kind: rsp.WatchAccess, Address: out, Size: 4}
	if err := s.InsertWatchpoint(p); err != nil {
		t.Fatal(err)
	}
	if stop := resume(t, s, letAllRun); stop.Cause != rsp.CauseAccessWatch || stop.Thread != 6 {
		t.Errorf("stop %+v", stop)
	}
	p.Kind = rsp.WatchRead
	if err := s.InsertWatchpoint(p); err != nil {
		t.Fatal(err)
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited {
		t.Errorf("stop %+v: nobody reads it", stop)
	}
}

// TestWatchTwoAccesses watches the end of one row of a tile and the beginning of the next, which different
// lanes load by the two accesses of one instruction: it is reported once, for whichever lane of either the
// user looks at.
func TestWatchTwoAccesses(t *testing.T) {
	for _, user := range []rsp.ThreadID{16, 17} { // the last column of a row, and the first of the next
		s := launched(t, "matmul", "matmul.gfx90a.O2")
		const tileB = 1024 // ds_read2_b32 v[28:29], v7 offset1:16
		p := rsp.Watchpoint{Kind: rsp.WatchRead, Address: s.Window(threads.LDSWindow, 0, tileB+4*15), Size: 8}
		if err := s.InsertWatchpoint(p); err != nil {
			t.Fatal(err)
		}
		mine := 0
		type inst struct {
			wave  int
			insts uint64
		}
		seen := map[inst]bool{}
		for {
			s.view.report(user)
			stop := resume(t, s, letAllRun)
			if stop.Kind == rsp.Exited {
				break
			}
			w, _, err := s.view.lane(stop.Thread)
			if err != nil || stop.Cause != rsp.CauseReadWatch {
				t.Fatalf("stop %+v, %v", stop, err)
			}
			if seen[inst{w.ID, w.Insts}] {
				t.Errorf("stop %+v: the instruction is reported again", stop)
			}
			seen[inst{w.ID, w.Insts}] = true
			if w.ID == 0 {
				if mine++; stop.Thread != user {
					t.Errorf("stop %+v, want thread %d", stop, user)
				}
			}
		}
		if mine == 0 {
			t.Error("wave 0 has not stopped")
		}
	}
}

// BenchmarkWatch runs a kernel to its end under a session, without a watchpoint
// and with one, in each memory: on what nothing touches, but for the first element of a buffer that lanes
// load.
func BenchmarkWatch(b *testing.B) {
	for _, bench := range []struct {
		name  string
		kind  rsp.WatchKind
		watch func(s *Session) uint64
	}{
		{"free", rsp.WatchWrite, nil},
		{"global", rsp.WatchWrite, func(s *Session) uint64 { return s.prog.Buffers[0].Region.Base }},
		{"global-access", rsp.WatchAccess, func(s *Session) uint64 { return s.prog.Buffers[0].Region.Base }},
		{"lds", rsp.WatchWrite, func(s *Session) uint64 { return s.Window(threads.LDSWindow, 0, 1020) }},
		{"lds-access", rsp.WatchAccess,
			func(s *Session) uint64 { return s.Window(threads.LDSWindow, 0, 1020) }},
		{"lds-read", rsp.WatchRead, func(s *Session) uint64 { return s.Window(threads.LDSWindow, 0, 1020) }},
		{"scratch", rsp.WatchWrite,
			func(s *Session) uint64 { return s.Window(threads.ScratchWindow, 1, 16) }},
		{"scratch-access", rsp.WatchAccess,
			func(s *Session) uint64 { return s.Window(threads.ScratchWindow, 1, 16) }},
	} {
		for _, c := range []struct{ name, launch, object string }{
			{"mandelbrot", "launch/mandelbrot", ""}, {"matmul", "launch/matmul", ""},
			{"reduction", "launch/reduction", ""},
			{"matmul256", "launch/matmul256", ""},
			{"matmul256-O0", "launch/matmul256", "co/matmul.gfx90a.O0.co"},
			{"matmul256-O0-ptx", "launch/matmul256", "ptx/co/matmul.O0.ptx"},
			{"matmul512-ptx", "bench/matmul", "bench/bench.ptx"}, {"fir-ptx", "bench/fir", "bench/bench.ptx"},
			{"matmul512-spirv", "bench/matmul", "bench/bench.spv"},
			{"fir-spirv", "bench/fir", "bench/bench.spv"},
			{"matmul512-gen", "bench/matmul", "bench/bench.zebin"},
			{"fir-gen", "bench/fir", "bench/bench.zebin"},
			{"sum-O0-ptx", "", "check/values.O0.ptx"}, {"sum-O0-spirv", "", "check/values.O0.spv"},
			{"sum-O0-gen", "", "check/values.O0.zebin"},
		} {
			b.Run(bench.name+"/"+c.name, func(b *testing.B) {
				args := []string{"--launch", filepath.Join(testdata, c.launch+".json")}
				switch {
				case c.launch == "": // in private memory
					args = []string{"--code-object", filepath.Join(testdata, c.object), "--kernel", "sum_ok",
						"--grid", "65536", "--block", "128", "--arg", "buf:i32[65600]=iota",
						"--arg", "buf:i32[65600]=zero"}
				case c.object != "":
					args = append(args, "--code-object", filepath.Join(testdata, c.object))
				}
				var user time.Duration
				for b.Loop() {
					b.StopTimer()
					s := sessionFor(b, args...)
					if bench.watch != nil {
						p := rsp.Watchpoint{Kind: bench.kind, Address: bench.watch(s), Size: 4}
						if err := s.InsertWatchpoint(p); err != nil {
							b.Skip(err)
						}
					}
					b.StartTimer()
					from := userTime(b)
					for stop := (rsp.Stop{}); stop.Kind != rsp.Exited; {
						stop = resume(b, s, letAllRun)
					}
					user += userTime(b) - from
				}
				b.ReportMetric(float64(user)/float64(b.N), "user-ns/op")
			})
		}
	}
}

// userTime is the time that the process has computed, which other work of the machine leaves as it is.
func userTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
