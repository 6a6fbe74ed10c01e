package texel

import (
	"math"
	"math/bits"

	"simtgdb/simt"
)

// Most samples are of one level, by one sampler for all lanes whose filter is the same near and far. Of these
// the taps of all lanes are found side by side, without a look at what other samples have: levels, faces,
// comparisons. A sample is the same sum of the same texels either way.

// singles are the taps of such samples: tap k of lane l.
type singles struct {
	addr   [1 << 3][simt.MaxLanes]uint64
	weight [1 << 3][simt.MaxLanes]float64
	in     [1 << 3]uint64 // lanes whose texel lies in the image,
	border [1 << 3]uint64 // and those whose texel is the border

	// What add works on.
	image *Image
	out   *[simt.MaxLanes]Texel
	tap   int
	add   func(lane int, b []byte)
}

// single reports whether lanes take samples of an image in this way.
func (o *Op) single(m *Image, s *Sampler, lanes uint64) bool {
	if o.Gather || m.ViewLevels != 1 || s.Mag != s.Min || m.Shape == Cube || m.Format.block != 0 ||
		m.Format.planes != nil || m.Format.Wide() || o.Compares && s.Compare != NoCompare {
		return false
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		if o.Sample[bits.TrailingZeros64(rest)] != 0 {
			return false
		}
	}
	return true
}

// A grid is how the texels of a level lie.
type grid struct {
	size  [3]int
	dims  int
	at    uint64    // of the first texel
	step  [3]uint64 // from one to the next
	layer uint64    // from one layer to the next, if there are several
}

// grid is that of the first level in view.
func (m *Image) grid() grid {
	g := grid{size: m.LevelSize(0), dims: m.Shape.Coordinates(), at: m.Address + m.LevelOffset(m.FirstLevel),
		step: [3]uint64{uint64(m.Samples) * uint64(m.Format.Size), m.RowBytes(m.FirstLevel),
			m.SliceBytes(m.FirstLevel)}}
	if m.FirstLayer+m.ViewLayers > 1 {
		g.layer = m.LayerBytes()
		g.at += uint64(m.FirstLayer) * g.layer
	}
	return g
}

// takeSingle samples in this way.
func (o *Op) takeSingle(mem Memory, m *Image, s *Sampler, lanes uint64, out *[simt.MaxLanes]Texel) bool {
	t := &o.room.singles
	t.in, t.border = [1 << 3]uint64{}, [1 << 3]uint64{}
	for g, rest := m.grid(), lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		t.find(m, &g, s, &o.Place[l], l)
	}
	if t.add == nil {
		t.add = func(l int, b []byte) { t.give(l, t.image.Shown(t.image.Format.Decode(b))) }
	}
	t.image, t.out = m, out
	for k := 0; k < len(t.in) && t.in[k]|t.border[k] != 0; k++ {
		t.tap = k
		if t.border[k] != 0 {
			x := o.beyond(m, s)
			for rest := t.border[k]; rest != 0; rest &= rest - 1 {
				t.give(bits.TrailingZeros64(rest), x)
			}
		}
		if t.in[k] != 0 && !mem.Texels(t.in[k], &t.addr[k], m.Format.Size, false, t.add) {
			return false
		}
	}
	return true
}

// give adds a texel to what a lane gets.
func (t *singles) give(lane int, x Texel) {
	weight, out := t.weight[t.tap][lane], &t.out[lane]
	for i := range x {
		out[i] += float64(x[i] * weight)
	}
}

// find notes the taps of a lane's sample.
func (t *singles) find(m *Image, g *grid, s *Sampler, p *Place, lane int) {
	at := g.at
	if m.ViewLayers > 1 {
		at += uint64(between(math.RoundToEven(p.Layer), 0, float64(m.ViewLayers-1))) * g.layer
	}
	var first [3]int
	var part [3]float64
	for i := range g.dims {
		first[i], part[i] = s.start(p, p.At[i], i, g.size[i], s.Mag)
	}
	if part == [3]float64{} {
		t.note(g, s, at, first, 1, 0, lane)
		return
	}
	k := 0
	for n := range 1 << g.dims {
		weight, texel := 1.0, first
		for i := range g.dims {
			if n>>i&1 == 1 {
				texel[i]++
				weight *= part[i]
			} else {
				weight *= 1 - part[i]
			}
		}
		if weight != 0 {
			t.note(g, s, at, texel, weight, k, lane)
			k++
		}
	}
}

// note makes a texel, counted from that at an address, tap k of a lane.
func (t *singles) note(g *grid, s *Sampler, at uint64, texel [3]int, weight float64, k, lane int) {
	border := false
	for i := range g.dims {
		if uint(texel[i]) >= uint(g.size[i]) {
			texel[i], border = s.Modes[i].wrap(texel[i], g.size[i], border)
		}
		at += uint64(texel[i]) * g.step[i]
	}
	t.weight[k][lane], t.addr[k][lane] = weight, at
	if border {
		t.border[k] |= 1 << lane
	} else {
		t.in[k] |= 1 << lane
	}
}
