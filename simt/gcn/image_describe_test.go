package gcn

import (
	"strings"
	"testing"

	"simtgdb/simt/texel"
)

// Descriptors are those that the other tests of images have from the documents.
func TestDescribeImage(t *testing.T) {
	formats := map[string][2]uint8{"r32g32b32a32_sfloat": {14, 7}, "r8g8b8a8_unorm": {10, 0},
		"r32_uint": {4, 4}, "r8g8b8a8_srgb": {10, 9}, "a8b8g8r8_sint_pack32": {10, 5}}
	for _, on := range []string{"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1201"} {
		for name, numbers := range formats {
			for _, levels := range []uint32{1, 3} {
				for _, kind := range []uint32{imageLine, imagePlane, imageVolume, imageCube, imageLines,
					imagePlanes} {
					f := texel.ByName(name)
					p := pictured{kind, numbers[0], numbers[1], 64, 8, 6, levels, uint32(f.Size)}
					size, layers := [3]int{64, 8, 1}, 1
					switch kind {
					case imageLine:
						size[1], p.height, p.deep = 1, 1, 1
					case imagePlane:
						p.deep = 1
					case imageVolume:
						size[2] = 6
					case imageLines:
						size[1], p.height, layers = 1, 1, 6
					default:
						layers = 6
					}
					shape := imageShapes[kind-imageLine]
					m := texel.NewImage(f, shape, size, int(levels), layers)
					m.Address, m.Align = dataBase, imageLayoutOf(targetOf(on)).align
					got, err := DescribeImage(on, &m)
					want := p.words(on)
					if name == "r32_uint" { // green and blue are 0, and alpha is 1
						const all, red = 0xfff, 4 | 1<<9
						want[3] = want[3]&^all | red
					}
					if plain := kind == imageLine ||
						kind == imagePlane; plain && levels == 1 && on != "gfx1010" && on != "gfx900" {
						// gfx11 and gfx12 may leave this out.
						want[4] = uint32(m.RowBytes(0))/uint32(f.Size) - 1
					}
					if err != nil || string(words32(got[:]...)) != string(words32(want...)) {
						t.Errorf("%s %s, kind %d, %d levels: %08x, want %08x (%v)", on, name, kind, levels,
							got, want, err)
					}
				}
			}
		}
	}
}

// Formats of blocks, of which gfx10 to gfx12 have each a number, as the ISAs' tables of formats do (and
// gfx9 a data and a number format), are those of the image again; so are the samples of a texel.
func TestDescribeBlocks(t *testing.T) {
	numbers := map[string][3]uint32{"bc1_rgba_unorm_block": {35, 169, 109},
		"bc1_rgba_srgb_block": {35 | 9<<6, 170, 110},
		"bc2_unorm_block":     {36, 171, 111}, "bc2_srgb_block": {36 | 9<<6, 172, 112},
		"bc3_unorm_block": {37, 173, 113}, "bc3_srgb_block": {37 | 9<<6, 174, 114},
		"bc4_unorm_block": {38, 175, 115},
		"bc4_snorm_block": {38 | 1<<6, 176, 116},
		"bc5_unorm_block": {39, 177, 117}, "bc5_snorm_block": {39 | 1<<6, 178, 118},
		"bc6h_ufloat_block": {40, 179, 119},
		"bc6h_sfloat_block": {40 | 1<<6, 180, 120}, "bc7_unorm_block": {41, 181, 121},
		"bc7_srgb_block": {41 | 9<<6, 182, 122}}
	for k, on := range []string{"gfx900", "gfx1030", "gfx1100", "gfx1201"} {
		d := imageLayoutOf(targetOf(on))
		check := func(m texel.Image, f *texel.Format, number uint32) {
			m.Address, m.Align = dataBase, d.align
			words, err := DescribeImage(on, &m)
			got, _, wrong := d.image(words[:], targetOf(on))
			n := d.format.of(words[:]) | d.num.of(words[:])<<6
			if err != nil || wrong != nil || got.Format != f || n != number || got.Size != m.Size ||
				got.Samples != m.Samples ||
				got.RowBytes(0) != m.RowBytes(0) || got.Levels != m.Levels || got.Layers != m.Layers {
				t.Errorf("%s: %+v of %+v, format %d, want %d (%v, %v)", on, got, m, n, number, err, wrong)
			}
		}
		for name, numbers := range numbers {
			for _, levels := range []int{1, 3} {
				f := texel.ByName(name)
				check(texel.NewImage(f, texel.Plane, [3]int{18, 7, 1}, levels, 1), f, numbers[min(k, 2)])
			}
		}
		for layers := 1; layers < 3; layers++ {
			f := texel.ByName("r32_sfloat")
			m := texel.NewImage(f, texel.Plane, [3]int{18, 7, 1}, 1, layers)
			m.Samples = 4
			check(m, f, [3]uint32{4 | 7<<6, 22, 22}[min(k, 2)])
		}
		m := texel.NewImage(texel.ByName("bc1_rgb_unorm_block"), texel.Plane, [3]int{8, 8, 1}, 1, 1)
		m.Address = dataBase
		words, err := DescribeImage(on, &m)
		if got, _, _ := d.image(words[:], targetOf(on)); err != nil || got.Swizzle[3] != texel.SwizzleOne {
			t.Errorf("%s: the alpha of BC1 without one is component %d (%v)", on, got.Swizzle[3], err)
		}
	}
}

func targetOf(name string) Target { t, _ := processorNamed(name); return t }

// What a processor has not got is an error.
func TestDescribeImageRefused(t *testing.T) {
	plain := func(change func(m *texel.Image)) *texel.Image {
		m := texel.NewImage(texel.ByName("r8g8b8a8_unorm"), texel.Plane, [3]int{8, 4, 1}, 1, 1)
		m.Address = dataBase
		change(&m)
		return &m
	}
	for _, c := range []struct {
		on, want string
		m        *texel.Image
	}{
		{"gfx90a", "gfx90a has no instructions for images", plain(func(*texel.Image) {})},
		{"gfx1250", "gfx1250 has no instructions for images", plain(func(*texel.Image) {})},
		{"gfx1100", "gfx1100 has no images of the format r8g8b8_unorm",
			plain(func(m *texel.Image) { m.Format = texel.ByName("r8g8b8_unorm") })},
		{"gfx1100", "at multiples of 256", plain(func(m *texel.Image) { m.Address++ })},
		{"gfx1100", "rows of 32 bytes", plain(func(m *texel.Image) { m.Levels, m.ViewLevels = 2, 2 })},
		{"gfx1201", "begin at multiples of 128 bytes",
			plain(func(m *texel.Image) { m.Layers, m.ViewLayers = 2, 2 })},
		{"gfx1010", "has no descriptor of an image of 8 x 4 x 1 texels", plain(func(*texel.Image) {})},
	} {
		if _, err := DescribeImage(c.on, c.m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.on, err, c.want)
		}
	}
}

// A sampler is read as it was written.
func TestDescribeSampler(t *testing.T) {
	for _, on := range []string{"gfx900", "gfx1030", "gfx1100", "gfx1201"} {
		for _, want := range []texel.Sampler{
			{Mag: texel.Linear, Mip: texel.Linear,
				Modes:   [3]texel.Mode{texel.Repeat, texel.ClampToBorder, texel.MirrorClampToEdge},
				Compare: texel.Less, Bias: -1.5, Least: 0.25, Top: 7.5, Border: texel.Texel{1, 1, 1, 1}},
			{Min: texel.Linear, Modes: [3]texel.Mode{texel.MirroredRepeat, texel.ClampToEdge,
				texel.ClampToEdge}, Top: 2, Unnormalized: true, Border: texel.Texel{0, 0, 0, 1}},
		} {
			words := DescribeSampler(on, &want, 3)
			got, err := imageLayoutOf(targetOf(on)).sampler(words[:])
			if want.Snap = snapBits; err != nil || got != want {
				t.Errorf("%s: %+v, want %+v (%v)", on, got, want, err)
			}
		}
	}
}
