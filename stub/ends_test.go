package stub

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// TestLaneEnds: a lane that has ended leaves the list, though its wave goes on, and a step past its end says
// so.
func TestLaneEnds(t *testing.T) {
	for _, name := range []string{"gcn early return", "ptx early return", "spirv control"} {
		t.Run(name, func(t *testing.T) {
			s := reversibleSession(t, name)
			var out bytes.Buffer
			w, before := s.machine.Waves()[0], len(s.Threads())
			for range 5000 {
				out.Reset()
				s.Threads()
				stop, err := s.Resume(context.Background(),
					rsp.Resumption{Actions: stepping(1), Console: &out})
				if err != nil {
					t.Fatal(err)
				}
				if stop.Kind != rsp.Stopped || stop.Thread != 1 {
					if stop.Kind == rsp.Stopped && stop.Signal != rsp.SignalNone {
						t.Errorf("past the end: %+v", stop)
					}
					break
				}
			}
			want := fmt.Sprintf("Lane 0 of wave %d has ended.\n", w.ID)
			if s.ended {
				return // all others had ended by then
			}
			if out.String() != want {
				t.Errorf("%q, want %q", &out, want)
			}
			if s.ThreadAlive(1) || len(s.Threads()) >= before {
				t.Errorf("thread 1 is listed still, one of %d", len(s.Threads()))
			}
			for _, o := range s.machine.Waves() {
				gone := o.EndedLanes()
				simt.Lanes(gone, func(l int) {
					if s.ThreadAlive(threads.Of(o, l)) {
						t.Errorf("lane %d of wave %d has ended and lives", l, o.ID)
					}
				})
				if o.State != simt.Ended && gone == o.Valid {
					t.Errorf("wave %d goes on without lanes", o.ID)
				}
			}
			if !s.ThreadAlive(1) {
				back(t, s, rsp.Step, s.view.somebody())
				if !s.ThreadAlive(1) || len(s.Threads()) < before {
					t.Errorf("before its end thread 1 is not listed, of %d", len(s.Threads()))
				}
			}
			if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
				t.Errorf("the end: %+v", stop)
			}
		})
	}
}

// TestOthersEnd: while gdb lets one lane run alone, others of its wave end, before it and not with it. It
// goes on, by steps and freely, and stays before its own end.
func TestOthersEnd(t *testing.T) {
	const wave, thread = 3, 3*32 + 1 // the last warp, of which 24 lanes have an element
	for _, level := range []string{"O0", "O2"} {
		for name, kind := range map[string]rsp.ActionKind{"steps": rsp.Step, "free": rsp.Continue} {
			t.Run(level+" "+name, func(t *testing.T) {
				s := sessionFor(t, "--launch", testdata+"/launch/demo.json", "--code-object",
					testdata+"/ptx/co/demo."+level+".ptx")
				w := s.machine.Waves()[wave]
				stop := rsp.Stop{Signal: rsp.SIGTRAP}
				steps := 0
				for ; stop.Signal == rsp.SIGTRAP; steps++ {
					stop = resume(t, s, rsp.Action{Kind: kind, Thread: thread})
				}
				if stop.Signal != rsp.SIGSTOP || stop.Thread != thread || kind == rsp.Step && steps < 20 {
					t.Errorf("%+v after %d resumptions", stop, steps)
				}
				if ended := w.EndedLanes(); ended != 0xff000000 || w.Active()&1 == 0 ||
					!s.machine.EndsAt(w.PC) {
					t.Errorf("lanes %#x have ended, %#x are active at %#x", ended, w.Active(), w.PC)
				}
				if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
					t.Errorf("the end: %+v", stop)
				}
			})
		}
	}
}
