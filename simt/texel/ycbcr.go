package texel

import (
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// A Conversion is what a sampler makes of luma and chroma (Vulkan, "Sampler Y'CBCR Conversion"). What is
// sampled has luma as G and the chromas as B and R.
type Conversion struct {
	Model      Model
	Narrow     bool // the range that is left by video: 16 to 235 and 240 of 255
	MidX, MidY bool // chroma lies between the texels that it is of, and not at the first one
	there      bool
}

// A Model is how luma and chroma are colors (VkSamplerYcbcrModelConversion).
type Model uint8

const (
	RGBIdentity Model = iota
	YCbCrIdentity
	YCbCr709
	YCbCr601
	YCbCr2020
)

// Convert makes a conversion one that is done.
func Convert(c Conversion) Conversion {
	c.there = true
	return c
}

// The bits of a conversion in a sampler's block.
const (
	conversionThere  = 1 << 0
	conversionModel  = 1 // where three bits begin
	conversionNarrow = 1 << 4
	conversionMidX   = 1 << 5
	conversionMidY   = 1 << 6
	facesApart       = 7 // where the bit of [Sampler.Apart] is
)

func (c *Conversion) word() uint32 {
	v := uint32(c.Model) << conversionModel
	for bit, set := range map[uint32]bool{conversionThere: c.there, conversionNarrow: c.Narrow,
		conversionMidX: c.MidX,
		conversionMidY: c.MidY} {
		if set {
			v |= bit
		}
	}
	return v
}

func conversionOf(v uint32) Conversion {
	return Conversion{Model: Model(v >> conversionModel & 7), Narrow: v&conversionNarrow != 0,
		MidX: v&conversionMidX != 0, MidY: v&conversionMidY != 0, there: v&conversionThere != 0}
}

// shift is how far a sample of a plane is from where it is in luma, in texels of the plane: chroma that
// belongs to the first of two texels has its middle there.
func (c *Conversion) shift(p *plane) (by [3]float64) {
	const quarter = 0.25
	if p.narrow && !c.MidX {
		by[0] = quarter
	}
	if p.short && !c.MidY {
		by[1] = quarter
	}
	return by
}

// lumas are the parts that red and blue have in luma, by model.
var lumas = [...][2]float64{YCbCr709: {0.2126, 0.0722}, YCbCr601: {0.299, 0.114}, YCbCr2020: {0.2627, 0.0593}}

// apply makes a color of numbers of so many bits.
func (c *Conversion) apply(t Texel, bits uint8) Texel {
	if !c.there || c.Model == RGBIdentity {
		return t
	}
	most, eighth := float64(uint64(1)<<bits-1), float64(uint64(1)<<max(int(bits)-8, 0))
	y, cb, cr := t[1], t[2], t[0]
	if c.Narrow {
		const black, lumaSteps, middle, chromaSteps = 16, 219, 128, 224
		y = (y*most - black*eighth) / (lumaSteps * eighth)
		cb = (cb*most - middle*eighth) / (chromaSteps * eighth)
		cr = (cr*most - middle*eighth) / (chromaSteps * eighth)
	} else {
		middle := float64(uint64(1)<<(bits-1)) / most
		cb, cr = cb-middle, cr-middle
	}
	if c.Model == YCbCrIdentity {
		return Texel{cr, y, cb, t[3]}
	}
	red, blue := lumas[c.Model][0], lumas[c.Model][1]
	green := 1 - red - blue
	return Texel{y + 2*(1-red)*cr, y - 2*(blue*(1-blue)*cb+red*(1-red)*cr)/green, y + 2*(1-blue)*cb, t[3]}
}

// planes samples each plane of an image, and makes texels of what they give.
func (o *Op) planes(mem Memory, m *Image, lanes uint64, out *[simt.MaxLanes]Texel) bool {
	if o.Gather {
		mem.Wrong(lanes, fmt.Errorf("texels of the format %s, of several planes, are gathered", m.Format))
		return false
	}
	return o.eachPlane(m, lanes, out, func(p *plane, l int) {
		o.Place[l].Shift = o.room.samplers[l].Convert.shift(p)
	}, func(of *Image, part *[simt.MaxLanes]Texel) bool { return o.pieces(mem, of, lanes, part) })
}

// fetchPlanes is planes for integer coordinates, which mean the number of each plane that a texel has.
func (o *Op) fetchPlanes(mem Memory, m *Image, lanes uint64, out *[simt.MaxLanes]Texel) bool {
	return o.eachPlane(m, lanes, out, func(p *plane, l int) {
		at := &o.Place[l]
		x, y := p.place(whole(at.At[0])+at.Offset[0], whole(at.At[1])+at.Offset[1])
		at.At[0], at.At[1], at.Offset = float64(x), float64(y), [3]int{}
	}, func(of *Image, part *[simt.MaxLanes]Texel) bool { return o.fetch(mem, of, lanes, part) })
}

// eachPlane puts together what read gives for each plane, after place has said where lanes read there.
func (o *Op) eachPlane(m *Image, lanes uint64, out *[simt.MaxLanes]Texel, place func(p *plane, lane int),
	read func(of *Image, part *[simt.MaxLanes]Texel) bool) bool {
	var part [simt.MaxLanes]Texel
	at := o.Place
	for i := range m.Format.planes {
		p, of := &m.Format.planes[i], m.plane(i)
		for rest := lanes; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest)
			part[l] = Texel{}
			place(p, l)
		}
		read := read(&of, &part)
		o.Place = at
		if !read {
			return false
		}
		for rest := lanes; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest)
			if i == 0 {
				out[l] = Texel{0, 0, 0, 1}
			}
			p.put(part[l], &out[l])
		}
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		out[l] = m.Shown(out[l])
	}
	return true
}
