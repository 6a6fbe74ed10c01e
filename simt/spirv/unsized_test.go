package spirv

import (
	"encoding/binary"
	"testing"

	"simtgdb/simt/texel"
)

// TestUnsizedImages: lanes read different images of an array that has no length, one of which is bound to
// nothing; what a variable stores into a buffer another variable of the same buffer has. Outside of an image
// all is 0, but for the alpha that its format has not.
func TestUnsizedImages(t *testing.T) {
	const r32ui = 98
	l := launch{groups: [3]uint32{1}, buffers: map[Slot][]byte{{0, 1, 0}: make([]byte, 16*48)},
		images: map[Slot]picture{}, nothing: []Slot{{0, 0, 2}}}
	for e := range uint32(2) {
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
		x, side, outside := 100*(i%3)+i/3, uint32(11), [4]uint32{0, 0, 0, 1}
		if i%3 == 2 {
			x, side, outside = 0, 0, [4]uint32{}
		}
		if v := [4]uint32(got[64+4*i:]); got[i] != x || got[32+i] != side || v != outside {
			t.Errorf("lane %d has %d of an image %d wide, and %v outside, want %d, %d, %v",
				i, got[i], got[32+i], v, x, side, outside)
		}
		if i%3 < 2 && r.words(Slot{0, 0, i % 3})[i/3] != i {
			t.Errorf("lane %d has not written its texel", i)
		}
	}
}
