package gcn

import (
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// The addresses of one load mostly lie as they did last time, of this wave or of another, and some bytes
// further on: so do their pieces.

// A pieced is places in a region of memory, and the pieces that their addresses lie in; none if nothing is
// kept.
type pieced struct {
	at     vec.Row
	base   uint64 // of the region
	pieces []simt.Piece
}

// fewPieces is how many are kept at most.
const fewPieces = 8

// addPieces adds those of the active lanes' places that have been worked out, in a region of memory. The row
// has a number.
func (c *Core) addPieces(row int, was *pieced, r *simt.Region) {
	alike := c.allActive() && len(r.Data) <= 1<<31
	if alike && len(was.pieces) > 0 {
		if by, ok := further(&c.at.At, &was.at, c.w.Size); ok {
			for _, p := range was.pieces {
				p.At += r.Base - was.base + by
				c.pieces = append(c.pieces, p)
			}
			return
		}
	}
	from := len(c.pieces)
	c.placed(r.Base)
	c.pieces = simt.Pieces(c.pieces, row, c.addr[:], c.w.Exec)
	if of := c.pieces[from:]; alike && len(of) <= fewPieces {
		was.at, was.base, was.pieces = c.at.At, r.Base, append(was.pieces[:0], of...)
	}
}

// further is how much further on the first n places are than others, if that is the same for each, modulo
// 2^64. Places are below 2^31, so that what is taken from a pair of them does not come from the other.
func further(at, from *vec.Row, n int) (by uint64, ok bool) {
	by = uint64(at[0]) - uint64(from[0])
	up, low := at, from
	if at[0] < from[0] {
		up, low = from, at
	}
	d := uint64(up[0] - low[0])
	d |= d << 32
	ups := (*[simt.MaxLanes / 2]uint64)(unsafe.Pointer(up))[:n/2]
	lows := (*[simt.MaxLanes / 2]uint64)(unsafe.Pointer(low))[:n/2]
	other := uint64(0)
	for i, u := range ups {
		other |= u - lows[i] ^ d
	}
	return by, other == 0
}
