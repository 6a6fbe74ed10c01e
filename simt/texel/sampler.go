package texel

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A Filter says whether one texel is taken or those around.
type Filter uint32

const (
	Nearest Filter = iota
	Linear
)

// A Mode says what is outside of an image (Vulkan, VkSamplerAddressMode).
type Mode uint32

const (
	Repeat Mode = iota
	MirroredRepeat
	ClampToEdge
	ClampToBorder
	MirrorClampToEdge
)

// A Compare says which numbers of an image pass (VkCompareOp); Always+1 is none.
type Compare uint32

const (
	Never Compare = iota
	Less
	Equal
	LessOrEqual
	Greater
	NotEqual
	GreaterOrEqual
	Always
	NoCompare
)

// Passes reports whether a reference passes against a number of the image.
func (c Compare) Passes(reference, x float64) bool {
	switch c {
	case Less:
		return reference < x
	case Equal:
		return reference == x
	case LessOrEqual:
		return reference <= x
	case Greater:
		return reference > x
	case NotEqual:
		return reference != x
	case GreaterOrEqual:
		return reference >= x
	}
	return c == Always
}

// A Sampler is how an image is sampled.
type Sampler struct {
	Mag, Min, Mip Filter
	Modes         [3]Mode
	Compare       Compare
	// Unnormalized coordinates count texels.
	Unnormalized     bool
	Bias, Least, Top float32 // added to the level, and its limits
	Border           Texel
	Convert          Conversion
	Apart            bool // each face of a cube is sampled by itself, as a plane is

	// Of samplers that no block has: Flat ones take the nearest of slices whatever the filter is, Snap is how
	// many bits of fraction there are of a coordinate that counts texels where the nearest is taken, and
	// Fraction is how many there are where weights are made of it, and of a level of detail; 0 says all.
	Flat           bool
	Snap, Fraction uint8
}

// OpenCL is a sampler of OpenCL: its address mode is numbered as there, from CLK_ADDRESS_NONE on.
func OpenCL(mode int, linear, normalized bool) Sampler {
	of := [...]Mode{ClampToEdge, ClampToEdge, ClampToBorder, Repeat, MirroredRepeat}[mode]
	const everyLevel = 1000
	s := Sampler{Mip: Nearest, Modes: [3]Mode{of, of, of}, Compare: NoCompare, Unnormalized: !normalized,
		Top: everyLevel}
	if linear {
		s.Mag, s.Min = Linear, Linear
	}
	return s
}

// OpenCLSampler is the sampler that a number means which OpenCL C has for one: whether coordinates are
// normalized, the address mode and the filter. It is false of others.
func OpenCLSampler(v uint64) (Sampler, bool) {
	const nearest, linear, modes = 0x10, 0x20, 5
	mode, filter := int(v>>1&7), v&^0xf
	if mode >= modes || filter != nearest && filter != linear {
		return Sampler{}, false
	}
	return OpenCL(mode, filter == linear, v&1 != 0), true
}

// SamplerBytes is the size of a sampler's block.
const SamplerBytes = 64

// Write writes the block of a sampler: eight words, three floats, then the border's components as floats,
// and the bits of its conversion.
func (s *Sampler) Write(b []byte) {
	for i, v := range []uint32{uint32(s.Mag), uint32(s.Min), uint32(s.Mip), uint32(s.Modes[0]),
		uint32(s.Modes[1]), uint32(s.Modes[2]), uint32(s.Compare), uint32(one(s.Unnormalized)),
		math.Float32bits(s.Bias), math.Float32bits(s.Least), math.Float32bits(s.Top)} {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	for i, v := range s.Border {
		binary.LittleEndian.PutUint32(b[44+4*i:], math.Float32bits(float32(v)))
	}
	binary.LittleEndian.PutUint32(b[60:], s.Convert.word()|uint32(one(s.Apart))<<facesApart)
}

// ReadSampler reads a block that Write has written.
func ReadSampler(b []byte) (Sampler, error) {
	if len(b) < SamplerBytes {
		return Sampler{}, fmt.Errorf("a sampler's block of %d bytes, %d are needed", len(b), SamplerBytes)
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
	number := func(i int) float32 { return math.Float32frombits(word(i)) }
	s := Sampler{Mag: Filter(word(0)), Min: Filter(word(1)), Mip: Filter(word(2)),
		Modes: [3]Mode{Mode(word(3)), Mode(word(4)), Mode(word(5))}, Compare: Compare(word(6)),
		Unnormalized: word(7) != 0, Bias: number(8), Least: number(9), Top: number(10),
		Convert: conversionOf(word(15)),
		Apart:   word(15)>>facesApart&1 != 0}
	for i := range s.Border {
		s.Border[i] = float64(number(11 + i))
	}
	for _, f := range []struct {
		what     string
		is, most uint32
	}{{"filter", max(word(0), word(1), word(2)), 1}, {"address mode", max(word(3), word(4), word(5)), 4},
		{"comparison", word(6), uint32(NoCompare)},
		{"model of colors", uint32(s.Convert.Model), uint32(YCbCr2020)}} {
		if f.is > f.most {
			return s, fmt.Errorf("a sampler with %s %d: 0 to %d are known", f.what, f.is, f.most)
		}
	}
	return s, nil
}

// A Tap is a texel that a sample is made of: where it, or its block, lies from the image's first on, which of
// its block's it is, and its weight. One outside of the image is the border.
type Tap struct {
	Offset uint64
	Weight float64
	Part   uint8
	Border bool
}

// MaxTaps is how many taps a sample has at most: eight of each of two levels.
const MaxTaps = 16

// A Place is where an image is sampled: coordinates as the shape has them, a layer (of cubes: which cube),
// texels that are added to each coordinate, and the level of detail.
type Place struct {
	At     [3]float64
	Face   int // of a cube, counted from 1: At is a place on it, from 0 to 1, and no direction
	Layer  float64
	Offset [3]int
	Lod    float64
	Shift  [3]float64 // in texels, of a plane whose texels lie elsewhere than those of the whole
}

// Taps appends the texels that a sample takes (Vulkan, "Texel Input Operations", "Normalized Texel
// Coordinate Operations", "Level-of-Detail Operation", "Unnormalized Texel Coordinate Operations").
func (s *Sampler) Taps(m *Image, p Place, taps []Tap) []Tap {
	layer, at := p.in(m)
	filter := s.Min
	if s.detail(p.Lod) <= 0 {
		filter = s.Mag
	}
	level := s.Level(m, p.Lod)
	high := math.Floor(level)
	part := level - high
	taps = s.levelTaps(m, p, at, layer, int(high), filter, 1-part, taps)
	if part == 0 {
		return taps
	}
	return s.levelTaps(m, p, at, layer, int(high)+1, filter, part, taps)
}

// detail is a level of detail after the sampler has had its say.
func (s *Sampler) detail(lod float64) float64 {
	return between(lod+float64(s.Bias), float64(s.Least), float64(s.Top))
}

// Level is the level of an image's view that a level of detail leads to, or how far it is between two.
func (s *Sampler) Level(m *Image, lod float64) float64 {
	last := float64(m.ViewLevels - 1)
	level := between(s.detail(lod), 0, last)
	if s.Mip == Nearest {
		return between(math.Ceil(level+0.5)-1, 0, last)
	}
	return fixed(level, s.Fraction)
}

// in is the layer of an image that a place is in, and where on it: of a cube, the face that a direction leads
// to.
func (p *Place) in(m *Image) (layer int, at [3]float64) {
	face, at := 0, p.At
	switch {
	case m.Shape == Cube && p.Face > 0:
		face = p.Face - 1
	case m.Shape == Cube:
		face, at = cubeFace(p.At)
	}
	last := float64(max(m.ViewLayers/m.faces()-1, 0))
	return int(between(math.RoundToEven(p.Layer), 0, last))*m.faces() + face, at
}

func (m *Image) faces() int {
	if m.Shape == Cube {
		return 6
	}
	return 1
}

// levelTaps appends the taps of a level, each times a weight.
func (s *Sampler) levelTaps(m *Image, p Place, at [3]float64, layer, level int, f Filter, weight float64,
	taps []Tap) []Tap {
	size := m.LevelSize(level)
	dims := m.Shape.Coordinates()
	if m.Shape == Cube {
		dims = 2
	}
	var first [3]int    // texels
	var part [3]float64 // of the next one
	for i := range dims {
		first[i], part[i] = s.start(&p, at[i], i, size[i], f)
	}
	for n := range 1 << dims {
		t := Tap{Weight: weight}
		var texel [3]int
		for i := range dims {
			if texel[i] = first[i] + n>>i&1; n>>i&1 == 1 {
				t.Weight *= part[i]
			} else {
				t.Weight *= 1 - part[i]
			}
		}
		if t.Weight == 0 {
			continue
		}
		if s.seamless(m) && corner(texel, size[0]) {
			taps = s.around(m, t, texel, layer, level, taps)
			continue
		}
		taps = append(taps, s.tap(m, t, texel, layer, level, dims))
	}
	return taps
}

// start is the first texel that a filter takes of coordinate i, and how much there is of the next one.
func (s *Sampler) start(p *Place, at float64, i, size int, f Filter) (texel int, part float64) {
	u := s.texels(at, size) + p.Shift[i]
	linear := f == Linear && !(s.Flat && i == 2)
	if linear {
		u = fixed(u-0.5, s.Fraction)
	} else {
		u = fixed(u, s.Snap)
	}
	low := math.Floor(u)
	if linear {
		part = u - low
	}
	return whole(low) + p.Offset[i], part
}

// seamless reports whether the faces behind are what lies beyond an edge.
func (s *Sampler) seamless(m *Image) bool { return m.Shape == Cube && !s.Apart }

// corner reports whether a texel of a face lies beyond one of its corners, where there is none.
func corner(texel [3]int, size int) bool {
	out := func(i int) bool { return i < 0 || i >= size }
	return out(texel[0]) && out(texel[1])
}

// around appends the three texels that meet in a corner of a cube, for the one that is not there.
func (s *Sampler) around(m *Image, t Tap, texel [3]int, layer, level int, taps []Tap) []Tap {
	size := m.LevelSize(level)[0]
	t.Weight /= 3
	in := [2]int{min(max(texel[0], 0), size-1), min(max(texel[1], 0), size-1)}
	for _, at := range [3][3]int{{in[0], in[1]}, {texel[0], in[1]}, {in[0], texel[1]}} {
		taps = append(taps, s.tap(m, t, at, layer, level, 2))
	}
	return taps
}

// texels makes a coordinate one that counts texels. The product of a normalized one is rounded to 32 bits: a
// coordinate that has been divided by a size means the middle of a texel again then, of which a product with
// all its bits is off by so much that the next texel has a part in it (OpenCL-CTS, "images", computes in 32
// bits).
func (s *Sampler) texels(u float64, size int) float64 {
	if s.Unnormalized {
		return u
	}
	return float64(float32(u * float64(size)))
}

// fixed rounds a number to so many bits of fraction; 0 says all.
func fixed(u float64, bits uint8) float64 {
	if bits == 0 {
		return u
	}
	scale := float64(uint64(1) << bits)
	return math.Floor(u*scale+0.5) / scale
}

// whole is a number as an integer that stays far from overflow.
func whole(x float64) int { return int(between(x, -1<<40, 1<<40)) }

// tap finds a texel that may be outside of its level.
func (s *Sampler) tap(m *Image, t Tap, texel [3]int, layer, level, dims int) Tap {
	size := m.LevelSize(level)
	if s.seamless(m) {
		layer, texel = seam(layer, texel, size[0])
	} else {
		for i := range dims {
			texel[i], t.Border = s.Modes[i].wrap(texel[i], size[i], t.Border)
		}
	}
	if t.Border {
		return t
	}
	var ok bool
	if t.Offset, ok = m.Offset(texel[0], texel[1], texel[2], layer, level, 0); !ok {
		t.Border = true
	}
	t.Part = uint8(m.Format.Part(texel[0], texel[1]))
	return t
}

// wrap makes a texel one of the image's, or reports that it is the border's.
func (mode Mode) wrap(i, size int, border bool) (int, bool) {
	mirror := func(n int) int {
		if n >= 0 {
			return n
		}
		return -(1 + n)
	}
	modulo := func(n, by int) int { return (n%by + by) % by }
	if i >= 0 && i < size {
		return i, border
	}
	switch mode {
	case Repeat:
		return modulo(i, size), border
	case MirroredRepeat:
		return size - 1 - mirror(modulo(i, 2*size)-size), border
	case ClampToEdge:
		return min(max(i, 0), size-1), border
	case MirrorClampToEdge:
		return min(max(mirror(i), 0), size-1), border
	}
	return i, border || i < 0 || i >= size
}

// Cubes (Vulkan, "Cube Map Face Selection"). A face has a direction of its own, and of its s and t.
var faces = [6]struct{ major, s, t [3]float64 }{
	{[3]float64{1, 0, 0}, [3]float64{0, 0, -1}, [3]float64{0, -1, 0}},
	{[3]float64{-1, 0, 0}, [3]float64{0, 0, 1}, [3]float64{0, -1, 0}},
	{[3]float64{0, 1, 0}, [3]float64{1, 0, 0}, [3]float64{0, 0, 1}},
	{[3]float64{0, -1, 0}, [3]float64{1, 0, 0}, [3]float64{0, 0, -1}},
	{[3]float64{0, 0, 1}, [3]float64{1, 0, 0}, [3]float64{0, -1, 0}},
	{[3]float64{0, 0, -1}, [3]float64{-1, 0, 0}, [3]float64{0, -1, 0}},
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// cubeFace is the face that a direction leads to, and where on it, from 0 to 1. Of axes that are as long z
// comes first, then y.
func cubeFace(d [3]float64) (face int, at [3]float64) {
	axis := 2
	for i := 1; i >= 0; i-- {
		if math.Abs(d[i]) > math.Abs(d[axis]) {
			axis = i
		}
	}
	face = 2*axis + one(d[axis] < 0)
	f, long := &faces[face], math.Abs(d[axis])
	return face, [3]float64{dot(d, f.s)/long/2 + 0.5, dot(d, f.t)/long/2 + 0.5}
}

// seam finds the texel of a face that lies beyond its edge, on the face behind; beyond a corner there is
// none, and to a gather the one in the corner stands for it.
func seam(layer int, texel [3]int, size int) (int, [3]int) {
	in := func(i int) bool { return i >= 0 && i < size }
	switch {
	case in(texel[0]) && in(texel[1]):
		return layer, texel
	case !in(texel[0]) && !in(texel[1]):
		for i := range 2 {
			texel[i] = min(max(texel[i], 0), size-1)
		}
		return layer, texel
	}
	f := &faces[layer%6]
	var d [3]float64
	s, t := (float64(texel[0])+0.5)/float64(size)*2-1, (float64(texel[1])+0.5)/float64(size)*2-1
	for i := range d {
		d[i] = f.major[i] + s*f.s[i] + t*f.t[i]
	}
	face, at := cubeFace(d)
	for i := range 2 {
		texel[i] = min(max(whole(math.Floor(at[i]*float64(size))), 0), size-1)
	}
	return layer - layer%6 + face, texel
}

// Gather is the four texels around a place, in the order in which OpImageGather gives their components.
func (s *Sampler) Gather(m *Image, p Place) [4]Tap {
	layer, at := p.in(m)
	level := int(between(math.Ceil(p.Lod+0.5)-1, 0, float64(m.ViewLevels-1)))
	size := m.LevelSize(level)
	var first [3]int
	for i := range 2 {
		first[i] = whole(math.Floor(fixed(s.texels(at[i], size[i])-0.5, s.Snap))) + p.Offset[i]
	}
	var out [4]Tap
	for k, by := range [4][2]int{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
		out[k] = s.tap(m, Tap{Weight: 1}, [3]int{first[0] + by[0], first[1] + by[1]}, layer, level, 2)
	}
	return out
}
