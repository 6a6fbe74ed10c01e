package rsp

import (
	"bytes"
	"fmt"
	"strconv"
)

// A ForeignError says that a client has sent what is no part of the protocol, or a damaged packet before it
// has shown that it is a debugger: a web page, which any browser lets send bytes of its choice behind a
// header of HTTP's to any port of this machine, or somebody who has mistaken the port. Nothing of what it
// sent from there on has been obeyed.
type ForeignError struct {
	First []byte // how it began, from the first such byte on; empty for a damaged packet
}

// Beginnings of other protocols, by which people know them. HTTP is that of a browser that takes the port for
// a web server's, or is told to by a page.
var beginnings = []struct{ first, name string }{
	{"GET ", "HTTP"}, {"POST ", "HTTP"}, {"PUT ", "HTTP"}, {"HEAD ", "HTTP"}, {"OPTIONS ", "HTTP"},
	{"DELETE ", "HTTP"}, {"PATCH ", "HTTP"}, {"CONNECT ", "HTTP"}, {"TRACE ", "HTTP"},
	{"PRI * HTTP/2", "HTTP"},
	{"\x16\x03", "TLS"}, {"SSH-", "SSH"},
}

// firstLine bounds what is shown of a foreign client's first line, which others may choose.
const firstLine = 60

func (e *ForeignError) Error() string {
	if len(e.First) == 0 {
		return "not gdb's protocol: a damaged packet before qSupported"
	}
	name := "something else"
	for _, b := range beginnings {
		if bytes.HasPrefix(e.First, []byte(b.first)) {
			name = b.name
		}
	}
	line, _, _ := bytes.Cut(e.First, []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	return fmt.Sprintf("not gdb's protocol but %s: %s", name,
		strconv.QuoteToASCII(string(line[:min(len(line), firstLine)])))
}

// Unwrap makes it an ErrProtocol.
func (e *ForeignError) Unwrap() error { return ErrProtocol }
