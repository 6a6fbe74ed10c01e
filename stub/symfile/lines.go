package symfile

import (
	"slices"

	"simtgdb/dwarf/line"
)

// shownLines is a line table as gdb is to see it: without the lines of what calls the
// bodies of kernels; and one row for what is of one statement, since gdb up to 14 stops at each
// when it steps back over the line (fixed in 15, infrun.c, "Fix reverse stepping multiple
// contiguous PC ranges over the line table"). Rows of no line are left out for the same
// reason: gdb takes their code for a part of the line before.
func (l Layout) shownLines(t *line.Table) *line.Table {
	if t == nil {
		return t
	}
	shown := *t
	shown.Rows = nil
	first := true // of its sequence
	for _, r := range t.Rows {
		if r.Has(line.EndSequence) {
			shown.Rows, first = append(shown.Rows, r), true
			continue
		}
		hidden := l.InCaller(r.Addr)
		if hidden {
			r.Line, r.Flags = 0, 0
		}
		if !first {
			prev := &shown.Rows[len(shown.Rows)-1]
			same := r.Line == prev.Line && r.File == prev.File || r.Line == 0 && !hidden && prev.Line != 0
			if same && (r.Line == 0 || !r.Has(line.IsStmt)) {
				continue
			}
		}
		shown.Rows, first = append(shown.Rows, r), false
	}
	shown.Rows = slices.Clip(shown.Rows)
	return &shown
}
