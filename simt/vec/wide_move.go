package vec

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// The twins of what moves Wides.

var wideTwinMoves = wideMover{reach, loadItems32, loadItems64, storeItems32, storeItems64, join, part}

func reach(x *wideSpan) {
	lo, hi, low := ^uint64(0), uint64(0), uint64(0)
	for l := range x.d {
		at := x.a[l] + x.add
		x.d[l] = at
		if x.mask>>l&1 != 0 {
			lo, hi, low = min(lo, at), max(hi, at), low|at
		}
	}
	x.lo, x.hi, x.low = lo, hi, low
}

// item is where a lane's number of some bytes lies.
func (x *wideMove) item(l, size int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(x.mem), x.at[l&31]-x.first)), size)
}

func loadItems32(x *wideMove) {
	for m := x.mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		x.row[l&31] = uint64(binary.LittleEndian.Uint32(x.item(l, 4)))
	}
}

func loadItems64(x *wideMove) {
	for m := x.mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		x.row[l&31] = binary.LittleEndian.Uint64(x.item(l, 8))
	}
}

func storeItems32(x *wideMove) {
	for m := x.mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		binary.LittleEndian.PutUint32(x.item(l, 4), uint32(x.row[l&31]))
	}
}

func storeItems64(x *wideMove) {
	for m := x.mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		binary.LittleEndian.PutUint64(x.item(l, 8), x.row[l&31])
	}
}

// dwords are those of a row.
func dwords(p *byte) []byte { return unsafe.Slice(p, wideRowBytes) }

func join(d *Wide, lo, hi *byte, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		d[l] = uint64(binary.LittleEndian.Uint32(dwords(lo)[4*l:]))
		if hi != nil {
			d[l] |= uint64(binary.LittleEndian.Uint32(dwords(hi)[4*l:])) << 32
		}
	}
}

func part(s *Wide, lo, hi *byte, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		binary.LittleEndian.PutUint32(dwords(lo)[4*l:], uint32(s[l]))
		if hi != nil {
			binary.LittleEndian.PutUint32(dwords(hi)[4*l:], uint32(s[l]>>32))
		}
	}
}
