package gen

import (
	"fmt"
	"math"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// Images. A message names a surface by an entry of the binding table, or by where its state is; package texel
// does the rest. Lanes of an operation are the message's slots.

// imageState is what a core keeps of the message about an image that it executes.
type imageState struct {
	op   texel.Op
	out  [simt.MaxLanes]texel.Texel
	grad [simt.MaxLanes][2][3]float64
}

// An imageMessage is a message about an image while it executes. It implements [texel.Memory].
type imageMessage struct {
	c  *Core
	in *Inst
	*imageState
	image *texel.Image
	ok    bool // nothing has stopped the thread
}

// surfaceBindless is the entry that stands for the surface whose state the extended descriptor says.
const surfaceBindless = 0xfc

// imageMessage begins a message about the image that it names; nil if there is none, which is a fault.
func (c *Core) imageMessage(in *Inst) *imageMessage {
	m := &c.msg
	key := uint32(m.surface())
	if key == surfaceBindless {
		key = in.exDesc &^ (SurfaceState - 1)
	}
	image := c.isa.Kernel.Images[key]
	if image == nil {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(m.mask) << in.first, Addr: in.PC,
			Text: fmt.Sprintf("%s: surface %d is no image of the launch", in.trimmed(), key)})
		return nil
	}
	if c.images == nil {
		c.images = new(imageState)
	}
	m.space, m.size = simt.Global, image.Format.Size
	x := &imageMessage{c: c, in: in, imageState: c.images, image: image, ok: true}
	x.op.Begin(uint64(m.mask) & (1<<m.slots - 1))
	x.op.One, x.op.Fraction = image, c.m.FilterBits
	return x
}

// each calls f for each slot whose channel executes.
func (x *imageMessage) each(f func(k int)) {
	for rest := x.op.Lanes; rest != 0; rest &= rest - 1 {
		f(bits.TrailingZeros64(rest))
	}
}

// Block implements [texel.Memory]: images and samplers are the kernel's.
func (x *imageMessage) Block(uint64, uint64) []byte { return nil }

// Texels implements [texel.Memory].
func (x *imageMessage) Texels(lanes uint64, addr *[simt.MaxLanes]uint64, size int, write bool,
	f func(lane int, b []byte)) bool {
	c, m := x.c, &x.c.msg
	was := m.mask
	m.mask, m.size, m.write = uint32(lanes), size, write
	copy(m.addr[:m.slots], addr[:])
	there := c.check(x.in)
	for rest := lanes; rest != 0 && there; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		f(k, m.at[k])
	}
	m.mask = was
	x.ok = x.ok && there
	return there
}

// Outside implements [texel.Memory].
func (x *imageMessage) Outside(lanes uint64, write bool) {
	c := x.c
	if !c.m.Observed() || !x.ok {
		return
	}
	verb := "reads"
	if write {
		verb = "writes"
	}
	lanes <<= x.in.first
	if c.m.Undefined(&simt.Undefined{Wave: c.w, PC: x.in.PC, Lanes: lanes, Bounds: true,
		Text: verb + " a texel outside of its image"}) {
		c.stop.Kind, c.stop.Lanes = simt.WatchEvent, lanes
	}
}

// Wrong implements [texel.Memory].
func (x *imageMessage) Wrong(lanes uint64, err error) {
	x.c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: lanes << x.in.first,
		Text: fmt.Sprintf("%s: %v", x.in.trimmed(), err)})
	x.ok = false
}

// place makes a coordinate of a slot's place: the index of a layer lies behind those within one.
func (x *imageMessage) place(k, coordinate int, v float64) {
	p := &x.op.Place[k]
	switch own := x.image.Shape.Coordinates(); {
	case coordinate < own:
		p.At[coordinate] = v
	case coordinate == own:
		p.Layer = v
	}
}

// A sampling is a message to the sampler.
type sampling struct {
	*imageMessage
	row     *samplerRow
	sampler *texel.Sampler
	header  uint32 // dword 2 of it
	half    bool
}

// runSampler executes a message to the sampler.
func runSampler(c *Core, in *Inst) bool {
	m := &c.msg
	m.slots = 8 * int(samplerMode(m.desc))
	x := c.imageMessage(in)
	if x == nil {
		return true
	}
	s := &sampling{imageMessage: x, row: &samplerRows[samplerType(m.desc)], half: m.desc&samplerHalves != 0}
	key := m.desc >> samplerIndexAt & 15
	at := 0
	if m.header() {
		at = in.gen.regBytes
		s.header = c.r.u32(m.payload[0] + 8)
		state := c.r.u32(m.payload[0]+12) &^ (SamplerState - 1)
		if state != 0 {
			key = state + key*samplerStateStep
		}
	}
	if s.sampler = c.isa.Kernel.Samplers[key]; s.sampler == nil {
		if s.needsSampler() {
			return false
		}
		s.sampler = &texel.Sampler{}
	}
	s.op.By = s.sampler
	if !s.read(at) {
		return false
	}
	s.row.run(s)
	return true
}

// SamplerState is what the address of a sampler's state is a multiple of, samplerStateStep how many bytes it
// has.
const (
	SamplerState     = 32
	samplerStateStep = 16
)

// needsSampler reports whether the message asks something of a sampler.
func (s *sampling) needsSampler() bool { return len(s.row.params) > 0 && s.row.params[0] != '!' }

// read reads the parameters, which begin at a byte of the payload. The payload may have fewer than the
// message knows; those are 0.
func (s *sampling) read(at int) bool {
	c, m := s.c, &s.c.msg
	integers, coordinate := false, -1
	for axis := range 3 {
		s.displace(axis, int(int32(s.header<<(20+4*axis))>>28))
	}
	for i := range len(s.row.params) {
		what := s.row.params[i]
		if what == '!' {
			integers = true
			continue
		}
		if at+4*m.slots > m.length[0]+m.length[1] {
			return coordinate >= 0 || what == 'l'
		}
		switch what {
		case 'u', 'v', 'r', 'a':
			coordinate++
		case 'x', 'y':
			if s.op.Gradients == nil {
				clear(s.grad[:])
				s.op.Gradients = &s.grad
			}
		}
		s.each(func(k int) {
			from, _ := m.at2(at+4*k, 4)
			word := c.r.u32(from)
			v := float64(math.Float32frombits(word))
			if integers {
				v = float64(int32(word))
			}
			s.parameter(what, k, max(coordinate, 0), int(int32(word)), v)
		})
		at += 4 * m.slots
	}
	return true
}

// displace adds whole texels to a coordinate, which a header says.
func (s *sampling) displace(axis, by int) {
	if by != 0 {
		s.each(func(k int) { s.op.Place[k].Offset[axis] = by })
	}
}

// parameter takes a number of a slot.
func (s *sampling) parameter(what byte, k, coordinate, word int, v float64) {
	o := &s.op
	switch what {
	case 'u', 'v', 'r', 'a':
		// A message may have more coordinates than a surface.
		if coordinate < s.image.Shape.Coordinates() || s.image.Layers > 1 {
			s.place(k, coordinate, v)
		}
	case 'l', 'b':
		o.Place[k].Lod = v
	case 'c':
		o.Compares, o.Reference[k] = true, v
	case 's':
		o.Sample[k] = word
	case 'i', 'j':
		o.Place[k].Offset[what-'i'] = int(int32(word) << 26 >> 26)
	case 'x', 'y':
		if coordinate < 3 {
			s.grad[k][what-'x'][coordinate] = v
		}
	}
}

// sample takes what the sampler says.
func (s *sampling) sample() {
	if s.op.Take(s, &s.out) {
		s.give()
	}
}

// gather takes a component of the four texels around a place, the header says which.
func (s *sampling) gather() {
	s.op.Gather = true
	s.each(func(k int) { s.op.Component[k] = int(s.header >> 16 & 3) })
	s.sample()
}

// load reads texels by integers; those outside are 0, but for the alpha of formats without.
func (s *sampling) load() {
	s.op.Border = (*texel.Image).Missing
	s.each(func(k int) { s.out[k] = texel.Texel{} })
	if s.op.Fetch(s, &s.out) {
		s.give()
	}
}

// detail gives the level that would be taken, between those that there are, and as it is.
func (s *sampling) detail() {
	by := s.op.By
	s.each(func(k int) {
		lod := s.op.Place[k].Lod + float64(by.Bias)
		clamped := max(float64(by.Least), min(lod, float64(by.Top), float64(s.image.ViewLevels-1)), 0)
		s.out[k] = texel.Texel{clamped, lod}
	})
	s.giveAs(floatBits)
}

// sizes gives the sizes of a level, and how many there are.
func (s *sampling) sizes() {
	m := s.image
	s.each(func(k int) {
		out, level := texel.Texel{3: float64(m.ViewLevels)}, s.op.Place[k].Lod
		if level >= 0 && level < float64(m.ViewLevels) {
			size := m.LevelSize(int(level))
			layers := m.ViewLayers
			if m.Shape == texel.Cube {
				layers /= 6
			}
			for i := range size {
				switch own := min(m.Shape.Coordinates(), 3); {
				case m.Shape == texel.Cube && i == 2, i == own:
					out[i] = float64(layers)
				case i < own:
					out[i] = float64(size[i])
				}
			}
		}
		s.out[k] = out
	})
	s.giveAs(integerBits)
}

// samples gives how many samples a texel has.
func (s *sampling) samples() {
	s.each(func(k int) { s.out[k] = texel.Texel{float64(s.image.Samples)} })
	s.giveAs(integerBits)
}

// uncompressed says of samples that each lies at its own place.
func (s *sampling) uncompressed() {
	s.each(
		func(k int) {
			s.out[k] = texel.Texel{math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32}
		})
	s.giveAs(integerBits)
}

func integerBits(x float64) uint32 { return uint32(int64(x)) }
func floatBits(x float64) uint32   { return math.Float32bits(float32(x)) }

// give gives what has been read, as the format has it.
func (s *sampling) give() {
	if !s.ok {
		return
	}
	switch integers := s.image.Format.Numeric.Integer(); {
	case integers:
		s.giveAs(integerBits)
	case s.half:
		s.giveAs(func(x float64) uint32 { return uint32(floatToHalf(x, nearest)) })
	default:
		s.giveAs(floatBits)
	}
}

// giveAs writes the response: of each component that the header does not leave out a number of each slot.
// Those of 16 bits lie side by side; eight of them have a register, too.
func (s *sampling) giveAs(code func(x float64) uint32) {
	c, m := s.c, &s.c.msg
	size, step := 4, 4*m.slots
	if s.half {
		size, step = 2, max(2*m.slots, s.in.gen.regBytes)
	}
	at := 0
	for i := range 4 {
		if s.header>>(12+i)&1 != 0 {
			continue
		}
		if at+step > m.respond {
			return
		}
		s.each(func(k int) {
			writeBits(c.r.file[m.response+at+size*k:], size, uint64(code(s.out[k][i])))
		})
		at += step
	}
}
