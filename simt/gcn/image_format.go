package gcn

import (
	"sync"

	"simtgdb/simt/texel"
)

// Formats of images: those of buffers, and more (Vega ISA, "Image resource: data format"; RDNA 1, 3 and 4
// ISA, "Buffer and image data formats"). A format is a data format with a number format; from gfx10 on one
// number says both.

// imageData are the bits of the components of a data format that only images have, from the lowest on;
// numbered as gfx9 numbers them.
var imageData = map[uint8][]uint8{16: {5, 6, 5}, 17: {5, 5, 5, 1}, 18: {1, 5, 5, 5}, 19: {4, 4, 4, 4},
	20: {24, 8}, 21: {8, 24}, 57: {4, 4}}

const (
	imageShared = 34 // three components with one exponent
	imageBlocks = 35 // the first of seven formats of blocks
	numSRGB     = 9
)

// imageBlockFormats are the formats of blocks, BC1 to BC7, each with its number formats: numbers have the
// first, which of floats only say whether they have signs. From gfx10 on they follow each other.
var imageBlockFormats = [7][2]struct {
	num  uint8
	name string
}{
	{{formatUnorm, "bc1_rgba_unorm_block"}, {numSRGB, "bc1_rgba_srgb_block"}},
	{{formatUnorm, "bc2_unorm_block"}, {numSRGB, "bc2_srgb_block"}},
	{{formatUnorm, "bc3_unorm_block"}, {numSRGB, "bc3_srgb_block"}},
	{{formatUnorm, "bc4_unorm_block"}, {formatSnorm, "bc4_snorm_block"}},
	{{formatUnorm, "bc5_unorm_block"}, {formatSnorm, "bc5_snorm_block"}},
	{{formatUnorm, "bc6h_ufloat_block"}, {formatSnorm, "bc6h_sfloat_block"}},
	{{formatUnorm, "bc7_unorm_block"}, {numSRGB, "bc7_srgb_block"}},
}

// numerics are the number formats.
var numerics = map[uint8]texel.Numeric{formatUnorm: texel.Unorm, formatSnorm: texel.Snorm,
	formatUscaled: texel.Uscaled, formatSscaled: texel.Sscaled, formatUint: texel.Uint,
	formatSint: texel.Sint, formatFloat: texel.Float, numSRGB: texel.SRGB}

// The formats that follow those of buffers, by their numbers from a first one on.
var imageFormatsAfter = [][2]uint8{{1, numSRGB}, {3, numSRGB}, {10, numSRGB}}

var (
	laterImages10 = imagesFrom(128, 169, [][2]uint8{{}, {imageShared, formatFloat}, {16, formatUnorm},
		{17, formatUnorm},
		{18, formatUnorm}, {19, formatUnorm}, {57, formatUnorm}, {}, {}, {}, {20, formatUnorm},
		{20, formatUint},
		{21, formatUnorm}, {21, formatUint}})
	laterImages11 = imagesFrom(64, 109, [][2]uint8{{imageShared, formatFloat}, {16, formatUnorm},
		{17, formatUnorm},
		{18, formatUnorm}, {19, formatUnorm}, {57, formatUnorm}, {}, {}, {}, {20, formatUnorm},
		{20, formatUint},
		{21, formatUnorm}, {21, formatUint}})
)

func imagesFrom(first, blocks uint32, more [][2]uint8) map[uint32][2]uint8 {
	by := map[uint32][2]uint8{}
	for i, f := range append(imageFormatsAfter[:len(imageFormatsAfter):len(imageFormatsAfter)], more...) {
		if f != [2]uint8{} {
			by[first+uint32(i)] = f
		}
	}
	for i, row := range imageBlockFormats {
		for k := range row {
			by[blocks+uint32(2*i+k)] = [2]uint8{imageBlocks + uint8(i), row[k].num}
		}
	}
	return by
}

// formatOf is the format of an image, nil if it is none that is simulated.
func (d *imageLayout) formatOf(s []uint32, on Target) *texel.Format {
	n := d.format.of(s)
	if d.num.bits > 0 {
		return imageFormat(uint8(n), uint8(d.num.of(s)))
	}
	after := laterImages11
	if on&gfx10 != 0 {
		after = laterImages10
	}
	if f, ok := after[n]; ok {
		return imageFormat(f[0], f[1])
	}
	if list := formatsOf(on); int(n) < len(list) {
		return imageFormat(list[n][0], list[n][1])
	}
	return nil
}

// imageFormats keeps what imageFormat has made: two images of one format have the same.
var imageFormats sync.Map // of [2]uint8 to *texel.Format

// imageFormat is the format of a data and a number format.
func imageFormat(data, num uint8) *texel.Format {
	if f, ok := imageFormats.Load([2]uint8{data, num}); ok {
		return f.(*texel.Format)
	}
	f := makeImageFormat(data, num)
	if f != nil {
		imageFormats.Store([2]uint8{data, num}, f)
	}
	return f
}

func makeImageFormat(data, num uint8) *texel.Format {
	if data == imageShared {
		return texel.ByName("e5b9g9r9_ufloat_pack32")
	}
	if i := int(data) - imageBlocks; i >= 0 && i < len(imageBlockFormats) {
		for _, b := range imageBlockFormats[i] {
			if b.num == num {
				return texel.ByName(b.name)
			}
		}
		return nil
	}
	widths := imageData[data]
	if int(data) < len(dataFormats) {
		for _, w := range dataFormats[data] {
			widths = append(widths, uint8(w))
		}
	}
	n, ok := numerics[num]
	if !ok || len(widths) == 0 {
		return nil
	}
	if n == texel.Float {
		switch widths[0] {
		case 10, 11:
			n = texel.Ufloat
		case 16, 32:
		default:
			return nil
		}
	}
	return texel.Packed(n, widths...)
}
