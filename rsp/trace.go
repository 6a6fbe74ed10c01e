package rsp

import (
	"fmt"
	"io"
	"sync"
)

// maxTraced is how much of a payload a trace line shows.
const maxTraced = 512

// TraceTo gives a Trace function that writes a line for each packet: an arrow for
// the direction (<- from the client, -> to it) and the payload, with what is not
// printable as \xNN.
func TraceTo(w io.Writer) func(d Direction, payload []byte) {
	var mu sync.Mutex
	var line []byte
	return func(d Direction, payload []byte) {
		mu.Lock()
		defer mu.Unlock()
		line = append(line[:0], "<- "...)
		if d == Sent {
			line = append(line[:0], "-> "...)
		}
		for _, b := range payload[:min(len(payload), maxTraced)] {
			if b >= ' ' && b <= '~' && b != '\\' {
				line = append(line, b)
			} else {
				line = fmt.Appendf(line, `\x%02x`, b)
			}
		}
		if len(payload) > maxTraced {
			line = fmt.Appendf(line, " … (%d bytes)", len(payload))
		}
		line = append(line, '\n')
		w.Write(line) // a trace that cannot be written must not end the session
	}
}
