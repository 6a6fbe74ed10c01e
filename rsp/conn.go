package rsp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Limits of a connection.
const (
	// DefaultPacketSize is the packet size that is offered to the client: the
	// most bytes that a payload may have in either direction.
	DefaultPacketSize = 0x20000
	// MinPacketSize leaves room for every packet and reply that cannot be sent in
	// pieces.
	MinPacketSize = 0x100

	readBufferSize = 32 << 10
	frameOverhead  = 64 // what a queued frame costs besides its payload
	maxRetransmits = 10
)

// Direction says which way a packet went, as the server sees it.
type Direction uint8

const (
	Received Direction = iota
	Sent
)

// ConnOptions are the options of a Conn. The zero value is good for a server.
type ConnOptions struct {
	// PacketSize is the longest payload that is taken; 0 means DefaultPacketSize.
	PacketSize int
	// Client makes this the client's end of the wire, where run-length encoding
	// in replies is expanded.
	Client bool
	// Strict ends the connection, with a *ForeignError, at the first byte that is no part of the protocol,
	// and at a damaged packet before the client's qSupported. Without it such bytes are noise. A browser can
	// be had to begin with a packet: as the method of a request to what a page takes for its own server.
	Strict bool
	// Trace, if set, is called with every payload. It must not keep it. It is
	// called with the connection locked and must not call the Conn.
	Trace func(d Direction, payload []byte)
	// Logf, if set, gets a line about each fault in the framing.
	Logf func(format string, arguments ...any)
}

// Conn sends and receives packets: framing, checksums, acknowledgments and
// retransmission (gdb manual, "Overview" and "Packet Acknowledgment"). Whoever waits
// for a packet reads the wire itself, since a hand-over from one goroutine to another
// costs more than most packets do. While the Conn is attended, as it is at first, a
// goroutine reads, so that an interrupt and the loss of the connection are noticed
// whatever the owner of the Conn does.
type Conn struct {
	rw      io.ReadWriteCloser
	in, out *prompt // of rw: of who reads, and under sendMu
	options ConnOptions

	interrupts chan struct{}
	done       chan struct{} // closed when nothing more comes from the wire

	sendMu sync.Mutex // held while a packet waits for its acknowledgment
	sent   []byte     // the frame under way

	// opening is the request that begins a conversation, while its reply is under way. A client that has
	// waited long for the server has sent it several times.
	opening []byte

	closing  sync.Once
	closeErr error

	decoder decoder // of who reads
	buffer  []byte

	mu       sync.Mutex
	arrived  sync.Cond // of mu: the queue, busy, reading or err has changed
	wanted   sync.Cond // of mu: attended, reading or err has changed
	reading  bool      // somebody reads the wire
	attended bool      // the goroutine does, when nobody else is at it
	queue    []frame
	room     []frame // where the queue begins when it has been empty: its memory is used again
	queued   int     // bytes in the queue
	busy     bool
	noAck    bool
	err      error // why nothing more comes
}

// NewConn makes a Conn and starts its reader. Close it to stop the reader.
func NewConn(rw io.ReadWriteCloser, options ConnOptions) *Conn {
	if options.PacketSize == 0 {
		options.PacketSize = DefaultPacketSize
	}
	options.PacketSize = max(options.PacketSize, MinPacketSize)
	if options.Logf == nil {
		options.Logf = func(string, ...any) {}
	}
	if options.Trace == nil {
		options.Trace = func(Direction, []byte) {}
	}
	c := &Conn{
		rw:         rw,
		options:    options,
		interrupts: make(chan struct{}, 1),
		done:       make(chan struct{}),
		decoder: decoder{limit: options.PacketSize, expandRuns: options.Client, quiet: options.Strict,
			strict: options.Strict},
		buffer:   make([]byte, readBufferSize),
		attended: true,
	}
	c.in, c.out = newPrompts(rw)
	c.arrived.L, c.wanted.L = &c.mu, &c.mu
	go c.attend()
	return c
}

// Interrupts delivers a Ctrl-C from the client. One that comes while nothing runs
// is kept for the next time (gdb manual, "Interrupts").
func (c *Conn) Interrupts() <-chan struct{} { return c.interrupts }

// Done is closed when the connection has ended in the reading direction.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Close closes the wire and makes Receive and Send return.
func (c *Conn) Close() error {
	c.closing.Do(func() {
		c.closeErr = c.rw.Close()
		c.fail(io.ErrClosedPipe)
	})
	return c.closeErr
}

// SetNoAck ends acknowledgments, after the exchange that agreed on it.
func (c *Conn) SetNoAck() {
	c.mu.Lock()
	c.noAck = true
	c.mu.Unlock()
}

// SendInterrupt sends a Ctrl-C; it is for the client's end.
func (c *Conn) SendInterrupt() error {
	return c.writeByte(interruptByte)
}

// setBusy tells that requests are not being taken for a while. Meanwhile a client
// that sends more of them than the queue holds is cut off, because reading must go
// on for interrupts.
func (c *Conn) setBusy(busy bool) {
	c.mu.Lock()
	c.busy = busy
	c.mu.Unlock()
	c.arrived.Broadcast()
	c.setAttended(busy)
}

// setAttended says whether the wire is to be read while nobody waits for a packet. What is being read
// then comes to whoever waits next.
func (c *Conn) setAttended(attended bool) {
	c.mu.Lock()
	c.attended = attended
	c.mu.Unlock()
	if attended {
		c.wanted.Signal()
	}
}

// fail records the first error and wakes everyone.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = err
		close(c.done)
	}
	c.mu.Unlock()
	c.arrived.Broadcast()
	c.wanted.Broadcast()
}

// attend is the goroutine that reads the wire while the Conn is attended.
func (c *Conn) attend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.err == nil {
		if !c.attended || c.reading {
			c.wanted.Wait()
			continue
		}
		c.read(c.enqueue, false)
	}
}

// read reads the wire once. It is called with mu held, which it gives up meanwhile. With promptly it
// expects something soon.
func (c *Conn) read(take func(frame), promptly bool) {
	c.reading = true
	c.mu.Unlock()
	var n int
	var err error
	if promptly {
		n = c.in.read(c.buffer)
	}
	if n == 0 {
		n, err = c.rw.Read(c.buffer)
	}
	c.decoder.decode(c.buffer[:n], take)
	switch {
	case c.decoder.foreign != nil:
		c.fail(&ForeignError{First: c.decoder.foreign})
	case err != nil:
		c.fail(err)
	}
	c.mu.Lock()
	c.reading = false
	c.arrived.Broadcast()
	if c.attended {
		c.wanted.Signal()
	}
}

// interrupted takes a Ctrl-C.
func (c *Conn) interrupted() {
	select {
	case c.interrupts <- struct{}{}:
	default: // one is pending already
	}
}

// takeOwn takes a frame that the owner has read. It does not wait for room, which nobody but the owner
// makes: the queue was empty, and a buffer holds a bounded number of frames.
func (c *Conn) takeOwn(f frame) {
	if f.kind == frameInterrupt {
		c.interrupted()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(f)
}

// put appends to the queue, with mu held.
func (c *Conn) put(f frame) {
	if len(c.queue) == 0 {
		c.queue = c.room[:0]
	}
	c.queue = append(c.queue, f)
	if len(c.queue) == 1 {
		c.room = c.queue
	}
	c.queued += len(f.payload) + frameOverhead
}

// take takes the first of the queue, with mu held.
func (c *Conn) take() frame {
	f := c.queue[0]
	c.queue[0] = frame{}
	c.queue = c.queue[1:]
	c.queued -= len(f.payload) + frameOverhead
	c.arrived.Broadcast()
	return f
}

// enqueue takes a frame that the goroutine has read. It waits while the queue is full and
// somebody works on it.
func (c *Conn) enqueue(f frame) {
	if f.kind == frameInterrupt {
		c.interrupted()
		return
	}
	cost := len(f.payload) + frameOverhead
	limit := 4 * (c.options.PacketSize + frameOverhead)
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.err == nil && c.queued+cost > limit {
		if c.busy {
			c.err = fmt.Errorf("%w: more than %d bytes of packets while the program runs", ErrProtocol, limit)
			close(c.done)
			break
		}
		c.arrived.Wait()
	}
	if c.err != nil {
		c.arrived.Broadcast()
		return
	}
	c.put(f)
	c.arrived.Broadcast()
}

// wait gives the next frame; with keepPackets it leaves a packet in the queue.
func (c *Conn) wait(keepPackets bool) (f frame, noAck bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) == 0 {
		if c.err != nil {
			return frame{}, c.noAck, c.err
		}
		if c.reading {
			c.arrived.Wait()
		} else {
			c.read(c.takeOwn, true)
		}
	}
	if keepPackets && c.queue[0].kind == framePacket {
		return c.queue[0], c.noAck, nil
	}
	return c.take(), c.noAck, nil
}

// Receive waits for the next packet, acknowledges it and gives its payload, which
// belongs to the caller. It returns an error that wraps ErrTooLong for a packet
// that had to be dropped, and can be called again; any other error is final.
func (c *Conn) Receive() ([]byte, error) {
	for {
		f, noAck, err := c.wait(false)
		if err != nil {
			return nil, err
		}
		switch f.kind {
		case frameAck, frameNak:
			continue // of a packet that has been settled
		case frameCorrupt:
			if !noAck || !f.intact {
				c.options.Logf("packet with a wrong checksum or encoding")
				if err := c.acknowledge(noAck, nakByte); err != nil {
					return nil, err
				}
				continue
			}
			c.options.Logf("wrong checksum ignored in no-acknowledgment mode")
		}
		if err := c.acknowledge(noAck, ackByte); err != nil {
			return nil, err
		}
		if f.kind == frameTooLong {
			err := fmt.Errorf("%w: more than %d bytes", ErrTooLong, c.options.PacketSize)
			c.options.Logf("packet dropped: %v", err)
			return nil, err
		}
		c.options.Trace(Received, f.payload)
		return f.payload, nil
	}
}

func (c *Conn) acknowledge(noAck bool, b byte) error {
	if noAck {
		return nil
	}
	return c.writeByte(b)
}

func (c *Conn) writeByte(b byte) error {
	c.sendMu.Lock()
	defer c.sendMu.Unlock()
	return c.write([]byte{b})
}

func (c *Conn) write(data []byte) error {
	data = data[c.out.write(data):]
	if len(data) == 0 {
		return nil
	}
	if _, err := c.rw.Write(data); err != nil {
		c.fail(err)
		return err
	}
	return nil
}

// Send sends a payload. Unless acknowledgments have ended it waits for the
// client's and sends again when the client asks for it.
func (c *Conn) Send(payload []byte) error {
	c.sendMu.Lock()
	defer c.sendMu.Unlock()
	c.options.Trace(Sent, payload)
	c.sent = appendFrame(c.sent[:0], payload)
	for range maxRetransmits {
		if err := c.write(c.sent); err != nil {
			return err
		}
		again, err := c.awaitAck()
		if err != nil || !again {
			return err
		}
		c.options.Logf("client asked for a packet again")
	}
	err := fmt.Errorf("%w: packet was refused %d times", ErrProtocol, maxRetransmits)
	c.fail(err)
	return err
}

// Notify sends a notification, which nobody acknowledges (gdb manual, "Notification Packets").
func (c *Conn) Notify(payload []byte) error {
	c.sendMu.Lock()
	defer c.sendMu.Unlock()
	c.options.Trace(Sent, payload)
	c.sent = appendFramed(c.sent[:0], notifyStart, payload)
	return c.write(c.sent)
}

// waiting reports whether Receive has something to return, or an error. Acknowledgments of packets that have
// been settled are taken from the queue.
func (c *Conn) waiting() bool {
	c.setAttended(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) > 0 && (c.queue[0].kind == frameAck || c.queue[0].kind == frameNak) {
		c.take()
	}
	return len(c.queue) > 0 || c.err != nil
}

// SendOpening is Send of the reply to the request that begins a conversation. A client sends that again when
// nobody has taken it for a while (gdb's remote_target::putpkt_binary does after two seconds), and would take
// a second reply for that to its next request.
func (c *Conn) SendOpening(request, payload []byte) error {
	c.opening = request
	err := c.Send(payload)
	c.opening = nil
	return err
}

// drop drops the first of the queue.
func (c *Conn) drop() {
	c.mu.Lock()
	c.take()
	c.mu.Unlock()
}

// waitNotice is how often a client that waits for a reply hears that it should: gdb's getpkt gives up after
// two seconds (remotetimeout) without a byte, asks for the reply again, and is confused when two come.
const waitNotice = 500 * time.Millisecond

// whileWaiting does what may take longer than a client waits for a reply. Meanwhile acknowledgments are
// sent, which mean nothing there, and show that somebody is at work.
func (c *Conn) whileWaiting(work func()) {
	c.setAttended(true)
	ticker := time.NewTicker(waitNotice)
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ticker.C:
				if c.writeByte(ackByte) != nil {
					return
				}
			case <-over:
				return
			}
		}
	}()
	work()
	c.setAttended(false)
	ticker.Stop()
	close(over)
	<-stopped
}

// awaitAck waits for the acknowledgment of what was sent last. A new packet from
// the client says that its acknowledgment was lost.
func (c *Conn) awaitAck() (again bool, err error) {
	c.mu.Lock()
	noAck := c.noAck
	c.mu.Unlock()
	for !noAck {
		f, _, err := c.wait(true)
		if err != nil {
			return false, err
		}
		switch f.kind {
		case framePacket:
			if c.opening == nil || !bytes.Equal(f.payload, c.opening) {
				return false, nil
			}
			c.drop()
		case frameAck:
			return false, nil
		case frameNak:
			return true, nil
		case frameCorrupt, frameTooLong:
			if err := c.write([]byte{nakByte}); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// disconnected makes the end of a connection an ErrDisconnected, unless the
// client broke the protocol.
func disconnected(err error) error {
	if errors.Is(err, ErrProtocol) {
		return err
	}
	if errors.Is(err, io.EOF) {
		return ErrDisconnected
	}
	return fmt.Errorf("%w: %w", ErrDisconnected, err)
}
