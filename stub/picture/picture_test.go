package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/png"
	"io"
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

// made is a view of an image with data that counts.
func made(t *testing.T, m *texel.Image, level, layer, slice int) *View {
	t.Helper()
	data := make([]byte, m.Bytes())
	for i := range data {
		data[i] = byte(i)
	}
	v, err := New(m, data, level, layer, slice)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestShow: of an image with several levels or layers it is said which is shown; texels of up to 16 by 16 are
// in a table, and others in letters.
func TestShow(t *testing.T) {
	for _, c := range []struct {
		size           [3]int
		levels, layers int
		level, layer   int
		want           string
	}{
		{[3]int{2, 1, 1}, 1, 1, 0, 0, "texels from 0 to 1\n y\\x 0 1\n   0 0 1\n"},
		{[3]int{2, 1, 1}, 1, 2, 0, 1, "layer 1: texels from 2 to 3\n y\\x 0 1\n   0 2 3\n"},
		{[3]int{2, 1, 1}, 2, 1, 1, 0, "level 1 of 1 x 1: texels from 2 to 2\n y\\x 0\n   0 2\n"},
		{[3]int{16, 1, 1}, 1, 1, 0, 0, "texels from 0 to 15\n y\\x 0"},
		{[3]int{17, 1, 1}, 1, 1, 0, 0, "texels from 0 to 16\n|"},
		{[3]int{1, 16, 1}, 1, 1, 0, 0, "texels from 0 to 15\n y\\x  0\n"},
		{[3]int{1, 17, 1}, 1, 1, 0, 0, "texels from 0 to 16\n|"},
	} {
		m := texel.NewImage(texel.ByName("r8_uint"), texel.Plane, c.size, c.levels, c.layers)
		v := made(t, &m, c.level, c.layer, 0)
		if got := text(t, func(b *bytes.Buffer) error { return v.Show(b) }); !strings.HasPrefix(got,
			c.want) ||
			strings.HasSuffix(c.want, "3\n") && got != c.want {
			t.Errorf("%v: %q, want %q", c.size, got, c.want)
		}
	}
	v := plane(t, []float32{1})
	if err := v.Show(closed{}); err == nil {
		t.Error("what cannot be written is shown")
	}
}

// closed is a writer that writes nothing.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestDescribe: shapes, levels, layers and samples in words.
func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		shape          texel.Shape
		size           [3]int
		levels, layers int
		samples        int
		want           string
	}{
		{texel.Line, [3]int{5, 1, 1}, 1, 1, 1, "a line of 5 texels, r8_uint"},
		{texel.Plane, [3]int{5, 4, 1}, 3, 1, 1, "5 x 4 texels, r8_uint, 3 levels"},
		{texel.Volume, [3]int{5, 4, 2}, 1, 1, 1, "5 x 4 x 2 texels, r8_uint"},
		{texel.Cube, [3]int{4, 4, 1}, 1, 6, 1, "a cube of 4 x 4 texels, r8_uint, 6 layers"},
		{texel.Plane, [3]int{5, 4, 1}, 2, 2, 4, "5 x 4 texels, r8_uint, 2 levels, 2 layers, 4 samples"},
	} {
		m := texel.NewImage(texel.ByName("r8_uint"), c.shape, c.size, c.levels, c.layers)
		m.Samples = c.samples
		if got := Describe(&m); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestTexts: texels in words: bytes that are colours in hexadecimal, integers whole, floats to six digits.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ format, data, want string }{
		{"r8g8_unorm", "\x01\xff", "01ff"}, {"r8_unorm", "\x80", "80"}, {"r8g8b8a8_srgb",
			"\x01\x80\xff\x40", "0180ff40"},
		{"r8g8_uint", "\x01\xff", "1,255"}, {"r8g8_sint", "\x01\xff", "1,-1"}, {"r8_snorm", "\x81", "-1"},
		{"r16_uint", "\x34\x12", "4660"}, {"r64_uint", "\xff\xff\xff\xff\xff\xff\xff\xff",
			"18446744073709551615"},
		{"r64_sint", "\xfe\xff\xff\xff\xff\xff\xff\xff", "-2"}, {"r32_sfloat", "\xdb\x0f\x49\x40", "3.14159"},
	} {
		f := texel.ByName(c.format)
		if f == nil {
			t.Fatalf("no format %s", c.format)
		}
		m := texel.NewImage(f, texel.Line, [3]int{1, 1, 1}, 1, 1)
		v, err := New(&m, []byte(c.data), 0, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if x, ok := v.At(0, 0); !ok || Text(f, x) != c.want {
			t.Errorf("%s: %s, want %s", c.format, Text(f, x), c.want)
		}
	}
}

// TestRanges: between which numbers colours are, which scales them unless they are between 0 and 1.
func TestRanges(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, c := range []struct {
		row         []float32
		says, scale string
		grey        int // of the first texel
	}{
		{[]float32{0, 1}, "texels from 0 to 1", "", 0}, {[]float32{0.5, 0.25}, "texels from 0.25 to 0.5",
			"", 128},
		{[]float32{-0.5, 0.5}, "texels from -0.5 to 0.5", "-0.5 is black, 0.5 is white", 0},
		{[]float32{2, 0}, "texels from 0 to 2", "0 is black, 2 is white", 255},
		{[]float32{7, 7}, "texels from 7 to 7", "7 is black, 7 is white", 128},
		{[]float32{inf}, "no texel is a number", "", 0}, {[]float32{nan, inf},
			"no texel is a number, 1 of 2 are NaN", "", -1},
		{[]float32{nan, 3, nan}, "texels from 3 to 3, 2 of 3 are NaN", "3 is black, 3 is white", -1},
	} {
		v := plane(t, c.row)
		if v.Range() != c.says || v.Scaled() != c.scale {
			t.Errorf("%v: %s; %s", c.row, v.Range(), v.Scaled())
		}
		want := [4]int{c.grey, c.grey, c.grey, 255}
		if c.grey < 0 {
			want = [4]int{255, 0, 255, 255}
		}
		if got := v.Colour(0, 0); [4]int{int(got.R), int(got.G), int(got.B), int(got.A)} != want {
			t.Errorf("%v: %v, want %v", c.row, got, want)
		}
	}
	v := plane(t, []float32{1})
	if got := v.Colour(0, 1); got.A != 0 {
		t.Errorf("a texel that is not there is %v", got)
	}
	m := texel.NewImage(texel.ByName("r8g8b8a8_unorm"), texel.Line, [3]int{1, 1, 1}, 1, 1)
	// The colours of 0, 1, 2, 3 are three: the fourth component is none.
	if got := made(t, &m, 0, 0, 0).Range(); got != "texels from 0 to 0.00784314" {
		t.Error(got)
	}
	integers := texel.NewImage(texel.ByName("r8_uint"), texel.Line, [3]int{2, 1, 1}, 1, 1)
	if got := made(t, &integers, 0, 0, 0).Scaled(); got != "0 is black, 1 is white" {
		t.Errorf("integers: %s", got)
	}
}

// TestLetters: a letter stands for as many texels as make it twice as high as wide; small images have two
// letters for a texel, and lines one.
func TestLetters(t *testing.T) {
	for _, c := range []struct {
		width, height, columns int
		letters, rows          int
	}{{4, 1, 60, 4, 1}, {1, 4, 60, 2, 4}, {30, 2, 60, 60, 2}, {31, 2, 60, 31, 2}, {60, 3, 60, 60, 3}, {61,
		8, 60, 31, 2},
		{2, 100, 1, 1, 25}, {120, 1, 60, 60, 1}, {1, 100, 1, 1, 100}, {200, 5, 50, 50, 1}} {
		m := texel.NewImage(texel.ByName("r8_unorm"), texel.Plane, [3]int{c.width, c.height, 1}, 1, 1)
		v := made(t, &m, 0, 0, 0)
		lines := strings.Split(strings.TrimSuffix(text(t, func(b *bytes.Buffer) error {
			return v.Letters(b,
				c.columns)
		}), "\n"), "\n")
		if len(lines) != c.rows || len(lines[0]) != c.letters+2 || len(lines[len(lines)-1]) != c.letters+2 {
			t.Errorf("%d x %d in %d: %d lines of %d letters", c.width, c.height, c.columns, len(lines),
				len(lines[0])-2)
		}
	}
	m := texel.NewImage(texel.ByName("r8g8b8a8_unorm"), texel.Line, [3]int{5, 1, 1}, 1, 1)
	v, err := New(&m, []byte{255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 255, 255, 255, 255, 0, 0, 0, 255}, 0,
		0, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The luminance of red, green and blue (ITU-R BT.709): 0.21, 0.72 and 0.07 of nine steps.
	if got := text(t, func(b *bytes.Buffer) error { return v.Letters(b, 60) }); got != "|:*.@ |\n" {
		t.Errorf("%q", got)
	}
}

// TestPixels: a texel is a square of as many pixels as fit 256, or one pixel.
func TestPixels(t *testing.T) {
	for _, c := range [][4]int{{3, 2, 255, 170}, {2, 3, 170, 255}, {128, 1, 256, 2}, {129, 1, 129, 1}, {300,
		1, 300, 1}, {1, 1, 256, 256}} {
		m := texel.NewImage(texel.ByName("r8_unorm"), texel.Plane, [3]int{c[0], c[1], 1}, 1, 1)
		var b bytes.Buffer
		if err := made(t, &m, 0, 0, 0).PNG(&b); err != nil {
			t.Fatal(err)
		}
		p, err := png.Decode(&b)
		if err != nil || p.Bounds().Dx() != c[2] || p.Bounds().Dy() != c[3] {
			t.Errorf("%v: %v, %v", c, p.Bounds(), err)
		}
	}
}

// TestPart: a table can begin at any texel, and ends with the image.
func TestPart(t *testing.T) {
	m := texel.NewImage(texel.ByName("r8_uint"), texel.Plane, [3]int{4, 3, 1}, 1, 1)
	v := made(t, &m, 0, 0, 0)
	at, ok := v.Offset(0, 1)
	if _, last := v.Offset(3, 2); !ok || !last {
		t.Error("a texel is nowhere")
	}
	want := fmt.Sprintf(" y\\x  2  3\n   1 %2d %2d\n   2 %2d %2d\n", at+2, at+3, 2*at+2, 2*at+3)
	if got := text(t, func(b *bytes.Buffer) error { return v.Table(b, 2, 1, 5, 5) }); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := text(t, func(b *bytes.Buffer) error {
		return v.Table(b, 1, 0, 2,
			1)
	}); got != " y\\x 1 2\n   0 1 2\n" {
		t.Errorf("%q", got)
	}
}

// TestWide: integers of 64 bits have colours by their size, signed and unsigned.
func TestWide(t *testing.T) {
	for format, want := range map[string][3]uint8{"r64_uint": {0, 127, 255}, "r64_sint": {128, 255, 0}} {
		m := texel.NewImage(texel.ByName(format), texel.Line, [3]int{3, 1, 1}, 1, 1)
		var data []byte
		for _, x := range []uint64{0, 1<<63 - 1<<11, 1<<64 - 1<<11} { // of which floats hold all bits
			data = binary.LittleEndian.AppendUint64(data, x)
		}
		if format == "r64_sint" {
			data = data[:0]
			for _, x := range []int64{0, 1 << 62, -1 << 62} {
				data = binary.LittleEndian.AppendUint64(data, uint64(x))
			}
		}
		v, err := New(&m, data, 0, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for x, grey := range want {
			if got := v.Colour(x, 0); got.R != grey || got.G != grey || got.B != grey {
				t.Errorf("%s: texel %d is %v, want %d", format, x, got, grey)
			}
		}
	}
}
