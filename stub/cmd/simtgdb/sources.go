package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/loader/printable"
	"simtgdb/stub/debuginfod"
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

// listenForSources starts a server of sources and says how gdb finds it.
func listenForSources(std stdio, m *source.Map, id func() []byte) (io.Closer, error) {
	s := &debuginfod.Server{Files: map[string][]byte{}, ID: id}
	for _, f := range m.Files() {
		s.Files[f.Path] = f.Text
	}
	if len(s.Files) == 0 {
		return nil, errors.New("--sources: no debug information names a source file")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go s.Serve(ln)
	fmt.Fprintf(std.err, "Sources, for gdb: set debuginfod urls http://%v\n"+
		"                  set debuginfod enabled on\n", ln.Addr())
	return ln, nil
}
