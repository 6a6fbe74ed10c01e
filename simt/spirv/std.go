package spirv

import (
	"math"

	"simtgdb/simt/libm"
)

// A stdFunc is a function of an extended set that does the same for each scalar: of floats, computed in 64
// bits and rounded once, or of integers of a width.
type stdFunc struct {
	args int
	f1   func(x float64) float64
	f2   func(x, y float64) float64
	f3   func(x, y, z float64) float64
	h1   func(x float64) float64 // in the place of f1 for 16 bits, where that would not do
	d1   func(x float64) float64 // the same for 64 bits
	d2   func(x, y float64) float64
	i1   func(x uint64, w uint) uint64
	i2   func(x, y uint64, w uint) uint64
	i3   func(x, y, z uint64, w uint) uint64
	loop func(*core, *inst) // of 32 bits
	// once is f1 where what f1 gives must not be rounded again.
	once func(c floatControl, x uint64) uint64
	// build makes the instruction where none of those will do.
	build func(b *builder) (*inst, error)
}

func fn1(f func(x float64) float64) stdFunc             { return stdFunc{args: 1, f1: f} }
func fn2(f func(x, y float64) float64) stdFunc          { return stdFunc{args: 2, f2: f} }
func fn3(f func(x, y, z float64) float64) stdFunc       { return stdFunc{args: 3, f3: f} }
func in1(f func(x uint64, w uint) uint64) stdFunc       { return stdFunc{args: 1, i1: f} }
func in2(f func(x, y uint64, w uint) uint64) stdFunc    { return stdFunc{args: 2, i2: f} }
func in3(f func(x, y, z uint64, w uint) uint64) stdFunc { return stdFunc{args: 3, i3: f} }
func special(f func(b *builder) (*inst, error)) stdFunc { return stdFunc{build: f} }
func (s stdFunc) fast(loop func(*core, *inst)) stdFunc  { s.loop = loop; return s }

// buildStd makes an instruction of a function.
func (b *builder) buildStd(set string, s stdFunc, number uint32) (*inst, error) {
	if s.build != nil {
		return s.build(b)
	}
	if s.args == 0 {
		return nil, b.errorf("%d of %s is not simulated", number, set)
	}
	i, vs, err := b.elementwise(s.args)
	if err != nil {
		return nil, err
	}
	w, mask := vs[0].typ.scalar().width(), i.imm
	ctl := b.control(w)
	if w == 32 && s.loop != nil && !ctl.special() {
		return i.with(s.loop), nil
	}
	switch {
	case s.once != nil && ctl.special():
		i.exec, i.f1 = map1, func(x uint64) uint64 { return s.once(ctl, x) }
	case s.f1 != nil:
		i.exec, i.f1 = map1, wrap1(s.of1(w), ctl)
	case s.f2 != nil:
		i.exec, i.f2 = map2, wrap2(s.of2(w), ctl)
	case s.f3 != nil:
		i.exec = map3
		i.f3 = func(x, y, z uint64) uint64 { return ctl.out(s.f3(ctl.in(x), ctl.in(y), ctl.in(z))) }
	case s.i1 != nil:
		i.exec = map1
		i.f1 = func(x uint64) uint64 { return s.i1(x, w) & mask }
	case s.i2 != nil:
		i.exec = map2
		i.f2 = func(x, y uint64) uint64 { return s.i2(x, y, w) & mask }
	case s.i3 != nil:
		i.exec = map3
		i.f3 = func(x, y, z uint64) uint64 { return s.i3(x, y, z, w) & mask }
	}
	return i, nil
}

// buildFma makes a fused multiplication and addition, rounded once.
func buildFma(b *builder) (*inst, error) {
	i, _, err := b.elementwise(3)
	if err != nil {
		return nil, err
	}
	i.f3 = b.control(64 - i.shift).fma()
	return i.with(map3), nil
}

// buildSecond makes a function of one operand with two results: the second goes to memory that operand 1
// points to, or to the other member of a struct. f gives the first and, for a second that is an integer, it
// as one.
func buildSecond(inMemory bool, f func(x float64, w uint) (float64, float64)) func(*builder) (*inst, error) {
	return buildTwoResults(1, inMemory, func(x, _ float64, w uint) (float64, float64) { return f(x, w) })
}

// buildTwoResults makes one of so many operands, 1 or 2.
func buildTwoResults(operands int, inMemory bool,
	f func(x, y float64, w uint) (float64, float64)) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		x, err := b.value(0)
		if err != nil {
			return nil, err
		}
		y, err := b.value(operands - 1)
		if err != nil {
			return nil, err
		}
		s := x.typ.scalar()
		if s == nil || s.kind != kFloat || b.typ == nil || y.typ.scalar() != s || y.typ.slots != x.typ.slots {
			return nil, b.errorf("has an operand that is no float, or operands of different types")
		}
		n := int32(x.typ.slots)
		i := &inst{a: x.slot, e: y.slot, n: n, b: b.dst + n}
		var second *typ
		if inMemory {
			var t *typ
			if i.mem, t, err = b.access(operands, true); err != nil {
				return nil, err
			}
			if i.b, err = b.p.newSlots(b.in.word, int(n)); err != nil {
				return nil, err
			}
			second = t.scalar()
			i.flags = faults
		} else if b.typ.kind == kStruct && len(b.typ.members) == 2 && b.typ.slots == int(2*n) {
			second = b.typ.members[1].typ.scalar()
		}
		if second == nil {
			return nil, b.errorf("has nowhere to put its second result")
		}
		store := *i
		store.a = i.b
		ctl := b.control(s.bits)
		return i.with(func(c *core, in *inst) {
			d, e, x, y := c.slots(in.d, n), c.slots(in.b, n), c.slots(in.a, n), c.slots(in.e, n)
			for k := range d {
				p, q := f(ctl.in(x[k]), ctl.in(y[k]), s.bits)
				d[k] = ctl.out(p)
				if second.kind == kInt {
					e[k] = uint64(int64(q)) & second.mask()
				} else {
					e[k] = ctl.out(q)
				}
			}
			if inMemory {
				second := store // cores run at the same time
				second.raw, second.pc = in.raw, in.pc
				execStore(c, &second)
			}
		}), nil
	}
}

// wholeAndFraction is modf with the sign of x on both.
func wholeAndFraction(x float64, _ uint) (float64, float64) {
	if math.IsInf(x, 0) {
		return math.Copysign(0, x), x
	}
	whole := math.Trunc(x)
	return math.Copysign(x-whole, x), whole
}

func frexp(x float64, _ uint) (float64, float64) {
	f, e := math.Frexp(x)
	return f, float64(e)
}

// ldexp makes a scaling by powers of 2 in an integer operand.
func buildLdexp(b *builder) (*inst, error) {
	i, vs, err := b.elementwise(2)
	if err != nil {
		return nil, err
	}
	ctl, wi := b.control(vs[0].typ.scalar().width()), vs[1].typ.scalar().width()
	i.f2 = func(x, e uint64) uint64 {
		return ctl.ldexp(ctl.in(x), int(max(min(signed(e, wi), 1<<13), -(1<<13))))
	}
	return i.with(map2), nil
}

// A geometric function is one of whole vectors: f gets the scalars of operands, and gives those of the
// result.
func buildVector(operands int, f func(v [][]float64) []float64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		var vs []*value
		for k := range operands {
			v, err := b.value(k)
			if err != nil {
				return nil, err
			}
			if s := v.typ.scalar(); (s == nil || s.kind != kFloat) && v.typ.kind != kMatrix {
				return nil, b.errorf("has an operand that is no float, vector or matrix")
			}
			vs = append(vs, v)
		}
		ctl := b.control(vs[0].leafWidth())
		in := make([][]float64, len(vs))
		for k, v := range vs {
			in[k] = make([]float64, v.typ.slots)
		}
		if b.typ == nil || len(f(in)) != b.typ.slots {
			return nil, b.errorf("has operands of sizes that do not fit")
		}
		return &inst{exec: func(c *core, i *inst) {
			in := make([][]float64, len(vs))
			for l := range c.lanes {
				for k, v := range vs {
					in[k] = in[k][:0]
					for j := range int32(v.typ.slots) {
						in[k] = append(in[k], ctl.in(c.one(v.slot + j)[l]))
					}
				}
				for j, x := range f(in) {
					c.one(i.d + int32(j))[l] = ctl.out(x)
				}
			}
		}}, nil
	}
}

// leafWidth is the width of a value's scalars.
func (v *value) leafWidth() uint {
	t := v.typ
	for t.scalar() == nil && t.elem != nil {
		t = t.elem
	}
	return t.scalar().width()
}

func dot(x, y []float64) float64 {
	var s float64
	for i := range min(len(x), len(y)) {
		s += x[i] * y[i]
	}
	return s
}

// norm is the length of a vector, by twice a double's precision where squares are no doubles.
func norm(v []float64) float64 {
	if n := math.Sqrt(dot(v, v)); n > 1e-140 && n < 1e150 || n != n {
		return n
	}
	return libm.Norm(v...)
}

func length(v [][]float64) []float64 { return []float64{norm(v[0])} }

func distance(v [][]float64) []float64 {
	d := make([]float64, min(len(v[0]), len(v[1])))
	for i := range d {
		d[i] = v[0][i] - v[1][i]
	}
	return []float64{norm(d)}
}

func cross(v [][]float64) []float64 {
	x, y := v[0], v[1]
	if len(x) < 3 || len(y) < 3 {
		return nil
	}
	r := []float64{x[1]*y[2] - y[1]*x[2], x[2]*y[0] - y[2]*x[0], x[0]*y[1] - y[0]*x[1]}
	if len(x) == 4 { // OpenCL: the fourth component is 0
		r = append(r, 0)
	}
	return r
}

func normalize(v [][]float64) []float64 {
	n := norm(v[0])
	r := make([]float64, len(v[0]))
	for i, x := range v[0] {
		r[i] = x / n
		if n == 0 {
			r[i] = x
		}
	}
	return r
}

// faceForward turns a vector round unless a product is negative, which one that is no number is not.
func faceForward(v [][]float64) []float64 {
	r := make([]float64, len(v[0]))
	for i, x := range v[0] {
		r[i] = -x
		if dot(v[2], v[1]) < 0 {
			r[i] = x
		}
	}
	return r
}

func reflect(v [][]float64) []float64 {
	d := dot(v[1], v[0])
	r := make([]float64, len(v[0]))
	for i, x := range v[0] {
		if i < len(v[1]) {
			r[i] = x - 2*d*v[1][i]
		}
	}
	return r
}

func refract(v [][]float64) []float64 {
	r := make([]float64, len(v[0]))
	if len(v[2]) == 0 {
		return nil
	}
	eta, d := v[2][0], dot(v[1], v[0])
	k := 1 - eta*eta*(1-d*d)
	if k < 0 {
		return r
	}
	for i, x := range v[0] {
		if i < len(v[1]) {
			r[i] = eta*x - (eta*d+math.Sqrt(k))*v[1][i]
		}
	}
	return r
}

// determinant of a matrix of columns, by expansion along the first.
func determinant(m []float64, n int) float64 {
	if n == 1 {
		return m[0]
	}
	var d float64
	sign := 1.0
	for r := range n {
		d += sign * m[r] * determinant(minor(m, n, 0, r), n-1)
		sign = -sign
	}
	return d
}

// minor leaves out a column and a row.
func minor(m []float64, n, column, row int) []float64 {
	var out []float64
	for c := range n {
		for r := range n {
			if c != column && r != row {
				out = append(out, m[c*n+r])
			}
		}
	}
	return out
}

func sideOf(m []float64) int { return int(math.Sqrt(float64(len(m)))) }

func inverse(v [][]float64) []float64 {
	m := v[0]
	n := sideOf(m)
	d := determinant(m, n)
	out := make([]float64, len(m))
	for c := range n {
		for r := range n {
			x := determinant(minor(m, n, r, c), n-1) / d
			if (c+r)%2 == 1 {
				x = -x
			}
			out[c*n+r] = x
		}
	}
	return out
}
