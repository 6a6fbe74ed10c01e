package spirv

import (
	"math"
	"sync"
)

// Floating-point instructions (sections 3.42.13, 3.42.14): loops for 32 bits, functions of 64 for other
// widths.

var floatBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opFNegate: float1(execFNegate32, func(x float64) float64 { return -x }),
		opFAdd:    contracted(float2(execFAdd32, func(x, y float64) float64 { return x + y })),
		opFSub:    contracted(float2(execFSub32, func(x, y float64) float64 { return x - y })),
		opFMul:    float2(execFMul32, func(x, y float64) float64 { return x * y }),
		opFDiv:    float2(execFDiv32, func(x, y float64) float64 { return x / y }),
		opFRem:    float2(nil, math.Mod), opFMod: float2(nil, floorMod),
		opVectorTimesScalar: buildScale, opMatrixTimesScalar: buildScale,
		opVectorTimesMatrix: buildVectorMatrix,
		opMatrixTimesVector: buildMatrixVector, opMatrixTimesMatrix: buildMatrixMatrix,
		opOuterProduct: buildOuter, opDot: buildFDot, opTranspose: buildTranspose,
		opIsNan:                  classify(func(x float64, _ uint) bool { return x != x }),
		opIsInf:                  classify(func(x float64, _ uint) bool { return math.IsInf(x, 0) }),
		opIsFinite:               classify(func(x float64, _ uint) bool { return x-x == 0 }),
		opIsNormal:               classify(isNormal),
		opSignBitSet:             classify(func(x float64, _ uint) bool { return math.Signbit(x) }),
		opLessOrGreater:          fcompare(nil, func(x, y float64) bool { return x < y || x > y }),
		opOrdered:                fcompare(nil, func(x, y float64) bool { return x == x && y == y }),
		opUnordered:              fcompare(nil, func(x, y float64) bool { return x != x || y != y }),
		opFOrdEqual:              fcompare(execFEqual32, func(x, y float64) bool { return x == y }),
		opFUnordEqual:            fcompare(nil, func(x, y float64) bool { return !(x < y || x > y) }),
		opFOrdNotEqual:           fcompare(nil, func(x, y float64) bool { return x < y || x > y }),
		opFUnordNotEqual:         fcompare(execFDiffers32, func(x, y float64) bool { return x != y }),
		opFOrdLessThan:           fcompare(execFLess32, func(x, y float64) bool { return x < y }),
		opFUnordLessThan:         fcompare(nil, func(x, y float64) bool { return !(x >= y) }),
		opFOrdGreaterThan:        fcompare(execFGreater32, func(x, y float64) bool { return x > y }),
		opFUnordGreaterThan:      fcompare(nil, func(x, y float64) bool { return !(x <= y) }),
		opFOrdLessThanEqual:      fcompare(execFLessEqual32, func(x, y float64) bool { return x <= y }),
		opFUnordLessThanEqual:    fcompare(nil, func(x, y float64) bool { return !(x > y) }),
		opFOrdGreaterThanEqual:   fcompare(execFGreaterEqual32, func(x, y float64) bool { return x >= y }),
		opFUnordGreaterThanEqual: fcompare(nil, func(x, y float64) bool { return !(x < y) }),
	}
})

// floorMod is the remainder with the sign of y.
func floorMod(x, y float64) float64 {
	r := math.Mod(x, y)
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

func isNormal(x float64, width uint) bool {
	least := map[uint]float64{16: 0x1p-14, 32: 0x1p-126, 64: 0x1p-1022}[width]
	return x-x == 0 && math.Abs(x) >= least
}

// wrap1 makes a function of floats one of scalars.
func wrap1(f func(x float64) float64, c floatControl) func(uint64) uint64 {
	return func(x uint64) uint64 { return c.out(f(c.in(x))) }
}

func wrap2(f func(x, y float64) float64, c floatControl) func(x, y uint64) uint64 {
	return func(x, y uint64) uint64 { return c.out(f(c.in(x), c.in(y))) }
}

// float1 makes an instruction of one operand: loop serves 32 bits if there is one.
func float1(loop func(*core, *inst), f func(x float64) float64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, _, err := b.elementwise(1)
		if err != nil {
			return nil, err
		}
		if ctl := b.control(64 - i.shift); ctl.width == 32 && loop != nil && !ctl.special() {
			i.exec = loop
		} else {
			i.exec, i.f1 = map1, wrap1(f, ctl)
		}
		return i, nil
	}
}

func float2(loop func(*core, *inst), f func(x, y float64) float64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, _, err := b.elementwise(2)
		if err != nil {
			return nil, err
		}
		ctl, once := b.control(64-i.shift), onceRounded[b.in.op]
		switch {
		case ctl.special() && once != nil:
			i.exec, i.f2 = map2, func(x, y uint64) uint64 { return once(ctl, x, y) }
		case ctl.width == 32 && loop != nil && !ctl.special():
			i.exec = loop
		default:
			i.exec, i.f2 = map2, wrap2(f, ctl)
		}
		return i, nil
	}
}

func classify(f func(x float64, width uint) bool) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, vs, err := b.elementwise(1)
		if err != nil {
			return nil, err
		}
		w := vs[0].typ.scalar().width()
		i.f1 = func(x uint64) uint64 { return one(f(toFloat(x, w), w)) }
		return i.with(map1), nil
	}
}

func fcompare(loop func(*core, *inst), f func(x, y float64) bool) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, vs, err := b.elementwise(2)
		if err != nil {
			return nil, err
		}
		if ctl := b.control(vs[0].typ.scalar().width()); ctl.width == 32 && loop != nil && !ctl.special() {
			i.exec = loop
		} else {
			i.f2 = func(x, y uint64) uint64 { return one(f(ctl.in(x), ctl.in(y))) }
			i.exec = map2
		}
		return i, nil
	}
}

func execFNegate32(c *core, in *inst) {
	d, a := c.a1(in)
	for i := range d {
		d[i] = a[i] ^ 1<<31
	}
}

func execFAdd32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = bits32(f32(a[i]) + f32(b[i]))
	}
}

func execFSub32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = bits32(f32(a[i]) - f32(b[i]))
	}
}

func execFMul32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = bits32(f32(a[i]) * f32(b[i]))
	}
}

func execFDiv32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = bits32(f32(a[i]) / f32(b[i]))
	}
}

func execFEqual32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(f32(a[i]) == f32(b[i]))
	}
}

func execFDiffers32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(f32(a[i]) != f32(b[i]))
	}
}

func execFLess32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(f32(a[i]) < f32(b[i]))
	}
}

func execFGreater32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(f32(a[i]) > f32(b[i]))
	}
}

func execFLessEqual32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(f32(a[i]) <= f32(b[i]))
	}
}

func execFGreaterEqual32(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(f32(a[i]) >= f32(b[i]))
	}
}

// buildScale makes VectorTimesScalar and MatrixTimesScalar.
func buildScale(b *builder) (*inst, error) {
	x, y, err := b.pair(0)
	if err != nil {
		return nil, err
	}
	if b.typ == nil || x.typ.slots != b.typ.slots || y.typ.slots != 1 || y.typ.kind != kFloat {
		return nil, b.errorf("has operands that do not fit")
	}
	i := &inst{a: x.slot, b: y.slot, n: int32(b.typ.slots)}
	ctl := b.control(y.typ.bits)
	inline := ctl.width == 32 && !ctl.special()
	i.f2 = ctl.multiply
	return i.with(func(c *core, in *inst) {
		d, a := c.a1(in)
		s := c.one(in.b)
		for base := 0; base+len(s) <= len(d); base += len(s) {
			dd, aa := d[base:base+len(s)], a[base:base+len(s)]
			if inline {
				for l := range dd {
					dd[l] = bits32(f32(aa[l]) * f32(s[l]))
				}
				continue
			}
			for l := range dd {
				dd[l] = in.f2(aa[l], s[l])
			}
		}
	}), nil
}

// A product is a sum of products: result scalar r is the sum over k of a[r][k] * b[r][k], each step
// rounded, in the order of k.
type product struct{ a, b []int32 }

// buildProducts makes an instruction of sums of products.
func (b *builder) buildProducts(scalar *typ, ps []product) (*inst, error) {
	if scalar == nil || scalar.kind != kFloat || len(ps) != b.typ.slots {
		return nil, b.errorf("has operands that do not fit")
	}
	ctl := b.controlOf(scalar)
	inline := ctl.width == 32 && !ctl.special()
	if inline {
		return &inst{products: ps, exec: func(c *core, in *inst) {
			for r := range ps {
				p := &ps[r]
				d := c.one(in.d + int32(r))
				for k := range p.a {
					x, y := c.one(p.a[k])[:len(d)], c.one(p.b[k])[:len(d)]
					if k == 0 {
						for l := range d {
							d[l] = bits32(f32(x[l]) * f32(y[l]))
						}
						continue
					}
					for l := range d {
						d[l] = bits32(f32(d[l]) + float32(f32(x[l])*f32(y[l])))
					}
				}
			}
		}}, nil
	}
	return &inst{exec: func(c *core, in *inst) {
		for r := range ps {
			p := &ps[r]
			d := c.one(in.d + int32(r))
			for l := range d {
				var sum uint64
				for k := range p.a {
					m := ctl.multiply(c.one(p.a[k])[l], c.one(p.b[k])[l])
					if k > 0 {
						m = ctl.add(sum, m)
					}
					sum = m
				}
				d[l] = sum
			}
		}
	}}, nil
}

// two are the first two operands of given kinds.
func (b *builder) two(x, y kind) (*value, *value, error) {
	v, err := b.value(0)
	if err != nil {
		return nil, nil, err
	}
	w, err := b.value(1)
	if err != nil {
		return nil, nil, err
	}
	if v.typ.kind != x || w.typ.kind != y || b.typ == nil {
		return nil, nil, b.errorf("has operands of other types than its own")
	}
	return v, w, nil
}

func buildFDot(b *builder) (*inst, error) {
	x, y, err := b.two(kVector, kVector)
	if err != nil {
		return nil, err
	}
	var p product
	for k := range int32(min(x.typ.len, y.typ.len)) {
		p.a, p.b = append(p.a, x.slot+k), append(p.b, y.slot+k)
	}
	return b.buildProducts(x.typ.elem, []product{p})
}

func buildMatrixVector(b *builder) (*inst, error) {
	m, v, err := b.two(kMatrix, kVector)
	if err != nil {
		return nil, err
	}
	return b.matrixColumn(m, []*value{v})
}

func buildMatrixMatrix(b *builder) (*inst, error) {
	x, y, err := b.two(kMatrix, kMatrix)
	if err != nil {
		return nil, err
	}
	var columns []*value
	for c := range int32(y.typ.len) {
		columns = append(columns, &value{typ: y.typ.elem, slot: y.slot + c*int32(y.typ.elem.len)})
	}
	return b.matrixColumn(x, columns)
}

// matrixColumn multiplies a matrix with columns.
func (b *builder) matrixColumn(m *value, columns []*value) (*inst, error) {
	rows := int32(m.typ.elem.len)
	var ps []product
	for _, v := range columns {
		if v.typ.len != m.typ.len {
			return nil, b.errorf("has operands of sizes that do not fit")
		}
		for r := range rows {
			var p product
			for k := range int32(m.typ.len) {
				p.a, p.b = append(p.a, m.slot+k*rows+r), append(p.b, v.slot+k)
			}
			ps = append(ps, p)
		}
	}
	return b.buildProducts(m.typ.elem.elem, ps)
}

func buildVectorMatrix(b *builder) (*inst, error) {
	v, m, err := b.two(kVector, kMatrix)
	if err != nil {
		return nil, err
	}
	rows := int32(m.typ.elem.len)
	if v.typ.len != m.typ.elem.len {
		return nil, b.errorf("has operands of sizes that do not fit")
	}
	var ps []product
	for c := range int32(m.typ.len) {
		var p product
		for k := range rows {
			p.a, p.b = append(p.a, v.slot+k), append(p.b, m.slot+c*rows+k)
		}
		ps = append(ps, p)
	}
	return b.buildProducts(m.typ.elem.elem, ps)
}

func buildOuter(b *builder) (*inst, error) {
	x, y, err := b.two(kVector, kVector)
	if err != nil {
		return nil, err
	}
	var ps []product
	for c := range int32(y.typ.len) {
		for r := range int32(x.typ.len) {
			ps = append(ps, product{[]int32{x.slot + r}, []int32{y.slot + c}})
		}
	}
	return b.buildProducts(x.typ.elem, ps)
}

func buildTranspose(b *builder) (*inst, error) {
	m, err := b.value(0)
	if err != nil {
		return nil, err
	}
	if m.typ.kind != kMatrix || b.typ.kind != kMatrix || b.typ.slots != m.typ.slots {
		return nil, b.errorf("has operands that do not fit")
	}
	rows, columns := int32(m.typ.elem.len), int32(m.typ.len)
	var from []int32
	for r := range rows {
		for c := range columns {
			from = append(from, m.slot+c*rows+r)
		}
	}
	return &inst{args: from, exec: execGather}, nil
}

// execGather copies single slots.
func execGather(c *core, in *inst) {
	for i, s := range in.args {
		copy(c.one(in.d+int32(i)), c.one(s))
	}
}
