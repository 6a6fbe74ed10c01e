package texel

import (
	"encoding/binary"
	"fmt"
)

// A Shape is how many coordinates an image has and what they mean.
type Shape uint32

const (
	Line   Shape = iota // of one dimension
	Plane               // of two
	Volume              // of three
	Cube                // six layers, taken by a direction
)

// Coordinates is how many numbers say where in a layer (of a cube: which direction).
func (s Shape) Coordinates() int { return [...]int{1, 2, 3, 3}[s] }

// An Image is what there is of an image: texels that lie side by side, row by row, in each level of each
// layer, one level behind the other. It may be a view of some of a larger one's levels and layers.
type Image struct {
	Format  *Format
	Shape   Shape
	Size    [3]int // of level 0 of the whole image, in texels
	Layers  int    // of the whole image
	Levels  int
	Samples int
	// Of the view: where it begins and how much there is.
	FirstLevel, ViewLevels int
	FirstLayer, ViewLayers int
	Swizzle                [4]uint8 // which component is shown as each: 0 to 3, SwizzleZero, SwizzleOne
	Address                uint64
	// Pitch and Slice are how far apart the rows and the slices, or layers, of an image of one level are, if
	// not side by side, which 0 says.
	Pitch, Slice uint64
	// Align is what every row begins at a multiple of, if not side by side, which 0 says.
	Align uint64
	// Order and Type are the order and the type of channels as OpenCL numbers them, 0 if they are the
	// format's.
	Order, Type uint16
}

// What a component of a view may be besides one of the image.
const (
	SwizzleZero = 4
	SwizzleOne  = 5
)

// NewImage is an image with all its levels and layers in view.
func NewImage(f *Format, shape Shape, size [3]int, levels, layers int) Image {
	return Image{Format: f, Shape: shape, Size: size, Layers: layers, Levels: levels, Samples: 1,
		ViewLevels: levels, ViewLayers: layers, Swizzle: [4]uint8{0, 1, 2, 3}}
}

// LevelSize is the size of a level of the view.
func (m *Image) LevelSize(level int) [3]int { return m.sizeOf(m.FirstLevel + level) }

func (m *Image) sizeOf(level int) [3]int {
	s := m.Size
	for i := range s {
		s[i] = max(s[i]>>level, 1)
	}
	return s
}

// RowBytes and SliceBytes are how far apart rows and slices of a level of the whole image are.
func (m *Image) RowBytes(level int) uint64 {
	if m.Pitch != 0 {
		return m.Pitch
	}
	row := uint64(m.Format.blocks(m.sizeOf(level)[0])) * uint64(m.Format.Size) * uint64(m.Samples)
	if m.Align > 1 {
		row = (row + m.Align - 1) / m.Align * m.Align
	}
	return row
}

func (m *Image) SliceBytes(level int) uint64 {
	if m.Slice != 0 {
		return m.Slice
	}
	if m.Format.planes != nil {
		return m.planesBytes()
	}
	return m.RowBytes(level) * uint64(m.Format.blocks(m.sizeOf(level)[1]))
}

// LevelOffset is where a level of the whole image begins in its layer.
func (m *Image) LevelOffset(level int) (at uint64) {
	for l := range level {
		at += m.SliceBytes(l) * uint64(m.sizeOf(l)[2])
	}
	return at
}

// LayerBytes is how far apart layers are, and Bytes is the whole image.
func (m *Image) LayerBytes() uint64 { return m.LevelOffset(m.Levels) }

func (m *Image) Bytes() uint64 { return m.LayerBytes() * uint64(m.Layers) }

// Offset is where a texel of the view lies, or the block that it is in, and reports whether there is one.
func (m *Image) Offset(x, y, z, layer, level, sample int) (at uint64, ok bool) {
	if level < 0 || level >= m.ViewLevels || layer < 0 || layer >= m.ViewLayers || sample < 0 ||
		sample >= m.Samples {
		return 0, false
	}
	s := m.LevelSize(level)
	if x < 0 || y < 0 || z < 0 || x >= s[0] || y >= s[1] || z >= s[2] {
		return 0, false
	}
	level += m.FirstLevel
	x, y = x/m.Format.Side(), y/m.Format.Side()
	at = m.LevelOffset(level) + uint64(y)*m.RowBytes(level) +
		(uint64(x)*uint64(m.Samples)+uint64(sample))*uint64(m.Format.Size)
	if z != 0 {
		at += uint64(z) * m.SliceBytes(level)
	}
	if layer += m.FirstLayer; layer != 0 {
		at += uint64(layer) * m.LayerBytes()
	}
	return at, true
}

// Shown is a texel as the view's swizzle shows it.
func (m *Image) Shown(t Texel) (out Texel) {
	if m.Swizzle == [4]uint8{0, 1, 2, 3} {
		return t
	}
	for i, s := range m.Swizzle {
		switch s {
		case SwizzleZero:
		case SwizzleOne:
			out[i] = m.Format.FromWhole(1)
		default:
			out[i] = t[s&3]
		}
	}
	return out
}

// Missing is a texel outside of the image that is 0 in what the format has.
func (m *Image) Missing() Texel { return m.Shown(m.Format.held(Texel{})) }

// Stored is the texel of which [Image.Shown] makes what is given: of what is shown as several components the
// first, and 0 for what nothing shows.
func (m *Image) Stored(shown Texel) (t Texel) {
	for i := len(shown) - 1; i >= 0; i-- {
		if s := m.Swizzle[i]; s < SwizzleZero {
			t[s] = shown[i]
		}
	}
	return t
}

// OpenCL are the order and the type of the image's channels, as OpenCL numbers them.
func (m *Image) OpenCL() (order, kind int) {
	if m.Order != 0 {
		return int(m.Order), int(m.Type)
	}
	return m.Format.openCL()
}

// ImageBytes is the size of an image's block: fields of 32 bits and the address of its first texel.
const ImageBytes = 88

// A combined image and sampler is one block: the sampler's is SamplerAt bytes behind the beginning of the
// image's, and both together have BlockBytes.
const (
	SamplerAt  = 128
	BlockBytes = SamplerAt + SamplerBytes
)

// Write writes the block of an image: words in the order of its fields, then the swizzle, the address and how
// rows lie.
func (m *Image) Write(b []byte) {
	for i, v := range []int{int(m.Format.Number), int(m.Shape), m.Size[0], m.Size[1], m.Size[2], m.Layers,
		m.Levels, m.Samples, m.FirstLevel, m.ViewLevels, m.FirstLayer, m.ViewLayers} {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(v))
	}
	copy(b[48:], m.Swizzle[:])
	binary.LittleEndian.PutUint16(b[52:], m.Order)
	binary.LittleEndian.PutUint16(b[54:], m.Type)
	binary.LittleEndian.PutUint64(b[56:], m.Address)
	binary.LittleEndian.PutUint64(b[64:], m.Pitch)
	binary.LittleEndian.PutUint64(b[72:], m.Slice)
	binary.LittleEndian.PutUint64(b[80:], m.Align)
}

// maxSide is how long a side may be, maxLine that of an image of one dimension, maxSide how many layers there
// may be, and maxTexels how many texels of a layer.
const (
	maxSide   = 1 << 16
	maxLine   = 1 << 28
	maxLevels = 17
	maxTexels = 1 << 32
)

// ReadImage reads a block that Write has written.
func ReadImage(b []byte) (Image, error) {
	if len(b) < ImageBytes {
		return Image{}, fmt.Errorf("an image's block of %d bytes, %d are needed", len(b), ImageBytes)
	}
	word := func(i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }
	m := Image{Format: Formats()[uint32(word(0))], Shape: Shape(word(1)),
		Size: [3]int{word(2), word(3), word(4)}, Layers: word(5), Levels: word(6), Samples: word(7),
		FirstLevel: word(8), ViewLevels: word(9), FirstLayer: word(10), ViewLayers: word(11),
		Address: binary.LittleEndian.Uint64(b[56:]), Pitch: binary.LittleEndian.Uint64(b[64:]),
		Slice: binary.LittleEndian.Uint64(b[72:]), Align: binary.LittleEndian.Uint64(b[80:]),
		Order: binary.LittleEndian.Uint16(b[52:]), Type: binary.LittleEndian.Uint16(b[54:])}
	copy(m.Swizzle[:], b[48:])
	if m.Format == nil {
		return m, fmt.Errorf("an image of format %d, which there is not", word(0))
	}
	return m, m.Check()
}

// Check says what is wrong with the numbers of an image.
func (m *Image) Check() error {
	width := maxSide
	if m.Shape == Line {
		width = maxLine
	}
	for _, f := range []struct {
		what       string
		is, lo, hi int
	}{
		{"shape", int(m.Shape), 0, int(Cube)}, {"width", m.Size[0], 1, width},
		{"height", m.Size[1], 1, maxSide},
		{"depth", m.Size[2], 1, maxSide}, {"number of layers", m.Layers, 1, maxSide},
		{"number of levels", m.Levels, 1, maxLevels}, {"number of samples", m.Samples, 1, 64},
		{"first level", m.FirstLevel, 0, m.Levels - 1},
		{"levels in view", m.ViewLevels, 1, m.Levels - m.FirstLevel},
		{"first layer", m.FirstLayer, 0, m.Layers - 1},
		{"layers in view", m.ViewLayers, 1, m.Layers - m.FirstLayer},
	} {
		if f.is < f.lo || f.is > f.hi {
			return fmt.Errorf("an image with %d as %s: %d to %d are possible", f.is, f.what, f.lo, f.hi)
		}
	}
	if uint64(m.Size[0])*uint64(m.Size[1]) > maxTexels/uint64(m.Size[2]) {
		return fmt.Errorf("an image of %d x %d x %d texels, at most 2^32 of a layer are simulated", m.Size[0],
			m.Size[1], m.Size[2])
	}
	if m.Samples&(m.Samples-1) != 0 {
		return fmt.Errorf("an image of %d samples to a texel, which is no power of two", m.Samples)
	}
	if m.Format.planes != nil && (m.Shape != Plane || m.Levels > 1 || m.Samples > 1 || m.Pitch != 0 ||
		m.Align > 1) {
		return fmt.Errorf("an image of the format %s, of several planes, that is no plain one of two "+
			"dimensions",
			m.Format)
	}
	if row := uint64(m.Format.blocks(m.Size[0])) * uint64(m.Format.Size) * uint64(m.Samples); m.Pitch != 0 &&
		(m.Levels != 1 || m.Pitch < row ||
			m.Pitch > maxTexels) {
		return fmt.Errorf("an image whose rows of %d bytes are %d bytes apart, with %d levels", row, m.Pitch,
			m.Levels)
	}
	if m.Align > maxTexels {
		return fmt.Errorf("an image whose rows begin at multiples of %d bytes", m.Align)
	}
	if m.Slice != 0 && (m.Pitch == 0 || m.Slice < m.Pitch || m.Slice > maxTexels) {
		return fmt.Errorf("an image whose slices of %d rows of %d bytes are %d bytes apart", m.Size[1],
			m.Pitch, m.Slice)
	}
	return nil
}
