package rsp

import (
	"io"
	"strings"
)

// console is what a target writes for the user to see: O packets, which are
// allowed while the program runs or a monitor command is at work.
type console struct{ s *session }

func (c console) Write(text []byte) (int, error) {
	written := 0
	piece := (c.s.packetSize - 1) / 2
	for len(text) > 0 {
		n := min(len(text), piece)
		if err := c.s.conn.Send(appendHex([]byte{'O'}, text[:n])); err != nil {
			return written, disconnected(err)
		}
		written += n
		text = text[n:]
	}
	return written, nil
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
	s.conn.setBusy(true)
	err = monitor.Monitor(s.ctx, string(command), console{s})
	s.conn.setBusy(false)
	s.object.drop()
	if err == nil {
		return s.ok()
	}
	if !s.client.errorText { // then the reply has no room for the reason
		text := strings.TrimSuffix(err.Error(), "\n") + "\n"
		if _, err := io.WriteString(console{s}, text); err != nil {
			return err
		}
	}
	return err
}
