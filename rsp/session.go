package rsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Options are the options of a session. The zero value is good.
type Options struct {
	// PacketSize is offered to the client; 0 means DefaultPacketSize.
	PacketSize int
	// Trace, if set, is called with every packet; see TraceTo.
	Trace func(d Direction, payload []byte)
	// Logf, if set, gets a line about each request that fails, with the reason that
	// the reply may have no room for, and about each fault of the connection. gdb
	// reads beyond what is mapped as a matter of course, so this is for debugging.
	Logf func(format string, arguments ...any)
	// FirstPacket is how long a client of Serve may take to send its first packet; 0 means
	// DefaultFirstPacket. A client that has spoken may be silent for as long as its user thinks.
	FirstPacket time.Duration
	// Foreign, if set, is told of each client of Serve that was turned away since it speaks another protocol.
	Foreign func(client net.Addr, err *ForeignError)
	// Plain, if set, is called when a client asks for an object, as the description of the registers is, or
	// for the stop that it begins with, and is not in extended mode: the client stays with the program that
	// it has.
	Plain func()
}

// DefaultFirstPacket is time enough for a debugger on a slow machine.
const DefaultFirstPacket = 10 * time.Second

// session is one client's use of a target.
type session struct {
	ctx        context.Context
	conn       *Conn
	target     Target
	options    Options
	packetSize int
	client     clientFeatures

	general    ThreadID // Hg
	resumed    ThreadID // Hc
	stopThread ThreadID // the thread of the last stop

	first      []byte // the first packet, if it has been received already
	reply      []byte // to the packet in hand
	silent     bool   // there is no reply
	afterReply func()
	ended      error // set when the session is over
	over       bool
	extended   bool // the client stays when the program is gone
	gone       bool // the program, killed or detached from
	exited     bool // the client knows that the program has ended

	nonStop   nonStopState
	memory    []byte         // buffer of readMemory
	registers RegisterWriter // of readRegisters
	listed    []ThreadID     // what qsThreadInfo has still to send
	object    cachedObject
	threads   []byte // the list of threads that was made last
	files     files
	inserted  map[breakpointKey]struct{}
}

// ServeConn serves one client until it detaches, kills the program or goes away,
// or until ctx ends, and closes rw. It returns nil after a detach or when the client
// leaves after the program has ended, an error that wraps ErrKilled after a kill,
// one that wraps ErrDisconnected or ErrProtocol when the connection ended otherwise,
// and ctx's error if that was the reason.
//
// A Resume that is under way when the client goes away has its context ended.
func ServeConn(ctx context.Context, rw io.ReadWriteCloser, target Target, options Options) error {
	return serveConn(ctx, NewConn(rw, options.conn()), nil, target, options)
}

// conn are the options of the connection of a session.
func (o *Options) conn() ConnOptions {
	return ConnOptions{PacketSize: o.PacketSize, Trace: o.Trace, Logf: o.Logf}
}

// ServeStarting is ServeConn with a target that is still to be made, while the client waits. The context
// that start gets ends when the client has gone. When start fails, its error is returned, without a reply.
func ServeStarting(ctx context.Context, rw io.ReadWriteCloser, start func(context.Context) (Target, error),
	options Options) error {
	conn := NewConn(rw, options.conn())
	defer conn.Close()
	var target Target
	err := conn.starting(ctx, func(ctx context.Context) (err error) {
		target, err = start(ctx)
		return err
	})
	if err != nil {
		return err
	}
	return serveConn(ctx, conn, nil, target, options)
}

// starting does what a client waits for. The context that it gets ends when the client has gone.
func (c *Conn) starting(ctx context.Context, start func(context.Context) error) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-c.Done():
			cancel(ErrDisconnected)
		case <-stop:
		}
	}()
	c.whileWaiting(func() { err = start(ctx) })
	return err
}

// serveConn serves a client whose first packet may have been received already.
func serveConn(ctx context.Context, conn *Conn, first []byte, target Target, options Options) error {
	defer conn.Close()
	parent := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stopClosing := context.AfterFunc(parent, func() { conn.Close() })
	defer stopClosing()
	go func() {
		<-conn.Done()
		cancel(ErrDisconnected)
	}()
	s := &session{
		ctx:        ctx,
		conn:       conn,
		target:     target,
		options:    options,
		first:      first,
		packetSize: conn.options.PacketSize,
		stopThread: target.StopReason().Thread,
		inserted:   map[breakpointKey]struct{}{},
	}
	defer s.files.closeAll()
	err := s.serve()
	if parent.Err() != nil {
		return parent.Err()
	}
	return err
}

// serve takes packets and answers them.
func (s *session) serve() error {
	for !s.over {
		if s.nonStop.running && !s.gone && !s.conn.waiting() {
			if err := s.progress(); err != nil {
				return s.lost(err)
			}
			continue
		}
		packet, err := s.receive()
		s.conn.setAttended(false)
		switch {
		case errors.Is(err, ErrTooLong):
			s.reply = s.appendError(s.reply[:0], fmt.Errorf("%w: %w", EFBIG, err))
		case err != nil:
			return s.lost(err)
		default:
			s.handle(packet)
		}
		if s.silent {
			continue
		}
		send := s.conn.Send
		if opens(packet) {
			send = func(reply []byte) error { return s.conn.SendOpening(packet, reply) }
		}
		if err := send(s.reply); err != nil {
			if s.over {
				break // the client need not wait for the reply to its last packet
			}
			return s.lost(err)
		}
		if s.afterReply != nil {
			s.afterReply()
			s.afterReply = nil
		}
	}
	return s.ended
}

// receive gives the next packet.
func (s *session) receive() ([]byte, error) {
	if packet := s.first; packet != nil {
		s.first = nil
		return packet, nil
	}
	return s.conn.Receive()
}

// opens reports whether a packet begins a conversation.
func opens(packet []byte) bool { return bytes.HasPrefix(packet, []byte("qSupported")) }

// lost judges the end of the connection. A client need not say good-bye to a
// program that has ended.
func (s *session) lost(err error) error {
	err = disconnected(err)
	switch {
	case s.gone:
		return s.ended
	case s.exited && errors.Is(err, ErrDisconnected):
		return nil
	}
	return err
}

// handle makes the reply to one packet.
func (s *session) handle(packet []byte) {
	s.reply = s.reply[:0]
	s.silent = false
	name, a := packetName(packet)
	handler, ok := s.handler(name)
	if !ok {
		return
	}
	err := handler(s, a)
	switch {
	case errors.Is(err, errUnsupported):
		s.reply = s.reply[:0]
	case err != nil && s.ctx.Err() != nil && errors.Is(err, s.ctx.Err()):
		s.silent = true // it was given up because nobody waits for it
	case err != nil:
		if s.options.Logf != nil {
			s.options.Logf("packet %q: %v", clip(packet), err)
		}
		s.reply = s.appendError(s.reply[:0], err)
	}
}

// text makes the reply a fixed text.
func (s *session) text(t string) error {
	s.reply = append(s.reply, t...)
	return nil
}

func (s *session) ok() error { return s.text("OK") }

// appendError appends an error reply (gdb manual, "Standard Replies"). gdb before
// 16 takes E.text for data in some replies, so text goes only to a client that
// has offered to take it.
func (s *session) appendError(dst []byte, err error) []byte {
	if !s.client.errorText {
		return fmt.Appendf(dst, "E%02x", min(uint16(errnoOf(err)), 0xff))
	}
	dst = append(dst, "E."...)
	return appendPlainText(dst, err.Error(), s.packetSize-2)
}

// appendPlainText appends text that is not hexadecimal and so must do without
// the bytes that mean something to the framing.
func appendPlainText(dst []byte, text string, limit int) []byte {
	for _, b := range []byte(text[:min(len(text), limit)]) {
		if needsEscape(b) || b < ' ' || b > '~' {
			b = '?'
		}
		dst = append(dst, b)
	}
	return dst
}

// end ends the session after the reply has been sent; a client in extended mode
// ends it by itself.
func (s *session) end(err error) {
	s.over, s.gone = !s.extended, true
	s.ended = err
}

// extendedMode is !. gdb in extended mode stays connected when the program is gone,
// and then goes on asking for files: 16 and later read the executable anew after a
// kill (remote_target::kill, reopen_exec_file).
func extendedMode(s *session, _ arguments) error {
	s.extended = true
	return s.ok()
}

// handlersAfterEnd are the packets that are answered when the program is gone.
var handlersAfterEnd = map[string]packetHandler{
	"?":               noProgram,
	"H":               func(s *session, _ arguments) error { return s.ok() },
	"qfThreadInfo":    func(s *session, _ arguments) error { return s.text("l") },
	"qAttached":       attached,
	"qSupported":      supported,
	"QStartNoAckMode": startNoAckMode,
	"!":               extendedMode,
	"qXfer":           transferAfterEnd,
	"vFile":           hostIO,
	"k":               kill,
	"vRun":            run,
	"vAttach":         attach,
	"D":               func(s *session, _ arguments) error { return s.ok() },
}

// handler finds what performs a packet. When the program is gone, packets that
// want it fail.
func (s *session) handler(name string) (packetHandler, bool) {
	h, ok := packetHandlers[name]
	if !s.gone || !ok {
		return h, ok
	}
	if h, ok := handlersAfterEnd[name]; ok {
		return h, true
	}
	return func(*session, arguments) error { return fmt.Errorf("the program is gone: %w", ENODEV) }, true
}

// noProgram is ? when the program is gone.
func noProgram(s *session, _ arguments) error { return s.text("W00") }

// transferAfterEnd is qXfer when the program is gone: there are no threads.
func transferAfterEnd(s *session, a arguments) error {
	if _, ok := cutPrefix(a, "threads:"); ok {
		return s.text("l<threads></threads>")
	}
	return transferObject(s, a)
}

// detach is D and D;pid.
func detach(s *session, _ arguments) error {
	if err := s.target.Detach(); err != nil {
		return err
	}
	s.end(nil)
	return s.ok()
}

// kill is k, which has no reply.
func kill(s *session, _ arguments) error {
	s.silent = true
	if err := s.target.Kill(); err != nil && s.options.Logf != nil {
		s.options.Logf("kill: %v", err)
	}
	s.end(ErrKilled)
	return nil
}

// killProcess is vKill;pid.
func killProcess(s *session, _ arguments) error {
	if err := s.target.Kill(); err != nil {
		return err
	}
	s.end(ErrKilled)
	return s.ok()
}
