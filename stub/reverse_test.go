package stub

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/rsp"
)

// back goes back as gdb asks for it.
func back(t testing.TB, s *Session, kind rsp.ActionKind, thread rsp.ThreadID) rsp.Stop {
	t.Helper()
	s.Threads()
	stop, err := s.ResumeBackward(context.Background(), rsp.Resumption{Actions: []rsp.Action{{Kind: kind, Thread: thread}}, Console: io.Discard})
	if err != nil {
		t.Fatal(err)
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
		if r := &s.registers[i]; r.get != nil {
			v, err := r.get(s, w, lane)
			text += fmt.Sprintf("%s %x %v\n", r.name, v, err)
		}
	}
	for _, f := range s.frames.of(w, lane) {
		text += fmt.Sprintf("%#x %d\n", f.PC, f.Depth)
	}
	return text
}

// TestReverseSteps: from random points, as many steps back as there were steps
// forward come to the same states in the opposite order, and forward again to
// the same once more.
func TestReverseSteps(t *testing.T) {
	for _, name := range []string{"demo", "calls", "recursion", "lds", "atomics", "early_return"} {
		t.Run(name, func(t *testing.T) {
			s := launched(t, name, "")
			s.Remember(true)
			rnd := rand.New(rand.NewPCG(7, uint64(len(name))))
			for range 3 + rnd.IntN(12) {
				if _, err := s.advance(1 + rnd.Uint64N(30)); err != nil {
					t.Fatal(err)
				}
			}
			thread := s.view.activeLane(s.machine.Waves()[0])
			const steps = 24
			states := []string{s.seen(t, thread)}
			for range steps {
				stop := resume(t, s, stepping(thread)...)
				if stop.Kind != rsp.Stopped || stop.Thread != thread {
					break
				}
				states = append(states, s.seen(t, thread))
			}
			if len(states) < 5 {
				t.Fatalf("only %d steps", len(states))
			}
			for i := len(states) - 2; i >= 0; i-- {
				if stop := back(t, s, rsp.Step, thread); stop.Thread != thread || stop.Cause == rsp.CauseReplayBegin {
					t.Fatalf("step %d back: %+v", i, stop)
				}
				if got := s.seen(t, thread); got != states[i] {
					t.Fatalf("step %d back is something else", i)
				}
			}
			for i := 1; i < len(states); i++ {
				resume(t, s, stepping(thread)...)
				if got := s.seen(t, thread); got != states[i] {
					t.Fatalf("step %d forward again is something else", i)
				}
			}
		})
	}
}

// TestReverseContinue goes back to a breakpoint's hits, last to first, to who
// last wrote a word of memory, and to the beginning.
func TestReverseContinue(t *testing.T) {
	s := launched(t, "calls", "")
	s.Remember(true)
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
	if stop := back(t, s, rsp.Continue, rsp.AllThreads); stop.Cause != rsp.CauseReplayBegin || s.seen(t, 1) != begin {
		t.Errorf("the beginning: %+v", stop)
	}
}

// TestReverseWatch finds who wrote a word of memory last.
func TestReverseWatch(t *testing.T) {
	s := launched(t, "demo", "")
	s.Remember(true)
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
	if stop.Cause != rsp.CauseWatch || stop.Address != p.Address || s.word(t, 1, p.Address) == written || w.PC >= after {
		t.Errorf("backward: %+v, word %#x, pc %#x; want a write before %#x of %#x", stop, s.word(t, 1, p.Address), w.PC, after, written)
	}
}

// TestChangedPast: what the client writes makes another future.
func TestChangedPast(t *testing.T) {
	s := launched(t, "demo", "")
	s.Remember(true)
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
	s.Remember(true)
	begin := s.seen(t, 1)
	for range 30 {
		resume(t, s, stepping(1)...)
	}
	end, state := s.past.Now(), s.seen(t, 1)
	for _, c := range []struct {
		text string
		time uint64
	}{{"goto begin", 0}, {"goto 20", 20}, {"goto -5", 15}, {"goto -99", 0}, {"goto end", end}} {
		want := fmt.Sprintf("time %d; the history is from 0 to %d\n", c.time, end)
		if got := command(c.text); !strings.HasSuffix(got, want) || s.past.Now() != c.time {
			t.Errorf("%s: %q, want %q", c.text, got, want)
		}
		if c.time == 0 && s.seen(t, 1) != begin || c.time == end && s.seen(t, 1) != state {
			t.Errorf("%s: not as it was", c.text)
		}
	}
	for _, bad := range []string{"goto", "goto x", "goto 1 2", fmt.Sprintf("goto %d", end+1)} {
		if got := command(bad); !strings.Contains(got, "goto") && !strings.Contains(got, "the history is from") {
			t.Errorf("%s: %q", bad, got)
		}
	}
}
