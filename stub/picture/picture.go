// Package picture shows images: a slice of one as a table of texels ([View.Table]), in letters
// ([View.Letters]) and as PNG ([View.PNG]). It knows formats by package texel, and no machine. Entry point:
// [New].
package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"simtgdb/simt/texel"
)

// A View is one slice of one level of one layer of an image.
type View struct {
	Image               *texel.Image
	Level, Layer, Slice int
	Width, Height       int

	data        []byte // of the whole image
	low, high   float64
	finite, nan int
}

// New is a view of an image whose memory is data.
func New(m *texel.Image, data []byte, level, layer, slice int) (*View, error) {
	size := m.LevelSize(max(level, 0))
	switch {
	case level < 0 || level >= m.ViewLevels:
		return nil, fmt.Errorf("no level %d: the image has %d", level, m.ViewLevels)
	case layer < 0 || layer >= m.ViewLayers:
		return nil, fmt.Errorf("no layer %d: the image has %d", layer, m.ViewLayers)
	case slice < 0 || slice >= size[2]:
		return nil, fmt.Errorf("no slice %d: level %d has %d", slice, level, size[2])
	}
	v := &View{Image: m, Level: level, Layer: layer, Slice: slice, Width: size[0], Height: size[1],
		data: data, low: math.Inf(1), high: math.Inf(-1)}
	for y := range v.Height {
		for x := range v.Width {
			t, _ := v.At(x, y)
			t = v.numbers(t)
			for _, c := range t[:v.colours()] {
				switch {
				case math.IsNaN(c):
					v.nan++
				case !math.IsInf(c, 0):
					v.low, v.high = min(v.low, c), max(v.high, c)
					v.finite++
				}
			}
		}
	}
	return v, nil
}

// colours is how many components are colours: all but the fourth.
func (v *View) colours() int { return min(v.Image.Format.Channels(), 3) }

// Offset is where a texel lies in the image's memory.
func (v *View) Offset(x, y int) (at uint64, ok bool) {
	at, ok = v.Image.Offset(x, y, v.Slice, v.Layer, v.Level, 0)
	return at, ok && at+uint64(v.Image.Format.Size) <= uint64(len(v.data))
}

// At is a texel; false where the image has no memory for it.
func (v *View) At(x, y int) (texel.Texel, bool) {
	t, ok := v.Image.Texel(v.data, x, y, v.Slice, v.Layer, v.Level, 0)
	if ok && v.swizzled() {
		t = v.Image.Shown(t)
	}
	return t, ok
}

// numbers is a texel as numbers, which for integers of 64 bits are near them.
func (v *View) numbers(t texel.Texel) texel.Texel {
	if f := v.Image.Format; f.Wide() {
		for i, x := range t {
			if t[i] = float64(f.Whole(x)); f.Numeric == texel.Uint {
				t[i] = float64(uint64(f.Whole(x)))
			}
		}
	}
	return t
}

// swizzled reports whether programs see components in another order. Where they see constants in the place of
// some, components are shown as they lie in memory.
func (v *View) swizzled() bool {
	for _, s := range v.Image.Swizzle[:v.Image.Format.Channels()] {
		if s >= texel.SwizzleZero {
			return false
		}
	}
	return true
}

// Describe says in words what an image is.
func Describe(m *texel.Image) string {
	s := m.LevelSize(0)
	text := map[texel.Shape]string{texel.Line: fmt.Sprintf("a line of %d", s[0]),
		texel.Plane:  fmt.Sprintf("%d x %d", s[0], s[1]),
		texel.Volume: fmt.Sprintf("%d x %d x %d", s[0], s[1], s[2]),
		texel.Cube:   fmt.Sprintf("a cube of %d x %d", s[0], s[1])}[m.Shape]
	text += " texels, " + m.Format.Name
	if m.ViewLevels > 1 {
		text += fmt.Sprintf(", %d levels", m.ViewLevels)
	}
	if m.ViewLayers > 1 {
		text += fmt.Sprintf(", %d layers", m.ViewLayers)
	}
	if m.Samples > 1 {
		text += fmt.Sprintf(", %d samples", m.Samples)
	}
	return text
}

// Range says between which numbers the colours of texels are.
func (v *View) Range() string {
	text := "no texel is a number"
	if v.finite > 0 {
		text = fmt.Sprintf("texels from %s to %s", number(v.low), number(v.high))
	}
	if v.nan > 0 {
		text += fmt.Sprintf(", %d of %d are NaN", v.nan, v.Width*v.Height*v.colours())
	}
	return text
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// Text is a texel in words: bytes as two digits of hexadecimal each, in the order R, G, B, A, other
// components as numbers.
func Text(f *texel.Format, t texel.Texel) string {
	n := f.Channels()
	if as := bytesOf(f); as != nil {
		b := make([]byte, 4)
		as.Encode(t, b)
		return fmt.Sprintf("%x", b[:n])
	}
	words := make([]string, n)
	for i := range words {
		switch {
		case f.Wide() && f.Numeric == texel.Uint:
			words[i] = strconv.FormatUint(uint64(f.Whole(t[i])), 10)
		case f.Wide():
			words[i] = strconv.FormatInt(f.Whole(t[i]), 10)
		default:
			words[i] = number(t[i])
		}
	}
	return strings.Join(words, ",")
}

// bytesOf is the format of four bytes that shows texels of a format exactly, nil if there is none.
func bytesOf(f *texel.Format) *texel.Format {
	if f.ChannelBits() != 8 || f.Numeric != texel.Unorm && f.Numeric != texel.SRGB {
		return nil
	}
	return shown(f)
}

// shown is the format of pictures for texels of a format.
func shown(f *texel.Format) *texel.Format {
	if f.Numeric == texel.SRGB {
		return texel.ByName("r8g8b8a8_srgb")
	}
	return texel.ByName("r8g8b8a8_unorm")
}

// What Show shows: of small views all texels, of others letters.
const (
	shownTexels  = 16
	shownLetters = 64
)

// Show writes between which numbers texels are, and the texels.
func (v *View) Show(w io.Writer) error {
	where := ""
	if v.Image.ViewLevels > 1 {
		where += fmt.Sprintf("level %d of %d x %d: ", v.Level, v.Width, v.Height)
	}
	if v.Image.ViewLayers > 1 {
		where += fmt.Sprintf("layer %d: ", v.Layer)
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", where, v.Range()); err != nil {
		return err
	}
	if v.Width <= shownTexels && v.Height <= shownTexels {
		return v.Table(w, 0, 0, shownTexels, shownTexels)
	}
	return v.Letters(w, shownLetters)
}

// Table writes texels row by row, those of some columns and rows from a corner on.
func (v *View) Table(w io.Writer, x0, y0, columns, rows int) error {
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	x1, y1 := min(x0+columns, v.Width), min(y0+rows, v.Height)
	fmt.Fprint(t, "y\\x\t")
	for x := x0; x < x1; x++ {
		fmt.Fprintf(t, "%d\t", x)
	}
	fmt.Fprintln(t)
	for y := y0; y < y1; y++ {
		fmt.Fprintf(t, "%d\t", y)
		for x := x0; x < x1; x++ {
			text := "-"
			if c, ok := v.At(x, y); ok {
				text = Text(v.Image.Format, c)
			}
			fmt.Fprintf(t, "%s\t", text)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// Scaled says how numbers are made colours where they are not between 0 and 1, "" if they are taken as they
// are.
func (v *View) Scaled() string {
	if v.plain() {
		return ""
	}
	return fmt.Sprintf("%s is black, %s is white", number(v.low), number(v.high))
}

// plain reports whether components are colours as they are.
func (v *View) plain() bool {
	return v.finite == 0 || !v.Image.Format.Numeric.Integer() && v.low >= 0 && v.high <= 1
}

// Colour is that of a texel in pictures: what is no number is magenta, a component alone is grey, and all is
// opaque.
func (v *View) Colour(x, y int) color.NRGBA {
	t, ok := v.At(x, y)
	if !ok {
		return color.NRGBA{}
	}
	n := v.colours()
	t = v.numbers(t)
	for i, c := range t[:n] {
		if math.IsNaN(c) {
			return color.NRGBA{255, 0, 255, 255}
		}
		if !v.plain() {
			t[i] = 0.5
			if v.high > v.low {
				t[i] = (c - v.low) / (v.high - v.low)
			}
		}
	}
	if n == 1 {
		t[1], t[2] = t[0], t[0]
	}
	var b [4]byte
	shown(v.Image.Format).Encode(t, b[:])
	return color.NRGBA{b[0], b[1], b[2], 255}
}

// PNG writes the view as a picture, each texel as a pixel, or as a square of pixels where the view is small.
func (v *View) PNG(w io.Writer) error {
	const small = 256
	side := max(1, small/max(v.Width, v.Height))
	out := image.NewNRGBA(image.Rect(0, 0, v.Width*side, v.Height*side))
	for y := range v.Height * side {
		for x := range v.Width * side {
			out.SetNRGBA(x, y, v.Colour(x/side, y/side))
		}
	}
	return png.Encode(w, out)
}

// ramp are letters from dark to light.
const ramp = " .:-=+*#%@"

// Letters writes the view as letters, dark ones for dark texels, in as many columns as there are at the most.
// What is no number is a question mark. A letter is twice as high as wide: it stands for texels that together
// are so, or a texel for two.
func (v *View) Letters(w io.Writer, columns int) error {
	across := max(1, (v.Width+columns-1)/columns)
	down := across
	if v.Width > 1 && v.Height > 1 && across > 1 {
		down = 2 * across
	}
	twice := 1 // letters for each texel, so that what is square looks so
	if v.Height > 1 && 2*v.Width <= columns {
		twice = 2
	}
	var b strings.Builder
	for y := 0; y < v.Height; y += down {
		line := ""
		for x := 0; x < v.Width; x += across {
			line += strings.Repeat(string(v.letter(x, y, across, down)), twice)
		}
		fmt.Fprintf(&b, "|%s|\n", line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// letter is that of a rectangle of texels.
func (v *View) letter(x0, y0, across, down int) byte {
	sum, n := 0.0, 0
	for y := y0; y < min(y0+down, v.Height); y++ {
		for x := x0; x < min(x0+across, v.Width); x++ {
			if t, ok := v.At(x, y); ok && v.isNumber(t) {
				c := v.Colour(x, y)
				sum += 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
				n++
			}
		}
	}
	if n == 0 {
		return '?'
	}
	return ramp[int(sum/float64(n)/255*float64(len(ramp)-1)+0.5)]
}

func (v *View) isNumber(t texel.Texel) bool {
	t = v.numbers(t)
	for _, c := range t[:v.colours()] {
		if math.IsNaN(c) {
			return false
		}
	}
	return true
}
