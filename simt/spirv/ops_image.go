package spirv

import (
	"fmt"
	"math"
	"sync"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// Image instructions (section 3.52.10). In compute an implicit level of detail is 0: there are no
// derivatives.

var imageBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opImageTexelPointer: buildTexelPointer, opSampledImage: buildSampledImage, opImage: buildImageOf,
		opImageSampleImplicitLod: buildSample(sampling{}), opImageSampleExplicitLod: buildSample(sampling{}),
		opImageSampleDrefImplicitLod:     buildSample(sampling{compare: true}),
		opImageSampleDrefExplicitLod:     buildSample(sampling{compare: true}),
		opImageSampleProjImplicitLod:     buildSample(sampling{project: true}),
		opImageSampleProjExplicitLod:     buildSample(sampling{project: true}),
		opImageSampleProjDrefImplicitLod: buildSample(sampling{compare: true, project: true}),
		opImageSampleProjDrefExplicitLod: buildSample(sampling{compare: true, project: true}),
		opImageFetch:                     buildFetch,
		opImageGather:                    buildSample(sampling{gather: true}),
		opImageDrefGather:                buildSample(sampling{gather: true, compare: true}),
		opImageRead:                      buildFetch, opImageWrite: buildImageWrite,
		opImageQueryFormat:  buildQuery(channelType),
		opImageQueryOrder:   buildQuery(channelOrder),
		opImageQuerySizeLod: buildQuerySize, opImageQuerySize: buildQuerySize,
		opImageQueryLevels:  buildQuery(func(m *texel.Image) int { return m.ViewLevels }),
		opImageQuerySamples: buildQuery(func(m *texel.Image) int { return m.Samples }),
	}
})

// channelType and channelOrder are those of OpenCL, as their queries count them.
func channelType(m *texel.Image) int {
	_, kind := m.OpenCL()
	return kind - firstChannelType
}

func channelOrder(m *texel.Image) int {
	order, _ := m.OpenCL()
	return order - firstChannelOrder
}

// SPIR-V numbers types and orders of channels from 0 on, OpenCL from these on.
const (
	firstChannelOrder = 0x10b0
	firstChannelType  = 0x10d0
)

// buildSampledImage makes SampledImage: an image and a sampler.
func buildSampledImage(b *builder) (*inst, error) {
	m, err := b.imageValue(0)
	if err != nil {
		return nil, err
	}
	s, err := b.value(1)
	if err != nil {
		return nil, err
	}
	if s.typ.kind != kHandle || b.typ.slots != 2 {
		return nil, b.errorf("makes a sampled image of what is no image and sampler")
	}
	return &inst{args: []int32{m.slot, s.slot}, exec: execGather}, nil
}

// buildImageOf makes Image: the image of a sampled one.
func buildImageOf(b *builder) (*inst, error) {
	m, err := b.imageValue(0)
	if err != nil {
		return nil, err
	}
	return &inst{a: m.slot, n: 1, exec: copyRun}, nil
}

// imageValue is operand i, an image or a sampled image.
func (b *builder) imageValue(i int) (*value, error) {
	v, err := b.value(i)
	if err != nil {
		return nil, err
	}
	if v.typ.image == nil || v.typ.kind != kHandle {
		return nil, b.errorf("has operand %%%d, which is no image", b.in.args[i])
	}
	return v, nil
}

// imageOperands are the optional operands of image instructions (section 3.14): slots, or -1.
type imageOperands struct {
	bias, lod, least, dx, dy, offset, sample int32
	offsets                                  int32 // of the four texels of a gather, two numbers each
	count                                    int   // numbers of offset, dx and dy
}

func (b *builder) imageOperands(at int) (*imageOperands, error) {
	o := &imageOperands{bias: -1, lod: -1, least: -1, dx: -1, dy: -1, offset: -1, sample: -1, offsets: -1}
	if at >= len(b.in.args) {
		return o, nil
	}
	mask := b.in.args[at]
	at++
	next := func(to *int32) error {
		v, err := b.value(at)
		if err != nil {
			return err
		}
		at++
		*to, o.count = v.slot, v.typ.slots
		return nil
	}
	var unused int32 // scopes, of which nothing depends
	for _, f := range []struct {
		bit uint32
		to  []*int32
	}{{1, []*int32{&o.bias}}, {2, []*int32{&o.lod}}, {4, []*int32{&o.dx, &o.dy}}, {8, []*int32{&o.offset}},
		{16, []*int32{&o.offset}}, {32, []*int32{&o.offsets}}, {64, []*int32{&o.sample}},
		{0x80, []*int32{&o.least}},
		{0x100, []*int32{&unused}}, {0x200, []*int32{&unused}}, {0x10000, []*int32{&o.offsets}}} {
		if mask&f.bit == 0 {
			continue
		}
		for _, to := range f.to {
			if err := next(to); err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

// A texelOp is the part that image instructions share: whose image, where, and what is made of texels.
type texelOp struct {
	access
	image  *image
	slot   int32 // of the image; the sampler is behind it
	at     *value
	o      *imageOperands
	scalar *typ // of the texel
}

// texelOp reads operands; coordinates are as many numbers as an image of whole numbers has if integers is
// set.
func (b *builder) texelOp(operands int, integers bool) (*texelOp, error) {
	v, err := b.imageValue(0)
	if err != nil {
		return nil, err
	}
	at, err := b.value(1)
	if err != nil {
		return nil, err
	}
	s := at.typ.scalar()
	n := v.typ.image.coordinates()
	if integers && v.typ.image.dim == dimCube {
		n = v.typ.image.dims()
	}
	if s == nil || s.kind != kInt && s.kind != kFloat || at.typ.slots < n {
		return nil, b.errorf("has a coordinate of %d numbers for an image of %d", at.typ.slots, n)
	}
	o, err := b.imageOperands(operands)
	if err != nil {
		return nil, err
	}
	in := access{space: global, leaves: []leaf{{}}}
	return &texelOp{access: in, image: v.typ.image, slot: v.slot, at: at, o: o}, nil
}

// op is the instruction in the active lanes: their images, and where.
func (t *texelOp) op(c *core) *texel.Op {
	if c.image == nil {
		c.image = new(texel.Op)
	}
	o := c.image
	o.Begin(c.mask & (1<<c.lanes - 1))
	o.Fraction = c.m.FilterBits
	copy(o.Image[:], c.one(t.slot))
	if t.at == nil {
		return o
	}
	dims := t.image.dims()
	for l := range c.lanes {
		if o.Lanes>>l&1 == 0 {
			continue
		}
		p := &o.Place[l]
		for i := range dims {
			p.At[i] = t.at.number(c, i, l)
			if t.o.offset >= 0 && i < t.o.count {
				p.Offset[i] = c.integer(t.o.offset+int32(i), l)
			}
		}
		// Of cubes integers say face and layer in one.
		if dims < t.image.coordinates() && dims < t.at.typ.slots {
			p.Layer = t.at.number(c, dims, l)
		}
	}
	return o
}

// texels are the memory of images, as an instruction accesses it. It implements [texel.Memory].
type texels struct {
	*texelOp
	c  *core
	in *inst
}

// Block implements [texel.Memory].
func (t texels) Block(addr, size uint64) []byte { return t.c.block(addr, size) }

// Texels implements [texel.Memory].
func (t texels) Texels(lanes uint64, addr *[simt.MaxLanes]uint64, size int, write bool,
	f func(lane int, b []byte)) bool {
	c, n := t.c, uint64(size)
	whole := c.mask
	defer func() { c.mask = whole }()
	c.mask, c.addr = lanes, *addr
	if bad := c.check(&t.access, n); bad != 0 {
		c.faultAt(t.in, &t.access, bad, n, simt.Unmapped)
		return false
	}
	if write {
		c.observe(t.in, &t.access, lanes, n)
	}
	w := c.window(&t.access)
	for l := range c.lanes {
		if lanes>>l&1 != 0 {
			f(l, c.bytes(&w, &t.access, addr[l], n))
		}
	}
	if !write {
		c.observe(t.in, &t.access, lanes, n)
	}
	return true
}

// Outside implements [texel.Memory].
func (t texels) Outside(lanes uint64, write bool) {
	c := t.c
	if !c.m.Observed() {
		return
	}
	verb := "reads"
	if write {
		verb = "writes"
	}
	if c.m.Undefined(&simt.Undefined{Wave: c.w, PC: t.in.pc, Lanes: lanes, Bounds: true,
		Text: verb + " a texel outside of its image"}) {
		c.stop = simt.Event{Kind: simt.WatchEvent, Wave: c.w, PC: t.in.pc, Lanes: lanes}
	}
}

// Wrong implements [texel.Memory].
func (t texels) Wrong(lanes uint64, err error) {
	t.c.fault(t.in, simt.Fault{Kind: simt.IllegalInstruction, Lanes: lanes,
		Text: fmt.Sprintf("%s: %v", instText(t.in.raw), err)})
}

// number is component i of a coordinate or the like, of a lane.
func (v *value) number(c *core, i, lane int) float64 {
	x := c.one(v.slot + int32(i))[lane]
	if s := v.typ.scalar(); s.kind == kInt {
		return float64(signed(x, s.bits))
	}
	return toFloat(x, v.typ.scalar().bits)
}

// integer is an operand of 32 bits, or 0 where there is none.
func (c *core) integer(slot int32, lane int) int {
	if slot < 0 {
		return 0
	}
	return int(int32(c.one(slot)[lane]))
}

func (c *core) float(slot int32, lane int) float64 {
	if slot < 0 {
		return 0
	}
	return toFloat(c.one(slot)[lane], 32)
}

// texelBits is a number of a texel as a value of the sampled type.
func texelBits(x float64, format *texel.Format, s *typ) uint64 {
	if s.kind == kFloat {
		return fromFloat(x, s.bits)
	}
	if !format.Numeric.Integer() { // a format that the type does not fit: its bits, as hardware has them
		return uint64(math.Float32bits(float32(x)))
	}
	return uint64(format.Whole(x)) & s.mask()
}

// outsideOf is what shaders read outside of an image by integer coordinates: 0, and 1 for alpha where the
// format has none (Vulkan, "Robust Buffer Access", of texel buffers).
func outsideOf(m *texel.Image) texel.Texel {
	if m.Format.Side() > 1 {
		return texel.Texel{}
	}
	var zeros [32]byte // of the largest texel
	return m.Shown(m.Format.Decode(zeros[:]))
}

// buildFetch makes ImageFetch and ImageRead: texels by integer coordinates.
func buildFetch(b *builder) (*inst, error) {
	t, err := b.texelOp(2, true)
	if err != nil {
		return nil, err
	}
	if b.typ.scalar() == nil {
		return nil, b.errorf("has a result that is neither scalar nor vector")
	}
	s := b.typ.scalar()
	i := &inst{mem: &t.access, n: int32(b.typ.slots), flags: faults}
	return i.with(func(c *core, in *inst) {
		var out [simt.MaxLanes]texel.Texel
		o := t.fetch(c)
		if !c.p.kernel {
			o.Border = outsideOf
		}
		if o.Fetch(texels{t, c, in}, &out) {
			t.give(c, in, o, s, &out)
		}
	}), nil
}

// fetch is op for integer coordinates.
func (t *texelOp) fetch(c *core) *texel.Op {
	o := t.op(c)
	for l := range c.lanes {
		o.Place[l].Lod, o.Sample[l] = float64(c.integer(t.o.lod, l)), c.integer(t.o.sample, l)
	}
	return o
}

// give puts texels into the result's slots.
func (t *texelOp) give(c *core, in *inst, o *texel.Op, s *typ, out *[simt.MaxLanes]texel.Texel) {
	for k := range int(in.n) {
		d := c.one(in.d + int32(k))
		for l := range d {
			if o.Lanes>>l&1 != 0 {
				d[l] = texelBits(out[l][k], o.Formats[l], s)
			}
		}
	}
}

// buildImageWrite makes ImageWrite. What is outside is not written.
func buildImageWrite(b *builder) (*inst, error) {
	t, err := b.texelOp(3, true)
	if err != nil {
		return nil, err
	}
	t.write = true
	v, err := b.value(2)
	if err != nil {
		return nil, err
	}
	s := v.typ.scalar()
	if s == nil || v.typ.slots > 4 {
		return nil, b.errorf("writes what is no texel")
	}
	i := &inst{mem: &t.access, flags: faults}
	return i.with(func(c *core, in *inst) {
		o := t.fetch(c)
		o.FullSnorm = c.p.kernel
		o.Write(texels{t, c, in}, func(l int, f *texel.Format) (x texel.Texel) {
			for k := range v.typ.slots {
				x[k] = writtenNumber(c.one(v.slot + int32(k))[l], s, f)
			}
			return x
		})
	}), nil
}

// writtenNumber is a value that is written as a number of the format.
func writtenNumber(v uint64, s *typ, f *texel.Format) float64 {
	switch {
	case s.kind == kFloat:
		return toFloat(v, s.bits)
	case f.Numeric == texel.Sint:
		return f.FromWhole(signed(v, s.bits))
	}
	return f.FromWhole(int64(v))
}

// A sampling says what an instruction does with the texels that a sampler takes.
type sampling struct{ compare, project, gather bool }

// buildSample makes the instructions that sample.
func buildSample(how sampling) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		operands := 2
		if how.compare || how.gather {
			operands = 3
		}
		t, err := b.texelOp(operands, false)
		if err != nil {
			return nil, err
		}
		if b.typ.scalar() == nil || b.p.values[b.in.args[0]].typ.slots != 2 {
			return nil, b.errorf("samples what is no sampled image")
		}
		extra := int32(-1) // the reference, or the component that is gathered
		if operands == 3 {
			v, err := b.value(2)
			if err != nil {
				return nil, err
			}
			extra = v.slot
		}
		if how.project && t.at.typ.slots <= t.image.coordinates() {
			return nil, b.errorf("has no coordinate to divide by")
		}
		t.scalar = b.typ.scalar()
		i := &inst{mem: &t.access, n: int32(b.typ.slots), flags: faults}
		return i.with(func(c *core, in *inst) { t.sample(c, in, how, extra) }), nil
	}
}

// sample samples for all active lanes.
func (t *texelOp) sample(c *core, in *inst, how sampling, extra int32) {
	var out [simt.MaxLanes]texel.Texel
	o := t.op(c)
	copy(o.Sampler[:], c.one(t.slot+1))
	o.Gather, o.Compares = how.gather, how.compare
	if c.p.kernel {
		o.Border, o.Whole = kernelBorder, t.at.typ.scalar().kind == kInt
	}
	if how.gather && t.o.offsets >= 0 {
		o.Offsets = new([simt.MaxLanes][4][3]int)
	}
	if t.o.dx >= 0 {
		o.Gradients = new([simt.MaxLanes][2][3]float64)
	}
	if t.o.least >= 0 {
		o.Least = new([simt.MaxLanes]float64)
	}
	for l := range c.lanes {
		if o.Lanes>>l&1 != 0 {
			t.level(c, o, how, extra, l)
		}
	}
	if o.Take(texels{t, c, in}, &out) {
		t.give(c, in, o, t.scalar, &out)
	}
}

// kernelBorder is what kernels read outside of an image: its alpha is 0 where the image has one (OpenCL C,
// "Image Read Functions", "Border Color").
func kernelBorder(m *texel.Image) texel.Texel {
	switch order, _ := m.OpenCL(); order - firstChannelOrder {
	case 1, 3, 5, 6, 7, 8, 19: // A, RA, RGBA, BGRA, ARGB, INTENSITY, ABGR
		return texel.Texel{}
	}
	return texel.Texel{3: 1}
}

// level is what a lane's sample depends on besides where it is.
func (t *texelOp) level(c *core, o *texel.Op, how sampling, extra int32, l int) {
	p := &o.Place[l]
	by := 1.0
	if how.project {
		by = t.projection(c, l)
	}
	for i := range p.At {
		if p.At[i] /= by; o.Whole {
			p.At[i] += 0.5 // the middle of the texel
		}
	}
	switch {
	case how.compare:
		o.Reference[l] = c.float(extra, l) / by
	case how.gather:
		o.Component[l] = c.integer(extra, l)
	}
	for k := range 4 {
		if o.Offsets != nil {
			o.Offsets[l][k] = [3]int{c.integer(t.o.offsets+int32(2*k), l),
				c.integer(t.o.offsets+int32(2*k+1), l)}
		}
	}
	if p.Lod = c.float(t.o.bias, l); o.Gradients != nil {
		for k, slot := range []int32{t.o.dx, t.o.dy} {
			for i := range min(t.o.count, 3) {
				o.Gradients[l][k][i] = c.float(slot+int32(i), l)
			}
		}
	} else {
		p.Lod += c.float(t.o.lod, l)
	}
	if o.Least != nil {
		o.Least[l] = c.float(t.o.least, l)
	}
}

// projection is what the coordinates, and the reference of a comparison, are divided by (Vulkan, "Projection
// Operation").
func (t *texelOp) projection(c *core, lane int) float64 {
	return t.at.number(c, t.at.typ.slots-1, lane)
}

// buildQuerySize makes ImageQuerySize and ImageQuerySizeLod.
func buildQuerySize(b *builder) (*inst, error) {
	v, err := b.imageValue(0)
	if err != nil {
		return nil, err
	}
	lod := int32(-1)
	if len(b.in.args) > 1 {
		l, err := b.value(1)
		if err != nil {
			return nil, err
		}
		lod = l.slot
	}
	t := &texelOp{image: v.typ.image, slot: v.slot}
	i := &inst{n: int32(b.typ.slots), flags: faults}
	return i.with(func(c *core, in *inst) {
		o := t.op(c)
		c.zero(in.d, in.n, o.Lanes)
		o.Each(texels{t, c, in}, func(m *texel.Image, lanes uint64) bool {
			for l := range c.lanes {
				if lanes>>l&1 == 0 {
					continue
				}
				for k, n := range t.sizeOf(m, c.integer(lod, l)) {
					if k < int(in.n) {
						c.one(in.d + int32(k))[l] = uint64(n)
					}
				}
			}
			return true
		})
	}), nil
}

// zero gives lanes 0 in each of n slots.
func (c *core) zero(slot, n int32, lanes uint64) {
	for k := range n {
		d := c.one(slot + k)
		for l := range d {
			if lanes>>l&1 != 0 {
				d[l] = 0
			}
		}
	}
}

// sizeOf is what a query of the size of a level gives: of a cube two numbers, and layers behind.
func (t *texelOp) sizeOf(m *texel.Image, level int) []int {
	s := m.LevelSize(max(0, min(level, m.ViewLevels-1)))
	n := min(t.image.dims(), 3)
	layers := m.ViewLayers
	if t.image.dim == dimCube {
		n, layers = 2, layers/6
	}
	out := s[:n]
	if t.image.arrayed {
		out = append(out[:n:n], layers)
	}
	return out
}

// buildQuery makes a query of one number.
func buildQuery(f func(*texel.Image) int) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		v, err := b.imageValue(0)
		if err != nil {
			return nil, err
		}
		t := &texelOp{image: v.typ.image, slot: v.slot}
		var more uint64
		if len(b.in.args) > 1 {
			more, _ = literalOf(b.in.args[1])
		}
		i := &inst{flags: faults}
		return i.with(func(c *core, in *inst) {
			o := t.op(c)
			c.zero(in.d, 1, o.Lanes)
			o.Each(texels{t, c, in}, func(m *texel.Image, lanes uint64) bool {
				for l := range c.lanes {
					if lanes>>l&1 != 0 {
						c.one(in.d)[l] = uint64(f(m)) + more
					}
				}
				return true
			})
		}), nil
	}
}

// buildTexelPointer makes ImageTexelPointer: an address, or 0 where there is no texel.
func buildTexelPointer(b *builder) (*inst, error) {
	v, _, err := b.pointer(0)
	if err != nil {
		return nil, err
	}
	at, sample, err := b.pair(1)
	if err != nil {
		return nil, err
	}
	e := v.typ.elem
	if e == nil || e.image == nil || e.kind != kHandle || at.typ.scalar() == nil ||
		at.typ.slots < min(e.image.coordinates(), 3) {
		return nil, b.errorf("has a pointer to what is no image, or no coordinate for it")
	}
	t := &texelOp{image: e.image, slot: v.slot, at: at,
		o: &imageOperands{lod: -1, offset: -1, sample: sample.slot}}
	i := &inst{flags: faults}
	return i.with(func(c *core, in *inst) {
		o := t.fetch(c)
		c.zero(in.d, 1, o.Lanes)
		o.Each(texels{t, c, in}, func(m *texel.Image, lanes uint64) bool {
			var addr [simt.MaxLanes]uint64
			outside := o.Locate(m, lanes, &addr)
			for l := range c.lanes {
				if lanes>>l&1 != 0 {
					c.one(in.d)[l] = pick(outside>>l&1 != 0, 0, addr[l])
				}
			}
			return true
		})
	}), nil
}
