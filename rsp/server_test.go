package rsp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// closingTarget notices that it is closed.
type closingTarget struct {
	*fakeTarget
	closed *atomic.Int32
}

func (c closingTarget) Close() error {
	c.closed.Add(1)
	return errors.New("cannot close")
}

// dialClient connects as a client with framing.
func dialClient(t *testing.T, address string) *Conn {
	t.Helper()
	wire, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	wire.SetDeadline(time.Now().Add(30 * time.Second))
	c := NewConn(wire, ConnOptions{Client: true})
	t.Cleanup(func() { c.Close() })
	return c
}

func exchangeWith(t *testing.T, c *Conn, packet, want string) {
	t.Helper()
	if err := c.Send([]byte(packet)); err != nil {
		t.Fatalf("%s: %v", packet, err)
	}
	got, err := c.Receive()
	if err != nil || string(got) != want {
		t.Fatalf("%s: got %q, %v; want %q", packet, got, err, want)
	}
}

func TestServeOneAfterTheOther(t *testing.T) {
	var closed atomic.Int32
	s := startServerFor(t, 2, func(f *fakeTarget) Target { return closingTarget{f, &closed} })
	for range 3 {
		c := dialClient(t, s.address)
		exchangeWith(t, c, "QStartNoAckMode", "OK")
		c.SetNoAck()
		exchangeWith(t, c, "qC", "QC1")
		if err := c.Send([]byte("vCont;c")); err != nil {
			t.Fatal(err)
		}
		if err := c.SendInterrupt(); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Receive(); err != nil || !strings.HasPrefix(string(got), "T02") {
			t.Fatalf("got %q, %v after an interrupt", got, err)
		}
		c.Close()
	}
	exchangeWith(t, dialClient(t, s.address), "D", "OK")
	for range 500 {
		if closed.Load() == 4 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := closed.Load(); n != 4 || !strings.Contains(s.logged(), "cannot close") {
		t.Errorf("%d targets closed of 4; log:\n%s", n, s.logged())
	}
}

// TestServeWaits lets a client that comes a little early have its turn.
func TestServeWaits(t *testing.T) {
	s := startServer(t, 1)
	first := dialClient(t, s.address)
	exchangeWith(t, first, "qC", "QC1")
	second := dialClient(t, s.address)
	time.AfterFunc(busyGrace/10, func() { first.Close() })
	exchangeWith(t, second, "qC", "QC1")
	third := dialClient(t, s.address)
	exchangeWith(t, third, "qSupported", "E.another client is connected")
	exchangeWith(t, second, "qC", "QC1")
}

func TestServeNoSession(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	finished := make(chan error, 1)
	go func() {
		finished <- Serve(ctx, ln, func() (Target, error) { return nil, errors.New("no kernel #1") }, Options{})
	}()
	for range 2 {
		exchangeWith(t, dialClient(t, ln.Addr().String()), "qSupported", "E.no kernel ?1")
	}
	cancel()
	if err := <-finished; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve returned %v", err)
	}
}

// brokenListener fails to accept a number of times, then for good.
type brokenListener struct {
	net.Listener
	failures int
	accepts  int
}

var errNoFiles = errors.New("too many open files")

func (l *brokenListener) Accept() (net.Conn, error) {
	if l.accepts++; l.accepts <= l.failures {
		return nil, errNoFiles
	}
	return l.Listener.Accept()
}

func TestServeAcceptFailures(t *testing.T) {
	for _, test := range []struct {
		failures int
		want     error
	}{
		{maxAcceptFailures - 1, net.ErrClosed},
		{maxAcceptFailures, errNoFiles},
	} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		finished := make(chan error, 1)
		go func() {
			finished <- Serve(t.Context(), &brokenListener{Listener: ln, failures: test.failures},
				func() (Target, error) { return newFakeTarget(1), nil }, Options{})
		}()
		if errors.Is(test.want, net.ErrClosed) {
			exchangeWith(t, dialClient(t, ln.Addr().String()), "D", "OK")
			ln.Close()
		}
		if err := <-finished; !errors.Is(err, test.want) {
			t.Errorf("after %d failures Serve returned %v, want %v", test.failures, err, test.want)
		}
	}
}

// TestServeEnds ends a server whose client is in the middle of something.
func TestServeEnds(t *testing.T) {
	target := newFakeTarget(1)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	finished := make(chan error, 1)
	go func() {
		finished <- Serve(ctx, ln, func() (Target, error) { return target, nil }, Options{})
	}()
	running := dialClient(t, ln.Addr().String())
	if err := running.Send([]byte("vCont;c")); err != nil {
		t.Fatal(err)
	}
	<-target.running
	dialClient(t, ln.Addr().String()) // this one waits
	cancel()
	if err := within(t, finished); !errors.Is(err, context.Canceled) {
		t.Errorf("Serve returned %v", err)
	}
	if _, err := running.Receive(); err == nil {
		t.Error("the client still gets something")
	}
}

// TestClientLeavesAfterExit: that is no loss.
func TestClientLeavesAfterExit(t *testing.T) {
	target := newFakeTarget(1)
	target.threads[0].regs[regRIP] = addrExit
	c, ended := newRawClient(t, target, Options{})
	c.noAck()
	c.sendPacket("vCont;c")
	c.expectPacket("W07")
	c.wire.Close()
	if err := within(t, ended); err != nil {
		t.Errorf("ServeConn returned %v", err)
	}
}

// TestConsoleAfterResume: what is written too late must not get between packets.
func TestConsoleAfterResume(t *testing.T) {
	target := newFakeTarget(1)
	c, ended := newRawClient(t, target, Options{})
	c.noAck()
	c.sendPacket("vCont;s:1")
	c.expect(string(appendFrame(nil,
		[]byte("T0510:0310400000000000;7:00a0600000000000;6:00a0600000000000;thread:1;"))))
	if n, err := target.resumptions[0].Console.Write([]byte("late")); n != 4 || err != nil {
		t.Errorf("Write returned %d, %v", n, err)
	}
	c.sendPacket("qC")
	c.expectPacket("QC1")
	c.wire.Close()
	within(t, ended)
}

// TestServeSilent cuts a client off that says nothing, but not one that is silent
// after it has spoken.
func TestServeSilent(t *testing.T) {
	const patience = 100 * time.Millisecond
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	logged := make(chan string, 16)
	options := Options{FirstPacket: patience, Logf: func(format string, args ...any) {
		select {
		case logged <- fmt.Sprintf(format, args...):
		default:
		}
	}}
	go Serve(ctx, ln, func() (Target, error) { return newFakeTarget(1), nil }, options)
	silent, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if line := <-logged; !strings.HasSuffix(line, "connected") {
		t.Fatalf("log: %s", line)
	}
	talking := dialClient(t, ln.Addr().String())
	exchangeWith(t, talking, "qC", "QC1")
	time.Sleep(3 * patience)
	exchangeWith(t, talking, "qC", "QC1")
	if line := <-logged; !strings.Contains(line, "the client has said nothing in 100ms") {
		t.Errorf("log: %s", line)
	}
}
