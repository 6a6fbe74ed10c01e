package ptx

import (
	"math"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{
		"add": (*builder).add, "sub": (*builder).sub, "mul": (*builder).mul, "mad": (*builder).mad,
		"fma": (*builder).fma, "div": (*builder).div, "neg": (*builder).neg, "abs": (*builder).abs,
		"min": (*builder).minimum, "max": (*builder).maximum,
		"sqrt": (*builder).sqrt, "rcp": (*builder).rcp, "rsqrt": approx(rsqrt),
		"sin": approx(math.Sin), "cos": approx(math.Cos), "lg2": approx(log2), "ex2": approx(math.Exp2),
		"tanh": approx(math.Tanh), "testp": (*builder).testp, "copysign": (*builder).copysign,
	})
}

func rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

func log2(x float64) float64 {
	f, e := math.Frexp(x)
	if f == 0.5 { // exact for powers of two
		return float64(e - 1)
	}
	return math.Log2(x)
}

// A shape is what the modifiers of a floating-point instruction say.
type shape struct {
	typ       string
	mode      numeric.Rounding
	ftz, sat  bool
	relu, nan bool
	form      *numeric.Format // of 16-bit types
	lanes     int             // numbers in a register
}

// shape reads the modifiers; mods are further ones that change nothing.
func (b *builder) shape(mods ...string) (s shape, err error) {
	s = shape{typ: b.typ(), lanes: 1}
	allowed := append(mods, "rn", "rz", "rm", "rp", "ftz", "sat", "relu", "NaN")
	err = b.only(allowed...)
	for _, m := range b.mods {
		if r, ok := numeric.Roundings[m]; ok {
			s.mode = r
		}
	}
	s.ftz, s.sat, s.relu, s.nan = b.has("ftz"), b.has("sat"), b.has("relu"), b.has("NaN")
	switch s.typ {
	case "f16":
		s.form = numeric.Half
	case "f16x2":
		s.form, s.lanes = numeric.Half, 2
	case "bf16":
		s.form = numeric.BFloat
	case "bf16x2":
		s.form, s.lanes = numeric.BFloat, 2
	}
	return s, err
}

// in32 flushes a source, out32 finishes a result.
func (s *shape) in32(v uint64) float64 {
	if s.ftz {
		v = numeric.Flush(v)
	}
	return float64(numeric.F32(v))
}

func (s *shape) out32(v float64) uint64 {
	if v != v {
		if s.sat {
			return 0
		}
		return numeric.NaN32
	}
	out := numeric.Round32(v, s.mode)
	if s.ftz {
		out = numeric.Flush(out)
	}
	return s.limit32(out)
}

func (s *shape) limit32(out uint64) uint64 {
	if s.sat {
		switch x := numeric.F32(out); {
		case !(x > 0):
			return 0
		case x > 1:
			return numeric.Bits32(1)
		}
	}
	return out
}

// float makes an instruction on floating-point numbers of n sources out of its exact function for short
// formats and the one for doubles.
func (b *builder) float(n int, s shape, short, long func(x, y, z float64) float64) error {
	switch {
	case s.form != nil:
		return b.setN(n, s.each(func(v [3]uint64) uint64 { return s.short(short, v) }))
	case s.typ == "f32":
		return b.setN(n, func(v [3]uint64) uint64 {
			return s.out32(short(s.in32(v[0]), s.in32(v[1]), s.in32(v[2])))
		})
	case s.typ == "f64" && long != nil:
		return b.setN(n, func(v [3]uint64) uint64 {
			return numeric.Result64(long(numeric.F64(v[0]), numeric.F64(v[1]), numeric.F64(v[2])))
		})
	}
	return refuse("is not simulated for its type")
}

// short computes a number of 16 bits.
func (s *shape) short(f func(x, y, z float64) float64, v [3]uint64) uint64 {
	var x [3]float64
	for i := range v {
		x[i] = s.in16(v[i])
	}
	r := f(x[0], x[1], x[2])
	if s.relu && r <= 0 {
		r = 0
	}
	if s.sat {
		switch {
		case !(r > 0):
			r = 0
		case r > 1:
			r = 1
		}
	}
	out := s.form.Round(r, s.mode)
	if s.ftz && s.form == numeric.Half && out&0x7c00 == 0 {
		out &= 0x8000
	}
	return out
}

func (s *shape) in16(v uint64) float64 {
	if s.ftz && s.form == numeric.Half && v&0x7c00 == 0 {
		v &= 0x8000
	}
	return s.form.Value(v & 0xffff)
}

// each applies a function of numbers of 16 bits to each in a register.
func (s *shape) each(f func(v [3]uint64) uint64) func(v [3]uint64) uint64 {
	if s.lanes == 1 {
		return f
	}
	return func(v [3]uint64) uint64 {
		lo := f([3]uint64{v[0] & 0xffff, v[1] & 0xffff, v[2] & 0xffff})
		hi := f([3]uint64{v[0] >> 16, v[1] >> 16, v[2] >> 16})
		return lo | hi<<16
	}
}

// setN makes an instruction of n sources from a function of values.
func (b *builder) setN(n int, f func(v [3]uint64) uint64) error {
	switch n {
	case 1:
		return b.set1(each1(func(x uint64) uint64 { return f([3]uint64{x}) }), b.typ())
	case 2:
		return b.set2(each2(func(x, y uint64) uint64 { return f([3]uint64{x, y}) }), b.typ())
	}
	return b.set3(each3(func(x, y, z uint64) uint64 { return f([3]uint64{x, y, z}) }), b.typ())
}

var (
	adds = op2s{"u16": addInt[uint16], "s16": addInt[uint16], "u16x2": addPair, "s16x2": addPair}
	subs = op2s{"u16": subInt[uint16], "s16": subInt[uint16]}
)

func addPair(d, a, b *vec.Wide) {
	for l := range d {
		d[l] = (a[l]+b[l])&0xffff | (a[l]>>16+b[l]>>16)&0xffff<<16
	}
}

func (b *builder) add() error {
	switch {
	case b.has("cc"):
		return b.addCC()
	case b.has("sat") && b.typ() == "s32":
		return b.set2(each2(func(x, y uint64) uint64 { return saturate(int64(int32(x)) + int64(int32(y))) }),
			"s32")
	case !numeric.IsFloat(b.typ()):
		return binary2(adds)(b)
	}
	s, err := b.shape()
	if err != nil {
		return err
	}
	return b.float(2, s, func(x, y, _ float64) float64 { return numeric.Sum(x, y, s.mode) },
		func(x, y, _ float64) float64 { return numeric.Add64(x, y, s.mode) })
}

func saturate(v int64) uint64 { return uint64(uint32(max(min(v, math.MaxInt32), math.MinInt32))) }

func (b *builder) sub() error {
	switch {
	case b.has("cc"):
		return b.subCC()
	case b.has("sat") && b.typ() == "s32":
		return b.set2(each2(func(x, y uint64) uint64 { return saturate(int64(int32(x)) - int64(int32(y))) }),
			"s32")
	case !numeric.IsFloat(b.typ()):
		return binary2(subs)(b)
	}
	s, err := b.shape()
	if err != nil {
		return err
	}
	return b.float(2, s, func(x, y, _ float64) float64 { return numeric.Sum(x, -y, s.mode) },
		func(x, y, _ float64) float64 { return numeric.Add64(x, -y, s.mode) })
}

// half of a product that an instruction's modifiers name.
func (b *builder) part() string {
	for _, m := range []string{"lo", "hi", "wide"} {
		if b.has(m) {
			return m
		}
	}
	return ""
}

func (b *builder) mul() error {
	if !numeric.IsFloat(b.typ()) {
		if err := b.only("lo", "hi", "wide"); err != nil {
			return err
		}
		f := products[b.typ()][b.part()]
		if f == nil {
			return refuse("is not simulated in this form")
		}
		return b.set2(each2(f), b.typ())
	}
	s, err := b.shape()
	if err != nil {
		return err
	}
	return b.float(2, s, func(x, y, _ float64) float64 { return x * y },
		func(x, y, _ float64) float64 { return numeric.Mul64(x, y, s.mode) })
}

func (b *builder) mad() error {
	switch {
	case b.has("cc"):
		return b.madCC()
	case numeric.IsFloat(b.typ()):
		return b.fma()
	}
	if err := b.only("lo", "hi", "wide", "sat"); err != nil {
		return err
	}
	typ, part := b.typ(), b.part()
	f := products[typ][part]
	if f == nil {
		return refuse("is not simulated in this form")
	}
	if b.has("sat") {
		if typ != "s32" || part != "hi" {
			return refuse("is not simulated in this form")
		}
		return b.set3(each3(func(x, y, z uint64) uint64 {
			return saturate(int64(int32(f(x, y))) + int64(int32(z)))
		}), typ)
	}
	width := numeric.Widths[typ]
	if part == "wide" {
		width *= 2
	}
	mask := numeric.Mask(width)
	if err := b.set3(each3(func(x, y, z uint64) uint64 { return (f(x, y) + z) & mask }), typ); err != nil {
		return err
	}
	if part == "wide" {
		return b.retype(3, map[int]string{32: "u32", 64: "u64"}[width])
	}
	return nil
}

func (b *builder) fma() error {
	s, err := b.shape()
	if err != nil {
		return err
	}
	return b.float(3, s, func(x, y, z float64) float64 { return numeric.Sum(x*y, z, s.mode) },
		func(x, y, z float64) float64 { return numeric.FMA64(x, y, z, s.mode) })
}

var divs = op2s{
	"u16": div[uint16], "u32": div[uint32], "u64": div[uint64],
	"s16": sdiv[int16, uint16], "s32": sdiv[int32, uint32], "s64": sdiv[int64, uint64],
}

func (b *builder) div() error {
	if !numeric.IsFloat(b.typ()) {
		return binary2(divs)(b)
	}
	s, err := b.shape("approx", "full") // these are allowed to be off, and are not
	if err != nil {
		return err
	}
	return b.float(2, s, func(x, y, _ float64) float64 { return numeric.DivOdd(x, y) },
		func(x, y, _ float64) float64 { return numeric.Div64(x, y, s.mode) })
}

func (b *builder) sqrt() error {
	s, err := b.shape("approx")
	if err != nil {
		return err
	}
	return b.float(1, s, func(x, _, _ float64) float64 { return numeric.SqrtOdd(x) },
		func(x, _, _ float64) float64 { return numeric.Sqrt64(x, s.mode) })
}

func (b *builder) rcp() error {
	s, err := b.shape("approx")
	if err != nil {
		return err
	}
	if s.typ == "f64" && b.has("approx") {
		// Of the upper half of a double alone: 20 bits are right.
		return b.set1(each1(func(x uint64) uint64 {
			return numeric.Result64(1/numeric.F64(x>>32<<32)) >> 32 << 32
		}), "f64")
	}
	return b.float(1, s, func(x, _, _ float64) float64 { return numeric.DivOdd(1, x) },
		func(x, _, _ float64) float64 { return numeric.Div64(1, x, s.mode) })
}

// approx is a function that the machine computes only nearly; here it is computed in double precision.
func approx(f func(x float64) float64) func(b *builder) error {
	return func(b *builder) error {
		s, err := b.shape("approx")
		if err != nil {
			return err
		}
		if s.typ == "f32" && s.mode == numeric.Nearest && !s.sat {
			return b.set1(nearly(f, s.ftz), "f32")
		}
		g := func(x, _, _ float64) float64 { return f(x) }
		return b.float(1, s, g, g)
	}
}

// nearly computes a function of singles.
func nearly(f func(x float64) float64, ftz bool) op1 {
	flush := uint64(0x7f800000) // subnormal is what has none of these bits
	if !ftz {
		flush = ^uint64(0)
	}
	return func(d, a *vec.Wide) {
		for l, v := range a {
			if v&flush == 0 {
				v &= 1 << 31
			}
			y := float32(f(float64(math.Float32frombits(uint32(v)))))
			out := uint64(math.Float32bits(y))
			if out&flush == 0 {
				out &= 1 << 31
			}
			if y != y {
				out = numeric.NaN32
			}
			d[l] = out
		}
	}
}

var (
	negs = op1s{"s16": negInt[uint16], "s32": negInt[uint32], "s64": negInt[uint64]}
	abss = op1s{"s16": absInt[int16, uint16], "s32": absInt[int32, uint32], "s64": absInt[int64, uint64]}
)

// signs makes neg and abs of floating-point numbers: they change the sign alone.
func (b *builder) signs(f func(v, sign uint64) uint64) error {
	s, err := b.shape()
	if err != nil {
		return err
	}
	sign := uint64(1) << (numeric.Widths[s.typ] - 1)
	if s.lanes == 2 {
		sign = 0x80008000
	}
	return b.set1(each1(func(v uint64) uint64 {
		if s.ftz && s.typ == "f32" {
			v = numeric.Flush(v)
		}
		if s.ftz && s.form == numeric.Half {
			v = s.each(
				func(v [3]uint64) uint64 { return numeric.Half.Round(s.in16(v[0]), numeric.Nearest) },
			)(
				[3]uint64{v},
			)
		}
		return f(v, sign)
	}), s.typ)
}

func (b *builder) neg() error {
	if numeric.IsFloat(b.typ()) {
		return b.signs(func(v, sign uint64) uint64 { return v ^ sign })
	}
	return unary(negs)(b)
}

func (b *builder) abs() error {
	if numeric.IsFloat(b.typ()) {
		return b.signs(func(v, sign uint64) uint64 { return v &^ sign })
	}
	return unary(abss)(b)
}

var (
	mins = op2s{"u16": minU, "u32": minU, "u64": minU, "s16": minS[int16, uint16], "s32": minS[int32, uint32],
		"s64": minS[int64, uint64], "u16x2": pairs(minU), "s16x2": pairs(minS[int16, uint16])}
	maxs = op2s{"u16": maxU, "u32": maxU, "u64": maxU, "s16": maxS[int16, uint16], "s32": maxS[int32, uint32],
		"s64": maxS[int64, uint64], "u16x2": pairs(maxU), "s16x2": pairs(maxS[int16, uint16])}
)

// pairs applies an operation on 16 bits to both halves of 32.
func pairs(f op2) op2 {
	return func(d, a, b *vec.Wide) {
		var alo, ahi, blo, bhi vec.Wide
		for l := range d {
			alo[l], ahi[l], blo[l], bhi[l] = a[l]&0xffff, a[l]>>16, b[l]&0xffff, b[l]>>16
		}
		f(&alo, &alo, &blo)
		f(&ahi, &ahi, &bhi)
		for l := range d {
			d[l] = alo[l] | ahi[l]<<16
		}
	}
}

func (b *builder) minimum() error { return b.extreme(mins, -1) }
func (b *builder) maximum() error { return b.extreme(maxs, 1) }

// extreme is min, with which -1, or max.
func (b *builder) extreme(t op2s, which int) error {
	if !numeric.IsFloat(b.typ()) {
		if !b.has("relu") {
			return binary2(t)(b)
		}
		return b.relu(t)
	}
	s, err := b.shape("xorsign", "abs")
	if err != nil {
		return err
	}
	xorsign := b.has("xorsign")
	pick := func(x, y, _ float64) float64 {
		sign := math.Signbit(x) != math.Signbit(y)
		if xorsign {
			x, y = math.Abs(x), math.Abs(y)
		}
		r := numeric.Extreme(x, y, which, s.nan)
		if xorsign && r == r && sign {
			r = math.Copysign(r, -1)
		}
		return r
	}
	n := len(b.args) - 1
	if n == 3 { // three sources, PTX 8.6
		two := pick
		pick = func(x, y, z float64) float64 { return two(two(x, y, 0), z, 0) }
	}
	return b.float(n, s, pick, pick)
}

// relu makes the result of an integer operation at least 0.
func (b *builder) relu(t op2s) error {
	f := t[b.typ()]
	if f == nil || b.typ()[0] != 's' {
		return refuse("is not simulated for its type")
	}
	m := maxs[b.typ()]
	return b.set2(func(d, x, y *vec.Wide) {
		var zero, out vec.Wide
		f(&out, x, y)
		m(d, &out, &zero)
	}, b.typ())
}

// testp asks of what kind a number is (PTX ISA, "testp").
func (b *builder) testp() error {
	f := map[string]func(e, m, top uint64) bool{
		"finite":     func(e, _, top uint64) bool { return e != top },
		"infinite":   func(e, m, top uint64) bool { return e == top && m == 0 },
		"number":     func(e, m, top uint64) bool { return e != top || m == 0 },
		"notanumber": func(e, m, top uint64) bool { return e == top && m != 0 },
		"normal":     func(e, _, top uint64) bool { return e != 0 && e != top },
		"subnormal":  func(e, m, _ uint64) bool { return e == 0 && m != 0 },
	}
	test := f[b.mods[0]]
	if test == nil || b.typ() != "f32" && b.typ() != "f64" {
		return refuse("is not simulated in this form")
	}
	if err := b.operands(2); err != nil {
		return err
	}
	var err error
	if b.in.pdst, err = b.predicate(&b.args[0]); err != nil {
		return err
	}
	if err := b.sources(1, b.typ()); err != nil {
		return err
	}
	exponent, fraction := 8, 23
	if b.typ() == "f64" {
		exponent, fraction = 11, 52
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		v := c.value(in, 0)
		var p uint32
		for l, x := range v {
			if test(x>>fraction&numeric.Mask(exponent), x&numeric.Mask(fraction), numeric.Mask(exponent)) {
				p |= 1 << l
			}
		}
		c.setPred(in.pdst, p, mask)
	}
	return nil
}

// copysign: the sign of the first source, the rest of the second.
func (b *builder) copysign() error {
	sign := uint64(1) << (max(numeric.Widths[b.typ()], 1) - 1)
	if b.typ() != "f32" && b.typ() != "f64" {
		return refuse("is not simulated for its type")
	}
	return b.set2(each2(func(x, y uint64) uint64 { return x&sign | y&^sign }), b.typ())
}
