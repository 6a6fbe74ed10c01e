// Package debuginfod answers requests for source files as debuginfod does: "GET /buildid/ID/source/PATH" of
// HTTP, for a gdb on this machine. It speaks as much of HTTP as that takes, for net/http and what it stands
// on, such as TLS, are 65 packages to compile, an eighth of the program, and a tenth of the pages that each
// of its starts touches.
//
// It knows no debugging information: whoever serves says which files there are.
//
// Entry point: [Server].
package debuginfod

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Server has source files of one build id. It gives the text that it has, else that of the file of this
// name, and no other files.
type Server struct {
	Files map[string][]byte // by path; nil: the file's own text
	ID    func() []byte     // the build id at present
}

// patience is how long a request and its answer may take, and maxHead how long a request may be.
const (
	patience = 10 * time.Second
	maxHead  = 1 << 16
)

// Serve answers whoever connects, until the listener is closed.
func (s *Server) Serve(ln net.Listener) {
	for {
		c, err := ln.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as too many open files: later there may be fewer
			time.Sleep(100 * time.Millisecond)
			continue
		}
		go func() {
			defer c.Close()
			c.SetDeadline(time.Now().Add(patience))
			s.answer(c, c)
		}()
	}
}

// The answers that there are. Each but the first says why there is no file.
const (
	found      = "200 OK"
	malformed  = "400 Bad Request"
	forbidden  = "403 Forbidden"
	missing    = "404 Not Found"
	notAllowed = "405 Method Not Allowed"
)

// answer answers one request; there is no other on the same connection.
func (s *Server) answer(r io.Reader, w io.Writer) {
	method, host, path, err := request(io.LimitReader(r, maxHead))
	status, kind := found, "application/octet-stream"
	var text []byte
	switch {
	case err != nil:
		status, text = malformed, []byte(err.Error()+"\n")
	case !ofThisMachine(host):
		status, text = forbidden, []byte("this server is for a gdb of this machine\n")
	case method != "GET":
		status = notAllowed // without a text, which HEAD must not have
	default:
		if text, err = s.file(path); err != nil {
			status, text = missing, []byte(err.Error()+"\n")
		}
	}
	more := ""
	if status != found {
		kind, more = "text/plain; charset=utf-8", "X-Content-Type-Options: nosniff\r\n"
	}
	if status == notAllowed {
		more += "Allow: GET\r\n"
	}
	fmt.Fprintf(w, "HTTP/1.1 %s\r\nDate: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s"+
		"Connection: close\r\n\r\n",
		status, time.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"), kind, len(text), more)
	w.Write(text)
}

// request reads a request as far as its body: whom it is addressed to, and the path of what it asks for.
func request(r io.Reader) (method, host, path string, err error) {
	text := textproto.NewReader(bufio.NewReader(r))
	line, err := text.ReadLine()
	if err != nil {
		return "", "", "", errors.New("no request")
	}
	words := strings.Split(line, " ")
	if len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1.") {
		return "", "", "", errors.New("not a request of HTTP/1.1")
	}
	target, err := url.ParseRequestURI(words[1])
	if err != nil || !strings.HasPrefix(words[1], "/") {
		return "", "", "", errors.New("the request names no path")
	}
	header, err := text.ReadMIMEHeader()
	if err != nil {
		return "", "", "", errors.New("the request's header has no end")
	}
	if len(header["Host"]) != 1 {
		return "", "", "", errors.New("the request does not say which host it is for")
	}
	return words[0], header["Host"][0], target.Path, nil
}

// errMissing says that there is no such file here, whatever there may be on this machine.
var errMissing = errors.New("no such file")

// file is the text of what a path asks for.
func (s *Server) file(path string) ([]byte, error) {
	rest, ok := strings.CutPrefix(path, "/buildid/")
	id, name, ok2 := strings.Cut(rest, "/source")
	text, known := s.Files[name]
	if !ok || !ok2 || !known || id != hex.EncodeToString(s.ID()) {
		return nil, errMissing
	}
	if text != nil {
		return text, nil
	}
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		return nil, errMissing
	}
	return text, nil
}

// ofThisMachine reports whether a request was addressed to this machine by an address of its own. A page can
// have a browser ask for a name that its maker has point here, and read the answer.
func ofThisMachine(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
