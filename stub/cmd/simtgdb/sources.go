package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"simtgdb/loader/printable"
	"simtgdb/stub/launch"
	"simtgdb/stub/recording"
	"simtgdb/stub/source"
)

// sourcesCommand writes the source files that are inside of a file: shaders
// carry theirs.
func sourcesCommand(args []string, std stdio) int {
	set := newFlags("sources")
	target := set.String("target", "", "which `TARGET` of an offload bundle to take, as gfx90a")
	out := set.String("out", "", "write the files below `FOLDER`; without it only their names are printed")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	files, err := filesOf(rest, *target, std.err)
	if err != nil {
		return fail(std, "sources", err)
	}
	if len(files) == 0 {
		return fail(std, "sources", fmt.Errorf("%s: no debug information names a source file", rest[0]))
	}
	written := 0
	for _, f := range files {
		what := "not in the file"
		if f.Text != nil {
			what = fmt.Sprintf("%d bytes", len(f.Text))
			written++
		}
		fmt.Fprintf(std.out, "%s  %s\n", printable.Name(f.Path), what)
		if *out == "" || f.Text == nil {
			continue
		}
		if err := writeSource(*out, f); err != nil {
			return fail(std, "sources", err)
		}
	}
	if *out != "" && written == 0 {
		return fail(std, "sources", fmt.Errorf("%s: the file has no text of its sources", rest[0]))
	}
	return statusDone
}

// filesOf are the source files that a file names: a recording has those that it was to have.
func filesOf(words []string, target string, w io.Writer) ([]source.File, error) {
	if len(words) == 1 {
		if data, err := (launch.File{Path: words[0]}).Read(); err == nil {
			if r, err := recording.Read(data); err == nil {
				var files []source.File
				for _, path := range slices.Sorted(maps.Keys(r.Sources)) {
					files = append(files, source.File{Path: path, Text: r.Sources[path]})
				}
				if len(files) == 0 {
					return nil, fmt.Errorf("%s: the recording has no sources: --record-sources puts them in",
						words[0])
				}
				return files, nil
			}
		}
	}
	m, err := openOne(words, target, w)
	if err != nil {
		return nil, err
	}
	origin, err := source.New(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", words[0], err)
	}
	return origin.Files(), nil
}

// inventedFolder is where sources without a folder are said to be.
const inventedFolder = "/spirv/"

// writeSource puts a file where gdb's "directory FOLDER" finds it. Its path is
// clean, so that it leads nowhere else.
func writeSource(folder string, f source.File) error {
	name := filepath.Join(folder, filepath.FromSlash(strings.TrimPrefix(f.Path, inventedFolder)))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, f.Text, 0o666)
}

// A sourceServer answers debuginfod's requests for source files of one build id
// ("GET /buildid/ID/source/PATH"), for a gdb on this machine. It gives the text
// that the debugging information has, else that of the file of this name, and
// no other files.
type sourceServer struct {
	files map[string][]byte // by path
	ids   func() []byte     // the build id at present
}

// serve answers the requests of a listener until it is closed.
func (s *sourceServer) serve(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // for want of files, say
			time.Sleep(time.Second / 10)
			continue
		}
		go func() {
			defer c.Close()
			if c.SetDeadline(time.Now().Add(longestRequest)) == nil {
				s.answer(c)
			}
		}()
	}
}

// A request has to come, and its answer to be taken, in this time; it is at most so long, with its headers.
const (
	longestRequest = 10 * time.Second
	largestRequest = 1 << 16
)

// The statuses of answers (RFC 9110, section 15).
const (
	answerOK        = "200 OK"
	answerMalformed = "400 Bad Request"
	answerForbidden = "403 Forbidden"
	answerNotFound  = "404 Not Found"
)

// answer reads one request (RFC 9112, sections 2 to 6) and answers it. The connection is closed then, so that
// nothing needs to be read of a body.
func (s *sourceServer) answer(c io.ReadWriter) {
	status, text := s.ask(textproto.NewReader(bufio.NewReader(io.LimitReader(c, largestRequest))))
	if status != answerOK {
		text = []byte(status + "\n")
	}
	fmt.Fprintf(c, "HTTP/1.1 %s\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n"+
		"Connection: close\r\n\r\n%s", status, len(text), text)
}

// ask reads a request and says what it comes to.
func (s *sourceServer) ask(r *textproto.Reader) (status string, text []byte) {
	line, err := r.ReadLine()
	if err != nil {
		return answerMalformed, nil
	}
	header, err := r.ReadMIMEHeader()
	words := strings.Fields(line)
	if err != nil || len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1.") {
		return answerMalformed, nil
	}
	target, err := url.ParseRequestURI(words[1])
	if err != nil {
		return answerMalformed, nil
	}
	if !ofThisMachine(header.Get("Host")) {
		return answerForbidden, nil
	}
	rest, isID := strings.CutPrefix(target.Path, "/buildid/")
	id, path, isSource := strings.Cut(rest, "/source")
	text, known := s.files[path]
	if words[0] != "GET" || !isID || !isSource || !known || id != hex.EncodeToString(s.ids()) {
		return answerNotFound, nil
	}
	if text == nil {
		if text, err = os.ReadFile(filepath.FromSlash(path)); err != nil {
			return answerNotFound, nil
		}
	}
	return answerOK, text
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

// listenForSources starts a server of sources and says how gdb finds it.
func listenForSources(std stdio, m *source.Map, id func() []byte) (net.Listener, error) {
	s := &sourceServer{files: map[string][]byte{}, ids: id}
	for _, f := range m.Files() {
		s.files[f.Path] = f.Text
	}
	if len(s.files) == 0 {
		return nil, errors.New("--sources: no debug information names a source file")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go s.serve(ln)
	fmt.Fprintf(std.err, "Sources, for gdb: set debuginfod urls http://%v\n"+
		"                  set debuginfod enabled on\n", ln.Addr())
	return ln, nil
}
