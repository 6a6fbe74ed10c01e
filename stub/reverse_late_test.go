package stub

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/simttest"
)

// TestReverseLate goes back in waves that started after the last snapshot of the history: they are made anew
// when the past is executed again.
func TestReverseLate(t *testing.T) {
	const call = 80 // the instructions of gfx9 up to the kernel's body, which one step goes into
	for object, past := range map[string]uint64{"defects.O0.co": call, "defects.O0.ptx": 10,
		"defects.O0.spv":   10,
		"defects.O0.zebin": 10} {
		t.Run(object, func(t *testing.T) {
			s := sessionFor(t, "--code-object", filepath.Join(testdata, "check", object), "--kernel",
				"again_ok", "--grid",
				"8192", "--block", "128", "--arg", "buf:i32[8192]=iota", "--arg", "buf:i32[8192]=zero")
			s.Remember(DefaultHistory)
			last := s.machine.Waves()[len(s.machine.Waves())-1].ID
			var late rsp.ThreadID
			for late == 0 {
				if _, err := s.advance(9); err != nil {
					t.Fatal(err)
				}
				if len(s.machine.Waves()) == 0 {
					t.Fatal("no wave started later")
				}
				if w := s.machine.Waves()[0]; w.ID > last && w.Insts > past && w.State == simt.Ready {
					late = s.view.activeLane(w)
				}
			}
			stepBackAndForth(t, s, late, 12)
			w, lane, err := s.view.lane(late)
			if err != nil {
				t.Fatal(err)
			}
			pc := w.LanePC(lane)
			if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: pc}); err != nil {
				t.Fatal(err)
			}
			for range 30 {
				resume(t, s, stepping(late)...)
			}
			if stop := back(t, s, rsp.Continue, rsp.AllThreads); stop.Cause != rsp.CauseSoftwareBreakpoint {
				t.Errorf("%+v", stop)
			}
			if w, lane, err := s.view.lane(s.view.reported); err != nil || w.LanePC(lane) != pc {
				t.Errorf("thread %d is not at %#x: %v", s.view.reported, pc, err)
			}
		})
	}
}

// TestReverseDefects: going back stops at the defects at which going forward has stopped, at the same times
// and with the same texts, the last first.
func TestReverseDefects(t *testing.T) {
	for _, c := range []struct{ object, kernel string }{
		{"defects.O0.co", "tile_race"}, {"defects.O2.ptx", "again_race"}, {"defects.O0.spv", "count_race"},
		{"defects.O0.zebin", "sides_race"}, {"defects.O0.co", "private_uninit"},
		{"registers.co", "vector_wait"},
		{"defects.O2.co", "two_barrier"}, {"defects.O0.ptx", "array_bounds"},
		{"defects.O0.spv", "divide_undefined"},
	} {
		t.Run(c.object+"/"+c.kernel, func(t *testing.T) {
			s := defective(t, c.object, c.kernel)
			type stop struct {
				time    uint64
				thread  rsp.ThreadID
				machine string
			}
			var want []stop
			var texts []string
			here := func(st rsp.Stop) stop {
				return stop{s.past.Now(), st.Thread, simttest.Digest(s.machine)}
			}
			for {
				var console bytes.Buffer
				s.Threads()
				st, err := s.Resume(context.Background(), rsp.Resumption{Actions: []rsp.Action{letAllRun},
					Console: &console})
				if err != nil {
					t.Fatal(err)
				}
				if st.Kind != rsp.Stopped {
					break
				}
				now := here(st)
				if n := len(want); n > 0 && want[n-1].time == now.time { // several of one instruction
					texts[n-1] += console.String()
					continue
				}
				want, texts = append(want, now), append(texts, withoutNote(console.String()))
			}
			if len(want) == 0 {
				t.Fatal("nothing is found")
			}
			for range 2 {
				if err := s.past.Goto(s.past.End()); err != nil {
					t.Fatal(err)
				}
				for i := len(want) - 1; i >= 0; i-- {
					if want[i].time == s.past.Now() {
						continue // the program ended with it
					}
					var console bytes.Buffer
					s.Threads()
					st, err := s.ResumeBackward(context.Background(),
						rsp.Resumption{Actions: []rsp.Action{letAllRun}, Console: &console})
					if got := here(st); err != nil || got.time != want[i].time ||
						got.machine != want[i].machine {
						t.Fatalf("defect %d: time %d, want %d; %v", i, got.time, want[i].time, err)
					}
					if got := lines(console.String()); !slices.Equal(got, lines(texts[i])) {
						t.Errorf("defect %d:\n%s\nwant\n%s", i, &console, texts[i])
					}
				}
				if st := back(t, s, rsp.Continue, rsp.AllThreads); st.Cause != rsp.CauseReplayBegin {
					t.Errorf("before the first: %+v", st)
				}
			}
		})
	}
}

// lines are the lines of a text in some order.
func lines(text string) []string { return slices.Sorted(strings.Lines(text)) }

// TestReverseStepDefect: a step back to where a defect stopped the program tells of it once, one from there
// does not, and forward again it is told once more.
func TestReverseStepDefect(t *testing.T) {
	s := defective(t, "defects.O0.co", "tile_race")
	s.LookFor(check.Race)
	step := func(backward bool, thread rsp.ThreadID) (told int) {
		t.Helper()
		var console bytes.Buffer
		r := rsp.Resumption{Actions: stepping(thread), Console: &console}
		s.Threads()
		var err error
		if backward {
			r.Actions = r.Actions[:1]
			_, err = s.ResumeBackward(context.Background(), r)
		} else {
			_, err = s.Resume(context.Background(), r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(console.String(), "check race")
	}
	stop := resume(t, s, letAllRun)
	at := s.past.Now()
	if got := step(true, stop.Thread); got != 0 || s.past.Now() != at-1 {
		t.Errorf("back over it: told %d times, time %d", got, s.past.Now())
	}
	if got := step(false, stop.Thread); got != 1 {
		t.Errorf("over it again: told %d times", got)
	}
	if got := step(false, stop.Thread); got != 0 {
		t.Errorf("on from there: told %d times", got)
	}
	for s.past.Now() > at {
		now := s.past.Now()
		told := step(true, stop.Thread)
		if want := map[bool]int{true: 1}[s.past.Now() == at]; told != want {
			t.Errorf("back from %d to %d: told %d times", now, s.past.Now(), told)
		}
	}
}
