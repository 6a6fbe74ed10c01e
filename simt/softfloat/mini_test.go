package softfloat

import (
	"math"
	"testing"
)

// minis are the formats with facts of their documents: the greatest number, the least that is normal and the
// least of all.
var minis = []struct {
	name                    string
	m                       Mini
	greatest, normal, least float64
}{
	{"FNUZFP8", FNUZFP8, 240, 0x1p-7, 0x1p-10}, {"FNUZBF8", FNUZBF8, 57344, 0x1p-15, 0x1p-17},
	{"FP8", FP8, 448, 0x1p-6, 0x1p-9}, {"BF8", BF8, 57344, 0x1p-14, 0x1p-16},
	{"FP6", FP6, 7.5, 1, 0.125}, {"BF6", BF6, 28, 0.25, 0.0625}, {"FP4", FP4, 6, 1, 0.5},
}

// TestMiniValues: numbers grow with their encodings, and the documents' are where they should be.
func TestMiniValues(t *testing.T) {
	for _, c := range minis {
		last := -1.0
		for v := range c.m.greatest() + 1 {
			x := c.m.Float(v)
			if x <= last {
				t.Errorf("%s: %#x is %v after %v", c.name, v, x, last)
			}
			last = x
			if y := c.m.Float(v | c.m.sign()); v != 0 && y != -x {
				t.Errorf("%s: %#x is %v", c.name, v|c.m.sign(), y)
			}
		}
		if last != c.greatest || c.m.Float(1) != c.least || c.m.Float(1<<c.m.Mant) != c.normal {
			t.Errorf("%s: from %v by %v to %v, want from %v by %v to %v", c.name, c.m.Float(1),
				c.m.Float(1<<c.m.Mant), last, c.least, c.normal, c.greatest)
		}
	}
	for _, c := range []struct {
		m    Mini
		v    uint64
		want float64
	}{{FNUZFP8, 0x80, math.NaN()}, {FP8, 0x7f, math.NaN()}, {FP8, 0xff, math.NaN()}, {FP8, 0x80, 0},
		{BF8, 0x7c, math.Inf(1)}, {BF8, 0xfc, math.Inf(-1)}, {BF8, 0x7d, math.NaN()}, {FNUZBF8, 0x7f, 57344},
		{FP4, 0xff, -6}} {
		if got := c.m.Float(c.v); got != c.want && (got == got || c.want == c.want) {
			t.Errorf("%+v: %#x is %v, want %v", c.m, c.v, got, c.want)
		}
	}
}

// TestMiniRound goes through all numbers, and what is near the middle of two.
func TestMiniRound(t *testing.T) {
	for _, c := range minis {
		for v := range c.m.greatest() {
			x, next := c.m.Float(v), c.m.Float(v+1)
			middle := (x + next) / 2
			even := v + v&1
			for _, p := range []struct {
				x    float64
				want uint64
			}{{x, v}, {middle, even}, {math.Nextafter(middle, 0), v}, {math.Nextafter(middle, 1e9), v + 1}} {
				if got := c.m.Round(p.x, Rounding{}); got != p.want {
					t.Errorf("%s: %v becomes %#x, want %#x", c.name, p.x, got, p.want)
				}
				if p.want == 0 {
					continue
				}
				if got := c.m.Round(-p.x, Rounding{}); got != p.want|c.m.sign() {
					t.Errorf("%s: %v becomes %#x, want %#x", c.name, -p.x, got, p.want|c.m.sign())
				}
			}
		}
	}
}

// TestMiniBeyond: what no number is near.
func TestMiniBeyond(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		m        Mini
		x        float64
		saturate bool
		want     uint64
	}{
		{FNUZFP8, 1000, false, 0x80}, {FNUZFP8, 1000, true, 0x7f}, {FNUZFP8, nan, true, 0x80},
		{FNUZFP8, -0.0001, false, 0}, {FP8, 464, false, 0x7e}, {FP8, 465, false, 0x7f},
		{FP8, -465, true, 0xfe},
		{FP8, inf, false, 0x7f}, {FP8, inf, true, 0x7e}, {FP8, nan, true, 0x7f},
		{FP8, math.Copysign(0, -1), true, 0x80},
		{BF8, 1e6, false, 0x7c}, {BF8, -1e6, false, 0xfc}, {BF8, 1e6, true, 0x7b}, {BF8, nan, false, 0x7e},
		{FP6, 100, false, 0x1f}, {BF6, -inf, false, 0x3f}, {FP4, 6.9, false, 7}, {FP4, -1e9, false, 0xf},
		{FP4, nan, false, 7}, {FP8, -1e6, false, 0xff}, {BF8, -nan, false, 0xfe},
	} {
		if got := c.m.Round(c.x, Rounding{Saturate: c.saturate}); got != c.want {
			t.Errorf("%+v: %v (%v) becomes %#x, want %#x", c.m, c.x, c.saturate, got, c.want)
		}
	}
}

// TestMiniStochastic: of all random numbers, as many round up as the number is nearer to the next one.
func TestMiniStochastic(t *testing.T) {
	for _, c := range minis {
		for v := range c.m.greatest() {
			x, next := c.m.Float(v), c.m.Float(v+1)
			const parts, tries = 16, 256
			for part := range parts {
				up := 0
				for i := range tries {
					r := Rounding{Stochastic: true, Random: uint32(i) << 24, SourceMant: Single.Mant}
					switch got := c.m.Round(x+(next-x)*float64(part)/parts, r); got {
					case v:
					case v + 1:
						up++
					default:
						t.Fatalf("%s: %v becomes %#x", c.name, x, got)
					}
				}
				if want := tries * part / parts; up != want {
					t.Fatalf("%s: %d/%d from %v to %v goes up %d times in %d, want %d", c.name, part, parts,
						x, next, up, tries, want)
				}
			}
		}
	}
}
