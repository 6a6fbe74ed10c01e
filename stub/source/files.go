package source

import (
	"crypto/md5"
	"path"
	"slices"
)

// A File is a source file that the debugging information names.
type File struct {
	Path string // absolute, with "/"
	Text []byte // nil if the debugging information has not got it
}

// Tell gives the texts of files by path, for those that the debugging information has no text of.
func (m *Map) Tell(texts map[string][]byte) { m.texts = texts }

// Files lists the files of all line tables, each once, by path.
func (m *Map) Files() []File {
	if m.Data == nil {
		return nil
	}
	texts := map[string][]byte{}
	for _, u := range m.Data.Units() {
		t, err := u.Lines()
		if err != nil || t == nil {
			continue
		}
		for i := range t.Files {
			p := t.Path(uint64(i)+t.FirstFile(), u.CompDir())
			if !path.IsAbs(p) {
				p = path.Join("/", p)
			}
			if p = path.Clean(p); texts[p] == nil {
				if texts[p] = t.Files[i].Source; len(texts[p]) == 0 {
					texts[p] = m.texts[p]
				}
			}
		}
	}
	var files []File
	for p, text := range texts {
		if len(text) == 0 {
			text = nil
		}
		files = append(files, File{p, text})
	}
	slices.SortFunc(files, func(a, b File) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return files
}

// IsText reports whether a text can be that of a position's file: it is not where a line table has another
// checksum.
func (m *Map) IsText(p Position, text []byte) bool {
	if m.Data == nil {
		return true
	}
	sum := md5.Sum(text)
	for _, u := range m.Data.Units() {
		t, err := u.Lines()
		if err != nil || t == nil || !t.Has.MD5 || u.CompDir() != p.CompDir {
			continue
		}
		for i := range t.Files {
			if path.Clean(u.FileName(uint64(i)+t.FirstFile())) == p.File && t.Files[i].MD5 != sum {
				return false
			}
		}
	}
	return true
}
