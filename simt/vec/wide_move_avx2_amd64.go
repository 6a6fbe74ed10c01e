package vec

import "unsafe"

// The functions of wide_move_avx2_amd64.s.

//go:noescape
func reach256(x *wideSpan)

//go:noescape
func loadItems32256(x *wideMove)

//go:noescape
func loadItems64256(x *wideMove)

//go:noescape
func storeItems32256(x *wideMove)

//go:noescape
func storeItems64256(x *wideMove)

//go:noescape
func join256(d *Wide, lo, hi *byte, mask uint32)

//go:noescape
func part256(s *Wide, lo, hi *byte, mask uint32)

//go:noescape
func outside256(x *items)

var wideMoves256 = wideMover{reach256, loadItems32256, loadItems64256, storeItems32256, storeItems64256,
	join256,
	part256}

// asWide is a move of rows of 32 numbers as one of Wides, which they are.
func (x *items) asWide() wideMove {
	return wideMove{(*Wide)(unsafe.Pointer(x.row)), (*Wide)(unsafe.Pointer(x.at)), x.mem, -x.add,
		uint32(x.lanes)}
}

func loadItems256(x *items) {
	if outside256(x); x.outside == 0 {
		m := x.asWide()
		loadItems32256(&m)
	}
}

func storeItems256(x *items) {
	if outside256(x); x.outside == 0 {
		m := x.asWide()
		storeItems32256(&m)
	}
}
