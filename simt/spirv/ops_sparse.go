package spirv

import "simtgdb/simt/texel"

// Sparse image instructions (section 3.52.10): what their twins do, with a code of which texels were there.
// Here all of an image is, or the access is a fault; the code is 0.

// sparseTwins are the opcodes of sparse instructions, and of those that do the same.
var sparseTwins = map[uint16]uint16{opImageSparseSampleImplicitLod: opImageSampleImplicitLod,
	opImageSparseSampleExplicitLod:     opImageSampleExplicitLod,
	opImageSparseSampleDrefImplicitLod: opImageSampleDrefImplicitLod,
	opImageSparseSampleDrefExplicitLod: opImageSampleDrefExplicitLod, opImageSparseFetch: opImageFetch,
	opImageSparseGather: opImageGather, opImageSparseDrefGather: opImageDrefGather,
	opImageSparseRead: opImageRead}

// sparseBuilders makes them by way of their twins.
func sparseBuilders() map[uint16]func(*builder) (*inst, error) {
	twins := map[uint16]func(*builder) (*inst, error){opImageQueryLod: buildQueryLod,
		opImageSparseTexelsResident: buildResident}
	for op, twin := range sparseTwins {
		twins[op] = buildSparse(imageBuilders()[twin])
	}
	return twins
}

// buildSparse makes an instruction whose result is a structure of the code and of what its twin gives.
func buildSparse(twin func(*builder) (*inst, error)) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		t := b.typ
		if t.kind != kStruct || len(t.members) != 2 || t.members[0].typ.slots != 1 {
			return nil, b.errorf("has a result that is no structure of a code and a texel")
		}
		b.typ = t.members[1].typ
		i, err := twin(b)
		b.typ = t
		if err != nil {
			return nil, err
		}
		exec, texelAt := i.exec, int32(t.members[1].slot)
		return i.with(func(c *core, in *inst) {
			of := *in
			of.d += texelAt
			exec(c, &of)
			code := c.one(in.d)
			for l := range code {
				code[l] = pick(c.mask>>l&1 != 0, 0, code[l])
			}
		}), nil
	}
}

// buildResident makes ImageSparseTexelsResident, of a code.
func buildResident(b *builder) (*inst, error) {
	v, err := b.value(0)
	if err != nil {
		return nil, err
	}
	if b.typ.kind != kBool || v.typ.slots != 1 {
		return nil, b.errorf("asks of what is no code, or has a result that is not true or false")
	}
	i := &inst{a: v.slot}
	return i.with(func(c *core, in *inst) {
		code, d := c.one(in.a), c.one(in.d)
		for l := range d {
			d[l] = pick(c.mask>>l&1 != 0, pick(code[l] == 0, 1, 0), d[l])
		}
	}), nil
}

// buildQueryLod makes ImageQueryLod: the level that a sample would take, and the level of detail before it is
// one of the image's. There are no derivatives, so that the sampler's bias alone makes it.
func buildQueryLod(b *builder) (*inst, error) {
	v, err := b.imageValue(0)
	if err != nil {
		return nil, err
	}
	if v.typ.slots != 2 || b.typ.slots != 2 || b.typ.scalar() == nil || b.typ.scalar().kind != kFloat {
		return nil, b.errorf("asks of what is no sampled image, or has a result of other than two floats")
	}
	t, bits := &texelOp{image: v.typ.image, slot: v.slot}, b.typ.scalar().bits
	i := &inst{flags: faults}
	return i.with(func(c *core, in *inst) {
		o := t.op(c)
		c.zero(in.d, 2, o.Lanes)
		o.Each(texels{t, c, in}, func(m *texel.Image, lanes uint64) bool {
			for l := range c.lanes {
				if lanes>>l&1 == 0 {
					continue
				}
				s, err := texel.ReadSampler(c.block(c.one(t.slot + 1)[l], texel.SamplerBytes))
				if err != nil {
					texels{t, c, in}.Wrong(lanes, err)
					return false
				}
				c.one(in.d)[l] = fromFloat(s.Level(m, 0), bits)
				c.one(in.d + 1)[l] = fromFloat(float64(s.Bias), bits)
			}
			return true
		})
	}), nil
}
