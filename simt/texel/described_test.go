package texel

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestOpenCL holds orders and types of channels against those of cl.h.
func TestOpenCL(t *testing.T) {
	for name, want := range map[string][2]int{
		"r8_unorm": {0x10b0, 0x10d2}, "r8g8_snorm": {0x10b2, 0x10d0}, "r16g16b16a16_sfloat": {0x10b5, 0x10dd},
		"r32_uint": {0x10b0, 0x10dc}, "b8g8r8a8_unorm": {0x10b6, 0x10d2}, "r8g8b8a8_srgb": {0x10c1, 0x10d2},
		"b8g8r8a8_srgb": {0x10c2, 0x10d2}, "r8g8b8_srgb": {0x10bf, 0x10d2},
		"r5g6b5_unorm_pack16":   {0x10b4, 0x10d4},
		"a1r5g5b5_unorm_pack16": {0x10b4, 0x10d5}, "a2r10g10b10_unorm_pack32": {0x10b4, 0x10d6},
		"r32g32_sint": {0x10b2, 0x10d9},
	} {
		if order, kind := ByName(name).openCL(); order != want[0] || kind != want[1] {
			t.Errorf("%s: %#x, %#x, want %#x", name, order, kind, want)
		}
	}
	for _, name := range []string{"r64_uint", "b10g11r11_ufloat_pack32", "bc1_rgb_unorm_block"} {
		if _, kind := ByName(name).openCL(); kind != 0 {
			t.Errorf("%s: type %#x, want none", name, kind)
		}
	}
}

// TestMissing: what a format has not is not 0 outside, alpha.
func TestMissing(t *testing.T) {
	for name, want := range map[string]Texel{"r16_sint": {3: 1}, "r8g8_unorm": {3: 1}, "r8g8b8a8_sint": {}} {
		m := NewImage(ByName(name), Plane, [3]int{2, 2, 1}, 1, 1)
		if got := m.Missing(); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestDescribed: layers of lines are rows, and those of planes slices; what functions load outside is told.
func TestDescribed(t *testing.T) {
	f := ByName("r32_sfloat")
	le := binary.LittleEndian
	for _, c := range []struct {
		m          Image
		size       [3]uint32
		row, slice uint64
	}{
		{NewImage(f, Line, [3]int{5, 1, 1}, 1, 3), [3]uint32{5, 3, 1}, 20, 60},
		{NewImage(f, Plane, [3]int{5, 2, 1}, 1, 3), [3]uint32{5, 2, 3}, 20, 40},
		{NewImage(f, Volume, [3]int{5, 2, 4}, 1, 1), [3]uint32{5, 2, 4}, 20, 40},
	} {
		c.m.Address = 0x1000
		b, err := c.m.Described()
		if err != nil {
			t.Fatal(err)
		}
		at := b[DescriptionAt:]
		got := [3]uint32{le.Uint32(at[16:]), le.Uint32(at[20:]), le.Uint32(at[24:])}
		if got != c.size || le.Uint64(at[32:]) != c.row || le.Uint64(at[40:]) != c.slice ||
			le.Uint64(at) != 0x1000 || le.Uint32(at[48:]) != 4 {
			t.Errorf("%v: size %v and % x", c.m, got, at)
		}
		told := Told(0x2000, b)
		const outside = " a texel outside of its image"
		if told[0x2034] != "reads"+outside || told[0x2035] != "writes"+outside {
			t.Errorf("told: %v", told)
		}
		if le.PutUint64(at, 0x1004); Told(0x2000, b) != nil || Told(0x2000, b[:DescriptionAt]) != nil {
			t.Error("what describes no image is told of")
		}
	}
	for want, m := range map[string]Image{
		"no images of format r64_uint": NewImage(ByName("r64_uint"), Plane, [3]int{2, 2, 1}, 1, 1),
		"know no levels":               NewImage(f, Plane, [3]int{2, 2, 1}, 2, 1),
		"no cubes":                     NewImage(f, Cube, [3]int{2, 2, 1}, 1, 6),
	} {
		if _, err := m.Described(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
