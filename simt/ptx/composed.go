package ptx

import (
	"slices"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// What makes stages (stages.go) of instructions: arithmetic on singles with what flushes subnormals, as nvcc
// writes it for fast mathematics, halves, and conversions.

// A composition makes the stages of an instruction of n sources. mods are the modifiers that it may have
// besides types; with others it is something else.
type composition struct {
	n    int
	mods []string
	make func(m *composer)
}

// compositions are those of singles, by the first part of the instruction's name.
var compositions = map[string]composition{
	"add":  {2, []string{"rn", "ftz"}, arithmetic(vec.WideAddF32, 2)},
	"sub":  {2, []string{"rn", "ftz"}, arithmetic(vec.WideSubF32, 2)},
	"mul":  {2, []string{"rn", "ftz"}, arithmetic(vec.WideMulF32, 2)},
	"fma":  {3, []string{"rn", "ftz"}, arithmetic(vec.WideFmaF32, 3)},
	"mad":  {3, []string{"rn", "ftz"}, arithmetic(vec.WideFmaF32, 3)},
	"div":  {2, []string{"rn", "approx", "full", "ftz"}, arithmetic(vec.WideDivF32, 2)},
	"sqrt": {1, []string{"rn", "approx", "ftz"}, arithmetic(vec.WideSqrtF32, 1)},
	"rcp": {1, []string{"rn", "approx", "ftz"}, func(m *composer) {
		m.flush(m.do(vec.WideDivF32, numberOf(numeric.Bits32(1)), m.source(0)))
	}},
	"min": {2, []string{"ftz"}, func(m *composer) { m.one(m.do(vec.WideMinF32, m.sources(2)...)) }},
	"max": {2, []string{"ftz"}, func(m *composer) { m.one(m.do(vec.WideMaxF32, m.sources(2)...)) }},
	"copysign": {2, nil, func(m *composer) {
		m.do(vec.WideOr, m.do(vec.WideAnd, source0(0), numberOf(1<<31)),
			m.do(vec.WideAnd, source0(1), numberOf(1<<31-1)))
	}},
	"neg": {1, []string{"ftz"}, func(m *composer) { m.do(vec.WideXor, m.source(0), numberOf(1<<31)) }},
	"abs": {1, []string{"ftz"}, func(m *composer) { m.do(vec.WideAnd, m.source(0), numberOf(1<<31-1)) }},
}

// halfCompositions are those of halves, alone and in pairs, by the first part of the instruction's name.
var halfCompositions = map[string]composition{
	"add": {2, []string{"rn"}, func(m *composer) {
		m.half(vec.WideAddF16, vec.WidePkAddF16, source0(0), source0(1))
	}},
	"sub": {2, []string{"rn"}, func(m *composer) {
		m.half(vec.WideAddF16, vec.WidePkAddF16, source0(0), m.do(vec.WideXor, source0(1), m.signs()))
	}},
	"mul": {2, []string{"rn"}, func(m *composer) {
		m.half(vec.WideMulF16, vec.WidePkMulF16, source0(0), source0(1))
	}},
	"fma": {3, []string{"rn"}, func(m *composer) {
		m.half(vec.WideFmaF16, vec.WidePkFmaF16, source0(0), source0(1), source0(2))
	}},
	"neg": {1, nil, func(m *composer) { m.do(vec.WideXor, source0(0), m.signs()) }},
}

// half is an operation on halves, by the operation on one or that on a pair.
func (m *composer) half(one, pair vec.WideOp, s ...stageValue) {
	if m.pair {
		one = pair
	}
	m.do(vec.WideOneNaNF16, m.do(one, s...))
}

// signs are those of halves.
func (m *composer) signs() stageValue {
	if m.pair {
		return numberOf(1<<31 | 1<<15)
	}
	return numberOf(1 << 15)
}

// arithmetic is an operation on n singles.
func arithmetic(op vec.WideOp, n int) func(m *composer) {
	return func(m *composer) { m.flush(m.do(op, m.sources(n)...)) }
}

// composed makes an instruction that is several operations of package vec. It reports whether it is one.
func (b *builder) composed() (bool, error) {
	name, types := builderName(b.src.Op), b.typs()
	switch {
	case name == "cvt":
		return b.composedCvt(types)
	case b.src.Op == "prmt.b32" && len(b.args) == 4 && b.args[3].Kind == Int:
		m := &composer{}
		m.permute(b.args[3].Value)
		return true, b.setStages(m, 3, "b32")
	case name == "dp4a" && len(types) == 2 && len(b.mods) == 2:
		m := &composer{}
		m.dotBytes(types[0], types[1])
		return true, b.setStages(m, 3, "b32")
	}
	of := map[string]map[string]composition{"f32": compositions, "f16": halfCompositions,
		"f16x2": halfCompositions}
	if len(types) != 1 {
		return false, nil
	}
	c, ok := of[types[0]][name]
	if !ok || len(b.args) != c.n+1 || !b.onlyOf(c.mods) {
		return false, nil
	}
	m := &composer{ftz: b.has("ftz"), nan: numeric.NaN32, pair: paired(types[0])}
	c.make(m)
	return true, b.setStages(m, c.n, types[0])
}

// onlyOf reports whether all modifiers are types or in a list.
func (b *builder) onlyOf(list []string) bool {
	return !slices.ContainsFunc(b.mods, func(m string) bool {
		_, is := numeric.Widths[m]
		return !is && !slices.Contains(list, m)
	})
}

// wholes are what rounds a single to a whole number.
var wholes = map[string]vec.WideOp{"rni": vec.WideRintF32, "rzi": vec.WideTruncF32, "rmi": vec.WideFloorF32,
	"rpi": vec.WideCeilF32}

// pairsOf make a pair of 16-bit floats of two singles, of which the first comes to the upper half.
var pairsOf = map[string]func(m *composer){
	"f16x2": func(m *composer) {
		m.nan = numeric.NaN32
		upper := m.do(vec.WideShl32, m.do(vec.WideF16F32, m.one(source0(0))), numberOf(16))
		m.do(vec.WideOr, upper, m.do(vec.WideF16F32, m.one(source0(1))))
	},
	"bf16x2": func(m *composer) {
		m.nan = 0x7fff0000 // of which the upper half is left
		upper := m.do(vec.WideAnd, m.roundUpper(source0(0)), numberOf(0xffff0000))
		m.do(vec.WideOr, upper, m.do(vec.WideShr32, m.roundUpper(source0(1)), numberOf(16)))
	},
}

// roundUpper rounds a single to what its upper half holds, to nearest even: the lower half is anything then.
func (m *composer) roundUpper(v stageValue) stageValue {
	v = m.one(v)
	odd := m.do(vec.WideAnd, m.do(vec.WideShr32, v, numberOf(16)), numberOf(1))
	return m.do(vec.WideAdd32, m.do(vec.WideAdd32, v, numberOf(0x7fff)), odd)
}

// composedCvt makes a conversion of one number to a register of its width, or of two to a pair.
func (b *builder) composedCvt(types []string) (bool, error) {
	if len(types) == 2 && types[1] == "f32" && len(b.args) == 3 && b.has("rn") && b.onlyOf([]string{"rn"}) {
		if pair := pairsOf[types[0]]; pair != nil {
			m := &composer{}
			pair(m)
			return true, b.setStages(m, 2, "f32")
		}
	}
	if len(types) != 2 || len(b.args) != 2 || !b.onlyOf([]string{"rn", "ftz", "rni", "rzi", "rmi", "rpi"}) {
		return false, nil
	}
	to, from := types[0], types[1]
	narrow := b.args[1].Kind == Reg && b.bitsOf(&b.args[1]) < numeric.Widths[from]
	if narrow || b.bitsOf(&b.args[0]) != numeric.Widths[to] {
		return false, nil
	}
	m := &composer{ftz: b.has("ftz"), nan: numeric.NaN32}
	whole := vec.WideNone
	for mod, op := range wholes {
		if b.has(mod) {
			whole = op
		}
	}
	if !m.convert(to, from, whole, b.has("rn")) {
		return false, nil
	}
	return true, b.setStages(m, 1, from)
}

// convert makes the stages of a conversion; false if there are none. whole rounds to whole numbers, near says
// that the result is rounded to nearest.
func (m *composer) convert(to, from string, whole vec.WideOp, near bool) bool {
	integers, wide := !numeric.IsFloat(to) && !numeric.IsFloat(from) && !m.ftz, numeric.Widths[from] >= 32
	switch {
	case to == "f32" && from == "f16" && whole == vec.WideNone:
		m.one(m.do(vec.WideF32F16, source0(0)))
	case to == "f32" && from == "bf16" && whole == vec.WideNone:
		m.one(m.do(vec.WideShl32, source0(0), numberOf(16)))
	case to == "f16" && from == "f32" && near:
		m.do(vec.WideF16F32, m.one(m.source(0)))
	case to == "f32" && from == "f32" && whole != vec.WideNone:
		m.one(m.do(whole, m.source(0)))
	case (to == "s32" || to == "u32") && from == "f32" && whole != vec.WideNone:
		v := m.source(0)
		if whole != vec.WideTruncF32 {
			v = m.do(whole, v)
		}
		m.do(map[string]vec.WideOp{"s32": vec.WideIF32, "u32": vec.WideUF32}[to], v)
	case to == "f32" && near && !numeric.IsFloat(from) && numeric.Widths[from] < 32:
		m.do(map[byte]vec.WideOp{'s': vec.WideF32I, 'u': vec.WideF32U}[from[0]], m.extended(from))
	case integers && !wide && numeric.Widths[to] <= 32:
		v := m.extended(from)
		if from[0] == 's' && numeric.Widths[to] < 32 {
			m.do(vec.WideAnd, v, numberOf(numeric.Mask(numeric.Widths[to])))
		}
	case integers && wide && numeric.Widths[to] == 16:
		m.do(vec.WideAnd, source0(0), numberOf(0xffff))
	default:
		return false
	}
	return true
}

// permute makes a number of bytes of two others, which a selector picks (PTX ISA, "prmt"): those that move as
// far together, and then those of which the sign is wanted.
func (m *composer) permute(selector uint64) {
	type move struct {
		source, up int
	}
	var order []move
	masks := map[move]uint64{}
	var all []stageValue
	for i := range 4 {
		n := int(selector >> (4 * i) & 15)
		mask := uint64(0xff) << (8 * i)
		if n&8 != 0 {
			v := m.do(vec.WideShl32, source0(n&7/4), numberOf(uint64(8*(3-n&3))))
			all = append(all, m.do(vec.WideAnd, m.do(vec.WideSar32, v, numberOf(31)), numberOf(mask)))
			continue
		}
		way := move{n / 4, 8 * (i - n&3)}
		if masks[way] == 0 {
			order = append(order, way)
		}
		masks[way] |= mask
	}
	for _, way := range order {
		v, has := source0(way.source), numeric.Mask(32)
		switch {
		case way.up > 0:
			v, has = m.do(vec.WideShl32, v, numberOf(uint64(way.up))), has<<way.up&has
		case way.up < 0:
			v, has = m.do(vec.WideShr32, v, numberOf(uint64(-way.up))), has>>-way.up
		}
		if has != masks[way] || way.up == 0 {
			v = m.do(vec.WideAnd, v, numberOf(masks[way]))
		}
		all = append(all, v)
	}
	for sum := all[0]; len(all) > 1; all = all[1:] {
		sum = m.do(vec.WideOr, sum, all[1])
	}
}

// dotBytes adds the products of the bytes of two numbers to a third (PTX ISA, "dp4a").
func (m *composer) dotBytes(x, y string) {
	byteOf := func(source, i int, typ string) stageValue {
		v := source0(source)
		if typ == "s32" {
			return m.do(vec.WideSar32, m.do(vec.WideShl32, v, numberOf(uint64(24-8*i))), numberOf(24))
		}
		return m.do(vec.WideAnd, m.do(vec.WideShr32, v, numberOf(uint64(8*i))), numberOf(0xff))
	}
	sum := source0(2)
	for i := range 4 {
		sum = m.do(vec.WideMad32, byteOf(0, i, x), byteOf(1, i, y), sum)
	}
}

// extended is the source, an integer of fewer than 32 bits, with 32.
func (m *composer) extended(typ string) stageValue {
	n := numeric.Widths[typ]
	if typ[0] == 's' {
		up := numberOf(uint64(32 - n))
		return m.do(vec.WideSar32, m.do(vec.WideShl32, source0(0), up), up)
	}
	return m.do(vec.WideAnd, source0(0), numberOf(numeric.Mask(n)))
}
