package device

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A Server waits for clients. Its address is in Linux's abstract namespace: it
// vanishes with the process, and only processes of the same user are served.
type Server struct {
	Options Options

	ln      *net.UnixListener
	ctx     context.Context
	cancel  context.CancelFunc
	clients sync.WaitGroup

	launching atomic.Int64 // devices that have launched anything
	lingering atomic.Int64 // those whose clients have gone, and whose launches somebody looks at
	used      atomic.Bool  // there has been a client
	vulkan    atomic.Bool  // there has been one of Vulkan

	mu    sync.Mutex
	conns map[*net.UnixConn]bool
}

// Bounds on clients.
const (
	maxClients   = 256
	helloTimeout = 10 * time.Second
)

// Listen makes a server with an address of its own.
func Listen(o Options) (*Server, error) {
	var name [16]byte
	if _, err := rand.Read(name[:]); err != nil {
		return nil, err
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: "@simtgdb-" + hex.EncodeToString(name[:]),
		Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen for host programs: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{Options: o, ln: ln, ctx: ctx, cancel: cancel, conns: map[*net.UnixConn]bool{}}
	s.clients.Add(1)
	go s.accept()
	return s, nil
}

// Address is where clients connect to: a name in the abstract namespace, with
// "@" in the place of the zero byte.
func (s *Server) Address() string { return s.ln.Addr().String() }

// Close ends the service and what its devices do.
func (s *Server) Close() error {
	s.cancel()
	err := s.ln.Close()
	s.mu.Lock()
	for c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	s.clients.Wait()
	return err
}

// Used reports whether there has been a client.
func (s *Server) Used() bool { return s.used.Load() }

// UsedByVulkan reports whether a program has asked for the device by Vulkan.
func (s *Server) UsedByVulkan() bool { return s.vulkan.Load() }

// Wait waits until every client that has connected so far has gone; for those whose launches somebody looks
// at, as long as that takes.
func (s *Server) Wait(timeout time.Duration) {
	for end := time.Now().Add(timeout); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		n := len(s.conns)
		s.mu.Unlock()
		if n == 0 {
			return
		}
		if s.lingering.Load() > 0 {
			end = time.Now().Add(timeout)
		}
	}
}

func (s *Server) accept() {
	defer s.clients.Done()
	for {
		c, err := s.ln.AcceptUnix()
		if err != nil {
			return
		}
		s.mu.Lock()
		if len(s.conns) >= maxClients || s.ctx.Err() != nil {
			s.mu.Unlock()
			c.Close()
			continue
		}
		s.conns[c] = true
		s.clients.Add(1)
		s.mu.Unlock()
		go func() {
			defer s.clients.Done()
			if err := s.serve(c); err != nil && s.ctx.Err() == nil && s.Options.Said != nil {
				s.Options.Said(fmt.Sprintf("a client of the device was refused: %v\n", err))
			}
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		}()
	}
}

// limit is how long the payload of a request may be.
func limit(op Op) uint32 {
	if op == OpLoad || op == OpBuild || op == OpCompile || op == OpDispatch {
		return MaxMessage
	}
	return maxPlain
}

// serve is one client's device from its hello to its end.
func (s *Server) serve(c *net.UnixConn) error {
	defer c.Close()
	same, err := sameUser(c)
	if err != nil || !same {
		return errors.Join(errors.New("it is not of the same user"), err)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	d, err := s.hello(ctx, c)
	if err != nil {
		return err
	}
	requests := make(chan message)
	go func() { // so that a client that goes ends what its device does
		defer cancel()
		defer close(requests)
		for {
			m, err := readMessage(c, limit)
			if err != nil {
				d.gone(err)
				return
			}
			select {
			case requests <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	go d.work()
	defer d.close()
	defer d.linger()
	defer cancel()
	for m := range requests {
		answer := d.handle(m)
		if _, err := c.Write(answer.bytes()); err != nil {
			return nil // it has gone
		}
		if answer.status == WrongProtocol {
			r := reader{b: answer.payload}
			return fmt.Errorf("operation %d: %s", m.op, r.bytes())
		}
	}
	return nil
}

// linger keeps a device whose client has gone while somebody looks at what it has launched.
func (d *Device) linger() {
	if d.options.Leaving == nil || d.past == nil {
		return
	}
	d.server.lingering.Add(1)
	defer d.server.lingering.Add(-1)
	d.memory.Lock() // the work under way has ended
	defer d.memory.Unlock()
	if l := d.past.Before(nil); l != nil {
		d.past.note(nil, 2*l.Number+2) // what the program has written and freed at its end
		d.options.Leaving(d)
	}
}

// gone notes that no more requests come, and wakes who waits.
func (d *Device) gone(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
	if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
		d.leaving = err
	}
	d.changed.Broadcast()
}

// hello answers the first request.
func (s *Server) hello(ctx context.Context, c *net.UnixConn) (*Device, error) {
	if err := c.SetReadDeadline(time.Now().Add(helloTimeout)); err != nil {
		return nil, err
	}
	m, err := readMessage(c, limit)
	if err != nil {
		return nil, fmt.Errorf("its first message: %w", err)
	}
	r := reader{b: m.payload}
	version, name, number := r.u64(), r.bytes(), r.u64()
	refusal := func(format string, args ...any) error {
		err := refuse(WrongProtocol, format, args...)
		w := writer{}
		w.string(err.Error())
		_, _ = c.Write((&message{m.op, WrongProtocol, w.b}).bytes())
		return err
	}
	switch {
	case m.op != OpHello || r.end() != nil:
		return nil, refusal("its first message is no hello")
	case version != Version:
		return nil, refusal("it speaks version %d of the protocol, the service version %d", version, Version)
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return nil, err
	}
	d, err := newDevice(ctx, s, number)
	if err != nil {
		return nil, refusal("%v", err)
	}
	s.used.Store(true)
	if string(name) == "Vulkan" {
		s.vulkan.Store(true)
	}
	w := writer{}
	w.u64(Version, d.heap.base, heapSize, MemorySize)
	w.string(d.processor)
	w.u64(d.wants())
	if err := d.heap.shared.send(c, (&message{OpHello, Done, w.b}).bytes()); err != nil {
		_ = d.heap.shared.close()
		return nil, err
	}
	return d, nil
}
