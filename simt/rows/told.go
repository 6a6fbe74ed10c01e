package rows

import (
	"math/bits"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// A Told is what observers have been told of a wave: of its accesses in all of its lanes, step by step.
type Told struct {
	lanes uint64
	odd   bool // or something else as well
	steps []toldStep
}

// A toldStep is accesses of a Note, from one on, that were told of together, or records that were left of
// loads.
type toldStep struct {
	from   *NoteAccess // nil for records
	count  int
	calls  []uint64
	loads  *simt.Loads // nil for another access
	pieces []simt.Piece
	access simt.Access
	add    uint64 // to the addresses of that, of which only
	kept   uint64 // these bits are
	rows   []toldRow

	records []simt.LoadRecord

	behind telling
}

// A toldRow is a row of addresses.
type toldRow struct {
	reg int32
	by  uint64 // how much further on it is each time
	at  [simt.MaxLanes]uint64
}

// A telling is what code tells of.
type telling struct{ noted, later uint32 }

func tellingOf(x *Context) telling { return telling{x.Noted, x.Telling} }

// begin empties it for a wave with some lanes.
func (t *Told) begin(lanes uint64) { t.lanes, t.odd, t.steps = lanes, false, t.steps[:0] }

// step is the next step, to be filled.
func (t *Told) step(from *NoteAccess, count int, calls []uint64) *toldStep {
	i := len(t.steps)
	t.steps = slices.Grow(t.steps, 1)[:i+1]
	s := &t.steps[i]
	*s = toldStep{from: from, count: count, calls: calls, pieces: s.pieces[:0], rows: s.rows[:0],
		records: s.records[:0]}
	return s
}

// row keeps a row.
func (s *toldStep) row(reg int32, at []uint64) {
	i := len(s.rows)
	s.rows = slices.Grow(s.rows, 1)[:i+1]
	s.rows[i].reg = reg
	copy(s.rows[i].at[:], at)
}

// Loads keeps that observers have been told of the first loads of a Note, together. r are the rows of the
// wave, of so many lanes.
func (t *Told) Loads(n Note, by *LoadNoter, calls, r []uint64, lanes int) {
	if t == nil || t.odd {
		return
	}
	of := n[0].together
	s := t.step(&n[0], of.count, calls)
	s.loads, s.pieces = &of.loads, append(s.pieces, by.pieces...)
	for _, reg := range of.rows {
		s.row(reg, r[int(reg)*lanes:][:lanes])
	}
}

// Access keeps that observers have been told of an access, of count of those of a Note, whose addresses are
// those of a row, with an offset, of which some bits are kept.
func (t *Told) Access(n Note, count int, a *simt.Access, row, calls []uint64, kept uint64) {
	if t == nil || t.odd {
		return
	}
	o := n[0].Op
	if !a.Write && a.Space == simt.Global || o.Under.N != Always || a.Lanes != t.lanes {
		t.odd = true
		return
	}
	s := t.step(&n[0], count, calls)
	s.access, s.add, s.kept = *a, uint64(o.Offset), kept
	s.access.Wave, s.access.Addr = nil, nil
	s.row(o.S[0].Reg, row)
}

// Records keeps that code has left records.
func (t *Told) Records(all []simt.LoadRecord) {
	if t == nil || t.odd || len(all) == 0 {
		return
	}
	s := t.step(nil, 0, nil)
	s.records = append(s.records, all...)
}

// Odd keeps that observers have been told of something else.
func (t *Told) Odd() {
	if t != nil {
		t.odd = true
	}
}

// behind reports whether a wave has done the same as another, but for rows that are further on, each as much
// in all lanes, and finds by how much.
func (t *Told) behind(was *Told, lanes int) bool {
	if t.odd || was.odd || t.lanes != was.lanes || len(t.steps) != len(was.steps) {
		return false
	}
	for i := range t.steps {
		s, last := &t.steps[i], &was.steps[i]
		if s.from != last.from || !sameRecords(s.records, last.records, lanes) {
			return false
		}
		for k := range s.rows {
			row, before := &s.rows[k], &last.rows[k]
			first := bits.TrailingZeros64(t.lanes)
			row.by = row.at[first] - before.at[first]
			if !row.is(before.at[:lanes], -row.by, t.lanes) {
				return false
			}
		}
	}
	return true
}

// sameRecords reports whether records are the same, of so many lanes.
func sameRecords(a, b []simt.LoadRecord, lanes int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		r, o := &a[i], &b[i]
		if r.Site != o.Site || r.Lanes != o.Lanes || r.Active != o.Active ||
			!slices.Equal(r.Rows[:lanes/2], o.Rows[:lanes/2]) {
			return false
		}
	}
	return true
}

// is reports whether a row is what has been kept, so many bytes further on.
func (r *toldRow) is(row []uint64, by, lanes uint64) bool {
	return vec.Further(row, r.at[:len(row)], by)&lanes == lanes
}

// does reports whether the first accesses of a Note are those of a step, some times as much further on.
func (s *toldStep) does(n Note, r []uint64, lanes int, active, times uint64) bool {
	if s.from != &n[0] {
		return false
	}
	for i := range s.rows {
		row := &s.rows[i]
		if !row.is(r[int(row.reg)*lanes:][:lanes], times*row.by, active) {
			return false
		}
	}
	return true
}

// again tells of the accesses of a step for a wave, some times as much further on.
func (s *toldStep) again(m *simt.Machine, w *simt.Wave, lanes int, times uint64) {
	if s.loads != nil {
		pieces := slices.Clone(s.pieces)
		for i := range pieces {
			pieces[i].At += times * s.rows[pieces[i].Row].by
		}
		m.NoteLoads(w, s.loads, pieces)
		return
	}
	a := s.access
	a.Wave = w
	row := s.rows[0].at
	for l := range row {
		row[l] += times * s.rows[0].by
	}
	if m.NoteRow(&a, row[:lanes], s.add, s.kept) {
		return
	}
	for l := range row {
		row[l] = (row[l] + s.add) & s.kept
	}
	a.Addr = &row
	m.Note(&a)
}
