package rsp

import (
	"io"
	"os"
	"strings"
	"syscall"
)

// promptWaits is how often Go's scheduler interrupts who waits for a packet of a client that answers at once,
// some ten milliseconds apart if nothing else is to be done, before the processor is given back.
const promptWaits = 10

// interruptible says whether Go's scheduler sends the signals that end a wait: GODEBUG can forbid it.
func interruptible() bool { return !strings.Contains(os.Getenv("GODEBUG"), "asyncpreemptoff=1") }

// A prompter is a connection that is made of descriptors of the system, possibly of two.
type prompter interface {
	descriptors() (in, out syscall.RawConn, err error)
}

// A prompt reads or writes a connection without telling Go's scheduler that it may take long, which it
// seldom does: a debugger sends thousands of packets, each when it has read the reply to the one before. Go
// lends the processor of a thread that waits to another thread and takes it back, and its monitor looks after
// both, which costs several times what a packet does. Where the system or the connection has nothing for it,
// or when nothing has come for a while, a prompt has done nothing, and the caller goes the ordinary way.
type prompt struct {
	conn  syscall.RawConn // nil: not to be used
	call  func(descriptor uintptr)
	data  []byte // of the call under way
	n     int    // its result
	unfit bool   // the descriptor cannot do it, now or ever
}

// newPrompts makes those of a connection.
func newPrompts(rw io.ReadWriter) (in, out *prompt) {
	in, out = &prompt{}, &prompt{}
	if !interruptible() {
		return in, out
	}
	switch c := rw.(type) {
	case prompter:
		in.conn, out.conn, _ = c.descriptors()
	case syscall.Conn:
		in.conn, _ = c.SyscallConn()
		out.conn = in.conn
	}
	in.call = func(descriptor uintptr) { in.n, in.unfit = readSoon(descriptor, in.data) }
	out.call = func(descriptor uintptr) { out.n, out.unfit = writeNow(descriptor, out.data) }
	return in, out
}

// do makes one call, and says how many bytes it has moved.
func (p *prompt) do(data []byte) int {
	if p.conn == nil || len(data) == 0 {
		return 0
	}
	p.data, p.n = data, 0
	if err := p.conn.Control(p.call); err != nil || p.unfit {
		p.conn = nil
	}
	return p.n
}

// read reads what comes soon; nothing if nothing does.
func (p *prompt) read(buffer []byte) (n int) {
	for i := 0; i < promptWaits && p.conn != nil && n == 0; i++ {
		n = p.do(buffer)
	}
	return n
}

// write writes what there is room for, and says how much that was.
func (p *prompt) write(data []byte) (n int) { return p.do(data) }
