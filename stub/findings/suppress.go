package findings

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"simtgdb/loader/printable"
)

// A Suppression says which findings are not told: those of a kind in a file and a function, which patterns
// name as path.Match has them.
type Suppression struct {
	Kind, File, Function string

	from string // the file and the line that say so
	used int
}

// Suppressions are those of several files. The zero Suppressions are none.
type Suppressions struct {
	mu  sync.Mutex
	all []Suppression
}

// most bounds a file of suppressions, in lines.
const most = 10000

// Read reads suppressions of a text, one a line: a kind of check, the file, the function, the last of
// which may be left out. What follows # is a comment. known reports whether a kind exists.
func (s *Suppressions) Read(r io.Reader, name string, known func(kind string) bool) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		where := fmt.Sprintf("%s:%d", printable.Name(name), n)
		switch {
		case len(words) == 0:
			continue
		case len(words) == 1 || len(words) > 3:
			return fmt.Errorf("%s: %d words, not a kind of check, a file and perhaps a function, such as "+
				"\"race reduce.cl sum_*\"", where, len(words))
		case words[0] != "*" && !known(words[0]):
			return fmt.Errorf("%s: %s is no kind of check", where, printable.Name(words[0]))
		case len(s.all) == most:
			return fmt.Errorf("%s: more than %d suppressions", where, most)
		}
		one := Suppression{words[0], words[1], "*", where, 0}
		if len(words) == 3 {
			one.Function = words[2]
		}
		for _, pattern := range words[1:] {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("%s: %s is no pattern", where, printable.Name(pattern))
			}
		}
		s.all = append(s.all, one)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", printable.Name(name), err)
	}
	return nil
}

// Covers reports whether a finding is not to be told. It counts it then.
func (s *Suppressions) Covers(f *Finding) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.all {
		if s.all[i].covers(f) {
			s.all[i].used++
			return true
		}
	}
	return false
}

// covers looks at the place of the finding and at the calls that led there; of a race or the like at the
// other parties, too.
func (s *Suppression) covers(f *Finding) bool {
	if s.Kind != "*" && s.Kind != f.Kind {
		return false
	}
	places := append([]Place{f.Place}, f.Calls...)
	for _, o := range f.Others {
		places = append(places, o.Place)
	}
	for i := range places {
		p := &places[i]
		if matches(s.Function, p.Function) && (matches(s.File, p.at()) || matches(s.File, p.File) ||
			matches(s.File, path.Base(p.File))) {
			return true
		}
	}
	return false
}

func matches(pattern, name string) bool {
	if pattern == "*" {
		return true
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// Empty reports whether nothing is kept from being told.
func (s *Suppressions) Empty() bool { return len(s.all) == 0 }

// Used says how often each suppression that was needed has kept something from being told, one a line.
func (s *Suppressions) Used() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.all {
		if one := &s.all[i]; one.used > 0 {
			lines = append(lines, fmt.Sprintf("%s keeps %d from being told", one.from, one.used))
		}
	}
	return lines
}
