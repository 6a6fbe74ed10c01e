package stub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// TestLocked resumes one lane with all others held: its wave stops at the
// barrier that waits for them, however it is resumed, and they have not moved.
func TestLocked(t *testing.T) {
	s := launched(t, "matmul", "")
	for _, kind := range []rsp.ActionKind{rsp.Continue, rsp.Continue, rsp.Step, rsp.StepRange} {
		stop := resume(t, s, rsp.Action{Kind: kind, Thread: 3, End: 1 << 40})
		if stop.Kind != rsp.Stopped || stop.Signal != rsp.SIGSTOP || stop.Thread != 3 {
			t.Fatalf("kind %d: stop %+v, want SIGSTOP of thread 3", kind, stop)
		}
	}
	for _, w := range s.machine.Waves() {
		if at := w.State == simt.AtBarrier; at != (w.ID == 0) || w.ID != 0 && w.Insts != 0 {
			t.Errorf("wave %d is %v after %d instructions", w.ID, w.State, w.Insts)
		}
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
		t.Errorf("stop %+v, want an exit with 0", stop)
	}
}

// TestLockedEnd resumes one lane, with all others held, to its end: it stays
// there, and no other lane is reported on the way.
func TestLockedEnd(t *testing.T) {
	s := launched(t, "demo", "")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: s.address(t, "_Z5weighii")}); err != nil {
		t.Fatal(err)
	}
	for _, a := range []rsp.Action{{Kind: rsp.Continue, Thread: 66}, {Kind: rsp.Continue, Thread: 66},
		{Kind: rsp.Step, Thread: 66}} {
		stop := resume(t, s, a) // lane 1 of wave 1 does not call weigh
		if stop.Kind != rsp.Stopped || stop.Thread != 66 || stop.Signal != rsp.SIGSTOP || !s.ThreadAlive(66) {
			t.Errorf("%+v: stop %+v, want SIGSTOP of thread 66", a, stop)
		}
	}
	if stop := resume(t, s, rsp.Action{Kind: rsp.Continue, Thread: 4}); stop.Thread != 4 ||
		stop.Cause != rsp.CauseSoftwareBreakpoint {
		t.Errorf("stop %+v, want the breakpoint in thread 4", stop)
	}
	for _, a := range []rsp.Action{{Kind: rsp.Step, Thread: 4}, {Kind: rsp.Continue, Thread: 4}} {
		if stop := resume(t, s, a); stop.Thread != 4 {
			t.Errorf("%+v: stop %+v, want one of thread 4", a, stop)
		}
	}
	for at := range s.hits.breakpoints {
		s.RemoveSoftwareBreakpoint(at, 1)
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
		t.Errorf("stop %+v, want an exit with 0", stop)
	}
}

// TestAcceptedHit steps on from a hit without a look at the threads, as gdb does
// with a breakpoint of its own, all other lanes held: the lane moves.
func TestAcceptedHit(t *testing.T) {
	s := launched(t, "demo", "")
	weigh := s.address(t, "_Z5weighii")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: weigh}); err != nil {
		t.Fatal(err)
	}
	hit := resume(t, s, letAllRun)
	s.RemoveSoftwareBreakpoint(weigh, 1)
	w, _, err := s.view.lane(hit.Thread)
	if err != nil || w.PC != weigh {
		t.Fatalf("stop %+v at %#x, %v", hit, w.PC, err)
	}
	for range 3 {
		before := w.PC
		a := rsp.Action{Kind: rsp.StepRange, Thread: hit.Thread, Start: w.PC, End: w.PC + 1}
		stop, err := s.Resume(context.Background(),
			rsp.Resumption{Actions: []rsp.Action{a}, Console: io.Discard})
		if err != nil || stop.Thread != hit.Thread || stop.Signal != rsp.SIGTRAP || w.PC == before {
			t.Fatalf("stop %+v, %v: from %#x to %#x", stop, err, before, w.PC)
		}
	}
}

// TestDeclinedLocked declines a hit as gdb does with a breakpoint for another
// frame, all other lanes held: the lane gets past it.
func TestDeclinedLocked(t *testing.T) {
	s := launched(t, "demo", "")
	b := rsp.Breakpoint{Address: s.address(t, "_Z5weighii")}
	if err := s.InsertSoftwareBreakpoint(b); err != nil {
		t.Fatal(err)
	}
	const thread = 4
	for i, want := range []rsp.Signal{rsp.SIGTRAP, rsp.SIGSTOP} {
		on := rsp.Action{Kind: rsp.Continue, Thread: thread}
		stop, err := s.Resume(context.Background(),
			rsp.Resumption{Actions: []rsp.Action{on}, Console: io.Discard})
		if err != nil || stop.Thread != thread || stop.Signal != want {
			t.Fatalf("resumption %d: stop %+v, %v", i, stop, err)
		}
		if i == 0 {
			s.RemoveSoftwareBreakpoint(b.Address, 1)
			step := rsp.Resumption{Actions: []rsp.Action{{Kind: rsp.Step, Thread: thread}},
				Console: io.Discard}
			if _, err := s.Resume(context.Background(), step); err != nil {
				t.Fatal(err)
			}
			if err := s.InsertSoftwareBreakpoint(b); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestRemovedBreakpoint removes a breakpoint that other waves wait at: they are
// not reported.
func TestRemovedBreakpoint(t *testing.T) {
	s := launched(t, "demo", "")
	weigh := s.address(t, "_Z5weighii")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: weigh}); err != nil {
		t.Fatal(err)
	}
	first := resume(t, s, letAllRun)
	if first.Cause != rsp.CauseSoftwareBreakpoint {
		t.Fatalf("stop %+v", first)
	}
	for range 5000 { // the other wave comes to the breakpoint meanwhile
		if stop := resume(t, s, stepping(first.Thread)...); stop.Kind != rsp.Stopped || len(s.hits.held) > 0 {
			break
		}
	}
	if len(s.hits.held) == 0 {
		t.Fatal("no wave is held at the breakpoint")
	}
	s.RemoveSoftwareBreakpoint(weigh, 1)
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
		t.Errorf("stop %+v, want an exit with 0", stop)
	}
}

// TestInterrupt types Ctrl-C while nothing comes to an end by itself.
func TestInterrupt(t *testing.T) {
	s := launched(t, "demo", "")
	interrupt := make(chan struct{}, 1)
	interrupt <- struct{}{}
	for _, a := range [][]rsp.Action{{letAllRun}, stepping(1), {{Kind: rsp.Step, Thread: 1}},
		{{Kind: rsp.Continue, Thread: 1}}} {
		stop, err := s.Resume(context.Background(),
			rsp.Resumption{Actions: a, Interrupt: interrupt, Console: io.Discard})
		if err != nil || stop.Signal != rsp.SIGINT {
			t.Errorf("%+v: stop %+v, %v", a, stop, err)
		}
		interrupt <- struct{}{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	all := rsp.Resumption{Actions: []rsp.Action{letAllRun}, Console: io.Discard}
	if stop, err := s.Resume(ctx, all); !errors.Is(err, context.Canceled) {
		t.Errorf("the client has gone: stop %+v, %v", stop, err)
	}
}

// A pollWatch is a context that notes how much is executed between two looks at it.
type pollWatch struct {
	context.Context
	machine *simt.Machine
	polls   int
	at      uint64 // what had been executed at the last look
	longest uint64
}

func (p *pollWatch) Done() <-chan struct{} {
	done := executed(p.machine)
	p.longest = max(p.longest, done-p.at)
	p.at = done
	p.polls++
	return p.Context.Done()
}

// executed is how many instructions the waves that are there have executed.
func executed(m *simt.Machine) uint64 {
	n := uint64(0)
	for _, w := range m.Waves() {
		n += w.Insts
	}
	return n
}

// TestStepsArePolled: a step that lets all waves run looks for Ctrl-C by what they execute together, which of
// many waves is much in each turn.
func TestStepsArePolled(t *testing.T) {
	s := launched(t, "matmul", "")
	watch := &pollWatch{Context: t.Context(), machine: s.machine}
	_, err := s.Resume(watch, rsp.Resumption{Actions: append([]rsp.Action{{Kind: rsp.StepRange, Thread: 3,
		End: 1 << 40}}, letAllRun), Console: io.Discard})
	if waves := uint64(len(s.machine.Waves())); err != nil || watch.polls < 2 ||
		watch.longest > pollEvery+2*waves {
		t.Errorf("%v; %d waves, polled %d times, at most %d instructions apart", err, waves, watch.polls,
			watch.longest)
	}
}

// stepKernels are what the properties of stepping are checked on.
var stepKernels = []string{"demo", "recursion", "mandelbrot", "matmul", "function_table", "early_return",
	"reduce_cl"}

// TestSteps resumes kernels in random ways and checks that a step ends in the
// lane that was stepped, at another place than it began, or in its end; that
// the results are right whatever the interleaving; and that a session that is
// driven the same way goes the same way.
func TestSteps(t *testing.T) {
	for _, name := range stepKernels {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) {
				first := drive(t, launched(t, name, ""), seed)
				if d := cmp.Diff(first, drive(t, launched(t, name, ""), seed)); d != "" {
					t.Errorf("the same session went another way (-first +second):\n%s", d)
				}
			})
		}
	}
}

// drive resumes a session at random for a while and then lets it run. It
// returns all stops.
func drive(t *testing.T, s *Session, seed uint64) []rsp.Stop {
	r := rand.New(sweep.PCG(seed, 1))
	entry := s.prog.Kernel.Entry
	region := s.prog.Memory.Find(entry)
	var stops []rsp.Stop
	for range 250 {
		threads := s.Threads()
		lane := threads[r.IntN(len(threads))]
		if r.IntN(2) == 0 && s.ThreadAlive(s.view.current()) {
			lane = s.view.current()
		}
		for range r.IntN(3) {
			pc := region.Base + uint64(r.IntN(len(region.Data)/4))*4
			if r.IntN(2) == 0 {
				s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: pc})
			}
			for at := range s.hits.breakpoints {
				if len(s.hits.breakpoints) > 4 {
					s.RemoveSoftwareBreakpoint(minKey(s.hits.breakpoints, at), 1)
				}
			}
		}
		w, l, err := s.view.lane(lane)
		if err != nil {
			t.Fatal(err)
		}
		before, insts := w.LanePC(l), w.Insts
		actions := stepping(lane)
		switch r.IntN(4) {
		case 0:
			actions[0].Kind, actions[0].Start, actions[0].End = rsp.StepRange, before&^0x3f, before|0x3f+1
		case 1:
			if len(s.hits.breakpoints) > 0 {
				actions = []rsp.Action{letAllRun}
			}
		}
		stop := resume(t, s, actions...)
		stops = append(stops, stop)
		if stop.Kind == rsp.Exited {
			break
		}
		if actions[0].Kind != rsp.Continue && stop.Kind == rsp.Stopped && s.ThreadAlive(lane) {
			if stop.Thread != lane && w.State == simt.AtBarrier && s.hits.breakpoints[stop.Address] != nil {
				continue // it waits for waves that breakpoints hold
			}
			if stop.Thread != lane {
				t.Fatalf("stepping thread %d reports %+v", lane, stop)
			}
			if w.Insts == insts {
				t.Fatalf("stepping thread %d at %#x did nothing", lane, before)
			}
			if w.Active()>>l&1 == 0 {
				t.Fatalf("stepping thread %d ended while it is inactive", lane)
			}
		}
	}
	for at := range s.hits.breakpoints {
		s.RemoveSoftwareBreakpoint(at, 1)
	}
	if !s.Ended() {
		stops = append(stops, resume(t, s, letAllRun))
	}
	if last := stops[len(stops)-1]; last.Kind != rsp.Exited || last.Code != 0 {
		t.Errorf("the program ended with %+v", last)
	}
	return stops
}

// minKey is the smallest key of a map, for an order that does not vary.
func minKey[V any](m map[uint64]V, key uint64) uint64 {
	for k := range m {
		key = min(k, key)
	}
	return key
}

// TestOneLanesPath steps single lanes to their ends and compares where they come
// by with the instructions that their waves execute with them on.
func TestOneLanesPath(t *testing.T) {
	for _, name := range []string{"demo", "early_return", "function_table"} {
		for _, lane := range []int{0, 5, 27, 63} {
			t.Run(fmt.Sprintf("%s/%d", name, lane), func(t *testing.T) {
				free := launched(t, name, "")
				w := free.machine.Waves()[0]
				want := []uint64{}
				for w.State != simt.Ended {
					pc := w.PC
					on := w.Active()>>lane&1 != 0
					if _, err := free.machine.StepWave(w, 1); err != nil {
						t.Fatal(err)
					}
					if on {
						want = append(want, pc)
					}
				}
				s := launched(t, name, "")
				thread := rsp.ThreadID(lane + 1)
				got := []uint64{}
				for s.ThreadAlive(thread) && len(got) <= len(want) {
					sw, _, err := s.view.lane(thread)
					if err != nil {
						t.Fatal(err)
					}
					if sw.Active()>>lane&1 != 0 {
						got = append(got, sw.PC)
					}
					resume(t, s, stepping(thread)...)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("the lane's path (-wave +steps):\n%s", d)
				}
			})
		}
	}
}

// forwardOrHang lets one lane go on; where that never ends it is an error, long after it ought to have.
func forwardOrHang(s *Session, a rsp.Action) (rsp.Stop, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	return s.forward(ctx, rsp.Resumption{Actions: []rsp.Action{a}, Console: io.Discard})
}

// TestLockedAlone lets each lane of small programs go on to its end, all others held.
func TestLockedAlone(t *testing.T) {
	for _, name := range fuzzed {
		t.Run(name, func(t *testing.T) {
			threads := reversibleSession(t, name).Threads()
			for i := 0; i < len(threads); i += 1 + len(threads)/16 {
				s := reversibleSession(t, name)
				stop, err := forwardOrHang(s, rsp.Action{Kind: rsp.Continue, Thread: threads[i]})
				if err != nil || stop.Kind == rsp.Stopped && stop.Thread != threads[i] &&
					s.ThreadAlive(threads[i]) {
					t.Fatalf("thread %d: stop %+v, %v", threads[i], stop, err)
				}
			}
		})
	}
}

// TestLockedPast resumes one lane, with all others held, at times when other waves have gone before its own
// did: what they come to on the way, breakpoints among it, is not reported, and the lane gets on.
func TestLockedPast(t *testing.T) {
	for _, name := range fuzzed {
		t.Run(name, func(t *testing.T) {
			s := reversibleSession(t, name)
			for range 400 {
				if stop := resume(t, s, stepping(s.view.reported)...); stop.Kind != rsp.Stopped {
					break
				}
			}
			end := s.past.Now()
			for _, at := range stopPlacesOf(t, name).code {
				s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: at})
			}
			rnd := rand.New(sweep.PCG(16, 2))
			for range 100 {
				if err := s.past.Goto(rnd.Uint64N(end)); err != nil {
					t.Fatal(err)
				}
				s.hits.forget()
				threads := s.Threads()
				thread := threads[rnd.IntN(len(threads))]
				w, lane, _ := s.view.lane(thread)
				over := w.LanePC(lane)
				inserted := s.hits.breakpoints[over] != nil
				a := rsp.Action{Kind: []rsp.ActionKind{rsp.Continue, rsp.Step}[rnd.IntN(2)], Thread: thread}
				if inserted && a.Kind == rsp.Step { // gdb steps it over the breakpoint
					s.RemoveSoftwareBreakpoint(over, 1)
				}
				stop, err := forwardOrHang(s, a)
				if err != nil || stop.Kind == rsp.Stopped && stop.Thread != thread {
					t.Fatalf("%+v at %d: stop %+v, %v", a, s.past.Now(), stop, err)
				}
				if inserted {
					s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: over})
				}
			}
		})
	}
}
