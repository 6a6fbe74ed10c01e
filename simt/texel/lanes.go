package texel

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"

	"simtgdb/simt"
)

// A Memory is what an [Op] asks of the machine that it is an instruction of.
type Memory interface {
	// Block is the bytes of a block, nil where memory has none.
	Block(addr, size uint64) []byte
	// Texels gives f the bytes at the address of each lane, size of them, to read or to write. It reports
	// whether all lanes may have them; if not, it has stopped the wave.
	Texels(lanes uint64, addr *[simt.MaxLanes]uint64, size int, write bool, f func(lane int, b []byte)) bool
	// Outside is told of lanes whose texels are outside of their image.
	Outside(lanes uint64, write bool)
	// Wrong is told of lanes whose blocks are none, and stops the wave.
	Wrong(lanes uint64, err error)
}

// Nothing is the address of no image: what is read of it is 0, what is written is lost, and it has no size.
const Nothing = 1

// An Op is an image instruction in the lanes of a wave: whose images, where, and how. What a lane has no part
// in is not looked at. A machine keeps one for its instructions, each of which begins with [Op.Begin].
type Op struct {
	Lanes          uint64
	Image, Sampler [simt.MaxLanes]uint64 // addresses of blocks
	Place          [simt.MaxLanes]Place  // of integer coordinates too
	Sample         [simt.MaxLanes]int    // of those that a texel has

	// One and By, where they are there, are the image and the sampler of all lanes, which have no blocks
	// then.
	One *Image
	By  *Sampler

	// Whole coordinates count texels, whatever the sampler says, and the texel itself is taken.
	Whole bool

	// Gather takes a component of each of the four texels around a place, instead of a sample.
	Gather    bool
	Component [simt.MaxLanes]int
	Offsets   *[simt.MaxLanes][4][3]int // of each of the four

	// Compares makes a sample of what passes against a reference.
	Compares  bool
	Reference [simt.MaxLanes]float64

	// Gradients, where they are there, say the level of detail: dx and dy.
	Gradients *[simt.MaxLanes][2][3]float64
	Least     *[simt.MaxLanes]float64 // the level of detail that there is at least

	// Border, if it is there, says what is outside of an image, as its format has numbers, whatever the
	// sampler has, and for integer coordinates, which find 0 there else.
	Border func(m *Image) Texel

	// Fraction is how many bits of fraction weights have, as hardware's have eight; 0 says all.
	Fraction uint8

	// FullSnorm has Write make of numbers below -1 the least integer of signed normalized formats, as OpenCL
	// C has it, and not that of -1.
	FullSnorm bool

	// Formats is of each lane's image, when the instruction is done.
	Formats [simt.MaxLanes]*Format

	image   block[Image]
	sampler block[Sampler]
	room    *room
}

// A room is what an Op needs while it samples.
type room struct {
	taps     [simt.MaxLanes][]Tap
	samplers [simt.MaxLanes]*Sampler
	own      [simt.MaxLanes]Sampler // of lanes that do not have all the same
	addr     [simt.MaxLanes]uint64
	singles  singles
}

// A block is what was read last of memory, so that what lies there still is not read anew.
type block[T any] struct {
	bytes []byte
	of    T
}

// read is what the bytes of a block say.
func (k *block[T]) read(b []byte, size int, read func(b []byte) (T, error)) (*T, error) {
	if len(b) >= size && bytes.Equal(k.bytes, b[:size]) {
		return &k.of, nil
	}
	of, err := read(b)
	if err != nil {
		return nil, err
	}
	k.bytes, k.of = append(k.bytes[:0], b[:size]...), of
	return &k.of, nil
}

// Begin makes an instruction one of some lanes, in places where all is 0, of which nothing else has been
// said.
func (o *Op) Begin(lanes uint64) {
	o.Lanes, o.One, o.By = lanes, nil, nil
	o.Whole, o.Gather, o.Compares, o.FullSnorm = false, false, false, false
	o.Offsets, o.Gradients, o.Least, o.Border = nil, nil, nil, nil
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		o.Place[l], o.Sample[l], o.Component[l] = Place{}, 0, 0
	}
}

// Each calls f for each image that lanes have, with these lanes, until f says no, and reports whether it
// never did. It does not call f for [Nothing].
func (o *Op) Each(mem Memory, f func(m *Image, lanes uint64) bool) bool {
	if o.One != nil {
		for rest := o.Lanes; rest != 0; rest &= rest - 1 {
			o.Formats[bits.TrailingZeros64(rest)] = o.One.Format
		}
		return o.Lanes == 0 || f(o.One, o.Lanes)
	}
	for left := o.Lanes; left != 0; {
		addr, same := o.Image[bits.TrailingZeros64(left)], uint64(0)
		for rest := left; rest != 0; rest &= rest - 1 {
			if l := bits.TrailingZeros64(rest); o.Image[l] == addr {
				same |= 1 << l
			}
		}
		left &^= same
		if addr == Nothing {
			for rest := same; rest != 0; rest &= rest - 1 {
				o.Formats[bits.TrailingZeros64(rest)] = Formats()[plain]
			}
			continue
		}
		m, err := o.image.read(mem.Block(addr, ImageBytes), ImageBytes, ReadImage)
		if err != nil {
			mem.Wrong(same, err)
			return false
		}
		for rest := same; rest != 0; rest &= rest - 1 {
			o.Formats[bits.TrailingZeros64(rest)] = m.Format
		}
		if !f(m, same) {
			return false
		}
	}
	return true
}

// plain is the number of the format of the zeros that are read of nothing, R32G32B32A32_SFLOAT.
const plain = 109

// Locate finds the texel of an image that each of lanes means by integer coordinates, and gives the lanes
// whose texel is outside.
func (o *Op) Locate(m *Image, lanes uint64, addr *[simt.MaxLanes]uint64) (outside uint64) {
	return o.locate(m, lanes, addr, nil)
}

// locate is Locate, and notes which of its block's texels each is.
func (o *Op) locate(m *Image, lanes uint64, addr *[simt.MaxLanes]uint64, part *[simt.MaxLanes]uint8) (
	outside uint64) {
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		p := &o.Place[l]
		var at [3]int
		for i := range at {
			at[i] = whole(p.At[i]) + p.Offset[i]
		}
		layer := whole(p.Layer)
		if m.Shape == Cube {
			layer, at[2] = at[2], 0
		}
		off, ok := m.Offset(at[0], at[1], at[2], layer, whole(p.Lod), o.Sample[l])
		if addr[l] = m.Address + off; !ok {
			outside |= 1 << l
		} else if part != nil {
			part[l] = uint8(m.Format.Part(at[0], at[1]))
		}
	}
	return outside
}

// Fetch reads texels by integer coordinates; those outside are 0, or the border. It reports whether memory
// has given all.
func (o *Op) Fetch(mem Memory, out *[simt.MaxLanes]Texel) bool {
	return o.Each(mem, func(m *Image, lanes uint64) bool {
		if m.Format.planes != nil {
			return o.fetchPlanes(mem, m, lanes, out)
		}
		return o.fetch(mem, m, lanes, out)
	})
}

func (o *Op) fetch(mem Memory, m *Image, lanes uint64, out *[simt.MaxLanes]Texel) bool {
	var part [simt.MaxLanes]uint8
	if o.Border != nil {
		for rest, outside := lanes, o.Border(m); rest != 0; rest &= rest - 1 {
			out[bits.TrailingZeros64(rest)] = outside
		}
	}
	return o.raw(mem, m, lanes, false, &part, func(l int, b []byte) {
		out[l] = m.Shown(m.Format.DecodePart(b, int(part[l])))
	})
}

// Write writes texels by integer coordinates, of the numbers that a lane has for a format; what is outside is
// not written.
func (o *Op) Write(mem Memory, numbers func(lane int, f *Format) Texel) bool {
	return o.Each(mem, func(m *Image, lanes uint64) bool {
		if m.Format.planes != nil {
			mem.Wrong(lanes, fmt.Errorf("a texel of the format %s, of several planes, is written: "+
				"planes are written by themselves", m.Format))
			return false
		}
		return o.Raw(mem, m, lanes, true, func(l int, b []byte) {
			m.Format.encode(m.Stored(numbers(l, m.Format)), b, o.FullSnorm)
		})
	})
}

// Raw gives f the bytes of the texels that integer coordinates mean.
func (o *Op) Raw(mem Memory, m *Image, lanes uint64, write bool, f func(lane int, b []byte)) bool {
	return o.raw(mem, m, lanes, write, nil, f)
}

func (o *Op) raw(mem Memory, m *Image, lanes uint64, write bool, part *[simt.MaxLanes]uint8,
	f func(lane int, b []byte)) bool {
	var addr [simt.MaxLanes]uint64
	outside := o.locate(m, lanes, &addr, part)
	if in := lanes &^ outside; in != 0 && !mem.Texels(in, &addr, m.Format.Size, write, f) {
		return false
	}
	if outside != 0 {
		mem.Outside(outside, write)
	}
	return true
}

// Take samples, or gathers, as the lanes' samplers say.
func (o *Op) Take(mem Memory, out *[simt.MaxLanes]Texel) bool {
	for rest := o.Lanes; rest != 0; rest &= rest - 1 {
		out[bits.TrailingZeros64(rest)] = Texel{}
	}
	if o.room == nil {
		o.room = new(room)
	}
	return o.Each(mem, func(m *Image, lanes uint64) bool {
		s, err := o.chooseSamplers(mem, lanes)
		if err != nil {
			mem.Wrong(lanes, err)
			return false
		}
		take := o.pieces
		switch {
		case s != nil && o.single(m, s, lanes):
			take = func(mem Memory, m *Image, lanes uint64, out *[simt.MaxLanes]Texel) bool {
				return o.takeSingle(mem, m, s, lanes, out)
			}
		case m.Format.planes != nil:
			take = o.planes
		}
		if !take(mem, m, lanes, out) {
			return false
		}
		for rest := lanes; rest != 0 && !o.Gather; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest)
			if c := &o.room.samplers[l].Convert; c.there {
				out[l] = c.apply(out[l], m.Format.channels[0].bits)
			}
		}
		return true
	})
}

// chooseSamplers reads the samplers of lanes, and gives that which they all have, if there is one.
func (o *Op) chooseSamplers(mem Memory, lanes uint64) (*Sampler, error) {
	r, lowest := o.room, bits.TrailingZeros64(lanes)
	same := true
	for rest := lanes; rest != 0 && o.By == nil; rest &= rest - 1 {
		same = same && o.Sampler[bits.TrailingZeros64(rest)] == o.Sampler[lowest]
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		if r.samplers[l] = &r.own[l]; same && l != lowest {
			r.samplers[l] = &r.own[lowest]
			continue
		}
		s := o.By
		if s == nil {
			var err error
			s, err = o.sampler.read(mem.Block(o.Sampler[l], SamplerBytes), SamplerBytes, ReadSampler)
			if err != nil {
				return nil, err
			}
		}
		r.own[l] = *s
		r.own[l].Fraction = o.Fraction
		if o.Whole {
			r.own[l].Unnormalized, r.own[l].Mag, r.own[l].Min = true, Nearest, Nearest
		}
	}
	if !same {
		return nil, nil
	}
	return r.samplers[lowest], nil
}

// pieces samples an image whose texels lie in one piece each, and adds what that gives.
func (o *Op) pieces(mem Memory, m *Image, lanes uint64, out *[simt.MaxLanes]Texel) bool {
	taps, samplers, most := &o.room.taps, &o.room.samplers, 0
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		taps[l] = o.taps(m, samplers[l], l, taps[l][:0])
		most = max(most, len(taps[l]))
	}
	for k := range most {
		if !o.tap(mem, m, lanes, k, taps, func(l int, x Texel) {
			o.add(&out[l], m, samplers[l], l, k, &taps[l][k], x)
		}) {
			return false
		}
	}
	return true
}

// tap reads texel k of each lane that has so many, and gives it as it lies in memory.
func (o *Op) tap(mem Memory, m *Image, lanes uint64, k int, taps *[simt.MaxLanes][]Tap,
	give func(lane int, x Texel)) bool {
	addr, in := &o.room.addr, uint64(0)
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		switch {
		case k >= len(taps[l]):
		case taps[l][k].Border:
			give(l, Texel{})
		default:
			in |= 1 << l
			addr[l] = m.Address + taps[l][k].Offset
		}
	}
	return in == 0 ||
		mem.Texels(in, addr, m.Format.Size, false, func(l int, b []byte) {
			give(l, m.Format.DecodePart(b, int(taps[l][k].Part)))
		})
}

// add makes a texel part of what a lane gets.
func (o *Op) add(out *Texel, m *Image, s *Sampler, lane, k int, t *Tap, x Texel) {
	if t.Border {
		x = o.beyond(m, s)
	} else {
		x = m.Shown(x)
	}
	if o.Compares && s.Compare != NoCompare {
		x = Texel{float64(one(s.Compare.Passes(o.Reference[lane], x[0])))}
	}
	if o.Gather {
		out[k&3] = x[o.Component[lane]&3]
		return
	}
	if m.Format.Wide() { // of which one is taken, and whose bits are no float's
		*out = x
		return
	}
	for i := range x {
		out[i] += float64(x[i] * t.Weight)
	}
}

// beyond is what a sampler finds outside of an image.
func (o *Op) beyond(m *Image, s *Sampler) Texel {
	if o.Border != nil {
		return o.Border(m)
	}
	return m.Shown(m.Format.held(m.Format.bits(s.Border)))
}

// taps appends the texels of a lane's sample.
func (o *Op) taps(m *Image, s *Sampler, lane int, taps []Tap) []Tap {
	p := o.Place[lane]
	if o.Gather {
		four := s.Gather(m, p)
		for k := range four {
			if o.Offsets == nil {
				break
			}
			p.Offset = o.Offsets[lane][k]
			four[k] = s.Gather(m, p)[3]
		}
		return append(taps, four[:]...)
	}
	p.Lod = m.Detail(o, lane)
	if o.Least != nil {
		p.Lod = max(p.Lod, o.Least[lane])
	}
	taps = s.Taps(m, p, taps)
	if sample := o.Sample[lane]; sample != 0 {
		for i := range taps {
			taps[i].Offset += uint64(sample) * uint64(m.Format.Size)
			taps[i].Border = taps[i].Border || sample < 0 || sample >= m.Samples
		}
	}
	return taps
}

// Detail is the level of detail that a lane's place says, and its derivatives, before a sampler has its say.
func (m *Image) Detail(o *Op, lane int) float64 {
	lod := o.Place[lane].Lod
	if o.Gradients != nil {
		lod += m.gradient(&o.Gradients[lane])
	}
	return lod
}

// gradient is the level of detail that derivatives say (Vulkan, "Scale Factor Operation, Level-of-Detail
// Operation and Image Level(s) Selection"), by the longer of the two.
func (m *Image) gradient(d *[2][3]float64) float64 {
	size := m.LevelSize(0)
	var rho float64
	for _, d := range d {
		var sum float64
		for i, x := range d {
			x *= float64(size[i])
			sum += float64(x * x)
		}
		rho = max(rho, math.Sqrt(sum))
	}
	return math.Log2(rho)
}
