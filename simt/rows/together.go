package rows

import (
	"slices"

	"simtgdb/simt"
)

// A together is loads of a Note, from one on, that can be told of together: plain ones of global memory, one
// behind the other. It is made when it is first asked for.
type together struct {
	loads simt.Loads
	rows  []int32 // the registers that addresses are in
	count int     // accesses of the Note; 0 if there are none
}

// mostRows is how many rows of addresses loads that are told of together may have, and mostPieces how many
// pieces these may lie in.
const (
	mostRows   = 8
	mostPieces = 48
)

// A Where says where a machine has an instruction of a Note, by its number, and in which calls it is.
type Where func(inst int32) (pc uint64, calls []uint64)

// A LoadNoter tells of loads together.
type LoadNoter struct{ pieces []simt.Piece }

// Note tells of the first loads of a Note, and says how many accesses those are: none if that was not all, or
// if it is no load. r are the rows of a wave, of so many lanes.
func (t *LoadNoter) Note(m *simt.Machine, w *simt.Wave, n Note, active uint64, r []uint64, lanes int,
	where Where) int {
	of := n[0].together
	if of == nil {
		of = n.together(where)
		n[0].together = of
	}
	if of.count == 0 {
		return 0
	}
	t.pieces = t.pieces[:0]
	for i, reg := range of.rows {
		t.pieces = simt.Pieces(t.pieces, i, r[int(reg)*lanes:][:lanes], active)
	}
	if len(t.pieces) > mostPieces || !m.NoteLoads(w, &of.loads, t.pieces) {
		return 0
	}
	return of.count
}

// together finds the first loads.
func (n Note) together(where Where) *together {
	t := &together{}
	_, calls := where(n[0].Inst)
	for at := 0; at < len(n); {
		o, inst := n[at].Op, n[at].Inst
		if o.Kind != Load || o.Space != Global || o.Under.N != Always {
			break
		}
		pc, of := where(inst)
		row := slices.Index(t.rows, o.S[0].Reg)
		if !slices.Equal(of, calls) || row < 0 && len(t.rows) == mostRows {
			break
		}
		if row < 0 {
			row = len(t.rows)
			t.rows = append(t.rows, o.S[0].Reg)
		}
		size := o.Size
		at++
		for ; at < len(n) && n[at].Inst == inst && o.goesOn(n[at].Op, size); at++ { // of one access
			size += n[at].Op.Size
		}
		t.loads.All = append(t.loads.All, simt.Load{PC: pc, Row: row, Add: o.Offset, Size: size})
		t.count = at
	}
	t.loads.Ready(len(t.rows))
	return t
}

// goesOn reports whether an operation loads what lies behind the first bytes of another.
func (o *Op) goesOn(next *Op, bytes int) bool {
	return next.Kind == Load && next.Under == o.Under && next.S[0].Reg == o.S[0].Reg &&
		next.Offset == o.Offset+int64(bytes)
}
