package stub

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/rsp"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// back goes back as gdb asks for it.
func back(t testing.TB, s *Session, kind rsp.ActionKind, thread rsp.ThreadID) (stop rsp.Stop) {
	t.Helper()
	s.Threads()
	stop.Cause = rsp.CauseLibrary // gdb goes on from where it looks at threads anew
	for stop.Cause == rsp.CauseLibrary {
		var err error
		stop, err = s.ResumeBackward(context.Background(), rsp.Resumption{Actions: []rsp.Action{{Kind: kind,
			Thread: thread}}, Console: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
	}
	return stop
}

// seen is what a client can see of a thread: all registers and its frames.
func (s *Session) seen(t testing.TB, thread rsp.ThreadID) string {
	t.Helper()
	w, lane, err := s.view.lane(thread)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for i := range s.registers {
		// _siginfo is the session's, not the machine's.
		if r := &s.registers[i]; r.get != nil && r.name != "_siginfo" {
			v, err := s.contentsOf(w, lane, r)
			text += fmt.Sprintf("%s %x %v\n", r.name, v, err)
		}
	}
	for _, f := range s.frames.Of(w, lane) {
		text += fmt.Sprintf("%#x %d\n", f.PC, f.Depth)
	}
	return text
}

// reversible are programs to go back in, of every machine, by the arguments that launch them.
var reversible = map[string][]string{
	"gcn demo":          {"launch/demo.json"},
	"gcn calls":         {"launch/calls.json"},
	"gcn recursion":     {"launch/recursion.json"},
	"gcn lds":           {"launch/lds.json"},
	"gcn atomics":       {"launch/atomics.json"},
	"gcn early return":  {"launch/early_return.json"},
	"gcn private array": {"launch/private_array.json"},
	"ptx demo":          {"launch/demo.json", "ptx/co/demo.O0.ptx"},
	"ptx early return":  {"launch/early_return.json", "ptx/co/early_return.O0.ptx"},
	"spirv control":     {"spirv/launch/control.json"},
	"ptx recursion":     {"launch/recursion.json", "ptx/co/recursion.O0.ptx"},
	"ptx lds":           {"launch/lds.json", "ptx/co/lds.O0.ptx"},
	"spirv calls":       {"spirv/launch/calls.json"},
	"spirv nodes":       {"spirv/launch/cl_nodes.json"},
	"gen recursion":     {"igc/debug/recurse.json"},
	"gen tile":          {"igc/debug/tile.json"},
}

// reversibleSession is a session on one of the programs, with its history.
func reversibleSession(t testing.TB, name string) *Session {
	t.Helper()
	files := reversible[name]
	args := []string{"--launch", filepath.Join(testdata, files[0])}
	if len(files) > 1 {
		args = append(args, "--code-object", filepath.Join(testdata, files[1]))
	}
	s := sessionFor(t, args...)
	s.Remember(DefaultHistory)
	return s
}

// TestReverseSteps: from random points, as many steps back as there were steps
// forward come to the same states in the opposite order, and forward again to
// the same once more: the whole machine, and what a client sees of the lane.
func TestReverseSteps(t *testing.T) {
	for name := range reversible {
		t.Run(name, func(t *testing.T) {
			s := reversibleSession(t, name)
			rnd := rand.New(sweep.PCG(7, uint64(len(name))))
			for range 3 + rnd.IntN(12) {
				if _, err := s.advance(1 + rnd.Uint64N(30)); err != nil {
					t.Fatal(err)
				}
			}
			if s.machine.Done() { // a short program
				if err := s.past.Goto(s.past.Now() / 3); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // the second time from somewhere in the past
				waves := s.machine.Waves()
				stepBackAndForth(t, s, s.view.activeLane(waves[rnd.IntN(len(waves))]), 14)
				s.goTo(t, rnd.Uint64N(s.past.Now()/2+1))
			}
		})
	}
}

// goTo goes to a time without anybody stepping.
func (s *Session) goTo(t *testing.T, time uint64) {
	t.Helper()
	if err := s.past.Goto(time); err != nil {
		t.Fatal(err)
	}
	s.hits.forget()
	s.frames.Forget()
}

// stepBackAndForth steps a lane, as often back, and forward again.
func stepBackAndForth(t *testing.T, s *Session, thread rsp.ThreadID, steps int) {
	t.Helper()
	machines := map[uint64]string{} // by time
	state := func(what string) string {
		now := simttest.Digest(s.machine)
		if before, ok := machines[s.past.Now()]; ok && before != now {
			t.Fatalf("%s: at time %d the machine is not what it was", what, s.past.Now())
		}
		machines[s.past.Now()] = now
		return s.seen(t, thread)
	}
	states := []string{state("start")}
	for i := range steps {
		before := s.past.Now()
		stop := resume(t, s, stepping(thread)...)
		if stop.Kind != rsp.Stopped || stop.Thread != thread { // the lane has ended, and nobody looks at it
			s.goTo(t, before)
			break
		}
		states = append(states, state(fmt.Sprint("step ", i)))
	}
	if len(states) < 5 {
		t.Fatalf("only %d steps", len(states))
	}
	for i := len(states) - 2; i >= 0; i-- {
		if stop := back(t, s, rsp.Step, thread); stop.Thread != thread || stop.Cause == rsp.CauseReplayBegin {
			t.Fatalf("step %d back: %+v", i, stop)
		}
		if got := state(fmt.Sprintf("step %d back", i)); got != states[i] {
			t.Fatalf("step %d back is something else:\n%s", i, cmp.Diff(states[i], got))
		}
	}
	for i := 1; i < len(states); i++ {
		resume(t, s, stepping(thread)...)
		if got := state(fmt.Sprintf("step %d forward again", i)); got != states[i] {
			t.Fatalf("step %d forward again is something else:\n%s", i, cmp.Diff(states[i], got))
		}
	}
}

// BenchmarkReverseStep steps a lane back and forth again, while there is a breakpoint.
func BenchmarkReverseStep(b *testing.B) {
	for _, name := range []string{"gcn lds", "gen tile", "ptx lds", "spirv nodes"} {
		b.Run(name, func(b *testing.B) {
			s := reversibleSession(b, name)
			if _, err := s.advance(200); err != nil {
				b.Fatal(err)
			}
			w := s.machine.Waves()[0]
			thread := s.view.activeLane(w)
			if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: w.PC}); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if stop := back(b, s, rsp.Step, thread); stop.Cause == rsp.CauseReplayBegin {
					b.Fatalf("%+v", stop)
				}
				resume(b, s, stepping(thread)...)
			}
		})
	}
}

// TestReverseContinue goes back to a breakpoint's hits, last to first, to who
// last wrote a word of memory, and to the beginning.
func TestReverseContinue(t *testing.T) {
	s := launched(t, "calls", "")
	s.Remember(DefaultHistory)
	begin := s.seen(t, 1)
	at := s.prog.Module.Symbols[0].Addr
	for _, sym := range s.prog.Module.Symbols {
		if sym.Size > 0 && sym.Addr != s.prog.Kernel.Entry && s.machine.CodeAt(sym.Addr) != nil {
			at = sym.Addr
		}
	}
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: at}); err != nil {
		t.Fatal(err)
	}
	type hit struct {
		thread rsp.ThreadID
		state  string
	}
	var hits []hit
	for len(hits) < 6 {
		stop := resume(t, s, letAllRun)
		if stop.Cause != rsp.CauseSoftwareBreakpoint {
			break
		}
		hits = append(hits, hit{stop.Thread, s.seen(t, stop.Thread)})
	}
	if len(hits) < 2 {
		t.Fatalf("%d hits", len(hits))
	}
	for i := len(hits) - 2; i >= 0; i-- {
		stop := back(t, s, rsp.Continue, rsp.AllThreads)
		if stop.Cause != rsp.CauseSoftwareBreakpoint || s.seen(t, hits[i].thread) != hits[i].state {
			t.Fatalf("hit %d: %+v", i, stop)
		}
	}
	s.RemoveSoftwareBreakpoint(at, 1)
	if stop := back(t, s, rsp.Continue, rsp.AllThreads); stop.Cause != rsp.CauseReplayBegin ||
		s.seen(t, 1) != begin {
		t.Errorf("the beginning: %+v", stop)
	}
}

// TestReverseWatch finds who wrote a word of memory last.
func TestReverseWatch(t *testing.T) {
	s := launched(t, "demo", "")
	s.Remember(DefaultHistory)
	buffer := s.prog.Buffers[1].Region.Base
	p := rsp.Watchpoint{Kind: rsp.WatchWrite, Address: buffer + 4*5, Size: 4}
	if err := s.InsertWatchpoint(p); err != nil {
		t.Fatal(err)
	}
	stop := resume(t, s, letAllRun)
	if stop.Cause != rsp.CauseWatch || stop.Thread != 6 {
		t.Fatalf("forward: %+v, want lane 5 of wave 0", stop)
	}
	written := s.word(t, 1, p.Address)
	w, _, _ := s.view.lane(stop.Thread)
	after := w.PC
	s.RemoveWatchpoint(p)
	for range 100 {
		if _, err := s.advance(5); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.InsertWatchpoint(p); err != nil {
		t.Fatal(err)
	}
	stop = back(t, s, rsp.Continue, rsp.AllThreads)
	if stop.Cause != rsp.CauseWatch || stop.Address != p.Address || s.word(t, 1, p.Address) == written ||
		w.PC >= after {
		t.Errorf("backward: %+v, word %#x, pc %#x; want a write before %#x of %#x", stop,
			s.word(t, 1, p.Address), w.PC, after, written)
	}
}

// TestReverseWatchSteps meets watchpoints of every kind, steps back over the instruction and forward again,
// and goes back to it from the end: each time the lane that does it is reported.
func TestReverseWatchSteps(t *testing.T) {
	const lane = 5
	for _, name := range []string{"gcn demo", "ptx demo"} {
		for kind, cause := range watchCauses {
			t.Run(fmt.Sprint(name, " ", kind), func(t *testing.T) {
				s := reversibleSession(t, name)
				buffer := s.prog.Buffers[0].Region // read, and never written
				if kind == rsp.WatchWrite {
					buffer = s.prog.Buffers[1].Region
				}
				p := rsp.Watchpoint{Kind: kind, Address: buffer.Base + 4*lane, Size: 4}
				if err := s.InsertWatchpoint(p); err != nil {
					t.Fatal(err)
				}
				meets := func(what string, stop rsp.Stop) {
					t.Helper()
					if stop.Cause != cause || stop.Address != p.Address || stop.Thread != lane+1 {
						t.Fatalf("%s: %+v, want %q of thread %d", what, stop, cause, lane+1)
					}
				}
				meets("forward", resume(t, s, letAllRun))
				behind := s.past.Now()
				meets("a step back", back(t, s, rsp.Step, lane+1))
				meets("a step forward", resume(t, s, stepping(lane+1)...))
				for range 100 {
					if _, err := s.advance(5); err != nil {
						t.Fatal(err)
					}
				}
				meets("backward", back(t, s, rsp.Continue, rsp.AllThreads))
				if now := s.past.Now(); now >= behind {
					t.Errorf("backward to time %d, want one before %d", now, behind)
				}
				if stop := back(t, s, rsp.Step, lane+1); stop.Cause == cause {
					t.Errorf("a step back from before the access: %+v", stop)
				}
			})
		}
	}
}

// TestChangedPast: what the client writes makes another future.
func TestChangedPast(t *testing.T) {
	s := launched(t, "demo", "")
	s.Remember(DefaultHistory)
	for range 20 {
		resume(t, s, stepping(1)...)
	}
	for range 10 {
		back(t, s, rsp.Step, 1)
	}
	end := s.past.End()
	buffer := s.prog.Buffers[0].Region.Base
	if err := s.WriteMemory(1, buffer, []byte{9, 9, 9, 9}); err != nil {
		t.Fatal(err)
	}
	resume(t, s, stepping(1)...)
	if s.past.End() >= end || s.past.Replaying() {
		t.Errorf("the future is still known: now %d, end %d", s.past.Now(), s.past.End())
	}
	back(t, s, rsp.Step, 1)
	if got := s.word(t, 1, buffer); got != 0x09090909 {
		t.Errorf("the change is gone: %#x", got)
	}
}

// TestChangedAgain: what the client has written behind a step is there when the lane is stepped there again,
// though other waves have gone on after the step and before it was written.
func TestChangedAgain(t *testing.T) {
	for name := range reversible {
		t.Run(name, func(t *testing.T) {
			s := reversibleSession(t, name)
			for range 7 {
				resume(t, s, stepping(1)...)
			}
			buffer := s.prog.Buffers[0].Region.Base
			if err := s.WriteMemory(1, buffer, []byte{9, 9, 9, 9}); err != nil {
				t.Fatal(err)
			}
			now, state := s.past.Now(), simttest.Digest(s.machine)
			for range 3 {
				back(t, s, rsp.Step, 1)
			}
			if got := s.word(t, 1, buffer); got == 0x09090909 {
				t.Error("the change was made before it was")
			}
			for range 3 {
				resume(t, s, stepping(1)...)
			}
			if s.past.Now() != now || simttest.Digest(s.machine) != state {
				t.Errorf("at time %d, the word is %#x; the change was at %d", s.past.Now(),
					s.word(t, 1, buffer), now)
			}
		})
	}
}

// TestMonitorGoto goes to times by their numbers.
func TestMonitorGoto(t *testing.T) {
	s := launched(t, "demo", "")
	command := func(text string) string {
		var out bytes.Buffer
		if err := s.Monitor(context.Background(), text, &out); err != nil {
			return err.Error()
		}
		return out.String()
	}
	if got := command("time"); !strings.Contains(got, "no history is kept") {
		t.Errorf("without a history: %q", got)
	}
	s.Remember(DefaultHistory)
	begin := s.seen(t, 1)
	for range 30 {
		resume(t, s, stepping(1)...)
	}
	end, state := s.past.Now(), s.seen(t, 1)
	for _, c := range []struct {
		text string
		time uint64
	}{{"goto begin", 0}, {"goto 20", 20}, {"goto -5", 15}, {"goto -99", 0}, {"goto end", end}} {
		now := s.past.Now()
		want := fmt.Sprintf("time %d; the history is from 0 to %d\nthe next command that lets the program "+
			"go, such as reverse-stepi, goes to time %d\n", now, end, c.time)
		if got := command(c.text); got != want || s.past.Now() != now {
			t.Errorf("%s: %q at %d, want %q", c.text, got, s.past.Now(), want)
		}
		before := s.seen(t, 1)
		if c.time%2 == 0 {
			back(t, s, rsp.Step, 1)
		} else {
			resume(t, s, letAllRun)
		}
		if s.past.Now() != c.time || now != c.time && s.seen(t, 1) == before {
			t.Errorf("%s: came to %d", c.text, s.past.Now())
		}
		if c.time == 0 && s.seen(t, 1) != begin || c.time == end && s.seen(t, 1) != state {
			t.Errorf("%s: not as it was", c.text)
		}
	}
	for _, bad := range []string{"goto", "goto x", "goto 1 2", fmt.Sprintf("goto %d", end+1)} {
		if got := command(bad); !strings.Contains(got, "goto") &&
			!strings.Contains(got, "the history is from") {
			t.Errorf("%s: %q", bad, got)
		}
	}
	// A time that is no more when it is to be gone to, since something has been written.
	command("goto 5")
	back(t, s, rsp.Step, 1)
	command("goto end")
	if err := s.WriteMemory(1, s.prog.Buffers[0].Region.Base, []byte{1}); err != nil {
		t.Fatal(err)
	}
	if stop := resume(t, s, stepping(1)...); stop.Signal != rsp.SignalNone || s.past.Now() != 5 {
		t.Errorf("to a time that is no more: %+v at %d", stop, s.past.Now())
	}
	if resume(t, s, stepping(1)...); s.past.Now() == 5 {
		t.Error("a time that is no more is gone to again")
	}
}

// TestReverseInterrupted: Ctrl-C ends a search of the past.
func TestReverseInterrupted(t *testing.T) {
	s := launched(t, "matmul", "")
	s.Remember(DefaultHistory)
	for range 400 {
		if _, err := s.advance(64); err != nil {
			t.Fatal(err)
		}
	}
	present := s.past.Now()
	typed := make(chan struct{}, 1)
	typed <- struct{}{}
	stop, err := s.ResumeBackward(context.Background(), rsp.Resumption{
		Actions: []rsp.Action{letAllRun}, Interrupt: typed, Console: io.Discard})
	if err != nil || stop.Signal != rsp.SIGINT || stop.Kind != rsp.Stopped {
		t.Errorf("%+v %v", stop, err)
	}
	if now := s.past.Now(); now > present || !s.ThreadAlive(stop.Thread) {
		t.Errorf("at %d of %d, thread %d", now, present, stop.Thread)
	}
	stop = back(t, s, rsp.Continue, rsp.AllThreads)
	if stop.Cause != rsp.CauseReplayBegin || s.past.Now() != 0 {
		t.Errorf("to the beginning: %+v", stop)
	}
}

// TestHistoryGivenUp: where the beginning of the history has been given up, going
// back there says so.
func TestHistoryGivenUp(t *testing.T) {
	s := launched(t, "matmul", "")
	const limit = 1 << 20
	s.Remember(limit)
	for range 4000 {
		if _, err := s.advance(256); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if stop, err := s.ResumeBackward(context.Background(), rsp.Resumption{
		Actions: []rsp.Action{letAllRun}, Console: &out}); err != nil || stop.Cause != rsp.CauseReplayBegin {
		t.Errorf("%+v %v", stop, err)
	}
	want := fmt.Sprintf("The history goes back to time %d; what was before was given up to keep it in 1 "+
		"MiB (serve --history SIZE).\n",
		s.past.Begin())
	if s.past.Begin() == 0 || out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
}

// TestCheckpoints keeps times and goes to them.
func TestCheckpoints(t *testing.T) {
	s := launched(t, "demo", "")
	s.Remember(DefaultHistory)
	command := func(text string) string {
		t.Helper()
		var out bytes.Buffer
		if err := s.Monitor(context.Background(), text, &out); err != nil {
			return err.Error()
		}
		return out.String()
	}
	states := map[string]string{}
	for _, number := range []string{"1", "2", "3"} {
		for range 7 {
			resume(t, s, stepping(1)...)
		}
		if got := command("checkpoint"); !strings.HasPrefix(got, "checkpoint "+number+": time ") {
			t.Fatalf("%q", got)
		}
		states[number] = simttest.Digest(s.machine)
	}
	for _, number := range []string{"2", "3", "1"} {
		command("goto checkpoint " + number)
		resume(t, s, letAllRun)
		if simttest.Digest(s.machine) != states[number] {
			t.Errorf("checkpoint %s is not what it was", number)
		}
	}
	if got := command("checkpoint delete 2") + command("checkpoint list"); strings.Count(got, "\n") != 2 ||
		strings.Contains(got, "checkpoint 2") {
		t.Errorf("after delete: %q", got)
	}
	for _, bad := range []string{"goto checkpoint 2", "checkpoint delete 9", "checkpoint x",
		"goto checkpoint"} {
		if got := command(bad); !strings.Contains(got, "checkpoint") || strings.HasPrefix(got, "checkpoint") {
			t.Errorf("%s: %q", bad, got)
		}
	}
	// Another future begins before the third checkpoint.
	if err := s.WriteMemory(1, s.prog.Buffers[0].Region.Base, []byte{1}); err != nil {
		t.Fatal(err)
	}
	resume(t, s, stepping(1)...)
	if got := command("checkpoint list"); strings.Contains(got, "checkpoint 3") ||
		!strings.Contains(got, "checkpoint 1") {
		t.Errorf("after a change: %q", got)
	}
}
