package texel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestNumbers holds names and numbers of formats against Vulkan's header, where that is installed.
func TestNumbers(t *testing.T) {
	header, err := os.ReadFile("/usr/include/vulkan/vulkan_core.h")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	numbers := map[string]uint64{}
	for _, m := range regexp.MustCompile(`VK_FORMAT_(\w+) = (\d+),`).FindAllStringSubmatch(
		string(header), -1) {
		numbers[strings.ToLower(m[1])], _ = strconv.ParseUint(m[2], 10, 32)
	}
	for n, f := range Formats() {
		if ByName(f.Name) != f {
			t.Errorf("%s is not found by its name", f)
		}
		const maintenance5 = 1000470000 // the first format that headers of before 2023 lack
		if got, ok := numbers[f.Name]; (ok || n < maintenance5) && got != uint64(n) {
			t.Errorf("%s is %d here, %d in the header", f, n, got)
		}
	}
}

// TestTexels makes texels of numbers that stand for themselves.
func TestTexels(t *testing.T) {
	for _, c := range []struct {
		format string
		bytes  []byte
		want   Texel
	}{
		{"r8_unorm", []byte{51}, Texel{0.2, 0, 0, 1}},
		{"r8g8_snorm", []byte{0x81, 0x7f}, Texel{-1, 1, 0, 1}},
		{"r8g8b8_uint", []byte{1, 2, 255}, Texel{1, 2, 255, 1}},
		{"b8g8r8a8_unorm", []byte{0, 51, 255, 102}, Texel{1, 0.2, 0, 0.4}},
		{"b8g8r8a8_sint", []byte{0xff, 2, 3, 4}, Texel{3, 2, -1, 4}},
		{"r8g8b8a8_srgb", []byte{0, 255, 128, 128}, Texel{0, 1, 0.21586050011389926, 128.0 / 255}},
		{"r8_sscaled", []byte{0xf6}, Texel{-10, 0, 0, 1}},
		{"r5g6b5_unorm_pack16", []byte{0x1f, 0xf8}, Texel{1, 0, 1, 1}},
		{"r5g6b5_unorm_pack16", []byte{0xe0, 0x07}, Texel{0, 1, 0, 1}},
		{"a1r5g5b5_unorm_pack16", []byte{0x00, 0x80}, Texel{0, 0, 0, 1}},
		{"a1r5g5b5_unorm_pack16", []byte{0x00, 0x7c}, Texel{1, 0, 0, 0}},
		{"r4g4b4a4_unorm_pack16", []byte{0x3f, 0x60}, Texel{0.4, 0, 0.2, 1}},
		{"a2b10g10r10_unorm_pack32", []byte{0xff, 0x03, 0, 0}, Texel{1, 0, 0, 0}},
		{"a2r10g10b10_uint_pack32", []byte{0xff, 0x03, 0, 0xc0}, Texel{0, 0, 1023, 3}},
		{"a8b8g8r8_uint_pack32", []byte{1, 2, 3, 4}, Texel{1, 2, 3, 4}},
		{"r16g16_sfloat", []byte{0x00, 0x3c, 0x00, 0xc0}, Texel{1, -2, 0, 1}},
		{"r16_sfloat", []byte{0x01, 0x00}, Texel{0x1p-24, 0, 0, 1}},
		{"r16_sfloat", []byte{0xff, 0x7b}, Texel{65504, 0, 0, 1}},
		{"r32g32_sint", []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x80}, Texel{-1, math.MinInt32, 0, 1}},
		{"r32_uint", []byte{0xff, 0xff, 0xff, 0xff}, Texel{math.MaxUint32, 0, 0, 1}},
		{"r32_sfloat", []byte{0, 0, 0x20, 0x41}, Texel{10, 0, 0, 1}},
		{"b10g11r11_ufloat_pack32", []byte{0xc0, 0x03, 0x20, 0x80}, Texel{1, 2, 2, 1}},
		{"e5b9g9r9_ufloat_pack32", []byte{0x80, 0x01, 0x01, 0x80}, Texel{1.5, 0.5, 0, 1}},
		{"d16_unorm", []byte{0xff, 0xff}, Texel{1, 0, 0, 1}},
		{"d24_unorm_s8_uint", []byte{0xff, 0xff, 0xff, 0}, Texel{1, 0, 0, 1}},
		{"d24_unorm_s8_uint_stencil", []byte{0, 0, 0, 7}, Texel{7, 0, 0, 1}},
		{"r64g64_uint", []byte{1, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
			Texel{math.Float64frombits(1<<63 + 1), math.Float64frombits(math.MaxUint64), 0,
				math.Float64frombits(1)}},
	} {
		f := ByName(c.format)
		if f == nil {
			t.Errorf("%s is not there", c.format)
			continue
		}
		got := f.Decode(c.bytes)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12*math.Abs(c.want[i]) ||
				f.Wide() && f.Whole(got[i]) != f.Whole(c.want[i]) {
				t.Errorf("%s of % x: %v, want %v", f, c.bytes, got, c.want)
				break
			}
		}
		back := make([]byte, f.Size)
		if f.Encode(c.want, back); string(back) != string(c.bytes) {
			t.Errorf("%s of %v: % x, want % x", f, c.want, back, c.bytes)
		}
	}
}

// TestNearestCode holds every code that Encode gives against its neighbours: none is nearer to the number.
func TestNearestCode(t *testing.T) {
	r := rand.New(sweep.PCG(1, 1))
	for _, f := range Formats() {
		if f.Numeric == Shared || f.Numeric == SRGB || f.block != 0 || f.planes != nil {
			continue
		}
		for range 200 {
			var x Texel
			for i := range x {
				x[i] = (r.Float64()*2.4 - 1.2) * math.Pow(2, float64(r.IntN(12)))
			}
			b := make([]byte, f.Size)
			f.Encode(x, b)
			got := f.Decode(b)
			for _, c := range f.channels {
				if c.bits >= 32 {
					continue // a float, which Go rounds, or an integer beyond its neighbours here
				}
				v := channelBits(b, c)
				for _, next := range []uint64{v + 1, v - 1} {
					if next>>c.bits != 0 || next>>(c.bits-1) != v>>(c.bits-1) && f.Numeric == Float {
						continue
					}
					other := f.number(c, next)
					off, least := math.Abs(got[c.component]-x[c.component]), math.Abs(other-x[c.component])
					if least < off*(1-1e-9) && !math.IsInf(other, 0) {
						t.Errorf("%s: %v became %v (%#x), %#x would be %v", f, x[c.component],
							got[c.component], v, next, other)
					}
				}
			}
		}
	}
}

// TestSharedExponent: each component is within half a unit of the exponent that the largest needs.
func TestSharedExponent(t *testing.T) {
	r := rand.New(sweep.PCG(2, 2))
	f := ByName("e5b9g9r9_ufloat_pack32")
	for range 2000 {
		x := Texel{r.Float64(), r.Float64() * 3, r.Float64() * math.Pow(2, float64(r.IntN(20)-8)), 1}
		b := make([]byte, 4)
		f.Encode(x, b)
		got := f.Decode(b)
		most := max(x[0], x[1], x[2], got[0], got[1], got[2]) // rounding may make the largest a power of two
		unit := math.Pow(2, math.Floor(math.Log2(most))+1-9)
		for i := range 3 {
			if math.Abs(got[i]-min(x[i], 65408)) > unit/2*1.01 {
				t.Errorf("%v became %v, more than half of %v away", x, got, unit)
			}
		}
	}
	if got := fmt.Sprint(f.Decode([]byte{0xff, 0xff, 0xff, 0xff})); got != "[65408 65408 65408 1]" {
		t.Errorf("the largest is %s", got)
	}
}

// TestSRGB: every code becomes itself again.
func TestSRGB(t *testing.T) {
	f := ByName("r8g8b8a8_srgb")
	for v := range 256 {
		b, back := []byte{byte(v), byte(v), byte(v), byte(v)}, make([]byte, 4)
		f.Encode(f.Decode(b), back)
		if string(b) != string(back) {
			t.Errorf("%d becomes % x", v, back)
		}
	}
}
