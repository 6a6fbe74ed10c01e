package texel

import (
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// planarTexel finds a number of luma or of a chroma by the name of a format of several planes, of an image
// of w by h texels from the beginning of memory on, at a place of its own plane.
func planarTexel(name string, mem []byte, w, h int, component byte, x, y int) float64 {
	bits, _ := strconv.Atoi(regexp.MustCompile(`g(\d+)`).FindStringSubmatch(name)[1])
	n := (bits + 7) / 8
	number := func(at int) float64 {
		v := uint16(mem[at])
		if n == 2 {
			v = binary.LittleEndian.Uint16(mem[at:]) >> (16 - bits)
		}
		return float64(v) / float64(int(1)<<bits-1)
	}
	cw, ch := chromaSize(name, w, h)
	plane := strings.Contains(name, "plane")
	switch {
	case !plane && component == 'g':
		return number((y*w+x)*2*n + n*map[byte]int{'g': 0, 'b': 1}[name[0]])
	case !plane:
		return number((y*cw+x)*4*n + 2*n*map[byte]int{'b': 0, 'r': 1}[component] + n*map[byte]int{'g': 1,
			'b': 0}[name[0]])
	case component == 'g':
		return number((y*w + x) * n)
	case strings.Contains(name, "3plane"):
		return number((w*h + (y*cw + x) + cw*ch*map[byte]int{'b': 0, 'r': 1}[component]) * n)
	}
	return number((w*h + 2*(y*cw+x) + map[byte]int{'b': 0, 'r': 1}[component]) * n)
}

func chromaSize(name string, w, h int) (int, int) {
	switch {
	case strings.Contains(name, "420"):
		return w / 2, h / 2
	case strings.Contains(name, "422"):
		return w / 2, h
	}
	return w, h
}

// colorMatrices are what chromas add to red, green and blue, as the recommendations BT.709, BT.601 and
// BT.2020 print it: of Cr to red, of Cb and Cr to green, of Cb to blue.
var colorMatrices = map[Model][4]float64{YCbCr709: {1.5748, -0.187324, -0.468124, 1.8556},
	YCbCr601: {1.402, -0.344136, -0.714136, 1.772}, YCbCr2020: {1.4746, -0.164553, -0.571353, 1.8814}}

// TestPlanes samples images of several planes at random places by each filter, model, range and place of
// chroma, and compares with sums that are written down here.
func TestPlanes(t *testing.T) {
	const w, h = 10, 6
	r := rand.New(sweep.PCG(28, 7))
	const vulkans = 32
	seen := 0
	for _, number := range slices.Sorted(maps.Keys(Formats())) {
		f := Formats()[number]
		if f.planes == nil {
			continue
		}
		seen++
		m := NewImage(f, Plane, [3]int{w, h, 1}, 1, 2)
		m.FirstLayer, m.ViewLayers = 1, 1
		mem := make(plainMemory, m.Bytes())
		for i := range mem {
			mem[i] = byte(r.Uint32())
		}
		cw, ch := chromaSize(f.Name, w, h)
		layer := mem[m.LayerBytes():]
		bits := f.ChannelBits()
		for k := range 40 {
			c := Conversion{Model: Model(k % 5), Narrow: r.IntN(2) == 0, MidX: r.IntN(2) == 0,
				MidY: r.IntN(2) == 0}
			clamp := [3]Mode{ClampToEdge, ClampToEdge, ClampToEdge}
			s := Sampler{Mag: Filter(k / 5 % 2), Min: Filter(k / 5 % 2), Modes: clamp, Compare: NoCompare,
				Convert: Convert(c)}
			filtered := func(component byte, u, v float64, pw, ph int) float64 {
				at := func(x, y float64) float64 {
					return planarTexel(f.Name, layer, w, h, component, min(max(int(x), 0), pw-1),
						min(max(int(y), 0), ph-1))
				}
				if s.Mag == Nearest {
					return at(math.Floor(u), math.Floor(v))
				}
				x, y := math.Floor(u-0.5), math.Floor(v-0.5)
				a, b := u-0.5-x, v-0.5-y
				return (at(x, y)*(1-a)+at(x+1, y)*a)*(1-b) + (at(x, y+1)*(1-a)+at(x+1, y+1)*a)*b
			}
			var o Op
			var out [simt.MaxLanes]Texel
			o.Begin(math.MaxUint64)
			o.One, o.By = &m, &s
			for l := range o.Place {
				o.Place[l].At = [3]float64{float64(float32(r.Float64()*1.4 - 0.2)),
					float64(float32(r.Float64()*1.4 - 0.2))}
			}
			o.Take(mem, &out)
			for l := range out {
				u, v := o.Place[l].At[0], o.Place[l].At[1]
				cu, cv := u*float64(cw), v*float64(ch)
				if cw < w && !c.MidX {
					cu = (u*w + 0.5) / 2 // chroma lies where the first of two texels is
				}
				if ch < h && !c.MidY {
					cv = (v*h + 0.5) / 2
				}
				y, cb, cr := filtered('g', u*w, v*h, w, h), filtered('b', cu, cv, cw, ch), filtered('r', cu,
					cv, cw, ch)
				if c.Model != RGBIdentity {
					most := float64(int(1)<<bits - 1)
					if scale := float64(int(1) << (bits - 8)); c.Narrow {
						y, cb, cr = (y*most/scale-16)/219, (cb*most/scale-128)/224, (cr*most/scale-128)/224
					} else {
						half := float64(int(1)<<(bits-1)) / most
						cb, cr = cb-half, cr-half
					}
				}
				want := Texel{cr, y, cb, 1}
				if by, ok := colorMatrices[c.Model]; ok {
					want = Texel{y + by[0]*cr, y + by[1]*cb + by[2]*cr, y + by[3]*cb, 1}
				}
				for i := range want {
					// A product that is rounded to 32 bits may lead to the texel beside.
					if d := math.Abs(out[l][i] - want[i]); d > 2e-5 {
						t.Fatalf("%s, %+v, filter %d, at %g, %g: component %d is %g, want %g", f, c, s.Mag,
							u, v, i, out[l][i], want[i])
					}
				}
			}
		}
		var o Op
		var out [simt.MaxLanes]Texel
		o.Begin(1<<(w*h) - 1)
		o.One = &m
		for l := range w * h {
			o.Place[l].At = [3]float64{float64(l % w), float64(l / w)}
		}
		o.Fetch(mem, &out)
		for l := range w * h {
			x, y := l%w, l/w
			cx, cy := x*cw/w, y*ch/h
			want := Texel{planarTexel(f.Name, layer, w, h, 'r', cx, cy), planarTexel(f.Name, layer, w, h,
				'g', x, y),
				planarTexel(f.Name, layer, w, h, 'b', cx, cy), 1}
			if got, ok := m.Texel(mem, x, y, 0, 0, 0, 0); out[l] != want || got != want || !ok {
				t.Fatalf("%s at %d, %d: %v fetched and %v in memory, want %v", f, x, y, out[l], got, want)
			}
		}
	}
	if seen != vulkans {
		t.Errorf("%d formats of several planes, Vulkan has %d", seen, vulkans)
	}
}

// TestConversionBlock reads conversions as they were written.
func TestConversionBlock(t *testing.T) {
	for k := range 40 {
		s := Sampler{Convert: Convert(Conversion{Model: Model(k % 5), Narrow: k&8 != 0, MidX: k&16 != 0,
			MidY: k&4 != 0}),
			Apart: k&2 != 0}
		b := make([]byte, SamplerBytes)
		s.Write(b)
		if got, err := ReadSampler(b); err != nil || got != s {
			t.Errorf("%+v became %+v (%v)", s, got, err)
		}
	}
	b := make([]byte, SamplerBytes)
	b[60] = 7 << conversionModel
	if _, err := ReadSampler(b); err == nil {
		t.Error("a model that there is not was taken")
	}
}
