package ptx

import (
	"math"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"setp": (*builder).setp, "set": (*builder).set})
}

// comparisons of integers by type class and name.
type compare func(c *Core, a, b *vec.Wide) uint32

func compareU(f func(a, b uint64) bool) compare {
	return func(_ *Core, a, b *vec.Wide) uint32 {
		var p uint32
		for l := range a {
			if f(a[l], b[l]) {
				p |= 1 << l
			}
		}
		return p
	}
}

func bit(t bool) uint32 {
	if t {
		return 1
	}
	return 0
}

// A lowered is a comparison of setp: an operation, whose operands may change places, and which may say the
// opposite.
type lowered struct {
	op           vec.WideOp
	swap, invert bool
}

// lowerEquals are the comparisons that follow from equality, lowerOrders those that follow from that and
// order, and lowerUnsigned those of unsigned numbers, which have names of their own besides.
func lowerEquals() map[string]lowered {
	return map[string]lowered{"eq": {vec.WideEqU, false, false}, "ne": {vec.WideEqU, false, true}}
}

func lowerOrders(lt vec.WideOp) map[string]lowered {
	m := lowerEquals()
	m["lt"], m["gt"], m["le"], m["ge"] =
		lowered{lt, false, false}, lowered{lt, true, false}, lowered{lt, true, true},
		lowered{lt, false, true}
	return m
}

func lowerUnsigned() map[string]lowered {
	m := lowerOrders(vec.WideLtU)
	m["lo"], m["hi"], m["ls"], m["hs"] = m["lt"], m["gt"], m["le"], m["ge"]
	return m
}

// lowerFloats are the comparisons of floats; with a u in front they hold also if one is a NaN.
func lowerFloats(eq, ne, lt, le, ord vec.WideOp) map[string]lowered {
	return map[string]lowered{"eq": {eq, false, false}, "ne": {ne, false, false}, "lt": {lt, false, false},
		"le": {le, false, false}, "gt": {lt, true, false}, "ge": {le, true, false},
		"num": {ord, false, false}, "nan": {ord, false, true}, "equ": {ne, false, true},
		"neu": {eq, false, true}, "ltu": {le, true, true}, "leu": {lt, true, true}, "gtu": {le, false, true},
		"geu": {lt, false, true}}
}

// lowerTests are the comparisons by type and name.
var lowerTests = map[string]map[string]lowered{
	"u16": lowerUnsigned(), "u32": lowerUnsigned(), "u64": lowerUnsigned(),
	"b16": lowerEquals(), "b32": lowerEquals(), "b64": lowerEquals(),
	"s32": lowerOrders(vec.WideLtI32), "s64": lowerOrders(vec.WideLtI64),
	"f32": lowerFloats(vec.WideEqF32, vec.WideNeF32, vec.WideLtF32, vec.WideLeF32, vec.WideOrdF32),
	"f64": lowerFloats(vec.WideEqF64, vec.WideNeF64, vec.WideLtF64, vec.WideLeF64, vec.WideOrdF64),
}

// compare is a comparison as the core makes it.
func (f lowered) compare() compare {
	return func(c *Core, a, b *vec.Wide) uint32 {
		if f.swap {
			a, b = b, a
		}
		x := &c.x
		x.A, x.B, x.Mask = a, b, fullMask
		if f.op.Func()(x); f.invert {
			return ^x.Out
		}
		return x.Out
	}
}

// flushing is a comparison as the core makes it, of numbers without subnormals if it flushes them.
func (f lowered) flushing(ftz bool) compare {
	plain, flush := f.compare(), vec.WideFlushF32.Func()
	if !ftz {
		return plain
	}
	return func(c *Core, a, b *vec.Wide) uint32 {
		for i, v := range []*vec.Wide{a, b} {
			c.x.D, c.x.A, c.x.Mask = &c.stages[i], v, fullMask
			flush(&c.x)
		}
		return plain(c, &c.stages[0], &c.stages[1])
	}
}

// ordersS16 are the comparisons that no operation makes.
var ordersS16 = map[string]compare{
	"eq": lowerTests["u16"]["eq"].compare(), "ne": lowerTests["u16"]["ne"].compare(),
	"lt": compareU(func(a, b uint64) bool { return int16(a) < int16(b) }),
	"le": compareU(func(a, b uint64) bool { return int16(a) <= int16(b) }),
	"gt": compareU(func(a, b uint64) bool { return int16(a) > int16(b) }),
	"ge": compareU(func(a, b uint64) bool { return int16(a) >= int16(b) }),
}

// floatComparisons hold for numbers; with a u in front also if one is a NaN.
var floatComparisons = map[string]func(x, y float64) bool{
	"eq": func(x, y float64) bool { return x == y }, "ne": func(x, y float64) bool { return x < y || x > y },
	"lt": func(x, y float64) bool { return x < y }, "le": func(x, y float64) bool { return x <= y },
	"gt": func(x, y float64) bool { return x > y }, "ge": func(x, y float64) bool { return x >= y },
	"num": func(x, y float64) bool { return x == x && y == y },
	"nan": func(x, y float64) bool { return x != x || y != y },
}

func init() {
	for _, name := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		f := floatComparisons[name]
		floatComparisons[name+"u"] = func(x, y float64) bool { return x != x || y != y || f(x, y) }
	}
	floatComparisons["neu"] = func(x, y float64) bool { return x != y }
}

// comparison finds what an instruction compares by: its first modifier, and the type of what it compares.
func (b *builder) comparison(typ string) (compare, *shape, error) {
	if len(b.mods) == 0 {
		return nil, nil, refuse("has no comparison")
	}
	name := b.mods[0]
	if !numeric.IsFloat(typ) {
		if f, ok := lowerTests[typ][name]; ok {
			return f.compare(), nil, nil
		}
		if f := ordersS16[name]; f != nil && typ == "s16" {
			return f, nil, nil
		}
		return nil, nil, refuse("is not simulated for its type")
	}
	f := floatComparisons[name]
	if f == nil {
		return nil, nil, refuse("is not simulated with .%s", name)
	}
	mods := b.mods
	s, err := b.shape(name, "and", "or", "xor")
	b.mods = mods
	s = b.withType(s, typ)
	if f, ok := lowerTests[typ][name]; ok {
		return f.flushing(s.ftz), &s, err
	}
	return compareU(func(x, y uint64) bool { return f(s.number(x), s.number(y)) }), &s, err
}

// withType is a shape for sources of another type than the result.
func (b *builder) withType(s shape, typ string) shape {
	s.typ, s.lanes, s.form = typ, 1, nil
	switch typ {
	case "f16x2":
		s.form, s.lanes = numeric.Half, 2
	case "f16":
		s.form = numeric.Half
	case "bf16x2":
		s.form, s.lanes = numeric.BFloat, 2
	case "bf16":
		s.form = numeric.BFloat
	}
	return s
}

// number is the value of a source.
func (s *shape) number(v uint64) float64 {
	switch {
	case s.form != nil:
		return s.in16(v)
	case s.typ == "f32":
		return s.in32(v)
	}
	return numeric.F64(v)
}

// combine joins a comparison with a predicate.
var combine = map[string]func(p, q uint32) uint32{
	"and": predAnd, "or": predOr, "xor": predXor,
}

func (b *builder) boolean() func(p, q uint32) uint32 {
	for name, f := range combine {
		if b.has(name) {
			return f
		}
	}
	return nil
}

// setp sets a predicate, and perhaps another to the opposite (PTX ISA, "setp").
func (b *builder) setp() error {
	typ := b.typ()
	cmp, s, err := b.comparison(typ)
	if err != nil {
		return err
	}
	join := b.boolean()
	n := 3
	if join != nil {
		n = 4
	}
	if err := b.operands(n); err != nil {
		return err
	}
	if b.in.pdst, err = b.predicate(&b.args[0]); err != nil {
		return err
	}
	if b.args[0].Reg2 >= 0 {
		if b.in.pdst2, err = b.predicateOf(b.args[0].Reg2, true); err != nil {
			return err
		}
	}
	if err := b.sources(1, typ); err != nil {
		return err
	}
	if s != nil && s.lanes == 2 { // one predicate for each half
		b.in.run = func(c *Core, in *inst, mask uint32) {
			x, y := halves(c.value(in, 0)), halves(c.value(in, 1))
			for i, dst := range []int32{in.pdst, in.pdst2} {
				p := cmp(c, &x[i], &y[i])
				if join != nil {
					p = join(p, c.pred(&in.s[2]))
				}
				c.setPred(dst, p, mask)
			}
		}
		return nil
	}
	if join == nil && b.in.pdst2 < 0 {
		b.in.run = func(c *Core, in *inst, mask uint32) {
			c.setPred(in.pdst, cmp(c, c.value(in, 0), c.value(in, 1)), mask)
		}
		return nil
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		p := cmp(c, c.value(in, 0), c.value(in, 1))
		q := ^p
		if join != nil {
			r := c.pred(&in.s[2])
			p, q = join(p, r), join(q, r)
		}
		c.setPred(in.pdst, p, mask)
		c.setPred(in.pdst2, q, mask)
	}
	return nil
}

func halves(v *vec.Wide) (h [2]vec.Wide) {
	for l, x := range v {
		h[0][l], h[1][l] = x&0xffff, x>>16
	}
	return
}

// set sets a register to all ones, or to 1.0, or to 0 (PTX ISA, "set").
func (b *builder) set() error {
	t := b.typs()
	if len(t) != 2 {
		return refuse("has no two types")
	}
	cmp, s, err := b.comparison(t[1])
	if err != nil {
		return err
	}
	join := b.boolean()
	if err := b.dest(0); err != nil {
		return err
	}
	if err := b.sources(1, t[1]); err != nil {
		return err
	}
	yes := truth(t[0])
	b.in.run = func(c *Core, in *inst, mask uint32) {
		x, y := c.value(in, 0), c.value(in, 1)
		p := [2]uint32{}
		if s != nil && s.lanes == 2 {
			hx, hy := halves(x), halves(y)
			p[0], p[1] = cmp(c, &hx[0], &hy[0]), cmp(c, &hx[1], &hy[1])
		} else {
			p[0] = cmp(c, x, y)
			p[1] = p[0]
		}
		if join != nil {
			q := c.pred(&in.s[2])
			p[0], p[1] = join(p[0], q), join(p[1], q)
		}
		var out vec.Wide
		for l := range out {
			if p[0]>>l&1 != 0 {
				out[l] |= yes & 0xffff
			}
			if p[1]>>l&1 != 0 {
				out[l] |= yes &^ 0xffff
			}
		}
		c.merge(in.dst, &out, mask)
	}
	return nil
}

// truth is how a type says yes.
func truth(typ string) uint64 {
	switch typ {
	case "f32":
		return uint64(math.Float32bits(1))
	case "f16":
		return 0x3c00
	case "f16x2":
		return 0x3c003c00
	case "bf16":
		return 0x3f80
	case "bf16x2":
		return 0x3f803f80
	case "u16", "s16":
		return 0xffff
	}
	return 0xffffffff
}
