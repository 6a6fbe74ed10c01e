package texel

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestOffsets: the texels of an image fill its bytes, each once, and a view's are those of the image.
func TestOffsets(t *testing.T) {
	for _, m := range []Image{
		NewImage(ByName("r8g8b8a8_unorm"), Plane, [3]int{5, 3, 1}, 3, 2),
		NewImage(ByName("r32_sfloat"), Volume, [3]int{4, 4, 3}, 2, 1),
		NewImage(ByName("r16g16_sint"), Cube, [3]int{4, 4, 1}, 3, 12),
		NewImage(ByName("r8_unorm"), Line, [3]int{7, 1, 1}, 1, 4),
	} {
		seen := map[uint64]bool{}
		for layer := range m.Layers {
			for level := range m.Levels {
				n := m.LevelSize(level)
				for i := range n[0] * n[1] * n[2] {
					x, y, z := i%n[0], i/n[0]%n[1], i/n[0]/n[1]
					at, ok := m.Offset(x, y, z, layer, level, 0)
					if !ok || at%uint64(m.Format.Size) != 0 || at >= m.Bytes() || seen[at] {
						t.Fatalf("%s: texel %d,%d,%d of level %d, layer %d at %d (%v)", m.Format, x, y, z,
							level, layer, at, ok)
					}
					seen[at] = true
				}
				for _, out := range [][3]int{{-1, 0, 0}, {n[0], 0, 0}, {0, n[1], 0}, {0, 0, n[2]}} {
					if _, ok := m.Offset(out[0], out[1], out[2], layer, level, 0); ok {
						t.Errorf("%s: there is a texel %v of %v", m.Format, out, n)
					}
				}
			}
		}
		if uint64(len(seen)*m.Format.Size) != m.Bytes() {
			t.Errorf("%s: %d texels in %d bytes", m.Format, len(seen), m.Bytes())
		}
		view := m
		view.FirstLayer, view.ViewLayers = m.Layers-1, 1
		view.FirstLevel, view.ViewLevels = m.Levels-1, 1
		at, _ := view.Offset(0, 0, 0, 0, 0, 0)
		if want, _ := m.Offset(0, 0, 0, m.Layers-1, m.Levels-1, 0); at != want {
			t.Errorf("%s: a view begins at %d, want %d", m.Format, at, want)
		}
	}
}

// TestBlocks: blocks of images and samplers are read as they were written, and what cannot be is refused.
func TestBlocks(t *testing.T) {
	m := NewImage(ByName("r8g8b8a8_srgb"), Cube, [3]int{16, 16, 1}, 5, 6)
	m.Address, m.Swizzle, m.FirstLevel, m.ViewLevels =
		0x12345678_9abcdef0, [4]uint8{2, 1, 0, SwizzleOne}, 1, 3
	b := make([]byte, ImageBytes)
	m.Write(b)
	if got, err := ReadImage(b); err != nil || got != m {
		t.Errorf("%+v (%v), want %+v", got, err, m)
	}
	s := Sampler{Mag: Linear, Mip: Linear, Modes: [3]Mode{Repeat, ClampToBorder, MirrorClampToEdge},
		Compare: Greater, Unnormalized: true, Bias: -0.5, Least: 1, Top: 7.25, Border: Texel{0, 0.5, 0, 1}}
	sb := make([]byte, SamplerBytes)
	s.Write(sb)
	if got, err := ReadSampler(sb); err != nil || got != s {
		t.Errorf("%+v (%v), want %+v", got, err, s)
	}
	for word, want := range map[int]string{0: "format 255", 1: "255 as shape", 2: "as width",
		5: "as number of layers", 6: "as number of levels", 8: "as first level", 11: "as layers in view"} {
		bad := append([]byte(nil), b...)
		bad[4*word], bad[4*word+1], bad[4*word+2], bad[4*word+3] = 255, 0, 0, 0
		if word == 2 || word == 5 {
			bad[4*word+3] = 1
		}
		if _, err := ReadImage(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("word %d: %v, want %q", word, err, want)
		}
	}
	sb[12] = 9
	if _, err := ReadSampler(sb); err == nil || !strings.Contains(err.Error(), "address mode 9") {
		t.Errorf("%v", err)
	}
}

// TestModes holds the address modes against what the texels of a row of four are, from -9 to 9.
func TestModes(t *testing.T) {
	for mode, want := range map[Mode]string{
		Repeat:            "3012301230123012301",
		MirroredRepeat:    "0012332100123321001",
		ClampToEdge:       "0000000000123333333",
		ClampToBorder:     ".........0123......",
		MirrorClampToEdge: "3333332100123333333",
	} {
		var got strings.Builder
		for i := -9; i <= 9; i++ {
			if x, border := mode.wrap(i, 4, false); border {
				got.WriteByte('.')
			} else {
				got.WriteByte(byte('0' + x))
			}
		}
		if got.String() != want {
			t.Errorf("mode %d: %s, want %s", mode, got.String(), want)
		}
	}
}

// TestSeams: where two faces of a cube meet, a linear sample is made of both, half of each, and weights are
// one together everywhere.
func TestSeams(t *testing.T) {
	m := NewImage(ByName("r8_unorm"), Cube, [3]int{8, 8, 1}, 1, 6)
	s := Sampler{Mag: Linear, Min: Linear, Top: 1000, Compare: NoCompare}
	face := func(p Tap) int { return int(p.Offset) / 64 }
	for _, edge := range [][3]float64{{1, 1, 0.1}, {1, -0.3, 1}, {-1, 1, 0.2}, {0.4, -1, -1}, {-1, 0.1, -1},
		{0.3, 1, -1}} {
		sum := map[int]float64{}
		for _, p := range s.Taps(&m, Place{At: edge}, nil) {
			sum[face(p)] += p.Weight
		}
		if len(sum) != 2 {
			t.Errorf("%v: faces %v, want two", edge, sum)
		}
		for f, w := range sum {
			if math.Abs(w-0.5) > 1e-9 {
				t.Errorf("%v: %v of face %d, want half", edge, w, f)
			}
		}
	}
	for i := range 1000 {
		d := [3]float64{math.Sin(float64(i)), math.Cos(1.7 * float64(i)), math.Sin(0.3*float64(i) + 1)}
		var sum float64
		for _, p := range s.Taps(&m, Place{At: d}, nil) {
			if sum += p.Weight; p.Border {
				t.Fatalf("%v has a border", d)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("%v: weights of %v", d, sum)
		}
	}
}

// FuzzBlocks reads any bytes as blocks, and samples what is an image: no texel lies outside of it.
func FuzzBlocks(f *testing.F) {
	m := NewImage(ByName("r8g8b8a8_unorm"), Cube, [3]int{16, 16, 1}, 5, 6)
	s := Sampler{Mag: Linear, Min: Linear, Mip: Linear, Top: 9, Compare: NoCompare}
	image, sampler := make([]byte, ImageBytes), make([]byte, SamplerBytes)
	m.Write(image)
	s.Write(sampler)
	f.Add(image, sampler, 0.3, 0.7, -0.2, 1.5)
	f.Add(image, sampler, math.NaN(), math.Inf(1), 1e300, -1e300)
	f.Fuzz(func(t *testing.T, image, sampler []byte, x, y, z, lod float64) {
		m, err := ReadImage(image)
		if err != nil {
			return
		}
		s, err := ReadSampler(sampler)
		if err != nil {
			return
		}
		p := Place{At: [3]float64{x, y, z}, Layer: z, Lod: lod,
			Offset: [3]int{int(image[70]), -int(image[71]), 3}}
		taps := s.Taps(&m, p, nil)
		four := s.Gather(&m, p)
		if len(taps) > MaxTaps {
			t.Fatalf("%d taps", len(taps))
		}
		for _, p := range append(taps, four[:]...) {
			if !p.Border && p.Offset+uint64(m.Format.Size) > m.Bytes() {
				t.Fatalf("a texel at %d of %d bytes", p.Offset, m.Bytes())
			}
		}
	})
}

// TestCubeCorners: in a corner of a cube, whose faces have a texel each, is the mean of the three that meet
// there.
func TestCubeCorners(t *testing.T) {
	m := NewImage(Formats()[100], Cube, [3]int{1, 1, 1}, 1, 6)
	s := Sampler{Mag: Linear, Min: Linear, Compare: NoCompare}
	values := [6]float64{3, 6, 30, 60, 300, 600} // +x, -x, +y, -y, +z, -z
	for n := range 8 {
		var p Place
		want := 0.0
		for axis := range 3 {
			p.At[axis] = 1 - 2*float64(n>>axis&1)
			want += values[2*axis+(n>>axis&1)] / 3
		}
		got := 0.0
		for _, tap := range s.Taps(&m, p, nil) {
			got += tap.Weight * values[tap.Offset/4]
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("at %v: %v, want %v", p.At, got, want)
		}
	}
}

// TestFacesApart: a face that is sampled by itself gives what a layer of planes gives, also beyond its edges.
func TestFacesApart(t *testing.T) {
	cube := NewImage(ByName("r8_unorm"), Cube, [3]int{4, 4, 1}, 1, 6)
	layers := NewImage(ByName("r8_unorm"), Plane, [3]int{4, 4, 1}, 1, 6)
	for mode := Repeat; mode <= MirrorClampToEdge; mode++ {
		s := Sampler{Mag: Linear, Min: Linear, Modes: [3]Mode{mode, mode, mode}, Compare: NoCompare,
			Apart: true}
		for k := range 6 * 25 {
			at := [3]float64{float64(k%5) / 4, float64(k/5%5) / 4}
			got := s.Taps(&cube, Place{At: at, Face: k/25 + 1}, nil)
			if want := s.Taps(&layers, Place{At: at, Layer: float64(k / 25)}, nil); !slices.Equal(got, want) {
				t.Fatalf("mode %d, face %d, at %v: %v, want %v", mode, k/25, at, got, want)
			}
		}
	}
}

// TestStored: what is stored so that a view shows it is what the view shows then: of a component that is
// shown as several the first one's, and nothing of constants.
func TestStored(t *testing.T) {
	for _, c := range []struct {
		swizzle     [4]uint8
		shown, want Texel
	}{
		{[4]uint8{0, 1, 2, 3}, Texel{10, 11, 12, 13}, Texel{10, 11, 12, 13}},
		{[4]uint8{2, 1, 0, 3}, Texel{10, 11, 12, 13}, Texel{12, 11, 10, 13}},
		{[4]uint8{0, 0, 0, SwizzleOne}, Texel{10, 11, 12, 13}, Texel{10}},
		{[4]uint8{3, SwizzleZero, 3, 1}, Texel{10, 11, 12, 13}, Texel{1: 13, 3: 10}},
		{[4]uint8{SwizzleZero, SwizzleOne, SwizzleZero, SwizzleOne}, Texel{10, 11, 12, 13}, Texel{}},
	} {
		m := &Image{Swizzle: c.swizzle}
		if got := m.Stored(c.shown); got != c.want {
			t.Errorf("%v: %v is stored as %v, want %v", c.swizzle, c.shown, got, c.want)
		}
	}
}
