package picture

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"math"
	"strings"
	"testing"

	"simtgdb/simt/texel"
)

// plane is an image of one level of float rows.
func plane(t *testing.T, rows ...[]float32) *View {
	t.Helper()
	m := texel.NewImage(texel.ByName("r32_sfloat"), texel.Plane, [3]int{len(rows[0]), len(rows), 1}, 1, 1)
	var data []byte
	for _, r := range rows {
		for _, x := range r {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	v, err := New(&m, data, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func text(t *testing.T, write func(b *bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFloats(t *testing.T) {
	nan := float32(math.NaN())
	v := plane(t, []float32{-2, 0, 6}, []float32{nan, float32(math.Inf(1)), 2})
	if got := v.Range(); got != "texels from -2 to 6, 1 of 6 are NaN" {
		t.Error(got)
	}
	if got := v.Scaled(); got != "-2 is black, 6 is white" {
		t.Error(got)
	}
	if got, want := text(t, func(b *bytes.Buffer) error { return v.Table(b, 0, 0, 16, 16) }),
		" y\\x   0    1 2\n   0  -2    0 6\n   1 NaN +Inf 2\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := text(t,
		func(b *bytes.Buffer) error { return v.Letters(b, 60) }), "|  ::@@|\n|??@@++|\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var b bytes.Buffer
	if err := v.PNG(&b); err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(&b)
	if err != nil || p.Bounds().Dx() != 3*85 || p.Bounds().Dy() != 2*85 {
		t.Fatalf("%v, %v", p, err)
	}
	for _, c := range []struct {
		x, y    int
		r, g, b uint32
	}{{0, 0, 0, 0, 0}, {1, 0, 64, 64, 64}, {2, 0, 255, 255, 255}, {0, 1, 255, 0, 255},
		{1, 1, 255, 255, 255}, {2, 1, 128, 128, 128}} {
		r, g, bl, _ := p.At(85*c.x+40, 85*c.y+40).RGBA()
		if r>>8 != c.r || g>>8 != c.g || bl>>8 != c.b {
			t.Errorf("pixel %d,%d is %d,%d,%d", c.x, c.y, r>>8, g>>8, bl>>8)
		}
	}
}

// TestBytes: bytes are shown as they are, those of sRGB too, whatever the order of components in memory; what
// is large is drawn by its means.
func TestBytes(t *testing.T) {
	for _, name := range []string{"b8g8r8a8_unorm", "b8g8r8a8_srgb"} {
		m := texel.NewImage(texel.ByName(name), texel.Plane, [3]int{4, 4, 1}, 2, 1)
		data := make([]byte, m.Bytes())
		for i := range data {
			data[i] = byte(i * 3)
		}
		v, err := New(&m, data, 1, 0, 0)
		if err != nil || v.Width != 2 || v.Height != 2 {
			t.Fatalf("%+v %v", v, err)
		}
		c, _ := v.At(1, 0)
		at, _ := v.Offset(1, 0)
		if got := Text(m.Format, c); got != hexOf(data[at:]) {
			t.Errorf("%s: %s, want %s", name, got, hexOf(data[at:]))
		}
		if got := v.Colour(1, 0); got.R != data[at+2] || got.B != data[at] || got.A != 255 {
			t.Errorf("%s: %v", name, got)
		}
	}
	m := texel.NewImage(texel.ByName("r8_unorm"), texel.Plane, [3]int{200, 100, 1}, 1, 1)
	data := make([]byte, m.Bytes())
	for i := range data {
		if i%200 >= 100 {
			data[i] = 255
		}
	}
	v, err := New(&m, data, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := text(t, func(b *bytes.Buffer) error { return v.Letters(b, 50) })
	if want := strings.Repeat("|"+strings.Repeat(" ", 25)+strings.Repeat("@", 25)+"|\n", 13); got != want {
		t.Errorf("%s", got)
	}
}

// TestSwizzle: components are shown in the order in which programs see them, as far as they see all.
func TestSwizzle(t *testing.T) {
	m := texel.NewImage(texel.ByName("r8g8b8a8_unorm"), texel.Line, [3]int{1, 1, 1}, 1, 1)
	for swizzle, want := range map[[4]uint8]string{{0, 1, 2, 3}: "01020304", {2, 1, 0, 3}: "03020104",
		{0, 1, 2, 5}: "01020304"} {
		m.Swizzle = swizzle
		v, err := New(&m, []byte{1, 2, 3, 4}, 0, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if c, _ := v.At(0, 0); Text(m.Format, c) != want {
			t.Errorf("%v: %s, want %s", swizzle, Text(m.Format, c), want)
		}
	}
}

// hexOf are four bytes B, G, R, A in the order in which they are shown.
func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	out := ""
	for _, i := range []int{2, 1, 0, 3} {
		out += string(digits[b[i]>>4]) + string(digits[b[i]&15])
	}
	return out
}

func TestNowhere(t *testing.T) {
	m := texel.NewImage(texel.ByName("r8_uint"), texel.Volume, [3]int{4, 4, 4}, 1, 2)
	for _, at := range [][3]int{{1, 0, 0}, {0, 2, 0}, {0, 0, 4}, {-1, 0, 0}} {
		if _, err := New(&m, nil, at[0], at[1], at[2]); err == nil {
			t.Errorf("%v is there", at)
		}
	}
	v, err := New(&m, make([]byte, 20), 0, 0, 1) // memory for less
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t,
		func(b *bytes.Buffer) error { return v.Table(b, 0, 0, 4, 2) }); got !=
		" y\\x 0 1 2 3\n   0 0 0 0 0\n   1 - - - -\n" {
		t.Errorf("%q", got)
	}
	if got := Describe(&m); got != "4 x 4 x 4 texels, r8_uint, 2 layers" {
		t.Error(got)
	}
}
