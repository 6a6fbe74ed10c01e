package vec

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

var wideMoves256 = wideMover{reach256, loadItems32256, loadItems64256, storeItems32256, storeItems64256,
	join256,
	part256}
