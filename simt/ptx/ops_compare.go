package ptx

import (
	"math"

	rows "simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"setp": (*builder).setp, "set": (*builder).set})
}

// comparisons of integers by type class and name.
type compare func(c *Core, a, b *vec) uint32

func compareU(f func(a, b uint64) bool) compare {
	return func(_ *Core, a, b *vec) uint32 {
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

func ltS16(_ *Core, a, b *vec) (p uint32) {
	for l := range a {
		p |= bit(int16(a[l]) < int16(b[l])) << l
	}
	return
}

// The comparisons that others follow from.
var (
	eqU = wideTest(rows.WideEqU)
	ltU = wideTest(rows.WideLtU)
)

// swapped compares the other way round, inverse gives the opposite.
func swapped(f compare) compare { return func(c *Core, a, b *vec) uint32 { return f(c, b, a) } }
func inverse(f compare) compare { return func(c *Core, a, b *vec) uint32 { return ^f(c, a, b) } }

// orders are the comparisons that follow from equality and order.
func orders(eq, lt compare) map[string]compare {
	return map[string]compare{
		"eq": eq, "ne": inverse(eq), "lt": lt, "gt": swapped(lt), "le": inverse(swapped(lt)), "ge": inverse(lt),
	}
}

// unsignedOrders are those of unsigned numbers, which have names of their own besides.
func unsignedOrders() map[string]compare {
	all := orders(eqU, ltU)
	all["lo"], all["hi"], all["ls"], all["hs"] = all["lt"], all["gt"], all["le"], all["ge"]
	return all
}

var integerComparisons = map[string]map[string]compare{
	"b16": {"eq": eqU, "ne": inverse(eqU)}, "b32": {"eq": eqU, "ne": inverse(eqU)},
	"b64": {"eq": eqU, "ne": inverse(eqU)},
	"u16": unsignedOrders(), "u32": unsignedOrders(), "u64": unsignedOrders(),
	"s16": orders(eqU, ltS16), "s32": orders(eqU, wideTest(rows.WideLtI32)),
	"s64": orders(eqU, wideTest(rows.WideLtI64)),
}

// wideFloats are the comparisons of numbers whose denormals are kept, by type.
var wideFloats = map[string]map[string]compare{
	"f32": floatOrders(rows.WideEqF32, rows.WideNeF32, rows.WideLtF32, rows.WideLeF32, rows.WideOrdF32),
	"f64": floatOrders(rows.WideEqF64, rows.WideNeF64, rows.WideLtF64, rows.WideLeF64, rows.WideOrdF64),
}

// floatOrders are all comparisons; with a u in front they hold also if one is a NaN.
func floatOrders(eqOp, neOp, ltOp, leOp, ordOp rows.WideOp) map[string]compare {
	eq, ne, lt, le, ord := wideTest(eqOp), wideTest(neOp), wideTest(ltOp), wideTest(leOp), wideTest(ordOp)
	return map[string]compare{
		"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": swapped(lt), "ge": swapped(le), "num": ord,
		"nan": inverse(ord),
		"equ": inverse(ne), "neu": inverse(eq), "ltu": inverse(swapped(le)), "leu": inverse(swapped(lt)),
		"gtu": inverse(le), "geu": inverse(lt),
	}
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
	if !isFloat(typ) {
		if f := integerComparisons[typ][name]; f != nil {
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
	if f := wideFloats[typ][name]; f != nil && !s.ftz {
		return f, &s, err
	}
	return compareU(func(x, y uint64) bool { return f(s.number(x), s.number(y)) }), &s, err
}

// withType is a shape for sources of another type than the result.
func (b *builder) withType(s shape, typ string) shape {
	s.typ, s.lanes, s.form = typ, 1, nil
	switch typ {
	case "f16x2":
		s.form, s.lanes = half, 2
	case "f16":
		s.form = half
	case "bf16x2":
		s.form, s.lanes = bfloat, 2
	case "bf16":
		s.form = bfloat
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
	return f64(v)
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

func halves(v *vec) (h [2]vec) {
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
		var out vec
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
