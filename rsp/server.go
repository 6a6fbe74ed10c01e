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
// options.FirstPacket, and one that sends what is no part of the protocol before its
// qSupported at once: only then does it get a session.
//
// newSession may take its time, while the client is told that somebody is at work; its
// context ends when the client has gone.
//
// Serve returns ctx's error, or the listener's. What goes wrong with a single
// client goes to options.Logf.
func Serve(ctx context.Context, ln net.Listener, newSession func(context.Context) (Target, error),
	options Options) error {
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
	newSession func(context.Context) (Target, error)
	options    Options
	clients    sync.WaitGroup
	turn       chan struct{} // holds something while a client is served
	waiting    chan struct{} // holds something for each client that waits
}

// client handles one connection: it waits for its first packet, then for its turn, and serves or refuses. Who
// says nothing, or speaks another protocol, gets no turn and no session.
func (v *server) client(ctx context.Context, wire net.Conn) {
	select {
	case v.waiting <- struct{}{}:
	default:
		wire.Close()
		return
	}
	options := v.options.conn()
	options.Strict = true
	conn := NewConn(wire, options)
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	first, ok := v.first(conn, wire)
	if !ok {
		<-v.waiting
		return
	}
	grace := time.NewTimer(busyGrace)
	defer grace.Stop()
	select {
	case v.turn <- struct{}{}:
		<-v.waiting
		defer func() { <-v.turn }()
		v.serve(ctx, conn, first, wire.RemoteAddr())
		return
	case <-grace.C:
		v.options.Logf("client %s refused: another one is connected", wire.RemoteAddr())
		refuse(conn, "another client is connected")
	case <-ctx.Done():
	}
	<-v.waiting
}

// first gives the first packet of a client.
func (v *server) first(conn *Conn, wire net.Conn) (packet []byte, ok bool) {
	silence := time.AfterFunc(v.options.FirstPacket, func() {
		v.options.Logf("client %s: the client has said nothing in %v", wire.RemoteAddr(),
			v.options.FirstPacket)
		conn.Close()
	})
	defer silence.Stop()
	packet, err := conn.Receive()
	for errors.Is(err, ErrTooLong) {
		packet, err = conn.Receive()
	}
	if err != nil {
		v.failed(wire.RemoteAddr(), err)
	}
	return packet, err == nil
}

func (v *server) serve(ctx context.Context, conn *Conn, first []byte, client net.Addr) {
	var target Target
	err := conn.starting(ctx, func(ctx context.Context) (err error) {
		target, err = v.newSession(ctx)
		return err
	})
	if err != nil {
		v.options.Logf("client %s refused: %v", client, err)
		if !errors.Is(err, context.Canceled) {
			refuse(conn, err.Error())
		}
		return
	}
	if closer, ok := target.(io.Closer); ok {
		defer func() {
			if err := closer.Close(); err != nil {
				v.options.Logf("close the target: %v", err)
			}
		}()
	}
	v.options.Logf("client %s connected", client)
	err = serveConn(ctx, conn, first, target, v.options)
	if err != nil {
		v.failed(client, err)
		return
	}
	v.options.Logf("client %s has finished", client)
}

// failed says why a client is served no longer.
func (v *server) failed(client net.Addr, err error) {
	var foreign *ForeignError
	if errors.As(err, &foreign) && v.options.Foreign != nil {
		v.options.Foreign(client, foreign)
	}
	v.options.Logf("client %s: %v", client, err)
}

// refuse answers the client's first packet with an error. gdb shows
// the text of an error in reply to its first packet, qSupported.
func refuse(conn *Conn, reason string) {
	defer time.AfterFunc(refusalTime, func() { conn.Close() }).Stop()
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
