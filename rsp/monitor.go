package rsp

import (
	"io"
	"strings"
	"sync"
)

// console is what a target writes for the user to see: O packets, which are
// allowed while the program runs or a monitor command is at work, and only then.
type console struct {
	s      *session
	mu     sync.Mutex
	closed bool
}

// Write may be called from any goroutine. What comes too late is dropped, because
// it would be taken for the reply to the next packet.
func (c *console) Write(text []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	written := 0
	piece := (c.s.packetSize - 1) / 2
	for !c.closed && written < len(text) {
		n := min(len(text)-written, piece)
		if err := c.s.conn.Send(appendHex([]byte{'O'}, text[written:written+n])); err != nil {
			return written, disconnected(err)
		}
		written += n
	}
	return len(text), nil
}

// withConsole lends the target a console. An error is shown there too if the reply
// has no room for its text.
func (s *session) withConsole(use func(out io.Writer) error) error {
	c := &console{s: s}
	s.conn.setBusy(true)
	err := use(c)
	if err != nil && !s.client.errorText && s.ctx.Err() == nil {
		// The reply says it again, as a number, should this fail.
		_, _ = io.WriteString(c, strings.TrimSuffix(err.Error(), "\n")+"\n")
	}
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	s.conn.setBusy(false)
	return err
}

// monitorCommand is qRcmd,HEX.
func monitorCommand(s *session, a arguments) error {
	monitor, ok := s.target.(Monitor)
	if !ok {
		return errUnsupported
	}
	command, err := decodeHex(a)
	if err != nil {
		return err
	}
	err = s.withConsole(func(out io.Writer) error {
		return monitor.Monitor(s.ctx, string(command), out)
	})
	s.object.drop()
	if err != nil {
		return err
	}
	return s.ok()
}
