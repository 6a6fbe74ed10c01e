package source

import (
	"path"
	"slices"
)

// A File is a source file that the debugging information names.
type File struct {
	Path string // absolute, with "/"
	Text []byte // nil if the debugging information has not got it
}

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
				texts[p] = t.Files[i].Source
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
