package stub

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/stub/threads"
	"simtgdb/testdata/sweep"
)

// nonStopSession is a session in non-stop mode on one of the reversible programs.
func nonStopSession(t testing.TB, name string) *Session {
	t.Helper()
	files := reversible[name]
	args := []string{"--launch", testdata + "/" + files[0]}
	if len(files) > 1 {
		args = append(args, "--code-object", testdata+"/"+files[1])
	}
	s := sessionFor(t, args...)
	s.Remember(DefaultHistory)
	if err := s.SetNonStop(true); err != nil {
		t.Fatal(err)
	}
	return s
}

// start lets lanes do something.
func start(t testing.TB, s *Session, actions ...rsp.Action) {
	t.Helper()
	if err := s.Start(actions); err != nil {
		t.Fatal(err)
	}
}

// pieces lets what runs go on until something is reported, or nothing can go on, or for so many pieces.
func pieces(t testing.TB, s *Session, most int) (stops []rsp.Stop, running bool) {
	t.Helper()
	for range most {
		stops, running, err := s.Progress()
		if err != nil {
			t.Fatal(err)
		}
		if len(stops) > 0 || !running {
			return stops, running
		}
	}
	return nil, true
}

// TestNonStop: one wave stands at a breakpoint while others run to their ends, on every machine; then the
// rest runs, and the results are right.
func TestNonStop(t *testing.T) {
	for _, name := range []string{"gcn demo", "ptx demo", "spirv calls", "gen tile"} {
		t.Run(name, func(t *testing.T) {
			s := nonStopSession(t, name)
			if got := s.Stopped(); len(got) != 1 || got[0] != 1 {
				t.Fatalf("at first %v stand", got)
			}
			if stops, running := pieces(t, s, 3); len(stops) > 0 || running {
				t.Fatalf("something runs before anything was let run: %v", stops)
			}
			w := s.machine.Waves()[0]
			// Somewhere that wave 0 comes to.
			for range 30 {
				start(t, s, rsp.Action{Kind: rsp.Step, Thread: 1})
				stops, _ := pieces(t, s, 1000)
				if len(stops) != 1 || stops[0].Thread != 1 || stops[0].Signal != rsp.SIGTRAP {
					t.Fatalf("a step: %+v", stops)
				}
			}
			stood, executed := digestWave(w), w.Insts
			start(t, s, rsp.Action{Kind: rsp.Stay, Thread: threads.Of(w, 1)})
			if stops, _, _ := s.Progress(); len(stops) != 1 || stops[0].Thread != threads.Of(w, 1) ||
				stops[0].Signal != rsp.SignalNone {
				t.Fatalf("interrupt of one lane: %+v", stops)
			}
			for {
				stops, running := pieces(t, s, 1<<20)
				if len(stops) > 0 {
					t.Fatalf("while others run: %+v", stops)
				}
				if !running {
					break // they have ended, or wait for the wave at a barrier
				}
			}
			if digestWave(w) != stood || w.Insts != executed {
				t.Error("the wave that stands has moved")
			}
			start(t, s, letAllRun)
			stops, _ := pieces(t, s, 1<<20)
			if len(stops) != 1 || stops[0].Kind != rsp.Exited || stops[0].Code != 0 {
				t.Errorf("the end: %+v", stops)
			}
		})
	}
}

// TestNonStopSchedules: whichever lanes are let run, stepped and stopped in which order, by turns of chance,
// a program whose waves do not race comes to the same end; on every machine.
func TestNonStopSchedules(t *testing.T) {
	const schedules = 8
	for _, name := range []string{"gcn demo", "gcn lds", "ptx demo", "ptx lds", "spirv calls", "gen tile"} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(schedules) {
				s := nonStopSession(t, name)
				end := randomSchedule(t, s, rand.New(sweep.PCG(seed, uint64(len(name)))))
				if end.Kind != rsp.Exited || end.Code != 0 {
					t.Fatalf("seed %d: the end: %+v", seed, end)
				}
			}
		})
	}
}

// randomSchedule runs a session to its end by chance.
func randomSchedule(t *testing.T, s *Session, r *rand.Rand) rsp.Stop {
	t.Helper()
	kinds := []rsp.ActionKind{rsp.Continue, rsp.Continue, rsp.Step, rsp.Stay, rsp.Stay}
	for range 3000 {
		threads := s.view.list()
		if r.IntN(20) == 0 || len(threads) == 0 {
			start(t, s, letAllRun)
		}
		for range min(len(threads), 1+r.IntN(4)) {
			start(t, s, rsp.Action{Kind: kinds[r.IntN(len(kinds))], Thread: threads[r.IntN(len(threads))]})
		}
		stops, _ := pieces(t, s, 1+r.IntN(3))
		for _, stop := range stops {
			if stop.Kind == rsp.Exited || stop.Kind == rsp.Terminated {
				return stop
			}
		}
	}
	t.Fatal("no end")
	return rsp.Stop{}
}

// TestNonStopStopAll: interrupt -a is answered with a stop of each wave, once, and then all stand; but for
// one that stands already.
func TestNonStopStopAll(t *testing.T) {
	for _, name := range []string{"gcn demo", "ptx demo", "spirv calls", "gen tile"} {
		t.Run(name, func(t *testing.T) {
			s := nonStopSession(t, name)
			start(t, s, letAllRun)
			s.nonStop.stops = nil
			waves := s.machine.Waves()
			start(t, s, rsp.Action{Kind: rsp.Stay, Thread: threads.Of(waves[0], 1)})
			start(t, s, rsp.Action{Kind: rsp.Stay, Thread: rsp.AllThreads})
			stops, _ := pieces(t, s, 1)
			var reported []*simt.Wave
			for _, stop := range stops {
				if w, _, err := s.view.Find(stop.Thread); err == nil && stop.Signal == rsp.SignalNone {
					reported = append(reported, w)
				}
			}
			if !slices.Equal(reported, waves) || stops[0].Thread != threads.Of(waves[0], 1) {
				t.Errorf("%d waves, reported: %+v", len(waves), stops)
			}
			if got := s.Stopped(); len(got) != len(waves) {
				t.Errorf("%d stand, of %d waves", len(got), len(waves))
			}
			if stops, running := pieces(t, s, 3); len(stops) > 0 || running {
				t.Errorf("something still runs: %v", stops)
			}
		})
	}
}

// TestNonStopTellsEnd: what the program's results are is said where somebody hears it.
func TestNonStopTellsEnd(t *testing.T) {
	s := nonStopSession(t, "gcn demo")
	var said strings.Builder
	s.TellEndTo(&said)
	start(t, s, letAllRun)
	stops, _ := pieces(t, s, 1<<20)
	if want := "argument 1 (output): all 128 elements are as expected\n"; len(stops) != 1 ||
		said.String() != want {
		t.Errorf("%+v, said %q, want %q", stops, said.String(), want)
	}
}

// digestWave is what a wave has.
func digestWave(w *simt.Wave) string {
	text := ""
	for i, f := range w.Regs.Files() {
		p := make([]byte, f.Bits/8)
		for n := range max(f.Count, 1) {
			if w.Regs.Read(simt.Reg{File: uint8(i), Index: uint16(n)}, 0, p) == nil {
				text += string(p)
			}
		}
	}
	return text
}

// TestNonStopBreakpoint: a breakpoint stops its wave and is reported for one lane; a lane that goes on meets
// it for the others that have hit it; one that has been taken out stops nobody.
func TestNonStopBreakpoint(t *testing.T) {
	s := nonStopSession(t, "gcn demo")
	at := s.address(t, "_Z5weighii")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: at}); err != nil {
		t.Fatal(err)
	}
	start(t, s, letAllRun)
	seen := map[rsp.ThreadID]bool{}
	for range 2 { // one of each wave
		stops, _ := pieces(t, s, 1000)
		if len(stops) != 1 || stops[0].Cause != rsp.CauseSoftwareBreakpoint || stops[0].Address != at {
			t.Fatalf("%+v", stops)
		}
		w, _, err := s.view.Find(stops[0].Thread)
		if err != nil || w.PC != at || seen[threads.Of(w, 0)] {
			t.Fatalf("%+v: %v", stops, err)
		}
		seen[threads.Of(w, 0)] = true
	}
	if stops, running := pieces(t, s, 1000); len(stops) > 0 || running {
		t.Errorf("both waves stand, but %+v %v", stops, running)
	}
	// Another lane of wave 0 goes on: the others that have hit it are told.
	start(t, s, rsp.Action{Kind: rsp.Continue, Thread: 2})
	stops, _ := pieces(t, s, 1000)
	if len(stops) != 1 || stops[0].Thread > 64 || stops[0].Cause != rsp.CauseSoftwareBreakpoint {
		t.Errorf("%+v", stops)
	}
	if err := s.RemoveSoftwareBreakpoint(at, 1); err != nil {
		t.Fatal(err)
	}
	start(t, s, rsp.Action{Kind: rsp.Stay, Thread: rsp.AllThreads})
	stopped := map[rsp.ThreadID]bool{}
	for {
		stops, _, err := s.Progress()
		if err != nil || len(stops) == 0 {
			break
		}
		for _, stop := range stops {
			if stop.Signal != rsp.SignalNone || stopped[stop.Thread] {
				t.Fatalf("%+v", stop)
			}
			stopped[stop.Thread] = true
		}
	}
	if len(stopped) != 0 {
		t.Errorf("both waves stood, but %v are reported after an interrupt of all", stopped)
	}
	start(t, s, letAllRun)
	if stops, _ := pieces(t, s, 1000); len(stops) != 1 || stops[0].Kind != rsp.Exited || stops[0].Code != 0 {
		t.Errorf("the end: %+v", stops)
	}
}

// TestNonStopEnds: a lane that is stepped stops before its end and says so; lanes that end are reported if
// that is asked for; one that has ended cannot be let run.
func TestNonStopEnds(t *testing.T) {
	s := nonStopSession(t, "gcn early return")
	s.ThreadEvents(true)
	w := s.machine.Waves()[0]
	last, ended := rsp.Stop{}, 0
	for range 10000 {
		start(t, s, rsp.Action{Kind: rsp.StepRange, Thread: 1, Start: 0, End: 1})
		stops, _ := pieces(t, s, 10000)
		last = rsp.Stop{}
		for _, stop := range stops {
			if stop.Thread == 1 {
				last = stop
			}
			if stop.Kind == rsp.ThreadEnded {
				ended++
			}
		}
		if last.Signal == rsp.SIGSTOP {
			break
		}
	}
	if last.Signal != rsp.SIGSTOP || !s.machine.EndsAt(w.PC) || s.nonStop.texts.Len() == 0 {
		t.Fatalf("at the end of a lane: %+v, %q", last, &s.nonStop.texts)
	}
	if ended == 0 {
		t.Error("no lane's end was reported")
	}
	start(t, s, letAllRun)
	if stops, _ := pieces(t, s, 10000); len(stops) != 1 || stops[0].Kind != rsp.Exited || stops[0].Code != 0 {
		t.Errorf("the end: %+v", stops)
	}
	start(t, s, rsp.Action{Kind: rsp.Continue, Thread: 9999})
	if stops, _, _ := s.Progress(); len(stops) != 1 || stops[0].Kind != rsp.ThreadEnded ||
		stops[0].Thread != 9999 {
		t.Errorf("a lane that is not there: %+v", stops)
	}
}

// TestNonStopInterrupt: Ctrl-C stops the lane that the user looks at if it runs, or else the first that does.
func TestNonStopInterrupt(t *testing.T) {
	s := nonStopSession(t, "gcn demo")
	start(t, s, letAllRun)
	const looked = 64 + 6 // in wave 1
	if err := s.ReadRegisters(looked, &rsp.RegisterWriter{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []rsp.ThreadID{looked, 1} {
		if err := s.Interrupt(); err != nil {
			t.Fatal(err)
		}
		stops, _, err := s.Progress()
		if err != nil || len(stops) != 1 || stops[0].Thread != want || stops[0].Signal != rsp.SIGINT {
			t.Errorf("%+v, %v; want SIGINT of thread %d", stops, err, want)
		}
	}
}

// TestNonStopForgets: who lets a wave run in the past makes another future: a wave that stands does not go
// where it went before.
func TestNonStopForgets(t *testing.T) {
	s := reversibleSession(t, "gcn demo")
	for range 10 {
		if _, err := s.advance(5); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.past.Goto(0); err != nil {
		t.Fatal(err)
	}
	if err := s.SetNonStop(true); err != nil {
		t.Fatal(err)
	}
	stands, goes := s.machine.Waves()[0], s.machine.Waves()[1]
	start(t, s, rsp.Action{Kind: rsp.Step, Thread: threads.Of(goes, 0)})
	stops, _ := pieces(t, s, 100)
	if len(stops) != 1 || stops[0].Thread != threads.Of(goes, 0) {
		t.Errorf("a step: %+v", stops)
	}
	if stands.Insts != 0 || goes.Insts != 1 || s.past.End() != 1 {
		t.Errorf("waves have executed %d and %d instructions, the history ends at %d; want 0, 1 and 1",
			stands.Insts, goes.Insts, s.past.End())
	}
}

// TestNonStopBack: after non-stop mode, with the same client or another, the past can be gone back to.
func TestNonStopBack(t *testing.T) {
	s := nonStopSession(t, "gcn demo")
	begin := simttest.Digest(s.machine)
	start(t, s, rsp.Action{Kind: rsp.Continue, Thread: rsp.AllThreads})
	for range 2 {
		start(t, s, rsp.Action{Kind: rsp.Stay, Thread: 1})
		pieces(t, s, 1)
		start(t, s, rsp.Action{Kind: rsp.Step, Thread: 1})
		pieces(t, s, 100)
	}
	if s.past.Now() == 0 {
		t.Fatal("nothing was executed")
	}
	s.Release()
	stop, err := s.ResumeBackward(context.Background(), rsp.Resumption{Actions: []rsp.Action{letAllRun},
		Console: io.Discard})
	if err != nil || stop.Cause != rsp.CauseReplayBegin || simttest.Digest(s.machine) != begin {
		t.Errorf("%+v %v", stop, err)
	}
}

// TestNonStopFaultEnds: a signal that gdb passes on for one lane ends the program as it has failed, whatever
// else is let run with it.
func TestNonStopFaultEnds(t *testing.T) {
	short := "buf:f32[128]=zero"
	s := sessionFor(t, "--code-object", testdata+"/co/vecadd.gfx90a.O0.co", "--grid", "256", "--block", "64",
		"--arg", short, "--arg", short, "--arg", short, "--arg", "i32:250")
	if err := s.SetNonStop(true); err != nil {
		t.Fatal(err)
	}
	start(t, s, letAllRun)
	stops, _ := pieces(t, s, 1<<20)
	if len(stops) != 1 || stops[0].Signal != rsp.SIGSEGV {
		t.Fatalf("%+v, want a fault", stops)
	}
	start(t, s, rsp.Action{Kind: rsp.Continue, Thread: stops[0].Thread, Signal: rsp.SIGSEGV}, letAllRun)
	stops, _ = pieces(t, s, 1)
	if len(stops) != 1 || stops[0].Kind != rsp.Terminated {
		t.Errorf("%+v, want the end", stops)
	}
	if ev, failed := s.Failed(); !failed || ev.Kind != simt.FaultEvent {
		t.Errorf("the end is not known to be a failure: %+v", ev)
	}
}

// TestNonStopAsked: lanes that gdb has asked to stop with all others, and that were not reported, are when it
// wants to hear of threads; going back makes no difference.
func TestNonStopAsked(t *testing.T) {
	for _, back := range []bool{false, true} {
		s := nonStopSession(t, "gcn demo")
		for range 5 {
			start(t, s, rsp.Action{Kind: rsp.Step, Thread: 1})
			pieces(t, s, 1000)
		}
		start(t, s, rsp.Action{Kind: rsp.Stay, Thread: rsp.AllThreads})
		pieces(t, s, 1)
		asked := s.everyLane()
		stand := func(id rsp.ThreadID) bool { return slices.Contains(s.Stopped(), id) }
		asked = slices.DeleteFunc(asked, stand)
		if back {
			if err := s.Monitor(context.Background(), "back 2", io.Discard); err != nil {
				t.Fatal(err)
			}
			start(t, s, letAllRun)
			pieces(t, s, 1)
			asked = slices.DeleteFunc(asked, stand)
		}
		s.ThreadEvents(true)
		stops, _ := pieces(t, s, 1)
		if len(asked) < 60 || len(stops) != len(asked) {
			t.Errorf("back %v: %d lanes are reported, %d were asked", back, len(stops), len(asked))
		}
	}
}
