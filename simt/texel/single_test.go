package texel

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// TestSinglesAlike samples random images in the way of samples of one level and in that of all others, which
// give the same to the bit: whatever the shape, the layers, the pitch, the modes, the filter, the offsets; at
// places that are no numbers, too.
func TestSinglesAlike(t *testing.T) {
	r := rand.New(sweep.PCG(27, 1))
	numbers := slices.Sorted(maps.Keys(Formats()))
	taken := 0
	for range 2000 {
		f := Formats()[numbers[r.IntN(len(numbers))]]
		m, s := randomImage(r, f), randomSampler(r)
		mem := make(plainMemory, m.Bytes()+m.Address)
		for i := range mem {
			mem[i] = byte(r.Uint32())
		}
		var o Op
		lanes := r.Uint64() | 1
		o.Begin(lanes)
		o.One, o.By, o.Fraction, o.room = &m, &s, s.Fraction, new(room)
		for l := range o.Place {
			o.Place[l] = randomPlace(r, &s)
		}
		if !o.single(&m, &s, lanes) {
			continue
		}
		taken++
		for l := range o.room.samplers {
			o.room.samplers[l] = &s
		}
		var want, got [simt.MaxLanes]Texel
		if !o.pieces(mem, &m, lanes, &want) || !o.takeSingle(mem, &m, &s, lanes, &got) {
			t.Fatal("memory is missing")
		}
		for l := range want {
			for c := range want[l] {
				if a, b := math.Float64bits(got[l][c]), math.Float64bits(want[l][c]); a != b {
					t.Fatalf("%s, %+v, %+v, at %+v: component %d is %x, want %x", f, m, s, o.Place[l], c, a,
						b)
				}
			}
		}
	}
	if taken < 500 {
		t.Errorf("only %d samples were taken as those of one level", taken)
	}
}

func randomImage(r *rand.Rand, f *Format) Image {
	size := [3]int{1 + r.IntN(9), 1, 1}
	shape := Shape(r.IntN(int(Cube)))
	for i := range shape {
		size[1+i] = 1 + r.IntN(6)
	}
	levels, layers := 1+r.IntN(2), 1
	if shape != Volume {
		layers += r.IntN(3)
	}
	m := NewImage(f, shape, size, levels, layers)
	m.Address = uint64(r.IntN(64))
	m.FirstLevel, m.FirstLayer = r.IntN(levels), r.IntN(layers)
	m.ViewLevels, m.ViewLayers = 1, 1+r.IntN(layers-m.FirstLayer)
	if levels == 1 && r.IntN(2) == 0 {
		m.Pitch = m.RowBytes(0) + uint64(r.IntN(40))
	}
	if shape == Plane && r.IntN(4) == 0 {
		m.Samples = 4
		m.Pitch *= 4
	}
	if r.IntN(2) == 0 {
		for i := range m.Swizzle {
			m.Swizzle[i] = uint8(r.IntN(SwizzleOne + 1))
		}
	}
	return m
}

func randomSampler(r *rand.Rand) Sampler {
	mode := func() Mode { return Mode(r.IntN(int(MirrorClampToEdge) + 1)) }
	filter := Filter(r.IntN(2))
	return Sampler{Mag: filter, Min: filter, Mip: Filter(r.IntN(2)), Modes: [3]Mode{mode(), mode(), mode()},
		Compare: NoCompare, Unnormalized: r.IntN(2) == 0, Border: Texel{0.25, 3, -0.75, 0.5}, Top: 9,
		Flat: r.IntN(4) == 0, Snap: uint8(8 * r.IntN(2)), Fraction: uint8(8 * r.IntN(2))}
}

// strange are coordinates that are nowhere.
var strange = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e30, -1e30, math.Copysign(0, -1)}

func randomPlace(r *rand.Rand, s *Sampler) Place {
	scale := 1.0
	if s.Unnormalized {
		scale = 7
	}
	p := Place{Layer: r.Float64()*6 - 2, Lod: r.Float64()*4 - 2}
	for i := range p.At {
		switch p.At[i] = (r.Float64()*5 - 2) * scale; r.IntN(16) {
		case 0:
			p.At[i] = strange[r.IntN(len(strange))]
		case 1, 2, 3:
			p.At[i] = math.Floor(p.At[i]*2) / 2
		}
		p.Offset[i] = r.IntN(5) - 2
		p.Shift[i] = float64(r.IntN(3)) / 4
	}
	return p
}
