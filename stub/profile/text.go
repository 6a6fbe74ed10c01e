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

// most is how many rows the tables of the text have.
const most = 20

// place is where something comes from, for a row: a line, or else a function.
func place(file string, line int, function string) string {
	switch {
	case line == 0 && function == "":
		return "no line"
	case line == 0:
		return "no line, in " + printable.Name(function)
	}
	return fmt.Sprintf("%s:%d", printable.Name(file), line)
}

func percent(r float64) string { return fmt.Sprintf("%.0f %%", 100*r) }

// dash is a figure, or a dash in place of 0.
func dash(n uint64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// share is a ratio where there is something that it is of.
func share(r float64, of uint64) string {
	if of == 0 {
		return "-"
	}
	return percent(r)
}

// Text writes the report for a terminal: totals, the lines on which most was executed, and the
// instructions that cost most of memory and of waiting.
func (r *Report) Text(w io.Writer) error {
	out := &strings.Builder{}
	t := &r.Total
	launches := ""
	if r.Launches > 1 {
		launches = fmt.Sprintf("%d launches, ", r.Launches)
	}
	fmt.Fprintf(out, "%s: %s%d waves of %d lanes, %d instructions in %d turns\n",
		printable.Name(r.SourceName), launches,
		r.WaveCount, r.WaveSize, t.Executed, r.Turns)
	fmt.Fprintf(out, "lanes active: %s; lanes parted %d times\n", percent(t.Efficiency()), t.Parted)
	fmt.Fprintf(out, "global memory: %d accesses of waves, %d bytes, %d lines of %d bytes, coalescing %s\n",
		t.Loads+t.Stores, t.Bytes, t.Lines, lineSize, share(t.Coalescing(), t.Lines))
	fmt.Fprintf(
		out,
		"arithmetic: %d operations on floats, %d on integers; for each byte of global memory %s and %s\n",
		t.Floats, t.Integers, perByte(t.Floats, t.Bytes), perByte(t.Integers, t.Bytes))
	fmt.Fprintf(out, "LDS: %d accesses, %d passes of %d banks, %d of them conflicts; scratch: %d accesses\n",
		t.LDS,
		t.Passes, banks, t.Conflicts(), t.Scratch)
	fmt.Fprintf(out, "waited: %d turns of waves\n", t.Waited)

	fmt.Fprintf(out, "\nlines by instructions executed\n")
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "executed\ttimes\tlanes\tparted\tmemory lines\tcoalescing\tconflicts\twaited\t place\t")
	for i, l := range r.hottest() {
		if i == most {
			break
		}
		fmt.Fprintf(tab, "%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t %s\t\n", l.Executed, l.Times,
			percent(l.Efficiency()), dash(l.Parted), dash(l.Figures.Lines),
			share(l.Coalescing(), l.Figures.Lines), dash(l.Conflicts()), dash(l.Waited),
			place(l.File, l.Number, l.Function))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if err := r.arithmetic(out); err != nil {
		return err
	}
	for _, table := range tables {
		list := r.costly(table.figure)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", table.title)
		for i, in := range list {
			if i == most/2 {
				break
			}
			fmt.Fprintf(out, "%10d  %s  %s\n", table.figure(&in.Figures),
				place(in.File, in.Line, in.Function), in.Text)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// perByte is how much arithmetic there is for each byte, where there are bytes.
func perByte(n, bytes uint64) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g", float64(n)/float64(bytes))
}

// arithmetic writes the lines that compute most.
func (r *Report) arithmetic(out io.Writer) error {
	list := slices.Clone(r.Lines)
	list = slices.DeleteFunc(list, func(l Line) bool { return l.Floats+l.Integers == 0 })
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Floats, a.Floats), cmp.Compare(b.Integers, a.Integers))
	})
	fmt.Fprintf(out, "\nlines by arithmetic\n")
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "floats\tintegers\tbytes\tfloats/byte\t place\t")
	for _, l := range list[:min(len(list), most/2)] {
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t %s\t\n", dash(l.Floats), dash(l.Integers), dash(l.Bytes),
			perByte(l.Floats, l.Bytes), place(l.File, l.Number, l.Function))
	}
	return tab.Flush()
}

// tables are lists of instructions by one figure.
var tables = []struct {
	title  string
	figure func(f *Figures) uint64
}{
	{"instructions by lines of global memory touched", func(f *Figures) uint64 { return f.Lines }},
	{"instructions by lines of global memory beyond what was needed",
		func(f *Figures) uint64 { return f.Lines - min(f.Lines, f.BestLines) }},
	{"instructions by conflicts of LDS banks", func(f *Figures) uint64 { return f.Conflicts() }},
	{"instructions behind which lanes parted", func(f *Figures) uint64 { return f.Parted }},
	{"instructions at which waves waited, in turns", func(f *Figures) uint64 { return f.Waited }},
}
