package simt

import (
	"math"
	"math/bits"
	"slices"

	"simtgdb/simt/vec"
)

// A Noter is an observer that may be told of an access by a core that executes several instructions at once,
// of which it can do none alone.
type Noter interface {
	Selective
	// Noted is told of an access before it happens, as Observe is, but for its Data, and for what the machine
	// knows of contents: all that is read or written has some; and that it is within what it is meant for
	// ([Aimer]). It reports whether that was all. If not, nothing has been told of the access, and the core
	// does what leads to it and tells of it by Observe: also of accesses before it that have been noted,
	// which must make no difference.
	Noted(a *Access) bool
}

// Notes reports whether those who want to know of a wave's accesses to a space are all Noters, snapshots left
// out.
func (m *Machine) Notes(w *Wave, space Space, write bool) bool {
	for i := range m.observers {
		o := &m.observers[i]
		if o.snapshots {
			continue
		}
		if o.noter == nil && o.wants(w, space, write) {
			return false
		}
	}
	return true
}

// Note tells Noters of an access. It reports whether that was all.
func (m *Machine) Note(a *Access) bool {
	for i := range m.observers {
		if n := m.observers[i].noter; n != nil && n.Wants(a.Wave, a.Space, a.Write) && !n.Noted(a) {
			return false
		}
	}
	return true
}

// A StrideNoter is a Noter that can be told of an access whose lanes lie at even distances without its
// addresses.
type StrideNoter interface {
	Noter
	// NotedStride is Noted for an access of lanes in a row, of which the first one's address is at and each
	// other one's a step further on. The access has no Addr.
	NotedStride(a *Access, at uint64, step uint32) bool
}

// NoteStride tells of such an access, as [Machine.Note] does. It is false, and nobody has been told, if
// others than a StrideNoter want to know: they may be told by Note.
func (m *Machine) NoteStride(a *Access, at uint64, step uint32) bool {
	var noter StrideNoter
	for i := range m.observers {
		o := &m.observers[i]
		if o.noter == nil || !o.noter.Wants(a.Wave, a.Space, a.Write) {
			continue
		}
		if o.stride == nil || noter != nil {
			return false
		}
		noter = o.stride
	}
	return noter == nil || noter.NotedStride(a, at, step)
}

// NoteRow is NoteStride for an access whose lanes have the addresses of a row, with something added and only
// some of the bits kept. It is false, and nobody has been told, if they do not lie at even distances.
func (m *Machine) NoteRow(a *Access, row []uint64, add, bitsKept uint64) bool {
	first := bits.TrailingZeros64(a.Lanes)
	many := bits.OnesCount64(a.Lanes)
	if first+many > len(row) || a.Lanes>>first != ^uint64(0)>>(MaxLanes-many) {
		return false
	}
	at, step := (row[first]+add)&bitsKept, uint64(0)
	if many > 1 {
		step = row[first+1] - row[first]
		all := uint64(1)<<(many-1) - 1
		if step > math.MaxUint32 || vec.Steps(row, step)>>first&all != all ||
			(row[first+many-1]+add)&bitsKept-at != uint64(many-1)*step {
			return false
		}
	}
	return m.NoteStride(a, at, uint32(step))
}

// Loads are loads from global memory that lanes of a wave make one after the other, of the same lanes at
// addresses that differ from those of a row in what is added alone.
type Loads struct {
	All  []Load
	Rows []LoadRow
}

// A Load is one of them.
type Load struct {
	PC   uint64
	Row  int // the number of the row that its addresses are computed from
	Add  int64
	Size int
	// As an Access has them.
	Perhaps, Near, InOrder, Unmarked bool
}

// A LoadRow is what loads do with one row of addresses.
type LoadRow struct {
	Lo, Hi int64 // from the least that is added to behind the last byte
	Size   int   // of each; 0 if they differ
	Gap    int64 // at most, from the least byte of one to the next one's; see Dense
}

// Ready completes Rows, so many of them, once All is complete.
func (l *Loads) Ready(rows int) {
	l.Rows = make([]LoadRow, rows)
	adds := make([][]int64, rows)
	for _, o := range l.All {
		r, end := &l.Rows[o.Row], o.Add+int64(o.Size)
		if len(adds[o.Row]) == 0 {
			*r = LoadRow{Lo: o.Add, Hi: end, Size: o.Size}
		}
		r.Lo, r.Hi = min(r.Lo, o.Add), max(r.Hi, end)
		if r.Size != o.Size {
			r.Size = 0
		}
		adds[o.Row] = append(adds[o.Row], o.Add)
	}
	for i, a := range adds {
		slices.Sort(a)
		for k := 1; k < len(a); k++ {
			l.Rows[i].Gap = max(l.Rows[i].Gap, a[k]-a[k-1])
		}
	}
}

// A Piece is lanes of a row whose addresses are at even distances, in groups that are so, too: Many of them
// from First on, the first's at At; or one, with the same address as others behind it. Each of Times groups
// begins Apart lanes behind the one before it, and its addresses are Skip further on.
type Piece struct {
	At          uint64
	Step, Skip  uint32
	Row         uint8 // its number
	First, Many uint8

	Times, Apart uint8
}

// Group is what loads access by the first group.
func (p *Piece) Group(r *LoadRow) Extent {
	return Extent{p.At + uint64(r.Lo), p.At + uint64(p.Many-1)*uint64(p.Step) + uint64(r.Hi)}
}

// Further is how much further on the last group's addresses are than the first's.
func (p *Piece) Further() uint64 { return uint64(p.Times-1) * uint64(p.Skip) }

// Dense reports whether all that Group is of is accessed.
func (p *Piece) Dense(r *LoadRow) bool {
	return r.Size > 0 && (p.Many == 1 || int(p.Step) == r.Size) && r.Gap <= int64(p.Many)*int64(r.Size)
}

// takes makes another piece a group of p, and reports whether it is one.
func (p *Piece) takes(next *Piece) bool {
	if next.Many != p.Many || next.Step != p.Step {
		return false
	}
	skip, apart := next.At-p.At-p.Further(), next.First-p.First-(p.Times-1)*p.Apart
	switch {
	case p.Times > 1 && (skip != uint64(p.Skip) || apart != p.Apart), skip == 0, skip > math.MaxUint32:
		return false
	}
	p.Skip, p.Apart, p.Times = uint32(skip), apart, p.Times+1
	return true
}

// Pieces appends the pieces of a row of addresses, of some lanes.
func Pieces(to []Piece, row int, addr []uint64, lanes uint64) []Piece {
	from := len(to)
	known, same := uint64(0), uint64(0) // the lanes whose next is that step on; 0: not asked
	for lanes != 0 {
		l := bits.TrailingZeros64(lanes)
		n := min(bits.TrailingZeros64(^(lanes >> l)), len(addr)-l)
		of := addr[l : l+n]
		p := Piece{At: of[0], Row: uint8(row), First: uint8(l), Many: 1, Times: 1}
		i := 1
		if n > 1 {
			step := of[1] - of[0]
			if step > math.MaxUint32 {
				step = 0
			}
			switch {
			case of[1]-of[0] != step:
			case step != 0 && step == known, n > 4 && of[2]-of[1] == step && of[3]-of[2] == step:
				if step == 0 || step != known {
					known, same = step, vec.Steps(addr, step)
				}
				i = min(n, 1+bits.TrailingZeros64(^(same>>l)))
			default:
				for i = 2; i < n && of[i]-of[i-1] == step; i++ {
				}
			}
			if i > 1 && step > 0 {
				p.Step, p.Many = uint32(step), uint8(i)
			}
		}
		if len(to) == from || !to[len(to)-1].takes(&p) {
			to = append(to, p)
		}
		lanes &^= (1<<i - 1) << l
	}
	return to
}

// A LoadsReader is a Noter that can be told of loads together.
type LoadsReader interface {
	Noter
	// NotedLoads is Noted for loads, whose rows lie as pieces say.
	NotedLoads(w *Wave, l *Loads, pieces []Piece) bool
}

// NoteLoads tells of loads, as [Machine.Note] does. It is false, and nobody has been told, if others than
// a LoadsReader want to know.
func (m *Machine) NoteLoads(w *Wave, l *Loads, pieces []Piece) bool {
	var reader LoadsReader
	for i := range m.observers {
		o := &m.observers[i]
		if o.snapshots {
			continue
		}
		if o.reader == nil || reader != nil { // of several one might have been told in vain
			return false
		}
		reader = o.reader
	}
	return reader != nil && reader.NotedLoads(w, l, pieces)
}
