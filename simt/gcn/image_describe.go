package gcn

import (
	"fmt"
	"math/bits"

	"simtgdb/simt/texel"
)

// How many dwords there are of the descriptors of an image and of a sampler.
const (
	ImageWords   = 8
	SamplerWords = 4
)

// put writes the bits of a field.
func (f bitField) put(s []uint32, v uint32) {
	whole := uint64(v) & (1<<f.bits - 1) << (f.at % 32)
	for i := int(f.at) / 32; whole != 0; i++ {
		s[i] |= uint32(whole)
		whole >>= 32
	}
}

// HasImages reports whether a processor has instructions for images.
func HasImages(processor string) bool {
	on, known := processorNamed(processor)
	return known && on&(graphics|rdna) != 0 && on != GFX1250
}

// opaqueFormats are formats that processors have only with an alpha.
var opaqueFormats = map[string]string{"bc1_rgb_unorm_block": "bc1_rgba_unorm_block",
	"bc1_rgb_srgb_block": "bc1_rgba_srgb_block"}

// described are the format and the components that stand for those of an image. Those that the format lacks
// are 0 or 1 by the descriptor, also beyond an edge: a border's color has all.
func described(m *texel.Image) (f *texel.Format, swizzle [4]uint8) {
	f, swizzle = m.Format, m.Swizzle
	opaque := opaqueFormats[f.Name]
	const alpha = 3
	for i, c := range swizzle {
		switch {
		case c == alpha && (opaque != "" || !f.Has(alpha)):
			swizzle[i] = texel.SwizzleOne
		case c < alpha && !f.Has(c):
			swizzle[i] = texel.SwizzleZero
		}
	}
	if opaque != "" {
		f = texel.ByName(opaque)
	}
	return f, swizzle
}

// kindOf is which kind of image a descriptor is of.
func kindOf(m *texel.Image) uint32 {
	kind, many := imageLine+uint32(m.Shape), m.ViewLayers > 1
	switch {
	case m.Samples > 1 && many:
		kind = imageSamplesLayers
	case m.Samples > 1:
		kind = imageSamples
	case many && m.Shape < texel.Volume:
		kind += imageLines - imageLine
	}
	return kind
}

// selects are the numbers of DST_SEL.
func selects(swizzle [4]uint8) (v uint32) {
	const first = 4
	for i, c := range swizzle {
		n := uint32(c) + first
		if c >= texel.SwizzleZero {
			n = uint32(c - texel.SwizzleZero)
		}
		v |= n << (3 * i)
	}
	return v
}

// DescribeImage is the descriptor of an image, of which a processor has no other rows than some.
func DescribeImage(processor string, m *texel.Image) (s [ImageWords]uint32, err error) {
	on, _ := processorNamed(processor)
	if !HasImages(processor) {
		return s, fmt.Errorf("%s has no instructions for images", processor)
	}
	d := imageLayoutOf(on)
	f, swizzle := described(m)
	if !d.putFormat(s[:], f, on) {
		return s, fmt.Errorf("%s has no images of the format %s", processor, m.Format)
	}
	kind := kindOf(m)
	levels, firstLevel, lastLevel := m.Levels, m.FirstLevel, m.FirstLevel+m.ViewLevels-1
	if m.Samples > 1 {
		lastLevel = bits.TrailingZeros(uint(m.Samples))
		levels = lastLevel + 1
	}
	flat := kind == imageLine || kind == imagePlane || kind == imageSamples
	if m.Levels > 1 || !flat && (m.Size[1] > 1 || m.Shape == texel.Volume || m.Layers > 1) {
		if row := m.RowBytes(0); row%d.align != 0 || m.Levels > 1 && m.Align != d.align {
			return s, fmt.Errorf("rows of %d bytes: %s has images of this shape whose rows begin at "+
				"multiples of %d bytes", row,
				processor, d.align)
		}
	}
	if m.Address%256 != 0 {
		return s, fmt.Errorf("an image at %#x: %s has images at multiples of 256", m.Address, processor)
	}
	last := uint32(m.FirstLayer + m.ViewLayers - 1)
	if m.Shape == texel.Volume {
		last = uint32(m.Size[2] - 1)
	}
	s[0], s[1] = uint32(m.Address>>8), s[1]|uint32(m.Address>>40)&0xff
	imageKind.put(s[:], kind)
	d.width.put(s[:], uint32(m.Size[0]-1))
	d.height.put(s[:], uint32(m.Size[1]-1))
	d.baseLevel.put(s[:], uint32(firstLevel))
	d.lastLevel.put(s[:], uint32(lastLevel))
	d.maxLevel.put(s[:], uint32(levels-1))
	d.baseLayer.put(s[:], uint32(m.FirstLayer))
	pitch := uint32(m.RowBytes(0)/uint64(m.Format.Size*m.Samples)) - 1
	apart := d.pitch.at != d.depth.at // else it has only one of the two
	rows := apart || m.Levels == 1 && flat && on != GFX1010 && on != GFX1011
	if rows {
		d.pitch.put(s[:], pitch)
	}
	if apart || !rows {
		d.depth.put(s[:], last)
	}
	if on&gfx10 != 0 {
		imageLevel.put(s[:], 1)
	}
	s[3] |= selects(swizzle)
	got, _, err := d.image(s[:], on)
	if err == nil && (got.Size != m.Size || got.RowBytes(0) != m.RowBytes(0) || got.Layers != m.Layers ||
		got.Samples != m.Samples) {
		err = fmt.Errorf("%s has no descriptor of an image of %d x %d x %d texels", processor, m.Size[0],
			m.Size[1], m.Size[2])
	}
	return s, err
}

// putFormat writes the number of a format, and reports whether there is one.
func (d *imageLayout) putFormat(s []uint32, f *texel.Format, on Target) bool {
	for n := range uint32(1) << d.format.bits {
		for num := range uint32(1) << d.num.bits {
			clear(s)
			d.format.put(s, n)
			if d.num.bits > 0 {
				d.num.put(s, num)
			}
			if of := d.formatOf(s, on); of != nil && of.Same(f) {
				return true
			}
		}
	}
	return false
}

// DescribeSampler is the descriptor of a sampler of images that have some levels. Processors have black,
// opaque or not, and white as borders: of others it is the first.
func DescribeSampler(processor string, p *texel.Sampler, levels int) (s [SamplerWords]uint32) {
	on, _ := processorNamed(processor)
	d := imageLayoutOf(on)
	put := func(at, bits uint8, v uint32) { bitField{at, bits}.put(s[:], v) }
	for i, m := range p.Modes {
		for n, mode := range clampModes {
			if mode == int8(m) {
				put(uint8(3*i), 3, uint32(n))
				break
			}
		}
	}
	if p.Compare < texel.NoCompare {
		put(12, 3, uint32(p.Compare))
	}
	if p.Unnormalized {
		put(15, 1, 1)
	}
	top := float32(uint32(1)<<d.samplerBits-1) / 256
	put(32, d.samplerBits, uint32(min(max(p.Least, 0), top)*256))
	put(32+d.samplerBits, d.samplerBits, uint32(min(max(p.Top, 0), top)*256))
	const most = 16
	put(64, 14, uint32(int32(min(max(p.Bias, -most), most-1)*256)))
	put(84, 2, uint32(p.Mag))
	put(86, 2, uint32(p.Min))
	if levels > 1 {
		put(90, 2, uint32(p.Mip)+1)
	}
	switch p.Border {
	case texel.Texel{0, 0, 0, 1}:
		put(126, 2, 1)
	case texel.Texel{1, 1, 1, 1}:
		put(126, 2, 2)
	}
	return s
}
