package rsp

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"
)

// restartTarget is a fake in whose place another can come.
type restartTarget struct {
	*fakeTarget
	arguments []string
	next      *restartTarget
	refused   error
}

func (t *restartTarget) Restart(arguments []string) (Target, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = &restartTarget{fakeTarget: newFakeTarget(2), arguments: arguments}
	return t.next, t.refused
}

// successor is what has come in its place, or nil.
func (t *restartTarget) successor() *restartTarget {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.next
}

// refuse lets nothing come in its place any more.
func (t *restartTarget) refuse(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refused = err
}

func (t *restartTarget) Reattach() (Target, error) { return t.Restart(nil) }

// TestRestart starts the program anew after it has been killed, and after it was detached from.
func TestRestart(t *testing.T) {
	target := &restartTarget{fakeTarget: newFakeTarget(3)}
	c, ended := newRawClient(t, target, Options{})
	c.noAck()
	stop := newTestSession(t, newFakeTarget(2)).ask("?")
	for _, exchange := range [][2]string{
		{"!", "OK"}, {"vAttach;1", "E10"}, {"vKill;1", "OK"}, {"g", "E13"},
		{"vRun;" + hexOf("any") + ";" + hexOf("--grid") + ";" + hexOf("64"), stop},
		{"qfThreadInfo", "m1,2"}, {"Z0,401009,1", "OK"}, {"D;1", "OK"}, {"g", "E13"}, {"vRun;zz", "E16"},
		{"vAttach;1", stop}, {"qfThreadInfo", "m1,2"},
	} {
		c.sendPacket(exchange[0])
		c.expectPacket(exchange[1])
	}
	second := target.successor()
	if second == nil || second.successor() == nil ||
		!slices.Equal(second.arguments, []string{"--grid", "64"}) {
		t.Fatalf("%+v", second)
	}
	second.successor().refuse(errors.New("compiled anew"))
	for _, exchange := range [][2]string{{"vKill;1", "OK"}, {"vRun;", "E16"}, {"?", "W00"}} {
		c.sendPacket(exchange[0])
		c.expectPacket(exchange[1])
	}
	c.wire.Close()
	if err := within(t, ended); !errors.Is(err, ErrKilled) {
		t.Errorf("ServeConn returned %v", err)
	}
}

// TestPlain: a client is known to stay with its program once it asks, outside of extended mode, for its stop
// or for what the program is.
func TestPlain(t *testing.T) {
	const describe = "qXfer:features:read:target.xml:0,100"
	for _, test := range []struct {
		packets []string
		want    int
	}{{[]string{"qC"}, 0}, {[]string{"qC", "?"}, 1}, {[]string{"!", "?"}, 0},
		{[]string{describe, "?"}, 1}, {[]string{describe}, 1}, {[]string{"!", describe, "?"}, 0}} {
		s, plain := newTestSession(t, newFakeTarget(1)), 0
		s.options.Plain = func() { plain++ }
		for _, packet := range test.packets {
			s.ask(packet)
		}
		if plain != test.want {
			t.Errorf("%q: told %d times, want %d", test.packets, plain, test.want)
		}
	}
}

// nonStopRestart is a nonStopTarget in whose place another can come.
type nonStopRestart struct{ *nonStopTarget }

func (nonStopRestart) Restart([]string) (Target, error) {
	return nonStopRestart{newNonStopTarget(2)}, nil
}
func (t nonStopRestart) Reattach() (Target, error) { return t.Restart(nil) }

// TestNonStopAttach: in non-stop mode the stop of what is attached to is announced behind the reply.
func TestNonStopAttach(t *testing.T) {
	c, _ := newRawClient(t, nonStopRestart{newNonStopTarget(1)}, Options{})
	c.noAck()
	for _, exchange := range [][2]string{{"!", "OK"}, {"QNonStop:1", "OK"}, {"vKill;1", "OK"}, {"vAttach;1",
		"OK"}} {
		c.sendPacket(exchange[0])
		c.expectPacket(exchange[1])
	}
	c.wire.SetDeadline(time.Now().Add(10 * time.Second))
	var got []byte
	for buffer := make([]byte, 64); !bytes.Contains(got, []byte("%Stop:T05")); {
		n, err := c.wire.Read(buffer)
		if err != nil {
			t.Fatalf("%v: the stop is not announced, but %q", err, got)
		}
		got = append(got, buffer[:n]...)
	}
}
