package rsp

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

// nonStopTarget is a fake whose threads stop after as many pieces of execution as the test says.
type nonStopTarget struct {
	*fakeTarget
	on, events bool
	left       map[ThreadID]int // pieces until a thread that runs stops
	started    []Action
	pieces     int
}

func (t *nonStopTarget) SetNonStop(on bool) error {
	t.on, t.left = on, map[ThreadID]int{2: 1 << 30}
	return nil
}

func (t *nonStopTarget) Start(actions []Action) error {
	t.started = append(t.started, actions...)
	for _, a := range actions {
		switch a.Kind {
		case Stay:
			t.left[a.Thread] = 0
		default:
			t.left[a.Thread] = 2 + int(a.Thread)
		}
	}
	return nil
}

func (t *nonStopTarget) Interrupt() error { return t.Start([]Action{{Kind: Stay, Thread: 2}}) }
func (t *nonStopTarget) ThreadEvents(on bool) {
	t.events = on
}

func (t *nonStopTarget) Stopped() []ThreadID {
	var all []ThreadID
	for _, id := range t.Threads() {
		if _, runs := t.left[id]; !runs {
			all = append(all, id)
		}
	}
	return all
}

func (t *nonStopTarget) Progress() (stops []Stop, running bool, err error) {
	t.pieces++
	for _, id := range t.Threads() {
		n, runs := t.left[id]
		switch {
		case runs && n == 0:
			delete(t.left, id)
			stops = append(stops, Stop{Kind: Stopped, Thread: id})
		case runs:
			t.left[id], running = n-1, true
		}
	}
	return stops, running, nil
}

func newNonStopTarget(threads int) *nonStopTarget {
	return &nonStopTarget{fakeTarget: newFakeTarget(threads)}
}

// TestNonStopPackets: the queue of stops as the client sees it.
func TestNonStopPackets(t *testing.T) {
	target := newNonStopTarget(3)
	s := newTestSession(t, target)
	check(t, s, []exchange{
		{"vStopped", "E16"},
		{"vCtrlC", ""},
		{"QNonStop:2", "E16"},
		{"QNonStop:1", "OK"},
		{"QThreadEvents:1", "OK"},
		{"QThreadEvents:x", "E16"},
		{"?", "T00thread:1;"}, // 2 runs
		{"vStopped", "T00thread:3;"},
		{"?", "T00thread:1;"}, // from the beginning
		{"vStopped", "T00thread:3;"},
		{"vStopped", "OK"},
		{"vStopped", "E16"},
		{"c", "E16"},
		{"s", "E16"},
		{"vCont;c:1;s:3", "OK"},
		{"vCont;t:2", "OK"},
		{"g", s.ask("g")}, // while threads run
	})
	for range 4 { // the first stop is announced, the others wait for the client
		if err := s.progress(); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(s.reply); got != "Stop:T00thread:2;" {
		t.Errorf("announced: %q", got)
	}
	for range 4 {
		s.reply = s.reply[:0]
		if err := s.progress(); err != nil || len(s.reply) > 0 {
			t.Errorf("announced again: %q %v", s.reply, err)
		}
	}
	if s.nonStop.running {
		t.Error("something runs still")
	}
	check(t, s, []exchange{
		{"vStopped", "T00thread:1;"},
		{"vStopped", "T00thread:3;"},
		{"vStopped", "OK"},
		{"QNonStop:0", "OK"},
	})
	if !target.events || target.on {
		t.Errorf("events %v, on %v", target.events, target.on)
	}
	if got := s.ask("qSupported:"); !strings.Contains(got, ";QNonStop+") ||
		!strings.Contains(got, ";QThreadEvents+") {
		t.Error(got)
	}
	plain := newTestSession(t, newFakeTarget(2))
	check(t, plain, []exchange{{"QNonStop:1", "E16"}, {"QNonStop:0", "OK"}, {"QThreadEvents:1", ""},
		{"vStopped", "E16"}})
}

// nonStopBack is a nonStopTarget that can go back in all-stop mode.
type nonStopBack struct{ *nonStopTarget }

func (nonStopBack) ResumeBackward(context.Context, Resumption) (Stop, error) {
	return Stop{}, errors.New("in non-stop mode")
}

// TestNonStopNoWayBack: bs and bc get no reply, but a stop.
func TestNonStopNoWayBack(t *testing.T) {
	for _, packet := range []string{"bs", "bc"} {
		s := newTestSession(t, nonStopBack{newNonStopTarget(3)})
		check(t, s, []exchange{{"QNonStop:1", "OK"}, {"Hc3", "OK"}})
		if s.handle([]byte(packet)); !s.silent {
			t.Errorf("%s: answered with %q", packet, s.reply)
		}
		if err := s.progress(); err != nil || string(s.reply) != "Stop:T05replaylog:begin;thread:3;" {
			t.Errorf("%s: announced %q, %v", packet, s.reply, err)
		}
		check(t, s, []exchange{{"vStopped", "OK"}})
	}
}

// TestNonStopBackTwice: a client that has asked for non-stop mode and sends bc twice, waiting for a reply to
// each, waits for ever, as the protocol wants it: the first stop is announced, the second is told when the
// first has been taken ("Notification Packets"). Everything else is answered meanwhile.
func TestNonStopBackTwice(t *testing.T) {
	const stop = "T05replaylog:begin;thread:3;"
	s := newTestSession(t, nonStopBack{newNonStopTarget(3)})
	check(t, s, []exchange{{"QNonStop:1", "OK"}, {"Hc3", "OK"}})
	for i, announced := range []string{"Stop:" + stop, ""} {
		if s.handle([]byte("bc")); !s.silent {
			t.Errorf("bc number %d: answered with %q", i+1, s.reply)
		}
		s.reply = nil
		if err := s.progress(); err != nil || string(s.reply) != announced {
			t.Errorf("bc number %d: announced %q, %v, want %q", i+1, s.reply, err, announced)
		}
		check(t, s, []exchange{{"vMustReplyEmpty", ""}, {"qC", "QC1"}})
	}
	check(t, s, []exchange{{"vStopped", stop}, {"vStopped", "OK"}})
}

// TestNonStopServes: packets are answered while threads run, and stops announced without being asked for.
func TestNonStopServes(t *testing.T) {
	target := newNonStopTarget(2)
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- ServeConn(context.Background(), theirs, target, Options{}) }()
	ours.SetDeadline(time.Now().Add(20 * time.Second))
	var got []byte
	until := func(text string) string {
		t.Helper()
		buffer := make([]byte, 4096)
		for {
			if i := bytes.Index(got, []byte(text)); i >= 0 {
				before := string(got[:i+len(text)])
				got = got[i+len(text):]
				return before
			}
			n, err := ours.Read(buffer)
			if err != nil {
				t.Fatalf("%q never came: %v, %q", text, err, got)
			}
			got = append(got, buffer[:n]...)
		}
	}
	say := func(packet string) { ours.Write(appendFrame(nil, []byte(packet))) }
	say("QStartNoAckMode")
	until("$OK#9a")
	ours.Write([]byte("+"))
	say("QNonStop:1")
	until("$OK#9a")
	for range 50 { // thread 2 runs all the time
		say("vCont;c:1")
		until("$OK#9a")
		say("qC")
		if before := until("$QC1#c5"); !strings.Contains(before, "%Stop:T00thread:1;#") {
			until("%Stop:T00thread:1;#")
		}
		say("vStopped")
		until("$OK#9a")
	}
	ours.Write([]byte{interruptByte})
	until("%Stop:T00thread:2;#")
	say("vStopped")
	until("$OK#9a")
	say("D")
	until("$OK#9a")
	if err := <-served; err != nil {
		t.Error(err)
	}
	if target.pieces < 50 {
		t.Errorf("it ran %d pieces", target.pieces)
	}
}
