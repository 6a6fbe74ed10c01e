package spirv

import (
	"math"
	"math/big"

	"simtgdb/simt/softfloat"
)

// A floatControl is how an entry point has floats of a width computed (section 3.6: RoundingModeRTE and so
// on). Infinities, NaNs and signs of zeros are always kept, so that SignedZeroInfNanPreserve changes nothing.
//
// Flushed are the operands and results of arithmetic, conversions, comparisons and functions of extended
// sets; what moves, selects or classifies leaves numbers as they are (Vulkan, VK_KHR_shader_float_controls,
// issue 1).
type floatControl struct {
	width uint
	round uint32 // roundEven and so on
	flush bool   // denormal numbers are zeros
	mini  *mini  // of a format that is not IEEE 754's; nil otherwise
	most  bool   // what is beyond the greatest number of such a format becomes that one
}

// A mini is a format of floats that is not IEEE 754's.
type mini struct {
	softfloat.Mini
	numbers *[256]float64 // of a format of 8 bits, by what is encoded
}

// minis are the formats by encoding (SPV_KHR_bfloat16, SPV_EXT_float8: "FP Encoding").
var minis = map[uint32]*mini{
	0:    {Mini: softfloat.Mini{Width: 16, Mant: 7, Bias: 127, Specials: softfloat.IEEE}},
	4214: numbered(softfloat.FP8),
	4215: numbered(softfloat.BF8),
}

func numbered(m softfloat.Mini) *mini {
	all := &[256]float64{}
	for v := range all {
		all[v] = m.Float(uint64(v))
	}
	return &mini{m, all}
}

// floatModes are what the execution modes of floats say of the width that they name; of those that are not
// here the machine does what they ask for anyway.
var floatModes = map[uint32]func(*floatControl){
	4460: func(c *floatControl) { c.flush = true },      // DenormFlushToZero
	4463: func(c *floatControl) { c.round = roundZero }, // RoundingModeRTZ
	5620: func(c *floatControl) { c.round = roundUp },   // RoundingModeRTPINTEL
	5621: func(c *floatControl) { c.round = roundDown }, // RoundingModeRTNINTEL
}

// readControls reads the modes of the entry point: before constants are computed, which they hold for too.
func (p *Program) readControls() error {
	var entry uint32
	for _, in := range p.insts {
		switch {
		case in.op == opEntryPoint && len(in.args) > 2 && (in.args[0] == 5 || in.args[0] == 6):
			if name, _ := text(in.args[2:]); entry == 0 && (name == p.o.Entry || p.o.Entry == "") {
				entry = in.args[1]
			}
		case in.op == opExecutionMode && len(in.args) > 2 && in.args[0] == entry:
			set, width := floatModes[in.args[1]], uint(in.args[2])
			if set == nil || width != 16 && width != 32 && width != 64 {
				continue
			}
			c := p.controls[width]
			set(&c)
			p.controls[width] = c
		}
	}
	return nil
}

// control is how floats of a width are computed.
func (p *Program) control(width uint) floatControl {
	c := p.controls[width]
	c.width = width
	return c
}

func (b *builder) control(width uint) floatControl { return b.p.control(width) }

// controlOf is how numbers of a scalar type are computed.
func (b *builder) controlOf(t *typ) floatControl { return b.p.controlOf(t) }

func (p *Program) controlOf(t *typ) floatControl {
	if t.mini != nil {
		return floatControl{width: t.width(), mini: t.mini}
	}
	return p.control(t.width())
}

// forMinis are the instructions that may have operands or results of formats that are not IEEE 754's
// (SPV_KHR_bfloat16, SPV_EXT_float8, validation rules): what creates, moves, converts and selects, and
// products of matrices; of bfloat16 dot products as well.
var forMinis = opcodes([][2]uint16{{opUndef}, {opExtInst}, {opConstantTrue, opStore},
	{opAccessChain, opCopyObject}, {opConvertFToU, opFConvert}, {opBitcast}, {opDot}, {opSelect},
	{opPhi, opLifetimeStop}, {opCopyLogical}, {opCooperativeMatrixLoadKHR, opCooperativeMatrixLengthKHR},
	{opCooperativeMatrixConvertNV}, {opCooperativeMatrixReduceNV, opCooperativeMatrixPerElementOpNV},
	{opCooperativeMatrixTransposeNV}})

// miniOf is the format that a type is made of, or nil.
func (t *typ) miniOf() *mini {
	if t == nil || t.scalar() == nil {
		return nil
	}
	return t.scalar().mini
}

// computesMinis reports whether an instruction computes with a format that none may compute with.
func (b *builder) computesMinis() bool {
	types := []*typ{b.typ}
	for _, id := range b.in.args {
		if v := b.p.values[id]; v != nil {
			types = append(types, v.typ)
		}
	}
	for _, t := range types {
		if m := t.miniOf(); m != nil && (!forMinis[b.in.op] || b.in.op == opDot && m.Width == 8) {
			return true
		}
	}
	return false
}

// special reports whether floats are computed in another way than the host does.
func (c floatControl) special() bool { return c.round != roundEven || c.flush || c.mini != nil }

// controlled reports whether an operand or the result is a float that is computed in a special way.
func (b *builder) controlled() bool { return b.p.controlled(b.typ, b.in) }

// controlled is that of an instruction with a result of a type.
func (p *Program) controlled(result *typ, in *raw) bool {
	if len(p.controls) == 0 {
		return false
	}
	types := []*typ{result}
	for _, id := range in.args {
		if v := p.values[id]; v != nil {
			types = append(types, v.typ)
		}
	}
	for _, t := range types {
		for t != nil && t.scalar() == nil {
			t = t.elem
		}
		if t == nil {
			continue
		}
		if s := t.scalar(); s.kind == kFloat && p.controlOf(s).special() {
			return true
		}
	}
	return false
}

// in is the number that an operand is.
func (c floatControl) in(v uint64) float64 {
	switch {
	case c.mini == nil:
		return toFloat(c.flushed(v), c.width)
	case c.mini.numbers != nil:
		return c.mini.numbers[uint8(v)]
	}
	return toFloat(v<<16, 32)
}

// out rounds a result. What is computed in 64 bits for fewer is rounded twice: a number in a direction must
// come exact or rounded to odd.
func (c floatControl) out(x float64) uint64 {
	if c.mini == nil {
		return c.flushed(roundFloat(x, c.width, c.round))
	}
	if f := float32(x); c.width == 16 && (float64(f) == x || x != x) {
		return toBrain(math.Float32bits(f))
	}
	return c.mini.Round(x, softfloat.Rounding{Saturate: c.most})
}

// toBrain rounds a float of 32 bits to the nearest bfloat16, ties to even.
func toBrain(v uint32) uint64 {
	const quiet = 0x40
	if v&0x7fffffff > 0x7f800000 {
		return uint64(v>>16 | quiet)
	}
	return uint64((v + 0x7fff + v>>16&1) >> 16)
}

func (c floatControl) flushed(v uint64) uint64 {
	if !c.flush {
		return v
	}
	return c.format().Out(v, softfloat.Env{})
}

func (c floatControl) format() softfloat.Format {
	switch c.width {
	case 16:
		return softfloat.Half
	case 32:
		return softfloat.Single
	}
	return softfloat.Double
}

func (c floatControl) env() softfloat.Env {
	round := [...]uint8{roundEven: softfloat.RoundNearest, roundZero: softfloat.RoundZero,
		roundUp: softfloat.RoundUp, roundDown: softfloat.RoundDown}[c.round]
	return softfloat.Env{Round: round, KeepIn: !c.flush, KeepOut: !c.flush}
}

// onceRounded are the instructions whose results are the exact ones, rounded once in each direction.
var onceRounded = map[uint16]func(c floatControl, x, y uint64) uint64{
	129: floatControl.add, 133: floatControl.multiply, 136: floatControl.divide,
	131: func(c floatControl, x, y uint64) uint64 { return c.format().Sub(x, y, c.env()) },
}

func (c floatControl) add(x, y uint64) uint64 {
	if c.mini != nil {
		return c.out(c.in(x) + c.in(y))
	}
	if !c.special() {
		return fromFloat(toFloat(x, c.width)+toFloat(y, c.width), c.width)
	}
	return c.format().Add(x, y, c.env())
}

func (c floatControl) multiply(x, y uint64) uint64 {
	if c.mini != nil {
		return c.out(c.in(x) * c.in(y))
	}
	if !c.special() {
		return fromFloat(toFloat(x, c.width)*toFloat(y, c.width), c.width)
	}
	return c.format().Mul(x, y, c.env())
}

// fma makes x*y+z, rounded once.
func (c floatControl) fma() func(x, y, z uint64) uint64 {
	if !c.special() {
		return fmaOf(c.width)
	}
	return func(x, y, z uint64) uint64 { return c.format().FMAPlain(x, y, z, c.env()) }
}

// tail is the precision of quotients and roots before they are rounded: none of them is so near to a number
// of 54 bits without being it.
const tail = 200

func (c floatControl) divide(x, y uint64) uint64 {
	a, b := c.in(x), c.in(y)
	if q := a / b; q != q || math.IsInf(a, 0) || b == 0 || math.IsInf(b, 0) || a == 0 {
		return c.out(q)
	}
	return c.big(new(big.Float).SetPrec(tail).Quo(big.NewFloat(a), big.NewFloat(b)))
}

func (c floatControl) sqrt(v uint64) uint64 {
	x := c.in(v)
	if !(x > 0) || math.IsInf(x, 0) {
		return c.out(math.Sqrt(x))
	}
	return c.big(new(big.Float).SetPrec(tail).Sqrt(big.NewFloat(x)))
}

// ldexp is x times a power of two.
func (c floatControl) ldexp(x float64, n int) uint64 {
	if x == 0 || x-x != 0 || c.round == roundEven {
		return c.out(math.Ldexp(x, n))
	}
	return c.big(new(big.Float).SetMantExp(big.NewFloat(x), n))
}

// big rounds a number that is no zero.
func (c floatControl) big(z *big.Float) uint64 {
	x, acc := z.Float64() // the nearest
	if acc == big.Exact || c.width == 64 && c.round == roundEven {
		return c.out(x)
	}
	negative := z.Sign() < 0
	beyond := acc == big.Above != negative // it is larger in magnitude than z
	bits := math.Float64bits(x)
	away := bits&1 != 0 == beyond // to odd, so that it can be rounded again
	if c.width == 64 {
		away = c.round == roundUp && !negative || c.round == roundDown && negative
	}
	switch {
	case beyond && !away:
		bits--
	case !beyond && away:
		bits++
	}
	return c.out(math.Float64frombits(bits))
}
