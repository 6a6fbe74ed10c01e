package spirv

import (
	"encoding/binary"
	"testing"

	"simtgdb/simt/texel"
)

// TestUnsizedImages: lanes read different images of an array that has no length, and what a variable stores
// into a buffer another variable of the same buffer has.
func TestUnsizedImages(t *testing.T) {
	const r32ui = 98
	l := launch{groups: [3]uint32{1}, buffers: map[Slot][]byte{{0, 1, 0}: make([]byte, 16*40)},
		images: map[Slot]picture{}}
	for e := range uint32(3) {
		m := texel.NewImage(texel.Formats[r32ui], texel.Plane, [3]int{11, 2, 1}, 1, 1)
		p := picture{image: m, data: make([]byte, m.Bytes())}
		for x := range uint32(11) {
			binary.LittleEndian.PutUint32(p.data[4*(11+x):], 100*e+x)
		}
		l.images[Slot{0, 0, e}] = p
	}
	r := l.run(t, testModule(t, "unsized.spv"))
	ended(t, r)
	got := r.words(Slot{0, 1, 0})
	for i := range uint32(32) {
		x := 100*(i%3) + i/3
		if v := [4]uint32(got[32+4*i:]); got[i] != x || v != [4]uint32{x, i, 0, 1} {
			t.Errorf("lane %d has %d and %v, want %d", i, got[i], v, x)
		}
	}
}
