package spirv

import (
	"encoding/binary"
	"testing"

	"simtgdb/simt"
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
		m := texel.NewImage(texel.Formats()[r32ui], texel.Plane, [3]int{11, 2, 1}, 1, 1)
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

// outside is memory in which no texel is.
type outside struct{ t *testing.T }

func (o outside) Block(uint64, uint64) []byte { return nil }

func (o outside) Texels(uint64, *[simt.MaxLanes]uint64, int, bool, func(int, []byte)) bool {
	o.t.Error("a texel outside is read from memory")
	return false
}

func (o outside) Outside(uint64, bool) {}

func (o outside) Wrong(_ uint64, err error) { o.t.Error(err) }

// TestOutside: shaders read 0 outside of images, and an alpha of 1 where the format has none.
func TestOutside(t *testing.T) {
	for name, alpha := range map[string]int64{"r64_sint": 1, "r64_uint": 1, "r64g64b64a64_sint": 0,
		"r32_uint": 1, "r8g8b8a8_snorm": 0, "r32g32_sfloat": 1, "e5b9g9r9_ufloat_pack32": 1} {
		f := texel.ByName(name)
		m := texel.NewImage(f, texel.Plane, [3]int{4, 4, 1}, 1, 1)
		var o texel.Op
		var out [simt.MaxLanes]texel.Texel
		o.Begin(1)
		o.One, o.Border = &m, outsideOf
		o.Place[0].At = [3]float64{-1, 0, 0}
		if !o.Fetch(outside{t}, &out) {
			t.Fatalf("%s is not read", name)
		}
		for i, want := range [4]int64{0, 0, 0, alpha} {
			if got := f.Whole(out[0][i]); got != want {
				t.Errorf("%s: component %d is %d, want %d", name, i, got, want)
			}
		}
	}
}
