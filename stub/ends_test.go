package stub

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
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
				stop, err := s.Resume(context.Background(), rsp.Resumption{Actions: stepping(1), Console: &out})
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
					if s.ThreadAlive(threadOf(o, l)) {
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
