package rsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
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
		finished <- Serve(ctx, ln, func(context.Context) (Target, error) {
			return nil, errors.New("no kernel #1")
		}, Options{})
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
	t.Parallel()
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
				func(context.Context) (Target, error) { return newFakeTarget(1), nil }, Options{})
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
		finished <- Serve(ctx, ln, func(context.Context) (Target, error) { return target, nil }, Options{})
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
	target.mu.Lock()
	console := target.resumptions[0].Console
	target.mu.Unlock()
	if n, err := console.Write([]byte("late")); n != 4 || err != nil {
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
	go Serve(ctx, ln, func(context.Context) (Target, error) { return newFakeTarget(1), nil }, options)
	silent, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	talking := dialClient(t, ln.Addr().String())
	exchangeWith(t, talking, "qC", "QC1")
	time.Sleep(3 * patience)
	exchangeWith(t, talking, "qC", "QC1")
	for {
		select {
		case line := <-logged:
			if strings.Contains(line, "the client has said nothing in 100ms") {
				return
			}
		case <-time.After(30 * time.Second):
			t.Fatal("the log says nothing of the silent client")
		}
	}
}

// TestServeStarting: a client that is there before its target hears that somebody is at work, and what it has
// sent several times meanwhile is answered once.
func TestServeStarting(t *testing.T) {
	ours, theirs := net.Pipe()
	ready, served := make(chan struct{}), make(chan error, 1)
	go func() {
		served <- ServeStarting(t.Context(), theirs, func(context.Context) (Target, error) {
			<-ready
			return newFakeTarget(1), nil
		}, Options{})
	}()
	ours.SetDeadline(time.Now().Add(30 * time.Second))
	supported := string(appendFrame(nil, []byte("qSupported:swbreak+")))
	if _, err := io.WriteString(ours, "+"+supported+supported+supported); err != nil {
		t.Fatal(err)
	}
	b := []byte{0}
	if _, err := io.ReadFull(ours, b); err != nil || b[0] != '+' {
		t.Fatalf("before the target is there: %q, %v", b, err)
	}
	close(ready)
	client := NewConn(ours, ConnOptions{Client: true})
	defer client.Close()
	for _, want := range []string{"PacketSize=", "QC1"} {
		if got, err := client.Receive(); err != nil || !strings.HasPrefix(string(got), want) {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
		if want != "QC1" {
			client.Send([]byte("qC"))
		}
	}
	client.Close()
	within(t, served)
}

// TestServeForeign turns away, at the first byte, whoever does not speak the protocol. What is a packet in
// what they send has no effect, and they get no session and no answer.
func TestServeForeign(t *testing.T) {
	write := string(appendFrame(nil, fmt.Appendf(nil, "M%x,4:2a2a2a2a", dataBase)))
	supported := string(appendFrame(nil, []byte("qSupported:swbreak+")))
	for _, test := range []struct{ name, sent, want string }{
		{"post", "POST / HTTP/1.1\r\nHost: 127.0.0.1:1234\r\nOrigin: http://evil.example\r\n\r\n" + write,
			`not gdb's protocol but HTTP: "POST / HTTP/1.1"`},
		{"get", "GET /?" + write + " HTTP/1.1\r\n\r\n", `not gdb's protocol but HTTP: "GET /?`},
		{"tls", "\x16\x03\x01\x02\x00" + write, `not gdb's protocol but TLS: "\x16\x03\x01\x02\x00`},
		{"ssh", "SSH-2.0-OpenSSH_9.2\r\n" + write, `not gdb's protocol but SSH: "SSH-2.0-OpenSSH_9.2"`},
		{"junk", "\n" + write, `not gdb's protocol but something else: ""`},
		{"acknowledged junk", "+++\x03-x" + write, `not gdb's protocol but something else: "x$M`},
		{"damaged", "+$qSupported#00" + write, "a damaged packet before qSupported"},
		{"stun", "\x00\x14\x00\x01\x00\x00" + supported + write, `something else: "\x00\x14`},
		{"junk before qSupported", string(appendFrame(nil, []byte("QStartNoAckMode"))) + "+ POST" +
			supported + write,
			`something else: " POST$qSupported`},
		{"a packet for a method", supported + " / HTTP/1.1\r\nHost: evil.example:1234\r\n\r\n" + write,
			`something else: " / HTTP/1.1"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			told := make(chan error, 1)
			made := newFakeTarget(1)
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			go Serve(t.Context(), ln, func(context.Context) (Target, error) { return made, nil },
				Options{Foreign: func(client net.Addr, err *ForeignError) { told <- err }})
			wire, err := net.Dial("tcp", ln.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer wire.Close()
			wire.SetDeadline(time.Now().Add(30 * time.Second))
			if _, err := io.WriteString(wire, test.sent); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(wire)
			if test.sent[0] != '$' && len(got) > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("answered %q, %v", got, err)
			}
			if text := fmt.Sprint(within(t, told)); !strings.Contains(text, test.want) {
				t.Errorf("told %s, want %s", text, test.want)
			}
			exchangeWith(t, dialClient(t, ln.Addr().String()), "qC", "QC1")
			if !bytes.Equal(made.data, fakeData) {
				t.Error("memory was written")
			}
		})
	}
}

// TestServeSlow: a program that takes long to start, or to start anew, keeps its client.
func TestServeSlow(t *testing.T) {
	t.Parallel()
	eachGDB(t, func(t *testing.T, gdb string) {
		t.Parallel() // it mostly waits
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go Serve(t.Context(), ln, func(context.Context) (Target, error) {
			time.Sleep(1500 * time.Millisecond) // longer than gdb waits for an answer
			return newFakeTarget(1), nil
		}, Options{})
		out := runGDB(t, gdb, "set remotetimeout 1", "set debug remote 1",
			"target remote "+ln.Addr().String(), "set debug remote 0", "p $rax", "detach")
		expectLines(t, out, "$1 = 1000", "detached]")
		if n := strings.Count(out, "Sending packet: $qSupported"); n != 1 ||
			strings.Contains(out, "Timed out") {
			t.Errorf("gdb has sent qSupported %d times:\n%s", n, out)
		}
	})
}

// TestOpeningRepeated answers once a request that a client has repeated since nobody took it.
func TestOpeningRepeated(t *testing.T) {
	c, _ := newRawClient(t, newFakeTarget(1), Options{})
	const supported = "qSupported:swbreak+"
	for range 3 {
		c.sendPacket(supported)
	}
	c.expect("+")
	c.expectPacket(strings.Replace(newTestSession(t, newFakeTarget(1)).ask(supported), "PacketSize=1000;",
		"PacketSize=20000;", 1))
	c.send("+")
	c.sendPacket("qC")
	c.expect("+")
	c.expectPacket("QC1")
}
