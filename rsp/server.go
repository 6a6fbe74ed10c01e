package rsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	// busyGrace is how long a further client waits for the one before it to go.
	// A debugger that is started right after another was killed gets its turn;
	// gdb itself gives up after two seconds.
	busyGrace = time.Second
	// refusalTime is how long a client that is refused may take to hear it.
	refusalTime = 2 * time.Second
	// acceptPause follows a failure to accept, for instance for lack of file
	// descriptors, and after maxAcceptFailures in a row the listener is given up.
	acceptPause       = 50 * time.Millisecond
	maxAcceptFailures = 20
	// maxWaiting is how many clients may wait; more are cut off at once.
	maxWaiting = 16
)

// Serve accepts clients on ln until ctx ends, and closes ln. It serves one client
// at a time, each with a target from newSession; the target is closed after the
// session if it is an io.Closer. A client that comes meanwhile waits a second for
// its turn and is then refused with an error that gdb shows. However a client goes
// away, the next one can connect. One that says nothing is cut off after
// options.FirstPacket.
//
// Serve returns ctx's error, or the listener's. What goes wrong with a single
// client goes to options.Logf.
func Serve(ctx context.Context, ln net.Listener, newSession func() (Target, error), options Options) error {
	if options.Logf == nil {
		options.Logf = func(string, ...any) {}
	}
	if options.FirstPacket == 0 {
		options.FirstPacket = DefaultFirstPacket
	}
	server := &server{
		newSession: newSession,
		options:    options,
		turn:       make(chan struct{}, 1),
		waiting:    make(chan struct{}, maxWaiting),
	}
	ctx, cancel := context.WithCancel(ctx)
	defer server.clients.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { ln.Close() })
	defer stop()
	defer ln.Close()
	for failures := 0; ; {
		client, err := ln.Accept()
		if ctx.Err() != nil {
			if err == nil {
				client.Close()
			}
			return ctx.Err()
		}
		if err != nil {
			if failures++; failures == maxAcceptFailures || errors.Is(err, net.ErrClosed) {
				return fmt.Errorf("accept a client: %w", err)
			}
			options.Logf("accept a client: %v", err)
			time.Sleep(acceptPause)
			continue
		}
		failures = 0
		server.clients.Go(func() { server.client(ctx, client) })
	}
}

// server is what the clients of one Serve share.
type server struct {
	newSession func() (Target, error)
	options    Options
	clients    sync.WaitGroup
	turn       chan struct{} // holds something while a client is served
	waiting    chan struct{} // holds something for each client that waits
}

// client handles one connection: it waits for its turn, then serves or refuses.
func (v *server) client(ctx context.Context, conn net.Conn) {
	select {
	case v.waiting <- struct{}{}:
	default:
		conn.Close()
		return
	}
	grace := time.NewTimer(busyGrace)
	defer grace.Stop()
	select {
	case v.turn <- struct{}{}:
		<-v.waiting
		defer func() { <-v.turn }()
		v.serve(ctx, conn)
		return
	case <-grace.C:
		v.options.Logf("client %s refused: another one is connected", conn.RemoteAddr())
		refuse(conn, "another client is connected")
	case <-ctx.Done():
		conn.Close()
	}
	<-v.waiting
}

func (v *server) serve(ctx context.Context, conn net.Conn) {
	target, err := v.newSession()
	if err != nil {
		v.options.Logf("client %s refused: %v", conn.RemoteAddr(), err)
		refuse(conn, err.Error())
		return
	}
	if closer, ok := target.(io.Closer); ok {
		defer func() {
			if err := closer.Close(); err != nil {
				v.options.Logf("close the target: %v", err)
			}
		}()
	}
	v.options.Logf("client %s connected", conn.RemoteAddr())
	err = ServeConn(ctx, conn, target, v.options)
	if err != nil {
		v.options.Logf("client %s: %v", conn.RemoteAddr(), err)
		return
	}
	v.options.Logf("client %s has finished", conn.RemoteAddr())
}

// refuse answers the client's first packet with an error and hangs up. gdb shows
// the text of an error in reply to its first packet, qSupported.
func refuse(nc net.Conn, reason string) {
	nc.SetDeadline(time.Now().Add(refusalTime))
	conn := NewConn(nc, ConnOptions{PacketSize: MinPacketSize})
	defer conn.Close()
	if _, err := conn.Receive(); err != nil && !errors.Is(err, ErrTooLong) {
		return
	}
	// Send waits for the acknowledgment, so the client has read it by then.
	_ = conn.Send(appendPlainText([]byte("E."), reason, MinPacketSize-2))
}

// stdio joins two files to a connection.
type stdio struct{ in, out *os.File }

func (c stdio) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c stdio) Write(p []byte) (int, error) { return c.out.Write(p) }
func (c stdio) Close() error                { return errors.Join(c.in.Close(), c.out.Close()) }

func (c stdio) descriptors() (in, out syscall.RawConn, err error) {
	in, errIn := c.in.SyscallConn()
	out, errOut := c.out.SyscallConn()
	return in, out, errors.Join(errIn, errOut)
}

// Stdio makes a connection of standard input and output, or of any two ends of
// pipes, for gdb's `target remote | program`. Nothing else may be written to out.
func Stdio(in, out *os.File) io.ReadWriteCloser { return stdio{in, out} }
