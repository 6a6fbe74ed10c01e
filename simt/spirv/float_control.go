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
	brain bool   // bfloat16: what is computed is the float of 32 bits whose upper half it is
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
		case in.op == 15 && len(in.args) > 2 && (in.args[0] == 5 || in.args[0] == 6):
			if name, _ := text(in.args[2:]); entry == 0 && (name == p.o.Entry || p.o.Entry == "") {
				entry = in.args[1]
			}
		case in.op == 16 && len(in.args) > 2 && in.args[0] == entry:
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
func (b *builder) control(width uint) floatControl {
	c := b.p.controls[width]
	c.width = width
	return c
}

// controlOf is how numbers of a scalar type are computed.
func (b *builder) controlOf(t *typ) floatControl {
	if t.brain {
		return floatControl{width: t.width(), brain: true}
	}
	return b.control(t.width())
}

// forBrains are the instructions that may have operands or results of bfloat16 (SPV_KHR_bfloat16, validation
// rules): what creates, moves, converts and selects, and dot products.
var forBrains = opcodes([2]uint16{1, 1}, [2]uint16{12, 12}, [2]uint16{41, 62}, [2]uint16{65, 83}, [2]uint16{109, 115},
	[2]uint16{124, 124}, [2]uint16{148, 148}, [2]uint16{169, 169}, [2]uint16{245, 257}, [2]uint16{400, 400},
	[2]uint16{4457, 4460}, [2]uint16{5293, 5293}, [2]uint16{5366, 5369}, [2]uint16{5390, 5390})

// isBrain reports whether a type is made of bfloat16.
func (t *typ) isBrain() bool {
	if t == nil {
		return false
	}
	s := t.scalar()
	return s != nil && s.brain
}

// computesBrains reports whether an instruction computes with bfloat16, which none may.
func (b *builder) computesBrains() bool {
	if forBrains[b.in.op] {
		return false
	}
	for _, id := range b.in.args {
		if v := b.p.values[id]; v != nil && v.typ.isBrain() {
			return true
		}
	}
	return b.typ.isBrain()
}

// special reports whether floats are computed in another way than the host does.
func (c floatControl) special() bool { return c.round != roundEven || c.flush || c.brain }

// controlled reports whether an operand or the result is a float that is computed in a special way.
func (b *builder) controlled() bool {
	if len(b.p.controls) == 0 {
		return false
	}
	types := []*typ{b.typ}
	for _, id := range b.in.args {
		if v := b.p.values[id]; v != nil {
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
		if s := t.scalar(); s.kind == kFloat && b.controlOf(s).special() {
			return true
		}
	}
	return false
}

// in is the number that an operand is.
func (c floatControl) in(v uint64) float64 {
	if c.brain {
		return toFloat(v<<16, 32)
	}
	return toFloat(c.flushed(v), c.width)
}

// out rounds a result. What is computed in 64 bits for fewer is rounded twice: a number in a direction must
// come exact or rounded to odd.
func (c floatControl) out(x float64) uint64 {
	if c.brain {
		return toBrain(math.Float32bits(float32(x)))
	}
	return c.flushed(roundFloat(x, c.width, c.round))
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
	if c.brain {
		return c.out(c.in(x) + c.in(y))
	}
	if !c.special() {
		return fromFloat(toFloat(x, c.width)+toFloat(y, c.width), c.width)
	}
	return c.format().Add(x, y, c.env())
}

func (c floatControl) multiply(x, y uint64) uint64 {
	if c.brain {
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

// tail is the precision of quotients and roots before they are rounded: none of them is so near to a number of
// 54 bits without being it.
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
