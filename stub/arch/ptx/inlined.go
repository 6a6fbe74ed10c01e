package ptx

import (
	"cmp"
	"slices"

	"simtgdb/dwarf"
	text "simtgdb/loader/ptx"
)

// inlined adds to functions that have lines alone what these say of functions inlined in them (PTX ISA,
// ".loc", function_name and inlined_at).
type inlined struct {
	functions *functions
	numbers   map[int]uint32        // of files in the line table, by those of the text
	origins   map[string]*dwarf.DIE // the abstract functions, by name
}

// An inlining is a call that was inlined: its entry, and what is inlined in it in turn.
type inlining struct {
	die    *dwarf.DIE
	ranges []dwarf.Range
	inner  map[call]*inlining
	order  []*inlining
}

// A call is a function with the place that it was called from.
type call struct {
	name            string
	file, line, col int
}

// add makes entries for a function of the rows that its statements have.
func (n *inlined) add(f *text.Func, die *dwarf.DIE, rows []text.Row) {
	outer := &inlining{die: die}
	from, _ := slices.BinarySearchFunc(rows, f.Start, func(r text.Row,
		a uint64) int {
		return cmp.Compare(r.Addr, a)
	})
	for i := from; i < len(rows) && rows[i].Addr < f.End; i++ {
		end := f.End
		if i+1 < len(rows) {
			end = min(end, rows[i+1].Addr)
		}
		if end > rows[i].Addr && rows[i].InlinedAt != nil {
			n.cover(outer, &rows[i], dwarf.Range{Low: rows[i].Addr, High: end})
		}
	}
	outer.finish()
}

// cover adds a range to the inlinings that a row is in, the outermost first. It returns the innermost.
func (n *inlined) cover(outer *inlining, r *text.Row, at dwarf.Range) *inlining {
	if r.InlinedAt == nil {
		return outer
	}
	outer = n.cover(outer, r.InlinedAt, at)
	key := call{r.Function, r.InlinedAt.File, r.InlinedAt.Line, r.InlinedAt.Col}
	in := outer.inner[key]
	if in == nil {
		in = &inlining{die: dwarf.NewDIE(dwarf.TagInlinedSubroutine,
			dwarf.RefAttr(dwarf.AttrAbstractOrigin, n.origin(r.Function)),
			dwarf.UintAttr(dwarf.AttrCallFile, uint64(n.numbers[key.file])),
			dwarf.UintAttr(dwarf.AttrCallLine, uint64(key.line)), dwarf.UintAttr(dwarf.AttrCallColumn,
				uint64(key.col)))}
		if outer.inner == nil {
			outer.inner = map[call]*inlining{}
		}
		outer.inner[key] = in
		outer.order = append(outer.order, in)
	}
	if last := len(in.ranges) - 1; last >= 0 && in.ranges[last].High == at.Low {
		in.ranges[last].High = at.High
	} else {
		in.ranges = append(in.ranges, at)
	}
	return in
}

// origin is the abstract function of a name.
func (n *inlined) origin(name string) *dwarf.DIE {
	d := n.origins[name]
	if d == nil {
		d = n.functions.add(name, dwarf.UintAttr(dwarf.AttrInline, dwarf.InlInlined))
		n.origins[name] = d
	}
	return d
}

// finish puts the entries in each other.
func (in *inlining) finish() {
	for _, c := range in.order {
		c.die.Set(dwarf.RangesAttr(c.ranges))
		in.die.Add(c.die)
		c.finish()
	}
}
