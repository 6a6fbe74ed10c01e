package spirv

import (
	"fmt"
	"math"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// Image instructions (section 3.52.10). In compute an implicit level of detail is 0: there are no
// derivatives.

var imageBuilders = map[uint16]func(*builder) (*inst, error){
	60: buildTexelPointer, 86: buildSampledImage, 100: buildImageOf,
	87: buildSample(sampling{}), 88: buildSample(sampling{}),
	89: buildSample(sampling{compare: true}), 90: buildSample(sampling{compare: true}),
	91: buildSample(sampling{project: true}), 92: buildSample(sampling{project: true}),
	93: buildSample(sampling{compare: true, project: true}), 94: buildSample(sampling{compare: true, project: true}),
	95: buildFetch, 96: buildSample(sampling{gather: true}), 97: buildSample(sampling{gather: true, compare: true}),
	98: buildFetch, 99: buildImageWrite,
	103: buildQuerySize, 104: buildQuerySize, 106: buildQuery(func(m *texel.Image) int { return m.ViewLevels }),
	107: buildQuery(func(m *texel.Image) int { return m.Samples }),
}

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
	if b.p.kernel {
		return nil, b.errorf("needs %s, which the machine has for shaders alone", b.p.need("images"))
	}
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
		{16, []*int32{&o.offset}}, {32, []*int32{&o.offsets}}, {64, []*int32{&o.sample}}, {0x80, []*int32{&o.least}},
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

func (b *builder) texelOp(operands int) (*texelOp, error) {
	v, err := b.imageValue(0)
	if err != nil {
		return nil, err
	}
	at, err := b.value(1)
	if err != nil {
		return nil, err
	}
	s := at.typ.scalar()
	if s == nil || s.kind != kInt && s.kind != kFloat || at.typ.slots < v.typ.image.coordinates() {
		return nil, b.errorf("has a coordinate of %d numbers for an image of %d", at.typ.slots,
			v.typ.image.coordinates())
	}
	o, err := b.imageOperands(operands)
	if err != nil {
		return nil, err
	}
	return &texelOp{access: access{space: global, leaves: []leaf{{}}}, image: v.typ.image, slot: v.slot, at: at, o: o}, nil
}

// perImage calls f for the active lanes of each image that lanes have, with the lanes that have it alone
// active. It stops when f says so, and reports whether it never did.
func (t *texelOp) perImage(c *core, in *inst, f func(m *texel.Image) bool) bool {
	whole := c.mask
	defer func() { c.mask = whole }()
	addrs := c.one(t.slot)
	for left := whole; left != 0; left &^= c.mask {
		addr := addrs[bits.TrailingZeros64(left)]
		c.mask = 0
		for l := range addrs {
			if left>>l&1 != 0 && addrs[l] == addr {
				c.mask |= 1 << l
			}
		}
		m, err := c.imageAt(addr)
		if err != nil {
			c.fault(in, simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.mask,
				Text: fmt.Sprintf("%s: %v", instText(in.raw), err)})
			return false
		}
		if !f(&m) {
			return false
		}
	}
	return true
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

// locate puts the address of the texel that each active lane means into c.addr, by integer coordinates. It
// gives the lanes whose texel is outside.
func (t *texelOp) locate(c *core, m *texel.Image) (outside uint64) {
	dims := t.image.dims()
	for l := range c.lanes {
		if c.mask>>l&1 == 0 {
			continue
		}
		var at [4]int
		for i := range t.image.coordinates() {
			at[i] = int(max(-1, min(1<<40, t.at.number(c, i, l))))
			if t.o.offset >= 0 && i < t.o.count && i < dims {
				at[i] += c.integer(t.o.offset+int32(i), l)
			}
		}
		layer := 0
		if t.image.arrayed {
			layer = at[dims]
			at[dims] = 0
		} else if t.image.dim == dimCube {
			layer, at[2] = at[2], 0
		}
		if t.image.arrayed && t.image.dim == dimCube { // a cube's face is part of the layer
			layer, at[2] = at[2], 0
		}
		off, ok := m.Offset(at[0], at[1], at[2], layer, c.integer(t.o.lod, l), c.integer(t.o.sample, l))
		if c.addr[l] = m.Address + off; !ok {
			outside |= 1 << l
		}
	}
	return outside
}

// read reads the texel at c.addr of each active lane, and reports whether it could.
func (t *texelOp) read(c *core, in *inst, m *texel.Image, f func(lane int, b []byte)) bool {
	size := uint64(m.Format.Size)
	if bad := c.check(&t.access, size); bad != 0 {
		c.faultAt(in, &t.access, bad, size, simt.Unmapped)
		return false
	}
	w := c.window(&t.access)
	for l := range c.lanes {
		if c.mask>>l&1 != 0 {
			f(l, c.bytes(&w, &t.access, c.addr[l], size))
		}
	}
	c.observe(in, &t.access, c.mask, size)
	return true
}

// texelOutside tells of lanes whose texel is outside of the image.
func (t *texelOp) texelOutside(c *core, in *inst, lanes uint64) {
	if lanes == 0 || !c.m.Observed() {
		return
	}
	verb := "reads"
	if t.write {
		verb = "writes"
	}
	if c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.pc, Lanes: lanes, Bounds: true,
		Text: verb + " a texel outside of its image"}) {
		c.stop = simt.Event{Kind: simt.WatchEvent, Wave: c.w, PC: in.pc, Lanes: lanes}
	}
}

// texelBits is a number of a texel as a value of the sampled type.
func texelBits(x float64, format *texel.Format, s *typ) uint64 {
	if s.kind == kFloat {
		return fromFloat(x, s.bits)
	}
	if !format.Numeric.Integer() { // a format that the type does not fit: its bits, as hardware has them
		return uint64(math.Float32bits(float32(x)))
	}
	return uint64(int64(x)) & s.mask()
}

// buildFetch makes ImageFetch and ImageRead: texels by integer coordinates. Those outside are 0.
func buildFetch(b *builder) (*inst, error) {
	t, err := b.texelOp(2)
	if err != nil {
		return nil, err
	}
	if b.typ.scalar() == nil {
		return nil, b.errorf("has a result that is neither scalar nor vector")
	}
	n, s := b.typ.slots, b.typ.scalar()
	i := &inst{mem: &t.access, n: int32(n), flags: faults}
	return i.with(func(c *core, in *inst) {
		var out [simt.MaxLanes]texel.Texel
		var formats [simt.MaxLanes]*texel.Format
		whole := c.mask
		if !t.perImage(c, in, func(m *texel.Image) bool {
			outside := t.locate(c, m)
			all := c.mask
			c.mask &^= outside
			ok := t.read(c, in, m, func(l int, bytes []byte) { out[l] = m.Shown(m.Format.Decode(bytes)) })
			c.mask = all
			for l := range c.lanes {
				if all>>l&1 != 0 {
					formats[l] = m.Format
				}
			}
			t.texelOutside(c, in, outside)
			return ok
		}) {
			return
		}
		t.give(c, in, whole, n, s, &out, &formats)
	}), nil
}

// give puts texels into the result's slots.
func (t *texelOp) give(c *core, in *inst, lanes uint64, n int, s *typ, out *[simt.MaxLanes]texel.Texel,
	formats *[simt.MaxLanes]*texel.Format) {
	for k := range n {
		d := c.one(in.d + int32(k))
		for l := range d {
			if lanes>>l&1 != 0 {
				d[l] = texelBits(out[l][k], formats[l], s)
			}
		}
	}
}

// buildImageWrite makes ImageWrite. What is outside is not written.
func buildImageWrite(b *builder) (*inst, error) {
	t, err := b.texelOp(3)
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
		t.perImage(c, in, func(m *texel.Image) bool {
			outside := t.locate(c, m)
			all, size := c.mask, uint64(m.Format.Size)
			c.mask &^= outside
			defer func() { c.mask = all }()
			if bad := c.check(&t.access, size); bad != 0 {
				c.faultAt(in, &t.access, bad, size, simt.Unmapped)
				return false
			}
			addrs := c.addr
			c.observe(in, &t.access, c.mask, size)
			c.addr = addrs
			w := c.window(&t.access)
			for l := range c.lanes {
				if c.mask>>l&1 == 0 {
					continue
				}
				var x texel.Texel
				for k := range v.typ.slots {
					x[k] = writtenNumber(c.one(v.slot + int32(k))[l], s, m.Format)
				}
				m.Format.Encode(x, c.bytes(&w, &t.access, c.addr[l], size))
			}
			t.texelOutside(c, in, outside)
			return true
		})
	}), nil
}

// writtenNumber is a value that is written as a number of the format.
func writtenNumber(v uint64, s *typ, f *texel.Format) float64 {
	switch {
	case s.kind == kFloat:
		return toFloat(v, s.bits)
	case f.Numeric == texel.Sint:
		return float64(signed(v, s.bits))
	}
	return float64(v)
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
		t, err := b.texelOp(operands)
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
	var formats [simt.MaxLanes]*texel.Format
	whole := c.mask
	if !t.perImage(c, in, func(m *texel.Image) bool {
		var taps [simt.MaxLanes][]texel.Tap
		var samplers [simt.MaxLanes]texel.Sampler
		all, most := c.mask, 0
		for l := range c.lanes {
			if all>>l&1 == 0 {
				continue
			}
			s, err := c.samplerAt(c.one(t.slot + 1)[l])
			if err != nil {
				c.fault(in, simt.Fault{Kind: simt.IllegalInstruction, Lanes: all,
					Text: fmt.Sprintf("%s: %v", instText(in.raw), err)})
				return false
			}
			samplers[l], formats[l] = s, m.Format
			taps[l] = t.taps(c, m, &s, how, l)
			most = max(most, len(taps[l]))
		}
		for k := range most {
			ok := t.tap(c, in, m, all, k, &taps, func(l int, x texel.Texel, border bool) {
				if border {
					x = samplers[l].Border
				} else {
					x = m.Shown(x)
				}
				if how.compare && samplers[l].Compare != texel.NoCompare {
					reference := c.float(extra, l)
					if how.project {
						reference /= t.projection(c, l)
					}
					x = texel.Texel{float64(one(samplers[l].Compare.Passes(reference, x[0])))}
				}
				if how.gather {
					component := 0
					if !how.compare {
						component = c.integer(extra, l) & 3
					}
					out[l][k&3] = x[component]
					return
				}
				for i := range x {
					out[l][i] += float64(x[i] * taps[l][k].Weight)
				}
			})
			if c.mask = all; !ok {
				return false
			}
		}
		return true
	}) {
		return
	}
	t.give(c, in, whole, int(in.n), t.scalar, &out, &formats)
}

// tap reads texel k of each lane that has so many, and gives it, or says that it is the border.
func (t *texelOp) tap(c *core, in *inst, m *texel.Image, lanes uint64, k int, taps *[simt.MaxLanes][]texel.Tap,
	give func(lane int, x texel.Texel, border bool)) bool {
	c.mask = 0
	for l := range c.lanes {
		if lanes>>l&1 == 0 || k >= len(taps[l]) {
			continue
		}
		if p := &taps[l][k]; p.Border {
			give(l, texel.Texel{}, true)
		} else {
			c.mask |= 1 << l
			c.addr[l] = m.Address + p.Offset
		}
	}
	return c.mask == 0 || t.read(c, in, m, func(l int, b []byte) { give(l, m.Format.Decode(b), false) })
}

// taps are the texels of a lane's sample.
func (t *texelOp) taps(c *core, m *texel.Image, s *texel.Sampler, how sampling, lane int) []texel.Tap {
	var p texel.Place
	dims := t.image.dims()
	for i := range dims {
		p.At[i] = t.at.number(c, i, lane)
		if t.o.offset >= 0 && i < t.o.count {
			p.Offset[i] = c.integer(t.o.offset+int32(i), lane)
		}
	}
	if how.project {
		for i := range dims {
			p.At[i] /= t.projection(c, lane)
		}
	}
	if t.image.arrayed {
		p.Layer = t.at.number(c, dims, lane)
	}
	if how.gather {
		four := s.Gather(m, p)
		for k := range four {
			if t.o.offsets < 0 {
				break
			}
			p.Offset = [3]int{c.integer(t.o.offsets+int32(2*k), lane), c.integer(t.o.offsets+int32(2*k+1), lane)}
			four[k] = s.Gather(m, p)[3]
		}
		return four[:]
	}
	switch {
	case t.o.dx >= 0:
		p.Lod = t.gradient(c, m, lane)
	case t.o.lod >= 0:
		p.Lod = c.float(t.o.lod, lane)
	}
	if p.Lod += c.float(t.o.bias, lane); t.o.least >= 0 {
		p.Lod = max(p.Lod, c.float(t.o.least, lane))
	}
	return s.Taps(m, p, nil)
}

// projection is what the coordinates, and the reference of a comparison, are divided by (Vulkan, "Projection
// Operation").
func (t *texelOp) projection(c *core, lane int) float64 {
	return t.at.number(c, t.at.typ.slots-1, lane)
}

// gradient is the level of detail that derivatives say (Vulkan, "Scale Factor Operation, Level-of-Detail
// Operation and Image Level(s) Selection"), by the longer of the two.
func (t *texelOp) gradient(c *core, m *texel.Image, lane int) float64 {
	size := m.LevelSize(0)
	var rho float64
	for _, slot := range []int32{t.o.dx, t.o.dy} {
		var sum float64
		for i := range min(t.o.count, 3) {
			d := c.float(slot+int32(i), lane) * float64(size[i])
			sum += float64(d * d)
		}
		rho = max(rho, math.Sqrt(sum))
	}
	return math.Log2(rho)
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
		t.perImage(c, in, func(m *texel.Image) bool {
			for l := range c.lanes {
				if c.mask>>l&1 == 0 {
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
		i := &inst{flags: faults}
		return i.with(func(c *core, in *inst) {
			t.perImage(c, in, func(m *texel.Image) bool {
				for l := range c.lanes {
					if c.mask>>l&1 != 0 {
						c.one(in.d)[l] = uint64(f(m))
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
	at, err := b.value(1)
	if err != nil {
		return nil, err
	}
	sample, err := b.value(2)
	if err != nil {
		return nil, err
	}
	e := v.typ.elem
	if e == nil || e.image == nil || e.kind != kHandle || at.typ.scalar() == nil ||
		at.typ.slots < e.image.coordinates() {
		return nil, b.errorf("has a pointer to what is no image, or no coordinate for it")
	}
	t := &texelOp{image: e.image, slot: v.slot, at: at,
		o: &imageOperands{lod: -1, offset: -1, sample: sample.slot}}
	i := &inst{flags: faults}
	return i.with(func(c *core, in *inst) {
		t.perImage(c, in, func(m *texel.Image) bool {
			outside := t.locate(c, m)
			for l := range c.lanes {
				if c.mask>>l&1 != 0 {
					c.one(in.d)[l] = pick(outside>>l&1 != 0, 0, c.addr[l])
				}
			}
			return true
		})
	}), nil
}
