package gen

import (
	"math"
	"math/bits"
)

// intDp4a adds to the first source the products of the four bytes of the others.
func intDp4a(_ *Core, in *Inst, x *operands) {
	byteOf := func(v int64, i int, t Type) int64 {
		b := uint8(uint64(v) >> (8 * i))
		if types[t].signed {
			return int64(int8(b))
		}
		return int64(b)
	}
	for k := range in.width {
		sum := x.i[0][k&31]
		for i := range 4 {
			sum += byteOf(x.i[1][k&31], i, in.src[1].typ) * byteOf(x.i[2][k&31], i, in.src[2].typ)
		}
		x.out[k&31] = sum
	}
}

func intAdd3(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] + x.i[1][k&31] + x.i[2][k&31]
	}
}

// intBfn gives for each bit what the function has of the sources' bits.
func intBfn(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		a, b, c, out := x.i[0][k&31], x.i[1][k&31], x.i[2][k&31], int64(0)
		for i := range 8 {
			if in.function>>i&1 == 0 {
				continue
			}
			term := ^int64(0)
			for n, v := range [3]int64{a, b, c} {
				if i>>n&1 == 0 {
					v = ^v
				}
				term &= v
			}
			out |= term
		}
		x.out[k&31] = out
	}
}

// runSrnd rounds a half to a BF8, or a float to a half, with random bits: they are added below the bits that
// stay, and the rest is cut off (vISA, "SRND").
func runSrnd(c *Core, in *Inst) {
	mask := c.channels(in)
	if from, to := in.src[0].typ, in.dst.typ; (from != HF || to != BF8) && (from != F || to != HF) {
		unknown(c, in)
		return
	}
	if mask == 0 || !c.findIndirect(in) {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	x := &c.x
	c.loadInts(in, 0, &x.i[0])
	c.loadInts(in, 1, &x.i[1])
	for k := range in.width {
		v, random := uint32(x.i[0][k&31]), uint32(x.i[1][k&31])
		switch in.src[0].typ {
		case HF:
			x.out[k&31] = int64(roundedBF8(uint16(v), uint8(random)))
		default:
			x.out[k&31] = int64(roundedHalf(v, random&(1<<13-1)))
		}
	}
	c.store(in, mask, &x.out)
}

func roundedBF8(v uint16, random uint8) uint8 {
	sign, magnitude := v&0x8000, v&0x7fff
	switch {
	case magnitude > 0x7c00:
		return uint8((v | 0x200) >> 8)
	case magnitude < 0x7c00:
		magnitude += uint16(random)
	}
	return uint8((sign | magnitude) >> 8)
}

func roundedHalf(v, random uint32) uint16 {
	const exponent = 0xff << 23
	if v&exponent != exponent {
		v += random // a carry goes to the exponent, which is as it should be
	}
	number := float64(floatOf(int64(v)))
	if math.Abs(number) >= 1<<16 {
		return floatToHalf(math.Copysign(math.Inf(1), number), nearest)
	}
	return floatToHalf(number, towardZero)
}
