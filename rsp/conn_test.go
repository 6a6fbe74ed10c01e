package rsp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rawClient is a client that writes and reads bytes as they are.
type rawClient struct {
	t    *testing.T
	wire net.Conn
}

// newRawClient serves a target on one end of a loopback connection and gives the
// other end.
func newRawClient(t *testing.T, target Target, options Options) (rawClient, <-chan error) {
	t.Helper()
	ours, theirs := loopback(t)
	ended := make(chan error, 1)
	go func() { ended <- ServeConn(t.Context(), theirs, target, options) }()
	return rawClient{t, ours}, ended
}

// loopback gives both ends of a TCP connection.
func loopback(t *testing.T) (a, b net.Conn) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if a, err = net.Dial("tcp", ln.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if b, err = ln.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	a.SetDeadline(time.Now().Add(30 * time.Second))
	return a, b
}

func (c rawClient) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.wire, text); err != nil {
		c.t.Fatal(err)
	}
}

// sendPacket frames the payload.
func (c rawClient) sendPacket(payload string) {
	c.t.Helper()
	c.send(string(appendFrame(nil, []byte(payload))))
}

// expect reads exactly what is wanted.
func (c rawClient) expect(want string) {
	c.t.Helper()
	got := make([]byte, len(want))
	n, err := io.ReadFull(c.wire, got)
	if err != nil || string(got) != want {
		c.t.Fatalf("got %q, %v; want %q", got[:n], err, want)
	}
}

// expectPacket reads a frame with this payload.
func (c rawClient) expectPacket(payload string) {
	c.t.Helper()
	c.expect(string(appendFrame(nil, []byte(payload))))
}

// within waits for a session to end.
func within(t *testing.T, ended <-chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("the session does not end")
		return nil
	}
}

func TestAcknowledgments(t *testing.T) {
	var log strings.Builder
	c, ended := newRawClient(t, newFakeTarget(2), Options{
		Logf: func(format string, arguments ...any) { fmt.Fprintf(&log, format+"\n", arguments...) },
	})
	c.send("+$qC#00") // wrong checksum
	c.expect("-")
	c.send("$qC#b4")
	c.expect("+$QC1#c5")
	c.send("-") // again, please
	c.expect("$QC1#c5")
	c.send("-")
	c.expect("$QC1#c5")
	c.send("+")
	// A client that has lost its acknowledgment just goes on.
	c.send("$qC#b4")
	c.expect("+$QC1#c5")
	c.send("$qC#b4")
	c.expect("+$QC1#c5")
	// A corrupt packet while an acknowledgment is awaited.
	c.send("$qC#00")
	c.expect("-")
	c.send("+")
	c.sendPacket("QStartNoAckMode")
	c.expect("+")
	c.expectPacket("OK")
	c.send("+")
	c.sendPacket("qC")
	c.expectPacket("QC1")
	c.send("$qC#00") // the checksum does not matter any more
	c.expectPacket("QC1")
	c.sendPacket("D")
	c.expectPacket("OK")
	if err := within(t, ended); err != nil {
		t.Errorf("ServeConn returned %v", err)
	}
	if n := strings.Count(log.String(), "again"); n != 2 {
		t.Errorf("%d retransmissions in the log:\n%s", n, log.String())
	}
}

func TestRefusedForEver(t *testing.T) {
	c, ended := newRawClient(t, newFakeTarget(1), Options{})
	c.send("$qC#b4" + strings.Repeat("-", 100))
	if err := within(t, ended); !errors.Is(err, ErrProtocol) {
		t.Errorf("ServeConn returned %v, want %v", err, ErrProtocol)
	}
}

func TestOversizePacket(t *testing.T) {
	c, ended := newRawClient(t, newFakeTarget(1), Options{PacketSize: 0x200})
	c.send("$" + strings.Repeat("x", 1<<20))
	c.send("#00")
	c.expect("+$E1b#d8")
	c.send("+")
	c.sendPacket("qSupported:error-message+")
	c.expect("+$PacketSize=200;")
	c.wire.Close()
	if err := within(t, ended); !errors.Is(err, ErrDisconnected) {
		t.Errorf("ServeConn returned %v, want %v", err, ErrDisconnected)
	}
}

// noAck brings a raw client into no-acknowledgment mode.
func (c rawClient) noAck() {
	c.sendPacket("QStartNoAckMode")
	c.expect("+")
	c.expectPacket("OK")
	c.send("+")
}

func TestInterrupt(t *testing.T) {
	target := newFakeTarget(2)
	c, ended := newRawClient(t, target, Options{})
	c.noAck()
	c.sendPacket("vCont;c")
	<-target.running
	c.send("\x03")
	c.expect("$T02")
	c.wire.Close()
	within(t, ended)
}

// TestInterruptIsKept sends Ctrl-C while the program is stopped: it counts for the
// next resumption.
func TestInterruptIsKept(t *testing.T) {
	c, ended := newRawClient(t, newFakeTarget(2), Options{})
	c.noAck()
	c.send("\x03\x03\x03")
	c.sendPacket("qC")
	c.expectPacket("QC1")
	c.sendPacket("vCont;c")
	c.expect("$T02")
	c.wire.Close()
	within(t, ended)
}

// TestLossWhileRunning loses the client while the program runs.
func TestLossWhileRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		target := newFakeTarget(2)
		c, ended := newRawClient(t, target, Options{})
		c.sendPacket("vCont;c")
		<-target.running
		c.wire.Close()
		if err := within(t, ended); !errors.Is(err, ErrDisconnected) {
			t.Errorf("ServeConn returned %v, want %v", err, ErrDisconnected)
		}
	}
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines where %d were before", runtime.NumGoroutine(), before)
}

// TestFloodWhileRunning sends more than is kept while nobody reads, and then what
// may be kept.
func TestFloodWhileRunning(t *testing.T) {
	target := newFakeTarget(2)
	c, ended := newRawClient(t, target, Options{PacketSize: 0x200})
	c.noAck()
	c.sendPacket("vCont;c")
	<-target.running
	go io.Copy(io.Discard, c.wire)
	for range 10000 {
		if _, err := io.WriteString(c.wire, "$"+strings.Repeat("x", 0x1f0)+"#80"); err != nil {
			break
		}
	}
	if err := within(t, ended); !errors.Is(err, ErrProtocol) {
		t.Errorf("ServeConn returned %v, want %v", err, ErrProtocol)
	}
}

// TestScript sends a whole conversation at once, as `program < script` would.
func TestScript(t *testing.T) {
	c, ended := newRawClient(t, newFakeTarget(2), Options{PacketSize: 0x200})
	c.noAck()
	const n = 2000
	go func() {
		for range n {
			io.WriteString(c.wire, "$qC#b4")
		}
		c.wire.(*net.TCPConn).CloseWrite()
	}()
	c.expect(strings.Repeat("$QC1#c5", n))
	if err := within(t, ended); !errors.Is(err, ErrDisconnected) {
		t.Errorf("ServeConn returned %v, want %v", err, ErrDisconnected)
	}
}

func TestTrace(t *testing.T) {
	var log strings.Builder
	c, ended := newRawClient(t, newFakeTarget(2), Options{Trace: TraceTo(&log)})
	c.noAck()
	c.sendPacket("X602000,2:a\x01")
	c.expectPacket("OK")
	c.sendPacket("X602000,400:" + strings.Repeat("y", 0x400))
	c.expectPacket("OK")
	c.sendPacket("D")
	c.expectPacket("OK")
	within(t, ended)
	want := "<- QStartNoAckMode\n-> OK\n<- X602000,2:a\\x01\n-> OK\n" +
		"<- X602000,400:" + strings.Repeat("y", maxTraced-12) + " … (1036 bytes)\n-> OK\n<- D\n-> OK\n"
	if diff := cmp.Diff(want, log.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestContextEndsSession(t *testing.T) {
	target := newFakeTarget(2)
	ours, theirs := loopback(t)
	ctx, cancel := contextWithCancel(t)
	ended := make(chan error, 1)
	go func() { ended <- ServeConn(ctx, theirs, target, Options{}) }()
	c := rawClient{t, ours}
	c.sendPacket("vCont;c")
	<-target.running
	cancel()
	if err := within(t, ended); !errors.Is(err, ctx.Err()) {
		t.Errorf("ServeConn returned %v, want %v", err, ctx.Err())
	}
}
