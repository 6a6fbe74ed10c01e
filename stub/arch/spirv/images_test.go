package spirv

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader/spirv"
	"simtgdb/stub/arch"
)

// TestImageNeeds: images are wanted of the dimensions, and of a format, that their types say (SPIR-V 1.6,
// sections 3.8 and 3.11): where the format is unknown, of one that is sampled as the type wants.
func TestImageNeeds(t *testing.T) {
	number := func(kind spirv.Kind, signed bool) *spirv.Type {
		return &spirv.Type{Kind: kind, Signed: signed}
	}
	for name, c := range map[string]struct {
		of   spirv.ImageBinding
		want arch.NeedBinding
	}{
		"sampler": {spirv.ImageBinding{Sampler: true, Dim: 3}, arch.NeedBinding{Kind: "sampler"}},
		"no component": {spirv.ImageBinding{Dim: 1},
			arch.NeedBinding{Kind: "image", Dimensions: 2, Format: "r8g8b8a8_unorm"}},
		"1D": {spirv.ImageBinding{Dim: 0, Sampled: number(spirv.Float, false)},
			arch.NeedBinding{Kind: "image", Dimensions: 1, Format: "r8g8b8a8_unorm"}},
		"2D": {spirv.ImageBinding{Dim: 1, Sampled: number(spirv.Int, false), Set: 2, Binding: 5},
			arch.NeedBinding{Set: 2, Number: 5, Kind: "image", Dimensions: 2, Format: "r8g8b8a8_uint"}},
		"3D": {spirv.ImageBinding{Dim: 2, Sampled: number(spirv.Int, true)},
			arch.NeedBinding{Kind: "image", Dimensions: 3, Format: "r8g8b8a8_sint"}},
		"cubes": {spirv.ImageBinding{Dim: 3, Arrayed: true, Format: 1},
			arch.NeedBinding{Kind: "image", Dimensions: 2, Cube: true, Layered: true,
				Format: "r32g32b32a32_sfloat"}},
		"rectangle": {spirv.ImageBinding{Dim: 4, Format: 4, Sampled: number(spirv.Float, false)},
			arch.NeedBinding{Kind: "image", Dimensions: 2, Format: "r8g8b8a8_unorm"}},
		"buffer": {spirv.ImageBinding{Dim: 5, Format: 39, Sampled: number(spirv.Int, false)},
			arch.NeedBinding{Kind: "image", Dimensions: 1, Format: "r8_uint"}},
		"unknown format": {spirv.ImageBinding{Dim: 1, Format: 40, Sampled: number(spirv.Float, false)},
			arch.NeedBinding{Kind: "image", Dimensions: 2, Format: "r8g8b8a8_unorm"}},
	} {
		if d := cmp.Diff(c.want, imageNeed(&c.of)); d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
	}
}
