package source

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxSource bounds the size of a source file that is read.
const maxSource = 64 << 20

// A Finder finds the text of source lines. It looks for a file by the name
// that the debugging information has, then for that name and for its last
// part in each of Folders and of Trees.
type Finder struct {
	Folders []string // of the host
	Trees   []fs.FS
	Within  *Map // whose own texts come first, and whose folders are looked in; may be nil

	files map[string][][]byte // lines by name; nil for a file that is not there
}

// Line gives the text of a position, without the end of the line.
func (f *Finder) Line(p Position) (string, bool) {
	lines, known := f.files[p.File]
	if !known {
		lines = f.read(p)
		if f.files == nil {
			f.files = map[string][][]byte{}
		}
		f.files[p.File] = lines
	}
	if p.Line == 0 || int(p.Line) > len(lines) {
		return "", false
	}
	return string(bytes.TrimRight(lines[p.Line-1], "\r")), true
}

// File gives the whole text of the file of a position.
func (f *Finder) File(p Position) ([]byte, bool) {
	if text := f.Within.text(p); text != nil {
		return text, true
	}
	name := filepath.FromSlash(p.File)
	tries := []string{name}
	if !filepath.IsAbs(name) && filepath.IsAbs(p.CompDir) {
		tries = append(tries, filepath.Join(p.CompDir, name))
	}
	if !filepath.IsAbs(name) && p.CompDir == "" && f.Within != nil {
		for _, file := range f.Within.Files() {
			if strings.HasSuffix(file.Path, "/"+path.Clean(p.File)) {
				tries = append(tries, filepath.FromSlash(file.Path))
			}
		}
	}
	for _, folder := range f.Folders {
		if !filepath.IsAbs(name) {
			tries = append(tries, filepath.Join(folder, name))
		}
		tries = append(tries, filepath.Join(folder, filepath.Base(name)))
	}
	for _, t := range tries {
		if info, err := os.Stat(t); err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
			continue
		}
		if b, err := os.ReadFile(t); err == nil {
			return b, true
		}
	}
	for _, tree := range f.Trees {
		for _, t := range []string{path.Clean(p.File), path.Base(p.File)} {
			if b, err := fs.ReadFile(tree, t); err == nil {
				return b, true
			}
		}
	}
	return nil, false
}

func (f *Finder) read(p Position) [][]byte {
	b, ok := f.File(p)
	if !ok {
		return nil
	}
	return bytes.Split(b, []byte("\n"))
}

// text is the text that the debugging information has of a position's file, nil if it has none.
func (m *Map) text(p Position) []byte {
	if m == nil {
		return nil
	}
	name := path.Clean(path.Join("/", p.File))
	for _, f := range m.Files() {
		if f.Path == name || f.Path == path.Join("/", p.CompDir, p.File) {
			return f.Text
		}
	}
	return nil
}
