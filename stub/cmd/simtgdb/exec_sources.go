package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"simtgdb/stub/source"
)

// moduleSources are files with the texts of sources that modules carry, where a gdb that this program opens
// looks for them. Two modules may have different texts by one name: a file has the one of the module that was
// launched last, as gdb reads it anew when it is told of another program (gdb 13.1,
// forget_cached_source_info).
type moduleSources struct {
	folder string

	mu      sync.Mutex
	written map[string]*source.Map // what each file is of
}

// setting is the command that tells gdb of the folder.
func (s *moduleSources) setting() string {
	return fmt.Sprintf("set directories %s:$cdir:$cwd", s.folder)
}

// write writes the texts of a module. One that cannot be written is one that gdb does not show.
func (s *moduleSources) write(m *source.Map) {
	if m == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range m.Files() {
		if f.Text == nil || s.written[f.Path] == m {
			continue
		}
		if writeSource(s.folder, f) == nil {
			s.written[f.Path] = m
		}
	}
}

// newModuleSources makes a folder for them in another one.
func newModuleSources(parent string) (*moduleSources, error) {
	s := &moduleSources{folder: filepath.Join(parent, "source"), written: map[string]*source.Map{}}
	return s, os.Mkdir(s.folder, 0o700)
}
