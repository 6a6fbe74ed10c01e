package spirv

import "simtgdb/simt/texel"

// Images and samplers. A value of such a type is the address of a block of memory that says what it is
// ([texel.ReadImage], [texel.ReadSampler]); a sampled image is two, and lies in memory as an image's block
// with a sampler's behind it, [texel.SamplerAt] bytes from its beginning. Loading a value takes the address.

// An image is what a type of images says of them.
type image struct {
	dim     uint32
	arrayed bool
	samples bool // several to a texel
}

// Dimensions of images (section 3.8).
const (
	dimLine = iota
	dimPlane
	dimVolume
	dimCube
	dimRect
	dimBuffer
)

// readImage reads TypeImage, TypeSampler and TypeSampledImage.
func (p *Program) readImage(in *raw, t *typ) error {
	t.kind, t.slots, t.size, t.align = kHandle, 1, 8, 8
	switch in.op {
	case opTypeImage:
		t.image = &image{dim: in.args[1], arrayed: in.args[3] == 1, samples: in.args[4] == 1}
		if t.image.dim > dimBuffer {
			t.kind = kOpaque
			t.refuse("an image of dimensions %d, which compute does not have", t.image.dim)
		}
	case opTypeSampledImage:
		of := p.types[in.args[0]]
		if of == nil || of.image == nil {
			return p.errorf(in.word, "sampled image type %%%d of %%%d, which is no image type", t.id,
				in.args[0])
		}
		t.image, t.slots, t.kind, t.refusal = of.image, 2, of.kind, of.refusal
	}
	return nil
}

// handles reports whether a type is of images or samplers, or arrays of such.
func (t *typ) handles() bool {
	if t.kind == kArray || t.kind == kRuntimeArray {
		t = t.elem
	}
	return t != nil && t.kind == kHandle
}

// samplers reports whether a type is of samplers alone, or arrays of such. What is bound for one may be an
// image and a sampler in one (Vulkan, section "Combined Image Sampler").
func (t *typ) samplers() bool {
	if t.kind == kArray || t.kind == kRuntimeArray {
		t = t.elem
	}
	return t != nil && t.kind == kHandle && t.image == nil
}

// loadHandle makes a load of an image or a sampler.
func (b *builder) loadHandle(v *value) (*inst, error) {
	if b.typ == nil || v.typ.elem != b.typ {
		return nil, b.errorf("has a result of another type than what it loads")
	}
	if v.ptr != nil && v.ptr.global != nil {
		v.ptr.global.used = true
	}
	i := &inst{a: v.slot, n: int32(b.typ.slots)}
	return i.with(func(c *core, in *inst) {
		copy(c.one(in.d), c.one(in.a))
		if in.n > 1 {
			d := c.one(in.d + 1)
			for l, a := range c.one(in.a) {
				d[l] = a + texel.SamplerAt
			}
		}
	}), nil
}

// dims is how many coordinates say where in a layer.
func (m *image) dims() int {
	return [...]int{dimLine: 1, dimPlane: 2, dimVolume: 3, dimCube: 3, dimRect: 2, dimBuffer: 1}[m.dim]
}

// coordinates is how many components a coordinate of the image has.
func (m *image) coordinates() int {
	if m.arrayed {
		return m.dims() + 1
	}
	return m.dims()
}

// A sampler of a kernel may be the number that OpenCL C has for it, and no address: whether coordinates are
// normalized, the addressing mode and the filter. A module's constants (ConstantSampler) become such numbers,
// and hosts pass them.
const (
	literalNearest = 0x10
	literalLinear  = 0x20
)

func literalSampler(args []uint32) (uint64, bool) {
	if len(args) != 3 || args[0] > 4 || args[1] > 1 || args[2] > 1 {
		return 0, false
	}
	return uint64(args[1]) | uint64(args[0])<<1 | literalNearest<<args[2], true
}

// literalBlock is the block of such a sampler, nil if it is none.
func literalBlock(v uint64) []byte {
	s, ok := texel.OpenCLSampler(v)
	if !ok {
		return nil
	}
	b := make([]byte, texel.SamplerBytes)
	s.Write(b)
	return b
}

// block is what is read of a block in memory.
func (c *core) block(addr, size uint64) []byte {
	if c.p.kernel && size == texel.SamplerBytes {
		if b := literalBlock(addr); b != nil {
			return b
		}
	}
	r := c.m.Mem.Find(addr)
	if r == nil || !r.Holds(addr, size) {
		return nil
	}
	return r.Data[addr-r.Base : addr-r.Base+size]
}
