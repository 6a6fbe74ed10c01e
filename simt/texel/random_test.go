package texel

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// layouts are names that say which components lie where, of formats whose own do not.
var layouts = map[string]string{
	"x8_d24_unorm_pack32":                "x8d24_unorm_pack32",
	"r10x6g10x6_unorm_2pack16":           "x6r10x6g10_unorm",
	"r10x6g10x6b10x6a10x6_unorm_4pack16": "x6r10x6g10x6b10x6a10_unorm",
	"r12x4g12x4_unorm_2pack16":           "x4r12x4g12_unorm",
	"r12x4g12x4b12x4a12x4_unorm_4pack16": "x4r12x4g12x4b12x4a12_unorm",
	"d16_unorm_s8_uint":                  "d16x16_unorm",
	"d24_unorm_s8_uint":                  "d24x8_unorm",
	"d32_sfloat_s8_uint":                 "d32x32_sfloat",
	"d16_unorm_s8_uint_stencil":          "x16s8x8_uint",
	"d24_unorm_s8_uint_stencil":          "x24s8_uint",
	"d32_sfloat_s8_uint_stencil":         "x32s8x24_uint",
}

// reference is a texel of a format by its name, from the formulas of Vulkan's chapter "Formats" and the Data
// Format Specification: the name says which components lie where.
func reference(name string, b []byte) [4]float64 {
	if spelled, ok := layouts[name]; ok {
		name = spelled
	}
	parts := strings.Split(name, "_")
	out := [4]float64{0, 0, 0, 1}
	var whole uint64
	for i := range min(len(b), 8) {
		whole |= uint64(b[i]) << (8 * i)
	}
	if parts[0] == "e5b9g9r9" {
		e := math.Exp2(float64(whole>>27) - 24)
		return [4]float64{float64(whole&511) * e, float64(whole>>9&511) * e, float64(whole>>18&511) * e, 1}
	}
	packed := len(parts) > 2
	total := 0
	letters, sizes := "", []int{}
	for s := parts[0]; s != ""; {
		letters += s[:1]
		n := 1
		for n < len(s) && s[n] <= '9' {
			n++
		}
		size, _ := strconv.Atoi(s[1:n])
		sizes = append(sizes, size)
		total += size
		s = s[n:]
	}
	at := 0
	for i, size := range sizes {
		place := at
		if packed {
			place = total - at - size
		}
		at += size
		if letters[i] == 'x' {
			continue
		}
		var bits uint64
		for k := range size {
			bits |= uint64(b[(place+k)/8]>>((place+k)%8)&1) << k
		}
		which := max(strings.IndexByte("rgba", letters[i]), 0) // depth and stencil are red
		out[which] = component(parts[1], bits, size, letters[i] == 'a')
	}
	return out
}

// outside is a border's color as a format has it: what its name has no letter for is 0, and 1 of alpha.
func outside(name string, border [4]float64) [4]float64 {
	if spelled, ok := layouts[name]; ok {
		name = spelled
	}
	letters, _, _ := strings.Cut(name, "_")
	out := [4]float64{0, 0, 0, 1}
	for i, letter := range "rgba" {
		if strings.ContainsRune(letters, letter) || i == 0 && strings.ContainsAny(letters, "ds") {
			out[i] = border[i]
		}
	}
	return out
}

func component(kind string, bits uint64, size int, alpha bool) float64 {
	sign := float64(bits) - float64(bits>>(size-1))*math.Exp2(float64(size))
	switch kind {
	case "unorm":
		return float64(bits) / (math.Exp2(float64(size)) - 1)
	case "snorm":
		return math.Max(-1, sign/(math.Exp2(float64(size-1))-1))
	case "uint", "uscaled":
		return float64(bits)
	case "sint", "sscaled":
		return sign
	case "srgb":
		x := float64(bits) / 255
		switch {
		case alpha:
			return x
		case x <= 0.04045:
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	if size == 64 {
		return math.Float64frombits(bits)
	}
	if size == 32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	mantissa, s := size-5, 1.0
	if kind == "sfloat" {
		mantissa--
		if bits>>15 == 1 {
			s = -1
		}
	}
	e, m := int(bits>>mantissa&31), float64(bits&(1<<mantissa-1))/math.Exp2(float64(mantissa))
	switch {
	case e == 31 && m > 0:
		return math.NaN()
	case e == 31:
		return s * math.Inf(1)
	case e == 0:
		return s * m * math.Exp2(-14)
	}
	return s * (1 + m) * math.Exp2(float64(e-15))
}

// wrapped is where a coordinate is by a mode, -1 in the border (Vulkan, "Wrapping Operation").
func wrapped(mode Mode, i, n int) int {
	switch mode {
	case Repeat:
		for i < 0 {
			i += n
		}
		return i % n
	case MirroredRepeat:
		for i < 0 {
			i += 2 * n
		}
		if i %= 2 * n; i >= n {
			i = 2*n - 1 - i
		}
		return i
	case ClampToEdge:
		return max(0, min(i, n-1))
	case MirrorClampToEdge:
		if i < 0 {
			i = -1 - i
		}
		return min(i, n-1)
	}
	if i < 0 || i >= n {
		return -1
	}
	return i
}

// TestRandomSamples samples images of random bytes in each format that filters take, by each address mode and
// filter, at random places and levels, and compares with sums that are written down here. SIMTGDB_SAMPLES
// says how many samples there are of each; `make samples` takes 10,000.
func TestRandomSamples(t *testing.T) {
	count := 64
	if n, err := strconv.Atoi(os.Getenv("SIMTGDB_SAMPLES")); err == nil {
		count = n
	}
	r := rand.New(sweep.PCG(28, 5))
	for _, number := range slices.Sorted(maps.Keys(Formats())) {
		f := Formats()[number]
		if f.block != 0 || f.planes != nil {
			continue
		}
		for mode := Repeat; mode <= MirrorClampToEdge; mode++ {
			for filter := Nearest; filter <= Linear; filter++ {
				if filter == Linear && f.Numeric.Integer() {
					continue
				}
				sampleRandomly(t, r, f, Sampler{Mag: filter, Min: filter, Mip: filter,
					Modes: [3]Mode{mode, mode, mode}, Top: 9, Compare: NoCompare,
					Border: Texel{0.25, 0.5, 0.75, 0.125}, Unnormalized: r.IntN(4) == 0,
					Fraction: uint8(8 * r.IntN(2))}, count)
			}
		}
	}
}

func sampleRandomly(t *testing.T, r *rand.Rand, f *Format, s Sampler, count int) {
	t.Helper()
	m := NewImage(f, Plane, [3]int{7, 5, 1}, 3, 1)
	if s.Unnormalized {
		m = NewImage(f, Plane, [3]int{7, 5, 1}, 1, 1)
	}
	mem := make(plainMemory, m.Bytes())
	for i := range mem {
		mem[i] = byte(r.Uint32())
	}
	texel := func(level, x, y int) [4]float64 {
		w, h, at := 7, 5, 0
		for range level {
			at += w * h * f.Size
			w, h = max(w/2, 1), max(h/2, 1)
		}
		x, y = wrapped(s.Modes[0], x, w), wrapped(s.Modes[0], y, h)
		if x < 0 || y < 0 {
			if f.Wide() { // integers
				return outside(f.Name, [4]float64{})
			}
			return outside(f.Name, s.Border)
		}
		return reference(f.Name, mem[at+(y*w+x)*f.Size:][:f.Size])
	}
	cut := func(x float64) float64 { return x }
	if s.Fraction != 0 {
		n := math.Exp2(float64(s.Fraction))
		cut = func(x float64) float64 { return math.Floor(x*n+0.5) / n }
	}
	of := func(level int, u, v float64) (sum [4]float64) {
		if !s.Unnormalized { // products have 32 bits
			u = float64(float32(u * float64(max(7>>level, 1))))
			v = float64(float32(v * float64(max(5>>level, 1))))
		}
		if s.Mag == Nearest {
			return texel(level, int(math.Floor(u)), int(math.Floor(v)))
		}
		u, v = cut(u-0.5), cut(v-0.5)
		x, y := math.Floor(u), math.Floor(v)
		fx, fy := u-x, v-y
		for k := range 4 {
			weight := math.Abs(1-float64(k&1)-fx) * math.Abs(1-float64(k>>1)-fy)
			if weight == 0 {
				continue
			}
			for c, z := range texel(level, int(x)+k&1, int(y)+k>>1) {
				sum[c] += weight * z
			}
		}
		return sum
	}
	var o Op
	var out [simt.MaxLanes]Texel
	for range count / simt.MaxLanes {
		o.Begin(math.MaxUint64)
		o.One, o.By, o.Fraction = &m, &s, s.Fraction
		for l := range o.Place {
			scale := 1.0
			if s.Unnormalized {
				scale = 7
			}
			o.Place[l].At = [3]float64{(r.Float64()*5 - 2) * scale, (r.Float64()*5 - 2) * scale}
			if !s.Unnormalized {
				o.Place[l].Lod = r.Float64()*4 - 1
			}
		}
		o.Take(mem, &out)
		for l := range out {
			for c := range out[l] {
				if f.Wide() && f.Numeric == Uint {
					out[l][c] = float64(uint64(f.Whole(out[l][c])))
				} else if f.Wide() {
					out[l][c] = float64(f.Whole(out[l][c]))
				}
			}
			u, v, lod := o.Place[l].At[0], o.Place[l].At[1], max(0, min(o.Place[l].Lod, float64(m.Levels-1)))
			var want [4]float64
			if s.Mip == Nearest {
				want = of(int(math.Ceil(lod-0.5)), u, v)
			} else {
				lod = cut(lod)
				a, part := int(lod), lod-math.Floor(lod)
				want = of(a, u, v)
				if part > 0 {
					for c, z := range of(a+1, u, v) {
						want[c] = want[c]*(1-part) + z*part
					}
				}
			}
			for c := range want {
				if d := math.Abs(out[l][c] - want[c]); d > 1e-9*math.Max(1, math.Abs(want[c])) &&
					!math.IsInf(want[c], 0) || math.IsNaN(want[c]) != math.IsNaN(out[l][c]) {
					t.Fatalf("%s, mode %d, filter %d, at %g, %g, level %g: component %d is %g, want %g",
						f.Name, s.Modes[0], s.Mag, u, v, lod, c, out[l][c], want[c])
				}
			}
		}
	}
}
