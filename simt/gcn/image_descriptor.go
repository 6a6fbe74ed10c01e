package gcn

import (
	"fmt"

	"simtgdb/simt/texel"
)

// Descriptors of images and samplers (Vega, RDNA 1 to 4 ISA, "Image Resource Descriptor" and "Image Sampler
// Descriptor"; ROCr's resource_ai.h, resource_nv.h, resource_gfx11.h, resource_gfx12.h). Where the fields are
// is a table; what they say is the same for all.

// A bitField is some bits of a descriptor, counted from the first dword's lowest.
type bitField struct{ at, bits uint8 }

func (f bitField) of(s []uint32) uint32 {
	var v uint64
	for i := int(f.at) / 32; i*32 < int(f.at)+int(f.bits); i++ {
		v |= uint64(s[i]) << (32 * (i - int(f.at)/32))
	}
	return uint32(v >> (f.at % 32) & (1<<f.bits - 1))
}

// An imageLayout is where the fields of an image's descriptor are. What it has not got has no bits.
type imageLayout struct {
	format, num                       bitField // gfx9 has the numbers apart
	minLod, width, height, depth      bitField
	baseLevel, lastLevel, maxLevel    bitField
	baseLayer, pitch, borders, tiling bitField
	align                             uint64 // of rows
	samplerBits                       uint8  // of the fields of least and most detail
}

var (
	imageLayout9 = imageLayout{bitField{52, 6}, bitField{58, 4}, bitField{40, 12}, bitField{64, 14},
		bitField{78, 14}, bitField{128, 13}, bitField{108, 4}, bitField{112, 4}, bitField{188, 4},
		bitField{160, 13}, bitField{141, 16}, bitField{157, 3}, bitField{116, 5}, 256, 12}
	imageLayout10 = imageLayout{bitField{52, 9}, bitField{}, bitField{40, 12}, bitField{62, 14},
		bitField{78, 14}, bitField{128, 13}, bitField{108, 4}, bitField{112, 4}, bitField{164, 4},
		bitField{144, 13}, bitField{128, 14}, bitField{121, 3}, bitField{116, 5}, 256, 12}
	imageLayout11 = imageLayout{bitField{52, 8}, bitField{}, bitField{187, 12}, bitField{62, 14},
		bitField{78, 14}, bitField{128, 13}, bitField{108, 4}, bitField{112, 4}, bitField{48, 4},
		bitField{144, 13}, bitField{128, 14}, bitField{121, 3}, bitField{116, 5}, 256, 12}
	imageLayout12 = imageLayout{bitField{49, 8}, bitField{}, bitField{186, 13}, bitField{62, 16},
		bitField{78, 16}, bitField{128, 14}, bitField{57, 5}, bitField{111, 5}, bitField{44, 5},
		bitField{144, 14}, bitField{128, 16}, bitField{121, 3}, bitField{116, 5}, 128, 13}

	imageKind       = bitField{124, 4}
	imageCompressed = bitField{213, 1}
	imageLevel      = bitField{95, 1} // RESOURCE_LEVEL of gfx10, always 1
)

func imageLayoutOf(t Target) *imageLayout {
	switch {
	case t&gfx10 != 0:
		return &imageLayout10
	case t&gfx11 != 0:
		return &imageLayout11
	case t&gfx12 != 0:
		return &imageLayout12
	}
	return &imageLayout9
}

// The kinds of images, from 8 on.
const (
	imageLine = 8 + iota
	imagePlane
	imageVolume
	imageCube
	imageLines
	imagePlanes
	imageSamples
	imageSamplesLayers
)

var imageShapes = [...]texel.Shape{texel.Line, texel.Plane, texel.Volume, texel.Cube, texel.Line, texel.Plane,
	texel.Plane, texel.Plane}

// fixed is a number with a fraction of 8 bits.
func fixed(v uint32) float64 { return float64(v) / 256 }

// image reads the descriptor of an image, and which of its kinds it is.
func (d *imageLayout) image(s []uint32, on Target) (m texel.Image, least float64, err error) {
	kind := imageKind.of(s)
	if kind < imageLine {
		return m, 0, fmt.Errorf("the descriptor %08x is of no image", s)
	}
	f := d.formatOf(s, on)
	switch tiling := d.tiling.of(s); {
	case f == nil && d.num.bits > 0:
		return m, 0, fmt.Errorf("the descriptor is of an image of data format %d and number format %d, "+
			"which is not simulated",
			d.format.of(s), d.num.of(s))
	case f == nil:
		return m, 0, fmt.Errorf("the descriptor is of an image of format %d, which is not simulated",
			d.format.of(s))
	case tiling != 0:
		return m, 0, fmt.Errorf("the descriptor is of an image in swizzle mode %d; 0, of rows, is simulated",
			tiling)
	case imageCompressed.of(s) != 0:
		return m, 0, fmt.Errorf("the descriptor is of an image that is compressed")
	}
	size := [3]int{int(d.width.of(s)) + 1, int(d.height.of(s)) + 1, 1}
	layers, samples := 1, 1
	first, last := int(d.baseLevel.of(s)), int(d.lastLevel.of(s))
	levels := max(int(d.maxLevel.of(s)), last) + 1
	depth, base := int(d.depth.of(s))+1, int(d.baseLayer.of(s))
	switch kind {
	case imageLine, imageLines:
		size[1] = 1
	case imageVolume:
		size[2] = depth
	case imageSamples, imageSamplesLayers:
		samples, levels, first, last = 1<<last, 1, 0, 0
	}
	switch kind {
	case imageCube, imageLines, imagePlanes, imageSamplesLayers:
		layers = depth
	default:
		base = 0
	}
	m = texel.NewImage(f, imageShapes[kind-imageLine], size, levels, layers)
	m.Samples, m.Align = samples, d.align
	m.FirstLevel, m.ViewLevels = first, last-first+1
	m.FirstLayer, m.ViewLayers = base, layers-base
	m.Address = (uint64(s[0]) | uint64(s[1]&0xff)<<32) << 8
	for i := range m.Swizzle {
		m.Swizzle[i] = imageSelects[s[3]>>(3*i)&7]
	}
	flat := kind == imageLine || kind == imagePlane || kind == imageSamples
	if pitch := int(d.pitch.of(s)) + 1; on != GFX1010 && on != GFX1011 && levels == 1 &&
		(flat || d.num.bits > 0) && pitch*f.Side() >= size[0] {
		m.Pitch = uint64(pitch) * uint64(f.Size) * uint64(samples)
	}
	return m, fixed(d.minLod.of(s)), m.Check()
}

// imageSelects are the components that DST_SEL names.
var imageSelects = [8]uint8{texel.SwizzleZero, texel.SwizzleOne, texel.SwizzleZero, texel.SwizzleZero, 0, 1,
	2, 3}

// borderOrders say by BC_SWIZZLE which component of a border's color each of an image is.
var borderOrders = [8][4]uint8{{0, 1, 2, 3}, {0, 3, 1, 2}, {3, 2, 1, 0}, {3, 0, 1, 2}, {2, 1, 0, 3},
	{1, 0, 3, 2},
	{0, 1, 2, 3}, {0, 1, 2, 3}}

// border is what is outside of an image: the color of the sampler, which the descriptor of the image orders.
func (d *imageLayout) border(s []uint32, m *texel.Image, color texel.Texel) (out texel.Texel) {
	for i, from := range borderOrders[d.borders.of(s)&7] {
		out[i] = color[from]
	}
	return m.Shown(out)
}

// Filters of samplers.
const (
	filterMask  = 1 // of those between texels: the others are the same for anisotropic samples
	slicesPoint = 1
	levelsNone  = 0
)

// clampModes are the address modes of samplers; -1 is not simulated.
var clampModes = [8]int8{int8(texel.Repeat), int8(texel.MirroredRepeat), int8(texel.ClampToEdge),
	int8(texel.MirrorClampToEdge), -1, -1, int8(texel.ClampToBorder), -1}

// snapBits are how many bits of fraction coordinates in texels have.
const snapBits = 8

// sampler reads the descriptor of a sampler.
func (d *imageLayout) sampler(s []uint32) (texel.Sampler, error) {
	field := func(at, bits uint8) uint32 { return bitField{at, bits}.of(s) }
	p := texel.Sampler{Compare: texel.Compare(field(12, 3)), Unnormalized: field(15, 1) != 0,
		Mag: texel.Filter(field(84, 2) & filterMask), Min: texel.Filter(field(86, 2) & filterMask),
		Flat: field(88, 2) == slicesPoint, Snap: snapBits,
		Bias:  float32(int32(field(64, 14)<<18)>>18) / 256,
		Least: float32(fixed(field(32, d.samplerBits))),
		Top:   float32(fixed(field(32+d.samplerBits, d.samplerBits)))}
	switch mip := field(90, 2); mip {
	case levelsNone:
		p.Bias, p.Least, p.Top = 0, 0, 0
	default:
		p.Mip = texel.Filter((mip - 1) & 1)
	}
	p.Apart = field(28, 1) != 0 // DISABLE_CUBE_WRAP
	if field(27, 1) != 0 {      // TRUNC_COORD
		p.Snap = 0
	}
	for i := range p.Modes {
		mode := clampModes[field(uint8(3*i), 3)]
		if mode < 0 {
			return p, fmt.Errorf("the sampler has address mode %d, which is not simulated",
				field(uint8(3*i), 3))
		}
		p.Modes[i] = texel.Mode(mode)
	}
	switch field(126, 2) {
	case 1:
		p.Border = texel.Texel{0, 0, 0, 1}
	case 2:
		p.Border = texel.Texel{1, 1, 1, 1}
	case 3:
		return p, fmt.Errorf("the sampler takes its border out of a palette, which is not simulated")
	}
	return p, nil
}
