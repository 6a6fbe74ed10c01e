package profile

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"simtgdb/loader/printable"
)

// Read reads a report that was written as JSON.
func Read(data []byte) (*Report, error) {
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("want a profile of one kernel that simtgdb profile --json has written: %w",
			err)
	}
	if r.Kernel == "" || r.Lines == nil {
		return nil, errors.New("want a profile of one kernel that simtgdb profile --json has written")
	}
	return &r, nil
}

// A change is what a line cost before and costs now; nil where it is in one of the two alone.
type change struct{ before, now *Line }

func executed(l *Line) uint64 {
	if l == nil {
		return 0
	}
	return l.Executed
}

// more is by how much more is executed now.
func (c *change) more() int64 { return int64(executed(c.now)) - int64(executed(c.before)) }

// changes are the lines of two reports. A line is the same if its text is, in a file of the same name: the
// nth of such a text is the nth; without texts, if its number is.
func changes(before, now *Report) []change {
	type key struct {
		file, text, function string
		number, nth          int
	}
	keys := func(r *Report) (list []key) {
		seen := map[key]int{}
		for _, l := range r.Lines {
			k := key{file: path.Base(l.File), text: strings.TrimSpace(l.Text), function: l.Function}
			if k.text == "" {
				k.number = l.Number
			}
			n := seen[k]
			seen[k]++
			k.nth = n
			list = append(list, k)
		}
		return list
	}
	at := map[key]int{}
	var all []change
	for i, k := range keys(before) {
		at[k] = len(all)
		all = append(all, change{before: &before.Lines[i]})
	}
	for i, k := range keys(now) {
		if n, ok := at[k]; ok {
			all[n].now = &now.Lines[i]
		} else {
			all = append(all, change{now: &now.Lines[i]})
		}
	}
	slices.SortStableFunc(all, func(a, b change) int { return cmp.Compare(abs(b.more()), abs(a.more())) })
	return all
}

func abs(n int64) int64 { return max(n, -n) }

// totals are what is compared of whole runs.
var totals = []struct {
	name string
	of   func(r *Report) uint64
}{
	{"instructions of waves", func(r *Report) uint64 { return r.Total.Executed }},
	{"lanes that executed", func(r *Report) uint64 { return r.Total.Lanes }},
	{"turns", func(r *Report) uint64 { return r.Turns }},
	{"bytes of global memory", func(r *Report) uint64 { return r.Total.Bytes }},
	{"operations on floats", func(r *Report) uint64 { return r.Total.Floats }},
	{"operations on integers", func(r *Report) uint64 { return r.Total.Integers }},
	{"lines of global memory", func(r *Report) uint64 { return r.Total.Lines }},
	{"conflicts of LDS banks", func(r *Report) uint64 { return r.Total.Conflicts() }},
	{"turns waited", func(r *Report) uint64 { return r.Total.Waited }},
}

// Compare writes what a run costs now beside what one cost before: in all, and by the lines that differ most.
func (r *Report) Compare(w io.Writer, before *Report) error {
	out := &strings.Builder{}
	fmt.Fprintf(out, "%s on %s, before: %s on %s\n", printable.Name(r.SourceName), printable.Name(r.Machine),
		printable.Name(before.SourceName), printable.Name(before.Machine))
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "before\tnow\tchange\t")
	for _, t := range totals {
		b, n := t.of(before), t.of(r)
		fmt.Fprintf(tab, "%d\t%d\t%s\t  %s\n", b, n, difference(b, n), t.name)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nlines by how much more or less is executed\n")
	tab = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "before\tnow\tchange\t  place")
	shown := 0
	for _, c := range changes(before, r) {
		if c.more() == 0 || shown == most {
			break
		}
		shown++
		l := cmp.Or(c.now, c.before)
		fmt.Fprintf(tab, "%s\t%s\t%s\t  %s\n", dash(executed(c.before)), dash(executed(c.now)),
			difference(executed(c.before), executed(c.now)), place(l.File, l.Number, l.Function))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if shown == 0 {
		fmt.Fprintln(out, "none")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// difference is a change in words.
func difference(before, now uint64) string {
	switch {
	case before == now:
		return "="
	case before == 0:
		return "new"
	case now == 0:
		return "gone"
	}
	return fmt.Sprintf("%+.1f %%", 100*(float64(now)-float64(before))/float64(before))
}
