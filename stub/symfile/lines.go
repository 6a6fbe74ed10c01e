package symfile

import (
	"slices"

	"simtgdb/dwarf/line"
)

// shownLines is a line table without the lines of what calls the bodies of
// kernels.
func (l Layout) shownLines(t *line.Table) *line.Table {
	if t == nil || !slices.ContainsFunc(t.Rows, func(r line.Row) bool { return l.InCaller(r.Addr) }) {
		return t
	}
	shown := *t
	shown.Rows = slices.Clone(t.Rows)
	for i := range shown.Rows {
		r := &shown.Rows[i]
		if l.InCaller(r.Addr) && !r.Has(line.EndSequence) {
			r.Line, r.Flags = 0, 0
		}
	}
	return &shown
}
