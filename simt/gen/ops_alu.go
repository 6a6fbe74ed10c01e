package gen

import (
	"math"
	"math/big"
	"math/bits"
)

// eachInt makes an intOp of a function of two elements.
func eachInt(f func(in *Inst, a, b int64) int64) intOp {
	return func(_ *Core, in *Inst, x *operands) {
		for k := range in.width {
			x.out[k&31] = f(in, x.i[0][k&31], x.i[1][k&31])
		}
	}
}

func intMov(_ *Core, _ *Inst, x *operands) { x.out = x.i[0] }

func intAdd(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] + x.i[1][k&31]
	}
}

func intMul(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] * x.i[1][k&31]
	}
}

func intAnd(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] & x.i[1][k&31]
	}
}

func intOr(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] | x.i[1][k&31]
	}
}

func intXor(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] ^ x.i[1][k&31]
	}
}

// intNot inverts, and so undoes the inversion that a negation means there.
func intNot(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = ^x.i[0][k&31]
	}
}

// shiftMask is how much of a count matters.
func (in *Inst) shiftMask() int64 {
	if in.wide() {
		return 63
	}
	return 31
}

func intShl(_ *Core, in *Inst, x *operands) {
	m := in.shiftMask()
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] << (x.i[1][k&31] & m)
	}
}

func intRol(_ *Core, in *Inst, x *operands) { rotate(in, x, 1) }

func intRor(_ *Core, in *Inst, x *operands) { rotate(in, x, -1) }

// rotate rotates elements of the first source's size to the left, or to the right if sign is -1.
func rotate(in *Inst, x *operands, sign int) {
	for k := range in.width {
		a, by := uint64(x.i[0][k&31]), sign*int(x.i[1][k&31]&63)
		switch in.src[0].typ.Size() {
		case 8:
			a = bits.RotateLeft64(a, by)
		case 4:
			a = uint64(bits.RotateLeft32(uint32(a), by))
		default:
			a = uint64(bits.RotateLeft16(uint16(a), by))
		}
		x.out[k&31] = int64(a)
	}
}

func intShr(_ *Core, in *Inst, x *operands) {
	m := in.shiftMask()
	for k := range in.width {
		v := uint64(x.i[0][k&31])
		if m == 31 {
			v = uint64(uint32(v))
		}
		x.out[k&31] = int64(v >> (x.i[1][k&31] & m))
	}
}

func intAsr(_ *Core, in *Inst, x *operands) {
	m, unsigned := in.shiftMask(), in.src[0].typ == UQ
	for k := range in.width {
		n := x.i[1][k&31] & m
		if unsigned {
			x.out[k&31] = int64(uint64(x.i[0][k&31]) >> n)
		} else {
			x.out[k&31] = x.i[0][k&31] >> n
		}
	}
}

// intMach gives the high half of a product. That it takes the low half's
// carry from the accumulator is how it comes to that.
func intMach(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		p := x.i[0][k&31] * x.i[1][k&31]
		if in.src[0].typ == UD && in.src[1].typ == UD {
			p = int64(uint64(x.i[0][k&31]) * uint64(x.i[1][k&31]) >> 32)
		} else {
			p >>= 32
		}
		x.out[k&31] = p
	}
}

// intMachBoth is mach of later generations: it gives the low half of a product, or, where it writes the
// accumulator, the high half, and leaves the low one there.
func intMachBoth(c *Core, in *Inst, x *operands) {
	low := [maxChannels]uint32{}
	for k := range in.width {
		low[k&31] = uint32(x.i[0][k&31] * x.i[1][k&31])
	}
	if !in.accWrite {
		for k := range in.width {
			x.out[k&31] = int64(int32(low[k&31]))
		}
		return
	}
	intMach(c, in, x)
	mask := c.channels(in)
	for k := range in.width {
		if mask>>k&1 != 0 {
			c.r.setU32(offAcc+4*k, low[k&31])
		}
	}
}

// intMac adds a product to the accumulator.
func intMac(c *Core, in *Inst, x *operands) {
	size := in.dst.typ.Size()
	for k := range in.width {
		acc := readInt(c.r.file[offAcc+k*size:], in.dst.typ)
		x.out[k&31] = acc + x.i[0][k&31]*x.i[1][k&31]
	}
}

func floatMac(c *Core, in *Inst, x *operands) {
	size := in.dst.typ.Size()
	for k := range in.width {
		x.f[2][k] = readFloat(c.r.file[offAcc+k*size:], in.dst.typ)
	}
	x.f[0], x.f[1], x.f[2] = x.f[2], x.f[0], x.f[1]
	floatMad(c, in, x)
}

// intAddc and intSubb leave the carry or borrow in the accumulator.
func intAddc(c *Core, in *Inst, x *operands) {
	mask := c.channels(in)
	for k := range in.width {
		s := uint64(uint32(x.i[0][k&31])) + uint64(uint32(x.i[1][k&31]))
		x.out[k&31] = int64(uint32(s))
		if mask>>k&1 != 0 {
			c.r.setU32(offAcc+4*k, uint32(s>>32))
		}
	}
}

func intSubb(c *Core, in *Inst, x *operands) {
	mask := c.channels(in)
	for k := range in.width {
		d, borrow := bits.Sub32(uint32(x.i[0][k&31]), uint32(x.i[1][k&31]), 0)
		x.out[k&31] = int64(d)
		if mask>>k&1 != 0 {
			c.r.setU32(offAcc+4*k, borrow)
		}
	}
}

// intMad is a + b*c.
func intMad(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] + x.i[1][k&31]*x.i[2][k&31]
	}
}

var (
	intAvg = eachInt(func(_ *Inst, a, b int64) int64 { return (a + b + 1) >> 1 })

	intLzd  = eachInt(func(_ *Inst, a, _ int64) int64 { return int64(bits.LeadingZeros32(uint32(a))) })
	intCbit = eachInt(func(in *Inst, a, _ int64) int64 {
		return int64(bits.OnesCount32(uint32(a) & uint32(uint64(1)<<(8*in.src[0].typ.Size())-1)))
	})
	intBfrev = eachInt(func(_ *Inst, a, _ int64) int64 { return int64(bits.Reverse32(uint32(a))) })

	intFbl = eachInt(func(_ *Inst, a, _ int64) int64 {
		if uint32(a) == 0 {
			return math.MaxUint32
		}
		return int64(bits.TrailingZeros32(uint32(a)))
	})

	// intFbh counts from the highest bit to the first that differs from the
	// sign, of unsigned numbers to the first that is set.
	intFbh = eachInt(func(in *Inst, a, _ int64) int64 {
		v := uint32(a)
		if in.src[0].typ == D && int32(v) < 0 {
			v = ^v
		}
		if v == 0 {
			return math.MaxUint32
		}
		return int64(bits.LeadingZeros32(v))
	})

	intBfi1 = eachInt(func(_ *Inst, a, b int64) int64 { return int64((uint32(1)<<(a&31) - 1) << (b & 31)) })

	intIdiv = eachInt(func(in *Inst, a, b int64) int64 { q, _ := divide(a, b); return q })
	intIrem = eachInt(func(in *Inst, a, b int64) int64 { _, r := divide(a, b); return r })
)

// divide is C's division; by zero it gives all ones.
func divide(a, b int64) (q, r int64) {
	if b == 0 {
		return -1, -1
	}
	return a / b, a % b
}

// intBfe extracts a field: width, offset, value.
func intBfe(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		n, off, v := uint(x.i[0][k&31]&31), uint(x.i[1][k&31]&31), uint32(x.i[2][k&31])
		switch {
		case n == 0:
			v = 0
		case n+off < 32 && in.dst.typ == D:
			v = uint32(int32(v<<(32-n-off)) >> (32 - n))
		case n+off < 32:
			v = v << (32 - n - off) >> (32 - n)
		case in.dst.typ == D:
			v = uint32(int32(v) >> off)
		default:
			v >>= off
		}
		x.out[k&31] = int64(v)
	}
}

// intBfi2 inserts: mask, value, what is kept elsewhere.
func intBfi2(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		m := x.i[0][k&31]
		x.out[k&31] = m&x.i[1][k&31] | ^m&x.i[2][k&31]
	}
}

func floatMov(_ *Core, _ *Inst, x *operands) { x.num = x.f[0] }

func floatAdd(c *Core, in *Inst, x *operands) {
	double, mode := in.kind == kindDouble, c.rounding()
	for k := range in.width {
		a, b := x.f[0][k&31], x.f[1][k&31]
		switch {
		case double:
			x.num[k&31] = doubleOp(mode, a+b, func() *big.Float { return bigOf(a).Add(bigOf(a), bigOf(b)) })
		case mode == nearest:
			x.num[k&31] = a + b
		default:
			x.num[k&31] = oddSum(a, b)
		}
	}
}

func floatMul(c *Core, in *Inst, x *operands) {
	double, mode := in.kind == kindDouble, c.rounding()
	for k := range in.width {
		a, b := x.f[0][k&31], x.f[1][k&31]
		x.num[k&31] = a * b
		if double && mode != nearest {
			x.num[k&31] = doubleOp(mode, a*b, func() *big.Float { return bigOf(a).Mul(bigOf(a), bigOf(b)) })
		}
	}
}

// floatMad is a + b*c with one rounding.
func floatMad(c *Core, in *Inst, x *operands) {
	double, mode := in.kind == kindDouble, c.rounding()
	for k := range in.width {
		a, b, d := x.f[0][k&31], x.f[1][k&31], x.f[2][k&31]
		if !double {
			x.num[k&31] = oddSum(b*d, a) // the product is exact
			continue
		}
		x.num[k&31] = doubleOp(mode, math.FMA(b, d, a), func() *big.Float {
			p := bigOf(b).Mul(bigOf(b), bigOf(d))
			return p.Add(p, bigOf(a))
		})
	}
}

// floatLrp is a*b + (1-a)*c, whose second product is not rounded: where both nearly cancel, that would be
// most of what is left.
func floatLrp(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		a := x.f[0][k&31]
		x.num[k&31] = math.FMA(1-a, x.f[2][k&31], a*x.f[1][k&31])
	}
}

// eachFloat makes a floatOp of a function of an element.
func eachFloat(f func(v float64) float64) floatOp {
	return func(_ *Core, in *Inst, x *operands) {
		for k := range in.width {
			x.num[k&31] = f(x.f[0][k&31])
		}
	}
}

var (
	floatFrc  = eachFloat(func(v float64) float64 { return v - math.Floor(v) })
	floatRndu = eachFloat(math.Ceil)
	floatRndd = eachFloat(math.Floor)
	floatRnde = eachFloat(math.RoundToEven)
	floatRndz = eachFloat(math.Trunc)
)
