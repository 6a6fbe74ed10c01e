// Package findings has what checkers find in a form for other programs, and what users do not want to be told
// of. It knows no machine and no program: a [Finding] is places, words and numbers.
//
// Entry points: a [List] keeps findings and writes them as JSON or SARIF; [Suppressions] say which are not to
// be told.
package findings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"sync"
)

// A Place is where something is in a program. What is not known is empty.
type Place struct {
	PC       string `json:"pc,omitempty"` // hexadecimal, with 0x
	Function string `json:"function,omitempty"`
	Folder   string `json:"folder,omitempty"` // of the compilation, which File is relative to
	File     string `json:"file,omitempty"`
	Line     uint32 `json:"line,omitempty"`
	Column   uint32 `json:"column,omitempty"`
}

// A Lane is a lane of the dispatch.
type Lane struct {
	Wave      int       `json:"wave"`
	Lane      int       `json:"lane"`
	Workgroup [3]uint32 `json:"workgroup"`
	WorkItem  [3]uint32 `json:"work_item"`
}

// A Party is another lane that a finding is about.
type Party struct {
	Lane
	Does  string `json:"does,omitempty"` // such as "write"
	Place Place  `json:"place"`
}

// An Access is one to memory.
type Access struct {
	Does    string `json:"does"`
	Space   string `json:"space"`
	Address string `json:"address"` // hexadecimal, with 0x
	Size    int    `json:"size"`
	In      string `json:"in,omitempty"` // what has the address
}

// A Finding is one defect or fault.
type Finding struct {
	Kind    string `json:"kind"` // as --check names it, or "fault"
	Message string `json:"message"`
	Advice  string `json:"advice,omitempty"`
	Kernel  string `json:"kernel"`
	Launch  int    `json:"launch,omitempty"` // its number, where a host program makes several
	Lane
	Lanes  string  `json:"lanes"` // of the wave that it concerns: a mask, hexadecimal, with 0x
	Place  Place   `json:"place"`
	Calls  []Place `json:"calls,omitempty"` // that led there, with what is inlined, innermost first
	Access *Access `json:"access,omitempty"`
	Others []Party `json:"others,omitempty"`
	Text   string  `json:"text"` // as it is told
}

// mostKept bounds a list.
const mostKept = 10000

// A List keeps findings. The zero List is empty.
type List struct {
	mu    sync.Mutex
	all   []Finding
	count int
}

// Add keeps a finding.
func (l *List) Add(f Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count++; len(l.all) < mostKept {
		l.all = append(l.all, f)
	}
}

// A Format is how a list is written.
type Format int

// The formats.
const (
	JSON Format = iota
	SARIF
)

// FormatOf is the format that a file's name asks for.
func FormatOf(name string) (Format, error) {
	switch path.Ext(name) {
	case ".json":
		return JSON, nil
	case ".sarif":
		return SARIF, nil
	}
	return 0, fmt.Errorf("%q ends neither in .json nor in .sarif, which say how it is written", name)
}

// Write writes what was found.
func (l *List) Write(w io.Writer, format Format) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.all
	if all == nil {
		all = []Finding{}
	}
	var v any = struct {
		Version  int       `json:"version"` // of the format
		Findings []Finding `json:"findings"`
		Left     int       `json:"left_off,omitempty"` // findings beyond the most that are kept
	}{1, all, l.count - len(all)}
	if format == SARIF {
		v = sarif(all)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// at is where a place's file is, from the root or relative to where the program was compiled.
func (p *Place) at() string {
	if p.File == "" || path.IsAbs(p.File) || !path.IsAbs(p.Folder) {
		return p.File
	}
	return path.Join(p.Folder, p.File)
}

// where is the first place that has a line: the finding's own, or that of a call.
func (f *Finding) where() *Place {
	for i := -1; i < len(f.Calls); i++ {
		p := &f.Place
		if i >= 0 {
			p = &f.Calls[i]
		}
		if p.File != "" && p.Line != 0 {
			return p
		}
	}
	return &f.Place
}

// name is a function's, or the kernel's where it is not known.
func (f *Finding) name() string { return cmp.Or(f.Place.Function, f.Kernel) }
