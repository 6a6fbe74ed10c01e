package stub

import (
	"context"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt/simttest"
)

// TestDiverged: where the past is not gone through again as it was, the user is told, stands at a time that
// there is, and goes on from there, to the end and back.
func TestDiverged(t *testing.T) {
	whole := reversibleSession(t, "gcn recursion")
	toEnd(t, whole)
	end := simttest.Living(whole.machine)

	s := reversibleSession(t, "gcn recursion")
	snapshot := s.machine.Snapshot()
	if _, err := s.advance(40); err != nil {
		t.Fatal(err)
	}
	s.machine.Restore(snapshot) // behind the history's back: it has 40 instructions that do not come again
	toEnd(t, s)
	wrong := s.past.Timeline()
	console := new(strings.Builder)
	r := rsp.Resumption{Actions: []rsp.Action{letAllRun}, Console: console}
	stop, err := s.ResumeBackward(context.Background(), r)
	if err != nil || stop.Kind != rsp.Stopped || stop.Signal != rsp.SIGTRAP || !s.view.Alive(stop.Thread) {
		t.Errorf("%+v, %v", stop, err)
	}
	goesOn(t, s, console.String(), end)

	s = reversibleSession(t, "gcn recursion")
	if err := s.past.Expect(wrong); err != nil {
		t.Fatal(err)
	}
	console.Reset()
	if stop, err := s.Resume(context.Background(), r); err != nil || stop.Kind != rsp.Exited {
		t.Errorf("%+v, %v", stop, err)
	}
	goesOn(t, s, console.String(), end)
}

// toEnd runs a session to the end of its program.
func toEnd(t *testing.T, s *Session) {
	t.Helper()
	for !s.machine.Done() {
		if _, err := s.advance(quantum); err != nil {
			t.Fatal(err)
		}
	}
}

// goesOn looks at a session that has told that its program went another way.
func goesOn(t *testing.T, s *Session, told, end string) {
	t.Helper()
	if strings.Count(told, "does not go on as it did before: waves race for memory") != 1 {
		t.Errorf("told is %q", told)
	}
	if s.past.Replaying() || (&run{motion: &s.motion}).mayGoFar() {
		t.Error("the session has a future, or goes far")
	}
	toEnd(t, s)
	for _, to := range []uint64{s.past.End() / 2, s.past.End()} {
		if err := s.past.Goto(to); err != nil {
			t.Fatal(err)
		}
	}
	if simttest.Living(s.machine) != end {
		t.Error("the end is another one")
	}
}
