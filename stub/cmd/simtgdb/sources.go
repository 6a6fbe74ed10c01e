package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

func (s *sourceServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !ofThisMachine(r.Host) {
		http.Error(w, "this server is for a gdb of this machine", http.StatusForbidden)
		return
	}
	rest, ok := strings.CutPrefix(r.URL.Path, "/buildid/")
	id, path, ok2 := strings.Cut(rest, "/source")
	text, known := s.files[path]
	if !ok || !ok2 || !known || id != hex.EncodeToString(s.ids()) || r.Method != http.MethodGet {
		http.NotFound(w, r)
		return
	}
	if text == nil {
		var err error
		if text, err = os.ReadFile(filepath.FromSlash(path)); err != nil {
			http.NotFound(w, r)
			return
		}
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Write(text)
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
func listenForSources(std stdio, m *source.Map, id func() []byte) (*http.Server, error) {
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
	server := &http.Server{Handler: s}
	go server.Serve(ln)
	fmt.Fprintf(std.err, "Sources, for gdb: set debuginfod urls http://%v\n"+
		"                  set debuginfod enabled on\n", ln.Addr())
	return server, nil
}
