package gcn

import (
	"math"
	"math/bits"
	"strings"
	"sync"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// Image instructions (Vega, RDNA 1 to 4 ISA, "Image instructions"): descriptors in scalar registers say which
// image and how it is sampled, for all lanes; each lane says where. Package texel does the rest.

// imageState is what a core keeps of the image instruction that it executes.
type imageState struct {
	op    texel.Op
	image texel.Image
	by    texel.Sampler
	out   [simt.MaxLanes]texel.Texel
	grad  [simt.MaxLanes][2][3]float64
	least [simt.MaxLanes]float64
}

// An imageRun is an image instruction while it executes. It implements [texel.Memory].
type imageRun struct {
	c  *Core
	in *Inst
	f  *imageFields
	*imageState
	dim    *imageDim
	narrow bool // addresses have 16 bits
	place  int  // the next register of the address
}

// runImage executes all but rays.
func runImage(c *Core, in *Inst) {
	if c.w.Exec == 0 {
		return
	}
	if c.images == nil {
		c.images = new(imageState)
	}
	r := imageRun{c: c, in: in, f: in.image, imageState: c.images, dim: in.image.dim, narrow: in.image.a16}
	c.beginAccess(c.registers(&in.dst), c.registers(&in.src[1]), nil)
	if !r.begin() {
		return
	}
	s := in.Op.image
	switch {
	case s.noCoords:
		r.sizes()
	case s.atomic:
		r.atomic()
	case s.asksLod:
		r.lods()
	case s.samples && !s.fetches:
		r.sample()
	case s.stores:
		r.store()
	default:
		r.load()
	}
	if !c.faulted() && in.sdst.kind == vectorReg { // all texels were there
		merge(&c.r.V[in.sdst.reg], &Vector{}, c.w.Exec)
	}
}

// begin reads the descriptors, and reports whether they are some.
func (r *imageRun) begin() bool {
	layout := imageLayoutOf(r.in.on)
	var words [8]uint32
	r.c.descriptorWords(&r.f.resource, words[:])
	if r.f.r128 && r.in.on&gfx9 == 0 {
		clear(words[4:])
	}
	m, least, err := layout.image(words[:], r.in.on)
	if err != nil {
		r.Wrong(r.c.w.Exec, err)
		return false
	}
	r.image = m
	if r.dim == nil {
		r.dim = &imageDims[imageKind.of(words[:])-imageLine]
		if r.f.layered && r.dim.coords == r.image.Shape.Coordinates() && r.image.Shape < texel.Volume {
			r.dim = &imageDims[dimLines+int(r.image.Shape)]
		}
	}
	if r.f.shape.addresses(r.dim, r.narrow) > len(r.f.at) { // it would go past the last register
		unknown(r.c, r.in)
		return false
	}
	o := &r.op
	o.Begin(r.c.w.Exec)
	o.One, o.By, o.Fraction = &r.image, &r.by, r.c.m.FilterBits
	if r.f.sampler.kind == noOperand {
		return true
	}
	var sampler [4]uint32
	r.c.descriptorWords(&r.f.sampler, sampler[:])
	if r.by, err = layout.sampler(sampler[:]); err != nil {
		r.Wrong(o.Lanes, err)
		return false
	}
	r.by.Unnormalized = r.by.Unnormalized || r.f.unorm
	if r.by.Top > 0 || r.by.Mip == texel.Linear {
		r.by.Least = max(r.by.Least, float32(least-float64(m.FirstLevel)))
	}
	color := r.by.Border
	o.Border = func(m *texel.Image) texel.Texel { return layout.border(words[:], m, color) }
	return true
}

// descriptorWords are the scalar registers of a descriptor.
func (c *Core) descriptorWords(o *operand, words []uint32) {
	if o.kind == scalarReg && int(o.reg)+len(words) <= len(c.r.S) {
		copy(words, c.r.S[o.reg:])
	}
}

// next is the next register of the address, as each lane has it.
func (r *imageRun) next() *Vector {
	v := &r.c.r.V[r.f.at[r.place]&0xff]
	r.place++
	return v
}

// A coordinate is a number of an address: a register, or half of one.
type coordinate struct {
	from *Vector
	high bool
}

// coordinates are the next n numbers of the address, which are packed in pairs if they are narrow.
func (r *imageRun) coordinates(n int, narrow bool) (list [5]coordinate) {
	for i := range n {
		switch {
		case !narrow:
			list[i] = coordinate{r.next(), false}
		case i%2 == 0:
			list[i] = coordinate{r.next(), false}
		default:
			list[i] = coordinate{list[i-1].from, true}
		}
	}
	return list
}

// bits are a lane's bits of a coordinate.
func (x coordinate) bits(l int, narrow bool) uint32 {
	v := x.from[l]
	switch {
	case !narrow:
		return v
	case x.high:
		return v >> 16
	}
	return v & 0xffff
}

func (x coordinate) float(l int, narrow bool) float64 {
	if v := x.bits(l, narrow); narrow {
		return float64(math.Float32frombits(
			uint32(convertFloat(half16, single, uint64(v), ModeDenorm32|ModeDenorm64))))
	} else {
		return float64(math.Float32frombits(v))
	}
}

// integer is a coordinate that counts texels: what is beyond the largest is outside of every image.
func (x coordinate) integer(l int, narrow bool) float64 { return float64(x.bits(l, narrow)) }

// each calls f for each lane.
func (r *imageRun) each(f func(l int)) {
	for rest := r.op.Lanes; rest != 0; rest &= rest - 1 {
		f(bits.TrailingZeros64(rest))
	}
}

// texels reads the coordinates of whole texels.
func (r *imageRun) texels() {
	n := r.dim.coords
	total := n
	if r.f.shape.mip {
		total++
	}
	list := r.coordinates(total, r.narrow)
	o := &r.op
	r.each(func(l int) {
		p := &o.Place[l]
		at := func(i int) float64 { return list[i].integer(l, r.narrow) }
		plain := r.dim.plain()
		for i := range plain {
			p.At[i] = at(i)
		}
		if r.dim.layered && r.image.Shape == texel.Volume {
			p.At[2] = at(plain)
		} else if r.dim.layered {
			p.Layer = at(plain)
		}
		if r.image.Shape == texel.Cube { // whose faces are layers
			p.At[2] = p.Layer
		}
		if r.dim.sampled {
			o.Sample[l] = int(at(n - 1))
		}
		if r.f.shape.mip {
			p.Lod = at(n)
		}
	})
}

// load is image_load and its forms.
func (r *imageRun) load() {
	r.texels()
	o, s := &r.op, r.f.shape
	r.each(func(l int) { r.out[l] = texel.Texel{} })
	switch {
	case s.raw:
		var codes [simt.MaxLanes][4]uint32
		if o.Raw(r, &r.image, o.Lanes, false, func(l int, b []byte) {
			codes[l] = r.image.Format.Codes(b, s.signed)
		}) {
			r.giveBits(func(l, i int) uint32 {
				if from := r.image.Swizzle[i]; from < texel.SwizzleZero {
					return codes[l][from]
				}
				return 0
			})
		}
	case s.gathers: // image_msaa_load: a component of each of four samples
		component := r.component()
		var four [simt.MaxLanes][4]uint32
		for i := range 4 {
			r.each(func(l int) { o.Sample[l] += min(i, 1) })
			if !o.Fetch(r, &r.out) {
				return
			}
			r.each(func(l int) { four[l][i] = r.number(r.out[l][component]) })
		}
		r.giveBits(func(l, i int) uint32 { return four[l][i] })
	default:
		if o.Fetch(r, &r.out) {
			r.give()
		}
	}
}

// component is the one that DMASK names of an instruction that gives it of four texels.
func (r *imageRun) component() int { return bits.TrailingZeros8(r.f.dmask|8) & 3 }

// number is a component of a texel as a register has it.
func (r *imageRun) number(x float64) uint32 {
	if r.image.Format.Numeric.Integer() {
		return uint32(int64(x))
	}
	v := math.Float32bits(float32(x))
	if r.f.d16 {
		return uint32(convertFloat(single, half16, uint64(v), ModeDenorm32|ModeDenorm64))
	}
	return v
}

// give gives lanes the texels that they have read.
func (r *imageRun) give() {
	r.giveBits(func(l, i int) uint32 { return r.number(r.out[l][i]) })
}

// giveBits gives lanes what DMASK selects of four numbers.
func (r *imageRun) giveBits(number func(l, i int) uint32) {
	dst := r.c.pass.dst
	var of []int
	for i := range 4 {
		if r.f.shape.gathers || r.f.dmask>>i&1 != 0 || r.f.dmask == 0 && i == 0 {
			of = append(of, i)
		}
	}
	r.each(func(l int) {
		for k, i := range of {
			v := number(l, i)
			switch {
			case !r.f.d16:
				dst[k][l] = v
			case k%2 == 0:
				dst[k/2][l] = v & 0xffff
			default:
				dst[k/2][l] |= v << 16
			}
		}
	})
}

// taken is number k of what a lane stores: bits.
func (r *imageRun) taken(l, k int) uint32 {
	if data := r.c.pass.data; !r.f.d16 {
		return data[k][l]
	} else {
		return data[k/2][l] >> (16 * (k % 2)) & 0xffff
	}
}

// store is image_store and its forms. Components that DMASK leaves out are 0; on gfx12 they are the first
// that there is.
func (r *imageRun) store() {
	r.texels()
	o := &r.op
	given := func(l int, number func(v uint32) float64) (t texel.Texel) {
		k := 0
		for i := range t {
			if r.f.dmask>>i&1 != 0 {
				t[i] = number(r.taken(l, k))
				k++
			}
		}
		for i := range t {
			if r.in.on&gfx12 != 0 && r.f.dmask>>i&1 == 0 {
				t[i] = number(r.taken(l, 0))
			}
		}
		return t
	}
	if r.f.shape.raw {
		o.Raw(r, &r.image, o.Lanes, true, func(l int, b []byte) {
			var codes [4]uint32
			for i, x := range r.image.Stored(given(l, func(v uint32) float64 { return float64(v) })) {
				codes[i] = uint32(int64(x))
			}
			r.image.Format.PutCodes(codes, b)
		})
		return
	}
	o.Write(r, func(l int, f *texel.Format) texel.Texel {
		return given(l, func(v uint32) float64 { return r.written(v, f) })
	})
}

// written is what is stored of bits in a register.
func (r *imageRun) written(v uint32, f *texel.Format) float64 {
	switch {
	case f.Numeric == texel.Uint:
		return float64(v)
	case f.Numeric == texel.Sint && r.f.d16:
		return float64(int16(v))
	case f.Numeric == texel.Sint:
		return float64(int32(v))
	case r.f.d16:
		v = uint32(convertFloat(half16, single, uint64(v), ModeDenorm32|ModeDenorm64))
	}
	return float64(math.Float32frombits(v))
}

// atomic is image_atomic_*: what global memory has, at the texel's place.
func (r *imageRun) atomic() {
	r.texels()
	a, c := r.access(), r.c
	if a == nil || a.size != r.image.Format.Size {
		unknown(c, r.in)
		return
	}
	if data := c.pass.data; len(data) > a.size/4 {
		c.pass.data, c.pass.data2 = data[:a.size/4], data[a.size/4:]
	}
	outside := r.op.Locate(&r.image, r.op.Lanes, &c.addr)
	if in := r.op.Lanes &^ outside; in != 0 {
		s := c.spanOf(in)
		c.checkGlobal(a, in, s)
		if c.raise(r.in, a) {
			return
		}
		c.moveGlobal(r.in, a, in, s)
	}
	if outside != 0 {
		c.zeroOutside(outside)
		r.Outside(outside, true)
	}
}

// access is what an atomic instruction does, of 32 or of 64 bits as it has data.
func (r *imageRun) access() *access {
	n := bits.OnesCount8(r.f.dmask)
	if r.f.shape.compares {
		n /= 2
	}
	if n < 1 || n > 2 {
		return nil
	}
	return r.f.shape.access[n-1]
}

// imageAtomics are the atomic operations by their names' ends, of 32 and of 64 bits.
var imageAtomics = sync.OnceValue(func() map[string][2]*access {
	return map[string][2]*access{
		"swap": {atomicSwap, atomicSwap64}, "cmpswap": {atomic32(swapIf[uint32]), atomic64(swapIf[uint64])},
		"add": {atomicAdd, atomicAdd64}, "sub": {atomicSub, atomicSub64}, "smin": {atomicSMin, atomicSMin64},
		"umin": {atomicUMin, atomicUMin64}, "smax": {atomicSMax, atomicSMax64},
		"umax": {atomicUMax, atomicUMax64}, "and": {atomicAnd, atomicAnd64}, "or": {atomicOr, atomicOr64},
		"xor": {atomicXor, atomicXor64}, "inc": {atomicInc, atomicInc64}, "dec": {atomicDec, atomicDec64},
		"fcmpswap": {atomicSwapIfF32, atomicSwapIfF64}, "fmin": {atomicMinF32, atomicMinF64},
		"fmax": {atomicMaxF32, atomicMaxF64}, "add_flt": {atomicAddF32}, "min_flt": {atomicMinF32},
		"max_flt": {atomicMaxF32}, "pk_add_f16": {atomicAddH}, "pk_add_bf16": {atomicAddB},
	}
})

// sizes is image_get_resinfo: of a level width, height, depth or layers, and how many levels there are.
func (r *imageRun) sizes() {
	level := r.coordinates(1, r.narrow)[0]
	m := &r.image
	r.giveBits(func(l, i int) uint32 {
		at := level.integer(l, r.narrow)
		if i == 3 {
			return uint32(m.ViewLevels)
		}
		if at >= float64(m.ViewLevels) {
			return 0
		}
		size := m.LevelSize(int(at))
		switch {
		case i == 1 && m.Shape == texel.Line && r.in.on&gfx9 == 0 && m.Layers > 1,
			i == 2 && m.Shape != texel.Volume:
			return uint32(m.ViewLayers)
		}
		return uint32(size[i])
	})
}

// Wrong implements [texel.Memory].
func (r *imageRun) Wrong(lanes uint64, err error) {
	r.c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: lanes, Addr: r.in.PC,
		Text: r.in.String() + ": " + err.Error()})
}

// Block implements [texel.Memory]: descriptors are in registers.
func (r *imageRun) Block(uint64, uint64) []byte { return nil }

// Outside implements [texel.Memory].
func (r *imageRun) Outside(lanes uint64, write bool) {
	if r.c.isa.Kernel.TexelBounds {
		r.c.tellOutside(r.in, lanes, write, "a texel outside of its image")
	}
}

// Texels implements [texel.Memory].
func (r *imageRun) Texels(lanes uint64, addr *[simt.MaxLanes]uint64, size int, write bool,
	f func(lane int, b []byte)) bool {
	c := r.c
	c.addr = *addr
	a := &access{size: size, write: write, move: func(c *Core, p *pass) {
		for m := p.mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			f(l, p.mem[c.addr[l]-p.base:][:size])
		}
	}}
	s := c.spanOf(lanes)
	c.checkGlobal(a, lanes, s)
	if c.raise(r.in, a) {
		return false
	}
	c.moveGlobal(r.in, a, lanes, s)
	return true
}

// readImageName reads what an instruction does of its name; imageShapeOf has read what operands it has.
func (s *imageShape) readImageName(name string) {
	name = strings.TrimPrefix(name, "image_")
	if of, ok := strings.CutPrefix(name, "atomic_"); ok {
		s.access = imageAtomics()[of]
		return
	}
	for _, part := range strings.Split(name, "_") {
		switch part {
		case "pck":
			s.raw = true
		case "sgn":
			s.signed = true
		case "msaa":
			s.fetches = true
		case "c":
			s.references = true
		case "b":
			s.biased = true
		case "o":
			s.displaced = true
		case "l":
			s.levels = true
		case "cl":
			s.clamps = true
		case "lz":
			s.base = true
		}
	}
	s.asksLod = name == "get_lod"
}
