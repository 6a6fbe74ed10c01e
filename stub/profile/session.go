package profile

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"simtgdb/loader/printable"
)

// Bounds on what a session lists. What is beyond is counted, and not listed.
const (
	maxLaunches = 1 << 16
)

// A Session is the profile of several launches: those of a host program. Its zero
// value has none.
type Session struct {
	Program  string    `json:"program"`
	Count    int       `json:"count"` // of launches
	Launches []Launch  `json:"launches"`
	Kernels  []*Report `json:"kernels"` // all launches of each together, in the order of the first

	lines        map[*Report]map[lineKey]int
	instructions map[*Report]map[uint64]int
}

// A Launch is one of a session.
type Launch struct {
	Number int       `json:"number"` // among all, from 1
	Kernel string    `json:"kernel"`
	Name   string    `json:"sourceName"`
	Nth    int       `json:"nth"` // among those of the kernel
	Grid   [3]uint32 `json:"grid"`
	Block  [3]uint32 `json:"block"`
	Turns  uint64    `json:"turns"`
	Total  Figures   `json:"total"`
}

// A lineKey tells lines apart; what comes from none, by its function.
type lineKey struct {
	file     string
	line     int
	function string
}

// key is the line's.
func (l *Line) key() lineKey { return lineKey{l.File, l.Number, l.Function} }

// Add adds a launch. Its report becomes the session's. Launches of one kernel are
// those with the same names of program and kernel; their figures add up, and their
// waves come one launch after the other.
func (s *Session) Add(r *Report) {
	s.Count++
	i := slices.IndexFunc(s.Kernels, func(k *Report) bool {
		return k.Program == r.Program && k.Kernel == r.Kernel && k.Machine == r.Machine
	})
	nth := 1
	if i >= 0 {
		nth = s.Kernels[i].Launches + 1
	}
	if len(s.Launches) < maxLaunches {
		s.Launches = append(s.Launches,
			Launch{s.Count, r.Kernel, r.SourceName, nth, r.Grid, r.Block, r.Turns, r.Total})
	}
	if i < 0 {
		s.first(r)
		return
	}
	s.join(s.Kernels[i], r)
}

// first adds the first launch of a kernel.
func (s *Session) first(r *Report) {
	if s.lines == nil {
		s.lines, s.instructions = map[*Report]map[lineKey]int{}, map[*Report]map[uint64]int{}
	}
	lines, instructions := map[lineKey]int{}, map[uint64]int{}
	for i, l := range r.Lines {
		lines[l.key()] = i
	}
	for i, in := range r.Instructions {
		instructions[in.PC] = i
	}
	s.lines[r], s.instructions[r] = lines, instructions
	s.Kernels = append(s.Kernels, r)
}

// join adds a further launch to those of its kernel.
func (s *Session) join(k, r *Report) {
	if k.Launches == 1 {
		for i := range k.Waves {
			k.Waves[i].Launch = 1
		}
	}
	k.Launches++
	for _, w := range r.Waves[:min(len(r.Waves), maxWaves-len(k.Waves))] {
		w.Launch = k.Launches
		w.From, w.To = w.From+k.Turns, w.To+k.Turns
		for i := range w.Waits {
			w.Waits[i].From += k.Turns
			w.Waits[i].To += k.Turns
		}
		k.Waves = append(k.Waves, w)
	}
	k.Turns += r.Turns
	k.WaveCount += r.WaveCount
	k.WavesLeftOut = k.WaveCount - len(k.Waves)
	k.Total.add(&r.Total)
	k.Stacks = joinStacks(k.Stacks, r.Stacks)
	lines, instructions := s.lines[k], s.instructions[k]
	for _, l := range r.Lines {
		key := l.key()
		at, known := lines[key]
		if !known {
			lines[key] = len(k.Lines)
			k.Lines = append(k.Lines, l)
			continue
		}
		k.Lines[at].add(&l.Figures)
		k.Lines[at].Times += l.Times
	}
	for _, in := range r.Instructions {
		at, known := instructions[in.PC]
		if !known {
			instructions[in.PC] = len(k.Instructions)
			k.Instructions = append(k.Instructions, in)
			continue
		}
		k.Instructions[at].add(&in.Figures)
	}
}

// Finish puts what has been added in order. No launch may be added after it.
func (s *Session) Finish() {
	for _, k := range s.Kernels {
		k.sort()
	}
	s.lines, s.instructions = nil, nil
}

// Extent says how many launches there are, of how many kernels.
func (s *Session) Extent() string {
	launches, kernels := "launches", "kernels"
	if s.Count == 1 {
		launches = "launch"
	}
	if len(s.Kernels) == 1 {
		kernels = "kernel"
	}
	return fmt.Sprintf("%d %s of %d %s", s.Count, launches, len(s.Kernels), kernels)
}

// Text writes a table of the kernels, those first that executed most, and the report
// of each.
func (s *Session) Text(w io.Writer) error {
	out := &strings.Builder{}
	fmt.Fprintf(out, "%s: %s\n", printable.Name(s.Program), s.Extent())
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "launches\twaves\tturns\texecuted\tlanes\tcoalescing\tconflicts\twaited\t kernel\t")
	kernels := s.costliest()
	for _, k := range kernels {
		t := &k.Total
		fmt.Fprintf(tab, "%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t %s\t\n", k.Launches, k.WaveCount, k.Turns,
			t.Executed, percent(t.Efficiency()), share(t.Coalescing(), t.Lines), dash(t.Conflicts()),
			dash(t.Waited), printable.Name(k.SourceName))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return err
	}
	for _, k := range kernels {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := k.Text(w); err != nil {
			return err
		}
	}
	return nil
}

// costliest are the kernels, those first that executed most.
func (s *Session) costliest() []*Report {
	list := slices.Clone(s.Kernels)
	slices.SortStableFunc(list, func(a, b *Report) int {
		return cmp.Compare(b.Total.Executed, a.Total.Executed)
	})
	return list
}

// shownLaunches is how many launches the page lists.
const shownLaunches = 1000

// A sessionPage is a session with what its template needs.
type sessionPage struct {
	*Session
	Pages  []*page
	Shown  []Launch
	Hidden int
}

// HTML writes the session as one page, as [Report.HTML] does with a report.
func (s *Session) HTML(w io.Writer) error {
	p := &sessionPage{Session: s, Shown: s.Launches[:min(len(s.Launches), shownLaunches)]}
	p.Hidden = s.Count - len(p.Shown)
	for i, k := range s.costliest() {
		p.Pages = append(p.Pages, k.page(fmt.Sprintf("k%d-", i+1)))
	}
	return pageTemplates().ExecuteTemplate(w, "session", p)
}
